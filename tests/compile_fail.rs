//! The error messages for mistakes in vertex functions, helpers and ports.
//!
//! `TRYBUILD=overwrite cargo test --test suite compile_fail` rewrites the messages; look at each of
//! them.

#[test]
fn mistakes_are_explained() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/compile_fail/*/*.rs");
}
