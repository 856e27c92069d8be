//! What a kernel's directives say of its launches, as the attributes of its cubin: the driver refuses other launches, and
//! starts clusters by them.

use warpc_cubin::Record;
use warpc_cubin::attribute::info as at;
use warpc_ptx::module::Function;

/// The attributes of a kernel's directives.
pub(crate) fn attributes(kernel: &Function) -> Vec<Record> {
    let mut all = Vec::new();
    for directive in &kernel.directives {
        let words: Vec<u32> = directive.values.iter().map(|one| one.bits as u32).collect();
        // Sizes that are not written are 1.
        let three = || {
            let size = |axis: usize| words.get(axis).copied().unwrap_or(1);
            [size(0), size(1), size(2)]
        };
        all.push(match directive.name {
            ".maxntid" => Record::words(at::MAX_THREADS, &three()),
            ".reqntid" => Record::words(at::REQNTID, &three()),
            ".reqnctapercluster" => Record::words(at::CTA_PER_CLUSTER, &three()),
            ".maxclusterrank" => Record::words(at::MAX_CLUSTER_RANK, &words),
            ".explicitcluster" => Record::flag(at::EXPLICIT_CLUSTER),
            ".blocksareclusters" => Record::flag(at::BLOCKS_ARE_CLUSTERS),
            _ => continue,
        });
    }
    if let Some(most) = registers(kernel) {
        all.push(Record::half(at::MAXREG_COUNT, most.min(0xff) as u16));
    }
    all
}

/// The registers of a quarter of a multiprocessor, to which every fourth warp belongs, and the lanes of a warp.
const REGISTERS: u64 = 16_384;
const QUARTERS: u64 = 4;
const LANES: u64 = 32;
/// Registers of a thread are counted in steps of so many.
const STEP: u64 = 8;

/// How many registers a thread may have so that as many blocks as the directives want are there at a time; nothing if they
/// say nothing of it.
pub(crate) fn registers(kernel: &Function) -> Option<u64> {
    let product = |name: &str| {
        let directive = kernel.directives.iter().find(|one| one.name == name)?;
        let values = directive.values.iter().map(|value| value.bits);
        Some(values.fold(1, u64::saturating_mul).max(1))
    };
    let threads = product(".maxntid").or_else(|| product(".reqntid"));
    let by_threads = threads.map(|threads| {
        let blocks = product(".minnctapersm").unwrap_or(1);
        let warps = threads.div_ceil(LANES).saturating_mul(blocks);
        let each = REGISTERS / warps.div_ceil(QUARTERS).saturating_mul(LANES).max(1);
        (each / STEP * STEP).max(16)
    });
    match (product(".maxnreg"), by_threads) {
        (Some(most), Some(other)) => Some(most.min(other)),
        (most, other) => most.or(other),
    }
}
