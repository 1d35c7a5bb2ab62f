//! The CPU back end under the suite for all back ends.

use edb::Device;
use edb::engine::Precision;
use edb_backend_suite::narrow;

edb_backend_suite::backend_suite! {
    every: [Device::cpu(), Device::cpu().threads(2)],
    once: [Device::cpu().threads(2)],
}

/// In 16 bits, on one thread and on two.
fn narrow_devices() -> [Device; 2] {
    [1, 2].map(|threads| Device::cpu().threads(threads).precision(Precision::Bf16))
}

edb_backend_suite::tests! {
    cells_in_bf16: narrow::cells(&narrow_devices(), 8, Precision::Bf16);
    /// So many units that lines of panels are padded, and pairs have no second number.
    cells_in_bf16_of_odd_sizes: narrow::cells(&narrow_devices()[..1], 13, Precision::Bf16);
}

/// Values are kept in 32 bits, so they take as much memory.
#[test]
fn training_in_bf16() {
    narrow::trains(&narrow_devices(), 24, Precision::Bf16, |narrow, full| {
        assert_eq!(narrow.report().arena_bytes, full.report().arena_bytes);
    });
}

#[test]
fn checkpoints_move_between_precisions() {
    let [narrow, _] = narrow_devices();
    narrow::checkpoints_move_between(&[narrow.clone(), Device::cpu(), narrow]);
}

#[test]
fn other_precisions_are_refused() {
    for precision in [Precision::Tf32, Precision::F16] {
        let error = edb::Engine::<f32>::on(&Device::cpu().precision(precision)).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "the processor does not compute in {precision}: choose `Precision::Full` or \
                 `Precision::Bf16`"
            )
        );
    }
}
