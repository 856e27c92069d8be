//! What the threads of a warp do together.

use crate::code::Arg;
use crate::select::Selector;
use crate::select::intrinsic::row::{Row, effect, effect_by};
use crate::unit::Refused;
use warpc_diag::codes;
use warpc_nvvm::value::InstId;

// All of them meet other threads, so none may vanish or move.
pub(in crate::select::intrinsic) static ROWS: &[Row] = &[
    effect("activemask", "activemask.b32 %d"),
    effect("elect.sync", "elect.sync %d0|%d1, %0"),
    effect(
        "shfl.sync.{up,down,bfly,idx}.{i32,f32}",
        "shfl.sync.$1.b32 %d, %1, %2, %3, %0",
    ),
    effect(
        "shfl.sync.{up,down,bfly,idx}.{i32p,f32p}",
        "shfl.sync.$1.b32 %d0|%d1, %1, %2, %3, %0",
    ),
    // libNVVM's forms with the mode as an argument.
    effect(
        "shfl.sync.i32",
        "shfl.sync(=1:0=.idx,1=.up,2=.down,3=.bfly).b32 %d0|%d1, %2, %3, %4, %0",
    ),
    effect_by("vote.sync", vote),
    // The old forms are between the threads that run now.
    effect(
        "shfl.{up,down,bfly,idx}.{i32,f32}",
        "activemask.b32 %t0; shfl.sync.$1.b32 %d, %0, %1, %2, %t0 || shfl.$1.b32 %d, %0, %1, %2",
    ),
    effect(
        "shfl.{up,down,bfly,idx}.{i32p,f32p}",
        "activemask.b32 %t0; shfl.sync.$1.b32 %d0|%d1, %0, %1, %2, %t0 || shfl.$1.b32 %d0|%d1, %0, %1, %2",
    ),
    effect("vote.{all,any,uni}.sync", "vote.sync.$1.pred %d, %1, %0"),
    effect("vote.ballot.sync", "vote.sync.ballot.b32 %d, %1, %0"),
    effect(
        "vote.{all,any,uni}",
        "activemask.b32 %t0; vote.sync.$1.pred %d, %0, %t0 || vote.$1.pred %d, %0",
    ),
    effect(
        "vote.ballot",
        "activemask.b32 %t0; vote.sync.ballot.b32 %d, %0, %t0 || vote.ballot.b32 %d, %0",
    ),
    effect(
        "match.any.sync.{i32:b32,i64:b64}",
        "match.any.sync.$1 %d, %1, %0",
    ),
    effect(
        "match.all.sync.{i32p:b32,i64p:b64}",
        "match.all.sync.$1 %d0|%d1, %1, %0",
    ),
    effect(
        "redux.sync.{add:add.s32,min:min.s32,max:max.s32,umin:min.u32,umax:max.u32,and:and.b32,or:or.b32,xor:xor.b32}",
        "redux.sync.$1 %d, %0, %1",
    ),
    effect(
        "redux.sync.f{min,max}[.abs][.NaN]",
        "redux.sync.$1$2$3.f32 %d, %0, %1",
    ),
    effect(
        "setmaxnreg.{inc,dec}.sync.aligned.u32",
        "setmaxnreg.$1.sync.aligned.u32 %0",
    ),
    effect("wgmma.fence.sync.aligned", "wgmma.fence.sync.aligned"),
    effect(
        "wgmma.commit_group.sync.aligned",
        "wgmma.commit_group.sync.aligned",
    ),
    effect(
        "wgmma.wait_group.sync.aligned",
        "wgmma.wait_group.sync.aligned %0",
    ),
];

/// `vote.sync(mask, mode, predicate)` gives a mask and a truth value, of which the mode fills one.
fn vote(selector: &mut Selector, inst: InstId, _: &str, _: &[&str]) -> Result<(), Refused> {
    let args = selector.call_args(inst);
    let &[mask, mode, predicate] = &args[..] else {
        return Err(selector.unsupported(inst));
    };
    let &[ballot, answer] = &selector.results(inst)?[..] else {
        return Err(selector.unsupported(inst));
    };
    let mask = selector.argument(mask)?[0];
    let predicate = selector.argument(predicate)?[0];
    let (mnemonic, to, other) = match selector.integer(mode) {
        Some(0) => ("vote.sync.all.pred", answer, ballot),
        Some(1) => ("vote.sync.any.pred", answer, ballot),
        Some(2) => ("vote.sync.uni.pred", answer, ballot),
        Some(3) => ("vote.sync.ballot.b32", ballot, answer),
        _ => {
            let message = "the mode of `llvm.nvvm.vote.sync` must be a constant from 0 to 3";
            return Err(selector.refuse(codes::UNSUPPORTED, message));
        }
    };
    selector.emit(mnemonic, &[to.into(), predicate, mask])?;
    selector.copy(other, Arg::Int(0))
}
