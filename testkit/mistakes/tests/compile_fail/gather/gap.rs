use ports::*;

#[vertex_function]
fn gap() {
    let a: Node = gather(0);
    let b: Node = gather(2);
    push(Out { y: a.h + b.h });
}
