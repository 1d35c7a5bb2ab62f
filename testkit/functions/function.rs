//! A function under construction: its arguments, its lines, and the variables in scope.

use super::PortKind;
use super::draws::Draws;
use super::expression::Expr;

/// A named dimension as the length of a vector: that of `h`, of `c`, or of pulled and pushed
/// vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    H,
    K,
    E,
}

impl Length {
    pub const ALL: [Length; 3] = [Length::H, Length::K, Length::E];

    pub fn name(self) -> &'static str {
        ["H", "K", "E"][self as usize]
    }

    /// The total length of several vectors, as a dimension: `2 * H + K`.
    pub fn sum(lengths: &[Length]) -> String {
        let term = |of: &Length| match lengths.iter().filter(|other| *other == of).count() {
            0 => None,
            1 => Some(of.name().to_string()),
            count => Some(format!("{count} * {}", of.name())),
        };
        Length::ALL.iter().filter_map(term).collect::<Vec<_>>().join(" + ")
    }
}

/// What a value depends on: parameters only, a vertex, or the child of a loop's iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Domain {
    Step,
    Vertex,
    Edge,
}

/// A tensor in scope: a variable, or a field of one.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    /// The length of a vector; `None` for a scalar.
    pub of: Option<Length>,
    pub domain: Domain,
    pub bound: f64,
    /// Whether anything has read it; rustc warns about unread variables.
    pub read: bool,
}

/// Writes one function.
pub struct Writer {
    pub draws: Draws,
    pub kind: PortKind,
    /// The index of a row and that of a class, as they appear in expressions.
    pub index: Option<String>,
    pub label: Option<String>,
    /// The length of the vectors that the label has been used with.
    pub label_of: Option<Length>,
    /// Whether the label is still unused.
    pub unused_label: bool,
    /// The variables. While a loop adds to accumulators, these are not among them.
    pub scope: Vec<Variable>,
    /// Whether the current lines are inside a `gather_all` loop.
    pub in_loop: bool,
    arguments: Vec<Argument>,
    lines: Vec<String>,
    indent: usize,
    names: usize,
}

/// An argument: a parameter with its shape, or the size of a dimension.
struct Argument {
    name: String,
    attribute: String,
    ty: &'static str,
}

impl Writer {
    pub fn new(draws: Draws, kind: PortKind) -> Self {
        Self {
            draws,
            kind,
            index: None,
            label: None,
            label_of: None,
            unused_label: false,
            scope: Vec::new(),
            in_loop: false,
            arguments: Vec::new(),
            lines: Vec::new(),
            indent: 1,
            names: 0,
        }
    }

    /// The lines of the finished function.
    pub fn write(mut self, name: &str) -> Vec<String> {
        self.body();
        let mut lines = vec!["#[vertex_function]".to_string()];
        lines.push(format!("pub fn {name}("));
        let mut packed = String::new();
        for Argument { name, attribute, ty } in &self.arguments {
            let argument = format!(" #[{attribute}] {name}: {ty},");
            if packed.len() + argument.len() > 90 {
                lines.push(format!("   {}", std::mem::take(&mut packed)));
            }
            packed += &argument;
        }
        lines.push(format!("   {packed}"));
        lines.push(") {".into());
        lines.append(&mut self.lines);
        lines.push("}".into());
        lines
    }

    /// Adds a line.
    pub fn line(&mut self, text: &str) {
        self.lines.push(format!("{}{text}", "    ".repeat(self.indent)));
    }

    /// Adds a block: the line `begin`, which ends in `{`, the lines of `body`, and `end`.
    pub fn braces<R>(&mut self, begin: &str, end: &str, body: impl FnOnce(&mut Self) -> R) -> R {
        self.line(begin);
        self.indent += 1;
        let mark = self.scope.len();
        let result = body(self);
        self.scope.truncate(mark);
        self.indent -= 1;
        self.line(end);
        result
    }

    /// Lines that stand further to the right.
    pub fn indented(&mut self, body: impl FnOnce(&mut Self)) {
        self.indent += 1;
        let mark = self.scope.len();
        body(self);
        self.scope.truncate(mark);
        self.indent -= 1;
    }

    /// A new name.
    pub fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// A random length.
    pub fn length(&mut self) -> Length {
        self.draws.choose(&Length::ALL)
    }

    /// The size of a dimension, as a variable.
    pub fn size(&mut self, of: Length) -> String {
        let name = format!("d{}", of.name().to_lowercase());
        let attribute = format!("dim({})", of.name());
        if !self.arguments.iter().any(|argument| argument.name == name) {
            self.arguments.push(Argument { name: name.clone(), attribute, ty: "Dim" });
        }
        name
    }

    /// A parameter of this shape: a new one, or sometimes an existing one.
    pub fn param(&mut self, stem: &str, shape: &str) -> String {
        let attribute = format!("param({shape})");
        let fits = |a: &&Argument| a.attribute == attribute && !a.name.starts_with("mut ");
        let known = self.arguments.iter().find(fits).map(|argument| argument.name.clone());
        if let Some(name) = known.filter(|_| self.draws.chance(40)) {
            return name;
        }
        let name = self.fresh(stem);
        self.arguments.push(Argument { name: name.clone(), attribute, ty: "Tensor" });
        name
    }

    /// A parameter that the function can change: `mut b`.
    pub fn mutable_param(&mut self, of: Length) -> String {
        let name = self.fresh("b");
        let attribute = format!("param({})", of.name());
        self.arguments.push(Argument { name: format!("mut {name}"), attribute, ty: "Tensor" });
        name
    }

    /// Adds a variable to the scope.
    pub fn declare(&mut self, name: &str, of: Option<Length>, value: &Expr) {
        let (domain, bound) = (value.domain, value.bound);
        let name = name.to_string();
        self.scope.push(Variable { name, of, domain, bound, read: false });
    }

    /// Whether a variable is not shadowed by a later one.
    fn visible(&self, index: usize) -> bool {
        let name = &self.scope[index].name;
        !self.scope[index + 1..].iter().any(|later| later.name == *name)
    }

    /// Reads the variable at this index of the scope.
    pub fn read(&mut self, index: usize) -> Expr {
        let variable = &mut self.scope[index];
        variable.read = true;
        Expr::atom(variable.name.clone(), variable.domain, variable.bound)
    }

    /// A variable of this length; unread ones are preferred.
    pub fn variable(&mut self, of: Option<Length>) -> Option<Expr> {
        self.variable_such_that(|variable| variable.of == of)
    }

    /// A variable for which `wanted` holds; unread ones are preferred.
    pub fn variable_such_that(&mut self, wanted: impl Fn(&Variable) -> bool) -> Option<Expr> {
        let fits = |index: &usize| wanted(&self.scope[*index]) && self.visible(*index);
        let all: Vec<usize> = (0..self.scope.len()).filter(fits).collect();
        let unread: Vec<usize> =
            all.iter().copied().filter(|index| !self.scope[*index].read).collect();
        let from = if unread.is_empty() || self.draws.chance(30) { all } else { unread };
        (!from.is_empty()).then(|| {
            let index = self.draws.choose(&from);
            self.read(index)
        })
    }

    /// The unread variables from this index of the scope on.
    pub fn unread(&self, from: usize) -> Vec<usize> {
        let unread = |index: &usize| !self.scope[*index].read && self.visible(*index);
        (from..self.scope.len()).filter(unread).collect()
    }
}
