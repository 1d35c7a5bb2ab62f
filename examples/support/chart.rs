//! What a plot shows: lines over two axes. Without the feature `plots` there is nobody to draw it.

/// Lines over two axes.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// What is above it.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines; a legend names them if there are several.
    pub lines: Vec<Line>,
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

/// A line of a chart.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// What it shows.
    pub name: String,
    /// Its points, from left to right. Those that are nowhere on an axis are left out.
    pub points: Vec<(f64, f64)>,
    /// Whether its points are marked.
    pub marked: bool,
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
