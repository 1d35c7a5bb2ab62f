//! The table of pointwise ops: what all who handle them are made of.

/// Calls a macro with the table of pointwise ops: `Variant = name, surface, gradient rule;`, the name being that
/// in the textual form and of the function that kernels call.
///
/// Scalars are spread over the elements of the other argument.
#[macro_export]
macro_rules! for_each_pointwise {
    ($then:ident) => {
        $then! {
            unary {
                /// `-x`.
                Neg = neg, Surface::Operator("-"), neg;
                /// `1 / (1 + e^-x)`.
                Sigmoid = sigmoid, Surface::Method("sigmoid"), sigmoid;
                /// `tanh x`.
                Tanh = tanh, Surface::Method("tanh"), tanh;
                /// `max(x, 0)`; NaN stays NaN.
                Relu = relu, Surface::Method("relu"), relu;
                /// `e^x`.
                Exp = exp, Surface::Method("exp"), exp;
                /// The natural logarithm.
                Ln = ln, Surface::Method("ln"), ln;
                /// 1 where `x > 0`, else 0.
                Positive = positive, Surface::Internal, none;
                /// `√x`.
                Sqrt = sqrt, Surface::Method("sqrt"), sqrt;
                /// `|x|`.
                Abs = abs, Surface::Method("abs"), abs;
                /// 1 where `x > 0`, -1 where `x < 0`, else 0, also where `x` is NaN: the derivative of [`Pointwise::Abs`].
                Sign = sign, Surface::Internal, none;
                /// `2/√π ∫₀ˣ e^-t² dt`, the error function.
                Erf = erf, Surface::Method("erf"), erf;
                /// `ln(1 + e^x)`.
                Softplus = softplus, Surface::Method("softplus"), softplus;
                /// The nearest integer, halves to even. Its gradient passes straight through
                /// (Bengio et al., 2013).
                Round = round, Surface::Method("round"), copy;
                /// `e^x - 1`, also where `x` is small.
                ExpM1 = exp_m1, Surface::Internal, exp_m1;
                /// `1/√2π ∫₋∞ˣ e^-t²/2 dt`, the standard normal distribution, also where it is small.
                NormalCdf = normal_cdf, Surface::Internal, normal_cdf;
                /// `e^-x²/2`: the standard normal density times `√2π`.
                Bell = bell, Surface::Internal, bell;
            }
            binary {
                /// `x + y`; a scalar is added to every element.
                Add = add, Surface::Operator("+"), add;
                /// `x - y`, scalars as in [`Pointwise::Add`].
                Sub = sub, Surface::Operator("-"), sub;
                /// `x * y`, element by element, scalars as in [`Pointwise::Add`].
                Mul = mul, Surface::Operator("*"), mul;
                /// `x / y`, element by element, scalars as in [`Pointwise::Add`].
                Div = div, Surface::Operator("/"), div;
                /// `x ^ y`, element by element, scalars as in [`Pointwise::Add`].
                Pow = pow, Surface::Internal, pow;
                /// `ln(e^x + e^y)`, element by element, scalars as in [`Pointwise::Add`].
                LogAdd = log_add, Surface::Method("log_add"), log_add;
                /// 1 where `x > y`, else 0, also where one of them is NaN. Scalars as in [`Pointwise::Add`].
                Greater = greater, Surface::Method("greater"), none;
                /// 1 where `x >= y`, else 0, also where one of them is NaN. Scalars as in [`Pointwise::Add`].
                GreaterEqual = greater_equal, Surface::Method("greater_equal"), none;
                /// 1 where a maximum takes `x` rather than `y`, else 0: where `x > y`, and where `x` is NaN and `y`
                /// is not, since a maximum with NaN is NaN. Scalars as in [`Pointwise::Add`].
                Exceeds = exceeds, Surface::Internal, none;
                /// `y` where `x` is not 0, else 0: a mask on `y` that stops NaN and infinities, too. An `x` that is
                /// NaN is not 0. Scalars as in [`Pointwise::Add`].
                Mask = mask, Surface::Internal, mask;
            }
            ternary {
                /// `y` where `x` is not 0, else `z`: bit by bit. An `x` that is NaN is not 0; a scalar `x` is spread.
                Select = select, Surface::Internal, select;
            }
        }
    };
}
