//! Calls of helpers: inlined if the helper's tokens have arrived, otherwise requested.

use syn::{ExprCall, ExprPath, FnArg, ReturnType};

use crate::helper::{Helper, path_key};
use crate::lower::lowering::{Frame, Hint, Lowering};
use crate::text;
use crate::value::Value;

impl<'a> Lowering<'a> {
    pub(super) fn helper_call(&mut self, call: &ExprCall, path: &ExprPath) -> Value {
        let values = self.arguments(call);
        let generic = path.path.segments.iter().any(|segment| !segment.arguments.is_none());
        if generic || path.qself.is_some() {
            let message = format!(
                "`{}` is called with types, and helpers have none: it is no helper, and no function of edb",
                text::path(&path.path)
            );
            return self.poison(path, message);
        }
        let key = path_key(&path.path);
        let Some(helper) = self.calls.get(&key).and_then(|id| self.helpers.get(id)) else {
            if !self.missing.iter().any(|missing| path_key(missing) == key) {
                self.missing.push(path.path.clone());
            }
            return Value::Opaque(None);
        };
        // The helper's errors are reported beside it, or left to rustc. If rustc finds none, there is no plan.
        if !helper.sound {
            return self.rejected();
        }
        self.inline(helper, call, values)
    }

    fn inline(&mut self, helper: &'a Helper, call: &ExprCall, values: Vec<Value>) -> Value {
        let sig = &helper.item.sig;
        if values.len() != sig.inputs.len() {
            return self.rejected();
        }
        self.frames.push(Frame {
            name: sig.ident.to_string(),
            call: quote::ToTokens::to_token_stream(call),
        });
        let (edb, calls) = (self.edb, self.calls);
        (self.edb, self.calls) = (&helper.edb, &helper.calls);
        let mark = self.scopes.enter_function();
        for (input, value) in sig.inputs.iter().zip(values) {
            if let FnArg::Typed(typed) = input {
                let value = self.typed(&Hint::of_type(&typed.ty), value);
                self.bind(&typed.pat, value);
            }
        }
        let hint = match &sig.output {
            ReturnType::Type(_, ty) => Hint::of_type(ty),
            ReturnType::Default => Hint::Any,
        };
        let value = self.block(&helper.item.block, &hint);
        self.scopes.leave(mark);
        (self.edb, self.calls) = (edb, calls);
        self.frames.pop();
        value
    }
}
