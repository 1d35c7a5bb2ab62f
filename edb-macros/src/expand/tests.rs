//! Programs of small functions, and the errors of wrong ones.

use super::*;

fn lowered(source: &str) -> Result<String, Vec<String>> {
    let expansion = Expansion::new(CratePath::default(), syn::parse_str(source).unwrap());
    let cx = Context::new();
    let function = Function::new(&cx, &expansion.item);
    let lowered = lower::function(&cx, &function, &expansion);
    assert!(lowered.missing.is_empty(), "a helper is missing");
    match cx.check() {
        Ok(()) => Ok(lowered.flow.map_or_else(String::new, |flow| flow.program.to_string())),
        Err(errors) => Err(errors.into_iter().map(|error| error.to_string()).collect()),
    }
}

/// The values and ports of a function that is right, without the line of its name.
fn program(source: &str) -> String {
    let text = lowered(source).unwrap_or_else(|errors| panic!("{errors:#?}"));
    text.lines().skip(1).map(|line| format!("{}\n", line.trim())).collect()
}

fn errors(source: &str) -> Vec<String> {
    lowered(source).expect_err("the function is wrong")
}

#[test]
fn children_stand_in_the_order_of_their_places() {
    let text = program(
        "fn pair() {
            let right: Node = gather(1);
            let left = gather_or(0, Node { h: zeros(3) });
            scatter(Node { h: left.h - right.h });
        }",
    );
    let expected = "\
        %0 = zeros : step [3]\n\
        %1 = child 0.h : vertex [3]\n\
        %2 = add %1 %0 : vertex [3]\n\
        %3 = child 1.h : vertex [3]\n\
        %4 = sub %2 %3 : vertex [3]\n\
        scatter Node h = %4\n";
    assert_eq!(text, expected);
}

#[test]
fn an_absent_child_reads_as_the_initial_state() {
    let text = program(
        "fn next(#[param(H)] start: Tensor) {
            let Node { h } = gather_or(0, Node { h: start });
            scatter(Node { h: h.tanh() });
        }",
    );
    assert!(text.contains("%2 = where_absent 0 %0 : vertex [H]\n%3 = add %1 %2"), "{text}");
}

#[test]
fn loops_over_children_become_sums_over_edges() {
    let text = program(
        "fn sum(#[param(H)] b: Tensor) {
            let (mut sum, mut count) = (b, 0.0);
            for child in gather_all::<Node>() {
                sum = child.h.dropout(0.5) + sum - b;
                count += 1.0;
            }
            push(Mean { y: sum / count });
        }",
    );
    let expected = "\
        %0 = param b : step [H]\n\
        %1 = child rest.h : edge [H]\n\
        %2 = dropout 0.5 at 65536 %1 : edge [H]\n\
        %3 = copy to edge %0 : edge [H]\n\
        %4 = neg %3 : edge [H]\n\
        %5 = add %2 %4 : edge [H]\n\
        %6 = constant 1 : step []\n\
        %7 = copy to edge %6 : edge []\n\
        %8 = reduce to vertex %5 : vertex [H]\n\
        %9 = add %0 %8 : vertex [H]\n\
        %10 = constant 0 : step []\n\
        %11 = reduce to vertex %7 : vertex []\n\
        %12 = add %10 %11 : vertex []\n\
        %13 = div %9 %12 : vertex [H]\n\
        push Mean y = %13\n";
    assert_eq!(text, expected);
}

#[test]
fn loops_over_numbers_and_arrays_are_unrolled() {
    let text = program(
        "fn unrolled(#[param(3 * H)] x: Tensor, #[dim(H)] h: Dim) {
            let mut sum = zeros(h);
            for k in 0..3 {
                sum += x.slice(k * h..(k + 1) * h) * (k as f64 + 0.5);
            }
            for part in x.split::<3>() {
                sum -= part;
            }
            loss(sum.sum());
        }",
    );
    assert_eq!(text.matches("= slice ").count(), 6, "{text}");
    assert!(text.contains("constant 2.5"), "{text}");
}

#[test]
fn helpers_are_inlined_where_they_are_called() {
    let helper = |source: &str, calls: &[(&str, &str)]| {
        let calls = calls.iter().map(|(path, id)| (path.to_string(), id.to_string())).collect();
        let (item, edb) = (syn::parse_str(source).unwrap(), CratePath::default());
        helper::Helper { item, calls, edb, sound: true }
    };
    let middle =
        helper("fn middle(x: Tensor) -> Tensor { m::f(x) * m::f(x.tanh()) }", &[("m::f", "inner")]);
    let inner = helper("fn f(y: Tensor) -> Tensor { let x = -y; x }", &[]);
    let item = syn::parse_quote!(
        fn caller(#[param(H)] y: Tensor) {
            loss(middle(y).sum());
        }
    );
    let mut expansion = Expansion::new(CratePath::default(), item);
    expansion.helpers.insert("middle", middle);
    expansion.helpers.insert("inner", inner);
    expansion.calls.insert("middle".into(), "middle".into());
    let cx = Context::new();
    let function = Function::new(&cx, &expansion.item);
    let lowered = lower::function(&cx, &function, &expansion);
    cx.check().unwrap();
    let text = lowered.flow.unwrap().program.to_string();
    assert!(text.contains("%1 = neg %0") && text.contains("%4 = mul %1 %3"), "{text}");
}

#[test]
fn a_path_into_edb_is_read_as_its_own_function_writes_it() {
    let item = syn::parse_quote!(
        fn caller() {
            loss(half() + edb::prelude::scalar(1.0));
        }
    );
    let mut expansion = Expansion::new(CratePath::default(), item);
    let helper = helper::Helper {
        item: syn::parse_quote!(
            fn half() -> Tensor {
                my::net::prelude::scalar(0.5)
            }
        ),
        calls: helper::Calls::default(),
        edb: syn::parse_quote!(my::net),
        sound: true,
    };
    expansion.helpers.insert("half", helper);
    expansion.calls.insert("half".into(), "half".into());
    let cx = Context::new();
    let function = Function::new(&cx, &expansion.item);
    let lowered = lower::function(&cx, &function, &expansion);
    cx.check().unwrap();
    assert!(lowered.missing.is_empty(), "each path leads into edb");
    let text = lowered.flow.unwrap().program.to_string();
    assert!(text.contains("constant 0.5") && text.contains("constant 1 "), "{text}");
}

#[test]
fn every_error_is_reported_and_what_follows_from_it_is_not() {
    let errors = errors(
        "fn wrong(#[param(H)] x: Tensor, #[param(X)] y: Tensor) {
            let a = x + y;
            let b = a.tanh() * x.foo() + gather(0).h;
            for k in 0..2 {
                loss(b);
                loss(x);
            }
        }",
    );
    assert_eq!(errors.len(), 4, "{errors:#?}");
    assert_eq!(errors[0], "`x + y`: x is [H], so y must be [H] too; it is [X]");
    assert!(errors[1].starts_with("there is no op `foo`; the ops are sigmoid, "));
    assert!(errors[2].starts_with("which type?"));
    assert_eq!(errors[3], "`loss(x)`: x must be a scalar; it is [H]");
}

#[test]
fn errors_of_types_are_left_to_rustc() {
    assert_eq!(lowered("fn f(#[param(H)] x: Tensor) { loss(x.tanh(x)); }"), Ok(String::new()));
}

/// The whole of what is written for a kernel; spaces do not count.
#[test]
fn kernels_are_written_as_rust() {
    let item = syn::parse_quote! {
        fn scaled(#[param(H)] b: Tensor) {
            let last: Node = gather(0);
            push(Out { y: (last.h * 2.0 + b).tanh() * last.s.sum() });
        }
    };
    let expansion = Expansion::new(CratePath::default(), item);
    let cx = Context::new();
    let function = Function::new(&cx, &expansion.item);
    let lowered = lower::function(&cx, &function, &expansion);
    cx.check().unwrap();
    let plan = edb_compiler::compile_flow(lowered.flow.unwrap());
    let text = crate::kernels::kernels(&expansion.edb, &plan).to_string();
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    let expected = "
        ::edb::__private::kernels! {
            use ::edb::__private::fused as __edb_fused;
            struct __EdbKernel0;
            impl __edb_fused::RowKernel<2, 3> for __EdbKernel0 {
                const SCALARS: [::core::primitive::bool; 3] = [false, false, true];
                #[inline(always)]
                fn row<T: __edb_fused::Element, const FMA: ::core::primitive::bool>(
                    [__edb_o0, __edb_o1]: [&mut [T]; 2],
                    [__edb_i0, __edb_i1, __edb_i2]: [&[T]; 3],
                ) {
                    #[inline(always)]
                    #[allow(unused_variables)]
                    fn __edb_row<T: __edb_fused::Element, const FMA: ::core::primitive::bool>(
                        __edb_o0: &mut [T],
                        __edb_o1: &mut [T],
                        __edb_i0: &[T],
                        __edb_i1: &[T],
                        __edb_i2: T
                    ) {
                        let __edb_length = __edb_o0.len();
                        let __edb_o0 = &mut __edb_o0[..__edb_length];
                        let __edb_o1 = &mut __edb_o1[..__edb_length];
                        let __edb_i0 = &__edb_i0[..__edb_length];
                        let __edb_i1 = &__edb_i1[..__edb_length];
                        let __edb_t0 = __edb_fused::number::<T>(2f64);
                        for __edb_at in 0..__edb_length {
                            let __edb_i0 = __edb_i0[__edb_at];
                            let __edb_i1 = __edb_i1[__edb_at];
                            let __edb_t1 = __edb_fused::mul::<T, FMA>(__edb_i0, __edb_t0);
                            let __edb_t2 = __edb_fused::add::<T, FMA>(__edb_t1, __edb_i1);
                            let __edb_t3 = __edb_fused::tanh::<T, FMA>(__edb_t2);
                            __edb_o0[__edb_at] = __edb_t3;
                            let __edb_t4 = __edb_fused::mul::<T, FMA>(__edb_t3, __edb_i2);
                            __edb_o1[__edb_at] = __edb_t4;
                        }
                    }
                    __edb_row::<T, FMA>(__edb_o0, __edb_o1, __edb_i0, __edb_i1, __edb_i2[0]);
                }
            }
            struct __EdbKernel1;";
    assert!(squeezed(&text).starts_with(&squeezed(expected)), "{text}");
    let tables = text.matches("compiled :: < __EdbKernel1 , :: core :: primitive :: f").count();
    assert_eq!(tables, 2, "each kernel is in both tables: {text}");
}

/// Whether a field is an index may show only behind a place that takes either.
#[test]
fn an_index_may_be_pushed_before_it_is_used() {
    for source in [
        "fn plain(#[param(V, H)] table: Tensor) {
            let Word { id } = pull();
            push(Out { id });
            loss(table.row(id).sum());
        }",
        "fn arms(#[param(V, H)] table: Tensor, #[param(H)] w: Tensor) {
            let Word { id, other } = pull();
            if w.sum() > 0.0 { push(Out { id }); } else { push(Out { id: other }); }
            loss(table.row(id).sum() + table.row(other).sum());
        }",
        "fn list(#[param(V, H)] table: Tensor, #[param(H)] w: Tensor) {
            let Word { id } = pull();
            let mut x = w;
            while x.sum() > 0.0 {
                push(Out { id });
                x = x - table.row(id);
            }
        }",
        "fn child(#[param(V, H)] table: Tensor) {
            let Node { id } = gather(0);
            push(Out { id });
            loss(table.row(id).sum());
        }",
        "fn list_of_child(#[param(V, H)] table: Tensor, #[param(H)] w: Tensor) {
            let Node { id } = gather(0);
            let mut x = w;
            while x.sum() > 0.0 {
                push(Out { id });
                x = x - table.row(id);
            }
        }",
        "fn arms_of_child(#[param(V, H)] table: Tensor, #[param(H)] w: Tensor) {
            let Node { id, other } = gather(0);
            if w.sum() > 0.0 { push(Out { id }); } else { push(Out { id: other }); }
            loss(table.row(id).sum() + table.row(other).sum());
        }",
        "fn told(#[param(V, H)] table: Tensor) {
            let Word { id } = pull();
            scatter(Node { id });
            loss(table.row(id).sum());
        }",
    ] {
        let text = program(source);
        assert!(text.contains("row %"), "{text}");
    }
}

/// rustc may find no error in a helper whose errors are left to it. Then its caller has no plan, rather than a plan
/// without the values that the helper computes.
#[test]
fn there_is_no_plan_without_a_helper() {
    for body in ["loss(x.sum()); loss(half(x).sum());", "loss(x.sum()); push(Out { y: half(x) });"]
    {
        let item =
            syn::parse_str(&format!("fn caller(#[param(H)] x: Tensor) {{ {body} }}")).unwrap();
        let mut expansion = Expansion::new(CratePath::default(), item);
        let helper = helper::Helper {
            item: syn::parse_quote!(
                fn half(x: Tensor) -> Tensor {
                    x * 0.5
                }
            ),
            calls: helper::Calls::default(),
            edb: CratePath::default(),
            sound: false,
        };
        expansion.helpers.insert("half", helper);
        expansion.calls.insert("half".into(), "half".into());
        let cx = Context::new();
        let function = Function::new(&cx, &expansion.item);
        let lowered = lower::function(&cx, &function, &expansion);
        assert!(!cx.is_clean() && !cx.reports() && lowered.flow.is_none());
        let text = definition(&expansion, &function, &lowered, false, false).to_string();
        assert!(text.contains("panic !") && text.contains("not_compiled ::"), "{text}");
        cx.discard();
    }
}
