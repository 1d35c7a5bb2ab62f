//! Prefetching: the next item is made while the current one is used.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// For how long an error waits for an item that is just being taken: for one that is at hand, so
/// that what has been taken then is always the same.
const AT_HAND: Duration = Duration::from_millis(100);

/// Prefetches: calls `make` with each item on another thread, and `using` with the results on this
/// one, so that the next is made while one is used. At most `ready` results wait. They
/// are used in the order of the items, so that the outcome does not depend on threads.
///
/// Graphs are built with the model's [blueprint](edb_core::model::Blueprint), since the model itself
/// is changed by training meanwhile.
///
/// ```no_run
/// # mod edb { pub use edb_core::{*, graph::Graph, model::Model}; pub use edb_train::{*, trainer::Trainer}; }
/// # use edb::{Graph, Trainer, model::Blueprint};
/// # use edb::feed::{Loader, prefetch};
/// # use edb::trainer::TrainError;
/// # fn graph(blueprint: &Blueprint, sentence: &str) -> Graph { blueprint.graph() }
/// # fn train(mut trainer: Trainer, sentences: Vec<String>) -> Result<(), TrainError> {
/// let blueprint = trainer.model().blueprint();
/// let mut loader = Loader::new(sentences.len(), 32, 42);
/// let build = |samples: Vec<usize>| {
///     let graphs: Vec<Graph> =
///         samples.iter().map(|sample| graph(&blueprint, &sentences[*sample])).collect();
///     blueprint.minibatch(&graphs)
/// };
/// prefetch(1, loader.epoch(), build, |batch| trainer.step(&batch?).map(drop))
/// # }
/// ```
///
/// During an epoch, the loader has already handed out the minibatches that wait here, and so its position is
/// past them. Save the one of [`epoch_with_positions`](crate::feed::Loader::epoch_with_positions), which `make`
/// passes on with the minibatch.
///
/// Items may be waited for, as those of a channel are. So they are taken on a thread of their own,
/// which an error leaves behind if it is waiting; that is why they borrow nothing. `make` may
/// borrow: let items be the numbers of what it reads.
///
/// # Errors
/// The first error of `using`, after which nothing more is made or used.
///
/// # Panics
/// If `make` or the iterator panics, with the same panic. Before that, all results that are already made are used.
/// If `ready` is 0.
pub fn prefetch<I: Send + 'static, M: Send, E>(
    ready: usize,
    items: impl Iterator<Item = I> + Send + 'static,
    mut make: impl FnMut(I) -> M + Send,
    mut using: impl FnMut(M) -> Result<(), E>,
) -> Result<(), E> {
    assert!(
        ready > 0,
        "`prefetch` lets 0 results wait: let `ready` be 1 or more, or make each where it is used"
    );
    let (wanted, wants) = channel();
    let (next_items, received) = channel();
    let (end, ended) = channel::<()>();
    let result = thread::scope(|scope| {
        // However this ends.
        let stop = Stop(next_items.clone());
        thread::spawn(move || {
            take(items, &wants, &next_items);
            drop(end);
        });
        let (sender, receiver) = channel();
        let (took, taken) = channel();
        let maker = scope.spawn(move || {
            let mut waiting = 0;
            while has_place(&mut waiting, ready, &taken) && wanted.send(()).is_ok() {
                let item = match received.recv() {
                    Ok(NextItem::Item(item)) => item,
                    Ok(NextItem::Panic(panic)) => resume_unwind(panic),
                    Ok(NextItem::End) | Err(_) => return,
                };
                // The receiver is gone: `using` has failed.
                if sender.send(make(item)).is_err() {
                    return;
                }
                waiting += 1;
            }
        });
        let result = receiver.into_iter().try_for_each(|result| {
            // This fails if the maker has ended, which is no error.
            _ = took.send(());
            using(result)
        });
        drop((took, stop));
        // Without this, the scope would panic with a message of its own, in place of the thread's message.
        maker.join().unwrap_or_else(|panic| resume_unwind(panic));
        result
    });
    // That all senders are gone says that the thread has ended.
    _ = ended.recv_timeout(AT_HAND);
    result
}

/// Waits until fewer than `ready` results are waiting. `taken` has a message for each result
/// that was taken. Returns `false` if no results are taken any more. Places are only counted, and no memory is reserved
/// for them, since `ready` may be any number.
fn has_place(waiting: &mut usize, ready: usize, taken: &Receiver<()>) -> bool {
    *waiting -= taken.try_iter().count();
    while *waiting >= ready {
        match taken.recv() {
            Ok(()) => *waiting -= 1,
            Err(_) => return false,
        }
    }
    true
}

/// What is told about the next item.
enum NextItem<I> {
    Item(I),
    /// There is none, or none is needed any more.
    End,
    Panic(Box<dyn Any + Send>),
}

/// Takes an item each time that one is wanted, and tells it.
fn take<I>(
    mut items: impl Iterator<Item = I>,
    wants: &Receiver<()>,
    next_items: &Sender<NextItem<I>>,
) {
    while wants.recv().is_ok() {
        let item = catch_unwind(AssertUnwindSafe(|| items.next()));
        let goes_on = matches!(item, Ok(Some(_)));
        let next = match item {
            Ok(Some(item)) => NextItem::Item(item),
            Ok(None) => NextItem::End,
            Err(panic) => NextItem::Panic(panic),
        };
        if next_items.send(next).is_err() || !goes_on {
            return;
        }
    }
}

/// Tells, when it is dropped, that no item is needed any more.
struct Stop<I>(Sender<NextItem<I>>);

impl<I> Drop for Stop<I> {
    fn drop(&mut self) {
        // The thread is gone: it has stopped already.
        _ = self.0.send(NextItem::End);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn everything_is_used_in_order() {
        for ready in 1..4 {
            let mut used = Vec::new();
            let result: Result<(), ()> = prefetch(
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

    #[test]
    #[should_panic(expected = "let `ready` be 1 or more")]
    fn a_result_waits() {
        let _: Result<(), ()> = prefetch(0, 0..3, |item| item, |_| Ok(()));
    }

    /// The second is made while the first is used: the use of the first waits for it.
    #[test]
    fn the_next_is_made_meanwhile() {
        let (made, second) = channel();
        let result = prefetch(
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
        let result = prefetch(
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
        let result = prefetch(1, 1.., make, |_| {
            uses += 1;
            if uses == 3 { Err("three") } else { Ok(()) }
        });
        assert_eq!((result, uses), (Err("three"), 3));
    }

    /// Fault C3: the error came when the next item did, if ever one did.
    #[test]
    fn an_error_does_not_wait_for_items() {
        let (sender, receiver) = channel();
        sender.send(1).unwrap();
        sender.send(2).unwrap();
        let result = prefetch(
            1,
            receiver.into_iter(),
            |item| item,
            |item| {
                if item == 2 { Err("two") } else { Ok(()) }
            },
        );
        assert_eq!(result, Err("two"));
        // The iterator goes when it has waited for the last time.
        sender.send(3).unwrap();
        let gone = || sender.send(4).is_err();
        let mut waits = 0..6_000;
        while !gone() {
            waits.next().expect("it goes within a minute");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// A panic ends it likewise.
    #[test]
    fn a_panic_does_not_wait_for_items() {
        let (sender, receiver) = channel();
        sender.send(1).unwrap();
        let run = || {
            prefetch(
                1,
                receiver.into_iter(),
                |item: i32| item,
                |_| -> Result<(), ()> { panic!("while it is used") },
            )
        };
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
        drop(sender);
    }

    /// What an error leaves in a loader does not depend on threads.
    #[test]
    fn an_error_leaves_a_loader_at_the_same_place() {
        for _ in 0..50 {
            let mut loader = crate::feed::Loader::new(100, 1, 1);
            let mut used = 0;
            let result = prefetch(
                1,
                loader.epoch(),
                |item| item,
                |_| {
                    used += 1;
                    if used == 3 { Err(()) } else { Ok(()) }
                },
            );
            assert_eq!(result, Err(()));
            // The third is in use, and the fourth is ready.
            assert_eq!(loader.epoch().count(), 96);
        }
    }

    /// Fault E1 of the fourth list: memory for all results that may wait was reserved at once, and there was not
    /// enough of it.
    #[test]
    fn any_number_may_wait() {
        for ready in [1 << 40, usize::MAX] {
            let mut sum = 0;
            let result = prefetch(
                ready,
                0..100,
                |number| number,
                |number| {
                    sum += number;
                    Ok::<(), ()>(())
                },
            );
            assert_eq!((result, sum), (Ok(()), 4950));
        }
    }

    /// A fault like it: the message of a panic was lost, and the caller's panic said "a scoped thread panicked".
    #[test]
    #[should_panic(expected = "no third")]
    fn a_panic_of_the_items_comes_through() {
        let items = (0..3).inspect(|number| assert!(*number < 2, "no third"));
        let _: Result<(), ()> = prefetch(1, items, |item| item, |_| Ok(()));
    }

    #[test]
    #[should_panic(expected = "no third")]
    fn a_panic_comes_through() {
        let make = |number: usize| {
            assert!(number < 2, "no third");
            number
        };
        let _: Result<(), ()> = prefetch(1, 0..5, make, |_| Ok(()));
    }
}
