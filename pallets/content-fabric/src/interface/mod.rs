// SPDX-License-Identifier: Apache-2.0
//! The pallet's interface: calls, events, errors, genesis, view functions, and the origins that
//! calls accept. FRAME accepts one block of calls and one of view functions, so each is one file.

pub mod calls;
pub mod errors;
pub mod events;
pub mod genesis;
pub mod origins;
pub mod views;
