//! A tree as a picture, with branches of given lengths from left to right.

use std::fmt::Write as _;

use readers::newick::Tree;

/// The picture as SVG.
pub(crate) fn svg(tree: &Tree, lengths: &[f64]) -> String {
    let mut x = vec![0.0; tree.0.len()];
    for node in 1..tree.0.len() {
        x[node] = x[tree.0[node].parent] + lengths[node - 1];
    }
    let mut y = vec![0.0; tree.0.len()];
    tree.leaves().enumerate().for_each(|(row, leaf)| y[leaf] = 20.0 + 14.0 * row as f64);
    for node in (0..tree.0.len()).rev() {
        if let [a, b] = tree.0[node].children[..] {
            y[node] = (y[a] + y[b]) / 2.0;
        }
    }
    let deepest = x.iter().copied().fold(1e-9, f64::max);
    let x: Vec<f64> = x.iter().map(|x| 10.0 + 640.0 * x / deepest).collect();
    let height = 40 + 14 * tree.leaves().count();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 860 {height}\" font-family=\"sans-serif\" \
         font-size=\"11\"><rect width=\"100%\" height=\"100%\" fill=\"white\"/><g stroke=\"black\" fill=\"none\">\n"
    );
    for (number, node) in tree.0.iter().enumerate().skip(1) {
        let [x0, y0] = [x[node.parent], y[node.parent]];
        let _ = writeln!(svg, "<path d=\"M{x0:.1} {y0:.1}V{:.1}H{:.1}\"/>", y[number], x[number]);
    }
    svg += "</g>\n";
    for leaf in tree.leaves() {
        let name = tree.0[leaf].name.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\">{name}</text>",
            x[leaf] + 4.0,
            y[leaf] + 4.0
        );
    }
    let [bar, end] = [height - 12, 10 + (64.0_f64 / deepest).min(640.0) as usize];
    let _ = writeln!(
        svg,
        "<path d=\"M10 {bar}H{end}\" stroke=\"black\"/><text x=\"{}\" y=\"{}\">0.1</text></svg>",
        end + 5,
        bar + 4
    );
    svg
}
