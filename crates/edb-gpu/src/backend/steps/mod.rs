//! The end of a training step: the gradients of shares are added up, and parameters are updated.
//!
//! Comes in: the summed gradients of a minibatch, and the rule of the optimiser. Goes out: new parameters on the device,
//! and what the step came to: the loss, and the norm of the gradient. The engine calls it, by the traits `Stepper` and
//! `ShareSums`, which `GpuBackend` implements here.
//!
//! | file | what it does |
//! | --- | --- |
//! | `stepper` | losses, norms and optimiser updates |
//! | `shares` | gradients of shares, added up by this and other ranks |
//! | `add_gradient_rows` | how parts of gradients are added |

mod add_gradient_rows;
mod shares;
mod stepper;
