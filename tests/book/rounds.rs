//! The code of "A graph with cycles", in the chapter "Arity, types and connections": a whole
//! program.

// ANCHOR: uses
use std::error::Error;

use edb::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
// ANCHOR_END: uses

// ANCHOR: data
/// Places, and roads between them, which lead in both directions.
struct Map {
    /// Of each place, 1 for the start, 2 for the goal and 0 for all others.
    kinds: Vec<u32>,
    roads: Vec<(usize, usize)>,
    /// Whether at most three roads lead from the start to the goal.
    is_near: bool,
}

/// A ring of places, with three roads across it.
fn map(rng: &mut StdRng) -> Map {
    let count = rng.random_range(10..=16);
    let mut roads: Vec<_> = (0..count).map(|place| (place, (place + 1) % count)).collect();
    roads.extend((0..3).map(|_| (rng.random_range(0..count), rng.random_range(0..count))));
    let goal = rng.random_range(1..count);
    let mut kinds = vec![0; count];
    (kinds[0], kinds[goal]) = (1, 2);
    // The places that zero, one, two and three roads from the start lead to.
    let mut reached = vec![false; count];
    reached[0] = true;
    for _ in 0..3 {
        let before = reached.clone();
        for &(a, b) in &roads {
            reached[a] |= before[b];
            reached[b] |= before[a];
        }
    }
    Map { kinds, roads, is_near: reached[goal] }
}
// ANCHOR_END: data

// ANCHOR: ports
/// What a place knows after some rounds.
#[derive(State)]
struct Known {
    h: Tensor,
}

/// What a place is at first.
#[derive(Input)]
struct Place {
    kind: Index,
}

/// The right answer for a map.
#[derive(Input)]
struct Answer {
    is_near: Index,
}

/// A score for no, and one for yes.
#[derive(Output)]
struct Scores {
    logits: Tensor,
}
// ANCHOR_END: ports

// ANCHOR: functions
/// A place before the first round.
#[vertex_function(check(K = 3, H = 4))]
fn place(#[param(K, H)] table: Tensor) {
    let Place { kind } = pull();
    scatter(Known { h: table.row(kind) });
}

/// A place after one more round: from what it and its neighbours knew before that round.
#[vertex_function(check(H = 3))]
fn hear(
    #[dim(H)] size: Dim,
    #[param(H, H)] own: Tensor,
    #[param(H, H)] others: Tensor,
    #[param(H)] b: Tensor,
) {
    let before: Known = gather(0);
    let mut sum = zeros(size);
    for neighbour in gather_all::<Known>() {
        sum += neighbour.h;
    }
    scatter(Known { h: (own.dot(before.h) + others.dot(sum) + b).tanh() });
}

/// The answer for a map, from what all places know after the last round.
#[vertex_function(check(H = 3))]
fn answer(#[dim(H)] size: Dim, #[param(2, H)] w: Tensor, #[param(2)] b: Tensor) {
    let mut greatest = zeros(size) - 1.0; // the least that `tanh` returns
    for place in gather_all::<Known>() {
        greatest = greatest.maximum(place.h);
    }
    let logits = w.dot(greatest) + b;
    push(Scores { logits });
    let Answer { is_near } = pull();
    loss(cross_entropy(logits, is_near));
}
// ANCHOR_END: functions

// ANCHOR: graph
const ROUNDS: usize = 3;

#[derive(Functions)]
struct Roads {
    place: Function<place>,
    hear: Function<hear>,
    answer: Function<answer>,
}

impl Roads {
    /// A map as a graph, and the vertex that answers.
    fn graph(&self, model: &Model, map: &Map) -> (Graph, Vertex<()>) {
        let mut g = model.graph();
        let first: Vec<Vertex<Known>> = (map.kinds.iter())
            .map(|&kind| g.add(&self.place, (), Place { kind: kind.into() }))
            .collect();
        let both_ways = map.roads.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        let known = g.rounds_of_states(0..ROUNDS, &first, both_ways, |g, _, place, neighbours| {
            g.add(&self.hear, (place, neighbours), ())
        });
        let is_near = u32::from(map.is_near).into();
        let vertex = g.add(&self.answer, &known, Answer { is_near });
        (g, vertex)
    }
}
// ANCHOR_END: graph

// ANCHOR: train
/// Learns from new maps in every step, and returns the share of right answers for maps that it has
/// not seen.
fn train(steps: usize) -> Result<f64, Box<dyn Error>> {
    let mut rng = StdRng::seed_from_u64(1);
    let mut builder = ModelBuilder::new();
    let roads: Roads = builder.add_all(dims! { K: 3, H: 16 });
    let model: Model = builder.build(1)?;
    let mut trainer = Trainer::new(model, Adam::new(1e-2)).clip_norm(5.0);
    for _ in 0..steps {
        let graphs: Vec<Graph> =
            (0..32).map(|_| roads.graph(trainer.model(), &map(&mut rng)).0).collect();
        trainer.step_graphs(&graphs)?;
    }
    let maps: Vec<Map> = (0..500).map(|_| map(&mut rng)).collect();
    let made = maps.iter().map(|map| roads.graph(trainer.model(), map));
    let (graphs, vertices): (Vec<Graph>, Vec<Vertex<()>>) = made.unzip();
    let batch = trainer.model().minibatch(&graphs)?;
    let run = trainer.infer(&batch)?;
    assert_eq!(run.batch_count(), ROUNDS); // of all 500 maps together
    let mut right = 0;
    for (map, vertex) in maps.iter().zip(vertices) {
        let logits = run.output(&roads.answer, vertex)?.logits;
        right += usize::from((logits[1] > logits[0]) == map.is_near);
    }
    Ok(right as f64 / maps.len() as f64)
}

fn main() -> Result<(), Box<dyn Error>> {
    let right = train(300)?;
    println!("{right:.3} of the answers are right");
    assert!(right > 0.95);
    Ok(())
}
// ANCHOR_END: train

// ANCHOR: blank
/// A place of which nothing is known but its roads.
#[vertex_function(check(H = 3))]
fn blank(#[param(H)] start: Tensor) {
    scatter(Known { h: start });
}

/// Each round has parameters of its own.
#[derive(Functions)]
struct ThreeRounds {
    blank: Function<blank>,
    first: Function<hear>,
    second: Function<hear>,
    third: Function<hear>,
}
// ANCHOR_END: blank

// ANCHOR: edges
/// What one end of a road tells the other.
#[derive(State)]
struct Told {
    m: Tensor,
}

/// What is known of a road.
#[derive(Input)]
struct Road {
    kind: Index,
    length: Tensor,
}

/// The message along a road, in one direction.
#[vertex_function(check(R = 2, H = 3))]
fn tell(#[param(R, H)] table: Tensor) {
    let known: Known = gather(0);
    let Road {
        kind,
        #[shape()]
        length,
    } = pull();
    scatter(Told { m: table.row(kind) * known.h / (1.0 + length) });
}

/// A place after one more round: from what it knew before, and the greatest of what it was told.
#[vertex_function(check(H = 3))]
fn listen(#[dim(H)] size: Dim, #[param(H, H)] own: Tensor) {
    let before: Known = gather(0);
    let mut greatest = zeros(size);
    for road in gather_all::<Told>() {
        greatest = greatest.maximum(road.m);
    }
    scatter(Known { h: (own.dot(before.h) + greatest).tanh() });
}

/// Each round has functions of its own.
struct Layers {
    blank: Function<blank>,
    layers: Vec<(Function<tell>, Function<listen>)>,
}

impl Layers {
    fn new(builder: &mut ModelBuilder, rounds: usize) -> Self {
        let mut layer = |round| {
            let tell = dims! { R: 2, H: 4 }.named(format!("tell{round}"));
            let listen = dims! { H: 4 }.named(format!("listen{round}"));
            (builder.add::<tell>(tell), builder.add::<listen>(listen))
        };
        let layers = (0..rounds).map(&mut layer).collect();
        Self { blank: builder.add::<blank>(dims! { H: 4 }), layers }
    }

    /// The last round's vertices, of places between which there are roads `(from, to, (kind, length))`.
    fn known(
        &self,
        g: &mut Graph,
        places: usize,
        roads: Vec<(usize, usize, (u32, f32))>,
    ) -> Vec<Vertex<Known>> {
        let first: Vec<_> = (0..places).map(|_| g.add(&self.blank, (), ())).collect();
        g.rounds(
            &self.layers,
            &first,
            roads,
            |g, (tell, _), [from, _to], &(kind, length)| {
                let length = g.tensor(&[length]);
                g.add(tell, [from], Road { kind: kind.into(), length })
            },
            |g, (_, listen), place, told| g.add(listen, (place, told), ()),
        )
    }
}
// ANCHOR_END: edges

/// The same graph by hand.
fn by_hand(
    f: &Layers,
    g: &mut Graph,
    places: usize,
    roads: &[(usize, usize, (u32, f32))],
) -> Vec<Vertex<Known>> {
    let mut known: Vec<_> = (0..places).map(|_| g.add(&f.blank, (), ())).collect();
    for (tell, listen) in &f.layers {
        let mut told = vec![Vec::new(); places];
        for &(from, to, (kind, length)) in roads {
            let length = g.tensor(&[length]);
            let kind = kind.into();
            told[to].push(g.add(tell, [known[from]], Road { kind, length }));
        }
        let next = known.iter().zip(&told);
        known = next.map(|(place, told)| g.add(listen, (*place, &told[..]), ())).collect();
    }
    known
}

#[test]
fn rounds_build_the_graph_that_one_builds_by_hand() -> Result<(), Box<dyn Error>> {
    let mut rng = StdRng::seed_from_u64(2);
    for rounds in 0..4 {
        let mut builder = ModelBuilder::new();
        let f = Layers::new(&mut builder, rounds);
        let model: Model = builder.build(1)?;
        for places in [1, 2, 7] {
            let mut place = || rng.random_range(0..places);
            // Loops, roads that are there twice, and places without a road.
            let roads: Vec<_> = (0..places as u32)
                .map(|road| (place(), place(), (road % 2, road as f32 * 0.5)))
                .collect();
            let (mut g, mut expected) = (model.graph(), model.graph());
            let last = f.known(&mut g, places, roads.clone());
            let last_by_hand = by_hand(&f, &mut expected, places, &roads);
            // A hash of all vertices, children and inputs.
            assert_eq!(g.sample_id(), expected.sample_id());
            let numbers = |vertices: &[Vertex<Known>]| -> Vec<usize> {
                vertices.iter().map(Vertex::number).collect()
            };
            assert_eq!(numbers(&last), numbers(&last_by_hand));
            let batch = model.minibatch([&g])?;
            edb::testing::compiled_equals_eager(&model, &batch, &Default::default())?;
        }
    }
    Ok(())
}

#[test]
fn an_edge_to_a_node_that_does_not_exist_is_reported() -> Result<(), Box<dyn Error>> {
    let mut builder = ModelBuilder::new();
    let f = Layers::new(&mut builder, 1);
    let model: Model = builder.build(1)?;
    let mut g = model.graph();
    f.known(&mut g, 2, vec![(0, 1, (0, 1.0)), (1, 2, (0, 1.0)), (7, 0, (0, 1.0))]);
    let error = model.minibatch([&g]).expect_err("node 2 does not exist");
    assert_eq!(
        error.to_string(),
        "graph 0 of the minibatch, vertex 2: edge 1 of the rounds before this vertex leads from or to node 2, but \
         there are 2 nodes, numbered from 0"
    );
    Ok(())
}

#[test]
fn a_road_that_is_there_twice_is_summed_twice() -> Result<(), Box<dyn Error>> {
    let mut setup = dims! { H: 2 }.init("blank.start", Initializer::Constant(0.25));
    for round in ["first", "second", "third"] {
        let name = |param: &str| format!("{round}.{param}");
        setup = setup.init(name("own"), Initializer::Zeros);
        setup = setup.init(name("others"), Initializer::Identity { gain: 1.0 });
    }
    let mut builder = ModelBuilder::new();
    let f: ThreeRounds = builder.add_all(setup);
    let model: Model = builder.build(1)?;
    let mut g = model.graph();
    let [a, b] = [(); 2].map(|()| g.add(&f.blank, (), ()));
    let mut known = b;
    for hear in [&f.first, &f.second, &f.third] {
        known = g.add(hear, (a, &[known, known][..]), ());
    }
    let batch = model.minibatch([&g])?;
    let mut engine = Engine::new();
    let run = engine.infer(&model, &batch)?;
    let expected = (0..3).fold(0.25_f32, |h, _| (2.0 * h).tanh());
    for x in run.state(known)?.h.iter() {
        assert!((x - expected).abs() < 1e-6, "{x}");
    }
    Ok(())
}

#[test]
fn places_hear_of_places_three_roads_away() -> Result<(), Box<dyn Error>> {
    main()
}
