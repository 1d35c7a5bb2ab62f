//! "Did you mean": finds the known name that is closest to a misspelled one.

/// The candidate of which `name` is most likely a misspelling.
///
/// Short names are close to many words, so a name of up to two letters has no candidates, one of up
/// to five may differ from a candidate by one edit, and a longer one by two.
pub(crate) fn closest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let most = match name.len() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    let measured = candidates.into_iter().map(|known| (distance(name, known), known));
    measured.filter(|&(edits, _)| edits <= most).min().map(|(_, known)| known)
}

/// The candidate of which `name` is almost certainly a misspelling: for positions where an unknown
/// name may be valid, because it may be a helper's.
pub(crate) fn mistyped<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    candidates.into_iter().find(|known| name.len() >= 6 && distance(name, known) == 1)
}

/// The number of insertions, deletions, substitutions and swaps of adjacent letters between two
/// words.
fn distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|word| word.chars().collect::<Vec<_>>());
    // The distances between prefixes: a row for each length `i` of a prefix of `a`, of which these
    // are `i - 2`, `i - 1` and `i`, and in it an entry for each length `j` of a prefix of `b`.
    let mut rows = [Vec::new(), Vec::new(), (0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        rows.rotate_left(1);
        let [before, above, row] = &mut rows;
        *row = vec![i];
        for j in 1..=b.len() {
            let substituted = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substituted.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
    }
    rows[2][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_are_close_and_other_words_are_not() {
        let known = ["sigmoid", "softmax", "tanh", "pull", "mse"];
        assert_eq!(closest("sigmod", known), Some("sigmoid"));
        assert_eq!(closest("sofmtax", known), Some("softmax"));
        assert_eq!(closest("tahn", known), Some("tanh"));
        assert_eq!(closest("gate", known), None);
        assert_eq!(closest("k", ["a"]), None);
        assert_eq!(closest("mlp", known), None);
        assert_eq!(closest("cell", known), None);
        assert_eq!(mistyped("sigmod", known), Some("sigmoid"));
        assert_eq!(mistyped("sofmtax", known), Some("softmax"));
        assert_eq!(mistyped("pulls", known), None);
        assert_eq!(mistyped("sigmoids2", known), None);
    }

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("abcd", "acbd"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
