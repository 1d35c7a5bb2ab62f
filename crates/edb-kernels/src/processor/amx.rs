//! The tiles of AMX ("Advanced Matrix Extensions", Intel,
//! 2020).
//!
//! A tile register has 16 rows of 64 bytes: of a left side 16 rows and 16 pairs, of a panel 16
//! lines and 16 columns, of sums 16 rows and 16 columns. The operating system gives a process
//! permission to use them, once it has asked; each thread says how large its tiles are before a
//! product, and releases them behind it, so that their 8 KiB need not be saved when threads are
//! switched.

use std::sync::OnceLock;

/// The lines of a tile: panels have a multiple of it.
pub(crate) const LINES: usize = 16;

/// The columns of a panel: of two tiles.
pub(crate) const COLUMNS: usize = 32;

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

/// Asks the kernel for permission (Linux: Documentation/arch/x86/xstate.rst). It is refused by
/// kernels that do not know of AMX, and where a thread's stack for signals has no room for tiles.
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

/// Only Linux is known to be asked like this.
#[cfg(not(target_os = "linux"))]
fn ask() -> bool {
    false
}
