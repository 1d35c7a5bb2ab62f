//! The code on weights of PyTorch, in the chapter on training.

use std::path::Path;

use super::*;

use example_cells::bilstm::BiLstm;

fn take(path: &Path) -> Result<Model, Box<dyn Error>> {
    // ANCHOR: torch
    use example_cells::torch::{Biases, Layer, from_torch};

    let mut builder = ModelBuilder::new();
    let _tagger = BiLstm::new(&mut builder, 6, 4, 3); // words, their width, tags
    let mut model: Model = builder.build(1)?;

    let table = Layer::Embedding { table: "forward.table" };
    from_torch(&mut model, path, "embed", &[table])?;
    let forward = Layer::Lstm {
        layer: "l0",
        w: "forward.w",
        u: "forward.u",
        b: Biases::Two(["forward.b_x", "forward.b_h"]),
        gates: "ifgo",
    };
    let backward = Layer::Lstm {
        layer: "l0_reverse",
        w: "backward.w",
        u: "backward.u",
        b: Biases::Two(["backward.b_x", "backward.b_h"]),
        gates: "ifgo",
    };
    from_torch(&mut model, path, "encoder.lstm", &[forward, backward])?;
    let scores = Layer::Linear { w: "tag.v", b: Some("tag.b") };
    from_torch(&mut model, path, "tag", &[scores])?;
    // ANCHOR_END: torch
    Ok(model)
}

#[test]
fn weights_of_pytorch_are_taken() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("tagger.safetensors");
    fs::write(&path, include_bytes!("../pytorch/layers.safetensors"))?;
    let model = take(&path)?;
    for (parameter, tensor) in [
        ("forward.table", "embed.weight"),
        ("backward.u", "encoder.lstm.weight_hh_l0_reverse"),
        ("tag.b", "tag.bias"),
    ] {
        let id = model.parameters().find(parameter).ok_or(parameter)?;
        let taken = model.parameters().get(id);
        let expected: Vec<f32> =
            edb::learn::Values::safetensors(&path, tensor)?.fill(taken.shape(), parameter)?;
        assert_eq!(taken.values()?, expected, "{parameter}");
    }
    Ok(())
}
