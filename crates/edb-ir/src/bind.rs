//! Binding: the dimensions of a model's functions become numbers when the model is made.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::id::{Id, IdVec};
use crate::program::Program;
use crate::shapes::{Clash, Dim, Shape, Solver, Symbol};

/// A shape with a number for each dimension.
pub type Sizes = SmallVec<[usize; 2]>;

crate::id_types! {
    /// A function of a model, by its number: functions are numbered in the order in which they were
    /// added.
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct FunctionId(u16);
}

/// A parameter of a function of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionParam {
    /// The function.
    pub function: FunctionId,
    /// The number of the parameter in the function's program.
    pub param: u16,
}

/// One function of a model, as binding sees it.
#[derive(Clone, Debug)]
pub struct Member<'a> {
    /// Its name in the model, for errors.
    pub name: &'a str,
    /// Its program.
    pub program: &'a Program,
    /// The number for each of the program's dimension names.
    pub dims: &'a [usize],
    /// The model's number for each state that the program mentions.
    pub states: &'a [usize],
}

/// Two shapes that must be equal and are not, or a shape that nothing determines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BindError {
    /// Two functions disagree about a field of a state.
    #[error("`{}` is {} in `{}`, but {} in `{}`", .0.what, .0.shapes[0], .0.functions[0], .0.shapes[1], .0.functions[1])]
    State(Box<Disagreement>),
    /// Two parameters that are to be shared have different shapes.
    #[error("`{}` is {} in `{}` and cannot be shared with `{}`, where it is {}", .0.what, .0.shapes[0], .0.functions[0], .0.functions[1], .0.shapes[1])]
    Shared(Box<Disagreement>),
    /// A shape that nothing in the model determines.
    #[error(
        "nothing in the model determines the shape of {what} in `{function}`: declare it \
         where the field is bound, `#[shape(H)] x` in the pattern (`#[shape()]` if it is a number), or compute with it \
         and something of a known shape, such as a parameter"
    )]
    Undetermined {
        /// The function.
        function: String,
        /// What has no shape.
        what: String,
    },
    /// A dimension is negative, or a slice leaves its vector.
    #[error("with these dimensions, {what} in `{function}` is out of range: {value}")]
    Range {
        /// The function.
        function: String,
        /// What is out of range.
        what: String,
        /// The offending number.
        value: i64,
    },
}

/// Two functions that disagree about the shape of a state's field or of a shared parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The field of a state, or the parameter.
    pub what: String,
    /// The two functions, in the order in which they were added.
    pub functions: [String; 2],
    /// The shape in each of them.
    pub shapes: [String; 2],
}

/// The sizes of the dimensions of a model's functions.
#[derive(Debug)]
pub struct Bindings {
    solver: Solver,
    functions: IdVec<FunctionId, Function>,
}

#[derive(Debug)]
struct Function {
    name: String,
    dims: Vec<i64>,
    /// Where this function's unknown dimensions and unknown shapes begin in the model's numbering.
    offset: (u32, u32),
}

impl Bindings {
    /// Binds the functions of a model: fields of one state have one shape in all of them, and so
    /// do the two parameters of each pair in `shared`.
    ///
    /// # Errors
    /// Every disagreement.
    pub fn new(
        members: &[Member<'_>],
        shared: &[[FunctionParam; 2]],
    ) -> Result<Bindings, Vec<BindError>> {
        let mut bindings = Bindings { solver: Solver::default(), functions: IdVec::new() };
        for member in members {
            let offset = bindings.solver.unknowns();
            (0..member.program.unknowns.0).for_each(|_| drop(bindings.solver.fresh_dim()));
            (0..member.program.unknowns.1).for_each(|_| drop(bindings.solver.fresh_shape()));
            let dims = member.dims.iter().map(|&size| size as i64).collect();
            let name = member.name.to_string();
            bindings.functions.push(Function { name, dims, offset });
        }
        let mut errors = bindings.unify_states(members);
        for pair in shared {
            let [first, second] = pair.map(|FunctionParam { function, param }| {
                &members[function.index()].program.params[usize::from(param)]
            });
            let shapes = [
                bindings.place(pair[0].function, &first.shape),
                bindings.place(pair[1].function, &second.shape),
            ];
            if let Err(Clash) = bindings.solver.unify(&shapes[0], &shapes[1]) {
                errors.push(BindError::Shared(Box::new(Disagreement {
                    what: match first.name == second.name {
                        true => first.name.clone(),
                        false => format!("{} as {}", first.name, second.name),
                    },
                    functions: pair.map(|of| members[of.function.index()].name.to_string()),
                    shapes: shapes.map(|shape| bindings.solver.show(&shape)),
                })));
            }
        }
        if errors.is_empty() { Ok(bindings) } else { Err(errors) }
    }

    fn unify_states(&mut self, members: &[Member<'_>]) -> Vec<BindError> {
        // The first mention of each field of each state.
        let mut first: Vec<(usize, &str, FunctionId, Shape)> = Vec::new();
        let mut errors = Vec::new();
        for (function, member) in members.iter().enumerate() {
            let function = FunctionId::new(function);
            for (port, &state) in member.program.states.iter().zip(member.states) {
                for field in &port.fields {
                    let Some(shape) = field.shape() else { continue };
                    let shape = self.place(function, shape);
                    let same = |known: &&(usize, &str, FunctionId, Shape)| {
                        known.0 == state && known.1 == field.name
                    };
                    let Some((_, _, by, known)) = first.iter().find(same) else {
                        first.push((state, &field.name, function, shape));
                        continue;
                    };
                    if let Err(Clash) = self.solver.unify(known, &shape) {
                        let error = BindError::State(Box::new(Disagreement {
                            what: format!("{}.{}", port.name, field.name),
                            functions: [*by, function].map(|of| self.functions[of].name.clone()),
                            shapes: [known, &shape].map(|shape| self.solver.show(shape)),
                        }));
                        // Sections of one function have its name.
                        if !errors.contains(&error) {
                            errors.push(error);
                        }
                    }
                }
            }
        }
        errors
    }

    /// A function's dimension in the model's numbering: names become numbers, unknowns are
    /// renumbered.
    fn place_dim(&self, function: FunctionId, dim: &Dim) -> Dim {
        let Function { dims, offset, .. } = &self.functions[function];
        let placed = dim.substitute(|symbol| match symbol {
            Symbol::Name(name) => Dim::constant(dims[usize::from(name)]),
            Symbol::Unknown(unknown) => Dim::symbol(Symbol::Unknown(unknown + offset.0)),
        });
        // Overflow of `i64`: no memory holds such a dimension, and `size` reports it as out of
        // range.
        placed.unwrap_or_else(|| Dim::constant(i64::MIN))
    }

    fn place(&self, function: FunctionId, shape: &Shape) -> Shape {
        match shape {
            Shape::Known(dims) => {
                Shape::Known(dims.iter().map(|dim| self.place_dim(function, dim)).collect())
            }
            Shape::Unknown(unknown) => Shape::Unknown(unknown + self.functions[function].offset.1),
            Shape::OneOf(count) => Shape::OneOf(self.place_dim(function, count)),
        }
    }

    /// The size of a function's dimension; `what` names it in errors.
    ///
    /// # Errors
    /// When it is negative, or nothing determines it.
    pub fn size(&self, function: FunctionId, dim: &Dim, what: &str) -> Result<usize, BindError> {
        self.read(function, &self.solver.dim(&self.place_dim(function, dim)), what)
    }

    /// How many an index of a function is one of; `None` if it is no index, or nothing determines
    /// it.
    pub fn one_of(&self, function: FunctionId, shape: &Shape) -> Option<usize> {
        let Shape::OneOf(count) = self.solver.shape(&self.place(function, shape)) else {
            return None;
        };
        count.as_constant().and_then(|count| usize::try_from(count).ok())
    }

    /// The sizes of a function's shape, none for an index; `what` names it in errors.
    ///
    /// # Errors
    /// As [`Bindings::size`].
    pub fn shape(
        &self,
        function: FunctionId,
        shape: &Shape,
        what: &str,
    ) -> Result<Sizes, BindError> {
        match self.solver.shape(&self.place(function, shape)) {
            Shape::Known(dims) => {
                // These dimensions are placed and solved already.
                dims.iter().map(|dim| self.read(function, dim, what)).collect()
            }
            Shape::OneOf(_) => Ok(Sizes::new()),
            Shape::Unknown(_) => Err(BindError::Undetermined {
                function: self.functions[function].name.clone(),
                what: what.into(),
            }),
        }
    }

    fn read(&self, function: FunctionId, dim: &Dim, what: &str) -> Result<usize, BindError> {
        let function = || self.functions[function].name.clone();
        let Some(value) = dim.as_constant() else {
            return Err(BindError::Undetermined { function: function(), what: what.into() });
        };
        usize::try_from(value).map_err(|_| BindError::Range {
            function: function(),
            what: what.into(),
            value,
        })
    }
}
