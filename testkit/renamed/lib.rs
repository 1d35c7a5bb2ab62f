//! A crate that knows edb as `net`, and re-exports it as `toolkit::edb`.
//!
//! There is no `::edb` here, so all that compiles has gone by the path that the macros were given.
//! The tests of edb use the helper, the state and the macro from outside.
#![deny(missing_docs, unreachable_pub, unused_qualifications, unused_imports, clippy::all)]
#![forbid(unsafe_code)]

use net::prelude::*;

// ANCHOR: word
/// A word of a vocabulary.
#[derive(Input)]
#[edb(crate = net)]
pub struct Word {
    /// Which word it is.
    pub id: Index,
}

/// Reads a word.
#[vertex_function(crate = net)]
pub fn leaf(#[param(V, H)] table: Tensor) {
    let Word { id } = pull();
    scatter(Memory { h: table.row(id) });
}
// ANCHOR_END: word

/// What a user's own crate of tools may look like.
pub mod toolkit {
    pub use net as edb;
}

/// What a vertex tells its parents, by a path through a module.
#[derive(Clone, Copy, State)]
#[edb(crate = crate::toolkit::edb)]
pub struct Memory {
    /// The memory.
    pub h: Tensor,
}

/// What is told to the outside.
#[derive(Output)]
#[edb(crate = ::net)]
pub struct Scores {
    /// A score for each class.
    pub logits: Tensor,
}

mod inner {
    use net::prelude::{Dim, Tensor, vertex_helper};

    /// Its path begins where it stands. Zeros are named by that path, too.
    #[vertex_helper(crate = super::toolkit::edb)]
    pub(super) fn widened(x: Tensor, h: Dim) -> Tensor {
        x + super::toolkit::edb::prelude::zeros(h)
    }
}

/// A product with a bias; it calls a helper that has edb by another path.
#[vertex_helper(crate = net)]
pub fn affine(w: Tensor, x: Tensor, b: Tensor, h: Dim) -> Tensor {
    inner::widened(w.dot(x) + b, h)
}

/// Any number of words.
#[vertex_function(crate = crate::toolkit::edb)]
pub fn phrase(#[dim(H)] h: Dim, #[param(H, H)] w: Tensor, #[param(H)] b: Tensor) {
    let mut sum = zeros(h);
    for child in gather_all::<Memory>() {
        sum += affine(w, child.h, b, h).tanh();
    }
    scatter(Memory { h: sum });
}

/// What is said of a phrase.
#[vertex_function(crate = ::net)]
pub fn verdict(#[dim(C)] c: Dim, #[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let phrase: Memory = gather(0);
    let Word { id } = pull();
    let logits = affine(w, phrase.h, b, c);
    push(Scores { logits });
    loss(cross_entropy(logits, id));
}

/// All functions of a model.
#[derive(Functions)]
#[edb(crate = crate::toolkit::edb)]
pub struct Verdicts {
    /// Reads a word.
    pub leaf: Function<leaf>,
    /// Any number of words.
    pub phrase: Function<phrase>,
    /// What is said of a phrase.
    pub verdict: Function<verdict>,
}

/// Writes a vertex function `$name` that passes a [`Memory`] on, where edb need not be known.
#[macro_export]
macro_rules! pass_on {
    ($name:ident) => {
        #[$crate::toolkit::edb::vertex_function(crate = $crate::toolkit::edb)]
        fn $name() {
            let before = $crate::toolkit::edb::prelude::gather::<$crate::Memory>(0);
            $crate::toolkit::edb::prelude::scatter($crate::Memory { h: before.h });
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::pass_on!(hand_on);

    /// Two words under a phrase, one step of training.
    #[test]
    fn a_crate_that_renames_edb_trains() -> Result<(), Box<dyn std::error::Error>> {
        let mut builder = ModelBuilder::new();
        let Verdicts { leaf, phrase, verdict } = builder.add_all(dims! { V: 3, H: 4, C: 2 });
        let hand_on = builder.add::<hand_on>(dims! {});
        let model: Model = builder.build(1)?;

        let mut g = model.graph();
        let words = [0, 2].map(|id| g.add(&leaf, (), Word { id: Index(id) }));
        let phrase_vertex = g.add(&phrase, &words, ());
        let phrase_vertex = g.add(&hand_on, [phrase_vertex], ());
        let said = g.add(&verdict, [phrase_vertex], Word { id: Index(1) });
        let batch = model.minibatch([&g])?;

        let mut trainer = Trainer::new(model, Sgd::new(0.1));
        let before = trainer.step(&batch)?.loss;
        let mut engine = Engine::new();
        let run = engine.infer(trainer.model(), &batch)?;
        assert!(run.loss()? < before, "the step goes downhill");
        assert_eq!(run.output(&verdict, said)?.logits.shape(), [2]);
        Ok(())
    }
}
