use cells::generator::Tree;
use edb::engine::GrowingGraph;

use super::*;

fn trees() -> Vec<Derivation> {
    let lines = [
        "(S (PRP it) (VBZ works))",
        "(S (NP (DT the) (NN dog)) (VBZ barks))",
        "(S (PRP it) (VP (VBZ sees) (NP (DT the) (NN dog))))",
    ];
    lines.iter().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn it_learns() {
    let trees = trees();
    let mut builder = ModelBuilder::new();
    let f = Generator::new(&mut builder, &trees, 16);
    let mut trainer = Trainer::new(builder.build(1).unwrap(), Adam::new(0.02)).clip_norm(5.0);
    let before = measure(&f, &mut trainer, &trees).unwrap();
    assert!(before[0].1 < 1.0, "{before:?}");
    for _ in 0..60 {
        step(&f, &mut trainer, &trees.iter().collect::<Vec<_>>()).unwrap();
    }
    let after = measure(&f, &mut trainer, &trees).unwrap();
    assert_eq!(after, [("exact", 1.0), ("f1", 1.0)]);
}

/// What is taught is what the eager functions compute.
#[test]
fn a_taught_tree_is_the_gold_tree() {
    let trees = trees();
    let mut builder = ModelBuilder::new();
    let f = Generator::new(&mut builder, &trees, 5);
    let model: Model<f64> = builder.build_as(1).unwrap();
    let begin = |tree: &Derivation| f.begin(&model, &tree.words);
    let mut grown: Vec<_> = trees.iter().map(begin).collect();
    let grow = |g: &mut GrowingGraph<'_, f64>, tree: &mut Tree| {
        let gold = &trees[g.place()].symbols;
        f.turn(g, tree, Some(gold));
    };
    Engine::new().grow_each(&model, &mut grown, grow).unwrap();
    for ((_, tree), gold) in grown.iter().zip(&trees) {
        assert_eq!(spans(&tree.symbols), spans(&gold.symbols));
    }
    let batch = model.minibatch(grown.iter().map(|(graph, _)| graph)).unwrap();
    edb::testing::compiled_equals_eager(&model, &batch, &Default::default()).unwrap();
}

#[test]
fn a_tree_that_does_not_end_is_cut_off() {
    let trees: Vec<Derivation> = vec!["(X (X (X a)))".parse().unwrap()];
    let mut builder = ModelBuilder::new();
    let mut f = Generator::new(&mut builder, &trees, 4);
    let model: Model = builder.build(1).unwrap();
    // The phrase whose part is a phrase is all that there is.
    f.productions[0] = vec![("X".to_owned(), vec![false]); 2];
    let grown = generate(&f, &mut Trainer::new(model, Sgd::new(0.1)), &trees).unwrap();
    assert_eq!(grown[0].len(), 16);
}

#[test]
fn phrases_are_counted_as_often_as_they_are_there() {
    let f1 = |said: &str, gold: &str| {
        let [said, gold] = [said, gold].map(|line| line.parse::<Derivation>().unwrap().symbols);
        brackets(&spans(&said), &spans(&gold))
    };
    let same = f1("(S (S (A a)) (@S (B b) (C c)))", "(S (S (A a)) (@S (B b) (C c)))");
    assert_eq!(same, F1 { hits: 2, predicted: 2, targets: 2 });
    // The same label over the same words, but only once.
    let twice = f1("(S (X (X (A a))) (B b))", "(S (X (A a)) (B b))");
    assert_eq!(twice, F1 { hits: 2, predicted: 3, targets: 2 });
    let other = f1("(S (X (A a) (B b)) (C c))", "(S (A a) (X (B b) (C c)))");
    assert_eq!(other, F1 { hits: 1, predicted: 2, targets: 2 });
}
