//! Event files: what TensorBoard reads, and what a run that goes on keeps of them.
//!
//! A file is a sequence of TFRecords (length, masked CRC-32C of the length, data, masked CRC-32C
//! of the data), each a `tensorflow.Event` protocol buffer. The first says which version of the format the
//! file has, and who wrote it; the second, from which step on the file has them.
//!
//! Invariant: of a file that is there, nothing is removed but records of later steps and a last record that was
//! not written to its end, and only where edb wrote the file and all of it is whole.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::error::LogError;
use super::held::hold;

/// The bytes of an event's time, a double in field 1 with its number before it.
const TIME: usize = 9;

/// The field of an event that is a summary, and the one that says when a program began.
pub(super) const SUMMARY: u64 = 5;
const SESSION_LOG: u64 = 7;

/// The first event of a file.
pub(super) fn first_event() -> Message {
    let mut event = Message::event();
    event.0.extend(what_is_first(true));
    event
}

/// The first event behind its time. Event.file_version = 3, and unless an earlier version of edb wrote it,
/// Event.source_metadata = 10, SourceMetadata.writer = 1.
fn what_is_first(names_writer: bool) -> Vec<u8> {
    let (mut writer, mut event) = (Message::default(), Message::default());
    event.bytes(3, b"brain.Event:2");
    if names_writer {
        writer.bytes(1, b"edb");
        event.bytes(10, &writer.0);
    }
    event.0
}

/// The second event of a file: what TensorBoard has read of this and later steps, if it runs, is out of date.
pub(super) fn second_event(step: u64) -> Message {
    // SessionLog.status = 1, START = 1
    let mut session = Message::default();
    session.varint(1, 1);
    let mut event = Message::event();
    event.varint(2, step);
    event.bytes(SESSION_LOG, &session.0);
    event
}

/// The record of an event.
pub(super) fn record(event: &Message) -> Vec<u8> {
    let length = (event.0.len() as u64).to_le_bytes();
    let sums = [masked_crc(&length), masked_crc(&event.0)].map(u32::to_le_bytes);
    [&length[..], &sums[0], &event.0, &sums[1]].concat()
}

/// Where the records of the first `steps` steps end in a file, if others are behind them. It stays as it is.
pub(super) fn end_of(path: &Path, steps: u64) -> io::Result<Option<u64>> {
    let (file, _held) = hold(&mut OpenOptions::new(), path)?;
    let records = Records::new(path, &file)?;
    let length = records.length;
    Ok(Some(records.end_of(steps)?).filter(|end| *end < length))
}

/// Removes the records that are behind this end.
pub(super) fn cut(path: &Path, end: u64) -> io::Result<()> {
    let (file, _held) = hold(&mut OpenOptions::new(), path)?;
    file.set_len(end).map_err(LogError::io(path))
}

/// The records of a file, one after the other.
struct Records<'a> {
    path: &'a Path,
    file: BufReader<&'a File>,
    /// Where the next one begins, and where the file ends.
    next: u64,
    length: u64,
    /// Whether the file is known to be of edb.
    is_own: bool,
}

/// What is found where a record begins.
enum Found {
    Event(Vec<u8>),
    /// A record that was not written to its end.
    Torn,
    End,
}

impl<'a> Records<'a> {
    fn new(path: &'a Path, file: &'a File) -> io::Result<Self> {
        let length = file.metadata().map_err(LogError::io(path))?.len();
        Ok(Self { path, file: BufReader::new(file), next: 0, length, is_own: false })
    }

    fn wrong(&self, reason: String) -> io::Error {
        let path = self.path.to_owned();
        match self.is_own {
            true => LogError::Damaged { path, reason }.into(),
            false => LogError::Foreign { path, reason }.into(),
        }
    }

    /// Where the records end that are kept.
    fn end_of(mut self, steps: u64) -> io::Result<u64> {
        if self.length == 0 {
            // Its run was killed before anything was written.
            return Ok(0);
        }
        let first = match self.next()? {
            Found::Event(event) => event.get(TIME..).unwrap_or_default().to_owned(),
            Found::Torn | Found::End => Vec::new(),
        };
        let names_writer = first == what_is_first(true);
        if !names_writer && first != what_is_first(false) {
            let reason = "it does not begin with the first event of such a file".to_owned();
            return Err(self.wrong(reason));
        }
        self.is_own = names_writer;
        // Where the records that are kept end, and a later step than theirs.
        let (second, mut end, mut later) = (self.next, self.next, None);
        let is_torn = loop {
            let begin = self.next;
            let event = match self.next()? {
                Found::Event(event) => event,
                Found::Torn => break true,
                Found::End => break false,
            };
            let (step, behind) = step_of(&event);
            let is_session = event.get(behind).copied() == Some((SESSION_LOG << 3 | 2) as u8);
            if is_session && begin == second {
                // The record of the session is kept only if a later record is kept.
            } else if step > steps {
                later = Some(step);
            } else if let Some(later) = later {
                let reason = format!(
                    "the record at byte {begin} is of step {step}, behind one of step {later}"
                );
                return Err(self.wrong(reason));
            } else {
                end = self.next;
            }
        };
        match is_torn || later.is_some() {
            true if !self.is_own => Err(self.wrong("nothing in it says so".to_owned())),
            true => Ok(end),
            false => Ok(self.length),
        }
    }

    /// Reads a record. It is damaged where a sum does not fit, and not written to its end where the file is
    /// over too early.
    fn next(&mut self) -> io::Result<Found> {
        let begin = self.next;
        let left = self.length - begin;
        if left == 0 {
            return Ok(Found::End);
        }
        let damaged = |records: &Self| {
            Err(records.wrong(format!("the record at byte {begin} is not as it was written")))
        };
        // The length, data, and a sum behind each.
        if left < 12 {
            return Ok(Found::Torn);
        }
        let head: [u8; 12] = self.bytes()?;
        let (length, sum) = head.split_at(8);
        if sum != masked_crc(length).to_le_bytes() {
            return damaged(self);
        }
        let length = length.try_into().map_or(0, u64::from_le_bytes);
        if left - 12 < length.saturating_add(4) {
            return Ok(Found::Torn);
        }
        let mut data = Vec::new();
        let read = self.file.by_ref().take(length).read_to_end(&mut data);
        read.map_err(LogError::io(self.path))?;
        if self.bytes()? != masked_crc(&data).to_le_bytes() {
            return damaged(self);
        }
        self.next = begin + 16 + length;
        Ok(Found::Event(data))
    }

    fn bytes<const COUNT: usize>(&mut self) -> io::Result<[u8; COUNT]> {
        let mut bytes = [0; COUNT];
        self.file.read_exact(&mut bytes).map_err(LogError::io(self.path))?;
        Ok(bytes)
    }
}

/// The step of an event, Event.step = 2, behind its time, and where it ends; 0 if it has none.
pub(super) fn step_of(event: &[u8]) -> (u64, usize) {
    if event.get(TIME) != Some(&(2 << 3)) {
        return (0, TIME);
    }
    let (mut step, mut end) = (0, TIME + 1);
    for (byte, shift) in event[end..].iter().zip((0..64).step_by(7)) {
        step |= u64::from(byte & 0x7f) << shift;
        end += 1;
        if byte & 0x80 == 0 {
            break;
        }
    }
    (step, end)
}

/// The masked CRC of a TFRecord: rotated and offset, since the CRC of data that contains its CRC is
/// weak.
pub(super) fn masked_crc(data: &[u8]) -> u32 {
    crc32c::crc32c(data).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// Seconds since 1970.
pub(super) fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

/// A protocol buffer message: for each field its number and wire type, then its value.
#[derive(Default)]
pub(super) struct Message(pub(super) Vec<u8>);

impl Message {
    /// An event at the current time: Event.wall_time = 1.
    pub(super) fn event() -> Self {
        let mut message = Self::default();
        message.number(1 << 3 | 1);
        message.0.extend(now().to_le_bytes());
        message
    }

    pub(super) fn varint(&mut self, field: u64, value: u64) {
        self.number(field << 3);
        self.number(value);
    }

    pub(super) fn float(&mut self, field: u64, value: f32) {
        self.number(field << 3 | 5);
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, field: u64, value: &[u8]) {
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
