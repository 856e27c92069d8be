//! Tensor maps against the manual of PTX.

mod swizzles;
