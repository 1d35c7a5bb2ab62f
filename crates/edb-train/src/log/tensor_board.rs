//! Event files of TensorBoard.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::Log;
use super::flushed::FlushedByClock;

/// Scalars in an event file for TensorBoard: `tensorboard --logdir FOLDER`.
///
/// The file is a sequence of TFRecords (length, masked CRC-32C of the length, data, masked CRC-32C
/// of the data), each a `tensorflow.Event` protocol buffer.
#[derive(Debug)]
pub struct TensorBoardLog<W: Write = BufWriter<File>> {
    file: FlushedByClock<W>,
}

impl TensorBoardLog {
    /// Opens a log in this folder, which need not exist, behind the events of the first `steps`
    /// steps: those of later ones are removed from the event files of earlier logs. TensorBoard shows
    /// sibling folders as runs to compare.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn open(folder: impl AsRef<Path>, steps: u64) -> io::Result<Self> {
        let folder = folder.as_ref();
        fs::create_dir_all(folder)?;
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if is_own(&entry.file_name().to_string_lossy()) {
                cut(&entry.path(), steps)?;
            }
        }
        let (seconds, process) = (now() as u64, std::process::id());
        // TensorBoard finds files by `tfevents`, and reads them in the order of their names.
        let mut names = (0..).map(|n| format!("{PREFIX}{seconds:010}.{process}.{n}"));
        loop {
            let path = folder.join(names.next().unwrap_or_default());
            match File::create_new(path) {
                Ok(file) => {
                    let mut log = Self::new(BufWriter::new(file))?;
                    // Event.session_log = 7, SessionLog.status = 1, START = 1: what TensorBoard has
                    // read of this and later steps, if it runs, is out of date.
                    let mut session = Message::default();
                    session.varint(1, 1);
                    let mut event = Message::event();
                    event.varint(2, steps.saturating_add(1));
                    event.bytes(7, &session.0);
                    log.record(&event.0)?;
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

/// Whether an event file is of such a log, rather than of another program: its name goes on with
/// the second, the process and a number.
fn is_own(name: &str) -> bool {
    let numbers: Option<Vec<_>> = name.strip_prefix(PREFIX).map(|rest| rest.split('.').collect());
    numbers.is_some_and(|all| all.len() == 3 && all.iter().all(|n| n.parse::<u64>().is_ok()))
}

/// Removes the events of steps behind the first `steps` from a file, and what was not written to
/// its end.
fn cut(path: &Path, steps: u64) -> io::Result<()> {
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    let (mut records, mut end) = (BufReader::new(&file), 0);
    let mut read = |bytes: u64| -> io::Result<Option<Vec<u8>>> {
        let mut found = Vec::new();
        records.by_ref().take(bytes).read_to_end(&mut found)?;
        Ok(Some(found).filter(|found| found.len() as u64 == bytes))
    };
    // The length, data, and a sum behind each.
    while let Some(head) = read(12)? {
        let length = head[..8].try_into().map_or(0, u64::from_le_bytes);
        let Some(rest) = read(length.saturating_add(4))? else { break };
        let data = &rest[..length as usize];
        let is_whole = head[8..] == masked_crc(&head[..8]).to_le_bytes()
            && rest[data.len()..] == masked_crc(data).to_le_bytes();
        if !is_whole || step_of(data) > steps {
            break;
        }
        end += (head.len() + rest.len()) as u64;
    }
    file.set_len(end)
}

/// The step of an event: Event.step = 2, behind its time; 0 if it has none.
fn step_of(event: &[u8]) -> u64 {
    if event.get(9) != Some(&(2 << 3)) {
        return 0;
    }
    let groups = event[10..].iter().zip((0..64).step_by(7));
    let mut step = 0;
    for (byte, shift) in groups {
        step |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    step
}

impl<W: Write> TensorBoardLog<W> {
    /// Writes to this file, which must be empty.
    ///
    /// # Errors
    /// When its first record cannot be written.
    pub fn new(file: W) -> io::Result<Self> {
        let mut log = Self { file: FlushedByClock::new(file) };
        // Event.file_version = 3
        let mut event = Message::event();
        event.bytes(3, b"brain.Event:2");
        log.record(&event.0)?;
        Ok(log)
    }

    fn record(&mut self, data: &[u8]) -> io::Result<()> {
        let length = (data.len() as u64).to_le_bytes();
        self.file.write_all(&length)?;
        self.file.write_all(&masked_crc(&length).to_le_bytes())?;
        self.file.write_all(data)?;
        self.file.write_all(&masked_crc(data).to_le_bytes())?;
        self.file.written()
    }
}

impl<W: Write> Log for TensorBoardLog<W> {
    fn write(&mut self, step: u64, numbers: &[(&str, f64)]) -> io::Result<()> {
        // Event.step = 2, Event.summary = 5; Summary.value = 1; Value.tag = 1, Value.simple_value =
        // 2
        let mut summary = Message::default();
        for (name, number) in numbers {
            let mut value = Message::default();
            value.bytes(1, name.as_bytes());
            value.float(2, *number as f32);
            summary.bytes(1, &value.0);
        }
        let mut event = Message::event();
        event.varint(2, step);
        event.bytes(5, &summary.0);
        self.record(&event.0)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The masked CRC of a TFRecord: rotated and offset, since the CRC of data that contains its CRC is
/// weak.
fn masked_crc(data: &[u8]) -> u32 {
    crc32c::crc32c(data).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

/// A protocol buffer message: for each field its number and wire type, then its value.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    /// An event at the current time: Event.wall_time = 1.
    fn event() -> Self {
        let mut message = Self::default();
        message.number(1 << 3 | 1);
        message.0.extend(now().to_le_bytes());
        message
    }

    fn varint(&mut self, field: u64, value: u64) {
        self.number(field << 3);
        self.number(value);
    }

    fn float(&mut self, field: u64, value: f32) {
        self.number(field << 3 | 5);
        self.0.extend(value.to_le_bytes());
    }

    fn bytes(&mut self, field: u64, value: &[u8]) {
        self.number(field << 3 | 2);
        self.number(value.len() as u64);
        self.0.extend(value);
    }

    /// A varint: seven bits per byte, the lowest first.
    fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

#[cfg(test)]
mod tests {
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
            steps.push(step_of(data));
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
        assert_eq!(records[0][9..], *b"\x1a\x0dbrain.Event:2");
        let summary = b"\x2a\x0d\x0a\x0b\x0a\x04loss\x15\x00\x00\x00\x3f";
        assert_eq!(records[1][9..], [&b"\x10\xac\x02"[..], summary].concat());
    }
}
