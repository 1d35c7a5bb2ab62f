//! Fits by an optimiser of the outside, which has one vector: of parameters, or of tensors that vertices pull.

use std::cell::RefCell;
use std::error::Error;

use argmin::core::{CostFunction, Executor, Gradient, State as _};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use edb::prelude::*;

type Outcome = Result<(), Box<dyn Error>>;

#[derive(Input)]
struct Point {
    x: Tensor,
    y: Tensor,
}

#[vertex_function]
fn line(#[param(1, N)] w: Tensor, #[param(1)] b: Tensor) {
    let Point { x, y } = pull();
    loss(mse(w.dot(x) + b, y));
}

#[derive(State)]
struct Reached {
    at: Tensor,
}

#[derive(Input)]
struct Step {
    length: Tensor,
    target: Tensor,
}

/// As far as all steps together lead; each should lead to its target.
#[vertex_function]
fn walk(#[param()] start: Tensor) {
    let Step {
        #[shape()]
        length,
        #[shape()]
        target,
    } = pull();
    let Reached { at } = gather_or(0, Reached { at: start });
    let at = at + length.square();
    loss((at - target).square());
    scatter(Reached { at });
}

// ANCHOR: fit
/// The loss of a minibatch, by the parameters or by tensors.
struct Fit {
    of: RefCell<(Model<f64>, Minibatch<f64>, Engine<f64>)>,
    tensors: Vec<Tensor>,
}

impl Fit {
    fn run(&self, vector: &[f64]) -> Result<(f64, Vec<f64>), argmin::core::Error> {
        let (model, batch, engine) = &mut *self.of.borrow_mut();
        match &self.tensors[..] {
            [] => model.parameters_mut().set_vector(vector)?,
            tensors => batch.set_tensors(tensors, vector)?,
        }
        let mut run = engine.forward(model, batch, 0)?;
        let loss = run.loss()?;
        let gradients = run.backward()?;
        let gradient = match &self.tensors[..] {
            [] => gradients.to_vector(),
            tensors => run.tensor_gradients(tensors)?,
        };
        Ok((loss, gradient))
    }
}
// ANCHOR_END: fit

impl CostFunction for &Fit {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, vector: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        Ok(self.run(vector)?.0)
    }
}

impl Gradient for &Fit {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, vector: &Vec<f64>) -> Result<Vec<f64>, argmin::core::Error> {
        Ok(self.run(vector)?.1)
    }
}

fn fitted(fit: &Fit, start: Vec<f64>) -> Result<Vec<f64>, Box<dyn Error>> {
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 5).with_tolerance_grad(1e-10)?;
    let executor = Executor::new(fit, solver).configure(|state| state.param(start).max_iters(200));
    let result = executor.run()?;
    Ok(result.state().get_best_param().ok_or("a fit")?.clone())
}

fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    let near = |(found, expected): (&f64, &f64)| (found - expected).abs() < 1e-6;
    assert!(found.iter().zip(expected).all(near), "{found:?}, not {expected:?}");
}

#[test]
fn parameters_are_one_vector() -> Outcome {
    let mut builder = ModelBuilder::new();
    let line = builder.add::<line>(dims! { N: 3 });
    let model: Model<f64> = builder.build_as(1)?;
    let truth = [0.5, -2.0, 3.0, 0.25];
    let mut g = model.graph();
    for number in 0..12 {
        let x = [1, 2, 5].map(|step| f64::from(step * number).sin());
        let y: f64 = x.iter().zip(&truth).map(|(x, w)| x * w).sum();
        let (x, y) = (g.tensor(&x), g.tensor(&[y + truth[3]]));
        g.add(&line, (), Point { x, y });
    }
    let batch = model.minibatch([&g])?;
    let names: Vec<String> =
        model.parameters().iter().map(|(_, of)| of.name().to_owned()).collect();
    assert_eq!(names, ["line.w", "line.b"]);
    let start = model.parameters().to_vector()?;
    let fit = Fit { of: RefCell::new((model, batch, Engine::new())), tensors: Vec::new() };
    close(&fitted(&fit, start)?, &truth);
    let (model, ..) = &mut *fit.of.borrow_mut();
    let wrong = model.parameters_mut().set_vector(&[0.0; 3]).unwrap_err();
    assert_eq!(wrong.to_string(), "a vector of all parameters has 4 values here, not 3");
    Ok(())
}

#[test]
fn pulled_tensors_are_one_vector() -> Outcome {
    let mut builder = ModelBuilder::new();
    let walk = builder.add::<walk>(dims! {}.init("start", Initializer::Constant(0.0)));
    let model: Model<f64> = builder.build_as(1)?;
    let mut g = model.graph();
    // It has no elements, so it begins where the next tensor begins.
    let empty = g.tensor(&[]);
    let lengths = [g.tensor(&[1.0]), g.tensor(&[1.0])];
    let mut last = None;
    // The second length is that of two steps.
    for (length, target) in [(0, 4.0), (1, 5.0), (1, 6.0)] {
        let (length, target) = (lengths[length], g.tensor(&[target]));
        last = Some(g.add(&walk, [last], Step { length, target }));
    }
    let batch = model.minibatch([&g])?;
    let mut other = model.graph();
    let foreign = other.tensor(&[1.0]);
    let of = RefCell::new((model, batch, Engine::new()));
    let fit = Fit { of, tensors: lengths.to_vec() };
    close(&fitted(&fit, vec![1.0, 1.0])?, &[2.0, 1.0]);
    // Twice the same tensor is twice the same gradient.
    let (model, batch, engine) = &mut *fit.of.borrow_mut();
    batch.set_tensors(&lengths, &[1.0, 3.0])?;
    let mut run = engine.forward(model, batch, 0)?;
    assert!(run.tensor_gradients(&lengths).is_err(), "there is no backward pass yet");
    run.backward()?;
    // Reached: 1, 10 and 19, for 4, 5 and 6.
    let of_first = 4.0 * (1.0 - 4.0 + 10.0 - 5.0 + 19.0 - 6.0);
    let of_second = 12.0 * ((10.0 - 5.0) + 2.0 * (19.0 - 6.0));
    let [first, second] = lengths;
    let found = run.tensor_gradients(&[empty, second, first, second])?;
    close(&found, &[of_second, of_first, of_second]);
    let error = run.tensor_gradients(&[foreign]).unwrap_err();
    assert!(error.to_string().starts_with("the tensor is not of this minibatch"), "{error}");
    let error = batch.set_tensors(&lengths, &[1.0]).unwrap_err();
    assert!(error.to_string().contains('2'), "{error}");
    Ok(())
}
