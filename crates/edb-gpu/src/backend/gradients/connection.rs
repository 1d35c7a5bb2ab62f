//! How memory gets to the devices of other ranks: from device to device where the driver can, else
//! through the hosts.

use std::sync::Arc;

use edb_core::collective::{Collective, CollectiveError};

use crate::driver::{Connection, Driver, Transfer};
use crate::error::GpuError;

/// The connection to the devices of the other ranks.
#[derive(Debug)]
pub(crate) struct Connected {
    driver: Arc<dyn Driver>,
    world: Arc<dyn Collective>,
    /// That of the driver; `None` where memory goes through the hosts.
    direct: Option<Connection>,
}

impl Connected {
    /// Connects with the other ranks, which call it together.
    pub(crate) fn new(
        driver: &Arc<dyn Driver>,
        world: &Arc<dyn Collective>,
    ) -> Result<Self, GpuError> {
        let direct = driver.connect(world)?;
        Ok(Self { driver: Arc::clone(driver), world: Arc::clone(world), direct })
    }

    /// Whether these are the ranks.
    pub(crate) fn is_to(&self, world: &Arc<dyn Collective>) -> bool {
        Arc::ptr_eq(&self.world, world)
    }

    /// Sends and receives memory, as [`Driver::exchange`] does.
    pub(crate) fn exchange(
        &self,
        sent: &[Transfer],
        received: &[Transfer],
    ) -> Result<(), GpuError> {
        match self.direct {
            Some(connection) => self.driver.exchange(connection, sent, received),
            None => self.through_hosts(sent, received),
        }
    }

    /// Sends one message to each rank, and gets one from each.
    fn through_hosts(&self, sent: &[Transfer], received: &[Transfer]) -> Result<(), GpuError> {
        let Self { driver, world, .. } = self;
        let mut messages = vec![Vec::new(); world.ranks()];
        for Transfer { rank, address, bytes } in sent {
            let message: &mut Vec<u8> = &mut messages[*rank];
            let start = message.len();
            message.resize(start + bytes, 0);
            driver.download(*address, &mut message[start..])?;
        }
        let messages = world.exchange(messages)?;
        let mut rest: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        for Transfer { rank, address, bytes } in received {
            let (piece, others) =
                rest[*rank].split_at_checked(*bytes).ok_or_else(|| wrong(*rank))?;
            driver.upload(piece, *address)?;
            rest[*rank] = others;
        }
        let own = world.rank();
        match (0..).zip(rest).find(|(rank, rest)| *rank != own && !rest.is_empty()) {
            Some((rank, _)) => Err(wrong(rank)),
            None => Ok(()),
        }
    }
}

fn wrong(rank: usize) -> GpuError {
    let what = "sums of other sizes than it said".to_owned();
    CollectiveError::Message { rank, what }.into()
}

impl Drop for Connected {
    fn drop(&mut self) {
        if let Some(connection) = self.direct {
            self.driver.disconnect(connection);
        }
    }
}
