//! The arc-hybrid transition system (Kuhlmann et al., 2011, "Dynamic programming algorithms for
//! transition-based dependency parsers", section 2.3) and its dynamic oracle (Goldberg and Nivre,
//! 2013, "Training deterministic parsers with non-deterministic oracles", section 4.2).

/// The head and the relation of a word. The root's head is the artificial root, which follows the
/// last word and stays in the buffer.
pub type Arc = (usize, u32);

/// What becomes of the top of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transition {
    /// The next word is moved on it.
    Shift,
    /// It is removed, a dependent of the next word by this relation.
    Left(u32),
    /// It is removed, a dependent of the word below.
    Right(u32),
}
use Transition::{Left, Right, Shift};

impl Transition {
    /// How many there are.
    pub fn count(relations: usize) -> u32 {
        1 + 2 * relations as u32
    }

    /// The transition of a number below that.
    pub fn new(number: u32) -> Self {
        match (number.checked_sub(1), number % 2) {
            (None, _) => Shift,
            (Some(rest), 1) => Left(rest / 2),
            (Some(rest), _) => Right(rest / 2),
        }
    }
}

/// A sentence that is being parsed.
#[derive(Clone, Debug)]
pub struct Parse {
    pub stack: Vec<usize>,
    /// The first word of the buffer.
    pub next: usize,
    /// The arcs that have been found.
    pub arcs: Vec<Arc>,
    pub gold: Vec<Arc>,
}

impl Parse {
    /// A sentence before the first transition.
    pub fn new(gold: Vec<Arc>) -> Self {
        Self { stack: Vec::new(), next: 0, arcs: vec![(usize::MAX, 0); gold.len()], gold }
    }

    /// Whether every word has a head.
    pub fn is_done(&self) -> bool {
        self.stack.is_empty() && self.next == self.arcs.len()
    }

    /// Whether a transition is allowed. Only the last word on the stack may depend on the
    /// artificial root, so that one word does.
    pub fn allows(&self, transition: Transition) -> bool {
        let (depth, has_words) = (self.stack.len(), self.next < self.arcs.len());
        match transition {
            Shift => has_words,
            Left(_) => depth == 1 || has_words && depth > 1,
            Right(_) => depth > 1,
        }
    }

    /// Takes a transition that is allowed.
    pub fn take(&mut self, transition: Transition) {
        match (transition, self.stack.pop(), self.stack.last()) {
            (Left(relation), Some(top), _) => self.arcs[top] = (self.next, relation),
            (Right(relation), Some(top), Some(below)) => self.arcs[top] = (*below, relation),
            (_, top, _) => {
                self.stack.extend(top.into_iter().chain([self.next]));
                self.next += 1;
            }
        }
    }

    /// How many gold arcs can be reached before an allowed transition, and no more after it.
    pub fn cost(&self, transition: Transition) -> usize {
        let (next, gold, root) = (self.next, &self.gold, self.gold.len());
        let [below @ .., top] = &self.stack[..] else { return 0 };
        let head = gold[if transition == Shift { next } else { *top }].0;
        let loses_head = match transition {
            Shift => head == root || below.contains(&head),
            Left(_) if head > next => head < root || below.is_empty(),
            Left(_) => below.last() == Some(&head),
            Right(_) => (next..root).contains(&head),
        };
        let dependents = match transition {
            Shift => self.stack.iter().filter(|word| gold[**word].0 == next).count(),
            _ => gold[next..].iter().filter(|(head, _)| head == top).count(),
        };
        usize::from(loses_head) + dependents
    }

    /// The allowed transitions of the least cost, with gold relations. (Where the tree is not
    /// projective, the least may be more than 0.)
    pub fn right(&self) -> Vec<Transition> {
        let relation = self.stack.last().map_or(0, |top| self.gold[*top].1);
        let mut all = vec![Left(relation), Right(relation), Shift];
        all.retain(|transition| self.allows(*transition));
        let least = all.iter().map(|transition| self.cost(*transition)).min();
        all.retain(|transition| Some(self.cost(*transition)) == least);
        all
    }
}

#[cfg(test)]
mod tests;
