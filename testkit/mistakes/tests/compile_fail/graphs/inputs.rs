use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
}

#[derive(Input)]
struct Word {
    id: Index,
}

#[derive(Input)]
struct Gold {
    label: Index,
}

#[vertex_function]
fn read(#[param(V, H)] table: Tensor) {
    let Word { id } = pull();
    scatter(Node { h: table.row(id) });
}

#[vertex_function]
fn judge(#[param(C, H)] w: Tensor) {
    let node: Node = gather(0);
    let gold: Option<Gold> = pull();
    if let Some(Gold { label }) = gold {
        loss(cross_entropy(w.dot(node.h), label));
    }
}

fn build(g: &mut Graph, read: &Function<read>, judge: &Function<judge>) {
    let word = g.add(read, (), Word { id: Index(0) });
    g.add(judge, [word], Gold { label: Index(1) });
    g.add(judge, [word], ());
    g.add(judge, [word], None);
    // Not what they pull.
    g.add(read, (), Gold { label: Index(1) });
    g.add(read, (), ());
    g.add(judge, [word], Word { id: Index(0) });
}
