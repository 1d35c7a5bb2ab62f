//! Compiled sources, cached on disk between processes.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The header of an entry, before the hash of its contents.
const MAGIC: &[u8] = b"edb-cubin-1\n";
const HASH: usize = 32;

/// A directory of compiled sources, each keyed by what it depends on: source, options, architecture
/// and the compiler's version.
///
/// Several processes may use it at once: an entry is renamed into place when it is complete. A
/// damaged entry is compiled again. Without a directory nothing is cached; a directory that cannot
/// be written is not an error.
#[derive(Clone, Debug, Default)]
pub struct Cache {
    directory: Option<PathBuf>,
}

impl Cache {
    /// A cache in this directory, which need not exist yet.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: Some(directory.into()) }
    }

    /// The user's cache: `$EDB_CUDA_CACHE`, else `edb/cuda` in `$XDG_CACHE_HOME` or `~/.cache`. An
    /// empty `$EDB_CUDA_CACHE` turns the cache off.
    pub fn of_user() -> Self {
        let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
        if let Some(chosen) = variable("EDB_CUDA_CACHE") {
            return Self { directory: (!chosen.as_os_str().is_empty()).then_some(chosen) };
        }
        let caches = variable("XDG_CACHE_HOME").filter(|path| path.is_absolute());
        let caches = caches.or_else(|| Some(variable("HOME")?.join(".cache")));
        Self { directory: caches.map(|caches| caches.join("edb").join("cuda")) }
    }

    /// The entry of a key; if there is none, or it is damaged, it is made and stored.
    ///
    /// # Errors
    /// The error of `make`.
    pub fn get<E>(
        &self,
        key: &str,
        make: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Vec<u8>, E> {
        let Some(directory) = &self.directory else { return make() };
        let path = directory.join(format!("{key}.cubin"));
        if let Some(found) = read(&path) {
            return Ok(found);
        }
        let made = make()?;
        // If it cannot be stored, the only cost is to compile it again.
        let _ = write(directory, &path, &made);
        Ok(made)
    }
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let bytes = fs::read(path).ok()?;
    let (hash, rest) = bytes.strip_prefix(MAGIC)?.split_at_checked(HASH)?;
    (Sha256::digest(rest)[..] == *hash).then(|| rest.to_vec())
}

fn write(directory: &Path, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    fs::create_dir_all(directory)?;
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    file.write_all(MAGIC)?;
    file.write_all(&Sha256::digest(bytes))?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn entry(cache: &Cache, key: &str, made: &AtomicUsize) -> Vec<u8> {
        let make = || {
            made.fetch_add(1, Ordering::Relaxed);
            Ok::<_, Infallible>(key.as_bytes().repeat(1000))
        };
        cache.get(key, make).unwrap()
    }

    #[test]
    fn an_entry_is_made_once() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path().join("new").join("ones"));
        let made = AtomicUsize::new(0);
        let first = entry(&cache, "a", &made);
        assert_eq!(entry(&cache, "a", &made), first);
        assert_eq!(made.load(Ordering::Relaxed), 1);
        assert_ne!(entry(&cache, "b", &made), first);
        assert_eq!(made.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn a_damaged_entry_is_made_again() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path());
        let made = AtomicUsize::new(0);
        let expected = entry(&cache, "a", &made);
        let path = directory.path().join("a.cubin");
        let bytes = fs::read(&path).unwrap();
        let mut flipped = bytes.clone();
        flipped[bytes.len() / 2] ^= 1;
        let damages = [Vec::new(), bytes[..bytes.len() - 1].to_vec(), flipped, MAGIC.to_vec()];
        for (number, damaged) in damages.iter().enumerate() {
            fs::write(&path, damaged).unwrap();
            assert_eq!(entry(&cache, "a", &made), expected);
            assert_eq!(made.load(Ordering::Relaxed), number + 2);
            assert_eq!(fs::read(&path).unwrap(), bytes, "and kept whole");
        }
    }

    /// Threads, in place of processes: none reads an incomplete entry, and no temporary file is
    /// left over.
    #[test]
    fn many_threads_may_make_the_same_entry() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path());
        let made = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for key in ["a", "b", "c"] {
                        assert_eq!(entry(&cache, key, &made), key.as_bytes().repeat(1000));
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 3);
    }

    #[test]
    fn a_directory_that_cannot_be_written_caches_nothing() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let made = AtomicUsize::new(0);
        for cache in [Cache::new(file.path().join("below")), Cache::default()] {
            entry(&cache, "a", &made);
            entry(&cache, "a", &made);
        }
        assert_eq!(made.load(Ordering::Relaxed), 4);
    }
}
