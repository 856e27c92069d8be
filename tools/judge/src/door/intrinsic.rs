//! NVVM's atomic intrinsics: relaxed, with the scope in the name, and the fences.

use crate::asked::{Operation, Order, Reach, Type};
use crate::door::llvm::pointer;
use crate::door::{Door, Site, Written, case};

/// `llvm.nvvm.atomic.WORD.gen.{i,f}.{cta,sys}`: the word, what it does, and the types that it has.
const SCOPED: [(&str, &str, &[Type]); 11] = [
    ("add.gen.i", "add", &[Type::I32, Type::I64]),
    ("add.gen.f", "fadd", &[Type::Float, Type::Double]),
    ("inc.gen.i", "uinc_wrap", &[Type::I32]),
    ("dec.gen.i", "udec_wrap", &[Type::I32]),
    ("exch.gen.i", "xchg", &[Type::I32, Type::I64]),
    ("max.gen.i", "max", &[Type::I32, Type::I64]),
    ("min.gen.i", "min", &[Type::I32, Type::I64]),
    ("and.gen.i", "and", &[Type::I32, Type::I64]),
    ("or.gen.i", "or", &[Type::I32, Type::I64]),
    ("xor.gen.i", "xor", &[Type::I32, Type::I64]),
    ("cas.gen.i", "cas", &[Type::I32, Type::I64]),
];

/// `llvm.nvvm.atomic.load.WORD`: those of LLVM before 20, for the device.
const OLDER: [(&str, &str, Type); 4] = [
    ("load.add.f32", "fadd", Type::Float),
    ("load.add.f64", "fadd", Type::Double),
    ("load.inc.32", "uinc_wrap", Type::I32),
    ("load.dec.32", "udec_wrap", Type::I32),
];

/// The cases.
pub fn cases() -> Vec<Written> {
    let mut cases = Vec::new();
    for (name, reach) in [
        ("llvm.nvvm.membar.cta", Reach::Cta),
        ("llvm.nvvm.membar.gl", Reach::Gpu),
        ("llvm.nvvm.membar.sys", Reach::Sys),
        ("llvm.nvvm.fence.sc.cluster", Reach::Cluster),
    ] {
        let order = Order::SeqCst;
        let asked = case(Operation::Fence, Type::I32, order, reach, Site::Global);
        let line = format!("  call void @{name}()");
        let mut written = Written::new(Door::Intrinsic, Site::Global, asked, line);
        written.declares = vec![format!("declare void @{name}()")];
        cases.push(written);
    }
    for site in Site::ALL {
        for (word, does, types) in SCOPED {
            for &ty in types {
                for (scope, reach) in [("cta", Reach::Cta), ("sys", Reach::Sys)] {
                    let name = format!("{word}.{scope}.{}", mangled(ty));
                    cases.push(call(&name, does, ty, reach, site));
                }
            }
        }
        for (word, does, ty) in OLDER {
            cases.push(call(word, does, ty, Reach::Gpu, site));
        }
    }
    cases
}

fn mangled(ty: Type) -> &'static str {
    match ty {
        Type::Float => "f32",
        Type::Double => "f64",
        Type::I64 => "i64",
        _ => "i32",
    }
}

fn call(word: &str, does: &'static str, ty: Type, reach: Reach, site: Site) -> Written {
    let operation = match does {
        "cas" => Operation::Swap {
            weak: false,
            failure: Order::Monotonic,
        },
        word => Operation::Rmw(word),
    };
    let asked = case(operation, ty, Order::Monotonic, reach, site);
    let (pointer, text) = (pointer(site.space()), ty.text());
    let name = format!("llvm.nvvm.atomic.{word}.p{}", site.space().number());
    let (arguments, types) = match does {
        "cas" => (format!("{text} %v, {text} %w"), format!("{text}, {text}")),
        _ => (format!("{text} %v"), text.to_owned()),
    };
    let line = format!("  %r = call {text} @{name}({pointer} %p, {arguments})");
    let mut written = Written::new(Door::Intrinsic, site, asked, line);
    written.result = Some(text.to_owned());
    written.declares = vec![format!("declare {text} @{name}({pointer}, {types})")];
    written
}
