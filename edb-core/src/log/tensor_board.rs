//! Event files of TensorBoard.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::Log;

/// Scalars in an event file for TensorBoard: `tensorboard --logdir FOLDER`.
///
/// The file is a sequence of TFRecords (length, masked CRC-32C of the length, data, masked CRC-32C
/// of the data), each a `tensorflow.Event` protocol buffer.
#[derive(Debug)]
pub struct TensorBoardLog<W: Write = BufWriter<File>> {
    file: W,
}

impl TensorBoardLog {
    /// Creates an event file in this folder, which is created if there is none. TensorBoard shows
    /// sibling folders as runs to compare.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(folder: impl AsRef<Path>) -> io::Result<Self> {
        let folder = folder.as_ref();
        fs::create_dir_all(folder)?;
        let (seconds, process) = (now() as u64, std::process::id());
        // TensorBoard finds files by `tfevents`, and reads them in the order of their names.
        let mut names = (0..).map(|n| format!("events.out.tfevents.{seconds:010}.{process}.{n}"));
        loop {
            let path = folder.join(names.next().unwrap_or_default());
            match File::create_new(path) {
                Ok(file) => return Self::new(BufWriter::new(file)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl<W: Write> TensorBoardLog<W> {
    /// Writes to this file, which must be empty.
    ///
    /// # Errors
    /// When its first record cannot be written.
    pub fn new(file: W) -> io::Result<Self> {
        let mut log = Self { file };
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
        self.file.write_all(&masked_crc(data).to_le_bytes())
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
