//! The passes from PTX to machine code, in order.
//!
//! | pass | does | from |
//! |---|---|---|
//! | `build` | PTX to machine instructions over virtual registers (`crate::build`; phase 42) | `-O0` |
//! | `order_fences` | fences where a kernel has mbarriers (phase 25) | `-O0` |
//! | `opt_barriers` | barriers of the block that do nothing go (phase 26) | `-O1` |
//! | `split_webs` | a register that is written several times becomes several | `-O1` |
//! | `coalesce` | elements become lanes of tuples: of accumulators first, of others before registers are assigned | `-O0` |
//! | `opt_copies` | copies and numbers go to who reads them | `-O1` |
//! | `opt_latches` | what loops do on the way back is done before the branch that leaves them | `-O1` |
//! | `opt_unroll` | rounds of counted loops one after the other | `-O1` |
//! | `opt_contract` | products and sums become one instruction with one rounding, if asked for (`Options::contract`) | `-O1` |
//! | `opt_fold` | what is known is not computed | `-O1` |
//! | `opt_gvn` | what was computed before is not computed again | `-O1` |
//! | `opt_fuse` | two instructions become one | `-O1` |
//! | `opt_address` | what is added to an address goes into the instruction | `-O1` |
//! | `opt_local` | variables of the frame become registers | `-O1` |
//! | `opt_memory` | what was loaded or stored before is not loaded again | `-O1` |
//! | `opt_vectorize` | neighbouring loads and stores become one | `-O1` |
//! | `opt_dce` | what nobody needs goes | `-O1` |
//! | `opt_hoist` | what is the same in each round of a loop is computed before it | `-O1` |
//! | `opt_blocks` | branches go where they end up, blocks that follow each other become one | `-O1` |
//! | `opt_if_convert` | short sides of branches become guarded instructions | `-O1` |
//! | `opt_guarded_moves` | what is moved under its guard is computed in its place | `-O1` |
//! | `opt_uniform` | what is the same for the whole warp goes to uniform registers | `-O1` |
//! | `opt_one_by_one` | loops over the operands of threads go where all have the same | `-O1` |
//! | `opt_blocks` | branches go where they end up, blocks that follow each other become one | `-O1` |
//! | `opt_if_convert` | short sides of branches become guarded instructions | `-O1` |
//! | `opt_member_masks` | waits for lanes of a constant mask, and waits twice, become simpler | `-O1` |
//! | `opt_unread_atomics` | atomic operations whose result nobody reads have none | `-O1` |
//! | `opt_aggregate_atomics` | atomic operations of a warp at one address become one | `-O1` |
//! | `sink_values` | what needs a register is computed where it is read | `-O1` |
//! | `sink_constants` | constants are made where they are read | `-O1` |
//! | `opt_recompute` | what is cheap is computed again where registers are short | `-O1` |
//! | `converge` | convergence barriers where lanes part and meet (phase 72) | `-O0` |
//! | `schedule_latency` | the order of instructions in a block | `-O1` |
//! | `opt_sync` | the warp is not brought together where it is, fences that do nothing go (phase 71) | `-O1` |
//! | `opt_zero_pairs` | zeros of two lanes are written by one instruction | `-O1` |
//! | `group_waits` | nobody touches products of a warpgroup that are under way | `-O0` |
//! | `assign_registers` | registers of the machine | `-O0` |
//! | `balance_pipes` | moves, sums and shifts take the pipe that is free | `-O1` |
//! | `place_cold` | what is seldom executed stands after the rest | `-O1` |
//! | `spill` | values without a register to local memory, and registers again | `-O0` |
//! | `enter_frame` | the stack (phase 99) | `-O0` |
//! | `errors_at_exit` | errors are waited for at the end, if asked for (phase 100) | `-O0` |
//! | `emit` | instructions in order (`crate::emit`) | `-O0` |
//! | `schedule` | control words (phase 114) | `-O0` |
//! | `assign_reuse` | sources that stay in the operand cache | `-O1` |

pub mod alone;
pub mod assign_registers;
pub mod assign_reuse;
pub mod balance_pipes;
pub mod coalesce;
pub mod converge;
pub mod enter_frame;
pub mod errors_at_exit;
pub mod group_waits;
mod opt_address;
mod opt_aggregate_atomics;
mod opt_barriers;
mod opt_blocks;
mod opt_contract;
mod opt_copies;
mod opt_dce;
mod opt_fences;
mod opt_fold;
mod opt_fuse;
mod opt_guarded_moves;
mod opt_gvn;
mod opt_hoist;
mod opt_if_convert;
mod opt_latches;
mod opt_local;
mod opt_member_masks;
mod opt_memory;
mod opt_one_by_one;
mod opt_recompute;
pub(crate) mod opt_sync;
mod opt_uniform;
mod opt_unread_atomics;
mod opt_unroll;
mod opt_vectorize;
pub(crate) mod opt_zero_pairs;
pub mod order_fences;
mod place_cold;
pub mod schedule;
pub(crate) mod schedule_latency;
mod sink_constants;
mod sink_values;
pub mod spill;
mod split_webs;
mod waiting;

pub(crate) use opt_dce::{is_pure, names_registers, writes_named};
pub(crate) use opt_fuse::WideSum;

use crate::ir::Function;
use assign_registers::Limits;

/// A pass over a function: its name, which is that of its file and of `--print-after`, and what it does.
pub(crate) struct Pass {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&mut Function, &Limits),
}

/// Passes that make code smaller, before lanes are brought together.
pub(crate) const OPTIMISE: &[Pass] = &[
    opt_barriers::PASS,
    split_webs::PASS,
    opt_copies::PASS,
    // What nobody reads would be copied; blocks that follow each other are one.
    opt_dce::PASS,
    opt_blocks::PASS,
    opt_latches::PASS,
    opt_unroll::PASS,
    // Before equal products become one: only some of them may be contracted.
    opt_contract::PASS,
    opt_fold::PASS,
    opt_gvn::PASS,
    // What was read twice may be read once now.
    opt_dce::PASS,
    opt_local::PASS,
    opt_fuse::PASS,
    // Predicates that were turned round.
    opt_fold::PASS,
    opt_address::PASS,
    opt_memory::PASS,
    opt_vectorize::PASS,
    opt_copies::LATE,
    opt_one_by_one::PASS,
    opt_dce::PASS,
    // When it is known what is left.
    opt_hoist::PASS,
    opt_blocks::PASS,
    opt_if_convert::PASS,
    // Blocks that a side was between are one, and may be a side themselves.
    opt_blocks::PASS,
    opt_if_convert::PASS,
    opt_blocks::PASS,
    // Sides that compute something have guards now.
    opt_guarded_moves::PASS,
    // When it is known who reads what.
    opt_uniform::PASS,
    opt_member_masks::PASS,
    opt_unread_atomics::PASS,
    // After sides got guards, which go into the vote: what lanes do together cannot be on a side that gets one.
    opt_aggregate_atomics::PASS,
    sink_values::PASS,
    sink_constants::PASS,
    // What is live is as it stays now.
    opt_recompute::PASS,
];

/// Passes that move instructions, after lanes are brought together.
pub(crate) const ORDER: &[Pass] = &[schedule_latency::PASS];

/// Passes when the order is fixed.
pub(crate) const SYNC: &[Pass] = &[opt_sync::PASS];

/// Passes for registers of several lanes, when elements lie in them.
pub(crate) const TUPLES: &[Pass] = &[opt_zero_pairs::PASS];

/// Passes that move blocks, when registers are known.
pub(crate) const PLACE: &[Pass] = &[place_cold::PASS];

/// The names of the passes that may be left out ([`crate::ChosenPasses`]), each once.
pub fn optional() -> impl Iterator<Item = &'static str> {
    let listed = || {
        let before = OPTIMISE.iter().chain(ORDER).chain(SYNC);
        before.chain(TUPLES).chain(PLACE)
    };
    listed().enumerate().filter_map(move |(place, pass)| {
        let is_first = listed().take(place).all(|before| before.name != pass.name);
        is_first.then_some(pass.name)
    })
}

/// The names of all passes, each once, in the order in which they run first.
pub fn names() -> impl Iterator<Item = &'static str> {
    let each = |passes: &'static [Pass]| passes.iter().map(|pass| pass.name);
    let all = ["build", "order_fences", "coalesce"]
        .into_iter()
        .chain(each(OPTIMISE))
        .chain(["converge"])
        .chain(each(ORDER))
        .chain(each(SYNC))
        .chain(each(TUPLES))
        .chain([
            "group_waits",
            "balance_pipes",
            "place_cold",
            "assign_registers",
            "enter_frame",
            "errors_at_exit",
            "schedule",
            "assign_reuse",
        ]);
    let mut known: Vec<&'static str> = Vec::new();
    for name in all {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    known.into_iter()
}
