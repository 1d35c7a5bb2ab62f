//! Finds where the texts of two programs first differ: in which op, constant, parameter or field.
//!
//! The numbers and the order of values are not compared, since both depend on everything that comes before. A value is
//! identified by how it is computed. So programs differ in the values that only one of them has. Of these, the first
//! ones are those that are computed only from values that both programs have.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A line of a program, without the numbers of values.
struct Said {
    /// The op with its attributes, and the shape: `slice 2*H.. : vertex [H]`.
    text: String,
    /// A hash of how its value is computed.
    computed: u64,
    /// The hashes of the values from which it is computed.
    from: Vec<u64>,
}

/// The lines of a program, except the line with its name.
fn said(lines: &[String]) -> Vec<Said> {
    let mut numbers: BTreeMap<&str, u64> = BTreeMap::new();
    let mut all = Vec::with_capacity(lines.len());
    for line in lines.iter().filter(|line| !line.starts_with("vertex function ")) {
        let value = line.strip_prefix('%').and_then(|rest| rest.split_once(" = "));
        let (number, rest) = value.map_or((None, line.as_str()), |(number, of)| (Some(number), of));
        let (mut words, mut from) = (Vec::new(), Vec::new());
        for word in rest.split(' ') {
            match word.strip_prefix('%') {
                Some(number) => from.push(numbers.get(number).copied().unwrap_or_default()),
                None => words.push(word),
            }
        }
        let text = words.join(" ");
        let mut hasher = DefaultHasher::new();
        (&text, &from).hash(&mut hasher);
        let computed = hasher.finish();
        if let Some(number) = number {
            numbers.insert(number, computed);
        }
        all.push(Said { text, computed, from });
    }
    all
}

/// The lines that only the program `here` has, if `there` has all values from which they are computed.
fn only_here<'a>(here: &'a [Said], there: &[Said]) -> Vec<&'a str> {
    let known: BTreeSet<u64> = there.iter().map(|of| of.computed).collect();
    let comes_apart =
        |of: &&Said| !known.contains(&of.computed) && of.from.iter().all(|of| known.contains(of));
    here.iter().filter(comes_apart).map(|of| of.text.as_str()).collect()
}

/// What each of two programs has where they first differ; `None` in the array if a program has nothing there. Returns
/// `None` if both compute the same values.
pub(super) fn first_difference(programs: [&[String]; 2]) -> Option<[Option<String>; 2]> {
    let [one, other] = programs.map(said);
    let (only_one, only_other) = (only_here(&one, &other), only_here(&other, &one));
    let op = |text: &str| text.split(' ').next().map(str::to_owned);
    // Lines with the same op are preferred: so a constant is paired with the constant that replaces it.
    let pair = only_one.iter().find_map(|one| {
        let other = only_other.iter().find(|other| op(other) == op(one))?;
        Some((*one, *other))
    });
    let (one, other) = match pair {
        Some((one, other)) => (Some(one), Some(other)),
        None => (only_one.first().copied(), only_other.first().copied()),
    };
    (one.is_some() || other.is_some()).then(|| [one, other].map(|text| text.map(str::to_owned)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(one: &str, other: &str) -> Option<[Option<String>; 2]> {
        let lines = [one, other].map(|of| of.lines().map(|line| line.trim().to_owned()).collect());
        let [one, other]: [Vec<String>; 2] = lines;
        first_difference([&one, &other])
    }

    const PLAIN: &str = "vertex function f
        %0 = param u : step [H]
        %1 = pull x : vertex [H]
        %2 = mul %0 %1 : vertex [H]
        %3 = constant 3 : vertex []
        %4 = add %2 %3 : vertex [H]
        %5 = tanh %4 : vertex [H]";

    /// Fault C1 of the fourth list: lines were compared by their places, so a wrong line was reported.
    #[test]
    fn the_value_that_differs_is_found() {
        let other = |from: &str, to: &str| difference(PLAIN, &PLAIN.replace(from, to));
        let found = |one: &str, other: &str| {
            let shown = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            Some([shown(one), shown(other)])
        };
        assert_eq!(other("", ""), None);
        assert_eq!(
            other("constant 3", "constant 4"),
            found("constant 3 : vertex []", "constant 4 : vertex []")
        );
        assert_eq!(other("tanh", "exp"), found("tanh : vertex [H]", "exp : vertex [H]"));
        assert_eq!(other("pull x", "pull y"), found("pull x : vertex [H]", "pull y : vertex [H]"));
        assert_eq!(other("mul %0 %1", "mul %1 %1"), found("mul : vertex [H]", "mul : vertex [H]"));
        // The same values in another order, and one of them twice.
        let turned = "vertex function f
            %0 = constant 3 : vertex []
            %1 = pull x : vertex [H]
            %2 = pull x : vertex [H]
            %3 = param u : step [H]
            %4 = mul %3 %2 : vertex [H]
            %5 = add %4 %0 : vertex [H]
            %6 = tanh %5 : vertex [H]";
        assert_eq!(difference(PLAIN, turned), None);
        let more = format!("{turned}\n%7 = pull id : vertex index\n%8 = exp %6 : vertex [H]");
        assert_eq!(difference(PLAIN, &more), found("", "pull id : vertex index"));
        assert_eq!(difference(&more, PLAIN), found("pull id : vertex index", ""));
        // Lines that no program has cause no panic.
        for odd in ["", "%", "% = %", "%0 = %0 %1", "=", " "] {
            difference(odd, PLAIN);
            difference(PLAIN, odd);
        }
    }
}
