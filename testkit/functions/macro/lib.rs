//! The functions of the generator, written where they are compiled.

use proc_macro::TokenStream;

/// All random vertex functions, and the function that lists those of a kind: see `edb_test_functions::functions`.
///
/// Errors in them stand where this is called. `cargo run -p edb-test-functions` prints the text, which can take the
/// place of the call.
#[proc_macro]
pub fn functions(_: TokenStream) -> TokenStream {
    // Names in a text that is parsed are looked up where the macro is called.
    edb_test_functions::functions().parse().expect("the generator writes Rust")
}
