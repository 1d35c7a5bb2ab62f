use super::*;
use edb::Element;
use readers::sentence;
use support::learns::{Sample, curves, learns};

/// Sentences that are read by such a cell.
struct Read(Cell);

impl Sample for Read {
    fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
        let lines = ["a b c d\tB-NAME E-NAME O O\t0:2:x 0:3:y 1:3:z", "c d\tO O\t0:2:y", "a\tO\t"];
        let sentences = lines.map(|line| sentence::parse(line).unwrap());
        let numbers = Numbers::new(&sentences);
        let mut builder = ModelBuilder::new();
        let f = Tagger::new(&mut builder, self.0, numbers.sizes(), 6);
        let model = builder.build_as(seed).unwrap();
        let graphs = sentences.iter().map(|s| graph(&f, &model, &numbers, s).0).collect();
        (model, graphs)
    }
}

#[test]
fn it_learns() {
    learns(&Read(Cell::LatticeLstm));
    curves(&Read(Cell::LatticeLstm), edb_compiler::tangent);
    learns(&Read(Cell::LatticeGru));
    curves(&Read(Cell::LatticeGru), edb_compiler::tangent);
}
