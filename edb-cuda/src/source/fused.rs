//! The text of fused kernels.

use std::fmt::Write as _;

use edb_gpu::kernels::Mode;
use edb_gpu::kernels::fused::{FusedKernel, Operand};
use edb_gpu::kernels::library::Reducer;
use edb_ir::Domain;

use super::expression::expression;
use super::prototype::{element, parameter};

/// The placeholder for a kernel's name until it is known.
pub(super) const NAME: &str = "EDB_NAME";

/// The source text of a kernel, with [`NAME`] in place of its name.
pub(super) fn text(fused: &FusedKernel<'_>) -> String {
    let parameters = fused.parameters().into_iter().map(|declared| {
        let (name, kind) = fused.declared(declared);
        parameter(&name, kind)
    });
    let parameters = parameters.collect::<Vec<_>>().join(",\n    ");
    let threads = fused.blocks.threads.iter().product::<u32>();
    let mut text = format!("DEFINE({threads}, {NAME})(\n    {parameters}) {{\n");
    if fused.is_scaled {
        text.push_str("  const real scale = loss_scale[0];\n");
    }
    let rows = if fused.team.is_some() { "EACH_TEAM_ROW" } else { "EACH_ROW" };
    let _ = writeln!(text, "  {rows}(rows) {{");
    for input in 0..fused.inputs.len() {
        let _ = writeln!(text, "    {}", row_of_input(fused, input));
    }
    for (output, operand) in fused.outputs.iter().enumerate() {
        let (name, stride) = (element(operand.element_type), operand.stride);
        let _ = writeln!(text, "    OUT({name}) out{output} = o{output} + row * {stride};");
    }
    let _ = writeln!(text, "    EACH_ACCESS({}) {{", fused.width / fused.lanes);
    columns(fused, &mut text);
    text.push_str("    }\n");
    ends(fused, &mut text);
    let _ = write!(text, "  }}\n}}\nENTRY({threads}, {NAME})\n");
    text
}

fn row_of_input(fused: &FusedKernel<'_>, input: usize) -> String {
    let operand = &fused.inputs[input];
    let (stride, name) = (operand.stride, element(operand.element_type));
    let row = match (fused.kernel.in_place(input), fused.modes[input]) {
        (Some(output), _) => format!("o{output} + row * {stride}"),
        (None, Mode::SameRow) => format!("i{input} + row * {stride}"),
        (None, Mode::One) => format!("i{input}"),
        (None, Mode::Owner) => format!("i{input} + (u64)(owners[row] - first) * {stride}"),
        (None, Mode::Gather) => {
            let child = format!("const u32 child{input} = children{input}[row];\n    ");
            let from = format!("i{input} + (u64)child{input} * {stride}");
            return format!(
                "{child}AT({name}) in{input} = child{input} == ABSENT ? zeros : {from};"
            );
        }
    };
    format!("AT({name}) in{input} = {row};")
}

/// The code of a thread's columns.
fn columns(fused: &FusedKernel<'_>, text: &mut String) {
    let is_row = |input: usize| fused.inputs[input].width == fused.width;
    let (lanes, packed) = (fused.lanes, fused.lanes > 1);
    let pack = |operand: &Operand| format!("Pack<{}, {lanes}>", element(operand.element_type));
    for input in 0..fused.inputs.len() {
        let _ = match (is_row(input), packed) {
            (true, true) => {
                let (pack, from) =
                    (pack(&fused.inputs[input]), format!("in{input} + column * {lanes}"));
                writeln!(text, "      const {pack} x{input} = load<{lanes}>({from});")
            }
            (true, false) => writeln!(text, "      const real v{input} = in{input}[column];"),
            // A scalar, broadcast.
            (false, _) => writeln!(text, "      const real v{input} = in{input}[0];"),
        };
    }
    let indent = if packed {
        for (output, operand) in fused.outputs.iter().enumerate() {
            let _ = writeln!(text, "      {} y{output};", pack(operand));
        }
        text.push_str("#pragma unroll\n");
        let _ = writeln!(text, "      for (u32 lane = 0; lane < {lanes}; ++lane) {{");
        for input in (0..fused.inputs.len()).filter(|input| is_row(*input)) {
            let _ = writeln!(text, "        const real v{input} = x{input}.x[lane];");
        }
        "        "
    } else {
        "      "
    };
    let inputs = fused.inputs.len();
    let name = |arg: u16| match usize::from(arg) {
        input if input < inputs => format!("v{input}"),
        expr => format!("t{}", expr - inputs),
    };
    for (number, expr) in fused.kernel.body.iter().enumerate() {
        let args: Vec<String> = expr.args.iter().map(|arg| name(*arg)).collect();
        let value = expression(expr.op, &args, fused.is_scaled);
        let _ = writeln!(text, "{indent}const real t{number} = {value};");
    }
    for (output, (_, expr)) in fused.kernel.outputs.iter().enumerate() {
        if packed {
            let _ = writeln!(text, "        y{output}.x[lane] = t{expr};");
        } else {
            let guard = store_guard(fused, output);
            let _ = writeln!(text, "      {guard}out{output}[column] = t{expr};");
        }
    }
    if packed {
        text.push_str("      }\n");
        for output in 0..fused.outputs.len() {
            let guard = store_guard(fused, output);
            let _ =
                writeln!(text, "      {guard}store(out{output} + column * {lanes}, y{output});");
        }
    }
}

/// What precedes the store of an output: a condition, if it may have no memory.
fn store_guard(fused: &FusedKernel<'_>, output: usize) -> String {
    if fused.is_optional(output) { format!("if (kept{output}) ") } else { String::new() }
}

/// The reductions at the end of a row.
fn ends(fused: &FusedKernel<'_>, text: &mut String) {
    let Some(team) = fused.team else { return };
    text.push_str("    __syncthreads();\n");
    for (number, end) in fused.kernel.ends.iter().enumerate() {
        let stride = fused.ends[number].stride;
        let place = match end.index.map(|index| fused.domain_of(index)) {
            None => None,
            Some(Domain::Edge) => Some("row"),
            Some(_) if fused.kernel.domain == Domain::Edge => Some("owners[row]"),
            Some(_) => Some("first + row"),
        };
        let index = match place {
            None => "0".into(),
            Some(place) if fused.reads_index_of_child(number) => {
                format!("index_of_child(index{number}, indexed{number}, {place})")
            }
            Some(place) => format!("index{number}[{place}]"),
        };
        let (name, read) = (Reducer::of(end.op).name(), end.output);
        let arguments = format!("e{number} + row * {stride}, out{read}, {}, {index}", fused.width);
        let call = format!("reduce_{name}<{team}>({arguments})");
        let _ = writeln!(text, "    if (end_kept{number}) {call};");
    }
    text.push_str("    __syncthreads();\n");
}
