//! The intrinsics of NVIDIA, a file for each section of the PTX manual, named as the tables of `warpc_ptx`.

mod async_copy;
mod barrier;
mod convert;
mod float;
mod integer;
mod load_store;
mod mbarrier;
mod misc;
mod mma;
mod special_register;
mod tcgen05;
mod tensor_copy;
mod texture;
mod warp;
mod wmma;

use super::row::Row;

/// All tables.
pub(super) static TABLES: &[&[Row]] = &[
    special_register::ROWS,
    integer::ROWS,
    float::ROWS,
    convert::ROWS,
    load_store::ROWS,
    async_copy::ROWS,
    barrier::ROWS,
    mbarrier::ROWS,
    warp::ROWS,
    mma::ROWS,
    wmma::ROWS,
    tensor_copy::ROWS,
    tcgen05::ROWS,
    texture::ROWS,
    misc::ROWS,
];
