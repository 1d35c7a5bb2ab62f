use super::*;
use edb::graph::InputRecord;
use edb::model::Bundle;
use edb::prelude::*;
use readers::tree::Tree;
use support::folder::Folder;
use support::splits::Splits;
use support::vocabulary::bucket;

fn cli(more: &[&str]) -> Cli {
    let small =
        ["private", "--threads", "1", "--minibatch", "2", "--hidden", "4", "--embedding", "4"];
    let buckets = ["--buckets", "512", "--lr", "0.05"];
    Cli::parse_from(small.iter().chain(&buckets).chain(more))
}

fn splits() -> Splits<Tree> {
    let tree = |line: &str| line.parse::<Tree>().unwrap();
    let train =
        ["(4 (2 a) (4 (4 fine) (2 film)))", "(2 film)", "(0 (0 dull) (2 film))", "(4 fine)"];
    let test = ["(4 (4 fine) (2 film))", "(0 (0 dull) (2 film))"];
    let train = train.map(tree).to_vec();
    Splits { dev: train.clone(), train, test: test.map(tree).to_vec() }
}

#[test]
fn the_bound_is_kept_and_a_seed_repeats_a_run() {
    let cli = cli(&["--seed", "3", "--steps", "12"]);
    let [one, again, other] = [0, 0, 1].map(|number| {
        let found = train(&cli, &splits(), Some(4.0), number).unwrap();
        let epsilon = found.epsilon.unwrap();
        assert!(epsilon > 3.9 && epsilon <= 4.0, "{epsilon}");
        assert!(found.noise > 0.5 && found.step_ratio > 0.0);
        found
    });
    assert_eq!((one.fine, one.binary, one.loss), (again.fine, again.binary, again.loss));
    assert_ne!(one.loss, other.loss);
}

/// The file has what the model has cost, and no sentence of training.
#[test]
fn a_private_model_is_saved() {
    let folder = Folder::new().unwrap();
    let path = folder.path().join("private.edb");
    let cli = cli(&["--seed", "3", "--steps", "12", "--save", path.to_str().unwrap()]);
    for (number, epsilon) in [(0, Some(4.0)), (1, Some(8.0)), (2, None)] {
        train(&cli, &splits(), epsilon, number).unwrap();
    }
    let bundle = Bundle::<f32>::open(&path).unwrap();
    let epsilon: f64 = bundle.notes.get("epsilon").unwrap();
    assert!(epsilon > 3.9 && epsilon <= 4.0, "{epsilon}");
    let buckets: NonZeroU32 = bundle.notes.get("buckets").unwrap();
    assert_eq!(bundle.examples.len(), 2);
    // The words of the first test sentence, of which the graph is made from its leaves up.
    for (vertex, word) in [(0, "fine"), (2, "film")] {
        let id = InputRecord::Index(bucket(word, buckets));
        assert_eq!(bundle.examples[0].graph.vertices[vertex].input["id"], id);
    }
    let replayed = Engine::new().replay(&bundle.model, &bundle.examples).unwrap();
    assert!(replayed.iter().all(|example| example.difference == 0.0));
}

#[test]
fn without_privacy_it_learns() {
    let found = train(&cli(&["--seed", "1", "--steps", "150"]), &splits(), None, 0).unwrap();
    assert_eq!((found.epsilon, found.noise, found.step_ratio), (None, 0.0, 1.0));
    assert_eq!((found.fine, found.binary), (1.0, 1.0));
}

#[test]
fn an_epsilon_that_no_noise_gives_is_an_error() {
    let refused = |epsilon| {
        let found = train(&cli(&["--steps", "3"]), &splits(), Some(epsilon), 0);
        found.err().map(|error| error.to_string())
    };
    let expected = "the epsilon of Accountant is -1; it must be positive";
    assert_eq!(refused(-1.0).as_deref(), Some(expected));
}

#[test]
fn levels_without_privacy_go_from_end_to_end() {
    let found = |epsilon, binary| Found { epsilon, binary, ..Found::default() };
    let all = [found(Some(1.0), 0.6), found(Some(4.0), 0.7), found(None, 0.8)];
    let lines = chart(&all).series;
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0].points, [(1.0, 0.6), (4.0, 0.7)]);
    assert_eq!(lines[1].points, [(1.0, 0.8), (4.0, 0.8)]);
}
