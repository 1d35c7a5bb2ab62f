//! Which pinned memory is free: what copies to a device are made from while the processor goes on.
//!
//! This is bookkeeping only, so that it can be tested without a device: what a block is, is the
//! caller's affair.

use std::collections::VecDeque;

/// A block has this many bytes, or more.
const SMALLEST: usize = 1 << 20;
/// Regions begin at multiples of this.
const ALIGN: usize = 64;

/// Blocks of memory, of which regions are handed out one behind the other.
///
/// A region is free again once a wait has ended that began after it was handed out: only then has the
/// copy from it been waited for. Other threads hand out regions while one waits, and those must stay.
#[derive(Debug)]
pub(super) struct Pinned<B> {
    /// The blocks in which something may be in use, the one that is filled last.
    filled: VecDeque<Block<B>>,
    /// The blocks in which nothing is in use.
    free: Vec<Block<B>>,
    /// How many regions have been handed out.
    count: u64,
}

#[derive(Debug)]
struct Block<B> {
    memory: B,
    bytes: usize,
    /// Up to where it has been handed out.
    used: usize,
    /// How many regions had been handed out with its last one.
    last: u64,
}

/// The regions that a wait will have waited for: those that were handed out before it began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wait(u64);

impl<B> Default for Pinned<B> {
    fn default() -> Self {
        Self { filled: VecDeque::new(), free: Vec::new(), count: 0 }
    }
}

impl<B: Copy> Pinned<B> {
    /// A region of so many bytes: a block, and where in it the region begins. If none has room for it,
    /// `allocate` makes a block of as many bytes as it is told.
    pub(super) fn take<E>(
        &mut self,
        bytes: usize,
        allocate: impl FnOnce(usize) -> Result<B, E>,
    ) -> Result<(B, usize), E> {
        let has_room = |block: &Block<B>| block.bytes - block.used >= bytes;
        if !self.filled.back().is_some_and(has_room) {
            let block = match self.free.iter().position(has_room) {
                Some(at) => self.free.remove(at),
                None => {
                    let size = bytes.max(SMALLEST);
                    Block { memory: allocate(size)?, bytes: size, used: 0, last: 0 }
                }
            };
            self.filled.push_back(block);
        }
        let Some(block) = self.filled.back_mut() else { unreachable!("one was just added") };
        let at = block.used;
        self.count += 1;
        // The rest of the block may be less than the alignment.
        block.used = at.saturating_add(bytes).next_multiple_of(ALIGN).min(block.bytes);
        block.last = self.count;
        Ok((block.memory, at))
    }

    /// What a wait that begins now will have waited for.
    pub(super) fn wait(&self) -> Wait {
        Wait(self.count)
    }

    /// A wait has ended: what it waited for is free.
    pub(super) fn waited(&mut self, wait: Wait) {
        // Regions are handed out in the order of the blocks.
        while let Some(mut block) = self.filled.pop_front_if(|block| block.last <= wait.0) {
            block.used = 0;
            self.free.push(block);
        }
    }

    /// All blocks, to be given back.
    pub(super) fn into_blocks(self) -> impl Iterator<Item = B> {
        self.filled.into_iter().chain(self.free).map(|block| block.memory)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// Memory whose blocks are numbered, with what is being copied from.
    #[derive(Default)]
    struct Machine {
        pinned: Pinned<usize>,
        blocks: Vec<usize>,
        /// Block, begin and end of the regions that nobody has waited for yet.
        busy: Vec<(usize, usize, usize)>,
        /// The waits that have begun: what they were told, and how many regions had been handed out.
        waits: Vec<(Wait, usize)>,
        /// How many regions have been waited for, which are the first.
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

        fn waited(&mut self, at: usize) {
            let (wait, until) = self.waits.remove(at);
            self.done = self.done.max(until);
            self.pinned.waited(wait);
        }
    }

    /// An upload of one thread between the beginning and the end of another's wait keeps its region.
    #[test]
    fn what_is_uploaded_during_a_wait_stays() {
        let mut machine = Machine::default();
        machine.upload(100);
        machine.wait();
        machine.upload(100);
        machine.waited(0);
        machine.upload(1000);
    }

    /// Threads that upload, begin a wait and end it, in every order in which that can happen.
    #[test]
    fn no_order_hands_out_what_is_in_use() {
        // Two of a block, one that leaves little of a block, one that is larger, and next to nothing.
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

    /// However threads overlap, memory does not grow without end.
    #[test]
    fn memory_is_used_again() {
        let mut machine = Machine::default();
        for _ in 0..1000 {
            // Some thread always has uploaded since the wait began that ends.
            (0..5).for_each(|_| machine.upload(SMALLEST / 4));
            machine.wait();
            machine.upload(SMALLEST / 4);
            machine.waited(0);
        }
        assert!(machine.blocks.len() <= 4, "{} blocks", machine.blocks.len());
        // One thread alone needs what lies between its waits.
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
