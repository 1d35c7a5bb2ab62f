//! The sum over ranks is that of one process, bit for bit, whatever gradients are; and damaged
//! messages are errors.

use std::sync::Mutex;
use std::thread;

use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};

use super::*;
use crate::gradients::{self, Factors, Gradient, GradientKind, Gradients};
use crate::parameters::{Parameter, ParameterId, Parameters};

/// The shapes of the parameters; the last one is large enough for factors.
const SHAPES: [&[usize]; 5] = [&[], &[5], &[7, 3], &[1, 4], &[96, 80]];

fn parameters() -> Parameters<f32> {
    let mut parameters = Parameters::new();
    for (number, shape) in SHAPES.iter().enumerate() {
        let values = vec![0.0; shape.iter().product()];
        parameters.push(Parameter::new(&number.to_string(), shape, values).unwrap()).unwrap();
    }
    parameters
}

/// A gradient of any form.
fn gradient(shape: &[usize], rng: &mut ChaCha8Rng) -> Gradient<f32> {
    let width: usize = shape.iter().skip(1).product();
    let mut numbers =
        |count: usize| (0..count).map(|_| rng.random_range(-1.0..1.0)).collect::<Vec<f32>>();
    let values = numbers(shape.iter().product());
    match rng.random_range(0..4) {
        0 => Gradient::Zero,
        1 if !shape.is_empty() => {
            let rows: Vec<u32> = (0..shape[0] as u32).filter(|_| rng.random_bool(0.4)).collect();
            let values = values[..rows.len() * width].to_vec();
            Gradient::Rows { width, rows, values }
        }
        2 if let &[rows, columns] = shape => {
            let terms = rng.random_range(1..25);
            if !Factors::<f32>::are_cheaper(terms, [rows, columns]) {
                return Gradient::Dense(values);
            }
            let mut factor = |width| {
                (0..terms * width).map(|_| rng.random_range(-1.0..1.0)).collect::<Vec<f32>>()
            };
            let factors = [factor(rows), factor(columns)];
            Gradient::Factors(Factors::of(terms, [rows, columns], factors, false))
        }
        _ => Gradient::Dense(values),
    }
}

fn plus(left: Vec<Gradient<f32>>, right: Vec<Gradient<f32>>) -> Vec<Gradient<f32>> {
    let pairs = left.into_iter().zip(right).zip(SHAPES);
    let rows = |shape: &[usize]| 0..shape.first().copied().unwrap_or(1);
    pairs.map(|((left, right), shape)| left.plus_in(right, rows(shape))).collect()
}

/// The gradients of each share, and the sum of a span of them.
struct Shares(Vec<Vec<Gradient<f32>>>);

impl Shares {
    fn drawn(shares: usize, rng: &mut ChaCha8Rng) -> Self {
        let share = |_| SHAPES.iter().map(|shape| gradient(shape, rng)).collect();
        Self((0..shares).map(share).collect())
    }

    fn sum(&self, span: &Span) -> Vec<Gradient<f32>> {
        match span.len() {
            1 => self.0[span.start].clone(),
            _ => {
                let [left, right] = halves(span);
                plus(self.sum(&left), self.sum(&right))
            }
        }
    }

    fn gradients(&self, span: &Span) -> Gradients<f32> {
        let mut gradients = Gradients::new(&parameters());
        for (number, gradient) in self.sum(span).into_iter().enumerate() {
            gradients.set(ParameterId::new(number), gradient).unwrap();
        }
        gradients
    }

    /// What a rank gets from the others.
    fn exchanged(&self, world: &dyn Collective) -> Result<Gradients<f32>, CollectiveError> {
        let exchange = Exchange { world, tree: Tree { shares: self.0.len() } };
        let gradient_kinds: GradientKinds = (0..world.ranks())
            .map(|rank| {
                let gradient_kinds = |span: Span| {
                    let gradient_kinds: Vec<GradientKind> =
                        self.sum(&span).iter().map(GradientKind::of).collect();
                    (span, gradient_kinds)
                };
                exchange.spans(rank).into_iter().map(gradient_kinds).collect()
            })
            .collect();
        let spans = exchange.spans(world.rank());
        let mine: Vec<Gradients<f32>> = spans.iter().map(|span| self.gradients(span)).collect();
        let last = Exchange::last(world.rank(), spans.len());
        for (_, early) in mine.iter().enumerate().filter(|(place, _)| *place != last) {
            exchange.send_early(early)?;
        }
        let early = exchange.receive_early()?;
        let mut sum = Gradients::new(&parameters());
        exchange.sum(&mine, early, &gradient_kinds, &mut sum)?;
        Ok(sum)
    }
}

/// The bits of gradients, and their kinds.
fn bits(gradients: &Gradients<f32>) -> (Vec<GradientKind>, Vec<u32>) {
    let ids = (0..SHAPES.len()).map(ParameterId::new);
    let values = ids.flat_map(|id| gradients.to_dense(id).into_iter().map(f32::to_bits));
    (gradients::kinds(gradients), values.collect())
}

#[test]
fn sums_are_those_of_one_process() {
    for seed in 0..60 {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let (shares, ranks) = (rng.random_range(1..8), rng.random_range(1..6));
        let shares = Shares::drawn(shares, rng);
        let expected = bits(&shares.gradients(&(0..shares.0.len())));
        thread::scope(|scope| {
            let ranks: Vec<_> = Local::ranks(ranks)
                .into_iter()
                .map(|rank| scope.spawn(|| shares.exchanged(&{ rank }).unwrap()))
                .collect();
            for rank in ranks {
                assert!(bits(&rank.join().unwrap()) == expected, "seed {seed}");
            }
        });
    }
}

/// A rank that damages what it sends.
#[derive(Debug)]
struct Damaging {
    rank: Local,
    rng: Mutex<ChaCha8Rng>,
}

impl Collective for Damaging {
    fn rank(&self) -> usize {
        self.rank.rank()
    }

    fn ranks(&self) -> usize {
        self.rank.ranks()
    }

    fn send(&self, to: usize, mut message: Vec<u8>) -> Result<(), CollectiveError> {
        damage(&mut message, &mut self.rng.lock().unwrap());
        self.rank.send(to, message)
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, CollectiveError> {
        self.rank.receive(from)
    }
}

/// Changes some bytes, or how many there are.
fn damage(message: &mut Vec<u8>, rng: &mut ChaCha8Rng) {
    match rng.random_range(0..5) {
        0 => message.truncate(rng.random_range(0..message.len().max(1))),
        1 => message.extend((0..rng.random_range(1..9)).map(|_| rng.random::<u8>())),
        2 => {
            // What says how many there are is at the beginning.
            let end = message.len().min(8);
            rng.fill_bytes(&mut message[..end]);
        }
        3 => {
            for _ in 0..rng.random_range(1..4) {
                if let Some(last) = message.len().checked_sub(1) {
                    let place = rng.random_range(0..=last);
                    message[place] ^= 1 << rng.random_range(0..8);
                }
            }
        }
        _ => {}
    }
}

/// No panic, no sum beyond what was sent, and the error names the rank that has sent it.
#[test]
fn damaged_messages_are_errors() {
    let mut errors = 0;
    for seed in 0..300 {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let shares = Shares::drawn(rng.random_range(2..6), rng);
        let [first, second] = <[Local; 2]>::try_from(Local::ranks(2)).unwrap();
        let damaging = Damaging { rank: second, rng: ChaCha8Rng::seed_from_u64(!seed).into() };
        thread::scope(|scope| {
            scope.spawn(|| drop(shares.exchanged(&{ damaging })));
            match shares.exchanged(&{ first }) {
                Err(CollectiveError::Message { rank, .. }) => {
                    assert_eq!(rank, 1, "seed {seed}");
                    errors += 1;
                }
                // Other values, or none as the other rank gave up.
                Ok(_) | Err(CollectiveError::Ended { rank: 1 }) => {}
                Err(error) => panic!("seed {seed}: {error}"),
            }
        });
    }
    assert!(errors > 100, "{errors} of 300 were noticed");
}

/// What ranks tell each other is a value of the expected kind, or an error.
#[test]
fn damaged_values_are_errors() {
    let value = vec![("the learning rate".to_owned(), Some(0.1_f64)), (String::new(), None)];
    let bytes = to_bytes(Kind::Greeting, &value);
    let mut noticed = 0;
    for seed in 0..500 {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let mut damaged = bytes.clone();
        damage(&mut damaged, rng);
        match from_bytes::<Vec<(String, Option<f64>)>>(Kind::Greeting, &damaged, 3) {
            Ok(_) => {}
            Err(error) => {
                assert!(matches!(error, CollectiveError::Message { rank: 3, .. }), "{error}");
                noticed += 1;
            }
        }
    }
    assert!(noticed > 200, "{noticed} of 500 were noticed");
    let other = from_bytes::<Vec<(String, Option<f64>)>>(Kind::Status, &bytes, 3).unwrap_err();
    let calls = "the message of a rank that begins its first step, or a step after `resume`, while this rank takes a step";
    assert!(other.to_string().contains(calls), "{other}");
}
