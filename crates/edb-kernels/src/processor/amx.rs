//! The tiles of AMX ("Advanced Matrix Extensions", Intel,
//! 2020).
//!
//! A tile register has 16 rows of 64 bytes. It holds 16 rows and 16 pairs of a left side, 16 lines and 16
//! columns of a panel, or 16 rows and 16 columns of sums. A process must ask the operating system for
//! permission to use these registers. Before a product, each thread sets the sizes of its tiles; after the
//! product it releases them, so that their 8 KiB need not be saved when threads are switched.

use std::sync::OnceLock;

/// The number of lines of a tile. Panels have a multiple of this number of lines.
pub(crate) const TILE_LINES: usize = 16;

/// The number of columns of a panel: the columns of two tiles.
pub(crate) const PANEL_COLUMNS: usize = 32;

/// Whether this machine has the instructions and the operating system permits their use.
pub(crate) fn is_permitted() -> bool {
    static PERMITTED: OnceLock<bool> = OnceLock::new();
    *PERMITTED.get_or_init(|| has_instructions() && ask())
}

fn has_instructions() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // The bits of AMX-BF16 and AMX-TILE (Intel's manual, volume 2, CPUID).
    const NEEDED: u32 = 1 << 22 | 1 << 24;
    __cpuid(0).eax >= 7 && __cpuid_count(7, 0).edx & NEEDED == NEEDED
}

/// Asks the operating system for permission (Linux: Documentation/arch/x86/xstate.rst). It refuses if it does
/// not know AMX, or if a thread's stack for signals has no room for tiles.
#[cfg(target_os = "linux")]
fn ask() -> bool {
    use std::arch::asm;
    const ARCH_PRCTL: i64 = 158;
    const ARCH_REQ_XCOMP_PERM: i64 = 0x1023;
    const XFEATURE_XTILEDATA: i64 = 18;
    let mut result = ARCH_PRCTL;
    // SAFETY: the system call changes what this process may use, and nothing else; it overwrites
    // the three registers named.
    unsafe {
        asm!(
            "syscall",
            inout("rax") result,
            in("rdi") ARCH_REQ_XCOMP_PERM,
            in("rsi") XFEATURE_XTILEDATA,
            out("rcx") _,
            out("r11") _,
            options(nostack),
        );
    }
    result == 0
}

/// Only on Linux is it known how to ask.
#[cfg(not(target_os = "linux"))]
fn ask() -> bool {
    false
}
