use super::*;

fn trees() -> Vec<Tree> {
    let lines =
        ["(4 (2 a) (4 (4 fine) (2 film)))", "(2 film)", "(0 (0 dull) (2 film))", "(4 fine)"];
    lines.map(|line| line.parse().unwrap()).to_vec()
}

fn cli(more: &[&str]) -> Cli {
    let small = ["influence", "--threads", "1", "--hidden", "5", "--embedding", "4"];
    Cli::parse_from(small.iter().chain(more))
}

fn words() -> Vocabulary {
    Vocabulary::new(trees().iter().flat_map(Tree::words).map(String::as_str), 1)
}

fn sizes(words: &Vocabulary) -> Sizes {
    Sizes { words: words.size(), embedding: 4, hidden: 5, classes: 5 }
}

/// The parameters of a model that has taken so many steps.
fn trained(words: &Vocabulary, steps: usize) -> Parameters<f32> {
    let mut builder = ModelBuilder::new();
    let f = Functions::<TreeLstm>::new(&mut builder, sizes(words), 1);
    let mut trainer = Trainer::new(builder.build(1).unwrap(), Adam::new(0.02));
    let graph = |tree| f.graph(trainer.model(), tree, |word| words.id(word)).0;
    let graphs: Vec<Graph> = trees().iter().map(graph).collect();
    for _ in 0..steps {
        trainer.step_graphs(&graphs).unwrap();
    }
    trainer.model().parameters().clone()
}

fn tracer<'a>(words: &'a Vocabulary, epochs: &[usize]) -> Tracer<'a> {
    let epochs = epochs.iter().map(|steps| trained(words, *steps)).collect();
    Tracer::new(&cli(&[]).options, sizes(words), words, epochs).unwrap()
}

/// A small step along the gradient of a training sentence changes the loss of a prediction as its
/// influence says.
#[test]
fn influences_are_what_steps_do() {
    let words = words();
    let test: Tree = "(4 (2 a) (4 fine))".parse().unwrap();
    let influences = tracer(&words, &[30]).trace(&trees(), &[&test]).unwrap();
    let mut builder = ModelBuilder::new();
    let f = Functions::<cells::binary_tree::PlainTreeLstm>::new(&mut builder, sizes(&words), 1);
    let mut model: Model = builder.build(1).unwrap();
    *model.parameters_mut() = trained(&words, 30);
    let id = |word: &str| words.id(word);
    let loss = |model: &Model| {
        let batch = model.minibatch([&f.graph_of_root(model, &test, id).0]).unwrap();
        Engine::new().infer(model, &batch).unwrap().loss().unwrap()
    };
    for (tree, influence) in trees().iter().zip(&influences[0]) {
        let moved = |model: &Model, rate: f64| {
            let own = model.minibatch([&f.graph(model, tree, id).0]).unwrap();
            let mut engine = Engine::new();
            let gradient = engine.forward(model, &own, 0).unwrap().backward().unwrap();
            let mut moved = model.parameters().clone();
            for (id, parameter) in moved.iter_mut() {
                let values = parameter.values_mut().unwrap();
                let slopes = gradient.to_dense(id);
                values.iter_mut().zip(&slopes).for_each(|(x, slope)| *x -= rate as f32 * slope);
            }
            moved
        };
        let rate = 2e-3;
        let ends = [-rate, rate].map(|rate| moved(&model, rate));
        let start = model.parameters().clone();
        let [back, forth] = ends.map(|parameters| {
            *model.parameters_mut() = parameters;
            loss(&model)
        });
        *model.parameters_mut() = start;
        let fell = (back - forth) / (2.0 * rate);
        let Influence { product, cosine } = *influence;
        assert!((fell - product).abs() < 0.02 * product.abs() + 1e-3, "{fell} {product}");
        assert!(cosine.abs() <= 1.0 && cosine * product > 0.0);
    }
}

#[test]
fn epochs_are_averaged() {
    let words = words();
    let test = trees();
    let test = [&test[2]];
    let of =
        |epochs: &[usize]| tracer(&words, epochs).trace(&trees(), &test).unwrap()[0][0].product;
    let [first, second, both] = [of(&[5]), of(&[20]), of(&[5, 20])];
    assert!((both - 0.5 * (first + second)).abs() < 1e-6 * both.abs());
    assert_ne!(first, second);
}

#[test]
fn both_orders_begin_with_what_helped() {
    let of = |product, cosine| Influence { product, cosine };
    let influences = [of(1.0, 0.9), of(-2.0, -0.1), of(3.0, 0.2)];
    assert_eq!(ordered(&influences, false), [2, 0, 1]);
    assert_eq!(ordered(&influences, true), [0, 2, 1]);
}

#[test]
fn test_sentences_are_chosen() {
    let words = words();
    let mut tracer = tracer(&words, &[150]);
    let labels = tracer.labels(&trees()).unwrap();
    assert_eq!(labels, [4, 2, 0, 4]);
    let other: Tree = "(0 (4 fine) (2 film))".parse().unwrap();
    let test = [trees(), vec![other]].concat();
    let of = |tracer: &mut Tracer<'_>, more: &[&str]| chosen(&cli(more), tracer, &test);
    assert_eq!(of(&mut tracer, &[]).unwrap(), [(4, 4)]);
    assert_eq!(of(&mut tracer, &["--sentence", "2,1"]).unwrap(), [(1, 2), (0, 4)]);
    let refused = of(&mut tracer, &["--sentence", "6"]).err().map(|error| error.to_string());
    let expected = "--sentence 6: the test split has sentences 1 to 5";
    assert_eq!(refused.as_deref(), Some(expected));
}
