use edb::prelude::*;

#[derive(State)]
#[edb(path = edb)]
struct Misspelled {
    h: Tensor,
}

#[derive(Input)]
#[edb(crate = edb)]
#[edb(crate = ::edb)]
struct Twice {
    x: Tensor,
}

#[derive(Output)]
#[edb]
struct Nothing {
    y: Tensor,
}

#[derive(Output)]
struct OnAField {
    #[edb(crate = edb)]
    y: Tensor,
}
