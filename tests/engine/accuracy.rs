//! How far off every op, form and loss is from what mathematics says: values and gradients, in `f32`
//! and `f64`, against numbers of 60 digits, over the whole range. The greatest errors are a table of
//! the book, which `EDB_BLESS=1 cargo test --test engine accuracy` writes; those of elementary
//! functions are at most [`ELEMENTARY`].

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use edb_core::element::Element;
use edb_core::engine::{Engine, Seeds};
use edb_core::model::Model;

use edb_backend_suite::one_op::cases::{Case, cases};
use edb_backend_suite::one_op::{LENGTH, model_without_loss, vertex};

pub mod formulas;
pub mod jet;

use formulas::{Row, Sample, Unit, row, value};
use jet::{Big, Jet, big, size};

const LABEL: usize = 2;

/// The parameter of cases that have one; all exact in `f32`, and positive, so that nothing cancels.
const PARAMETER: [f64; 48] = {
    let mut values = [0.0; 48];
    let mut at = 0;
    while at < 48 {
        values[at] = 0.25 + (at * 29 % 48) as f64 / 16.0;
        at += 1;
    }
    values
};

/// The gradient that is given for element `i` of a value: number `i` of these, in a circle; of what
/// works element by element, the derivative itself.
fn seeds(sample: Sample) -> [f64; LENGTH] {
    match sample {
        Sample::Scores | Sample::Vectors => [1.0, 2.0, 0.5, 3.0],
        _ => [1.0; LENGTH],
    }
}

/// How far off an elementary function may be.
const ELEMENTARY: f64 = 4.0;

/// The vectors `x` and `y` of a sample.
type Pair = [[f64; LENGTH]; 2];

/// A type of elements, as the samples and the units need to know it.
struct Type {
    /// The exponents of the least denormal, the least normal and the greatest number.
    exponents: [i32; 3],
    /// The bits of the significand.
    digits: i32,
    /// From where to where the exponential is neither 0 nor infinite.
    exponential: [f64; 2],
}

const F32: Type = Type { exponents: [-149, -126, 127], digits: 24, exponential: [-104.0, 89.0] };
const F64: Type =
    Type { exponents: [-1074, -1022, 1023], digits: 53, exponential: [-745.5, 710.0] };

/// `2^exponent`, also where that is denormal.
fn power_of_two(exponent: i32) -> f64 {
    f64::from(exponent).exp2()
}

/// Positive numbers of all sizes, in ascending order, but for those near 1 and 3, where functions
/// have zeros and kinks. `dense` times as many as in the table.
fn sizes(of: &Type, dense: usize) -> Vec<f64> {
    let [least, _, most] = of.exponents;
    let far = ((most - least) as usize / (24 * dense)).max(1);
    let mut sizes = Vec::new();
    for exponent in least..=most {
        let near = (-26..=10).contains(&exponent);
        if near || ((exponent - least) as usize).is_multiple_of(far) {
            let mantissas = if near { &[1.0, 1.398_437_5, 1.898_437_5][..] } else { &[1.0] };
            sizes.extend(mantissas.iter().map(|m| m * power_of_two(exponent)));
        }
    }
    // The range in which exponentials are neither 0 nor infinite, evenly.
    let end = of.exponential.map(f64::abs).into_iter().fold(0.0, f64::max);
    let steps = 80 * dense;
    sizes.extend((1..steps).map(|step| end * step as f64 / steps as f64));
    sizes.extend((1..steps).map(|step| 20.0 * step as f64 / steps as f64));
    sizes.sort_by(f64::total_cmp);
    for (kink, sign) in [(1.0, 1.0), (1.0, -1.0), (3.0, 1.0), (3.0, -1.0)] {
        let parts = (2..of.digits - 1).step_by(3);
        sizes.extend(parts.map(|power| kink + sign * power_of_two(-power)));
    }
    sizes
}

/// Vectors of these numbers, the last filled up.
fn chunks(mut numbers: Vec<f64>) -> Vec<[f64; LENGTH]> {
    numbers.resize(numbers.len().next_multiple_of(LENGTH), 1.5);
    numbers.chunks(LENGTH).map(|chunk| std::array::from_fn(|at| chunk[at])).collect()
}

fn samples_of(sample: Sample, of: &Type, dense: usize) -> Vec<Pair> {
    let plain = [0.75, 1.25, 2.0, 0.375];
    let lines = |signs: &[f64]| {
        let lines = signs
            .iter()
            .flat_map(|sign| chunks(sizes(of, dense).into_iter().map(|x| x * sign).collect()));
        lines.collect::<Vec<_>>()
    };
    match sample {
        Sample::Line => lines(&[1.0, -1.0]).into_iter().map(|x| [x, plain]).collect(),
        Sample::Powers => {
            let within = |x: &[f64; LENGTH]| x.iter().all(|x| x.abs() <= power_of_two(40));
            lines(&[1.0, -1.0]).into_iter().filter(within).map(|x| [x, plain]).collect()
        }
        Sample::Positive => lines(&[1.0]).into_iter().map(|x| [x, plain]).collect(),
        Sample::Pairs => {
            let number = |at: i32, mantissa: f64| (1.0 + mantissa) * power_of_two(at);
            let step = 8usize.div_ceil(dense);
            let exponents = || (-40..=40).step_by(step);
            let all = exponents().flat_map(|a| {
                exponents().map(move |b| {
                    let sign = |odd: i32| if odd.rem_euclid(3) == 0 { -1.0 } else { 1.0 };
                    // Digits that do not repeat: multiples of the golden section.
                    let digits =
                        |number: i32| (f64::from(number) * 0.618_033_988_75).rem_euclid(1.0);
                    let (a_size, b_size) =
                        (number(a, digits(a + 3 * b)), number(b, digits(5 * a + b)));
                    [sign(a + b) * a_size, sign(a) * b_size]
                })
            });
            let (x, y): (Vec<f64>, Vec<f64>) = all.map(|[x, y]| (x, y)).unzip();
            chunks(x).into_iter().zip(chunks(y)).map(|(x, y)| [x, y]).collect()
        }
        Sample::Logits => {
            let within = |x: &[f64; LENGTH]| x.iter().all(|x| x.abs() < 1e30);
            let lines = lines(&[1.0, -1.0]).into_iter().filter(within);
            let targets = lines.flat_map(|x| {
                let right = x.map(|x| f64::from(u8::from(x > 0.0)));
                [right, right.map(|right| 1.0 - right), [0.25; LENGTH]].map(|target| [x, target])
            });
            targets.collect()
        }
        Sample::Scores => {
            // One score is above the others by these gaps, as the label or beside it; and all of
            // them are shifted.
            let most = of.exponential[1] * 0.98;
            let steps = 12 * dense;
            let gaps = (0..=steps).map(|step| most * (step as f64 / steps as f64).powi(2));
            let vectors = gaps.flat_map(|gap| {
                [0.0, 0.7, -31.3].into_iter().flat_map(move |shift| {
                    [LABEL, 1].map(|above| {
                        let mut x = [0.0, 0.31, -0.22, -0.57].map(|x| x + shift);
                        x[above] += gap;
                        [x, [0.75, 1.25, 2.0, 0.375]]
                    })
                })
            });
            vectors.collect()
        }
        Sample::Vectors => {
            let number = |at: usize| 0.05 + (at * 37 % 101) as f64 / 50.0;
            let pair = |at: usize| {
                let y = std::array::from_fn(|i| number(3 * at + 7 * i + 11) / 2.5 + 0.01);
                [std::array::from_fn(|i| number(at + 5 * i)), y]
            };
            (0..50 * dense).map(pair).collect()
        }
    }
}

/// A case computed for many samples: values, and gradients of `x` and `y`.
fn compute<T: Element>(
    case: &Case,
    samples: &[Pair],
    gradient: &[f64; LENGTH],
) -> Vec<[Vec<f64>; 3]> {
    let model: Model<T> = model_without_loss(&case.compute, || case.start(&PARAMETER));
    let records: Vec<_> = samples.iter().map(|[x, y]| vertex(&model, "f", [x, y], LABEL)).collect();
    let graph = model.graph_from_records(&records).unwrap();
    let batch = model.minibatch([&graph]).unwrap();
    let mut engine = Engine::with_threads(1).unwrap();
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let mut seeds = Seeds::new();
    let mut results = Vec::with_capacity(samples.len());
    for vertex in 0..samples.len() {
        let value = run.output_at(0, vertex, "result").unwrap();
        let value: Vec<f64> = value.iter().map(|x| x.as_f64()).collect();
        let given = gradient.iter().cycle().take(value.len());
        seeds.push_at(0, vertex, "result", &given.map(|x| T::from_f64(*x)).collect::<Vec<T>>());
        results.push([value, vec![], vec![]]);
    }
    run.backward_with(&seeds).unwrap();
    for (vertex, result) in results.iter_mut().enumerate() {
        for (field, to) in ["x", "y"].iter().zip(&mut result[1..]) {
            let gradient = run.input_gradient_at(0, vertex, field).unwrap();
            to.extend(gradient.into_iter().flatten().map(|x| x.as_f64()));
        }
    }
    results
}

/// How far a number is off, in units.
fn error(of: &Type, found: f64, exact: &Big, unit: Unit, greatest: f64) -> f64 {
    let [_, normal, most] = of.exponents;
    let beyond = big(2.0) << most as isize;
    if size(exact) >= beyond {
        let infinite = if *exact > Big::ZERO { f64::INFINITY } else { f64::NEG_INFINITY };
        // What is beyond by its last place may be rounded to the greatest number.
        let is_near = size(exact) < beyond.clone() + (beyond >> (of.digits as isize - 2));
        let is_right = found == infinite || (is_near && found.abs() > power_of_two(most));
        return if is_right { 0.0 } else { f64::INFINITY };
    }
    if !found.is_finite() {
        let is_near = size(exact) > beyond.clone() - (beyond >> (of.digits as isize - 2));
        return if is_near && found.is_infinite() { 0.0 } else { f64::INFINITY };
    }
    let difference = size(&(big(found) - exact));
    if jet::is_zero(&difference) {
        return 0.0;
    }
    let exponent_of = |x: &Big| match jet::is_zero(x) {
        true => isize::MIN,
        false => x.repr().exponent() + x.repr().digits() as isize - 1,
    };
    let scale = match unit {
        Unit::Own | Unit::Flushed(_) => size(exact),
        Unit::Terms => {
            if size(exact) > big(greatest) {
                size(exact)
            } else {
                big(greatest)
            }
        }
    };
    let exponent = exponent_of(&scale).max(normal as isize) - (of.digits as isize - 1);
    let unit_size = big(1.0) << exponent;
    let units = match unit {
        // Below what may be 0, any result up to it is right.
        Unit::Flushed(times) if size(exact) < big(times) * (big(1.0) << normal as isize) => {
            let least = big(times) * (big(1.0) << normal as isize);
            difference / least
        }
        _ => difference / unit_size,
    };
    units.to_f64().value()
}

/// The greatest errors of value and gradient, each with where it is.
#[derive(Default)]
struct Worst([(f64, String); 2]);

impl Worst {
    fn note(&mut self, part: usize, error: f64, place: impl FnOnce() -> String) {
        if error.is_nan() || error > self.0[part].0 {
            self.0[part] = (error, place());
        }
    }
}

fn worst<T: Element>(
    case: &Case,
    Row { sample, value: of_value, gradient, .. }: &Row,
    of: &Type,
    dense: usize,
) -> Worst {
    let rounded = |x: f64| T::from_f64(x).as_f64();
    let given = seeds(*sample);
    let samples: Vec<Pair> = samples_of(*sample, of, dense)
        .into_iter()
        .map(|pair| pair.map(|vector| vector.map(rounded)))
        .collect();
    let found = compute::<T>(case, &samples, &given);
    let mut worst = Worst::default();
    for ([x, y], found) in samples.iter().zip(&found) {
        let jets = |vector: &[f64; LENGTH], first: usize| -> Vec<Jet> {
            (0..LENGTH).map(|at| Jet::variable(vector[at], first + at)).collect()
        };
        let exact = value::<T>(&case.name, &jets(x, 0), &jets(y, LENGTH));
        assert_eq!(exact.len(), found[0].len(), "{}", case.name);
        let greatest = x.iter().chain(y).fold(0.0, |most: f64, x| most.max(x.abs()));
        for (at, (exact, found)) in exact.iter().zip(&found[0]).enumerate() {
            let error = error(of, *found, &exact.value, *of_value, greatest);
            worst.note(0, error, || {
                format!(
                    "[{at}] at {x:?}, {y:?}: {found:e}, exactly {:e}",
                    exact.value.to_f64().value()
                )
            });
        }
        for (argument, found) in found[1..].iter().enumerate() {
            for (at, found) in found.iter().enumerate() {
                let place = argument * LENGTH + at;
                let parts = exact.iter().zip(given.iter().cycle());
                let parts = parts
                    .filter_map(|(exact, seed)| Some(exact.slopes[place].as_ref()? * big(*seed)));
                let exact = parts.fold(big(0.0), |sum, part| sum + part);
                let most = given.iter().copied().fold(0.0, f64::max);
                let error = error(of, *found, &exact, *gradient, most);
                worst.note(1, error, || {
                    let of = ["x", "y"][argument];
                    format!(
                        "by {of}[{at}] at {x:?}, {y:?}: {found:e}, exactly {:e}",
                        exact.to_f64().value()
                    )
                });
            }
        }
    }
    worst
}

/// The least number of a coarse scale that is not below an error: what the table has, so that it is
/// the same on machines that round a little otherwise.
fn coarse(error: f64) -> f64 {
    let mut step = 0.5;
    while step < error {
        step *= if step.log2().fract() == 0.0 { 1.5 } else { 4.0 / 3.0 };
    }
    if error == 0.0 { 0.0 } else { step }
}

fn table() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("book/src/figures/accuracy.md")
}

const HEAD: &str = "| op | `f32` value | gradient | `f64` value | gradient | counted in | why more than 4 |\n\
                    | --- | --- | --- | --- | --- | --- | --- |\n";

/// Measures all cases; returns the table. No error may be more than twice that in the table which is
/// given, if one is: machines without fused multiply-add round otherwise.
fn measure(dense: usize, known: Option<&str>) -> String {
    let mut table = HEAD.to_owned();
    let mut wrong = String::new();
    for case in cases() {
        let name = case.name.as_str();
        let row = row(name);
        let of_type =
            [worst::<f32>(&case, &row, &F32, dense), worst::<f64>(&case, &row, &F64, dense)];
        let errors: Vec<&(f64, String)> = of_type.iter().flat_map(|worst| &worst.0).collect();
        let known = known.map(|known| {
            let found = numbers_in(known, name);
            found.unwrap_or_else(|| panic!("the book lacks the accuracy of `{name}`"))
        });
        for (column, (error, place)) in errors.iter().enumerate() {
            let most = if row.why.is_empty() { ELEMENTARY } else { f64::MAX };
            let most = known.map_or(most, |known| most.min(2.0 * known[column]));
            if error.is_nan() || *error > most {
                let part = ["f32 value", "f32 gradient", "f64 value", "f64 gradient"][column];
                _ = writeln!(wrong, "{name}, {part}: {error:.1} units, {most} allowed; {place}");
            }
        }
        let units = [row.value, row.gradient].map(|unit| match unit {
            Unit::Own => "its own".to_owned(),
            Unit::Flushed(1.0) => "its own; may be 0 below normal numbers".to_owned(),
            Unit::Flushed(times) => {
                format!("its own; may be 0 below {times} times the least normal number")
            }
            Unit::Terms => "the greatest term".to_owned(),
        });
        let units = match &units[..] {
            [value, gradient] if value == gradient => value.clone(),
            units => units.join(" / "),
        };
        let numbers: Vec<String> = errors.iter().map(|error| coarse(error.0).to_string()).collect();
        _ = writeln!(table, "| `{name}` | {} | {units} | {} |", numbers.join(" | "), row.why);
    }
    assert!(wrong.is_empty(), "errors are greater than they may be:\n{wrong}");
    table
}

/// The errors of a case in a table.
fn numbers_in(table: &str, name: &str) -> Option<[f64; 4]> {
    let line = table.lines().find(|line| line.starts_with(&format!("| `{name}` |")))?;
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let numbers: Vec<f64> = cells.get(2..6)?.iter().flat_map(|cell| cell.parse()).collect();
    numbers.try_into().ok()
}

/// Fault B13: `elu` and losses of confident right answers were 0 in `f32`, `gelu` was 0 from -5.5 on, and a
/// vector's cosine with itself was beyond 1.
#[test]
fn errors_are_as_in_the_book() {
    if std::env::var_os("EDB_BLESS").is_some() {
        fs::write(table(), measure(1, None)).unwrap();
        return;
    }
    measure(1, Some(&fs::read_to_string(table()).unwrap()));
}

/// At eight times as many numbers. Where terms cancel, errors have no bound: the nearer a number is to
/// the zero of a function, the greater they are.
#[test]
#[ignore = "takes long"]
fn elementary_functions_are_exact_at_many_more_numbers() {
    measure(8, None);
}
