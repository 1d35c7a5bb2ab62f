//! The code of the chapter "Speed".

use edb::engine::EngineError;

use super::*;

#[test]
fn products_may_read_16_bits() -> Result<(), EngineError> {
    // ANCHOR: bf16
    let device = Device::cpu().threads(2).precision(Precision::Bf16);
    let engine: Engine = Engine::on(&device)?;
    // ANCHOR_END: bf16
    drop(engine);
    Ok(())
}
