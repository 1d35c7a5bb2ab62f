//! The layout of a layered graph: vertices are placed near what they read and what reads them, and
//! edges are routed through the layers that they pass (Sugiyama et al., 1981, with means in place
//! of medians).

/// The width that an edge takes of a layer that it passes.
const PASSAGE: i32 = 10;

/// With more passages than this, edges are straight: so large a picture is not read edge by edge,
/// and there may be as many passages as vertices times layers.
const MOST: usize = 100_000;

/// The horizontal positions of vertices and edges.
pub(super) struct Positions {
    /// Of each vertex.
    pub(super) x: Vec<i32>,
    /// For each vertex and each of its reads, those of the edge between them in each layer that it
    /// passes, the lowest first.
    pub(super) passages: Vec<Vec<Vec<i32>>>,
}

/// A graph in layers. An edge that passes a layer has a dummy vertex in it.
struct Layered {
    level: Vec<usize>,
    below: Vec<Vec<usize>>,
    above: Vec<Vec<usize>>,
    width: Vec<i32>,
    gap: i32,
    /// The vertices of each layer, from left to right.
    layers: Vec<Vec<usize>>,
    x: Vec<i32>,
}

/// Places a graph: `levels` are the layers, and `below` are the vertices that each vertex reads,
/// all in lower layers. Neighbours in a layer are at least `gap` apart.
pub(super) fn place(levels: &[usize], below: &[Vec<usize>], widths: &[i32], gap: i32) -> Positions {
    let count = levels.len();
    let mut graph = Layered {
        level: levels.to_vec(),
        below: vec![Vec::new(); count],
        above: Vec::new(),
        width: widths.to_vec(),
        gap,
        layers: Vec::new(),
        x: Vec::new(),
    };
    // For each vertex, the dummy vertices of its edges upwards, one in each layer that they pass:
    // all readers above these layers share them.
    let mut lines: Vec<Vec<usize>> = vec![Vec::new(); count];
    let longest = below.iter().enumerate().flat_map(|(vertex, reads)| {
        reads.iter().map(move |&read| (levels[vertex] - levels[read]).saturating_sub(1))
    });
    let straight = longest.sum::<usize>() > MOST;
    let passed = |vertex: usize, read: usize| match straight {
        true => 0,
        false => (levels[vertex] - levels[read]).saturating_sub(1),
    };
    for (vertex, reads) in below.iter().enumerate() {
        for &read in reads {
            let passed = passed(vertex, read);
            while lines[read].len() < passed {
                let last = lines[read].last().copied().unwrap_or(read);
                lines[read].push(graph.level.len());
                graph.level.push(graph.level[last] + 1);
                graph.below.push(vec![last]);
                graph.width.push(PASSAGE);
            }
            let through = passed.checked_sub(1).map_or(read, |last| lines[read][last]);
            graph.below[vertex].push(through);
        }
    }
    graph.arrange();
    let passages = below.iter().enumerate().map(|(vertex, reads)| {
        let line =
            |read: &usize| lines[*read][..passed(vertex, *read)].iter().map(|bend| graph.x[*bend]);
        reads.iter().map(|read| line(read).collect()).collect()
    });
    Positions { passages: passages.collect(), x: graph.x[..count].to_vec() }
}

impl Layered {
    fn arrange(&mut self) {
        let count = self.level.len();
        self.above = vec![Vec::new(); count];
        for (vertex, reads) in self.below.iter().enumerate() {
            reads.iter().for_each(|&read| self.above[read].push(vertex));
        }
        let rank = self.ranks();
        let mut placed = PlacedReads::new(count);
        let layers = self.level.iter().max().map_or(0, |top| top + 1);
        self.layers = vec![Vec::new(); layers];
        self.x = vec![0; count];
        for vertex in 0..count {
            self.layers[self.level[vertex]].push(vertex);
        }
        for level in 0..layers {
            let mut layer = std::mem::take(&mut self.layers[level]);
            layer.sort_by_key(|&vertex| rank[vertex]);
            let (sources, readers): (Vec<usize>, Vec<usize>) =
                layer.iter().partition(|&&vertex| self.below[vertex].is_empty());
            for &vertex in &readers {
                self.x[vertex] = self.mean(&self.below[vertex]);
                placed.add(&self.above[vertex], self.x[vertex]);
            }
            for &vertex in &sources {
                // Beside the vertices that are read together with it, if these are placed.
                self.x[vertex] = placed.mean(&self.above[vertex]);
            }
            // They move apart now, and with them the sources are placed.
            readers.iter().for_each(|&vertex| placed.remove(&self.above[vertex], self.x[vertex]));
            layer.sort_by_key(|&vertex| (self.x[vertex], rank[vertex]));
            self.layers[level] = layer;
            self.spread(level);
            for &vertex in &self.layers[level] {
                placed.add(&self.above[vertex], self.x[vertex]);
            }
        }
        // Each vertex moves to the mean of its readers, then to the mean of what it reads, twice.
        for upward in [false, true, false, true] {
            for step in 0..layers {
                let level = if upward { step } else { layers - 1 - step };
                for place in 0..self.layers[level].len() {
                    let vertex = self.layers[level][place];
                    let near = if upward { &self.below[vertex] } else { &self.above[vertex] };
                    if !near.is_empty() {
                        self.x[vertex] = self.mean(near);
                    }
                }
                self.spread(level);
            }
        }
    }

    fn mean(&self, of: &[usize]) -> i32 {
        let sum: i64 = of.iter().map(|&vertex| i64::from(self.x[vertex])).sum();
        (sum / of.len() as i64) as i32
    }

    /// The rank of each vertex in a depth-first post-order from those that no vertex reads,
    /// children in order.
    fn ranks(&self) -> Vec<usize> {
        let mut rank = vec![usize::MAX; self.level.len()];
        let mut next = 0;
        for root in (0..rank.len()).filter(|&vertex| self.above[vertex].is_empty()) {
            let mut open = vec![(root, 0)];
            while let Some((vertex, child)) = open.last_mut() {
                match self.below[*vertex].get(*child) {
                    Some(&read) => {
                        *child += 1;
                        if rank[read] == usize::MAX {
                            open.push((read, 0));
                        }
                    }
                    None => {
                        if rank[*vertex] == usize::MAX {
                            rank[*vertex] = next;
                            next += 1;
                        }
                        open.pop();
                    }
                }
            }
        }
        rank
    }

    /// Moves the vertices of a layer apart, in their order and with the least sum of squared
    /// distances: an isotonic regression of their preferred positions, by pooling adjacent
    /// violators.
    fn spread(&mut self, level: usize) {
        let layer = &self.layers[level];
        let mut offset = 0;
        let mut offsets = Vec::with_capacity(layer.len());
        let mut pools: Vec<(i64, i64)> = Vec::new();
        for (place, &vertex) in layer.iter().enumerate() {
            if place > 0 {
                offset += (self.width[layer[place - 1]] + self.width[vertex] + 1) / 2 + self.gap;
            }
            offsets.push(offset);
            let mut pool = (i64::from(self.x[vertex] - offset), 1);
            while let Some(&(sum, count)) = pools.last()
                && i128::from(sum) * i128::from(pool.1) > i128::from(pool.0) * i128::from(count)
            {
                pool = (pool.0 + sum, pool.1 + count);
                pools.pop();
            }
            pools.push(pool);
        }
        let pooled = pools
            .iter()
            .flat_map(|&(sum, count)| std::iter::repeat_n(sum.div_euclid(count), count as usize));
        for ((&vertex, start), offset) in layer.iter().zip(pooled).zip(offsets) {
            self.x[vertex] = start as i32 + offset;
        }
    }
}

/// For each vertex, how many of those that it reads are placed, and the sum of their positions. These are kept
/// as vertices are placed: what is read together with a vertex may be all others.
struct PlacedReads(Vec<(i64, i64)>);

impl PlacedReads {
    fn new(count: usize) -> Self {
        Self(vec![(0, 0); count])
    }

    /// Says where a vertex is that these read.
    fn add(&mut self, readers: &[usize], x: i32) {
        for &reader in readers {
            let (sum, count) = &mut self.0[reader];
            (*sum, *count) = (*sum + i64::from(x), *count + 1);
        }
    }

    fn remove(&mut self, readers: &[usize], x: i32) {
        for &reader in readers {
            let (sum, count) = &mut self.0[reader];
            (*sum, *count) = (*sum - i64::from(x), *count - 1);
        }
    }

    /// The mean place of the vertices that `readers` read; 0 if none of these vertices has a place yet.
    fn mean(&self, readers: &[usize]) -> i32 {
        let reads = readers.iter().map(|&reader| self.0[reader]);
        let (sum, count) = reads.fold((0, 0), |all, reads| (all.0 + reads.0, all.1 + reads.1));
        if count == 0 { 0 } else { (sum / count) as i32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_keep_their_distance() {
        let level = vec![0; 4];
        let (below, above) = (vec![Vec::new(); 4], vec![Vec::new(); 4]);
        let (layers, x) = (vec![vec![0, 1, 2, 3]], vec![0, 0, 5, 100]);
        let mut graph = Layered { level, below, above, width: vec![8; 4], gap: 2, layers, x };
        graph.spread(0);
        assert_eq!(graph.x, [-9, 1, 11, 100]);
    }

    #[test]
    fn a_parent_stands_above_its_children_and_a_line_passes_between() {
        // A word that is read twice: by the phrase above it and by what is above that.
        let below = [vec![], vec![], vec![0, 1], vec![2, 1]];
        let places = place(&[0, 0, 1, 2], &below, &[8; 4], 2);
        assert_eq!(places.x[1] - places.x[0], 10);
        assert_eq!(places.passages[2], [vec![], vec![]] as [Vec<i32>; 2]);
        let passage = places.passages[3][1][0];
        assert!((passage - places.x[2]).abs() >= 4 + PASSAGE / 2 + 2);
    }
}
