//! The CPU back end under the suite for all back ends.

use edb::Device;

edb_backend_suite::backend_suite! {
    every: [Device::cpu(), Device::cpu().threads(2)],
    once: [Device::cpu().threads(2)],
}
