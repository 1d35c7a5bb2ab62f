//! The op table: every op of a vertex program, one row each.
//!
//! A new op is a variant of [`Op`], its row in [`Op::row`], its gradient rule in
//! [`gradient`], its kernels (reference and CPU) in `edb-core`, and its tests;
//! CONTRIBUTING.md walks through one.

use crate::gradient::{self, GradientRule};
use crate::op::{Arity, Class, Op, Surface};
use crate::shape::{self, ShapeRule};

/// The row of an op in the table.
pub struct Row {
    /// The name in the textual form.
    pub name: &'static str,
    /// How many arguments it takes.
    pub arity: Arity,
    /// What kind of work it is.
    pub class: Class,
    /// How it is written.
    pub surface: Surface,
    /// The shape of the result, from those of the arguments.
    pub shape: ShapeRule,
    /// The gradients of the arguments, from that of the result.
    pub gradient: GradientRule,
}

impl Op {
    /// The ops that carry no attribute: written by a person with their surface name alone.
    pub const PLAIN: &'static [Op] = &[
        Op::Neg,
        Op::Sigmoid,
        Op::Tanh,
        Op::Relu,
        Op::Exp,
        Op::Ln,
        Op::Sqrt,
        Op::Abs,
        Op::Erf,
        Op::Softplus,
        Op::Round,
        Op::Greater,
        Op::GreaterEqual,
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::Div,
        Op::Outer,
        Op::Transpose,
        Op::Concat,
        Op::Sum,
        Op::Max,
        Op::Softmax,
        Op::LogSoftmax,
        Op::LogSumExp,
        Op::Norm,
        Op::CumulativeSum,
    ];

    /// The table: one row per op.
    #[rustfmt::skip]
    pub fn row(&self) -> Row {
        use Arity::{Exact, Some};
        use Class::{Contraction, Leaf, Movement, Pointwise, Reduction, Transition};
        use Surface::{Function, Internal, Method, Operator};
        let row = |name, arity, class, surface, shape, gradient| Row { name, arity, class, surface, shape, gradient };
        match self {
            Op::Param(_)          => row("param", Exact(0), Leaf, Internal, shape::given, gradient::none),
            Op::Pull(_)           => row("pull", Exact(0), Leaf, Internal, shape::given, gradient::none),
            Op::Child { .. }      => row("child", Exact(0), Leaf, Internal, shape::given, gradient::none),
            Op::StateGradient(_)  => row("state_gradient", Exact(0), Leaf, Internal, shape::given, gradient::none),
            Op::OutputGradient(_) => row("output_gradient", Exact(0), Leaf, Internal, shape::given, gradient::none),
            Op::Constant(_)       => row("constant", Exact(0), Leaf, Internal, shape::scalar, gradient::none),
            Op::LossScale         => row("loss_scale", Exact(0), Leaf, Internal, shape::scalar, gradient::none),
            Op::Zeros             => row("zeros", Exact(0), Leaf, Function("zeros"), shape::given, gradient::none),
            Op::Length(_)         => row("length", Exact(0), Leaf, Internal, shape::scalar, gradient::none),
            Op::Neg               => row("neg", Exact(1), Pointwise, Operator("-"), shape::same, gradient::neg),
            Op::Sigmoid           => row("sigmoid", Exact(1), Pointwise, Method("sigmoid"), shape::same, gradient::sigmoid),
            Op::Tanh              => row("tanh", Exact(1), Pointwise, Method("tanh"), shape::same, gradient::tanh),
            Op::Relu              => row("relu", Exact(1), Pointwise, Method("relu"), shape::same, gradient::relu),
            Op::Exp               => row("exp", Exact(1), Pointwise, Method("exp"), shape::same, gradient::exp),
            Op::Ln                => row("ln", Exact(1), Pointwise, Method("ln"), shape::same, gradient::ln),
            Op::Positive          => row("positive", Exact(1), Pointwise, Internal, shape::same, gradient::none),
            Op::Sqrt              => row("sqrt", Exact(1), Pointwise, Method("sqrt"), shape::same, gradient::sqrt),
            Op::Abs               => row("abs", Exact(1), Pointwise, Method("abs"), shape::same, gradient::abs),
            Op::Sign              => row("sign", Exact(1), Pointwise, Internal, shape::same, gradient::none),
            Op::Erf               => row("erf", Exact(1), Pointwise, Method("erf"), shape::same, gradient::erf),
            Op::Softplus          => row("softplus", Exact(1), Pointwise, Method("softplus"), shape::same, gradient::softplus),
            Op::Round             => row("round", Exact(1), Pointwise, Method("round"), shape::same, gradient::copy),
            Op::Add               => row("add", Exact(2), Pointwise, Operator("+"), shape::broadcast, gradient::add),
            Op::Sub               => row("sub", Exact(2), Pointwise, Operator("-"), shape::broadcast, gradient::sub),
            Op::Mul               => row("mul", Exact(2), Pointwise, Operator("*"), shape::broadcast, gradient::mul),
            Op::Div               => row("div", Exact(2), Pointwise, Operator("/"), shape::broadcast, gradient::div),
            Op::Pow               => row("pow", Exact(2), Pointwise, Internal, shape::broadcast, gradient::pow),
            Op::Greater           => row("greater", Exact(2), Pointwise, Method("greater"), shape::broadcast, gradient::none),
            Op::GreaterEqual      => row("greater_equal", Exact(2), Pointwise, Method("greater_equal"), shape::broadcast, gradient::none),
            Op::Exceeds           => row("exceeds", Exact(2), Pointwise, Internal, shape::broadcast, gradient::none),
            Op::Mask              => row("mask", Exact(2), Pointwise, Internal, shape::broadcast, gradient::mask),
            Op::Dropout { .. }    => row("dropout", Exact(1), Pointwise, Method("dropout"), shape::same, gradient::dropout),
            Op::Noise { .. }      => row("noise", Exact(1), Pointwise, Method("noise"), shape::same, gradient::copy),
            Op::Copy(_)           => row("copy", Exact(1), Movement, Internal, shape::same, gradient::copy),
            Op::WhereAbsent(_)    => row("where_absent", Exact(1), Movement, Internal, shape::same, gradient::where_absent),
            Op::Dot               => row("dot", Exact(2), Contraction, Method("dot"), shape::dot, gradient::dot),
            Op::DotTransposed     => row("dot_transposed", Exact(2), Contraction, Internal, shape::dot_transposed, gradient::dot_transposed),
            Op::Outer             => row("outer", Exact(2), Contraction, Method("outer"), shape::outer, gradient::outer),
            Op::MatMul            => row("mat_mul", Exact(2), Contraction, Internal, shape::mat_mul, gradient::mat_mul),
            Op::MatMulLeftTransposed => row("mat_mul_left_transposed", Exact(2), Contraction, Internal, shape::mat_mul_left_transposed, gradient::mat_mul_left_transposed),
            Op::MatMulRightTransposed => row("mat_mul_right_transposed", Exact(2), Contraction, Internal, shape::mat_mul_right_transposed, gradient::mat_mul_right_transposed),
            Op::Transpose         => row("transpose", Exact(1), Movement, Method("transpose"), shape::transpose, gradient::transpose),
            Op::Concat            => row("concat", Some, Movement, Function("concat"), shape::concat, gradient::concat),
            Op::Slice { .. }      => row("slice", Exact(1), Movement, Method("slice"), shape::given_vector, gradient::slice),
            Op::Pad { .. }        => row("pad", Exact(1), Movement, Internal, shape::given_vector, gradient::pad),
            Op::Sum               => row("sum", Exact(1), Reduction, Method("sum"), shape::scalar, gradient::sum),
            Op::Max               => row("max", Exact(1), Reduction, Method("max"), shape::scalar, gradient::max),
            Op::MaxMask           => row("max_mask", Exact(1), Reduction, Internal, shape::same, gradient::none),
            Op::Expand            => row("expand", Exact(1), Movement, Internal, shape::given, gradient::expand),
            Op::Softmax           => row("softmax", Exact(1), Reduction, Method("softmax"), shape::vector, gradient::softmax),
            Op::LogSoftmax        => row("log_softmax", Exact(1), Reduction, Method("log_softmax"), shape::vector, gradient::log_softmax),
            Op::LogSumExp         => row("log_sum_exp", Exact(1), Reduction, Method("log_sum_exp"), shape::scalar, gradient::log_sum_exp),
            Op::Norm              => row("norm", Exact(1), Reduction, Method("norm"), shape::scalar, gradient::norm),
            Op::CumulativeSum     => row("cumulative_sum", Exact(1), Reduction, Method("cumulative_sum"), shape::vector, gradient::cumulative_sum),
            Op::CumulativeSumReversed => row("cumulative_sum_reversed", Exact(1), Reduction, Internal, shape::vector, gradient::cumulative_sum_reversed),
            Op::Reshape           => row("reshape", Exact(1), Movement, Internal, shape::given, gradient::reshape),
            Op::Row(_)            => row("row", Exact(1), Movement, Method("row"), shape::row, gradient::row),
            Op::RowSum(_)         => row("row_sum", Exact(1), Transition, Internal, shape::given, gradient::row_sum),
            Op::BagSum(_)         => row("bag_sum", Exact(1), Movement, Internal, shape::row, gradient::bag_sum),
            Op::BagRowSum(_)      => row("bag_row_sum", Exact(1), Transition, Internal, shape::given, gradient::bag_row_sum),
            Op::BagSize(_)        => row("bag_size", Exact(0), Leaf, Internal, shape::scalar, gradient::none),
            Op::CrossEntropy(_)   => row("cross_entropy", Exact(1), Reduction, Function("cross_entropy"), shape::vector_to_scalar, gradient::cross_entropy),
            Op::OneHot(_)         => row("one_hot", Exact(1), Movement, Internal, shape::given_vector_of_scalar, gradient::one_hot),
            Op::Pick(_)           => row("pick", Exact(1), Movement, Internal, shape::vector_to_scalar, gradient::pick),
            Op::Reduce(_)         => row("reduce", Exact(1), Transition, Internal, shape::same, gradient::reduce),
            Op::ReduceMax         => row("reduce_max", Exact(1), Transition, Internal, shape::same, gradient::reduce_max),
            Op::EdgeMaxMask       => row("edge_max_mask", Exact(1), Transition, Internal, shape::same, gradient::none),
            Op::OuterSum          => row("outer_sum", Exact(2), Transition, Internal, shape::outer, gradient::outer_sum),
        }
    }

    /// The op that a person writes as `receiver.name(arguments)`, if it carries no attribute.
    pub fn from_method(name: &str) -> Option<&'static Op> {
        Op::PLAIN
            .iter()
            .find(|op| matches!(op.row().surface, Surface::Method(method) if method == name))
    }
}
