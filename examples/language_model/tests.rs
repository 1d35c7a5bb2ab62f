use super::*;
use edb::Element;
use support::learns::{Sample, curves, learns};

const TEXT: [u32; 10] = [0, 3, 1, 2, 0, 3, 1, 0, 0, 3];

struct Text {
    sentences: bool,
}

impl Sample for Text {
    fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
        let mut builder = ModelBuilder::new();
        let f = LanguageModel::new(&mut builder, 4, 8);
        let model = builder.build_as(seed).unwrap();
        let cut = if self.sentences { sentences(&TEXT, 0) } else { pieces(&TEXT, 4, 0) };
        let graphs = cut.iter().map(|piece| f.graph(&model, piece)).collect();
        (model, graphs)
    }
}

#[test]
fn it_learns() {
    learns(&Text { sentences: false });
    curves(&Text { sentences: false }, edb_compiler::tangent);
    learns(&Text { sentences: true });
    curves(&Text { sentences: true }, edb_compiler::tangent);
}

#[test]
fn every_word_is_predicted_once() {
    assert_eq!(pieces(&TEXT, 4, 0), [&TEXT[..5], &TEXT[4..9], &TEXT[8..]]);
    assert_eq!(pieces(&TEXT, 4, 4), [&TEXT[..9], &TEXT[4..], &TEXT[8..]]);
    assert!(pieces(&TEXT[..1], 4, 0).is_empty());
    // An empty sentence is predicted to end at once.
    let expected: [&[u32]; 3] = [&[0, 3, 1, 2, 0], &[0, 3, 1, 0], &[0, 0]];
    assert_eq!(sentences(&TEXT, 0), expected);
}

#[test]
fn sentences_are_split_at_spaces_only() {
    let folder = support::folder::Folder::new().unwrap();
    for name in ["train", "valid", "test"] {
        let text = " a\u{a0}b  c \n\n d\u{3000}e\n";
        std::fs::write(folder.path().join(format!("ptb.{name}.txt")), text).unwrap();
    }
    let source = Source { data: Some(folder.path().into()), skip_malformed: false };
    let expected = vec![vec!["a\u{a0}b", "c"], vec!["d\u{3000}e"]];
    let splits = read(&source).unwrap();
    assert!([splits.train, splits.dev, splits.test].iter().all(|split| *split == expected));
    std::fs::remove_file(folder.path().join("ptb.valid.txt")).unwrap();
    let error = read(&source).unwrap_err().to_string();
    assert!(error.ends_with("found neither `ptb.valid.txt` nor `ptb.valid.txt.gz`"), "{error}");
}
