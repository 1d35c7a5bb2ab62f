//! Which rows of a parameter's gradient a rank sums.

use std::ops::Range;

use edb_core::backend::{Extent, part};

/// The rows of a parameter that one rank sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RankRows {
    pub(crate) rows: Range<usize>,
}

impl RankRows {
    /// What a rank sums where the sum of all has this extent, of so many rows: about as many rows
    /// with values as any other rank.
    pub(crate) fn of(sum: &Extent, count: usize, rank: usize, ranks: usize) -> Self {
        let rows = match sum {
            Extent::Zero => 0..0,
            Extent::Dense => part(count, rank, ranks),
            Extent::Rows(rows) => {
                let own = &rows[part(rows.len(), rank, ranks)];
                let ends = own.first().zip(own.last());
                ends.map_or(0..0, |(first, last)| *first as usize..*last as usize + 1)
            }
        };
        Self { rows }
    }

    /// Where these rows are among those that a gradient has.
    pub(super) fn places_in(&self, of: &Extent) -> Range<usize> {
        match of {
            Extent::Zero => 0..0,
            Extent::Dense => self.rows.clone(),
            Extent::Rows(rows) => {
                let before = |end: usize| rows.partition_point(|row| (*row as usize) < end);
                before(self.rows.start)..before(self.rows.end)
            }
        }
    }

    /// The extent of a gradient within these rows.
    pub(crate) fn extent_of(&self, of: &Extent) -> Extent {
        match of {
            _ if self.rows.is_empty() => Extent::Zero,
            Extent::Rows(rows) => Extent::Rows(rows[self.places_in(of)].to_vec()),
            other => other.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each value of each summand is summed by one rank, and each rank knows where.
    #[test]
    fn cuts_cover_every_row_once() {
        let lists = [vec![], vec![4], vec![0, 3, 4, 9], vec![1, 2, 3, 5, 6, 7, 8]];
        let rows = lists.map(Extent::Rows);
        for sum in rows.iter().chain([&Extent::Dense]) {
            for ranks in 1..6 {
                let cuts: Vec<RankRows> =
                    (0..ranks).map(|rank| RankRows::of(sum, 10, rank, ranks)).collect();
                let places: Vec<usize> = cuts.iter().flat_map(|cut| cut.places_in(sum)).collect();
                let count = match sum {
                    Extent::Rows(rows) => rows.len(),
                    _ => 10,
                };
                assert_eq!(places, (0..count).collect::<Vec<_>>());
                for summand in rows.iter().filter(|rows| rows.plus(sum) == *sum) {
                    let of = |cut: &RankRows| match cut.extent_of(summand) {
                        Extent::Rows(rows) => {
                            assert_eq!(rows.len(), cut.places_in(summand).len());
                            rows
                        }
                        _ => Vec::new(),
                    };
                    let all: Vec<u32> = cuts.iter().flat_map(of).collect();
                    assert_eq!(Extent::Rows(all), *summand, "{sum:?} over {ranks}");
                }
            }
        }
        let nothing = RankRows { rows: 0..0 };
        assert_eq!(RankRows::of(&Extent::Zero, 10, 1, 3), nothing);
        assert_eq!(nothing.extent_of(&Extent::Dense), Extent::Zero);
    }
}
