use super::*;

fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, Source) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let source = Source { data: Some(folder.path().into()), skip_malformed: false };
    (folder, source)
}

fn words(sentences: &[Sentence]) -> Vec<String> {
    sentences.iter().flatten().map(|(word, tag)| format!("{word}/{tag}")).collect()
}

#[test]
fn entities_are_read() {
    let (_folder, source) = folder(&[("train.txt", "a|b|O c\u{a0}d|I-PER\n"), ("dev.txt", "")]);
    let (splits, entities) = read(&source).unwrap();
    assert_eq!((splits.train.len(), splits.test.len(), entities), (0, 0, true));
    assert_eq!(words(&splits.dev), ["a|b/O", "c\u{a0}d/I-PER"]);
    let (_folder, source) = folder(&[("train.txt", "a|O\nb|O |O\n"), ("dev.txt", "")]);
    let error = read(&source).err().unwrap().to_string();
    assert!(error.ends_with("train.txt, line 2: expected `word|tag`, found `|O`"), "{error}");
    let going_on = Source { skip_malformed: true, ..source };
    assert_eq!(words(&read(&going_on).unwrap().0.dev), ["a/O"]);
}

#[test]
fn treebanks_are_read() {
    let rest = "_\t_\t0\troot\t_\t_";
    let text = format!(
        "# text = x\n1-2\tdon't\t_\t_\t{rest}\n1\tdo\tdo\tAUX\t{rest}\n2\tn't\tnot\tPART\t{rest}\n\n \n\
         1\tgo\tgo\tVERB\t{rest}\n1.1\tgone\tgo\tVERB\t{rest}"
    );
    let empty = ("en_ewt-ud-dev.conllu", "# nothing\n\n");
    let test = ("en_ewt-ud-test.conllu", "1\ta\n");
    let (_folder, source) = folder(&[(TREEBANK, &text), empty, test]);
    let error = read(&source).err().unwrap().to_string();
    let expected = "test.conllu, line 1: expected 10 fields between tabs, found 2";
    assert!(error.ends_with(expected), "{error}");
    let (splits, _) = read(&Source { skip_malformed: true, ..source }).unwrap();
    assert_eq!((splits.train.len(), splits.dev.len(), splits.test.len()), (2, 0, 0));
    assert_eq!(words(&splits.train), ["do/AUX", "n't/PART", "go/VERB"]);
    for (id, form) in [("", "a"), ("x", "a"), ("-1", "a"), ("1-", "a"), ("1.2.3", "a"), ("1", "")] {
        let line = format!("{id}\t{form}\t_\tX\t{rest}");
        let expected = match form {
            "" => "a word has a form and a tag".to_owned(),
            _ => format!("expected the number of a word, found `{id}`"),
        };
        assert_eq!(fields(&line), Err(expected));
    }
}
