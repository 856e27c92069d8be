//! Intrinsics under the names and with the parameters that they have in LLVM 7.
//!
//! The names of overloaded intrinsics carry the types that they are used with; those of pointers say what they point to:
//! `llvm.memcpy.p0.p0.i64` was `llvm.memcpy.p0i8.p0i8.i64`. [`pointees`] reads them from such a name, for the step that
//! gives pointers their types.

use super::body::{add, call_site, each_body, place, replace};
use crate::Module;
use crate::constant::{ConstId, ConstKind};
use crate::function::Body;
use crate::inst::{Align, CallConv, IcmpPredicate, Op};
use crate::module::{
    DllStorage, Function, Global, GlobalId, GlobalKind, Linkage, ThreadLocal, UnnamedAddr,
    Visibility,
};
use crate::types::{Type, TypeId};
use crate::value::{InstId, Value};
use rustc_hash::FxHashMap;

/// Intrinsics that were not overloaded.
const PLAIN: &[&str] = &[
    "llvm.prefetch",
    "llvm.stackrestore",
    "llvm.stacksave",
    "llvm.va_copy",
    "llvm.va_end",
    "llvm.va_start",
];

/// What newer intrinsics were, with the same parameters.
const RENAMED: &[(&str, &str)] = &[
    ("llvm.nvvm.fabs.f32", "llvm.nvvm.fabs.f"),
    ("llvm.nvvm.fabs.f64", "llvm.nvvm.fabs.d"),
    ("llvm.nvvm.fabs.ftz.f32", "llvm.nvvm.fabs.ftz.f"),
    ("llvm.nvvm.ex2.approx.f32", "llvm.nvvm.ex2.approx.f"),
    ("llvm.nvvm.ex2.approx.f64", "llvm.nvvm.ex2.approx.d"),
    ("llvm.nvvm.ex2.approx.ftz.f32", "llvm.nvvm.ex2.approx.ftz.f"),
    (
        "llvm.nvvm.barrier.cta.sync.aligned.all",
        "llvm.nvvm.barrier.n",
    ),
    (
        "llvm.nvvm.barrier.cta.sync.aligned.count",
        "llvm.nvvm.barrier",
    ),
    ("llvm.nvvm.barrier.cta.sync.all", "llvm.nvvm.barrier.sync"),
    (
        "llvm.nvvm.barrier.cta.sync.count",
        "llvm.nvvm.barrier.sync.cnt",
    ),
];

/// Minima and maxima, which were comparisons.
const EXTREMES: &[(&str, IcmpPredicate)] = &[
    ("llvm.smax.", IcmpPredicate::Sgt),
    ("llvm.smin.", IcmpPredicate::Slt),
    ("llvm.umax.", IcmpPredicate::Ugt),
    ("llvm.umin.", IcmpPredicate::Ult),
];

/// Intrinsics that only promise something, and that LLVM 7 does not have.
const PROMISES: &[&str] = &["llvm.experimental.noalias.scope.decl", "llvm.fake.use"];

/// Starts of names of intrinsics that LLVM 7 does not have and that are not replaced.
const NEWER: &[&str] = &[
    "llvm.sadd.sat.",
    "llvm.uadd.sat.",
    "llvm.ssub.sat.",
    "llvm.usub.sat.",
    "llvm.sshl.sat.",
    "llvm.ushl.sat.",
    "llvm.smul.fix.",
    "llvm.umul.fix.",
    "llvm.sdiv.fix.",
    "llvm.udiv.fix.",
    "llvm.fptoui.sat.",
    "llvm.fptosi.sat.",
    "llvm.abs.",
    "llvm.vp.",
    "llvm.vector.",
    "llvm.is.fpclass.",
    "llvm.ldexp.",
    "llvm.frexp.",
    "llvm.lround.",
    "llvm.llround.",
    "llvm.lrint.",
    "llvm.llrint.",
    "llvm.roundeven.",
    "llvm.ptrmask.",
    "llvm.minimum.",
    "llvm.maximum.",
    "llvm.minimumnum.",
    "llvm.maximumnum.",
    "llvm.exp10.",
    "llvm.tan.",
    "llvm.matrix.",
    "llvm.scmp.",
    "llvm.ucmp.",
    "llvm.nvvm.barrier.cta.",
    "llvm.nvvm.mbarrier.",
    "llvm.nvvm.cp.async.",
    "llvm.nvvm.fence.",
    "llvm.nvvm.redux.",
    "llvm.nvvm.mma.",
    "llvm.nvvm.ldmatrix.",
    "llvm.nvvm.wgmma.",
    "llvm.nvvm.tcgen05.",
    "llvm.nvvm.atomic.and.",
    "llvm.memcpy.inline.",
    "llvm.memset.inline.",
    "llvm.dbg.assign",
    "llvm.threadlocal.address.",
    "llvm.get.fpenv.",
    "llvm.nvvm.isspacep.shared.cluster",
    "llvm.nvvm.mapa",
    "llvm.nvvm.getctarank",
    "llvm.nvvm.activemask",
    "llvm.nvvm.nanosleep",
    "llvm.nvvm.read.ptx.sreg.cluster",
];

/// The address of a function with a name and a type, declared if need be.
pub(super) fn declare(module: &mut Module, name: &[u8], ty: TypeId) -> ConstId {
    let name = module.names.intern(name);
    let known = module.order.iter().copied();
    let known = known
        .into_iter()
        .find(|&id| module.globals[id].name == Some(name));
    let id = known.unwrap_or_else(|| {
        let attrs = module.attributes.empty_list;
        let id = module.globals.push(Global {
            name: Some(name),
            linkage: Linkage::External,
            visibility: Visibility::Default,
            dll_storage: DllStorage::Default,
            dso_local: false,
            unnamed_addr: UnnamedAddr::None,
            thread_local: ThreadLocal::None,
            value_ty: ty,
            space: 0,
            section: None,
            partition: None,
            comdat: None,
            align: Align::NONE,
            metadata: Vec::new(),
            pos: 0,
            kind: GlobalKind::Function(Box::new(Function {
                conv: CallConv::C,
                attrs,
                gc: None,
                prefix: None,
                prologue: None,
                personality: None,
                body: None,
            })),
        });
        module.order.push(id);
        id
    });
    module.address_of(id)
}

/// What becomes of the calls of an intrinsic.
enum Becomes {
    /// A comparison and a choice.
    Extreme(IcmpPredicate),
    /// Nothing.
    Nothing,
    /// The same with its size before the address.
    SizedMark,
    /// The same without its last argument.
    WithoutLast,
}

pub(super) fn lower(module: &mut Module, refused: &mut Vec<String>) {
    let mut becomes: FxHashMap<GlobalId, Becomes> = FxHashMap::default();
    let declared: Vec<(GlobalId, String)> = module
        .functions()
        .filter(|(_, _, function)| function.body.is_none())
        .filter_map(|(id, global, _)| Some((id, module.names.text(global.name?).into_owned())))
        .filter(|(_, name)| name.starts_with("llvm."))
        .collect();
    for (id, name) in declared {
        let (_, params, _) = match module.types.signature(module.globals[id].value_ty) {
            Some(signature) => signature,
            None => continue,
        };
        let count = params.len();
        let extreme = EXTREMES.iter().find(|row| name.starts_with(row.0));
        let renamed = RENAMED.iter().find(|row| name == row.0);
        let plain = PLAIN.iter().find(|row| {
            name.strip_prefix(**row)
                .is_some_and(|rest| rest.starts_with(".p"))
        });
        let new = if let Some(&(_, predicate)) = extreme {
            becomes.insert(id, Becomes::Extreme(predicate));
            continue;
        } else if PROMISES.iter().any(|row| name.starts_with(row)) {
            becomes.insert(id, Becomes::Nothing);
            continue;
        } else if name.starts_with("llvm.lifetime.") && count == 1 {
            becomes.insert(id, Becomes::SizedMark);
            continue;
        } else if name.starts_with("llvm.objectsize.") && count == 4 {
            becomes.insert(id, Becomes::WithoutLast);
            continue;
        } else if let Some(&(_, old)) = renamed {
            old.to_owned()
        } else if let Some(plain) = plain {
            (*plain).to_owned()
        } else if NEWER.iter().any(|row| name.starts_with(row)) {
            let what = format!("the intrinsic `{name}`");
            refused.push(what);
            continue;
        } else {
            continue;
        };
        let new = module.names.intern(new.as_bytes());
        module.globals[id].name = Some(new);
    }
    if becomes.is_empty() {
        return;
    }
    each_body(module, |module, _, body| {
        lower_calls(module, body, &becomes)
    });
    let mut gone: Vec<GlobalId> = becomes.into_keys().collect();
    gone.sort();
    module.order.retain(|id| gone.binary_search(id).is_err());
}

fn lower_calls(module: &mut Module, body: &mut Body, becomes: &FxHashMap<GlobalId, Becomes>) {
    let mut replaced = FxHashMap::default();
    for block in body.order.clone() {
        let insts = std::mem::take(&mut body.blocks[block].insts);
        let mut all = Vec::with_capacity(insts.len());
        for inst in insts {
            let callee = match body.insts[inst].op {
                Op::Call(_) => body
                    .operands(inst)
                    .last()
                    .and_then(|callee| callee.constant()),
                _ => None,
            };
            let target = callee.and_then(|callee| module.global_of(callee));
            match target.and_then(|target| Some((target, becomes.get(&target)?))) {
                Some((target, becomes)) => {
                    let new = lower_call(module, body, inst, target, becomes, &mut replaced);
                    let like = body.insts[inst];
                    place(body, &new, &like);
                    all.extend(new);
                }
                None => all.push(inst),
            }
        }
        body.blocks[block].insts = all;
    }
    replace(body, &replaced);
}

fn lower_call(
    module: &mut Module,
    body: &mut Body,
    inst: InstId,
    target: GlobalId,
    becomes: &Becomes,
    replaced: &mut FxHashMap<Value, Value>,
) -> Vec<InstId> {
    let data = body.insts[inst];
    let operands = body.operands(inst).to_vec();
    let mut take_over = |body: &mut Body, value: Value| {
        if let Some(old) = data.local() {
            if let Some(new) = value.local() {
                body.locals[new].name = body.locals[old].name;
            }
            replaced.insert(old.into(), value);
        }
    };
    match *becomes {
        Becomes::Nothing => Vec::new(),
        Becomes::Extreme(predicate) => {
            let truth = module.types.with_shape_of(data.ty, module.types.i1);
            let (left, right) = (operands[0], operands[1]);
            let (a, is) = add(body, Op::Icmp(predicate), truth, &[left, right]);
            let (b, value) = add(body, Op::Select, data.ty, &[is, left, right]);
            take_over(body, value);
            vec![a, b]
        }
        Becomes::SizedMark | Becomes::WithoutLast => {
            let name = module.globals[target].name;
            let name = name
                .map(|name| module.names.bytes(name).to_vec())
                .unwrap_or_default();
            let (mut arguments, old_name) = match becomes {
                Becomes::SizedMark => {
                    // The size of all of it.
                    let all = module.constants.int(module.types.i64, 64, &[u64::MAX]);
                    (vec![all.into(), operands[0]], name)
                }
                _ => (operands[..3].to_vec(), name),
            };
            let params: Vec<TypeId> = arguments
                .iter()
                .map(|&argument| module.type_of(body, argument))
                .collect();
            let ty = module.types.function(data.ty, &params, false);
            // Another name while both are there: the mangling follows with the types of pointers.
            let mut unique = old_name;
            unique.extend_from_slice(SIZED);
            let callee = declare(module, &unique, ty);
            let op = call_site(module, ty, arguments.len());
            arguments.push(callee.into());
            match data.local() {
                Some(_) => {
                    let (new, value) = add(body, op, data.ty, &arguments);
                    take_over(body, value);
                    vec![new]
                }
                None => vec![super::body::add_void(body, op, data.ty, &arguments)],
            }
        }
    }
}

/// The end of names that are only for a while.
const SIZED: &[u8] = b"\0sized";

/// The name of an intrinsic in LLVM 7 and the types that its pointers point to, in the order of its parameters; `None`
/// stands for `i8`.
pub(super) fn pointees(module: &mut Module, id: GlobalId) -> (Vec<u8>, Vec<Option<TypeId>>) {
    let name = module.globals[id].name;
    let name = name
        .map(|name| module.names.bytes(name).to_vec())
        .unwrap_or_default();
    let name = name.strip_suffix(SIZED).unwrap_or(&name).to_vec();
    let ty = module.globals[id].value_ty;
    let Some((ret, params, _)) = module.types.signature(ty) else {
        return (name, Vec::new());
    };
    let (ret, params) = (ret, params.to_vec());
    let text = String::from_utf8_lossy(&name).into_owned();
    // What it points to follows from the other types.
    let implied = if text.starts_with("llvm.nvvm.ldg.") || text.starts_with("llvm.nvvm.ldu.") {
        Some(ret)
    } else if text.starts_with("llvm.nvvm.atomic.") {
        params.get(1).copied()
    } else if text.starts_with("llvm.masked.load.") {
        Some(ret)
    } else if text.starts_with("llvm.masked.store.") {
        params.first().copied()
    } else {
        None
    };
    let mut parts: Vec<String> = text.split('.').map(str::to_owned).collect();
    let mut found = Vec::new();
    for part in parts.iter_mut().skip(2) {
        let Some(rest) = part.strip_prefix('p') else {
            continue;
        };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            continue;
        }
        let pointee = rest[digits..].to_owned();
        if pointee.is_empty() {
            part.push_str(&implied.map_or(String::from("i8"), |ty| mangled(module, ty)));
            found.push(implied);
        } else {
            found.push(parse(module, &pointee));
        }
    }
    let mut found = found.into_iter();
    let result = params.iter().filter(|&&ty| module.types.is_ptr(ty));
    // A result that is a pointer comes first in the name.
    let skip = module.types.is_ptr(ret) && found.len() > result.clone().count();
    if skip {
        found.next();
    }
    let pointees = result.map(|_| found.next().unwrap_or(implied)).collect();
    (parts.join(".").into_bytes(), pointees)
}

/// A type as it is in names of intrinsics.
fn mangled(module: &Module, ty: TypeId) -> String {
    match module.types.get(ty) {
        Type::Int(bits) => format!("i{bits}"),
        Type::Half => String::from("f16"),
        Type::Float => String::from("f32"),
        Type::Double => String::from("f64"),
        Type::Ptr(space) => format!("p{space}i8"),
        Type::Vector { element, len, .. } => format!("v{len}{}", mangled(module, element)),
        Type::Array { element, len } => format!("a{len}{}", mangled(module, element)),
        _ => String::from("i8"),
    }
}

/// The type that part of a name stands for; `None` for `i8` and what is not read.
fn parse(module: &mut Module, text: &str) -> Option<TypeId> {
    let number = |text: &str| {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        Some((
            text[..digits].parse::<u32>().ok()?,
            text[digits..].to_owned(),
        ))
    };
    let (first, rest) = text.split_at_checked(1)?;
    match first {
        "i" => {
            let (bits, rest) = number(rest)?;
            (rest.is_empty() && bits != 8 && bits > 0).then(|| module.types.int(bits))
        }
        "f" => match rest {
            "16" => Some(module.types.intern(Type::Half)),
            "32" => Some(module.types.intern(Type::Float)),
            "64" => Some(module.types.intern(Type::Double)),
            _ => None,
        },
        "v" => {
            let (len, rest) = number(rest)?;
            let element = match rest.as_str() {
                "i8" => module.types.i8,
                rest => parse(module, rest)?,
            };
            Some(module.types.intern(Type::Vector {
                element,
                len,
                scalable: false,
            }))
        }
        "p" => {
            let (space, _) = number(rest)?;
            Some(module.types.pointer(space))
        }
        _ => None,
    }
}

/// Whether a constant is `null` or has no value at all, and so can have any type.
pub(super) fn fits_any_pointer(kind: ConstKind) -> bool {
    matches!(kind, ConstKind::Null | ConstKind::Undef | ConstKind::Poison)
}
