//! Which pinned host memory is free for asynchronous copies to a device.
//!
//! This is bookkeeping only, so that it can be tested without a device: the caller decides what a
//! block is.

use std::collections::VecDeque;

/// The minimum size of a block, in bytes.
const SMALLEST: usize = 1 << 20;
/// Regions begin at multiples of this.
const ALIGN: usize = 64;

/// Memory blocks, from which regions are handed out consecutively.
///
/// A region is free again after a synchronisation that began after it was handed out: only then has
/// the copy from it ended. Other threads may be handed regions during that synchronisation, and
/// those remain in use.
#[derive(Debug)]
pub(super) struct Pinned<B> {
    /// The blocks that may have regions in use; the last is the one being filled.
    filled: VecDeque<PinnedBuffer<B>>,
    /// The blocks without regions in use.
    free: Vec<PinnedBuffer<B>>,
    /// How many regions have been handed out.
    count: u64,
}

#[derive(Debug)]
struct PinnedBuffer<B> {
    memory: B,
    bytes: usize,
    /// The end of its last region.
    used: usize,
    /// The value of `count` when its last region was handed out.
    last: u64,
}

/// A synchronisation that has begun: it covers the regions that were handed out before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wait(u64);

impl<B> Default for Pinned<B> {
    fn default() -> Self {
        Self { filled: VecDeque::new(), free: Vec::new(), count: 0 }
    }
}

impl<B: Copy> Pinned<B> {
    /// A region of `bytes` bytes: its block, and its offset in the block. If no block has room,
    /// `allocate` creates one of the size that it is passed.
    pub(super) fn take<E>(
        &mut self,
        bytes: usize,
        allocate: impl FnOnce(usize) -> Result<B, E>,
    ) -> Result<(B, usize), E> {
        let has_room = |block: &PinnedBuffer<B>| block.bytes - block.used >= bytes;
        if !self.filled.back().is_some_and(has_room) {
            let block = match self.free.iter().position(has_room) {
                Some(position) => self.free.remove(position),
                None => {
                    let size = bytes.max(SMALLEST);
                    PinnedBuffer { memory: allocate(size)?, bytes: size, used: 0, last: 0 }
                }
            };
            self.filled.push_back(block);
        }
        let Some(block) = self.filled.back_mut() else { unreachable!("one was just added") };
        let offset = block.used;
        self.count += 1;
        // The remainder of the block may be smaller than the alignment.
        block.used = offset.saturating_add(bytes).next_multiple_of(ALIGN).min(block.bytes);
        block.last = self.count;
        Ok((block.memory, offset))
    }

    /// Begins a synchronisation.
    pub(super) fn wait(&self) -> Wait {
        Wait(self.count)
    }

    /// A synchronisation has ended: the regions that it covers are free.
    pub(super) fn waited(&mut self, wait: Wait) {
        // Blocks are in the order in which their regions were handed out.
        while let Some(mut block) = self.filled.pop_front_if(|block| block.last <= wait.0) {
            block.used = 0;
            self.free.push(block);
        }
    }

    /// All blocks, for the caller to free.
    pub(super) fn into_blocks(self) -> impl Iterator<Item = B> {
        self.filled.into_iter().chain(self.free).map(|block| block.memory)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// Memory with numbered blocks, and the regions from which copies are in flight.
    #[derive(Default)]
    struct Machine {
        pinned: Pinned<usize>,
        blocks: Vec<usize>,
        /// PinnedBuffer, start and end of the regions that have not been synchronised.
        busy: Vec<(usize, usize, usize)>,
        /// The synchronisations that have begun, each with the number of regions handed out before
        /// it.
        waits: Vec<(Wait, usize)>,
        /// How many regions have been synchronised, counted from the first.
        done: usize,
    }

    impl Machine {
        fn upload(&mut self, bytes: usize) {
            let blocks = &mut self.blocks;
            let allocate = |bytes| {
                blocks.push(bytes);
                Ok::<_, Infallible>(blocks.len() - 1)
            };
            let Ok((block, from)) = self.pinned.take(bytes, allocate);
            let to = from + bytes;
            assert!(from % ALIGN == 0 && to <= self.blocks[block]);
            for (other, begin, end) in &self.busy[self.done..] {
                let overlaps = block == *other && from < *end && *begin < to;
                assert!(!overlaps, "bytes {from} to {to} of block {block} are being copied from");
            }
            self.busy.push((block, from, to));
        }

        fn wait(&mut self) {
            self.waits.push((self.pinned.wait(), self.busy.len()));
        }

        fn waited(&mut self, number: usize) {
            let (wait, until) = self.waits.remove(number);
            self.done = self.done.max(until);
            self.pinned.waited(wait);
        }
    }

    /// A region that a thread gets between the start and the end of another thread's wait stays in
    /// use.
    #[test]
    fn regions_handed_out_during_a_wait_stay_in_use() {
        let mut machine = Machine::default();
        machine.upload(100);
        machine.wait();
        machine.upload(100);
        machine.waited(0);
        machine.upload(1000);
    }

    /// Threads that upload, begin a wait and end it, in every possible order.
    #[test]
    fn no_order_of_calls_hands_out_a_region_in_use() {
        // Two per block; one that nearly fills a block; one larger than a block; an empty one.
        for sizes in [[SMALLEST / 2; 2], [10, SMALLEST - 10], [SMALLEST + 1, 1], [1, 0]] {
            // Each step is one of four: upload, begin to wait, end the oldest wait, end the newest.
            let steps = 9;
            for order in 0..4_usize.pow(steps) {
                let mut machine = Machine::default();
                for step in 0..steps {
                    match order / 4_usize.pow(step) % 4 {
                        0 => machine.upload(sizes[step as usize % 2]),
                        1 => machine.wait(),
                        2 if !machine.waits.is_empty() => machine.waited(0),
                        3 if !machine.waits.is_empty() => machine.waited(machine.waits.len() - 1),
                        _ => break,
                    }
                }
            }
        }
    }

    /// However the threads overlap, memory does not grow without bound.
    #[test]
    fn memory_is_used_again() {
        let mut machine = Machine::default();
        for _ in 0..1000 {
            // At the end of each wait, some thread has uploaded since it began.
            (0..5).for_each(|_| machine.upload(SMALLEST / 4));
            machine.wait();
            machine.upload(SMALLEST / 4);
            machine.waited(0);
        }
        assert!(machine.blocks.len() <= 4, "{} blocks", machine.blocks.len());
        // A single thread needs only the memory for the uploads between two waits.
        let mut machine = Machine::default();
        for _ in 0..1000 {
            (0..5).for_each(|_| machine.upload(SMALLEST / 4));
            machine.wait();
            machine.waited(0);
        }
        assert_eq!(machine.blocks, [SMALLEST; 2]);
    }

    #[test]
    fn a_failure_hands_out_nothing() {
        let mut pinned = Pinned::<usize>::default();
        assert_eq!(pinned.take(10, Err), Err(SMALLEST));
        assert_eq!(pinned.take(SMALLEST + 7, Ok::<_, usize>), Ok((SMALLEST + 7, 0)));
        assert_eq!(pinned.take(10, |_| Ok::<_, usize>(1)), Ok((1, 0)));
        assert_eq!(pinned.into_blocks().collect::<Vec<_>>(), [SMALLEST + 7, 1]);
    }
}
