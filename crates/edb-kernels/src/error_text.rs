//! How errors print where nobody has asked for their text: `fn main() -> Result<(), TrainError>` and
//! `unwrap()` print what `Debug` says.

/// Has `Debug` of these errors say what `Display` says.
#[macro_export]
macro_rules! debug_is_display {
    ($($error:ty),+) => {$(
        impl ::core::fmt::Debug for $error {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }
    )+};
}
