//! What a long vertex function costs whoever builds it: seconds of rustc with all that the macro does, and the
//! functions and lines that it hands to LLVM.
//!
//! `cargo bench --bench building [-- SIZE]`: functions of 300, 600 and 1,200 statements, pointwise ones and products
//! with matrices, and an LSTM of 60, 120 and 240 steps in a loop, which is unrolled; or of SIZE. Time has to grow as
//! functions do.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Instant;

use edb_test_rustc::{newest_edb, rustc_with};

/// Statements that compute each element by itself.
fn pointwise(count: usize) -> String {
    let mut body = "let Given { x } = pull();\nlet h0 = x + b;\nlet h1 = h0 * b;\n".to_owned();
    for at in 2..count {
        let (last, before) = (at - 1, at - 2);
        writeln!(body, "let h{at} = (h{last} + h{before}).tanh();").unwrap();
    }
    function("#[param(H)] b: Tensor", &body, count - 1)
}

/// Statements with a product each.
fn products(count: usize) -> String {
    let mut body = "let Given { x } = pull();\nlet h0 = x + b;\n".to_owned();
    for at in 1..count {
        writeln!(body, "let h{at} = (w.dot(h{}) + b).tanh();", at - 1).unwrap();
    }
    function("#[param(H, H)] w: Tensor, #[param(H)] b: Tensor", &body, count - 1)
}

fn function(params: &str, body: &str, last: usize) -> String {
    format!("#[vertex_function]\npub fn long({params}) {{\n{body}loss(h{last}.sum());\n}}\n")
}

/// An LSTM over so many steps, which read the same input.
fn lstm(steps: usize) -> String {
    format!(
        "#[vertex_function]
        pub fn long(#[param(4 * H, 2 * H)] w: Tensor, #[param(4 * H)] b: Tensor) {{
            let Given {{ x }} = pull();
            let mut h = x.tanh();
            let mut c = x;
            for _ in 0..{steps} {{
                let [i, f, o, g] = (w.dot(concat([x, h])) + b).split();
                c = f.sigmoid() * c + i.sigmoid() * g.tanh();
                h = o.sigmoid() * c.tanh();
            }}
            loss(h.sum());
        }}"
    )
}

/// Seconds that rustc takes for a source, without and with code for LLVM, and how many functions and lines of that
/// there are.
fn measure(edb: &Path, folder: &Path, source: &str) -> (f64, f64, usize, usize) {
    let (file, code) = (folder.join("long.rs"), folder.join("long.ll"));
    let head = "use edb::prelude::*;\n#[derive(Input)]\npub struct Given { pub x: Tensor }\n";
    fs::write(&file, format!("{head}{source}")).unwrap();
    let time = |emit: &[&str]| {
        let mut rustc = rustc_with(edb);
        rustc.args(["--edition=2024", "--crate-type=lib", "-Ccodegen-units=1"]).args(emit);
        let start = Instant::now();
        let status = rustc.arg("--out-dir").arg(folder).arg(&file).status().unwrap();
        assert!(status.success(), "rustc has failed");
        start.elapsed().as_secs_f64()
    };
    let front = time(&["--emit=metadata"]);
    let whole = time(&["--emit=llvm-ir", "-Cno-prepopulate-passes"]);
    let code = fs::read_to_string(code).unwrap();
    let functions = code.lines().filter(|line| line.starts_with("define ")).count();
    (front, whole, functions, code.lines().count())
}

fn main() {
    let wanted: Option<usize> = env::args().filter_map(|argument| argument.parse().ok()).next();
    let edb = newest_edb();
    let folder = tempfile::tempdir().unwrap();
    println!("| function | size | front end, s | with LLVM's input, s | functions | lines |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    type Write = fn(usize) -> String;
    let kinds: [(&str, Write, [usize; 3]); 3] = [
        ("pointwise statements", pointwise, [300, 600, 1200]),
        ("products", products, [300, 600, 1200]),
        ("steps of an LSTM", lstm, [60, 120, 240]),
    ];
    for (name, write, sizes) in kinds {
        for size in wanted.map_or(sizes.to_vec(), |size| vec![size]) {
            let (front, whole, functions, lines) = measure(&edb, folder.path(), &write(size));
            println!("| {name} | {size} | {front:.1} | {whole:.1} | {functions} | {lines} |");
        }
    }
}
