//! Matrix instructions: the warp's registers and memory around what [`crate::matrix`] computes.
//!
//! ```text
//!   product        registers of 32 lanes ──► MatrixOperation::run ──► registers
//!   ldmatrix       rows of 16 bytes at the addresses of some lanes ──► registers of all
//!   wmma.load      each lane reads the pieces of its fragment
//! ```
//!
//! All are aligned: the whole warp executes them together, and it must have 32 lanes.

use super::access::{self, Place, Touch};
use super::barrier::{Gathered, gather};
use super::frame::{Around, Doubles, Frame};
use super::group::Shared;
use super::warp::{Flow, Warp};
use super::{Env, Outcome, Trouble, defined, lifetime};
use crate::address::Space;
use crate::finding::{Access, Problem};
use crate::matrix::{FragmentTransfer, MatrixOperation, RowPiece, transpose};
use crate::program::{Addr, Dst, Src, Visitor, visit_reads, visit_writes};
use std::sync::atomic::Ordering;

/// Registers that a matrix instruction reads in a lane, at most: eight each of A, B and C of a
/// `wmma`.
pub(crate) const MOST_SOURCES: usize = 24;
/// Registers that it writes in a lane, at most.
pub(crate) const MOST_RESULTS: usize = 8;
/// Bytes of a row that `ldmatrix` and `stmatrix` move.
const ROW: u32 = 16;

/// A matrix instruction with its places.
#[derive(Debug)]
pub enum Matrix {
    /// `mma`, `wmma.mma`
    Product(Product),
    /// `ldmatrix`, `stmatrix`
    Rows(Rows),
    /// `wmma.load`, `wmma.store`
    Fragment(Fragment),
    /// `movmatrix`
    Transpose(Dst, Src),
}

/// A product with its places.
#[derive(Debug)]
pub struct Product {
    pub(crate) operation: MatrixOperation,
    pub(crate) sources: Box<[Src]>,
    pub(crate) results: Box<[Dst]>,
}

/// The registers on one side of a transfer.
#[derive(Debug)]
pub enum Registers {
    /// Memory is read.
    Load(Box<[Dst]>),
    /// Memory is written.
    Store(Box<[Src]>),
}

/// `ldmatrix`, `stmatrix`
#[derive(Debug)]
pub struct Rows {
    pub(crate) pieces: Box<[RowPiece]>,
    pub(crate) registers: Registers,
    pub(crate) at: Addr,
    pub(crate) space: Space,
}

/// `wmma.load`, `wmma.store`
#[derive(Debug)]
pub struct Fragment {
    pub(crate) transfer: FragmentTransfer,
    pub(crate) registers: Registers,
    pub(crate) at: Addr,
    /// In elements.
    pub(crate) stride: Option<Src>,
    pub(crate) space: Space,
}

pub(super) fn execute(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    op: &Matrix,
    active: u32,
) -> Outcome<Flow> {
    if matches!(gather(warp, env, active)?, Gathered::Waits) {
        return Ok(Flow::Choose);
    }
    if active != u32::MAX {
        let problem = Problem::Other {
            message: format!(
                "a matrix instruction in a warp of {} threads",
                active.count_ones()
            ),
            help: "it needs all 32: make the block's size a multiple of 32",
        };
        return Err(Trouble::of(active, problem));
    }
    let frame = warp.frame();
    match op {
        Matrix::Product(product) => {
            run_product(warp, env, shared, frame, product)?;
            if warp.tainted {
                let registers = (&*product.sources, &*product.results);
                defined::multiplied(warp, env, frame, registers);
            }
        }
        Matrix::Rows(rows) => move_rows(warp, env, shared, frame, rows)?,
        Matrix::Fragment(fragment) => move_fragment(warp, env, shared, frame, fragment)?,
        Matrix::Transpose(to, from) => {
            let identity = warp.identity;
            let around = Around::new(env, &identity, shared);
            let registers = &mut warp.frames[frame];
            let values = transpose(&registers.doubles(*from, around));
            set(registers, *to, &values);
        }
    }
    Ok(Flow::Next)
}

/// Sets a register of all lanes.
fn set(registers: &mut Frame, to: Dst, values: &Doubles) {
    match to {
        Dst::W(slot, u32::MAX) => registers.words[slot as usize] = values.map(|value| value as u32),
        _ => registers.set_all(to, u32::MAX, values),
    }
}

fn run_product(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &Shared,
    frame: usize,
    product: &Product,
) -> Outcome<()> {
    let identity = warp.identity;
    let around = Around::new(env, &identity, shared);
    let registers = &mut warp.frames[frame];
    let mut sources = [[0; 32]; MOST_SOURCES];
    let mut results = [[0; 32]; MOST_RESULTS];
    let (count, made) = (product.sources.len(), product.results.len());
    for (lanes, source) in sources.iter_mut().zip(&product.sources) {
        *lanes = registers.doubles(*source, around);
    }
    if let Err(what) = product.operation.check(&sources[..count]) {
        let problem = Problem::Other {
            message: format!("a product with block scaling: {what}"),
            help: "the byte selector is 0 to 3 for one scale factor, 0 or 2 for two, 0 for four; the lane selector 0 or 1 \
                   for A, 0 to 3 for B; all lanes have the same",
        };
        return Err(Trouble::of(u32::MAX, problem));
    }
    product
        .operation
        .run(&sources[..count], &mut results[..made]);
    for (lanes, to) in results.iter().zip(&product.results) {
        set(registers, *to, lanes);
    }
    Ok(())
}

/// The values of the registers of a store.
fn stored(registers: &Frame, sources: &[Src], around: Around<'_>) -> [Doubles; MOST_RESULTS] {
    let mut values = [[0; 32]; MOST_RESULTS];
    for (lanes, source) in values.iter_mut().zip(sources) {
        *lanes = registers.doubles(*source, around);
    }
    values
}

fn count(shared: &mut Shared, accesses: usize, bytes: u64) {
    shared.counts.accesses += accesses as u64;
    shared.counts.bytes += bytes;
}

fn move_rows(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    frame: usize,
    rows: &Rows,
) -> Outcome<()> {
    let identity = warp.identity;
    let around = Around::new(env, &identity, shared);
    let addresses = addresses(&warp.frames[frame], rows.at, around);
    let (access, count_of, mut values) = match &rows.registers {
        Registers::Load(to) => (Access::Read, to.len(), [[0; 32]; MOST_RESULTS]),
        Registers::Store(from) => {
            let values = stored(&warp.frames[frame], from, around);
            (Access::Write, from.len(), values)
        }
    };
    // Lanes 0 to 7 have the rows of the first matrix, and so on.
    let mut places = [(0, 0); 32];
    for lane in 0..count_of * 8 {
        let touch = Touch {
            access,
            space: rows.space,
            address: addresses[lane],
            bytes: ROW,
            lane,
        };
        places[lane] = match access::resolve(warp, env, shared, touch)? {
            Place::Shared(rank, offset) => (rank, offset),
            _ => return Err(not_shared(touch)),
        };
        let place = (Place::Shared(places[lane].0, places[lane].1), lane);
        match access {
            Access::Read => lifetime::read(env, shared, place, (ROW, false))?,
            _ => lifetime::write(warp, env, shared, place, ROW)?,
        }
    }
    let mut undefined = undefined(warp, env, frame, &rows.registers);
    count(shared, 32, 32 * 4 * count_of as u64);
    shared.progress += u64::from(access == Access::Write);
    for piece in &rows.pieces {
        let (rank, offset) = places[usize::from(piece.address_lane)];
        let offset = offset + usize::from(piece.offset);
        if let Some(races) = &mut shared.races {
            let at = (usize::from(piece.lane), Place::Shared(rank, offset));
            races.piece(env, warp, (access, u32::from(piece.bytes)), at);
        }
        if access == Access::Write
            && let Some(weak) = &mut shared.weak
        {
            weak.overwritten_shared((rank as u32, offset as u32), u32::from(piece.bytes));
        }
        let value = &mut values[usize::from(piece.register)][usize::from(piece.lane)];
        let (memory, bytes) = (&mut shared.memory[rank], u32::from(piece.bytes));
        match access {
            Access::Read => {
                *value |= piece.element(access::little(memory, offset, bytes)) << piece.shift;
            }
            _ => access::put(memory, offset, bytes, *value >> piece.shift),
        }
        if let Some(shadow) = shared.undefined.get_mut(rank) {
            let bits = &mut undefined[usize::from(piece.register)][usize::from(piece.lane)];
            match access {
                Access::Read => {
                    *bits |= piece.element(access::little(shadow, offset, bytes)) << piece.shift;
                }
                _ => access::put(shadow, offset, bytes, *bits >> piece.shift),
            }
        }
    }
    load_registers(&mut warp.frames[frame], &rows.registers, &values);
    taint(warp, env, frame, &rows.registers, &undefined);
    Ok(())
}

/// The undefined bits of the registers of a store; none for a load.
fn undefined(
    warp: &Warp,
    env: &Env<'_>,
    frame: usize,
    registers: &Registers,
) -> [Doubles; MOST_RESULTS] {
    let mut bits = [[0; 32]; MOST_RESULTS];
    if let Registers::Store(from) = registers
        && env.init
        && warp.tainted
    {
        for (bits, source) in bits.iter_mut().zip(from) {
            *bits = defined::of_all(warp, frame, *source);
        }
    }
    bits
}

/// The undefined bits of what was loaded.
fn taint(warp: &mut Warp, env: &Env<'_>, frame: usize, registers: &Registers, bits: &[Doubles]) {
    if let Registers::Load(to) = registers
        && env.init
    {
        defined::matrix_loaded(warp, env, frame, to, bits);
    }
}

fn load_registers(frame: &mut Frame, registers: &Registers, values: &[Doubles]) {
    if let Registers::Load(to) = registers {
        for (to, values) in to.iter().zip(values) {
            set(frame, *to, values);
        }
    }
}

/// The address each lane has.
fn addresses(frame: &Frame, at: Addr, around: Around<'_>) -> Doubles {
    let mut addresses = frame.doubles(at.base, around);
    for address in &mut addresses {
        *address = address.wrapping_add_signed(at.offset);
        // An address of 32 bits wraps around at 32 bits.
        if matches!(at.base, Src::W(_)) {
            *address &= u64::from(u32::MAX);
        }
    }
    addresses
}

#[cold]
fn not_shared(touch: Touch) -> Box<Trouble> {
    let problem = Problem::Other {
        message: format!(
            "the row at address {:#x} does not lie in shared memory",
            touch.address
        ),
        help: "`ldmatrix` and `stmatrix` take rows in shared memory only",
    };
    Trouble::of(1 << touch.lane, problem)
}

fn move_fragment(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    frame: usize,
    fragment: &Fragment,
) -> Outcome<()> {
    let transfer = &fragment.transfer;
    let identity = warp.identity;
    let around = Around::new(env, &identity, shared);
    let registers = &warp.frames[frame];
    let addresses = addresses(registers, fragment.at, around);
    let strides = match fragment.stride {
        Some(source) => registers.words(source, around),
        None => [transfer.default_stride; 32],
    };
    let (access, mut values) = match &fragment.registers {
        Registers::Load(_) => (Access::Read, [[0; 32]; MOST_RESULTS]),
        Registers::Store(from) => (Access::Write, stored(registers, from, around)),
    };
    let alignment = transfer.alignment(fragment.space == Space::Shared);
    for lane in 0..32 {
        let line = transfer.line_bytes(strides[lane]);
        if !(addresses[lane] | line).is_multiple_of(u64::from(alignment)) {
            return Err(misaligned_line(fragment, access, addresses[lane], lane));
        }
    }
    let mut bytes_moved = 0;
    let mut undefined = undefined(warp, env, frame, &fragment.registers);
    for piece in &transfer.pieces {
        let lane = usize::from(piece.lane);
        let bytes = u32::from(piece.bytes);
        bytes_moved += u64::from(bytes);
        let touch = Touch {
            access,
            space: fragment.space,
            address: addresses[lane].wrapping_add(transfer.offset(piece, strides[lane])),
            bytes,
            lane,
        };
        let place = access::resolve(warp, env, shared, touch)?;
        if let Some(races) = &mut shared.races {
            races.piece(env, warp, (access, bytes), (lane, place));
        }
        match access {
            Access::Read => lifetime::read(env, shared, (place, lane), (bytes, false))?,
            _ => lifetime::write(warp, env, shared, (place, lane), bytes)?,
        }
        if env.init {
            let bits = &mut undefined[usize::from(piece.register)][lane];
            let at = (place, lane);
            match access {
                Access::Read => {
                    *bits |= defined::of_place(warp, env, shared, at, bytes) << piece.shift;
                }
                _ => defined::set_place(warp, env, shared, at, (bytes, *bits >> piece.shift)),
            }
        }
        let value = &mut values[usize::from(piece.register)][lane];
        let order = Ordering::Relaxed;
        match access {
            Access::Read => {
                let read = access::read(warp, env, shared, place, lane, bytes, order);
                *value |= read << piece.shift;
            }
            _ => {
                let moved = (bytes, *value >> piece.shift);
                access::write(warp, env, shared, place, lane, moved, order);
            }
        }
    }
    count(shared, transfer.pieces.len(), bytes_moved);
    shared.progress += u64::from(access == Access::Write);
    load_registers(&mut warp.frames[frame], &fragment.registers, &values);
    taint(warp, env, frame, &fragment.registers, &undefined);
    Ok(())
}

#[cold]
fn misaligned_line(fragment: &Fragment, access: Access, address: u64, lane: usize) -> Box<Trouble> {
    let bytes = fragment.transfer.alignment(fragment.space == Space::Shared);
    let problem = match address % u64::from(bytes) {
        0 => Problem::Other {
            message: format!("the stride of this matrix is not a multiple of {bytes} bytes"),
            help: "every line of the matrix must be aligned; the stride counts elements",
        },
        _ => Problem::Misaligned {
            access,
            space: fragment.space,
            address,
            bytes: u64::from(bytes),
        },
    };
    Trouble::of(1 << lane, problem)
}

impl Matrix {
    /// Visits every register that is read, then every one that is written: registers share places
    /// by what this says.
    pub(crate) fn visit(&mut self, visitor: &mut dyn Visitor) {
        match self {
            Matrix::Product(product) => {
                visit_reads(visitor, &mut product.sources);
                visit_writes(visitor, &mut product.results);
            }
            Matrix::Rows(rows) => {
                visitor.read(&mut rows.at.base);
                rows.registers.visit(visitor);
            }
            Matrix::Fragment(fragment) => {
                visitor.read(&mut fragment.at.base);
                visit_reads(visitor, &mut fragment.stride);
                fragment.registers.visit(visitor);
            }
            Matrix::Transpose(to, from) => {
                visitor.read(from);
                visitor.write(to);
            }
        }
    }
}

impl Registers {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        match self {
            Registers::Load(to) => visit_writes(visitor, to),
            Registers::Store(from) => visit_reads(visitor, from),
        }
    }
}

#[cfg(test)]
mod tests;
