//! Vertex functions that no one wrote: `EDB_BLESS=1 cargo test --test suite generated` writes them
//! anew.

// Accumulators and conditions are written in all the ways that the language has.
#![allow(clippy::assign_op_pattern, clippy::nonminimal_bool, clippy::neg_cmp_op_on_partial_ord)]
// Arms are alike by chance, and may overwrite a variable that they do not read; so are conditions.
#![allow(clippy::if_same_then_else, unused_assignments)]
#![allow(clippy::overly_complex_bool_expr, clippy::double_comparisons)]
#![allow(clippy::manual_range_contains, clippy::impossible_comparisons)]

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
        #[param(E)] b2: Tensor, #[param(V, H)] table4: Tensor, #[param()] s8: Tensor,
        #[param()] s9: Tensor, #[param(H)] b17: Tensor, #[dim(H)] dh: Dim,
        #[param(V, H)] table18: Tensor, #[param(E)] b23: Tensor, #[param(K)] b24: Tensor,
        #[param(E, K)] w25: Tensor, #[param()] s26: Tensor, #[param()] s27: Tensor,
        #[param(H, E)] w29: Tensor, #[param(H, E)] w30: Tensor, #[param(K, E)] w31: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = p1.x * b2;
        let x5 = table4.row(p1.id);
        let x6 = (0.75 / (x3.variational_dropout(0.1).sigmoid() + 0.5)).tanh();
        let x7 = (x6.sigmoid() + 0.5).ln().gelu();
        let s10 = s8 - s9;
        let s11 = s10;
        let x12 = if 0.1 <= x6.sum() {
            let x13 = if 0.1 >= x7.sum() {
                let x14 = if 0.2 >= x6.sum() {
                    x7.relu().minimum(x6).tanh()
                } else {
                    x7.softmax() + 0.5 * x6.tanh()
                };
                (x14 + (x6 - x7.max()).exp().tanh()).tanh()
            } else {
                let x15 = if !(x6.max() >= s11 || s10 <= 0.2) {
                    (x6.square() + 0.5).ln().tanh()
                } else {
                    (x6.sum() + s10).tanh() * x7.sigmoid()
                };
                (x15 + x6.relu().minimum(x7).tanh()).tanh()
            };
            (x13 + x6.tanh()).tanh()
        } else {
            (x6.sum() + s11).tanh() * x7.sigmoid()
        };
        let x16 = blend(s11, x5 + x5, x5);
        let x19 = (1.5 / (0.5 + b17.sigmoid()) / (0.5 + x16.greater(zeros(dh) + 0.1).select(table18.row(p1.id), x16).sigmoid())).tanh();
        let s20 = s10;
        let s21 = s20;
        let x22 = if x16.max() >= s20 || s21 <= 0.1 {
            (x19 - x16.max()).exp().tanh()
        } else {
            x19.relu().minimum(x16).tanh()
        };
        let out28 = Scores { y: b23 - (w25 * s21).dot(b24), logits: s26.tanh() * s27 };
        push(out28);
        let state = Node { c: (w31.dot(x7).sigmoid() + 0.5).ln().tanh(), h: ((w29.tanh().dot(p1.x) + w30.dot(x7) + w29.dot(x12)).tanh() - x19 - x22).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn leaf_1(
        #[param(E)] b2: Tensor, #[param(K)] b4: Tensor, #[param()] s5: Tensor, #[dim(K)] dk: Dim,
        #[param(H, K)] w9: Tensor, #[param(H)] b10: Tensor, #[param(H)] b13: Tensor,
        #[dim(H)] dh: Dim, #[param(H)] b14: Tensor, #[param(H, H)] w15: Tensor,
        #[param(H)] b16: Tensor, #[param(H, E)] w17: Tensor, #[param(H)] b18: Tensor,
        #[param(H, H)] w19: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = p1 * b2;
        let x6 = (s5 * b4).sigmoid();
        let x7 = concat([x6, x6.erf()]).slice(0..dk);
        let s8 = (x7 * x6).sum();
        let s11 = (w9.tanh().dot(x6) * b10).sum();
        let x12 = if s8 >= 0.1 {
            (x6 * x7).sigmoid()
        } else {
            x7.relu().minimum(x6).tanh()
        };
        loss(cross_entropy(concat([b13, w15.dot(b14)]).slice(0..dh).less(b16 + 0.6).select(w17.dot(p1), concat([b13, w15.dot(b14)]).slice(0..dh)), label));
        loss(cross_entropy((w17 * 1.5).dot(x3).relu().maximum(w9.dot(x12)).tanh(), label));
        scatter(Node { h: w9.dot(x12).greater(w19.dot(b18) + 0.1).select(zeros(dh), w9.dot(x12)).tanh(), c: (x7.sigmoid() * s8 * s11).tanh() });
    }

    #[vertex_function]
    pub fn leaf_2(
        #[param(H, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(K)] b7: Tensor,
        #[param()] s8: Tensor, #[param(K, E)] w9: Tensor, #[param(V, K)] table10: Tensor,
        #[param(K)] b12: Tensor, #[param(K)] b13: Tensor, #[param(K, K)] w14: Tensor,
        #[param(K, K)] w16: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = (w2 + w2).dot(p1);
        let x5 = table4.row(id);
        let parts6 = [-(b7 + s8), w9.dot(x5).sigmoid(), table10.row(id)];
        let mut a11 = b12;
        for k in 0..3 {
            a11 += (parts6[k] * w14.dot(b13).relu()).tanh() * (k as f64);
        }
        let out15 = Scores { y: s8 - x5, logits: a11.tanh().exp() };
        push(out15);
        let (h, c) = (x3.tanh(), w16.dot(a11).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn leaf_3(
        #[param(E, E)] w1: Tensor, #[param(V, E)] table3: Tensor, #[param(H)] b5: Tensor,
        #[param(E, H)] w6: Tensor, #[param(K)] b7: Tensor, #[param(E, K)] w8: Tensor,
        #[param(H, E)] w10: Tensor, #[param(H, E)] w11: Tensor, #[param(H, E)] w12: Tensor,
        #[param(K)] b13: Tensor, #[param(E)] b14: Tensor, #[param(K, K)] w15: Tensor,
        #[param(K)] b16: Tensor, #[param(K, K)] w17: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = w1.dot(x);
        let x4: Tensor = table3.row(id);
        let s9 = (w6.dot(b5).tanh() * w8.dot(b7)).sum().tanh();
        let state: Node = Node { h: ((w10.dot(x2) + w11.dot(x)) * w12.tanh().dot(x4) + s9).tanh(), c: b13.exp().tanh() };
        scatter(state);
        push(Out { y: indicator(w15.dot(b7).argmax() != w17.dot(b16).sample()) * (x4 + b14) });
    }

    #[vertex_function]
    pub fn leaf_4(
        #[param(H, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(H, K)] w6: Tensor,
        #[param(H)] b8: Tensor, #[param()] s10: Tensor, #[param(E, K)] w19: Tensor,
        #[dim(E)] de: Dim, #[param(3 * K, E)] w20: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w22: Tensor, #[param(K, H)] w23: Tensor, #[dim(H)] dh: Dim,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3: Tensor = w2.dot(p1);
        let x5 = table4.row(id);
        let x7 = (x3 - w6.dot(x5)).dropout(0.5).tanh();
        let x9 = b8 / (x7.sigmoid() + 0.5) * b8;
        let s11 = s10.sigmoid();
        let s12 = s11;
        let mut m13 = x9;
        let x14 = if 0.2 >= x7.sum() && 0.1 < x9.sum() {
            m13 -= (x7.square() + 0.5).ln().tanh();
            x9.relu().minimum(x7).tanh()
        } else {
            m13 *= x9.softmax() + 0.5 * x7.tanh();
            let x15 = if 0.2 >= x9.sum() {
                let x16 = if s12 <= 0.2 {
                    (x7 - x9.max()).exp().tanh()
                } else {
                    m13 -= (x9 - x7.max()).exp().tanh();
                    x7.softmax() + 0.5 * x9.tanh()
                };
                (x16 + (x7.square() + 0.5).ln().tanh()).tanh()
            } else {
                m13 += (x9 / (x7.norm() + 0.5)).tanh();
                let x17 = if -0.35 >= x9.sum() {
                    m13 = (x9.square() + 0.5).ln().tanh();
                    (x9 - x7).tanh() * s12.tanh()
                } else {
                    (x7.square() + 0.5).ln().tanh()
                };
                (x17 + (x7 - x9).tanh() * s11.tanh()).tanh()
            };
            (x15 + x9.tanh()).tanh()
        };
        m13 = m13.tanh();
        let parts18 = w20.dot((w19 * s12).dot(x5).dropout(0.1) / (zeros(de).greater_equal(p1 + 0.6).select(p1, zeros(de)).sigmoid() + 0.5)).split::<3>();
        let mut a21 = zeros(dk);
        for part in parts18 {
            a21 = a21.tanh() + (part * (-x5)).tanh();
        }
        scatter(Node { c: (w22.dot(x9) * w23.dot(x14) + w22.dot(m13) + a21).tanh(), h: -zeros(dh) });
        push(Out { y: (p1.sigmoid() + 0.5).ln().log_softmax().tanh() });
    }

    #[vertex_function]
    pub fn leaf_5(
        #[param(E)] b2: Tensor, #[param(E)] b5: Tensor, #[param(H)] b6: Tensor,
        #[param(H, H)] w7: Tensor, #[param(E)] b8: Tensor, #[param(E, H + 2 * E)] w9: Tensor,
        #[param(E, H)] w10: Tensor, #[dim(E)] de: Dim, #[param(E)] b11: Tensor,
        #[param(H)] b12: Tensor, #[param(K, H)] w13: Tensor, #[param(K)] b14: Tensor,
        #[param(K, K)] w15: Tensor, #[param(K)] b16: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w17: Tensor, #[param(K)] b18: Tensor, #[param(H, K)] w19: Tensor,
        #[param(H, E)] w20: Tensor, #[param(E)] b22: Tensor,
    ) {
        let p1: Signal = pull();
        let x3 = p1.x * b2;
        let mut m4 = p1.x.maximum(x3);
        m4 *= (0.75 / (0.5 + b5.sigmoid())).tanh();
        m4 += b2.sigmoid().exp().tanh();
        m4 *= w9.dot(concat([w7.dot(b6), b8, x3]));
        m4 = m4.tanh();
        loss(cross_entropy(w10.dot(b6).minimum(m4), p1.label));
        loss(cross_entropy(concat([x3.minimum(b11), zeros(de)]).slice(de..de + de), p1.label));
        let n21 = 0.75 / (1.0 + dk as f64);
        let state = Node { c: (blend(w13.dot(b12) * w15.dot(b14), b16, zeros(dk)) - w17.dot(b6)).tanh(), h: w19.dot(b18).minimum((w20 * n21).dot(p1.x)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: -(b22 * p1.x) });
    }

    #[vertex_function]
    pub fn leaf_6(
        #[param(E, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(H)] b7: Tensor,
        #[param(H, H)] w8: Tensor, #[dim(E)] de: Dim, #[param(K)] b10: Tensor,
        #[param(H, K)] w11: Tensor, #[param(V, H)] table12: Tensor, #[param()] s13: Tensor,
        #[param(K, E)] w14: Tensor, #[param(H, H + K)] w15: Tensor, #[param(H)] b16: Tensor,
        #[dim(H)] dh: Dim, #[param(K)] b18: Tensor, #[param(H, K)] w19: Tensor,
        #[param(K, E)] w20: Tensor, #[param(4 * K, K)] w21: Tensor, #[param(4 * K)] b22: Tensor,
        #[param(K, E)] w27: Tensor, #[param(K, H)] w28: Tensor, #[dim(K)] dk: Dim,
        #[param(H, E)] w30: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let n9 = 1.5 / (1.0 + de as f64);
        let parts6 = [blend(n9 * w8.dot(b7), w11.dot(b10), table12.row(p1.id)) * s13.tanh(), w15.dot(summary(Node { h: w8.dot(b7), c: w14.tanh().dot(x3) })).tanh(), b16];
        let mut a17 = zeros(dh);
        for part in parts6 {
            a17 -= (part + w11.tanh().dot(b10).greater_equal(table12.row(p1.id) + 0.1).select(w19.dot(b18), w11.tanh().dot(b10))).tanh();
        }
        let [x23, x24, x25, x26]: [Tensor; 4] = (w21.dot((w20 + w14).dot(p1.x).log_softmax().tanh().tanh()) + b22).split();
        let n29 = 0.75 / (1.0 + dk as f64);
        scatter(Node { h: w30.dot(x5).log_softmax().tanh(), c: ((((w27.dot(x5) + (w28 * n29).dot(a17)).tanh() + x23) * x24 * x25).tanh() + x26).tanh() });
        push(Out { y: (0.5 + (x3 - zeros(de)).sigmoid()).ln() });
    }

    #[vertex_function]
    pub fn leaf_7(
        #[param(E)] b2: Tensor, #[param(K)] b4: Tensor, #[param(H, K)] w5: Tensor,
        #[dim(K)] dk: Dim, #[param(E, E)] w7: Tensor, #[dim(H)] dh: Dim, #[param()] s9: Tensor,
        #[param(K, H)] w10: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = p1 * b2;
        let x6 = 1.5 - w5.dot(b4).softmax();
        loss(cross_entropy(0.75 + zeros(dk).tanh(), label));
        loss((-b2).pick(w7.dot(p1).sample()));
        let n8 = 1.5 / (1.0 + dh as f64);
        push(Out { y: (x3.log_softmax() + n8).tanh() });
        let n11 = 2.0_f64.sqrt() - 0.75;
        let (h, c) = ((x6 + s9).tanh(), (n11 - 1.0 / dk as f64 / (w10.dot(x6).sigmoid() + 0.5)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn leaf_8(
        #[param(K, E)] w2: Tensor, #[param(E)] b4: Tensor, #[param(E, E)] w5: Tensor,
        #[param()] s7: Tensor, #[param()] s9: Tensor, #[param(H)] b18: Tensor,
        #[param(E, H)] w19: Tensor, #[param(H, E)] w20: Tensor, #[param(K)] b21: Tensor,
        #[param()] s22: Tensor, #[param(H, K)] w24: Tensor, #[param(K, H)] w25: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = (w2 * 2.0).dot(p1);
        let x6 = ((w5.dot(b4).sigmoid() + 0.5).ln() * 2.0).tanh();
        let x8 = (x6 - s7).sigmoid();
        let s10 = s9.tanh();
        let s11 = s10;
        let x12 = if s10 > 0.2 {
            (x6 * x8).sigmoid()
        } else {
            let x13 = if 0.1 >= x8.sum() {
                let x14 = if s10 <= -0.35 {
                    (x6 - x8.max()).exp().tanh()
                } else {
                    (x6.square() + 0.5).ln().tanh()
                };
                (x14 + (x6 * x8).sigmoid()).tanh()
            } else {
                let x15 = if !(0.1 <= x8.sum() || s10 > 0.1) {
                    x6.softmax() + 0.5 * x8.tanh()
                } else if 0.2 <= x6.sum() && 0.1 <= x8.sum() {
                    x8.softmax() + 0.5 * x6.tanh()
                } else {
                    (x8 / (x6.norm() + 0.5)).tanh()
                };
                (x15 + (x6 - x8.max()).exp().tanh()).tanh()
            };
            (x13 + x8.tanh()).tanh()
        };
        let (x16, [x23], s17) = (w20.dot(w19.dot(b18)), [x3.sigmoid()], (b21 * b21).sum() * s22);
        loss(cross_entropy(-crate::generated::cells::gate(w24, x23, b18), label));
        loss(cross_entropy(x16.maximum(x16) * x16, label));
        push(Out { y: (x12.sigmoid() + 2.0).tanh() });
        scatter(Node { c: (x23 - 2.0 - b21).tanh(), h: affine(w24, w25.dot(x16), b18).tanh() });
        loss((x8 + s11 - s17).sum());
    }

    #[vertex_function]
    pub fn leaf_9(
        #[param(E)] b2: Tensor, #[param(H)] b5: Tensor, #[param(H, H)] w6: Tensor,
        #[param(K)] b7: Tensor, #[param(E, K)] w8: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b9: Tensor, #[param(H, H)] w10: Tensor, #[param(H, E)] w12: Tensor,
        #[param()] s14: Tensor, #[param(3 * H, E)] w15: Tensor, #[param(3 * H)] b16: Tensor,
        #[param(H)] b18: Tensor, #[dim(E)] de: Dim, #[param(K, H)] w19: Tensor,
    ) {
        let p1 = pull::<Word>().x;
        let x3 = p1 * b2;
        let parts4 = [((w6.dot(b5) + 2.0) * w8.tanh().dot(b7).sum()).tanh(), zeros(dh).softmax(), w10.dot(b9)];
        let mut a11 = b5;
        for k in 1..=2 {
            a11 = a11.tanh() + (parts4[k] - w12.tanh().dot(p1).dropout(0.5).tanh()).tanh();
        }
        let parts13 = (w15.dot((x3 - s14).less(x3 + 0.35).select(b2, x3 - s14)) + b16).split::<3>();
        let mut a17 = b18;
        for k in 1..=2 {
            a17 += (parts13[k] * (1.0 / (de as f64).sqrt() * a11).tanh()).tanh() * (k as f64);
        }
        scatter(Node { h: w6.dot(a17).tanh().gelu_tanh().tanh(), c: w19.tanh().dot(a17).tanh() });
    }

    #[vertex_function]
    pub fn leaf_10(
        #[param(E)] b2: Tensor, #[param(V, K)] table4: Tensor, #[param(K, H)] w7: Tensor,
        #[param(H)] b8: Tensor, #[param(H, H)] w9: Tensor, #[param(K)] b10: Tensor,
        #[param(K)] b11: Tensor, #[param(H)] b13: Tensor, #[param(H, H)] w14: Tensor,
        #[param()] s15: Tensor, #[param(V, H)] table16: Tensor, #[param(H, E)] w18: Tensor,
        #[param(H)] b19: Tensor, #[dim(H)] dh: Dim, #[param(H)] b20: Tensor,
        #[param(H, H)] w21: Tensor, #[param(K, E)] w22: Tensor, #[param(K, E)] w23: Tensor,
        #[param(H)] b24: Tensor, #[param(H, H)] w25: Tensor, #[dim(E)] de: Dim,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = p1 * b2;
        let x5 = table4.row(id);
        let x6 = {
            let x12 = gate(w7, w9.dot(b8), b10) - b11;
            let x17 = s15 * w14.dot(b13) + table16.row(id);
            (x12 - w7.dot(x17)).tanh()
        };
        loss(noisy(crate::generated::cells::gate(w18, p1, b19), 0.5).pick(zeros(dh).sample()));
        loss((2.0 / (w21.dot(b20).sigmoid() + 0.5)).max().tanh());
        scatter(Node { h: concat([x3, w25.dot(b24)]).slice(de..de + dh), c: ((w22 + w23).dot(x3) + x5 - x6).tanh() });
    }

    #[vertex_function]
    pub fn leaf_11(
        #[param(E)] b2: Tensor, #[dim(K)] dk: Dim, #[param(K)] b4: Tensor,
        #[param(H)] b5: Tensor, #[param(K, H)] w6: Tensor, #[param(E)] b9: Tensor,
        #[param(E)] b11: Tensor, #[param()] s13: Tensor, #[param(H, K)] w15: Tensor,
        #[param(H, E)] w16: Tensor, #[param(E, E)] w19: Tensor, #[param(H, H)] w20: Tensor,
        #[param(H)] b21: Tensor, #[param(E, H)] w22: Tensor, #[param(H, H)] w23: Tensor,
        #[param(K)] b24: Tensor, #[dim(H)] dh: Dim, #[param(K)] b25: Tensor,
        #[param(E, K)] w26: Tensor, #[param(E, K)] w27: Tensor,
    ) {
        let p1: Signal = pull();
        let x3 = p1.x * b2;
        let [x7, x8] = [zeros(dk) + b4, w6.dot(b5) * zeros(dk)];
        let x10 = (b9.sigmoid() + 0.5).ln().maximum(p1.x);
        let x12 = weighted([x3, x10, b11]).minimum(x3).tanh();
        let s14 = s13.tanh();
        let s17 = ((w15 * 1.5).dot(x7) * w16.dot(x12)).tanh().sum();
        let x18 = if x10.max() < s17 || x10.max() >= s14 {
            (x12 - x10.max()).exp().tanh()
        } else if s17 > 0.2 || 0.1 > x10.sum() {
            x12.relu().minimum(x10).tanh()
        } else {
            (x12 - x10.max()).exp().tanh()
        };
        loss(cross_entropy(-(w19.dot(x18) - 0.75).tanh(), p1.label));
        for k in 0..2 {
            loss(w20.dot(b5).sigmoid().log_softmax().tanh().sum() * (k as f64 + 0.25));
        }
        push(Out { y: (1.5 + w22.dot(b21)).minimum(b2).tanh() });
        scatter(Node { c: scaled(b24, dh) / (0.5 + b25.softmax().sigmoid()), h: w23.dot(b5 + b5).tanh() });
        loss(((w26 + w27).dot(x8) + s14 + s17).tanh().sum());
    }

    #[vertex_function]
    pub fn leaf_12(
        #[param(E)] b1: Tensor, #[param(V, H)] table3: Tensor, #[param(4 * H, E)] w5: Tensor,
        #[param(4 * H)] b6: Tensor, #[param(K, K)] w11: Tensor, #[param(E)] b13: Tensor,
        #[dim(E)] de: Dim, #[param(K, H)] w14: Tensor, #[param(V, K)] table15: Tensor,
        #[param(K, E)] w16: Tensor, #[param(H, E)] w17: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4: Tensor = table3.row(id);
        let [x7, x8, x9, x10] = (w5.dot(-x.log_softmax()) + b6).tanh().split::<4>();
        let s12 = w11.min();
        push(Out { y: (b13.sigmoid() + 0.5).ln() + zeros(de) });
        let state = Node { c: (w14.dot(x8) + table15.row(id) - w16.dot(x)).tanh(), h: x9.relu().relu() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss(((w17.dot(x2) + x4) * x7 - x10 + s12).tanh().sum());
    }

    #[vertex_function]
    pub fn leaf_13(
        #[param(H, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(K)] b8: Tensor,
        #[param()] s9: Tensor, #[param(K, E)] w11: Tensor, #[param(K, H)] w12: Tensor,
        #[param(3 * K, K)] w13: Tensor, #[dim(K)] dk: Dim, #[param(H)] b17: Tensor,
        #[dim(H)] dh: Dim, #[param(V, K)] table18: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let (x6, [x10], s7) = (b8.softmax(), [w11.dot(x5).maximum(w12.dot(x3))], s9 * s9 * s9);
        let [x14, x15, x16] = w13.dot((x6 / (0.5 + x10.sigmoid())).relu()).split::<3>();
        loss(mse((w2.dot(x5) + x3) * (zeros(dk) * x10).sum(), b17.tanh()));
        let (h, c) = (concat([x3, zeros(dk) + s9]).slice(0..dh).tanh(), (2.0 - table18.row(id).softmax()).tanh());
        scatter(Node { h, c });
        loss(((x15 - 0.75) * s7 * x14 * x16).tanh().sum());
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
        #[param(E)] b2: Tensor, #[param(V, E)] table4: Tensor, #[param(K, E)] w6: Tensor,
        #[param()] s7: Tensor, #[param(K, E)] w8: Tensor, #[param(H)] b9: Tensor,
        #[param(K, H)] w10: Tensor, #[param(H, K)] w12: Tensor, #[param(H, K)] w13: Tensor,
        #[param(E, E)] w14: Tensor, #[dim(E)] de: Dim, #[param(V, E)] table16: Tensor,
        #[dim(K)] dk: Dim, #[param(H, K)] w18: Tensor, #[param(H)] b19: Tensor,
        #[param(H, H)] w20: Tensor, #[param(H)] b21: Tensor, #[param(V, K)] table22: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3: Tensor = p1 * b2;
        let x5 = table4.row(id);
        let x11 = (s7 - w6.dot(x3)).greater(w8.dot(p1) + 0.35).select(w10.dot(b9), s7 - w6.dot(x3));
        loss(indicator(w12.dot(x11).tanh().relu().argmax() == w13.dot(x11).sample()));
        let n15 = 2.0_f64.sqrt() - 1.5;
        for k in 0..2 {
            loss(mse(0.5 + w14.dot(x5) + n15, zeros(de) * p1) * (k as f64 + 0.25));
        }
        let n17 = 0.75 / (1.0 + de as f64);
        push(Out { y: (table16.row(id) - 1.0 / dk as f64 - n17).tanh() });
        scatter(Node { c: table22.row(id) * 2.0, h: (w18.dot(x11).greater_equal(w20.dot(b19) + 0.1).select(b21, w18.dot(x11)) - table4.row(id).sum()).tanh() });
    }

    #[vertex_function]
    pub fn leaf_16(
        #[param(E, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(K, E)] w6: Tensor,
        #[param(K, E)] w7: Tensor, #[dim(K)] dk: Dim, #[param(E)] b8: Tensor, #[dim(E)] de: Dim,
        #[param(K, K)] w9: Tensor, #[param(3 * K, K)] w12: Tensor, #[param(3 * K)] b13: Tensor,
        #[param(K)] b15: Tensor, #[param(E)] b18: Tensor, #[param(V, E)] table19: Tensor,
        #[param(H, E)] w20: Tensor, #[dim(H)] dh: Dim, #[param(H)] b21: Tensor,
        #[param(H, H)] w22: Tensor, #[param(K, H)] w23: Tensor, #[param(H, H)] w24: Tensor,
        #[param(K)] b25: Tensor, #[param(H, K)] w26: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5: Tensor = table4.row(p1.id);
        let x10 = noisy(concat([b8, (w6 + w7).dot(p1.x)]).slice(de..de + dk) - w9.dot(x5), 0.5);
        let parts11 = (w12.dot(concat([x10.slice(1..dk), x10.slice(0..1)])) + b13).tanh().split::<3>();
        let mut a14 = b15;
        let x16 = concat(parts11);
        for k in 0..2 {
            let n17 = 1.5 / (1.0 + dk as f64);
            a14 -= (x16.slice(k * dk..(k + 1) * dk) + (n17 * x10).tanh()).tanh();
        }
        push(Out { y: ((zeros(de) + 0.75) / (w2.dot(x3).maximum(b18).sigmoid() + 0.5)).tanh() });
        scatter(Node { h: blend((table19.row(p1.id) * b8).sum(), w20.tanh().dot(x3).maximum(zeros(dh)), w22.dot(b21)).tanh(), c: gate(w23, (w24 + w22).dot(b21), b25).maximum(zeros(dk)).tanh() });
        loss(w26.tanh().dot(a14).tanh().sum());
    }

    #[vertex_function]
    pub fn leaf_17(
        #[param(H, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(E, K)] w8: Tensor,
        #[param(H)] b9: Tensor, #[param(E, E)] w11: Tensor, #[param(2 * K, E)] w12: Tensor,
        #[param(K, E)] w16: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let (x6, [x10], s7) = (w8.dot(1.5 * x5), [0.75 / (x5.sigmoid() + 0.5)], b9.tanh().sum());
        let (x13, x14) = halves(w12.dot((x6 * 0.75).maximum(w11.dot(x6))));
        let out15 = Scores { y: w11.tanh().dot(x6).sigmoid(), logits: 0.75 / (0.5 + x3.relu().sigmoid()) };
        push(out15);
        scatter(Node { h: x3.square().tanh(), c: ((w16.dot(x6) * s7 * x10).tanh() + x13 + x14).tanh() });
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
        #[param(K, E)] w1: Tensor, #[param(V, K)] table3: Tensor, #[param(K, K)] w6: Tensor,
        #[param(E)] b7: Tensor, #[param(E, E)] w8: Tensor, #[param(E, K + E)] w9: Tensor,
        #[param(H)] b11: Tensor, #[param(H, H)] w12: Tensor, #[param(H, H)] w13: Tensor,
        #[param(V, H)] table14: Tensor, #[param(E, H)] w16: Tensor, #[param(K)] b17: Tensor,
        #[param(K)] b18: Tensor, #[param(2 * K, K)] w19: Tensor, #[param(E, E)] w22: Tensor,
        #[param()] s23: Tensor, #[param(H, K)] w24: Tensor, #[dim(K)] dk: Dim,
        #[param(E, H + K)] w25: Tensor, #[param(H, K)] w26: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = w1.dot(x);
        let x4 = table3.row(id);
        let x5 = {
            let x10: Tensor = w9.dot(concat([w6.dot(x2), w8.dot(b7)]));
            let x15 = ((w12 + w13).dot(b11) * table14.row(id)).noise(0.25).tanh();
            (x10 * w16.dot(x15)).tanh()
        };
        let (x20, x21) = halves(w19.dot(b17 / (b18.sigmoid() + 0.5) * x4));
        loss((x5 / (0.5 + w22.dot(x5).sigmoid())).sum().tanh() + s23);
        loss(s23.tanh().tanh().tanh());
        push(Out { y: w25.dot(summary(Node { h: w24.dot(x20), c: zeros(dk) })).minimum(x5).tanh() });
        let (h, c) = (w26.dot(x21).tanh(), (x20 * x2).tanh());
        scatter(Node { h, c });
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
        #[param(E, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(H, E)] w7: Tensor,
        #[param(3 * K, H)] w8: Tensor, #[param(3 * K)] b9: Tensor, #[param(K)] b11: Tensor,
        #[param(H, E)] w12: Tensor, #[param(H, E)] w13: Tensor, #[param(V, K)] table14: Tensor,
        #[param(K, H + K)] w15: Tensor, #[param(H)] b16: Tensor, #[param(E, H)] w17: Tensor,
        #[param(K)] b18: Tensor, #[dim(K)] dk: Dim, #[param(E)] b21: Tensor,
        #[param(H, E)] w22: Tensor, #[param(H, H + E)] w23: Tensor, #[dim(E)] de: Dim,
        #[param(K, E)] w24: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let parts6 = (w8.dot((2.0 / (w7.dot(x5).sigmoid() + 0.5)).dropout(0.25).tanh()) + b9).split::<3>();
        let mut a10 = b11;
        for k in 1..=2 {
            a10 += (parts6[k] * w15.dot(summary(Node { h: (w12 + w13).dot(p1.x), c: table14.row(p1.id) })).tanh()).tanh();
        }
        let n19 = 2.0 / (1.0 + dk as f64);
        let out20 = Scores { y: w17.dot(b16).tanh(), logits: n19 - b11 * b18 };
        push(out20);
        scatter(Node { h: w23.dot(concat([b21, w22.dot(p1.x)])).tanh(), c: (a10 + 1.0 / de as f64).sigmoid() });
        loss(w24.dot(x3).sum());
    }

    #[vertex_function]
    pub fn leaf_22(
        #[param(E, E)] w1: Tensor, #[param(E, E)] w2: Tensor, #[param(V, K)] table4: Tensor,
        #[param(E, K)] w6: Tensor, #[param()] s7: Tensor, #[param(E)] b8: Tensor,
        #[param(V, E)] table15: Tensor, #[param(K, E)] w18: Tensor, #[param(H, E)] w21: Tensor,
        #[param(K, E)] w26: Tensor, #[param(H)] b27: Tensor, #[param(H, H)] w28: Tensor,
        #[dim(E)] de: Dim,
    ) {
        let Word { id, x } = pull();
        let x3: Tensor = (w1 + w2).dot(x);
        let x5 = table4.row(id);
        let x9 = gate(w6, x5 * s7, b8);
        let x10 = w1.dot(x9 * s7);
        let s11 = s7 - 1.5;
        let s12 = s11;
        let mut m13 = x10;
        let i16 = concat([x3 / (table15.row(id).sigmoid() + 0.5), zeros(3)]).argmax();
        let x14 = match i16 {
            Index(0) => {
                (x10.square() + 0.5).ln().tanh()
            }
            Index(1) | Index(2) => {
                (x10 / (x9.norm() + 0.5)).tanh()
            }
            _ => {
                m13 = (x9 - x10).tanh() * s12.tanh();
                let x17 = if !(s11 < 0.1 || -0.35 > x9.sum()) {
                    (x9 / (x10.norm() + 0.5)).tanh()
                } else {
                    m13 += x9.softmax() + 0.5 * x10.tanh();
                    (x9 / (x10.norm() + 0.5)).tanh()
                };
                (x17 + (x9 - x10.max()).exp().tanh()).tanh()
            }
        };
        m13 = m13.tanh();
        let x19 = (w18 * s12.tanh()).dot(x10).erf().sigmoid();
        let x20 = x19.softmax() / (x19.tanh().sigmoid() + 0.5);
        let s22 = w21.dot(x3).tanh().sum();
        let s23 = s22.sigmoid();
        let x24 = if 0.1 < x20.sum() {
            (x19 / (x20.norm() + 0.5)).tanh()
        } else if !(s23 <= 0.1 || 0.1 >= x19.sum()) {
            x19.softmax() + 0.5 * x20.tanh()
        } else {
            let x25 = if s22 <= 0.2 && -0.35 > x19.sum() {
                (x20 / (x19.norm() + 0.5)).tanh()
            } else {
                (x20 - x19.max()).exp().tanh()
            };
            (x25 + (x20.sum() + s22).tanh() * x19.sigmoid()).tanh()
        };
        let state = Node { c: ((w18.dot(x14) * w26.dot(m13)).tanh() - x20 - s23 - x24).tanh(), h: w28.dot(b27).relu() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: (2.0 / (zeros(de).sigmoid() + 0.5)).tanh().abs() });
    }

    #[vertex_function]
    pub fn leaf_23(
        #[param(E, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(K)] b6: Tensor,
        #[param(H, K)] w7: Tensor, #[dim(K)] dk: Dim, #[param(K)] b9: Tensor,
        #[param()] s10: Tensor, #[param(K, K)] w13: Tensor, #[param(K, E)] w15: Tensor,
        #[param(K, H)] w16: Tensor, #[param(H, H)] w25: Tensor, #[dim(E)] de: Dim,
        #[param(K, E)] w26: Tensor, #[param(K, E)] w27: Tensor, #[param(K, H)] w28: Tensor,
    ) {
        let p1: Word = pull();
        let x3: Tensor = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let x8 = scaled(w7.dot(b6), dk).hard_tanh();
        let n11 = 0.5 / (1.0 + dk as f64);
        let x12 = (s10 - n11 + w7.dot(b9).tanh()).tanh();
        let s14 = w13.log_sum_exp();
        let s17 = (w15.dot(x3) * w16.dot(x8)).tanh().sum();
        let mut m18 = x12;
        let x19 = if -0.35 < x8.sum() {
            let x20 = if x8.max() < s14 {
                (x8 / (x12.norm() + 0.5)).tanh()
            } else {
                let x21 = if -0.35 < x8.sum() {
                    (x8.sum() + s17).tanh() * x12.sigmoid()
                } else if -0.35 <= x12.sum() {
                    (x12.sum() + s14).tanh() * x8.sigmoid()
                } else {
                    m18 -= (x12.square() + 0.5).ln().tanh();
                    x8.relu().minimum(x12).tanh()
                };
                (x21 + (x12 - x8).tanh() * s14.tanh()).tanh()
            };
            (x20 + x8.relu().minimum(x12).tanh()).tanh()
        } else {
            m18 *= x8.relu().minimum(x12).tanh();
            let x22 = if x8.max() > s14 || 0.2 >= x8.sum() {
                (x12 / (x8.norm() + 0.5)).tanh()
            } else if s17 <= 0.1 || 0.1 < x8.sum() {
                let x23 = if s14 >= 0.1 && x12.max() > s17 {
                    (x12 - x8).tanh() * s14.tanh()
                } else if x12.max() >= s14 {
                    (x12 - x8.max()).exp().tanh()
                } else {
                    m18 *= (x8 - x12).tanh() * s17.tanh();
                    (x12 / (x8.norm() + 0.5)).tanh()
                };
                (x23 + x12.relu().minimum(x8).tanh()).tanh()
            } else {
                let x24 = if s17 > 0.1 {
                    m18 = x12.relu().minimum(x8).tanh();
                    x8.softmax() + 0.5 * x12.tanh()
                } else {
                    (x8 - x12.max()).exp().tanh()
                };
                (x24 + (x12.sum() + s14).tanh() * x8.sigmoid()).tanh()
            };
            (x22 + x12.tanh()).tanh()
        };
        m18 = m18.tanh();
        for k in 0..2 {
            loss(s14 * (k as f64 + 0.25));
        }
        loss(w25.log_sum_exp());
        let state: Node = Node { h: scaled(x12, de).sigmoid(), c: (concat([zeros(de), w26.dot(x5)]).slice(de..de + dk).sigmoid() + 0.5).ln().tanh() };
        scatter(state);
        loss(((((w27 + w15).dot(p1.x) - s17).tanh() + (w28 * s14.tanh()).dot(x19)) * w16.dot(m18)).tanh().sum());
    }

    #[vertex_function]
    pub fn leaf_24(
        #[param(E)] b1: Tensor, #[param(V, H)] table3: Tensor, #[param(K)] b7: Tensor,
        #[param(K, K)] w8: Tensor, #[param(V, E)] table9: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w11: Tensor, #[dim(E)] de: Dim, #[param(E)] b13: Tensor,
        #[param(H, K)] w14: Tensor, #[param(H, E)] w15: Tensor, #[dim(H)] dh: Dim,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4 = table3.row(id);
        let (x5, [x10], s6) = (w8.dot(b7).tanh().exp(), [zeros(dk) * w11.dot(x4)], (table9.row(id) * x).sum());
        let mut m12 = zeros(de).log_softmax();
        m12 -= (b13 - x2).softmax();
        m12 = m12.tanh();
        let state: Node = Node { h: (w14.dot(x5) - s6).tanh() * w14.dot(x10) * w15.dot(m12), c: (b7 - 1.5).tanh() };
        scatter(state);
        let out16 = Scores { y: 1.0 / dh as f64 * x2, logits: x.exp() * x };
        push(out16);
    }

    #[vertex_function]
    pub fn leaf_25(
        #[param(E)] b2: Tensor, #[param(K)] b5: Tensor, #[param(H, K)] w6: Tensor,
        #[param(K)] b7: Tensor, #[param(H, K)] w8: Tensor, #[param(H)] b9: Tensor,
        #[param(H, K)] w10: Tensor, #[param(H)] b12: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b14: Tensor, #[param(H, H)] w15: Tensor, #[param(E, H)] w18: Tensor,
        #[dim(E)] de: Dim, #[param(K)] b20: Tensor, #[param(H, H)] w21: Tensor,
        #[param(H)] b22: Tensor, #[param(H, E)] w23: Tensor, #[param(K, E)] w24: Tensor,
        #[param(K, E)] w25: Tensor, #[dim(K)] dk: Dim,
    ) {
        let p1: Signal = pull();
        let x3 = p1.x * b2;
        let parts4 = [w6.dot(b5).sigmoid().sigmoid(), w8.dot(b7) + b9, w10.dot(b5)];
        let mut a11 = b12;
        let x13 = concat(parts4);
        for k in 0..2 {
            a11 -= (x13.slice(k * dh..(k + 1) * dh) + w15.dot(b14).tanh()).tanh();
        }
        let (x16, [x19], s17) = (w18.tanh().dot(a11).minimum(zeros(de)), [scaled(b20, dh)], cross_entropy(zeros(dh), p1.label).tanh());
        loss(mse(crate::generated::cells::gate(w21, zeros(dh).tanh(), b22), a11 + w23.dot(p1.x)));
        let (h, c) = ((b9 + 1.0 / dk as f64).tanh(), ((w24.dot(x3) * w25.dot(x16)).tanh() + s17 + x19).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn leaf_26(
        #[param(K, E)] w2: Tensor, #[param(V, H)] table4: Tensor, #[param(H)] b6: Tensor,
        #[dim(H)] dh: Dim, #[param(K)] b8: Tensor, #[param(K, K)] w10: Tensor,
        #[param()] s12: Tensor, #[param()] s13: Tensor, #[param(H, K)] w16: Tensor,
        #[param(H)] b17: Tensor, #[param(H, H)] w21: Tensor, #[param(H, E)] w22: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let x7 = b6.relu() + zeros(dh);
        let x9 = (b8.sum() - (x7 + 2.0)).tanh();
        let s11 = w10.mean();
        let s14 = s12 * s13;
        let i18 = concat([w16.dot(x3) / (0.5 + b17.sigmoid()), zeros(3)]).argmax();
        let x15 = match i18 {
            Index(0) => {
                let x19 = if 0.1 <= x7.sum() && s14 <= 0.2 {
                    let x20 = if -0.35 > x9.sum() {
                        (x9.sum() + s14).tanh() * x7.sigmoid()
                    } else {
                        x7.softmax() + 0.5 * x9.tanh()
                    };
                    (x20 + x7.tanh()).tanh()
                } else {
                    (x9 - x7.max()).exp().tanh()
                };
                (x19 + (x9.square() + 0.5).ln().tanh()).tanh()
            }
            Index(1) | Index(2) => {
                x7.tanh()
            }
            _ => {
                (x7 * x9).sigmoid()
            }
        };
        loss(((w21 + w21).dot(x15).relu().tanh() * w22.dot(p1)).sum());
        let (h, c) = ((x5 - x9 + s11 + s14).tanh(), (0.5 / (b8.sigmoid() + 0.5)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn leaf_27(
        #[param(E)] b2: Tensor, #[param(V, K)] table4: Tensor, #[param(K, E)] w6: Tensor,
        #[param(K, E)] w7: Tensor, #[param(E)] b10: Tensor, #[dim(E)] de: Dim,
        #[param(E, E)] w11: Tensor, #[param()] s12: Tensor, #[param(H)] b13: Tensor,
        #[param(H, H)] w14: Tensor, #[dim(K)] dk: Dim, #[param(K)] b15: Tensor,
        #[param(E, K)] w16: Tensor, #[param(E, K)] w17: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = p1.x * b2;
        let x5 = table4.row(p1.id);
        let [x8, x9] = [w6.dot(x3) - w7.dot(p1.x), x5.exp()];
        loss(((b10 + x3).tanh() * zeros(de)).sum());
        for k in 0..2 {
            loss((w11.sum() - s12) * (k as f64 + 0.25));
        }
        scatter(Node { c: -zeros(dk).minimum(b15), h: -w14.dot(b13).sigmoid() });
        push(Out { y: w16.dot(x9.relu()).tanh() });
        loss(w17.tanh().dot(x8).tanh().sum());
    }

    #[vertex_function]
    pub fn leaf_28(
        #[param(E)] b1: Tensor, #[param(V, K)] table3: Tensor, #[param(H, K)] w5: Tensor,
        #[dim(H)] dh: Dim, #[param(2 * H, H)] w6: Tensor, #[param(2 * H)] b7: Tensor,
        #[param(K, E)] w10: Tensor, #[param(K, E)] w11: Tensor, #[param(K, H)] w12: Tensor,
        #[param(K, H)] w13: Tensor, #[param(H, E)] w14: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4 = table3.row(id);
        let (x8, x9) = halves(w6.dot((w5.dot(x4) - zeros(dh)).sigmoid()) + b7);
        let state = Node { c: (w10.dot(x2) - w11.dot(x) + w12.dot(x8) + w13.dot(x9)).tanh(), h: w14.dot(x2) };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn leaf_29(
        #[param(E)] b1: Tensor, #[param(H)] b3: Tensor, #[param(H, H)] w4: Tensor,
        #[param(K)] b5: Tensor, #[param(H, K)] w6: Tensor, #[param(H, E)] w7: Tensor,
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(E, H)] w11: Tensor,
        #[param(K, K)] w21: Tensor, #[param(K, H)] w22: Tensor, #[param(K, H)] w23: Tensor,
        #[param(K)] b24: Tensor, #[param(H, K)] w25: Tensor, #[param(H)] b26: Tensor,
        #[param(K)] b27: Tensor, #[param(K, K)] w28: Tensor, #[param(K, K)] w29: Tensor,
        #[param(K, E)] w30: Tensor,
    ) {
        let Word { x, .. } = pull();
        let x2 = x * b1;
        let x8 = blend(x2.max(), w4.dot(b3) - w6.dot(b5), w7.dot(x)).tanh();
        let n9 = 0.75 / (1.0 + dk as f64);
        let x10 = (n9 + zeros(dh).tanh()).tanh();
        let s12 = (w11.dot(x10) * x2).sum();
        let s13 = (x * x2).sum();
        let mut m14 = x10;
        let i16 = concat([b3.minimum(x8), zeros(3)]).argmax();
        let x15 = match i16 {
            Index(0) => {
                m14 = x10.softmax() + 0.5 * x8.tanh();
                let x17 = if 0.1 <= x8.sum() || x10.max() < s12 {
                    m14 -= (x8 * x10).sigmoid();
                    (x10.sum() + s12).tanh() * x8.sigmoid()
                } else if x8.max() > s13 && x10.max() < s12 {
                    let x18 = if !(x8.max() > s12 || x8.max() >= s12) {
                        (x8.square() + 0.5).ln().tanh()
                    } else {
                        m14 -= x8.softmax() + 0.5 * x10.tanh();
                        (x8 / (x10.norm() + 0.5)).tanh()
                    };
                    (x18 + (x10 - x8.max()).exp().tanh()).tanh()
                } else {
                    m14 *= (x10 / (x8.norm() + 0.5)).tanh();
                    let x19 = if s13 > 0.2 {
                        m14 *= (x10 * x8).sigmoid();
                        (x8 - x10).tanh() * s13.tanh()
                    } else {
                        m14 *= x10.tanh();
                        (x10 / (x8.norm() + 0.5)).tanh()
                    };
                    (x19 + (x8 - x10).tanh() * s12.tanh()).tanh()
                };
                (x17 + (x8 * x10).sigmoid()).tanh()
            }
            Index(1) | Index(2) => {
                (x8 - x10.max()).exp().tanh()
            }
            _ => {
                let x20 = if !(x10.max() >= s13 || x10.max() >= s13) {
                    m14 -= x8.tanh();
                    (x8 - x10).tanh() * s12.tanh()
                } else {
                    (x8 - x10).tanh() * s12.tanh()
                };
                (x20 + (x8.sum() + s13).tanh() * x10.sigmoid()).tanh()
            }
        };
        m14 = m14.tanh();
        for k in 0..2 {
            loss(s12 * (k as f64 + 0.25));
        }
        scatter(Node { h: (w25.dot(b24) - b26).tanh(), c: ((w21.dot(b5) - w22.dot(x15)) * s13 - w23.dot(m14)).tanh() });
        let out31 = Scores { y: -b1, logits: blend(s13, (w28 + w29).dot(b27), w30.dot(x2)) };
        push(out31);
    }

    #[vertex_function]
    pub fn leaf_30(
        #[param(K, E)] w1: Tensor, #[param(K)] b5: Tensor, #[param(H)] b6: Tensor,
        #[param(K, H)] w7: Tensor, #[param(H, K)] w9: Tensor, #[param(H, K)] w10: Tensor,
        #[param(E, H + K)] w11: Tensor, #[dim(E)] de: Dim,
    ) {
        let Signal { label, x } = pull();
        let x2 = w1.dot(x);
        let (x3, [x8], s4) = (-x2.greater_equal(b5 + 0.1).select(x2, x2), [w9.dot(x2).maximum(w10.dot(x2))], w7.dot(b6).sum());
        loss(cross_entropy((x3 + x3).tanh(), label));
        loss(mse(w11.dot(summary(Node { h: x8, c: x2 })) + 0.5, x.relu()));
        scatter(Node { c: (x2 / (0.5 + x2.sigmoid())).tanh(), h: (scaled(x8, de) * s4).tanh() });
        push(Out { y: blend(x8.tanh().sum(), x, x).dropout(0.1).tanh() });
    }

    #[vertex_function]
    pub fn leaf_31(
        #[param(K, E)] w1: Tensor, #[dim(H)] dh: Dim, #[param(V, E)] table3: Tensor,
        #[dim(K)] dk: Dim, #[param(K, K)] w7: Tensor, #[param(K)] b8: Tensor,
        #[param(H)] b9: Tensor, #[param(H, E)] w10: Tensor, #[param(H)] b11: Tensor,
        #[param(E, E)] w13: Tensor, #[param(E)] b14: Tensor, #[param(E)] b15: Tensor,
        #[param(H)] b16: Tensor, #[param(H, E)] w17: Tensor, #[param(H)] b19: Tensor,
        #[param(H)] b20: Tensor, #[param(K, H)] w30: Tensor, #[param(K, H)] w31: Tensor,
        #[param(H, E)] w32: Tensor, #[param(H, K)] w33: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = (w1 * (1.0 / (dh as f64).sqrt())).dot(x);
        let x4 = table3.row(id);
        let (x5, [x12], s6) = (blend(-x2, zeros(dk), w7.dot(x2)) + b8, [gate(w13, b14, b15)], (b9 * w10.dot(x4)).pick(b11.sample()));
        let x18 = (1.0 / dk as f64 / (b16.greater_equal(w17.dot(x12) + 0.1).select(w10.dot(x4), b16).sigmoid() + 0.5)).tanh();
        let x21 = b19.elu(0.7).minimum(b20);
        let s22 = s6;
        let s23 = s22;
        let mut m24 = x21;
        let x25 = if s22 >= 0.2 && 0.2 < x18.sum() {
            m24 -= (x21.square() + 0.5).ln().tanh();
            let x26 = if !(s22 >= -0.35 || x18.max() > s22) {
                let x27 = if s23 >= 0.1 || s22 > 0.1 {
                    m24 = (x21.square() + 0.5).ln().tanh();
                    (x18 - x21).tanh() * s23.tanh()
                } else {
                    (x18 / (x21.norm() + 0.5)).tanh()
                };
                (x27 + x18.tanh()).tanh()
            } else if !(0.1 < x18.sum() || s22 < 0.1) {
                let x28 = if x18.max() >= s22 || x18.max() >= s23 {
                    m24 -= (x21 - x18).tanh() * s22.tanh();
                    (x18 * x21).sigmoid()
                } else {
                    (x21.square() + 0.5).ln().tanh()
                };
                (x28 + (x18 / (x21.norm() + 0.5)).tanh()).tanh()
            } else {
                (x21.sum() + s23).tanh() * x18.sigmoid()
            };
            (x26 + (x21 - x18.max()).exp().tanh()).tanh()
        } else {
            x18.softmax() + 0.5 * x21.tanh()
        };
        m24 = m24.tanh();
        let out29 = Scores { y: x12 * b14, logits: x4.pick(b14.sample()) - x5.tanh().log_softmax() };
        push(out29);
        scatter(Node { c: ((w30.dot(x18) - (w31 * 1.5).dot(x21)).tanh() * s23 * w30.dot(x25) + w30.dot(m24)).tanh(), h: (w32.dot(x4) / (0.5 + w33.dot(x5).sigmoid())).tanh() });
    }

    #[vertex_function]
    pub fn leaf_32(
        #[param(E)] b1: Tensor, #[param(K)] b4: Tensor, #[param(H, K)] w5: Tensor,
        #[dim(K)] dk: Dim, #[param(K, H)] w8: Tensor, #[param(E, E)] w9: Tensor,
        #[dim(E)] de: Dim, #[param(H)] b11: Tensor, #[param(H, H)] w12: Tensor,
        #[param(E)] b13: Tensor, #[param()] s15: Tensor, #[param()] s16: Tensor,
        #[param(H)] b18: Tensor, #[param(E, H)] w19: Tensor, #[param(K, K)] w23: Tensor,
        #[param(K, E)] w25: Tensor, #[param(K, E)] w26: Tensor, #[param(K, E)] w27: Tensor,
    ) {
        let Word { x, .. } = pull();
        let x2 = x * b1;
        let x3 = {
            let x6: Tensor = w5.dot(b4).relu() * 2.0;
            let x7 = -zeros(dk).log_softmax();
            (w8.dot(x6) + x7).tanh()
        };
        let x10 = x2.max() + (w9 * 0.5).dot(x2).tanh();
        let x14 = (0.5 + blend(concat([x2, w12.dot(b11)]).slice(0..de), b13, b1).sigmoid()).ln();
        let s17 = s15 - s16;
        let s20 = (w19 * 1.5).dot(b18).pick(b1.sample());
        let mut m21 = x14;
        let x22 = if x14.max() < s17 {
            m21 -= x14.softmax() + 0.5 * x10.tanh();
            x10.tanh()
        } else {
            m21 = (x14.square() + 0.5).ln().tanh();
            x10.tanh()
        };
        m21 = m21.tanh();
        loss(s17);
        let out24 = Scores { y: (x22 - x14).tanh(), logits: w23.dot(x3).relu() };
        push(out24);
        let state: Node = Node { h: (b11.sigmoid() + 0.5).ln().tanh(), c: (w25.dot(x) + w26.dot(x10) + s20 + w27.dot(m21)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn leaf_33(
        #[param(E)] b1: Tensor, #[param(K)] b4: Tensor, #[param(H, K)] w5: Tensor,
        #[param(H, E)] w6: Tensor, #[param(H)] b7: Tensor, #[param(H, H)] w8: Tensor,
        #[param(E, H)] w11: Tensor, #[param(E, K)] w13: Tensor, #[param(H)] b14: Tensor,
        #[param(K, H)] w15: Tensor, #[param(E)] b16: Tensor, #[param(3 * K, E)] w17: Tensor,
        #[param(3 * K)] b18: Tensor, #[param(K)] b20: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w22: Tensor, #[param(H)] b23: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b24: Tensor, #[param(K, E)] w26: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = x * b1;
        let x3 = {
            let x9 = w6.dot(x).pick(w8.dot(b7).argmax()) * w5.tanh().dot(b4).relu();
            let x10 = x2.log_softmax().relu();
            (w11.dot(x9) * x10).tanh().tanh()
        };
        let parts12 = (w17.dot(gate(w13, w15.dot(b14), b16).gelu_tanh()) + b18).split::<3>();
        let mut a19 = b20;
        let x21 = concat(parts12);
        for k in 0..2 {
            a19 += (x21.slice(k * dk..(k + 1) * dk) - w22.dot(b7).less((w15 * (1.0 / dh as f64)).dot(b23) + 0.6).select(zeros(dk), w22.dot(b7))).tanh() * (k as f64);
        }
        let n25 = 2.0_f64.sqrt() - 0.5;
        loss(cross_entropy(w8.dot(b24) + zeros(dh) - n25, label));
        for k in 0..2 {
            loss((-x3.relu()).sum() * (k as f64 + 0.25));
        }
        let n27 = 2.0 / (1.0 + dk as f64);
        let (h, c) = (w5.dot(a19).tanh(), (w26.dot(x) + n27).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn leaf_34(
        #[param(E, E)] w2: Tensor, #[param(K, K)] w5: Tensor, #[param(K, E)] w6: Tensor,
        #[param(K)] b7: Tensor, #[dim(E)] de: Dim, #[param(K)] b8: Tensor,
        #[param()] s11: Tensor, #[param(K)] b12: Tensor, #[dim(K)] dk: Dim,
        #[param(H)] b14: Tensor, #[dim(H)] dh: Dim, #[param(H)] b15: Tensor,
        #[param(H, H)] w16: Tensor,
    ) {
        let p1 = pull::<Signal>().x;
        let n3 = 2.0_f64.sqrt() - 2.0;
        let x4: Tensor = (w2 * n3).dot(p1);
        let [x9, x10] = [crate::generated::cells::gate(w5, w6.dot(p1), b7) + 1.0 / (de as f64).sqrt(), w5.dot(b8).relu()];
        let out13 = Scores { y: (x4 - s11).tanh(), logits: b12 + zeros(dk) - b7 };
        push(out13);
        let state = Node { c: (x9 - x10).tanh(), h: concat([b14, w16.dot(b15)]).slice(0..dh) };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn leaf_35(
        #[param(E)] b1: Tensor, #[param(V, E)] table3: Tensor, #[param(H, E)] w5: Tensor,
        #[param(H)] b6: Tensor, #[dim(E)] de: Dim, #[param(H, E)] w11: Tensor, #[dim(K)] dk: Dim,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4 = table3.row(id);
        let x7: Tensor = noisy((w5.dot(x2) / (b6.sigmoid() + 0.5)).tanh(), 0.5);
        let (x8, [x10], s9) = (zeros(de) * 1.5 - x, [table3.row(id) / (0.5 + x4.sigmoid())], x7.sum().tanh());
        scatter(Node { c: scaled(zeros(dk), dk), h: (w11.dot(x8) - s9 - w5.dot(x10)).tanh() });
    }
}

pub mod one {
    use super::prelude::*;

    #[vertex_function]
    pub fn one_0(
        #[param(E)] b6: Tensor, #[dim(E)] de: Dim, #[param(E)] b7: Tensor,
        #[param(E, K)] w8: Tensor, #[param(K)] b10: Tensor, #[param()] s12: Tensor,
        #[param(K, K)] w21: Tensor, #[param(K)] b22: Tensor, #[param(K)] b23: Tensor,
        #[param(K, K)] w24: Tensor, #[param(K)] b25: Tensor, #[param()] s26: Tensor,
        #[param(H)] b27: Tensor, #[param(H, E)] w28: Tensor, #[param(K, E)] w29: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let (x4, [x9], s5) = (concat([b6.slice(1..de), b6.slice(0..1)]), [h2.less(h2 + 0.1).select(h2, h2)], (b7 * zeros(de)).pick(w8.dot(c3).sample()));
        let x11 = (c3 / (b10.sigmoid() + 0.5)).tanh();
        let x13 = (x11 * s12).log_softmax().tanh();
        let s14 = (x13 * x13).sum();
        let s15 = mse(b6, zeros(de));
        let mut m16 = x13;
        let x17 = if 0.1 <= x13.sum() && s14 >= 0.2 {
            let x18 = if -0.35 > x13.sum() {
                let x19 = if s14 > 0.1 || s15 >= 0.1 {
                    m16 += (x11 / (x13.norm() + 0.5)).tanh();
                    x11.relu().minimum(x13).tanh()
                } else {
                    m16 -= (x13 / (x11.norm() + 0.5)).tanh();
                    x13.relu().minimum(x11).tanh()
                };
                (x19 + x11.relu().minimum(x13).tanh()).tanh()
            } else {
                m16 += x13.softmax() + 0.5 * x11.tanh();
                x13.tanh()
            };
            (x18 + (x13.square() + 0.5).ln().tanh()).tanh()
        } else {
            m16 -= (x11 / (x13.norm() + 0.5)).tanh();
            let x20 = if 0.1 > x11.sum() || 0.2 <= x13.sum() {
                x11.tanh()
            } else {
                (x13.sum() + s15).tanh() * x11.sigmoid()
            };
            (x20 + (x13 - x11).tanh() * s15.tanh()).tanh()
        };
        m16 = m16.tanh();
        loss(mse(gate(w21, b10.maximum(b22), b23), (w24 * 1.5).dot(x11) + b25));
        let state = Node { c: crate::generated::cells::gate(w29, x4, b10).relu().tanh(), h: (x9 + s26).greater(b27 + 0.35).select(w28.dot(x4), x9 + s26).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((((weighted([x4, x4, b6]) * s5 + s14 + s15) * w8.dot(x17)).tanh() * w8.dot(m16)).sum());
    }

    #[vertex_function]
    pub fn one_1(
        #[param(K, E)] w4: Tensor, #[dim(E)] de: Dim, #[param(E)] b7: Tensor,
        #[param(E, E)] w8: Tensor, #[param(E)] b9: Tensor, #[param(E, K)] w10: Tensor,
        #[param(E)] b11: Tensor, #[param(E, H)] w13: Tensor, #[param(E, H)] w14: Tensor,
        #[param(E, H)] w16: Tensor, #[dim(H)] dh: Dim, #[param(E)] b17: Tensor,
        #[param(E, H)] w18: Tensor, #[param(E)] b19: Tensor, #[param(H)] b20: Tensor,
        #[param(H, E)] w21: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let p3: Signal = pull();
        let x5 = (w4 * (1.0 / de as f64)).dot(p3.x);
        let parts6 = [b7.relu().tanh(), w8.dot(b7).greater_equal(w8.dot(b9) + 0.35).select((w10 * 1.5).dot(x5), w8.dot(b7)).tanh(), w8.dot(b11)];
        let mut a12 = b7;
        for part in parts6 {
            a12 += (part * (-(w13 + w14).dot(h2)).tanh()).tanh();
        }
        let mut m15 = zeros(de).tanh();
        m15 = (2.0 * a12).tanh().dropout(0.1) - m15;
        m15 = m15.tanh() + blend(a12.maximum(w16.dot(h2)), w10.dot(x5), a12).tanh().greater(a12 + 0.35).select(b7, blend(a12.maximum(w16.dot(h2)), w10.dot(x5), a12).tanh());
        m15 /= 1.0 / dh as f64;
        m15 = m15.tanh();
        loss(cross_entropy(b17.tanh(), p3.label));
        loss(cross_entropy(w18.tanh().dot(h2).tanh() + m15, p3.label));
        push(Out { y: (b19 + m15 + m15).tanh() });
        scatter(Node { c: (m15.sum() * x5.minimum(x5)).tanh(), h: (b20.tanh() * w21.dot(m15)).tanh() });
    }

    #[vertex_function]
    pub fn one_2(
        #[param(K, E)] w5: Tensor, #[dim(K)] dk: Dim, #[param(H)] b7: Tensor,
        #[param(E)] b11: Tensor, #[param(E)] b13: Tensor, #[param(H, H)] w14: Tensor,
        #[dim(H)] dh: Dim, #[param(K, H)] w15: Tensor, #[param(H)] b16: Tensor,
        #[param(E, K)] w17: Tensor, #[param(E, H)] w18: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { target: p4, label } = pull::<Gold>();
        let x6 = w5.tanh().dot(p4);
        let [x8, x9]: [Tensor; 2] = [1.0 / (dk as f64).sqrt() + (0.5 + h2.sigmoid()).ln(), b7];
        let x10 = {
            let x12 = b11.softmax();
            x12.tanh()
        };
        loss(cross_entropy(0.75 + (x10 - b13), label));
        loss((w14.dot(x8).dropout(0.5).tanh() + h2.max()).pick(zeros(dh).argmax()));
        scatter(Node { h: b16.relu(), c: (c3 + x6 - (w15 * 2.0).dot(x9)).tanh() });
        let n19 = 2.0_f64.sqrt() - 2.0;
        let out20 = Scores { y: w17.dot(x6).variational_dropout(0.1).tanh(), logits: (-(w18 * n19).dot(x8)).tanh().greater_equal(x10 + 0.35).select(x10, (-(w18 * n19).dot(x8)).tanh()) };
        push(out20);
    }

    #[vertex_function]
    pub fn one_3(
        #[param(H, E)] w1: Tensor, #[param(K)] b6: Tensor, #[param(E, K)] w7: Tensor,
        #[dim(E)] de: Dim, #[param(K)] b8: Tensor, #[param(E)] b9: Tensor,
        #[param(E, H)] w10: Tensor, #[param(K)] b11: Tensor, #[param(H, E)] w13: Tensor,
        #[param(H)] b14: Tensor, #[param(K, K)] w15: Tensor, #[param(K)] b16: Tensor,
    ) {
        let Signal { x, .. } = pull();
        let x2 = w1.dot(x);
        let Node { h: h4, .. } = gather(0);
        let mut m5 = concat([w7.dot(b6), b8]).slice(0..de);
        m5 = m5.tanh() + b9.relu().softmax();
        m5 = concat([w10.dot(h4).slice(1..de), w10.dot(h4).slice(0..1)]) - m5;
        m5 *= (w7.dot(b11).sigmoid() + 0.5).ln().square().tanh();
        m5 = m5.tanh();
        let mut m12 = -m5;
        m12 *= b9.relu().exp();
        m12 += w10.dot(x2.relu()).tanh();
        m12 = m12.tanh() + m5.sigmoid().softmax();
        m12 = m12.tanh();
        scatter(Node { c: blend(m12.pick(m12.argmax()), -w15.dot(b6), w15.dot(b16)).tanh(), h: (1.5 + w13.dot(m12).maximum(b14)).tanh() });
    }

    #[vertex_function]
    pub fn one_4(
        #[param(E)] b2: Tensor, #[param()] s8: Tensor, #[param(K)] b9: Tensor,
        #[param(3 * K, K)] w10: Tensor, #[param(K, H)] w12: Tensor, #[param(E)] b13: Tensor,
        #[param(H, E)] w14: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = p1 * b2;
        let Node { h: h5, c: c6 } = gather(0);
        let parts7 = w10.dot((s8 - c6).maximum(b9)).split::<3>();
        let mut a11 = b9;
        for part in parts7 {
            a11 += (part + w12.dot(h5).maximum(c6)).tanh();
        }
        loss(cross_entropy(p1.dropout(0.1).greater(b13 + 0.35).select(x3, p1.dropout(0.1)), label));
        let n15 = 2.0_f64.sqrt() - 0.5;
        scatter(Node { h: (-(w14 * n15).dot(p1)).tanh(), c: a11.tanh() });
    }

    #[vertex_function]
    pub fn one_5(
        #[param(K, E)] w2: Tensor, #[param(K)] b5: Tensor, #[param(K)] b6: Tensor,
        #[param(K)] b8: Tensor, #[param(H, K)] w10: Tensor, #[dim(E)] de: Dim,
        #[param(H)] b16: Tensor, #[param(H, K)] w18: Tensor, #[dim(K)] dk: Dim,
        #[param(H, K)] w19: Tensor, #[param(K)] b20: Tensor,
    ) {
        let p1 = pull::<Signal>().x;
        let x3: Tensor = w2.dot(p1);
        let v4: Node = gather(0);
        let x7 = (x3 - v4.c).greater(b5 + 0.6).select(b6, x3 - v4.c).tanh();
        let x9 = b8.relu().softmax();
        let s11 = mse(v4.h, w10.tanh().dot(x7)).tanh();
        let s12 = zeros(de).max();
        let mut m13 = x9;
        let x14 = if 0.2 < x9.sum() {
            m13 -= (x9 - x7.max()).exp().tanh();
            let x15 = if !(s12 < 0.1 || x7.max() > s11) {
                m13 = (x7 - x9).tanh() * s11.tanh();
                (x9 / (x7.norm() + 0.5)).tanh()
            } else {
                (x9 * x7).sigmoid()
            };
            (x15 + (x7 * x9).sigmoid()).tanh()
        } else {
            (x9 - x7).tanh() * s12.tanh()
        };
        m13 = m13.tanh();
        let x17 = (b16.sigmoid() + 0.5).ln().sigmoid();
        let state: Node = Node { h: (((w18 * s11).dot(x9) + s12 - (w10 * (1.0 / dk as f64)).dot(x14)).tanh() + w19.tanh().dot(m13) + x17).tanh(), c: b20 / (v4.c.sigmoid() + 0.5) };
        scatter(state);
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
        #[dim(E)] de: Dim, #[param(E, E)] w10: Tensor, #[param(E)] b12: Tensor,
        #[param(E, H)] w13: Tensor, #[param(K, H)] w15: Tensor, #[dim(K)] dk: Dim,
        #[param(H, K)] w16: Tensor, #[param(H, K)] w17: Tensor, #[param(H, E)] w18: Tensor,
        #[param(K, H + K)] w19: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = (w2 * 0.75).dot(p1);
        let x5: Tensor = table4.row(id);
        let Node { h: h7, c: c8 } = gather(0);
        b9 /= 1.5;
        b9 -= (0.5 + p1.sigmoid()).ln() - zeros(de);
        b9 = b9.tanh() + w10.dot(x5.maximum(x5));
        b9 = b9.tanh();
        let parts11 = [b9.tanh().greater_equal(b12 + 0.6).select(b12, b9.tanh()), noisy(w13.dot(h7), 0.25), zeros(de)];
        let mut a14 = b12;
        for part in parts11 {
            a14 -= (part * concat([w15.tanh().dot(h7), b9]).slice(dk..dk + de)).tanh();
        }
        scatter(Node { h: ((w16.dot(x3) * w17.dot(c8)).tanh() + w18.tanh().dot(a14)).tanh(), c: w19.dot(summary(Node { h: h7, c: x3 })).tanh() });
    }

    #[vertex_function]
    pub fn one_8(
        #[param(K)] b3: Tensor, #[param(K)] b4: Tensor, #[param(E)] b5: Tensor,
        #[param(K, E)] w6: Tensor, #[dim(K)] dk: Dim, #[param(K)] b7: Tensor,
        #[param(H)] b8: Tensor, #[param(E)] b9: Tensor, #[param(E)] b10: Tensor,
        #[param(E, E)] w11: Tensor, #[param(H, H + 2 * E)] w12: Tensor,
        #[param(H, H)] w14: Tensor, #[param(E, K)] w16: Tensor, #[param(E, K)] w20: Tensor,
        #[dim(E)] de: Dim,
    ) {
        let v1: Node = gather(0);
        let mut m2 = b3 - b4;
        m2 += (v1.c - w6.dot(b5)).softmax();
        m2 += concat([v1.c.slice(1..dk), v1.c.slice(0..1)]);
        m2 -= indicator(zeros(dk).argmax() != b3.sample()) + b7;
        m2 = m2.tanh();
        let x13 = w12.dot(concat([b8, b9, w11.dot(b10)]));
        let x15 = (w14 + w14).dot(v1.h).log_softmax().tanh();
        let s17 = w11.dot(b5).pick((w16 * 0.5).dot(m2).sample());
        let s18 = s17;
        let x19 = if s17 < -0.35 {
            x15.softmax() + 0.5 * x13.tanh()
        } else {
            x13.relu().minimum(x15).tanh()
        };
        scatter(Node { h: ((x13 + x15 - s18) * x19).tanh(), c: m2.log_softmax().tanh() });
        push(Out { y: concat([w20.dot(v1.c).slice(1..de), w20.dot(v1.c).slice(0..1)]) });
    }

    #[vertex_function]
    pub fn one_9(
        #[param(H)] b3: Tensor, #[param(E)] b4: Tensor, #[param(H, E)] w5: Tensor,
        #[param(K)] b6: Tensor, #[param(E)] b7: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let h2 = h2.tanh() + h2 * h2;
        for k in 0..2 {
            loss(indicator((b3.sigmoid() + 0.5).ln().exp().argmax() == h2.sample()) * (k as f64 + 0.25));
        }
        scatter(Node { h: w5.dot(b4).minimum(h2).log_softmax().tanh(), c: 0.5 * b6 });
        push(Out { y: -(b7 * 0.5) });
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
        #[param(2 * H)] b10: Tensor, #[param(V, E)] table13: Tensor, #[param()] s14: Tensor,
        #[param()] s15: Tensor, #[param(E, E)] w18: Tensor, #[param(V, H)] table24: Tensor,
        #[param(H, E)] w25: Tensor, #[param(K)] b26: Tensor, #[param(K, H)] w27: Tensor,
        #[param(K, E)] w28: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = (w2 * 0.75).dot(p1);
        let x5 = table4.row(id);
        let Node { h: h7, c: c8 } = gather(0);
        let [x11, x12] = (w9.dot(x3.tanh().clamp(-0.5, 0.75).tanh()) + b10).split();
        let x16 = ((table13.row(id) + x3) * (s14 - s15)).tanh();
        let n17 = 2.0_f64.sqrt() - 1.5;
        let x19 = ((x16 - n17) / (w18.dot(x16).sigmoid() + 0.5)).tanh();
        let s20 = x12.sum().tanh();
        let s21 = s20;
        let mut m22 = x19;
        let x23 = if s21 < 0.1 {
            (x16.square() + 0.5).ln().tanh()
        } else {
            m22 *= x16.softmax() + 0.5 * x19.tanh();
            x16.softmax() + 0.5 * x19.tanh()
        };
        m22 = m22.tanh();
        loss(table24.row(id).sigmoid().gelu().sum().tanh());
        push(Out { y: (x23.tanh().exp().sigmoid() + 0.5).ln() });
        let (h, c) = ((-x11).maximum(w25.dot(m22)).tanh(), (c8 - b26).sigmoid());
        scatter(Node { h, c });
        loss((x5 - w27.dot(h7) + w28.dot(x19) + s21).tanh().sum());
    }

    #[vertex_function]
    pub fn one_12(
        #[param(K)] b3: Tensor, #[param(K, K)] w4: Tensor, #[param(4 * E, K)] w5: Tensor,
        #[param(4 * E)] b6: Tensor, #[param(H)] b11: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b12: Tensor, #[param(E, K)] w13: Tensor, #[param(E)] b14: Tensor,
        #[dim(K)] dk: Dim, #[param(H, E)] w16: Tensor, #[param(H, E)] w17: Tensor,
        #[param(H, E)] w18: Tensor,
    ) {
        let v1: Node = gather(0);
        let mut m2 = b3;
        m2 *= noisy(v1.c, 0.5) - v1.c;
        m2 = m2.tanh() + blend(v1.c.softmax(), w4.dot(v1.c), v1.c).tanh();
        m2 = m2.tanh();
        let [x7, x8, x9, x10] = (w5.dot(0.5 + m2 / (0.5 + v1.c.sigmoid())) + b6).tanh().split();
        loss(mse(concat([concat([v1.h.slice(1..dh), v1.h.slice(0..1)]), b11]).slice(dh..dh + dh), weighted([b12, b11, b11])));
        let out15 = Scores { y: blend(x9.dropout(0.1), x7, w13.dot(m2)).tanh(), logits: (b14 + 1.0 / dk as f64).tanh().sum() };
        push(out15);
        scatter(Node { c: -zeros(dk), h: ((w16 * 2.0).dot(x8) * (w17 + w18).dot(x10)).tanh() });
    }

    #[vertex_function]
    pub fn one_13(
        #[param(E)] b2: Tensor, #[param(V, E)] table4: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b9: Tensor, #[param(E, K)] w10: Tensor, #[param(V, H)] table12: Tensor,
        #[param(H)] b13: Tensor, #[param(H)] b14: Tensor, #[param(V, K)] table15: Tensor,
        #[param(K, H + K)] w16: Tensor,
    ) {
        let p1: Word = pull();
        let x3: Tensor = p1.x * b2;
        let x5 = table4.row(p1.id);
        let v6 = gather::<Node>(0);
        let (x7, [x11], s8) = (zeros(dk).tanh() - b9, [table12.row(p1.id).minimum(v6.h)], (2.0 / (0.5 + w10.dot(v6.c).sigmoid())).tanh().sum());
        let (h, c) = ((2.0 / (0.5 + (b13 * x11).sigmoid())).tanh(), w16.dot(summary(Node { h: b14, c: table15.row(p1.id) })).sigmoid());
        scatter(Node { h, c });
        loss(((x3 - p1.x + x5) * w10.dot(x7) * s8).tanh().sum());
    }

    #[vertex_function]
    pub fn one_14(
        #[param(E, E)] w1: Tensor, #[param(E)] b4: Tensor, #[param(K, E)] w5: Tensor,
        #[dim(K)] dk: Dim, #[dim(E)] de: Dim, #[param(H)] b8: Tensor, #[dim(H)] dh: Dim,
        #[param(4 * K, E)] w13: Tensor, #[param(E, H)] w19: Tensor, #[param(K)] b20: Tensor,
        #[param(H, H)] w21: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2: Tensor = w1.dot(x);
        let v3 = gather::<Node>(0);
        let x6 = w5.dot(b4 * x2);
        let x7 = scaled(concat([v3.c.slice(1..dk), v3.c.slice(0..1)]), de);
        let s9 = mse(b8, zeros(dh));
        let s10 = s9;
        let mut m11 = x7;
        let x12 = if -0.35 >= x7.sum() {
            m11 += x7.softmax() + 0.5 * x6.tanh();
            x6.tanh()
        } else {
            m11 = x7.tanh();
            x6.tanh()
        };
        m11 = m11.tanh();
        let [x14, x15, x16, x17] = w13.dot(x2 * zeros(de) * 0.5).split();
        let n18 = 0.5 / (1.0 + de as f64);
        loss(cross_entropy((n18 + (2.0 + v3.h)).tanh(), label));
        for k in 0..2 {
            loss(mse(crate::generated::cells::gate(w5, w19.dot(v3.h), b20).log_softmax().tanh(), zeros(dk).relu()) * (k as f64 + 0.25));
        }
        let state: Node = Node { h: weighted([v3.h, v3.h, w21.dot(v3.h)]).tanh(), c: (((x6 - x7 - s10 + x12 - m11).tanh() + x14) * x15 + x16 + x17).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn one_15(
        #[param(E)] b2: Tensor, #[param(K, K)] w7: Tensor, #[param(K, K)] w8: Tensor,
        #[param(E, H)] w11: Tensor, #[param(K)] b14: Tensor, #[param(K, K)] w15: Tensor,
        #[param()] s17: Tensor, #[param(H)] b20: Tensor, #[dim(H)] dh: Dim,
        #[param(K, E)] w22: Tensor, #[param(K, E)] w23: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b24: Tensor, #[param(K)] b25: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = p1 * b2;
        let Node { h: h5, c: c6 } = gather(0);
        let [x9, x10] = [c6.relu().tanh(), (w7 + w8).dot(c6)];
        let x12 = (2.0 / (w11.dot(h5).sigmoid() + 0.5)).tanh();
        let x13 = p1.maximum(x3).exp().tanh();
        let s16 = b14.pick(w15.dot(x9).sample());
        let s18 = s17 + s17;
        let x19 = if x12.max() < s16 {
            (x12.sum() + s16).tanh() * x13.sigmoid()
        } else {
            x13.relu().minimum(x12).tanh()
        };
        let n21 = 0.5 / (1.0 + dh as f64);
        loss(cross_entropy(n21 * (-b20), label));
        let state: Node = Node { h: concat([x12, h5]).slice(de..de + dh), c: ((x10 + w22.dot(x12) + w23.dot(x13)) * s16 * s18 * w22.dot(x19)).tanh() };
        scatter(state);
        let out26 = Scores { y: b24.sigmoid(), logits: b25.max() };
        push(out26);
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
        #[param(H, E)] w5: Tensor, #[param(K)] b9: Tensor, #[param(K)] b10: Tensor,
        #[dim(H)] dh: Dim, #[param(K, K)] w12: Tensor, #[param(H, E)] w13: Tensor,
        #[param(E)] b14: Tensor, #[param(H, K)] w15: Tensor, #[param(H, K)] w16: Tensor,
        #[param(K, E)] w17: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { target: p4, label } = pull::<Gold>();
        let x6 = w5.dot(p4);
        let (x7, [x11], s8) = (b9.maximum(b10) + mse(p4, p4), [b9.tanh()], cross_entropy(1.0 / dh as f64 / (0.5 + zeros(dh).sigmoid()), label).tanh());
        loss(w12.mean());
        loss(w13.dot(p4).minimum(h2).pick(x6.argmax()));
        push(Out { y: b14.maximum(p4).minimum(p4) });
        scatter(Node { h: (((w15 + w16).dot(c3) - w15.dot(x7)).tanh() * s8 + w15.dot(x11)).tanh(), c: noisy(w17.tanh().dot(p4), 0.25).tanh() });
    }

    #[vertex_function]
    pub fn one_18(
        #[param(K, H)] w2: Tensor, #[param(H, 2 * K)] w3: Tensor, #[param(H)] b4: Tensor,
        #[dim(H)] dh: Dim, #[param(E, H)] w7: Tensor, #[dim(E)] de: Dim, #[param(K)] b10: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let [x5, x6]: [Tensor; 2] = [w3.dot(concat([v1.c, w2.dot(v1.h)])), v1.h.greater(b4 + 0.6).select(zeros(dh), v1.h)];
        let out8 = Scores { y: (w7.dot(x5).sigmoid() + 0.5).ln(), logits: w7.dot(x6).tanh().softmax() };
        push(out8);
        let n9 = 2.0 / (1.0 + de as f64);
        let state = Node { c: (0.75 / (0.5 + (n9 / (b10.sigmoid() + 0.5)).sigmoid())).tanh(), h: v1.h * x6 };
        scatter(Node { h: state.h, c: state.c * 0.5 });
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
        #[param(3 * E, H)] w9: Tensor, #[param(3 * E)] b10: Tensor, #[param(K, E)] w12: Tensor,
        #[param()] s13: Tensor, #[param(2 * H, K)] w14: Tensor, #[param(2 * H)] b15: Tensor,
        #[param(H, H)] w18: Tensor, #[param(H)] b20: Tensor, #[param(H, H)] w21: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = p1 * b2;
        let Node { h: h5, c: c6 } = gather(0);
        let parts7 = (w9.dot(b8.hard_tanh() - zeros(dh).sum()) + b10).split::<3>();
        let mut a11 = b2;
        for k in 0..3 {
            a11 = a11.tanh() + (parts7[k] + (x3 - p1)).tanh();
        }
        let (x16, x17) = halves(w14.dot((s13 - w12.dot(a11)).tanh().relu()) + b15);
        let n19 = 2.0_f64.sqrt() - 0.75;
        for k in 0..2 {
            loss(cross_entropy(((w18 * n19).dot(x16) + b20).tanh().maximum(x17), label) * (k as f64 + 0.25));
        }
        for k in 0..2 {
            loss(cross_entropy(1.0 / (dh as f64).sqrt() / (zeros(dh).sigmoid() + 0.5), label) * (k as f64 + 0.25));
        }
        scatter(Node { h: (w21.dot(h5) * 0.75).log_softmax().tanh(), c: (0.5 / (0.5 + c6.sigmoid())).tanh().gelu().tanh() });
    }

    #[vertex_function]
    pub fn one_22(
        #[param(E, K)] w2: Tensor, #[param(2 * H, E)] w3: Tensor, #[param(2 * H)] b4: Tensor,
        #[param(K, K)] w7: Tensor, #[param(H, K)] w8: Tensor, #[param(H)] b9: Tensor,
        #[param(K, H + K)] w10: Tensor, #[param(E)] b11: Tensor, #[dim(K)] dk: Dim,
        #[param(E, H)] w12: Tensor, #[param(E, H)] w13: Tensor,
    ) {
        let v1: Node = gather(0);
        let [x5, x6] = (w3.dot(w2.dot(v1.c).softmax().leaky_relu(0.1)) + b4).split();
        loss((w7.dot(v1.c) * v1.c).sum().tanh());
        let state: Node = Node { h: w8.dot(v1.c).minimum(x6).tanh().elu(0.7).tanh(), c: w10.dot(concat([b9, v1.c])).tanh() };
        scatter(state);
        push(Out { y: (1.0 / (dk as f64).sqrt() * b11).greater(w2.dot(v1.c) + 0.35).select((w12 + w13).dot(v1.h), 1.0 / (dk as f64).sqrt() * b11).tanh() });
        loss(x5.tanh().sum());
    }

    #[vertex_function]
    pub fn one_23(
        #[param(E, E)] w3: Tensor, #[param(E, H)] w5: Tensor, #[param()] s6: Tensor,
        #[param(E, K)] w7: Tensor, #[dim(E)] de: Dim, #[param(H, K)] w8: Tensor,
        #[dim(H)] dh: Dim,
    ) {
        let v1 = gather::<Node>(0);
        let x2 = {
            let x4 = v1.h.tanh() * w3.max();
            w5.dot(x4).tanh()
        };
        for k in 0..2 {
            loss((s6 + x2).sum().tanh() * (k as f64 + 0.25));
        }
        loss(mse(1.0 / de as f64 * (w7.tanh().dot(v1.c) - w7.dot(v1.c)), zeros(de)).tanh());
        scatter(Node { c: (noisy(v1.c, 0.25) - v1.c).tanh(), h: concat([w8.dot(v1.c).slice(1..dh), w8.dot(v1.c).slice(0..1)]).tanh() });
    }

    #[vertex_function]
    pub fn one_24(
        #[param(K)] b3: Tensor, #[param()] s4: Tensor, #[param(K, H)] w5: Tensor,
        #[param(K)] b6: Tensor, #[param(K, K)] w7: Tensor, #[param(K)] b9: Tensor,
        #[param(K)] b10: Tensor, #[param()] s12: Tensor, #[param(H)] b18: Tensor,
        #[param(H, H)] w19: Tensor, #[param(H)] b20: Tensor, #[param(E, H)] w21: Tensor,
        #[param(H, K)] w22: Tensor, #[param(H, K)] w23: Tensor, #[param(K, E)] w24: Tensor,
        #[param(E)] b25: Tensor, #[param(K)] b26: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let x8 = (b3 - s4).greater_equal(w5.dot(h2) + 0.6).select(w7.dot(b6), b3 - s4);
        let x11 = weighted([b9, b10, x8]).dropout(0.1).tanh();
        let s13 = s4 + s12;
        let s14 = s13;
        let x15 = if -0.35 < x8.sum() || s14 >= -0.35 {
            (x8 - x11.max()).exp().tanh()
        } else if !(x8.max() > s13 || -0.35 <= x8.sum()) {
            let x16 = if -0.35 >= x8.sum() && x11.max() <= s13 {
                (x11 * x8).sigmoid()
            } else {
                let x17 = if !(-0.35 <= x8.sum() || -0.35 < x8.sum()) {
                    x11.tanh()
                } else if !(s13 > -0.35 || s13 < -0.35) {
                    (x11 / (x8.norm() + 0.5)).tanh()
                } else {
                    (x11 - x8.max()).exp().tanh()
                };
                (x17 + x11.tanh()).tanh()
            };
            (x16 + x8.relu().minimum(x11).tanh()).tanh()
        } else {
            (x11 - x8.max()).exp().tanh()
        };
        loss(h2.greater_equal(b18 + 0.1).select(w19.dot(h2), h2).sigmoid().sum());
        loss((b20 - s14).softmax().sum());
        push(Out { y: w21.dot(h2).softplus().tanh() });
        scatter(Node { h: (w22.dot(x11) - w23.dot(x15)).tanh(), c: crate::generated::cells::gate(w24, b25, b26).tanh() });
    }

    #[vertex_function]
    pub fn one_25(
        #[param(H, K)] w2: Tensor, #[dim(H)] dh: Dim, #[param(E)] b4: Tensor, #[dim(E)] de: Dim,
        #[param()] s6: Tensor, #[param()] s8: Tensor, #[param(K, H)] w14: Tensor,
        #[param(K, H)] w15: Tensor, #[param(H, K)] w16: Tensor,
    ) {
        let v1: Node = gather(0);
        let x3 = w2.dot(v1.c).tanh();
        let x5 = weighted([concat([b4, v1.h]).slice(de..de + dh), zeros(dh), x3]);
        let s7 = s6.sigmoid();
        let s9 = s6 + s8;
        let x10 = if s9 > -0.35 && x5.max() >= s9 {
            (x5 * x3).sigmoid()
        } else {
            let x11 = if -0.35 > x3.sum() || s9 < 0.1 {
                let x12 = if s9 < -0.35 && -0.35 > x3.sum() {
                    (x5 - x3.max()).exp().tanh()
                } else {
                    (x3 - x5.max()).exp().tanh()
                };
                (x12 + (x5 / (x3.norm() + 0.5)).tanh()).tanh()
            } else {
                let x13 = if x5.max() > s9 {
                    (x5 * x3).sigmoid()
                } else {
                    x3.softmax() + 0.5 * x5.tanh()
                };
                (x13 + (x3 - x5.max()).exp().tanh()).tanh()
            };
            (x11 + (x3 / (x5.norm() + 0.5)).tanh()).tanh()
        };
        let state: Node = Node { h: (w16 + w2).dot(v1.c).relu().tanh(), c: (((w14 * (1.0 / de as f64)).dot(x5) - s7).tanh() + s9 - w15.dot(x10)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn one_26(
        #[param(E, H)] w5: Tensor, #[dim(H)] dh: Dim, #[param(E)] b6: Tensor,
        #[param(E, H)] w7: Tensor, #[dim(E)] de: Dim, #[dim(K)] dk: Dim,
        #[param(H, E)] w9: Tensor, #[param(K)] b10: Tensor, #[param(K, K)] w11: Tensor,
        #[param(K, K)] w12: Tensor, #[param(E, E)] w13: Tensor, #[param(H, E)] w14: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let mut m4 = gate(w5, zeros(dh), b6);
        m4 += concat([c3.greater(c3 + 0.35).select(c3, c3), w7.dot(h2)]).slice(dk..dk + de);
        let n8 = 2.0_f64.sqrt() - 0.5;
        m4 /= n8;
        m4 = m4.tanh();
        let (h, c) = ((w9 + w9).dot(m4).tanh(), (b10 + (w11 + w12).dot(c3)).tanh());
        scatter(Node { h, c });
        let out15 = Scores { y: w13.dot(m4), logits: concat([h2.slice(1..dh), h2.slice(0..1)]) / (w14.dot(m4).sigmoid() + 0.5) };
        push(out15);
    }

    #[vertex_function]
    pub fn one_27(
        #[param(H, E)] w1: Tensor, #[param()] s4: Tensor, #[dim(H)] dh: Dim,
        #[param(2 * E, K)] w5: Tensor, #[param(2 * E)] b6: Tensor, #[param(H, K)] w9: Tensor,
        #[param(K)] b11: Tensor, #[param(H)] b12: Tensor, #[param(H, E)] w13: Tensor,
        #[param(H, E)] w14: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = w1.dot(target);
        let v3: Node = gather(0);
        let (x7, x8) = halves(w5.dot((s4 + v3.c) * zeros(dh).sum()) + b6);
        let n10 = 2.0 / (1.0 + dh as f64);
        let state: Node = Node { h: affine(w9, n10 / (b11.sigmoid() + 0.5), b12).tanh(), c: (0.5 + v3.c.sigmoid()).ln().maximum(v3.c).tanh() };
        scatter(state);
        loss((x2 - v3.h + w13.dot(x7) + w14.tanh().dot(x8)).tanh().sum());
    }

    #[vertex_function]
    pub fn one_28(
        #[param(E)] b2: Tensor, #[dim(E)] de: Dim, #[param()] s3: Tensor,
        #[param(K, H)] w5: Tensor, #[param()] s6: Tensor, #[param(K)] b7: Tensor,
        #[param(E)] b8: Tensor, #[param(K, E)] w9: Tensor, #[param(K, H)] w11: Tensor,
        #[param(K)] b12: Tensor, #[dim(K)] dk: Dim, #[dim(H)] dh: Dim,
        #[param(E, H)] w13: Tensor, #[param(E)] b14: Tensor, #[param(E, K)] w15: Tensor,
    ) {
        let v1: Node = gather(0);
        let s4 = b2.tanh().pick(zeros(de).sample()) * s3;
        let s10 = mse(gate(w5, s6 - v1.h, b7), w9.dot(b8)).tanh();
        loss(s4);
        loss((affine(w11, v1.h, b12) * zeros(dk)).sum().tanh());
        let (h, c) = (scaled(zeros(dh), dh), (v1.c + s10).tanh());
        scatter(Node { h, c });
        push(Out { y: (w13.dot(v1.h) + b14).maximum(w15.dot(v1.c)) });
    }

    #[vertex_function]
    pub fn one_29(
        #[param(H)] mut b2: Tensor, #[param(H)] b3: Tensor, #[dim(H)] dh: Dim,
        #[param(H, H)] w4: Tensor, #[param(K)] b5: Tensor, #[dim(K)] dk: Dim,
        #[param(E)] b6: Tensor, #[param(K, E)] w7: Tensor, #[param(E, K)] w8: Tensor,
        #[dim(E)] de: Dim, #[param()] s9: Tensor,
    ) {
        let v1: Node = gather(0);
        b2 /= 1.5;
        b2 -= (b3 + v1.h).sigmoid();
        b2 = b2.tanh() + (b3.less(zeros(dh) + 0.35).select(w4.dot(v1.h), b3) - v1.h).tanh();
        b2 = b2.tanh();
        loss(mse((b5 * zeros(dk)).log_softmax(), w7.dot(b6) + 1.5));
        for k in 0..2 {
            loss(concat([w8.dot(v1.c), b2 + s9]).slice(0..de).sum() * (k as f64 + 0.25));
        }
        scatter(Node { h: (mse(v1.c, v1.c) - (0.75 - b2)).tanh(), c: (1.0 / dk as f64 / (0.5 + (v1.c + s9).sigmoid())).tanh() });
    }

    #[vertex_function]
    pub fn one_30(
        #[param(E)] b2: Tensor, #[param(V, H)] table4: Tensor, #[param(H, H)] w8: Tensor,
        #[dim(H)] dh: Dim, #[param(E, H)] w11: Tensor, #[param(V, K)] table12: Tensor,
        #[param(K)] b13: Tensor, #[param(K, K)] w14: Tensor, #[param(K, E)] w15: Tensor,
        #[param(H, E)] w17: Tensor, #[param(V, K)] table18: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = p1.x * b2;
        let x5 = table4.row(p1.id);
        let Node { h: h7, .. } = gather(0);
        let [x9, x10] = [-w8.dot(x5), zeros(dh) - h7];
        let out16 = Scores { y: w11.dot(x9), logits: table12.row(p1.id).greater_equal(w14.dot(b13) + 0.1).select(w15.dot(x3), table12.row(p1.id)).sum() };
        push(out16);
        let (h, c) = ((w17.dot(p1.x) - x10).tanh(), b13 - table18.row(p1.id));
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn one_31(
        #[param(K, E)] w5: Tensor, #[param(H)] b7: Tensor, #[param()] s9: Tensor,
        #[dim(K)] dk: Dim, #[param(K, H)] w16: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let p4 = pull::<Gold>().target;
        let x6 = w5.dot(p4);
        let x8 = (b7.exp() - h2).tanh();
        let x10 = ((x6.sigmoid() + 0.5).ln() - (1.5 + s9)).tanh();
        let x11 = x10.log_softmax().dropout(0.5).tanh();
        let s12 = zeros(dk).sum();
        let s13 = s12;
        let x14 = if 0.1 > x11.sum() || s13 >= 0.2 {
            (x10 - x11.max()).exp().tanh()
        } else {
            let x15 = if s12 >= -0.35 {
                x11.softmax() + 0.5 * x10.tanh()
            } else if s13 <= 0.2 {
                (x11 / (x10.norm() + 0.5)).tanh()
            } else {
                (x10 - x11).tanh() * s12.tanh()
            };
            (x15 + (x11 - x10).tanh() * s13.tanh()).tanh()
        };
        loss(s13);
        loss(s13);
        let state: Node = Node { h: x8.sigmoid(), c: (c3 - (w16 + w16).dot(x8) - x11 + x14).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn one_32(
        #[param(H)] mut b2: Tensor, #[param(E)] b3: Tensor, #[param(E, E)] w4: Tensor,
        #[param(E)] b6: Tensor, #[param(E, H)] w8: Tensor, #[param(E)] b9: Tensor,
        #[param(K)] b18: Tensor, #[param(H, E)] w19: Tensor, #[param(H, E)] w20: Tensor,
        #[param(H, E)] w21: Tensor,
    ) {
        let v1: Node = gather(0);
        b2 -= (-v1.h).dropout(0.5);
        b2 = b2.tanh();
        let x5 = (w4.dot(b3) * b3).tanh();
        let x7 = b6.exp();
        let s10 = indicator(w8.dot(b2).argmax() == b9.sample());
        let s11 = s10;
        let x12 = if 0.1 >= x7.sum() || s11 < 0.2 {
            let x13 = if 0.1 > x5.sum() {
                let x14 = if !(x7.max() <= s11 || -0.35 > x5.sum()) {
                    (x5 / (x7.norm() + 0.5)).tanh()
                } else {
                    x7.tanh()
                };
                (x14 + x7.relu().minimum(x5).tanh()).tanh()
            } else {
                let x15 = if !(s11 >= 0.1 || x7.max() >= s10) {
                    x5.tanh()
                } else {
                    (x7 / (x5.norm() + 0.5)).tanh()
                };
                (x15 + (x5.sum() + s11).tanh() * x7.sigmoid()).tanh()
            };
            (x13 + x5.tanh()).tanh()
        } else if x7.max() >= s11 || x5.max() <= s11 {
            let x16 = if !(s11 >= 0.2 || s10 >= -0.35) {
                (x7 - x5.max()).exp().tanh()
            } else {
                x7.tanh()
            };
            (x16 + (x5 / (x7.norm() + 0.5)).tanh()).tanh()
        } else {
            let x17 = if s10 >= 0.2 {
                x5.relu().minimum(x7).tanh()
            } else {
                (x5 - x7.max()).exp().tanh()
            };
            (x17 + x5.tanh()).tanh()
        };
        let state: Node = Node { h: v1.h.relu().maximum(v1.h), c: (b18 - v1.c).sigmoid() };
        scatter(state);
        loss(((w19 * s10).dot(x5) + w20.dot(x7) + s11 + w21.dot(x12)).tanh().sum());
    }

    #[vertex_function]
    pub fn one_33(
        #[param(E, E)] w2: Tensor, #[param(E, K)] w4: Tensor, #[param(E)] b6: Tensor,
        #[param()] s7: Tensor, #[dim(E)] de: Dim, #[param(K, K)] w16: Tensor,
        #[param(K, E)] w17: Tensor, #[param(H, E)] w18: Tensor, #[param(H, E)] w19: Tensor,
        #[param(H, E)] w20: Tensor, #[param(K, H)] w21: Tensor,
    ) {
        let v1: Node = gather(0);
        let Gold { label, target } = pull();
        let x3: Tensor = w2.dot(target);
        let x5 = -w4.dot(v1.c).tanh();
        let n8 = 2.0 / (1.0 + de as f64);
        let x9 = (s7 + b6 + n8).tanh();
        let s10 = s7.tanh();
        let s11 = s10;
        let mut m12 = x9;
        let x13 = if 0.2 > x9.sum() {
            m12 += (x5.square() + 0.5).ln().tanh();
            let x14 = if s11 <= -0.35 {
                m12 += (x9 * x5).sigmoid();
                (x5 - x9.max()).exp().tanh()
            } else {
                m12 += x5.tanh();
                let x15 = if -0.35 > x5.sum() && s11 > 0.2 {
                    (x5 - x9).tanh() * s11.tanh()
                } else {
                    m12 -= (x9.square() + 0.5).ln().tanh();
                    x9.relu().minimum(x5).tanh()
                };
                (x15 + (x5 - x9).tanh() * s11.tanh()).tanh()
            };
            (x14 + (x5 - x9.max()).exp().tanh()).tanh()
        } else {
            m12 *= (x5 - x9).tanh() * s11.tanh();
            x5.tanh()
        };
        m12 = m12.tanh();
        loss(cross_entropy((w16.dot(v1.c) - (w17 + w17).dot(m12)).tanh().log_softmax().tanh(), label));
        loss(w16.sum());
        push(Out { y: (0.5 + b6.sigmoid()).ln().tanh() });
        scatter(Node { h: (((v1.h + w18.tanh().dot(x3)) * w18.dot(x5) + (w19 * 0.5).dot(x9)).tanh() - s11 - (w20 * 2.0).dot(x13)).tanh(), c: noisy(w21.dot(v1.h), 0.25).tanh() });
    }

    #[vertex_function]
    pub fn one_34(
        #[param(E, E)] w3: Tensor, #[dim(H)] dh: Dim, #[param(K, E)] w5: Tensor,
        #[param(K)] b6: Tensor, #[param(K, K)] w7: Tensor, #[dim(K)] dk: Dim,
        #[param()] s11: Tensor, #[param(E)] b17: Tensor, #[param(K, H)] w18: Tensor,
        #[param(H)] b19: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Word { x, .. } = pull();
        let x4 = w3.dot(x);
        let x8 = concat([w5.dot(x4).minimum(w7.dot(b6)), h2]).slice(dk..dk + dh);
        let x9 = (0.5 + x8.sigmoid()).ln().noise(0.1).tanh();
        let s10 = (x9 * zeros(dh)).sum();
        let s12 = s11.tanh();
        let mut m13 = x9;
        let x14 = if s12 >= 0.1 || 0.1 < x9.sum() {
            m13 -= x9.softmax() + 0.5 * x8.tanh();
            let x15 = if s12 < 0.1 && s12 > -0.35 {
                m13 -= x9.relu().minimum(x8).tanh();
                x8.softmax() + 0.5 * x9.tanh()
            } else if s10 >= 0.2 {
                m13 = (x8.square() + 0.5).ln().tanh();
                let x16 = if s10 <= 0.2 {
                    m13 += (x9.square() + 0.5).ln().tanh();
                    (x9 * x8).sigmoid()
                } else {
                    m13 *= x8.tanh();
                    x8.tanh()
                };
                (x16 + (x8 / (x9.norm() + 0.5)).tanh()).tanh()
            } else {
                x9.softmax() + 0.5 * x8.tanh()
            };
            (x15 + (x8 * x9).sigmoid()).tanh()
        } else {
            m13 -= (x8.sum() + s10).tanh() * x9.sigmoid();
            x8.softmax() + 0.5 * x9.tanh()
        };
        m13 = m13.tanh();
        push(Out { y: scaled(b17.sigmoid(), dk) });
        let state: Node = Node { h: x9.greater_equal(b19 + 0.6).select(x9, x9), c: (scaled(zeros(dk), dk) * s10 - s12 + w18.dot(x14) + w18.tanh().dot(m13)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn one_35(
        #[param(H)] b4: Tensor, #[param(K)] b5: Tensor, #[param(H, H + K)] w6: Tensor,
        #[dim(H)] dh: Dim, #[param(E, K)] w7: Tensor, #[dim(E)] de: Dim, #[dim(K)] dk: Dim,
        #[param(E, H)] w8: Tensor, #[param(K, K)] w10: Tensor, #[param()] s11: Tensor,
        #[param(E)] b12: Tensor, #[param(H, H)] w14: Tensor, #[param(E, E)] w18: Tensor,
        #[param(K)] b23: Tensor, #[param(H, K)] w24: Tensor, #[param(H, E)] w25: Tensor,
        #[param(K, H)] w26: Tensor, #[param(K)] b27: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let mut m3 = h2 * b4;
        m3 -= (w6.dot(summary(Node { h: h2, c: b5 })) + 0.5).tanh();
        m3 /= 1.0 / dh as f64;
        m3 = m3.tanh();
        let x9 = (concat([zeros(dk), w7.dot(b5)]).slice(dk..dk + de) + w8.dot(m3)).tanh();
        let x13 = crate::generated::cells::gate(w7, s11 + w10.dot(b5), b12).tanh();
        let s15 = w14.min();
        let s16 = s15;
        let i19 = concat([x9.minimum(w18.tanh().dot(x13)), zeros(3)]).argmax();
        let x17 = match i19 {
            Index(0) => {
                (x9 * x13).sigmoid()
            }
            Index(1) | Index(2) => {
                let x20 = if -0.35 > x13.sum() && -0.35 < x13.sum() {
                    let x21 = if x13.max() <= s16 {
                        x13.relu().minimum(x9).tanh()
                    } else {
                        x9.softmax() + 0.5 * x13.tanh()
                    };
                    (x21 + (x9 / (x13.norm() + 0.5)).tanh()).tanh()
                } else {
                    (x9 * x13).sigmoid()
                };
                (x20 + (x13.square() + 0.5).ln().tanh()).tanh()
            }
            _ => {
                (x13 / (x9.norm() + 0.5)).tanh()
            }
        };
        let out22 = Scores { y: (1.0 / (de as f64).sqrt() / (0.5 + b12.sigmoid())).tanh(), logits: s15 };
        push(out22);
        let state = Node { c: b5.less((w26 + w26).dot(m3) + 0.6).select(b27, b5), h: (-w24.dot(b23) * s16 + w25.dot(x17)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }
}

pub mod pair {
    use super::prelude::*;

    #[vertex_function]
    pub fn pair_0(
        #[dim(H)] dh: Dim, #[param(K)] b1: Tensor, #[param(K, K)] w2: Tensor,
        #[param()] s3: Tensor, #[param(H)] b5: Tensor, #[dim(E)] de: Dim, #[param(K)] b6: Tensor,
        #[param(H, E)] w9: Tensor, #[param(V, K)] table11: Tensor,
        #[param(3 * E, H)] w14: Tensor, #[param(H, K)] w18: Tensor, #[param(H, K)] w19: Tensor,
        #[param(H, E)] w20: Tensor, #[param(H, E)] w21: Tensor, #[param(H, E)] w22: Tensor,
        #[param(H, E)] w23: Tensor,
    ) {
        let v4: Node = gather_or(1, Node { h: zeros(dh), c: w2.dot(b1) + s3 });
        let v7: Node = gather_or(0, Node { h: scaled(b5, de), c: b6 });
        let p8: Word = pull();
        let x10 = w9.dot(p8.x);
        let x12 = table11.row(p8.id);
        let n13 = 2.0_f64.sqrt() - 1.5;
        let [x15, x16, x17]: [Tensor; 3] = w14.dot((n13 + b5).relu()).split();
        let (h, c) = ((((((v4.h * w18.dot(v4.c) - v7.h - (w18 * 0.75).dot(v7.c) + x10).tanh() - w9.dot(p8.x) - w19.dot(x12)) * w20.dot(x15)).tanh() - (w21 + w22).dot(x16)).tanh() * w23.dot(x17)).tanh(), (2.0 - v7.c).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn pair_1(
        #[dim(H)] dh: Dim, #[param(K)] b1: Tensor, #[dim(K)] dk: Dim, #[param(E)] b7: Tensor,
        #[param(K, K)] w9: Tensor, #[param(K, E)] w10: Tensor, #[param(E, E)] w13: Tensor,
        #[param(H)] b18: Tensor, #[param(K, H)] w20: Tensor,
    ) {
        let Node { h: h3, .. } = gather_or(1, Node { h: zeros(dh), c: b1 });
        let Node { h: h5, c: c6 } = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let Word { x, .. } = pull();
        let x8 = x * b7;
        let x11 = (2.0 / (0.5 + c6.less(w9.tanh().dot(c6) + 0.1).select(w10.dot(x8), c6).sigmoid())).tanh();
        let x12 = b1.tanh() - b1;
        let s14 = w13.dot(x8).sum();
        let s15 = s14;
        let mut m16 = x12;
        let x17 = if 0.2 < x12.sum() {
            m16 += (x11 - x12).tanh() * s15.tanh();
            (x11 / (x12.norm() + 0.5)).tanh()
        } else if 0.1 >= x12.sum() || 0.2 > x12.sum() {
            m16 *= (x12.square() + 0.5).ln().tanh();
            (x11 * x12).sigmoid()
        } else {
            (x11 / (x12.norm() + 0.5)).tanh()
        };
        m16 = m16.tanh();
        let out19 = Scores { y: x.tanh(), logits: (b18 - zeros(dh)).relu() };
        push(out19);
        let state: Node = Node { h: (h3 - h5).tanh(), c: ((((w20.dot(h3) - w20.dot(h5)) * x11 + x12) * s15).tanh() * x17 + m16).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn pair_2(
        #[param(E, E)] w1: Tensor, #[param(V, E)] table3: Tensor, #[dim(H)] dh: Dim,
        #[dim(K)] dk: Dim, #[param(E)] b8: Tensor, #[param()] s9: Tensor, #[dim(E)] de: Dim,
        #[param(K, E)] w15: Tensor, #[param(K, H)] w16: Tensor, #[param(K, H)] w17: Tensor,
        #[param(K, E)] w18: Tensor, #[param(H)] b19: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = w1.dot(x);
        let x4 = table3.row(id);
        let v5: Node = gather(0);
        let Node { h: h7, .. } = gather_or(1, Node { h: zeros(dh), c: zeros(dk) });
        let [x10, x11] = [-b8.exp(), s9 - x2];
        let parts12 = [zeros(de).tanh().tanh(), table3.row(id) * zeros(de), x4];
        let mut a13 = zeros(de);
        let x14 = concat(parts12);
        for k in 0..2 {
            a13 = a13.tanh() + (x14.slice(k * de..(k + 1) * de) * x4.greater_equal(table3.row(id) + 0.1).select(x10, x4)).tanh();
        }
        let state = Node { c: ((((w15 * 2.0).dot(x) + w16.dot(v5.h)) * v5.c + w17.dot(h7) + (w18 * (1.0 / dh as f64)).dot(x11)).tanh() + w15.dot(a13)).tanh(), h: b19.maximum(h7) };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn pair_3(
        #[param(H)] b2: Tensor, #[dim(K)] dk: Dim, #[param(K, E)] w4: Tensor,
        #[param(K, K)] w6: Tensor, #[param()] s8: Tensor, #[param(E, H)] w10: Tensor,
        #[param(E, E)] w11: Tensor, #[param(H, H)] w13: Tensor, #[param(H, H + K)] w17: Tensor,
        #[param(E, K)] w18: Tensor, #[param(K)] b19: Tensor, #[param(K)] b20: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let v3 = gather_or::<Node>(1, Node { h: b2, c: zeros(dk) });
        let Gold { label, target } = pull();
        let x5 = w4.dot(target);
        let x7 = w6.dot(v3.c).exp().tanh().hard_tanh();
        let x9 = v3.c.maximum(zeros(dk)) + s8.tanh();
        let s12 = (w10.dot(v1.h) * w11.dot(target)).tanh().sum();
        let s14 = w13.mean();
        let i16 = concat([v1.c.exp(), zeros(3)]).argmax();
        let x15 = match i16 {
            Index(0) => {
                x7.tanh()
            }
            Index(1) | Index(2) => {
                (x7 * x9).sigmoid()
            }
            _ => {
                (x9.square() + 0.5).ln().tanh()
            }
        };
        loss(cross_entropy(w17.dot(summary(Node { h: v3.h, c: x5 })).tanh().gelu_tanh(), label));
        push(Out { y: (w10.dot(v3.h).less(target + 0.6).select(target, w10.dot(v3.h)) - w18.dot(x15)).tanh() });
        let (h, c) = ((v3.h * v1.h).softmax(), b20.pick(b19.argmax()) + -b19);
        scatter(Node { h, c });
        loss(((x7 - x9 + s12).tanh() + s14).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_4(
        #[dim(H)] dh: Dim, #[param(K)] b1: Tensor, #[param(E)] b2: Tensor,
        #[param(K, E)] w3: Tensor, #[param(E, K)] w6: Tensor, #[param()] s8: Tensor,
        #[param()] s9: Tensor, #[param(E)] b11: Tensor, #[param(E, E)] w17: Tensor,
        #[param(H, E)] w18: Tensor, #[dim(K)] dk: Dim, #[param(K, H)] w19: Tensor,
        #[param(K, H)] w20: Tensor,
    ) {
        let v4: Node = gather_or(0, Node { h: zeros(dh), c: b1 - w3.dot(b2) });
        let v5: Node = gather(1);
        let x7 = (-b2).minimum(w6.dot(v5.c));
        let x10 = x7.sigmoid() - s8 * s9;
        let s12 = x10.pick(b11.argmax());
        let s13 = s12;
        let mut m14 = x10;
        let x15 = if !(0.1 < x7.sum() || s13 >= 0.1) {
            let x16 = if x7.max() < s12 {
                (x7 / (x10.norm() + 0.5)).tanh()
            } else {
                m14 *= (x10 - x7.max()).exp().tanh();
                x10.tanh()
            };
            (x16 + (x10 / (x7.norm() + 0.5)).tanh()).tanh()
        } else {
            m14 = (x7 - x10.max()).exp().tanh();
            x7.tanh()
        };
        m14 = m14.tanh();
        scatter(Node { c: (zeros(dk) + 1.0 / dk as f64).tanh(), h: w18.dot(weighted([x15, (w17 * s12).dot(m14), m14])).tanh() });
        loss((w19.dot(v4.h) - v4.c + w20.dot(v5.h) + s13).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_5(
        #[param(E, E)] w2: Tensor, #[param(H)] b7: Tensor, #[dim(K)] dk: Dim,
        #[param(K, K)] w9: Tensor, #[param(K)] b11: Tensor, #[dim(E)] de: Dim,
        #[param(H, K)] w14: Tensor, #[param(H, E)] w16: Tensor, #[param(E)] b22: Tensor,
        #[param(E, H)] w23: Tensor, #[param(H, K)] w25: Tensor, #[param(H, K)] w26: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x3 = w2.dot(p1);
        let Node { h: h5, c: c6 } = gather(1);
        let v8: Node = gather_or(0, Node { h: b7, c: zeros(dk) });
        let x10 = weighted([(w9 + w9).dot(v8.c), c6, c6]).tanh().log_softmax().tanh();
        let n12 = 2.0 / (1.0 + de as f64);
        let x13 = (b11 * n12).maximum(x10);
        let s15 = (w14 + w14).dot(x10).pick(v8.h.sample());
        let s17 = indicator(w16.tanh().dot(x3).argmax() != h5.sample());
        let mut m18 = x13;
        let x19 = if 0.1 < x10.sum() && s17 < 0.1 {
            let x20 = if !(0.1 >= x10.sum() || s17 < 0.1) {
                m18 -= x10.tanh();
                (x10.square() + 0.5).ln().tanh()
            } else {
                m18 *= x13.relu().minimum(x10).tanh();
                let x21 = if !(s15 <= 0.1 || -0.35 < x10.sum()) {
                    x13.tanh()
                } else if s17 < -0.35 && x13.max() < s15 {
                    m18 += x13.tanh();
                    x13.softmax() + 0.5 * x10.tanh()
                } else {
                    (x10 - x13).tanh() * s17.tanh()
                };
                (x21 + (x13 - x10).tanh() * s15.tanh()).tanh()
            };
            (x20 + (x10.square() + 0.5).ln().tanh()).tanh()
        } else {
            m18 *= x13.tanh();
            (x10 - x13).tanh() * s15.tanh()
        };
        m18 = m18.tanh();
        let out24 = Scores { y: b22.sigmoid(), logits: (w23.tanh().dot(v8.h) / (0.5 + p1.sigmoid())).tanh() };
        push(out24);
        let state: Node = Node { h: ((w14.dot(x13) + s15 + s17 + w25.dot(x19)).tanh() + w26.dot(m18)).tanh(), c: (w9.dot(x19) / (v8.c.sigmoid() + 0.5)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn pair_6(
        #[dim(H)] dh: Dim, #[param(K)] b1: Tensor, #[dim(K)] dk: Dim, #[param(E)] b9: Tensor,
        #[param(V, E)] table11: Tensor, #[param(E, E)] w13: Tensor, #[param(E, E)] w14: Tensor,
        #[param(E, K)] w16: Tensor, #[param(H, K)] w18: Tensor, #[param(V, K)] table19: Tensor,
    ) {
        let Node { h: h3, c: c4 } = gather_or(1, Node { h: zeros(dh), c: b1 });
        let Node { h: h6, c: c7 } = gather_or(0, Node { h: (0.5 - h3).tanh(), c: zeros(dk).tanh() });
        let p8: Word = pull();
        let x10 = p8.x * b9;
        let x12 = table11.row(p8.id);
        let x15 = w14.tanh().dot(w13.dot(p8.x)).tanh();
        let out17 = Scores { y: weighted([x15, x12, w16.dot(c4)]).tanh(), logits: -x10.dropout(0.25) };
        push(out17);
        scatter(Node { h: (h6 - (w18 * 2.0).dot(c7)).tanh(), c: c7.maximum(table19.row(p8.id)) });
    }

    #[vertex_function]
    pub fn pair_7(
        #[param(K)] b1: Tensor, #[param(H, K)] w2: Tensor, #[param(H)] b3: Tensor,
        #[dim(K)] dk: Dim, #[dim(H)] dh: Dim, #[param(2 * H, H)] w10: Tensor,
        #[param(E)] b13: Tensor, #[param(2 * E, E)] w14: Tensor, #[param(2 * E)] b15: Tensor,
        #[dim(E)] de: Dim, #[param(H, H)] w18: Tensor, #[param()] s19: Tensor,
        #[param(K, E)] w20: Tensor, #[param(E, H)] w21: Tensor, #[param(E, K)] w22: Tensor,
    ) {
        let Node { h: h5, c: c6 } = gather_or(0, Node { h: w2.dot(b1) + b3, c: zeros(dk) });
        let Node { h: h8, c: c9 } = gather_or(1, Node { h: zeros(dh), c: zeros(dk) });
        let [x11, x12]: [Tensor; 2] = w10.dot(2.0 * (0.5 + h8.sigmoid()).ln()).split();
        let [x16, x17] = (w14.dot((-b13).softmax()) + b15).split::<2>();
        push(Out { y: (scaled(x16, dh) / (0.5 + concat([zeros(de), x17]).slice(de..de + de).sigmoid())).tanh() });
        let (h, c) = ((s19 * w18.dot(x11) - mse(x17, b13).tanh()).tanh(), blend((x12 * b3).tanh().sum(), 1.0 / dh as f64 * zeros(dk), w20.dot(x16)).tanh());
        scatter(Node { h, c });
        loss((w21.dot(h5) - (w22 * 0.5).dot(c6) + w22.dot(c9)).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_8(
        #[dim(H)] dh: Dim, #[param(K, K)] w1: Tensor, #[dim(K)] dk: Dim, #[param(K)] b2: Tensor,
        #[param(H)] b6: Tensor, #[param(K)] b7: Tensor, #[param(E, K)] w10: Tensor,
        #[param(E, H)] w11: Tensor, #[param(E, E)] w13: Tensor, #[param(E, H)] w14: Tensor,
        #[param(E)] b15: Tensor, #[param()] s17: Tensor, #[param(K, E)] w24: Tensor,
        #[param(K, E)] w25: Tensor, #[param(K, E)] w26: Tensor,
    ) {
        let Node { h: h4, c: c5 } = gather_or(1, Node { h: zeros(dh), c: affine(w1, zeros(dk), b2) });
        let Node { h: h9, .. } = gather_or(0, Node { h: b6, c: gate(w1, c5, b7) });
        let x12 = (0.5 + w10.dot(c5).sigmoid()).ln().maximum(w11.dot(h4));
        let x16 = gate(w13, w14.dot(h9), b15).tanh();
        let s18 = s17 * s17;
        let s19 = s18;
        let x20 = if s18 < 0.1 {
            (x12.sum() + s19).tanh() * x16.sigmoid()
        } else {
            let x21 = if 0.2 <= x16.sum() {
                let x22 = if s19 <= 0.2 {
                    (x12 - x16.max()).exp().tanh()
                } else if s18 < 0.1 || x16.max() <= s19 {
                    (x16 / (x12.norm() + 0.5)).tanh()
                } else {
                    (x16 - x12.max()).exp().tanh()
                };
                (x22 + x16.tanh()).tanh()
            } else {
                let x23 = if !(s18 <= -0.35 || s19 > -0.35) {
                    x12.tanh()
                } else if x12.max() <= s18 {
                    (x12.square() + 0.5).ln().tanh()
                } else {
                    x16.softmax() + 0.5 * x12.tanh()
                };
                (x23 + (x16 - x12).tanh() * s19.tanh()).tanh()
            };
            (x21 + (x12.square() + 0.5).ln().tanh()).tanh()
        };
        let state: Node = Node { h: (h4 - h9).tanh(), c: (w24.dot(x12) * w25.dot(x16) * s19 - w26.dot(x20)).tanh() };
        scatter(state);
        push(Out { y: (w10.dot(c5).erf().sigmoid() + 0.5).ln() });
    }

    #[vertex_function]
    pub fn pair_9(
        #[param(E, E)] w2: Tensor, #[param(H)] b5: Tensor, #[param(K)] b6: Tensor,
        #[param(H)] b10: Tensor, #[param(K, H)] w12: Tensor, #[param(K)] b13: Tensor,
        #[param(E, K)] w15: Tensor, #[param(H, E)] w16: Tensor, #[param(E, K)] w17: Tensor,
        #[param(K, K)] w18: Tensor, #[param(E)] b19: Tensor, #[param(H, E)] w21: Tensor,
        #[param()] s22: Tensor, #[param()] s23: Tensor, #[param()] s24: Tensor,
        #[param()] s25: Tensor, #[param(K, E)] w26: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let n4 = 2.0_f64.sqrt() - 0.5;
        let v7 = gather_or::<Node>(1, Node { h: (n4 / (0.5 + b5.sigmoid())).tanh(), c: b6 });
        let v8 = gather::<Node>(0);
        let x9 = {
            let x11 = 1.5 * (b10 * v7.h);
            let x14 = w12.dot(x11).log_softmax() * b13;
            w15.dot(x14).tanh()
        };
        let x20 = -blend(mse(w16.dot(x9), v8.h).tanh(), gate(w17, w18.dot(v8.c), b19), x3);
        for k in 0..2 {
            loss(cross_entropy((v7.h - w21.dot(x3) - (s22 - s23)).tanh(), label) * (k as f64 + 0.25));
        }
        loss(mse(v7.c * s24, v8.c) - s25);
        scatter(Node { h: v8.h.variational_dropout(0.25).tanh(), c: (w26 + w26).dot(x20).tanh() });
    }

    #[vertex_function]
    pub fn pair_10(
        #[dim(H)] dh: Dim, #[param(E)] b1: Tensor, #[param(K, E)] w2: Tensor,
        #[param()] s3: Tensor, #[param(E)] b5: Tensor, #[dim(K)] dk: Dim, #[param(H)] b7: Tensor,
        #[param(H, K)] w9: Tensor, #[param(E, H)] w11: Tensor, #[param(E)] b12: Tensor,
        #[param(K, H)] w16: Tensor, #[param(K, H)] w17: Tensor, #[param(H, H)] w18: Tensor,
    ) {
        let v4 = gather_or::<Node>(1, Node { h: zeros(dh), c: s3 + w2.dot(b1) });
        let v6: Node = gather_or(0, Node { h: concat([v4.h, b5]).slice(0..dh), c: zeros(dk) });
        let x8 = -(s3 - b7);
        let x10 = w9.dot(v4.c).dropout(0.25).tanh();
        let s13 = mse(w11.dot(v6.h), b12);
        let s14 = x8.sum();
        let x15 = if s13 < -0.35 {
            x8.softmax() + 0.5 * x10.tanh()
        } else {
            (x8 * x10).sigmoid()
        };
        let (h, c) = (w18.dot(x10).tanh(), (v6.c * (w16 * s13.tanh()).dot(x10) * s14 * w17.dot(x15)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn pair_11(
        #[dim(H)] dh: Dim, #[param(H)] b1: Tensor, #[param(K, H)] w2: Tensor, #[dim(K)] dk: Dim,
        #[param(H, H)] w5: Tensor, #[param()] s6: Tensor, #[param(2 * H, H)] w7: Tensor,
        #[param(2 * H)] b8: Tensor, #[param(K)] b11: Tensor, #[param(2 * E, K)] w12: Tensor,
        #[param(H, K)] w15: Tensor, #[param(H, K)] w16: Tensor, #[param(H, E)] w17: Tensor,
        #[param(H, E)] w18: Tensor,
    ) {
        let v3: Node = gather_or(0, Node { h: zeros(dh), c: w2.dot(b1).exp().tanh() });
        let v4 = gather_or::<Node>(1, Node { h: zeros(dh), c: zeros(dk) });
        let (x9, x10) = halves(w7.dot((w5.tanh().dot(v4.h) + s6).gelu()) + b8);
        let (x13, x14) = halves(w12.dot(b11.sigmoid() - zeros(dk)));
        let state = Node { c: v4.c.relu(), h: (((v3.h + w15.dot(v3.c) + w16.dot(v4.c) - x9).tanh() * x10 + w17.dot(x13)).tanh() - w18.dot(x14)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn pair_12(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H, E)] w3: Tensor, #[param(K)] b8: Tensor,
        #[param(E, K)] w9: Tensor, #[param(E, H)] w12: Tensor, #[param(E)] b13: Tensor,
        #[param()] s16: Tensor, #[dim(E)] de: Dim, #[param(K)] b23: Tensor,
        #[param(K, E)] w25: Tensor, #[param(K, E)] w26: Tensor, #[param(K, E)] w27: Tensor,
    ) {
        let v1: Node = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let v2: Node = gather(1);
        let Signal { x, .. } = pull();
        let x4: Tensor = w3.dot(x);
        let (x5, [x7], s6) = (v1.h.maximum(v2.h).cumulative_sum().tanh(), [v1.c.maximum(b8)], x4.max().sigmoid());
        let n10 = 2.0 / (1.0 + dh as f64);
        let x11 = (w9 * n10).dot(v1.c).softmax().softmax();
        let x14 = gate(w12, s6 + v1.h, b13).tanh();
        let s15 = x5.sum();
        let s17 = s16.tanh();
        let mut m18 = x14;
        let x19 = if x14.max() >= s15 {
            m18 = (x14 / (x11.norm() + 0.5)).tanh();
            let x20 = if 0.2 <= x11.sum() {
                m18 = (x11 / (x14.norm() + 0.5)).tanh();
                (x11.square() + 0.5).ln().tanh()
            } else if s17 < -0.35 || -0.35 <= x14.sum() {
                (x11.square() + 0.5).ln().tanh()
            } else {
                m18 += (x11 * x14).sigmoid();
                x11.relu().minimum(x14).tanh()
            };
            (x20 + (x11.sum() + s15).tanh() * x14.sigmoid()).tanh()
        } else {
            let x21 = if x11.max() >= s17 || x11.max() < s17 {
                (x11 - x14).tanh() * s17.tanh()
            } else if x14.max() >= s17 {
                m18 += x11.softmax() + 0.5 * x14.tanh();
                x14.relu().minimum(x11).tanh()
            } else {
                let x22 = if x11.max() <= s17 {
                    m18 -= (x14.sum() + s15).tanh() * x11.sigmoid();
                    x14.relu().minimum(x11).tanh()
                } else {
                    m18 += x11.relu().minimum(x14).tanh();
                    x14.relu().minimum(x11).tanh()
                };
                (x22 + x11.tanh()).tanh()
            };
            (x21 + (x14 - x11.max()).exp().tanh()).tanh()
        };
        m18 = m18.tanh();
        let out24 = Scores { y: concat([zeros(dh), m18]).slice(dh..dh + de), logits: v1.c.pick(b23.argmax()).sigmoid() };
        push(out24);
        let state = Node { c: (((v2.c + x7 + w25.dot(x11)) * w26.dot(x14) * s15).tanh() + s17 + w27.dot(x19)).tanh(), h: ((w3 * s17).dot(x14) + s17).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn pair_13(
        #[param(H)] b1: Tensor, #[param(H, H)] w2: Tensor, #[param(H)] b3: Tensor,
        #[param(K)] b4: Tensor, #[dim(H)] dh: Dim, #[param()] s6: Tensor, #[param(H)] b9: Tensor,
        #[param(H)] b10: Tensor, #[param(H)] b12: Tensor, #[param(H)] b13: Tensor,
        #[param(K, H)] w14: Tensor, #[param(K, H)] w15: Tensor, #[param(K, H)] w16: Tensor,
    ) {
        let v5: Node = gather_or(1, Node { h: w2.dot(b1).minimum(b3), c: b4 });
        let v7 = gather_or::<Node>(0, Node { h: zeros(dh), c: s6 * b4 });
        let parts8 = [b9 + (s6 + s6), b10.sigmoid(), w2.tanh().dot(v5.h)];
        let mut a11 = zeros(dh);
        for k in 1..=2 {
            a11 += (parts8[k] * (b12 * zeros(dh))).tanh();
        }
        let a11 = a11.tanh() + b13.softmax();
        let state = Node { c: (v5.c + w14.dot(v7.h) + v7.c + (w15 + w16).dot(a11)).tanh(), h: a11.hard_sigmoid() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn pair_14(
        #[dim(K)] dk: Dim, #[param(E)] b1: Tensor, #[param(H, E)] w2: Tensor,
        #[param(K)] b10: Tensor, #[param(K, E)] w12: Tensor, #[param(K, H)] w14: Tensor,
        #[param(E)] b15: Tensor, #[param(E, E)] w16: Tensor, #[param(E)] b17: Tensor,
        #[param(E)] b18: Tensor, #[param()] s19: Tensor, #[param(H, H)] w20: Tensor,
        #[param(K, K)] w22: Tensor, #[param(H, 2 * K)] w23: Tensor, #[param(K)] b24: Tensor,
    ) {
        let v3 = gather_or::<Node>(1, Node { h: (1.0 / dk as f64 / (0.5 + w2.dot(b1).sigmoid())).tanh(), c: -zeros(dk) });
        let Node { h: h5, c: c6 } = gather(0);
        let Gold { target: p7, label } = pull::<Gold>();
        let x8 = p7 * b1;
        let parts9 = [(0.75 + v3.c.less(c6 + 0.1).select(zeros(dk), v3.c)).tanh(), (0.5 + b10.sigmoid()).ln(), b10];
        let mut a11 = b10;
        for part in parts9 {
            a11 += (part - c6 * w12.dot(x8)).tanh();
        }
        let x13 = {
            let h5 = h5.tanh() + v3.h * v3.h;
            h5.tanh()
        };
        loss(cross_entropy((a11 - w14.dot(h5)).tanh(), label));
        let out21 = Scores { y: blend(x8.minimum(b15), w16.dot(p7), b17), logits: b18 + s19 + w20.max() };
        push(out21);
        scatter(Node { c: (c6 * b24 - c6).tanh(), h: w23.dot(concat([c6, w22.dot(c6)])).tanh() });
        loss(w14.dot(x13).sum());
    }

    #[vertex_function]
    pub fn pair_15(
        #[param(H)] b1: Tensor, #[dim(K)] dk: Dim, #[param(E, H)] w6: Tensor,
        #[param()] s9: Tensor, #[dim(H)] dh: Dim, #[param(E)] b11: Tensor,
        #[param(E)] b12: Tensor, #[param(K, H)] w13: Tensor, #[param(K, E)] w14: Tensor,
    ) {
        let v2: Node = gather_or(0, Node { h: b1, c: zeros(dk) });
        let Node { h: h4, .. } = gather(1);
        let x5 = {
            let x7 = noisy(w6.dot(v2.h).relu(), 0.5);
            x7.tanh()
        };
        let mut m8 = 0.5 + x5;
        m8 = blend(s9.sigmoid(), (x5.sigmoid() + 0.5).ln(), x5).tanh() - m8;
        m8 = -x5.dropout(0.25) - m8;
        let n10 = 1.5 / (1.0 + dh as f64);
        m8 /= n10;
        m8 = m8.tanh();
        push(Out { y: (b11 * b12).square().tanh() });
        let state: Node = Node { h: h4.exp().tanh(), c: (v2.c + w13.dot(h4) - w14.dot(m8)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn pair_16(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H)] b3: Tensor, #[param(E, K)] w8: Tensor,
        #[param(E)] b9: Tensor, #[param(E, E)] w10: Tensor, #[param(E)] b11: Tensor,
        #[param(H, E)] w13: Tensor, #[param(H, K)] w14: Tensor, #[param(K, K)] w15: Tensor,
        #[param(K)] b16: Tensor, #[param(H, K)] w18: Tensor,
    ) {
        let Node { h: h2, .. } = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let Node { h: h5, c: c6 } = gather_or(1, Node { h: b3, c: zeros(dk) });
        let x7 = {
            let x12: Tensor = w8.dot(c6).greater_equal(w10.dot(b9) + 0.1).select(w10.dot(b11), w8.dot(c6)).log_softmax();
            let c6 = c6.tanh() + 0.75 / (0.5 + c6.sigmoid());
            ((w13 + w13).dot(x12) - w14.dot(c6)).tanh().tanh()
        };
        let x17: Tensor = w15.dot(c6).softmax().log_softmax().maximum(c6.greater_equal(b16 + 0.6).select(c6, c6));
        let state: Node = Node { h: (h2 + h5 + x7 - w18.tanh().dot(x17)).tanh(), c: c6.log_softmax().tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn pair_17(
        #[dim(H)] dh: Dim, #[param(K)] b1: Tensor, #[param(E)] b5: Tensor,
        #[param(H, E)] w6: Tensor, #[dim(K)] dk: Dim, #[param(E)] mut b8: Tensor,
        #[param(H, K)] w10: Tensor, #[dim(E)] de: Dim, #[param(H)] b11: Tensor,
        #[param(K)] b12: Tensor, #[param(K, H + K)] w13: Tensor, #[param(K, K)] w14: Tensor,
        #[param(K, H)] w15: Tensor, #[param(K, H)] w16: Tensor, #[param(H, H)] w17: Tensor,
        #[param(K, H)] w18: Tensor, #[param(E, H + K)] w19: Tensor,
    ) {
        let Node { h: h3, c: c4 } = gather_or(0, Node { h: zeros(dh), c: (b1 + 0.75).tanh() });
        let v7 = gather_or::<Node>(1, Node { h: w6.dot(b5) * h3, c: zeros(dk) });
        b8 /= 2.0;
        b8 = b8.tanh();
        let x9 = {
            let c4 = c4.tanh() + v7.c.sigmoid();
            w10.dot(c4).tanh()
        };
        loss(((zeros(de) + 0.75) * b8).sum().tanh());
        loss(mse(w13.dot(concat([b11, b12])), w14.dot(c4).relu()));
        let state: Node = Node { h: b11.minimum(x9), c: (w15.tanh().dot(v7.h) * w16.dot(x9)).tanh() };
        scatter(state);
        let out20 = Scores { y: w19.dot(summary(Node { h: w17.dot(h3), c: w18.dot(h3) })).tanh(), logits: indicator(v7.c.greater_equal(v7.c + 0.1).select(v7.c, v7.c).argmax() != c4.sample()) };
        push(out20);
    }

    #[vertex_function]
    pub fn pair_18(
        #[param(K, E)] w2: Tensor, #[param(V, H)] table4: Tensor, #[param(H)] b6: Tensor,
        #[dim(K)] dk: Dim, #[param(K, K)] w11: Tensor, #[param(K, E)] w13: Tensor,
        #[param(K)] b14: Tensor, #[param()] s17: Tensor, #[param(K, H)] w23: Tensor,
        #[dim(E)] de: Dim, #[param(K, H)] w24: Tensor, #[param(H, E)] w25: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let Node { h: h8, c: c9 } = gather_or(0, Node { h: b6, c: zeros(dk) });
        let v10 = gather_or::<Node>(1, Node { h: x5.log_softmax().tanh(), c: zeros(dk) });
        let x12 = (1.0 / (dk as f64).sqrt() / ((w11.dot(v10.c) / (0.5 + c9.sigmoid())).sigmoid() + 0.5)).tanh();
        let x15 = (0.75 / (0.5 + x12.sigmoid()) / (crate::generated::cells::gate(w13, p1.x, b14).sigmoid() + 0.5)).tanh();
        let s16 = b6.sum();
        let s18 = s17 * s16;
        let mut m19 = x15;
        let x20 = if -0.35 >= x12.sum() || x12.max() < s16 {
            m19 -= x12.tanh();
            x12.tanh()
        } else if !(s18 >= 0.1 || s16 >= 0.1) {
            m19 *= (x15 - x12).tanh() * s16.tanh();
            let x21 = if !(x12.max() > s16 || -0.35 <= x12.sum()) {
                m19 += (x12.sum() + s16).tanh() * x15.sigmoid();
                (x15.sum() + s16).tanh() * x12.sigmoid()
            } else {
                m19 *= x12.relu().minimum(x15).tanh();
                (x12.square() + 0.5).ln().tanh()
            };
            (x21 + (x12 - x15).tanh() * s18.tanh()).tanh()
        } else {
            (x12 - x15).tanh() * s16.tanh()
        };
        m19 = m19.tanh();
        let out22 = Scores { y: p1.x.softmax(), logits: p1.x.log_softmax().tanh().log_softmax() };
        push(out22);
        let state = Node { c: ((x3 - (w23 * (1.0 / (de as f64).sqrt())).dot(h8) + w24.dot(v10.h) + x15).tanh() + s18 + x20 + m19).tanh(), h: w25.dot(p1.x).relu().tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn pair_19(
        #[param(E, E)] w1: Tensor, #[param(H)] b3: Tensor, #[dim(K)] dk: Dim, #[dim(H)] dh: Dim,
        #[param(K)] b6: Tensor, #[param()] s7: Tensor, #[param(H, H)] w12: Tensor,
        #[param(K, E)] w13: Tensor, #[param(K, H)] w14: Tensor, #[param(E)] b15: Tensor,
        #[param(E)] b16: Tensor, #[dim(E)] de: Dim,
    ) {
        let Signal { label, x } = pull();
        let x2 = w1.dot(x);
        let Node { h: h5, .. } = gather_or(1, Node { h: b3, c: zeros(dk) });
        let Node { h: h9, c: c10 } = gather_or(0, Node { h: zeros(dh), c: s7 + b6 });
        let x11 = {
            let x2 = x2.tanh() + x2.tanh();
            let h5 = h5.tanh() + (0.5 - w12.dot(h9));
            ((w13 + w13).dot(x2) + w14.dot(h5)).tanh().tanh()
        };
        loss(cross_entropy(affine(w14, h9 + h9, b6), label));
        for k in 0..2 {
            loss(mse(b15.exp().tanh(), b16.exp()) * (k as f64 + 0.25));
        }
        push(Out { y: (concat([x2, b15]).slice(0..de) * cross_entropy(c10, label)).tanh() });
        scatter(Node { c: x11, h: (b3 - 1.5).tanh() });
    }

    #[vertex_function]
    pub fn pair_20(
        #[param(H)] b3: Tensor, #[param(K)] b4: Tensor, #[param(K, E)] w8: Tensor,
        #[param(K, E)] w9: Tensor, #[param(K)] b12: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b14: Tensor, #[param(K, K)] w15: Tensor, #[param(K)] b16: Tensor,
        #[dim(E)] de: Dim, #[param(E)] b17: Tensor, #[param(2 * E, E)] w18: Tensor,
        #[param(2 * E)] b19: Tensor, #[dim(H)] dh: Dim, #[param(K, H)] w23: Tensor,
        #[param(K, E)] w24: Tensor, #[param(H, H)] w25: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Node { h: h6, c: c7 } = gather_or(1, Node { h: b3, c: b4 });
        let Gold { label, target } = pull();
        let x10: Tensor = (w8 + w9).dot(target);
        let parts11 = [(c7.sigmoid() + 0.5).ln().variational_dropout(0.25).tanh(), 2.0 * b12, zeros(dk)];
        let mut a13 = b14;
        for part in parts11 {
            a13 -= (part - (w15.dot(x10) - b16).tanh()).tanh();
        }
        let (x20, x21) = halves((w18.dot(weighted([zeros(de), target, b17]).exp()) + b19).tanh());
        let n22 = 2.0 / (1.0 + dh as f64);
        loss(cross_entropy((w15 * n22).dot(b4.softmax()), label));
        for k in 0..2 {
            loss(cross_entropy((a13.sigmoid() + 0.5).ln().relu(), label) * (k as f64 + 0.25));
        }
        let (h, c) = (h6.less(w25.tanh().dot(h2) + 0.1).select(h2, h6), (((w23 + w23).dot(h2) + (w23 * 1.5).dot(h6) + w24.tanh().dot(x20)).tanh() * w8.dot(x21)).tanh());
        scatter(Node { h, c });
        let out26 = Scores { y: 1.0 / de as f64 * target, logits: (1.5 - b4).tanh().sum() };
        push(out26);
    }

    #[vertex_function]
    pub fn pair_21(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(K, E)] w5: Tensor,
        #[param(E, K)] w7: Tensor, #[param(E)] b8: Tensor, #[param(E, E)] w9: Tensor,
        #[param(2 * E, E)] w10: Tensor, #[param(H, K)] w13: Tensor, #[param(H, E)] w14: Tensor,
        #[param(H, E)] w15: Tensor, #[param(H, E)] w16: Tensor, #[param(K)] b17: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let v3 = gather_or::<Node>(1, Node { h: zeros(dh), c: zeros(dk) });
        let p4 = pull::<Signal>().x;
        let x6 = w5.dot(p4);
        let (x11, x12) = halves(w10.dot(noisy(w7.dot(v3.c), 0.25) - w9.dot(b8)));
        let state: Node = Node { h: ((h2 + v3.h + w13.dot(x6) + (w14 + w15).dot(x11)).tanh() * w16.dot(x12)).tanh(), c: w5.dot(x12).less(v3.c + 0.6).select(b17, w5.dot(x12)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn pair_22(
        #[param(K, E)] w1: Tensor, #[dim(H)] dh: Dim, #[dim(K)] dk: Dim,
        #[param(K, K)] w9: Tensor, #[param(K)] b10: Tensor, #[param(K)] b11: Tensor,
        #[param(E, H + K)] w13: Tensor, #[param(3 * K, E)] w14: Tensor,
        #[param(3 * K)] b15: Tensor, #[param(K)] b17: Tensor, #[param(K, H)] w18: Tensor,
        #[param(H)] b19: Tensor, #[param(K)] b20: Tensor, #[param(H)] b21: Tensor,
        #[param()] s22: Tensor, #[param(E)] b23: Tensor, #[param(E, E)] w24: Tensor,
        #[param(E, K)] w25: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = (w1 * 0.5).dot(x);
        let Node { h: h4, c: c5 } = gather_or(1, Node { h: zeros(dh), c: zeros(dk) });
        let Node { h: h7, .. } = gather(0);
        let mut m8 = c5.minimum(w9.dot(x2));
        m8 /= 1.0 / dk as f64;
        m8 = m8.tanh() + (weighted([c5, b10, b11]) + c5).tanh();
        m8 *= w9.dot(c5).maximum(b10).relu();
        m8 = m8.tanh();
        let parts12 = (w14.dot(w13.dot(summary(Node { h: h4, c: b10 }))) + b15).split::<3>();
        let mut a16 = b17;
        for k in 0..3 {
            a16 -= (parts12[k] + gate(w18, b19, b20)).tanh();
        }
        loss(cross_entropy(h7.maximum(b21).tanh(), label));
        let (h, c) = ((h4 - s22).tanh(), (m8 + a16).tanh());
        scatter(Node { h, c });
        push(Out { y: w24.dot(b23).maximum(w25.dot(m8)) });
    }

    #[vertex_function]
    pub fn pair_23(
        #[param(K, E)] w1: Tensor, #[dim(H)] dh: Dim, #[param(K)] b3: Tensor, #[dim(K)] dk: Dim,
        #[param(H)] b7: Tensor, #[param(H, K)] w17: Tensor, #[param(H)] b18: Tensor,
        #[param()] s19: Tensor, #[param(E, H)] w21: Tensor, #[param(E, H)] w22: Tensor,
        #[param(E)] b23: Tensor,
    ) {
        let Signal { x, .. } = pull();
        let x2 = w1.dot(x);
        let Node { h: h5, .. } = gather_or(0, Node { h: zeros(dh), c: b3.softmax() });
        let v6 = gather_or::<Node>(1, Node { h: zeros(dh), c: zeros(dk) });
        let x8 = b7.log_softmax().tanh();
        let x9 = h5.tanh().softmax();
        let s10 = x2.sum();
        let s11 = s10;
        let x12 = if x9.max() <= s10 {
            let x13 = if !(s10 <= 0.1 || s11 > 0.2) {
                let x14 = if s11 < 0.1 {
                    x8.relu().minimum(x9).tanh()
                } else {
                    (x9.square() + 0.5).ln().tanh()
                };
                (x14 + x9.relu().minimum(x8).tanh()).tanh()
            } else {
                (x8 - x9).tanh() * s10.tanh()
            };
            (x13 + (x8 / (x9.norm() + 0.5)).tanh()).tanh()
        } else {
            let x15 = if 0.2 > x8.sum() && 0.2 <= x8.sum() {
                (x9 * x8).sigmoid()
            } else {
                let x16 = if x9.max() < s11 {
                    (x8 / (x9.norm() + 0.5)).tanh()
                } else {
                    x8.relu().minimum(x9).tanh()
                };
                (x16 + x9.tanh()).tanh()
            };
            (x15 + (x9 / (x8.norm() + 0.5)).tanh()).tanh()
        };
        for k in 0..2 {
            loss((noisy(w17.dot(v6.c), 0.5) - x8).tanh().sum() * (k as f64 + 0.25));
        }
        let n20 = 2.0_f64.sqrt() - 0.75;
        scatter(Node { h: (b18 - s19).relu(), c: (zeros(dk) + n20) * b3 });
        push(Out { y: (w21 + w22).dot(x9).tanh().maximum(b23) });
        loss(((v6.h - s11).tanh() * x12).sum());
    }

    #[vertex_function]
    pub fn pair_24(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H)] b2: Tensor, #[param()] s3: Tensor,
        #[param(H, E)] w6: Tensor, #[param(V, H)] table8: Tensor, #[param(K, H)] w12: Tensor,
        #[param(H, E)] w13: Tensor, #[param(H)] b14: Tensor,
    ) {
        let v1: Node = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let v4 = gather_or::<Node>(1, Node { h: b2 - s3, c: zeros(dk) });
        let Word { x: p5, id } = pull::<Word>();
        let x7 = w6.dot(p5);
        let x9 = table8.row(id);
        let s10 = v1.c.relu().dropout(0.25).sum().tanh();
        let x11 = {
            let x7 = x7.tanh() + w6.dot(p5).sigmoid();
            w12.dot(x7).tanh()
        };
        for k in 0..2 {
            loss(((p5.pick(p5.argmax()) - (v1.h + w13.dot(p5))) * b14).sum().tanh() * (k as f64 + 0.25));
        }
        let out15 = Scores { y: p5.variational_dropout(0.5), logits: concat([v4.h, zeros(dk)]).slice(0..dh) - b2 };
        push(out15);
        scatter(Node { c: (v4.c - w12.dot(x9) + s10 - x11).tanh(), h: v1.h.tanh() });
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
        #[param(E, E)] w5: Tensor, #[param(K)] b9: Tensor, #[param(K)] b10: Tensor,
        #[param(E)] b12: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w13: Tensor,
        #[param(E)] b14: Tensor, #[param(H, 2 * E)] w15: Tensor, #[param(K, H)] w17: Tensor,
        #[param(K, E)] w18: Tensor,
    ) {
        let v2 = gather_or::<Node>(0, Node { h: b1, c: zeros(dk) });
        let v4: Node = gather_or(1, Node { h: zeros(dh), c: b3 });
        let Signal { label, x } = pull();
        let x6 = (w5 + w5).dot(x);
        let (x7, [x11], s8) = (b9.softmax().softmax(), [x6.maximum(b12)], mse(b10, v2.c).tanh());
        loss(cross_entropy(zeros(de).silu().maximum(w13.dot(v2.h)), label));
        loss(s8);
        let n16 = 2.0_f64.sqrt() - 0.5;
        scatter(Node { h: w15.dot(concat([b14, x6])).tanh(), c: ((n16 / (b3.sigmoid() + 0.5)).sigmoid() + 0.5).ln().tanh() });
        loss(((w17.dot(v4.h) * v4.c - x7) * w18.dot(x11)).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_27(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(E, H)] w4: Tensor,
        #[param(E, K)] w6: Tensor, #[param(K, H)] w7: Tensor, #[param(E, K + E)] w8: Tensor,
        #[param(E)] b9: Tensor, #[param(E, E)] w10: Tensor, #[param(K)] b11: Tensor,
        #[param(H, E)] w13: Tensor, #[param(H)] b14: Tensor,
    ) {
        let v1: Node = gather(0);
        let v2: Node = gather_or(1, Node { h: zeros(dh), c: zeros(dk) });
        let n5 = 2.0_f64.sqrt() - 0.75;
        let mut m3 = n5 * w4.dot(v1.h);
        m3 *= w8.dot(concat([w6.dot(v1.c), w7.dot(v2.h)])).tanh();
        m3 *= (0.5 + (w10.dot(b9).sigmoid() + 0.5).ln().sigmoid()).ln();
        m3 = m3.tanh();
        for k in 0..2 {
            loss((b11 - v2.c).tanh().sum() * (k as f64 + 0.25));
        }
        let n12 = 2.0_f64.sqrt() - 2.0;
        loss((n12 / (w13.dot(m3).exp().sigmoid() + 0.5)).tanh().sum());
        let n15 = 0.75 / (1.0 + dh as f64);
        let state = Node { c: (n15 / (b11.sigmoid() + 0.5)).softmax(), h: (1.0 / (dh as f64).sqrt() / (b14.sigmoid() + 0.5)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn pair_28(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(E)] b3: Tensor,
        #[param(V, E)] table5: Tensor, #[param(H, E)] w7: Tensor, #[param()] s11: Tensor,
        #[param()] s15: Tensor, #[param(E, E)] w16: Tensor, #[param(E, H + K)] w17: Tensor,
        #[param(H, E)] w20: Tensor,
    ) {
        let v1: Node = gather(1);
        let v2 = gather_or::<Node>(0, Node { h: zeros(dh), c: zeros(dk) });
        let Word { id, x } = pull();
        let x4 = x * b3;
        let x6 = table5.row(id);
        let x8 = (0.5 + w7.dot(x4).sigmoid()).ln().log_softmax().tanh();
        let x9 = noisy(v1.h, 0.5) * x8;
        let s10 = v1.c.max();
        let s12 = s11.sigmoid();
        let mut m13 = x9;
        let x14 = if s12 > 0.2 {
            m13 -= (x8 - x9).tanh() * s10.tanh();
            (x8 * x9).sigmoid()
        } else {
            m13 = (x8 - x9.max()).exp().tanh();
            (x8 / (x9.norm() + 0.5)).tanh()
        };
        m13 = m13.tanh();
        let [x18, x19] = [blend(x6 - s15, w16.dot(x) - w16.dot(x6), x6), w17.dot(summary(Node { h: m13, c: v2.c }))];
        let n21 = 0.75 / (1.0 + dh as f64);
        let state: Node = Node { h: (((v2.h + x9 + s10) * s12 + x14 - (w20 * 0.5).dot(x18)).tanh() + w7.dot(x19)).tanh(), c: (v2.c + n21).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn pair_29(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(K)] b8: Tensor,
        #[param(4 * K, K)] w9: Tensor, #[param(4 * K)] b10: Tensor, #[param(H, E)] w15: Tensor,
        #[param(E)] b16: Tensor, #[param(E)] b17: Tensor, #[param(H)] b18: Tensor,
        #[param(E)] b20: Tensor, #[param(E, E)] w21: Tensor, #[param(H)] b22: Tensor,
        #[param(H, K)] w24: Tensor, #[param(H)] b25: Tensor, #[param(E, H)] w26: Tensor,
        #[param(E, K)] w27: Tensor, #[param(E, K)] w29: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(1);
        let Node { h: h5, c: c6 } = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let n7 = 2.0_f64.sqrt() - 0.5;
        let [x11, x12, x13, x14] = (w9.dot((n7 / (b8.sigmoid() + 0.5)).tanh().exp()) + b10).split();
        let s19 = indicator(crate::generated::cells::gate(w15, b16 * b17, b18).argmax() != h5.sample());
        loss(indicator(((x13.sigmoid() + 0.5).ln() * (1.0 / (dh as f64).sqrt())).argmax() != b8.sample()));
        let out23 = Scores { y: w21.dot(b20).hard_tanh(), logits: b22.sum() };
        push(out23);
        let state = Node { c: (0.5 + (0.5 + b8.sigmoid()).ln().sigmoid()).ln().tanh(), h: (w24.dot(x11) * b25).relu().tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let n28 = 2.0 / (1.0 + dh as f64);
        loss(((((w26.dot(h2) - (w27 * n28).dot(c3) + w27.dot(c6)) * w29.dot(x12)).tanh() * w27.dot(x14)).tanh() - s19).sum());
    }

    #[vertex_function]
    pub fn pair_30(
        #[param(H)] b1: Tensor, #[param(K)] b2: Tensor, #[param(H)] b6: Tensor,
        #[param(K)] b7: Tensor, #[param(E)] b10: Tensor, #[param(V, H)] table12: Tensor,
        #[param(H, H + 2 * K)] w14: Tensor, #[param(H, H)] w16: Tensor,
        #[param(E, K)] w26: Tensor, #[dim(E)] de: Dim, #[param(K, K)] w29: Tensor,
        #[param(K, H)] w30: Tensor, #[param(K, E)] w31: Tensor, #[param(K, H)] w32: Tensor,
        #[param(K, H)] w33: Tensor, #[param(K, E)] w34: Tensor, #[param(K, E)] w35: Tensor,
    ) {
        let Node { h: h4, c: c5 } = gather_or(1, Node { h: b1, c: b2 });
        let Node { h: h9, .. } = gather_or(0, Node { h: b6, c: b7 });
        let Word { id, x } = pull();
        let x11 = x * b10;
        let x13 = table12.row(id);
        let x15 = w14.dot(concat([b2, c5, h9]));
        let x17 = (b1 * (w16 * 0.75).dot(x13)).tanh();
        let s18 = x15.sum();
        let s19 = s18;
        let mut m20 = x17;
        let x21 = if x17.max() > s18 {
            m20 -= x15.tanh();
            let x22 = if x15.max() < s19 && x15.max() >= s19 {
                x15.relu().minimum(x17).tanh()
            } else {
                m20 += x15.softmax() + 0.5 * x17.tanh();
                (x15 - x17.max()).exp().tanh()
            };
            (x22 + x15.relu().minimum(x17).tanh()).tanh()
        } else {
            let x23 = if !(s19 > 0.2 || 0.2 >= x15.sum()) {
                m20 += (x17 - x15.max()).exp().tanh();
                let x24 = if x17.max() < s18 && x17.max() >= s19 {
                    (x17 * x15).sigmoid()
                } else {
                    m20 *= (x15 - x17.max()).exp().tanh();
                    (x17.sum() + s18).tanh() * x15.sigmoid()
                };
                (x24 + (x15.sum() + s18).tanh() * x17.sigmoid()).tanh()
            } else {
                m20 -= (x15 * x17).sigmoid();
                let x25 = if -0.35 > x15.sum() {
                    m20 -= (x17 / (x15.norm() + 0.5)).tanh();
                    (x17 / (x15.norm() + 0.5)).tanh()
                } else {
                    m20 = x15.softmax() + 0.5 * x17.tanh();
                    x17.tanh()
                };
                (x25 + x17.relu().minimum(x15).tanh()).tanh()
            };
            (x23 + (x17 * x15).sigmoid()).tanh()
        };
        m20 = m20.tanh();
        let [x27, x28]: [Tensor; 2] = [(x * w26.dot(c5)).elu(0.7), b10.softplus()];
        push(Out { y: -zeros(de) + x });
        scatter(Node { c: (c5 + w29.dot(c5) - 0.5).tanh(), h: h9.relu().dropout(0.25).tanh() });
        loss((((((w30.dot(h4) + w31.dot(x11) - w30.tanh().dot(x17)) * s19).tanh() + w32.dot(x21) - w33.dot(m20)).tanh() + (w31 + w34).dot(x27)).tanh() - (w35 + w31).dot(x28)).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_31(
        #[param(H)] b1: Tensor, #[param(K)] b2: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b6: Tensor, #[param(E)] mut b9: Tensor, #[param(E, K)] w10: Tensor,
        #[param(E)] b11: Tensor, #[param(E, H + K)] w12: Tensor, #[param(E, K)] w13: Tensor,
        #[param(H, H)] w15: Tensor, #[param(K, H)] w16: Tensor, #[param(H, E)] w17: Tensor,
        #[param(H)] b18: Tensor,
    ) {
        let Node { h: h4, c: c5 } = gather_or(0, Node { h: b1, c: b2 });
        let Node { h: h8, .. } = gather_or(1, Node { h: zeros(dh), c: b6 });
        b9 *= (b11.sum() - w10.dot(c5)).tanh();
        b9 = w12.dot(summary(Node { h: h8, c: c5 })).maximum(w13.dot(c5)) - b9;
        b9 = b9.tanh();
        let x14 = ((zeros(dh) * h4).sigmoid().sigmoid() + 0.5).ln();
        loss(mse(1.0 / dh as f64 + c5.tanh(), c5.sigmoid()));
        loss((w15.dot(x14) / (b1.sigmoid() + 0.5) + h8).pick(b1.sample()));
        push(Out { y: (w10.dot(c5) / ((-b9).sigmoid() + 0.5)).tanh() });
        scatter(Node { c: ((0.5 + b2.sigmoid()).ln() * w16.dot(x14)).tanh(), h: crate::generated::cells::gate(w17, b9, b18).tanh() });
    }

    #[vertex_function]
    pub fn pair_32(
        #[param(K)] b1: Tensor, #[param(H, K)] w2: Tensor, #[param(H)] b3: Tensor,
        #[param(H, H)] w4: Tensor, #[dim(K)] dk: Dim, #[param(E)] b9: Tensor,
        #[param(H, E)] w10: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w13: Tensor,
        #[param(H)] b20: Tensor, #[param(K, H)] w21: Tensor, #[param(K, K)] w22: Tensor,
        #[param(K, H)] w23: Tensor,
    ) {
        let Node { h: h6, .. } = gather_or(1, Node { h: w2.dot(b1).maximum(w4.dot(b3)), c: zeros(dk) });
        let Node { h: h8, .. } = gather(0);
        let x11 = w10.dot(b9).relu();
        let x12 = (h8 / ((w4 + w4).dot(x11).sigmoid() + 0.5)).minimum(h6);
        let s14 = indicator(zeros(de).argmax() != w13.dot(h6).sample());
        let s15 = s14;
        let mut m16 = x12;
        let x17 = if x11.max() > s15 {
            let x18 = if x12.max() <= s14 && x11.max() >= s14 {
                m16 -= x12.relu().minimum(x11).tanh();
                x11.relu().minimum(x12).tanh()
            } else {
                m16 += x11.tanh();
                let x19 = if s14 < -0.35 {
                    m16 -= (x12 / (x11.norm() + 0.5)).tanh();
                    x12.tanh()
                } else {
                    (x11 - x12).tanh() * s15.tanh()
                };
                (x19 + (x12 * x11).sigmoid()).tanh()
            };
            (x18 + x11.relu().minimum(x12).tanh()).tanh()
        } else {
            (x12 - x11.max()).exp().tanh()
        };
        m16 = m16.tanh();
        scatter(Node { c: w21.dot(x12).tanh().abs().variational_dropout(0.25).tanh(), h: (b20 + m16).softmax() });
        loss((-w22.dot(b1) * s15 + w23.dot(x17)).tanh().sum());
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
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H)] b5: Tensor, #[param(H)] b6: Tensor,
        #[param(E)] b7: Tensor, #[param(H, E)] w8: Tensor, #[param(E)] b9: Tensor,
        #[param(K, H)] w10: Tensor, #[param()] s11: Tensor,
    ) {
        let v1: Node = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let v2: Node = gather(1);
        let mut m3 = v2.c.log_softmax();
        m3 -= v1.c.relu().softmax();
        let n4 = 2.0_f64.sqrt() - 0.5;
        m3 /= n4;
        m3 = m3.tanh();
        loss(mse(concat([v1.h.slice(1..dh), v1.h.slice(0..1)]) * b5, blend(zeros(dh).relu(), b6, w8.dot(b7))));
        push(Out { y: (1.5 + (0.5 + b9.sigmoid()).ln()).tanh() });
        let state: Node = Node { h: (s11 - v1.h).tanh(), c: (w10.dot(v2.h) - m3).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn pair_35(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H, E)] w6: Tensor,
        #[param(H, H)] w8: Tensor, #[param(H)] b10: Tensor, #[param(H)] b12: Tensor,
        #[param(H, E)] w17: Tensor, #[param(E, E)] w22: Tensor, #[param(H, K)] w25: Tensor,
        #[param(K)] b26: Tensor,
    ) {
        let v1: Node = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let Node { h: h3, c: c4 } = gather_or(1, Node { h: zeros(dh), c: v1.c / (0.5 + v1.c.sigmoid()) });
        let p5: Gold = pull();
        let x7 = w6.dot(p5.target);
        let x9 = h3.exp().greater(zeros(dh) + 0.6).select(w8.dot(x7), h3.exp()).tanh();
        let x11 = x9.less(v1.h + 0.35).select(b10, x9).tanh();
        let s13 = cross_entropy(b12, p5.label);
        let s14 = indicator(x7.argmax() == p5.label);
        let mut m15 = x11;
        let n18 = 2.0_f64.sqrt() - 1.5;
        let i19 = concat([(w17 * n18).dot(p5.target), zeros(3)]).argmax();
        let x16 = match i19 {
            Index(0) => {
                m15 += (x9 - x11).tanh() * s13.tanh();
                let x20 = if -0.35 <= x11.sum() {
                    (x9 / (x11.norm() + 0.5)).tanh()
                } else {
                    let x21 = if 0.2 > x11.sum() || x11.max() < s13 {
                        x11.softmax() + 0.5 * x9.tanh()
                    } else {
                        (x9 - x11.max()).exp().tanh()
                    };
                    (x21 + (x9 / (x11.norm() + 0.5)).tanh()).tanh()
                };
                (x20 + (x11 / (x9.norm() + 0.5)).tanh()).tanh()
            }
            Index(1) | Index(2) => {
                m15 = x9.relu().minimum(x11).tanh();
                (x11.sum() + s14).tanh() * x9.sigmoid()
            }
            _ => {
                x11.relu().minimum(x9).tanh()
            }
        };
        m15 = m15.tanh();
        let n23 = 2.0_f64.sqrt() - 0.75;
        let out24 = Scores { y: (w22 * n23).dot(p5.target).softmax(), logits: -p5.target + p5.target };
        push(out24);
        scatter(Node { h: (((w25.dot(c4) - x11 + s13).tanh() - s14 + x16) * m15).tanh(), c: b26 });
    }
}

pub mod several {
    use super::prelude::*;

    #[vertex_function]
    pub fn several_0(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(K)] b5: Tensor, #[param(H, K)] w6: Tensor, #[param(H, H)] w7: Tensor,
        #[param(H, H)] w8: Tensor, #[param(K, H)] w11: Tensor, #[param(H)] b13: Tensor,
        #[dim(K)] dk: Dim, #[param(K, E)] w17: Tensor, #[param(E, E)] w18: Tensor,
        #[param(E)] b19: Tensor, #[param(K)] b21: Tensor,
    ) {
        let mut a2 = zeros(de);
        for k in 0..2 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) - w4.dot(v1.c)) * (k as f64 + 0.5);
        }
        let x9 = (w7 + w8).dot(w6.dot(b5).tanh()).tanh();
        let x10 = (1.5 - x9).log_softmax().tanh();
        let s12 = w11.dot(x10).sum();
        let s14 = b13.sum();
        let mut m15 = x10;
        let x16 = if x9.max() <= s12 {
            m15 *= (x10 / (x9.norm() + 0.5)).tanh();
            (x9 - x10.max()).exp().tanh()
        } else {
            x9.softmax() + 0.5 * x10.tanh()
        };
        m15 = m15.tanh();
        loss(s12.sigmoid());
        loss((-zeros(dk)).tanh().pick(w17.dot(a2).sample()));
        let out20 = Scores { y: w18.dot(a2).minimum(b19).tanh(), logits: s14 + 1.5 / (a2.sigmoid() + 0.5) };
        push(out20);
        scatter(Node { h: ((m15 - x16) / (b13.sigmoid() + 0.5)).tanh(), c: (1.5 / (0.5 + b21.sigmoid())).softmax() });
    }

    #[vertex_function]
    pub fn several_1(
        #[param(E)] b4: Tensor, #[param(V, H)] table6: Tensor, #[dim(K)] dk: Dim,
        #[dim(E)] de: Dim, #[param(V, H)] table10: Tensor, #[param()] s11: Tensor,
        #[dim(H)] dh: Dim, #[param(E, E)] w14: Tensor, #[param(E, E)] w15: Tensor,
        #[param(E, K + 2 * E)] w16: Tensor, #[param(H, K)] w17: Tensor,
    ) {
        let [v1, v2]: [Node; 2] = [gather(0), gather(1)];
        let p3: Word = pull();
        let x5 = p3.x * b4;
        let x7 = table6.row(p3.id);
        let n12 = 0.5 / (1.0 + dh as f64);
        let (x8, [x13], s9) = (table10.row(p3.id).sum() - concat([x5, v2.c]).slice(de..de + dk), [scaled(v1.h, de)], (n12 * s11).tanh());
        loss(w16.dot(concat([x8, (w14 + w15).dot(p3.x), p3.x])).tanh().sum());
        scatter(Node { h: ((w17.dot(v1.c) + v2.h + x7) * s9 + x13).tanh(), c: x8.log_softmax().tanh() });
    }

    #[vertex_function]
    pub fn several_2(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(K, H)] w5: Tensor,
        #[param(K, H)] w6: Tensor, #[param(K)] b7: Tensor, #[param(K, K)] w11: Tensor,
        #[param(K)] b12: Tensor, #[param(H, K)] w14: Tensor, #[param(K)] b15: Tensor,
        #[param(E, K)] w16: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(dk);
        for k in 0..2 {
            a2 += (w3.dot(v1[k].h) + v1[k].c) * (k as f64 + 0.5);
        }
        let parts4 = [(w5.dot(v1[0].h).greater_equal((w6 * 0.5).dot(v1[0].h) + 0.6).select(b7, w5.dot(v1[0].h)) + v1[0].c.sum()).tanh(), w3.dot(v1[0].h).dropout(0.1).tanh(), a2.tanh()];
        let mut a8 = zeros(dk);
        let x9 = concat(parts4);
        for k in 0..2 {
            a8 += (x9.slice(k * dk..(k + 1) * dk) - v1[0].c / (b7.sigmoid() + 0.5)).tanh() * (k as f64);
        }
        let x10 = {
            let x13 = -affine(w11, (w3 * 2.0).dot(v1[0].h), b12);
            let x13 = x13.tanh() + zeros(dk).relu();
            w14.dot(x13).tanh()
        };
        scatter(Node { c: b15.exp().softmax(), h: x10.log_softmax().tanh() });
        loss(w16.dot(a8).tanh().sum());
    }

    #[vertex_function]
    pub fn several_3(
        #[param(E)] b1: Tensor, #[param(V, E)] table3: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w7: Tensor, #[param(2 * E, E)] w8: Tensor, #[param()] s11: Tensor,
        #[param(V, H)] table13: Tensor, #[param(V, H)] table24: Tensor, #[param()] s25: Tensor,
        #[param(V, H)] table27: Tensor, #[param(H, E)] w28: Tensor, #[param(H, K)] w29: Tensor,
        #[param(H, K)] w30: Tensor, #[param(H, E)] w31: Tensor, #[param(H, E)] w32: Tensor,
        #[param(K)] b33: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4 = table3.row(id);
        let v5: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a6 = zeros(dk);
        for k in 0..3 {
            a6 += (w7.dot(v5[k].h) + v5[k].c) * (k as f64 + 0.5);
        }
        let (x9, x10) = halves(w8.dot((0.5 / (x.sigmoid() + 0.5)).dropout(0.1).tanh()));
        let x12 = (v5[2].h + s11).relu();
        let x14 = (x12 + table13.row(id)).log_softmax().tanh();
        let s15 = x2.sum();
        let s16 = s15;
        let x17 = if x14.max() >= s15 && s15 <= -0.35 {
            let x18 = if s16 < 0.2 || x12.max() <= s15 {
                let x19 = if x14.max() >= s15 {
                    (x14 - x12.max()).exp().tanh()
                } else {
                    (x12 * x14).sigmoid()
                };
                (x19 + (x12 - x14.max()).exp().tanh()).tanh()
            } else {
                (x14 / (x12.norm() + 0.5)).tanh()
            };
            (x18 + x12.relu().minimum(x14).tanh()).tanh()
        } else if !(x12.max() <= s15 || -0.35 >= x14.sum()) {
            let x20 = if x12.max() <= s16 || 0.2 < x12.sum() {
                let x21 = if x12.max() > s16 {
                    (x12 / (x14.norm() + 0.5)).tanh()
                } else {
                    x14.tanh()
                };
                (x21 + (x14 - x12.max()).exp().tanh()).tanh()
            } else {
                let x22 = if s16 >= 0.1 && 0.2 <= x14.sum() {
                    x14.softmax() + 0.5 * x12.tanh()
                } else {
                    x14.relu().minimum(x12).tanh()
                };
                (x22 + x14.tanh()).tanh()
            };
            (x20 + (x14.sum() + s16).tanh() * x12.sigmoid()).tanh()
        } else {
            let x23 = if s16 > 0.2 || s16 > -0.35 {
                x12.tanh()
            } else if !(x12.max() <= s16 || 0.1 < x12.sum()) {
                x14.softmax() + 0.5 * x12.tanh()
            } else {
                x14.relu().minimum(x12).tanh()
            };
            (x23 + (x12 - x14).tanh() * s15.tanh()).tanh()
        };
        loss(mse(((table24.row(id) - x17).sigmoid() + 0.5).ln(), v5[2].h - s25));
        let n26 = 2.0_f64.sqrt() - 1.5;
        loss(((n26 - (x14.sigmoid() + 0.5).ln()) * table27.row(id)).sum().tanh());
        let state: Node = Node { h: ((((w28.dot(x4) + (w29 * s16).dot(a6)).tanh() + w30.dot(v5[2].c)) * (w31 + w28).dot(x9)).tanh() + (w32 * s16).dot(x10)).tanh(), c: b33 / (0.5 + a6.sigmoid()) };
        scatter(state);
    }

    #[vertex_function]
    pub fn several_4(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(K)] b4: Tensor,
        #[param(2 * K, K)] w5: Tensor, #[param(2 * K)] b6: Tensor, #[param(H, K)] w9: Tensor,
        #[param(H, K)] w10: Tensor, #[param(H, K)] w11: Tensor, #[param()] s12: Tensor,
        #[param(E)] b13: Tensor, #[param(E, E)] w14: Tensor, #[param(E)] b15: Tensor,
        #[param(H)] b16: Tensor,
    ) {
        let v1: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a2 = zeros(dk);
        for k in 0..3 {
            a2 += ((w3 * (1.0 / (dk as f64).sqrt())).dot(v1[k].h) + v1[k].c) * (k as f64 + 0.5);
        }
        let [x7, x8]: [Tensor; 2] = (w5.dot((a2 - b4).tanh().exp()) + b6).split();
        let (h, c) = ((((v1[1].h + (w9 + w9).dot(v1[1].c)) * w10.dot(x7)).tanh() + w11.dot(x8)).tanh(), v1[1].c * s12);
        scatter(Node { h, c });
        let out17 = Scores { y: w14.dot(b13) * w14.dot(b15), logits: (b16 + 1.5).tanh().exp() };
        push(out17);
    }

    #[vertex_function]
    pub fn several_5(
        #[param(E, E)] w3: Tensor, #[param(V, E)] table5: Tensor, #[param(H)] mut b7: Tensor,
        #[param(H, H + K)] w8: Tensor, #[dim(H)] dh: Dim, #[param(H, E)] w9: Tensor,
        #[param(E, H)] w10: Tensor, #[param(2 * E, E)] w11: Tensor, #[param(E)] b14: Tensor,
        #[param(H, K)] w15: Tensor, #[param()] s16: Tensor, #[param(K, E)] w18: Tensor,
        #[param(K, H)] w19: Tensor, #[param(K, H)] w20: Tensor, #[param(K, E)] w21: Tensor,
    ) {
        let v1 = gather::<Node>(1);
        let v2 = gather::<Node>(0);
        let Word { id, x } = pull();
        let x4 = w3.tanh().dot(x);
        let x6 = table5.row(id);
        b7 -= v1.h.greater_equal(v1.h + 0.1).select(v2.h, v1.h).exp().tanh();
        b7 = b7.tanh() + w8.dot(summary(Node { h: v2.h, c: v2.c }));
        b7 = b7.tanh() + concat([v1.h.slice(1..dh), v1.h.slice(0..1)]);
        b7 = b7.tanh();
        let [x12, x13]: [Tensor; 2] = w11.dot(w10.dot((w9 * 0.75).dot(x4)).tanh()).split();
        let out17 = Scores { y: b14.log_softmax().tanh(), logits: (w15.dot(v1.c) * s16 * v2.h).sum() };
        push(out17);
        let state: Node = Node { h: b7.tanh(), c: ((w18.dot(x6) * (w19 + w20).dot(b7) * w21.dot(x12)).tanh() + w18.dot(x13)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn several_6(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[dim(E)] de: Dim, #[param(H)] b5: Tensor,
        #[param(E, H)] w6: Tensor, #[param(E, H)] w7: Tensor, #[param(E, H)] w8: Tensor,
        #[param(H)] b9: Tensor, #[param(H, E)] w12: Tensor, #[param(H, H)] w13: Tensor,
        #[param(K, E)] w14: Tensor,
    ) {
        let mut a2 = zeros(dk);
        for k in 0..2 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) + v1.c) * (k as f64 + 0.5);
        }
        let mut m4 = zeros(de);
        m4 = m4.tanh() + ((w6 + w7).dot(b5) - (w8 * 0.5).dot(b5)).maximum(w6.dot(b9)).tanh();
        m4 = m4.tanh();
        let x10 = {
            let x11 = m4.sum() * m4;
            w12.dot(x11).tanh()
        };
        let (h, c) = (w13.dot(x10).tanh(), (a2.tanh() * w14.dot(m4).sum()).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn several_7(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(E, K)] w6: Tensor, #[param(K)] b7: Tensor, #[param(E)] b8: Tensor,
        #[param(3 * H, E)] w9: Tensor, #[param(H)] b11: Tensor, #[param(H, E)] w12: Tensor,
        #[dim(H)] dh: Dim, #[param(K, K)] w13: Tensor, #[param(K)] b14: Tensor,
        #[param(H, K)] w15: Tensor, #[param(K, E)] w16: Tensor, #[dim(K)] dk: Dim,
        #[param(E, E)] w17: Tensor,
    ) {
        let mut a2 = zeros(de);
        for k in 0..3 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) + (w4 + w4).dot(v1.c)) * (k as f64 + 0.5);
        }
        let parts5 = w9.dot(crate::generated::cells::gate(w6, b7 * b7, b8)).split::<3>();
        let mut a10 = b11;
        for part in parts5 {
            a10 = a10.tanh() + (part + w12.dot(a2).maximum(w12.dot(a2)).tanh()).tanh();
        }
        for k in 0..2 {
            loss((-a10.tanh().erf() * zeros(dh)).sum() * (k as f64 + 0.25));
        }
        loss((1.5 - w13.min()).sigmoid());
        let state: Node = Node { h: (w15.dot(b14).exp() + a10).tanh(), c: (1.0 / dk as f64 * w16.dot(a2)).tanh() };
        scatter(state);
        push(Out { y: (w17.dot(a2).sigmoid() + a2).tanh() });
    }

    #[vertex_function]
    pub fn several_8(
        #[param(K)] b5: Tensor, #[dim(E)] de: Dim, #[param(E)] b6: Tensor,
        #[param(K, E)] w7: Tensor, #[dim(K)] dk: Dim, #[param(E)] b9: Tensor,
        #[param(E, E)] w10: Tensor, #[param(E)] b12: Tensor, #[param(H, E)] w13: Tensor,
        #[param(E)] b14: Tensor, #[param(K, E)] w15: Tensor, #[param(H, K)] w16: Tensor,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let parts4 = [(b5.sigmoid() - 0.5).tanh(), (v1.c + 1.0 / (de as f64).sqrt()).tanh(), w7.dot(b6)];
        let mut a8 = zeros(dk);
        for part in parts4 {
            a8 += (part - v2.c.relu()).tanh();
        }
        let out11 = Scores { y: w10.dot(b9).sigmoid(), logits: 0.75 - indicator(b5.argmax() == v3.c.sample()) };
        push(out11);
        let state: Node = Node { h: v3.h.maximum(w13.dot(b12)).relu(), c: concat([w15.dot(b14).slice(1..dk), w15.dot(b14).slice(0..1)]) };
        scatter(state);
        loss((v1.h * v2.h + w16.dot(a8)).tanh().sum());
    }

    #[vertex_function]
    pub fn several_9(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(H)] b5: Tensor, #[param(K, H)] w6: Tensor, #[param(K, H)] w7: Tensor,
        #[param(K)] b8: Tensor, #[param(2 * E, K)] w10: Tensor, #[param(2 * E)] b11: Tensor,
        #[param(K, E)] w14: Tensor, #[param(K, E)] w15: Tensor, #[param(E)] b16: Tensor,
    ) {
        let mut a2 = zeros(de);
        for k in 0..3 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) + w4.dot(v1.c)) * (k as f64 + 0.5);
        }
        let x9 = weighted([w6.dot(b5), w7.dot(b5), b8]);
        let (x12, x13) = halves(w10.dot(x9.log_softmax().tanh() + 2.0) + b11);
        let state: Node = Node { h: b5.exp().tanh(), c: ((w14.dot(a2) - w14.dot(x12)).tanh() + w15.tanh().dot(x13)).tanh() };
        scatter(state);
        push(Out { y: (-x13 * b16).tanh() });
    }

    #[vertex_function]
    pub fn several_10(
        #[param(E, E)] w2: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w6: Tensor,
        #[param(E, K)] w7: Tensor, #[param(K, E)] w8: Tensor, #[param(K)] b10: Tensor,
        #[param(K, E)] w11: Tensor, #[param(K, E)] w12: Tensor, #[param(E)] b14: Tensor,
        #[param(E)] b15: Tensor, #[param(K, E)] w19: Tensor, #[param(H, K)] w20: Tensor,
    ) {
        let p1 = pull::<Signal>().x;
        let x3 = (w2 * 1.5).dot(p1);
        let mut a5 = zeros(de);
        for k in 0..3 {
            let v4: Node = gather(k);
            a5 += (w6.dot(v4.h) + w7.dot(v4.c)) * (k as f64 + 0.5);
        }
        let x9 = w8.dot(p1).exp().sigmoid();
        let x13 = ((b10 - (w11 + w12).dot(a5)).tanh() - (x9 * x9).sum()).tanh();
        let s16 = mse(b14, b15);
        let s17 = s16;
        let x18 = if 0.1 > x9.sum() || s16 < 0.2 {
            (x13.sum() + s17).tanh() * x9.sigmoid()
        } else {
            x9.tanh()
        };
        let state = Node { c: ((w19.dot(x3) + x13 + s17).tanh() + x18).tanh(), h: w20.dot(x9).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn several_11(
        #[param(E)] b1: Tensor, #[param(H, K)] w7: Tensor, #[param(H)] b10: Tensor,
        #[param(3 * E, H)] w11: Tensor, #[param(3 * E)] b12: Tensor, #[param(E)] b14: Tensor,
        #[param(H, E)] w15: Tensor, #[param(H, E)] w16: Tensor, #[param(H, E)] w17: Tensor,
        #[param(H, E)] w18: Tensor, #[param(H, K)] w19: Tensor, #[dim(E)] de: Dim,
        #[param(H, E)] w20: Tensor, #[param(K)] b21: Tensor, #[param(E, K)] w22: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = target * b1;
        let v3: Node = gather(2);
        let v4: Node = gather(1);
        let v5 = gather::<Node>(0);
        let x6 = {
            let x8 = w7.dot(v3.c).maximum(v5.h).log_softmax();
            x8.tanh()
        };
        let parts9 = (w11.dot(v4.h - b10 - v3.h) + b12).split::<3>();
        let mut a13 = b14;
        for k in 0..3 {
            a13 -= (parts9[k] + (b1.sigmoid() + 0.5).ln()).tanh();
        }
        scatter(Node { h: ((((w15 + w16).dot(x2) + (w17 + w18).dot(target)) * (w19 * (1.0 / (de as f64).sqrt())).dot(v4.c)).tanh() * w7.dot(v5.c) + x6 + w20.dot(a13)).tanh(), c: b21.exp().tanh() });
        let out23 = Scores { y: x2.less(b1 + 0.6).select(target, x2), logits: -blend(w22.dot(v3.c).noise(0.25).tanh(), a13, b1) };
        push(out23);
    }

    #[vertex_function]
    pub fn several_12(
        #[param(E, E)] w2: Tensor, #[param(H)] b9: Tensor, #[param(2 * H, H)] w10: Tensor,
        #[param(2 * H)] b11: Tensor, #[param(K, E)] w14: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b16: Tensor, #[param(H, K + E)] w17: Tensor, #[param(H, K)] w18: Tensor,
        #[param(K, H + K)] w19: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let Node { h: h5, .. } = gather(2);
        let v6: Node = gather(1);
        let Node { h: h8, .. } = gather(0);
        let (x12, x13) = halves(w10.dot(b9.tanh().tanh()) + b11);
        loss(cross_entropy(w14.dot(x3).tanh().cumulative_sum().tanh() + v6.c, label));
        let out15 = Scores { y: x3.minimum(x3), logits: 0.75 - v6.c * zeros(dk) };
        push(out15);
        let state = Node { c: (w19.dot(summary(Node { h: w18.dot(v6.c), c: v6.c })) * (x3 * x3).tanh().sum()).tanh(), h: w17.dot(concat([b16, x3])).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss(((h5 - v6.h) * h8 - x12 + x13).tanh().sum());
    }

    #[vertex_function]
    pub fn several_13(
        #[param()] s5: Tensor, #[dim(K)] dk: Dim, #[param(E)] b6: Tensor,
        #[param(K, E)] w7: Tensor, #[param()] s8: Tensor, #[param(H, H)] w9: Tensor,
        #[param(E)] b11: Tensor, #[param(E, E)] w12: Tensor, #[param(K, H)] w13: Tensor,
        #[param()] s14: Tensor,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut m4 = v1.c * s5;
        m4 -= s8.sigmoid() * (zeros(dk) + w7.dot(b6));
        m4 /= 0.75;
        m4 = m4.tanh();
        let n10 = 2.0_f64.sqrt() - 0.75;
        loss((w9.dot(v2.h) - s5).pick(v1.h.sample()) + n10);
        push(Out { y: w12.dot(b11).exp().tanh() });
        let (h, c) = ((s14 - v1.h).tanh(), ((v2.c - w13.dot(v3.h)) * v3.c + m4).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn several_14(
        #[param(K, K)] w4: Tensor, #[dim(H)] dh: Dim, #[dim(K)] dk: Dim,
        #[param(H, K)] w6: Tensor, #[param(H, K)] w7: Tensor, #[param(3 * E, H)] w8: Tensor,
        #[dim(E)] de: Dim, #[param(E, K)] w11: Tensor, #[param(E, H)] w12: Tensor,
        #[param(E, K)] w13: Tensor, #[param(E)] b15: Tensor, #[param(E)] b16: Tensor,
        #[param(K)] b18: Tensor, #[param()] s19: Tensor, #[param(K)] b20: Tensor,
        #[param(K, H)] w21: Tensor, #[param(K, E)] w22: Tensor, #[param(K, E)] w23: Tensor,
        #[param(H, H)] w24: Tensor,
    ) {
        let [v1, v2]: [Node; 2] = [gather(0), gather(1)];
        let n5 = 1.5 / (1.0 + dh as f64);
        let parts3 = w8.dot((w6 + w7).dot(concat([(w4 * n5).dot(v1.c).slice(1..dk), (w4 * n5).dot(v1.c).slice(0..1)])).tanh()).split::<3>();
        let mut a9 = zeros(de);
        let x10 = concat(parts3);
        for k in 0..2 {
            a9 += (x10.slice(k * de..(k + 1) * de) - blend((w11.dot(v2.c) * w12.dot(v2.h)).tanh().sum(), w11.dot(v2.c), w13.dot(v2.c)).tanh()).tanh();
        }
        let parts14 = [(a9 / (a9.sigmoid() + 0.5)).tanh().dropout(0.5), (b15 - a9).tanh(), b16];
        let mut a17 = zeros(de);
        for k in 1..=2 {
            a17 = a17.tanh() + (parts14[k] - b15.softmax()).tanh();
        }
        loss(mse((s19 + b18).softmax(), b20));
        let (h, c) = ((v2.h * w24.dot(v1.h)).tanh(), (w21.dot(v1.h) * (w22 + w23).dot(a17)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn several_15(
        #[param(K, E)] w2: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w6: Tensor,
        #[param(E, K)] w7: Tensor, #[param(4 * H, E)] w8: Tensor, #[param(H)] b14: Tensor,
        #[param(E, H)] w15: Tensor, #[param()] s16: Tensor, #[param(E, E)] w18: Tensor,
        #[param(E)] b19: Tensor, #[param(E)] b20: Tensor, #[dim(H)] dh: Dim,
        #[param(K, E)] w22: Tensor, #[param(K, H)] w23: Tensor, #[param(K, H)] w24: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = w2.dot(p1);
        let v4: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a5 = zeros(de);
        for k in 0..3 {
            a5 += (w6.dot(v4[k].h) + w7.dot(v4[k].c)) * (k as f64 + 0.5);
        }
        let [x9, x10, x11, x12]: [Tensor; 4] = w8.dot(w7.dot(x3).sigmoid().sigmoid()).split();
        let x13 = {
            let x12 = x12.tanh() + b14.softmax();
            w15.dot(x12).tanh()
        };
        let n17 = 2.0_f64.sqrt() - 1.5;
        loss(cross_entropy(n17 * s16 * (1.0 / de as f64 / (v4[0].c.sigmoid() + 0.5)), label));
        let out21 = Scores { y: crate::generated::cells::gate(w18, b19, b20), logits: concat([x9.cumulative_sum().tanh(), x13]).slice(dh..dh + de) };
        push(out21);
        let (h, c) = (v4[0].h + zeros(dh), (((w22.dot(p1) + w2.dot(a5) + w23.dot(v4[0].h)).tanh() + w24.dot(x10)) * (w23 * 2.0).dot(x11)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn several_16(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(E)] b5: Tensor,
        #[param(E, E)] w6: Tensor, #[param(E, H)] w9: Tensor, #[param(E, K)] w14: Tensor,
        #[dim(H)] dh: Dim, #[param(H, H + E)] w15: Tensor, #[param(K)] b16: Tensor,
        #[param(K, E)] w17: Tensor, #[param(K, E)] w18: Tensor,
    ) {
        let v1: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a2 = zeros(dk);
        for k in 0..3 {
            a2 += w3.dot(v1[k].h) * v1[k].c * (k as f64 + 0.5);
        }
        let n4 = 2.0_f64.sqrt() - 1.5;
        let x7 = (n4 / (weighted([w6.dot(b5), w6.dot(b5), w6.dot(b5)]).sigmoid() + 0.5)).tanh();
        let x8 = (w6.max() + w6.dot(x7)).tanh();
        let s10 = w9.dot(v1[1].h).pick(b5.sample());
        let n11 = 1.5 / (1.0 + dk as f64);
        let s12 = n11 + s10;
        let x13 = if 0.2 <= x8.sum() {
            x8.softmax() + 0.5 * x7.tanh()
        } else if 0.2 > x7.sum() && x7.max() < s10 {
            (x8 - x7).tanh() * s12.tanh()
        } else {
            x8.relu().minimum(x7).tanh()
        };
        scatter(Node { h: w15.dot(concat([(w14 * (1.0 / dh as f64)).dot(a2), v1[1].h])).tanh(), c: scaled(0.75 + b16, dk).tanh() });
        loss((v1[1].c + w17.tanh().dot(x8) + s12 + w18.dot(x13)).tanh().sum());
    }

    #[vertex_function]
    pub fn several_17(
        #[dim(H)] dh: Dim, #[param(H, K)] w3: Tensor, #[param(K, K)] w5: Tensor,
        #[param(E)] b6: Tensor, #[param(K, E)] w7: Tensor, #[param(E, K)] w10: Tensor,
        #[param(E, K)] w11: Tensor, #[param(H)] b22: Tensor, #[param(K, H)] w23: Tensor,
        #[param(E, H)] w24: Tensor, #[param(E, H)] w25: Tensor, #[param(E, K)] w26: Tensor,
    ) {
        let v1: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a2 = zeros(dh);
        for k in 0..3 {
            let n4 = 2.0_f64.sqrt() - 2.0;
            a2 += (v1[k].h + (w3 * n4).dot(v1[k].c)) * (k as f64 + 0.5);
        }
        let x8 = (w5.dot(v1[2].c) + v1[2].c - w7.dot(b6)).tanh();
        let x9 = (w5.dot(x8).exp() - v1[2].c).tanh();
        let s12 = (w10.dot(x9) * w11.dot(x9)).tanh().sum();
        let s13 = s12;
        let mut m14 = x9;
        let x15 = if s12 > 0.1 && x9.max() < s12 {
            m14 += (x8 / (x9.norm() + 0.5)).tanh();
            let x16 = if x8.max() < s12 && s13 > 0.2 {
                let x17 = if x9.max() < s12 || s12 < 0.1 {
                    (x8 / (x9.norm() + 0.5)).tanh()
                } else {
                    (x9 * x8).sigmoid()
                };
                (x17 + x8.relu().minimum(x9).tanh()).tanh()
            } else {
                let x18 = if -0.35 < x8.sum() {
                    m14 += (x9 - x8).tanh() * s13.tanh();
                    (x8.square() + 0.5).ln().tanh()
                } else {
                    m14 -= x9.softmax() + 0.5 * x8.tanh();
                    (x8 * x9).sigmoid()
                };
                (x18 + (x8.square() + 0.5).ln().tanh()).tanh()
            };
            (x16 + (x9 / (x8.norm() + 0.5)).tanh()).tanh()
        } else {
            m14 *= (x9.sum() + s13).tanh() * x8.sigmoid();
            let x19 = if x8.max() <= s13 && s12 >= 0.2 {
                m14 -= (x9 - x8.max()).exp().tanh();
                let x20 = if x9.max() > s12 {
                    x9.softmax() + 0.5 * x8.tanh()
                } else {
                    m14 -= (x9 - x8.max()).exp().tanh();
                    (x8 * x9).sigmoid()
                };
                (x20 + (x8 / (x9.norm() + 0.5)).tanh()).tanh()
            } else if s13 > 0.2 {
                m14 = x9.tanh();
                let x21 = if x8.max() >= s13 {
                    x9.tanh()
                } else {
                    m14 *= (x8.sum() + s12).tanh() * x9.sigmoid();
                    (x8.square() + 0.5).ln().tanh()
                };
                (x21 + x8.relu().minimum(x9).tanh()).tanh()
            } else {
                (x8 / (x9.norm() + 0.5)).tanh()
            };
            (x19 + x8.tanh()).tanh()
        };
        m14 = m14.tanh();
        let state = Node { c: w23.dot((b22.sigmoid() + 0.5).ln()).tanh(), h: (2.0 * v1[2].h).sigmoid() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((((w24 + w25).dot(a2) + s13).tanh() + (w26 * s12.tanh()).dot(x15) + w10.dot(m14)).tanh().sum());
    }

    #[vertex_function]
    pub fn several_18(
        #[dim(H)] dh: Dim, #[param(H, K)] w3: Tensor, #[param(K)] b4: Tensor,
        #[param(K, H)] w6: Tensor, #[dim(E)] de: Dim,
    ) {
        let mut a2 = zeros(dh);
        for k in 0..3 {
            let v1: Node = gather(k);
            a2 += (v1.h - w3.dot(v1.c)) * (k as f64 + 0.5);
        }
        let x5 = concat([a2, b4]).slice(0..dh).softmax().relu();
        let n7 = 2.0 / (1.0 + de as f64);
        let (h, c) = ((n7 / (0.5 + x5.sigmoid())).tanh(), w6.dot(x5).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn several_19(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(H)] b5: Tensor, #[param(H)] b6: Tensor, #[param(4 * H, H)] w7: Tensor,
        #[param(4 * H)] b8: Tensor, #[param(H)] b13: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b14: Tensor, #[param(E)] b15: Tensor, #[param(E, E)] w16: Tensor,
        #[param(K, H)] w18: Tensor, #[param(K, H)] w19: Tensor, #[param(K, H)] w20: Tensor,
        #[param(K, H)] w21: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(de);
        for k in 0..2 {
            a2 += (w3.dot(v1[k].h) + w4.dot(v1[k].c)) * (k as f64 + 0.5);
        }
        let [x9, x10, x11, x12] = (w7.dot((b5 - b6).hard_tanh()) + b8).split();
        scatter(Node { h: concat([v1[1].h.softmax(), b13]).slice(dh..dh + dh), c: b14.sigmoid() });
        let out17 = Scores { y: -b15, logits: (w16.dot(a2) + b15.sum()).tanh() };
        push(out17);
        loss((((v1[1].c - (w18 * 0.75).dot(x9)).tanh() + w18.tanh().dot(x10) + (w19 + w20).dot(x11)).tanh() + w21.dot(x12)).tanh().sum());
    }

    #[vertex_function]
    pub fn several_20(
        #[param(K)] b3: Tensor, #[dim(H)] dh: Dim, #[param(K, H)] w4: Tensor,
        #[param(K, K)] w7: Tensor, #[param(K)] b8: Tensor, #[param(E)] b9: Tensor,
        #[param(E, E)] w10: Tensor, #[dim(E)] de: Dim, #[param(H)] b11: Tensor,
    ) {
        let v1 = gather::<Node>(1);
        let v2 = gather::<Node>(0);
        let [x5, x6]: [Tensor; 2] = [scaled(b3.tanh(), dh), crate::generated::cells::gate(w4, v2.h, b3)];
        for k in 0..2 {
            loss(indicator(affine(w7, v1.c.tanh(), b8).argmax() != v2.c.sample()) * (k as f64 + 0.25));
        }
        let out12 = Scores { y: w10.dot(b9).tanh(), logits: 1.0 / de as f64 / ((v1.h - b11).sigmoid() + 0.5) };
        push(out12);
        scatter(Node { c: (x5 + x6).tanh(), h: v2.h.silu().tanh() });
    }

    #[vertex_function]
    pub fn several_21(
        #[param(E, E)] w2: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w6: Tensor,
        #[param(K)] b7: Tensor, #[param()] s8: Tensor, #[param(2 * H, K)] w9: Tensor,
        #[dim(K)] dk: Dim, #[param(3 * H, K)] w13: Tensor, #[param(H)] b15: Tensor,
        #[param(H, E)] w16: Tensor, #[param(H)] b17: Tensor, #[param(H, H + E)] w18: Tensor,
        #[param()] s19: Tensor, #[param()] s20: Tensor, #[param(K, E)] w21: Tensor,
        #[param(K, H)] w22: Tensor, #[param(K, H)] w23: Tensor, #[param(K, H)] w24: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.tanh().dot(p1);
        let v4: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a5 = zeros(dh);
        for k in 0..3 {
            a5 += v4[k].h * w6.dot(v4[k].c) * (k as f64 + 0.5);
        }
        let (x10, x11) = halves(w9.dot((s8 - b7) * v4[2].c));
        let parts12 = w13.dot((zeros(dk) - v4[2].c).tanh()).split::<3>();
        let mut a14 = b15;
        for part in parts12 {
            a14 -= (part - (zeros(dh) + x11)).tanh();
        }
        for k in 0..2 {
            loss(cross_entropy(w16.dot(x3).tanh().softplus().tanh(), label) * (k as f64 + 0.25));
        }
        for k in 0..2 {
            loss(cross_entropy(affine(w6, (v4[2].c.sigmoid() + 0.5).ln(), b17), label).tanh() * (k as f64 + 0.25));
        }
        let state = Node { c: blend(s19 - s20, w21.dot(x3) - s8, v4[2].c).tanh(), h: w18.dot(concat([x3, x10])).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss(((w22.dot(a5) - (w23 + w24).dot(v4[2].h)).tanh() + w22.dot(a14)).tanh().sum());
    }

    #[vertex_function]
    pub fn several_22(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(E, E)] w4: Tensor,
        #[param(E, H)] w6: Tensor, #[param(H)] b7: Tensor, #[param(E)] b8: Tensor,
        #[param(K)] b9: Tensor, #[param(E, E)] w10: Tensor, #[param(E, K)] w11: Tensor,
        #[param(H, E)] w12: Tensor, #[param(H, E)] w13: Tensor, #[param(H, H)] w14: Tensor,
        #[dim(E)] de: Dim, #[param(K, H + E)] w15: Tensor,
    ) {
        let mut a2 = zeros(dk);
        for k in 0..2 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) + v1.c) * (k as f64 + 0.5);
        }
        let Gold { label, target } = pull();
        let x5 = w4.tanh().dot(target);
        let x5 = x5.tanh() + affine(w6, b7, b8);
        loss(cross_entropy(b9.sigmoid() - a2, label));
        push(Out { y: weighted([w10.dot(x5), w11.dot(a2), target]).tanh() });
        scatter(Node { c: w15.dot(concat([b7, zeros(de)])), h: (2.0 / (0.5 + w12.dot(x5).greater_equal(w13.dot(x5) + 0.35).select(w14.dot(b7), w12.dot(x5)).sigmoid())).tanh() });
    }

    #[vertex_function]
    pub fn several_23(
        #[param(H, H)] w4: Tensor, #[dim(H)] dh: Dim, #[param(H, H)] w7: Tensor,
        #[param(H, H)] w8: Tensor, #[param(H)] b9: Tensor, #[param(E)] b10: Tensor,
        #[param(E, E)] w11: Tensor, #[param(K, H)] w12: Tensor, #[param(K, H)] w13: Tensor,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let x5 = w4.dot(v3.h.relu()).relu();
        let mut m6 = v2.h.sigmoid();
        m6 += zeros(dh).softmax().tanh();
        m6 = m6.tanh() + affine(w7, w8.dot(v1.h), b9).tanh();
        m6 = m6.tanh();
        push(Out { y: (w11.dot(b10) + 0.5).tanh().exp().tanh() });
        scatter(Node { h: (1.5 - -m6).tanh(), c: (v2.c.erf() - w12.dot(m6)).tanh() });
        loss((v1.c * v3.c * w13.dot(x5)).sum());
    }

    #[vertex_function]
    pub fn several_24(
        #[param(E)] b4: Tensor, #[param(V, K)] table6: Tensor, #[param(K, H)] w8: Tensor,
        #[param(K, H)] w9: Tensor, #[dim(H)] dh: Dim, #[param(K)] b10: Tensor, #[dim(K)] dk: Dim,
        #[param(K, K)] w12: Tensor, #[dim(E)] de: Dim, #[param(H, H)] w16: Tensor,
        #[param(K, H)] w21: Tensor, #[param(K, H)] w22: Tensor,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let Word { id, x } = pull();
        let x5 = x * b4;
        let x7 = table6.row(id);
        let s11 = scaled((w8 + w9).dot(v2.h), dh).pick(b10.sample());
        let x13 = weighted([zeros(dk) * v3.c, b10, w12.dot(v1.c)]);
        let x14 = 1.0 / de as f64 * b10.sigmoid();
        let s15 = indicator(x5.argmax() != x.sample());
        let s17 = w16.sum();
        let mut m18 = x14;
        let x19 = if x14.max() < s15 {
            m18 -= x14.tanh();
            (x14.sum() + s15).tanh() * x13.sigmoid()
        } else {
            m18 += x14.relu().minimum(x13).tanh();
            x14.tanh()
        };
        m18 = m18.tanh();
        let out20 = Scores { y: x.minimum(x5), logits: concat([x.slice(1..de), x.slice(0..1)]) };
        push(out20);
        let state = Node { c: ((((w21.dot(v1.h) * v2.c + (w22 * s11.tanh()).dot(v3.h) + x7 + x13 + x14).tanh() + s15) * s17).tanh() + x19 + m18).tanh(), h: v1.h.tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn several_25(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(E, E)] w5: Tensor, #[param(H, H)] w7: Tensor, #[dim(H)] dh: Dim,
        #[dim(K)] dk: Dim, #[param(H, K)] w8: Tensor, #[param(H, E)] w9: Tensor,
        #[param()] s12: Tensor, #[param(K)] b14: Tensor, #[param(H)] b16: Tensor,
        #[param(K, K)] w17: Tensor, #[param(H)] b18: Tensor, #[param(E, H + K)] w19: Tensor,
        #[param(H, E)] w20: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(de);
        for k in 0..2 {
            a2 += w3.dot(v1[k].h) * w4.dot(v1[k].c) * (k as f64 + 0.5);
        }
        let Word { x, .. } = pull();
        let x6 = w5.dot(x);
        let x10 = concat([v1[0].c.log_softmax(), w7.dot(v1[0].h)]).slice(dk..dk + dh) - w8.dot(v1[0].c).minimum(w9.dot(a2));
        let parts11 = [(v1[0].c - s12).exp().tanh(), v1[0].c + v1[0].c, v1[0].c];
        let mut a13 = b14;
        let x15 = concat(parts11);
        for k in 0..2 {
            a13 += (x15.slice(k * dk..(k + 1) * dk) * blend((x10 * b16).tanh().sum(), w17.dot(v1[0].c), v1[0].c).tanh()).tanh();
        }
        push(Out { y: w19.dot(summary(Node { h: b18, c: a13 })).tanh() });
        let state: Node = Node { h: w20.dot(x6).tanh(), c: 1.0 / de as f64 * b14 };
        scatter(state);
    }

    #[vertex_function]
    pub fn several_26(
        #[param(E)] b1: Tensor, #[dim(K)] dk: Dim, #[param(K, H)] w5: Tensor,
        #[param(H)] b7: Tensor, #[dim(H)] dh: Dim, #[param(K)] b10: Tensor,
        #[param(K, K)] w11: Tensor, #[param(K, K)] w12: Tensor, #[param(K, E)] w13: Tensor,
        #[param(K, H)] w14: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = x * b1;
        let v3: [Node; 2] = [gather(0), gather(1)];
        let mut a4 = zeros(dk);
        for k in 0..2 {
            a4 += (w5.dot(v3[k].h) + v3[k].c) * (k as f64 + 0.5);
        }
        let parts6 = [b7 * v3[1].h - v3[1].h, noisy(v3[1].h, 0.25), v3[1].h];
        let mut a8 = zeros(dh);
        for k in 1..=2 {
            a8 += (parts6[k] + v3[1].h.tanh()).tanh() * (k as f64);
        }
        let mut m9 = scaled(zeros(dk), dk);
        m9 = a4.tanh().variational_dropout(0.5) - m9;
        m9 *= (v3[1].c - b10).exp().tanh();
        m9 -= weighted([(a4 * w11.dot(a4)).tanh(), v3[1].c, a4]).tanh();
        m9 = m9.tanh();
        for k in 0..2 {
            loss(cross_entropy((0.5 + w12.dot(a4).sigmoid()).ln(), label) * (k as f64 + 0.25));
        }
        scatter(Node { c: (v3[1].c * 2.0 - m9).tanh(), h: (2.0 / (b7.sigmoid() + 0.5)).tanh() });
        loss(((w13.dot(x2) + w13.dot(x)) * (w14 * 0.5).dot(a8)).tanh().sum());
    }

    #[vertex_function]
    pub fn several_27(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(E, E)] w5: Tensor,
        #[param(E, H)] w7: Tensor, #[param(K, K)] w9: Tensor, #[param(H, K)] w10: Tensor,
        #[param(H, E)] w11: Tensor, #[param(K, K)] w12: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(dk);
        for k in 0..2 {
            a2 += (w3 * 0.5).dot(v1[k].h) * v1[k].c * (k as f64 + 0.5);
        }
        let p4 = pull::<Signal>().x;
        let x6 = w5.dot(p4);
        let x8: Tensor = (w7.dot(v1[1].h).sigmoid() * mse(x6, x6).tanh()).log_softmax();
        loss(w9.min().sigmoid());
        scatter(Node { h: ((w10.dot(a2) + w10.dot(v1[1].c)) * w11.dot(x8)).tanh(), c: w12.dot(v1[1].c).dropout(0.5).tanh() });
        let n13 = 2.0_f64.sqrt() - 1.5;
        let out14 = Scores { y: x6.log_softmax().tanh(), logits: ((n13 + v1[1].c).sigmoid() + 0.5).ln() };
        push(out14);
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
        #[param(K)] b13: Tensor, #[param(E, K)] w14: Tensor, #[param(K, E)] w15: Tensor,
        #[dim(K)] dk: Dim, #[param()] s16: Tensor, #[param()] s17: Tensor,
        #[param(K)] b19: Tensor, #[param(K, K)] w20: Tensor, #[dim(H)] dh: Dim,
        #[param(K, E)] w22: Tensor, #[param(H, E)] w23: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = p1.x * b2;
        let x5: Tensor = table4.row(p1.id);
        let mut a7 = zeros(de);
        for k in 0..3 {
            let v6: Node = gather(k);
            a7 += ((w8 + w9).dot(v6.h) + w10.dot(v6.c)) * (k as f64 + 0.5);
        }
        let (x11, [x18], s12) = (concat([w15.dot(x3), w14.dot(b13)]).slice(dk..dk + de) - x5, [w20.dot(b19).softmax()], (s16 * s17).tanh());
        let n21 = 0.75 / (1.0 + dh as f64);
        loss((s12 + x18).pick(x18.sample()) * n21);
        scatter(Node { h: w23.dot(p1.x).tanh(), c: (((w15 * 0.5).dot(p1.x) + w22.dot(a7)).tanh() + (w15 + w15).dot(x11)).tanh() });
        let out24 = Scores { y: b2.exp(), logits: (-zeros(de) * zeros(de)).sum() };
        push(out24);
    }

    #[vertex_function]
    pub fn several_30(
        #[param(E, E)] w4: Tensor, #[dim(E)] de: Dim, #[param(K)] b7: Tensor,
        #[param(K)] b9: Tensor, #[param(K, E)] w10: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b13: Tensor, #[param(E, H)] w14: Tensor, #[param(E, H)] w15: Tensor,
        #[param()] s16: Tensor, #[param(K, K)] w18: Tensor, #[param(K)] b19: Tensor,
        #[param(K, E)] w20: Tensor,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let Gold { label, target } = pull();
        let x5 = (w4 * (1.0 / (de as f64).sqrt())).dot(target);
        let n8 = 2.0_f64.sqrt() - 2.0;
        let parts6 = [(n8 - b7 + 0.5).tanh(), b9.softmax(), w10.dot(x5).tanh()];
        let mut a11 = zeros(dk);
        let x12 = concat(parts6);
        for k in 0..2 {
            a11 += (x12.slice(k * dk..(k + 1) * dk) + (b13 + v3.c)).tanh();
        }
        loss(cross_entropy(-(-v1.c), label));
        loss(w14.dot(v3.h).log_softmax().tanh().sum());
        let out17 = Scores { y: w15.dot(v1.h).tanh(), logits: (a11 * v2.c).tanh().sum() - s16 };
        push(out17);
        scatter(Node { c: gate(w18, v2.c, b19).exp().tanh(), h: (0.75 * v2.h.exp()).tanh() });
        let n21 = 2.0_f64.sqrt() - 2.0;
        loss((w20 * n21).dot(target).sum());
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
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(E, E)] w4: Tensor,
        #[param(H)] b6: Tensor, #[dim(H)] dh: Dim, #[param(K)] b7: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b8: Tensor, #[param(H, K)] w9: Tensor,
    ) {
        let v1: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a2 = zeros(dk);
        for k in 0..3 {
            a2 += (w3.dot(v1[k].h) + v1[k].c) * (k as f64 + 0.5);
        }
        let s5 = w4.log_sum_exp().sigmoid();
        loss(concat([b6, concat([a2, b7]).slice(0..dk)]).slice(0..dh).sum());
        push(Out { y: scaled(zeros(de), de).minimum(b8) });
        let state = Node { c: a2.relu().tanh(), h: (v1[1].h - w9.dot(v1[1].c) + s5).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn several_33(
        #[param(E, E)] w1: Tensor, #[param(V, H)] table3: Tensor, #[dim(H)] dh: Dim,
        #[param(H, K)] w7: Tensor, #[dim(K)] dk: Dim, #[param(3 * K, K)] w9: Tensor,
        #[param(3 * K)] b10: Tensor, #[param(E, E)] w12: Tensor, #[param(E, K)] w13: Tensor,
        #[param(K, H)] w15: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2: Tensor = w1.dot(x);
        let x4 = table3.row(id);
        let v5: [Node; 2] = [gather(0), gather(1)];
        let mut a6 = zeros(dh);
        for k in 0..2 {
            a6 += (v5[k].h + w7.dot(v5[k].c)) * (k as f64 + 0.5);
        }
        let parts8 = (w9.dot(blend(zeros(dk).exp(), v5[0].c, v5[0].c) + v5[0].c) + b10).split::<3>();
        let mut a11 = zeros(dk);
        for k in 1..=2 {
            a11 = a11.tanh() + (parts8[k] * v5[0].c.tanh()).tanh();
        }
        let n14 = 0.75 / (1.0 + dh as f64);
        loss(mse((0.5 + (w12 + w1).dot(x).sigmoid()).ln().tanh(), ((w13 * n14).dot(a11) - x2).tanh()));
        let state: Node = Node { h: (0.5 / (v5[0].h.sigmoid() + 0.5) * x4).tanh(), c: (-(a11 * v5[0].c)).tanh() };
        scatter(state);
        loss(w15.dot(a6).tanh().sum());
    }

    #[vertex_function]
    pub fn several_34(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(E)] b4: Tensor,
        #[param(E)] b5: Tensor, #[param(E, E)] w6: Tensor, #[param()] s8: Tensor,
        #[param(E)] b9: Tensor, #[param(H)] b11: Tensor, #[param(H, K)] w13: Tensor,
        #[dim(E)] de: Dim, #[param(H)] b18: Tensor, #[param(H, H)] w19: Tensor,
        #[param(H, H)] w20: Tensor, #[param(H, H)] w21: Tensor, #[param(E, 2 * H)] w22: Tensor,
        #[param(H, H)] w23: Tensor, #[param(E, H)] w25: Tensor, #[param(H)] b26: Tensor,
        #[param(K, H)] w27: Tensor, #[param(H, E)] w29: Tensor,
    ) {
        let mut a2 = zeros(dk);
        for k in 0..2 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) - v1.c) * (k as f64 + 0.5);
        }
        let x7 = b4.relu() - w6.tanh().dot(b5);
        let x10 = (blend(s8.sigmoid(), b9, x7) - (s8 + s8)).tanh();
        let s12 = b11.max();
        let s14 = (w13 * s12).dot(a2).tanh().sum();
        let mut m15 = x10;
        let i17 = concat([weighted([zeros(de), x10, b4]), zeros(3)]).argmax();
        let x16 = match i17 {
            Index(0) => {
                (x10.square() + 0.5).ln().tanh()
            }
            Index(1) | Index(2) => {
                m15 *= (x10 * x7).sigmoid();
                (x10 * x7).sigmoid()
            }
            _ => {
                m15 += (x10 / (x7.norm() + 0.5)).tanh();
                (x10 - x7).tanh() * s12.tanh()
            }
        };
        m15 = m15.tanh();
        loss(mse(w22.dot(concat([w19.dot(b18), (w20 + w21).dot(b11)])), m15.minimum(x16)));
        let n24 = 2.0_f64.sqrt() - 2.0;
        loss((0.5 / (0.5 + w23.dot(b11).sigmoid()) - n24).tanh().sum());
        let out28 = Scores { y: (1.0 / dk as f64 + w25.dot(b11)).tanh(), logits: scaled(w27.dot(b26).minimum(a2), dk) };
        push(out28);
        scatter(Node { h: (w29 * s14.tanh()).dot(m15).exp().tanh(), c: (a2.tanh() * s14).tanh() });
    }

    #[vertex_function]
    pub fn several_35(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[dim(H)] dh: Dim,
        #[param(4 * E, H)] w4: Tensor, #[param(E, E)] w9: Tensor, #[param(K, K)] w11: Tensor,
        #[param(E, K)] w12: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(dk);
        for k in 0..2 {
            a2 += (w3.dot(v1[k].h) + v1[k].c) * (k as f64 + 0.5);
        }
        let [x5, x6, x7, x8] = w4.dot(zeros(dh).hard_sigmoid().sigmoid()).split();
        let s10 = w9.sum();
        scatter(Node { c: concat([zeros(dk) / (a2.sigmoid() + 0.5), w11.dot(a2)]).slice(dk..dk + dk).tanh(), h: v1[0].h.maximum(v1[0].h).tanh() });
        loss(((w12.dot(v1[0].c) + x5 + x6 + x7).tanh() + x8 - s10).tanh().sum());
    }
}

pub mod all {
    use super::prelude::*;

    #[vertex_function]
    pub fn all_0(
        #[param(E)] b1: Tensor, #[param(K)] b2: Tensor, #[param(E, K)] w3: Tensor,
        #[param(E, E)] w4: Tensor, #[param(H)] b5: Tensor, #[param(E, H)] w6: Tensor,
        #[param(E, H)] w7: Tensor, #[param(2 * K, E)] w8: Tensor, #[param(2 * K)] b9: Tensor,
        #[param(H, K)] w14: Tensor, #[param(E, H)] w15: Tensor, #[param(H)] b16: Tensor,
        #[param(K, H + E)] w17: Tensor, #[param(2 * K, K)] w18: Tensor, #[dim(E)] de: Dim,
        #[param(K, E)] w21: Tensor, #[param(K)] b22: Tensor, #[param(H, K)] w23: Tensor,
        #[param(K, H)] w24: Tensor,
    ) {
        let [x10, x11]: [Tensor; 2] = (w8.dot((b1 + w3.dot(b2)).greater_equal(w4.dot(b1) + 0.35).select((w6 + w7).dot(b5), b1 + w3.dot(b2))) + b9).split();
        let mut a12 = (0.5 + b5.sigmoid()).ln();
        for v13 in gather_all::<Node>() {
            a12 += v13.h + w14.dot(v13.c);
        }
        let (x19, x20) = halves(w18.dot(w17.dot(concat([w15.dot(a12), b16])).tanh()));
        loss(zeros(de).pick(b1.argmax()).tanh());
        for k in 0..2 {
            loss(mse((0.5 / (0.5 + w21.dot(b1).sigmoid())).tanh(), b22 * b2) * (k as f64 + 0.25));
        }
        let state: Node = Node { h: (((w14.dot(x10) * w14.dot(x11)).tanh() + (w14 * 1.5).dot(x19)).tanh() + (w23 * 0.75).dot(x20)).tanh(), c: w24.dot(a12).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn all_1(
        #[param(H, E)] w1: Tensor, #[param(V, K)] table3: Tensor, #[dim(K)] dk: Dim,
        #[param(3 * H, K)] w7: Tensor, #[param(H)] b9: Tensor, #[dim(E)] de: Dim,
        #[param(E, K)] w13: Tensor, #[param(E, H)] w14: Tensor, #[dim(H)] dh: Dim,
        #[param(E, K)] w15: Tensor, #[param(E)] b18: Tensor, #[param(E)] b19: Tensor,
        #[param(V, E)] table20: Tensor, #[param()] s21: Tensor, #[param(E, H)] w22: Tensor,
        #[param(E, E)] w23: Tensor, #[param(K, K)] w25: Tensor, #[param(K)] b26: Tensor,
        #[param(H, E)] w27: Tensor, #[param(H, K)] w28: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2: Tensor = w1.dot(x);
        let x4: Tensor = table3.row(id);
        let n6 = 1.5 / (1.0 + dk as f64);
        let parts5 = w7.dot((x4 * n6).exp()).split::<3>();
        let mut a8 = b9;
        for part in parts5 {
            a8 = a8.tanh() + (part - -x2).tanh();
        }
        let mut a10 = zeros(de);
        let mut a11 = zeros(de);
        for v12 in gather_all::<Node>() {
            let [x16, x17] = [scaled((w13.tanh().dot(v12.c) + w14.dot(a8)).tanh(), dh), w15.dot(v12.c).tanh()];
            a10 = (w14 + w14).dot(v12.h) * x16 * x17 + a10;
            a11 += b18.softmax() / (0.5 + b19.less(table20.row(id) + 0.35).select(x17, b19).sigmoid());
            a11 -= -x17;
        }
        loss(a10.tanh().sum().sigmoid() * s21);
        loss(mse(a11.tanh(), w22.dot(x2)).tanh().tanh());
        let out24 = Scores { y: (w23 * 2.0).dot(a11).tanh(), logits: b18.sigmoid() };
        push(out24);
        let state: Node = Node { h: (w27.dot(a10) - w28.tanh().dot(x4)).tanh(), c: crate::generated::cells::gate(w25, table3.row(id).maximum(x4), b26).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn all_2(
        #[param(E)] b1: Tensor, #[dim(H)] dh: Dim, #[param(H)] b4: Tensor, #[param()] s5: Tensor,
        #[param()] s7: Tensor, #[param(E, E)] w13: Tensor, #[param(E, E)] w14: Tensor,
        #[param(E, H)] w17: Tensor, #[param(E, K)] w18: Tensor, #[param(K)] b21: Tensor,
        #[param(H)] b26: Tensor, #[dim(E)] de: Dim, #[param()] s27: Tensor,
        #[param(2 * E, E)] w28: Tensor, #[param(K, H)] w31: Tensor,
        #[param(E, H + K)] w32: Tensor, #[param(K)] b33: Tensor, #[param(K, E)] w34: Tensor,
        #[param(K, E)] w35: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = target * b1;
        let x3 = (2.0 / (0.5 + zeros(dh).sigmoid())).log_softmax().tanh();
        let x6 = (b4 + s5).tanh();
        let s8 = s7.sigmoid();
        let s9 = 0.75 - s5;
        let x10 = if x6.max() < s9 && -0.35 < x3.sum() {
            (x6 - x3).tanh() * s8.tanh()
        } else if !(0.2 <= x3.sum() || s9 >= 0.2) {
            (x3.square() + 0.5).ln().tanh()
        } else {
            let x11 = if 0.2 > x6.sum() {
                (x3 / (x6.norm() + 0.5)).tanh()
            } else if s8 >= 0.2 {
                (x6.sum() + s8).tanh() * x3.sigmoid()
            } else {
                x3.tanh()
            };
            (x11 + x3.tanh()).tanh()
        };
        let mut a12 = -(w13 + w14).dot(target);
        let mut n15 = 1.0;
        for Node { h, c } in gather_all() {
            a12 = w17.dot(h) + w18.dot(c) + a12;
            n15 += 1.0;
        }
        let x19 = a12 / n15;
        let x20 = {
            let x22 = x2 - 0.75 - w18.dot(b21);
            x22.tanh()
        };
        let mut a23 = x10.tanh();
        let mut t24 = s5;
        for Node { h, c } in gather_all() {
            let x6 = x6.tanh() + concat([b26, x3]).slice(dh..dh + dh);
            t24 += mse(x19.tanh(), w18.dot(c)).tanh();
            a23 = a23.minimum(h + x6);
        }
        let [x29, x30]: [Tensor; 2] = w28.dot(zeros(de) * s27 * x20).split();
        loss(t24);
        loss(w32.dot(concat([w31.tanh().dot(a23), b4])).tanh().max());
        scatter(Node { h: (1.0 / dh as f64 + x10).tanh(), c: (b33.relu() * s8 - s9 + (w34 * 2.0).dot(x29) + w35.dot(x30)).tanh() });
    }

    #[vertex_function]
    pub fn all_3(
        #[param(K)] b2: Tensor, #[param(K, K)] w3: Tensor, #[param(H)] b5: Tensor,
        #[param(E, H)] w6: Tensor, #[param(E)] b7: Tensor, #[param(K, E)] w8: Tensor,
        #[param(K, K + E)] w9: Tensor, #[dim(K)] dk: Dim, #[param(K, H)] w13: Tensor,
        #[param(E, K)] w15: Tensor, #[param(E)] b19: Tensor, #[param(E, K)] w20: Tensor,
        #[param(E, E)] w21: Tensor, #[param(K)] b25: Tensor, #[param(E)] b26: Tensor,
        #[param(E)] b27: Tensor, #[param(E)] b28: Tensor, #[param(H, K)] w29: Tensor,
        #[param(H, K)] w30: Tensor, #[param()] s31: Tensor, #[param(K, H)] w32: Tensor,
        #[param(K, K)] w33: Tensor,
    ) {
        let x1 = {
            let x4 = -w3.dot(b2);
            let x10 = w9.dot(concat([w6.dot(b5), w8.tanh().dot(b7)]));
            (x4 - x10).tanh()
        };
        let mut a11 = zeros(dk);
        for Node { h, c } in gather_all() {
            a11 = a11 + (w13.dot(h) + c);
        }
        let mut m14 = (0.5 + b7.sigmoid()).ln();
        m14 -= w15.dot(a11).tanh().erf().variational_dropout(0.25);
        m14 = m14.tanh();
        let mut a16 = zeros(dk);
        let mut a17 = weighted([m14, m14, b7]);
        for v18 in gather_all::<Node>() {
            a16 = a16.minimum(w13.dot(v18.h) * v18.c);
            a17 += w21.dot(b19.maximum(w20.dot(v18.c)));
        }
        let mut m22 = x1 / (0.5 + zeros(dk).sigmoid());
        let n23 = 2.0_f64.sqrt() - 0.5;
        let n24 = 0.5 / (1.0 + dk as f64);
        m22 += (n23 / (0.5 + (n24 / (a16.sigmoid() + 0.5)).sigmoid())).tanh();
        m22 *= (b25.greater_equal(b2 + 0.35).select(a16, b25) / (0.5 + (-w3.dot(x1)).sigmoid())).tanh();
        m22 = m22.tanh();
        loss(mse(b26.hard_tanh().tanh(), (b27 + a17).tanh()));
        push(Out { y: b28.sigmoid() - b7 });
        let state = Node { c: (-w33.dot(m22)).greater_equal(zeros(dk) + 0.1).select(w8.dot(a17), -w33.dot(m22)).tanh(), h: ((s31 * (w29 + w30).dot(a16)).tanh() * w32.dot(b5).sum()).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn all_4(
        #[param(H)] b1: Tensor, #[param(E, H)] w2: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b3: Tensor, #[param(E, E)] w4: Tensor, #[param(2 * H, E)] w5: Tensor,
        #[dim(K)] dk: Dim, #[param(K)] b9: Tensor, #[param(E, K)] w10: Tensor,
        #[param(H)] b12: Tensor, #[param(E, H)] w14: Tensor, #[dim(H)] dh: Dim,
        #[param(H, H)] w16: Tensor, #[param(H, H)] w17: Tensor, #[param()] s18: Tensor,
        #[param(E, H)] w20: Tensor, #[param(E, H)] w22: Tensor, #[param(E)] b23: Tensor,
        #[param(H, E)] w24: Tensor, #[param(K, H)] w25: Tensor,
    ) {
        let (x6, x7) = halves(w5.dot(concat([w4.dot(b3), w2.dot(b1)]).slice(de..de + de).sigmoid()));
        let mut a8 = 1.0 / (dk as f64).sqrt() / (0.5 + w10.dot(b9).sigmoid());
        let mut a11 = x7.greater_equal(b12 + 0.35).select(x6, x7);
        for Node { c, h } in gather_all::<Node>() {
            a8 = w14.dot(h) * w10.dot(c) + a8;
            a11 = a11.maximum((concat([c, x6]).slice(dk..dk + dh) * x7).tanh());
        }
        let parts15 = [(0.75 / (0.5 + w16.dot(a11).sigmoid()) + x6).tanh(), w17.dot(x7) * s18, b1];
        let mut a19 = zeros(dh);
        for k in 0..3 {
            a19 -= (parts15[k] + a11.relu().tanh()).tanh();
        }
        let n21 = 0.5 / (1.0 + de as f64);
        loss((n21 + indicator(w20.dot(a19).argmax() == a8.sample())).tanh());
        for k in 0..2 {
            loss(a8.tanh().sum().tanh() * s18 * (k as f64 + 0.25));
        }
        push(Out { y: weighted([weighted([a8, w22.dot(a19), a8]).tanh(), b23, a8]).tanh() });
        scatter(Node { c: (0.5 + w25.dot(a11).sigmoid()).ln().tanh(), h: (2.0 + a19).greater(w24.dot(a8) + 0.1).select(a11, 2.0 + a19).tanh() });
    }

    #[vertex_function]
    pub fn all_5(
        #[param(H, E)] w2: Tensor, #[param(V, H)] table4: Tensor, #[param(E)] b8: Tensor,
        #[param(E, E)] w9: Tensor, #[param(K)] b10: Tensor, #[param(E, K)] w11: Tensor,
        #[param(H)] b12: Tensor, #[param(E)] b13: Tensor, #[param(E, E)] w14: Tensor,
        #[param(E, H)] w15: Tensor, #[param(E, H)] w17: Tensor, #[param(E)] mut b18: Tensor,
        #[dim(E)] de: Dim, #[param(E, E)] w21: Tensor, #[dim(K)] dk: Dim,
        #[param(V, K)] table22: Tensor, #[param(H, K)] w24: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5: Tensor = table4.row(id);
        let (x6, [x16], s7) = (crate::generated::cells::gate(w2, (w9 * 1.5).dot(b8) * (w11 * 0.75).dot(b10), b12), [w17.dot(x3).sigmoid()], w14.dot(b13).maximum(w15.dot(x5)).sum());
        let mut a19 = zeros(de);
        for v20 in gather_all::<Node>() {
            b18 = b18.maximum(w15.dot(v20.h) * w11.dot(v20.c));
            a19 = a19 + (w21.dot(x16).relu() - x16);
        }
        let x23 = 1.0 / de as f64 / (zeros(dk).sigmoid() + 0.5) * table22.row(id);
        let (h, c) = (((((x6 + s7).tanh() + (w2 * s7.tanh()).dot(b18)).tanh() * w2.dot(a19)).tanh() + w24.dot(x23)).tanh(), -b10);
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_6(
        #[param(H, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(K)] b6: Tensor,
        #[dim(H)] dh: Dim, #[param(H, E)] w10: Tensor, #[param()] s11: Tensor,
        #[param()] s13: Tensor, #[dim(E)] de: Dim, #[param(K)] b15: Tensor,
        #[param(K)] b16: Tensor, #[dim(K)] dk: Dim, #[param(H, H + K)] w18: Tensor,
        #[param(H)] b19: Tensor, #[param(H, K)] w20: Tensor, #[param(3 * H, H)] w22: Tensor,
        #[param(3 * H)] b23: Tensor, #[param(K, H)] w25: Tensor,
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
        let parts21 = (w22.dot((0.75 / (a9.sigmoid() + 0.5) * a8).tanh()) + b23).split::<3>();
        let mut a24 = zeros(dh);
        for k in 1..=2 {
            a24 += (parts21[k] + (1.5 / (zeros(dh).sigmoid() + 0.5)).tanh()).tanh() * (k as f64);
        }
        let (h, c) = (a24.tanh(), ((x5 + x7 + t12).tanh() + w25.dot(a24)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_7(
        #[param(E)] b2: Tensor, #[param(H, E)] w3: Tensor, #[param(K)] b4: Tensor,
        #[param(H, K)] w5: Tensor, #[param(H)] b6: Tensor, #[param(H, H)] w7: Tensor,
        #[param(3 * E, H)] w8: Tensor, #[param(3 * E)] b9: Tensor, #[param(E)] b11: Tensor,
        #[param(K)] b12: Tensor, #[param(E, K)] w13: Tensor, #[param(E, K)] w15: Tensor,
        #[param(K, E)] w16: Tensor, #[dim(K)] dk: Dim, #[param(E, H)] w19: Tensor,
        #[param()] s20: Tensor, #[param(K, H)] w21: Tensor, #[param(K, K)] w23: Tensor,
        #[param(H)] b24: Tensor, #[param(K, H)] w25: Tensor, #[param(K)] b26: Tensor,
        #[param(H)] b28: Tensor, #[param(K, E)] w35: Tensor, #[param(H, E)] w36: Tensor,
    ) {
        let parts1 = (w8.dot(w3.dot(b2).less(w5.dot(b4) + 0.1).select(w7.dot(b6), w3.dot(b2)).softmax()) + b9).split::<3>();
        let mut a10 = b11;
        for part in parts1 {
            a10 = a10.tanh() + (part + w13.dot(b12) * b2).tanh();
        }
        let mut a14 = crate::generated::cells::gate(w15, w16.dot(a10), b2).tanh();
        let mut a17 = zeros(dk);
        for Node { c, h } in gather_all::<Node>() {
            a14 = a14.minimum(w19.dot(h) - w13.dot(c));
            a17 = a17.maximum((c - s20).relu());
        }
        let x22 = b4.relu().minimum(w21.dot(b6));
        let x27 = gate(w23, w25.tanh().dot(b24), b4) * b26;
        let s29 = (w7.dot(b28) * b6).sum();
        let s30 = s29.sigmoid();
        let mut m31 = x27;
        let x32 = if s30 >= 0.2 {
            m31 = (x27 / (x22.norm() + 0.5)).tanh();
            let x33 = if -0.35 > x22.sum() {
                x27.tanh()
            } else if s30 <= 0.1 {
                (x27 / (x22.norm() + 0.5)).tanh()
            } else {
                m31 = (x27 * x22).sigmoid();
                let x34 = if -0.35 < x27.sum() {
                    m31 += x27.tanh();
                    (x27 * x22).sigmoid()
                } else {
                    (x22.sum() + s29).tanh() * x27.sigmoid()
                };
                (x34 + x22.softmax() + 0.5 * x27.tanh()).tanh()
            };
            (x33 + (x22.sum() + s29).tanh() * x27.sigmoid()).tanh()
        } else {
            m31 -= (x22 - x27).tanh() * s30.tanh();
            (x27 - x22.max()).exp().tanh()
        };
        m31 = m31.tanh();
        scatter(Node { c: (((w35 * 0.5).dot(a14) - a17).tanh() - x22 + x27 + s30 + x32).tanh() * m31, h: (w36.dot(a10).sigmoid() + 0.5).ln().tanh() });
    }

    #[vertex_function]
    pub fn all_8(
        #[param(E)] b2: Tensor, #[param(K)] b4: Tensor, #[param(H, K)] w5: Tensor,
        #[param(K, E)] w6: Tensor, #[param(E, H + K)] w7: Tensor, #[param(E)] b9: Tensor,
        #[dim(E)] de: Dim, #[param(K)] b11: Tensor, #[param(H)] b12: Tensor,
        #[param(H)] b18: Tensor, #[param(H, H)] w19: Tensor, #[param(H, K)] w21: Tensor,
        #[param(H)] b24: Tensor, #[param(H)] b25: Tensor, #[dim(K)] dk: Dim,
        #[param(E, E)] w26: Tensor, #[param(H)] b30: Tensor, #[param(K)] mut b34: Tensor,
        #[param(H)] b36: Tensor, #[param(K, K)] w40: Tensor, #[param(K)] b41: Tensor,
        #[param(K, H)] w43: Tensor, #[param(K, H)] w44: Tensor, #[param(K, H)] w45: Tensor,
        #[param(H)] b46: Tensor, #[param(K)] b47: Tensor, #[param(H)] b48: Tensor,
        #[param(K, H)] w49: Tensor, #[param(E)] b50: Tensor, #[param(K, E)] w51: Tensor,
        #[param(K, E)] w52: Tensor, #[param(K, E)] w54: Tensor, #[param(K, E)] w55: Tensor,
        #[param(H)] b56: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = p1 * b2;
        let x8 = w7.dot(concat([w5.tanh().dot(b4), w6.dot(p1)])).tanh();
        let x10 = concat([zeros(de).clamp(-0.5, 0.75), b9]).slice(de..de + de);
        let s13 = w5.dot(b11).pick(b12.argmax());
        let s14 = s13;
        let mut m15 = x10;
        let x16 = if 0.1 < x10.sum() && x8.max() > s14 {
            m15 *= (x10.sum() + s13).tanh() * x8.sigmoid();
            x8.relu().minimum(x10).tanh()
        } else {
            x8.tanh()
        };
        m15 = m15.tanh();
        let mut a17 = w19.tanh().dot(b18);
        let mut a20 = (w21 * (1.0 / (de as f64).sqrt())).dot(b4);
        for v22 in gather_all::<Node>() {
            let mut m23 = b12.exp();
            m23 *= b24.exp().softmax();
            m23 -= (b25.sigmoid().sigmoid() + 0.5).ln();
            m23 = m23.tanh();
            a17 += (v22.h + w5.tanh().dot(v22.c) - m23).tanh();
            a20 = a20.maximum(v22.h.softmax() / (0.5 + (1.0 / dk as f64 / (0.5 + m23.sigmoid())).sigmoid()));
        }
        let x27 = s14 * w26.dot(m15);
        let x28 = (0.5 - scaled(x16, de)).tanh();
        let s29 = s14;
        let s31 = b30.sum();
        let mut m32 = x28;
        let x33 = if 0.2 > x28.sum() {
            m32 -= (x27 - x28).tanh() * s31.tanh();
            (x27 - x28.max()).exp().tanh()
        } else if -0.35 < x28.sum() || 0.2 <= x27.sum() {
            m32 -= (x28 - x27.max()).exp().tanh();
            x28.softmax() + 0.5 * x27.tanh()
        } else {
            (x27 / (x28.norm() + 0.5)).tanh()
        };
        m32 = m32.tanh();
        let mut a35 = (b36 + a17).tanh();
        for Node { h, c } in gather_all() {
            let (x38, [x42], s39) = (affine(w40, concat([b4.slice(1..dk), b4.slice(0..1)]), b41), [a20.tanh().exp()], s29.tanh());
            b34 = ((w43.dot(h) + c) * x38 - s39 + w44.dot(x42)).tanh() + b34 - crate::generated::cells::gate(w45, b46, b47);
            a35 -= -b48.relu();
        }
        loss(cross_entropy(noisy(w49.dot(a35).tanh().exp(), 0.25), label));
        for k in 0..2 {
            loss(mse(weighted([b50, x27, zeros(de)]).log_softmax().tanh(), w26.dot(x8).softmax()) * (k as f64 + 0.25));
        }
        let n53 = 2.0_f64.sqrt() - 0.5;
        scatter(Node { c: ((w51.dot(x3) * (w52 * n53).dot(x10) + w6.tanh().dot(x28) + s31 + w54.dot(x33)).tanh() * (w55 * 0.75).dot(m32) - b34).tanh(), h: b56.log_softmax().tanh() });
    }

    #[vertex_function]
    pub fn all_9(
        #[param(K)] b2: Tensor, #[param(K)] b3: Tensor, #[param(K, H)] w4: Tensor,
        #[param(E)] b5: Tensor, #[param(H, E)] w6: Tensor, #[param(H)] mut b7: Tensor,
        #[param()] s10: Tensor, #[param(E, K)] w12: Tensor, #[param(H)] b14: Tensor,
        #[param(H)] b15: Tensor, #[param(H)] b17: Tensor, #[param(E)] b18: Tensor,
        #[dim(K)] dk: Dim,
    ) {
        let mut m1 = b2.exp();
        m1 -= b3.softmax().tanh();
        m1 = m1.tanh() + crate::generated::cells::gate(w4, w6.dot(b5).sigmoid(), b2);
        m1 = m1.tanh();
        let (mut n8, mut t9) = (1.0, s10);
        for v11 in gather_all::<Node>() {
            let x13 = -(1.5 / (w12.dot(v11.c).sigmoid() + 0.5));
            t9 += (b14 * b15).sum();
            b7 = b7.maximum((v11.h + w6.dot(x13)).tanh());
            n8 += 1.0;
        }
        let x16 = b7 / n8;
        loss(x16.pick(b17.sample()).tanh().sigmoid());
        let out19 = Scores { y: s10 - b18, logits: zeros(dk).exp().exp() };
        push(out19);
        scatter(Node { c: (m1 - t9).tanh(), h: b7.softmax() });
    }

    #[vertex_function]
    pub fn all_10(
        #[param(E)] b1: Tensor, #[param(E)] b2: Tensor, #[param(E)] b4: Tensor,
        #[param(E)] b5: Tensor, #[dim(E)] de: Dim, #[param(E, E)] w7: Tensor,
        #[param()] s9: Tensor, #[dim(K)] dk: Dim, #[param(K)] b16: Tensor,
        #[param(K)] b17: Tensor, #[param(K, K)] w18: Tensor, #[param(K, H)] w20: Tensor,
        #[param(H)] b21: Tensor, #[param(K, H)] w22: Tensor, #[param(H, E)] w23: Tensor,
        #[param(H)] b24: Tensor, #[param(H, H)] w25: Tensor, #[param(H)] b26: Tensor,
        #[param(K, H + K)] w27: Tensor, #[param(H, K)] w28: Tensor,
    ) {
        let x3 = (b1 * b2).abs();
        let x6 = b4.exp() * (b5 * zeros(de)).sum();
        let s8 = w7.max();
        let s10 = s8 - s9;
        let mut m11 = x6;
        let x12 = if s8 < -0.35 && s8 > -0.35 {
            let x13 = if x6.max() < s8 {
                x6.relu().minimum(x3).tanh()
            } else {
                (x3 * x6).sigmoid()
            };
            (x13 + x6.softmax() + 0.5 * x3.tanh()).tanh()
        } else {
            (x6 - x3).tanh() * s8.tanh()
        };
        m11 = m11.tanh();
        let mut a14 = zeros(dk);
        let mut a15 = b16.maximum(w18.dot(b17));
        for v19 in gather_all::<Node>() {
            a14 -= w20.tanh().dot(v19.h) - v19.c;
            a15 += v19.c.hard_sigmoid().cumulative_sum().tanh();
        }
        loss(2.0 + concat([w22.dot(b21), w23.dot(x12)]).slice(0..dk).sum());
        let state = Node { c: w27.dot(summary(Node { h: b21, c: a15 })).tanh().relu(), h: blend(w25.dot(b24).tanh(), b26.tanh(), b21).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: (x3 - x6 + (w7 * s8.tanh()).dot(x3)).tanh() });
        loss((w28.dot(a14).tanh().log_softmax() * s10 + w23.dot(m11)).tanh().sum());
    }

    #[vertex_function]
    pub fn all_11(
        #[param(E, E)] w1: Tensor, #[param(V, E)] table3: Tensor, #[param(H)] b6: Tensor,
        #[param(H, H)] w7: Tensor, #[param(H, E)] w8: Tensor, #[param(H, E)] w9: Tensor,
        #[param(K)] b10: Tensor, #[param(H, K)] w11: Tensor, #[dim(H)] dh: Dim,
        #[dim(K)] dk: Dim, #[param()] s15: Tensor, #[param(H)] b17: Tensor,
        #[param(2 * H, H)] w18: Tensor, #[param(2 * H)] b19: Tensor, #[param(H)] b22: Tensor,
        #[param(H)] b23: Tensor, #[param()] s25: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2: Tensor = w1.dot(x);
        let x4 = table3.row(id);
        let mut m5 = w7.dot(b6) + w8.tanh().dot(x2);
        m5 *= w9.dot(x4).relu().exp().tanh();
        m5 = (2.0 / (0.5 + w11.dot(b10).exp().sigmoid())).tanh() - m5;
        m5 = m5.tanh();
        let mut a12 = zeros(dh);
        let mut a13 = zeros(dk);
        let mut t14 = s15;
        for Node { c, h } in gather_all::<Node>() {
            let (x20, x21) = halves(w18.dot((b17 + s15).minimum(h)) + b19);
            t14 += (blend((zeros(dh).sigmoid() + 0.5).ln(), b22, b23) * w11.dot(c)).sum().tanh();
            a12 += (x20 + x21).tanh();
            a12 -= m5.relu();
            a13 = zeros(dk).relu().tanh() + a13;
        }
        let out24 = Scores { y: (x4.sigmoid() + 0.5).ln(), logits: (0.5 + a12.relu().sigmoid()).ln() };
        push(out24);
        let state = Node { c: (a13 * t14).tanh(), h: zeros(dh) * s25 };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn all_12(
        #[param(K, E)] w2: Tensor, #[param(K, K)] w4: Tensor, #[param(K)] b5: Tensor,
        #[param(3 * H, K)] w6: Tensor, #[param(3 * H)] b7: Tensor, #[dim(K)] dk: Dim,
        #[param(E, H)] w13: Tensor, #[param()] s16: Tensor, #[param(E)] b18: Tensor,
        #[param(E)] b19: Tensor, #[dim(E)] de: Dim, #[param(E, E)] w21: Tensor,
        #[param(K, H)] w26: Tensor, #[param(K, E)] w27: Tensor, #[param(E, K)] w28: Tensor,
        #[param(H, H)] w30: Tensor, #[param(H, H)] w32: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3: Tensor = w2.dot(p1);
        let [x8, x9, x10] = (w6.dot(crate::generated::cells::gate(w4, x3.log_softmax(), b5).tanh()) + b7).split::<3>();
        let mut a11 = zeros(dk);
        let mut a12 = w13.dot(x8) * 0.5;
        let (mut n14, mut t15) = (1.0, s16);
        for Node { c, h } in gather_all::<Node>() {
            let x20 = (b18 - b19 + (w13 * 1.5).dot(x9)).tanh();
            let x22 = (2.0 / (0.5 + concat([w21.dot(x20), w13.dot(x10)]).slice(de..de + de).sigmoid())).tanh();
            let s23 = x22.sum();
            let s24 = s23;
            let x25 = if -0.35 >= x20.sum() {
                (x20 * x22).sigmoid()
            } else {
                x22.tanh()
            };
            t15 += s16.tanh() * s16;
            a11 = a11.minimum((w26.dot(h) * c + s24 + w27.dot(x25)).tanh());
            a12 = a12.minimum((x22.variational_dropout(0.5) + w28.dot(x3)).tanh());
            n14 += 1.0;
        }
        let x29 = a11 / n14;
        let n31 = 2.0_f64.sqrt() - 2.0;
        loss(cross_entropy((n31 * w30.dot(x9)).tanh(), label));
        let state = Node { c: ((w2.dot(a12) * t15).tanh() - x29).tanh(), h: (w32 * (1.0 / (de as f64).sqrt())).dot(x8).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn all_13(
        #[param(H)] b1: Tensor, #[param(H, H)] w2: Tensor, #[param(H, H)] w3: Tensor,
        #[param(4 * K, H)] w4: Tensor, #[param(4 * K)] b5: Tensor, #[dim(H)] dh: Dim,
        #[param(E)] mut b11: Tensor, #[param(K)] b13: Tensor, #[param(H, K)] w15: Tensor,
        #[param(E, H)] w16: Tensor, #[param(E)] b17: Tensor, #[param(E)] b18: Tensor,
        #[param(E, E)] w19: Tensor, #[param(H, K)] w20: Tensor, #[param(H)] b21: Tensor,
        #[param(K)] b22: Tensor, #[param(H)] b23: Tensor, #[param(E, K)] w24: Tensor,
    ) {
        let [x6, x7, x8, x9] = (w4.dot((w3 + w2).dot(w2.tanh().dot(b1))) + b5).split::<4>();
        let mut a10 = zeros(dh);
        for Node { c, h } in gather_all::<Node>() {
            let s14 = (b13.gelu_tanh() * x7).tanh().sum();
            a10 += (h + w15.dot(c) + s14).tanh();
            a10 -= h.exp().tanh();
            b11 += w16.dot(h).exp().tanh();
            b11 -= b17 / (0.5 + w19.dot(b18).sigmoid());
        }
        let state = Node { c: (b23.pick(a10.argmax()) - (x6 - b22)).tanh(), h: affine(w20, x8.tanh(), b21).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((w24.tanh().dot(x9) + b11).tanh().sum());
    }

    #[vertex_function]
    pub fn all_14(
        #[param(K)] b2: Tensor, #[param(H, K)] w3: Tensor, #[param(K)] b4: Tensor,
        #[param(E, K)] w5: Tensor, #[param(E)] b6: Tensor, #[param(K)] b8: Tensor,
        #[param(E, K)] w9: Tensor, #[dim(E)] de: Dim, #[param(H, E)] w11: Tensor,
        #[dim(H)] dh: Dim, #[param(K, K)] w16: Tensor, #[param(E, H + K)] w17: Tensor,
        #[param(E)] b18: Tensor, #[param(E, K)] w19: Tensor, #[param(E)] b20: Tensor,
        #[param(H)] b22: Tensor, #[param()] s23: Tensor, #[param(E, H)] w24: Tensor,
        #[param(E, H)] w25: Tensor, #[param(K, H)] w26: Tensor,
    ) {
        let x1 = {
            let x7 = w5.dot(b4).pick(b6.argmax()) - w3.dot(b2).log_softmax();
            let x10 = w9.dot(b8).exp().minimum(zeros(de));
            (x7 - w11.dot(x10)).tanh().tanh()
        };
        let mut a12 = zeros(dh);
        let mut a13 = zeros(dh);
        for Node { h, c } in gather_all() {
            let x15 = {
                let x21 = w17.dot(summary(Node { h: zeros(dh), c: w16.dot(c) })) / (b18.less(w19.dot(c) + 0.6).select(b20, b18).sigmoid() + 0.5);
                (w11 * 0.75).dot(x21).tanh()
            };
            a12 = h + x15 + a12 - (x1 - b22);
            a13 = (h / (x1.sigmoid() + 0.5)).relu() + a13 - (h - x15);
        }
        push(Out { y: (s23 * b6).minimum((w24 + w25).dot(a13)).tanh() });
        let (h, c) = (a13.tanh().gelu_tanh().tanh(), w26.dot(a12).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_15(
        #[param(E)] b2: Tensor, #[param(K, E)] w3: Tensor, #[dim(H)] dh: Dim,
        #[param(H, K)] w6: Tensor, #[dim(K)] dk: Dim, #[param()] s10: Tensor,
        #[param(E)] b12: Tensor, #[param(H, K)] w13: Tensor, #[param(H)] b14: Tensor,
        #[dim(E)] de: Dim, #[param(E, H)] w15: Tensor, #[param(E)] b16: Tensor,
        #[param(K)] b17: Tensor, #[param(K)] b18: Tensor, #[param(E, H)] w19: Tensor,
    ) {
        let x1 = {
            let n4 = 0.75 / (1.0 + dh as f64);
            let x5 = w3.dot(b2) + n4;
            let x5 = x5.tanh() + (x5 * x5).tanh();
            let n7 = 1.5 / (1.0 + dk as f64);
            (w6 * n7).dot(x5).tanh()
        };
        let mut a8 = zeros(dh);
        let mut t9 = s10;
        for v11 in gather_all::<Node>() {
            t9 += (s10 * b12).max();
            a8 += (v11.h - (w13 * 0.75).dot(v11.c)).tanh();
            a8 -= b14 * zeros(dh);
        }
        let state: Node = Node { h: (0.75 / (b14.sigmoid() + 0.5) + zeros(de).pick(w15.dot(x1).sample())).tanh(), c: w3.dot(b16).greater_equal(b17 + 0.35).select(b18, w3.dot(b16)) };
        scatter(state);
        push(Out { y: zeros(de).tanh() });
        loss((w19.dot(a8) * t9).tanh().sum());
    }

    #[vertex_function]
    pub fn all_16(
        #[param(K, E)] w2: Tensor, #[param(H, E)] w6: Tensor, #[param(H, K)] w7: Tensor,
        #[param(K, E)] w9: Tensor, #[dim(H)] dh: Dim, #[param(H, H)] w12: Tensor,
        #[param(H)] b15: Tensor, #[param(K)] b16: Tensor, #[param(H)] b18: Tensor,
        #[param(K, H + K)] w19: Tensor, #[param()] s22: Tensor, #[param(K)] b26: Tensor,
        #[dim(K)] dk: Dim, #[param(K, K)] w37: Tensor, #[param(K)] b38: Tensor,
        #[param(H)] b40: Tensor, #[param(K, H + K)] w41: Tensor, #[param(E, H)] w42: Tensor,
        #[param(E, H)] w43: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = w2.dot(p1.target);
        let (x4, [x8], s5) = ((w6.dot(p1.target).minimum(w7.dot(x3)).sigmoid() + 0.5).ln(), [x3.maximum(w9.dot(p1.target))], p1.target.sum().tanh());
        let mut a10 = zeros(dh);
        let mut a11 = noisy(w12.dot(x4), 0.25);
        let mut t13 = s5;
        for v14 in gather_all::<Node>() {
            t13 += x8.exp().tanh().sum().tanh();
            a10 = v14.h - w7.dot(v14.c) + a10;
            a11 -= 0.75 + b15.sigmoid();
        }
        let x17 = x8.log_softmax().greater(x8 + 0.6).select(b16, x8.log_softmax()).tanh();
        let x20 = w19.dot(summary(Node { h: b18, c: x3 })).maximum(x17).tanh();
        let s21 = p1.target.max();
        let s23 = s22 + t13;
        let mut m24 = x20;
        let i27 = concat([x20.greater_equal(x8 + 0.1).select(b26, x20), zeros(3)]).argmax();
        let x25 = match i27 {
            Index(0) => {
                let x28 = if x20.max() <= s23 {
                    let x29 = if s21 < -0.35 {
                        x17.tanh()
                    } else {
                        m24 *= (x17.square() + 0.5).ln().tanh();
                        (x20 - x17.max()).exp().tanh()
                    };
                    (x29 + (x17.square() + 0.5).ln().tanh()).tanh()
                } else if s21 >= 0.2 {
                    m24 += (x17 / (x20.norm() + 0.5)).tanh();
                    let x30 = if s21 >= 0.2 && x20.max() >= s23 {
                        m24 *= (x17 * x20).sigmoid();
                        x17.softmax() + 0.5 * x20.tanh()
                    } else {
                        x17.softmax() + 0.5 * x20.tanh()
                    };
                    (x30 + (x17.square() + 0.5).ln().tanh()).tanh()
                } else {
                    m24 += (x17 - x20.max()).exp().tanh();
                    let x31 = if s23 > -0.35 {
                        m24 *= x17.tanh();
                        (x20 / (x17.norm() + 0.5)).tanh()
                    } else {
                        m24 += (x20 - x17.max()).exp().tanh();
                        x17.softmax() + 0.5 * x20.tanh()
                    };
                    (x31 + (x17 / (x20.norm() + 0.5)).tanh()).tanh()
                };
                (x28 + x17.relu().minimum(x20).tanh()).tanh()
            }
            Index(1) | Index(2) => {
                let x32 = if !(0.2 > x20.sum() || s21 <= 0.1) {
                    (x20.square() + 0.5).ln().tanh()
                } else if x20.max() < s23 && s23 > 0.2 {
                    (x17.square() + 0.5).ln().tanh()
                } else {
                    m24 = (x20 * x17).sigmoid();
                    (x20.square() + 0.5).ln().tanh()
                };
                (x32 + (x17 / (x20.norm() + 0.5)).tanh()).tanh()
            }
            _ => {
                (x17.sum() + s21).tanh() * x20.sigmoid()
            }
        };
        m24 = m24.tanh();
        let mut a33 = zeros(dh);
        let mut a34 = zeros(dk);
        let mut n35 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            a33 += h * w7.dot(c);
            a34 -= (-weighted([w37.dot(m24), b38, x25])).tanh();
            n35 += 1.0;
        }
        let x39 = a33 / n35;
        for k in 0..2 {
            loss(cross_entropy(b16.erf().minimum(b16), p1.label) * (k as f64 + 0.25));
        }
        scatter(Node { h: (s21 * b15).maximum(b40), c: (0.5 + w41.dot(summary(Node { h: x4, c: a34 })).tanh().sigmoid()).ln().tanh() });
        loss(((w42.dot(a10) - w43.dot(a11)).tanh() - s23 + w42.dot(x39)).tanh().sum());
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
        #[param(H, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(H)] b6: Tensor,
        #[dim(H)] dh: Dim, #[param(H, H)] w8: Tensor, #[param(E, K)] w15: Tensor,
        #[param(E, H)] w19: Tensor, #[param(V, K)] table20: Tensor, #[param(K, H)] w21: Tensor,
        #[dim(K)] dk: Dim, #[param(V, K)] table23: Tensor, #[param(K)] b24: Tensor,
        #[param()] s25: Tensor, #[param(H, K)] w27: Tensor, #[param(H, E)] w28: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let x7 = (-b6).greater(x3 + 0.35).select(b6, -b6);
        let x9 = w8.dot(zeros(dh).relu());
        let s10 = x7.pick(x9.sample());
        let s11 = s10;
        let x12 = if x7.max() >= s11 || 0.1 <= x7.sum() {
            let x13 = if x7.max() < s10 {
                (x7.square() + 0.5).ln().tanh()
            } else {
                (x9.sum() + s10).tanh() * x7.sigmoid()
            };
            (x13 + x7.relu().minimum(x9).tanh()).tanh()
        } else {
            x7.tanh()
        };
        let mut a14 = 2.0 - (w15 * s11).dot(x5);
        let mut a16 = x5.greater(x5 + 0.35).select(x5, x5);
        let mut n17 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            a14 -= ((w19 * 0.5).dot(h) + w15.dot(c)).tanh();
            a16 = table20.row(id).log_softmax().dropout(0.1).tanh() + a16 - w21.dot(x12) * zeros(dk);
            n17 += 1.0;
        }
        let x22 = a14 / n17;
        let s26 = (table23.row(id) * b24).sum().tanh() * s25;
        let n29 = 2.0_f64.sqrt() - 2.0;
        scatter(Node { h: (w27.dot(a16) - (w28 * s26).dot(x22)).tanh(), c: (n29 - x5).tanh() });
        let out30 = Scores { y: a14.tanh(), logits: x7.tanh().softmax() };
        push(out30);
    }

    #[vertex_function]
    pub fn all_19(
        #[param(E, E)] w2: Tensor, #[param(E, E)] w3: Tensor, #[param(K)] b5: Tensor,
        #[param()] s7: Tensor, #[param(H, K)] w10: Tensor, #[dim(E)] de: Dim,
        #[param(H)] mut b14: Tensor, #[param(E)] b18: Tensor, #[param(H, E)] w20: Tensor,
        #[param(E, K)] w21: Tensor, #[param(E, H)] w22: Tensor, #[dim(H)] dh: Dim,
        #[param(K, K)] w23: Tensor, #[dim(K)] dk: Dim, #[param(H, H)] w33: Tensor,
        #[param(H, H)] w34: Tensor, #[param(H, H + K)] w35: Tensor,
        #[param(H, 2 * H)] w36: Tensor, #[param(K, H)] w38: Tensor, #[param(E, H)] w39: Tensor,
        #[param(K, E)] w41: Tensor, #[param(K)] b42: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x4 = (w2 + w3).dot(p1);
        let x6 = (-b5).tanh();
        let x8 = (s7 - x6 + x6).tanh();
        let s9 = x6.sum();
        let s11 = w10.dot(x8).sum();
        let x12 = if s9 >= 0.1 && s11 < 0.2 {
            (x8.square() + 0.5).ln().tanh()
        } else {
            (x6 - x8.max()).exp().tanh()
        };
        let mut a13 = zeros(de);
        for v15 in gather_all::<Node>() {
            let x16 = {
                let x17: Tensor = 1.5 / (0.5 + (v15.h + v15.h).sigmoid());
                let x19 = (0.75 * b18).softmax();
                (x17 - w20.dot(x19)).tanh()
            };
            a13 = w21.dot(v15.c) + w22.dot(x16) + a13 - x4.tanh();
            b14 += concat([zeros(dh).slice(1..dh), zeros(dh).slice(0..1)]);
            b14 -= v15.h.elu(0.7);
        }
        let x24 = x8.minimum(x12).greater_equal(x12 + 0.6).select(w23.dot(x12), x8.minimum(x12)).tanh();
        let x25 = ((x6.sigmoid() + 0.5).ln() * 2.0).tanh();
        let s26 = b14.tanh().sum();
        let s27 = s9;
        let x28 = if s26 < -0.35 || s26 <= 0.2 {
            (x25 - x24.max()).exp().tanh()
        } else {
            (x25 * x24).sigmoid()
        };
        let mut a29 = zeros(dk);
        let mut a30 = zeros(de);
        let mut n31 = 1.0;
        for v32 in gather_all::<Node>() {
            let x37: Tensor = w36.dot(concat([w35.dot(summary(Node { h: (w33 + w34).dot(v32.h), c: x28 })), (s7 + b14).tanh()])).tanh();
            a29 += v32.c + w38.dot(x37);
            a29 -= x25.leaky_relu(0.1);
            a30 += w39.dot(x37).greater_equal(a13 + 0.35).select(a13, w39.dot(x37)).tanh();
            n31 += 1.0;
        }
        let x40 = a29 / n31;
        loss(cross_entropy(b5.tanh().maximum(w41.dot(a30)).tanh(), label));
        loss(cross_entropy(w23.dot(x40).variational_dropout(0.5).tanh().exp(), label));
        scatter(Node { h: b14.softmax(), c: ((0.75 * b42 * s11 - x24).tanh() * s26 + s27).tanh() });
    }

    #[vertex_function]
    pub fn all_20(
        #[param(E, E)] w1: Tensor, #[param(H)] b3: Tensor, #[param(K)] b5: Tensor,
        #[param(H, K)] w6: Tensor, #[param(H, K)] w7: Tensor, #[param(E, H)] w9: Tensor,
        #[dim(K)] dk: Dim, #[param(K, H)] w19: Tensor, #[dim(H)] dh: Dim,
        #[param(K, E)] w20: Tensor,
    ) {
        let Word { x, .. } = pull();
        let x2: Tensor = w1.dot(x);
        let x4 = b3;
        let x8 = (w6 + w7).dot(b5).erf().exp().tanh();
        let s10 = w9.dot(x4).pick(x.sample());
        let s11 = s10;
        let mut m12 = x8;
        let x13 = if 0.1 < x4.sum() {
            x4.relu().minimum(x8).tanh()
        } else if !(s11 <= 0.1 || 0.2 <= x8.sum()) {
            let x14 = if s10 >= -0.35 {
                m12 *= (x4.sum() + s10).tanh() * x8.sigmoid();
                (x4 * x8).sigmoid()
            } else {
                m12 *= (x8 - x4.max()).exp().tanh();
                let x15 = if !(s10 >= -0.35 || x4.max() < s10) {
                    (x4 - x8.max()).exp().tanh()
                } else if x4.max() <= s11 && s11 > -0.35 {
                    m12 *= (x8.square() + 0.5).ln().tanh();
                    x4.softmax() + 0.5 * x8.tanh()
                } else {
                    m12 += (x8 * x4).sigmoid();
                    x4.relu().minimum(x8).tanh()
                };
                (x15 + (x8 / (x4.norm() + 0.5)).tanh()).tanh()
            };
            (x14 + (x4.sum() + s11).tanh() * x8.sigmoid()).tanh()
        } else {
            m12 -= x4.tanh();
            (x8 - x4).tanh() * s11.tanh()
        };
        m12 = m12.tanh();
        let mut a16 = zeros(dk);
        let mut a17 = m12 - 1.5;
        for Node { c, h } in gather_all::<Node>() {
            a16 = a16.minimum(w19.dot(h) + c);
            a17 += ((x8.sigmoid() + 0.5).ln().sigmoid() + 0.5).ln();
        }
        let state = Node { c: (1.5 / (a16.sigmoid() + 0.5) - a16).tanh(), h: (a17 + w6.dot(a16)).tanh().less(zeros(dh) + 0.6).select(x13, (a17 + w6.dot(a16)).tanh()).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((w20 * s11).dot(x2).sum());
    }

    #[vertex_function]
    pub fn all_21(
        #[param(K)] b1: Tensor, #[param(K, K)] w2: Tensor, #[param(2 * K, K)] w3: Tensor,
        #[param(E)] mut b6: Tensor, #[param(E)] b8: Tensor, #[param(E, E)] w9: Tensor,
        #[param(2 * E, E)] w10: Tensor, #[param(2 * E)] b11: Tensor, #[param(E, H)] w14: Tensor,
        #[param(E, K)] w15: Tensor, #[param(H)] b16: Tensor, #[param(H, H)] w17: Tensor,
        #[param()] s18: Tensor, #[param(H, K)] w19: Tensor, #[param(H, K)] w20: Tensor,
        #[param(K, E)] w21: Tensor,
    ) {
        let (x4, x5) = halves(w3.dot(w2.dot(b1).sigmoid() * b1));
        for Node { h, c } in gather_all() {
            let [x12, x13] = (w10.dot(w9.dot(b8).relu().leaky_relu(0.1)) + b11).split();
            b6 -= ((w14.dot(h) + w15.dot(c) + x12).tanh() * x13).tanh();
        }
        scatter(Node { c: w2.dot((w21 * 2.0).dot(b6).tanh().exp()).tanh(), h: blend(s18 * w17.dot(b16), w19.dot(x4), w20.dot(x5)).tanh() });
    }

    #[vertex_function]
    pub fn all_22(
        #[param(E)] b2: Tensor, #[param(K, E)] w3: Tensor, #[param(H)] b5: Tensor,
        #[param(H, H)] w6: Tensor, #[dim(H)] dh: Dim, #[param(E, K)] w8: Tensor,
        #[param(E, H)] w9: Tensor, #[dim(E)] de: Dim, #[param()] s14: Tensor,
        #[param()] s18: Tensor, #[param(E, K)] w19: Tensor, #[param(E, E)] w22: Tensor,
        #[param(H, E)] w23: Tensor, #[param(E, E)] w25: Tensor, #[param(K, E)] w26: Tensor,
        #[param(K)] b27: Tensor, #[dim(K)] dk: Dim,
    ) {
        let x1 = {
            let x4: Tensor = w3.dot(b2).exp();
            let x7 = w6.dot(b5).maximum(zeros(dh)).tanh();
            (w8.dot(x4) + w9.tanh().dot(x7)).tanh()
        };
        let mut a10 = zeros(de);
        let mut a11 = zeros(dh);
        let (mut n12, mut t13) = (1.0, s14);
        for Node { h, c } in gather_all() {
            let (x16, [x20], s17) = ((x1 * s18).exp(), [scaled(h, de)], (x1.tanh() * w19.dot(c)).sum());
            t13 += s17.tanh();
            let n21 = 2.0_f64.sqrt() - 2.0;
            a10 = (x16 + (w9 * n21).dot(x20)).tanh() + a10 - (-(w22 * 1.5).dot(x1)).tanh();
            a11 = a11 + ((w23 * 0.5).dot(x16) - h).tanh().hard_tanh();
            n12 += 1.0;
        }
        let x24 = a10 / n12;
        push(Out { y: (x24 * x24).tanh().greater(w25.dot(x1) + 0.6).select(x24, (x24 * x24).tanh()).tanh() });
        let (h, c) = (a11.softmax() * zeros(dh), scaled(((w26 + w3).dot(x24) + b27).tanh(), dk));
        scatter(Node { h, c });
        loss(((2.0 + a11).tanh() * t13).tanh().sum());
    }

    #[vertex_function]
    pub fn all_23(
        #[param(H, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(K)] mut b6: Tensor,
        #[dim(K)] dk: Dim, #[param(K)] b7: Tensor, #[dim(H)] dh: Dim, #[param(H, E)] w10: Tensor,
        #[param(H, K)] w12: Tensor, #[param(H, K)] w13: Tensor, #[param(E)] b16: Tensor,
        #[param(E, K)] w17: Tensor, #[param(E)] b18: Tensor, #[dim(E)] de: Dim,
        #[param(V, E)] table19: Tensor, #[param()] s23: Tensor, #[param(K)] b25: Tensor,
        #[param(K, H)] w31: Tensor, #[param()] s32: Tensor, #[param(K, H)] w33: Tensor,
        #[param(V, H)] table34: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        b6 *= x5.tanh().square().tanh();
        b6 += zeros(dk).maximum(x5).tanh();
        b6 = b6.tanh() + b7.tanh().tanh();
        b6 = b6.tanh();
        let mut a8 = zeros(dh);
        let mut a9 = concat([w10.dot(p1), x3]).slice(dh..dh + dh);
        for Node { c, h } in gather_all::<Node>() {
            a8 = a8.minimum(h * (w12 * 2.0).dot(c));
            let n14 = 2.0_f64.sqrt() - 0.75;
            a9 = a9.minimum(((2.0 + w13.dot(b6)) * n14).tanh());
        }
        let mut m15 = p1 + b16;
        m15 = w17.dot(b6).noise(0.1).tanh() - m15;
        m15 *= concat([table19.row(id) * p1, b18]).slice(de..de + de);
        m15 = m15.tanh();
        let mut a20 = zeros(dk);
        let mut a21 = zeros(dk);
        let mut t22 = s23;
        for v24 in gather_all::<Node>() {
            let x26 = (v24.c.sigmoid() + 0.5).ln() - b25;
            let x27 = -v24.c.relu();
            let s28 = m15.max();
            let s29 = s28;
            let x30 = if x26.max() < s28 {
                x27.relu().minimum(x26).tanh()
            } else if 0.2 < x26.sum() && s28 > 0.1 {
                x26.softmax() + 0.5 * x27.tanh()
            } else {
                x27.softmax() + 0.5 * x26.tanh()
            };
            t22 += s29;
            a20 -= (((w31 * 1.5).dot(v24.h) * x26 - x27).tanh() + x30).tanh();
            a21 = a21 + (s29 + (s32 + x27));
        }
        scatter(Node { h: zeros(dh) + table34.row(id), c: ((((w31.dot(a8) + w33.dot(a9)).tanh() + a20).tanh() + a21).tanh() + t22).tanh() });
        let out35 = Scores { y: -zeros(de), logits: (a21.greater_equal(a20 + 0.6).select(x5, a21) - b7).tanh() };
        push(out35);
    }

    #[vertex_function]
    pub fn all_24(
        #[dim(K)] dk: Dim, #[dim(E)] de: Dim, #[param(H)] b3: Tensor, #[param(K, H)] w4: Tensor,
        #[param(K)] b5: Tensor, #[param(K, K)] w6: Tensor, #[param(K, K)] w7: Tensor,
        #[param(K, K)] w9: Tensor, #[param(K)] mut b10: Tensor, #[param(E)] b12: Tensor,
        #[param(E, E)] w13: Tensor, #[param(2 * H, E)] w14: Tensor, #[param(2 * H)] b15: Tensor,
        #[param(K, H)] w18: Tensor, #[param(K, H)] w19: Tensor, #[param(E, K)] w20: Tensor,
        #[param(E, K)] w21: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w26: Tensor,
        #[param(K)] b27: Tensor, #[param(K)] b28: Tensor, #[param(E, E)] w30: Tensor,
        #[param(E, K)] w31: Tensor, #[param(K)] b32: Tensor, #[param(E)] b33: Tensor,
    ) {
        let n2 = 1.5 / (1.0 + de as f64);
        let parts1 = [-(1.5 + zeros(dk)), (n2 / (w4.dot(b3).sigmoid() + 0.5)).tanh(), (w6 + w7).dot(b5)];
        let mut a8 = zeros(dk);
        for part in parts1 {
            a8 = a8.tanh() + (part * w9.dot(b5)).tanh();
        }
        for v11 in gather_all::<Node>() {
            let [x16, x17]: [Tensor; 2] = (w14.dot(-w13.dot(b12).tanh()) + b15).split();
            b10 -= (w18.dot(v11.h) * v11.c * w19.dot(x16) + w4.dot(x17)).tanh();
        }
        let s22 = (0.75 / (w20.tanh().dot(b10).noise(0.1).tanh().sigmoid() + 0.5)).pick(w21.dot(a8).sample());
        let mut a23 = zeros(dh);
        let mut a24 = zeros(dk);
        for Node { h, c } in gather_all() {
            a23 = a23.minimum(h - w26.dot(c));
            a24 = a24 + zeros(dk).less(b27 + 0.1).select(b28, zeros(dk)).exp();
        }
        let x29 = (w20.dot(a24).sigmoid() + 0.5).ln() * 1.5;
        for k in 0..2 {
            loss(s22 * (k as f64 + 0.25));
        }
        let out34 = Scores { y: scaled((w30 * s22.tanh()).dot(x29), dk).tanh(), logits: gate(w31, b32.softmax(), b33) };
        push(out34);
        let (h, c) = (a23.tanh(), w4.dot(a23).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_25(
        #[param(H, E)] w1: Tensor, #[dim(H)] dh: Dim, #[param(K)] b4: Tensor,
        #[param(E, K)] w5: Tensor, #[param(H)] mut b7: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H + K)] w10: Tensor, #[param(H)] b12: Tensor, #[param(E)] b14: Tensor,
        #[param(E, E)] w15: Tensor, #[param(H, K)] w21: Tensor, #[param(H, K)] w22: Tensor,
        #[param(E, E)] w23: Tensor, #[param(E)] b24: Tensor, #[param(E)] b25: Tensor,
        #[param(E, E)] w26: Tensor, #[param(E, H)] w27: Tensor, #[param(H)] b28: Tensor,
        #[param(E)] b29: Tensor, #[param(K, E)] w30: Tensor, #[param(H, H + K)] w31: Tensor,
        #[param(K)] b32: Tensor, #[dim(E)] de: Dim, #[param(K, H)] w34: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = w1.dot(x);
        let x3 = {
            let x6 = 1.0 / dh as f64 / (0.5 + w5.dot(b4).log_softmax().sigmoid());
            w1.dot(x6).tanh()
        };
        for v8 in gather_all::<Node>() {
            let x9 = (zeros(dk) + v8.c).sigmoid();
            let x11 = (w10.dot(summary(Node { h: v8.h, c: x9 })) + 0.5).tanh();
            let s13 = x2.pick(b12.sample());
            let s16 = indicator(w15.dot(b14).argmax() != label);
            let x17 = if !(x9.max() >= s16 || 0.1 <= x11.sum()) {
                x9.softmax() + 0.5 * x11.tanh()
            } else {
                let x18 = if x11.max() < s13 {
                    let x19 = if s16 > 0.2 || x9.max() <= s16 {
                        (x9 * x11).sigmoid()
                    } else {
                        x11.tanh()
                    };
                    (x19 + x11.relu().minimum(x9).tanh()).tanh()
                } else if s16 < -0.35 || 0.1 <= x9.sum() {
                    let x20 = if x9.max() > s13 && x11.max() < s13 {
                        (x11.sum() + s13).tanh() * x9.sigmoid()
                    } else if s13 >= -0.35 && x9.max() > s13 {
                        x11.tanh()
                    } else {
                        (x9 / (x11.norm() + 0.5)).tanh()
                    };
                    (x20 + (x11.sum() + s16).tanh() * x9.sigmoid()).tanh()
                } else {
                    (x9.sum() + s16).tanh() * x11.sigmoid()
                };
                (x18 + x9.softmax() + 0.5 * x11.tanh()).tanh()
            };
            b7 = b7 + (w21.dot(x11) * s13 * s16 + (w22 * 0.75).dot(x17)).tanh();
        }
        loss(mse((0.75 / (0.5 + w23.tanh().dot(b14).sigmoid())).maximum(b24), (w26.dot(b25) * w27.dot(b7)).tanh()));
        let n33 = 2.0 / (1.0 + de as f64);
        let (h, c) = (w31.dot(concat([b28, w30.dot(b29)])).tanh(), ((n33 - b32).sigmoid() + 0.5).ln().tanh());
        scatter(Node { h, c });
        loss(w34.dot(x3).sum());
    }

    #[vertex_function]
    pub fn all_26(
        #[param(H)] b1: Tensor, #[param(H, H)] w2: Tensor, #[param(K)] b3: Tensor,
        #[param(H, K)] w4: Tensor, #[param(K)] b5: Tensor, #[param(H, K)] w6: Tensor,
        #[param(H, K)] w7: Tensor, #[param(K)] mut b9: Tensor, #[param(K, H)] w12: Tensor,
        #[dim(K)] dk: Dim, #[param(E)] b13: Tensor, #[param(E, E)] w14: Tensor,
        #[dim(E)] de: Dim, #[param(E)] b16: Tensor, #[param(E, K)] w17: Tensor,
        #[param(H)] mut b19: Tensor, #[param(K)] mut b20: Tensor, #[param(E, H)] w23: Tensor,
        #[param(K)] b24: Tensor, #[param(K, H)] w25: Tensor, #[param(K, K)] w26: Tensor,
        #[param(H, K)] w27: Tensor, #[param(H)] b28: Tensor, #[param(H, K)] w29: Tensor,
        #[param(E)] b30: Tensor, #[param(E, E)] w31: Tensor, #[param(E)] b32: Tensor,
        #[param(E, E)] w33: Tensor, #[param(K, H)] w34: Tensor,
    ) {
        let s8 = (w2.dot(b1) - w4.dot(b3) + (w4 + w6).dot(b5)).pick(w7.dot(b3).sample());
        let mut n10 = 1.0;
        for v11 in gather_all::<Node>() {
            b9 = w12.dot(v11.h) * v11.c + b9 - concat([w14.dot(b13), zeros(dk)]).slice(de..de + dk);
            n10 += 1.0;
        }
        let x15 = b9 / n10;
        let s18 = (b16 / (zeros(de).sigmoid() + 0.5) - w17.dot(x15)).tanh().sum();
        for v21 in gather_all::<Node>() {
            let mut m22 = concat([v21.c, w23.dot(v21.h)]).slice(0..dk);
            m22 = m22.tanh() + weighted([b24, w25.dot(v21.h), b9]).tanh().softmax();
            m22 = m22.tanh() + (0.5 + w26.dot(v21.c).softmax().sigmoid()).ln();
            m22 = m22.tanh();
            b19 = b19.minimum(w27.dot(m22));
            b20 += (2.0 / (b9.tanh().erf().sigmoid() + 0.5)).tanh();
        }
        for k in 0..2 {
            loss(mse((b1.sigmoid().sigmoid() + 0.5).ln(), b19.relu()) * (k as f64 + 0.25));
        }
        scatter(Node { c: -zeros(dk), h: (b28.relu() * s8 * s18 * w29.dot(b20)).tanh() });
        let out35 = Scores { y: (w31 * s18.tanh()).dot(b30) - w33.dot(b32), logits: (w34.dot(b19).tanh() + b20).tanh() };
        push(out35);
    }

    #[vertex_function]
    pub fn all_27(
        #[param(H)] b2: Tensor, #[param()] s3: Tensor, #[param(K)] b4: Tensor,
        #[param(H, K)] w5: Tensor, #[dim(H)] dh: Dim, #[param(E)] b6: Tensor,
        #[param(H, E)] w7: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w11: Tensor,
        #[param(E, K)] w12: Tensor, #[param(K, E)] w13: Tensor, #[param(H, K)] w14: Tensor,
        #[param(H, K)] w15: Tensor, #[param(K)] b16: Tensor, #[param(K, H)] w17: Tensor,
    ) {
        let parts1 = [(b2 * s3).softmax(), concat([w5.dot(b4).slice(1..dh), w5.dot(b4).slice(0..1)]), w7.dot(b6)];
        let mut a8 = zeros(dh);
        for k in 1..=2 {
            a8 = a8.tanh() + (parts1[k] - zeros(dh) * b2).tanh();
        }
        let mut a9 = zeros(de);
        for v10 in gather_all::<Node>() {
            a9 += (w11.dot(v10.h) * (w12 * 0.75).dot(v10.c)).tanh();
        }
        loss(((w14 + w15).dot(w13.dot(a9).relu().tanh()) * a8).tanh().sum());
        scatter(Node { h: ((b16 * w13.dot(a9)).tanh().sum() * (a8 / (a8.sigmoid() + 0.5)).tanh()).tanh(), c: (w17 + w17).dot(a8).tanh().log_softmax().tanh() });
    }

    #[vertex_function]
    pub fn all_28(
        #[param(K, E)] w1: Tensor, #[param(E, K)] w4: Tensor, #[param(E)] b5: Tensor,
        #[dim(E)] de: Dim, #[param(E, E)] w6: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w10: Tensor, #[param(H, K)] w11: Tensor, #[param(K)] b13: Tensor,
        #[param(K, E)] w14: Tensor, #[param(K)] b15: Tensor, #[param(K)] b16: Tensor,
        #[param(H)] b17: Tensor, #[param(H, H)] w18: Tensor, #[param(E, K)] w19: Tensor,
        #[param(H)] b20: Tensor, #[param(K, H)] w21: Tensor, #[param(K, H + K)] w22: Tensor,
    ) {
        let Gold { label, target } = pull();
        let x2 = w1.tanh().dot(target);
        let mut m3 = w4.dot(x2).maximum(target);
        m3 = (2.0 * b5).tanh() - m3;
        m3 /= 0.5;
        m3 += (w6.mean() + -zeros(de)).tanh();
        m3 = m3.tanh();
        let mut a7 = zeros(dk);
        let mut a8 = zeros(de);
        for Node { c, h } in gather_all::<Node>() {
            a7 = a7.maximum(w10.tanh().dot(h) + c);
            a8 -= ((w11.tanh().dot(x2) * h).tanh().sum() + (zeros(de) + m3)).tanh();
        }
        let mut m12 = b13.tanh();
        m12 += blend(mse(a7, x2).tanh(), 0.75 / (0.5 + x2.sigmoid()), b13).tanh();
        m12 *= (1.0 / dk as f64 + 1.5 * w14.dot(m3)).tanh();
        m12 += b15.minimum(b16) + x2;
        m12 = m12.tanh();
        loss(cross_entropy(m12.sigmoid().exp(), label));
        push(Out { y: a8.dropout(0.1).tanh() / (0.5 + (target - w6.dot(target)).sigmoid()) });
        let state = Node { c: w22.dot(concat([b17, w21.dot(b20)])).tanh(), h: (w19.dot(m12).sum() * w18.dot(b17).tanh()).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn all_29(
        #[param(H)] mut b1: Tensor, #[param(H)] b2: Tensor, #[param(H, H)] w3: Tensor,
        #[param(H, K)] w4: Tensor, #[param(K, H)] w5: Tensor, #[param(K)] b6: Tensor,
        #[param(H)] b7: Tensor, #[dim(K)] dk: Dim, #[param()] s11: Tensor, #[dim(H)] dh: Dim,
        #[param(K, H)] w12: Tensor, #[param(K, H)] w13: Tensor, #[param()] s14: Tensor,
        #[param(H)] mut b15: Tensor, #[param(H, K)] w16: Tensor, #[param(H, K)] w17: Tensor,
        #[param(E)] b19: Tensor, #[dim(E)] de: Dim, #[param(H)] b20: Tensor,
        #[param(K)] b21: Tensor, #[param(H)] b22: Tensor, #[param(E, H)] w23: Tensor,
        #[param(K, H + E)] w24: Tensor,
    ) {
        b1 = w3.dot(b2).exp().tanh() - b1;
        b1 -= b2.sigmoid();
        b1 *= affine(w4, w5.dot(b2).minimum(b6), b7);
        b1 = b1.tanh();
        let mut a8 = zeros(dk);
        for v9 in gather_all::<Node>() {
            let mut m10 = b1 + s11;
            m10 = concat([b2.slice(1..dh), b2.slice(0..1)]) - m10;
            m10 = m10.tanh();
            a8 = (w12.dot(v9.h) + v9.c + w13.dot(m10)).tanh() + a8 - (s14 + v9.c);
        }
        b15 += ((w16.tanh().dot(a8) * b1).tanh().sigmoid() + 0.5).ln();
        b15 -= (2.0 - b1).tanh();
        b15 -= (w17.dot(a8).sigmoid() + 0.5).ln().tanh();
        b15 = b15.tanh();
        loss(((b15.sigmoid() + 0.5).ln() * b15).sum().sigmoid());
        let n18 = 2.0_f64.sqrt() - 2.0;
        for k in 0..2 {
            loss((n18 + a8).tanh().relu().pick(b6.argmax()) * (k as f64 + 0.25));
        }
        push(Out { y: concat([b19, b20]).slice(0..de) * (a8 * b21).tanh().sum() });
        let state = Node { c: w24.dot(concat([b2, w23.dot(b15)])).tanh(), h: b22.leaky_relu(0.1).minimum(b1).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn all_30(
        #[param(H, H)] w1: Tensor, #[param(K)] b2: Tensor, #[param(H, K)] w3: Tensor,
        #[param(H)] b4: Tensor, #[dim(H)] dh: Dim, #[param(H, H)] w7: Tensor,
        #[param(E)] b16: Tensor, #[param(E)] b17: Tensor, #[param(E, E)] w18: Tensor,
        #[param(3 * E, E)] w19: Tensor, #[param(E)] b21: Tensor, #[param(H, K)] w22: Tensor,
        #[param(H, E)] w23: Tensor, #[param(H, E)] w24: Tensor, #[param()] s25: Tensor,
        #[dim(E)] de: Dim, #[param(K)] b28: Tensor, #[param(E, K)] w29: Tensor,
        #[param(K, E)] w30: Tensor, #[dim(K)] dk: Dim, #[param(K, E)] w31: Tensor,
        #[param(E, E)] w32: Tensor, #[param(K, K)] w33: Tensor, #[param(K, H)] w35: Tensor,
        #[param(K, H)] w36: Tensor,
    ) {
        let x5 = gate(w1, w3.dot(b2), b4).tanh();
        let x6 = (0.5 + zeros(dh).sigmoid()).ln();
        let s8 = w7.max();
        let s9 = s8;
        let x10 = if s9 < 0.1 || x6.max() >= s9 {
            (x5 * x6).sigmoid()
        } else {
            let x11 = if !(s8 >= -0.35 || s9 > 0.2) {
                let x12 = if 0.2 < x5.sum() && x5.max() < s9 {
                    x5.relu().minimum(x6).tanh()
                } else if x6.max() <= s9 && s9 >= 0.2 {
                    (x5 - x6.max()).exp().tanh()
                } else {
                    (x6 - x5.max()).exp().tanh()
                };
                (x12 + (x6.square() + 0.5).ln().tanh()).tanh()
            } else if s9 < -0.35 || 0.1 <= x5.sum() {
                (x6.sum() + s9).tanh() * x5.sigmoid()
            } else {
                (x6 / (x5.norm() + 0.5)).tanh()
            };
            (x11 + x5.tanh()).tanh()
        };
        let mut a13 = (w1 + w1).dot(x6);
        for v14 in gather_all::<Node>() {
            let parts15 = w19.dot(b16.clamp(-0.5, 0.75).maximum(w18.dot(b17))).split::<3>();
            let mut a20 = b16;
            for k in 1..=2 {
                a20 += (parts15[k] * (1.0 / dh as f64 + b21).tanh()).tanh() * (k as f64);
            }
            a13 = a13.minimum((v14.h + w22.tanh().dot(v14.c) + w23.tanh().dot(a20)).tanh());
        }
        let [x26, x27]: [Tensor; 2] = [(w3.dot(b2) + x5).sigmoid(), s25 - (w24 * (1.0 / (dh as f64).sqrt())).dot(b16)];
        loss((zeros(de) - w29.dot(b28)).pick(zeros(de).sample()).sigmoid());
        scatter(Node { h: x6.log_softmax().relu().tanh(), c: (w30.dot(b16).less(zeros(dk) + 0.35).select(zeros(dk), w30.dot(b16)) + w31.dot(b16)).tanh() });
        let out34 = Scores { y: ((w18 + w32).dot(b16) + w18.dot(b16)).tanh(), logits: w33.mean() };
        push(out34);
        loss(((w35.dot(x10).tanh() * s9 + w35.dot(a13)).tanh() + w36.dot(x26) + w35.dot(x27)).tanh().sum());
    }

    #[vertex_function]
    pub fn all_31(
        #[param(E)] b2: Tensor, #[param(H, E)] w3: Tensor, #[param(E)] b5: Tensor,
        #[param(H, E)] w6: Tensor, #[param(H)] b7: Tensor, #[param(H)] mut b8: Tensor,
        #[param(H, K)] w10: Tensor, #[dim(E)] de: Dim, #[param(K, H)] w11: Tensor,
        #[param(K, E)] w12: Tensor, #[param(K)] b14: Tensor, #[param(H, K)] w15: Tensor,
        #[param(E)] b16: Tensor,
    ) {
        let mut m1 = w3.dot(b2).sigmoid();
        let n4 = 2.0_f64.sqrt() - 2.0;
        m1 = m1.tanh() + (n4 / (0.5 + w6.dot(b5).sigmoid())).tanh().abs();
        m1 += (b7 - 0.5).tanh();
        m1 = m1.tanh();
        for Node { c, h } in gather_all::<Node>() {
            b8 = b8.minimum(h + w10.dot(c));
        }
        let out13 = Scores { y: zeros(de) * 1.5, logits: -(w11.dot(b8) / (w12.dot(b2).sigmoid() + 0.5)).tanh() };
        push(out13);
        let (h, c) = (weighted([m1.minimum(w15.dot(b14)), m1, m1]).tanh(), (2.0 + w12.tanh().dot(b16).silu()).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_32(
        #[param(H, E)] w2: Tensor, #[param(H)] b5: Tensor, #[param(H, E)] w6: Tensor,
        #[dim(H)] dh: Dim, #[param(H)] b7: Tensor, #[param(K)] b8: Tensor,
        #[param(H, H + K)] w9: Tensor, #[param(K, E)] w10: Tensor,
        #[param(H, 2 * K)] w14: Tensor, #[param(K)] b16: Tensor, #[param(E)] b17: Tensor,
        #[param(K, H)] w19: Tensor, #[param(H, K)] w20: Tensor, #[param(K, E)] w21: Tensor,
        #[param(E, K)] w22: Tensor, #[param(E, K)] w23: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b24: Tensor, #[param(K, K)] w25: Tensor,
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
            let x13 = {
                let x15 = w14.dot(concat([v12.c, v12.c]));
                let x18 = crate::generated::cells::gate(w10, p1.target, b16) - b17.sum();
                (w19.tanh().dot(x15) - x18).tanh().tanh()
            };
            a11 += v12.h + w20.dot(x13);
        }
        loss(cross_entropy(w21.dot(p1.target).softmax(), p1.label));
        push(Out { y: (w22 * 0.5).dot(b8).softmax() - w23.dot(b8) });
        scatter(Node { c: zeros(dk).minimum(w25.dot(b24)), h: a11.tanh() });
    }

    #[vertex_function]
    pub fn all_33(
        #[param(E, E)] w2: Tensor, #[dim(E)] de: Dim, #[param(H)] b5: Tensor,
        #[param(K, H)] w6: Tensor, #[param(K, K)] w8: Tensor, #[param()] s10: Tensor,
        #[param(K, K)] w12: Tensor, #[param(K, K)] w13: Tensor, #[param(K)] mut b17: Tensor,
        #[param(H, H)] w20: Tensor, #[param(H)] b21: Tensor, #[param(K)] b22: Tensor,
        #[param(H, H + K)] w23: Tensor, #[param(H, H)] w25: Tensor, #[param(K, E)] w32: Tensor,
        #[param(E, K)] w33: Tensor, #[param(E, K)] w34: Tensor, #[param(E, H)] w35: Tensor,
        #[param(K)] b36: Tensor, #[param(H, K)] w37: Tensor, #[param()] s38: Tensor,
        #[dim(K)] dk: Dim, #[dim(H)] dh: Dim, #[param(E)] b47: Tensor,
        #[param(H, 2 * E)] w48: Tensor, #[param(E, H)] w50: Tensor, #[param(H, H)] w51: Tensor,
        #[param(H, H + K)] w52: Tensor, #[param(K)] b53: Tensor, #[param(E)] b54: Tensor,
        #[param(K, E)] w56: Tensor,
    ) {
        let p1 = pull::<Word>().x;
        let x3 = w2.dot(p1);
        let n4 = 0.75 / (1.0 + de as f64);
        let x7 = (0.75 / ((n4 / (0.5 + w6.tanh().dot(b5).sigmoid())).sigmoid() + 0.5)).tanh();
        let x9 = w8.tanh().dot(x7).cumulative_sum().tanh();
        let s11 = s10.tanh();
        let s14 = (w12 * 1.5).dot(x7).pick((w13 * s11).dot(x9).argmax());
        let x15 = if !(0.1 > x7.sum() || s11 >= 0.1) {
            x7.relu().minimum(x9).tanh()
        } else {
            x7.tanh()
        };
        let mut a16 = zeros(de);
        let mut t18 = s10;
        for Node { c, h } in gather_all::<Node>() {
            let x24 = (h * w20.dot(h) / (w23.dot(summary(Node { h: b21, c: b22 })).sigmoid() + 0.5)).tanh();
            let x26 = -w25.dot(x24);
            let s27 = mse(x15, x7).tanh();
            let s28 = c.pick(x9.argmax());
            let i30 = concat([2.0 + x26, zeros(3)]).argmax();
            let x29 = match i30 {
                Index(0) => {
                    x24.tanh()
                }
                Index(1) | Index(2) => {
                    let x31 = if x26.max() <= s28 && 0.1 >= x24.sum() {
                        (x24 - x26.max()).exp().tanh()
                    } else {
                        (x24 - x26).tanh() * s27.tanh()
                    };
                    (x31 + (x24 - x26.max()).exp().tanh()).tanh()
                }
                _ => {
                    (x24 - x26.max()).exp().tanh()
                }
            };
            t18 += x15.pick((w32 * 0.75).dot(x3).sample()).tanh();
            a16 = a16.minimum(((x3.minimum((w33 + w34).dot(x7)) * s27 + s28) * w35.dot(x29)).tanh());
            b17 += weighted([b36, b22, x9]).exp().tanh();
        }
        let x39 = ((w37.dot(x7) - s38).sigmoid() + 0.5).ln();
        let x40 = (-w20.dot(x39) + x39).tanh();
        let s41 = s14.sigmoid();
        let s42 = (zeros(dk) * b17).sum();
        let x43 = if s42 <= -0.35 || 0.1 > x39.sum() {
            x39.softmax() + 0.5 * x40.tanh()
        } else {
            x40.tanh()
        };
        let mut a44 = zeros(de);
        let mut a45 = zeros(dh);
        for Node { c, h } in gather_all::<Node>() {
            let x49: Tensor = w48.dot(concat([b47 * s42, ((w33 * 2.0).dot(c) + a16).tanh()]));
            a44 = (w35.dot(h) + w50.dot(x49)).tanh() + a44;
            a45 = w52.dot(summary(Node { h: (w51 * s42).dot(x40), c: x15 })).tanh() + a45 - b5.tanh();
        }
        loss(mse((2.0 * x9).sigmoid(), b17.tanh().log_softmax()));
        loss(s11);
        scatter(Node { h: concat([x43, a44.tanh().log_softmax()]).slice(0..dh).tanh(), c: (b53 / (0.5 + x7.sigmoid())).tanh() });
        let out55 = Scores { y: -b54, logits: 0.75 / (0.5 + (a45 - w37.dot(x9)).tanh().sigmoid()) };
        push(out55);
        loss(((1.0 / (dk as f64).sqrt() + w56.dot(a16)).tanh() * t18 + s41).tanh().sum());
    }

    #[vertex_function]
    pub fn all_34(
        #[param(E, E)] w1: Tensor, #[param(H)] b2: Tensor, #[param(E, H)] w3: Tensor,
        #[param()] s4: Tensor, #[param(E)] b5: Tensor, #[param(2 * H, E)] w6: Tensor,
        #[dim(K)] dk: Dim, #[param()] s11: Tensor, #[param(H)] b13: Tensor,
        #[param(H, H + K)] w15: Tensor, #[param(E)] mut b16: Tensor, #[dim(E)] de: Dim,
        #[param(E, H)] w19: Tensor, #[param(E, K)] w20: Tensor, #[param(E, K)] w21: Tensor,
        #[param(E, K)] w22: Tensor, #[param(E, H)] w23: Tensor, #[param(E, E)] w24: Tensor,
        #[param(H, E)] w25: Tensor, #[param(H, E)] w26: Tensor, #[param(E)] b27: Tensor,
        #[dim(H)] dh: Dim,
    ) {
        let (x7, x8) = halves(w6.dot(crate::generated::cells::gate(w1, w3.dot(b2) - s4, b5)));
        let mut a9 = zeros(dk);
        let mut t10 = s11;
        for Node { c, h } in gather_all::<Node>() {
            t10 += (h * b13).sum().sigmoid();
            a9 = a9.minimum(c);
        }
        let mut m14 = w15.dot(summary(Node { h: x8, c: a9 })).tanh();
        m14 /= 0.5;
        m14 = m14.tanh();
        let mut a17 = zeros(de);
        for Node { c, h } in gather_all::<Node>() {
            b16 = b16.minimum(w19.dot(h) * w20.tanh().dot(c));
            a17 = a17 + w24.dot(weighted([w21.dot(a9), w22.tanh().dot(c), w23.dot(m14)]).tanh());
        }
        let state: Node = Node { h: (((x7 + t10).tanh() + w25.dot(b16)).tanh() * w26.dot(a17)).tanh(), c: a9.tanh() };
        scatter(state);
        push(Out { y: scaled((b27.sigmoid() + 0.5).ln(), dh) });
    }

    #[vertex_function]
    pub fn all_35(
        #[param(E)] b2: Tensor, #[param(K)] b5: Tensor, #[dim(E)] de: Dim,
        #[param(3 * K, K)] w7: Tensor, #[param(3 * K)] b8: Tensor, #[param(K)] b10: Tensor,
        #[param(K, K)] w11: Tensor, #[param(K)] mut b12: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w16: Tensor, #[param()] s17: Tensor, #[param(K, H)] w18: Tensor,
        #[param(E, K)] w20: Tensor, #[param(H)] b21: Tensor, #[param(K, H)] w22: Tensor,
        #[param(4 * H, E)] w23: Tensor, #[param(E, E)] w28: Tensor, #[param(E)] b29: Tensor,
        #[param(H, K)] w30: Tensor, #[param(H)] b31: Tensor, #[param(K)] b32: Tensor,
        #[param(H, E)] w33: Tensor,
    ) {
        let p1: Signal = pull();
        let x3 = p1.x * b2;
        let n6 = 0.5 / (1.0 + de as f64);
        let parts4 = (w7.dot((b5 * n6).sigmoid()) + b8).split::<3>();
        let mut a9 = b5;
        for k in 1..=2 {
            a9 -= (parts4[k] * w11.dot(b10)).tanh();
        }
        let mut a13 = zeros(dk);
        let mut n14 = 1.0;
        for Node { h, c } in gather_all() {
            b12 = b12.maximum(w16.dot(h) + c);
            a13 = a13.maximum((a9 * s17 / (w18.dot(h).sigmoid() + 0.5)).tanh());
            n14 += 1.0;
        }
        let x19 = b12 / n14;
        let [x24, x25, x26, x27]: [Tensor; 4] = w23.dot(weighted([crate::generated::cells::gate(w20, w22.dot(b21), b2), p1.x, zeros(de)])).split();
        loss(cross_entropy(gate(w28, b29, b2).minimum(w20.dot(a13)).tanh(), p1.label));
        scatter(Node { h: crate::generated::cells::gate(w30, x19.softmax(), b31).tanh(), c: (affine(w16, x25, b32).tanh() * b12).tanh() });
        loss((((w33 + w33).dot(x3) - x24 - x26).tanh() + x27).tanh().sum());
    }
}

pub mod mixed {
    use super::prelude::*;

    #[vertex_function]
    pub fn mixed_0(
        #[param(H, E)] w2: Tensor, #[param(H, E)] w3: Tensor, #[param(E)] b6: Tensor,
        #[param(E, E)] w7: Tensor, #[param(K, E)] w9: Tensor, #[param(H)] mut b10: Tensor,
        #[param(H)] b12: Tensor, #[param(H, K)] w14: Tensor, #[dim(H)] dh: Dim,
        #[param(E)] b15: Tensor, #[dim(E)] de: Dim, #[param(H, E)] w16: Tensor,
        #[param(H, K)] w17: Tensor, #[param(H, K)] w18: Tensor, #[param(K)] b19: Tensor,
        #[param(K, H + K)] w20: Tensor, #[param(K, E)] w21: Tensor, #[param(E, H)] w22: Tensor,
        #[param(E, K)] w23: Tensor, #[param(K, H)] w25: Tensor, #[param(K, H)] w26: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let Gold { label, target } = pull();
        let x4 = (w2 + w3).dot(target);
        let x5 = {
            let x8 = b6.minimum(w7.dot(b6));
            let x8 = x8.tanh() + b6.sigmoid();
            w9.dot(x8).tanh()
        };
        let mut a11 = v1.h / (b12.sigmoid() + 0.5);
        for Node { c, h } in gather_all::<Node>() {
            b10 = b10 + h * (w14 + w14).dot(c);
            a11 = concat([h.slice(1..dh), h.slice(0..1)]) + a11;
        }
        let x5 = x5.tanh() + -w9.tanh().dot(b15);
        loss(cross_entropy(w16.tanh().dot(zeros(de).minimum(w7.dot(b6))), label));
        scatter(Node { h: (w17 + w18).dot(v1.c).softmax().sigmoid(), c: (w20.dot(summary(Node { h: b12, c: b19 })) + w21.dot(b6)).tanh() });
        let out24 = Scores { y: w22.dot(x4).minimum(w23.dot(x5)).tanh(), logits: blend(indicator(x4.argmax() == label), v1.c, x5).tanh() };
        push(out24);
        loss((w25.dot(b10) + w26.dot(a11)).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_1(
        #[param(E, E)] w1: Tensor, #[dim(H)] dh: Dim, #[param(K)] b4: Tensor, #[dim(K)] dk: Dim,
        #[param(2 * H, K)] w5: Tensor, #[param(2 * H)] b6: Tensor, #[dim(E)] de: Dim,
        #[param()] s12: Tensor, #[param(K, K)] w14: Tensor, #[param(E, H)] w15: Tensor,
        #[param(E, K)] w16: Tensor, #[param(E, K)] w17: Tensor, #[param(E)] b19: Tensor,
        #[param(H, E)] w20: Tensor, #[param(H, E)] w21: Tensor, #[param(K, H)] w22: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2: Tensor = (w1 * (1.0 / dh as f64)).dot(x);
        let v3 = gather::<Node>(0);
        let (x7, x8) = halves(w5.dot(concat([v3.c, b4]).slice(dk..dk + dk).noise(0.1).tanh()) + b6);
        let mut a9 = zeros(de);
        let (mut n10, mut t11) = (1.0, s12);
        for Node { c, h } in gather_all::<Node>() {
            t11 += w14.min().tanh();
            a9 = a9.maximum((w15.dot(h) + (w16 + w17).dot(c)).tanh());
            n10 += 1.0;
        }
        let x18 = a9 / n10;
        loss(cross_entropy(t11 * (-v3.c), label));
        push(Out { y: (1.5 + (w15.dot(v3.h) - b19)).tanh() });
        scatter(Node { c: (w22 + w22).dot(v3.h).tanh(), h: ((w20.dot(x2) - x7).tanh() + x8 - (w20 + w21).dot(x18)).tanh() });
    }

    #[vertex_function]
    pub fn mixed_2(
        #[param(E, E)] w2: Tensor, #[param(H)] b9: Tensor, #[dim(H)] dh: Dim,
        #[param()] s10: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w15: Tensor,
        #[param(E, K)] w16: Tensor, #[param(K, E)] w18: Tensor, #[param()] s20: Tensor,
        #[param(K, K)] w22: Tensor, #[param(H, E)] w27: Tensor, #[param(H, K)] w28: Tensor,
    ) {
        let p1 = pull::<Word>().x;
        let n3 = 2.0_f64.sqrt() - 0.75;
        let x4 = (w2 * n3).dot(p1);
        let Node { h: h6, c: c7 } = gather(0);
        let parts8 = [h6.less(b9 + 0.35).select(zeros(dh), h6).exp().tanh(), s10 * h6, h6];
        let mut a11 = zeros(dh);
        let x12 = concat(parts8);
        for k in 0..2 {
            a11 += (x12.slice(k * dh..(k + 1) * dh) * zeros(dh).tanh()).tanh();
        }
        let mut a13 = zeros(de);
        for v14 in gather_all::<Node>() {
            a13 = a13.maximum(w15.dot(v14.h) + w16.dot(v14.c));
        }
        let x17 = (c7 + 1.0 / (dh as f64).sqrt()).minimum(c7).tanh();
        let x19 = (0.5 + w18.dot(a13).sigmoid()).ln().minimum(c7);
        let s21 = s20.tanh();
        let s23 = w22.max();
        let x24 = if x17.max() <= s21 {
            let x25 = if -0.35 <= x19.sum() && 0.1 < x19.sum() {
                let x26 = if s21 > -0.35 && s23 <= 0.1 {
                    (x19.sum() + s21).tanh() * x17.sigmoid()
                } else {
                    (x17.square() + 0.5).ln().tanh()
                };
                (x26 + (x19 * x17).sigmoid()).tanh()
            } else {
                (x17 - x19).tanh() * s23.tanh()
            };
            (x25 + (x17 - x19.max()).exp().tanh()).tanh()
        } else {
            (x17 / (x19.norm() + 0.5)).tanh()
        };
        scatter(Node { c: w22.dot(x19).tanh(), h: (b9.exp() + a11).tanh() });
        loss((((w27 * 1.5).dot(x4) - (w28 * 0.75).dot(x17)).tanh() * s21 * s23 + w28.dot(x24)).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_3(
        #[param(E)] b3: Tensor, #[param(H, E)] w5: Tensor, #[dim(E)] de: Dim,
        #[param(H)] b6: Tensor, #[param(K)] b8: Tensor, #[param(H, K)] w9: Tensor,
        #[dim(H)] dh: Dim, #[param(K)] b17: Tensor, #[param(E, K)] w18: Tensor,
        #[param()] s20: Tensor, #[param(E, H)] w22: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b23: Tensor, #[param(K)] b24: Tensor, #[param(H, H)] w25: Tensor,
        #[param(K)] b26: Tensor, #[param(H, K)] w27: Tensor, #[param(K, E)] w28: Tensor,
        #[param(K, K)] w29: Tensor, #[param(E)] b30: Tensor, #[param(E, H)] w31: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Signal { label, x } = pull();
        let x4 = x * b3;
        let x7 = crate::generated::cells::gate(w5, zeros(de) + x, b6);
        let x10 = weighted([w9.dot(b8) * (1.0 / de as f64), x7, h2]).tanh();
        let s11 = mse(zeros(dh), h2);
        let s12 = x10.sum();
        let mut m13 = x10;
        let x14 = if !(-0.35 <= x7.sum() || s11 < 0.1) {
            m13 = x7.softmax() + 0.5 * x10.tanh();
            x10.softmax() + 0.5 * x7.tanh()
        } else {
            m13 += x10.relu().minimum(x7).tanh();
            x10.relu().minimum(x7).tanh()
        };
        m13 = m13.tanh();
        let mut a15 = zeros(de);
        let mut a16 = w18.dot(b17).tanh();
        let mut t19 = s20;
        for v21 in gather_all::<Node>() {
            t19 += s11;
            a15 += ((w22 * 0.5).dot(v21.h) - w18.dot(v21.c)).tanh();
            a16 = a16.maximum(concat([b8 + b8, x]).slice(dk..dk + de));
        }
        loss(cross_entropy((b23 + b24).tanh(), label));
        let state: Node = Node { h: (w25 * 0.75).dot(m13).minimum(w27.dot(b26)).relu().tanh(), c: w29.tanh().dot(w28.tanh().dot(x4).tanh()).tanh() };
        scatter(state);
        loss(((((b30.sigmoid() * s12 + w31.dot(x14)).tanh() + a15).tanh() + a16).tanh() - t19).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_4(
        #[param(H, E)] w4: Tensor, #[param(K)] b6: Tensor, #[param(K, E)] w7: Tensor,
        #[param(K, H)] w8: Tensor, #[param(3 * H, K)] w9: Tensor, #[param(3 * H)] b10: Tensor,
        #[dim(H)] dh: Dim, #[param(H)] b18: Tensor, #[param(K, H)] w20: Tensor,
        #[dim(K)] dk: Dim, #[param(H, K)] w22: Tensor, #[param(H, K)] w23: Tensor,
        #[param(H, H)] w24: Tensor, #[param(E)] b26: Tensor, #[param()] s27: Tensor,
        #[param(K)] b28: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let p3 = pull::<Gold>().target;
        let x5 = w4.dot(p3);
        let [x11, x12, x13]: [Tensor; 3] = (w9.dot(b6.cumulative_sum().tanh().less(w7.dot(p3) + 0.6).select(w8.dot(x5), b6.cumulative_sum().tanh())) + b10).split();
        let mut a14 = zeros(dh);
        let mut n15 = 1.0;
        for Node { h, c } in gather_all() {
            let x17 = {
                let x19: Tensor = b18 * x5 + p3.sum();
                let p3 = p3.tanh() + (0.5 + p3.sigmoid()).ln();
                let n21 = 0.75 / (1.0 + dk as f64);
                ((w20 * n21).dot(x19) + (w7 * 2.0).dot(p3)).tanh().tanh()
            };
            a14 = ((h - w22.dot(c)) * w23.dot(x17)).tanh() + a14 - w24.dot(x11) * zeros(dh);
            n15 += 1.0;
        }
        let x25 = a14 / n15;
        let state = Node { c: blend(indicator(b26.argmax() == p3.sample()), b6 - s27, b28).tanh(), h: x25.log_softmax().tanh().softmax() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((h2 + x12 + x13).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_5(
        #[param(E, E)] w5: Tensor, #[param(H, K)] w8: Tensor, #[param(H)] b9: Tensor,
        #[param(K, K)] w11: Tensor, #[param(K, K)] w13: Tensor, #[param(H, H + K)] w18: Tensor,
        #[dim(H)] dh: Dim, #[param(H, H)] w21: Tensor, #[param(K)] b24: Tensor,
        #[param()] s30: Tensor, #[param(E)] b31: Tensor, #[param(E)] b33: Tensor,
        #[param(H)] b35: Tensor, #[param(E, E)] w44: Tensor, #[param(E)] b45: Tensor,
        #[param(E)] b46: Tensor, #[param(E, K)] w47: Tensor, #[param(E)] b48: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let p4: Gold = pull();
        let x6 = w5.dot(p4.target);
        let x7 = (h2 * h2).minimum(h2);
        let x10 = (w8.dot(c3) * b9).sigmoid();
        let s12 = w11.max();
        let s14 = w13.sum();
        let x15 = if !(s12 > 0.2 || 0.2 <= x7.sum()) {
            let x16 = if x10.max() >= s14 {
                (x7.sum() + s14).tanh() * x10.sigmoid()
            } else {
                (x7 - x10).tanh() * s12.tanh()
            };
            (x16 + (x10.square() + 0.5).ln().tanh()).tanh()
        } else {
            x10.relu().minimum(x7).tanh()
        };
        let mut a17 = w18.dot(summary(Node { h: x10, c: c3 }));
        for Node { h, c } in gather_all() {
            let x20 = (2.0 - x7.maximum(h)).tanh();
            let x22 = (weighted([zeros(dh), w21.dot(x15), b9]) + (x6 * p4.target).sum()).tanh();
            let s23 = s14;
            let s25 = b24.max();
            let i27 = concat([x20.maximum(x22), zeros(3)]).argmax();
            let x26 = match i27 {
                Index(0) => {
                    let x28 = if x22.max() >= s25 && 0.2 <= x20.sum() {
                        (x20.square() + 0.5).ln().tanh()
                    } else {
                        let x29 = if !(0.2 < x22.sum() || 0.2 < x22.sum()) {
                            x20.tanh()
                        } else {
                            (x20 * x22).sigmoid()
                        };
                        (x29 + x20.tanh()).tanh()
                    };
                    (x28 + x20.softmax() + 0.5 * x22.tanh()).tanh()
                }
                Index(1) | Index(2) => {
                    (x22 / (x20.norm() + 0.5)).tanh()
                }
                _ => {
                    (x22.sum() + s23).tanh() * x20.sigmoid()
                }
            };
            a17 = (w8.dot(c) + s23 + s25 + x26).tanh() + a17;
        }
        let x32 = gate(w5, x6 - s30, b31).tanh();
        let x34 = scaled(b33.clamp(-0.5, 0.75), dh);
        let s36 = (b35 * zeros(dh)).sum();
        let s37 = a17.pick(zeros(dh).sample());
        let i39 = concat([(w5.dot(x34).sigmoid() + 0.5).ln(), zeros(3)]).argmax();
        let x38 = match i39 {
            Index(0) => {
                (x34.sum() + s37).tanh() * x32.sigmoid()
            }
            Index(1) | Index(2) => {
                let x40 = if -0.35 <= x32.sum() {
                    (x34.sum() + s37).tanh() * x32.sigmoid()
                } else {
                    (x34.square() + 0.5).ln().tanh()
                };
                (x40 + (x32.sum() + s37).tanh() * x34.sigmoid()).tanh()
            }
            _ => {
                let x41 = if !(0.2 >= x32.sum() || x34.max() < s36) {
                    let x42 = if x32.max() < s36 {
                        (x34 * x32).sigmoid()
                    } else {
                        x32.softmax() + 0.5 * x34.tanh()
                    };
                    (x42 + x34.relu().minimum(x32).tanh()).tanh()
                } else if x34.max() >= s37 && x32.max() <= s36 {
                    let x43 = if 0.2 < x32.sum() && -0.35 < x34.sum() {
                        (x32.square() + 0.5).ln().tanh()
                    } else {
                        x32.relu().minimum(x34).tanh()
                    };
                    (x43 + (x34.sum() + s37).tanh() * x32.sigmoid()).tanh()
                } else {
                    (x34.square() + 0.5).ln().tanh()
                };
                (x41 + (x34.square() + 0.5).ln().tanh()).tanh()
            }
        };
        loss(cross_entropy(affine(w44, x38.tanh(), b45), p4.label));
        loss(cross_entropy((b31 - x32).minimum(b46), p4.label));
        scatter(Node { h: b9.log_softmax().tanh(), c: ((c3.exp() * s12 + s36).tanh() + s37).tanh() });
        push(Out { y: affine(w47, 1.5 + b24, b48).tanh() });
    }

    #[vertex_function]
    pub fn mixed_6(
        #[param(H)] b1: Tensor, #[dim(H)] dh: Dim, #[param(E)] b2: Tensor,
        #[param(K, E)] w3: Tensor, #[param(K)] b4: Tensor, #[param(E)] b8: Tensor,
        #[param(H, E)] w9: Tensor, #[param()] s10: Tensor, #[param(H)] b12: Tensor,
        #[param(E)] b14: Tensor, #[param(E, H)] w15: Tensor, #[param(H)] mut b20: Tensor,
        #[dim(K)] dk: Dim, #[param()] s23: Tensor, #[param(H, K)] w25: Tensor,
        #[param(K)] b26: Tensor, #[param()] s27: Tensor, #[dim(E)] de: Dim,
        #[param(H)] b29: Tensor, #[param(K)] b30: Tensor, #[param(K)] b31: Tensor,
        #[param(H, H)] w32: Tensor, #[param(H)] b33: Tensor, #[param(E, H)] w34: Tensor,
    ) {
        let Node { h: h6, c: c7 } = gather_or(0, Node { h: concat([b1, w3.dot(b2)]).slice(0..dh), c: b4 });
        let x11 = (s10 + 0.75 - w9.dot(b8)).tanh();
        let x13 = x11 / (0.5 + b12.sigmoid()) * h6;
        let s16 = indicator(b14.argmax() == w15.dot(x13).sample());
        let s17 = s16;
        let i19 = concat([x13.erf(), zeros(3)]).argmax();
        let x18 = match i19 {
            Index(0) => {
                (x11.sum() + s16).tanh() * x13.sigmoid()
            }
            Index(1) | Index(2) => {
                (x11 - x13.max()).exp().tanh()
            }
            _ => {
                x11.relu().minimum(x13).tanh()
            }
        };
        let mut a21 = zeros(dk);
        let mut t22 = s23;
        for v24 in gather_all::<Node>() {
            t22 += s17;
            b20 = v24.h + w25.dot(v24.c) + b20;
            let n28 = 0.5 / (1.0 + de as f64);
            a21 -= ((c7 - b26) * (n28 - s27)).tanh();
        }
        loss((noisy(-x18, 0.5) * b29).sum());
        loss(mse(blend(t22, (a21 / (0.5 + b30.sigmoid())).tanh(), b31), (0.5 * a21).tanh()));
        scatter(Node { h: w32.dot(x18).tanh().maximum(b33), c: scaled(c7, dk).exp().tanh() });
        loss(w34.tanh().dot(b20).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_7(
        #[param(E)] b5: Tensor, #[dim(K)] dk: Dim, #[dim(H)] dh: Dim, #[param(E, E)] w12: Tensor,
        #[param(K, E)] w14: Tensor, #[param(H, K)] w15: Tensor, #[param(H, K)] w16: Tensor,
        #[param(H, K)] w17: Tensor, #[param(K, E)] w18: Tensor, #[param(H)] b19: Tensor,
        #[param(E, H)] w22: Tensor, #[param(E, H)] w23: Tensor, #[param(H, E)] w24: Tensor,
        #[param()] s25: Tensor, #[param(K, E)] w26: Tensor, #[param(K)] b27: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let p4 = pull::<Gold>().target;
        let x6 = p4 * b5;
        let s7 = (b5.pick(x6.sample()) * concat([c3.slice(1..dk), c3.slice(0..1)]) * c3).sum();
        let mut a8 = zeros(dh);
        let mut t9 = s7;
        for Node { h, c } in gather_all() {
            let x11 = {
                let x13: Tensor = w12.dot(p4).tanh();
                (w14 * 1.5).dot(x13).tanh()
            };
            t9 += s7.tanh();
            a8 += h * w15.dot(c) * w16.dot(x11);
            a8 -= affine(w17, w18.dot(p4), b19).tanh();
        }
        let x20 = {
            let x21 = 0.5 / (0.5 + b19.sigmoid());
            let x6 = x6.tanh() + w22.dot(h2);
            (w23.dot(x21) + x6).tanh().tanh()
        };
        scatter(Node { c: zeros(dk) * s25, h: ((a8 + t9).tanh() - w24.dot(x20)).tanh() });
        let out28 = Scores { y: -x20, logits: weighted([w26.dot(x20), c3, c3]).greater_equal(c3 + 0.6).select(b27, weighted([w26.dot(x20), c3, c3])) };
        push(out28);
    }

    #[vertex_function]
    pub fn mixed_8(
        #[param(E, E)] w1: Tensor, #[param(V, E)] table3: Tensor, #[param(K, E)] w8: Tensor,
        #[param(E, K)] w10: Tensor, #[dim(E)] de: Dim, #[param(K)] b14: Tensor,
        #[param(E, H)] w17: Tensor, #[param(E, K)] w18: Tensor, #[param(E)] b19: Tensor,
        #[param(K, H)] w20: Tensor, #[param(K, E)] w21: Tensor, #[param(K, E)] w22: Tensor,
        #[param(H, H)] w23: Tensor, #[param(H)] b24: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = w1.dot(x);
        let x4 = table3.row(id);
        let Node { h: h6, .. } = gather(0);
        let x7 = {
            let x9 = w8.dot(x4.abs());
            w10.dot(x9).tanh()
        };
        let mut a11 = -x7;
        let mut a12 = zeros(de);
        for Node { c, h } in gather_all::<Node>() {
            let [x15, x16] = [c.exp().tanh(), b14.tanh()];
            a11 = (w17.dot(h) + w18.dot(x15) + w10.dot(x16)).tanh() + a11;
            a12 -= x2.minimum(b19).maximum(x4);
        }
        scatter(Node { h: affine(w23, h6, b24).tanh(), c: ((w8.dot(x) + w20.dot(h6) - w21.dot(a11)).tanh() * w22.dot(a12)).tanh() });
    }

    #[vertex_function]
    pub fn mixed_9(
        #[param(K)] b3: Tensor, #[dim(K)] dk: Dim, #[param(K, H)] w4: Tensor,
        #[param(4 * H, K)] w5: Tensor, #[param(H)] mut b10: Tensor, #[param(H, K)] w12: Tensor,
        #[param(K, K)] w13: Tensor, #[param(E, K)] w14: Tensor, #[param()] s15: Tensor,
        #[param()] s16: Tensor, #[param(H, H)] w17: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let [x6, x7, x8, x9] = w5.dot(concat([(w4.dot(h2).sigmoid() + 0.5).ln(), b3]).slice(dk..dk + dk)).split();
        for v11 in gather_all::<Node>() {
            b10 = v11.h + w12.dot(v11.c) + b10;
        }
        let state = Node { c: w13.tanh().dot(b3), h: ((x6 + x7 + x8 - x9) * b10).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let out18 = Scores { y: w14.dot(b3) - s15, logits: (h2 - s16).maximum(w17.dot(x8)) };
        push(out18);
    }

    #[vertex_function]
    pub fn mixed_10(
        #[param(K)] b2: Tensor, #[param(H)] mut b4: Tensor, #[param(E, H)] w6: Tensor,
        #[param(E, K)] w7: Tensor, #[dim(K)] dk: Dim, #[param(H, K)] w9: Tensor,
        #[param(E)] b10: Tensor, #[param(E, E)] w11: Tensor, #[param(K, K)] w12: Tensor,
        #[param(K, H)] w13: Tensor, #[param(K, E)] w14: Tensor, #[param(H)] b15: Tensor,
    ) {
        let v1: Node = gather(0);
        let s3 = b2.sigmoid().exp().tanh().sum();
        let mut a5 = ((w6 + w6).dot(v1.h) * (w7 * (1.0 / dk as f64)).dot(v1.c)).tanh();
        for v8 in gather_all::<Node>() {
            b4 = b4.minimum(v8.h - w9.dot(v8.c));
            a5 += (0.75 / ((w11.dot(b10) * s3).sigmoid() + 0.5)).tanh();
        }
        loss(w12.dot(v1.c).exp().tanh().sum());
        loss(s3);
        let state = Node { c: (w13.dot(b4) + w14.dot(a5)).tanh(), h: b15.maximum(b4).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
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
        #[param(E, K)] w10: Tensor, #[param(E)] b11: Tensor, #[param(K, H)] w12: Tensor,
        #[param(2 * H, K)] w13: Tensor, #[param(E)] mut b16: Tensor, #[param(E, H)] w19: Tensor,
        #[param(E, K)] w20: Tensor, #[param(E, E)] w21: Tensor, #[param(H, H)] w23: Tensor,
        #[param(H)] b24: Tensor, #[param(K)] b25: Tensor, #[param(K, H + K)] w26: Tensor,
        #[param(K, K)] w28: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let s3 = (s2 - 1.0 / dk as f64 - s2).tanh();
        let mut a4 = zeros(de);
        for Node { c, h } in gather_all::<Node>() {
            a4 = a4.minimum((w7.tanh().dot(h) * (w8 + w8).dot(c)).tanh());
            b5 = b5.minimum((1.5 * crate::generated::cells::gate(w9, w10.dot(v1.c), b11)).tanh());
        }
        let (x14, x15) = halves(w13.dot(w12.dot(v1.h.sigmoid())));
        let mut a17 = b11.less(b5 + 0.6).select(a4, b11);
        for Node { h, c } in gather_all() {
            b16 += w19.dot(h) - w20.dot(c);
            b16 -= zeros(de).log_softmax().tanh();
            a17 = w21.dot(b5).tanh().tanh() + a17 - (b5 + b11).tanh();
        }
        let x22 = {
            let x15 = x15.tanh() + x14.greater(w23.dot(x15) + 0.35).select(b24, x14);
            x15.tanh()
        };
        loss(s3);
        let out27 = Scores { y: weighted([b16, zeros(de), zeros(de)]).tanh(), logits: w26.dot(summary(Node { h: v1.h, c: b25 })).sigmoid() };
        push(out27);
        scatter(Node { h: x22.minimum(x14).maximum(b24).tanh(), c: w28.dot(zeros(dk)) });
        loss(a17.tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_13(
        #[param(K, E)] w2: Tensor, #[param(H)] b6: Tensor, #[param(H, H)] w12: Tensor,
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H, K)] w18: Tensor,
        #[param(H, K)] w19: Tensor, #[param(H)] b20: Tensor, #[param(K)] b21: Tensor,
        #[param(H)] b23: Tensor, #[param(4 * K, H)] w24: Tensor, #[param(4 * K)] b25: Tensor,
        #[dim(E)] de: Dim, #[param()] s33: Tensor, #[param(E)] b35: Tensor,
        #[param()] s36: Tensor, #[param(E, H)] w37: Tensor, #[param(3 * H, E)] w38: Tensor,
        #[param(3 * H)] b39: Tensor, #[param(H, H)] w43: Tensor, #[param(E, H)] w44: Tensor,
        #[param(E, K)] w45: Tensor, #[param(K, H)] w48: Tensor,
    ) {
        let p1 = pull::<Signal>().x;
        let x3 = w2.dot(p1);
        let v4 = gather::<Node>(0);
        let x5 = v4.h.maximum(v4.h).tanh();
        let x7 = (b6.exp().sigmoid() + 0.5).ln();
        let s8 = (x7 * x5).sum();
        let s9 = mse(p1, p1);
        let mut m10 = x7;
        let i13 = concat([w12.dot(x7).tanh(), zeros(3)]).argmax();
        let x11 = match i13 {
            Index(0) => {
                (x7.square() + 0.5).ln().tanh()
            }
            Index(1) | Index(2) => {
                (x5 - x7.max()).exp().tanh()
            }
            _ => {
                x5.relu().minimum(x7).tanh()
            }
        };
        m10 = m10.tanh();
        let mut a14 = zeros(dh);
        let mut a15 = zeros(dk);
        let mut n16 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            a14 += h + w18.dot(c);
            a14 -= crate::generated::cells::gate(w19, v4.c, b20);
            a15 += b21.tanh() / (0.5 + (w2.dot(p1) + s9).sigmoid());
            n16 += 1.0;
        }
        let x22 = a14 / n16;
        let [x26, x27, x28, x29] = (w24.dot(gate(w18, a15, b23).tanh() * s8) + b25).tanh().split::<4>();
        let mut a30 = zeros(de);
        let (mut n31, mut t32) = (1.0, s33);
        for Node { c, h } in gather_all::<Node>() {
            let [x40, x41, x42] = (w38.dot((s36 + b35) * w37.dot(x22)) + b39).tanh().split::<3>();
            t32 += (w43.dot(x40) * x11).tanh().sum().tanh();
            let n46 = 2.0_f64.sqrt() - 1.5;
            a30 = ((w44 * 2.0).dot(h) * w45.dot(c) * (w37 * n46).dot(x41)).tanh() - w37.dot(x42) + a30 - b35.relu();
            n31 += 1.0;
        }
        let x47 = a30 / n31;
        let a14 = a14.tanh() + m10.relu();
        let state: Node = Node { h: (0.5 / (0.5 + zeros(dh).sigmoid())).tanh(), c: ((((x3 * x26 + x27 - x28) * x29 + t32).tanh() * (w2 * 2.0).dot(x47)).tanh() + w48.dot(a14)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn mixed_14(
        #[param(H, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(K)] b7: Tensor,
        #[param(K, E)] w9: Tensor, #[dim(E)] de: Dim, #[param(H, H)] w12: Tensor,
        #[param(K, K)] w20: Tensor, #[param(K, H)] w23: Tensor, #[param(E, E)] w25: Tensor,
        #[param(K, H)] w26: Tensor, #[param(K, H)] w27: Tensor, #[param(H, K)] w28: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let v6 = gather::<Node>(0);
        let x8 = (v6.c.exp() + b7).tanh();
        let x10 = w9.dot(p1.x).relu();
        let s11 = x5.pick(zeros(de).sample());
        let s13 = w12.sum();
        let mut m14 = x10;
        let x15 = if !(0.2 >= x10.sum() || x10.max() >= s13) {
            x10.softmax() + 0.5 * x8.tanh()
        } else if !(s11 > -0.35 || s13 < 0.1) {
            m14 *= (x8.square() + 0.5).ln().tanh();
            let x16 = if x8.max() >= s13 || 0.2 > x10.sum() {
                m14 += (x8 / (x10.norm() + 0.5)).tanh();
                (x8 * x10).sigmoid()
            } else {
                m14 *= (x10 / (x8.norm() + 0.5)).tanh();
                (x8.sum() + s13).tanh() * x10.sigmoid()
            };
            (x16 + (x10 / (x8.norm() + 0.5)).tanh()).tanh()
        } else {
            let x17 = if 0.1 < x8.sum() || 0.1 < x8.sum() {
                m14 += (x8 - x10.max()).exp().tanh();
                x10.tanh()
            } else {
                let x18 = if x8.max() < s11 {
                    x10.tanh()
                } else {
                    x10.tanh()
                };
                (x18 + (x10 - x8).tanh() * s11.tanh()).tanh()
            };
            (x17 + (x8 / (x10.norm() + 0.5)).tanh()).tanh()
        };
        m14 = m14.tanh();
        let mut a19 = w20.dot(x10) - 2.0;
        let mut n21 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            a19 += w23.dot(h) + c;
            a19 -= (x15 / (m14.sigmoid() + 0.5)).tanh();
            n21 += 1.0;
        }
        let x24 = a19 / n21;
        for k in 0..2 {
            loss(w25.sum() * (k as f64 + 0.25));
        }
        let state: Node = Node { h: w28.dot(x15).tanh(), c: (((w23.dot(x3) * (w26 + w27).dot(v6.h)).tanh() - x8 - s11 + s13).tanh() + x24).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn mixed_15(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(2 * E, H)] w2: Tensor,
        #[param(2 * E)] b3: Tensor, #[param(E)] mut b6: Tensor, #[param(H)] b8: Tensor,
        #[param(E, H)] w10: Tensor, #[param(E, K)] w11: Tensor, #[param(E)] b12: Tensor,
        #[param(E)] b13: Tensor, #[dim(E)] de: Dim, #[param(K, H)] w25: Tensor,
        #[param(K, E)] w26: Tensor, #[param(K, H)] w27: Tensor, #[param(H, E)] w29: Tensor,
        #[param(E, K)] w30: Tensor, #[param(K, E)] w31: Tensor, #[param(K, E)] w32: Tensor,
    ) {
        let v1 = gather_or::<Node>(0, Node { h: zeros(dh), c: zeros(dk) });
        let [x4, x5]: [Tensor; 2] = (w2.dot(v1.h.log_softmax() * v1.h) + b3).tanh().split();
        let mut a7 = zeros(dh).greater_equal(v1.h + 0.35).select(b8, zeros(dh));
        for Node { c, h } in gather_all::<Node>() {
            b6 += w10.dot(h) * w11.dot(c);
            a7 = a7.maximum(h.square().tanh());
        }
        let x14 = b12.relu() - b13;
        let x15 = (x4.softmax() + 0.5).tanh();
        let s16 = zeros(de).pick(x15.sample());
        let s17 = s16;
        let mut m18 = x15;
        let x19 = if 0.2 > x14.sum() {
            m18 = x14.softmax() + 0.5 * x15.tanh();
            x15.tanh()
        } else {
            m18 += (x15 - x14).tanh() * s17.tanh();
            (x14.square() + 0.5).ln().tanh()
        };
        m18 = m18.tanh();
        let mut a20 = zeros(dk);
        let mut n21 = 1.0;
        for Node { h, c } in gather_all() {
            let x23 = {
                let x24 = (-x5).tanh();
                x24.tanh()
            };
            a20 = ((w25.dot(h) + c) * w26.dot(x23)).tanh() + a20 - w27.dot(a7).tanh();
            n21 += 1.0;
        }
        let x28 = a20 / n21;
        push(Out { y: blend(w29.dot(b6).pick(a7.argmax()).tanh(), m18, b12) + (w30 * s16).dot(v1.c) });
        scatter(Node { c: x28.tanh().erf().variational_dropout(0.25).tanh(), h: (s17 - v1.h).log_softmax().tanh() });
        loss((w31.tanh().dot(x14) - w32.dot(x19)).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_16(
        #[param(K, E)] w2: Tensor, #[param(V, H)] table4: Tensor, #[param(H)] b9: Tensor,
        #[param(E)] b12: Tensor, #[param(E, E)] w13: Tensor, #[param(K)] mut b18: Tensor,
        #[param(K, H)] w20: Tensor, #[param(K, K)] w23: Tensor, #[param(K)] b24: Tensor,
        #[param(K, E)] w26: Tensor, #[param(K)] b27: Tensor, #[param(E, K)] w28: Tensor,
        #[param(E, E)] w29: Tensor, #[param(E)] b30: Tensor, #[param(E, H)] w31: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let Node { h: h7, c: c8 } = gather(0);
        let x10 = (0.5 + (h7 * b9).sigmoid()).ln();
        let x11 = table4.row(p1.id).variational_dropout(0.1) * x10;
        let s14 = (w13.dot(b12) * w13.dot(b12)).sum();
        let s15 = s14;
        let x16 = if s14 > 0.2 {
            let x17 = if 0.1 <= x11.sum() || s15 >= 0.1 {
                (x11 * x10).sigmoid()
            } else if s14 >= 0.1 || x11.max() > s15 {
                (x11 * x10).sigmoid()
            } else {
                (x10 * x11).sigmoid()
            };
            (x17 + (x10 * x11).sigmoid()).tanh()
        } else {
            (x11 / (x10.norm() + 0.5)).tanh()
        };
        for v19 in gather_all::<Node>() {
            b18 = b18 + (w20.dot(v19.h) - v19.c);
        }
        let (x21, [x25], s22) = ((2.0 + w23.dot(c8)).maximum(b24), [w26.dot(b12).greater(x3 + 0.35).select(b27, w26.dot(b12))], x11.maximum(x11).sum());
        push(Out { y: w28.dot(b18).tanh() - w29.tanh().dot(b12) });
        let (h, c) = (b9.relu(), (b18.tanh() + w2.dot(b30)).tanh());
        scatter(Node { h, c });
        loss(((((w31.dot(x5) * s15 - w31.dot(x16)).tanh() + w28.dot(x21)).tanh() + s22).tanh() * w28.dot(x25)).sum());
    }

    #[vertex_function]
    pub fn mixed_17(
        #[param(E)] b1: Tensor, #[param(V, K)] table3: Tensor, #[param(H)] b5: Tensor,
        #[param(K)] b6: Tensor, #[param(E)] b10: Tensor, #[param(4 * K, E)] w11: Tensor,
        #[param(K)] mut b16: Tensor, #[param()] s18: Tensor, #[param(E, H)] w20: Tensor,
        #[param(K, H)] w21: Tensor, #[dim(K)] dk: Dim, #[param(K, K)] w22: Tensor,
        #[param(K, K)] w23: Tensor, #[param(3 * H, K)] w25: Tensor, #[dim(H)] dh: Dim,
        #[param(K, E)] w30: Tensor, #[param(H, K)] w33: Tensor, #[param(H, K)] w34: Tensor,
        #[param(V, H)] table35: Tensor, #[param(H)] b36: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4 = table3.row(id);
        let Node { h: h8, c: c9 } = gather_or(0, Node { h: b5, c: b6 });
        let [x12, x13, x14, x15] = w11.dot((0.5 / (x2.sigmoid() + 0.5) - mse(x, b10)).tanh()).split::<4>();
        let mut t17 = s18;
        for v19 in gather_all::<Node>() {
            t17 += (-w20.dot(h8)).pick(b1.sample()).tanh();
            b16 = (w21 * (1.0 / (dk as f64).sqrt())).dot(v19.h) * v19.c + b16 - (w22 + w23).dot(x4).elu(0.7);
        }
        let parts24 = w25.dot(zeros(dk).log_softmax().minimum(x15)).split::<3>();
        let mut a26 = zeros(dh);
        let x27 = concat(parts24);
        for k in 0..2 {
            a26 -= (x27.slice(k * dh..(k + 1) * dh) - h8.log_softmax().tanh()).tanh();
        }
        let mut a28 = zeros(dh);
        for v29 in gather_all::<Node>() {
            let [x31, x32] = [scaled(x12 * c9, dk), w30.dot(x2)];
            a28 += (v29.h * (w33 * 0.75).dot(v29.c) * w34.tanh().dot(x31)).tanh() + w33.dot(x32);
            a28 -= table35.row(id) / (0.5 + b36.sigmoid());
        }
        let b16 = b16.tanh() + (x15.sigmoid() + 0.5).ln();
        let (h, c) = ((w33.dot(b16) * h8).tanh(), ((((x13 + x14 + t17).tanh() + w21.dot(a26)).tanh() * w21.dot(a28)).tanh() * b16).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn mixed_18(
        #[dim(E)] de: Dim, #[dim(H)] dh: Dim, #[param()] s5: Tensor, #[param()] s6: Tensor,
        #[param(K)] b12: Tensor, #[param(H, K)] w13: Tensor, #[param(H, K)] w14: Tensor,
        #[param()] s17: Tensor, #[param(K, K)] w19: Tensor, #[param(H, H)] w20: Tensor,
        #[param(4 * E, K)] w21: Tensor, #[param(H, E)] w26: Tensor, #[param(H, E)] w27: Tensor,
        #[param(H, E)] w28: Tensor, #[param(H, E)] w29: Tensor, #[param(H)] b32: Tensor,
        #[param(K, H)] w34: Tensor, #[param(H, E)] w35: Tensor, #[param(H, E)] w36: Tensor,
        #[param(E, H + K)] w37: Tensor, #[param(E)] b38: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let x3 = concat([(h2.sigmoid() + 0.5).ln(), zeros(de)]).slice(dh..dh + de);
        let x4 = (0.5 + x3.minimum(zeros(de)).sigmoid()).ln();
        let s7 = s5 - s6;
        let s8 = s7;
        let mut m9 = x4;
        let x10 = if x4.max() < s8 {
            m9 *= (x4.square() + 0.5).ln().tanh();
            (x4 / (x3.norm() + 0.5)).tanh()
        } else if x4.max() <= s7 || s8 >= -0.35 {
            m9 += (x3.sum() + s8).tanh() * x4.sigmoid();
            x4.softmax() + 0.5 * x3.tanh()
        } else {
            m9 += x3.softmax() + 0.5 * x4.tanh();
            (x3 / (x4.norm() + 0.5)).tanh()
        };
        m9 = m9.tanh();
        let mut a11 = -(w13 + w14).dot(b12);
        let (mut n15, mut t16) = (1.0, s17);
        for Node { h, c } in gather_all() {
            let [x22, x23, x24, x25] = w21.dot(((w19 * (1.0 / dh as f64)).dot(c) - w20.sum()).tanh()).split::<4>();
            t16 += s8.sigmoid();
            a11 = ((h * (w26 + w27).dot(x22) - w28.dot(x23)).tanh() + w26.dot(x24) - w29.dot(x25)).tanh() + a11;
            n15 += 1.0;
        }
        let x30 = a11 / n15;
        let x31 = {
            let x33 = (0.5 + b32.sigmoid()).ln();
            w34.dot(x33).tanh()
        };
        for k in 0..2 {
            loss((t16 * w19.dot(x31).relu() * x31).tanh().sum() * (k as f64 + 0.25));
        }
        scatter(Node { c: x31.relu(), h: ((w35.dot(x4) * w36.dot(x10)).tanh() * (w26 * s8).dot(m9) * x30).tanh() });
        let out39 = Scores { y: blend(w37.dot(summary(Node { h: b32, c: x31 })), b38, zeros(de)), logits: 1.5 + s8 };
        push(out39);
    }

    #[vertex_function]
    pub fn mixed_19(
        #[dim(H)] dh: Dim, #[param(E, H)] w4: Tensor, #[dim(E)] de: Dim, #[dim(K)] dk: Dim,
        #[param(H)] mut b8: Tensor, #[param(E)] b10: Tensor, #[param(E, E)] w12: Tensor,
        #[param(E)] b14: Tensor, #[param()] s16: Tensor, #[param(K, H)] w21: Tensor,
        #[param(K, E)] w22: Tensor, #[param(K, E)] w23: Tensor, #[param(K, E)] w24: Tensor,
        #[param(H)] b25: Tensor, #[param(K, E)] w27: Tensor, #[param(E, E)] w28: Tensor,
        #[param(K)] b29: Tensor, #[param(K)] b30: Tensor, #[param(K)] mut b31: Tensor,
        #[param(H)] b34: Tensor, #[param(H)] b36: Tensor, #[param(K, H)] w39: Tensor,
        #[param(E)] b40: Tensor, #[param(E)] b42: Tensor, #[param(K)] b44: Tensor,
        #[param()] s46: Tensor, #[param(H, E)] w49: Tensor, #[param(H, K)] w50: Tensor,
        #[param(H, K)] w51: Tensor, #[param(H, E)] w52: Tensor, #[param(H, E)] w53: Tensor,
        #[param(H, E)] w54: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let [x5, x6] = [2.0 / (0.5 + (1.0 / dh as f64 / (0.5 + w4.dot(h2).sigmoid())).sigmoid()), (0.5 + zeros(de).sigmoid()).ln()];
        let mut a7 = zeros(dk);
        for v9 in gather_all::<Node>() {
            let x11 = -b10 + b10;
            let x13 = w12.dot(x6).maximum(x6).tanh();
            let s15 = b14.max();
            let s17 = s16 * s16;
            let x18 = if 0.1 < x13.sum() || s15 <= 0.1 {
                x11.relu().minimum(x13).tanh()
            } else if s15 >= 0.2 && s17 < 0.2 {
                (x11 * x13).sigmoid()
            } else {
                let x19 = if !(0.2 < x11.sum() || s15 < -0.35) {
                    x11.relu().minimum(x13).tanh()
                } else if !(s15 < 0.2 || s15 < -0.35) {
                    (x11 - x13).tanh() * s17.tanh()
                } else {
                    let x20 = if x11.max() <= s17 {
                        (x13 * x11).sigmoid()
                    } else {
                        x13.tanh()
                    };
                    (x20 + (x11 * x13).sigmoid()).tanh()
                };
                (x19 + x13.relu().minimum(x11).tanh()).tanh()
            };
            a7 += ((w21.dot(v9.h) + v9.c - w22.dot(x11) + w23.dot(x13) - s15 - s17).tanh() - w24.dot(x18)).tanh();
            b8 = (b25.sigmoid() + 0.5).ln() + b8 - v9.h.softmax();
        }
        let mut m26 = a7.greater_equal(c3 + 0.35).select(a7, a7);
        m26 /= 1.0 / dh as f64;
        m26 /= 2.0;
        m26 += (affine(w27, w28.dot(x6), b29) / (0.5 + (b30 * 1.5).sigmoid())).tanh();
        m26 = m26.tanh();
        for Node { h, c } in gather_all() {
            let parts33 = [(h + h) * b34, zeros(dh).tanh(), b8.tanh()];
            let mut a35 = b36;
            let x37 = concat(parts33);
            for k in 0..2 {
                let n38 = 0.75 / (1.0 + de as f64);
                a35 += (x37.slice(k * dh..(k + 1) * dh) * (zeros(dh) - n38)).tanh();
            }
            b31 = b31.maximum((c + w39.dot(a35)).tanh());
        }
        let x41 = (x6 + b40).softmax();
        let x43 = b42.cumulative_sum().tanh() / (0.5 + b10.maximum(b10).sigmoid());
        let s45 = (b44 * b29).sum();
        let s47 = s46 * 1.5;
        let x48 = if 0.2 <= x41.sum() {
            (x43 * x41).sigmoid()
        } else {
            (x43.sum() + s47).tanh() * x41.sigmoid()
        };
        let state: Node = Node { h: (((((w49 * (1.0 / (dk as f64).sqrt())).dot(x5) + (w50 * s45).dot(m26)).tanh() - w51.dot(b31)).tanh() + w52.dot(x41) + w53.dot(x43) - s47).tanh() + w54.dot(x48)).tanh(), c: (m26 * 2.0).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn mixed_20(
        #[dim(H)] dh: Dim, #[param(H, K)] w5: Tensor, #[param(E)] b6: Tensor,
        #[param(K, E)] w7: Tensor, #[param(E)] b8: Tensor, #[param(E, E)] w9: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let h2 = h2.tanh() + h2 * h2;
        let mut a3 = zeros(dh);
        for v4 in gather_all::<Node>() {
            a3 = a3.maximum(v4.h + w5.dot(v4.c));
        }
        let state: Node = Node { h: (-h2 / (0.5 + a3.relu().sigmoid())).tanh(), c: w7.dot(b6).tanh().sigmoid() };
        scatter(state);
        push(Out { y: (w9.dot(b8) + 0.75) * b6 });
    }

    #[vertex_function]
    pub fn mixed_21(
        #[param(H)] b1: Tensor, #[dim(K)] dk: Dim, #[param(E, E)] w3: Tensor,
        #[param(E)] b7: Tensor, #[param()] s9: Tensor, #[dim(E)] de: Dim,
        #[param(K, H)] w16: Tensor, #[param(K)] b17: Tensor, #[param(E, H)] w18: Tensor,
        #[param(E, H)] w19: Tensor, #[param(E, K)] w20: Tensor, #[param(H, K)] w21: Tensor,
        #[param(H, E)] w22: Tensor, #[param(H, E)] w23: Tensor,
    ) {
        let v2: Node = gather_or(0, Node { h: b1, c: zeros(dk) });
        let Signal { x, .. } = pull();
        let x4: Tensor = w3.tanh().dot(x);
        let n5 = 2.0_f64.sqrt() - 0.5;
        let x6 = (n5 + x.maximum(x4)).tanh();
        let x8 = b7.hard_tanh().log_softmax().tanh();
        let s10 = 1.5 * s9;
        let s11 = s10;
        let x12 = if x6.max() > s11 {
            (x8 - x6).tanh() * s11.tanh()
        } else {
            x6.softmax() + 0.5 * x8.tanh()
        };
        let mut a13 = zeros(de);
        for v14 in gather_all::<Node>() {
            let mut m15 = s11 + v14.c;
            m15 *= w16.dot(v2.h.relu());
            m15 /= 1.5;
            m15 = m15.tanh() + -b17.tanh();
            m15 = m15.tanh();
            a13 = ((w18 + w19).dot(v14.h) - w20.dot(m15)).tanh() + a13 - (x12 * x6).tanh();
        }
        let (h, c) = ((w21.dot(v2.c) + w22.dot(x8) + w23.dot(a13)).tanh(), v2.c.softmax());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn mixed_22(
        #[param(H)] b1: Tensor, #[dim(K)] dk: Dim, #[param(E, K)] w3: Tensor,
        #[param(E)] b4: Tensor, #[param(E, H)] w5: Tensor, #[dim(H)] dh: Dim,
        #[param(E)] b11: Tensor, #[dim(E)] de: Dim, #[param(K, E)] w14: Tensor,
        #[param(K, H)] w15: Tensor, #[param(K)] b16: Tensor, #[param(H, H)] w17: Tensor,
        #[param(E, E)] w19: Tensor, #[param()] s20: Tensor, #[param(H, K)] w21: Tensor,
        #[param(K)] b22: Tensor,
    ) {
        let v2: Node = gather_or(0, Node { h: b1, c: zeros(dk) });
        let s6 = ((w3.dot(v2.c) + b4).variational_dropout(0.1) * w5.tanh().dot(v2.h)).tanh().sum();
        let mut a7 = zeros(dk);
        for v8 in gather_all::<Node>() {
            let x9 = {
                let x10 = concat([zeros(dh).slice(1..dh), zeros(dh).slice(0..1)]);
                let n12 = 2.0_f64.sqrt() - 1.5;
                let x13 = concat([((w5 * n12).dot(x10).sigmoid() + 0.5).ln(), b11]).slice(de..de + de);
                w14.dot(x13).tanh()
            };
            a7 += (w15.dot(v8.h) - v8.c) * x9;
            a7 -= zeros(dk) / (b16.sigmoid() + 0.5);
        }
        let s18 = scaled((w17 * 2.0).dot(v2.h).log_softmax().tanh(), de).pick(v2.h.argmax());
        push(Out { y: (s6 * s20 - 1.0 / de as f64 / (0.5 + w19.dot(b4).sigmoid())).tanh() });
        let (h, c) = ((w21.dot(a7) * s18).tanh(), b22.log_softmax().tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn mixed_23(
        #[param(E)] b4: Tensor, #[param(K, E)] w5: Tensor, #[param(E, E)] w8: Tensor,
        #[param(E, K)] w9: Tensor, #[param(E, H)] w11: Tensor, #[param(E, K)] w12: Tensor,
        #[dim(H)] dh: Dim, #[param(E)] b13: Tensor, #[dim(E)] de: Dim,
        #[param(K, E)] w23: Tensor, #[param(K, E)] w24: Tensor, #[param(E, K)] w26: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let s6 = (-c3).greater_equal(w5.dot(b4) + 0.35).select(c3, -c3).max();
        let mut a7 = w8.dot(b4) * (w9 + w9).dot(c3);
        for Node { h, c } in gather_all() {
            a7 = ((w11 + w11).dot(h) + w12.dot(c)).tanh() + a7;
        }
        let x14 = gate(w11, scaled(h2, dh), b13);
        let x15 = (zeros(de).sigmoid() * a7).tanh();
        let s16 = s6;
        let s17 = mse(x15, (w11 * 1.5).dot(h2)).tanh();
        let x18 = if x14.max() <= s17 || x14.max() <= s17 {
            let x19 = if x14.max() < s17 && s16 > 0.2 {
                x15.tanh()
            } else {
                let x20 = if 0.2 > x15.sum() && x15.max() < s17 {
                    (x14.sum() + s16).tanh() * x15.sigmoid()
                } else if 0.1 <= x15.sum() {
                    x14.relu().minimum(x15).tanh()
                } else {
                    (x14.square() + 0.5).ln().tanh()
                };
                (x20 + (x15 / (x14.norm() + 0.5)).tanh()).tanh()
            };
            (x19 + x15.relu().minimum(x14).tanh()).tanh()
        } else {
            let x21 = if -0.35 < x15.sum() || -0.35 <= x14.sum() {
                let x22 = if s17 < -0.35 {
                    (x15 * x14).sigmoid()
                } else {
                    x14.softmax() + 0.5 * x15.tanh()
                };
                (x22 + x15.tanh()).tanh()
            } else if x15.max() <= s16 {
                (x15 / (x14.norm() + 0.5)).tanh()
            } else {
                (x14 * x15).sigmoid()
            };
            (x21 + x14.softmax() + 0.5 * x15.tanh()).tanh()
        };
        let state = Node { c: (w23.dot(x14) + s16 + s17 + w24.dot(x18)).tanh(), h: h2.log_softmax().tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let n25 = 2.0_f64.sqrt() - 1.5;
        push(Out { y: (n25 / (a7.maximum(w26.dot(c3)).sigmoid() + 0.5)).tanh() });
    }

    #[vertex_function]
    pub fn mixed_24(
        #[dim(H)] dh: Dim, #[param()] s2: Tensor, #[param(E, H)] w3: Tensor,
        #[param(E, H)] w4: Tensor, #[param(E)] b5: Tensor, #[param(E, E)] w6: Tensor,
        #[dim(K)] dk: Dim, #[param(K)] b13: Tensor, #[param(K)] b14: Tensor,
        #[param(K, H)] w15: Tensor, #[param(H, K)] w17: Tensor, #[param(K)] b18: Tensor,
        #[param(E)] b21: Tensor, #[param(K, E)] w24: Tensor, #[param(K)] b25: Tensor,
    ) {
        let v1: Node = gather(0);
        let s7 = ((w3 + w4).dot(zeros(dh) - s2) * w6.dot(b5)).sum();
        let mut a8 = zeros(dh);
        let mut a9 = zeros(dk);
        let mut n10 = 1.0;
        for Node { h, c } in gather_all() {
            let parts12 = [-b13 / (0.5 + (v1.c / (c.sigmoid() + 0.5)).sigmoid()), b14 * w15.tanh().dot(h), v1.c];
            let mut a16 = zeros(dk);
            for part in parts12 {
                a16 += (part + concat([v1.c.slice(1..dk), v1.c.slice(0..1)])).tanh();
            }
            a8 += w17.dot(a16).tanh();
            a9 -= v1.c.greater(zeros(dk) + 0.6).select(b18, v1.c).relu();
            n10 += 1.0;
        }
        let x19 = a8 / n10;
        let x20 = {
            let n22 = 1.5 / (1.0 + dk as f64);
            let x23 = (b21.sigmoid() + 0.5).ln() - n22;
            w24.dot(x23).tanh()
        };
        loss(b25.exp().greater_equal(a9 + 0.6).select(v1.c, b25.exp()).pick(x20.argmax()));
        push(Out { y: (1.5 / (w3.dot(v1.h).tanh().sigmoid() + 0.5)).tanh() });
        scatter(Node { h: (x19.softmax() * s7).tanh(), c: weighted([a9, x20, a9]).tanh() });
    }

    #[vertex_function]
    pub fn mixed_25(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(K)] mut b4: Tensor,
        #[param(K, H + K)] w5: Tensor, #[param(H)] b7: Tensor, #[dim(E)] de: Dim,
        #[param(H, K)] w11: Tensor, #[param(E)] b12: Tensor, #[param(E, E)] w13: Tensor,
        #[param(E, E)] w14: Tensor, #[param(H, H)] w17: Tensor, #[param(H)] b18: Tensor,
        #[param(E, H)] w19: Tensor, #[param(H)] b22: Tensor, #[param(K, K)] w24: Tensor,
        #[param(K, E)] w25: Tensor, #[param(K, E)] w26: Tensor, #[param(K, H)] w27: Tensor,
        #[param(H)] b28: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        b4 = b4.tanh() + w5.dot(summary(Node { h: h2, c: c3 }));
        b4 = b4.tanh();
        let mut a6 = b7 * h2;
        let mut a8 = zeros(de);
        let mut n9 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            a6 += h * w11.dot(c);
            a8 -= (1.5 / (0.5 + (w13 + w14).dot(b12).maximum(b12).sigmoid())).tanh();
            n9 += 1.0;
        }
        let x15 = a6 / n9;
        let x16 = {
            let x15 = x15.tanh() + crate::generated::cells::gate(w17, a6, b18).tanh();
            w19.tanh().dot(x15).tanh()
        };
        let mut a20 = x15 * b7;
        for Node { c, h } in gather_all::<Node>() {
            let x23 = blend(2.0 / (b22.sigmoid() + 0.5), (h - w11.dot(c)).greater_equal(h + 0.6).select(h2, h - w11.dot(c)), zeros(dh) - a6).tanh();
            a20 += x23;
            a20 -= h.sigmoid();
        }
        loss((-w24.dot(b4)).leaky_relu(0.1).sum().tanh());
        scatter(Node { c: ((w25.dot(a8) * (w26 * (1.0 / de as f64)).dot(x16)).tanh() + w27.dot(a20)).tanh(), h: concat([b28.slice(1..dh), b28.slice(0..1)]) });
    }

    #[vertex_function]
    pub fn mixed_26(
        #[param(K)] b3: Tensor, #[param(H, K)] w6: Tensor, #[dim(H)] dh: Dim, #[dim(E)] de: Dim,
        #[param(H)] b11: Tensor, #[dim(K)] dk: Dim, #[param(3 * E, H)] w13: Tensor,
        #[param(E, H)] w15: Tensor, #[param(H, E)] w16: Tensor, #[param(K, K)] w17: Tensor,
        #[param(H, E)] w18: Tensor, #[param(K, K)] w19: Tensor,
    ) {
        let v1: Node = gather(0);
        let x2 = {
            let x4 = b3.maximum(v1.c).hard_sigmoid();
            let x5 = (x4.sigmoid().sigmoid() + 0.5).ln();
            w6.dot(x5).tanh()
        };
        let mut a7 = zeros(dh);
        let mut a8 = zeros(de);
        for Node { c, h } in gather_all::<Node>() {
            let n12 = 2.0 / (1.0 + dk as f64);
            let parts10 = w13.dot((b11 * n12).relu()).split::<3>();
            let mut a14 = zeros(de);
            for part in parts10 {
                a14 += (part * w15.dot(x2).tanh()).tanh();
            }
            a7 += (h + w6.tanh().dot(c) + (w16 * 2.0).dot(a14)).tanh();
            a8 = a8.minimum((0.5 + (a14 / (0.5 + a14.sigmoid())).tanh().sigmoid()).ln());
        }
        loss(mse(v1.c.maximum(v1.c).relu(), zeros(dk).softmax()));
        loss((v1.c - 2.0).pick(w17.dot(v1.c).argmax()).sigmoid());
        scatter(Node { c: concat([w19.dot(v1.c).slice(1..dk), w19.dot(v1.c).slice(0..1)]).tanh(), h: ((v1.h + a7).tanh() + w18.dot(a8)).tanh() });
    }

    #[vertex_function]
    pub fn mixed_27(
        #[param(H)] b1: Tensor, #[param(K)] b2: Tensor, #[param(K, E)] w6: Tensor,
        #[param(E)] b10: Tensor, #[param(E, K)] w11: Tensor, #[param(E, H)] w12: Tensor,
        #[param(E)] b13: Tensor, #[param(E)] b14: Tensor, #[param(E)] b15: Tensor,
        #[param(K)] b16: Tensor, #[dim(H)] dh: Dim, #[param(E, K)] w18: Tensor,
        #[param(H)] mut b19: Tensor, #[param(H, K)] w22: Tensor, #[param()] s23: Tensor,
        #[param(K, E)] w25: Tensor, #[param(K, H)] w26: Tensor, #[param(H, E)] w27: Tensor,
        #[param(E, H)] w28: Tensor,
    ) {
        let Node { h: h4, .. } = gather_or(0, Node { h: b1, c: b2 });
        let p5 = pull::<Signal>().x;
        let x7 = w6.dot(p5);
        let (x8, [x17], s9) = (b10.greater(w11.dot(x7) + 0.1).select(w12.dot(h4), b10) / (b13.greater(b14 + 0.6).select(b15, b13).sigmoid() + 0.5), [w18.dot(x7).log_softmax().tanh()], (1.0 / dh as f64 * b16).sum());
        let mut n20 = 1.0;
        for Node { h, c } in gather_all() {
            b19 += h * w22.dot(c);
            b19 -= h - s23;
            n20 += 1.0;
        }
        let x24 = b19 / n20;
        let (h, c) = (w27.dot(x8).tanh(), ((w6.dot(x8) + s9).tanh() + w25.dot(x17) + w26.dot(x24)).tanh());
        scatter(Node { h, c });
        let out29 = Scores { y: x8.maximum(x8).tanh(), logits: affine(w28, b1, b10).sum() };
        push(out29);
    }

    #[vertex_function]
    pub fn mixed_28(
        #[param(E, E)] w2: Tensor, #[dim(E)] de: Dim, #[param(2 * E, E)] w7: Tensor,
        #[param(2 * E)] b8: Tensor, #[param()] s12: Tensor, #[param(E)] mut b13: Tensor,
        #[param(E, H)] w15: Tensor, #[param(E, K)] w16: Tensor, #[param(E)] b17: Tensor,
        #[param(E)] b18: Tensor, #[param(H, E)] w20: Tensor, #[param(H, K)] w21: Tensor,
        #[param(H, E)] w22: Tensor, #[param(K)] b23: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x3 = w2.dot(p1);
        let Node { h: h5, c: c6 } = gather(0);
        let [x9, x10]: [Tensor; 2] = (w7.dot((zeros(de) - p1).relu()) + b8).split();
        let mut a11 = x10 * s12;
        for Node { c, h } in gather_all::<Node>() {
            a11 -= w15.dot(h) * w16.dot(c);
            b13 += x10 * b17 + p1;
        }
        let s19 = (s12 * b18).sum().tanh();
        let state = Node { c: b23.tanh(), h: (((w20.dot(x3) * h5 + (w21 * 2.0).dot(c6) + w20.dot(x9)).tanh() + w22.dot(a11)).tanh() + w20.dot(b13)).tanh() * s19 };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn mixed_29(
        #[param(H, E)] w4: Tensor, #[param(H, E)] w5: Tensor, #[dim(H)] dh: Dim,
        #[param(K, H)] w8: Tensor, #[dim(E)] de: Dim, #[dim(K)] dk: Dim, #[param(H)] b10: Tensor,
        #[param(K)] b12: Tensor, #[param(K, K)] w13: Tensor, #[param(H, K)] w18: Tensor,
        #[param(E)] b19: Tensor, #[param(K, E)] w20: Tensor, #[param(K, E)] w21: Tensor,
        #[param(H)] b22: Tensor, #[param(E)] b25: Tensor, #[param(E)] b27: Tensor,
        #[param()] s29: Tensor, #[param(K, K)] w31: Tensor, #[param(H, K)] w37: Tensor,
        #[param(H, E)] w38: Tensor, #[param(H, H)] w39: Tensor, #[param(E, H)] w40: Tensor,
        #[param(H, K)] w42: Tensor, #[param(K, 3 * H)] w43: Tensor, #[param(H, K)] w45: Tensor,
        #[param(K)] mut b47: Tensor, #[param(E, H)] w50: Tensor, #[param(E, K)] w52: Tensor,
        #[param(E)] b54: Tensor, #[param(E, H)] w58: Tensor, #[param(K)] b63: Tensor,
        #[param(K, E)] w64: Tensor, #[param(H, H)] w65: Tensor, #[param(H, H)] w66: Tensor,
        #[param(H, H + K)] w67: Tensor, #[param()] s71: Tensor, #[param(K, H)] w80: Tensor,
        #[param(K, H)] w81: Tensor, #[param(E, E)] w83: Tensor, #[param(E, K)] w84: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Signal { x: p3, label } = pull::<Signal>();
        let x6 = (w4 + w5).dot(p3);
        let x7 = noisy(h2.log_softmax(), 0.5).tanh();
        let x9 = concat([scaled(w8.dot(x7), de), x6]).slice(dk..dk + dh).tanh();
        let s11 = (h2 * b10).sum();
        let s14 = (w13 + w13).dot(b12).max();
        let mut m15 = x9;
        let x16 = if -0.35 <= x7.sum() && s11 < 0.1 {
            (x9 * x7).sigmoid()
        } else if -0.35 > x9.sum() && s11 <= 0.1 {
            (x9 - x7).tanh() * s11.tanh()
        } else {
            m15 = x7.softmax() + 0.5 * x9.tanh();
            x9.softmax() + 0.5 * x7.tanh()
        };
        m15 = m15.tanh();
        let mut a17 = gate(w18, (w20 + w21).dot(b19), b22);
        let mut a23 = zeros(dh);
        for Node { c, h } in gather_all::<Node>() {
            let x26 = b25.softmax().tanh();
            let x28 = zeros(de).maximum(b27) + x26;
            let s30 = s29.tanh();
            let s32 = w31.min();
            let x33 = if -0.35 < x26.sum() {
                x26.softmax() + 0.5 * x28.tanh()
            } else {
                let x34 = if 0.2 <= x28.sum() || s32 < 0.2 {
                    let x35 = if x28.max() >= s30 && 0.2 < x26.sum() {
                        x26.relu().minimum(x28).tanh()
                    } else {
                        (x28 * x26).sigmoid()
                    };
                    (x35 + (x28 * x26).sigmoid()).tanh()
                } else if x28.max() > s30 {
                    let x36 = if 0.2 >= x28.sum() || 0.1 <= x28.sum() {
                        (x26 - x28).tanh() * s30.tanh()
                    } else if -0.35 < x26.sum() {
                        x28.softmax() + 0.5 * x26.tanh()
                    } else {
                        (x28 * x26).sigmoid()
                    };
                    (x36 + (x26.sum() + s32).tanh() * x28.sigmoid()).tanh()
                } else {
                    (x26 - x28).tanh() * s30.tanh()
                };
                (x34 + (x26.square() + 0.5).ln().tanh()).tanh()
            };
            a17 = a17 + ((h + (w37 + w18).dot(c) - (w4 * 0.75).dot(x28)).tanh() + s30 - s32 - w38.dot(x33)).tanh();
            a23 += (w40.dot(x9).sum() * m15.less(w39.dot(x16) + 0.35).select(h, m15)).tanh();
        }
        let x41 = {
            let x44 = w43.dot(concat([a17, zeros(dh), w42.dot(b12)])).tanh();
            w45.dot(x44).tanh()
        };
        let mut a46 = zeros(dh);
        let mut t48 = s11;
        for Node { c, h } in gather_all::<Node>() {
            let x51 = scaled(w50.dot(h).tanh(), dk);
            let x53 = affine(w52, c, b19).dropout(0.25).tanh();
            let s55 = b54.max();
            let s56 = (b19 * zeros(de)).sum();
            let i59 = concat([x51.greater(w58.dot(x41) + 0.1).select(b19, x51), zeros(3)]).argmax();
            let x57 = match i59 {
                Index(0) => {
                    x53.tanh()
                }
                Index(1) | Index(2) => {
                    let x60 = if x53.max() < s55 {
                        let x61 = if x53.max() >= s55 {
                            x53.softmax() + 0.5 * x51.tanh()
                        } else if !(s55 <= 0.1 || s55 < 0.2) {
                            (x51.sum() + s55).tanh() * x53.sigmoid()
                        } else {
                            x51.relu().minimum(x53).tanh()
                        };
                        (x61 + (x51.square() + 0.5).ln().tanh()).tanh()
                    } else if !(s56 > -0.35 || 0.2 < x53.sum()) {
                        let x62 = if s55 > -0.35 {
                            x53.softmax() + 0.5 * x51.tanh()
                        } else {
                            x53.softmax() + 0.5 * x51.tanh()
                        };
                        (x62 + (x51 - x53).tanh() * s55.tanh()).tanh()
                    } else {
                        x53.softmax() + 0.5 * x51.tanh()
                    };
                    (x60 + (x53 - x51).tanh() * s56.tanh()).tanh()
                }
                _ => {
                    (x53.square() + 0.5).ln().tanh()
                }
            };
            t48 += b63.log_softmax().pick(w64.dot(x53).sample()).tanh();
            a46 += (zeros(dh).minimum(zeros(dh)) * s55 - s56 + w4.dot(x57)).tanh();
            b47 += concat([c.slice(1..dk), c.slice(0..1)]).minimum(c);
        }
        let x68 = w67.dot(summary(Node { h: (w65 + w66).dot(a46), c: w20.dot(b19) })).tanh();
        let x69 = (0.5 / (x68.sigmoid() + 0.5) + w18.dot(b47)).tanh();
        let s70 = zeros(dh).max();
        let s72 = s29 * s71;
        let mut m73 = x69;
        let x74 = if s72 < 0.1 {
            m73 += (x68 * x69).sigmoid();
            (x68.square() + 0.5).ln().tanh()
        } else if 0.1 > x69.sum() {
            m73 *= (x68.sum() + s72).tanh() * x69.sigmoid();
            let x75 = if 0.2 <= x69.sum() {
                m73 += x69.relu().minimum(x68).tanh();
                x68.tanh()
            } else if 0.2 <= x68.sum() {
                let x76 = if x68.max() > s70 && x69.max() < s72 {
                    m73 -= (x69 * x68).sigmoid();
                    (x68 / (x69.norm() + 0.5)).tanh()
                } else {
                    (x68.square() + 0.5).ln().tanh()
                };
                (x76 + (x69.square() + 0.5).ln().tanh()).tanh()
            } else {
                m73 = (x68 - x69.max()).exp().tanh();
                (x68.sum() + s70).tanh() * x69.sigmoid()
            };
            (x75 + (x68 / (x69.norm() + 0.5)).tanh()).tanh()
        } else {
            m73 += (x68 - x69).tanh() * s72.tanh();
            let x77 = if x69.max() <= s72 {
                m73 *= (x68 * x69).sigmoid();
                let x78 = if !(s70 <= 0.1 || 0.2 > x68.sum()) {
                    m73 -= (x68 / (x69.norm() + 0.5)).tanh();
                    (x68 - x69.max()).exp().tanh()
                } else {
                    m73 *= (x69.square() + 0.5).ln().tanh();
                    (x68 * x69).sigmoid()
                };
                (x78 + (x69 * x68).sigmoid()).tanh()
            } else if s70 < 0.1 && s72 < 0.1 {
                m73 *= (x69 / (x68.norm() + 0.5)).tanh();
                (x68 - x69).tanh() * s72.tanh()
            } else {
                m73 -= (x68 * x69).sigmoid();
                x68.tanh()
            };
            (x77 + (x68 - x69.max()).exp().tanh()).tanh()
        };
        m73 = m73.tanh();
        loss(cross_entropy(w18.dot(b47).relu().tanh() * (w39 + w39).dot(m73), label));
        let n79 = 0.75 / (1.0 + dk as f64);
        loss(s72 - n79);
        let (h, c) = (scaled(m15, dh), (((b47.maximum(b12) * s14 * w80.dot(a23)).tanh() * t48 - (w8 + w81).dot(x69)).tanh() * s70 + w8.tanh().dot(x74)).tanh());
        scatter(Node { h, c });
        let n82 = 2.0_f64.sqrt() - 1.5;
        let out85 = Scores { y: (n82 / (0.5 + w83.dot(b19).sigmoid())).tanh(), logits: w84.tanh().dot(b47).relu().tanh().tanh() };
        push(out85);
    }

    #[vertex_function]
    pub fn mixed_30(
        #[param(K, E)] w1: Tensor, #[param(H)] b6: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b7: Tensor, #[param(K)] b10: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w13: Tensor, #[param(H, E)] w14: Tensor, #[param(H, E)] w15: Tensor,
        #[param(H)] b16: Tensor, #[param(H, K)] w18: Tensor, #[param(E)] b19: Tensor,
        #[param(E)] b20: Tensor, #[dim(E)] de: Dim, #[param(H, E)] w22: Tensor,
        #[param(K)] b23: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = w1.dot(x);
        let Node { h: h4, .. } = gather(0);
        let parts5 = [concat([b6, x2]).slice(0..dh) * b6, b7.tanh(), zeros(dh)];
        let mut a8 = zeros(dh);
        for k in 0..3 {
            a8 -= (parts5[k] - (h4 + h4)).tanh();
        }
        let mut a9 = weighted([x2, b10, x2]);
        let mut a11 = h4.tanh();
        for Node { h, c } in gather_all() {
            let h = h.tanh() + scaled(a8, dk);
            a9 = (c + w13.tanh().dot(h)).tanh() + a9 - (x2 / (0.5 + b10.sigmoid())).tanh();
            a11 = a11.maximum((w14.dot(x).sigmoid() + 0.5).ln());
        }
        let s17 = mse((a11 * h4).maximum(w15.dot(x)), b16).tanh();
        loss(cross_entropy(w18.dot(b10), label));
        let out21 = Scores { y: blend((b19.sigmoid() + 0.5).ln(), b20, zeros(de)), logits: (a9.tanh() * b10).sum() };
        push(out21);
        let (h, c) = ((affine(w22, x, b6) * s17).tanh(), b23 * b10);
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
        #[param(H, H)] w4: Tensor, #[param(H)] b5: Tensor, #[param(E)] b8: Tensor,
        #[param(K, E)] w9: Tensor, #[dim(H)] dh: Dim, #[param()] s10: Tensor,
        #[param(K, H)] w12: Tensor, #[param(E, E)] w13: Tensor, #[param(E)] b14: Tensor,
        #[param(E)] b15: Tensor, #[param(E, E)] w16: Tensor, #[param(E, K)] w17: Tensor,
        #[param(H, E)] w19: Tensor, #[param(K)] b20: Tensor, #[param(K)] b21: Tensor,
        #[param(E, H + K)] w22: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let x3 = {
            let x6: Tensor = crate::generated::cells::gate(w4, h2.relu(), b5);
            x6.tanh()
        };
        let mut a7 = (w9 * (1.0 / dh as f64)).dot(b8) * s10;
        for v11 in gather_all::<Node>() {
            a7 = a7.maximum((w12 + w12).dot(v11.h) * v11.c);
        }
        let x18 = (w13.dot(b8) - 1.0 / (dh as f64).sqrt()).maximum(b14).minimum(b15.greater_equal(w16.dot(b8) + 0.6).select(w17.dot(a7), b15).tanh());
        let (h, c) = ((x3 + w19.dot(x18)).tanh(), b20 + b21);
        scatter(Node { h, c });
        push(Out { y: w22.dot(summary(Node { h: h2, c: a7 })).tanh() });
    }

    #[vertex_function]
    pub fn mixed_33(
        #[param(E)] b2: Tensor, #[param(H, E)] w4: Tensor, #[param(H, K)] w8: Tensor,
        #[dim(H)] dh: Dim, #[param(H)] b12: Tensor, #[param(H, E)] w14: Tensor,
        #[param(E, E)] w16: Tensor, #[param(H)] b22: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let Gold { label, target } = pull();
        let x3 = target * b2;
        let n5 = 2.0_f64.sqrt() - 0.5;
        let s6 = (w4.tanh().dot(target).sum() * n5).tanh();
        let mut a7 = w8.dot(v1.c).relu();
        let mut n9 = 1.0;
        for Node { h, c } in gather_all() {
            let x11 = concat([h.slice(1..dh), h.slice(0..1)]);
            let x13 = b12.maximum(zeros(dh));
            let s15 = (x13 * (w14 + w4).dot(x3)).sum();
            let s17 = w16.log_sum_exp();
            let i19 = concat([-zeros(dh), zeros(3)]).argmax();
            let x18 = match i19 {
                Index(0) => {
                    (x11 - x13.max()).exp().tanh()
                }
                Index(1) | Index(2) => {
                    (x11 * x13).sigmoid()
                }
                _ => {
                    let x20 = if 0.2 > x11.sum() {
                        (x11 * x13).sigmoid()
                    } else {
                        (x11.sum() + s17).tanh() * x13.sigmoid()
                    };
                    (x20 + x13.relu().minimum(x11).tanh()).tanh()
                }
            };
            a7 = (((w8 * 1.5).dot(c) + x11 - s15).tanh() + s17 - x18).tanh() + a7 - zeros(dh).relu();
            n9 += 1.0;
        }
        let x21 = a7 / n9;
        loss(cross_entropy((scaled(x21, dh) - v1.h).tanh(), label));
        let state: Node = Node { h: (0.75 / (b22.sigmoid() + 0.5)).tanh(), c: ((v1.c - 1.5) * s6).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn mixed_34(
        #[param(H, H)] w3: Tensor, #[dim(E)] de: Dim, #[param()] s7: Tensor, #[dim(K)] dk: Dim,
        #[param(E, K)] w10: Tensor, #[param(E)] b11: Tensor, #[param(E, E)] w12: Tensor,
        #[param(E, H)] w15: Tensor, #[param(K)] b21: Tensor, #[param(K, K)] w23: Tensor,
        #[dim(H)] dh: Dim, #[param()] s25: Tensor, #[param(K, K)] w26: Tensor,
        #[param(H, K)] w27: Tensor, #[param(H)] b28: Tensor, #[param(H, E)] w29: Tensor,
    ) {
        let v1: Node = gather(0);
        let x2 = {
            let x4: Tensor = w3.tanh().dot(v1.h) * 1.5 / (0.5 + v1.h.sigmoid().sigmoid());
            x4.tanh()
        };
        let mut a5 = zeros(de);
        let mut t6 = s7;
        for Node { h, c } in gather_all() {
            let x9 = concat([c, v1.c.cumulative_sum().tanh()]).slice(0..dk);
            let x13 = (w10.dot(x9).pick(w12.dot(b11).sample()) - c.log_softmax()).tanh();
            let s14 = b11.sum();
            let s16 = w15.dot(h).max();
            let x17 = if !(0.2 >= x13.sum() || x13.max() >= s16) {
                (x9 / (x13.norm() + 0.5)).tanh()
            } else if 0.2 < x9.sum() {
                let x18 = if x9.max() >= s16 || s16 > 0.2 {
                    let x19 = if 0.1 <= x13.sum() && s16 >= -0.35 {
                        x13.tanh()
                    } else {
                        x9.tanh()
                    };
                    (x19 + (x13.square() + 0.5).ln().tanh()).tanh()
                } else if 0.1 < x9.sum() {
                    (x13.square() + 0.5).ln().tanh()
                } else {
                    let x20 = if x13.max() > s14 {
                        x13.tanh()
                    } else {
                        (x13 - x9).tanh() * s16.tanh()
                    };
                    (x20 + x13.relu().minimum(x9).tanh()).tanh()
                };
                (x18 + (x9 - x13.max()).exp().tanh()).tanh()
            } else {
                x9.relu().minimum(x13).tanh()
            };
            t6 += mse(s7 - x17, b21).tanh();
            a5 -= ((w10.dot(x13) + s14) * s16).tanh();
        }
        let mut m22 = v1.c.minimum(w23.dot(v1.c));
        let n24 = 0.5 / (1.0 + dh as f64);
        m22 -= (b21 - n24 + 2.0).tanh();
        m22 -= w26.dot(s25 * v1.c);
        m22 -= concat([v1.c.slice(1..dk), v1.c.slice(0..1)]).log_softmax().tanh();
        m22 = m22.tanh();
        let (h, c) = (gate(w27, w23.dot(m22).tanh(), b28).tanh(), scaled(v1.c, dk).sigmoid());
        scatter(Node { h, c });
        loss(((x2 - w29.dot(a5)).tanh() - t6).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_35(
        #[param(H, E)] w2: Tensor, #[param(E, K)] w8: Tensor, #[dim(H)] dh: Dim,
        #[param(E)] b10: Tensor, #[param(H)] b13: Tensor, #[param(K, H + K)] w15: Tensor,
        #[param(K)] b16: Tensor, #[param(H, K)] w19: Tensor, #[param(H, K)] w20: Tensor,
        #[param(H, H)] w21: Tensor, #[param(K, H)] w22: Tensor, #[param(H)] b23: Tensor,
        #[param(E, K)] w25: Tensor, #[dim(E)] de: Dim,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let Node { h: h5, c: c6 } = gather(0);
        let parts7 = [w2.dot(w8.dot(c6).tanh()), h5.sigmoid(), x3];
        let mut a9 = zeros(dh);
        for k in 1..=2 {
            a9 -= (parts7[k] * (w2.dot(b10) - h5)).tanh();
        }
        let mut a11 = zeros(dh);
        let mut a12 = b13;
        for Node { c, h } in gather_all::<Node>() {
            let [x17, x18]: [Tensor; 2] = [w15.dot(summary(Node { h: x3, c })) + c6, b16.sigmoid()];
            a11 -= (h * w19.dot(x17) + w20.dot(x18)).tanh();
            a12 = a12 + w21.dot(a9).tanh().sigmoid();
        }
        let x24 = gate(w22, concat([b23.slice(1..dh), b23.slice(0..1)]), b16).relu();
        loss(cross_entropy(scaled(w25.tanh().dot(x24), de).relu(), label));
        let state: Node = Node { h: (a11 * a12).tanh(), c: (x24 + 0.75).tanh() };
        scatter(state);
    }
}

pub mod gold {
    use super::prelude::*;

    #[vertex_function]
    pub fn gold_0(
        #[param(H, E)] w3: Tensor, #[param(H, E)] w4: Tensor, #[param(K)] b7: Tensor,
        #[param()] s9: Tensor, #[param(K, K)] w10: Tensor, #[dim(K)] dk: Dim,
        #[param(E)] b12: Tensor, #[param(E, E)] w13: Tensor, #[param(E, H)] w14: Tensor,
        #[param(K, H)] w16: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Gold { target, .. } = pull();
        let x5 = (w3 + w4).dot(target);
        let n6 = 2.0_f64.sqrt() - 0.75;
        let x8 = n6 / (b7.abs().sigmoid() + 0.5);
        loss(mse((s9 - x8).less(x8 + 0.1).select(x8, s9 - x8), (w10 * (1.0 / dk as f64)).dot(x8).tanh()));
        let n11 = 2.0_f64.sqrt() - 0.5;
        let out15 = Scores { y: (n11 / (w13.dot(b12).sigmoid() + 0.5)).tanh(), logits: w14.dot(x5).tanh().leaky_relu(0.1).variational_dropout(0.1) };
        push(out15);
        loss(w16.dot(h2).sum());
    }

    #[vertex_function]
    pub fn gold_1(
        #[param(E, E)] w2: Tensor, #[param(K)] b4: Tensor, #[param(H, K)] w5: Tensor,
        #[dim(H)] dh: Dim, #[param(E)] b8: Tensor, #[dim(K)] dk: Dim, #[param(K, H)] w11: Tensor,
        #[param(E, K)] w13: Tensor, #[param(E, K)] w14: Tensor, #[dim(E)] de: Dim,
        #[param(H)] b16: Tensor, #[param(H, H)] w17: Tensor, #[param(4 * H, H)] w18: Tensor,
        #[param(K, K)] w24: Tensor, #[param(H, H)] w26: Tensor, #[param(E)] b27: Tensor,
        #[param(K, E)] w28: Tensor, #[param(K, E)] w29: Tensor, #[param(K, E)] w30: Tensor,
        #[param(K, H)] w31: Tensor, #[param(K, H)] w32: Tensor, #[param(K, H)] w33: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = w2.dot(p1.target);
        let s6 = (w5.dot(b4) + zeros(dh)).max();
        let mut a7 = b8 * 0.5;
        let mut n9 = 1.0;
        for Node { h, c } in gather_all() {
            let x12: Tensor = zeros(dk).minimum(w11.dot(h)).log_softmax().relu();
            a7 += (w13.dot(c) + w14.tanh().dot(x12)).tanh();
            a7 -= zeros(de).sigmoid();
            n9 += 1.0;
        }
        let x15 = a7 / n9;
        let [x19, x20, x21, x22] = w18.dot((w17.tanh().dot(b16) + 2.0).log_softmax().tanh()).split();
        let mut a23 = w24.dot(b4) * s6;
        for Node { c, h } in gather_all::<Node>() {
            a23 = a23.maximum(w11.dot(h) + c);
        }
        for k in 0..2 {
            loss(cross_entropy(w26.dot(x20), p1.label) * (k as f64 + 0.25));
        }
        push(Out { y: b27.sigmoid().softmax() });
        loss(((((w28.tanh().dot(x3) * (w29 + w30).dot(p1.target)).tanh() + w28.dot(x15)).tanh() - w31.dot(x19) + w32.dot(x21)).tanh() - w33.dot(x22) + a23).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_2(
        #[param(K, E)] w2: Tensor, #[param(H, K)] w4: Tensor, #[dim(H)] dh: Dim,
        #[param(E, K)] w7: Tensor, #[param(E, H)] w8: Tensor, #[dim(E)] de: Dim,
        #[param(H)] b17: Tensor, #[param(H, E)] w19: Tensor, #[param(E)] b20: Tensor,
        #[param(E, E)] w21: Tensor, #[param(H)] b22: Tensor, #[param(E)] b25: Tensor,
        #[param(E, E)] w26: Tensor, #[param(E, E)] w27: Tensor, #[param()] s30: Tensor,
        #[param(E, H)] w36: Tensor, #[param(E, H)] w37: Tensor, #[param(K, H)] w39: Tensor,
        #[param(H, K)] w41: Tensor, #[param(E, K)] w42: Tensor, #[param(E, H)] w43: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let x5 = (0.5 + w4.dot(x3).sigmoid()).ln().exp().tanh();
        let x6 = -(zeros(dh) + x5);
        let s9 = w7.dot(x3).pick(w8.dot(x6).sample());
        let s10 = s9;
        let mut m11 = x6;
        let x12 = if x6.max() < s10 || 0.2 < x5.sum() {
            m11 += x6.tanh();
            x5.softmax() + 0.5 * x6.tanh()
        } else {
            m11 = (x5.sum() + s9).tanh() * x6.sigmoid();
            x5.relu().minimum(x6).tanh()
        };
        m11 = m11.tanh();
        let mut a13 = zeros(de);
        let mut a14 = zeros(dh);
        let mut t15 = s10;
        for Node { c, h } in gather_all::<Node>() {
            let x18 = ((b17.sigmoid() + 0.5).ln() / (0.5 + m11.log_softmax().sigmoid())).tanh();
            let x23 = gate(w19, w21.dot(b20).relu(), b22);
            let s24 = s9;
            let s28 = cross_entropy((w26 + w27).dot(b25), label);
            let i31 = concat([x18 - s30, zeros(3)]).argmax();
            let x29 = match i31 {
                Index(0) => {
                    let x32 = if !(s24 >= 0.1 || s24 < -0.35) {
                        let x33 = if x23.max() <= s28 || s28 < 0.2 {
                            (x23 / (x18.norm() + 0.5)).tanh()
                        } else {
                            (x18 - x23.max()).exp().tanh()
                        };
                        (x33 + (x23 - x18.max()).exp().tanh()).tanh()
                    } else {
                        (x23 * x18).sigmoid()
                    };
                    (x32 + x23.tanh()).tanh()
                }
                Index(1) | Index(2) => {
                    x23.softmax() + 0.5 * x18.tanh()
                }
                _ => {
                    let x34 = if !(x18.max() < s24 || s24 <= 0.2) {
                        (x18 * x23).sigmoid()
                    } else {
                        let x35 = if x23.max() <= s28 && x18.max() > s28 {
                            (x18.square() + 0.5).ln().tanh()
                        } else {
                            (x23 - x18).tanh() * s28.tanh()
                        };
                        (x35 + x18.tanh()).tanh()
                    };
                    (x34 + x23.tanh()).tanh()
                }
            };
            t15 += (zeros(dh) + b17).pick(w4.dot(x3).sample());
            a13 = a13.maximum(((((w36 * 2.0).dot(h) * w7.dot(c) + w37.dot(x23)).tanh() + s24 + s28).tanh() - w8.dot(x29)).tanh());
            a14 = (b17 + s10).minimum(x18) + a14;
        }
        let x38 = {
            let x40 = w39.dot(x6).sigmoid();
            (w41 + w4).dot(x40).tanh()
        };
        loss(mse((a13 * a13).tanh().tanh(), w42.dot(x3)));
        push(Out { y: (cross_entropy(a13.tanh(), label) + a13.tanh()).tanh() });
        loss(((w43.dot(x12) * (w8 * 0.75).dot(a14)).tanh() + t15 - w8.dot(x38)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_3(
        #[param(H, E)] w4: Tensor, #[param(H, E)] w6: Tensor, #[param(2 * K, H)] w7: Tensor,
        #[param(2 * K)] b8: Tensor, #[dim(E)] de: Dim, #[param(2 * E, E)] w11: Tensor,
        #[param(2 * E)] b12: Tensor, #[param(K, E)] w15: Tensor, #[param(H, K)] w16: Tensor,
        #[param(H, K)] w17: Tensor, #[param(H, E)] w18: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let p3: Gold = pull();
        let x5 = w4.dot(p3.target);
        let [x9, x10]: [Tensor; 2] = (w7.dot(x5 - w6.dot(p3.target) + h2) + b8).tanh().split();
        let (x13, x14) = halves(w11.dot((p3.target / (0.5 + p3.target.sigmoid())).minimum(zeros(de))) + b12);
        loss(cross_entropy(w15.dot(x13).tanh().clamp(-0.5, 0.75).softmax(), p3.label));
        loss((w16.dot(x9) * w17.dot(x10) + w18.dot(x14)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_4(
        #[param(E)] b2: Tensor, #[dim(K)] dk: Dim, #[param(K)] b5: Tensor,
        #[param(E, K)] w7: Tensor, #[param(K, E)] w8: Tensor, #[param()] s10: Tensor,
        #[dim(E)] de: Dim, #[param(E, H)] w12: Tensor, #[param(H)] b22: Tensor,
        #[param(E, K)] w23: Tensor, #[param(E, K)] w24: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = p1 * b2;
        let v4: Node = gather(0);
        let x6 = zeros(dk).maximum(b5);
        let x9 = w8.dot(affine(w7, v4.c, b2)).tanh();
        let s11 = s10 + s10;
        let s13 = zeros(de).pick(w12.dot(v4.h).argmax());
        let mut m14 = x9;
        let x15 = if 0.2 < x6.sum() {
            let x16 = if 0.2 >= x6.sum() || x6.max() <= s13 {
                m14 *= x6.softmax() + 0.5 * x9.tanh();
                x9.relu().minimum(x6).tanh()
            } else {
                (x9 - x6.max()).exp().tanh()
            };
            (x16 + (x6.sum() + s13).tanh() * x9.sigmoid()).tanh()
        } else {
            x6.softmax() + 0.5 * x9.tanh()
        };
        m14 = m14.tanh();
        let x17 = (x3.softplus() + p1).tanh();
        let x18 = p1.softmax().tanh();
        let s19 = s13;
        let s20 = b5.sum();
        let x21 = if s19 < 0.1 {
            x17.softmax() + 0.5 * x18.tanh()
        } else {
            (x18.square() + 0.5).ln().tanh()
        };
        loss(cross_entropy((v4.h + s11).maximum(b22), label));
        loss(((((w7.dot(x6) + w7.dot(x9) + w23.dot(x15)).tanh() + w24.dot(m14) + x17 + x18 + s19) * s20).tanh() + x21).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_5(
        #[param(K, E)] w2: Tensor, #[param(K, K)] w5: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b8: Tensor, #[param(H, H)] w10: Tensor, #[param()] s17: Tensor,
        #[dim(H)] dh: Dim, #[param(E)] b22: Tensor, #[param(E, K)] w23: Tensor,
        #[param(E, H)] w24: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let v4 = gather::<Node>(0);
        let x6 = w5.dot(x3).log_softmax().tanh() + zeros(dk);
        let x7 = (0.75 / (zeros(dk).softmax().sigmoid() + 0.5)).tanh();
        let s9 = mse(b8, x7);
        let s11 = w10.mean();
        let x12 = if -0.35 <= x7.sum() || 0.1 > x6.sum() {
            (x6.square() + 0.5).ln().tanh()
        } else {
            let x13 = if x7.max() <= s11 || s11 < 0.1 {
                (x7.square() + 0.5).ln().tanh()
            } else {
                (x6 / (x7.norm() + 0.5)).tanh()
            };
            (x13 + (x7.sum() + s9).tanh() * x6.sigmoid()).tanh()
        };
        let x14 = (zeros(dk) + 0.5 + x7).tanh();
        let x15 = (x6.exp() + v4.c).tanh();
        let s16 = s11;
        let s18 = 1.0 / dh as f64 * s17;
        let x19 = if 0.2 <= x14.sum() && x15.max() <= s16 {
            let x20 = if 0.1 < x14.sum() {
                x14.relu().minimum(x15).tanh()
            } else if x14.max() <= s16 {
                (x14 - x15.max()).exp().tanh()
            } else {
                (x14 * x15).sigmoid()
            };
            (x20 + x14.relu().minimum(x15).tanh()).tanh()
        } else if s16 <= -0.35 {
            let x21 = if x15.max() < s18 {
                (x15 - x14.max()).exp().tanh()
            } else {
                (x14 * x15).sigmoid()
            };
            (x21 + (x14.sum() + s16).tanh() * x15.sigmoid()).tanh()
        } else {
            x14.tanh()
        };
        loss(cross_entropy(concat([(w2 * 0.5).dot(b22), zeros(dh).tanh()]).slice(0..dk), label));
        loss(s18);
        push(Out { y: (1.5 / (0.5 + (w23.dot(x15) / (0.5 + w24.dot(v4.h).sigmoid())).sigmoid())).tanh() });
        loss(((x12 * s17 * s9 + x14 + s16).tanh() + x19).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_6(
        #[param(H, E)] w3: Tensor, #[param()] s5: Tensor, #[param(E, K)] w7: Tensor,
        #[param(K)] b8: Tensor, #[param(E)] b9: Tensor, #[param(K, H)] w10: Tensor,
        #[param(K, H)] w11: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let p2: Gold = pull();
        let x4 = w3.dot(p2.target);
        let s6 = v1.c.dropout(0.1).max() - s5;
        loss(cross_entropy(gate(w7, v1.c - b8, b9), p2.label));
        loss((w10.dot(v1.h) + (w10 + w11).dot(x4) + s6).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_7(
        #[param(H, E)] w2: Tensor, #[dim(K)] dk: Dim, #[param(E)] b5: Tensor,
        #[param(K, E)] w6: Tensor, #[param(K, H)] w7: Tensor, #[param(K, K)] w8: Tensor,
        #[param(K, H)] w9: Tensor, #[param(K)] b10: Tensor, #[param(E)] b11: Tensor,
        #[param(K, E)] w12: Tensor, #[param(E)] b13: Tensor, #[param(K, E)] w14: Tensor,
        #[param(E)] b15: Tensor, #[param(K, E)] w16: Tensor, #[param(K)] b17: Tensor,
        #[param(K, H)] w18: Tensor, #[param(K, H)] w19: Tensor, #[param(E)] mut b20: Tensor,
        #[param()] s23: Tensor, #[param(E, H)] w25: Tensor, #[param(K, K)] w26: Tensor,
        #[param(H)] b27: Tensor, #[param(E)] b30: Tensor, #[param(H, K)] w34: Tensor,
        #[param(H, K)] w35: Tensor, #[param(E, H)] w41: Tensor, #[param(E, H)] w42: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = (w2 * 2.0).dot(p1.target);
        let mut m4 = weighted([zeros(dk), w6.tanh().dot(b5), w7.dot(x3)]);
        m4 = affine(w8, w9.dot(x3), b10).tanh() + w12.dot(b11) - m4;
        m4 += w14.dot(b13).minimum(w16.tanh().dot(b15)).maximum(b17);
        m4 = m4.tanh() + (w18.dot(x3) - (w7 + w19).dot(x3)).tanh().exp().tanh();
        m4 = m4.tanh();
        let mut a21 = zeros(dk);
        let mut t22 = s23;
        for v24 in gather_all::<Node>() {
            t22 += (v24.c.sum() + s23).tanh();
            b20 += w25.dot(v24.h);
            a21 = a21.maximum(w26.dot(m4 + m4));
        }
        let x28 = (t22 - b27 + x3).tanh();
        let x29 = (0.5 + w2.dot(b20).sigmoid()).ln().sigmoid();
        let s31 = cross_entropy(b30, p1.label);
        let s32 = s23.tanh();
        let i36 = concat([(w34 + w35).dot(a21).tanh(), zeros(3)]).argmax();
        let x33 = match i36 {
            Index(0) => {
                let x37 = if s31 <= -0.35 {
                    let x38 = if x28.max() < s32 || x29.max() > s31 {
                        x28.relu().minimum(x29).tanh()
                    } else {
                        (x28.square() + 0.5).ln().tanh()
                    };
                    (x38 + (x29 - x28).tanh() * s32.tanh()).tanh()
                } else {
                    (x28 - x29.max()).exp().tanh()
                };
                (x37 + (x28 * x29).sigmoid()).tanh()
            }
            Index(1) | Index(2) => {
                let x39 = if x29.max() < s31 {
                    x28.relu().minimum(x29).tanh()
                } else {
                    let x40 = if -0.35 <= x29.sum() && x29.max() >= s32 {
                        (x29 / (x28.norm() + 0.5)).tanh()
                    } else {
                        x29.tanh()
                    };
                    (x40 + (x29 / (x28.norm() + 0.5)).tanh()).tanh()
                };
                (x39 + x29.softmax() + 0.5 * x28.tanh()).tanh()
            }
            _ => {
                (x29 - x28).tanh() * s32.tanh()
            }
        };
        for k in 0..2 {
            loss(s31 * (k as f64 + 0.25));
        }
        loss(cross_entropy(crate::generated::cells::gate(w41, x28, b5).tanh(), p1.label));
        loss((w25.dot(x29) * s32 - w42.dot(x33)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_8(
        #[param(E)] b5: Tensor, #[param(E, E)] w7: Tensor, #[param()] s10: Tensor,
        #[param(H)] b12: Tensor, #[param(H, H)] w17: Tensor, #[param(H, K)] w18: Tensor,
        #[dim(H)] dh: Dim, #[param(H)] b19: Tensor, #[param(2 * K, H)] w20: Tensor,
        #[param(2 * K)] b21: Tensor, #[param(H)] b24: Tensor, #[dim(E)] de: Dim,
        #[param(K, E)] w25: Tensor, #[param(E, K)] w26: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let p4 = pull::<Gold>().target;
        let x6 = p4 * b5;
        let x8 = (0.5 + (w7.dot(x6) + p4).sigmoid()).ln();
        let x9 = (x8 - 1.5).tanh().exp().tanh();
        let s11 = s10 + 0.75;
        let s13 = b12.max();
        let mut m14 = x9;
        let x15 = if x9.max() <= s13 {
            m14 *= x9.softmax() + 0.5 * x8.tanh();
            x9.relu().minimum(x8).tanh()
        } else if s13 < 0.1 {
            m14 = (x9 * x8).sigmoid();
            let x16 = if -0.35 >= x8.sum() || s13 >= -0.35 {
                m14 *= (x8 * x9).sigmoid();
                (x8 / (x9.norm() + 0.5)).tanh()
            } else {
                m14 += (x9 - x8).tanh() * s11.tanh();
                x8.tanh()
            };
            (x16 + (x9.square() + 0.5).ln().tanh()).tanh()
        } else {
            m14 -= (x8.square() + 0.5).ln().tanh();
            x8.tanh()
        };
        m14 = m14.tanh();
        let (x22, x23) = halves(w20.dot(gate(w17, concat([w18.dot(c3).slice(1..dh), w18.dot(c3).slice(0..1)]), b19)) + b21);
        loss(indicator(concat([m14.relu(), b24]).slice(de..de + dh).argmax() != h2.sample()));
        loss((w25.dot(x15) * x22).tanh().sum() + s13);
        push(Out { y: m14.tanh().tanh() });
        loss((x9 + s11 - w26.dot(x23)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_9(
        #[param(H, E)] w5: Tensor, #[param(E, E)] w9: Tensor, #[dim(K)] dk: Dim,
        #[param(H)] b10: Tensor, #[dim(H)] dh: Dim, #[param(E, H)] w12: Tensor,
        #[param(E, H)] w14: Tensor, #[param(E)] b15: Tensor, #[dim(E)] de: Dim,
        #[param(E, K)] w17: Tensor, #[param(E, E)] w18: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let p4: Gold = pull();
        let x6: Tensor = w5.dot(p4.target);
        let (x7, [x11], s8) = (-w9.dot(p4.target).softmax(), [w12.dot(x6).relu()], concat([b10, c3]).slice(dh..dh + dk).sum());
        let mut m13 = w14.dot(x6) / (b15.sigmoid() + 0.5);
        m13 /= 1.0 / de as f64;
        m13 = m13.tanh();
        let n16 = 2.0 / (1.0 + de as f64);
        loss(cross_entropy((n16 * b15.less(zeros(de) + 0.1).select(x11, b15)).tanh(), p4.label));
        push(Out { y: w18.dot(x7 * w17.tanh().dot(c3)).tanh() });
        loss(((h2 - s8) * w5.dot(m13)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_10(
        #[param(K, E)] w2: Tensor, #[param(H, K)] w4: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b7: Tensor, #[param(E)] b9: Tensor, #[param(E)] b10: Tensor,
        #[param(H)] mut b14: Tensor, #[param()] s16: Tensor, #[param(K, E)] w19: Tensor,
        #[dim(K)] dk: Dim, #[param(K)] b20: Tensor, #[param(K)] b22: Tensor,
        #[param(H, K)] w23: Tensor, #[param(H, H)] w24: Tensor, #[param(K, H)] w25: Tensor,
        #[param(K)] b27: Tensor, #[param()] s29: Tensor, #[param(K)] b38: Tensor,
        #[param(K)] b39: Tensor, #[param(E, K)] w40: Tensor, #[param(E)] b41: Tensor,
        #[param(H, E)] w42: Tensor, #[param(H)] b44: Tensor, #[param(H, K)] w45: Tensor,
        #[param(H, K)] w46: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let x5 = noisy(w4.dot(x3).sigmoid(), 0.5);
        let n6 = 0.5 / (1.0 + dh as f64);
        let x8 = (n6 / (0.5 + (x5 - b7).sigmoid())).tanh();
        let s11 = (b9 * b10).sum();
        let s12 = s11;
        let x13 = if x5.max() < s12 {
            (x8 - x5.max()).exp().tanh()
        } else {
            x8.softmax() + 0.5 * x5.tanh()
        };
        let mut t15 = s16;
        for Node { c, h } in gather_all::<Node>() {
            let parts18 = [(1.5 / (w19.dot(b9).sigmoid() + 0.5)).log_softmax().tanh(), zeros(dk) + zeros(dk), b20];
            let mut a21 = b22;
            for k in 0..3 {
                a21 = a21.tanh() + (parts18[k] - zeros(dk) / (0.5 + c.sigmoid())).tanh();
            }
            t15 += s12;
            b14 = (h - w23.dot(a21)).tanh() + b14 - gate(w24, zeros(dh), b7);
        }
        let x26 = (-w25.dot(x13)).tanh();
        let x28 = (0.5 + b27.exp().sigmoid()).ln();
        let s30 = s16 + s29;
        let s31 = b14.pick(x8.sample());
        let mut m32 = x28;
        let x33 = if s30 > -0.35 {
            x28.tanh()
        } else if 0.1 < x26.sum() {
            m32 *= (x26 - x28.max()).exp().tanh();
            let x34 = if x28.max() > s30 && s31 <= 0.2 {
                m32 *= (x26.square() + 0.5).ln().tanh();
                let x35 = if x28.max() >= s31 || x28.max() > s31 {
                    (x28 - x26).tanh() * s30.tanh()
                } else {
                    (x26 / (x28.norm() + 0.5)).tanh()
                };
                (x35 + (x26 * x28).sigmoid()).tanh()
            } else {
                m32 += x26.relu().minimum(x28).tanh();
                x28.tanh()
            };
            (x34 + (x28 - x26).tanh() * s31.tanh()).tanh()
        } else {
            m32 += x26.tanh();
            let x36 = if x26.max() < s30 {
                m32 -= (x28.sum() + s30).tanh() * x26.sigmoid();
                (x28 * x26).sigmoid()
            } else {
                m32 -= x26.tanh();
                let x37 = if x28.max() > s30 {
                    x28.tanh()
                } else {
                    (x28 * x26).sigmoid()
                };
                (x37 + (x26.square() + 0.5).ln().tanh()).tanh()
            };
            (x36 + (x28 - x26.max()).exp().tanh()).tanh()
        };
        m32 = m32.tanh();
        loss(cross_entropy(x33 - b38 - b39, label));
        loss(s31);
        let out43 = Scores { y: w40.dot(x33).sigmoid(), logits: w4.dot(x28).less(x5 + 0.6).select(w42.dot(b41), w4.dot(x28)).noise(0.5).tanh() };
        push(out43);
        loss((((x5 / (0.5 + b44.sigmoid()) * t15 + w45.dot(x26)).tanh() - s30) * w46.dot(m32)).sum());
    }

    #[vertex_function]
    pub fn gold_11(
        #[param(K, E)] w4: Tensor, #[param()] s7: Tensor, #[param(E)] b9: Tensor,
        #[param(H, H)] w11: Tensor, #[param(E)] b15: Tensor, #[param(K)] b16: Tensor,
        #[param(K, H)] w18: Tensor, #[param(K, H)] w19: Tensor, #[param(K, H)] w20: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { label, target } = pull();
        let x5 = w4.dot(target);
        let x6 = (h2 * h2).tanh();
        let x8 = x6 * h2 / ((h2 + s7).sigmoid() + 0.5);
        let s10 = b9.sum();
        let s12 = w11.mean();
        let mut m13 = x8;
        let x14 = if x6.max() > s10 {
            x6.softmax() + 0.5 * x8.tanh()
        } else {
            (x8.sum() + s10).tanh() * x6.sigmoid()
        };
        m13 = m13.tanh();
        loss(cross_entropy(b15.tanh().tanh(), label));
        loss(mse(((s12 - x5).sigmoid() + 0.5).ln(), -w4.dot(target)));
        let out17 = Scores { y: -b9, logits: (b16.tanh() * c3).sum() };
        push(out17);
        loss(((w18.dot(x8) - s10 + w19.dot(x14)).tanh() + w20.dot(m13)).sum());
    }

    #[vertex_function]
    pub fn gold_12(
        #[param(E, E)] w2: Tensor, #[dim(K)] dk: Dim, #[param(H)] b4: Tensor,
        #[param(K, H)] w5: Tensor, #[param(K, K)] w11: Tensor, #[param(K, K)] w12: Tensor,
        #[param()] s13: Tensor, #[dim(E)] de: Dim,
    ) {
        let p1: Gold = pull();
        let x3 = w2.dot(p1.target);
        let s6 = (zeros(dk).log_softmax().tanh() * w5.dot(b4)).sum();
        let mut a7 = zeros(dk);
        let mut n8 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            a7 = a7 + w5.dot(h) * c;
            n8 += 1.0;
        }
        let x10 = a7 / n8;
        loss(cross_entropy(0.5 / (x10.less(x10 + 0.6).select((w11 + w12).dot(x10), x10).tanh().sigmoid() + 0.5), p1.label));
        let n14 = 0.75 / (1.0 + de as f64);
        loss((s13 * s6).tanh() - n14);
        loss(x3.sum());
    }

    #[vertex_function]
    pub fn gold_13(
        #[param(K, E)] w2: Tensor, #[param(E, E)] w7: Tensor, #[param(E)] b8: Tensor,
        #[param(E, H)] w10: Tensor, #[dim(H)] dh: Dim, #[param(2 * K, H)] w11: Tensor,
        #[param(2 * K)] b12: Tensor, #[param(H, H)] w15: Tensor, #[param(H)] b16: Tensor,
        #[param(H)] b17: Tensor, #[param(K, K)] w18: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b19: Tensor, #[param(E, K)] w20: Tensor, #[param(E, K)] w21: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = (w2 + w2).dot(p1.target);
        let v4: Node = gather(0);
        let (x5, [x9], s6) = (w7.dot(p1.target).dropout(0.1).tanh(), [w10.dot(v4.h)], (b8.tanh() * b8).sum());
        let (x13, x14) = halves(w11.dot((zeros(dh) + v4.h).sigmoid()) + b12);
        loss(cross_entropy((crate::generated::cells::gate(w15, b16, b17) * w18.sum()).tanh(), p1.label));
        push(Out { y: scaled(w7.dot(x5), de).minimum(b19) });
        loss((((w20.dot(x3) + w20.dot(v4.c) - s6).tanh() - x9 + w20.dot(x13)) * w21.dot(x14)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_14(
        #[param(K, E)] w3: Tensor, #[param()] s5: Tensor, #[param(3 * K, K)] w6: Tensor,
        #[param(K, H)] w10: Tensor, #[param(E)] b13: Tensor, #[param(E, E)] w14: Tensor,
        #[dim(E)] de: Dim,
    ) {
        let v1: Node = gather(0);
        let p2: Gold = pull();
        let x4 = w3.tanh().dot(p2.target);
        let [x7, x8, x9]: [Tensor; 3] = w6.dot(1.5 + s5 + (1.5 - x4)).tanh().split();
        let [x11, x12] = [(x7 - w3.dot(p2.target)).sigmoid(), 1.5 * w10.dot(v1.h)];
        loss(cross_entropy((b13.minimum(w14.dot(p2.target)).sigmoid() + 0.5).ln(), p2.label));
        let n15 = 2.0_f64.sqrt() - 1.5;
        loss(cross_entropy(0.75 * (n15 + zeros(de)), p2.label));
        push(Out { y: (-b13.log_softmax()).tanh() });
        loss((((v1.c + x8) * x9 + x11) * x12).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_15(
        #[param(E)] b4: Tensor, #[param(H)] b8: Tensor, #[param()] s10: Tensor,
        #[dim(K)] dk: Dim, #[param(E, K)] w16: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { label, target } = pull();
        let x5 = target * b4;
        let x6 = (x5.sigmoid() + 0.5).ln().maximum(target);
        let x7 = (-x6).tanh();
        let s9 = b8.pick(h2.sample());
        let s11 = 1.0 / dk as f64 + s10;
        let x12 = if x6.max() < s9 || x6.max() >= s9 {
            let x13 = if !(s11 > -0.35 || s11 > 0.2) {
                let x14 = if !(x7.max() >= s9 || x7.max() >= s9) {
                    x7.tanh()
                } else if !(-0.35 < x7.sum() || s9 <= 0.1) {
                    x7.tanh()
                } else {
                    x6.tanh()
                };
                (x14 + (x6 * x7).sigmoid()).tanh()
            } else if !(0.1 < x6.sum() || x7.max() >= s11) {
                (x6.square() + 0.5).ln().tanh()
            } else {
                let x15 = if x7.max() < s9 {
                    (x7.square() + 0.5).ln().tanh()
                } else {
                    (x6 * x7).sigmoid()
                };
                (x15 + (x6 - x7.max()).exp().tanh()).tanh()
            };
            (x13 + x6.softmax() + 0.5 * x7.tanh()).tanh()
        } else {
            (x7 - x6).tanh() * s11.tanh()
        };
        loss(cross_entropy((1.0 / (dk as f64).sqrt() - (w16 * s9).dot(c3)).minimum(x7), label));
        push(Out { y: x12.maximum(x6).sigmoid() });
        loss((h2 * s10 * s11).sum());
    }

    #[vertex_function]
    pub fn gold_16(
        #[param(E)] b1: Tensor, #[param(H)] b3: Tensor, #[param(K)] b4: Tensor,
        #[param(K, H + K)] w5: Tensor, #[param(2 * H, K)] w6: Tensor, #[dim(E)] de: Dim,
        #[param(H)] mut b10: Tensor, #[param(E, H)] w13: Tensor, #[param(E, K)] w14: Tensor,
        #[param(H, H)] w15: Tensor, #[param(H, K)] w16: Tensor, #[dim(H)] dh: Dim,
        #[param(E)] b18: Tensor, #[param(K)] b19: Tensor, #[dim(K)] dk: Dim,
    ) {
        let Gold { label, target } = pull();
        let x2 = target * b1;
        let (x7, x8) = halves(w6.dot(w5.dot(concat([b3, b4]))));
        let mut a9 = zeros(de);
        let mut n11 = 1.0;
        for v12 in gather_all::<Node>() {
            a9 = a9 + w13.tanh().dot(v12.h) * w14.dot(v12.c);
            b10 = b10 + blend(w15.dot(x8).greater_equal(x8 + 0.35).select(x7, w15.dot(x8)), (w16 * 1.5).dot(v12.c) / (0.5 + zeros(dh).sigmoid()), v12.h).tanh();
            n11 += 1.0;
        }
        let x17 = a9 / n11;
        for k in 0..2 {
            loss(cross_entropy((b18 - target).greater(x17 + 0.1).select(w13.dot(x8), b18 - target), label) * (k as f64 + 0.25));
        }
        let out20 = Scores { y: zeros(de).minimum(x2), logits: concat([b19.slice(1..dk), b19.slice(0..1)]) };
        push(out20);
        loss(b10.tanh().sum());
    }

    #[vertex_function]
    pub fn gold_17(
        #[param(E)] b2: Tensor, #[param(K)] b4: Tensor, #[dim(K)] dk: Dim,
        #[param(H)] mut b6: Tensor, #[param(H, K)] w8: Tensor, #[dim(H)] dh: Dim,
        #[param(H, K)] w9: Tensor, #[param(H, K)] w10: Tensor, #[param()] s14: Tensor,
        #[param(E, E)] w19: Tensor, #[param(E, K)] w21: Tensor, #[param(E)] b23: Tensor,
        #[param(E, K)] w24: Tensor, #[param(E, H)] w25: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x3 = p1 * b2;
        let s5 = concat([b4.slice(1..dk), b4.slice(0..1)]).max().sigmoid();
        for v7 in gather_all::<Node>() {
            b6 = v7.h + w8.dot(v7.c) + b6 - (zeros(dh) + (w9 + w10).dot(v7.c)).tanh();
        }
        let x11 = b2.relu().relu();
        let n12 = 0.5 / (1.0 + dk as f64);
        let x13 = (n12 / (x11.relu().sigmoid() + 0.5)).tanh();
        let s15 = s14.tanh();
        let s16 = s5;
        let mut m17 = x13;
        let i20 = concat([w19.dot(x11), zeros(3)]).argmax();
        let x18 = match i20 {
            Index(0) => {
                m17 += (x11 - x13.max()).exp().tanh();
                (x13.sum() + s16).tanh() * x11.sigmoid()
            }
            Index(1) | Index(2) => {
                m17 += x11.softmax() + 0.5 * x13.tanh();
                (x11 - x13).tanh() * s16.tanh()
            }
            _ => {
                m17 += (x13.sum() + s16).tanh() * x11.sigmoid();
                (x13.square() + 0.5).ln().tanh()
            }
        };
        m17 = m17.tanh();
        loss(zeros(dh).tanh().tanh().max());
        let n22 = 0.75 / (1.0 + dh as f64);
        loss(mse(x3.sigmoid() + 1.0 / dk as f64, 1.0 / dk as f64 / (0.5 + (w21 * n22).dot(b4).sigmoid())));
        let out26 = Scores { y: b23 + w24.dot(b4), logits: (w25.dot(b6) / (p1.sigmoid() + 0.5)).tanh().dropout(0.5) };
        push(out26);
        loss((x13 + s15 + s16 + x18 - m17).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_18(
        #[param(E)] b1: Tensor, #[dim(K)] dk: Dim, #[dim(E)] de: Dim, #[param(H, E)] w7: Tensor,
        #[param(K)] b8: Tensor, #[param(E)] b9: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = target * b1;
        let v3 = gather::<Node>(0);
        let x4 = {
            let target = target.tanh() + scaled(b1, dk);
            let n5 = 1.5 / (1.0 + de as f64);
            let x6 = n5 / (v3.h.silu().sigmoid() + 0.5);
            (w7.dot(target) - x6).tanh().tanh()
        };
        loss(1.0 / dk as f64 * (x2 * zeros(de)).sum().tanh());
        for k in 0..2 {
            loss(mse(-v3.c.minimum(v3.c), b8) * (k as f64 + 0.25));
        }
        push(Out { y: (-b9).tanh() });
        loss(x4.sum());
    }

    #[vertex_function]
    pub fn gold_19(
        #[param(E)] b2: Tensor, #[param(E)] b4: Tensor, #[param(E)] b6: Tensor,
        #[param(K)] b8: Tensor, #[param(K, K)] w9: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b11: Tensor, #[param(K, K)] w12: Tensor, #[param(E)] b16: Tensor,
        #[param(E)] mut b21: Tensor, #[param(E, H)] w24: Tensor, #[param(E, K)] w25: Tensor,
        #[param(E)] b26: Tensor, #[dim(K)] dk: Dim, #[param(K)] b28: Tensor,
        #[param(H)] b29: Tensor, #[param(K, H)] w30: Tensor, #[param(K)] b32: Tensor,
        #[param()] s34: Tensor, #[param(H)] b36: Tensor, #[param(H, K)] w37: Tensor,
        #[param(H)] b42: Tensor, #[param(H, H)] w43: Tensor, #[dim(E)] de: Dim,
        #[param(K, E)] w44: Tensor, #[param(K, E)] w45: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x3 = p1 * b2;
        let x5 = (1.5 / ((x3 - b4).sigmoid() + 0.5)).tanh();
        let x7 = b6.log_softmax().softmax();
        let n10 = 1.5 / (1.0 + dh as f64);
        let s13 = indicator((w9 * n10).dot(b8).argmax() != w12.dot(b11).sample());
        let s14 = indicator(x7.argmax() != x5.sample());
        let i17 = concat([b16.cumulative_sum().tanh(), zeros(3)]).argmax();
        let x15 = match i17 {
            Index(0) => {
                (x5 - x7.max()).exp().tanh()
            }
            Index(1) | Index(2) => {
                let x18 = if x7.max() < s14 {
                    let x19 = if s14 < -0.35 {
                        (x5 / (x7.norm() + 0.5)).tanh()
                    } else {
                        (x5.square() + 0.5).ln().tanh()
                    };
                    (x19 + (x7 - x5).tanh() * s13.tanh()).tanh()
                } else {
                    (x7.sum() + s14).tanh() * x5.sigmoid()
                };
                (x18 + (x7 / (x5.norm() + 0.5)).tanh()).tanh()
            }
            _ => {
                (x7.sum() + s14).tanh() * x5.sigmoid()
            }
        };
        let mut a20 = p1.exp();
        let mut n22 = 1.0;
        for v23 in gather_all::<Node>() {
            a20 = w24.dot(v23.h) * w25.dot(v23.c) + a20;
            b21 = b21.maximum(b26.exp().sigmoid());
            n22 += 1.0;
        }
        let x27 = a20 / n22;
        let x31 = (zeros(dk).tanh() - (w9.dot(b28) * w30.dot(b29)).sum()).tanh();
        let x33 = gate(w9, x31.log_softmax(), b32).tanh();
        let s35 = s14 * s34;
        let s38 = (b36 * w37.dot(x33)).sum();
        let x39 = if s38 >= -0.35 {
            let x40 = if 0.2 <= x33.sum() {
                let x41 = if s35 >= 0.2 || 0.1 >= x33.sum() {
                    (x33 / (x31.norm() + 0.5)).tanh()
                } else {
                    (x33.sum() + s38).tanh() * x31.sigmoid()
                };
                (x41 + x31.relu().minimum(x33).tanh()).tanh()
            } else {
                (x33.square() + 0.5).ln().tanh()
            };
            (x40 + (x31.square() + 0.5).ln().tanh()).tanh()
        } else {
            (x31 * x33).sigmoid()
        };
        loss(w43.dot(b42).sum() + s38);
        loss(mse((zeros(de) + x27).tanh(), x7 - s14));
        loss((((x39.tanh().exp() * s13 + w44.dot(x15)).tanh() - (w45 * 0.5).dot(b21)).tanh() - s35).sum());
    }

    #[vertex_function]
    pub fn gold_20(
        #[param(E, E)] w2: Tensor, #[param(E, E)] w3: Tensor, #[param(E, K)] w8: Tensor,
        #[param(K, H)] w9: Tensor, #[param(E)] b10: Tensor, #[param(E, H)] w12: Tensor,
        #[param(E)] b13: Tensor, #[param(K)] b15: Tensor, #[param(E)] b17: Tensor,
        #[param(E, E)] w20: Tensor, #[param(E, K)] w21: Tensor, #[param(E)] b22: Tensor,
        #[param()] s23: Tensor, #[param(H, E)] w24: Tensor, #[param(H, E)] w25: Tensor,
        #[param(H, E)] w26: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x4 = (w2 + w3).dot(p1);
        let Node { h: h6, c: c7 } = gather(0);
        let x11 = crate::generated::cells::gate(w8, w9.dot(h6).square(), b10).tanh();
        let x14 = w12.dot(h6).sigmoid().maximum(b13);
        let s16 = b15.sum();
        let s18 = b10.pick(b17.sample());
        let x19 = if x14.max() >= s18 {
            x11.tanh()
        } else {
            (x11 - x14).tanh() * s18.tanh()
        };
        let x11 = x11.tanh() + crate::generated::cells::gate(w20, w21.dot(c7), b22);
        loss(s16 * s23);
        loss(((((w24.dot(x4) * w25.dot(p1)).tanh() + w24.dot(x14)) * s18 + w26.dot(x19)) * w24.dot(x11)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_21(
        #[param(K, E)] w2: Tensor, #[param(E)] b4: Tensor, #[param(E)] b7: Tensor,
        #[param(H)] b9: Tensor, #[param(H, H)] w10: Tensor, #[param(H, H)] w11: Tensor,
        #[param(H, E)] w12: Tensor, #[dim(E)] de: Dim, #[param(K)] mut b17: Tensor,
        #[param(H)] mut b18: Tensor, #[param(K, H)] w20: Tensor, #[param(H, H)] w21: Tensor,
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H, K)] w22: Tensor,
        #[param(H, H)] w23: Tensor, #[param(E, K)] w24: Tensor, #[param(E, H)] w25: Tensor,
        #[param(E, H)] w26: Tensor, #[param(H, H)] w27: Tensor, #[param()] s28: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let n5 = 2.0_f64.sqrt() - 2.0;
        let x6 = (n5 - (1.5 + b4)).tanh();
        let x8 = b7.greater_equal(x6 + 0.6).select(x6, b7).minimum(b4);
        let s13 = (w10 + w11).dot(b9).pick(w12.dot(x8).sample());
        let s14 = cross_entropy(zeros(de), label);
        let mut m15 = x8;
        let x16 = if s13 <= 0.1 {
            m15 = (x6 - x8).tanh() * s13.tanh();
            (x8 - x6.max()).exp().tanh()
        } else {
            m15 = (x6 - x8).tanh() * s13.tanh();
            (x8 - x6.max()).exp().tanh()
        };
        m15 = m15.tanh();
        for Node { c, h } in gather_all::<Node>() {
            b17 = ((w20 + w20).dot(h) + c).tanh() + b17;
            b18 = b18.maximum(scaled(w21.dot(h), dh).softmax());
        }
        let x16 = x16.tanh() + (m15 - 1.0 / (dk as f64).sqrt());
        for k in 0..2 {
            loss((-b18.tanh() * w22.tanh().dot(x3)).tanh().sum() * (k as f64 + 0.25));
        }
        loss(w23.dot(b18).tanh().sum().tanh());
        push(Out { y: (w24.dot(b17).dropout(0.5).tanh() - (w25 + w26).dot(b18)).tanh() });
        loss((((w10 + w27).dot(b18) + s28).tanh() * s13 + s14 - w12.dot(x16)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_22(
        #[param(H, E)] w1: Tensor, #[param(H)] b6: Tensor, #[param(3 * H, H)] w7: Tensor,
        #[param(H)] b9: Tensor, #[param(K)] b10: Tensor, #[param(H, K)] w11: Tensor,
        #[param(H)] b12: Tensor, #[param(E, H)] w13: Tensor, #[param(E)] b14: Tensor,
        #[dim(E)] de: Dim, #[param(K)] b15: Tensor, #[dim(K)] dk: Dim,
        #[param(E, H)] w16: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = w1.dot(target);
        let Node { h: h4, .. } = gather(0);
        let parts5 = w7.dot(b6.exp().softmax()).split::<3>();
        let mut a8 = b9;
        for k in 0..3 {
            a8 += (parts5[k] - b6.tanh()).tanh();
        }
        loss(w11.dot(b10).minimum(b12).sum().tanh());
        loss(target.minimum(w13.dot(x2)).pick(b14.sample()).sigmoid());
        push(Out { y: concat([b15.relu(), target]).slice(dk..dk + de) });
        loss((w16.tanh().dot(h4) + w13.dot(a8)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_23(
        #[param(E, E)] w1: Tensor, #[param(H)] b5: Tensor, #[param(K, H)] w6: Tensor,
        #[param(K, H + K)] w7: Tensor, #[param()] s9: Tensor, #[param()] s10: Tensor,
        #[param(E)] b11: Tensor, #[param(E, H)] w12: Tensor, #[param(E, K)] w13: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = w1.dot(target);
        let Node { h: h4, .. } = gather(0);
        let x8 = w7.dot(summary(Node { h: b5.exp(), c: w6.dot(h4).exp() })).tanh();
        loss(mse(blend(s9 + s10, b11.softmax(), x2), x2.log_softmax()));
        push(Out { y: (w12.dot(h4) - x2).dropout(0.25).tanh() });
        loss(w13.dot(x8).sum());
    }

    #[vertex_function]
    pub fn gold_24(
        #[param(E)] b4: Tensor, #[param(K, E)] w6: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b8: Tensor, #[param()] s10: Tensor, #[param()] s11: Tensor,
        #[param(K)] b13: Tensor, #[dim(K)] dk: Dim, #[param(H)] b18: Tensor,
        #[param(E, H)] w19: Tensor, #[param(H, E)] w21: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { label, target } = pull();
        let x5 = target * b4;
        let x7 = blend(c3.pick(w6.dot(target).argmax()), zeros(de).tanh(), zeros(de));
        let x9 = -b8.greater(x7 + 0.6).select(x5, b8);
        let s12 = s10 + s11;
        let s14 = (b13 * zeros(dk)).sum();
        let x15 = if !(x7.max() < s12 || x9.max() >= s14) {
            let x16 = if 0.1 > x7.sum() && s12 < 0.1 {
                let x17 = if 0.2 < x9.sum() {
                    x9.relu().minimum(x7).tanh()
                } else {
                    (x9 - x7).tanh() * s14.tanh()
                };
                (x17 + (x7.sum() + s14).tanh() * x9.sigmoid()).tanh()
            } else if 0.2 <= x9.sum() || 0.1 < x7.sum() {
                (x9 / (x7.norm() + 0.5)).tanh()
            } else {
                (x9 - x7).tanh() * s14.tanh()
            };
            (x16 + x7.tanh()).tanh()
        } else {
            (x9 * x7).sigmoid()
        };
        for k in 0..2 {
            loss(cross_entropy(h2 + h2 - b18, label) * (k as f64 + 0.25));
        }
        let out20 = Scores { y: w19.dot(h2), logits: indicator(h2.variational_dropout(0.5).argmax() == label) };
        push(out20);
        loss(((w21 * s14).dot(x9) * s12 * w21.tanh().dot(x15)).sum());
    }

    #[vertex_function]
    pub fn gold_25(
        #[param(E)] b5: Tensor, #[param(2 * E, H)] w7: Tensor, #[dim(H)] dh: Dim,
        #[param(K, H)] w11: Tensor, #[param(H, H)] w12: Tensor, #[param(H)] b13: Tensor,
        #[param(K, H)] w14: Tensor, #[dim(K)] dk: Dim, #[param(K)] b15: Tensor,
        #[param(K)] b16: Tensor, #[dim(E)] de: Dim, #[param(E, E)] w17: Tensor,
        #[param(K, E)] w19: Tensor, #[param(K, E)] w20: Tensor, #[param(K, E)] w21: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { target: p4, label } = pull::<Gold>();
        let x6 = p4 * b5;
        let [x8, x9]: [Tensor; 2] = w7.dot(h2.dropout(0.5).log_softmax().tanh()).split();
        let x10 = {
            let h2 = h2.tanh() + zeros(dh).log_softmax();
            w11.dot(h2).tanh()
        };
        loss(cross_entropy(w14.dot(gate(w12, h2, b13)), label));
        loss(indicator((zeros(dk).greater_equal(x10 + 0.6).select(b15, zeros(dk)) - b16).argmax() != label));
        let out18 = Scores { y: concat([x6, b13]).slice(0..de), logits: gate(w17, p4, b5).dropout(0.25) };
        push(out18);
        loss((c3 * (w19 + w20).dot(x8) + w21.tanh().dot(x9)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_26(
        #[param(E, E)] w1: Tensor, #[param(K, K)] w6: Tensor, #[param(K, K)] w11: Tensor,
        #[param(E, 2 * H)] w12: Tensor, #[param(K, E)] w13: Tensor, #[param(K, E)] w14: Tensor,
        #[param(K, E)] w15: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = (w1 * 0.75).dot(target);
        let v3: Node = gather(0);
        let x4 = (target.tanh() - x2).tanh();
        let x5 = (0.5 + (x2 + x4).sigmoid()).ln();
        let s7 = w6.min();
        let s8 = w1.mean();
        let mut m9 = x5;
        let x10 = if s8 <= 0.2 {
            (x5 - x4).tanh() * s7.tanh()
        } else if !(0.2 < x5.sum() || -0.35 > x5.sum()) {
            m9 += (x4 - x5).tanh() * s7.tanh();
            (x4.sum() + s8).tanh() * x5.sigmoid()
        } else {
            m9 -= (x5 - x4).tanh() * s7.tanh();
            (x4 / (x5.norm() + 0.5)).tanh()
        };
        m9 = m9.tanh();
        for k in 0..2 {
            loss(mse(0.5 * (v3.c / (0.5 + w11.dot(v3.c).sigmoid())), v3.c).tanh() * (k as f64 + 0.25));
        }
        loss(s8.sigmoid());
        push(Out { y: w12.dot(concat([v3.h, v3.h])) });
        loss((((w13 + w14).dot(x5) - s7).tanh() - w15.dot(x10) + w13.dot(m9)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_27(
        #[param(E)] b3: Tensor, #[param(E, E)] w5: Tensor, #[param(E, K)] w7: Tensor,
        #[param(K, E)] w8: Tensor, #[param(K)] b10: Tensor, #[param(E, E)] w19: Tensor,
        #[param()] s22: Tensor, #[param(K, E)] w28: Tensor, #[param(K)] b29: Tensor,
        #[param(K, H)] w30: Tensor, #[dim(K)] dk: Dim, #[param(K)] b31: Tensor,
        #[param(K, H)] w32: Tensor, #[param(H, K)] w34: Tensor, #[param(H, K)] w35: Tensor,
        #[param(H, E)] w36: Tensor, #[param(H, E)] w37: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Gold { label, target } = pull();
        let x4 = target * b3;
        let x6 = w5.dot(x4).tanh().relu();
        let x9 = gate(w7, w8.dot(x6), b3).tanh().exp().tanh();
        let s11 = b10.sum();
        let s12 = s11;
        let x13 = if 0.1 > x9.sum() && 0.2 < x6.sum() {
            let x14 = if -0.35 >= x6.sum() {
                let x15 = if x6.max() >= s12 {
                    (x9 / (x6.norm() + 0.5)).tanh()
                } else if x9.max() > s11 && 0.1 <= x6.sum() {
                    (x9 - x6).tanh() * s11.tanh()
                } else {
                    (x9 / (x6.norm() + 0.5)).tanh()
                };
                (x15 + (x6 * x9).sigmoid()).tanh()
            } else if 0.2 >= x9.sum() && -0.35 > x9.sum() {
                let x16 = if s11 > 0.1 {
                    (x9 * x6).sigmoid()
                } else {
                    x6.softmax() + 0.5 * x9.tanh()
                };
                (x16 + x6.relu().minimum(x9).tanh()).tanh()
            } else {
                x6.relu().minimum(x9).tanh()
            };
            (x14 + (x9 * x6).sigmoid()).tanh()
        } else if 0.2 > x9.sum() {
            let x17 = if 0.1 <= x9.sum() {
                (x6 * x9).sigmoid()
            } else {
                let x18 = if !(s12 < -0.35 || s11 <= 0.1) {
                    (x6 / (x9.norm() + 0.5)).tanh()
                } else {
                    x6.tanh()
                };
                (x18 + (x9 * x6).sigmoid()).tanh()
            };
            (x17 + (x6.sum() + s11).tanh() * x9.sigmoid()).tanh()
        } else {
            (x6.sum() + s12).tanh() * x9.sigmoid()
        };
        let x20 = w5.dot(blend(w19.dot(x9).tanh(), x9, x13)).tanh();
        let x21 = target.leaky_relu(0.1).log_softmax().tanh();
        let s23 = s22 + s22;
        let s24 = cross_entropy(target, label);
        let mut m25 = x21;
        let x26 = if -0.35 >= x20.sum() {
            m25 -= (x21 / (x20.norm() + 0.5)).tanh();
            (x21.sum() + s23).tanh() * x20.sigmoid()
        } else {
            m25 *= (x21.square() + 0.5).ln().tanh();
            let x27 = if s23 < 0.2 {
                m25 = x20.tanh();
                (x21.square() + 0.5).ln().tanh()
            } else if x20.max() <= s23 {
                m25 -= x21.tanh();
                x21.softmax() + 0.5 * x20.tanh()
            } else {
                (x20 / (x21.norm() + 0.5)).tanh()
            };
            (x27 + (x20.sum() + s23).tanh() * x21.sigmoid()).tanh()
        };
        m25 = m25.tanh();
        loss(mse((w28.dot(x21).square() / ((b29.sigmoid() + 0.5).ln().sigmoid() + 0.5)).tanh(), blend((w30 * s24.tanh()).dot(h2) / (zeros(dk).sigmoid() + 0.5), b31, w32.dot(h2))));
        let out33 = Scores { y: x26.tanh(), logits: h2.sum().tanh() };
        push(out33);
        loss(((weighted([(w34 + w35).dot(b10), h2, h2]) * s12 + w36.dot(x20)).tanh() + s23 + w37.dot(m25)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_28(
        #[param(E)] b2: Tensor, #[param(E)] b6: Tensor, #[param()] s7: Tensor,
        #[param(E)] b8: Tensor, #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(E, E)] w10: Tensor,
        #[param(E)] b11: Tensor, #[param()] s12: Tensor, #[param(K, H)] w13: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = p1.target * b2;
        let v4 = gather::<Node>(0);
        let mut m5 = b6 + s7;
        m5 /= 1.5;
        let n9 = 0.75 / (1.0 + dh as f64);
        m5 -= (cross_entropy(v4.c, p1.label) - n9 * b8).tanh();
        m5 -= (1.0 / dk as f64 / (w10.dot(x3).sigmoid() + 0.5) - p1.target).tanh();
        m5 = m5.tanh();
        for k in 0..2 {
            loss(((0.5 + b11.sigmoid()).ln().max() + s12) * (k as f64 + 0.25));
        }
        push(Out { y: (1.0 / (dk as f64).sqrt() - m5).dropout(0.5).tanh() });
        loss(w13.dot(v4.h).sum());
    }

    #[vertex_function]
    pub fn gold_29(
        #[param(E)] b3: Tensor, #[param()] s5: Tensor, #[param(2 * E, E)] w6: Tensor,
        #[param(E)] b10: Tensor, #[param(3 * K, E)] w11: Tensor, #[dim(K)] dk: Dim,
        #[param()] s13: Tensor, #[param(E)] b14: Tensor, #[param(E)] b15: Tensor,
        #[param(K, H)] w16: Tensor, #[param(K, E)] w17: Tensor, #[param(K, E)] w18: Tensor,
        #[param(K, E)] w19: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let Gold { target: p2, label } = pull::<Gold>();
        let x4 = p2 * b3;
        let (x7, x8) = halves(w6.dot((s5 + x4) * p2));
        let parts9 = w11.dot((0.5 + (b10 - s5).sigmoid()).ln()).split::<3>();
        let mut a12 = zeros(dk);
        for k in 0..3 {
            a12 -= (parts9[k] - (s13 + zeros(dk))).tanh();
        }
        for k in 0..2 {
            loss(cross_entropy((v1.c * 1.5 + a12).tanh(), label) * (k as f64 + 0.25));
        }
        for k in 0..2 {
            loss(((b14 * b15).sum() - s5) * (k as f64 + 0.25));
        }
        loss(((w16.tanh().dot(v1.h) + (w17 * 2.0).dot(x7)).tanh() + (w18 + w19).dot(x8)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_30(
        #[param(H, E)] w1: Tensor, #[param(H)] b5: Tensor, #[param(2 * H, H)] w6: Tensor,
        #[param(2 * H)] b7: Tensor, #[param(K, E)] w10: Tensor, #[param(K, H + K)] w11: Tensor,
        #[param(E, E)] w13: Tensor, #[dim(E)] de: Dim, #[param(H)] b14: Tensor,
        #[dim(H)] dh: Dim, #[param(E, H)] w15: Tensor,
    ) {
        let Gold { label, target } = pull();
        let x2 = w1.dot(target);
        let Node { h: h4, .. } = gather(0);
        let [x8, x9] = (w6.dot(x2.sigmoid() * b5) + b7).split();
        let s12 = cross_entropy(w11.dot(summary(Node { h: x8, c: w10.dot(target) })).variational_dropout(0.5).tanh(), label);
        loss((b5.tanh() - 0.5).tanh().sum());
        for k in 0..2 {
            loss(mse(concat([(b14.sigmoid() + 0.5).ln(), w13.dot(target)]).slice(dh..dh + de), target.gelu_tanh()) * (k as f64 + 0.25));
        }
        loss(((w15 * s12.tanh()).dot(h4) * w15.dot(x9)).sum());
    }

    #[vertex_function]
    pub fn gold_31(
        #[param(E, E)] w2: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w7: Tensor,
        #[param(K)] b9: Tensor, #[param()] s11: Tensor, #[param(K)] b18: Tensor,
        #[param(K, E)] w19: Tensor, #[param(K, E)] w20: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let Node { h: h5, .. } = gather(0);
        let x6 = x3.maximum(zeros(de)).tanh();
        let x8 = w7.dot(h5).log_softmax().minimum(p1).tanh();
        let s10 = indicator(b9.argmax() == label);
        let n12 = 2.0_f64.sqrt() - 0.5;
        let s13 = s11 - n12;
        let i15 = concat([0.5 / (0.5 + p1.sigmoid()), zeros(3)]).argmax();
        let x14 = match i15 {
            Index(0) => {
                x8.relu().minimum(x6).tanh()
            }
            Index(1) | Index(2) => {
                x8.softmax() + 0.5 * x6.tanh()
            }
            _ => {
                let x16 = if !(x6.max() > s13 || s10 >= 0.1) {
                    let x17 = if x8.max() > s10 {
                        (x8.square() + 0.5).ln().tanh()
                    } else {
                        (x8 - x6.max()).exp().tanh()
                    };
                    (x17 + x6.softmax() + 0.5 * x8.tanh()).tanh()
                } else if x8.max() > s10 {
                    x6.softmax() + 0.5 * x8.tanh()
                } else {
                    (x6.sum() + s10).tanh() * x8.sigmoid()
                };
                (x16 + (x8 * x6).sigmoid()).tanh()
            }
        };
        loss(cross_entropy((b18.sigmoid() + 0.5).ln().log_softmax().tanh(), label));
        loss((((w19.dot(x6) + w19.tanh().dot(x8) + s10) * s13).tanh() * w20.dot(x14)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_32(
        #[param(E)] b2: Tensor, #[param(K, E)] w4: Tensor, #[param(K, E)] w6: Tensor,
        #[param(K)] b8: Tensor, #[param(E, E)] w10: Tensor, #[param(E)] b11: Tensor,
        #[param(H, K)] w16: Tensor, #[param(H)] b21: Tensor, #[param(H)] b22: Tensor,
        #[param(H)] b24: Tensor, #[param(E, K)] w25: Tensor, #[param(K, E)] w26: Tensor,
        #[param(E)] b27: Tensor, #[param(H, K)] w28: Tensor, #[param(H, H)] w30: Tensor,
        #[param(H, H)] w31: Tensor, #[param(K)] b32: Tensor, #[param(E, H + K)] w33: Tensor,
        #[param(4 * H, E)] w34: Tensor, #[param(4 * H)] b35: Tensor, #[dim(K)] dk: Dim,
        #[param(K, K)] w40: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = p1.target * b2;
        let x5 = w4.dot(p1.target).dropout(0.25).tanh().exp().tanh();
        let x7 = ((w6.tanh().dot(x3) + x5) / ((x5 * x5).sigmoid() + 0.5)).tanh();
        let s9 = b8.sum();
        let s12 = ((w10 + w10).dot(p1.target) * b11).sum();
        let x13 = if s12 > -0.35 {
            let x14 = if s9 > -0.35 {
                (x5.sum() + s12).tanh() * x7.sigmoid()
            } else {
                x5.tanh()
            };
            (x14 + (x5 / (x7.norm() + 0.5)).tanh()).tanh()
        } else {
            x5.relu().minimum(x7).tanh()
        };
        let mut a15 = w16.dot(x13).softmax();
        let mut t17 = s9;
        for v18 in gather_all::<Node>() {
            let (x19, [x23], s20) = ((0.75 / (b21.sigmoid() + 0.5)).maximum(b22), [b24 / (b21.sigmoid() + 0.5)], s12);
            t17 += affine(w25, w26.dot(p1.target), b27).max().tanh();
            let n29 = 2.0_f64.sqrt() - 0.5;
            a15 -= (((v18.h - (w28 * n29).dot(v18.c)) * x19).tanh() * s20 + x23).tanh();
        }
        let [x36, x37, x38, x39] = (w34.dot(w33.dot(summary(Node { h: (w30 + w31).dot(a15), c: b32 })).tanh()) + b35).split();
        loss(cross_entropy(concat([b8.slice(1..dk), b8.slice(0..1)]), p1.label));
        loss(cross_entropy((0.5 + w40.dot(x7).sigmoid()).ln(), p1.label));
        loss(((x37.log_softmax().tanh() * t17 + x36 + x38).tanh() + x39).sum());
    }

    #[vertex_function]
    pub fn gold_33(
        #[param(E, E)] w2: Tensor, #[param(H)] b7: Tensor, #[dim(H)] dh: Dim,
        #[param(H, E)] w8: Tensor, #[param(H)] b11: Tensor, #[dim(E)] de: Dim,
        #[param(E, H)] w12: Tensor,
    ) {
        let p1: Gold = pull();
        let x3: Tensor = w2.dot(p1.target);
        let Node { h: h5, .. } = gather(0);
        let parts6 = [concat([b7, h5]).slice(0..dh).dropout(0.1), (w8.dot(x3) - h5).tanh(), h5];
        let mut a9 = zeros(dh);
        let x10 = concat(parts6);
        for k in 0..2 {
            a9 += (x10.slice(k * dh..(k + 1) * dh) - b11.log_softmax().tanh()).tanh();
        }
        loss(cross_entropy(zeros(dh).softmax(), p1.label));
        for k in 0..2 {
            loss((x3 - zeros(de) + x3).pick((w12 * 0.75).dot(a9).sample()) * (k as f64 + 0.25));
        }
    }

    #[vertex_function]
    pub fn gold_34(
        #[param(E, E)] w1: Tensor, #[param(K, H)] w3: Tensor, #[param(K)] b4: Tensor,
        #[param(H, K)] w5: Tensor, #[param(H)] b6: Tensor, #[param(E)] mut b8: Tensor,
        #[param(H)] b10: Tensor, #[param(H, H)] w11: Tensor, #[param()] s13: Tensor,
        #[param()] s15: Tensor, #[param(E, H)] w16: Tensor, #[param(E, K)] w17: Tensor,
        #[param(K)] b18: Tensor, #[dim(H)] dh: Dim, #[param()] s23: Tensor,
        #[param(2 * H, E)] w25: Tensor, #[param(2 * H)] b26: Tensor, #[param(E)] b30: Tensor,
        #[param(E, H)] w32: Tensor,
    ) {
        let Gold { label, target } = pull();
        let x2 = w1.dot(target);
        let x7 = affine(w3, w5.dot(b4) * b6, b4);
        let mut a9 = (w11 * 2.0).dot(b10);
        let mut t12 = s13;
        for Node { h, c } in gather_all() {
            t12 += (x2.sum() * s15).tanh();
            b8 = b8.minimum(w16.dot(h) * w17.dot(c));
            a9 = h.tanh().softmax() + a9;
        }
        let [x19, x20] = [(x7 + x7).tanh().exp(), t12 + b18];
        let mut a21 = 1.0 / dh as f64 / (x20.sigmoid() + 0.5);
        let mut t22 = s23;
        for Node { c, h } in gather_all::<Node>() {
            t22 += t12.tanh();
            a21 = a21.minimum(w3.dot(h) + c);
        }
        let [x27, x28] = (w25.dot(2.0 / (w17.dot(x19).tanh().sigmoid() + 0.5)) + b26).tanh().split::<2>();
        let n29 = 2.0_f64.sqrt() - 1.5;
        loss(cross_entropy((n29 - a9).tanh() + b6, label));
        loss(t22 - 2.0);
        let out31 = Scores { y: (-b8).tanh(), logits: (b30.log_softmax() / (0.5 + w17.dot(a21).relu().tanh().sigmoid())).tanh() };
        push(out31);
        loss((w32.dot(x27) + w16.dot(x28)).sum());
    }

    #[vertex_function]
    pub fn gold_35(
        #[param(H, E)] w1: Tensor, #[param(E)] b7: Tensor, #[dim(H)] dh: Dim,
        #[param()] s8: Tensor, #[param(E)] b9: Tensor, #[param(E, E)] w11: Tensor,
        #[dim(E)] de: Dim, #[param(E, H)] w12: Tensor, #[param(E, K)] w14: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = w1.dot(target);
        let Node { h: h4, c: c5 } = gather(0);
        let mut m6 = scaled(b7, dh);
        m6 = 0.75 * (s8 * target) - m6;
        m6 = m6.tanh();
        let x10 = (c5 + c5).tanh() * mse(m6.relu(), b9);
        loss((m6 * target).exp().tanh().sum());
        let out13 = Scores { y: m6.exp().tanh(), logits: blend(w11.mean(), target, zeros(de)).minimum(w12.tanh().dot(h4)) };
        push(out13);
        loss((w12.dot(x2) * w14.dot(x10)).tanh().sum());
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
