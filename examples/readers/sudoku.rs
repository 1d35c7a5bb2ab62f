//! Sudoku of 4 by 4 and 6 by 6 cells, drawn at random, with one solution each.

use rand::RngExt as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom as _;

/// A puzzle: cells row by row, with digits from 1; 0 where the digit is to be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sudoku {
    pub side: usize,
    pub given: Vec<u8>,
    pub solution: Vec<u8>,
}

impl Sudoku {
    /// Draws a puzzle from which no further digit could be taken, or in which so many are to be found.
    ///
    /// # Panics
    /// When `side` is neither 4 nor 6.
    pub fn draw(side: usize, open: usize, rng: &mut ChaCha8Rng) -> Self {
        assert!([4, 6].contains(&side), "a sudoku of 4 or 6 digits");
        let mut solution = vec![0; side * side];
        let mut order: Vec<u8> = (1..=side as u8).collect();
        let mut count = 0;
        solve(side, &mut solution, &mut order, Some(rng), &mut count, 1);
        let mut given = solution.clone();
        let mut places: Vec<usize> = (0..side * side).collect();
        places.shuffle(rng);
        let mut left = open;
        for place in places {
            if left == 0 {
                break;
            }
            let digit = std::mem::take(&mut given[place]);
            let mut count = 0;
            solve(side, &mut given.clone(), &mut order, None, &mut count, 2);
            match count {
                1 => left -= 1,
                _ => given[place] = digit,
            }
        }
        Self { side, given, solution }
    }

    /// Whether these digits are the solution.
    pub fn is_solved_by(&self, digits: impl IntoIterator<Item = u8>) -> bool {
        self.solution.iter().copied().eq(digits)
    }
}

/// Whether a digit may stand in a cell.
fn fits(side: usize, cells: &[u8], place: usize, digit: u8) -> bool {
    // Boxes are two rows high.
    let wide = side / 2;
    let (row, column) = (place / side, place % side);
    (0..side * side).all(|other| {
        let (r, c) = (other / side, other % side);
        let together = r == row || c == column || (r / 2, c / wide) == (row / 2, column / wide);
        other == place || !together || cells[other] != digit
    })
}

/// Counts solutions, up to `most`, and leaves the last that it finds in `cells`; digits are tried in the order that is drawn
/// for each cell, or that is given.
fn solve(
    side: usize,
    cells: &mut [u8],
    order: &mut Vec<u8>,
    mut rng: Option<&mut ChaCha8Rng>,
    count: &mut usize,
    most: usize,
) {
    // The open cell with the fewest digits: there are 36 cells at most, so that this is no deep recursion.
    let choices = |place: usize, cells: &[u8]| {
        order.iter().copied().filter(|digit| fits(side, cells, place, *digit)).collect::<Vec<u8>>()
    };
    let open = (0..cells.len()).filter(|place| cells[*place] == 0);
    let Some((place, mut digits)) =
        open.map(|place| (place, choices(place, cells))).min_by_key(|(_, digits)| digits.len())
    else {
        *count += 1;
        return;
    };
    if let Some(rng) = rng.as_deref_mut() {
        digits.shuffle(rng);
    }
    for digit in digits {
        cells[place] = digit;
        solve(side, cells, order, rng.as_deref_mut(), count, most);
        if *count >= most {
            return;
        }
    }
    cells[place] = 0;
}

/// How many cells to leave open: between half of them and all that can be.
pub fn open(side: usize, rng: &mut ChaCha8Rng) -> usize {
    rng.random_range(side * side / 2..=side * side)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::*;

    #[test]
    fn puzzles_have_one_solution() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for side in [4, 6] {
            for _ in 0..20 {
                let puzzle = Sudoku::draw(side, side * side, &mut rng);
                for place in 0..side * side {
                    assert!(fits(side, &puzzle.solution, place, puzzle.solution[place]));
                    assert!([0, puzzle.solution[place]].contains(&puzzle.given[place]));
                }
                let (mut cells, mut count) = (puzzle.given.clone(), 0);
                solve(side, &mut cells, &mut (1..=side as u8).collect(), None, &mut count, 2);
                assert_eq!(count, 1);
                assert!(puzzle.given.iter().filter(|digit| **digit == 0).count() > side * side / 3);
                assert!(puzzle.is_solved_by(puzzle.solution.iter().copied()));
            }
        }
    }
}
