//! Macros of which each calls the next: the last one writes an item.
//!
//! A *level* is where tokens are written: 0 where the first macro is called, `n` in the text of the `n`th macro. Rust
//! takes two variables of one name for the same only if they are written at one level. Text of a level can stand in
//! that of a higher one, as an argument of the macros between them.

use std::fmt::Write as _;

/// What a macro takes its argument for. `stmt` is not among them: edb refuses all functions with a statement that is an
/// argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fragment {
    Block,
    Expr,
    Ident,
    Literal,
    Pat,
    Path,
    Ty,
    /// Any tokens, which are repeated one by one.
    Tokens,
}

struct Parameter {
    name: String,
    fragment: Fragment,
    argument: String,
}

/// The parameters of each macro, with what it is called with.
pub(crate) struct Layers(Vec<Vec<Parameter>>);

impl Layers {
    pub(crate) fn new(macros: usize) -> Self {
        Self((0..macros).map(|_| Vec::new()).collect())
    }

    /// The level of the item.
    pub(crate) fn top(&self) -> usize {
        self.0.len()
    }

    /// How text of one level is written at another, which is no lower.
    pub(crate) fn pass(
        &mut self,
        from: usize,
        to: usize,
        fragment: Fragment,
        text: String,
    ) -> String {
        self.0[from..to].iter_mut().fold(text, |text, layer| parameter(layer, fragment, text))
    }

    /// The definitions of the macros, with these names, and the call by which `item` is written: the item itself, if
    /// there is no macro. If `is_nested`, the first of two macros defines the second one.
    pub(crate) fn write(self, names: &[String], item: String, is_nested: bool) -> (String, String) {
        let mut definitions = Vec::<String>::new();
        let mut written = item;
        let is_nested = is_nested && self.top() == 2;
        for (parameters, name) in self.0.iter().zip(names).rev() {
            let inner = if is_nested { definitions.pop() } else { None };
            let (mut matched, mut call) = (String::new(), format!("{name}! {{ "));
            if let Some(inner) = inner {
                // In what a macro writes, a `$` is an argument.
                matched.push_str("$dollar:tt, ");
                call.push_str("$, ");
                written = format!("{}\n{written}", inner.replace('$', "$dollar "));
            }
            for Parameter { name, fragment, argument } in parameters {
                match fragment {
                    Fragment::Tokens => {
                        write!(matched, "{{ $(${name}:tt)* }}, ").unwrap();
                        write!(call, "{{ {argument} }}, ").unwrap();
                    }
                    _ => {
                        let fragment = format!("{fragment:?}").to_lowercase();
                        write!(matched, "${name}:{fragment}, ").unwrap();
                        write!(call, "{argument}, ").unwrap();
                    }
                }
            }
            definitions
                .push(format!("macro_rules! {name} {{\n({matched}) => {{\n{written}\n}};\n}}\n"));
            written = call + "}";
        }
        (definitions.concat(), written)
    }
}

/// The parameter of a macro, in its text, with this argument.
fn parameter(layer: &mut Vec<Parameter>, fragment: Fragment, argument: String) -> String {
    let alike = |known: &&Parameter| known.fragment == fragment && known.argument == argument;
    // One variable is one parameter, so that the text around it reads as it would without macros.
    let known = layer.iter().find(alike).filter(|_| fragment == Fragment::Ident);
    let name = match known {
        Some(known) => known.name.clone(),
        None => {
            let name = format!("{}{}", format!("{fragment:?}").to_lowercase(), layer.len());
            layer.push(Parameter { name: name.clone(), fragment, argument });
            name
        }
    };
    match fragment {
        Fragment::Tokens => format!("$(${name})*"),
        _ => format!("${name}"),
    }
}
