//! The spelling of a word (Lample et al., 2016, "Neural architectures for named entity
//! recognition", section 4.1): an LSTM reads its letters in both directions. `s→` is the state
//! after the last letter, and `s←` the state of the backward direction after the first.

use edb::Element;
use edb::prelude::*;

use super::lstm::{chain, lstm};

/// The state that a letter passes to its neighbour.
#[derive(State)]
pub struct Spelling {
    pub h: Tensor,
    pub c: Tensor,
}

/// A letter.
#[derive(Input)]
pub struct Letter {
    pub id: Index,
}

/// A letter, after those before it in its direction.
#[vertex_function]
pub fn letter(
    #[dim(H)] size: Dim,
    #[param(V, X)] table: Tensor,
    #[param(4 * H, X)] w: Tensor,
    #[param(4 * H, H)] u: Tensor,
    #[param(4 * H)] b: Tensor,
) {
    let Letter { id } = pull();
    let before = gather_or(0, Spelling { h: zeros(size), c: zeros(size) });
    let [h, c] = lstm(w.dot(table.row(id)) + u.dot(before.h) + b, before.c);
    scatter(Spelling { h, c });
}

/// The vertex functions in a model, forward and backward.
pub struct Speller([Function<letter>; 2]);

impl Speller {
    /// Adds the functions to a model, for `letters` letters; vectors of letters are as wide as the
    /// states.
    pub fn new(builder: &mut ModelBuilder, letters: usize, hidden: usize) -> Self {
        let uniform = Initializer::Uniform { bound: 0.1 };
        let dims = dims! { V: letters, X: hidden, H: hidden }.init("table", uniform);
        let forward = builder.add::<letter>(dims.clone().named("letter_forward"));
        let dims = dims.share("table", forward.param("table")).named("letter_backward");
        Self([forward, builder.add::<letter>(dims)])
    }

    /// Adds the letters of a word, at least one, to a graph; returns `s→` and `s←`.
    pub fn read<T: Element>(&self, g: &mut Graph<T>, word: &[u32]) -> [Vertex<Spelling>; 2] {
        let Self([f, b]) = self;
        let letter = |id: &u32| Letter { id: (*id).into() };
        let forward = chain(word, None, |id, before| g.add(f, [before], letter(id)));
        let backward = chain(word.iter().rev(), None, |id, behind| g.add(b, [behind], letter(id)));
        [forward, backward].map(|states| *states.last().expect("a word has at least one letter"))
    }
}
