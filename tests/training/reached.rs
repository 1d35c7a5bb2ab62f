//! Parameters that no loss reaches: in which steps they are refused, and which they are.

mod named;

use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use edb::collective::Alone;
use edb::engine::Seeds;
use edb::learn::Group;
use edb::prelude::*;
use edb::trainer::TrainError;

use edb_backend_suite::ports::Word;
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
fn a_step_without_any_label_is_told_of_once() {
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
    let mut trainer = Trainer::new(model, Sgd::new(0.1));
    let warnings = Warnings::default();
    let count = || {
        let all = warnings.0.lock().unwrap();
        all.iter().filter(|text| text.contains("are labels missing?")).count()
    };
    tracing::subscriber::with_default(warnings.clone(), || {
        assert!(trainer.step_graphs([&told]).unwrap().loss > 0.0);
        assert!(trainer.step_graphs([&told, &untold]).unwrap().loss > 0.0);
        assert_eq!(trainer.step_graphs([&zero]).unwrap().loss, 0.0);
        assert_eq!(count(), 0);
        assert_eq!(trainer.step_graphs([&untold, &untold]).unwrap().loss, 0.0);
        assert_eq!(count(), 1);
        assert_eq!(trainer.step_graphs([&untold]).unwrap().loss, 0.0);
        assert_eq!(count(), 1);
    });
}
