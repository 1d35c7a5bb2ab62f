//! If a rank panics, it tells the other ranks, and no rank goes on.
//!
//! It is not known what a rank has left undone when it panics. If the panic is caught and the rank goes on, the other
//! ranks would take its next call for the call in which it panicked. So this rank counts as broken from then on. The
//! other ranks are told, so that they do not wait for it, and count as broken too.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::trainer::Trainer;
use edb_kernels::element::Element;
use edb_kernels::random::ContentHash;
use edb_learn::collective::{Collective, CollectiveError, Exchange, Kind, Tree, to_bytes};

impl<T: Element> Trainer<T> {
    /// Calls `work`, which ranks do together. If it panics, tells the other ranks, and then lets the panic go on.
    pub(super) fn unless_it_panics<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        self.ranks().early = 0;
        // Nothing that a panic leaves incomplete is used, since the ranks are broken then.
        match catch_unwind(AssertUnwindSafe(|| work(self))) {
            Ok(result) => result,
            Err(panic) => {
                self.tell_of_panic(&*panic);
                resume_unwind(panic)
            }
        }
    }

    fn tell_of_panic(&mut self, panic: &(dyn Any + Send)) {
        let world = self.world();
        // One process alone has nobody to tell, and can go on.
        if world.ranks() == 1 {
            return;
        }
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        let reason = text.unwrap_or_else(|| "it does not say why".to_owned());
        let together = self.ranks();
        let exchange = Exchange { world: &*world, tree: Tree { shares: together.shares } };
        // A rank that cannot be told has ended, so errors do not matter.
        let _ = exchange.send_nothing(together.early);
        let rank = world.rank();
        for to in (0..world.ranks()).filter(|to| *to != rank) {
            let _ = world.send(to, to_bytes(Kind::Panic, &reason));
        }
        let _ = world.progress();
        together.broken = Some(CollectiveError::Panicked { rank, reason });
    }

    /// How many messages the other ranks receive from this rank in a step before they read its status.
    pub(super) fn early_of_step(&mut self) -> usize {
        let world = self.world();
        if self.on_device() {
            return 0;
        }
        let tree = Tree { shares: self.ranks().shares };
        Exchange { world: &*world, tree }.spans(world.rank()).len().saturating_sub(1)
    }

    /// A number that changes whenever the model, its parameters or the state of the optimiser may have changed.
    pub(in crate::trainer) fn versions(&self) -> u64 {
        let mut hash = ContentHash::default();
        hash.add(self.model.bound().id);
        for (_, parameter) in self.model.parameters().iter() {
            hash.add(parameter.version());
        }
        self.optimizer.state().versions().for_each(|version| hash.add(version));
        hash.finish()
    }
}
