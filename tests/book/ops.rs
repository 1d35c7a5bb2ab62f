//! The table of all ops, made from the macro's own list, the documentation of the eager functions
//! and the gradient rules. So nothing is missing, and nothing is documented twice.

use super::*;

/// The gradient of an op, from its row in the op table.
struct Rule {
    surface: String,
    name: String,
    gradient: String,
}

fn source(path: &str) -> Result<String, Box<dyn Error>> {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    Ok(fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?)
}

/// The first paragraph of the doc comment above a line.
fn documentation(lines: &[&str], number: usize) -> String {
    let above = lines[..number].iter().rev().map(|line| line.trim());
    let above = above.take_while(|line| line.starts_with("///") || line.starts_with("#["));
    let mut text: Vec<&str> = above.filter_map(|line| line.strip_prefix("///")).collect();
    text.reverse();
    let first: Vec<&str> =
        text.iter().map(|line| line.trim()).take_while(|l| !l.is_empty()).collect();
    first.join(" ")
}

/// The surface syntax of an op, if its row has one.
fn surface(row: &str) -> Option<String> {
    ["Method(\"", "Function(\"", "Operator(\""]
        .iter()
        .find_map(|kind| Some(row.split_once(kind)?.1.split('"').next()?.to_owned()))
}

/// The ops that users can write, from the rows of the op table:
/// `Variant = name, surface, gradient;` for pointwise ops, and
/// `.. => row("name", .., gradient::rule, tangent::rule),` for others.
fn rules(pointwise: &str, others: &str, gradients: &str) -> Vec<Rule> {
    let gradient_lines: Vec<&str> = gradients.lines().collect();
    let rule = |name: &str, row: &str, function: &str| {
        let head = format!("fn {function}(");
        let line = gradient_lines.iter().position(|line| line.contains(&head))?;
        let gradient = match function {
            "none" => "none".into(),
            _ => documentation(&gradient_lines, line),
        };
        Some(Rule { surface: surface(row).unwrap_or_default(), name: name.to_owned(), gradient })
    };
    let pointwise = pointwise.lines().filter_map(|line| {
        let (_, row) = line.strip_suffix(';')?.split_once(" = ")?;
        rule(row.split(',').next()?, row, row.rsplit(", ").next()?)
    });
    let others = others.lines().filter_map(|line| {
        let row = line.split_once("=> row(\"")?.1;
        let function = row.rsplit_once("gradient::")?.1.split(',').next()?;
        rule(row.split('"').next()?, row, function)
    });
    pointwise.chain(others).collect()
}

/// A call of an eager function as users write it, and its documentation.
fn call(sources: &[Vec<&str>], name: &str) -> Option<(String, String)> {
    let heads = [format!("pub fn {name}("), format!("pub fn {name}<")];
    for lines in sources {
        let found = lines.iter().position(|line| heads.iter().any(|head| line.contains(head)));
        let Some(number) = found else { continue };
        let inside = lines[number].split_once('(')?.1;
        let inside = inside.rsplit_once(") ->").map_or(inside, |(inside, _)| inside);
        // The docs show the first argument as `x`; in a method it is `self`.
        let mut arguments: Vec<&str> =
            inside.split(", ").map(|part| part.split(':').next().unwrap_or("").trim()).collect();
        let method = arguments.first() == Some(&"self");
        if method {
            arguments.remove(0);
        }
        let arguments = arguments.join(", ");
        let call =
            if method { format!("x.{name}({arguments})") } else { format!("{name}({arguments})") };
        return Some((call, documentation(lines, number)));
    }
    None
}

/// The names in a list in one of the macro's error messages, after `before`.
fn listed(text: &str, before: &str) -> Vec<String> {
    let line = text.lines().find_map(|line| Some(line.split_once(before)?.1)).unwrap_or_default();
    let names = line.split(", ").map(str::trim);
    names
        .filter(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_op_is_in_the_table() -> Outcome {
    let ir = |file: &str| source(&format!("crates/edb-ir/src/{file}.rs"));
    let pointwise = ir("rules/pointwise")?;
    let rules = rules(&pointwise, &ir("rules/table")?, &ir("rules/gradient")?);
    let eager =
        ["forms", "ops"].map(|file| source(&format!("crates/edb-vertex/src/eager/{file}.rs")));
    let [forms, functions] = eager;
    let (forms, functions) = (forms?, functions?);
    let sources = [forms.lines().collect(), functions.lines().collect()];

    let methods = source("testkit/mistakes/tests/compile_fail/names/methods.stderr")?;
    let calls = source("testkit/mistakes/tests/compile_fail/names/functions.stderr")?;
    let ports = ["gather", "gather_or", "gather_all", "scatter", "pull", "push", "loss"];
    let mut names = listed(&methods, "the ops are ");
    let methods = names.len();
    names.extend(listed(&calls, "its functions are "));
    names.retain(|name| !ports.contains(&&name[..]));
    assert!(methods > 40 && names.len() > methods + 10, "{names:?}");

    let cell = |text: &str| text.replace('|', "\\|");
    let mut table =
        String::from("| call | what it computes | its gradient |\n| --- | --- | --- |\n");
    let op_lines: Vec<&str> = pointwise.lines().collect();
    for (call, variant, name) in [
        ("-x", "Neg", "neg"),
        ("x + y", "Add", "add"),
        ("x - y", "Sub", "sub"),
        ("x * y", "Mul", "mul"),
        ("x / y", "Div", "div"),
    ] {
        let head = format!("{variant} = ");
        let number = op_lines.iter().position(|line| line.trim_start().starts_with(&head));
        let number = number.ok_or(variant)?;
        let what =
            documentation(&op_lines, number).replace(", scalars as in [`Pointwise::Add`]", "");
        let rule = rules.iter().find(|rule| rule.name == name).ok_or(name)?;
        table += &format!("| `{call}` | {} | {} |\n", cell(&what), cell(&rule.gradient));
    }
    for name in &names {
        let (call, what) = call(&sources, name).ok_or_else(|| format!("`{name}` is not eager"))?;
        assert!(!what.is_empty(), "`{name}` is not documented");
        let by_surface = rules.iter().find(|rule| rule.surface == *name);
        let rule = by_surface.or_else(|| rules.iter().find(|rule| rule.name == *name));
        let gradient = rule.map_or("that of its ops", |rule| &rule.gradient);
        let gradient = if gradient.is_empty() { "none" } else { gradient };
        let what = what.replace("[`gelu`](Self::gelu)", "`gelu`");
        table += &format!("| `{call}` | {} | {} |\n", cell(&what), cell(gradient));
    }
    figures::is_made("ops.md", &table)
}
