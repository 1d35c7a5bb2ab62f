//! The verifier of functions with branches and loops: what is read has been computed, whichever way
//! leads there.

use super::{VerifyError, verify_values};
use crate::program::{Block, Domain, Flow, Leaf, Op, PortDecl, Program, Step, ValueId};

impl Flow {
    /// Checks the function.
    ///
    /// # Errors
    /// The first value that breaks a rule: those of [`verify`](crate::verify::verify), and that each
    /// is computed in one place, behind what it reads on every way there.
    pub fn verify(&self) -> Result<(), VerifyError> {
        let Self { program, body, list } = self;
        verify_values(program)?;
        let known = vec![false; program.values.len()];
        let mut walk = Walk { program, list: list.as_ref(), known };
        walk.block(body)?;
        program.scatter.iter().chain(&program.push).try_for_each(|id| walk.read(*id))
    }
}

struct Walk<'a> {
    program: &'a Program,
    /// What an item of the list holds.
    list: Option<&'a PortDecl>,
    /// The values that have been computed.
    known: Vec<bool>,
}

impl Walk<'_> {
    fn fail(&self, id: ValueId, message: &str) -> Result<(), VerifyError> {
        Err(VerifyError::of_value(self.program, id, message.into()))
    }

    fn read(&self, id: ValueId) -> Result<(), VerifyError> {
        match self.known.get(id.index()) {
            Some(known) if *known || self.program.is_at_hand(id) => Ok(()),
            _ => self.fail(id, "it is read where it is not computed on every way"),
        }
    }

    fn scalar(&self, id: ValueId) -> Result<(), VerifyError> {
        self.read(id)?;
        let value = self.program.value(id);
        match value.shape.is_scalar() && value.domain != Domain::Edge {
            true => Ok(()),
            false => self.fail(id, "a condition, or a loss, is one number for a vertex"),
        }
    }

    /// Pushes an item, which is as the list says.
    fn push(&self, item: &[ValueId]) -> Result<(), VerifyError> {
        let fields = self.list.map_or(&[][..], |list| &list.fields);
        if self.list.is_none() || fields.len() != item.len() {
            let message = "an item has a value for each field of the list that the function pushes";
            return self.fail(item.first().copied().unwrap_or(ValueId(0)), message);
        }
        for (id, field) in item.iter().zip(fields) {
            self.read(*id)?;
            let value = self.program.value(*id);
            if field.shape() != Some(&value.shape) || value.domain == Domain::Edge {
                return self
                    .fail(*id, "items of a list have one shape, and one value for a vertex");
            }
        }
        Ok(())
    }

    /// Reads what a variable comes to, which is what it is in the other cases.
    fn read_as(&self, variable: ValueId, id: ValueId) -> Result<(), VerifyError> {
        self.read(id)?;
        let [is, was] = [variable, id].map(|id| self.program.values.get(id.index()));
        match is.zip(was) {
            Some((is, was)) if is.shape == was.shape && was.domain != Domain::Edge => Ok(()),
            _ => self.fail(id, "a variable has one shape, and one value for a vertex"),
        }
    }

    fn compute(&mut self, id: ValueId, of_variable: bool) -> Result<(), VerifyError> {
        let is_new = self.known.get(id.index()).is_some_and(|known| !known);
        let is_variable = |id| self.program.value(id).op == Op::Leaf(Leaf::Merge);
        if !is_new || is_variable(id) != of_variable {
            return self.fail(id, "it is computed in two places, or is another kind of value");
        }
        self.known[id.index()] = true;
        Ok(())
    }

    /// A block whose values are not known behind it; `at_end` sees what is known at its end.
    fn inner(
        &mut self,
        block: &Block,
        at_end: impl FnOnce(&Self) -> Result<(), VerifyError>,
    ) -> Result<(), VerifyError> {
        let before = self.known.clone();
        self.block(block)?;
        at_end(self)?;
        self.known = before;
        Ok(())
    }

    fn block(&mut self, block: &Block) -> Result<(), VerifyError> {
        for step in &block.steps {
            match step {
                Step::Value(id) => {
                    let args = self.program.values.get(id.index());
                    let args = args.map_or(&[][..], |value| &value.args);
                    args.iter().try_for_each(|arg| self.read(*arg))?;
                    self.compute(*id, false)?;
                }
                Step::Loss(id) => self.scalar(*id)?,
                Step::Push(item) => self.push(item)?,
                Step::Children(_) => {}
                Step::Branch(branch) => {
                    self.scalar(branch.condition)?;
                    for (arm, block) in branch.arms.iter().enumerate() {
                        self.inner(block, |walk| {
                            let mut merges = branch.merges.iter();
                            merges.try_for_each(|merge| walk.read_as(merge.value, merge.from[arm]))
                        })?;
                    }
                    for merge in &branch.merges {
                        self.compute(merge.value, true)?;
                    }
                }
                Step::Loop(repeat) => {
                    self.scalar(repeat.first)?;
                    let before = self.known.clone();
                    for variable in &repeat.variables {
                        self.read_as(variable.behind, variable.before)?;
                        self.compute(variable.begin, true)?;
                        self.read_as(variable.behind, variable.begin)?;
                    }
                    self.inner(&repeat.body, |walk| {
                        walk.scalar(repeat.again)?;
                        let mut variables = repeat.variables.iter();
                        variables.try_for_each(|of| walk.read_as(of.behind, of.end))
                    })?;
                    self.known = before;
                    for variable in &repeat.variables {
                        self.compute(variable.behind, true)?;
                    }
                }
            }
        }
        Ok(())
    }
}
