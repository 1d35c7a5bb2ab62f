//! `checksums.txt`: detects files that have changed since they were written.
//!
//! ```text
//! edb checksums, CRC-32C
//! 0e93a1b2 1744 model.safetensors
//! 5f2c77d0 3312 optimizer.safetensors
//! 91b4e0aa 2210 training.json
//! 3 files
//! ```
//!
//! A changed number is still a valid number, so it is not detected when the files are read. Checkpoints that were
//! written before checksums were introduced do not have this file. To change a checkpoint on purpose, remove the file.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::error::CheckpointError;

/// The file of the checksums.
const CHECKSUMS_FILE: &str = "checksums.txt";
/// The first line of the file.
const TITLE_LINE: &str = "edb checksums, CRC-32C";

/// A file is read in pieces of this many bytes.
const BYTES_PER_PIECE: usize = 1 << 16;

/// The checksum and the length that a file had when it was written.
struct Sum {
    name: String,
    crc: u32,
    bytes: u64,
}

/// Writes the checksums of all files that are in a folder, and syncs them to disk.
pub(super) fn write(folder: &Path) -> Result<(), CheckpointError> {
    let at_folder = || CheckpointError::io(folder);
    let mut sums = Vec::new();
    for entry in fs::read_dir(folder).map_err(at_folder())? {
        let entry = entry.map_err(at_folder())?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let (crc, bytes) =
            checksum(&entry.path(), u64::MAX).map_err(CheckpointError::io(&entry.path()))?;
        sums.push(Sum { name, crc, bytes });
    }
    sums.sort_by(|a, b| a.name.cmp(&b.name));
    let path = folder.join(CHECKSUMS_FILE);
    edb_file::write_bytes(&path, text(&sums).as_bytes()).map_err(CheckpointError::write(&path))
}

/// Checks the files of a folder against their checksums, or only the file of this name.
pub(super) fn check(folder: &Path, only: Option<&str>) -> Result<(), CheckpointError> {
    let path = folder.join(CHECKSUMS_FILE);
    let written = match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        written => written.map_err(CheckpointError::io(&path))?,
    };
    let wrong =
        |path: &Path, reason: String| CheckpointError::Record { path: path.to_owned(), reason };
    let sums = (std::str::from_utf8(&written).ok().and_then(parse))
        // Every byte is compared, since otherwise a truncated list could look complete.
        .filter(|sums| text(sums).as_bytes() == written)
        .ok_or_else(|| wrong(&path, "it does not list checksums as they are written".to_owned()))?;
    for sum in sums.iter().filter(|sum| only.is_none_or(|only| only == sum.name)) {
        let path = folder.join(&sum.name);
        let found = checksum(&path, sum.bytes).map_err(CheckpointError::io(&path))?;
        if found != (sum.crc, sum.bytes) {
            let reason = format!(
                "its checksum is not the one in {CHECKSUMS_FILE}, so that it is no longer what was written; remove \
                 that file if this was changed on purpose"
            );
            return Err(wrong(&path, reason));
        }
    }
    Ok(())
}

fn text(sums: &[Sum]) -> String {
    let mut text = format!("{TITLE_LINE}\n");
    for Sum { name, crc, bytes } in sums {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{crc:08x} {bytes} {name}");
    }
    let _ = writeln!(text, "{} files", sums.len());
    text
}

fn parse(text: &str) -> Option<Vec<Sum>> {
    let mut lines = text.strip_prefix(TITLE_LINE)?.strip_prefix('\n')?.lines();
    lines.next_back()?;
    lines
        .map(|line| {
            let mut parts = line.splitn(3, ' ');
            let crc = u32::from_str_radix(parts.next()?, 16).ok()?;
            let bytes = parts.next()?.parse().ok()?;
            let name = parts.next()?;
            // It must be a name, not a path to another folder.
            let is_name = !name.is_empty() && !name.contains(['/', '\\', ':']) && name != "..";
            is_name.then(|| Sum { name: name.to_owned(), crc, bytes })
        })
        .collect()
}

/// The CRC-32C of a file and its length. At most `expected + 1` bytes are read.
pub(super) fn checksum(path: &Path, expected: u64) -> io::Result<(u32, u64)> {
    let mut file = File::open(path)?.take(expected.saturating_add(1));
    let mut piece = vec![0; BYTES_PER_PIECE];
    let (mut crc, mut bytes) = (0, 0);
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok((crc, bytes)),
            Ok(read) => {
                crc = crc32c::crc32c_append(crc, &piece[..read]);
                bytes += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "123456789").unwrap();
        fs::write(folder.path().join("b"), vec![7; 3 * BYTES_PER_PIECE + 5]).unwrap();
        write(folder.path()).unwrap();
        folder
    }

    #[test]
    fn checksums_have_the_documented_format() {
        let folder = folder();
        let text = fs::read_to_string(folder.path().join(CHECKSUMS_FILE)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let [title, a, b, count] = lines[..] else { panic!("{text}") };
        assert_eq!((title, a, count), (TITLE_LINE, "e3069283 9 a", "2 files"));
        assert!(b.ends_with(" 196613 b"), "{b}");
        check(folder.path(), None).unwrap();
        fs::remove_file(folder.path().join(CHECKSUMS_FILE)).unwrap();
        check(folder.path(), None).unwrap();
    }

    /// Flips every bit of a file, and truncates it everywhere.
    #[test]
    fn no_change_of_one_byte_passes() {
        let folder = folder();
        for name in ["a", CHECKSUMS_FILE] {
            let path = folder.path().join(name);
            let bytes = fs::read(&path).unwrap();
            for byte in 0..bytes.len() {
                for bit in 0..8 {
                    let mut changed = bytes.clone();
                    changed[byte] ^= 1 << bit;
                    fs::write(&path, changed).unwrap();
                    check(folder.path(), None).unwrap_err();
                }
                fs::write(&path, &bytes[..byte]).unwrap();
                check(folder.path(), None).unwrap_err();
            }
            fs::write(&path, [&bytes[..], b"\n"].concat()).unwrap();
            check(folder.path(), None).unwrap_err();
            fs::write(&path, bytes).unwrap();
        }
        check(folder.path(), None).unwrap();
        fs::write(folder.path().join("b"), "").unwrap();
        check(folder.path(), Some("a")).unwrap();
        let error = check(folder.path(), Some("b")).unwrap_err();
        assert!(
            error.is_damage() && error.to_string().contains("no longer what was written"),
            "{error}"
        );
        fs::remove_file(folder.path().join("b")).unwrap();
        assert!(check(folder.path(), None).unwrap_err().is_damage());
    }

    #[test]
    fn no_other_folder_is_read() {
        let folder = folder();
        for name in ["../a", "/dev/zero", "..", ""] {
            let sum = Sum { name: name.to_owned(), crc: 0, bytes: u64::MAX };
            fs::write(folder.path().join(CHECKSUMS_FILE), text(&[sum])).unwrap();
            let error = check(folder.path(), None).unwrap_err().to_string();
            assert!(error.contains("does not list checksums"), "{error}");
        }
    }
}
