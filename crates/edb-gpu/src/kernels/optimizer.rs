//! The kernels that end a training step: losses, norms, and what moves parameters.
//!
//! A launch is for many tensors, which a table lists in words. Their elements are cut into pieces
//! that are numbered through all tensors; a block has one piece at a time.

use super::declare::{Family, constants, kernels};
use super::parameters::{Read, Real, Write};
use crate::blocks::Grid;

/// The elements of a piece.
pub(crate) const PIECE: usize = 4096;

// The words of a tensor in the table.
/// The address of its values.
pub(crate) const VALUES: usize = 0;
/// The address of its gradient, or of its moving average.
pub(crate) const GRADIENT: usize = 1;
/// The addresses of what the optimiser keeps for it, of [`MOST_SLOTS`] tensors at most.
pub(crate) const SLOTS: usize = 2;
/// The address of the rows whose gradients there are; 0 where the gradient is dense.
pub(crate) const INDICES: usize = SLOTS + MOST_SLOTS;
/// The elements of such a row.
pub(crate) const WIDTH: usize = INDICES + 1;
/// The elements of the gradient.
pub(crate) const COUNT: usize = INDICES + 2;
/// The number of its first piece.
pub(crate) const FIRST: usize = INDICES + 3;
/// Which norm it counts in.
pub(crate) const NORM: usize = INDICES + 4;
/// The words of a tensor.
pub(crate) const WORDS: usize = INDICES + 5;
/// The most tensors that an optimiser keeps for one.
pub(crate) const MOST_SLOTS: usize = 3;

// The numbers of a tensor.
/// By what its gradient is clipped.
pub(crate) const BOUND: usize = 0;
/// The weight decay that goes by way of the gradient.
pub(crate) const COUPLED: usize = 1;
/// What decoupled weight decay leaves of a value.
pub(crate) const KEEP: usize = 2;
/// The coefficients of its rule, of which there are [`MOST_COEFFICIENTS`] at most.
pub(crate) const COEFFICIENTS: usize = 3;
/// The numbers of a tensor.
pub(crate) const NUMBERS: usize = COEFFICIENTS + MOST_COEFFICIENTS;
/// The most coefficients of a rule.
pub(crate) const MOST_COEFFICIENTS: usize = 8;

// What a step comes to, as numbers of `f64`.
/// The sum of the losses.
pub(crate) const LOSS: usize = 0;
/// The norm of the mean gradient.
pub(crate) const MEAN_NORM: usize = 1;
/// 1 if the step is taken, else 0.
pub(crate) const TAKEN: usize = 2;
/// How many these are.
pub(crate) const STATUS: usize = 3;

/// A rule of an optimiser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleKernel(usize);

macro_rules! rules {
    ($($name:ident: $slots:literal),* $(,)?) => {
        impl Family for RuleKernel {
            const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            fn number(self) -> usize {
                self.0
            }
        }

        /// How many tensors each rule keeps for a parameter.
        const SLOT_COUNTS: &[usize] = &[$($slots),*];
    };
}
// As their formulas in edb-learn are named, with the tensors that they keep. What is not here, the host
// does.
rules! {
    sgd: 0,
    momentum: 1,
    nesterov: 1,
    adagrad: 1,
    adadelta: 2,
    rmsprop: 1,
    rmsprop_momentum: 2,
    rmsprop_centred: 2,
    rmsprop_centred_momentum: 3,
    adam: 2,
    amsgrad: 3,
    nadam: 2,
    radam: 2,
    radam_unadapted: 2,
    lion: 1,
}

impl RuleKernel {
    /// The rule of this name, if there is a kernel for it.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|known| *known == name).map(Self)
    }

    /// How many tensors it keeps for a parameter.
    pub fn slots(self) -> usize {
        SLOT_COUNTS[self.0]
    }

    /// All rules.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::NAMES.len()).map(Self)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self.0]
    }
}

kernels! {
    /// The kernels that end a training step.
    Optimizer knows constants![
        PIECE,
        VALUES,
        GRADIENT,
        SLOTS,
        INDICES,
        WIDTH,
        COUNT,
        FIRST,
        NORM,
        WORDS,
        BOUND,
        COUPLED,
        KEEP,
        COEFFICIENTS,
        NUMBERS,
        LOSS,
        MEAN_NORM,
        TAKEN,
    ];

    /// The sum of the losses of some rows, added to those before. One block.
    AddLosses = "add_losses" {
        status: Write<f64>,
        x: Read<Real>,
        stride: usize,
        rows: usize,
    } over Grid::teams(rows.min(1));

    /// Rows, each in one place, added to where they belong.
    AddRows = "add_rows" {
        out: Write<Real>,
        x: Read<Real>,
        places: Read<u32>,
        rows: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// The sum of the squares of each piece of the gradients.
    Squares = "squares" {
        sums: Write<f64>,
        table: Read<u64>,
        tensors: u32,
        pieces: usize,
    } over Grid::teams(pieces);

    /// The norm of the mean gradient, whether the step is taken, and the factor by which the
    /// gradients of each norm are multiplied: `mean`, which also takes the loss scale out, and what
    /// clips, where a norm is more than `most`. One block.
    StepFactors = "step_factors" {
        status: Write<f64>,
        factors: Write<f64>,
        sums: Read<f64>,
        table: Read<u64>,
        most: Read<f64>,
        tensors: u32,
        pieces: usize,
        norms: u32,
        mean: f64,
        guarded: bool,
    } over Grid::teams(1);

    /// Moving averages, which are where gradients are listed otherwise.
    Average = "average" {
        status: Read<f64>,
        table: Read<u64>,
        tensors: u32,
        pieces: usize,
        take: Real,
    } over Grid::teams(pieces);

    /// Moves tensors by a rule. Of the pieces of all tensors these are `pieces`, from `first` on.
    Move in RuleKernel {
        status: Read<f64>,
        factors: Read<f64>,
        table: Read<u64>,
        numbers: Read<Real>,
        tensors: u32,
        first: usize,
        pieces: usize,
    } over Grid::teams(pieces);
}
