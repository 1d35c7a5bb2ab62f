//! Errors are collected, so that a person sees all of a function's errors at once.

use std::cell::RefCell;
use std::fmt::Display;

use quote::ToTokens;

/// The errors of one expansion so far.
///
/// It must be checked: one that is dropped unchecked panics in debug builds, since it may take
/// errors with it.
#[derive(Debug)]
pub(crate) struct Context {
    /// `None` once it has been checked.
    errors: RefCell<Option<Vec<syn::Error>>>,
}

impl Context {
    pub(crate) fn new() -> Self {
        Self { errors: RefCell::new(Some(Vec::new())) }
    }

    /// Adds an error that points at `tokens`.
    pub(crate) fn error(&self, tokens: impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(tokens, message));
    }

    /// Adds an error, unless the same has been said at the same place: the body of an unrolled
    /// loop is lowered several times.
    pub(crate) fn add(&self, error: syn::Error) {
        let mut errors = self.errors.borrow_mut();
        let errors = errors.as_mut().expect("no errors arrive after the check");
        let place = |error: &syn::Error| (format!("{:?}", error.span()), error.to_string());
        if !errors.iter().any(|known| place(known) == place(&error)) {
            errors.push(error);
        }
    }

    /// Whether there has been no error so far.
    pub(crate) fn is_clean(&self) -> bool {
        self.errors.borrow().as_ref().is_none_or(Vec::is_empty)
    }

    /// All errors as one.
    pub(crate) fn check(self) -> syn::Result<()> {
        let errors = self.errors.borrow_mut().take().expect("a context is checked once");
        let combine = |mut all: syn::Error, error| {
            all.combine(error);
            all
        };
        errors.into_iter().reduce(combine).map_or(Ok(()), Err)
    }

    /// Forgets the errors: another pass over the same code will report them.
    pub(crate) fn discard(self) {
        self.errors.take();
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if cfg!(debug_assertions) && self.errors.borrow().is_some() && !std::thread::panicking() {
            panic!("a context was dropped unchecked");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_errors_are_reported_and_none_twice() {
        let cx = Context::new();
        let token = quote::quote!(x);
        for message in ["one", "two", "one"] {
            cx.error(&token, message);
        }
        assert!(!cx.is_clean());
        let messages: Vec<String> =
            cx.check().unwrap_err().into_iter().map(|error| error.to_string()).collect();
        assert_eq!(messages, ["one", "two"]);
    }

    #[test]
    #[should_panic(expected = "unchecked")]
    #[cfg(debug_assertions)]
    fn an_unchecked_context_panics() {
        Context::new();
    }
}
