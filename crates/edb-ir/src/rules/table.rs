//! The op table: every op of a vertex program, one row each.
//!
//! A new op is a variant of its class, its row here or in
//! [`for_each_pointwise`](crate::for_each_pointwise), its gradient rule in [`gradient`], its
//! tangent rule, most of which are one of three in `tangent.rs`, its kernels (reference, CPU and
//! CUDA), and its tests; CONTRIBUTING.md has an example.

use super::gradient::{self, GradientRule};
use super::shape::{self, ShapeRule};
use super::tangent::{self, TangentRule};
use crate::program::{
    Arity, Contraction, Draw, Indexing, Leaf, Movement, Op, Pointwise, Reduction, Role,
    RowReduction, Semiring, SemiringContraction, Surface, Transition,
};

use Arity::{Exact, Some};
use Surface::{Function, Internal, Method};

/// The row of an op in the table.
pub struct Row {
    /// The name in the textual form.
    pub name: &'static str,
    /// How many arguments it takes.
    pub arity: Arity,
    /// How it is written in a vertex function.
    pub surface: Surface,
    /// The shape of the result, from those of the arguments.
    pub shape: ShapeRule,
    /// The gradients of the arguments, from that of the result.
    pub gradient: GradientRule,
    /// The tangent of the result, from those of the arguments.
    pub tangent: TangentRule,
}

fn row(
    name: &'static str,
    arity: Arity,
    surface: Surface,
    shape: ShapeRule,
    gradient: GradientRule,
    tangent: TangentRule,
) -> Row {
    Row { name, arity, surface, shape, gradient, tangent }
}

impl Op {
    /// The row of this op.
    pub fn row(&self) -> Row {
        match self {
            Op::Leaf(op) => op.row(),
            Op::Pointwise(op) => op.row(),
            Op::Draw(op) => op.row(),
            Op::Contraction(op) => op.row(),
            Op::Movement(op) => op.row(),
            Op::Reduction(op) => op.row(),
            Op::Indexing(op) => op.row(),
            Op::Transition(op) => op.row(),
            Op::RowReduction(op) => op.row(),
            Op::SemiringContraction(op) => op.row(),
        }
    }

    /// The ops without attributes that are written by their surface name alone.
    pub fn plain() -> impl Iterator<Item = Op> {
        let pointwise = Pointwise::ALL.iter().map(|op| Op::Pointwise(*op));
        let pointwise = pointwise.filter(|op| op.row().surface != Internal);
        pointwise.chain(OTHERS.iter().cloned())
    }

    /// The op that is written as `receiver.name(arguments)`, if it has no attribute.
    pub fn from_method(name: &str) -> Option<Op> {
        Op::plain().find(|op| matches!(op.row().surface, Method(method) if method == name))
    }
}

/// Those of [`Op::plain`] that are not pointwise.
const OTHERS: &[Op] = &[
    Op::Contraction(Contraction::Outer),
    Op::Movement(Movement::Transpose),
    Op::Movement(Movement::Concat),
    Op::Movement(Movement::ConcatRows),
    Op::Movement(Movement::AsDiagonal),
    Op::Movement(Movement::Diagonal),
    Op::Reduction(Reduction::Sum),
    Op::Reduction(Reduction::Max),
    Op::Reduction(Reduction::Softmax),
    Op::Reduction(Reduction::LogSoftmax),
    Op::Reduction(Reduction::LogSumExp),
    Op::Reduction(Reduction::Norm),
    Op::Reduction(Reduction::CumulativeSum),
    Op::RowReduction(RowReduction::Sum),
    Op::RowReduction(RowReduction::Max),
    Op::RowReduction(RowReduction::Softmax),
    Op::RowReduction(RowReduction::LogSoftmax),
    Op::RowReduction(RowReduction::LogSumExp),
    Op::RowReduction(RowReduction::Norm),
];

macro_rules! pointwise {
    (
        unary { $($(#[$unary_doc:meta])* $unary:ident = $unary_name:ident, $unary_surface:expr, $unary_rule:ident;)* }
        binary { $($(#[$binary_doc:meta])* $binary:ident = $binary_name:ident, $binary_surface:expr, $binary_rule:ident;)* }
        ternary { $($(#[$ternary_doc:meta])* $ternary:ident = $ternary_name:ident, $ternary_surface:expr, $ternary_rule:ident;)* }
    ) => {
        impl Pointwise {
            fn row(self) -> Row {
                let name = self.name();
                match self {
                    $(Pointwise::$unary => row(name, Exact(1), $unary_surface, shape::same, gradient::$unary_rule, tangent::symmetric),)*
                    $(Pointwise::$binary => row(name, Exact(2), $binary_surface, shape::broadcast, gradient::$binary_rule, tangent::symmetric),)*
                    $(Pointwise::$ternary => row(name, Exact(3), $ternary_surface, shape::choice_of_two, gradient::$ternary_rule, tangent::select),)*
                }
            }
        }
    };
}

crate::for_each_pointwise!(pointwise);

impl Leaf {
    #[rustfmt::skip]
    fn row(&self) -> Row {
        match self {
            Leaf::Param(_)           => row("param", Exact(0), Internal, shape::given, gradient::none, tangent::param),
            Leaf::Pull(_)            => row("pull", Exact(0), Internal, shape::given, gradient::none, tangent::pull),
            Leaf::Child { .. }       => row("child", Exact(0), Internal, shape::given, gradient::none, tangent::child),
            Leaf::StateGradient(_)   => row("state_gradient", Exact(0), Internal, shape::given, gradient::none, tangent::none),
            Leaf::OutputGradient(_)  => row("output_gradient", Exact(0), Internal, shape::given, gradient::none, tangent::none),
            Leaf::Constant(_)        => row("constant", Exact(0), Internal, shape::scalar, gradient::none, tangent::none),
            Leaf::LossScale          => row("loss_scale", Exact(0), Internal, shape::scalar, gradient::none, tangent::none),
            Leaf::Zeros              => row("zeros", Exact(0), Function("zeros"), shape::given, gradient::none, tangent::none),
            Leaf::Length(_)          => row("length", Exact(0), Internal, shape::scalar, gradient::none, tangent::none),
            Leaf::BagSize(_)         => row("bag_size", Exact(0), Internal, shape::scalar, gradient::none, tangent::none),
            Leaf::HasInput           => row("has_input", Exact(0), Internal, shape::scalar, gradient::none, tangent::none),
            Leaf::Merge              => row("merge", Exact(0), Internal, shape::given, gradient::none, tangent::none),
        }
    }
}

impl Draw {
    #[rustfmt::skip]
    fn row(&self) -> Row {
        match self {
            Draw::Dropout { .. } => row("dropout", Exact(1), Method("dropout"), shape::same, gradient::dropout, tangent::symmetric),
            Draw::Noise { .. }   => row("noise", Exact(1), Method("noise"), shape::same, gradient::copy, tangent::symmetric),
        }
    }
}

impl Contraction {
    #[rustfmt::skip]
    fn row(&self) -> Row {
        match self {
            Contraction::Dot                    => row("dot", Exact(2), Method("dot"), shape::dot, gradient::dot, tangent::product),
            Contraction::DotTransposed          => row("dot_transposed", Exact(2), Internal, shape::dot_transposed, gradient::dot_transposed, tangent::product),
            Contraction::Outer                  => row("outer", Exact(2), Method("outer"), shape::outer, gradient::outer, tangent::product),
            Contraction::MatMul                 => row("mat_mul", Exact(2), Internal, shape::mat_mul, gradient::mat_mul, tangent::product),
            Contraction::MatMulLeftTransposed   => row("mat_mul_left_transposed", Exact(2), Internal, shape::mat_mul_left_transposed, gradient::mat_mul_left_transposed, tangent::product),
            Contraction::MatMulRightTransposed  => row("mat_mul_right_transposed", Exact(2), Internal, shape::mat_mul_right_transposed, gradient::mat_mul_right_transposed, tangent::product),
        }
    }
}

impl Movement {
    #[rustfmt::skip]
    fn row(&self) -> Row {
        match self {
            Movement::Copy(_)         => row("copy", Exact(1), Internal, shape::same, gradient::copy, tangent::linear),
            Movement::WhereAbsent(_)  => row("where_absent", Exact(1), Internal, shape::same, gradient::where_absent, tangent::linear),
            Movement::Transpose       => row("transpose", Exact(1), Method("transpose"), shape::transpose, gradient::transpose, tangent::linear),
            Movement::Concat          => row("concat", Some, Function("concat"), shape::concat, gradient::concat, tangent::linear),
            Movement::Slice { .. }    => row("slice", Exact(1), Method("slice"), shape::given_vector, gradient::slice, tangent::linear),
            Movement::Pad { .. }      => row("pad", Exact(1), Internal, shape::given_vector, gradient::pad, tangent::linear),
            Movement::Expand          => row("expand", Exact(1), Internal, shape::given, gradient::expand, tangent::linear),
            Movement::Reshape         => row("reshape", Exact(1), Internal, shape::given, gradient::reshape, tangent::linear),
            Movement::Detach          => row("detach", Exact(1), Method("detach"), shape::same, gradient::none, tangent::none),
            Movement::Row             => row("row", Exact(2), Method("row"), shape::row, gradient::row, tangent::linear),
            Movement::BagSum(_)       => row("bag_sum", Exact(1), Internal, shape::bag_sum, gradient::bag_sum, tangent::linear),
            Movement::OneHot          => row("one_hot", Exact(2), Internal, shape::one_hot, gradient::one_hot, tangent::linear),
            Movement::SliceRows { .. } => row("slice_rows", Exact(1), Method("slice_rows"), shape::given_rows, gradient::slice_rows, tangent::linear),
            Movement::PadRows { .. }  => row("pad_rows", Exact(1), Internal, shape::given_rows, gradient::pad_rows, tangent::linear),
            Movement::ConcatRows      => row("concat_rows", Some, Function("concat_rows"), shape::concat_rows, gradient::concat_rows, tangent::linear),
            Movement::AsDiagonal      => row("as_diagonal", Exact(1), Method("as_diagonal"), shape::as_diagonal, gradient::as_diagonal, tangent::linear),
            Movement::Diagonal        => row("diagonal", Exact(1), Method("diagonal"), shape::diagonal, gradient::diagonal, tangent::linear),
            Movement::Pick            => row("pick", Exact(2), Method("pick"), shape::pick, gradient::pick, tangent::linear),
        }
    }
}

impl Reduction {
    /// The row of this op.
    #[rustfmt::skip]
    pub fn row(&self) -> Row {
        match self {
            Reduction::Sum                    => row("sum", Exact(1), Method("sum"), shape::scalar, gradient::sum, tangent::linear),
            Reduction::Max                    => row("max", Exact(1), Method("max"), shape::scalar, gradient::max, tangent::gradient),
            Reduction::MaxMask                => row("max_mask", Exact(1), Internal, shape::same, gradient::none, tangent::none),
            Reduction::Softmax                => row("softmax", Exact(1), Method("softmax"), shape::vector, gradient::softmax, tangent::symmetric),
            Reduction::LogSoftmax             => row("log_softmax", Exact(1), Method("log_softmax"), shape::vector, gradient::log_softmax, tangent::log_softmax),
            Reduction::LogSumExp              => row("log_sum_exp", Exact(1), Method("log_sum_exp"), shape::scalar_of_vector, gradient::log_sum_exp, tangent::gradient),
            Reduction::Norm                   => row("norm", Exact(1), Method("norm"), shape::scalar, gradient::norm, tangent::gradient),
            Reduction::CumulativeSum          => row("cumulative_sum", Exact(1), Method("cumulative_sum"), shape::vector, gradient::cumulative_sum, tangent::linear),
            Reduction::CumulativeSumReversed  => row("cumulative_sum_reversed", Exact(1), Internal, shape::vector, gradient::cumulative_sum_reversed, tangent::linear),
            Reduction::CrossEntropy           => row("cross_entropy", Exact(2), Function("cross_entropy"), shape::labelled, gradient::cross_entropy, tangent::gradient),
            Reduction::CrossEntropyGradient   => row("cross_entropy_gradient", Exact(3), Internal, shape::cross_entropy_gradient, gradient::cross_entropy_gradient, tangent::cross_entropy_gradient),
        }
    }
}

impl RowReduction {
    #[rustfmt::skip]
    fn row(&self) -> Row {
        match self {
            RowReduction::Sum        => row("row_sum", Exact(1), Method("row_sum"), shape::vector_of_rows, gradient::row_sums, tangent::linear),
            RowReduction::Max        => row("row_max", Exact(1), Method("row_max"), shape::vector_of_rows, gradient::row_max, tangent::row_gradient),
            RowReduction::MaxMask    => row("row_max_mask", Exact(1), Internal, shape::matrix, gradient::none, tangent::none),
            RowReduction::Softmax    => row("row_softmax", Exact(1), Method("row_softmax"), shape::matrix, gradient::row_softmax, tangent::symmetric),
            RowReduction::LogSoftmax => row("row_log_softmax", Exact(1), Method("row_log_softmax"), shape::matrix, gradient::row_log_softmax, tangent::row_log_softmax),
            RowReduction::LogSumExp  => row("row_log_sum_exp", Exact(1), Method("row_log_sum_exp"), shape::vector_of_rows, gradient::row_log_sum_exp, tangent::row_gradient),
            RowReduction::Norm       => row("row_norm", Exact(1), Method("row_norm"), shape::vector_of_rows, gradient::row_norm, tangent::row_gradient),
        }
    }
}

impl SemiringContraction {
    fn row(self) -> Row {
        match self {
            SemiringContraction::Product(semiring) => {
                let name = match semiring {
                    Semiring::Log => "log_dot",
                    Semiring::Max => "max_dot",
                };
                let (shape, gradient) = (shape::semiring_product, gradient::semiring_product);
                row(name, Exact(2), Internal, shape, gradient, tangent::semiring_product)
            }
            SemiringContraction::Weighted(semiring, role) => {
                let name = match (semiring, role) {
                    (Semiring::Log, Role::Left) => "log_dot_left",
                    (Semiring::Log, Role::Right) => "log_dot_right",
                    (Semiring::Log, Role::Result) => "log_dot_result",
                    (Semiring::Max, Role::Left) => "max_dot_left",
                    (Semiring::Max, Role::Right) => "max_dot_right",
                    (Semiring::Max, Role::Result) => "max_dot_result",
                };
                weighted(name, role)
            }
        }
    }
}

fn weighted(name: &'static str, role: Role) -> Row {
    let shape = match role {
        Role::Left => shape::weighted_left,
        Role::Right => shape::weighted_right,
        Role::Result => shape::weighted_result,
    };
    row(name, Exact(5), Internal, shape, gradient::weighted, tangent::weighted)
}

impl Indexing {
    #[rustfmt::skip]
    fn row(&self) -> Row {
        match self {
            Indexing::Argmax { .. }  => row("argmax", Exact(1), Method("argmax"), shape::choice, gradient::none, tangent::none),
            Indexing::Sample { .. }  => row("sample", Exact(1), Method("sample"), shape::choice, gradient::none, tangent::none),
            Indexing::Given(_)       => row("given", Exact(0), Internal, shape::given, gradient::none, tangent::none),
            Indexing::IfAbsent(_)    => row("if_absent", Exact(2), Internal, shape::one_index, gradient::none, tangent::none),
            Indexing::Copy(_)        => row("copy_index", Exact(1), Internal, shape::same, gradient::none, tangent::none),
            Indexing::Same           => row("same", Exact(2), Function("indicator"), shape::same_indices, gradient::none, tangent::none),
            Indexing::Next           => row("next", Exact(1), Internal, shape::same, gradient::none, tangent::none),
        }
    }
}

impl Transition {
    #[rustfmt::skip]
    fn row(&self) -> Row {
        match self {
            Transition::RowSum        => row("row_sum", Exact(2), Internal, shape::row_sum, gradient::row_sum, tangent::linear),
            Transition::BagRowSum(_)  => row("bag_row_sum", Exact(1), Internal, shape::given, gradient::bag_row_sum, tangent::linear),
            Transition::Reduce(_)     => row("reduce", Exact(1), Internal, shape::same, gradient::reduce, tangent::linear),
            Transition::ReduceMax     => row("reduce_max", Exact(1), Internal, shape::same, gradient::reduce_max, tangent::reduce_max),
            Transition::EdgeMaxMask   => row("edge_max_mask", Exact(1), Internal, shape::same, gradient::none, tangent::none),
            Transition::WeightedSum(semiring, role) => {
                let name = match (semiring, role) {
                    (Semiring::Log, Role::Left) => "log_dot_left_sum",
                    (Semiring::Log, Role::Right) => "log_dot_right_sum",
                    (Semiring::Log, Role::Result) => "log_dot_result_sum",
                    (Semiring::Max, Role::Left) => "max_dot_left_sum",
                    (Semiring::Max, Role::Right) => "max_dot_right_sum",
                    (Semiring::Max, Role::Result) => "max_dot_result_sum",
                };
                weighted(name, *role)
            }
            Transition::OuterSum      => row("outer_sum", Exact(2), Internal, shape::outer, gradient::outer, tangent::product),
        }
    }
}
