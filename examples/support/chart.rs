//! What a plot shows: lines or bars over two axes. Without the feature `plots` there is nobody to draw
//! it.

/// Charts under one title.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// What is above all.
    pub title: String,
    /// How many charts are side by side; at least one.
    pub columns: usize,
    pub charts: Vec<Chart>,
}

/// Lines or bars over two axes.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// What is above it.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn; a legend has the names.
    pub series: Vec<Series>,
    /// Whether the bars of a group stand on each other instead of side by side.
    pub stacked: bool,
}

/// An axis.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    /// What it measures.
    pub name: String,
    /// How its numbers are spread.
    pub scale: Scale,
    /// Whether all its numbers are whole.
    pub whole: bool,
    /// What stands at 0, 1, .. of a horizontal axis instead of numbers: what bars are of.
    pub groups: Vec<String>,
}

/// How numbers are spread over an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    #[default]
    Linear,
    /// Powers of two evenly.
    Doubling,
    /// Powers of ten evenly.
    Decades,
}

impl Scale {
    /// Where a number is on the axis; not finite if it is nowhere.
    pub fn place(self, number: f64) -> f64 {
        match self {
            Self::Linear => number,
            Self::Doubling => number.log2(),
            Self::Decades => number.log10(),
        }
    }

    /// The number at a place.
    pub fn number(self, place: f64) -> f64 {
        match self {
            Self::Linear => place,
            Self::Doubling => place.exp2(),
            Self::Decades => 10_f64.powf(place),
        }
    }
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    #[default]
    Line,
    /// A line with a mark at each point.
    Marked,
    /// A bar for each point, whose axis has groups.
    Bars,
}

/// Points that belong together.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// What it shows; without a name it is not in the legend.
    pub name: String,
    /// Its points, from left to right. Those that are nowhere on an axis are left out.
    pub points: Vec<(f64, f64)>,
    pub look: Look,
}

#[cfg(test)]
mod tests {
    use super::Scale;

    #[test]
    fn places_are_numbers() {
        for scale in [Scale::Linear, Scale::Doubling, Scale::Decades] {
            assert!((scale.number(scale.place(8.0)) - 8.0).abs() < 1e-12);
        }
        assert!(!Scale::Decades.place(0.0).is_finite() && Scale::Doubling.place(-1.0).is_nan());
    }
}
