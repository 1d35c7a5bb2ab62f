//! Prefetching: the next item is made while the current one is used.

use std::sync::mpsc::sync_channel;
use std::thread;

/// Prefetches: calls `make` with each item on another thread, and `using` with the results on this
/// one, so that the next is made while one is used. At most `ready` results wait, at least 1. They
/// are used in the order of the items, so that the outcome does not depend on threads.
///
/// Graphs are built with the model's [blueprint](crate::model::Blueprint), since the model itself
/// is changed by training meanwhile.
///
/// ```no_run
/// # use edb_core::{feed::{ahead, Loader}, graph::Graph, model::Blueprint, trainer::{TrainError, Trainer}};
/// # fn graph(blueprint: &Blueprint, sentence: &str) -> Graph { blueprint.graph() }
/// # fn train(mut trainer: Trainer, sentences: Vec<String>) -> Result<(), TrainError> {
/// let blueprint = trainer.model().blueprint();
/// let mut loader = Loader::new(sentences.len(), 32, 42);
/// let build = |samples: Vec<usize>| {
///     let graphs: Vec<Graph> =
///         samples.iter().map(|sample| graph(&blueprint, &sentences[*sample])).collect();
///     blueprint.minibatch(&graphs)
/// };
/// ahead(1, loader.epoch(), build, |batch| trainer.step(&batch?).map(drop))
/// # }
/// ```
///
/// If a [position](crate::feed::Loader::position) is saved during an epoch, the loader has already
/// handed out the minibatches that wait here: pass the positions through with the items.
///
/// # Errors
/// The first error of `using`, after which nothing more is made or used.
///
/// # Panics
/// When `make` panics, after the results made before have been used.
pub fn ahead<I: Send, M: Send, E>(
    ready: usize,
    items: impl Iterator<Item = I> + Send,
    mut make: impl FnMut(I) -> M + Send,
    mut using: impl FnMut(M) -> Result<(), E>,
) -> Result<(), E> {
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(ready.max(1) - 1);
        scope.spawn(move || {
            for item in items {
                // The receiver is gone: `using` has failed.
                if sender.send(make(item)).is_err() {
                    return;
                }
            }
        });
        receiver.into_iter().try_for_each(&mut using)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    #[test]
    fn everything_is_used_in_order() {
        for ready in 0..4 {
            let mut used = Vec::new();
            let result: Result<(), ()> = ahead(
                ready,
                0..100,
                |number| number * number,
                |square| {
                    used.push(square);
                    Ok(())
                },
            );
            result.unwrap();
            assert_eq!(used, (0..100).map(|number| number * number).collect::<Vec<_>>());
        }
    }

    /// The second is made while the first is used: the use of the first waits for it.
    #[test]
    fn the_next_is_made_meanwhile() {
        let (made, second) = channel();
        let result = ahead(
            1,
            0..2,
            |number| {
                made.send(number).unwrap();
                number
            },
            |number| {
                let next = || second.recv_timeout(Duration::from_secs(60)).map_err(|_| "none");
                if number == 0 {
                    assert_eq!([next()?, next()?], [0, 1]);
                }
                Ok(())
            },
        );
        assert_eq!(result, Ok::<(), &str>(()));
    }

    #[test]
    fn no_more_are_made_than_may_wait() {
        let made = AtomicUsize::new(0);
        let result = ahead(
            2,
            0..50,
            |number| {
                made.fetch_add(1, Ordering::SeqCst);
                number
            },
            |number| {
                // The one in use, and two ahead.
                assert!(made.load(Ordering::SeqCst) <= number + 3);
                Ok::<(), ()>(())
            },
        );
        assert_eq!((result, made.into_inner()), (Ok(()), 50));
    }

    #[test]
    fn an_error_ends_it() {
        let made = AtomicUsize::new(0);
        let make = |number: usize| made.fetch_add(number, Ordering::SeqCst);
        let mut uses = 0;
        let result = ahead(1, 1.., make, |_| {
            uses += 1;
            if uses == 3 { Err("three") } else { Ok(()) }
        });
        assert_eq!((result, uses), (Err("three"), 3));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_comes_through() {
        let make = |number: usize| {
            assert!(number < 2, "no third");
            number
        };
        let _: Result<(), ()> = ahead(1, 0..5, make, |_| Ok(()));
    }
}
