//! Adds the functions of a struct together: from one setup, each under the name of its field.

use super::builder::ModelBuilder;
use crate::model::Function;
use crate::model::added::AddedFunction;
use crate::model::bound::MAX_TENSOR_ELEMENTS;
use crate::model::error::{ModelProblem, or_none};
use crate::model::setup::Setup;
use edb_vertex::function::VertexFunction;

/// A struct of vertex functions, which [`ModelBuilder::add_all`] adds to a model together: each under the name of its
/// field.
///
/// `#[derive(Functions)]` implements it for a struct with named fields, each a [`Function`]. What the derive writes is
///
/// ```
/// # mod edb { pub use edb_model::model::{self, *}; pub use edb_vertex::function::VertexFunction; }
/// use edb::model::FunctionFields;
/// use edb::{Function, Functions, VertexFunction};
///
/// struct Pair<A: VertexFunction, B: VertexFunction> {
///     first: Function<A>,
///     second: Function<B>,
/// }
///
/// impl<A: VertexFunction, B: VertexFunction> Functions for Pair<A, B> {
///     fn add(fields: &mut FunctionFields<'_>) -> Self {
///         Self { first: fields.add("first"), second: fields.add("second") }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a struct of vertex functions",
    note = "a struct with a field `leaf: Function<leaf>` for each function needs `#[derive(Functions)]`",
    note = "a single function is added by `add`"
)]
pub trait Functions: Sized {
    /// Adds each function under the name of its field.
    fn add(fields: &mut FunctionFields<'_>) -> Self;
}

/// The model to which a struct of [`Functions`] is added, field by field.
#[derive(Debug)]
pub struct FunctionFields<'a> {
    builder: &'a mut ModelBuilder,
}

impl FunctionFields<'_> {
    /// Adds the function of a field, under the field's name. Which function that is follows from the field's type.
    pub fn add<F: FunctionField>(&mut self, field: &str) -> F {
        F::add(self.builder, Setup::new().named(field))
    }
}

/// What a field of a struct of [`Functions`] may be: a [`Function`].
#[diagnostic::on_unimplemented(
    message = "a field of a struct with `#[derive(Functions)]` is a `Function<f>`, and this is `{Self}`",
    label = "not a function of a model",
    note = "a struct of functions has nothing else: keep this beside it"
)]
pub trait FunctionField: Sized {
    /// Adds the function.
    fn add(builder: &mut ModelBuilder, setup: Setup) -> Self;
}

impl<F: VertexFunction> FunctionField for Function<F> {
    fn add(builder: &mut ModelBuilder, setup: Setup) -> Self {
        builder.add(setup)
    }
}

impl ModelBuilder {
    /// Adds all vertex functions of a struct that derives [`Functions`], each under the name of its field:
    ///
    /// ```text
    /// #[derive(Functions)]
    /// struct Tagger { forward: Function<step>, backward: Function<step>, tag: Function<tag> }
    ///
    /// let setup = dims! { V: 20_000, H: 64, K: 12 }.share("backward.table", "forward.table");
    /// let f: Tagger = builder.add_all(setup.init("forward.table", Initializer::Uniform { bound: 0.1 }));
    /// ```
    ///
    /// Each function gets those of the dimensions that it names. [`Setup::init`] and [`Setup::share`] are told the
    /// parameter with its function: the field's name, a point, and the parameter's name. That is also the
    /// parameter's name in the model, and in files: `forward.w` and `backward.w`. A parameter is shared with one
    /// of an earlier field by that name, or with one of a function that was added before, by its name or as
    /// `f.param("w")`. A function that needs a size of its own for a dimension that others name, too, is added by
    /// [`add`](Self::add).
    ///
    /// [`build`](Self::build) reports a dimension that no function names, one without a size, a parameter that
    /// does not begin with the name of a field, and a setup that is [`named`](Setup::named).
    pub fn add_all<F: Functions>(&mut self, setup: Setup) -> F {
        let first = self.functions.len();
        let functions = F::add(&mut FunctionFields { builder: self });
        self.set_up(first, setup);
        functions
    }

    /// Gives each function from number `first` on its part of a setup.
    fn set_up(&mut self, first: usize, setup: Setup) {
        let fields = &mut self.functions.raw[first..];
        let problems = &mut self.problems;
        let Setup { name, dims, shared, initializers } = setup;
        if let Some(name) = name {
            problems.push(ModelProblem::NameOfSeveral { name, functions: names(fields) });
        }
        give_dims(fields, &dims, problems);
        for (given, with) in shared {
            if let Some((own, param)) = whose(fields, &given, problems) {
                own.shared.push((param, with));
            }
        }
        for (given, start) in initializers {
            if let Some((own, param)) = whose(fields, &given, problems) {
                own.initializers.push((param, start));
            }
        }
    }
}

/// A function that was added for a field. Its setup has the field's name.
type Field = (AddedFunction, Setup);

/// Gives each function the sizes of the dimensions that it names. What is wrong with the size of a dimension is
/// reported by the first function that names it, and by no other.
fn give_dims(fields: &mut [Field], dims: &[(String, usize)], problems: &mut Vec<ModelProblem>) {
    for (dim, _) in dims {
        if !fields.iter().any(|(source, _)| source.plan.program.dims.contains(dim)) {
            let has = |(source, own): &Field| {
                let known = or_none(source.plan.program.dims.clone());
                format!("`{}` has {known}", own.name.as_deref().unwrap_or_default())
            };
            let all: Vec<String> = fields.iter().map(has).collect();
            let problem = format!("no function has a dimension {dim}: {}", all.join("; "));
            problems.push(ModelProblem::Dim(problem));
        }
    }
    let mut given: Vec<String> = Vec::new();
    for (source, own) in fields {
        for dim in &source.plan.program.dims {
            let mut sizes = dims.iter().filter(|(name, _)| name == dim);
            if !given.contains(dim) {
                given.push(dim.clone());
                own.dims.extend(sizes.cloned());
                continue;
            }
            let fine = |size: &usize| (1..=MAX_TENSOR_ELEMENTS).contains(size);
            let size = sizes.next().map(|(_, size)| *size).filter(fine);
            own.dims.push((dim.clone(), size.unwrap_or(1)));
        }
    }
}

/// The setup of the function by whose name a parameter begins, and the parameter's name there.
fn whose<'a>(
    fields: &'a mut [Field],
    given: &str,
    problems: &mut Vec<ModelProblem>,
) -> Option<(&'a mut Setup, String)> {
    let functions = names(fields);
    let Some((function, param)) = given.rsplit_once('.') else {
        let has =
            |(source, _): &&Field| source.plan.program.params.iter().any(|of| of.name == given);
        let like = fields.iter().find(has).or(fields.first());
        let name = like.and_then(|(_, own)| own.name.as_deref()).unwrap_or_default();
        let example = format!("{name}.{given}");
        problems.push(ModelProblem::WhoseParam { given: given.into(), example, functions });
        return None;
    };
    let is_named = |(_, own): &Field| own.name.as_deref() == Some(function);
    let Some(place) = fields.iter().position(is_named) else {
        let mut known = fields.iter().filter_map(|(_, own)| own.name.as_deref());
        let meant = known.find(|known| is_almost(function, known)).map(String::from);
        let (given, function) = (given.into(), function.into());
        problems.push(ModelProblem::NoSuchFunction { given, function, meant, functions });
        return None;
    };
    Some((&mut fields[place].1, param.into()))
}

/// Whether two words begin and end alike, and differ between in at most two letters, at most half of the longer word:
/// so does a word in which a letter is wrong, missing, or has changed places with the next.
fn is_almost(word: &str, known: &str) -> bool {
    let [word, known] = [word, known].map(|word| word.chars().collect::<Vec<_>>());
    let (longer, shorter) = (word.len().max(known.len()), word.len().min(known.len()));
    let begin = word.iter().zip(&known).take_while(|(a, b)| a == b).count();
    let end = word.iter().rev().zip(known.iter().rev()).take_while(|(a, b)| a == b).count();
    let different = longer - (begin + end).min(shorter);
    different <= 2 && 2 * different <= longer
}

/// The names of the functions, for an error.
fn names(fields: &[Field]) -> String {
    let name = |(_, own): &Field| format!("`{}`", own.name.as_deref().unwrap_or_default());
    or_none(fields.iter().map(name).collect())
}
