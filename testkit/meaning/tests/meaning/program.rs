//! A random program: a vertex function, and around it whatever may change what its names mean.

use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;

use crate::body::{Arguments, Body, Ty, macros};
use crate::helper::MACROS;
use crate::scene::Scene;

pub(crate) struct Program {
    /// What stands in its module, with edb's attributes.
    pub(crate) text: String,
    /// How many parameters the function has.
    pub(crate) parameters: usize,
}

impl Program {
    pub(crate) fn new(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let scene = Scene::new(&mut rng);
        let Scene { rng, mut items, callables, called, beginning, has_cfgs, .. } = scene;
        let macros = macros(rng);
        let names = MACROS.sample(rng, macros).map(|&name| name.to_owned());
        let names: Vec<String> = names.collect();
        let mut body = Body::new(rng, macros, &callables, has_cfgs);
        let (level, mut arguments) = (body.layers.top(), Arguments::default());
        let parameters = body.any(&[0, 0, 1, 2]);
        let written = (0..parameters)
            .map(|_| format!("#[param()] {}", body.argument(Ty::Tensor, &mut arguments)));
        let written: Vec<String> = written.collect();
        body.declare(arguments);
        let pulled = body.pulled();
        let statements = body.statements(level, 9);
        let pushed = body.pushed(&called);
        let attributes = body.any(&[
            "#[vertex_function]",
            "#[cfg(all())]\n#[vertex_function]",
            "#[vertex_function]\n#[cfg(all())]",
        ]);
        let item = format!(
            "{attributes}\npub(crate) fn function({}) {{\nlet Number {{ {pulled} }} = pull();\n\
             {beginning}{statements}push(Told {{ {pushed} }});\n}}",
            written.join(", ")
        );
        let is_nested = body.chance(0.3);
        let (definitions, call) = body.layers.write(&names, item, is_nested);
        items.push(definitions + &call);
        Self { text: items.join("\n"), parameters }
    }
}
