//! Parameters that no loss reaches: in which steps they are refused, and which they are.

mod named;

use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use edb::collective::Alone;
use edb::engine::Seeds;
use edb::learn::Group;
use edb::prelude::*;
use edb::trainer::{Private, TrainError};

use edb_backend_suite::ports::Word;
use edb_backend_suite::ranks::on_ranks;
use tracing::field::Field;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

#[derive(State)]
struct Node {
    h: Tensor,
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
            trainer = trainer.distributed(Alone, 1);
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
    for step in first_steps(&|| trainer(false)) {
        let error = step.unwrap_err();
        assert!(
            matches!(&error, TrainError::Unreached { parameters } if parameters == "answer.table"),
            "{error}"
        );
    }
    let allowed: [&dyn Fn() -> (Trainer, Function<learn>); 3] = [
        &|| {
            let (trainer, learn) = trainer(false);
            (trainer.allow_unreached(), learn)
        },
        &|| trainer(true),
        &|| {
            let (trainer, learn) = trainer(false);
            (trainer.groups([Group::function("answer").frozen(true)]), learn)
        },
    ];
    for make in allowed {
        first_steps(make).into_iter().for_each(|step| step.unwrap());
    }
}

/// The texts of the warnings on this thread.
#[derive(Clone, Default)]
pub(crate) struct Warnings(Arc<Mutex<Vec<String>>>);

impl Warnings {
    /// What has been told so far, by the fields of events.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

impl Subscriber for Warnings {
    fn enabled(&self, about: &Metadata<'_>) -> bool {
        *about.level() == Level::WARN
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut |_: &Field, value: &dyn Debug| {
            self.0.lock().unwrap().push(format!("{value:?}"));
        });
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// A label that may be missing.
#[vertex_function]
fn judge(#[param(V, H)] table: Tensor) {
    let gold: Option<Word> = pull();
    if let Some(Word { id }) = gold {
        loss(table.row(id).square().sum());
    }
}

/// It goes on with what it has computed, and then has a loss, or none.
#[vertex_function]
fn go_on(#[param(V, H)] table: Tensor) {
    let Word { id } = pull();
    let mut x = table.row(id).sum();
    while x < 0.0 {
        x += 1.0;
    }
    loss(x * 0.0);
}

#[test]
fn a_first_step_without_any_label_is_refused() {
    let mut builder = ModelBuilder::new();
    let setup = || dims! { V: 3, H: 2 };
    let judge = builder.add::<judge>(setup().init("table", Initializer::Constant(1.0)));
    let go_on = builder.add::<go_on>(setup().init("table", Initializer::Constant(0.5)));
    let model: Model = builder.build(1).unwrap();
    let graph = |gold: Option<u32>| {
        let mut g = model.graph();
        g.add(&judge, (), gold.map(|id| Word { id: Index(id) }));
        g
    };
    let (told, untold) = (graph(Some(1)), graph(None));
    let mut zero = model.graph();
    zero.add(&go_on, (), Word { id: Index(1) });
    let trainer = || Trainer::new(model.clone(), Sgd::new(0.1));
    for shares in [0, 1, 2] {
        let trainer = || match shares {
            0 => trainer(),
            shares => trainer().distributed(Alone, shares),
        };
        let mut trained = trainer();
        for _ in 0..2 {
            let error = trained.step_graphs([&untold, &untold]).unwrap_err();
            assert!(matches!(error, TrainError::NoLabels { step: 0 }), "{error}");
        }
        assert_eq!(trained.model().parameters(), model.parameters());
        // A step with labels that fails does not stand for one without.
        let mut broken = zero.clone();
        broken.add(&judge, (), Some(Word { id: Index(1) }));
        let id = trained.model().parameters().find("judge.table").unwrap();
        let values = trained.model().parameters().get(id).values().unwrap().to_vec();
        let set = |trained: &mut Trainer, values: &[f32]| {
            trained.model_mut().parameters_mut().get_mut(id).set_values(values).unwrap();
        };
        set(&mut trained, &[f32::NAN; 6]);
        trained.step_graphs([&broken]).unwrap_err();
        set(&mut trained, &values);
        let error = trained.step_graphs([&untold]).unwrap_err();
        assert!(matches!(error, TrainError::NoLabels { step: 0 }), "{error}");
        // A loss that is 0 is one, and later steps may have none.
        assert_eq!(trained.step_graphs([&untold, &zero]).unwrap().loss, 0.0);
        assert_eq!(trained.step_graphs([&untold]).unwrap().loss, 0.0);
        assert!(trained.step_graphs([&told]).unwrap().loss > 0.0);
        assert_eq!(trained.steps(), 3);
        let mut allowed = trainer().allow_unreached();
        assert_eq!(allowed.step_graphs([&untold]).unwrap().loss, 0.0);
        // What a private step says tells nothing about labels.
        if shares < 2 {
            let mut private = trainer().private(Private::new(1000, 10).unwrap());
            assert_eq!(private.step_graphs([&untold]).unwrap().loss, 0.0);
        }
    }
    // Of two ranks, one has a label, or none.
    for has_label in [true, false] {
        let steps = on_ranks(2, |rank| {
            let mut trainer = trainer().distributed(rank, 2);
            let graphs = [&untold, if has_label { &told } else { &untold }];
            trainer.step_shared(2, |_, at| graphs[at].clone()).map(|step| step.loss > 0.0)
        });
        for step in steps {
            match step {
                Ok(step) => assert!(step && has_label),
                Err(error) => {
                    assert!(matches!(error, TrainError::NoLabels { step: 0 }) && !has_label);
                }
            }
        }
    }
}
