//! Errors are collected, so that the user sees all errors of a function at once.

use std::cell::{Cell, RefCell};
use std::fmt::Display;

use quote::ToTokens;

/// The errors of one expansion so far.
///
/// The caller must check it: in debug builds, dropping it unchecked panics, because its errors
/// would be lost.
#[derive(Debug)]
pub(crate) struct Context {
    /// `None` after the check.
    errors: RefCell<Option<Vec<syn::Error>>>,
    /// Whether there is an error that is left to rustc to report.
    left: Cell<bool>,
}

impl Context {
    pub(crate) fn new() -> Self {
        Self { errors: RefCell::new(Some(Vec::new())), left: Cell::new(false) }
    }

    /// Adds an error that points at `tokens`.
    pub(crate) fn error(&self, tokens: impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(tokens, message));
    }

    /// Adds an error, unless the same error was added at the same span: the body of an unrolled
    /// loop is lowered several times.
    pub(crate) fn add(&self, error: syn::Error) {
        let mut errors = self.errors.borrow_mut();
        let errors = errors.as_mut().expect("no errors arrive after the check");
        if !errors.iter().any(|known| key(known) == key(&error)) {
            errors.push(error);
        }
    }

    /// Records an error that rustc reports when it type-checks the function, which is always
    /// emitted, so that the user does not see it twice.
    pub(crate) fn leave_to_rustc(&self) {
        self.left.set(true);
    }

    /// Adds the errors of another one, which is not needed any more.
    pub(crate) fn take_over(&self, other: Context) {
        if other.left.get() {
            self.leave_to_rustc();
        }
        other.errors.take().into_iter().flatten().for_each(|error| self.add(error));
    }

    /// Whether there are no errors so far.
    pub(crate) fn is_clean(&self) -> bool {
        !self.left.get() && self.errors.borrow().as_ref().is_none_or(Vec::is_empty)
    }

    /// Whether there are errors that are not left to rustc.
    pub(crate) fn reports(&self) -> bool {
        self.errors.borrow().as_ref().is_some_and(|errors| !errors.is_empty())
    }

    /// All errors combined, except those that rustc reports.
    pub(crate) fn check(self) -> syn::Result<()> {
        self.check_except(None)
    }

    /// As [`Context::check`], without the errors that an earlier pass has reported.
    pub(crate) fn check_except(self, reported: Option<syn::Error>) -> syn::Result<()> {
        let reported: Vec<_> = reported.iter().flatten().map(|error| key(&error)).collect();
        let errors = self.errors.borrow_mut().take().expect("a context is checked once");
        let errors = errors.into_iter().filter(|error| !reported.contains(&key(error)));
        let combine = |mut all: syn::Error, error| {
            all.combine(error);
            all
        };
        errors.reduce(combine).map_or(Ok(()), Err)
    }

    /// Discards the errors: another pass over the same code will report them.
    pub(crate) fn discard(self) {
        self.errors.take();
    }
}

/// The key by which errors are compared: span and message.
fn key(error: &syn::Error) -> (String, String) {
    (format!("{:?}", error.span()), error.to_string())
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
