//! Makes errors readable in `Debug` form, since `fn main() -> Result<(), TrainError>` and `unwrap()` print them
//! in this form.

/// Implements `Debug` for these errors, with the text of `Display`.
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
