//! Packed matrices follow the parameters, and products with them are those of the matrices.

use edb_ir::Id;
use proptest::prelude::*;

use edb_kernels::operand::Operand;
use edb_kernels::pairs::PairIsa;
use edb_kernels::random::VertexKey;
use edb_kernels::tile::Left;

use super::*;
use edb_learn::learn::{
    Gradient, Gradients, Optimizer, Parameter, ParameterId, Sgd, Team, Workers,
};
use edb_model::model::stack::WeightBlock;

/// The threads of a pool, and matrices that follow what they update.
#[derive(Debug)]
struct Updating<'a> {
    packed: &'a mut Packed<f32>,
    pool: &'a mut Pool,
    spare: &'a [Mutex<Vec<f32>>],
}

impl Team<f32> for Updating<'_> {
    fn share(&mut self, pieces: usize, work: &SharedWork<'_, f32>) {
        self.packed.followers().share(self.pool, self.spare, pieces, work);
    }

    fn end(&mut self) {
        self.packed.end_update();
    }
}

/// So many numbers; other ones for each seed.
fn numbers(count: usize, seed: u64) -> Vec<f32> {
    let key = VertexKey::new(seed, 0, 0, 0, 0).site(0, 0);
    (0..count).map(|element| key.uniform(element) as f32 - 0.5).collect()
}

/// A matrix of one parameter, and a matrix that stacks another parameter on a part of it; both
/// also transposed.
fn matrices(
    rows: usize,
    columns: usize,
    cut: usize,
    extra: usize,
) -> (IdVec<WeightsId, Weights>, Parameters<f32>) {
    let mut parameters = Parameters::new();
    let mut add = |name: &str, rows: usize, seed| {
        let values = numbers(rows * columns, seed);
        parameters.push(Parameter::new(name, &[rows, columns], values).unwrap()).unwrap()
    };
    let [a, b]: [ParameterId; 2] = [add("a", rows, 1), add("b", extra, 2)];
    let block = |param, start, rows, first| WeightBlock {
        param,
        start: [start, 0],
        size: [rows, columns],
        place: [first, 0],
    };
    let whole = (vec![block(a, 0, rows, 0)], rows);
    let stacked = vec![block(b, 0, extra, 0), block(a, cut, rows - cut, extra)];
    let both = [whole, (stacked, rows - cut + extra)];
    let weights = both.into_iter().flat_map(|(blocks, rows)| {
        [false, true].map(|transposed| Weights {
            blocks: blocks.clone(),
            size: [rows, columns],
            transposed,
        })
    });
    (weights.collect(), parameters)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..Default::default() })]

    /// Panels that have followed a step equal those that are packed after it, and are not
    /// packed again.
    #[test]
    fn packed_matrices_follow_their_parameters(
        rows in 2usize..60, columns in 1usize..400, cut in 0usize..60, extra in 1usize..40,
        threads in 1usize..4, frozen: bool, paired: bool,
    ) {
        let (weights, mut parameters) = matrices(rows, columns, cut % rows, extra);
        let mut pool = Pool::new(threads).unwrap();
        let spare: Vec<_> = (0..threads).map(|_| Mutex::default()).collect();
        let mut packed = Packed::new(paired);
        for (id, weights) in weights.iter_enumerated() {
            packed.prepare(id, weights, &parameters, usize::MAX, &mut pool).unwrap();
        }
        let mut gradients = Gradients::new(&parameters);
        let ids: Vec<ParameterId> = parameters.iter().map(|(id, _)| id).collect();
        for (number, id) in ids.iter().enumerate().take(if frozen { 1 } else { 2 }) {
            let values = numbers(parameters.get(*id).len(), 7 + number as u64);
            gradients.add(*id, Gradient::Dense(values)).unwrap();
        }
        let mut optimizer = Sgd::new(0.5);
        let team = &mut Updating { packed: &mut packed, pool: &mut pool, spare: &spare };
        optimizer.step(&mut parameters, &gradients, &[], &mut Workers::from(team)).unwrap();
        for (id, weights) in weights.iter_enumerated() {
            let versions = packed.packed[id].as_ref().unwrap().blocks.iter();
            let versions: Vec<u64> = versions.map(|block| block.packed).collect();
            let of = |block: &WeightBlock| parameters.get(block.param).version();
            prop_assert_eq!(versions, weights.blocks.iter().map(of).collect::<Vec<_>>());
            let mut anew = Packed::new(paired);
            anew.prepare(id, weights, &parameters, usize::MAX, &mut pool).unwrap();
            let width = weights.size[usize::from(weights.transposed)];
            let products = [&packed, &anew].map(|packed| product(packed.panels(id), width));
            prop_assert_eq!(&products[0], &products[1]);
        }
    }
}

/// A matrix is packed for many rows, or for few that read it often, and follows its parameter
/// only as long as it is read so; otherwise it is read where it lies.
#[test]
fn few_rows_read_a_matrix_where_it_lies() {
    // The rows of each product between two updates, and whether it reads the matrix in place.
    let often = MAX_LINE_READS as usize;
    let some = MOST_ROWS * MAX_LINE_READS_FOR_MANY_ROWS as usize;
    let near = [20, 40];
    check(
        1,
        near,
        &[
            vec![(some, true), (1, true), (MOST_ROWS + 1, false), (1, false)],
            vec![(1, false)],
            [vec![(1, true); often], vec![(1, false)]].concat(),
            vec![(some, false)],
            vec![(some, true)],
            vec![(some + 1, false)],
        ],
    );
    check(0, near, &[vec![(1, false)], vec![(1, false)]]);
    let far = [1024, MIN_FAR_BYTES_PER_THREAD / size_of::<f32>() / 1024];
    check(
        1,
        far,
        &[vec![(MOST_ROWS, true), (MOST_ROWS + 1, false)], vec![(1, false)], vec![(1, true)]],
    );
    let columns = MAX_COLUMN_READS as usize;
    let many = columns / 2 * MOST_ROWS;
    check(
        0,
        far,
        &[
            vec![(1, true), (many, false), (1, false)],
            vec![(1, false), (FEW_ROWS, false)],
            [vec![(FEW_ROWS, true); columns], vec![(1, false)]].concat(),
            vec![(many, false)],
            vec![(many, true)],
        ],
    );
    check(0, [far[0] - 1, far[1]], &[vec![(1, false)]]);
}

/// Multiplies a parameter of this size with some rows, between updates.
fn check(id: u32, [rows, columns]: [usize; 2], steps: &[Vec<(usize, bool)>]) {
    let (weights, mut parameters) = matrices(rows, columns, 0, 0);
    let (mut pool, spare) = (Pool::new(1).unwrap(), [Mutex::default()]);
    let id = WeightsId::new(id as usize);
    let mut packed = Packed::new(false);
    let mut gradients = Gradients::new(&parameters);
    let values = numbers(rows * columns, 3);
    gradients.add(ParameterId::new(0), Gradient::Dense(values)).unwrap();
    for (step, products) in steps.iter().enumerate() {
        for (number, (rows, in_place)) in products.iter().enumerate() {
            packed.prepare(id, &weights[id], &parameters, *rows, &mut pool).unwrap();
            let is_in_place = !matches!(packed.right_side(id, &parameters), RightSide::Panels(_));
            assert_eq!(is_in_place, *in_place, "step {step}, product {number}, {rows} rows");
        }
        let team = &mut Updating { packed: &mut packed, pool: &mut pool, spare: &spare };
        Sgd::new(0.5).step(&mut parameters, &gradients, &[], &mut Workers::from(team)).unwrap();
    }
}

/// Only a matrix that lies line by line, with all of its columns.
#[test]
fn what_is_side_by_side_is_packed() {
    let weights = &matrices(5, 10, 1, 3).0[WeightsId::new(3)];
    assert!(weights.blocks.len() == 2 && lies_line_by_line(weights));
    let not = |change: &dyn Fn(&mut Weights)| {
        let mut changed = weights.clone();
        change(&mut changed);
        assert!(!lies_line_by_line(&changed));
    };
    not(&|weights| weights.transposed = false);
    not(&|weights| weights.blocks.swap(0, 1));
    not(&|weights| weights.blocks[1].place = [0, 10]);
    not(&|weights| weights.size[1] = 20);
}

/// The product of some rows and a matrix.
fn product(panels: &Panels<f32>, width: usize) -> Vec<f32> {
    const ROWS: usize = 3;
    let inner = panels.inner();
    let isa = PairIsa::best();
    let mut x = numbers(ROWS * inner, 9);
    if panels.is_paired() {
        // A line of panels is two rows of the matrix.
        let numbers = numbers(ROWS * inner * 2, 9);
        x.resize(ROWS * inner * isa.terms(), 0.0);
        let rows = x.chunks_exact_mut(inner * isa.terms()).zip(numbers.chunks(inner * 2));
        rows.for_each(|(out, row)| isa.left_row(row, out));
    }
    let mut out = vec![0.0; ROWS * width];
    panels.multiply_into(ROWS, &mut out, Left::Rows(&Operand::of_slice(&x, x.len() / ROWS)));
    out
}
