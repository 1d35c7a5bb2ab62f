//! Handles of graphs and functions: each refers to what it was made for, or is refused in clones,
//! other graphs and other models.

use edb::engine::{EngineError, Seeds};
use edb::graph::{GraphProblem, MinibatchError};
use edb::prelude::*;
use edb_core::function::{Definition, VertexFunction};
use edb_core::tensor::{Bag, Handle};

use edb_backend_suite::ports::{Memory, Told};

/// Numbers, and the rows of a table that are added to them.
#[derive(Input)]
struct Row {
    x: Tensor,
    ids: Indices,
}

#[derive(Input)]
struct Heard {
    y: Tensor,
}

#[vertex_function]
fn leaf(#[param(V, H)] table: Tensor) {
    let Row { x, ids } = pull();
    let h = x + table.bag_sum(ids);
    scatter(Memory { h });
    push(Told { y: h });
}

#[vertex_function]
fn add(#[param(H)] w: Tensor) {
    let below: Memory = gather(0);
    let Heard { y } = pull();
    let h = below.h + w * y;
    scatter(Memory { h });
    push(Told { y: h });
}

struct Net {
    leaf: Function<leaf>,
    add: Function<add>,
    model: Model<f64>,
}

/// A model whose table has the rows [1, 10], [2, 20] and [3, 30], and whose `w` is 1.
fn net() -> Net {
    let mut builder = ModelBuilder::new();
    let leaf = builder.add::<leaf>(dims! { V: 3, H: 2 });
    let add = builder.add::<add>(dims! { H: 2 });
    let mut model: Model<f64> = builder.build_as(1).unwrap();
    for (name, values) in
        [("leaf.table", &[1.0, 10.0, 2.0, 20.0, 3.0, 30.0][..]), ("add.w", &[1.0; 2])]
    {
        let id = model.parameters().find(name).unwrap();
        model.parameters_mut().get_mut(id).set_values(values).unwrap();
    }
    Net { leaf, add, model }
}

impl Net {
    /// A vertex whose value is `x` plus the sum of these rows.
    fn leaf(&self, g: &mut Graph<f64>, x: [f64; 2], ids: &[u32]) -> Vertex<Memory> {
        let row = Row { x: g.tensor(&x), ids: g.indices(ids.iter().copied()) };
        g.add(&self.leaf, (), row)
    }

    /// A vertex whose value is twice that of `of`.
    fn twice(&self, g: &mut Graph<f64>, of: Vertex<Memory>) -> Vertex<Memory> {
        let y = g.output(&self.leaf, of).y;
        g.add(&self.add, [of], Heard { y })
    }

    /// The vertex at which a graph is wrong, and the problem.
    fn problem(&self, g: &Graph<f64>) -> (u32, GraphProblem) {
        match self.model.minibatch([g]) {
            Err(MinibatchError::Graph { graph: 0, error }) => (error.vertex, *error.problem),
            other => panic!("{other:?}"),
        }
    }
}

fn state(run: &Run<'_, f64>, vertex: Vertex<Memory>) -> Option<Vec<f64>> {
    match run.state(vertex) {
        Ok(state) => Some(state.h.iter().copied().collect()),
        Err(EngineError::UnknownVertex { vertex: number }) => {
            assert_eq!(number, vertex.number());
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_clone_accepts_earlier_handles_of_its_original() {
    let net = net();
    let mut g = net.model.graph();
    let [x, more] = [[1.0, 2.0], [5.0, 6.0]].map(|row| g.tensor(&row));
    let ids = g.indices([0_u32, 1]);
    let none = g.indices([0_u32; 0]);
    let a = g.add(&net.leaf, (), Row { x, ids });
    let said = g.output(&net.leaf, a).y;

    let mut clone = g.clone();
    let again = clone.add(&net.leaf, (), Row { x, ids });
    let rest = clone.add(&net.leaf, (), Row { x: more, ids: none });
    let old = clone.add(&net.add, [a], Heard { y: said });
    let new = net.twice(&mut clone, a);
    let mut second = clone.clone();
    let last = second.add(&net.add, [old], Heard { y: said });

    let batch = net.model.minibatch([&second]).unwrap();
    let mut engine = Engine::new();
    let run = engine.infer(&net.model, &batch).unwrap();
    for (vertex, expected) in [
        (a, [4.0, 32.0]),
        (again, [4.0, 32.0]),
        (rest, [5.0, 6.0]),
        (old, [8.0, 64.0]),
        (new, [8.0, 64.0]),
        (last, [12.0, 96.0]),
    ] {
        assert_eq!(state(&run, vertex).unwrap(), expected, "{vertex:?}");
    }
    assert_eq!(run.output(&net.leaf, a).unwrap().y.as_slice().unwrap(), [4.0, 32.0]);
}

/// What is added to a clone does not exist in its original. In an earlier version, the numbers of
/// the wrong graph were read silently.
#[test]
fn additions_to_a_clone_are_refused_in_its_original() {
    let net = net();
    let mut original = net.model.graph();
    net.leaf(&mut original, [1.0, 2.0], &[0]);
    for of_clone in [false, true] {
        let mut other = original.clone();
        let mut graph = if of_clone { other.clone() } else { original.clone() };
        // Both graphs have equally many tensors, bags and vertices, so that a foreign handle is in
        // range.
        let x = other.tensor(&[100.0, 200.0]);
        let ids = other.indices([1_u32]);
        let foreign = other.add(&net.leaf, (), Row { x, ids });
        let said = other.output(&net.leaf, foreign).y;
        let here = net.leaf(&mut graph, [7.0, 9.0], &[2]);
        let (graph_x, bag) = (graph.tensor(&[7.0, 9.0]), graph.indices([2_u32]));

        let mut g = graph.clone();
        g.add(&net.leaf, (), Row { x, ids: bag });
        assert_eq!(net.problem(&g), (2, GraphProblem::ForeignTensor { field: "x".into() }));
        let mut g = graph.clone();
        g.add(&net.leaf, (), Row { x: graph_x, ids });
        assert_eq!(net.problem(&g), (2, GraphProblem::ForeignTensor { field: "ids".into() }));
        let mut g = graph.clone();
        g.add(&net.add, [here], Heard { y: said });
        assert_eq!(net.problem(&g), (2, GraphProblem::ForeignTensor { field: "y".into() }));
        let mut g = graph.clone();
        let y = g.output(&net.leaf, here).y;
        g.add(&net.add, [foreign], Heard { y });
        assert_eq!(net.problem(&g), (2, GraphProblem::ForeignChild { place: 0 }));
        let mut g = graph.clone();
        g.output(&net.leaf, foreign);
        let function = "leaf".to_string();
        assert_eq!(net.problem(&g), (2, GraphProblem::ForeignOutput { function, of: 1 }));
    }
}

/// A vertex added to a clone has the number of the next vertex of the original; it must not become
/// that vertex's child.
#[test]
fn a_vertex_of_a_clone_is_no_child_in_the_original() {
    let net = net();
    let mut g = net.model.graph();
    let a = net.leaf(&mut g, [1.0, 2.0], &[]);
    let mut clone = g.clone();
    let foreign = net.leaf(&mut clone, [1.0, 2.0], &[]);
    let y = g.output(&net.leaf, a).y;
    g.add(&net.add, [foreign], Heard { y });
    let error = net.model.minibatch([&g]).unwrap_err().to_string();
    assert!(
        error.contains("vertex 1: child 0 is a vertex of another graph, or of a round that"),
        "{error}"
    );
}

/// An output that was asked of the wrong function is refused in a clone, too.
#[test]
fn a_wrong_output_stays_wrong() {
    let net = net();
    let mut g = net.model.graph();
    let a = net.leaf(&mut g, [1.0, 2.0], &[]);
    let mut clone = g.clone();
    let wrong = g.output(&net.add, a).y;
    clone.add(&net.add, [a], Heard { y: wrong });
    assert_eq!(net.problem(&clone), (1, GraphProblem::ForeignTensor { field: "y".into() }));

    // A function of another model, with the same number.
    let mut clone = net.model.graph();
    let a = net.leaf(&mut clone, [1.0, 2.0], &[]);
    clone.output(&self::net().leaf, a);
    let function = "leaf".to_string();
    assert_eq!(net.problem(&clone), (1, GraphProblem::ForeignOutput { function, of: 0 }));
}

#[test]
fn results_are_those_of_the_vertex_that_is_asked_for() {
    let net = net();
    let mut g = net.model.graph();
    let a = net.leaf(&mut g, [1.0, 2.0], &[]);
    let mut clone = g.clone();
    let of_g = net.leaf(&mut g, [3.0, 4.0], &[]);
    let of_clone = net.leaf(&mut clone, [5.0, 6.0], &[]);
    let mut engine = Engine::new();

    let [first, second] = [[3.0, 4.0], [5.0, 6.0]].map(|x| Some(x.to_vec()));
    for (graphs, expected) in [
        (vec![&g], [first.clone(), None]),
        (vec![&clone], [None, second.clone()]),
        (vec![&g, &clone], [first.clone(), second.clone()]),
        (vec![&clone, &g], [first, second]),
    ] {
        let batch = net.model.minibatch(graphs.iter().copied()).unwrap();
        let run = engine.infer(&net.model, &batch).unwrap();
        assert_eq!([of_g, of_clone].map(|vertex| state(&run, vertex)), expected);
        assert_eq!(state(&run, a), Some(vec![1.0, 2.0]));
    }

    // The same holds for outputs, gradients of outputs, and gradients of inputs.
    let batch = net.model.minibatch([&g]).unwrap();
    let mut run = engine.forward(&net.model, &batch, 0).unwrap();
    let unknown = |error| matches!(error, Some(EngineError::UnknownVertex { vertex: 1 }));
    assert!(unknown(run.output(&net.leaf, of_clone).err()));
    let mut seeds = Seeds::new();
    seeds.push(&net.leaf, of_clone, "y", &[1.0; 2]);
    assert!(unknown(run.backward_with(&seeds).err()));
    run.backward().unwrap();
    assert!(unknown(run.input_gradient(&net.leaf, of_clone).err()));

    // If a minibatch contains both the graph that made a vertex and its clone, the vertex is that
    // of the graph that made it, in any order.
    let batch = net.model.minibatch([&clone, &g]).unwrap();
    let mut run = engine.forward(&net.model, &batch, 0).unwrap();
    let mut seeds = Seeds::new();
    seeds.push(&net.leaf, a, "y", &[1.0; 2]);
    run.backward_with(&seeds).unwrap();
    let gradient = |graph| {
        let row = run.input_gradient_at(graph, 0, "x").unwrap().unwrap();
        row.iter().copied().collect::<Vec<f64>>()
    };
    assert_eq!([gradient(0), gradient(1)], [[0.0; 2], [1.0; 2]]);
    let row = run.input_gradient(&net.leaf, a).unwrap().x;
    assert_eq!(row.as_slice().unwrap(), [1.0; 2]);

    // A vertex added after the minibatch was made.
    let late = net.leaf(&mut g, [0.0; 2], &[]);
    let error = run.state(late).err().unwrap().to_string();
    assert!(error.contains("vertex 2 is not in the minibatch"), "{error}");
}

/// A function of another model is refused, for giving gradients as for reading results.
#[test]
fn functions_of_other_models_are_refused() {
    let net = net();
    let mut g = net.model.graph();
    let a = net.leaf(&mut g, [1.0, 2.0], &[]);
    let batch = net.model.minibatch([&g]).unwrap();
    // One function with the same number as a function of this model, and one with a greater number.
    let mut builder = ModelBuilder::new();
    let same = builder.add::<leaf>(dims! { V: 3, H: 2 });
    let mut beyond = same;
    for name in ["one", "two", "three"] {
        beyond = builder.add::<leaf>(dims! { V: 3, H: 2 }.named(name));
    }
    let mut engine = Engine::new();
    let mut run = engine.forward(&net.model, &batch, 0).unwrap();
    for function in [same, beyond] {
        let mut seeds = Seeds::new();
        seeds.push(&function, a, "y", &[1.0; 2]);
        let errors = [run.output(&function, a).err(), run.backward_with(&seeds).err()];
        for error in errors.map(Option::unwrap) {
            let EngineError::ForeignFunction { function } = &error else { panic!("{error}") };
            assert_eq!(function, "leaf");
        }
    }
    run.backward().unwrap();
    let error = run.input_gradient(&same, a).err().unwrap();
    assert!(matches!(error, EngineError::ForeignFunction { .. }), "{error}");
}

/// Reading many vertices at once gives the same as one by one: all in the order of the minibatch,
/// or some in the order that was asked for.
#[test]
fn results_of_many_vertices_are_read_at_once() {
    let net = net();
    let graph = |x: f64| {
        let mut g = net.model.graph();
        let a = net.leaf(&mut g, [x, x + 0.5], &[0]);
        let b = net.leaf(&mut g, [-x, 3.0], &[1, 2]);
        let both = [net.twice(&mut g, a), net.twice(&mut g, b)];
        (g, [a, b], both)
    };
    let [one, two, three] = [1.0, 2.0, 3.0].map(graph);
    let clone = three.0.clone();
    let batch = net.model.minibatch([&one.0, &two.0, &one.0, &clone]).unwrap();
    let mut engine = Engine::new();
    let run = engine.infer(&net.model, &batch).unwrap();
    let alone = |vertex| state(&run, vertex).unwrap();

    let leaves = run.outputs(&net.leaf).unwrap();
    assert_eq!((leaves.len(), leaves.view().y.shape()), (8, &[8, 2][..]));
    let expected = [one.1, two.1, one.1, three.1].concat();
    let rows: Vec<Vec<f64>> =
        leaves.view().y.outer_iter().map(|row| row.iter().copied().collect()).collect();
    assert_eq!(rows, expected.iter().map(|vertex| alone(*vertex)).collect::<Vec<_>>());

    // Vertices of both functions, of a graph that is in the minibatch twice, and of one of which
    // only a clone is in it.
    let asked = [three.2[1], one.1[0], two.2[0], three.1[0], one.1[0]];
    let states = run.states(&asked).unwrap();
    assert_eq!((states.len(), states.view().h.shape()), (5, &[5, 2][..]));
    for (row, vertex) in states.view().h.outer_iter().zip(asked) {
        assert_eq!(row.iter().copied().collect::<Vec<_>>(), alone(vertex));
    }
    let none = run.states::<Memory>(&[]).unwrap();
    assert!(none.is_empty() && none.view().h.is_empty());

    let (mut g, ..) = graph(4.0);
    let foreign = net.leaf(&mut g, [0.0; 2], &[]);
    let error = run.states(&[one.1[0], foreign]).unwrap_err();
    assert!(matches!(error, EngineError::UnknownVertex { vertex: 4 }), "{error}");
    let other = self::net();
    let error = run.outputs(&other.leaf).unwrap_err();
    assert!(matches!(error, EngineError::ForeignFunction { .. }), "{error}");
}

/// A minibatch with replaced tensors equals one of graphs made with the new numbers.
#[test]
fn tensors_of_a_minibatch_are_replaced() {
    let net = net();
    let graph = |x: [f64; 2], z: [f64; 2]| {
        let mut g = net.model.graph();
        let [x, z] = [x, z].map(|values| g.tensor(&values));
        let ids = g.indices([0_u32]);
        let a = g.add(&net.leaf, (), Row { x, ids });
        // A second vertex pulls the same tensor.
        let b = g.add(&net.leaf, (), Row { x, ids });
        let c = g.add(&net.leaf, (), Row { x: z, ids });
        net.twice(&mut g, c);
        (g, [x, z], [a, b, c])
    };
    let (first, ..) = graph([1.0, 2.0], [3.0, 4.0]);
    let (second, [x, z], vertices) = graph([5.0, 6.0], [7.0, 8.0]);
    let mut later = second.clone();
    let own = later.tensor(&[0.0; 2]);
    let mut batch = net.model.minibatch([&first, &second, &first, &later]).unwrap();
    batch.set_tensor(x, &[50.0, 60.0]).unwrap();
    batch.set_tensor(z, &[70.0, 80.0]).unwrap();
    let (changed, _, again) = graph([50.0, 60.0], [70.0, 80.0]);
    let (unchanged, ..) = graph([5.0, 6.0], [7.0, 8.0]);
    let expected = net.model.minibatch([&first, &changed, &first, &unchanged]).unwrap();
    let [mut engine, mut other] = [Engine::new(), Engine::new()];
    let run = engine.infer(&net.model, &batch).unwrap();
    let expected = other.infer(&net.model, &expected).unwrap();
    assert_eq!(run.outputs(&net.leaf).unwrap(), expected.outputs(&net.leaf).unwrap());
    assert_eq!(run.outputs(&net.add).unwrap(), expected.outputs(&net.add).unwrap());
    assert_eq!(run.states(&vertices).unwrap(), expected.states(&again).unwrap());

    // If only a clone is in the minibatch, the tensor of the clone is replaced.
    let mut alone = net.model.minibatch([&first, &later]).unwrap();
    alone.set_tensor(x, &[50.0, 60.0]).unwrap();
    let mut engine = Engine::new();
    let run = engine.infer(&net.model, &alone).unwrap();
    assert_eq!(state(&run, vertices[1]).unwrap(), [51.0, 70.0]);

    let mut refused = |tensor, values: &[f64]| batch.set_tensor(tensor, values).unwrap_err();
    // A tensor that only a clone has, and an output, which is not an input.
    let mut g = second.clone();
    let foreign = g.tensor(&[0.0; 2]);
    let pushed = g.output(&net.leaf, vertices[0]).y;
    for tensor in [foreign, pushed] {
        assert_eq!(refused(tensor, &[1.0, 2.0]), MinibatchError::ForeignTensor);
    }
    assert_eq!(refused(x, &[1.0]), MinibatchError::TensorLength { expected: 2, found: 1 });
    let error = refused(x, &[1.0, f64::INFINITY]);
    assert_eq!(error, MinibatchError::NotFinite { element: 1, value: f64::INFINITY });
    batch.set_tensor(own, &[9.0; 2]).unwrap();
}

/// A tensor added to a graph after the minibatch was made is not in it.
#[test]
fn tensors_added_later_cannot_be_replaced() {
    let net = net();
    let mut g = net.model.graph();
    net.leaf(&mut g, [1.0, 2.0], &[]);
    let mut other = net.model.graph();
    net.leaf(&mut other, [7.0, 8.0], &[]);
    let mut batch = net.model.minibatch([&g, &other]).unwrap();
    let later = g.tensor(&[3.0, 4.0]);
    assert_eq!(batch.set_tensor(later, &[5.0, 6.0]), Err(MinibatchError::ForeignTensor));
}

/// Fault B4: when what a graph had got in a round was refused, handles of it stayed valid: they meant
/// what was added in its place, or numbers that were not there any more.
#[test]
fn handles_of_a_refused_round_are_refused() {
    let net = net();
    let mut g = net.model.graph();
    let old = g.tensor(&[3.0, 4.0]);
    let kept = net.leaf(&mut g, [1.0, 2.0], &[0]);
    let mut engine = Engine::new();
    let mut growth = engine.grow(&net.model, [g]).unwrap();
    let mut given = None;
    let error = loop {
        match growth.round() {
            Ok(Some(round)) => {
                for mut g in round {
                    let (x, ids) = (g.tensor(&[5.0, 6.0]), g.indices([1_u32]));
                    let vertex = g.add(&net.leaf, (), Row { x, ids });
                    let y = g.output(&net.leaf, vertex).y;
                    let none = g.indices([9_u32]);
                    g.add(&net.leaf, (), Row { x, ids: none });
                    given = Some((x, ids, vertex, y));
                }
            }
            Ok(None) => panic!("the graph is refused"),
            Err(error) => break error,
        }
    };
    assert!(error.to_string().contains('9'), "{error}");
    let (x, ids, vertex, y) = given.unwrap();
    let mut g = growth.into_graphs().pop().unwrap();
    assert_eq!(g.len(), 1);
    // Others take the places of what was removed.
    let own = net.leaf(&mut g, [7.0, 8.0], &[2, 2]);
    let (own_x, own_ids) = (g.tensor(&[0.0, 1.0]), g.indices([0_u32]));
    let own_y = g.output(&net.leaf, own).y;
    assert_eq!(own.number(), vertex.number());
    let foreign = |field: &str| GraphProblem::ForeignTensor { field: field.into() };
    type Wrong<'a> = Box<dyn Fn(&mut Graph<f64>) + 'a>;
    let output = GraphProblem::ForeignOutput { function: "leaf".into(), of: 1 };
    let wrong: [(Wrong<'_>, GraphProblem); 5] = [
        (
            Box::new(|g| _ = g.add(&net.add, [vertex], Heard { y: own_y })),
            GraphProblem::ForeignChild { place: 0 },
        ),
        (Box::new(|g| _ = g.add(&net.leaf, (), Row { x, ids: own_ids })), foreign("x")),
        (Box::new(|g| _ = g.add(&net.leaf, (), Row { x: own_x, ids })), foreign("ids")),
        (Box::new(|g| _ = g.add(&net.add, [own], Heard { y })), foreign("y")),
        (Box::new(|g| _ = g.output(&net.leaf, vertex)), output),
    ];
    for (add, expected) in wrong {
        let mut clone = g.clone();
        add(&mut clone);
        assert_eq!(net.problem(&clone).1, expected);
    }
    // Those of before the round stay valid, also in clones.
    for mut g in [g.clone(), g] {
        let more = g.add(&net.leaf, (), Row { x: old, ids: own_ids });
        let twice = net.twice(&mut g, kept);
        let mut batch = net.model.minibatch([&g]).unwrap();
        let mut engine = Engine::new();
        let run = engine.infer(&net.model, &batch).unwrap();
        assert_eq!(state(&run, vertex), None);
        assert_eq!(state(&run, kept).unwrap(), [2.0, 12.0]);
        assert_eq!(state(&run, own).unwrap(), [13.0, 68.0]);
        assert_eq!(state(&run, more).unwrap(), [4.0, 14.0]);
        assert_eq!(state(&run, twice).unwrap(), [4.0, 24.0]);
        batch.set_tensor(old, &[1.0, 1.0]).unwrap();
        batch.set_tensor(x, &[1.0, 1.0]).unwrap_err();
    }
}

/// Fault B3 of the fourth list: a handle that no graph had given out could reach past the graph's input: a panic.
#[test]
fn handles_of_what_is_not_there_are_refused() {
    let net = net();
    for (start, length) in [(2, 2), (3, 2), (u32::MAX, 2), (u32::MAX - 1, 2), (1, u32::MAX)] {
        for is_bag in [false, true] {
            let mut g = net.model.graph();
            let (mut x, mut ids) = (g.tensor(&[1.0; 2]), g.indices([0_u32, 1]));
            let (Handle::Data { graph, .. }, true) = (x.0, g.is_empty()) else { panic!("{x:?}") };
            match is_bag {
                true => ids = Indices(Bag::Data { graph, start, length }),
                false => x = Tensor(Handle::Data { graph, start, length }),
            }
            g.add(&net.leaf, (), Row { x, ids });
            let field = if is_bag { "ids" } else { "x" }.to_string();
            assert_eq!(net.problem(&g), (0, GraphProblem::ForeignTensor { field }));
        }
    }
}

/// Adds numbers, and says that it knows of no states.
struct Stateless;

impl VertexFunction for Stateless {
    type Children<'a> = [Vertex<Memory>; 1];
    type Input = Heard;
    type State = Memory;
    type Output = Told;
    const NAME: &'static str = "add";

    fn definition() -> Definition {
        Definition { states: Vec::new(), ..add::definition() }
    }
}

/// Fault B3 of the fourth list: a definition without its states caused a panic.
#[test]
fn a_definition_without_its_states_is_refused() {
    let mut builder = ModelBuilder::new();
    builder.add::<leaf>(dims! { V: 3, H: 2 });
    builder.add::<Stateless>(dims! { H: 2 });
    let error = builder.build_as::<f64>(1).unwrap_err();
    let reason = "the plan of `add` is broken: it has 1 states, of which 0 have a type";
    assert!(error.to_string().contains(reason), "{error}");
}
