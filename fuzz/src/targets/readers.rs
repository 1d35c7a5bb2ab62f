use std::cmp::Reverse;

use edb::schedule::Policy;
use edb_core::learn::WordVectors;

use super::{bounded, file, in_folder, kind, say};
use readers::derivation::{Derivation, spans};
use readers::lines::{LineError, Lines, Malformed};
use readers::source::Source;
use readers::tree::{Tree, TreeKind};
use readers::vectors::Vectors;
use readers::{corpus, dependencies, lattice, molecule, parallel, sentence, sick, topology};
use support::expression::{self, Expression};

/// Reads a file of one format.
type Reader = fn(&[u8]);

/// The formats; the first byte of the input chooses one.
const READERS: [(&str, Reader); 11] = [
    ("corpus, tagged", tagged),
    ("corpus, CoNLL-U", conllu),
    ("expressions", expressions),
    ("molecules", molecules),
    ("parallel sentences", pairs),
    ("sentences with words", sentences),
    ("SICK", related),
    ("trees", trees),
    ("type graphs", type_graphs),
    ("vectors", vectors),
    ("word vectors", word_vectors),
];

/// A file of an example's data set, plain or compressed by gzip: an error names the file, or its
/// records are complete.
pub fn readers(data: &[u8]) {
    if let Some((which, contents)) = kind(data, READERS.len()) {
        (READERS[which].1)(contents);
    }
}

/// Reads these contents as the lines of a file.
fn lines<R>(contents: &[u8], read: impl FnOnce(Lines) -> Result<R, LineError>) -> Option<R> {
    let path = file("records", contents);
    let all = || read(Lines::open(&path, Malformed::Stop)?);
    // Compressed contents may unpack to a thousand times their size.
    let unpacked = if contents.starts_with(&[0x1f, 0x8b]) { 1000 } else { 1 };
    match bounded(contents.len() * unpacked, all) {
        Ok(read) => Some(read),
        Err(error) => {
            let text = say(&error);
            assert!(text.contains("records"), "{text}");
            None
        }
    }
}

fn tagged(contents: &[u8]) {
    let read = lines(contents, |mut lines| lines.records(usize::MAX, corpus::tagged));
    for sentence in read.into_iter().flatten() {
        let text: Vec<String> =
            sentence.iter().map(|(word, tag)| format!("{word}|{tag}")).collect();
        assert_eq!(corpus::tagged(&text.join(" ")), Ok(sentence));
    }
}

fn conllu(contents: &[u8]) {
    for sentence in lines(contents, dependencies::conllu).into_iter().flatten() {
        let root = sentence.len();
        assert!(sentence.iter().all(|word| word.head <= root));
        assert_eq!(sentence.iter().filter(|word| word.head == root).count(), 1);
    }
    let Some(read) = lines(contents, corpus::conllu) else { return };
    assert!(read.iter().all(|sentence| !sentence.is_empty()));
    let numbers = corpus::Numbers::new(&read, 2);
    for sentence in &read {
        let records = numbers.encode(sentence);
        let fits = |word: &corpus::Record| {
            (word.id as usize) < numbers.words.size()
                && (word.tag as usize) < numbers.tags.size()
                && !word.letters.is_empty()
        };
        assert!(records.len() == sentence.len() && records.iter().all(fits));
    }
}

fn expressions(contents: &[u8]) {
    let read =
        lines(contents, |mut lines| lines.records(usize::MAX, |line| line.parse::<Expression>()));
    for expression in read.into_iter().flatten() {
        assert_eq!(expression.to_string().parse(), Ok(expression.clone()));
        assert!(expression.answers().iter().all(|answer| *answer < 10));
        let items = expression.items().len();
        let arguments: usize = (0..items).map(|item| expression.arguments(item).len()).sum();
        // Every item except the last is an argument of exactly one operator.
        assert_eq!((arguments, expression.answers().len()), (items - 1, items));
        assert!(matches!(expression.items()[0], expression::Item::Digit(_)));
    }
}

fn molecules(contents: &[u8]) {
    let read = lines(contents, |lines| molecule::read(lines, usize::MAX));
    for molecule in read.into_iter().flatten() {
        let atoms = molecule.atoms.len();
        let fits = |&(a, b, bond): &(usize, usize, u32)| {
            a < atoms && b < atoms && a != b && (bond as usize) < molecule::BONDS
        };
        assert!(atoms > 0 && molecule.bonds.iter().all(fits) && (molecule.y as f32).is_finite());
    }
}

/// Two files, separated by a NUL byte.
fn pairs(contents: &[u8]) {
    let end = contents.iter().position(|byte| *byte == 0).unwrap_or(contents.len());
    let (from, to) = (&contents[..end], contents.get(end + 1..).unwrap_or_default());
    in_folder(|folder| {
        for name in ["a", "b", "c"] {
            for (language, text) in [("en", from), ("de", to)] {
                let path = folder.join(format!("{name}.{language}"));
                std::fs::write(path, text).expect("the temporary folder can be written");
            }
        }
        let source = Source { data: Some(folder.to_owned()), skip_malformed: false };
        match parallel::read(&source, ["en", "de"], ["a", "b", "c"]) {
            Ok(read) => {
                assert!(read.train == read.test && read.train == read.dev);
                let numbers = parallel::Numbers::new(&read.train, 1);
                for pair in &read.train {
                    let [source, target] = numbers.encode(pair);
                    assert_eq!((source.len(), target.len()), (pair[0].len(), pair[1].len() + 2));
                }
            }
            Err(error) => assert!(say(&error).contains("a."), "{error}"),
        }
    });
}

fn sentences(contents: &[u8]) {
    let read = lines(contents, |mut lines| lines.records(usize::MAX, sentence::parse));
    for sentence in read.into_iter().flatten() {
        assert_eq!(sentence.characters.len(), sentence.labels.len());
        for backward in [false, true] {
            let lattice = sentence.lattice(backward, |_| 1, |_| 2);
            let words: usize = lattice.iter().map(|character| character.words.len()).sum();
            assert_eq!((lattice.len(), words), (sentence.labels.len(), sentence.words.len()));
            let begins = lattice.iter().enumerate();
            let before = |(place, character): (usize, &lattice::Character)| {
                character.words.iter().all(|word| word.from < place)
            };
            assert!(begins.into_iter().all(before), "a word begins before it ends");
        }
    }
}

fn related(contents: &[u8]) {
    let read = lines(contents, |lines| sick::read(lines, usize::MAX));
    for pair in read.into_iter().flatten() {
        for sentence in &pair.sentences {
            let order = sentence.bottom_up();
            assert_eq!(order.len(), sentence.words.len());
            let below = |(number, (_, places)): (usize, &(usize, Vec<usize>))| {
                places.iter().all(|place| *place < number)
            };
            assert!(order.iter().enumerate().all(below), "dependents come first");
            let dependents: usize = order.iter().map(|(_, places)| places.len()).sum();
            assert_eq!(dependents, order.len() - 1, "every word but the root has a head");
        }
    }
}

fn trees(contents: &[u8]) {
    let read = lines(contents, |mut lines| lines.records(usize::MAX, |line| line.parse::<Tree>()));
    for tree in read.into_iter().flatten() {
        assert_eq!(tree.to_string().parse(), Ok(tree.clone()));
        for (place, vertex) in tree.vertices().iter().enumerate() {
            assert!(match vertex.kind {
                TreeKind::Leaf { word } => word < tree.words().len(),
                TreeKind::Inner { left, right } => left < place && right < place,
            });
        }
    }
    let read = lines(contents, |mut lines| lines.records(usize::MAX, str::parse::<Derivation>));
    for Derivation { words, symbols } in read.into_iter().flatten() {
        let spans = spans(&symbols);
        let leaves = spans.iter().filter(|(.., is_leaf, _)| *is_leaf);
        assert!(leaves.map(|(first, ..)| *first).eq(0..words.len()));
        let (first, Reverse(width), ..) = spans[0];
        assert_eq!((first, width), (0, words.len()));
    }
}

/// Graphs that can be read are scheduled under all policies.
fn type_graphs(contents: &[u8]) {
    let path = file("graph.json", contents);
    let unpacked = if contents.starts_with(&[0x1f, 0x8b]) { 1000 } else { 1 };
    match bounded(contents.len() * unpacked + (8 << 16), || topology::read(&path)) {
        Ok(read) => {
            for policy in Policy::ALL.iter().filter(|_| read.graph.len() < 1000) {
                assert_eq!(policy.schedule(&read.graph).check(&read.graph), Ok(()));
            }
        }
        Err(error) => assert!(say(&error).contains("graph.json"), "{error}"),
    }
}

fn vectors(contents: &[u8]) {
    if let Some(vectors) = lines(contents, Vectors::read) {
        assert_eq!(vectors.vector("the").len(), vectors.size());
        assert!(vectors.vector("the").iter().all(|number| (*number as f32).is_finite()));
    }
}

fn word_vectors(contents: &[u8]) {
    let path = file("vectors.txt", contents);
    let vocabulary = ["the", "a", "the"];
    match bounded(contents.len(), || WordVectors::read(&path, &vocabulary, 1)) {
        Ok(read) => {
            let values = read.values().fill::<f32>(&[3, read.width()], "table");
            assert_eq!(values.expect("as many as are said").len(), 3 * read.width());
        }
        Err(error) => assert!(say(&error).contains("vectors.txt"), "{error}"),
    }
}
