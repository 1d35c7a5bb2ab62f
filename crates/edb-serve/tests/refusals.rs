//! What is refused, is refused alone and says why.

use edb::graph::MinibatchError;
use edb::learn::Parameters;
use edb_backend_suite::zoo::WORDS;

use super::*;

fn message<A: std::fmt::Debug>(result: Result<A, ServeError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn a_wrong_graph_is_refused_where_it_is_submitted() {
    let net = Net::<f32>::new();
    let batcher = net.builder().start().unwrap();
    let (release, held) = hold(&batcher, &net);
    let (good, root) = net.tree(4, 1);
    let later = batcher.ask_later(&good, net.read(root)).unwrap();

    let refused = |graph: &Graph| {
        let called = |_| panic!("a refused request is not answered");
        message(batcher.ask_then(graph, |_| Ok(()), called))
    };
    let mut wrong = net.model.graph();
    let id = Index(WORDS as u32);
    wrong.add(&net.functions.word, (), sentiment::Word { id });
    let error = refused(&wrong);
    assert!(error.starts_with("vertex 0: the input `id` of `word` is 11"), "{error}");
    assert!(refused(&net.model.graph()).contains("no vertices"));
    assert!(refused(&Net::new().tree(2, 1).0).contains("another model"));
    assert_eq!(batcher.counts().queued, 1);

    release.send(()).unwrap();
    held.wait().unwrap();
    assert_eq!(later.wait().unwrap(), net.alone(&good, root));
}

#[test]
fn too_much_is_refused_at_once() {
    let net = Net::<f32>::new();
    let batcher = net.builder().max_queued(3, 17).max_minibatch(9, 14).start().unwrap();
    let ask = |words| {
        let (graph, root) = net.tree(words, 2);
        batcher.ask_later(&graph, net.read(root))
    };
    // Trees of five words have 14 vertices.
    assert!(ask(5).unwrap().wait().is_ok());
    let error = ask(6).unwrap_err();
    assert!(matches!(error, ServeError::TooLarge { vertices: 17, most: 14 }), "{error}");
    assert!(error.to_string().contains("`max_minibatch`"), "{error}");

    let (release, held) = hold(&batcher, &net);
    let first = ask(5).unwrap();
    // Of vertices.
    let error = ask(2).unwrap_err();
    assert!(matches!(error, ServeError::Full { graphs: 1, vertices: 14 }), "{error}");
    assert!(error.to_string().contains("try again later"), "{error}");
    release.send(()).unwrap();
    held.wait().unwrap();
    first.wait().unwrap();

    let (release, held) = hold(&batcher, &net);
    let waiting: Vec<_> = (0..3).map(|_| ask(1).unwrap()).collect();
    // Of requests.
    let error = ask(1).unwrap_err();
    assert!(matches!(error, ServeError::Full { graphs: 3, vertices: 6 }), "{error}");
    release.send(()).unwrap();
    held.wait().unwrap();
    waiting.into_iter().for_each(|later| drop(later.wait().unwrap()));
    assert!(ask(1).unwrap().wait().is_ok());
}

/// A refused request drops what it captured when nothing is locked.
#[test]
fn what_a_refused_request_captured_may_submit_others() {
    struct Again(std::sync::Arc<Batcher>, Graph);
    impl Drop for Again {
        fn drop(&mut self) {
            assert!(self.0.ask_then(&self.1, |_| Ok(()), |_| ()).is_err());
        }
    }
    let net = Net::<f32>::new();
    let batcher = std::sync::Arc::new(net.builder().max_queued(1, 100).start().unwrap());
    let (release, held) = hold(&batcher, &net);
    let (graph, root) = net.tree(1, 1);
    let first = batcher.ask_later(&graph, net.read(root)).unwrap();
    let again = Again(std::sync::Arc::clone(&batcher), graph.clone());
    let refused = batcher.ask_then(&graph, |_| Ok(()), move |_| drop(again));
    assert!(matches!(refused, Err(ServeError::Full { .. })));
    release.send(()).unwrap();
    held.wait().unwrap();
    first.wait().unwrap();
}

#[test]
fn a_result_that_the_graph_does_not_have_is_an_error() {
    let net = Net::<f32>::new();
    let batcher = net.builder().start().unwrap();
    let ((graph, _), (_, other)) = (net.tree(3, 1), net.tree(3, 2));
    let error = batcher.ask(&graph, net.read(other)).unwrap_err();
    assert!(matches!(error, ServeError::Engine(EngineError::UnknownVertex { .. })), "{error}");
}

#[test]
fn settings_are_checked() {
    let net = Net::<f32>::new();
    for (builder, what) in [
        (net.builder().workers(0), "a worker"),
        (net.builder().max_queued(0, 9), "room for a request in its queue"),
        (net.builder().max_queued(9, 0), "room for a request in its queue"),
        (net.builder().max_minibatch(0, 9), "in its minibatches"),
        (net.builder().max_minibatch(9, 0), "in its minibatches"),
    ] {
        let error = message(builder.start());
        assert!(error.contains(what) && error.ends_with("0 were given"), "{error}");
    }
    let (good, root) = net.tree(3, 1);
    let most = net.builder().max_queued(usize::MAX, usize::MAX);
    let batcher = most.max_minibatch(usize::MAX, usize::MAX).start().unwrap();
    assert_eq!(batcher.ask(&good, net.read(root)).unwrap(), net.alone(&good, root));
}

#[test]
fn a_batcher_that_cannot_start_says_why() {
    let net = Net::<f32>::new();
    let broken = || Err(EngineError::Threads("none is left".into()));
    let error = message(net.builder().workers(3).engines(broken).start());
    assert!(error.contains("none is left"), "{error}");
    let error = message(net.builder().workers(3).engines(|| panic!("no engine today")).start());
    // Fault E3 of the fourth list: the error said that a panic had ended a request.
    assert!(error.contains("has not started") && error.ends_with("no engine today"), "{error}");
    let none: [&Graph; 0] = [];
    let error = net.builder().warm_up(none).start().unwrap_err();
    let is_empty =
        |error: &EngineError| matches!(error, EngineError::Minibatch(MinibatchError::NoGraphs));
    assert!(matches!(&error, ServeError::Engine(error) if is_empty(error)), "{error}");
    let foreign = Net::new().tree(2, 1).0;
    assert!(message(net.builder().warm_up([&foreign]).start()).contains("another model"));
    // Parameters of another model have taken the place of the model's own.
    let mut model = Net::<f32>::new().model;
    *model.parameters_mut() = Parameters::new();
    let examples = [net.tree(2, 1).0];
    let error = message(Batcher::builder(model).warm_up(&examples).start());
    assert!(error.contains("another model"), "{error}");
}
