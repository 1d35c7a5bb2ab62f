//! Random numbers that nobody can foresee, for private training.

use std::fmt;

use rand::rngs::{ChaCha20Rng, SysError, SysRng};
use rand::{Rng, SeedableRng, TryRng};

/// A key of 256 bits, from which the noise and the minibatches of private training are drawn by
/// ChaCha20, a stream cipher (Bernstein, 2008; RFC 8439): without the key, nobody can tell the draws from
/// random numbers. The key is not written to checkpoints, not shown by `Debug`, and cannot be cloned: noise
/// that is drawn twice is no protection, since the difference of two sums with the same noise contains no
/// noise.
///
/// ```compile_fail,E0599
/// # extern crate edb_learn as edb;
/// # fn main() -> Result<(), edb::secret::SecretError> {
/// let secret = edb::secret::Secret::new()?;
/// let other = secret.clone();
/// # Ok(())
/// # }
/// ```
#[derive(PartialEq, Eq)]
pub struct Secret {
    key: [u8; 32],
    /// Whether its draws may be repeated.
    insecure: bool,
}

/// The operating system has no random numbers.
#[derive(thiserror::Error)]
#[error("the operating system gave no random numbers for a secret: {0}")]
pub struct SecretError(SysError);

edb_kernels::debug_is_display!(SecretError);

/// The uses of a secret. Different uses have different draws.
#[derive(Clone, Copy, Debug)]
pub enum Use {
    /// Choosing the samples of a minibatch.
    Sampling,
    /// The noise that is added to gradients.
    Noise,
    /// Checking that ranks have the same secret.
    Greeting,
    /// Naming a run in its accounts.
    Run,
}

impl Secret {
    /// A secret from the operating system's random number generator.
    ///
    /// # Errors
    /// When the generator fails.
    pub fn new() -> Result<Self, SecretError> {
        let mut key = [0; 32];
        SysRng.try_fill_bytes(&mut key).map_err(SecretError)?;
        Ok(Self { key, insecure: false })
    }

    /// **Not a secret**: the same seed gives the same draws, for tests and for runs that should be repeated. A
    /// model that is trained with it is not private for anyone who knows or guesses the seed.
    pub fn insecure(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self { key, insecure: true }
    }
}

/// The secret from which the noise of a run is drawn. It is a new secret, since a run that goes back to an
/// earlier checkpoint must not repeat the noise of the steps that it takes again. Only an insecure secret is
/// used again.
///
/// # Errors
/// When the operating system has no random numbers.
pub fn of_run(secret: &Secret) -> Result<Secret, SecretError> {
    if secret.insecure { Ok(same(secret)) } else { Secret::new() }
}

/// A copy of the secret, for another [use](Use). The two copies must not make the same draws.
pub fn same(secret: &Secret) -> Secret {
    Secret { ..*secret }
}

/// The secret as bytes, for other ranks.
pub fn to_bytes(secret: &Secret) -> Vec<u8> {
    let insecure = u8::from(secret.insecure);
    secret.key.iter().copied().chain([insecure]).collect()
}

/// The secret with these bytes.
pub fn from_bytes(bytes: &[u8]) -> Option<Secret> {
    let (insecure, key) = bytes.split_last()?;
    Some(Secret { key: key.try_into().ok()?, insecure: *insecure != 0 })
}

/// The draws of one use in a step.
pub fn draws(secret: &Secret, of: Use, step: u64) -> ChaCha20Rng {
    let mut master = ChaCha20Rng::from_seed(secret.key);
    master.set_stream(of as u64);
    let mut key = [0; 32];
    master.fill_bytes(&mut key);
    let mut draws = ChaCha20Rng::from_seed(key);
    draws.set_stream(step);
    draws
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_secret() {
        let [one, two] = [Secret::new().unwrap(), Secret::new().unwrap()];
        assert_ne!(one, two);
        assert_eq!(format!("{one:?}"), "Secret(..)");
        assert_eq!(from_bytes(&to_bytes(&one)), Some(same(&one)));
        assert_eq!(from_bytes(&[0; 32]), None);
    }

    /// Fault A6: runs of one secret had the same noise.
    #[test]
    fn runs_have_noise_of_their_own() {
        let secret = Secret::new().unwrap();
        let [first, second] = [of_run(&secret).unwrap(), of_run(&secret).unwrap()];
        assert!(first != second && first != secret);
        let repeated = Secret::insecure(1);
        assert_eq!(of_run(&repeated).unwrap(), repeated);
    }

    #[test]
    fn draws_differ_by_use_step_and_seed() {
        let draw = |seed, of, step| draws(&Secret::insecure(seed), of, step).next_u64();
        let drawn = [
            draw(1, Use::Noise, 0),
            draw(1, Use::Noise, 1),
            draw(1, Use::Sampling, 0),
            draw(1, Use::Run, 0),
            draw(2, Use::Noise, 0),
        ];
        for (number, one) in drawn.iter().enumerate() {
            assert!(!drawn[..number].contains(one));
        }
        assert_eq!(drawn[1], draw(1, Use::Noise, 1));
    }
}
