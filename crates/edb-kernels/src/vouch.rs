//! A key for conditions on which `unsafe` code relies, if checking them would cost too much.

/// The key of callers who promise to keep conditions on which `unsafe` code relies. A function that takes a key
/// says under `# Vouch` what its caller promises with it. Code without `unsafe` cannot make a key, and so
/// cannot call the function.
///
/// ```compile_fail,E0133
/// let key = edb_kernels::vouch::Vouch::new();
/// ```
///
/// It is neither `Copy` nor `Clone`, so a key can be used only once.
#[derive(Debug)]
pub struct Vouch(());

impl Vouch {
    /// Makes a key.
    ///
    /// # Safety
    /// The caller must keep the promises under `# Vouch` of every function that gets the key.
    pub const unsafe fn new() -> Self {
        Self(())
    }
}
