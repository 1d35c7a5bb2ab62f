//! The sum of gradients over all ranks: each rank sums some rows of every parameter, in the order of the
//! [tree](Tree), and then sends the sums to the other ranks.
//!
//! This is a reduce-scatter followed by an all-gather. Whatever the number of ranks, each rank sends and
//! receives about twice the bytes of all gradients, and no rank sums more than its part. Rows of tables stay
//! rows, and [factors](Gradient::Factors) stay factors if the sum has factors.

use std::borrow::Cow;
use std::ops::Range;

use super::wire::{Reader, write};
use super::{Collective, CollectiveError, Span, Tree, part};
use crate::error::LearnError;
use crate::gradients::{self, Factors, Gradient, GradientKind, Gradients};
use crate::parameters::ParameterId;
use edb_kernels::element::Element;

/// What all ranks know about the sums of a step before these are sent. For each rank, it has the spans that the
/// rank has summed, in order, each with the kind of the gradient of each parameter.
pub type GradientKinds = Vec<Vec<(Span, Vec<GradientKind>)>>;

/// A sum over ranks.
#[derive(Clone, Copy, Debug)]
pub struct Exchange<'a> {
    /// Carries the messages between ranks.
    pub world: &'a dyn Collective,
    /// The order in which the gradients of shares are added up.
    pub tree: Tree,
}

/// The dense gradients of spans that other ranks have sent early, by rank and span.
pub struct Early(Vec<Vec<Vec<u8>>>);

/// How the gradients of one parameter are summed.
struct Plan {
    /// The form of the sum.
    sum: GradientKind,
    /// For each span of each rank, whether the rank multiplies its factors out and sends dense rows: the
    /// factors would be more bytes, and no rank needs them.
    multiplied: Vec<Vec<bool>>,
}

impl Exchange<'_> {
    /// The spans that a rank sums.
    pub fn spans(self, rank: usize) -> Vec<Span> {
        self.tree.greatest(&self.tree.of_rank(rank, self.world.ranks()))
    }

    /// Which of its spans a rank sums last. Rank 0 runs the first share last.
    pub fn last(rank: usize, spans: usize) -> usize {
        if rank == 0 { 0 } else { spans.saturating_sub(1) }
    }

    /// Begins to send the dense gradients of a span, while this rank sums other spans. Called for all spans but
    /// the [last](Self::last), in order.
    pub fn send_early<T: Element>(self, gradients: &Gradients<T>) -> Result<(), CollectiveError> {
        for to in self.others() {
            let mut message = Vec::new();
            for ((number, kind), shape) in
                (0..).zip(gradients::kinds(gradients)).zip(gradients.shapes())
            {
                if kind == GradientKind::Dense {
                    let gradient = gradients.get(ParameterId::new(number));
                    self.write_dense(&mut message, gradient, shape, to);
                }
            }
            self.world.send(to, message)?;
        }
        Ok(())
    }

    /// Sends empty messages in place of this many spans, because an error has ended the step on this rank.
    pub fn send_nothing(self, spans: usize) -> Result<(), CollectiveError> {
        for to in self.others() {
            (0..spans).try_for_each(|_| self.world.send(to, Vec::new()))?;
        }
        Ok(())
    }

    /// Receives what the other ranks have [sent early](Self::send_early).
    pub fn receive_early(self) -> Result<Early, CollectiveError> {
        let receive = |from: usize| -> Result<Vec<Vec<u8>>, CollectiveError> {
            let spans = if from == self.world.rank() { 0 } else { self.spans(from).len() };
            (1..spans).map(|_| self.world.receive(from)).collect()
        };
        (0..self.world.ranks()).map(receive).collect::<Result<_, _>>().map(Early)
    }

    /// Computes the sum of the gradients of all ranks in `sum`, which must be zero. `mine` are the gradients of
    /// this rank's [spans](Self::spans); all but the last have been [sent early](Self::send_early). `early` has
    /// what the other ranks have sent early.
    pub fn sum<T: Element>(
        self,
        mine: &[Gradients<T>],
        early: Early,
        gradient_kinds: &GradientKinds,
        sum: &mut Gradients<T>,
    ) -> Result<(), CollectiveError> {
        let shapes: Vec<Vec<usize>> = sum.shapes().map(<[usize]>::to_vec).collect();
        let plan =
            |(number, shape): (usize, &Vec<usize>)| self.plan::<T>(number, shape, gradient_kinds);
        let plans: Vec<Plan> = shapes.iter().enumerate().map(plan).collect();
        let (rank, ranks) = (self.world.rank(), self.world.ranks());
        for to in self.others() {
            self.world.send(to, self.message(mine, &shapes, &plans, to))?;
        }
        let mut messages: Vec<Vec<u8>> = vec![Vec::new(); ranks];
        for from in self.others_before() {
            messages[from] = self.world.receive(from)?;
        }
        let mut pieces: Vec<Vec<Vec<GradientOfRows<'_, T>>>> = Vec::new();
        for from in 0..ranks {
            pieces.push(match from == rank {
                true => self.own_pieces(mine, &shapes, &plans),
                false => {
                    let sent = (&early.0[from][..], &messages[from][..]);
                    self.read(&shapes, &plans, (from, &gradient_kinds[from]), sent)?
                }
            });
        }

        let mut summed = Vec::new();
        for (number, (shape, plan)) in shapes.iter().zip(&plans).enumerate() {
            let mut leaves = pieces.iter_mut().flatten();
            let mut spans = gradient_kinds.iter().flatten();
            let of = rows_of(shape, rank, ranks);
            let mut next = spans.next().zip(leaves.next());
            let mut leaf = |span: &Span| {
                let (_, pieces) = next.take_if(|((at, _), _)| at == span)?;
                next = spans.next().zip(leaves.next());
                Some(std::mem::take(&mut pieces[number]))
            };
            let piece = self
                .tree
                .sum(&mut leaf, &mut |left: GradientOfRows<'_, T>, right| left.plus(right, &of));
            let (id, width) = (ParameterId::new(number), width_of(shape));
            match (plan.sum, piece) {
                (GradientKind::Dense, piece) => {
                    let values = piece.dense();
                    if values.len() != of.len() * width {
                        let what = "gradients of other kinds than it said".to_owned();
                        return Err(CollectiveError::Message { rank, what });
                    }
                    gradients::sums(sum, &[id])[0].1[of.start * width..of.end * width]
                        .copy_from_slice(&values);
                    write(&mut summed, &values);
                }
                (
                    GradientKind::Rows,
                    GradientOfRows::Other(Gradient::Rows { rows, values, .. }),
                ) => {
                    write_rows(&mut summed, &rows, &values);
                    set(sum, id, Gradient::Rows { width, rows, values }, rank)?;
                }
                // Every rank has all factors.
                (
                    GradientKind::Factors { .. },
                    GradientOfRows::Other(factors @ Gradient::Factors(_)),
                ) => {
                    set(sum, id, factors, rank)?;
                }
                _ => {}
            }
        }
        drop(pieces);
        self.send_to_all(summed)?;
        for from in self.others_before() {
            messages[from] = self.world.receive(from)?;
        }
        self.assemble(&shapes, &plans, &messages, sum)
    }

    /// Sends a message to all other ranks.
    fn send_to_all(self, message: Vec<u8>) -> Result<(), CollectiveError> {
        let last = self.others().last();
        for to in self.others().filter(|to| Some(*to) != last) {
            self.world.send(to, message.clone())?;
        }
        last.map_or(Ok(()), |to| self.world.send(to, message))
    }

    /// All other ranks, beginning with the rank before this one, since it sends to this rank first.
    fn others_before(self) -> impl Iterator<Item = usize> {
        let (rank, ranks) = (self.world.rank(), self.world.ranks());
        (1..ranks).map(move |step| (rank + ranks - step) % ranks)
    }

    /// All other ranks, beginning with the next one.
    fn others(self) -> impl Iterator<Item = usize> {
        let (rank, ranks) = (self.world.rank(), self.world.ranks());
        (1..ranks).map(move |step| (rank + step) % ranks)
    }

    fn plan<T: Element>(
        self,
        number: usize,
        shape: &[usize],
        gradient_kinds: &GradientKinds,
    ) -> Plan {
        let mut multiplied: Vec<Vec<bool>> =
            gradient_kinds.iter().map(|spans| vec![false; spans.len()]).collect();
        let ranks = self.world.ranks();
        let mut leaves = gradient_kinds.iter().enumerate().flat_map(|(rank, spans)| {
            spans
                .iter()
                .enumerate()
                .map(move |(place, (span, gradient_kinds))| ((rank, place), span, gradient_kinds))
        });
        let mut next = leaves.next();
        let mut leaf = |span: &Span| {
            let (from, _, gradient_kinds) = next.take_if(|(_, at, _)| *at == span)?;
            next = leaves.next();
            Some((gradient_kinds[number], Some(from)))
        };
        // For each partial sum, its kind and, if it is the sum of a single span, that span. Only the factors of
        // a single span can be multiplied out by the rank that has them.
        let (sum, _) = self.tree.sum(&mut leaf, &mut |left: (GradientKind, Option<_>), right| {
            let sum = left.0.plus::<T>(right.0, shape);
            for (kind, from) in [left, right] {
                if let (
                    GradientKind::Factors { terms, .. },
                    Some((rank, place)),
                    GradientKind::Dense,
                ) = (kind, from, sum)
                {
                    let elements: usize = shape.iter().product();
                    let factors = terms.saturating_mul(shape[0] + shape[1]).saturating_mul(ranks);
                    multiplied[rank][place] = factors > elements;
                }
            }
            let from = match (left.0, right.0) {
                (_, GradientKind::Zero) => left.1,
                (GradientKind::Zero, _) => right.1,
                _ => None,
            };
            (sum, from)
        });
        Plan { sum, multiplied }
    }

    /// The message that this rank sends to rank `to` at the end, for the rows that rank `to` sums.
    fn message<T: Element>(
        self,
        mine: &[Gradients<T>],
        shapes: &[Vec<usize>],
        plans: &[Plan],
        to: usize,
    ) -> Vec<u8> {
        let mut message = Vec::new();
        let (rank, ranks) = (self.world.rank(), self.world.ranks());
        let last = Self::last(rank, mine.len());
        for (place, gradients) in mine.iter().enumerate() {
            for (number, (shape, plan)) in shapes.iter().zip(plans).enumerate() {
                let gradient = gradients.get(ParameterId::new(number));
                match gradient {
                    Gradient::Zero => {}
                    Gradient::Dense(_) if place != last => {}
                    Gradient::Dense(_) => self.write_dense(&mut message, gradient, shape, to),
                    Gradient::Rows { width, rows, values } => {
                        let (rows, values) =
                            chosen((rows, values, *width), plan, shape, (to, ranks));
                        write_rows(&mut message, &rows, &values);
                    }
                    Gradient::Factors(factors) if plan.multiplied[rank][place] => {
                        write(&mut message, &factors.rows(rows_of(shape, to, ranks)));
                    }
                    Gradient::Factors(factors) => {
                        factors.parts().0.iter().for_each(|factor| write(&mut message, factor));
                    }
                }
            }
        }
        message
    }

    fn write_dense<T: Element>(
        self,
        message: &mut Vec<u8>,
        gradient: &Gradient<T>,
        shape: &[usize],
        to: usize,
    ) {
        if let Gradient::Dense(values) = gradient {
            let (rows, width) = (rows_of(shape, to, self.world.ranks()), width_of(shape));
            write(message, &values[rows.start * width..rows.end * width]);
        }
    }

    /// The gradients of the spans of this rank, by span and parameter, for the rows that it sums.
    fn own_pieces<'m, T: Element>(
        self,
        mine: &'m [Gradients<T>],
        shapes: &[Vec<usize>],
        plans: &[Plan],
    ) -> Vec<Vec<GradientOfRows<'m, T>>> {
        let (rank, ranks) = (self.world.rank(), self.world.ranks());
        let piece = |place: usize, gradients: &'m Gradients<T>, number: usize| {
            let (shape, plan) = (&shapes[number], &plans[number]);
            let (of, width) = (rows_of(shape, rank, ranks), width_of(shape));
            match gradients.get(ParameterId::new(number)) {
                Gradient::Zero => GradientOfRows::default(),
                Gradient::Dense(values) => {
                    GradientOfRows::Dense(Cow::Borrowed(&values[of.start * width..of.end * width]))
                }
                Gradient::Rows { rows, values, .. } => {
                    let (mut rows, values) =
                        chosen((rows, values, width), plan, shape, (rank, ranks));
                    if plan.sum != GradientKind::Rows {
                        rows.iter_mut().for_each(|row| *row -= of.start as u32);
                    }
                    GradientOfRows::Other(Gradient::Rows { width, rows, values })
                }
                Gradient::Factors(factors) if plan.multiplied[rank][place] => {
                    GradientOfRows::Dense(Cow::Owned(factors.rows(of)))
                }
                Gradient::Factors(factors) => {
                    GradientOfRows::Other(Gradient::Factors(factors.clone()))
                }
            }
        };
        let of_span = |(place, gradients): (usize, &'m Gradients<T>)| {
            (0..shapes.len()).map(|number| piece(place, gradients, number)).collect()
        };
        mine.iter().enumerate().map(of_span).collect()
    }

    /// Reads the gradients of the spans of another rank, for the rows that this rank sums, from the messages
    /// that the other rank has sent early and at the end.
    fn read<'m, T: Element>(
        self,
        shapes: &[Vec<usize>],
        plans: &[Plan],
        (from, spans): (usize, &[(Span, Vec<GradientKind>)]),
        (early, message): (&'m [Vec<u8>], &'m [u8]),
    ) -> Result<Vec<Vec<GradientOfRows<'m, T>>>, CollectiveError> {
        let (rank, ranks) = (self.world.rank(), self.world.ranks());
        let last = Self::last(from, spans.len());
        let mut reader = Reader::new(from, message);
        let mut early = early.iter();
        let mut of_spans = Vec::new();
        for (place, (_, gradient_kinds)) in spans.iter().enumerate() {
            let sent = if place == last { None } else { early.next() };
            let mut sent = sent.map(|message| Reader::new(from, message));
            let mut pieces = Vec::new();
            for (number, (kind, shape)) in gradient_kinds.iter().zip(shapes).enumerate() {
                let (plan, of) = (&plans[number], rows_of(shape, rank, ranks));
                let width = width_of(shape);
                let elements: usize = shape.iter().product();
                pieces.push(match *kind {
                    GradientKind::Zero => GradientOfRows::default(),
                    GradientKind::Dense => {
                        let reader = sent.as_mut().unwrap_or(&mut reader);
                        GradientOfRows::Dense(reader.numbers(of.len() * width)?)
                    }
                    // If the sum is one of rows, rows keep their numbers.
                    GradientKind::Rows if plan.sum == GradientKind::Rows => GradientOfRows::Other(
                        read_rows(&mut reader, &(0..elements / width), width)?,
                    ),
                    GradientKind::Rows => {
                        GradientOfRows::Other(read_rows(&mut reader, &of, width)?)
                    }
                    GradientKind::Factors { .. } if plan.multiplied[from][place] => {
                        GradientOfRows::Dense(reader.numbers(of.len() * width)?)
                    }
                    GradientKind::Factors { terms, paired } => {
                        let &[rows, columns] = &shape[..] else {
                            return Err(reader.wrong("factors of what is no matrix"));
                        };
                        let y = reader.numbers(terms.saturating_mul(rows))?.into_owned();
                        let x = reader.numbers(terms.saturating_mul(columns))?.into_owned();
                        let factors = Factors::of(terms, [rows, columns], [y, x], paired);
                        GradientOfRows::Other(Gradient::Factors(factors))
                    }
                });
            }
            sent.map_or(Ok(()), Reader::finish)?;
            of_spans.push(pieces);
        }
        reader.finish()?;
        Ok(of_spans)
    }

    /// Adds the rows that each other rank has summed to those that this rank has summed.
    fn assemble<T: Element>(
        self,
        shapes: &[Vec<usize>],
        plans: &[Plan],
        summed: &[Vec<u8>],
        sum: &mut Gradients<T>,
    ) -> Result<(), CollectiveError> {
        let (rank, ranks) = (self.world.rank(), self.world.ranks());
        let mut readers: Vec<Reader<'_>> =
            (0..).zip(summed).map(|(from, message)| Reader::new(from, message)).collect();
        for (number, (shape, plan)) in shapes.iter().zip(plans).enumerate() {
            let (id, width) = (ParameterId::new(number), width_of(shape));
            match plan.sum {
                GradientKind::Zero | GradientKind::Factors { .. } => {}
                GradientKind::Dense => {
                    let mut dense = gradients::sums(sum, &[id]);
                    let values = &mut dense[0].1;
                    for (from, reader) in readers.iter_mut().enumerate().filter(|of| of.0 != rank) {
                        let rows = rows_of(shape, from, ranks);
                        reader.read_to(&mut values[rows.start * width..rows.end * width])?;
                    }
                }
                GradientKind::Rows => {
                    let mut all: Vec<(u32, Vec<T>)> = Vec::new();
                    let mut own = Some(sum.take(id));
                    for (from, reader) in readers.iter_mut().enumerate() {
                        let read = match from == rank {
                            true => own.take().unwrap_or_default(),
                            false => read_rows(reader, &(0..shape[0]), width)?,
                        };
                        if let Gradient::Rows { rows, values, .. } = read {
                            all.extend(
                                rows.into_iter().zip(values.chunks(width).map(<[T]>::to_vec)),
                            );
                        }
                    }
                    all.sort_by_key(|(row, _)| *row);
                    let rows = all.iter().map(|(row, _)| *row).collect();
                    let values = all.iter().flat_map(|(_, values)| values).copied().collect();
                    set(sum, id, Gradient::Rows { width, rows, values }, rank)?;
                }
            }
        }
        readers.into_iter().try_for_each(Reader::finish)
    }
}

/// A gradient of some rows of a parameter; dense ones may be part of a message.
enum GradientOfRows<'m, T: Element> {
    Dense(Cow<'m, [T]>),
    /// Rows, factors of the whole matrix, or zero.
    Other(Gradient<T>),
}

impl<T: Element> Default for GradientOfRows<'_, T> {
    fn default() -> Self {
        Self::Other(Gradient::Zero)
    }
}

impl<T: Element> GradientOfRows<'_, T> {
    /// The sum of two gradients, as in [`Gradient::plus_in`].
    fn plus(self, other: Self, of: &Range<usize>) -> Self {
        match (self, other) {
            (Self::Dense(sum), Self::Dense(values)) => {
                let mut sum = sum.into_owned();
                sum.iter_mut().zip(&*values).for_each(|(sum, value)| *sum += *value);
                Self::Dense(Cow::Owned(sum))
            }
            (piece, Self::Other(Gradient::Zero)) | (Self::Other(Gradient::Zero), piece) => piece,
            (left, right) => {
                match left.into_gradient().plus_in(right.into_gradient(), of.clone()) {
                    Gradient::Dense(sum) => Self::Dense(Cow::Owned(sum)),
                    sum => Self::Other(sum),
                }
            }
        }
    }

    fn into_gradient(self) -> Gradient<T> {
        match self {
            Self::Dense(values) => Gradient::Dense(values.into_owned()),
            Self::Other(gradient) => gradient,
        }
    }
}

impl<'m, T: Element> GradientOfRows<'m, T> {
    /// The values of a dense gradient.
    fn dense(self) -> Cow<'m, [T]> {
        match self {
            Self::Dense(values) => values,
            Self::Other(_) => Cow::Owned(Vec::new()),
        }
    }
}

/// Chooses the rows of a row gradient that rank `to` sums, with their values. If the sum is one of rows, the
/// rank sums every `ranks`-th row, so that frequent rows, which are often next to each other, are spread over
/// the ranks.
fn chosen<T: Element>(
    (rows, values, width): (&[u32], &[T], usize),
    plan: &Plan,
    shape: &[usize],
    (to, ranks): (usize, usize),
) -> (Vec<u32>, Vec<T>) {
    let within = rows_of(shape, to, ranks);
    let mut chosen = (Vec::new(), Vec::new());
    for (row, values) in rows.iter().zip(values.chunks(width)) {
        let is_chosen = match plan.sum {
            GradientKind::Rows => *row as usize % ranks == to,
            _ => within.contains(&(*row as usize)),
        };
        if is_chosen {
            chosen.0.push(*row);
            chosen.1.extend_from_slice(values);
        }
    }
    chosen
}

/// The rows of a parameter that a rank sums. A scalar is one row.
fn rows_of(shape: &[usize], rank: usize, ranks: usize) -> Range<usize> {
    part(shape.first().copied().unwrap_or(1), rank, ranks)
}

/// The number of values in a row, at least 1.
fn width_of(shape: &[usize]) -> usize {
    shape.iter().skip(1).product::<usize>().max(1)
}

/// Sets a gradient that other ranks have sent.
fn set<T: Element>(
    sum: &mut Gradients<T>,
    id: ParameterId,
    gradient: Gradient<T>,
    rank: usize,
) -> Result<(), CollectiveError> {
    let what = |error: LearnError| CollectiveError::Message { rank, what: error.to_string() };
    sum.set(id, gradient).map_err(what)
}

fn write_rows<T: Element>(message: &mut Vec<u8>, rows: &[u32], values: &[T]) {
    write(message, &[rows.len() as u32]);
    write(message, rows);
    write(message, values);
}

/// Reads rows that lie within `of`, and numbers them from the beginning of `of`.
fn read_rows<T: Element>(
    reader: &mut Reader<'_>,
    of: &Range<usize>,
    width: usize,
) -> Result<Gradient<T>, CollectiveError> {
    let count = reader.count()?;
    let mut rows: Vec<u32> = reader.read(count)?;
    let ascending = rows.windows(2).all(|pair| pair[0] < pair[1]);
    if !ascending || !rows.iter().all(|row| of.contains(&(*row as usize))) {
        return Err(reader.wrong("rows that no gradient has"));
    }
    rows.iter_mut().for_each(|row| *row -= of.start as u32);
    let values = reader.read(count.saturating_mul(width))?;
    Ok(Gradient::Rows { width, rows, values })
}
