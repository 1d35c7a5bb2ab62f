//! A random program: a vertex function, and around it whatever may change what its names mean.

use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;

use crate::body::{Arguments, Body, Ty, macros};
use crate::scene::{MACROS, Scene};

pub(crate) struct Program {
    /// What stands in its module, with edb's attributes.
    pub(crate) text: String,
    /// How many parameters the function has.
    pub(crate) parameters: usize,
}

impl Program {
    pub(crate) fn new(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut scene = Scene::new(&mut rng);
        let macros = macros(scene.rng);
        let names: Vec<String> = MACROS.sample(scene.rng, macros).map(|&name| name.into()).collect();
        let has_cfgs = scene.has_cfgs;
        let mut body = Body::new(scene.rng, macros, &scene.callables, has_cfgs);
        let level = body.layers.top();
        let mut arguments = Arguments::default();
        let parameters = body.any(&[0, 0, 1, 2]);
        let written = (0..parameters)
            .map(|_| format!("#[param()] {}", body.argument(Ty::Tensor, &mut arguments)));
        let written: Vec<String> = written.collect();
        body.declare(arguments);
        let pulled = body.pulled();
        let statements = body.statements(level, 9);
        let pushed = body.pushed(&scene.called);
        let attribute = body.any(&[
            "#[vertex_function]",
            "#[cfg(all())]\n#[vertex_function]",
            "#[vertex_function]\n#[cfg(all())]",
        ]);
        let item = format!(
            "{attribute}\npub(crate) fn function({}) {{\nlet Number {{ {pulled} }} = pull();\n{statements}\
             push(Told {{ {pushed} }});\n}}",
            written.join(", ")
        );
        let nested = body.chance(0.3);
        let (definitions, call) = body.layers.write(&names, item, nested);
        scene.items.push(definitions + &call);
        Self { text: scene.items.join("\n"), parameters }
    }
}
