//! The variables of a function during lowering.

use crate::value::Value;

/// The variables in scope, innermost last; a later entry shadows an earlier one of the same name.
#[derive(Default)]
pub(crate) struct Scopes {
    variables: Vec<Variable>,
    /// The index of the first variable of the function that is being inlined.
    barrier: usize,
    /// How often a variable has been assigned to.
    assignments: usize,
}

struct Variable {
    name: String,
    content: Content,
}

/// What a variable contains.
#[derive(Clone)]
pub(crate) struct Content {
    pub(crate) value: Value,
    /// Which assignment gave it this; 0 if none did.
    pub(crate) assignment: usize,
}

/// A point to return to at the end of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    length: usize,
    barrier: usize,
}

/// A name without `r#`: with it and without, it is one name.
pub(crate) fn spelling(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

impl Scopes {
    /// A new variable.
    pub(crate) fn declare(&mut self, name: &str, value: Value) {
        let name = spelling(name).to_owned();
        self.variables.push(Variable { name, content: Content { value, assignment: 0 } });
    }

    /// The index of the variable that `name` refers to here.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let (name, visible) = (spelling(name), &self.variables[self.barrier..]);
        let variable = visible.iter().rposition(|variable| variable.name == name)?;
        Some(self.barrier + variable)
    }

    /// The value of a variable.
    pub(crate) fn value(&self, variable: usize) -> &Value {
        &self.variables[variable].content.value
    }

    /// Assigns to a variable.
    pub(crate) fn set(&mut self, variable: usize, value: Value) {
        self.assignments += 1;
        self.variables[variable].content = Content { value, assignment: self.assignments };
    }

    /// What all variables contain.
    pub(crate) fn contents(&self) -> Vec<Content> {
        self.variables.iter().map(|variable| variable.content.clone()).collect()
    }

    /// Makes all variables contain what they did.
    pub(crate) fn restore(&mut self, contents: &[Content]) {
        for (variable, content) in self.variables.iter_mut().zip(contents) {
            variable.content = content.clone();
        }
    }

    /// The name of a variable.
    pub(crate) fn name(&self, variable: usize) -> &str {
        &self.variables[variable].name
    }

    /// The visible names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.variables[self.barrier..].iter().map(|variable| variable.name.as_str())
    }

    /// The number of variables: all declared so far have smaller indices than later ones.
    pub(crate) fn len(&self) -> usize {
        self.variables.len()
    }

    /// Begins a block.
    pub(crate) fn enter(&mut self) -> Mark {
        Mark { length: self.variables.len(), barrier: self.barrier }
    }

    /// Begins an inlined function, which does not see the variables of its caller.
    pub(crate) fn enter_function(&mut self) -> Mark {
        let mark = self.enter();
        self.barrier = self.variables.len();
        mark
    }

    /// Ends a block or an inlined function.
    pub(crate) fn leave(&mut self, mark: Mark) {
        self.variables.truncate(mark.length);
        self.barrier = mark.barrier;
    }
}
