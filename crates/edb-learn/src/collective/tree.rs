//! The order in which the sums of shares are added up.

use std::ops::Range;

/// Consecutive shares: a leaf of the tree if it is one share, else an inner node.
pub type Span = Range<usize>;

/// A balanced binary tree over the shares of a minibatch: each span of more than one share is the sum
/// of its two halves. So the order of summation depends only on the number of shares, and not on which rank
/// sums which share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The number of shares, at least 1.
    pub shares: usize,
}

impl Tree {
    /// The shares that a rank sums. As long as the number of ranks is even, each half of the ranks gets one
    /// half of the shares. So if the number of ranks is a power of two, each rank has one span of the tree, and
    /// sends one sum. If there are more ranks than shares, the first ranks have one share each. Rank 0, whose
    /// policies the other ranks take over, always has the first share.
    pub fn of_rank(self, mut rank: usize, mut ranks: usize) -> Span {
        if ranks > self.shares {
            return rank.min(self.shares)..(rank + 1).min(self.shares);
        }
        let mut span = 0..self.shares;
        while ranks.is_multiple_of(2) {
            ranks /= 2;
            let [left, right] = halves(&span);
            span = if rank < ranks { left } else { right };
            rank %= ranks;
        }
        let within = part(span.len(), rank, ranks);
        span.start + within.start..span.start + within.end
    }

    /// The greatest spans of the tree within these shares, in order.
    pub(crate) fn greatest(self, within: &Span) -> Vec<Span> {
        fn add(span: Span, within: &Span, to: &mut Vec<Span>) {
            if span.start >= within.end || span.end <= within.start {
                return;
            }
            if span.start >= within.start && span.end <= within.end {
                return to.push(span);
            }
            halves(&span).into_iter().for_each(|half| add(half, within, to));
        }
        let mut spans = Vec::new();
        if !within.is_empty() {
            add(0..self.shares, within, &mut spans);
        }
        spans
    }

    /// The span of which this one is a half; `None` for the span of all shares.
    pub fn parent(self, of: &Span) -> Option<Span> {
        let mut span = 0..self.shares;
        while span != *of {
            let [left, right] = halves(&span);
            let next = if of.end <= left.end { left } else { right };
            if next == *of {
                return Some(span);
            }
            // `of` is not a span of the tree.
            if next.len() <= 1 {
                return None;
            }
            span = next;
        }
        None
    }

    /// Adds up values. `of` returns the values of spans that together cover all shares; `plus` gets the value
    /// of the left half first.
    pub fn sum<V>(
        self,
        of: &mut impl FnMut(&Span) -> Option<V>,
        plus: &mut impl FnMut(V, V) -> V,
    ) -> V {
        fn add<V>(
            span: Span,
            of: &mut impl FnMut(&Span) -> Option<V>,
            plus: &mut impl FnMut(V, V) -> V,
        ) -> V {
            if let Some(value) = of(&span) {
                return value;
            }
            assert!(span.len() > 1, "every share is part of some span");
            let [left, right] = halves(&span).map(|half| add(half, of, plus));
            plus(left, right)
        }
        add(0..self.shares, of, plus)
    }
}

/// The halves of a span of more than one share; the second may have one more.
pub fn halves(span: &Span) -> [Span; 2] {
    let middle = span.start + span.len() / 2;
    [span.start..middle, middle..span.end]
}

/// Part `number`, if `0..all` is divided into `parts` about equal parts.
pub fn part(all: usize, number: usize, parts: usize) -> Range<usize> {
    let bound = |number: usize| (all as u128 * number as u128 / parts as u128) as usize;
    bound(number)..bound(number + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_power_of_two_of_ranks_has_whole_spans() {
        for shares in 1..70 {
            let tree = Tree { shares };
            for ranks in [1, 2, 4, 8, 16] {
                for rank in 0..ranks {
                    assert!(
                        tree.greatest(&tree.of_rank(rank, ranks)).len() <= 1,
                        "{shares}, {ranks}"
                    );
                }
            }
        }
        assert_eq!(Tree { shares: 8 }.greatest(&(1..6)), [1..2, 2..4, 4..6]);
        assert_eq!(Tree { shares: 5 }.parent(&(3..4)), Some(3..5));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        /// The tree is the same, whichever rank sums which shares.
        #[test]
        fn the_tree_does_not_depend_on_the_ranks(shares in 1_usize..40, ranks in 1_usize..12) {
            let tree = Tree { shares };
            prop_assert!(tree.of_rank(0, ranks).contains(&0), "policies are learned on it");
            let plus = |a: String, b: String| format!("({a} {b})");
            let leaf = |span: &Span| (span.len() == 1).then(|| span.start.to_string());
            let whole = tree.sum(&mut { leaf }, &mut { plus });
            let of_ranks: Vec<Span> = (0..ranks)
                .flat_map(|rank| tree.greatest(&tree.of_rank(rank, ranks)))
                .collect();
            let covered: Vec<usize> = of_ranks.iter().cloned().flatten().collect();
            prop_assert_eq!(covered, (0..shares).collect::<Vec<_>>());
            // Each rank sums its spans, and then these are summed.
            let of = |span: &Span| {
                let of_span = |all: &Span| Tree { shares }.sum(
                    &mut |inner: &Span| {
                        if inner.start >= all.end || inner.end <= all.start { return Some(String::new()) }
                        leaf(inner)
                    },
                    &mut |a, b| if a.is_empty() { b } else if b.is_empty() { a } else { plus(a, b) },
                );
                of_ranks.contains(span).then(|| of_span(span))
            };
            prop_assert_eq!(tree.sum(&mut { of }, &mut { plus }), whole);
            for span in &of_ranks {
                match tree.parent(span) {
                    Some(parent) => prop_assert!(halves(&parent).contains(span)),
                    None => prop_assert_eq!(span, &(0..shares)),
                }
            }
        }
    }
}
