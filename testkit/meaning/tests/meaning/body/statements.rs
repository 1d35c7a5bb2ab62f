//! Random statements.

use rand::RngExt as _;
use rand::seq::IndexedRandom as _;

use super::{Body, Ty, Variable};
use crate::layers::Fragment;

impl Body<'_> {
    /// Writes what has variables of its own.
    pub(super) fn within(&mut self, write: impl FnOnce(&mut Self) -> String) -> String {
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
