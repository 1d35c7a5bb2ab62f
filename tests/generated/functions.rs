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
        #[param()] s9: Tensor, #[param(E, E)] w14: Tensor, #[dim(K)] dk: Dim,
        #[param(E)] b17: Tensor, #[param(V, E)] table18: Tensor, #[param(H, H)] w24: Tensor,
        #[param(E, H)] w25: Tensor, #[param(E, H)] w26: Tensor, #[param(K)] b27: Tensor,
        #[param(H, K)] w28: Tensor, #[param(E)] b29: Tensor, #[param(H, E)] w31: Tensor,
        #[param(H, E)] w32: Tensor, #[param(H, E)] w33: Tensor, #[param(K, E)] w34: Tensor,
        #[param(K)] b35: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = p1.x * b2;
        let x5 = table4.row(p1.id);
        let x6 = (0.75 / (x3.variational_dropout(0.1).sigmoid() + 0.5)).tanh();
        let x7 = (x6.sigmoid() + 0.5).ln().gelu();
        let s10 = s8 - s9;
        let mut m11 = x6;
        let mut n12 = scalar(0.0);
        loop {
            let s13 = m11.max();
            if n12 > 2.5 || s13 > 0.4 {
                break;
            }
            m11 = (0.7 * m11 + w14.dot(m11).tanh()).tanh();
            n12 += 1.0;
        }
        m11 = m11.tanh();
        let x15 = scaled(x5, dk).gelu_tanh();
        let x16 = x15.tanh().exp().tanh();
        let s19 = b17.pick(table18.row(p1.id).sample());
        let s20 = (x5 * x16).sum();
        let x21 = if !(s19 <= 0.2 || s20 > -0.35) {
            let x22 = if x15.max() <= s20 {
                (x16.sum() + s20).tanh() * x15.sigmoid()
            } else {
                let x23 = if x15.max() > s20 {
                    (x16 * x15).sigmoid()
                } else if 0.2 >= x15.sum() || s20 > 0.1 {
                    (x16 / (x15.norm() + 0.5)).tanh()
                } else {
                    (x16 - x15).tanh() * s19.tanh()
                };
                (x23 + (x16 - x15.max()).exp().tanh()).tanh()
            };
            (x22 + w24.dot(x15).tanh()).tanh()
        } else {
            (x15 - x16.max()).exp().tanh()
        };
        let out30 = Scores { y: affine(w25, x21, b2).tanh(), logits: affine(w26, (w28 * 0.75).dot(b27), b29) };
        push(out30);
        let state: Node = Node { h: (((w31 + w31).dot(p1.x) + w32.dot(x7) + s10).tanh() - w33.dot(m11) + s19 + s20).tanh(), c: gate(w34, w14.dot(m11), b35).tanh() };
        scatter(state);
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
        #[param(H, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(K, H)] w6: Tensor,
        #[param(H)] b8: Tensor, #[param(K, H + K)] w9: Tensor, #[param()] s11: Tensor,
        #[param(K, K)] w16: Tensor, #[param(H, E)] w17: Tensor, #[param(K)] b18: Tensor,
        #[param(E, H + K)] w19: Tensor, #[param(H, H)] w20: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = (w2 + w2).dot(p1);
        let x5 = table4.row(id);
        let x7 = (-w6.dot(x3)).relu().tanh();
        let x10 = w9.dot(summary(Node { h: b8, c: x7 })).sigmoid();
        let s12 = s11.tanh();
        let mut m13 = x7;
        let mut n14 = scalar(0.0);
        loop {
            let s15 = m13.max();
            if n14 > 3.5 || s15 > -0.2 {
                break;
            }
            m13 = (0.7 * m13 + w16.dot(m13).tanh()).tanh();
            loss(0.1 * m13.sum());
            n14 += 1.0;
        }
        m13 = m13.tanh();
        let x3 = x3.tanh() + x3 / (x3.sigmoid() + 0.5);
        push(Out { y: w19.dot(summary(Node { h: w17.dot(x5), c: b18 })).noise(0.1).tanh() });
        scatter(Node { h: (x3.maximum(x3).tanh() - (w20 * s12).dot(x3)).tanh(), c: x10.maximum(m13).log_softmax().tanh() });
    }

    #[vertex_function]
    pub fn leaf_3(
        #[param(E, E)] w1: Tensor, #[param(V, E)] table3: Tensor, #[param(H, K)] w6: Tensor,
        #[param(K)] b7: Tensor, #[param(K, K)] w8: Tensor, #[param(H)] b9: Tensor,
        #[param(H, K)] w10: Tensor, #[param(H)] b11: Tensor, #[param(H, H)] w12: Tensor,
        #[param(K, E)] w13: Tensor, #[param(K, E)] w14: Tensor, #[param(K, H)] w15: Tensor,
        #[param(H, E)] w16: Tensor, #[param(E)] b17: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = w1.dot(x);
        let x4: Tensor = table3.row(id);
        let mut m5 = crate::generated::cells::gate(w6, w8.dot(b7), b9);
        m5 -= (w10.dot(b7) - w12.dot(b11)).relu();
        m5 = m5.tanh();
        scatter(Node { c: (w13.dot(x2) + w14.dot(x) - w13.dot(x4) + w15.dot(m5)).tanh(), h: (m5 - w16.dot(x)).tanh() });
        push(Out { y: ((b17 + 0.5) * x).tanh() });
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
        #[param(E)] b2: Tensor, #[param(E)] b6: Tensor, #[param(H, E)] w8: Tensor,
        #[dim(E)] de: Dim, #[param(K)] b11: Tensor, #[param(E, K)] w12: Tensor,
        #[param(E)] b16: Tensor, #[param(H, K)] w17: Tensor, #[param(H, E)] w18: Tensor,
        #[param(H)] b19: Tensor, #[param(K, H)] w20: Tensor, #[param(H)] b21: Tensor,
    ) {
        let p1: Signal = pull();
        let x3 = p1.x * b2;
        let x4 = p1.x.tanh() - x3;
        let x5 = b2.tanh() + b2;
        let s7 = b6.pick(x5.sample());
        let s9 = cross_entropy(w8.dot(x4), p1.label).tanh();
        let i13 = concat([zeros(de).greater_equal((w12 + w12).dot(b11) + 0.35).select(x5, zeros(de)), zeros(3)]).argmax();
        let x10 = match i13 {
            Index(0) => {
                x4.softmax() + 0.5 * x5.tanh()
            }
            Index(1) | Index(2) => {
                let x14 = if x5.max() < s7 && s7 >= 0.1 {
                    let x15 = if 0.1 >= x5.sum() {
                        (x5.sum() + s7).tanh() * x4.sigmoid()
                    } else {
                        x5.relu().minimum(x4).tanh()
                    };
                    (x15 + (x4 * x5).sigmoid()).tanh()
                } else {
                    x4.relu().minimum(x5).tanh()
                };
                (x14 + x4.relu().minimum(x5).tanh()).tanh()
            }
            _ => {
                (x5 - x4).tanh() * s7.tanh()
            }
        };
        push(Out { y: (b16 + p1.x).log_softmax().tanh() });
        let (h, c) = (((w17 * s9).dot(b11) * s7 * w18.dot(x10)).tanh(), w20.dot(b19).minimum(w20.dot(b21)));
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn leaf_6(
        #[param(E, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[dim(E)] de: Dim,
        #[param(K)] b7: Tensor, #[param(E, K)] w8: Tensor, #[param(V, E)] table9: Tensor,
        #[param(H, E)] w10: Tensor, #[param(E)] b12: Tensor, #[param(H, E)] w14: Tensor,
        #[param(H, H)] w21: Tensor, #[param(K, E)] w23: Tensor, #[param(K, H)] w24: Tensor,
        #[param(K, H)] w25: Tensor, #[param(H)] b26: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let n6 = 1.5 / (1.0 + de as f64);
        let x11 = w10.tanh().dot(blend(n6 * p1.x, w8.dot(b7), table9.row(p1.id)));
        let x13 = ((b12 * p1.x).sum() - x11.tanh()).tanh();
        let s15 = w14.dot(x5).sum();
        let s16 = s15 - 1.5;
        let mut m17 = x13;
        let x18 = if 0.2 >= x11.sum() || s16 >= 0.1 {
            m17 += (x11.sum() + s16).tanh() * x13.sigmoid();
            let x19 = if 0.1 > x11.sum() {
                (x13.sum() + s15).tanh() * x11.sigmoid()
            } else if !(s15 <= 0.2 || x13.max() > s16) {
                m17 *= (x11 - x13).tanh() * s15.tanh();
                let x20 = if -0.35 < x11.sum() {
                    w21.dot(x13).tanh()
                } else {
                    m17 += x13.relu().minimum(x11).tanh();
                    (x11 * x13).sigmoid()
                };
                (x20 + w21.dot(x11).tanh()).tanh()
            } else {
                m17 -= (x13 - x11).tanh() * s15.tanh();
                let x22 = if s16 >= 0.2 {
                    m17 = (x11.square() + 0.5).ln().tanh();
                    x11.softmax() + 0.5 * x13.tanh()
                } else {
                    m17 += (x13 - x11).tanh() * s16.tanh();
                    (x13 - x11.max()).exp().tanh()
                };
                (x22 + (x13 - x11.max()).exp().tanh()).tanh()
            };
            (x19 + (x11 / (x13.norm() + 0.5)).tanh()).tanh()
        } else if s15 > 0.1 && 0.2 < x13.sum() {
            (x11 - x13.max()).exp().tanh()
        } else {
            (x11 - x13).tanh() * s15.tanh()
        };
        m17 = m17.tanh();
        let (h, c) = (b26 * b26, ((((w23 + w23).dot(x3) * w24.dot(x13)).tanh() - s16 + w25.dot(x18)).tanh() + w24.dot(m17)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn leaf_7(
        #[param(E)] b2: Tensor, #[param(E)] b4: Tensor, #[param(E)] b6: Tensor,
        #[param(E, E)] w8: Tensor, #[param(H)] b13: Tensor, #[param(K, H)] w14: Tensor,
        #[param(K)] b15: Tensor, #[param(K, K)] w16: Tensor, #[param(H, E)] w17: Tensor,
        #[param(H, E)] w18: Tensor, #[param(E, H)] w19: Tensor, #[param(E)] b20: Tensor,
        #[param(K)] b21: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = p1 * b2;
        let x5 = (b4 - 2.0).sigmoid();
        let x7 = -p1.greater_equal(x5 + 0.35).select(b6, p1);
        let s9 = w8.sum();
        let mut m10 = x5;
        let mut n11 = scalar(0.0);
        loop {
            let s12 = m10.max();
            if n11 > 1.5 || s12 > 0.9 {
                break;
            }
            loss(m10.pick(m10.argmax()));
            m10 = (0.7 * m10 + (m10 + w8.dot(m10).tanh()).dropout(0.25)).tanh();
            loss(0.1 * m10.sum());
            n11 += 1.0;
        }
        m10 = m10.tanh();
        loss(cross_entropy((w14.dot(b13).minimum((w16 * s9.tanh()).dot(b15)).sigmoid() + 0.5).ln(), label));
        scatter(Node { c: b15, h: (w17.dot(x3) + w18.tanh().dot(x7) - w17.dot(m10)).tanh() });
        let out22 = Scores { y: crate::generated::cells::gate(w19, b13, b20), logits: w16.dot(b21).maximum(w16.dot(b15)) };
        push(out22);
    }

    #[vertex_function]
    pub fn leaf_8(
        #[param(K, E)] w2: Tensor, #[param(E)] b4: Tensor, #[param(E, E)] w5: Tensor,
        #[param()] s7: Tensor, #[param()] s9: Tensor, #[param(K, K)] w13: Tensor,
        #[param(K)] b14: Tensor, #[param(H, E)] w15: Tensor, #[param(H, E)] w16: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = (w2 * 2.0).dot(p1);
        let x6 = ((w5.dot(b4).sigmoid() + 0.5).ln() * 2.0).tanh();
        let x8 = (x6 - s7).sigmoid();
        let s10 = s9.tanh();
        let mut m11 = x6;
        let mut n12 = scalar(0.0);
        while n12 < 3.5 && m11.max() < -0.2 {
            m11 = (0.7 * m11 + x8.tanh()).tanh();
            n12 += 1.0;
        }
        m11 = m11.tanh();
        for k in 0..2 {
            loss(cross_entropy((w13.dot(x3) + x3).tanh().minimum(b14), label) * (k as f64 + 0.25));
        }
        let (h, c) = (((w15.tanh().dot(x8) - s10) * w16.dot(m11)).tanh(), (x3 * s10).tanh());
        scatter(Node { h, c });
        let out17 = Scores { y: -x8, logits: x3.sigmoid() + x3 };
        push(out17);
    }

    #[vertex_function]
    pub fn leaf_9(
        #[param(E)] b2: Tensor, #[param(H)] b5: Tensor, #[param(H, H)] w6: Tensor,
        #[param(K)] b7: Tensor, #[param(E, K)] w8: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b9: Tensor, #[param(H, H)] w10: Tensor, #[param(H, E)] w12: Tensor,
        #[param(H)] mut b13: Tensor, #[param()] s14: Tensor, #[param(H, K)] w15: Tensor,
        #[param(K, E)] w16: Tensor, #[param(K, H)] w17: Tensor, #[param(H, H)] w18: Tensor,
    ) {
        let p1 = pull::<Word>().x;
        let x3 = p1 * b2;
        let parts4 = [((w6.dot(b5) + 2.0) * w8.tanh().dot(b7).sum()).tanh(), zeros(dh).softmax(), w10.dot(b9)];
        let mut a11 = b5;
        for k in 1..=2 {
            a11 = a11.tanh() + (parts4[k] - w12.tanh().dot(p1).dropout(0.5).tanh()).tanh();
        }
        b13 -= (a11 - s14).tanh().log_softmax().tanh();
        b13 /= 0.75;
        b13 += w15.tanh().dot(b7).relu();
        b13 = b13.tanh();
        scatter(Node { h: (w18.dot(b13) / (w6.dot(b13).sigmoid() + 0.5)).tanh(), c: ((w16 * 0.75).dot(x3) * w17.dot(b13)).tanh() });
        let out19 = Scores { y: p1.dropout(0.1), logits: mse(a11.softmax(), a11).tanh() };
        push(out19);
    }

    #[vertex_function]
    pub fn leaf_10(
        #[param(E)] b2: Tensor, #[param(V, K)] table4: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b6: Tensor, #[param(K, K)] w7: Tensor, #[param(H)] b10: Tensor,
        #[param(H, K)] w11: Tensor, #[param(H)] b12: Tensor, #[param(H, E)] w13: Tensor,
        #[param(H, E)] w15: Tensor, #[param(V, E)] table17: Tensor, #[dim(E)] de: Dim,
        #[param(H, H)] w25: Tensor, #[param(H, H)] w26: Tensor, #[param(H, H)] w29: Tensor,
        #[param(H, H)] w31: Tensor, #[param(E)] b32: Tensor, #[param(V, K)] table33: Tensor,
        #[param(H, K)] w34: Tensor, #[param(H)] b35: Tensor, #[dim(H)] dh: Dim,
        #[param(E, H)] w36: Tensor, #[param(E, E)] w37: Tensor, #[param(E, K)] w38: Tensor,
        #[param(E)] b39: Tensor, #[param(K, H)] w41: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = p1 * b2;
        let x5 = table4.row(id);
        let [x8, x9] = [concat([x5.sigmoid(), x5]).slice(dk..dk + dk), b6.maximum(w7.dot(x5))];
        let x14 = b10 * w11.dot(x9) / (b12.maximum(w13.dot(x3)).sigmoid() + 0.5);
        let x16 = noisy(w15.dot(x3).erf(), 0.5);
        let s18 = table17.row(id).pick(zeros(de).sample());
        let s19 = s18;
        let mut m20 = x16;
        let i22 = concat([b10.relu(), zeros(3)]).argmax();
        let x21 = match i22 {
            Index(0) => {
                m20 *= x14.relu().minimum(x16).tanh();
                let x23 = if 0.2 < x16.sum() && s18 <= 0.1 {
                    m20 += (x16.sum() + s18).tanh() * x14.sigmoid();
                    (x14.sum() + s18).tanh() * x16.sigmoid()
                } else {
                    let x24 = if 0.1 <= x14.sum() {
                        m20 += w25.dot(x16).tanh();
                        (x14 - x16).tanh() * s19.tanh()
                    } else {
                        m20 -= x16.relu().minimum(x14).tanh();
                        x14.relu().minimum(x16).tanh()
                    };
                    (x24 + x16.relu().minimum(x14).tanh()).tanh()
                };
                (x23 + w26.dot(x14).tanh()).tanh()
            }
            Index(1) | Index(2) => {
                m20 += (x16.square() + 0.5).ln().tanh();
                (x16 - x14.max()).exp().tanh()
            }
            _ => {
                m20 = x16.relu().minimum(x14).tanh();
                let x27 = if -0.35 >= x14.sum() {
                    m20 += (x16 - x14).tanh() * s18.tanh();
                    let x28 = if s19 <= -0.35 {
                        m20 += (x16 * x14).sigmoid();
                        w29.dot(x16).tanh()
                    } else if s19 < 0.2 {
                        (x16.sum() + s19).tanh() * x14.sigmoid()
                    } else {
                        m20 -= (x14 * x16).sigmoid();
                        (x14 * x16).sigmoid()
                    };
                    (x28 + (x14 - x16.max()).exp().tanh()).tanh()
                } else {
                    m20 = (x14 / (x16.norm() + 0.5)).tanh();
                    let x30 = if x16.max() < s19 {
                        w25.dot(x14).tanh()
                    } else {
                        m20 *= w31.dot(x14).tanh();
                        (x14 - x16).tanh() * s19.tanh()
                    };
                    (x30 + x16.relu().minimum(x14).tanh()).tanh()
                };
                (x27 + (x16 / (x14.norm() + 0.5)).tanh()).tanh()
            }
        };
        m20 = m20.tanh();
        for k in 0..2 {
            loss(mse(table17.row(id) / (0.5 + x3.sigmoid()) - p1, b32.tanh()) * (k as f64 + 0.25));
        }
        for k in 0..2 {
            loss(table33.row(id).square().tanh().sum() * (k as f64 + 0.25));
        }
        scatter(Node { c: (1.0 / dh as f64 - x5).sigmoid(), h: (0.5 / (0.5 + w34.dot(x8).sigmoid())).minimum(b35).tanh() });
        let out40 = Scores { y: w36.dot(x16).noise(0.1).tanh(), logits: gate(w37, 2.0 / (0.5 + w38.dot(x5).sigmoid()), b39).tanh() };
        push(out40);
        loss(((w41.dot(x14) - s19 + w41.dot(x21)).tanh() + w41.dot(m20)).sum());
    }

    #[vertex_function]
    pub fn leaf_11(
        #[param(E)] b2: Tensor, #[param(K)] b5: Tensor, #[dim(E)] de: Dim,
        #[param(K, E)] w6: Tensor, #[param(K)] b7: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b9: Tensor, #[param(H, E)] w10: Tensor, #[dim(H)] dh: Dim,
    ) {
        let p1: Signal = pull();
        let x3 = p1.x * b2;
        let parts4 = [b5.tanh() - (b2 * zeros(de)).sum(), w6.tanh().dot(x3).relu(), b7];
        let mut a8 = zeros(dk);
        for k in 1..=2 {
            a8 += (parts4[k] + b9 * 2.0).tanh();
        }
        for k in 0..2 {
            loss(cross_entropy(2.0 + b2.minimum(p1.x), p1.label) * (k as f64 + 0.25));
        }
        scatter(Node { h: w10.dot(x3).minimum(zeros(dh)), c: a8.tanh() });
        push(Out { y: (1.5 / (0.5 + p1.x.maximum(zeros(de)).sigmoid())).tanh() });
    }

    #[vertex_function]
    pub fn leaf_12(
        #[param(E)] b1: Tensor, #[param(V, H)] table3: Tensor, #[param(H)] b5: Tensor,
        #[dim(H)] dh: Dim, #[param(H, K)] w7: Tensor, #[param(K, E)] w8: Tensor,
        #[param(H)] b9: Tensor, #[param(H, E)] w10: Tensor, #[param(H, H)] w15: Tensor,
        #[param(K, H)] w16: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4: Tensor = table3.row(id);
        let x6 = (-b5).greater_equal(x4 + 0.35).select(zeros(dh), -b5);
        let x11 = gate(w7, w8.dot(x2), b9).greater(w10.dot(x) + 0.6).select(zeros(dh), gate(w7, w8.dot(x2), b9));
        let s12 = indicator(x6.argmax() == w10.dot(x).sample());
        let s13 = s12.tanh();
        let x14 = if x11.max() >= s12 {
            w15.dot(x6).tanh()
        } else {
            (x11 - x6).tanh() * s13.tanh()
        };
        scatter(Node { h: ((x11 - s13) * x14).tanh(), c: (w16.tanh().dot(x6).sigmoid() + 0.5).ln().tanh() });
    }

    #[vertex_function]
    pub fn leaf_13(
        #[param(H, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(K)] b6: Tensor,
        #[param(K, K)] w8: Tensor, #[param(H, K)] w14: Tensor, #[param(H, K)] w15: Tensor,
        #[param(H, K)] w16: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let x7 = b6;
        let x9 = (-w8.dot(x7)).minimum(x7);
        let s10 = x5.sum();
        let s11 = s10;
        let mut m12 = x9;
        let x13 = if s11 < 0.1 {
            m12 = (x7.square() + 0.5).ln().tanh();
            (x7 / (x9.norm() + 0.5)).tanh()
        } else {
            (x9.square() + 0.5).ln().tanh()
        };
        m12 = m12.tanh();
        let state = Node { c: -x7, h: ((x3 - w14.dot(x9) - s11 - w15.dot(x13)).tanh() + w16.dot(m12)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: x5.softmax().tanh() });
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
        #[param(E)] b2: Tensor, #[param(V, E)] table4: Tensor, #[param()] s7: Tensor,
        #[param(H, E)] w9: Tensor, #[param(E)] b10: Tensor, #[param(H, E)] w11: Tensor,
        #[param(K)] b12: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3: Tensor = p1 * b2;
        let x5 = table4.row(id);
        let x6 = {
            let x8 = s7.sigmoid() - x3.exp();
            w9.dot(x8).tanh()
        };
        push(Out { y: (b10 + x5).log_softmax().tanh() });
        let state = Node { c: b12.exp().tanh(), h: (w11.dot(p1) * x6).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn leaf_16(
        #[param(E, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(K)] b7: Tensor,
        #[param(K, K)] w8: Tensor, #[param(H)] b10: Tensor, #[param(K, H)] w11: Tensor,
        #[param(H, K)] w13: Tensor, #[param(H, E)] w14: Tensor, #[param(K, K)] w19: Tensor,
        #[param(2 * H, K)] w21: Tensor, #[param(V, K)] table25: Tensor,
        #[param(K, K)] w26: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5: Tensor = table4.row(p1.id);
        let x6 = noisy(x5 + x5, 0.25);
        let x9 = (b7.silu() + w8.dot(x6)).tanh();
        let s12 = w11.dot(b10).sum();
        let s15 = w13.tanh().dot(x6).pick(w14.dot(p1.x).sample());
        let x16 = if -0.35 < x9.sum() && x6.max() > s15 {
            x9.softmax() + 0.5 * x6.tanh()
        } else {
            let x17 = if s12 < 0.1 || x6.max() <= s15 {
                let x18 = if 0.2 < x9.sum() || s12 < 0.2 {
                    x9.relu().minimum(x6).tanh()
                } else {
                    w19.dot(x9).tanh()
                };
                (x18 + (x6 / (x9.norm() + 0.5)).tanh()).tanh()
            } else if !(-0.35 > x9.sum() || 0.1 >= x6.sum()) {
                x9.softmax() + 0.5 * x6.tanh()
            } else {
                let x20 = if 0.2 > x6.sum() {
                    (x9.sum() + s15).tanh() * x6.sigmoid()
                } else {
                    (x6.square() + 0.5).ln().tanh()
                };
                (x20 + (x9 / (x6.norm() + 0.5)).tanh()).tanh()
            };
            (x17 + x9.softmax() + 0.5 * x6.tanh()).tanh()
        };
        let (x22, x23) = halves(w21.dot((b7.sigmoid() + 0.5).ln() * 1.5));
        let out24 = Scores { y: x3.tanh(), logits: x16.relu().tanh() };
        push(out24);
        scatter(Node { h: ((w13.dot(x9) + s12 + s15 - x22).tanh() + x23).tanh(), c: table25.row(p1.id).greater_equal(w26.dot(x6) + 0.35).select(b7, table25.row(p1.id)) });
    }

    #[vertex_function]
    pub fn leaf_17(
        #[param(H, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(E, H)] w6: Tensor,
        #[param(E)] b7: Tensor, #[param(E, E)] w8: Tensor, #[param(E)] b10: Tensor,
        #[param(H)] b11: Tensor, #[param(V, K)] table13: Tensor, #[param(H, E)] w20: Tensor,
        #[param(V, H)] table21: Tensor, #[param(H, H + 2 * K)] w23: Tensor,
        #[param(H, H)] w30: Tensor, #[dim(E)] de: Dim, #[dim(H)] dh: Dim,
        #[param(H, E)] w35: Tensor, #[param(K, E)] w36: Tensor, #[param(K, K)] w37: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let x9 = (w6.dot(x3) / (w8.dot(b7).tanh().sigmoid() + 0.5)).tanh();
        let x12 = (b10 / (0.5 + x9.sigmoid()) + (x3 * b11).sum()).tanh();
        let s14 = x5.pick(table13.row(id).sample());
        let s15 = s14;
        let mut m16 = x12;
        let x17 = if s14 <= -0.35 || s15 < 0.1 {
            m16 += x9.relu().minimum(x12).tanh();
            let x18 = if 0.1 <= x9.sum() && x12.max() >= s14 {
                m16 *= (x9.sum() + s14).tanh() * x12.sigmoid();
                (x12 / (x9.norm() + 0.5)).tanh()
            } else {
                x12.relu().minimum(x9).tanh()
            };
            (x18 + (x9.square() + 0.5).ln().tanh()).tanh()
        } else if -0.35 <= x12.sum() && 0.1 >= x12.sum() {
            m16 = x9.softmax() + 0.5 * x12.tanh();
            (x9 - x12).tanh() * s15.tanh()
        } else {
            m16 += x9.softmax() + 0.5 * x12.tanh();
            let x19 = if 0.2 < x9.sum() && s15 < 0.1 {
                (x9.sum() + s14).tanh() * x12.sigmoid()
            } else if s14 >= -0.35 {
                x12.tanh()
            } else {
                m16 += x12.softmax() + 0.5 * x9.tanh();
                x12.relu().minimum(x9).tanh()
            };
            (x19 + (x9 - x12.max()).exp().tanh()).tanh()
        };
        m16 = m16.tanh();
        let x22 = (w2 + w20).dot(x9).maximum(table21.row(id)).tanh();
        let x24 = w23.dot(concat([table4.row(id), x22, x5]));
        let s25 = s14;
        let s26 = s25;
        let x27 = if -0.35 <= x24.sum() {
            let x28 = if s26 > -0.35 {
                (x24 * x22).sigmoid()
            } else {
                let x29 = if !(x22.max() >= s25 || x22.max() >= s25) {
                    w30.dot(x22).tanh()
                } else if !(s26 >= -0.35 || x24.max() >= s26) {
                    x22.softmax() + 0.5 * x24.tanh()
                } else {
                    x24.tanh()
                };
                (x29 + (x24.sum() + s26).tanh() * x22.sigmoid()).tanh()
            };
            (x28 + x24.tanh()).tanh()
        } else if x22.max() <= s26 {
            (x24 / (x22.norm() + 0.5)).tanh()
        } else {
            let x31 = if x24.max() <= s25 {
                let x32 = if -0.35 > x24.sum() {
                    x24.softmax() + 0.5 * x22.tanh()
                } else if s26 >= -0.35 {
                    (x22 - x24.max()).exp().tanh()
                } else {
                    x22.softmax() + 0.5 * x24.tanh()
                };
                (x32 + x22.tanh()).tanh()
            } else if !(x24.max() <= s25 || x24.max() < s25) {
                let x33 = if 0.2 < x22.sum() {
                    x24.tanh()
                } else {
                    (x22 * x24).sigmoid()
                };
                (x33 + (x22.square() + 0.5).ln().tanh()).tanh()
            } else {
                let x34 = if !(-0.35 > x22.sum() || -0.35 >= x22.sum()) {
                    (x22.sum() + s25).tanh() * x24.sigmoid()
                } else {
                    x22.relu().minimum(x24).tanh()
                };
                (x34 + (x22 * x24).sigmoid()).tanh()
            };
            (x31 + (x24 - x22).tanh() * s25.tanh()).tanh()
        };
        loss((concat([x27.dropout(0.1), x17]).slice(dh..dh + de) * m16).tanh().sum());
        scatter(Node { h: ((w35.dot(x12) + s15) * x24 - s26).tanh(), c: ((w36 * (1.0 / (dh as f64).sqrt())).dot(x17) * w37.tanh().dot(x5)).tanh() });
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
        #[param(K, E)] w11: Tensor, #[param(H)] b13: Tensor, #[param(K, H)] w14: Tensor,
        #[param(K)] b15: Tensor, #[param(K, K)] w20: Tensor, #[param(K, K)] w22: Tensor,
        #[param(H)] b24: Tensor, #[dim(H)] dh: Dim, #[dim(E)] de: Dim,
        #[param(H, E)] w25: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = w1.dot(x);
        let x4 = table3.row(id);
        let [x8, x9, x10]: [Tensor; 3] = (w6.dot(zeros(dk).sum() * w5.dot(x2)) + b7).split();
        let x12 = (w11.dot(x8).dropout(0.5) + mse(x9, x10)).tanh();
        let x16 = w14.tanh().dot(b13) / (0.5 + x12.minimum(b15).sigmoid());
        let s17 = indicator(w1.dot(x8).argmax() == b15.sample());
        let mut m18 = x12;
        let mut n19 = scalar(0.0);
        while n19 < 1.5 && m18.max() < -0.2 {
            m18 = (0.7 * m18 + w20.dot(m18).tanh()).tanh();
            let x21 = if !(s17 < 0.2 || 0.1 < x12.sum()) {
                m18 -= (x16.square() + 0.5).ln().tanh();
                w22.dot(x12).tanh()
            } else {
                let x23 = if x16.max() >= s17 {
                    (x16 - x12).tanh() * s17.tanh()
                } else {
                    m18 = (x16.square() + 0.5).ln().tanh();
                    x16.relu().minimum(x12).tanh()
                };
                (x23 + x16.softmax() + 0.5 * x12.tanh()).tanh()
            };
            m18 = m18 * x21.sigmoid();
            n19 += 1.0;
        }
        m18 = m18.tanh();
        for k in 0..2 {
            loss(s17 * (k as f64 + 0.25));
        }
        loss(mse(concat([zeros(de), b24]).slice(de..de + dh).exp(), 0.75 * b13));
        let state = Node { c: (x4 - x16 + m18).tanh(), h: (w25 * s17).dot(x9) * s17 };
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
        #[param(H, H)] w8: Tensor, #[param(K, H)] w10: Tensor, #[param(H, E)] w12: Tensor,
        #[param(V, K)] table13: Tensor, #[param(K, H + K)] w14: Tensor,
        #[param(K, H)] w16: Tensor, #[param(H, E)] w17: Tensor, #[param(E, H)] w18: Tensor,
        #[param(H)] b19: Tensor, #[dim(K)] dk: Dim, #[param(H, H + K)] w20: Tensor,
        #[param(K, K)] w21: Tensor, #[param(K, E)] w22: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let x6 = {
            let x9: Tensor = (w8 * 1.5).dot(b7).relu().relu();
            w10.dot(x9).tanh()
        };
        let mut m11 = w14.dot(summary(Node { h: (w12 * 2.0).dot(x3), c: table13.row(p1.id) })).tanh();
        let n15 = 2.0_f64.sqrt() - 0.5;
        m11 /= n15;
        m11 = w16.tanh().dot(b7).tanh() / (0.5 + (x6 + 1.5).sigmoid()) - m11;
        m11 = m11.tanh();
        push(Out { y: w18.dot(w17.dot(p1.x).softmax()) });
        let state = Node { c: concat([w21.dot(m11).slice(1..dk), w21.dot(m11).slice(0..1)]).tanh(), h: w20.dot(summary(Node { h: b19, c: zeros(dk) })) };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss(w22.dot(x5).sum());
    }

    #[vertex_function]
    pub fn leaf_22(
        #[param(E, E)] w1: Tensor, #[param(E, E)] w2: Tensor, #[param(V, K)] table4: Tensor,
        #[param(E, K)] w6: Tensor, #[param()] s7: Tensor, #[param(E)] b8: Tensor,
        #[param(V, E)] table15: Tensor, #[param(H, K)] w17: Tensor, #[param(H, K)] w18: Tensor,
        #[param(K, E)] w19: Tensor, #[dim(E)] de: Dim, #[param(K, E)] w20: Tensor,
        #[param(K, E)] w21: Tensor, #[param(K, E)] w22: Tensor,
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
                (x10.sum() + s11).tanh() * x9.sigmoid()
            }
            Index(1) | Index(2) => {
                x10.relu().minimum(x9).tanh()
            }
            _ => {
                (x9 - x10.max()).exp().tanh()
            }
        };
        m13 = m13.tanh();
        scatter(Node { h: (w17 * s12.tanh()).dot(x5).maximum(w18.dot(x5)), c: (2.0 / (x5.minimum((w19 * (1.0 / (de as f64).sqrt())).dot(x3)).tanh().sigmoid() + 0.5)).tanh() });
        loss((w20.dot(x10) + w21.tanh().dot(x14) - w22.dot(m13)).tanh().sum());
    }

    #[vertex_function]
    pub fn leaf_23(
        #[param(E, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(H, E)] w7: Tensor,
        #[param(E)] b8: Tensor, #[param(H)] b9: Tensor, #[dim(E)] de: Dim, #[dim(H)] dh: Dim,
        #[param(K)] b10: Tensor, #[param(H, K)] w11: Tensor, #[param(H, H)] w13: Tensor,
        #[param(H)] b14: Tensor, #[param(K, H)] w15: Tensor, #[param(E, H + K + E)] w16: Tensor,
        #[param(E, E)] w18: Tensor, #[param(E, H)] w20: Tensor, #[param(K)] b25: Tensor,
        #[param(E, K)] w26: Tensor, #[param(K, E)] w28: Tensor, #[param(K, E)] w29: Tensor,
        #[param(K, E)] w30: Tensor, #[param(K, E)] w31: Tensor, #[param(K, E)] w32: Tensor,
        #[param(K, E)] w33: Tensor, #[param(K, E)] w34: Tensor, #[param(V, H)] table35: Tensor,
        #[param()] s36: Tensor,
    ) {
        let p1: Word = pull();
        let x3: Tensor = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let parts6 = [scaled(gate(w7, b8, b9), de), zeros(dh).sigmoid(), w11.dot(b10)];
        let mut a12 = zeros(dh);
        for k in 1..=2 {
            a12 -= (parts6[k] - affine(w13, w7.dot(p1.x), b14).tanh()).tanh();
        }
        let x17 = w16.dot(concat([w15.dot(a12), a12, p1.x])).tanh();
        let x19 = w18.dot(zeros(de) + b8);
        let s21 = w20.dot(a12).tanh().sum();
        let mut m22 = x17;
        let mut n23 = scalar(0.0);
        loop {
            let s24 = m22.max();
            if n23 > 1.5 || s24 > -0.2 {
                m22 = m22 * s24.sigmoid();
                break;
            }
            m22 = (0.7 * m22 + w2.dot(m22).tanh()).tanh();
            n23 += 1.0;
        }
        m22 = m22.tanh();
        let out27 = Scores { y: (w26 * 0.75).dot(b25), logits: s21 };
        push(out27);
        let state: Node = Node { h: table35.row(p1.id) - s36, c: (((((w28 * (1.0 / (dh as f64).sqrt())).dot(x3) + w29.dot(x5)) * (w30 + w31).dot(x17)).tanh() - (w32 + w33).dot(x19)) * w34.tanh().dot(m22)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn leaf_24(
        #[param(E)] b1: Tensor, #[param(V, H)] table3: Tensor, #[param(K)] b5: Tensor,
        #[param(K, K)] w6: Tensor, #[param(2 * K, K)] w7: Tensor, #[param(2 * K)] b8: Tensor,
        #[dim(E)] de: Dim, #[param(E, H)] w11: Tensor, #[param(E, K)] w14: Tensor,
        #[param(H, K)] w15: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4 = table3.row(id);
        let (x9, x10) = halves(w7.dot(w6.dot(b5).tanh().exp()) + b8);
        let [x12, x13] = [x2.minimum(zeros(de)) * w11.dot(x4), x.erf()];
        push(Out { y: x13.minimum(x12) / ((b1 + w14.dot(x9)).tanh().sigmoid() + 0.5) });
        let state: Node = Node { h: w15.dot(x10).tanh(), c: (x10.sigmoid() + 0.5).ln().tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn leaf_25(
        #[param(E)] b2: Tensor, #[param(H)] b5: Tensor, #[param(H, E)] w6: Tensor,
        #[dim(H)] dh: Dim, #[param(H)] b8: Tensor, #[param(K)] b9: Tensor,
        #[param(H, H)] w10: Tensor, #[param(H)] b11: Tensor, #[dim(K)] dk: Dim,
        #[param(K, K)] w12: Tensor, #[param(K, H)] w13: Tensor, #[param(E, E)] w14: Tensor,
        #[param(E)] b15: Tensor, #[param(H, K)] w16: Tensor, #[param(K, E)] w17: Tensor,
    ) {
        let p1: Signal = pull();
        let x3 = p1.x * b2;
        let mut m4 = b5.sigmoid();
        m4 = m4.tanh() + (scaled(w6.dot(x3), dh) + b5);
        let n7 = 0.75 / (1.0 + dh as f64);
        m4 /= n7;
        m4 = m4.tanh();
        let m4 = m4.tanh() + (b8 - m4);
        loss(cross_entropy((0.5 + b9.sigmoid()).ln().softmax(), p1.label));
        let (h, c) = ((zeros(dh) - b5) / (0.5 + w10.dot(m4).maximum(b11).sigmoid()), zeros(dk).tanh().greater(w12.dot(b9) + 0.35).select(w13.dot(m4), zeros(dk).tanh()).tanh());
        scatter(Node { h, c });
        let out18 = Scores { y: crate::generated::cells::gate(w14, p1.x, b15), logits: (gate(w16, w17.dot(p1.x), b5) - cross_entropy(w17.dot(p1.x), p1.label)).tanh() };
        push(out18);
    }

    #[vertex_function]
    pub fn leaf_26(
        #[param(K, E)] w2: Tensor, #[param(V, H)] table4: Tensor, #[param(H)] b6: Tensor,
        #[dim(H)] dh: Dim, #[param(K)] b8: Tensor, #[param(K, K)] w10: Tensor,
        #[param(H, H)] w14: Tensor, #[param(K, E)] w15: Tensor, #[param(2 * K, K)] w16: Tensor,
        #[param(K)] b20: Tensor, #[param(K, H)] w21: Tensor, #[param(K, H)] w22: Tensor,
        #[param(K, H)] w23: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let x7 = b6.relu() + zeros(dh);
        let x9 = (b8.sum() - (x7 + 2.0)).tanh();
        let s11 = w10.mean();
        let mut m12 = x7;
        let mut n13 = scalar(0.0);
        while n13 < 1.5 && m12.max() < -0.2 {
            m12 = (0.7 * m12 + w14.dot(m12).tanh()).tanh();
            n13 += 1.0;
        }
        m12 = m12.tanh();
        let (x17, x18) = halves(w16.dot(w15.dot(p1).maximum(b8).maximum(b8)));
        loss(s11);
        let n19 = 2.0_f64.sqrt() - 1.5;
        scatter(Node { c: ((n19 + w10.dot(x17)).tanh() + b20).tanh(), h: (-b6).log_softmax().tanh() });
        loss((x3 * (w21 + w21).dot(x5) + w22.dot(x9) + w23.dot(m12) + x18).tanh().sum());
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
        #[param(K, E)] w9: Tensor, #[param(H, E)] w10: Tensor, #[param(E, K)] w11: Tensor,
        #[param(E)] b12: Tensor,
    ) {
        let Word { x, .. } = pull();
        let x2 = x * b1;
        let s8 = ((w4 * 2.0).dot(b3).gelu() / (0.5 + (w6.dot(b5) + w7.dot(x)).sigmoid()) * w7.dot(x)).tanh().sum();
        scatter(Node { h: w10.dot(x2).relu(), c: (w9.dot(x2) * s8).tanh() });
        let out13 = Scores { y: w11.dot(b5).tanh(), logits: b12.tanh() * b1 };
        push(out13);
    }

    #[vertex_function]
    pub fn leaf_30(
        #[param(K, E)] w1: Tensor, #[param(E)] b3: Tensor, #[param(E)] b4: Tensor,
        #[param(E, K)] w5: Tensor, #[param(2 * K, E)] w6: Tensor, #[param(H, K)] w9: Tensor,
        #[param(H)] b10: Tensor, #[param(H, K)] w11: Tensor, #[param(K, H)] w12: Tensor,
        #[param(H)] b13: Tensor, #[param(H, H)] w14: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = w1.dot(x);
        let [x7, x8] = w6.dot((x - b3).greater_equal(b4 + 0.35).select(w5.dot(x2), x - b3)).split::<2>();
        loss(cross_entropy((w9.dot(x7) / (b10.log_softmax().sigmoid() + 0.5)).tanh(), label));
        for k in 0..2 {
            loss(cross_entropy(crate::generated::cells::gate(w11, 2.0 + w12.dot(b10), b10).tanh(), label) * (k as f64 + 0.25));
        }
        scatter(Node { h: (w14 + w14).dot(b13).relu().tanh(), c: x8.tanh() });
    }

    #[vertex_function]
    pub fn leaf_31(
        #[param(K, E)] w1: Tensor, #[dim(H)] dh: Dim, #[param(V, E)] table3: Tensor,
        #[param(H)] b5: Tensor, #[param(H, H)] w6: Tensor, #[param(H, K)] w7: Tensor,
        #[param(H)] b8: Tensor, #[param(K, H)] w9: Tensor, #[dim(K)] dk: Dim,
        #[param(K, K)] w15: Tensor, #[param(K, E)] w17: Tensor, #[param(H, H)] w18: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = (w1 * (1.0 / (dh as f64).sqrt())).dot(x);
        let x4 = table3.row(id);
        let x10 = w9.dot(blend(-(w6 + w6).dot(b5), (w7 + w7).dot(x2), b8).tanh());
        let x11 = (zeros(dk).sigmoid() + 0.5).ln() - zeros(dk);
        let s12 = x10.max();
        let mut m13 = x10;
        let mut n14 = scalar(0.0);
        while n14 < 3.5 && m13.max() < -0.2 {
            m13 = (0.7 * m13 + (m13 + w15.dot(m13).tanh()).dropout(0.25)).tanh();
            n14 += 1.0;
        }
        m13 = m13.tanh();
        let s16 = s12;
        scatter(Node { c: (w17.dot(x4) * x11 + m13 + s16).tanh(), h: -w18.dot(b5) });
    }

    #[vertex_function]
    pub fn leaf_32(
        #[param(E)] b1: Tensor, #[param(H)] b4: Tensor, #[param(K, H)] w5: Tensor,
        #[param(K)] b6: Tensor, #[param(K, K)] w7: Tensor, #[dim(K)] dk: Dim,
        #[param(E, E)] w8: Tensor, #[param()] s9: Tensor, #[dim(H)] dh: Dim,
    ) {
        let Word { x, .. } = pull();
        let x2 = x * b1;
        let mut m3 = 1.5 / (0.5 + w5.dot(b4).sigmoid());
        m3 = w7.dot(b6).maximum(zeros(dk)) - m3;
        m3 = m3.tanh();
        loss(((x2.max() + (w8 * 0.5).dot(x2).tanh()) * x).sum());
        push(Out { y: (x2 + s9).relu() });
        let state = Node { c: m3, h: concat([m3, b4]).slice(dk..dk + dh) };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn leaf_33(
        #[param(E)] b1: Tensor, #[param(E, E)] w4: Tensor, #[param(E)] b5: Tensor,
        #[dim(E)] de: Dim, #[param(K)] b7: Tensor, #[param(E, K)] w8: Tensor,
        #[param(K, E)] w11: Tensor, #[param(H)] b12: Tensor, #[param(H, H)] w13: Tensor,
        #[param(H, K)] w14: Tensor, #[param(H)] b16: Tensor, #[dim(H)] dh: Dim,
        #[param(H, E)] w18: Tensor, #[param(H, E)] w19: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = x * b1;
        let mut m3 = x.exp();
        m3 *= affine(w4, x2 + x2, b5);
        let n6 = 0.5 / (1.0 + de as f64);
        m3 *= (n6 / (x.sigmoid() + 0.5)).tanh();
        m3 *= (w8.dot(b7).sigmoid() + 0.5).ln().relu();
        m3 = m3.tanh();
        let (x9, [x15], s10) = (gate(w8, w11.dot(x), b1).tanh().hard_tanh(), [(w4 * (1.0 / de as f64)).dot(x)], w13.dot(b12).pick(w14.dot(b7).argmax()));
        let n17 = 2.0_f64.sqrt() - 0.5;
        loss(cross_entropy(w13.dot(b16) + zeros(dh) - n17, label));
        loss(s10);
        push(Out { y: concat([w4.dot(m3).slice(1..de), w4.dot(m3).slice(0..1)]) });
        scatter(Node { h: ((w18 * 1.5).dot(x9) * (w19 * s10).dot(x15)).tanh(), c: w11.dot(m3).tanh() });
    }

    #[vertex_function]
    pub fn leaf_34(
        #[param(E, E)] w2: Tensor, #[param(H, E)] w6: Tensor, #[param(H)] b7: Tensor,
        #[param(K, H)] w8: Tensor, #[param(E, H + K)] w9: Tensor, #[param(K, E)] w10: Tensor,
        #[dim(K)] dk: Dim, #[param(K)] b13: Tensor, #[param(K)] b14: Tensor,
        #[param(K, K)] w19: Tensor, #[param(H, K)] w20: Tensor, #[param(H)] b21: Tensor,
        #[param(H)] b22: Tensor, #[param(H, H)] w23: Tensor, #[dim(H)] dh: Dim,
        #[param(H, K)] w25: Tensor, #[param()] s26: Tensor, #[param(H)] b27: Tensor,
        #[param(H, H)] w28: Tensor, #[param(H, H)] w29: Tensor, #[param(K)] b30: Tensor,
        #[param()] s31: Tensor,
    ) {
        let p1 = pull::<Signal>().x;
        let n3 = 2.0_f64.sqrt() - 2.0;
        let x4: Tensor = (w2 * n3).dot(p1);
        let x5 = {
            let x4 = x4.tanh() + w9.dot(summary(Node { h: w6.dot(p1), c: w8.tanh().dot(b7) }));
            w10.dot(x4).tanh()
        };
        let x11 = -(x5 * zeros(dk));
        let x12 = scaled(x11.tanh(), dk);
        let s15 = b13.pick(b14.argmax());
        let mut m16 = x11;
        let mut n17 = scalar(0.0);
        loop {
            let s18 = m16.max();
            if n17 > 3.5 || s18 > 0.9 {
                m16 = m16 * s18.sigmoid();
                break;
            }
            m16 = (0.7 * m16 + w19.dot(m16).tanh()).tanh();
            n17 += 1.0;
        }
        m16 = m16.tanh();
        loss(mse(w20.dot(x12 * x11), b21));
        let n24 = 2.0_f64.sqrt() - 0.5;
        loss(mse(concat([blend(w23.dot(b22).clamp(-0.5, 0.75), zeros(dh), zeros(dh)), m16]).slice(dh..dh + dk), n24 - x11));
        scatter(Node { c: (0.5 + (s31 * b30).sigmoid()).ln().tanh(), h: s26 * (w25 * s15).dot(x5) * (w28 + w29).dot(b27) });
    }

    #[vertex_function]
    pub fn leaf_35(
        #[param(E)] b1: Tensor, #[param(V, E)] table3: Tensor, #[param(H, E)] w5: Tensor,
        #[param(H)] b6: Tensor, #[param(K)] b9: Tensor, #[param(K, E)] w10: Tensor,
        #[dim(E)] de: Dim, #[param(E, K)] w12: Tensor, #[param(E, H)] w13: Tensor,
        #[param(K, H)] w14: Tensor, #[param(K, H + K)] w16: Tensor, #[param(H, H)] w17: Tensor,
        #[dim(H)] dh: Dim, #[param(V, H)] table19: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4 = table3.row(id);
        let x7: Tensor = noisy((w5.dot(x2) / (b6.sigmoid() + 0.5)).tanh(), 0.5);
        let x8 = {
            let x11 = scaled(b9 - w10.dot(x), de);
            let x7 = x7.tanh() + 0.75 / (0.5 + x7.sigmoid());
            (w12.dot(x11) + (w13 * 1.5).dot(x7)).tanh().tanh()
        };
        let n15 = 0.5 / (1.0 + de as f64);
        loss(mse(w16.dot(summary(Node { h: x7, c: (w14 * n15).dot(x7) })), b9.softplus()));
        let n18 = 0.75 / (1.0 + dh as f64);
        loss(mse(n18 + w17.dot(x7), x7.maximum(table19.row(id))));
        push(Out { y: -zeros(de) });
        scatter(Node { h: table19.row(id).softplus().tanh(), c: (w10.dot(x4) - w10.dot(x8)).tanh() });
    }
}

pub mod one {
    use super::prelude::*;

    #[vertex_function]
    pub fn one_0(
        #[param(K)] b4: Tensor, #[dim(K)] dk: Dim, #[param(2 * E, K)] w5: Tensor,
        #[param(2 * E)] b6: Tensor, #[dim(H)] dh: Dim, #[param(H, E)] w10: Tensor,
        #[param(H)] b11: Tensor, #[param(H, K)] w12: Tensor, #[param(H)] b13: Tensor,
        #[param(K, E)] w14: Tensor, #[param(K, H)] w15: Tensor, #[param(H, E)] w16: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let [x7, x8]: [Tensor; 2] = (w5.dot(concat([b4.slice(1..dk), b4.slice(0..1)])) + b6).split();
        let mut m9 = zeros(dh).sigmoid();
        m9 = m9.tanh() + crate::generated::cells::gate(w10, x7, b11).log_softmax().tanh();
        m9 = blend(gate(w12, c3, b13), b11.exp(), h2).tanh() - m9;
        m9 = m9.tanh();
        scatter(Node { c: (w14.tanh().dot(x8) + w15.dot(m9)).tanh(), h: w16.dot(x8).tanh() });
    }

    #[vertex_function]
    pub fn one_1(
        #[param(K, E)] w4: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w6: Tensor,
        #[param(E, K)] w7: Tensor, #[dim(H)] dh: Dim, #[param(2 * H, H)] w10: Tensor,
        #[param(2 * H)] b11: Tensor, #[param()] s14: Tensor, #[param(K, H)] w15: Tensor,
        #[param(K)] b16: Tensor, #[param(H)] b17: Tensor, #[param(K, K)] w18: Tensor,
        #[param(E, H + K)] w19: Tensor, #[param(K, E)] w21: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let p3: Signal = pull();
        let x5 = (w4 * (1.0 / de as f64)).dot(p3.x);
        let [x8, x9] = [w6.dot(h2).tanh().log_softmax(), scaled(w7.dot(x5), dh)];
        let (x12, x13) = halves(w10.dot(zeros(dh).exp() / (0.5 + h2.exp().sigmoid())) + b11);
        loss(cross_entropy((0.75 * (s14 + x12)).tanh(), p3.label));
        let state = Node { c: gate(w15, h2.dropout(0.5), b16).tanh(), h: ((2.0 * x13).tanh() - x12).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let out20 = Scores { y: w19.dot(summary(Node { h: b17, c: w18.tanh().dot(x5) })).tanh(), logits: h2.log_softmax().softmax() };
        push(out20);
        loss((w4.dot(x8) * w21.dot(x9)).tanh().sum());
    }

    #[vertex_function]
    pub fn one_2(
        #[param(K, E)] w5: Tensor, #[param(H, K)] w7: Tensor, #[dim(K)] dk: Dim,
        #[dim(H)] dh: Dim, #[param(K)] b9: Tensor, #[param(K, H)] w10: Tensor,
        #[param(K, H)] w11: Tensor, #[param()] s12: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { target: p4, label } = pull::<Gold>();
        let x6 = w5.tanh().dot(p4);
        let s8 = (w7.dot(x6).tanh() * (1.0 / dk as f64) * zeros(dh)).sum();
        loss(cross_entropy(b9.softmax().less(c3 + 0.35).select(zeros(dk), b9.softmax()), label));
        let (h, c) = (h2 * s12, ((w10 + w11).dot(h2) - s8).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn one_3(
        #[param(H, E)] w1: Tensor, #[param(K)] b6: Tensor, #[param(E, K)] w7: Tensor,
        #[dim(E)] de: Dim, #[param(K)] b8: Tensor, #[param(K, K)] w9: Tensor,
        #[param(E, H)] w10: Tensor, #[param(E)] b11: Tensor, #[param(E, E)] w12: Tensor,
        #[param(H, H)] w14: Tensor, #[param(E)] b15: Tensor, #[param(E, E)] w16: Tensor,
        #[param(K, H)] w17: Tensor, #[param(H, K)] w19: Tensor, #[param(H)] b20: Tensor,
        #[dim(K)] dk: Dim,
    ) {
        let Signal { x, .. } = pull();
        let x2 = w1.dot(x);
        let Node { h: h4, .. } = gather(0);
        let parts5 = [concat([w7.dot(b6), b8 / (0.5 + w9.dot(b6).sigmoid())]).slice(0..de), concat([w10.dot(h4).slice(1..de), w10.dot(h4).slice(0..1)]), w12.dot(b11)];
        let mut a13 = zeros(de);
        for k in 1..=2 {
            a13 -= (parts5[k] + blend(w14.norm(), w16.dot(b15), b11)).tanh();
        }
        let x18: Tensor = (w17 + w17).dot(x2.relu());
        loss(mse(x2.tanh().minimum(h4), w19.tanh().dot(x18).tanh()));
        push(Out { y: a13.tanh().exp().tanh() });
        let n21 = 0.5 / (1.0 + dk as f64);
        let state = Node { c: x18.tanh().hard_sigmoid(), h: (n21 * (b20 - h4)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
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
        #[dim(E)] de: Dim, #[param(E)] b10: Tensor, #[param(E, E)] w11: Tensor,
        #[param(E, E)] w12: Tensor, #[param(E, K)] w13: Tensor, #[param(E)] b16: Tensor,
        #[param(K, H)] w17: Tensor, #[param(H, E)] w18: Tensor, #[param(K, H)] w19: Tensor,
    ) {
        let p1 = pull::<Signal>().x;
        let x3: Tensor = w2.dot(p1);
        let v4: Node = gather(0);
        let parts5 = [(x3 / (v4.c.sigmoid() + 0.5) + b6).tanh(), b6.softmax(), w7.dot(v4.c)];
        let mut a8 = b6;
        for k in 0..3 {
            a8 += (parts5[k] - -b6).tanh();
        }
        let n9 = 2.0 / (1.0 + de as f64);
        let [x14, x15] = [(0.5 + (n9 / (0.5 + (w11 + w12).dot(b10).sigmoid())).sigmoid()).ln(), w13.dot(a8).tanh()];
        push(Out { y: b16.maximum(zeros(de)) * v4.c.pick(w17.tanh().dot(v4.h).argmax()) });
        let state = Node { c: w19.dot(v4.h).tanh(), h: (w18.dot(x14) + w18.dot(x15)).tanh() };
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
        #[dim(E)] de: Dim, #[param(E, E)] w10: Tensor, #[param(E)] b11: Tensor,
        #[param(E, K)] w13: Tensor, #[param(V, E)] table15: Tensor, #[param(E, E)] w17: Tensor,
        #[dim(K)] dk: Dim, #[param(V, K)] table21: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b23: Tensor, #[param(K, E)] w24: Tensor, #[param(K, E)] w25: Tensor,
        #[param(K, E)] w26: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = (w2 * 0.75).dot(p1);
        let x5: Tensor = table4.row(id);
        let Node { h: h7, c: c8 } = gather(0);
        b9 /= 1.5;
        b9 -= (0.5 + p1.sigmoid()).ln() - zeros(de);
        b9 = b9.tanh() + w10.dot(x5.maximum(x5));
        b9 = b9.tanh();
        let x12 = b9.greater_equal(x5 + 0.35).select(b11, b9).tanh();
        let x14 = w13.dot(noisy(x3, 0.25)).tanh();
        let s16 = x14.pick(table15.row(id).sample());
        let s18 = w17.dot(x12).sum();
        let mut m19 = x14;
        let x20 = if x12.max() > s16 {
            (x12.square() + 0.5).ln().tanh()
        } else if -0.35 < x14.sum() || 0.1 <= x12.sum() {
            m19 = (x14 - x12.max()).exp().tanh();
            x12.relu().minimum(x14).tanh()
        } else {
            (x14 / (x12.norm() + 0.5)).tanh()
        };
        m19 = m19.tanh();
        loss(concat([x3.slice(1..dk), x3.slice(0..1)]).pick(c8.sample()));
        loss(mse(weighted([c8 * x3, c8, c8]), table21.row(id)).tanh());
        let n22 = 2.0 / (1.0 + dh as f64);
        scatter(Node { c: (n22 / (b23.sigmoid() + 0.5) * b23).tanh(), h: (h7 * h7).log_softmax().tanh() });
        loss(((w24.dot(x5) * s16 + s18).tanh() * w25.tanh().dot(x20) + w26.dot(m19)).tanh().sum());
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
        #[param(E, H)] w4: Tensor, #[dim(E)] de: Dim, #[param(H, E)] w6: Tensor,
        #[param(K)] b7: Tensor, #[param(K, K)] w8: Tensor, #[param(K)] b9: Tensor,
        #[param(E)] b10: Tensor, #[param(K, E)] w11: Tensor, #[param(K)] b12: Tensor,
        #[param(K, K)] w13: Tensor, #[param(E, H)] w14: Tensor, #[param(E)] b15: Tensor,
        #[param(E, E)] w16: Tensor, #[param(K, H)] w17: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let x3 = {
            let x5 = w4.dot(h2).log_softmax() * zeros(de);
            w6.dot(x5).tanh()
        };
        for k in 0..2 {
            loss(mse(w8.dot(b7).exp().maximum(w8.tanh().dot(b9)), w11.dot(b10).minimum(w13.tanh().dot(b12))) * (k as f64 + 0.25));
        }
        scatter(Node { c: blend(indicator(w14.tanh().dot(h2).argmax() != w16.dot(b15).sample()), w11.dot(b10), w17.dot(h2)).tanh(), h: x3 });
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
        #[param()] s15: Tensor, #[param(E, E)] w18: Tensor, #[param(H, K)] w24: Tensor,
        #[param(H, K)] w25: Tensor, #[param(H, E)] w26: Tensor, #[param(H, E)] w27: Tensor,
        #[param(H, E)] w28: Tensor, #[param(K)] b29: Tensor, #[dim(E)] de: Dim,
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
        let mut m21 = x16;
        let mut n22 = scalar(0.0);
        loop {
            let s23 = m21.max();
            if n22 > 2.5 || s23 > -0.2 {
                m21 = m21 * s23.sigmoid();
                break;
            }
            loss(m21.pick(m21.sample()));
            m21 = (0.7 * m21 + x16.relu().minimum(x19).tanh()).tanh();
            loss(0.1 * m21.sum());
            n22 += 1.0;
        }
        m21 = m21.tanh();
        scatter(Node { c: b29 * (1.0 / (de as f64).sqrt()), h: (((w24.dot(x5) + h7) * w25.dot(c8) * x11 + (w26 + w27).dot(x19)).tanh() * s20 + (w28 * s20).dot(m21)).tanh() });
        push(Out { y: (x3.tanh().exp().sigmoid() + 0.5).ln() });
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
        #[param(E)] b2: Tensor, #[param(V, E)] table4: Tensor, #[dim(K)] dk: Dim,
        #[param(2 * K, K)] w7: Tensor, #[param(2 * K)] b8: Tensor, #[param(E)] b11: Tensor,
        #[param(H)] b12: Tensor, #[param(K)] b13: Tensor, #[param(E, H)] w14: Tensor,
        #[param(E, K)] w15: Tensor,
    ) {
        let p1: Word = pull();
        let x3: Tensor = p1.x * b2;
        let x5 = table4.row(p1.id);
        let v6 = gather::<Node>(0);
        let [x9, x10] = (w7.dot(zeros(dk).tanh().tanh()) + b8).split::<2>();
        push(Out { y: blend(b11.softmax(), x5, x3).exp().tanh() });
        scatter(Node { c: (v6.c.maximum(b13) * x9).tanh(), h: (0.5 + (0.5 / (b12.sigmoid() + 0.5)).sigmoid()).ln().tanh() });
        loss((p1.x + w14.dot(v6.h) + w15.dot(x10)).tanh().sum());
    }

    #[vertex_function]
    pub fn one_14(
        #[param(E, E)] w1: Tensor, #[param(E)] b4: Tensor, #[param(K, E)] w5: Tensor,
        #[dim(K)] dk: Dim, #[dim(E)] de: Dim, #[param(H)] b8: Tensor, #[dim(H)] dh: Dim,
        #[param(K, H)] w15: Tensor, #[param(H)] b16: Tensor, #[param(H, H + K)] w17: Tensor,
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
            m11 *= (x7 - x6).tanh() * s9.tanh();
            (x7.sum() + s10).tanh() * x6.sigmoid()
        } else if 0.1 < x7.sum() {
            m11 = (x6 - x7).tanh() * s10.tanh();
            let x13 = if !(-0.35 >= x7.sum() || s9 < 0.2) {
                x7.tanh()
            } else {
                m11 *= (x6.sum() + s9).tanh() * x7.sigmoid();
                (x6 - x7.max()).exp().tanh()
            };
            (x13 + x6.softmax() + 0.5 * x7.tanh()).tanh()
        } else {
            m11 -= (x7.sum() + s9).tanh() * x6.sigmoid();
            let x14 = if x6.max() < s10 {
                x7.softmax() + 0.5 * x6.tanh()
            } else {
                m11 = (x6 - x7.max()).exp().tanh();
                x6.tanh()
            };
            (x14 + (x6 - x7).tanh() * s10.tanh()).tanh()
        };
        m11 = m11.tanh();
        loss(cross_entropy(noisy(x12 * x7, 0.5), label));
        let (h, c) = (w17.dot(summary(Node { h: b16, c: m11 })).tanh(), (w15.dot(v3.h) * x6 * s10 + m11).tanh());
        scatter(Node { h, c });
        push(Out { y: scaled(0.75 * x2, de).tanh() });
    }

    #[vertex_function]
    pub fn one_15(
        #[param(E)] b2: Tensor, #[param(K, K)] w8: Tensor, #[param(K, K)] w9: Tensor,
        #[param(K)] b10: Tensor, #[param(K, H)] w12: Tensor, #[param(K, H)] w13: Tensor,
        #[param(3 * E, K)] w14: Tensor, #[param(E, K)] w18: Tensor, #[param(H, H)] w19: Tensor,
        #[param()] s20: Tensor, #[param()] s21: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b23: Tensor, #[param(K, E)] w24: Tensor, #[param(H, E)] w25: Tensor,
        #[param(H, E)] w26: Tensor, #[param(H, E)] w27: Tensor, #[param(H, E)] w28: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = p1 * b2;
        let Node { h: h5, c: c6 } = gather(0);
        let parts7 = [(w8 + w8).dot(c6).relu().tanh(), w9.dot(c6).tanh(), b10];
        let mut a11 = b10;
        for part in parts7 {
            a11 -= (part + w12.dot(h5)).tanh();
        }
        let [x15, x16, x17] = w14.dot((w12 + w12).dot(h5) * w13.dot(h5)).tanh().split();
        loss(cross_entropy(w18.dot(a11).tanh().exp(), label));
        let n22 = 0.5 / (1.0 + dh as f64);
        let state = Node { c: (w24.dot(x3).pick(a11.sample()) * (n22 / (b23.sigmoid() + 0.5))).tanh(), h: (s20 * s21 + w19.dot(h5)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss(((w25.dot(p1) + w26.tanh().dot(x15)) * w27.tanh().dot(x16) + w28.dot(x17)).tanh().sum());
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
        #[param(H, E)] w5: Tensor, #[param(H)] b7: Tensor, #[param(H, K)] w8: Tensor,
        #[param(K, 2 * H + E)] w9: Tensor, #[param(K)] b11: Tensor, #[param(K, K)] w17: Tensor,
        #[dim(K)] dk: Dim, #[dim(H)] dh: Dim, #[param(3 * H, K)] w19: Tensor,
        #[param(3 * H)] b20: Tensor, #[param()] s22: Tensor, #[param(H, H)] w23: Tensor,
        #[param(H)] b25: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { target: p4, label } = pull::<Gold>();
        let x6 = w5.dot(p4);
        let x10 = w9.dot(concat([b7, w8.tanh().dot(c3), p4])).tanh();
        let x12 = (1.5 + x10 - b11).tanh();
        let s13 = h2.sum();
        let s14 = x12.sum();
        let mut m15 = x12;
        let x16 = if !(0.1 <= x12.sum() || x12.max() < s13) {
            (x10 * x12).sigmoid()
        } else {
            m15 += w17.dot(x10).tanh();
            (x12 / (x10.norm() + 0.5)).tanh()
        };
        m15 = m15.tanh();
        let parts18 = (w19.dot(concat([2.0 - x6, c3]).slice(dh..dh + dk)) + b20).split::<3>();
        let mut a21 = b7;
        for k in 1..=2 {
            a21 += (parts18[k] + (s22 - h2)).tanh() * (k as f64);
        }
        loss(cross_entropy(m15.sigmoid() - x16, label));
        let n24 = 0.5 / (1.0 + dk as f64);
        let (h, c) = (-(w23 * 1.5).dot(a21).tanh(), (n24 - b11 - x6.sum()).tanh());
        scatter(Node { h, c });
        loss((b25.minimum(a21) * s13 + s14).tanh().sum());
    }

    #[vertex_function]
    pub fn one_18(
        #[param(K, H)] w2: Tensor, #[param(H, 2 * K)] w3: Tensor, #[dim(K)] dk: Dim,
        #[dim(H)] dh: Dim, #[param(H)] b5: Tensor, #[param(E, E)] w7: Tensor,
        #[param(E, K)] w9: Tensor, #[param(H)] b14: Tensor, #[param(H, H)] w16: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let x4 = w3.dot(concat([v1.c, w2.dot(v1.h)])).tanh();
        let x6 = (1.0 / dk as f64 / (zeros(dh).sigmoid() + 0.5)).greater(x4 + 0.1).select(b5, 1.0 / dk as f64 / (zeros(dh).sigmoid() + 0.5)).tanh();
        let s8 = w7.mean();
        let n10 = 0.5 / (1.0 + dh as f64);
        let s11 = (w9 * n10).dot(v1.c).tanh().sum();
        let mut m12 = x6;
        let i15 = concat([b5 - b14, zeros(3)]).argmax();
        let x13 = match i15 {
            Index(0) => {
                m12 -= w16.dot(x4).tanh();
                let x17 = if 0.2 < x4.sum() {
                    m12 += (x4.square() + 0.5).ln().tanh();
                    x4.relu().minimum(x6).tanh()
                } else if s8 <= 0.2 {
                    m12 -= (x4 / (x6.norm() + 0.5)).tanh();
                    (x6 * x4).sigmoid()
                } else {
                    m12 += x4.relu().minimum(x6).tanh();
                    x4.relu().minimum(x6).tanh()
                };
                (x17 + w16.dot(x6).tanh()).tanh()
            }
            Index(1) | Index(2) => {
                m12 *= x4.relu().minimum(x6).tanh();
                let x18 = if !(x4.max() > s11 || 0.1 >= x4.sum()) {
                    x6.tanh()
                } else {
                    m12 -= (x4 - x6).tanh() * s11.tanh();
                    (x6.square() + 0.5).ln().tanh()
                };
                (x18 + (x6 * x4).sigmoid()).tanh()
            }
            _ => {
                (x6.square() + 0.5).ln().tanh()
            }
        };
        m12 = m12.tanh();
        let n19 = 2.0_f64.sqrt() - 0.75;
        scatter(Node { h: v1.h.minimum(x13).tanh(), c: (((w2.dot(x6) + s8) * s11).tanh() - w2.dot(x13) + (w2 * n19).dot(m12)).tanh() });
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
        #[param(3 * E, H)] w9: Tensor, #[param(3 * E)] b10: Tensor, #[param(H, E)] w14: Tensor,
        #[param()] s15: Tensor, #[param(K)] b16: Tensor, #[dim(K)] dk: Dim,
        #[param()] s18: Tensor, #[param(H)] b19: Tensor, #[param(K, H)] w20: Tensor,
        #[param(H)] b21: Tensor, #[param(H, H)] w22: Tensor, #[param(H)] b23: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = p1 * b2;
        let Node { h: h5, c: c6 } = gather(0);
        let parts7 = (w9.dot(b8.hard_tanh() - zeros(dh).sum()) + b10).split::<3>();
        let mut a11 = b2;
        for k in 0..3 {
            a11 = a11.tanh() + (parts7[k] + (x3 - p1)).tanh();
        }
        let (x12, [x17], s13) = ((s15 - w14.dot(a11)).tanh().relu(), [c6 - s18], b16.tanh().pick(zeros(dk).sample()));
        for k in 0..2 {
            loss(cross_entropy((1.5 / (x17.sigmoid() + 0.5)).tanh().elu(0.7), label) * (k as f64 + 0.25));
        }
        loss(cross_entropy((w20 * s13).dot(-b19), label));
        scatter(Node { c: (0.75 / (b16.sigmoid() + 0.5)).tanh(), h: blend(s13, b21, w22.dot(x12)).dropout(0.1).tanh() });
        let out24 = Scores { y: (0.75 / (p1.sigmoid() + 0.5)).tanh(), logits: concat([b23, x17]).slice(dh..dh + dk).sum() };
        push(out24);
        loss(h5.sum());
    }

    #[vertex_function]
    pub fn one_22(
        #[param(H, K)] w4: Tensor, #[param(K)] b5: Tensor, #[param(H)] b6: Tensor,
        #[param(H, H)] w12: Tensor, #[param(K, H)] w13: Tensor, #[param(K, H)] w14: Tensor,
        #[param(K, H)] w15: Tensor, #[param(E, H)] w16: Tensor,
    ) {
        let v1: Node = gather(0);
        let n2 = 2.0_f64.sqrt() - 0.75;
        let x3 = (0.75 / ((n2 - v1.h).sigmoid() + 0.5)).tanh();
        let x7 = affine(w4, b5.minimum(v1.c), b6);
        let s8 = x7.sum().tanh();
        let s9 = s8;
        let mut m10 = x7;
        let x11 = if x7.max() <= s9 || 0.2 < x7.sum() {
            m10 += (x7 * x3).sigmoid();
            (x7 - x3).tanh() * s9.tanh()
        } else if s8 >= 0.2 {
            w12.dot(x3).tanh()
        } else {
            (x3 - x7).tanh() * s8.tanh()
        };
        m10 = m10.tanh();
        let state = Node { c: ((w13.dot(x3) + s9 + w14.dot(x11)).tanh() - (w15 * s9).dot(m10)).tanh(), h: m10.sigmoid() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let out17 = Scores { y: (w16.dot(m10) + w16.dot(x11)).tanh(), logits: v1.c.tanh() * 2.0 };
        push(out17);
    }

    #[vertex_function]
    pub fn one_23(
        #[param(E, H)] w2: Tensor, #[param(H, H)] w12: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b13: Tensor, #[param(K, E)] w14: Tensor, #[param(K, E)] w15: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let x3 = (0.5 + w2.dot(v1.h).sigmoid()).ln().dropout(0.25).tanh();
        let x4 = noisy(x3, 0.5).hard_sigmoid();
        let s5 = v1.h.pick(v1.h.argmax());
        let s6 = s5;
        let mut m7 = x4;
        let i9 = concat([x4.leaky_relu(0.1), zeros(3)]).argmax();
        let x8 = match i9 {
            Index(0) => {
                m7 -= x3.softmax() + 0.5 * x4.tanh();
                (x3 * x4).sigmoid()
            }
            Index(1) | Index(2) => {
                m7 -= (x3 * x4).sigmoid();
                let x10 = if !(0.1 > x3.sum() || x4.max() >= s6) {
                    m7 = x4.softmax() + 0.5 * x3.tanh();
                    let x11 = if s6 >= -0.35 && s5 >= 0.2 {
                        m7 = (x4.sum() + s6).tanh() * x3.sigmoid();
                        (x4.sum() + s6).tanh() * x3.sigmoid()
                    } else {
                        x4.relu().minimum(x3).tanh()
                    };
                    (x11 + (x3 * x4).sigmoid()).tanh()
                } else if 0.2 <= x4.sum() {
                    m7 *= x4.relu().minimum(x3).tanh();
                    (x3.sum() + s6).tanh() * x4.sigmoid()
                } else {
                    (x4 - x3).tanh() * s5.tanh()
                };
                (x10 + (x4.sum() + s6).tanh() * x3.sigmoid()).tanh()
            }
            _ => {
                m7 = x3.tanh();
                (x3.sum() + s6).tanh() * x4.sigmoid()
            }
        };
        m7 = m7.tanh();
        let (h, c) = (concat([w12.dot(v1.h).slice(1..dh), w12.dot(v1.h).slice(0..1)]).tanh(), noisy(blend(s6, v1.c, b13), 0.25).tanh());
        scatter(Node { h, c });
        loss((w14.dot(x8) - w15.tanh().dot(m7)).tanh().sum());
    }

    #[vertex_function]
    pub fn one_24(
        #[param(E)] b3: Tensor, #[dim(H)] dh: Dim, #[param()] s4: Tensor,
        #[param(4 * K, E)] w5: Tensor, #[param(4 * K)] b6: Tensor, #[param(K, H)] w11: Tensor,
        #[param(H)] b12: Tensor, #[param(E)] b13: Tensor, #[param(E, K)] w14: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let [x7, x8, x9, x10] = (w5.dot(s4.sigmoid() - b3 * (1.0 / dh as f64)) + b6).split::<4>();
        let state: Node = Node { h: b12 * h2, c: (((w11.dot(h2) + x7) * x8).tanh() + x9 + x10).tanh() };
        scatter(state);
        push(Out { y: (b13 + w14.dot(x9)).tanh().gelu() });
    }

    #[vertex_function]
    pub fn one_25(
        #[param(H, H)] w3: Tensor, #[dim(E)] de: Dim, #[param(E)] b5: Tensor,
        #[param(K, E)] w6: Tensor, #[param(K, H + K)] w7: Tensor, #[param(K)] b8: Tensor,
        #[param(E, K)] w10: Tensor, #[dim(K)] dk: Dim, #[param(H, E)] w12: Tensor,
        #[param(E, E)] w13: Tensor, #[param(H)] b14: Tensor,
    ) {
        let v1: Node = gather(0);
        let x2 = {
            let n4 = 1.5 / (1.0 + de as f64);
            let x9 = w7.dot(summary(Node { h: (w3 * n4).dot(v1.h), c: w6.dot(b5) })).maximum(b8);
            let x11 = (w10 * (1.0 / dk as f64)).dot(x9).tanh().log_softmax().tanh().log_softmax();
            w12.dot(x11).tanh()
        };
        push(Out { y: w13.dot(b5).sigmoid() });
        let state: Node = Node { h: (b14.relu() - w12.dot(b5)).tanh(), c: v1.c.exp().dropout(0.25).tanh() };
        scatter(state);
        loss(x2.sum());
    }

    #[vertex_function]
    pub fn one_26(
        #[param(E, H)] w5: Tensor, #[param(H)] b6: Tensor, #[param()] s7: Tensor,
        #[param(E)] b8: Tensor, #[param(E)] b9: Tensor, #[param(E, E)] w10: Tensor,
        #[dim(E)] de: Dim, #[param(E, H)] w12: Tensor, #[param(E)] b13: Tensor,
        #[dim(H)] dh: Dim, #[param(H, K)] w15: Tensor, #[param(H)] b16: Tensor,
        #[param(E, H)] w18: Tensor, #[param(H, H)] w22: Tensor, #[param(K, H)] w23: Tensor,
        #[param(K, H)] w24: Tensor, #[param(H)] b25: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let parts4 = [gate(w5, b6 - s7, b8), w10.dot(b9).softmax(), zeros(de)];
        let mut a11 = b8;
        for k in 1..=2 {
            a11 += (parts4[k] + gate(w12, h2, b13)).tanh() * (k as f64);
        }
        let x14 = (h2 + zeros(dh)).tanh();
        let x17 = w15.dot(c3).tanh() + b16;
        let s19 = (w18.dot(x17) * a11).tanh().sum();
        let mut m20 = x14;
        let mut n21 = scalar(0.0);
        while n21 < 3.5 && m20.max() < 0.4 {
            m20 = (0.7 * m20 + (m20 + w22.dot(m20).tanh()).noise(0.1)).tanh();
            n21 += 1.0;
        }
        m20 = m20.tanh();
        let (h, c) = (b25 / (b6.sigmoid() + 0.5), ((w23.dot(x14) - s19) * w24.dot(m20)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn one_27(
        #[param(H, E)] w1: Tensor, #[param(E, K)] w4: Tensor, #[dim(K)] dk: Dim,
        #[param()] s6: Tensor, #[param(E, K)] w7: Tensor, #[param(H)] b11: Tensor,
        #[param(E, K)] w15: Tensor, #[dim(E)] de: Dim, #[param(K, H)] w21: Tensor,
        #[param(K, E)] w22: Tensor, #[param(K, 2 * K + E)] w23: Tensor,
        #[param(K, K)] w28: Tensor, #[param(H, E)] w29: Tensor, #[param(H, K)] w30: Tensor,
        #[param(H, K)] w31: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = w1.dot(target);
        let v3: Node = gather(0);
        let n5 = 2.0 / (1.0 + dk as f64);
        let x8 = ((s6 + (w4 * n5).dot(v3.c)) * w7.dot(v3.c)).tanh();
        let x9 = (1.5 / (x8.log_softmax().sigmoid() + 0.5)).tanh();
        let s10 = v3.c.max();
        let s12 = mse(b11, v3.h);
        let mut m13 = x9;
        let i16 = concat([w15.tanh().dot(v3.c) - 1.0 / (de as f64).sqrt(), zeros(3)]).argmax();
        let x14 = match i16 {
            Index(0) => {
                m13 = x8.softmax() + 0.5 * x9.tanh();
                let x17 = if x8.max() > s10 || 0.1 >= x9.sum() {
                    m13 = x9.relu().minimum(x8).tanh();
                    x8.softmax() + 0.5 * x9.tanh()
                } else {
                    m13 += (x9 - x8).tanh() * s10.tanh();
                    x8.relu().minimum(x9).tanh()
                };
                (x17 + (x8 / (x9.norm() + 0.5)).tanh()).tanh()
            }
            Index(1) | Index(2) => {
                m13 = (x8.sum() + s12).tanh() * x9.sigmoid();
                x8.relu().minimum(x9).tanh()
            }
            _ => {
                m13 += x9.softmax() + 0.5 * x8.tanh();
                let x18 = if -0.35 >= x8.sum() && -0.35 < x9.sum() {
                    (x8.sum() + s12).tanh() * x9.sigmoid()
                } else {
                    let x19 = if s10 > 0.2 {
                        m13 -= x9.tanh();
                        (x9.sum() + s12).tanh() * x8.sigmoid()
                    } else {
                        (x9 - x8.max()).exp().tanh()
                    };
                    (x19 + (x9.square() + 0.5).ln().tanh()).tanh()
                };
                (x18 + x9.relu().minimum(x8).tanh()).tanh()
            }
        };
        m13 = m13.tanh();
        let x20 = v3.c.tanh().sigmoid();
        let x24 = w23.dot(concat([w21.dot(x2), x14, w22.dot(m13)])).tanh();
        let s25 = s12;
        let mut m26 = x20;
        let mut n27 = scalar(0.0);
        while n27 < 1.5 && m26.max() < 0.4 {
            m26 = (0.7 * m26 + w28.dot(m26).tanh()).tanh();
            n27 += 1.0;
        }
        m26 = m26.tanh();
        let state = Node { c: (1.0 / de as f64 / (0.5 + w28.dot(m26).sigmoid())).tanh(), h: ((w29.dot(x9) + s10) * w30.tanh().dot(x20) + (w30 * s25.tanh()).dot(x24) + w31.tanh().dot(m26)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn one_28(
        #[dim(K)] dk: Dim, #[param(E)] b2: Tensor, #[param(K, K)] w3: Tensor,
        #[param(H, K)] w6: Tensor, #[param(H, K)] w7: Tensor, #[param(E, H)] w8: Tensor,
        #[param(H)] b9: Tensor, #[param(E, K)] w10: Tensor,
    ) {
        let v1: Node = gather(0);
        let [x4, x5] = [concat([v1.c, b2.tanh()]).slice(0..dk), weighted([v1.c, v1.c, w3.dot(v1.c)])];
        scatter(Node { c: concat([x5.slice(1..dk), x5.slice(0..1)]).tanh(), h: ((v1.h - w6.dot(x4)) * w7.dot(x5)).tanh() });
        let out11 = Scores { y: gate(w8, b9, b2), logits: -w10.dot(x4).maximum(b2) };
        push(out11);
    }

    #[vertex_function]
    pub fn one_29(
        #[param(H)] b2: Tensor, #[param(E, K)] w6: Tensor, #[dim(E)] de: Dim,
        #[param(K, E)] w7: Tensor, #[param()] s9: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w14: Tensor, #[param(H, H)] w15: Tensor, #[param(K)] b16: Tensor,
        #[param(K, H)] w17: Tensor,
    ) {
        let v1: Node = gather(0);
        let [x3, x4]: [Tensor; 2] = [v1.h.sigmoid() * v1.h, b2 + v1.h];
        let x5 = v1.c.tanh().less(v1.c + 0.35).select(v1.c, v1.c.tanh());
        let x8 = w7.dot(scaled(w6.dot(x5), de)).tanh();
        let s10 = s9.tanh();
        let s11 = s10.tanh();
        let mut m12 = x8;
        let x13 = if -0.35 >= x8.sum() {
            m12 *= (x8 / (x5.norm() + 0.5)).tanh();
            (x8 * x5).sigmoid()
        } else {
            m12 += (x5 - x8).tanh() * s10.tanh();
            x5.relu().minimum(x8).tanh()
        };
        m12 = m12.tanh();
        for k in 0..2 {
            loss(mse(v1.c.softmax().dropout(0.1), 1.0 / dk as f64 / (w14.dot(x3).sigmoid() + 0.5)) * (k as f64 + 0.25));
        }
        let state = Node { c: b16.sigmoid(), h: (1.5 / (w15.dot(v1.h).sigmoid() + 0.5)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss(((w17.dot(x4) + x8 + s11 - x13).tanh() * m12).sum());
    }

    #[vertex_function]
    pub fn one_30(
        #[param(E)] b2: Tensor, #[param(V, H)] table4: Tensor, #[param(K)] b9: Tensor,
        #[param(K, K)] w10: Tensor, #[param(H, K)] w12: Tensor, #[dim(K)] dk: Dim,
        #[param(K, E)] w13: Tensor, #[param(K, 2 * K + E)] w14: Tensor,
        #[param(2 * K, K)] w15: Tensor, #[param(2 * K)] b16: Tensor, #[param(H)] b19: Tensor,
        #[param(H)] b20: Tensor, #[param(K, H)] w21: Tensor, #[dim(H)] dh: Dim,
    ) {
        let p1: Word = pull();
        let x3 = p1.x * b2;
        let x5 = table4.row(p1.id);
        let Node { h: h7, .. } = gather(0);
        let x8 = {
            let x11 = 2.0 - w10.dot(b9);
            w12.tanh().dot(x11).tanh()
        };
        let (x17, x18) = halves(w15.dot(w14.dot(concat([p1.x, zeros(dk), w13.dot(x3)]))) + b16);
        loss(((table4.row(p1.id) - b19) * x5 * b20).sum());
        scatter(Node { h: concat([h7, x3]).slice(0..dh), c: (w21.dot(h7) + w21.dot(x8) - x17 + x18).tanh() });
    }

    #[vertex_function]
    pub fn one_31(
        #[param(K, E)] w5: Tensor, #[param(H)] b7: Tensor, #[param(4 * H, H)] w8: Tensor,
        #[param(K)] b13: Tensor, #[dim(K)] dk: Dim, #[param(K, K)] w14: Tensor,
        #[param(K)] b15: Tensor, #[param(E)] b16: Tensor, #[param(E, E)] w17: Tensor,
        #[param(E, K)] w18: Tensor, #[param(K, H)] w19: Tensor, #[param(E, E)] w21: Tensor,
        #[param(H, K)] w22: Tensor, #[param(E, H)] w23: Tensor,
        #[param(H, H + 2 * E)] w24: Tensor, #[param(K, H)] w25: Tensor,
        #[param(K, H)] w26: Tensor, #[param(K, H)] w27: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let p4 = pull::<Gold>().target;
        let x6 = w5.dot(p4);
        let [x9, x10, x11, x12] = w8.dot(b7.exp().tanh()).split();
        loss(((b13 - zeros(dk)).softplus() * c3).tanh().sum());
        for k in 0..2 {
            loss(mse(((w14.dot(x6) / (0.5 + b15.sigmoid())).sigmoid() + 0.5).ln(), w5.dot(b16) * (1.0 / (dk as f64).sqrt())) * (k as f64 + 0.25));
        }
        let out20 = Scores { y: w17.dot(b16) * w18.dot(c3), logits: (0.5 + w19.dot(x12).maximum(c3).sigmoid()).ln() };
        push(out20);
        let state: Node = Node { h: w24.dot(concat([w21.dot(b16), w22.dot(c3), w23.dot(x10)])).tanh(), c: (c3.exp() + x6).tanh() };
        scatter(state);
        loss(((w25 + w19).dot(h2) + w26.dot(x9) + w27.dot(x11)).tanh().sum());
    }

    #[vertex_function]
    pub fn one_32(
        #[param()] s3: Tensor, #[dim(H)] dh: Dim, #[param(3 * H, H)] w4: Tensor,
        #[param(3 * H)] b5: Tensor, #[param(H)] b7: Tensor, #[param(H, K)] w8: Tensor,
        #[param(H, H)] w9: Tensor, #[param(E)] b10: Tensor, #[param(H, E)] w11: Tensor,
        #[dim(K)] dk: Dim, #[param(K, 2 * H + K)] w12: Tensor, #[param(K)] b13: Tensor,
        #[param(E)] b14: Tensor, #[param(K, E)] w15: Tensor, #[param(K, E)] w16: Tensor,
    ) {
        let v1: Node = gather(0);
        let parts2 = (w4.dot(1.0 / (dh as f64).sqrt() * s3 - -v1.h) + b5).split::<3>();
        let mut a6 = b7;
        for k in 0..3 {
            a6 = a6.tanh() + (parts2[k] * w8.dot(v1.c).exp().tanh()).tanh();
        }
        loss(w9.sum());
        loss(mse(w12.dot(concat([a6, w11.dot(b10), zeros(dk)])), b13.tanh()));
        let (h, c) = ((a6 / (a6.sigmoid() + 0.5)).tanh().sigmoid(), (w15 + w16).dot(b14).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn one_33(
        #[param(E, E)] w2: Tensor, #[param(E, K)] w4: Tensor, #[param(E)] b6: Tensor,
        #[param()] s7: Tensor, #[dim(E)] de: Dim, #[param(E, E)] w16: Tensor,
        #[param(E, E)] w17: Tensor, #[param(K, H)] w18: Tensor, #[param(H)] b19: Tensor,
    ) {
        let v1: Node = gather(0);
        let Gold { label, target } = pull();
        let x3: Tensor = w2.dot(target);
        let x5 = -w4.dot(v1.c).tanh();
        let n8 = 2.0 / (1.0 + de as f64);
        let x9 = (s7 + b6 + n8).tanh();
        let s10 = s7.tanh();
        let mut m11 = x5;
        let mut n12 = scalar(0.0);
        loop {
            let s13 = m11.max();
            if n12 > 1.5 || s13 > 0.9 {
                m11 = m11 * s13.sigmoid();
                break;
            }
            m11 = (0.7 * m11 + (x9 - x5).tanh() * s10.tanh()).tanh();
            let x14 = if 0.2 <= x5.sum() {
                let x15 = if s10 >= 0.2 || 0.2 > x9.sum() {
                    x9.tanh()
                } else {
                    m11 *= (x5.square() + 0.5).ln().tanh();
                    w16.dot(x5).tanh()
                };
                (x15 + (x5 - x9).tanh() * s10.tanh()).tanh()
            } else {
                m11 = (x5 / (x9.norm() + 0.5)).tanh();
                x5.relu().minimum(x9).tanh()
            };
            m11 = m11 * x14.sigmoid();
            loss(0.1 * m11.sum());
            n12 += 1.0;
        }
        m11 = m11.tanh();
        loss(cross_entropy(m11.tanh() * w2.dot(x3), label));
        push(Out { y: (concat([x9, x5]).slice(0..de) - w17.dot(x9)).tanh() });
        let state = Node { c: (w18.dot(v1.h) - s10).tanh(), h: -b19 };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn one_34(
        #[param(E, E)] w3: Tensor, #[dim(H)] dh: Dim, #[param()] s9: Tensor,
        #[param(K)] b13: Tensor, #[param(E)] b14: Tensor, #[param(K, H)] w15: Tensor,
        #[param(K, E)] w16: Tensor, #[param(H, H)] w17: Tensor, #[param(E, H)] w18: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Word { x, .. } = pull();
        let x4 = w3.dot(x);
        let mut m5 = zeros(dh).minimum(h2);
        m5 /= 0.75;
        m5 = m5.tanh();
        let x6 = (x4.dropout(0.1) - 2.0).tanh();
        let x7 = (0.5 + x6.softmax().sigmoid()).ln();
        let s8 = indicator(x7.argmax() != x4.sample());
        let s10 = 1.5 - s9;
        let x11 = if 0.1 < x6.sum() && 0.1 < x6.sum() {
            x6.softmax() + 0.5 * x7.tanh()
        } else {
            let x12 = if s8 >= 0.1 {
                (x7.sum() + s8).tanh() * x6.sigmoid()
            } else {
                (x7.sum() + s8).tanh() * x6.sigmoid()
            };
            (x12 + (x6 - x7).tanh() * s10.tanh()).tanh()
        };
        for k in 0..2 {
            loss(s10 * (k as f64 + 0.25));
        }
        loss((weighted([b13, b13, b13]) + b14.sum()).tanh().sum());
        let state = Node { c: (w15.dot(m5) + s8 + (w16 * 1.5).dot(x11)).tanh(), h: w17.dot(h2).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: w18.dot(m5).maximum(b14) });
    }

    #[vertex_function]
    pub fn one_35(
        #[param(H)] b3: Tensor, #[dim(H)] dh: Dim, #[param(K)] b5: Tensor,
        #[param(K, K)] w6: Tensor, #[param(E)] b7: Tensor, #[param(K, E)] w8: Tensor,
        #[param(H, K)] w9: Tensor, #[param(E, E)] w11: Tensor, #[dim(E)] de: Dim,
        #[param(H, K)] w16: Tensor, #[param(E)] b17: Tensor, #[param(K, H)] w18: Tensor,
        #[param(K, H)] w19: Tensor, #[param(K, H)] w20: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let x4 = h2 * b3 / (0.5 + (zeros(dh) / (0.5 + b3.sigmoid())).sigmoid());
        let x10 = w9.dot(w6.dot(b5) + w8.dot(b7)).tanh();
        let s12 = w11.mean();
        let mut m13 = x4;
        let mut n14 = scalar(0.0);
        loop {
            let s15 = m13.max();
            if n14 > 1.5 || s15 > 0.4 {
                m13 = m13 * s15.sigmoid();
                break;
            }
            m13 = (0.7 * m13 + (m13 + x4.relu().minimum(x10).tanh()).dropout(0.25)).tanh();
            n14 += 1.0;
        }
        m13 = m13.tanh();
        loss(mse(mse(b3, w16.dot(b5)) + zeros(de), b17.exp()));
        let state = Node { c: ((w18 * s12.tanh()).dot(x4) + w19.dot(x10) + w20.dot(m13)).tanh(), h: concat([b3.slice(1..dh), b3.slice(0..1)]) };
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
        #[param(K, K)] w9: Tensor, #[param(K, E)] w10: Tensor, #[param(E, E)] w13: Tensor,
        #[param(K, K)] w19: Tensor, #[dim(E)] de: Dim, #[param(H)] b20: Tensor,
        #[param(E, 2 * H + E)] w21: Tensor, #[param(H, E)] w22: Tensor,
        #[param(H, E)] w23: Tensor, #[param(H, K)] w24: Tensor, #[param(H, K)] w25: Tensor,
        #[param(H, K)] w26: Tensor, #[param(H, K)] w27: Tensor, #[param(K)] b28: Tensor,
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
            m16 -= (x11 * x12).sigmoid();
            (x11.square() + 0.5).ln().tanh()
        } else if s14 >= -0.35 && 0.1 >= x11.sum() {
            m16 *= x12.relu().minimum(x11).tanh();
            let x18 = if x12.max() < s15 {
                m16 -= x12.softmax() + 0.5 * x11.tanh();
                x12.softmax() + 0.5 * x11.tanh()
            } else if x11.max() > s15 && x12.max() > s15 {
                m16 -= x12.relu().minimum(x11).tanh();
                (x12 / (x11.norm() + 0.5)).tanh()
            } else {
                m16 += (x12 - x11.max()).exp().tanh();
                w19.dot(x12).tanh()
            };
            (x18 + (x12 - x11).tanh() * s15.tanh()).tanh()
        } else {
            (x12 * x11).sigmoid()
        };
        m16 = m16.tanh();
        push(Out { y: w21.dot(concat([h3, zeros(de), b20])) });
        let state = Node { c: scaled(b28, dk), h: (((h5 + (w22 + w23).dot(x)) * w24.dot(x11) + (w25 * s15.tanh()).dot(x12)).tanh() + w26.dot(x17) - w27.dot(m16)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn pair_2(
        #[param(E, E)] w1: Tensor, #[param(V, E)] table3: Tensor, #[dim(H)] dh: Dim,
        #[dim(K)] dk: Dim, #[dim(E)] de: Dim, #[param(E, K)] w10: Tensor,
        #[param(E, E)] w12: Tensor, #[param(E, E)] w18: Tensor, #[param(V, E)] table19: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = w1.dot(x);
        let x4 = table3.row(id);
        let v5: Node = gather(0);
        let Node { h: h7, .. } = gather_or(1, Node { h: zeros(dh), c: zeros(dk) });
        let x8 = {
            let x9 = 0.5 / (v5.c.sigmoid() + 0.5) - zeros(de).sum();
            w10.dot(x9).tanh()
        };
        let x11 = (x2 + x2).less(table3.row(id) + 0.1).select(x4, x2 + x2).tanh();
        let x13 = (w12.dot(x11) - x8).tanh();
        let s14 = v5.c.sum();
        let mut m15 = x11;
        let mut n16 = scalar(0.0);
        while n16 < 3.5 && m15.max() < 0.9 {
            m15 = (0.7 * m15 + w1.dot(m15).tanh()).tanh();
            let mut n17 = scalar(0.0);
            while n17 < 2.5 && m15.max() < 0.9 {
                m15 = (0.7 * m15 + (m15 + w18.dot(m15).tanh()).noise(0.1)).tanh();
                n17 += 1.0;
            }
            n16 += 1.0;
        }
        m15 = m15.tanh();
        loss(s14);
        loss((scaled(table19.row(id).tanh(), dk) * m15).sum());
        push(Out { y: x.relu() + x13 });
        scatter(Node { h: (-(1.0 / dh as f64 / (v5.h.sigmoid() + 0.5))).tanh(), c: v5.c.exp().sigmoid() });
        loss(h7.sum());
    }

    #[vertex_function]
    pub fn pair_3(
        #[param(H)] b2: Tensor, #[dim(K)] dk: Dim, #[param(K, E)] w4: Tensor,
        #[param(K, K)] w6: Tensor, #[param()] s8: Tensor, #[param(E, H)] w10: Tensor,
        #[param(E, E)] w11: Tensor, #[param(K, K)] w15: Tensor, #[param(H, H)] w16: Tensor,
        #[param(H, H)] w17: Tensor, #[param(H, K)] w18: Tensor, #[param(H, H + K)] w19: Tensor,
        #[param(K)] b20: Tensor, #[param(E, K)] w21: Tensor, #[dim(E)] de: Dim,
        #[param(H)] b22: Tensor, #[param(H, K)] w23: Tensor, #[param(H, K)] w24: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let v3 = gather_or::<Node>(1, Node { h: b2, c: zeros(dk) });
        let Gold { label, target } = pull();
        let x5 = w4.dot(target);
        let x7 = w6.dot(v3.c).exp().tanh().hard_tanh();
        let x9 = v3.c.maximum(zeros(dk)) + s8.tanh();
        let s12 = (w10.dot(v1.h) * w11.dot(target)).tanh().sum();
        let mut m13 = x7;
        let mut n14 = scalar(0.0);
        while n14 < 3.5 && m13.max() < 0.4 {
            loss(m13.pick(m13.sample()));
            m13 = (0.7 * m13 + (m13 + w15.dot(m13).tanh()).variational_dropout(0.1)).tanh();
            n14 += 1.0;
        }
        m13 = m13.tanh();
        loss(cross_entropy(((w16 + w17).dot(v3.h) * v3.h).maximum(v1.h), label));
        loss(cross_entropy(b2.exp().greater_equal(w18.dot(v1.c) + 0.35).select(v3.h, b2.exp()), label).tanh());
        let (h, c) = ((w19.dot(summary(Node { h: b2, c: (w4 * 0.75).dot(target) })) * v1.h).tanh(), (0.75 / (b20.maximum(zeros(dk)).sigmoid() + 0.5)).tanh());
        scatter(Node { h, c });
        push(Out { y: concat([w21.dot(m13), v3.h - b22]).slice(0..de) });
        loss((((w23 + w18).dot(x5) + w24.tanh().dot(x7) + w18.tanh().dot(x9)).tanh() + s12).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_4(
        #[dim(H)] dh: Dim, #[param(K)] b1: Tensor, #[param(E)] b2: Tensor,
        #[param(K, E)] w3: Tensor, #[param(E, K)] w6: Tensor, #[param()] s8: Tensor,
        #[param()] s9: Tensor, #[param(E)] b11: Tensor, #[param(K, H)] w17: Tensor,
        #[param(K, H)] w18: Tensor, #[param(K, E)] w19: Tensor, #[param(K, E)] w20: Tensor,
        #[param(K, E)] w21: Tensor,
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
                (x7 - x10.max()).exp().tanh()
            } else {
                m14 += (x10 / (x7.norm() + 0.5)).tanh();
                (x10 / (x7.norm() + 0.5)).tanh()
            };
            (x16 + x7.relu().minimum(x10).tanh()).tanh()
        } else {
            (x7 * x10).sigmoid()
        };
        m14 = m14.tanh();
        push(Out { y: ((w6 * s13).dot(v4.c) + b2).sigmoid() });
        let (h, c) = (concat([v4.h.slice(1..dh), v4.h.slice(0..1)]), (((w17 * 1.5).dot(v4.h) + (w18 * 0.5).dot(v5.h) + (w3 + w19).dot(x15)).tanh() + (w20 + w21).dot(m14)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn pair_5(
        #[param(E, E)] w2: Tensor, #[param(H)] b7: Tensor, #[dim(K)] dk: Dim,
        #[param(K, K)] w9: Tensor, #[param(K)] b11: Tensor, #[dim(E)] de: Dim,
        #[param(H, K)] w14: Tensor, #[param(K, K)] w19: Tensor, #[param(K, E)] w20: Tensor,
        #[param(K, E)] w21: Tensor, #[param(K, H)] w22: Tensor, #[param(H, K)] w23: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x3 = w2.dot(p1);
        let Node { h: h5, c: c6 } = gather(1);
        let v8: Node = gather_or(0, Node { h: b7, c: zeros(dk) });
        let x10 = weighted([(w9 + w9).dot(v8.c), c6, c6]).tanh().log_softmax().tanh();
        let n12 = 2.0 / (1.0 + de as f64);
        let x13 = (b11 * n12).maximum(x10);
        let s15 = (w14 + w14).dot(x10).pick(v8.h.sample());
        let mut m16 = x10;
        let mut n17 = scalar(0.0);
        loop {
            let s18 = m16.max();
            if n17 > 3.5 || s18 > 0.4 {
                break;
            }
            m16 = (0.7 * m16 + w19.dot(m16).tanh()).tanh();
            n17 += 1.0;
        }
        m16 = m16.tanh();
        loss(s15);
        loss(s15 - 1.5);
        let state = Node { c: (w20.dot(x3) + w21.dot(p1) + w22.dot(h5) + x13).tanh() * m16, h: ((w23 * s15.tanh()).dot(c6) + v8.h).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn pair_6(
        #[dim(H)] dh: Dim, #[param(K)] b1: Tensor, #[dim(K)] dk: Dim, #[param(E)] b9: Tensor,
        #[param(V, E)] table11: Tensor, #[param(K, K)] w13: Tensor,
        #[param(4 * E, K)] w14: Tensor, #[param(4 * E)] b15: Tensor, #[param(K)] b20: Tensor,
        #[param(H, E)] w22: Tensor, #[param(H, E)] w23: Tensor, #[param(H, E)] w24: Tensor,
        #[param(H, E)] w25: Tensor, #[param(K, H)] w26: Tensor,
    ) {
        let Node { h: h3, c: c4 } = gather_or(1, Node { h: zeros(dh), c: b1 });
        let Node { h: h6, c: c7 } = gather_or(0, Node { h: (0.5 - h3).tanh(), c: zeros(dk).tanh() });
        let p8: Word = pull();
        let x10 = p8.x * b9;
        let x12 = table11.row(p8.id);
        let [x16, x17, x18, x19] = (w14.dot(crate::generated::cells::gate(w13, c4.exp(), b1)) + b15).tanh().split();
        loss((noisy(h6, 0.25).dropout(0.5) * h3).sum().tanh());
        loss(indicator((-c7.sigmoid()).argmax() == c7.sample()));
        let out21 = Scores { y: table11.row(p8.id) * x16, logits: b20.relu().exp() };
        push(out21);
        let state = Node { c: w26.dot(h6).tanh(), h: ((w22.dot(x10) * w22.dot(p8.x) * w23.dot(x12) - w24.dot(x17) - w22.dot(x18)) * w25.dot(x19)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn pair_7(
        #[param(K)] b1: Tensor, #[param(H, K)] w2: Tensor, #[param(H)] b3: Tensor,
        #[dim(K)] dk: Dim, #[dim(H)] dh: Dim, #[param(H, K)] w10: Tensor,
        #[param(E, K)] w11: Tensor, #[param(E, K)] w12: Tensor, #[dim(E)] de: Dim,
        #[param(E, K)] w13: Tensor,
    ) {
        let Node { h: h5, c: c6 } = gather_or(0, Node { h: w2.dot(b1) + b3, c: zeros(dk) });
        let Node { h: h8, c: c9 } = gather_or(1, Node { h: zeros(dh), c: zeros(dk) });
        let h5 = h5.tanh() + (0.5 + h5.sigmoid()).ln();
        let state = Node { c: -b1, h: ((w10.dot(c6) - h8 - (w2 + w2).dot(c9)) * h5).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let out14 = Scores { y: -w11.dot(c6), logits: ((w12.dot(c9) + zeros(de)) * w13.tanh().dot(c9).sum()).tanh() };
        push(out14);
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
        #[param(E)] b10: Tensor, #[param(E)] b11: Tensor, #[param(E, E)] w16: Tensor,
        #[param(E, E)] w19: Tensor, #[param(E, E)] w21: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w22: Tensor, #[param(K, H)] w23: Tensor, #[param(K, E)] w24: Tensor,
        #[param(H, H)] w25: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let n4 = 2.0_f64.sqrt() - 0.5;
        let v7 = gather_or::<Node>(1, Node { h: (n4 / (0.5 + b5.sigmoid())).tanh(), c: b6 });
        let v8 = gather::<Node>(0);
        let x9 = ((x3 + x3) / (0.5 + weighted([x3, x3, x3]).sigmoid())).tanh();
        let x12 = b10.minimum(b11).tanh();
        let s13 = indicator(b5.argmax() != label);
        let mut m14 = x9;
        let mut n15 = scalar(0.0);
        while n15 < 1.5 && m14.max() < -0.2 {
            m14 = (0.7 * m14 + w16.dot(m14).tanh()).tanh();
            let x17 = if s13 >= 0.1 {
                m14 += (x12 * x9).sigmoid();
                let x18 = if s13 < 0.1 {
                    m14 += x12.softmax() + 0.5 * x9.tanh();
                    w2.dot(x12).tanh()
                } else {
                    m14 = (x12 - x9).tanh() * s13.tanh();
                    x9.relu().minimum(x12).tanh()
                };
                (x18 + w19.dot(x12).tanh()).tanh()
            } else {
                m14 -= (x9 - x12.max()).exp().tanh();
                let x20 = if x12.max() <= s13 || x12.max() >= s13 {
                    m14 *= (x9 / (x12.norm() + 0.5)).tanh();
                    (x12.square() + 0.5).ln().tanh()
                } else {
                    (x9 - x12.max()).exp().tanh()
                };
                (x20 + (x9 - x12.max()).exp().tanh()).tanh()
            };
            m14 = m14 * x17.sigmoid();
            n15 += 1.0;
        }
        m14 = m14.tanh();
        loss(s13);
        push(Out { y: (w21.dot(x12) * (1.0 / (dk as f64).sqrt())).tanh() });
        let state: Node = Node { h: w25.dot(v7.h).tanh(), c: ((w22.dot(v7.h) * v7.c + w23.dot(v8.h)) * v8.c * (w24 * s13).dot(x9) - w24.dot(m14)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn pair_10(
        #[dim(H)] dh: Dim, #[param(E)] b1: Tensor, #[param(K, E)] w2: Tensor,
        #[param()] s3: Tensor, #[param(E)] b5: Tensor, #[dim(K)] dk: Dim, #[param(K)] b7: Tensor,
        #[param(K, K)] w8: Tensor, #[param(H, H)] w10: Tensor, #[param(E)] b11: Tensor,
        #[param(K, E)] w12: Tensor, #[param(K, H + K)] w13: Tensor, #[param(E)] b16: Tensor,
        #[param(E, K)] w17: Tensor, #[param(E, E)] w18: Tensor, #[param(K)] b19: Tensor,
    ) {
        let v4 = gather_or::<Node>(1, Node { h: zeros(dh), c: s3 + w2.dot(b1) });
        let v6: Node = gather_or(0, Node { h: concat([v4.h, b5]).slice(0..dh), c: zeros(dk) });
        let x9 = -(indicator(b7.argmax() != (w8 + w8).dot(v4.c).sample()) - v6.h.log_softmax());
        let [x14, x15] = [w13.dot(summary(Node { h: w10.dot(x9), c: w12.dot(b11) })).tanh(), v6.c.softmax()];
        let out20 = Scores { y: b16.less(w17.dot(x15) + 0.6).select(w18.dot(b1), b16), logits: concat([v6.c, b19]).slice(dk..dk + dk) - 1.0 / dh as f64 };
        push(out20);
        scatter(Node { h: (x9.sigmoid() + 0.5).ln().tanh(), c: x14 });
    }

    #[vertex_function]
    pub fn pair_11(
        #[dim(H)] dh: Dim, #[param(H)] b1: Tensor, #[param(K, H)] w2: Tensor, #[dim(K)] dk: Dim,
        #[param(H, H)] w5: Tensor, #[param()] s6: Tensor, #[param(K)] b8: Tensor,
        #[param(H, K)] w10: Tensor, #[param(H, K)] w11: Tensor, #[param(H, K)] w12: Tensor,
        #[param(K, H + K)] w13: Tensor,
    ) {
        let v3: Node = gather_or(0, Node { h: zeros(dh), c: w2.dot(b1).exp().tanh() });
        let v4 = gather_or::<Node>(1, Node { h: zeros(dh), c: zeros(dk) });
        let x7: Tensor = (w5.tanh().dot(v4.h) + s6).gelu();
        let x9 = b8.sigmoid() - zeros(dk);
        let state = Node { c: w13.dot(summary(Node { h: b1, c: v3.c })).tanh(), h: (v3.h + w10.dot(v3.c) + w11.dot(v4.c) - x7 + w12.dot(x9)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn pair_12(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H, E)] w3: Tensor, #[param(H)] b5: Tensor,
        #[param(E)] b12: Tensor, #[param(E)] b13: Tensor, #[param(E, E)] w14: Tensor,
        #[dim(E)] de: Dim, #[param(E)] b16: Tensor, #[param(H, E)] w17: Tensor,
        #[param(K)] b18: Tensor, #[param(K, H)] w19: Tensor, #[param(K, H)] w20: Tensor,
        #[param(K, H)] w21: Tensor,
    ) {
        let v1: Node = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let v2: Node = gather(1);
        let Signal { x, .. } = pull();
        let x4: Tensor = w3.dot(x);
        let x6 = b5.clamp(-0.5, 0.75).log_softmax().tanh();
        let n7 = 2.0_f64.sqrt() - 0.5;
        let x8 = (x4.sigmoid() + n7).tanh();
        let s9 = v2.h.max();
        let mut m10 = x6;
        let mut n11 = scalar(0.0);
        while n11 < 2.5 && m10.max() < 0.4 {
            m10 = (0.7 * m10 + (x6 - x8).tanh() * s9.tanh()).tanh();
            n11 += 1.0;
        }
        m10 = m10.tanh();
        let n15 = 2.0_f64.sqrt() - 0.5;
        for k in 0..2 {
            loss(mse(b12.tanh(), w14.dot(b13) + n15) * (k as f64 + 0.25));
        }
        loss(zeros(de).max().tanh());
        let state: Node = Node { h: noisy(weighted([x6, zeros(dh), (w17 * s9).dot(b16)]), 0.5).tanh(), c: 0.5 * b18 * v2.c };
        scatter(state);
        loss(((w19 + w20).dot(v1.h) + v1.c - w21.dot(x8) + w19.dot(m10)).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_13(
        #[param(H)] b1: Tensor, #[param(H, H)] w2: Tensor, #[param(H)] b3: Tensor,
        #[param(K)] b4: Tensor, #[dim(H)] dh: Dim, #[param()] s6: Tensor, #[param(E)] b9: Tensor,
        #[param(H, E)] w10: Tensor, #[param()] s11: Tensor, #[param(H)] b12: Tensor,
        #[param(H)] b13: Tensor, #[param(H)] b14: Tensor, #[param(H, K)] w15: Tensor,
        #[param(E)] b16: Tensor, #[param(E)] b18: Tensor, #[param(H, E)] w19: Tensor,
        #[param(H, H)] w20: Tensor, #[param(E, H)] w21: Tensor, #[param(E, H)] w22: Tensor,
        #[param(H, K)] w23: Tensor, #[param(K)] b24: Tensor,
    ) {
        let v5: Node = gather_or(1, Node { h: w2.dot(b1).minimum(b3), c: b4 });
        let v7 = gather_or::<Node>(0, Node { h: zeros(dh), c: s6 * b4 });
        let mut m8 = s11 + w10.dot(b9);
        m8 -= b12.maximum(b13) * w2.tanh().dot(v5.h);
        m8 *= b14.square().greater(v7.h + 0.1).select(w15.dot(v7.c), b14.square()).tanh();
        m8 += (0.5 + blend(w10.dot(b16).log_softmax(), v7.h, v7.h)).tanh();
        m8 = m8.tanh();
        let mut m17 = zeros(dh).log_softmax();
        m17 = m17.tanh() + (1.5 / (w19.tanh().dot(b18).greater((w20 * 2.0).dot(v7.h) + 0.35).select(m8, w19.tanh().dot(b18)).sigmoid() + 0.5)).tanh();
        m17 *= (0.75 - v5.h.exp()).tanh();
        m17 = m17.tanh();
        loss((-(w21 + w22).dot(m17).tanh().exp()).max());
        loss((m8.tanh().log_softmax() * m8).tanh().sum());
        scatter(Node { h: (w23 * 0.5).dot(v5.c).tanh(), c: (2.0 / (0.5 + b24.sigmoid())).tanh() });
    }

    #[vertex_function]
    pub fn pair_14(
        #[dim(K)] dk: Dim, #[param(E)] b1: Tensor, #[param(H, E)] w2: Tensor,
        #[param(K, E)] w10: Tensor, #[param()] s11: Tensor, #[param(H)] b13: Tensor,
        #[param(E, H)] w15: Tensor, #[param(E, H)] w16: Tensor, #[param(E, E)] w17: Tensor,
        #[param(K, K)] w21: Tensor, #[param(K)] b24: Tensor, #[param(K, E)] w25: Tensor,
        #[param(H)] b27: Tensor, #[param(H, K)] w28: Tensor,
    ) {
        let v3 = gather_or::<Node>(1, Node { h: (1.0 / dk as f64 / (0.5 + w2.dot(b1).sigmoid())).tanh(), c: -zeros(dk) });
        let Node { h: h5, c: c6 } = gather(0);
        let Gold { target: p7, label } = pull::<Gold>();
        let x8 = p7 * b1;
        let x9 = v3.c.sigmoid() * zeros(dk);
        let x12 = (s11 - w10.dot(p7)).sigmoid();
        let s14 = b13.pick(v3.h.argmax());
        let s18 = (w15 + w16).dot(h5).pick((w17 * s14).dot(p7).argmax());
        let x19 = if 0.1 <= x9.sum() && s14 > -0.35 {
            x12.tanh()
        } else {
            let x20 = if !(s18 >= 0.2 || s18 < -0.35) {
                x9.tanh()
            } else {
                x12.tanh()
            };
            (x20 + w21.dot(x12).tanh()).tanh()
        };
        let (x22, [x26], s23) = (concat([zeros(dk), 2.0 / (x8.sigmoid() + 0.5)]).slice(0..dk), [affine(w2, x8, b27)], blend(cross_entropy(c6, label), b24, w25.dot(x8)).pick(w21.dot(x12).argmax()));
        let (h, c) = ((((w28.dot(x9) + s18) * w28.dot(x19)).tanh() - w28.tanh().dot(x22) + s23 + x26).tanh(), x9 / (0.5 + zeros(dk).sigmoid()));
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn pair_15(
        #[param(H)] b1: Tensor, #[dim(K)] dk: Dim, #[param(E, H)] w5: Tensor,
        #[param(E, K)] w6: Tensor, #[param(E)] b8: Tensor, #[param(E, E)] w9: Tensor,
        #[dim(H)] dh: Dim, #[param()] s11: Tensor, #[param(E, E)] w15: Tensor,
        #[param(H, E)] w16: Tensor,
    ) {
        let v2: Node = gather_or(0, Node { h: b1, c: zeros(dk) });
        let Node { h: h4, .. } = gather(1);
        let x7 = (0.75 / (0.5 + w5.dot(v2.h).minimum(w6.tanh().dot(v2.c)).sigmoid())).tanh();
        let x10 = (1.0 / dh as f64 + x7.less(b8 + 0.35).select(w9.tanh().dot(x7), x7)).tanh();
        let s12 = s11.tanh();
        let mut m13 = x7;
        let mut n14 = scalar(0.0);
        while n14 < 3.5 && m13.max() < 0.4 {
            m13 = (0.7 * m13 + (m13 + w15.dot(m13).tanh()).dropout(0.25)).tanh();
            n14 += 1.0;
        }
        m13 = m13.tanh();
        loss(s12);
        let state: Node = Node { h: (h4 + w16.dot(x10) - (w16 * (1.0 / (dk as f64).sqrt())).dot(m13)).tanh(), c: v2.c.exp().tanh() };
        scatter(state);
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
        #[param(H, E)] w6: Tensor, #[dim(K)] dk: Dim, #[dim(E)] de: Dim, #[param(E)] b8: Tensor,
        #[param(E, E)] w9: Tensor, #[param(E, E)] w12: Tensor, #[param(H)] b20: Tensor,
        #[param(H, K)] w21: Tensor,
    ) {
        let Node { h: h3, c: c4 } = gather_or(0, Node { h: zeros(dh), c: (b1 + 0.75).tanh() });
        let v7 = gather_or::<Node>(1, Node { h: w6.dot(b5) * h3, c: zeros(dk) });
        let x10 = (zeros(de) + w9.dot(b8)).tanh();
        let x11 = ((x10 - 1.0 / (dh as f64).sqrt()) * 0.5).tanh();
        let s13 = (x11 * w12.dot(x11)).sum();
        let s14 = s13.sigmoid();
        let mut m15 = x11;
        let x16 = if s13 >= -0.35 || -0.35 >= x11.sum() {
            m15 *= (x10 * x11).sigmoid();
            (x11 - x10).tanh() * s14.tanh()
        } else {
            m15 = (x11 - x10.max()).exp().tanh();
            let x17 = if s13 < 0.1 {
                let x18 = if -0.35 < x10.sum() || x10.max() < s14 {
                    x11.relu().minimum(x10).tanh()
                } else {
                    (x11.sum() + s13).tanh() * x10.sigmoid()
                };
                (x18 + (x10 - x11).tanh() * s13.tanh()).tanh()
            } else {
                x10.softmax() + 0.5 * x11.tanh()
            };
            (x17 + (x11 / (x10.norm() + 0.5)).tanh()).tanh()
        };
        m15 = m15.tanh();
        let mut m19 = b20.relu();
        m19 += v7.h.maximum(w21.dot(v7.c)).log_softmax().tanh();
        m19 = m19.tanh() + h3.leaky_relu(0.1).log_softmax().tanh();
        m19 = m19.tanh();
        let n22 = 2.0_f64.sqrt() - 0.5;
        scatter(Node { c: ((s14 + c4) * n22).tanh(), h: (m19 / (0.5 + b20.sigmoid())).hard_sigmoid() });
        loss((x16 + m15).tanh().sum());
    }

    #[vertex_function]
    pub fn pair_18(
        #[param(K, E)] w2: Tensor, #[param(V, H)] table4: Tensor, #[param(H)] b6: Tensor,
        #[dim(K)] dk: Dim, #[param(K, K)] w11: Tensor, #[param(K, E)] w13: Tensor,
        #[param(K)] b14: Tensor, #[param()] s17: Tensor, #[param(H, K)] w21: Tensor,
        #[param(H, K)] w22: Tensor, #[param(V, K)] table23: Tensor, #[param(E)] b24: Tensor,
        #[param(H, K)] w25: Tensor,
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
            m19 -= (x12 - x15).tanh() * s18.tanh();
            (x12 - x15.max()).exp().tanh()
        } else {
            m19 -= x12.tanh();
            (x12.sum() + s18).tanh() * x15.sigmoid()
        };
        m19 = m19.tanh();
        loss(s16);
        loss((x15 * x20).tanh().sum().sigmoid());
        let state: Node = Node { h: (w21.dot(x3) * h8 + v10.h + s18 + w22.dot(m19)).tanh(), c: table23.row(p1.id).tanh() };
        scatter(state);
        push(Out { y: ((b24 - p1.x) * (w25.dot(c9) * h8).sum()).tanh() });
    }

    #[vertex_function]
    pub fn pair_19(
        #[param(E, E)] w1: Tensor, #[param(H)] b3: Tensor, #[dim(K)] dk: Dim, #[dim(H)] dh: Dim,
        #[param(K)] b6: Tensor, #[param()] s7: Tensor, #[param(K)] b11: Tensor,
        #[param(K)] b14: Tensor, #[param(E, K)] w17: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b18: Tensor, #[param(E)] b19: Tensor, #[param(K, H)] w20: Tensor,
        #[param(K, H)] w21: Tensor, #[param(K, H)] w22: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = w1.dot(x);
        let Node { h: h5, .. } = gather_or(1, Node { h: b3, c: zeros(dk) });
        let Node { h: h9, c: c10 } = gather_or(0, Node { h: zeros(dh), c: s7 + b6 });
        let [x12, x13] = [-c10 + b11, c10.tanh()];
        let [x15, x16] = [b6, b14.tanh()];
        loss(cross_entropy(concat([w17.dot(x12), concat([b6, x13]).slice(0..dk)]).slice(0..de), label));
        for k in 0..2 {
            loss(mse(b18.exp().tanh(), b19.exp()) * (k as f64 + 0.25));
        }
        push(Out { y: concat([x2, x16]).slice(0..de) * mse(zeros(dk), x15) });
        scatter(Node { h: -h5, c: (w20.dot(h5) + (w21 + w22).dot(h9)).tanh() });
    }

    #[vertex_function]
    pub fn pair_20(
        #[param(H)] b3: Tensor, #[param(K)] b4: Tensor, #[param(K, E)] w8: Tensor,
        #[param(K, E)] w9: Tensor, #[param(H)] b13: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H + K)] w14: Tensor, #[param(E, E)] w15: Tensor,
        #[param(E, K + E)] w16: Tensor, #[param(K, H)] w17: Tensor, #[param(H, K)] w18: Tensor,
        #[param(H, K)] w19: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Node { h: h6, c: c7 } = gather_or(1, Node { h: b3, c: b4 });
        let Gold { label, target } = pull();
        let x10: Tensor = (w8 + w9).dot(target);
        let mut m11 = x10.variational_dropout(0.25);
        let n12 = 2.0_f64.sqrt() - 0.75;
        m11 /= n12;
        m11 *= w14.dot(summary(Node { h: b13, c: zeros(dk) }));
        m11 = m11.tanh();
        for k in 0..2 {
            loss(cross_entropy(w16.dot(concat([w15.dot(target), zeros(dk)])), label) * (k as f64 + 0.25));
        }
        let (h, c) = ((h6 - (w18 + w19).dot(x10)).tanh(), (w17.dot(h2) * w17.dot(h6) - c7 + m11).tanh());
        scatter(Node { h, c });
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
        let x10 = noisy(w7.dot(v3.c), 0.25) - w9.dot(b8);
        scatter(Node { c: (0.5 + w14.dot(h2).sigmoid()).ln().tanh(), h: (h2 + v3.h + w11.dot(x6) + (w12 + w13).dot(x10)).tanh() });
    }

    #[vertex_function]
    pub fn pair_22(
        #[param(K, E)] w1: Tensor, #[dim(H)] dh: Dim, #[dim(K)] dk: Dim,
        #[param(K, K)] w8: Tensor, #[param(H)] b10: Tensor, #[param(K, H)] w11: Tensor,
        #[param(K)] b13: Tensor, #[param(K, H)] w14: Tensor, #[param(K)] b19: Tensor,
        #[param(K, K)] w26: Tensor, #[param(H)] mut b27: Tensor, #[dim(E)] de: Dim,
        #[param(H)] b28: Tensor, #[param(H)] b29: Tensor, #[param(E, H)] w30: Tensor,
        #[param(K, H)] w31: Tensor, #[param(K)] b32: Tensor, #[param(E)] b33: Tensor,
        #[param(K, E)] w34: Tensor, #[param(K)] b36: Tensor, #[param(K)] b37: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = (w1 * 0.5).dot(x);
        let Node { h: h4, c: c5 } = gather_or(1, Node { h: zeros(dh), c: zeros(dk) });
        let Node { h: h7, .. } = gather(0);
        let x9 = (1.0 / dh as f64 / ((w8.dot(x2) * c5).sigmoid() + 0.5)).tanh();
        let x12 = w11.dot(b10.softmax());
        let s15 = b13.pick(w14.tanh().dot(h7).argmax());
        let s16 = s15;
        let mut m17 = x12;
        let i20 = concat([(b19.sigmoid() + 0.5).ln(), zeros(3)]).argmax();
        let x18 = match i20 {
            Index(0) => {
                let x21 = if x9.max() < s15 {
                    m17 += x12.relu().minimum(x9).tanh();
                    let x22 = if s16 > -0.35 && x9.max() <= s15 {
                        m17 += (x9.square() + 0.5).ln().tanh();
                        x12.tanh()
                    } else {
                        (x12 - x9).tanh() * s15.tanh()
                    };
                    (x22 + (x9 / (x12.norm() + 0.5)).tanh()).tanh()
                } else {
                    m17 = (x9 / (x12.norm() + 0.5)).tanh();
                    x12.tanh()
                };
                (x21 + (x9 * x12).sigmoid()).tanh()
            }
            Index(1) | Index(2) => {
                let x23 = if x9.max() < s15 {
                    let x24 = if x9.max() >= s16 && x12.max() > s16 {
                        (x12 * x9).sigmoid()
                    } else {
                        m17 = (x12.sum() + s16).tanh() * x9.sigmoid();
                        w8.dot(x12).tanh()
                    };
                    (x24 + (x9 - x12).tanh() * s15.tanh()).tanh()
                } else if !(x12.max() <= s16 || x12.max() >= s15) {
                    m17 -= (x12.sum() + s15).tanh() * x9.sigmoid();
                    x12.relu().minimum(x9).tanh()
                } else {
                    (x9 - x12.max()).exp().tanh()
                };
                (x23 + (x12 / (x9.norm() + 0.5)).tanh()).tanh()
            }
            _ => {
                let x25 = if 0.2 < x12.sum() && 0.2 <= x9.sum() {
                    m17 = w8.dot(x12).tanh();
                    (x9 - x12.max()).exp().tanh()
                } else if !(0.2 > x12.sum() || 0.2 > x12.sum()) {
                    m17 = (x12 - x9.max()).exp().tanh();
                    x9.tanh()
                } else {
                    w26.dot(x12).tanh()
                };
                (x25 + x12.softmax() + 0.5 * x9.tanh()).tanh()
            }
        };
        m17 = m17.tanh();
        b27 /= 1.0 / de as f64;
        b27 = b27.tanh() + blend(x9.pick(x18.argmax()), h4, h4).less(b28 + 0.6).select(h4, blend(x9.pick(x18.argmax()), h4, h4));
        b27 = b27.tanh();
        loss(cross_entropy((0.75 / (b10.sigmoid() + 0.5) + b29).tanh(), label));
        for k in 0..2 {
            loss(cross_entropy((b27.log_softmax() * h4).tanh(), label) * (k as f64 + 0.25));
        }
        let out35 = Scores { y: w30.tanh().dot(h7), logits: (w31.dot(h7) / (0.5 + b32.sigmoid())).greater(w34.dot(b33) + 0.1).select(x12, w31.dot(h7) / (0.5 + b32.sigmoid())) };
        push(out35);
        let state = Node { c: weighted([(0.5 + b36.sigmoid()).ln(), b37, m17]).tanh(), h: b10.sigmoid().softmax() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((scaled(zeros(de), dh) * s16).sum());
    }

    #[vertex_function]
    pub fn pair_23(
        #[param(K, E)] w1: Tensor, #[dim(H)] dh: Dim, #[param(K)] b3: Tensor, #[dim(K)] dk: Dim,
        #[param(H)] b7: Tensor, #[param(K, H)] w16: Tensor, #[param(K, H)] w17: Tensor,
        #[param(E)] b18: Tensor, #[param(H, E)] w19: Tensor, #[param(E, K)] w20: Tensor,
    ) {
        let Signal { x, .. } = pull();
        let x2 = w1.dot(x);
        let Node { h: h5, .. } = gather_or(0, Node { h: zeros(dh), c: b3.softmax() });
        let v6 = gather_or::<Node>(1, Node { h: zeros(dh), c: zeros(dk) });
        let x8 = b7.log_softmax().tanh();
        let x9 = h5.tanh().softmax();
        let s10 = x2.sum();
        let mut m11 = x8;
        let mut n12 = scalar(0.0);
        while n12 < 1.5 && m11.max() < -0.2 {
            m11 = (0.7 * m11 + x8.relu().minimum(x9).tanh()).tanh();
            let mut n13 = scalar(0.0);
            loop {
                let s14 = m11.max();
                if n13 > 2.5 || s14 > -0.2 {
                    m11 = m11 * s14.sigmoid();
                    break;
                }
                m11 = (0.7 * m11 + (m11 + (x8.sum() + s10).tanh() * x9.sigmoid()).dropout(0.25)).tanh();
                let x15 = if s10 <= 0.2 || 0.1 <= x9.sum() {
                    m11 = (x9 - x8).tanh() * s10.tanh();
                    (x8.square() + 0.5).ln().tanh()
                } else {
                    m11 *= (x9 / (x8.norm() + 0.5)).tanh();
                    (x9.square() + 0.5).ln().tanh()
                };
                m11 = m11 * x15.sigmoid();
                n13 += 1.0;
            }
            n12 += 1.0;
        }
        m11 = m11.tanh();
        scatter(Node { h: w19.dot(b18).log_softmax().tanh(), c: (((w16.dot(v6.h) + v6.c + w17.dot(x8) - w16.dot(x9)) * s10).tanh() + (w16 * s10.tanh()).dot(m11)).tanh() });
        push(Out { y: w20.dot(x2).relu() * b18 });
    }

    #[vertex_function]
    pub fn pair_24(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H)] b2: Tensor, #[param()] s3: Tensor,
        #[param(H, E)] w6: Tensor, #[param(V, H)] table8: Tensor, #[param(H)] b11: Tensor,
        #[param(E, 2 * H)] w12: Tensor, #[param(E)] b14: Tensor, #[param(E, E)] w15: Tensor,
        #[param(E, H)] w16: Tensor, #[param(E, H)] w17: Tensor, #[param(E, E)] w19: Tensor,
        #[param(E)] b20: Tensor, #[param(E)] b21: Tensor, #[param(H)] b23: Tensor,
        #[param()] s24: Tensor, #[param(E, H)] w25: Tensor, #[param(E, E)] w26: Tensor,
        #[param(K)] b28: Tensor,
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
        let x18 = {
            let x22 = crate::generated::cells::gate(w19, b20, b21).minimum(a13);
            let x7 = x7.tanh() + b23 * s24;
            (x22 * w25.dot(x7)).tanh().tanh()
        };
        let out27 = Scores { y: w26.dot(x18), logits: concat([v1.h.slice(1..dh), v1.h.slice(0..1)]) };
        push(out27);
        scatter(Node { h: v4.h.tanh().erf(), c: (b28 - v1.c.sum()).tanh() });
        loss(v4.c.sum());
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
        #[param(E, E)] w5: Tensor, #[param(K)] b7: Tensor, #[param()] s8: Tensor,
        #[param(K)] b10: Tensor, #[param(K)] b11: Tensor, #[param(E, E)] w13: Tensor,
        #[param()] s15: Tensor, #[dim(E)] de: Dim, #[param(K)] b27: Tensor,
        #[param(H, E)] w28: Tensor, #[param(H)] b29: Tensor, #[param(H, K)] w30: Tensor,
        #[param(H, K)] w31: Tensor, #[param(H, K)] w32: Tensor, #[param(H, K)] w33: Tensor,
        #[param(H, K)] w34: Tensor, #[param(K)] b35: Tensor,
    ) {
        let v2 = gather_or::<Node>(0, Node { h: b1, c: zeros(dk) });
        let v4: Node = gather_or(1, Node { h: zeros(dh), c: b3 });
        let Signal { label, x } = pull();
        let x6 = (w5 + w5).dot(x);
        let x9 = b7.softmax() + s8.tanh();
        let x12 = concat([b10, b11.exp()]).slice(0..dk);
        let s14 = w13.sum();
        let s16 = s15 + 1.0 / de as f64;
        let x17 = if x9.max() >= s14 {
            (x9.square() + 0.5).ln().tanh()
        } else {
            (x9 * x12).sigmoid()
        };
        let n18 = 2.0_f64.sqrt() - 0.5;
        let x19 = ((n18 / (b3.sigmoid() + 0.5)).sigmoid() + 0.5).ln();
        let x20 = x17.minimum(x9).tanh().exp().tanh();
        let s21 = s14;
        let s22 = s16;
        let x23 = if 0.2 > x19.sum() {
            x19.softmax() + 0.5 * x20.tanh()
        } else {
            let x24 = if s21 <= 0.1 && 0.2 < x20.sum() {
                let x25 = if x19.max() <= s21 {
                    (x19 - x20).tanh() * s22.tanh()
                } else if 0.2 > x19.sum() || 0.1 < x19.sum() {
                    x20.softmax() + 0.5 * x19.tanh()
                } else {
                    (x20 / (x19.norm() + 0.5)).tanh()
                };
                (x25 + x20.softmax() + 0.5 * x19.tanh()).tanh()
            } else if 0.2 < x19.sum() || s22 > 0.1 {
                x20.softmax() + 0.5 * x19.tanh()
            } else {
                let x26 = if s22 < 0.1 {
                    x20.tanh()
                } else {
                    x20.softmax() + 0.5 * x19.tanh()
                };
                (x26 + (x19 / (x20.norm() + 0.5)).tanh()).tanh()
            };
            (x24 + (x20 - x19).tanh() * s22.tanh()).tanh()
        };
        loss(cross_entropy(b27.minimum(x12) - x6.max(), label));
        loss(mse(-w28.dot(x6) - b29, scaled(b1, dk)));
        let state = Node { c: b35.softmax(), h: (((v2.h - w30.dot(v2.c) + v4.h - w31.dot(v4.c) - w32.dot(x19)).tanh() - w33.dot(x20) + s21).tanh() - s22 + w34.dot(x23)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn pair_27(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(E)] b3: Tensor, #[param(E, E)] w4: Tensor,
        #[dim(E)] de: Dim, #[param(K)] b6: Tensor, #[param()] s8: Tensor,
        #[param(H, K)] w13: Tensor, #[param(H, E)] w14: Tensor,
    ) {
        let v1: Node = gather(0);
        let v2: Node = gather_or(1, Node { h: zeros(dh), c: zeros(dk) });
        let x5 = (w4.dot(b3) + 0.5).tanh();
        let x7 = concat([v1.c * b6, b3]).slice(dk..dk + de);
        let s9 = 1.0 / (dk as f64).sqrt() * s8;
        let mut m10 = x5;
        let mut n11 = scalar(0.0);
        loop {
            let s12 = m10.max();
            if n11 > 2.5 || s12 > 0.9 {
                m10 = m10 * s12.sigmoid();
                break;
            }
            m10 = (0.7 * m10 + (m10 + (x5 / (x7.norm() + 0.5)).tanh()).dropout(0.25)).tanh();
            loss(0.1 * m10.sum());
            n11 += 1.0;
        }
        m10 = m10.tanh();
        scatter(Node { h: ((v1.h + v2.h + w13.dot(v2.c) + w14.dot(x5) + w14.dot(x7)) * s9 + (w14 * s9).dot(m10)).tanh(), c: v1.c.tanh() });
    }

    #[vertex_function]
    pub fn pair_28(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(E)] b3: Tensor,
        #[param(V, E)] table5: Tensor, #[param(H, E)] w7: Tensor, #[param()] s11: Tensor,
        #[param(V, K)] table17: Tensor, #[param(3 * H, K)] w18: Tensor,
        #[param(3 * H)] b19: Tensor, #[param(H)] b21: Tensor, #[param(K, H)] w22: Tensor,
        #[param(K, E)] w23: Tensor, #[param(K, E)] w24: Tensor, #[param(K, H)] w25: Tensor,
        #[param(K, H)] w26: Tensor,
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
            m13 -= (x8.sum() + s10).tanh() * x9.sigmoid();
            (x8 * x9).sigmoid()
        } else if x8.max() < s12 {
            m13 = x9.tanh();
            (x9 - x8.max()).exp().tanh()
        } else {
            m13 *= x8.softmax() + 0.5 * x9.tanh();
            let x15 = if !(0.2 < x8.sum() || x9.max() <= s10) {
                m13 -= (x9 - x8).tanh() * s10.tanh();
                x9.softmax() + 0.5 * x8.tanh()
            } else {
                m13 += (x9 * x8).sigmoid();
                x9.relu().minimum(x8).tanh()
            };
            (x15 + (x9 * x8).sigmoid()).tanh()
        };
        m13 = m13.tanh();
        let parts16 = (w18.dot((1.0 / dk as f64 + table17.row(id)).variational_dropout(0.25)) + b19).tanh().split::<3>();
        let mut a20 = zeros(dh);
        for k in 1..=2 {
            a20 -= (parts16[k] - b21.exp()).tanh();
        }
        scatter(Node { h: (m13 + a20).tanh(), c: (((w22.dot(v2.h) + v2.c + (w23 * s12).dot(x) + w24.dot(x6) - w22.dot(x9)).tanh() + s10 + w22.dot(x14)).tanh() + w25.dot(m13) + w26.dot(a20)).tanh() });
    }

    #[vertex_function]
    pub fn pair_29(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param()] s7: Tensor, #[param(K, H)] w8: Tensor,
        #[param(E)] b10: Tensor, #[param(E)] b11: Tensor, #[param(H, K)] w12: Tensor,
        #[param(H, K)] w13: Tensor, #[param(H, K)] w14: Tensor, #[param(K)] b15: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(1);
        let Node { h: h5, c: c6 } = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let x9 = (0.5 + (w8 + w8).dot(s7 * h5).sigmoid()).ln();
        push(Out { y: -(b10 * b11) });
        let state: Node = Node { h: ((h2 + w12.dot(c3)) * w13.dot(c6) * w14.dot(x9)).tanh(), c: b15.tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn pair_30(
        #[param(H)] b1: Tensor, #[param(K)] b2: Tensor, #[param(H)] b6: Tensor,
        #[param(K)] b7: Tensor, #[param(E)] b10: Tensor, #[param(V, H)] table12: Tensor,
        #[param(H, H + 2 * K)] w14: Tensor, #[param(H, H)] w16: Tensor,
        #[param(H, H)] w21: Tensor, #[dim(H)] dh: Dim, #[param(V, H)] table22: Tensor,
        #[param(K, E)] w24: Tensor, #[param(K, E)] w25: Tensor, #[param(K, H)] w26: Tensor,
        #[dim(E)] de: Dim,
    ) {
        let Node { h: h4, c: c5 } = gather_or(1, Node { h: b1, c: b2 });
        let Node { h: h9, .. } = gather_or(0, Node { h: b6, c: b7 });
        let Word { id, x } = pull();
        let x11 = x * b10;
        let x13 = table12.row(id);
        let x15 = w14.dot(concat([b2, c5, h9]));
        let x17 = (b1 * (w16 * 0.75).dot(x13)).tanh();
        let s18 = x15.sum();
        let mut m19 = x15;
        let mut n20 = scalar(0.0);
        while n20 < 3.5 && m19.max() < 0.4 {
            m19 = (0.7 * m19 + w21.dot(m19).tanh()).tanh();
            n20 += 1.0;
        }
        m19 = m19.tanh();
        let h4 = h4.tanh() + zeros(dh).maximum(table22.row(id));
        let out23 = Scores { y: b10.log_softmax().tanh(), logits: mse(m19 + b1, h4).tanh() };
        push(out23);
        scatter(Node { h: (1.0 / de as f64 * x17).tanh(), c: (w24.dot(x11) + w25.dot(x) + w26.dot(x17) + s18).tanh() });
    }

    #[vertex_function]
    pub fn pair_31(
        #[param(H)] b1: Tensor, #[param(K)] b2: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b6: Tensor, #[param(K, K)] w10: Tensor, #[param(E)] b11: Tensor,
        #[param(K, H + K)] w13: Tensor, #[param(E, K)] w15: Tensor,
    ) {
        let Node { h: h4, c: c5 } = gather_or(0, Node { h: b1, c: b2 });
        let Node { h: h8, .. } = gather_or(1, Node { h: zeros(dh), c: b6 });
        let x9 = {
            let x12 = b11.sum() - w10.dot(c5);
            let x14 = w13.dot(summary(Node { h: h8, c: x12 }));
            w15.dot(x14).tanh()
        };
        push(Out { y: (0.5 + x9.sigmoid().sigmoid()).ln() });
        let n16 = 2.0_f64.sqrt() - 1.5;
        let (h, c) = (h4, (n16 - c5).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn pair_32(
        #[param(K)] b1: Tensor, #[param(H, K)] w2: Tensor, #[param(H)] b3: Tensor,
        #[param(H, H)] w4: Tensor, #[dim(K)] dk: Dim, #[param(E)] b10: Tensor,
        #[param(H, E)] w11: Tensor, #[param(H)] b12: Tensor, #[param(E)] b14: Tensor,
        #[param(E, E)] w15: Tensor, #[dim(E)] de: Dim, #[param(E)] b16: Tensor,
        #[param(K, E)] w17: Tensor, #[param(K)] b18: Tensor, #[param(E)] b20: Tensor,
        #[dim(H)] dh: Dim, #[param(K, H)] w21: Tensor, #[param(K)] b22: Tensor,
        #[param(K, 2 * K)] w23: Tensor,
    ) {
        let Node { h: h6, .. } = gather_or(1, Node { h: w2.dot(b1).maximum(w4.dot(b3)), c: zeros(dk) });
        let Node { h: h8, .. } = gather(0);
        let mut m9 = w11.dot(b10);
        m9 += b12 / (0.5 + (h6 + w4.dot(h8)).sigmoid());
        m9 = m9.tanh();
        let s13 = m9.elu(0.7).pick(h6.argmax()) + 0.5;
        let out19 = Scores { y: b14.maximum(w15.dot(b10)), logits: concat([(w17 * s13.tanh()).dot(b16).minimum(b18), zeros(de)]).slice(dk..dk + de) };
        push(out19);
        let (h, c) = (scaled(blend(b20.max(), h6, h8), dh).tanh(), w23.dot(concat([w21.tanh().dot(h6), b22])).tanh());
        scatter(Node { h, c });
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
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(K)] b4: Tensor, #[param(K)] b5: Tensor,
        #[param(K)] b7: Tensor, #[param(K, H)] w8: Tensor, #[param(H, K)] w9: Tensor,
        #[param(K, K)] w10: Tensor, #[param(E)] b11: Tensor, #[param(E, E)] w12: Tensor,
    ) {
        let v1: Node = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let v2: Node = gather(1);
        let parts3 = [v1.c.minimum(b4).log_softmax().tanh(), v2.c.relu(), b5];
        let mut a6 = b7;
        for k in 0..3 {
            a6 += (parts3[k] * (w8.dot(v1.h) + v2.c).tanh()).tanh();
        }
        let (h, c) = ((v2.h - w9.dot(a6)).tanh(), w10.dot(a6).tanh());
        scatter(Node { h, c });
        push(Out { y: w12.dot(b11).tanh() });
    }

    #[vertex_function]
    pub fn pair_35(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H, E)] w6: Tensor,
        #[param(K, H)] w9: Tensor, #[param(K)] b12: Tensor, #[param(E, H)] w16: Tensor,
        #[param(H, K)] w17: Tensor, #[param(K, E)] w18: Tensor, #[dim(E)] de: Dim,
        #[param(E, E)] w19: Tensor, #[param(E, H)] w22: Tensor, #[param(E, K)] w23: Tensor,
    ) {
        let v1: Node = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let Node { h: h3, c: c4 } = gather_or(1, Node { h: zeros(dh), c: v1.c / (0.5 + v1.c.sigmoid()) });
        let p5: Gold = pull();
        let x7 = w6.dot(p5.target);
        let s8 = ((0.75 - zeros(dh)).tanh() * x7).sum();
        let x10 = noisy(w9.dot(h3) - c4, 0.5).tanh();
        let x11 = blend(s8, x10, c4).dropout(0.5).tanh();
        let s13 = b12.max();
        let mut m14 = x10;
        let mut n15 = scalar(0.0);
        while n15 < 3.5 && m14.max() < -0.2 {
            m14 = (0.7 * m14 + (m14 + x10.tanh()).variational_dropout(0.1)).tanh();
            n15 += 1.0;
        }
        m14 = m14.tanh();
        loss(cross_entropy((w16 * s13).dot(h3).minimum(p5.target) - p5.target, p5.label));
        let state = Node { c: w18.dot(p5.target).softmax().square().tanh(), h: scaled(w17.dot(x11).dropout(0.5), dh).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let n20 = 2.0_f64.sqrt() - 0.75;
        let out21 = Scores { y: p5.target.relu(), logits: zeros(de).hard_sigmoid().minimum((w19 * n20).dot(p5.target)) };
        push(out21);
        loss((w22.dot(v1.h) + w23.dot(m14)).sum());
    }
}

pub mod several {
    use super::prelude::*;

    #[vertex_function]
    pub fn several_0(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(K)] b5: Tensor, #[param(E, K)] w6: Tensor, #[param(E, K)] w7: Tensor,
        #[param(K, E)] w8: Tensor, #[param(2 * H, K)] w9: Tensor, #[param(2 * H)] b10: Tensor,
        #[param(K, H)] w13: Tensor, #[dim(K)] dk: Dim, #[param(K, H)] w14: Tensor,
        #[param(H)] b17: Tensor, #[param(K, E)] w18: Tensor,
    ) {
        let mut a2 = zeros(de);
        for k in 0..2 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) - w4.dot(v1.c)) * (k as f64 + 0.5);
        }
        let (x11, x12) = halves(w9.dot(w8.dot((w6 + w7).dot(b5))) + b10);
        let [x15, x16] = [concat([w13.dot(x12).slice(1..dk), w13.dot(x12).slice(0..1)]), w14.tanh().dot(x11).tanh()];
        push(Out { y: w3.dot(x11 * b17).tanh() });
        scatter(Node { h: (-x12).tanh(), c: ((w18.dot(a2) + x15).tanh() - x16).tanh() });
    }

    #[vertex_function]
    pub fn several_1(
        #[param(E)] b4: Tensor, #[param(V, H)] table6: Tensor, #[dim(H)] dh: Dim,
        #[param(V, K)] table9: Tensor, #[param(K, H)] w10: Tensor, #[param()] s12: Tensor,
        #[dim(K)] dk: Dim, #[param(K, K)] w17: Tensor, #[param(H, K)] w18: Tensor,
        #[param(K, E)] w21: Tensor, #[param(K, E)] w22: Tensor, #[param(K, H)] w23: Tensor,
        #[param(H)] b24: Tensor,
    ) {
        let [v1, v2]: [Node; 2] = [gather(0), gather(1)];
        let p3: Word = pull();
        let x5 = p3.x * b4;
        let x7 = table6.row(p3.id);
        let x8 = (1.0 / (dh as f64).sqrt() / (v1.c.tanh().sigmoid() + 0.5)).tanh();
        let x11 = mse((w10 * 0.5).dot(x7), v2.c).tanh() * v1.c.greater_equal(table9.row(p3.id) + 0.1).select(x8, v1.c);
        let n13 = 2.0 / (1.0 + dk as f64);
        let s14 = s12 * n13;
        let mut m15 = x8;
        let mut n16 = scalar(0.0);
        while n16 < 3.5 && m15.max() < 0.9 {
            m15 = (0.7 * m15 + w17.dot(m15).tanh()).tanh();
            n16 += 1.0;
        }
        m15 = m15.tanh();
        let [x19, x20] = [w18.dot(m15).tanh() - v1.h, s14 * v2.h];
        let state: Node = Node { h: b24.exp().tanh(), c: ((w21.dot(x5) * w22.dot(p3.x) * x11 + (w10 * s14).dot(x19)) * w23.dot(x20)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn several_2(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param()] s5: Tensor,
        #[param(E, E)] w6: Tensor, #[param(E, H)] w7: Tensor, #[param(E)] b8: Tensor,
        #[param(E, K)] w9: Tensor, #[param(E, K)] w10: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(dk);
        for k in 0..2 {
            a2 += (w3.dot(v1[k].h) + v1[k].c) * (k as f64 + 0.5);
        }
        let mut m4 = s5 + zeros(dk);
        m4 -= noisy(w3.tanh().dot(v1[0].h).relu(), 0.25);
        m4 = m4.tanh();
        push(Out { y: (gate(w6, w7.dot(v1[0].h), b8) * 2.0).tanh() });
        scatter(Node { h: (w9.dot(a2).max() * (v1[0].h - 1.5)).tanh(), c: concat([(w3 * 2.0).dot(v1[0].h), v1[0].h]).slice(0..dk).minimum(a2).tanh() });
        loss((w10.dot(v1[0].c) - w9.dot(m4)).sum());
    }

    #[vertex_function]
    pub fn several_3(
        #[param(E)] b1: Tensor, #[param(V, E)] table3: Tensor, #[dim(K)] dk: Dim,
        #[param(K, H)] w7: Tensor, #[param(2 * E, E)] w8: Tensor, #[param()] s11: Tensor,
        #[param(E, E)] w14: Tensor, #[param(H, E)] w16: Tensor, #[param(V, H)] table17: Tensor,
        #[param(H, K)] w18: Tensor, #[param(H, E)] w19: Tensor, #[param(K, K)] w20: Tensor,
        #[param(V, K)] table21: Tensor, #[param(K, E)] w22: Tensor, #[param(E, H)] w23: Tensor,
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
        let [x12, x13]: [Tensor; 2] = [(v5[2].h + s11).relu(), v5[2].h.log_softmax()];
        let out15 = Scores { y: x2.sigmoid(), logits: (w14 + w14).dot(x10).tanh().log_softmax() };
        push(out15);
        let state: Node = Node { h: blend(w16.dot(x9).log_softmax().tanh(), table17.row(id), w18.dot(a6)).greater(w19.dot(x10) + 0.35).select(x13, blend(w16.dot(x9).log_softmax().tanh(), table17.row(id), w18.dot(a6))).tanh(), c: concat([v5[2].c, w20.dot(v5[2].c)]).slice(0..dk).less(table21.row(id) + 0.6).select((w22 * 0.75).dot(x4), concat([v5[2].c, w20.dot(v5[2].c)]).slice(0..dk)).tanh() };
        scatter(state);
        loss(w23.dot(x12).sum());
    }

    #[vertex_function]
    pub fn several_4(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(K)] b4: Tensor, #[dim(E)] de: Dim,
        #[param()] s6: Tensor, #[param(K, H)] w8: Tensor, #[dim(H)] dh: Dim,
    ) {
        let v1: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a2 = zeros(dk);
        for k in 0..3 {
            a2 += ((w3 * (1.0 / (dk as f64).sqrt())).dot(v1[k].h) + v1[k].c) * (k as f64 + 0.5);
        }
        let x5 = (a2.tanh().exp() / (0.5 + b4.maximum(v1[1].c).sigmoid())).sigmoid();
        let out7 = Scores { y: zeros(de), logits: (s6 + zeros(dk)).tanh() };
        push(out7);
        scatter(Node { c: (w8.dot(v1[1].h) + x5).tanh(), h: zeros(dh) + v1[1].h });
    }

    #[vertex_function]
    pub fn several_5(
        #[param(E, E)] w3: Tensor, #[param(V, E)] table5: Tensor, #[param(E, 2 * E)] w8: Tensor,
        #[param(3 * H, E)] w9: Tensor, #[param(3 * H)] b10: Tensor, #[dim(H)] dh: Dim,
        #[param(H, E)] w12: Tensor, #[param(H, H)] w13: Tensor, #[param(H, K)] w14: Tensor,
        #[param(K, H)] w15: Tensor, #[param(K, H)] w16: Tensor, #[param(H, K)] w17: Tensor,
        #[param()] s18: Tensor, #[dim(E)] de: Dim,
    ) {
        let v1 = gather::<Node>(1);
        let v2 = gather::<Node>(0);
        let Word { id, x } = pull();
        let x4 = w3.tanh().dot(x);
        let x6 = table5.row(id);
        let parts7 = (w9.dot(w8.dot(concat([x6, x4]))) + b10).split::<3>();
        let mut a11 = zeros(dh);
        for k in 0..3 {
            a11 = a11.tanh() + (parts7[k] - v2.h * v2.h).tanh();
        }
        loss(((w13 * 0.75).dot(w12.dot(x6)) * w14.dot(v2.c)).tanh().sum());
        let state: Node = Node { h: w17.dot(v2.c) * s18, c: (w15.tanh().dot(v1.h) + v1.c + w16.dot(a11)).tanh() };
        scatter(state);
        push(Out { y: (x4 / (0.5 + zeros(de).sigmoid()) - x4).tanh() });
    }

    #[vertex_function]
    pub fn several_6(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(H)] b4: Tensor,
        #[param(E, H)] w5: Tensor, #[param(H, K)] w7: Tensor,
    ) {
        let mut a2 = zeros(dk);
        for k in 0..2 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) + v1.c) * (k as f64 + 0.5);
        }
        let s6 = w5.dot(b4).softmax().tanh().max();
        let state: Node = Node { h: (w7.dot(a2) + s6).tanh(), c: a2.maximum(a2).tanh() };
        scatter(state);
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
        #[dim(E)] de: Dim, #[dim(K)] dk: Dim, #[param()] s6: Tensor, #[param(K, K)] w10: Tensor,
        #[param(E)] b11: Tensor, #[param(E)] b12: Tensor, #[param(E, E)] w13: Tensor,
        #[param(E, E)] w14: Tensor, #[param(K)] b15: Tensor, #[param(E)] b17: Tensor,
        #[dim(H)] dh: Dim, #[param()] s19: Tensor, #[param(E, H + K)] w24: Tensor,
        #[param(H)] b26: Tensor, #[param(K)] b27: Tensor, #[param(K, H)] w28: Tensor,
        #[param(K, H)] w29: Tensor, #[param(K, E)] w30: Tensor, #[param(K, E)] w31: Tensor,
        #[param(K, E)] w32: Tensor,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let x4 = (1.0 / de as f64 / ((v2.c + v3.c).sigmoid() + 0.5)).tanh();
        let x5 = concat([x4.slice(1..dk), x4.slice(0..1)]);
        let s7 = s6.sigmoid();
        let mut m8 = x4;
        let mut n9 = scalar(0.0);
        while n9 < 2.5 && m8.max() < 0.4 {
            m8 = (0.7 * m8 + (m8 + w10.dot(m8).tanh()).variational_dropout(0.1)).tanh();
            n9 += 1.0;
        }
        m8 = m8.tanh();
        let x16 = b11 * (w13 + w14).dot(b12) + indicator(b15.argmax() != zeros(dk).sample());
        let x18 = (b17 - b11 - 1.0 / dh as f64).tanh();
        let s20 = s19 + 1.0 / dh as f64;
        let mut m21 = x16;
        let mut n22 = scalar(0.0);
        loop {
            let s23 = m21.max();
            if n22 > 3.5 || s23 > 0.4 {
                m21 = m21 * s23.sigmoid();
                break;
            }
            m21 = (0.7 * m21 + w13.dot(m21).tanh()).tanh();
            loss(0.1 * m21.sum());
            n22 += 1.0;
        }
        m21 = m21.tanh();
        loss(mse(m8.tanh() - 1.0 / (dk as f64).sqrt(), m8.sigmoid()));
        let out25 = Scores { y: zeros(de) * x18, logits: w24.dot(concat([zeros(dk), v3.h])) };
        push(out25);
        let state: Node = Node { h: (-b26).sigmoid(), c: (v1.c.elu(0.7) / (b27.square().sigmoid() + 0.5)).tanh() };
        scatter(state);
        loss(((w28.dot(v1.h) * w29.dot(v2.h) * x5 + s7 + (w30 + w31).dot(x16)).tanh() * s20 + w32.dot(m21)).tanh().sum());
    }

    #[vertex_function]
    pub fn several_9(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(H)] b5: Tensor, #[param(K, H)] w6: Tensor, #[param(K)] b7: Tensor,
        #[param(K)] b8: Tensor, #[param(3 * H, K)] w9: Tensor, #[param(K)] b13: Tensor,
        #[param(K, K)] w14: Tensor, #[param(K)] b15: Tensor, #[param(H, H)] w16: Tensor,
        #[param(H)] b17: Tensor, #[param(K, E)] w18: Tensor, #[param(K, H)] w19: Tensor,
        #[param(K, H)] w20: Tensor,
    ) {
        let mut a2 = zeros(de);
        for k in 0..3 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) + w4.dot(v1.c)) * (k as f64 + 0.5);
        }
        let [x10, x11, x12]: [Tensor; 3] = w9.dot(weighted([w6.dot(b5).tanh(), b7, b8])).split();
        loss(mse((w14.dot(b13).log_softmax() + 1.5).tanh(), b15));
        loss((w16.dot(x11) * b17).tanh().sum() - 0.75);
        scatter(Node { c: ((w18.dot(a2) + w19.dot(x10)).tanh() * w20.dot(x12)).tanh(), h: x12.tanh().exp().tanh() });
    }

    #[vertex_function]
    pub fn several_10(
        #[param(E, E)] w2: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w6: Tensor,
        #[param(E, K)] w7: Tensor, #[param(K)] b8: Tensor, #[param(K, K)] w9: Tensor,
        #[param(2 * K, K)] w10: Tensor, #[param(2 * K)] b11: Tensor, #[param(E)] b14: Tensor,
        #[param(H, K)] w15: Tensor, #[param(K)] b16: Tensor, #[param(H)] b17: Tensor,
        #[param(K)] b18: Tensor, #[param(H, E)] w19: Tensor, #[param(H, E)] w20: Tensor,
        #[param(H, E)] w21: Tensor, #[param(H, K)] w22: Tensor,
    ) {
        let p1 = pull::<Signal>().x;
        let x3 = (w2 * 1.5).dot(p1);
        let mut a5 = zeros(de);
        for k in 0..3 {
            let v4: Node = gather(k);
            a5 += (w6.dot(v4.h) + w7.dot(v4.c)) * (k as f64 + 0.5);
        }
        let [x12, x13] = (w10.dot((-w9.dot(b8)).log_softmax()) + b11).tanh().split::<2>();
        push(Out { y: b14.log_softmax().tanh() });
        let state = Node { c: b18.sigmoid().softmax(), h: (1.5 * affine(w15, b16, b17)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((((w19.dot(x3) + w20.dot(p1) + w21.dot(a5)).tanh() - w22.dot(x12)) * w15.dot(x13)).tanh().sum());
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
        #[param(H, E)] w13: Tensor, #[param(K, E)] w15: Tensor, #[param(K, H + K)] w16: Tensor,
        #[param(H)] b18: Tensor, #[param(K)] b19: Tensor, #[param(K, K)] w20: Tensor,
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
        let n14 = 2.0_f64.sqrt() - 0.75;
        let x17 = weighted([v6.c.minimum(v6.c) / (0.5 + (n14 * v6.c).sigmoid()), w16.dot(summary(Node { h: w13.dot(x3), c: w15.dot(x3) })), v6.c]).tanh();
        loss(cross_entropy((x9 - v6.h).variational_dropout(0.5), label));
        for k in 0..2 {
            loss((w16.dot(summary(Node { h: b18, c: b19 })) * x17).sum() * (k as f64 + 0.25));
        }
        let (h, c) = ((h5 + h8).tanh(), (w20.dot(v6.c) * x17).tanh());
        scatter(Node { h, c });
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
        #[param(K)] b8: Tensor, #[param()] s9: Tensor, #[param(K, K)] w11: Tensor,
        #[dim(K)] dk: Dim, #[param(E)] b13: Tensor, #[param(K, K)] w19: Tensor,
        #[param(H, K)] w20: Tensor, #[param(H, K)] w21: Tensor, #[param(H, K)] w22: Tensor,
        #[dim(E)] de: Dim,
    ) {
        let [v1, v2]: [Node; 2] = [gather(0), gather(1)];
        let x3 = {
            let n5 = 1.5 / (1.0 + dh as f64);
            let x6: Tensor = concat([(w4 * n5).dot(v1.c).slice(1..dh), (w4 * n5).dot(v1.c).slice(0..1)]) / (0.5 + zeros(dh).maximum(v2.h).sigmoid());
            w7.dot(x6).tanh()
        };
        let x10 = s9 * b8 / (v2.c.dropout(0.25).sigmoid() + 0.5);
        let x12 = concat([w11.dot(x10).slice(1..dk), w11.dot(x10).slice(0..1)]).softmax();
        let s14 = b13.pick(x3.argmax());
        let s15 = s14;
        let mut m16 = x12;
        let x17 = if -0.35 >= x12.sum() || s15 <= 0.2 {
            m16 -= (x12 * x10).sigmoid();
            let x18 = if !(s14 >= 0.1 || x10.max() >= s15) {
                x12.softmax() + 0.5 * x10.tanh()
            } else if x10.max() > s14 {
                x10.tanh()
            } else {
                m16 -= (x10 - x12.max()).exp().tanh();
                w19.dot(x10).tanh()
            };
            (x18 + (x12 / (x10.norm() + 0.5)).tanh()).tanh()
        } else {
            m16 += x10.relu().minimum(x12).tanh();
            w11.dot(x12).tanh()
        };
        m16 = m16.tanh();
        let state: Node = Node { h: ((v1.h + w20.tanh().dot(x12) + s15 + w4.dot(x17)).tanh() * (w21 + w22).dot(m16)).tanh(), c: (x12 - s9).tanh() };
        scatter(state);
        push(Out { y: concat([x3.slice(1..de), x3.slice(0..1)]) });
    }

    #[vertex_function]
    pub fn several_15(
        #[param(K, E)] w2: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w6: Tensor,
        #[param(E, K)] w7: Tensor, #[param(H)] b8: Tensor, #[param(H, E)] w10: Tensor,
        #[param(H, K)] w11: Tensor, #[param(E, K)] w13: Tensor, #[param(H, H)] w18: Tensor,
        #[param(K, E)] w19: Tensor, #[param(K)] b20: Tensor, #[param(E, E)] w22: Tensor,
        #[param(K, K)] w28: Tensor, #[param(K, K)] w31: Tensor, #[param(E)] b34: Tensor,
        #[param(E)] b35: Tensor, #[param(K, H)] w36: Tensor, #[param(K, H)] w37: Tensor,
        #[param(K, H)] w38: Tensor, #[param(H, E)] w39: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x3 = w2.dot(p1);
        let v4: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a5 = zeros(de);
        for k in 0..3 {
            a5 += (w6.dot(v4[k].h) + w7.dot(v4[k].c)) * (k as f64 + 0.5);
        }
        let x9 = (b8.sigmoid() * (x3 * x3).tanh().sum()).tanh();
        let x12 = (w10.dot(p1) - b8 - w11.dot(v4[0].c)).tanh();
        let s14 = indicator(w13.dot(x3).argmax() != label);
        let mut m15 = x9;
        let mut n16 = scalar(0.0);
        loop {
            let s17 = m15.max();
            if n16 > 2.5 || s17 > 0.4 {
                break;
            }
            loss(m15.pick(m15.sample()));
            m15 = (0.7 * m15 + w18.dot(m15).tanh()).tanh();
            n16 += 1.0;
        }
        m15 = m15.tanh();
        let x21 = w19.dot(p1).less(v4[0].c + 0.6).select(b20, w19.dot(p1));
        let x23 = gate(w2, w22.dot(a5).tanh(), b20);
        let s24 = cross_entropy(a5, label).tanh();
        let s25 = s24;
        let mut m26 = x23;
        let i29 = concat([(w28 + w28).dot(x21).tanh(), zeros(3)]).argmax();
        let x27 = match i29 {
            Index(0) => {
                m26 -= (x23 * x21).sigmoid();
                let x30 = if s24 < -0.35 {
                    w31.dot(x21).tanh()
                } else {
                    m26 += x23.softmax() + 0.5 * x21.tanh();
                    (x21 - x23.max()).exp().tanh()
                };
                (x30 + (x21 - x23.max()).exp().tanh()).tanh()
            }
            Index(1) | Index(2) => {
                x21.softmax() + 0.5 * x23.tanh()
            }
            _ => {
                let x32 = if 0.2 > x21.sum() {
                    let x33 = if x21.max() < s25 {
                        m26 *= x23.tanh();
                        (x21 - x23).tanh() * s25.tanh()
                    } else {
                        x23.tanh()
                    };
                    (x33 + x23.relu().minimum(x21).tanh()).tanh()
                } else {
                    m26 *= (x23 * x21).sigmoid();
                    x23.softmax() + 0.5 * x21.tanh()
                };
                (x32 + (x23 / (x21.norm() + 0.5)).tanh()).tanh()
            }
        };
        m26 = m26.tanh();
        loss(((2.0 / (b34.sigmoid() + 0.5) - a5).tanh() * b34).sum());
        loss(cross_entropy(concat([b35, p1.gelu_tanh()]).slice(0..de), label));
        let state: Node = Node { h: affine(w39, w7.dot(x23), b8).tanh(), c: ((((w36.dot(v4[0].h) + (w37 * 1.5).dot(x9)) * w38.dot(x12)).tanh() + s14 + w36.dot(m15) + x23 - s25).tanh() + x27 + m26).tanh() };
        scatter(state);
        push(Out { y: (w22.dot(p1) / (b34.sigmoid() + 0.5)).tanh() });
    }

    #[vertex_function]
    pub fn several_16(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(E)] b5: Tensor,
        #[param(E, E)] w6: Tensor, #[param(E, H)] w9: Tensor, #[param(E, E)] w13: Tensor,
        #[param(E, E)] w15: Tensor, #[param(E, H)] w16: Tensor, #[dim(H)] dh: Dim,
        #[param(E, K)] w17: Tensor, #[param(E)] b18: Tensor, #[dim(E)] de: Dim,
        #[param(E, K)] w19: Tensor, #[param(E, E)] w20: Tensor, #[param(H, E)] w21: Tensor,
        #[param(H, E)] w22: Tensor,
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
        let mut m11 = x7;
        let mut n12 = scalar(0.0);
        while n12 < 3.5 && m11.max() < 0.9 {
            m11 = (0.7 * m11 + w13.dot(m11).tanh()).tanh();
            n12 += 1.0;
        }
        m11 = m11.tanh();
        let mut m14 = (w15 * 0.75).dot(x8) / (0.5 + (w16 * s10).dot(v1[1].h).sigmoid());
        m14 /= 1.0 / (dh as f64).sqrt();
        m14 *= scaled(affine(w17, a2, b18), de).tanh();
        m14 += (w20 * 2.0).dot(w19.dot(v1[1].c).relu()).tanh();
        m14 = m14.tanh();
        scatter(Node { h: (w21.dot(m11) - w22.dot(m14)).tanh(), c: v1[1].c.log_softmax().tanh() });
    }

    #[vertex_function]
    pub fn several_17(
        #[dim(H)] dh: Dim, #[param(H, K)] w3: Tensor, #[param(E)] b6: Tensor,
        #[param(K, E)] w7: Tensor, #[param(K)] b8: Tensor, #[dim(K)] dk: Dim,
        #[param()] s11: Tensor, #[param(H, H)] w13: Tensor, #[param(H, H)] w14: Tensor,
        #[param(H, H)] w20: Tensor, #[param(H, K)] w21: Tensor,
    ) {
        let v1: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a2 = zeros(dh);
        for k in 0..3 {
            let n4 = 2.0_f64.sqrt() - 2.0;
            a2 += (v1[k].h + (w3 * n4).dot(v1[k].c)) * (k as f64 + 0.5);
        }
        let parts5 = [(0.5 / (0.5 + v1[2].c.sigmoid())).minimum(w7.dot(b6)).tanh(), v1[2].c + v1[2].c, b8];
        let mut a9 = zeros(dk);
        let x10 = concat(parts5);
        for k in 0..2 {
            a9 -= (x10.slice(k * dk..(k + 1) * dk) - v1[2].c / (0.5 + v1[2].c.sigmoid())).tanh();
        }
        let x12 = (a2 * s11).tanh();
        let x15 = (0.5 - ((w13 + w14).dot(a2) + v1[2].h).tanh()).tanh();
        let s16 = w3.dot(v1[2].c).sum();
        let mut m17 = x12;
        let mut n18 = scalar(0.0);
        loop {
            let s19 = m17.max();
            if n18 > 2.5 || s19 > 0.9 {
                break;
            }
            m17 = (0.7 * m17 + w20.dot(m17).tanh()).tanh();
            n18 += 1.0;
        }
        m17 = m17.tanh();
        let state = Node { c: scaled(a9, dk).tanh(), h: ((w21.tanh().dot(a9) * x12 + x15).tanh() * s16 + m17).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn several_18(
        #[dim(H)] dh: Dim, #[param(H, K)] w3: Tensor, #[param(H, H)] w4: Tensor,
        #[param(K)] b6: Tensor, #[param(K)] b7: Tensor, #[param(E, K)] w8: Tensor,
        #[param(H)] b9: Tensor, #[param(H, H + K + E)] w10: Tensor, #[param()] s12: Tensor,
        #[param(E, H)] w18: Tensor, #[param(K, K)] w19: Tensor,
    ) {
        let mut a2 = zeros(dh);
        for k in 0..3 {
            let v1: Node = gather(k);
            a2 += (v1.h - w3.dot(v1.c)) * (k as f64 + 0.5);
        }
        let x5 = w4.dot(a2).softmax().relu();
        let x11 = w10.dot(concat([b6, w8.dot(b7), b9]));
        let s13 = s12 + s12;
        let mut m14 = x5;
        let mut n15 = scalar(0.0);
        loop {
            let s16 = m14.max();
            if n15 > 2.5 || s16 > 0.9 {
                m14 = m14 * s16.sigmoid();
                break;
            }
            m14 = (0.7 * m14 + w4.dot(m14).tanh()).tanh();
            let x17 = if !(s13 < 0.1 || x11.max() < s13) {
                (x11 - x5.max()).exp().tanh()
            } else {
                m14 = x11.tanh();
                (x5 / (x11.norm() + 0.5)).tanh()
            };
            m14 = m14 * x17.sigmoid();
            n15 += 1.0;
        }
        m14 = m14.tanh();
        loss(w18.dot(x11).log_softmax().tanh().sum());
        loss(s13);
        let state = Node { c: w19.dot(b6).tanh(), h: x5 * m14 };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn several_19(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(H, E)] w5: Tensor, #[param(E)] b6: Tensor, #[param(H)] b7: Tensor,
        #[param(H)] b9: Tensor, #[param(H, H)] w11: Tensor, #[param(H, K)] w15: Tensor,
        #[param(H, H)] w17: Tensor, #[dim(H)] dh: Dim, #[param(E, H)] w19: Tensor,
        #[param(H, H)] w24: Tensor, #[param(H, E)] w25: Tensor, #[param(H, K)] w27: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(de);
        for k in 0..2 {
            a2 += (w3.dot(v1[k].h) + w4.dot(v1[k].c)) * (k as f64 + 0.5);
        }
        let x8 = affine(w5, 2.0 - b6, b7).tanh();
        let x10 = (-b9 + 0.75).tanh();
        let s12 = indicator((w11 * 0.75).dot(v1[1].h).argmax() == b7.sample());
        let s13 = s12;
        let i16 = concat([x10.greater(x8 + 0.35).select(w15.dot(v1[1].c), x10), zeros(3)]).argmax();
        let x14 = match i16 {
            Index(0) => {
                w17.dot(x10).tanh()
            }
            Index(1) | Index(2) => {
                (x8.square() + 0.5).ln().tanh()
            }
            _ => {
                (x8 * x10).sigmoid()
            }
        };
        let x18 = zeros(dh).maximum(x14).maximum(x14).tanh();
        let x20 = w5.dot(a2 - w19.dot(x18)).tanh();
        let s21 = s13;
        let mut m22 = x18;
        let mut n23 = scalar(0.0);
        while n23 < 3.5 && m22.max() < 0.9 {
            m22 = (0.7 * m22 + w24.dot(m22).tanh()).tanh();
            n23 += 1.0;
        }
        m22 = m22.tanh();
        let (h, c) = ((w25.dot(a2).minimum(x20) * m22).tanh(), v1[1].c.softmax().variational_dropout(0.1).tanh());
        scatter(Node { h, c });
        push(Out { y: a2.tanh().exp().tanh().abs() });
        let n26 = 2.0 / (1.0 + de as f64);
        loss((n26 / (0.5 + w27.dot(v1[1].c).sigmoid()) * s21).tanh().sum());
    }

    #[vertex_function]
    pub fn several_20(
        #[param(H, H)] w3: Tensor, #[param(H)] b4: Tensor, #[param(K)] b6: Tensor,
        #[param(K, H)] w8: Tensor,
    ) {
        let v1 = gather::<Node>(1);
        let v2 = gather::<Node>(0);
        let s5 = crate::generated::cells::gate(w3, v2.h, b4).maximum(v2.h).sum().tanh();
        let s7 = (2.0 + b6).tanh().sum().sigmoid();
        let state: Node = Node { h: v2.h.tanh(), c: (w8.dot(v1.h) - v1.c + v2.c + s5 + s7).tanh() };
        scatter(state);
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
        #[param(H, H)] w7: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w8: Tensor,
        #[param(H)] b9: Tensor, #[param(E)] b13: Tensor, #[param(H, E)] w15: Tensor,
        #[param(E, E)] w16: Tensor, #[param(E, H)] w17: Tensor, #[param(E)] b18: Tensor,
        #[param()] s19: Tensor, #[param(H, K)] w21: Tensor, #[param(K)] b22: Tensor,
        #[param(H)] b23: Tensor,
    ) {
        let mut a2 = zeros(dk);
        for k in 0..2 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) + v1.c) * (k as f64 + 0.5);
        }
        let Gold { label, target } = pull();
        let x5 = w4.tanh().dot(target);
        let x6 = {
            let x10 = affine(w7, zeros(dh) + w8.dot(a2), b9).tanh();
            let x11 = concat([x10.slice(1..dh), x10.slice(0..1)]);
            x11.tanh()
        };
        let x12 = {
            let x14 = gate(w4, b13, b13).sigmoid();
            x14.tanh()
        };
        loss(cross_entropy((w16.norm() * w15.dot(x5)).tanh(), label));
        let out20 = Scores { y: w17.dot(x6), logits: s19.tanh() * affine(w17, zeros(dh), b18) };
        push(out20);
        let state = Node { c: scaled(a2, dk).tanh().hard_tanh(), h: (-affine(w21, b22, b23)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((target - x12).sum());
    }

    #[vertex_function]
    pub fn several_23(
        #[param(E, H)] w4: Tensor, #[param()] s5: Tensor, #[param(E)] b6: Tensor,
        #[param(2 * H, E)] w7: Tensor, #[param(K, H)] w11: Tensor, #[param(K, H)] w12: Tensor,
        #[param(K, H)] w13: Tensor, #[param(E, K)] w14: Tensor, #[dim(E)] de: Dim,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let [x8, x9] = w7.dot(gate(w4, s5 * v3.h, b6)).split();
        let s10 = (-v2.c).softmax().sum();
        let state = Node { c: ((w11.dot(v1.h) + v1.c + w12.dot(v2.h) + v3.c + w11.dot(x8)).tanh() + w13.tanh().dot(x9) - s10).tanh(), h: v1.h.abs().tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: w14.dot(v3.c).maximum(zeros(de)) * zeros(de) });
    }

    #[vertex_function]
    pub fn several_24(
        #[param(E)] b4: Tensor, #[param(V, K)] table6: Tensor, #[param(K)] b8: Tensor,
        #[param(H)] b11: Tensor, #[dim(H)] dh: Dim, #[param(3 * E, H)] w12: Tensor,
        #[param(K, H)] w17: Tensor, #[param(K, H)] w18: Tensor, #[param(K, E)] w19: Tensor,
        #[param(K, E)] w20: Tensor, #[param(K, E)] w21: Tensor,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let Word { id, x } = pull();
        let x5 = x * b4;
        let x7 = table6.row(id);
        let [x9, x10] = [x7.greater(v3.c + 0.1).select(table6.row(id), x7).minimum(b8), weighted([v1.c, v2.c, v3.c])];
        let [x13, x14, x15] = w12.dot(scaled(0.5 * b11, dh)).split::<3>();
        let out16 = Scores { y: (x15 * 2.0).tanh(), logits: (0.5 + (b8 * 0.5).sigmoid()).ln() };
        push(out16);
        let state = Node { c: ((((w17.dot(v1.h) + w18.dot(v2.h) + w17.dot(v3.h)) * w19.dot(x5) + w19.dot(x)) * x9 + x10 - w20.dot(x13)).tanh() - w21.dot(x14)).tanh(), h: (v2.h / (0.5 + v1.h.sigmoid())).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn several_25(
        #[dim(E)] de: Dim, #[param(E, H)] w3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(E, E)] w5: Tensor, #[param(H, H)] w7: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b8: Tensor, #[dim(K)] dk: Dim, #[param(H, K)] w10: Tensor,
        #[param()] s12: Tensor, #[param(H, H)] w17: Tensor, #[param()] s18: Tensor,
        #[param(K)] b19: Tensor, #[param(E, H)] w20: Tensor, #[param(E, H)] w21: Tensor,
        #[param(K, E)] w22: Tensor, #[param(K, E)] w23: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(de);
        for k in 0..2 {
            a2 += w3.dot(v1[k].h) * w4.dot(v1[k].c) * (k as f64 + 0.5);
        }
        let Word { x, .. } = pull();
        let x6 = w5.dot(x);
        let x9 = (concat([b8, w7.dot(v1[0].h)]).slice(dk..dk + dh) - v1[0].h).tanh();
        let x11 = w10.dot(v1[0].c).minimum(x9).tanh();
        let s13 = s12.sigmoid();
        let s14 = s13;
        let x15 = if x11.max() > s14 || x11.max() > s13 {
            (x9.square() + 0.5).ln().tanh()
        } else if 0.2 >= x11.sum() || x11.max() < s13 {
            let x16 = if s13 >= 0.2 {
                x11.tanh()
            } else {
                x11.softmax() + 0.5 * x9.tanh()
            };
            (x16 + (x9 * x11).sigmoid()).tanh()
        } else {
            w17.dot(x9).tanh()
        };
        let state = Node { c: (b19.minimum(zeros(dk)) * w20.dot(x11).sum()).tanh(), h: (s12.tanh() * (x15 * s18)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        push(Out { y: noisy(((w21 * 2.0).dot(v1[0].h).sigmoid() + 0.5).ln(), 0.5) });
        loss(((w22.tanh().dot(a2) + w23.dot(x6)).tanh() + s14).sum());
    }

    #[vertex_function]
    pub fn several_26(
        #[param(E)] b1: Tensor, #[dim(K)] dk: Dim, #[param(K, H)] w5: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b6: Tensor, #[param(H, H)] w12: Tensor, #[param(K, K)] w13: Tensor,
        #[param(K)] b14: Tensor, #[param(K, E)] w15: Tensor, #[param(K, H)] w16: Tensor,
        #[param(K, H)] w17: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = x * b1;
        let v3: [Node; 2] = [gather(0), gather(1)];
        let mut a4 = zeros(dk);
        for k in 0..2 {
            a4 += (w5.dot(v3[k].h) + v3[k].c) * (k as f64 + 0.5);
        }
        let x7 = (1.0 / (dh as f64).sqrt() / ((-b6).sigmoid() + 0.5)).tanh();
        let x8 = x7.greater(v3[1].h + 0.6).select(v3[1].h, x7).clamp(-0.5, 0.75);
        let s9 = x.sum();
        let mut m10 = x7;
        let mut n11 = scalar(0.0);
        while n11 < 2.5 && m10.max() < 0.9 {
            m10 = (0.7 * m10 + (m10 + w12.dot(m10).tanh()).noise(0.1)).tanh();
            n11 += 1.0;
        }
        m10 = m10.tanh();
        for k in 0..2 {
            loss(cross_entropy(((w13 + w13).dot(v3[1].c) * a4).tanh().noise(0.1).tanh(), label) * (k as f64 + 0.25));
        }
        loss(cross_entropy((a4 / (v3[1].c.sigmoid() + 0.5)).minimum(b14).tanh(), label));
        let (h, c) = (w12.dot(v3[1].h.softmax()).tanh(), noisy(2.0 / (v3[1].c.sigmoid() + 0.5), 0.25).tanh());
        scatter(Node { h, c });
        loss(((w15.dot(x2) * w16.dot(x8) - s9) * (w17 * s9.tanh()).dot(m10)).tanh().sum());
    }

    #[vertex_function]
    pub fn several_27(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(E, E)] w5: Tensor,
        #[param()] s8: Tensor, #[dim(E)] de: Dim, #[param(K)] b9: Tensor,
        #[param(3 * E, K)] w10: Tensor, #[param(H)] b15: Tensor, #[dim(H)] dh: Dim,
        #[param(E)] b17: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(dk);
        for k in 0..2 {
            a2 += (w3 * 0.5).dot(v1[k].h) * v1[k].c * (k as f64 + 0.5);
        }
        let p4 = pull::<Signal>().x;
        let x6 = w5.dot(p4);
        let mut m7 = x6 * s8;
        m7 /= 1.5;
        m7 -= indicator(v1[1].h.argmax() != v1[1].h.sample()) * (-zeros(de));
        m7 = m7.tanh() + x6.cumulative_sum().tanh().maximum(x6);
        m7 = m7.tanh();
        let [x11, x12, x13] = w10.dot(b9.tanh().exp()).split();
        loss((0.5 + a2.sigmoid()).ln().maximum(v1[1].c).sum());
        let n14 = 2.0_f64.sqrt() - 2.0;
        let n16 = 0.75 / (1.0 + dh as f64);
        let state: Node = Node { h: (n14 / ((n16 + b15).sigmoid() + 0.5)).tanh(), c: (a2 - v1[1].c).sigmoid() };
        scatter(state);
        push(Out { y: b17.less(x13 + 0.1).select(zeros(de), b17) - m7 });
        loss((x11 * x12).tanh().sum());
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
        #[param(K)] b11: Tensor, #[param(K, K)] w12: Tensor, #[dim(K)] dk: Dim,
        #[param(2 * E, K)] w13: Tensor, #[param(2 * E)] b14: Tensor, #[param(E)] b17: Tensor,
        #[param(E, E)] w18: Tensor, #[param(H, E)] w20: Tensor, #[param(H, E)] w21: Tensor,
        #[param(H)] b22: Tensor, #[param(K, H)] w23: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = p1.x * b2;
        let x5: Tensor = table4.row(p1.id);
        let mut a7 = zeros(de);
        for k in 0..3 {
            let v6: Node = gather(k);
            a7 += ((w8 + w9).dot(v6.h) + w10.dot(v6.c)) * (k as f64 + 0.5);
        }
        let (x15, x16) = halves(w13.dot(concat([b2, (w12 * 1.5).dot(b11)]).slice(de..de + dk) - zeros(dk)) + b14);
        let s19 = (0.5 * b17.exp() * w18.dot(x3)).tanh().sum();
        let state: Node = Node { h: (((w20.dot(p1.x) - w21.dot(x5) + w20.dot(a7)).tanh() - w20.tanh().dot(x15)) * (w20 * s19.tanh()).dot(x16)).tanh(), c: w23.tanh().dot(b22) };
        scatter(state);
    }

    #[vertex_function]
    pub fn several_30(
        #[param(E, E)] w4: Tensor, #[dim(E)] de: Dim, #[param(E)] b6: Tensor,
        #[param(4 * K, E)] w7: Tensor, #[param(H, K)] w12: Tensor, #[param(H, K)] w14: Tensor,
        #[param(H)] b15: Tensor, #[param(H, H)] w21: Tensor, #[param(K)] b22: Tensor,
        #[dim(K)] dk: Dim, #[param(H, K)] w23: Tensor, #[param(H, H)] w24: Tensor,
        #[dim(H)] dh: Dim, #[param()] s25: Tensor, #[param(K, E)] w26: Tensor,
        #[param(K, E)] w27: Tensor, #[param(K, H + K)] w28: Tensor, #[param(K, E)] w29: Tensor,
        #[param(K, H)] w30: Tensor, #[param(K, H)] w31: Tensor,
    ) {
        let [v1, v2, v3]: [Node; 3] = [gather(0), gather(1), gather(2)];
        let Gold { label, target } = pull();
        let x5 = (w4 * (1.0 / (de as f64).sqrt())).dot(target);
        let [x8, x9, x10, x11]: [Tensor; 4] = w7.dot(b6.log_softmax() - target).tanh().split();
        let x13 = (0.5 + (w12 * 0.75).dot(v3.c).sigmoid()).ln().softmax();
        let x16 = v1.h.maximum((w14 * (1.0 / de as f64)).dot(x10)).maximum(b15).tanh();
        let s17 = v1.c.sum();
        let s18 = (s17 * 2.0).tanh();
        let mut m19 = x16;
        let x20 = if !(s18 > -0.35 || -0.35 <= x16.sum()) {
            w21.dot(x16).tanh()
        } else {
            (x16.square() + 0.5).ln().tanh()
        };
        m19 = m19.tanh();
        loss(cross_entropy(concat([m19.greater((w23 * (1.0 / dk as f64)).dot(x8) + 0.6).select((w21 + w24).dot(x16), m19), b22]).slice(dh..dh + dk), label));
        for k in 0..2 {
            loss(cross_entropy(v2.c.tanh().exp(), label) * (k as f64 + 0.25));
        }
        push(Out { y: (target - x5 - 2.0).tanh() });
        let state: Node = Node { h: (b15 + s25).softmax(), c: (w28.dot(summary(Node { h: x13, c: (w26 + w27).dot(target) })) + w29.dot(target)).tanh() };
        scatter(state);
        loss((((w30.dot(v2.h) + w30.dot(v3.h)) * x9 + x11 - s18) * (w31 * 0.5).dot(x20)).tanh().sum());
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
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(E, E)] w5: Tensor,
        #[param(E)] b6: Tensor, #[param()] s7: Tensor, #[param(K, E)] w8: Tensor,
        #[param(H)] b9: Tensor, #[param(K, K)] w10: Tensor, #[param(K)] b11: Tensor,
        #[dim(E)] de: Dim, #[param(E, H)] w12: Tensor,
    ) {
        let v1: [Node; 3] = [gather(0), gather(1), gather(2)];
        let mut a2 = zeros(dk);
        for k in 0..3 {
            a2 += (w3.dot(v1[k].h) + v1[k].c) * (k as f64 + 0.5);
        }
        let mut m4 = crate::generated::cells::gate(w5, b6, b6);
        m4 /= 0.5;
        m4 = m4.tanh() + (b6 + s7).relu();
        m4 = m4.tanh();
        loss(w8.dot(m4).tanh().sum());
        let (h, c) = (b9.maximum(v1[1].h).softplus().tanh(), (crate::generated::cells::gate(w10, v1[1].c, b11) - 0.5).tanh());
        scatter(Node { h, c });
        push(Out { y: (2.0 / (0.5 + zeros(de).sigmoid())).minimum(w12.dot(v1[1].h)).tanh() });
        loss(a2.sum());
    }

    #[vertex_function]
    pub fn several_33(
        #[param(E, E)] w1: Tensor, #[param(V, H)] table3: Tensor, #[dim(H)] dh: Dim,
        #[param(H, K)] w7: Tensor, #[param(K)] b10: Tensor, #[param(K, E)] w11: Tensor,
        #[param(K, E)] w13: Tensor, #[param(V, K)] table14: Tensor,
        #[param(K, K + E)] w15: Tensor, #[param(K, H)] w16: Tensor, #[param(K, H)] w17: Tensor,
        #[param(H, H)] w18: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2: Tensor = w1.dot(x);
        let x4 = table3.row(id);
        let v5: [Node; 2] = [gather(0), gather(1)];
        let mut a6 = zeros(dh);
        for k in 0..2 {
            a6 += (v5[k].h + w7.dot(v5[k].c)) * (k as f64 + 0.5);
        }
        let mut m8 = 1.5 + v5[0].c;
        let n9 = 2.0_f64.sqrt() - 0.75;
        m8 /= n9;
        m8 /= 1.0 / dh as f64;
        m8 += (0.5 + b10).greater_equal(b10 + 0.6).select(w11.dot(x), 0.5 + b10).tanh();
        m8 = m8.tanh();
        let mut m12 = w13.tanh().dot(x2).relu();
        m12 -= w15.dot(concat([table14.row(id), x2])).tanh();
        m12 /= 0.5;
        m12 = m12.tanh();
        scatter(Node { h: (w7.dot(v5[0].c) - w18.dot(a6)).tanh(), c: ((w16.dot(x4) * w17.dot(a6) * w16.dot(v5[0].h) - m8).tanh() + m12).tanh() });
    }

    #[vertex_function]
    pub fn several_34(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(4 * E, K)] w4: Tensor,
        #[param(4 * E)] b5: Tensor, #[param(K)] b10: Tensor, #[param(K, K)] w13: Tensor,
        #[param(H)] b15: Tensor, #[param(H, H)] w16: Tensor, #[param(H, H)] w21: Tensor,
        #[param(H)] b22: Tensor, #[param(H, H)] w23: Tensor, #[param(K, H)] w24: Tensor,
        #[param(H, E)] w25: Tensor, #[param(H, K)] w26: Tensor, #[param(H, K)] w27: Tensor,
    ) {
        let mut a2 = zeros(dk);
        for k in 0..2 {
            let v1: Node = gather(k);
            a2 += (w3.dot(v1.h) - v1.c) * (k as f64 + 0.5);
        }
        let [x6, x7, x8, x9] = (w4.dot(a2.minimum(a2).relu()) + b5).split();
        let x11 = b10.log_softmax().log_softmax().tanh();
        let x12 = weighted([x11.exp(), a2, x11]).tanh();
        let s14 = w13.norm();
        let s17 = w16.dot(b15).sum();
        let x18 = if !(0.1 <= x12.sum() || s17 > 0.2) {
            let x19 = if x12.max() > s17 {
                let x20 = if 0.2 >= x11.sum() {
                    w13.dot(x11).tanh()
                } else {
                    (x12 / (x11.norm() + 0.5)).tanh()
                };
                (x20 + x12.softmax() + 0.5 * x11.tanh()).tanh()
            } else {
                x12.softmax() + 0.5 * x11.tanh()
            };
            (x19 + w13.dot(x12).tanh()).tanh()
        } else {
            x11.tanh()
        };
        let state = Node { c: (0.5 / (0.5 + w24.dot(b15).sigmoid())).tanh(), h: (w21.dot(b15).minimum(w23.dot(b22)) - 2.0).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((((((w25.tanh().dot(x6) - w25.dot(x7)).tanh() + w25.dot(x8)).tanh() + w25.dot(x9)).tanh() * w26.dot(x12) * s14 + s17).tanh() + w27.dot(x18)).tanh().sum());
    }

    #[vertex_function]
    pub fn several_35(
        #[dim(K)] dk: Dim, #[param(K, H)] w3: Tensor, #[param(E)] b4: Tensor,
        #[param(E, E)] w5: Tensor, #[param(E)] b6: Tensor, #[param(E, 2 * E)] w7: Tensor,
        #[param(E, H)] w9: Tensor, #[param(H, H)] w11: Tensor, #[param(3 * E, E)] w20: Tensor,
        #[dim(E)] de: Dim, #[param(E)] b23: Tensor, #[param(E, K)] w24: Tensor,
        #[param(H, E)] w25: Tensor, #[param(H, E)] w26: Tensor,
    ) {
        let v1: [Node; 2] = [gather(0), gather(1)];
        let mut a2 = zeros(dk);
        for k in 0..2 {
            a2 += (w3.dot(v1[k].h) + v1[k].c) * (k as f64 + 0.5);
        }
        let x8 = w7.dot(concat([(w5 * 1.5).dot(b4), w5.dot(b6)])).tanh();
        let x10 = -(b4 * w9.dot(v1[0].h));
        let s12 = (w11.dot(v1[0].h) * v1[0].h).sum();
        let s13 = x8.max();
        let i15 = concat([b4 + s13, zeros(3)]).argmax();
        let x14 = match i15 {
            Index(0) => {
                let x16 = if 0.2 <= x10.sum() && s12 > -0.35 {
                    x8.softmax() + 0.5 * x10.tanh()
                } else {
                    x8.relu().minimum(x10).tanh()
                };
                (x16 + (x8 * x10).sigmoid()).tanh()
            }
            Index(1) | Index(2) => {
                x10.relu().minimum(x8).tanh()
            }
            _ => {
                let x17 = if x10.max() <= s12 {
                    let x18 = if s12 >= -0.35 {
                        (x8 / (x10.norm() + 0.5)).tanh()
                    } else {
                        (x8 * x10).sigmoid()
                    };
                    (x18 + (x10 - x8.max()).exp().tanh()).tanh()
                } else {
                    (x10 / (x8.norm() + 0.5)).tanh()
                };
                (x17 + (x10 * x8).sigmoid()).tanh()
            }
        };
        let parts19 = w20.dot(scaled(x10.log_softmax(), dk)).tanh().split::<3>();
        let mut a21 = b4;
        let x22 = concat(parts19);
        for k in 0..2 {
            a21 += (x22.slice(k * de..(k + 1) * de) * (b23 / ((w24 * s12.tanh()).dot(v1[0].c).sigmoid() + 0.5))).tanh();
        }
        let state = Node { c: a2.softmax().exp().tanh(), h: (v1[0].h * 0.75).sigmoid() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((w25.dot(x14) + w26.dot(a21)).tanh().sum());
    }
}

pub mod all {
    use super::prelude::*;

    #[vertex_function]
    pub fn all_0(
        #[param(E)] b2: Tensor, #[param(K)] b3: Tensor, #[param(E, K)] w4: Tensor,
        #[param(E, E)] w5: Tensor, #[param(H)] b6: Tensor, #[param(E, H)] w7: Tensor,
        #[param(E, H)] w8: Tensor, #[param(3 * K, E)] w9: Tensor, #[param(3 * K)] b10: Tensor,
        #[dim(K)] dk: Dim, #[param(K, E)] w12: Tensor, #[param(K, E)] w13: Tensor,
        #[param()] s14: Tensor, #[param(E, H)] w17: Tensor, #[param(E)] b18: Tensor,
        #[param(E)] b20: Tensor, #[param(K, K)] w22: Tensor, #[param(K)] b24: Tensor,
        #[param(H)] b29: Tensor, #[param(H, H)] w30: Tensor, #[dim(E)] de: Dim,
        #[param(H)] b32: Tensor, #[dim(H)] dh: Dim, #[param(K)] b34: Tensor,
        #[param(H, K)] w42: Tensor, #[param(K, K)] w43: Tensor, #[param(K)] b44: Tensor,
        #[param(E, K)] w47: Tensor, #[param(K)] b54: Tensor, #[param(K, H)] w55: Tensor,
        #[param(K, H)] w56: Tensor, #[param(E, K)] w57: Tensor, #[param(E, K)] w58: Tensor,
    ) {
        let parts1 = (w9.dot((b2 + w4.dot(b3)).greater_equal(w5.dot(b2) + 0.35).select((w7 + w8).dot(b6), b2 + w4.dot(b3))) + b10).split::<3>();
        let mut a11 = zeros(dk);
        for part in parts1 {
            a11 -= (part * (s14 - (w12 + w13).dot(b2))).tanh();
        }
        let mut a15 = zeros(dk);
        for v16 in gather_all::<Node>() {
            let x19 = w17.dot(v16.h).sigmoid().maximum(b18);
            let x21 = (x19.sum() - b20.gelu_tanh()).tanh();
            let s23 = zeros(dk).pick(w22.tanh().dot(a11).argmax());
            let s25 = (v16.c * b24).sum();
            let x26 = if -0.35 > x19.sum() {
                (x19.sum() + s25).tanh() * x21.sigmoid()
            } else {
                let x27 = if 0.2 > x19.sum() {
                    (x19.square() + 0.5).ln().tanh()
                } else if !(s23 <= 0.1 || 0.2 <= x19.sum()) {
                    let x28 = if x19.max() < s25 && -0.35 >= x19.sum() {
                        x19.relu().minimum(x21).tanh()
                    } else if x21.max() > s23 {
                        x21.tanh()
                    } else {
                        x21.tanh()
                    };
                    (x28 + (x19 - x21.max()).exp().tanh()).tanh()
                } else {
                    (x19.sum() + s25).tanh() * x21.sigmoid()
                };
                (x27 + (x19 / (x21.norm() + 0.5)).tanh()).tanh()
            };
            a15 = a15 + (w12.dot(x21) * s23 + s25 - w12.tanh().dot(x26)).tanh();
        }
        let x31 = scaled(b29 - w30.dot(b6), de);
        let x33 = b32 * s14 / ((0.75 + zeros(dh)).sigmoid() + 0.5);
        let s35 = (b34 * a15).tanh().sum();
        let mut m36 = x31;
        let mut n37 = scalar(0.0);
        while n37 < 3.5 && m36.max() < 0.9 {
            m36 = (0.7 * m36 + w30.dot(m36).tanh()).tanh();
            let x38 = if x33.max() > s35 || 0.2 < x31.sum() {
                (x31 - x33).tanh() * s35.tanh()
            } else {
                m36 = (x33.square() + 0.5).ln().tanh();
                (x31.square() + 0.5).ln().tanh()
            };
            m36 = m36 * x38.sigmoid();
            n37 += 1.0;
        }
        m36 = m36.tanh();
        let mut a39 = zeros(dh);
        let mut t40 = s35;
        for Node { c, h } in gather_all::<Node>() {
            t40 += zeros(dk).sum();
            a39 += h - (w42 * s35.tanh()).dot(c);
            a39 -= x33;
        }
        let x45 = (w43.dot(a15) + b44).tanh().relu();
        let x46 = a11.softmax().tanh();
        let s48 = zeros(de).pick(w47.dot(x45).argmax());
        let s49 = 2.0 * s14;
        let mut m50 = x46;
        let i52 = concat([a11.relu(), zeros(3)]).argmax();
        let x51 = match i52 {
            Index(0) => {
                m50 -= (x46.sum() + s48).tanh() * x45.sigmoid();
                (x46.square() + 0.5).ln().tanh()
            }
            Index(1) | Index(2) => {
                m50 *= (x46.square() + 0.5).ln().tanh();
                (x46 - x45).tanh() * s48.tanh()
            }
            _ => {
                let x53 = if s48 > 0.2 {
                    m50 *= x46.tanh();
                    (x45 * x46).sigmoid()
                } else if s48 < -0.35 {
                    (x45 * x46).sigmoid()
                } else {
                    m50 -= (x46 - x45).tanh() * s48.tanh();
                    x46.tanh()
                };
                (x53 + (x45 - x46.max()).exp().tanh()).tanh()
            }
        };
        m50 = m50.tanh();
        loss(mse(concat([x46, b54 - 0.5]).slice(0..dk), x51 - w55.dot(m36)));
        scatter(Node { h: x33.tanh(), c: (((w56.dot(x31) - w55.dot(a39)).tanh() * t40 + s48 + s49) * m50).tanh() });
        push(Out { y: (a39.max() - (w57 + w58).dot(m50)).tanh() });
    }

    #[vertex_function]
    pub fn all_1(
        #[param(H, E)] w1: Tensor, #[param(V, K)] table3: Tensor, #[param(H)] b8: Tensor,
        #[dim(E)] de: Dim, #[param(E, K)] w12: Tensor, #[param(E, H)] w13: Tensor,
        #[dim(H)] dh: Dim, #[param(3 * K, E)] w14: Tensor, #[param(3 * K)] b15: Tensor,
        #[dim(K)] dk: Dim, #[param(H, K)] w17: Tensor, #[param(E)] b18: Tensor,
        #[param(E, K)] w19: Tensor, #[param(V, H)] table21: Tensor, #[param(H, H)] w27: Tensor,
        #[param(E, K)] w28: Tensor, #[param(E, K)] w29: Tensor, #[param(K, H)] w30: Tensor,
        #[param(K, H)] w31: Tensor, #[param(K, H)] w32: Tensor, #[param(H, K)] w33: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2: Tensor = w1.dot(x);
        let x4: Tensor = table3.row(id);
        let [x5, x6] = [x2.exp() - x2, x2 - 0.75];
        let mut a7 = b8.log_softmax();
        let mut a9 = zeros(de);
        for Node { h, c } in gather_all() {
            let parts11 = (w14.dot(scaled(w12.tanh().dot(x4) + w13.dot(h), dh)) + b15).split::<3>();
            let mut a16 = zeros(dk);
            for part in parts11 {
                a16 = a16.tanh() + (part - c.softplus().tanh()).tanh();
            }
            a7 = w17.dot(a16).tanh() + a7;
            a9 = b18.softmax() - w19.dot(x4) + a9;
        }
        let x20 = -b8.gelu_tanh();
        let x22 = x6.minimum(table21.row(id)).noise(0.25).tanh();
        let s23 = x4.sum();
        let mut m24 = x20;
        let mut n25 = scalar(0.0);
        loop {
            let s26 = m24.max();
            if n25 > 3.5 || s26 > -0.2 {
                m24 = m24 * s26.sigmoid();
                break;
            }
            m24 = (0.7 * m24 + (x20 / (x22.norm() + 0.5)).tanh()).tanh();
            n25 += 1.0;
        }
        m24 = m24.tanh();
        loss(w27.mean().tanh().tanh());
        loss(mse(-(-w28.dot(x4)), (a9 + a9).tanh()));
        push(Out { y: (w29 * 2.0).dot(x4).tanh().tanh() });
        let state: Node = Node { h: w33.dot(x4).log_softmax().tanh(), c: (((w30.dot(x5) * w31.dot(a7)).tanh() + w30.dot(x20) + w32.dot(x22) - s23).tanh() + (w30 * s23).dot(m24)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn all_2(
        #[param(E)] b1: Tensor, #[dim(H)] dh: Dim, #[param(H)] b4: Tensor,
        #[param(H, H)] w5: Tensor, #[param(K)] b6: Tensor, #[param(H, K)] w7: Tensor,
        #[param(H)] b8: Tensor, #[param(K)] b9: Tensor, #[param(H, K)] w10: Tensor,
        #[param(E)] b11: Tensor, #[param()] s12: Tensor, #[param(E)] mut b13: Tensor,
        #[param(K, E)] w15: Tensor, #[param()] s17: Tensor, #[param(E, E)] w18: Tensor,
        #[param(E, H)] w20: Tensor, #[param(E, K)] w21: Tensor, #[param(E, K)] w22: Tensor,
        #[param(K, K)] w23: Tensor, #[param(E)] b25: Tensor, #[param(E)] b27: Tensor,
        #[param(K, E)] w28: Tensor, #[param(K)] b29: Tensor, #[param(H, E)] w30: Tensor,
        #[param(K, E)] w31: Tensor,
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
        let parts24 = [(b13 - 0.75).tanh() / (x2.relu().sigmoid() + 0.5), x2.sigmoid(), b25];
        let mut a26 = b27;
        for k in 0..3 {
            a26 = a26.tanh() + (parts24[k] - b13.tanh()).tanh();
        }
        for k in 0..2 {
            loss(mse(a14.tanh() / (a14.tanh().sigmoid() + 0.5), (w28.dot(b13) / (b29.sigmoid() + 0.5)).tanh()) * (k as f64 + 0.25));
        }
        let state: Node = Node { h: (m3 + w30.dot(a26)).tanh(), c: a14.less(a14 + 0.35).select(w31.dot(target), a14).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn all_3(
        #[param(E)] b1: Tensor, #[param(E)] b2: Tensor, #[param(H)] b3: Tensor,
        #[param(K, H)] w4: Tensor, #[dim(E)] de: Dim, #[dim(K)] dk: Dim, #[param(H)] b6: Tensor,
        #[dim(H)] dh: Dim, #[param()] s11: Tensor, #[param(E, K)] w14: Tensor,
        #[param(E, E)] w15: Tensor, #[param(H, K)] w16: Tensor,
    ) {
        let n5 = 0.5 / (1.0 + de as f64);
        let [x7, x8] = [blend((b1 * b2).sum(), n5 + w4.dot(b3), zeros(dk)), w4.dot(b6) * (1.0 / de as f64)];
        let mut a9 = zeros(dh).maximum(b3);
        let mut t10 = s11;
        for v12 in gather_all::<Node>() {
            let s13 = x8.exp().tanh().sum() * s11;
            t10 += (w14.dot(x7) * zeros(de) * w15.dot(b1)).sum();
            a9 -= ((v12.h - (w16 * 0.75).dot(v12.c)) * s13).tanh();
        }
        let out17 = Scores { y: w15.dot(b1).exp().tanh(), logits: t10 };
        push(out17);
        let (h, c) = (a9.tanh(), (-x7).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_4(
        #[param(H)] b1: Tensor, #[param(E, H)] w2: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b3: Tensor, #[param(E, E)] w4: Tensor, #[param(2 * H, E)] w5: Tensor,
        #[dim(K)] dk: Dim, #[param(K)] b9: Tensor, #[param(E, K)] w10: Tensor,
        #[param(H)] b12: Tensor, #[param(E, H)] w14: Tensor, #[dim(H)] dh: Dim,
        #[param(H, H)] w15: Tensor, #[param()] s19: Tensor, #[param(H, E)] w20: Tensor,
        #[param(K, H)] w21: Tensor,
    ) {
        let (x6, x7) = halves(w5.dot(concat([w4.dot(b3), w2.dot(b1)]).slice(de..de + de).sigmoid()));
        let mut a8 = 1.0 / (dk as f64).sqrt() / (0.5 + w10.dot(b9).sigmoid());
        let mut a11 = x7.greater_equal(b12 + 0.35).select(x6, x7);
        for Node { c, h } in gather_all::<Node>() {
            a8 = w14.dot(h) * w10.dot(c) + a8;
            a11 = a11.maximum((concat([c, x6]).slice(dk..dk + dh) * x7).tanh());
        }
        let n16 = 2.0_f64.sqrt() - 0.75;
        let [x17, x18] = [(a11 + (w15 * n16).dot(x7)).tanh().minimum(b1), w15.dot(x6)];
        loss((s19 + x7).sigmoid().max());
        let (h, c) = (((w20.dot(a8) * x17).tanh() * x18).tanh(), (w21.dot(a11) - b9).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_5(
        #[param(H, E)] w2: Tensor, #[param(V, H)] table4: Tensor, #[param(E)] b7: Tensor,
        #[dim(K)] dk: Dim, #[param(K, H)] w11: Tensor, #[param(K, H)] w12: Tensor,
        #[param(K, H)] w13: Tensor, #[param(K, H)] w14: Tensor, #[param(E, H)] w15: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5: Tensor = table4.row(id);
        let x6 = {
            let x8: Tensor = b7.tanh().tanh();
            w2.dot(x8).tanh()
        };
        let mut a9 = zeros(dk);
        for v10 in gather_all::<Node>() {
            a9 -= w11.dot(v10.h) - v10.c;
        }
        let (h, c) = ((table4.row(id) + x6).tanh(), (((w12 + w13).dot(x3) + w11.tanh().dot(x5) + w14.dot(x6)).tanh() + a9).tanh());
        scatter(Node { h, c });
        push(Out { y: w15.dot(x3).tanh().softmax() });
    }

    #[vertex_function]
    pub fn all_6(
        #[param(H, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[param(K)] b6: Tensor,
        #[dim(H)] dh: Dim, #[param(H, E)] w10: Tensor, #[param()] s11: Tensor,
        #[param()] s13: Tensor, #[dim(E)] de: Dim, #[param(K)] b15: Tensor,
        #[param(K)] b16: Tensor, #[dim(K)] dk: Dim, #[param(H, H + K)] w18: Tensor,
        #[param(H)] b19: Tensor, #[param(H, K)] w20: Tensor, #[param(H)] b21: Tensor,
        #[param(H, H)] w28: Tensor, #[param(K)] b30: Tensor,
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
        let x22 = noisy(b21 * a9, 0.25).tanh();
        let x23 = (a9.pick(a8.sample()) + a9.tanh().clamp(-0.5, 0.75)).tanh();
        let s24 = x7.pick(x5.argmax());
        let mut m25 = x22;
        let mut n26 = scalar(0.0);
        loop {
            let s27 = m25.max();
            if n26 > 2.5 || s27 > -0.2 {
                break;
            }
            m25 = (0.7 * m25 + (m25 + w28.dot(m25).tanh()).noise(0.1)).tanh();
            n26 += 1.0;
        }
        m25 = m25.tanh();
        let out29 = Scores { y: p1.tanh(), logits: s24 - p1.softmax() };
        push(out29);
        let state = Node { c: -b30, h: (((x23 - s11) * t12 + x22).tanh() + m25).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
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
        #[param(E)] b2: Tensor, #[param(K)] b4: Tensor, #[param(H, K)] w5: Tensor,
        #[param(K, E)] w6: Tensor, #[param(E, H + K)] w7: Tensor, #[param(E)] b9: Tensor,
        #[dim(E)] de: Dim, #[param(K)] b11: Tensor, #[param(H)] b12: Tensor,
        #[param(E, H)] w19: Tensor, #[param(E, K)] w20: Tensor, #[param(H)] b21: Tensor,
        #[param(H, H)] w22: Tensor, #[param(K)] b23: Tensor, #[param(K, H + K)] w24: Tensor,
        #[param(E, E)] w25: Tensor, #[param(E)] b26: Tensor, #[param(H, E)] w27: Tensor,
        #[param(K, K)] w28: Tensor, #[param(K, E)] w29: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = p1 * b2;
        let x8 = w7.dot(concat([w5.tanh().dot(b4), w6.dot(p1)])).tanh();
        let x10 = concat([zeros(de).clamp(-0.5, 0.75), b9]).slice(de..de + de);
        let s13 = w5.dot(b11).pick(b12.argmax());
        let mut m14 = x8;
        let mut n15 = scalar(0.0);
        loop {
            let s16 = m14.max();
            if n15 > 1.5 || s16 > -0.2 {
                m14 = m14 * s16.sigmoid();
                break;
            }
            m14 = (0.7 * m14 + x10.softmax() + 0.5 * x8.tanh()).tanh();
            n15 += 1.0;
        }
        m14 = m14.tanh();
        let mut a17 = zeros(de);
        for Node { c, h } in gather_all::<Node>() {
            a17 += w19.dot(h) + (w20 * s13).dot(c);
        }
        for k in 0..2 {
            loss(cross_entropy(w24.dot(summary(Node { h: w22.dot(b21), c: b23 })).log_softmax().tanh(), label) * (k as f64 + 0.25));
        }
        scatter(Node { c: affine(w28, w29.dot(x3).softmax(), b4).tanh(), h: w27.dot(crate::generated::cells::gate(w25, x10, b26)).tanh() });
        let n30 = 2.0_f64.sqrt() - 2.0;
        push(Out { y: (n30 / (0.5 + b2.sigmoid()) + b2).tanh() });
        loss((x8 * m14 * a17).tanh().sum());
    }

    #[vertex_function]
    pub fn all_9(
        #[param(K)] b1: Tensor, #[param(H)] b3: Tensor, #[param(K, H)] w4: Tensor,
        #[param(E)] b6: Tensor, #[param(E, E)] w7: Tensor, #[param(K, K)] w15: Tensor,
        #[param(K, K)] w16: Tensor, #[dim(H)] dh: Dim, #[param(H)] b18: Tensor,
        #[param(H, H)] w19: Tensor, #[dim(K)] dk: Dim, #[param(K, E)] w23: Tensor,
        #[param(K)] b24: Tensor, #[param(H, K)] w25: Tensor, #[dim(E)] de: Dim,
        #[param(H)] b27: Tensor, #[param(K)] b31: Tensor, #[param(K, H)] w40: Tensor,
        #[param(E, K)] w41: Tensor, #[param(E, H)] w42: Tensor, #[param(E, K)] w43: Tensor,
    ) {
        let x2 = -b1.exp();
        let x5 = x2.tanh() * w4.dot(b3);
        let s8 = w7.dot(b6).sum();
        let s9 = s8;
        let mut m10 = x5;
        let i12 = concat([b1.sigmoid(), zeros(3)]).argmax();
        let x11 = match i12 {
            Index(0) => {
                m10 -= (x2 / (x5.norm() + 0.5)).tanh();
                (x2.square() + 0.5).ln().tanh()
            }
            Index(1) | Index(2) => {
                m10 = (x5 - x2.max()).exp().tanh();
                let x13 = if 0.1 >= x2.sum() && x2.max() >= s9 {
                    let x14 = if x2.max() > s9 {
                        x5.tanh()
                    } else {
                        x2.softmax() + 0.5 * x5.tanh()
                    };
                    (x14 + (x5 / (x2.norm() + 0.5)).tanh()).tanh()
                } else {
                    m10 -= (x5 / (x2.norm() + 0.5)).tanh();
                    (x5 - x2.max()).exp().tanh()
                };
                (x13 + x2.relu().minimum(x5).tanh()).tanh()
            }
            _ => {
                m10 -= w15.dot(x2).tanh();
                w16.dot(x5).tanh()
            }
        };
        m10 = m10.tanh();
        let mut a17 = zeros(dh) - (w19 * s9.tanh()).dot(b18);
        let mut a20 = zeros(dk);
        for v21 in gather_all::<Node>() {
            let mut m22 = w23.dot(b6);
            m22 = b1.softmax().maximum(b24) - m22;
            m22 *= b1.minimum(b1).log_softmax().tanh();
            m22 = m22.tanh();
            let n26 = 0.75 / (1.0 + de as f64);
            a17 = (v21.h - (w25 * n26).dot(v21.c) + w25.dot(m22)).tanh() + a17;
            a20 = a20.minimum((1.5 / (zeros(dk).sigmoid() + 0.5) + m22).tanh());
        }
        let x28 = (s8 * a17.less(zeros(dh) + 0.6).select(b27, a17)).tanh();
        let x29 = (x28 / (0.5 + a17.sigmoid())).minimum(x28);
        let s30 = (x11 * m10).tanh().sum();
        let s32 = (b31 * w4.dot(x29)).sum();
        let x33 = if s30 >= -0.35 {
            (x28 - x29.max()).exp().tanh()
        } else {
            let x34 = if !(0.2 < x29.sum() || 0.2 >= x29.sum()) {
                (x29 / (x28.norm() + 0.5)).tanh()
            } else if s32 <= -0.35 {
                let x35 = if s30 > 0.2 {
                    w19.dot(x29).tanh()
                } else if !(s32 >= -0.35 || x29.max() >= s32) {
                    (x28 * x29).sigmoid()
                } else {
                    (x29 / (x28.norm() + 0.5)).tanh()
                };
                (x35 + x28.tanh()).tanh()
            } else {
                (x29 * x28).sigmoid()
            };
            (x34 + x29.softmax() + 0.5 * x28.tanh()).tanh()
        };
        let mut a36 = concat([x33, x11]).slice(dh..dh + dk);
        for Node { c, h } in gather_all::<Node>() {
            let x38 = {
                let x39 = (w25.dot(a20) + h).tanh().softmax();
                (w4 + w40).dot(x39).tanh()
            };
            a36 = c * x38 + a36 - x5.relu();
        }
        push(Out { y: weighted([w41.dot(a36).minimum(w42.dot(x28)).tanh(), w43.tanh().dot(x5), zeros(de)]).tanh() });
        scatter(Node { c: x2.softmax(), h: (a17.relu() * s30 + s32).tanh() });
    }

    #[vertex_function]
    pub fn all_10(
        #[param(E)] b2: Tensor, #[param(E, E)] w3: Tensor, #[param(E, E)] w4: Tensor,
        #[param(H)] b5: Tensor, #[param(E, H)] w6: Tensor, #[param(E)] b7: Tensor,
        #[dim(E)] de: Dim, #[param(K)] b9: Tensor, #[param(E, K)] w10: Tensor, #[dim(H)] dh: Dim,
        #[param(H, H)] w15: Tensor, #[param(H)] b17: Tensor, #[param(H, K)] w18: Tensor,
        #[param(H, H)] w19: Tensor, #[param(E, E)] w21: Tensor, #[param()] s22: Tensor,
        #[param(H, H)] w23: Tensor, #[param(K, H)] w25: Tensor, #[param(H, K + E)] w26: Tensor,
        #[param(K, H)] w27: Tensor, #[param(K, H)] w28: Tensor,
    ) {
        let parts1 = [(w3 + w4).dot(b2) * w6.dot(b5) * b2, b7.exp(), zeros(de)];
        let mut a8 = zeros(de);
        for k in 0..3 {
            a8 = a8.tanh() + (parts1[k] * (1.0 / de as f64 - w10.dot(b9)).tanh()).tanh();
        }
        let mut a11 = zeros(dh);
        let mut n12 = 1.0;
        for v13 in gather_all::<Node>() {
            let parts14 = [w15.dot(v13.h).tanh(), v13.h.softmax(), b5];
            let mut a16 = b17;
            for k in 0..3 {
                a16 = a16.tanh() + (parts14[k] + v13.h.tanh()).tanh();
            }
            a11 += (w18.dot(v13.c) - a16).tanh();
            a11 -= (w19.dot(a16) / (0.5 + v13.h.sigmoid())).tanh();
            n12 += 1.0;
        }
        let x20 = a11 / n12;
        for k in 0..2 {
            loss((-b5 - 2.0).pick(x20.sample()) * (k as f64 + 0.25));
        }
        let out24 = Scores { y: (w21.dot(a8) * s22).tanh(), logits: concat([w23.dot(a11).slice(1..dh), w23.dot(a11).slice(0..1)]).tanh() };
        push(out24);
        scatter(Node { c: (w27.dot(a11) - w28.dot(a11)).tanh(), h: w26.dot(concat([a8, w25.dot(a11)])).tanh() });
    }

    #[vertex_function]
    pub fn all_11(
        #[param(E, E)] w1: Tensor, #[param(V, E)] table3: Tensor, #[param(H, E)] w5: Tensor,
        #[param(H, H)] w7: Tensor, #[param(H)] b9: Tensor, #[dim(H)] dh: Dim, #[dim(K)] dk: Dim,
        #[param(H, E)] w17: Tensor, #[param(H, H + K)] w18: Tensor, #[param(H, E)] w20: Tensor,
        #[param(K, K)] w21: Tensor, #[param(H, H)] w26: Tensor, #[param(K, H)] w31: Tensor,
        #[param(K, H)] w32: Tensor, #[param(K, H)] w33: Tensor, #[param(V, K)] table36: Tensor,
        #[param(V, H)] table45: Tensor, #[dim(E)] de: Dim, #[param(K)] b47: Tensor,
        #[param(H, E)] w49: Tensor, #[param(H, K)] w50: Tensor, #[param(K, K)] w51: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2: Tensor = w1.dot(x);
        let x4 = table3.row(id);
        let n6 = 2.0_f64.sqrt() - 0.5;
        let x8 = w7.dot(w5.dot(x2) + n6).tanh();
        let x10 = (b9 - zeros(dh)).exp();
        let s11 = x4.max();
        let mut m12 = x8;
        let mut n13 = scalar(0.0);
        while n13 < 2.5 && m12.max() < -0.2 {
            m12 = (0.7 * m12 + (x10 * x8).sigmoid()).tanh();
            loss(0.1 * m12.sum());
            n13 += 1.0;
        }
        m12 = m12.tanh();
        let mut a14 = zeros(dk);
        let mut n15 = 1.0;
        for v16 in gather_all::<Node>() {
            let x19 = w18.dot(summary(Node { h: w17.tanh().dot(x2), c: v16.c })).tanh();
            let x22 = (w20.dot(x2) + w21.min()).tanh();
            let s23 = (w5.dot(x2) * m12).tanh().sum();
            let s24 = v16.c.sum();
            let i27 = concat([w26.dot(x8) + s24, zeros(3)]).argmax();
            let x25 = match i27 {
                Index(0) => {
                    let x28 = if x22.max() >= s24 {
                        let x29 = if 0.2 > x22.sum() {
                            (x19 - x22).tanh() * s23.tanh()
                        } else {
                            (x19 - x22).tanh() * s24.tanh()
                        };
                        (x29 + (x19 * x22).sigmoid()).tanh()
                    } else if s24 > -0.35 {
                        let x30 = if s23 <= -0.35 {
                            (x22 / (x19.norm() + 0.5)).tanh()
                        } else {
                            (x19 * x22).sigmoid()
                        };
                        (x30 + (x22 * x19).sigmoid()).tanh()
                    } else {
                        x22.tanh()
                    };
                    (x28 + (x19 / (x22.norm() + 0.5)).tanh()).tanh()
                }
                Index(1) | Index(2) => {
                    x22.relu().minimum(x19).tanh()
                }
                _ => {
                    (x22.sum() + s24).tanh() * x19.sigmoid()
                }
            };
            a14 = a14.maximum((((w31.tanh().dot(v16.h) + w32.dot(x19) + w33.dot(x22)) * s23).tanh() * w31.dot(x25)).tanh());
            n15 += 1.0;
        }
        let x34 = a14 / n15;
        let x35 = (x34 + x34).tanh().tanh();
        let x37 = (2.0 / (x35.sigmoid() + 0.5) + table36.row(id)).tanh();
        let s38 = x10.max();
        let s39 = mse(x37, w31.dot(x8)).tanh();
        let mut m40 = x37;
        let x41 = if -0.35 < x37.sum() {
            m40 = (x37 * x35).sigmoid();
            (x35 / (x37.norm() + 0.5)).tanh()
        } else {
            m40 *= (x37 - x35).tanh() * s38.tanh();
            let x42 = if s39 > -0.35 || 0.1 > x37.sum() {
                (x37 / (x35.norm() + 0.5)).tanh()
            } else if 0.1 > x37.sum() {
                m40 += x35.softmax() + 0.5 * x37.tanh();
                (x37 * x35).sigmoid()
            } else {
                m40 += (x37 - x35).tanh() * s38.tanh();
                (x35 - x37.max()).exp().tanh()
            };
            (x42 + x35.softmax() + 0.5 * x37.tanh()).tanh()
        };
        m40 = m40.tanh();
        let mut a43 = zeros(dk);
        for Node { h, c } in gather_all() {
            let x46 = ((table45.row(id) + h).sigmoid() + 0.5).ln() * m12.minimum(b9);
            a43 += (c - w31.dot(x46)).tanh();
            a43 -= (x41 - 1.5).tanh();
        }
        let out48 = Scores { y: zeros(de) - x2, logits: (0.5 + b47.sigmoid()).ln() };
        push(out48);
        scatter(Node { c: w51.tanh().dot(a14).tanh().silu().tanh(), h: (w49.dot(x4) * s11 * s38 + s39 - w50.dot(m40) + w50.dot(a43)).tanh() });
    }

    #[vertex_function]
    pub fn all_12(
        #[param(K, E)] w2: Tensor, #[param(K, K)] w4: Tensor, #[param(K)] b5: Tensor,
        #[param(3 * H, K)] w6: Tensor, #[param(3 * H)] b7: Tensor, #[dim(K)] dk: Dim,
        #[param(E, H)] w13: Tensor, #[param()] s16: Tensor, #[param(H, H)] w19: Tensor,
        #[dim(H)] dh: Dim, #[param(3 * E, H)] w20: Tensor, #[param(3 * E)] b21: Tensor,
        #[dim(E)] de: Dim, #[param(K, E)] w23: Tensor, #[param(E, H)] w24: Tensor,
        #[param(E)] b25: Tensor, #[param(H, E)] w27: Tensor, #[param(E, K)] w28: Tensor,
        #[param(E, H + K + E)] w29: Tensor, #[param(K)] b30: Tensor,
        #[param(K, H + K)] w31: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3: Tensor = w2.dot(p1);
        let [x8, x9, x10] = (w6.dot(crate::generated::cells::gate(w4, x3.log_softmax(), b5).tanh()) + b7).split::<3>();
        let mut a11 = zeros(dk);
        let mut a12 = w13.dot(x8) * 0.5;
        let (mut n14, mut t15) = (1.0, s16);
        for Node { c, h } in gather_all::<Node>() {
            let parts18 = (w20.dot(w19.dot(x10) - zeros(dh)) + b21).split::<3>();
            let mut a22 = zeros(de);
            for part in parts18 {
                a22 = a22.tanh() + (part - w13.dot(h).greater(w13.dot(x9) + 0.6).select(zeros(de), w13.dot(h))).tanh();
            }
            t15 += (mse(x9, x9).tanh() + s16).tanh();
            a11 -= (c + w23.dot(a22)).tanh();
            a12 = w24.dot(x10).minimum(b25) + a12;
            n14 += 1.0;
        }
        let x26 = a11 / n14;
        loss(cross_entropy(x10.softmax().minimum(x9), label));
        loss(mse(w29.dot(concat([x26, w27.dot(a12), w28.dot(x26)])).tanh(), b25 + t15));
        let n32 = 2.0_f64.sqrt() - 0.75;
        scatter(Node { h: (n32 / (0.5 + x10.sigmoid())).tanh(), c: w31.dot(summary(Node { h: x9, c: b30 })).tanh() });
        push(Out { y: b25.sigmoid().sigmoid() });
    }

    #[vertex_function]
    pub fn all_13(
        #[dim(K)] dk: Dim, #[param(K)] b1: Tensor, #[param(K, K)] w2: Tensor,
        #[param()] s4: Tensor, #[param()] s6: Tensor, #[dim(E)] de: Dim,
        #[param(E, K)] w15: Tensor, #[param(E, H)] w17: Tensor, #[param(E)] b18: Tensor,
        #[param(E, E)] w19: Tensor, #[param(E)] b20: Tensor, #[dim(H)] dh: Dim,
        #[param(H, E)] w21: Tensor, #[param()] s24: Tensor, #[param(H, H)] w28: Tensor,
    ) {
        let x3 = (zeros(dk) - w2.dot(b1)).tanh();
        let x5 = blend(s4.sigmoid(), x3, x3).softmax();
        let s7 = s6.sigmoid();
        let s8 = s7;
        let mut m9 = x5;
        let x10 = if s7 <= 0.1 {
            x3.softmax() + 0.5 * x5.tanh()
        } else {
            m9 = w2.dot(x5).tanh();
            let x11 = if !(x5.max() <= s8 || s8 >= 0.1) {
                m9 *= x3.tanh();
                (x5.sum() + s7).tanh() * x3.sigmoid()
            } else {
                m9 = (x5.square() + 0.5).ln().tanh();
                let x12 = if s8 > 0.2 {
                    x3.tanh()
                } else {
                    m9 *= x5.softmax() + 0.5 * x3.tanh();
                    (x3.square() + 0.5).ln().tanh()
                };
                (x12 + (x5 * x3).sigmoid()).tanh()
            };
            (x11 + (x3 - x5.max()).exp().tanh()).tanh()
        };
        m9 = m9.tanh();
        let mut a13 = zeros(de);
        let mut a14 = w15.dot(x10);
        for Node { c, h } in gather_all::<Node>() {
            a13 = w17.dot(h) - w15.dot(c) + a13 - w19.dot(b18).tanh();
            a14 += zeros(de).silu().maximum(w19.dot(b20));
        }
        let x22 = (zeros(dh) + zeros(dh) - w21.dot(a14)).tanh();
        let x23 = x22.softmax() - x22;
        let s25 = s24.tanh();
        let mut m26 = x22;
        let mut n27 = scalar(0.0);
        while n27 < 2.5 && m26.max() < 0.9 {
            m26 = (0.7 * m26 + (x22.sum() + s25).tanh() * x23.sigmoid()).tanh();
            n27 += 1.0;
        }
        m26 = m26.tanh();
        for k in 0..2 {
            loss((b1 * m9 - x10).pick(w2.dot(x5).argmax()) * (k as f64 + 0.25));
        }
        scatter(Node { h: ((w28.dot(x22) * s8 + (w21 * s25).dot(a13)).tanh() - x23 + m26).tanh(), c: concat([b1.slice(1..dk), b1.slice(0..1)]) });
    }

    #[vertex_function]
    pub fn all_14(
        #[param(H)] b1: Tensor, #[param(H, H)] w2: Tensor, #[param(K)] b3: Tensor,
        #[param(K, K)] w4: Tensor, #[param(H, H + K)] w5: Tensor, #[param()] s8: Tensor,
        #[param()] s9: Tensor, #[param(E)] b11: Tensor, #[param(K, E)] w12: Tensor,
        #[dim(K)] dk: Dim, #[param(K, H)] w17: Tensor, #[param(E)] b19: Tensor,
        #[param(K)] b20: Tensor, #[param()] s23: Tensor, #[dim(H)] dh: Dim,
        #[param(K, H)] w26: Tensor, #[param(E)] b27: Tensor, #[param(K, E)] w28: Tensor,
        #[param(K, E)] w29: Tensor,
    ) {
        let x6 = w5.dot(summary(Node { h: w2.dot(b1), c: w4.dot(b3) }));
        let x7 = (w2 * 0.75).dot(x6.softplus()).tanh();
        let s10 = s8 + s9;
        let s13 = (w12.tanh().dot(b11) * zeros(dk)).sum();
        let x14 = if s13 < -0.35 {
            (x6 - x7.max()).exp().tanh()
        } else {
            let x15 = if x6.max() >= s13 {
                (x6.sum() + s13).tanh() * x7.sigmoid()
            } else if s10 <= -0.35 || x6.max() <= s10 {
                (x6.sum() + s10).tanh() * x7.sigmoid()
            } else {
                (x7 * x6).sigmoid()
            };
            (x15 + x7.softmax() + 0.5 * x6.tanh()).tanh()
        };
        let mut a16 = (w17 * s13).dot(x14).exp();
        let mut a18 = (w12 + w12).dot(b19) - b20;
        let (mut n21, mut t22) = (1.0, s23);
        for Node { h, c } in gather_all() {
            let mut m25 = blend(x7.tanh(), zeros(dh), h);
            m25 *= x7.log_softmax().sigmoid();
            m25 = m25.tanh();
            t22 += s10;
            a16 += c + w26.dot(m25);
            a18 += (w28 + w29).dot(b27).tanh().greater(c + 0.1).select(c, (w28 + w29).dot(b27).tanh());
            n21 += 1.0;
        }
        let x30 = a16 / n21;
        let (h, c) = (x7.tanh(), ((a18 + t22).tanh() + x30).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_15(
        #[param(E)] b3: Tensor, #[param(H, E)] w4: Tensor, #[param(H)] b5: Tensor,
        #[param(H, E)] w6: Tensor, #[param(K)] b7: Tensor, #[param(H, K)] w8: Tensor,
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(H)] b12: Tensor,
        #[param(K, H)] w15: Tensor, #[param(K, H)] w16: Tensor, #[param(E)] b18: Tensor,
        #[param(E, E)] w19: Tensor, #[param(E, H)] w20: Tensor, #[param(E, H)] w21: Tensor,
        #[param(E)] b23: Tensor, #[param(E)] b24: Tensor, #[dim(E)] de: Dim,
        #[param()] s30: Tensor, #[param()] s32: Tensor, #[param(E, K)] w38: Tensor,
        #[param(K, K)] w39: Tensor, #[param()] s41: Tensor, #[param(K)] b43: Tensor,
        #[param(E, E)] w48: Tensor, #[param()] s49: Tensor, #[param(K, E)] w50: Tensor,
        #[param(K, E)] w51: Tensor, #[param()] s52: Tensor, #[param(H, E)] w53: Tensor,
    ) {
        let (x1, [x9], s2) = (w4.dot(b3).exp(), [zeros(dk).relu()], (b5.greater(w6.dot(b3) + 0.35).select(w8.dot(b7), b5) * zeros(dh)).sum());
        let mut a10 = zeros(dk);
        for Node { c, h } in gather_all::<Node>() {
            let [x13, x14] = [(h - x1).relu(), (b12.sigmoid() + 0.5).ln()];
            a10 += (c + w15.tanh().dot(x13) - (w16 * s2).dot(x14)).tanh();
            a10 -= b7 * x9;
        }
        let parts17 = [(w19.dot(b18).log_softmax() + w20.dot(x1)).tanh(), (-w21.dot(x1)).tanh(), w20.dot(x1).tanh()];
        let mut a22 = b23;
        for k in 1..=2 {
            a22 += (parts17[k] + b24.softmax()).tanh();
        }
        let mut a25 = zeros(de);
        let mut a26 = zeros(dk);
        for Node { c, h } in gather_all::<Node>() {
            let x28 = h * s2 - h;
            let x29 = x28.greater_equal(x28 + 0.1).select(h, x28).tanh();
            let s31 = s2 * s30;
            let s33 = s32.sigmoid();
            let x34 = if 0.2 <= x28.sum() && -0.35 >= x28.sum() {
                (x28 * x29).sigmoid()
            } else {
                let x35 = if 0.1 >= x28.sum() {
                    let x36 = if 0.1 < x29.sum() {
                        (x29 * x28).sigmoid()
                    } else if !(0.2 < x28.sum() || x28.max() <= s31) {
                        (x29 - x28).tanh() * s31.tanh()
                    } else {
                        (x29.square() + 0.5).ln().tanh()
                    };
                    (x36 + x28.softmax() + 0.5 * x29.tanh()).tanh()
                } else {
                    let x37 = if x28.max() > s33 && 0.1 > x28.sum() {
                        x28.softmax() + 0.5 * x29.tanh()
                    } else if s31 <= 0.1 && s31 >= 0.2 {
                        (x29.square() + 0.5).ln().tanh()
                    } else {
                        x29.relu().minimum(x28).tanh()
                    };
                    (x37 + (x28.square() + 0.5).ln().tanh()).tanh()
                };
                (x35 + (x28 - x29.max()).exp().tanh()).tanh()
            };
            a25 = a25.minimum(((w38.dot(c) + w20.dot(x29)) * s31 + s33 + (w20 * s33).dot(x34)).tanh());
            a26 = a26 + w39.dot(a10.maximum(c)).tanh();
        }
        let x40 = a25.softmax().minimum(a22).tanh();
        let x42 = (s41 - x40) * x40;
        let s44 = indicator(b43.argmax() != x9.sample());
        let mut m45 = x40;
        let mut n46 = scalar(0.0);
        loop {
            let s47 = m45.max();
            if n46 > 1.5 || s47 > 0.4 {
                break;
            }
            m45 = (0.7 * m45 + w48.dot(m45).tanh()).tanh();
            loss(0.1 * m45.sum());
            n46 += 1.0;
        }
        m45 = m45.tanh();
        loss((crate::generated::cells::gate(w15, x1, b7) * s49.sigmoid() * a26).tanh().sum());
        loss(s2);
        let (h, c) = ((s52 - x1).tanh(), (w50.dot(x42) + s44 + (w50 + w51).dot(m45)).tanh());
        scatter(Node { h, c });
        let out54 = Scores { y: a22.softmax(), logits: affine(w53, a25.softmax(), b5) };
        push(out54);
    }

    #[vertex_function]
    pub fn all_16(
        #[param(K, E)] w2: Tensor, #[param(2 * H, K)] w4: Tensor, #[param(H, E)] w8: Tensor,
        #[dim(K)] dk: Dim, #[param(H, K)] w11: Tensor, #[param(K, H)] w12: Tensor,
        #[param(K)] b13: Tensor, #[param(K, K)] w14: Tensor, #[param(K, H)] w15: Tensor,
        #[dim(H)] dh: Dim, #[param(H)] b16: Tensor, #[param(K, H)] w17: Tensor,
        #[param(K, H + K)] w18: Tensor, #[param(K, H)] w19: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = w2.dot(p1.target);
        let (x5, x6) = halves(w4.dot((x3.minimum(x3).sigmoid() + 0.5).ln()));
        let mut a7 = w8.dot(p1.target) - 0.75;
        let mut a9 = zeros(dk);
        for Node { c, h } in gather_all::<Node>() {
            a7 = a7.minimum(h + w11.dot(c));
            a9 = (w12.dot(x5).sigmoid() + 0.5).ln().greater(x3 + 0.1).select(c, (w12.dot(x5).sigmoid() + 0.5).ln()) + a9 - b13.tanh();
        }
        let a9 = a9.tanh() + w14.dot(a9).tanh();
        for k in 0..2 {
            loss(cross_entropy(w15.dot(x5).sigmoid(), p1.label) * (k as f64 + 0.25));
        }
        let state = Node { c: w18.dot(summary(Node { h: b16, c: w17.dot(x5) })).tanh(), h: concat([a7, p1.target.sigmoid()]).slice(0..dh).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((w19.dot(x6) * a9).tanh().sum());
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
        #[dim(H)] dh: Dim, #[param(H, H)] w8: Tensor, #[param(H)] mut b14: Tensor,
        #[dim(E)] de: Dim, #[param(E, K)] w19: Tensor, #[param(E)] b20: Tensor,
        #[param(E, E)] w21: Tensor, #[dim(K)] dk: Dim, #[param(H, E)] w22: Tensor,
        #[param(V, H)] table23: Tensor, #[param(V, E)] table24: Tensor, #[param(E)] b25: Tensor,
        #[param(K)] b27: Tensor, #[param(K, E)] w28: Tensor, #[param(2 * K, K)] w29: Tensor,
        #[param(2 * K)] b30: Tensor, #[param()] s33: Tensor, #[param(K, H)] w35: Tensor,
        #[param(H, K)] w36: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let x7 = (-b6).greater(x3 + 0.35).select(b6, -b6);
        let x9 = w8.dot(zeros(dh).relu());
        let s10 = x7.pick(x9.sample());
        let mut m11 = x7;
        let mut n12 = scalar(0.0);
        loop {
            let s13 = m11.max();
            if n12 > 1.5 || s13 > 0.9 {
                break;
            }
            m11 = (0.7 * m11 + x7.tanh()).tanh();
            n12 += 1.0;
        }
        m11 = m11.tanh();
        let mut a15 = zeros(de);
        let mut n16 = 1.0;
        for v17 in gather_all::<Node>() {
            let mut m18 = w19.tanh().dot(v17.c).exp();
            m18 = (s10 * w21.dot(b20) - 1.0 / (dk as f64).sqrt()).tanh() - m18;
            m18 = m18.tanh();
            b14 = (v17.h + (w22 * (1.0 / (dk as f64).sqrt())).dot(m18)).tanh() + b14 - table23.row(id).softmax();
            a15 = m18.greater(m18 + 0.35).select(m18, m18) - table24.row(id) + a15 - weighted([m18, b25, zeros(de)]);
            n16 += 1.0;
        }
        let x26 = b14 / n16;
        let (x31, x32) = halves(w29.dot(weighted([b27.relu(), w28.dot(a15), x5]).tanh()) + b30);
        let out34 = Scores { y: zeros(de) / (a15.sigmoid() + 0.5), logits: zeros(dh).max() - s33 };
        push(out34);
        let state: Node = Node { h: w36.dot(x31).tanh(), c: ((w35.dot(m11) + w35.dot(x26)).tanh() * x31 - x32).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn all_19(
        #[param(E, E)] w2: Tensor, #[param(E, E)] w3: Tensor, #[param()] s6: Tensor,
        #[dim(K)] dk: Dim, #[param(K, E)] w9: Tensor, #[param(E)] mut b11: Tensor,
        #[param(K)] b14: Tensor, #[param(H, K)] w15: Tensor, #[dim(E)] de: Dim,
        #[param(K, H)] w17: Tensor, #[param(K, H)] w18: Tensor, #[param(E, H)] w19: Tensor,
        #[param(H, H)] w20: Tensor, #[param(H, K)] w21: Tensor, #[param(H)] b22: Tensor,
        #[dim(H)] dh: Dim, #[param(E)] mut b26: Tensor, #[param(K)] b28: Tensor,
        #[param(H, K)] w30: Tensor, #[param(K, K)] w36: Tensor, #[param(E)] b37: Tensor,
        #[param(K, H)] w38: Tensor,
    ) {
        let Signal { x: p1, label } = pull::<Signal>();
        let x4 = (w2 + w3).dot(p1);
        let x5 = {
            let x7 = (s6 - x4 + x4).tanh();
            let x8 = zeros(dk).relu().tanh();
            (w9.dot(x7) - x8).tanh()
        };
        let mut a10 = x5.tanh();
        for v12 in gather_all::<Node>() {
            let x13 = {
                let x5 = x5.tanh() + b14.exp();
                let n16 = 1.5 / (1.0 + de as f64);
                (w15 * n16).dot(x5).tanh()
            };
            a10 += (w17.dot(v12.h) + v12.c - w18.dot(x13)).tanh();
            a10 -= (1.0 / de as f64 / (b14.sigmoid() + 0.5)).tanh();
            b11 = b11.maximum((1.5 / (w19.dot(v12.h).sigmoid() + 0.5) + x4).tanh());
        }
        let n23 = 2.0 / (1.0 + dk as f64);
        let x24 = crate::generated::cells::gate(w20, w21.dot(a10), b22).tanh() * n23;
        let mut a25 = zeros(dh);
        for v27 in gather_all::<Node>() {
            a25 -= v27.h + w15.tanh().dot(v27.c);
            b26 = b11.minimum(b11).tanh().square().tanh() + b26;
        }
        let x29 = scaled(b28, de) + x5;
        let x31 = (w30.dot(x29).pick(a25.argmax()) + w9.dot(b26).tanh()).tanh();
        let s32 = w20.norm();
        let mut m33 = x29;
        let mut n34 = scalar(0.0);
        loop {
            let s35 = m33.max();
            if n34 > 1.5 || s35 > 0.4 {
                break;
            }
            m33 = (0.7 * m33 + w36.dot(m33).tanh()).tanh();
            n34 += 1.0;
        }
        m33 = m33.tanh();
        loss(cross_entropy(x31.tanh().tanh(), label));
        for k in 0..2 {
            loss(s32 * (k as f64 + 0.25));
        }
        push(Out { y: b37.softmax().exp().tanh() });
        let state = Node { c: ((w17 + w38).dot(x24) * m33).tanh(), h: zeros(dh).sigmoid() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn all_20(
        #[param(E, E)] w1: Tensor, #[param(H)] b3: Tensor, #[param(K)] b5: Tensor,
        #[param(H, K)] w6: Tensor, #[param(H, K)] w7: Tensor, #[param(E, H)] w9: Tensor,
        #[param(H)] mut b14: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w17: Tensor,
        #[param(H)] b18: Tensor, #[param(H, E)] w19: Tensor, #[param(H)] b20: Tensor,
        #[param(2 * H, H)] w21: Tensor, #[param(2 * H)] b22: Tensor, #[param(K, H)] w25: Tensor,
        #[param(K, H)] w26: Tensor, #[param(K, H)] w27: Tensor, #[param(K, H)] w28: Tensor,
    ) {
        let Word { x, .. } = pull();
        let x2: Tensor = w1.dot(x);
        let x4 = b3;
        let x8 = (w6 + w7).dot(b5).erf().exp().tanh();
        let s10 = w9.dot(x4).pick(x.sample());
        let mut m11 = x4;
        let mut n12 = scalar(0.0);
        loop {
            let s13 = m11.max();
            if n12 > 2.5 || s13 > 0.9 {
                m11 = m11 * s13.sigmoid();
                break;
            }
            m11 = (0.7 * m11 + (m11 + x4.relu().minimum(x8).tanh()).variational_dropout(0.1)).tanh();
            n12 += 1.0;
        }
        m11 = m11.tanh();
        let mut a15 = zeros(dh);
        for Node { h, c } in gather_all() {
            b14 = h - w17.dot(c) + b14 - h.log_softmax().tanh();
            a15 = b3.minimum(b18) + zeros(dh) + a15 - weighted([x4, x8, m11]).tanh();
        }
        let (x23, x24) = halves((w21.dot((-(w19 * 0.5).dot(x2)).greater_equal(m11 + 0.1).select(b20, -(w19 * 0.5).dot(x2))) + b22).tanh());
        loss(s10);
        scatter(Node { h: (0.5 + b3.sigmoid()).ln().tanh(), c: ((w25.dot(b14) + w26.dot(a15)).tanh() + w27.dot(x23) + w28.dot(x24)).tanh() });
    }

    #[vertex_function]
    pub fn all_21(
        #[param(K)] b3: Tensor, #[param(K, K)] w4: Tensor, #[param(E)] b5: Tensor,
        #[param(E, E)] w6: Tensor, #[param(E)] b7: Tensor, #[param(E)] b8: Tensor,
        #[param(E)] b10: Tensor, #[param(K, E)] w11: Tensor, #[param(H, K)] w13: Tensor,
        #[param()] s14: Tensor, #[param(H, K)] w17: Tensor, #[param(H, E)] w18: Tensor,
        #[param(E)] b19: Tensor, #[param(E)] b20: Tensor, #[param(H, 3 * E)] w21: Tensor,
        #[param(K, K)] w22: Tensor, #[param(K)] b23: Tensor, #[param(K, H)] w24: Tensor,
    ) {
        let (x1, [x9], s2) = (w4.dot(b3).sigmoid() * b3, [w11.dot(b10).relu()], w6.dot(b5).greater_equal(b7 + 0.6).select(b8, w6.dot(b5)).sum());
        let mut a12 = s14 + w13.dot(x9);
        for v15 in gather_all::<Node>() {
            let mut m16 = w6.dot(b5).relu();
            m16 -= -w6.dot(b5);
            m16 = m16.tanh();
            a12 += ((v15.h + w17.dot(v15.c)) * w18.dot(m16)).tanh();
        }
        scatter(Node { h: w21.dot(concat([b19, b5, b20])), c: (w11.dot(b5).tanh() / ((x1 / (0.5 + (w4 + w22).dot(x9).sigmoid())).sigmoid() + 0.5)).tanh() });
        loss((b23.tanh() * s2 + w24.dot(a12)).tanh().sum());
    }

    #[vertex_function]
    pub fn all_22(
        #[param(K)] b3: Tensor, #[param(E, K)] w4: Tensor, #[param(H)] b5: Tensor,
        #[param(E, H)] w6: Tensor, #[param(H)] b7: Tensor, #[param(K, H)] w8: Tensor,
        #[param(K, E)] w10: Tensor, #[param(K)] b11: Tensor, #[dim(E)] de: Dim,
        #[param(E, H)] w14: Tensor, #[param(E, K)] w15: Tensor, #[param(K, E)] w16: Tensor,
        #[param(K, K)] w17: Tensor, #[param(K, E)] w19: Tensor, #[param(K)] b20: Tensor,
        #[param()] s22: Tensor, #[param(K, K)] w24: Tensor, #[param(K, K)] w31: Tensor,
        #[dim(K)] dk: Dim, #[param(K, H)] w35: Tensor, #[param(K, H)] w36: Tensor,
        #[dim(H)] dh: Dim, #[param(H, E)] w39: Tensor, #[param(H, K)] w40: Tensor,
        #[param(H, K)] w41: Tensor, #[param(E, E)] w42: Tensor,
    ) {
        let (x1, [x9], s2) = (w4.dot(b3).maximum(w6.dot(b5)), [affine(w10, w6.dot(b5), b11)], 0.5 * (w8.dot(b7) * b3).sum());
        let mut a12 = zeros(de);
        for Node { h, c } in gather_all() {
            a12 -= ((w14 + w6).dot(h) + w15.dot(c)).tanh();
        }
        let x18 = w16.dot(x1).greater(x9 + 0.6).select(w17.dot(x9), w16.dot(x1)).tanh().exp().tanh();
        let x21 = ((w19 * 1.5).dot(a12).tanh().exp() / (b20.abs().sigmoid() + 0.5)).tanh();
        let s23 = s22 + 2.0;
        let s25 = w24.max();
        let mut m26 = x21;
        let x27 = if 0.2 < x21.sum() {
            m26 += x18.relu().minimum(x21).tanh();
            let x28 = if s23 < 0.2 {
                m26 += (x18.sum() + s23).tanh() * x21.sigmoid();
                let x29 = if x21.max() < s25 {
                    x18.softmax() + 0.5 * x21.tanh()
                } else if 0.2 >= x21.sum() {
                    m26 += (x18 - x21).tanh() * s25.tanh();
                    x21.relu().minimum(x18).tanh()
                } else {
                    x18.tanh()
                };
                (x29 + x18.relu().minimum(x21).tanh()).tanh()
            } else {
                m26 *= x21.relu().minimum(x18).tanh();
                let x30 = if 0.2 > x18.sum() {
                    m26 = x21.tanh();
                    w31.dot(x21).tanh()
                } else if !(x21.max() >= s23 || s25 >= 0.1) {
                    (x21 * x18).sigmoid()
                } else {
                    x21.tanh()
                };
                (x30 + x18.tanh()).tanh()
            };
            (x28 + (x18.square() + 0.5).ln().tanh()).tanh()
        } else {
            m26 += x18.tanh();
            (x18 - x21.max()).exp().tanh()
        };
        m26 = m26.tanh();
        let mut a32 = zeros(dk);
        let mut t33 = s22;
        for Node { h, c } in gather_all() {
            t33 += b3.tanh().max();
            a32 += ((w35 + w36).dot(h) + c).tanh();
            a32 -= (1.0 / (dh as f64).sqrt() / (m26.sigmoid() + 0.5)).tanh();
        }
        let x37 = {
            let x38 = zeros(de).tanh().erf();
            let a32 = a32.tanh() + x21.maximum(x18);
            ((w39 * t33.tanh()).dot(x38) + (w40 * s2.tanh()).dot(a32)).tanh()
        };
        scatter(Node { c: m26.relu(), h: ((zeros(dh).maximum(x37) * s23 - s25).tanh() + w41.dot(x27)).tanh() });
        let out43 = Scores { y: w42.dot(a12).tanh(), logits: s2 + a32.tanh() };
        push(out43);
    }

    #[vertex_function]
    pub fn all_23(
        #[param(H, E)] w2: Tensor, #[param(V, K)] table4: Tensor, #[dim(K)] dk: Dim,
        #[param()] s6: Tensor, #[param(V, K)] table7: Tensor, #[param(K, H + 2 * E)] w9: Tensor,
        #[param(H)] b11: Tensor, #[param(K, K)] w15: Tensor, #[dim(E)] de: Dim,
        #[param(E, H)] w18: Tensor, #[param(E, K)] w19: Tensor, #[param(E)] b21: Tensor,
        #[param(3 * K, K)] w23: Tensor, #[param(3 * K)] b24: Tensor, #[param(K)] b26: Tensor,
        #[param(K)] b27: Tensor, #[param(V, H)] table28: Tensor, #[param(H)] b29: Tensor,
        #[param(H)] b30: Tensor, #[param(H, K)] w31: Tensor, #[param(H, K)] w32: Tensor,
        #[param(H, K)] w33: Tensor,
    ) {
        let Word { x: p1, id } = pull::<Word>();
        let x3 = w2.dot(p1);
        let x5 = table4.row(id);
        let x8 = zeros(dk) * s6 * table7.row(id);
        let x10 = w9.dot(concat([p1, p1, x3])).tanh();
        let s12 = mse(x3, b11);
        let mut m13 = x8;
        let mut n14 = scalar(0.0);
        while n14 < 3.5 && m13.max() < 0.4 {
            m13 = (0.7 * m13 + (m13 + w15.dot(m13).tanh()).variational_dropout(0.1)).tanh();
            n14 += 1.0;
        }
        m13 = m13.tanh();
        let mut a16 = zeros(de);
        for Node { c, h } in gather_all::<Node>() {
            let n20 = 2.0_f64.sqrt() - 0.75;
            a16 += (w18.dot(h) + (w19 * n20).dot(c)).tanh();
            a16 -= b21;
        }
        let parts22 = (w23.dot(1.5 / (0.5 + table4.row(id).softplus().sigmoid())) + b24).tanh().split::<3>();
        let mut a25 = b26;
        for part in parts22 {
            a25 -= (part - b27.maximum(x5)).tanh();
        }
        for k in 0..2 {
            loss((weighted([x3, table28.row(id), x3]) / ((b29 * x3).sigmoid() + 0.5)).tanh().pick(b30.sample()) * (k as f64 + 0.25));
        }
        push(Out { y: (a16.sigmoid() + 0.5).ln().dropout(0.1).tanh() });
        scatter(Node { c: (1.0 / de as f64 / (zeros(dk).sigmoid() + 0.5)).tanh(), h: (x3 * 0.5).relu().tanh() });
        loss(((w31.dot(x8) + w32.dot(x10) - s12 + w31.tanh().dot(m13)).tanh() - (w31 + w33).dot(a25)).tanh().sum());
    }

    #[vertex_function]
    pub fn all_24(
        #[dim(K)] dk: Dim, #[param(K)] b1: Tensor, #[param(K)] b4: Tensor,
        #[param(K, K)] w12: Tensor, #[param(H, K)] w15: Tensor, #[param()] s18: Tensor,
        #[param(K, H)] w20: Tensor, #[param(E)] b21: Tensor, #[param(H)] b22: Tensor,
        #[param(H)] b23: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w30: Tensor,
        #[param(K, H)] w31: Tensor, #[param(H)] b32: Tensor, #[param(E, H + K)] w33: Tensor,
    ) {
        let x2 = (1.5 + zeros(dk)) * b1;
        let x3 = (0.5 + (x2 * x2).sigmoid()).ln();
        let s5 = (b4 * x3).sum();
        let s6 = s5.tanh();
        let mut m7 = x3;
        let x8 = if !(s6 > 0.1 || s6 > 0.2) {
            m7 = x3.relu().minimum(x2).tanh();
            let x9 = if x2.max() <= s6 && s6 > 0.2 {
                m7 *= (x3 - x2.max()).exp().tanh();
                let x10 = if s6 >= 0.1 {
                    x2.softmax() + 0.5 * x3.tanh()
                } else {
                    m7 *= (x3 * x2).sigmoid();
                    (x2.square() + 0.5).ln().tanh()
                };
                (x10 + (x3 - x2.max()).exp().tanh()).tanh()
            } else {
                m7 *= (x2 - x3.max()).exp().tanh();
                let x11 = if x3.max() <= s5 {
                    m7 += w12.dot(x3).tanh();
                    x2.relu().minimum(x3).tanh()
                } else {
                    m7 += (x2 - x3).tanh() * s6.tanh();
                    (x2 / (x3.norm() + 0.5)).tanh()
                };
                (x11 + x2.tanh()).tanh()
            };
            (x9 + (x2 - x3.max()).exp().tanh()).tanh()
        } else {
            m7 *= (x2 - x3).tanh() * s6.tanh();
            (x3 - x2).tanh() * s6.tanh()
        };
        m7 = m7.tanh();
        let mut a13 = zeros(dk);
        let mut a14 = w15.dot(x8).sigmoid();
        let (mut n16, mut t17) = (1.0, s18);
        for Node { c, h } in gather_all::<Node>() {
            t17 += s6;
            a13 = a13.minimum(w20.dot(h) + c);
            a14 = a14 + blend(b21.sum(), b22, b23).cumulative_sum().tanh();
            n16 += 1.0;
        }
        let x24 = a13 / n16;
        let [x25, x26]: [Tensor; 2] = [(x24 * m7).sigmoid(), -x3];
        let mut a27 = b22 + zeros(dh);
        for v28 in gather_all::<Node>() {
            let s29 = indicator((t17 * (2.0 - a14).tanh()).argmax() != v28.h.sample());
            a27 = a27.minimum(w30.dot(v28.c) + s29);
        }
        scatter(Node { c: ((x25 + x26) * (w31 * 2.0).dot(a27)).tanh(), h: (a27 + b22).tanh() });
        let out34 = Scores { y: w33.dot(summary(Node { h: b32, c: zeros(dk) })), logits: (t17 + t17).tanh() - 0.5 };
        push(out34);
    }

    #[vertex_function]
    pub fn all_25(
        #[param(H, E)] w1: Tensor, #[dim(H)] dh: Dim, #[param(K)] b3: Tensor,
        #[param(E, K)] w4: Tensor, #[param(H, K)] w9: Tensor, #[param(E)] b10: Tensor,
        #[param(K, E)] w11: Tensor, #[param(K)] b13: Tensor, #[param()] s15: Tensor,
        #[param(K, K)] w22: Tensor, #[param(K, K)] w26: Tensor, #[param(K, H)] w28: Tensor,
        #[param(H, H + K)] w29: Tensor, #[param(H)] b30: Tensor, #[param(K, H + K)] w31: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = w1.dot(x);
        let s5 = (1.0 / dh as f64 / (0.5 + w4.dot(b3).log_softmax().sigmoid())).max();
        let mut a6 = zeros(dh);
        for v7 in gather_all::<Node>() {
            let s8 = s5;
            a6 = a6.minimum((v7.h * w9.dot(v7.c) * s8).tanh());
        }
        let x12 = w11.dot(b10) * b3;
        let x14 = b13.exp().log_softmax().tanh();
        let s16 = s15 * s5;
        let s17 = s16;
        let mut m18 = x14;
        let x19 = if s16 < 0.2 && x12.max() >= s17 {
            m18 -= x14.tanh();
            (x12 - x14.max()).exp().tanh()
        } else if x14.max() < s16 {
            m18 -= (x12 - x14).tanh() * s16.tanh();
            let x20 = if !(x12.max() <= s17 || x12.max() < s17) {
                m18 = (x14 - x12).tanh() * s17.tanh();
                let x21 = if -0.35 > x12.sum() {
                    (x12 * x14).sigmoid()
                } else {
                    w22.dot(x12).tanh()
                };
                (x21 + (x12 - x14.max()).exp().tanh()).tanh()
            } else if 0.2 < x14.sum() {
                m18 = x14.relu().minimum(x12).tanh();
                let x23 = if 0.2 <= x12.sum() && -0.35 <= x12.sum() {
                    (x12.sum() + s17).tanh() * x14.sigmoid()
                } else {
                    m18 = (x14.sum() + s16).tanh() * x12.sigmoid();
                    (x12 - x14.max()).exp().tanh()
                };
                (x23 + (x12 / (x14.norm() + 0.5)).tanh()).tanh()
            } else {
                m18 -= (x12 - x14.max()).exp().tanh();
                x14.tanh()
            };
            (x20 + (x12 - x14).tanh() * s17.tanh()).tanh()
        } else {
            let x24 = if x14.max() >= s16 {
                m18 *= x12.relu().minimum(x14).tanh();
                let x25 = if 0.2 < x12.sum() && s17 > 0.2 {
                    m18 += (x14 - x12).tanh() * s17.tanh();
                    (x12.sum() + s17).tanh() * x14.sigmoid()
                } else {
                    (x14.square() + 0.5).ln().tanh()
                };
                (x25 + w26.dot(x14).tanh()).tanh()
            } else {
                m18 += (x12 * x14).sigmoid();
                let x27 = if -0.35 > x14.sum() {
                    m18 -= x12.relu().minimum(x14).tanh();
                    (x14 - x12).tanh() * s16.tanh()
                } else {
                    (x12 - x14.max()).exp().tanh()
                };
                (x27 + (x12.sum() + s16).tanh() * x14.sigmoid()).tanh()
            };
            (x24 + x12.tanh()).tanh()
        };
        m18 = m18.tanh();
        loss(cross_entropy((w11 * 1.5).dot(b10).sigmoid().log_softmax().tanh(), label));
        let state: Node = Node { h: weighted([w29.dot(summary(Node { h: x2, c: w28.dot(a6) })).tanh(), x2, b30]).tanh(), c: w31.dot(summary(Node { h: x2, c: x19 })).tanh() };
        scatter(state);
        loss((x12 - x14 + s17 + m18).tanh().sum());
    }

    #[vertex_function]
    pub fn all_26(
        #[param(K)] b1: Tensor, #[param(E, K)] w2: Tensor, #[param(K)] b3: Tensor,
        #[param(E, K)] w4: Tensor, #[param(H, E)] w5: Tensor, #[dim(H)] dh: Dim,
        #[dim(K)] dk: Dim, #[param(K, K)] w9: Tensor, #[param(K, K)] w10: Tensor,
        #[param(H, H)] w14: Tensor, #[dim(E)] de: Dim, #[param()] s18: Tensor,
        #[param(3 * H, H)] w20: Tensor, #[param(K)] b24: Tensor, #[param(E, H)] w25: Tensor,
        #[param(E, H)] w26: Tensor, #[param(E, H)] w27: Tensor, #[param(E, H)] w28: Tensor,
        #[param(K, H)] w29: Tensor, #[param(K)] b30: Tensor, #[param(K)] b31: Tensor,
        #[param(E)] b32: Tensor, #[param(H, K)] w34: Tensor,
    ) {
        let x6 = w5.dot(w2.dot(b1) + w4.dot(b3)).tanh();
        let n7 = 2.0 / (1.0 + dk as f64);
        let x8 = (zeros(dh) - n7).exp().tanh();
        let s11 = (zeros(dk) * (w9 + w10).dot(b1)).sum();
        let mut m12 = x6;
        let mut n13 = scalar(0.0);
        while n13 < 1.5 && m12.max() < 0.4 {
            m12 = (0.7 * m12 + w14.dot(m12).tanh()).tanh();
            n13 += 1.0;
        }
        m12 = m12.tanh();
        let mut a15 = zeros(de);
        let mut a16 = zeros(dk);
        let mut t17 = s18;
        for v19 in gather_all::<Node>() {
            let [x21, x22, x23] = w20.dot(v19.h.greater(x8 + 0.6).select(x6, v19.h).log_softmax()).tanh().split();
            t17 += indicator((-v19.c).argmax() == b24.sample());
            a15 = ((w25.dot(x21) + w26.dot(x22)) * (w27 + w28).dot(x23)).tanh() + a15;
            a16 = a16 + weighted([w29.dot(m12) * v19.c, v19.c, b30]);
        }
        let state = Node { c: (-b31).tanh(), h: (2.0 / (m12.erf().sigmoid() + 0.5)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        let out33 = Scores { y: b32.sigmoid(), logits: scaled(noisy(a15, 0.5), dh) };
        push(out33);
        loss(((m12 + x6) * s11 * w34.dot(a16) * t17).sum());
    }

    #[vertex_function]
    pub fn all_27(
        #[param(H)] b1: Tensor, #[param()] s2: Tensor, #[param(H)] b3: Tensor,
        #[param(H, H)] w4: Tensor, #[param(E)] b7: Tensor, #[param(K, E)] w8: Tensor,
        #[param(K, E)] w9: Tensor, #[param(K)] b13: Tensor, #[param(H, K)] w14: Tensor,
        #[dim(K)] dk: Dim, #[dim(E)] de: Dim, #[param(E)] b21: Tensor,
        #[param(E, E)] w22: Tensor, #[param(3 * K, E)] w23: Tensor, #[param(3 * K)] b24: Tensor,
        #[param(K, H)] w28: Tensor, #[param(E, K)] w30: Tensor, #[param(E, E)] w31: Tensor,
        #[param(E, H)] w32: Tensor, #[dim(H)] dh: Dim, #[param(E)] b35: Tensor,
        #[param(E, H)] w40: Tensor, #[param(E, K)] w41: Tensor, #[param(E, H + K)] w43: Tensor,
        #[param(2 * E, K)] w45: Tensor, #[param(K, E)] w48: Tensor, #[param(K, E)] w49: Tensor,
    ) {
        let x5 = (b1 * s2).maximum(w4.dot(b3));
        let x6 = b1.less(x5 + 0.35).select(b1, b1).maximum(b1);
        let s10 = mse(w8.tanh().dot(b7), w9.dot(b7));
        let s11 = s10;
        let i15 = concat([(w14 * s11.tanh()).dot(b13).greater_equal(x6 + 0.6).select(x6, (w14 * s11.tanh()).dot(b13)), zeros(3)]).argmax();
        let x12 = match i15 {
            Index(0) => {
                (x6 - x5.max()).exp().tanh()
            }
            Index(1) | Index(2) => {
                let x16 = if 0.2 > x6.sum() && -0.35 <= x5.sum() {
                    (x6.square() + 0.5).ln().tanh()
                } else {
                    (x6 - x5.max()).exp().tanh()
                };
                (x16 + (x6.square() + 0.5).ln().tanh()).tanh()
            }
            _ => {
                (x6 - x5.max()).exp().tanh()
            }
        };
        let mut a17 = zeros(dk);
        let mut a18 = zeros(de);
        let mut n19 = 1.0;
        for v20 in gather_all::<Node>() {
            let [x25, x26, x27]: [Tensor; 3] = (w23.dot(w22.dot(b21).square().softmax()) + b24).split();
            let n29 = 0.5 / (1.0 + de as f64);
            a17 += ((w28 * n29).dot(v20.h) + v20.c + x25 + x26).tanh() - x27;
            let n33 = 2.0 / (1.0 + dk as f64);
            a18 = (weighted([(w30 * s11.tanh()).dot(v20.c), zeros(de), w31.dot(b7)]) - w30.dot(x25)).tanh() + a18 - (-(w32 * n33).dot(x12)).tanh();
            n19 += 1.0;
        }
        let x34 = a17 / n19;
        let s36 = indicator((1.0 / dh as f64 * (a18 + a18).tanh()).argmax() == b35.sample());
        let mut a37 = 0.75 + x6;
        let mut a38 = zeros(de);
        for v39 in gather_all::<Node>() {
            let s42 = indicator((-a18).greater(w40.dot(v39.h) + 0.6).select(w41.dot(v39.c), -a18).argmax() != a18.sample());
            a37 += b1.relu() * s42;
            a38 = a38.minimum(w43.dot(summary(Node { h: zeros(dh), c: a17 })).tanh());
        }
        let n44 = 2.0_f64.sqrt() - 2.0;
        let (x46, x47) = halves(w45.dot((x34 + n44).noise(0.25).tanh()));
        loss(mse(noisy((w28.tanh().dot(a37) + s36).tanh(), 0.5), ((w48 + w8).dot(x46) + s2).tanh()));
        loss(s11);
        let n50 = 2.0 / (1.0 + dh as f64);
        let state = Node { c: ((w49 * n50).dot(a38) * w8.dot(x47)).tanh(), h: concat([a37.slice(1..dh), a37.slice(0..1)]).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
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
        #[param(E)] b1: Tensor, #[param(H, E)] w2: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b5: Tensor, #[param(H, 2 * H + K)] w6: Tensor, #[param()] s8: Tensor,
        #[param(H, H)] w13: Tensor, #[param(E, H)] w15: Tensor, #[dim(E)] de: Dim,
        #[dim(K)] dk: Dim, #[param(4 * E, E)] w18: Tensor, #[param(4 * E)] b19: Tensor,
        #[param(K, H)] w24: Tensor, #[param(K, K)] w25: Tensor, #[param(E, K)] w28: Tensor,
        #[param(H, K)] w32: Tensor, #[param(H, K)] w33: Tensor, #[param(H)] b34: Tensor,
        #[param(E, E)] w35: Tensor,
    ) {
        let n3 = 1.5 / (1.0 + dh as f64);
        let x4 = -(n3 * w2.dot(b1));
        let x7 = w6.dot(concat([x4, x4, b5])).tanh();
        let s9 = s8.sigmoid();
        let s10 = s8.sigmoid();
        let x11 = if x4.max() >= s9 && s10 > 0.2 {
            let x12 = if -0.35 <= x7.sum() {
                x7.tanh()
            } else if x4.max() > s9 {
                (x7.square() + 0.5).ln().tanh()
            } else {
                w13.dot(x4).tanh()
            };
            (x12 + (x4.square() + 0.5).ln().tanh()).tanh()
        } else {
            (x4.sum() + s9).tanh() * x7.sigmoid()
        };
        let mut a14 = w15.dot(x11);
        let mut t16 = s8;
        for v17 in gather_all::<Node>() {
            let [x20, x21, x22, x23] = (w18.dot(-concat([v17.c, w15.dot(v17.h)]).slice(dk..dk + de)) + b19).split::<4>();
            t16 += blend(s9, w24.dot(x4), w25.dot(v17.c)).max().tanh();
            a14 += ((x20 + x21 + x22).tanh() - x23).tanh();
        }
        let x26 = {
            let x27 = 1.0 / (dk as f64).sqrt() / (b5.log_softmax().sigmoid() + 0.5);
            let x29: Tensor = -(w28 * 2.0).dot(x27).tanh();
            w2.tanh().dot(x29).tanh()
        };
        let mut a30 = zeros(dh);
        for v31 in gather_all::<Node>() {
            a30 = v31.h * w32.tanh().dot(v31.c) + a30 - crate::generated::cells::gate(w33, v31.c, b34);
        }
        let out36 = Scores { y: w35.tanh().dot(a14).tanh(), logits: s10 };
        push(out36);
        let (h, c) = ((x7 + t16 + x26 + a30).tanh(), zeros(dk) - b5);
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_30(
        #[param(K, H)] w1: Tensor, #[param(E)] b2: Tensor, #[param(H, E)] w3: Tensor,
        #[param(K)] b4: Tensor, #[param(E)] mut b6: Tensor, #[param(E, H)] w9: Tensor,
        #[param(E, K)] w10: Tensor, #[param(K)] b15: Tensor, #[param()] s16: Tensor,
        #[dim(K)] dk: Dim, #[param(K)] b17: Tensor, #[param(K, E)] w18: Tensor,
        #[param(H, K)] w21: Tensor, #[param(K)] b22: Tensor,
    ) {
        let x5 = gate(w1, w3.dot(b2).sigmoid(), b4);
        let mut n7 = 1.0;
        for v8 in gather_all::<Node>() {
            b6 = b6 + w9.dot(v8.h) * w10.dot(v8.c);
            n7 += 1.0;
        }
        let x11 = b6 / n7;
        let n14 = 2.0_f64.sqrt() - 2.0;
        let (x12, [x19], s13) = (blend(n14 + x5, b15 + s16, zeros(dk)), [w3.dot(b6).tanh()], indicator(b17.greater(zeros(dk) + 0.6).select(w18.dot(x11), b17).argmax() != x5.sample()));
        let n20 = 2.0_f64.sqrt() - 2.0;
        let (h, c) = ((n20 / ((x19 + (w21 * s13).dot(x12)).sigmoid() + 0.5)).tanh(), (0.75 + b22 + 0.75).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn all_31(
        #[param(H, H)] w1: Tensor, #[param(E)] b2: Tensor, #[param(H, E)] w3: Tensor,
        #[param(H, E)] w4: Tensor, #[param(H)] b5: Tensor, #[param(H, E)] w6: Tensor,
        #[param(K)] b8: Tensor, #[param(E, H)] w9: Tensor, #[param(E, H)] w10: Tensor,
        #[param(H, H + K + E)] w11: Tensor, #[param(K)] b13: Tensor, #[param(E, K)] w14: Tensor,
        #[param(H, H)] w19: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w23: Tensor,
        #[param(H)] b25: Tensor, #[param(K)] b26: Tensor, #[param(K, K)] w27: Tensor,
        #[dim(K)] dk: Dim, #[param(E, H + K)] w29: Tensor, #[param(E)] b31: Tensor,
        #[param(E, E)] w37: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w41: Tensor,
        #[param(E, K)] w42: Tensor, #[param(K)] b45: Tensor, #[param(H, E)] w46: Tensor,
        #[param(K, E)] w48: Tensor, #[param(K, H)] w49: Tensor,
    ) {
        let x7 = (gate(w1, (w3 + w4).dot(b2), b5) + w6.dot(b2)).tanh();
        let x12 = w11.dot(concat([x7, b8, (w9 + w10).dot(x7)])).tanh();
        let s15 = (w14.dot(b13) * b2).sum();
        let mut m16 = x7;
        let mut n17 = scalar(0.0);
        loop {
            let s18 = m16.max();
            if n17 > 1.5 || s18 > 0.4 {
                m16 = m16 * s18.sigmoid();
                break;
            }
            loss(m16.pick(m16.argmax()));
            m16 = (0.7 * m16 + (m16 + w19.dot(m16).tanh()).noise(0.1)).tanh();
            n17 += 1.0;
        }
        m16 = m16.tanh();
        let mut a20 = zeros(dh);
        let mut n21 = 1.0;
        for v22 in gather_all::<Node>() {
            a20 = a20 + (v22.h - w23.dot(v22.c));
            n21 += 1.0;
        }
        let x24 = a20 / n21;
        let n28 = 0.5 / (1.0 + dk as f64);
        let x30 = w29.dot(concat([b25, (w27 * n28).dot(b26)])).tanh();
        let x32 = affine(w9, x24.softmax(), b31);
        let s33 = s15;
        let mut m34 = x30;
        let mut n35 = scalar(0.0);
        loop {
            let s36 = m34.max();
            if n35 > 2.5 || s36 > 0.4 {
                break;
            }
            m34 = (0.7 * m34 + w37.dot(m34).tanh()).tanh();
            n35 += 1.0;
        }
        m34 = m34.tanh();
        let mut a38 = (w14 * s33).dot(b8).softmax();
        let mut a39 = zeros(de);
        for v40 in gather_all::<Node>() {
            a38 += w9.dot(v40.h) + w14.dot(v40.c);
            a38 -= x30.softmax();
            let n43 = 2.0_f64.sqrt() - 1.5;
            a39 += (weighted([w41.dot(m16), m34, x32]) / (((w42 * n43).dot(v40.c) * s15).sigmoid() + 0.5)).tanh();
        }
        let mut m44 = zeros(dh) + x12;
        m44 -= noisy((w23.dot(b45) - a20).tanh(), 0.5);
        m44 = m44.tanh() + (0.5 + x24.sigmoid()).ln().square().tanh();
        m44 = m44.tanh() + w46.dot(w37.dot(m34)).tanh();
        m44 = m44.tanh();
        loss(s33);
        let out47 = Scores { y: w37.dot(a38).relu().tanh(), logits: w37.min().sigmoid() };
        push(out47);
        scatter(Node { h: (0.75 / (x12.sigmoid() + 0.5)).tanh(), c: (w48.dot(a39) - w49.dot(m44)).tanh() });
    }

    #[vertex_function]
    pub fn all_32(
        #[param(H, E)] w2: Tensor, #[param(H)] b5: Tensor, #[param(H, E)] w6: Tensor,
        #[dim(H)] dh: Dim, #[param(H)] b7: Tensor, #[param(K)] b8: Tensor,
        #[param(H, H + K)] w9: Tensor, #[param(K, E)] w10: Tensor, #[param(K)] b13: Tensor,
        #[param(2 * K, K)] w14: Tensor, #[param(H, K)] w17: Tensor, #[param(H, K)] w18: Tensor,
        #[param(K, H)] w19: Tensor, #[param(K, 2 * K + E)] w20: Tensor,
        #[param(E)] mut b22: Tensor, #[param(H)] mut b23: Tensor, #[param(K)] b29: Tensor,
        #[param(E, H)] w30: Tensor, #[dim(E)] de: Dim, #[param(E, K)] w32: Tensor,
        #[param(E, H)] w33: Tensor, #[dim(K)] dk: Dim, #[param(H, K)] w34: Tensor,
        #[param(H, H)] w35: Tensor, #[param(E)] mut b36: Tensor, #[param(H, E)] w37: Tensor,
        #[param(K, E)] w38: Tensor, #[param(K, K)] w39: Tensor,
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
            let (x15, x16) = halves(w14.dot(1.5 / (0.5 + v12.c.minimum(b13).sigmoid())).tanh());
            a11 += (v12.h - w17.dot(x15) + w18.dot(x16)).tanh();
        }
        let s21 = indicator(w20.dot(concat([w19.dot(a11), w19.dot(a11), p1.target])).tanh().argmax() == p1.label);
        let mut t24 = s21;
        for Node { c, h } in gather_all::<Node>() {
            let (x26, [x28], s27) = ((w2 * 0.5).dot(p1.target).dropout(0.25).tanh(), [b29 * 0.5], s21);
            t24 += s27;
            let n31 = 1.5 / (1.0 + de as f64);
            b22 += ((w30 * n31).dot(h) + w32.dot(c) - w33.tanh().dot(x26) + w32.dot(x28)).tanh();
            b23 += -(w2 * (1.0 / (dk as f64).sqrt())).dot(p1.target).minimum(w34.dot(x28));
            b23 -= (w35.dot(m4) * a11).tanh();
        }
        b36 /= 1.0 / (de as f64).sqrt();
        b36 = b36.tanh();
        scatter(Node { h: ((w2.dot(b22) * b23).tanh() - t24 + w37.tanh().dot(b36)).tanh(), c: (w38 * t24.tanh()).dot(b36).maximum(w39.dot(b8)).tanh() });
    }

    #[vertex_function]
    pub fn all_33(
        #[param(E, E)] w2: Tensor, #[dim(E)] de: Dim, #[param(H, E)] w6: Tensor,
        #[param(K, H)] w8: Tensor, #[param(H)] mut b9: Tensor, #[param()] s12: Tensor,
        #[dim(K)] dk: Dim, #[param(E, H)] w14: Tensor, #[param(H)] b16: Tensor,
        #[param(H, H)] w17: Tensor, #[param(H, K)] w18: Tensor, #[param(H, E)] w19: Tensor,
        #[param(E, K)] w20: Tensor, #[param(K)] b21: Tensor, #[param(E)] b22: Tensor,
    ) {
        let p1 = pull::<Word>().x;
        let x3 = w2.dot(p1);
        let x4 = {
            let n5 = 0.75 / (1.0 + de as f64);
            let x7 = n5 / (0.5 + w6.dot(x3).relu().sigmoid());
            w8.dot(x7).tanh()
        };
        let mut a10 = zeros(de);
        let mut t11 = s12;
        for Node { h, c } in gather_all() {
            t11 += mse(zeros(dk), c).tanh();
            b9 = h + b9 - h.noise(0.5).tanh();
            a10 = (0.5 / (w14.dot(h).sigmoid() + 0.5)).dropout(0.5).tanh() + a10 - x3.minimum(x3);
        }
        let mut m15 = b16.tanh();
        m15 += (w17 * 0.5).dot((b9 + 2.0).tanh()).tanh();
        m15 /= 2.0;
        m15 = m15.tanh();
        loss(t11);
        let state: Node = Node { h: ((w18.dot(x4) * w19.dot(a10)).tanh() + m15).tanh(), c: x4.softmax() };
        scatter(state);
        push(Out { y: gate(w20, b21, b22).tanh() });
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
        #[param(E)] b2: Tensor, #[param(K, E)] w4: Tensor, #[param(H)] b5: Tensor,
        #[param(K, H)] w6: Tensor, #[param(E)] mut b9: Tensor, #[param(K)] mut b10: Tensor,
        #[param()] s13: Tensor, #[param(E, K)] w15: Tensor, #[param(K)] b16: Tensor,
        #[dim(H)] dh: Dim, #[param(H, E)] w18: Tensor, #[param()] s19: Tensor,
        #[param(E, K)] w20: Tensor,
    ) {
        let p1: Signal = pull();
        let x3 = p1.x * b2;
        let [x7, x8] = [0.5 - w4.dot(p1.x).sigmoid(), w6.dot(b5)];
        let mut n11 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            let s14 = mse((h * s13).minimum(b5), h);
            b9 = b9.maximum((w15.dot(c) - s14).tanh());
            b10 = b10.maximum(-b16);
            n11 += 1.0;
        }
        let x17 = b9 / n11;
        loss(cross_entropy(zeros(dh) / (w18.dot(x3).noise(0.25).tanh().sigmoid() + 0.5), p1.label));
        let (h, c) = (concat([w18.dot(x17).slice(1..dh), w18.dot(x17).slice(0..1)]).tanh(), (0.5 - (s19 - x7)).tanh());
        scatter(Node { h, c });
        loss((w15.dot(x8) * w20.dot(b10)).tanh().sum());
    }
}

pub mod mixed {
    use super::prelude::*;

    #[vertex_function]
    pub fn mixed_0(
        #[param(H, E)] w2: Tensor, #[param(H, E)] w3: Tensor, #[param(E)] b5: Tensor,
        #[param(E, E)] w6: Tensor, #[dim(E)] de: Dim, #[param(H)] b12: Tensor, #[dim(K)] dk: Dim,
        #[param(E, H)] w14: Tensor, #[param(E, K)] w15: Tensor, #[param(E)] b16: Tensor,
        #[param(E, E)] w18: Tensor, #[param(H)] b20: Tensor, #[param(E, E)] w24: Tensor,
        #[param(H, E)] w25: Tensor, #[param(H, E)] w26: Tensor,
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
        let x17 = (a8 * a9).tanh().sigmoid();
        let x19 = crate::generated::cells::gate(w18, w14.dot(x4), b5).tanh().log_softmax().tanh();
        let s21 = x4.pick(b20.sample());
        let mut m22 = x17;
        let mut n23 = scalar(0.0);
        while n23 < 2.5 && m22.max() < 0.4 {
            m22 = (0.7 * m22 + w24.dot(m22).tanh()).tanh();
            n23 += 1.0;
        }
        m22 = m22.tanh();
        let state = Node { c: concat([v1.c.slice(1..dk), v1.c.slice(0..1)]), h: ((((w25 + w2).dot(x17) + w26.dot(x19)) * s21).tanh() - w2.dot(m22)).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn mixed_1(
        #[param(E, E)] w1: Tensor, #[dim(H)] dh: Dim, #[param(H, H)] w4: Tensor,
        #[param(H, H)] w6: Tensor, #[param(H, E)] w7: Tensor, #[param(H)] b8: Tensor,
        #[param(E)] b10: Tensor, #[dim(E)] de: Dim, #[param(K, H)] w20: Tensor,
        #[param()] s23: Tensor, #[param(K)] b27: Tensor, #[param(H, K)] w32: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2: Tensor = (w1 * (1.0 / dh as f64)).dot(x);
        let v3 = gather::<Node>(0);
        let x5 = w4.dot(v3.h).dropout(0.25).tanh();
        let x9 = affine(w6, w7.dot(x2), b8).tanh();
        let s11 = indicator(b10.argmax() != label);
        let s12 = (v3.c * v3.c).sum();
        let x13 = if !(x5.max() < s12 || s11 >= 0.2) {
            let x14 = if x9.max() > s11 || 0.1 >= x9.sum() {
                x5.relu().minimum(x9).tanh()
            } else {
                (x5.sum() + s11).tanh() * x9.sigmoid()
            };
            (x14 + (x5.sum() + s12).tanh() * x9.sigmoid()).tanh()
        } else {
            let x15 = if x9.max() > s11 || x9.max() >= s11 {
                (x5.sum() + s11).tanh() * x9.sigmoid()
            } else if x5.max() <= s12 || x9.max() > s11 {
                let x16 = if 0.2 <= x5.sum() {
                    x5.softmax() + 0.5 * x9.tanh()
                } else if s11 <= 0.1 {
                    (x9.square() + 0.5).ln().tanh()
                } else {
                    (x5.square() + 0.5).ln().tanh()
                };
                (x16 + (x5 / (x9.norm() + 0.5)).tanh()).tanh()
            } else {
                w4.dot(x5).tanh()
            };
            (x15 + (x5 * x9).sigmoid()).tanh()
        };
        let mut a17 = 1.0 / de as f64 / (0.5 + v3.c.sigmoid());
        let mut a18 = zeros(dh).tanh();
        for v19 in gather_all::<Node>() {
            let x21 = (w20.dot(x13).sigmoid() - 0.5).tanh();
            let x22 = v19.c.softmax().maximum(x21);
            let s24 = s23 + s23;
            let s25 = v19.c.max();
            let i28 = concat([0.75 + b27, zeros(3)]).argmax();
            let x26 = match i28 {
                Index(0) => {
                    x22.tanh()
                }
                Index(1) | Index(2) => {
                    (x21 - x22).tanh() * s25.tanh()
                }
                _ => {
                    (x22 - x21.max()).exp().tanh()
                }
            };
            a17 += (w20.dot(v19.h) - x22 + s24 + s25 + x26).tanh();
            let n29 = 2.0_f64.sqrt() - 2.0;
            a18 += (x9 - n29).tanh();
            a18 -= x5.log_softmax().tanh();
        }
        let x30 = {
            let x31 = zeros(dh).sigmoid().tanh();
            let x2 = x2.tanh() + x2.noise(0.5).tanh();
            (x31 + w7.tanh().dot(x2)).tanh()
        };
        loss(s11);
        loss(cross_entropy(zeros(de) + zeros(de) + x2, label));
        let state: Node = Node { h: (((b8 - x30) * s12 - w32.dot(a17)).tanh() + a18).tanh(), c: (a17.sigmoid() + 0.5).ln().tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn mixed_2(
        #[param(E, E)] w2: Tensor, #[param(E, K)] w8: Tensor, #[param(H, E)] w9: Tensor,
        #[dim(H)] dh: Dim, #[param()] s11: Tensor, #[dim(E)] de: Dim, #[param(H, H)] w16: Tensor,
        #[param(H)] b17: Tensor, #[param(H, K)] w25: Tensor, #[param(K)] b26: Tensor,
    ) {
        let p1 = pull::<Word>().x;
        let n3 = 2.0_f64.sqrt() - 0.75;
        let x4 = (w2 * n3).dot(p1);
        let Node { h: h6, c: c7 } = gather(0);
        let x10 = w9.dot(w8.dot(c7) + 0.5).tanh();
        let x12 = concat([s11 * x4, x10]).slice(de..de + dh);
        let s13 = c7.sum();
        let s14 = s13;
        let i18 = concat([w16.dot(h6).minimum(b17), zeros(3)]).argmax();
        let x15 = match i18 {
            Index(0) => {
                let x19 = if 0.1 <= x12.sum() {
                    let x20 = if s13 >= -0.35 {
                        x12.relu().minimum(x10).tanh()
                    } else if -0.35 >= x10.sum() {
                        (x12 / (x10.norm() + 0.5)).tanh()
                    } else {
                        (x10 / (x12.norm() + 0.5)).tanh()
                    };
                    (x20 + (x12.sum() + s14).tanh() * x10.sigmoid()).tanh()
                } else {
                    (x10 - x12.max()).exp().tanh()
                };
                (x19 + x10.tanh()).tanh()
            }
            Index(1) | Index(2) => {
                x10.softmax() + 0.5 * x12.tanh()
            }
            _ => {
                let x21 = if s14 <= 0.1 {
                    let x22 = if -0.35 < x10.sum() {
                        x12.tanh()
                    } else {
                        (x12 * x10).sigmoid()
                    };
                    (x22 + x10.softmax() + 0.5 * x12.tanh()).tanh()
                } else {
                    (x12 - x10).tanh() * s14.tanh()
                };
                (x21 + (x10.square() + 0.5).ln().tanh()).tanh()
            }
        };
        let mut a23 = zeros(dh);
        for Node { c, h } in gather_all::<Node>() {
            a23 = a23 + h * w25.dot(c);
        }
        loss((c7.sigmoid() + 0.5).ln().maximum(b26).sum());
        let state = Node { c: c7.dropout(0.25).tanh(), h: ((x12 * s14 + x15).tanh() - a23).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn mixed_3(
        #[param(E)] b3: Tensor, #[dim(E)] de: Dim, #[dim(H)] dh: Dim, #[param(H, H)] w6: Tensor,
        #[dim(K)] dk: Dim, #[param(H)] b7: Tensor, #[param(H, K)] w9: Tensor,
        #[param(K, H)] w10: Tensor, #[param(H)] b11: Tensor, #[param(K)] mut b12: Tensor,
        #[param(2 * H, H)] w14: Tensor, #[param(K, H)] w17: Tensor, #[param(K, H)] w18: Tensor,
        #[param(H, H)] w19: Tensor, #[param(H, E)] w20: Tensor, #[param(E)] b21: Tensor,
        #[param(K)] b22: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Signal { label, x } = pull();
        let x4 = x * b3;
        let parts5 = [(1.0 / (de as f64).sqrt() / (zeros(dh).relu().sigmoid() + 0.5)).tanh(), scaled(w6.dot(h2), dk), b7];
        let mut a8 = b7;
        for k in 1..=2 {
            a8 += (parts5[k] + affine(w9, w10.dot(h2), b11).tanh()).tanh() * (k as f64);
        }
        for Node { h, c } in gather_all() {
            let (x15, x16) = halves(w14.dot((0.5 + (-a8).sigmoid()).ln()));
            b12 = ((w17.dot(h) + c + (w18 + w10).dot(x15)).tanh() + w10.dot(x16)).tanh() + b12;
        }
        loss(cross_entropy(concat([w19.dot(a8).slice(1..dh), w19.dot(a8).slice(0..1)]).tanh(), label));
        loss((x4 - b3).tanh().pick(x.argmax()));
        scatter(Node { c: b12.tanh(), h: (0.75 - w20.dot(x)).tanh() });
        let out23 = Scores { y: b3 * b21, logits: (b22 - 0.5).sigmoid() };
        push(out23);
    }

    #[vertex_function]
    pub fn mixed_4(
        #[param(H, E)] w4: Tensor, #[dim(H)] dh: Dim, #[param()] s8: Tensor,
        #[param()] s9: Tensor, #[dim(E)] de: Dim, #[param(K, K)] w20: Tensor,
        #[param(E, K)] w22: Tensor, #[param(H, E)] w23: Tensor, #[param(E, E)] w24: Tensor,
        #[param(K)] b25: Tensor, #[param(E, K)] w26: Tensor, #[param(E)] b27: Tensor,
        #[param(H, H)] w29: Tensor, #[param(E, H)] w30: Tensor, #[param(K, H)] w38: Tensor,
        #[param(K, H)] w39: Tensor, #[param(K, H)] w40: Tensor, #[param(K, H)] w41: Tensor,
        #[param(K, E)] w42: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let p3 = pull::<Gold>().target;
        let x5 = w4.dot(p3);
        let x6 = zeros(dh).tanh();
        let x7 = (x6 + x5).minimum(x5).tanh();
        let s10 = s8 + s9;
        let s11 = s10;
        let mut m12 = x7;
        let x13 = if s11 >= -0.35 {
            m12 *= (x6.square() + 0.5).ln().tanh();
            (x6 - x7).tanh() * s11.tanh()
        } else if s10 < 0.2 {
            (x6 - x7.max()).exp().tanh()
        } else {
            let x14 = if x6.max() >= s10 {
                x6.relu().minimum(x7).tanh()
            } else {
                m12 *= (x6.sum() + s10).tanh() * x7.sigmoid();
                (x7 * x6).sigmoid()
            };
            (x14 + (x7.square() + 0.5).ln().tanh()).tanh()
        };
        m12 = m12.tanh();
        let mut a15 = zeros(de);
        let mut a16 = x13.softmax();
        for Node { c, h } in gather_all::<Node>() {
            let (x18, [x21], s19) = (concat([p3, concat([h.slice(1..dh), h.slice(0..1)])]).slice(0..de), [c.tanh()], w20.max());
            a15 = a15.maximum((x18 + s19 + w22.dot(x21)).tanh());
            a16 = a16.maximum((w23.dot(p3).sigmoid() + 0.5).ln());
        }
        let x28 = gate(w24, (w26 * s11).dot(b25).greater_equal(a15 + 0.1).select(a15, (w26 * s11).dot(b25)), b27).tanh();
        let x31 = (w30 * (1.0 / dh as f64)).dot(w29.dot(m12)).tanh();
        let s32 = indicator(w24.dot(x31).argmax() == x28.sample());
        let mut m33 = x28;
        let mut n34 = scalar(0.0);
        while n34 < 3.5 && m33.max() < 0.9 {
            loss(m33.pick(m33.sample()));
            m33 = (0.7 * m33 + w24.dot(x28).tanh()).tanh();
            let x35 = if s32 <= -0.35 || x28.max() > s32 {
                let x36 = if !(0.2 > x28.sum() || -0.35 > x28.sum()) {
                    m33 *= (x31.square() + 0.5).ln().tanh();
                    (x31 / (x28.norm() + 0.5)).tanh()
                } else {
                    x31.relu().minimum(x28).tanh()
                };
                (x36 + x31.relu().minimum(x28).tanh()).tanh()
            } else {
                let x37 = if x28.max() < s32 {
                    m33 = (x28 / (x31.norm() + 0.5)).tanh();
                    (x31 - x28.max()).exp().tanh()
                } else {
                    (x31 * x28).sigmoid()
                };
                (x37 + (x28 - x31.max()).exp().tanh()).tanh()
            };
            m33 = m33 * x35.sigmoid();
            loss(0.1 * m33.sum());
            n34 += 1.0;
        }
        m33 = m33.tanh();
        let (h, c) = ((x6 / (0.5 + h2.sigmoid())).tanh(), ((w38.dot(h2) - (w39 + w40).dot(x7) + (w41 + w38).dot(a16)).tanh() - s32 + w42.tanh().dot(m33)).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn mixed_5(
        #[param(E, E)] w5: Tensor, #[param(H, E)] w8: Tensor, #[param(H)] b9: Tensor,
        #[param(H)] b10: Tensor, #[dim(H)] dh: Dim, #[param(K)] mut b12: Tensor,
        #[param(H)] b15: Tensor, #[param(H)] b16: Tensor, #[param(K, H)] w18: Tensor,
        #[dim(K)] dk: Dim, #[param(K, K)] w22: Tensor, #[param(H, H)] w27: Tensor,
        #[param(H, H)] w30: Tensor, #[param(K)] b32: Tensor, #[param(K)] b33: Tensor,
        #[param()] s34: Tensor, #[param(E)] b35: Tensor, #[param(H, H)] w36: Tensor,
        #[param(H, K)] w38: Tensor, #[param(H, E)] w39: Tensor,
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
            let parts14 = [-v13.h + zeros(dh), (b15 - a11).tanh(), b16];
            let mut a17 = b9;
            for part in parts14 {
                a17 = a17.tanh() + (part * h2.variational_dropout(0.25)).tanh();
            }
            b12 = b12 + (v13.c + w18.dot(a17)).tanh();
        }
        let x19 = (zeros(dh) + h2).softmax();
        let n20 = 0.75 / (1.0 + dk as f64);
        let x21 = (n20 / (0.5 + b9.sigmoid())).tanh();
        let s23 = w22.norm();
        let s24 = (1.5 * s23).tanh();
        let mut m25 = x21;
        let i28 = concat([weighted([zeros(dh), w27.dot(x19), b9]), zeros(3)]).argmax();
        let x26 = match i28 {
            Index(0) => {
                let x29 = if 0.1 <= x19.sum() {
                    m25 = (x21.sum() + s24).tanh() * x19.sigmoid();
                    (x21 - x19.max()).exp().tanh()
                } else if x21.max() < s24 {
                    m25 -= w30.dot(x21).tanh();
                    let x31 = if x19.max() < s23 {
                        (x19 - x21).tanh() * s23.tanh()
                    } else if !(0.2 < x21.sum() || 0.2 < x21.sum()) {
                        (x21 * x19).sigmoid()
                    } else {
                        m25 = x19.tanh();
                        w27.dot(x19).tanh()
                    };
                    (x31 + x21.tanh()).tanh()
                } else {
                    w27.dot(x21).tanh()
                };
                (x29 + (x19.sum() + s23).tanh() * x21.sigmoid()).tanh()
            }
            Index(1) | Index(2) => {
                m25 = (x19.square() + 0.5).ln().tanh();
                (x19.square() + 0.5).ln().tanh()
            }
            _ => {
                (x21 - x19).tanh() * s23.tanh()
            }
        };
        m25 = m25.tanh();
        loss(cross_entropy(b32 + b33, p4.label));
        loss(s24 - s34 - s24);
        let out37 = Scores { y: b35.tanh(), logits: -(m25 + w36.dot(x26)) };
        push(out37);
        let state = Node { c: b12.tanh().log_softmax().tanh(), h: (((w38.dot(c3) - w39.dot(x6)) * w38.dot(b12)).tanh() + x21).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn mixed_6(
        #[param(H)] b1: Tensor, #[dim(H)] dh: Dim, #[param(E)] b2: Tensor,
        #[param(K, E)] w3: Tensor, #[param(K)] b4: Tensor, #[param(H, H)] w8: Tensor,
        #[param(E, H)] w14: Tensor, #[param(E, K)] w15: Tensor, #[param(H, E)] w17: Tensor,
        #[param(H, K)] w18: Tensor, #[param(K, K)] w19: Tensor, #[param(E)] b20: Tensor,
        #[param(K, E)] w21: Tensor, #[param(H, K)] w23: Tensor, #[param(H, K)] w24: Tensor,
        #[param(2 * E, H)] w25: Tensor, #[param(K, H)] w28: Tensor, #[param(K, E)] w29: Tensor,
        #[dim(E)] de: Dim, #[param(K, E)] w30: Tensor, #[param(E)] b31: Tensor,
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
        let (x26, x27) = halves(w25.dot((x22 - (w23 + w24).dot(c7)).tanh().exp()));
        let state: Node = Node { h: (w8.dot(a9) + zeros(dh)).tanh(), c: (((w28.dot(h6) + a10).tanh() + (w29 * (1.0 / de as f64)).dot(x26)).tanh() - w30.dot(x27)).tanh() };
        scatter(state);
        push(Out { y: (0.5 / ((b31 - b2).sigmoid() + 0.5)).tanh() });
    }

    #[vertex_function]
    pub fn mixed_7(
        #[param(E)] b5: Tensor, #[dim(K)] dk: Dim, #[dim(H)] dh: Dim, #[param(H)] b11: Tensor,
        #[param(H, K)] w12: Tensor, #[dim(E)] de: Dim, #[param(K, K)] w13: Tensor,
        #[param(K)] b14: Tensor, #[param(K)] b15: Tensor, #[param(K)] b16: Tensor,
        #[param(E, H)] w17: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let p4 = pull::<Gold>().target;
        let x6 = p4 * b5;
        let s7 = (b5.pick(x6.sample()) * concat([c3.slice(1..dk), c3.slice(0..1)]) * c3).sum();
        let mut a8 = zeros(dh);
        let mut t9 = s7;
        for Node { h, c } in gather_all() {
            let h2 = h2.tanh() + b11.tanh();
            t9 += s7.tanh();
            a8 -= (h + w12.dot(c) - h2).tanh();
        }
        let state: Node = Node { h: concat([b11, zeros(de)]).slice(0..dh).exp().tanh(), c: affine(w13, b14.maximum(b15), b16).tanh() };
        scatter(state);
        loss(((p4 - (w17 + w17).dot(a8)).tanh() + t9).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_8(
        #[param(E, E)] w1: Tensor, #[param(V, E)] table3: Tensor, #[param(V, E)] table7: Tensor,
        #[param(V, E)] table8: Tensor, #[dim(E)] de: Dim, #[param(K)] b16: Tensor,
        #[param()] s18: Tensor, #[param(E, H)] w23: Tensor, #[param(E, K)] w24: Tensor,
        #[param(E, H)] w25: Tensor, #[param(H, H)] w26: Tensor, #[param(H)] b28: Tensor,
        #[param(E)] b29: Tensor, #[param(H)] b30: Tensor, #[param(K, E)] w31: Tensor,
        #[dim(K)] dk: Dim,
    ) {
        let Word { id, x } = pull();
        let x2 = w1.dot(x);
        let x4 = table3.row(id);
        let Node { h: h6, .. } = gather(0);
        let [x9, x10] = [table7.row(id) - x2 - table8.row(id), zeros(de).relu()];
        let mut a11 = -x10;
        let mut a12 = zeros(de);
        for Node { c, h } in gather_all::<Node>() {
            let x14 = c.exp().tanh();
            let x15 = x14.log_softmax().tanh();
            let s17 = x15.pick(b16.argmax());
            let s19 = s18.sigmoid();
            let x20 = if -0.35 < x15.sum() || 0.1 <= x15.sum() {
                let x21 = if 0.2 >= x15.sum() {
                    x14.softmax() + 0.5 * x15.tanh()
                } else {
                    let x22 = if s17 <= 0.1 && x15.max() > s17 {
                        (x14 - x15.max()).exp().tanh()
                    } else if x14.max() >= s17 {
                        (x14 * x15).sigmoid()
                    } else {
                        (x15.square() + 0.5).ln().tanh()
                    };
                    (x22 + (x15.square() + 0.5).ln().tanh()).tanh()
                };
                (x21 + (x14 - x15).tanh() * s19.tanh()).tanh()
            } else if -0.35 > x15.sum() && x15.max() > s17 {
                x14.tanh()
            } else {
                x14.softmax() + 0.5 * x15.tanh()
            };
            a11 -= ((w23 * 0.5).dot(h) * s17 - s19 - w24.dot(x20)).tanh();
            a12 += (w25 * 0.5).dot(h6).sigmoid();
        }
        let s27 = w26.min();
        push(Out { y: (1.5 * gate(w23, b28, b29)).tanh() });
        scatter(Node { h: b30.gelu().tanh(), c: (-w31.dot(x)).minimum(zeros(dk)).tanh() });
        loss((((x4 - x9 + a11).tanh() + a12).tanh() + s27).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_9(
        #[param(E)] b3: Tensor, #[param(H, E)] w4: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b8: Tensor, #[param(K, K)] w9: Tensor, #[param(E)] b10: Tensor,
        #[param(K, E)] w11: Tensor, #[param(K)] b13: Tensor, #[param(H, K)] w14: Tensor,
        #[param(K)] b15: Tensor, #[param(H, K)] w16: Tensor, #[dim(E)] de: Dim,
        #[param(E, H)] w23: Tensor, #[param(E, K)] w24: Tensor, #[param(H)] b26: Tensor,
        #[param(K)] b34: Tensor, #[param()] s35: Tensor, #[param(E)] mut b36: Tensor,
        #[param(E, E)] w39: Tensor, #[param(E, K)] w41: Tensor, #[param(E, E)] w42: Tensor,
        #[param(E, K)] w43: Tensor, #[param(K, H)] w44: Tensor, #[param(3 * K, K)] w45: Tensor,
        #[param(K, K)] w49: Tensor, #[param(K, E)] w50: Tensor, #[param(H)] b51: Tensor,
        #[param()] s52: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let x5 = (0.5 + w4.dot(b3).sigmoid()).ln();
        let n6 = 2.0_f64.sqrt() - 0.75;
        let x7 = (0.5 + (n6 + zeros(dh)).sigmoid()).ln();
        let s12 = w9.dot(b8).pick(w11.tanh().dot(b10).argmax());
        let s17 = (w14.dot(b13) * (w16 + w14).dot(b15)).sum();
        let mut m18 = x7;
        let x19 = if x7.max() >= s12 || -0.35 > x5.sum() {
            x5.relu().minimum(x7).tanh()
        } else {
            m18 -= x5.softmax() + 0.5 * x7.tanh();
            x7.tanh()
        };
        m18 = m18.tanh();
        let mut a20 = zeros(de);
        for Node { c, h } in gather_all::<Node>() {
            let x22 = {
                let x5 = x5.tanh() + x5.less(h2 + 0.1).select(zeros(dh), x5);
                w23.dot(x5).tanh()
            };
            a20 = (w23.dot(h) - w24.dot(c) + x22).tanh() + a20 - b3.log_softmax().tanh();
        }
        let x25 = (x5 - m18).tanh().cumulative_sum().tanh();
        let x27 = zeros(dh).relu() - b26;
        let s28 = s12;
        let s29 = s28;
        let x30 = if s29 <= 0.1 || s28 <= 0.2 {
            x25.relu().minimum(x27).tanh()
        } else {
            let x31 = if s28 > -0.35 && x25.max() < s28 {
                x27.relu().minimum(x25).tanh()
            } else if s28 >= -0.35 {
                (x25 * x27).sigmoid()
            } else {
                let x32 = if x25.max() <= s28 {
                    x27.tanh()
                } else {
                    (x27 - x25.max()).exp().tanh()
                };
                (x32 + (x25.sum() + s28).tanh() * x27.sigmoid()).tanh()
            };
            (x31 + x27.softmax() + 0.5 * x25.tanh()).tanh()
        };
        let mut a33 = s35 - w9.dot(b34);
        for Node { c, h } in gather_all::<Node>() {
            let x38 = {
                let x40: Tensor = c.pick(c.sample()) * concat([h, (w39 * 1.5).dot(a20)]).slice(dh..dh + de).tanh();
                let c = c.tanh() + (2.0 - c);
                (x40 + w41.dot(c)).tanh().tanh()
            };
            a33 = w11.dot(x38) + a33;
            b36 = ((w42.dot(x38) / (0.5 + x38.sigmoid())).sigmoid() + 0.5).ln() + b36 - w43.dot(c).dropout(0.5).tanh();
        }
        let [x46, x47, x48] = w45.dot((0.5 + (a33 * w44.dot(x19)).tanh().sigmoid()).ln()).split::<3>();
        for k in 0..2 {
            loss(w49.max() * (k as f64 + 0.25));
        }
        loss(mse(w44.dot(x30).variational_dropout(0.25).tanh() + x47, weighted([w50.dot(b36), x47, x46]).tanh()));
        let state = Node { c: (s52.sigmoid() + x48.sigmoid()).tanh(), h: (2.0 / (0.5 + b51.sigmoid())).tanh().clamp(-0.5, 0.75) };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss(((x7 - s17) * x25 * x27 * s29).sum());
    }

    #[vertex_function]
    pub fn mixed_10(
        #[param(E, H)] w2: Tensor, #[param(E, K)] w3: Tensor, #[param(E)] b4: Tensor,
        #[param(E, E)] w5: Tensor, #[dim(K)] dk: Dim, #[dim(H)] dh: Dim, #[param()] s11: Tensor,
        #[param(K, K)] w15: Tensor, #[param(K, K)] w16: Tensor, #[param(K)] b17: Tensor,
        #[param(E)] mut b22: Tensor, #[param(E)] b25: Tensor, #[param(H, K)] w28: Tensor,
        #[param(E, K)] w34: Tensor, #[dim(E)] de: Dim, #[param(2 * K, E)] w35: Tensor,
        #[param(H, E)] w39: Tensor, #[param(H, E)] w40: Tensor,
    ) {
        let v1: Node = gather(0);
        let [x6, x7] = [noisy((w2 * 0.75).dot(v1.h), 0.5).tanh(), blend(w2.dot(v1.h).leaky_relu(0.1), w3.dot(v1.c), w5.dot(b4))];
        let mut a8 = zeros(dk);
        let mut a9 = zeros(dh);
        let mut t10 = s11;
        for Node { h, c } in gather_all() {
            t10 += (h.sigmoid() + 0.5).ln().max().tanh();
            a8 = a8 + c;
            a9 = a9 + (1.0 / dh as f64 + 1.0 / (dk as f64).sqrt() * v1.h).tanh();
        }
        let n13 = 1.5 / (1.0 + dk as f64);
        let x14 = (n13 * zeros(dk).gelu()).tanh();
        let x18 = (w15 + w16).dot(a8).tanh().minimum(b17);
        let s19 = t10.sigmoid();
        let mut m20 = x14;
        let mut n21 = scalar(0.0);
        while n21 < 3.5 && m20.max() < 0.4 {
            m20 = (0.7 * m20 + x18.tanh()).tanh();
            n21 += 1.0;
        }
        m20 = m20.tanh();
        for v23 in gather_all::<Node>() {
            let x24 = (-w2.dot(v23.h)).sigmoid();
            let n26 = 2.0_f64.sqrt() - 2.0;
            let x27 = (b25 * n26).gelu_tanh();
            let s29 = a9.pick(w28.dot(x14).argmax());
            let s30 = v23.c.pick(zeros(dk).sample());
            let x31 = if x27.max() <= s29 || s29 < -0.35 {
                let x32 = if 0.2 < x24.sum() || x24.max() < s29 {
                    (x24.square() + 0.5).ln().tanh()
                } else {
                    let x33 = if !(0.1 <= x27.sum() || x27.max() >= s29) {
                        (x24 - x27).tanh() * s29.tanh()
                    } else {
                        x27.tanh()
                    };
                    (x33 + (x27 * x24).sigmoid()).tanh()
                };
                (x32 + (x24 - x27.max()).exp().tanh()).tanh()
            } else {
                (x27 - x24.max()).exp().tanh()
            };
            b22 = b22 + (((x24 + x27) * s29).tanh() + s30 + x31).tanh();
        }
        let (x36, x37) = halves(w35.dot(w34.dot(v1.c) - zeros(de)));
        let out38 = Scores { y: (b4 - b22).tanh(), logits: blend(v1.h.sigmoid(), a9, v1.h).tanh().tanh() };
        push(out38);
        let (h, c) = (concat([m20 + x37, v1.h]).slice(dk..dk + dh), x36.greater(x14 + 0.35).select(x18, x36).minimum(a8).tanh());
        scatter(Node { h, c });
        loss(((w39 + w39).dot(x6) - (w40 * s19).dot(x7)).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_11(
        #[param(E)] b2: Tensor, #[param(H, E)] w3: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b6: Tensor, #[dim(H)] dh: Dim, #[param(H)] mut b11: Tensor,
        #[param(H, K)] w15: Tensor, #[param(H, H)] w16: Tensor, #[param(K)] b17: Tensor,
        #[param(K)] b18: Tensor, #[param(E, K)] w24: Tensor, #[param(H)] b25: Tensor,
        #[param(H, H)] w28: Tensor, #[param()] s29: Tensor, #[param(E, E)] w31: Tensor,
        #[param(E)] b32: Tensor, #[param(E)] b33: Tensor, #[param(H, E)] w34: Tensor,
        #[param(K, H)] w35: Tensor, #[param(K, H)] w36: Tensor, #[param(K, H)] w37: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let x4 = w3.dot(b2).silu();
        let x5 = (v1.h.softmax() - x4).tanh();
        let s7 = zeros(de).pick(b6.argmax());
        let mut m8 = x4;
        let mut n9 = scalar(0.0);
        while n9 < 1.5 && m8.max() < 0.4 {
            m8 = (0.7 * m8 + x4.tanh()).tanh();
            n9 += 1.0;
        }
        m8 = m8.tanh();
        let mut a10 = zeros(dh);
        for v12 in gather_all::<Node>() {
            let x13 = {
                let x14 = concat([m8, v12.h]).slice(dh..dh + dh) * x5;
                x14.tanh()
            };
            a10 -= w15.dot(v12.c) - x13;
            b11 += (w16.dot(x13) * w3.dot(b2) + 1.5).tanh();
        }
        let x19: Tensor = (v1.c.exp() * a10.max()).tanh() * (-b17).pick(b18.sample());
        let mut a20 = zeros(de);
        let mut a21 = zeros(dh);
        let mut t22 = s7;
        for v23 in gather_all::<Node>() {
            t22 += (v23.h.exp() * b11).tanh().sum().tanh();
            a20 = w24.dot(v23.c) + a20;
            a21 = a21 + (b25.relu() - 2.0);
        }
        let (x26, [x30], s27) = ((t22 + s29 * w28.dot(a10)).tanh(), [-zeros(dh)], s7);
        loss((gate(w31, a20, b32).tanh() * b33).sum() * s27);
        loss(s27);
        scatter(Node { h: x5.dropout(0.5).log_softmax().tanh(), c: w35.dot(0.5 / (w34.dot(a20).sigmoid() + 0.5)).tanh() });
        loss(((x19 + (w35 + w36).dot(a21)).tanh() - w35.dot(x26) + w37.dot(x30)).sum());
    }

    #[vertex_function]
    pub fn mixed_12(
        #[param()] s2: Tensor, #[dim(K)] dk: Dim, #[dim(E)] de: Dim, #[param(E)] mut b5: Tensor,
        #[param(E, H)] w7: Tensor, #[param(E, K)] w8: Tensor, #[param(E, E)] w9: Tensor,
        #[param(E, K)] w10: Tensor, #[param(E)] b11: Tensor, #[param(K, H)] w12: Tensor,
        #[param(2 * H, K)] w13: Tensor, #[param(E)] mut b16: Tensor, #[param(E, H)] w19: Tensor,
        #[param(E, K)] w20: Tensor, #[param(E, E)] w21: Tensor, #[param(H, E)] w22: Tensor,
        #[param(H, E)] w24: Tensor, #[param(H, H)] w29: Tensor, #[param(K)] b30: Tensor,
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
        let x23 = ((b11 * b16).tanh().sum() + (s2 + w22.dot(a17)).tanh()).tanh();
        let x25 = scaled((0.5 + w24.dot(a17).sigmoid()).ln(), dk);
        let s26 = s3;
        let mut m27 = x23;
        let mut n28 = scalar(0.0);
        while n28 < 3.5 && m27.max() < 0.9 {
            m27 = (0.7 * m27 + w29.dot(m27).tanh()).tanh();
            loss(0.1 * m27.sum());
            n28 += 1.0;
        }
        m27 = m27.tanh();
        scatter(Node { h: (((x14 * x15).tanh() - x23 + x25) * s26 * m27).tanh(), c: b30 + b30 });
    }

    #[vertex_function]
    pub fn mixed_13(
        #[param(K, E)] w2: Tensor, #[dim(E)] de: Dim, #[dim(H)] dh: Dim, #[param()] s8: Tensor,
        #[param(E, K)] w10: Tensor, #[param(K)] b11: Tensor, #[param(E)] b12: Tensor,
        #[param(H, K)] w13: Tensor, #[dim(K)] dk: Dim, #[param(H)] b17: Tensor,
        #[param(K, H)] w18: Tensor, #[param(E, H)] w20: Tensor, #[param(K, H)] w25: Tensor,
        #[param(K)] b26: Tensor, #[param(K, E)] w27: Tensor, #[param(K)] b29: Tensor,
        #[param(4 * K, K)] w30: Tensor, #[param(H, K)] w36: Tensor, #[param(H, K)] w38: Tensor,
        #[param(H, K)] w39: Tensor,
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
        let x15 = {
            let x16 = (x14 * (1.0 / dk as f64)).tanh().silu();
            let x19: Tensor = w18.dot(b17.relu());
            (w20.dot(x16) * w10.dot(x19)).tanh()
        };
        let mut a21 = zeros(dk);
        let mut a22 = zeros(dk);
        let mut n23 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            a21 = a21.minimum(w25.dot(h) - c);
            a22 += b26.tanh() / (w27.dot(x15).relu().sigmoid() + 0.5);
            n23 += 1.0;
        }
        let x28 = a21 / n23;
        let [x31, x32, x33, x34]: [Tensor; 4] = w30.dot(((x28 + b29) * p1.tanh().sum()).tanh()).split();
        scatter(Node { h: (1.0 / dk as f64 * (v4.h + v4.h)).tanh(), c: (w18.dot(x14).sigmoid() + t7.tanh()).tanh() });
        let out35 = Scores { y: (p1 / (0.5 + b12.sigmoid())).tanh(), logits: a5.tanh().exp().tanh() };
        push(out35);
        let n37 = 2.0_f64.sqrt() - 1.5;
        loss((((((w36.dot(x3) * (w13 * n37).dot(v4.c)).tanh() - w13.dot(a22)).tanh() - w38.dot(x31) + w13.dot(x32)).tanh() + w13.dot(x33)) * w39.dot(x34)).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_14(
        #[param(H, E)] w2: Tensor, #[param(V, E)] table4: Tensor, #[param(K)] b7: Tensor,
        #[param(K, E)] w9: Tensor, #[dim(E)] de: Dim, #[param(H, H)] w12: Tensor,
        #[param()] s18: Tensor, #[param(V, H)] table20: Tensor, #[param(2 * E, H)] w21: Tensor,
        #[param(2 * E)] b22: Tensor, #[param(E, K)] w25: Tensor, #[param(2 * K, H)] w26: Tensor,
        #[dim(H)] dh: Dim, #[param(H, K)] w34: Tensor, #[param(V, H)] table35: Tensor,
        #[param(4 * H, H)] w36: Tensor, #[param(E, K)] w41: Tensor, #[param(K, K)] w42: Tensor,
        #[param(E, K)] w44: Tensor, #[param(E, K)] w45: Tensor, #[param(E, K)] w46: Tensor,
        #[param(E, H)] w47: Tensor, #[param(E, H)] w48: Tensor, #[param(E, H)] w49: Tensor,
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
            x10.tanh()
        } else if !(x8.max() <= s11 || x10.max() < s11) {
            x8.softmax() + 0.5 * x10.tanh()
        } else {
            (x10 * x8).sigmoid()
        };
        m14 = m14.tanh();
        let mut a16 = zeros(de);
        let mut t17 = s18;
        for v19 in gather_all::<Node>() {
            let (x23, x24) = halves(w21.dot((-table20.row(p1.id)).less(v19.h + 0.6).select(x3, -table20.row(p1.id))) + b22);
            t17 += (zeros(de).elu(0.7) * zeros(de)).sum();
            a16 -= (((w25 * 2.0).dot(v19.c) * x23).tanh() + x24).tanh();
        }
        let (x27, x28) = halves(w26.dot(w2.dot(a16).tanh() - table20.row(p1.id)));
        let mut a29 = zeros(dh);
        let mut t30 = s18;
        for v31 in gather_all::<Node>() {
            let n32 = 2.0_f64.sqrt() - 0.5;
            let x33 = w12.dot(((n32 / (v31.h.sigmoid() + 0.5)).sigmoid() + 0.5).ln());
            t30 += (-p1.x).sum().tanh();
            a29 = (w34.dot(v31.c) + x33).tanh() + a29;
        }
        let [x37, x38, x39, x40] = w36.dot((a29.minimum(table35.row(p1.id)) / (v6.h.maximum(w12.dot(a29)).tanh().sigmoid() + 0.5)).tanh()).split();
        loss(mse(p1.x.sigmoid() - p1.x, (w41 * s11).dot(x15)));
        loss(s11);
        let out43 = Scores { y: noisy(p1.x, 0.5), logits: w42.norm() };
        push(out43);
        scatter(Node { c: (b7 + s18).softmax(), h: table20.row(p1.id).maximum(x40).tanh() });
        loss((((((w44.dot(x8) + w25.tanh().dot(x10) - s13).tanh() + w45.dot(m14) - t17).tanh() * w25.tanh().dot(x27) + w46.dot(x28)).tanh() - t30 + w47.tanh().dot(x37)).tanh() * w48.dot(x38) - w49.dot(x39)).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_15(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(E, H)] w2: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b3: Tensor, #[param(E)] b5: Tensor, #[param(H)] b8: Tensor,
        #[param(E, E)] w15: Tensor, #[param(E, E)] w16: Tensor, #[param(K)] mut b18: Tensor,
        #[param(H, K)] w20: Tensor, #[param(H)] b21: Tensor, #[param(H)] b23: Tensor,
        #[param(H, 2 * H + K)] w24: Tensor, #[param(K)] b31: Tensor, #[param(K, K)] w32: Tensor,
        #[param(K, K)] w39: Tensor, #[param(E)] b40: Tensor, #[param(H, K)] w41: Tensor,
        #[param(H)] b42: Tensor, #[param(K, E)] w44: Tensor, #[param(K, E)] w45: Tensor,
        #[param(K, H)] w46: Tensor,
    ) {
        let v1 = gather_or::<Node>(0, Node { h: zeros(dh), c: zeros(dk) });
        let x4 = concat([w2.dot(v1.h), b3]).slice(0..de);
        let x6 = b5.softplus().tanh();
        let s7 = x4.sum();
        let s9 = v1.h.pick(b8.argmax());
        let mut m10 = x6;
        let x11 = if 0.2 >= x4.sum() {
            m10 += (x4.square() + 0.5).ln().tanh();
            x6.softmax() + 0.5 * x4.tanh()
        } else {
            let x12 = if 0.2 < x4.sum() {
                m10 -= x6.tanh();
                let x13 = if x6.max() > s7 {
                    m10 = (x4.sum() + s7).tanh() * x6.sigmoid();
                    (x4.sum() + s7).tanh() * x6.sigmoid()
                } else {
                    m10 += (x6 - x4.max()).exp().tanh();
                    (x6.sum() + s9).tanh() * x4.sigmoid()
                };
                (x13 + (x4 / (x6.norm() + 0.5)).tanh()).tanh()
            } else {
                m10 += (x4 / (x6.norm() + 0.5)).tanh();
                let x14 = if !(x4.max() >= s7 || s7 >= 0.1) {
                    m10 -= x4.relu().minimum(x6).tanh();
                    (x6 - x4.max()).exp().tanh()
                } else {
                    m10 *= x6.tanh();
                    w15.dot(x4).tanh()
                };
                (x14 + w16.dot(x4).tanh()).tanh()
            };
            (x12 + (x4 * x6).sigmoid()).tanh()
        };
        m10 = m10.tanh();
        let mut a17 = zeros(dh);
        for v19 in gather_all::<Node>() {
            let x22 = gate(w20, v19.c.noise(0.1).tanh(), b21);
            let x25 = w24.dot(concat([x22, b23, v1.c])).tanh();
            let s26 = s9;
            let s27 = zeros(dh).sum();
            let x28 = if x25.max() <= s26 || s27 < 0.2 {
                (x22.square() + 0.5).ln().tanh()
            } else {
                let x29 = if 0.1 <= x25.sum() {
                    let x30 = if s27 <= 0.2 && x22.max() <= s27 {
                        (x22 - x25.max()).exp().tanh()
                    } else {
                        (x25 - x22).tanh() * s26.tanh()
                    };
                    (x30 + x22.softmax() + 0.5 * x25.tanh()).tanh()
                } else {
                    x25.softmax() + 0.5 * x22.tanh()
                };
                (x29 + x25.relu().minimum(x22).tanh()).tanh()
            };
            a17 += (v19.h - x25 + s26 + s27 - x28).tanh();
            a17 -= concat([x6, v19.h]).slice(de..de + dh);
            b18 = b31.minimum(w32.dot(v19.c)) + b18 - (0.5 + zeros(dk).sigmoid()).ln();
        }
        let x33 = (1.5 / (0.5 + b31.hard_sigmoid().sigmoid())).tanh();
        let x34 = (x33.log_softmax() + 0.5).tanh();
        let s35 = s7;
        let mut m36 = x33;
        let mut n37 = scalar(0.0);
        loop {
            let s38 = m36.max();
            if n37 > 2.5 || s38 > 0.9 {
                m36 = m36 * s38.sigmoid();
                break;
            }
            m36 = (0.7 * m36 + w39.dot(m36).tanh()).tanh();
            n37 += 1.0;
        }
        m36 = m36.tanh();
        let out43 = Scores { y: b40, logits: (0.5 + w41.dot(m36).sigmoid()).ln() - b42 };
        push(out43);
        let (h, c) = (v1.h.dropout(0.1).tanh(), (((w44.dot(x11) + w45.dot(m10) + w46.dot(a17)).tanh() + b18).tanh() + x34 + s35).tanh());
        scatter(Node { h, c });
    }

    #[vertex_function]
    pub fn mixed_16(
        #[param(K, E)] w2: Tensor, #[param(V, H)] table4: Tensor, #[param(E, H)] w9: Tensor,
        #[param(E)] b10: Tensor, #[dim(K)] dk: Dim, #[dim(H)] dh: Dim,
        #[param(K, H)] w15: Tensor, #[param(E)] b16: Tensor, #[param(H, E)] w17: Tensor,
        #[param(V, H)] table18: Tensor, #[param(E)] b19: Tensor, #[param(H, E)] w20: Tensor,
        #[param(H)] b21: Tensor, #[param(V, H)] table22: Tensor, #[param(H, 3 * H)] w23: Tensor,
        #[param(E, E)] w25: Tensor, #[param(E, H)] w26: Tensor, #[param(H, K)] w27: Tensor,
        #[param(H, K)] w28: Tensor, #[param(H, K)] w29: Tensor, #[param(V, K)] table30: Tensor,
    ) {
        let p1: Word = pull();
        let x3 = w2.dot(p1.x);
        let x5 = table4.row(p1.id);
        let Node { h: h7, c: c8 } = gather(0);
        let s11 = noisy(crate::generated::cells::gate(w9, h7, b10), 0.25).sum().tanh();
        let mut a12 = zeros(dk);
        let mut a13 = zeros(dh);
        for v14 in gather_all::<Node>() {
            a12 = a12.minimum(w15.dot(v14.h) * v14.c);
            a13 = a13 + -w17.dot(b16).greater(table18.row(p1.id) + 0.1).select(w20.dot(b19), w17.dot(b16));
        }
        let x24 = w23.dot(concat([b21, table22.row(p1.id), b21])).log_softmax();
        push(Out { y: (w25 * 0.75).dot(b10).cumulative_sum().tanh().minimum(w26.dot(x5)) });
        scatter(Node { c: (x3 + table30.row(p1.id)).tanh(), h: ((w27.dot(x3) - w28.dot(c8) + s11 - w29.dot(a12)).tanh() * a13 + x24).tanh() });
    }

    #[vertex_function]
    pub fn mixed_17(
        #[param(E)] b1: Tensor, #[param(V, K)] table3: Tensor, #[param(H)] b5: Tensor,
        #[param(K)] b6: Tensor, #[param(E)] b10: Tensor, #[param(K, E)] w11: Tensor,
        #[dim(H)] dh: Dim, #[param(H)] b22: Tensor, #[param(K, H + K)] w23: Tensor,
        #[param(3 * K, K)] w24: Tensor, #[dim(K)] dk: Dim, #[param(H, K)] w26: Tensor,
        #[param(3 * H, K)] w30: Tensor, #[param(3 * H)] b31: Tensor, #[param(H, K)] w35: Tensor,
        #[param(H, E)] w36: Tensor, #[param(E, H)] w37: Tensor, #[dim(E)] de: Dim,
        #[param(E)] b38: Tensor, #[param(E, K)] w39: Tensor,
    ) {
        let Word { id, x } = pull();
        let x2 = x * b1;
        let x4 = table3.row(id);
        let Node { h: h8, c: c9 } = gather_or(0, Node { h: b5, c: b6 });
        let x12 = (w11 * 1.5).dot(b10.tanh()).tanh();
        let x13 = w11.dot(x).silu().variational_dropout(0.1).tanh();
        let s14 = x12.pick(x4.sample());
        let mut m15 = x12;
        let mut n16 = scalar(0.0);
        while n16 < 2.5 && m15.max() < 0.9 {
            loss(m15.pick(m15.sample()));
            m15 = (0.7 * m15 + (m15 + (x13 - x12).tanh() * s14.tanh()).variational_dropout(0.1)).tanh();
            loss(0.1 * m15.sum());
            n16 += 1.0;
        }
        m15 = m15.tanh();
        let mut a17 = zeros(dh);
        let mut a18 = x2 - x;
        let mut n19 = 1.0;
        for Node { h, c } in gather_all() {
            let parts21 = w24.dot(-w23.dot(summary(Node { h: b22, c }))).split::<3>();
            let mut a25 = zeros(dk);
            for k in 0..3 {
                a25 += (parts21[k] + x4.noise(0.1).tanh()).tanh() * (k as f64);
            }
            a17 = a17 + (h + w26.dot(a25)).tanh();
            let n27 = 2.0_f64.sqrt() - 0.5;
            a18 = a18.minimum((n27 / (0.5 + (x + x).sigmoid())).tanh());
            n19 += 1.0;
        }
        let x28 = a17 / n19;
        let parts29 = (w30.dot(s14 + c9.maximum(x13)) + b31).split::<3>();
        let mut a32 = zeros(dh);
        for k in 1..=2 {
            a32 += (parts29[k] + h8 / (0.5 + x28.sigmoid())).tanh() * (k as f64);
        }
        let mut a33 = zeros(dh);
        for v34 in gather_all::<Node>() {
            a33 = a33.minimum(v34.h * (w26 + w35).dot(v34.c));
        }
        let (h, c) = (((w26.dot(m15) - w36.dot(a18)).tanh() - a32 - a33).tanh(), concat([x13, a33]).slice(0..dk));
        scatter(Node { h, c });
        let out40 = Scores { y: concat([(w37 + w37).dot(h8).slice(1..de), (w37 + w37).dot(h8).slice(0..1)]).tanh(), logits: (b38 + (w39 * 0.75).dot(x13)).softmax() };
        push(out40);
    }

    #[vertex_function]
    pub fn mixed_18(
        #[param(E)] b4: Tensor, #[param(K)] b5: Tensor, #[param(E, K)] w6: Tensor,
        #[param(K)] b7: Tensor, #[param(K)] b8: Tensor, #[param(K)] b9: Tensor,
        #[param(E, K)] w10: Tensor, #[param(E, K)] w11: Tensor, #[param(E, E)] w12: Tensor,
        #[param(E, H)] w13: Tensor, #[param(K)] b14: Tensor, #[dim(E)] de: Dim,
        #[param(E, E)] w15: Tensor, #[dim(K)] dk: Dim, #[param(H, K)] w19: Tensor,
        #[dim(H)] dh: Dim, #[param(K, K)] w20: Tensor, #[param(H, E)] w21: Tensor,
        #[param(K)] mut b23: Tensor, #[param(E)] b25: Tensor, #[param(K, H)] w27: Tensor,
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
            let s26 = (b25 * m3).sum().sigmoid();
            b23 -= w27.dot(h) * c + s26;
        }
        let n28 = 1.5 / (1.0 + dh as f64);
        loss(mse((a16 - n28).tanh().relu(), 0.5 / (h2.sigmoid() + 0.5)));
        for k in 0..2 {
            loss(((a16.maximum(a16).sigmoid() + 0.5).ln() * w21.tanh().dot(m3)).tanh().sum() * (k as f64 + 0.25));
        }
        scatter(Node { c: (a17 + b23).tanh(), h: zeros(dh) });
    }

    #[vertex_function]
    pub fn mixed_19(
        #[param(H, H)] w4: Tensor, #[param(H)] b5: Tensor, #[param(E, H)] w6: Tensor,
        #[param(K)] mut b8: Tensor, #[param()] s11: Tensor, #[param(K, H)] w13: Tensor,
        #[param(E, H)] w15: Tensor, #[param(E, H)] w16: Tensor, #[param(K, H)] w17: Tensor,
        #[dim(H)] dh: Dim, #[param(H, K)] w20: Tensor, #[param(K)] b21: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let s7 = indicator((w6 * 1.5).dot(w4.dot(h2).maximum(b5)).argmax() == w6.dot(h2).sample());
        let (mut n9, mut t10) = (1.0, s11);
        for v12 in gather_all::<Node>() {
            t10 += s7;
            b8 += (w13 * s7).dot(v12.h) - v12.c;
            n9 += 1.0;
        }
        let x14 = b8 / n9;
        let n18 = 2.0 / (1.0 + dh as f64);
        let out19 = Scores { y: (w15.dot(h2) / (0.5 + w16.tanh().dot(h2).sigmoid())).tanh(), logits: n18 - (s11 - w17.dot(h2)) };
        push(out19);
        scatter(Node { c: b21.relu(), h: (w20.dot(c3) + t10 + w20.dot(x14)).tanh() });
    }

    #[vertex_function]
    pub fn mixed_20(
        #[param(E, H)] w3: Tensor, #[param(E)] b5: Tensor, #[param(K)] b6: Tensor,
        #[param(E, K)] w7: Tensor, #[param(H, E)] w9: Tensor, #[param(K, H)] w11: Tensor,
        #[param(K, H)] w12: Tensor, #[param(E)] b15: Tensor, #[dim(K)] dk: Dim,
        #[dim(H)] dh: Dim, #[param(K, E)] w29: Tensor, #[param(H)] b30: Tensor,
        #[param()] s32: Tensor, #[param(H)] b33: Tensor, #[param()] s34: Tensor,
        #[param(K, E)] w35: Tensor, #[param(H, H)] w36: Tensor, #[param(H)] b37: Tensor,
        #[param(E, H + K)] w38: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let x4 = w3.dot(h2).log_softmax().relu().tanh();
        let x8 = b5 / (b5.maximum(w7.dot(b6)).sigmoid() + 0.5);
        let s10 = mse(h2, w9.dot(x4)).tanh();
        let s13 = (w11 + w12).dot(h2).max();
        let i16 = concat([b15.hard_tanh(), zeros(3)]).argmax();
        let x14 = match i16 {
            Index(0) => {
                x4.softmax() + 0.5 * x8.tanh()
            }
            Index(1) | Index(2) => {
                let x17 = if !(0.1 >= x4.sum() || x8.max() <= s13) {
                    (x4.sum() + s13).tanh() * x8.sigmoid()
                } else if s10 < 0.2 {
                    let x18 = if !(x4.max() >= s10 || 0.1 < x8.sum()) {
                        x4.softmax() + 0.5 * x8.tanh()
                    } else {
                        (x8 * x4).sigmoid()
                    };
                    (x18 + (x8 - x4.max()).exp().tanh()).tanh()
                } else {
                    let x19 = if s10 > 0.1 {
                        (x4.sum() + s13).tanh() * x8.sigmoid()
                    } else {
                        (x8 - x4.max()).exp().tanh()
                    };
                    (x19 + x8.softmax() + 0.5 * x4.tanh()).tanh()
                };
                (x17 + (x8 - x4).tanh() * s10.tanh()).tanh()
            }
            _ => {
                let x20 = if 0.1 <= x8.sum() {
                    let x21 = if -0.35 >= x4.sum() || s10 <= 0.1 {
                        (x8.sum() + s10).tanh() * x4.sigmoid()
                    } else if x4.max() > s10 && s10 <= 0.2 {
                        x4.tanh()
                    } else {
                        (x8 / (x4.norm() + 0.5)).tanh()
                    };
                    (x21 + x8.softmax() + 0.5 * x4.tanh()).tanh()
                } else if -0.35 >= x8.sum() || x8.max() > s13 {
                    (x8 / (x4.norm() + 0.5)).tanh()
                } else {
                    let x22 = if !(x4.max() > s10 || x4.max() < s13) {
                        x8.tanh()
                    } else {
                        (x8 - x4).tanh() * s13.tanh()
                    };
                    (x22 + x8.tanh()).tanh()
                };
                (x20 + (x4.square() + 0.5).ln().tanh()).tanh()
            }
        };
        let mut a23 = zeros(dk);
        let mut a24 = zeros(dk);
        let mut t25 = s13;
        for Node { c, h } in gather_all::<Node>() {
            let n28 = 2.0 / (1.0 + dk as f64);
            let parts27 = [(n28 / ((h2 * h).sigmoid() + 0.5)).tanh(), concat([h2, w29.dot(x14)]).slice(0..dh), b30];
            let mut a31 = zeros(dh);
            for k in 1..=2 {
                a31 -= (parts27[k] - (b30 + s32)).tanh();
            }
            t25 += ((b33 * a31).sum().tanh() - s34).tanh();
            a23 += c;
            a24 = c.maximum(c) * c + a24 - c.sigmoid();
        }
        let state: Node = Node { h: (w36.dot(h2) + b37).tanh(), c: (((w35.dot(x8) + s10 + a23).tanh() - a24).tanh() * t25).tanh() };
        scatter(state);
        let out39 = Scores { y: x4.softmax(), logits: w38.dot(summary(Node { h: h2, c: a24 })).tanh() };
        push(out39);
    }

    #[vertex_function]
    pub fn mixed_21(
        #[param(H)] b1: Tensor, #[dim(K)] dk: Dim, #[param(E, E)] w3: Tensor,
        #[param(3 * E, H)] w5: Tensor, #[param(3 * E)] b6: Tensor, #[param(E)] b14: Tensor,
        #[param(H)] b16: Tensor, #[param(K, H)] w21: Tensor, #[param(K, E)] w22: Tensor,
        #[param(K, E)] w23: Tensor, #[param(E, H)] w24: Tensor, #[dim(H)] dh: Dim,
        #[param(E, E)] w25: Tensor, #[param(E)] b26: Tensor, #[param(K)] b27: Tensor,
    ) {
        let v2: Node = gather_or(0, Node { h: b1, c: zeros(dk) });
        let Signal { x, .. } = pull();
        let x4: Tensor = w3.tanh().dot(x);
        let [x7, x8, x9] = (w5.dot((0.5 + v2.h.sigmoid()).ln().maximum(v2.h)) + b6).split::<3>();
        let mut a10 = v2.c.tanh();
        for Node { c, h } in gather_all::<Node>() {
            let x12 = x8.tanh().tanh();
            let x13 = ((0.5 + x12.sigmoid()).ln() - x).tanh();
            let s15 = b14.sum();
            let s17 = b16.sum();
            let x18 = if x12.max() <= s15 {
                let x19 = if x13.max() <= s15 {
                    (x12.square() + 0.5).ln().tanh()
                } else {
                    let x20 = if 0.2 >= x13.sum() && x13.max() >= s15 {
                        (x12 - x13.max()).exp().tanh()
                    } else {
                        (x13 / (x12.norm() + 0.5)).tanh()
                    };
                    (x20 + x13.tanh()).tanh()
                };
                (x19 + x12.relu().minimum(x13).tanh()).tanh()
            } else {
                x13.relu().minimum(x12).tanh()
            };
            a10 -= ((w21.dot(h) - c + w22.dot(x13) - s15 + s17).tanh() + w23.dot(x18)).tanh();
        }
        loss(mse(mse(zeros(dh), v2.h) + w24.dot(v2.h).exp(), w25.dot(x9).greater_equal(x9 + 0.35).select(b26, w25.dot(x9))));
        loss((1.0 / (dh as f64).sqrt() + gate(w22, x, b27)).pick(a10.sample()));
        let state = Node { c: (w22.dot(x4) * w22.tanh().dot(x7)).tanh(), h: v2.h.exp().tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
    }

    #[vertex_function]
    pub fn mixed_22(
        #[param(H)] b1: Tensor, #[dim(K)] dk: Dim, #[param(H, K)] w3: Tensor,
        #[param(K, K)] w4: Tensor, #[param(H, K)] w6: Tensor, #[param(E, K)] w8: Tensor,
        #[param(E, K)] w9: Tensor, #[param(H)] b11: Tensor, #[param(H, H)] w15: Tensor,
        #[param(K, H)] w20: Tensor, #[param(H)] b22: Tensor, #[param()] s23: Tensor,
        #[param(E)] mut b25: Tensor, #[param(K, K)] w28: Tensor, #[param(H)] b29: Tensor,
        #[dim(H)] dh: Dim, #[param(E, H)] w32: Tensor, #[param(H)] b34: Tensor,
        #[param(H, K)] w35: Tensor, #[param(K)] b36: Tensor, #[param(H)] b37: Tensor,
        #[param()] s38: Tensor, #[param(H, E)] w39: Tensor,
    ) {
        let v2: Node = gather_or(0, Node { h: b1, c: zeros(dk) });
        let x5 = affine(w3, w4.dot(v2.c), b1).softmax();
        let x7 = (x5 - w6.dot(v2.c)).softmax();
        let s10 = w8.dot(v2.c).pick((w9 + w8).dot(v2.c).argmax());
        let s12 = b11.sum();
        let mut m13 = x7;
        let x14 = if -0.35 < x7.sum() {
            m13 -= w15.dot(x5).tanh();
            (x7.square() + 0.5).ln().tanh()
        } else {
            let x16 = if x5.max() < s10 {
                m13 = x7.softmax() + 0.5 * x5.tanh();
                x7.relu().minimum(x5).tanh()
            } else {
                m13 = x7.relu().minimum(x5).tanh();
                x5.relu().minimum(x7).tanh()
            };
            (x16 + x7.tanh()).tanh()
        };
        m13 = m13.tanh();
        let mut a17 = zeros(dk);
        let mut n18 = 1.0;
        for v19 in gather_all::<Node>() {
            a17 = a17.minimum(w20.dot(v19.h) + v19.c);
            n18 += 1.0;
        }
        let x21 = a17 / n18;
        let x24: Tensor = b22.softmax() + (s23.sigmoid() - s23);
        for v26 in gather_all::<Node>() {
            let parts27 = [((-(w3 * s10).dot(a17)).tanh() - w28.sum()).tanh(), b29.sigmoid(), zeros(dh)];
            let mut a30 = zeros(dh);
            let x31 = concat(parts27);
            for k in 0..2 {
                a30 += (x31.slice(k * dh..(k + 1) * dh) - v26.h * v26.h).tanh() * (k as f64);
            }
            b25 -= (w8.tanh().dot(v26.c) + (w32 * s12).dot(a30)).tanh();
        }
        let mut m33 = x7.minimum(b34);
        m33 += gate(w35, x21.maximum(b36), b37).tanh();
        m33 = m33.tanh();
        let state = Node { c: noisy(a17.tanh(), 0.25), h: (0.5 / (0.5 + (x14 * s38).sigmoid())).tanh() };
        scatter(Node { h: state.h, c: state.c * 0.5 });
        loss((((v2.h + m13 + x24) * w39.dot(b25)).tanh() + m33).sum());
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
        #[dim(K)] dk: Dim, #[param(3 * K, K)] w12: Tensor, #[param(3 * K)] b13: Tensor,
        #[param(H, K)] w17: Tensor, #[param(H, K)] w18: Tensor, #[param()] s22: Tensor,
        #[param(E)] b24: Tensor, #[param(H, E)] w25: Tensor, #[param(H, H)] w31: Tensor,
        #[param(H, H)] w32: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w35: Tensor,
        #[param(E, H)] w39: Tensor, #[param(E, K)] w40: Tensor, #[param(E, H)] w41: Tensor,
        #[param(E)] b42: Tensor, #[param(E, E)] w43: Tensor, #[param(E)] b44: Tensor,
        #[param(E, E)] w45: Tensor, #[param(E)] b46: Tensor, #[param(K, H + 2 * K)] w47: Tensor,
        #[param(H)] b49: Tensor, #[param(E)] b50: Tensor, #[param(E, H)] w51: Tensor,
    ) {
        let v1: Node = gather(0);
        let s7 = ((w3 + w4).dot(zeros(dh) - s2) * w6.dot(b5)).sum();
        let mut a8 = zeros(dh);
        let mut a9 = zeros(dk);
        let mut n10 = 1.0;
        for Node { h, c } in gather_all() {
            let [x14, x15, x16]: [Tensor; 3] = (w12.dot(-v1.c.tanh()) + b13).split();
            a8 = a8.maximum((((h - w17.dot(c)) * w17.dot(x14)).tanh() - w18.dot(x15) + w17.dot(x16)).tanh());
            a9 = x16.exp().tanh() - x16 + a9;
            n10 += 1.0;
        }
        let x19 = a8 / n10;
        let x20 = 1.5 * zeros(dh).relu();
        let x21 = zeros(dh).relu().gelu();
        let s23 = s22.sigmoid();
        let s26 = w25.dot(b24).sum();
        let mut m27 = x21;
        let i29 = concat([zeros(dh).tanh(), zeros(3)]).argmax();
        let x28 = match i29 {
            Index(0) => {
                m27 *= x20.softmax() + 0.5 * x21.tanh();
                (x21.sum() + s23).tanh() * x20.sigmoid()
            }
            Index(1) | Index(2) => {
                m27 += x20.softmax() + 0.5 * x21.tanh();
                let x30 = if !(x20.max() <= s26 || x20.max() > s23) {
                    m27 -= (x20.sum() + s23).tanh() * x21.sigmoid();
                    (x21 * x20).sigmoid()
                } else if s26 > -0.35 {
                    w31.dot(x20).tanh()
                } else {
                    m27 += w32.dot(x20).tanh();
                    (x21.sum() + s23).tanh() * x20.sigmoid()
                };
                (x30 + (x20.sum() + s26).tanh() * x21.sigmoid()).tanh()
            }
            _ => {
                (x20 - x21.max()).exp().tanh()
            }
        };
        m27 = m27.tanh();
        let mut a33 = zeros(de);
        let mut a34 = s26 - w35.dot(m27);
        for v36 in gather_all::<Node>() {
            let [x37, x38] = [v1.h.noise(0.5).tanh().sigmoid(), 0.5 + x20];
            a33 = ((w39.dot(v36.h) * (w40 + w40).dot(v36.c) * w41.dot(x37)).tanh() - w3.dot(x38)).tanh() + a33;
            a34 -= scaled(w43.dot(b42) - w45.dot(b44), de);
        }
        let out48 = Scores { y: (a34 / (b46.sigmoid() + 0.5)).tanh(), logits: w47.dot(concat([x21, a9, a9])).tanh() };
        push(out48);
        scatter(Node { c: (v1.c / (zeros(dk).sigmoid() + 0.5)).exp().tanh(), h: (b49 - x19).tanh().exp().tanh() });
        loss(((a33 * b50 * s7 + s23).tanh() + w51.dot(x28)).tanh().sum());
    }

    #[vertex_function]
    pub fn mixed_25(
        #[dim(H)] dh: Dim, #[dim(K)] dk: Dim, #[param(K, K)] w5: Tensor, #[param(E)] b6: Tensor,
        #[param(K, E)] w7: Tensor, #[param(E, K)] w8: Tensor, #[param(K, E)] w10: Tensor,
        #[param(K, H)] w13: Tensor, #[dim(E)] de: Dim, #[param(K, H)] w14: Tensor,
        #[param(H, H)] w15: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather_or(0, Node { h: zeros(dh), c: zeros(dk) });
        let x4 = {
            let c3 = c3.tanh() + weighted([c3, w5.dot(c3), w7.dot(b6)]);
            let x9 = w8.dot(c3).tanh().exp() + zeros(dh).sum();
            w10.tanh().dot(x9).tanh()
        };
        let mut a11 = c3.maximum(c3);
        for Node { h, c } in gather_all() {
            a11 = (w13 * (1.0 / dh as f64)).dot(h) * c + a11;
        }
        push(Out { y: zeros(de).relu() * b6 });
        scatter(Node { c: (w14.dot(h2) - x4 + a11).tanh(), h: (w15 * 2.0).dot(h2).softmax() });
    }

    #[vertex_function]
    pub fn mixed_26(
        #[param(H)] b3: Tensor, #[param()] s5: Tensor, #[param(H, H)] w10: Tensor,
        #[param(H, E)] w15: Tensor, #[param(E)] b16: Tensor, #[param(E, E)] w17: Tensor,
        #[param(H)] b18: Tensor, #[param(H, K)] w19: Tensor, #[param(H)] b21: Tensor,
        #[param(K)] b24: Tensor, #[dim(H)] dh: Dim, #[param(H, K)] w27: Tensor,
        #[param(H)] b28: Tensor, #[param(K, H)] w29: Tensor, #[param(H)] b30: Tensor,
        #[dim(E)] de: Dim, #[param(2 * E, H)] w31: Tensor, #[param(2 * E)] b32: Tensor,
        #[param(E)] b35: Tensor, #[param(K, H)] w36: Tensor, #[param(K, H)] w37: Tensor,
        #[param(K, E)] w38: Tensor, #[param(K, E)] w39: Tensor, #[param(H)] b40: Tensor,
    ) {
        let v1: Node = gather(0);
        let x2 = v1.h * v1.h - v1.h;
        let x4 = (b3.gelu_tanh() - 1.5).tanh();
        let s6 = s5.sigmoid();
        let mut m7 = x2;
        let mut n8 = scalar(0.0);
        loop {
            let s9 = m7.max();
            if n8 > 2.5 || s9 > 0.9 {
                m7 = m7 * s9.sigmoid();
                break;
            }
            m7 = (0.7 * m7 + w10.dot(m7).tanh()).tanh();
            n8 += 1.0;
        }
        m7 = m7.tanh();
        let mut a11 = 1.5 * b3;
        let mut n12 = 1.0;
        for v13 in gather_all::<Node>() {
            let x14 = {
                let x4 = x4.tanh() + gate(w15, w17.tanh().dot(b16), b18);
                x4.tanh()
            };
            a11 = (v13.h - w19.tanh().dot(v13.c)) * x14 + a11;
            n12 += 1.0;
        }
        let x20 = a11 / n12;
        let x22 = b21.hard_sigmoid().tanh();
        let mut a23 = scaled(b24, dh);
        for Node { h, c } in gather_all() {
            let mut m26 = x20.dropout(0.5).tanh();
            m26 = noisy(2.0 * (w27 * 0.5).dot(c), 0.5).tanh() - m26;
            m26 = m26.tanh() + ((w10 * 0.75).dot(h) / (0.5 + b28.sigmoid())).tanh();
            m26 /= 1.5;
            m26 = m26.tanh();
            a23 = a23 + w29.dot(m26);
        }
        let [x33, x34] = (w31.dot(scaled(b30, de) * m7) + b32).split::<2>();
        for k in 0..2 {
            loss((b35 - s5).hard_sigmoid().pick(x33.sample()) * (k as f64 + 0.25));
        }
        let state: Node = Node { h: b3.maximum(b40), c: ((v1.c * w36.dot(x2) * s6 + w37.dot(x22) + a23).tanh() - (w38 + w39).dot(x34)).tanh() };
        scatter(state);
    }

    #[vertex_function]
    pub fn mixed_27(
        #[param(H)] b1: Tensor, #[param(K)] b2: Tensor, #[param(K, E)] w6: Tensor,
        #[param(E)] b8: Tensor, #[param(E, K)] w9: Tensor, #[param(E, H)] w10: Tensor,
        #[param(E)] b11: Tensor, #[param(E)] b12: Tensor, #[param(E)] b13: Tensor,
        #[param(K)] mut b15: Tensor, #[param(K)] b18: Tensor, #[param()] s19: Tensor,
        #[param(K, H)] w21: Tensor, #[param(E)] b22: Tensor, #[dim(E)] de: Dim,
        #[dim(K)] dk: Dim, #[param(E, E)] w23: Tensor, #[param(K)] b24: Tensor,
        #[param(H, E)] w26: Tensor, #[param(H, K)] w27: Tensor, #[param(K)] b28: Tensor,
    ) {
        let Node { h: h4, .. } = gather_or(0, Node { h: b1, c: b2 });
        let p5 = pull::<Signal>().x;
        let x7 = w6.dot(p5);
        let x14 = b8.greater(w9.dot(x7) + 0.1).select(w10.dot(h4), b8) / (b11.greater(b12 + 0.6).select(b13, b11).sigmoid() + 0.5);
        let mut a16 = b8.softmax();
        for Node { h, c } in gather_all() {
            let s20 = (mse(b18, b2) * s19).sigmoid();
            b15 = b15.minimum((w21.tanh().dot(h) + c) * s20);
            a16 = concat([1.0 / dk as f64 / (0.5 + zeros(dk).sigmoid()), b22]).slice(dk..dk + de) + a16 - w23.dot(x14).tanh();
        }
        let x25 = (b15 * s19).tanh() / ((b2 - b24).relu().sigmoid() + 0.5);
        scatter(Node { c: b28.exp().tanh(), h: (w26.dot(a16) + w27.dot(x25)).tanh() });
        push(Out { y: b8.tanh().exp().tanh() });
    }

    #[vertex_function]
    pub fn mixed_28(
        #[param(E, E)] w2: Tensor, #[param(E, K)] w10: Tensor, #[dim(E)] de: Dim,
        #[param(H)] b13: Tensor, #[param()] s16: Tensor, #[param(E)] b17: Tensor,
        #[param(E, H)] w19: Tensor, #[param(E, K)] w20: Tensor, #[param(K, K)] w22: Tensor,
        #[dim(K)] dk: Dim, #[param(K)] b23: Tensor, #[param(K, H)] w25: Tensor,
        #[param(E)] b27: Tensor, #[param(H, H)] w32: Tensor, #[param(K, E)] w33: Tensor,
        #[param(H, K)] w34: Tensor, #[param(H, K)] w35: Tensor, #[param(H, K)] w36: Tensor,
        #[param(H, K)] w37: Tensor,
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
            let s18 = (w2.dot(x3) * s16 * b17).pick(x7.argmax());
            a11 = a11.minimum((w19.dot(v15.h) + w20.dot(v15.c) + s18).tanh());
            a12 = a12 + (h5 + v15.h).tanh();
            n14 += 1.0;
        }
        let x21 = a11 / n14;
        let x24 = blend(1.5 * (w22 * (1.0 / (dk as f64).sqrt())).dot(c6), c6, b23).tanh();
        let x26 = ((w25 * 2.0).dot(a12) + b23).tanh().tanh();
        let s28 = b27.pick(x21.sample());
        let s29 = s28;
        let mut m30 = x26;
        let x31 = if -0.35 < x26.sum() && x24.max() < s29 {
            x24.tanh()
        } else {
            m30 -= (x26.square() + 0.5).ln().tanh();
            x26.softmax() + 0.5 * x24.tanh()
        };
        m30 = m30.tanh();
        loss(mse((h5.log_softmax() * w32.dot(h5)).tanh(), h5));
        for k in 0..2 {
            loss(s29 * (k as f64 + 0.25));
        }
        scatter(Node { h: b13.sigmoid().log_softmax().tanh(), c: concat([(w33 * 0.75).dot(x21), h5.dropout(0.5)]).slice(0..dk).tanh() });
        push(Out { y: (p1 + b17 - w2.dot(a11)).tanh() });
        loss(((w34.dot(x24) * w35.dot(x26) + w36.dot(x31)).tanh() * w37.dot(m30)).sum());
    }

    #[vertex_function]
    pub fn mixed_29(
        #[param(H, E)] w4: Tensor, #[param(H, E)] w5: Tensor, #[param(E)] b9: Tensor,
        #[param(E, E)] w10: Tensor, #[dim(K)] dk: Dim, #[dim(H)] dh: Dim, #[param()] s14: Tensor,
        #[param(K, H)] w17: Tensor, #[param(H)] b19: Tensor, #[param(K)] b25: Tensor,
        #[param(E, H)] w26: Tensor, #[param(E, K)] w27: Tensor, #[param(H)] b30: Tensor,
        #[param(H)] b31: Tensor, #[param(H)] b32: Tensor, #[param(K, H)] w34: Tensor,
        #[param(K)] b35: Tensor, #[param(K, H)] w37: Tensor, #[param(K, K)] w38: Tensor,
        #[param(K, E)] w39: Tensor, #[param(H, H)] w40: Tensor, #[param(K)] b41: Tensor,
        #[param(K)] b42: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Signal { x: p3, label } = pull::<Signal>();
        let x6 = (w4 + w5).dot(p3);
        let x7 = noisy((1.5 * x6).tanh().log_softmax(), 0.5);
        let mut a8 = scaled(w10.dot(b9), dk);
        let mut a11 = zeros(dh);
        let (mut n12, mut t13) = (1.0, s14);
        for Node { h, c } in gather_all() {
            let x16 = c.tanh().relu();
            let x18 = w17.dot(x7).tanh().tanh();
            let s20 = b19.max();
            let s21 = s20;
            let x22 = if s20 <= 0.1 {
                x18.softmax() + 0.5 * x16.tanh()
            } else {
                let x23 = if 0.2 <= x18.sum() || x16.max() <= s21 {
                    let x24 = if s21 >= 0.1 {
                        x18.tanh()
                    } else {
                        x18.relu().minimum(x16).tanh()
                    };
                    (x24 + (x18.square() + 0.5).ln().tanh()).tanh()
                } else {
                    x16.tanh()
                };
                (x23 + (x16 - x18).tanh() * s20.tanh()).tanh()
            };
            t13 += mse(b25.log_softmax(), x18).tanh();
            a8 += (w26.dot(h) - w27.dot(x16) + s21 + w27.tanh().dot(x22)).tanh();
            a11 -= (b19.exp() * 2.0).tanh();
            n12 += 1.0;
        }
        let x28 = a8 / n12;
        let x29 = {
            let x33 = (b30 * b31).greater(b32 + 0.6).select(h2, b30 * b31);
            let x36 = (0.5 + w34.dot(a11).minimum(b35).tanh().sigmoid()).ln();
            (w37.dot(x33) + x36).tanh()
        };
        for k in 0..2 {
            loss(cross_entropy((w38.dot(x29) / (x29.sigmoid() + 0.5)).tanh(), label) * (k as f64 + 0.25));
        }
        loss(indicator(blend(t13 - s14, (0.5 + w39.dot(x28).sigmoid()).ln(), x29).argmax() == label));
        let (h, c) = (w40.dot(x7).tanh().abs().exp().tanh(), (b41 * (1.0 / dk as f64) + b42).tanh());
        scatter(Node { h, c });
        push(Out { y: scaled(b9, dh).less(x28 + 0.35).select(x28, scaled(b9, dh)).tanh() });
    }

    #[vertex_function]
    pub fn mixed_30(
        #[param(K, E)] w1: Tensor, #[param(H)] b5: Tensor, #[dim(H)] dh: Dim,
        #[param(K, H)] w6: Tensor, #[dim(K)] dk: Dim, #[param(H)] b7: Tensor,
        #[param(H)] mut b9: Tensor, #[param(K)] b12: Tensor, #[param(K, H + K)] w13: Tensor,
        #[param(K)] b14: Tensor, #[param(K, E)] w17: Tensor, #[param(H, K)] w18: Tensor,
        #[param(K, E)] w19: Tensor, #[param(E)] b20: Tensor, #[dim(E)] de: Dim,
        #[param(H)] b21: Tensor,
    ) {
        let Signal { label, x } = pull();
        let x2 = w1.dot(x);
        let Node { h: h4, .. } = gather(0);
        let s8 = concat([(w6 + w6).dot(h4), b5]).slice(dk..dk + dh).pick(b7.argmax());
        for v10 in gather_all::<Node>() {
            let parts11 = [w13.dot(concat([v10.h, b12])), (0.75 + v10.c).tanh(), b14];
            let mut a15 = zeros(dk);
            let x16 = concat(parts11);
            for k in 0..2 {
                a15 += (x16.slice(k * dk..(k + 1) * dk) * w17.dot(x).log_softmax().tanh()).tanh();
            }
            b9 = b9.maximum((w18 * 2.0).dot(a15).tanh());
        }
        loss(cross_entropy((w19.dot(x).sigmoid() + 0.5).ln(), label));
        loss(s8);
        push(Out { y: concat([b20.slice(1..de), b20.slice(0..1)]) * x });
        let state: Node = Node { h: b21.softmax(), c: (x2 + w6.dot(b9)).tanh() };
        scatter(state);
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
        #[param()] s3: Tensor, #[dim(H)] dh: Dim, #[param(H)] mut b6: Tensor, #[dim(E)] de: Dim,
        #[param(H, K)] w10: Tensor, #[param(E)] b11: Tensor, #[param(E)] b12: Tensor,
        #[param(E, E)] w13: Tensor, #[param(E, H)] w14: Tensor, #[param(K, H)] w19: Tensor,
        #[param(K, E)] w20: Tensor, #[param(K, H)] w21: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let [x4, x5] = [h2.minimum(h2) + s3.tanh(), s3 * zeros(dh)];
        let mut a7 = zeros(de);
        for Node { h, c } in gather_all() {
            let mut m9 = c + c;
            m9 /= 1.0 / (de as f64).sqrt();
            m9 = m9.tanh();
            b6 = h + w10.dot(m9) + b6;
            a7 = a7.minimum((b11 + w13.tanh().dot(b12)).maximum(w14.dot(x4)));
        }
        let (x15, [x17], s16) = ((s3 + w14.dot(x5)) * a7, [zeros(dh).relu()], mse(zeros(de).less(zeros(de) + 0.6).select(zeros(de), zeros(de)), b11));
        loss(s16);
        let n18 = 2.0_f64.sqrt() - 0.75;
        loss(n18 * s16);
        let state = Node { c: (w19.dot(b6) + (w20 * 2.0).dot(x15)).tanh() + w21.dot(x17), h: x5 / (b6.sigmoid() + 0.5) };
        scatter(Node { h: state.h, c: state.c * 0.5 });
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
        #[param(H, K)] w15: Tensor, #[param()] s16: Tensor, #[param(E, H)] w18: Tensor,
        #[dim(K)] dk: Dim, #[param(E, H + E)] w19: Tensor, #[param(E, K)] w21: Tensor,
        #[param(H, K)] w23: Tensor, #[param()] s25: Tensor, #[param(E)] b29: Tensor,
        #[param(E, E)] w32: Tensor, #[param(H)] b33: Tensor, #[param(E, H)] w34: Tensor,
        #[param(K)] b35: Tensor, #[param(H, E)] w37: Tensor, #[param(H, E)] w38: Tensor,
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
        let x20 = w19.dot(concat([(w18 * (1.0 / dk as f64)).dot(x3), a11])).tanh();
        let x22 = (x20 + x20).maximum(w21.dot(c6));
        let s24 = h5.pick(w23.dot(c6).sample());
        let s26 = s25 * s16;
        let mut m27 = x22;
        let i30 = concat([b29 * b8, zeros(3)]).argmax();
        let x28 = match i30 {
            Index(0) => {
                m27 += (x20 - x22).tanh() * s26.tanh();
                (x22 - x20).tanh() * s26.tanh()
            }
            Index(1) | Index(2) => {
                let x31 = if s26 >= -0.35 {
                    m27 += (x20.sum() + s24).tanh() * x22.sigmoid();
                    x20.softmax() + 0.5 * x22.tanh()
                } else if 0.2 > x22.sum() {
                    m27 = (x20.sum() + s26).tanh() * x22.sigmoid();
                    (x20 * x22).sigmoid()
                } else {
                    m27 *= (x22.square() + 0.5).ln().tanh();
                    (x22 * x20).sigmoid()
                };
                (x31 + w32.dot(x22).tanh()).tanh()
            }
            _ => {
                m27 += (x22 / (x20.norm() + 0.5)).tanh();
                x22.softmax() + 0.5 * x20.tanh()
            }
        };
        m27 = m27.tanh();
        for k in 0..2 {
            loss(cross_entropy(w34.dot((0.5 + b33.sigmoid()).ln()), label) * (k as f64 + 0.25));
        }
        let out36 = Scores { y: (b8.sigmoid() + 0.5).ln(), logits: c6.greater(zeros(dk) + 0.35).select(b35, c6).dropout(0.25) };
        push(out36);
        scatter(Node { c: zeros(dk) * zeros(dk), h: (((b12 + x17).tanh() * w37.dot(x22) - s24) * s26 + w2.dot(x28) - w38.dot(m27)).tanh() });
    }
}

pub mod gold {
    use super::prelude::*;

    #[vertex_function]
    pub fn gold_0(
        #[param(H, E)] w3: Tensor, #[param(H, E)] w4: Tensor, #[param(K)] b7: Tensor,
        #[param(2 * E, K)] w8: Tensor, #[param(2 * E)] b9: Tensor, #[param(K, E)] w12: Tensor,
        #[param()] s13: Tensor, #[param(K)] b14: Tensor, #[param(K, K)] w15: Tensor,
        #[param(K)] b16: Tensor, #[param(K, K)] w17: Tensor, #[param(K, K)] w18: Tensor,
        #[dim(E)] de: Dim, #[param(K)] b20: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Gold { target, .. } = pull();
        let x5 = (w3 + w4).dot(target);
        let n6 = 2.0_f64.sqrt() - 0.75;
        let (x10, x11) = halves((w8.dot(n6 / (b7.abs().sigmoid() + 0.5)) + b9).tanh());
        loss(mse((w12.dot(x10) - s13).less((w15 + w15).dot(b14) + 0.35).select(b16, w12.dot(x10) - s13), (w17 + w18).dot(b7).tanh()));
        let n19 = 2.0 / (1.0 + de as f64);
        let out21 = Scores { y: (x11 + n19).tanh(), logits: w15.dot(b20) + w12.dot(x10) };
        push(out21);
        loss((h2 * x5).sum());
    }

    #[vertex_function]
    pub fn gold_1(
        #[param(E, E)] w2: Tensor, #[param(K)] b4: Tensor, #[param(H, K)] w5: Tensor,
        #[dim(H)] dh: Dim, #[param(E)] b8: Tensor, #[param(E, H)] w12: Tensor,
        #[param(E, K)] w13: Tensor, #[dim(E)] de: Dim, #[param(2 * H, E)] w15: Tensor,
        #[param(2 * H)] b16: Tensor, #[param(E)] mut b19: Tensor, #[param(H, K)] w23: Tensor,
        #[param(H)] b24: Tensor, #[param(2 * K, H)] w25: Tensor, #[param(E, K)] w28: Tensor,
        #[param(E, K)] w29: Tensor, #[param(2 * E, H)] w31: Tensor, #[param(K, E)] w34: Tensor,
        #[param(K)] b35: Tensor, #[param(K, H)] w36: Tensor, #[param(K)] b37: Tensor,
        #[param(K, K)] w38: Tensor, #[param(K, E)] w40: Tensor, #[param(K, E)] w41: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = w2.dot(p1.target);
        let s6 = (w5.dot(b4) + zeros(dh)).max();
        let mut a7 = b8 * 0.5;
        let mut n9 = 1.0;
        for Node { h, c } in gather_all() {
            let s11 = s6 * (1.0 / dh as f64);
            a7 += (w12.dot(h) + w13.dot(c) + s11).tanh();
            a7 -= zeros(de).sigmoid();
            n9 += 1.0;
        }
        let x14 = a7 / n9;
        let (x17, x18) = halves(w15.dot((x14 + 2.0 - x3).tanh()) + b16);
        let mut a20 = zeros(dh);
        let mut n21 = 1.0;
        for Node { h, c } in gather_all() {
            let [x26, x27]: [Tensor; 2] = w25.dot((w23.dot(c) / (b24.sigmoid() + 0.5)).tanh().exp()).split();
            b19 = b19.minimum(((w12.dot(h) + (w28 * s6).dot(x26)).tanh() + w29.dot(x27)).tanh());
            a20 = a20.minimum((b24 - x17).sigmoid());
            n21 += 1.0;
        }
        let x30 = b19 / n21;
        let [x32, x33] = w31.dot(scaled(x18.exp().tanh(), de)).split();
        loss(cross_entropy(-w34.dot(x33).tanh(), p1.label));
        for k in 0..2 {
            loss(s6 * (k as f64 + 0.25));
        }
        let out39 = Scores { y: noisy(p1.target, 0.5), logits: (b35.less(w36.dot(a20) + 0.35).select((w38 + w38).dot(b37), b35).sigmoid() + 0.5).ln() };
        push(out39);
        loss((w40.dot(x30) + (w34 + w41).dot(x32)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_2(
        #[param(K, E)] w2: Tensor, #[param(H, K)] w4: Tensor, #[dim(H)] dh: Dim,
        #[param(E, K)] w7: Tensor, #[param(E, H)] w8: Tensor, #[param(H, H)] w12: Tensor,
        #[param(E)] mut b16: Tensor, #[param(E)] mut b17: Tensor, #[param()] s19: Tensor,
        #[param(E)] b21: Tensor, #[param(E, H)] w23: Tensor, #[dim(E)] de: Dim,
        #[param(E, H)] w31: Tensor, #[param(E, K)] w32: Tensor, #[param(E)] b33: Tensor,
        #[param(K)] b34: Tensor, #[param(K, H)] w36: Tensor, #[param(K, E)] w37: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let x5 = (0.5 + w4.dot(x3).sigmoid()).ln().exp().tanh();
        let x6 = -(zeros(dh) + x5);
        let s9 = w7.dot(x3).pick(w8.dot(x6).sample());
        let mut m10 = x5;
        let mut n11 = scalar(0.0);
        while n11 < 3.5 && m10.max() < 0.4 {
            loss(m10.pick(m10.sample()));
            m10 = (0.7 * m10 + w12.dot(m10).tanh()).tanh();
            let x13 = if !(-0.35 < x5.sum() || s9 >= 0.2) {
                (x5 - x6).tanh() * s9.tanh()
            } else if !(-0.35 <= x5.sum() || 0.2 >= x6.sum()) {
                m10 += (x5.square() + 0.5).ln().tanh();
                let x14 = if -0.35 < x5.sum() {
                    m10 = (x5.square() + 0.5).ln().tanh();
                    (x5.sum() + s9).tanh() * x6.sigmoid()
                } else if -0.35 < x6.sum() {
                    m10 *= x6.softmax() + 0.5 * x5.tanh();
                    x6.softmax() + 0.5 * x5.tanh()
                } else {
                    m10 *= (x6 / (x5.norm() + 0.5)).tanh();
                    w12.dot(x5).tanh()
                };
                (x14 + x6.softmax() + 0.5 * x5.tanh()).tanh()
            } else {
                let x15 = if !(s9 < -0.35 || x6.max() <= s9) {
                    (x6 - x5).tanh() * s9.tanh()
                } else if s9 < 0.1 {
                    m10 -= (x6 * x5).sigmoid();
                    (x6.square() + 0.5).ln().tanh()
                } else {
                    m10 -= (x5 - x6).tanh() * s9.tanh();
                    x6.tanh()
                };
                (x15 + (x6 / (x5.norm() + 0.5)).tanh()).tanh()
            };
            m10 = m10 * x13.sigmoid();
            n11 += 1.0;
        }
        m10 = m10.tanh();
        let mut t18 = s19;
        for v20 in gather_all::<Node>() {
            let s22 = (1.5 / (0.5 + w7.dot(v20.c).greater((w7 * 1.5).dot(v20.c) + 0.35).select(b21, w7.dot(v20.c)).sigmoid())).tanh().sum();
            t18 += x3.dropout(0.25).tanh().sum().tanh();
            b16 += ((w23 * s9.tanh()).dot(v20.h) + s22).tanh();
            let n24 = 2.0_f64.sqrt() - 0.5;
            b17 -= (n24 + zeros(de)).exp().tanh();
        }
        let parts25 = [(b21 + t18).minimum(b21).tanh(), b21, b16.tanh()];
        let mut a26 = zeros(de);
        for k in 1..=2 {
            a26 = a26.tanh() + (parts25[k] + zeros(de).sigmoid()).tanh();
        }
        let mut a27 = blend(s9, b21, b17).tanh();
        let mut a28 = zeros(de);
        let mut t29 = s19;
        for Node { c, h } in gather_all::<Node>() {
            t29 += s9.tanh();
            a27 = a27 + (w31.dot(h) + w32.dot(c));
            a28 = a28 + (affine(w7, x3, b33) + a26).tanh();
        }
        for k in 0..2 {
            loss(cross_entropy((0.5 + (0.5 + x3.sigmoid()).ln().sigmoid()).ln(), label) * (k as f64 + 0.25));
        }
        loss(cross_entropy(x3.softmax().relu(), label));
        let out35 = Scores { y: a27.tanh().exp().tanh(), logits: (b34.sigmoid() + 0.5).ln().tanh() };
        push(out35);
        loss(((w36.dot(m10) + w37.dot(a28)).tanh() - t29).tanh().sum());
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
        #[param(E)] b2: Tensor, #[param(K, H)] w6: Tensor, #[param(K, K)] w7: Tensor,
        #[param(K)] b8: Tensor, #[param(K)] b9: Tensor, #[param(K, H + K)] w10: Tensor,
        #[param(K)] mut b11: Tensor, #[param(K)] b12: Tensor, #[param(K, E)] w13: Tensor,
        #[param(K, K)] w14: Tensor, #[param(K, H)] w15: Tensor, #[dim(H)] dh: Dim,
        #[param(H, K)] w17: Tensor, #[dim(E)] de: Dim, #[param(H, E)] w19: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = p1 * b2;
        let v4: Node = gather(0);
        let mut m5 = w6.dot(v4.h);
        m5 -= -affine(w7, v4.c, b8);
        m5 *= w10.dot(summary(Node { h: v4.h, c: b9 }));
        m5 = m5.tanh();
        b11 -= (b12.greater_equal(w13.dot(p1) + 0.1).select(m5, b12) + w14.dot(v4.c)).tanh();
        b11 += (-m5).log_softmax().tanh();
        let n16 = 0.5 / (1.0 + dh as f64);
        b11 = (0.5 + (n16 * w15.dot(v4.h)).sigmoid()).ln() - b11;
        b11 = b11.tanh();
        loss(cross_entropy((v4.h / (w17.dot(b11).sigmoid() + 0.5)).tanh(), label));
        for k in 0..2 {
            loss(cross_entropy(v4.h * v4.h * mse(b11, m5), label) * (k as f64 + 0.25));
        }
        let out18 = Scores { y: zeros(de), logits: 0.75 / (v4.h.softplus().sigmoid() + 0.5) };
        push(out18);
        loss(w19.dot(x3).sum());
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
        #[param(H, E)] w3: Tensor, #[param(E, K)] w5: Tensor, #[dim(K)] dk: Dim,
        #[param(E)] b7: Tensor, #[param(E, E)] w8: Tensor, #[dim(H)] dh: Dim,
        #[param(K, K)] w12: Tensor, #[param(E, E)] w16: Tensor, #[param(H)] b19: Tensor,
        #[param(H, E)] w20: Tensor, #[param(H, E)] w21: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let p2: Gold = pull();
        let x4 = w3.dot(p2.target);
        let n6 = 0.75 / (1.0 + dk as f64);
        let n9 = 2.0_f64.sqrt() - 1.5;
        let x10 = (-(w5 * n6).dot(v1.c) + (w8 * n9).dot(b7)).tanh();
        let x11 = 1.0 / (dh as f64).sqrt() * b7.sigmoid();
        let s13 = w12.max();
        let mut m14 = x10;
        let mut n15 = scalar(0.0);
        while n15 < 2.5 && m14.max() < 0.9 {
            m14 = (0.7 * m14 + (m14 + w16.dot(m14).tanh()).dropout(0.25)).tanh();
            let mut n17 = scalar(0.0);
            loop {
                let s18 = m14.max();
                if n17 > 3.5 || s18 > -0.2 {
                    break;
                }
                m14 = (0.7 * m14 + w8.dot(x10).tanh()).tanh();
                n17 += 1.0;
            }
            n15 += 1.0;
        }
        m14 = m14.tanh();
        loss(cross_entropy(-x4.minimum(b19), p2.label));
        loss((-v1.h.dropout(0.5)).sum().tanh());
        loss(((w3.dot(x10) + w20.dot(x11) - s13).tanh() * w21.dot(m14)).sum());
    }

    #[vertex_function]
    pub fn gold_7(
        #[param(H, E)] w2: Tensor, #[dim(K)] dk: Dim, #[param(E)] b4: Tensor,
        #[param(K, E)] w5: Tensor, #[param(K, H)] w6: Tensor, #[param(K, H)] w7: Tensor,
        #[param()] s8: Tensor, #[param(2 * E, H)] w13: Tensor, #[param(K, E)] w16: Tensor,
        #[param(H)] b17: Tensor, #[param(K)] b18: Tensor, #[param(H, H + K)] w19: Tensor,
        #[param(E, H)] w22: Tensor, #[param(E, H)] w26: Tensor, #[param(E, K)] w27: Tensor,
        #[param(K, K)] w28: Tensor, #[param(K)] b29: Tensor, #[dim(H)] dh: Dim,
        #[param(H, K)] w31: Tensor, #[param(K)] b33: Tensor, #[param(H, K)] w34: Tensor,
        #[param(H)] b35: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = (w2 * 2.0).dot(p1.target);
        let [x9, x10] = [weighted([zeros(dk), w5.tanh().dot(b4), w6.dot(x3)]).tanh().log_softmax(), s8 * w7.dot(x3)];
        let mut a11 = zeros(dk);
        for Node { c, h } in gather_all::<Node>() {
            let [x14, x15] = w13.dot(h.maximum(h).minimum(x3)).split::<2>();
            a11 = a11.minimum(((c + w16.dot(x14)).tanh() - w5.tanh().dot(x15)).tanh());
        }
        let s20 = (w19.dot(summary(Node { h: b17, c: b18 })).maximum(x3) * x3).tanh().sum();
        let mut a21 = w22.dot(x3) * s8;
        let mut a23 = a11.maximum(b18);
        let mut n24 = 1.0;
        for Node { h, c } in gather_all() {
            a21 = (w26.dot(h) + (w27 * (1.0 / (dk as f64).sqrt())).dot(c)).tanh() + a21;
            a23 += (w28.dot(x10) + x9).tanh().sigmoid();
            a23 -= b29.sigmoid();
            n24 += 1.0;
        }
        let x30 = a21 / n24;
        let x32: Tensor = (0.5 * x3).tanh().erf().greater(zeros(dh) - x3 + 0.35).select(w31.dot(a23), (0.5 * x3).tanh().erf()).tanh();
        for k in 0..2 {
            loss(cross_entropy(((b18 - b33) * x9).tanh(), p1.label) * (k as f64 + 0.25));
        }
        loss(mse(x32.sigmoid() * a11.pick(b18.sample()), w34.dot(x9).tanh().exp()));
        push(Out { y: ((1.0 / (dk as f64).sqrt() / (w27.dot(a11).sigmoid() + 0.5)).sigmoid() + 0.5).ln() });
        loss((x32.minimum(b35) * s20 + (w2 * s20.tanh()).dot(x30)).tanh().sum());
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
        #[param(H, E)] w5: Tensor, #[dim(E)] de: Dim, #[param(K)] b7: Tensor, #[dim(K)] dk: Dim,
        #[param(4 * E, E)] w8: Tensor, #[param(H, H)] w13: Tensor,
        #[param(2 * K, H)] w14: Tensor, #[param(2 * K)] b15: Tensor, #[dim(H)] dh: Dim,
        #[param(H, H + K)] w18: Tensor, #[param(E, K)] w19: Tensor, #[param(E)] b20: Tensor,
        #[param()] s21: Tensor, #[param(K)] b22: Tensor, #[param(K, H)] w24: Tensor,
        #[param(K, E)] w25: Tensor, #[param(K, E)] w26: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let p4: Gold = pull();
        let x6: Tensor = w5.dot(p4.target);
        let [x9, x10, x11, x12]: [Tensor; 4] = w8.dot(concat([b7, p4.target]).slice(dk..dk + de).softmax()).split();
        let [x16, x17]: [Tensor; 2] = (w14.dot(w13.dot(x6).relu().relu()) + b15).split();
        loss(cross_entropy(w18.dot(summary(Node { h: zeros(dh), c: c3 })), p4.label));
        loss(mse(1.0 / de as f64 / (gate(w19, x16, b20).tanh().sigmoid() + 0.5), s21 * x12));
        let out23 = Scores { y: (0.75 + x11).tanh(), logits: b22.tanh().pick(x17.argmax()) };
        push(out23);
        loss((w24.dot(h2) * w25.dot(x9) * w26.dot(x10)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_10(
        #[param(K, E)] w2: Tensor, #[param(H, K)] w4: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b7: Tensor, #[param(E)] b9: Tensor, #[param(E)] b10: Tensor,
        #[param(E)] b15: Tensor, #[param(H)] mut b16: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b19: Tensor, #[param(4 * K, K)] w20: Tensor, #[param(K, H)] w25: Tensor,
        #[param(H, H + K)] w26: Tensor, #[param(K)] b29: Tensor, #[param(E)] b30: Tensor,
        #[param(E, E)] w31: Tensor, #[param(E, K)] w32: Tensor, #[param(E, K)] w33: Tensor,
    ) {
        let Gold { target: p1, label } = pull::<Gold>();
        let x3 = w2.dot(p1);
        let x5 = noisy(w4.dot(x3).sigmoid(), 0.5);
        let n6 = 0.5 / (1.0 + dh as f64);
        let x8 = (n6 / (0.5 + (x5 - b7).sigmoid())).tanh();
        let s11 = (b9 * b10).sum();
        let mut m12 = x5;
        let mut n13 = scalar(0.0);
        while n13 < 3.5 && m12.max() < 0.4 {
            m12 = (0.7 * m12 + (m12 + (x8.sum() + s11).tanh() * x5.sigmoid()).noise(0.1)).tanh();
            n13 += 1.0;
        }
        m12 = m12.tanh();
        let mut a14 = w2.dot(b15).log_softmax();
        let mut n17 = 1.0;
        for Node { c, h } in gather_all::<Node>() {
            let [x21, x22, x23, x24]: [Tensor; 4] = w20.dot(1.5 / (0.5 + blend(cross_entropy(c, label), zeros(dk), b19).sigmoid())).tanh().split();
            a14 = a14 + ((w25 * s11).dot(h) - x21 + x22 + x23 + x24).tanh();
            b16 = b16.minimum(w26.dot(summary(Node { h: x8, c: x22 })).tanh());
            n17 += 1.0;
        }
        let x27 = a14 / n17;
        let s28 = (-b9).relu().sum();
        loss(cross_entropy((0.5 + b29.exp().sigmoid()).ln(), label));
        let out34 = Scores { y: b30 * (1.0 / dh as f64), logits: (w31 * s28).dot(b9).less(w32.dot(a14) + 0.35).select((w32 + w33).dot(x27), (w31 * s28).dot(b9)).tanh() };
        push(out34);
        loss((m12 * b16).tanh().sum());
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
        #[param(K, E)] w2: Tensor, #[param(K)] b6: Tensor, #[param(H, K)] w7: Tensor,
        #[param(E, H)] w9: Tensor, #[param(E)] b10: Tensor, #[param(E, K)] w11: Tensor,
        #[param(H, E)] w13: Tensor, #[param(H, H)] w14: Tensor, #[param(E, H + K)] w15: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = (w2 + w2).dot(p1.target);
        let v4: Node = gather(0);
        let x5 = {
            let x8 = w7.dot(b6.tanh());
            w9.dot(x8).tanh()
        };
        let s12 = ((0.5 + b10.sigmoid()).ln().relu() * w11.dot(x3)).tanh().sum();
        loss(cross_entropy(w13.dot(b10.exp()), p1.label));
        push(Out { y: w15.dot(summary(Node { h: (w14 * 0.75).dot(v4.h), c: v4.c })).tanh() });
        loss(((w13.dot(p1.target) - w13.dot(x5)) * s12).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_14(
        #[param(K, E)] w3: Tensor, #[param(K, H)] w7: Tensor, #[param(K)] b8: Tensor,
        #[param(E)] b9: Tensor, #[dim(H)] dh: Dim, #[param(H, E)] w11: Tensor,
        #[param(H, K)] w12: Tensor, #[param(H, K)] w13: Tensor, #[param(H, K)] w14: Tensor,
    ) {
        let v1: Node = gather(0);
        let p2: Gold = pull();
        let x4 = w3.tanh().dot(p2.target);
        let (x5, [x10], s6) = (gate(w7, v1.h.maximum(v1.h), b8), [(v1.c.sigmoid() + 0.5).ln()], (p2.target - b9).sum());
        for k in 0..2 {
            loss(cross_entropy(v1.h * zeros(dh) / (concat([v1.h, w11.dot(p2.target)]).slice(dh..dh + dh).sigmoid() + 0.5), p2.label) * (k as f64 + 0.25));
        }
        loss(((w12.dot(x4) + w13.dot(x5) + s6).tanh() + w14.dot(x10)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_15(
        #[param(E)] b4: Tensor, #[param(H)] b8: Tensor, #[param(H, E)] w12: Tensor,
        #[dim(E)] de: Dim, #[param(H)] b14: Tensor, #[param(K, E)] w15: Tensor,
        #[param(K, E)] w16: Tensor, #[param(K, E)] w17: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { label, target } = pull();
        let x5 = target * b4;
        let x6 = (x5.sigmoid() + 0.5).ln().maximum(target);
        let x7 = (-x6).tanh();
        let s9 = b8.pick(h2.sample());
        let mut m10 = x6;
        let mut n11 = scalar(0.0);
        while n11 < 3.5 && m10.max() < 0.4 {
            m10 = (0.7 * m10 + x7.relu().minimum(x6).tanh()).tanh();
            n11 += 1.0;
        }
        m10 = m10.tanh();
        let x13 = w12.dot(target.gelu().variational_dropout(0.1));
        for k in 0..2 {
            loss(cross_entropy((1.0 / de as f64 / (x13.sigmoid() + 0.5)).minimum(b14), label) * (k as f64 + 0.25));
        }
        loss((c3 + (w15 + w16).dot(x7) + s9 + w17.dot(m10)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_16(
        #[param(E)] b1: Tensor, #[param(K, E)] w4: Tensor, #[param(K, E)] w5: Tensor,
        #[param(H, K)] w7: Tensor, #[dim(E)] de: Dim, #[param()] s10: Tensor,
        #[param(K, K)] w14: Tensor, #[param(H)] b15: Tensor, #[param(H)] b16: Tensor,
        #[dim(H)] dh: Dim, #[param(K)] b18: Tensor, #[param(E, K)] w19: Tensor,
        #[param(E, H)] w20: Tensor, #[param(H)] b24: Tensor, #[param(E)] mut b25: Tensor,
        #[param(E, E)] w28: Tensor, #[param(E, E)] w29: Tensor, #[param(E, H)] w30: Tensor,
        #[param(H, H)] w31: Tensor,
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
            let (x12, [x17], s13) = ((w14 * 0.5).dot(c).tanh().exp(), [x3.minimum(h)], (b15.less(h + 0.1).select(b16, b15) * x3).sum());
            t9 += cross_entropy(concat([h, b18]).slice(0..dh), label).tanh();
            a8 -= (w19.dot(x12) + s13).tanh() * w20.dot(x17);
        }
        let [x21, x22] = [(t9 + w20.dot(x3).exp()).tanh(), scaled(zeros(de), dh)];
        let mut a23 = b24.sigmoid();
        for v26 in gather_all::<Node>() {
            a23 = a23.maximum(v26.h - w7.dot(v26.c));
            let n27 = 0.75 / (1.0 + dh as f64);
            b25 = b25.minimum((n27 / (0.5 + (w28 * t9.tanh()).dot(x22).softmax().sigmoid())).tanh());
        }
        loss(mse(-w29.dot(x21) / (b25.tanh().log_softmax().sigmoid() + 0.5), (a8.sigmoid() + 0.5).ln()));
        loss((b25.relu().tanh().exp() * b25).tanh().sum());
        let out32 = Scores { y: (s10 + w30.dot(a23)).tanh(), logits: w31.dot(x3).sigmoid().hard_sigmoid() };
        push(out32);
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
        #[param(E)] b1: Tensor, #[dim(K)] dk: Dim, #[param(H)] b5: Tensor,
        #[param(H, K)] w6: Tensor, #[dim(H)] dh: Dim, #[param(K)] b9: Tensor,
        #[param(H, H)] w13: Tensor, #[param(E, H)] w15: Tensor, #[param(E, H)] w16: Tensor,
        #[param(E, H)] w17: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = target * b1;
        let v3 = gather::<Node>(0);
        let mut m4 = (0.5 + v3.h.sigmoid()).ln();
        m4 = m4.tanh() + (1.0 / dk as f64 / (0.5 + v3.h.softmax().sigmoid())).tanh();
        m4 -= b5.log_softmax().tanh().leaky_relu(0.1);
        m4 -= (v3.h - 2.0).less(w6.dot(v3.c) + 0.35).select(v3.h, v3.h - 2.0).tanh();
        m4 = m4.tanh();
        let x7 = b5.sigmoid();
        let x8 = (zeros(dh) - v3.h).log_softmax().tanh();
        let s10 = mse(v3.c, b9);
        let mut m11 = x7;
        let mut n12 = scalar(0.0);
        while n12 < 3.5 && m11.max() < 0.4 {
            m11 = (0.7 * m11 + (m11 + w13.dot(m11).tanh()).noise(0.1)).tanh();
            let x14 = if x8.max() > s10 {
                m11 += x7.relu().minimum(x8).tanh();
                w13.dot(x8).tanh()
            } else {
                (x7 / (x8.norm() + 0.5)).tanh()
            };
            m11 = m11 * x14.sigmoid();
            n12 += 1.0;
        }
        m11 = m11.tanh();
        loss(0.75 * s10);
        for k in 0..2 {
            loss(mse(zeros(dk) + v3.c, v3.c) * (k as f64 + 0.25));
        }
        loss(((x2 + target - w15.dot(m4)) * w16.dot(x7) + (w17 * s10.tanh()).dot(x8) + (w15 * s10.tanh()).dot(m11)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_19(
        #[param(E)] b2: Tensor, #[param(E)] b4: Tensor, #[param(E)] b6: Tensor,
        #[param(K)] b8: Tensor, #[param(K, K)] w9: Tensor, #[dim(H)] dh: Dim,
        #[param(K)] b11: Tensor, #[param(K, K)] w12: Tensor, #[dim(E)] de: Dim,
        #[param(E, H)] w20: Tensor, #[param(E, K)] w21: Tensor, #[param(K, E)] w22: Tensor,
        #[dim(K)] dk: Dim, #[param(H)] b23: Tensor, #[param(K, H)] w24: Tensor,
        #[param(K)] b25: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x3 = p1 * b2;
        let x5 = (1.5 / ((x3 - b4).sigmoid() + 0.5)).tanh();
        let x7 = b6.log_softmax().softmax();
        let n10 = 1.5 / (1.0 + dh as f64);
        let s13 = indicator((w9 * n10).dot(b8).argmax() != w12.dot(b11).sample());
        let mut m14 = x5;
        let mut n15 = scalar(0.0);
        while n15 < 1.5 && m14.max() < 0.9 {
            loss(m14.pick(m14.sample()));
            m14 = (0.7 * m14 + (x7 - x5).tanh() * s13.tanh()).tanh();
            let x16 = if 0.2 >= x7.sum() {
                m14 *= (x7.square() + 0.5).ln().tanh();
                (x7 * x5).sigmoid()
            } else {
                let x17 = if 0.2 > x7.sum() {
                    (x5 - x7).tanh() * s13.tanh()
                } else {
                    m14 -= (x7 / (x5.norm() + 0.5)).tanh();
                    (x7 * x5).sigmoid()
                };
                (x17 + (x5 * x7).sigmoid()).tanh()
            };
            m14 = m14 * x16.sigmoid();
            loss(0.1 * m14.sum());
            n15 += 1.0;
        }
        m14 = m14.tanh();
        let mut a18 = zeros(de);
        for Node { h, c } in gather_all() {
            a18 = w20.dot(h) * w21.dot(c) + a18;
        }
        for k in 0..2 {
            loss(mse(weighted([w22.dot(m14), zeros(dk), (w9 * s13).dot(b8)]) + w24.dot(b23), b25.log_softmax()) * (k as f64 + 0.25));
        }
        loss((p1 + x5 + x7 + a18).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_20(
        #[param(E, E)] w2: Tensor, #[param(E, E)] w3: Tensor, #[param(E)] b9: Tensor,
        #[param(E)] b11: Tensor, #[dim(E)] de: Dim, #[param(K)] b12: Tensor,
        #[param(K)] b13: Tensor, #[param()] s14: Tensor, #[param(K, K)] w15: Tensor,
        #[param(E, K)] w16: Tensor, #[dim(K)] dk: Dim, #[param(K, H)] w17: Tensor,
    ) {
        let p1 = pull::<Gold>().target;
        let x4 = (w2 + w3).dot(p1);
        let Node { h: h6, c: c7 } = gather(0);
        let x8 = {
            let x4 = x4.tanh() + b9.minimum(p1);
            let x10 = p1.minimum(x4).exp().tanh();
            x10.tanh()
        };
        for k in 0..2 {
            loss(mse(concat([b11, weighted([c7, b12, b13])]).slice(0..de), s14 + x8) * (k as f64 + 0.25));
        }
        loss((w15.dot(c7) * s14).sum().sigmoid());
        push(Out { y: scaled(w16.dot(c7) * s14, dk) });
        loss(w17.dot(h6).sum());
    }

    #[vertex_function]
    pub fn gold_21(
        #[param(K, E)] w2: Tensor, #[param(E)] b4: Tensor, #[param(E)] b7: Tensor,
        #[param(H)] b9: Tensor, #[param(H, H)] w10: Tensor, #[param(H, H)] w11: Tensor,
        #[param(H, E)] w12: Tensor, #[dim(E)] de: Dim, #[dim(H)] dh: Dim,
        #[param(E, H)] w20: Tensor, #[param(E, H)] w21: Tensor, #[param(E, K)] w22: Tensor,
        #[param(E)] b23: Tensor, #[param(H, E)] w24: Tensor, #[param(H, K)] w25: Tensor,
        #[param()] s26: Tensor, #[param(H, H)] w27: Tensor, #[param(E, H)] w28: Tensor,
        #[param()] s29: Tensor, #[param(E, H)] w30: Tensor, #[param(E, H)] w31: Tensor,
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
            m15 = (x6 - x8).tanh() * s14.tanh();
            (x8 - x6).tanh() * s14.tanh()
        } else if s13 < -0.35 {
            m15 = x8.softmax() + 0.5 * x6.tanh();
            x6.softmax() + 0.5 * x8.tanh()
        } else {
            m15 += (x8 / (x6.norm() + 0.5)).tanh();
            (x8 * x6).sigmoid()
        };
        m15 = m15.tanh();
        let mut a17 = zeros(de);
        let mut a18 = zeros(dh);
        for Node { h, c } in gather_all() {
            a17 = ((w20 + w21).dot(h) + w22.dot(c)).tanh() + a17 - b23 / (0.5 + m15.sigmoid());
            a18 = a18.minimum(w24.dot(x16).maximum(w25.tanh().dot(x3)).tanh());
        }
        loss(w27.dot(s26 + w25.dot(x3)).tanh().sum());
        loss(cross_entropy(((s29 + w28.dot(a18)).tanh() + a17).tanh(), label));
        push(Out { y: w30.dot(a18).tanh() / (w31.dot(a18).tanh().sigmoid() + 0.5) });
        loss((zeros(de) * b4 * s13 + s14).sum());
    }

    #[vertex_function]
    pub fn gold_22(
        #[param(H, E)] w1: Tensor, #[param(H)] b5: Tensor, #[param(3 * H, H)] w6: Tensor,
        #[param(K)] b10: Tensor, #[param(K, H)] w11: Tensor, #[param(K)] b12: Tensor,
        #[dim(K)] dk: Dim, #[param(K)] b13: Tensor, #[param(K, K)] w14: Tensor,
        #[param(K, K)] w15: Tensor, #[param(K, E)] w16: Tensor, #[param(E)] b17: Tensor,
        #[dim(E)] de: Dim, #[param(K, H)] w18: Tensor, #[dim(H)] dh: Dim,
        #[param(K, H)] w20: Tensor, #[param(K, H)] w21: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = w1.dot(target);
        let Node { h: h4, .. } = gather(0);
        let [x7, x8, x9] = w6.dot(b5.exp().softmax()).split();
        loss(mse((b10 * w11.dot(x9)).erf(), concat([b12.slice(1..dk), b12.slice(0..1)])));
        loss(((w14 + w15).dot(b13).relu().log_softmax() * w16.dot(target)).tanh().sum());
        let out19 = Scores { y: concat([b17.slice(1..de), b17.slice(0..1)]), logits: scaled(w18.dot(x7), dh) };
        push(out19);
        loss((w20.dot(x2) - w21.dot(h4) + w11.dot(x8)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_23(
        #[param(E, E)] w1: Tensor, #[param(K)] b5: Tensor, #[param(H, K)] w6: Tensor,
        #[param(K)] b7: Tensor, #[param(K, K)] w8: Tensor, #[param(K, H + K)] w9: Tensor,
        #[param()] s11: Tensor, #[dim(H)] dh: Dim, #[param(K, K)] w14: Tensor,
        #[param(K, H)] w15: Tensor, #[param(K, E)] w20: Tensor, #[param(E)] b21: Tensor,
        #[param(E, E)] w22: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = w1.dot(target);
        let Node { h: h4, .. } = gather(0);
        let x10 = w9.dot(summary(Node { h: (w6 * 1.5).dot(b5), c: w8.dot(b7) })).tanh();
        let n12 = 0.75 / (1.0 + dh as f64);
        let x13 = (w8.dot(x10).log_softmax() * (s11 * n12)).tanh();
        let s16 = indicator(w14.dot(x13).argmax() == w15.dot(h4).sample());
        let mut m17 = x10;
        let mut n18 = scalar(0.0);
        loop {
            let s19 = m17.max();
            if n18 > 2.5 || s19 > 0.4 {
                break;
            }
            m17 = (0.7 * m17 + (x13 / (x10.norm() + 0.5)).tanh()).tanh();
            n18 += 1.0;
        }
        m17 = m17.tanh();
        for k in 0..2 {
            loss(w20.dot(x2).greater(m17 + 0.35).select(x10, w20.dot(x2)).tanh().sum() * (k as f64 + 0.25));
        }
        push(Out { y: ((b21 - x2) / (0.5 + w22.dot(x2).sigmoid())).tanh() });
        loss((b21.log_softmax() * s16).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_24(
        #[param(E)] b4: Tensor, #[param(E, K)] w7: Tensor, #[param(E, K)] w8: Tensor,
        #[param(E, E)] w9: Tensor, #[param(E)] b10: Tensor, #[param(E)] b12: Tensor,
        #[dim(E)] de: Dim, #[param(E, H)] w14: Tensor, #[param(K)] b15: Tensor,
        #[param()] s16: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { label, target } = pull();
        let x5 = target * b4;
        let parts6 = [((w7 + w8).dot(c3) - x5 - target).tanh(), w9.dot(x5), b10];
        let mut a11 = b12;
        let x13 = concat(parts6);
        for k in 0..2 {
            a11 = a11.tanh() + (x13.slice(k * de..(k + 1) * de) + w14.dot(h2)).tanh();
        }
        let [x17, x18] = [(s16 - b15).relu(), c3 + 1.5];
        loss(cross_entropy(-a11.tanh(), label));
        loss(cross_entropy(0.5 / (0.5 + b4.sigmoid()), label));
        let out19 = Scores { y: concat([zeros(de), x17]).slice(0..de), logits: target.hard_tanh() - target };
        push(out19);
        loss(x18.sum());
    }

    #[vertex_function]
    pub fn gold_25(
        #[param(E)] b5: Tensor, #[param(H, K)] w8: Tensor, #[param(2 * E, H)] w9: Tensor,
        #[param(2 * E)] b10: Tensor, #[param()] s13: Tensor, #[param(K)] b14: Tensor,
        #[param(K, H)] w15: Tensor, #[param(K, E)] w16: Tensor, #[param(K, E)] w17: Tensor,
    ) {
        let Node { h: h2, c: c3 } = gather(0);
        let Gold { target: p4, label } = pull::<Gold>();
        let x6 = p4 * b5;
        let n7 = 2.0_f64.sqrt() - 1.5;
        let (x11, x12) = halves((w9.dot(n7 / (0.5 + w8.dot(c3).sigmoid())) + b10).tanh());
        loss(cross_entropy((s13 + c3).sigmoid(), label));
        for k in 0..2 {
            loss(mse(weighted([c3, b14, c3]).tanh().hard_sigmoid(), c3.tanh()) * (k as f64 + 0.25));
        }
        loss(((w15.dot(h2) + w16.dot(x6)) * w16.dot(p4) + w17.dot(x11) + w16.dot(x12)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_26(
        #[param(E, E)] w1: Tensor, #[dim(E)] de: Dim, #[param(H, E)] w7: Tensor,
        #[param(E, K)] w9: Tensor, #[param(E, H)] w10: Tensor, #[param(E)] b12: Tensor,
        #[param(H, E)] w13: Tensor, #[param(K, K)] w14: Tensor, #[param(E)] b15: Tensor,
        #[param()] s16: Tensor, #[param(K, H)] w18: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = (w1 * 0.75).dot(target);
        let v3: Node = gather(0);
        let x4 = {
            let n5 = 2.0 / (1.0 + de as f64);
            let x6: Tensor = (n5 * v3.c).log_softmax().tanh();
            let x8 = (v3.h / (v3.h.sigmoid() + 0.5)).less(v3.h + 0.6).select(w7.dot(target), v3.h / (v3.h.sigmoid() + 0.5));
            ((w9 * 2.0).dot(x6) * w10.dot(x8)).tanh().tanh()
        };
        let x11 = {
            let target = target.tanh() + (x2 - b12);
            w13.dot(target).tanh()
        };
        for k in 0..2 {
            loss(mse(x4.less(b12 + 0.35).select(target, x4), b12).tanh() * (k as f64 + 0.25));
        }
        loss(w14.sum());
        let out17 = Scores { y: w1.dot(target).tanh(), logits: b15.sum() + s16 };
        push(out17);
        loss(w18.dot(x11).sum());
    }

    #[vertex_function]
    pub fn gold_27(
        #[param(E)] b3: Tensor, #[param(E, E)] w5: Tensor, #[param(E, K)] w7: Tensor,
        #[param(K, E)] w8: Tensor, #[param(K)] b10: Tensor, #[dim(K)] dk: Dim,
        #[param(H)] b20: Tensor, #[param(H, H + E)] w21: Tensor, #[param(K, H)] w22: Tensor,
        #[param(E)] b24: Tensor, #[param(E)] b25: Tensor, #[param(H, E)] w26: Tensor,
        #[param(H, E)] w27: Tensor, #[param(H, K)] w28: Tensor,
    ) {
        let Node { h: h2, .. } = gather(0);
        let Gold { label, target } = pull();
        let x4 = target * b3;
        let x6 = w5.dot(x4).tanh().relu();
        let x9 = gate(w7, w8.dot(x6), b3).tanh().exp().tanh();
        let s11 = b10.sum();
        let mut m12 = x6;
        let mut n13 = scalar(0.0);
        while n13 < 2.5 && m12.max() < 0.9 {
            m12 = (0.7 * m12 + (x9 / (x6.norm() + 0.5)).tanh()).tanh();
            let mut n14 = scalar(0.0);
            while n14 < 3.5 && m12.max() < 0.4 {
                m12 = (0.7 * m12 + (m12 + w5.dot(m12).tanh()).dropout(0.25)).tanh();
                n14 += 1.0;
            }
            n13 += 1.0;
        }
        m12 = m12.tanh();
        let x15 = concat([b10.slice(1..dk), b10.slice(0..1)]);
        let x16 = x15.tanh();
        let s17 = s11.tanh();
        let s18 = cross_entropy(h2, label);
        let x19 = if s17 <= -0.35 {
            x16.relu().minimum(x15).tanh()
        } else {
            (x15.square() + 0.5).ln().tanh()
        };
        for k in 0..2 {
            loss(s18 * (k as f64 + 0.25));
        }
        loss(cross_entropy(w21.dot(concat([b20, m12])), label));
        let n23 = 0.75 / (1.0 + dk as f64);
        push(Out { y: blend(x19.pick((w22 * n23).dot(h2).argmax()), b3 - b24, b25) });
        loss((((w26.dot(target) + (w26 + w27).dot(x9)) * w28.dot(x16)).tanh() - s17).sum());
    }

    #[vertex_function]
    pub fn gold_28(
        #[param(E)] b2: Tensor, #[param(K)] b5: Tensor, #[param(E, H + K)] w6: Tensor,
        #[param(E, K)] w8: Tensor, #[param(E, H)] w9: Tensor, #[param(K)] b11: Tensor,
        #[param(E, E)] w15: Tensor, #[param(H, E)] w16: Tensor, #[param(H, E)] w17: Tensor,
        #[param(H, E)] w18: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = p1.target * b2;
        let v4 = gather::<Node>(0);
        let x7 = w6.dot(concat([v4.h, b5]));
        let x10 = (w8.dot(v4.c).maximum(w9.dot(v4.h)) - p1.target).tanh();
        let s12 = (b11 * v4.c).sum();
        let mut m13 = x7;
        let mut n14 = scalar(0.0);
        while n14 < 2.5 && m13.max() < 0.4 {
            m13 = (0.7 * m13 + w15.dot(m13).tanh()).tanh();
            n14 += 1.0;
        }
        m13 = m13.tanh();
        loss(cross_entropy(b5.log_softmax().log_softmax().tanh(), p1.label));
        loss((-x10.relu()).sum());
        loss(((w16.dot(x3) + w17.dot(x7)) * s12 + w18.tanh().dot(m13)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_29(
        #[param(E)] b3: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w6: Tensor,
        #[param(K)] b12: Tensor, #[param(E)] b14: Tensor, #[param(K, K + 2 * E)] w15: Tensor,
        #[param(E, E)] w20: Tensor, #[param(E, K)] w21: Tensor,
    ) {
        let v1 = gather::<Node>(0);
        let Gold { target: p2, label } = pull::<Gold>();
        let x4 = p2 * b3;
        let x5 = (p2 * zeros(de)).leaky_relu(0.1);
        let x7 = (0.5 - w6.dot(v1.h) * x5).tanh();
        let s8 = cross_entropy(x7, label);
        let mut m9 = x5;
        let mut n10 = scalar(0.0);
        loop {
            let s11 = m9.max();
            if n10 > 1.5 || s11 > 0.4 {
                m9 = m9 * s11.sigmoid();
                break;
            }
            m9 = (0.7 * m9 + (x7 - x5.max()).exp().tanh()).tanh();
            n10 += 1.0;
        }
        m9 = m9.tanh();
        let x13 = (v1.c.pick(b12.argmax()) - (v1.c + v1.c)).tanh();
        let x16 = w15.dot(concat([b14, x5, x13])).tanh();
        let s17 = s8.tanh();
        let mut m18 = x13;
        let mut n19 = scalar(0.0);
        while n19 < 2.5 && m18.max() < 0.9 {
            m18 = (0.7 * m18 + (m18 + x13.relu().minimum(x16).tanh()).noise(0.1)).tanh();
            loss(0.1 * m18.sum());
            n19 += 1.0;
        }
        m18 = m18.tanh();
        loss(mse((w20.dot(x4) - 1.5) * m9, b3 - 0.5));
        loss((w21.dot(x16) + s17 + w21.dot(m18)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_30(
        #[param(H, E)] w1: Tensor, #[param(H)] b5: Tensor, #[param(H)] b6: Tensor,
        #[param(H)] b8: Tensor, #[dim(K)] dk: Dim, #[param(H, H)] w17: Tensor,
        #[param(H, H)] w20: Tensor, #[param(K, H)] w22: Tensor, #[param(E, H + K)] w23: Tensor,
        #[dim(E)] de: Dim, #[param(E)] b25: Tensor, #[param(E)] b26: Tensor,
        #[param(E)] b27: Tensor, #[param(E, H)] w29: Tensor, #[param(E, H)] w30: Tensor,
        #[param(E, H)] w31: Tensor,
    ) {
        let Gold { label, target } = pull();
        let x2 = w1.dot(target);
        let Node { h: h4, .. } = gather(0);
        let x7 = (b5 * x2).minimum(b6);
        let n9 = 0.5 / (1.0 + dk as f64);
        let x10 = (b8 - n9).relu().tanh();
        let s11 = target.sum();
        let s12 = cross_entropy(target, label);
        let mut m13 = x10;
        let x14 = if x10.max() >= s12 || -0.35 <= x10.sum() {
            m13 *= x10.relu().minimum(x7).tanh();
            let x15 = if s12 < 0.1 {
                x7.relu().minimum(x10).tanh()
            } else {
                let x16 = if s11 > -0.35 {
                    m13 = x7.softmax() + 0.5 * x10.tanh();
                    w17.dot(x7).tanh()
                } else if s11 > -0.35 || x10.max() >= s12 {
                    (x10 - x7).tanh() * s12.tanh()
                } else {
                    (x10.square() + 0.5).ln().tanh()
                };
                (x16 + x10.tanh()).tanh()
            };
            (x15 + x7.softmax() + 0.5 * x10.tanh()).tanh()
        } else {
            m13 *= x10.relu().minimum(x7).tanh();
            let x18 = if x7.max() <= s11 {
                m13 = (x7 - x10).tanh() * s11.tanh();
                let x19 = if s12 <= 0.2 {
                    m13 -= (x10.square() + 0.5).ln().tanh();
                    x10.softmax() + 0.5 * x7.tanh()
                } else if !(s11 > 0.2 || s12 > 0.2) {
                    m13 *= w20.dot(x7).tanh();
                    (x7 * x10).sigmoid()
                } else {
                    m13 += (x10.sum() + s12).tanh() * x7.sigmoid();
                    (x7 - x10.max()).exp().tanh()
                };
                (x19 + x7.relu().minimum(x10).tanh()).tanh()
            } else if 0.2 <= x7.sum() {
                m13 = (x10.square() + 0.5).ln().tanh();
                let x21 = if s11 <= 0.2 {
                    (x7.square() + 0.5).ln().tanh()
                } else {
                    m13 += (x10.square() + 0.5).ln().tanh();
                    x10.tanh()
                };
                (x21 + (x10 - x7).tanh() * s12.tanh()).tanh()
            } else {
                m13 = x7.softmax() + 0.5 * x10.tanh();
                (x7.sum() + s12).tanh() * x10.sigmoid()
            };
            (x18 + (x10.sum() + s12).tanh() * x7.sigmoid()).tanh()
        };
        m13 = m13.tanh();
        loss(cross_entropy(w23.dot(concat([w22.dot(x2), m13])), label));
        let n24 = 2.0_f64.sqrt() - 2.0;
        for k in 0..2 {
            loss(mse(b25.pick(target.sample()) - n24 / (zeros(de).sigmoid() + 0.5), b26.exp()) * (k as f64 + 0.25));
        }
        let out28 = Scores { y: b27.log_softmax().tanh(), logits: w22.dot(x10).tanh().sum() };
        push(out28);
        loss((((w29.dot(h4) + (w30 * s12.tanh()).dot(x7)) * s11).tanh() + w31.dot(x14)).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_31(
        #[param(E, E)] w2: Tensor, #[dim(E)] de: Dim, #[param(E, H)] w7: Tensor,
        #[param(K)] b9: Tensor, #[param()] s11: Tensor, #[param(H)] b16: Tensor,
        #[dim(H)] dh: Dim, #[param(E, E)] w17: Tensor,
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
                w2.dot(x6).tanh()
            }
            _ => {
                (x8 - x6).tanh() * s13.tanh()
            }
        };
        loss(((h5 * s10 - b16) * h5).sum());
        loss(mse(x6.log_softmax().tanh(), 1.0 / dh as f64 - x14));
        let out18 = Scores { y: w17.dot(x8).variational_dropout(0.5).tanh(), logits: s13 };
        push(out18);
    }

    #[vertex_function]
    pub fn gold_32(
        #[param(E)] b2: Tensor, #[param(K)] b5: Tensor, #[param(H, K)] w6: Tensor,
        #[param(K)] b7: Tensor, #[param(K, K)] w8: Tensor, #[param(K, H + K)] w9: Tensor,
        #[param(3 * K, K)] w10: Tensor, #[dim(K)] dk: Dim, #[param(K)] b12: Tensor,
        #[param(K, E)] w13: Tensor, #[param(E)] mut b14: Tensor, #[param(H)] mut b15: Tensor,
        #[param(E)] b17: Tensor, #[param(E, H)] w18: Tensor, #[param(E, K)] w19: Tensor,
        #[param(H, K)] w20: Tensor, #[param(E, H)] w21: Tensor, #[param(K, E)] w22: Tensor,
    ) {
        let p1: Gold = pull();
        let x3 = p1.target * b2;
        let parts4 = w10.dot(w9.dot(summary(Node { h: w6.dot(b5), c: w8.dot(b7) }))).split::<3>();
        let mut a11 = zeros(dk);
        for part in parts4 {
            a11 += (part - b12.minimum(w13.dot(x3))).tanh();
        }
        for v16 in gather_all::<Node>() {
            let x3 = x3.tanh() + b17.greater_equal(b2 + 0.35).select(x3, b17);
            b14 = b14.minimum(((w18 * 0.75).dot(v16.h) * w19.dot(v16.c) - x3).tanh());
            b15 = b15 + (v16.h - w20.dot(v16.c)).tanh().gelu_tanh();
        }
        loss(cross_entropy(w19.dot(a11).maximum(w21.tanh().dot(b15)).tanh().maximum(b14).tanh(), p1.label));
        loss(w22.tanh().dot(p1.target).sum());
    }

    #[vertex_function]
    pub fn gold_33(
        #[param(E, E)] w2: Tensor, #[param(H)] b6: Tensor, #[dim(H)] dh: Dim,
        #[param(H)] b8: Tensor, #[param(H)] b9: Tensor, #[param(K)] b11: Tensor,
        #[param(K, K)] w12: Tensor, #[param(H, H)] w17: Tensor, #[param(H, K)] w18: Tensor,
        #[param(H, H)] w23: Tensor, #[param(K)] b24: Tensor, #[param(K)] b25: Tensor,
        #[param(K, K)] w26: Tensor, #[dim(E)] de: Dim, #[param(E, E)] w27: Tensor,
    ) {
        let p1: Gold = pull();
        let x3: Tensor = w2.dot(p1.target);
        let Node { h: h5, .. } = gather(0);
        let x7 = concat([b6, h5]).slice(0..dh) - h5;
        let x10 = (b8.exp() - b9).tanh();
        let s13 = b11.pick(w12.dot(b11).sample());
        let s14 = x10.sum();
        let mut m15 = x10;
        let i19 = concat([w17.dot(x7).greater(h5 + 0.6).select(w18.dot(b11), w17.dot(x7)), zeros(3)]).argmax();
        let x16 = match i19 {
            Index(0) => {
                let x20 = if x10.max() <= s14 && 0.1 >= x10.sum() {
                    m15 -= (x10.sum() + s14).tanh() * x7.sigmoid();
                    x10.softmax() + 0.5 * x7.tanh()
                } else {
                    m15 = x10.relu().minimum(x7).tanh();
                    (x10.square() + 0.5).ln().tanh()
                };
                (x20 + w17.dot(x10).tanh()).tanh()
            }
            Index(1) | Index(2) => {
                let x21 = if s14 < -0.35 || x7.max() < s14 {
                    (x7.sum() + s14).tanh() * x10.sigmoid()
                } else {
                    let x22 = if 0.1 < x7.sum() || s14 < 0.2 {
                        (x10.square() + 0.5).ln().tanh()
                    } else {
                        (x7 - x10).tanh() * s13.tanh()
                    };
                    (x22 + w23.dot(x7).tanh()).tanh()
                };
                (x21 + x7.softmax() + 0.5 * x10.tanh()).tanh()
            }
            _ => {
                m15 = (x10.square() + 0.5).ln().tanh();
                x7.tanh()
            }
        };
        m15 = m15.tanh();
        loss(cross_entropy(w12.dot(b24).sigmoid() * w26.tanh().dot(b25), p1.label));
        let out28 = Scores { y: (zeros(de) + w27.dot(x3)).tanh(), logits: -(b6 + b6) };
        push(out28);
        loss((((zeros(dh).tanh() * s13 + s14) * x16).tanh() * m15).sum());
    }

    #[vertex_function]
    pub fn gold_34(
        #[param(E, E)] w1: Tensor, #[param(H)] b4: Tensor, #[param(H, H)] w5: Tensor,
        #[param(H, E)] w6: Tensor, #[param(K)] b7: Tensor, #[param(H, K)] w8: Tensor,
        #[param(K, H)] w10: Tensor, #[param(H, K)] w12: Tensor, #[dim(H)] dh: Dim,
        #[param(K, K)] w17: Tensor, #[param(K)] b19: Tensor, #[dim(K)] dk: Dim,
        #[param(K)] b21: Tensor, #[param()] s22: Tensor, #[param(E)] b24: Tensor,
    ) {
        let Gold { label, target } = pull();
        let x2 = w1.dot(target);
        let x3 = {
            let x9 = w5.dot(b4).greater_equal(w6.dot(x2) + 0.1).select(w8.dot(b7), w5.dot(b4)) + w8.dot(b7);
            let x11 = w10.dot(x9).log_softmax().tanh().relu();
            w12.dot(x11).tanh()
        };
        let mut a13 = zeros(dh);
        let mut n14 = 1.0;
        for v15 in gather_all::<Node>() {
            let parts16 = [(w17.dot(v15.c) - v15.c).tanh().exp().tanh(), v15.c.maximum(w10.dot(v15.h)), v15.c];
            let mut a18 = b19;
            let x20 = concat(parts16);
            for k in 0..2 {
                a18 = a18.tanh() + (x20.slice(k * dk..(k + 1) * dk) + (b21 + s22)).tanh();
            }
            a13 += w8.dot(a18).tanh();
            n14 += 1.0;
        }
        let x23 = a13 / n14;
        loss(cross_entropy(b24.log_softmax(), label));
        loss((x3 * x23).tanh().sum());
    }

    #[vertex_function]
    pub fn gold_35(
        #[param(H, E)] w1: Tensor, #[param(E)] b6: Tensor, #[dim(H)] dh: Dim, #[dim(E)] de: Dim,
        #[param(E, E)] w13: Tensor, #[param(E)] b15: Tensor, #[param(E)] b22: Tensor,
        #[param(K, E)] w23: Tensor, #[param(E)] b24: Tensor, #[param(E, H)] w26: Tensor,
        #[param(E, H)] w27: Tensor,
    ) {
        let Gold { target, .. } = pull();
        let x2 = w1.dot(target);
        let Node { h: h4, c: c5 } = gather(0);
        let x7 = -scaled(b6, dh);
        let x8 = zeros(de) * 0.75 * target;
        let s9 = c5.sum();
        let mut m10 = x7;
        let mut n11 = scalar(0.0);
        loop {
            let s12 = m10.max();
            if n11 > 1.5 || s12 > 0.9 {
                break;
            }
            loss(m10.pick(m10.argmax()));
            m10 = (0.7 * m10 + w13.dot(m10).tanh()).tanh();
            n11 += 1.0;
        }
        m10 = m10.tanh();
        let x14 = (0.5 / (zeros(de).sigmoid() + 0.5)).relu().tanh();
        let x16 = b15.softmax().gelu();
        let s17 = (c5 * c5).sum();
        let s18 = s9.tanh();
        let i20 = concat([-target, zeros(3)]).argmax();
        let x19 = match i20 {
            Index(0) => {
                w13.dot(x16).tanh()
            }
            Index(1) | Index(2) => {
                (x16 - x14.max()).exp().tanh()
            }
            _ => {
                let x21 = if -0.35 >= x14.sum() {
                    (x16 - x14).tanh() * s17.tanh()
                } else {
                    (x16 - x14).tanh() * s17.tanh()
                };
                (x21 + (x16 - x14).tanh() * s17.tanh()).tanh()
            }
        };
        for k in 0..2 {
            loss(s18 * (k as f64 + 0.25));
        }
        loss(mse(0.5 / (0.5 + (c5 + c5).sigmoid()), c5.exp()));
        let out25 = Scores { y: concat([b22, w23.dot(x16)]).slice(0..de), logits: b6 + zeros(de) - b24 };
        push(out25);
        loss(((w26.dot(x2) + w27.tanh().dot(h4) + x7) * x8 + m10 + x14 + s17 - x19).tanh().sum());
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
