//! Molecules from a tab-separated table: `id`, `y`, two splits (random, by scaffold), SMILES, atoms
//! `Z:degree:charge:hydrogens:aromatic:inring` and bonds `i-j:type:inring:conjugated` between two
//! atoms, numbered from 0, of type 1, 2, 3, or 4 for aromatic.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::lines::{LineError, Lines, items};
use crate::source::Source;
use support::splits::Splits;

/// The number of features of an atom: one-hot element, charge, one-hot degree, one-hot number of
/// hydrogens, and whether it is aromatic and whether it is in a ring.
pub const FEATURES: usize = ELEMENTS.len() + 1 + 1 + 6 + 5 + 2;

/// The elements with a one-hot position of their own; all others share one.
const ELEMENTS: [i32; 9] = [6, 7, 8, 9, 15, 16, 17, 35, 53];

/// The kinds of bonds: four types, each in a ring or not.
pub const BONDS: usize = 8;

/// The split of a molecule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    Train,
    Valid,
    Test,
}

/// A molecule and its measured property.
#[derive(Clone, Debug)]
pub struct Molecule {
    pub y: f64,
    pub split: Split,
    pub atoms: Vec<[f64; FEATURES]>,
    /// Two atoms and the kind of bond between them.
    pub bonds: Vec<(usize, usize, u32)>,
}

/// Reads the table `NAME.tsv` in the folder, with its scaffold split; without a folder, molecules
/// are generated.
pub fn splits(source: &Source, name: &str) -> Result<Splits<Molecule>, LineError> {
    let mut molecules = match &source.data {
        None => generated(),
        Some(folder) => read(source.open(folder, &format!("{name}.tsv"))?, usize::MAX)?,
    };
    let mut of = |split| molecules.extract_if(.., |m| m.split == split).collect();
    Ok(Splits { train: of(Split::Train), dev: of(Split::Valid), test: of(Split::Test) })
}

/// The first molecules of a table with a heading.
pub fn read(mut lines: Lines, most: usize) -> Result<Vec<Molecule>, LineError> {
    lines.heading("id\t")?;
    lines.records(most, parse)
}

/// Parses a line of the table; of the two splits, the scaffold split is used.
pub fn parse(line: &str) -> Result<Molecule, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [_, y, _, split, _, atoms, bonds] = fields[..] else {
        return Err(format!("expected 7 fields between tabs, found {}", fields.len()));
    };
    let y = y.parse::<f64>().ok().filter(|y| (*y as f32).is_finite());
    let y = y.ok_or_else(|| format!("expected a number as second field, found `{}`", fields[1]))?;
    let split = match split {
        "train" => Split::Train,
        "valid" => Split::Valid,
        "test" => Split::Test,
        _ => return Err(format!("expected train, valid or test, found `{split}`")),
    };
    let atoms = items(atoms).map(atom).collect::<Result<Vec<_>, _>>()?;
    if atoms.is_empty() {
        return Err("a molecule has at least one atom".to_owned());
    }
    let bonds = items(bonds).map(|text| bond(text, atoms.len())).collect::<Result<_, _>>()?;
    Ok(Molecule { y, split, atoms, bonds })
}

fn atom(text: &str) -> Result<[f64; FEATURES], String> {
    let wrong = || format!("expected Z:degree:charge:hydrogens:aromatic:inring, found `{text}`");
    let numbers = text.split(':').map(str::parse::<i32>).collect::<Result<Vec<_>, _>>();
    let numbers = numbers.map_err(|_| wrong())?;
    let [z, degree, charge, hydrogens, aromatic, ring] = numbers[..] else { return Err(wrong()) };
    if !(1..=118).contains(&z)
        || !(-9..=9).contains(&charge)
        || [degree, hydrogens].iter().any(|count| *count < 0)
        || [aromatic, ring].iter().any(|flag| !(0..=1).contains(flag))
    {
        return Err(wrong());
    }
    let place = |count: i32, most: i32| count.min(most) as usize;
    let mut x = [0.0; FEATURES];
    x[ELEMENTS.iter().position(|element| *element == z).unwrap_or(ELEMENTS.len())] = 1.0;
    let next = ELEMENTS.len() + 1;
    x[next] = f64::from(charge);
    x[next + 1 + place(degree, 5)] = 1.0;
    x[next + 7 + place(hydrogens, 4)] = 1.0;
    x[next + 12] = f64::from(aromatic);
    x[next + 13] = f64::from(ring);
    Ok(x)
}

fn bond(text: &str, atoms: usize) -> Result<(usize, usize, u32), String> {
    let wrong = || format!("expected i-j:type:inring:conjugated, found `{text}`");
    let (ends, rest) = text.split_once(':').ok_or_else(wrong)?;
    let (a, b) = ends.split_once('-').ok_or_else(wrong)?;
    let ends = [a, b].map(|end| end.parse::<usize>().ok());
    let [Some(a), Some(b)] = ends else { return Err(wrong()) };
    if a.max(b) >= atoms || a == b {
        return Err(format!("a bond is between two of {atoms} atoms, not `{text}`"));
    }
    let rest = rest.split(':').map(str::parse::<u32>).collect::<Result<Vec<_>, _>>();
    match rest.map_err(|_| wrong())?[..] {
        [kind @ 1..=4, ring @ 0..=1, _] => Ok((a, b, 2 * (kind - 1) + ring)),
        _ => Err(wrong()),
    }
}

/// Chains of carbon and oxygen; the property is the number of carbons next to an oxygen.
pub fn generated() -> Vec<Molecule> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut molecule = |number: usize| {
        let oxygen: Vec<bool> = (0..4 + number % 6).map(|_| rng.random_bool(0.3)).collect();
        let beside = |atom: usize| {
            atom > 0 && oxygen[atom - 1] || oxygen.get(atom + 1).is_some_and(|oxygen| *oxygen)
        };
        let y = (0..oxygen.len()).filter(|atom| !oxygen[*atom] && beside(*atom)).count() as f64;
        let atom = |oxygen: &bool| {
            let mut x = [0.0; FEATURES];
            x[usize::from(*oxygen)] = 1.0;
            x
        };
        let split = [Split::Train, Split::Train, Split::Valid, Split::Test][number / 7 % 4];
        let bonds = (1..oxygen.len()).map(|atom| (atom - 1, atom, 0)).collect();
        Molecule { y, split, atoms: oxygen.iter().map(atom).collect(), bonds }
    };
    (0..800).map(&mut molecule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn molecules_are_read() {
        let line = "x\t-0.5\ttrain\ttest\tCO[Na]\t6:1:0:3:0:0 8:2:-1:0:1:1 11:9:1:9:0:0\t0-1:1:0:0 1-2:4:1:1";
        let molecule = parse(line).unwrap();
        assert_eq!((molecule.y, molecule.split), (-0.5, Split::Test));
        assert_eq!(molecule.bonds, [(0, 1, 0), (1, 2, 7)]);
        let of = |atom: usize| -> Vec<(usize, f64)> {
            let x = molecule.atoms[atom].iter().copied().enumerate();
            x.filter(|(_, x)| *x != 0.0).collect()
        };
        assert_eq!(of(0), [(0, 1.0), (12, 1.0), (20, 1.0)]);
        assert_eq!(of(1), [(2, 1.0), (10, -1.0), (13, 1.0), (17, 1.0), (22, 1.0), (23, 1.0)]);
        assert_eq!(of(2), [(9, 1.0), (10, 1.0), (16, 1.0), (21, 1.0)]);
        // A single atom has no bonds.
        assert!(parse("x\t1\ttrain\tvalid\tC\t6:0:0:4:0:0\t").unwrap().bonds.is_empty());
    }

    #[test]
    fn what_is_wrong_with_a_molecule_is_said() {
        let line = |y: &str, split: &str, atoms: &str, bonds: &str| {
            parse(&format!("x\t{y}\ttrain\t{split}\tC\t{atoms}\t{bonds}")).err().unwrap()
        };
        let (two, ring) =
            ("6:1:0:3:0:0 6:1:0:3:0:0", "expected i-j:type:inring:conjugated, found ");
        assert_eq!(parse("x\t1").err().unwrap(), "expected 7 fields between tabs, found 2");
        for y in ["a", "", "nan", "1e99"] {
            let expected = format!("expected a number as second field, found `{y}`");
            assert_eq!(line(y, "test", two, ""), expected);
        }
        assert_eq!(line("1", "dev", two, ""), "expected train, valid or test, found `dev`");
        assert_eq!(line("1", "test", "", ""), "a molecule has at least one atom");
        let atom = "expected Z:degree:charge:hydrogens:aromatic:inring, found ";
        for text in
            ["6:1:0", "0:1:0:3:0:0", "6:-1:0:3:0:0", "6:1:99:3:0:0", "6:1:0:3:2:0", "6:1:0:x:0:0"]
        {
            assert_eq!(line("1", "test", text, ""), format!("{atom}`{text}`"));
        }
        for bond in ["0", "0-1", "0-x:1:0:0", "0-1:5:0:0", "0-1:1:2:0", "0-1:1:0"] {
            assert_eq!(line("1", "test", two, bond), format!("{ring}`{bond}`"));
        }
        for bond in ["0-2:1:0:0", "1-1:1:0:0"] {
            let expected = format!("a bond is between two of 2 atoms, not `{bond}`");
            assert_eq!(line("1", "test", two, bond), expected);
        }
    }
}
