//! Message passing on molecular graphs (Gilmer et al., 2017, "Neural message passing for quantum
//! chemistry"), with its rounds unrolled by `Graph::rounds`: an atom has a vertex per round,
//! and a bond one per round and direction.
//!
//! ```text
//! h_v = relu(W x_v + b)                                       an atom at first
//! m_vw = E_bond ⊙ (W_m h_w)                                   what w sends to v along a bond
//! h_v' = relu(W_h h_v + Σ_w m_vw + b)                         an atom one round later
//! y = w · relu(W_r [Σ_v h_v; max_v h_v] + b_r) + b            what is asked of the molecule
//! ```

use edb::Element;
use edb::prelude::*;

use readers::molecule::{BONDS, FEATURES, Molecule};

/// An atom after some rounds.
#[derive(State)]
pub struct Atom {
    pub h: Tensor,
}

/// The message that an atom sends to a neighbour.
#[derive(State)]
pub struct Message {
    pub m: Tensor,
}

/// The features of an atom.
#[derive(Input)]
pub struct Features {
    pub x: Tensor,
}

/// A kind of bond.
#[derive(Input)]
pub struct Bond {
    pub kind: Index,
}

/// The measured property of a molecule.
#[derive(Input)]
pub struct Gold {
    pub y: Tensor,
}

/// The model's estimate of it.
#[derive(Output)]
pub struct Estimate {
    pub y: Tensor,
}

/// An atom before the first round.
#[vertex_function]
pub fn atom(#[param(H, X)] w: Tensor, #[param(H)] b: Tensor) {
    let Features { x } = pull();
    scatter(Atom { h: (w.dot(x) + b).relu() });
}

/// The message along a bond in one direction.
#[vertex_function]
pub fn message(#[param(K, H)] bonds: Tensor, #[param(H, H)] w: Tensor) {
    let Atom { h } = gather(0);
    let Bond { kind } = pull();
    scatter(Message { m: bonds.row(kind) * w.dot(h) });
}

/// An atom after one more round.
#[vertex_function]
pub fn update(#[dim(H)] size: Dim, #[param(H, H)] w: Tensor, #[param(H)] b: Tensor) {
    let Atom { h } = gather(0);
    let mut sum = zeros(size);
    for message in gather_all::<Message>() {
        sum += message.m;
    }
    scatter(Atom { h: (w.dot(h) + sum + b).relu() });
}

/// The property of a molecule, from all of its atoms.
#[vertex_function]
pub fn read_out(
    #[dim(H)] size: Dim,
    #[param(H, 2 * H)] w: Tensor,
    #[param(H)] b: Tensor,
    #[param(1, H)] w_out: Tensor,
    #[param(1)] b_out: Tensor,
) {
    let Gold { y } = pull();
    // After a relu all values are at least zero, so zeros can start the maximum.
    let (mut sum, mut greatest) = (zeros(size), zeros(size));
    for atom in gather_all::<Atom>() {
        sum += atom.h;
        greatest = greatest.maximum(atom.h);
    }
    let hidden = (w.dot(concat([0.1 * sum, greatest])) + b).relu().dropout(0.1);
    let estimate = w_out.dot(hidden) + b_out;
    push(Estimate { y: estimate });
    loss(mse(estimate, y));
}

/// The vertex functions in a model.
pub struct Molecules {
    pub atom: Function<atom>,
    /// The functions of each round.
    pub rounds: Vec<(Function<message>, Function<update>)>,
    pub read_out: Function<read_out>,
}

impl Molecules {
    /// Adds the functions to a model, with `rounds` rounds.
    pub fn new(builder: &mut ModelBuilder, rounds: usize, hidden: usize) -> Self {
        let h = || dims! { H: hidden };
        let mut round = |round: usize| {
            let ones = Initializer::Constant(1.0);
            let message = h().dim("K", BONDS).init("bonds", ones).named(format!("message{round}"));
            let update = h().named(format!("update{round}"));
            (builder.add::<message>(message), builder.add::<update>(update))
        };
        let rounds = (0..rounds).map(&mut round).collect();
        let atom = builder.add::<atom>(dims! { X: FEATURES, H: hidden });
        Self { atom, rounds, read_out: builder.add::<read_out>(h()) }
    }

    /// A molecule as a graph, and the vertex that estimates its property.
    pub fn graph<T: Element>(
        &self,
        model: &Model<T>,
        molecule: &Molecule,
        y: f64,
    ) -> (Graph<T>, Vertex<()>) {
        let mut g = model.graph();
        let mut first: Vec<Vertex<Atom>> = Vec::with_capacity(molecule.atoms.len());
        for x in &molecule.atoms {
            let x = g.tensor(&x.map(T::from_f64));
            first.push(g.add(&self.atom, (), Features { x }));
        }
        let both_ways = |&(a, b, kind)| [(a, b, kind), (b, a, kind)];
        let atoms = g.rounds(
            &self.rounds,
            &first,
            molecule.bonds.iter().flat_map(both_ways),
            |g, (message, _), [from, _], kind| {
                g.add(message, [from], Bond { kind: (*kind).into() })
            },
            |g, (_, update), atom, received| g.add(update, (atom, received), ()),
        );
        let y = g.tensor(&[T::from_f64(y)]);
        let vertex = g.add(&self.read_out, &atoms, Gold { y });
        (g, vertex)
    }
}
