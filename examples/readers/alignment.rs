//! Alignments: aligned sequences, from FASTA, as columns that may be there several times.

use std::collections::HashMap;
use std::path::Path;

use needletail::errors::ParseError;
use needletail::parse_fastx_file;

/// A name, and the letters of a sequence as they are written.
pub type Sequence = (String, Vec<u8>);

/// Of each leaf, the letters that a site may be; and how often each column is there.
#[derive(Clone, Debug)]
pub struct Alignment {
    pub names: Vec<String>,
    /// By leaf and column, a bit for each of A, C, G and T.
    pub letters: Vec<Vec<u8>>,
    pub weights: Vec<f64>,
}

/// The letters that a sign of IUPAC stands for; a gap, and any other sign, may be each.
fn letters(sign: u8) -> u8 {
    match sign.to_ascii_uppercase() {
        b'A' => 1,
        b'C' => 2,
        b'G' => 4,
        b'T' | b'U' => 8,
        b'R' => 5,
        b'Y' => 10,
        b'S' => 6,
        b'W' => 9,
        b'K' => 12,
        b'M' => 3,
        b'B' => 14,
        b'D' => 13,
        b'H' => 11,
        b'V' => 7,
        _ => 15,
    }
}

impl Alignment {
    /// The sequences of a FASTA file, plain or gzip'd.
    pub fn read(path: &Path) -> Result<Vec<Sequence>, String> {
        let wrong = |error: ParseError| format!("{}: {error}", path.display());
        let mut reader = parse_fastx_file(path).map_err(wrong)?;
        let mut found = Vec::new();
        while let Some(record) = reader.next() {
            let record = record.map_err(wrong)?;
            let name = String::from_utf8_lossy(record.id())
                .split_whitespace()
                .next()
                .unwrap_or("")
                .to_owned();
            found.push((name, record.seq().into_owned()));
        }
        Ok(found)
    }

    /// These sequences, with equal columns as one that counts as often, unless each is to be one.
    pub fn new(sequences: Vec<Sequence>, patterns: bool) -> Result<Self, String> {
        let sites = sequences.first().map_or(0, |(_, sequence)| sequence.len());
        if sites == 0 {
            return Err("there are no sites: an alignment has sequences, and each of them a letter at least".to_owned());
        }
        if let Some((name, odd)) = sequences.iter().find(|(_, sequence)| sequence.len() != sites) {
            return Err(format!("`{name}` has {} sites, the first sequence {sites}", odd.len()));
        }
        let (mut columns, mut weights) = (Vec::new(), Vec::<f64>::new());
        let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
        for site in 0..sites {
            let column: Vec<u8> =
                sequences.iter().map(|(_, sequence)| letters(sequence[site])).collect();
            let next = columns.len();
            match patterns.then(|| *known.entry(column.clone()).or_insert(next)) {
                Some(place) if place < next => weights[place] += 1.0,
                _ => {
                    columns.push(column);
                    weights.push(1.0);
                }
            }
        }
        let of_leaf = |leaf: usize| columns.iter().map(|column| column[leaf]).collect();
        let letters = (0..sequences.len()).map(of_leaf).collect();
        Ok(Self { names: sequences.into_iter().map(|(name, _)| name).collect(), letters, weights })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_columns_count_as_often() {
        let rows = [("a", "ACCAN"), ("b", "GCCGT")]
            .map(|(name, row)| (name.to_owned(), row.as_bytes().to_vec()));
        let found = Alignment::new(rows.to_vec(), true).unwrap();
        assert_eq!(found.weights, [2.0, 2.0, 1.0]);
        assert_eq!(found.letters, [[1, 2, 15], [4, 2, 8]]);
        assert_eq!(Alignment::new(rows.to_vec(), false).unwrap().weights, [1.0; 5]);
    }

    #[test]
    fn an_alignment_has_letters() {
        let empty = ("a".to_owned(), Vec::new());
        for rows in [vec![], vec![empty.clone(), empty]] {
            assert!(Alignment::new(rows, true).unwrap_err().contains("no sites"));
        }
    }
}
