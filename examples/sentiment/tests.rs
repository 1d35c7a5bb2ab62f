use super::*;
use edb::Element;
use support::learns::{Sample, curves, learns};

impl Sample for Name {
    fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
        match self {
            Self::TreeLstm => graphs::<TreeLstm, T>(1, seed),
            Self::TreeLstm2Type => graphs::<TreeLstm, T>(2, seed),
            Self::TreeGru => graphs::<TreeGru, T>(1, seed),
            Self::MvRnn => graphs::<MvRnn, T>(1, seed),
            Self::Routed => graphs::<Routed, T>(1, seed),
        }
    }
}

fn graphs<C: Cell, T: Element>(types: usize, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
    let mut builder = ModelBuilder::new();
    let sizes = Sizes { words: 4, embedding: 5, hidden: 6, classes: 5 };
    let f = Functions::<C>::new(&mut builder, sizes, types);
    let model = builder.build_as(seed).unwrap();
    let lines = ["(4 (2 a) (4 (4 fine) (2 film)))", "(2 film)", "(3 (3 (2 a) (2 film)) (4 fine))"];
    let trees = lines.map(|line| line.parse::<Tree>().unwrap());
    let words = Vocabulary::new(trees.iter().flat_map(Tree::words).map(String::as_str), 1);
    let graph = |tree| f.graph(&model, tree, |word| words.id(word)).0;
    let graphs = trees.iter().map(graph).collect();
    (model, graphs)
}

#[test]
fn all_cells_learn() {
    for name in Name::value_variants() {
        learns(name);
        curves(name, edb_compiler::tangent);
    }
}
