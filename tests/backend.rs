//! The processor as a back end, by the suite that every back end has to pass.

use edb::Device;

edb_backend_suite::backend_suite! {
    every: [Device::cpu(), Device::cpu().threads(2)],
    once: [Device::cpu().threads(2)],
}
