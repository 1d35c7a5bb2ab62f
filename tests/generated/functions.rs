//! Vertex functions that no one wrote: `EDB_BLESS=1 cargo test --test suite generated` writes them
//! anew.

// Accumulators are written in all the ways that the language has.
#![allow(clippy::assign_op_pattern)]

use edb::Element;

use super::generator::PortKind;
use super::model::{Enter, enter};

pub mod prelude {
    pub use edb::prelude::*;

    pub use super::super::cells::*;
}

pub mod leaf {
    use super::prelude::*;

    #[vertex_function]
    pub fn leaf_0(
        #[param(E)] b2: Tensor, #[param(V, H)] table4: Tensor, #[param(K, H)] w6: Tensor,
        #[param(2 * E, K)] w7: Tensor, #[param(2 * E)] b8: Tensor, #[param(E)] b11: Tensor,
        #[param(E, H)] w12: Tensor, #[param(K, E)] w13: Tensor, #[param(K, E)] w14: Tensor,
        #[param(K, E)] w15: Tensor, #[param(K, E)] w16: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = p1.x * b2;
        let x5 = table4.row(p1.id);
        let [x9, x10] = (w7.dot(w6.dot(x5).noise(0.5).tanh().minimum(w6.dot(x5))) + b8).split::<2>();
        loss(w13.dot(b11 - w12.dot(x5)).sum().tanh());
        let state = Node { c: ((w13 * 2.0).dot(x3) - w14.dot(p1.x) + w15.dot(x9) - w16.dot(x10)).tanh(), h: x5.exp().tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn leaf_1(
        #[param(E)] b2: Tensor, #[param(K)] b4: Tensor, #[param(K, K)] w5: Tensor,
        #[dim(K)] dk: Dim, #[param(H, K)] w6: Tensor, #[param(2 * K, H)] w7: Tensor,
        #[param(K, E)] w10: Tensor, #[param(K, E)] w11: Tensor, #[param(H)] b12: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = p1 * b2;
        let [x8, x9]: [Tensor; 2] = w7.dot(w6.dot(concat([w5.dot(b4).slice(1..dk), w5.dot(b4).slice(0..1)]))).split();
        for k in 0..2 {
            loss(cross_entropy((x9.tanh().exp() - x8).tanh(), label) * (k as f64 + 0.25));
        }
        let state = Node { c: (w10.dot(x3) * w11.dot(p1)).tanh(), h: -b12 };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn leaf_2(
        #[param(H, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(E, H)] w6: Tensor,
        #[param()] s7: Tensor, #[param(2 * K, E)] w8: Tensor, #[param(2 * K)] b9: Tensor,
        #[dim(E)] de: Dim, #[param(H, E)] w12: Tensor, #[param(E, H + K)] w13: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = (w2 + w2).dot(p1);
        let x5 = table4.row(id);
        let [x10, x11] = (w8.dot(s7.tanh() + (w6.dot(x3) + x5)) + b9).tanh().split();
        loss(((s7 - x5).exp() * zeros(de)).sum());
        push(Out { y: w13.dot(summary(Node { h: w12.dot(x5), c: x10 })).variational_dropout(0.5).tanh() });
        let (h, c) = ((x3 + x3).tanh(), x11);
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn leaf_3(
        #[param(E, E)] w1: Tensor, #[param(V, E)] table3: Tensor, #[param(H, K)] w7: Tensor,
        #[param(K)] b8: Tensor, #[param(H)] b9: Tensor, #[param(K)] b10: Tensor,
        #[param(H, K)] w11: Tensor, #[param(H, H)] w12: Tensor, #[param(H)] b14: Tensor,
        #[dim(H)] dh: Dim, #[dim(E)] de: Dim, #[param(K, E)] w15: Tensor,
        #[param(K, H)] w16: Tensor, #[param(K, H)] w17: Tensor, #[param(H)] b18: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = w1.dot(x);
        let x4: Tensor = table3.row(id);
        let (x5, [x13], s6) = (crate::generated::cells::gate(w7, b8.exp(), b9), [concat([x2, (w12 * 0.5).dot(b14)]).slice(de..de + dh)], (w11.dot(b10).relu() * w12.dot(b9)).sum());
        scatter(Node { c: ((w15.dot(x) - w15.dot(x4) + w16.dot(x5)).tanh() + s6 + w17.dot(x13)).tanh(), h: x13.maximum(b18).tanh() });
    }

    #[vertex_function]
    pub fn leaf_4(
        #[param(H, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(H, H)] w8: Tensor,
        #[param(E)] b9: Tensor, #[param(K, K)] w11: Tensor, #[param(H, K)] w12: Tensor,
        #[param(K)] b13: Tensor, #[dim(H)] dh: Dim,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3: Tensor = w2.dot(p1);
        let x5 = table4.row(id);
        let (x6, [x10], s7) = (0.5 + w8.dot(x3) - x3, [w11.dot(x5).variational_dropout(0.1)], (b9 + p1).sum());
        let state: Node = Node { h: ((x6 - s7).tanh() + w12.dot(x10)).tanh(), c: scaled(b13, dh) };
        scatter(state);
    }

    #[vertex_function]
    pub fn leaf_5(
        #[param(E)] b2: Tensor, #[param(E)] b6: Tensor, #[param(H)] b7: Tensor,
        #[param(H)] b9: Tensor, #[param(H, H)] w10: Tensor, #[param(H, E)] w11: Tensor,
        #[param(H, E)] w12: Tensor, #[param(E, H)] w13: Tensor, #[param(E)] b14: Tensor,
        #[param(K, H)] w15: Tensor, #[param(K)] b16: Tensor, #[param(K, K)] w17: Tensor,
    ) {
        let p1: Signal = pull();
        let x3 = p1.x * b2;
        let (x4, [x8], s5) = (x3.tanh().maximum(b6), [w10.dot(b9).less((w11 + w12).dot(p1.x) + 0.1).select(b7, w10.dot(b9))], (0.75 / (0.5 + b7.sigmoid())).tanh().sum());
        loss(cross_entropy((x4.log_softmax() + s5).tanh(), p1.label));
        for k in 0..2 {
            loss(cross_entropy(crate::generated::cells::gate(w13, x8, b14) - x3, p1.label) * (k as f64 + 0.25));
        }
        let (h, c) = (b7.exp().maximum(x8).tanh(), (w15.dot(x8) * w17.dot(b16)).exp().tanh());
        scatter(Node { h, c });
        let out18 = Scores { y: b2.sigmoid(), logits: p1.x.minimum(x4).tanh() };
        push(out18);
    }

    #[vertex_function]
    pub fn leaf_6(
        #[param(E, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[dim(E)] de: Dim,
        #[param(K)] b7: Tensor, #[param(E, K)] w8: Tensor, #[param(V, E)] table9: Tensor,
        #[param(E)] b10: Tensor, #[param(E)] b11: Tensor, #[param(4 * E, E)] w12: Tensor,
        #[param(K, E)] w18: Tensor, #[param(K, E)] w19: Tensor, #[param(K, E)] w20: Tensor,
        #[param(H)] b21: Tensor, #[param(H, H)] w22: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let n6 = 1.5 / (1.0 + de as f64);
        let x5 = x5.tanh() + blend(n6 * p1.x, w8.dot(b7), table9.row(p1.id));
        let [x13, x14, x15, x16] = w12.dot(b10 * b11 + x3).split();
        let out17 = Scores { y: x5.relu().tanh(), logits: x15.log_softmax().tanh().gelu_tanh() };
        push(out17);
        let (h, c) = (w22.dot(b21).tanh(), ((w18.dot(x13) + (w19 + w18).dot(x14)).tanh() + w20.dot(x16)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn leaf_7(
        #[param(E)] b2: Tensor, #[dim(E)] de: Dim, #[param(E, E)] w6: Tensor,
        #[param(K)] b7: Tensor, #[param(K)] b8: Tensor, #[param(K, K)] w9: Tensor,
        #[param(4 * H, K)] w10: Tensor, #[param(K, E)] w15: Tensor, #[param(K)] b16: Tensor,
        #[param(K, K)] w17: Tensor, #[param(K, H)] w18: Tensor, #[param(H, K)] w19: Tensor,
        #[dim(K)] dk: Dim, #[param(E, H)] w20: Tensor, #[param(E, H)] w21: Tensor,
        #[param(E, H)] w22: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = p1 * b2;
        let parts4 = [(1.5 - p1.softmax()).tanh(), -x3, x3];
        let mut a5 = zeros(de);
        for k in 0..3 {
            a5 += (parts4[k] * x3.less(w6.tanh().dot(x3) + 0.6).select(p1, x3)).tanh() * (k as f64);
        }
        let [x11, x12, x13, x14] = w10.dot(b7.tanh() + w9.dot(b8)).split::<4>();
        loss(cross_entropy(w15.dot(a5).noise(0.25).tanh() - w17.dot(b16), label));
        loss(cross_entropy(w18.dot(x12.softmax()), label));
        let state: Node = Node { h: (w19 + w19).dot(b7.tanh()).tanh(), c: (zeros(dk) / (0.5 + zeros(dk).sigmoid())).sigmoid() };
        scatter(state);
        loss((((w20 * 0.75).dot(x11) + (w21 + w20).dot(x13)).tanh() + w22.dot(x14)).tanh().sum());
    }

    #[vertex_function]
    pub fn leaf_8(
        #[param(K, E)] w2: Tensor, #[dim(E)] de: Dim, #[param(E, K)] w5: Tensor,
        #[param(E, E)] w6: Tensor, #[param(H)] b8: Tensor, #[param(E, H)] w9: Tensor,
        #[param(E)] b10: Tensor, #[param(H)] b13: Tensor, #[param(H, H)] w14: Tensor,
        #[param(K)] b15: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = (w2 * 2.0).dot(p1);
        let x4 = {
            let x7: Tensor = (w6 * 1.5).dot(zeros(de) / (w5.dot(x3).sigmoid() + 0.5));
            x7.tanh()
        };
        loss(cross_entropy(w9.dot(b8).tanh().sigmoid(), label));
        let out11 = Scores { y: x4.minimum(x4), logits: weighted([w5.dot(x3).relu(), x4, b10]) };
        push(out11);
        let n12 = 2.0_f64.sqrt() - 2.0;
        let state: Node = Node { h: ((n12 / ((w14 * 2.0).dot(b13).sigmoid() + 0.5)).sigmoid() + 0.5).ln().tanh(), c: b15.softmax() };
        scatter(state);
    }

    #[vertex_function]
    pub fn leaf_9(
        #[param(E)] b2: Tensor, #[param(H)] b5: Tensor, #[param(H, H)] w6: Tensor,
        #[param(K)] b7: Tensor, #[param(E, K)] w8: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b9: Tensor, #[param(H, H)] w10: Tensor, #[param(H, E)] w12: Tensor,
        #[param()] s13: Tensor, #[param(K, E)] w16: Tensor, #[param(K, H)] w17: Tensor,
    ) {
        let p1 = pull::<Word>().x;
        let x3 = p1 * b2;
        let parts4 = [((w6.dot(b5) + 2.0) * w8.tanh().dot(b7).sum()).tanh(), zeros(dh).softmax(), w10.dot(b9)];
        let mut a11 = b5;
        for k in 1..=2 {
            a11 = a11.tanh() + (parts4[k] - w12.tanh().dot(p1).dropout(0.5).tanh()).tanh();
        }
        let [x14, x15] = [-(0.5 + zeros(dh).sigmoid()).ln(), a11 - s13];
        scatter(Node { c: (w16.dot(x3) + w17.tanh().dot(x14) - w17.tanh().dot(x15)).tanh(), h: (w12.dot(p1) - b5).tanh() });
    }

    #[vertex_function]
    pub fn leaf_10(
        #[param(E)] b2: Tensor, #[param(V, K)] table4: Tensor, #[param(K)] b7: Tensor,
        #[param(K)] b8: Tensor, #[param()] s9: Tensor, #[param()] s10: Tensor,
        #[param(K, E)] w11: Tensor, #[param(K, E)] w12: Tensor, #[param(H, E)] w13: Tensor,
        #[dim(H)] dh: Dim, #[param(E, E)] w14: Tensor, #[param(E)] b15: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = p1 * b2;
        let x5 = table4.row(id);
        let mut m6 = b7.minimum(x5);
        m6 = m6.tanh() + (b8.tanh() + s9 * s10);
        m6 = m6.tanh();
        let state = Node { c: (w11.dot(x3) * w12.dot(p1) * m6).tanh(), h: w13.dot(x3).minimum(zeros(dh)) };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: noisy(crate::generated::cells::gate(w14, x3, b15), 0.5) });
    }

    #[vertex_function]
    pub fn leaf_11(
        #[param(E)] b2: Tensor, #[param(H)] b4: Tensor, #[dim(E)] de: Dim,
        #[param(2 * K, H)] w5: Tensor, #[param(2 * K)] b6: Tensor, #[param(K, E)] w9: Tensor,
        #[param(K, E)] w10: Tensor, #[param(K, E)] w11: Tensor,
    ) {
        let p1: Signal = pull();
        let x3 = p1.x * b2;
        let (x7, x8) = halves(w5.dot(b4.tanh() - (b2 * zeros(de)).sum()) + b6);
        for k in 0..2 {
            loss(cross_entropy(((1.5 / ((w9 + w9).dot(p1.x).sigmoid() + 0.5)).sigmoid() + 0.5).ln(), p1.label) * (k as f64 + 0.25));
        }
        let (h, c) = ((0.5 + b4.sigmoid()).ln().tanh(), ((w10 + w11).dot(x3) + x7 + x8).tanh());
        scatter(Node { h, c });
        push(Out { y: x3.tanh().exp().tanh() });
    }

    #[vertex_function]
    pub fn leaf_12(
        #[param(E)] b1: Tensor, #[param(V, H)] table3: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b7: Tensor, #[param(K)] b9: Tensor, #[param(E, K)] w10: Tensor,
        #[param(V, E)] table11: Tensor, #[param(K, E)] w14: Tensor,
        #[param(H, H + K)] w15: Tensor, #[param(E, K)] w16: Tensor, #[param(H, E)] w17: Tensor,
        #[param(H, E)] w18: Tensor, #[param(K, E)] w19: Tensor, #[dim(K)] dk: Dim,
        #[param(H)] b20: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4: Tensor = table3.row(id);
        let parts5 = [x4.log_softmax() * zeros(dh), zeros(dh).exp(), x4];
        let mut a6 = b7;
        for k in 1..=2 {
            a6 += (parts5[k] * zeros(dh).maximum(x4)).tanh() * (k as f64);
        }
        let n8 = 2.0_f64.sqrt() - 2.0;
        let [x12, x13]: [Tensor; 2] = [(0.5 + (n8 / (w10.dot(b9).sigmoid() + 0.5)).sigmoid()).ln(), table11.row(id).exp()];
        loss(mse(w15.dot(summary(Node { h: table3.row(id), c: w14.dot(x12) })).log_softmax().tanh(), zeros(dh).softmax()));
        push(Out { y: (w16.dot(b9).log_softmax() + x2).tanh() });
        let state = Node { c: concat([b20, w19.dot(x13)]).slice(dh..dh + dk).tanh(), h: (w17.dot(x) - a6 - w18.dot(x13)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn leaf_13(
        #[param(H, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(E)] b6: Tensor,
        #[dim(K)] dk: Dim, #[param(E, H)] w9: Tensor, #[dim(H)] dh: Dim,
        #[param(K, H)] w10: Tensor, #[param(K)] b12: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let n7 = 0.5 / (1.0 + dk as f64);
        let s8 = ((x5 * b6).sum() * n7).tanh();
        loss(s8);
        for k in 0..2 {
            loss(s8 * (k as f64 + 0.25));
        }
        let out11 = Scores { y: x5 / (0.5 + w9.dot(x3).sigmoid()), logits: concat([s8 * w10.dot(x3), zeros(dh)]).slice(dk..dk + dh) };
        push(out11);
        let (h, c) = (x3.dropout(0.25).dropout(0.5).tanh(), b12.tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn leaf_14(
        #[param(H, E)] w1: Tensor, #[param(K, E)] w3: Tensor, #[param(K, H)] w4: Tensor,
        #[param(H, E)] w6: Tensor, #[param(K)] b7: Tensor, #[param()] s8: Tensor,
        #[dim(H)] dh: Dim,
    ) {
        let Signal { x, .. } = pull();
        let x2: Tensor = (w1 + w1).dot(x);
        let s5 = (w3.dot(x) * w4.dot(x2)).tanh().sum();
        loss(w6.tanh().dot(x).exp().tanh().cumulative_sum().tanh().sum());
        scatter(Node { c: s8 * b7 * s5, h: x2.relu().tanh() });
        let n9 = 0.5 / (1.0 + dh as f64);
        let out10 = Scores { y: x.relu(), logits: n9 / (zeros(dh).hard_tanh().sigmoid() + 0.5) };
        push(out10);
    }

    #[vertex_function]
    pub fn leaf_15(
        #[param(E)] b2: Tensor, #[param(V, E)] table4: Tensor, #[param()] s6: Tensor,
        #[param(3 * H, E)] w7: Tensor, #[param(3 * H)] b8: Tensor,
        #[param(E, H + E)] w13: Tensor, #[param(K, H)] w14: Tensor, #[param(K, H)] w15: Tensor,
        #[param(K, E)] w16: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3: Tensor = p1 * b2;
        let x5 = table4.row(id);
        let [x9, x10, x11] = (w7.dot((x3 - s6).relu()) + b8).split::<3>();
        let mut m12 = p1 - b2;
        m12 += w13.dot(concat([x5, x11])).tanh();
        m12 = m12.tanh();
        let state: Node = Node { h: noisy(x10, 0.5).tanh(), c: ((w14.dot(x9) * w15.dot(x10)).tanh() + w16.dot(m12)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn leaf_16(
        #[param(E, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[dim(E)] de: Dim,
        #[param(2 * K, E)] w6: Tensor, #[param(H)] b9: Tensor, #[param(E, H)] w10: Tensor,
        #[param(E, H)] w11: Tensor, #[param(H, E)] w12: Tensor, #[dim(K)] dk: Dim,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5: Tensor = table4.row(p1.id);
        let (x7, x8) = halves(w6.dot(concat([p1.x, x3.sigmoid()]).slice(0..de)));
        push(Out { y: x3.log_softmax().greater_equal(w10.dot(b9) + 0.6).select(w11.dot(b9), x3.log_softmax()).tanh() });
        let n13 = 2.0 / (1.0 + dk as f64);
        scatter(Node { c: (x5 + x7 + x8).tanh(), h: ((w12 * 0.75).dot(p1.x) * n13).tanh() });
    }

    #[vertex_function]
    pub fn leaf_17(
        #[param(H, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(E)] b6: Tensor,
        #[param(E, E)] w7: Tensor, #[param(V, H)] table9: Tensor, #[param(H)] b10: Tensor,
        #[param(H, H + K)] w11: Tensor, #[param(E, H)] w12: Tensor, #[param(H, E)] w13: Tensor,
        #[param(K, H)] w14: Tensor, #[param(K, K)] w16: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let s8 = w7.dot(w7.dot(b6).tanh()).sum();
        for k in 0..2 {
            loss(((x5.sigmoid() + 0.5).ln() + x5.pick(x5.argmax())).max() * (k as f64 + 0.25));
        }
        loss(mse((x3 * x3).less(table9.row(id) + 0.1).select(x3, x3 * x3), w11.dot(summary(Node { h: b10, c: x5 }))));
        let out15 = Scores { y: w12.dot(x3).relu().tanh(), logits: w14.dot((w13 * s8.tanh()).dot(b6).maximum(x3)) };
        push(out15);
        scatter(Node { h: (0.5 + x3.sigmoid()).ln().tanh(), c: (table4.row(id).dropout(0.25) + w16.dot(x5)).tanh() });
    }

    #[vertex_function]
    pub fn leaf_18(
        #[param(H, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(V, E)] table7: Tensor,
        #[dim(K)] dk: Dim, #[param()] s9: Tensor, #[param(K, H)] w10: Tensor,
        #[param(K, E)] w11: Tensor, #[param(K, E)] w12: Tensor, #[param(H, K)] w14: Tensor,
        #[param(K)] b15: Tensor, #[param(K, K)] w16: Tensor, #[param(E, H)] w17: Tensor,
        #[param(V, K)] table18: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5: Tensor = table4.row(id);
        let x6 = {
            let x8 = 2.0 / (scaled(table7.row(id), dk).sigmoid() + 0.5);
            let x13 = blend(blend(s9.sigmoid(), w10.dot(x3), w11.dot(x5)), w12.dot(x8), zeros(dk));
            w14.dot(x13).tanh()
        };
        loss((zeros(dk) - w16.dot(b15)).sum());
        push(Out { y: w17.dot(x6) * x5 });
        scatter(Node { c: (0.5 + (-table18.row(id)).sigmoid()).ln().tanh(), h: x6.maximum(x6) });
    }

    #[vertex_function]
    pub fn leaf_19(
        #[param(K, E)] w1: Tensor, #[param(V, K)] table3: Tensor, #[param(K, K)] w5: Tensor,
        #[dim(K)] dk: Dim, #[param(3 * E, K)] w6: Tensor, #[param(3 * E)] b7: Tensor,
        #[param(H)] b11: Tensor, #[param(H, H)] w12: Tensor, #[param(H, H)] w13: Tensor,
        #[param(V, H)] table14: Tensor, #[param(4 * K, H)] w15: Tensor,
        #[param(4 * K)] b16: Tensor, #[param(E)] b21: Tensor, #[param(H, K)] w22: Tensor,
        #[param(H, E)] w23: Tensor, #[param(H, E)] w24: Tensor, #[param(H, E)] w25: Tensor,
        #[param(H, K)] w26: Tensor, #[param(H, K)] w27: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = w1.dot(x);
        let x4 = table3.row(id);
        let [x8, x9, x10]: [Tensor; 3] = (w6.dot(zeros(dk).sum() * w5.dot(x2)) + b7).split();
        let [x17, x18, x19, x20] = (w15.dot(((w12 + w13).dot(b11) * table14.row(id)).noise(0.25).tanh()) + b16).split();
        push(Out { y: (-b21 + 0.5).tanh() });
        let state = Node { c: x19.softmax(), h: (((((w22.dot(x4) - (w23 + w24).dot(x8)) * w25.dot(x9) + w23.dot(x10) - w22.tanh().dot(x17)) * w26.dot(x18)).tanh() + (w22 * 1.5).dot(x19)).tanh() + w27.dot(x20)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn leaf_20(
        #[param(K, E)] w1: Tensor, #[param(V, H)] table3: Tensor, #[param(E, H)] w6: Tensor,
        #[param(H, E)] w9: Tensor, #[param(H, K)] w10: Tensor, #[param(E, K)] w11: Tensor,
        #[dim(K)] dk: Dim, #[param(V, H)] table12: Tensor, #[dim(E)] de: Dim,
        #[param(K, H)] w13: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = (w1 + w1).dot(x);
        let x4 = table3.row(id);
        let x5 = {
            let n7 = 2.0_f64.sqrt() - 0.75;
            let x8 = (n7 * w6.dot(x4)).relu();
            let x2 = x2.tanh() + 2.0 / (x2.sigmoid() + 0.5);
            (w9.dot(x8) + w10.dot(x2)).tanh().tanh()
        };
        push(Out { y: (0.5 - (w11 * (1.0 / dk as f64)).dot(x2)).tanh().sigmoid() });
        let state = Node { c: w13.dot(x5).log_softmax().tanh(), h: blend(scaled(table12.row(id), de), x5.sigmoid(), x5).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn leaf_21(
        #[param(E, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(H)] b7: Tensor,
        #[param(H, H)] w8: Tensor, #[param(K, H)] w10: Tensor, #[param(H, E)] w13: Tensor,
        #[param(V, K)] table14: Tensor, #[param(K, H + K)] w15: Tensor,
        #[param(H, K)] w16: Tensor, #[param()] s17: Tensor, #[param(H, K)] w18: Tensor,
        #[param(E)] b20: Tensor, #[param(E, K)] w21: Tensor, #[param(H, E)] w23: Tensor,
        #[dim(K)] dk: Dim, #[param(H, K)] w24: Tensor, #[param(K)] b25: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let x6 = {
            let x9: Tensor = (w8 * 1.5).dot(b7).relu().relu();
            w10.dot(x9).tanh()
        };
        let (x11, [x19], s12) = (w15.dot(summary(Node { h: (w13 * 2.0).dot(x3), c: table14.row(p1.id) })).tanh(), [x6.maximum(x6)], (s17 - w16.tanh().dot(x6)).pick(w18.dot(x6).argmax()));
        let out22 = Scores { y: b20.softmax(), logits: w21.dot(x19).erf() };
        push(out22);
        let (h, c) = (((w23 * (1.0 / (dk as f64).sqrt())).dot(p1.x) - w13.dot(x5) - w24.dot(x11) + s12).tanh(), x11 * b25);
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn leaf_22(
        #[param(E, E)] w1: Tensor, #[param(E, E)] w2: Tensor, #[param(V, K)] table4: Tensor,
        #[param(K, E)] w6: Tensor, #[param(K)] b7: Tensor, #[param(2 * E, K)] w8: Tensor,
        #[param(2 * E)] b9: Tensor, #[param(H)] b12: Tensor, #[param(E, H)] w13: Tensor,
        #[param(E, K)] w14: Tensor, #[param(H, K)] w17: Tensor, #[param(K, H + K)] w18: Tensor,
        #[param(E, E)] w19: Tensor, #[dim(E)] de: Dim, #[param(H)] b20: Tensor,
        #[param(H)] b21: Tensor, #[param(H)] b22: Tensor, #[param(H, K)] w23: Tensor,
        #[param(H, E)] w24: Tensor, #[param(H, E)] w25: Tensor,
    ) {
        let Word { id, x } = pull();
        let x3: Tensor = (w1 + w2).dot(x);
        let x5 = table4.row(id);
        let (x10, x11) = halves((w8.dot(w6.dot(x3).less(x5 + 0.6).select(b7, w6.dot(x3))) + b9).tanh());
        let [x15, x16] = [w13.dot(b12).tanh() / (x11.tanh().sigmoid() + 0.5), w14.dot(x5)];
        for k in 0..2 {
            loss(mse(w18.dot(summary(Node { h: w17.dot(x5), c: x5 })), x5.silu()) * (k as f64 + 0.25));
        }
        loss(indicator(blend(w19.dot(x10).pick(zeros(de).argmax()), b20.maximum(b21), b22).argmax() == w23.dot(x5).sample()));
        scatter(Node { c: x5.hard_sigmoid(), h: (w24.dot(x15) + w25.dot(x16)).tanh() });
    }

    #[vertex_function]
    pub fn leaf_23(
        #[param(E, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(H, E)] w7: Tensor,
        #[param(E)] b8: Tensor, #[param(H)] b9: Tensor, #[dim(E)] de: Dim, #[dim(H)] dh: Dim,
        #[param(K)] b10: Tensor, #[param(H, K)] w11: Tensor, #[param(H, H)] w13: Tensor,
        #[param(H)] b14: Tensor, #[param(2 * E, E)] w15: Tensor, #[param(2 * E)] b16: Tensor,
        #[param(E, E)] w19: Tensor, #[param(K, H)] w20: Tensor, #[param(K, H)] w21: Tensor,
        #[param(K, E)] w22: Tensor, #[param(K, E)] w23: Tensor,
    ) {
        let p1: Word = pull();
        let x3: Tensor = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let parts6 = [scaled(gate(w7, b8, b9), de), zeros(dh).sigmoid(), w11.dot(b10)];
        let mut a12 = zeros(dh);
        for k in 1..=2 {
            a12 -= (parts6[k] - affine(w13, w7.dot(p1.x), b14).tanh()).tanh();
        }
        let (x17, x18) = halves(w15.dot(0.5 * x5.exp()) + b16);
        push(Out { y: w19.dot(zeros(de) + b8) });
        let (h, c) = ((w11 * 0.75).dot(noisy(w20.dot(a12), 0.25)).tanh(), w21.tanh().dot(a12).relu().tanh());
        scatter(Node { h, c });
        loss((((w22 * 0.75).dot(x3) - w23.dot(x17)).tanh() * w22.dot(x18)).tanh().sum());
    }

    #[vertex_function]
    pub fn leaf_24(
        #[param(E)] b1: Tensor, #[param(V, H)] table3: Tensor, #[param(K)] mut b5: Tensor,
        #[dim(K)] dk: Dim, #[param(K, E)] w6: Tensor, #[dim(E)] de: Dim,
        #[param(K, E)] w7: Tensor, #[param(K, K)] w8: Tensor, #[param(K)] mut b9: Tensor,
        #[param(V, K)] table10: Tensor, #[param(K, E)] w11: Tensor, #[param(H, K)] w12: Tensor,
        #[param(H, H)] w13: Tensor, #[param(H)] b14: Tensor, #[param(H, K)] w15: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4 = table3.row(id);
        b5 -= (zeros(dk).maximum((w6 + w6).dot(x)) - zeros(de).sum()).tanh();
        b5 *= (w8 * 2.0).dot(w7.dot(x2).abs()).tanh();
        b5 = b5.tanh();
        b9 = b9.tanh() + noisy(b5.minimum(table10.row(id)), 0.25);
        b9 = b9.tanh() + w11.tanh().dot(x2).sigmoid().exp().tanh();
        b9 /= 0.75;
        b9 = b9.tanh();
        loss(indicator((w12.tanh().dot(b9) * w13.dot(x4)).log_softmax().argmax() != x4.sample()));
        let n16 = 2.0_f64.sqrt() - 0.75;
        let state = Node { c: (1.0 / (dk as f64).sqrt() + b5).sigmoid(), h: (1.0 / (dk as f64).sqrt() / (b14.sigmoid() + 0.5) / ((n16 - w15.dot(b9)).sigmoid() + 0.5)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn leaf_25(
        #[param(E)] b2: Tensor, #[param(K)] b4: Tensor, #[param(H, K)] w5: Tensor,
        #[param(H)] b6: Tensor, #[param(H, H)] w7: Tensor, #[dim(H)] dh: Dim, #[dim(K)] dk: Dim,
        #[param(K)] b10: Tensor, #[param(H, E)] w11: Tensor,
    ) {
        let p1: Signal = pull();
        let x3 = p1.x * b2;
        let [x8, x9] = [w5.dot(b4).sigmoid().maximum(w7.dot(b6)), zeros(dh).log_softmax()];
        loss(cross_entropy(scaled(x9 * x8, dk), p1.label));
        scatter(Node { c: (b4.tanh() - b10).tanh(), h: (x8.maximum(x9) / (0.5 + (x8 / (0.5 + x9.sigmoid())).sigmoid())).tanh() });
        loss((w11.dot(x3) - w11.dot(p1.x)).sum());
    }

    #[vertex_function]
    pub fn leaf_26(
        #[param(K, E)] w2: Tensor, #[param(V, H)] table4: Tensor, #[param(H, E)] w7: Tensor,
        #[param(3 * H, H)] w8: Tensor, #[param(H)] b10: Tensor, #[dim(E)] de: Dim,
        #[param(H, K)] w12: Tensor, #[dim(K)] dk: Dim,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let parts6 = w8.dot(w7.dot(p1).relu()).split::<3>();
        let mut a9 = b10;
        for part in parts6 {
            a9 -= (part + x5 * x5).tanh();
        }
        let out11 = Scores { y: zeros(de) / (0.5 + p1.sigmoid()), logits: (a9.sigmoid() + 0.5).ln().tanh() };
        push(out11);
        let state = Node { c: (zeros(dk) - (w2 + w2).dot(p1)).tanh(), h: w12.dot(x3).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn leaf_27(
        #[param(E)] b2: Tensor, #[param(V, K)] table4: Tensor, #[param(H)] b7: Tensor,
        #[param(K, H)] w8: Tensor, #[dim(E)] de: Dim, #[param(H, E)] w9: Tensor,
        #[param(K, K + E)] w10: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = p1.x * b2;
        let x5 = table4.row(p1.id);
        let mut m6 = x5.log_softmax();
        m6 = 1.5 * w8.dot(b7).tanh() - m6;
        m6 = m6.tanh();
        push(Out { y: (1.0 / (de as f64).sqrt() / (b2.sigmoid() + 0.5)).softmax() });
        let (h, c) = ((w9 + w9).dot(p1.x).tanh().exp().tanh(), w10.dot(concat([x3, m6])).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn leaf_28(
        #[param(E)] b1: Tensor, #[param(V, K)] table3: Tensor, #[param(H, K)] w5: Tensor,
        #[param(H, H + K)] w6: Tensor, #[param(H, E)] w7: Tensor, #[param(E)] b10: Tensor,
        #[param()] s11: Tensor, #[param(V, E)] table12: Tensor, #[dim(E)] de: Dim,
        #[param(K, K)] w13: Tensor, #[param(K)] b14: Tensor, #[dim(K)] dk: Dim,
        #[param(H, H)] w16: Tensor, #[dim(H)] dh: Dim, #[param(K, H)] w17: Tensor,
        #[param(K, H)] w18: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4 = table3.row(id);
        let [x8, x9] = [w6.dot(summary(Node { h: w5.dot(x4), c: x4 })), -w7.dot(x2)];
        let out15 = Scores { y: b10 * s11, logits: concat([gate(w13, x4, b14), table12.row(id)]).slice(dk..dk + de) };
        push(out15);
        let state = Node { c: scaled(w13.dot(x4).log_softmax(), dh).tanh(), h: (w16.dot(x9).minimum(w7.dot(x)) + zeros(dh)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((w17 + w18).dot(x8).tanh().sum());
    }

    #[vertex_function]
    pub fn leaf_29(
        #[param(E)] b1: Tensor, #[param(H, E)] w4: Tensor, #[param(3 * H, H)] w5: Tensor,
        #[param(3 * H)] b6: Tensor, #[dim(H)] dh: Dim, #[param(K)] b8: Tensor,
        #[param(H, K)] w9: Tensor, #[param(E)] b12: Tensor, #[param(H)] b13: Tensor,
        #[param(E, H)] w14: Tensor, #[param(E, K)] w15: Tensor, #[param(H, E)] w16: Tensor,
        #[param(H, H)] w17: Tensor, #[param(H)] b18: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w19: Tensor, #[param(K, K)] w20: Tensor,
    ) {
        let Word { x, .. } = pull();
        let x2 = x * b1;
        let parts3 = (w5.dot(w4.dot(x2.relu())) + b6).split::<3>();
        let mut a7 = zeros(dh);
        for k in 1..=2 {
            a7 += (parts3[k] - w9.dot(b8).relu()).tanh() * (k as f64);
        }
        let n11 = 2.0_f64.sqrt() - 1.5;
        let mut m10 = n11 / (0.5 + b12.sigmoid());
        m10 -= w14.dot(a7 + b13).tanh();
        m10 = m10.tanh() + w15.dot(b8).tanh() * x;
        m10 = m10.tanh();
        loss(mse(noisy(w16.dot(m10).relu(), 0.25), w17.dot(a7)));
        scatter(Node { h: scaled(b18 + b13, dk), c: (w19.dot(a7) / (w20.dot(b8).sigmoid() + 0.5)).tanh() });
        push(Out { y: (-m10.exp()).tanh() });
    }

    #[vertex_function]
    pub fn leaf_30(
        #[param(K, E)] w1: Tensor, #[param(E)] b4: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b7: Tensor, #[param(H, K)] w8: Tensor, #[param(K, H + K + E)] w9: Tensor,
        #[param(H)] b11: Tensor, #[param(K, H)] w12: Tensor, #[param(K, K)] w13: Tensor,
        #[param(K, K)] w14: Tensor, #[param(H)] b16: Tensor, #[param(H, E)] w17: Tensor,
        #[param(E)] b18: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = w1.dot(x);
        let x3 = {
            let n5 = 0.75 / (1.0 + dk as f64);
            let x6 = ((x2 * x2).tanh().sum() + (n5 - b4)).tanh();
            w1.dot(x6).tanh()
        };
        let x10 = (b7.log_softmax().greater_equal(x3 + 0.1).select(x3, b7.log_softmax()) / (w9.dot(concat([x, w8.dot(x2), zeros(dk)])).sigmoid() + 0.5)).tanh();
        loss(cross_entropy(blend(x10.minimum(w12.dot(b11)), (w13 * 0.5).dot(x3), x2).tanh(), label));
        let n15 = 2.0_f64.sqrt() - 0.5;
        let state = Node { c: (n15 - w14.dot(x10) + cross_entropy(w1.dot(x), label)).tanh(), h: (b16 - w17.dot(x)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let out19 = Scores { y: b18.exp(), logits: w8.dot(x2).tanh().square().log_softmax().tanh() };
        push(out19);
    }

    #[vertex_function]
    pub fn leaf_31(
        #[param(K, E)] w1: Tensor, #[dim(H)] dh: Dim, #[param(V, E)] table3: Tensor,
        #[dim(K)] dk: Dim, #[param(K, K)] w6: Tensor, #[param(K)] b7: Tensor,
        #[param(K)] b8: Tensor, #[param(K, E)] w9: Tensor, #[param(K)] b11: Tensor,
        #[param(2 * H, K)] w12: Tensor, #[param(2 * H)] b13: Tensor,
        #[param(V, H)] table16: Tensor, #[param(H)] b17: Tensor, #[param(H, K)] w18: Tensor,
        #[param(K, H)] w19: Tensor, #[param(K)] b20: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = (w1 * (1.0 / (dh as f64).sqrt())).dot(x);
        let x4 = table3.row(id);
        let parts5 = [(blend(-x2, zeros(dk), w6.dot(x2)) + b7).tanh(), b8.relu(), w9.dot(x4)];
        let mut a10 = b11;
        for k in 0..3 {
            a10 += (parts5[k] - (1.5 / (0.5 + zeros(dk).sigmoid())).tanh()).tanh();
        }
        let [x14, x15] = (w12.dot(concat([zeros(dk).softmax(), a10]).slice(dk..dk + dk)) + b13).tanh().split::<2>();
        loss((table16.row(id).tanh() + b17).max());
        let state = Node { c: affine(w19, x14.maximum(table16.row(id)), b20).tanh(), h: scaled((w18 * 1.5).dot(a10), dh).tanh().exp().tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss(w19.dot(x15).sum());
    }

    #[vertex_function]
    pub fn leaf_32(
        #[param(E)] b1: Tensor, #[param(K)] b5: Tensor, #[param(K, K)] w6: Tensor,
        #[param()] s7: Tensor, #[param(H, E)] w11: Tensor, #[param(H, E)] w12: Tensor,
        #[dim(E)] de: Dim, #[param(H)] b13: Tensor, #[param(H, H)] w14: Tensor,
        #[param(E)] b15: Tensor, #[dim(H)] dh: Dim, #[param(H, H)] w17: Tensor,
        #[param(K)] b18: Tensor,
    ) {
        let Word { x, .. } = pull();
        let x2 = x * b1;
        let (x3, [x8], s4) = (1.5 / (w6.dot(b5).relu().sigmoid() + 0.5), [x2.tanh()], (s7 + s7).tanh());
        let (x9, [x16], s10) = ((w11 + w12).dot(x).sigmoid() * (1.0 / (de as f64).sqrt()), [x8.tanh()], (blend(concat([x2, w14.dot(b13)]).slice(0..de), b15, b1) * zeros(de)).sum());
        scatter(Node { c: b18.minimum(x3).tanh().hard_sigmoid(), h: ((w17 * s4).dot(x9).max() + ((w11 * s10).dot(x16) + zeros(dh))).tanh() });
    }

    #[vertex_function]
    pub fn leaf_33(
        #[param(E)] b1: Tensor, #[param(K)] b5: Tensor, #[param(E, K)] w6: Tensor,
        #[param(H)] b7: Tensor, #[param(H, H)] w8: Tensor, #[param(H)] b9: Tensor,
        #[param(H, H)] w10: Tensor, #[dim(E)] de: Dim, #[param(K)] b13: Tensor,
        #[param(H, K)] w14: Tensor, #[dim(K)] dk: Dim, #[param(H)] b15: Tensor,
        #[dim(H)] dh: Dim, #[param(H)] b16: Tensor, #[param(H, H)] w17: Tensor,
        #[param()] s18: Tensor, #[param(K, H)] w19: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = x * b1;
        let n11 = 0.5 / (1.0 + de as f64);
        let (x3, [x12], s4) = (x.minimum(w6.tanh().dot(b5)).exp(), [b13.relu()], (-w8.dot(b7)).pick((w10 * n11).dot(b9).sample()));
        loss(cross_entropy(crate::generated::cells::gate(w14, zeros(dk).tanh(), b15), label));
        for k in 0..2 {
            loss((indicator(concat([zeros(dh), w14.dot(x12)]).slice(dh..dh + dh).argmax() == label) - 1.5) * (k as f64 + 0.25));
        }
        scatter(Node { h: (s18.tanh() - (w14.dot(x12) + w17.dot(b16))).tanh(), c: (x12.greater_equal(x12 + 0.35).select((w19 * s4).dot(b7), x12) - b5).tanh() });
        loss((x2 + x3).tanh().sum());
    }

    #[vertex_function]
    pub fn leaf_34(
        #[param(E, E)] w2: Tensor, #[param(H, K)] w5: Tensor, #[param(H, E)] w6: Tensor,
        #[param(H)] b7: Tensor, #[param(K, H)] w8: Tensor, #[param(K, H + K)] w9: Tensor,
        #[param(H)] b10: Tensor, #[param(3 * K, H)] w11: Tensor, #[param(3 * K)] b12: Tensor,
        #[param(H)] b17: Tensor, #[param(E, H)] w18: Tensor, #[param()] s19: Tensor,
        #[dim(E)] de: Dim, #[param(E)] b21: Tensor, #[param(H, K)] w22: Tensor,
        #[param(K)] b23: Tensor, #[param(E)] b24: Tensor, #[param(E)] b25: Tensor,
    ) {
        let p1 = pull::<Signal>().x;
        let n3 = 2.0_f64.sqrt() - 2.0;
        let x4: Tensor = (w2 * n3).dot(p1);
        let [x13, x14, x15] = (w11.dot(crate::generated::cells::gate(w5, w9.dot(summary(Node { h: w6.dot(p1), c: w8.tanh().dot(b7) })), b10)) + b12).tanh().split::<3>();
        let parts16 = [w18.dot(b17).relu(), (x4 - s19).tanh(), p1];
        let mut a20 = zeros(de);
        for part in parts16 {
            a20 += (part * b21.softmax()).tanh();
        }
        let (h, c) = (((w5.dot(x13) + w22.dot(x14)) * w5.dot(x15) * w6.dot(a20)).tanh(), (b23.sigmoid() + 0.5).ln().tanh());
        scatter(Node { h, c });
        push(Out { y: (2.0 - weighted([b24, b25, b21])).tanh() });
    }

    #[vertex_function]
    pub fn leaf_35(
        #[param(E)] b1: Tensor, #[param(V, E)] table3: Tensor, #[param(H, E)] w5: Tensor,
        #[param(H)] b6: Tensor, #[dim(E)] de: Dim, #[param(4 * E, E)] w8: Tensor,
        #[param(4 * E)] b9: Tensor, #[param()] s14: Tensor, #[param(K)] b15: Tensor,
        #[param(K)] b16: Tensor, #[param(K, K)] w17: Tensor, #[param(E)] b18: Tensor,
        #[param(H)] b19: Tensor, #[param(H, H)] w20: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b22: Tensor, #[param(E, K)] w23: Tensor, #[param(K)] b24: Tensor,
        #[param(V, H)] table25: Tensor, #[param(K)] b26: Tensor, #[param(K, H)] w27: Tensor,
        #[param(H, E)] w28: Tensor, #[param(H, E)] w29: Tensor, #[param(H, E)] w30: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4 = table3.row(id);
        let x7: Tensor = noisy((w5.dot(x2) / (b6.sigmoid() + 0.5)).tanh(), 0.5);
        let [x10, x11, x12, x13] = (w8.dot((zeros(de) * 1.5).tanh()) + b9).split();
        loss(mse(x4 + s14 + b15.pick(w17.dot(b16).argmax()), (b18.sigmoid() + 0.5).ln()));
        let n21 = 2.0 / (1.0 + dh as f64);
        loss(indicator((-x7.greater_equal(x7 + 0.1).select(b19, x7)).argmax() != (w20 * n21).dot(x7).sample()));
        scatter(Node { h: blend((w23.dot(b22) * w23.dot(b24)).sum(), table25.row(id) / (table25.row(id).sigmoid() + 0.5), x7).tanh(), c: (b26.exp() * w27.dot(x7)).tanh() });
        loss(((w5.dot(x) * w28.dot(x10) * (w29 + w5).dot(x11)).tanh() * w5.dot(x12) + w30.dot(x13)).tanh().sum());
    }
}

pub mod one {
    use super::prelude::*;

    #[vertex_function]
    pub fn one_0(
        #[dim(E)] de: Dim, #[param(E)] b5: Tensor, #[param(E, E)] w6: Tensor,
        #[param(E)] b7: Tensor, #[param(E, E)] w8: Tensor, #[param(K)] b10: Tensor,
        #[param(E)] b11: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let x4 = {
            let x9 = zeros(de).greater_equal(w6.dot(b5) + 0.6).select(w8.tanh().dot(b7), zeros(de)).square();
            x9.tanh()
        };
        let c3 = c3.tanh() + c3.exp();
        loss(c3.minimum(c3).tanh().exp().pick(c3.sample()));
        let state = Node { c: (0.5 + b10.sigmoid()).ln().softmax(), h: (h2.sigmoid() + 0.5).ln().tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: b11.greater(b5 + 0.1).select(x4, b11).cumulative_sum().tanh() });
    }

    #[vertex_function]
    pub fn one_1(
        #[param(K, E)] w4: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w7: Tensor,
        #[param(E)] b8: Tensor, #[param(E, K)] w9: Tensor, #[param(H)] b10: Tensor,
        #[dim(H)] dh: Dim, #[param(E, E)] w11: Tensor, #[param(E)] b12: Tensor,
        #[param(H, K)] w13: Tensor, #[param(K, H)] w14: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let p3: Signal = pull();
        let x5 = (w4 * (1.0 / de as f64)).dot(p3.x);
        let mut m6 = w7.dot(h2).tanh();
        m6 /= 1.5;
        m6 -= (b8.tanh() + w9.dot(x5)).tanh();
        m6 -= crate::generated::cells::gate(w7, b10, b8).exp().tanh();
        m6 = m6.tanh();
        loss(cross_entropy(concat([h2, crate::generated::cells::gate(w11, m6, b12)]).slice(0..dh), p3.label));
        let state = Node { c: (w14 * 2.0).dot(h2 + w13.dot(x5)).tanh(), h: h2.tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn one_2(
        #[param(K, E)] w5: Tensor, #[dim(H)] dh: Dim, #[param(3 * H, H)] w8: Tensor,
        #[param(H)] b10: Tensor, #[param(E)] b11: Tensor, #[param(H, E)] w12: Tensor,
        #[param(2 * E, K)] w13: Tensor, #[param(2 * E)] b14: Tensor, #[param(H)] b17: Tensor,
        #[param(H, H)] w18: Tensor, #[param(E, H)] w19: Tensor, #[param(H)] b20: Tensor,
        #[dim(K)] dk: Dim, #[param(K, E)] w23: Tensor, #[param(K, E)] w24: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { target: p4, label } = pull::<Gold>();
        let x6 = w5.tanh().dot(p4);
        let parts7 = w8.dot((0.5 + (2.0 * zeros(dh)).sigmoid()).ln()).split::<3>();
        let mut a9 = b10;
        for part in parts7 {
            a9 -= (part - w12.dot(b11)).tanh();
        }
        let [x15, x16] = (w13.dot(c3.hard_sigmoid().silu()) + b14).split::<2>();
        loss(cross_entropy(cross_entropy(w18.dot(a9).tanh(), label) * concat([h2, b17]).slice(dh..dh + dh), label));
        let out21 = Scores { y: w19.dot(a9).tanh(), logits: mse(a9 + 0.75, b20).tanh() };
        push(out21);
        let n22 = 2.0_f64.sqrt() - 1.5;
        let state = Node { c: concat([x6, h2]).slice(0..dk).dropout(0.25).tanh(), h: (n22 / ((0.5 * a9).tanh().sigmoid() + 0.5)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((w23.dot(x15) - w24.dot(x16)).tanh().sum());
    }

    #[vertex_function]
    pub fn one_3(
        #[param(H, E)] w1: Tensor, #[param(H)] b5: Tensor, #[param(H)] b6: Tensor,
        #[param(H, K)] w9: Tensor, #[param(E)] b10: Tensor, #[param(K, E)] w11: Tensor,
        #[param(E, H)] w13: Tensor, #[param(H, E)] w14: Tensor, #[param(K, H)] w15: Tensor,
        #[param(K)] b16: Tensor, #[param(K, K)] w17: Tensor, #[dim(H)] dh: Dim,
    ) {
        let Signal { x, .. } = pull();
        let x2 = w1.dot(x);
        let Node { h: h4, .. } = gather(0);
        let s7 = (b5.tanh() - b6).max();
        let x8 = {
            let x12: Tensor = affine(w9, w11.dot(b10) * w11.dot(b10), b5);
            w13.dot(x12).tanh()
        };
        scatter(Node { c: (s7 + w15.dot(h4)).tanh(), h: (x2 * h4 + s7 - w14.dot(x8)).tanh() });
        let out18 = Scores { y: b10, logits: 1.0 / (dh as f64).sqrt() + w17.dot(b16).sigmoid() };
        push(out18);
    }

    #[vertex_function]
    pub fn one_4(
        #[param(E)] b2: Tensor, #[param(K, K)] w7: Tensor, #[dim(E)] de: Dim,
        #[param(H, K)] w10: Tensor, #[param(K, E)] w11: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = p1 * b2;
        let Node { h: h5, c: c6 } = gather(0);
        let x8 = (w7 * (1.0 / (de as f64).sqrt())).dot(c6).maximum(c6).log_softmax().tanh().tanh();
        loss(cross_entropy(noisy(x3, 0.5) + x3, label));
        let out9 = Scores { y: concat([p1.slice(1..de), p1.slice(0..1)]), logits: h5.log_softmax().tanh().hard_sigmoid() };
        push(out9);
        let n12 = 2.0_f64.sqrt() - 0.5;
        scatter(Node { h: w10.dot(x8).tanh(), c: (-(w11 * n12).dot(p1)).tanh() });
    }

    #[vertex_function]
    pub fn one_5(
        #[param(K, E)] w2: Tensor, #[param(K)] b6: Tensor, #[param(K, K)] w7: Tensor,
        #[dim(E)] de: Dim, #[param(E)] b11: Tensor, #[param(E, E)] w12: Tensor,
        #[param(E, E)] w13: Tensor, #[dim(K)] dk: Dim, #[param(E, K)] w14: Tensor,
        #[param(E)] b15: Tensor, #[param(K, E)] w16: Tensor, #[param(K, K)] w17: Tensor,
    ) {
        let p1 = pull::<Signal>().x;
        let x3: Tensor = w2.dot(p1);
        let v4: Node = gather(0);
        let parts5 = [(x3 / (v4.c.sigmoid() + 0.5) + b6).tanh(), b6.softmax(), w7.dot(v4.c)];
        let mut a8 = b6;
        for k in 0..3 {
            a8 += (parts5[k] - -b6).tanh();
        }
        let n10 = 2.0 / (1.0 + de as f64);
        let mut m9 = n10 / (0.5 + (w12 + w13).dot(b11).sigmoid());
        m9 += w14.dot(zeros(dk).tanh());
        m9 = m9.tanh();
        push(Out { y: a8.pick(w16.dot(m9).sample()) * b15.maximum(zeros(de)) });
        let state = Node { c: (w17.dot(x3) / (a8.sigmoid() + 0.5)).tanh(), h: v4.h };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn one_6(
        #[param(H, E)] w1: Tensor, #[param(E, H)] w5: Tensor, #[param(2 * E, E)] w6: Tensor,
        #[param(2 * E)] b7: Tensor, #[param(K, H)] w10: Tensor, #[param(K, H)] w11: Tensor,
        #[param(K)] b12: Tensor, #[param(E, K)] w13: Tensor, #[param(E)] b14: Tensor,
        #[param(K, H)] w16: Tensor, #[param(K)] b17: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = w1.dot(x);
        let Node { h: h4, .. } = gather(0);
        let [x8, x9] = (w6.dot(w5.dot(x2).tanh().tanh()) + b7).split();
        for k in 0..2 {
            loss(cross_entropy(mse(x9, x8).tanh() + w10.dot(h4).maximum(w11.dot(h4)), label) * (k as f64 + 0.25));
        }
        loss(w13.dot(b12).sum() + 0.5);
        let out15 = Scores { y: -x9, logits: b14.greater(x8 + 0.35).select(b14, b14).minimum(x9) };
        push(out15);
        let (h, c) = (w1.tanh().dot(x8.sigmoid()).tanh(), (affine(w16, x2, b17) - 1.5).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn one_7(
        #[param(K, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(E)] mut b9: Tensor,
        #[dim(E)] de: Dim, #[param(E, E)] w10: Tensor, #[param(H)] b11: Tensor,
        #[dim(H)] dh: Dim, #[param(H, E)] w12: Tensor, #[param(H, E)] w13: Tensor,
        #[param(K)] b14: Tensor, #[param(H, K)] w15: Tensor, #[param(K)] b16: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = (w2 * 0.75).dot(p1);
        let x5: Tensor = table4.row(id);
        let Node { h: h7, c: c8 } = gather(0);
        b9 /= 1.5;
        b9 -= (0.5 + p1.sigmoid()).ln() - zeros(de);
        b9 = b9.tanh() + w10.dot(x5.maximum(x5));
        b9 = b9.tanh();
        let b9 = b9.tanh() + x5.tanh();
        loss(b11.maximum(zeros(dh)).sum().sigmoid());
        loss((h7.minimum((w12 + w13).dot(b9)).sigmoid() + 0.5).ln().sum());
        scatter(Node { c: (b16 - c8).log_softmax().tanh(), h: w15.dot(b14 * 0.5).tanh() });
        loss(x3.sum());
    }

    #[vertex_function]
    pub fn one_8(
        #[param(K)] b3: Tensor, #[param(K)] b4: Tensor, #[param(E)] b5: Tensor,
        #[param(K, E)] w6: Tensor, #[dim(K)] dk: Dim, #[param(K)] b7: Tensor,
        #[param(E, K)] w9: Tensor, #[param(3 * H, E)] w10: Tensor, #[param(3 * H)] b11: Tensor,
        #[param(H)] b13: Tensor, #[param(H)] b14: Tensor, #[param(K)] b15: Tensor,
        #[dim(H)] dh: Dim,
    ) {
        let v1: Node = gather(0);
        let mut m2 = b3 - b4;
        m2 += (v1.c - w6.dot(b5)).softmax();
        m2 += concat([v1.c.slice(1..dk), v1.c.slice(0..1)]);
        m2 -= indicator(zeros(dk).argmax() != b3.sample()) + b7;
        m2 = m2.tanh();
        let parts8 = (w10.dot(0.5 * b5 + w9.dot(v1.c)) + b11).split::<3>();
        let mut a12 = b13;
        for k in 1..=2 {
            a12 += (parts8[k] * b14).tanh() * (k as f64);
        }
        loss(mse((0.5 + m2.maximum(v1.c).sigmoid()).ln(), b15.tanh()));
        for k in 0..2 {
            loss(indicator((v1.h + zeros(dh)).relu().argmax() == b13.sample()) * (k as f64 + 0.25));
        }
        scatter(Node { h: (0.75 - a12.log_softmax().tanh()).tanh(), c: noisy(v1.c.noise(0.25).tanh(), 0.5) });
    }

    #[vertex_function]
    pub fn one_9(
        #[param(E)] b3: Tensor, #[param(E, E)] w4: Tensor, #[param(E, H)] w5: Tensor,
        #[param(2 * H, E)] w6: Tensor, #[dim(K)] dk: Dim, #[param(K)] b9: Tensor,
        #[param(K, K)] w10: Tensor, #[param(E, H)] w11: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let [x7, x8] = w6.dot((w4.dot(b3).sigmoid() + 0.5).ln() + w5.dot(h2)).split();
        scatter(Node { h: x8.dropout(0.25).tanh().exp().tanh(), c: (1.5 / (concat([zeros(dk), w10.dot(b9)]).slice(0..dk).sigmoid() + 0.5)).tanh() });
        loss(w11.dot(x7).tanh().sum());
    }

    #[vertex_function]
    pub fn one_10(
        #[param(K, H)] w2: Tensor, #[dim(K)] dk: Dim, #[param(K, K)] w3: Tensor,
        #[param(E)] b5: Tensor, #[param(E, E)] w6: Tensor, #[dim(E)] de: Dim,
        #[param(H)] b8: Tensor, #[param(K, K)] w9: Tensor,
    ) {
        let v1: Node = gather(0);
        let x4 = 0.75 / (concat([w3.dot(v1.c), w2.dot(v1.h)]).slice(dk..dk + dk).sigmoid() + 0.5);
        let out7 = Scores { y: (w6 * 1.5).dot(b5).minimum(zeros(de)), logits: v1.h.softmax().softmax() };
        push(out7);
        scatter(Node { h: (b8 - v1.h).relu().tanh(), c: zeros(dk).hard_sigmoid().minimum(w9.dot(x4)).tanh() });
    }

    #[vertex_function]
    pub fn one_11(
        #[param(E, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(2 * H, E)] w9: Tensor,
        #[param(2 * H)] b10: Tensor, #[param(E, H)] w14: Tensor, #[dim(E)] de: Dim,
        #[dim(K)] dk: Dim, #[param(H, K)] w15: Tensor, #[param(K)] b16: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = (w2 * 0.75).dot(p1);
        let x5 = table4.row(id);
        let Node { h: h7, c: c8 } = gather(0);
        let [x11, x12] = (w9.dot(x3.tanh().clamp(-0.5, 0.75).tanh()) + b10).split();
        let x13 = {
            let h7 = h7.tanh() + (x12 - x11);
            (w14 + w14).dot(h7).tanh()
        };
        push(Out { y: concat([x13, zeros(dk) - 1.5]).slice(0..de) });
        let state: Node = Node { h: (w15.dot(x5) + w15.dot(c8)).tanh(), c: weighted([x5, b16, x5]).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn one_12(
        #[param(K)] b2: Tensor, #[param(E)] b3: Tensor, #[param(K, E)] w4: Tensor,
        #[param(H, K)] w7: Tensor, #[param(H, K)] w8: Tensor, #[param(H, K)] w9: Tensor,
        #[param(H, K)] w10: Tensor,
    ) {
        let v1: Node = gather(0);
        let [x5, x6]: [Tensor; 2] = [b2.log_softmax(), (w4 + w4).dot(b3)];
        let state: Node = Node { h: (((v1.h + w7.dot(v1.c)) * (w8 + w9).dot(x5)).tanh() - w10.dot(x6)).tanh(), c: (x5 / (x5.sigmoid() + 0.5)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn one_13(
        #[param(E)] b2: Tensor, #[param(V, E)] table4: Tensor, #[param(K)] b8: Tensor,
        #[dim(K)] dk: Dim, #[param(K, E)] w10: Tensor, #[param(H, E)] w11: Tensor,
        #[param(H, K)] w12: Tensor, #[param(K)] b13: Tensor,
    ) {
        let p1: Word = pull();
        let x3: Tensor = p1.x * b2;
        let x5 = table4.row(p1.id);
        let v6 = gather::<Node>(0);
        let x7 = {
            let x5 = x5.tanh() + x3.tanh();
            let x9 = blend(b8.softmax(), v6.c.dropout(0.5), zeros(dk));
            (w10.dot(x5) + x9).tanh()
        };
        let state = Node { c: affine(w10, x5, b13).tanh(), h: (w11.dot(p1.x) - v6.h + (w12 * 0.5).dot(x7)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn one_14(
        #[param(E, E)] w1: Tensor, #[param(2 * K, E)] w4: Tensor, #[param(2 * K)] b5: Tensor,
        #[param(H)] b8: Tensor, #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(K, H)] w9: Tensor,
        #[param(2 * K, K)] w10: Tensor, #[param(2 * K)] b11: Tensor, #[dim(E)] de: Dim,
        #[param(K)] b14: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2: Tensor = w1.dot(x);
        let v3 = gather::<Node>(0);
        let (x6, x7) = halves(w4.dot(x2.greater(x2 + 0.6).select(x2, x2).sigmoid()) + b5);
        let (x12, x13) = halves(w10.dot(w9.dot(concat([v3.c, b8]).slice(dk..dk + dh))) + b11);
        loss(cross_entropy(scaled(x13, de).exp().tanh(), label));
        loss(scaled(x12.softmax(), de).max());
        scatter(Node { c: b14.tanh(), h: (0.5 * (v3.h * v3.h)).tanh() });
        loss((x6 - x7).tanh().sum());
    }

    #[vertex_function]
    pub fn one_15(
        #[param(E)] b2: Tensor, #[param(K, K)] w7: Tensor, #[param(2 * K, K)] w8: Tensor,
        #[param(2 * K)] b9: Tensor, #[param(K, H)] w12: Tensor, #[dim(K)] dk: Dim,
        #[param(H, E)] w14: Tensor, #[param(H, E)] w15: Tensor, #[param(H, K)] w16: Tensor,
        #[param(H, K)] w17: Tensor, #[param(E, H)] w18: Tensor, #[param(K, E)] w19: Tensor,
        #[param(K)] b20: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = p1 * b2;
        let Node { h: h5, c: c6 } = gather(0);
        let (x10, x11) = halves(w8.dot((w7 + w7).dot(c6).relu()) + b9);
        let x13 = noisy(2.0 / (w12.dot(h5).sigmoid() + 0.5), 0.25);
        for k in 0..2 {
            loss(cross_entropy((zeros(dk) * x13).exp(), label) * (k as f64 + 0.25));
        }
        scatter(Node { h: (((w14.dot(x3) - w15.dot(p1)) * w16.dot(x10)).tanh() * w17.dot(x11)).tanh(), c: w7.dot(c6).tanh() });
        let out21 = Scores { y: w18.dot(h5), logits: gate(w19, -x3, b20) };
        push(out21);
    }

    #[vertex_function]
    pub fn one_16(
        #[param(H, E)] w3: Tensor, #[param(E)] b6: Tensor, #[param(E, E)] w7: Tensor,
        #[param(E, E)] w8: Tensor, #[dim(K)] dk: Dim, #[param(H)] b11: Tensor,
        #[param(K, H)] w12: Tensor, #[param(K, H)] w13: Tensor, #[param(K, H)] w14: Tensor,
        #[param(K, E)] w15: Tensor, #[param(H)] b16: Tensor,
    ) {
        let v1: Node = gather(0);
        let Signal { x: p2, label } = pull::<Signal>();
        let x4 = w3.dot(p2);
        let x5 = {
            let n9 = 0.75 / (1.0 + dk as f64);
            let x10 = w7.dot(b6).relu() + (w8 * n9).dot(b6);
            x10.tanh()
        };
        for k in 0..2 {
            loss(cross_entropy(b11.sigmoid() + 0.5, label) * (k as f64 + 0.25));
        }
        let (h, c) = (blend(b11.maximum(v1.h), b16, v1.h).tanh(), (((w12.tanh().dot(v1.h) + v1.c) * (w13 + w14).dot(x4)).tanh() + w15.dot(x5)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn one_17(
        #[param(H, E)] w5: Tensor, #[param(E)] b7: Tensor, #[param(E, K)] w9: Tensor,
        #[param(E)] b10: Tensor, #[param(H)] b11: Tensor, #[param(K)] b13: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { target: p4, label } = pull::<Gold>();
        let x6 = w5.dot(p4);
        let s8 = b7.erf().maximum(b7).pick(p4.sample());
        loss(cross_entropy(c3.variational_dropout(0.1).softmax(), label));
        loss(cross_entropy(2.0 / (0.5 + c3.noise(0.25).tanh().sigmoid()), label));
        let out12 = Scores { y: crate::generated::cells::gate(w9, c3, b10), logits: h2 * 2.0 * b11 };
        push(out12);
        scatter(Node { h: (x6 + s8).tanh(), c: b13.softmax() });
    }

    #[vertex_function]
    pub fn one_18(
        #[param(K)] b2: Tensor, #[param(H, 2 * K)] w3: Tensor, #[param(E)] b5: Tensor,
        #[param(H, E)] w6: Tensor, #[param(K, E)] w7: Tensor, #[param(E, K)] w8: Tensor,
        #[dim(E)] de: Dim,
    ) {
        let v1 = gather::<Node>(0);
        let x4 = w3.dot(concat([b2, noisy(v1.c, 0.25)]));
        let state: Node = Node { h: (0.75 / (0.5 + w6.tanh().dot(b5).tanh().sigmoid())).tanh(), c: w7.dot(b5) * b2 };
        scatter(state);
        push(Out { y: w8.dot(v1.c).leaky_relu(0.1) * zeros(de) });
        loss((v1.h * x4).sum());
    }

    #[vertex_function]
    pub fn one_19(
        #[param(K, H)] w5: Tensor, #[param(H)] b6: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let s4 = (1.5 / ((0.5 + c3).sigmoid() + 0.5)).max();
        scatter(Node { c: (w5.dot(h2) - s4).tanh(), h: (0.5 + b6.sigmoid()).ln().tanh() });
    }

    #[vertex_function]
    pub fn one_20(
        #[param(H, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(H)] b9: Tensor,
        #[param(H)] b10: Tensor, #[param(H, E)] w11: Tensor, #[param(V, H)] table12: Tensor,
        #[param(H, E)] w14: Tensor, #[dim(K)] dk: Dim, #[dim(E)] de: Dim,
        #[param(K)] b15: Tensor, #[param(K, E)] w16: Tensor, #[param(E, H)] w17: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let Node { h: h7, c: c8 } = gather(0);
        let s13 = (b9.less(b10 + 0.35).select(w11.dot(p1), b9) * mse(x3, table12.row(id))).max();
        let state = Node { c: (zeros(dk).softmax() / (0.5 + (1.0 / (de as f64).sqrt() / (0.5 + b15.sigmoid())).sigmoid())).tanh(), h: (2.0 / (0.5 + w14.dot(x5).exp().sigmoid())).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: concat([p1, c8 / (0.5 + w16.dot(p1).sigmoid())]).slice(0..de) });
        loss((w17.dot(h7) + s13).tanh().sum());
    }

    #[vertex_function]
    pub fn one_21(
        #[param(E)] b2: Tensor, #[param(H)] b8: Tensor, #[dim(H)] dh: Dim,
        #[param(3 * E, H)] w9: Tensor, #[param(3 * E)] b10: Tensor, #[param(H)] b13: Tensor,
        #[param(H, H + K)] w14: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w15: Tensor,
        #[param(H, H)] w16: Tensor, #[param(H, K)] w17: Tensor, #[param(E, K)] w18: Tensor,
        #[param(E)] b19: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = p1 * b2;
        let Node { h: h5, c: c6 } = gather(0);
        let parts7 = (w9.dot(b8.hard_tanh() - zeros(dh).sum()) + b10).split::<3>();
        let mut a11 = b2;
        for k in 0..3 {
            a11 = a11.tanh() + (parts7[k] + (x3 - p1)).tanh();
        }
        let mut m12 = h5.relu();
        m12 *= (b8 - b8.sum()).tanh();
        m12 *= w14.dot(summary(Node { h: b13, c: c6 }));
        m12 = noisy(h5, 0.25).log_softmax().tanh() - m12;
        m12 = m12.tanh();
        loss(cross_entropy(weighted([concat([a11.slice(1..de), a11.slice(0..1)]), x3, p1]).tanh(), label));
        loss(cross_entropy((b2.log_softmax() - w15.dot(m12)).tanh(), label));
        scatter(Node { h: (w16 * (1.0 / (dh as f64).sqrt())).dot(m12).minimum(w17.tanh().dot(c6)).tanh(), c: c6.variational_dropout(0.1).tanh() });
        push(Out { y: gate(w18, c6 / (c6.sigmoid() + 0.5), b19).tanh() });
    }

    #[vertex_function]
    pub fn one_22(
        #[param(E, K)] w3: Tensor, #[param(3 * H, E)] w4: Tensor, #[param(3 * H)] b5: Tensor,
        #[dim(H)] dh: Dim, #[param(H, H)] w8: Tensor, #[param(E)] b10: Tensor,
        #[param(E)] b11: Tensor, #[param(E, E)] w12: Tensor, #[dim(E)] de: Dim,
        #[param(E, K)] w13: Tensor, #[dim(K)] dk: Dim, #[param(H)] b15: Tensor,
        #[param(H, E)] w16: Tensor, #[param(K)] b17: Tensor, #[param(K, H)] w18: Tensor,
    ) {
        let v1: Node = gather(0);
        let parts2 = (w4.dot(w3.dot(v1.c).softmax().leaky_relu(0.1)) + b5).split::<3>();
        let mut a6 = zeros(dh);
        let x7 = concat(parts2);
        for k in 0..2 {
            a6 += (x7.slice(k * dh..(k + 1) * dh) + w8.dot(v1.h).hard_sigmoid()).tanh() * (k as f64);
        }
        let mut m9 = 1.0 / (dh as f64).sqrt() + b10;
        m9 += scaled(w12.dot(b11), de);
        m9 = w13.tanh().dot(v1.c).sigmoid() - m9;
        let n14 = 0.75 / (1.0 + dk as f64);
        m9 /= n14;
        m9 = m9.tanh();
        loss(mse((b15 - v1.h) * b15, b15.greater(zeros(dh) + 0.6).select(zeros(dh), b15)));
        let state: Node = Node { h: (a6 + w16.dot(m9)).tanh(), c: (b17 * w18.dot(a6)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn one_23(
        #[param(H, H)] w3: Tensor, #[param(4 * K, H)] w4: Tensor, #[param()] s9: Tensor,
        #[param(E)] b10: Tensor, #[param(H)] b11: Tensor, #[param(H, K)] w12: Tensor,
        #[dim(H)] dh: Dim, #[param(H, K)] w13: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let x2 = ((v1.c + v1.c).sigmoid() + 0.5).ln();
        let [x5, x6, x7, x8]: [Tensor; 4] = w4.dot(w3.dot(v1.h).sigmoid().relu()).split();
        let state = Node { c: (s9.sigmoid() + (x6 + 0.5)).tanh(), h: (v1.h.gelu_tanh() + v1.h).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: (b10.sigmoid() * mse(v1.h, b11)).tanh() });
        loss((((w12.dot(x2) + w12.dot(x5)) * (w12 * (1.0 / dh as f64)).dot(x7)).tanh() * w13.dot(x8)).sum());
    }

    #[vertex_function]
    pub fn one_24(
        #[param(E, H)] w4: Tensor, #[param(K)] b5: Tensor, #[param(E, K)] w6: Tensor,
        #[dim(E)] de: Dim, #[param(K, E)] w9: Tensor, #[param()] s10: Tensor,
        #[param(E, H)] w11: Tensor, #[param(E, H)] w12: Tensor, #[dim(K)] dk: Dim,
        #[param(H)] b14: Tensor, #[param(K)] b15: Tensor, #[param(H, H + K)] w16: Tensor,
        #[param(E, K)] w17: Tensor, #[param(K, H + E)] w18: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let x3 = {
            let n7 = 0.5 / (1.0 + de as f64);
            let x8 = n7 * (w4.dot(h2) + w6.dot(b5));
            w9.dot(x8).tanh()
        };
        loss(s10.sigmoid() * s10 + 2.0);
        let n13 = 1.5 / (1.0 + dk as f64);
        push(Out { y: ((w11 + w12).dot(h2) + n13).relu().tanh() });
        let (h, c) = (w16.dot(summary(Node { h: b14, c: b15 })), w18.dot(concat([w17.dot(x3), h2])).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn one_25(
        #[param(K, H)] w2: Tensor, #[param(3 * H, K)] w3: Tensor, #[param(3 * H)] b4: Tensor,
    ) {
        let v1: Node = gather(0);
        let [x5, x6, x7] = (w3.dot(v1.c.maximum(w2.dot(v1.h)).tanh()) + b4).split();
        let (h, c) = ((x5 - x6 + x7).tanh(), v1.c.log_softmax().tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn one_26(
        #[param(H, H)] w4: Tensor, #[param(H, H)] w6: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b7: Tensor, #[param(H, K)] w8: Tensor, #[param(H, K)] w9: Tensor,
        #[param(K)] b10: Tensor, #[param(E, K)] w11: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let s5 = indicator((1.5 / (w4.dot(h2).sigmoid() + 0.5)).argmax() == h2.sample());
        loss(mse(crate::generated::cells::gate(w6, zeros(dh), b7).sigmoid(), h2.maximum(w8.dot(c3))));
        let (h, c) = (w9.dot(c3).tanh() * s5, (b10.sigmoid() + 0.5).ln().tanh());
        scatter(Node { h, c });
        push(Out { y: (1.0 / dh as f64 + w11.dot(c3)).tanh() });
    }

    #[vertex_function]
    pub fn one_27(
        #[param(H, E)] w1: Tensor, #[param(E, K)] w5: Tensor, #[param()] s6: Tensor,
        #[param(E, H)] w7: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w9: Tensor,
        #[param(E, H)] w10: Tensor, #[param(E)] b14: Tensor, #[param(H, E)] w15: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = w1.dot(target);
        let v3: Node = gather(0);
        let parts4 = [(v3.h.sum() * (s6 + (w5 + w5).dot(v3.c))).tanh(), w5.dot(v3.c), w7.dot(x2).tanh()];
        let mut a8 = zeros(de);
        for k in 1..=2 {
            a8 += (parts4[k] - w9.tanh().dot(v3.h).minimum(w10.dot(v3.h))).tanh();
        }
        let (x11, [x13], s12) = (0.5 + (v3.h - s6), [zeros(de)], ((a8.sigmoid() + 0.5).ln() * a8).tanh().sum());
        loss(s12);
        push(Out { y: b14.tanh().tanh() });
        let (h, c) = (x11 * w15.dot(x13), noisy(v3.c, 0.25));
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn one_28(
        #[param()] s3: Tensor, #[dim(K)] dk: Dim, #[param(K)] b5: Tensor,
        #[param(K, K)] w6: Tensor, #[param(H, H)] w8: Tensor, #[param(H, K)] w9: Tensor,
        #[param(E, H)] w10: Tensor, #[param(E, H)] w11: Tensor, #[param(E, H)] w12: Tensor,
        #[param(E, H)] w13: Tensor,
    ) {
        let v1: Node = gather(0);
        let mut m2 = v1.c.maximum(v1.c);
        m2 *= (0.75 * v1.c.leaky_relu(0.1)).tanh();
        m2 *= (s3 - v1.c).exp().tanh();
        m2 += concat([v1.c.slice(1..dk), v1.c.slice(0..1)]).tanh();
        m2 = m2.tanh();
        let parts4 = [b5 + b5, -m2, w6.dot(m2)];
        let mut a7 = zeros(dk);
        for k in 1..=2 {
            a7 += (parts4[k] - 1.5 * v1.c).tanh();
        }
        loss(w8.log_sum_exp());
        let state: Node = Node { h: (v1.h - (w9 + w9).dot(a7)).tanh(), c: (m2 - b5).tanh() };
        scatter(state);
        let out14 = Scores { y: w10.dot(v1.h).less((w11 + w12).dot(v1.h) + 0.35).select(w13.dot(v1.h), w10.dot(v1.h)), logits: (0.5 + v1.c.sigmoid()).ln().variational_dropout(0.5) };
        push(out14);
    }

    #[vertex_function]
    pub fn one_29(
        #[param(H)] b2: Tensor, #[param(K)] b6: Tensor, #[dim(K)] dk: Dim,
        #[param(E)] b7: Tensor, #[param(K, E)] w8: Tensor, #[param(E, K)] w9: Tensor,
        #[dim(E)] de: Dim, #[param()] s10: Tensor,
    ) {
        let v1: Node = gather(0);
        let [x3, x4]: [Tensor; 2] = [v1.h.sigmoid() * v1.h, b2 + v1.h];
        let s5 = (1.5 * v1.c.exp()).tanh().sum();
        loss(mse((b6 * zeros(dk)).log_softmax(), w8.dot(b7) + 1.5));
        for k in 0..2 {
            loss(concat([w9.tanh().dot(v1.c), 2.0 / (x3.sigmoid() + 0.5)]).slice(0..de).sum() * (k as f64 + 0.25));
        }
        scatter(Node { h: (s5.sigmoid() - (1.5 - x4)).tanh(), c: (1.0 / dk as f64 / ((v1.c + s10).sigmoid() + 0.5)).tanh() });
    }

    #[vertex_function]
    pub fn one_30(
        #[param(E)] b2: Tensor, #[param(V, H)] table4: Tensor, #[param(K)] b8: Tensor,
        #[param(K, K)] w9: Tensor, #[dim(K)] dk: Dim, #[param(K, E)] w10: Tensor,
        #[dim(E)] de: Dim, #[param(4 * H, K)] w12: Tensor, #[param(V, E)] table18: Tensor,
        #[param(V, E)] table19: Tensor, #[param(E, H)] w20: Tensor, #[param(K)] b21: Tensor,
        #[param(E, K)] w22: Tensor, #[dim(H)] dh: Dim, #[param(K, H)] w23: Tensor,
        #[param(K, H)] w24: Tensor, #[param(K, E)] w25: Tensor, #[param(K, H)] w26: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = p1.x * b2;
        let x5 = table4.row(p1.id);
        let Node { h: h7, .. } = gather(0);
        let n11 = 0.75 / (1.0 + de as f64);
        let [x13, x14, x15, x16] = w12.dot(concat([w9.dot(b8), (w10 * n11).dot(x3)]).slice(0..dk)).split::<4>();
        let n17 = 2.0 / (1.0 + dk as f64);
        loss(indicator((-table4.row(p1.id) * n17).argmax() == x5.sample()));
        loss(mse(table18.row(p1.id) / (0.5 + table19.row(p1.id).sigmoid()) - w20.dot(x16), w22.dot(b21).exp()));
        scatter(Node { h: concat([1.5 / (b2.sigmoid() + 0.5), x13]).slice(de..de + dh).tanh(), c: ((w23 * 0.5).dot(x15).tanh() * (w24 * 0.5).dot(x14)).tanh() });
        loss((w25.dot(p1.x) + w26.dot(h7)).sum());
    }

    #[vertex_function]
    pub fn one_31(
        #[param(K, E)] w5: Tensor, #[param(K)] b8: Tensor, #[param(H, K)] w9: Tensor,
        #[param(E, H)] w11: Tensor, #[param(E)] b12: Tensor, #[param(E, E)] w13: Tensor,
        #[param(E, K)] w15: Tensor, #[param(E, K)] w16: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let p4 = pull::<Gold>().target;
        let x6 = w5.dot(p4);
        let x7 = {
            let c3 = c3.tanh() + b8.softmax();
            w9.dot(c3).tanh()
        };
        let x10 = {
            let x14 = w11.dot(h2) * b12 - w13.dot(b12);
            w5.dot(x14).tanh()
        };
        scatter(Node { h: (w9.dot(x6) * x7 + (w9 + w9).dot(x10)).tanh(), c: x10.log_softmax().tanh() });
        push(Out { y: ((w15 + w16).dot(x10) - (w11 + w11).dot(h2)).tanh() });
    }

    #[vertex_function]
    pub fn one_32(
        #[param(K, K)] w2: Tensor, #[param(2 * H, K)] w3: Tensor, #[param(H)] b6: Tensor,
        #[param(K)] b7: Tensor, #[param(K, H + K)] w8: Tensor, #[param(2 * E, K)] w9: Tensor,
        #[dim(E)] de: Dim, #[param(K, K)] w12: Tensor, #[dim(K)] dk: Dim,
        #[param(K, E)] w13: Tensor,
    ) {
        let v1: Node = gather(0);
        let (x4, x5) = halves(w3.dot(0.5 / ((w2 + w2).dot(v1.c).sigmoid() + 0.5)).tanh());
        let (x10, x11) = halves(w9.dot(w8.dot(summary(Node { h: b6, c: b7 }))));
        loss(indicator(concat([w12.dot(v1.c).relu(), x11]).slice(dk..dk + de).argmax() != x10.sample()));
        loss(mse(zeros(dk).exp().elu(0.7), w13.dot(x10)));
        let state: Node = Node { h: (v1.h - x4 + x5).tanh(), c: v1.c.hard_tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn one_33(
        #[param(E, E)] w2: Tensor, #[dim(H)] dh: Dim, #[param(E, K)] w6: Tensor,
        #[param(E, K)] w9: Tensor, #[dim(E)] de: Dim, #[param(E, E)] w10: Tensor,
        #[param(H, E)] w11: Tensor, #[param(H)] b12: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w13: Tensor, #[param(K, E)] w15: Tensor,
    ) {
        let v1: Node = gather(0);
        let Gold { label, target } = pull();
        let x3: Tensor = w2.dot(target);
        let x4 = {
            let x5 = 1.0 / (dh as f64).sqrt() * (-v1.c);
            w6.dot(x5).tanh()
        };
        let x7 = {
            let x8 = v1.c.abs().gelu();
            w9.dot(x8).tanh()
        };
        loss(cross_entropy(zeros(de).less(x7 + 0.1).select(w10.tanh().dot(x3), zeros(de)).relu(), label));
        let (h, c) = ((affine(w11, x3, b12) + b12).tanh(), (-zeros(dk)).softmax());
        scatter(Node { h, c });
        let n14 = 2.0 / (1.0 + de as f64);
        loss(((w13 * n14).dot(v1.h) - w15.dot(x4)).tanh().sum());
    }

    #[vertex_function]
    pub fn one_34(
        #[param(E, E)] w3: Tensor, #[dim(H)] dh: Dim, #[param(K)] b7: Tensor,
        #[param(K, K)] w8: Tensor, #[param(3 * E, K)] w9: Tensor, #[param(3 * E)] b10: Tensor,
        #[param(E)] b12: Tensor, #[param(H, H)] w13: Tensor, #[param(K)] b14: Tensor,
        #[param(H, K)] w15: Tensor, #[param(K, H)] w16: Tensor, #[param(K, E)] w17: Tensor,
        #[param(K, E)] w18: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Word { x, .. } = pull();
        let x4 = w3.dot(x);
        let mut m5 = zeros(dh).minimum(h2);
        m5 /= 0.75;
        m5 = m5.tanh();
        let parts6 = (w9.dot((0.5 + w8.dot(b7).sigmoid()).ln()) + b10).split::<3>();
        let mut a11 = b12;
        for k in 1..=2 {
            a11 -= (parts6[k] * b12.relu()).tanh();
        }
        let state: Node = Node { h: (m5.greater(w13.dot(m5) + 0.1).select(zeros(dh), m5) / ((w15.dot(b14) - zeros(dh)).sigmoid() + 0.5)).tanh(), c: (0.5 / (0.5 + w16.dot(m5).softmax().sigmoid())).tanh() };
        scatter(state);
        loss((w17.dot(x4) * w18.dot(a11)).tanh().sum());
    }

    #[vertex_function]
    pub fn one_35(
        #[param(K)] b4: Tensor, #[param(E)] b6: Tensor, #[param(E, E)] w7: Tensor,
        #[param(E, H)] w8: Tensor, #[param(H, K)] w10: Tensor, #[param(H, E)] w11: Tensor,
        #[param(3 * K, E)] w12: Tensor, #[param(3 * K)] b13: Tensor, #[param(E)] b17: Tensor,
        #[param(K, E)] w18: Tensor, #[dim(H)] dh: Dim, #[param(K, K)] w19: Tensor,
        #[param(H, K)] w20: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let x3 = {
            let x5 = b4.relu();
            let x9 = (w7.dot(b6) / (0.5 + w8.dot(h2).sigmoid())).minimum((w8 + w8).dot(h2));
            (w10.dot(x5) + w11.dot(x9)).tanh()
        };
        let [x14, x15, x16] = (w12.dot((w8.dot(x3) + b6).sigmoid()) + b13).split();
        loss(indicator(w18.dot(b17).argmax() == x14.sample()).sigmoid());
        scatter(Node { c: w19.dot(x16).log_softmax().tanh().exp().tanh(), h: (zeros(dh).silu() + zeros(dh)).tanh() });
        loss(w20.dot(x15).sum());
    }
}

pub mod pair {
    use super::prelude::*;

    #[vertex_function]
    pub fn pair_0(
        #[dim(H)] dh: Dim, #[param(K)] b1: Tensor, #[param(K, K)] w2: Tensor,
        #[param()] s3: Tensor, #[param(H)] b5: Tensor, #[dim(E)] de: Dim, #[param(K)] b6: Tensor,
        #[param(H, E)] w9: Tensor, #[param(V, K)] table11: Tensor,
        #[param(V, E)] table14: Tensor, #[param(E, E)] w15: Tensor, #[param(E, H)] w18: Tensor,
        #[param(H, K)] w19: Tensor, #[param(H, K)] w20: Tensor, #[param(H, K)] w21: Tensor,
        #[param(H, K)] w22: Tensor, #[param(H, E)] w23: Tensor,
    ) {
        let v4: Node = gather_or(1, Node { h: zeros(dh), c: w2.dot(b1) + s3 });
        let v7: Node = gather_or(0, Node { h: scaled(b5, de), c: b6 });
        let p8: Word = pull();
        let x10 = w9.dot(p8.x);
        let x12 = table11.row(p8.id);
        let x13 = {
            let x16 = table14.row(p8.id).hard_tanh() + w15.dot(p8.x);
            let x17: Tensor = x10.gelu().relu();
            (x16 * w18.dot(x17)).tanh().tanh()
        };
        let (h, c) = ((((v4.h + w19.dot(v4.c) - v7.h) * w20.dot(v7.c) - (w21 + w22).dot(x12)).tanh() * w23.dot(x13)).tanh(), (2.0 - v7.c).tanh());
        scatter(Node { h, c });
        push(Out { y: (table14.row(p8.id).maximum(x13).sigmoid() + 0.5).ln() });
    }

    #[vertex_function]
    pub fn pair_1(
        #[dim(H)] dh: Dim, #[param(K)] b1: Tensor, #[dim(K)] dk: Dim, #[param(E)] b7: Tensor,
        #[param(K, K)] w9: Tensor, #[param(H, K)] w11: Tensor, #[param()] s12: Tensor,
        #[param(K, E)] w13: Tensor, #[param(E)] b14: Tensor, #[param()] s15: Tensor,
        #[param(H, H)] w16: Tensor, #[param(H, E)] w18: Tensor,
    ) {
        let Node { h: h3, .. } = gather_or(1, Node { h: zeros(dh), c: b1 });
        let Node { h: h5, c: c6 } = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let Word { x, .. } = pull();
        let x8 = x * b7;
        let s10 = (c6 / (w9.tanh().dot(c6).sigmoid() + 0.5) * 2.0).tanh().sum();
        scatter(Node { c: (2.0 + w13.dot(x)).tanh(), h: ((w11.dot(c6) - s12).sigmoid() + 0.5).ln().tanh() });
        let out17 = Scores { y: s15 * b14, logits: h5.silu() - w16.dot(h5) };
        push(out17);
        loss((h3 + w18.tanh().dot(x8) - s10).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_2(
        #[param(E, E)] w1: Tensor, #[param(V, E)] table3: Tensor, #[dim(H)] dh: Dim,
        #[dim(K)] dk: Dim, #[param()] s8: Tensor, #[param(4 * E, K)] w9: Tensor,
        #[param(K, E)] w15: Tensor, #[dim(E)] de: Dim, #[param(K)] b16: Tensor,
        #[param(V, E)] table18: Tensor, #[param(E, H)] w19: Tensor, #[param(H, K)] w21: Tensor,
        #[param(H, E)] w23: Tensor, #[param(E, K)] w24: Tensor, #[param(E, K)] w25: Tensor,
        #[param(E)] b26: Tensor, #[param(H, E)] w28: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = w1.dot(x);
        let x4 = table3.row(id);
        let v5: Node = gather(0);
        let Node { h: h7, .. } = gather_or(1, Node { h: zeros(dh), c: zeros(dk) });
        let [x10, x11, x12, x13]: [Tensor; 4] = w9.dot((s8 - v5.c).softmax()).split();
        let x14 = {
            let x17 = crate::generated::cells::gate(w15, x.less(zeros(de) + 0.35).select(x4, x), b16);
            let x20 = table18.row(id).relu().less(x11 + 0.1).select(w19.dot(h7), table18.row(id).relu());
            let n22 = 2.0 / (1.0 + dh as f64);
            ((w21 * n22).dot(x17) + w23.tanh().dot(x20)).tanh().tanh()
        };
        let out27 = Scores { y: (w24 + w25).dot(v5.c).tanh(), logits: x12.greater_equal(b26 + 0.6).select(x10, x12).square() };
        push(out27);
        scatter(Node { c: scaled(v5.c, dk), h: ((w23.dot(x2) - v5.h + w28.dot(x13)).tanh() + x14).tanh() });
    }

    #[vertex_function]
    pub fn pair_3(
        #[param(H)] b2: Tensor, #[dim(K)] dk: Dim, #[param(K, E)] w4: Tensor,
        #[param(E)] b7: Tensor, #[param(H, H)] w8: Tensor, #[param(H)] b9: Tensor,
        #[param()] s10: Tensor, #[param(H, E)] w13: Tensor, #[dim(E)] de: Dim,
        #[param(H, K)] w14: Tensor, #[param(E, H + K)] w15: Tensor, #[param(E, E)] w16: Tensor,
        #[param()] s17: Tensor, #[param(H, K)] w19: Tensor, #[dim(H)] dh: Dim,
        #[param(E, H)] w20: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let v3 = gather_or::<Node>(1, Node { h: b2, c: zeros(dk) });
        let Gold { label, target } = pull();
        let x5 = w4.dot(target);
        let x6 = {
            let x5 = x5.tanh() + v3.c.dropout(0.1);
            let target = target.tanh() + 0.75 * b7;
            (x5 * w4.dot(target)).tanh().tanh()
        };
        let [x11, x12] = [(w8.log_sum_exp() - v3.h.exp()).tanh(), b9 - s10];
        loss(cross_entropy(scaled(w13.dot(target), de) * x12, label));
        for k in 0..2 {
            loss(cross_entropy(b2.exp().greater_equal(w14.dot(x6) + 0.1).select(x12, b2.exp()), label).tanh() * (k as f64 + 0.25));
        }
        let out18 = Scores { y: w15.dot(summary(Node { h: b2, c: (w4 * 0.75).dot(target) })).tanh(), logits: w16.max() + s17 };
        push(out18);
        scatter(Node { c: ((x6.sigmoid() + 0.5).ln() + w16.tanh().dot(target).sum()).tanh(), h: concat([w19.dot(v1.c).slice(1..dh), w19.dot(v1.c).slice(0..1)]).noise(0.1).tanh() });
        loss(((w20 * 2.0).dot(v1.h) - (w20 * (1.0 / dk as f64)).dot(x11)).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_4(
        #[dim(H)] dh: Dim, #[param(K)] b1: Tensor, #[param(E)] b2: Tensor,
        #[param(K, E)] w3: Tensor, #[dim(K)] dk: Dim, #[dim(E)] de: Dim,
        #[param(2 * E, K)] w6: Tensor, #[param(2 * E)] b7: Tensor, #[param(H, K)] w10: Tensor,
        #[param(H)] b11: Tensor, #[param(K, H)] w14: Tensor, #[param(H)] b15: Tensor,
        #[param(H, E)] w16: Tensor, #[param(H, E)] w17: Tensor,
    ) {
        let v4: Node = gather_or(0, Node { h: zeros(dh), c: b1 - w3.dot(b2) });
        let v5: Node = gather(1);
        let (x8, x9) = halves((w6.dot(scaled(1.5 / (0.5 + zeros(dk).sigmoid()), de)) + b7).tanh());
        let [x12, x13] = [w10.tanh().dot(v4.c.greater_equal(b1 + 0.1).select(v5.c, v4.c)), b11.clamp(-0.5, 0.75)];
        for k in 0..2 {
            loss((2.0 * zeros(dk)).greater((w14 * 2.0).dot(x12) + 0.6).select(v5.c, 2.0 * zeros(dk)).sum() * (k as f64 + 0.25));
        }
        loss(indicator(zeros(dh).log_softmax().tanh().exp().argmax() != b15.sample()));
        let state = Node { c: zeros(dk).softmax(), h: (((v4.h + v5.h + (w16 * 1.5).dot(x8)) * w17.dot(x9)).tanh() - x13).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn pair_5(
        #[param(E, E)] w2: Tensor, #[param(H)] b7: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b10: Tensor, #[param(K, H)] w11: Tensor, #[param(H)] mut b12: Tensor,
        #[param(H, E)] w13: Tensor, #[param(H)] b14: Tensor, #[param(H, H)] w15: Tensor,
        #[dim(H)] dh: Dim, #[param()] s16: Tensor, #[param(E)] b17: Tensor,
        #[param(H, K)] w18: Tensor, #[param(K, H)] w19: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x3 = w2.dot(p1);
        let Node { h: h5, c: c6 } = gather(1);
        let v8: Node = gather_or(0, Node { h: b7, c: zeros(dk) });
        let x9 = {
            let c6 = c6.tanh() + (v8.c - b10);
            let h5 = h5.tanh() + (1.5 + v8.h);
            (c6 + w11.dot(h5)).tanh().tanh()
        };
        b12 = b12.tanh() + w13.dot(p1).softmax().log_softmax().tanh();
        b12 += (-b14).exp();
        b12 *= -v8.h.relu();
        b12 = b12.tanh();
        loss((w15.dot(v8.h).tanh().minimum(zeros(dh)) * b12).sum());
        loss(mse(x3.sigmoid() - (s16 - 1.5), b17).tanh());
        scatter(Node { c: (w19 * 2.0).dot(h5).tanh(), h: w18.dot(x9).tanh() });
    }

    #[vertex_function]
    pub fn pair_6(
        #[dim(H)] dh: Dim, #[param(K)] b1: Tensor, #[dim(K)] dk: Dim, #[param(E)] b9: Tensor,
        #[param(V, E)] table11: Tensor, #[param(V, K)] table14: Tensor,
        #[param(E, K)] w16: Tensor, #[param(K, K)] w17: Tensor, #[param(4 * K, K)] w18: Tensor,
        #[param(4 * K)] b19: Tensor, #[param(H, E)] w24: Tensor, #[param(K, E)] w26: Tensor,
    ) {
        let Node { h: h3, c: c4 } = gather_or(1, Node { h: zeros(dh), c: b1 });
        let Node { h: h6, c: c7 } = gather_or(0, Node { h: (0.5 - h3).tanh(), c: zeros(dk).tanh() });
        let p8: Word = pull();
        let x10 = p8.x * b9;
        let x12 = table11.row(p8.id);
        let x13 = {
            let x15 = scaled(c4 - table14.row(p8.id), dk);
            w16.dot(x15).tanh()
        };
        let [x20, x21, x22, x23] = (w18.dot(w17.dot(c7).sigmoid()) + b19).split::<4>();
        loss(b9.sum().sigmoid());
        push(Out { y: p8.x.relu().maximum(b9) });
        let n25 = 2.0_f64.sqrt() - 2.0;
        let state: Node = Node { h: ((w24 * n25).dot(x10).log_softmax() * h6).tanh(), c: scaled(zeros(dk), dk).sigmoid() };
        scatter(state);
        loss((((w26.dot(x12) + w26.dot(x13)) * x20 + x21).tanh() * x22 - x23).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_7(
        #[param(K)] b1: Tensor, #[param(H, K)] w2: Tensor, #[param(H)] b3: Tensor,
        #[dim(K)] dk: Dim, #[dim(H)] dh: Dim, #[param(E, E)] w10: Tensor,
        #[param(E)] b12: Tensor, #[param(K, E)] w13: Tensor, #[param()] s14: Tensor,
        #[param(H, H)] w15: Tensor, #[param()] s16: Tensor, #[param(H)] b17: Tensor,
        #[param(E)] b18: Tensor, #[param(E, E)] w19: Tensor, #[param(E, K)] w20: Tensor,
    ) {
        let Node { h: h5, c: c6 } = gather_or(0, Node { h: w2.dot(b1) + b3, c: zeros(dk) });
        let Node { h: h8, c: c9 } = gather_or(1, Node { h: zeros(dh), c: zeros(dk) });
        let x11 = (2.0 * (0.5 + h8.sigmoid()).ln() + w10.log_sum_exp()).tanh();
        loss(indicator(scaled(c6, dh).argmax() != w13.dot(b12).sample()) * s14);
        let state: Node = Node { h: (w15.dot(x11) * s16 - b17.sum()).tanh(), c: blend((h5 * b3).sum(), b1, zeros(dk)).log_softmax().tanh() };
        scatter(state);
        push(Out { y: (w19.dot(b18) + w20.dot(c6)).tanh() });
        loss(c9.sum());
    }

    #[vertex_function]
    pub fn pair_8(
        #[dim(H)] dh: Dim, #[param(K, K)] w1: Tensor, #[dim(K)] dk: Dim, #[param(K)] b2: Tensor,
        #[param(H)] b6: Tensor, #[param(K)] b7: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b12: Tensor, #[param(E, E)] w13: Tensor, #[param(E)] b14: Tensor,
        #[param(E, E)] w15: Tensor, #[param(H)] b17: Tensor, #[param(H)] b18: Tensor,
        #[param(E, H)] w19: Tensor, #[param(E, K)] w20: Tensor,
    ) {
        let Node { h: h4, c: c5 } = gather_or(1, Node { h: zeros(dh), c: affine(w1, zeros(dk), b2) });
        let Node { h: h9, .. } = gather_or(0, Node { h: b6, c: gate(w1, c5, b7) });
        let (x10, [x16], s11) = (1.0 / (de as f64).sqrt() / (w13.dot(b12).tanh().sigmoid() + 0.5), [c5.relu()], w15.dot(b14).tanh().sum());
        let (h, c) = ((b17 * b18 * w19.dot(h4).sum()).tanh(), weighted([x16 + c5, c5, x16]).tanh());
        scatter(Node { h, c });
        push(Out { y: (w20 * s11.tanh()).dot(x16).exp().minimum(x10).tanh() });
        loss(h9.sum());
    }

    #[vertex_function]
    pub fn pair_9(
        #[param(E, E)] w2: Tensor, #[param(H)] b5: Tensor, #[param(K)] b6: Tensor,
        #[dim(K)] dk: Dim, #[param()] s9: Tensor, #[param(3 * E, K)] w10: Tensor,
        #[param(3 * E)] b11: Tensor, #[param(K)] b16: Tensor, #[param(K)] b17: Tensor,
        #[param(E, K)] w18: Tensor, #[param(E, H)] w19: Tensor, #[param(H, E)] w20: Tensor,
        #[param(H, E)] w21: Tensor, #[param(H, K)] w22: Tensor, #[dim(H)] dh: Dim,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let n4 = 2.0_f64.sqrt() - 0.5;
        let v7 = gather_or::<Node>(1, Node { h: (n4 / (0.5 + b5.sigmoid())).tanh(), c: b6 });
        let v8 = gather::<Node>(0);
        let [x12, x13, x14] = (w10.dot(zeros(dk) * s9) + b11).split::<3>();
        let mut m15 = b16.sigmoid();
        m15 += (v7.c * b17).relu();
        m15 += v8.c.minimum(v7.c).log_softmax().tanh();
        m15 = m15.tanh();
        loss(cross_entropy(w2.dot(x14).softmax().greater(w18.dot(v8.c) + 0.6).select(w19.dot(v7.h), w2.dot(x14).softmax()), label));
        let state: Node = Node { h: (w20.dot(x3) - v8.h + w20.dot(x12) + w21.dot(x13) + w22.dot(m15)).tanh(), c: scaled(v7.c, dh) };
        scatter(state);
    }

    #[vertex_function]
    pub fn pair_10(
        #[dim(H)] dh: Dim, #[param(E)] b1: Tensor, #[param(K, E)] w2: Tensor,
        #[param()] s3: Tensor, #[param(E)] b5: Tensor, #[dim(K)] dk: Dim, #[param(E)] b7: Tensor,
        #[param(E, E)] w8: Tensor, #[param(E, E)] w9: Tensor, #[param(H, H)] w10: Tensor,
        #[param()] s12: Tensor, #[param(K, H)] w13: Tensor, #[param(H, E)] w14: Tensor,
        #[param(K)] b15: Tensor, #[dim(E)] de: Dim, #[param(H)] b16: Tensor,
    ) {
        let v4 = gather_or::<Node>(1, Node { h: zeros(dh), c: s3 + w2.dot(b1) });
        let v6: Node = gather_or(0, Node { h: concat([v4.h, b5]).slice(0..dh), c: zeros(dk) });
        let x11 = ((w8 + w9).dot(b7).log_softmax() - w10.log_sum_exp()).tanh();
        loss(noisy(v4.c, 0.5).sum() - s12);
        loss(mse(crate::generated::cells::gate(w13, w14.dot(x11), b15) - 2.0, scaled(zeros(dk), de)));
        let state = Node { c: (w13.dot(v6.h) - v6.c).tanh(), h: b16 * v4.h };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn pair_11(
        #[dim(H)] dh: Dim, #[param(H)] b1: Tensor, #[param(K, H)] w2: Tensor, #[dim(K)] dk: Dim,
        #[param(H, H)] w5: Tensor, #[param()] s6: Tensor, #[param(E)] b8: Tensor,
        #[dim(E)] de: Dim, #[param(E, H)] w9: Tensor, #[param(H, K)] w11: Tensor,
        #[param(H, E)] w12: Tensor, #[param(K)] b13: Tensor,
    ) {
        let v3: Node = gather_or(0, Node { h: zeros(dh), c: w2.dot(b1).exp().tanh() });
        let v4 = gather_or::<Node>(1, Node { h: zeros(dh), c: zeros(dk) });
        let x7: Tensor = (w5.tanh().dot(v4.h) + s6).gelu().relu();
        let x10 = (b8.sigmoid() - zeros(de)) / (0.5 + (0.5 * w9.dot(x7).log_softmax().tanh()).sigmoid());
        let state = Node { c: b13.hard_tanh(), h: (v3.h + w11.dot(v3.c) - w11.dot(v4.c) - w12.dot(x10)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn pair_12(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H, E)] w3: Tensor,
        #[param(E, K)] w6: Tensor, #[param(E, H)] w7: Tensor, #[param(3 * H, E)] w8: Tensor,
        #[param(3 * H)] b9: Tensor, #[param(H)] b11: Tensor, #[dim(E)] de: Dim,
        #[param()] s13: Tensor, #[param(E)] b16: Tensor, #[param(K, E)] w17: Tensor,
        #[param(E, H)] w18: Tensor, #[param(E, H)] w19: Tensor,
    ) {
        let v1: Node = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let v2: Node = gather(1);
        let Signal { x, .. } = pull();
        let x4: Tensor = w3.dot(x);
        let parts5 = (w8.dot((0.75 + w6.dot(v1.c)).maximum(w7.dot(x4))) + b9).split::<3>();
        let mut a10 = b11;
        let x12 = concat(parts5);
        for k in 0..2 {
            a10 += (x12.slice(k * dh..(k + 1) * dh) + scaled(b11, de)).tanh() * (k as f64);
        }
        let [x14, x15] = [s13 + a10 + v2.h, s13 + b11];
        scatter(Node { c: weighted([w17.dot(b16), v2.c, v1.c]).tanh(), h: -w3.dot(b16).relu() });
        loss(((w18.dot(v1.h) - w7.dot(x14)).tanh() * w19.dot(x15)).sum());
    }

    #[vertex_function]
    pub fn pair_13(
        #[param(H)] b1: Tensor, #[param(H, H)] w2: Tensor, #[param(H)] b3: Tensor,
        #[param(K)] b4: Tensor, #[dim(H)] dh: Dim, #[param()] s6: Tensor,
        #[param(H)] b10: Tensor, #[param(K, K)] w11: Tensor, #[param(E)] b13: Tensor,
        #[param(E, K)] w14: Tensor, #[dim(E)] de: Dim, #[param(H, K)] w15: Tensor,
        #[param(K, H)] w16: Tensor,
    ) {
        let v5: Node = gather_or(1, Node { h: w2.dot(b1).minimum(b3), c: b4 });
        let v7 = gather_or::<Node>(0, Node { h: zeros(dh), c: s6 * b4 });
        let (x8, [x12], s9) = (b10 + (s6 + s6), [b4.erf()], (s6 + w11.dot(v7.c)).sum().tanh());
        loss(mse((0.5 + b13).log_softmax().tanh(), (w14 * 0.5).dot(x12)).tanh());
        loss(1.0 / de as f64 + s9);
        let (h, c) = ((v5.h + w15.dot(v5.c) - v7.h + x8).tanh(), w16.tanh().dot(x8).log_softmax().tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn pair_14(
        #[dim(K)] dk: Dim, #[param(E)] b1: Tensor, #[param(H, E)] w2: Tensor,
        #[param(K)] b10: Tensor, #[param(K)] b11: Tensor, #[param(E, E)] w12: Tensor,
        #[param(E, K)] w13: Tensor, #[param(E, H + K)] w16: Tensor, #[param(K, H)] w17: Tensor,
        #[param(K, E)] w18: Tensor, #[param(K, E)] w19: Tensor, #[param(K, E)] w20: Tensor,
        #[dim(H)] dh: Dim,
    ) {
        let v3 = gather_or::<Node>(1, Node { h: (1.0 / dk as f64 / (0.5 + w2.dot(b1).sigmoid())).tanh(), c: -zeros(dk) });
        let Node { h: h5, c: c6 } = gather(0);
        let Gold { target: p7, label } = pull::<Gold>();
        let x8 = p7 * b1;
        let mut m9 = v3.c + 0.5;
        m9 -= (b10 + b11) * zeros(dk);
        m9 = m9.tanh();
        let [x14, x15] = [-w12.dot(p7).softmax(), noisy(w13.dot(m9), 0.5)];
        loss(cross_entropy(w16.dot(summary(Node { h: h5, c: c6 })), label));
        scatter(Node { c: (w17.dot(v3.h) - w18.dot(x8) + w19.tanh().dot(x14) - (w20 * (1.0 / (dh as f64).sqrt())).dot(x15)).tanh(), h: h5.relu() });
    }

    #[vertex_function]
    pub fn pair_15(
        #[param(H)] b1: Tensor, #[dim(K)] dk: Dim, #[param(2 * E, H)] w5: Tensor,
        #[param(H, K)] w8: Tensor, #[param(K, E)] w10: Tensor, #[param(K)] b11: Tensor,
        #[param(K)] b12: Tensor, #[dim(E)] de: Dim, #[dim(H)] dh: Dim, #[param(H)] b15: Tensor,
        #[param(E, E)] w16: Tensor, #[param(K, 2 * E)] w17: Tensor,
    ) {
        let v2: Node = gather_or(0, Node { h: b1, c: zeros(dk) });
        let Node { h: h4, .. } = gather(1);
        let (x6, x7) = halves(w5.dot(noisy(v2.h, 0.5) * indicator(v2.c.argmax() != v2.c.sample())));
        let s9 = w8.dot(v2.c).max().tanh() + 2.0;
        for k in 0..2 {
            loss((w10.dot(x7).maximum(v2.c) + b11).pick(b12.argmax()) * (k as f64 + 0.25));
        }
        let n13 = 2.0 / (1.0 + de as f64);
        let out14 = Scores { y: x6.exp().tanh(), logits: n13 / (zeros(dh).tanh().sigmoid() + 0.5) };
        push(out14);
        scatter(Node { c: w17.dot(concat([w16.dot(x7), zeros(de)])).tanh(), h: (-b15).softmax() });
        loss((h4 - s9).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_16(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H)] b3: Tensor,
        #[param(2 * H, H)] w7: Tensor, #[param(2 * H)] b8: Tensor, #[param(E)] b11: Tensor,
        #[param(E)] b12: Tensor, #[param(E)] b13: Tensor, #[param(E)] b14: Tensor,
        #[param(K, H)] w15: Tensor, #[param(K, H)] w16: Tensor,
    ) {
        let Node { h: h2, .. } = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let Node { h: h5, c: c6 } = gather_or(1, Node { h: b3, c: zeros(dk) });
        let [x9, x10]: [Tensor; 2] = (w7.dot(zeros(dh).log_softmax() * h5) + b8).split();
        loss(mse(b11.minimum(b12) + b13, b14));
        let (h, c) = (b3.log_softmax().tanh(), ((w15.dot(h2) + c6 + w15.dot(x9)).tanh() * w16.dot(x10)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn pair_17(
        #[dim(H)] dh: Dim, #[param(K)] b1: Tensor, #[param(E)] b5: Tensor,
        #[param(H, E)] w6: Tensor, #[dim(K)] dk: Dim, #[param(E)] b10: Tensor,
        #[param()] s11: Tensor, #[dim(E)] de: Dim, #[param(K)] b13: Tensor,
        #[param(E, K)] w14: Tensor, #[param(E, K)] w15: Tensor, #[param(H)] b16: Tensor,
        #[param(K, H)] w17: Tensor, #[param(K, E)] w18: Tensor,
    ) {
        let Node { h: h3, c: c4 } = gather_or(0, Node { h: zeros(dh), c: (b1 + 0.75).tanh() });
        let v7 = gather_or::<Node>(1, Node { h: w6.dot(b5) * h3, c: zeros(dk) });
        let (x8, [x12], s9) = (s11 + b10 + zeros(de), [b13.hard_tanh()], ((v7.c + c4) * b1).sum());
        loss(mse(gate(w14, x12, b5).log_softmax().tanh(), w15.dot(v7.c)));
        loss((weighted([b16.softmax(), v7.h, v7.h]) * v7.h).tanh().sum());
        scatter(Node { h: (-h3.variational_dropout(0.5)).tanh(), c: c4.maximum(w17.dot(h3)).dropout(0.25).tanh() });
        loss((w18.dot(x8) - s9).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_18(
        #[param(K, E)] w2: Tensor, #[param(V, H)] table4: Tensor, #[param(H)] b6: Tensor,
        #[dim(K)] dk: Dim, #[param(H, K)] w12: Tensor, #[param(H, E)] w13: Tensor,
        #[param(H, K)] w14: Tensor, #[param(K)] b15: Tensor, #[param(E)] b16: Tensor,
        #[param(K, E)] w17: Tensor, #[param(K)] b19: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let Node { h: h8, c: c9 } = gather_or(0, Node { h: b6, c: zeros(dk) });
        let v10 = gather_or::<Node>(1, Node { h: x5.log_softmax().tanh(), c: zeros(dk) });
        let x11 = 1.0 / (dk as f64).sqrt() / (((zeros(dk) + zeros(dk)) / (0.5 + (-c9).sigmoid())).sigmoid() + 0.5);
        let (h, c) = (((((w12.dot(x3) - w13.dot(p1.x)) * h8 + v10.h) * w14.dot(v10.c)).tanh() * w12.dot(x11)).tanh(), b15.minimum(x3).tanh());
        scatter(Node { h, c });
        let n18 = 0.5 / (1.0 + dk as f64);
        let out20 = Scores { y: b16.gelu(), logits: noisy((w17 * n18).dot(p1.x), 0.25) * b19 };
        push(out20);
    }

    #[vertex_function]
    pub fn pair_19(
        #[param(E, E)] w1: Tensor, #[param(H)] b3: Tensor, #[dim(K)] dk: Dim, #[dim(H)] dh: Dim,
        #[param(K)] b6: Tensor, #[param()] s7: Tensor, #[param(K)] b12: Tensor,
        #[param(K, E)] w13: Tensor, #[param(E, H)] w14: Tensor, #[param(K)] b15: Tensor,
        #[param(K, K)] w16: Tensor, #[param(K)] b17: Tensor, #[param(E)] b18: Tensor,
        #[param(H, K)] w19: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = w1.dot(x);
        let Node { h: h5, .. } = gather_or(1, Node { h: b3, c: zeros(dk) });
        let Node { h: h9, c: c10 } = gather_or(0, Node { h: zeros(dh), c: s7 + b6 });
        let mut m11 = c10.maximum(b12);
        m11 = m11.tanh() + gate(w13, 0.5 - w14.dot(h9), b15).tanh();
        m11 *= concat([w16.dot(c10), c10.log_softmax()]).slice(0..dk);
        m11 *= (c10 + b17).exp().tanh();
        m11 = m11.tanh();
        loss(cross_entropy(b18.exp().softmax(), label));
        for k in 0..2 {
            loss(cross_entropy((x2 / (0.5 + x2.sigmoid()) / (b18.gelu_tanh().sigmoid() + 0.5)).tanh(), label) * (k as f64 + 0.25));
        }
        scatter(Node { c: c10.minimum(m11), h: (h5 * (w19 * 0.75).dot(m11)).tanh() });
    }

    #[vertex_function]
    pub fn pair_20(
        #[param(H)] b3: Tensor, #[param(K)] b4: Tensor, #[param(K, E)] w8: Tensor,
        #[param(K, E)] w9: Tensor, #[param(K, H)] w11: Tensor, #[param(K, H)] w12: Tensor,
        #[param(K, K)] w15: Tensor, #[param()] s16: Tensor, #[dim(K)] dk: Dim,
        #[param(H, E)] w17: Tensor, #[param(E, H)] w18: Tensor, #[param(E, E)] w19: Tensor,
        #[param(E, E)] w20: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Node { h: h6, c: c7 } = gather_or(1, Node { h: b3, c: b4 });
        let Gold { label, target } = pull();
        let x10: Tensor = (w8 + w9).dot(target);
        let [x13, x14]: [Tensor; 2] = [(c7.sigmoid() + 0.5).ln() - w11.dot(h6), w12.dot(h2) * x10];
        loss(cross_entropy(affine(w15, x13 * s16, b4), label));
        loss(cross_entropy(((x14 - b4) / (0.5 + zeros(dk).silu().sigmoid())).tanh(), label));
        let (h, c) = (w17.dot(target).tanh(), (0.5 + x13.sigmoid()).ln().tanh());
        scatter(Node { h, c });
        push(Out { y: weighted([(w18 * 0.5).dot(h2), w19.tanh().dot(target), w20.dot(target)]).tanh() });
    }

    #[vertex_function]
    pub fn pair_21(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(K, E)] w5: Tensor,
        #[param(E, K)] w7: Tensor, #[param(E)] b8: Tensor, #[param(E, E)] w9: Tensor,
        #[param(H, K)] w11: Tensor, #[param(H, E)] w12: Tensor, #[param(H, E)] w13: Tensor,
        #[param(K, H)] w14: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let v3 = gather_or::<Node>(1, Node { h: zeros(dh), c: zeros(dk) });
        let p4 = pull::<Signal>().x;
        let x6 = w5.dot(p4);
        let x10 = (noisy(w7.dot(v3.c), 0.25) - w9.dot(b8)).tanh();
        scatter(Node { c: (0.5 + w14.dot(h2).sigmoid()).ln().tanh(), h: (h2 + v3.h + w11.dot(x6) + (w12 + w13).dot(x10)).tanh() });
    }

    #[vertex_function]
    pub fn pair_22(
        #[param(K, E)] w1: Tensor, #[dim(H)] dh: Dim, #[dim(K)] dk: Dim,
        #[param(K, K)] w8: Tensor, #[param(E)] b11: Tensor, #[dim(E)] de: Dim,
        #[param(H, E)] w13: Tensor, #[param(K, K)] w14: Tensor, #[param(K)] b15: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = (w1 * 0.5).dot(x);
        let Node { h: h4, c: c5 } = gather_or(1, Node { h: zeros(dh), c: zeros(dk) });
        let Node { h: h7, .. } = gather(0);
        let x9 = 1.0 / dh as f64 / ((scaled(w8.dot(c5), dk) * x2).sigmoid() + 0.5);
        let x10 = {
            let x12 = b11.softmax().relu();
            let x12 = x12.tanh() + concat([zeros(de).slice(1..de), zeros(de).slice(0..1)]);
            w13.dot(x12).tanh()
        };
        loss(cross_entropy(x9.softmax().square(), label));
        let state: Node = Node { h: (h4 * h7 - x10).tanh(), c: (w14.dot(x2) - b15).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn pair_23(
        #[param(K, E)] w1: Tensor, #[dim(H)] dh: Dim, #[param(K)] b3: Tensor, #[dim(K)] dk: Dim,
        #[param(3 * H, K)] w8: Tensor, #[param(H)] b10: Tensor, #[param()] s11: Tensor,
        #[dim(E)] de: Dim,
    ) {
        let Signal { x, .. } = pull();
        let x2 = w1.dot(x);
        let Node { h: h5, .. } = gather_or(0, Node { h: zeros(dh), c: b3.softmax() });
        let v6 = gather_or::<Node>(1, Node { h: zeros(dh), c: zeros(dk) });
        let parts7 = w8.dot(x2.tanh() + v6.c).split::<3>();
        let mut a9 = b10;
        for part in parts7 {
            a9 -= (part * h5.minimum(v6.h)).tanh();
        }
        let x2 = x2.tanh() + zeros(dk).maximum(v6.c);
        scatter(Node { h: (s11 + h5).minimum(zeros(dh)).tanh(), c: x2.minimum(b3).maximum(v6.c).tanh() });
        let n12 = 0.5 / (1.0 + de as f64);
        push(Out { y: (0.5 + (n12 / (0.5 + zeros(de).sigmoid())).sigmoid()).ln() });
        loss(a9.tanh().sum());
    }

    #[vertex_function]
    pub fn pair_24(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H)] b2: Tensor, #[param()] s3: Tensor,
        #[param(H, E)] w6: Tensor, #[param(V, H)] table8: Tensor, #[param(H)] b11: Tensor,
        #[param(E, 2 * H)] w12: Tensor, #[param(E)] b14: Tensor, #[param(E, E)] w15: Tensor,
        #[param(E, H)] w16: Tensor, #[param(E, H)] w17: Tensor, #[param(E, H)] w18: Tensor,
        #[param(E)] b19: Tensor, #[param(3 * E, E)] w20: Tensor, #[param(3 * E)] b21: Tensor,
        #[param(H, K)] w25: Tensor, #[param(H, H)] w26: Tensor, #[dim(E)] de: Dim,
        #[param(V, E)] table27: Tensor, #[param(H, K)] w28: Tensor, #[param(H, E)] w29: Tensor,
        #[param(K)] b30: Tensor, #[param(H, H + K)] w31: Tensor,
    ) {
        let v1: Node = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let v4 = gather_or::<Node>(1, Node { h: b2 - s3, c: zeros(dk) });
        let Word { x: p5, id } = pull::<Word>();
        let x7 = w6.dot(p5);
        let x9 = table8.row(id);
        let parts10 = [w12.dot(concat([b2, b11])), p5.tanh(), p5];
        let mut a13 = b14;
        for k in 1..=2 {
            a13 -= (parts10[k] - w15.dot(p5).maximum((w16 + w17).dot(x9))).tanh();
        }
        let [x22, x23, x24] = (w20.dot(w18.dot(x7).minimum(b19).relu()) + b21).split::<3>();
        loss((w26.max() * w25.dot(v1.c).minimum(zeros(dh))).tanh().sum());
        loss((concat([x24.slice(1..de), x24.slice(0..1)]) / ((-table27.row(id)).sigmoid() + 0.5)).tanh().pick(x22.sample()));
        let state: Node = Node { h: ((v1.h * v4.h * w28.dot(v4.c) + w6.dot(a13)).tanh() - w29.dot(x23)).tanh(), c: v4.c * b30 };
        scatter(state);
        let out32 = Scores { y: a13.sigmoid(), logits: w31.dot(summary(Node { h: x9, c: v1.c })).dropout(0.5) };
        push(out32);
    }

    #[vertex_function]
    pub fn pair_25(
        #[dim(H)] dh: Dim, #[param(E)] b3: Tensor, #[param(K, E)] w4: Tensor,
        #[param(H)] b6: Tensor, #[param(K, H)] w7: Tensor, #[param(K, H)] w8: Tensor,
        #[param(H, E)] w9: Tensor,
    ) {
        let Node { h: h2, .. } = gather(1);
        let v5 = gather_or::<Node>(0, Node { h: zeros(dh), c: w4.dot(b3).tanh() });
        let h2 = h2.tanh() + -b6;
        let (h, c) = (w9.dot(b3).tanh(), (w7.dot(v5.h) * v5.c - w8.dot(h2)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn pair_26(
        #[param(H)] b1: Tensor, #[dim(K)] dk: Dim, #[dim(H)] dh: Dim, #[param(K)] b3: Tensor,
        #[param(E, E)] w5: Tensor, #[param(H, E)] w7: Tensor, #[param(E)] b9: Tensor,
        #[param(H)] b10: Tensor,
    ) {
        let v2 = gather_or::<Node>(0, Node { h: b1, c: zeros(dk) });
        let v4: Node = gather_or(1, Node { h: zeros(dh), c: b3 });
        let Signal { label, x } = pull();
        let x6 = (w5 + w5).dot(x);
        let s8 = mse((v4.h + v2.h).softmax(), w7.dot(x6)).tanh();
        loss(cross_entropy(b1.minimum(v4.h).maximum(zeros(dh)), label));
        push(Out { y: x6.greater_equal(x6 + 0.6).select(b9, x6).minimum(x6).tanh() });
        let (h, c) = (b10 * s8, ((v2.c + v4.c) * s8).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn pair_27(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H, H)] w4: Tensor, #[param()] s5: Tensor,
        #[param(E, H)] w7: Tensor, #[param(K)] b8: Tensor, #[param(4 * H, K)] w9: Tensor,
        #[param(H, E)] w14: Tensor, #[param(E)] b15: Tensor,
    ) {
        let v1: Node = gather(0);
        let v2: Node = gather_or(1, Node { h: zeros(dh), c: zeros(dk) });
        let x3 = {
            let x6 = w4.tanh().dot(v2.h) * (s5 - 0.5);
            w7.dot(x6).tanh()
        };
        let [x10, x11, x12, x13]: [Tensor; 4] = w9.dot((0.5 + b8.sigmoid()).ln() + v1.c).split();
        loss((b8 - v2.c).tanh().sum());
        loss(x11.relu().minimum(v1.h).max());
        scatter(Node { c: v2.c.tanh(), h: (((w14.dot(x3) + x10) * x12).tanh() * x13).tanh() });
        let out16 = Scores { y: b15.sigmoid(), logits: x13.softmax().max() };
        push(out16);
    }

    #[vertex_function]
    pub fn pair_28(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(E)] b3: Tensor,
        #[param(V, E)] table5: Tensor, #[param()] s7: Tensor, #[param(K)] b10: Tensor,
        #[param(V, K)] table12: Tensor, #[param(H, K)] w14: Tensor, #[param(K, H)] w15: Tensor,
        #[param(K, H)] w16: Tensor, #[param(K, E)] w17: Tensor, #[param(K, E)] w18: Tensor,
        #[param(K, H)] w19: Tensor, #[param(K, H)] w20: Tensor,
    ) {
        let v1: Node = gather(1);
        let v2 = gather_or::<Node>(0, Node { h: zeros(dh), c: zeros(dk) });
        let Word { id, x } = pull();
        let x4 = x * b3;
        let x6 = table5.row(id);
        let x8 = (0.5 + (s7 * v2.h).sigmoid()).ln().log_softmax();
        let x9 = {
            let x11 = noisy(b10 - v1.c, 0.5);
            let x13 = zeros(dk).less(table12.row(id) + 0.35).select(x11, zeros(dk)) * zeros(dk);
            (w14 * 0.5).dot(x13).tanh()
        };
        let state: Node = Node { h: v1.h.exp().tanh(), c: (((((w15 + w16).dot(v1.h) + v2.c + w17.dot(x4) + w18.dot(x)).tanh() + (w17 + w17).dot(x6)) * w19.dot(x8)).tanh() - w20.dot(x9)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn pair_29(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param()] s7: Tensor, #[param(E, H)] w8: Tensor,
        #[param(E)] b10: Tensor, #[param(K, H)] w11: Tensor, #[param(K, E)] w12: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(1);
        let Node { h: h5, c: c6 } = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let x9 = (w8 + w8).dot(s7 * h5);
        push(Out { y: ((-b10).sigmoid() + 0.5).ln() });
        scatter(Node { h: h2.hard_tanh(), c: (w11.dot(h2) * c3 * c6 + w12.dot(x9)).tanh() });
    }

    #[vertex_function]
    pub fn pair_30(
        #[param(H)] b1: Tensor, #[param(K)] b2: Tensor, #[param(H)] b6: Tensor,
        #[param(K)] b7: Tensor, #[param(E)] b10: Tensor, #[param(V, H)] table12: Tensor,
        #[param(V, K)] table15: Tensor, #[param(H, H)] w16: Tensor, #[param(H)] b17: Tensor,
        #[param(H, K)] w19: Tensor, #[dim(E)] de: Dim, #[param()] s22: Tensor,
        #[param(H, K)] w23: Tensor, #[param()] s24: Tensor, #[param(E, K)] w25: Tensor,
        #[param(V, K)] table26: Tensor, #[param(E)] b27: Tensor, #[param(K, E)] w29: Tensor,
        #[param(K, E)] w31: Tensor, #[param(K, E)] w32: Tensor,
    ) {
        let Node { h: h4, c: c5 } = gather_or(1, Node { h: b1, c: b2 });
        let Node { h: h9, .. } = gather_or(0, Node { h: b6, c: b7 });
        let Word { id, x } = pull();
        let x11 = x * b10;
        let x13 = table12.row(id);
        let x14 = {
            let c5 = c5.tanh() + c5 / (table15.row(id).sigmoid() + 0.5);
            let x18 = (b1 * (w16 * 0.75).dot(x13)).minimum(b17);
            (w19.dot(c5) * x18).tanh()
        };
        let x20 = {
            let x21 = (-zeros(de)).relu();
            x21.tanh()
        };
        loss(2.0 + (s22.tanh() - s22));
        loss(((h9 + x14).minimum(h4) * table12.row(id)).sum());
        scatter(Node { c: (b2.softmax().sigmoid() + 0.5).ln().tanh(), h: (s24 - w23.tanh().dot(c5) - h9).tanh() });
        let out28 = Scores { y: w25.dot(c5) + zeros(de), logits: crate::generated::cells::gate(w25, table26.row(id), b27).sum() };
        push(out28);
        let n30 = 2.0_f64.sqrt() - 0.5;
        loss(((w29 * n30).dot(x11) + w31.dot(x) + w32.dot(x20)).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_31(
        #[param(H)] b1: Tensor, #[param(K)] b2: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b6: Tensor, #[dim(K)] dk: Dim, #[param(E)] b9: Tensor,
        #[param(H, E)] w10: Tensor, #[param(2 * E, K)] w11: Tensor, #[param(2 * E)] b12: Tensor,
        #[param(K, H + K)] w15: Tensor, #[param(H, E)] w18: Tensor, #[param(H, E)] w19: Tensor,
    ) {
        let Node { h: h4, c: c5 } = gather_or(0, Node { h: b1, c: b2 });
        let Node { h: h8, .. } = gather_or(1, Node { h: zeros(dh), c: b6 });
        let [x13, x14] = (w11.dot(concat([(w10 * 0.75).dot(b9).softmax(), c5]).slice(dh..dh + dk)) + b12).split();
        let [x16, x17]: [Tensor; 2] = [-(c5 * c5), w15.dot(summary(Node { h: h4, c: b2 }))];
        loss(((x17.square().sigmoid() + 0.5).ln() * x16).sum());
        scatter(Node { c: (1.5 / (0.5 + c5.sigmoid())).tanh(), h: (h8 + w18.dot(x13) + w19.dot(x14)).tanh() });
    }

    #[vertex_function]
    pub fn pair_32(
        #[param(K)] b1: Tensor, #[param(H, K)] w2: Tensor, #[param(H)] b3: Tensor,
        #[param(H, H)] w4: Tensor, #[dim(K)] dk: Dim, #[param(E)] b9: Tensor,
        #[param(H, E)] w10: Tensor, #[param(H)] b11: Tensor, #[param(K, H)] w14: Tensor,
        #[param(4 * H, K)] w15: Tensor, #[param(4 * H)] b16: Tensor, #[param(K, H)] w21: Tensor,
        #[param(K)] b22: Tensor, #[param(E)] b23: Tensor, #[param(K, E)] w24: Tensor,
        #[param(E, H)] w25: Tensor, #[param()] s26: Tensor,
    ) {
        let Node { h: h6, .. } = gather_or(1, Node { h: w2.dot(b1).maximum(w4.dot(b3)), c: zeros(dk) });
        let Node { h: h8, .. } = gather(0);
        let [x12, x13]: [Tensor; 2] = [w10.dot(b9).relu(), b3.minimum(b11)];
        let [x17, x18, x19, x20] = (w15.dot(w14.dot(x12).maximum(zeros(dk)).sigmoid()) + b16).split();
        loss(w21.dot(x13).minimum(b1).less(b22 + 0.6).select(b1, w21.dot(x13).minimum(b1)).sum());
        scatter(Node { h: (x17.sigmoid() + 0.5).ln().log_softmax().tanh(), c: w24.dot(b23).minimum(b1) });
        let out27 = Scores { y: (s26 - w25.dot(x18)).tanh(), logits: (1.0 / dk as f64 / (h6.sigmoid() + 0.5)).tanh().sum() };
        push(out27);
        loss((h8 * x19 * x20).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_33(
        #[param(K, E)] w2: Tensor, #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param()] s8: Tensor,
        #[param(E, H)] w9: Tensor, #[param(K, E)] w11: Tensor, #[param(K, H)] w12: Tensor,
        #[param(K, E)] w13: Tensor, #[param(E)] b14: Tensor, #[param(K)] b15: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x3 = w2.dot(p1);
        let Node { h: h5, c: c6 } = gather(0);
        let v7 = gather_or::<Node>(1, Node { h: zeros(dh), c: zeros(dk) });
        let x10 = w9.dot(0.75 / (0.5 + (s8 + zeros(dh)).sigmoid()));
        let state: Node = Node { h: (h5 / (zeros(dh).sigmoid() + 0.5)).tanh(), c: ((((x3 + w11.dot(p1) + w12.dot(h5) - c6) * w12.dot(v7.h)).tanh() + v7.c) * (w2 + w13).dot(x10)).tanh() };
        scatter(state);
        let out16 = Scores { y: b14.maximum(x10).tanh(), logits: b15.minimum(c6).greater_equal(x3 + 0.6).select(v7.c, b15.minimum(c6)) };
        push(out16);
    }

    #[vertex_function]
    pub fn pair_34(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(K, K)] w3: Tensor, #[param(H)] b5: Tensor,
        #[param(H, H)] w6: Tensor, #[param(E, H)] w7: Tensor, #[param(E)] b8: Tensor,
        #[param(H, E)] w9: Tensor, #[param(K, K)] w10: Tensor, #[dim(E)] de: Dim,
        #[param(K)] b11: Tensor,
    ) {
        let v1: Node = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let v2: Node = gather(1);
        let s4 = w3.min();
        loss(mse(-concat([v2.h, b5]).slice(0..dh), w6.dot(v1.h).softmax()));
        push(Out { y: w7.dot(v1.h).sigmoid() * 0.5 });
        let (h, c) = ((w9 * s4.tanh()).dot(b8).tanh().relu(), (v1.c * 0.75 / ((w10 * (1.0 / (de as f64).sqrt())).dot(v2.c).minimum(b11).sigmoid() + 0.5)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn pair_35(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H, E)] w6: Tensor,
        #[param(H, K)] w9: Tensor, #[param(3 * H, H)] w10: Tensor, #[param(3 * H)] b11: Tensor,
        #[param(H)] b13: Tensor, #[param(H)] b15: Tensor, #[param(3 * H, H)] w16: Tensor,
    ) {
        let v1: Node = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let Node { h: h3, c: c4 } = gather_or(1, Node { h: zeros(dh), c: v1.c / (0.5 + v1.c.sigmoid()) });
        let p5: Gold = pull();
        let x7 = w6.dot(p5.target);
        let parts8 = (w10.dot(w9.dot(c4).tanh().exp()) + b11).split::<3>();
        let mut a12 = b13;
        for part in parts8 {
            a12 += (part - 0.5 * zeros(dh)).tanh();
        }
        let parts14 = w16.dot(b15.sigmoid().log_softmax()).tanh().split::<3>();
        let mut a17 = b13;
        for k in 0..3 {
            a17 -= (parts14[k] - h3.less(a12 + 0.1).select(v1.h, h3)).tanh();
        }
        loss(cross_entropy(2.0 / (0.5 + p5.target.maximum(p5.target).sigmoid()), p5.label));
        let (h, c) = ((x7 + a17).tanh(), v1.c.sigmoid());
        scatter(Node { h, c });
    }
}

pub mod several {
    use super::prelude::*;

    #[vertex_function]
    pub fn several_0(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(H)] b6: Tensor, #[param(H, H)] w7: Tensor, #[param(K)] b8: Tensor,
        #[param(H, K)] w9: Tensor, #[dim(K)] dk: Dim, #[param(H)] b10: Tensor,
        #[param(K)] b11: Tensor, #[param(H, K)] w12: Tensor, #[param(H)] b13: Tensor,
        #[param(H)] b14: Tensor, #[param(H, H)] w15: Tensor, #[param(H, K)] w16: Tensor,
        #[param(H, E)] w17: Tensor, #[param(K, E)] w18: Tensor,
    ) {
        let mut a2 = zeros(de);
        for k in 0..2 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) - w4.dot(v1.c)) * (k as f64 + 0.5);
        }
        let mut m5 = w7.dot(b6);
        m5 += ((w9.dot(b8) - 1.0 / (dk as f64).sqrt()) / (b10.sigmoid().sigmoid() + 0.5)).tanh();
        m5 += w12.tanh().dot(b11).greater(b13 + 0.6).select(w15.dot(b14), w12.tanh().dot(b11)).tanh();
        m5 = b6.softplus() * w16.dot(b8) - m5;
        m5 = m5.tanh();
        let state: Node = Node { h: (w17.dot(a2) - m5).tanh(), c: (w18.tanh().dot(a2).sigmoid() + 0.5).ln().tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn several_1(
        #[param(E)] b4: Tensor, #[param(V, H)] table6: Tensor, #[dim(H)] dh: Dim,
        #[dim(E)] de: Dim, #[param(3 * K, H)] w9: Tensor, #[dim(K)] dk: Dim,
        #[param(E)] b11: Tensor, #[param(E, E)] w12: Tensor, #[param(H, E)] w13: Tensor,
        #[param(H, E)] w14: Tensor, #[param()] s15: Tensor, #[param(V, K)] table16: Tensor,
        #[param(K, H)] w17: Tensor, #[param(E, H + K + E)] w18: Tensor,
        #[param(E, K)] w19: Tensor, #[param(E, K)] w20: Tensor,
    ) {
        let [v1, v2]: [Node; 2] = [gather(0), gather(1)];
        let p3: Word = pull();
        let x5 = p3.x * b4;
        let x7 = table6.row(p3.id);
        let parts8 = w9.dot(concat([x5, v1.h]).slice(de..de + dh).tanh()).split::<3>();
        let mut a10 = zeros(dk);
        for k in 1..=2 {
            a10 += (parts8[k] * (v2.c.sigmoid() + 0.5).ln()).tanh();
        }
        loss(scaled(b11 - zeros(de), dh).pick(p3.x.argmax()));
        loss((w13.dot(w12.dot(p3.x).minimum(zeros(de))) * x7).sum());
        scatter(Node { c: noisy(table16.row(p3.id).exp(), 0.5).tanh(), h: x7.minimum(w14.dot(x5)) * (s15 + s15) });
        push(Out { y: w18.dot(concat([w17.dot(v2.h), v1.h, b4])).tanh() });
        loss((w19.dot(v1.c) + w20.dot(a10)).tanh().sum());
    }

    #[vertex_function]
    pub fn several_2(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(K, H)] w6: Tensor,
        #[param(K, H)] w7: Tensor, #[param(K)] b8: Tensor, #[param(E)] b9: Tensor,
        #[param(K, E)] w10: Tensor, #[param(K, K)] w11: Tensor, #[param(E, H)] w14: Tensor,
        #[param(H, K)] w15: Tensor, #[param(H, E)] w16: Tensor, #[dim(E)] de: Dim,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(dk);
        for k in 0..2 {
            a2 += (w3.dot(v1[k].h) + v1[k].c) * (k as f64 + 0.5);
        }
        let n12 = 2.0_f64.sqrt() - 2.0;
        let (x4, [x13], s5) = (w6.dot(v1[0].h).greater_equal((w7 * 0.5).dot(v1[0].h) + 0.6).select(b8, w6.dot(v1[0].h)) + v1[0].c.sum(), [weighted([w14.dot(v1[0].h), w14.dot(v1[0].h), b9])], mse(w10.dot(b9).relu(), (w11 * n12).dot(a2)).tanh());
        let state = Node { c: x4.noise(0.1).tanh(), h: ((w15.tanh().dot(x4) + s5).tanh() * w16.dot(x13)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: x13.relu().maximum(zeros(de)).tanh() });
    }

    #[vertex_function]
    pub fn several_3(
        #[param(E)] b1: Tensor, #[param(V, E)] table3: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w7: Tensor, #[param()] s10: Tensor, #[param(H, E)] w12: Tensor,
        #[param(K, E)] w13: Tensor, #[param(K, E)] w14: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4 = table3.row(id);
        let v5: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a6 = zeros(dk);
        for k in 0..3 {
            a6 += (w7.dot(v5[k].h) + v5[k].c) * (k as f64 + 0.5);
        }
        let [x8, x9] = [-b1, x.tanh()];
        let x11 = (2.0 + (s10 + v5[2].h)).sigmoid();
        loss(mse(a6.sigmoid() * v5[2].c, w7.dot(x11)));
        let state = Node { c: blend(v5[2].c.sigmoid(), v5[2].c.hard_tanh(), w7.dot(x11)).tanh(), h: (0.5 + w12.dot(x9).log_softmax().sigmoid()).ln().tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((w13.dot(x2) + w13.dot(x4) + w14.dot(x8)).sum());
    }

    #[vertex_function]
    pub fn several_4(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(H)] b4: Tensor,
        #[param(K, H)] w6: Tensor,
    ) {
        let v1: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a2 = zeros(dk);
        for k in 0..3 {
            a2 += ((w3 * (1.0 / (dk as f64).sqrt())).dot(v1[k].h) + v1[k].c) * (k as f64 + 0.5);
        }
        let x5 = v1[1].h.exp() / (0.5 + b4.maximum(v1[1].h).sigmoid());
        let state: Node = Node { h: v1[1].h.variational_dropout(0.1).tanh(), c: ((a2 + v1[1].c) * w6.dot(x5)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn several_5(
        #[param(E, E)] w3: Tensor, #[param(V, E)] table5: Tensor, #[param(H, E)] w8: Tensor,
        #[param(K, H)] w9: Tensor, #[param()] s10: Tensor,
    ) {
        let v1 = gather::<Node>(1);
        let v2 = gather::<Node>(0);
        let Word { id, x } = pull();
        let x4 = w3.tanh().dot(x);
        let x6 = table5.row(id);
        let s7 = (x4.greater_equal(x4 + 0.1).select(x6, x4).exp() * x6).tanh().sum();
        let state: Node = Node { h: ((2.0 + v1.h) / (w8.dot(x6).sigmoid() + 0.5)).tanh(), c: (s10.sigmoid() + (w9 * s7.tanh()).dot(v2.h).sigmoid()).tanh() };
        scatter(state);
        let out11 = Scores { y: (w3.dot(x4) + x6).tanh(), logits: 0.5 - v2.c - v1.c };
        push(out11);
    }

    #[vertex_function]
    pub fn several_6(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[dim(E)] de: Dim,
        #[param(E, K)] w5: Tensor, #[param(E, K)] w6: Tensor, #[param(H)] b7: Tensor,
        #[param(E, H)] w8: Tensor, #[param(3 * E, E)] w9: Tensor, #[param(3 * E)] b10: Tensor,
        #[param(E)] b12: Tensor, #[param(H)] b13: Tensor, #[param(H, E)] w14: Tensor,
        #[param()] s15: Tensor,
    ) {
        let mut a2 = zeros(dk);
        for k in 0..2 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) + v1.c) * (k as f64 + 0.5);
        }
        let parts4 = (w9.dot(1.0 / de as f64 / ((w5 + w6).dot(a2).maximum(w8.dot(b7)).tanh().sigmoid() + 0.5)) + b10).tanh().split::<3>();
        let mut a11 = b12;
        for part in parts4 {
            a11 = a11.tanh() + (part * w8.dot(b13).log_softmax().tanh()).tanh();
        }
        scatter(Node { c: (s15 - a2).softmax(), h: -w14.dot(a11).variational_dropout(0.1).tanh() });
    }

    #[vertex_function]
    pub fn several_7(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(H, K)] w5: Tensor, #[param(K)] b6: Tensor, #[param(K, K)] w7: Tensor,
        #[param(H)] b8: Tensor, #[param(K, E)] w10: Tensor, #[param(K)] b11: Tensor,
        #[param(E, K)] w14: Tensor, #[param()] s15: Tensor, #[param(H, K)] w16: Tensor,
        #[param(H, E)] w18: Tensor,
    ) {
        let mut a2 = zeros(de);
        for k in 0..3 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) + (w4 + w4).dot(v1.c)) * (k as f64 + 0.5);
        }
        let x9 = crate::generated::cells::gate(w5, (w7 * 0.75).dot(b6), b8).tanh().gelu_tanh();
        let [x12, x13] = [w10.dot(a2).greater_equal(b6 + 0.35).select(w7.dot(b11), w10.dot(a2)).relu(), b6 * 2.0];
        loss(mse((w4 + w14).dot(x13) - s15, a2.softmax()));
        let out17 = Scores { y: (a2 + a2).tanh(), logits: weighted([0.75 * x9, (w5 + w16).dot(x12), x9]).tanh() };
        push(out17);
        scatter(Node { h: (w18.tanh().dot(a2) / (x9.sigmoid() + 0.5)).tanh(), c: (b6.tanh() - x13).tanh() });
    }

    #[vertex_function]
    pub fn several_8(
        #[param(E)] b4: Tensor, #[param(E, E)] w5: Tensor, #[param(E, H)] w6: Tensor,
        #[param(E, K)] w7: Tensor, #[param(2 * K, E)] w8: Tensor, #[param(2 * K)] b9: Tensor,
        #[param(K)] b14: Tensor, #[param(E)] b15: Tensor, #[param(E, E)] w16: Tensor,
        #[param(E, H)] w17: Tensor, #[param(K, H)] w18: Tensor,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let [x10, x11] = (w8.dot(w5.dot(b4) + w6.dot(v2.h) + w7.dot(v2.c)) + b9).tanh().split::<2>();
        let x12 = {
            let x10 = x10.tanh() + x10.softmax();
            x10.tanh()
        };
        let n13 = 2.0_f64.sqrt() - 2.0;
        scatter(Node { c: (v3.c - b14).gelu().tanh(), h: (v1.h.abs() + n13).tanh() });
        push(Out { y: w16.dot(b15).maximum((w17 * 0.75).dot(v2.h)).relu().tanh() });
        loss(((v1.c * (w18 * 0.5).dot(v3.h) + x11) * x12).tanh().sum());
    }

    #[vertex_function]
    pub fn several_9(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(K)] b6: Tensor, #[param(H)] b7: Tensor, #[param(K, H)] w8: Tensor,
        #[param(H, K)] w10: Tensor, #[param(H, E)] w12: Tensor, #[param(K, K)] w13: Tensor,
        #[param(E)] b14: Tensor,
    ) {
        let mut a2 = zeros(de);
        for k in 0..3 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) + w4.dot(v1.c)) * (k as f64 + 0.5);
        }
        let x5 = {
            let x9 = b6.relu() * w8.dot(b7);
            let x11 = w10.dot(x9).hard_tanh().log_softmax();
            x11.tanh()
        };
        scatter(Node { h: (w12.dot(a2) + x5).tanh(), c: w13.dot(b6).log_softmax().tanh() });
        push(Out { y: (b14 - a2).minimum(a2).tanh() });
    }

    #[vertex_function]
    pub fn several_10(
        #[param(E, E)] w2: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w6: Tensor,
        #[param(E, K)] w7: Tensor, #[param(E)] b9: Tensor, #[param()] s10: Tensor,
        #[param(K, E)] w11: Tensor, #[param()] s14: Tensor, #[param(K)] b15: Tensor,
        #[dim(K)] dk: Dim, #[param(H)] b17: Tensor, #[param(K, H)] w18: Tensor,
        #[param(H, E)] w19: Tensor, #[param(H, E)] w20: Tensor, #[param(H, E)] w21: Tensor,
        #[param(H, K)] w22: Tensor, #[param(K)] b23: Tensor,
    ) {
        let p1 = pull::<Signal>().x;
        let x3 = (w2 * 1.5).dot(p1);
        let mut a5 = zeros(de);
        for k in 0..3 {
            let v4: Node = gather(k);
            a5 += (w6.dot(v4.h) + w7.dot(v4.c)) * (k as f64 + 0.5);
        }
        let x8 = {
            let p1 = p1.tanh() + s10 * b9;
            w11.dot(p1).tanh()
        };
        let (x12, [x16], s13) = (((zeros(de) - s14).sigmoid() + 0.5).ln(), [x8 + w18.dot(b17)], x8.greater_equal(b15 + 0.1).select(zeros(dk), x8).sum());
        push(Out { y: zeros(de).exp().exp().tanh() });
        scatter(Node { h: (((w19.dot(x3) * w20.dot(a5)).tanh() * w21.dot(x12) + s13).tanh() * w22.dot(x16)).tanh(), c: (b23 + x8).tanh() });
    }

    #[vertex_function]
    pub fn several_11(
        #[param(E)] b1: Tensor, #[param(H)] b7: Tensor, #[param(H, H)] w8: Tensor,
        #[dim(H)] dh: Dim, #[param(H, E)] w11: Tensor, #[param(H, K)] w12: Tensor,
        #[param(H, K)] w13: Tensor, #[param(H, K)] w14: Tensor, #[param(H, K)] w15: Tensor,
        #[param(H, K)] w16: Tensor, #[dim(E)] de: Dim, #[param(H, E)] w17: Tensor,
        #[param(K)] b18: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = target * b1;
        let v3: Node = gather(2);
        let v4: Node = gather(1);
        let v5 = gather::<Node>(0);
        let parts6 = [(v3.h.log_softmax() - b7).tanh(), w8.dot(v4.h), v5.h];
        let mut a9 = zeros(dh);
        for k in 1..=2 {
            a9 += (parts6[k] * v4.h.minimum(b7)).tanh();
        }
        let x10 = {
            let target = target.tanh() + (b1.sigmoid() + 0.5).ln();
            target.tanh()
        };
        scatter(Node { h: (((w11.dot(x2) + (w12 + w13).dot(v3.c) + (w14 + w15).dot(v4.c)).tanh() * (w16 * (1.0 / (de as f64).sqrt())).dot(v5.c) * a9).tanh() + (w17 * 0.5).dot(x10)).tanh(), c: b18.exp().tanh() });
    }

    #[vertex_function]
    pub fn several_12(
        #[param(E, E)] w2: Tensor, #[param(E, K)] w10: Tensor, #[param(E, E)] w11: Tensor,
        #[param(H, E)] w13: Tensor, #[param(K)] b14: Tensor, #[param()] s15: Tensor,
        #[param(K, K)] w16: Tensor, #[dim(K)] dk: Dim, #[param(E, E)] w17: Tensor,
        #[dim(E)] de: Dim, #[param(K, H)] w18: Tensor, #[param(K, H)] w19: Tensor,
        #[dim(H)] dh: Dim,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let Node { h: h5, .. } = gather(2);
        let v6: Node = gather(1);
        let Node { h: h8, .. } = gather(0);
        let x9 = {
            let x12 = (w10.tanh().dot(v6.c).sigmoid() + 0.5).ln().minimum(w11.dot(x3));
            w13.dot(x12).tanh()
        };
        let h8 = h8.tanh() + x9.minimum(v6.h);
        for k in 0..2 {
            loss(cross_entropy(s15 - 1.5 - b14.tanh(), label) * (k as f64 + 0.25));
        }
        loss(cross_entropy(concat([w16.dot(v6.c), w17.dot(x3)]).slice(0..dk) + 1.0 / (de as f64).sqrt(), label));
        let state = Node { c: (w18.dot(h5) * w19.dot(h8)).tanh(), h: zeros(dh).sigmoid() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn several_13(
        #[param()] s4: Tensor, #[param(E)] b5: Tensor, #[param(K, E)] w6: Tensor,
        #[param(K)] b10: Tensor, #[param(3 * E, K)] w12: Tensor, #[dim(E)] de: Dim,
        #[param(E, H)] w14: Tensor, #[param(K, H)] w15: Tensor, #[param(K, H)] w16: Tensor,
        #[param(K, E)] w18: Tensor, #[param(H, E)] w19: Tensor, #[param(H)] b20: Tensor,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let [x7, x8] = [(v1.c * s4).sigmoid(), (w6 * 0.5).dot(b5)];
        let n11 = 2.0_f64.sqrt() - 0.75;
        let parts9 = w12.dot(b10 - n11).split::<3>();
        let mut a13 = zeros(de);
        for part in parts9 {
            a13 += (part + (0.5 + w14.dot(v1.h).sigmoid()).ln()).tanh();
        }
        let n17 = 2.0 / (1.0 + de as f64);
        scatter(Node { h: affine(w19, a13, b20).tanh(), c: ((w15.dot(v2.h) - v2.c + (w16 * n17).dot(v3.h) - v3.c).tanh() + x7 - x8 + w18.dot(a13)).tanh() });
    }

    #[vertex_function]
    pub fn several_14(
        #[param(H, K)] w4: Tensor, #[dim(H)] dh: Dim, #[param(E, H)] w7: Tensor,
        #[param(E, E)] w9: Tensor, #[param(K)] b10: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b12: Tensor, #[param(E)] b13: Tensor, #[param(K, H)] w15: Tensor,
        #[param(H)] b16: Tensor, #[param()] s17: Tensor,
    ) {
        let [v1, v2]: [Node; 2] = [gather(0), gather(1)];
        let x3 = {
            let n5 = 1.5 / (1.0 + dh as f64);
            let x6: Tensor = concat([(w4 * n5).dot(v1.c).slice(1..dh), (w4 * n5).dot(v1.c).slice(0..1)]) / (0.5 + zeros(dh).maximum(v2.h).sigmoid());
            w7.dot(x6).tanh()
        };
        let parts8 = [(w9.dot(x3).sum() * v2.c.log_softmax()).tanh(), v1.c.log_softmax().tanh(), b10];
        let mut a11 = zeros(dk);
        for k in 0..3 {
            a11 += (parts8[k] - (b12 + b10)).tanh() * (k as f64);
        }
        let out14 = Scores { y: b13 - x3, logits: b13.greater(x3 + 0.6).select(x3, b13) * x3 };
        push(out14);
        scatter(Node { c: (w15.dot(v1.h) * a11).tanh(), h: s17 + b16 });
    }

    #[vertex_function]
    pub fn several_15(
        #[param(K, E)] w2: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w6: Tensor,
        #[param(E, K)] w7: Tensor, #[param(H, E)] w10: Tensor, #[dim(K)] dk: Dim,
        #[param(K, K)] w11: Tensor, #[param(2 * K, K)] w12: Tensor, #[param(K)] b15: Tensor,
        #[param()] s16: Tensor, #[dim(H)] dh: Dim, #[param(K, H)] w18: Tensor,
        #[param(H)] b19: Tensor, #[param(K, K)] w20: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = w2.dot(p1);
        let v4: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a5 = zeros(de);
        for k in 0..3 {
            a5 += (w6.dot(v4[k].h) + w7.dot(v4[k].c)) * (k as f64 + 0.5);
        }
        let x8 = {
            let x9 = (p1 - a5).sigmoid();
            w10.tanh().dot(x9).tanh()
        };
        let (x13, x14) = halves(w12.dot(concat([w11.dot(v4[0].c).tanh(), x3]).slice(dk..dk + dk)));
        loss(cross_entropy(b15 - s16, label));
        let n17 = 1.5 / (1.0 + dk as f64);
        loss(((p1 - n17) * (1.0 / (dh as f64).sqrt())).tanh().sum());
        scatter(Node { c: (w18.dot(v4[0].h) * w18.dot(x8) + x13 + x14).tanh(), h: s16 - b19 });
        let out21 = Scores { y: (zeros(de).sigmoid() + 0.5).ln(), logits: (w20 + w11).dot(x14).tanh().greater(zeros(dk) + 0.35).select(b15, (w20 + w11).dot(x14).tanh()) };
        push(out21);
    }

    #[vertex_function]
    pub fn several_16(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(E)] b5: Tensor,
        #[param(E, E)] w6: Tensor, #[param(E, E)] w8: Tensor, #[param(E, K)] w9: Tensor,
        #[param(K, H)] w11: Tensor, #[param(H, E)] w12: Tensor,
    ) {
        let v1: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a2 = zeros(dk);
        for k in 0..3 {
            a2 += w3.dot(v1[k].h) * v1[k].c * (k as f64 + 0.5);
        }
        let x4 = {
            let x7 = weighted([w6.dot(b5), w6.dot(b5), w6.dot(b5)]).tanh().hard_tanh();
            x7.tanh()
        };
        let out10 = Scores { y: w8.dot(x4).softmax(), logits: (w9 + w9).dot(a2).less(x4 + 0.35).select(x4, (w9 + w9).dot(a2)).tanh().tanh() };
        push(out10);
        scatter(Node { c: (w11.dot(v1[1].h) * v1[1].c).tanh(), h: w12.dot(x4).tanh() });
    }

    #[vertex_function]
    pub fn several_17(
        #[dim(H)] dh: Dim, #[param(H, K)] w3: Tensor, #[param()] s5: Tensor,
        #[param(2 * K, K)] w7: Tensor, #[param(K, H)] w10: Tensor, #[param(K, H)] w11: Tensor,
        #[param(H)] b12: Tensor, #[param(E)] b13: Tensor, #[param(E, K)] w14: Tensor,
    ) {
        let v1: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a2 = zeros(dh);
        for k in 0..3 {
            let n4 = 2.0_f64.sqrt() - 2.0;
            a2 += (v1[k].h + (w3 * n4).dot(v1[k].c)) * (k as f64 + 0.5);
        }
        let s6 = (0.5 / (0.5 + (s5 * v1[2].c).sigmoid())).pick(v1[2].c.argmax());
        let (x8, x9) = halves(w7.dot((v1[2].c / (0.5 + v1[2].c.sigmoid())).relu()));
        let state = Node { c: ((((w10.tanh().dot(a2) * w11.dot(v1[2].h)).tanh() - s6) * x8).tanh() - x9).tanh(), h: b12.softmax() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: (b13 + w14.dot(x8)).softmax() });
    }

    #[vertex_function]
    pub fn several_18(
        #[dim(H)] dh: Dim, #[param(H, K)] w3: Tensor, #[param(K)] b4: Tensor,
        #[param(K, K)] w5: Tensor, #[dim(K)] dk: Dim, #[param(2 * H, H)] w6: Tensor,
        #[param(H)] b9: Tensor, #[param(4 * E, H)] w10: Tensor, #[param(4 * E)] b11: Tensor,
        #[param(H, E)] w16: Tensor, #[param(H, E)] w17: Tensor, #[param(H, E)] w18: Tensor,
        #[param(K, E)] w19: Tensor,
    ) {
        let mut a2 = zeros(dh);
        for k in 0..3 {
            let v1: Node = gather(k);
            a2 += (v1.h - w3.dot(v1.c)) * (k as f64 + 0.5);
        }
        let [x7, x8] = w6.dot(concat([w5.dot(b4).sigmoid(), a2]).slice(dk..dk + dh)).split::<2>();
        let [x12, x13, x14, x15] = (w10.dot(-b9) + b11).split::<4>();
        scatter(Node { c: w19.dot(x12).tanh(), h: (((x7 + x8).tanh() * w16.dot(x12) * w17.dot(x13) * w18.dot(x14)).tanh() + w16.dot(x15)).tanh() });
    }

    #[vertex_function]
    pub fn several_19(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(H)] b6: Tensor, #[param(H)] b7: Tensor, #[param(3 * H, H)] w8: Tensor,
        #[param(3 * H)] b9: Tensor, #[param(H)] b11: Tensor, #[param(H)] b12: Tensor,
        #[param(K, H)] w13: Tensor, #[param(H)] b14: Tensor, #[param()] s15: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(de);
        for k in 0..2 {
            a2 += (w3.dot(v1[k].h) + w4.dot(v1[k].c)) * (k as f64 + 0.5);
        }
        let parts5 = (w8.dot((b6 - b7).hard_tanh()) + b9).split::<3>();
        let mut a10 = b11;
        for k in 1..=2 {
            a10 = a10.tanh() + (parts5[k] + -b12).tanh();
        }
        loss(w13.dot(v1[1].h).tanh().sum().tanh());
        scatter(Node { h: (a10 + b6).greater(b14 + 0.35).select(v1[1].h, a10 + b6).tanh(), c: (v1[1].c - s15 + 0.5).tanh() });
        push(Out { y: (zeros(de) - a2).sigmoid() });
    }

    #[vertex_function]
    pub fn several_20(
        #[dim(E)] de: Dim, #[param(K, H)] w4: Tensor, #[param(K)] b5: Tensor,
        #[param(K, K)] w6: Tensor, #[param(K, K)] w7: Tensor, #[param(K)] b9: Tensor,
        #[param(E)] b11: Tensor, #[param(E, E)] w12: Tensor, #[param(E, K)] w13: Tensor,
        #[param(H, E)] w14: Tensor, #[dim(K)] dk: Dim, #[param(K, E)] w15: Tensor,
    ) {
        let v1 = gather::<Node>(1);
        let v2 = gather::<Node>(0);
        let parts3 = [(1.0 / de as f64 / (crate::generated::cells::gate(w4, v2.h, b5).sigmoid() + 0.5)).tanh(), (w6.dot(v1.c) - v2.c).tanh(), w7.dot(v1.c)];
        let mut a8 = b9;
        for part in parts3 {
            a8 += (part - v2.c.tanh()).tanh();
        }
        let mut m10 = w12.dot(b11).tanh();
        m10 /= 1.0 / de as f64;
        m10 /= 2.0;
        m10 -= (b11 - w13.tanh().dot(a8)).tanh().minimum(w13.dot(a8)).tanh();
        m10 = m10.tanh();
        let state = Node { c: blend(concat([v2.c, a8]).slice(dk..dk + dk), b5, w15.dot(m10)).tanh(), h: (v1.h + w14.dot(m10)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: noisy(m10, 0.5).greater(m10 + 0.35).select(m10, noisy(m10, 0.5)) });
    }

    #[vertex_function]
    pub fn several_21(
        #[param(E, E)] w2: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w6: Tensor,
        #[param(E)] b7: Tensor, #[param()] s8: Tensor, #[param(3 * H, E)] w9: Tensor,
        #[param(3 * H)] b10: Tensor, #[param(E)] b14: Tensor, #[param(K, H)] w15: Tensor,
        #[param(K, H)] w16: Tensor, #[param(K, H)] w17: Tensor, #[param(H, E)] w18: Tensor,
        #[param(E, H + E)] w19: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.tanh().dot(p1);
        let v4: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a5 = zeros(dh);
        for k in 0..3 {
            a5 += v4[k].h * w6.dot(v4[k].c) * (k as f64 + 0.5);
        }
        let [x11, x12, x13] = (w9.dot((s8 - b7).tanh()) + b10).split::<3>();
        loss(cross_entropy((1.5 + b14.log_softmax()).tanh(), label));
        loss(cross_entropy(-x3 + x3, label));
        let state: Node = Node { h: (x11 * w18.dot(x3)).tanh(), c: (((w15.dot(a5) + w16.dot(v4[2].h) + v4[2].c).tanh() - w15.dot(x11) + (w15 * 0.5).dot(x12)).tanh() + w17.dot(x13)).tanh() };
        scatter(state);
        push(Out { y: w19.dot(concat([x3, a5])).tanh() });
    }

    #[vertex_function]
    pub fn several_22(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(E, E)] w4: Tensor,
        #[param(H, H)] w6: Tensor, #[param(H)] b7: Tensor, #[param(H)] b8: Tensor,
        #[param(4 * H, H)] w9: Tensor, #[param(K, H + K)] w14: Tensor, #[param(E)] b15: Tensor,
        #[dim(H)] dh: Dim, #[param()] s16: Tensor, #[param(H, H)] w17: Tensor,
        #[param(H, E)] w19: Tensor,
    ) {
        let mut a2 = zeros(dk);
        for k in 0..2 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) + v1.c) * (k as f64 + 0.5);
        }
        let Gold { label, target } = pull();
        let x5 = w4.tanh().dot(target);
        let [x10, x11, x12, x13] = w9.dot(affine(w6, b7, b8).softmax()).split::<4>();
        for k in 0..2 {
            loss(cross_entropy((w14.dot(summary(Node { h: x13, c: zeros(dk) })) + a2).tanh(), label) * (k as f64 + 0.25));
        }
        let out18 = Scores { y: gate(w4, b15, b15), logits: (s16 * zeros(dh) * w17.tanh().dot(x12)).sum() };
        push(out18);
        let (h, c) = (((w19.dot(x5) - w19.dot(target) + x10) * x11).tanh(), w3.dot(x10).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn several_23(
        #[param(E, H)] w5: Tensor, #[dim(K)] dk: Dim, #[param(H, E)] w8: Tensor,
        #[param(K, H)] w9: Tensor, #[param(H)] b10: Tensor,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let x4 = {
            let x6 = w5.dot(v2.h).relu().relu();
            let x7 = mse(zeros(dk), v2.c) + v3.h.relu();
            (w8.dot(x6) + x7).tanh()
        };
        let state: Node = Node { h: b10.minimum(v2.h), c: (w9.dot(v1.h) * v1.c * v3.c - w9.dot(x4)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn several_24(
        #[param(E)] b4: Tensor, #[param(V, K)] table6: Tensor, #[param()] s9: Tensor,
        #[param(K, E)] w10: Tensor, #[dim(E)] de: Dim, #[param(K, H)] w11: Tensor,
        #[param(K)] b12: Tensor, #[param(K, E)] w13: Tensor, #[dim(H)] dh: Dim,
        #[param(V, E)] table16: Tensor, #[param(K, H)] w17: Tensor, #[param(K, H)] w18: Tensor,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let Word { id, x } = pull();
        let x5 = x * b4;
        let x7 = table6.row(id);
        let mut m8 = x7 / (x7.sigmoid() + 0.5);
        m8 = (v1.c.tanh() + (s9 - 0.75)).tanh() - m8;
        m8 = m8.tanh() + scaled(w10.dot(x), de).maximum(v2.c);
        m8 = m8.tanh() + gate(w11, v3.h, b12).tanh();
        m8 = m8.tanh();
        let n14 = 1.5 / (1.0 + dh as f64);
        let x15 = (n14 + ((w13 + w10).dot(x5).sigmoid() + 0.5).ln()).minimum(m8.exp());
        push(Out { y: (x5 + table16.row(id)).tanh() });
        scatter(Node { c: ((w17.dot(v1.h) - w18.dot(v2.h)) * v3.c * x15).tanh(), h: (0.5 / (0.5 + zeros(dh).sigmoid())).tanh() });
    }

    #[vertex_function]
    pub fn several_25(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(E, E)] w5: Tensor, #[param(H, H)] w7: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b8: Tensor, #[dim(K)] dk: Dim, #[param(2 * H, H)] w9: Tensor,
        #[param(H, K)] w13: Tensor, #[param(K, H)] w14: Tensor, #[param(K, H + K)] w15: Tensor,
        #[param(K, E)] w17: Tensor, #[param(K, K)] w18: Tensor, #[param(H, H)] w20: Tensor,
        #[param(H)] b21: Tensor, #[param(K)] b22: Tensor, #[param()] s23: Tensor,
        #[param(K, E)] w24: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(de);
        for k in 0..2 {
            a2 += w3.dot(v1[k].h) * w4.dot(v1[k].c) * (k as f64 + 0.5);
        }
        let Word { x, .. } = pull();
        let x6 = w5.dot(x);
        let (x10, x11) = halves(w9.dot(concat([b8, w7.dot(v1[0].h)]).slice(dk..dk + dh).tanh()));
        let x12 = {
            let x16 = w15.dot(summary(Node { h: (w13 * 2.0).dot(v1[0].c), c: w14.dot(x11) })) + v1[0].c;
            let x19: Tensor = 2.0 / (w17.dot(a2).greater(x16 + 0.35).select(w18.dot(x16), w17.dot(a2)).tanh().sigmoid() + 0.5);
            (w4 * 2.0).dot(x19).tanh()
        };
        loss(mse(w20.dot(x10).tanh().exp(), x11.minimum(b21)));
        push(Out { y: (x12 + x6).softmax() });
        scatter(Node { h: v1[0].h.tanh().maximum(w7.dot(v1[0].h)).tanh(), c: weighted([s23 * b22, zeros(dk), w24.dot(x6)]).tanh() });
    }

    #[vertex_function]
    pub fn several_26(
        #[param(E)] b1: Tensor, #[dim(K)] dk: Dim, #[param(K, H)] w5: Tensor,
        #[param(H)] b6: Tensor, #[param(2 * H, H)] w7: Tensor, #[param(2 * K, H)] w10: Tensor,
        #[param(2 * K)] b11: Tensor, #[dim(E)] de: Dim, #[param(K, E)] w14: Tensor,
        #[param(K, H)] w15: Tensor, #[param(H, H)] w16: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = x * b1;
        let v3: [Node; 2] = [gather(0), gather(1)];
        let mut a4 = zeros(dk);
        for k in 0..2 {
            a4 += (w5.dot(v3[k].h) + v3[k].c) * (k as f64 + 0.5);
        }
        let [x8, x9] = w7.dot((b6 * v3[1].h).dropout(0.1)).split::<2>();
        let (x12, x13) = halves((w10.dot(-(1.5 - x8)) + b11).tanh());
        loss(cross_entropy(-zeros(de).tanh(), label));
        scatter(Node { h: crate::generated::cells::gate(w16, b6, b6).tanh(), c: ((((w14.dot(x2) * w14.dot(x) + a4 + v3[1].c) * w15.dot(x9)).tanh() + x12) * x13).tanh() });
    }

    #[vertex_function]
    pub fn several_27(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(E, E)] w5: Tensor,
        #[param()] s7: Tensor, #[dim(E)] de: Dim, #[param(K, K)] w10: Tensor,
        #[param(2 * H, K)] w11: Tensor, #[param(2 * H)] b12: Tensor, #[param(H, E)] w15: Tensor,
        #[param(K)] b16: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(dk);
        for k in 0..2 {
            a2 += (w3 * 0.5).dot(v1[k].h) * v1[k].c * (k as f64 + 0.5);
        }
        let p4 = pull::<Signal>().x;
        let x6 = w5.dot(p4);
        let [x8, x9] = [(x6 * s7).log_softmax(), zeros(de).greater(x6 + 0.6).select(x6, zeros(de))];
        let (x13, x14) = halves(w11.dot((a2 * w10.dot(v1[1].c) * 0.5).tanh()) + b12);
        for k in 0..2 {
            loss(indicator(concat([a2.slice(1..dk), a2.slice(0..1)]).tanh().argmax() != v1[1].c.sample()) * (k as f64 + 0.25));
        }
        loss((-(0.5 + x9.sigmoid()).ln()).max());
        let (h, c) = (((v1[1].h + w15.dot(x8)).tanh() - x13 - x14).tanh(), (b16 * a2).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn several_28(
        #[param(E)] b4: Tensor, #[param(K, E)] w5: Tensor, #[param(K, E)] w6: Tensor,
        #[param(E)] b8: Tensor, #[param(E, H)] w9: Tensor, #[param(E, K)] w11: Tensor,
        #[param(H, E)] w12: Tensor, #[param(H, H + K)] w13: Tensor, #[dim(E)] de: Dim,
        #[param(K, E)] w14: Tensor, #[param(H, E)] w15: Tensor,
    ) {
        let [v1, v2]: [Node; 2] = [gather(0), gather(1)];
        let x3 = {
            let x7 = v1.c.minimum(v2.c) * (w5 + w6).dot(b4);
            let x10 = (w9.dot(v1.h).sum() - (b4 + b8)).tanh();
            (w11.dot(x7) + x10).tanh()
        };
        scatter(Node { h: w13.dot(summary(Node { h: w12.dot(x3), c: v2.c })).tanh(), c: w5.dot(x3).log_softmax().tanh().abs().tanh() });
        let out16 = Scores { y: concat([x3, w14.dot(x3)]).slice(0..de), logits: v2.h.noise(0.25).tanh() * w15.dot(x3) };
        push(out16);
    }

    #[vertex_function]
    pub fn several_29(
        #[param(E)] b2: Tensor, #[param(V, E)] table4: Tensor, #[dim(E)] de: Dim,
        #[param(E, H)] w8: Tensor, #[param(E, H)] w9: Tensor, #[param(E, K)] w10: Tensor,
        #[param()] s12: Tensor, #[param(H, E)] w14: Tensor, #[param(H, H)] w15: Tensor,
        #[param(3 * E, H)] w16: Tensor, #[param(3 * E)] b17: Tensor, #[param(E, E)] w19: Tensor,
        #[param(H)] b20: Tensor, #[dim(K)] dk: Dim, #[param(K, H + K)] w21: Tensor,
        #[param(K, E)] w22: Tensor, #[param(H, K)] w23: Tensor, #[param(K)] b24: Tensor,
        #[param(K, K)] w25: Tensor, #[param(V, K)] table26: Tensor,
        #[param(V, E)] table27: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = p1.x * b2;
        let x5: Tensor = table4.row(p1.id);
        let mut a7 = zeros(de);
        for k in 0..3 {
            let v6: Node = gather(k);
            a7 += ((w8 + w9).dot(v6.h) + w10.dot(v6.c)) * (k as f64 + 0.5);
        }
        let mut m11 = p1.x - x5;
        m11 = zeros(de) + x5 - zeros(de) - m11;
        m11 -= s12.sigmoid() * (0.5 * x3);
        m11 = m11.tanh();
        let parts13 = (w16.dot(w15.tanh().dot(s12 + (w14 * 2.0).dot(p1.x))) + b17).tanh().split::<3>();
        let mut a18 = b2;
        for k in 0..3 {
            a18 += (parts13[k] - m11.tanh()).tanh();
        }
        loss((w19.dot(x5) * a7 * b2).sum());
        loss(w21.dot(summary(Node { h: b20, c: zeros(dk) })).pick(zeros(dk).sample()) - s12);
        let (h, c) = (w23.dot(w22.tanh().dot(x5).variational_dropout(0.25)).tanh(), concat([w25.tanh().dot(b24), table26.row(p1.id).maximum(w22.dot(a18))]).slice(0..dk));
        scatter(Node { h, c });
        push(Out { y: table27.row(p1.id).greater(zeros(de) + 0.35).select(a18, table27.row(p1.id)).log_softmax().tanh() });
    }

    #[vertex_function]
    pub fn several_30(
        #[param(E, E)] w4: Tensor, #[dim(E)] de: Dim, #[param(K, E)] w8: Tensor,
        #[param(E)] b9: Tensor, #[param(H)] b10: Tensor, #[param(2 * K, E)] w11: Tensor,
        #[param(E, H)] w14: Tensor, #[param(E, H)] w15: Tensor, #[param()] s16: Tensor,
        #[param(K, K)] w18: Tensor, #[param(K)] b19: Tensor, #[param(K, E)] w20: Tensor,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let Gold { label, target } = pull();
        let x5 = (w4 * (1.0 / (de as f64).sqrt())).dot(target);
        let x6 = {
            let x7 = (0.75 - target.log_softmax()).tanh();
            w8.dot(x7).tanh()
        };
        let (x12, x13) = halves(w11.dot((b9.sigmoid() + 0.5).ln() - b10.pick(v3.h.argmax())));
        loss(cross_entropy(-(-v1.c), label));
        loss(w14.dot(v3.h).log_softmax().tanh().sum());
        let out17 = Scores { y: w15.dot(v1.h).tanh(), logits: (v2.c * x13).tanh().sum() - s16 };
        push(out17);
        scatter(Node { c: gate(w18, x12, b19).tanh().exp().tanh(), h: (0.75 * v2.h.exp()).tanh() });
        let n21 = 2.0_f64.sqrt() - 2.0;
        loss(((v3.c - (w20 * n21).dot(x5)).tanh() * x6).sum());
    }

    #[vertex_function]
    pub fn several_31(
        #[dim(H)] dh: Dim, #[param(H, K)] w3: Tensor, #[param(H)] b4: Tensor,
        #[param(E)] b5: Tensor, #[param(H, E)] w6: Tensor, #[param(E)] b9: Tensor,
        #[param(E)] b10: Tensor, #[param(E)] b11: Tensor, #[param(E, E)] w12: Tensor,
        #[param(K, K)] w13: Tensor, #[param(K, H)] w14: Tensor, #[param(K, H)] w15: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(dh);
        for k in 0..2 {
            a2 += (v1[k].h + w3.dot(v1[k].c)) * (k as f64 + 0.5);
        }
        let [x7, x8] = [(a2 - b4 + a2).tanh(), w6.dot(b5)];
        loss((b9.minimum(b10) * (w12 * 0.5).dot(b11)).sum());
        loss(w13.dot(v1[1].c).relu().sum());
        let n16 = 2.0_f64.sqrt() - 0.75;
        scatter(Node { h: x7.tanh(), c: ((w14.dot(v1[1].h) + (w15 * n16).dot(x7)) * w14.dot(x8)).tanh() });
    }

    #[vertex_function]
    pub fn several_32(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(E, E)] w6: Tensor,
        #[param(E, H)] w7: Tensor, #[param(E, H)] w8: Tensor, #[param(E)] b9: Tensor,
        #[param(H)] b10: Tensor, #[dim(H)] dh: Dim, #[param(K, E)] w12: Tensor,
        #[param(H, K)] w14: Tensor, #[param(H)] b16: Tensor, #[param(H, K)] w17: Tensor,
        #[param(K)] b19: Tensor, #[param(K)] b20: Tensor, #[param(K, K)] w21: Tensor,
    ) {
        let v1: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a2 = zeros(dk);
        for k in 0..3 {
            a2 += (w3.dot(v1[k].h) + v1[k].c) * (k as f64 + 0.5);
        }
        let (x4, [x11], s5) = (crate::generated::cells::gate(w6, (w7 + w7).dot(v1[1].h).minimum(w8.dot(v1[1].h)), b9), [w12.dot(b9)], (0.75 / (b10.sigmoid() + 0.5)).pick(zeros(dh).sample()));
        let x13 = {
            let x15 = scaled(v1[1].h.greater(v1[1].h + 0.6).select(w14.dot(x11), v1[1].h), dh);
            w3.dot(x15).tanh()
        };
        loss(((b16 * 2.0).leaky_relu(0.1) * w17.dot(x11)).tanh().sum());
        let n18 = 1.5 / (1.0 + dh as f64);
        loss(s5 - n18);
        let out22 = Scores { y: x4.tanh(), logits: (w21 * s5.tanh()).dot(b19 + b20) };
        push(out22);
        scatter(Node { c: (a2 - v1[1].c - x13).tanh(), h: w14.dot(x11).maximum(v1[1].h).tanh() });
    }

    #[vertex_function]
    pub fn several_33(
        #[param(E, E)] w1: Tensor, #[param(V, H)] table3: Tensor, #[dim(H)] dh: Dim,
        #[param(H, K)] w7: Tensor, #[param(E)] mut b10: Tensor, #[param(E)] b11: Tensor,
        #[param()] s12: Tensor, #[param(H, H)] w13: Tensor, #[param(H, E)] w14: Tensor,
        #[param(H, K)] w15: Tensor, #[param(H, E)] w16: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2: Tensor = w1.dot(x);
        let x4 = table3.row(id);
        let v5: [Node; 2] = [gather(0), gather(1)];
        let mut a6 = zeros(dh);
        for k in 0..2 {
            a6 += (v5[k].h + w7.dot(v5[k].c)) * (k as f64 + 0.5);
        }
        let [x8, x9] = [(1.5 + v5[0].c).tanh(), v5[0].c + 0.5];
        b10 += b11.minimum(b11).relu();
        b10 = b10.tanh();
        for k in 0..2 {
            loss(mse(blend(s12.sigmoid(), 0.75 * w13.dot(v5[0].h), v5[0].h), a6 * x4) * (k as f64 + 0.25));
        }
        push(Out { y: (-x).noise(0.25).tanh() });
        let (h, c) = (((w14.dot(x2) - w15.dot(x8) + w7.dot(x9)).tanh() + w16.tanh().dot(b10)).tanh(), v5[0].c.minimum(v5[0].c));
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn several_34(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(H)] b5: Tensor,
        #[param(H, H)] w6: Tensor, #[dim(H)] dh: Dim, #[param(E, H)] w8: Tensor,
        #[param(E, K)] w9: Tensor, #[param(H)] b12: Tensor, #[param(H, K)] w13: Tensor,
        #[param(H)] b14: Tensor, #[param(H)] b15: Tensor, #[param()] s16: Tensor,
        #[param(K)] b18: Tensor, #[param(E, K)] w19: Tensor, #[param(E, E)] w20: Tensor,
        #[param(H, E)] w21: Tensor, #[param(H, K)] w22: Tensor,
    ) {
        let mut a2 = zeros(dk);
        for k in 0..2 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) - v1.c) * (k as f64 + 0.5);
        }
        let x4 = {
            let x7 = scaled(w6.dot(b5).relu(), dh);
            let a2 = a2.tanh() + a2.minimum(a2);
            (w8.dot(x7) + w9.tanh().dot(a2)).tanh().tanh()
        };
        let (x10, [x17], s11) = ((b12 + w13.dot(a2)).minimum(b14), [b18.minimum(a2)], (b15 - s16).sum());
        push(Out { y: w20.dot(w19.dot(a2).tanh()) });
        let n23 = 2.0_f64.sqrt() - 0.75;
        let state = Node { c: (x17 - n23).tanh(), h: ((w21.dot(x4) - x10).tanh() + s11 + w22.dot(x17)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn several_35(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[dim(H)] dh: Dim,
        #[param(3 * E, H)] w5: Tensor, #[dim(E)] de: Dim, #[param(E)] b7: Tensor,
        #[param(E, E)] w8: Tensor, #[param(E, H)] w9: Tensor, #[param(E, H)] w10: Tensor,
        #[param(E, K)] w11: Tensor, #[param()] s13: Tensor, #[param()] s14: Tensor,
        #[param(H, E)] w16: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(dk);
        for k in 0..2 {
            a2 += (w3.dot(v1[k].h) + v1[k].c) * (k as f64 + 0.5);
        }
        let parts4 = w5.dot(zeros(dh).hard_sigmoid().sigmoid()).split::<3>();
        let mut a6 = zeros(de);
        for part in parts4 {
            a6 += (part * w8.dot(b7).greater_equal((w9 + w10).dot(v1[0].h) + 0.6).select(w11.dot(a2), w8.dot(b7)).tanh()).tanh();
        }
        let mut m12 = v1[0].c.exp();
        m12 *= concat([b7 + s13, a2]).slice(de..de + dk).tanh();
        m12 = m12.tanh() + concat([a6.log_softmax().tanh(), v1[0].c]).slice(de..de + dk);
        m12 = m12.tanh() + (0.5 + s14 + a2.sigmoid()).tanh();
        m12 = m12.tanh();
        let n15 = 2.0_f64.sqrt() - 2.0;
        push(Out { y: ((a6 * n15).tanh() + a6).tanh() });
        let (h, c) = (w16.dot(a6).maximum(v1[0].h).tanh(), m12);
        scatter(Node { h, c });
    }
}

pub mod all {
    use super::prelude::*;

    #[vertex_function]
    pub fn all_0(
        #[param(E)] b1: Tensor, #[param(K)] b2: Tensor, #[param(E, K)] w3: Tensor,
        #[param(E, E)] w4: Tensor, #[param(E)] b5: Tensor, #[param(E, E)] w6: Tensor,
        #[param(H)] b9: Tensor, #[param(H, K)] w11: Tensor, #[param(E)] b12: Tensor,
        #[param(H, E)] w13: Tensor, #[param(K)] mut b14: Tensor, #[param(K)] b15: Tensor,
        #[param(K)] b16: Tensor, #[param(E, H)] w18: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b20: Tensor, #[param(K)] b22: Tensor, #[param(2 * E, K)] w23: Tensor,
        #[param(2 * E)] b24: Tensor, #[param(E, H)] w27: Tensor, #[param(E, K)] w28: Tensor,
        #[param(K, H)] w29: Tensor, #[param(H, K)] w33: Tensor, #[param(H, E)] w34: Tensor,
        #[dim(K)] dk: Dim,
    ) {
        let s7 = b1.relu().greater(w3.dot(b2) + 0.1).select(w4.dot(b1), b1.relu()).pick(w6.dot(b5).argmax());
        let mut a8 = (b9.sigmoid() + 0.5).ln();
        for v10 in gather_all::<Node>() {
            a8 += v10.h + w11.dot(v10.c);
            a8 -= w13.dot(b12);
        }
        b14 -= b2.greater(b15 + 0.1).select(b16, b2).sigmoid();
        b14 = b14.tanh();
        let mut a17 = (-(w18 * s7).dot(a8)).tanh();
        let mut a19 = gate(w4, zeros(de), b20);
        for Node { h, c } in gather_all() {
            let (x25, x26) = halves(w23.dot((b22 * b2).exp()) + b24);
            a17 = a17.minimum((w27.dot(h) - w28.dot(c) - x25 - x26).tanh());
            a19 = a19 + -x25.sigmoid();
        }
        let x30: Tensor = 0.75 / (w29.dot(0.5 / (0.5 + a8.sigmoid())).sigmoid() + 0.5);
        let n31 = 0.5 / (1.0 + de as f64);
        let out32 = Scores { y: a19.relu().tanh(), logits: s7 + n31 };
        push(out32);
        let state = Node { c: zeros(dk) + b14, h: ((w33.dot(b14) * w34.dot(a17)).tanh() + w11.dot(x30)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn all_1(
        #[param(H, E)] w1: Tensor, #[param(V, K)] table3: Tensor, #[param(E)] b6: Tensor,
        #[param(H, E)] w7: Tensor, #[dim(K)] dk: Dim, #[param(H)] b9: Tensor,
        #[param(E)] b10: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w13: Tensor,
        #[param(K, H)] w14: Tensor, #[param(K, H)] w15: Tensor, #[param(E, K)] w16: Tensor,
        #[param(V, H)] table17: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2: Tensor = w1.dot(x);
        let x4: Tensor = table3.row(id);
        let mut m5 = w7.dot(b6).log_softmax();
        let n8 = 1.5 / (1.0 + dk as f64);
        m5 /= n8;
        m5 = (2.0 / (b9.sigmoid() + 0.5)).greater(b9 + 0.6).select(x2, 2.0 / (b9.sigmoid() + 0.5)).tanh() - m5;
        m5 += concat([w1.dot(b10).slice(1..dh), w1.dot(b10).slice(0..1)]);
        m5 = m5.tanh();
        let mut a11 = zeros(dh);
        for v12 in gather_all::<Node>() {
            a11 += v12.h - w13.dot(v12.c);
        }
        loss(mse(1.0 / (dk as f64).sqrt() / (zeros(dk).exp().sigmoid() + 0.5), x4).tanh());
        scatter(Node { c: (w14.dot(m5) + w15.dot(a11)).tanh(), h: a11.sigmoid() });
        let out18 = Scores { y: w16.dot(x4), logits: (0.5 + table17.row(id).sigmoid()).ln().softmax() };
        push(out18);
    }

    #[vertex_function]
    pub fn all_2(
        #[param(E)] b1: Tensor, #[dim(H)] dh: Dim, #[param(H)] b4: Tensor,
        #[param(H, H)] w5: Tensor, #[param(K)] b6: Tensor, #[param(H, K)] w7: Tensor,
        #[param(H)] b8: Tensor, #[param(K)] b9: Tensor, #[param(H, K)] w10: Tensor,
        #[param(E)] b11: Tensor, #[param()] s12: Tensor, #[param(E)] mut b13: Tensor,
        #[param(K, E)] w15: Tensor, #[param()] s17: Tensor, #[param(E, E)] w18: Tensor,
        #[param(E, H)] w20: Tensor, #[param(E, K)] w21: Tensor, #[param(E, K)] w22: Tensor,
        #[param(K, K)] w23: Tensor, #[param(H, H)] w24: Tensor, #[param(K, H + K)] w25: Tensor,
        #[param(K)] b27: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = target * b1;
        let mut m3 = 2.0 / (0.5 + zeros(dh).sigmoid());
        m3 *= w5.dot(b4).minimum(w7.dot(b6)) * b8;
        m3 = concat([w10.dot(b9), b11 + s12]).slice(0..dh) - m3;
        m3 = m3.tanh();
        let mut a14 = b6.maximum(w15.dot(x2));
        for v16 in gather_all::<Node>() {
            let x19 = x2.maximum(target).dropout(0.5) - blend(s17.tanh(), w18.dot(target), target);
            b13 += (w20.dot(v16.h) + (w21 + w22).dot(v16.c) + x19).tanh();
            b13 -= (0.5 + x19.sigmoid()).ln();
            a14 += (-w23.dot(v16.c).exp()).tanh();
            a14 -= (1.5 + b6).tanh();
        }
        let s26 = (w25.dot(summary(Node { h: w24.dot(m3), c: a14 })).tanh() + a14).tanh().sum();
        let (h, c) = (blend(b27.pick(a14.sample()), zeros(dh), m3), (w15 * s26.tanh()).dot(b13).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_3(
        #[param(K)] mut b1: Tensor, #[param(K)] b2: Tensor, #[param(K, H)] w3: Tensor,
        #[param(E)] b4: Tensor, #[param(H, E)] w5: Tensor, #[param(K)] b6: Tensor,
        #[dim(H)] dh: Dim, #[param()] s9: Tensor, #[param(H, K)] w12: Tensor,
        #[param(H)] b13: Tensor, #[param(K, H)] w15: Tensor, #[param(E, K)] w16: Tensor,
        #[dim(E)] de: Dim, #[param(E)] b18: Tensor, #[param(E, E)] w19: Tensor,
        #[param(H, K)] w20: Tensor, #[param(H, K)] w21: Tensor, #[param(E)] b22: Tensor,
        #[param(K, H)] w23: Tensor, #[param(K)] b24: Tensor,
    ) {
        b1 *= -b2;
        b1 += crate::generated::cells::gate(w3, w5.dot(b4), b6).tanh();
        b1 = b1.tanh();
        let mut a7 = zeros(dh);
        let mut t8 = s9;
        for Node { c, h } in gather_all::<Node>() {
            let x11 = {
                let x14 = affine(w12, c - s9, b13);
                w15.dot(x14).tanh()
            };
            let n17 = 1.5 / (1.0 + de as f64);
            t8 += ((w16 * n17).dot(b1) * w19.dot(b18)).max().tanh();
            a7 += h + w20.dot(x11);
        }
        for k in 0..2 {
            loss((w21 * 0.5).dot(b1).less(a7 + 0.35).select(zeros(dh), (w21 * 0.5).dot(b1)).tanh().sum() * (k as f64 + 0.25));
        }
        push(Out { y: -concat([b22.slice(1..de), b22.slice(0..1)]) });
        scatter(Node { c: w23.dot(a7).maximum(b24).tanh(), h: (-a7 * t8).tanh() });
    }

    #[vertex_function]
    pub fn all_4(
        #[param(H)] b1: Tensor, #[dim(K)] dk: Dim, #[param(H, H)] w2: Tensor,
        #[param(H)] b3: Tensor, #[param(H, H)] w4: Tensor, #[param(K)] mut b7: Tensor,
        #[param(K, H)] w10: Tensor, #[param(H)] b11: Tensor, #[param(2 * H, H)] w12: Tensor,
        #[param(K)] mut b15: Tensor, #[dim(H)] dh: Dim, #[param(H, H)] w19: Tensor,
        #[param(K)] b21: Tensor, #[param(E, K)] w22: Tensor, #[param(E)] b23: Tensor,
        #[param()] s24: Tensor, #[param(K, H)] w27: Tensor,
    ) {
        let [x5, x6]: [Tensor; 2] = [w2.dot(1.0 / (dk as f64).sqrt() + b1), w4.dot(b3).log_softmax()];
        let mut a8 = zeros(dk);
        for Node { h, c } in gather_all() {
            b7 = b7.minimum(w10.dot(h) + c);
            a8 = ((c + c) / ((0.5 + c.sigmoid()).ln().sigmoid() + 0.5)).tanh() + a8 - (zeros(dk) - c);
        }
        let [x13, x14] = w12.dot((2.0 * (x6 + b11)).tanh()).split();
        let mut a16 = zeros(dh);
        for Node { c, h } in gather_all::<Node>() {
            b15 += w10.dot(h) + c;
            b15 -= c.relu();
            let n18 = 2.0_f64.sqrt() - 0.75;
            a16 -= n18 + b1;
        }
        let n20 = 2.0_f64.sqrt() - 2.0;
        scatter(Node { c: (1.5 - b21).relu().tanh(), h: (w19 * n20).dot(x5).tanh().hard_sigmoid() });
        let n25 = 2.0_f64.sqrt() - 2.0;
        let out26 = Scores { y: w22.dot(b15).variational_dropout(0.25).tanh(), logits: n25 * (b23 + s24) };
        push(out26);
        loss((((b7 * a8).tanh() * (w10 * 2.0).dot(x13) + w10.dot(x14)).tanh() + w27.dot(a16)).tanh().sum());
    }

    #[vertex_function]
    pub fn all_5(
        #[param(H, E)] w2: Tensor, #[param(V, H)] table4: Tensor, #[param(E)] b6: Tensor,
        #[param(E, E)] w7: Tensor, #[dim(E)] de: Dim, #[param(4 * H, E)] w8: Tensor,
        #[param(4 * H)] b9: Tensor, #[param(K)] b15: Tensor, #[param(E, K)] w16: Tensor,
        #[param(H, H)] w19: Tensor, #[param(H)] b21: Tensor, #[param(E, H)] w22: Tensor,
        #[param(E, K)] w23: Tensor, #[dim(H)] dh: Dim, #[dim(K)] dk: Dim,
        #[param(H, H + E)] w25: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5: Tensor = table4.row(id);
        let [x10, x11, x12, x13]: [Tensor; 4] = (w8.dot(concat([w7.dot(b6).slice(1..de), w7.dot(b6).slice(0..1)])) + b9).split();
        let mut a14 = w16.dot(b15);
        for Node { h, c } in gather_all() {
            let parts18 = [(x12 / (x11.sigmoid() + 0.5)).maximum(w19.dot(x3)).tanh(), x11, x5];
            let mut a20 = b21;
            for k in 1..=2 {
                a20 -= (parts18[k] + x13.sigmoid()).tanh();
            }
            a14 = a14.maximum((w22.dot(h) * w23.tanh().dot(c) + w22.dot(a20)).tanh());
        }
        let s24 = a14.minimum(a14).tanh().sum().sigmoid();
        loss(mse(zeros(dh).sigmoid().tanh(), x10));
        scatter(Node { c: zeros(dk) / (b15.sigmoid() + 0.5), h: x3.tanh() * s24 });
        let out26 = Scores { y: concat([a14.slice(1..de), a14.slice(0..1)]).tanh(), logits: w25.dot(concat([zeros(dh), a14])).tanh() };
        push(out26);
    }

    #[vertex_function]
    pub fn all_6(
        #[param(H, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(K)] b6: Tensor,
        #[dim(H)] dh: Dim, #[param(H, E)] w10: Tensor, #[param()] s11: Tensor,
        #[param()] s13: Tensor, #[dim(E)] de: Dim, #[param(K)] b15: Tensor,
        #[param(K)] b16: Tensor, #[dim(K)] dk: Dim, #[param(H, H + K)] w18: Tensor,
        #[param(H)] b19: Tensor, #[param(H, K)] w20: Tensor, #[param(2 * H, H)] w21: Tensor,
        #[param(2 * H)] b22: Tensor, #[param(K)] b25: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let x7 = 0.5 / (0.5 + b6.tanh().exp().sigmoid());
        let mut a8 = zeros(dh);
        let mut a9 = s11 + w10.dot(p1);
        let mut t12 = s13;
        for v14 in gather_all::<Node>() {
            let s17 = (1.0 / de as f64 / ((b15 + b16).sigmoid() + 0.5) * b6).sum().tanh();
            t12 += w18.dot(summary(Node { h: w2.dot(p1), c: zeros(dk) })).pick(b19.sample()).tanh();
            a8 += (v14.h * (w20 + w20).dot(v14.c) + s17).tanh();
            a9 += (x3 + x3).tanh().exp();
            a9 -= (x3 + 2.0).tanh();
        }
        let [x23, x24] = (w21.dot((0.75 / (a9.sigmoid() + 0.5) * a8).tanh()) + b22).split::<2>();
        scatter(Node { c: b25.exp().tanh(), h: ((w20.dot(x5) * w20.dot(x7) - t12).tanh() * x23 * x24).tanh() });
    }

    #[vertex_function]
    pub fn all_7(
        #[dim(H)] dh: Dim, #[param(K)] b1: Tensor, #[param(H, K)] w2: Tensor,
        #[param(H)] b3: Tensor, #[param(H, H)] w4: Tensor, #[param(E)] b5: Tensor,
        #[param(H, E)] w6: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w10: Tensor,
        #[param(E, K)] w11: Tensor, #[param(K, H)] w12: Tensor, #[param(H, K)] w13: Tensor,
        #[param()] s14: Tensor, #[param(H, H)] w15: Tensor, #[param(H)] b16: Tensor,
        #[param(H)] b17: Tensor,
    ) {
        let s7 = mse(zeros(dh).less(w2.dot(b1) + 0.6).select(w4.dot(b3), zeros(dh)), w6.tanh().dot(b5));
        let mut a8 = zeros(de);
        for Node { c, h } in gather_all::<Node>() {
            a8 = a8 + (w10.dot(h) - w11.dot(c));
        }
        loss(s7);
        loss(w13.tanh().dot(w12.dot(b3).exp()).max());
        push(Out { y: (s14 + a8).tanh().tanh() });
        scatter(Node { h: b3.relu().minimum((w15 * 0.75).dot(b3)).tanh(), c: blend(crate::generated::cells::gate(w12, b16, b1), b1, w12.dot(b17)).tanh() });
    }

    #[vertex_function]
    pub fn all_8(
        #[param(E)] b2: Tensor, #[param(E)] b5: Tensor, #[param(E)] b7: Tensor,
        #[param(E, E)] w8: Tensor, #[dim(E)] de: Dim, #[param(K)] mut b9: Tensor,
        #[param(H)] b11: Tensor, #[param()] s13: Tensor, #[param(K)] b16: Tensor,
        #[param(K, E)] w17: Tensor, #[param(K, H)] w18: Tensor, #[param(K, E)] w19: Tensor,
        #[param(H, E)] w20: Tensor, #[param(E, H)] w24: Tensor, #[param(E, K)] w25: Tensor,
        #[param(H, E)] w27: Tensor, #[param(K, E)] w28: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = p1 * b2;
        let parts4 = [(1.5 / (x3.sigmoid() + 0.5)).less(p1 + 0.1).select(b5, 1.5 / (x3.sigmoid() + 0.5)).tanh(), b2.tanh(), p1];
        let mut a6 = b7;
        for part in parts4 {
            a6 += (part * concat([x3, w8.dot(x3)]).slice(de..de + de)).tanh();
        }
        let mut a10 = b11.sigmoid();
        let mut t12 = s13;
        for Node { c, h } in gather_all::<Node>() {
            let x15: Tensor = (s13.tanh() - -x3).tanh();
            t12 += mse(b16.minimum(c), w17.dot(a6)).tanh();
            b9 -= w18.dot(h) - w19.dot(x15);
            a10 = a10.maximum((0.5 + (w20.dot(p1) * h).sigmoid()).ln());
        }
        let x21 = {
            let n22 = 2.0_f64.sqrt() - 2.0;
            let x23 = n22 / (0.5 + b11.sigmoid()) + b11;
            let b9 = b9.tanh() + (0.5 + b9.sigmoid()).ln();
            (w24.dot(x23) + w25.dot(b9)).tanh().tanh()
        };
        loss(cross_entropy((b9.tanh() + b9).tanh(), label));
        let n26 = 1.5 / (1.0 + de as f64);
        push(Out { y: n26 * w24.dot(a10).tanh() });
        let state = Node { c: (b9 * w28.dot(x21)).tanh(), h: (a10.minimum(a10) * t12 + w27.dot(x21)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn all_9(
        #[param(E)] b2: Tensor, #[param(K, E)] w3: Tensor, #[param(H)] b4: Tensor,
        #[param(K, H)] w5: Tensor, #[param(K, E)] w6: Tensor, #[dim(K)] dk: Dim,
        #[param(H)] b8: Tensor, #[param(K, H)] w9: Tensor, #[dim(E)] de: Dim,
        #[param(H, H)] w13: Tensor, #[param(H)] b14: Tensor, #[dim(H)] dh: Dim,
        #[param(E, K)] w15: Tensor, #[param(E, H)] w16: Tensor, #[param(H, E)] w17: Tensor,
        #[param(H)] b18: Tensor, #[param(H)] b19: Tensor, #[param(E)] b20: Tensor,
        #[param(H, E)] w21: Tensor, #[param(H, K)] w22: Tensor, #[param(E, H + K)] w23: Tensor,
        #[param(K)] b24: Tensor,
    ) {
        let parts1 = [w3.dot(b2).silu().exp().tanh(), w5.dot(b4) * w3.dot(b2), w6.dot(b2)];
        let mut a7 = zeros(dk);
        for part in parts1 {
            a7 += (part * w9.dot(b8).softmax()).tanh();
        }
        let mut a10 = zeros(de);
        for v11 in gather_all::<Node>() {
            let mut m12 = crate::generated::cells::gate(w13, v11.h, b14);
            m12 = m12.tanh() + zeros(dh).gelu();
            m12 = m12.tanh();
            a10 = w15.dot(v11.c) + w16.dot(m12) + a10;
        }
        loss(concat([w17.dot(a10), -b18]).slice(0..dh).tanh().pick(b19.sample()));
        for k in 0..2 {
            loss(mse(zeros(de).exp() - 0.75, weighted([a10, a10, b20]).tanh()) * (k as f64 + 0.25));
        }
        let state: Node = Node { h: w21.dot(a10).tanh(), c: a7.tanh() };
        scatter(state);
        let out25 = Scores { y: w23.dot(summary(Node { h: w22.dot(a7), c: a7 })).tanh(), logits: b24 * a7 * b24 };
        push(out25);
    }

    #[vertex_function]
    pub fn all_10(
        #[param(E)] b1: Tensor, #[param(E, E)] w2: Tensor, #[param(E, E)] w3: Tensor,
        #[param()] s4: Tensor, #[param(E)] b7: Tensor, #[param(K, E)] w8: Tensor,
        #[param(K)] b9: Tensor, #[param(K, K)] w10: Tensor, #[param(K, H)] w13: Tensor,
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[dim(E)] de: Dim, #[param(E, K)] w16: Tensor,
        #[param(H)] mut b18: Tensor, #[param()] s21: Tensor, #[param(H, K)] w23: Tensor,
        #[param(3 * K, K)] w26: Tensor, #[param(K)] b28: Tensor, #[param(K)] b29: Tensor,
        #[param(K, K)] w30: Tensor, #[param(H, H)] w31: Tensor, #[param(K)] b32: Tensor,
    ) {
        let s5 = (-(w2 + w3).dot(b1)).sum() * s4;
        let mut a6 = w8.dot(b7).maximum((w10 * s5.tanh()).dot(b9));
        let mut n11 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            a6 = ((w13 * (1.0 / dh as f64)).dot(h) + c).tanh() + a6 - concat([b1, c]).slice(de..de + dk);
            n11 += 1.0;
        }
        let x14 = a6 / n11;
        let x15 = {
            let x17 = w16.dot(x14).tanh().log_softmax().tanh();
            x17.tanh()
        };
        let (mut n19, mut t20) = (1.0, s21);
        for v22 in gather_all::<Node>() {
            t20 += s5.tanh();
            b18 = b18.maximum(v22.h + w23.dot(v22.c));
            n19 += 1.0;
        }
        let x24 = b18 / n19;
        let parts25 = w26.dot((a6 - b9).tanh().sigmoid()).split::<3>();
        let mut a27 = b28;
        for k in 0..3 {
            a27 += (parts25[k] * b29.greater_equal(w30.dot(x14) + 0.35).select(x14, b29).tanh()).tanh() * (k as f64);
        }
        scatter(Node { c: blend(t20.sigmoid(), x14 - b32, a27).tanh(), h: (w31.dot(x24) + 1.0 / dh as f64).tanh().tanh() });
        loss(x15.sum());
    }

    #[vertex_function]
    pub fn all_11(
        #[param(E, E)] w1: Tensor, #[param(V, E)] table3: Tensor, #[param(K, E)] w6: Tensor,
        #[dim(K)] dk: Dim, #[param(H)] b8: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w10: Tensor,
        #[dim(E)] de: Dim, #[param(H)] b17: Tensor, #[param()] s18: Tensor,
        #[param(H, K)] w20: Tensor, #[param(E, H)] w21: Tensor, #[param(E, H)] w22: Tensor,
        #[param(H, K)] w23: Tensor, #[param(K, H)] w24: Tensor,
        #[param(K, H + K + E)] w25: Tensor, #[param(V, E)] table27: Tensor,
        #[param(V, H)] table28: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2: Tensor = w1.dot(x);
        let x4 = table3.row(id);
        let x5 = {
            let x7 = concat([w6.dot(x2).slice(1..dk), w6.dot(x2).slice(0..1)]);
            let x9 = (b8 - zeros(dh)).exp();
            (w10.dot(x7) + x9).tanh()
        };
        let mut a11 = zeros(de);
        let mut a12 = zeros(dk);
        let mut n13 = 1.0;
        for v14 in gather_all::<Node>() {
            let x15 = {
                let x16 = (-v14.c).relu();
                let x19 = (b17 + s18).relu();
                (w20.dot(x16) - x19).tanh()
            };
            a11 = a11.maximum((w21.dot(v14.h) + (w22 * 2.0).dot(x15)).tanh());
            a12 = a12 + w25.dot(concat([w23.dot(v14.c), (w24 * (1.0 / (dh as f64).sqrt())).dot(x5), x4])).tanh();
            n13 += 1.0;
        }
        let x26 = a11 / n13;
        for k in 0..2 {
            loss((x26.relu() * table27.row(id)).sum().tanh().tanh() * (k as f64 + 0.25));
        }
        let state: Node = Node { h: (0.5 + (x5 * table28.row(id)).sigmoid()).ln().tanh(), c: (zeros(dk) / (a12.sigmoid() + 0.5)).exp() };
        scatter(state);
    }

    #[vertex_function]
    pub fn all_12(
        #[param(K, E)] w2: Tensor, #[param(K, K)] w4: Tensor, #[param(K)] b5: Tensor,
        #[param(3 * H, K)] w6: Tensor, #[param(3 * H)] b7: Tensor, #[dim(K)] dk: Dim,
        #[param(E, H)] w13: Tensor, #[param()] s16: Tensor, #[param(H, H)] w18: Tensor,
        #[param(K, H)] w20: Tensor, #[param(E)] b21: Tensor, #[param(E, E)] w22: Tensor,
        #[dim(H)] dh: Dim, #[param(E, E)] w23: Tensor, #[param(H)] b25: Tensor,
        #[param(H, E)] w26: Tensor, #[param(H, K)] w27: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3: Tensor = w2.dot(p1);
        let [x8, x9, x10] = (w6.dot(crate::generated::cells::gate(w4, x3.log_softmax(), b5).tanh()) + b7).split::<3>();
        let mut a11 = zeros(dk);
        let mut a12 = w13.dot(x8) * 0.5;
        let (mut n14, mut t15) = (1.0, s16);
        for Node { c, h } in gather_all::<Node>() {
            let s19 = w18.mean();
            t15 += s19.tanh();
            a11 = a11.minimum(w20.dot(h) + c);
            a12 += w22.dot(b21) * w13.dot(x10);
            a12 -= (1.0 / (dh as f64).sqrt() / (w23.tanh().dot(b21).sigmoid() + 0.5)).tanh();
            n14 += 1.0;
        }
        let x24 = a11 / n14;
        loss(cross_entropy(x9.tanh() * b25.sum(), label));
        let (h, c) = (((w26.dot(a12) + t15).tanh() - w27.dot(x24)).tanh(), -zeros(dk));
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_13(
        #[param(K)] b3: Tensor, #[param(K, K)] w4: Tensor, #[param(E)] b5: Tensor,
        #[param(K, E)] w6: Tensor, #[param(K, E)] w7: Tensor, #[param(H, H)] w8: Tensor,
        #[param(E)] b10: Tensor, #[param(K)] mut b11: Tensor, #[param()] s13: Tensor,
        #[param(K, H)] w16: Tensor, #[dim(K)] dk: Dim, #[param(K)] b17: Tensor,
        #[param(K)] b18: Tensor, #[param(K)] b19: Tensor, #[param(K)] b21: Tensor,
        #[param(E)] b23: Tensor, #[dim(H)] dh: Dim, #[param(H)] b24: Tensor,
        #[param(K, H)] w25: Tensor, #[param()] s26: Tensor, #[param(K)] b28: Tensor,
        #[param(H, E)] w29: Tensor, #[param(H, E)] w30: Tensor,
    ) {
        let (x1, [x9], s2) = (w4.dot(b3).tanh() - (w6 + w7).dot(b5), [-b10], w8.max().sigmoid());
        let mut t12 = s13;
        for v14 in gather_all::<Node>() {
            let parts15 = [(concat([(w16 * 2.0).dot(v14.h), v14.h]).slice(0..dk) + b17).tanh(), b18.relu(), b19];
            let mut a20 = b21;
            let x22 = concat(parts15);
            for k in 0..2 {
                a20 += (x22.slice(k * dk..(k + 1) * dk) * x1.softmax()).tanh() * (k as f64);
            }
            t12 += x9.clamp(-0.5, 0.75).sum().tanh();
            b11 = b11 + (v14.c + a20).tanh();
        }
        let out27 = Scores { y: b23 * x9, logits: 1.0 / dh as f64 / ((w25.dot(b24) - s26).sigmoid() + 0.5) };
        push(out27);
        scatter(Node { h: (w29.dot(x9) - w30.dot(x9)).tanh(), c: (affine(w4, b11, b28).tanh() * s2 - t12).tanh() });
    }

    #[vertex_function]
    pub fn all_14(
        #[param(K)] b2: Tensor, #[param(H, K)] w3: Tensor, #[param(K)] b4: Tensor,
        #[param(H, K)] w5: Tensor, #[param(H)] b6: Tensor, #[param(H, H)] w7: Tensor,
        #[param(E)] b8: Tensor, #[param(H, E)] w9: Tensor, #[param(H, K)] w10: Tensor,
        #[dim(H)] dh: Dim, #[param(H)] b13: Tensor, #[param(E)] mut b14: Tensor,
        #[param(K, E)] w16: Tensor, #[param(3 * K, K)] w17: Tensor, #[param(3 * K)] b18: Tensor,
        #[param(E, H)] w22: Tensor, #[param(E, K)] w23: Tensor, #[param(E, K)] w24: Tensor,
        #[param(E, K)] w25: Tensor, #[param(2 * H, E)] w26: Tensor, #[param(2 * H)] b27: Tensor,
        #[dim(E)] de: Dim, #[param(H)] b30: Tensor, #[param(K)] b31: Tensor,
        #[param(K, E)] w32: Tensor, #[param(K)] b33: Tensor, #[param(K, K)] w34: Tensor,
        #[param(K, K)] w35: Tensor,
    ) {
        let parts1 = [w3.dot(b2).softmax().less(w5.tanh().dot(b4) + 0.35).select(w7.dot(b6), w3.dot(b2).softmax()), w9.dot(b8).maximum(b6), w10.dot(b2)];
        let mut a11 = zeros(dh);
        let x12 = concat(parts1);
        for k in 0..2 {
            a11 += (x12.slice(k * dh..(k + 1) * dh) + w7.dot(b13)).tanh();
        }
        for Node { c, h } in gather_all::<Node>() {
            let [x19, x20, x21]: [Tensor; 3] = (w17.dot(w16.dot(b8)) + b18).split();
            b14 = b14 + (((w22.dot(h) + w23.tanh().dot(c)) * w24.dot(x19)).tanh() * w23.dot(x20) * w25.dot(x21)).tanh();
        }
        let (x28, x29) = halves(w26.dot(b14.maximum(b14).tanh()) + b27);
        loss(indicator(concat([(b14 + b14).tanh(), a11]).slice(de..de + dh).argmax() != x29.sample()));
        for k in 0..2 {
            loss(mse(x28.sigmoid() * x29.pick(b30.sample()), zeros(dh).relu()) * (k as f64 + 0.25));
        }
        scatter(Node { c: b31.less(w32.dot(b14) + 0.35).select((w34 + w35).dot(b33), b31).tanh(), h: (a11.log_softmax().tanh() + x28).tanh() });
    }

    #[vertex_function]
    pub fn all_15(
        #[param(H)] b2: Tensor, #[dim(K)] dk: Dim, #[param(K)] b4: Tensor,
        #[param(H, K)] w5: Tensor, #[dim(H)] dh: Dim, #[dim(E)] de: Dim, #[param(E)] b9: Tensor,
        #[param(E, H)] w11: Tensor, #[param(E, K)] w12: Tensor, #[param(3 * E, E)] w15: Tensor,
        #[param(E)] b17: Tensor, #[param()] s20: Tensor, #[param(H)] b22: Tensor,
        #[param(H, K)] w23: Tensor, #[param(H, E)] w26: Tensor, #[param(E)] b27: Tensor,
        #[param(K, K)] w29: Tensor, #[param(K, K)] w30: Tensor,
    ) {
        let mut m1 = b2.exp();
        m1 /= 1.0 / dk as f64;
        let n3 = 0.5 / (1.0 + dk as f64);
        m1 -= (n3 / ((w5.tanh().dot(b4) + 1.0 / dh as f64).sigmoid() + 0.5)).tanh();
        m1 /= 1.5;
        m1 = m1.tanh();
        let mut a6 = zeros(de);
        let mut n7 = 1.0;
        for v8 in gather_all::<Node>() {
            let s10 = (zeros(de).softmax() * b9).sum().tanh();
            a6 = a6.maximum((w11.dot(v8.h) + w12.tanh().dot(v8.c)) * s10);
            n7 += 1.0;
        }
        let x13 = a6 / n7;
        let parts14 = w15.dot(-x13.maximum(x13)).tanh().split::<3>();
        let mut a16 = b17;
        for part in parts14 {
            a16 += (part + a6.tanh().log_softmax().tanh()).tanh();
        }
        let mut a18 = m1;
        let mut t19 = s20;
        for v21 in gather_all::<Node>() {
            t19 += (mse(b22, w23.dot(v21.c)) - s20).tanh();
            a18 = a18.minimum(v21.h);
        }
        let mut m24 = a18.maximum(b2);
        let n25 = 0.75 / (1.0 + de as f64);
        m24 /= n25;
        m24 -= -(w26.dot(a16) / (0.5 + a18.sigmoid())).tanh();
        m24 = m24.tanh();
        let out28 = Scores { y: (0.75 + b27).tanh(), logits: t19 };
        push(out28);
        scatter(Node { c: s20 * (w29 + w30).dot(b4), h: m24 });
    }

    #[vertex_function]
    pub fn all_16(
        #[param(K, E)] w2: Tensor, #[param(H)] b5: Tensor, #[param(H, K)] w6: Tensor,
        #[param(H, K)] w7: Tensor, #[param(H, H)] w8: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w12: Tensor, #[param(E)] b13: Tensor, #[param(K)] b14: Tensor,
        #[param(K, H + K + E)] w15: Tensor, #[param(2 * K, K)] w16: Tensor,
        #[param(2 * K)] b17: Tensor, #[param(H)] b20: Tensor, #[param(K, E)] w21: Tensor,
        #[param(E)] b22: Tensor, #[param(E)] b23: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = w2.dot(p1.target);
        let mut m4 = (0.5 + b5.sigmoid()).ln();
        m4 -= w6.dot(x3).maximum(w7.dot(x3)).tanh();
        m4 = 0.5 * w8.dot(b5) - m4;
        m4 = m4.tanh();
        let mut a9 = zeros(dk);
        for v10 in gather_all::<Node>() {
            let x11 = {
                let m4 = m4.tanh() + v10.h.tanh();
                w12.dot(m4).tanh()
            };
            a9 = a9 + (v10.c + x11);
        }
        let [x18, x19] = (w16.dot(w15.dot(concat([b13, m4, b14]))) + b17).split();
        loss(cross_entropy(m4.greater(m4 + 0.6).select(m4, m4).maximum(b5), p1.label));
        loss(cross_entropy(b20.minimum(m4).variational_dropout(0.25), p1.label));
        let state = Node { c: ((w21.dot(p1.target) + a9).tanh() + x18 + x19).tanh(), h: w8.dot(m4).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: b22.minimum(b23).minimum(p1.target) });
    }

    #[vertex_function]
    pub fn all_17(
        #[param(E)] b2: Tensor, #[param(H, E)] w3: Tensor, #[param(E)] b4: Tensor,
        #[param(K, E)] w5: Tensor, #[param(E, H + K)] w6: Tensor, #[param(3 * H, E)] w7: Tensor,
        #[param(3 * H)] b8: Tensor, #[dim(H)] dh: Dim, #[param(H)] b10: Tensor,
        #[param(E)] b11: Tensor, #[param(K)] b12: Tensor, #[param(H, K)] w13: Tensor,
        #[param(K)] b15: Tensor, #[param()] s18: Tensor, #[param(H, E)] w20: Tensor,
        #[param(E, K)] w21: Tensor, #[param(E)] b22: Tensor, #[param(H)] b23: Tensor,
        #[param(H)] b24: Tensor, #[param(H)] b25: Tensor, #[param(H, K)] w26: Tensor,
        #[param(E, H)] w27: Tensor, #[param(K, E)] w28: Tensor, #[param(H, E)] w29: Tensor,
    ) {
        let parts1 = (w7.dot(w6.dot(summary(Node { h: w3.dot(b2), c: w5.dot(b4) }))) + b8).split::<3>();
        let mut a9 = zeros(dh);
        for k in 0..3 {
            a9 += (parts1[k] - weighted([b10, w3.dot(b11), w13.tanh().dot(b12)])).tanh() * (k as f64);
        }
        let mut a14 = -b15;
        let mut a16 = zeros(dh).maximum(a9);
        let mut t17 = s18;
        for Node { c, h } in gather_all::<Node>() {
            t17 += h.pick(a9.sample()).sigmoid();
            a14 = a14 + c;
            a16 += w20.dot(b2.tanh());
        }
        loss((1.5 / (0.5 + w21.dot(a14).sigmoid())).tanh().exp().pick(b22.argmax()));
        loss(mse(weighted([-b23, b24, b25]), w26.tanh().dot(a14).tanh()));
        push(Out { y: w27.dot(a16).tanh().relu() });
        scatter(Node { c: affine(w28, b2, b12) * b12, h: a9.relu().softmax() });
        loss((w29.tanh().dot(b2) * t17).sum());
    }

    #[vertex_function]
    pub fn all_18(
        #[param(H, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(3 * H, H)] w7: Tensor,
        #[dim(H)] dh: Dim, #[param(H, K)] w9: Tensor, #[dim(E)] de: Dim,
        #[param(H, H)] w13: Tensor, #[param(H)] b14: Tensor, #[param(E, K)] w15: Tensor,
        #[param(E, H)] w16: Tensor, #[param()] s17: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let parts6 = w7.dot(-x3.log_softmax()).tanh().split::<3>();
        let mut a8 = zeros(dh);
        for k in 1..=2 {
            let n10 = 1.5 / (1.0 + de as f64);
            a8 += (parts6[k] + (w9 * n10).dot(x5)).tanh() * (k as f64);
        }
        let mut a11 = zeros(de);
        for v12 in gather_all::<Node>() {
            let a8 = a8.tanh() + concat([w13.dot(v12.h), b14]).slice(0..dh);
            a11 += (w15.dot(v12.c) * w16.dot(a8)).tanh();
            a11 -= s17 * w16.dot(v12.h);
        }
        for k in 0..2 {
            loss(mse(x5.greater_equal(x5 + 0.35).select(x5, x5) + 0.5, x5 * x5) * (k as f64 + 0.25));
        }
        scatter(Node { h: (w2 + w2).dot(a11).tanh(), c: x5.tanh() });
    }

    #[vertex_function]
    pub fn all_19(
        #[param(E, E)] w2: Tensor, #[param(E, E)] w3: Tensor, #[param(K)] b5: Tensor,
        #[param(E, K)] w6: Tensor, #[param(E)] b7: Tensor, #[param(3 * K, E)] w8: Tensor,
        #[param(3 * K)] b9: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w15: Tensor,
        #[param(K)] mut b16: Tensor, #[dim(H)] dh: Dim, #[param(K, E)] w17: Tensor,
        #[param(H)] b18: Tensor, #[param(H)] b19: Tensor, #[param(H, K)] w20: Tensor,
        #[dim(K)] dk: Dim, #[param(K, E)] w21: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x4 = (w2 + w3).dot(p1);
        let [x10, x11, x12] = (w8.dot((w6.dot(b5) + b7).softmax()) + b9).split();
        let mut a13 = zeros(de);
        for Node { c, h } in gather_all::<Node>() {
            a13 = a13 + (w15.dot(h) + w6.dot(c));
        }
        b16 /= 0.5;
        b16 /= 1.0 / (dh as f64).sqrt();
        b16 = b16.tanh();
        loss(cross_entropy(0.75 / (w17.dot(x4).tanh().sigmoid() + 0.5), label));
        loss(mse(2.0 / (0.5 + (a13 + w15.dot(b18)).tanh().sigmoid()), (a13 + x4).tanh()));
        let (h, c) = ((b19 * 1.5).maximum(w20.dot(x11)).tanh(), (0.5 + zeros(dk).sigmoid()).ln().maximum(w21.dot(x4)).tanh());
        scatter(Node { h, c });
        loss(((x10 + x12) * b16).tanh().sum());
    }

    #[vertex_function]
    pub fn all_20(
        #[param(E, E)] w1: Tensor, #[param(K)] b4: Tensor, #[param(K, K)] w5: Tensor,
        #[param(K, K)] w6: Tensor, #[param(H, K)] w8: Tensor, #[param(H, E)] w10: Tensor,
        #[dim(E)] de: Dim, #[param(3 * K, H)] w13: Tensor, #[param(3 * K)] b14: Tensor,
        #[param(H, K)] w18: Tensor, #[param(H, K)] w19: Tensor, #[param(H, K)] w20: Tensor,
        #[param(E)] b21: Tensor, #[param(H, H)] w24: Tensor, #[param()] s25: Tensor,
        #[dim(K)] dk: Dim, #[param(E, H)] w32: Tensor, #[param(E, K)] w33: Tensor,
        #[param(K, E)] w34: Tensor, #[param(K, H)] w35: Tensor, #[param(K, E)] w36: Tensor,
        #[param(E)] b37: Tensor,
    ) {
        let Word { x, .. } = pull();
        let x2: Tensor = w1.dot(x);
        let x3 = {
            let x7 = (w5 + w6).dot(b4).erf().exp();
            w8.dot(x7).tanh()
        };
        let mut a9 = w10.dot(x) * 0.5;
        let mut a11 = zeros(de);
        for v12 in gather_all::<Node>() {
            let [x15, x16, x17] = (w13.dot(v12.h.exp().maximum(x3)) + b14).split();
            a9 -= (((w18.dot(v12.c) * w8.dot(x15)).tanh() + w19.dot(x16)).tanh() - w20.dot(x17)).tanh();
            a11 = (-zeros(de)).softmax() + a11 - weighted([x2, x, b21]).tanh();
        }
        let (x22, [x26], s23) = (w24.dot(a9).relu().tanh().sigmoid(), [x.exp()], s25.tanh().tanh());
        let mut a27 = zeros(de);
        let mut a28 = zeros(dk);
        let mut t29 = s25;
        for Node { h, c } in gather_all() {
            let n31 = 0.5 / (1.0 + de as f64);
            t29 += (n31 - s23).tanh();
            a27 = a27 + (w32.dot(h) + w33.dot(c));
            a28 = a28.minimum(b4.sigmoid().hard_tanh());
        }
        scatter(Node { c: (((w34.dot(a11) + (w35 * t29.tanh()).dot(x22)).tanh() - w34.tanh().dot(x26) - w36.tanh().dot(a27)).tanh() + a28).tanh(), h: x22.silu().tanh() });
        let out38 = Scores { y: w32.dot(x22) + s25, logits: 1.5 * (0.5 - b37) };
        push(out38);
    }

    #[vertex_function]
    pub fn all_21(
        #[param(H)] b2: Tensor, #[param(K, H)] w3: Tensor, #[param(K, H)] w4: Tensor,
        #[param(E)] b5: Tensor, #[param(K, E)] w6: Tensor, #[param(K)] b7: Tensor,
        #[param(K)] b8: Tensor, #[param(K, K)] w9: Tensor, #[dim(H)] dh: Dim,
        #[param()] s10: Tensor, #[param(H)] b11: Tensor, #[param(K, H)] w12: Tensor,
        #[param(E)] b13: Tensor, #[param(K, E)] w14: Tensor, #[dim(K)] dk: Dim,
        #[param(E)] b17: Tensor, #[param(K, H)] w21: Tensor, #[param(E, K)] w23: Tensor,
        #[param(2 * H, E)] w24: Tensor, #[param(E, K)] w27: Tensor, #[dim(E)] de: Dim,
        #[param(K, H)] w28: Tensor,
    ) {
        let mut m1 = w3.dot(b2) * w4.dot(b2);
        m1 -= (0.5 + (w6.dot(b5) * b7).sigmoid()).ln();
        m1 = scaled(w9.dot(b8), dh).relu() - m1;
        m1 *= blend(s10.tanh(), w9.dot(b7) * (w3 + w12).dot(b11), (w14 + w6).dot(b13)).tanh();
        m1 = m1.tanh();
        let mut a15 = zeros(dk);
        for v16 in gather_all::<Node>() {
            let n18 = 2.0_f64.sqrt() - 1.5;
            let [x19, x20]: [Tensor; 2] = [(w6 * 2.0).dot(b17).exp().tanh(), n18 * v16.c];
            let n22 = 2.0_f64.sqrt() - 1.5;
            a15 += ((w21 * n22).dot(v16.h) * x19 + x20).tanh();
        }
        let (x25, x26) = halves(w24.dot(-w23.dot(m1).exp()).tanh());
        loss(1.0 / de as f64 + w27.dot(a15).tanh().sum());
        let n29 = 0.5 / (1.0 + dk as f64);
        scatter(Node { c: (-(w28 * n29).dot(x25)).tanh(), h: (x25 + x26).tanh() });
    }

    #[vertex_function]
    pub fn all_22(
        #[param(K)] b2: Tensor, #[param(E, K)] w3: Tensor, #[param(H)] b4: Tensor,
        #[param(E, H)] w5: Tensor, #[param(E)] b6: Tensor, #[dim(K)] dk: Dim,
        #[param(H, E)] w9: Tensor, #[param()] s11: Tensor, #[param(E, E)] w13: Tensor,
        #[param(E, K)] w14: Tensor, #[param()] s16: Tensor, #[param(K, H)] w17: Tensor,
        #[param(K, E)] w18: Tensor, #[param(K, E)] w19: Tensor,
    ) {
        let mut m1 = w3.dot(b2).maximum(w5.dot(b4));
        m1 /= 1.5;
        m1 -= b6.sigmoid().gelu_tanh();
        m1 = m1.tanh();
        let mut a7 = zeros(dk);
        let mut a8 = w9.dot(m1) * 0.5;
        let mut t10 = s11;
        for v12 in gather_all::<Node>() {
            let s15 = (w13.dot(m1) * w14.dot(v12.c)).pick(b6.argmax());
            t10 += (s15 - s16).tanh();
            a7 = a7 + w17.tanh().dot(v12.h);
            a8 = v12.h.relu().exp() + a8;
        }
        loss(t10.sigmoid());
        scatter(Node { h: (mse(zeros(dk), w18.dot(m1)) + a8.tanh().log_softmax()).tanh(), c: weighted([w19.dot(m1).tanh(), a7, a7]).tanh() });
    }

    #[vertex_function]
    pub fn all_23(
        #[param(H, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(E)] b7: Tensor,
        #[param(K, E)] w8: Tensor, #[param(E, K)] w10: Tensor, #[param()] s12: Tensor,
        #[param(E, K)] w14: Tensor, #[param(E)] b15: Tensor, #[param()] s17: Tensor,
        #[param(K, H)] w18: Tensor, #[param(H)] b19: Tensor, #[param(K)] b20: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let x6 = {
            let p1 = p1.tanh() + b7.minimum(b7);
            w8.tanh().dot(p1).tanh()
        };
        let mut a9 = w10.dot(x5) / (0.5 + p1.sigmoid());
        let mut t11 = s12;
        for Node { c, h } in gather_all::<Node>() {
            t11 += (-x3 * h).sum().tanh();
            a9 += w14.dot(c);
            a9 -= p1.tanh();
        }
        let out16 = Scores { y: b15, logits: (x3 + x3).noise(0.5).tanh() };
        push(out16);
        let state = Node { c: (affine(w18, b19, b20) + x6).tanh(), h: ((s17 + x3) * s12.tanh()).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((a9 - t11).tanh().sum());
    }

    #[vertex_function]
    pub fn all_24(
        #[dim(K)] dk: Dim, #[param(K, H)] w6: Tensor, #[param(K, H)] w7: Tensor,
        #[param(K, K)] w8: Tensor, #[param(K, K)] w9: Tensor, #[param(K)] b10: Tensor,
        #[param(H)] b12: Tensor, #[param(H, H)] w13: Tensor, #[param(H)] b15: Tensor,
        #[param(H, K)] w16: Tensor, #[param()] s17: Tensor, #[param(H, K)] w18: Tensor,
        #[param(K)] b19: Tensor,
    ) {
        let x1 = -(1.5 + zeros(dk));
        let mut a2 = zeros(dk);
        let mut a3 = zeros(dk);
        let mut n4 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            a2 += ((w6 + w7).dot(h) - c).tanh();
            a2 -= w8.dot(c);
            a3 = crate::generated::cells::gate(w9, x1, b10).tanh() + a3;
            n4 += 1.0;
        }
        let x11 = a2 / n4;
        let n14 = 2.0_f64.sqrt() - 2.0;
        loss(mse(w13.dot(b12).tanh() * n14, w13.dot(b15)).tanh());
        scatter(Node { h: ((s17 - w16.tanh().dot(x11)).tanh() / (0.5 + w18.dot(a3).dropout(0.1).tanh().sigmoid())).tanh(), c: a2.minimum(b19).relu().tanh() });
    }

    #[vertex_function]
    pub fn all_25(
        #[param(H, E)] w1: Tensor, #[dim(H)] dh: Dim, #[param(K)] b3: Tensor,
        #[param(E, K)] w4: Tensor, #[param(K)] b9: Tensor, #[dim(K)] dk: Dim,
        #[param(E)] b10: Tensor, #[param(E, E)] w11: Tensor, #[param(E)] b12: Tensor,
        #[dim(E)] de: Dim, #[param(3 * K, K)] w13: Tensor, #[param(3 * K)] b14: Tensor,
        #[param(K, K)] w16: Tensor, #[param(H, K)] w17: Tensor, #[param(H)] b18: Tensor,
        #[param(E, H)] w22: Tensor, #[param(E, K)] w23: Tensor, #[param(K)] b26: Tensor,
        #[param(E, K)] w28: Tensor, #[param(E)] b29: Tensor, #[param(K, E)] w30: Tensor,
        #[param(E, H)] w31: Tensor, #[param(E)] b32: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = w1.dot(x);
        let s5 = (1.0 / dh as f64 / (0.5 + w4.dot(b3).log_softmax().sigmoid())).max();
        let mut a6 = zeros(dh);
        for v7 in gather_all::<Node>() {
            let parts8 = (w13.dot(concat([w11.dot(b10) * b12, b9]).slice(de..de + dk)) + b14).split::<3>();
            let mut a15 = zeros(dk);
            for k in 1..=2 {
                a15 = a15.tanh() + (parts8[k] * w16.dot(v7.c).log_softmax().tanh()).tanh();
            }
            a6 += (v7.h * w17.dot(a15)).tanh();
            a6 -= (x2 + x2).tanh();
        }
        let a6 = a6.tanh() + (b18.sigmoid() + 0.5).ln();
        let mut a19 = zeros(de);
        let mut n20 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            a19 = a19.maximum(w22.dot(h) - w23.dot(c));
            n20 += 1.0;
        }
        let x24 = a19 / n20;
        let x25 = {
            let x27 = (w16 * s5.tanh()).dot(blend(a6.pick(a6.argmax()), b26, w16.dot(b3)));
            w28.dot(x27).tanh()
        };
        loss(cross_entropy(0.5 + x25 * b29, label));
        scatter(Node { h: (0.5 * a6).tanh(), c: w30.dot(x24).tanh() });
        let out33 = Scores { y: w31.dot(a6).maximum(b32).tanh(), logits: (0.5 + a19.sigmoid()).ln().log_softmax() };
        push(out33);
    }

    #[vertex_function]
    pub fn all_26(
        #[param(K)] b1: Tensor, #[param(H, K)] w2: Tensor, #[param(K)] b3: Tensor,
        #[param(H, K)] w4: Tensor, #[param(4 * H, H)] w5: Tensor, #[dim(K)] dk: Dim,
        #[param()] s13: Tensor, #[param(K)] b15: Tensor, #[param(E)] b16: Tensor,
        #[param(K, E)] w17: Tensor, #[param(K, H)] w18: Tensor, #[dim(E)] de: Dim,
        #[param(E, K)] w19: Tensor, #[param(K, H)] w20: Tensor, #[param(K, H)] w21: Tensor,
        #[param(K, H)] w22: Tensor, #[param(K, H)] w23: Tensor, #[param(K, H)] w24: Tensor,
        #[param(H)] b25: Tensor, #[param()] s26: Tensor,
    ) {
        let [x6, x7, x8, x9] = w5.dot(w2.dot(b1).sigmoid() + w4.dot(b3)).split::<4>();
        let mut a10 = zeros(dk);
        let mut a11 = zeros(dk);
        let mut t12 = s13;
        for Node { c, h } in gather_all::<Node>() {
            t12 += indicator((b15 - s13).argmax() == w17.dot(b16).sample());
            a10 += w18.tanh().dot(h) + c;
            a11 = a11.maximum(blend((zeros(de) * w19.dot(c)).sum(), zeros(dk).log_softmax(), b1).tanh());
        }
        scatter(Node { c: ((((((w20.dot(x6) + w21.dot(x7)).tanh() - (w22 + w23).dot(x8)).tanh() - w24.dot(x9)) * a10).tanh() + a11).tanh() + t12).tanh(), h: s26 - b25 });
    }

    #[vertex_function]
    pub fn all_27(
        #[param(H)] b1: Tensor, #[param()] s2: Tensor, #[param(2 * H, H)] w3: Tensor,
        #[param(K)] mut b6: Tensor, #[param(E, K)] w9: Tensor, #[param(E, H)] w10: Tensor,
        #[param(E)] b11: Tensor, #[param(E, E)] w12: Tensor, #[param(K, E)] w15: Tensor,
        #[dim(E)] de: Dim, #[param(H, E)] w18: Tensor, #[dim(H)] dh: Dim, #[param()] s20: Tensor,
        #[param(H, K)] w24: Tensor, #[param(K, H)] w25: Tensor, #[param(3 * H, K)] w26: Tensor,
        #[param(3 * H)] b27: Tensor, #[param(K)] b31: Tensor, #[dim(K)] dk: Dim,
        #[param(E, H)] w33: Tensor, #[param(E, K)] w34: Tensor, #[param(E, K)] w35: Tensor,
        #[param(E, H)] w36: Tensor, #[param(H, K)] w37: Tensor, #[param()] s38: Tensor,
        #[param(K, K)] w39: Tensor, #[param(K)] b40: Tensor, #[param(E, H)] w41: Tensor,
        #[param(E, H)] w42: Tensor,
    ) {
        let (x4, x5) = halves(w3.dot((b1 * s2).softmax()));
        let mut n7 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            let [x13, x14] = [w9.tanh().dot(c).less(w10.tanh().dot(h) + 0.1).select(w12.dot(b11), w9.tanh().dot(c)) * b11, w12.dot(b11).gelu_tanh()];
            b6 = (w15.dot(x13) + w15.dot(x14)).tanh() + b6 - c.relu();
            n7 += 1.0;
        }
        let x16 = b6 / n7;
        let parts17 = [(x4.tanh() - 2.0).tanh(), scaled(x5, de), w18.dot(b11)];
        let mut a19 = zeros(dh);
        for k in 0..3 {
            a19 = a19.tanh() + (parts17[k] + x5 * s20).tanh();
        }
        let mut a21 = (a19 + a19).tanh();
        let mut a22 = zeros(dh);
        for Node { h, c } in gather_all() {
            a21 = a21 + h * (w24 * 1.5).dot(c);
            a22 -= (0.5 - (zeros(dh).sigmoid() + 0.5).ln()).tanh();
        }
        let [x28, x29, x30] = (w26.dot(s2 + s2 - (w25 * 0.5).dot(a21).variational_dropout(0.5).tanh()) + b27).split();
        loss(mse(concat([2.0 * b31, b1]).slice(dk..dk + dh), (a19 / (zeros(dh).sigmoid() + 0.5)).tanh()));
        let n32 = 2.0 / (1.0 + de as f64);
        for k in 0..2 {
            loss(mse(n32 / ((1.0 / dk as f64 - w33.dot(a22)).tanh().sigmoid() + 0.5), noisy((w34 * 0.5).dot(x16), 0.25).tanh()) * (k as f64 + 0.25));
        }
        push(Out { y: (w35.dot(b6) * (w36 + w10).dot(x5)).tanh().log_softmax().tanh() });
        let (h, c) = ((a19 + w37.dot(b6)).tanh().sigmoid(), blend(s38.sigmoid(), w39.dot(x16), b40).tanh().tanh());
        scatter(Node { h, c });
        loss((((w41 + w10).dot(x28) * (w42 * 2.0).dot(x29)).tanh() - w10.dot(x30)).tanh().sum());
    }

    #[vertex_function]
    pub fn all_28(
        #[param(K, E)] w1: Tensor, #[param(H, E)] w3: Tensor, #[param(2 * E, H)] w4: Tensor,
        #[param(2 * E)] b5: Tensor, #[param(H)] mut b8: Tensor, #[param(H, K)] w10: Tensor,
        #[param(E, K)] w11: Tensor, #[param(H, E)] w12: Tensor, #[dim(K)] dk: Dim,
        #[dim(E)] de: Dim, #[param(H)] b13: Tensor, #[dim(H)] dh: Dim,
        #[param(H, K)] w14: Tensor,
    ) {
        let Gold { label, target } = pull();
        let x2 = w1.tanh().dot(target);
        let [x6, x7] = (w4.dot(w3.dot(target).variational_dropout(0.25).dropout(0.5)) + b5).tanh().split::<2>();
        for Node { h, c } in gather_all() {
            b8 += (h + (w10 + w10).dot(c)).tanh();
        }
        loss(cross_entropy(x6.noise(0.1).tanh() - w11.dot(x2), label));
        scatter(Node { h: (w12.dot(x7) + b8).tanh(), c: x2.less(x2 + 0.1).select(zeros(dk), x2).tanh() });
        let out15 = Scores { y: (0.5 + zeros(de).sigmoid()).ln(), logits: (concat([b13, b8]).slice(0..dh) * w14.dot(x2)).sum() };
        push(out15);
    }

    #[vertex_function]
    pub fn all_29(
        #[dim(H)] dh: Dim, #[param(K)] b4: Tensor, #[param()] s5: Tensor, #[param(H)] b6: Tensor,
        #[param(K, H)] w7: Tensor, #[dim(E)] de: Dim, #[param(E)] b9: Tensor,
        #[param(K)] b14: Tensor, #[param()] s15: Tensor, #[param()] s16: Tensor,
        #[param(E, K)] w18: Tensor, #[param(E, K)] w19: Tensor, #[param(E, H + E)] w20: Tensor,
        #[param(E, E)] w21: Tensor, #[param(E, E)] w22: Tensor, #[param(K, H)] w24: Tensor,
    ) {
        let n3 = 0.75 / (1.0 + dh as f64);
        let (x1, [x8], s2) = (zeros(dh).exp() * n3, [zeros(de) - b9], ((b4 + s5) * w7.dot(b6)).sum());
        let mut a10 = zeros(de);
        for Node { c, h } in gather_all::<Node>() {
            let (x12, [x17], s13) = (b14 * (w7 * s2.tanh()).dot(h) + (s15 + s16), [zeros(de) - x8], s2);
            a10 += ((w18.dot(c) - w19.tanh().dot(x12)) * s13).tanh() + x17;
            a10 -= x8.tanh();
        }
        for k in 0..2 {
            loss(w20.dot(concat([b6, x8])).sum() * (k as f64 + 0.25));
        }
        let out23 = Scores { y: (-a10).tanh(), logits: (x8.log_softmax() / ((w21 + w22).dot(x8).sigmoid() + 0.5)).tanh() };
        push(out23);
        let state = Node { c: w24.dot(x1).tanh(), h: x1.relu().tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn all_30(
        #[param(K, H)] w1: Tensor, #[param(E)] b2: Tensor, #[param(H, E)] w3: Tensor,
        #[param(K)] b4: Tensor, #[param(E)] mut b6: Tensor, #[param(E, H)] w9: Tensor,
        #[param(E, K)] w10: Tensor, #[param(K)] b14: Tensor, #[param(K, K)] w15: Tensor,
        #[param(K)] b16: Tensor, #[param(H)] b17: Tensor, #[param(H)] b18: Tensor,
        #[param(H, H)] w19: Tensor, #[dim(H)] dh: Dim,
    ) {
        let x5 = gate(w1, w3.dot(b2).sigmoid(), b4);
        let mut n7 = 1.0;
        for v8 in gather_all::<Node>() {
            b6 = b6 + w9.dot(v8.h) * w10.dot(v8.c);
            n7 += 1.0;
        }
        let x11 = b6 / n7;
        let n13 = 2.0_f64.sqrt() - 2.0;
        let mut m12 = blend(n13 + x5, x5, b14);
        m12 *= (w15 * 0.75).dot(x5).tanh();
        m12 -= b16 / (0.5 + b4.sigmoid()) * b4;
        m12 = m12.tanh();
        push(Out { y: w9.dot(b17) });
        scatter(Node { h: concat([w19.dot(b18), b4 * m12]).slice(0..dh), c: (b4 / (0.5 + b4.sigmoid())).softmax() });
        loss(x11.tanh().sum());
    }

    #[vertex_function]
    pub fn all_31(
        #[param(E)] b2: Tensor, #[param(H, E)] w3: Tensor, #[param(H, E)] w4: Tensor,
        #[param(H, E)] w5: Tensor, #[param(K)] b7: Tensor, #[param(H, K)] w9: Tensor,
        #[param(H)] mut b10: Tensor, #[param(H, K)] w12: Tensor, #[param()] s13: Tensor,
        #[param()] s14: Tensor, #[param()] s15: Tensor, #[param(K, H)] w16: Tensor,
        #[param(K, H)] w17: Tensor, #[param(K, H)] w18: Tensor,
    ) {
        let x1 = {
            let x6 = -((w3 + w4).dot(b2) - w5.dot(b2));
            let x8 = 0.75 / (b7.sigmoid() + 0.5);
            (x6 + w9.dot(x8)).tanh().tanh()
        };
        for Node { c, h } in gather_all::<Node>() {
            b10 = b10 + h * w12.dot(c);
        }
        loss((s13 + s14) * s15 * s13);
        scatter(Node { h: w9.dot(b7).exp().tanh(), c: ((w16 + w17).dot(x1) + (w16 + w18).dot(b10)).tanh() });
    }

    #[vertex_function]
    pub fn all_32(
        #[param(H, E)] w2: Tensor, #[param(H)] b5: Tensor, #[param(H, E)] w6: Tensor,
        #[dim(H)] dh: Dim, #[param(H)] b7: Tensor, #[param(K)] b8: Tensor,
        #[param(H, H + K)] w9: Tensor, #[param(K, E)] w10: Tensor, #[dim(E)] de: Dim,
        #[param(K, H)] w14: Tensor, #[param(H, K)] w17: Tensor, #[param(H, H)] w18: Tensor,
        #[param(2 * E, K)] w19: Tensor, #[param(K)] mut b22: Tensor, #[param(H)] mut b24: Tensor,
        #[param(H)] b25: Tensor, #[dim(K)] dk: Dim, #[param(H, E)] w26: Tensor,
        #[param(H, E)] w27: Tensor, #[param(K, E)] w28: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = w2.dot(p1.target);
        let mut m4 = b5 + w6.dot(p1.target);
        m4 -= (0.5 + zeros(dh).exp().sigmoid()).ln();
        m4 = b7.greater(x3 + 0.35).select(x3, b7).dropout(0.25).tanh() - m4;
        m4 -= (w9.dot(summary(Node { h: x3, c: b8 })) + indicator(w10.dot(p1.target).argmax() != p1.label)).tanh();
        m4 = m4.tanh();
        let mut a11 = m4.minimum(x3);
        for v12 in gather_all::<Node>() {
            let n13 = 0.75 / (1.0 + de as f64);
            let [x15, x16]: [Tensor; 2] = [(1.5 / (b8.sigmoid() + 0.5)).log_softmax().tanh(), n13 / (0.5 + w14.dot(v12.h).sigmoid())];
            a11 -= ((w17.dot(v12.c) + w17.dot(x15)) * w17.dot(x16)).tanh();
        }
        let (x20, x21) = halves(w19.dot(affine(w14, (-w18.dot(a11)).tanh(), b8)));
        for v23 in gather_all::<Node>() {
            b22 = b22.minimum(((w14 + w14).dot(v23.h) - v23.c).tanh());
        }
        b24 = b24.tanh() + (x3 - 0.5).tanh().exp().tanh();
        b24 *= (cross_entropy(zeros(dk), p1.label) + b25 * 0.5).tanh();
        b24 /= 0.75;
        b24 = b24.tanh();
        let (h, c) = (((w26.dot(x20) + (w27 * 0.75).dot(x21)).tanh() * w17.dot(b22)).tanh() * b24, w28.dot(p1.target).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_33(
        #[param(E, E)] w2: Tensor, #[dim(E)] de: Dim, #[param(E)] b4: Tensor,
        #[param(2 * K, E)] w5: Tensor, #[param(2 * K)] b6: Tensor, #[param(E)] mut b9: Tensor,
        #[param(K, K)] w11: Tensor, #[param()] s13: Tensor, #[param(K)] b16: Tensor,
        #[param(H, H)] w17: Tensor, #[param(E, K)] w18: Tensor, #[param(K)] b19: Tensor,
        #[param(H)] b20: Tensor, #[param(K, E)] w22: Tensor, #[param(K, E)] w23: Tensor,
        #[param(H)] b24: Tensor,
    ) {
        let p1 = pull::<Word>().x;
        let x3 = w2.dot(p1);
        let [x7, x8] = (w5.dot((zeros(de) + b4).relu()) + b6).split();
        let mut a10 = w11.tanh().dot(x8);
        let mut t12 = s13;
        for Node { c, h } in gather_all::<Node>() {
            let mut m15 = c + b16;
            m15 -= (s13 + c).sigmoid();
            m15 = m15.tanh();
            t12 += w17.dot(h).tanh().sum().tanh();
            b9 = w18.dot(m15) + b9;
            a10 -= x7.minimum(b19) - h.pick(b20.sample());
        }
        let x21: Tensor = a10.sigmoid().softmax().sigmoid();
        loss(b9.maximum(b9).max().tanh());
        scatter(Node { c: (((w22 + w23).dot(x3) + t12).tanh() + x21).tanh(), h: w17.dot(b24).tanh() });
    }

    #[vertex_function]
    pub fn all_34(
        #[param(H)] b2: Tensor, #[param(K, H)] w3: Tensor, #[param()] s4: Tensor,
        #[param(K)] b5: Tensor, #[param(K, K)] w6: Tensor, #[param(E)] b7: Tensor,
        #[param(K, E)] w8: Tensor, #[param(H, K)] w10: Tensor, #[dim(K)] dk: Dim,
        #[param(E, K)] w14: Tensor, #[param(E)] b15: Tensor, #[param(K, E)] w16: Tensor,
        #[dim(E)] de: Dim, #[param(K, H + K)] w17: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b18: Tensor,
    ) {
        let x1 = {
            let x9: Tensor = (w6.tanh().dot(b5) * w8.dot(b7)).sum() * (w3.dot(b2) - s4);
            w10.dot(x9).tanh()
        };
        let mut a11 = zeros(dk);
        for v12 in gather_all::<Node>() {
            let n13 = 0.5 / (1.0 + dk as f64);
            a11 += (w3 * n13).dot(v12.h) * v12.c;
        }
        loss(mse(noisy(w14.dot(a11), 0.25).tanh() * mse(w16.dot(b15), a11).tanh(), w14.dot(a11).tanh()));
        loss(w17.dot(summary(Node { h: (w10 * (1.0 / (de as f64).sqrt())).dot(a11), c: a11 })).tanh().sum());
        scatter(Node { c: scaled((b18.sigmoid() + 0.5).ln(), dh).tanh(), h: concat([b2, (s4 + a11).tanh()]).slice(0..dh) });
        loss(w3.dot(x1).sum());
    }

    #[vertex_function]
    pub fn all_35(
        #[param(E)] b2: Tensor, #[param(K)] mut b4: Tensor, #[param(H, H)] w6: Tensor,
        #[param(H)] b7: Tensor, #[param(H, H)] w8: Tensor, #[param(H)] b9: Tensor,
        #[param(K, H)] w10: Tensor, #[param(K)] mut b11: Tensor, #[param()] s14: Tensor,
        #[param(H, E)] w18: Tensor, #[param(H, K)] w19: Tensor, #[param(3 * K, H)] w20: Tensor,
        #[param(K)] b22: Tensor, #[dim(K)] dk: Dim, #[dim(H)] dh: Dim, #[param(E)] b28: Tensor,
        #[param(E)] b30: Tensor, #[param(H, K)] w31: Tensor, #[dim(E)] de: Dim,
        #[param(K, E)] w35: Tensor, #[param(K)] b37: Tensor, #[param(E, H + K)] w38: Tensor,
        #[param(H, E)] w39: Tensor, #[param(E)] b40: Tensor, #[param(E, E)] w41: Tensor,
        #[param(E, K)] w42: Tensor, #[param(E)] b43: Tensor, #[param(K, H)] w44: Tensor,
    ) {
        let p1: Signal = pull();
        let x3 = p1.x * b2;
        let n5 = 2.0_f64.sqrt() - 2.0;
        b4 /= n5;
        b4 = w10.dot(affine(w6, w8.tanh().dot(b7), b9)).tanh() - b4;
        b4 = b4.tanh();
        let mut n12 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            let s15 = mse((h * s14).minimum(b7), h);
            b11 = b11.maximum(c * s15);
            n12 += 1.0;
        }
        let x16 = b11 / n12;
        let parts17 = w20.dot(weighted([b7, w18.dot(x3), b7]) * w19.dot(b4)).split::<3>();
        let mut a21 = b22;
        let x23 = concat(parts17);
        for k in 0..2 {
            a21 += (x23.slice(k * dk..(k + 1) * dk) + concat([x16, x3]).slice(0..dk).tanh()).tanh();
        }
        let mut a24 = zeros(dh);
        let mut n25 = 1.0;
        for v26 in gather_all::<Node>() {
            let parts27 = [p1.x.softmax() * x3, 1.0 / dh as f64 * x3, b28];
            let mut a29 = b30;
            for part in parts27 {
                a29 -= (part - s14 * p1.x).tanh();
            }
            a24 = a24.maximum((v26.h - w31.dot(v26.c) + w18.dot(a29)).tanh());
            n25 += 1.0;
        }
        let x32 = a24 / n25;
        let x33 = {
            let x34 = zeros(de).relu().minimum(zeros(de));
            let x36 = (0.5 + w35.dot(x34).softmax().sigmoid()).ln();
            x36.tanh()
        };
        loss(cross_entropy(w38.dot(summary(Node { h: zeros(dh), c: b37 })), p1.label));
        let (h, c) = (concat([b40.tanh(), w39.dot(p1.x)]).slice(de..de + dh).tanh(), s14.tanh() * x33.relu());
        scatter(Node { h, c });
        push(Out { y: w41.dot(x3).less(w42.tanh().dot(a21) + 0.6).select(b43, w41.dot(x3)) });
        loss((w10 + w44).dot(x32).tanh().sum());
    }
}

pub mod mixed {
    use super::prelude::*;

    #[vertex_function]
    pub fn mixed_0(
        #[param(H, E)] w2: Tensor, #[param(H, E)] w3: Tensor, #[param(E)] b5: Tensor,
        #[param(E, E)] w6: Tensor, #[dim(E)] de: Dim, #[param(H)] b12: Tensor, #[dim(K)] dk: Dim,
        #[param(E, H)] w14: Tensor, #[param(E, K)] w15: Tensor, #[param(E)] b16: Tensor,
        #[param(H)] b17: Tensor, #[dim(H)] dh: Dim, #[param(2 * E, H)] w18: Tensor,
        #[param(E, E)] w21: Tensor, #[param(E, H)] w22: Tensor, #[param(E, E)] w23: Tensor,
        #[param(K, E)] w24: Tensor, #[param(K, E)] w25: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let Gold { label, target } = pull();
        let x4 = (w2 + w3).dot(target);
        let s7 = cross_entropy(b5.minimum(w6.dot(b5)), label);
        let mut a8 = zeros(de);
        let mut a9 = zeros(de);
        for Node { h, c } in gather_all() {
            let x11 = {
                let x4 = x4.tanh() + weighted([b12, h, v1.h]);
                let x13 = concat([v1.c.slice(1..dk), v1.c.slice(0..1)]).log_softmax();
                (w14.dot(x4) + (w15 * s7.tanh()).dot(x13)).tanh().tanh()
            };
            a8 += w15.dot(c) * x11;
            a9 = a9.minimum(weighted([zeros(de).greater_equal(b5 + 0.6).select(b16, zeros(de)), x11, zeros(de)]));
        }
        let (x19, x20) = halves(w18.dot(blend(b17.sigmoid(), x4, x4) * zeros(dh)));
        loss(cross_entropy((w21.dot(a9) - 0.5).tanh() / ((w22.dot(x4) + w23.dot(a8)).tanh().sigmoid() + 0.5), label));
        for k in 0..2 {
            loss(s7 * (k as f64 + 0.25));
        }
        let (h, c) = ((b12 - 0.75).tanh(), ((w24 * 2.0).dot(x19) * w25.dot(x20)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn mixed_1(
        #[param(E, E)] w1: Tensor, #[dim(H)] dh: Dim, #[param(H)] b5: Tensor, #[dim(K)] dk: Dim,
        #[param(H, K)] w6: Tensor, #[param(H)] b8: Tensor, #[param(K)] mut b9: Tensor,
        #[param()] s11: Tensor, #[param(E, H + K)] w14: Tensor, #[param(E)] b15: Tensor,
        #[param(K, E)] w16: Tensor, #[param(E, H)] w18: Tensor, #[param(E)] b19: Tensor,
        #[param(K)] mut b20: Tensor, #[dim(E)] de: Dim, #[param(H, E)] w23: Tensor,
        #[param(2 * E, H)] w24: Tensor, #[param(2 * E)] b25: Tensor, #[param(K, E)] w28: Tensor,
        #[param(E, H)] w30: Tensor, #[param(E, H)] w31: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2: Tensor = (w1 * (1.0 / dh as f64)).dot(x);
        let v3 = gather::<Node>(0);
        let parts4 = [concat([v3.c, b5]).slice(dk..dk + dh).noise(0.1).tanh(), zeros(dh).maximum(zeros(dh)), w6.dot(v3.c)];
        let mut a7 = b5;
        for k in 0..3 {
            a7 = a7.tanh() + (parts4[k] * b8.maximum(v3.h)).tanh();
        }
        let mut t10 = s11;
        for v12 in gather_all::<Node>() {
            let mut m13 = w14.dot(summary(Node { h: v12.h, c: zeros(dk) }));
            m13 *= (s11 + x2 - x2).tanh();
            m13 /= 1.5;
            m13 = m13.tanh();
            t10 += cross_entropy(b15.sigmoid(), label).tanh();
            b9 = b9 + (v12.c + w16.dot(m13));
        }
        let mut m17 = affine(w18, a7, b19).tanh();
        m17 /= 0.5;
        m17 /= 1.0 / dk as f64;
        m17 -= (2.0 / (0.5 + x2.sigmoid())).minimum(x2).tanh();
        m17 = m17.tanh();
        let mut a21 = zeros(de);
        for Node { c, h } in gather_all::<Node>() {
            let (x26, x27) = halves(w24.dot(2.0 * h + w23.dot(m17)) + b25);
            b20 += ((c - (w28 * t10.tanh()).dot(x26)).tanh() * w16.tanh().dot(x27)).tanh();
            let n29 = 0.75 / (1.0 + dh as f64);
            b20 -= (n29 + b9).tanh();
            a21 += (x26.tanh().exp() + b15).tanh();
            a21 -= w30.dot(v3.h).sigmoid();
        }
        let out32 = Scores { y: a21.softmax(), logits: (a21 - w31.dot(v3.h)).tanh().tanh() };
        push(out32);
        let state: Node = Node { h: v3.h.relu(), c: b20.tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn mixed_2(
        #[param(E, E)] w2: Tensor, #[param(E)] b8: Tensor, #[dim(E)] de: Dim,
        #[param(2 * H, E)] w9: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w14: Tensor,
        #[param()] s15: Tensor, #[param(K, K)] w17: Tensor, #[param(K, H)] w18: Tensor,
        #[param(K)] b19: Tensor, #[param(K)] b20: Tensor, #[dim(K)] dk: Dim,
        #[param(K, E)] w22: Tensor, #[param(H, K)] w23: Tensor, #[param(E, K)] w24: Tensor,
    ) {
        let p1 = pull::<Word>().x;
        let n3 = 2.0_f64.sqrt() - 0.75;
        let x4 = (w2 * n3).dot(p1);
        let Node { h: h6, c: c7 } = gather(0);
        let (x10, x11) = halves(w9.dot(x4.less(b8 + 0.35).select(zeros(de), x4).tanh().exp()));
        let mut a12 = zeros(dh);
        for v13 in gather_all::<Node>() {
            a12 += v13.h + w14.dot(v13.c);
            a12 -= s15 * h6;
        }
        let parts16 = [w17.dot(c7).sigmoid(), w18.dot(x10).minimum(b19).tanh(), b20];
        let mut a21 = zeros(dk);
        for k in 0..3 {
            a21 = a21.tanh() + (parts16[k] + (b19 - w22.tanh().dot(x4)).tanh()).tanh();
        }
        let state = Node { c: b19, h: ((x11 * a12).tanh() + w23.dot(a21)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let out25 = Scores { y: x4 * s15, logits: (0.5 + w24.dot(c7).sigmoid()).ln() };
        push(out25);
    }

    #[vertex_function]
    pub fn mixed_3(
        #[param(E)] b3: Tensor, #[dim(E)] de: Dim, #[param(2 * H, E)] w5: Tensor,
        #[dim(H)] dh: Dim, #[param(K)] mut b9: Tensor, #[param(H, K)] w12: Tensor,
        #[param(K, H)] w13: Tensor, #[param(H)] b14: Tensor, #[param(H, K)] w16: Tensor,
        #[param(K)] b17: Tensor, #[param(H)] b21: Tensor, #[param(E, H)] w22: Tensor,
        #[param(H, E)] w24: Tensor, #[param(H, K)] w25: Tensor, #[dim(K)] dk: Dim,
        #[param(E, H)] w26: Tensor, #[param(E, H)] w27: Tensor, #[param(E)] b28: Tensor,
        #[param(K, E)] w30: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Signal { label, x } = pull();
        let x4 = x * b3;
        let (x6, x7) = halves(w5.dot(1.0 / (de as f64).sqrt() / (zeros(de).relu().sigmoid() + 0.5)).tanh());
        let mut a8 = zeros(dh);
        let mut n10 = 1.0;
        for Node { h, c } in gather_all() {
            let x15: Tensor = affine(w12, w13.dot(h).sigmoid().tanh(), b14);
            a8 = a8.maximum(((w12 + w16).dot(c) + x15).tanh());
            b9 = b9 + b17.softmax().tanh();
            n10 += 1.0;
        }
        let x18 = a8 / n10;
        let (x19, [x23], s20) = ((b21 + 0.5).maximum(x7), [(b9 + b9).tanh()], w22.dot(h2).sigmoid().sum());
        loss(cross_entropy(scaled(x19, de) - zeros(dh), label));
        let (h, c) = ((1.0 / (dh as f64).sqrt() - w24.tanh().dot(x) - w25.dot(x23)).tanh(), (1.5 + concat([b3, b17]).slice(de..de + dk)).tanh());
        scatter(Node { h, c });
        let out29 = Scores { y: w26.dot(x18).tanh(), logits: (zeros(dk) * b9).sum() * w27.dot(x6).minimum(b28) };
        push(out29);
        loss((w30.dot(x4) + s20).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_4(
        #[param(H, E)] w4: Tensor, #[param(H)] b7: Tensor, #[param(K)] b8: Tensor,
        #[param(H, K)] w9: Tensor, #[dim(H)] dh: Dim, #[param(H, H)] w11: Tensor,
        #[dim(K)] dk: Dim, #[param(K)] b16: Tensor, #[param(K, H)] w18: Tensor,
        #[param(K, K)] w19: Tensor, #[param(K)] b20: Tensor, #[param(K, H)] w21: Tensor,
        #[param(H, E)] w22: Tensor, #[param(H, K)] w23: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let p3 = pull::<Gold>().target;
        let x5 = w4.dot(p3);
        let parts6 = [b7.less(b7 + 0.1).select(x5, b7).tanh(), (w9 + w9).dot(b8), h2];
        let mut a10 = zeros(dh);
        for k in 0..3 {
            a10 = a10.tanh() + (parts6[k] + w11.dot(h2)).tanh();
        }
        let mut a12 = zeros(dk);
        let mut a13 = zeros(dk);
        for v14 in gather_all::<Node>() {
            let n15 = 1.5 / (1.0 + dk as f64);
            let s17 = (b8 * n15 * b16 * v14.c).sum();
            a12 = w18.dot(v14.h) * s17 + a12 - gate(w19, (w19 * s17).dot(v14.c), b20).tanh();
            a13 = (1.5 + b8).tanh() + a13 - w21.dot(a10).tanh();
        }
        let state: Node = Node { h: ((w22.dot(p3) * w23.dot(a12)).tanh() * w9.dot(a13)).tanh(), c: a12.softmax() };
        scatter(state);
    }

    #[vertex_function]
    pub fn mixed_5(
        #[param(E, E)] w5: Tensor, #[param(H, E)] w8: Tensor, #[param(H)] b9: Tensor,
        #[param(H)] b10: Tensor, #[dim(H)] dh: Dim, #[param(K)] mut b12: Tensor,
        #[dim(K)] dk: Dim, #[param(2 * H, K)] w14: Tensor, #[param(K, H)] w17: Tensor,
        #[param(K, H)] w18: Tensor, #[param(K, H)] w19: Tensor, #[param(H, K)] w20: Tensor,
        #[param(K)] b21: Tensor, #[param(H)] b22: Tensor, #[param(3 * E, H)] w23: Tensor,
        #[param(3 * E)] b24: Tensor, #[param(E)] b29: Tensor, #[param(H, K)] w30: Tensor,
        #[param(H, K)] w31: Tensor, #[param(H, E)] w32: Tensor, #[param(H, E)] w33: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let p4: Gold = pull();
        let x6 = w5.dot(p4.target);
        let parts7 = [noisy(affine(w8, p4.target, b9), 0.5), h2.sigmoid(), b10];
        let mut a11 = zeros(dh);
        for k in 0..3 {
            a11 += (parts7[k] - h2.log_softmax().tanh()).tanh() * (k as f64);
        }
        for v13 in gather_all::<Node>() {
            let (x15, x16) = halves(w14.dot(-v13.c + zeros(dk)));
            b12 = (w17.dot(v13.h) + w18.dot(x15) - w19.dot(x16)).tanh() + b12;
        }
        let [x25, x26, x27] = (w23.dot(crate::generated::cells::gate(w20, b21, b22) * a11) + b24).tanh().split();
        let n28 = 0.75 / (1.0 + dk as f64);
        loss(cross_entropy((n28 / (b29.sigmoid() + 0.5) - x6).tanh(), p4.label));
        loss(mse((a11 + 0.5).tanh().exp(), a11).tanh());
        scatter(Node { h: ((w30.dot(c3) + w31.dot(b12)).tanh() * w8.dot(x25) + (w32 + w8).dot(x26) + w33.dot(x27)).tanh(), c: concat([c3, b9]).slice(0..dk) });
        push(Out { y: 1.5 * b29.minimum(b29) });
    }

    #[vertex_function]
    pub fn mixed_6(
        #[param(H)] b1: Tensor, #[dim(H)] dh: Dim, #[param(E)] b2: Tensor,
        #[param(K, E)] w3: Tensor, #[param(K)] b4: Tensor, #[param(H, H)] w8: Tensor,
        #[param(E, H)] w14: Tensor, #[param(E, K)] w15: Tensor, #[param(H, E)] w17: Tensor,
        #[param(H, K)] w18: Tensor, #[param(K, K)] w19: Tensor, #[param(E)] b20: Tensor,
        #[param(K, E)] w21: Tensor, #[param(E, K)] w24: Tensor, #[param(E, H)] w25: Tensor,
        #[dim(E)] de: Dim, #[param(E)] b26: Tensor, #[param(E, E)] w27: Tensor,
        #[param(H)] b28: Tensor, #[param()] s29: Tensor, #[param(E)] b30: Tensor,
    ) {
        let Node { h: h6, c: c7 } = gather_or(0, Node { h: concat([b1, w3.dot(b2)]).slice(0..dh), c: b4 });
        let h6 = h6.tanh() + w8.dot(h6);
        let mut a9 = zeros(dh);
        let mut a10 = weighted([c7, c7, c7]);
        let mut n11 = 1.0;
        for v12 in gather_all::<Node>() {
            let x13 = {
                let x16 = (w14.dot(v12.h) + w15.dot(c7)) / (b2.relu().sigmoid() + 0.5);
                w17.dot(x16).tanh()
            };
            a9 = w18.dot(v12.c) + x13 + a9;
            a10 = a10.minimum(w19.dot(c7).less(w21.dot(b20) + 0.6).select(c7, w19.dot(c7)).tanh());
            n11 += 1.0;
        }
        let x22 = a9 / n11;
        let mut m23 = w24.dot(a10).tanh().exp();
        m23 *= blend(w25.dot(h6).tanh().exp(), zeros(de), w27.dot(b26)).tanh();
        m23 = m23.tanh() + (-b2).softmax();
        m23 = m23.tanh();
        for k in 0..2 {
            loss(x22.maximum(b28).max() * s29 * (k as f64 + 0.25));
        }
        loss(w8.dot(a9).tanh().sum().tanh());
        let state = Node { c: weighted([c7, c7, c7]).tanh(), h: w17.dot(m23).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: ((m23 - b2) / (0.5 + (b30 + 0.5).sigmoid())).tanh() });
    }

    #[vertex_function]
    pub fn mixed_7(
        #[param(E)] b5: Tensor, #[dim(K)] dk: Dim, #[dim(H)] dh: Dim, #[param(K, E)] w11: Tensor,
        #[param(K)] b12: Tensor, #[param()] s14: Tensor, #[param(H, K)] w15: Tensor,
        #[param(H)] b16: Tensor, #[param(E, H + K)] w17: Tensor, #[param(H, H)] w21: Tensor,
        #[param(H)] b22: Tensor, #[param(K, H)] w23: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let p4 = pull::<Gold>().target;
        let x6 = p4 * b5;
        let s7 = (b5.pick(x6.sample()) * concat([c3.slice(1..dk), c3.slice(0..1)]) * c3).sum();
        let mut a8 = zeros(dh);
        let mut t9 = s7;
        for Node { h, c } in gather_all() {
            let x13: Tensor = (w11.dot(p4) - b12).minimum(c + c3);
            t9 += (s14 + s14 - s7).tanh();
            a8 += (h - w15.tanh().dot(x13)).tanh();
        }
        let n18 = 2.0 / (1.0 + dh as f64);
        let [x19, x20] = [w17.dot(summary(Node { h: b16, c: c3 })), n18 / (0.5 + b5.sigmoid())];
        loss(crate::generated::cells::gate(w21, w15.dot(c3), b16).relu().tanh().sum());
        loss(mse(0.75 / (0.5 + (h2 * 0.5).sigmoid()), b22).tanh());
        scatter(Node { h: a8.tanh().log_softmax().tanh(), c: ((w23.dot(a8) * t9).tanh() + (w11 + w11).dot(x19) + w11.dot(x20)).tanh() });
    }

    #[vertex_function]
    pub fn mixed_8(
        #[param(E, E)] w1: Tensor, #[param(V, E)] table3: Tensor, #[param(E, E)] w8: Tensor,
        #[param(E, H)] w9: Tensor, #[param(E)] b10: Tensor, #[param(E, K)] w11: Tensor,
        #[param(K)] b12: Tensor, #[param(K, K)] w13: Tensor, #[param()] s14: Tensor,
        #[param(E)] b15: Tensor, #[dim(H)] dh: Dim, #[param(K, H)] w17: Tensor,
        #[dim(K)] dk: Dim, #[param(E)] mut b18: Tensor, #[param(K, E)] w20: Tensor,
        #[param(H, K)] w21: Tensor, #[param(K, E)] w22: Tensor, #[param(2 * E, K)] w24: Tensor,
        #[param()] s32: Tensor, #[param(H, K)] w33: Tensor, #[param(H, E)] w34: Tensor,
        #[param(K, H)] w37: Tensor, #[param(K, E)] w38: Tensor, #[param(H)] b39: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = w1.dot(x);
        let x4 = table3.row(id);
        let Node { h: h6, .. } = gather(0);
        let mut m7 = x4.tanh();
        m7 = (affine(w8, w9.dot(h6), b10).sigmoid() + 0.5).ln() - m7;
        m7 += gate(w11, s14 + (w13 * 1.5).dot(b12), b15).tanh();
        m7 += x2.sigmoid().minimum(x);
        m7 = m7.tanh();
        let mut a16 = concat([w17.dot(h6), h6]).slice(dk..dk + dh);
        for Node { h, c } in gather_all() {
            let c = c.tanh() + scaled(w20.dot(x2), dh);
            a16 = a16 + (h - w21.dot(c)).tanh();
            b18 += b10.minimum(x4).relu();
        }
        let n23 = 2.0 / (1.0 + dk as f64);
        let (x25, x26) = halves(w24.dot(((n23 * w22.dot(m7)).sigmoid() + 0.5).ln()));
        let mut a27 = zeros(dh);
        let mut t28 = s14;
        for v29 in gather_all::<Node>() {
            let [x30, x31] = [b18.softmax() * x25, x26.sigmoid()];
            t28 += (x30.tanh().sum() * s32).tanh();
            a27 = a27 + ((v29.h + w33.dot(v29.c)) * w34.dot(x31)).tanh();
        }
        let parts35 = [(x26 + x25).maximum(x).tanh(), (t28 - x2).tanh(), x4];
        let mut a36 = b10;
        for k in 0..3 {
            a36 += (parts35[k] * b10.tanh()).tanh();
        }
        loss(t28);
        loss(t28.tanh());
        let (h, c) = (b39.minimum(h6), ((w37.dot(a16) * w17.dot(a27)).tanh() + w38.dot(a36)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn mixed_9(
        #[param(K)] b4: Tensor, #[dim(K)] dk: Dim, #[param(K, H)] w5: Tensor,
        #[param(3 * H, K)] w6: Tensor, #[param(H)] b8: Tensor, #[param(K)] b10: Tensor,
        #[param(K, K)] w11: Tensor, #[param(K)] b13: Tensor, #[param(K, H)] w16: Tensor,
        #[param(3 * H)] b17: Tensor, #[param(K, H)] w21: Tensor, #[param(K, H)] w22: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let parts3 = w6.dot(concat([(w5.dot(h2).sigmoid() + 0.5).ln(), b4]).slice(dk..dk + dk)).split::<3>();
        let mut a7 = b8;
        for k in 1..=2 {
            a7 += (parts3[k] + (h2 + h2)).tanh();
        }
        let mut a9 = w11.dot(b10).exp();
        for Node { c, h } in gather_all::<Node>() {
            let [x14, x15]: [Tensor; 2] = [(b13 + c).relu(), c.softmax()];
            a9 -= (w16.dot(h) * x14 + x15).tanh();
        }
        let [x18, x19, x20] = (w6.dot(concat([a9.slice(1..dk), a9.slice(0..1)])) + b17).tanh().split();
        let state = Node { c: ((w21.dot(a7) * w22.dot(x18)).tanh() - w5.dot(x19) - w5.dot(x20)).tanh(), h: x19.less(h2 + 0.6).select(h2, x19) };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn mixed_10(
        #[param(E, H)] w3: Tensor, #[param(E)] b4: Tensor, #[param(E, E)] w5: Tensor,
        #[param(E, H)] w6: Tensor, #[param(E)] b7: Tensor, #[param(E, E)] w8: Tensor,
        #[param(E, H)] w9: Tensor, #[param(E, E)] w10: Tensor, #[dim(K)] dk: Dim,
        #[param(E)] b15: Tensor, #[param(3 * H, E)] w16: Tensor, #[param(3 * H)] b17: Tensor,
        #[dim(H)] dh: Dim, #[param(K, H)] w19: Tensor, #[param(H, H)] w21: Tensor,
        #[param(2 * K, H)] w22: Tensor, #[param(2 * K)] b23: Tensor, #[param(H, H)] w26: Tensor,
        #[param(H)] b27: Tensor, #[param(K, H)] w28: Tensor, #[param(K)] b29: Tensor,
        #[param(H, K)] w30: Tensor, #[param(H, K)] w31: Tensor, #[param(H, K)] w32: Tensor,
        #[param(H, K)] w33: Tensor,
    ) {
        let v1: Node = gather(0);
        let mut m2 = noisy((w3 * 0.75).dot(v1.h), 0.5);
        m2 -= w3.dot(v1.h).leaky_relu(0.1).sigmoid();
        m2 = m2.tanh() + (w5.dot(b4).maximum((w6 * 0.75).dot(v1.h)) - w8.dot(b7)).tanh();
        m2 *= ((w9.tanh().dot(v1.h) - w10.dot(b4)).sigmoid() + 0.5).ln();
        m2 = m2.tanh();
        let mut a11 = zeros(dk);
        let mut a12 = zeros(dk);
        for Node { c, h } in gather_all::<Node>() {
            let parts14 = (w16.dot(m2.tanh().less(b15 + 0.1).select(m2, m2.tanh())) + b17).split::<3>();
            let mut a18 = zeros(dh);
            for part in parts14 {
                a18 += (part * h.sigmoid()).tanh();
            }
            a11 = a11 + (c + w19.dot(a18)).tanh();
            let n20 = 0.75 / (1.0 + dh as f64);
            a12 = v1.c.log_softmax().tanh() + a12 - (v1.c + n20).tanh();
        }
        let (x24, x25) = halves(w22.dot((-w21.dot(v1.h)).sigmoid()) + b23);
        let (h, c) = (gate(w26, v1.h.gelu(), b27).tanh(), (w28 + w19).dot(v1.h).greater_equal(b29 + 0.1).select(zeros(dk), (w28 + w19).dot(v1.h)).tanh());
        scatter(Node { h, c });
        loss(((w30.dot(a11) * w31.dot(a12)).tanh() + w32.dot(x24) + w33.dot(x25)).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_11(
        #[dim(K)] dk: Dim, #[param(2 * H, K)] w2: Tensor, #[param(2 * H)] b3: Tensor,
        #[dim(H)] dh: Dim, #[param(H, K)] w9: Tensor, #[param(H)] b10: Tensor,
        #[param(H)] b12: Tensor, #[param(H, E)] w13: Tensor, #[param(E)] b14: Tensor,
        #[param(E, E)] w15: Tensor, #[param(H)] b16: Tensor, #[param(K, K)] w17: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let (x4, x5) = halves(w2.dot(concat([zeros(dk).slice(1..dk), zeros(dk).slice(0..1)]).silu()) + b3);
        let mut a6 = zeros(dh);
        let mut n7 = 1.0;
        for Node { h, c } in gather_all() {
            a6 += h + w9.dot(c);
            a6 -= b10 * b10;
            n7 += 1.0;
        }
        let x11 = a6 / n7;
        for k in 0..2 {
            loss(mse((0.75 / (b12.sigmoid() + 0.5)).relu(), gate(w13, w15.dot(b14), b16)) * (k as f64 + 0.25));
        }
        let state = Node { c: (v1.c + w17.dot(v1.c)).tanh(), h: ((v1.h + w9.dot(v1.c) - x4 + x5).tanh() - x11).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn mixed_12(
        #[param()] s2: Tensor, #[dim(K)] dk: Dim, #[dim(E)] de: Dim, #[param(E)] mut b5: Tensor,
        #[param(E, H)] w7: Tensor, #[param(E, K)] w8: Tensor, #[param(E, E)] w9: Tensor,
        #[param(E, K)] w10: Tensor, #[param(E)] b11: Tensor, #[param(H, H)] w12: Tensor,
        #[dim(H)] dh: Dim, #[param(E, E)] w17: Tensor, #[param(E)] b18: Tensor,
        #[param(E)] b19: Tensor, #[param(K, H)] w21: Tensor, #[param(K, K)] w22: Tensor,
        #[param(E, K)] w24: Tensor, #[param(3 * H, E)] w26: Tensor, #[param(3 * H)] b27: Tensor,
        #[param(H, E)] w29: Tensor, #[param(H, K)] w30: Tensor, #[param(K)] b31: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let s3 = (s2 - 1.0 / dk as f64 - s2).tanh();
        let mut a4 = zeros(de);
        for Node { c, h } in gather_all::<Node>() {
            a4 = a4.minimum((w7.tanh().dot(h) * (w8 + w8).dot(c)).tanh());
            b5 = b5.minimum((1.5 * crate::generated::cells::gate(w9, w10.dot(v1.c), b11)).tanh());
        }
        let [x13, x14]: [Tensor; 2] = [1.5 - w12.tanh().dot(v1.h), weighted([v1.h, zeros(dh), v1.h])];
        let mut a15 = zeros(dk);
        let mut a16 = affine(w17, b18, b19);
        for Node { h, c } in gather_all() {
            a15 = a15.maximum(w21.dot(h) * c);
            let n23 = 2.0 / (1.0 + de as f64);
            a16 = a16 + w24.dot(c.maximum((w22 * n23).dot(c))).tanh();
        }
        let parts25 = (w26.dot(concat([a16, x14.tanh()]).slice(0..de)) + b27).tanh().split::<3>();
        let mut a28 = zeros(dh);
        for part in parts25 {
            a28 -= (part + scaled(x13, dh).tanh()).tanh();
        }
        let state: Node = Node { h: (((zeros(dh).greater_equal(a28 + 0.1).select(x13, zeros(dh)) * s3 - w29.dot(a4)).tanh() * w29.dot(b5)).tanh() + w30.dot(a15)).tanh(), c: (1.0 / (de as f64).sqrt() / (b31.sigmoid() + 0.5)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn mixed_13(
        #[param(K, E)] w2: Tensor, #[dim(E)] de: Dim, #[dim(H)] dh: Dim, #[param()] s8: Tensor,
        #[param(E, K)] w10: Tensor, #[param(K)] b11: Tensor, #[param(E)] b12: Tensor,
        #[param(H, K)] w13: Tensor, #[param(3 * E, H)] w15: Tensor, #[param(3 * E)] b16: Tensor,
        #[dim(K)] dk: Dim, #[param(E)] b23: Tensor, #[param(E)] b24: Tensor,
        #[param(E, E)] w25: Tensor, #[param(K, H)] w27: Tensor, #[param(K, E)] w28: Tensor,
        #[param(2 * E, H)] w29: Tensor, #[param(2 * E)] b30: Tensor, #[param(K, H)] w33: Tensor,
        #[param(K, E)] w34: Tensor,
    ) {
        let p1 = pull::<Signal>().x;
        let x3 = w2.dot(p1);
        let v4 = gather::<Node>(0);
        let p1 = p1.tanh() + (0.5 + zeros(de).sigmoid()).ln();
        let mut a5 = zeros(dh);
        let (mut n6, mut t7) = (1.0, s8);
        for Node { h, c } in gather_all() {
            t7 += mse(gate(w10, b11, b12), p1).tanh();
            a5 = h + w13.dot(c) + a5;
            n6 += 1.0;
        }
        let x14 = a5 / n6;
        let [x17, x18, x19] = (w15.dot(x14.tanh().erf().sigmoid()) + b16).split::<3>();
        let mut a20 = zeros(dk);
        for Node { c, h } in gather_all::<Node>() {
            let mut m22 = b23 + b24;
            let n26 = 2.0_f64.sqrt() - 1.5;
            m22 += ((w25.dot(x19) + x18) * n26).tanh();
            m22 = m22.tanh();
            a20 = a20.maximum((w27.dot(h) + c + w28.dot(m22)).tanh());
        }
        let (x31, x32) = halves(w29.dot(0.75 * zeros(dh)) + b30);
        let state = Node { c: (((x3 - (w33 * t7.tanh()).dot(v4.h)) * v4.c - w2.dot(x17) - a20).tanh() + w2.dot(x31) + w34.dot(x32)).tanh(), h: v4.h.tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn mixed_14(
        #[param(H, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(K, K)] w7: Tensor,
        #[param(K, E)] w8: Tensor, #[param(E, K)] w11: Tensor, #[param(K)] mut b12: Tensor,
        #[param(E, E)] w15: Tensor, #[param(3 * H, E)] w16: Tensor, #[param(3 * H)] b17: Tensor,
        #[param(H)] b19: Tensor, #[param(E, H)] w20: Tensor, #[param(E, K)] w21: Tensor,
        #[param(H, E)] w22: Tensor, #[param(K, H)] w23: Tensor, #[param(V, H)] table24: Tensor,
        #[param(K, K)] w26: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let v6 = gather::<Node>(0);
        let x9 = w7.dot(v6.c).exp() + w8.dot(p1.x);
        let mut a10 = (w11 + w11).dot(x9).tanh();
        for v13 in gather_all::<Node>() {
            let parts14 = (w16.dot(w15.dot(x5).relu().relu()) + b17).split::<3>();
            let mut a18 = b19;
            for k in 0..3 {
                a18 += (parts14[k] - v6.h.softmax()).tanh();
            }
            a10 -= (w20.dot(v13.h) + w21.dot(v13.c) - w20.dot(a18)).tanh();
            b12 = w23.dot(0.5 + w22.dot(x5)).tanh() + b12;
        }
        let s25 = (-table24.row(p1.id)).tanh().pick(x3.sample());
        scatter(Node { h: v6.h.silu().elu(0.7).tanh(), c: (-b12.greater(w26.dot(v6.c) + 0.35).select(b12, b12)).tanh() });
        loss((a10 + s25).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_15(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(E)] b3: Tensor, #[dim(E)] de: Dim,
        #[param(E, H)] w4: Tensor, #[param(E)] b6: Tensor, #[param(H)] mut b7: Tensor,
        #[param()] s10: Tensor, #[param(K, K)] w12: Tensor, #[param(H, K)] w13: Tensor,
        #[param(H, E)] w14: Tensor, #[param(K)] b15: Tensor, #[param(2 * E, H)] w16: Tensor,
        #[param(H)] mut b19: Tensor, #[param(H)] b23: Tensor, #[param(H, E)] w24: Tensor,
        #[param(H, E)] w25: Tensor,
    ) {
        let v1 = gather_or::<Node>(0, Node { h: zeros(dh), c: zeros(dk) });
        let parts2 = [concat([b3.slice(1..de), b3.slice(0..1)]), w4.dot(v1.h).log_softmax().tanh(), b3];
        let mut a5 = b3;
        for part in parts2 {
            a5 += (part * b6.relu()).tanh();
        }
        let mut a8 = zeros(dk);
        let mut t9 = s10;
        for v11 in gather_all::<Node>() {
            let a5 = a5.tanh() + (a5.sigmoid() + 0.5).ln();
            t9 += w12.max().tanh();
            b7 = b7 + ((v11.h + w13.dot(v11.c)) * w14.dot(a5)).tanh();
            a8 += v1.c.softmax().relu();
            a8 -= b15.minimum(v11.c);
        }
        let (x17, x18) = halves(w16.dot(w13.dot(a8).tanh().minimum(b7)).tanh());
        let mut a20 = zeros(de);
        for v21 in gather_all::<Node>() {
            b19 = b19 + v21.h * w13.dot(v21.c);
            a20 = (x17.sigmoid() + 0.5).ln() / (0.5 + zeros(de).sigmoid()) + a20;
        }
        let x22 = {
            let b19 = b19.tanh() + b19.tanh();
            b19.tanh()
        };
        let state: Node = Node { h: ((concat([b23.slice(1..dh), b23.slice(0..1)]) * t9 - w14.dot(x18) - w24.dot(a20)).tanh() + x22).tanh(), c: b15.tanh() };
        scatter(state);
        push(Out { y: (blend(w25.dot(a20).pick(x22.argmax()).tanh(), x18, a5) + a20).tanh() });
    }

    #[vertex_function]
    pub fn mixed_16(
        #[param(K, E)] w2: Tensor, #[param(V, H)] table4: Tensor, #[param(V, E)] table10: Tensor,
        #[dim(K)] dk: Dim, #[param(3 * H, E)] w11: Tensor, #[dim(H)] dh: Dim,
        #[param(E)] b13: Tensor, #[param(K, E)] w14: Tensor, #[param(H, H + K)] w15: Tensor,
        #[dim(E)] de: Dim, #[param()] s19: Tensor, #[param(E)] b22: Tensor,
        #[param(E, E)] w23: Tensor, #[param(E)] b24: Tensor, #[param(K, E)] w25: Tensor,
        #[param(E, H)] w26: Tensor, #[param(E)] b27: Tensor, #[param(H, E)] w28: Tensor,
        #[param(E, K)] w29: Tensor, #[param(H)] b31: Tensor, #[param(H, H)] w32: Tensor,
        #[param(H)] b35: Tensor, #[param(K, K)] w36: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let Node { h: h7, c: c8 } = gather(0);
        let parts9 = w11.dot(1.0 / (dk as f64).sqrt() * table10.row(p1.id).softmax()).split::<3>();
        let mut a12 = zeros(dh);
        for k in 1..=2 {
            a12 += (parts9[k] * w15.dot(summary(Node { h: h7, c: w14.dot(b13) }))).tanh() * (k as f64);
        }
        let mut a16 = zeros(de);
        let (mut n17, mut t18) = (1.0, s19);
        for v20 in gather_all::<Node>() {
            let mut m21 = concat([w23.dot(b22), w25.dot(b24)]).slice(0..de);
            m21 = concat([w26.dot(v20.h), -x3]).slice(0..de) - m21;
            m21 += scaled(zeros(de), de) * b27;
            m21 = m21.tanh();
            t18 += (w28.dot(m21) - h7).tanh().sum().tanh();
            a16 = (w29 * (1.0 / (dk as f64).sqrt())).dot(v20.c) + a16;
            n17 += 1.0;
        }
        let x30 = a16 / n17;
        let n33 = 2.0_f64.sqrt() - 1.5;
        let out34 = Scores { y: (1.5 - x30).tanh(), logits: indicator((b31 / ((w32 * n33).dot(x5).sigmoid() + 0.5)).argmax() != a12.sample()) };
        push(out34);
        scatter(Node { h: ((0.5 + b35.sigmoid()).ln() + x5).tanh(), c: (-c8 + w36.dot(c8)).tanh() });
        loss((x3.log_softmax() * t18).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_17(
        #[param(E)] b1: Tensor, #[param(V, K)] table3: Tensor, #[param(H)] b5: Tensor,
        #[param(K)] b6: Tensor, #[param(E)] b10: Tensor, #[dim(H)] dh: Dim,
        #[param(2 * K, E)] w12: Tensor, #[param(2 * K)] b13: Tensor, #[param(H)] mut b16: Tensor,
        #[param(H, K)] w20: Tensor, #[param(H, K)] w21: Tensor, #[param(H, E)] w22: Tensor,
        #[param(K, E)] w24: Tensor, #[param(K, H)] w25: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4 = table3.row(id);
        let Node { h: h8, c: c9 } = gather_or(0, Node { h: b5, c: b6 });
        let n11 = 2.0 / (1.0 + dh as f64);
        let (x14, x15) = halves(w12.dot(b10.tanh() * n11) + b13);
        let mut a17 = zeros(dh);
        let mut n18 = 1.0;
        for v19 in gather_all::<Node>() {
            b16 -= v19.h * w20.dot(v19.c);
            a17 += (h8 + w21.dot(x15)).tanh() - w22.dot(x);
            a17 -= b5.tanh();
            n18 += 1.0;
        }
        let x23 = b16 / n18;
        scatter(Node { c: ((((w24.dot(x2) + x4 - c9) * x14).tanh() + w25.tanh().dot(a17)).tanh() - w25.dot(x23)).tanh(), h: b5.less(a17 + 0.35).select(h8, b5) });
    }

    #[vertex_function]
    pub fn mixed_18(
        #[param(E)] b4: Tensor, #[param(K)] b5: Tensor, #[param(E, K)] w6: Tensor,
        #[param(K)] b7: Tensor, #[param(K)] b8: Tensor, #[param(K)] b9: Tensor,
        #[param(E, K)] w10: Tensor, #[param(E, K)] w11: Tensor, #[param(E, E)] w12: Tensor,
        #[param(E, H)] w13: Tensor, #[param(K)] b14: Tensor, #[dim(E)] de: Dim,
        #[param(E, E)] w15: Tensor, #[dim(K)] dk: Dim, #[param(H, K)] w19: Tensor,
        #[dim(H)] dh: Dim, #[param(K, K)] w20: Tensor, #[param(H, E)] w21: Tensor,
        #[param(K)] mut b23: Tensor, #[param(H)] b26: Tensor, #[param(E, H)] w27: Tensor,
        #[param(K, E)] w28: Tensor, #[param(E)] b29: Tensor, #[param(K, E)] w30: Tensor,
        #[param(K, H + K)] w31: Tensor, #[param(K)] b32: Tensor, #[param(H)] b33: Tensor,
        #[param(K)] b34: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let mut m3 = b4.less(w6.dot(b5) + 0.35).select(w6.dot(b7), b4);
        m3 += (-w6.dot(b8)).exp().tanh();
        m3 *= (2.0 / ((w10 + w11).dot(b9).minimum(w12.dot(b4)).sigmoid() + 0.5)).tanh();
        m3 = weighted([(w13 * 0.75).dot(h2) * w6.dot(b14), zeros(de), w15.dot(b4)]).tanh() - m3;
        m3 = m3.tanh();
        let mut a16 = -h2;
        let mut a17 = zeros(dk);
        for Node { h, c } in gather_all() {
            a16 = h - w19.tanh().dot(c) + a16;
            a17 += blend((h * zeros(dh)).sum(), b5, c).relu();
            a17 -= (w20 * (1.0 / dh as f64)).dot(c).maximum(c).tanh();
        }
        let n22 = 2.0_f64.sqrt() - 0.5;
        let a16 = a16.tanh() + (w21.dot(m3) - n22);
        for Node { h, c } in gather_all() {
            let x25 = {
                let h = h.tanh() + b26;
                w27.dot(h).tanh()
            };
            b23 = c - w28.dot(x25) + b23;
        }
        loss(mse(w20.dot(b23).relu().tanh() * (b29 * b4).sum(), w30.dot(m3).softmax()));
        loss(mse(b23.sigmoid().maximum(a17), blend(w31.dot(summary(Node { h: b26, c: b23 })).tanh(), b5, b32)));
        push(Out { y: 1.0 / dk as f64 * (w13 * 1.5).dot(a16).tanh() });
        scatter(Node { c: b34.minimum(zeros(dk)), h: (-b33).maximum(b26) });
    }

    #[vertex_function]
    pub fn mixed_19(
        #[param(E, H)] w5: Tensor, #[param(E, H)] w6: Tensor, #[param(E)] b7: Tensor,
        #[param(E)] b9: Tensor, #[param(E, E)] w10: Tensor, #[param(E, H)] w12: Tensor,
        #[dim(K)] dk: Dim, #[param(2 * E, K)] w14: Tensor, #[param(E, H)] w17: Tensor,
        #[param(E, K)] w18: Tensor, #[param(H, E)] w19: Tensor, #[param(H, K)] w21: Tensor,
        #[param(K, K)] w22: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let parts4 = [(w5.dot(h2) - w6.dot(h2)).tanh(), (2.0 - b7).tanh(), b7];
        let mut a8 = b9;
        for k in 1..=2 {
            a8 += (parts4[k] + w10.dot(b7)).tanh();
        }
        let mut a11 = w12.dot(h2);
        for Node { h, c } in gather_all() {
            let (x15, x16) = halves(w14.dot(zeros(dk).sigmoid()));
            a11 += (w17.dot(h) * w18.dot(c) - x15 + x16).tanh();
            a11 -= (a8.sigmoid() + 0.5).ln();
        }
        let s20 = indicator(h2.noise(0.25).tanh().argmax() == w19.dot(a11).sample()).sigmoid();
        scatter(Node { c: w22.dot(c3).tanh(), h: (w21.dot(c3) + s20).tanh() });
    }

    #[vertex_function]
    pub fn mixed_20(
        #[param(K, K)] w3: Tensor, #[dim(H)] dh: Dim, #[param(K)] mut b6: Tensor,
        #[param(H, K)] w8: Tensor, #[dim(K)] dk: Dim, #[param(E)] b9: Tensor,
        #[param(E, E)] w10: Tensor, #[dim(E)] de: Dim, #[param(4 * E, E)] w11: Tensor,
        #[param(H)] mut b16: Tensor, #[param(K)] mut b17: Tensor, #[param(K, H)] w19: Tensor,
        #[param(2 * H, K)] w20: Tensor, #[param()] s23: Tensor, #[param(H, E)] w25: Tensor,
        #[param(H, E)] w26: Tensor, #[param(H, E)] w27: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let s4 = w3.mean();
        let mut a5 = zeros(dh);
        for Node { c, h } in gather_all::<Node>() {
            a5 = h - (w8 * s4.tanh()).dot(c) + a5 - (0.5 + h2.sigmoid()).ln();
            b6 += h2.sum() * (zeros(dk) / (0.5 + c.sigmoid()));
        }
        let [x12, x13, x14, x15]: [Tensor; 4] = w11.dot((2.0 + w10.dot(b9)) * zeros(de)).split();
        for Node { h, c } in gather_all() {
            let (x21, x22) = halves(w20.dot((s4 + w19.dot(h)).tanh().clamp(-0.5, 0.75)));
            b16 += (w8.tanh().dot(c) * x21 * x22).tanh();
            b17 = (s23 + b6).tanh().sigmoid() + b17 - scaled(b6, de).tanh();
        }
        let s24 = s4;
        loss(s24);
        let state = Node { c: b17.tanh().log_softmax().tanh(), h: ((((a5 - w25.tanh().dot(x12)).tanh() - (w25 * s4.tanh()).dot(x13) + w26.tanh().dot(x14) + w27.dot(x15)) * b16).tanh() - w8.dot(b17)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn mixed_21(
        #[param(H)] b1: Tensor, #[dim(K)] dk: Dim, #[param(E, E)] w3: Tensor, #[dim(H)] dh: Dim,
        #[param(E, H + K)] w6: Tensor, #[param(K)] b8: Tensor, #[dim(E)] de: Dim,
        #[param(K, H)] w12: Tensor, #[param(K, E)] w13: Tensor, #[param(E, H)] w14: Tensor,
        #[param(H)] b15: Tensor, #[param(E)] b16: Tensor, #[param()] s18: Tensor,
        #[param(E, K)] w19: Tensor, #[param(E)] mut b21: Tensor, #[param(K, H)] w25: Tensor,
        #[param(K, H)] w26: Tensor, #[param(H, K)] w28: Tensor, #[param(H, E)] w30: Tensor,
        #[param(H, E)] w31: Tensor,
    ) {
        let v2: Node = gather_or(0, Node { h: b1, c: zeros(dk) });
        let Signal { x, .. } = pull();
        let x4: Tensor = w3.tanh().dot(x);
        let x5 = {
            let x = x.tanh() + w6.dot(summary(Node { h: zeros(dh), c: v2.c }));
            x.tanh()
        };
        let mut a7 = b8.hard_tanh();
        let mut a9 = zeros(de);
        for Node { c, h } in gather_all::<Node>() {
            let x11: Tensor = (x4 + x4).tanh().tanh();
            a7 = a7 + (w12.dot(h) * c - w13.dot(x11));
            a9 = a9.maximum(affine(w14, concat([zeros(dk), b15]).slice(dk..dk + dh), b16));
        }
        let x17 = {
            let a7 = a7.tanh() + a7 * s18;
            w19.dot(a7).tanh()
        };
        let mut a20 = zeros(dh);
        let mut n22 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            let parts24 = [blend(c - v2.c, w25.dot(v2.h), a7).tanh(), affine(w26, zeros(dh), b8), w12.dot(h)];
            let mut a27 = b8;
            for k in 1..=2 {
                a27 = a27.tanh() + (parts24[k] + v2.c.sigmoid()).tanh();
            }
            a20 = w28.dot(a27).tanh() + a20;
            b21 += concat([x5.slice(1..de), x5.slice(0..1)]);
            n22 += 1.0;
        }
        let x29 = a20 / n22;
        scatter(Node { c: (w12.dot(v2.h) * a7).tanh(), h: (((w30.dot(a9) * w31.dot(x17)).tanh() - w30.tanh().dot(b21)).tanh() + x29).tanh() });
    }

    #[vertex_function]
    pub fn mixed_22(
        #[param(H)] b1: Tensor, #[dim(K)] dk: Dim, #[param(H, K)] w3: Tensor,
        #[param(H)] b4: Tensor, #[param(K)] mut b7: Tensor, #[param(K, H)] w9: Tensor,
        #[param(K)] b10: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w11: Tensor,
        #[param(H, K)] w12: Tensor, #[param(K, K)] w13: Tensor, #[param(K)] b14: Tensor,
    ) {
        let v2: Node = gather_or(0, Node { h: b1, c: zeros(dk) });
        let x5 = affine(w3, concat([v2.c, b1]).slice(0..dk), b4);
        let mut a6 = 2.0 / (v2.c.sigmoid() + 0.5);
        for v8 in gather_all::<Node>() {
            a6 -= ((w9 + w9).dot(v8.h) + v8.c).tanh();
            b7 += (concat([b10, zeros(dh)]).slice(0..dk).sigmoid() + 0.5).ln();
        }
        for k in 0..2 {
            loss((0.5 + v2.h.sigmoid()).ln().log_softmax().tanh().sum() * (k as f64 + 0.25));
        }
        scatter(Node { c: (w13.dot(v2.c) + b14).tanh(), h: ((x5 + w11.dot(a6)).tanh() * w12.dot(b7)).tanh() });
    }

    #[vertex_function]
    pub fn mixed_23(
        #[param(E)] b5: Tensor, #[param(E, E)] w6: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b8: Tensor, #[param(E, K)] w9: Tensor, #[param(K)] mut b10: Tensor,
        #[param()] s12: Tensor, #[param(E, H)] w14: Tensor, #[dim(H)] dh: Dim,
        #[param(E)] b15: Tensor, #[param(K, H)] w16: Tensor, #[param(K, H)] w17: Tensor,
        #[param(E)] b18: Tensor, #[param(E, H)] w19: Tensor, #[param(E, K)] w20: Tensor,
        #[param(H)] b21: Tensor, #[dim(K)] dk: Dim,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let parts4 = [(w6 * 0.5).dot(b5).relu().log_softmax().tanh(), zeros(de), b5];
        let mut a7 = zeros(de);
        for k in 0..3 {
            a7 = a7.tanh() + (parts4[k] - b8.greater_equal(w9.dot(c3) + 0.6).select(w9.dot(c3), b8)).tanh();
        }
        let mut t11 = s12;
        for Node { c, h } in gather_all::<Node>() {
            t11 += gate(w14, zeros(dh), b15).pick(a7.sample());
            b10 = b10 + ((w16 + w17).dot(h) - c).tanh();
        }
        push(Out { y: (b18 * a7).greater_equal((w14 + w19).dot(h2) + 0.35).select(w20.dot(b10), b18 * a7).tanh() });
        let n22 = 2.0_f64.sqrt() - 0.5;
        scatter(Node { c: (-(n22 / (zeros(dk).sigmoid() + 0.5))).tanh(), h: (0.5 + b21.sigmoid()).ln().maximum(zeros(dh)).tanh() });
        loss((zeros(dh).exp() * t11).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_24(
        #[dim(H)] dh: Dim, #[param()] s2: Tensor, #[param(E, H)] w3: Tensor,
        #[param(E, H)] w4: Tensor, #[param(E)] b5: Tensor, #[param(E, E)] w6: Tensor,
        #[dim(K)] dk: Dim, #[param()] s14: Tensor, #[param(K, H)] w16: Tensor,
        #[param(H, K)] w17: Tensor, #[param(E, K)] w20: Tensor, #[param(H, E)] w21: Tensor,
        #[param(E, E)] w22: Tensor, #[param(K)] b23: Tensor, #[param(E)] b24: Tensor,
        #[param(K, E)] w25: Tensor, #[param(E, H)] w26: Tensor, #[param(E, H)] w27: Tensor,
    ) {
        let v1: Node = gather(0);
        let s7 = ((w3 + w4).dot(zeros(dh) - s2) * w6.dot(b5)).sum();
        let mut a8 = zeros(dh);
        let mut a9 = zeros(dk);
        let mut n10 = 1.0;
        for Node { h, c } in gather_all() {
            let x12 = {
                let x13 = (v1.c / (c.sigmoid() + 0.5)).tanh();
                let x15 = (s14 - h).softmax();
                (x13 - w16.dot(x15)).tanh()
            };
            a8 = w17.dot(x12) + a8;
            a9 = a9.maximum(1.5 + v1.c.minimum(zeros(dk)));
            n10 += 1.0;
        }
        let x18 = a8 / n10;
        let x19 = (v1.h * 2.0).log_softmax().tanh().dropout(0.25);
        scatter(Node { h: w21.dot((w20.dot(v1.c).sigmoid() + 0.5).ln()).tanh(), c: (1.0 / dh as f64 / ((a9 * s2).sigmoid() + 0.5)).tanh() });
        push(Out { y: w22.dot(b5) / (0.5 + w20.dot(v1.c).sigmoid()) + b23.pick(w25.dot(b24).argmax()) });
        loss(((b5.log_softmax() * s7 + w26.dot(x18)).tanh() + w27.dot(x19)).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_25(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H, H + K)] w4: Tensor,
        #[param(4 * K, H)] w5: Tensor, #[param(4 * K)] b6: Tensor, #[param(E)] mut b11: Tensor,
        #[param()] s13: Tensor, #[param(E)] b16: Tensor, #[param(E, E)] w17: Tensor,
        #[param(E, E)] w18: Tensor, #[param(K, E)] w20: Tensor, #[param(E)] b21: Tensor,
        #[param(E, E)] w22: Tensor, #[param(E, H)] w23: Tensor, #[param(E, K)] w24: Tensor,
        #[param(E, K)] w25: Tensor, #[param(H, H)] w27: Tensor, #[param(H)] b28: Tensor,
        #[param(E, H)] w29: Tensor, #[param(E, H)] w30: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let [x7, x8, x9, x10] = (w5.dot(w4.dot(summary(Node { h: h2, c: c3 })).variational_dropout(0.25)) + b6).split();
        let mut t12 = s13;
        for v14 in gather_all::<Node>() {
            let x15 = {
                let x19 = 1.5 / (0.5 + (w17 + w18).dot(b16).maximum(b16).sigmoid());
                w20.dot(x19).tanh()
            };
            t12 += b16.relu().pick(w22.dot(b21).argmax());
            b11 = b11.maximum((w23.dot(v14.h) + w24.dot(v14.c) + w25.dot(x15)).tanh());
        }
        let mut m26 = h2 / (h2.sigmoid() + 0.5);
        m26 *= gate(w27, (0.5 + h2.sigmoid()).ln(), b28).tanh();
        m26 = m26.tanh();
        loss(mse((t12 * w23.dot(m26)).tanh().exp(), gate(w29, m26, b16)));
        push(Out { y: (2.0 * b11).tanh().greater(b11 + 0.35).select((w30 * t12.tanh()).dot(m26), (2.0 * b11).tanh()) });
        let state: Node = Node { h: zeros(dh) * zeros(dh), c: (((x7 - x8).tanh() + x9) * x10).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn mixed_26(
        #[param(K)] b2: Tensor, #[param(2 * H, K)] w3: Tensor, #[dim(H)] dh: Dim,
        #[dim(E)] de: Dim, #[param(H, K)] w10: Tensor, #[param(E)] b11: Tensor,
        #[param(E)] b12: Tensor, #[param(E, E)] w13: Tensor, #[param(E, H + 2 * E)] w14: Tensor,
        #[param(K, K)] w16: Tensor, #[dim(K)] dk: Dim, #[param(4 * E, K)] w17: Tensor,
        #[param(4 * E)] b18: Tensor, #[param(K, K)] w23: Tensor, #[param(K, H)] w25: Tensor,
        #[param(K, E)] w26: Tensor, #[param(K, H)] w27: Tensor, #[param(K, E)] w28: Tensor,
        #[param(K, E)] w30: Tensor, #[param(K, E)] w31: Tensor,
    ) {
        let v1: Node = gather(0);
        let [x4, x5]: [Tensor; 2] = w3.dot(b2.maximum(v1.c) * v1.c).split();
        let mut a6 = zeros(dh);
        let mut a7 = zeros(de);
        let mut n8 = 1.0;
        for v9 in gather_all::<Node>() {
            a6 = a6 + v9.h * w10.dot(v9.c);
            a7 += w14.dot(concat([b11, v1.h, w13.dot(b12)]));
            n8 += 1.0;
        }
        let x15 = a6 / n8;
        let [x19, x20, x21, x22] = (w17.dot(scaled(v1.c.maximum(w16.dot(v1.c)), dk)) + b18).split::<4>();
        let out24 = Scores { y: concat([zeros(dh), x21]).slice(dh..dh + de).tanh(), logits: -w23.dot(v1.c) };
        push(out24);
        let n29 = 2.0_f64.sqrt() - 2.0;
        let state: Node = Node { h: (1.5 * x5).tanh(), c: ((((w25.tanh().dot(x4) + w25.dot(x5) + (w26 * (1.0 / (de as f64).sqrt())).dot(a7)).tanh() + w27.dot(x15)).tanh() + (w28 * n29).dot(x19)).tanh() + w30.dot(x20) + w31.dot(x22)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn mixed_27(
        #[param(H)] b1: Tensor, #[param(K)] b2: Tensor, #[param(K, E)] w6: Tensor,
        #[param(E)] b8: Tensor, #[param(E, K)] w9: Tensor, #[param(E, H)] w10: Tensor,
        #[param(E)] b11: Tensor, #[param(E)] b12: Tensor, #[param(E)] b13: Tensor,
        #[param(K)] mut b15: Tensor, #[dim(E)] de: Dim, #[param(H)] b18: Tensor,
        #[dim(H)] dh: Dim, #[param(4 * K, E)] w19: Tensor, #[param(4 * K)] b20: Tensor,
        #[param(K, H)] w25: Tensor, #[param(E, E)] w26: Tensor, #[param()] s27: Tensor,
        #[param(K)] mut b29: Tensor, #[param(H, H)] w31: Tensor, #[param(K, E)] w33: Tensor,
        #[param(H)] b34: Tensor,
    ) {
        let Node { h: h4, .. } = gather_or(0, Node { h: b1, c: b2 });
        let p5 = pull::<Signal>().x;
        let x7 = w6.dot(p5);
        let x14 = b8.greater(w9.dot(x7) + 0.1).select(w10.dot(h4), b8) / (b11.greater(b12 + 0.6).select(b13, b11).sigmoid() + 0.5);
        let mut a16 = b8.softmax();
        for Node { h, c } in gather_all() {
            let [x21, x22, x23, x24]: [Tensor; 4] = (w19.dot(concat([b18, x14]).slice(dh..dh + de).variational_dropout(0.5)) + b20).tanh().split();
            b15 += (w25.dot(h) * c * x21 - x22 - x23 + x24).tanh();
            b15 -= c.variational_dropout(0.5);
            a16 += s27.tanh() - (w26 * (1.0 / (de as f64).sqrt())).dot(x14).tanh();
        }
        let x28 = {
            let x14 = x14.tanh() + a16.relu();
            x14.tanh()
        };
        for Node { h, c } in gather_all() {
            let s32 = w31.log_sum_exp();
            b29 = b29.minimum((w25 * s32.tanh()).dot(h) * c);
        }
        for k in 0..2 {
            loss(crate::generated::cells::gate(w33, x28, b2).relu().sum().tanh() * (k as f64 + 0.25));
        }
        let state: Node = Node { h: (1.5 / (0.5 + b34.sigmoid())).tanh(), c: (b15 * b29).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn mixed_28(
        #[param(E, E)] w2: Tensor, #[param(E, K)] w10: Tensor, #[dim(E)] de: Dim,
        #[param(H)] b13: Tensor, #[param()] s16: Tensor, #[param(4 * H, E)] w17: Tensor,
        #[param(E, H)] w22: Tensor, #[param(E, H)] w23: Tensor, #[param(E, H)] w24: Tensor,
        #[param(H, E)] w25: Tensor, #[param(E, E)] w27: Tensor, #[param(H, E)] w29: Tensor,
        #[param(H, E)] w30: Tensor, #[param(K)] b31: Tensor, #[param(K, H)] w32: Tensor,
        #[dim(H)] dh: Dim,
    ) {
        let p1 = pull::<Gold>().target;
        let x3 = w2.dot(p1);
        let Node { h: h5, c: c6 } = gather(0);
        let x7 = {
            let x8: Tensor = p1.tanh() - x3;
            let x9 = (0.5 + c6.minimum(c6).sigmoid()).ln();
            (x8 + w10.dot(x9)).tanh()
        };
        let mut a11 = zeros(de);
        let mut a12 = b13.sigmoid();
        let mut n14 = 1.0;
        for v15 in gather_all::<Node>() {
            let [x18, x19, x20, x21] = w17.dot(blend(s16.sigmoid(), s16 + x7, x7)).split::<4>();
            a11 = ((((w22.dot(v15.h) + w10.dot(v15.c) + (w23 * 2.0).dot(x18)).tanh() + w22.dot(x19)).tanh() + w24.dot(x20)).tanh() + w22.dot(x21)).tanh() + a11;
            a12 = a12.minimum(w25.dot(p1).gelu().tanh());
            n14 += 1.0;
        }
        let x26 = a11 / n14;
        let n28 = 2.0_f64.sqrt() - 2.0;
        push(Out { y: (n28 - w27.dot(x26)).tanh() });
        let state: Node = Node { h: (w29 + w30).dot(a11).tanh() * h5, c: (c6 + c6 - b31).tanh() };
        scatter(state);
        loss((w32 * (1.0 / (dh as f64).sqrt())).dot(a12).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_29(
        #[param(H, E)] w4: Tensor, #[param(H, E)] w5: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b9: Tensor, #[param(E, E)] w10: Tensor, #[dim(K)] dk: Dim,
        #[param(E, H)] w13: Tensor, #[param(E, E)] w14: Tensor, #[param(E, K)] w15: Tensor,
        #[param()] s16: Tensor, #[param(K)] b18: Tensor, #[param(K, K)] w19: Tensor,
        #[param(K)] b20: Tensor, #[param(K)] b21: Tensor, #[param(K)] b23: Tensor,
        #[param(K, E)] w25: Tensor, #[param(K)] b26: Tensor, #[param(K, K)] w27: Tensor,
        #[param(K, H)] w29: Tensor, #[param(H, K)] w30: Tensor, #[param(K)] b32: Tensor,
        #[param(3 * H, K)] w34: Tensor, #[param(3 * H)] b35: Tensor, #[param(K, H)] w39: Tensor,
        #[param(K, H)] w40: Tensor, #[param(K, H)] w41: Tensor, #[param(H)] b42: Tensor,
        #[param(H, K)] w43: Tensor, #[param(K)] b44: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Signal { x: p3, label } = pull::<Signal>();
        let x6 = (w4 + w5).dot(p3);
        let x6 = x6.tanh() + 1.5 * x6;
        let mut a7 = zeros(de);
        let mut a8 = scaled(w10.dot(b9), dk);
        for v11 in gather_all::<Node>() {
            let mut m12 = (-(w13 + w13).dot(x6)).tanh();
            m12 += w14.dot(w13.dot(h2).exp()).tanh();
            m12 *= affine(w15, zeros(dk) - v11.c, b9);
            m12 -= concat([b9, b9]).slice(0..de) + zeros(de);
            m12 = m12.tanh();
            a7 += w13.dot(v11.h) - m12;
            a8 = a8 + (m12 + s16 + m12);
        }
        let parts17 = [(0.5 / (0.5 + w19.dot(b18).sigmoid())).minimum(b20).tanh(), b21.relu(), zeros(dk)];
        let mut a22 = b23;
        let x24 = concat(parts17);
        for k in 0..2 {
            a22 += (x24.slice(k * dk..(k + 1) * dk) - w25.dot(a7).maximum(w27.dot(b26)).tanh()).tanh() * (k as f64);
        }
        let n31 = 2.0_f64.sqrt() - 2.0;
        let mut a28 = crate::generated::cells::gate(w29, (w30 * n31).dot(a22), b32).tanh();
        for v33 in gather_all::<Node>() {
            let [x36, x37, x38] = (w34.dot((0.5 + v33.c.minimum(a22).sigmoid()).ln()) + b35).split();
            a28 = ((w39.dot(v33.h) + w40.dot(x36) + w41.dot(x37)).tanh() + w29.dot(x38)).tanh() + a28;
        }
        loss(cross_entropy((h2.log_softmax() / (0.5 + b42.minimum(x6).tanh().sigmoid())).tanh(), label));
        push(Out { y: (a8 + w10.dot(a7)).tanh().less(a7 + 0.1).select(a7, (a8 + w10.dot(a7)).tanh()).tanh() });
        let (h, c) = (w43.dot(a28).tanh(), b44.exp().tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn mixed_30(
        #[param(K, E)] w1: Tensor, #[param(H)] b5: Tensor, #[dim(H)] dh: Dim,
        #[param(K, H)] w6: Tensor, #[dim(K)] dk: Dim, #[param(H)] b7: Tensor,
        #[param(H)] mut b9: Tensor, #[param(K)] b11: Tensor, #[param(K, H + K)] w12: Tensor,
        #[param(2 * K, K)] w13: Tensor, #[param(H, K)] w16: Tensor, #[param(H, K)] w17: Tensor,
        #[param(H, K)] w18: Tensor, #[param(K, K)] w22: Tensor, #[param(K, H)] w24: Tensor,
        #[param(K, E)] w25: Tensor, #[dim(E)] de: Dim, #[param(K)] b26: Tensor,
        #[param(E, H)] w27: Tensor, #[param(E, H)] w28: Tensor, #[param(K)] b29: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = w1.dot(x);
        let Node { h: h4, .. } = gather(0);
        let s8 = concat([(w6 + w6).dot(h4), b5]).slice(dk..dk + dh).pick(b7.argmax());
        for v10 in gather_all::<Node>() {
            let (x14, x15) = halves(w13.dot(w12.dot(concat([v10.h, b11]))));
            b9 = b9.maximum((w16.dot(v10.c) - (w17 * s8).dot(x14) - w18.dot(x15)).tanh());
        }
        let s19 = s8;
        let mut a20 = w1.dot(x);
        let mut a21 = w22.dot(x2).tanh();
        for Node { h, c } in gather_all() {
            a20 = a20.minimum(w24.tanh().dot(h) - c);
            a21 = affine(w25, concat([x, x]).slice(0..de), b26) + a21;
        }
        loss(cross_entropy((w27 + w28).dot(b9).minimum(x).tanh().softmax(), label));
        loss(x.minimum(x).square().tanh().sum());
        let (h, c) = (w16.dot(a21).relu().tanh(), (((x2 - b29) * s19 - a20).tanh() + a21).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn mixed_31(
        #[param(K, E)] w4: Tensor, #[param(V, H)] table6: Tensor, #[param(K)] mut b8: Tensor,
        #[dim(H)] dh: Dim, #[param(H, K)] w11: Tensor, #[param(H)] b13: Tensor,
        #[param()] s14: Tensor, #[dim(K)] dk: Dim, #[param()] s16: Tensor,
        #[param(K, E)] w17: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let p3: Word = pull();
        let x5 = w4.dot(p3.x);
        let x7 = table6.row(p3.id);
        b8 /= 1.0 / dh as f64;
        b8 = b8.tanh();
        let mut a9 = zeros(dh);
        let mut a10 = w11.tanh().dot(b8) * x7;
        for Node { c, h } in gather_all::<Node>() {
            a9 = a9.maximum(h + w11.dot(c));
            a10 = b13.sigmoid().softmax() + a10;
        }
        let n15 = 0.5 / (1.0 + dk as f64);
        loss(((h2 * s14 * a10).tanh().sum() * n15).tanh());
        loss(mse(b13, a9).tanh().sigmoid() * s16);
        scatter(Node { c: (x5 - w17.dot(p3.x)).tanh(), h: w11.tanh().dot(b8).tanh() });
    }

    #[vertex_function]
    pub fn mixed_32(
        #[param()] s4: Tensor, #[dim(H)] dh: Dim, #[param(E)] b5: Tensor,
        #[param(H, E)] w6: Tensor, #[param(K)] b7: Tensor, #[param(E, K)] w8: Tensor,
        #[param(E)] mut b9: Tensor, #[param(H)] b12: Tensor, #[param(E)] b13: Tensor,
        #[param(H)] b14: Tensor, #[param(E, K)] w15: Tensor, #[param(E, H)] w16: Tensor,
        #[dim(E)] de: Dim, #[param(E)] b20: Tensor, #[dim(K)] dk: Dim, #[param(E)] b22: Tensor,
        #[param(H, K)] w23: Tensor, #[param(K)] b24: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let mut m3 = s4 + h2;
        m3 *= (h2 - zeros(dh)) * 0.5;
        m3 = h2.exp().sigmoid() - m3;
        m3 = (w6.dot(b5).exp() - w8.dot(b7).sum()).tanh() - m3;
        m3 = m3.tanh();
        for v10 in gather_all::<Node>() {
            let mut m11 = b12 + v10.h;
            m11 -= w6.dot(b13).sigmoid();
            m11 += (b14.sigmoid() - m3.sum()).tanh();
            m11 *= m3.greater_equal(v10.h + 0.35).select(v10.h, m3).minimum(zeros(dh));
            m11 = m11.tanh();
            b9 = b9 + (w15.dot(v10.c) + w16.dot(m11));
        }
        let n19 = 2.0 / (1.0 + de as f64);
        let (x17, [x21], s18) = (zeros(dh) + n19 - h2, [scaled(b7, dk)], 2.0 - indicator(b9.argmax() == b20.sample()));
        for k in 0..2 {
            loss(((x17.tanh().exp() * h2).tanh().sum() - s4) * (k as f64 + 0.25));
        }
        loss((crate::generated::cells::gate(w16, x17, b22) * zeros(de) * zeros(de)).sum());
        let state: Node = Node { h: (h2.relu() * s18 - w23.dot(x21)).tanh(), c: b24.tanh() };
        scatter(state);
        let n25 = 0.5 / (1.0 + de as f64);
        let out26 = Scores { y: (b9 * n25).tanh(), logits: (w23 + w23).dot(x21.minimum(x21)) };
        push(out26);
    }

    #[vertex_function]
    pub fn mixed_33(
        #[param(E)] b2: Tensor, #[param(H)] b5: Tensor, #[param(3 * E, H)] w6: Tensor,
        #[param(3 * E)] b7: Tensor, #[dim(E)] de: Dim, #[param(K, H)] w9: Tensor,
        #[param(E, H + K)] w10: Tensor, #[param(E)] b12: Tensor, #[param(E, K)] w14: Tensor,
        #[param()] s18: Tensor, #[param(E, H)] w20: Tensor, #[param(E, H)] w21: Tensor,
        #[param(E, K)] w22: Tensor, #[param(H, K)] w24: Tensor, #[dim(K)] dk: Dim,
        #[param(K, E)] w25: Tensor, #[param(K, E)] w26: Tensor, #[param(K, E)] w27: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let Gold { label, target } = pull();
        let x3 = target * b2;
        let parts4 = (w6.dot(b5.relu() * v1.h) + b7).split::<3>();
        let mut a8 = zeros(de);
        for part in parts4 {
            a8 = a8.tanh() + (part + w10.dot(summary(Node { h: v1.h, c: w9.dot(v1.h) })).tanh()).tanh();
        }
        let mut a11 = x3 * b12;
        let mut a13 = w14.dot(v1.c).log_softmax();
        let mut n15 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            let x17 = {
                let x19 = (s18 + b5).tanh();
                w20.tanh().dot(x19).tanh()
            };
            a11 -= (w21.dot(h) - (w22 * 0.5).dot(c) - x17).tanh();
            a13 = w10.dot(summary(Node { h: v1.h, c: v1.c })) + a13 - (0.5 + a8.sigmoid()).ln();
            n15 += 1.0;
        }
        let x23 = a11 / n15;
        for k in 0..2 {
            loss(cross_entropy(cross_entropy(v1.h, label) * b5.relu(), label) * (k as f64 + 0.25));
        }
        scatter(Node { h: (-v1.h).maximum(w24.dot(v1.c)).tanh(), c: (v1.c.maximum(zeros(dk)) + v1.c).tanh() });
        loss(((w25.dot(target) * w26.dot(a13)).tanh() + w27.dot(x23)).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_34(
        #[param(H, H)] w3: Tensor, #[dim(E)] de: Dim, #[param()] s7: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b10: Tensor, #[param(E, H)] w11: Tensor, #[param(E, H)] w12: Tensor,
        #[param(H, E)] w13: Tensor, #[param(K, K)] w14: Tensor,
    ) {
        let v1: Node = gather(0);
        let x2 = {
            let x4: Tensor = w3.tanh().dot(v1.h) * 1.5 / (0.5 + v1.h.sigmoid().sigmoid());
            x4.tanh()
        };
        let mut a5 = zeros(de);
        let mut t6 = s7;
        for Node { h, c } in gather_all() {
            let mut m9 = concat([b10, c]).slice(dk..dk + dk);
            m9 /= 2.0;
            m9 = m9.tanh();
            t6 += (indicator(v1.c.argmax() != m9.sample()) + s7).tanh();
            a5 = a5 + w11.dot(h);
        }
        push(Out { y: -w12.dot(x2).relu() });
        let state: Node = Node { h: (w13.dot(a5) + t6).tanh(), c: w14.tanh().dot(v1.c).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn mixed_35(
        #[param(H, E)] w2: Tensor, #[param(H, K)] w7: Tensor, #[param(E)] b8: Tensor,
        #[param(H, E)] w9: Tensor, #[dim(H)] dh: Dim, #[param(H)] mut b12: Tensor,
        #[param(H, K)] w15: Tensor, #[param()] s16: Tensor, #[param(E)] b18: Tensor,
        #[param(K, E)] w19: Tensor, #[param(2 * E, K)] w20: Tensor, #[param(2 * E)] b21: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let Node { h: h5, c: c6 } = gather(0);
        let x10: Tensor = (w7 * 1.5).dot(weighted([c6, c6, c6])).tanh() * w9.dot(b8).hard_sigmoid();
        let mut a11 = zeros(dh);
        let mut n13 = 1.0;
        for Node { h, c } in gather_all() {
            a11 -= h * w15.dot(c);
            b12 = (x10 + s16).tanh() + b12 - x3.dropout(0.5).tanh();
            n13 += 1.0;
        }
        let x17 = a11 / n13;
        let (x22, x23) = halves(w20.dot(w19.dot(b18).sigmoid()) + b21);
        for k in 0..2 {
            loss(cross_entropy(zeros(dh).relu().exp(), label) * (k as f64 + 0.25));
        }
        let out24 = Scores { y: (x22 + x23).tanh(), logits: c6.exp() * c6 };
        push(out24);
        scatter(Node { h: ((h5 + b12).tanh() * x17).tanh(), c: c6.softmax() });
    }
}

pub mod gold {
    use super::prelude::*;

    #[vertex_function]
    pub fn gold_0(
        #[param(H, E)] w3: Tensor, #[param(H, E)] w4: Tensor, #[param(E)] mut b6: Tensor,
        #[param(E)] b7: Tensor, #[dim(K)] dk: Dim, #[param(K, E)] w8: Tensor,
        #[param(K, E)] w9: Tensor, #[param(K)] b10: Tensor, #[param(K, K)] w11: Tensor,
        #[param(K, K)] w12: Tensor, #[param(K)] b13: Tensor, #[param(K)] b14: Tensor,
        #[param(K)] b15: Tensor, #[param(K, K)] w16: Tensor, #[param()] s17: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Gold { target, .. } = pull();
        let x5 = (w3 + w4).dot(target);
        b6 += scaled(b7.abs(), dk);
        b6 = b6.tanh();
        loss(mse((w8 + w9).dot(b6).maximum((w11 + w12).dot(b10)) * b13, w11.dot(b14).minimum(w16.dot(b15))));
        for k in 0..2 {
            loss((b6.pick(b6.argmax()).sigmoid() + 0.75) * (k as f64 + 0.25));
        }
        push(Out { y: (b6 - s17).tanh() });
        loss((h2 + x5).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_1(
        #[param(E, E)] w2: Tensor, #[param(K)] b4: Tensor, #[param(H, K)] w5: Tensor,
        #[dim(H)] dh: Dim, #[param(E)] b8: Tensor, #[param(K, K)] w11: Tensor,
        #[param(2 * K, K)] w12: Tensor, #[param(E, H)] w15: Tensor, #[param(E, K)] w16: Tensor,
        #[param(E, K)] w17: Tensor, #[param(K, K)] w20: Tensor, #[param()] s21: Tensor,
        #[param(K)] b25: Tensor, #[param(K, E)] w26: Tensor, #[param(K, H)] w28: Tensor,
        #[dim(E)] de: Dim, #[param(E, K)] w31: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = w2.dot(p1.target);
        let s6 = (w5.dot(b4) + zeros(dh)).max();
        let mut a7 = b8 * 0.5;
        let mut n9 = 1.0;
        for Node { h, c } in gather_all() {
            let [x13, x14]: [Tensor; 2] = w12.dot((w11 + w11).dot(c).minimum(c)).split();
            a7 = ((w15.tanh().dot(h) * w16.dot(x13)).tanh() + w17.dot(x14)).tanh() + a7;
            n9 += 1.0;
        }
        let x18 = a7 / n9;
        let x3 = x3.tanh() + p1.target * x18;
        let mut a19 = w20.dot(b4) * s21;
        let mut n22 = 1.0;
        for Node { h, c } in gather_all() {
            let parts24 = [b25.maximum(w26.tanh().dot(p1.target)).minimum(c), (2.0 / (0.5 + b4.sigmoid())).tanh(), b4];
            let mut a27 = b4;
            for k in 1..=2 {
                a27 += (parts24[k] + c.softmax()).tanh() * (k as f64);
            }
            a19 = (w28.dot(h) - a27).tanh() + a19;
            n22 += 1.0;
        }
        let x29 = a19 / n22;
        loss(cross_entropy(scaled(x3.softmax(), de), p1.label));
        let out30 = Scores { y: x18.relu().tanh(), logits: s6 };
        push(out30);
        loss(w31.dot(x29).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_2(
        #[param(K, E)] w2: Tensor, #[param(H)] b5: Tensor, #[param(E, H)] w6: Tensor,
        #[param(H)] b7: Tensor, #[param(E, H)] w8: Tensor, #[param(E, H)] w9: Tensor,
        #[param(H, E)] w11: Tensor, #[dim(H)] dh: Dim, #[dim(E)] de: Dim,
        #[param(H, H)] w16: Tensor, #[param(H)] b17: Tensor, #[param(H, K)] w18: Tensor,
        #[param(H, E)] w20: Tensor, #[dim(K)] dk: Dim, #[param()] s23: Tensor,
        #[param(H)] b25: Tensor, #[param(E, K)] w27: Tensor, #[param(E)] b28: Tensor,
        #[param(H, E)] w29: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let x4 = {
            let x10 = (0.75 / (0.5 + w6.dot(b5).sigmoid())).maximum((w8 + w9).dot(b7));
            w11.dot(x10).tanh()
        };
        let mut a12 = zeros(dh);
        let mut a13 = zeros(de);
        let mut n14 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            let x19: Tensor = concat([crate::generated::cells::gate(w16, h, b17) - w18.dot(c), concat([w6.dot(x4), x3]).slice(0..de)]).slice(dh..dh + de);
            a12 = w20.dot(x19) + a12;
            a13 = a13.maximum(scaled(x19.minimum(x19), dk));
            n14 += 1.0;
        }
        let x21 = a12 / n14;
        let parts22 = [(w18.tanh().dot(x3).variational_dropout(0.1) / ((s23 - x21).sigmoid() + 0.5)).tanh(), x21.relu().tanh(), w16.dot(x4)];
        let mut a24 = b25;
        let x26 = concat(parts22);
        for k in 0..2 {
            a24 += (x26.slice(k * dh..(k + 1) * dh) - b5 / (zeros(dh).sigmoid() + 0.5)).tanh();
        }
        for k in 0..2 {
            loss(cross_entropy(blend((a24 + a12).tanh(), (a12 - x21).tanh(), b5), label) * (k as f64 + 0.25));
        }
        push(Out { y: (w27.dot(x3) - b28 - b28).tanh() });
        loss(w29.dot(a13).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_3(
        #[param(H, E)] w4: Tensor, #[param(H, E)] w6: Tensor, #[param(2 * K, H)] w7: Tensor,
        #[param(2 * K)] b8: Tensor, #[param(E, K)] w11: Tensor, #[param(E)] b12: Tensor,
        #[param(K, K)] w15: Tensor, #[dim(K)] dk: Dim, #[param(E)] b16: Tensor,
        #[dim(H)] dh: Dim,
    ) {
        let Node { h: h2, .. } = gather(0);
        let p3: Gold = pull();
        let x5 = w4.dot(p3.target);
        let [x9, x10]: [Tensor; 2] = (w7.dot(x5 - w6.dot(p3.target) + h2) + b8).tanh().split();
        let [x13, x14] = [w11.dot(x9 / (x10.sigmoid() + 0.5)), b12.exp()];
        loss(cross_entropy(concat([w15.dot(x10).slice(1..dk), w15.dot(x10).slice(0..1)]).minimum(x9), p3.label));
        loss(b12.maximum(x13).maximum(x14).tanh().sum());
        let out17 = Scores { y: scaled(b16, dh), logits: noisy(scaled(h2, dh), 0.5) };
        push(out17);
    }

    #[vertex_function]
    pub fn gold_4(
        #[param(E)] b2: Tensor, #[dim(K)] dk: Dim, #[param(K)] b5: Tensor,
        #[param(K, E)] w6: Tensor, #[param(E, K)] w9: Tensor, #[param(E, K)] w10: Tensor,
        #[param(E, K)] w11: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = p1 * b2;
        let v4: Node = gather(0);
        let [x7, x8] = [zeros(dk).maximum(b5), w6.tanh().dot(p1)];
        for k in 0..2 {
            loss(cross_entropy(noisy(v4.h.log_softmax(), 0.25).tanh(), label) * (k as f64 + 0.25));
        }
        loss((x3 * w9.dot(v4.c) * w10.dot(x7) + w11.dot(x8)).sum());
    }

    #[vertex_function]
    pub fn gold_5(
        #[param(K, E)] w2: Tensor, #[dim(H)] dh: Dim, #[param(2 * K, H)] w5: Tensor,
        #[param(2 * K)] b6: Tensor, #[param(E)] b9: Tensor, #[dim(E)] de: Dim,
        #[param(E, K)] w10: Tensor, #[param(H, E)] w11: Tensor, #[param(E, H + K)] w12: Tensor,
        #[param(E, K)] w14: Tensor, #[param(E, K)] w15: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let v4 = gather::<Node>(0);
        let [x7, x8] = (w5.dot(weighted([zeros(dh), v4.h, v4.h]).log_softmax().tanh()) + b6).split();
        loss(cross_entropy(concat([b9, v4.h]).slice(0..de).noise(0.25).tanh(), label));
        let out13 = Scores { y: w10.dot(x7).dropout(0.1).tanh(), logits: w12.dot(summary(Node { h: w11.dot(b9), c: x8 })) };
        push(out13);
        loss((w14.dot(x3) - w15.dot(v4.c)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_6(
        #[param(H, E)] w3: Tensor, #[dim(H)] dh: Dim, #[param(2 * E, H)] w5: Tensor,
        #[param(2 * E)] b6: Tensor, #[param(E)] b9: Tensor, #[param(H, E)] w10: Tensor,
        #[param(E, K)] w11: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let p2: Gold = pull();
        let x4 = w3.dot(p2.target);
        let [x7, x8] = (w5.dot(-concat([v1.h.slice(1..dh), v1.h.slice(0..1)])) + b6).split();
        loss(cross_entropy((b9.sigmoid() + 0.5).ln(), p2.label));
        for k in 0..2 {
            loss(mse(w10.dot(x7) + x4, -v1.h) * (k as f64 + 0.25));
        }
        loss((w11.dot(v1.c) + x8).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_7(
        #[param(H, E)] w2: Tensor, #[dim(K)] dk: Dim, #[param(E)] b4: Tensor,
        #[param(K, E)] w5: Tensor, #[param(K, H)] w6: Tensor, #[param(K, H)] w7: Tensor,
        #[param()] s8: Tensor, #[dim(H)] dh: Dim, #[param(E)] b14: Tensor, #[dim(E)] de: Dim,
        #[param(E, H)] w16: Tensor, #[param(K, E)] w17: Tensor, #[param(E, H)] w18: Tensor,
        #[param(E, K)] w19: Tensor, #[param(2 * H, E)] w20: Tensor, #[param(2 * H)] b21: Tensor,
        #[param(E)] b28: Tensor, #[param(E, K)] w29: Tensor, #[param(E, H)] w31: Tensor,
        #[param(E, H)] w32: Tensor, #[param(E, K)] w33: Tensor, #[param(K)] b34: Tensor,
        #[param(K, H + K)] w35: Tensor, #[param(K)] b38: Tensor, #[param(K, H)] w39: Tensor,
        #[param(K, E)] w40: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = (w2 * 2.0).dot(p1.target);
        let [x9, x10] = [weighted([zeros(dk), w5.tanh().dot(b4), w6.dot(x3)]).tanh().log_softmax(), s8 * w7.dot(x3)];
        let mut a11 = zeros(dk);
        for Node { c, h } in gather_all::<Node>() {
            let x13 = {
                let x15 = concat([b14.relu(), h]).slice(de..de + dh);
                w16.dot(x15).tanh()
            };
            a11 = c + w17.dot(x13) + a11;
        }
        let (x22, x23) = halves(w20.dot((0.5 + w18.dot(x3)).tanh().minimum(w19.dot(a11)).tanh()) + b21);
        let mut a24 = zeros(de);
        let mut a25 = zeros(dk);
        let mut t26 = s8;
        for Node { h, c } in gather_all() {
            let x30: Tensor = -b28.minimum(w29.dot(x10));
            t26 += mse(w6.dot(x3).sigmoid(), x9).tanh();
            a24 += ((w31 + w32).dot(h) + w33.dot(c) + x30).tanh();
            a25 += b34.abs().greater(x9 + 0.1).select(zeros(dk), b34.abs());
            a25 -= w35.dot(summary(Node { h: x22, c: x9 })).tanh();
        }
        let [x36, x37] = [(a25 - x10).tanh().sigmoid(), w6.dot(x3)];
        loss(cross_entropy(weighted([t26 * b38, x36, b34]), p1.label));
        loss(cross_entropy((t26 - 1.0 / dk as f64 / (0.5 + zeros(dk).sigmoid())).tanh(), p1.label));
        loss((((w39 * 2.0).dot(x23) + w40.dot(a24)).tanh() + x37).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_8(
        #[param(E)] b5: Tensor, #[param(E)] b8: Tensor, #[dim(E)] de: Dim,
        #[param(E, E)] w9: Tensor, #[param(E)] b10: Tensor, #[param(E, H)] w11: Tensor,
        #[param()] s13: Tensor, #[param(K, K)] w14: Tensor, #[param(K)] b15: Tensor,
        #[param(E, E)] w16: Tensor, #[param(E)] b17: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let p4 = pull::<Gold>().target;
        let x6 = p4 * b5;
        let parts7 = [b8.relu() + zeros(de), blend(w9.tanh().dot(p4) * b10, zeros(de), x6), w11.dot(h2)];
        let mut a12 = zeros(de);
        for part in parts7 {
            a12 = a12.tanh() + (part * (p4 - s13)).tanh();
        }
        loss(mse(w14.dot(c3).log_softmax().tanh().exp(), b15 + s13));
        for k in 0..2 {
            loss((w16.dot(a12) + b5).tanh().tanh().pick(b17.sample()) * (k as f64 + 0.25));
        }
        push(Out { y: 0.5 * x6.relu() });
    }

    #[vertex_function]
    pub fn gold_9(
        #[param(H, E)] w5: Tensor, #[dim(E)] de: Dim, #[param(K, E)] w8: Tensor,
        #[dim(H)] dh: Dim, #[param(E, H)] w10: Tensor, #[param(E, K)] w12: Tensor,
        #[param(E)] b13: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let p4: Gold = pull();
        let x6: Tensor = w5.dot(p4.target);
        let x7 = {
            let x9 = concat([p4.target, w8.dot(p4.target)]).slice(0..de);
            let x6 = x6.tanh() + (h2 + zeros(dh));
            let n11 = 2.0_f64.sqrt() - 0.75;
            (x9 + (w10 * n11).dot(x6)).tanh().tanh()
        };
        loss(cross_entropy(zeros(de).tanh().sigmoid(), p4.label));
        push(Out { y: gate(w12, c3, b13).sigmoid() });
        loss(w5.dot(x7).sum());
    }

    #[vertex_function]
    pub fn gold_10(
        #[param(K, E)] w2: Tensor, #[param(E)] b5: Tensor, #[param(H, E)] w6: Tensor,
        #[param(E)] b7: Tensor, #[param(H)] b8: Tensor, #[param(H, K)] w9: Tensor,
        #[param(H)] b10: Tensor, #[param(H, H)] w11: Tensor, #[param(H)] b13: Tensor,
        #[param(E)] b14: Tensor, #[param(H, E)] w15: Tensor, #[dim(K)] dk: Dim,
        #[dim(E)] de: Dim, #[param()] s19: Tensor, #[dim(H)] dh: Dim, #[param(H)] b21: Tensor,
        #[param(K)] b23: Tensor, #[param(K)] b24: Tensor, #[param(K, H)] w25: Tensor,
        #[param(E, H + K)] w26: Tensor, #[param(E, H)] w27: Tensor, #[param(E, K)] w28: Tensor,
        #[param(K)] b31: Tensor, #[param(K)] b32: Tensor, #[param(2 * H, E)] w37: Tensor,
        #[param(E, H)] w40: Tensor, #[param(E, K)] w41: Tensor, #[param(E, H)] w42: Tensor,
        #[param(E, H)] w43: Tensor, #[param(E, K)] w44: Tensor, #[param(H)] b45: Tensor,
        #[param(E, H)] w46: Tensor, #[param(E, K)] w47: Tensor, #[param(E, H)] w49: Tensor,
        #[param(H)] b50: Tensor, #[param(E)] b51: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let parts4 = [(0.75 / (0.5 + w6.dot(b5).sigmoid())).maximum(w6.dot(b7)).tanh(), weighted([b8, w9.dot(x3), b10]).tanh(), w11.dot(b8)];
        let mut a12 = b13;
        for k in 0..3 {
            a12 -= (parts4[k] + w15.tanh().dot(b14).tanh()).tanh();
        }
        let mut a16 = zeros(dk);
        let mut a17 = zeros(de);
        let mut t18 = s19;
        for v20 in gather_all::<Node>() {
            let x22 = (b8.maximum(v20.h) / (0.5 + blend(cross_entropy(v20.c, label), zeros(dh), b21).sigmoid())).dropout(0.5);
            t18 += indicator((b23 - b24).argmax() != label);
            a16 = a16.maximum(w25.dot(x22).tanh());
            a17 = w26.dot(summary(Node { h: a12, c: x3 })).tanh() + a17 - (w27.dot(x22) * w28.dot(v20.c)).tanh();
        }
        let (x29, [x33], s30) = (b31.less(a16 + 0.1).select(b32, b31).softmax(), [a17.relu()], t18);
        let mut a34 = x33.tanh().exp();
        let mut a35 = zeros(dh);
        for v36 in gather_all::<Node>() {
            let (x38, x39) = halves(w37.dot((0.75 / (0.5 + a17.sigmoid()) - a17).tanh()));
            a34 -= ((w40.dot(v36.h) * w41.dot(v36.c) - w42.dot(x38)) * w43.dot(x39)).tanh();
            a35 = a35.maximum(gate(w6, w44.dot(x29) / (0.5 + x33.sigmoid()), b45).tanh());
        }
        loss(s30);
        let n48 = 2.0 / (1.0 + dk as f64);
        for k in 0..2 {
            loss(mse((w46.dot(a12).maximum(x33) / (w47.dot(x29).tanh().sigmoid() + 0.5)).tanh(), blend((a34 * n48).tanh(), a17, a34).tanh()) * (k as f64 + 0.25));
        }
        let out52 = Scores { y: affine(w49, b50, b51), logits: 0.5 + x29.abs() };
        push(out52);
        loss(w25.dot(a35).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_11(
        #[param(K, E)] w4: Tensor, #[dim(H)] dh: Dim, #[param(3 * H, H)] w7: Tensor,
        #[param(3 * H)] b8: Tensor, #[param(H)] b10: Tensor, #[param()] s11: Tensor,
        #[param()] s13: Tensor, #[param(K, H)] w14: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { label, target } = pull();
        let x5 = w4.dot(target);
        let parts6 = (w7.dot(h2.cumulative_sum().tanh() + 1.0 / dh as f64) + b8).split::<3>();
        let mut a9 = b10;
        for part in parts6 {
            a9 -= (part * (h2 + s11)).tanh();
        }
        let x12: Tensor = (b10 * (1.0 / dh as f64) - a9).minimum(h2.noise(0.1).tanh());
        loss(cross_entropy((0.5 + (s13 * target).sigmoid()).ln(), label));
        loss(((c3 - x5) * w14.dot(x12)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_12(
        #[param(E, E)] w2: Tensor, #[dim(K)] dk: Dim, #[param(E, K)] w6: Tensor,
        #[dim(E)] de: Dim, #[param(E, H)] w9: Tensor, #[param(H)] b10: Tensor,
        #[param(H, H)] w11: Tensor, #[param(E, E)] w12: Tensor, #[param(H, E)] w13: Tensor,
        #[param(H)] b14: Tensor, #[param(K)] b15: Tensor, #[param(H, K)] w16: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = w2.dot(p1.target);
        let x4 = {
            let x5 = zeros(dk).log_softmax().tanh();
            w6.dot(x5).tanh()
        };
        let mut a7 = 1.0 / de as f64 - x4;
        for v8 in gather_all::<Node>() {
            a7 += (w9.dot(v8.h) + (w6 * 0.75).dot(v8.c)).tanh();
        }
        loss(cross_entropy(concat([x3, w11.dot(b10)]).slice(0..de).exp().tanh(), p1.label));
        let out17 = Scores { y: w12.dot(a7).tanh(), logits: w13.dot(x4) - b14 + (w16 + w16).dot(b15) };
        push(out17);
    }

    #[vertex_function]
    pub fn gold_13(
        #[param(K, E)] w2: Tensor, #[param(E)] b5: Tensor, #[param(4 * E, E)] w6: Tensor,
        #[param(4 * E)] b7: Tensor, #[param(E)] b13: Tensor, #[param(4 * E)] b14: Tensor,
        #[dim(E)] de: Dim, #[param(H, H)] w19: Tensor, #[param(E, H + K)] w20: Tensor,
        #[param(H, K)] w21: Tensor, #[param(H, E)] w22: Tensor, #[param(H, E)] w23: Tensor,
        #[param(H, E)] w24: Tensor, #[param(H, E)] w25: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = (w2 + w2).dot(p1.target);
        let v4: Node = gather(0);
        let [x8, x9, x10, x11]: [Tensor; 4] = (w6.dot(b5 * b5) + b7).split();
        let n12 = 2.0_f64.sqrt() - 2.0;
        let [x15, x16, x17, x18] = (w6.dot(n12 / (0.5 + (b13.sigmoid() + 0.5).ln().sigmoid())) + b14).tanh().split::<4>();
        loss(cross_entropy(b5.exp() * zeros(de), p1.label));
        push(Out { y: w20.dot(summary(Node { h: (w19 * 0.75).dot(v4.h), c: v4.c })).tanh() });
        loss((((((w21.dot(x3) + w22.dot(p1.target)) * w23.dot(x8)).tanh() * w22.dot(x9) + (w22 + w24).dot(x10) + w22.dot(x11) + w25.dot(x15)).tanh() + (w22 * 0.5).dot(x16) + w22.dot(x17)) * w22.dot(x18)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_14(
        #[param(K, E)] w3: Tensor, #[param(K, H)] w6: Tensor, #[param(K)] b7: Tensor,
        #[param(K, K)] w8: Tensor, #[param(K, H + K)] w9: Tensor, #[param(E, H)] w10: Tensor,
        #[param(E, E)] w11: Tensor, #[dim(E)] de: Dim, #[param(H)] b12: Tensor,
        #[dim(H)] dh: Dim,
    ) {
        let v1: Node = gather(0);
        let p2: Gold = pull();
        let x4 = w3.tanh().dot(p2.target);
        let mut m5 = gate(w6, v1.h, b7);
        m5 *= w9.dot(summary(Node { h: v1.h, c: w8.dot(v1.c) })).dropout(0.1).tanh();
        m5 = m5.tanh();
        for k in 0..2 {
            loss(cross_entropy(w10.dot(v1.h).tanh(), p2.label) * (k as f64 + 0.25));
        }
        loss(mse(concat([b12, w11.dot(p2.target)]).slice(dh..dh + de) * w11.dot(p2.target), zeros(de).minimum(p2.target)));
        loss((x4 - m5).sum());
    }

    #[vertex_function]
    pub fn gold_15(
        #[param(E)] b4: Tensor, #[dim(K)] dk: Dim, #[param(E, K)] w8: Tensor,
        #[param(E, K)] w10: Tensor, #[param()] s11: Tensor, #[dim(H)] dh: Dim,
        #[param()] s12: Tensor, #[param(H, H)] w13: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { label, target } = pull();
        let x5 = target * b4;
        let x6 = {
            let x7 = c3.minimum(zeros(dk)) * c3;
            let x9 = (w8.dot(x7).sum() + x5.softmax()).tanh();
            x9.tanh()
        };
        loss(cross_entropy(w10.dot(c3) + x6, label));
        loss(s11.tanh() * (1.0 / (dh as f64).sqrt()) + s12);
        let out14 = Scores { y: target.relu(), logits: w13.dot(h2) / (0.5 + (zeros(dh) + h2).sigmoid()) };
        push(out14);
    }

    #[vertex_function]
    pub fn gold_16(
        #[param(E)] b1: Tensor, #[param(K, E)] w4: Tensor, #[param(K, E)] w5: Tensor,
        #[param(H, K)] w7: Tensor, #[dim(E)] de: Dim, #[param()] s10: Tensor,
        #[param(K)] b13: Tensor, #[param()] s14: Tensor, #[param(E, H)] w15: Tensor,
        #[param(E, K)] w16: Tensor, #[param(K, H)] w17: Tensor, #[param(K, H)] w18: Tensor,
        #[param(K)] mut b21: Tensor, #[param()] s23: Tensor, #[param(H)] b25: Tensor,
        #[param(H)] b26: Tensor, #[param(2 * E, H)] w27: Tensor, #[param(2 * E)] b28: Tensor,
        #[param(K, H)] w31: Tensor, #[param(K, E)] w32: Tensor, #[param(K)] b33: Tensor,
        #[param(E)] b34: Tensor, #[param(E)] b35: Tensor, #[param(E)] b36: Tensor,
        #[param(H, E)] w37: Tensor, #[param(E, H + K)] w38: Tensor,
    ) {
        let Gold { label, target } = pull();
        let x2 = target * b1;
        let x3 = {
            let x6 = 0.5 - w4.dot(target) - w5.dot(x2);
            w7.dot(x6).tanh()
        };
        let mut a8 = zeros(de);
        let mut t9 = s10;
        for Node { h, c } in gather_all() {
            let mut m12 = 1.5 / (b13.sigmoid() + 0.5);
            m12 -= c.maximum(c).sigmoid();
            m12 *= c.softmax() + c;
            m12 = m12.tanh();
            t9 += s14.tanh().tanh();
            a8 = a8.maximum(w15.dot(h) + w16.dot(m12));
        }
        let [x19, x20]: [Tensor; 2] = [(w17 + w18).dot(x3).sigmoid().exp(), w4.dot(a8).tanh()];
        let mut t22 = s23;
        for Node { c, h } in gather_all::<Node>() {
            let [x29, x30] = (w27.dot((b25 * b26).tanh()) + b28).split::<2>();
            t22 += (t9.tanh() * t9).tanh();
            b21 = b21 + (w31.tanh().dot(h) * c + w32.dot(x29) - (w4 * t9.tanh()).dot(x30)).tanh();
        }
        loss(cross_entropy((b21 + b33).tanh().exp(), label));
        loss(mse((0.5 + (b34.sigmoid() + 0.5).ln().sigmoid()).ln(), b1.maximum(b35)));
        let out39 = Scores { y: x2 / (0.5 + b36.sigmoid()), logits: w38.dot(summary(Node { h: w37.dot(x2), c: x19 })) };
        push(out39);
        loss((x20 - t22).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_17(
        #[param(E)] b2: Tensor, #[param(H)] b5: Tensor, #[param(E, H)] w6: Tensor,
        #[param(E)] b8: Tensor, #[dim(E)] de: Dim, #[param(K)] b10: Tensor, #[dim(H)] dh: Dim,
        #[param()] s13: Tensor, #[param(K, H)] w15: Tensor, #[param(H, K)] w16: Tensor,
        #[param(H, K)] w17: Tensor, #[param(E)] b18: Tensor, #[param(E, E)] w19: Tensor,
        #[param(H, K)] w21: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x3 = p1 * b2;
        let parts4 = [(w6.tanh().dot(b5).exp() - b2).tanh(), (0.5 / (0.5 + b2.sigmoid())).tanh(), p1];
        let mut a7 = b8;
        for k in 1..=2 {
            a7 -= (parts4[k] + scaled(x3, de)).tanh();
        }
        let mut a9 = b10.relu();
        let mut a11 = zeros(dh);
        let mut t12 = s13;
        for Node { h, c } in gather_all() {
            t12 += s13.tanh().tanh();
            a9 = w15.dot(h) * c + a9 - c.exp().tanh();
            a11 = a11.maximum((w16 + w17).dot(c).sigmoid().tanh());
        }
        loss(mse((a7 + t12).tanh() * b18, w19.dot(p1).exp()));
        loss(t12);
        let out20 = Scores { y: x3.log_softmax().tanh(), logits: t12 };
        push(out20);
        loss((w21.tanh().dot(a9) * a11).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_18(
        #[param(E)] b1: Tensor, #[param()] s6: Tensor, #[dim(E)] de: Dim,
        #[param(E, K)] w9: Tensor, #[param(2 * K, E)] w10: Tensor, #[param(H)] b13: Tensor,
        #[param(E, E)] w14: Tensor, #[param(K, E)] w16: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = target * b1;
        let v3 = gather::<Node>(0);
        let n7 = 1.5 / (1.0 + de as f64);
        let (x4, [x8], s5) = (((v3.h * s6).sigmoid() + 0.5).ln(), [w9.dot(v3.c).less(x2 + 0.6).select(w9.dot(v3.c), w9.dot(v3.c))], mse(n7 / (v3.h.sigmoid() + 0.5), v3.h).tanh());
        let [x11, x12] = w10.dot(b1.sigmoid()).split();
        for k in 0..2 {
            loss(s5 * (k as f64 + 0.25));
        }
        for k in 0..2 {
            loss((1.0 / de as f64 / (0.5 + (b13 - x4).sigmoid()) * x4).tanh().sum() * (k as f64 + 0.25));
        }
        let out15 = Scores { y: (1.0 / (de as f64).sqrt() / (0.5 + x2.sigmoid())).tanh(), logits: (target + 0.75).pick(w14.dot(target).argmax()) };
        push(out15);
        loss((w16.dot(x8) + x11 + x12).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_19(
        #[param(E)] b2: Tensor, #[param(H)] b4: Tensor, #[param(K, H)] w5: Tensor,
        #[dim(H)] dh: Dim, #[param(K)] b6: Tensor, #[param(K, H + 2 * K)] w7: Tensor,
        #[param(2 * E, K)] w8: Tensor, #[param(2 * E)] b9: Tensor, #[dim(E)] de: Dim,
        #[dim(K)] dk: Dim, #[param(E, E)] w16: Tensor, #[param(E)] b17: Tensor,
        #[param(E, H)] w18: Tensor, #[param(E, K)] w19: Tensor, #[param(E)] b21: Tensor,
        #[param(3 * E, E)] w22: Tensor, #[param(K, E)] w24: Tensor, #[param(K)] b25: Tensor,
        #[param(H, E)] w26: Tensor, #[param(H)] b27: Tensor, #[param(H, K)] w28: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x3 = p1 * b2;
        let [x10, x11] = (w8.dot(w7.dot(concat([w5.dot(b4), zeros(dh), b6]))) + b9).split::<2>();
        let mut a12 = zeros(de);
        let mut a13 = zeros(dk);
        for v14 in gather_all::<Node>() {
            let mut m15 = affine(w16, b2, b17);
            m15 += concat([x10, zeros(de)]).slice(de..de + de);
            m15 += scaled(0.75 - p1, de).tanh();
            m15 = m15.tanh();
            a12 += (w18.dot(v14.h) + w19.dot(v14.c) + m15).tanh();
            a12 -= w16.dot(x3).exp().tanh();
            a13 = a13.maximum((0.75 - v14.c).noise(0.5).tanh());
        }
        let parts20 = w22.dot(p1.less(x11 + 0.6).select(b21, p1).tanh()).split::<3>();
        let mut a23 = zeros(de);
        for k in 1..=2 {
            a23 += (parts20[k] + a12.noise(0.5).tanh()).tanh();
        }
        loss((-affine(w24, a23, b25).tanh()).sum());
        loss(mse((2.0 - w26.dot(p1)).maximum(zeros(dh)), b27.clamp(-0.5, 0.75)));
        push(Out { y: ((p1 * x10).sigmoid() + 0.5).ln() });
        loss(w28.dot(a13).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_20(
        #[param(E, E)] w2: Tensor, #[param(E, E)] w3: Tensor, #[param(K)] b8: Tensor,
        #[param(2 * E, K)] w9: Tensor, #[param(2 * E)] b10: Tensor, #[param(H)] b13: Tensor,
        #[dim(H)] dh: Dim, #[param()] s14: Tensor, #[param(H, H)] w15: Tensor,
        #[param(H, E)] w16: Tensor, #[param(H)] b17: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x4 = (w2 + w3).dot(p1);
        let Node { h: h6, c: c7 } = gather(0);
        let [x11, x12]: [Tensor; 2] = (w9.dot(c7.tanh() / (0.5 + (0.5 + b8.sigmoid()).ln().sigmoid())) + b10).split();
        loss(mse(-(h6 - b13), zeros(dh) * s14));
        let out18 = Scores { y: x4.relu().tanh(), logits: blend((w15.dot(h6) * h6).sum(), w16.dot(x11), b17) };
        push(out18);
        loss((p1 + x12).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_21(
        #[param(K, E)] w2: Tensor, #[param(E, K)] w4: Tensor, #[dim(E)] de: Dim,
        #[dim(K)] dk: Dim, #[dim(H)] dh: Dim, #[param(H, H)] w10: Tensor,
        #[param(H)] b12: Tensor, #[param(K, H)] w13: Tensor, #[param(K)] b14: Tensor,
        #[param(E, E)] w16: Tensor, #[param(H)] b20: Tensor, #[param(E, H)] w21: Tensor,
        #[param(H)] b25: Tensor, #[param(H)] b26: Tensor, #[param(E, H)] w27: Tensor,
        #[param(E, H)] w28: Tensor, #[param(K)] b29: Tensor, #[param(H, E)] w30: Tensor,
        #[param(K, K)] w32: Tensor, #[param(E, K)] w33: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let x5 = 1.0 / (de as f64).sqrt() - (w4.dot(x3).softmax() + 0.75);
        let mut a6 = zeros(dk);
        let mut a7 = zeros(dk);
        for v8 in gather_all::<Node>() {
            let parts9 = [concat([zeros(dh), -(w10 * 1.5).dot(v8.h)]).slice(0..dh), v8.h * v8.h, v8.h];
            let mut a11 = b12;
            for part in parts9 {
                a11 += (part * (v8.h * v8.h)).tanh();
            }
            a6 = a6.minimum((v8.c * w13.dot(a11)).tanh());
            a7 += x3.minimum(x3).sigmoid();
            a7 -= zeros(dk) * b14;
        }
        let n15 = 2.0_f64.sqrt() - 0.75;
        let [x17, x18] = [-(n15 - x5).tanh(), w16.dot(x5).tanh().exp()];
        let mut a19 = w21.dot(b20) - x18;
        let mut a22 = concat([x17.slice(1..de), x17.slice(0..1)]);
        for v23 in gather_all::<Node>() {
            let mut m24 = v23.h * b25;
            m24 -= scaled(v23.h.sigmoid(), dh);
            m24 /= 1.0 / (de as f64).sqrt();
            m24 = m24.tanh() + (v23.h - b26).minimum(v23.h);
            m24 = m24.tanh();
            a19 = a19.minimum(w4.dot(v23.c) + w27.dot(m24));
            a22 = a22 + w28.tanh().dot(m24).relu().tanh();
        }
        let x31: Tensor = mse(concat([w30.dot(a19).slice(1..dh), w30.dot(a19).slice(0..1)]).tanh(), b12) - (b29 / (0.5 + a7.sigmoid())).sigmoid();
        for k in 0..2 {
            loss(cross_entropy(w32.dot(a6).tanh().sigmoid(), label) * (k as f64 + 0.25));
        }
        let out34 = Scores { y: (w33.dot(x31) - a22).tanh(), logits: w10.dot(b12).sum().tanh() };
        push(out34);
    }

    #[vertex_function]
    pub fn gold_22(
        #[param(H, E)] w1: Tensor, #[param(H)] b6: Tensor, #[param(K)] b8: Tensor,
        #[param(K, H)] w9: Tensor, #[param(K)] b10: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b11: Tensor, #[param(K, K)] w12: Tensor, #[param(K, K)] w13: Tensor,
        #[param(K, E)] w14: Tensor, #[param(E)] b15: Tensor, #[dim(E)] de: Dim,
        #[param(K, H)] w16: Tensor, #[dim(H)] dh: Dim, #[param(E, H)] w18: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = w1.dot(target);
        let Node { h: h4, .. } = gather(0);
        let x5 = {
            let x7 = b6.softmax().exp();
            x7.tanh()
        };
        loss(mse((b8 * w9.dot(x5)).erf(), concat([b10.slice(1..dk), b10.slice(0..1)])));
        loss(((w12 + w13).dot(b11).relu().log_softmax() * w14.dot(target)).tanh().sum());
        let out17 = Scores { y: concat([b15.slice(1..de), b15.slice(0..1)]), logits: scaled(w16.dot(x2), dh).noise(0.25).tanh() };
        push(out17);
        loss((w18 * (1.0 / dh as f64)).dot(h4).sum());
    }

    #[vertex_function]
    pub fn gold_23(
        #[param(E, E)] w1: Tensor, #[param(K, E)] w5: Tensor, #[param(2 * K, K)] w6: Tensor,
        #[param(2 * K)] b7: Tensor, #[param()] s10: Tensor, #[param()] s11: Tensor,
        #[param(E)] b12: Tensor, #[param(E, H)] w13: Tensor, #[param(E, H)] w14: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = w1.dot(target);
        let Node { h: h4, .. } = gather(0);
        let [x8, x9]: [Tensor; 2] = (w6.dot(w5.dot(x2).log_softmax().tanh().exp()) + b7).split();
        loss(mse(blend(s10 + s11, b12.softmax(), x2), x2 - (w13 + w14).dot(h4)));
        loss((x8 + x9).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_24(
        #[param(E)] b4: Tensor, #[param(H, K)] w6: Tensor, #[param(H, K)] w7: Tensor,
        #[param(2 * E, H)] w8: Tensor, #[param(2 * E)] b9: Tensor, #[param(E, K)] w12: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { label, target } = pull();
        let x5 = target * b4;
        let (x10, x11) = halves((w8.dot((w6 + w7).dot(c3) - h2 - h2) + b9).tanh());
        loss(cross_entropy((b4 + target) / (w12.dot(c3).sigmoid() + 0.5), label));
        loss((x5 + x10 - x11).sum());
    }

    #[vertex_function]
    pub fn gold_25(
        #[param(E)] b5: Tensor, #[param(E)] b8: Tensor, #[param(E, K)] w9: Tensor,
        #[dim(H)] dh: Dim, #[param(K)] b12: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { target: p4, label } = pull::<Gold>();
        let x6 = p4 * b5;
        let n7 = 2.0_f64.sqrt() - 1.5;
        let [x10, x11] = [(n7 / (b8.sigmoid() + 0.5)).sigmoid(), w9.dot(c3)];
        loss(cross_entropy(concat([h2, b12.log_softmax()]).slice(0..dh), label));
        loss(((c3.tanh() + c3) * b12).sum());
        loss((x6 * p4 * x10 * x11).sum());
    }

    #[vertex_function]
    pub fn gold_26(
        #[param(E, E)] w1: Tensor, #[param(2 * E, K)] w4: Tensor, #[param(H)] b7: Tensor,
        #[param(E, K)] w8: Tensor, #[dim(E)] de: Dim, #[dim(K)] dk: Dim, #[param(K)] b10: Tensor,
        #[param(H, E)] w12: Tensor, #[param(H, E)] w13: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = (w1 * 0.75).dot(target);
        let v3: Node = gather(0);
        let [x5, x6] = w4.dot(v3.c.log_softmax().tanh()).split::<2>();
        loss(b7.less(v3.h + 0.35).select(v3.h, b7).sigmoid().sum());
        loss((w8.tanh().dot(v3.c) + zeros(de)).log_softmax().tanh().sum());
        let n9 = 2.0 / (1.0 + de as f64);
        let out11 = Scores { y: (target.sigmoid() + 0.5).ln(), logits: ((n9 + zeros(dk)) * b10).sum() };
        push(out11);
        loss(((w12.dot(x2) * w12.dot(x5)).tanh() * w13.dot(x6)).sum());
    }

    #[vertex_function]
    pub fn gold_27(
        #[param(E)] b3: Tensor, #[param(K)] b7: Tensor, #[param(K, K)] w8: Tensor,
        #[dim(K)] dk: Dim, #[param(E, K)] w10: Tensor, #[param(E, H)] w11: Tensor,
        #[param(H, E)] w12: Tensor, #[dim(E)] de: Dim, #[param(H, H + E)] w13: Tensor,
        #[param(H, E)] w15: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Gold { label, target } = pull();
        let x4 = target * b3;
        let x5 = {
            let x6: Tensor = (b3.sigmoid() + 0.5).ln().square();
            let x9 = 1.0 / (dk as f64).sqrt() * scaled(w8.tanh().dot(b7), dk);
            (x6 * (w10 * (1.0 / dk as f64)).dot(x9)).tanh().tanh()
        };
        loss(cross_entropy(w12.dot(w11.dot(h2).tanh()), label));
        let out14 = Scores { y: (1.0 / (de as f64).sqrt() / (0.5 + target.sigmoid())).tanh(), logits: w13.dot(concat([h2, b3])) };
        push(out14);
        loss((w12.dot(x4) - w15.tanh().dot(x5)).sum());
    }

    #[vertex_function]
    pub fn gold_28(
        #[param(E)] b2: Tensor, #[param(H, K)] w6: Tensor, #[param(K, H)] w7: Tensor,
        #[param(H, H + K + E)] w8: Tensor, #[param(K, H)] w10: Tensor,
        #[param(E, K)] w12: Tensor, #[param(K)] b14: Tensor, #[param(K)] b15: Tensor,
        #[param(K)] b17: Tensor, #[dim(K)] dk: Dim, #[param(K, E)] w19: Tensor,
        #[param(K, E)] w20: Tensor, #[param(K)] b21: Tensor, #[param(H, H)] w22: Tensor,
        #[param(H)] b23: Tensor, #[param(H)] b24: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = p1.target * b2;
        let v4 = gather::<Node>(0);
        let x5 = {
            let x9 = w8.dot(concat([x3, w6.dot(v4.c), w7.dot(v4.h)]));
            let x11 = w10.dot(x9).tanh();
            w12.dot(x11).tanh()
        };
        let parts13 = [(0.75 * b14).softmax(), v4.c.greater(v4.c + 0.1).select(b15, v4.c), v4.c];
        let mut a16 = b17;
        let x18 = concat(parts13);
        for k in 0..2 {
            a16 = a16.tanh() + (x18.slice(k * dk..(k + 1) * dk) - w19.dot(p1.target).tanh()).tanh();
        }
        loss(cross_entropy((w20.dot(x5).minimum(a16) / (0.5 + blend(v4.c - b14, v4.c, b21).sigmoid())).tanh(), p1.label));
        for k in 0..2 {
            loss(mse(affine(w22, v4.h, b23).log_softmax().tanh(), b24.tanh()) * (k as f64 + 0.25));
        }
    }

    #[vertex_function]
    pub fn gold_29(
        #[param(E)] b3: Tensor, #[param()] s5: Tensor, #[param(2 * E, E)] w6: Tensor,
        #[param(K)] mut b9: Tensor, #[param(K, H)] w10: Tensor, #[param(E, K)] w11: Tensor,
        #[param(H, H)] w12: Tensor, #[dim(K)] dk: Dim, #[param(H, E)] w13: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let Gold { target: p2, label } = pull::<Gold>();
        let x4 = p2 * b3;
        let (x7, x8) = halves(w6.dot((s5 + x4) * p2));
        b9 = ((w11.dot(v1.c) * x7).tanh().sum() - weighted([v1.c, v1.c, w10.dot(v1.h)])).tanh() - b9;
        b9 = (w12.mean() - (v1.c + v1.c)).tanh() - b9;
        b9 = (-zeros(dk)).sigmoid() - b9;
        b9 = b9.tanh();
        for k in 0..2 {
            loss(cross_entropy(w13.dot(x8).tanh().softplus().tanh(), label) * (k as f64 + 0.25));
        }
        loss(b9.sum());
    }

    #[vertex_function]
    pub fn gold_30(
        #[param(H, E)] w1: Tensor, #[param(H)] b6: Tensor, #[param(3 * H, H)] w7: Tensor,
        #[param(3 * H)] b8: Tensor, #[dim(H)] dh: Dim, #[param(H)] b10: Tensor,
        #[param(K, E)] w11: Tensor, #[param(H)] b12: Tensor, #[param(E, E)] w13: Tensor,
        #[param(K, H)] w14: Tensor,
    ) {
        let Gold { label, target } = pull();
        let x2 = w1.dot(target);
        let Node { h: h4, .. } = gather(0);
        let parts5 = (w7.dot(x2.sigmoid() * b6) + b8).split::<3>();
        let mut a9 = zeros(dh);
        for k in 1..=2 {
            a9 -= (parts5[k] - b10).tanh();
        }
        for k in 0..2 {
            loss(cross_entropy(w11.dot(target).tanh(), label) * (k as f64 + 0.25));
        }
        loss(((b6 * b12).sigmoid() + 0.5).ln().sum());
        push(Out { y: (1.0 / (dh as f64).sqrt() * noisy(w13.dot(target), 0.5)).tanh() });
        loss((w14.dot(h4) - w14.tanh().dot(a9)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_31(
        #[param(E, E)] w2: Tensor, #[param(E, E)] w8: Tensor, #[param()] s9: Tensor,
        #[param(E, H)] w10: Tensor, #[param(E)] b11: Tensor, #[param(K)] b13: Tensor,
        #[param(K, K)] w14: Tensor, #[param(K)] b15: Tensor, #[param(K, H)] w16: Tensor,
        #[param(K)] b17: Tensor, #[dim(K)] dk: Dim, #[param(H, K)] w18: Tensor,
        #[dim(E)] de: Dim, #[param(E, E)] w20: Tensor, #[param(E, E)] w21: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let Node { h: h5, .. } = gather(0);
        let (x6, [x12], s7) = (((w8 + w2).dot(p1) * s9).maximum(x3), [w14.tanh().dot(b13).less(b15 + 0.1).select(w16.dot(h5), w14.tanh().dot(b13))], indicator(affine(w10, h5, b11).argmax() == label));
        loss(mse(concat([b17, noisy(w18.tanh().dot(x12), 0.25)]).slice(0..dk), x12.less(x12 + 0.6).select(x12, x12)));
        let n19 = 0.75 / (1.0 + de as f64);
        loss(mse(n19 * x6 - b11.pick(x3.sample()), x6.tanh()));
        let out22 = Scores { y: (w20 + w21).dot(p1).variational_dropout(0.5).tanh(), logits: s7 };
        push(out22);
    }

    #[vertex_function]
    pub fn gold_32(
        #[param(E)] b2: Tensor, #[param(K)] b4: Tensor, #[param(H, K)] w5: Tensor,
        #[param(K)] b6: Tensor, #[param(K, K)] w7: Tensor, #[param(K, H + K)] w8: Tensor,
        #[param(2 * K, K)] w9: Tensor, #[dim(E)] de: Dim, #[dim(K)] dk: Dim,
        #[param(E, H)] w14: Tensor, #[param(E, K)] w15: Tensor, #[param(H, K)] w16: Tensor,
        #[param()] s17: Tensor, #[param(E)] b18: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = p1.target * b2;
        let (x10, x11) = halves(w9.dot(w8.dot(summary(Node { h: w5.dot(b4), c: w7.dot(b6) }))));
        let mut a12 = zeros(de);
        for v13 in gather_all::<Node>() {
            let x11 = x11.tanh() + concat([x10, v13.c]).slice(0..dk);
            a12 = a12.maximum((w14.dot(v13.h) - (w15 * 2.0).dot(x11)).tanh());
        }
        loss(cross_entropy(affine(w14, s17 + w16.dot(x10), b18).tanh(), p1.label));
        loss((x3 + p1.target + a12).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_33(
        #[param(E, E)] w2: Tensor, #[param(E)] b7: Tensor, #[dim(E)] de: Dim,
        #[param(3 * H, H)] w9: Tensor, #[param(3 * H)] b10: Tensor, #[dim(H)] dh: Dim,
        #[param(H, H)] w12: Tensor, #[param(K, E)] w13: Tensor, #[param(K, H + K)] w14: Tensor,
        #[param(H)] b15: Tensor, #[param()] s16: Tensor, #[param(K)] b17: Tensor,
        #[param(E, K)] w18: Tensor, #[param(K)] b19: Tensor, #[param(E, K)] w20: Tensor,
    ) {
        let p1: Gold = pull();
        let x3: Tensor = w2.dot(p1.target);
        let Node { h: h5, .. } = gather(0);
        let mut m6 = h5.dropout(0.1);
        m6 = m6.tanh() + (h5.softmax() + b7.pick(zeros(de).argmax()));
        m6 *= (2.0 / ((h5 + h5).sigmoid() + 0.5)).tanh();
        m6 = m6.tanh();
        let parts8 = (w9.dot(m6.relu() + m6) + b10).split::<3>();
        let mut a11 = zeros(dh);
        for k in 0..3 {
            a11 = a11.tanh() + (parts8[k] + -h5).tanh();
        }
        loss(cross_entropy(w14.dot(summary(Node { h: w12.tanh().dot(a11), c: w13.tanh().dot(x3) })).tanh().softmax(), p1.label));
        for k in 0..2 {
            loss(((b15 + s16) * (1.0 / dh as f64)).sum().tanh() * (k as f64 + 0.25));
        }
        push(Out { y: (w18.dot(b17) - w20.dot(b19)).minimum(b7) });
    }

    #[vertex_function]
    pub fn gold_34(
        #[param(E, E)] w1: Tensor, #[param(H)] b3: Tensor, #[param(H, H)] w4: Tensor,
        #[param(3 * H, H)] w5: Tensor, #[param(3 * H)] b6: Tensor, #[dim(H)] dh: Dim,
        #[dim(E)] de: Dim, #[param(H, E)] w15: Tensor, #[param(K, K)] w16: Tensor,
        #[dim(K)] dk: Dim, #[param(K, H)] w18: Tensor, #[param(H, K)] w19: Tensor,
        #[param(H)] b20: Tensor, #[param(H)] b21: Tensor, #[param(E, H)] w22: Tensor,
        #[param(K)] b25: Tensor, #[param(H, K)] w26: Tensor, #[param(E)] b29: Tensor,
        #[param(E, 3 * E)] w30: Tensor,
    ) {
        let Gold { label, target } = pull();
        let x2 = w1.dot(target);
        let [x7, x8, x9] = (w5.dot(w4.dot(b3).sigmoid()) + b6).split::<3>();
        let mut a10 = zeros(dh);
        let mut a11 = zeros(de);
        let mut n12 = 1.0;
        for v13 in gather_all::<Node>() {
            let x14 = {
                let x8 = x8.tanh() + v13.h.maximum(w15.dot(x2));
                let x17 = (2.0 / ((w16 * (1.0 / dk as f64)).dot(v13.c).sigmoid() + 0.5)).dropout(0.25).tanh();
                (w18.dot(x8) - x17).tanh()
            };
            a10 += w19.dot(x14);
            a10 -= blend(b3.max(), b20, x7).tanh();
            a11 = a11.maximum(w22.dot(b21.sigmoid()));
            n12 += 1.0;
        }
        let x23 = a10 / n12;
        let mut m24 = 2.0 / (a10.sigmoid() + 0.5);
        m24 /= 1.5;
        m24 -= (2.0 / (w26.dot(b25).tanh().sigmoid() + 0.5)).tanh();
        m24 /= 0.5;
        m24 = m24.tanh();
        let n27 = 2.0_f64.sqrt() - 1.5;
        loss(cross_entropy((n27 - x9 + b3).tanh(), label));
        let n28 = 2.0_f64.sqrt() - 0.5;
        loss(w4.dot(m24).dropout(0.5).pick(x8.sample()) - n28);
        push(Out { y: w30.dot(concat([b29, a11, x2])).tanh() });
        loss(x23.tanh().sum());
    }

    #[vertex_function]
    pub fn gold_35(
        #[param(H, E)] w1: Tensor, #[param(H)] b7: Tensor, #[dim(E)] de: Dim,
        #[param(E, H)] w8: Tensor, #[param(E, E)] w10: Tensor, #[param(E, H)] w11: Tensor,
        #[param(E, K)] w12: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = w1.dot(target);
        let Node { h: h4, c: c5 } = gather(0);
        let x6 = {
            let x2 = x2.tanh() + (b7 - 1.0 / (de as f64).sqrt());
            w8.dot(x2).tanh()
        };
        let mut m9 = c5.log_softmax();
        m9 *= (c5 + c5 - c5).tanh();
        m9 = m9.tanh();
        loss(w10.min());
        loss(mse(x6.tanh().softmax(), w11.dot(h4).tanh()));
        loss((target - w12.dot(m9)).sum());
    }
}

/// The functions of a kind, each as what enters it into a model.
pub fn functions<T: Element>(kind: PortKind) -> Vec<Enter<T>> {
    match kind {
        PortKind::Leaf => vec![
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
        PortKind::One => vec![
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
        PortKind::Pair => vec![
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
        PortKind::Several => vec![
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
        PortKind::All => vec![
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
        PortKind::Mixed => vec![
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
        PortKind::Gold => vec![
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
