//! Files of lines that a run goes on with.
//!
//! Invariant: of a file that is there, nothing is removed but lines of later steps and a last line that was not
//! written to its end, and only where all of it is as edb writes it. Its first line has a mark, by which a file
//! of edb is told from one that only looks like it. Earlier versions wrote no mark. A file without one must have
//! lines of steps that the run has taken, and nothing is removed from it.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Result, Seek, SeekFrom};
use std::path::Path;

use super::error::LogError;
use super::held::{Held, hold};

/// How a log of lines is written. It is told the lines in their order.
pub(super) trait Format {
    /// How the first line begins, with the mark.
    const MARK: &str;
    /// How it begins without, as earlier versions wrote it.
    const UNMARKED: &str;

    /// What the next line is, without its line break; nothing if edb does not write it so.
    fn line(&mut self, line: &str) -> Option<Line>;

    /// Whether the next line begins so, or may be this.
    fn begins(&self, bytes: &[u8]) -> bool;
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Heading,
    OfStep(u64),
}

/// A file behind the lines that are kept.
pub(super) struct Kept {
    pub(super) file: BufWriter<File>,
    pub(super) held: Held,
    /// The step of the last of them.
    pub(super) last: Option<u64>,
}

/// Opens a file, which need not exist, behind the lines of the first `steps` steps, and removes those of later
/// ones.
pub(super) fn go_on<F: Format>(path: &Path, steps: u64, format: &mut F) -> Result<Kept> {
    let named = LogError::io(path);
    let (mut file, held) = hold(OpenOptions::new().create(true).truncate(false), path)?;
    let (end, last) = read(&file, path, steps, format)?;
    if end < file.metadata().map_err(&named)?.len() {
        file.set_len(end).map_err(&named)?;
    }
    file.seek(SeekFrom::Start(end)).map_err(&named)?;
    Ok(Kept { file: BufWriter::new(file), held, last })
}

/// Where the lines end that are kept, and the step of the last of them.
fn read<F: Format>(
    file: &File,
    path: &Path,
    steps: u64,
    format: &mut F,
) -> Result<(u64, Option<u64>)> {
    let named = LogError::io(path);
    let mut lines = BufReader::new(file);
    let head = lines.fill_buf().map_err(&named)?;
    if head.is_empty() {
        return Ok((0, None));
    }
    let is_marked = head.starts_with(F::MARK.as_bytes());
    let wrong = |reason: String| {
        let path = path.to_owned();
        match is_marked {
            true => LogError::Damaged { path, reason },
            false => LogError::Foreign { path, reason },
        }
    };
    if !is_marked && !head.starts_with(F::UNMARKED.as_bytes()) {
        return Err(wrong(format!("it does not begin with `{}`", F::MARK)).into());
    }
    let (mut text, mut number, mut end) = (Vec::new(), 0_u64, 0);
    // The step of the last line, and of the last that is kept.
    let (mut last, mut kept) = (None, None);
    while lines.read_until(b'\n', &mut text).map_err(&named)? > 0 {
        number += 1;
        let line = match text.strip_suffix(b"\n") {
            Some(line) => str::from_utf8(line).ok().and_then(|line| format.line(line)),
            // It was not written to its end.
            None if format.begins(&text) => break,
            None => None,
        };
        match line {
            None => return Err(wrong(format!("line {number} is not as edb writes it")).into()),
            Some(Line::OfStep(step)) if last.is_some_and(|last| step < last) => {
                let last = last.unwrap_or_default();
                let reason = format!("line {number} is of step {step}, behind one of step {last}");
                return Err(wrong(reason).into());
            }
            Some(Line::OfStep(step)) if step > steps => last = Some(step),
            Some(Line::OfStep(step)) => {
                (last, kept) = (Some(step), Some(step));
                end += text.len() as u64;
            }
            Some(Line::Heading) => end += text.len() as u64,
        }
        text.clear();
    }
    if !is_marked {
        let path = path.to_owned();
        if kept.is_none() {
            return Err(LogError::Unmarked { path, steps }.into());
        }
        // Here `text` is the last line if it was not written to its end; otherwise it is empty.
        if last != kept || !text.is_empty() {
            return Err(LogError::UnmarkedBehind { path, steps }.into());
        }
    }
    Ok((end, kept))
}
