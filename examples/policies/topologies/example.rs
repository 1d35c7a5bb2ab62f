//! What a graph is made of, drawn or from a corpus.

use rand::rngs::ChaCha8Rng;

use readers::lines::Lines;
use support::Result;

/// What one graph is made of, such as the tree of a sentence.
pub trait Example: Sized {
    /// A random one.
    fn draw(rng: &mut ChaCha8Rng) -> Self;

    /// Those of a corpus, in file order.
    fn read(lines: Lines) -> Result<Vec<Self>>;
}

/// A graph for which there is no corpus.
impl Example for () {
    fn draw(_: &mut ChaCha8Rng) {}

    fn read(_: Lines) -> Result<Vec<()>> {
        Err("these graphs are only drawn: no corpus has them".into())
    }
}
