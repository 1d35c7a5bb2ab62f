//! Vertex functions that no one wrote: `EDB_BLESS=1 cargo test --test generated` writes them anew.

// Accumulators are written in all the ways that the language has.
#![allow(clippy::assign_op_pattern)]

use edb::element::Element;

use crate::generator::Kind;
use crate::model::{Enter, enter};

pub mod prelude {
    pub use edb::prelude::*;

    pub use crate::cells::*;
}

pub mod leaf {
    use super::prelude::*;

    #[vertex_function]
    pub fn leaf_0(
        #[param(E)] b2: Tensor, #[param(V, H)] table4: Tensor, #[param(K, H)] w6: Tensor,
        #[param()] s7: Tensor, #[param(2 * E, K)] w8: Tensor, #[param(2 * E)] b9: Tensor,
        #[param(E)] b12: Tensor, #[dim(E)] de: Dim, #[param(K, E)] w13: Tensor,
        #[param(K, E)] w14: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = p1.x * b2;
        let x5 = table4.row(p1.id);
        let [x10, x11]: [Tensor; 2] = (w8.dot(s7.tanh() * w6.dot(x5).tanh()) + b9).split();
        let x10 = x10.tanh() + (1.0 / (de as f64).sqrt() - b12);
        scatter(Node { h: x5.exp().tanh(), c: (((w13.dot(x3) + w13.dot(p1.x)) * w14.dot(x11)).tanh() * w13.dot(x10)).tanh() });
    }

    #[vertex_function]
    pub fn leaf_1(
        #[param(E)] b2: Tensor, #[param(H, H)] w4: Tensor, #[param(H)] b5: Tensor,
        #[param(K)] b6: Tensor, #[param(H, K)] w7: Tensor, #[param(2 * K, H)] w8: Tensor,
        #[param(H)] b11: Tensor, #[dim(E)] de: Dim, #[param(K, E)] w12: Tensor,
        #[param(K, E)] w13: Tensor, #[param(H)] b14: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = p1 * b2;
        let [x9, x10]: [Tensor; 2] = w8.dot(gate(w4, b5, b5) - w7.dot(b6)).split();
        loss(cross_entropy((w4 * (1.0 / de as f64)).dot(b11).softmax(), label));
        let (h, c) = (w4.tanh().dot(b14).softmax(), (((w12.dot(x3) - w13.dot(p1)) * x9).tanh() + x10).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn leaf_2(
        #[param(H, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(E)] b6: Tensor,
        #[param(2 * K, E)] w7: Tensor, #[param(V, K)] table10: Tensor, #[dim(H)] dh: Dim,
        #[param(H, H + K)] w11: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = (w2 + w2).dot(p1);
        let x5 = table4.row(id);
        let [x8, x9] = w7.dot(b6.log_softmax().tanh()).split::<2>();
        loss((0.5 * mse(table10.row(id), table10.row(id))).tanh());
        loss(mse((2.0 / (0.5 + zeros(dh).sigmoid())).log_softmax().tanh(), x3.tanh()));
        let (h, c) = ((w11.dot(summary(Node { h: x3, c: x8 })).sigmoid() + 0.5).ln().tanh(), (x9 * x8).softmax());
        scatter(Node { h, c });
        let out12 = Scores { y: x5 / (x5.sigmoid() + 0.5), logits: (-x9).softmax() };
        push(out12);
    }

    #[vertex_function]
    pub fn leaf_3(
        #[param(E, E)] w1: Tensor, #[param(V, E)] table3: Tensor, #[param(K)] b7: Tensor,
        #[param(H, K)] w8: Tensor, #[param(H)] b9: Tensor, #[param(H, H)] w10: Tensor,
        #[param(V, K)] table11: Tensor, #[param(K, H)] w12: Tensor, #[param(K)] b14: Tensor,
        #[param(H, K)] w15: Tensor, #[param(H, K)] w16: Tensor, #[dim(H)] dh: Dim,
        #[param(E)] b17: Tensor, #[param(2 * H, H)] w18: Tensor, #[param(V, K)] table21: Tensor,
        #[dim(K)] dk: Dim, #[param(K)] b23: Tensor, #[param(K, E)] w24: Tensor,
        #[param(H, E)] w25: Tensor, #[param(K)] b26: Tensor, #[param(K, K)] w27: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = w1.dot(x);
        let x4: Tensor = table3.row(id);
        let (x5, [x13], s6) = (w8.dot(b7).sigmoid() * w10.dot(b9), [(w15 + w16).dot(b14)], (table11.row(id) - w12.dot(b9)).sum());
        let (x19, x20) = halves(w18.dot(concat([x13, b17.log_softmax()]).slice(0..dh)));
        let n22 = 0.5 / (1.0 + dk as f64);
        for k in 0..2 {
            loss(mse(n22 * table21.row(id) * b23, w24.dot(x).softmax()) * (k as f64 + 0.25));
        }
        let state: Node = Node { h: ((w25.dot(x2) * w25.dot(x4) + x5 + s6).tanh() - x19 + x20).tanh(), c: w27.dot(b26) };
        scatter(state);
    }

    #[vertex_function]
    pub fn leaf_4(
        #[param(H, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(H, H)] w8: Tensor,
        #[param(E)] b11: Tensor, #[param(2 * H, E)] w12: Tensor, #[param(2 * H)] b13: Tensor,
        #[param()] s16: Tensor, #[param(K, E)] w17: Tensor, #[param(E, E)] w18: Tensor,
        #[param(E, H)] w20: Tensor, #[param(E, H)] w21: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3: Tensor = w2.dot(p1);
        let x5 = table4.row(id);
        let n10 = 2.0_f64.sqrt() - 0.5;
        let (x6, [x9], s7) = ((w8.dot(x3) - 0.5).softmax(), [x5 + n10], p1.log_softmax().tanh().sum());
        let [x14, x15] = (w12.dot((2.0 - b11).tanh()) + b13).split::<2>();
        scatter(Node { c: (2.0 + w17.dot(p1) - x9).tanh(), h: (x6 - s16).sigmoid() });
        let out19 = Scores { y: (2.0 - p1).tanh(), logits: (p1 + s16) * (w18 * s7.tanh()).dot(p1) };
        push(out19);
        loss(((w20 * 0.75).dot(x14) + w21.dot(x15)).tanh().sum());
    }

    #[vertex_function]
    pub fn leaf_5(
        #[param(E)] b2: Tensor, #[param()] s6: Tensor, #[param(H, E)] w7: Tensor,
        #[param(K)] b9: Tensor, #[param(H, K)] w10: Tensor, #[param(H, K)] w11: Tensor,
        #[dim(E)] de: Dim, #[param(K)] b12: Tensor, #[param(E)] b13: Tensor,
        #[param(K, E)] w14: Tensor, #[param(K, E)] w16: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w17: Tensor,
    ) {
        let p1: Signal = pull();
        let x3 = p1.x * b2;
        let (x4, [x8], s5) = ((s6 - x3).tanh(), [(w10 + w11).dot(b9).tanh()], cross_entropy(w7.dot(p1.x), p1.label));
        loss(s5);
        loss(concat([zeros(de), b12]).slice(0..de).sum());
        let out15 = Scores { y: -b13, logits: noisy((w14 * s5.tanh()).dot(p1.x), 0.25).dropout(0.1) };
        push(out15);
        let state = Node { c: ((w16 * (1.0 / (dk as f64).sqrt())).dot(x4) * w17.dot(x8)).tanh(), h: x8.log_softmax().tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn leaf_6(
        #[param(E, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(H)] b6: Tensor,
        #[param(H, H)] w7: Tensor, #[param(V, K)] table8: Tensor, #[param(E, H + K)] w9: Tensor,
        #[param(K)] b10: Tensor, #[param(E, K)] w11: Tensor, #[param(E, H)] w12: Tensor,
        #[param(H, E)] w13: Tensor, #[param(E)] b14: Tensor, #[param(K, H)] w15: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let x5 = x5.tanh() + blend(w9.dot(summary(Node { h: w7.dot(b6), c: table8.row(p1.id) })), x3, w11.dot(b10));
        push(Out { y: affine(w12, 0.75 / (0.5 + w13.tanh().dot(p1.x).sigmoid()), b14).tanh() });
        let (h, c) = (w13.dot(x5).tanh(), w15.dot(b6).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn leaf_7(
        #[param(E)] b2: Tensor, #[dim(E)] de: Dim, #[param(E)] b6: Tensor,
        #[param(E)] b7: Tensor, #[param(H)] b10: Tensor, #[param(H, H)] w11: Tensor,
        #[param(H, E)] w12: Tensor, #[param(H)] b13: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b15: Tensor, #[param(H, H)] w16: Tensor, #[param(K, H)] w17: Tensor,
        #[param(E, E)] w18: Tensor, #[param()] s19: Tensor, #[param(H)] b21: Tensor,
        #[param(K, E)] w22: Tensor, #[param(K)] b23: Tensor, #[dim(K)] dk: Dim,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = p1 * b2;
        let parts4 = [(p1.exp() - x3).tanh(), zeros(de).tanh(), p1];
        let mut a5 = zeros(de);
        for k in 0..3 {
            a5 -= (parts4[k] * (b6 + b7)).tanh();
        }
        let (x8, [x14], s9) = (w11.dot(b10) * w12.dot(x3) / (0.5 + concat([a5, b13]).slice(de..de + dh).sigmoid()), [w16.tanh().dot(b15).exp()], w11.sum());
        loss(cross_entropy(scaled(w17.dot(x8).dropout(0.1), dh), label));
        let out20 = Scores { y: w18.tanh().dot(p1), logits: gate(w12, s19 - zeros(de), b10) };
        push(out20);
        scatter(Node { h: b21.log_softmax().tanh(), c: w22.dot(x3) * cross_entropy(w17.dot(x8), label).tanh() });
        loss((concat([b23.slice(1..dk), b23.slice(0..1)]) * s9 - w17.dot(x14)).tanh().sum());
    }

    #[vertex_function]
    pub fn leaf_8(
        #[param(K, E)] w2: Tensor, #[dim(E)] de: Dim, #[param(H)] b7: Tensor,
        #[param(3 * H, H)] w8: Tensor, #[param(3 * H)] b9: Tensor, #[param(H)] b11: Tensor,
        #[param(H, E)] w12: Tensor, #[param(H, E)] w13: Tensor, #[param(H)] b14: Tensor,
        #[param(K)] b15: Tensor, #[param(K)] b16: Tensor, #[param()] s19: Tensor,
        #[dim(H)] dh: Dim,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = (w2 * 2.0).dot(p1);
        let x4 = {
            let x5 = zeros(de).softmax();
            x5.tanh()
        };
        let parts6 = (w8.dot((1.0 / de as f64 + b7).sigmoid()) + b9).split::<3>();
        let mut a10 = b11;
        for part in parts6 {
            a10 += (part * (w12.dot(x4) - (w13 * 1.5).dot(x4)).tanh()).tanh();
        }
        for k in 0..2 {
            loss(cross_entropy(a10.tanh() - b14, label) * (k as f64 + 0.25));
        }
        loss((1.5 / (x3.dropout(0.1).sigmoid() + 0.5) * b15).sum().tanh());
        let n17 = 2.0_f64.sqrt() - 0.75;
        let out18 = Scores { y: -x4, logits: (n17 * b16).relu() };
        push(out18);
        let (h, c) = ((zeros(dh) + w12.dot(x4)).tanh(), (2.0 - (x3 - s19)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn leaf_9(
        #[param(E)] b2: Tensor, #[param(H)] b5: Tensor, #[param(H, H)] w6: Tensor,
        #[param(H, E)] w7: Tensor, #[dim(H)] dh: Dim, #[param(K)] b9: Tensor,
        #[param(H, K)] w10: Tensor, #[param(K, E)] w11: Tensor, #[param(2 * E, K)] w12: Tensor,
        #[param(K, E)] w15: Tensor, #[dim(K)] dk: Dim, #[param(K, E)] w16: Tensor,
        #[param()] s17: Tensor, #[param(K, E)] w18: Tensor,
    ) {
        let p1 = pull::<Word>().x;
        let x3 = p1 * b2;
        let parts4 = [(0.5 + (w6 + w6).dot(b5).sigmoid()).ln().tanh(), b5 - w7.dot(p1), b5];
        let mut a8 = zeros(dh);
        for k in 1..=2 {
            a8 -= (parts4[k] * w10.dot(b9).tanh()).tanh();
        }
        let (x13, x14) = halves(w12.dot(w11.dot(p1).exp().relu()).tanh());
        scatter(Node { c: (concat([w15.dot(x13), w16.dot(x3)]).slice(0..dk) - s17.tanh()).tanh(), h: (zeros(dh).log_softmax() * a8).tanh() });
        loss(w18.tanh().dot(x14).sum());
    }

    #[vertex_function]
    pub fn leaf_10(
        #[param(E)] b2: Tensor, #[param(V, K)] table4: Tensor, #[dim(H)] dh: Dim,
        #[param()] s8: Tensor, #[param(H)] b9: Tensor, #[param(H)] b11: Tensor,
        #[param(H, K)] w14: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = p1 * b2;
        let x5 = table4.row(id);
        let mut m6 = x5.relu();
        m6 /= 1.5;
        m6 /= 0.75;
        m6 = m6.tanh();
        let parts7 = [zeros(dh).relu().tanh(), s8 + zeros(dh), b9];
        let mut a10 = b11;
        let x12 = concat(parts7);
        for k in 0..2 {
            a10 += (x12.slice(k * dh..(k + 1) * dh) - zeros(dh).exp()).tanh();
        }
        let n13 = 2.0_f64.sqrt() - 0.75;
        loss((x3 / (p1.sigmoid() + 0.5)).max() * n13);
        loss(1.0 / dh as f64 - p1.exp().max());
        let state = Node { c: (2.0 + m6).tanh(), h: (w14.dot(m6) + a10).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn leaf_11(
        #[param(E)] b2: Tensor, #[param(H, E)] w4: Tensor, #[param(2 * K, H)] w5: Tensor,
        #[param(2 * K)] b6: Tensor, #[param(H)] b9: Tensor, #[param(K, H)] w10: Tensor,
        #[param(H, E)] w11: Tensor, #[param(H, K)] w12: Tensor, #[param(K)] b13: Tensor,
    ) {
        let p1: Signal = pull();
        let x3 = p1.x * b2;
        let (x7, x8) = halves(w5.dot(w4.dot(x3 - b2)) + b6);
        loss(cross_entropy(w10.dot(b9).relu(), p1.label));
        let state: Node = Node { h: (((w11 + w4).dot(p1.x) + w12.dot(x7)).tanh() - w12.dot(x8)).tanh(), c: b13.sigmoid() };
        scatter(state);
    }

    #[vertex_function]
    pub fn leaf_12(
        #[param(E)] b1: Tensor, #[param(V, H)] table3: Tensor, #[param(H)] b6: Tensor,
        #[param(H)] b7: Tensor, #[dim(H)] dh: Dim, #[param(H)] b9: Tensor,
        #[param(H)] b10: Tensor, #[dim(E)] de: Dim, #[param(3 * E, E)] w12: Tensor,
        #[param(E)] b14: Tensor, #[param(K)] b15: Tensor, #[param(H, K)] w16: Tensor,
        #[param(H, E)] w17: Tensor, #[param(K, H)] w18: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4: Tensor = table3.row(id);
        let parts5 = [(b6.sigmoid().sigmoid() + 0.5).ln(), (0.5 + b7.sigmoid()).ln(), zeros(dh)];
        let mut a8 = b9;
        for k in 1..=2 {
            a8 += (parts5[k] * b10).tanh() * (k as f64);
        }
        let parts11 = w12.dot((zeros(de) + x).exp()).split::<3>();
        let mut a13 = b14;
        for k in 1..=2 {
            a13 += (parts11[k] + blend(mse(a8, x4).tanh(), x2, x)).tanh() * (k as f64);
        }
        for k in 0..2 {
            loss((1.5 - (w16.tanh().dot(b15) - 0.75)).tanh().sum() * (k as f64 + 0.25));
        }
        let state = Node { c: -w18.dot(x4), h: w17.dot(a13).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn leaf_13(
        #[param(H, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(K)] b6: Tensor,
        #[param(K, K)] w7: Tensor, #[param(K, E)] w8: Tensor, #[param(K, E)] w9: Tensor,
        #[param(K, K)] w10: Tensor, #[param(K, H)] w12: Tensor, #[param(V, K)] table13: Tensor,
        #[param(K)] b14: Tensor, #[param(K, H + K)] w15: Tensor, #[param(K, E)] w16: Tensor,
        #[param(K, E)] w17: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let s11 = mse(w7.dot(b6) / ((w8 + w9).dot(x5).sigmoid() + 0.5), w10.dot(b6)).tanh();
        loss(mse(s11 + ((w12 * s11).dot(x3) + table13.row(id)), b14.softmax()));
        for k in 0..2 {
            loss(w15.dot(summary(Node { h: x3, c: table13.row(id) })).tanh().sum() * (k as f64 + 0.25));
        }
        scatter(Node { h: (-x3).tanh(), c: (w16 + w17).dot(x5).tanh() });
    }

    #[vertex_function]
    pub fn leaf_14(
        #[param(H, E)] w1: Tensor, #[param(K, E)] w3: Tensor, #[param(E, E)] w4: Tensor,
        #[param(K)] b5: Tensor, #[param(H)] mut b7: Tensor, #[param(H, H)] w8: Tensor,
        #[param(K)] b9: Tensor, #[param(H, K)] w10: Tensor, #[param(H)] b11: Tensor,
        #[param(K)] b12: Tensor, #[param(K, H)] w13: Tensor, #[dim(K)] dk: Dim,
        #[param(E)] b14: Tensor,
    ) {
        let Signal { x, .. } = pull();
        let x2: Tensor = (w1 + w1).dot(x);
        let s6 = crate::cells::gate(w3, w4.dot(x).tanh(), b5).sum().tanh();
        b7 -= gate(w8, (w10 * s6).dot(b9) / (0.5 + x2.sigmoid()), b11).tanh();
        b7 = b7.tanh();
        let state = Node { c: (w13.tanh().dot(b7) * zeros(dk)).dropout(0.25), h: (0.75 / ((0.75 / (0.5 + w10.dot(b12).sigmoid())).sigmoid() + 0.5)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: b14.tanh() });
    }

    #[vertex_function]
    pub fn leaf_15(
        #[param(E)] b2: Tensor, #[param(V, E)] table4: Tensor, #[param(E, K)] w6: Tensor,
        #[param(H)] b7: Tensor, #[param(K, H)] w8: Tensor, #[param(E)] b9: Tensor,
        #[param(3 * H, E)] w10: Tensor, #[param(K, E)] w14: Tensor, #[param(K, E)] w15: Tensor,
        #[param(K, H)] w16: Tensor, #[param(K, H)] w17: Tensor, #[param(K, H)] w18: Tensor,
        #[dim(H)] dh: Dim, #[param(K)] b19: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3: Tensor = p1 * b2;
        let x5 = table4.row(id);
        let [x11, x12, x13] = w10.dot(gate(w6, w8.dot(b7).softmax(), b9)).split();
        let state: Node = Node { h: x11.log_softmax().tanh(), c: (((w14.dot(x3) - w15.dot(p1) - w14.dot(x5) + w16.dot(x11)).tanh() + w8.dot(x12)).tanh() * w17.dot(x13)).tanh() };
        scatter(state);
        let out20 = Scores { y: weighted([x3, x5, p1]), logits: crate::cells::gate(w18, x13 - zeros(dh), b19) };
        push(out20);
    }

    #[vertex_function]
    pub fn leaf_16(
        #[param(E, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param()] s6: Tensor,
        #[param(2 * K, E)] w7: Tensor, #[param(E)] b10: Tensor, #[param(E)] b11: Tensor,
        #[dim(K)] dk: Dim, #[param(H)] b12: Tensor, #[param(E, H)] w13: Tensor,
        #[param(E)] b14: Tensor, #[param(H, E)] w15: Tensor, #[param(K)] b16: Tensor,
        #[dim(E)] de: Dim,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5: Tensor = table4.row(p1.id);
        let (x8, x9) = halves(w7.dot((p1.x - s6).log_softmax()).tanh());
        loss((b10 * b11).sum().sigmoid().sigmoid());
        loss(scaled((w2 * 0.75).dot(x3), dk).tanh().sum());
        push(Out { y: (2.0 - blend(w13.dot(b12) - s6, b10, b14)).tanh() });
        let (h, c) = (scaled(w15.dot(p1.x), dk).exp().tanh(), 1.0 / de as f64 * b16);
        scatter(Node { h, c });
        loss((x5 + x8 + x9).sum());
    }

    #[vertex_function]
    pub fn leaf_17(
        #[param(H, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(K, E)] w6: Tensor,
        #[param(E, H)] w7: Tensor, #[param(K)] b8: Tensor, #[param(E)] b9: Tensor,
        #[param(K, E)] w11: Tensor, #[param(K, H)] w12: Tensor, #[param(K, H)] w13: Tensor,
        #[param(H, K)] w15: Tensor, #[param(H, K)] w16: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let s10 = (2.0 * (affine(w6, w7.dot(x3), b8) * w6.dot(b9)).tanh().sum()).tanh();
        let x14 = ((w11 + w6).dot(b9) * (w12 + w13).dot(x3)).tanh().tanh();
        scatter(Node { c: b8 * x14, h: ((w15.dot(x5) - s10) * (w15 + w16).dot(x14)).tanh() });
    }

    #[vertex_function]
    pub fn leaf_18(
        #[param(H, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(V, E)] table7: Tensor,
        #[param(K, H)] w9: Tensor, #[param(K, E)] w10: Tensor, #[param(H, K)] w12: Tensor,
        #[param(E, E)] w14: Tensor, #[param(K, E)] w16: Tensor, #[param(E)] b17: Tensor,
        #[param(E)] b18: Tensor, #[param()] s19: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5: Tensor = table4.row(id);
        let x6 = {
            let x8 = (table7.row(id) * x5).dropout(0.25);
            let x11 = (w9.tanh().dot(x3).sigmoid() + 0.5).ln() - mse(w9.dot(x3), w10.dot(x8)).tanh();
            w12.dot(x11).tanh()
        };
        let x13 = {
            let x5 = x5.tanh() + w14.dot(x5) * x5;
            w10.dot(x5).tanh()
        };
        let n15 = 2.0_f64.sqrt() - 1.5;
        let (h, c) = ((x6 + (w12 * n15).dot(x13)).tanh(), w16.dot(x5).dropout(0.25).tanh());
        scatter(Node { h, c });
        let out20 = Scores { y: -b17, logits: s19 * b18 };
        push(out20);
    }

    #[vertex_function]
    pub fn leaf_19(
        #[param(K, E)] w1: Tensor, #[param(V, K)] table3: Tensor, #[param(K, K)] w5: Tensor,
        #[param(3 * E, K)] w6: Tensor, #[param(3 * E)] b7: Tensor, #[param(H)] b11: Tensor,
        #[param(H, H)] w12: Tensor, #[param(H, H)] w13: Tensor, #[param(4 * K, H)] w14: Tensor,
        #[param(4 * K)] b15: Tensor, #[param(K)] b20: Tensor, #[param(K, E)] w21: Tensor,
        #[param(H, E)] w22: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = w1.dot(x);
        let x4 = table3.row(id);
        let [x8, x9, x10]: [Tensor; 3] = (w6.dot((w5.sum() * x2.dropout(0.5)).tanh()) + b7).split();
        let [x16, x17, x18, x19]: [Tensor; 4] = (w14.dot(-((w12 + w13).dot(b11) / (b11.sigmoid() + 0.5))) + b15).split();
        for k in 0..2 {
            loss(mse((b20.log_softmax() - x17).tanh(), x16).tanh() * (k as f64 + 0.25));
        }
        scatter(Node { h: w22.dot(x9).relu().tanh(), c: (((x4 + w1.dot(x8) - w1.tanh().dot(x9)).tanh() * w21.dot(x10) - x18).tanh() + x19).tanh() });
    }

    #[vertex_function]
    pub fn leaf_20(
        #[param(K, E)] w1: Tensor, #[param(V, H)] table3: Tensor, #[param(E, H)] w6: Tensor,
        #[dim(K)] dk: Dim, #[param(H, H)] w9: Tensor, #[param(H)] b10: Tensor,
        #[param(H, E)] w12: Tensor, #[param(K, H)] w13: Tensor, #[param(E)] b14: Tensor,
        #[param(E, E)] w15: Tensor, #[param(E)] b16: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b17: Tensor, #[param(E)] b18: Tensor, #[param(H, H)] w19: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = (w1 + w1).dot(x);
        let x4 = table3.row(id);
        let x5 = {
            let n7 = 0.75 / (1.0 + dk as f64);
            let x8 = n7 - w6.dot(x4).dropout(0.25);
            let x11 = gate(w9, x4.tanh(), b10);
            (w12.tanh().dot(x8) + x11).tanh().tanh()
        };
        let (h, c) = ((x5 - b10).tanh(), (x2 - w13.dot(x5)).tanh());
        scatter(Node { h, c });
        let out20 = Scores { y: blend(w15.dot(b14) + w15.dot(b16), zeros(de), b17), logits: (w12.dot(b18) * w19.dot(x4)).sum() };
        push(out20);
    }

    #[vertex_function]
    pub fn leaf_21(
        #[param(E, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(H, E)] w7: Tensor,
        #[param(H)] b8: Tensor, #[param()] s9: Tensor, #[param(K, H)] w11: Tensor,
        #[dim(E)] de: Dim, #[param(E)] b13: Tensor, #[param(E, H)] w14: Tensor,
        #[param(K, E)] w17: Tensor, #[param(H, K)] w18: Tensor, #[param(V, E)] table19: Tensor,
        #[param(K, H)] w20: Tensor, #[dim(H)] dh: Dim, #[param()] s21: Tensor,
        #[param(K)] b22: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let x6 = {
            let x10 = w7.dot(x5) / (0.5 + b8.sigmoid()) + s9.tanh();
            w11.dot(x10).tanh()
        };
        let x12 = {
            let n15 = 0.5 / (1.0 + de as f64);
            let x16 = concat([b13, x3]).slice(de..de + de) * (w14 * n15).dot(b8);
            w17.dot(x16).tanh()
        };
        for k in 0..2 {
            loss(((zeros(de) - p1.x).log_softmax() * x5).tanh().sum() * (k as f64 + 0.25));
        }
        let state: Node = Node { h: w18.dot(x6).tanh(), c: x6 * x12 };
        scatter(state);
        let out23 = Scores { y: concat([table19.row(p1.id), x6]).slice(0..de), logits: gate(w20, zeros(dh) - s21, b22) };
        push(out23);
    }

    #[vertex_function]
    pub fn leaf_22(
        #[param(E, E)] w1: Tensor, #[param(E, E)] w2: Tensor, #[param(V, K)] table4: Tensor,
        #[param(K)] b6: Tensor, #[param(2 * E, K)] w7: Tensor, #[param(2 * E)] b8: Tensor,
        #[param(E, E)] w12: Tensor, #[param(E)] b13: Tensor, #[param(V, H)] table14: Tensor,
        #[dim(H)] dh: Dim, #[dim(E)] de: Dim, #[param(H, E)] w15: Tensor,
    ) {
        let Word { id, x } = pull();
        let x3: Tensor = (w1 + w2).dot(x);
        let x5 = table4.row(id);
        let (x9, x10) = halves(w7.dot(b6.exp().tanh()) + b8);
        let x11 = {
            let x5 = x5.tanh() + x5.dropout(0.25);
            x5.tanh()
        };
        push(Out { y: affine(w12, x3, b13).tanh().log_softmax().tanh() });
        let (h, c) = ((concat([x10, table14.row(id)]).slice(de..de + dh) * w15.dot(x10)).tanh(), (1.0 / de as f64 * x11.dropout(0.25)).tanh());
        scatter(Node { h, c });
        loss(w15.dot(x9).sum());
    }

    #[vertex_function]
    pub fn leaf_23(
        #[param(E, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(H, E)] w7: Tensor,
        #[dim(H)] dh: Dim, #[param(K)] b8: Tensor, #[param(H, K)] w9: Tensor,
        #[param(K)] b10: Tensor, #[param(H)] b12: Tensor, #[param(V, H)] table13: Tensor,
        #[param()] s14: Tensor, #[param(K)] b15: Tensor,
    ) {
        let p1: Word = pull();
        let x3: Tensor = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let parts6 = [scaled(w7.dot(x3).tanh().exp(), dh).tanh(), w9.dot(b8) - w9.dot(b10), w7.dot(p1.x)];
        let mut a11 = b12;
        for part in parts6 {
            a11 = a11.tanh() + (part - (s14 - table13.row(p1.id))).tanh();
        }
        let (h, c) = ((w7.dot(x5) * a11).tanh(), -b15);
        scatter(Node { h, c });
        push(Out { y: noisy(x5, 0.25) - w2.dot(x5) });
    }

    #[vertex_function]
    pub fn leaf_24(
        #[param(E)] b1: Tensor, #[param(V, H)] table3: Tensor, #[param(K)] mut b5: Tensor,
        #[param(K, E)] w6: Tensor, #[dim(E)] de: Dim, #[dim(K)] dk: Dim,
        #[param(K, H)] w7: Tensor, #[param(K, E)] w8: Tensor, #[param(V, K)] table9: Tensor,
        #[param()] s10: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w11: Tensor,
        #[param()] s12: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4 = table3.row(id);
        b5 -= (0.5 + scaled(w6.dot(x), de).sigmoid()).ln();
        b5 = zeros(dk) * w7.dot(x4) / (w8.dot(x2).tanh().sigmoid() + 0.5) - b5;
        b5 = b5.tanh();
        let b5 = b5.tanh() + b5 * 0.75;
        loss(mse(b5.softmax().tanh(), table9.row(id) - s10));
        let (h, c) = ((1.0 / dh as f64 / (w11.dot(b5).sigmoid() + 0.5)).softmax(), (b5.softmax() / (0.5 + (b5 + s12).sigmoid())).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn leaf_25(
        #[param(E)] b2: Tensor, #[param(K)] b4: Tensor, #[param(H, K)] w5: Tensor,
        #[param(H)] b6: Tensor, #[param(H, H)] w7: Tensor, #[param(H)] b8: Tensor,
        #[param(E)] b12: Tensor, #[param(K)] b13: Tensor, #[param(K, K)] w14: Tensor,
        #[dim(E)] de: Dim, #[param(E)] b17: Tensor, #[param(K)] b18: Tensor,
    ) {
        let p1: Signal = pull();
        let x3 = p1.x * b2;
        let n9 = 2.0_f64.sqrt() - 0.75;
        let [x10, x11] = [(w5.dot(b4) + w7.dot(b6)).log_softmax(), b8 * n9];
        let [x15, x16]: [Tensor; 2] = [b12 + x3 - w14.dot(b13).sum(), concat([p1.x, p1.x]).slice(de..de + de)];
        loss(cross_entropy(x16.exp() + b17, p1.label));
        for k in 0..2 {
            loss(mse((0.5 * (b2 - x15)).tanh(), x16 * zeros(de)) * (k as f64 + 0.25));
        }
        scatter(Node { c: (b18 - w14.dot(b4)).tanh(), h: (x10 + x11).tanh() });
    }

    #[vertex_function]
    pub fn leaf_26(
        #[param(K, E)] w2: Tensor, #[param(V, H)] table4: Tensor, #[param(H)] b7: Tensor,
        #[dim(H)] dh: Dim, #[param(E, H)] w8: Tensor, #[param(E)] b9: Tensor, #[dim(E)] de: Dim,
        #[param(3 * H, H)] w10: Tensor, #[param(3 * H)] b11: Tensor, #[param(H, H)] w14: Tensor,
        #[param(H, K)] w15: Tensor, #[param(H, E)] w16: Tensor, #[param(K, K)] w17: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let parts6 = (w10.dot(concat([gate(w8, x5, b9), b7]).slice(de..de + dh)) + b11).split::<3>();
        let mut a12 = zeros(dh);
        let x13 = concat(parts6);
        for k in 0..2 {
            a12 -= (x13.slice(k * dh..(k + 1) * dh) - w14.dot(x5).tanh()).tanh();
        }
        let state: Node = Node { h: (w15.dot(x3) * w16.tanh().dot(p1) * a12).tanh(), c: noisy(w17.dot(x3), 0.25).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn leaf_27(
        #[param(E)] b2: Tensor, #[param(V, K)] table4: Tensor, #[dim(K)] dk: Dim,
        #[param()] s7: Tensor, #[param(H)] b8: Tensor, #[param(K, H)] w9: Tensor,
        #[dim(H)] dh: Dim, #[dim(E)] de: Dim, #[param(H)] b11: Tensor, #[param(H)] b12: Tensor,
        #[param(K, E)] w13: Tensor, #[param(K, E)] w14: Tensor, #[param(H, E)] w15: Tensor,
        #[param(H, E)] w16: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = p1.x * b2;
        let x5 = table4.row(p1.id);
        let mut m6 = zeros(dk) * s7;
        m6 = m6.tanh() + (zeros(dk) + w9.dot(b8)) * x5;
        let n10 = 0.75 / (1.0 + dh as f64);
        m6 *= (zeros(dk) + x5) * n10;
        m6 = m6.tanh() + 1.0 / de as f64 * (x5 * s7);
        m6 = m6.tanh();
        loss(((b11.tanh() + zeros(dh)) * b12).sum());
        let (h, c) = ((w15 + w16).dot(x3).tanh(), (w13.dot(x3) * w14.dot(p1.x) + m6).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn leaf_28(
        #[param(E)] b1: Tensor, #[param(V, K)] table3: Tensor, #[param(H, K)] w5: Tensor,
        #[param(H, H + K)] w6: Tensor, #[param(H, E)] w7: Tensor, #[param(E)] b10: Tensor,
        #[param(V, E)] table12: Tensor, #[param(H, H)] w14: Tensor,
        #[param(V, H)] table15: Tensor, #[param(H)] b16: Tensor, #[dim(K)] dk: Dim,
        #[param()] s17: Tensor, #[param(K, E)] w18: Tensor, #[param(K, H)] w19: Tensor,
        #[dim(H)] dh: Dim,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4 = table3.row(id);
        let [x8, x9] = [w6.dot(summary(Node { h: w5.dot(x4), c: x4 })), w7.dot(x2).tanh()];
        let n11 = 2.0_f64.sqrt() - 0.5;
        let out13 = Scores { y: b10 * n11, logits: table12.row(id).tanh().log_softmax() };
        push(out13);
        let state: Node = Node { h: affine(w14, -table15.row(id), b16).tanh(), c: (s17 + s17 + concat([x4, x4]).slice(0..dk)).tanh() };
        scatter(state);
        let n20 = 0.5 / (1.0 + dh as f64);
        loss((w18.tanh().dot(x) + w19.dot(x8) + (w19 * n20).dot(x9)).tanh().sum());
    }

    #[vertex_function]
    pub fn leaf_29(
        #[param(E)] b1: Tensor, #[param(E, E)] w4: Tensor, #[param(H)] b5: Tensor,
        #[param(E, H)] w6: Tensor, #[dim(E)] de: Dim, #[param(E, E)] w7: Tensor,
        #[param(H, E)] w8: Tensor, #[param(3 * H, H)] w9: Tensor, #[param(3 * H)] b10: Tensor,
        #[dim(H)] dh: Dim, #[param(H, E)] w12: Tensor, #[param(H)] b13: Tensor,
        #[param(H, H)] w14: Tensor, #[param(K, H)] w15: Tensor, #[dim(K)] dk: Dim,
        #[param(H)] b16: Tensor, #[param()] s17: Tensor,
    ) {
        let Word { x, .. } = pull();
        let x2 = x * b1;
        let parts3 = (w9.dot(w8.dot(blend(w4.tanh().dot(x) * w6.dot(b5), zeros(de), w7.dot(x2)))) + b10).split::<3>();
        let mut a11 = zeros(dh);
        for k in 1..=2 {
            a11 += (parts3[k] * (w12.dot(x) / (0.5 + (w14 + w14).dot(b13).sigmoid())).tanh()).tanh() * (k as f64);
        }
        let (h, c) = (b16 - s17, (w15 * (1.0 / (dk as f64).sqrt())).dot(a11).tanh());
        scatter(Node { h, c });
        push(Out { y: noisy(x.dropout(0.1), 0.25) });
    }

    #[vertex_function]
    pub fn leaf_30(
        #[param(K, E)] w1: Tensor, #[param(K)] b5: Tensor, #[param(K, K)] w6: Tensor,
        #[param(3 * K, K)] w7: Tensor, #[param(3 * K)] b8: Tensor, #[param(H)] b12: Tensor,
        #[param(H, E)] w13: Tensor, #[param(H, H)] w14: Tensor, #[param(H, K)] w16: Tensor,
        #[param(H, K)] w17: Tensor, #[param(H, K)] w18: Tensor, #[param(K, H)] w19: Tensor,
        #[param(K, H)] w20: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = w1.dot(x);
        let x3 = {
            let x4 = (0.5 - x).dropout(0.25);
            w1.dot(x4).tanh()
        };
        let [x9, x10, x11] = (w7.dot((b5 - w6.dot(x3)).relu()) + b8).split::<3>();
        loss(cross_entropy((b12 - w13.dot(x)) / (w14.tanh().dot(b12).tanh().sigmoid() + 0.5), label));
        let out15 = Scores { y: noisy(x, 0.25), logits: (x.tanh().sigmoid() + 0.5).ln() };
        push(out15);
        let state = Node { c: (w19 + w20).dot(b12).softmax(), h: (((w16.dot(x2) * w17.dot(x9)).tanh() + w16.dot(x10)).tanh() - w18.dot(x11)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn leaf_31(
        #[param(K, E)] w1: Tensor, #[dim(H)] dh: Dim, #[param(V, E)] table3: Tensor,
        #[param()] s6: Tensor, #[param(V, K)] table7: Tensor, #[param(K)] b8: Tensor,
        #[param(V, K)] table9: Tensor, #[param(V, K)] table10: Tensor, #[param(K)] b11: Tensor,
        #[param(K)] b13: Tensor, #[param(H)] mut b14: Tensor, #[param(H)] b15: Tensor,
        #[param(H)] b16: Tensor, #[param(H, H)] w17: Tensor, #[param()] s18: Tensor,
        #[param(K, E)] w19: Tensor, #[param(K, H)] w20: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = (w1 * (1.0 / (dh as f64).sqrt())).dot(x);
        let x4 = table3.row(id);
        let parts5 = [blend(x2.relu(), blend(s6 + s6, x2, table7.row(id)), b8).tanh(), table9.row(id) * table10.row(id), b11];
        let mut a12 = b8;
        for k in 1..=2 {
            a12 += (parts5[k] * b13.exp()).tanh() * (k as f64);
        }
        b14 -= concat([b15, -zeros(dh)]).slice(0..dh);
        b14 += s6 * w17.dot(b16) - s18.sigmoid();
        b14 = b14.tanh();
        let state = Node { c: ((w19 * 1.5).dot(x4) + a12 - w20.dot(b14)).tanh(), h: b15.softmax() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn leaf_32(
        #[param(E)] b1: Tensor, #[param(K)] b5: Tensor, #[param(K, K)] w6: Tensor,
        #[param(K, E)] w7: Tensor, #[param(H)] b9: Tensor, #[param(H, H)] w10: Tensor,
        #[param(E, K)] w11: Tensor, #[param(H, H + E)] w12: Tensor, #[param(K, H)] w13: Tensor,
        #[param(H)] b14: Tensor, #[param(H, H)] w15: Tensor, #[param(H, H)] w16: Tensor,
        #[param(K)] b17: Tensor, #[param(E, K)] w18: Tensor, #[param(H)] b19: Tensor,
        #[param(H, H)] w20: Tensor,
    ) {
        let Word { x, .. } = pull();
        let x2 = x * b1;
        let (x3, [x8], s4) = (1.5 / (w6.dot(b5).log_softmax().sigmoid() + 0.5), [noisy(x2, 0.5)], w7.dot(x).sigmoid().sum());
        let state = Node { c: (gate(w13, (w15 + w16).dot(b14), b5) - b17).tanh(), h: w12.dot(concat([w10.dot(b9), w11.dot(x3)])).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: (x8 - w18.dot(x3)).tanh().sigmoid() });
        loss(((w20 * s4.tanh()).dot(b19) * s4).sum());
    }

    #[vertex_function]
    pub fn leaf_33(
        #[param(E)] b1: Tensor, #[dim(E)] de: Dim, #[param(E)] b5: Tensor,
        #[param(K)] b7: Tensor, #[param(K, K)] w8: Tensor, #[param(H, K)] w9: Tensor,
        #[param(H, K)] w10: Tensor, #[dim(H)] dh: Dim, #[param(H, E)] w11: Tensor,
        #[param(H)] b12: Tensor, #[param(H, H)] w13: Tensor, #[param(H, H)] w14: Tensor,
        #[param(K, 2 * H + K)] w15: Tensor, #[param(H)] b16: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = x * b1;
        let (x3, [x6], s4) = (x2 + x - b1, [w8.dot(b7).tanh()], mse(weighted([x, x2, zeros(de)]), b5));
        loss(cross_entropy(((0.5 + w9.dot(x6).sigmoid()).ln() * (w10 + w9).dot(x6)).tanh(), label));
        loss(cross_entropy(zeros(dh).relu(), label));
        scatter(Node { h: ((w11.dot(x3) - b12).sigmoid() + 0.5).ln().tanh(), c: w15.dot(concat([x6, w13.dot(b12), w14.dot(b12)])).tanh() });
        loss((concat([b16.slice(1..dh), b16.slice(0..1)]) * s4).sum());
    }

    #[vertex_function]
    pub fn leaf_34(
        #[param(E, E)] w2: Tensor, #[param(H)] b5: Tensor, #[param(H, E)] w6: Tensor,
        #[param(H)] b7: Tensor, #[param(H, H)] w8: Tensor, #[param(3 * K, H)] w9: Tensor,
        #[param(3 * K)] b10: Tensor, #[param(E)] b15: Tensor, #[param(E, E)] w16: Tensor,
        #[param(E, E)] w17: Tensor, #[param(E, K + 2 * E)] w18: Tensor, #[dim(E)] de: Dim,
        #[param(H)] b20: Tensor, #[param(E, H)] w21: Tensor, #[param(E)] b22: Tensor,
        #[param(K, E)] w24: Tensor, #[param(H)] b25: Tensor,
    ) {
        let p1 = pull::<Signal>().x;
        let n3 = 2.0_f64.sqrt() - 2.0;
        let x4: Tensor = (w2 * n3).dot(p1);
        let [x11, x12, x13] = (w9.dot(blend(-b5, w6.dot(p1), w8.dot(b7)).relu()) + b10).split::<3>();
        let parts14 = [w18.dot(concat([b15, x12, (w16 + w17).dot(p1)])).tanh(), zeros(de), zeros(de)];
        let mut a19 = b15;
        for part in parts14 {
            a19 += (part * w21.dot(b20).log_softmax().tanh()).tanh();
        }
        let out23 = Scores { y: b15.log_softmax().tanh(), logits: 0.5 / (0.5 + b22.exp().sigmoid()) };
        push(out23);
        scatter(Node { c: ((w24.dot(x4) + x11).tanh() - x13 + (w24 * 0.5).dot(a19)).tanh(), h: b25.relu() });
    }

    #[vertex_function]
    pub fn leaf_35(
        #[param(E)] b1: Tensor, #[param(V, E)] table3: Tensor, #[param(K)] b5: Tensor,
        #[param(H, K)] w6: Tensor, #[param()] s7: Tensor, #[param(H, H)] w9: Tensor,
        #[param(H, E)] w10: Tensor, #[param(K, H)] w11: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4 = table3.row(id);
        let x8 = ((w6.dot(b5) + s7) * w6.dot(b5)).exp();
        for k in 0..2 {
            loss(w9.sum() * (k as f64 + 0.25));
        }
        loss(mse(x2.log_softmax().dropout(0.1).tanh(), x.relu()));
        scatter(Node { h: (w10.dot(x4) + x8).tanh(), c: (0.75 + w11.dot(x8)).tanh() });
    }
}

pub mod one {
    use super::prelude::*;

    #[vertex_function]
    pub fn one_0(
        #[param(E)] b5: Tensor, #[param(E, E)] w6: Tensor, #[param(E, E)] w7: Tensor,
        #[param(H, H + K)] w9: Tensor, #[param(H, K)] w10: Tensor, #[param(H)] b11: Tensor,
        #[param()] s12: Tensor, #[param(K, E)] w13: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let x4 = {
            let x8 = w7.dot(w6.dot(b5).tanh());
            x8.tanh()
        };
        loss(mse(w9.dot(summary(Node { h: h2, c: c3 })), gate(w10, c3, b11)));
        loss((s12.sigmoid() - s12).sigmoid());
        scatter(Node { h: h2.dropout(0.5).tanh(), c: w13.dot(x4).tanh() });
    }

    #[vertex_function]
    pub fn one_1(
        #[param(K, E)] w4: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w7: Tensor,
        #[param(E)] b8: Tensor, #[param(E, E)] w9: Tensor, #[dim(K)] dk: Dim, #[dim(H)] dh: Dim,
        #[param(E, H)] w11: Tensor, #[param(E, K)] w12: Tensor, #[param(E)] b13: Tensor,
        #[param(H, 2 * E)] w14: Tensor, #[param(H, E)] w15: Tensor, #[param(E, E)] w16: Tensor,
        #[param(E, E)] w17: Tensor, #[param(H)] b18: Tensor, #[param(K, K)] w19: Tensor,
        #[param(K)] b20: Tensor, #[param(E)] b21: Tensor, #[param(E)] b22: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let p3: Signal = pull();
        let x5 = (w4 * (1.0 / de as f64)).dot(p3.x);
        let mut m6 = w7.dot(h2);
        let n10 = 0.5 / (1.0 + dk as f64);
        m6 = (w9 * n10).dot(b8).tanh().tanh() - m6;
        m6 += w11.dot(zeros(dh) - h2);
        m6 = w12.dot(x5).dropout(0.1).tanh().tanh() - m6;
        m6 = m6.tanh();
        for k in 0..2 {
            loss(cross_entropy(w14.dot(concat([b13, zeros(de)])), p3.label) * (k as f64 + 0.25));
        }
        let state = Node { c: affine(w19, concat([b20, h2]).slice(0..dk), b20).tanh(), h: affine(w15, weighted([m6, (w16 + w17).dot(m6), m6]), b18).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let out23 = Scores { y: b21 - b22, logits: -(1.0 / (dh as f64).sqrt() * x5) };
        push(out23);
    }

    #[vertex_function]
    pub fn one_2(
        #[param(K, E)] w5: Tensor, #[dim(H)] dh: Dim, #[param(K, K)] w8: Tensor,
        #[param(H, H + K)] w9: Tensor, #[param()] s10: Tensor, #[param(3 * H, H)] w11: Tensor,
        #[param(3 * H)] b12: Tensor, #[param(K, H)] w15: Tensor, #[param(E)] b18: Tensor,
        #[dim(E)] de: Dim, #[param(E)] b19: Tensor, #[param(E)] b21: Tensor,
        #[param(K)] b24: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { target: p4, label } = pull::<Gold>();
        let x6 = w5.tanh().dot(p4);
        let parts7 = (w11.dot((w9.dot(summary(Node { h: zeros(dh), c: w8.dot(x6) })) / (0.5 + (s10 * h2).sigmoid())).tanh()) + b12).split::<3>();
        let mut a13 = zeros(dh);
        for k in 1..=2 {
            let n14 = 2.0_f64.sqrt() - 2.0;
            a13 += (parts7[k] + (n14 / (h2.sigmoid() + 0.5)).tanh()).tanh() * (k as f64);
        }
        let [x16, x17] = [c3 * w15.dot(a13) * c3, noisy(w15.dot(h2), 0.5)];
        loss(cross_entropy(concat([b18 + b18, a13]).slice(de..de + dh), label));
        let n20 = 2.0_f64.sqrt() - 1.5;
        let out22 = Scores { y: b19.relu(), logits: n20 / (b21.sigmoid().sigmoid() + 0.5) };
        push(out22);
        let n23 = 2.0 / (1.0 + dh as f64);
        let state = Node { c: (x16.relu() + b24).tanh(), h: (n23 * h2).sigmoid() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss(x17.sum());
    }

    #[vertex_function]
    pub fn one_3(
        #[param(H, E)] w1: Tensor, #[param(E)] b5: Tensor, #[param()] s6: Tensor,
        #[param(H, E)] w7: Tensor, #[param(K)] b8: Tensor, #[param(H, K)] w9: Tensor,
        #[dim(K)] dk: Dim, #[param(K, K)] w11: Tensor, #[param(K, K)] w12: Tensor,
        #[param()] s13: Tensor,
    ) {
        let Signal { x, .. } = pull();
        let x2 = w1.dot(x);
        let Node { h: h4, .. } = gather(0);
        let s10 = mse(w7.dot(s6 - b5), w9.dot(b8));
        let state = Node { c: (0.5 / ((zeros(dk) + w11.dot(b8)).sigmoid() + 0.5)).tanh(), h: (h4.log_softmax() * x2).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss(((s13 - w12.dot(b8)) * s10).tanh().sum());
    }

    #[vertex_function]
    pub fn one_4(
        #[param(E)] b2: Tensor, #[param()] s7: Tensor, #[param(K)] b8: Tensor, #[dim(H)] dh: Dim,
        #[param(K, 3 * H)] w10: Tensor, #[param(H, E)] w11: Tensor, #[param(H, E)] w12: Tensor,
        #[param(H, K)] w13: Tensor, #[param(H, K)] w14: Tensor, #[param()] s15: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = p1 * b2;
        let Node { h: h5, c: c6 } = gather(0);
        let x9 = (s7 - c6 - b8 - c6.log_softmax()).tanh();
        loss(cross_entropy(w10.dot(concat([h5, h5, zeros(dh)])), label));
        scatter(Node { c: (s15 - c6).tanh(), h: (w11.dot(x3) - w12.dot(p1) - (w13 + w14).dot(x9)).tanh() });
    }

    #[vertex_function]
    pub fn one_5(
        #[param(K, E)] w2: Tensor, #[param(K, K)] w6: Tensor, #[param(K, H)] w7: Tensor,
        #[dim(K)] dk: Dim, #[param(K)] b9: Tensor, #[param()] s10: Tensor,
        #[param(E)] b11: Tensor, #[dim(E)] de: Dim, #[param(E)] b12: Tensor,
        #[param(E, E)] w13: Tensor, #[param(H, H)] w14: Tensor,
        #[param(E, H + K + E)] w15: Tensor, #[param(H, K)] w18: Tensor,
    ) {
        let p1 = pull::<Signal>().x;
        let x3: Tensor = w2.dot(p1);
        let v4: Node = gather(0);
        let parts5 = [(v4.c - 0.5 + x3).tanh(), w6.dot(v4.c), w7.tanh().dot(v4.h)];
        let mut a8 = zeros(dk);
        for k in 1..=2 {
            a8 += (parts5[k] * b9.tanh()).tanh();
        }
        loss((a8 - zeros(dk)).max() - s10);
        let out16 = Scores { y: b11 - zeros(de), logits: w15.dot(concat([w13.tanh().dot(b12), zeros(dk), w14.dot(v4.h)])) };
        push(out16);
        let n17 = 2.0 / (1.0 + dk as f64);
        let (h, c) = ((w18.dot(x3) * 1.5).tanh(), (n17 - v4.c / (a8.sigmoid() + 0.5)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn one_6(
        #[param(H, E)] w1: Tensor, #[param(E)] b5: Tensor, #[param(E, E)] w6: Tensor,
        #[param(E, H)] w7: Tensor, #[param(2 * E, E)] w8: Tensor, #[dim(H)] dh: Dim,
        #[dim(K)] dk: Dim, #[param(K, H)] w11: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b12: Tensor, #[param(K, E)] w13: Tensor, #[param(H)] b14: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = w1.dot(x);
        let Node { h: h4, .. } = gather(0);
        let [x9, x10] = w8.dot(w6.dot(b5).exp() * w7.dot(x2)).tanh().split::<2>();
        loss(cross_entropy((x10.sum() + concat([h4, zeros(dk)]).slice(0..dh)).tanh(), label));
        for k in 0..2 {
            loss(cross_entropy(concat([w7.dot(h4), w11.dot(h4)]).slice(de..de + dk), label) * (k as f64 + 0.25));
        }
        push(Out { y: (b12 * zeros(de)).exp() });
        let state: Node = Node { h: b14, c: w13.dot(x9).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn one_7(
        #[param(K, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(E)] mut b9: Tensor,
        #[param(V, E)] table10: Tensor, #[dim(E)] de: Dim, #[param(V, E)] table11: Tensor,
        #[param(H)] b12: Tensor, #[param(H, K)] w14: Tensor, #[param(H, E)] w15: Tensor,
        #[param(H, E)] w16: Tensor, #[param(K)] b17: Tensor, #[param(K, H)] w18: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = (w2 * 0.75).dot(p1);
        let x5: Tensor = table4.row(id);
        let Node { h: h7, c: c8 } = gather(0);
        b9 /= 1.5;
        b9 -= table10.row(id) * zeros(de) - zeros(de);
        b9 = b9.tanh() + table11.row(id).dropout(0.5).softmax();
        b9 = b9.tanh();
        let out13 = Scores { y: b9.log_softmax().tanh(), logits: 0.5 - b12.sum() };
        push(out13);
        let state = Node { c: b17 * w18.tanh().dot(h7), h: ((w14.dot(x3) * w15.dot(p1)).tanh() + w16.dot(x5) - h7 - w14.dot(c8)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn one_8(
        #[param(K)] b3: Tensor, #[param(H, K)] w4: Tensor, #[param(K, H + K)] w5: Tensor,
        #[param(K, K)] w6: Tensor, #[dim(E)] de: Dim, #[param(E)] b7: Tensor,
        #[param(E, E)] w8: Tensor, #[param(E, K)] w9: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b10: Tensor, #[param(E)] b11: Tensor, #[param(H, H)] w12: Tensor,
        #[param(H)] b13: Tensor, #[param()] s14: Tensor,
    ) {
        let v1: Node = gather(0);
        let mut m2 = v1.c.softmax();
        m2 = w5.dot(concat([b3, w4.dot(v1.c)])).tanh() - m2;
        m2 += v1.c.softmax().relu();
        m2 -= (0.5 / (w6.dot(v1.c).tanh().sigmoid() + 0.5)).tanh();
        m2 = m2.tanh();
        let m2 = m2.tanh() + 1.0 / (de as f64).sqrt() / (0.5 + m2.sigmoid());
        loss((1.5 / (w8.dot(b7).sigmoid() + 0.5)).tanh().sum());
        push(Out { y: crate::cells::gate(w9, 1.0 / dh as f64 / (b10.sigmoid() + 0.5), b11).tanh() });
        let state: Node = Node { h: blend(2.0 / (0.5 + w12.dot(v1.h).sigmoid()), s14 * b13, v1.h).tanh(), c: (b3 / (0.5 + m2.sigmoid())).log_softmax().tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn one_9(
        #[param(E)] b3: Tensor, #[param(E, E)] w4: Tensor, #[param(E, H)] w5: Tensor,
        #[param(2 * H, E)] w6: Tensor, #[param(2 * H)] b7: Tensor, #[dim(H)] dh: Dim,
        #[dim(K)] dk: Dim, #[param(K, E)] w10: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let [x8, x9] = (w6.dot((w4.dot(b3) * (w5 * 0.75).dot(h2)).tanh().exp()) + b7).split::<2>();
        for k in 0..2 {
            loss(((x9 / (0.5 + zeros(dh).sigmoid())).tanh().sum() * 1.5).tanh() * (k as f64 + 0.25));
        }
        let state = Node { c: zeros(dk) + w10.dot(b3), h: x8.tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn one_10(
        #[param(K)] b2: Tensor, #[param(H, K)] w5: Tensor, #[param(H)] b6: Tensor,
        #[param(E)] b7: Tensor, #[param(E, E)] w8: Tensor, #[param(E, E)] w9: Tensor,
        #[param(H, E)] w10: Tensor, #[param(E)] b11: Tensor, #[param()] s12: Tensor,
    ) {
        let v1: Node = gather(0);
        let x3 = b2.relu();
        let mut m4 = weighted([w5.dot(v1.c), v1.h, v1.h]);
        m4 *= b6.log_softmax().sigmoid();
        m4 = m4.tanh();
        let state: Node = Node { h: (w10 + w10).dot((w8 + w9).dot(b7).sigmoid()).tanh(), c: ((0.5 + v1.c.sigmoid()).ln() * m4.sum()).tanh() };
        scatter(state);
        push(Out { y: (0.5 + (b11 + s12).sigmoid()).ln() });
        loss(x3.sum());
    }

    #[vertex_function]
    pub fn one_11(
        #[param(E, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(2 * H, E)] w9: Tensor,
        #[param()] s14: Tensor, #[param(E, K)] w15: Tensor, #[param(V, E)] table17: Tensor,
        #[param(E, E)] w18: Tensor, #[param(E)] b19: Tensor, #[param(H)] b20: Tensor,
        #[param(V, H)] table21: Tensor, #[param(K, E)] w23: Tensor, #[dim(K)] dk: Dim,
        #[param(E, K)] w24: Tensor, #[param(E, K)] w25: Tensor, #[param(E, H)] w26: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = (w2 * 0.75).dot(p1);
        let x5 = table4.row(id);
        let Node { h: h7, c: c8 } = gather(0);
        let [x10, x11]: [Tensor; 2] = w9.dot(2.0 / ((x3 * 1.5).sigmoid() + 0.5)).tanh().split();
        let (x12, [x16], s13) = (h7.tanh() + s14.sigmoid(), [table17.row(id) / (x3.sigmoid() + 0.5)], mse((0.5 + w15.dot(c8).sigmoid()).ln(), x3).tanh());
        for k in 0..2 {
            loss(x12.tanh().dropout(0.25).sum().tanh() * (k as f64 + 0.25));
        }
        let out22 = Scores { y: w18.tanh().dot(x16) * b19, logits: (b20 * table21.row(id)).tanh() };
        push(out22);
        scatter(Node { c: concat([w23.dot(x16), table21.row(id).sigmoid()]).slice(0..dk).tanh(), h: ((h7.sigmoid() + 0.5).ln() * 0.5).tanh() });
        loss(((w24 + w25).dot(x5) + w26.dot(x10) + w26.dot(x11) + s13).tanh().sum());
    }

    #[vertex_function]
    pub fn one_12(
        #[dim(K)] dk: Dim, #[param(E)] b3: Tensor, #[param(K, E)] w4: Tensor,
        #[param(K, K)] w5: Tensor, #[param(H, K)] w8: Tensor, #[param(K)] b9: Tensor,
    ) {
        let v1: Node = gather(0);
        let n2 = 0.75 / (1.0 + dk as f64);
        let [x6, x7] = [(n2 / ((w4 + w4).dot(b3).sigmoid() + 0.5)).tanh(), w5.dot(v1.c)];
        scatter(Node { h: (v1.h * w8.dot(x6) * w8.dot(x7)).tanh(), c: (b9 - x7).tanh() });
    }

    #[vertex_function]
    pub fn one_13(
        #[param(E)] b2: Tensor, #[param(V, E)] table4: Tensor, #[param(E, H)] w8: Tensor,
        #[param()] s9: Tensor, #[param()] s10: Tensor, #[param(K)] b11: Tensor,
        #[dim(K)] dk: Dim, #[param(K, E)] w13: Tensor, #[param(E, H)] w14: Tensor,
        #[param(H, E)] w15: Tensor, #[param(H, K)] w16: Tensor, #[dim(H)] dh: Dim,
        #[param(V, K)] table17: Tensor,
    ) {
        let p1: Word = pull();
        let x3: Tensor = p1.x * b2;
        let x5 = table4.row(p1.id);
        let v6 = gather::<Node>(0);
        let x7 = {
            let x5 = x5.tanh() + affine(w8, v6.h, b2);
            let x12 = blend(s9 * s10, b11, zeros(dk)).softmax();
            ((w13 + w13).dot(x5) + x12).tanh().tanh()
        };
        push(Out { y: w14.dot(v6.h).tanh() });
        scatter(Node { h: ((w15.dot(x3) + w15.dot(p1.x) + w16.dot(v6.c)) * w16.dot(x7)).tanh(), c: (1.0 / (dh as f64).sqrt() / (table17.row(p1.id).sigmoid() + 0.5)).tanh() });
    }

    #[vertex_function]
    pub fn one_14(
        #[param(E, E)] w1: Tensor, #[param(E, H + K)] w4: Tensor, #[param(2 * K, E)] w5: Tensor,
        #[param(H, K)] w8: Tensor, #[param(K)] b9: Tensor, #[param()] s10: Tensor,
        #[dim(K)] dk: Dim, #[param(H, E)] w11: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2: Tensor = w1.dot(x);
        let v3 = gather::<Node>(0);
        let (x6, x7) = halves(w5.dot(w4.dot(summary(Node { h: v3.h, c: v3.c }))));
        for k in 0..2 {
            loss(cross_entropy(w8.dot(x6).tanh(), label) * (k as f64 + 0.25));
        }
        loss(1.0 / (dk as f64).sqrt() + cross_entropy(b9 * s10, label));
        scatter(Node { c: b9 * v3.c, h: (w11.tanh().dot(x2) + w8.dot(x7)).tanh() });
    }

    #[vertex_function]
    pub fn one_15(
        #[param(E)] b2: Tensor, #[param(K)] b7: Tensor, #[param()] s8: Tensor, #[dim(E)] de: Dim,
        #[param(2 * K, K)] w9: Tensor, #[dim(H)] dh: Dim, #[param(3 * H, H)] w13: Tensor,
        #[param(3 * H)] b14: Tensor, #[param(H)] b16: Tensor, #[param(H)] b17: Tensor,
        #[param(K, E)] w18: Tensor, #[param(K, H)] w19: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = p1 * b2;
        let Node { h: h5, c: c6 } = gather(0);
        let (x10, x11) = halves(w9.dot((b7 - s8) * (1.0 / de as f64)));
        let parts12 = (w13.dot((zeros(dh) * 0.5).exp()) + b14).split::<3>();
        let mut a15 = b16;
        for k in 1..=2 {
            a15 -= (parts12[k] + b17 * h5).tanh();
        }
        loss(cross_entropy(b16.exp().relu(), label));
        scatter(Node { h: scaled(zeros(dh), dh), c: ((w18.dot(x3) * w18.dot(p1) * c6 + x10 + x11).tanh() + w19.dot(a15)).tanh() });
    }

    #[vertex_function]
    pub fn one_16(
        #[param(H, E)] w3: Tensor, #[dim(K)] dk: Dim, #[param(E, H + K)] w6: Tensor,
        #[param(E, H)] w8: Tensor, #[param(E)] b9: Tensor, #[param(H, K)] w11: Tensor,
        #[param(H)] b12: Tensor, #[param(K)] b13: Tensor,
    ) {
        let v1: Node = gather(0);
        let Signal { x: p2, label } = pull::<Signal>();
        let x4 = w3.dot(p2);
        let x5 = {
            let n7 = 2.0_f64.sqrt() - 1.5;
            let x10 = blend(w6.dot(summary(Node { h: v1.h, c: zeros(dk) })), n7 / (w8.dot(x4).sigmoid() + 0.5), b9);
            x10.tanh()
        };
        loss(cross_entropy(w11.tanh().dot(v1.c) + x4, label));
        let state: Node = Node { h: (b12 + x4 + 1.5).tanh(), c: (b13 * v1.c).log_softmax().tanh() };
        scatter(state);
        loss(x5.sum());
    }

    #[vertex_function]
    pub fn one_17(
        #[param(H, E)] w5: Tensor, #[param(H)] b7: Tensor, #[param(E, H)] w10: Tensor,
        #[param(K)] b12: Tensor, #[param()] s13: Tensor, #[param(E)] b14: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { target: p4, label } = pull::<Gold>();
        let x6 = w5.dot(p4);
        let s8 = ((b7 - x6) * h2).sum().tanh() + 0.75;
        let x9 = {
            let x11 = w10.dot(x6.tanh());
            (w5 * s8.tanh()).dot(x11).tanh()
        };
        loss(cross_entropy((p4.tanh() + (c3 * c3).sum()).tanh(), label));
        let state = Node { c: s13 * b12, h: x9 };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let out15 = Scores { y: (s8 + b14).tanh(), logits: p4.log_softmax().dropout(0.25).tanh() };
        push(out15);
    }

    #[vertex_function]
    pub fn one_18(
        #[param(H)] b2: Tensor, #[param(H, H)] w3: Tensor, #[param(E)] b5: Tensor,
        #[param(H, E)] w6: Tensor, #[param(H, H)] w7: Tensor, #[param(E)] b8: Tensor,
        #[dim(H)] dh: Dim, #[param(K, H + E)] w9: Tensor, #[param(E, K)] w10: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let x4 = (2.0 / ((b2 * w3.dot(v1.h)).sigmoid() + 0.5)).tanh();
        scatter(Node { c: w9.dot(concat([b8, zeros(dh)])), h: w7.dot(w6.tanh().dot(b5) - x4).tanh() });
        push(Out { y: w10.dot(v1.c).tanh().sigmoid() });
    }

    #[vertex_function]
    pub fn one_19(
        #[param(E, H)] w4: Tensor, #[param(E)] b5: Tensor, #[dim(E)] de: Dim,
        #[param(H, K)] w7: Tensor, #[param(K)] b8: Tensor, #[param(E)] b9: Tensor,
        #[param(E, H)] w10: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let s6 = 1.0 / (de as f64).sqrt() + mse(w4.dot(h2).softmax(), b5);
        scatter(Node { c: b8.exp().tanh(), h: (w7.dot(c3) + s6).tanh() });
        let out11 = Scores { y: b9.log_softmax().tanh(), logits: w10.tanh().dot(h2) - zeros(de) };
        push(out11);
    }

    #[vertex_function]
    pub fn one_20(
        #[param(H, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param()] s9: Tensor,
        #[dim(E)] de: Dim, #[param(H, K)] w13: Tensor, #[param(H)] b14: Tensor,
        #[param(V, H)] table15: Tensor, #[param()] s16: Tensor, #[param(V, E)] table17: Tensor,
        #[param(E, K)] w18: Tensor, #[param(K, H)] w19: Tensor, #[dim(H)] dh: Dim,
        #[param(E)] b20: Tensor, #[param(K, H)] w21: Tensor, #[param(K, E)] w22: Tensor,
        #[param(K, E)] w23: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let Node { h: h7, c: c8 } = gather(0);
        let n10 = 1.5 / (1.0 + de as f64);
        let s11 = n10 - x3.sum() * s9;
        let x12 = {
            let c8 = c8.tanh() + c8.relu();
            (w13 * 1.5).dot(c8).tanh()
        };
        loss(mse(b14.exp() * x3, s16 + table15.row(id)));
        for k in 0..2 {
            loss(blend((table17.row(id) * w18.dot(c8)).sum(), c8.log_softmax(), w19.dot(h7)).tanh().sum() * (k as f64 + 0.25));
        }
        let (h, c) = ((zeros(dh).tanh() - b20.sum()).tanh(), w21.dot(s11 * x12).tanh());
        scatter(Node { h, c });
        loss(((w22 * s11.tanh()).dot(p1) * w23.dot(x5)).sum());
    }

    #[vertex_function]
    pub fn one_21(
        #[param(E)] b2: Tensor, #[param(H)] b8: Tensor, #[dim(K)] dk: Dim,
        #[param(3 * E, H)] w9: Tensor, #[param(3 * E)] b10: Tensor, #[dim(E)] de: Dim,
        #[param(H, E)] w13: Tensor, #[param(H, H)] w15: Tensor, #[param(H)] b17: Tensor,
        #[param(H, K)] w18: Tensor, #[param(H, K)] w19: Tensor, #[dim(H)] dh: Dim,
        #[param(E)] b20: Tensor, #[param()] s21: Tensor, #[param(K, H)] w22: Tensor,
        #[param(H, E)] w24: Tensor, #[param(H, E)] w25: Tensor, #[param(K)] b26: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = p1 * b2;
        let Node { h: h5, c: c6 } = gather(0);
        let parts7 = (w9.dot(1.0 / dk as f64 - b8.tanh()) + b10).split::<3>();
        let mut a11 = zeros(de);
        for part in parts7 {
            a11 -= (part - (1.0 / (de as f64).sqrt() / (0.5 + p1.sigmoid())).tanh()).tanh();
        }
        let x12 = {
            let x14 = (b8.sigmoid() + 0.5).ln() + w13.dot(p1);
            x14.tanh()
        };
        let n16 = 2.0_f64.sqrt() - 0.75;
        for k in 0..2 {
            loss(cross_entropy(((w15 * n16).dot(x12) + b17) * h5, label) * (k as f64 + 0.25));
        }
        for k in 0..2 {
            loss(cross_entropy(scaled(-(w18 + w19).dot(c6), dh), label) * (k as f64 + 0.25));
        }
        let out23 = Scores { y: s21 - b20, logits: concat([w22.dot(x12), c6]).slice(dk..dk + dk).relu() };
        push(out23);
        let (h, c) = ((w24.dot(x3) + w25.dot(a11)).tanh(), b26.sigmoid());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn one_22(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, E)] w4: Tensor,
        #[param(3 * H, E)] w5: Tensor, #[dim(H)] dh: Dim, #[param(H)] b7: Tensor,
        #[param()] s8: Tensor, #[param(K)] b9: Tensor, #[param(H, K)] w10: Tensor,
        #[param(E, H)] w11: Tensor, #[param(H, H)] w12: Tensor,
    ) {
        let v1: Node = gather(0);
        let parts2 = w5.dot(w4.dot(zeros(de) + w3.dot(v1.h))).split::<3>();
        let mut a6 = zeros(dh);
        for part in parts2 {
            a6 -= (part - (s8 - b7)).tanh();
        }
        for k in 0..2 {
            loss(b9.log_softmax().tanh().max() * (k as f64 + 0.25));
        }
        loss(mse(w10.dot(v1.c.relu()), 0.5 + a6));
        push(Out { y: (w11.dot(v1.h) * zeros(de)).dropout(0.1) });
        let state: Node = Node { h: (0.75 * (v1.h * w12.dot(a6))).tanh(), c: v1.c.tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn one_23(
        #[param(K)] b2: Tensor, #[param(E, H)] w4: Tensor, #[dim(H)] dh: Dim,
        #[param(E)] b6: Tensor, #[param(E, E)] w7: Tensor, #[param(E)] b9: Tensor,
        #[param(H, E)] w10: Tensor, #[param(E)] b11: Tensor, #[param(K, E)] w12: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let x3 = (0.5 + b2.softmax().sigmoid()).ln();
        let n5 = 0.5 / (1.0 + dh as f64);
        let s8 = ((n5 + w4.dot(v1.h)) * w7.dot(b6)).tanh().sum();
        loss(s8);
        let (h, c) = (w10.dot(b9).exp().tanh(), (w12.tanh().dot(b11) - 1.5 + s8).tanh());
        scatter(Node { h, c });
        loss((v1.c * x3).sum());
    }

    #[vertex_function]
    pub fn one_24(
        #[param(E)] b4: Tensor, #[param(E, H)] w5: Tensor, #[param(K, E)] w7: Tensor,
        #[param(H)] b8: Tensor, #[param(H)] b9: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let x3 = {
            let x6 = (b4 * w5.dot(h2)).dropout(0.5);
            w7.dot(x6).tanh()
        };
        loss((1.5 / (h2.tanh().sigmoid() + 0.5)).tanh().sum());
        let (h, c) = (weighted([b8, b9, h2]).tanh(), x3);
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn one_25(
        #[param()] s2: Tensor, #[param(3 * H, K)] w3: Tensor, #[param(K)] b7: Tensor,
        #[param(E)] b9: Tensor, #[dim(E)] de: Dim, #[dim(K)] dk: Dim, #[param(E, K)] w10: Tensor,
        #[param(E, K)] w11: Tensor, #[param(E)] b12: Tensor, #[param(E, H)] w13: Tensor,
        #[param(E, H)] w14: Tensor,
    ) {
        let v1: Node = gather(0);
        let [x4, x5, x6]: [Tensor; 3] = w3.dot(noisy(s2 * v1.c, 0.25)).split();
        let x8 = (weighted([v1.c - b7, v1.c, v1.c]) + 2.0 / (0.5 + v1.c.sigmoid())).tanh();
        loss((scaled(concat([b9, b9]).slice(0..de), dk) * (w10 + w11).dot(x8)).sum());
        let (h, c) = ((0.5 / (0.5 + x6.sigmoid())).tanh().exp().tanh(), (0.5 / (0.5 + x8.sigmoid())).tanh());
        scatter(Node { h, c });
        push(Out { y: (1.0 / (dk as f64).sqrt() / (0.5 + b12.sigmoid())).tanh() });
        loss((w13.dot(v1.h) + w13.dot(x4) - (w14 + w13).dot(x5)).tanh().sum());
    }

    #[vertex_function]
    pub fn one_26(
        #[param(H, H)] w4: Tensor, #[param(H)] b5: Tensor, #[param(H, K)] w7: Tensor,
        #[param()] s8: Tensor, #[param(E, K)] w9: Tensor, #[param(E)] b10: Tensor,
        #[param()] s11: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let s6 = ((h2 * w4.dot(h2)).dropout(0.5) * b5).sum();
        scatter(Node { h: (w7.tanh().dot(c3) * s6).tanh(), c: (s8 + c3).tanh() });
        let out12 = Scores { y: w9.dot(c3).relu(), logits: (b10 - s11).sigmoid() };
        push(out12);
    }

    #[vertex_function]
    pub fn one_27(
        #[param(H, E)] w1: Tensor, #[param(E, K)] w5: Tensor, #[dim(K)] dk: Dim,
        #[param(E, K)] w7: Tensor, #[param(E)] b8: Tensor, #[param(E, E)] w9: Tensor,
        #[param(E, E)] w10: Tensor, #[dim(E)] de: Dim, #[param(E)] b12: Tensor,
        #[param(E, K)] w13: Tensor, #[param(K, H)] w14: Tensor, #[param(K, E)] w15: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = w1.dot(target);
        let v3: Node = gather(0);
        let n6 = 2.0 / (1.0 + dk as f64);
        let parts4 = [(-scaled((w5 * n6).dot(v3.c), dk)).tanh(), w7.dot(v3.c).sigmoid(), (w9 + w10).dot(b8)];
        let mut a11 = zeros(de);
        for k in 1..=2 {
            a11 += (parts4[k] + (w5.dot(v3.c) + b12)).tanh() * (k as f64);
        }
        push(Out { y: noisy(w13.tanh().dot(v3.c), 0.25).log_softmax().tanh() });
        scatter(Node { h: (1.5 * x2).tanh(), c: (w14.dot(x2) + w14.dot(v3.h) + w15.dot(a11)).tanh() });
    }

    #[vertex_function]
    pub fn one_28(
        #[param(K, E)] w3: Tensor, #[param(E)] b4: Tensor, #[param(E, E)] w5: Tensor,
        #[param(K)] b6: Tensor, #[param(K)] b7: Tensor, #[param(K)] b8: Tensor,
        #[dim(K)] dk: Dim, #[param(H, K)] w9: Tensor, #[param()] s10: Tensor,
    ) {
        let v1: Node = gather(0);
        let mut m2 = crate::cells::gate(w3, w5.dot(b4), b6);
        m2 *= (0.5 * (0.75 + b7)).tanh();
        m2 *= b8.max() - (0.5 + v1.c.sigmoid()).ln();
        m2 *= (b6.log_softmax() - zeros(dk)).tanh();
        m2 = m2.tanh();
        let m2 = m2.tanh() + (m2 + m2);
        scatter(Node { c: s10 * v1.c, h: (v1.h * w9.dot(m2)).tanh() });
    }

    #[vertex_function]
    pub fn one_29(
        #[dim(H)] dh: Dim, #[param(H)] b2: Tensor, #[param(H)] b3: Tensor,
        #[param(K)] b6: Tensor, #[param()] s7: Tensor, #[param(K)] b8: Tensor,
        #[param(K, H)] w11: Tensor, #[param(K, H)] w12: Tensor, #[param()] s13: Tensor,
    ) {
        let v1: Node = gather(0);
        let [x4, x5] = [zeros(dh) * b2 * v1.h, b3.tanh()];
        let [x9, x10]: [Tensor; 2] = [(s7 - b6) / (v1.c.tanh().sigmoid() + 0.5), b8.softmax()];
        let state: Node = Node { h: zeros(dh) * s13, c: (w11.dot(x4) * w12.dot(x5) - x9 + x10).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn one_30(
        #[param(E)] b2: Tensor, #[param(V, H)] table4: Tensor, #[param(K, E)] w8: Tensor,
        #[param()] s9: Tensor, #[dim(K)] dk: Dim, #[param(K, E)] w10: Tensor,
        #[param(4 * H, K)] w11: Tensor, #[param(4 * H)] b12: Tensor, #[param(H)] b19: Tensor,
        #[param(E, H)] w20: Tensor, #[param(H, K)] w21: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = p1.x * b2;
        let x5 = table4.row(p1.id);
        let Node { h: h7, .. } = gather(0);
        let [x13, x14, x15, x16]: [Tensor; 4] = (w11.dot(blend((w8 * 0.5).dot(p1.x) + s9, 1.0 / dk as f64 / (0.5 + w10.dot(x3).sigmoid()), zeros(dk))) + b12).tanh().split();
        let x17 = {
            let x18 = b2.tanh();
            w8.tanh().dot(x18).tanh()
        };
        push(Out { y: w20.tanh().dot(b19.softmax()) });
        let state = Node { c: s9 * x17, h: ((x5 + h7 + x13) * x14 - x15 - x16 + w21.dot(x17)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn one_31(
        #[param(K, E)] w5: Tensor, #[param()] s8: Tensor, #[param(H, K)] w9: Tensor,
        #[param(E, K)] w10: Tensor, #[param(K, E)] w11: Tensor, #[param(2 * E, K)] w12: Tensor,
        #[param(2 * E)] b13: Tensor, #[param(E, K)] w16: Tensor, #[param(K, K)] w17: Tensor,
        #[param(K, H)] w18: Tensor, #[param(K, H)] w19: Tensor, #[dim(H)] dh: Dim,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let p4 = pull::<Gold>().target;
        let x6 = w5.dot(p4);
        let x7 = {
            let c3 = c3.tanh() + s8 * x6;
            w9.dot(c3).tanh()
        };
        let (x14, x15) = halves(w12.dot(w11.dot(w10.tanh().dot(c3).relu())) + b13);
        for k in 0..2 {
            loss((0.5 / (0.5 + blend(s8.sigmoid(), w16.dot(x6), x14).tanh().sigmoid())).tanh().sum() * (k as f64 + 0.25));
        }
        loss(w17.sum());
        scatter(Node { h: zeros(dh).tanh(), c: (w18.dot(h2) - w19.dot(x7) - w5.dot(x15)).tanh() });
    }

    #[vertex_function]
    pub fn one_32(
        #[param(K)] b2: Tensor, #[param(H)] b3: Tensor, #[dim(H)] dh: Dim,
        #[param(2 * H, K)] w4: Tensor, #[param(2 * H)] b5: Tensor, #[param(H)] b8: Tensor,
        #[param(K)] b10: Tensor, #[param(E)] b11: Tensor, #[param(E, H)] w12: Tensor,
        #[param(E, H)] w13: Tensor,
    ) {
        let v1: Node = gather(0);
        let (x6, x7) = halves(w4.dot(v1.c * b2 * (b3 * zeros(dh)).sum()) + b5);
        let n9 = 2.0_f64.sqrt() - 0.5;
        let state: Node = Node { h: (n9 - b8).tanh().exp().tanh(), c: (0.5 - b10 + 1.5).tanh() };
        scatter(state);
        push(Out { y: b11.relu().log_softmax().tanh() });
        loss((w12.dot(v1.h) * w13.dot(x6) * w12.dot(x7)).sum());
    }

    #[vertex_function]
    pub fn one_33(
        #[param(E, E)] w2: Tensor, #[param(K, H)] w5: Tensor, #[param(E, K)] w8: Tensor,
        #[dim(H)] dh: Dim, #[param(H, K)] w10: Tensor, #[param(K, E)] w11: Tensor,
        #[param(H)] b12: Tensor, #[param(K)] b13: Tensor, #[param(H, H + K)] w14: Tensor,
        #[param(E)] b15: Tensor, #[param(E)] b16: Tensor, #[dim(E)] de: Dim, #[dim(K)] dk: Dim,
        #[param(K, H)] w17: Tensor, #[param(E, E)] w18: Tensor,
    ) {
        let v1: Node = gather(0);
        let Gold { label, target } = pull();
        let x3: Tensor = w2.dot(target);
        let x4 = {
            let n6 = 2.0_f64.sqrt() - 1.5;
            let x7 = (v1.c + v1.c) * (w5 * n6).dot(v1.h);
            w8.dot(x7).tanh()
        };
        let mut m9 = 0.75 / (0.5 + zeros(dh).sigmoid());
        m9 *= (crate::cells::gate(w10, w11.dot(x3), b12) - v1.h).tanh();
        m9 = w14.dot(summary(Node { h: v1.h, c: b13 })).tanh() - m9;
        m9 = m9.tanh();
        for k in 0..2 {
            loss(cross_entropy(b15 / (0.5 + b16.sigmoid()) - zeros(de), label) * (k as f64 + 0.25));
        }
        loss(cross_entropy(w11.dot(x4) - zeros(dk), label));
        let state: Node = Node { h: (v1.h.sigmoid() + 0.5).ln().tanh(), c: w17.dot(m9).tanh() };
        scatter(state);
        push(Out { y: (0.5 + w18.dot(x4).sigmoid()).ln().dropout(0.1).tanh() });
    }

    #[vertex_function]
    pub fn one_34(
        #[param(E, E)] w3: Tensor, #[param(K)] b6: Tensor, #[param(H, K)] w7: Tensor,
        #[param(H, E)] w9: Tensor, #[param(K, H)] w10: Tensor, #[param(H, H)] w11: Tensor,
        #[dim(K)] dk: Dim, #[param(E, K)] w12: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Word { x, .. } = pull();
        let x4 = w3.dot(x);
        let mut m5 = (0.5 + h2.sigmoid()).ln();
        m5 *= (w7.dot(b6) + h2).exp().tanh();
        m5 += h2.tanh().softmax();
        m5 = m5.tanh();
        let x8 = {
            let x4 = x4.tanh() + x4 * 2.0;
            let m5 = m5.tanh() + w9.dot(x4).relu();
            w10.dot(m5).tanh()
        };
        let state: Node = Node { h: ((0.5 + w11.dot(h2).sigmoid()).ln() + 1.5).tanh(), c: concat([b6.slice(1..dk), b6.slice(0..1)]).tanh() };
        scatter(state);
        loss(w12.dot(x8).sum());
    }

    #[vertex_function]
    pub fn one_35(
        #[param(K)] b4: Tensor, #[param(K)] b5: Tensor, #[param(E, K)] w6: Tensor,
        #[param(E, K)] w7: Tensor, #[param(H, K)] w9: Tensor, #[param(K)] b10: Tensor,
        #[param(K, K)] w11: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let x3 = {
            let x8: Tensor = mse((w6 * 0.5).dot(b5), w7.dot(b4)) - b4;
            let x8 = x8.tanh() + x8;
            w9.dot(x8).tanh()
        };
        let (h, c) = ((h2 + x3).tanh(), (-(w11 * 0.75).dot(b10)).tanh());
        scatter(Node { h, c });
    }
}

pub mod pair {
    use super::prelude::*;

    #[vertex_function]
    pub fn pair_0(
        #[dim(H)] dh: Dim, #[param(K)] b1: Tensor, #[param(K, K)] w2: Tensor,
        #[param()] s3: Tensor, #[param(H, H)] w5: Tensor, #[param(H, H)] w6: Tensor,
        #[param(E)] b7: Tensor, #[param(K, E)] w8: Tensor, #[param(E, E)] w12: Tensor,
        #[param(H, E)] w15: Tensor, #[param(E, E)] w16: Tensor, #[param(H)] b17: Tensor,
        #[param(K)] b19: Tensor, #[dim(K)] dk: Dim, #[param(K, H + K)] w20: Tensor,
        #[param(H, E)] w21: Tensor,
    ) {
        let v4: Node = gather_or(1, Node { h: zeros(dh), c: w2.dot(b1) + s3 });
        let Node { h: h10, .. } = gather_or(0, Node { h: (w5 + w6).dot(v4.h).tanh(), c: w8.dot(b7) });
        let p11 = pull::<Word>().x;
        let x13 = w12.dot(p11);
        let mut m14 = gate(w15, w16.dot(x13), b17);
        let n18 = 0.75 / (1.0 + dh as f64);
        m14 /= n18;
        m14 = m14.tanh();
        loss(mse(v4.c.exp() - v4.c, b19 + 1.0 / dk as f64));
        let (h, c) = (m14.relu().sigmoid(), w20.dot(summary(Node { h: zeros(dh), c: v4.c })).tanh());
        scatter(Node { h, c });
        loss((h10 + w21.dot(p11)).sum());
    }

    #[vertex_function]
    pub fn pair_1(
        #[dim(H)] dh: Dim, #[param(K)] b1: Tensor, #[dim(K)] dk: Dim, #[param(E)] b7: Tensor,
        #[param(E, K)] w9: Tensor, #[param(K)] b13: Tensor, #[param(E, H)] w16: Tensor,
    ) {
        let Node { h: h3, .. } = gather_or(1, Node { h: zeros(dh), c: b1 });
        let Node { h: h5, c: c6 } = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let Word { x, .. } = pull();
        let x8 = x * b7;
        let s10 = w9.dot(c6).tanh().sum().sigmoid();
        let [x11, x12]: [Tensor; 2] = [(1.0 / dh as f64 / (c6.sigmoid() + 0.5)).tanh(), (c6.sigmoid() + 0.5).ln()];
        let n14 = 2.0_f64.sqrt() - 0.75;
        let state = Node { c: (n14 / (x11.sigmoid() + 0.5)).sigmoid(), h: ((b13 * x12).sum() - h5 * (1.0 / (dh as f64).sqrt())).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let out15 = Scores { y: x.tanh(), logits: s10 };
        push(out15);
        loss((w16.dot(h3) + x8).sum());
    }

    #[vertex_function]
    pub fn pair_2(
        #[param(E, E)] w1: Tensor, #[param(V, E)] table3: Tensor, #[dim(H)] dh: Dim,
        #[dim(K)] dk: Dim, #[param(K, K)] w8: Tensor, #[param(4 * E, K)] w9: Tensor,
        #[param(4 * E)] b10: Tensor, #[param(3 * E, E)] w16: Tensor, #[dim(E)] de: Dim,
        #[param(E, H)] w18: Tensor, #[param()] s19: Tensor, #[param(H, E)] w20: Tensor,
        #[param(H, E)] w21: Tensor, #[param(H, E)] w22: Tensor, #[param(H, E)] w23: Tensor,
        #[param(H, E)] w24: Tensor, #[param(H, E)] w25: Tensor, #[param(H, E)] w26: Tensor,
        #[param(H, E)] w27: Tensor, #[param(K, K)] w28: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = w1.dot(x);
        let x4 = table3.row(id);
        let v5: Node = gather(0);
        let Node { h: h7, .. } = gather_or(1, Node { h: zeros(dh), c: zeros(dk) });
        let [x11, x12, x13, x14] = (w9.dot(w8.dot(0.5 / (v5.c.sigmoid() + 0.5))) + b10).tanh().split::<4>();
        let parts15 = w16.dot(0.5 / (noisy(x11, 0.25).sigmoid() + 0.5)).tanh().split::<3>();
        let mut a17 = zeros(de);
        for k in 1..=2 {
            a17 += (parts15[k] - w18.dot(h7) * s19).tanh() * (k as f64);
        }
        let state: Node = Node { h: ((w20.dot(x2) + w21.dot(x) + w22.tanh().dot(x4) - v5.h + (w20 * 0.5).dot(x12)).tanh() * (w23 + w24).dot(x13) + (w25 + w26).dot(x14) + w27.dot(a17)).tanh(), c: w28.dot(v5.c).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn pair_3(
        #[param(H)] b2: Tensor, #[dim(K)] dk: Dim, #[param(K, E)] w4: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b7: Tensor, #[param(K, H)] w8: Tensor, #[param(H, H)] w9: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let v3 = gather_or::<Node>(1, Node { h: b2, c: zeros(dk) });
        let Gold { label, target } = pull();
        let x5 = w4.dot(target);
        let x6 = {
            let x5 = x5.tanh() + v3.c.tanh();
            let x5 = x5.tanh() + v1.c.exp();
            x5.tanh()
        };
        for k in 0..2 {
            loss(cross_entropy(-zeros(de) + b7, label) * (k as f64 + 0.25));
        }
        scatter(Node { h: w9.dot(v3.h).tanh(), c: ((w8.dot(v1.h) - w8.dot(v3.h) + w4.tanh().dot(target)) * x6).tanh() });
    }

    #[vertex_function]
    pub fn pair_4(
        #[dim(H)] dh: Dim, #[param(H)] b1: Tensor, #[param(K, H)] w2: Tensor,
        #[param(E)] b7: Tensor, #[param(E, E)] w8: Tensor, #[param(E, K)] w9: Tensor,
        #[param(E, H)] w10: Tensor, #[param(H)] b13: Tensor, #[param(K, E)] w14: Tensor,
        #[param(K, E)] w15: Tensor, #[dim(E)] de: Dim,
    ) {
        let Node { h: h4, c: c5 } = gather_or(0, Node { h: zeros(dh), c: -w2.dot(b1) });
        let v6 = gather::<Node>(1);
        let [x11, x12] = [weighted([w8.dot(b7), b7, w9.dot(v6.c)]), w10.dot(v6.h).sigmoid()];
        loss(mse(h4.relu() + b13, v6.h).tanh());
        let (h, c) = ((0.5 - v6.h).tanh(), (c5 + w14.dot(x11) + w15.dot(x12)).tanh());
        scatter(Node { h, c });
        push(Out { y: (2.0 / (0.5 + (zeros(de) * zeros(de)).sigmoid())).tanh() });
    }

    #[vertex_function]
    pub fn pair_5(
        #[param(E, E)] w2: Tensor, #[param(H)] b7: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w11: Tensor, #[param(K)] b12: Tensor, #[param(K)] b13: Tensor,
        #[param(K)] b14: Tensor, #[dim(H)] dh: Dim, #[param(K, 2 * H + K)] w15: Tensor,
        #[param(K, E)] w16: Tensor, #[param(K, E)] w17: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x3 = w2.dot(p1);
        let Node { h: h5, c: c6 } = gather(1);
        let v8: Node = gather_or(0, Node { h: b7, c: zeros(dk) });
        let x9 = {
            let c6 = c6.tanh() + v8.c.tanh();
            let x10 = b7.softmax().log_softmax();
            (c6 + w11.dot(x10)).tanh().tanh()
        };
        loss(((blend(x9.sum(), b12, b13) + b14) * zeros(dk)).sum());
        let state = Node { c: w15.dot(concat([c6, zeros(dh), v8.h])).tanh(), h: concat([h5.slice(1..dh), h5.slice(0..1)]) * v8.h };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((w16.dot(x3) + w17.dot(p1)).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_6(
        #[dim(H)] dh: Dim, #[param(K)] b1: Tensor, #[dim(K)] dk: Dim, #[param(E, E)] w8: Tensor,
        #[param(E)] b12: Tensor, #[param(E)] b13: Tensor, #[param(E)] b14: Tensor,
        #[param(H)] b16: Tensor, #[param(K)] b17: Tensor, #[param(K, E)] w18: Tensor,
        #[param(H, E)] w20: Tensor,
    ) {
        let Node { h: h3, c: c4 } = gather_or(1, Node { h: zeros(dh), c: b1 });
        let Node { h: h6, .. } = gather_or(0, Node { h: (1.0 / dk as f64 / (zeros(dh).sigmoid() + 0.5)).tanh(), c: zeros(dk) });
        let p7 = pull::<Gold>().target;
        let x9: Tensor = w8.dot(p7);
        let (x10, [x15], s11) = (w8.dot(blend(b12 / (0.5 + p7.sigmoid()), b13, b14)), [0.5 / (0.5 + x9.sigmoid())], (p7.dropout(0.1) * x9).tanh().sum());
        let n19 = 2.0_f64.sqrt() - 2.0;
        scatter(Node { h: (h6 * b16).sigmoid(), c: blend(b17 + c4, (w18 * n19).dot(x15), c4).tanh().exp().tanh() });
        loss((h3 * w20.dot(x10) * s11).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_7(
        #[param(H)] b1: Tensor, #[dim(K)] dk: Dim, #[dim(H)] dh: Dim, #[param(H, K)] w6: Tensor,
        #[param(K, H)] w7: Tensor, #[param(E)] b8: Tensor, #[param(H, E)] w9: Tensor,
    ) {
        let Node { h: h3, c: c4 } = gather_or(0, Node { h: b1.tanh(), c: zeros(dk) });
        let v5: Node = gather_or(1, Node { h: zeros(dh), c: zeros(dk) });
        let h3 = h3.tanh() + (w6.dot(v5.c) + v5.h);
        scatter(Node { h: (w9.dot(b8) - 0.5).tanh(), c: (c4 - w7.dot(h3)).tanh() });
    }

    #[vertex_function]
    pub fn pair_8(
        #[dim(H)] dh: Dim, #[param(H)] b1: Tensor, #[param(K, H)] w2: Tensor,
        #[param(H)] b4: Tensor, #[param(K)] b5: Tensor, #[param(K)] b9: Tensor,
        #[dim(K)] dk: Dim, #[param(E, K)] w10: Tensor, #[dim(E)] de: Dim, #[param()] s11: Tensor,
        #[param(E, H)] w12: Tensor, #[param(H, K)] w13: Tensor, #[param(E, K)] w14: Tensor,
    ) {
        let v3: Node = gather_or(1, Node { h: zeros(dh), c: w2.dot(b1) });
        let Node { h: h7, .. } = gather_or(0, Node { h: b4, c: b5 });
        let mut m8 = v3.c.log_softmax();
        m8 = m8.tanh() + concat([w10.dot(v3.c), b9]).slice(de..de + dk).log_softmax().tanh();
        m8 = m8.tanh();
        for k in 0..2 {
            loss(concat([m8, h7]).slice(0..dk).max().tanh() * (k as f64 + 0.25));
        }
        loss(mse(1.5 + s11 * zeros(de), zeros(de) * w12.dot(v3.h)));
        let state = Node { c: (m8 - b5).tanh(), h: blend(w13.dot(v3.c).max(), zeros(dh).tanh(), b1).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: w14.dot(v3.c).softmax().log_softmax().tanh() });
    }

    #[vertex_function]
    pub fn pair_9(
        #[param(E, E)] w2: Tensor, #[param(H)] b4: Tensor, #[param(H, H)] w5: Tensor,
        #[param()] s6: Tensor, #[dim(K)] dk: Dim, #[dim(H)] dh: Dim, #[param(K)] b13: Tensor,
        #[param(K, E)] w15: Tensor, #[param(E, K)] w16: Tensor, #[param(K, H)] w17: Tensor,
        #[param(H, H)] w18: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let v7 = gather_or::<Node>(1, Node { h: s6 * w5.dot(b4), c: zeros(dk) });
        let Node { h: h9, .. } = gather(0);
        let x10: Tensor = scaled(zeros(dk), dh);
        let (x11, [x14], s12) = (b13 + b13, [v7.c.log_softmax()], (w5.dot(h9) - 0.75).tanh().sum());
        loss(cross_entropy(w15.dot(x3).sigmoid().relu(), label));
        push(Out { y: (s12 - (1.5 + w16.dot(x10))).tanh() });
        let state = Node { c: (w17.dot(v7.h) + x11 + x14).tanh(), h: (2.0 / (w18.tanh().dot(v7.h).sigmoid() + 0.5)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn pair_10(
        #[dim(H)] dh: Dim, #[param(E)] b1: Tensor, #[param(K, E)] w2: Tensor,
        #[param(K)] b5: Tensor, #[param(H, E)] w9: Tensor, #[param(3 * H, E)] w12: Tensor,
        #[param(3 * H)] b13: Tensor, #[param(H)] b15: Tensor, #[param(K, H)] w17: Tensor,
        #[param(K)] b18: Tensor, #[param(K, K)] w19: Tensor, #[param(K, K)] w20: Tensor,
        #[param(K, E)] w21: Tensor, #[param(E)] b22: Tensor, #[dim(K)] dk: Dim,
        #[param(H, E)] w23: Tensor, #[param(E, H)] w24: Tensor,
    ) {
        let Node { h: h4, .. } = gather_or(1, Node { h: zeros(dh), c: (1.5 + w2.dot(b1)).tanh() });
        let Node { h: h7, .. } = gather_or(0, Node { h: zeros(dh), c: b5 });
        let p8: Gold = pull();
        let x10 = w9.dot(p8.target);
        let parts11 = (w12.dot(noisy(noisy(p8.target, 0.5), 0.25)) + b13).split::<3>();
        let mut a14 = b15;
        for k in 0..3 {
            a14 += (parts11[k] * w9.dot(p8.target)).tanh() * (k as f64);
        }
        let mut m16 = 2.0 / (0.5 + w17.dot(a14).sigmoid());
        m16 /= 0.75;
        m16 += ((w19 + w20).dot(b18) + w21.dot(p8.target)).dropout(0.1).tanh();
        m16 = m16.tanh();
        loss(cross_entropy((1.0 / (dk as f64).sqrt() * (b22 - 0.75)).tanh(), p8.label));
        loss((m16.dropout(0.5).exp().tanh() * m16).sum());
        let (h, c) = ((w23.dot(p8.target) / (h4.sigmoid() + 0.5) * cross_entropy(b15, p8.label)).tanh(), w19.dot(m16).sigmoid());
        scatter(Node { h, c });
        loss(((w24 + w24).dot(h7) - (w24 * 0.75).dot(x10)).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_11(
        #[dim(H)] dh: Dim, #[param(K)] b1: Tensor, #[param(E)] b2: Tensor,
        #[param(K, E)] w3: Tensor, #[dim(K)] dk: Dim, #[param(E)] b8: Tensor,
        #[param()] s9: Tensor, #[param(E, K)] w10: Tensor, #[param(H)] b13: Tensor,
        #[param(H)] b14: Tensor, #[param(K)] b15: Tensor, #[param(K, H)] w17: Tensor,
        #[param(K, H)] w18: Tensor, #[param(K, E)] w19: Tensor,
    ) {
        let v4: Node = gather_or(0, Node { h: zeros(dh), c: b1 + w3.dot(b2) });
        let Node { h: h6, c: c7 } = gather_or(1, Node { h: zeros(dh), c: zeros(dk) });
        let h6 = h6.tanh() + (h6.sigmoid() + 0.5).ln();
        let [x11, x12]: [Tensor; 2] = [s9 * (1.0 / (dk as f64).sqrt()) * (0.5 - b8), -w10.dot(v4.c)];
        let n16 = 2.0_f64.sqrt() - 0.5;
        scatter(Node { h: weighted([(b13.sigmoid() + 0.5).ln(), zeros(dh), b14]).tanh(), c: (n16 - b15).softmax() });
        loss(((w17.dot(v4.h) + c7 + w18.dot(h6)).tanh() * w19.dot(x11) + w3.dot(x12)).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_12(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H, E)] w3: Tensor,
        #[param(H, H)] w6: Tensor, #[param(E, H + K)] w7: Tensor, #[param(3 * H, E)] w8: Tensor,
        #[param(3 * H)] b9: Tensor, #[param(H)] b11: Tensor, #[param(E)] b13: Tensor,
        #[param(K, E)] w14: Tensor, #[param(E)] b15: Tensor, #[param(E, E)] w16: Tensor,
        #[param(K)] b17: Tensor, #[param(H, K)] w18: Tensor,
    ) {
        let v1: Node = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let v2: Node = gather(1);
        let Signal { x, .. } = pull();
        let x4: Tensor = w3.dot(x);
        let parts5 = (w8.dot(w7.dot(summary(Node { h: w6.dot(v2.h), c: v2.c })).sigmoid()) + b9).split::<3>();
        let mut a10 = b11;
        for k in 1..=2 {
            a10 -= (parts5[k] * (x4 + b11)).tanh();
        }
        let mut m12 = v1.c.dropout(0.25);
        m12 -= concat([zeros(dk), w14.dot(b13)]).slice(dk..dk + dk).tanh();
        m12 = m12.tanh();
        push(Out { y: (-w16.tanh().dot(b15).log_softmax()).tanh() });
        scatter(Node { h: v1.h.sigmoid().tanh(), c: (b17 + zeros(dk)).softmax() });
        loss((a10 - w18.dot(m12)).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_13(
        #[param(H)] b1: Tensor, #[param(H, H)] w2: Tensor, #[dim(K)] dk: Dim, #[dim(H)] dh: Dim,
        #[param(K)] b5: Tensor, #[param()] s7: Tensor, #[param(K, H)] w10: Tensor,
        #[param(E, H)] w11: Tensor, #[param(E)] b12: Tensor, #[param(H, K)] w13: Tensor,
    ) {
        let Node { h: h4, .. } = gather_or(1, Node { h: (0.75 + w2.dot(b1)).tanh(), c: zeros(dk) });
        let v6 = gather_or::<Node>(0, Node { h: zeros(dh), c: b5 });
        let [x8, x9] = [0.75 * v6.c + s7.tanh(), v6.c + b5];
        let state = Node { c: (w10.tanh().dot(h4) + w10.dot(v6.h) - x8 - x9).tanh(), h: zeros(dh).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let out14 = Scores { y: w11.dot(h4) - b12, logits: (w13.dot(x8).tanh().exp() * v6.h.sum()).tanh() };
        push(out14);
    }

    #[vertex_function]
    pub fn pair_14(
        #[param(H)] b1: Tensor, #[param(H, H)] w2: Tensor, #[dim(K)] dk: Dim,
        #[param(K, E)] w7: Tensor, #[param(H)] b11: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b12: Tensor, #[param()] s13: Tensor, #[param()] s14: Tensor,
        #[param(E, K)] w15: Tensor, #[param()] s16: Tensor, #[param(E, H)] w17: Tensor,
        #[param(H, K)] w19: Tensor, #[param(K)] b20: Tensor,
    ) {
        let v3 = gather_or::<Node>(1, Node { h: w2.dot(b1).softmax(), c: zeros(dk) });
        let Node { h: h5, .. } = gather(0);
        let p6 = pull::<Signal>().x;
        let x8 = w7.dot(p6);
        let mut m9 = v3.h + h5;
        let n10 = 2.0_f64.sqrt() - 0.5;
        m9 /= n10;
        m9 -= h5.relu() * b11;
        m9 -= (zeros(dh) - b12).log_softmax().tanh();
        m9 = m9.tanh();
        for k in 0..2 {
            loss((2.0 + (s13 - s14)).sigmoid() * (k as f64 + 0.25));
        }
        loss((w15.tanh().dot(x8) + s16).tanh().sum() - 1.0 / dh as f64);
        let out18 = Scores { y: noisy(w17.dot(m9), 0.5), logits: ((0.75 + m9).sigmoid() + 0.5).ln() };
        push(out18);
        let state = Node { c: weighted([zeros(dk), b20, b20]), h: w19.dot(v3.c).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn pair_15(
        #[param(H)] b1: Tensor, #[dim(K)] dk: Dim, #[param(H)] b5: Tensor,
        #[param(2 * E, H)] w6: Tensor, #[param(2 * E)] b7: Tensor, #[dim(E)] de: Dim,
        #[param(K, E)] w11: Tensor, #[dim(H)] dh: Dim, #[param(H)] b13: Tensor,
        #[param(K, H)] w14: Tensor,
    ) {
        let v2: Node = gather_or(0, Node { h: b1, c: zeros(dk) });
        let Node { h: h4, .. } = gather(1);
        let (x8, x9) = halves(w6.dot((0.5 + b5.sigmoid()).ln()) + b7);
        let n10 = 0.75 / (1.0 + de as f64);
        let out12 = Scores { y: (n10 / (x8.sigmoid() + 0.5)).tanh(), logits: (1.0 / dh as f64 - w11.dot(x9).tanh().log_softmax()).tanh() };
        push(out12);
        let (h, c) = (h4 * (1.0 / de as f64) * b13, v2.c.softmax().sigmoid());
        scatter(Node { h, c });
        loss(w14.dot(v2.h).sum());
    }

    #[vertex_function]
    pub fn pair_16(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H)] b3: Tensor,
        #[param(2 * H, H)] w7: Tensor, #[param(E)] b11: Tensor, #[param(E, H)] w12: Tensor,
        #[param(K, H)] w14: Tensor, #[param(K, E)] w15: Tensor, #[param(H, K)] w16: Tensor,
        #[param(E)] b18: Tensor, #[dim(E)] de: Dim, #[param(K)] b19: Tensor,
        #[param(K)] b20: Tensor,
    ) {
        let Node { h: h2, .. } = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let Node { h: h5, c: c6 } = gather_or(1, Node { h: b3, c: zeros(dk) });
        let [x8, x9] = w7.dot((zeros(dh) - 0.5).tanh()).split::<2>();
        let x10 = {
            let x13 = b11.tanh() + w12.dot(h5);
            x13.tanh()
        };
        let n17 = 2.0_f64.sqrt() - 2.0;
        let (h, c) = ((n17 + w16.dot(c6)).tanh(), ((w14.dot(h2) + c6 - w14.dot(x8) + w14.tanh().dot(x9)).tanh() * w15.dot(x10)).tanh());
        scatter(Node { h, c });
        let out21 = Scores { y: scaled(b18, de), logits: b19 - b20 - zeros(dk) };
        push(out21);
    }

    #[vertex_function]
    pub fn pair_17(
        #[dim(H)] dh: Dim, #[param(K)] b1: Tensor, #[dim(K)] dk: Dim, #[param(K)] b2: Tensor,
        #[param(H)] b4: Tensor, #[param(E)] b7: Tensor, #[param()] s8: Tensor, #[dim(E)] de: Dim,
        #[param(K, H)] w11: Tensor, #[param(K, H)] w12: Tensor, #[param(K, E)] w13: Tensor,
        #[param(K, H)] w14: Tensor, #[param(H)] b15: Tensor,
    ) {
        let v3: Node = gather_or(0, Node { h: zeros(dh), c: weighted([b1, zeros(dk), b2]) });
        let Node { h: h6, .. } = gather_or(1, Node { h: b4, c: -zeros(dk) });
        let x9: Tensor = (s8 - b7).tanh();
        let x10 = scaled(s8 - zeros(dh), de).tanh();
        scatter(Node { h: weighted([h6, b15, h6]).tanh(), c: (w11.dot(v3.h) + v3.c + w12.dot(h6) + w13.dot(x9) - w14.dot(x10)).tanh() });
        let out16 = Scores { y: concat([x9.slice(1..de), x9.slice(0..1)]), logits: (1.5 - w11.dot(v3.h)).dropout(0.25).tanh() };
        push(out16);
    }

    #[vertex_function]
    pub fn pair_18(
        #[param(K, E)] w2: Tensor, #[param(V, H)] table4: Tensor, #[param(H)] b6: Tensor,
        #[dim(K)] dk: Dim, #[param(K)] b10: Tensor, #[param(K, K)] w15: Tensor,
        #[param(V, K)] table16: Tensor, #[param(3 * E, K)] w17: Tensor, #[param(E)] b19: Tensor,
        #[param(V, E)] table20: Tensor, #[param(V, H)] table21: Tensor,
        #[param(2 * H, H)] w22: Tensor, #[param(2 * H)] b23: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b27: Tensor, #[param(K, H + K)] w28: Tensor, #[param(K, H)] w29: Tensor,
        #[dim(H)] dh: Dim, #[param(H, K)] w31: Tensor, #[param(H, H)] w32: Tensor,
        #[param(H)] b33: Tensor, #[param(K, E)] w35: Tensor, #[param(H, E)] w36: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let Node { h: h8, c: c9 } = gather_or(0, Node { h: b6, c: zeros(dk) });
        let Node { h: h12, c: c13 } = gather_or(1, Node { h: 1.5 * x5, c: b10 });
        let parts14 = w17.dot(mse(table16.row(p1.id), x3) * w15.dot(c9)).tanh().split::<3>();
        let mut a18 = b19;
        for k in 1..=2 {
            a18 += (parts14[k] * table20.row(p1.id).tanh()).tanh() * (k as f64);
        }
        let [x24, x25] = (w22.dot((h8 + table21.row(p1.id)).softmax()) + b23).split::<2>();
        let n26 = 0.75 / (1.0 + de as f64);
        loss((zeros(de) * n26 - b27).max());
        let n30 = 2.0 / (1.0 + dh as f64);
        for k in 0..2 {
            loss(mse(w28.dot(summary(Node { h: h12, c: b10 })), (w29 * n30).dot(x24)).tanh() * (k as f64 + 0.25));
        }
        let out34 = Scores { y: b19.sigmoid(), logits: blend(w31.dot(c13).sigmoid(), w32.dot(x25), b33) };
        push(out34);
        scatter(Node { h: noisy(x24 - x5, 0.5).tanh(), c: (2.0 + w35.dot(p1.x)).tanh() });
        loss(w36.dot(a18).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_19(
        #[param(E, E)] w1: Tensor, #[param(H)] b3: Tensor, #[dim(K)] dk: Dim, #[dim(H)] dh: Dim,
        #[param(K)] b6: Tensor, #[param()] s7: Tensor, #[param(K, H + K)] w12: Tensor,
        #[param(E)] b14: Tensor, #[dim(E)] de: Dim, #[param(H, E)] w16: Tensor,
        #[param(H, K)] w17: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = w1.dot(x);
        let Node { h: h5, .. } = gather_or(1, Node { h: b3, c: zeros(dk) });
        let Node { h: h9, c: c10 } = gather_or(0, Node { h: zeros(dh), c: s7 + b6 });
        let mut m11 = -zeros(dk);
        m11 += w12.dot(summary(Node { h: h5, c: c10 }));
        m11 = m11.tanh() + (c10.dropout(0.1) - c10).tanh();
        m11 /= 2.0;
        m11 = m11.tanh();
        let x13 = {
            let x15 = b14.sigmoid().sigmoid();
            let h5 = h5.tanh() + scaled(h5, de);
            (w16.dot(x15) + h5).tanh()
        };
        loss(cross_entropy(gate(w17, m11.tanh(), b3), label));
        let n18 = 0.75 / (1.0 + dk as f64);
        let (h, c) = (zeros(dh).tanh().tanh(), (0.75 * (n18 / (m11.sigmoid() + 0.5))).tanh());
        scatter(Node { h, c });
        push(Out { y: (0.5 + x2.dropout(0.1).sigmoid()).ln() });
        loss((h9 * x13).sum());
    }

    #[vertex_function]
    pub fn pair_20(
        #[param(H)] b3: Tensor, #[param(K)] b4: Tensor, #[param(K, E)] w8: Tensor,
        #[param(K, E)] w9: Tensor, #[param()] s11: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b14: Tensor, #[param(H, E)] w15: Tensor, #[param(K, K)] w16: Tensor,
        #[param()] s17: Tensor, #[param(K)] b18: Tensor, #[param(H, K)] w19: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Node { h: h6, c: c7 } = gather_or(1, Node { h: b3, c: b4 });
        let Gold { label, target } = pull();
        let x10: Tensor = (w8 + w9).dot(target);
        let [x12, x13] = [1.5 + c7 - s11.tanh(), zeros(dk).exp()];
        loss(cross_entropy(b4.tanh() - b14, label));
        let state: Node = Node { h: (w15.dot(target) - h2).tanh().exp().tanh(), c: gate(w16, s17 - x10, b18).tanh() };
        scatter(state);
        loss(((h6 + w19.dot(x12)).tanh() + w19.tanh().dot(x13)).sum());
    }

    #[vertex_function]
    pub fn pair_21(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(K, E)] w5: Tensor,
        #[param(E, K)] w7: Tensor, #[param(E, K)] w8: Tensor, #[param(E)] b9: Tensor,
        #[param(E, E)] w10: Tensor, #[dim(E)] de: Dim, #[param(K, H)] w12: Tensor,
        #[param(K, E)] w13: Tensor, #[param(H, H)] w14: Tensor, #[param()] s15: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let v3 = gather_or::<Node>(1, Node { h: zeros(dh), c: zeros(dk) });
        let p4 = pull::<Signal>().x;
        let x6 = w5.dot(p4);
        let x11 = noisy(w7.dot(v3.c), 0.25) / ((w8.dot(x6) * w10.dot(b9)).sigmoid() + 0.5) * zeros(de).exp();
        loss((b9 * zeros(de)).softmax().sum());
        scatter(Node { c: ((w12 + w12).dot(h2) - w12.dot(v3.h) - w13.dot(x11)).tanh(), h: (w14.dot(h2) - s15).tanh() });
    }

    #[vertex_function]
    pub fn pair_22(
        #[param(K, E)] w1: Tensor, #[dim(H)] dh: Dim, #[dim(K)] dk: Dim,
        #[param(K, K)] w8: Tensor, #[param(K, H + K)] w9: Tensor, #[param(K)] b11: Tensor,
        #[param(E)] b12: Tensor, #[param(K, E)] w13: Tensor, #[param(K, H)] w15: Tensor,
        #[param(H)] b16: Tensor, #[param(H, K)] w17: Tensor, #[param(H)] b18: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = (w1 * 0.5).dot(x);
        let Node { h: h4, c: c5 } = gather_or(1, Node { h: zeros(dh), c: zeros(dk) });
        let Node { h: h7, .. } = gather(0);
        let x10 = w9.dot(summary(Node { h: h7, c: w8.dot(x2) })).tanh().tanh();
        loss(cross_entropy(-(b11 + w13.dot(b12)), label));
        let n14 = 1.5 / (1.0 + dh as f64);
        loss(((n14 / (b12.sigmoid() + 0.5)).max() * 2.0).tanh());
        let state: Node = Node { h: weighted([b16, w17.dot(x2), b18]).tanh(), c: ((w15.dot(h4) + c5) * x10).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn pair_23(
        #[param(K, E)] w1: Tensor, #[dim(H)] dh: Dim, #[param(K)] b3: Tensor, #[dim(K)] dk: Dim,
        #[param(3 * H, K)] w8: Tensor, #[param(H)] b10: Tensor, #[param(E)] b11: Tensor,
        #[param(K, H)] w12: Tensor,
    ) {
        let Signal { x, .. } = pull();
        let x2 = w1.dot(x);
        let Node { h: h5, .. } = gather_or(0, Node { h: zeros(dh), c: b3 });
        let v6 = gather_or::<Node>(1, Node { h: zeros(dh), c: zeros(dk) });
        let parts7 = w8.dot((x2 - v6.c).sigmoid()).split::<3>();
        let mut a9 = b10;
        for part in parts7 {
            a9 += (part * h5.tanh()).tanh();
        }
        push(Out { y: b11.sigmoid() });
        let (h, c) = ((v6.h + a9).tanh(), w12.dot(h5).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn pair_24(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H)] b2: Tensor, #[param(H)] b3: Tensor,
        #[param(H, E)] w6: Tensor, #[param(V, H)] table8: Tensor, #[param(E, H)] w11: Tensor,
        #[dim(E)] de: Dim, #[param(E, H)] w12: Tensor, #[param(E)] b14: Tensor,
        #[param(E, H)] w15: Tensor, #[param(3 * E, E)] w16: Tensor, #[param(3 * E)] b17: Tensor,
        #[param(E, H)] w22: Tensor, #[param(H, K)] w23: Tensor, #[param(V, K)] table24: Tensor,
        #[param(V, E)] table25: Tensor,
    ) {
        let v1: Node = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let v4 = gather_or::<Node>(1, Node { h: b2 / (b3.sigmoid() + 0.5), c: zeros(dk) });
        let Word { x: p5, id } = pull::<Word>();
        let x7 = w6.dot(p5);
        let x9 = table8.row(id);
        let parts10 = [(w11.dot(v1.h).dropout(0.25) + zeros(de)).tanh(), p5.tanh(), w12.dot(v4.h)];
        let mut a13 = b14;
        for part in parts10 {
            a13 -= (part - w11.dot(x9).sigmoid()).tanh();
        }
        let [x18, x19, x20] = (w16.dot(scaled(concat([a13, w15.dot(x7)]).slice(de..de + de), dh)) + b17).split();
        let n21 = 2.0 / (1.0 + de as f64);
        loss(mse(n21 / (0.5 + x19.softmax().sigmoid()), w22.dot(v4.h) - x18));
        let state = Node { c: table24.row(id) / (0.5 + v4.c.sigmoid()), h: (w23.dot(v1.c) - w23.dot(v4.c) + w6.dot(x20)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: (1.5 / (0.5 + x20.sigmoid()) / (0.5 + (table25.row(id).sigmoid() + 0.5).ln().sigmoid())).tanh() });
    }

    #[vertex_function]
    pub fn pair_25(
        #[dim(H)] dh: Dim, #[param(E)] b3: Tensor, #[param(K, E)] w4: Tensor,
        #[param(H)] b6: Tensor, #[param(K, H)] w7: Tensor, #[param(K, H)] w8: Tensor,
        #[param(H, E)] w9: Tensor,
    ) {
        let Node { h: h2, .. } = gather(1);
        let v5 = gather_or::<Node>(0, Node { h: zeros(dh), c: w4.dot(b3).log_softmax().tanh() });
        let h2 = h2.tanh() + b6.softmax();
        let (h, c) = (w9.dot(b3).sigmoid(), (w7.dot(v5.h) * v5.c - w8.dot(h2)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn pair_26(
        #[param(H)] b1: Tensor, #[dim(K)] dk: Dim, #[dim(H)] dh: Dim, #[param(K)] b3: Tensor,
        #[param(E, E)] w5: Tensor, #[param(H, K)] w7: Tensor, #[param(E, H)] w11: Tensor,
        #[param(E)] b12: Tensor, #[param(E)] b13: Tensor, #[param(E, E)] w14: Tensor,
        #[param(K, H)] w15: Tensor,
    ) {
        let v2 = gather_or::<Node>(0, Node { h: b1, c: zeros(dk) });
        let v4: Node = gather_or(1, Node { h: zeros(dh), c: b3 });
        let Signal { label, x } = pull();
        let x6 = (w5 + w5).dot(x);
        let s8 = (-(1.5 / (0.5 + w7.dot(v2.c).sigmoid()))).tanh().sum();
        let parts9 = [zeros(dk).exp().softmax(), v4.c / (0.5 + b3.sigmoid()), b3];
        let mut a10 = b3;
        for part in parts9 {
            a10 -= (part * v4.c.softmax()).tanh();
        }
        loss(cross_entropy(x6.softmax() - x6, label));
        loss(cross_entropy(crate::cells::gate(w11, v2.h, b12) / ((b12 * b13).sigmoid() + 0.5), label));
        let out16 = Scores { y: (w14 + w5).dot(x6).tanh(), logits: (-w15.dot(v4.h)).exp() };
        push(out16);
        let n17 = 2.0_f64.sqrt() - 0.5;
        let (h, c) = (v4.h.tanh(), ((n17 + zeros(dk)) * s8 + a10).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn pair_27(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H, H + K)] w4: Tensor,
        #[param(E, H)] w6: Tensor, #[param(K, K)] w7: Tensor, #[param(K, H)] w8: Tensor,
        #[param()] s10: Tensor, #[param(H, E)] w11: Tensor,
    ) {
        let v1: Node = gather(0);
        let v2: Node = gather_or(1, Node { h: zeros(dh), c: zeros(dk) });
        let x3 = {
            let x5 = w4.dot(summary(Node { h: zeros(dh), c: v2.c }));
            w6.dot(x5).tanh()
        };
        let x9 = w7.dot(v1.c).relu() * w8.dot(v1.h);
        scatter(Node { c: ((zeros(dk) * w7.dot(x9)).sigmoid() + 0.5).ln().tanh(), h: (v2.h * s10).log_softmax().tanh() });
        loss(w11.dot(x3).sum());
    }

    #[vertex_function]
    pub fn pair_28(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(E)] b3: Tensor,
        #[param(V, E)] table5: Tensor, #[param(E, E)] w7: Tensor, #[param(H, E)] w8: Tensor,
        #[param(2 * K, E)] w10: Tensor, #[param(2 * K)] b11: Tensor, #[param(E, E)] w14: Tensor,
        #[dim(E)] de: Dim, #[param(H)] b15: Tensor, #[param(K, K)] w16: Tensor,
        #[param(H, K)] w17: Tensor, #[param(H, K)] w18: Tensor, #[param(H, K)] w19: Tensor,
    ) {
        let v1: Node = gather(1);
        let v2 = gather_or::<Node>(0, Node { h: zeros(dh), c: zeros(dk) });
        let Word { id, x } = pull();
        let x4 = x * b3;
        let x6 = table5.row(id);
        let x9 = scaled(w8.dot(w7.dot(x6).softmax()), dh);
        let [x12, x13] = (w10.dot(scaled(x4.sigmoid(), dh)) + b11).split::<2>();
        let state: Node = Node { h: affine(w8, w14.dot(x) / (0.5 + zeros(de).sigmoid()), b15).tanh(), c: (w16 * 0.5).dot(x13).softmax() };
        scatter(state);
        push(Out { y: x6.softmax() / (0.5 + (0.5 + x.sigmoid()).ln().sigmoid()) });
        loss((v1.h * w17.dot(v1.c) + v2.h + w18.dot(v2.c) + x9 + w19.dot(x12)).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_29(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(E)] b7: Tensor, #[param(E, E)] w8: Tensor,
        #[param(E, H)] w9: Tensor, #[param(E)] b11: Tensor, #[param()] s12: Tensor,
        #[dim(E)] de: Dim, #[param(E)] b13: Tensor, #[param(H)] b14: Tensor,
        #[param(H, K)] w15: Tensor, #[param(K, H)] w16: Tensor, #[param(K, E)] w17: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(1);
        let Node { h: h5, c: c6 } = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let x10 = weighted([w8.dot(b7).tanh(), b7, w9.dot(h2)]);
        push(Out { y: s12 * b11 });
        let state = Node { c: w16.dot(w15.dot(c6)).tanh(), h: blend((zeros(de) * b13).sum(), (0.5 + b14.sigmoid()).ln(), h5).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((c3 - w17.tanh().dot(x10)).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_30(
        #[param(H)] b1: Tensor, #[param(K)] b2: Tensor, #[param(H)] b6: Tensor,
        #[param(K)] b7: Tensor, #[param(E)] b10: Tensor, #[param(V, H)] table12: Tensor,
        #[param()] s15: Tensor, #[param(V, K)] table16: Tensor, #[param(H)] b17: Tensor,
        #[dim(K)] dk: Dim, #[param(H, K)] w19: Tensor, #[dim(E)] de: Dim,
        #[param(2 * H, E)] w20: Tensor, #[param()] s23: Tensor, #[param(K, H)] w25: Tensor,
        #[param(K, E)] w26: Tensor, #[param(K, H)] w27: Tensor,
    ) {
        let Node { h: h4, c: c5 } = gather_or(1, Node { h: b1, c: b2 });
        let Node { h: h9, .. } = gather_or(0, Node { h: b6, c: b7 });
        let Word { id, x } = pull();
        let x11 = x * b10;
        let x13 = table12.row(id);
        let x14 = {
            let c5 = c5.tanh() + blend(c5 * s15, table16.row(id), c5);
            let n18 = 1.5 / (1.0 + dk as f64);
            let x13 = x13.tanh() + (b17 - n18);
            (w19.dot(c5) * x13).tanh().tanh()
        };
        let (x21, x22) = halves(w20.dot((zeros(de) * b10).log_softmax()));
        let out24 = Scores { y: (0.75 / (0.5 + x11.sigmoid())).tanh(), logits: (s23 * h4).relu() };
        push(out24);
        let n28 = 2.0_f64.sqrt() - 2.0;
        let state: Node = Node { h: n28 * b1, c: (((w25.dot(h9) + w26.dot(x) + w25.dot(x14)) * w25.dot(x21)).tanh() + w27.dot(x22)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn pair_31(
        #[param(H)] b1: Tensor, #[param(K)] b2: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b6: Tensor, #[param()] s9: Tensor, #[param()] s10: Tensor,
        #[param(2 * E, K)] w11: Tensor, #[param(2 * E)] b12: Tensor, #[param(H)] mut b15: Tensor,
        #[param(H, H)] w16: Tensor, #[param(H, H)] w17: Tensor, #[dim(E)] de: Dim,
        #[param()] s18: Tensor, #[dim(K)] dk: Dim, #[param(E, K)] w19: Tensor,
        #[param(E, K)] w20: Tensor, #[param(K, E)] w22: Tensor, #[param(K, E)] w23: Tensor,
    ) {
        let Node { h: h4, c: c5 } = gather_or(0, Node { h: b1, c: b2 });
        let Node { h: h8, .. } = gather_or(1, Node { h: zeros(dh), c: b6 });
        let [x13, x14] = (w11.dot((c5.sigmoid() + 0.5).ln() * (s9 * s10)) + b12).split();
        b15 *= ((w16 + w17).dot(h4) * s9).tanh();
        b15 -= scaled(0.75 - h8, de).tanh();
        b15 += h4.sigmoid().tanh();
        b15 = b15.tanh();
        scatter(Node { c: -(b2 - zeros(dk)), h: (b15 - b1 - (s18 - 0.5)).tanh() });
        let out21 = Scores { y: (w19 + w20).dot(c5).tanh().exp().tanh(), logits: c5 / (0.5 + b2.sigmoid()) - (h8 * b15).sum() };
        push(out21);
        loss((w22.dot(x13) - w23.dot(x14)).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_32(
        #[dim(H)] dh: Dim, #[param(H)] b2: Tensor, #[param(H)] b3: Tensor,
        #[param(K, H)] w4: Tensor, #[param(E)] mut b10: Tensor, #[param(E, K)] w11: Tensor,
        #[param(E, H)] w12: Tensor, #[param()] s14: Tensor, #[param(3 * K, H)] w15: Tensor,
        #[param(3 * K)] b16: Tensor, #[param(K)] b18: Tensor, #[param(K)] b19: Tensor,
        #[param(K, K)] w20: Tensor, #[param(K, H)] w21: Tensor, #[param(K, K)] w22: Tensor,
        #[param(H, H)] w23: Tensor, #[param(H, E)] w24: Tensor, #[param(K)] b26: Tensor,
    ) {
        let n1 = 2.0 / (1.0 + dh as f64);
        let Node { h: h6, .. } = gather_or(1, Node { h: (n1 / (0.5 + b2.sigmoid())).tanh(), c: (w4 + w4).dot(b3).softmax() });
        let Node { h: h8, c: c9 } = gather(0);
        b10 += w11.dot(c9).exp().tanh();
        b10 -= w12.dot(h6).exp().sigmoid();
        b10 = b10.tanh();
        let parts13 = (w15.dot(2.0 * h8 * (s14 + s14)) + b16).split::<3>();
        let mut a17 = b18;
        for k in 0..3 {
            a17 += (parts13[k] - weighted([b19, c9, b18])).tanh();
        }
        loss(mse(gate(w20, b18, b18) / ((a17 * s14).sigmoid() + 0.5), w21.dot(h8)));
        loss(w22.sum().tanh());
        let n25 = 2.0_f64.sqrt() - 0.5;
        let state: Node = Node { h: (weighted([w23.dot(h8), h6, (w24 * n25).dot(b10)]).sigmoid() + 0.5).ln().tanh(), c: ((a17 * a17).tanh() + b26).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn pair_33(
        #[param(K, E)] w2: Tensor, #[dim(H)] dh: Dim, #[dim(K)] dk: Dim,
        #[param(E, H)] w8: Tensor, #[param(K, E)] w10: Tensor, #[param(K, H)] w12: Tensor,
        #[param(K, E)] w13: Tensor, #[param(H, H)] w14: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x3 = w2.dot(p1);
        let Node { h: h5, c: c6 } = gather(0);
        let v7 = gather_or::<Node>(1, Node { h: zeros(dh), c: zeros(dk) });
        let x9 = w8.dot(h5.exp().softmax());
        let n11 = 2.0_f64.sqrt() - 2.0;
        scatter(Node { h: w14.dot(h5).tanh(), c: (((x3 - (w10 * n11).dot(p1)) * c6 + w12.dot(v7.h) + v7.c).tanh() + w13.dot(x9)).tanh() });
    }

    #[vertex_function]
    pub fn pair_34(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(E)] b3: Tensor, #[param(E, E)] w4: Tensor,
        #[param(H, H)] w7: Tensor, #[param(H)] b8: Tensor, #[param(H)] b9: Tensor,
        #[param(H, K)] w10: Tensor, #[param(K)] b11: Tensor,
    ) {
        let v1: Node = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let v2: Node = gather(1);
        let s5 = (b3.exp() * w4.dot(b3)).sum().sigmoid();
        let mut m6 = concat([w7.dot(v2.h), v1.h]).slice(0..dh);
        m6 = (0.75 / (0.5 + v1.h.log_softmax().sigmoid())).tanh() - m6;
        m6 -= weighted([b8, v2.h, b9]);
        m6 = m6.tanh() + v1.h.exp().log_softmax().tanh();
        m6 = m6.tanh();
        let (h, c) = (((w10.tanh().dot(v1.c) + w10.dot(v2.c) + s5) * m6).tanh(), (b11 + 1.0 / (dh as f64).sqrt()).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn pair_35(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(K, K)] w2: Tensor,
        #[param(K, E)] w6: Tensor, #[param(V, H)] table8: Tensor, #[param()] s11: Tensor,
        #[param(V, K)] table12: Tensor, #[param(K, H)] w13: Tensor, #[dim(E)] de: Dim,
        #[param(V, K)] table15: Tensor, #[param(E, E)] w16: Tensor, #[param(E, H)] w17: Tensor,
        #[param(E, K)] w18: Tensor,
    ) {
        let v1: Node = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let Node { h: h4, .. } = gather_or(1, Node { h: zeros(dh), c: weighted([w2.dot(v1.c), v1.c, zeros(dk)]).tanh() });
        let p5: Word = pull();
        let x7 = w6.dot(p5.x);
        let x9 = table8.row(p5.id);
        let mut m10 = x7 - s11;
        m10 -= table12.row(p5.id).softmax().relu();
        let n14 = 0.75 / (1.0 + de as f64);
        m10 = (p5.x.sum() - (n14 + w13.dot(h4))).tanh() - m10;
        m10 = (0.75 - 0.75 * table15.row(p5.id)).tanh() - m10;
        m10 = m10.tanh();
        scatter(Node { h: v1.h.tanh().tanh(), c: (0.5 + (v1.c + x7).sigmoid()).ln().tanh() });
        push(Out { y: weighted([p5.x + p5.x, w16.dot(p5.x), p5.x]).tanh() });
        loss((w17.dot(x9) * (w18 + w18).dot(m10)).sum());
    }
}

pub mod several {
    use super::prelude::*;

    #[vertex_function]
    pub fn several_0(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[dim(H)] dh: Dim, #[param(K)] b6: Tensor, #[param(H, K)] w7: Tensor,
        #[param()] s8: Tensor, #[param(H, E)] w9: Tensor, #[param(H, H)] w10: Tensor,
        #[param(H)] b11: Tensor, #[param(H)] b12: Tensor, #[param(K, H)] w13: Tensor,
        #[param(K, H)] w14: Tensor,
    ) {
        let mut a2 = zeros(de);
        for k in 0..2 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) - w4.dot(v1.c)) * (k as f64 + 0.5);
        }
        let mut m5 = zeros(dh) + w7.dot(b6);
        m5 += (zeros(dh) - s8 - w9.dot(a2)).tanh();
        m5 -= gate(w10, concat([b11, b11]).slice(0..dh), b12);
        m5 = m5.tanh();
        scatter(Node { h: concat([b11, w14.dot(m5)]).slice(0..dh), c: w13.dot(m5).tanh() });
    }

    #[vertex_function]
    pub fn several_1(
        #[param(E)] b4: Tensor, #[param(V, H)] table6: Tensor, #[dim(E)] de: Dim,
        #[dim(H)] dh: Dim, #[param(3 * K, H)] w9: Tensor, #[dim(K)] dk: Dim,
        #[param(V, K)] table11: Tensor, #[param(K, K)] w12: Tensor,
        #[param(4 * H, K)] w13: Tensor, #[param()] s18: Tensor, #[param(K, E)] w19: Tensor,
        #[param(K)] b20: Tensor, #[param(H, E)] w21: Tensor,
    ) {
        let [v1, v2]: [Node; 2] = [gather(0), gather(1)];
        let p3: Word = pull();
        let x5 = p3.x * b4;
        let x7 = table6.row(p3.id);
        let parts8 = w9.dot(scaled(v2.h, de) / (0.5 + (zeros(dh).sigmoid() + 0.5).ln().sigmoid())).split::<3>();
        let mut a10 = zeros(dk);
        for k in 1..=2 {
            a10 += (parts8[k] - v2.c * table11.row(p3.id)).tanh() * (k as f64);
        }
        let [x14, x15, x16, x17]: [Tensor; 4] = w13.dot(w12.dot(a10).softmax().softmax()).split();
        loss(2.0 * (s18 + s18) - 1.0 / (dk as f64).sqrt());
        let state: Node = Node { h: scaled(x7, de).softmax(), c: (blend(v1.c.sum(), v1.c, w19.dot(x5)) - b20).tanh() };
        scatter(state);
        loss(((v1.h + (w21 * (1.0 / dh as f64)).dot(p3.x) + x14 + x15).tanh() * x16 + x17).tanh().sum());
    }

    #[vertex_function]
    pub fn several_2(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(K, E)] w6: Tensor,
        #[dim(E)] de: Dim, #[param(E, H)] w7: Tensor, #[param(K)] b8: Tensor,
        #[param(E)] b9: Tensor, #[param(E, E)] w10: Tensor, #[param(K, K)] w12: Tensor,
        #[dim(H)] dh: Dim, #[param()] s17: Tensor, #[param(H)] b18: Tensor,
        #[param(K, H + K)] w19: Tensor, #[param(K, E)] w20: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(dk);
        for k in 0..2 {
            a2 += (w3.dot(v1[k].h) + v1[k].c) * (k as f64 + 0.5);
        }
        let (x4, [x11], s5) = (crate::cells::gate(w6, weighted([zeros(de), w7.dot(v1[0].h), w7.dot(v1[0].h)]), b8), [b9.log_softmax()], w10.dot(b9).softmax().sum());
        let [x13, x14] = [(w12.dot(x4) * zeros(dk)).tanh(), v1[0].c - s5];
        let n15 = 2.0 / (1.0 + de as f64);
        loss((n15 - s5).tanh());
        let n16 = 2.0_f64.sqrt() - 1.5;
        let state = Node { c: w19.dot(summary(Node { h: b18, c: x14 })).tanh(), h: (n16 / ((s17 * zeros(dh)).sigmoid() + 0.5)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss(((a2 + (w20 * 1.5).dot(x11)).tanh() + x13).sum());
    }

    #[vertex_function]
    pub fn several_3(
        #[param(E)] b1: Tensor, #[param(V, E)] table3: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w7: Tensor, #[param(H, E)] w10: Tensor, #[param(H)] b11: Tensor,
        #[dim(E)] de: Dim, #[param(V, H)] table13: Tensor, #[param(K, E)] w15: Tensor,
        #[param(K, E)] w16: Tensor, #[param(H, H)] w17: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4 = table3.row(id);
        let v5: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a6 = zeros(dk);
        for k in 0..3 {
            a6 += (w7.dot(v5[k].h) + v5[k].c) * (k as f64 + 0.5);
        }
        let [x8, x9] = [-b1.exp(), x.softmax()];
        let x12: Tensor = (v5[2].h.log_softmax() * w10.dot(x9)).tanh() - b11.tanh();
        let out14 = Scores { y: zeros(de) + x4, logits: ((x12 - v5[2].h) * table13.row(id)).sum() };
        push(out14);
        let state = Node { c: (w15.tanh().dot(x2) * a6 - v5[2].c - w16.dot(x8)).tanh(), h: (2.0 - w17.dot(x12)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn several_4(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(K)] b4: Tensor,
        #[param(H, H + K)] w5: Tensor, #[param(K, K)] w9: Tensor, #[param(K, K)] w10: Tensor,
        #[param(H, K)] w12: Tensor, #[dim(E)] de: Dim, #[param(E)] b13: Tensor,
        #[param(H, E)] w14: Tensor,
    ) {
        let v1: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a2 = zeros(dk);
        for k in 0..3 {
            a2 += ((w3 * (1.0 / (dk as f64).sqrt())).dot(v1[k].h) + v1[k].c) * (k as f64 + 0.5);
        }
        let x6: Tensor = w5.dot(summary(Node { h: v1[1].h, c: b4 }));
        let (x7, [x11], s8) = (concat([w9.dot(v1[1].c).dropout(0.1), w3.dot(x6)]).slice(dk..dk + dk), [(zeros(dk).sigmoid() + 0.5).ln()], w10.sum());
        let state: Node = Node { h: w5.dot(summary(Node { h: w12.dot(v1[1].c), c: a2 })).dropout(0.25).tanh(), c: (x7 * x11 - 1.0 / (de as f64).sqrt()).tanh() };
        scatter(state);
        loss(((w14 * s8.tanh()).dot(b13).log_softmax() * s8).tanh().sum());
    }

    #[vertex_function]
    pub fn several_5(
        #[param(E, E)] w3: Tensor, #[param(V, E)] table5: Tensor, #[param()] s7: Tensor,
        #[param(H)] b10: Tensor, #[param()] s12: Tensor, #[param()] s13: Tensor,
        #[param(K, K)] w14: Tensor, #[param(K)] b15: Tensor, #[dim(K)] dk: Dim,
        #[param(H, K)] w16: Tensor, #[param(K, H)] w18: Tensor, #[param(K, H)] w19: Tensor,
    ) {
        let v1 = gather::<Node>(1);
        let v2 = gather::<Node>(0);
        let Word { id, x } = pull();
        let x4 = w3.tanh().dot(x);
        let x6 = table5.row(id);
        let s8 = x6.dropout(0.25).sum() * s7;
        let s9 = s8;
        let n11 = 2.0_f64.sqrt() - 0.75;
        let (h, c) = ((s12 + s13 - (n11 - b10)).tanh(), scaled(weighted([w14.dot(v2.c), v1.c, b15]), dk).tanh());
        scatter(Node { h, c });
        let out17 = Scores { y: (1.5 / (0.5 + x4.sigmoid())).tanh(), logits: w16.dot(v1.c).exp() };
        push(out17);
        loss((((w18 + w19).dot(v1.h) + w18.dot(v2.h)) * s9).tanh().sum());
    }

    #[vertex_function]
    pub fn several_6(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(H)] b5: Tensor,
        #[param(E, H)] w6: Tensor, #[param()] s7: Tensor, #[param(3 * E, E)] w8: Tensor,
        #[dim(E)] de: Dim, #[param(E, H)] w10: Tensor, #[param(E)] b11: Tensor,
        #[param(H, E)] w12: Tensor, #[param(E)] b13: Tensor, #[param(H, K)] w15: Tensor,
        #[dim(H)] dh: Dim, #[param(K, K)] w16: Tensor, #[param(H)] b17: Tensor,
        #[param(H)] b19: Tensor, #[param(K)] b21: Tensor, #[param(H)] b22: Tensor,
        #[param(K, H + K)] w23: Tensor, #[param(E, K)] w24: Tensor, #[param(K)] b25: Tensor,
    ) {
        let mut a2 = zeros(dk);
        for k in 0..2 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) + v1.c) * (k as f64 + 0.5);
        }
        let parts4 = w8.dot((s7 + w6.dot(b5)).exp()).split::<3>();
        let mut a9 = zeros(de);
        for part in parts4 {
            a9 = a9.tanh() + (part - affine(w10, (w12 * 1.5).dot(b11), b13).tanh()).tanh();
        }
        let parts14 = [(w16.dot(a2).tanh().sum() - w15.dot(a2) * zeros(dh)).tanh(), b17.tanh(), b5];
        let mut a18 = b19;
        let x20 = concat(parts14);
        for k in 0..2 {
            a18 += (x20.slice(k * dh..(k + 1) * dh) - zeros(dh) * w15.dot(a2)).tanh();
        }
        for k in 0..2 {
            loss((concat([a2, b21]).slice(dk..dk + dk).log_softmax() * a2).tanh().sum() * (k as f64 + 0.25));
        }
        loss(mse(w23.dot(summary(Node { h: b22, c: a2 })), w3.dot(a18)).tanh());
        push(Out { y: (w24.dot(a2) - a9).tanh() });
        let state: Node = Node { h: b5.tanh(), c: b25.log_softmax().softmax() };
        scatter(state);
    }

    #[vertex_function]
    pub fn several_7(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(K, E)] w5: Tensor, #[param(K, E)] w6: Tensor, #[dim(K)] dk: Dim,
        #[param(H, 2 * K)] w7: Tensor, #[param(E)] b9: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b10: Tensor, #[param(E, K)] w11: Tensor, #[param(K)] b12: Tensor,
        #[param(K, K)] w13: Tensor, #[param(H, E)] w14: Tensor, #[param()] s15: Tensor,
        #[param(K, H)] w17: Tensor,
    ) {
        let mut a2 = zeros(de);
        for k in 0..3 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) + (w4 + w4).dot(v1.c)) * (k as f64 + 0.5);
        }
        let x8: Tensor = w7.dot(concat([(0.5 - (w5 + w6).dot(a2)).tanh(), zeros(dk).relu()]));
        let a2 = a2.tanh() + b9.softmax();
        let state = Node { c: (b10.log_softmax() / (zeros(dk).tanh().sigmoid() + 0.5)).tanh(), h: (1.5 - zeros(dh).sigmoid()).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let out16 = Scores { y: gate(w11, (w13 + w13).dot(b12), b9).tanh(), logits: 1.0 / (dk as f64).sqrt() * s15 - (w14 * 0.5).dot(a2).sigmoid() };
        push(out16);
        loss(w17.dot(x8).sum());
    }

    #[vertex_function]
    pub fn several_8(
        #[param(E)] b4: Tensor, #[param(2 * K, E)] w5: Tensor, #[dim(K)] dk: Dim,
        #[param(K, E)] w9: Tensor, #[param(K, E)] w10: Tensor, #[param(E)] b11: Tensor,
        #[param(E, E)] w12: Tensor, #[param(K)] b13: Tensor, #[param(K)] b14: Tensor,
        #[param(E)] b16: Tensor, #[param(K, E)] w17: Tensor, #[param(H)] b18: Tensor,
        #[param(H)] b19: Tensor, #[param(E, H)] w20: Tensor, #[param(E)] b21: Tensor,
        #[param(E, E)] w22: Tensor, #[param(E)] b23: Tensor, #[param(E, E)] w24: Tensor,
        #[param(K)] b25: Tensor, #[param(E)] b26: Tensor, #[param(H, K)] w27: Tensor,
        #[param(H, K)] w28: Tensor, #[param(H, K)] w29: Tensor, #[param(H, K)] w30: Tensor,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let [x6, x7]: [Tensor; 2] = w5.dot(b4.sigmoid().tanh()).split();
        let parts8 = [concat([w9.dot(b4), x7]).slice(dk..dk + dk).tanh(), gate(w10, w12.dot(b11), b13), b14];
        let mut a15 = b13;
        for part in parts8 {
            a15 = a15.tanh() + (part + (w17 + w9).dot(b16)).tanh();
        }
        loss((-b18 * b19).sum());
        loss(mse(weighted([w20.dot(v2.h), w22.dot(b21), b4]) * b23, w24.dot(b4)));
        let state: Node = Node { h: -(-b18), c: (v2.c * b25).exp().tanh() };
        scatter(state);
        push(Out { y: -b26 * (v1.h * v3.h).sum() });
        loss((w27.dot(v1.c) * w28.dot(v3.c) - w29.dot(x6) + w30.dot(a15)).tanh().sum());
    }

    #[vertex_function]
    pub fn several_9(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(H)] b6: Tensor, #[param(K, H)] w7: Tensor, #[dim(K)] dk: Dim,
        #[param(H)] b9: Tensor, #[param(H, K)] w11: Tensor, #[param(H, E)] w12: Tensor,
        #[param(K, E)] w13: Tensor, #[param(K)] b14: Tensor, #[param(K, K)] w15: Tensor,
        #[param(K)] b16: Tensor,
    ) {
        let mut a2 = zeros(de);
        for k in 0..3 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) + w4.dot(v1.c)) * (k as f64 + 0.5);
        }
        let x5 = {
            let x8 = concat([w7.dot(b6).slice(1..dk), w7.dot(b6).slice(0..1)]);
            let x10 = b9;
            (w11.dot(x8) * x10).tanh()
        };
        let state: Node = Node { h: noisy(w12.tanh().dot(a2), 0.25).dropout(0.1).tanh(), c: ((w13.dot(a2) - b14) / (0.5 + affine(w15, b16, b14).sigmoid())).tanh() };
        scatter(state);
        loss(w7.dot(x5).sum());
    }

    #[vertex_function]
    pub fn several_10(
        #[param(E, E)] w2: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w6: Tensor,
        #[param(E, K)] w7: Tensor, #[param(E)] b9: Tensor, #[param(K, E)] w10: Tensor,
        #[param(H)] b13: Tensor, #[param(H, H)] w14: Tensor, #[param(H)] b15: Tensor,
        #[param(H, H)] w16: Tensor, #[dim(K)] dk: Dim, #[param(K, H)] w18: Tensor,
        #[param(K, E)] w20: Tensor, #[param(K, E)] w21: Tensor, #[param(H, K)] w22: Tensor,
        #[param(E)] b23: Tensor, #[param()] s24: Tensor,
    ) {
        let p1 = pull::<Signal>().x;
        let x3 = (w2 * 1.5).dot(p1);
        let mut a5 = zeros(de);
        for k in 0..3 {
            let v4: Node = gather(k);
            a5 += (w6.dot(v4.h) + w7.dot(v4.c)) * (k as f64 + 0.5);
        }
        let x8 = {
            let p1 = p1.tanh() + zeros(de) / (0.5 + b9.sigmoid());
            w10.dot(p1).tanh()
        };
        let x11 = {
            let x12 = x8.dropout(0.1) - 2.0;
            let x17 = scaled(w14.dot(b13) + w16.dot(b15), dk);
            let n19 = 1.5 / (1.0 + dk as f64);
            (x12 - (w18 * n19).dot(x17)).tanh().tanh()
        };
        scatter(Node { c: ((w20.dot(x3) * w21.dot(a5)).tanh() - x11).tanh(), h: w22.dot(x11).tanh() });
        push(Out { y: (b23 * s24).softmax() });
    }

    #[vertex_function]
    pub fn several_11(
        #[param(E)] b1: Tensor, #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H)] b7: Tensor,
        #[param()] s10: Tensor, #[param(H, H)] w11: Tensor, #[param(H, H)] w12: Tensor,
        #[param(H, H)] w13: Tensor, #[param(K, E)] w14: Tensor, #[param(K)] b15: Tensor,
        #[param(H, E)] w16: Tensor, #[param(H, K)] w17: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = target * b1;
        let v3: Node = gather(2);
        let v4: Node = gather(1);
        let v5 = gather::<Node>(0);
        let parts6 = [weighted([concat([v4.c, v3.h]).slice(dk..dk + dh), v4.h, zeros(dh)]), -b7, v5.h];
        let mut a8 = zeros(dh);
        let x9 = concat(parts6);
        for k in 0..2 {
            a8 -= (x9.slice(k * dh..(k + 1) * dh) * (s10 * v5.h)).tanh();
        }
        scatter(Node { h: affine(w11, (w12 + w13).dot(a8).tanh(), b7).tanh(), c: blend(w14.dot(x2).log_softmax(), v5.c, b15).dropout(0.25).tanh() });
        loss((w16.tanh().dot(target) - w17.dot(v3.c)).sum());
    }

    #[vertex_function]
    pub fn several_12(
        #[param(E, E)] w2: Tensor, #[param(E)] b10: Tensor, #[param(E)] b11: Tensor,
        #[param(H, E)] w13: Tensor, #[param(K, E)] w14: Tensor, #[dim(K)] dk: Dim,
        #[param(H, K)] w16: Tensor, #[param(K, K)] w17: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let Node { h: h5, .. } = gather(2);
        let v6: Node = gather(1);
        let Node { h: h8, .. } = gather(0);
        let x9 = {
            let x12 = blend(v6.c.sum(), b10, b11).softmax();
            w13.dot(x12).tanh()
        };
        let x15 = concat([w14.dot(x3), v6.h.exp()]).slice(0..dk);
        for k in 0..2 {
            loss(cross_entropy((1.5 + x9).sigmoid(), label) * (k as f64 + 0.25));
        }
        let state = Node { c: (0.5 + w17.dot(x15).sigmoid()).ln().tanh(), h: (h5 + h8 - w16.dot(x15)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn several_13(
        #[param(E)] b4: Tensor, #[param(K, E)] w5: Tensor, #[param(H, K)] w8: Tensor,
        #[param(H, K)] w9: Tensor, #[param(H, K)] w10: Tensor, #[param(H, K)] w11: Tensor,
        #[param(K)] b12: Tensor, #[dim(E)] de: Dim, #[param(E, K)] w13: Tensor,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let [x6, x7]: [Tensor; 2] = [w5.dot(b4), v2.c.softmax()];
        let state = Node { c: b12.exp().tanh(), h: ((v1.h + w8.dot(v1.c)) * v2.h * v3.h * w9.dot(v3.c) + w10.dot(x6) - w11.dot(x7)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let out14 = Scores { y: b4.softmax(), logits: zeros(de).softmax() + w13.dot(x7) };
        push(out14);
    }

    #[vertex_function]
    pub fn several_14(
        #[param(H)] b4: Tensor, #[param(E, H)] w6: Tensor, #[param(K)] mut b7: Tensor,
        #[param(K, K)] w8: Tensor, #[param(K, E)] w9: Tensor, #[param()] s10: Tensor,
        #[param(K, E)] w11: Tensor, #[dim(E)] de: Dim, #[dim(K)] dk: Dim,
        #[param(K, K)] w12: Tensor, #[param(E)] b13: Tensor, #[dim(H)] dh: Dim,
        #[param(H, E)] w14: Tensor, #[param(E, H)] w15: Tensor, #[param(E, K)] w16: Tensor,
    ) {
        let [v1, v2]: [Node; 2] = [gather(0), gather(1)];
        let x3 = {
            let x5 = (v1.h.sum() + (0.5 - b4)).tanh();
            w6.dot(x5).tanh()
        };
        b7 += (s10.sigmoid() * (w8.dot(v1.c) * w9.dot(x3))).tanh();
        b7 = b7.tanh();
        loss(concat([(w11 * (1.0 / (de as f64).sqrt())).dot(x3), (b7.sigmoid() + 0.5).ln()]).slice(0..dk).tanh().sum());
        loss(w12.max());
        push(Out { y: b13.sigmoid().tanh() });
        let (h, c) = (concat([w14.dot(x3), zeros(dh)]).slice(dh..dh + dh), zeros(dk).sigmoid().softmax());
        scatter(Node { h, c });
        loss((w15.dot(v2.h) + w16.dot(v2.c)).sum());
    }

    #[vertex_function]
    pub fn several_15(
        #[param(K, E)] w2: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w6: Tensor,
        #[param(E, K)] w7: Tensor, #[param(H, E)] w10: Tensor, #[param(K)] b11: Tensor,
        #[param()] s12: Tensor, #[param()] s13: Tensor, #[param(2 * K, K)] w14: Tensor,
        #[param(H, E)] w17: Tensor, #[param(E, H)] w18: Tensor, #[param()] s19: Tensor,
        #[param(E, K)] w20: Tensor, #[param(E)] b21: Tensor, #[param(K, H)] w23: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = w2.dot(p1);
        let v4: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a5 = zeros(de);
        for k in 0..3 {
            a5 += (w6.dot(v4[k].h) + w7.dot(v4[k].c)) * (k as f64 + 0.5);
        }
        let x8 = {
            let x9 = -(p1 - a5);
            w10.tanh().dot(x9).tanh()
        };
        let (x15, x16) = halves(w14.dot((s12 - s13) * (b11 + s12)));
        loss(cross_entropy(w18.dot(w17.dot(p1)), label));
        let out22 = Scores { y: s19 * zeros(de), logits: crate::cells::gate(w20, x16, b21) };
        push(out22);
        let state = Node { c: (x3 + w23.dot(v4[0].h) + v4[0].c + w23.dot(x8) + x15).tanh(), h: (v4[0].h - x8).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn several_16(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(E)] b5: Tensor,
        #[param(K, E)] w6: Tensor, #[param(E, H + K)] w7: Tensor, #[dim(E)] de: Dim,
        #[param(2 * K, E)] w9: Tensor, #[param(2 * K)] b10: Tensor, #[dim(H)] dh: Dim,
    ) {
        let v1: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a2 = zeros(dk);
        for k in 0..3 {
            a2 += w3.dot(v1[k].h) * v1[k].c * (k as f64 + 0.5);
        }
        let x4 = {
            let x8 = w7.dot(summary(Node { h: v1[1].h, c: w6.dot(b5) }));
            x8.tanh()
        };
        let (x11, x12) = halves(w9.dot(concat([x4, zeros(de)]).slice(0..de).softmax()) + b10);
        loss(zeros(dh).log_softmax().log_softmax().tanh().sum());
        scatter(Node { h: v1[1].h.dropout(0.5).tanh(), c: (a2 + v1[1].c + x11 + x12).tanh() });
    }

    #[vertex_function]
    pub fn several_17(
        #[dim(H)] dh: Dim, #[param(H, K)] w3: Tensor, #[param(K, H)] w8: Tensor,
        #[param(E, E)] w10: Tensor, #[param(E, H)] w11: Tensor, #[param(E, H)] w12: Tensor,
        #[param(E)] b13: Tensor, #[param(E, E)] w14: Tensor, #[param(H)] b15: Tensor,
        #[param(E)] b16: Tensor, #[param(K, E)] w17: Tensor, #[param(H, K)] w18: Tensor,
    ) {
        let v1: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a2 = zeros(dh);
        for k in 0..3 {
            let n4 = 2.0_f64.sqrt() - 2.0;
            a2 += (v1[k].h + (w3 * n4).dot(v1[k].c)) * (k as f64 + 0.5);
        }
        let n5 = 2.0_f64.sqrt() - 1.5;
        let s6 = (n5 * v1[2].c * v1[2].c).sum().tanh().tanh();
        let x7 = {
            let x9 = weighted([v1[2].c.sigmoid(), v1[2].c, w8.tanh().dot(v1[2].h)]);
            x9.tanh()
        };
        push(Out { y: gate(w10, (w11 + w12).dot(v1[2].h) + (w10 + w14).dot(b13), b13).tanh() });
        let state: Node = Node { h: (weighted([w3.dot(v1[2].c), a2, b15]).sigmoid() + 0.5).ln().tanh(), c: w17.tanh().dot(b16).log_softmax().tanh() };
        scatter(state);
        loss((v1[2].h.tanh() * s6 * w18.dot(x7)).sum());
    }

    #[vertex_function]
    pub fn several_18(
        #[dim(H)] dh: Dim, #[param(H, K)] w3: Tensor, #[param(H, H)] w4: Tensor,
        #[param(E)] b5: Tensor, #[param(2 * H, H)] w6: Tensor, #[param(2 * H)] b7: Tensor,
        #[param(K)] b11: Tensor, #[param(E, K)] w12: Tensor, #[param(E)] b13: Tensor,
        #[param(E)] b14: Tensor, #[param(E, E)] w15: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b16: Tensor, #[param(E)] b18: Tensor, #[param(K)] b20: Tensor,
        #[param(E, K)] w21: Tensor, #[param(K, K)] w22: Tensor, #[param(H)] b23: Tensor,
        #[param(K, H)] w24: Tensor, #[param(H, E)] w25: Tensor,
    ) {
        let mut a2 = zeros(dh);
        for k in 0..3 {
            let v1: Node = gather(k);
            a2 += (v1.h - w3.dot(v1.c)) * (k as f64 + 0.5);
        }
        let [x8, x9]: [Tensor; 2] = (w6.dot(w4.dot(a2).softmax() + b5.sum()) + b7).split();
        let parts10 = [w12.dot(b11) * b13, w15.dot(b14) * zeros(de), w15.dot(b16)];
        let mut a17 = b18;
        let x19 = concat(parts10);
        for k in 0..2 {
            a17 = a17.tanh() + (x19.slice(k * de..(k + 1) * de) - w21.tanh().dot(b20).softmax()).tanh();
        }
        for k in 0..2 {
            loss(w22.sum() * (k as f64 + 0.25));
        }
        let (h, c) = (blend(b23.softmax(), concat([b23, b5]).slice(0..dh), b23), noisy(w24.dot(x9).sigmoid(), 0.25));
        scatter(Node { h, c });
        loss((x8 * w25.dot(a17)).tanh().sum());
    }

    #[vertex_function]
    pub fn several_19(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(H)] b6: Tensor, #[param(3 * H, H)] w7: Tensor, #[dim(H)] dh: Dim,
        #[param(H, K)] w9: Tensor, #[param(H)] b10: Tensor, #[param(K, E)] w11: Tensor,
        #[param(K, H)] w12: Tensor, #[dim(K)] dk: Dim, #[param(H, H + K)] w13: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(de);
        for k in 0..2 {
            a2 += (w3.dot(v1[k].h) + w4.dot(v1[k].c)) * (k as f64 + 0.5);
        }
        let parts5 = w7.dot(b6 - v1[1].h + v1[1].h).split::<3>();
        let mut a8 = zeros(dh);
        for k in 0..3 {
            a8 += (parts5[k] + crate::cells::gate(w9, v1[1].c, b10)).tanh() * (k as f64);
        }
        let state = Node { c: (w11.dot(a2) * (w12 + w12).dot(a8)).tanh(), h: w13.dot(summary(Node { h: a8, c: zeros(dk) })).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn several_20(
        #[param(K)] b4: Tensor, #[param()] s5: Tensor, #[param(K, H)] w7: Tensor,
        #[param(E, K)] w9: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w10: Tensor,
        #[param(E, K)] w11: Tensor, #[param(E)] b14: Tensor, #[param(E, H)] w16: Tensor,
        #[param(H, E)] w17: Tensor, #[param(K, K)] w18: Tensor,
    ) {
        let v1 = gather::<Node>(1);
        let v2 = gather::<Node>(0);
        let parts3 = [b4.exp().sigmoid(), v2.c - s5, v2.c];
        let mut a6 = b4;
        for part in parts3 {
            a6 = a6.tanh() + (part + (w7 + w7).dot(v1.h).dropout(0.25).tanh()).tanh();
        }
        let n12 = 2.0_f64.sqrt() - 0.75;
        let parts8 = [(1.0 / (de as f64).sqrt() - w9.dot(v1.c) - w10.dot(v2.h)).tanh(), (w11.dot(a6) - n12).tanh(), w10.dot(v1.h)];
        let mut a13 = b14;
        let x15 = concat(parts8);
        for k in 0..2 {
            a13 -= (x15.slice(k * de..(k + 1) * de) * w16.dot(v2.h).softmax()).tanh();
        }
        let state = Node { c: (s5 - w18.dot(v2.c)).tanh(), h: w17.dot(a13).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: a13.dropout(0.1).tanh().dropout(0.1) });
    }

    #[vertex_function]
    pub fn several_21(
        #[param(E, E)] w2: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w6: Tensor,
        #[param(E)] b7: Tensor, #[param(3 * H, E)] w8: Tensor, #[param(3 * H)] b9: Tensor,
        #[param(H)] b13: Tensor, #[param(H)] b14: Tensor, #[param(K, H)] w15: Tensor,
        #[param(K, H)] w16: Tensor, #[param(K, H)] w17: Tensor, #[param(K, H)] w18: Tensor,
        #[dim(E)] de: Dim, #[param(H)] b19: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.tanh().dot(p1);
        let v4: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a5 = zeros(dh);
        for k in 0..3 {
            a5 += v4[k].h * w6.dot(v4[k].c) * (k as f64 + 0.5);
        }
        let [x10, x11, x12] = (w8.dot(b7.log_softmax() * x3) + b9).tanh().split();
        loss(cross_entropy((b13 / (b14.sigmoid() + 0.5)).exp(), label));
        let (h, c) = ((1.0 / de as f64 / (b19.sigmoid() + 0.5)).tanh(), (((w15.dot(a5) * w16.dot(v4[2].h)).tanh() + v4[2].c) * w17.dot(x10) - w15.dot(x11) - w18.tanh().dot(x12)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn several_22(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(E, E)] w4: Tensor,
        #[param(H)] b6: Tensor, #[param(H, H)] w7: Tensor, #[dim(H)] dh: Dim,
        #[param(4 * H, H)] w8: Tensor, #[param(4 * H)] b9: Tensor, #[param()] s16: Tensor,
        #[param(K, E)] w17: Tensor, #[param(H, K)] w18: Tensor, #[param(E, H + K)] w19: Tensor,
        #[param()] s20: Tensor, #[param(E, H)] w21: Tensor,
    ) {
        let mut a2 = zeros(dk);
        for k in 0..2 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) + v1.c) * (k as f64 + 0.5);
        }
        let Gold { label, target } = pull();
        let x5 = w4.tanh().dot(target);
        let [x10, x11, x12, x13] = (w8.dot((0.5 + w7.dot(b6).sigmoid()).ln() + zeros(dh)) + b9).split::<4>();
        let x14 = {
            let x15 = zeros(dh) + 1.0 / dh as f64 + x13;
            let target = target.tanh() + (x5 - s16);
            (w3.dot(x15) + w17.dot(target)).tanh().tanh()
        };
        loss(cross_entropy((-(x11 / (0.5 + x11.sigmoid()))).tanh(), label));
        loss(cross_entropy(w19.dot(concat([zeros(dk), w18.dot(a2)])).tanh(), label));
        scatter(Node { h: x10.tanh().tanh(), c: (x14 + s20 - a2).tanh() });
        loss(w21.dot(x12).tanh().sum());
    }

    #[vertex_function]
    pub fn several_23(
        #[param(E)] b5: Tensor, #[param(E, E)] w6: Tensor, #[param(H, E)] w9: Tensor,
        #[param(H, E)] w10: Tensor, #[dim(K)] dk: Dim, #[param(3 * H, K)] w11: Tensor,
        #[param(3 * H)] b12: Tensor, #[param(H)] b16: Tensor, #[param()] s17: Tensor,
        #[param(K, H)] w18: Tensor, #[param(K, H)] w19: Tensor,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let x4 = {
            let x7 = (0.75 - w6.dot(b5)).relu();
            let n8 = 2.0_f64.sqrt() - 2.0;
            let x7 = x7.tanh() + (n8 - x7);
            (w9 + w10).dot(x7).tanh()
        };
        let [x13, x14, x15] = (w11.dot((zeros(dk).sigmoid() + 0.5).ln().sigmoid()) + b12).split::<3>();
        loss(mse(v1.h.sigmoid() + b16, x15 * s17));
        let state = Node { c: (((v1.c * w18.dot(v2.h) * v2.c + w18.dot(v3.h) + v3.c - w18.dot(x4)) * w18.dot(x13)).tanh() * w19.dot(x14)).tanh(), h: noisy(v3.h, 0.25) };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn several_24(
        #[param(E)] b4: Tensor, #[param(V, K)] table6: Tensor, #[param(K, K)] w9: Tensor,
        #[param(K)] b10: Tensor, #[dim(K)] dk: Dim, #[param(K, K)] w12: Tensor,
        #[param(K, E)] w13: Tensor, #[param(H)] b15: Tensor, #[param(K)] b16: Tensor,
        #[param(K)] b17: Tensor, #[param(K, H)] w18: Tensor, #[param(K, H)] w19: Tensor,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let Word { id, x } = pull();
        let x5 = x * b4;
        let x7 = table6.row(id);
        let mut m8 = w9.dot(x7) * b10;
        m8 = (v1.c - v2.c).tanh() - m8;
        let n11 = 0.75 / (1.0 + dk as f64);
        m8 = (n11 / ((w9 + w12).dot(v3.c).sigmoid() + 0.5) + b10).tanh() - m8;
        m8 -= (((w13 * (1.0 / (dk as f64).sqrt())).dot(x5) * x7).sigmoid() + 0.5).ln();
        m8 = m8.tanh();
        let s14 = (b4 - x).sum().tanh();
        let state: Node = Node { h: scaled((b15.sigmoid() + 0.5).ln(), dk).tanh(), c: (m8 + b16 - b17).tanh() };
        scatter(state);
        loss(((w18.dot(v1.h) - w19.dot(v2.h)) * w18.dot(v3.h) - s14).tanh().sum());
    }

    #[vertex_function]
    pub fn several_25(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(E, E)] w5: Tensor, #[param(H, H)] w7: Tensor, #[param(2 * H, H)] w8: Tensor,
        #[param(K, K)] w12: Tensor, #[param()] s13: Tensor, #[param(K, K)] w15: Tensor,
        #[param(H, K)] w17: Tensor, #[param(H, K)] w18: Tensor, #[param(H, E)] w19: Tensor,
        #[param(H, E)] w20: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(de);
        for k in 0..2 {
            a2 += w3.dot(v1[k].h) * w4.dot(v1[k].c) * (k as f64 + 0.5);
        }
        let Word { x, .. } = pull();
        let x6 = w5.dot(x);
        let (x9, x10) = halves(w8.dot(0.5 + w7.dot(v1[0].h)));
        let x11 = {
            let x14: Tensor = noisy(s13 * (w12 * 2.0).dot(v1[0].c), 0.5);
            let x16 = blend(x14 + v1[0].c, scaled(w15.dot(x14), de), w12.dot(x14));
            w4.dot(x16).tanh()
        };
        loss(mse(((w17 + w18).dot(v1[0].c) * 0.5 - 0.5).tanh(), v1[0].h.tanh()));
        let state = Node { c: noisy(v1[0].c, 0.5), h: ((((w19.tanh().dot(a2) * w19.dot(x6)).tanh() - x9).tanh() + x10).tanh() * w20.dot(x11)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn several_26(
        #[param(E)] b1: Tensor, #[dim(K)] dk: Dim, #[param(K, H)] w5: Tensor,
        #[param(2 * H, H)] w6: Tensor, #[param(K, E)] w9: Tensor, #[param(K, E)] w10: Tensor,
        #[param()] s11: Tensor, #[param(H, K)] w12: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = x * b1;
        let v3: [Node; 2] = [gather(0), gather(1)];
        let mut a4 = zeros(dk);
        for k in 0..2 {
            a4 += (w5.dot(v3[k].h) + v3[k].c) * (k as f64 + 0.5);
        }
        let [x7, x8] = w6.dot(v3[1].h.log_softmax().dropout(0.5).tanh()).split();
        for k in 0..2 {
            loss(cross_entropy(weighted([(w9 * 0.5).dot(x2), v3[1].c, a4]).tanh(), label) * (k as f64 + 0.25));
        }
        scatter(Node { h: w12.tanh().dot(s11 - w10.dot(x)).tanh(), c: (v3[1].c / (a4.sigmoid() + 0.5)).softmax() });
        loss((x7 + x8).tanh().sum());
    }

    #[vertex_function]
    pub fn several_27(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(E, E)] w5: Tensor,
        #[param(E, H)] w7: Tensor, #[dim(E)] de: Dim, #[param(H)] b11: Tensor,
        #[param(H, K)] w12: Tensor, #[param(H, K)] w13: Tensor, #[param(H, E)] w14: Tensor,
        #[param(H, E)] w15: Tensor, #[param(K)] b16: Tensor, #[param(K)] b17: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(dk);
        for k in 0..2 {
            a2 += (w3 * 0.5).dot(v1[k].h) * v1[k].c * (k as f64 + 0.5);
        }
        let p4 = pull::<Signal>().x;
        let x6 = w5.dot(p4);
        let n8 = 0.5 / (1.0 + de as f64);
        let [x9, x10]: [Tensor; 2] = [w7.tanh().dot(v1[1].h) * n8, x6 + x6];
        loss((-b11.exp()).sum().tanh());
        let state: Node = Node { h: ((w12.dot(a2) - w13.dot(v1[1].c) + w14.dot(x9)).tanh() + w15.dot(x10)).tanh(), c: b16 / (b17.sigmoid() + 0.5) };
        scatter(state);
    }

    #[vertex_function]
    pub fn several_28(
        #[param(K, H)] w4: Tensor, #[param(H, H)] w5: Tensor, #[param(K)] b6: Tensor,
        #[param(E, H)] w8: Tensor, #[dim(E)] de: Dim, #[param(E, K)] w10: Tensor,
        #[param(E)] b11: Tensor, #[dim(H)] dh: Dim, #[param(E)] b12: Tensor,
        #[param(H, E)] w13: Tensor,
    ) {
        let [v1, v2]: [Node; 2] = [gather(0), gather(1)];
        let x3 = {
            let x7 = crate::cells::gate(w4, w5.dot(v2.h).tanh(), b6);
            let x9: Tensor = concat([w8.dot(v1.h).slice(1..de), w8.dot(v1.h).slice(0..1)]) * 0.75;
            (w10.dot(x7) + x9).tanh()
        };
        loss(mse(scaled(zeros(de) + b11, dh), weighted([b11, b12, x3])));
        scatter(Node { h: weighted([w13.tanh().dot(x3), v2.h, v1.h]).tanh(), c: (v1.c + v2.c).tanh() });
    }

    #[vertex_function]
    pub fn several_29(
        #[param(E)] b2: Tensor, #[param(V, E)] table4: Tensor, #[dim(E)] de: Dim,
        #[param(E, H)] w8: Tensor, #[param(E, H)] w9: Tensor, #[param(E, K)] w10: Tensor,
        #[param(E, E)] w12: Tensor, #[param(K, E)] w13: Tensor, #[param(H, E)] w14: Tensor,
        #[param(H, E)] w15: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = p1.x * b2;
        let x5: Tensor = table4.row(p1.id);
        let mut a7 = zeros(de);
        for k in 0..3 {
            let v6: Node = gather(k);
            a7 += ((w8 + w9).dot(v6.h) + w10.dot(v6.c)) * (k as f64 + 0.5);
        }
        let mut m11 = x3.tanh();
        m11 = m11.tanh() + noisy(w12.dot(x5), 0.25);
        m11 -= weighted([w12.dot(p1.x), p1.x, a7]).tanh();
        m11 = m11.tanh();
        scatter(Node { h: (w14 + w15).dot(m11).softmax(), c: w13.dot(m11).tanh() });
    }

    #[vertex_function]
    pub fn several_30(
        #[param(E, E)] w4: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w7: Tensor,
        #[param(E)] b8: Tensor, #[param(E)] b9: Tensor, #[param(K, E)] w11: Tensor,
        #[param(K)] b14: Tensor, #[param(H, E)] w15: Tensor, #[param(H, E)] w16: Tensor,
        #[param(E, K)] w18: Tensor, #[param(E)] b19: Tensor, #[param(H)] b20: Tensor,
        #[param()] s21: Tensor, #[dim(K)] dk: Dim, #[param(K, E)] w22: Tensor,
        #[param(K, E)] w23: Tensor, #[param(H, K)] w24: Tensor, #[param(H)] b25: Tensor,
        #[param(E, E)] w26: Tensor, #[param(K)] b27: Tensor,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let Gold { label, target } = pull();
        let x5 = (w4 * (1.0 / (de as f64).sqrt())).dot(target);
        let x6 = {
            let x10 = affine(w7, v1.h, b8) - b9;
            w11.tanh().dot(x10).tanh()
        };
        let (x12, [x17], s13) = (v1.c * b14 * x6, [crate::cells::gate(w18, v3.c, b19)], (w15 + w16).dot(x5).tanh().sum());
        loss(cross_entropy(b20 * s21 * (1.0 / (dk as f64).sqrt()), label));
        loss((v2.h - v3.h - v2.h).tanh().sum());
        scatter(Node { c: ((v2.c - w22.dot(target) + x12 - s13).tanh() * w23.dot(x17)).tanh(), h: gate(w24, v1.c, b25).tanh() });
        let out28 = Scores { y: scaled((w4 + w26).dot(x5), de).tanh(), logits: b27.sum() - (zeros(dk) - 0.5) };
        push(out28);
    }

    #[vertex_function]
    pub fn several_31(
        #[dim(H)] dh: Dim, #[param(H, K)] w3: Tensor, #[param(H, K)] w5: Tensor,
        #[param(K)] b9: Tensor, #[param(K, K)] w10: Tensor, #[param(K, E)] w11: Tensor,
        #[param(E)] b12: Tensor, #[param(E, E)] w13: Tensor, #[param(K)] b14: Tensor,
        #[dim(E)] de: Dim, #[param(K, E)] w15: Tensor, #[param(E)] b16: Tensor,
        #[param()] s17: Tensor, #[param(K, H)] w18: Tensor, #[param(K, H)] w19: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(dh);
        for k in 0..2 {
            a2 += (v1[k].h + w3.dot(v1[k].c)) * (k as f64 + 0.5);
        }
        let n4 = 2.0_f64.sqrt() - 1.5;
        let [x6, x7] = [n4 / (zeros(dh).sigmoid() + 0.5), (w5 + w3).dot(v1[1].c)];
        let mut m8 = weighted([b9, v1[1].c, (w10 * 0.75).dot(v1[1].c)]);
        m8 -= crate::cells::gate(w11, w13.dot(b12).log_softmax(), b14).tanh();
        m8 += w15.dot(zeros(de).tanh());
        m8 = m8.tanh();
        loss((2.0 + b16).max() - s17);
        let state: Node = Node { h: (x7 + x7).tanh(), c: ((w18.dot(a2) + w19.dot(v1[1].h) + w18.dot(x6)).tanh() * (w18 + w18).dot(x7)).tanh() * m8 };
        scatter(state);
    }

    #[vertex_function]
    pub fn several_32(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(E)] b6: Tensor, #[dim(E)] de: Dim,
        #[param(K)] b9: Tensor, #[param(K)] b10: Tensor, #[param(K)] b12: Tensor,
        #[param(K)] b13: Tensor, #[param(K, H)] w14: Tensor, #[param(K, E)] w15: Tensor,
    ) {
        let v1: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a2 = zeros(dk);
        for k in 0..3 {
            a2 += (w3.dot(v1[k].h) + v1[k].c) * (k as f64 + 0.5);
        }
        let (x4, [x7], s5) = (concat([b6.slice(1..de), b6.slice(0..1)]), [v1[1].c.relu()], scaled(a2, dk).max());
        let parts8 = [(b9 - b10) * x7, b9.sigmoid(), x7];
        let mut a11 = b12;
        for k in 0..3 {
            a11 += (parts8[k] + (b13 - x7)).tanh() * (k as f64);
        }
        scatter(Node { c: (w14.dot(v1[1].h) + (w15 * 1.5).dot(x4) + s5 + a11).tanh(), h: v1[1].h.softmax() });
    }

    #[vertex_function]
    pub fn several_33(
        #[param(E, E)] w1: Tensor, #[param(V, H)] table3: Tensor, #[dim(H)] dh: Dim,
        #[param(H, K)] w7: Tensor, #[param(K, K)] w8: Tensor, #[param(K)] b9: Tensor,
        #[param(E)] b12: Tensor, #[param(H)] b13: Tensor, #[param(K, E)] w14: Tensor,
        #[param(K, H)] w15: Tensor, #[param(K, H)] w16: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2: Tensor = w1.dot(x);
        let x4 = table3.row(id);
        let v5: [Node; 2] = [gather(0), gather(1)];
        let mut a6 = zeros(dh);
        for k in 0..2 {
            a6 += (v5[k].h + w7.dot(v5[k].c)) * (k as f64 + 0.5);
        }
        let [x10, x11]: [Tensor; 2] = [w8.dot(v5[0].c) + v5[0].c - b9, v5[0].c * (1.0 / dh as f64)];
        loss((1.0 / (dh as f64).sqrt() * (b12 * x2)).sum());
        for k in 0..2 {
            loss((w1.max() - b13).tanh().sum() * (k as f64 + 0.25));
        }
        scatter(Node { c: ((w14.dot(x) + w15.dot(x4) + w15.dot(a6)).tanh() * w16.dot(v5[0].h) + x10 - x11).tanh(), h: (x4 - a6).tanh() });
    }

    #[vertex_function]
    pub fn several_34(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(H)] b5: Tensor,
        #[param(H, H)] w6: Tensor, #[param(E, H)] w9: Tensor, #[param(E, K)] w10: Tensor,
        #[param(K)] b12: Tensor, #[dim(H)] dh: Dim, #[param(3 * E, E)] w14: Tensor,
        #[param(E)] b16: Tensor, #[param(H, E)] w17: Tensor, #[param(H)] b18: Tensor,
        #[param(H)] b19: Tensor, #[param(H, H)] w20: Tensor, #[param(H)] b21: Tensor,
        #[param(E)] b22: Tensor, #[param(E, E)] w23: Tensor,
    ) {
        let mut a2 = zeros(dk);
        for k in 0..2 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) - v1.c) * (k as f64 + 0.5);
        }
        let x4 = {
            let x7 = (w6.dot(b5) + w6.dot(b5)).tanh();
            let x8 = (a2 + a2).tanh().log_softmax();
            (w9.dot(x7) - w10.tanh().dot(x8)).tanh().tanh()
        };
        let n13 = 0.75 / (1.0 + dh as f64);
        let parts11 = w14.dot(w10.dot(b12 - n13)).tanh().split::<3>();
        let mut a15 = b16;
        for k in 1..=2 {
            a15 += (parts11[k] * (b16 - x4)).tanh();
        }
        let (h, c) = (weighted([w17.dot(x4), w6.dot(b18), w20.dot(b19)]).tanh(), (w6.dot(b21).sum() * b12.relu()).tanh());
        scatter(Node { h, c });
        push(Out { y: (b22 + w23.dot(a15)).tanh().dropout(0.1) });
    }

    #[vertex_function]
    pub fn several_35(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[dim(H)] dh: Dim, #[param(E)] b6: Tensor,
        #[param(H, E)] w7: Tensor, #[param(3 * E, H)] w8: Tensor, #[param(3 * E)] b9: Tensor,
        #[dim(E)] de: Dim, #[param(E)] b12: Tensor, #[param(E, E)] w13: Tensor,
        #[param(E, H)] w14: Tensor, #[param(E)] b15: Tensor, #[param(H, H)] w16: Tensor,
        #[param(K)] b17: Tensor, #[param(E, K)] w18: Tensor, #[param(E, K)] w19: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(dk);
        for k in 0..2 {
            a2 += (w3.dot(v1[k].h) + v1[k].c) * (k as f64 + 0.5);
        }
        let n5 = 2.0 / (1.0 + dh as f64);
        let parts4 = (w8.dot(n5 / (0.5 + w7.dot(b6).sigmoid())) + b9).tanh().split::<3>();
        let mut a10 = b6;
        let x11 = concat(parts4);
        for k in 0..2 {
            a10 = a10.tanh() + (x11.slice(k * de..(k + 1) * de) - w13.dot(b12).exp().tanh()).tanh();
        }
        push(Out { y: (w14.dot(v1[0].h) - a10 - b15).tanh() });
        let state: Node = Node { h: w16.dot(v1[0].h.dropout(0.5)).tanh(), c: b17.tanh().relu() };
        scatter(state);
        loss((w18.tanh().dot(a2) + w19.dot(v1[0].c)).tanh().sum());
    }
}

pub mod all {
    use super::prelude::*;

    #[vertex_function]
    pub fn all_0(
        #[param(K)] b1: Tensor, #[param(E, K)] w2: Tensor, #[param(H)] b3: Tensor,
        #[param(E, H)] w4: Tensor, #[param()] s5: Tensor, #[param(K)] b8: Tensor,
        #[param(E, K)] w9: Tensor, #[param(E)] b10: Tensor, #[dim(K)] dk: Dim,
        #[param(E, E)] w13: Tensor, #[param(E, E)] w14: Tensor, #[param(E, E)] w15: Tensor,
        #[param(E, K)] w17: Tensor, #[dim(E)] de: Dim, #[param(K, E)] w19: Tensor,
        #[param(H, E)] w21: Tensor, #[param(H, K)] w24: Tensor,
    ) {
        let s6 = (((w2 + w2).dot(b1) * w4.dot(b3)).sum() * 2.0).tanh() + s5;
        let mut a7 = w9.dot(b8) - b10;
        let mut a11 = zeros(dk);
        for v12 in gather_all::<Node>() {
            let x16 = w15.dot((w13 + w14).dot(b10)).tanh().exp();
            a7 += (w4.dot(v12.h) + w17.dot(v12.c) + x16).tanh();
            let n18 = 0.5 / (1.0 + de as f64);
            a11 += (n18 / (0.5 + ((w19 + w19).dot(x16) * zeros(dk)).sigmoid())).tanh();
        }
        let x20 = {
            let n22 = 1.5 / (1.0 + de as f64);
            let x23 = (w21 * n22).dot(a7).max().tanh() * a11.dropout(0.25).tanh();
            x23.tanh()
        };
        loss(s6);
        scatter(Node { h: w24.dot(x20).tanh(), c: (x20 * 0.5).tanh() });
    }

    #[vertex_function]
    pub fn all_1(
        #[param(H, E)] w1: Tensor, #[param(V, K)] table3: Tensor, #[param(E)] b6: Tensor,
        #[param(H, E)] w7: Tensor, #[dim(K)] dk: Dim, #[param(H)] b9: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b10: Tensor, #[param(E)] b11: Tensor, #[dim(E)] de: Dim,
        #[param(H, H)] w16: Tensor, #[param(H)] b17: Tensor, #[param(H, H)] w18: Tensor,
        #[param(2 * H, H)] w19: Tensor, #[param(2 * H)] b20: Tensor, #[param(E, K)] w23: Tensor,
        #[param(E, H)] w24: Tensor, #[param(H)] b25: Tensor, #[param(K, K)] w28: Tensor,
        #[param(V, K)] table29: Tensor, #[param(K)] b31: Tensor, #[param(K)] b33: Tensor,
        #[param(H, H)] w34: Tensor, #[param(H, H)] w35: Tensor, #[param(K, E)] w36: Tensor,
        #[param(E, H)] w37: Tensor, #[param(E, K)] w38: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2: Tensor = w1.dot(x);
        let x4: Tensor = table3.row(id);
        let mut m5 = w7.dot(b6).log_softmax();
        let n8 = 1.5 / (1.0 + dk as f64);
        m5 /= n8;
        m5 = -(b9 / (0.5 + zeros(dh).sigmoid())) - m5;
        m5 += (b11.sum() - b10.relu()).tanh();
        m5 = m5.tanh();
        let mut a12 = zeros(de);
        let mut a13 = zeros(dh);
        let mut n14 = 1.0;
        for v15 in gather_all::<Node>() {
            let (x21, x22) = halves(w19.dot(w18.dot(crate::cells::gate(w16, v15.h, b17))) + b20);
            a12 = a12 + (((w23 + w23).dot(v15.c) * w24.dot(x21)).tanh() * w24.dot(x22)).tanh();
            a13 += b25.tanh();
            n14 += 1.0;
        }
        let x26 = a12 / n14;
        let parts27 = [w28.dot(x4).sigmoid(), (0.5 + x4.sigmoid()).ln(), table29.row(id)];
        let mut a30 = b31;
        let x32 = concat(parts27);
        for k in 0..2 {
            a30 += (x32.slice(k * dk..(k + 1) * dk) + concat([b33, x26]).slice(0..dk)).tanh() * (k as f64);
        }
        scatter(Node { h: ((x2 - w34.dot(m5)) * w35.sum()).tanh(), c: affine(w36, (a12 + b6).tanh(), b31).tanh() });
        loss((w37.dot(a13) - w38.dot(a30)).tanh().sum());
    }

    #[vertex_function]
    pub fn all_2(
        #[param(E)] b1: Tensor, #[param(K)] b4: Tensor, #[param(H, K)] w5: Tensor,
        #[param(H)] b6: Tensor, #[param(H)] b7: Tensor, #[param(H, H)] w8: Tensor,
        #[param()] s9: Tensor, #[param(E)] b10: Tensor, #[param(H)] b11: Tensor,
        #[param(K, E)] w13: Tensor, #[param(E, H)] w18: Tensor, #[param(K)] b19: Tensor,
        #[param(K, H)] w20: Tensor, #[param(K, E)] w21: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = target * b1;
        let mut m3 = w5.dot(b4).sigmoid();
        m3 -= (b6 + b6).log_softmax().tanh();
        m3 *= (s9 - w8.dot(b7) - b10.sum()).tanh();
        m3 *= (0.5 + (b6 * b11).sigmoid()).ln();
        m3 = m3.tanh();
        let mut a12 = w13.dot(x2).relu();
        let mut t14 = s9;
        for v15 in gather_all::<Node>() {
            let x16 = {
                let x17 = 1.5 - m3.softmax();
                w18.dot(x17).tanh()
            };
            t14 += (2.0 * v15.c * b19).sum().tanh();
            a12 = w20.dot(v15.h) + w13.dot(x16) + a12 - v15.c.exp().tanh();
        }
        scatter(Node { h: b6.log_softmax().tanh(), c: ((w21.dot(target) + a12).tanh() - t14).tanh() });
    }

    #[vertex_function]
    pub fn all_3(
        #[param(K)] mut b1: Tensor, #[param(H)] b2: Tensor, #[param(K, H)] w3: Tensor,
        #[param(K)] b4: Tensor, #[param(K, K)] w5: Tensor, #[param(E)] b6: Tensor,
        #[param(K, E)] w7: Tensor, #[dim(H)] dh: Dim, #[param(E)] mut b9: Tensor,
        #[param(2 * H, K)] w11: Tensor, #[param(2 * H)] b12: Tensor, #[param(H, K)] w15: Tensor,
        #[dim(E)] de: Dim, #[param()] s16: Tensor, #[dim(K)] dk: Dim,
    ) {
        b1 *= blend(((w3 * 1.5).dot(b2) * w5.dot(b4)).sum(), w7.tanh().dot(b6).sigmoid(), (w3 * 1.5).dot(b2)).tanh();
        b1 *= (b4.tanh() + 0.75).tanh();
        b1 = b1.tanh();
        let mut a8 = zeros(dh);
        for Node { c, h } in gather_all::<Node>() {
            let (x13, x14) = halves(w11.dot(b4.tanh().tanh()) + b12);
            a8 = ((h - w15.dot(c) + x13) * x14).tanh() + a8;
            b9 = (2.0 / (0.5 + zeros(de).relu().sigmoid())).tanh() + b9;
        }
        loss(((s16 * b1).tanh() * zeros(dk)).sum());
        push(Out { y: b9.dropout(0.1).tanh().tanh() });
        let (h, c) = (a8.tanh(), b1);
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_4(
        #[param(H)] b1: Tensor, #[dim(H)] dh: Dim, #[param(E)] b2: Tensor,
        #[param(E, E)] w3: Tensor, #[dim(E)] de: Dim, #[param(E)] b4: Tensor,
        #[param(H, E)] w5: Tensor, #[param(K)] mut b8: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w11: Tensor, #[param(H, K)] w12: Tensor, #[param(H, K)] w13: Tensor,
        #[param(E, H)] w14: Tensor, #[param(H, K)] w15: Tensor,
    ) {
        let [x6, x7]: [Tensor; 2] = [2.0 / (0.5 + concat([w3.dot(b2), b1]).slice(de..de + dh).sigmoid()), w5.dot(b4)];
        let mut a9 = zeros(dk);
        for Node { h, c } in gather_all() {
            b8 -= w11.dot(h) + c;
            a9 += (c + c).log_softmax().tanh();
        }
        let state: Node = Node { h: (((x6 - x7) * w12.dot(b8)).tanh() + (w13 + w12).dot(a9)).tanh(), c: concat([b8, x6]).slice(0..dk).tanh() };
        scatter(state);
        let out16 = Scores { y: w14.tanh().dot(x7).tanh(), logits: w15.dot(b8.tanh().log_softmax()).tanh() };
        push(out16);
    }

    #[vertex_function]
    pub fn all_5(
        #[param(H, E)] w2: Tensor, #[param(V, H)] table4: Tensor, #[param(E, H)] w6: Tensor,
        #[dim(E)] de: Dim, #[param(4 * H, E)] w7: Tensor, #[param(4 * H)] b8: Tensor,
        #[param(K)] mut b13: Tensor, #[param(E)] b15: Tensor, #[param(H, E)] w16: Tensor,
        #[param()] s17: Tensor, #[param(E, H)] w19: Tensor, #[param(E, K)] w20: Tensor,
        #[param(H, H + 2 * E)] w21: Tensor, #[param(4 * E, H)] w22: Tensor,
        #[param(4 * E)] b23: Tensor, #[param(K, H)] w28: Tensor, #[param(K, E)] w29: Tensor,
        #[param(K, E)] w30: Tensor, #[param(K, E)] w31: Tensor, #[param(H)] b32: Tensor,
        #[param(H, H)] w34: Tensor, #[param(K, H)] w36: Tensor, #[param(E)] b38: Tensor,
        #[param(E, E)] w39: Tensor, #[dim(H)] dh: Dim, #[param(E)] b43: Tensor,
        #[param(E, K)] w44: Tensor, #[param(V, E)] table45: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w47: Tensor, #[param(K, E)] w48: Tensor, #[param(K, H)] w49: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5: Tensor = table4.row(id);
        let [x9, x10, x11, x12] = (w7.dot((w6.dot(x5) * zeros(de)).relu()) + b8).split::<4>();
        let mut a14 = w16.dot(b15) + s17;
        for v18 in gather_all::<Node>() {
            let [x24, x25, x26, x27]: [Tensor; 4] = (w22.dot(w21.dot(concat([x10, w19.dot(x3), w20.dot(v18.c)]))) + b23).split();
            b13 = b13 + ((((w28.tanh().dot(v18.h) + w29.dot(x24)).tanh() - w30.dot(x25)).tanh() - w29.dot(x26)).tanh() + w31.dot(x27)).tanh();
            a14 = x11.log_softmax().log_softmax().tanh() + a14 - b32.tanh();
        }
        let x33 = {
            let x35: Tensor = w34.dot(x9).exp() + x12;
            w36.dot(x35).tanh()
        };
        let mut a37 = w39.dot(b38).log_softmax();
        let mut a40 = zeros(dh);
        let mut t41 = s17;
        for v42 in gather_all::<Node>() {
            t41 += gate(w6, v42.h, b43).sum().tanh();
            let n46 = 0.5 / (1.0 + dk as f64);
            a37 = (w44 * (1.0 / de as f64)).dot(v42.c) + a37 - (table45.row(id) + n46).tanh();
            a40 = a40 + concat([x10.slice(1..dh), x10.slice(0..1)]).dropout(0.25);
        }
        scatter(Node { c: ((((b13 - w47.dot(a14)).tanh() + x33 - (w29 + w48).dot(a37)).tanh() + w49.tanh().dot(a40)).tanh() * t41).tanh(), h: zeros(dh) });
    }

    #[vertex_function]
    pub fn all_6(
        #[param(H, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(K, H)] w6: Tensor,
        #[param(K)] b7: Tensor, #[param(K)] mut b9: Tensor, #[param(H, K)] w11: Tensor,
        #[param(2 * K, H)] w12: Tensor, #[param(E)] b15: Tensor, #[param()] s16: Tensor,
        #[param(E, K)] w17: Tensor, #[param(H, H)] w18: Tensor, #[param(H, H)] w19: Tensor,
        #[param(H)] b20: Tensor, #[param(H)] b21: Tensor, #[param()] s22: Tensor,
        #[dim(H)] dh: Dim, #[param(K)] b23: Tensor, #[param(E, H + K)] w24: Tensor,
        #[param(H, K)] w25: Tensor, #[param(H, K)] w26: Tensor, #[param(V, K)] table27: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let x8 = gate(w6, weighted([x3, x3, x3]), b7).tanh().sigmoid();
        for v10 in gather_all::<Node>() {
            let [x13, x14] = w12.dot(v10.h.dropout(0.25) * (w11 + w11).dot(v10.c)).tanh().split();
            b9 -= x13 + x14;
        }
        loss(((2.0 - s16 + (p1 + b15)) * w17.dot(x5)).tanh().sum());
        loss(mse(gate(w18, w19.dot(x3), b20).dropout(0.1).tanh(), s22 * b21));
        push(Out { y: w24.dot(summary(Node { h: zeros(dh), c: b23 })) });
        scatter(Node { h: ((w25 + w11).dot(x8) + w26.dot(b9)).tanh(), c: table27.row(id).tanh() });
    }

    #[vertex_function]
    pub fn all_7(
        #[param(E)] b1: Tensor, #[param(H, E)] w2: Tensor, #[param(K)] b3: Tensor,
        #[param(H, K)] w4: Tensor, #[param(H)] b5: Tensor, #[param(H, H)] w6: Tensor,
        #[dim(E)] de: Dim, #[param(E, H)] w10: Tensor, #[param(E, K)] w11: Tensor,
        #[param(H, E)] w12: Tensor, #[param(K)] b13: Tensor, #[param(H, K)] w14: Tensor,
        #[param(K, H)] w16: Tensor, #[dim(H)] dh: Dim,
    ) {
        let s7 = weighted([w2.dot(b1), w4.dot(b3), w6.dot(b5)]).tanh().sum();
        let mut a8 = zeros(de);
        for v9 in gather_all::<Node>() {
            a8 = a8 + w10.dot(v9.h) * w11.dot(v9.c);
        }
        let x15: Tensor = (s7 - (w2 + w12).dot(a8)).tanh() - w14.dot(b13);
        let state = Node { c: scaled(w16.tanh().dot(x15), dh).tanh(), h: x15.tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: (0.5 + a8.softmax().sigmoid()).ln() });
    }

    #[vertex_function]
    pub fn all_8(
        #[param(E)] b2: Tensor, #[param(H)] b5: Tensor, #[param(E, H)] w6: Tensor,
        #[param(E, H)] w7: Tensor, #[dim(E)] de: Dim, #[param(E)] b13: Tensor,
        #[param(3 * K, E)] w14: Tensor, #[param(K)] b16: Tensor, #[dim(K)] dk: Dim,
        #[param(E, K)] w17: Tensor, #[param(K, E)] w18: Tensor, #[param(H, K + E)] w19: Tensor,
        #[param(H, E)] w20: Tensor, #[param(H, E)] w21: Tensor, #[param(H)] b23: Tensor,
        #[param(E, 2 * H + K)] w24: Tensor, #[param(H)] b25: Tensor, #[param(K, H)] w26: Tensor,
        #[param(H, K)] w27: Tensor, #[param(K)] b28: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = p1 * b2;
        let parts4 = [(x3 + x3).softmax(), (p1.sigmoid() + 0.5).ln(), (w6 + w7).dot(b5)];
        let mut a8 = zeros(de);
        let x9 = concat(parts4);
        for k in 0..2 {
            a8 = a8.tanh() + (x9.slice(k * de..(k + 1) * de) * x3.log_softmax().tanh()).tanh();
        }
        let mut a10 = zeros(de);
        for Node { c, h } in gather_all::<Node>() {
            let parts12 = w14.dot(b13.sigmoid().tanh()).split::<3>();
            let mut a15 = b16;
            for part in parts12 {
                a15 += (part * zeros(dk).relu()).tanh();
            }
            a10 = a10 + (w6.dot(h) * (w17 * (1.0 / (de as f64).sqrt())).dot(c) + w17.dot(a15)).tanh();
        }
        let s22 = (w19.dot(concat([p1, w18.dot(a8)])).tanh() * (w20 + w21).dot(a10)).tanh().sum();
        loss(cross_entropy(w24.dot(concat([b23, w20.dot(a8), b16])).tanh(), label));
        push(Out { y: b2 + p1 });
        let state = Node { c: ((w18.dot(p1) - (w26 * s22.tanh()).dot(b25)) * s22).tanh(), h: (w27.dot(b16) / (w27.dot(b28).sigmoid() + 0.5)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn all_9(
        #[param(E)] b2: Tensor, #[param(K, E)] w3: Tensor, #[param(H)] b4: Tensor,
        #[param(K, H)] w5: Tensor, #[param(K)] b6: Tensor, #[dim(K)] dk: Dim,
        #[param(K, E)] w9: Tensor, #[dim(H)] dh: Dim, #[param()] s12: Tensor,
        #[param(E, K)] w13: Tensor, #[param(4 * H, E)] w14: Tensor, #[param(4 * H)] b15: Tensor,
        #[param(H, K)] w20: Tensor, #[param(H, K)] w21: Tensor, #[param(H, K)] w22: Tensor,
        #[param(K)] b23: Tensor, #[dim(E)] de: Dim, #[param(K, K)] w24: Tensor,
        #[param(K, K)] w25: Tensor,
    ) {
        let parts1 = [(w3.dot(b2) / (w5.dot(b4).sigmoid() + 0.5)).tanh(), (0.5 + b6.sigmoid()).ln(), zeros(dk)];
        let mut a7 = zeros(dk);
        let x8 = concat(parts1);
        for k in 0..2 {
            a7 -= (x8.slice(k * dk..(k + 1) * dk) + w9.dot(b2).tanh()).tanh();
        }
        let mut a10 = zeros(dh);
        for v11 in gather_all::<Node>() {
            let [x16, x17, x18, x19]: [Tensor; 4] = (w14.dot(w13.dot(b6 + s12)) + b15).split();
            a10 = ((v11.h * (w20 + w21).dot(v11.c) + x16 - x17).tanh() + x18 - x19).tanh() + a10;
        }
        let a7 = a7.tanh() + (w3.dot(b2) + a7);
        let state: Node = Node { h: (a10 + (w22 + w20).dot(a7)).tanh(), c: b23 + s12 };
        scatter(state);
        let out26 = Scores { y: -zeros(de), logits: ((w24 + w25).dot(a7).tanh() + a7).tanh() };
        push(out26);
    }

    #[vertex_function]
    pub fn all_10(
        #[param(E)] b1: Tensor, #[param(E, E)] w2: Tensor, #[param(E, E)] w3: Tensor,
        #[dim(E)] de: Dim, #[param(K, E)] w7: Tensor, #[param(E, H)] w9: Tensor,
        #[param(E, K)] w10: Tensor, #[param(K, H)] w11: Tensor, #[param(E)] b12: Tensor,
        #[param(H, E)] w13: Tensor, #[param(K)] b14: Tensor, #[dim(K)] dk: Dim,
        #[param(H)] b16: Tensor, #[param(H, K)] w17: Tensor, #[param(H)] b18: Tensor,
        #[param(H, H)] w19: Tensor, #[param(K, K)] w20: Tensor, #[param(E, E)] w21: Tensor,
        #[param(E)] b22: Tensor, #[param()] s23: Tensor,
    ) {
        let s4 = (w2 + w3).dot(b1).sigmoid().max().tanh();
        let mut a5 = zeros(de);
        let mut a6 = w7.dot(b1);
        for v8 in gather_all::<Node>() {
            a5 = (w9 * s4).dot(v8.h) * w10.dot(v8.c) + a5;
            a6 = crate::cells::gate(w11, (w13 * s4).dot(b12), b14) + a6 - zeros(dk).sigmoid();
        }
        let mut m15 = b16 * b16;
        m15 += w17.dot(a6).tanh().log_softmax().relu().tanh();
        m15 *= w19.dot(b18).relu().sigmoid();
        m15 = m15.tanh();
        scatter(Node { c: (0.75 - (w20.dot(a6) + a6).tanh()).tanh(), h: m15.tanh().relu() });
        let out24 = Scores { y: crate::cells::gate(w21, a5, b22).tanh(), logits: (s23 + a6).tanh().log_softmax() };
        push(out24);
    }

    #[vertex_function]
    pub fn all_11(
        #[param(E, E)] w1: Tensor, #[param(V, E)] table3: Tensor, #[dim(K)] dk: Dim,
        #[param()] s6: Tensor, #[param(H, H)] w7: Tensor, #[param(H, K)] w9: Tensor,
        #[param(H, K)] w10: Tensor, #[param(H, E)] w11: Tensor, #[param(H, E)] w12: Tensor,
        #[dim(H)] dh: Dim, #[param()] s16: Tensor, #[param(K, H)] w19: Tensor,
        #[param(E, K)] w20: Tensor, #[param(H, K)] w21: Tensor, #[param(K, K)] w22: Tensor,
        #[param(H)] b25: Tensor, #[param(E)] mut b26: Tensor, #[param(H, K)] w29: Tensor,
        #[param(V, H)] table30: Tensor, #[param(E)] b31: Tensor, #[param(4 * E, E)] w33: Tensor,
        #[param(K, H)] w38: Tensor, #[param(K, E)] w39: Tensor, #[param(K, E)] w40: Tensor,
        #[param(K, E)] w41: Tensor, #[param(K, E)] w42: Tensor, #[param(K, E)] w43: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2: Tensor = w1.dot(x);
        let x4 = table3.row(id);
        let x5 = {
            let x8 = w7.max() + zeros(dk) * s6;
            let x4 = x4.tanh() + x2.exp();
            ((w9 + w10).dot(x8) + (w11 + w12).dot(x4)).tanh().tanh()
        };
        let mut a13 = zeros(dh);
        let mut a14 = zeros(dk);
        let mut t15 = s16;
        for Node { c, h } in gather_all::<Node>() {
            let x18 = {
                let h = h.tanh() + (s6 + x5);
                (w19 * 2.0).dot(h).tanh()
            };
            t15 += w20.dot(x18).sum().tanh();
            a13 += w21.tanh().dot(c);
            a13 -= w7.dot(x5).exp().tanh();
            a14 = w22.dot(x18).exp().tanh() + a14;
        }
        let n23 = 2.0_f64.sqrt() - 2.0;
        let a14 = a14.tanh() + n23 / (a14.sigmoid() + 0.5);
        let mut a24 = b25.tanh();
        let mut n27 = 1.0;
        for v28 in gather_all::<Node>() {
            a24 += v28.h + w29.dot(v28.c);
            a24 -= table30.row(id).softmax();
            b26 += x4 * s6 - b31;
            b26 -= (x4 + 0.5).tanh();
            n27 += 1.0;
        }
        let x32 = a24 / n27;
        let [x34, x35, x36, x37] = w33.dot(0.5 * (x4 - 2.0)).tanh().split();
        scatter(Node { h: (x32 + s6).tanh(), c: (((((w38.tanh().dot(a13) + t15).tanh() - a14) * (w39 * (1.0 / dh as f64)).dot(b26)).tanh() * w19.dot(x32) * w40.dot(x34)).tanh() + (w41 * t15.tanh()).dot(x35) + w42.tanh().dot(x36) + w43.dot(x37)).tanh() });
    }

    #[vertex_function]
    pub fn all_12(
        #[param(K, E)] w2: Tensor, #[dim(K)] dk: Dim, #[param(3 * H, K)] w4: Tensor,
        #[param(3 * H)] b5: Tensor, #[param(E, H)] w10: Tensor, #[param(K)] mut b11: Tensor,
        #[param(4 * K, K)] w13: Tensor, #[param(4 * K)] b14: Tensor, #[param(E, H)] w19: Tensor,
        #[param(E, K)] w20: Tensor, #[param(E, K)] w21: Tensor, #[param(K, H)] w22: Tensor,
        #[dim(E)] de: Dim, #[param(K)] b23: Tensor, #[param(H)] b24: Tensor, #[dim(H)] dh: Dim,
        #[param(K, E)] w25: Tensor, #[param(K, H)] w26: Tensor, #[param(H, H)] w27: Tensor,
        #[param(H, H)] w28: Tensor, #[param(K, K)] w29: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3: Tensor = w2.dot(p1);
        let [x6, x7, x8] = (w4.dot(x3 * zeros(dk) + x3) + b5).split::<3>();
        let mut a9 = w10.dot(x8).tanh();
        for v12 in gather_all::<Node>() {
            let [x15, x16, x17, x18] = (w13.dot(v12.c.log_softmax().tanh().exp()) + b14).split::<4>();
            a9 += (((((w10 + w19).dot(v12.h) * w20.dot(x15)).tanh() + w20.dot(x16)).tanh() + w20.dot(x17)).tanh() + w21.tanh().dot(x18)).tanh();
            b11 += affine(w22, 1.0 / de as f64 / (x7.sigmoid() + 0.5), b23).tanh();
            b11 -= w22.dot(x6).tanh().exp().tanh();
        }
        loss(cross_entropy(concat([b24.slice(1..dh), b24.slice(0..1)]), label));
        loss(mse(w25.dot(a9).tanh() * w26.dot(x8), b11.sigmoid()));
        let (h, c) = (((w27.dot(x8) / (0.5 + w28.tanh().dot(x7).sigmoid())).tanh() - x7).tanh(), zeros(dk).relu() * w29.dot(x3));
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_13(
        #[dim(H)] dh: Dim, #[param(E)] b3: Tensor, #[param(K, E)] w4: Tensor,
        #[param(K, E)] w5: Tensor, #[param(E)] b6: Tensor, #[param(K, E)] w7: Tensor,
        #[param(K, E)] w8: Tensor, #[param(E)] b9: Tensor, #[param(K, E)] w10: Tensor,
        #[param(H)] b12: Tensor, #[param(E, H)] w13: Tensor, #[param(K)] mut b14: Tensor,
        #[param(K, H)] w16: Tensor, #[param(H, E)] w17: Tensor, #[param(E, K)] w18: Tensor,
        #[param(E, K)] w19: Tensor,
    ) {
        let (x1, [x11], s2) = (1.0 / (dh as f64).sqrt() / ((w4 + w5).dot(b3).sigmoid() + 0.5), [w13.dot(b12).log_softmax()], ((0.75 - (w7 + w8).dot(b6)) * w10.dot(b9)).tanh().sum());
        for v15 in gather_all::<Node>() {
            b14 = b14 + ((w16 * 2.0).dot(v15.h) + v15.c).tanh();
        }
        let state: Node = Node { h: w17.dot(x11).tanh(), c: ((2.0 - s2) * noisy(b14, 0.5)).tanh() };
        scatter(state);
        loss((w18 + w19).dot(x1).tanh().sum());
    }

    #[vertex_function]
    pub fn all_14(
        #[param(H)] b2: Tensor, #[param(H)] b3: Tensor, #[param()] s4: Tensor,
        #[param(H)] b5: Tensor, #[param(E)] mut b7: Tensor, #[dim(H)] dh: Dim, #[dim(K)] dk: Dim,
        #[param(E, H)] w12: Tensor, #[param(E, K)] w13: Tensor, #[param(H)] b14: Tensor,
        #[param(E, E)] w15: Tensor, #[param(E)] b16: Tensor, #[param(2 * H, E)] w17: Tensor,
        #[param(2 * H)] b18: Tensor, #[param(K)] b21: Tensor, #[param(K, H)] w22: Tensor,
    ) {
        let parts1 = [b2.sigmoid().exp().tanh(), b3 - s4, b5];
        let mut a6 = b2;
        for k in 1..=2 {
            a6 += (parts1[k] + (b2 + s4)).tanh();
        }
        let mut a8 = zeros(dh);
        for v9 in gather_all::<Node>() {
            let mut m10 = v9.c.log_softmax();
            let n11 = 0.5 / (1.0 + dk as f64);
            m10 += (v9.c + n11).tanh();
            m10 = m10.tanh();
            b7 -= w12.dot(v9.h) + w13.dot(m10);
            a8 = (-a6).tanh() + a8 - (2.0 - b14).tanh();
        }
        let (x19, x20) = halves(w17.dot((crate::cells::gate(w15, b7, b16).tanh().sigmoid() + 0.5).ln()) + b18);
        push(Out { y: (b7 + s4).tanh().tanh() });
        let state: Node = Node { h: ((a8 - x19).tanh() - x20).tanh(), c: (b21 + w22.dot(x19)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn all_15(
        #[param(H)] b2: Tensor, #[dim(K)] dk: Dim, #[param(K)] b4: Tensor,
        #[param(H, K)] w5: Tensor, #[dim(H)] dh: Dim, #[param(K)] b6: Tensor,
        #[param(H, K)] w7: Tensor, #[param()] s10: Tensor, #[param(E)] b12: Tensor,
        #[param(H, K)] w13: Tensor, #[param(E, K)] w14: Tensor, #[param(E, H)] w16: Tensor,
        #[param(K, H)] w18: Tensor, #[param()] s19: Tensor,
    ) {
        let mut m1 = 0.5 - b2;
        let n3 = 0.5 / (1.0 + dk as f64);
        m1 /= n3;
        m1 = w5.dot(b4).tanh().softmax() - m1;
        m1 = m1.tanh() + zeros(dh) / (0.5 + w7.dot(b6).sigmoid());
        m1 = m1.tanh();
        let mut a8 = zeros(dh);
        let mut t9 = s10;
        for v11 in gather_all::<Node>() {
            t9 += b12.tanh().sum().tanh();
            a8 += v11.h + w13.dot(v11.c);
        }
        let n15 = 1.5 / (1.0 + dk as f64);
        let out17 = Scores { y: n15 * w14.dot(b4), logits: w16.dot(m1.tanh()) };
        push(out17);
        let state = Node { c: (t9 * (w18.dot(m1) + s19)).tanh(), h: (-a8.tanh().log_softmax()).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn all_16(
        #[param(K, E)] w2: Tensor, #[param(H)] b5: Tensor, #[param(H, H)] w6: Tensor,
        #[param(H, K)] w7: Tensor, #[dim(K)] dk: Dim, #[param(H)] mut b8: Tensor,
        #[param(H, K)] w11: Tensor, #[param(K)] b12: Tensor, #[dim(H)] dh: Dim,
        #[param(E, K)] w14: Tensor, #[param(E)] b15: Tensor, #[param(K)] mut b16: Tensor,
        #[param(K, H)] w21: Tensor, #[param(K, H)] w22: Tensor, #[param(K, H)] w23: Tensor,
        #[param(K)] b24: Tensor, #[param(E, K)] w25: Tensor, #[param(H)] b26: Tensor,
        #[param(K, K)] w28: Tensor, #[param(K, E)] w29: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = w2.dot(p1.target);
        let mut m4 = w6.dot(b5);
        m4 -= (1.0 / (dk as f64).sqrt() + w7.dot(x3).sigmoid()).tanh();
        m4 /= 0.5;
        m4 = m4.tanh();
        let mut a9 = zeros(dk);
        for Node { c, h } in gather_all::<Node>() {
            b8 = h * w11.dot(c) + b8;
            a9 = a9 + concat([w6.dot(m4), b12]).slice(dh..dh + dk);
        }
        let mut m13 = w14.tanh().dot(x3) * 0.75;
        m13 = m13.tanh() + (b15 - 0.5).sigmoid();
        m13 = m13.tanh();
        for v17 in gather_all::<Node>() {
            let (x18, [x20], s19) = (-(-b5), [m13.dropout(0.5)], x3.exp().tanh().sum());
            b16 = ((w21.dot(v17.h) * v17.c - (w22 + w23).dot(x18) + s19).tanh() + w2.dot(x20)).tanh() + b16 - (v17.c + a9).tanh();
        }
        for k in 0..2 {
            loss(cross_entropy(b12 * 1.5 + 0.5, p1.label) * (k as f64 + 0.25));
        }
        loss(cross_entropy(b16.sigmoid() * b24, p1.label));
        let out27 = Scores { y: (w14 + w25).dot(b16).tanh(), logits: b26.exp() };
        push(out27);
        let state: Node = Node { h: (blend(b8.tanh().sum(), b5, m4) * cross_entropy(zeros(dk), p1.label)).tanh(), c: w28.dot((b16 * (w28 * 1.5).dot(a9)).tanh()).tanh() };
        scatter(state);
        loss(w29.dot(p1.target).sum());
    }

    #[vertex_function]
    pub fn all_17(
        #[param(E)] b2: Tensor, #[param(E, E)] w3: Tensor, #[dim(E)] de: Dim,
        #[param(3 * H, E)] w4: Tensor, #[param(3 * H)] b5: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b7: Tensor, #[param()] s11: Tensor, #[param(K, K)] w13: Tensor,
        #[param(E, H)] w15: Tensor, #[param(E, K)] w16: Tensor, #[param(E, E)] w17: Tensor,
        #[param(H, K)] w18: Tensor, #[param(K, H)] w19: Tensor, #[param(2 * H, H)] w20: Tensor,
        #[param(H)] b23: Tensor, #[param(K, E)] w24: Tensor, #[param(K, H + K)] w25: Tensor,
        #[param(H, E)] w26: Tensor,
    ) {
        let parts1 = (w4.dot(w3.dot(b2).softmax() / ((0.5 + zeros(de).sigmoid()).ln().sigmoid() + 0.5)) + b5).split::<3>();
        let mut a6 = zeros(dh);
        for k in 0..3 {
            a6 += (parts1[k] + b7.relu()).tanh();
        }
        let mut a8 = zeros(de);
        let mut a9 = zeros(de);
        let mut t10 = s11;
        for Node { c, h } in gather_all::<Node>() {
            let s14 = w13.max();
            t10 += (s14 + s11).tanh();
            a8 = w15.dot(h) + w16.dot(c) + a8 - (s11 - (w15 * s14.tanh()).dot(a6)).tanh();
            a9 = ((w17.dot(b2) * w16.dot(c)).sigmoid() + 0.5).ln() + a9;
        }
        let (x21, x22) = halves(w20.dot(gate(w18, 1.0 / (de as f64).sqrt() / (w19.dot(a6).sigmoid() + 0.5), b7).tanh()));
        scatter(Node { h: (b23 + zeros(dh)).relu(), c: w25.dot(summary(Node { h: b7, c: w24.dot(a9) })).tanh() });
        loss(((w26.dot(a8) + t10).tanh() * x21 + x22).tanh().sum());
    }

    #[vertex_function]
    pub fn all_18(
        #[param(H, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(H, H)] w7: Tensor,
        #[param(3 * H, H)] w8: Tensor, #[param(H)] b10: Tensor, #[param()] s11: Tensor,
        #[dim(E)] de: Dim, #[param(H)] b16: Tensor, #[param(H)] b17: Tensor,
        #[param(H, K)] w18: Tensor, #[param(K, K)] w19: Tensor, #[param(K)] b20: Tensor,
        #[param(2 * E, K)] w21: Tensor, #[param(V, E)] table24: Tensor, #[dim(K)] dk: Dim,
        #[dim(H)] dh: Dim, #[param(H, K)] w26: Tensor, #[param(E, H)] w27: Tensor,
        #[param(K, H)] w28: Tensor, #[param(K, E)] w29: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let parts6 = w8.dot(w7.dot(x3.tanh())).split::<3>();
        let mut a9 = b10;
        for k in 1..=2 {
            a9 -= (parts6[k] + s11 * x3).tanh();
        }
        let mut a12 = a9.log_softmax().tanh();
        for Node { c, h } in gather_all::<Node>() {
            let mut m14 = h * 0.5;
            let n15 = 2.0 / (1.0 + de as f64);
            m14 /= n15;
            m14 = (b16 - b17 - a9).tanh() - m14;
            m14 = m14.tanh();
            a12 += w18.dot(c) - m14;
        }
        let (x22, x23) = halves(w21.dot(gate(w19, w19.dot(x5) - 1.5, b20)).tanh());
        loss(mse(table24.row(id).dropout(0.1).sigmoid(), x22));
        let n25 = 1.5 / (1.0 + dh as f64);
        let state: Node = Node { h: (0.5 + w18.dot(x5).log_softmax().sigmoid()).ln().tanh(), c: (zeros(dk).log_softmax() + n25).tanh() };
        scatter(state);
        push(Out { y: w27.dot(w26.dot(x5).log_softmax()).tanh() });
        loss((w28.dot(a12) - w29.dot(x23)).tanh().sum());
    }

    #[vertex_function]
    pub fn all_19(
        #[param(E, E)] w2: Tensor, #[param(E, E)] w3: Tensor, #[param(E)] b5: Tensor,
        #[dim(H)] dh: Dim, #[param(3 * K, E)] w6: Tensor, #[param(K)] mut b10: Tensor,
        #[dim(K)] dk: Dim, #[param(K, H)] w14: Tensor, #[param(K)] b15: Tensor,
        #[param(K, E)] w16: Tensor, #[param(E, E)] w18: Tensor, #[param(H, K)] w19: Tensor,
        #[param(H, K)] w20: Tensor, #[param(H, K)] w21: Tensor, #[param(H, K)] w22: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x4 = (w2 + w3).dot(p1);
        let [x7, x8, x9]: [Tensor; 3] = w6.dot(scaled(b5 + x4, dh)).split();
        let mut a11 = zeros(dk);
        let mut n12 = 1.0;
        for Node { h, c } in gather_all() {
            let c = c.tanh() + x9.tanh().exp();
            b10 -= (w14.dot(h) + c).tanh();
            a11 = a11 + (b15 + w16.dot(x4)).sigmoid();
            n12 += 1.0;
        }
        let x17 = b10 / n12;
        loss(cross_entropy(w18.dot(2.0 * x4).tanh(), label));
        scatter(Node { h: (((w19.dot(x7) + w20.dot(x8)).tanh() - w21.dot(a11)).tanh() * (w22 * (1.0 / (dh as f64).sqrt())).dot(x17)).tanh(), c: (0.5 + b15.sigmoid()).ln().tanh() });
    }

    #[vertex_function]
    pub fn all_20(
        #[param(E, E)] w1: Tensor, #[param(K)] b4: Tensor, #[param(K, K)] w5: Tensor,
        #[param(H, K)] w7: Tensor, #[param(E)] mut b8: Tensor, #[param(H)] mut b9: Tensor,
        #[param(E, K)] w13: Tensor, #[param(E, H)] w14: Tensor, #[param()] s15: Tensor,
        #[param(E, K)] w17: Tensor, #[dim(H)] dh: Dim, #[param(K, H)] w18: Tensor,
        #[param(H, K)] w19: Tensor, #[dim(E)] de: Dim, #[param(K, H)] w24: Tensor,
        #[param()] s26: Tensor, #[dim(K)] dk: Dim, #[param(K)] b27: Tensor,
        #[param(K, E)] w28: Tensor,
    ) {
        let Word { x, .. } = pull();
        let x2: Tensor = w1.dot(x);
        let x3 = {
            let x6 = 2.0 / (0.5 + w5.dot(b4).exp().sigmoid());
            w7.dot(x6).tanh()
        };
        for v10 in gather_all::<Node>() {
            let (x11, [x16], s12) = (w13.dot(v10.c) - x2 + w14.dot(v10.h), [v10.c.log_softmax()], s15.tanh().sigmoid());
            b8 += (x11 + s12 + w17.dot(x16)).tanh();
            b9 = -zeros(dh) + x3 + b9;
        }
        let x20 = affine(w18, ((w19 * (1.0 / de as f64)).dot(b4) + b9).tanh(), b4);
        let mut a21 = 1.5 * x20;
        let mut n22 = 1.0;
        for v23 in gather_all::<Node>() {
            a21 -= w24.dot(v23.h) + v23.c;
            n22 += 1.0;
        }
        let x25 = a21 / n22;
        loss(mse(b4 - s26 - 1.0 / (dk as f64).sqrt() * s15, x25.relu()));
        push(Out { y: (0.5 + (1.0 / de as f64 * x).sigmoid()).ln() });
        let state = Node { c: (b27.sigmoid() + 0.5).ln().sigmoid(), h: w7.dot(x20) * zeros(dh) };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss(w28.dot(b8).tanh().sum());
    }

    #[vertex_function]
    pub fn all_21(
        #[param(H)] b2: Tensor, #[param(K, H)] w3: Tensor, #[param(K, H)] w4: Tensor,
        #[param(E)] b5: Tensor, #[param(K, E)] w6: Tensor, #[param(K)] b7: Tensor,
        #[param(K, H)] w8: Tensor, #[param(H)] b9: Tensor, #[param(K)] b10: Tensor,
        #[param(H)] b11: Tensor, #[param(K, H)] w12: Tensor, #[param(H)] b13: Tensor,
        #[param(K, H)] w14: Tensor, #[dim(E)] de: Dim, #[param(H)] mut b16: Tensor,
        #[param(E, H)] w18: Tensor, #[param(E, K)] w19: Tensor, #[param(H, E)] w20: Tensor,
        #[param(H)] b21: Tensor, #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param()] s27: Tensor,
        #[param(E, H)] w30: Tensor, #[param(E, H)] w31: Tensor, #[param(H, K)] w34: Tensor,
        #[param(H, K)] w35: Tensor, #[param(H, E)] w36: Tensor, #[param(K, H)] w37: Tensor,
        #[param(H, K)] w38: Tensor, #[param(H, K)] w39: Tensor, #[param(K)] b40: Tensor,
        #[param(K)] b41: Tensor,
    ) {
        let mut m1 = w3.dot(b2) * w4.dot(b2);
        m1 -= (w6.dot(b5) * b7).log_softmax().tanh();
        m1 = crate::cells::gate(w8, -b9, b7) - m1;
        m1 *= (0.75 / (b10.sigmoid() + 0.5) - (w12.dot(b11) * w14.dot(b13)).sum()).tanh();
        m1 = m1.tanh();
        let mut a15 = zeros(de);
        for v17 in gather_all::<Node>() {
            a15 = a15 + w18.dot(v17.h) * w19.dot(v17.c);
            b16 += v17.h * w20.dot(b5) + b21;
        }
        let [x22, x23]: [Tensor; 2] = [0.75 * b7 - 1.0 / (de as f64).sqrt(), m1 * m1];
        let mut a24 = zeros(dh);
        let mut a25 = zeros(dk);
        let mut t26 = s27;
        for v28 in gather_all::<Node>() {
            let parts29 = [scaled(w30.dot(v28.h), dh), (w31 * 0.5).dot(b16).tanh(), w18.dot(b16).tanh()];
            let mut a32 = zeros(de);
            let x33 = concat(parts29);
            for k in 0..2 {
                a32 -= (x33.slice(k * de..(k + 1) * de) * (0.5 / (0.5 + zeros(de).sigmoid())).tanh()).tanh();
            }
            t26 += zeros(dh).exp().max();
            a24 -= ((w34 + w35).dot(v28.c) + w36.dot(a32)).tanh();
            a25 -= noisy(w37.dot(v28.h).log_softmax(), 0.5).tanh();
        }
        let state: Node = Node { h: (((w20.dot(a15) * w34.dot(x22)).tanh() + w38.dot(x23) + a24).tanh() + (w39 * t26.tanh()).dot(a25)).tanh(), c: b40 * b41 };
        scatter(state);
    }

    #[vertex_function]
    pub fn all_22(
        #[param(K)] b2: Tensor, #[param(E, K)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[dim(K)] dk: Dim, #[param(H)] b6: Tensor, #[param(E, H)] w7: Tensor,
        #[param(E, E)] w8: Tensor, #[param(H)] b9: Tensor, #[param(E, 2 * E)] w10: Tensor,
        #[dim(E)] de: Dim, #[param()] s14: Tensor, #[param()] s16: Tensor,
        #[param(H, H)] w17: Tensor, #[param(H, K)] w18: Tensor, #[param(K, E)] w19: Tensor,
        #[param(K, E)] w20: Tensor, #[param()] s21: Tensor, #[param(E)] b22: Tensor,
        #[param(E, E)] w23: Tensor, #[dim(H)] dh: Dim, #[param(E)] b27: Tensor,
        #[param()] s29: Tensor, #[param(E, H)] w32: Tensor, #[param(E, H)] w33: Tensor,
        #[param(E, K)] w34: Tensor, #[param(H)] b35: Tensor, #[param(K, H)] w36: Tensor,
        #[param(H, K)] w37: Tensor, #[param(K, E)] w38: Tensor, #[param(H)] b40: Tensor,
    ) {
        let mut m1 = (w3 + w4).dot(b2).relu();
        let n5 = 2.0 / (1.0 + dk as f64);
        m1 /= n5;
        m1 *= w8.dot(w7.dot(b6));
        m1 = w10.dot(concat([w7.dot(b9), w7.dot(b6)])) - m1;
        m1 = m1.tanh();
        let mut a11 = zeros(dk);
        let mut a12 = zeros(de);
        let mut t13 = s14;
        for Node { h, c } in gather_all() {
            let m1 = m1.tanh() + (s16 - m1);
            t13 += mse(w17.dot(h), w18.tanh().dot(c)).tanh();
            a11 += w19.dot(m1).tanh();
            a11 -= w20.dot(m1) * s21;
            a12 = (1.0 / (dk as f64).sqrt() / ((s14 - b22).sigmoid() + 0.5)).tanh() + a12 - blend(m1.softmax(), m1, w23.dot(m1)).tanh();
        }
        let x24 = {
            let m1 = m1.tanh() + a12.tanh();
            let m1 = m1.tanh() + 1.0 / (dh as f64).sqrt() / (a12.sigmoid() + 0.5);
            m1.tanh()
        };
        let mut a25 = zeros(de);
        let mut a26 = blend(t13, x24, b27);
        let mut t28 = s29;
        for Node { h, c } in gather_all() {
            let x31 = concat([(s14 + a11).tanh(), m1.relu()]).slice(0..dk);
            t28 += x31.dropout(0.5).sum().tanh();
            a25 = (w32.dot(h) + (w3 * 0.5).dot(c)).tanh() + a25 - (w33 * 2.0).dot(h).softmax();
            a26 -= w34.dot((2.0 * a11).tanh());
        }
        for k in 0..2 {
            loss((concat([w36.dot(b35).exp(), b6]).slice(dk..dk + dh) * w37.tanh().dot(a11)).tanh().sum() * (k as f64 + 0.25));
        }
        let n39 = 2.0_f64.sqrt() - 0.5;
        let (h, c) = ((b6 + w17.dot(b40)).tanh(), ((w19.dot(a25) + (w38 * n39).dot(a26)).tanh() + t28).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_23(
        #[param(H, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[dim(E)] de: Dim,
        #[param(K, E)] w7: Tensor, #[dim(H)] dh: Dim, #[param(K, K)] w10: Tensor,
        #[param(K)] b11: Tensor, #[param(H, K)] w13: Tensor, #[dim(K)] dk: Dim,
        #[param(V, H)] table14: Tensor, #[param(V, H)] table15: Tensor, #[param()] s17: Tensor,
        #[param(H)] b18: Tensor, #[param(E, H)] w20: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let x6 = {
            let p1 = p1.tanh() + 0.75 / (0.5 + zeros(de).sigmoid());
            w7.dot(p1).tanh()
        };
        let mut a8 = zeros(dh);
        for v9 in gather_all::<Node>() {
            let x12 = w10.dot(v9.c) + w7.dot(p1) + (x5 - b11);
            a8 = a8 + (v9.h + w13.dot(x12)).tanh();
        }
        loss((concat([table14.row(id) + 0.75, x6]).slice(dh..dh + dk) * x6).sum());
        loss(w13.dot(x6).sum().sigmoid().sigmoid());
        let (h, c) = ((x3 / (0.5 + table15.row(id).sigmoid())).tanh().exp().tanh(), x5.softmax().tanh());
        scatter(Node { h, c });
        let n16 = 0.5 / (1.0 + dk as f64);
        let out19 = Scores { y: (n16 / (0.5 + p1.sigmoid())).tanh(), logits: ((x3 + s17) * b18).sum() };
        push(out19);
        loss(w20.dot(a8).tanh().sum());
    }

    #[vertex_function]
    pub fn all_24(
        #[dim(K)] dk: Dim, #[param(K)] b1: Tensor, #[param(K, K)] w2: Tensor,
        #[param(K, H)] w8: Tensor, #[param(K, H)] w9: Tensor, #[dim(H)] dh: Dim,
        #[param()] s11: Tensor, #[param(H, K)] w12: Tensor,
    ) {
        let x3 = concat([zeros(dk).slice(1..dk), zeros(dk).slice(0..1)]) * w2.dot(b1);
        let mut a4 = zeros(dk);
        let mut a5 = zeros(dk);
        let mut n6 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            a4 -= ((w8 + w9).dot(h) - c).tanh();
            a5 = w2.dot(zeros(dk) + b1) + a5 - x3.relu();
            n6 += 1.0;
        }
        let x10 = a4 / n6;
        for k in 0..2 {
            loss(zeros(dh).sum() * s11 * 0.5 * (k as f64 + 0.25));
        }
        let (h, c) = ((w12.dot(a5) + (w12 * (1.0 / (dk as f64).sqrt())).dot(x10)).tanh(), concat([a4, x3]).slice(0..dk).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_25(
        #[param(H, E)] w1: Tensor, #[param(K)] b3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(E)] b5: Tensor, #[param(E, E)] w6: Tensor, #[dim(H)] dh: Dim,
        #[param(3 * K, K)] w11: Tensor, #[param(3 * K)] b12: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b15: Tensor, #[param(H, K)] w16: Tensor, #[param(H)] b17: Tensor,
        #[param(E)] b18: Tensor, #[param(K, E)] w19: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = w1.dot(x);
        let s7 = (w4.tanh().dot(b3).tanh() + w6.dot(b5)).max();
        let mut a8 = zeros(dh);
        for v9 in gather_all::<Node>() {
            let parts10 = (w11.dot(v9.c.tanh().log_softmax()) + b12).tanh().split::<3>();
            let mut a13 = zeros(dk);
            let x14 = concat(parts10);
            for k in 0..2 {
                a13 -= (x14.slice(k * dk..(k + 1) * dk) - (b15 + 2.0).tanh()).tanh();
            }
            a8 -= (v9.h + w16.tanh().dot(a13)).tanh();
        }
        loss(cross_entropy(b17.tanh(), label));
        loss(x2.dropout(0.5).tanh().sum() + s7);
        let (h, c) = (a8.tanh(), (b3 + w19.dot(b18)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_26(
        #[param(H)] b1: Tensor, #[param(H, H)] w2: Tensor, #[param(4 * H, H)] w3: Tensor,
        #[dim(K)] dk: Dim, #[param(E)] mut b9: Tensor, #[param(K)] b13: Tensor,
        #[param()] s14: Tensor, #[param(K, H)] w16: Tensor, #[param(E, H)] w17: Tensor,
        #[dim(H)] dh: Dim, #[param(E)] b18: Tensor, #[param(H, K)] w19: Tensor,
        #[param(H, E)] w20: Tensor, #[param(K, E)] w21: Tensor,
    ) {
        let [x4, x5, x6, x7] = w3.dot(w2.dot(b1).log_softmax()).tanh().split();
        let mut a8 = zeros(dk);
        for Node { c, h } in gather_all::<Node>() {
            let (x11, [x15], s12) = (-(b13 - zeros(dk)), [c * c], x4.max() * s14);
            a8 = (w16.dot(h) - x11 - s12 + x15).tanh() + a8;
            b9 = b9 + (gate(w17, zeros(dh), b18).sigmoid() + 0.5).ln();
        }
        let (h, c) = (((x5 + x6 + x7 - w19.dot(a8)).tanh() + w20.dot(b9)).tanh(), w21.dot(b9).tanh().log_softmax().tanh());
        scatter(Node { h, c });
        push(Out { y: w17.dot(x5).sigmoid().tanh() });
    }

    #[vertex_function]
    pub fn all_27(
        #[dim(H)] dh: Dim, #[param(H)] b2: Tensor, #[param(2 * H, H)] w3: Tensor,
        #[param(2 * H)] b4: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w10: Tensor,
        #[param(E, K)] w11: Tensor, #[param(4 * H, E)] w13: Tensor, #[param(4 * H)] b14: Tensor,
        #[param()] s19: Tensor, #[param(E, E)] w20: Tensor, #[param(K)] b21: Tensor,
        #[param(E, K)] w22: Tensor, #[param(K, H)] w24: Tensor,
    ) {
        let n1 = 0.5 / (1.0 + dh as f64);
        let (x5, x6) = halves((w3.dot(n1 / (0.5 + b2.softmax().sigmoid())) + b4).tanh());
        let mut a7 = zeros(de).tanh();
        let mut n8 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            a7 -= (w10.dot(h) - (w11 * 2.0).dot(c)).tanh();
            n8 += 1.0;
        }
        let x12 = a7 / n8;
        let [x15, x16, x17, x18]: [Tensor; 4] = (w13.dot(x12.tanh().exp() * 0.5) + b14).tanh().split();
        for k in 0..2 {
            loss(mse((x18 - s19) / (x5.tanh().sigmoid() + 0.5), x17 * x18) * (k as f64 + 0.25));
        }
        loss((1.5 / (0.5 + w20.dot(a7).tanh().log_softmax().sigmoid())).max());
        let out23 = Scores { y: (2.0 - w22.tanh().dot(b21)).tanh(), logits: 1.5 - b21 };
        push(out23);
        let n25 = 2.0_f64.sqrt() - 0.5;
        let state = Node { c: (w24.dot(x6) * w24.tanh().dot(x15) + (w24 * n25).dot(x16)).tanh(), h: (b2 + x16).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn all_28(
        #[param(K, E)] w1: Tensor, #[param(H, K)] w3: Tensor, #[dim(E)] de: Dim,
        #[param(H)] b5: Tensor, #[param(H, H)] w6: Tensor, #[param(2 * E, H)] w7: Tensor,
        #[dim(H)] dh: Dim, #[param(H)] mut b11: Tensor, #[param(E)] b15: Tensor,
        #[param(E)] b16: Tensor, #[param(H, E)] w18: Tensor, #[param(E, E)] w20: Tensor,
        #[param(H)] b21: Tensor, #[param(K, H)] w22: Tensor, #[param(K, H)] w23: Tensor,
    ) {
        let Gold { label, target } = pull();
        let x2 = w1.tanh().dot(target);
        let n4 = 0.75 / (1.0 + de as f64);
        let [x8, x9] = w7.dot(w3.dot(x2) * n4 - w6.dot(b5)).tanh().split();
        let mut a10 = zeros(dh);
        let mut n12 = 1.0;
        for Node { h, c } in gather_all() {
            let mut m14 = b15.relu();
            m14 *= (x8 + x9).tanh();
            let n17 = 1.5 / (1.0 + dh as f64);
            m14 = (b16 + n17).tanh().exp().tanh() - m14;
            m14 = m14.tanh();
            a10 += (h - (w3 * (1.0 / (dh as f64).sqrt())).dot(c) + w18.dot(m14)).tanh();
            b11 = (0.5 / ((0.75 / (0.5 + h.sigmoid())).sigmoid() + 0.5)).tanh() + b11 - b5.log_softmax().tanh();
            n12 += 1.0;
        }
        let x19 = a10 / n12;
        let target = target.tanh() + zeros(de).softmax();
        loss(cross_entropy((-b15).tanh(), label));
        loss(mse(w20.dot(x9).sigmoid().log_softmax(), target / (0.5 + x9.sigmoid())));
        let (h, c) = (b21.sigmoid().sigmoid(), (x2.exp() * 0.5).tanh());
        scatter(Node { h, c });
        loss((w22.dot(b11) * (w23 + w22).dot(x19)).tanh().sum());
    }

    #[vertex_function]
    pub fn all_29(
        #[dim(H)] dh: Dim, #[param(H)] b3: Tensor, #[param(H, H)] w4: Tensor,
        #[param(K)] b5: Tensor, #[param(H, K)] w6: Tensor, #[param()] s7: Tensor,
        #[param(E, K)] w9: Tensor, #[param(H)] mut b10: Tensor, #[param(K)] b14: Tensor,
        #[param(K, K)] w15: Tensor, #[param(K, H)] w16: Tensor, #[dim(K)] dk: Dim,
        #[param(E, H)] w18: Tensor, #[param(E)] b19: Tensor, #[param(H, K)] w21: Tensor,
        #[param(H, E)] w22: Tensor, #[param(K)] b23: Tensor, #[param(H, H)] w24: Tensor,
        #[param(H)] b25: Tensor, #[param(H, E)] w27: Tensor, #[param(K)] b28: Tensor,
        #[param(K, K)] w29: Tensor, #[param(K, H)] w30: Tensor, #[param(K, E)] w31: Tensor,
        #[param(K, E)] w32: Tensor, #[param(E, E)] w33: Tensor, #[param(E)] b34: Tensor,
        #[param(E)] b35: Tensor, #[param(H, H)] w36: Tensor,
    ) {
        let (x1, [x8], s2) = ((zeros(dh) - w4.dot(b3)) / (w6.dot(b5).softmax().sigmoid() + 0.5), [(w9 + w9).dot(b5).tanh()], (0.75 + s7).sigmoid());
        for v11 in gather_all::<Node>() {
            let x12 = {
                let x1 = x1.tanh() + v11.h.relu();
                let x1 = x1.tanh() + -v11.h;
                x1.tanh()
            };
            b10 = w6.dot(v11.c) + x12 + b10;
        }
        let x13 = {
            let x17 = ((w15.tanh().dot(b14) - (w16 + w16).dot(x1)) * (1.0 / (dk as f64).sqrt())).tanh();
            let x20: Tensor = 2.0 / (crate::cells::gate(w18, zeros(dh), b19).sigmoid() + 0.5);
            (w21.dot(x17) + w22.dot(x20)).tanh().tanh()
        };
        loss(mse(crate::cells::gate(w6, b23.exp(), b3), blend(s2, w24.dot(b10), x13).tanh()));
        loss(mse(x13.sigmoid().relu(), blend(s2, b3, b25)));
        let n26 = 2.0_f64.sqrt() - 0.75;
        let (h, c) = (((n26 - x13) * w27.dot(x8)).tanh(), weighted([weighted([(w29 * 2.0).dot(b28), w30.dot(b10), w31.dot(x8)]).tanh(), w32.tanh().dot(x8), w15.dot(b5)]).tanh());
        scatter(Node { h, c });
        let out37 = Scores { y: affine(w33, b34, b35), logits: w36.max() };
        push(out37);
    }

    #[vertex_function]
    pub fn all_30(
        #[param(H)] b1: Tensor, #[param(K, H)] w2: Tensor, #[dim(H)] dh: Dim,
        #[param(H, K)] w7: Tensor, #[param(H)] b8: Tensor, #[param()] s9: Tensor,
        #[param(E)] b11: Tensor, #[param(E, H)] w12: Tensor,
    ) {
        let x3 = w2.dot(b1).relu() - 0.5;
        let mut a4 = zeros(dh);
        for Node { c, h } in gather_all::<Node>() {
            let s6 = h.log_softmax().tanh().sum();
            a4 += (w7.dot(c) + s6).tanh();
        }
        let s10 = b8.sum().tanh() * s9;
        loss(s10);
        loss(mse(b11.relu().exp(), -(w12 * s10).dot(a4)));
        scatter(Node { c: x3.relu().tanh(), h: w7.dot(x3).tanh() });
    }

    #[vertex_function]
    pub fn all_31(
        #[param(H)] b2: Tensor, #[param(H, H)] w3: Tensor, #[param(E)] b4: Tensor,
        #[param(H, E)] w5: Tensor, #[dim(E)] de: Dim, #[param(E)] b6: Tensor,
        #[param(H, E)] w7: Tensor, #[param(K)] b9: Tensor, #[param(K)] b10: Tensor,
        #[param(H, K)] w12: Tensor, #[dim(H)] dh: Dim, #[param()] s15: Tensor,
        #[param(H, K)] w18: Tensor, #[param(H, K)] w19: Tensor, #[param(H, E)] w20: Tensor,
        #[param(H)] mut b21: Tensor, #[dim(K)] dk: Dim, #[param(H, H)] w23: Tensor,
        #[param(E)] b24: Tensor, #[param(E, K)] w29: Tensor, #[param(E, K)] w30: Tensor,
        #[param(E, H)] w31: Tensor, #[param()] s32: Tensor, #[param(E, K)] w33: Tensor,
        #[param(E, K)] w34: Tensor, #[param(K)] b35: Tensor, #[param(E)] b38: Tensor,
        #[param()] s39: Tensor, #[param(K)] b40: Tensor, #[param(K)] b41: Tensor,
        #[param(H, 3 * K)] w42: Tensor,
    ) {
        let x1 = {
            let x8 = w3.dot(b2) - (w5 * (1.0 / de as f64)).dot(b4) + w7.dot(b6);
            let x11 = (0.5 + (b9 + b10).sigmoid()).ln();
            (x8 * w12.tanh().dot(x11)).tanh().tanh()
        };
        let mut a13 = zeros(dh);
        for Node { h, c } in gather_all() {
            let n16 = 0.75 / (1.0 + de as f64);
            let x17 = (zeros(de) * s15 - n16).exp().tanh();
            a13 -= (h - (w18 + w19).dot(c) + w20.dot(x17)).tanh();
        }
        b21 /= 0.5;
        let n22 = 0.5 / (1.0 + dk as f64);
        b21 *= (n22 / ((w23.dot(a13) / (0.5 + w5.tanh().dot(b24).sigmoid())).tanh().sigmoid() + 0.5)).tanh();
        b21 = b21.tanh();
        let mut a25 = zeros(dh);
        let mut a26 = zeros(dk);
        for Node { h, c } in gather_all() {
            let mut m28 = blend(zeros(de).sigmoid(), (w29 + w30).dot(c), w31.dot(x1));
            m28 = m28.tanh() + (s32 + zeros(de)) * w33.dot(c);
            m28 -= (-(w29.dot(c) * w34.dot(c))).tanh();
            m28 = m28.tanh() + (1.0 / (de as f64).sqrt() / (0.5 + (1.5 / (0.5 + b4.sigmoid())).sigmoid())).tanh();
            m28 = m28.tanh();
            a25 = a25 + h * w5.dot(m28);
            a26 = a26 + concat([b21.log_softmax(), b35]).slice(dh..dh + dk);
        }
        let [x36, x37] = [b2 * (w5 * (1.0 / dk as f64)).dot(b4), concat([a25.slice(1..dh), a25.slice(0..1)])];
        let out43 = Scores { y: b38 - s39, logits: w42.dot(concat([b40, a26, b41])).tanh() };
        push(out43);
        scatter(Node { h: (x36 + x37).tanh(), c: a26.tanh() });
    }

    #[vertex_function]
    pub fn all_32(
        #[param(H, E)] w2: Tensor, #[param(H)] b5: Tensor, #[param()] s6: Tensor,
        #[dim(H)] dh: Dim, #[param(H)] b7: Tensor, #[param(H)] mut b8: Tensor,
        #[param()] s11: Tensor, #[param(2 * K, K)] w13: Tensor, #[param(2 * K)] b14: Tensor,
        #[param(K, H)] w17: Tensor, #[param(H, K)] w18: Tensor, #[param(K, E)] w20: Tensor,
        #[param(K)] b21: Tensor, #[param(H, K)] w22: Tensor, #[param(K)] b23: Tensor,
        #[param(K, K)] w24: Tensor, #[param(K)] b25: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = w2.dot(p1.target);
        let mut m4 = s6 + b5;
        m4 -= zeros(dh).sigmoid() / (0.5 + (x3 * x3).sigmoid());
        m4 *= (x3.tanh() - x3).tanh();
        m4 += concat([x3, x3 + b7]).slice(0..dh);
        m4 = m4.tanh();
        let (mut n9, mut t10) = (1.0, s11);
        for Node { c, h } in gather_all::<Node>() {
            let [x15, x16] = (w13.dot(c.dropout(0.25).exp().tanh()) + b14).split::<2>();
            t10 += w17.dot(h).sum().tanh();
            b8 = b8 + (w18.dot(x15) * w18.dot(x16)).tanh();
            n9 += 1.0;
        }
        let x19 = b8 / n9;
        loss(cross_entropy(w22.dot(crate::cells::gate(w20, p1.target, b21)), p1.label));
        let state = Node { c: s6 * w24.dot(b23) + b25, h: m4.log_softmax().tanh().log_softmax().tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss(((b5 + b5) * t10 * x19).tanh().sum());
    }

    #[vertex_function]
    pub fn all_33(
        #[param(E, E)] w2: Tensor, #[param(E)] b4: Tensor, #[dim(E)] de: Dim,
        #[param(H)] b5: Tensor, #[param(E, H)] w6: Tensor, #[param(K)] b7: Tensor,
        #[param(E, K)] w8: Tensor, #[param(2 * K, E)] w9: Tensor, #[param(2 * K)] b10: Tensor,
        #[param(H)] mut b13: Tensor, #[param()] s16: Tensor, #[dim(K)] dk: Dim,
        #[param(H, K)] w18: Tensor, #[param(H, E)] w19: Tensor, #[param(E)] b20: Tensor,
        #[param(H)] b21: Tensor, #[param(E, K)] w22: Tensor, #[param(K, H)] w23: Tensor,
        #[param(K, E)] w24: Tensor,
    ) {
        let p1 = pull::<Word>().x;
        let x3 = w2.dot(p1);
        let [x11, x12]: [Tensor; 2] = (w9.dot(concat([b4.slice(1..de), b4.slice(0..1)]) / (0.5 + (w6.tanh().dot(b5) - w8.dot(b7)).sigmoid())) + b10).split();
        let mut a14 = zeros(de);
        let mut t15 = s16;
        for Node { h, c } in gather_all() {
            t15 += (b7.softmax() * zeros(dk)).sum();
            b13 = h - w18.dot(c) + b13 - crate::cells::gate(w19, b20, b21);
            a14 = scaled(w22.dot(x11), de) + a14;
        }
        let x12 = x12.tanh() + b7.exp();
        loss(t15.sigmoid());
        push(Out { y: (x3 - b4).tanh() });
        let (h, c) = ((b5 + 0.75).tanh(), ((w23.dot(b13) + (w24 * t15.tanh()).dot(a14)).tanh() + x12).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_34(
        #[param(K)] b3: Tensor, #[param(H, K)] w5: Tensor, #[param(K, H)] w7: Tensor,
        #[dim(K)] dk: Dim, #[param(H)] b11: Tensor, #[param(H, H)] w12: Tensor,
        #[dim(H)] dh: Dim, #[param(E, H)] w13: Tensor, #[param(K, E)] w14: Tensor,
        #[param(K, E)] w15: Tensor, #[param(K, K)] w16: Tensor, #[dim(E)] de: Dim,
        #[param(E, H + 2 * K)] w17: Tensor, #[param(K, K + E)] w24: Tensor,
        #[param(K)] b25: Tensor, #[param(H, K)] w26: Tensor, #[param(H, E)] w27: Tensor,
        #[param(E, K)] w28: Tensor,
    ) {
        let x1 = {
            let n2 = 2.0_f64.sqrt() - 0.5;
            let x4 = -(n2 / (0.5 + b3.sigmoid()));
            w5.dot(x4).tanh()
        };
        let mut a6 = b3 - w7.dot(x1);
        let mut a8 = zeros(dk);
        for v9 in gather_all::<Node>() {
            let x10 = {
                let x1 = x1.tanh() + blend(b11 - v9.h, w12.dot(x1), zeros(dh));
                w13.dot(x1).tanh()
            };
            a6 += v9.c + w14.dot(x10);
            a8 -= w15.dot(x10).relu().dropout(0.1);
        }
        let x18 = w17.dot(concat([(a8 - (w16 * (1.0 / (de as f64).sqrt())).dot(a6)).tanh(), a8.dropout(0.1).tanh(), x1.tanh()]));
        let mut a19 = zeros(dk);
        let mut a20 = zeros(de);
        for Node { h, c } in gather_all() {
            let n23 = 2.0_f64.sqrt() - 1.5;
            let mut m22 = n23 - c;
            m22 += w24.dot(concat([a8, x18])).tanh();
            m22 = m22.tanh();
            a19 = w7.dot(h) + m22 + a19 - concat([a6.slice(1..dk), a6.slice(0..1)]).tanh();
            a20 = x18.sigmoid() + b25.sum() + a20;
        }
        let (h, c) = ((w26.dot(a19) * (w27 * 1.5).dot(a20)).tanh(), a19.tanh().log_softmax().tanh());
        scatter(Node { h, c });
        let out29 = Scores { y: w28.dot(a19).tanh(), logits: (0.5 * mse(x1, x1)).tanh() };
        push(out29);
    }

    #[vertex_function]
    pub fn all_35(
        #[param(E)] b2: Tensor, #[param(K)] mut b4: Tensor, #[param(H)] b6: Tensor,
        #[param(H, H)] w7: Tensor, #[param(K, H)] w8: Tensor, #[param(K)] mut b9: Tensor,
        #[param(H, K)] w12: Tensor, #[dim(K)] dk: Dim, #[param(K)] b13: Tensor,
        #[dim(E)] de: Dim, #[param(H, E)] w18: Tensor, #[param()] s19: Tensor,
        #[param(K, K)] w21: Tensor, #[dim(H)] dh: Dim, #[param(H)] b23: Tensor,
        #[param(H)] b24: Tensor, #[param(K, H)] w25: Tensor, #[param(K, E)] w26: Tensor,
    ) {
        let p1: Signal = pull();
        let x3 = p1.x * b2;
        let n5 = 2.0_f64.sqrt() - 2.0;
        b4 /= n5;
        b4 = w8.dot(2.0 * w7.dot(b6)).tanh() - b4;
        b4 = b4.tanh();
        let mut n10 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            let s14 = ((zeros(dk) * b13).sum() - weighted([h, w12.tanh().dot(b4), h])).max();
            b9 += (c - s14).tanh();
            n10 += 1.0;
        }
        let x15 = b9 / n10;
        let (x16, [x20], s17) = (b2 * p1.x - zeros(de), [2.0 + x15], cross_entropy(w18.dot(x3), p1.label) - s19);
        let out22 = Scores { y: b2.relu(), logits: w21.max() };
        push(out22);
        let state = Node { c: w25.dot(b24).tanh(), h: (1.0 / (dh as f64).sqrt() / (0.5 + (b23 * w18.dot(x3)).sigmoid())).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((w26.dot(x16) + s17 + x20).tanh().sum());
    }
}

pub mod mixed {
    use super::prelude::*;

    #[vertex_function]
    pub fn mixed_0(
        #[param(H, E)] w2: Tensor, #[param(H, E)] w3: Tensor, #[param(E, E)] w5: Tensor,
        #[dim(E)] de: Dim, #[param(K, H)] w10: Tensor, #[param(E, K)] w13: Tensor,
        #[param(H)] b14: Tensor, #[param(E)] b15: Tensor, #[param(H)] b16: Tensor,
        #[param()] s17: Tensor, #[param(H)] b18: Tensor, #[param(K)] b19: Tensor,
        #[param(E, K)] w20: Tensor, #[param(K)] b21: Tensor, #[param(E, K)] w23: Tensor,
        #[param(E, H)] w24: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let Gold { label, target } = pull();
        let x4 = (w2 + w3).dot(target);
        let s6 = w5.sum();
        let mut a7 = noisy(v1.c, 0.5);
        let mut a8 = zeros(de);
        for v9 in gather_all::<Node>() {
            let n11 = 2.0_f64.sqrt() - 0.75;
            a7 = (w10 * s6.tanh()).dot(v9.h) - v9.c + a7 - (n11 / (v1.c.sigmoid() + 0.5)).tanh();
            let n12 = 2.0_f64.sqrt() - 1.5;
            a8 = (n12 / (zeros(de).sigmoid() + 0.5) * w13.dot(v9.c)).tanh() + a8;
        }
        let x4 = x4.tanh() + -b14;
        loss(cross_entropy(weighted([-b15, zeros(de), b15]), label));
        loss((b16 * s17).tanh().sum());
        let (h, c) = ((v1.h - b18).tanh(), (2.0 / ((-b19).sigmoid() + 0.5)).tanh());
        scatter(Node { h, c });
        let out22 = Scores { y: concat([a8, b19]).slice(0..de).tanh(), logits: crate::cells::gate(w20, b21 * s17, b15) };
        push(out22);
        loss((w23.dot(a7) - w24.dot(x4)).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_1(
        #[param(E, E)] w1: Tensor, #[dim(H)] dh: Dim, #[dim(E)] de: Dim, #[param(H)] b6: Tensor,
        #[param(H)] b7: Tensor, #[param(K)] mut b8: Tensor, #[param()] s10: Tensor,
        #[param(H, H)] w13: Tensor, #[param(K, H)] w14: Tensor, #[param(K, E)] w15: Tensor,
        #[param(H, E)] w19: Tensor, #[param(H)] b20: Tensor, #[param(H, K)] w21: Tensor,
        #[param(H, K)] w22: Tensor, #[param(H, K)] w23: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2: Tensor = (w1 * (1.0 / dh as f64)).dot(x);
        let v3 = gather::<Node>(0);
        let parts4 = [(0.5 + v3.h).tanh(), zeros(dh) + 1.0 / (de as f64).sqrt(), v3.h];
        let mut a5 = b6;
        for part in parts4 {
            a5 = a5.tanh() + (part * (1.5 - b7).tanh()).tanh();
        }
        let mut t9 = s10;
        for v11 in gather_all::<Node>() {
            let mut m12 = zeros(de).tanh();
            m12 = (0.5 + (-x2).sigmoid()).ln() - m12;
            m12 = m12.tanh();
            t9 += cross_entropy(w13.dot(v3.h).tanh(), label).tanh();
            b8 += w14.dot(v11.h) * v11.c * w15.dot(m12);
        }
        let x16 = {
            let x17 = x2.softmax() + x2;
            let x18 = mse(x17, zeros(de)).tanh() * (-a5);
            w14.dot(x18).tanh()
        };
        loss(cross_entropy((v3.h * w19.dot(x2)).relu().tanh(), label));
        loss(weighted([2.0 * v3.h, b20, zeros(dh)]).tanh().sum());
        push(Out { y: (zeros(de) / (x2.sigmoid() + 0.5)).dropout(0.5) });
        let state = Node { c: (b8 / (b8.sigmoid() + 0.5)).tanh(), h: (((w21 + w22).dot(v3.c) + w23.dot(b8)).tanh() * t9 * (w21 * t9.tanh()).dot(x16)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn mixed_2(
        #[param(E, E)] w2: Tensor, #[param(E, K)] w8: Tensor, #[param(E, E)] w9: Tensor,
        #[param(2 * H, E)] w10: Tensor, #[param(2 * H)] b11: Tensor, #[dim(E)] de: Dim,
        #[param()] s18: Tensor, #[param(K, H)] w21: Tensor, #[dim(K)] dk: Dim,
        #[param(K, E)] w23: Tensor, #[param(E, K)] w24: Tensor, #[param(E, K)] w25: Tensor,
        #[param(E, H)] w26: Tensor, #[param(E)] b27: Tensor, #[param(E)] b29: Tensor,
        #[param(E)] b30: Tensor, #[param(H, E)] w32: Tensor, #[param(H, K)] w33: Tensor,
    ) {
        let p1 = pull::<Word>().x;
        let n3 = 2.0_f64.sqrt() - 0.75;
        let x4 = (w2 * n3).dot(p1);
        let Node { h: h6, c: c7 } = gather(0);
        let (x12, x13) = halves(w10.dot(((w8.dot(c7) + w9.dot(x4)) * x4).tanh()) + b11);
        let mut a14 = zeros(de);
        let mut a15 = zeros(de);
        let (mut n16, mut t17) = (1.0, s18);
        for Node { h, c } in gather_all() {
            let n22 = 0.5 / (1.0 + dk as f64);
            let mut m20 = c / (0.5 + (w21 * n22).dot(h6).sigmoid());
            m20 *= w23.dot(x4).tanh().softmax();
            m20 = m20.tanh();
            t17 += (s18 * (w24 + w25).dot(m20) * zeros(de)).sum();
            a14 += w26.dot(h);
            a14 -= (x4 / (x4.sigmoid() + 0.5)).tanh();
            a15 = a15 + crate::cells::gate(w2, b27, b27).softmax();
            n16 += 1.0;
        }
        let x28 = a14 / n16;
        let c7 = c7.tanh() + w21.dot(x12).relu();
        let n31 = 2.0_f64.sqrt() - 0.75;
        push(Out { y: concat([n31 - b30, b29]).slice(de..de + de) });
        let state: Node = Node { h: (((x13 - w32.dot(a15)).tanh() + t17 + (w32 * t17.tanh()).dot(x28)).tanh() + w33.dot(c7)).tanh(), c: (c7 * c7).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn mixed_3(
        #[param(E)] b3: Tensor, #[dim(E)] de: Dim, #[param(E, H + E)] w5: Tensor,
        #[param(2 * H, E)] w6: Tensor, #[param(2 * H)] b7: Tensor, #[param(K)] mut b10: Tensor,
        #[dim(K)] dk: Dim, #[param(H, H + K)] w16: Tensor, #[param()] s18: Tensor,
        #[param(K, H)] w19: Tensor, #[param(K, H)] w20: Tensor, #[param(K, H)] w21: Tensor,
        #[param(K)] b22: Tensor, #[param(H, K)] w24: Tensor, #[param(E)] mut b26: Tensor,
        #[param(K, E)] w30: Tensor, #[param(E, H)] w32: Tensor, #[param(E, K)] w33: Tensor,
        #[param(H, E)] w35: Tensor, #[param(K, K)] w36: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Signal { label, x } = pull();
        let x4 = x * b3;
        let (x8, x9) = halves(w6.dot(w5.dot(concat([zeros(de), h2]))) + b7);
        let mut a11 = zeros(dk);
        let mut n12 = 1.0;
        for v13 in gather_all::<Node>() {
            let (x14, [x17], s15) = (w16.dot(summary(Node { h: x8, c: v13.c })), [s18 + v13.c], (0.75 + v13.c).tanh().sum());
            b10 += ((w19.dot(v13.h) + w20.dot(x14)).tanh() + s15 + x17).tanh();
            b10 -= v13.c.softmax();
            a11 -= (w21.dot(x8).tanh().exp() - b22).tanh();
            n12 += 1.0;
        }
        let x23 = b10 / n12;
        let s25 = cross_entropy(w24.dot(a11).dropout(0.5).tanh(), label).tanh();
        for Node { c, h } in gather_all::<Node>() {
            let (x28, [x31], s29) = ((w30.tanh().dot(x).log_softmax() * (1.0 / (dk as f64).sqrt())).tanh(), [affine(w19, x8, b22)], s25);
            b26 = (w32.dot(h) * w33.dot(c) - (w33 * s29).dot(x28) + w33.dot(x31)).tanh() + b26 - (x4 + x);
        }
        let s34 = mse((0.5 + w33.dot(x23).tanh().exp().sigmoid()).ln(), b3);
        let (h, c) = (((x9 * w35.tanh().dot(b26)).tanh() + s34).tanh(), (b10 * w36.tanh().dot(a11)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn mixed_4(
        #[param(H, E)] w4: Tensor, #[param(H)] b7: Tensor, #[dim(H)] dh: Dim,
        #[param(E)] b8: Tensor, #[param(K, E)] w14: Tensor, #[param(E, E)] w15: Tensor,
        #[param(K)] b16: Tensor, #[param(2 * H, K)] w17: Tensor, #[param(2 * H)] b18: Tensor,
        #[param(H, K)] w21: Tensor, #[param(H, H)] w22: Tensor, #[param()] s23: Tensor,
        #[dim(K)] dk: Dim, #[param(K, E)] w26: Tensor, #[param(K, E)] w27: Tensor,
        #[param(K)] b28: Tensor, #[param(K, K)] w29: Tensor, #[param(E, H)] w30: Tensor,
        #[dim(E)] de: Dim, #[param(E, H)] w31: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let p3 = pull::<Gold>().target;
        let x5 = w4.dot(p3);
        let parts6 = [b7.exp().relu(), concat([b7, b8]).slice(0..dh), b7];
        let mut a9 = zeros(dh);
        for k in 1..=2 {
            a9 -= (parts6[k] * h2.log_softmax().tanh()).tanh();
        }
        let mut a10 = zeros(dh);
        let mut a11 = a9.log_softmax().tanh();
        let mut n12 = 1.0;
        for Node { h, c } in gather_all() {
            let (x19, x20) = halves(w17.dot(crate::cells::gate(w14, w15.dot(p3), b16).sigmoid()) + b18);
            a10 += (h * w21.dot(c) + x19 + x20).tanh();
            a10 -= x5 * b7;
            a11 += w22.dot(x5).tanh().exp();
            a11 -= x5 * s23;
            n12 += 1.0;
        }
        let x24 = a10 / n12;
        let mut m25 = zeros(dk) + w26.dot(p3);
        m25 /= 1.0 / dk as f64;
        m25 *= ((w27 * 1.5).dot(p3).dropout(0.25) + b16).tanh();
        m25 *= (0.75 / (0.5 + (w29.dot(b28) / (0.5 + w14.dot(p3).sigmoid())).sigmoid())).tanh();
        m25 = m25.tanh();
        loss(((0.5 + (w30 + w30).dot(x24).sigmoid()).ln() * p3).sum().tanh());
        loss(m25.tanh().max().sigmoid());
        let out32 = Scores { y: zeros(de).sigmoid(), logits: (0.5 + (w31.dot(h2) * p3).sigmoid()).ln() };
        push(out32);
        scatter(Node { c: zeros(dk), h: a11.tanh() });
    }

    #[vertex_function]
    pub fn mixed_5(
        #[param(E, E)] w5: Tensor, #[dim(H)] dh: Dim, #[dim(E)] de: Dim, #[param(H)] b8: Tensor,
        #[param(H)] b10: Tensor, #[param(H, E)] w11: Tensor, #[param()] s12: Tensor,
        #[dim(K)] dk: Dim, #[param()] s15: Tensor, #[param(K)] b20: Tensor,
        #[param(K, H)] w22: Tensor, #[param(K, E)] w23: Tensor, #[param(K, E)] w24: Tensor,
        #[param(E)] b25: Tensor, #[param(E, H)] w26: Tensor, #[param(E, K)] w27: Tensor,
        #[param(H, K)] w28: Tensor, #[param(K, E)] w29: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let p4: Gold = pull();
        let x6 = w5.dot(p4.target);
        let parts7 = [(0.5 + h2.sigmoid()).ln() * zeros(dh), blend(1.0 / (de as f64).sqrt() / (0.5 + h2.sigmoid()), b8, h2), h2];
        let mut a9 = b10;
        for part in parts7 {
            a9 += (part * (s12 - w11.dot(x6)).tanh()).tanh();
        }
        let mut a13 = zeros(dk);
        let mut t14 = s15;
        for v16 in gather_all::<Node>() {
            let n19 = 2.0 / (1.0 + dk as f64);
            let (x17, [x21], s18) = (n19 / (p4.target.sigmoid() + 0.5) + x6, [zeros(de) + x6], mse(zeros(dk).tanh(), b20));
            t14 += s18.tanh();
            a13 -= ((w22.dot(v16.h) * v16.c * w23.dot(x17)).tanh() + (w24 + w23).dot(x21)).tanh();
        }
        loss(cross_entropy(a9.tanh().sigmoid(), p4.label));
        loss(mse(concat([b25.slice(1..de), b25.slice(0..1)]), affine(w26, a9, b25).tanh()));
        push(Out { y: ((w27.dot(a13) - x6).tanh().sigmoid() + 0.5).ln() });
        let state: Node = Node { h: (w28.dot(c3) - t14).tanh(), c: w29.tanh().dot(p4.target).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn mixed_6(
        #[param(K)] b1: Tensor, #[param(H, K)] w2: Tensor, #[dim(E)] de: Dim,
        #[param(K)] b3: Tensor, #[param(E)] b5: Tensor, #[param(E, E)] w6: Tensor,
        #[param(3 * H, E)] w7: Tensor, #[param(H)] mut b11: Tensor, #[param()] s13: Tensor,
        #[param(H)] b16: Tensor, #[param(E)] b17: Tensor, #[param(E, H)] w18: Tensor,
        #[param(H, H + 2 * E)] w19: Tensor, #[param(3 * K, H)] w20: Tensor, #[dim(K)] dk: Dim,
        #[param(E)] b23: Tensor, #[param(H, K)] w24: Tensor, #[dim(H)] dh: Dim,
        #[param(H, H)] w25: Tensor, #[param(E, H)] w26: Tensor, #[param(2 * K, E)] w27: Tensor,
        #[param(2 * K)] b28: Tensor, #[param(E, H)] w31: Tensor, #[param(H, K)] w32: Tensor,
        #[param(H, K)] w33: Tensor, #[param(H, K)] w34: Tensor, #[param(E)] b35: Tensor,
        #[param(K, E)] w36: Tensor,
    ) {
        let v4 = gather_or::<Node>(0, Node { h: 1.0 / de as f64 * w2.dot(b1), c: b3 });
        let [x8, x9, x10] = w7.dot((w6.dot(b5).exp().sigmoid() + 0.5).ln()).split();
        let mut t12 = s13;
        for v14 in gather_all::<Node>() {
            let parts15 = w20.dot(w19.dot(concat([b16, b17, w18.dot(v4.h)]))).split::<3>();
            let mut a21 = zeros(dk);
            let x22 = concat(parts15);
            for k in 0..2 {
                a21 += (x22.slice(k * dk..(k + 1) * dk) * (0.5 * v14.c)).tanh() * (k as f64);
            }
            t12 += w6.dot(b23).exp().tanh().sum().tanh();
            b11 += (v14.h + w24.dot(a21)).tanh();
            b11 -= zeros(dh) * w25.dot(x9);
        }
        let (x29, x30) = halves(w27.dot((-w18.dot(x10) / (w26.dot(x8).sigmoid() + 0.5)).tanh()) + b28);
        push(Out { y: scaled(concat([w31.dot(b11), (w18 * 2.0).dot(x10)]).slice(0..de).tanh(), dk) });
        scatter(Node { h: ((w2 * t12.tanh()).dot(v4.c) * w32.dot(x29) + (w33 + w34).dot(x30)).tanh(), c: (w36.dot(b35) - v4.c).tanh() });
    }

    #[vertex_function]
    pub fn mixed_7(
        #[param(E)] b5: Tensor, #[param(E, K)] w7: Tensor, #[dim(K)] dk: Dim,
        #[param(E)] b8: Tensor, #[dim(H)] dh: Dim, #[dim(E)] de: Dim, #[param(E, H)] w14: Tensor,
        #[param(K, H)] w15: Tensor, #[param(K, E)] w16: Tensor, #[param(H, K)] w17: Tensor,
        #[param(K, E)] w18: Tensor, #[param(H)] b19: Tensor, #[param(H, H)] w23: Tensor,
        #[param(K)] b25: Tensor, #[param()] s27: Tensor, #[param(E, K)] w29: Tensor,
        #[param(E, 2 * E)] w30: Tensor, #[param(H, E)] w33: Tensor, #[param(H, E)] w34: Tensor,
        #[param(K, K)] w35: Tensor, #[param(E)] b36: Tensor, #[param(E, K)] w38: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let p4 = pull::<Gold>().target;
        let x6 = p4 * b5;
        let s9 = gate(w7, zeros(dk), b8).max().tanh();
        let mut a10 = zeros(dk);
        let mut a11 = zeros(dh);
        for v12 in gather_all::<Node>() {
            let mut m13 = w7.dot(c3) / (b5.sigmoid() + 0.5);
            m13 /= 1.0 / (de as f64).sqrt();
            m13 += (p4 / (w14.dot(h2).sigmoid() + 0.5)).relu();
            m13 = m13.tanh();
            a10 += (((w15 + w15).dot(v12.h) - v12.c) * w16.dot(m13)).tanh();
            a10 -= (zeros(dk).sigmoid() + 0.5).ln();
            a11 += affine(w17, -w18.dot(x6), b19);
        }
        let n20 = 2.0 / (1.0 + dh as f64);
        let s21 = (n20 / (0.5 + scaled(w16.dot(p4), dh).sigmoid())).tanh().sum();
        let mut a22 = w23.dot(a11).sigmoid();
        let mut a24 = affine(w16, zeros(de), b25);
        let mut t26 = s27;
        for v28 in gather_all::<Node>() {
            let [x31, x32]: [Tensor; 2] = [w30.dot(concat([w29.dot(v28.c), p4])), x6 - b5];
            t26 += s21.tanh();
            a22 = (v28.h - w33.dot(x31) + w34.tanh().dot(x32)).tanh() + a22;
            a24 -= weighted([w16.dot(x31) * s9, w35.dot(a10), v28.c]).tanh();
        }
        let p4 = p4.tanh() + blend(x6.tanh(), p4, x6);
        let (h, c) = (((a22 - w17.dot(a24)).tanh() - t26 - w33.dot(p4)).tanh(), (w16 + w16).dot(p4).tanh());
        scatter(Node { h, c });
        let n37 = 2.0_f64.sqrt() - 2.0;
        let out39 = Scores { y: x6 - b36, logits: n37 / (0.5 + w38.dot(c3).sigmoid()) };
        push(out39);
    }

    #[vertex_function]
    pub fn mixed_8(
        #[param(E, E)] w1: Tensor, #[param(V, E)] table3: Tensor, #[param(E, H)] w8: Tensor,
        #[param()] s9: Tensor, #[param(E)] b10: Tensor, #[param(K)] b11: Tensor,
        #[param(E, K)] w12: Tensor, #[dim(E)] de: Dim, #[param(K)] mut b14: Tensor,
        #[param()] s16: Tensor, #[param(H, H)] w18: Tensor, #[param(E, H)] w19: Tensor,
        #[param(E, K)] w20: Tensor, #[param(K, K)] w21: Tensor, #[param(H)] b22: Tensor,
        #[param(K, E)] w25: Tensor, #[param(K, H)] w26: Tensor, #[dim(H)] dh: Dim,
        #[param(V, E)] table27: Tensor, #[param(E, H)] w28: Tensor, #[param(E, H)] w29: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = w1.dot(x);
        let x4 = table3.row(id);
        let Node { h: h6, .. } = gather(0);
        let mut m7 = x4 * x;
        m7 -= w8.dot(h6) * s9.tanh();
        m7 += x2.dropout(0.5).dropout(0.25).tanh();
        m7 = m7.tanh() + ((b10 - x) / (w12.dot(b11).sigmoid() + 0.5)).tanh();
        m7 = m7.tanh();
        let mut a13 = zeros(de);
        let mut t15 = s16;
        for Node { c, h } in gather_all::<Node>() {
            t15 += w18.sum().tanh();
            a13 = a13 + (w19.dot(h) + w20.dot(c));
            b14 = b14 + (0.5 + w21.dot(c).relu().sigmoid()).ln();
        }
        let n23 = 0.5 / (1.0 + de as f64);
        let x24 = b22 - n23 + h6.relu();
        loss(t15);
        let state: Node = Node { h: concat([x24.slice(1..dh), x24.slice(0..1)]).tanh(), c: (((w25 * t15.tanh()).dot(m7) * w25.dot(a13)).tanh() * b14 + w26.tanh().dot(x24)).tanh() };
        scatter(state);
        push(Out { y: blend(1.5 + table27.row(id), -(w28 + w29).dot(h6), x2).tanh() });
    }

    #[vertex_function]
    pub fn mixed_9(
        #[param(K)] b4: Tensor, #[param(K, H)] w5: Tensor, #[param(K)] b6: Tensor,
        #[param(K, K)] w7: Tensor, #[param(K, K)] w8: Tensor, #[param(3 * H, K)] w9: Tensor,
        #[param(H)] b11: Tensor, #[param(H)] b12: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b16: Tensor, #[dim(K)] dk: Dim, #[param(3 * E, K)] w17: Tensor,
        #[param(3 * E)] b18: Tensor, #[dim(E)] de: Dim, #[param(E)] b20: Tensor,
        #[param(H, K)] w21: Tensor, #[param(H, E)] w22: Tensor, #[param(K, K)] w25: Tensor,
        #[param(H, H)] w26: Tensor, #[param()] s28: Tensor, #[param()] s31: Tensor,
        #[param()] s33: Tensor, #[param(K, H)] w34: Tensor, #[param(E, H)] w35: Tensor,
        #[param(E)] b36: Tensor, #[param(H, E)] w37: Tensor, #[param(E)] b38: Tensor,
        #[param(4 * H, E)] w39: Tensor, #[param(K, H)] w44: Tensor, #[param(K, H)] w45: Tensor,
        #[param(K, H)] w46: Tensor, #[param(E, E)] w47: Tensor, #[param(E)] b48: Tensor,
        #[param(E, E)] w49: Tensor, #[param(E, H)] w50: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let parts3 = w9.dot((b4 - w5.dot(h2)) * (w7 + w8).dot(b6)).split::<3>();
        let mut a10 = b11;
        for k in 1..=2 {
            a10 = a10.tanh() + (parts3[k] - b12 * h2).tanh();
        }
        let mut a13 = zeros(dh);
        for v14 in gather_all::<Node>() {
            let parts15 = (w17.dot(concat([b16.slice(1..dk), b16.slice(0..1)])) + b18).split::<3>();
            let mut a19 = zeros(de);
            for part in parts15 {
                a19 -= (part * concat([v14.h, b20]).slice(dh..dh + de)).tanh();
            }
            a13 = (w21.dot(v14.c) + w22.dot(a19)).tanh() + a13;
        }
        let (x23, [x27], s24) = ((w25 * 1.5).dot(b4).exp(), [zeros(dh) * s28], w26.max());
        let mut a29 = x23.softmax();
        let mut t30 = s31;
        for Node { c, h } in gather_all::<Node>() {
            t30 += s33.sigmoid().sigmoid();
            a29 += ((w34 * 1.5).dot(h) + c).tanh();
            a29 -= c.softmax();
        }
        let [x40, x41, x42, x43] = w39.dot(crate::cells::gate(w35, weighted([b11, a13, w37.dot(b36)]).tanh(), b38)).split::<4>();
        loss(s24);
        let state = Node { c: ((((((w5.dot(a10) + w5.dot(x27)) * a29).tanh() + t30 + w5.dot(x40)).tanh() + w44.dot(x41)).tanh() + w45.dot(x42)).tanh() + w46.dot(x43)).tanh(), h: a10.tanh().exp().tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let out51 = Scores { y: zeros(de) + w47.dot(b20), logits: (w49.dot(b48) - w50.dot(x43)).tanh().log_softmax() };
        push(out51);
    }

    #[vertex_function]
    pub fn mixed_10(
        #[param(E, H)] w3: Tensor, #[param()] s4: Tensor, #[param(E)] b5: Tensor,
        #[dim(K)] dk: Dim, #[dim(E)] de: Dim, #[param(H)] b7: Tensor, #[param(H)] b9: Tensor,
        #[param()] s12: Tensor, #[param(E)] b14: Tensor, #[param(E)] b17: Tensor,
        #[param(H, K)] w18: Tensor, #[param(H, K)] w19: Tensor, #[param(H, E)] w20: Tensor,
        #[param(K, E)] w23: Tensor, #[param(K)] b24: Tensor, #[param(K)] b25: Tensor,
    ) {
        let v1: Node = gather(0);
        let mut m2 = s4 * (w3 * 0.75).dot(v1.h);
        m2 /= 2.0;
        m2 = m2.tanh() + b5.tanh().tanh();
        m2 = m2.tanh() + (1.0 / dk as f64 / (0.5 + zeros(de).log_softmax().sigmoid())).tanh();
        m2 = m2.tanh();
        let mut a6 = v1.h + b7;
        let mut a8 = b7 * b9;
        let (mut n10, mut t11) = (1.0, s12);
        for v13 in gather_all::<Node>() {
            let [x15, x16]: [Tensor; 2] = [m2.softmax().sigmoid(), b14 + 0.75];
            t11 += ((0.75 - b17) * x15).tanh().sum().tanh();
            a6 = a6 + (v13.h + (w18 + w19).dot(v13.c) - (w20 * 0.5).dot(x16)).tanh();
            a8 = (0.75 / (0.5 + v13.h.sigmoid())).relu().tanh() + a8 - (v1.h + v13.h);
            n10 += 1.0;
        }
        let x21 = a6 / n10;
        let parts22 = [affine(w23, m2, b24).softmax(), w23.dot(m2).exp().tanh(), b25];
        let mut a26 = zeros(dk);
        let x27 = concat(parts22);
        for k in 0..2 {
            a26 += (x27.slice(k * dk..(k + 1) * dk) * (v1.c * zeros(dk))).tanh() * (k as f64);
        }
        let (h, c) = ((((a8 + t11).tanh() + x21) * w18.dot(a26)).tanh(), v1.c.relu());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn mixed_11(
        #[param(H, K)] w2: Tensor, #[param(H, K)] w3: Tensor, #[param(2 * H, K)] w4: Tensor,
        #[dim(H)] dh: Dim, #[param(H, H)] w10: Tensor, #[param(E, K)] w14: Tensor,
        #[param(K, E)] w17: Tensor, #[param(H)] b20: Tensor, #[param(H)] b21: Tensor,
        #[param(3 * E, H)] w22: Tensor, #[param(3 * E)] b23: Tensor, #[param(H, K)] w27: Tensor,
        #[param(H, E)] w28: Tensor, #[param(H, E)] w29: Tensor, #[param(H, E)] w30: Tensor,
        #[param(K, H)] w31: Tensor, #[param(K, H)] w32: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let (x5, x6) = halves(w4.dot(v1.c.dropout(0.25) + (v1.h * (w2 + w3).dot(v1.c)).tanh().sum()).tanh());
        let mut a7 = zeros(dh);
        let mut n8 = 1.0;
        for v9 in gather_all::<Node>() {
            let x11 = 0.75 / (0.5 + (x5 + 0.75 + w10.dot(x6)).sigmoid());
            a7 -= (v9.h * w2.dot(v9.c) * x11).tanh();
            n8 += 1.0;
        }
        let x12 = a7 / n8;
        let x13 = {
            let x15: Tensor = (w14 * 0.5).dot(v1.c).relu() + zeros(dh).max();
            let x16 = v1.c.sigmoid().relu();
            ((w17 * 1.5).dot(x15) - x16).tanh().tanh()
        };
        let mut a18 = zeros(dh);
        for Node { c, h } in gather_all::<Node>() {
            let [x24, x25, x26] = (w22.dot(weighted([b20, b21, b20]) - b20) + b23).split::<3>();
            a18 = (((h + w27.dot(c) + w28.dot(x24)).tanh() + w29.dot(x25)).tanh() * (w30 * 2.0).dot(x26)).tanh() + a18;
        }
        let state = Node { c: ((w31.dot(x12) + x13).tanh() + w32.dot(a18)).tanh(), h: concat([x5.slice(1..dh), x5.slice(0..1)]) };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn mixed_12(
        #[param(E, H)] w2: Tensor, #[dim(E)] de: Dim, #[param(E)] b3: Tensor, #[dim(H)] dh: Dim,
        #[param(H, K)] w8: Tensor, #[param(E, K)] w11: Tensor, #[param()] s12: Tensor,
        #[param(E)] mut b14: Tensor, #[param(H, E)] w17: Tensor, #[param(H)] b19: Tensor,
        #[param(E, E)] w20: Tensor, #[param(E, E)] w21: Tensor, #[param(E)] b22: Tensor,
        #[param(H, K)] w24: Tensor, #[dim(K)] dk: Dim, #[param(K)] b26: Tensor,
        #[param(K, H)] w27: Tensor, #[param(H, K)] w28: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let s4 = (concat([w2.dot(v1.h), v1.c]).slice(0..de) * b3).sum().tanh();
        let mut a5 = zeros(dh);
        let mut n6 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            a5 -= h - w8.dot(c);
            n6 += 1.0;
        }
        let x9 = a5 / n6;
        let mut m10 = w11.dot(v1.c).softmax();
        m10 += (s12 + zeros(de)).softmax();
        m10 = m10.tanh();
        let mut a13 = zeros(de);
        for Node { h, c } in gather_all() {
            let parts16 = [((zeros(de) * m10).sum() - h.exp()).tanh(), w17.dot(m10).tanh(), x9.tanh()];
            let mut a18 = b19;
            for k in 0..3 {
                a18 -= (parts16[k] + blend(0.75 - h, a5, w8.dot(c)).tanh()).tanh();
            }
            a13 += w2.dot(a18).tanh();
            a13 -= affine(w20, w21.dot(m10), b22).tanh();
            b14 = b14 + scaled(m10.tanh(), dh);
        }
        let mut m23 = w24.dot(v1.c);
        let n25 = 0.75 / (1.0 + dk as f64);
        m23 /= n25;
        m23 = m23.tanh();
        loss(mse(concat([b14, b3]).slice(0..de).tanh().log_softmax(), a13).tanh());
        let (h, c) = (w28.dot(v1.c).tanh(), b26 * s4 * w27.dot(m23));
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn mixed_13(
        #[param(K, E)] w2: Tensor, #[param(E, K)] w5: Tensor, #[param(E)] b6: Tensor,
        #[dim(H)] dh: Dim, #[param(E)] mut b8: Tensor, #[param()] s10: Tensor, #[dim(E)] de: Dim,
        #[param(E, K)] w14: Tensor, #[param(H, E)] w15: Tensor, #[param(E, K)] w16: Tensor,
        #[param()] s17: Tensor, #[param(H, K)] w18: Tensor, #[param(H, K)] w19: Tensor,
        #[param(K, E)] w20: Tensor,
    ) {
        let p1 = pull::<Signal>().x;
        let x3 = w2.dot(p1);
        let v4 = gather::<Node>(0);
        let p1 = p1.tanh() + gate(w5, w2.dot(p1), b6);
        let mut a7 = zeros(dh);
        let mut t9 = s10;
        for v11 in gather_all::<Node>() {
            let [x12, x13] = [(p1 * zeros(de)).softmax(), b6 + p1];
            t9 += (w14.dot(v11.c) * x13).tanh().sum().tanh();
            a7 -= v11.h + w15.dot(x12);
            b8 = b8 + (w16.dot(v11.c) - s17).sigmoid();
        }
        let state = Node { c: w20.dot(p1).softmax(), h: (((w18.dot(x3) - v4.h + w19.dot(v4.c) + a7).tanh() + w15.tanh().dot(b8)).tanh() + t9).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn mixed_14(
        #[param(H, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(K, H)] w7: Tensor,
        #[param(K)] b8: Tensor, #[param(K)] mut b11: Tensor, #[dim(E)] de: Dim,
        #[param(V, H)] table14: Tensor, #[dim(H)] dh: Dim, #[param(3 * H, E)] w15: Tensor,
        #[param(K, H)] w17: Tensor, #[dim(K)] dk: Dim, #[param(H, H)] w19: Tensor,
        #[param(H, E)] w20: Tensor, #[param(H)] b21: Tensor, #[param(H)] b23: Tensor,
        #[param(V, H)] table24: Tensor, #[param(E)] mut b25: Tensor, #[param(K, E)] w29: Tensor,
        #[param()] s30: Tensor, #[param(H, K)] w32: Tensor, #[param(E, H)] w33: Tensor,
        #[param(E, H)] w34: Tensor, #[param(V, H)] table36: Tensor, #[param(H)] b37: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let v6 = gather::<Node>(0);
        let x9 = ((w7.dot(v6.h).sigmoid() + 0.5).ln() - b8).exp().tanh();
        let mut a10 = v6.c + x9;
        for v12 in gather_all::<Node>() {
            let parts13 = w15.dot(concat([table14.row(p1.id).softmax(), p1.x]).slice(dh..dh + de)).split::<3>();
            let mut a16 = zeros(dh);
            for k in 0..3 {
                a16 -= (parts13[k] * v12.h.sigmoid()).tanh();
            }
            a10 -= (v12.c + w17.dot(a16)).tanh();
            b11 = b11 + concat([x3.dropout(0.1), v12.c]).slice(dh..dh + dk);
        }
        let parts18 = [(v6.h.dropout(0.5) * w19.dot(x3)).tanh(), w20.tanh().dot(x5), b21];
        let mut a22 = b23;
        for part in parts18 {
            a22 += (part * table24.row(p1.id).tanh()).tanh();
        }
        let mut n26 = 1.0;
        for v27 in gather_all::<Node>() {
            let x28 = {
                let x31 = blend(v27.c / (0.5 + w29.dot(x5).sigmoid()), (b11 + s30).tanh(), a10).tanh();
                w32.dot(x31).tanh()
            };
            b25 = w33.dot(v27.h) + w34.dot(x28) + b25;
            n26 += 1.0;
        }
        let x35 = b25 / n26;
        scatter(Node { c: (w7.tanh().dot(a22) * w29.dot(x35)).tanh(), h: table36.row(p1.id).sigmoid() });
        let out38 = Scores { y: b25.tanh(), logits: noisy(v6.h + b37, 0.5) };
        push(out38);
    }

    #[vertex_function]
    pub fn mixed_15(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(E)] b3: Tensor, #[param(E, E)] w4: Tensor,
        #[param(H)] b5: Tensor, #[param(E, H + K + E)] w6: Tensor, #[param(E)] b7: Tensor,
        #[dim(E)] de: Dim, #[param(E)] b9: Tensor, #[param(E, H)] w12: Tensor,
        #[param(E, K)] w13: Tensor, #[param(K, K)] w14: Tensor, #[param(2 * K, K)] w15: Tensor,
        #[param(E)] mut b18: Tensor, #[param()] s20: Tensor, #[param()] s25: Tensor,
        #[param(E, K)] w26: Tensor, #[param(E, K)] w29: Tensor, #[param(H, E)] w31: Tensor,
        #[param(H, E)] w32: Tensor, #[param(K, E)] w33: Tensor,
    ) {
        let v1 = gather_or::<Node>(0, Node { h: zeros(dh), c: zeros(dk) });
        let parts2 = [w6.dot(concat([zeros(dk), w4.dot(b3), b5])), scaled(b7, de), zeros(de)];
        let mut a8 = zeros(de);
        for k in 1..=2 {
            a8 = a8.tanh() + (parts2[k] + b3 / (0.5 + b9.sigmoid())).tanh();
        }
        let mut a10 = zeros(de);
        for Node { h, c } in gather_all() {
            a10 += w12.tanh().dot(h) - w13.dot(c);
        }
        let (x16, x17) = halves(w15.dot(w14.dot(v1.c).tanh()));
        let mut t19 = s20;
        for Node { h, c } in gather_all() {
            let (x22, [x24], s23) = (a10.tanh().sigmoid(), [a8.sigmoid()], 0.75 + s20.tanh());
            t19 += (h - s25).sum().tanh();
            b18 = (w26.dot(c) * x22 * s23 + x24).tanh() + b18 - b3 * 1.5;
        }
        let (x27, [x30], s28) = ((b3 + w29.dot(x16)).relu(), [v1.h.dropout(0.5)], (1.0 / de as f64 / (x17.sigmoid() + 0.5)).tanh().sum());
        scatter(Node { h: (((w31.dot(b18) * t19).tanh() + w32.dot(x27)).tanh() + s28 + x30).tanh(), c: ((w33 * t19.tanh()).dot(b18) - 2.0).tanh() });
    }

    #[vertex_function]
    pub fn mixed_16(
        #[param(K, E)] w2: Tensor, #[param(V, H)] table4: Tensor, #[param(E)] b10: Tensor,
        #[param(E)] b11: Tensor, #[param(E, E)] w12: Tensor, #[param(E, K)] w13: Tensor,
        #[param(E)] b14: Tensor, #[param(E, E)] w15: Tensor, #[param(3 * H, E)] w16: Tensor,
        #[param(3 * H)] b17: Tensor, #[param(H)] b19: Tensor, #[param(E)] b20: Tensor,
        #[param(H, E)] w21: Tensor, #[param(V, H)] table22: Tensor, #[param(E)] b24: Tensor,
        #[param(E, E)] w25: Tensor, #[param(E, H)] w27: Tensor, #[param(E, K)] w28: Tensor,
        #[param(H, K)] w30: Tensor, #[param(H, K)] w31: Tensor, #[dim(K)] dk: Dim,
        #[dim(H)] dh: Dim, #[param(H)] mut b36: Tensor, #[param(K, H)] w38: Tensor,
        #[param(V, K)] table41: Tensor, #[dim(E)] de: Dim, #[param(H, K)] w43: Tensor,
        #[param(K, H)] w44: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let Node { h: h7, c: c8 } = gather(0);
        let parts9 = (w16.dot(blend(b10 / (w12.dot(b11).sigmoid() + 0.5), w13.dot(x3).tanh().exp(), w15.dot(b14))) + b17).split::<3>();
        let mut a18 = b19;
        for part in parts9 {
            a18 -= (part + (w21.dot(b20) + table22.row(p1.id))).tanh();
        }
        let mut a23 = w25.dot(b24) - 1.5;
        for Node { h, c } in gather_all() {
            a23 -= w27.dot(h) + w28.dot(c);
        }
        let parts29 = [((0.5 + a18.sigmoid()).ln().sigmoid() + 0.5).ln(), x5 - w30.tanh().dot(c8), (w31 * (1.0 / (dk as f64).sqrt())).dot(c8).tanh()];
        let mut a32 = zeros(dh);
        let x33 = concat(parts29);
        for k in 0..2 {
            let n34 = 2.0_f64.sqrt() - 0.75;
            a32 += (x33.slice(k * dh..(k + 1) * dh) - (n34 / (table4.row(p1.id).sigmoid() + 0.5)).tanh()).tanh() * (k as f64);
        }
        let mut a35 = zeros(dk);
        for Node { c, h } in gather_all::<Node>() {
            a35 = a35 + (w38.dot(h) + c);
            b36 = table4.row(p1.id).sigmoid().softmax() + b36;
        }
        let (x39, [x42], s40) = (table41.row(p1.id).dropout(0.5) - 2.0, [x3.tanh()], zeros(dh).sum().tanh());
        loss(concat([b10.slice(1..de), b10.slice(0..1)]).sum() - 0.75);
        loss(s40);
        let state = Node { c: w44.dot(a32).tanh(), h: (((((h7 - w21.dot(a23)).tanh() * a32 - w30.dot(a35)).tanh() + b36).tanh() + w43.dot(x39)) * w30.dot(x42)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn mixed_17(
        #[param(E)] b1: Tensor, #[param(V, K)] table3: Tensor, #[param(H)] b5: Tensor,
        #[param(K)] b6: Tensor, #[param(E)] b10: Tensor, #[param(2 * K, E)] w11: Tensor,
        #[param(2 * K)] b12: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w18: Tensor,
        #[param(H)] b19: Tensor, #[param(H, K)] w22: Tensor, #[param(E, H)] w24: Tensor,
        #[param(K)] b25: Tensor, #[param(K, E)] w26: Tensor, #[param(K, E)] w27: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4 = table3.row(id);
        let Node { h: h8, c: c9 } = gather_or(0, Node { h: b5, c: b6 });
        let (x13, x14) = halves(w11.dot((b10 - b1) / (b1.sigmoid().sigmoid() + 0.5)) + b12);
        let mut a15 = zeros(dh);
        let mut n16 = 1.0;
        for v17 in gather_all::<Node>() {
            a15 += v17.h * w18.dot(v17.c);
            a15 -= b19 - h8;
            n16 += 1.0;
        }
        let x20 = a15 / n16;
        let x21 = {
            let x23 = (0.5 - b5) / ((x20 / (0.5 + w22.tanh().dot(c9).sigmoid())).tanh().sigmoid() + 0.5);
            w24.dot(x23).tanh()
        };
        scatter(Node { c: (x14 * b25).softmax(), h: x20.dropout(0.25).tanh().log_softmax().tanh() });
        push(Out { y: x21.log_softmax().tanh().exp().tanh() });
        loss((w26.dot(x2) - w27.dot(x) + x4 + x13).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_18(
        #[param(E)] b4: Tensor, #[param(K)] b5: Tensor, #[param(E, K)] w6: Tensor,
        #[param(K)] b7: Tensor, #[param(E, K)] w8: Tensor, #[param(E)] b9: Tensor,
        #[param(H)] mut b10: Tensor, #[dim(K)] dk: Dim, #[param()] s14: Tensor,
        #[param(H)] b19: Tensor, #[param()] s20: Tensor, #[param(H, E)] w21: Tensor,
        #[param(H, H)] w22: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w24: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let mut m3 = b4 - w6.dot(b5);
        m3 += (b4 - w8.dot(b7)).tanh();
        m3 -= (w6.dot(b5) + b9).softmax();
        m3 = m3.tanh();
        let mut a11 = zeros(dk);
        let (mut n12, mut t13) = (1.0, s14);
        for Node { h, c } in gather_all() {
            let (x16, [x18], s17) = ((m3 + b4).tanh(), [m3.tanh()], mse(c, c).sigmoid());
            t13 += (s20 + b19).sum().tanh();
            b10 += (h + w21.dot(x16) + s17 + w21.dot(x18)).tanh();
            b10 -= w22.dot(h2) * zeros(dh);
            a11 -= (b5.log_softmax() - 1.5).tanh();
            n12 += 1.0;
        }
        let x23 = b10 / n12;
        let state = Node { c: scaled(a11, dk).tanh(), h: ((w24.dot(a11) + t13).tanh() + x23).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let out25 = Scores { y: m3.tanh(), logits: t13 };
        push(out25);
    }

    #[vertex_function]
    pub fn mixed_19(
        #[param(E, H)] w5: Tensor, #[param(E, H)] w6: Tensor, #[param(E)] b7: Tensor,
        #[param(E, E)] w8: Tensor, #[param(E, H)] w9: Tensor, #[dim(E)] de: Dim,
        #[param(E, H)] w12: Tensor, #[param(H)] b13: Tensor, #[param(E)] b14: Tensor,
        #[dim(K)] dk: Dim, #[param(K, H)] w18: Tensor, #[param(E, K)] w19: Tensor,
        #[param(E, H)] w20: Tensor, #[param(E, E)] w21: Tensor, #[param(H, E)] w22: Tensor,
        #[param(K, E)] w23: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w26: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let parts4 = [(w5.dot(h2) + (w6 * 1.5).dot(h2) - w5.dot(h2)).tanh(), (w8.dot(b7) - w9.dot(h2)).tanh(), b7];
        let mut a10 = zeros(de);
        let x11 = concat(parts4);
        for k in 0..2 {
            a10 += (x11.slice(k * de..(k + 1) * de) * affine(w12, b13, b14)).tanh() * (k as f64);
        }
        let mut a15 = zeros(dk);
        let mut a16 = zeros(de);
        for v17 in gather_all::<Node>() {
            a15 = w18.dot(v17.h) + v17.c + a15;
            a16 = ((a10 - w19.dot(c3)) / (0.5 + concat([w20.dot(v17.h), c3]).slice(0..de).sigmoid())).tanh() + a16 - w21.dot(a10).tanh();
        }
        loss((((2.0 * a16).tanh().sigmoid() + 0.5).ln() * b7).sum());
        for k in 0..2 {
            loss((h2 - (w22 + w22).dot(a16)).tanh().exp().tanh().sum() * (k as f64 + 0.25));
        }
        let (h, c) = ((b13.log_softmax() * h2).tanh(), concat([h2.tanh(), w23.dot(a16)]).slice(dh..dh + dk).tanh());
        scatter(Node { h, c });
        let n24 = 2.0_f64.sqrt() - 0.75;
        let out25 = Scores { y: (a16 / (b7.sigmoid() + 0.5)).tanh(), logits: n24 / (0.5 + a16.tanh().log_softmax().sigmoid()) };
        push(out25);
        loss(w26.dot(a15).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_20(
        #[param(K)] b3: Tensor, #[param(K)] b4: Tensor, #[param(K, K)] w5: Tensor,
        #[dim(H)] dh: Dim, #[param(E)] b9: Tensor, #[param(E, E)] w10: Tensor,
        #[param(K, H + K + E)] w11: Tensor, #[param(H, K)] w13: Tensor,
        #[param(E, K)] w14: Tensor, #[param(K, E)] w15: Tensor, #[param(K, E)] w16: Tensor,
        #[param(K, E)] w17: Tensor, #[param()] s18: Tensor, #[param(E)] b19: Tensor,
        #[param(H, E)] w20: Tensor, #[param(K)] b21: Tensor, #[param(H, K)] w22: Tensor,
        #[param(K, H)] w23: Tensor, #[param(K, H)] w24: Tensor, #[param(E, E)] w25: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let s6 = ((b3 * w5.dot(b4)).sum() + 0.5).sigmoid();
        let mut a7 = zeros(dh);
        for v8 in gather_all::<Node>() {
            let s12 = w11.dot(concat([(w10 * s6).dot(b9), h2, b3])).max();
            a7 += (v8.h + w13.dot(v8.c) - s12).tanh();
        }
        loss(mse(crate::cells::gate(w14, (w15 + w16).dot(b9) / (0.5 + w17.dot(b9).sigmoid()), b9), s18 * b9));
        for k in 0..2 {
            loss(mse((zeros(dh) + a7 + w20.dot(b19)).tanh(), w22.dot(b21)) * (k as f64 + 0.25));
        }
        let state: Node = Node { h: (a7.softmax() - h2).tanh(), c: ((s6 + (w23 + w24).dot(a7)).tanh() - b3).tanh() };
        scatter(state);
        push(Out { y: -(-w25.dot(b9)) });
    }

    #[vertex_function]
    pub fn mixed_21(
        #[param(H)] b1: Tensor, #[dim(K)] dk: Dim, #[param(E, E)] w3: Tensor, #[dim(E)] de: Dim,
        #[param()] s6: Tensor, #[param()] s9: Tensor, #[param(H, H)] w11: Tensor,
        #[param(K, H)] w12: Tensor, #[param(E)] b13: Tensor, #[param(K)] b17: Tensor,
        #[param(K, H)] w19: Tensor, #[param(2 * E, K)] w20: Tensor, #[param(2 * E)] b21: Tensor,
        #[param(K, E)] w24: Tensor, #[param(K, E)] w25: Tensor, #[param(K, E)] w26: Tensor,
        #[param(K, E)] w27: Tensor, #[param(E)] b28: Tensor, #[param(H)] b29: Tensor,
        #[param(H, H)] w30: Tensor,
    ) {
        let v2: Node = gather_or(0, Node { h: b1, c: zeros(dk) });
        let Signal { x, .. } = pull();
        let x4: Tensor = w3.tanh().dot(x);
        let x5 = {
            let x = x.tanh() + zeros(de) * s6;
            x.tanh()
        };
        let mut a7 = zeros(dk);
        let mut t8 = s9;
        for Node { c, h } in gather_all::<Node>() {
            t8 += w11.sum().tanh();
            a7 = a7 + (w12.dot(h) + c);
        }
        let [x14, x15] = [concat([x5.slice(1..de), x5.slice(0..1)]), b13.exp()];
        let mut a16 = weighted([b17, b17, a7]).tanh();
        for Node { c, h } in gather_all::<Node>() {
            a16 = w12.dot(h) + c + a16 - w12.dot(v2.h);
        }
        let [x22, x23]: [Tensor; 2] = (w20.dot((v2.c + w19.dot(v2.h)).sigmoid()) + b21).split();
        let state = Node { c: (((((w24.dot(x4) - t8).tanh() * w25.dot(x14) - w24.dot(x15)) * a16).tanh() + w26.dot(x22)) * w27.dot(x23)).tanh(), h: (v2.h / (0.5 + v2.h.sigmoid())).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let out31 = Scores { y: b28 * s6, logits: (b29.sigmoid() + 0.5).ln() + (w30 * t8.tanh()).dot(v2.h) };
        push(out31);
    }

    #[vertex_function]
    pub fn mixed_22(
        #[param(H)] b1: Tensor, #[dim(K)] dk: Dim, #[param(E)] b3: Tensor,
        #[param(H, E)] w4: Tensor, #[dim(H)] dh: Dim, #[param(E)] b8: Tensor,
        #[param(K, E)] w9: Tensor, #[param()] s10: Tensor, #[param(H, K)] w13: Tensor,
        #[param(H, K)] w14: Tensor, #[param(K)] b15: Tensor, #[param(2 * H, K)] w16: Tensor,
        #[param(2 * H)] b17: Tensor, #[param(E)] b24: Tensor, #[param(E)] b25: Tensor,
        #[param(K)] b27: Tensor, #[param(H, K)] w28: Tensor,
    ) {
        let v2: Node = gather_or(0, Node { h: b1, c: zeros(dk) });
        let x5 = (v2.h - w4.dot(b3)).tanh();
        let mut a6 = zeros(dh);
        for v7 in gather_all::<Node>() {
            let [x11, x12] = [v7.c * w9.dot(b8) - 1.5, v2.c * s10];
            a6 += ((v7.h + w13.dot(x11)) * w14.dot(x12)).tanh();
            a6 -= zeros(dh).relu();
        }
        let (x18, x19) = halves(w16.dot((1.5 / (0.5 + b15.sigmoid())).log_softmax().tanh()) + b17);
        let mut a20 = zeros(dh);
        for v21 in gather_all::<Node>() {
            let (x22, [x26], s23) = ((b24 / (b25.sigmoid() + 0.5)).tanh(), [b27 / (0.5 + v21.c.sigmoid())], zeros(dk).sum().sigmoid());
            a20 = (v21.h * w4.dot(x22) + s23 + w28.dot(x26)).tanh() + a20 - (x19 - x5).tanh();
        }
        let state: Node = Node { h: ((a6 * x18).tanh() * a20).tanh(), c: zeros(dk).sigmoid() };
        scatter(state);
    }

    #[vertex_function]
    pub fn mixed_23(
        #[param(E)] b5: Tensor, #[param(E, E)] w6: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b7: Tensor, #[param(E)] b8: Tensor, #[param(E, E)] w9: Tensor,
        #[param(E, K)] w10: Tensor, #[param(E, K)] w12: Tensor, #[param(E)] mut b14: Tensor,
        #[param()] s17: Tensor, #[param(E, H)] w19: Tensor, #[param(K)] b21: Tensor,
        #[param(K, K)] w28: Tensor, #[param(K)] b29: Tensor, #[param(E, K)] w30: Tensor,
        #[param(E, H)] w31: Tensor, #[param(E, K)] w35: Tensor, #[param(E)] b36: Tensor,
        #[param(E)] b37: Tensor, #[param(H, E)] w38: Tensor, #[param(H, E)] w39: Tensor,
        #[param(H, E)] w40: Tensor, #[param(H, H)] w41: Tensor, #[param(K, K)] w42: Tensor,
        #[param(K, H + K)] w43: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let parts4 = [w6.dot(b5).sigmoid() + (zeros(de) * b5).sum(), b7 * w9.dot(b8), (w10 + w10).dot(c3).tanh()];
        let mut a11 = zeros(de);
        for k in 1..=2 {
            a11 += (parts4[k] - concat([w12.dot(c3).slice(1..de), w12.dot(c3).slice(0..1)])).tanh() * (k as f64);
        }
        let mut a13 = zeros(de);
        let (mut n15, mut t16) = (1.0, s17);
        for Node { h, c } in gather_all() {
            t16 += (s17 - 2.0).tanh();
            a13 -= w19.dot(h) + w10.dot(c);
            b14 += a11.log_softmax().tanh().sigmoid();
            n15 += 1.0;
        }
        let x20 = a13 / n15;
        let [x22, x23]: [Tensor; 2] = [-c3.tanh(), b21 - c3];
        let mut a24 = zeros(de).exp();
        let mut n25 = 1.0;
        for v26 in gather_all::<Node>() {
            let x27 = {
                let x22 = x22.tanh() + affine(w28, x22, b29);
                w30.dot(x22).tanh()
            };
            a24 = (w31.dot(v26.h) + w10.tanh().dot(v26.c) + x27).tanh() + a24;
            n25 += 1.0;
        }
        let x32 = a24 / n25;
        let x33 = {
            let x34 = noisy(a11.tanh(), 0.5);
            x34.tanh()
        };
        loss((2.0 / (b21.sigmoid() + 0.5) - x23).tanh().sum());
        loss(((0.5 + w35.dot(x22) * b36) * b37).sum());
        let state = Node { c: w43.dot(summary(Node { h: w41.dot(h2), c: w42.dot(c3) })).tanh(), h: ((((h2 + (w38 * t16.tanh()).dot(b14)).tanh() - w39.dot(x20)).tanh() * (w38 + w40).dot(x32)).tanh() + w38.dot(x33)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn mixed_24(
        #[param(K)] b2: Tensor, #[param(K)] mut b4: Tensor, #[param()] s7: Tensor,
        #[param(H, 2 * K)] w9: Tensor, #[param(3 * H, H)] w10: Tensor,
        #[param(3 * H)] b11: Tensor, #[param(E, H)] w15: Tensor, #[param(K, H)] w16: Tensor,
        #[param(K, H)] w17: Tensor, #[param(K, H)] w18: Tensor, #[param(H, H)] w20: Tensor,
        #[param(H, K)] w21: Tensor, #[param(H)] b22: Tensor, #[param(H, K)] w23: Tensor,
        #[param(H)] b24: Tensor, #[param(K, K)] w25: Tensor, #[param(E, H)] w26: Tensor,
        #[dim(H)] dh: Dim,
    ) {
        let v1: Node = gather(0);
        let s3 = (1.5 - b2.sum()).sigmoid();
        let (mut n5, mut t6) = (1.0, s7);
        for v8 in gather_all::<Node>() {
            let [x12, x13, x14] = (w10.dot(w9.dot(concat([v1.c, v8.c]))) + b11).split();
            t6 += w15.tanh().dot(v8.h).log_softmax().tanh().sum().tanh();
            b4 += ((w16.dot(x12) + w17.tanh().dot(x13)).tanh() * w18.dot(x14)).tanh();
            n5 += 1.0;
        }
        let x19 = b4 / n5;
        loss(mse(weighted([gate(w20, w21.dot(x19), b22).tanh(), w23.dot(b4), b22]).tanh(), b24));
        for k in 0..2 {
            loss(mse((noisy(x19, 0.25) / (w25.dot(x19).sigmoid() + 0.5)).tanh(), b2) * (k as f64 + 0.25));
        }
        push(Out { y: scaled(w26.dot(v1.h), dh) });
        scatter(Node { h: v1.h.log_softmax().tanh(), c: (b2.exp() * s3 + t6).tanh() });
    }

    #[vertex_function]
    pub fn mixed_25(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(E)] b4: Tensor,
        #[param(H, K + E)] w5: Tensor, #[param(4 * K, H)] w6: Tensor, #[param(4 * K)] b7: Tensor,
        #[param(H)] mut b12: Tensor, #[param(E)] mut b13: Tensor, #[param()] s15: Tensor,
        #[param(H, H)] w18: Tensor, #[param(K, H)] w19: Tensor, #[param(E, H + K)] w20: Tensor,
        #[param(K, E)] w22: Tensor, #[param(E, K)] w23: Tensor, #[param(E)] b24: Tensor,
        #[param(H, K)] w25: Tensor, #[param(H, K)] w26: Tensor, #[param(E, E)] w27: Tensor,
        #[param(E, H + 2 * E)] w28: Tensor, #[param(K, E)] w31: Tensor,
        #[param(K, E)] w32: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let [x8, x9, x10, x11] = (w6.dot(w5.dot(concat([b4, c3]))) + b7).split();
        let mut t14 = s15;
        for v16 in gather_all::<Node>() {
            let x17 = {
                let x21 = w20.dot(summary(Node { h: w18.dot(v16.h), c: w19.dot(h2) })).softmax();
                w22.dot(x21).tanh()
            };
            t14 += (w23.tanh().dot(x11) * b24).tanh().sum().tanh();
            b12 = w25.dot(v16.c) + w26.dot(x17) + b12;
            b13 = w28.dot(concat([b4, v16.h, w27.dot(b4)])) + b13 - (b4.sigmoid() + 0.5).ln();
        }
        let [x29, x30] = [(-b13 * b13).tanh(), b4.tanh()];
        for k in 0..2 {
            loss(w22.dot(b13).tanh().sum().tanh() * (k as f64 + 0.25));
        }
        scatter(Node { c: (((((x8 - x9 + x10).tanh() + w19.dot(b12)).tanh() + t14) * w31.dot(x29)).tanh() - w32.dot(x30)).tanh(), h: concat([x10, b12]).slice(dk..dk + dh).tanh() });
    }

    #[vertex_function]
    pub fn mixed_26(
        #[param(K)] b2: Tensor, #[param(2 * H, K)] w3: Tensor, #[dim(H)] dh: Dim,
        #[dim(E)] de: Dim, #[param(H, K)] w10: Tensor, #[param(E)] b11: Tensor,
        #[param(E, E)] w12: Tensor, #[param(E)] b13: Tensor, #[param(E, E)] w14: Tensor,
        #[param(H, E)] w16: Tensor, #[param(E, H)] w22: Tensor, #[param(E, K)] w23: Tensor,
        #[param(E, E)] w24: Tensor, #[param(E)] b25: Tensor, #[param()] s26: Tensor,
        #[param(K, E)] w28: Tensor, #[param(E, E)] w30: Tensor, #[param(K, E)] w32: Tensor,
        #[param(E, E)] w33: Tensor, #[param(K, H)] w34: Tensor, #[param(K, H)] w36: Tensor,
        #[param(K, H)] w37: Tensor, #[param(K, H)] w38: Tensor,
    ) {
        let v1: Node = gather(0);
        let [x4, x5]: [Tensor; 2] = w3.dot((b2 - v1.c) * v1.c).split();
        let mut a6 = zeros(dh);
        let mut a7 = zeros(de);
        let mut n8 = 1.0;
        for v9 in gather_all::<Node>() {
            a6 += v9.h * w10.dot(v9.c);
            a7 -= ((w12.dot(b11) / (w14.tanh().dot(b13).sigmoid() + 0.5)).sigmoid() + 0.5).ln();
            n8 += 1.0;
        }
        let x15 = a6 / n8;
        let [x17, x18]: [Tensor; 2] = [w16.dot(a7.tanh().exp()), x15.softmax()];
        let mut a19 = zeros(de);
        let mut a20 = zeros(de);
        for v21 in gather_all::<Node>() {
            a19 -= w22.tanh().dot(v21.h) * w23.dot(v21.c);
            a20 += (w24.dot(a7).tanh().exp() / ((b25 - s26).sigmoid() + 0.5)).tanh();
            a20 -= b11 / (0.5 + zeros(de).sigmoid());
        }
        let x27 = {
            let x29 = w28.dot(a19).tanh().dropout(0.25);
            let x31 = w30.dot((zeros(de).sigmoid() + 0.5).ln());
            (x29 + w32.dot(x31)).tanh()
        };
        let out35 = Scores { y: (w33.dot(a7) + zeros(de)).tanh(), logits: x27 * s26 - w34.tanh().dot(v1.h) };
        push(out35);
        scatter(Node { h: a6.softmax(), c: (((w36.dot(x4) + w37.dot(x5)).tanh() * w34.dot(x17)).tanh() + w38.dot(x18) + w28.dot(a20)).tanh() });
    }

    #[vertex_function]
    pub fn mixed_27(
        #[param(H)] b1: Tensor, #[param(K)] b2: Tensor, #[param(K, E)] w6: Tensor,
        #[param(E, H)] w8: Tensor, #[param(H)] b9: Tensor, #[param(E)] b10: Tensor,
        #[param(E)] mut b12: Tensor, #[dim(E)] de: Dim, #[param()] s17: Tensor,
        #[param(E, H)] w18: Tensor, #[param(E, K)] w19: Tensor, #[param(K)] mut b20: Tensor,
        #[param(K, E)] w21: Tensor, #[dim(K)] dk: Dim, #[param()] s24: Tensor,
        #[param(3 * H, E)] w27: Tensor, #[dim(H)] dh: Dim, #[param(K, K)] w29: Tensor,
        #[param(K, H)] w30: Tensor, #[param(H)] b32: Tensor, #[param(E)] b33: Tensor,
        #[param(H, E)] w34: Tensor, #[param(H, K)] w36: Tensor,
    ) {
        let Node { h: h4, .. } = gather_or(0, Node { h: b1, c: b2 });
        let p5 = pull::<Signal>().x;
        let x7 = w6.dot(p5);
        let x11 = gate(w8, b9.log_softmax(), b10).tanh();
        for v13 in gather_all::<Node>() {
            let parts14 = [(2.0 / (x11.relu().sigmoid() + 0.5)).tanh(), b10 - x11, x11];
            let mut a15 = b10;
            let x16 = concat(parts14);
            for k in 0..2 {
                a15 = a15.tanh() + (x16.slice(k * de..(k + 1) * de) * (x11 + s17)).tanh();
            }
            b12 -= ((w18.dot(v13.h) - w19.dot(v13.c)) * a15).tanh();
        }
        b20 = b20.tanh() + weighted([w21.dot(b12), x7, x7]).tanh().sigmoid();
        b20 = b20.tanh();
        let mut a22 = zeros(dk);
        let mut t23 = s24;
        for Node { c, h } in gather_all::<Node>() {
            let parts26 = w27.dot(weighted([concat([b10.slice(1..de), b10.slice(0..1)]), b12, b12]).tanh()).split::<3>();
            let mut a28 = zeros(dh);
            for k in 0..3 {
                a28 += (parts26[k] * h.exp().tanh()).tanh() * (k as f64);
            }
            t23 += (w29.dot(b20).sum() * 1.5).tanh();
            a22 = a22 + (c + w30.dot(a28)).tanh();
        }
        let mut m31 = zeros(dh).relu();
        m31 -= (b32 / (0.5 + h4.sigmoid())).dropout(0.1);
        let n35 = 2.0_f64.sqrt() - 1.5;
        m31 -= (w34 * n35).dot(weighted([b33, b10, b10])).tanh();
        m31 -= (0.5 + h4.sigmoid().sigmoid()).ln();
        m31 = m31.tanh();
        let state = Node { c: (2.0 / (0.5 + (zeros(dk) + s17).sigmoid())).tanh(), h: (0.5 / (w36.dot(a22).softmax().sigmoid() + 0.5)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let out37 = Scores { y: x11.tanh(), logits: t23 };
        push(out37);
        loss(w8.tanh().dot(m31).sum());
    }

    #[vertex_function]
    pub fn mixed_28(
        #[param(E, E)] w2: Tensor, #[param(K, E)] w9: Tensor, #[dim(K)] dk: Dim,
        #[param(E, K)] w10: Tensor, #[dim(H)] dh: Dim, #[param(E)] b13: Tensor,
        #[param(H, K)] w16: Tensor, #[param(H, E)] w17: Tensor, #[param(H)] b18: Tensor,
        #[dim(E)] de: Dim, #[param(E, H)] w19: Tensor, #[param(E, H)] w20: Tensor,
        #[param(K, H)] w21: Tensor, #[param(K, E)] w22: Tensor, #[param()] s23: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x3 = w2.dot(p1);
        let Node { h: h5, c: c6 } = gather(0);
        let x7 = {
            let x8 = noisy(p1, 0.5) / (0.5 + p1.sigmoid().sigmoid());
            let c6 = c6.tanh() + concat([w9.dot(x3), x8]).slice(0..dk);
            (w10 * 1.5).dot(c6).tanh()
        };
        let mut a11 = zeros(dh);
        let mut a12 = b13 - w2.dot(x7);
        for v14 in gather_all::<Node>() {
            let mut m15 = x3 / (x3.sigmoid() + 0.5);
            m15 -= (0.5 / (0.5 + (x3 - x7).sigmoid())).tanh();
            m15 = m15.tanh();
            a11 += (v14.h - w16.dot(v14.c) + w17.dot(m15)).tanh();
            a11 -= -b18;
            a12 = a12 + -concat([(w19 + w20).dot(h5), w10.dot(v14.c)]).slice(de..de + de);
        }
        push(Out { y: (2.0 / (0.5 + (b13 / (0.5 + zeros(de).sigmoid())).sigmoid())).tanh() });
        let state = Node { c: (w21.dot(a11) + w22.dot(a12)).tanh(), h: (a11 + s23).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn mixed_29(
        #[param(H, E)] w4: Tensor, #[param(H, E)] w5: Tensor, #[param(K)] b8: Tensor,
        #[param(K, K)] w9: Tensor, #[param(E, H)] w12: Tensor, #[param(E)] b13: Tensor,
        #[param(E)] b14: Tensor, #[dim(E)] de: Dim, #[param(K, E)] w15: Tensor,
        #[param(K)] b16: Tensor, #[param(3 * H, K)] w17: Tensor, #[param(3 * H)] b18: Tensor,
        #[dim(H)] dh: Dim, #[param(H, K)] w25: Tensor, #[dim(K)] dk: Dim, #[param()] s27: Tensor,
        #[param(K)] b28: Tensor, #[param(E, E)] w29: Tensor, #[param(K, H)] w31: Tensor,
        #[param(K, H)] w32: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Signal { x: p3, label } = pull::<Signal>();
        let x6 = (w4 + w5).dot(p3);
        let x6 = x6.tanh() + x6 * h2;
        let mut a7 = w9.dot(b8) * 0.75;
        for v10 in gather_all::<Node>() {
            let mut m11 = (w12 + w12).dot(v10.h).tanh().exp();
            m11 += (0.5 + b13.sigmoid()).ln();
            m11 += (b14 + zeros(de) + w12.tanh().dot(x6)).tanh();
            m11 = m11.tanh() + (w12.dot(x6) / (0.5 + w12.dot(v10.h).sigmoid())).tanh().sigmoid();
            m11 = m11.tanh();
            a7 += v10.c - w15.dot(m11);
            a7 -= (0.5 + b16).tanh();
        }
        let [x19, x20, x21]: [Tensor; 3] = (w17.dot(b8.exp().exp()) + b18).tanh().split();
        let mut a22 = zeros(dh);
        let mut a23 = zeros(dh);
        for Node { h, c } in gather_all() {
            a22 = a22 + (h - w25.dot(c));
            let n26 = 2.0_f64.sqrt() - 2.0;
            a23 += n26 + zeros(dh) + (zeros(dk) * a7).sum();
        }
        loss(cross_entropy(b8.log_softmax().tanh(), label));
        for k in 0..2 {
            loss(((a7 + a7).tanh().sum() + s27) * (k as f64 + 0.25));
        }
        let state: Node = Node { h: (a23.tanh() / (0.5 + (-zeros(dh)).sigmoid())).tanh(), c: (b28 * w9.dot(a7) + a7).tanh() };
        scatter(state);
        let out30 = Scores { y: b13 * w29.dot(b13), logits: concat([w12.dot(x20).slice(1..de), w12.dot(x20).slice(0..1)]) };
        push(out30);
        loss((w31.dot(x19) * w32.dot(x21) + w31.dot(a22)).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_30(
        #[param(K, E)] w1: Tensor, #[param(H, E)] w5: Tensor, #[param(E)] b7: Tensor,
        #[param(H)] b8: Tensor, #[param(H, K)] w11: Tensor, #[param(H, H)] w13: Tensor,
        #[param(2 * E, H)] w14: Tensor, #[param(2 * E)] b15: Tensor, #[param(H, K)] w18: Tensor,
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(E, E)] w19: Tensor,
        #[param(H, H + 2 * K)] w20: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = w1.dot(x);
        let Node { h: h4, .. } = gather(0);
        let n6 = 2.0_f64.sqrt() - 0.75;
        let s9 = (gate(w5, n6 / (b7.sigmoid() + 0.5), b8).tanh() * h4).sum();
        let mut a10 = w11.dot(x2);
        for Node { h, c } in gather_all() {
            let (x16, x17) = halves((w14.dot(0.75 + 0.75 / (0.5 + (w13 * s9.tanh()).dot(h).sigmoid())) + b15).tanh());
            a10 = a10 + ((w11 + w18).dot(c) + (w5 * s9.tanh()).dot(x16) - (w5 * 2.0).dot(x17)).tanh();
        }
        loss(cross_entropy(concat([zeros(dh), (a10.sigmoid() + 0.5).ln()]).slice(0..dh), label));
        let state = Node { c: zeros(dk).log_softmax().tanh(), h: w5.dot(x).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let out21 = Scores { y: w19.dot(x) + b7, logits: w20.dot(concat([x2, b8, x2])) };
        push(out21);
    }

    #[vertex_function]
    pub fn mixed_31(
        #[param(K, E)] w4: Tensor, #[param(V, H)] table6: Tensor, #[param(K)] mut b8: Tensor,
        #[dim(H)] dh: Dim, #[param(H, E)] w11: Tensor, #[param(H, K)] w13: Tensor,
        #[param(H)] b14: Tensor, #[param(K)] b15: Tensor, #[dim(K)] dk: Dim,
        #[param(E)] b18: Tensor, #[param(K, E)] w20: Tensor, #[param(K)] b21: Tensor,
        #[param(K, H)] w23: Tensor, #[dim(E)] de: Dim, #[param(E, E)] w25: Tensor,
        #[param()] s26: Tensor, #[param(E)] b28: Tensor, #[param(E, K)] w29: Tensor,
        #[param(E)] b30: Tensor, #[param(E, E)] w31: Tensor, #[param(V, E)] table32: Tensor,
        #[param(E)] b33: Tensor, #[param(E, H)] w34: Tensor, #[param(K, K)] w35: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let p3: Word = pull();
        let x5 = w4.dot(p3.x);
        let x7 = table6.row(p3.id);
        b8 /= 1.0 / dh as f64;
        b8 = b8.tanh();
        let mut a9 = zeros(dh);
        let mut a10 = w11.dot(p3.x);
        for Node { c, h } in gather_all::<Node>() {
            a9 = a9 + (h - w13.dot(c));
            a10 -= b14.relu() * h2;
        }
        let b8 = b8.tanh() + b15.log_softmax();
        let mut a16 = zeros(dk);
        let mut a17 = p3.x + b18;
        for Node { c, h } in gather_all::<Node>() {
            let s22 = (gate(w20, p3.x.sigmoid(), b21) * b8).tanh().sum();
            a16 = a16 + (w23.dot(h) + c - s22).tanh();
            a17 += blend(blend(0.5 / (0.5 + p3.x.sigmoid()), b18, p3.x), p3.x, zeros(de)) + p3.x;
        }
        let parts24 = [-gate(w25, zeros(de), b18), (a17 * s26).tanh(), b18];
        let mut a27 = b28;
        for k in 0..3 {
            a27 += (parts24[k] * gate(w29, a16, b30).tanh()).tanh() * (k as f64);
        }
        loss(mse(blend(weighted([w31.dot(a17), a27, table32.row(p3.id)]).tanh(), b33.relu(), a17).tanh(), (w34.dot(a9) - a27).tanh()));
        for k in 0..2 {
            loss(((a10 + x7).tanh() * x7).sum().tanh() * (k as f64 + 0.25));
        }
        let out36 = Scores { y: a17.relu().tanh(), logits: w35.sum() * s26 };
        push(out36);
        scatter(Node { h: zeros(dh).exp(), c: x5.tanh() });
    }

    #[vertex_function]
    pub fn mixed_32(
        #[param(H)] b4: Tensor, #[param(H)] b5: Tensor, #[dim(H)] dh: Dim,
        #[param(E)] b6: Tensor, #[param(E, E)] w7: Tensor, #[param(K)] b8: Tensor,
        #[param(H, K)] w9: Tensor, #[dim(E)] de: Dim, #[param(H, K)] w13: Tensor,
        #[param(E)] b14: Tensor, #[param(K)] b16: Tensor, #[param(E, K)] w17: Tensor,
        #[param(3 * E, E)] w18: Tensor, #[param(E, H)] w20: Tensor, #[param(E, E)] w21: Tensor,
        #[param(H, H)] w22: Tensor, #[dim(K)] dk: Dim, #[param(K, H)] w24: Tensor,
        #[param(K, E)] w25: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let mut m3 = b4.log_softmax();
        m3 = m3.tanh() + h2.relu() * b5;
        m3 += concat([h2, w7.dot(b6).exp()]).slice(0..dh);
        m3 -= (0.5 + (w9 + w9).dot(b8).tanh().sigmoid()).ln();
        m3 = m3.tanh();
        let mut a10 = zeros(dh);
        let mut a11 = zeros(de);
        for v12 in gather_all::<Node>() {
            a10 += v12.h + w13.dot(v12.c);
            a11 = b6 - b14 + a11;
        }
        let parts15 = w18.dot(w17.dot(b16).softmax()).split::<3>();
        let mut a19 = zeros(de);
        for k in 0..3 {
            a19 += (parts15[k] * w20.dot(a10).tanh()).tanh() * (k as f64);
        }
        loss(w21.sum());
        scatter(Node { c: zeros(dk).softmax().relu(), h: (w22.dot(h2) * w22.dot(h2)).tanh() });
        let n23 = 2.0_f64.sqrt() - 0.5;
        push(Out { y: (a19.tanh().exp() + n23).tanh() });
        loss((w24.dot(m3) + w25.dot(a11)).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_33(
        #[param(E)] b2: Tensor, #[param(H, E)] w5: Tensor, #[param(3 * E, H)] w6: Tensor,
        #[param(3 * E)] b7: Tensor, #[dim(E)] de: Dim, #[param(E, K)] w11: Tensor,
        #[param(H)] mut b12: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w15: Tensor,
        #[param(H, K)] w16: Tensor, #[param(H, H)] w17: Tensor, #[param(E)] b18: Tensor,
        #[dim(K)] dk: Dim, #[param(E, E)] w19: Tensor, #[param(K, E)] w20: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let Gold { label, target } = pull();
        let x3 = target * b2;
        let parts4 = (w6.dot(w5.dot(target) * v1.h) + b7).split::<3>();
        let mut a8 = b2;
        let x9 = concat(parts4);
        for k in 0..2 {
            let n10 = 2.0_f64.sqrt() - 0.75;
            a8 = a8.tanh() + (x9.slice(k * de..(k + 1) * de) * (n10 / (w11.dot(v1.c).sigmoid() + 0.5)).tanh()).tanh();
        }
        let mut a13 = zeros(dh);
        for v14 in gather_all::<Node>() {
            b12 += (v14.h - (w15 + w16).dot(v14.c)).tanh();
            a13 = (v1.h + w17.dot(v1.h)).tanh().exp() + a13;
        }
        loss(cross_entropy(0.5 - zeros(de) - b18, label));
        let state: Node = Node { h: ((2.0 * a13).tanh() * b12).tanh(), c: (v1.c * (1.0 / dk as f64)).exp().tanh() };
        scatter(state);
        push(Out { y: ((v1.c * v1.c).sum() * (w19 * 1.5).dot(x3).relu()).tanh() });
        loss(w20.dot(a8).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_34(
        #[param()] s3: Tensor, #[param(H, H)] w4: Tensor, #[dim(K)] dk: Dim, #[dim(E)] de: Dim,
        #[param()] s10: Tensor, #[param(K, H)] w11: Tensor, #[param(E, E)] w12: Tensor,
        #[param(E)] b13: Tensor, #[param(E, E)] w14: Tensor, #[param(E)] b15: Tensor,
        #[param(K)] b16: Tensor, #[param(K, 2 * K + E)] w17: Tensor,
        #[param(2 * H, K)] w18: Tensor, #[param(H, K)] w21: Tensor, #[param(H, E)] w22: Tensor,
        #[param(E, E)] w23: Tensor,
    ) {
        let v1: Node = gather(0);
        let x2 = {
            let x5 = w4.sum() * (s3 - v1.h);
            x5.tanh()
        };
        let mut a6 = zeros(dk);
        let mut a7 = zeros(de);
        let mut t8 = s3;
        for Node { c, h } in gather_all::<Node>() {
            t8 += s10.tanh().tanh();
            a6 -= w11.dot(h) * c;
            a7 -= gate(w12, w14.tanh().dot(b13).log_softmax(), b15).tanh();
        }
        let [x19, x20] = w18.dot(w17.dot(concat([b16, b16, zeros(de)]))).split();
        let (h, c) = ((((w21.dot(v1.c) + x2 + w21.dot(a6)).tanh() * w22.dot(a7)).tanh() * t8 - x19 - x20).tanh(), (a6 + a6).tanh());
        scatter(Node { h, c });
        push(Out { y: (w23.dot(a7).tanh() * a7).tanh() });
    }

    #[vertex_function]
    pub fn mixed_35(
        #[param(H, E)] w2: Tensor, #[param(H)] b7: Tensor, #[dim(H)] dh: Dim, #[dim(E)] de: Dim,
        #[param()] s12: Tensor, #[param(E, H)] w14: Tensor, #[param(E, K)] w15: Tensor,
        #[dim(K)] dk: Dim, #[param(3 * H, K)] w17: Tensor, #[param(3 * H)] b18: Tensor,
        #[param(H)] b20: Tensor, #[param(H, K)] w22: Tensor, #[param(K)] b23: Tensor,
        #[param(H, E)] w24: Tensor, #[param(H, H)] w25: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let Node { h: h5, c: c6 } = gather(0);
        let x8 = concat([b7.tanh(), (0.5 / (c6.sigmoid() + 0.5)).softmax()]).slice(0..dh);
        let mut a9 = zeros(de);
        for Node { c, h } in gather_all::<Node>() {
            let mut m11 = x3 + s12;
            let n13 = 0.75 / (1.0 + dh as f64);
            m11 /= n13;
            m11 = m11.tanh();
            a9 = (w14.dot(h) + w15.tanh().dot(c) + w14.dot(m11)).tanh() + a9;
        }
        let parts16 = (w17.dot(zeros(dk) * (1.0 / de as f64)) + b18).split::<3>();
        let mut a19 = b20;
        let x21 = concat(parts16);
        for k in 0..2 {
            a19 = a19.tanh() + (x21.slice(k * dh..(k + 1) * dh) + concat([(w22 * (1.0 / dk as f64)).dot(c6).slice(1..dh), (w22 * (1.0 / dk as f64)).dot(c6).slice(0..1)]).tanh()).tanh();
        }
        loss(cross_entropy(b23.tanh().sigmoid(), label));
        let state: Node = Node { h: ((h5 - x8 + w24.dot(a9)).tanh() - a19).tanh(), c: blend(w25.sum(), c6, c6).tanh() };
        scatter(state);
    }
}

pub mod gold {
    use super::prelude::*;

    #[vertex_function]
    pub fn gold_0(
        #[param(H, E)] w3: Tensor, #[param(H, E)] w4: Tensor, #[param(E)] mut b6: Tensor,
        #[param(E)] b7: Tensor, #[param(E, E)] w8: Tensor, #[dim(E)] de: Dim,
        #[param(K)] b9: Tensor, #[param(K, K)] w10: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b11: Tensor, #[param(K, K)] w12: Tensor, #[param(K, E)] w13: Tensor,
        #[param(K, H)] w14: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Gold { target, .. } = pull();
        let x5 = (w3 + w4).dot(target);
        b6 += concat([w10.dot(b9).tanh(), w8.dot(b7)]).slice(dk..dk + de);
        b6 = b6.tanh();
        loss((b6 / (0.5 + b6.sigmoid())).max());
        loss((w12.dot(b11).exp() * w13.dot(b6)).tanh().sum());
        loss((w14.dot(h2) * w14.dot(x5)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_1(
        #[param(E, E)] w2: Tensor, #[dim(H)] dh: Dim, #[dim(K)] dk: Dim,
        #[param(E, H)] w7: Tensor, #[param(H)] b8: Tensor, #[param(H, H)] w9: Tensor,
        #[param(E)] b10: Tensor, #[param(H, K)] w12: Tensor, #[param(E, E)] w13: Tensor,
        #[param(E)] b14: Tensor, #[param(E)] b15: Tensor, #[param(K)] b16: Tensor,
        #[param(E, K)] w17: Tensor, #[param(H, E)] w19: Tensor, #[param(H, E)] w20: Tensor,
        #[param(H, E)] w21: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = w2.dot(p1.target);
        let s4 = (1.5 / (zeros(dh).sigmoid() + 0.5)).tanh().sum() + 1.0 / (dk as f64).sqrt();
        let mut a5 = zeros(dh);
        let mut a6 = affine(w7, w9.tanh().dot(b8), b10);
        for Node { c, h } in gather_all::<Node>() {
            a5 = (h + (w12 + w12).dot(c)).tanh() + a5;
            a6 = affine(w13, 2.0 * b14, b15) + a6;
        }
        loss(cross_entropy((a5.tanh().exp() * a5).tanh(), p1.label));
        loss(cross_entropy(b16.log_softmax().sigmoid(), p1.label));
        let out18 = Scores { y: w17.dot(b16).log_softmax().tanh(), logits: (-zeros(dh)).sum() };
        push(out18);
        loss(((w19.dot(x3) + (w20 * s4.tanh()).dot(p1.target)) * w21.dot(a6)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_2(
        #[param(K, E)] w2: Tensor, #[param(E)] b5: Tensor, #[dim(H)] dh: Dim,
        #[param(H, E)] w8: Tensor, #[param(H)] mut b9: Tensor, #[param(H, H)] w11: Tensor,
        #[param(H, K)] w12: Tensor, #[param(E)] b13: Tensor, #[param()] s14: Tensor,
        #[param(3 * H, E)] w15: Tensor, #[dim(E)] de: Dim, #[param(K)] b24: Tensor,
        #[param(K, K)] w25: Tensor, #[param(3 * K, K)] w26: Tensor, #[param(3 * K)] b27: Tensor,
        #[dim(K)] dk: Dim, #[param(H, K)] w29: Tensor, #[param(H, K)] w30: Tensor,
        #[param(H, E)] w31: Tensor, #[param(E, H)] w32: Tensor, #[param(E, E)] w33: Tensor,
        #[param(K)] b35: Tensor, #[param(E, H)] w36: Tensor, #[param(E, H)] w37: Tensor,
        #[param(E, H)] w38: Tensor, #[param(E, H)] w39: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let x4 = {
            let n6 = 0.5 / (1.0 + dh as f64);
            let x7 = n6 * b5.softmax();
            w8.dot(x7).tanh()
        };
        for v10 in gather_all::<Node>() {
            let x4 = x4.tanh() + w11.dot(x4).tanh();
            b9 = ((v10.h + (w12 * (1.0 / (dh as f64).sqrt())).dot(v10.c)) * x4).tanh() + b9;
        }
        let [x16, x17, x18]: [Tensor; 3] = w15.dot(b13 - (2.0 - s14)).split();
        let mut a19 = zeros(dh);
        let mut a20 = zeros(de);
        let mut n21 = 1.0;
        for v22 in gather_all::<Node>() {
            let parts23 = (w26.dot(((w25.dot(v22.c) * x3).tanh().sum() + (0.5 - b24)).tanh()) + b27).split::<3>();
            let mut a28 = zeros(dk);
            for k in 0..3 {
                a28 += (parts23[k] * (-v22.c)).tanh();
            }
            a19 = (v22.h * (w29 + w30).dot(a28)).tanh() + a19 - (w31 + w8).dot(b5);
            a20 = (-w32.dot(x17)).tanh() - w33.dot(b5) + a20;
            n21 += 1.0;
        }
        let x34 = a19 / n21;
        loss(cross_entropy((scaled(x18, dh) - b5.sum()).tanh(), label));
        loss(cross_entropy(gate(w2, a20, b35).tanh().sigmoid(), label));
        push(Out { y: (1.0 / dh as f64 / (0.5 + zeros(de).softmax().sigmoid())).tanh() });
        loss(((w36.dot(b9) + (w37 + w38).dot(x16)).tanh() + w39.dot(x34)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_3(
        #[param(H, E)] w4: Tensor, #[param(2 * K, H)] w6: Tensor, #[param(2 * K)] b7: Tensor,
        #[param(E, K)] w10: Tensor, #[param(K)] b11: Tensor, #[param(E)] b12: Tensor,
        #[param(K, E)] w13: Tensor, #[param(K, K)] w14: Tensor, #[param()] s15: Tensor,
        #[param(K, E)] w16: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let p3: Gold = pull();
        let x5 = w4.dot(p3.target);
        let [x8, x9]: [Tensor; 2] = (w6.dot(h2.tanh() + x5) + b7).split();
        loss(cross_entropy(w13.dot(crate::cells::gate(w10, b11, b12)), p3.label));
        loss(w14.sum() + s15);
        loss((w16.dot(p3.target) + x8 + x9).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_4(
        #[param(E)] b2: Tensor, #[param(K, H)] w5: Tensor, #[dim(K)] dk: Dim,
        #[param(H, H)] w9: Tensor, #[dim(H)] dh: Dim, #[param(H)] b10: Tensor,
        #[param(E, H)] w11: Tensor, #[param(K, E)] w12: Tensor, #[param(K, E)] w14: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = p1 * b2;
        let v4: Node = gather(0);
        let [x6, x7] = [-w5.dot(v4.h), scaled(v4.c, dk)];
        let mut m8 = (v4.h.sigmoid() + 0.5).ln();
        m8 = m8.tanh() + crate::cells::gate(w9, zeros(dh).log_softmax(), b10).tanh();
        m8 *= concat([zeros(dh), v4.h + v4.h]).slice(0..dh);
        m8 = m8.tanh();
        for k in 0..2 {
            loss(cross_entropy(0.5 / (0.5 + (m8 - b10).sigmoid()), label) * (k as f64 + 0.25));
        }
        push(Out { y: (0.5 + w11.dot(v4.h)).tanh() });
        let n13 = 0.5 / (1.0 + dk as f64);
        loss(((w12 * n13).dot(x3) * w14.dot(p1) + x6 + x7).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_5(
        #[param(K, E)] w2: Tensor, #[dim(H)] dh: Dim, #[param(E, H)] w5: Tensor,
        #[param(E, K)] w6: Tensor, #[param(2 * K, H)] w7: Tensor, #[param(2 * K)] b8: Tensor,
        #[param(K)] b11: Tensor, #[param()] s12: Tensor, #[param(H, H)] w13: Tensor,
        #[param(E, H)] w14: Tensor, #[param(K, K)] w15: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let v4 = gather::<Node>(0);
        let [x9, x10]: [Tensor; 2] = (w7.dot(mse(w5.dot(v4.h), w6.dot(v4.c)).tanh() - (zeros(dh).sigmoid() + 0.5).ln()) + b8).split();
        loss(cross_entropy((w13.sum() + (b11 - s12)).tanh(), label));
        let out16 = Scores { y: w14.dot(v4.h), logits: w15.max() };
        push(out16);
        loss(((x3 - x9) * x10).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_6(
        #[param(H, E)] w3: Tensor, #[param(2 * E, H)] w5: Tensor, #[param(2 * E)] b6: Tensor,
        #[param(E)] b9: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w10: Tensor,
        #[param()] s11: Tensor, #[param(H, E)] w12: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let p2: Gold = pull();
        let x4 = w3.dot(p2.target);
        let [x7, x8] = (w5.dot((v1.h.sigmoid() + 0.5).ln().softmax()) + b6).split();
        loss(cross_entropy(1.0 / dh as f64 * b9 - b9, p2.label));
        loss(((s11 - w10.dot(v1.c)).softmax() * (w12 + w3).dot(x8)).tanh().sum());
        loss((x4 - w3.dot(x7)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_7(
        #[param(H, E)] w2: Tensor, #[dim(K)] dk: Dim, #[param()] s4: Tensor,
        #[param(K)] b5: Tensor, #[param(K, H)] w6: Tensor, #[param(E, H)] w10: Tensor,
        #[param(E)] b11: Tensor, #[param(H)] mut b12: Tensor, #[param(E, K)] w14: Tensor,
        #[param(H)] b15: Tensor, #[param(2 * K, K)] w16: Tensor, #[param(2 * K)] b17: Tensor,
        #[param(E)] b20: Tensor, #[param(H, K)] w22: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = (w2 * 2.0).dot(p1.target);
        let [x7, x8]: [Tensor; 2] = [(zeros(dk) + s4).log_softmax(), b5 - w6.tanh().dot(x3)];
        let mut a9 = (w10.dot(x3) / (0.5 + b11.sigmoid())).tanh();
        for Node { c, h } in gather_all::<Node>() {
            a9 = a9 + (w10.dot(h) + w14.dot(c));
            b12 = (h - b15).dropout(0.5) + b12;
        }
        let (x18, x19) = halves(w16.dot((1.5 + x8).tanh().sigmoid()) + b17);
        for k in 0..2 {
            loss(cross_entropy(w14.dot(x18) + b20, p1.label) * (k as f64 + 0.25));
        }
        let out21 = Scores { y: a9.tanh().exp().tanh(), logits: (x19 * b5).exp() };
        push(out21);
        loss((w22.dot(x7) - b12).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_8(
        #[param(E)] b5: Tensor, #[param(E, E)] w8: Tensor, #[dim(H)] dh: Dim,
        #[param(K, E)] w9: Tensor, #[param(E, H + K)] w10: Tensor, #[param(E)] b11: Tensor,
        #[dim(E)] de: Dim, #[param()] s14: Tensor, #[param(K)] b15: Tensor,
        #[param(H, E)] w16: Tensor, #[param(H, H + K)] w17: Tensor, #[param(H, E)] w18: Tensor,
        #[param(H)] b19: Tensor, #[param(E, K)] w20: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let p4 = pull::<Gold>().target;
        let x6 = p4 * b5;
        let parts7 = [(w8.dot(x6).tanh().sigmoid() + 0.5).ln(), w10.dot(summary(Node { h: zeros(dh), c: w9.tanh().dot(p4) })).tanh(), b11];
        let mut a12 = zeros(de);
        let x13 = concat(parts7);
        for k in 0..2 {
            a12 = a12.tanh() + (x13.slice(k * de..(k + 1) * de) - blend(p4 + s14, p4, p4)).tanh();
        }
        loss(mse(w17.dot(concat([b15, w16.dot(a12)])).tanh(), blend(1.0 / (de as f64).sqrt() - s14, w18.dot(a12), h2).tanh()));
        loss(mse((h2 - 0.75).sigmoid(), b19.softmax()));
        loss(w20.dot(c3).sum());
    }

    #[vertex_function]
    pub fn gold_9(
        #[param(H, E)] w5: Tensor, #[param(E)] b8: Tensor, #[param(E, H)] w10: Tensor,
        #[param(H)] b11: Tensor, #[param(E)] b12: Tensor, #[dim(H)] dh: Dim,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let p4: Gold = pull();
        let x6: Tensor = w5.dot(p4.target);
        let x7 = {
            let x9 = (0.5 + b8.softmax().sigmoid()).ln();
            let x9 = x9.tanh() + affine(w10, b11, b12);
            x9.tanh()
        };
        loss(cross_entropy(zeros(dh).sigmoid().log_softmax().tanh(), p4.label));
        push(Out { y: (1.5 * b8 + c3.sum()).tanh() });
        loss((w10.dot(h2) * w10.dot(x6) - p4.target + x7).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_10(
        #[param(K, E)] w2: Tensor, #[param(H)] b5: Tensor, #[param(H, H)] w6: Tensor,
        #[param()] s7: Tensor, #[param(H, K)] w8: Tensor, #[param(H)] b9: Tensor,
        #[param(H, H)] w10: Tensor, #[dim(H)] dh: Dim, #[param(K)] b13: Tensor,
        #[dim(E)] de: Dim, #[param(K, H)] w16: Tensor, #[param(2 * H, K)] w17: Tensor,
        #[param(2 * H)] b18: Tensor, #[param(K, H)] w21: Tensor, #[dim(K)] dk: Dim,
        #[param(E)] b23: Tensor, #[param(E, E)] w24: Tensor, #[param(H, H)] w25: Tensor,
        #[param()] s26: Tensor, #[param()] s27: Tensor, #[param(E)] b28: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let parts4 = [(w6.dot(b5) + s7).softmax(), w8.dot(x3).tanh(), w10.dot(b9)];
        let mut a11 = zeros(dh);
        for part in parts4 {
            a11 -= (part + -b5).tanh();
        }
        let mut a12 = b13;
        let mut a14 = zeros(de);
        for v15 in gather_all::<Node>() {
            let [x19, x20]: [Tensor; 2] = (w17.dot(w16.dot(b5 + 0.5)) + b18).tanh().split();
            a12 += (w16.dot(v15.h) + v15.c + w16.dot(x19) - w21.dot(x20)).tanh();
            let n22 = 0.5 / (1.0 + de as f64);
            a12 -= (n22 / (zeros(dk).sigmoid() + 0.5)).tanh();
            a14 = (b23.tanh().sigmoid() + 0.5).ln() + a14;
        }
        loss(cross_entropy((w24.dot(a14) / (a14.sigmoid() + 0.5)).tanh().relu(), label));
        for k in 0..2 {
            loss((w25.sum() - s26) * s27 * (k as f64 + 0.25));
        }
        push(Out { y: b28.tanh() });
        loss((a11 * w8.dot(a12)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_11(
        #[param(K, E)] w4: Tensor, #[param(H, E)] w7: Tensor, #[param(3 * H, H)] w8: Tensor,
        #[dim(H)] dh: Dim, #[param(H, H)] w10: Tensor, #[param(H)] b11: Tensor,
        #[param(H, K)] w12: Tensor, #[param(2 * K, H)] w13: Tensor, #[param(2 * K)] b14: Tensor,
        #[param(E, K)] w17: Tensor, #[dim(E)] de: Dim, #[param(E, K)] w19: Tensor,
        #[param(E)] b20: Tensor, #[param(E, E)] w21: Tensor, #[param(E, E)] w22: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { label, target } = pull();
        let x5 = w4.dot(target);
        let parts6 = w8.dot(w7.dot(target.tanh())).split::<3>();
        let mut a9 = zeros(dh);
        for k in 1..=2 {
            a9 += (parts6[k] * affine(w10, h2, b11)).tanh();
        }
        let [x15, x16]: [Tensor; 2] = (w13.dot(w12.dot(c3).softmax() + a9) + b14).tanh().split();
        let n18 = 1.5 / (1.0 + de as f64);
        loss(cross_entropy(w17.dot(c3).softmax() + n18, label));
        push(Out { y: (gate(w19, x5, b20) * (w21 + w22).dot(target)).tanh() });
        loss((w17.dot(x15) - w17.dot(x16)).sum());
    }

    #[vertex_function]
    pub fn gold_12(
        #[param(E, E)] w2: Tensor, #[param(H)] b5: Tensor, #[param(E, H)] w6: Tensor,
        #[param(K, E)] w7: Tensor, #[param(E, K)] w9: Tensor, #[dim(K)] dk: Dim,
        #[param()] s12: Tensor, #[param(K, H)] w14: Tensor, #[param(K, K)] w15: Tensor,
        #[param(K, K)] w16: Tensor, #[param(H)] b17: Tensor, #[param(E)] b18: Tensor,
        #[param(H, H)] w19: Tensor, #[dim(E)] de: Dim, #[param(H)] b21: Tensor,
        #[param(K, H)] w22: Tensor, #[param(H, E)] w24: Tensor, #[param(H, K)] w25: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = w2.dot(p1.target);
        let x4 = {
            let x8 = w7.dot(w6.dot(b5));
            w9.tanh().dot(x8).tanh()
        };
        let mut a10 = zeros(dk);
        let mut t11 = s12;
        for Node { c, h } in gather_all::<Node>() {
            t11 += w2.dot(x3).tanh().sum().tanh();
            a10 += w14.dot(h) - c;
            a10 -= ((w15 + w16).dot(c) / (0.5 + c.sigmoid())).tanh();
        }
        for k in 0..2 {
            loss(cross_entropy(b17.softmax().softmax(), p1.label) * (k as f64 + 0.25));
        }
        loss(t11);
        let n20 = 0.75 / (1.0 + de as f64);
        let out23 = Scores { y: -b18, logits: w22.dot((w19 * n20).dot(b5) - b21) };
        push(out23);
        loss((w24.dot(x4) + w25.dot(a10)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_13(
        #[param(K, E)] w2: Tensor, #[param(E)] b5: Tensor, #[param(E)] b6: Tensor,
        #[param(4 * E, E)] w7: Tensor, #[param(H, E)] w12: Tensor, #[param(E, H)] w13: Tensor,
        #[param(E, K)] w14: Tensor, #[param(E, K)] w15: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = (w2 + w2).dot(p1.target);
        let v4: Node = gather(0);
        let [x8, x9, x10, x11] = w7.dot(blend(weighted([p1.target, b5, b5]), b5 * p1.target, b6)).split::<4>();
        loss(cross_entropy(w12.tanh().dot(x9).dropout(0.25).tanh(), p1.label));
        push(Out { y: (b5.sigmoid() - (w13 * 0.75).dot(v4.h)).tanh() });
        loss((((w14.dot(x3) - w15.dot(v4.c) + x8).tanh() + x10) * x11).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_14(
        #[param(K, E)] w3: Tensor, #[param(H)] b6: Tensor, #[param(K, H)] w7: Tensor,
        #[dim(H)] dh: Dim, #[param(E, E)] w9: Tensor,
    ) {
        let v1: Node = gather(0);
        let p2: Gold = pull();
        let x4 = w3.tanh().dot(p2.target);
        let mut m5 = v1.c.exp();
        m5 -= w7.dot(b6.sigmoid());
        let n8 = 0.75 / (1.0 + dh as f64);
        m5 -= (n8 / (0.5 + x4.dropout(0.5).sigmoid())).tanh();
        m5 = m5.tanh();
        loss(cross_entropy(m5.relu() - w3.dot(p2.target), p2.label));
        for k in 0..2 {
            loss(w9.sum() * (k as f64 + 0.25));
        }
        loss(v1.h.sum());
    }

    #[vertex_function]
    pub fn gold_15(
        #[param(E)] b4: Tensor, #[param(K)] b7: Tensor, #[dim(K)] dk: Dim,
        #[param(H, H)] w9: Tensor, #[param(E, K)] w11: Tensor, #[param(E, H)] w12: Tensor,
        #[param(E, E)] w13: Tensor, #[dim(H)] dh: Dim, #[param(K, E)] w14: Tensor,
        #[param()] s15: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { label, target } = pull();
        let x5 = target * b4;
        let x6 = {
            let x8 = concat([b7.slice(1..dk), b7.slice(0..1)]).relu();
            let x10 = w9.dot(h2).dropout(0.1);
            (w11.dot(x8) + w12.dot(x10)).tanh()
        };
        loss(cross_entropy((x5.log_softmax() - (w13 * (1.0 / dh as f64)).dot(target)).tanh(), label));
        for k in 0..2 {
            loss(((w14.dot(x6) - c3).max() + s15) * (k as f64 + 0.25));
        }
    }

    #[vertex_function]
    pub fn gold_16(
        #[param(E)] b1: Tensor, #[param(H)] b4: Tensor, #[param(E, H)] w5: Tensor,
        #[param(E)] b6: Tensor, #[param(H)] b7: Tensor, #[param(K, H)] w8: Tensor,
        #[param(K)] b9: Tensor, #[param(K, K)] w10: Tensor, #[dim(K)] dk: Dim,
        #[param()] s11: Tensor, #[param(H, K)] w13: Tensor, #[param(K)] b17: Tensor,
        #[param(3 * E, K)] w19: Tensor, #[param(3 * E)] b20: Tensor, #[dim(E)] de: Dim,
        #[param(E, H)] w22: Tensor,
    ) {
        let Gold { label, target } = pull();
        let x2 = target * b1;
        let x3 = {
            let x12: Tensor = blend((w5.dot(b4) * b6).sum(), w8.dot(b7), w10.dot(b9)) / (0.5 + (zeros(dk) - s11).sigmoid());
            w13.dot(x12).tanh()
        };
        let mut a14 = zeros(dk);
        let mut a15 = zeros(dk);
        for Node { c, h } in gather_all::<Node>() {
            a14 -= (w8 * 0.5).dot(h) * c;
            a15 -= b17.exp() * c;
        }
        let parts18 = (w19.dot((a15 * a14).tanh().tanh()) + b20).split::<3>();
        let mut a21 = zeros(de);
        for k in 1..=2 {
            a21 -= (parts18[k] - w5.dot(x3)).tanh();
        }
        loss(cross_entropy((w22 * 1.5).dot(x3).softmax().tanh(), label));
        loss(2.0 + b9.tanh().max());
        loss((x2 - target - a21).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_17(
        #[param(E)] b2: Tensor, #[param(H)] b5: Tensor, #[param(E, H)] w6: Tensor,
        #[param(E)] b7: Tensor, #[dim(E)] de: Dim, #[param(E, E)] w10: Tensor,
        #[param(E, E)] w11: Tensor, #[param(K, H)] w13: Tensor, #[dim(K)] dk: Dim,
        #[param(K, E)] w15: Tensor, #[param()] s17: Tensor, #[param(K, E)] w20: Tensor,
        #[param(K)] b21: Tensor, #[param(E)] b22: Tensor, #[param(H)] b24: Tensor,
        #[param(H, H)] w25: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x3 = p1 * b2;
        let parts4 = [weighted([w6.tanh().dot(b5).tanh(), b2, b7]), b2, zeros(de)];
        let mut a8 = b2;
        let x9 = concat(parts4);
        for k in 0..2 {
            a8 += (x9.slice(k * de..(k + 1) * de) + -(w10 + w11).dot(x3)).tanh();
        }
        let n14 = 0.5 / (1.0 + dk as f64);
        let mut a12 = (w13 * n14).dot(b5) + w15.dot(p1);
        let mut t16 = s17;
        for v18 in gather_all::<Node>() {
            let x19: Tensor = (v18.h + v18.h).sum().tanh() - zeros(de).tanh().softmax();
            t16 += scaled(a8, de).max().tanh();
            a12 = (v18.c - w20.dot(x19)).tanh() + a12 - (s17 + b21);
        }
        for k in 0..2 {
            loss(noisy(x3, 0.25).tanh().max() * (k as f64 + 0.25));
        }
        let out23 = Scores { y: b22.relu(), logits: 0.75 / (0.5 + a12.tanh().exp().sigmoid()) };
        push(out23);
        loss((2.0 / (w25.dot(b24).sigmoid() + 0.5) * t16).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_18(
        #[param(E)] b1: Tensor, #[param(H, H)] w6: Tensor, #[param(E, E)] w8: Tensor,
        #[param(K)] b11: Tensor, #[param(K, E)] w13: Tensor, #[param(K, E)] w14: Tensor,
        #[param(K, H)] w15: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = target * b1;
        let v3 = gather::<Node>(0);
        let (x4, [x7], s5) = ((v3.h * w6.dot(v3.h)).relu(), [w8.dot(x2)], mse(v3.h.tanh(), v3.h));
        let (x9, [x12], s10) = ((v3.c - b11).tanh(), [(0.5 + x4.sigmoid()).ln()], s5);
        loss(s10);
        loss((w13.dot(target) + w14.dot(x7) + x9 + w15.dot(x12)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_19(
        #[param(E)] b2: Tensor, #[param(K)] b4: Tensor, #[dim(H)] dh: Dim,
        #[param(2 * E, K)] w5: Tensor, #[param(2 * E)] b6: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w12: Tensor, #[param(H, H)] w14: Tensor, #[param(E, K)] w15: Tensor,
        #[param(E)] b16: Tensor, #[param(H, E)] w17: Tensor, #[param(H, E)] w18: Tensor,
        #[param(H, E)] w19: Tensor, #[param(H, E)] w20: Tensor, #[param(H, K)] w21: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x3 = p1 * b2;
        let [x7, x8] = (w5.dot(scaled(b4, dh).sigmoid()) + b6).split::<2>();
        let mut a9 = zeros(dk);
        let mut n10 = 1.0;
        for Node { h, c } in gather_all() {
            a9 = a9 + w12.dot(h) * c;
            n10 += 1.0;
        }
        let x13 = a9 / n10;
        loss(w14.max());
        push(Out { y: affine(w15, a9.dropout(0.5).tanh(), b16) });
        loss(((w17.dot(x3) + w18.dot(p1) - (w19 + w20).dot(x7)).tanh() - w17.dot(x8) + w21.dot(x13)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_20(
        #[param(E, E)] w2: Tensor, #[param(E, E)] w3: Tensor, #[param()] s8: Tensor,
        #[dim(K)] dk: Dim, #[param(2 * E, K)] w9: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b12: Tensor, #[param(E)] b13: Tensor, #[dim(E)] de: Dim,
        #[param(E, H)] w14: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x4 = (w2 + w3).dot(p1);
        let Node { h: h6, c: c7 } = gather(0);
        let [x10, x11] = w9.dot((s8 - c7) * (1.0 / dk as f64)).split::<2>();
        for k in 0..2 {
            loss((zeros(dh).relu().tanh() * b12).sum() * (k as f64 + 0.25));
        }
        for k in 0..2 {
            loss((1.0 / de as f64 + (b13 * x10).tanh().sum().sigmoid()) * (k as f64 + 0.25));
        }
        loss((x4 + p1 + w14.dot(h6) - x11).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_21(
        #[param(K, E)] w2: Tensor, #[param(E, K)] w4: Tensor, #[param(H)] b5: Tensor,
        #[param(E, H)] w6: Tensor, #[param(E)] b7: Tensor, #[param(E, E)] w8: Tensor,
        #[param(K)] b11: Tensor, #[dim(K)] dk: Dim, #[param(K, H)] w14: Tensor,
        #[param()] s15: Tensor, #[param(E, E)] w16: Tensor, #[param(H)] b17: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let x9 = ((w4.dot(x3) + (w6 + w6).dot(b5)) * w8.dot(b7)).log_softmax().tanh();
        let mut a10 = x3 - b11;
        let mut a12 = x3 * zeros(dk);
        for Node { c, h } in gather_all::<Node>() {
            a10 += w14.dot(h) * c;
            a12 = s15 * x3 * mse(h, h) + a12;
        }
        loss(cross_entropy(zeros(dk).tanh().tanh(), label));
        loss(w16.sum());
        let out18 = Scores { y: 1.5 * b7, logits: b17.tanh().softmax() };
        push(out18);
        loss(((w2.tanh().dot(x9) * a10).tanh() + a12).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_22(
        #[param(H, E)] w1: Tensor, #[param(H)] b6: Tensor, #[param(E)] b8: Tensor,
        #[param(E, E)] w9: Tensor, #[param(E)] b10: Tensor, #[param(K, E)] w11: Tensor,
        #[dim(K)] dk: Dim, #[param(K)] b12: Tensor, #[param(K, K)] w13: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = w1.dot(target);
        let Node { h: h4, .. } = gather(0);
        let x5 = {
            let x7 = b6.exp();
            x7.tanh()
        };
        loss(mse(-(b8.sigmoid() + 0.5).ln(), w9.dot(target) / (b10.sigmoid() + 0.5)));
        loss(concat([w11.dot(target), b12 * w13.dot(b12)]).slice(0..dk).sum());
        loss((x2 - h4 - x5).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_23(
        #[param(E, E)] w1: Tensor, #[param(K, H)] w5: Tensor, #[param(2 * K, K)] w6: Tensor,
        #[param(2 * K)] b7: Tensor, #[param(E)] b10: Tensor, #[param(E, H + E)] w11: Tensor,
        #[param(K)] b12: Tensor, #[param(K, H + K)] w13: Tensor, #[dim(E)] de: Dim,
        #[param()] s14: Tensor, #[param(E)] b15: Tensor, #[param(K, E)] w17: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = w1.dot(target);
        let Node { h: h4, .. } = gather(0);
        let [x8, x9] = (w6.dot((w5.dot(h4) - 0.75).softmax()) + b7).split();
        loss(w11.dot(concat([b10, h4])).sum());
        loss((w13.dot(summary(Node { h: h4, c: b12 })) * x8).tanh().sum());
        let out16 = Scores { y: zeros(de) - s14, logits: mse(zeros(de), b15) + s14 };
        push(out16);
        loss((w17.dot(x2) + x9).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_24(
        #[param(E)] b4: Tensor, #[param(H, E)] w6: Tensor, #[param(H, H + K)] w7: Tensor,
        #[param(2 * E, H)] w8: Tensor, #[param(2 * E)] b9: Tensor, #[param(E, H)] w13: Tensor,
        #[param(K, K)] w15: Tensor, #[param(K)] b16: Tensor, #[param(K)] b17: Tensor,
        #[param(H, E)] w18: Tensor, #[param(H, E)] w19: Tensor, #[param(H, E)] w20: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { label, target } = pull();
        let x5 = target * b4;
        let (x10, x11) = halves(w8.dot(w7.dot(concat([c3, w6.dot(target)]))) + b9);
        let x12 = {
            let x14 = (0.5 + w13.dot(h2).sigmoid()).ln();
            x14.tanh()
        };
        loss(cross_entropy(crate::cells::gate(w15, c3 * b16, b17), label));
        loss((((w18.dot(x5) + w6.dot(x10)).tanh() + w19.dot(x11)).tanh() * w20.dot(x12)).sum());
    }

    #[vertex_function]
    pub fn gold_25(
        #[param(E)] b5: Tensor, #[param(E, K)] w7: Tensor, #[param(K)] b8: Tensor,
        #[param(E)] b9: Tensor, #[param(E)] b10: Tensor, #[param(K, H)] w14: Tensor,
        #[param(H, K)] w15: Tensor, #[dim(K)] dk: Dim, #[param(K, K)] w16: Tensor,
        #[param(E, H + E)] w17: Tensor, #[param(H, E)] w18: Tensor, #[param(H, E)] w19: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { target: p4, label } = pull::<Gold>();
        let x6 = p4 * b5;
        let [x11, x12] = [crate::cells::gate(w7, b8, b9), b10];
        let x13 = {
            let h2 = h2.tanh() + 2.0 / (h2.sigmoid() + 0.5);
            w14.dot(h2).tanh()
        };
        loss(cross_entropy(noisy(w15.tanh().dot(c3).relu(), 0.5), label));
        loss(mse(-(-zeros(dk)), w16.dot(x13)));
        push(Out { y: w17.dot(concat([h2, x12])) });
        loss((w18.dot(x6) * w18.dot(p4) - w19.dot(x11)).sum());
    }

    #[vertex_function]
    pub fn gold_26(
        #[param(E, E)] w1: Tensor, #[param(E)] b4: Tensor, #[dim(K)] dk: Dim,
        #[param(K, E)] w5: Tensor, #[param(2 * E, K)] w6: Tensor, #[param(K, K)] w9: Tensor,
        #[param(K)] b10: Tensor, #[param(K)] b11: Tensor, #[param()] s12: Tensor,
        #[param(K, H)] w14: Tensor, #[param(K, E)] w15: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = (w1 * 0.75).dot(target);
        let v3: Node = gather(0);
        let [x7, x8] = w6.dot(w5.dot(scaled(b4, dk))).split();
        loss(w9.sum().sigmoid());
        loss(((2.0 + b10) / (crate::cells::gate(w5, x2, b11).sigmoid() + 0.5)).max());
        let out13 = Scores { y: target.sigmoid(), logits: (s12 - w5.dot(x8)).relu() };
        push(out13);
        loss((w14.dot(v3.h) * v3.c + w15.dot(x7)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_27(
        #[param(E)] b3: Tensor, #[param(H)] b7: Tensor, #[param(H)] b8: Tensor,
        #[param(E, H)] w10: Tensor, #[param(E, H)] w11: Tensor, #[dim(K)] dk: Dim,
        #[param()] s12: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Gold { label, target } = pull();
        let x4 = target * b3;
        let x5 = {
            let x6 = (b3.sigmoid() + 0.5).ln() / (target.relu().sigmoid() + 0.5);
            let x9: Tensor = (b7 / (b8.sigmoid() + 0.5)).tanh();
            (x6 + w10.dot(x9)).tanh()
        };
        loss(cross_entropy(-w11.dot(h2).tanh(), label));
        for k in 0..2 {
            loss(cross_entropy((s12.tanh() - 1.0 / (dk as f64).sqrt() / (b3.sigmoid() + 0.5)).tanh(), label) * (k as f64 + 0.25));
        }
        loss((x4 * x5).sum());
    }

    #[vertex_function]
    pub fn gold_28(
        #[param(E)] b2: Tensor, #[dim(H)] dh: Dim, #[param(K, E)] w6: Tensor,
        #[param(K, E)] w7: Tensor, #[dim(K)] dk: Dim, #[param(K, K)] w9: Tensor,
        #[param(K, K + E)] w10: Tensor, #[param(E, H)] w12: Tensor, #[param(E, K)] w13: Tensor,
        #[param(H, E)] w16: Tensor, #[param(K)] b17: Tensor, #[param()] s18: Tensor,
        #[param(H, E)] w19: Tensor, #[param(E)] b20: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = p1.target * b2;
        let v4 = gather::<Node>(0);
        let x5 = {
            let x8 = concat([v4.c - (w6 + w7).dot(p1.target), v4.h]).slice(dk..dk + dh);
            let x11 = w10.dot(concat([w9.dot(v4.c), x3]));
            (w12.dot(x8) + w13.dot(x11)).tanh()
        };
        let x14 = {
            let x15 = noisy(concat([v4.h, v4.h]).slice(dh..dh + dh), 0.25);
            let x5 = x5.tanh() + x5.dropout(0.25);
            (x15 + w16.dot(x5)).tanh()
        };
        loss(cross_entropy(b17.log_softmax() * v4.c, p1.label));
        loss(mse(x14.tanh() * s18.tanh(), w19.dot(x3)));
        push(Out { y: (b20 - p1.target + mse(b17, v4.c)).tanh() });
    }

    #[vertex_function]
    pub fn gold_29(
        #[param(E)] b3: Tensor, #[param(2 * E, E)] w5: Tensor, #[param(2 * E)] b6: Tensor,
        #[param(H, E)] w10: Tensor, #[param(H)] b12: Tensor, #[param(K, K)] w13: Tensor,
        #[param(K)] b14: Tensor, #[param(H)] b15: Tensor, #[param(K, E)] w16: Tensor,
        #[param(K, H)] w17: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let Gold { target: p2, label } = pull::<Gold>();
        let x4 = p2 * b3;
        let (x7, x8) = halves(w5.dot(p2.sum() * x4.relu()) + b6);
        let parts9 = [w10.tanh().dot(x7).tanh().exp().relu().tanh(), v1.h.softmax(), v1.h];
        let mut a11 = b12;
        for k in 1..=2 {
            a11 -= (parts9[k] - v1.h.softmax()).tanh();
        }
        for k in 0..2 {
            loss(cross_entropy((2.0 / (w13.dot(v1.c).sigmoid() + 0.5) / (b14.relu().sigmoid() + 0.5)).tanh(), label) * (k as f64 + 0.25));
        }
        loss((b12 + b15).softmax().sum());
        loss((w16.dot(x8) + w17.dot(a11)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_30(
        #[param(H, E)] w1: Tensor, #[param(H)] b6: Tensor, #[param(3 * H, H)] w7: Tensor,
        #[param(3 * H)] b8: Tensor, #[param(E)] b10: Tensor, #[param(H, E)] w11: Tensor,
        #[param(2 * H, H)] w12: Tensor, #[param(2 * H)] b13: Tensor, #[param()] s16: Tensor,
        #[param(K, H)] w17: Tensor, #[param(K, H)] w18: Tensor, #[param(K, H)] w19: Tensor,
    ) {
        let Gold { label, target } = pull();
        let x2 = w1.dot(target);
        let Node { h: h4, .. } = gather(0);
        let parts5 = (w7.dot(noisy(h4 - b6, 0.5)) + b8).split::<3>();
        let mut a9 = b6;
        for part in parts5 {
            a9 = a9.tanh() + (part * (w1.dot(target) - x2).tanh()).tanh();
        }
        let [x14, x15] = (w12.dot(w11.dot(b10.tanh())) + b13).split::<2>();
        for k in 0..2 {
            loss(cross_entropy(0.5 * (s16 + w1.dot(target)), label) * (k as f64 + 0.25));
        }
        loss(((w17.dot(a9) * w18.dot(x14)).tanh() * (w19 * 0.5).dot(x15)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_31(
        #[param(E, E)] w2: Tensor, #[param(K)] b8: Tensor, #[param(K, K)] w9: Tensor,
        #[param(K)] b10: Tensor, #[param(H, K)] w12: Tensor, #[param(K, E)] w13: Tensor,
        #[param(H)] b14: Tensor, #[param(H, H)] w16: Tensor, #[param(K)] b17: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let Node { h: h5, .. } = gather(0);
        let (x6, [x11], s7) = ((x3.exp() / (0.5 + (-p1).sigmoid())).tanh(), [b8 + w9.tanh().dot(b8)], ((0.5 + w9.dot(b8).sigmoid()).ln() * w9.dot(b10)).sum());
        let x15 = affine(w12, x11.exp() * w13.dot(x6), b14).tanh();
        for k in 0..2 {
            loss(cross_entropy((w16.max() * p1.log_softmax()).tanh(), label) * (k as f64 + 0.25));
        }
        loss(b17.relu().sum());
        loss((h5 * s7 - x15).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_32(
        #[param(E)] b2: Tensor, #[param(K)] b4: Tensor, #[param(K, K)] w5: Tensor,
        #[param(2 * K, K)] w7: Tensor, #[dim(E)] de: Dim, #[dim(K)] dk: Dim,
        #[param(K)] b12: Tensor, #[param(E, H)] w13: Tensor, #[param(E, H)] w14: Tensor,
        #[param(E, K)] w15: Tensor, #[param(E, E)] w18: Tensor, #[param(E)] b19: Tensor,
        #[param()] s20: Tensor, #[param(E, H)] w22: Tensor, #[param(H)] b23: Tensor,
        #[param(E)] b24: Tensor, #[param(K, K)] w25: Tensor, #[param(E)] b26: Tensor,
        #[param(H, E)] w28: Tensor, #[param(H, E)] w29: Tensor, #[param(H, K)] w30: Tensor,
        #[param(H, E)] w31: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = p1.target * b2;
        let n6 = 2.0_f64.sqrt() - 0.75;
        let (x8, x9) = halves(w7.dot((w5.dot(b4) * n6).softmax()));
        let mut a10 = zeros(de);
        for v11 in gather_all::<Node>() {
            let x9 = x9.tanh() + (zeros(dk) - b12);
            a10 = ((w13 + w14).dot(v11.h) + w15.dot(v11.c) + w15.dot(x9)).tanh() + a10;
        }
        let (x16, [x21], s17) = (crate::cells::gate(w18, b2.exp(), b19), [gate(w22, b23, b24)], mse(s20 - x3, a10).tanh());
        loss(cross_entropy(affine(w25, x9, b4).log_softmax().tanh(), p1.label));
        let out27 = Scores { y: b26.tanh(), logits: s17 };
        push(out27);
        loss((((w28 + w29).dot(p1.target) - w30.tanh().dot(x8) - w31.dot(x16)).tanh() + (w28 * 0.75).dot(x21)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_33(
        #[param(E, E)] w2: Tensor, #[param(H)] b7: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b9: Tensor, #[param(K)] b10: Tensor, #[dim(K)] dk: Dim,
        #[param(4 * H, K)] w11: Tensor, #[param(4 * H)] b12: Tensor, #[param(H, H)] w17: Tensor,
        #[param(K)] b19: Tensor, #[param(H, K)] w20: Tensor, #[param(K, E)] w21: Tensor,
        #[param(K, H)] w22: Tensor, #[param(K, H)] w23: Tensor, #[param(K, H)] w24: Tensor,
    ) {
        let p1: Gold = pull();
        let x3: Tensor = w2.dot(p1.target);
        let Node { h: h5, .. } = gather(0);
        let mut m6 = b7;
        let n8 = 0.75 / (1.0 + dh as f64);
        m6 /= n8;
        m6 *= concat([b9, b10 + zeros(dk)]).slice(0..dh);
        m6 = m6.tanh();
        let [x13, x14, x15, x16] = (w11.dot(b10.relu().tanh()) + b12).split::<4>();
        let n18 = 2.0_f64.sqrt() - 0.75;
        loss(cross_entropy((n18 - (w17.dot(x16) + x15)).tanh(), p1.label));
        loss(cross_entropy(x14.relu() + w20.dot(b19), p1.label).tanh());
        loss((w21.dot(x3) + w22.dot(h5) - w23.dot(m6) + w24.dot(x13)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_34(
        #[param(E, E)] w1: Tensor, #[param(H, E)] w3: Tensor, #[param(K)] b4: Tensor,
        #[param(H, K)] w5: Tensor, #[param(3 * H, H)] w6: Tensor, #[dim(E)] de: Dim,
        #[param(E, E)] w13: Tensor, #[param()] s14: Tensor, #[param(E, H)] w16: Tensor,
        #[param(E, K)] w17: Tensor, #[param(K, H)] w20: Tensor, #[dim(K)] dk: Dim,
        #[dim(H)] dh: Dim, #[param(K, E)] w25: Tensor, #[param(E, K)] w27: Tensor,
    ) {
        let Gold { label, target } = pull();
        let x2 = w1.dot(target);
        let [x7, x8, x9]: [Tensor; 3] = w6.dot(w3.dot(x2) + w3.dot(x2) + w5.dot(b4)).tanh().split();
        let mut a10 = zeros(de);
        let mut n11 = 1.0;
        for v12 in gather_all::<Node>() {
            let s15 = w13.sum() + s14;
            a10 += (w16.dot(v12.h) * w17.dot(v12.c) + s15).tanh();
            a10 -= (x2 + x2).tanh();
            n11 += 1.0;
        }
        let x18 = a10 / n11;
        let mut m19 = 1.5 + w20.dot(x8);
        let n21 = 0.75 / (1.0 + de as f64);
        m19 /= n21;
        m19 -= scaled(w20.dot(x7), dk);
        m19 = m19.tanh();
        let mut a22 = zeros(dh);
        for Node { c, h } in gather_all::<Node>() {
            a22 = a22 + (h + w5.dot(c));
        }
        let mut m24 = -x18;
        m24 += (0.5 + (a10 - 2.0).tanh().sigmoid()).ln();
        m24 += w17.dot(w25.tanh().dot(a10).dropout(0.25).tanh());
        m24 = m24.tanh();
        loss(cross_entropy(weighted([a22, x7, x9]).tanh() * 0.5, label));
        let out26 = Scores { y: s14 + m24, logits: ((zeros(de) * a10).sigmoid() + 0.5).ln() };
        push(out26);
        loss((w17 + w27).dot(m19).sum());
    }

    #[vertex_function]
    pub fn gold_35(
        #[param(H, E)] w1: Tensor, #[param(E, H)] w7: Tensor, #[param(H)] b9: Tensor,
        #[dim(H)] dh: Dim, #[param(K, H)] w10: Tensor, #[param(K, E)] w11: Tensor,
        #[param(K, E)] w12: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = w1.dot(target);
        let Node { h: h4, c: c5 } = gather(0);
        let x6 = {
            let x2 = x2.tanh() + w1.dot(target).log_softmax();
            w7.dot(x2).tanh()
        };
        let mut m8 = c5.relu();
        m8 *= (0.5 + (c5 + c5).sigmoid()).ln();
        m8 = m8.tanh();
        for k in 0..2 {
            loss(mse(b9.softmax().log_softmax(), zeros(dh)).tanh() * (k as f64 + 0.25));
        }
        loss((w10.dot(h4) + (w11 + w12).dot(x6) + m8).tanh().sum());
    }
}

/// The functions of a kind, each as what enters it into a model.
pub fn functions<T: Element>(kind: Kind) -> Vec<Enter<T>> {
    match kind {
        Kind::Leaf => vec![
            enter::<leaf::leaf_0, T>,
            enter::<leaf::leaf_1, T>,
            enter::<leaf::leaf_2, T>,
            enter::<leaf::leaf_3, T>,
            enter::<leaf::leaf_4, T>,
            enter::<leaf::leaf_5, T>,
            enter::<leaf::leaf_6, T>,
            enter::<leaf::leaf_7, T>,
            enter::<leaf::leaf_8, T>,
            enter::<leaf::leaf_9, T>,
            enter::<leaf::leaf_10, T>,
            enter::<leaf::leaf_11, T>,
            enter::<leaf::leaf_12, T>,
            enter::<leaf::leaf_13, T>,
            enter::<leaf::leaf_14, T>,
            enter::<leaf::leaf_15, T>,
            enter::<leaf::leaf_16, T>,
            enter::<leaf::leaf_17, T>,
            enter::<leaf::leaf_18, T>,
            enter::<leaf::leaf_19, T>,
            enter::<leaf::leaf_20, T>,
            enter::<leaf::leaf_21, T>,
            enter::<leaf::leaf_22, T>,
            enter::<leaf::leaf_23, T>,
            enter::<leaf::leaf_24, T>,
            enter::<leaf::leaf_25, T>,
            enter::<leaf::leaf_26, T>,
            enter::<leaf::leaf_27, T>,
            enter::<leaf::leaf_28, T>,
            enter::<leaf::leaf_29, T>,
            enter::<leaf::leaf_30, T>,
            enter::<leaf::leaf_31, T>,
            enter::<leaf::leaf_32, T>,
            enter::<leaf::leaf_33, T>,
            enter::<leaf::leaf_34, T>,
            enter::<leaf::leaf_35, T>,
        ],
        Kind::One => vec![
            enter::<one::one_0, T>,
            enter::<one::one_1, T>,
            enter::<one::one_2, T>,
            enter::<one::one_3, T>,
            enter::<one::one_4, T>,
            enter::<one::one_5, T>,
            enter::<one::one_6, T>,
            enter::<one::one_7, T>,
            enter::<one::one_8, T>,
            enter::<one::one_9, T>,
            enter::<one::one_10, T>,
            enter::<one::one_11, T>,
            enter::<one::one_12, T>,
            enter::<one::one_13, T>,
            enter::<one::one_14, T>,
            enter::<one::one_15, T>,
            enter::<one::one_16, T>,
            enter::<one::one_17, T>,
            enter::<one::one_18, T>,
            enter::<one::one_19, T>,
            enter::<one::one_20, T>,
            enter::<one::one_21, T>,
            enter::<one::one_22, T>,
            enter::<one::one_23, T>,
            enter::<one::one_24, T>,
            enter::<one::one_25, T>,
            enter::<one::one_26, T>,
            enter::<one::one_27, T>,
            enter::<one::one_28, T>,
            enter::<one::one_29, T>,
            enter::<one::one_30, T>,
            enter::<one::one_31, T>,
            enter::<one::one_32, T>,
            enter::<one::one_33, T>,
            enter::<one::one_34, T>,
            enter::<one::one_35, T>,
        ],
        Kind::Pair => vec![
            enter::<pair::pair_0, T>,
            enter::<pair::pair_1, T>,
            enter::<pair::pair_2, T>,
            enter::<pair::pair_3, T>,
            enter::<pair::pair_4, T>,
            enter::<pair::pair_5, T>,
            enter::<pair::pair_6, T>,
            enter::<pair::pair_7, T>,
            enter::<pair::pair_8, T>,
            enter::<pair::pair_9, T>,
            enter::<pair::pair_10, T>,
            enter::<pair::pair_11, T>,
            enter::<pair::pair_12, T>,
            enter::<pair::pair_13, T>,
            enter::<pair::pair_14, T>,
            enter::<pair::pair_15, T>,
            enter::<pair::pair_16, T>,
            enter::<pair::pair_17, T>,
            enter::<pair::pair_18, T>,
            enter::<pair::pair_19, T>,
            enter::<pair::pair_20, T>,
            enter::<pair::pair_21, T>,
            enter::<pair::pair_22, T>,
            enter::<pair::pair_23, T>,
            enter::<pair::pair_24, T>,
            enter::<pair::pair_25, T>,
            enter::<pair::pair_26, T>,
            enter::<pair::pair_27, T>,
            enter::<pair::pair_28, T>,
            enter::<pair::pair_29, T>,
            enter::<pair::pair_30, T>,
            enter::<pair::pair_31, T>,
            enter::<pair::pair_32, T>,
            enter::<pair::pair_33, T>,
            enter::<pair::pair_34, T>,
            enter::<pair::pair_35, T>,
        ],
        Kind::Several => vec![
            enter::<several::several_0, T>,
            enter::<several::several_1, T>,
            enter::<several::several_2, T>,
            enter::<several::several_3, T>,
            enter::<several::several_4, T>,
            enter::<several::several_5, T>,
            enter::<several::several_6, T>,
            enter::<several::several_7, T>,
            enter::<several::several_8, T>,
            enter::<several::several_9, T>,
            enter::<several::several_10, T>,
            enter::<several::several_11, T>,
            enter::<several::several_12, T>,
            enter::<several::several_13, T>,
            enter::<several::several_14, T>,
            enter::<several::several_15, T>,
            enter::<several::several_16, T>,
            enter::<several::several_17, T>,
            enter::<several::several_18, T>,
            enter::<several::several_19, T>,
            enter::<several::several_20, T>,
            enter::<several::several_21, T>,
            enter::<several::several_22, T>,
            enter::<several::several_23, T>,
            enter::<several::several_24, T>,
            enter::<several::several_25, T>,
            enter::<several::several_26, T>,
            enter::<several::several_27, T>,
            enter::<several::several_28, T>,
            enter::<several::several_29, T>,
            enter::<several::several_30, T>,
            enter::<several::several_31, T>,
            enter::<several::several_32, T>,
            enter::<several::several_33, T>,
            enter::<several::several_34, T>,
            enter::<several::several_35, T>,
        ],
        Kind::All => vec![
            enter::<all::all_0, T>,
            enter::<all::all_1, T>,
            enter::<all::all_2, T>,
            enter::<all::all_3, T>,
            enter::<all::all_4, T>,
            enter::<all::all_5, T>,
            enter::<all::all_6, T>,
            enter::<all::all_7, T>,
            enter::<all::all_8, T>,
            enter::<all::all_9, T>,
            enter::<all::all_10, T>,
            enter::<all::all_11, T>,
            enter::<all::all_12, T>,
            enter::<all::all_13, T>,
            enter::<all::all_14, T>,
            enter::<all::all_15, T>,
            enter::<all::all_16, T>,
            enter::<all::all_17, T>,
            enter::<all::all_18, T>,
            enter::<all::all_19, T>,
            enter::<all::all_20, T>,
            enter::<all::all_21, T>,
            enter::<all::all_22, T>,
            enter::<all::all_23, T>,
            enter::<all::all_24, T>,
            enter::<all::all_25, T>,
            enter::<all::all_26, T>,
            enter::<all::all_27, T>,
            enter::<all::all_28, T>,
            enter::<all::all_29, T>,
            enter::<all::all_30, T>,
            enter::<all::all_31, T>,
            enter::<all::all_32, T>,
            enter::<all::all_33, T>,
            enter::<all::all_34, T>,
            enter::<all::all_35, T>,
        ],
        Kind::Mixed => vec![
            enter::<mixed::mixed_0, T>,
            enter::<mixed::mixed_1, T>,
            enter::<mixed::mixed_2, T>,
            enter::<mixed::mixed_3, T>,
            enter::<mixed::mixed_4, T>,
            enter::<mixed::mixed_5, T>,
            enter::<mixed::mixed_6, T>,
            enter::<mixed::mixed_7, T>,
            enter::<mixed::mixed_8, T>,
            enter::<mixed::mixed_9, T>,
            enter::<mixed::mixed_10, T>,
            enter::<mixed::mixed_11, T>,
            enter::<mixed::mixed_12, T>,
            enter::<mixed::mixed_13, T>,
            enter::<mixed::mixed_14, T>,
            enter::<mixed::mixed_15, T>,
            enter::<mixed::mixed_16, T>,
            enter::<mixed::mixed_17, T>,
            enter::<mixed::mixed_18, T>,
            enter::<mixed::mixed_19, T>,
            enter::<mixed::mixed_20, T>,
            enter::<mixed::mixed_21, T>,
            enter::<mixed::mixed_22, T>,
            enter::<mixed::mixed_23, T>,
            enter::<mixed::mixed_24, T>,
            enter::<mixed::mixed_25, T>,
            enter::<mixed::mixed_26, T>,
            enter::<mixed::mixed_27, T>,
            enter::<mixed::mixed_28, T>,
            enter::<mixed::mixed_29, T>,
            enter::<mixed::mixed_30, T>,
            enter::<mixed::mixed_31, T>,
            enter::<mixed::mixed_32, T>,
            enter::<mixed::mixed_33, T>,
            enter::<mixed::mixed_34, T>,
            enter::<mixed::mixed_35, T>,
        ],
        Kind::Gold => vec![
            enter::<gold::gold_0, T>,
            enter::<gold::gold_1, T>,
            enter::<gold::gold_2, T>,
            enter::<gold::gold_3, T>,
            enter::<gold::gold_4, T>,
            enter::<gold::gold_5, T>,
            enter::<gold::gold_6, T>,
            enter::<gold::gold_7, T>,
            enter::<gold::gold_8, T>,
            enter::<gold::gold_9, T>,
            enter::<gold::gold_10, T>,
            enter::<gold::gold_11, T>,
            enter::<gold::gold_12, T>,
            enter::<gold::gold_13, T>,
            enter::<gold::gold_14, T>,
            enter::<gold::gold_15, T>,
            enter::<gold::gold_16, T>,
            enter::<gold::gold_17, T>,
            enter::<gold::gold_18, T>,
            enter::<gold::gold_19, T>,
            enter::<gold::gold_20, T>,
            enter::<gold::gold_21, T>,
            enter::<gold::gold_22, T>,
            enter::<gold::gold_23, T>,
            enter::<gold::gold_24, T>,
            enter::<gold::gold_25, T>,
            enter::<gold::gold_26, T>,
            enter::<gold::gold_27, T>,
            enter::<gold::gold_28, T>,
            enter::<gold::gold_29, T>,
            enter::<gold::gold_30, T>,
            enter::<gold::gold_31, T>,
            enter::<gold::gold_32, T>,
            enter::<gold::gold_33, T>,
            enter::<gold::gold_34, T>,
            enter::<gold::gold_35, T>,
        ],
    }
}
