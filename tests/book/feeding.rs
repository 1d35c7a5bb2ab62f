//! The code of the chapter on gradients: functions that feed others, and gradients that come from outside.

use super::*;

#[test]
fn a_push_feeds_a_pull() -> Outcome {
    // ANCHOR: feed_model
    let mut builder = ModelBuilder::new();
    let letter = builder.add::<letter>(dims! { A: 26, L: 5 });
    let spell = builder.add::<spell>(dims! { L: 5, X: 3 });
    let read = builder.add::<read>(dims! { X: 3, H: 6 });
    let judge = builder.add::<judge>(dims! { C: 2, H: 6 });
    let model = builder.build_as::<f64>(1)?;
    // ANCHOR_END: feed_model

    // ANCHOR: feed
    let mut g = model.graph();
    let mut memory = None;
    for word in ["dynamic", "nets"] {
        let mut letters = None;
        for byte in word.bytes() {
            let input = Letter { id: (byte - b'a').into() };
            letters = Some(g.add(&letter, [letters], input));
        }
        let last = letters.expect("a word has letters");
        let word = g.add(&spell, [last], ());
        let x = g.output(&spell, word).x;
        memory = Some(g.add(&read, [memory], Word { x }));
    }
    let memory = memory.expect("a sentence has words");
    g.add(&judge, [memory], Gold { label: 1_u32.into() });
    // ANCHOR_END: feed
    let batch = model.minibatch([&g])?;
    edb::testing::compiled_equals_eager(&model, &batch, &Default::default())?;
    let mut model = model;
    edb::testing::gradient_check(&mut model, &batch, 30, 1e-5, 1e-6)?;
    Ok(())
}

#[test]
fn gradients_go_through_edb() -> Outcome {
    let mut builder = ModelBuilder::new();
    let reader = Reader::<f64> {
        read: builder.add::<read>(dims! { X: 3, H: 6 }),
        attend: builder.add::<attend>(dims! { H: 6 }),
        judge: builder.add::<judge>(dims! { C: 2, H: 6 }),
        model: builder.build_as(1)?,
    };
    let model = &reader.model;
    // ANCHOR: seeds
    let mut g = model.graph();
    let features = [0.3, -0.1, 0.2]; // what a network before edb has computed
    let x = g.tensor(&features);
    let word = g.add(&reader.read, [None], Word { x });
    let verdict = g.add(&reader.judge, [word], Gold { label: 0_u32.into() });
    let batch = model.minibatch([&g])?;

    let mut engine = Engine::new();
    let mut run = engine.forward(model, &batch, 0)?;
    let logits = run.output(&reader.judge, verdict)?.logits.to_owned();
    // A network after edb takes the logits and returns the gradient of its loss.
    let gradient = logits.mapv(|logit| 2.0 * logit);

    let mut seeds = edb::engine::Seeds::new();
    let gradient = gradient.as_slice().expect("an owned array is contiguous");
    seeds.push(&reader.judge, verdict, "logits", gradient);
    let of_parameters = run.backward_with(&seeds)?;
    let of_features = run.input_gradient(&reader.read, word)?.x;
    // ANCHOR_END: seeds
    assert_eq!(of_features.shape(), [3]);
    assert!(of_parameters.norm() > 0.0);

    // Finite differences of the loss plus the sum of squares that the other network computes.
    let of_features = of_features.to_owned();
    let objective = |features: &[f64; 3]| -> Result<f64, Box<dyn Error>> {
        let mut g = model.graph();
        let x = g.tensor(features);
        let word = g.add(&reader.read, [None], Word { x });
        let verdict = g.add(&reader.judge, [word], Gold { label: 0_u32.into() });
        let batch = model.minibatch([&g])?;
        let mut engine = Engine::new();
        let run = engine.infer(model, &batch)?;
        let logits = run.output(&reader.judge, verdict)?.logits;
        Ok(run.loss()? + logits.iter().map(|logit| logit * logit).sum::<f64>())
    };
    for element in 0..3 {
        let mut moved = [features; 2];
        moved[0][element] += 1e-5;
        moved[1][element] -= 1e-5;
        let difference = (objective(&moved[0])? - objective(&moved[1])?) / 2e-5;
        assert!(
            (of_features[element] - difference).abs() < 1e-8,
            "{} {difference}",
            of_features[element]
        );
    }
    Ok(())
}
