//! Patterns: a recorded sequence of launches, of which the launches of any batch are a subsequence.
//!
//! The launches of a batch depend only on its function; the sequence of batches in a phase depends
//! on the minibatch. A pattern has the launches of each function as a subsequence; repeated often
//! enough, it has those of any sequence of batches. The launches that a batch does not need are
//! idle.

/// Whether a sequence is a subsequence of a pattern.
pub(super) fn covers<C: PartialEq>(pattern: &[C], sequence: &[C]) -> bool {
    let mut rest = pattern.iter();
    sequence.iter().all(|item| rest.any(|candidate| candidate == item))
}

/// The shortest common supersequence.
pub(super) fn merged<C: PartialEq + Copy>(a: &[C], b: &[C]) -> Vec<C> {
    // The length of the longest common subsequence of each pair of suffixes.
    let mut common = vec![vec![0_usize; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i][j] = match a[i] == b[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut merged = Vec::with_capacity(a.len() + b.len() - common[0][0]);
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            merged.push(a[i]);
            (i, j) = (i + 1, j + 1);
        } else if common[i + 1][j] >= common[i][j + 1] {
            merged.push(a[i]);
            i += 1;
        } else {
            merged.push(b[j]);
            j += 1;
        }
    }
    merged.extend_from_slice(&a[i..]);
    merged.extend_from_slice(&b[j..]);
    merged
}

/// The first positions of a sequence in the infinitely repeated pattern, which has all its items.
pub(super) fn places<C: PartialEq + Copy>(
    pattern: &[C],
    sequence: impl IntoIterator<Item = C>,
) -> Vec<usize> {
    let mut next = 0;
    let place = |item: C| {
        let found =
            (next..next + pattern.len()).find(|place| pattern[place % pattern.len()] == item);
        let place = found.expect("a pattern covers what it was made for");
        next = place + 1;
        place
    };
    sequence.into_iter().map(place).collect()
}

/// Rounds up: exact up to 8, then to one of four steps between powers of two. At most a fifth of
/// the result is excess.
pub(super) fn bucket(count: usize) -> usize {
    let step = (count.next_power_of_two() / 8).max(1);
    count.next_multiple_of(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(pattern: &[u8]) -> &str {
        std::str::from_utf8(pattern).unwrap()
    }

    #[test]
    fn a_pattern_covers_what_it_was_merged_from() {
        for (a, b, length) in [
            ("", "xyz", 3),
            ("cmf", "cmg", 4),
            ("abc", "abc", 3),
            ("abcbdab", "bdcaba", 9),
            ("ab", "ba", 3),
            ("aab", "ab", 3),
        ] {
            let merged = merged(a.as_bytes(), b.as_bytes());
            assert_eq!(merged.len(), length, "{}", text(&merged));
            assert!(covers(&merged, a.as_bytes()) && covers(&merged, b.as_bytes()));
        }
        assert!(!covers(b"abc", b"ca"));
        assert!(!covers(b"ab", b"aa"));
    }

    #[test]
    fn places_are_in_order_and_the_first_ones() {
        assert_eq!(places(b"cmfg", *b"cmfcmgcmg"), [0, 1, 2, 4, 5, 7, 8, 9, 11]);
        assert_eq!(places(b"abc", *b"ac"), [0, 2]);
        assert_eq!(places(b"ab", *b"bb"), [1, 3]);
        assert_eq!(places(b"ab", *b""), [0_usize; 0]);
    }

    #[test]
    fn a_bucket_has_few_too_many() {
        for count in 1..5000 {
            let bucket = bucket(count);
            assert!(bucket >= count && (bucket - count) * 5 <= bucket, "{count}: {bucket}");
        }
        let buckets: std::collections::BTreeSet<usize> = (1..=64).map(bucket).collect();
        let expected = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64];
        assert!(buckets.into_iter().eq(expected));
    }
}
