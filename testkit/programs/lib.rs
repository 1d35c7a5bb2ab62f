//! Shared code of the compiler's tests: hand-written programs, and random numbers and orders for
//! tests by brute force.
#![forbid(unsafe_code)]

pub mod cells;
pub mod layouts;
pub mod orders;

/// A source of random choices: a seeded generator, or the bytes of a fuzzer.
pub trait Draws {
    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize;

    /// The numbers below `len`, shuffled.
    fn order(&mut self, len: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..len).collect();
        (1..len).rev().for_each(|last| order.swap(last, self.below(last + 1)));
        order
    }
}

/// SplitMix64 (Steele et al., 2014): a stream of pseudo-random numbers from a seed.
pub struct Random(pub u64);

impl Draws for Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }
}

/// Every order of the numbers below `len`, ascending.
pub fn all_orders(len: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..len {
        let longer = |order: &Vec<usize>| {
            let rest = (0..len).filter(|item| !order.contains(item));
            rest.map(|item| [&order[..], &[item]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Whether the items of `set` are consecutive in `order`.
pub fn consecutive(order: &[usize], set: &[usize]) -> bool {
    let inside = |item: &usize| set.contains(item);
    let run = order.iter().skip_while(|item| !inside(item)).take_while(|item| inside(item));
    run.count() == order.iter().filter(|item| inside(item)).count()
}
