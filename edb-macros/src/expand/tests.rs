//! Plans of small functions.

use super::*;

/// The program of a function, as text.
fn program(source: &str) -> String {
    let item: ItemFn = syn::parse_str(source).unwrap();
    let cx = Context::new();
    let function = Function::new(&cx, &item);
    let lowered = lower::function(&cx, &function, &Library::default(), &Calls::default());
    if let Err(errors) = cx.check() {
        let errors: Vec<String> = errors.into_iter().map(|error| error.to_string()).collect();
        return errors.join("\n");
    }
    lowered.program.unwrap().to_string()
}

#[test]
fn a_phrase() {
    let text = program(
        "fn phrase(#[param(5 * H, 2 * H)] u: Tensor, #[param(5 * H)] b: Tensor) {
            let [l, r]: [Node; 2] = [gather(0), gather(1)];
            let [i, o, g, fl, fr] = (u.dot(concat([l.h, r.h])) + b).split();
            let c = i.sigmoid() * g.tanh() + fl.sigmoid() * l.c + fr.sigmoid() * r.c;
            scatter(Node { h: o.sigmoid() * c.tanh(), c });
        }",
    );
    println!("{text}");
    assert!(text.contains("scatter Node"));
}
