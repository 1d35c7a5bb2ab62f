//! The log for TensorBoard.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::error::LogError;
use super::events::{Message, SUMMARY, cut, end_of, first_event, now, record, second_event};
use super::flushed::FlushedByClock;
use super::held::{Held, hold};
use super::{Log, check_names, check_order};

/// Scalars in an event file for TensorBoard: `tensorboard --logdir FOLDER`.
#[derive(Debug)]
pub struct TensorBoardLog<W: Write = BufWriter<File>> {
    file: FlushedByClock<W>,
    last: Option<u64>,
    /// Dropped behind the file, which is written then.
    _held: Option<Held>,
}

impl TensorBoardLog {
    /// Opens a log in this folder, which need not exist, after the events of the first `steps`
    /// steps: those of later ones are removed from the event files of earlier logs. Event files of other
    /// programs are left alone. TensorBoard shows sibling folders as runs to compare.
    ///
    /// # Errors
    /// When a file cannot be read or written, another log writes to the folder, or a file that is named as
    /// those of edb is none, or damaged; all files are unchanged then.
    pub fn open(folder: impl AsRef<Path>, steps: u64) -> io::Result<Self> {
        let folder = folder.as_ref();
        let named = LogError::io(folder);
        fs::create_dir_all(folder).map_err(&named)?;
        let mut paths: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(folder).map_err(&named)? {
            let entry = entry.map_err(&named)?;
            if is_own(&entry.file_name().to_string_lossy()) {
                paths.push(entry.path());
            }
        }
        // In the order of their names, so that an error is always the same. None is cut before all are read.
        paths.sort();
        let end = |path: PathBuf| end_of(&path, steps).map(|end| (path, end));
        let ends: Vec<_> = paths.into_iter().map(end).collect::<io::Result<_>>()?;
        for (path, end) in ends {
            end.map_or(Ok(()), |end| cut(&path, end))?;
        }
        let (seconds, process) = (now() as u64, std::process::id());
        // TensorBoard finds files by `tfevents`, and reads them in the order of their names.
        let mut names = (0..).map(|n| format!("{PREFIX}{seconds:010}.{process}.{n}"));
        loop {
            let path = folder.join(names.next().unwrap_or_default());
            match hold(OpenOptions::new().create_new(true), &path) {
                Ok((file, held)) => {
                    let mut log = Self::new(BufWriter::new(file))?;
                    log._held = Some(held);
                    log.record(&second_event(steps.saturating_add(1)))?;
                    return Ok(log);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// How the names of event files begin.
const PREFIX: &str = "events.out.tfevents.";

/// Whether an event file is named as those of such a log are, rather than those of other programs: its name goes
/// on with the second, the process and a number.
fn is_own(name: &str) -> bool {
    let numbers: Option<Vec<_>> = name.strip_prefix(PREFIX).map(|rest| rest.split('.').collect());
    numbers.is_some_and(|all| all.len() == 3 && all.iter().all(|n| n.parse::<u64>().is_ok()))
}

impl<W: Write> TensorBoardLog<W> {
    /// Writes to this file, which must be empty.
    ///
    /// # Errors
    /// When its first record cannot be written.
    pub fn new(file: W) -> io::Result<Self> {
        let mut log = Self { file: FlushedByClock::new(file), last: None, _held: None };
        log.record(&first_event())?;
        Ok(log)
    }

    fn record(&mut self, event: &Message) -> io::Result<()> {
        // All at once, so that no half of it is written where there is no room for the rest.
        self.file.write_all(&record(event))?;
        self.file.written()
    }
}

impl<W: Write> Log for TensorBoardLog<W> {
    /// No two names are the same.
    fn write(&mut self, step: u64, numbers: &[(&str, f64)]) -> io::Result<()> {
        check_names(numbers.iter().map(|(name, _)| *name), None)?;
        check_order(&mut self.last, step)?;
        // Event.step = 2; Summary.value = 1; Value.tag = 1, Value.simple_value = 2
        let mut summary = Message::default();
        for (name, number) in numbers {
            let mut value = Message::default();
            value.bytes(1, name.as_bytes());
            value.float(2, *number as f32);
            summary.bytes(1, &value.0);
        }
        let mut event = Message::event();
        event.varint(2, step);
        event.bytes(SUMMARY, &summary.0);
        self.record(&event)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::events::{masked_crc, step_of};
    use super::*;

    /// The standard check value of CRC-32C; its mask was computed by hand.
    #[test]
    fn the_crc_is_castagnolis() {
        assert_eq!(crc32c::crc32c(b"123456789"), 0xe306_9283);
        let rotated: u32 = 0x2507_c60d;
        assert_eq!(0xe306_9283_u32.rotate_right(15), rotated);
        assert_eq!(masked_crc(b"123456789"), rotated.wrapping_add(0xa282_ead8));
    }

    /// The step of each event of a file that has one.
    fn steps_of(bytes: &[u8]) -> Vec<u64> {
        let (mut rest, mut steps) = (bytes, Vec::new());
        while let Some((length, tail)) = rest.split_first_chunk() {
            let (data, tail) = tail[4..].split_at(u64::from_le_bytes(*length) as usize);
            steps.push(step_of(data).0);
            rest = &tail[4..];
        }
        steps
    }

    /// Fault D1: a run that went on had the steps after its checkpoint twice.
    #[test]
    fn a_run_that_goes_on_has_each_step_once() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("events.out.tfevents.1700000000.host.7.0");
        fs::write(&other, b"of another program").unwrap();
        let write = |from: u64, steps: &[u64]| {
            let mut log = TensorBoardLog::open(folder.path(), from).unwrap();
            steps.iter().for_each(|step| log.write(*step, &[("loss", 0.5)]).unwrap());
        };
        let files = || {
            let mut paths: Vec<_> =
                fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
            paths.retain(|path| *path != other);
            paths.sort();
            paths
        };
        write(0, &[1, 2, 300, 301]);
        let first = files().remove(0);
        // A record that was not written to its end.
        let mut bytes = fs::read(&first).unwrap();
        bytes.truncate(bytes.len() - 3);
        fs::write(&first, bytes).unwrap();
        write(2, &[3, 300]);
        write(300, &[301]);
        let all: Vec<Vec<u64>> =
            files().iter().map(|path| steps_of(&fs::read(path).unwrap())).collect();
        // The version is of no step, and the second event says from which step on the file has them.
        let begins = |first: u64, steps: &[u64]| [&[0, first][..], steps].concat();
        assert_eq!(all, [begins(1, &[1, 2]), begins(3, &[3, 300]), begins(301, &[301])]);
        // A run that begins anew.
        write(0, &[1]);
        let all: Vec<u64> =
            files().iter().flat_map(|path| steps_of(&fs::read(path).unwrap())).collect();
        assert_eq!(all.iter().filter(|step| **step > 0).count(), 2);
        assert_eq!(fs::read(&other).unwrap(), b"of another program");
    }

    #[test]
    fn records_are_framed() {
        let mut bytes = Vec::new();
        let mut log = TensorBoardLog::new(&mut bytes).unwrap();
        log.write(300, &[("loss", 0.5)]).unwrap();
        log.flush().unwrap();
        let mut rest = &bytes[..];
        let mut records = Vec::new();
        while !rest.is_empty() {
            let (length, tail) = rest.split_at(8);
            let (crc, tail) = tail.split_at(4);
            assert_eq!(crc, masked_crc(length).to_le_bytes());
            let (data, tail) =
                tail.split_at(u64::from_le_bytes(length.try_into().unwrap()) as usize);
            let (crc, tail) = tail.split_at(4);
            assert_eq!(crc, masked_crc(data).to_le_bytes());
            records.push(data);
            rest = tail;
        }
        // After the time, which is a double in field 1.
        assert_eq!(records[0][9..], *b"\x1a\x0dbrain.Event:2\x52\x05\x0a\x03edb");
        let summary = b"\x2a\x0d\x0a\x0b\x0a\x04loss\x15\x00\x00\x00\x3f";
        assert_eq!(records[1][9..], [&b"\x10\xac\x02"[..], summary].concat());
    }

    /// An event of another writer: its time, and this.
    fn event(what: &[u8]) -> Vec<u8> {
        let mut event = Message::event();
        event.0.extend(what);
        record(&event)
    }

    const VERSION: &[u8] = b"\x1a\x0dbrain.Event:2";
    /// Of step 300.
    const LOSS: &[u8] = b"\x10\xac\x02\x2a\x0d\x0a\x0b\x0a\x04loss\x15\x00\x00\x00\x3f";

    /// Has a log opened where these bytes are in a file that is named as those of edb; returns the error, if
    /// there is one. Then the file is as it was, and there is no other.
    fn refused(folder: &Path, bytes: &[u8], steps: u64) -> Option<String> {
        drop(fs::remove_dir_all(folder));
        fs::create_dir_all(folder).unwrap();
        let path = folder.join("events.out.tfevents.1.2.3");
        fs::write(&path, bytes).unwrap();
        let error = TensorBoardLog::open(folder, steps).err()?;
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert!(error.to_string().starts_with(&*path.to_string_lossy()), "{error}");
        assert_eq!(fs::read(&path).unwrap(), bytes, "{error}");
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
        Some(error.to_string())
    }

    /// Fault D1 of the third list: a file was emptied if only its name was that of an event file of edb.
    #[test]
    fn files_of_others_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let folder = &folder.path().join("log");
        for bytes in [b"of another program".to_vec(), vec![0; 100], event(LOSS), b"1".to_vec()] {
            let said = refused(folder, &bytes, 300).unwrap();
            assert!(said.contains("is not a log that edb wrote ("), "{said}");
        }
        // What TensorFlow writes has no event that says from which step on, and another name.
        let others = [event(VERSION), event(LOSS)].concat();
        let said = refused(folder, &others, 299).unwrap();
        assert!(said.contains("is not a log that edb wrote (nothing in it says so)"), "{said}");
        assert_eq!(refused(folder, &others, 300), None);
        // Fault D1 of the fourth list: earlier versions of edb wrote such a file, and other programs may, too.
        let start = b"\x10\x01\x3a\x02\x08\x01";
        let earlier = [event(VERSION), event(start), event(LOSS)].concat();
        assert_eq!(refused(folder, &earlier, 300), None);
        assert_eq!(fs::read(folder.join("events.out.tfevents.1.2.3")).unwrap(), earlier);
        let said = refused(folder, &earlier, 299).unwrap();
        assert!(said.contains("is not a log that edb wrote (nothing in it says so)"), "{said}");
        // A run that was killed before anything was written.
        assert_eq!(refused(folder, b"", 3), None);
        // A file that is damaged leaves the others as they are.
        let [own, bad] =
            ["events.out.tfevents.1.2.3", "events.out.tfevents.1.2.4"].map(|n| folder.join(n));
        fs::write(&own, &earlier).unwrap();
        fs::write(&bad, b"other").unwrap();
        assert!(TensorBoardLog::open(folder, 300).unwrap_err().to_string().contains("1.2.4"));
        assert_eq!(fs::read(&own).unwrap(), earlier);
    }

    /// Fault D2 of the third list: a log ended where one bit of it was another, and later events were lost.
    #[test]
    fn what_is_damaged_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let folder = &folder.path().join("log");
        let mut bytes = Vec::new();
        let mut log = TensorBoardLog::new(&mut bytes).unwrap();
        log.record(&second_event(1)).unwrap();
        (1..4).for_each(|step| log.write(step, &[("loss", 0.5)]).unwrap());
        drop(log);
        for place in 0..bytes.len() {
            for (bit, steps) in [(place % 8, 3), (7 - place % 8, 1)] {
                let mut bytes = bytes.clone();
                bytes[place] ^= 1 << bit;
                let said = refused(folder, &bytes, steps);
                assert!(said.is_some_and(|said| said.contains(" record at byte ")), "{place}");
            }
            // Where a run was killed, whole records stay.
            if place > 60 {
                assert_eq!(refused(folder, &bytes[..place], 3), None);
                let kept = fs::read(folder.join("events.out.tfevents.1.2.3")).unwrap();
                assert!(bytes.starts_with(&kept) && place - kept.len() < 80);
            }
        }
    }

    /// Fault D3 of the third list: a second log cut the file that the first one wrote to. Two numbers of one
    /// name were one.
    #[test]
    fn a_second_log_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = TensorBoardLog::open(folder.path(), 0).unwrap();
        let error = TensorBoardLog::open(folder.path(), 0).unwrap_err();
        assert!(error.to_string().contains("is being written by another log"), "{error}");
        assert_eq!(error.kind(), io::ErrorKind::ResourceBusy);
        first.write(1, &[("loss", 0.5), ("step", 1.0)]).unwrap();
        let error = first.write(1, &[("loss", 0.5), ("loss", 0.5)]).unwrap_err().to_string();
        assert!(error.starts_with("two numbers have the name \"loss\""), "{error}");
        assert!(
            first.write(0, &[]).unwrap_err().to_string().contains("step 0 is less than step 1")
        );
        drop(first);
        drop(TensorBoardLog::open(folder.path(), 1).unwrap());
        let steps =
            |entry: io::Result<fs::DirEntry>| steps_of(&fs::read(entry.unwrap().path()).unwrap());
        let mut all: Vec<Vec<u64>> = fs::read_dir(&folder).unwrap().map(steps).collect();
        all.sort();
        assert_eq!(all, [vec![0, 1, 1], vec![0, 2]]);
    }
}
