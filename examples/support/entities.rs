//! Named entities in the tags of a sentence, and how well they are found.

/// An entity: the words from one to before another, and its kind.
type Entity<'a> = (usize, usize, &'a str);

/// The entities that tags `B-KIND`, `I-KIND`, `M-KIND`, `E-KIND`, `S-KIND` and `O` mark: in IOB1 (where
/// `B` only parts neighbours of one kind), in BIO, and in BMES.
pub fn entities<'a>(tags: &[&'a str]) -> Vec<Entity<'a>> {
    let mut found: Vec<Entity<'a>> = Vec::new();
    // Whether the entity found last may go on here.
    let mut open = false;
    for (at, tag) in tags.iter().enumerate() {
        let Some((place, kind)) = tag.split_once('-') else {
            open = false;
            continue;
        };
        match found.last_mut() {
            Some(last) if open && last.2 == kind && !matches!(place, "B" | "S") => last.1 = at + 1,
            _ => found.push((at, at + 1, kind)),
        }
        open = !matches!(place, "E" | "S");
    }
    found
}

/// Entities, counted over sentences.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    gold: usize,
    predicted: usize,
    right: usize,
}

impl Found {
    /// Counts in a sentence: an entity is right if its words and its kind are.
    pub fn add(&mut self, gold: &[&str], predicted: &[&str]) {
        let (gold, predicted) = (entities(gold), entities(predicted));
        self.gold += gold.len();
        self.predicted += predicted.len();
        self.right += predicted.iter().filter(|entity| gold.contains(entity)).count();
    }

    /// The harmonic mean of precision and recall; 0 where nothing is right.
    pub fn f1(&self) -> f64 {
        2.0 * self.right as f64 / (self.gold + self.predicted).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_read_in_all_schemes() {
        let of = |tags: &str| entities(&tags.split(' ').collect::<Vec<_>>()).len();
        let iob1 = ["I-PER", "I-PER", "B-PER", "I-LOC", "O", "I-LOC"];
        assert_eq!(entities(&iob1), [(0, 2, "PER"), (2, 3, "PER"), (3, 4, "LOC"), (5, 6, "LOC")]);
        let bmes = ["B-ORG", "M-ORG", "E-ORG", "E-ORG", "S-ORG", "S-ORG", "O"];
        let expected = [(0, 3, "ORG"), (3, 4, "ORG"), (4, 5, "ORG"), (5, 6, "ORG")];
        assert_eq!(entities(&bmes), expected);
        assert_eq!([of("O O"), of("B-A I-B I-B O I-B"), of("B-A B-A")], [0, 3, 2]);
    }

    #[test]
    fn an_entity_is_right_as_a_whole() {
        let mut found = Found::default();
        assert_eq!(found.f1(), 0.0);
        found.add(&["B-A", "I-A", "O", "B-B"], &["B-A", "O", "O", "B-B"]);
        assert_eq!(found.f1(), 0.5);
        found.add(&["B-A", "O"], &["O", "O"]);
        assert_eq!(found.f1(), 0.4);
    }
}
