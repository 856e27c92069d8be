//! Builtins 351 to 369. Votes and matches of a warp, and what stands between them in the numbering.

use super::row;
use crate::Builtin;
use crate::Category::{Unlisted, VoteMatch};
use crate::Source::{Page, Reference, Unknown};

#[rustfmt::skip]
pub(super) static ROWS: [Builtin; 19] = [
    row(351, "__nvvm_vote_all", VoteMatch, 0, "i32(i32)", Reference),
    row(352, "__nvvm_vote_any", VoteMatch, 0, "i32(i32)", Reference),
    row(353, "__nvvm_vote_uni", VoteMatch, 0, "i32(i32)", Reference),
    row(354, "__nvvm_vote_ballot", VoteMatch, 0, "u32(i32)", Reference),
    row(355, "__nvvm_vote_all_sync", VoteMatch, 30, "i32(u32,i32)", Reference),
    row(356, "__nvvm_vote_any_sync", VoteMatch, 30, "i32(u32,i32)", Reference),
    row(357, "__nvvm_vote_uni_sync", VoteMatch, 30, "i32(u32,i32)", Reference),
    row(358, "__nvvm_vote_ballot_sync", VoteMatch, 30, "u32(u32,i32)", Reference),
    row(359, "reserved_359", Unlisted, 0, "", Unknown),
    row(360, "reserved_360", Unlisted, 0, "", Unknown),
    row(361, "__match32_any_sync", VoteMatch, 70, "u32(u32,u32)", Page("warp")),
    row(362, "__match64_any_sync", VoteMatch, 70, "u32(u32,u64)", Page("warp")),
    row(363, "__match32_all_sync", VoteMatch, 70, "u32(u32,u32,i32*)", Page("warp")),
    row(364, "__match64_all_sync", VoteMatch, 70, "u32(u32,u64,i32*)", Page("warp")),
    row(365, "__nv_cluster_map_shared_rank_impl", Unlisted, 90, "void*(const void*,u32)", Page("barriers")),
    row(366, "__nv_atomic_thread_fence", Unlisted, 0, "void(i32,i32)", Reference),
    row(367, "__nv_memcpy_async_shared_global_4_impl", Unlisted, 80, "void(void*,const void*,u32)", Page("barriers")),
    row(368, "__nv_memcpy_async_shared_global_8_impl", Unlisted, 80, "void(void*,const void*,u32)", Page("barriers")),
    row(369, "__nv_memcpy_async_shared_global_16_impl", Unlisted, 80, "void(void*,const void*,u32)", Page("barriers")),
];
