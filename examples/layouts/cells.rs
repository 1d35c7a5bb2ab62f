//! The cells of ED-Batch's table 2, each written twice: with a weight for each gate and argument
//! (`separate`), and with one weight for all of them (`stacked`).
//!
//! Inputs are as wide as states: the paper's *model size*.

use edb::prelude::*;

/// The state that an LSTM passes to the next vertex.
#[derive(State)]
pub struct Memory {
    pub h: Tensor,
    pub c: Tensor,
}

/// The state that a GRU passes to the next vertex.
#[derive(State)]
pub struct Hidden {
    pub h: Tensor,
}

/// The state that a phrase of MV-RNN passes to its parent: a vector, and a matrix that modifies its
/// sibling's.
#[derive(State)]
pub struct Phrase {
    pub p: Tensor,
    pub m: Tensor,
}

/// A word as a vector.
#[derive(Input)]
pub struct Word {
    pub x: Tensor,
}

/// A memory as input.
#[derive(Input)]
pub struct GivenMemory {
    pub h: Tensor,
    pub c: Tensor,
}

/// A hidden state as input.
#[derive(Input)]
pub struct GivenHidden {
    pub h: Tensor,
}

/// A phrase as input.
#[derive(Input)]
pub struct GivenPhrase {
    pub p: Tensor,
    pub m: Tensor,
}

/// A child for LSTM cells.
#[vertex_function]
pub fn memory() {
    let GivenMemory { h, c } = pull();
    scatter(Memory { h, c });
}

/// A child for GRU cells.
#[vertex_function]
pub fn hidden() {
    let GivenHidden { h } = pull();
    scatter(Hidden { h });
}

/// A child for the MV-RNN cell.
#[vertex_function]
pub fn phrase() {
    let GivenPhrase { p, m } = pull();
    scatter(Phrase { p, m });
}

/// The new state of an LSTM, from its gates (Hochreiter and Schmidhuber, 1997).
#[vertex_helper]
fn remember(i: Tensor, o: Tensor, u: Tensor, kept: Tensor) -> (Tensor, Tensor) {
    let c = kept + i.sigmoid() * u.tanh();
    (o.sigmoid() * c.tanh(), c)
}

/// `(1 - z) n + z h`.
#[vertex_helper]
fn blend(z: Tensor, h: Tensor, n: Tensor) -> Tensor {
    let z = z.sigmoid();
    n + z * (h - n)
}

/// A weight for each gate and argument.
pub mod separate {
    use super::*;

    /// A GRU (Cho et al., 2014).
    #[vertex_function]
    pub fn gru(
        #[param(H, H)] w_z: Tensor,
        #[param(H, H)] u_z: Tensor,
        #[param(H)] b_z: Tensor,
        #[param(H, H)] w_r: Tensor,
        #[param(H, H)] u_r: Tensor,
        #[param(H)] b_r: Tensor,
        #[param(H, H)] w_n: Tensor,
        #[param(H, H)] u_n: Tensor,
        #[param(H)] b_n: Tensor,
    ) {
        let Word { x } = pull();
        let Hidden { h } = gather(0);
        let r = (w_r.dot(x) + u_r.dot(h) + b_r).sigmoid();
        let n = (w_n.dot(x) + u_n.dot(r * h) + b_n).tanh();
        scatter(Hidden { h: blend(w_z.dot(x) + u_z.dot(h) + b_z, h, n) });
    }

    /// An LSTM.
    #[vertex_function]
    pub fn lstm(
        #[param(H, H)] w_i: Tensor,
        #[param(H, H)] u_i: Tensor,
        #[param(H)] b_i: Tensor,
        #[param(H, H)] w_f: Tensor,
        #[param(H, H)] u_f: Tensor,
        #[param(H)] b_f: Tensor,
        #[param(H, H)] w_o: Tensor,
        #[param(H, H)] u_o: Tensor,
        #[param(H)] b_o: Tensor,
        #[param(H, H)] w_u: Tensor,
        #[param(H, H)] u_u: Tensor,
        #[param(H)] b_u: Tensor,
    ) {
        let Word { x } = pull();
        let before: Memory = gather(0);
        let i = w_i.dot(x) + u_i.dot(before.h) + b_i;
        let f = w_f.dot(x) + u_f.dot(before.h) + b_f;
        let o = w_o.dot(x) + u_o.dot(before.h) + b_o;
        let u = w_u.dot(x) + u_u.dot(before.h) + b_u;
        let (h, c) = remember(i, o, u, f.sigmoid() * before.c);
        scatter(Memory { h, c });
    }

    /// MV-RNN (Socher et al., 2012, equations 2 and 3): each child's matrix multiplies the other's
    /// vector, and the parent's matrix is made of the children's.
    #[vertex_function]
    pub fn mv(
        #[param(H, H)] w_l: Tensor,
        #[param(H, H)] w_r: Tensor,
        #[param(H)] b: Tensor,
        #[param(H, H)] m_l: Tensor,
        #[param(H, H)] m_r: Tensor,
    ) {
        let [l, r]: [Phrase; 2] = [gather(0), gather(1)];
        let p = (w_l.dot(r.m.dot(l.p)) + w_r.dot(l.m.dot(r.p)) + b).tanh();
        scatter(Phrase { p, m: m_l.dot(l.m) + m_r.dot(r.m) });
    }

    /// A binary Tree-GRU, with a reset gate for each child.
    #[vertex_function]
    pub fn tree_gru(
        #[param(H, H)] z_l: Tensor,
        #[param(H, H)] z_r: Tensor,
        #[param(H)] b_z: Tensor,
        #[param(H, H)] l_l: Tensor,
        #[param(H, H)] l_r: Tensor,
        #[param(H)] b_l: Tensor,
        #[param(H, H)] r_l: Tensor,
        #[param(H, H)] r_r: Tensor,
        #[param(H)] b_r: Tensor,
        #[param(H, H)] n_l: Tensor,
        #[param(H, H)] n_r: Tensor,
        #[param(H)] b_n: Tensor,
    ) {
        let [l, r]: [Hidden; 2] = [gather(0), gather(1)];
        let reset_l = (l_l.dot(l.h) + l_r.dot(r.h) + b_l).sigmoid();
        let reset_r = (r_l.dot(l.h) + r_r.dot(r.h) + b_r).sigmoid();
        let n = (n_l.dot(reset_l * l.h) + n_r.dot(reset_r * r.h) + b_n).tanh();
        scatter(Hidden { h: blend(z_l.dot(l.h) + z_r.dot(r.h) + b_z, l.h + r.h, n) });
    }

    /// The leaf of a Tree-GRU: a GRU without a previous state.
    #[vertex_function]
    pub fn gru_leaf(
        #[param(H, H)] w_z: Tensor,
        #[param(H)] b_z: Tensor,
        #[param(H, H)] w_n: Tensor,
        #[param(H)] b_n: Tensor,
    ) {
        let Word { x } = pull();
        let z = (w_z.dot(x) + b_z).sigmoid();
        let n = (w_n.dot(x) + b_n).tanh();
        scatter(Hidden { h: n - z * n });
    }

    /// A binary Tree-LSTM (Tai et al., 2015, equations 9 to 14).
    #[vertex_function]
    pub fn tree_lstm(
        #[param(H, H)] i_l: Tensor,
        #[param(H, H)] i_r: Tensor,
        #[param(H)] b_i: Tensor,
        #[param(H, H)] l_l: Tensor,
        #[param(H, H)] l_r: Tensor,
        #[param(H)] b_l: Tensor,
        #[param(H, H)] r_l: Tensor,
        #[param(H, H)] r_r: Tensor,
        #[param(H)] b_r: Tensor,
        #[param(H, H)] o_l: Tensor,
        #[param(H, H)] o_r: Tensor,
        #[param(H)] b_o: Tensor,
        #[param(H, H)] u_l: Tensor,
        #[param(H, H)] u_r: Tensor,
        #[param(H)] b_u: Tensor,
    ) {
        let [l, r]: [Memory; 2] = [gather(0), gather(1)];
        let i = i_l.dot(l.h) + i_r.dot(r.h) + b_i;
        let f_l = l_l.dot(l.h) + l_r.dot(r.h) + b_l;
        let f_r = r_l.dot(l.h) + r_r.dot(r.h) + b_r;
        let o = o_l.dot(l.h) + o_r.dot(r.h) + b_o;
        let u = u_l.dot(l.h) + u_r.dot(r.h) + b_u;
        let (h, c) = remember(i, o, u, f_l.sigmoid() * l.c + f_r.sigmoid() * r.c);
        scatter(Memory { h, c });
    }

    /// The leaf of a Tree-LSTM: an LSTM without a previous state.
    #[vertex_function]
    pub fn lstm_leaf(
        #[param(H, H)] w_i: Tensor,
        #[param(H)] b_i: Tensor,
        #[param(H, H)] w_o: Tensor,
        #[param(H)] b_o: Tensor,
        #[param(H, H)] w_u: Tensor,
        #[param(H)] b_u: Tensor,
    ) {
        let Word { x } = pull();
        let c = (w_i.dot(x) + b_i).sigmoid() * (w_u.dot(x) + b_u).tanh();
        scatter(Memory { h: (w_o.dot(x) + b_o).sigmoid() * c.tanh(), c });
    }
}

/// One weight for all gates, over the concatenation of all arguments.
pub mod stacked {
    use super::*;

    /// A GRU: the candidate has a weight of its own, because its input depends on a gate.
    #[vertex_function]
    pub fn gru(
        #[param(2 * H, 2 * H)] w: Tensor,
        #[param(2 * H)] b: Tensor,
        #[param(H, 2 * H)] w_n: Tensor,
        #[param(H)] b_n: Tensor,
    ) {
        let Word { x } = pull();
        let Hidden { h } = gather(0);
        let [z, r] = (w.dot(concat([x, h])) + b).split();
        let n = (w_n.dot(concat([x, r.sigmoid() * h])) + b_n).tanh();
        scatter(Hidden { h: blend(z, h, n) });
    }

    /// An LSTM.
    #[vertex_function]
    pub fn lstm(#[param(4 * H, 2 * H)] w: Tensor, #[param(4 * H)] b: Tensor) {
        let Word { x } = pull();
        let before: Memory = gather(0);
        let [i, f, o, u] = (w.dot(concat([x, before.h])) + b).split();
        let (h, c) = remember(i, o, u, f.sigmoid() * before.c);
        scatter(Memory { h, c });
    }

    /// MV-RNN; the products of two matrices stay separate, because only vectors are stacked.
    #[vertex_function]
    pub fn mv(
        #[param(H, 2 * H)] w: Tensor,
        #[param(H)] b: Tensor,
        #[param(H, H)] m_l: Tensor,
        #[param(H, H)] m_r: Tensor,
    ) {
        let [l, r]: [Phrase; 2] = [gather(0), gather(1)];
        let p = (w.dot(concat([r.m.dot(l.p), l.m.dot(r.p)])) + b).tanh();
        scatter(Phrase { p, m: m_l.dot(l.m) + m_r.dot(r.m) });
    }

    /// A binary Tree-GRU.
    #[vertex_function]
    pub fn tree_gru(
        #[param(3 * H, 2 * H)] u: Tensor,
        #[param(3 * H)] b: Tensor,
        #[param(H, 2 * H)] u_n: Tensor,
        #[param(H)] b_n: Tensor,
    ) {
        let [l, r]: [Hidden; 2] = [gather(0), gather(1)];
        let [z, reset_l, reset_r] = (u.dot(concat([l.h, r.h])) + b).split();
        let reset = concat([reset_l.sigmoid() * l.h, reset_r.sigmoid() * r.h]);
        let n = (u_n.dot(reset) + b_n).tanh();
        scatter(Hidden { h: blend(z, l.h + r.h, n) });
    }

    /// The leaf of a Tree-GRU.
    #[vertex_function]
    pub fn gru_leaf(#[param(2 * H, H)] w: Tensor, #[param(2 * H)] b: Tensor) {
        let Word { x } = pull();
        let [z, n] = (w.dot(x) + b).split();
        let n = n.tanh();
        scatter(Hidden { h: n - z.sigmoid() * n });
    }

    /// A binary Tree-LSTM.
    #[vertex_function]
    pub fn tree_lstm(#[param(5 * H, 2 * H)] u: Tensor, #[param(5 * H)] b: Tensor) {
        let [l, r]: [Memory; 2] = [gather(0), gather(1)];
        let [i, f_l, f_r, o, u] = (u.dot(concat([l.h, r.h])) + b).split();
        let (h, c) = remember(i, o, u, f_l.sigmoid() * l.c + f_r.sigmoid() * r.c);
        scatter(Memory { h, c });
    }

    /// The leaf of a Tree-LSTM.
    #[vertex_function]
    pub fn lstm_leaf(#[param(3 * H, H)] w: Tensor, #[param(3 * H)] b: Tensor) {
        let Word { x } = pull();
        let [i, o, u] = (w.dot(x) + b).split();
        let c = i.sigmoid() * u.tanh();
        scatter(Memory { h: o.sigmoid() * c.tanh(), c });
    }
}
