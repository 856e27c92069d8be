//! Marks of the life of stack memory with a size, as they were before LLVM 22.
//!
//! ```text
//!   call void @llvm.lifetime.start.p0(i64 4, ptr %x)  ►  call void @llvm.lifetime.start.p0(ptr %a)
//! ```
//!
//! where `%x` is the `alloca` `%a` after casts. A mark on anything else says nothing, and goes.

use crate::function::{Body, Def};
use crate::inst::{CastOp, Op};
use crate::module::{GlobalId, Module};
use crate::types::Type;
use crate::value::Value;

/// The name without address space, if an intrinsic is such a mark with a size.
pub(super) fn sized_mark(module: &Module, id: GlobalId, name: &[u8]) -> Option<&'static str> {
    let stem = ["llvm.lifetime.start", "llvm.lifetime.end"]
        .into_iter()
        .find(|stem| match name.strip_prefix(stem.as_bytes()) {
            Some(rest) => rest.is_empty() || rest.starts_with(b"."),
            None => false,
        })?;
    let (_, params, _) = module.types.signature(module.globals[id].value_ty)?;
    (params.len() == 2).then_some(stem)
}

/// The `alloca` after casts and steps of zero, and its address space.
pub(super) fn marked(module: &Module, body: &Body, address: Value) -> Option<(Value, u32)> {
    let mut value = address;
    // Bounded, for code that cannot be reached may go in circles.
    for _ in 0..body.insts.len() {
        let local = value.local()?;
        let Def::Inst(inst) = body.locals[local].def else {
            return None;
        };
        let operands = body.operands(inst);
        match body.insts[inst].op {
            Op::Alloca { .. } => {
                return match module.types.get(body.locals[local].ty) {
                    Type::Ptr(space) => Some((value, space)),
                    _ => None,
                };
            }
            Op::Cast(CastOp::Bitcast | CastOp::Addrspacecast) => value = *operands.first()?,
            Op::Gep { .. } => {
                let (&base, indices) = operands.split_first()?;
                let zero = |index: &Value| {
                    index
                        .constant()
                        .is_some_and(|index| module.constants.is_zero(index))
                };
                if !indices.iter().all(zero) {
                    return None;
                }
                value = base;
            }
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    /// The expectation is what `llvm-as-22` makes of it.
    #[test]
    fn marks_lose_their_size_and_stay_on_stack_memory() {
        let text = "\
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.start.p5(i64, ptr addrspace(5))
declare void @llvm.lifetime.end.p0i8(i64, i8*)
define void @f(ptr %q) {
  %a = alloca [4 x i8], align 1
  %b = addrspacecast ptr %a to ptr addrspace(5)
  %c = getelementptr i8, ptr %a, i64 0
  %d = getelementptr i8, ptr %a, i64 1
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %a)
  call void @llvm.lifetime.start.p5(i64 4, ptr addrspace(5) %b)
  call void @llvm.lifetime.start.p0(i64 4, ptr %c)
  call void @llvm.lifetime.start.p0(i64 4, ptr %d)
  call void @llvm.lifetime.start.p0(i64 4, ptr %q)
  call void @llvm.lifetime.end.p0i8(i64 -1, ptr %c)
  ret void
}
";
        let file = warpc_diag::SourceFile::new("old.ll", text).expect("a short text");
        let mut module = crate::read_text(&file).unwrap();
        crate::upgrade_intrinsics(&mut module);
        let printed = crate::print(&module);
        let calls: Vec<&str> = printed
            .lines()
            .filter(|line| line.contains("lifetime"))
            .map(str::trim)
            .collect();
        let start = "call void @llvm.lifetime.start.p0(ptr %a)";
        let expected = [
            start,
            start,
            start,
            "call void @llvm.lifetime.end.p0(ptr %a)",
            "declare void @llvm.lifetime.start.p0(ptr)",
            "declare void @llvm.lifetime.end.p0(ptr)",
        ];
        assert_eq!(calls, expected);
    }
}
