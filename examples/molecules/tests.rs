use super::*;
use edb::Element;
use readers::molecule;
use support::learns::{Sample, curves, learns};

struct Three;

impl Sample for Three {
    fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
        let mut builder = ModelBuilder::new();
        let f = Molecules::new(&mut builder, 2, 6);
        let model = builder.build_as(seed).unwrap();
        let lines = [
            "a\t1\ttrain\ttrain\tCO\t6:1:0:3:0:0 8:1:0:1:0:0\t0-1:1:0:0",
            "b\t3\ttrain\ttrain\tC=C=O\t6:1:0:2:0:0 6:2:0:0:0:0 8:1:0:0:0:0\t0-1:2:0:0 1-2:2:0:0",
            "c\t-1\ttrain\ttrain\tC\t6:0:0:4:0:0\t",
        ];
        let molecules = lines.map(|line| molecule::parse(line).unwrap());
        let scale = Scale::new(&molecules);
        let graphs = molecules.iter().map(|m| f.graph(&model, m, scale.standardise(m)).0).collect();
        (model, graphs)
    }
}

#[test]
fn it_learns() {
    learns(&Three);
    curves(&Three, edb_compiler::tangent);
}
