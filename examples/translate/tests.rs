use edb::Element;

use super::*;
use readers::parallel::words;
use support::learns::{Sample, learns};

struct Pairs;

impl Sample for Pairs {
    fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
        let pairs = [["a dog barks", "ein Hund bellt"], ["dog", "Hund"], ["a a", "ein"]];
        let pairs = pairs.map(|pair| pair.map(words));
        let numbers = Numbers::new(&pairs, 1);
        let mut builder = ModelBuilder::new();
        let f = Translator::new(&mut builder, numbers.sizes(), 8);
        let model = builder.build(seed).unwrap();
        let graphs = pairs.iter().map(|pair| f.graph(&model, &numbers.encode(pair))).collect();
        (model, graphs)
    }
}

#[test]
fn it_learns() {
    learns(&Pairs);
}

#[test]
fn languages_and_splits_have_names() {
    let cli = |line: &[&str]| Cli::try_parse_from([&["translate"], line].concat());
    let default = cli(&[]).ok().unwrap();
    assert_eq!(default.languages, ["en", "de"]);
    assert_eq!(default.splits, ["train", "val", "test_2016_flickr"]);
    let other = cli(&["--languages", "vi", "en", "--splits", "a", "b", "c"]).ok().unwrap();
    assert_eq!((other.languages, other.splits.len()), (vec!["vi".to_owned(), "en".to_owned()], 3));
    assert!(cli(&["--languages", "en"]).is_err() && cli(&["--splits", "a,b"]).is_err());
}
