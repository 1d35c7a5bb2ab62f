//! Inputs of varying length: fields that are bags of any number of indices.

use edb::Element;
use edb::graph::{InputRecord, VertexRecord};
use edb::learn::Gradient;
use edb::prelude::*;
use edb::testing::gradient_check;

use edb_backend_suite::agreement::agrees;
use edb_backend_suite::ports::Memory;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

const WORDS: usize = 11;
const TOPICS: usize = 4;

/// The words and the topics of a paragraph, possibly none, and its class.
#[derive(Input)]
struct Paragraph {
    words: Indices,
    topics: Indices,
    topic: Index,
    label: Index,
}

#[vertex_helper]
fn bag_of(table: Tensor, words: Indices) -> Tensor {
    table.bag_mean(words) + table.bag_sum(words) * 0.1
}

/// A bag of words (Joulin et al., 2017), added to the states of the paragraphs below.
#[vertex_function]
fn paragraph(
    #[param(V, H)] words: Tensor,
    #[param(K, H)] topics: Tensor,
    #[param(C, H)] w: Tensor,
    #[dim(H)] h: Dim,
) {
    let seen: Paragraph = pull();
    let mut below = zeros(h);
    for text in gather_all::<Memory>() {
        below += text.h * bag_size(seen.words);
    }
    let own = bag_of(words, seen.words) + topics.bag_sum(seen.topics) + words.row(seen.topic);
    let h = (own + below * 0.2).tanh();
    scatter(Memory { h });
    loss(cross_entropy(w.dot(h), seen.label));
}

fn model<T: Element>() -> (Function<paragraph>, Model<T>) {
    let mut builder = ModelBuilder::new();
    let function = builder.add::<paragraph>(dims! { V: WORDS, K: TOPICS, H: 5, C: 3 });
    (function, builder.build_as(4).unwrap())
}

/// Trees of paragraphs with bags of zero to six words, with repetitions.
fn graphs<T: Element>(
    function: &Function<paragraph>,
    model: &Model<T>,
    count: usize,
) -> Vec<Graph<T>> {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut bag = |most: usize, below: usize| -> Vec<u32> {
        let size = rng.random_range(0..=most);
        (0..size).map(|_| rng.random_range(0..below as u32)).collect()
    };
    (0..count)
        .map(|size| {
            let mut g = model.graph();
            let mut open: Vec<Vertex<Memory>> = Vec::new();
            for number in 0..5 + size % 3 {
                let words = g.indices(bag(6, WORDS));
                let topics = g.indices(bag(2, TOPICS));
                let topic = Index((number % 3) as u32);
                let input = Paragraph { words, topics, topic, label: topic };
                let children = if number % 3 == 2 { std::mem::take(&mut open) } else { vec![] };
                open.push(g.add(function, &children, input));
            }
            g
        })
        .collect()
}

fn agree<T: Element>() {
    let (function, model) = model::<T>();
    agrees(&model, &graphs(&function, &model, 6));
}

edb_backend_suite::tests! {
    compiled_is_eager_in_f64: agree::<f64>();
    compiled_is_eager_in_f32: agree::<f32>();
}

#[test]
fn gradients_are_those_of_differences() {
    let (function, mut model) = model::<f64>();
    let batch = model.minibatch(&graphs(&function, &model, 2)).unwrap();
    gradient_check(&mut model, &batch, 20, 1e-5, 1e-6).unwrap();
}

/// A table has gradient rows only for the indices in bags.
#[test]
fn gradients_are_sparse() {
    let (function, model) = model::<f64>();
    let mut g = model.graph();
    let (words, topics) = (g.indices([7_u32, 3, 7]), g.indices([Index(2)]));
    g.add(&function, &[], Paragraph { words, topics, topic: Index(1), label: Index(1) });
    let batch = model.minibatch([&g]).unwrap();
    let mut engine = Engine::new();
    let gradients = engine.forward(&model, &batch, 0).unwrap().backward().unwrap();
    let rows = |name: &str| match gradients.get(model.parameters().find(name).unwrap()) {
        Gradient::Rows { rows, .. } => rows.clone(),
        other => panic!("the gradient of `{name}` is not sparse: {other:?}"),
    };
    assert_eq!(rows("paragraph.words"), [1, 3, 7]);
    assert_eq!(rows("paragraph.topics"), [2]);
}

/// Norms add up the rows of bags that are one row of the table, as gradients do.
#[test]
fn norms_of_each_graph_are_those_of_its_gradient() {
    let (function, model) = model::<f64>();
    let graphs = graphs(&function, &model, 6);
    let batch = model.minibatch(&graphs).unwrap();
    let mut engine = Engine::new();
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let mut each = run.backward_each().unwrap();
    for (graph, norm) in each.norms().unwrap().into_iter().enumerate() {
        let gradient = each.gradient(graph).unwrap();
        approx::assert_relative_eq!(norm, gradient.norm(), max_relative = 1e-12);
        let alone = model.minibatch([&graphs[graph]]).unwrap();
        let alone = Engine::new().forward(&model, &alone, 0).unwrap().backward().unwrap();
        approx::assert_relative_eq!(norm, alone.norm(), max_relative = 1e-12);
    }
}

/// Empty bags contribute zeros: the state is the `tanh` of the label's row alone.
#[test]
fn bags_may_be_empty() {
    let (function, model) = model::<f32>();
    let mut g = model.graph();
    let (words, topics) = (g.indices([0_u32; 0]), g.indices([0_u32; 0]));
    let v = g.add(&function, &[], Paragraph { words, topics, topic: Index(2), label: Index(2) });
    let batch = model.minibatch([&g]).unwrap();
    let mut engine = Engine::new();
    let run = engine.infer(&model, &batch).unwrap();
    let table = model.parameters().find("paragraph.words").unwrap();
    let row = model.parameters().get(table).values().unwrap()[2 * 5..][..5].to_vec();
    let h = run.state(v).unwrap().h;
    for (h, x) in h.iter().zip(row) {
        approx::assert_relative_eq!(*h, x.tanh(), max_relative = 1e-5);
    }
}

/// The functions of bags, called eagerly as in a debugger.
#[test]
fn a_bag_runs_eagerly() {
    edb::eager::scope(|| {
        let table = Tensor::from_values(&[3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let bag = Indices::from_values(&[2, 0, 2]);
        assert_eq!(table.bag_sum(bag).values(), [11.0, 14.0]);
        assert_eq!(table.bag_mean(bag).values(), [11.0 / 3.0, 14.0 / 3.0]);
        assert_eq!(bag_size(bag).values(), [3.0]);
    });
}

/// A graph made from records with bags has the loss of the same graph built by hand, and malformed
/// bags are refused.
#[test]
fn bags_come_from_records() {
    let (function, model) = model::<f64>();
    let json = r#"{"function": "paragraph", "input": {
        "words": {"indices": [7, 3, 7]}, "topics": {"indices": []}, "topic": {"index": 1}, "label": {"index": 1}
    }}"#;
    let record: VertexRecord = serde_json::from_str(json).unwrap();
    let from_record = model.graph_from_records(std::slice::from_ref(&record)).unwrap();
    let mut built = model.graph();
    let (words, topics) = (built.indices([7_u32, 3, 7]), built.indices([0_u32; 0]));
    built.add(&function, &[], Paragraph { words, topics, topic: Index(1), label: Index(1) });
    let loss = |graph: &Graph<f64>| {
        let batch = model.minibatch([graph]).unwrap();
        Engine::new().infer(&model, &batch).unwrap().loss().unwrap()
    };
    assert_eq!(loss(&from_record), loss(&built));

    let error = |field: &str, value: InputRecord| {
        let mut record = record.clone();
        record.input.insert(field.into(), value);
        model.graph_from_records(&[record]).unwrap_err().to_string()
    };
    assert_eq!(
        error("words", InputRecord::Indices(vec![3, 11, 2])),
        "vertex 0: the input `words` of `paragraph` is 11, but what it indexes has 11 entries"
    );
    assert_eq!(
        error("words", InputRecord::Index(3)),
        "vertex 0: the input `words` of `paragraph` is a bag of indices, but an index is given"
    );
    assert_eq!(
        error("label", InputRecord::Indices(vec![1])),
        "vertex 0: the input `label` of `paragraph` is an index, but a bag of indices is given"
    );
}

/// A bag made by one graph is refused in another.
#[test]
fn a_bag_belongs_to_its_graph() {
    let (function, model) = model::<f32>();
    let (mut one, mut other) = (model.graph(), model.graph());
    let (words, topics) = (one.indices([1_u32]), other.indices([1_u32]));
    other.add(&function, &[], Paragraph { words, topics, topic: Index(1), label: Index(1) });
    let error = model.minibatch([&other]).unwrap_err().to_string();
    let expected = "the input `words` is not of this graph, or of a round that was refused: make it \
                    with this graph's `tensor`, `indices` or `output`";
    assert!(error.contains(expected), "{error}");
}
