//! Products and copies in tensor memory: `tcgen05.mma`, `tcgen05.cp`.

use super::memory::{Area, Pending};
use super::{ALLOCATED_HELP, TensorProduct, here, memory, other, value};
use crate::address::Space;
use crate::exec::access::{self, Place, Touch};
use crate::exec::flights;
use crate::exec::group::Shared;
use crate::exec::groups::{self, reads};
use crate::exec::mbarrier::trouble;
use crate::exec::warp::Warp;
use crate::exec::{Env, Outcome, Trouble, defined, lifetime, thread_of};
use crate::finding::{Access, Problem, Told};
use crate::matrix::block::Side;
use crate::matrix::descriptor::{Major, PIECE, SharedMatrix};
use crate::matrix::tensor::{TensorCopy, TensorOperation};
use crate::program::{Addr, Src};
use warpc_diag::codes;

pub(super) fn multiply(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    product: &TensorProduct,
    lane: usize,
) -> Outcome<()> {
    let get = |source: Src| value(warp, env, shared, source, lane);
    let bad = |what: &str| {
        let what = what.to_owned();
        move |why: String| {
            let help = "the manual's tables of `tcgen05` descriptors list what they may contain";
            other(lane, format!("{what} is invalid: {why}"), help)
        }
    };
    for at in [Some(product.d), product.a.err()].into_iter().flatten() {
        let first = (get(at.base).wrapping_add_signed(at.offset) as u32) >> 16;
        if first != 0 {
            let message = format!("a product at lane {first} of tensor memory");
            return Err(other(
                lane,
                message,
                "the emulator runs products at lane 0 only",
            ));
        }
    }
    let descriptor = get(product.descriptor) as u32;
    let operation = TensorOperation::new(product.kind, descriptor)
        .map_err(bad("the instruction descriptor"))?;
    let adds = get(product.adds) != 0;
    let b_matrix = SharedMatrix::of_tensor(get(product.b)).map_err(bad("the descriptor of B"))?;
    let address = |at: Addr| get(at.base).wrapping_add_signed(at.offset) as u32;
    let area = |address: u32, columns: usize| {
        let (first, column) = (address >> 16, address & 0xffff);
        Area {
            lanes: (first, first + 128),
            half: operation.rows() == 64,
            columns: (column, column + columns as u32),
        }
    };
    let d = area(address(product.d), operation.columns());
    let a_matrix = match product.a {
        Ok(matrix) => Ok(SharedMatrix::of_tensor(get(matrix)).map_err(bad("the descriptor of A"))?),
        Err(at) => match operation.a_columns() {
            Some(columns) => Err(area(address(at), columns)),
            None => {
                return Err(bad("the instruction descriptor")(
                    "A in tensor memory has 128 rows along k here, of elements of 8 bits and more"
                        .to_owned(),
                ));
            }
        },
    };
    // Scale factors are in the first 32 lanes of an area; copies of them in the others.
    let scales = product.scales.map(|scales| {
        [(Side::A, scales[0]), (Side::B, scales[1])].map(|(side, at)| {
            let mut area = area(address(at), operation.scale_columns(side));
            area.half = false;
            area.lanes.1 = area.lanes.0 + 32;
            area
        })
    });
    let disabled: Vec<u64> = product.disabled.iter().map(|source| get(*source)).collect();
    let step = here(warp);
    let thread = thread_of(warp, env, lane);
    let [of_a, of_b] = scales.map_or([None; 2], |scales| scales.map(Some));
    let areas = [Some(d), a_matrix.err(), of_a, of_b];
    for area in areas.into_iter().flatten() {
        let memory = memory(shared, warp);
        memory
            .check(area)
            .map_err(|message| other(lane, message, ALLOCATED_HELP))?;
        if let Some(store) = memory.stored_by(area) {
            return Err(store_not_waited(env, store, lane));
        }
    }
    let number = memory(shared, warp).next_product();
    let owner = (flights::of_thread(thread), number, step);
    let mut any_defined = [!env.init; 2];
    let mut fetch = |warp: &mut Warp,
                     shared: &mut Shared,
                     side: Side,
                     matrix: &SharedMatrix|
     -> Outcome<Vec<u32>> {
        let addresses = operation.pieces(side, matrix);
        let (bytes, defined) = fetched(
            warp,
            env,
            shared,
            (&addresses, (side, matrix)),
            (owner, lane),
        )?;
        any_defined[usize::from(side == Side::B)] |= defined;
        Ok(operation.elements(side, &bytes))
    };
    let b = fetch(warp, shared, Side::B, &b_matrix)?;
    let a = match &a_matrix {
        Ok(matrix) => fetch(warp, shared, Side::A, matrix)?,
        Err(area) => {
            let memory = memory(shared, warp);
            let words: Vec<(u32, u32)> = area.words().map(|place| memory.word(place)).collect();
            any_defined[0] |= words.iter().any(|(_, undefined)| *undefined != u32::MAX);
            let words: Vec<u32> = words.into_iter().map(|(word, _)| word).collect();
            operation.a_elements(&words)
        }
    };
    let memory = memory(shared, warp);
    let places: Vec<(u32, u32)> = (0..operation.rows())
        .flat_map(|row| {
            let lane = operation.lane(row) as u32;
            (d.columns.0..d.columns.1).map(move |column| (lane, column))
        })
        .collect();
    let old: Vec<u64> = match adds {
        true => places
            .iter()
            .map(|place| u64::from(memory.word(*place).0))
            .collect(),
        false => vec![0; places.len()],
    };
    let mut is_nothing = any_defined == [false; 2];
    let words = scales.map(|scales| {
        let lines = [operation.rows(), operation.columns()];
        [0, 1].map(|side| -> Vec<u32> {
            let Area { lanes, columns, .. } = scales[side];
            let of_line = |line: usize| {
                memory.word((lanes.0 + line as u32 % 32, columns.0 + line as u32 / 32))
            };
            let words: Vec<(u32, u32)> = (0..lines[side]).map(of_line).collect();
            // A sum with factors that nobody wrote is not defined.
            is_nothing |= env.init && words.iter().any(|(_, undefined)| *undefined == u32::MAX);
            words.into_iter().map(|(word, _)| word).collect()
        })
    });
    let new = match &words {
        Some([of_a, of_b]) => operation.run_scaled(&a, &b, [of_a, of_b], &old),
        None => operation.run(&a, &b, &old),
    };
    for (place, value) in places.iter().zip(new) {
        let word = disabled.get(place.0 as usize / 32).copied().unwrap_or(0);
        if word >> (place.0 % 32) & 1 == 1 {
            continue;
        }
        let undefined = match (is_nothing, adds) {
            (true, _) => u32::MAX,
            (false, true) => memory.word(*place).1,
            (false, false) => 0,
        };
        memory.set(*place, value as u32, undefined);
    }
    memory.issue(Pending {
        number,
        thread,
        step,
        d,
        sources: [a_matrix.err(), of_a, of_b],
        commits: Vec::new(),
    });
    shared.progress += 1;
    Ok(())
}

/// The bytes of pieces of a matrix, and whether any of them is defined. They are marked until the product or copy is over.
fn fetched(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    (addresses, (side, matrix)): (&[u32], (Side, &SharedMatrix)),
    (owner, lane): (reads::Owner, usize),
) -> Outcome<(Vec<u8>, bool)> {
    let mut bytes = Vec::with_capacity(addresses.len() * PIECE as usize);
    let mut any_defined = false;
    for address in addresses {
        let touch = Touch {
            access: Access::Read,
            space: Space::Shared,
            address: u64::from(*address),
            bytes: PIECE,
            lane,
        };
        let place = access::resolve(warp, env, shared, touch)
            .map_err(|trouble| groups::of_matrix(trouble, side, matrix))?;
        let Place::Shared(rank, offset) = place else {
            continue;
        };
        lifetime::read(env, shared, (place, lane), (PIECE, false))?;
        let at = (rank as u32, offset as u32, PIECE);
        if let Some(flights) = &mut shared.flights {
            if let Some(offset) = flights.unfenced(at) {
                return Err(flights::unfenced(lane, (offset, "reads", "product")));
            }
            flights.reads.add(owner, at);
        }
        if let Some(races) = &mut shared.races {
            races.piece(env, warp, (Access::Read, PIECE), (lane, place));
        }
        any_defined |= !defined::is_undefined(shared, (at.0, at.1), PIECE);
        bytes.extend_from_slice(&shared.memory[rank][offset..offset + PIECE as usize]);
    }
    Ok((bytes, any_defined))
}

/// `tcgen05.cp`
pub(super) fn copied(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    copy: TensorCopy,
    (at, from): (Addr, Src),
    lane: usize,
) -> Outcome<()> {
    let address = value(warp, env, shared, at.base, lane).wrapping_add_signed(at.offset) as u32;
    let matrix = SharedMatrix::of_tensor(value(warp, env, shared, from, lane)).map_err(|why| {
        let help = "the manual's tables of `tcgen05` descriptors list what they may contain";
        other(
            lane,
            format!("the descriptor of the source is invalid: {why}"),
            help,
        )
    })?;
    let column = address & 0xffff;
    let area = Area {
        lanes: (address >> 16, (address >> 16) + 128),
        half: false,
        columns: (column, column + copy.pieces * 4),
    };
    let step = here(warp);
    let thread = thread_of(warp, env, lane);
    let memory_of = memory(shared, warp);
    memory_of
        .check(area)
        .map_err(|message| other(lane, message, ALLOCATED_HELP))?;
    if let Some(store) = memory_of.stored_by(area) {
        return Err(store_not_waited(env, store, lane));
    }
    let number = memory_of.next_product();
    let owner = (flights::of_thread(thread), number, step);
    let addresses: Vec<u32> = (0..copy.rows)
        .flat_map(|row| (0..copy.pieces).map(move |piece| matrix.piece(Major::K, row, piece)))
        .collect();
    let from = (&addresses[..], (Side::A, &matrix));
    let (bytes, any_defined) = fetched(warp, env, shared, from, (owner, lane))?;
    let undefined = if env.init && !any_defined {
        u32::MAX
    } else {
        0
    };
    let words = bytes.as_chunks::<4>().0;
    let memory = memory(shared, warp);
    for (quarter, first) in copy.quarters.into_iter().enumerate() {
        for row in 0..32 {
            for word in 0..copy.pieces * 4 {
                let at = ((first * 32 + row) * copy.pieces * 4 + word) as usize;
                let place = (quarter as u32 * 32 + row, column + word);
                memory.set(place, u32::from_le_bytes(words[at]), undefined);
            }
        }
    }
    memory.issue(Pending {
        number,
        thread,
        step,
        d: area,
        sources: [None; 3],
        commits: Vec::new(),
    });
    shared.progress += 1;
    Ok(())
}

/// A product uses what a store may not have written yet.
#[cold]
fn store_not_waited(env: &Env<'_>, step: (u32, u32), lane: usize) -> Box<Trouble> {
    let issued = lifetime::place_of(env, step, "the store was issued here".to_owned());
    let told = Told {
        code: codes::NOT_WAITED,
        warning: false,
        message: "a product uses tensor memory that a `tcgen05.st` may still write".to_owned(),
        help: "the warp that stores executes `tcgen05.wait::st`, then `tcgen05.fence::before_thread_sync` and a barrier"
            .to_owned(),
        related: issued.into_iter().collect(),
    };
    trouble(lane, Problem::Told(Box::new(told)))
}
