use edb::prelude::*;

#[vertex_function]
fn control(#[param(H)] x: Tensor) {
    let y = if 1.0 > 0.5 { x } else { -x };
    let z = match y {
        other => other,
    };
    while 1.0 > 0.5 {
        break;
    }
    loss(z.sum());
    if false {
        return;
    }
}
