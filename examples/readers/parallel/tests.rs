use super::*;

#[test]
fn translations_are_as_many_as_sentences() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let names = ["train", "val", "test"];
    for split in names {
        write(&format!("{split}.en"), "a b\n\nc\n");
        write(&format!("{split}.de"), "x\ny\nz\u{a0}z\n");
    }
    let read = |skip_malformed| {
        let source = Source { data: Some(folder.path().into()), skip_malformed };
        read(&source, ["en", "de"], names)
    };
    // The empty sentence is left out with its translation.
    let expected = [[vec!["a", "b"], vec!["x"]], [vec!["c"], vec!["z\u{a0}z"]]];
    assert_eq!(read(false).unwrap().train, expected);
    let error = |skip_malformed| read(skip_malformed).unwrap_err().to_string();
    write("val.de", "x\n");
    let found = error(false);
    assert!(found.ends_with("val.de, line 2: the file ends before what it translates"), "{found}");
    write("val.de", "x\ny\nz\nz\n");
    let found = error(true);
    assert!(found.ends_with("val.en, line 4: the file ends before its translation"), "{found}");
    // Pairs stay together where a line cannot be read.
    write("val.de", "x\0\ny\nz\n");
    let found = error(false);
    assert!(found.contains("val.de, line 1: "), "{found}");
    assert_eq!(read(true).unwrap().dev, [[["c"], ["z"]]]);
}

#[test]
fn a_translation_is_between_ends() {
    let pairs = [["a b", "x"], ["a", "y x"]].map(|pair| pair.map(words));
    let numbers = Numbers::new(&pairs, 1);
    // The unknown word, and in the second language the end; each has one more than words were seen.
    assert_eq!(numbers.sizes(), [4, 4]);
    let [from, to] = numbers.encode(&["b c", "x z"].map(words));
    let end = to[0];
    assert_eq!((from.len(), to.len(), to[3]), (2, 4, end));
    assert_eq!([from[1], to[2]], [Vocabulary::UNKNOWN; 2]);
    assert!(to[1] != end && ![end, to[1], from[0]].contains(&Vocabulary::UNKNOWN));
}
