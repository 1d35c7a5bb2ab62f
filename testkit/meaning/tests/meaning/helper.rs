//! Helpers that a function may call.

use rand::RngExt as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;

use crate::body::{Arguments, Body, Callable, Ty, macros};
use crate::layers::Fragment;

/// Names of macros: one of them is that of a helper, and one that of an op.
pub(crate) const MACROS: [&str; 5] = ["define", "inner", "mse", "outer", "gate"];

/// Writes helpers.
pub(crate) struct Helpers {
    /// Whether their bodies have `cfg`s.
    has_cfgs: bool,
    /// How many there are.
    written: usize,
}

impl Helpers {
    pub(crate) fn new(has_cfgs: bool) -> Self {
        Self { has_cfgs, written: 0 }
    }

    /// A helper, which calls others, and how it is called where it is defined.
    pub(crate) fn one(
        &mut self,
        rng: &mut ChaCha8Rng,
        [visibility, name]: [&str; 2],
        known: &[Callable],
    ) -> (String, Callable) {
        let macros = macros(rng);
        let (definitions, call, callable) =
            self.written(rng, [visibility, name], known, macros, None);
        let other = match rng.random_bool(0.1) {
            true => format!(
                "#[cfg(any())]\n#[vertex_helper]\n{visibility}fn {name}() -> f64 {{ 7.0 }}\n"
            ),
            false => String::new(),
        };
        (format!("{other}{definitions}{call}\n"), callable)
    }

    /// Macros that write a helper, and two calls of them, for two modules. They have other numbers, or the helper calls
    /// one that is another in each module.
    pub(crate) fn both(&mut self, rng: &mut ChaCha8Rng) -> (String, [String; 2], Callable) {
        let macros = rng.random_range(1..3);
        let factor = rng.random_bool(0.5).then_some("local()");
        let (definitions, call, callable) =
            self.written(rng, ["pub(super) ", "both"], &[], macros, factor);
        let calls = match factor {
            Some(_) => ["0.5", "0.75"].map(|number| {
                format!("#[vertex_helper]\nfn local() -> f64 {{ {number} }}\n{call}\n")
            }),
            None => [call.clone(), call.replace("0.5,", "0.75,")].map(|call| call + "\n"),
        };
        (definitions, calls, callable)
    }

    /// The macros that write a helper, if there are any, and the call of them, or else the helper. It multiplies its
    /// result by a factor, or by a number.
    fn written(
        &mut self,
        rng: &mut ChaCha8Rng,
        [visibility, name]: [&str; 2],
        known: &[Callable],
        macros: usize,
        factor: Option<&str>,
    ) -> (String, String, Callable) {
        let names = self.macro_names(rng, macros);
        let mut body = Body::new(rng, macros, known, self.has_cfgs);
        let (level, mut arguments) = (body.layers.top(), Arguments::default());
        let types = match body.rng.random_range(0..6) {
            0 => vec![Ty::Tensor],
            1 => vec![Ty::Pair, Ty::Tensor],
            2 => vec![Ty::Number, Ty::Array],
            3 => vec![],
            _ => vec![Ty::Tensor, Ty::Tensor],
        };
        let mut written: Vec<String> =
            types.iter().map(|&ty| body.argument(ty, &mut arguments)).collect();
        if self.has_cfgs && body.chance(0.3) {
            written.push("#[cfg(any())] missing: Tensor".into());
        }
        body.declare(arguments);
        let result = if types.is_empty() { Ty::Number } else { Ty::Tensor };
        let text = match result {
            Ty::Number => body.expr(level, Ty::Number, 2),
            _ => body.statements(level, 4) + &body.tail(level, 3),
        };
        // So that each call of the macro may have a number of its own.
        let factor = match factor {
            Some(factor) => factor.to_owned(),
            None => body.layers.pass(0, level, Fragment::Literal, "0.5".into()),
        };
        let attribute = body.any(&["#[vertex_helper]", "#[cfg_attr(all(), vertex_helper)]"]);
        let written_name = match body.chance(0.3) {
            true => body.layers.pass(0, level, Fragment::Ident, name.to_owned()),
            false => name.to_owned(),
        };
        let item = format!(
            "{attribute}\n{visibility}fn {written_name}({}) -> {} {{\n({{ {text} }}) * {factor}\n}}",
            written.join(", "),
            result.text()
        );
        let is_nested = body.chance(0.3);
        let (definitions, call) = body.layers.write(&names, item, is_nested);
        (definitions, call, Callable { path: name.to_owned(), arguments: types, result })
    }

    fn macro_names(&mut self, rng: &mut ChaCha8Rng, count: usize) -> Vec<String> {
        self.written += 1;
        let clashing: Vec<&&str> = MACROS.sample(rng, count).collect();
        let name = |(level, clashing): (usize, &&&str)| match rng.random_bool(0.3) {
            true => (**clashing).to_string(),
            false => format!("make_{}_{level}", self.written),
        };
        clashing.iter().enumerate().map(name).collect()
    }
}
