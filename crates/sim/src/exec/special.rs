//! What special registers hold.
//!
//! Clocks count the steps of the group, so that a run is the same every time. The machine has as
//! many multiprocessors as the grid has blocks, up to the H200's 132.

use super::Env;
use super::frame::Around;
use crate::special::Special;

/// Multiprocessors of the machine that is played.
pub(crate) const MULTIPROCESSORS: u32 = 132;
/// Warps that a multiprocessor holds.
pub(crate) const RESIDENT_WARPS: u32 = 64;
/// Blocks that a multiprocessor holds.
pub(crate) const RESIDENT_BLOCKS: u32 = 32;
/// Bytes of the system's part of shared memory that the system makes use of.
const RESERVED_IN_USE: u32 = 0x120;
/// Blocks get shared memory in multiples of so many bytes.
const SHARED_UNIT: u32 = 128;
/// Nanoseconds that a step takes for `%globaltimer`.
const NANOSECONDS: u64 = 1;

fn number(at: [u32; 3], of: [u32; 3]) -> u32 {
    at[0].wrapping_add(of[0].wrapping_mul(at[1].wrapping_add(of[1].wrapping_mul(at[2]))))
}

/// The thread's position in its block, from its number.
pub(crate) fn thread(env: &Env<'_>, number: u32) -> [u32; 3] {
    let [x, y, _] = env.block;
    [number % x, number / x % y, number / (x * y)]
}

/// Element x to z of a position; w is zero.
fn element(of: [u32; 3], index: u8, fourth: u32) -> u64 {
    u64::from(of.get(usize::from(index)).copied().unwrap_or(fourth))
}

pub(super) fn value(register: Special, lane: usize, around: Around<'_>) -> u64 {
    let (env, who) = (around.env, around.identity);
    let lane = lane as u32;
    let divide = |a: [u32; 3], b: [u32; 3]| [a[0] / b[0], a[1] / b[1], a[2] / b[2]];
    let within = |a: [u32; 3], b: [u32; 3]| [a[0] % b[0], a[1] % b[1], a[2] % b[2]];
    match register {
        Special::Tid(i) => element(thread(env, who.warp * 32 + lane), i, 0),
        Special::Ntid(i) => element(env.block, i, 0),
        Special::Laneid => u64::from(lane),
        Special::Warpid => u64::from(who.warp),
        Special::Nwarpid => u64::from(RESIDENT_WARPS),
        Special::Ctaid(i) => element(who.block, i, 0),
        Special::Nctaid(i) => element(env.grid, i, 0),
        Special::Smid => u64::from(number(who.block, env.grid) % MULTIPROCESSORS),
        Special::Nsmid => u64::from(MULTIPROCESSORS),
        Special::Gridid => 1,
        Special::IsExplicitCluster => u64::from(env.explicit_cluster),
        Special::Clusterid(i) => element(divide(who.block, env.cluster), i, 0),
        Special::Nclusterid(i) => element(divide(env.grid, env.cluster), i, 0),
        Special::ClusterCtaid(i) => element(within(who.block, env.cluster), i, 0),
        Special::ClusterNctaid(i) => element(env.cluster, i, 0),
        Special::ClusterCtarank => u64::from(who.rank),
        Special::ClusterNctarank => u64::from(env.blocks_in_cluster()),
        Special::LanemaskEq => 1 << lane,
        Special::LanemaskLe => (2 << lane) - 1,
        Special::LanemaskLt => (1 << lane) - 1,
        Special::LanemaskGe => u64::from(u32::MAX << lane),
        Special::LanemaskGt => u64::from(u32::MAX) & !((2 << lane) - 1),
        Special::Clock => around.clock & 0xffff_ffff,
        Special::ClockHi => around.clock >> 32,
        Special::Clock64 => around.clock,
        // The driver puts the address of the grid's workspace there, the upper half first.
        Special::Environment(1) => env.workspace.address() >> 32,
        Special::Environment(2) => env.workspace.address() & 0xffff_ffff,
        Special::Environment(_) | Special::Zero => 0,
        Special::Globaltimer => around.clock * NANOSECONDS,
        Special::GlobaltimerLo => (around.clock * NANOSECONDS) & 0xffff_ffff,
        Special::GlobaltimerHi => (around.clock * NANOSECONDS) >> 32,
        Special::ReservedSmemBegin => 0,
        Special::ReservedSmemEnd => u64::from(RESERVED_IN_USE.min(env.program.shared_begin)),
        Special::ReservedSmemCap => u64::from(env.program.shared_begin),
        Special::TotalSmemSize => u64::from(env.shared_bytes().next_multiple_of(SHARED_UNIT)),
        Special::AggrSmemSize => u64::from(env.program.shared_begin + env.shared_bytes()),
        Special::DynamicSmemSize => u64::from(env.dynamic_shared),
    }
}
