//! Lowers calls of the routines that NVIDIA's assembler has for warps and barriers to intrinsics.
//!
//! They are not in any header, but code that was made from PTX has them. The names follow patterns, and each stands for
//! an intrinsic with the same arguments:
//!
//! | name | intrinsic |
//! |---|---|
//! | `__cuda_sm70_barrier_{sync,arrive,red_and,red_or,red_popc}_N`, N from 0 to 15 | `barrier.cta.….all` of barrier N |
//! | the same with `_cnt` after | `barrier.cta.….count` of barrier N |
//! | `__cuda_sm70_votesync_{all,any,uni,ballot}` | `vote.….sync` |
//! | `__cuda_sm70_shflsync_{idx,up,down,bfly}`, with `_pred` after or not | `shfl.sync.….i32`, `….i32p` |
//! | `__cuda_sm70_matchsync_{any,all}_{b32,b64}` | `match.….sync.…` |
//! | `__cuda_sm70_warpsync` | `bar.warp.sync` |
//! | `__cuda_reduxsync_TYPE_OP`, 17 of them | `redux.sync.…` |
//!
//! Predicates may be `i1` or integers, of which zero is false. PTX has no arrival without a count: such a one counts all
//! threads of the block, in whole warps. A function of such a name that the module defines is left alone.

use crate::edit::{Action, Editor, edit_bodies};
use crate::pass::Context;
use warpc_diag::{Diagnostic, Span, codes};
use warpc_model::Redux;
use warpc_nvvm::Module;
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::{BinaryOp, CastOp, IcmpPredicate, Op};
use warpc_nvvm::module::GlobalKind;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{InstId, Value};

pub(super) fn run(module: &mut Module, context: &mut Context) {
    edit_bodies(module, |editor| {
        if !editor.any(|module, body, inst| routine(module, body, inst).is_some()) {
            return;
        }
        editor.rewrite(|editor, inst| {
            let Some((name, routine)) = routine(editor.module, editor.body, inst) else {
                return Action::Keep;
            };
            match call(editor, &routine, inst) {
                Some(action) => action,
                None => {
                    let pos = editor.pos();
                    let message = format!("`{name}` is not called with its types");
                    let span = Span::new(pos, pos + 1);
                    let error = Diagnostic::error(codes::BUILTIN_CALL, span, message);
                    let help = format!("its arguments are those of `llvm.nvvm.{}`", routine.name);
                    context.found.push(error.help(help));
                    Action::Keep
                }
            }
        });
    });
}

/// A type in a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    I32,
    I64,
    F32,
    /// `i1`, or an integer.
    Truth,
}

/// An intrinsic that a routine stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Routine {
    /// Its name after `llvm.nvvm.`.
    name: String,
    /// The number of the barrier: a first argument that the routine has in its name.
    barrier: Option<u32>,
    /// Whether the number of all threads stands after the number of the barrier.
    counts_all: bool,
    params: Vec<Shape>,
    results: Vec<Shape>,
}

impl Routine {
    fn new(name: String, params: &[Shape], results: &[Shape]) -> Routine {
        Routine {
            name,
            barrier: None,
            counts_all: false,
            params: params.to_vec(),
            results: results.to_vec(),
        }
    }

    /// The routine of a name.
    fn find(name: &str) -> Option<Routine> {
        use Shape::*;
        if let Some(redux) = Redux::from_routine_name(name) {
            let value = match redux.ty {
                warpc_model::ReduxType::F32 => F32,
                _ => I32,
            };
            let name = format!("redux.sync.{}", redux.llvm_name());
            return Some(Routine::new(name, &[value, I32], &[value]));
        }
        let name = name.strip_prefix("__cuda_sm70_")?;
        if name == "warpsync" {
            return Some(Routine::new("bar.warp.sync".into(), &[I32], &[]));
        }
        let (family, rest) = name.split_once('_')?;
        Some(match (family, rest) {
            ("barrier", _) => return Routine::barrier(rest),
            ("votesync", "all" | "any" | "uni") => {
                Routine::new(format!("vote.{rest}.sync"), &[I32, Truth], &[Truth])
            }
            ("votesync", "ballot") => {
                Routine::new("vote.ballot.sync".into(), &[I32, Truth], &[I32])
            }
            ("shflsync", _) => {
                let (mode, letter, results) = match rest.strip_suffix("_pred") {
                    Some(mode) => (mode, "p", &[I32, Truth][..]),
                    None => (rest, "", &[I32][..]),
                };
                if !matches!(mode, "idx" | "up" | "down" | "bfly") {
                    return None;
                }
                let name = format!("shfl.sync.{mode}.i32{letter}");
                Routine::new(name, &[I32; 4], results)
            }
            ("matchsync", _) => {
                let (which, width) = rest.split_once('_')?;
                let (bits, value) = match width {
                    "b32" => ("i32", I32),
                    "b64" => ("i64", I64),
                    _ => return None,
                };
                let (letter, results) = match which {
                    "any" => ("", &[I32][..]),
                    "all" => ("p", &[I32, Truth][..]),
                    _ => return None,
                };
                let name = format!("match.{which}.sync.{bits}{letter}");
                Routine::new(name, &[I32, value], results)
            }
            _ => return None,
        })
    }

    /// `sync_3`, `red_popc_15_cnt`
    fn barrier(rest: &str) -> Option<Routine> {
        use Shape::*;
        let (rest, has_count) = match rest.strip_suffix("_cnt") {
            Some(rest) => (rest, true),
            None => (rest, false),
        };
        let (what, number) = rest.rsplit_once('_')?;
        let index: u32 = number.parse().ok()?;
        if index > 15 || number != index.to_string() {
            return None;
        }
        let (what, results): (_, &[Shape]) = match what {
            "sync" | "arrive" => (what, &[]),
            "red_and" => ("red.and", &[Truth]),
            "red_or" => ("red.or", &[Truth]),
            "red_popc" => ("red.popc", &[I32]),
            _ => return None,
        };
        let mut params = if has_count { vec![I32] } else { Vec::new() };
        if !results.is_empty() {
            params.push(Truth);
        }
        let counts_all = what == "arrive" && !has_count;
        let extent = if has_count || counts_all {
            "count"
        } else {
            "all"
        };
        Some(Routine {
            barrier: Some(index),
            counts_all,
            ..Routine::new(format!("barrier.cta.{what}.{extent}"), &params, results)
        })
    }
}

impl Shape {
    /// The type in LLVM IR; truths are integers, as PTX passes them to functions.
    fn ir(self) -> &'static str {
        match self {
            Shape::I32 | Shape::Truth => "i32",
            Shape::I64 => "i64",
            Shape::F32 => "float",
        }
    }
}

/// LLVM IR that defines a function as a call of a routine; nothing if there is no routine of this name. Two results are
/// the fields of a structure.
///
/// ```
/// let ir = warpc_lower::assembler_routine("__cuda_sm70_warpsync", "f").unwrap();
/// assert!(ir.contains("define void @f(i32 %0)"));
/// ```
pub fn assembler_routine(name: &str, function: &str) -> Option<String> {
    let routine = Routine::find(name)?;
    let results: Vec<&str> = routine.results.iter().map(|shape| shape.ir()).collect();
    let result = match results[..] {
        [] => "void".to_owned(),
        [one] => one.to_owned(),
        _ => format!("{{ {} }}", results.join(", ")),
    };
    let params = routine.params.iter().map(|shape| shape.ir());
    let types = params.clone().collect::<Vec<_>>().join(", ");
    let params = params
        .enumerate()
        .map(|(number, ty)| format!("{ty} %{number}"));
    let params = params.collect::<Vec<_>>().join(", ");
    let (kept, returned) = match &*result {
        "void" => ("", "void".to_owned()),
        _ => ("%r = ", format!("{result} %r")),
    };
    Some(format!(
        "declare {result} @{name}({types})\n\
         define {result} @{function}({params}) {{\n  {kept}call {result} @{name}({params})\n  ret {returned}\n}}\n"
    ))
}

/// The routine that an instruction calls, if the module does not define it.
fn routine(module: &Module, body: &Body, inst: InstId) -> Option<(String, Routine)> {
    let Op::Call(_) = body.insts[inst].op else {
        return None;
    };
    let callee = module.global_of(body.operands(inst).last()?.constant()?)?;
    let global = &module.globals[callee];
    let GlobalKind::Function(function) = &global.kind else {
        return None;
    };
    let name = std::str::from_utf8(module.names.bytes(global.name?)).ok()?;
    if function.body.is_some() || !name.starts_with("__cuda_") {
        return None;
    }
    Some((name.to_owned(), Routine::find(name)?))
}

/// Calls the intrinsic. `None` if the types are not those of the routine.
fn call(editor: &mut Editor, routine: &Routine, inst: InstId) -> Option<Action> {
    let types = &mut editor.module.types;
    let float = types.intern(Type::Float);
    let (i1, i32, i64, void) = (types.i1, types.i32, types.i64, types.void);
    let operands = editor.body.operands(inst);
    let written = operands[..operands.len() - 1].to_vec();
    if written.len() != routine.params.len() {
        return None;
    }
    let mut args = Vec::new();
    if let Some(barrier) = routine.barrier {
        args.push(editor.int(i32, barrier.into()));
    }
    if routine.counts_all {
        args.push(all_threads(editor));
    }
    for (&arg, &shape) in written.iter().zip(&routine.params) {
        let ty = editor.type_of(arg);
        args.push(match (shape, editor.module.types.get(ty)) {
            (Shape::I32, Type::Int(32)) | (Shape::I64, Type::Int(64)) => arg,
            (Shape::F32, Type::Float) | (Shape::Truth, Type::Int(1)) => arg,
            (Shape::Truth, Type::Int(_)) => {
                let zero = editor.zero(ty);
                editor.icmp(IcmpPredicate::Ne, arg, zero)
            }
            _ => return None,
        });
    }
    let exact = |shape: Shape| match shape {
        Shape::I32 => i32,
        Shape::I64 => i64,
        Shape::F32 => float,
        Shape::Truth => i1,
    };
    let name = format!("llvm.nvvm.{}", routine.name);
    let ty = editor.body.insts[inst].ty;
    match routine.results[..] {
        [] if ty == void => {
            editor.intrinsic(&name, void, &args);
            Some(Action::Remove)
        }
        [shape] => {
            let result = exact(shape);
            let made = editor.intrinsic(&name, result, &args);
            resized(editor, made, ty).map(Action::Replace)
        }
        [first, second] => {
            let fields = editor.module.types.fields(ty)?.to_vec();
            let &[first_ty, second_ty] = &fields[..] else {
                return None;
            };
            let result = exact(first);
            let pair = crate::shuffle::pair_type(editor, result);
            debug_assert_eq!(second, Shape::Truth);
            let made = editor.intrinsic(&name, pair, &args);
            let (one, two) = (editor.member(made, 0), editor.member(made, 1));
            let (one, two) = (
                resized(editor, one, first_ty)?,
                resized(editor, two, second_ty)?,
            );
            let whole = editor.poison(ty);
            let whole = editor.with_member(whole, one, 0);
            Some(Action::Replace(editor.with_member(whole, two, 1)))
        }
        _ => None,
    }
}

/// A result in the type it is used in: a truth may be wanted as an integer.
fn resized(editor: &mut Editor, value: Value, ty: TypeId) -> Option<Value> {
    let from = editor.type_of(value);
    let types = &editor.module.types;
    match (types.get(from), types.get(ty)) {
        _ if from == ty => Some(value),
        (Type::Int(1), Type::Int(_)) => Some(editor.cast(CastOp::Zext, value, ty)),
        _ => None,
    }
}

/// The number of the threads of the block, in whole warps.
fn all_threads(editor: &mut Editor) -> Value {
    let i32 = editor.module.types.i32;
    let [x, y, z] = ["x", "y", "z"].map(|axis| {
        let name = format!("llvm.nvvm.read.ptx.sreg.ntid.{axis}");
        editor.intrinsic(&name, i32, &[])
    });
    let area = editor.binary(BinaryOp::Mul, x, y);
    let count = editor.binary(BinaryOp::Mul, area, z);
    let last = editor.int(i32, 31);
    let above = editor.binary(BinaryOp::Add, count, last);
    let whole = editor.int(i32, !31 & u64::from(u32::MAX));
    editor.binary(BinaryOp::And, above, whole)
}

#[cfg(test)]
mod tests {
    use super::Routine;

    #[test]
    fn patterns_have_as_many_names_as_there_are_routines() {
        let mut found = 0;
        for what in ["sync", "arrive", "red_and", "red_or", "red_popc", "red_xor"] {
            for number in 0..=16 {
                for count in ["", "_cnt", "_count"] {
                    let name = format!("__cuda_sm70_barrier_{what}_{number}{count}");
                    found += usize::from(Routine::find(&name).is_some());
                }
            }
        }
        assert_eq!(found, 160);
        assert!(Routine::find("__cuda_sm70_barrier_sync_01").is_none());
        let name = |routine: &str| Routine::find(routine).map(|routine| routine.name);
        let of = "__cuda_sm70_matchsync_all_b64";
        assert_eq!(name(of).as_deref(), Some("match.all.sync.i64p"));
        let of = "__cuda_reduxsync_f32_min_abs_NaN";
        assert_eq!(name(of).as_deref(), Some("redux.sync.fmin.abs.NaN"));
        assert_eq!(name("__cuda_sm70_shflsync_left"), None);
    }
}
