//! A device's ceilings: the throughput of a large product, and the bandwidth of a large copy.

use std::sync::Arc;

use edb_core::device::Ceilings;
use edb_core::engine::Precision;

use crate::driver::{DeviceMemory, Driver, Matrix, Product};
use crate::error::GpuError;
use crate::number::{Number, Numbers};

/// How often each is timed; the minimum counts.
const REPEATS: usize = 7;
/// The size doubles until a product takes this long, or until it is `LARGEST`.
const SECONDS: f64 = 5e-3;
const SMALLEST: usize = 32;
const LARGEST: usize = 8192;

/// Measures a device by its own clock, with products in the number type in which values are stored.
pub(crate) fn ceilings(
    driver: &Arc<dyn Driver>,
    precision: Precision,
) -> Result<Ceilings, GpuError> {
    let number = Numbers::new::<f32>(precision).map_or(Number::F32, |numbers| numbers.stored);
    let mut operands =
        [DeviceMemory::new(driver), DeviceMemory::new(driver), DeviceMemory::new(driver)];
    let mut size = SMALLEST;
    loop {
        let bytes = size * size * number.size();
        for operand in &mut operands {
            operand.reserve(bytes)?;
            // Zeros would draw less power than real data, and so run faster. These are values near
            // one.
            driver.upload(&ones(number, size * size), operand.address())?;
        }
        let matrix = |operand: &DeviceMemory| {
            let address = operand.address();
            Matrix { address, stride: size, transposed: false }
        };
        let [a, b, c] = operands.each_ref().map(matrix);
        let (operand_type, result_type) = (number, number);
        let product = Product { size: [size; 3], a, b, c, added: false, operand_type, result_type };
        let product = least(driver, || driver.multiply(&product))?;
        let copy =
            least(driver, || driver.copy(operands[0].address(), operands[1].address(), bytes))?;
        if product >= SECONDS || size == LARGEST {
            return Ok(Ceilings {
                gflops: 2.0 * (size as f64).powi(3) / product / 1e9,
                copy_gb_per_s: 2.0 * bytes as f64 / copy / 1e9,
            });
        }
        size *= 2;
    }
}

/// Numbers in `[1, 2)` with many significand bits set.
fn ones(number: Number, count: usize) -> Vec<u8> {
    let bits = |element: usize| (element as u32).wrapping_mul(0x9E37_79B9);
    let narrow = |one: u16, significand: u32| -> Vec<u8> {
        let rounded = |element| one | (bits(element) >> (32 - significand)) as u16;
        (0..count).flat_map(|element| rounded(element).to_ne_bytes()).collect()
    };
    match number {
        Number::F16 => narrow(0x3c00, 10),
        Number::Bf16 => narrow(0x3f80, 7),
        Number::F32 | Number::F64 => (0..count)
            .flat_map(|element| (0x3f80_0000 | (bits(element) >> 9)).to_ne_bytes())
            .collect(),
    }
}

/// The minimum time of a run, in seconds.
fn least(
    driver: &Arc<dyn Driver>,
    run: impl Fn() -> Result<(), GpuError>,
) -> Result<f64, GpuError> {
    // The first run, which also loads kernels, is not timed.
    run()?;
    let mut least = f64::INFINITY;
    for _ in 0..REPEATS {
        let from = driver.mark()?;
        run()?;
        let to = driver.mark()?;
        driver.synchronize()?;
        let seconds = driver.seconds(from, to);
        [from, to].into_iter().for_each(|mark| driver.unmark(mark));
        // The clock has a finite resolution: avoid a time of zero.
        least = least.min(seconds?.max(1e-9));
    }
    Ok(least)
}
