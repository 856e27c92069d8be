//! The instructions of PTX: a file for each section of the manual, a row for each form.
//!
//! How to read a row: [`crate::row`]. How to add one: `docs/add-an-instruction.md`.

pub mod fragment;
pub mod gates;
pub mod sets;

mod address;
mod async_copy;
mod atomic;
mod barrier;
mod bulk_copy;
mod cache;
mod compare;
mod control;
mod convert;
mod extended;
mod fabric;
mod fence;
mod float;
mod half;
mod half_compare;
mod integer;
mod load_store;
mod logic;
mod matrix_move;
mod mbarrier;
mod misc;
mod mixed;
mod mma;
mod multimem;
mod shuffle;
mod stack;
mod surface;
mod tcgen05;
mod tensor_copy;
mod texture;
mod video;
mod warp;
mod wgmma;
mod wmma;

use crate::row::Row;

/// A section of the manual.
#[derive(Debug)]
pub struct Section {
    /// Its name; the file's name, and that of what other crates do with it.
    pub name: &'static str,
    /// Its forms, in the manual's order.
    pub rows: &'static [Row],
}

/// Every section, in the manual's order.
pub static SECTIONS: &[Section] = &[
    Section {
        name: "integer",
        rows: integer::ROWS,
    },
    Section {
        name: "extended",
        rows: extended::ROWS,
    },
    Section {
        name: "float",
        rows: float::ROWS,
    },
    Section {
        name: "half",
        rows: half::ROWS,
    },
    Section {
        name: "mixed",
        rows: mixed::ROWS,
    },
    Section {
        name: "compare",
        rows: compare::ROWS,
    },
    Section {
        name: "half_compare",
        rows: half_compare::ROWS,
    },
    Section {
        name: "logic",
        rows: logic::ROWS,
    },
    Section {
        name: "shuffle",
        rows: shuffle::ROWS,
    },
    Section {
        name: "load_store",
        rows: load_store::ROWS,
    },
    Section {
        name: "cache",
        rows: cache::ROWS,
    },
    Section {
        name: "address",
        rows: address::ROWS,
    },
    Section {
        name: "convert",
        rows: convert::ROWS,
    },
    Section {
        name: "async_copy",
        rows: async_copy::ROWS,
    },
    Section {
        name: "bulk_copy",
        rows: bulk_copy::ROWS,
    },
    Section {
        name: "tensor_copy",
        rows: tensor_copy::ROWS,
    },
    Section {
        name: "fabric",
        rows: fabric::ROWS,
    },
    Section {
        name: "multimem",
        rows: multimem::ROWS,
    },
    Section {
        name: "texture",
        rows: texture::ROWS,
    },
    Section {
        name: "surface",
        rows: surface::ROWS,
    },
    Section {
        name: "control",
        rows: control::ROWS,
    },
    Section {
        name: "barrier",
        rows: barrier::ROWS,
    },
    Section {
        name: "fence",
        rows: fence::ROWS,
    },
    Section {
        name: "atomic",
        rows: atomic::ROWS,
    },
    Section {
        name: "warp",
        rows: warp::ROWS,
    },
    Section {
        name: "mbarrier",
        rows: mbarrier::ROWS,
    },
    Section {
        name: "matrix_move",
        rows: matrix_move::ROWS,
    },
    Section {
        name: "wmma",
        rows: wmma::ROWS,
    },
    Section {
        name: "mma",
        rows: mma::ROWS,
    },
    Section {
        name: "wgmma",
        rows: wgmma::ROWS,
    },
    Section {
        name: "tcgen05",
        rows: tcgen05::ROWS,
    },
    Section {
        name: "stack",
        rows: stack::ROWS,
    },
    Section {
        name: "video",
        rows: video::ROWS,
    },
    Section {
        name: "misc",
        rows: misc::ROWS,
    },
];
