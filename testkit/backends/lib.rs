//! The test suite for every back end, edb's own and others':
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`agreement`] | compiled runs against the eager reference: cells, random programs |
//! | [`edges`] | ops at ties, bounds, infinities, NaN and denormals, compared with the CPU |
//! | [`doubt`] | that decisions on NaN are seen |
//! | [`sums`] | sums of many terms |
//! | [`training`] | training steps compared with the CPU, and with a second run |
//! | [`narrow`] | cells and training in 16 bits |
//! | [`models`] | a model with graphs for each cell of the examples and of [`zoo`] |
//! | [`ranks`] | a model for training by several ranks, and whether these have the same bits |
//! | [`zoo`] | cells of every kind that the examples do not cover, and random graphs of them |
//! | [`random`] | random programs and graphs |
//! | [`one_op`] | models that compute a single op or form of two vectors |
//! | [`optimizer`] | an optimiser whose steps a test writes |
//! | [`ports`] | ports that many tests have |
//! | [`numbers`] | the numbers of a model and of its gradients, and their bits |
//! | [`machine`] | what is left out on a machine that lacks something |
//! | [`pytorch`] | the reference files written by the scripts in `tests/pytorch` |
//!
//! A crate with a back end has this in its tests:
//!
//! ```
//! # use edb::Device;
//! edb_backend_suite::backend_suite! {
//!     // Each device in every configuration; and each device once, for tests that take long.
//!     every: [Device::cpu(), Device::cpu().threads(2)],
//!     once: [Device::cpu().threads(2)],
//! }
//! ```
#![forbid(unsafe_code)]

pub mod agreement;
pub mod doubt;
pub mod edges;
pub mod machine;
pub mod models;
pub mod narrow;
pub mod numbers;
pub mod one_op;
pub mod optimizer;
pub mod ports;
pub mod pytorch;
pub mod random;
pub mod ranks;
pub mod sums;
pub mod training;
pub mod zoo;

/// Tests of one call each, `name: call;`.
#[macro_export]
macro_rules! tests {
    ($($(#[$about:meta])* $name:ident: $call:expr;)+) => {$(
        $(#[$about])*
        #[test]
        fn $name() {
            $call;
        }
    )+};
}

/// The tests that a back end has to pass, on the devices of two expressions: `every` is each device
/// in every configuration, and `once` each device once, for tests that take long. A back end for
/// which the longest tests take minutes gives the attribute that leaves them out by default, as
/// `long: #[ignore = "takes minutes"]`.
#[macro_export]
macro_rules! backend_suite {
    (every: $every:expr, once: $once:expr $(, long: #[$long:meta])? $(,)?) => {
        $crate::tests! {
            $(#[$long])?
            cells_in_f64: $crate::agreement::cells::<f64>(&$every, 5);
            /// With rows that are read in accesses of 16 bytes.
            cells_in_f32: $crate::agreement::cells::<f32>(&$every, 8);
            $(#[$long])?
            cells_in_f64_with_padded_rows: $crate::agreement::cells::<f64>(&$every, 18);
            random_programs_in_f64: $crate::agreement::random_programs::<f64>(&$every, 0..2);
            random_graphs_grow: $crate::agreement::random_growth::<f32>(&$every, 0..$crate::machine::sample(8) as u64, None);
            $(#[$long])?
            more_random_graphs_grow: $crate::agreement::random_growth::<f64>(&$every, 8..8 + $crate::machine::sample(52) as u64, None);
            random_programs_in_f32: $crate::agreement::random_programs::<f32>(&$every, 100..100 + $crate::machine::sample(16) as u64);
            $(#[$long])?
            more_random_programs_in_f64: $crate::agreement::random_programs::<f64>(&$every, 2..2 + $crate::machine::sample(38) as u64);
            $(#[$long])?
            random_programs_without_some_passes: $crate::agreement::random_programs_without_some_passes::<f64>(&$every, 200..204);
            edges_in_f32: $crate::edges::edges_are_those_of_the_cpu::<f32>(&$once);
            /// Most back ends have one kernel source for both precisions.
            $(#[$long])?
            edges_in_f64: $crate::edges::edges_are_those_of_the_cpu::<f64>(&$once);
            long_sums_do_not_drift: $crate::sums::long_sums_do_not_drift(&$once, $crate::machine::sample(100_000));
            a_device_trains_as_the_processor: $crate::training::a_device_trains_as_the_processor(&$every);
            /// Fault B11: an argmax, a sample or a condition of NaN gave index 0 or an arm, and a
            /// finite loss.
            decisions_on_nan_are_seen: $crate::doubt::decisions_on_nan_are_seen(&$every);
            two_runs_have_the_same_bits: $crate::training::two_runs_have_the_same_bits(&$every);
            an_engine_runs_one_model_after_another: $crate::training::an_engine_runs_one_model_after_another(&$every);
        }
    };
}
