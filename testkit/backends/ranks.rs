//! Training by several ranks, which are threads: a model with all kinds of gradients, and a check that
//! the bits do not depend on how many ranks there are.

use std::thread;

use edb::collective::{Alone, Local};
use edb::prelude::*;
use edb::trainer::Step;

pub use crate::ports::{Memory, Word};

/// Reads a word, and thinks as long as it takes: rows of a table, dropout, a loop.
#[vertex_function]
pub fn read(
    #[param(V, H)] table: Tensor,
    #[param(H, H)] w: Tensor,
    #[param(H)] halt: Tensor,
    #[dim(H)] size: Dim,
) {
    let Word { id } = pull();
    let before = gather_or(0, Memory { h: zeros(size) });
    let mut h = (w.dot(before.h) + table.row(id)).tanh().dropout(0.2);
    let mut left = scalar(1.0);
    while left > 0.1 {
        h = (w.dot(h) + table.row(id)).tanh();
        left -= halt.dot(h).sigmoid() * 0.5 + 0.2;
    }
    scatter(Memory { h });
}

/// Says the loss of a word; its matrix is the table of `read`, so that the gradient of the table is
/// dense in some minibatches and rows in others.
#[vertex_function]
pub fn judge(#[param(V, H)] table: Tensor, #[param(V)] b: Tensor) {
    let Word { id } = pull();
    let Memory { h } = gather(0);
    loss(cross_entropy(table.dot(h) + b, id));
}

/// Ends a chain without a look at the table.
#[vertex_function]
pub fn rest() {
    let Memory { h } = gather(0);
    loss(h.square().sum());
}

/// Says a word: a draw of its own, and the loss of how likely it was.
#[vertex_function]
pub fn say(#[param(V, H)] v: Tensor, #[param(V)] b: Tensor) {
    let Memory { h } = gather(0);
    let scores = (v.dot(h) + b).log_softmax();
    let word = scores.sample();
    push(Said { word, log_p: scores.pick(word) });
}

#[derive(Output)]
pub struct Said {
    pub word: Index,
    pub log_p: Tensor,
}

pub const WORDS: usize = 9;

pub struct Reader {
    pub read: Function<read>,
    pub judge: Function<judge>,
    pub rest: Function<rest>,
    pub say: Function<say>,
}

impl Reader {
    pub fn model(seed: u64) -> (Self, Model) {
        let mut builder = ModelBuilder::new();
        let read = builder.add::<read>(dims! { V: WORDS, H: 6 });
        let judge =
            builder.add::<judge>(dims! { V: WORDS, H: 6 }.share("table", read.param("table")));
        let rest = builder.add::<rest>(dims! {});
        let say = builder.add::<say>(dims! { V: WORDS, H: 6 });
        (Self { read, judge, rest, say }, builder.build(seed).unwrap())
    }

    /// A chain that depends on its number.
    pub fn graph(&self, model: &Model, number: usize) -> Graph {
        let mut g = model.graph();
        let mut last = None;
        for place in 0..1 + number % 4 {
            let id = Index(((5 * number + 3 * place) % WORDS) as u32);
            last = Some(g.add(&self.read, [last], Word { id }));
        }
        // Some shares have no gradient of the bias, and only rows of the table.
        if number % 8 < 5 {
            g.add(&self.judge, [last.unwrap()], Word { id: Index((number % WORDS) as u32) });
        } else {
            g.add(&self.rest, [last.unwrap()], ());
        }
        g
    }
}

/// Calls `work` on so many ranks, and returns the results in their order.
pub fn on_ranks<R: Send>(count: usize, work: impl Fn(Local) -> R + Sync) -> Vec<R> {
    thread::scope(|scope| {
        let work = &work;
        let ranks = Local::ranks(count).into_iter();
        let threads: Vec<_> = ranks.map(|rank| scope.spawn(move || work(rank))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// The bits of all parameters, and of their averages.
pub fn bits(trainer: &mut Trainer) -> Vec<u32> {
    let of = |model: &Model| -> Vec<u32> {
        let values = model.parameters().iter().map(|(_, parameter)| parameter.values().unwrap());
        values.flatten().map(|value| value.to_bits()).collect()
    };
    let mut all = of(trainer.model());
    if trainer.swap_averages().unwrap() {
        all.extend(of(trainer.model()));
        trainer.swap_averages().unwrap();
    }
    all
}

/// What training has come to: the steps, and all bits.
pub type Outcome = (Vec<Step>, Vec<u32>);

/// Trains, alone with so many shares, and on each of these numbers of ranks; checks that all ranks
/// come to the same.
pub fn same_on<G>(
    shares: usize,
    ranks: &[usize],
    minibatches: &[usize],
    build: impl Fn() -> (Trainer, G) + Sync,
    graph: impl Fn(&G, &Model, usize) -> Graph + Sync,
) -> Outcome {
    let train = |(mut trainer, g): (Trainer, G)| -> Outcome {
        let mut first = 0;
        let mut steps = Vec::new();
        for count in minibatches {
            let made = |model: &Model, at: usize| graph(&g, model, first + at);
            steps.push(trainer.step_shared(*count, made).unwrap());
            first += count;
        }
        let bits = bits(&mut trainer);
        (steps, bits)
    };
    let with = |(trainer, g): (Trainer, G), world: Option<Local>| match world {
        None => (trainer.distributed(Alone, shares), g),
        Some(rank) => (trainer.distributed(rank, shares), g),
    };
    let expected = train(with(build(), None));
    for count in ranks {
        for (rank, found) in
            on_ranks(*count, |rank| train(with(build(), Some(rank)))).into_iter().enumerate()
        {
            assert!(found == expected, "{shares} shares, rank {rank} of {count}");
        }
    }
    expected
}
