//! The variables of a function during lowering.

use crate::value::Value;

/// The variables in scope, innermost last; a later entry shadows an earlier one of the same name.
#[derive(Default)]
pub(super) struct Scopes {
    variables: Vec<Variable>,
    /// The index of the first variable of the function that is being inlined.
    barrier: usize,
}

struct Variable {
    name: String,
    value: Value,
}

/// A point to return to at the end of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    length: usize,
    barrier: usize,
}

impl Scopes {
    /// A new variable.
    pub(super) fn declare(&mut self, name: String, value: Value) {
        self.variables.push(Variable { name, value });
    }

    /// The index of the variable that `name` refers to here.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let visible = &self.variables[self.barrier..];
        let variable = visible.iter().rposition(|variable| variable.name == name)?;
        Some(self.barrier + variable)
    }

    /// The value of a variable.
    pub(super) fn value(&self, variable: usize) -> &Value {
        &self.variables[variable].value
    }

    /// Assigns to a variable.
    pub(super) fn set(&mut self, variable: usize, value: Value) {
        self.variables[variable].value = value;
    }

    /// The values of all variables.
    pub(super) fn values(&self) -> Vec<Value> {
        self.variables.iter().map(|variable| variable.value.clone()).collect()
    }

    /// The visible names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.variables[self.barrier..].iter().map(|variable| variable.name.as_str())
    }

    /// The number of variables: all declared so far have smaller indices than later ones.
    pub(super) fn len(&self) -> usize {
        self.variables.len()
    }

    /// Begins a block.
    pub(super) fn enter(&mut self) -> Mark {
        Mark { length: self.variables.len(), barrier: self.barrier }
    }

    /// Begins an inlined function, which does not see the variables of its caller.
    pub(super) fn enter_function(&mut self) -> Mark {
        let mark = self.enter();
        self.barrier = self.variables.len();
        mark
    }

    /// Ends a block or an inlined function.
    pub(super) fn leave(&mut self, mark: Mark) {
        self.variables.truncate(mark.length);
        self.barrier = mark.barrier;
    }
}
