//! Products and copies in tensor memory: `tcgen05.mma`, `tcgen05.cp`.

use super::memory::{Area, Half, Pending, TensorMemory};
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
use crate::matrix::tensor::{Spread, TensorCopy, TensorFactors, TensorOperation};
use crate::program::{Addr, Src};
use warpc_diag::codes;

const DESCRIPTOR_HELP: &str =
    "the manual's tables of `tcgen05` descriptors list what they may contain";

fn invalid(lane: usize, what: &str, why: String) -> Box<Trouble> {
    other(lane, format!("{what} is invalid: {why}"), DESCRIPTOR_HELP)
}

/// The blocks of the cluster that an instruction works in: the thread's own, or the pair that differs in the last bit.
pub(super) fn ranks(warp: &Warp, env: &Env<'_>, pair: bool, lane: usize) -> Outcome<Vec<u32>> {
    let own = warp.identity.rank;
    if !pair {
        return Ok(vec![own]);
    }
    let first = own & !1;
    if first + 1 >= env.blocks_in_cluster() {
        let message = format!("`.cta_group::2` in block {own} of the cluster, which has no peer");
        let help = "pairs are blocks of a cluster whose ranks differ in the last bit: launch clusters of an even number of blocks";
        return Err(other(lane, message, help));
    }
    Ok(vec![first, first + 1])
}

/// What a product uses of the tensor memory of each of its blocks.
struct Areas {
    d: Area,
    a: Option<Area>,
    metadata: Option<Area>,
    scales: Option<[Area; 2]>,
}

impl Areas {
    /// For addresses of D, A, the metadata, and the scale factors; an error is what is wrong.
    fn new(
        operation: &TensorOperation,
        d: u32,
        (a, metadata): (Option<u32>, Option<u32>),
        scales: Option<[u32; 2]>,
    ) -> Result<Areas, String> {
        let is_half = operation.spread() == Spread::Halves;
        let area = |address: u32, (first, end): (u32, u32)| {
            let (lane, column) = (address >> 16, address & 0xffff);
            Area {
                lanes: (lane / 32 * 32, lane / 32 * 32 + 128),
                half: match (is_half, lane % 32) {
                    (false, _) => Half::Both,
                    (true, 0) => Half::Lower,
                    (true, _) => Half::Upper,
                },
                columns: (column + first, column + end),
            }
        };
        let first = d >> 16;
        let allowed = if is_half { "0 or 16" } else { "0" };
        if first != 0 && !(is_half && first == 16) {
            return Err(format!(
                "a product at lane {first} of tensor memory; this one is at lane {allowed}"
            ));
        }
        for (address, what) in [(a, "A"), (metadata, "the metadata of A")] {
            if let Some(other) = address.map(|address| address >> 16)
                && other != first
            {
                return Err(format!(
                    "a product at lane {first} of tensor memory, with {what} at lane {other}"
                ));
            }
        }
        let of_a = match a {
            None => None,
            Some(address) => match operation.a_columns() {
                Some(columns) => Some(area(address, (0, columns as u32))),
                None => {
                    return Err(
                        "the instruction descriptor is invalid: A in tensor memory is along k here, of elements of 8 bits and more"
                            .to_owned(),
                    );
                }
            },
        };
        let metadata = match (metadata, operation.metadata_columns()) {
            (Some(address), Some(columns)) => {
                if address % 2 != 0 {
                    return Err(format!(
                        "metadata of A at the odd column {}",
                        address & 0xffff
                    ));
                }
                Some(area(address, columns))
            }
            _ => None,
        };
        // Scale factors are in the first 32 lanes of an area; copies of them in the others.
        let scales = scales.map(|scales| {
            [(Side::A, scales[0]), (Side::B, scales[1])].map(|(side, address)| {
                let (lanes, columns) = operation.scale_area(side);
                let (first, column) = (address >> 16, address & 0xffff);
                Area {
                    lanes: (first, first + lanes),
                    half: Half::Both,
                    columns: (column, column + columns),
                }
            })
        });
        Ok(Areas {
            d: area(d, (0, operation.part_columns() as u32)),
            a: of_a,
            metadata,
            scales,
        })
    }

    /// What is read, but for D.
    fn sources(&self) -> Vec<Area> {
        let scales = self.scales.iter().flatten().copied();
        self.a
            .into_iter()
            .chain(self.metadata)
            .chain(scales)
            .collect()
    }
}

pub(super) fn multiply(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    product: &TensorProduct,
    lane: usize,
) -> Outcome<()> {
    let get = |source: Src| value(warp, env, shared, source, lane);
    let address = |at: Addr| get(at.base).wrapping_add_signed(at.offset) as u32;
    let ranks = ranks(warp, env, product.form.pair, lane)?;
    let operation =
        TensorOperation::new(product.kind, product.form, get(product.descriptor) as u32)
            .map_err(|why| invalid(lane, "the instruction descriptor", why))?;
    let matrix = |source: Src, what: &str| {
        SharedMatrix::of_tensor(get(source)).map_err(|why| invalid(lane, what, why))
    };
    let b_matrix = matrix(product.b, "the descriptor of B")?;
    let a_matrix = match product.a {
        Ok(source) => Some(matrix(source, "the descriptor of A")?),
        Err(_) => None,
    };
    let mask = match product.mask {
        None => None,
        Some(source) => Some(
            operation
                .mask(get(source))
                .map_err(|why| invalid(lane, "the zero-column mask", why))?,
        ),
    };
    let adds = get(product.adds) != 0;
    let areas = Areas::new(
        &operation,
        address(product.d),
        (
            product.a.err().map(&address),
            product.metadata.map(&address),
        ),
        product.scales.map(|scales| scales.map(&address)),
    )
    .map_err(|message| other(lane, message, LANE_HELP))?;
    let disabled: Vec<u64> = product.disabled.iter().map(|source| get(*source)).collect();
    let step = here(warp);
    let thread = thread_of(warp, env, lane);
    for rank in &ranks {
        let memory = &shared.tensor[*rank as usize];
        for area in areas.sources().into_iter().chain([areas.d]) {
            if let Err(mut message) = memory.check(area) {
                if *rank != warp.identity.rank {
                    message += &format!(" in block {rank} of the cluster");
                }
                return Err(other(lane, message, ALLOCATED_HELP));
            }
            if let Some(store) = memory.stored_by(area) {
                return Err(store_not_waited(env, store, lane));
            }
        }
    }
    let number = memory(shared, warp).next_product();
    let owner = (flights::of_thread(thread), number, step);
    let mut any_defined = [!env.init; 2];
    let mut fetch = |warp: &mut Warp,
                     shared: &mut Shared,
                     (side, rank): (Side, u32),
                     matrix: &SharedMatrix|
     -> Outcome<Vec<u32>> {
        let first = match (side, mask) {
            (Side::B, Some(mask)) => mask.shift(),
            _ => 0,
        };
        let addresses = operation.pieces(side, matrix, first);
        let (bytes, defined) = fetched(
            warp,
            env,
            shared,
            (&addresses, (side, matrix)),
            (owner, rank, lane),
        )?;
        any_defined[usize::from(side == Side::B)] |= defined;
        Ok(operation.elements(side, &bytes))
    };
    let mut b = Vec::new();
    for rank in &ranks {
        b.extend(fetch(warp, shared, (Side::B, *rank), &b_matrix)?);
    }
    if let Some(mask) = mask {
        b = operation.masked(mask, b);
    }
    let mut of_blocks = Vec::new();
    for rank in &ranks {
        of_blocks.push(match &a_matrix {
            Some(matrix) => fetch(warp, shared, (Side::A, *rank), matrix)?,
            None => Vec::new(),
        });
    }
    let is_nothing = any_defined == [false; 2] && a_matrix.is_some();
    let new = |at: (usize, u32), memory: &TensorMemory| {
        computed(
            &operation,
            memory,
            &areas,
            (&of_blocks[at.0], &b),
            (at.1, adds),
            (env.init, is_nothing, !any_defined[1]),
        )
    };
    for (block, rank) in ranks.iter().enumerate() {
        for part in 0..operation.spread().parts() {
            let new = new((block, part), &shared.tensor[*rank as usize])
                .map_err(|why| invalid(lane, "the metadata of A", why))?;
            let memory = &mut shared.tensor[*rank as usize];
            for (place, value, undefined) in new {
                let word = disabled.get(block * 4 + place.0 as usize / 32);
                if word.copied().unwrap_or(0) >> (place.0 % 32) & 1 == 0 {
                    memory.set(place, value, undefined);
                }
            }
        }
        shared.tensor[*rank as usize].issue(Pending {
            number,
            thread,
            step,
            d: areas.d,
            sources: areas.sources(),
            commits: Vec::new(),
        });
    }
    shared.progress += 1;
    Ok(())
}

const LANE_HELP: &str =
    "the manual lists the layouts of D, A and metadata in tensor memory, and where they may begin";

/// A word of tensor memory with its undefined bits.
type Written = ((u32, u32), u32, u32);

/// What a block gets in a part of its columns; an error is what is wrong with metadata.
fn computed(
    operation: &TensorOperation,
    memory: &TensorMemory,
    areas: &Areas,
    (a, b): (&[u32], &[u32]),
    (part, adds): (u32, bool),
    (init, is_nothing, b_is_undefined): (bool, bool, bool),
) -> Result<Vec<Written>, String> {
    let width = operation.part_columns();
    let spread = operation.spread();
    // Layouts with halves may begin in the upper ones.
    let base = if areas.d.half == Half::Upper { 16 } else { 0 };
    let lane_of = |row: usize| base + spread.lane(row, part);
    let mut is_nothing = is_nothing;
    let in_memory: Vec<u32>;
    let a = match areas.a {
        None => a,
        Some(area) => {
            let columns = area.columns.0..area.columns.1;
            let words: Vec<(u32, u32)> = (0..operation.rows())
                .flat_map(|row| columns.clone().map(move |column| (row, column)))
                .map(|(row, column)| memory.word((lane_of(row), column)))
                .collect();
            let no_a = words.iter().all(|(_, undefined)| *undefined == u32::MAX);
            is_nothing |= init && no_a && b_is_undefined;
            let words: Vec<u32> = words.into_iter().map(|(word, _)| word).collect();
            in_memory = operation.a_elements(&words);
            &in_memory
        }
    };
    let met = match areas.metadata {
        None => None,
        Some(area) => {
            let first = area.columns.0 - operation.metadata_columns().map_or(0, |(first, _)| first);
            let place = |row: usize, column: u32| (lane_of(row), first + column);
            for row in 0..operation.rows() {
                for column in area.columns.0..area.columns.1 {
                    if init && memory.word((lane_of(row), column)).1 == u32::MAX {
                        return Err(format!(
                            "nobody wrote lane {} of column {column}",
                            lane_of(row)
                        ));
                    }
                }
            }
            operation.positions(|row, column| memory.word(place(row, column)).0)?
        }
    };
    let part_first = part as usize * width;
    let words = areas.scales.map(|scales| {
        let lines = [(0, operation.rows()), (part_first, width)];
        [Side::A, Side::B].map(|side| -> Vec<u32> {
            let index = usize::from(side == Side::B);
            let (area, (first, count)) = (scales[index], lines[index]);
            let of_line = |line: usize| {
                let (lane, column) = operation.scale_place(side, line);
                memory.word((area.lanes.0 + lane, area.columns.0 + column))
            };
            let words: Vec<(u32, u32)> = (first..first + count).map(of_line).collect();
            // A sum with factors that nobody wrote is not defined.
            is_nothing |= init && words.iter().any(|(_, undefined)| *undefined == u32::MAX);
            words.into_iter().map(|(word, _)| word).collect()
        })
    });
    let places: Vec<(u32, u32)> = (0..operation.rows())
        .flat_map(|row| {
            let lane = lane_of(row);
            (0..width as u32).map(move |column| (lane, areas.d.columns.0 + column))
        })
        .collect();
    let old: Vec<u64> = match adds {
        true => places
            .iter()
            .map(|place| u64::from(memory.word(*place).0))
            .collect(),
        false => vec![0; places.len()],
    };
    let per_line = b.len() / operation.columns();
    let factors = TensorFactors {
        a,
        b: &b[part_first * per_line..(part_first + width) * per_line],
        met: met.as_deref(),
        scales: words.as_ref().map(|[of_a, of_b]| [&of_a[..], &of_b[..]]),
    };
    let new = operation.run(&factors, &old);
    let written = places.into_iter().zip(new).map(|(place, value)| {
        let undefined = match (is_nothing, adds) {
            (true, _) => u32::MAX,
            (false, true) => memory.word(place).1,
            (false, false) => 0,
        };
        (place, value as u32, undefined)
    });
    Ok(written.collect())
}

/// The bytes of pieces of a matrix, and whether any of them is defined. They are marked until the product or copy is over.
fn fetched(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    (addresses, (side, matrix)): (&[u32], (Side, &SharedMatrix)),
    (owner, of, lane): (reads::Owner, u32, usize),
) -> Outcome<(Vec<u8>, bool)> {
    let mut bytes = Vec::with_capacity(addresses.len() * PIECE as usize);
    let mut any_defined = false;
    for address in addresses {
        let touch = Touch {
            access: Access::Read,
            space: Space::Shared,
            address: match of == warp.identity.rank {
                true => u64::from(*address),
                false => crate::address::of_rank(u64::from(*address), of),
            },
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

/// `tcgen05.cp`: each block copies its own shared memory to its own tensor memory.
pub(super) fn copied(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    (copy, pair): (TensorCopy, bool),
    (at, from): (Addr, Src),
    lane: usize,
) -> Outcome<()> {
    let address = value(warp, env, shared, at.base, lane).wrapping_add_signed(at.offset) as u32;
    let matrix = SharedMatrix::of_tensor(value(warp, env, shared, from, lane))
        .map_err(|why| invalid(lane, "the descriptor of the source", why))?;
    let column = address & 0xffff;
    let area = Area {
        lanes: (address >> 16, (address >> 16) + 128),
        half: Half::Both,
        columns: (column, column + copy.pieces * 4),
    };
    let step = here(warp);
    let thread = thread_of(warp, env, lane);
    let ranks = ranks(warp, env, pair, lane)?;
    let number = memory(shared, warp).next_product();
    let owner = (flights::of_thread(thread), number, step);
    let addresses: Vec<u32> = (0..copy.rows)
        .flat_map(|row| (0..copy.pieces).map(move |piece| matrix.piece(Major::K, row, piece)))
        .collect();
    for rank in ranks {
        let memory = &shared.tensor[rank as usize];
        memory
            .check(area)
            .map_err(|message| other(lane, message, ALLOCATED_HELP))?;
        if let Some(store) = memory.stored_by(area) {
            return Err(store_not_waited(env, store, lane));
        }
        let from = (&addresses[..], (Side::A, &matrix));
        let (bytes, any_defined) = fetched(warp, env, shared, from, (owner, rank, lane))?;
        let undefined = if env.init && !any_defined {
            u32::MAX
        } else {
            0
        };
        let words = bytes.as_chunks::<4>().0;
        let memory = &mut shared.tensor[rank as usize];
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
            sources: Vec::new(),
            commits: Vec::new(),
        });
    }
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
