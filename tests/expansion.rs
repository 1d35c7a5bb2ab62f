//! What the macros write compiles without a warning.

#[test]
fn expansions_compile_without_warnings() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/expansion/*.rs");
}
