//! Random bodies of functions, whose parts are written at several levels.

use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;
use rand::{Rng, RngExt as _};

use crate::layers::{Fragment, Layers};

/// The types of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ty {
    Tensor,
    /// `f64`, known when the function is compiled.
    Number,
    /// `usize`, 0 or 1.
    Size,
    /// A tuple of two tensors.
    Pair,
    /// An array of two tensors.
    Array,
}

impl Ty {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Ty::Tensor => "Tensor",
            Ty::Number => "f64",
            Ty::Size => "usize",
            Ty::Pair => "(Tensor, Tensor)",
            Ty::Array => "[Tensor; 2]",
        }
    }
}

/// A function that may be called.
#[derive(Clone, Debug)]
pub(crate) struct Callable {
    pub(crate) path: String,
    pub(crate) arguments: Vec<Ty>,
    pub(crate) result: Ty,
}

struct Variable {
    name: &'static str,
    level: usize,
    ty: Ty,
    is_mutable: bool,
}

/// The names of variables: few, so that they clash, and among them those of functions, of edb's ops, and such as edb
/// gives where names clash.
const NAMES: [&str; 16] =
    ["a", "a", "a", "b", "b", "x", "y", "k", "a_1", "x_1", "A", "gate", "mse", "z", "type", "sum"];

const NUMBERS: [&str; 7] = ["0.5", "1.5", "2.0", "0.25", "3.0", "1.0", "-0.75"];

/// Writes the body of a function.
pub(crate) struct Body<'a> {
    pub(crate) rng: &'a mut ChaCha8Rng,
    pub(crate) layers: Layers,
    pub(crate) callables: &'a [Callable],
    /// Whether there are `cfg`s within the body, which edb refuses.
    pub(crate) has_cfgs: bool,
    /// Whether names that need no `r#` have it, now and then.
    has_raw: bool,
    variables: Vec<Variable>,
    /// How many more statements there may be.
    budget: usize,
}

impl<'a> Body<'a> {
    pub(crate) fn new(
        rng: &'a mut ChaCha8Rng,
        macros: usize,
        callables: &'a [Callable],
        has_cfgs: bool,
    ) -> Self {
        let has_raw = rng.random_bool(0.1);
        let (layers, variables) = (Layers::new(macros), Vec::new());
        Self { rng, layers, callables, has_cfgs, has_raw, variables, budget: 10 }
    }

    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.rng.random_bool(probability)
    }

    /// Any of these.
    pub(crate) fn any<T: Copy>(&mut self, of: &[T]) -> T {
        *of.choose(self.rng).unwrap()
    }

    /// An attribute, here and there.
    fn cfg(&mut self) -> &'static str {
        if !self.has_cfgs || !self.chance(0.25) {
            return "";
        }
        self.any(&["#[cfg(any())] ", "#[cfg(all())] "])
    }

    /// Text of a lower level, written at this one.
    fn lower(
        &mut self,
        level: usize,
        fragment: Fragment,
        write: impl FnOnce(&mut Self, usize) -> String,
    ) -> String {
        let lowest = (0..level).find(|&from| self.sees_tensors(from)).unwrap_or_default();
        let from = self.rng.random_range(lowest..level);
        let text = write(self, from);
        self.layers.pass(from, level, fragment, text)
    }

    /// Whether to write at a lower level: where there is nothing to compute with, there is nothing to mistake.
    fn is_lower(&mut self, level: usize, probability: f64) -> bool {
        level > 0 && self.sees_tensors(level - 1) && self.chance(probability)
    }

    fn sees_tensors(&self, level: usize) -> bool {
        !self.visible(level, |variable| variable.ty == Ty::Tensor).is_empty()
    }

    /// A new variable, which the pattern has not yet, among `new`: its name, and how it is written.
    fn name(&mut self, level: usize, ty: Ty, new: &mut Vec<Variable>) -> (&'static str, String) {
        loop {
            let name = self.any(&NAMES);
            let from =
                if level > 0 && self.chance(0.4) { self.rng.random_range(0..level) } else { level };
            if new.iter().all(|variable| (variable.name, variable.level) != (name, from)) {
                new.push(Variable { name, level: from, ty, is_mutable: false });
                let text = self.spelled(name);
                return (name, self.layers.pass(from, level, Fragment::Ident, text));
            }
        }
    }

    fn spelled(&mut self, name: &str) -> String {
        match name == "type" || self.has_raw && self.chance(0.2) {
            true => format!("r#{name}"),
            false => name.to_owned(),
        }
    }

    /// An argument of the function: its pattern and type.
    pub(crate) fn argument(&mut self, ty: Ty, all: &mut Arguments) -> String {
        let level = self.layers.top();
        let text = if ty == Ty::Pair && self.chance(0.5) {
            let parts = [(); 2].map(|()| self.name(level, Ty::Tensor, &mut all.0).1);
            format!("({})", parts.join(", "))
        } else {
            self.name(level, ty, &mut all.0).1
        };
        format!("{text}: {}", ty.text())
    }

    /// The arguments can be used from here.
    pub(crate) fn declare(&mut self, arguments: Arguments) {
        self.variables.extend(arguments.0);
    }

    /// A pattern for what is pulled.
    pub(crate) fn pulled(&mut self) -> String {
        let (level, mut new) = (self.layers.top(), Vec::new());
        let mut fields = ["x", "y"].map(|field| {
            let (name, text) = self.name(level, Ty::Tensor, &mut new);
            match name == field && !text.starts_with("r#") {
                true => format!("#[shape()] {text}"),
                false => format!("#[shape()] {field}: {text}"),
            }
        });
        if self.chance(0.3) {
            fields.reverse();
        }
        self.variables.extend(new);
        fields.join(", ")
    }

    /// The field that is pushed.
    pub(crate) fn pushed(&mut self, also: &[Callable]) -> String {
        let level = self.layers.top();
        let short =
            self.visible(level, |variable| variable.name == "z" && variable.ty == Ty::Tensor);
        if let Some(&short) = short.first().filter(|_| also.is_empty()) {
            let Variable { name, level: from, .. } = self.variables[short];
            return self.layers.pass(from, level, Fragment::Ident, name.to_owned());
        }
        let mut value = self.expr(level, Ty::Tensor, 3);
        for callable in also {
            if self.can_call(level, callable) {
                let call = self.call(level, callable, 1);
                value = format!("({value}) + {call}");
            }
        }
        let before = if self.has_cfgs { "#[cfg(any())] z: scalar(100.0), " } else { "" };
        format!("{before}z: {value}")
    }

    /// The variables that text of a level can name: their places.
    fn visible(&self, level: usize, of: impl Fn(&Variable) -> bool) -> Vec<usize> {
        let mut seen = Vec::new();
        let mut found = Vec::new();
        for (place, variable) in self.variables.iter().enumerate().rev() {
            let is_new = !seen.contains(&(variable.name, variable.level));
            seen.push((variable.name, variable.level));
            if is_new && variable.level <= level && of(variable) {
                found.push(place);
            }
        }
        found
    }

    /// A use of any variable of a type.
    fn variable(&mut self, level: usize, ty: Ty) -> Option<String> {
        let places = self.visible(level, |variable| variable.ty == ty);
        let place = *places.choose(self.rng)?;
        let Variable { name, level: from, .. } = self.variables[place];
        let text = self.spelled(name);
        Some(self.layers.pass(from, level, Fragment::Ident, text))
    }

    pub(crate) fn expr(&mut self, level: usize, ty: Ty, depth: usize) -> String {
        if self.is_lower(level, 0.2) {
            let fragment = if self.chance(0.7) { Fragment::Expr } else { Fragment::Tokens };
            return self.lower(level, fragment, |body, from| {
                let text = body.expr(from, ty, depth);
                // As tokens, it would be a statement.
                let as_statement = text.starts_with("if") || text.starts_with('{');
                if fragment == Fragment::Tokens && as_statement {
                    format!("({text})")
                } else {
                    text
                }
            });
        }
        match ty {
            Ty::Tensor => self.tensor(level, depth),
            Ty::Number => self.number(level, depth),
            Ty::Size => {
                let variable = self.variable(level, ty);
                variable.unwrap_or_else(|| self.any(&["0", "1"]).to_owned())
            }
            Ty::Pair | Ty::Array => {
                if let Some(variable) =
                    self.variable(level, ty).filter(|_| self.rng.random_bool(0.5))
                {
                    return variable;
                }
                let parts = [(); 2].map(|()| {
                    let cfg = if ty == Ty::Array { self.cfg() } else { "" };
                    let part = self.expr(level, Ty::Tensor, depth.saturating_sub(1));
                    match cfg {
                        "" => part,
                        // One element is left out, and another one there for it.
                        cfg if cfg.contains("any") => format!("{cfg}({part}), {part}"),
                        cfg => format!("{cfg}({part})"),
                    }
                });
                match ty {
                    Ty::Pair => format!("({})", parts.join(", ")),
                    _ => format!("[{}]", parts.join(", ")),
                }
            }
        }
    }

    fn number(&mut self, level: usize, depth: usize) -> String {
        match self.rng.random_range(0..6) {
            0 | 1 => {
                if let Some(variable) = self.variable(level, Ty::Number) {
                    return variable;
                }
            }
            2 => {
                if let Some(size) = self.variable(level, Ty::Size) {
                    return format!("({size} as f64)");
                }
            }
            3 if depth > 0 => {
                let [a, b] = [(); 2].map(|()| self.expr(level, Ty::Number, depth - 1));
                let op = self.any(&["+", "-", "*"]);
                return if self.chance(0.5) {
                    format!("({a} {op} {b})")
                } else {
                    format!("{a} {op} {b}")
                };
            }
            4 => {
                let of = |callable: &&Callable| callable.result == Ty::Number;
                if let Some(callable) =
                    self.callables.iter().filter(of).collect::<Vec<_>>().choose(self.rng)
                    && self.can_call(level, callable)
                {
                    return self.call(level, callable, 0);
                }
            }
            _ => {}
        }
        let number = self.any(&NUMBERS).to_owned();
        if self.is_lower(level, 0.3) {
            return self.lower(level, Fragment::Literal, |_, _| number);
        }
        if number.starts_with('-') { format!("({number})") } else { number }
    }

    fn tensor(&mut self, level: usize, depth: usize) -> String {
        let choice = if depth == 0 { 0 } else { self.rng.random_range(0..20) };
        match choice {
            0..5 => self.some_tensor(level, depth),
            5..11 => {
                let types = self.any(&[
                    (Ty::Tensor, Ty::Tensor),
                    (Ty::Tensor, Ty::Tensor),
                    (Ty::Tensor, Ty::Number),
                    (Ty::Number, Ty::Tensor),
                ]);
                let a = self.expr(level, types.0, depth - 1);
                let b = self.expr(level, types.1, depth - 1);
                let op = self.any(&["+", "-", "*"]);
                if self.chance(0.4) { format!("({a} {op} {b})") } else { format!("{a} {op} {b}") }
            }
            11 => {
                let a = self.expr(level, Ty::Tensor, depth - 1);
                let number = self.any(&["2.0", "0.5", "3.0"]);
                format!("{a} / {number}")
            }
            12 => format!("-{}", self.expr(level, Ty::Tensor, depth - 1)),
            13 | 14 => {
                let receiver = self.receiver(level, depth - 1);
                let method = self.any(&[
                    "tanh()",
                    "abs()",
                    "sigmoid()",
                    "square()",
                    "relu()",
                    "clamp(-1.5, 1.5).exp()",
                ]);
                format!("{receiver}.{method}")
            }
            15 => {
                let receiver = self.receiver(level, depth - 1);
                let other = self.expr(level, Ty::Tensor, depth - 1);
                let method = self.any(&["maximum", "minimum"]);
                format!("{receiver}.{method}({other})")
            }
            16 | 17 => {
                let of = |callable: &&Callable| callable.result == Ty::Tensor;
                let all: Vec<&Callable> = self.callables.iter().filter(of).collect();
                match all.choose(self.rng) {
                    Some(callable) if self.can_call(level, callable) => {
                        self.call(level, callable, depth - 1)
                    }
                    _ => self.some_tensor(level, depth),
                }
            }
            18 => self.within(|body| {
                let statements = body.statements(level, 2);
                let value = body.tail(level, depth - 1);
                format!("{{ {statements}{value} }}")
            }),
            _ => {
                let condition = self.condition(level);
                let arms = [(); 2].map(|()| {
                    self.within(|body| {
                        let statements = body.statements(level, 1);
                        let value = body.tail(level, depth - 1);
                        format!("{{ {statements}{value} }}")
                    })
                });
                format!("if {condition} {} else {}", arms[0], arms[1])
            }
        }
    }

    /// An expression at the end of a block.
    pub(crate) fn tail(&mut self, level: usize, depth: usize) -> String {
        let text = self.expr(level, Ty::Tensor, depth);
        // What a macro is called with may begin so, too.
        match text.starts_with("if") || text.starts_with(['{', '$']) && text.contains(' ') {
            true => format!("({text})"),
            false => text,
        }
    }

    /// What a method is called of: an expression that needs no parentheses, or an argument of the macro, which has none.
    fn receiver(&mut self, level: usize, depth: usize) -> String {
        if self.is_lower(level, 0.4) {
            return self
                .lower(level, Fragment::Expr, |body, from| body.expr(from, Ty::Tensor, depth));
        }
        format!("({})", self.expr(level, Ty::Tensor, depth))
    }

    /// A variable, a part of one, or a constant.
    fn some_tensor(&mut self, level: usize, depth: usize) -> String {
        let found = match self.rng.random_range(0..8) {
            0 => self.variable(level, Ty::Pair).map(|pair| pair + self.any(&[".0", ".1"])),
            1 => match self.variable(level, Ty::Array) {
                Some(array) => Some(format!("{array}[{}]", self.expr(level, Ty::Size, 0))),
                None => None,
            },
            _ => None,
        };
        let found = found.or_else(|| self.variable(level, Ty::Tensor));
        found.unwrap_or_else(|| format!("scalar({})", self.expr(level, Ty::Number, depth.min(1))))
    }

    /// Whether text of a level means this function by its name, and no variable.
    fn can_call(&self, level: usize, callable: &Callable) -> bool {
        self.variables.iter().all(|of| of.name != callable.path || of.level != level)
    }

    fn call(&mut self, level: usize, callable: &Callable, depth: usize) -> String {
        let Callable { path, arguments, .. } = callable;
        let path = if self.is_lower(level, 0.2) && self.can_call(0, callable) {
            self.layers.pass(0, level, Fragment::Path, path.clone())
        } else {
            path.clone()
        };
        let mut written: Vec<String> =
            arguments.iter().map(|&ty| self.expr(level, ty, depth)).collect();
        if self.has_cfgs && self.chance(0.3) {
            let place = self.rng.random_range(0..=written.len());
            written.insert(place, "#[cfg(any())] 1.0".into());
        }
        format!("{path}({})", written.join(", "))
    }

    fn condition(&mut self, level: usize) -> String {
        if self.is_lower(level, 0.2) {
            return self.lower(level, Fragment::Expr, |body, from| body.condition(from));
        }
        let left = self.expr(level, Ty::Tensor, 1);
        let left = if left.contains("if ") { format!("({left})") } else { left };
        let op = self.any(&["<", ">", "<=", ">="]);
        let number = self.any(&["0.137", "0.591", "1.173"]);
        let first = format!("{left} {op} {number}");
        match self.rng.random_range(0..6) {
            0 => format!("!({first})"),
            1 => format!("{first} && {}", self.condition(level)),
            2 => format!("{first} || {}", self.condition(level)),
            _ => first,
        }
    }

    /// Writes what has variables of its own.
    fn within(&mut self, write: impl FnOnce(&mut Self) -> String) -> String {
        let outer = self.variables.len();
        let text = write(self);
        self.variables.truncate(outer);
        text
    }

    /// Up to so many statements.
    pub(crate) fn statements(&mut self, level: usize, most: usize) -> String {
        let mut text = String::new();
        for _ in 0..self.rng.random_range(0..=most) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            text.push_str(&self.statement(level));
            text.push('\n');
        }
        text
    }

    fn statement(&mut self, level: usize) -> String {
        if self.is_lower(level, 0.15) {
            return self.lower(level, Fragment::Tokens, |body, from| body.statement(from));
        }
        match self.rng.random_range(0..16) {
            0..5 => self.binding(level),
            5 => {
                let (pattern, new) = self.parts(level, "(", ")");
                let value = self.expr(level, Ty::Pair, 2);
                self.variables.extend(new);
                format!("let {pattern} = {value};")
            }
            6 => {
                let (pattern, new) = self.parts(level, "[", "]");
                let value = self.expr(level, Ty::Array, 2);
                self.variables.extend(new);
                format!("let {pattern} = {value};")
            }
            7..11 => self.assignment(level),
            11 | 12 => self.each(level),
            13 => {
                let (cfg, condition) = (self.cfg(), self.condition(level));
                let arms = [(); 2].map(|()| self.block(level));
                match self.chance(0.5) {
                    true => format!("{cfg}if {condition} {} else {}", arms[0], arms[1]),
                    false => format!("{cfg}if {condition} {}", arms[0]),
                }
            }
            14 => self.cfg().to_owned() + &self.braces(level),
            _ if self.chance(0.2) => {
                let block = self.braces(level);
                let steps = block.trim_start_matches('{');
                format!("let mut steps = 0.0; while steps < 2.0 {{ steps += 1.0; {steps}")
            }
            _ => self.binding(level),
        }
    }

    /// `let a = ..;`.
    fn binding(&mut self, level: usize) -> String {
        let ty = self.any(&[Ty::Tensor, Ty::Tensor, Ty::Tensor, Ty::Number, Ty::Pair, Ty::Array]);
        let value = self.expr(level, ty, 3);
        let mut new = Vec::new();
        let (_, text) = self.name(level, ty, &mut new);
        let is_mutable = ty == Ty::Tensor && self.chance(0.5);
        let annotation = match self.rng.random_range(0..6) {
            0 => format!(": {}", ty.text()),
            1 => format!(": {}", self.layers.pass(0, level, Fragment::Ty, ty.text().into())),
            _ => String::new(),
        };
        let cfg = self.cfg();
        if !cfg.contains("any") {
            new.iter_mut().for_each(|variable| variable.is_mutable = is_mutable);
            self.variables.extend(new);
        }
        let lint = if self.chance(0.05) { "#[allow(unused_variables)] " } else { "" };
        format!(
            "{lint}{cfg}let {}{text}{annotation} = {value};",
            if is_mutable { "mut " } else { "" }
        )
    }

    /// A pattern of two tensors.
    fn parts(&mut self, level: usize, open: &str, close: &str) -> (String, Vec<Variable>) {
        let mut new = Vec::new();
        let text = if self.is_lower(level, 0.2) {
            self.lower(level, Fragment::Pat, |body, from| {
                let parts = [(); 2].map(|()| body.name(from, Ty::Tensor, &mut new).1);
                format!("{open}{}{close}", parts.join(", "))
            })
        } else {
            let mut parts = [(); 2].map(|()| self.name(level, Ty::Tensor, &mut new).1);
            if self.chance(0.1) {
                parts[1] = "_".into();
                new.pop();
            }
            format!("{open}{}{close}", parts.join(", "))
        };
        (text, new)
    }

    fn assignment(&mut self, level: usize) -> String {
        let places = self.visible(level, |variable| variable.is_mutable);
        let Some(&place) = places.choose(self.rng) else { return self.binding(level) };
        let Variable { name, level: from, .. } = self.variables[place];
        let text = self.spelled(name);
        let variable = self.layers.pass(from, level, Fragment::Ident, text);
        let op = self.any(&["=", "=", "+=", "-=", "*="]);
        // rustc lets no one change a variable that is just being changed.
        self.variables[place].is_mutable = false;
        let value = self.receiver(level, 2);
        self.variables[place].is_mutable = true;
        format!("{variable} {op} {value}.tanh();")
    }

    /// A loop.
    fn each(&mut self, level: usize) -> String {
        let (mut new, cfg) = (Vec::new(), self.cfg());
        let (pattern, over) = match self.rng.random_range(0..4) {
            0 => (self.name(level, Ty::Size, &mut new).1, "0..2".to_owned()),
            1 => {
                let items = [(); 2].map(|()| self.expr(level, Ty::Pair, 1));
                let (pattern, parts) = self.parts(level, "(", ")");
                new = parts;
                (pattern, format!("[{}]", items.join(", ")))
            }
            2 => {
                let items = [(); 3].map(|()| self.expr(level, Ty::Number, 1));
                (self.name(level, Ty::Number, &mut new).1, format!("[{}]", items.join(", ")))
            }
            _ => {
                let items = self.expr(level, Ty::Array, 2);
                (self.name(level, Ty::Tensor, &mut new).1, items)
            }
        };
        let block = self.within(|body| {
            body.variables.extend(new);
            body.block(level)
        });
        format!("{cfg}for {pattern} in {over} {block}")
    }

    /// A block without a value, which may be an argument.
    fn block(&mut self, level: usize) -> String {
        match self.is_lower(level, 0.15) {
            true => self.lower(level, Fragment::Block, |body, from| body.braces(from)),
            false => self.braces(level),
        }
    }

    fn braces(&mut self, level: usize) -> String {
        self.within(|body| format!("{{ {}}}", body.statements(level, 3)))
    }
}

/// The arguments of a function.
#[derive(Default)]
pub(crate) struct Arguments(Vec<Variable>);

/// A number of macros: mostly one.
pub(crate) fn macros(rng: &mut impl Rng) -> usize {
    *[0, 1, 1, 1, 2, 2, 3].choose(rng).unwrap()
}
