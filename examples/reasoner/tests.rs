use super::*;
use edb::graph::VertexRecord;
use edb::model::Bundle;
use support::folder::Folder;
use support::learns::{Sample, answer, learns};

struct Three;

impl Sample for Three {
    fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let puzzles: Vec<Sudoku> = (0..3).map(|_| Sudoku::draw(4, 6, &mut rng)).collect();
        let mut builder = ModelBuilder::new();
        let f = Reasoner::new(&mut builder, 4, 8);
        let model = builder.build_as(seed).unwrap();
        let mut graphs: Vec<_> = puzzles.iter().map(|puzzle| lesson(&f, &model, puzzle)).collect();
        graphs.push(question(&f, &model, &puzzles[0]).0);
        (model, graphs)
    }
}

#[test]
fn it_learns() {
    learns(&Three);
}

/// A puzzle takes the steps that it takes alone, and no others are computed.
#[test]
fn puzzles_stop_by_themselves() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let puzzles: Vec<Sudoku> =
        (0..12).map(|number| Sudoku::draw(4, 2 + number / 2, &mut rng)).collect();
    let mut builder = ModelBuilder::new();
    let f = Reasoner::new(&mut builder, 4, 16);
    let model: Model = builder.build(1).unwrap();
    let mut trainer = Trainer::new(model, Adam::new(5e-3)).clip_norm(1.0);
    for _ in 0..150 {
        let graphs: Vec<Graph> =
            puzzles.iter().map(|puzzle| lesson(&f, trainer.model(), puzzle)).collect();
        trainer.step_graphs(&graphs).unwrap();
    }
    let (together, _) = solved(&f, &mut trainer, &puzzles, 12).unwrap();
    let (alone, _) = solved(&f, &mut trainer, &puzzles, 1).unwrap();
    assert_eq!(together, alone);
    let graphs: Vec<Graph> =
        puzzles.iter().map(|puzzle| question(&f, trainer.model(), puzzle).0).collect();
    let batch = trainer.model().minibatch(&graphs).unwrap();
    let run = trainer.infer(&batch).unwrap();
    for (graph, found) in together.iter().enumerate() {
        assert_eq!(run.sections_at(graph, 0).unwrap(), found.steps + 2);
    }
}

#[test]
fn graphs_are_made_from_what_a_saved_model_says() {
    let mut builder = ModelBuilder::new();
    let f = Reasoner::new(&mut builder, 4, 16);
    let model: Model = builder.build(1).unwrap();
    let folder = Folder::new().unwrap();
    let path = folder.path().join("reasoner.edb");
    save(&model, 4, &path).unwrap();
    let bundle = Bundle::<f32>::open(&path).unwrap();
    assert!(bundle.notes.get::<String>("reads").unwrap().starts_with("cells row by row; "));
    let side: usize = bundle.notes.get("side").unwrap();
    let puzzle = Sudoku::draw(4, 6, &mut ChaCha8Rng::seed_from_u64(4));
    let mut given = vec![0.0; puzzle.given.len() * (side + 1)];
    for (cell, digit) in puzzle.given.iter().enumerate() {
        given[cell * (side + 1) + usize::from(*digit)] = 1.0;
    }
    let mut g = bundle.model.graph();
    let record = VertexRecord::new("solve").with("given", given);
    bundle.model.add_record(&mut g, &record).unwrap();
    let own = question(&f, &model, &puzzle).0;
    assert_eq!(answer(&bundle.model, &g), answer(&model, &own));
}
