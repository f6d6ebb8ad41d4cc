//! Memory while threads are followed.
//!
//! Objects have fixed addresses and are cut into cells, the smallest pieces that accesses
//! distinguish; a cell is a variable, made when it is first needed. Most addresses are constants by the
//! time a thread gets to them, because loops are unrolled and variables are terms. Where they are
//! not, an access means several places, each under the condition that the address is the place's
//! ([`places`]); which places come into question is known from the points-to analysis
//! ([`Accesses`]).
//!
//! An access outside every object that its address was derived from ends the run, and so does one
//! to heap memory that was freed. That stack objects end is not followed: a pointer to one
//! that has ended still finds it, so executions can be invented (and are refused by the replay) but
//! none are lost.

mod accesses;
mod address;
mod objects;

pub use accesses::{Access, Accesses, Kind};
pub use address::{PossibleCell, PossibleCells, places};
pub use objects::{Cell, Objects, ROOM, to_bits};
