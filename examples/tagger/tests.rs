use edb::Element;

use super::*;
use readers::corpus;
use support::learns::{Sample, curves, learns};

struct Sentences {
    chars: bool,
}

impl Sample for Sentences {
    fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
        let lines = ["the|D cat|N sat|V", "sat|V", "the|D new|A caf\u{e9}|N"];
        let sentences = lines.map(|line| corpus::tagged(line).unwrap());
        let numbers = Numbers::new(&sentences, 1);
        let mut builder = ModelBuilder::new();
        let f = Tagger::new(&mut builder, sizes(&numbers, self.chars, 8));
        let model = builder.build_as(seed).unwrap();
        let graphs = sentences.iter().map(|s| f.graph(&model, &numbers.encode(s)).0).collect();
        (model, graphs)
    }
}

struct Together;

impl Sample for Together {
    fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
        let lines = ["the|O new|B-X york|I-X", "york|O", "the|O old|B-X new|I-X york|I-X"];
        let sentences = lines.map(|line| corpus::tagged(line).unwrap());
        let numbers = Numbers::new(&sentences, 1);
        let transitions = numbers.tags.transitions(sentences.iter().map(gold));
        let mut builder = ModelBuilder::new();
        let f = CrfTagger::new(&mut builder, sizes(&numbers, false, 8), &transitions);
        let model = builder.build_as(seed).unwrap();
        let mut graphs: Vec<_> =
            sentences.iter().map(|s| f.graph(&model, &numbers.encode(s))).collect();
        graphs.push(f.best(&model, &numbers.encode(&sentences[2])).0);
        (model, graphs)
    }
}

#[test]
fn it_learns_together() {
    learns(&Together);
    curves(&Together, edb_compiler::tangent);
}

#[test]
fn it_learns() {
    learns(&Sentences { chars: false });
    curves(&Sentences { chars: false }, edb_compiler::tangent);
    learns(&Sentences { chars: true });
    curves(&Sentences { chars: true }, edb_compiler::tangent);
}
