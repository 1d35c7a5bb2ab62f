//! Chooses among the ways to compute a product, by trying each way on the products that a program computes.
//!
//! Which way is fastest depends on the machine: on the size of its caches, and on how many
//! multiplications and loads it starts in a cycle. So the first products of each [class](Product::class) are
//! timed and use one way after the other; after that, all products of the class use the fastest way. Trying
//! costs almost nothing, since every try is a product that is needed anyway, and it runs with the caches as
//! they are in the middle of a step.
//!
//! All ways give the same bits.

use std::sync::OnceLock;

use crate::choice::Tries;
use crate::trace;

/// The environment variable that sets the [`Way`] of all products.
const WAY_VARIABLE: &str = "EDB_PRODUCTS";

/// The shape of the tiles of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TileShape {
    /// Few rows, in several panels if there are 32 registers. Each element of the left side is read less often.
    Wide,
    /// Twice as many rows, in one panel. Each line of a panel is read less often. With 16 registers there are
    /// no tall tiles, and wide tiles are used instead.
    Tall,
}

/// The order of the tiles of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// All tiles of some rows, then all tiles of the next rows. This is for panels that stay in the level-2
    /// cache, or that are read only once. Results are written from front to back.
    Rows,
    /// For a block of rows, all tiles of a panel, then all tiles of the next panel. A panel stays in the
    /// level-1 cache while its tiles are computed.
    Panels,
}

/// A way to compute a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) shape: TileShape,
    pub(crate) order: Order,
}

/// All ways, beginning with those that every machine has.
pub(crate) const WAYS: [Way; 4] = [
    Way { shape: TileShape::Wide, order: Order::Rows },
    Way { shape: TileShape::Wide, order: Order::Panels },
    Way { shape: TileShape::Tall, order: Order::Rows },
    Way { shape: TileShape::Tall, order: Order::Panels },
];

/// How many ways there are without tall tiles.
pub(crate) const ORDERS: usize = 2;

/// The names of the ways in the [environment variable](WAY_VARIABLE).
const WAY_NAMES: [&str; WAYS.len()] = ["wide-rows", "wide-panels", "tall-rows", "tall-panels"];

/// Products with fewer multiplications than this are not timed.
const MIN_TIMED_MULTIPLICATIONS: usize = 1 << 18;

/// The rows of a [wide](TileShape::Wide) tile. For products with at most this many rows, there is nothing to
/// choose.
pub(crate) const WIDE_ROWS: usize = 6;

/// The properties of a product on which the choice depends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Product {
    /// The number of rows of the result; below, of terms of each sum, and of columns.
    pub(crate) rows: usize,
    pub(crate) inner: usize,
    pub(crate) columns: usize,
    /// The size of an element of the panels in bytes.
    pub(crate) element: usize,
    /// Whether the left side consists of [columns](crate::tile::Left::Columns) of a matrix.
    pub(crate) strided: bool,
}

const ROW_CLASSES: usize = 6;
const INNER_CLASSES: usize = 8;
const COLUMN_CLASSES: usize = 8;

impl Product {
    /// The number of its class. Products of one class differ by at most a factor of two in each dimension,
    /// except at the ends of the scale.
    fn class(&self) -> usize {
        let doublings = |size: usize, least: usize, classes: usize| {
            (size.div_ceil(least).next_power_of_two().ilog2() as usize).min(classes - 1)
        };
        let rows = doublings(self.rows, WIDE_ROWS, ROW_CLASSES);
        let inner = doublings(self.inner, 32, INNER_CLASSES);
        let columns = doublings(self.columns, 32, COLUMN_CLASSES);
        let kind = doublings(self.element, 2, 3) * 2 + usize::from(self.strided);
        ((kind * ROW_CLASSES + rows) * INNER_CLASSES + inner) * COLUMN_CLASSES + columns
    }

    fn work(&self) -> usize {
        self.rows.saturating_mul(self.inner).saturating_mul(self.columns)
    }
}

const CLASSES: usize = 3 * 2 * ROW_CLASSES * INNER_CLASSES * COLUMN_CLASSES;

/// The tries of each class of products.
static TRIES: [Tries<{ WAYS.len() }>; CLASSES] = [const { Tries::new() }; CLASSES];

/// Computes a product: calls `multiply` with one of the first `ways` ways.
pub(crate) fn run(ways: usize, product: Product, multiply: impl FnOnce(Way)) {
    if let Some(way) = *forced() {
        return multiply(way);
    }
    if product.rows <= WIDE_ROWS || product.work() < MIN_TIMED_MULTIPLICATIONS {
        return multiply(WAYS[0]);
    }
    TRIES[product.class()].run(ways, product.work(), |way| multiply(WAYS[way]));
}

/// The way that the environment variable sets.
fn forced() -> &'static Option<Way> {
    static FORCED: OnceLock<Option<Way>> = OnceLock::new();
    FORCED.get_or_init(|| {
        let name = std::env::var(WAY_VARIABLE).ok()?;
        let way = way_of(&name);
        if way.is_none() {
            tracing::warn!(
                target: trace::TARGET,
                "{WAY_VARIABLE} is `{name}`, which is none of {}: the fastest is found by trying",
                WAY_NAMES.join(", ")
            );
        }
        way
    })
}

fn way_of(name: &str) -> Option<Way> {
    WAY_NAMES.iter().position(|known| *known == name).map(|number| WAYS[number])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(rows: usize, inner: usize, columns: usize) -> Product {
        Product { rows, inner, columns, element: 4, strided: false }
    }

    #[test]
    fn a_way_is_asked_for_by_name() {
        assert_eq!(way_of("wide-rows"), Some(WAYS[0]));
        assert_eq!(way_of("tall-panels"), Some(WAYS[3]));
        assert_eq!(way_of("wide"), None);
    }

    #[test]
    fn every_product_has_a_class() {
        let sizes = [0, 1, 7, 32, 33, 512, 4096, usize::MAX >> 1];
        let mut classes = std::collections::HashSet::new();
        for rows in sizes {
            for inner in sizes {
                for columns in sizes {
                    for element in [2, 4, 8] {
                        for strided in [false, true] {
                            let product = Product { rows, inner, columns, element, strided };
                            assert!(product.class() < CLASSES, "{product:?}");
                            classes.insert(product.class());
                        }
                    }
                }
            }
        }
        assert_eq!(classes.len(), 6 * 4 * 4 * 4);
        assert_eq!(product(12, 512, 1280).class(), product(7, 300, 1030).class());
        assert_ne!(product(12, 512, 1280).class(), product(13, 512, 1280).class());
    }
}
