//! Parameters that no loss reaches: in which steps they are refused, and which they are.

mod named;

use edb::collective::Alone;
use edb::engine::Seeds;
use edb::learn::Group;
use edb::prelude::*;
use edb::trainer::TrainError;

#[derive(State)]
struct Node {
    h: Tensor,
}

#[derive(Input)]
struct Word {
    id: Index,
}

#[vertex_function]
fn learn(#[param(V, H)] table: Tensor) {
    let Word { id } = pull();
    loss(table.row(id).square().sum());
}

/// Nobody gathers its state.
#[vertex_function]
fn answer(#[param(V, H)] table: Tensor) {
    let Word { id } = pull();
    scatter(Node { h: table.row(id) });
}

fn trainer(shares: bool) -> (Trainer, Function<learn>) {
    let mut builder = ModelBuilder::new();
    let learn = builder.add::<learn>(dims! { V: 3, H: 2 });
    let setup = dims! { V: 3, H: 2 };
    builder.add::<answer>(match shares {
        true => setup.share("table", learn.param("table")),
        false => setup,
    });
    let model: Model = builder.build(1).unwrap();
    (Trainer::new(model, Sgd::new(0.1)), learn)
}

fn graph(model: &Model, learn: &Function<learn>) -> Graph {
    let mut g = model.graph();
    g.add(learn, (), Word { id: Index(1) });
    g
}

/// Every way to take a step.
fn first_steps(make: &dyn Fn() -> (Trainer, Function<learn>)) -> Vec<Result<(), TrainError>> {
    let mut all = Vec::new();
    for way in 0..5 {
        let (mut trainer, learn) = make();
        let of = |model: &Model, _: usize| graph(model, &learn);
        let own = graph(trainer.model(), &learn);
        all.push(match way {
            0 => trainer.step_graphs([&own]).map(drop),
            1 => trainer.step_shared(1, of).map(drop),
            2 => trainer.grow_each(&mut [(own, ())], |_, ()| ()).map(drop),
            3 => trainer.grow([own]).and_then(|mut growing| growing.step()).map(drop),
            _ => trainer.grow_each_shared(1, |model, at| (of(model, at), ()), |_, ()| ()).map(drop),
        });
    }
    for way in 0..4 {
        let (mut trainer, learn) = make();
        if way > 0 {
            trainer = trainer.together(Alone, 1);
        }
        let of = |model: &Model, _: usize| graph(model, &learn);
        all.push(match way {
            0 | 1 => trainer.grow_shared(1, of, |_, _| Ok(Seeds::new())).map(drop),
            2 => trainer.step_shared(1, of).map(drop),
            _ => trainer.grow_each_shared(1, |model, at| (of(model, at), ()), |_, ()| ()).map(drop),
        });
    }
    all
}

#[test]
fn parameters_that_no_loss_reaches_are_refused() {
    for step in first_steps(&|| {
        let (trainer, learn) = trainer(false);
        (trainer.refuse_unreached(), learn)
    }) {
        let error = step.unwrap_err();
        assert!(
            matches!(&error, TrainError::Unreached { parameters } if parameters == "answer.table"),
            "{error}"
        );
    }
    let allowed: [&dyn Fn() -> (Trainer, Function<learn>); 3] = [
        &|| trainer(false),
        &|| {
            let (trainer, learn) = trainer(true);
            (trainer.refuse_unreached(), learn)
        },
        &|| {
            let (trainer, learn) = trainer(false);
            let frozen = [Group::function("answer").frozen(true)];
            (trainer.groups(frozen).refuse_unreached(), learn)
        },
    ];
    for make in allowed {
        first_steps(make).into_iter().for_each(|step| step.unwrap());
    }
}
