//! Functions that push in loops: what a vertex pushes is a list.

use edb::engine::{EngineError, Seeds};
use edb::graph::MinibatchError;
use edb::prelude::*;
use edb::testing::{Check, compiled_equals_eager, grown_equals_eager};

use edb_backend_suite::ports::{Memory, Word};

#[derive(Output)]
struct Said {
    word: Index,
    h: Tensor,
}

/// Says words until it is done, or has said enough.
#[vertex_function]
fn saying(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor, #[param(V, H)] out: Tensor) {
    let Word { id } = pull();
    let mut h = table.row(id);
    let mut word = id;
    let mut count = scalar(0.0);
    while word != Index(2) && count < 6.0 {
        h = (w.dot(h) + table.row(word)).tanh();
        word = out.dot(h).sample();
        push(Said { word, h });
        count += 1.0;
    }
    scatter(Memory { h });
}

/// Pushes before, in and behind a loop, twice in an iteration, and in one arm only.
#[vertex_function]
fn telling(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor) {
    let Word { id } = pull();
    let mut h = table.row(id);
    push(Said { word: id, h });
    for child in gather_all::<Memory>() {
        h += child.h;
    }
    while (h * h).sum() > 0.3 {
        push(Said { h: 2.0 * h, word: id });
        h = 0.7 * h - w.dot(h).sigmoid() * 0.1;
        if h.max() > 0.5 {
            push(Said { word: id, h: w.dot(h) });
            loss(h.sum());
        }
        push(Said { word: id, h: h * h });
    }
    if h.sum() > 0.0 {
        for _ in 0..2 {
            h = h.tanh();
            push(Said { word: id, h });
        }
    }
    scatter(Memory { h });
    loss((h * h).sum());
}

#[derive(Input)]
struct Heard {
    h: Tensor,
}

#[vertex_function]
fn hearing(#[param(H)] v: Tensor) {
    let Heard { h } = pull();
    loss(v.dot(h));
}

struct Net<T> {
    model: Model<T>,
    saying: Function<saying>,
    telling: Function<telling>,
    hearing: Function<hearing>,
}

fn net<T: edb::Element>() -> Net<T> {
    let mut builder = ModelBuilder::new();
    let uniform = || Initializer::Uniform { bound: 0.9 };
    let setup = || dims! { V: 5, H: 4 }.init("table", uniform()).init("w", uniform());
    let saying = builder.add::<saying>(setup().init("out", Initializer::Uniform { bound: 2.0 }));
    let telling = builder.add::<telling>(setup());
    let hearing = builder.add::<hearing>(dims! { H: 4 });
    Net { model: builder.build_as(3).unwrap(), saying, telling, hearing }
}

fn word(id: u32) -> Word {
    Word { id: Index(id) }
}

type Listed<T> = (Graph<T>, Vec<Vertex<Memory>>);

fn graphs<T: edb::Element>(net: &Net<T>, count: usize) -> Vec<Listed<T>> {
    let graph = |number: usize| {
        let mut g = net.model.graph();
        let mut all = Vec::new();
        for vertex in 0..4 + number % 3 {
            let id = word(((number + vertex) % 5) as u32);
            all.push(match vertex % 2 {
                0 => g.add(&net.saying, (), id),
                _ => g.add(&net.telling, &all, id),
            });
        }
        (g, all)
    };
    (0..count).map(graph).collect()
}

fn minibatch<T: edb::Element>(net: &Net<T>, graphs: &[Listed<T>]) -> Minibatch<T> {
    net.model.minibatch(graphs.iter().map(|(g, _)| g)).unwrap()
}

#[test]
fn lists_equal_those_of_the_function() {
    fn check<T: edb::Element>() {
        let net = net::<T>();
        let batch = minibatch(&net, &graphs(&net, 7));
        compiled_equals_eager(&net.model, &batch, &Check::default()).unwrap();
    }
    check::<f64>();
    check::<f32>();
}

#[test]
fn items_are_read_in_the_order_in_which_they_were_pushed() {
    let net = net::<f64>();
    let graphs = graphs(&net, 5);
    let batch = minibatch(&net, &graphs);
    let expected = edb::testing::eager(&net.model, &batch).unwrap().outputs;
    let mut engine = Engine::new();
    // Inference forgets what loops have done with; the items stay.
    let run = engine.infer(&net.model, &batch).unwrap();
    let mut place = 0;
    let mut items = [0; 2];
    for (_, vertices) in &graphs {
        for (number, vertex) in vertices.iter().enumerate() {
            let list = match number % 2 {
                0 => run.outputs_of(&net.saying, *vertex).unwrap(),
                _ => run.outputs_of(&net.telling, *vertex).unwrap(),
            };
            let expected = &expected[place];
            assert_eq!(list.len(), expected.len() / 2, "vertex {place}");
            for (item, h) in list.view().h.outer_iter().enumerate() {
                let (word, found) = (list.view().word[item], h.iter());
                // The fields are in the order of the function's first item.
                let fields = &expected[2 * item..2 * item + 2];
                assert_eq!(fields[0], [f64::from(word)]);
                found
                    .zip(&fields[1])
                    .for_each(|(x, y)| approx::assert_relative_eq!(x, y, epsilon = 1e-12));
            }
            items[number % 2] += list.len();
            place += 1;
        }
    }
    assert_eq!(items[0], run.outputs(&net.saying).unwrap().len());
    assert_eq!(items[1], run.outputs(&net.telling).unwrap().len());
    assert!(items[0] > 0 && items[1] > 0);
    assert!(net.model.summary().functions[0].lists);
    assert!(net.model.summary().to_string().contains("[word, h [4]]"), "{}", net.model.summary());
}

/// The gradients of what is said, by items, are those of a loss on each.
#[test]
fn seeds_name_the_item() {
    let net = net::<f64>();
    let mut g = net.model.graph();
    let vertex = g.add(&net.telling, &[], word(1));
    let batch = net.model.minibatch([&g]).unwrap();
    let mut engine = Engine::new();
    let gradient = |engine: &mut Engine<f64>, seeds: &Seeds<f64>| {
        let mut run = engine.forward(&net.model, &batch, 0).unwrap();
        let items = run.outputs_of(&net.telling, vertex).unwrap().len();
        let gradients = run.backward_with(seeds)?;
        Ok::<_, EngineError>((items, gradients.norm()))
    };
    let (items, without) = gradient(&mut engine, &Seeds::new()).unwrap();
    assert!(items > 3, "{items}");
    let mut found = vec![without];
    for item in 0..items {
        let mut seeds = Seeds::new();
        seeds.push_nth(&net.telling, vertex, item, "h", &[0.5, -1.0, 2.0, 0.3]);
        found.push(gradient(&mut engine, &seeds).unwrap().1);
    }
    let differ = |(place, x): (usize, &f64)| found[..place].iter().all(|y| x != y);
    assert!(found.iter().enumerate().all(differ), "{found:?}");
    let mut seeds = Seeds::new();
    seeds.push_nth(&net.telling, vertex, items, "h", &[0.0; 4]);
    let error = gradient(&mut engine, &seeds).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("vertex 0 of `telling` has pushed {items} items; there is no item {items}")
    );
    let mut seeds = Seeds::new();
    seeds.push(&net.telling, vertex, "h", &[0.0; 4]);
    let error = gradient(&mut engine, &seeds).unwrap_err();
    assert!(matches!(error, EngineError::PushesList { function } if function == "telling"));
}

#[test]
fn a_list_is_not_read_as_one_output() {
    let net = net::<f64>();
    let mut g = net.model.graph();
    let vertex = g.add(&net.saying, (), word(1));
    let batch = net.model.minibatch([&g]).unwrap();
    let mut engine = Engine::new();
    let run = engine.infer(&net.model, &batch).unwrap();
    for error in [
        run.output(&net.saying, vertex).err(),
        run.output_at(0, 0, "h").map(drop).err(),
        run.index_at(0, 0, "word").map(drop).err(),
    ] {
        let said = error.unwrap().to_string();
        assert!(said.contains("`saying` pushes in a loop, so a list"), "{said}");
    }
    // And no vertex pulls it.
    let Said { h, .. } = g.output(&net.saying, vertex);
    g.add(&net.hearing, (), Heard { h });
    let MinibatchError::Graph { error, .. } = net.model.minibatch([&g]).unwrap_err() else {
        panic!("the graph is refused");
    };
    let said = error.problem.to_string();
    assert!(said.contains("is `saying` and pushes a list"), "{said}");
}

/// Graphs that grow from the items of lists.
#[test]
fn graphs_grow_by_items() {
    let net = net::<f64>();
    let grown = |engine: &mut Engine<f64>, count: usize| {
        let graphs: Vec<_> = (0..count)
            .map(|number| {
                let mut g = net.model.graph();
                g.set_sample(number as u64);
                g.add(&net.saying, (), word(number as u32 % 5));
                g
            })
            .collect();
        let mut growth = engine.grow_forward(&net.model, graphs, 3).unwrap();
        let mut heard = vec![Vec::new(); count];
        while let Some(round) = growth.round().unwrap() {
            for mut g in round {
                let items: Vec<(Vertex<Memory>, Said)> = g.decided(&net.saying).collect();
                let told: Vec<Vertex<Memory>> = items.iter().map(|(vertex, _)| *vertex).collect();
                for (vertex, Said { word, h }) in items {
                    assert_eq!(vertex, told[0]);
                    heard[g.place()].push((word, g.values(h).unwrap().to_vec()));
                }
                // A vertex for what was said first.
                if g.len() < 4
                    && let Some((word, _)) = heard[g.place()].first()
                {
                    g.add(&net.telling, &told[..told.len().min(1)], Word { id: *word });
                }
            }
        }
        let mut run = growth.finish().unwrap();
        grown_equals_eager(&mut run, &Check::default()).unwrap();
        heard
    };
    let mut engine = Engine::new();
    let all = grown(&mut engine, 6);
    assert!(all.iter().map(Vec::len).max() > Some(2));
    // In other company they say the same.
    assert_eq!(grown(&mut engine, 3), all[..3]);
}

/// An item of a list is no input of a vertex.
#[test]
fn items_are_not_pulled() {
    let net = net::<f64>();
    let mut g = net.model.graph();
    g.add(&net.saying, (), word(1));
    let mut engine = Engine::new();
    let mut growth = engine.grow(&net.model, [g]).unwrap();
    let error = loop {
        match growth.round() {
            Ok(Some(round)) => {
                for mut g in round {
                    let item = g.decided(&net.saying).next();
                    if let Some((_, Said { h, .. })) = item {
                        g.add(&net.hearing, (), Heard { h });
                    }
                }
            }
            Ok(None) => panic!("the graph is refused"),
            Err(error) => break error,
        }
    };
    assert!(error.to_string().contains("the input `h` is an item of a list"), "{error}");
}

/// Fault B5: an item of a list was read by its place among all that had run, in whichever growth, and
/// for a clone of its graph.
#[test]
fn items_are_those_of_their_graph_and_growth() {
    let net = net::<f64>();
    let mut g = net.model.graph();
    g.add(&net.saying, (), word(1));
    let graphs = || [g.clone(), g.clone()];
    let items = |growth: &mut edb::engine::Growth<'_, f64>| {
        let mut items = Vec::new();
        for mut g in growth.round().unwrap().unwrap() {
            items.push(g.decided(&net.saying).next().unwrap().1.h);
        }
        items
    };
    let mut engines = [Engine::new(), Engine::new()];
    let [one, other] = &mut engines;
    let mut growth = one.grow(&net.model, graphs()).unwrap();
    let elsewhere = items(&mut other.grow(&net.model, graphs()).unwrap());
    let (mut own, mut round) = (Vec::new(), growth.round().unwrap().unwrap());
    let foreign = |read: Result<&[f64], EngineError>| {
        assert!(matches!(read, Err(EngineError::ForeignOutput)), "{read:?}");
    };
    for mut g in &mut round {
        let item = g.decided(&net.saying).next().unwrap().1.h;
        assert_eq!(g.values(item).unwrap().len(), 4);
        own.push(item);
        foreign(g.values(elsewhere[g.place()]));
        if g.place() == 1 {
            foreign(g.values(own[0]));
        }
    }
    // A growth of the same graphs is another one.
    let again = growth.into_graphs();
    let mut growth = one.grow(&net.model, again).unwrap();
    for g in growth.round().unwrap().unwrap() {
        foreign(g.values(own[g.place()]));
    }
}
