//! What a person reads who has made a mistake in a vertex function, a helper or a port.
//!
//! `TRYBUILD=overwrite cargo test --test suite compile_fail` writes the messages anew; look at
//! each.

#[test]
fn mistakes_are_explained() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/compile_fail/*/*.rs");
}
