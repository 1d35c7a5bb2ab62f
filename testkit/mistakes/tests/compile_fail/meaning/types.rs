//! Faults A1 and A6 of the seventh list: a name that the user gave was taken for the name of a type of edb or of a port
//! struct. The plan left out what a helper computed with it, or computed it in another type than Rust.

use edb::prelude::*;

#[derive(Input, Clone, Copy)]
struct Number {
    #[allow(dead_code)]
    x: Tensor,
}

mod helpers {
    use edb::prelude::Dim as Size;
    use edb::prelude::Index as Id;
    use edb::prelude::*;

    type Real = f64;
    type Flag = bool;
    type Single = f32;
    struct Settings {
        n: usize,
    }

    #[vertex_helper]
    fn penalty(w: Tensor, n: Size) -> Tensor {
        (w - zeros(n)).square().sum()
    }

    #[vertex_helper]
    fn scaled(w: Tensor, by: Settings) -> Tensor {
        w.sum() * (by.n as f64)
    }

    #[vertex_helper]
    fn times(w: Tensor, by: Real) -> Tensor {
        w.sum() * scalar(by)
    }

    #[vertex_helper]
    fn picked(w: Tensor, i: Id) -> Tensor {
        w.pick(i)
    }

    #[vertex_helper]
    fn chosen(w: Tensor, is_on: Flag) -> Tensor {
        if is_on { w.sum() } else { -w.sum() }
    }

    #[vertex_helper]
    fn of_no_types(w: Tensor) -> Tensor {
        w.sum::<>()
    }

    #[vertex_helper]
    fn constant() -> Single {
        0.1
    }

    #[vertex_function]
    fn cell(#[param(H)] w: Tensor, #[dim(H)] h: Dim) {
        loss(penalty(w, h) + scaled(w, Settings { n: 3 }));
    }
}

mod annotated {
    use super::Number;
    use edb::prelude::*;

    type Single = f32;
    type Small = u8;
    struct Settings {
        rate: f32,
    }
    mod own {
        pub type usize = u8;
    }

    #[vertex_function]
    fn cell(#[param(H)] w: Tensor, #[dim(H)] h: Dim) {
        let a: Single = 0.1;
        let b: [Single; 2] = [0.1, 0.2];
        let n: Small = 200;
        let settings = Settings { rate: 0.1 };
        loss(w.sum() * (a as f64) * (b[0] as f64) * (settings.rate as f64) * ((n + 100) as f64));
        loss(w.sum() * ((h as own::usize) as f64));
        let Number { x } = pull();
        loss(x * 0.0);
    }
}

mod shadowed {
    use edb::prelude::*;

    type usize = u8;
    type f64 = f32;

    #[vertex_function]
    fn cast(#[param(H)] w: Tensor, #[dim(H)] h: Dim) {
        let n = h as usize;
        let rate: f64 = 0.1;
        loss(w.sum() * (n as ::core::primitive::f64) * (rate as ::core::primitive::f64));
    }
}
