use edb::prelude::*;

#[derive(State)]
struct Phrase {
    h: Tensor,
} // what a phrase tells its parent

#[derive(Input)]
struct Word {
    id: Index,
} // what a word reads from outside the graph

#[derive(Input)]
struct Gold {
    label: Index,
}

#[vertex_function]
fn word(#[param(V, H)] table: Tensor) {
    let Word { id } = pull();
    scatter(Phrase { h: table.row(id) });
}

#[vertex_function]
fn phrase(#[param(H, 2 * H)] u: Tensor, #[param(H)] b: Tensor) {
    let [l, r]: [Phrase; 2] = [gather(0), gather(1)];
    scatter(Phrase { h: (u.dot(concat([l.h, r.h])) + b).tanh() });
}

#[vertex_function]
fn sentiment(#[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let phrase: Phrase = gather(0);
    let Gold { label } = pull();
    loss(cross_entropy(w.dot(phrase.h) + b, label));
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = ModelBuilder::new();
    let word = builder.add::<word>(dims! { V: 1_000, H: 32 });
    let phrase = builder.add::<phrase>(dims! { H: 32 });
    let sentiment = builder.add::<sentiment>(dims! { C: 5, H: 32 });
    let model: Model = builder.build(1)?; // in f32, initialised from seed 1

    let mut g = model.graph(); // "not (very good)"
    let [not, very, good] = [17, 4, 80].map(|id| g.add(&word, (), Word { id: Index(id) }));
    let very_good = g.add(&phrase, [very, good], ());
    let all = g.add(&phrase, [not, very_good], ());
    g.add(&sentiment, [all], Gold { label: Index(1) });

    let batch = model.minibatch([&g])?; // as many graphs as you like, each of another shape
    let mut trainer = Trainer::new(model, Adam::new(1e-2));
    println!("loss {}", trainer.step(&batch)?.loss);
    Ok(())
}
