//! Suggestions for names from other libraries: ops that edb names differently, or does not have.

/// Tensor methods of other libraries, with what to write in edb.
const METHODS: [(&[&str], &str); 26] = [
    (&["argmin"], "write `(-x).argmax()`"),
    (&["topk", "sort", "argsort"], CHOICE),
    (&["log"], "write `x.ln()`"),
    (&["matmul", "mm", "mv", "bmm"], "products are `w.dot(x)`"),
    (&["t"], "write `x.transpose()`"),
    (&["cat", "hstack"], "write `concat([a, b])`"),
    (
        &["diag", "diag_embed"],
        "a vector becomes a diagonal by `x.as_diagonal()`, that of a matrix is `m.diagonal()`",
    ),
    (&["chunk"], "write `let [a, b] = x.split();`"),
    (&["narrow"], "write `x.slice(from..to)`"),
    (
        &["view", "reshape"],
        "a matrix becomes a vector by `x.flatten()`, a vector rows by `x.repeat_rows(m)`",
    ),
    (
        &["squeeze", "unsqueeze", "expand", "broadcast_to"],
        "a scalar fits every shape as it is, a vector becomes the rows of a matrix by `x.repeat_rows(m)`",
    ),
    (&["add", "sub", "mul", "div", "neg"], "write `x + y`, `x - y`, `x * y`, `x / y`, `-x`"),
    (
        &["index_select", "embedding", "lookup"],
        "the row of a table is `table.row(id)`, with a pulled `id: Index`",
    ),
    (&["sum_rows", "row_sums"], "the sums of the rows of a matrix are `m.row_sum()`"),
    (
        &["sum_columns", "column_sums", "column_sum"],
        "the sums of the columns of a matrix are `m.transpose().row_sum()`",
    ),
    (
        &["max_rows", "min_rows"],
        "the greatest of each row of a matrix is `m.row_max()`, that of many vectors, element by element, \
         `a.maximum(b)`, also over children in a loop",
    ),
    (
        &["logsumexp"],
        "write `x.log_sum_exp()`, of a vector; of each row of a matrix `m.row_log_sum_exp()`",
    ),
    (&["logaddexp"], "write `x.log_add(y)`"),
    (&["logsigmoid", "log_sigmoid"], "write `-(-x).softplus()`"),
    (&["cumsum"], "write `x.cumulative_sum()`"),
    (
        &["powi", "powf"],
        "write `x.pow(2.5)`, by a constant; to the power of a tensor `y` it is `(y * x.ln()).exp()`",
    ),
    (&["swish"], "write `x.silu()`"),
    (
        &["gt", "ge", "lt", "le", "eq"],
        "comparisons are `greater`, `greater_equal`, `less`, `less_equal` and `equal`, whose results are masks",
    ),
    (&["masked_fill", "where_cond"], "choose by a mask: `mask.select(a, b)`"),
    (&["var", "variance"], "write `(x - x.mean()).square().mean()`"),
    (&["len", "size", "shape", "dims", "numel"], "sizes come in as arguments, `#[dim(H)] h: Dim`"),
];

/// Functions likewise. Helpers cannot have these names, so the list has only unlikely helper names.
const FUNCTIONS: [(&[&str], &str); 9] = [
    (&["argmin"], "write `(-x).argmax()`"),
    (&["topk"], CHOICE),
    (&["log"], "write `x.ln()`"),
    (&["matmul"], "products are `w.dot(x)`"),
    (&["cat", "concatenate"], "write `concat([a, b])`"),
    (&["full"], "write `zeros(n) + 0.5`"),
    (
        &["zeros_like", "ones_like"],
        "a number alone fits every shape: `x + 1.0`; a vector is `zeros(n)`",
    ),
    (&["vstack"], "of vectors it is `stack([a, b])`, of matrices `concat_rows([a, b])`"),
    (&["logaddexp"], "write `x.log_add(y)`"),
];

const CHOICE: &str = "the greatest alone is `x.argmax()`; for more of them push the scores, and choose where the \
                      outputs of the run are read";

/// The suggestion for a tensor method of other libraries.
pub(crate) fn method(name: &str) -> Option<&'static str> {
    find(&METHODS, name)
}

/// The suggestion for a function of other libraries.
pub(crate) fn function(name: &str) -> Option<&'static str> {
    find(&FUNCTIONS, name)
}

fn find(table: &[(&[&str], &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(names, _)| names.contains(&name)).map(|&(_, instead)| instead)
}
