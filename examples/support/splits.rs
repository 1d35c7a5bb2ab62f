//! Records in three splits.

/// Records in three splits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splits<R> {
    /// The records to train on.
    pub train: Vec<R>,
    /// The records to choose hyperparameters and epochs with.
    pub dev: Vec<R>,
    /// The records for the final evaluation.
    pub test: Vec<R>,
}

impl<R> Splits<R> {
    /// Reads each split by its name.
    pub fn read<E>(
        [train, dev, test]: [&str; 3],
        mut read: impl FnMut(&str) -> Result<Vec<R>, E>,
    ) -> Result<Self, E> {
        Ok(Self { train: read(train)?, dev: read(dev)?, test: read(test)? })
    }

    /// Draws records for the splits, in these numbers.
    pub fn draw([train, dev, test]: [usize; 3], mut draw: impl FnMut() -> R) -> Self {
        let mut split = |count| (0..count).map(|_| draw()).collect();
        Self { train: split(train), dev: split(dev), test: split(test) }
    }

    /// The same splits, with each record converted.
    pub fn map<S>(&self, record: impl Fn(&R) -> S) -> Splits<S> {
        let split = |records: &[R]| records.iter().map(&record).collect();
        Splits { train: split(&self.train), dev: split(&self.dev), test: split(&self.test) }
    }

    /// The same splits; an error if one is empty.
    pub fn filled(self) -> Result<Self, String> {
        let splits = [("training", &self.train), ("dev", &self.dev), ("test", &self.test)];
        match splits.iter().find(|(_, split)| split.is_empty()) {
            Some((name, _)) => Err(format!("the {name} split has no records")),
            None => Ok(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_split_is_named() {
        let splits = |[train, dev, test]: [usize; 3]| Splits::draw([train, dev, test], || ());
        assert_eq!(splits([1, 1, 1]).filled(), Ok(splits([1, 1, 1])));
        for (sizes, name) in [([0, 0, 1], "training"), ([1, 0, 0], "dev"), ([1, 1, 0], "test")] {
            let expected = format!("the {name} split has no records");
            assert_eq!(splits(sizes).filled(), Err(expected));
        }
    }
}
