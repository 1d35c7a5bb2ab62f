use edb::Element;
use edb::engine::GrowingGraph;

use cells::encoder_decoder::Translator;
use cells::speaker::{Manner, Talk};

use super::*;
use crate::speaker::{rewarded, step_taught, translate};
use readers::parallel::words;
use support::learns::{Sample, curves, learns};

struct Pairs;

impl Sample for Pairs {
    fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
        let pairs = [["a dog barks", "ein Hund bellt"], ["dog", "Hund"], ["a a", "ein"]];
        let pairs = pairs.map(|pair| pair.map(words));
        let numbers = Numbers::new(&pairs, 1);
        let mut builder = ModelBuilder::new();
        let f = Translator::new(&mut builder, numbers.sizes(), 8);
        let model = builder.build_as(seed).unwrap();
        let graphs = pairs.iter().map(|pair| f.graph(&model, &numbers.encode(pair))).collect();
        (model, graphs)
    }
}

#[test]
fn it_learns() {
    learns(&Pairs);
    curves(&Pairs, edb_compiler::tangent);
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

/// A translator that stops by itself, and pairs to learn.
fn speaker(hidden: usize) -> (Speaker, ModelBuilder, Vec<[Vec<u32>; 2]>) {
    let pairs = [["a dog barks", "ein Hund bellt"], ["dog", "Hund"], ["a a", "ein"]];
    let pairs = pairs.map(|pair| pair.map(words));
    let numbers = Numbers::new(&pairs, 1);
    let mut builder = ModelBuilder::new();
    let f = Speaker::new(&mut builder, numbers.sizes(), hidden, numbers.end());
    (f, builder, pairs.iter().map(|pair| numbers.encode(pair)).collect())
}

#[test]
fn it_learns_to_stop() {
    let (f, builder, pairs) = speaker(16);
    let mut trainer = Trainer::new(builder.build(1).unwrap(), Adam::new(0.02)).clip_norm(5.0);
    let mut engine = Engine::new();
    for share in [0.0, 0.5, 1.0] {
        for _ in 0..40 {
            let pairs: Vec<_> = pairs.iter().collect();
            step_taught(&f, &mut trainer, &pairs, share).unwrap();
        }
    }
    let translated = translate(&f, &mut engine, trainer.model(), &pairs).unwrap();
    for ((said, _), [_, gold]) in translated.iter().zip(&pairs) {
        assert_eq!(said, &gold[1..]);
    }
}

/// From rewards alone, it learns to say what is rewarded. (Not from every seed: nothing is rewarded at
/// first, and of the seeds 1 to 6, five learn in so few steps.)
#[test]
fn it_learns_from_rewards() {
    let (f, builder, pairs) = speaker(16);
    let mut trainer = Trainer::new(builder.build(3).unwrap(), Adam::new(0.01)).clip_norm(5.0);
    // Each sentence eight times, so that there is a mean to be better than.
    let many: Vec<_> = pairs.iter().cycle().take(24).collect();
    let lacks: Vec<f64> =
        (0..150).map(|_| rewarded(&f, &mut trainer, &many).unwrap() / 24.0).collect();
    let mean = |lacks: &[f64]| lacks.iter().sum::<f64>() / lacks.len() as f64;
    let (first, last) = (mean(&lacks[..10]), mean(&lacks[140..]));
    assert!(last < 0.6 * first, "{first} and {last}");
}

/// What is said word by word, though it reads only gold words, is what is predicted from them, and
/// what the eager functions compute.
#[test]
fn a_taught_translation_has_the_loss_of_its_prediction() {
    let (f, builder, pairs) = speaker(6);
    let model: Model<f64> = builder.build_as(1).unwrap();
    let begin = |[source, _]: &[Vec<u32>; 2]| f.begin(&model, source);
    let mut talks: Vec<_> = pairs.iter().map(begin).collect();
    let grow = |g: &mut GrowingGraph<'_, f64>, talk: &mut Talk| {
        let gold = &pairs[g.place()][1];
        f.turn(g, talk, Manner::Taught(gold, 0.0));
    };
    Engine::new().grow_each(&model, &mut talks, grow).unwrap();
    let taught = model.minibatch(talks.iter().map(|(graph, _)| graph)).unwrap();
    edb::testing::compiled_equals_eager(&model, &taught, &Default::default()).unwrap();
    let known: Vec<_> = pairs.iter().map(|pair| f.translator.graph(&model, pair)).collect();
    let known = model.minibatch(&known).unwrap();
    let [taught, known] =
        [taught, known].map(|batch| Engine::new().infer(&model, &batch).unwrap().loss().unwrap());
    assert!((taught - known).abs() < 1e-9, "{taught} and {known}");
}

#[test]
fn a_translation_that_does_not_end_is_cut_off() {
    let (f, builder, pairs) = speaker(4);
    let model: Model = builder.build(1).unwrap();
    let said = translate(&f, &mut Engine::new(), &model, &pairs).unwrap();
    // It says the same all the time; the sentences have 3, 1 and 2 words.
    assert_eq!(said.iter().map(|(said, _)| said.len()).collect::<Vec<_>>(), [17, 13, 15]);
}
