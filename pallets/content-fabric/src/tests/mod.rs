//! The behaviour of the pallet, a file a theme.

mod smoke;
