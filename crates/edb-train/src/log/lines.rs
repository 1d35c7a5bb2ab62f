//! Files of lines that a run goes on with.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom};
use std::path::Path;

/// Opens a file, which need not exist, behind its first lines that are kept, and removes the others.
/// `keeps` is asked line by line until one is not; `None` says that it is no line of a log.
pub(super) fn go_on(
    path: &Path,
    mut keeps: impl FnMut(&str) -> Option<bool>,
) -> io::Result<BufWriter<File>> {
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    let mut file = opened.map_err(named)?;
    let mut lines = BufReader::new(&file);
    let (mut line, mut number, mut end) = (Vec::new(), 0, 0);
    // What does not end in a line break was not written to its end.
    while lines.read_until(b'\n', &mut line).map_err(named)? > 0 && line.ends_with(b"\n") {
        number += 1;
        match std::str::from_utf8(&line).ok().and_then(&mut keeps) {
            Some(true) => end += line.len() as u64,
            Some(false) => break,
            None => {
                let text =
                    format!("line {number} is of no step, so that this is no log to go on with");
                return Err(named(io::Error::new(io::ErrorKind::InvalidData, text)));
            }
        }
        line.clear();
    }
    file.set_len(end).map_err(named)?;
    file.seek(SeekFrom::Start(end)).map_err(named)?;
    Ok(BufWriter::new(file))
}
