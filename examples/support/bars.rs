//! A picture of words with a bar for each, as SVG.

use std::fmt::Write as _;

/// The width of a column, and the height of one unit of a bar.
const WIDTH: usize = 64;
const UNIT: usize = 14;

/// Words, each with a number: a bar of that height, the number above it and the word below.
pub fn bars(words: &[(&str, usize)]) -> String {
    let highest = words.iter().map(|(_, height)| *height).max().unwrap_or(0);
    let (width, base) = (WIDTH * words.len().max(1) + 16, 28 + UNIT * highest);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{}\" \
         font-family=\"sans-serif\" font-size=\"13\" text-anchor=\"middle\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        base + 30
    );
    for (place, (word, height)) in words.iter().enumerate() {
        let (left, middle, top) =
            (8 + WIDTH * place, 8 + WIDTH * place + WIDTH / 2, base - UNIT * height);
        // Writing into memory does not fail.
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{top}\" width=\"{}\" height=\"{}\" fill=\"#3b6ea5\"/>\n\
             <text x=\"{middle}\" y=\"{}\">{height}</text>\n\
             <text x=\"{middle}\" y=\"{}\">{}</text>",
            left + 8,
            WIDTH - 16,
            UNIT * height,
            top - 5,
            base + 18,
            escaped(word),
        );
    }
    svg + "</svg>\n"
}

/// Text as XML has it, cut to what fits into a column.
fn escaped(word: &str) -> String {
    let cut: String = word.chars().take(8).collect();
    let cut = if cut.len() < word.len() { cut + "…" } else { cut };
    cut.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::bars;

    #[test]
    fn every_word_has_a_bar() {
        let svg = bars(&[("Who", 3), ("<knows>&", 12), ("incomprehensibly", 7)]);
        assert_eq!(svg.matches("<rect").count(), 1 + 3);
        for text in [">3<", ">12<", "&lt;knows&gt;&amp;<", ">incompre…<"] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        assert!(bars(&[]).ends_with("</svg>\n"));
    }
}
