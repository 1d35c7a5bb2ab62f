//! The position of a loader, for checkpoints.

use serde::{Deserialize, Serialize};

/// The last epoch that a position may be in: no run reaches it, and counting on from it does not
/// overflow.
const LAST_EPOCH: u64 = u64::MAX / 2;

/// The position of a loader, and what its minibatches depend on: to be stored in a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    pub(super) epoch: u64,
    /// The minibatches of the epoch that have been handed out.
    pub(super) taken: usize,
    pub(super) samples: usize,
    pub(super) size: usize,
    pub(super) seed: u64,
    #[serde(default)]
    pub(super) buckets: Buckets,
}

/// How a loader puts samples of similar size together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Buckets {
    /// The position was written by a version that did not record buckets.
    #[default]
    Unknown,
    /// There are no buckets.
    None,
    /// The samples of `window` minibatches are sorted together; `sizes` is a hash of their sizes.
    Sorted { window: usize, sizes: u64 },
}

impl Position {
    /// Whether no minibatch of the epoch has been handed out.
    pub(crate) fn begins_epoch(&self) -> bool {
        self.taken == 0
    }
}

impl Buckets {
    fn text(self) -> String {
        match self {
            Self::Unknown | Self::None => "no buckets".to_owned(),
            Self::Sorted { window: 1, .. } => "buckets of 1 minibatch".to_owned(),
            Self::Sorted { window, .. } => format!("buckets of {window} minibatches"),
        }
    }
}

/// Why a loader cannot continue from a position.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// The position is of a loader with another setting.
    #[error("the position is of a loader with {setting} {found}, and this one has {own}")]
    Setting {
        /// The setting, as in `minibatches of`.
        setting: &'static str,
        /// Its value in the position.
        found: u64,
        /// Its value in the loader.
        own: u64,
    },
    /// The position is of a loader with other buckets, whose minibatches differ.
    #[error("the position is of a loader with {found}, and this one has {own}")]
    Buckets {
        /// Those of the position, in words.
        found: String,
        /// Those of the loader, in words.
        own: String,
    },
    /// The position is of a loader with the same buckets, but with other sizes of the samples.
    #[error(
        "the position is of a loader with the same buckets, for samples of other sizes: the data, or \
         what is taken for its size, has changed"
    )]
    Sizes,
    /// The position does not say which buckets the loader had.
    #[error(
        "the position was written by an older version, which did not note the buckets of the loader, so \
         that the minibatches that are left cannot be told: begin with a new loader, or, if the loader \
         had no buckets, add `\"buckets\": \"none\"` to the position in its file"
    )]
    Unknown,
    /// The position is past the end of an epoch.
    #[error(
        "the position is behind {taken} minibatches of an epoch, which has {minibatches}: it was not \
         written by a loader, or was changed since"
    )]
    Taken {
        /// The number of minibatches that were handed out, by the position.
        taken: usize,
        /// The number of minibatches in an epoch.
        minibatches: usize,
    },
    /// The position is in an epoch that no loader reaches.
    #[error("the position is in epoch {epoch}; no run comes that far")]
    Epoch {
        /// The epoch.
        epoch: u64,
    },
}

edb_kernels::debug_is_display!(PositionError);

/// Checks whether a loader at `current`, with so many minibatches in an epoch, can continue from a
/// position, which may come from a file and be anything.
pub(super) fn check(
    position: &Position,
    current: &Position,
    minibatches: usize,
) -> Result<(), PositionError> {
    let settings = [
        ("a number of samples of", position.samples as u64, current.samples as u64),
        ("minibatches of", position.size as u64, current.size as u64),
        ("the seed", position.seed, current.seed),
    ];
    if let Some((setting, found, own)) = settings.into_iter().find(|(_, a, b)| a != b) {
        return Err(PositionError::Setting { setting, found, own });
    }
    match (position.buckets, current.buckets) {
        (found, own) if found == own => {}
        (Buckets::Unknown, _) => return Err(PositionError::Unknown),
        (Buckets::Sorted { window: a, .. }, Buckets::Sorted { window: b, .. }) if a == b => {
            return Err(PositionError::Sizes);
        }
        (found, own) => {
            return Err(PositionError::Buckets { found: found.text(), own: own.text() });
        }
    }
    // The last minibatch ends an epoch, so that none is complete but not ended.
    if position.taken >= minibatches.max(1) {
        return Err(PositionError::Taken { taken: position.taken, minibatches });
    }
    if position.epoch > LAST_EPOCH {
        return Err(PositionError::Epoch { epoch: position.epoch });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::Loader;

    /// A position as a file may hold it: that of a new loader of 10 samples with something changed.
    fn tampered(loader: &Loader, field: &str, value: &str) -> Position {
        let mut position = serde_json::to_value(loader.position()).unwrap();
        position[field] = serde_json::from_str(value).unwrap();
        serde_json::from_value(position).unwrap()
    }

    #[test]
    fn a_position_that_no_loader_has_is_refused() {
        let mut loader = Loader::new(10, 5, 1);
        for taken in [2, 7, usize::MAX] {
            let position = tampered(&loader, "taken", &taken.to_string());
            let error = loader.resume(position).unwrap_err();
            let expected = format!(
                "the position is behind {taken} minibatches of an epoch, which has 2: it was not written \
                 by a loader, or was changed since"
            );
            assert_eq!(error.to_string(), expected);
        }
        for epoch in [u64::MAX, u64::MAX / 2 + 1] {
            let position = tampered(&loader, "epoch", &epoch.to_string());
            assert!(
                loader.resume(position).unwrap_err().to_string().contains("no run comes that far")
            );
        }
        // Nothing has changed.
        assert_eq!(loader.position(), Loader::new(10, 5, 1).position());
        assert_eq!(loader.epoch().count(), 2);
        // An epoch without minibatches is at its beginning.
        let mut empty = Loader::new(0, 5, 1);
        empty.resume(empty.position()).unwrap();
        let position = tampered(&empty, "taken", "1");
        assert!(empty.resume(position).is_err());
        // As far as a position may be, epochs go on.
        loader.resume(tampered(&loader, "epoch", &(u64::MAX / 2).to_string())).unwrap();
        assert_eq!((loader.epoch().count(), loader.epochs()), (2, u64::MAX / 2 + 1));
    }

    #[test]
    fn other_buckets_are_refused() {
        let size = |sample: usize| sample % 13;
        let loader = || Loader::new(100, 5, 1);
        let loaders = [
            loader(),
            loader().buckets(size, 4),
            loader().buckets(size, 5),
            loader().buckets(|sample| sample % 14, 4),
            loader().buckets(|_| 0, 4),
        ];
        for (number, from) in loaders.iter().enumerate() {
            for (to, loader) in loaders.iter().enumerate() {
                // As a checkpoint holds it.
                let text = serde_json::to_string(&from.position()).unwrap();
                let position: Position = serde_json::from_str(&text).unwrap();
                assert_eq!(position, from.position());
                let resumed = loader.clone().resume(position);
                assert_eq!(resumed.is_ok(), number == to, "{number} to {to}: {resumed:?}");
                if let Err(error) = resumed {
                    assert!(error.to_string().contains("buckets"), "{error}");
                }
            }
        }
        // Positions from before buckets were part of them.
        let mut position = serde_json::to_value(loader().position()).unwrap();
        position.as_object_mut().unwrap().remove("buckets").unwrap();
        let old: Position = serde_json::from_value(position).unwrap();
        for loader in &loaders[..2] {
            let error = loader.clone().resume(old).unwrap_err().to_string();
            assert!(error.contains("older version") && error.contains("\"none\""), "{error}");
        }
    }
}
