//! Nothing waits for ever: not for a worker that has ended, nor for one that waits itself.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Barrier};
use std::time::Duration;

use edb::schedule::{Policy, Schedule, TypeGraph};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use super::*;

/// What is sent, unless it never comes.
fn soon<V>(told: &Receiver<V>) -> V {
    told.recv_timeout(Duration::from_secs(100)).expect("nothing hangs")
}

/// Fault E2 of the third list: workers of two batchers, each of which waited in a callback for an answer
/// of the other, waited for ever. The one that would close the circle is told; where a worker is free,
/// all get their answers.
#[test]
fn batchers_whose_callbacks_ask_each_other_do_not_hang() {
    let net = Net::<f32>::new();
    for (workers, circles) in [([1, 1], true), ([2, 2], true), ([2, 1], false)] {
        let of = |count| Arc::new(net.builder().workers(count).start().unwrap());
        let batchers: [Arc<Batcher>; 2] = workers.map(of);
        let (graph, _) = net.tree(2, 1);
        let count = if circles { workers[0] } else { 1 };
        // All these workers are in callbacks before any of them asks.
        let meet = Arc::new(Barrier::new(2 * count));
        let (tell, told) = channel();
        let (begin, begun) = channel();
        for own in [0, 1] {
            for _ in 0..count {
                let (other, meet) = (Arc::clone(&batchers[1 - own]), Arc::clone(&meet));
                let (inner, tell, begin) = (graph.clone(), tell.clone(), begin.clone());
                let then = move |_| {
                    begin.send(()).unwrap();
                    meet.wait();
                    tell.send(other.ask(&inner, |_| Ok(()))).unwrap();
                };
                batchers[own].ask_then(&graph, |_| Ok(()), then).unwrap();
                // Two requests that wait together would run in one minibatch, on one worker.
                soon(&begun);
            }
        }
        let (answered, refused): (Vec<_>, Vec<_>) =
            (0..2 * count).map(|_| soon(&told)).partition(Result::is_ok);
        assert_eq!(!refused.is_empty(), circles, "{workers:?}");
        assert!(!answered.is_empty(), "the others go on");
        assert!(refused.iter().all(|of| matches!(of, Err(ServeError::Circle))));
    }
}

/// A policy that fails for each request.
#[derive(Debug)]
struct Failing;

impl edb::schedule::CustomPolicy for Failing {
    fn name(&self) -> &str {
        "failing"
    }

    fn schedule(&self, _: &TypeGraph) -> Schedule {
        panic!("no schedule today")
    }
}

/// Panics at warnings, as one does that prints to where nobody reads any more.
struct Broken;

impl Subscriber for Broken {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::WARN
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {
        panic!("nobody listens");
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Fault E1 of the third list: a subscriber that panicked while a callback's panic at a failed run was
/// told ended the worker, and without workers `ask` waited for ever.
#[test]
fn a_subscriber_that_panics_ends_no_worker() {
    // For all tests here, which have to hold with this one, too.
    tracing::subscriber::set_global_default(Broken).unwrap();
    let net = Net::<f32>::new();
    let engines = || Ok(Engine::new().policy(Policy::custom(Failing)));
    let batcher = Arc::new(net.builder().engines(engines).start().unwrap());
    let (graph, _) = net.tree(2, 1);
    for _ in 0..3 {
        batcher.ask_then(&graph, |_| Ok(()), |_| panic!("at an error")).unwrap();
    }
    let (tell, told) = channel();
    batcher.ask_then(&graph, |_| Ok(()), move |answer| tell.send(answer).unwrap()).unwrap();
    assert!(matches!(soon(&told), Err(ServeError::Panicked { .. })));
    batcher.close();
    assert!(matches!(batcher.ask(&graph, |_| Ok(())), Err(ServeError::Closed)));
}
