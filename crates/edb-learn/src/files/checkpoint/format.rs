//! The safetensors format: tensors by name, and a map of strings.
//!
//! A file is the length of its header (8 bytes, little-endian), the header (JSON: for each tensor
//! its type, shape and place, and a map of strings under `__metadata__`), and the values.
//!
//! Invariant: a size in a header is checked against the length of the file before anything is
//! allocated for it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};
use serde::Serialize;

use crate::error::LearnError;
use edb_kernels::element::Element;

/// The header's key for the map of strings.
const METADATA: &str = "__metadata__";

/// The longest header that other readers of the format accept.
const MAX_HEADER_BYTES: u64 = 100_000_000;

/// The number of bytes before the header, which hold its length.
const PREFIX_BYTES: u64 = 8;

/// How a zip archive begins.
const ZIP: &[u8] = b"PK\x03\x04";

/// How many values are converted to bytes at a time.
const VALUES_PER_BLOCK: usize = 8192;

/// The header, in an order that depends on its contents only: equal parameters give equal files.
/// (The writer of the safetensors crate takes the metadata in the order of a hash map.)
#[derive(Serialize)]
struct Header<'a> {
    #[serde(rename = "__metadata__", skip_serializing_if = "BTreeMap::is_empty")]
    metadata: &'a BTreeMap<String, String>,
    #[serde(flatten)]
    tensors: BTreeMap<&'a str, TensorInfo>,
}

/// A tensor to be written.
pub struct TensorRef<'a, T> {
    /// Its name in the file.
    pub name: &'a str,
    /// Its dimensions; empty for a scalar.
    pub shape: &'a [usize],
    /// Its elements, row-major.
    pub values: &'a [T],
}

/// Writes tensors with unique names to a file, atomically ([`edb_file::write`]).
///
/// # Errors
///
/// [`LearnError::Write`], and [`LearnError::ReservedName`] for a tensor named `__metadata__`.
pub fn write<T: Element>(
    tensors: &[TensorRef<'_, T>],
    path: &Path,
    metadata: &BTreeMap<String, String>,
) -> Result<(), LearnError> {
    if tensors.iter().any(|tensor| tensor.name == METADATA) {
        return Err(LearnError::ReservedName {
            path: path.to_owned(),
            parameter: METADATA.to_owned(),
        });
    }
    header(tensors, metadata)
        .and_then(|header| edb_file::write(path, |file| write_all(file, &header, tensors)))
        .map_err(|source| LearnError::Write { path: path.to_owned(), source })
}

fn header<T: Element>(
    tensors: &[TensorRef<'_, T>],
    metadata: &BTreeMap<String, String>,
) -> io::Result<Vec<u8>> {
    let mut end = 0;
    let tensors = tensors.iter().map(|tensor| {
        let start = end;
        end += size_of_val(tensor.values);
        let shape = tensor.shape.to_vec();
        (tensor.name, TensorInfo { dtype: T::DTYPE, shape, data_offsets: (start, end) })
    });
    let header = Header { metadata, tensors: tensors.collect() };
    let mut header = serde_json::to_vec(&header).map_err(io::Error::other)?;
    // The format requires aligned values, and allows padding the header with spaces.
    header.resize(header.len().next_multiple_of(PREFIX_BYTES as usize), b' ');
    if header.len() as u64 > MAX_HEADER_BYTES {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("its header of {} bytes exceeds {MAX_HEADER_BYTES}", header.len()),
        ));
    }
    Ok(header)
}

fn write_all<T: Element>(
    file: &mut BufWriter<File>,
    header: &[u8],
    tensors: &[TensorRef<'_, T>],
) -> io::Result<()> {
    file.write_all(&(header.len() as u64).to_le_bytes())?;
    file.write_all(header)?;
    let mut bytes = Vec::with_capacity(VALUES_PER_BLOCK * size_of::<T>());
    for block in tensors.iter().flat_map(|tensor| tensor.values.chunks(VALUES_PER_BLOCK)) {
        bytes.clear();
        block.iter().for_each(|value| value.write_le(&mut bytes));
        file.write_all(&bytes)?;
    }
    Ok(())
}

/// A safetensors file whose header has been read and checked.
pub struct TensorFile {
    path: PathBuf,
    file: File,
    /// Where the values begin.
    start: u64,
    header: Metadata,
}

impl TensorFile {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    ///
    /// [`LearnError::Io`]; [`LearnError::Zip`] or [`LearnError::Corrupt`] if it is not a valid safetensors file.
    pub fn open(path: &Path) -> Result<Self, LearnError> {
        let io = |source| LearnError::Io { path: path.to_owned(), source };
        let mut file = File::open(path).map_err(io)?;
        let (start, header) = read_header(&mut file).map_err(io)?.map_err(|wrong| {
            let path = path.to_owned();
            match wrong {
                Wrong::Zip => LearnError::Zip { path },
                Wrong::Corrupt(reason) => LearnError::Corrupt { path, reason },
            }
        })?;
        Ok(Self { path: path.to_owned(), file, start, header })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The header's entry of each tensor.
    pub fn tensors(&self) -> BTreeMap<String, &TensorInfo> {
        self.header.tensors().into_iter().collect()
    }

    /// The header's map of strings.
    pub fn metadata(&self) -> BTreeMap<String, String> {
        self.header.metadata().iter().flatten().map(|(k, v)| (k.clone(), v.clone())).collect()
    }

    /// The shape and the values of a tensor, row-major, converted to `T`.
    ///
    /// # Errors
    ///
    /// [`LearnError::NoTensor`] if there is none of this name, [`LearnError::TensorType`] if it is
    /// neither in `F32` nor in `F64`; [`LearnError::Io`].
    pub fn read<T: Element>(&mut self, name: &str) -> Result<(Vec<usize>, Vec<T>), LearnError> {
        let (path, tensor) = (self.path.clone(), name.to_owned());
        let tensor = match self.header.info(name) {
            None => {
                let known = self.tensors().into_keys().collect();
                return Err(LearnError::NoTensor { path, tensor, known });
            }
            Some(info) if !is_float(info) => {
                let dtype = info.dtype.to_string();
                return Err(LearnError::TensorType { path, tensor, dtype });
            }
            Some(info) => info,
        };
        let values = read_tensor(&mut self.file, self.start, tensor);
        let io = |source| LearnError::Io { path: self.path.clone(), source };
        Ok((tensor.shape.clone(), values.map_err(io)?))
    }
}

/// Whether the values of a tensor are of a type that can be read.
pub(super) fn is_float(tensor: &TensorInfo) -> bool {
    matches!(tensor.dtype, Dtype::F32 | Dtype::F64)
}

/// What can be wrong with a file.
enum Wrong {
    /// It begins like a zip archive.
    Zip,
    /// Anything else, in words.
    Corrupt(String),
}

/// The offset of the values in the file and a valid header, or what is wrong with the file.
fn read_header(file: &mut File) -> io::Result<Result<(u64, Metadata), Wrong>> {
    let corrupt = |reason| Ok(Err(Wrong::Corrupt(reason)));
    let of_file = file.metadata()?;
    if of_file.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let length = of_file.len();
    if length < PREFIX_BYTES {
        return corrupt(format!("{length} bytes are too few for a header"));
    }
    let mut prefix = [0; PREFIX_BYTES as usize];
    file.read_exact(&mut prefix)?;
    let header = u64::from_le_bytes(prefix);
    if header > MAX_HEADER_BYTES || header > length - PREFIX_BYTES {
        if prefix.starts_with(ZIP) {
            return Ok(Err(Wrong::Zip));
        }
        return corrupt(format!("a header of {header} bytes in a file of {length} bytes"));
    }
    let mut json = vec![0; header as usize];
    file.read_exact(&mut json)?;
    // Deserialising checks, without overflow, that there is no gap between tensors and that each has the bytes
    // that its type and shape need. Where the last tensor ends is checked here, because
    // `SafeTensors::deserialize` would add this to the length of the header, which may overflow.
    match serde_json::from_slice::<Metadata>(&json) {
        Ok(metadata) if metadata.data_len() as u64 != length - PREFIX_BYTES - header => {
            corrupt(format!(
                "its tensors take {} bytes, but {} bytes follow the header",
                metadata.data_len(),
                length - PREFIX_BYTES - header,
            ))
        }
        Ok(metadata) => Ok(Ok((PREFIX_BYTES + header, metadata))),
        Err(error) => corrupt(format!("its header: {error}")),
    }
}

/// Reads the values of a tensor. Its size is at most the size of the file.
fn read_tensor<T: Element>(file: &mut File, start: u64, tensor: &TensorInfo) -> io::Result<Vec<T>> {
    let (from, to) = tensor.data_offsets;
    let mut bytes = vec![0; to - from];
    file.seek(SeekFrom::Start(start + from as u64))?;
    file.read_exact(&mut bytes)?;
    Ok(if tensor.dtype == Dtype::F32 { decode::<f32, T>(&bytes) } else { decode::<f64, T>(&bytes) })
}

fn decode<S: Element, T: Element>(bytes: &[u8]) -> Vec<T> {
    let values = bytes.chunks_exact(size_of::<S>());
    values.map(|value| T::from_f64(S::read_le(value).as_f64())).collect()
}
