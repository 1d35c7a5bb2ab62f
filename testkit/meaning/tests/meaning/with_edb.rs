#![allow(warnings)]
//! What stands before the programs where edb compiles them.

pub mod ports {
    use edb::prelude::*;

    #[derive(Input)]
    pub struct Number {
        pub x: Tensor,
        pub y: Tensor,
    }

    #[derive(Output)]
    pub struct Told {
        pub z: Tensor,
    }

    /// What a function pushes for each input: as compiled, and eagerly.
    pub fn told<F>(inputs: &[[f64; 2]], parameters: &[f64]) -> Vec<Vec<f64>>
    where
        F: for<'a> VertexFunction<Children<'a> = (), Input = Number, Output = Told>,
    {
        let mut builder = ModelBuilder::new();
        let function = builder.add::<F>(dims! {});
        let mut model: Model<f64> = builder.build_as(1).unwrap();
        let ids: Vec<_> = model.parameters().iter().map(|(id, _)| id).collect();
        for (id, value) in ids.into_iter().zip(parameters) {
            model.parameters_mut().get_mut(id).set_values(&[*value]).unwrap();
        }
        let mut graph = model.graph();
        let mut vertices = Vec::new();
        for [x, y] in inputs {
            let (x, y) = (graph.tensor(&[*x]), graph.tensor(&[*y]));
            vertices.push(graph.add(&function, (), Number { x, y }));
        }
        let batch = model.minibatch([&graph]).unwrap();
        let eager = edb::testing::eager(&model, &batch).unwrap().outputs;
        let mut engine = Engine::new();
        let run = engine.infer(&model, &batch).unwrap();
        let both = |(vertex, eager): (_, &Vec<Vec<f64>>)| {
            vec![run.output(&function, vertex).unwrap().z[[]], eager[0][0]]
        };
        vertices.into_iter().zip(&eager).map(both).collect()
    }
}
