use super::*;
use edb::Element;
use edb::graph::VertexRecord;
use edb::model::Bundle;
use readers::tree::TreeKind;
use support::folder::Folder;
use support::learns::{Sample, answer, curves, learns};

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

/// A tree as a graph of names, as whoever has only the file makes it.
fn by_names(bundle: &Bundle, tree: &Tree) -> Graph {
    let words: Vec<String> = bundle.notes.get("vocabulary").unwrap();
    let classes: Vec<String> = bundle.notes.get("classes").unwrap();
    let mut g = bundle.model.graph();
    let mut phrases: Vec<usize> = Vec::new();
    for vertex in tree.vertices() {
        let record = match vertex.kind {
            TreeKind::Leaf { word } => {
                let id = words.iter().position(|known| *known == tree.words()[word]).unwrap_or(0);
                VertexRecord::new("word").with("id", Index(id as u32))
            }
            TreeKind::Inner { left, right } => {
                VertexRecord::new("phrase").child(phrases[left]).child(phrases[right])
            }
        };
        let phrase = bundle.model.add_record(&mut g, &record).unwrap();
        phrases.push(phrase);
        let names = ["very negative", "negative", "neutral", "positive", "very positive"];
        let name = names[usize::from(vertex.label)];
        let label = classes.iter().position(|class| class == name).unwrap() as u32;
        let judged = VertexRecord::new("sentiment").child(phrase).with("label", Index(label));
        bundle.model.add_record(&mut g, &judged).unwrap();
    }
    g
}

#[test]
fn graphs_are_made_from_what_a_saved_model_says() {
    let folder = Folder::new().unwrap();
    let path = folder.path().join("sentiment.edb");
    let small =
        ["sentiment", "--hidden", "6", "--embedding", "5", "--epochs", "1", "--threads", "1"];
    let save = ["--save", path.to_str().unwrap()];
    run(&Cli::parse_from(small.iter().chain(&save))).unwrap();
    let bundle = Bundle::<f32>::open(&path).unwrap();

    let mut builder = ModelBuilder::new();
    let sizes = Sizes { words: 5, embedding: 5, hidden: 6, classes: 5 };
    let f = Functions::<TreeLstm>::new(&mut builder, sizes, 1);
    let mut model = builder.build(9).unwrap();
    model.load(&path).unwrap();
    let splits = treebank::read(&Source::default()).unwrap();
    let words = splits.train.iter().flat_map(Tree::words).map(String::as_str);
    let words = Vocabulary::new(words, 2);
    // The last tree has a word that nobody knows.
    let unknown = "(3 (4 joy) (2 film))".parse::<Tree>().unwrap();
    for tree in splits.dev.iter().take(3).chain([&unknown]) {
        let own = f.graph(&model, tree, |word| words.id(word)).0;
        assert_eq!(answer(&bundle.model, &by_names(&bundle, tree)), answer(&model, &own));
    }
}
