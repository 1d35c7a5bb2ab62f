//! Gaussian noise on gradients.

use rand::rngs::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::element::Element;
use crate::learn::{Gradients, ParameterId, Workers};

/// How many values are drawn one after the other: those of a thread are, too, so that the draws do not
/// depend on how many there are.
const STRETCH: usize = 4096;
/// How many words of the cipher a stretch may take: it takes about `2^15`.
const WORDS: u32 = 22;
/// How many stretches a parameter has at most: more than memory has room for.
const STRETCHES: u32 = 28;

impl<T: Element> Gradients<T> {
    /// Adds noise of this deviation to the gradients of these parameters, which become dense. `draws`
    /// returns the same random numbers each time.
    ///
    /// Numbers of a computer are not all numbers: from a Gaussian that is computed once, the bits of a
    /// sum can give away what it was added to (Mironov, 2012, "On significance of the least significant
    /// bits for differential privacy"). So the noise is the sum of four, halved (Holohan and
    /// Braghin, 2021, "Secure random sampling in differential privacy").
    pub(crate) fn add_noise(
        &mut self,
        parameters: &[ParameterId],
        deviation: f64,
        draws: &(dyn Fn() -> ChaCha20Rng + Sync),
        workers: &mut Workers<'_, T>,
    ) {
        for (id, values, added) in self.sums(parameters) {
            if !added {
                values.fill(T::zero());
            }
            let pieces: Vec<_> = values.chunks_mut(STRETCH).map(std::sync::Mutex::new).collect();
            workers.share(pieces.len(), &|number, _| {
                let mut draws = draws();
                let place = (id.index() as u128) << STRETCHES | number as u128;
                draws.set_word_pos(place << WORDS);
                let mut values = pieces[number].lock().unwrap_or_else(|poison| poison.into_inner());
                for value in values.iter_mut() {
                    let four: f64 =
                        (0..4).map(|_| -> f64 { StandardNormal.sample(&mut draws) }).sum();
                    *value += T::from_f64(deviation * four / 2.0);
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Gradient, Parameter, Parameters};
    use crate::secret::{Secret, Use};

    fn noisy(step: u64) -> (Vec<f64>, Gradients<f64>) {
        let mut parameters = Parameters::new();
        for (name, rows) in [("a", 2000), ("b", 10), ("frozen", 3)] {
            let parameter = Parameter::new(name, &[rows, 50], vec![0.0; rows * 50]).unwrap();
            parameters.push(parameter).unwrap();
        }
        let ids: Vec<ParameterId> = parameters.iter().map(|(id, _)| id).collect();
        let mut gradients = Gradients::new(&parameters);
        let rows = Gradient::Rows { width: 50, rows: vec![7], values: vec![1000.0; 50] };
        gradients.add(ids[1], rows).unwrap();
        let draws = || Secret::insecure(5).draws(Use::Noise, step);
        gradients.add_noise(&ids[..2], 3.0, &draws, &mut Workers::alone());
        (gradients.to_dense(ids[0]).into_iter().collect(), gradients)
    }

    #[test]
    fn noise_is_gaussian() {
        let (values, gradients) = noisy(1);
        let count = values.len() as f64;
        let moment = |power| values.iter().map(|x| (x / 3.0).powi(power)).sum::<f64>() / count;
        let found = [1, 2, 3, 4].map(moment);
        // Deviations of these means are 0.003, 0.0045, 0.012 and 0.03.
        for (found, (expected, within)) in
            found.into_iter().zip([(0.0, 0.015), (1.0, 0.02), (0.0, 0.06), (3.0, 0.15)])
        {
            assert!((found - expected).abs() < within, "{found} instead of {expected}");
        }
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.dedup();
        assert_eq!(sorted.len(), values.len(), "a draw was used twice");
        let sparse = gradients.to_dense(ParameterId::new(1));
        let row = |number: usize| sparse.index_axis(ndarray::Axis(0), number).to_owned();
        assert!(row(7).iter().all(|x| (x - 1000.0).abs() < 20.0));
        assert!(row(6).iter().all(|x| *x != 0.0 && x.abs() < 20.0));
        assert_eq!(gradients.get(ParameterId::new(2)), &Gradient::Zero);
    }

    #[test]
    fn noise_depends_on_the_step() {
        assert_eq!(noisy(1).0, noisy(1).0);
        assert_ne!(noisy(1).0, noisy(2).0);
    }
}
