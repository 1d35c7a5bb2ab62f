//! The fused kernels of a function, as Rust code that LLVM vectorises.
//!
//! Each of these choices was tested: one slice parameter per operand of an inlined function
//! (parameters do not alias, so LLVM needs no run-time alias checks before a vector loop; slices
//! taken from an array inside the loop take twice as long), all slices cut to one length before the
//! loop (so it has no bounds checks), no closures, and a `const FMA`, because `mul_add` is a
//! function call on machines without the instruction.

use edb_ir::routine::KernelOp;
use edb_ir::{Domain, Kernel, Plan, Shape, Span};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use crate::crate_path::CratePath;

/// The compiled kernels of a plan, as an expression. It is empty if the user's crate has debug
/// assertions: unoptimised kernels are slower than the interpreter, and cost compile time.
///
/// ```text
/// ::edb::__private::kernels! {
///     use ::edb::__private::fused as __edb_fused;
///     struct __EdbKernel0;
///     impl __edb_fused::RowKernel<1, 2> for __EdbKernel0 { .. }
///     __edb_fused::CompiledKernels {
///         f32: &[Some(__edb_fused::compiled::<__EdbKernel0, f32, 1, 2>), None],
///         f64: &[Some(__edb_fused::compiled::<__EdbKernel0, f64, 1, 2>), None],
///     }
/// }
/// ```
pub(crate) fn kernels(edb: &CratePath, plan: &Plan) -> TokenStream {
    let kernels = &plan.routine.kernels;
    if !kernels.iter().any(is_compiled) {
        return quote!(#edb::__private::fused::CompiledKernels::NONE);
    }
    let compiled = kernels.iter().enumerate().filter(|(_, kernel)| is_compiled(kernel));
    let items = compiled.map(|(number, kernel)| row_kernel(plan, number, kernel));
    let table = |element: TokenStream| {
        let entries = kernels.iter().enumerate().map(|(number, kernel)| {
            let name = kernel_name(number);
            let [outputs, inputs] = counts(kernel);
            match is_compiled(kernel) {
                true => quote!(::core::option::Option::Some(
                    __edb_fused::compiled::<#name, #element, #outputs, #inputs>
                )),
                false => quote!(::core::option::Option::None),
            }
        });
        quote!(&[#(#entries),*])
    };
    let (f32, f64) = (table(quote!(::core::primitive::f32)), table(quote!(::core::primitive::f64)));
    quote! {
        #edb::__private::kernels! {
            use #edb::__private::fused as __edb_fused;
            #(#items)*
            __edb_fused::CompiledKernels { f32: #f32, f64: #f64 }
        }
    }
}

/// Each kernel costs compile time, and kernels that run once per step would gain nothing.
fn is_compiled(kernel: &Kernel) -> bool {
    kernel.domain != Domain::Step
}

fn kernel_name(number: usize) -> Ident {
    format_ident!("__EdbKernel{number}")
}

fn counts(kernel: &Kernel) -> [Literal; 2] {
    [kernel.outputs.len(), read_inputs(kernel).count()].map(Literal::usize_unsuffixed)
}

/// The inputs with memory of their own: an input that is overwritten is read from the output.
fn read_inputs(kernel: &Kernel) -> impl Iterator<Item = usize> + '_ {
    (0..kernel.inputs.len()).filter(|input| kernel.in_place(*input).is_none())
}

/// A kernel: here of `tanh x -> y`, times a scalar.
///
/// ```text
/// struct __EdbKernel0;
/// impl __edb_fused::RowKernel<1, 2> for __EdbKernel0 {
///     const SCALARS: [::core::primitive::bool; 2] = [false, true];
///
///     #[inline(always)]
///     fn row<T: __edb_fused::Element, const FMA: ::core::primitive::bool>(
///         [__edb_o0]: [&mut [T]; 1],
///         [__edb_i0, __edb_i1]: [&[T]; 2],
///     ) {
///         #[inline(always)]
///         fn __edb_row<T: __edb_fused::Element, const FMA: ::core::primitive::bool>(
///             __edb_o0: &mut [T],
///             __edb_i0: &[T],
///             __edb_i1: T,
///         ) {
///             let __edb_length = __edb_o0.len();
///             let __edb_o0 = &mut __edb_o0[..__edb_length];
///             let __edb_i0 = &__edb_i0[..__edb_length];
///             for __edb_at in 0..__edb_length {
///                 let __edb_i0 = __edb_i0[__edb_at];
///                 let __edb_t0 = __edb_fused::tanh::<T, FMA>(__edb_i0);
///                 let __edb_t1 = __edb_fused::mul::<T, FMA>(__edb_t0, __edb_i1);
///                 __edb_o0[__edb_at] = __edb_t1;
///             }
///         }
///         __edb_row::<T, FMA>(__edb_o0, __edb_i0, __edb_i1[0]);
///     }
/// }
/// ```
fn row_kernel(plan: &Plan, number: usize, kernel: &Kernel) -> TokenStream {
    let name = kernel_name(number);
    let [output_count, input_count] = counts(kernel);
    let scalars: Vec<bool> =
        read_inputs(kernel).map(|input| is_scalar(plan, kernel, kernel.inputs[input])).collect();
    let outputs: Vec<Ident> = (0..kernel.outputs.len()).map(output_name).collect();
    let inputs: Vec<Ident> = read_inputs(kernel).map(input_name).collect();
    let overwritten = (0..kernel.inputs.len()).filter_map(|input| {
        let (input, output) = (input_name(input), output_name(kernel.in_place(input)?));
        Some(quote!(let #input = #output[__edb_at];))
    });
    let inputs_with_kind = || inputs.iter().zip(&scalars);
    let rows: Vec<&Ident> =
        inputs_with_kind().filter(|(_, scalar)| !**scalar).map(|(input, _)| input).collect();
    let parameters = inputs_with_kind().map(|(input, scalar)| match scalar {
        true => quote!(#input: T),
        false => quote!(#input: &[T]),
    });
    let arguments = inputs_with_kind().map(|(input, scalar)| match scalar {
        true => quote!(#input[0]),
        false => quote!(#input),
    });
    let (numbers, body) = body(kernel);
    let length = match outputs.first() {
        Some(first) => quote!(#first.len()),
        None => quote!(0),
    };
    quote! {
        struct #name;
        impl __edb_fused::RowKernel<#output_count, #input_count> for #name {
            const SCALARS: [::core::primitive::bool; #input_count] = [#(#scalars),*];

            #[inline(always)]
            fn row<T: __edb_fused::Element, const FMA: ::core::primitive::bool>(
                [#(#outputs),*]: [&mut [T]; #output_count],
                [#(#inputs),*]: [&[T]; #input_count],
            ) {
                #[inline(always)]
                #[allow(unused_variables)]
                fn __edb_row<T: __edb_fused::Element, const FMA: ::core::primitive::bool>(
                    #(#outputs: &mut [T],)*
                    #(#parameters),*
                ) {
                    let __edb_length = #length;
                    #(let #outputs = &mut #outputs[..__edb_length];)*
                    #(let #rows = &#rows[..__edb_length];)*
                    #numbers
                    for __edb_at in 0..__edb_length {
                        #(let #rows = #rows[__edb_at];)*
                        #(#overwritten)*
                        #body
                    }
                }
                __edb_row::<T, FMA>(#(#outputs,)* #(#arguments),*);
            }
        }
    }
}

/// Whether an input is one scalar for a whole row.
fn is_scalar(plan: &Plan, kernel: &Kernel, input: Span) -> bool {
    !kernel.shape.is_scalar() && plan.routine.pieces(input).iter().all(Shape::is_scalar)
}

fn output_name(output: usize) -> Ident {
    format_ident!("__edb_o{output}")
}

fn input_name(input: usize) -> Ident {
    format_ident!("__edb_i{input}")
}

/// The constants, which come before the loop, and the body of the loop.
fn body(kernel: &Kernel) -> (TokenStream, TokenStream) {
    let inputs = kernel.inputs.len();
    let value_name = |value: usize| format_ident!("__edb_t{value}");
    let argument = |arg: &u16| match usize::from(*arg).checked_sub(inputs) {
        Some(value) => value_name(value),
        None => input_name(usize::from(*arg)),
    };
    let (mut numbers, mut body) = (TokenStream::new(), TokenStream::new());
    for (value, expr) in kernel.body.iter().enumerate() {
        let name = value_name(value);
        let args: Vec<Ident> = expr.args.iter().map(argument).collect();
        match expr.op {
            KernelOp::Number(number) => numbers.extend(constant(&name, number)),
            // LLVM removes the multiplication by 1.
            KernelOp::LossScale => numbers.extend(constant(&name, 1.0)),
            KernelOp::Copy => body.extend(quote!(let #name = #(#args)*;)),
            KernelOp::Pointwise(op) => {
                // The functions are named as in the op table.
                let function = format_ident!("{}", op.name());
                body.extend(quote!(let #name = __edb_fused::#function::<T, FMA>(#(#args),*);));
            }
        }
        for (out, _) in
            kernel.outputs.iter().enumerate().filter(|(_, out)| usize::from(out.1) == value)
        {
            let out = output_name(out);
            body.extend(quote!(#out[__edb_at] = #name;));
        }
    }
    (numbers, body)
}

/// Not every number can be written as a literal, and literals have no sign.
fn constant(name: &Ident, number: f64) -> TokenStream {
    let bits = Literal::u64_suffixed(number.to_bits());
    let literal = Literal::f64_suffixed(number.abs().min(f64::MAX));
    let value = match number.is_finite() && number.is_sign_positive() {
        true => quote!(#literal),
        false => quote!(::core::primitive::f64::from_bits(#bits)),
    };
    quote!(let #name = __edb_fused::number::<T>(#value);)
}
