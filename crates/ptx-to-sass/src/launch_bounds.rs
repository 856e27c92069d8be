//! What a kernel's directives say of its launches, as the attributes of its cubin: the driver refuses other launches, and
//! starts clusters by them.

use crate::options::Bounds;
use warpc_cubin::Record;
use warpc_cubin::attribute::info as at;
use warpc_ptx::module::Function;

/// The attributes of a kernel's directives.
pub(crate) fn attributes(kernel: &Function, bounds: &Bounds) -> Vec<Record> {
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
    if let Some(most) = bounds.registers_of(kernel) {
        all.push(Record::half(at::MAXREG_COUNT, most.min(0xff) as u16));
    }
    all
}
