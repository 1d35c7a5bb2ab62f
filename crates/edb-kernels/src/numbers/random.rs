//! Random draws that depend on their use, and on nothing else.
//!
//! This is a counter-based generator: a draw is a hash of its coordinates. So it does not matter in which
//! batch, on which thread or on which back end a draw is made, or whether it is made twice.
//!
//! The coordinates are seed, step, sample, vertex, op and element. If a vertex branches or loops, the number of
//! its earlier draws takes the place of the op. In inference nothing is dropped, and `sample` draws as in step
//! 0.

use edb_ir::Sites;

/// The key of a vertex's draws: the run, the step, the sample and the vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexKey {
    vertex: u64,
    /// The key that all vertices of one function share in a graph.
    shared: u64,
    /// How often the vertex has drawn and decided before.
    sites: Sites,
}

impl VertexKey {
    /// The key of a vertex. `sample` is the stable id of its graph, `vertex` is its number in the graph, and
    /// `function` is a number for its function.
    #[inline]
    pub fn new(seed: u64, step: u64, sample: u64, function: u64, vertex: u32) -> Self {
        let graph = [step, sample].into_iter().fold(mix(seed), |key, part| mix(key ^ part));
        // Numbers of vertices do not reach bit 32.
        let shared = mix(mix(graph ^ 1 << 32) ^ function);
        VertexKey { vertex: mix(graph ^ u64::from(vertex)), shared, sites: Sites::default() }
    }

    /// The key of a vertex that has already drawn and decided this often, in [sections](edb_ir::Joint) that it
    /// has run.
    #[inline]
    pub fn after(self, sites: Sites) -> Self {
        Self { sites, ..self }
    }

    /// The key as numbers, for a back end that draws on a device: its own key, the shared key, and the earlier
    /// draws of the vertex. The lower 32 bits of the last number count the draws outside of loops over
    /// children, and the upper bits count these loops.
    #[inline]
    pub fn words(self) -> [u64; 3] {
        let Sites { vertex, loops } = self.sites;
        [self.vertex, self.shared, u64::from(loops) << 32 | u64::from(vertex)]
    }

    /// The draws of one op at this vertex. `site` is the number of the op, counted from the beginning of its
    /// section. `edge` counts children in a `gather_all` loop, and is 0 outside of such a loop.
    #[inline]
    pub fn site(self, site: u32, edge: u32) -> SiteKey {
        let site = self.sites.before(site);
        SiteKey(mix(self.vertex ^ (u64::from(site) << 32 | u64::from(edge))))
    }

    /// The draws of one op, the same for all vertices of its function in a graph.
    #[inline]
    pub fn shared_site(self, site: u32) -> SiteKey {
        SiteKey(mix(self.shared ^ u64::from(self.sites.before(site))))
    }
}

/// The draws of one op at one vertex or edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteKey(u64);

impl SiteKey {
    /// The draw for one element, uniform in `[0, 1)`.
    #[inline(always)]
    pub fn uniform(self, element: usize) -> f64 {
        // 2^-53: the draw has 53 bits.
        self.bits(element) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// A draw for one element from the standard normal distribution (Box and Muller, 1958).
    #[inline]
    pub fn normal(self, element: usize) -> f64 {
        let [radius, angle] = [2 * element, 2 * element + 1].map(|draw| self.uniform(draw));
        // `1 - radius` is in (0, 1], so its logarithm is finite.
        (-2.0 * (1.0 - radius).ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }

    /// The 53 bits from which [`SiteKey::uniform`] is computed.
    #[inline(always)]
    fn bits(self, element: usize) -> u64 {
        mix(self.0 ^ element as u64) >> 11
    }

    /// Whether the draw for an element is at least the rate of this threshold.
    #[inline(always)]
    pub fn reaches(self, element: usize, rate: Threshold) -> bool {
        self.bits(element) >= rate.0
    }
}

/// A rate in `[0, 1]` as an integer with which draws are compared; comparisons of integers vectorise.
#[derive(Clone, Copy, Debug)]
pub struct Threshold(u64);

impl Threshold {
    /// The least 53-bit draw that reaches the threshold.
    #[inline]
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The threshold of a rate. A draw reaches it exactly if [`SiteKey::uniform`] is at least `rate`.
    #[inline]
    pub fn new(rate: f64) -> Self {
        Threshold((rate * 9_007_199_254_740_992.0).ceil() as u64)
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): the Weyl step, then the finaliser.
#[inline(always)]
fn mix(state: u64) -> u64 {
    let z = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A list with at least this many words is hashed in strands.
const MIN_WORDS_FOR_STRANDS: usize = 64;

/// A running hash of 64-bit words, for ids that depend on content only.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContentHash(u64);

impl ContentHash {
    /// Adds a word.
    #[inline]
    pub fn add(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word);
    }

    /// Adds a list of words. A long list is hashed in strands that do not wait for each other.
    pub fn add_list<V: Copy>(&mut self, list: &[V], word: impl Fn(V) -> u64) {
        let (strands, rest) =
            list.split_at(if list.len() < MIN_WORDS_FOR_STRANDS { 0 } else { list.len() / 4 * 4 });
        if !strands.is_empty() {
            let mut hashes: [u64; 4] = [1, 2, 3, 4];
            for part in strands.chunks_exact(4) {
                for (hash, &value) in hashes.iter_mut().zip(part) {
                    *hash = mix(*hash ^ word(value));
                }
            }
            hashes.iter().for_each(|hash| self.add(*hash));
        }
        rest.iter().for_each(|&value| self.add(word(value)));
    }

    /// The hash of the words so far.
    #[inline]
    pub fn finish(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_hashed_by_all_of_its_words_in_their_order() {
        let hash = |list: &[u64]| {
            let mut hash = ContentHash::default();
            hash.add_list(list, |word| word);
            hash.finish()
        };
        for length in
            (0..6).chain(MIN_WORDS_FOR_STRANDS as u64 - 1..MIN_WORDS_FOR_STRANDS as u64 + 6)
        {
            let list: Vec<u64> = (0..length).map(|word| word * word).collect();
            let mut found = std::collections::BTreeSet::from([hash(&list)]);
            for place in 0..list.len() {
                let mut other = list.clone();
                other[place] ^= 1 << 40;
                found.insert(hash(&other));
                // Exchange a word with the next one, and with the next one of its strand.
                for step in [1, 4].into_iter().filter(|step| place + step < list.len()) {
                    let mut other = list.clone();
                    other.swap(place, place + step);
                    found.insert(hash(&other));
                }
                found.insert(hash(&list[..place]));
            }
            let swaps = list.len().saturating_sub(1) + list.len().saturating_sub(4);
            assert_eq!(found.len(), 1 + 2 * list.len() + swaps, "{length}");
        }
    }

    #[test]
    fn thresholds_are_rates() {
        let key = VertexKey::new(1, 2, 3, 7, 4).site(5, 6);
        for rate in [0.0, 0.1, 0.5, 0.9, 1.0] {
            for element in 0..1000 {
                let reaches = key.reaches(element, Threshold::new(rate));
                assert_eq!(reaches, key.uniform(element) >= rate);
            }
            // Check this also exactly at the threshold.
            let edge = key.uniform(0);
            assert!(key.reaches(0, Threshold::new(edge)));
            assert!(!key.reaches(0, Threshold::new(edge.next_up())));
        }
    }

    #[test]
    fn draws_are_uniform_and_depend_on_every_coordinate() {
        let base = VertexKey::new(1, 2, 3, 7, 4).site(5, 6);
        let mean = (0..10_000).map(|element| base.uniform(element)).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
        let others = [
            VertexKey::new(9, 2, 3, 7, 4).site(5, 6),
            VertexKey::new(1, 9, 3, 7, 4).site(5, 6),
            VertexKey::new(1, 2, 9, 7, 4).site(5, 6),
            VertexKey::new(1, 2, 3, 7, 9).site(5, 6),
            VertexKey::new(1, 2, 3, 7, 4).site(9, 6),
            VertexKey::new(1, 2, 3, 7, 4).site(5, 9),
        ];
        for other in others {
            assert_ne!(other.uniform(0), base.uniform(0));
        }
        assert_ne!(base.uniform(0), base.uniform(1));
    }

    #[test]
    fn shared_draws_depend_on_all_but_the_vertex() {
        let base = VertexKey::new(1, 2, 3, 7, 4).shared_site(5);
        assert_eq!(VertexKey::new(1, 2, 3, 7, 9).shared_site(5), base);
        let others = [
            VertexKey::new(9, 2, 3, 7, 4).shared_site(5),
            VertexKey::new(1, 9, 3, 7, 4).shared_site(5),
            VertexKey::new(1, 2, 9, 7, 4).shared_site(5),
            VertexKey::new(1, 2, 3, 9, 4).shared_site(5),
            VertexKey::new(1, 2, 3, 7, 4).shared_site(9),
            VertexKey::new(1, 2, 3, 7, 4).site(5, 0),
        ];
        assert!(others.iter().all(|other| *other != base));
    }

    #[test]
    fn normal_draws_have_their_moments() {
        let key = VertexKey::new(1, 2, 3, 7, 4).site(5, 6);
        let draws: Vec<f64> = (0..20_000).map(|element| key.normal(element)).collect();
        let moment =
            |power: i32| draws.iter().map(|x| x.powi(power)).sum::<f64>() / draws.len() as f64;
        for (power, expected) in [(1, 0.0), (2, 1.0), (3, 0.0), (4, 3.0)] {
            assert!((moment(power) - expected).abs() < 0.15, "{power}: {}", moment(power));
        }
    }
}
