//! Entities: spans of a sequence that tags mark.

use std::collections::BTreeMap;

use super::classes::F1;

/// A span of a sequence, with a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entity<'a> {
    /// The index of its first tag.
    pub start: usize,
    /// The index after its last tag.
    pub end: usize,
    /// The kind, as in `PER`.
    pub kind: &'a str,
}

/// The entities that tags mark: `B-PER` begins one, `I-PER` or `M-PER` continues it, `E-PER` or
/// `L-PER` ends it, `S-PER`, `U-PER` or `W-PER` is one of a single tag, and `O` is outside of any.
/// This covers IOB1, BIO, BIOES, BMES, BILOU and BMEWO. As in the CoNLL evaluation script, a tag that
/// continues or ends an entity that has not begun, or that is of another kind, begins one. So does
/// a tag with another mark or without any, such as `PER`.
///
/// ```
/// # extern crate edb_train as edb;
/// use edb::metrics::{Entity, entities};
///
/// let tags = ["B-PER", "I-PER", "O", "I-LOC", "B-LOC"];
/// let spans: Vec<_> = entities(tags).iter().map(|e| (e.start, e.end, e.kind)).collect();
/// assert_eq!(spans, [(0, 2, "PER"), (3, 4, "LOC"), (4, 5, "LOC")]);
/// ```
pub fn entities<'a>(tags: impl IntoIterator<Item = &'a str>) -> Vec<Entity<'a>> {
    let mut found: Vec<Entity<'a>> = Vec::new();
    // Whether the last entity may continue.
    let mut open = false;
    for (position, tag) in tags.into_iter().enumerate() {
        let (mark, kind) = tag.split_once('-').unwrap_or((tag, ""));
        if mark == "O" || mark.is_empty() {
            open = false;
            continue;
        }
        let goes_on = open && matches!(mark, "I" | "M" | "E" | "L");
        match found.last_mut() {
            Some(last) if goes_on && last.kind == kind => last.end = position + 1,
            _ => found.push(Entity { start: position, end: position + 1, kind }),
        }
        open = !matches!(mark, "E" | "L" | "S" | "U" | "W");
    }
    found
}

/// Precision, recall and F1 of entities: one is correct only if start, end and kind are.
///
/// ```
/// # extern crate edb_train as edb;
/// use edb::metrics::Entities;
///
/// let mut entities = Entities::default();
/// entities.observe(["B-PER", "O", "B-LOC"], ["B-PER", "O", "B-ORG"]);
/// assert_eq!(entities.all().f1(), 0.5);
/// assert_eq!(entities.of("PER").f1(), 1.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entities {
    kinds: BTreeMap<String, F1>,
}

impl Entities {
    /// Records the predicted tags of a sequence, and the target tags.
    pub fn observe<'a>(
        &mut self,
        predicted: impl IntoIterator<Item = &'a str>,
        target: impl IntoIterator<Item = &'a str>,
    ) {
        let (predicted, target) = (entities(predicted), entities(target));
        // No two entities begin at one tag, so that one walk along both lists meets all that are equal.
        let mut others = target.iter().peekable();
        for entity in &predicted {
            while others.next_if(|other| other.start < entity.start).is_some() {}
            let hits = u64::from(others.peek() == Some(&entity));
            self.kind(entity.kind).merge(&F1 { hits, predicted: 1, targets: 0 });
        }
        for entity in &target {
            self.kind(entity.kind).targets += 1;
        }
    }

    fn kind(&mut self, kind: &str) -> &mut F1 {
        self.kinds.entry(kind.to_owned()).or_default()
    }

    /// Adds the observations of another.
    pub fn merge(&mut self, other: &Self) {
        for (kind, of) in &other.kinds {
            self.kind(kind).merge(of);
        }
    }

    /// The counts over all kinds.
    pub fn all(&self) -> F1 {
        let mut all = F1::default();
        self.kinds.values().for_each(|of| all.merge(of));
        all
    }

    /// The counts of one kind.
    pub fn of(&self, kind: &str) -> F1 {
        self.kinds.get(kind).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(tags: &str) -> Vec<(usize, usize, String)> {
        let found = entities(tags.split(' '));
        found.iter().map(|e| (e.start, e.end, e.kind.to_owned())).collect()
    }

    #[test]
    fn all_schemes_are_read() {
        let expected = [(0, 3, "X".to_owned()), (3, 4, "X".to_owned()), (5, 6, "Y".to_owned())];
        assert_eq!(spans("B-X I-X I-X B-X O B-Y"), expected);
        assert_eq!(spans("B-X I-X E-X S-X O S-Y"), expected);
        assert_eq!(spans("B-X M-X E-X S-X O S-Y"), expected);
        // Fault B14: the last tag of an entity began another one.
        assert_eq!(spans("B-X I-X L-X U-X O U-Y"), expected);
        assert_eq!(spans("B-X M-X E-X W-X O W-Y"), expected);
        assert_eq!(spans("B-X L-X I-X").len(), 2);
        assert_eq!(spans("U-X I-X").len(), 2);
        // An end without a beginning, and a kind that changes.
        assert_eq!(
            spans("E-X I-Y I-X"),
            [(0, 1, "X".to_owned()), (1, 2, "Y".to_owned()), (2, 3, "X".to_owned()),]
        );
        assert_eq!(spans("O O"), []);
    }

    #[test]
    fn an_entity_counts_if_its_start_end_and_kind_are_right() {
        let mut found = Entities::default();
        found.observe(["B-X", "I-X", "O"], ["B-X", "I-X", "I-X"]);
        assert_eq!(found.all(), F1 { hits: 0, predicted: 1, targets: 1 });
        let mut more = Entities::default();
        more.observe(["B-X", "I-X", "B-Y"], ["B-X", "I-X", "O"]);
        found.merge(&more);
        assert_eq!(found.all(), F1 { hits: 1, predicted: 3, targets: 2 });
        assert_eq!(found.of("X"), F1 { hits: 1, predicted: 2, targets: 2 });
        assert!(found.of("Z").f1().is_nan());
    }

    /// Fault F of the third list: each predicted entity was looked for among all targets, of which there
    /// are here so many that the square of their number could not be gone through.
    #[test]
    fn a_long_sequence_takes_time_in_proportion() {
        let count = 2_000_000;
        let target = std::iter::repeat_n("B-X", count);
        // Every third is of another kind, and every fifth is none.
        let predicted = (0..count).map(|place| match place {
            place if place % 5 == 0 => "O",
            place if place % 3 == 0 => "B-Y",
            _ => "B-X",
        });
        let mut found = Entities::default();
        found.observe(predicted, target);
        let hits =
            (0..count as u64).filter(|place| place % 5 != 0 && place % 3 != 0).count() as u64;
        let none = count as u64 / 5;
        assert_eq!(found.all(), F1 { hits, predicted: count as u64 - none, targets: count as u64 });
    }

    #[test]
    fn hits_are_those_that_are_in_both() {
        let tags = ["O", "B-X", "I-X", "S-Y", "E-X", "B-Y"];
        for seed in 0..500_usize {
            // Digits of a number, so that all short sequences are met.
            let of = |seed: usize| {
                (0..4).map(move |place| tags[seed / tags.len().pow(place) % tags.len()])
            };
            let (predicted, target) = (seed * 7919 % 1296, seed * 104_729 % 1296);
            let mut found = Entities::default();
            found.observe(of(predicted), of(target));
            let all = entities(of(target));
            let hits = entities(of(predicted)).iter().filter(|one| all.contains(one)).count();
            assert_eq!(found.all().hits, hits as u64);
        }
    }
}
