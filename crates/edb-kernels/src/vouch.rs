//! What `unsafe` code relies on, where nobody can check it at a reasonable price.

/// The key of those who keep by themselves what `unsafe` code relies on. A function that takes one says
/// under `# Vouch` what its caller promises with it: code without `unsafe` has no key to call it with.
///
/// ```compile_fail,E0133
/// let key = edb_kernels::vouch::Vouch::new();
/// ```
///
/// It is neither `Copy` nor `Clone`, so that whoever has got one cannot keep it.
#[derive(Debug)]
pub struct Vouch(());

impl Vouch {
    /// A key.
    ///
    /// # Safety
    /// Every function that is given the key is called as it says under `# Vouch`.
    pub const unsafe fn new() -> Self {
        Self(())
    }
}
