//! Statements that read and write a function's ports.

use super::PortKind;
use super::expression::{Expr, Tight, node};
use super::function::{Domain, Length, Writer};

impl Writer {
    /// `let Word { id, x } = pull();` or similar, with a type that fits the kind.
    pub fn pull(&mut self) {
        let ty = match self.kind {
            PortKind::Leaf => self.draws.choose(&["Word", "Word", "Signal"]),
            PortKind::Gold => "Gold",
            _ => self.draws.choose(&["", "", "", "Word", "Signal", "Gold"]),
        };
        let (index, tensor) = match ty {
            "" => return,
            "Word" => ("id", "x"),
            "Signal" => ("label", "x"),
            _ => ("label", "target"),
        };
        let x = match self.draws.below(4) {
            0 => {
                self.line(&format!("let {ty} {{ {index}, {tensor} }} = pull();"));
                self.pulled(index, index);
                tensor.to_string()
            }
            1 => {
                let name = self.fresh("p");
                self.line(&format!("let {ty} {{ {tensor}: {name}, {index} }} = pull::<{ty}>();"));
                self.pulled(index, index);
                name
            }
            2 => {
                let name = self.fresh("p");
                self.line(&format!("let {name}: {ty} = pull();"));
                self.pulled(index, &format!("{name}.{index}"));
                format!("{name}.{tensor}")
            }
            // A pattern for one of two fields.
            _ if self.draws.chance(50) => {
                self.line(&format!("let {ty} {{ {tensor}, .. }} = pull();"));
                tensor.to_string()
            }
            _ => {
                let name = self.fresh("p");
                self.line(&format!("let {name} = pull::<{ty}>().{tensor};"));
                name
            }
        };
        // The length of a pulled vector follows only from its use.
        let pulled = Expr::atom(x, Domain::Vertex, 1.0);
        let known = match self.draws.below(3) {
            0 => {
                let bias = self.bias(Length::E);
                self.let_variable(Length::E, &Expr::binary(&pulled, "*", &bias));
                true
            }
            _ => {
                let of = self.length();
                let product = self.times(of, &pulled, Length::E);
                self.let_variable(of, &product);
                self.draws.chance(50)
            }
        };
        if known {
            self.declare(&pulled.text, Some(Length::E), &pulled);
        }
        if self.index.is_some() {
            let of = self.length();
            if let Some(row) = self.row(of) {
                self.let_variable(of, &row);
            }
        }
    }

    /// Notes that an index was pulled.
    fn pulled(&mut self, field: &str, text: &str) {
        if field == "id" {
            self.index = Some(text.into());
        } else {
            self.label = Some(text.into());
            self.unused_label = true;
        }
    }

    /// Declares the fields of a child, under the names that expressions use.
    pub fn declare_child(&mut self, [h, c]: [&str; 2], domain: Domain) {
        let state = Expr::atom("", domain, 1.0);
        self.declare(h, Some(Length::H), &state);
        self.declare(c, Some(Length::K), &state);
    }

    /// Gathers children by place.
    pub fn children(&mut self) {
        match self.kind {
            PortKind::Leaf | PortKind::All => {}
            PortKind::One | PortKind::Gold => self.child("gather", 0, ""),
            PortKind::Mixed if self.draws.chance(70) => self.child("gather", 0, ""),
            PortKind::Mixed => self.optional(0),
            PortKind::Pair => {
                let required = self.draws.below(4);
                // Also in reverse order.
                for place in [[0, 1], [1, 0]][self.draws.below(2)] {
                    match place == required {
                        true => self.child("gather", place, ""),
                        false => self.optional(place),
                    }
                }
            }
            PortKind::Several => self.several(),
        }
    }

    /// `let child: Node = gather(0);` or similar; `init` follows the place.
    fn child(&mut self, verb: &str, place: usize, init: &str) {
        let name = self.fresh("v");
        let argument = format!("{place}{init}");
        match self.draws.below(4) {
            0 => {
                self.line(&format!("let {name}: Node = {verb}({argument});"));
                self.declare_child([&format!("{name}.h"), &format!("{name}.c")], Domain::Vertex);
            }
            1 => {
                self.line(&format!("let {name} = {verb}::<Node>({argument});"));
                self.declare_child([&format!("{name}.h"), &format!("{name}.c")], Domain::Vertex);
            }
            2 => {
                let [h, c] = ["h", "c"].map(|stem| self.fresh(stem));
                self.line(&format!("let Node {{ h: {h}, c: {c} }} = {verb}({argument});"));
                self.declare_child([&h, &c], Domain::Vertex);
            }
            _ => {
                let h = self.fresh("h");
                self.line(&format!("let Node {{ h: {h}, .. }} = {verb}({argument});"));
                let state = Expr::atom("", Domain::Vertex, 1.0);
                self.declare(&h, Some(Length::H), &state);
            }
        }
    }

    /// `gather_or(0, Node { h: b, c: zeros(n) })`.
    fn optional(&mut self, place: usize) {
        let [h, c] = [Length::H, Length::K].map(|of| match self.draws.below(4) {
            0 | 1 => self.zeros(of),
            2 => self.bias(of),
            _ => self.vector(of, 1).at_most(2.0),
        });
        let init = format!(", {}", node(&h.text, &c.text));
        self.child("gather_or", place, &init);
    }

    /// Gathers two or three children, none of them optional.
    fn several(&mut self) {
        let count = 2 + self.draws.below(2);
        let all: Vec<String> = (0..count).map(|place| format!("gather({place})")).collect();
        let all = all.join(", ");
        match self.draws.below(4) {
            0 => {
                let names: Vec<String> = (0..count).map(|_| self.fresh("v")).collect();
                self.line(&format!("let [{}]: [Node; {count}] = [{all}];", names.join(", ")));
                for name in names {
                    self.declare_child(
                        [&format!("{name}.h"), &format!("{name}.c")],
                        Domain::Vertex,
                    );
                }
            }
            1 => {
                let name = self.fresh("v");
                self.line(&format!("let {name}: [Node; {count}] = [{all}];"));
                self.sum_over(count, None, &format!("{name}[k]"));
                let child = self.draws.below(count);
                let fields = ["h", "c"].map(|field| format!("{name}[{child}].{field}"));
                self.declare_child([&fields[0], &fields[1]], Domain::Vertex);
            }
            2 => {
                let name = self.fresh("v");
                let fetch = format!("let {name}: Node = gather(k);");
                self.sum_over(count, Some(&fetch), &name);
            }
            // In reverse order, one after the other.
            _ => (0..count).rev().for_each(|place| self.child("gather", place, "")),
        }
    }

    /// Writes the function's losses, pushes and scatters.
    pub fn results(&mut self) {
        if self.kind == PortKind::Gold || self.unused_label || self.draws.chance(40) {
            self.losses();
        }
        let pushes = self.draws.chance(60);
        let push_first = self.draws.chance(50);
        if pushes && push_first {
            self.push();
        }
        if self.kind != PortKind::Gold {
            self.scatter();
        }
        if pushes && !push_first {
            self.push();
        }
        let rest = self.unread(0);
        if !rest.is_empty() {
            let of = self.length();
            let x = self.fold(of, 0).at_most(3.0).method("sum()", 6.0);
            self.line(&format!("loss({});", x.text));
        }
    }

    fn losses(&mut self) {
        for _ in 0..1 + self.draws.below(2) {
            let of = self.length();
            let x = match self.draws.below(4) {
                _ if self.unused_label => self.cross_entropy(of, 2),
                0 if self.label.is_some() => self.cross_entropy(of, 2),
                1 => {
                    let [a, b] = [self.vector(of, 2), self.vector(of, 1)];
                    self.mse(&a, &b)
                }
                _ => self.scalar(3),
            };
            if self.draws.chance(20) {
                let weight = "(k as f64 + 0.25)";
                self.braces("for k in 0..2 {", "}", |w| {
                    w.line(&format!("loss({} * {weight});", x.within(Tight::Product)));
                });
            } else {
                self.line(&format!("loss({});", x.text));
            }
        }
    }

    fn push(&mut self) {
        if self.draws.chance(50) {
            let y = self.vector(Length::E, 2).at_most(2.0);
            self.line(&format!("push(Out {{ y: {} }});", y.text));
            return;
        }
        let of = self.length();
        let y = self.vector(Length::E, 1).at_most(2.0);
        let logits = if self.draws.chance(80) { self.vector(of, 2) } else { self.scalar(2) };
        let name = self.fresh("out");
        self.line(&format!("let {name} = Scores {{ y: {}, logits: {} }};", y.text, logits.text));
        self.line(&format!("push({name});"));
    }

    fn scatter(&mut self) {
        // Unread variables go to one field, or to both.
        let [h, c] = match self.draws.below(3) {
            0 => {
                let h = self.fold(Length::H, 0);
                [h, self.vector(Length::K, 1)]
            }
            1 => {
                let c = self.fold(Length::K, 0);
                [self.vector(Length::H, 1), c]
            }
            _ => [self.vector(Length::H, 2), self.vector(Length::K, 2)],
        }
        .map(|x| if x.bound > 1.0 { x.method("tanh()", 1.0) } else { x });
        let (h, c) = (h.text, c.text);
        match self.draws.below(5) {
            0 => {
                self.line(&format!("let (h, c) = ({h}, {c});"));
                self.line("scatter(Node { h, c });");
            }
            1 => {
                self.line(&format!("let state = Node {{ c: {c}, h: {h} }};"));
                self.line("scatter(Node { h: state.h, c: state.c * 0.5 });");
            }
            2 => {
                self.line(&format!("let state: Node = {};", node(&h, &c)));
                self.line("scatter(state);");
            }
            3 => self.line(&format!("scatter(Node {{ c: {c}, h: {h} }});")),
            _ => self.line(&format!("scatter({});", node(&h, &c))),
        }
    }
}
