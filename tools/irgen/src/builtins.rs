//! Modules that call the NVVM builtins: each one, for every chip; and kernels that compute with those that are
//! functions of numbers, to be run on the emulator and on a GPU.
//!
//! ```text
//!   Builtin ──call──► .ll, one function that calls it    does it compile, where does it not, what does it become
//!   Builtin ──kernel──► .ll, out[i] = builtin(in[i] …)          does it compute what the hardware computes
//! ```

mod matrix;

use std::collections::BTreeSet;
use std::fmt::Write;
use warpc_builtins::{Base, Builtin, Category, Type};
use warpc_target::Sm;

/// The chips that every builtin is compiled for.
pub const CHIPS: [&str; 8] = [
    "sm_60", "sm_70", "sm_75", "sm_80", "sm_90", "sm_90a", "sm_100", "sm_120",
];

/// The constant that an argument must be, if it must be one.
fn constant(builtin: &Builtin, index: usize, count: usize) -> Option<u32> {
    let name = builtin.name;
    if is_generic(builtin) && index == 0 {
        return Some(4);
    }
    if builtin.category == Category::Wgmma {
        let depth = match name {
            "__wgmma_mma_async_tf32" => 8,
            "__wgmma_mma_async_f8" => 32,
            _ => 16,
        };
        // The accumulators and the two descriptors are not constants.
        return [64, 8, depth]
            .get(index)
            .copied()
            .or((index + 3 < count).then_some(1));
    }
    match builtin.category {
        // Sequentially consistent at device scope is legal for every operation.
        Category::AtomicCxx11 | Category::Unlisted if name.starts_with("__nv_atomic_") => {
            match count - index {
                1 => Some(3),
                2 => Some(5),
                3 if name.contains("compare_exchange") => Some(5),
                // Whether the exchange may fail for no reason.
                4 if name.contains("compare_exchange") => Some(0),
                _ => None,
            }
        }
        Category::Wmma | Category::ImmaBmma | Category::MmaExt => {
            let product = !name.contains("_ld_") && !name.contains("_st_");
            let small = name.contains("m8n8k32") || name.contains("m8n8k128");
            match (product, index) {
                // Elements smaller than a byte lie in rows of the first matrix and columns of the second.
                (true, 4) => Some(u32::from(small)),
                (true, 5) => Some(0),
                (false, 3) => Some(u32::from(small && name.contains("_ld_b"))),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Result and parameters in LLVM IR of builtins whose row has none, by the end of the name.
const TYPES: [(&str, &str, &[&str]); 5] = [
    ("_xchg_gen_128", "i128", &["ptr", "i128"]),
    ("_cas_gen_128", "i128", &["ptr", "i128", "i128"]),
    ("_add_gen_f2", "<2 x float>", &["ptr", "<2 x float>"]),
    ("_add_gen_f4", "<4 x float>", &["ptr", "<4 x float>"]),
    ("__gen_nvvm_memset", "ptr", &["ptr", "i32", "i64"]),
];

/// Result and parameters in LLVM IR, and whether more may follow.
fn types(builtin: &Builtin) -> Option<(String, Vec<String>, bool)> {
    if let Some(signature) = builtin.signature {
        let size = is_generic(builtin).then(|| "i64".to_owned());
        let params = signature.params().iter().map(|&ty| ty.llvm().to_owned());
        let params = size.into_iter().chain(params).collect();
        return Some((
            signature.result.llvm().to_owned(),
            params,
            signature.variadic,
        ));
    }
    if builtin.category == Category::Wgmma {
        let flags = match builtin.name {
            "__wgmma_mma_async_tf32" => 3,
            "__wgmma_mma_async_bf16" => 5,
            _ => 6,
        };
        let mut params = vec!["i32".to_owned(); 3];
        params.extend(vec!["i1".to_owned(); flags]);
        params.extend(["ptr", "i64", "i64"].map(str::to_owned));
        return Some(("void".to_owned(), params, false));
    }
    let row = TYPES.iter().find(|row| builtin.name.ends_with(row.0))?;
    let params = row.2.iter().map(|&ty| ty.to_owned());
    Some((row.1.to_owned(), params.collect(), false))
}

/// Whether it is an atomic for values of any size, which it gets as its first argument.
fn is_generic(builtin: &Builtin) -> bool {
    let generic = ["load", "store", "exchange", "compare_exchange"];
    let name = builtin.name.strip_prefix("__nv_atomic_");
    name.is_some_and(|name| generic.contains(&name))
}

/// What stands before the functions of a module.
const HEAD: &str = "target triple = \"nvptx64-nvidia-cuda\"\n\n";

/// A function that calls a builtin, `t` and its name, and the declaration; nothing if its types are not known.
pub fn call(builtin: &Builtin) -> Option<String> {
    let (result, types, variadic) = types(builtin)?;
    let name = builtin.name;
    let dots = |list: &str, separator: &str| match variadic {
        true => format!("{list}{separator}..."),
        false => list.to_owned(),
    };
    let list = types.join(", ");
    let separator = if types.is_empty() { "" } else { ", " };
    let mut args = Vec::new();
    let mut params = Vec::new();
    for (index, ty) in types.iter().enumerate() {
        params.push(format!("{ty} %{index}"));
        args.push(match constant(builtin, index, types.len()) {
            Some(number) => format!("{ty} {number}"),
            None => format!("{ty} %{index}"),
        });
    }
    let mut text = String::new();
    let _ = writeln!(
        text,
        "declare {result} @{name}({})\n",
        dots(&list, separator)
    );
    let params = dots(&params.join(", "), separator);
    let callee = match variadic {
        true => format!("{result} ({}) @{name}", dots(&list, separator)),
        false => format!("{result} @{name}"),
    };
    let args = args.join(", ");
    let _ = match result.as_str() {
        "void" => writeln!(
            text,
            "define void @t{name}({params}) {{\n  call {callee}({args})\n  ret void\n}}"
        ),
        _ => writeln!(
            text,
            "define {result} @t{name}({params}) {{\n  %r = call {callee}({args})\n  ret {result} %r\n}}"
        ),
    };
    Some(text)
}

/// What becomes of a builtin on a chip.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It compiles to this PTX.
    Compiled(String),
    /// The chip does not have it, and that is what the diagnostic says.
    Gated(String),
    /// Its number is reserved.
    Reserved,
    /// It is refused although the chip should have it.
    Refused(String),
    /// It compiles although the chip should not have it.
    BelowGate,
}

/// Compiles a call of a builtin.
pub fn fate(builtin: &Builtin, chip: &str) -> Fate {
    if builtin.is_reserved() {
        return Fate::Reserved;
    }
    let Some(text) = call(builtin) else {
        return Fate::Refused("its types are not known".to_owned());
    };
    let on = chip.parse().is_ok_and(|sm| builtin.is_on(sm));
    match (crate::ours::compile(chip, &format!("{HEAD}{text}")), on) {
        (Ok(ptx), true) => Fate::Compiled(ptx),
        (Ok(_), false) => Fate::BelowGate,
        (Err(message), false) => Fate::Gated(message),
        (Err(message), true) => Fate::Refused(message),
    }
}

/// The PTX of one module that calls every builtin of a chip that compiles.
pub fn all_calls(chip: &str) -> Result<String, String> {
    let mut text = HEAD.to_owned();
    for builtin in warpc_builtins::all() {
        if let (Fate::Compiled(_), Some(call)) = (fate(builtin, chip), call(builtin)) {
            text.push_str(&call);
        }
    }
    crate::ours::compile(chip, &text)
}

/// Numbers that each of the special values of a type has, as bits of 64.
fn specials(ty: Type) -> Vec<u64> {
    let floats = [
        0.0f64,
        1.0,
        0.5,
        1.5,
        2.5,
        3.0,
        0.1,
        1e10,
        2147483647.0,
        2147483648.0,
        4294967295.0,
        4294967296.0,
        9.3e18,
        1.9e19,
        1e30,
        1e-30,
    ];
    match ty.base {
        Base::Float { bits: 64 } => {
            let mut all: Vec<u64> = floats.iter().map(|x| x.to_bits()).collect();
            all.extend([f64::INFINITY, f64::NAN, f64::MAX, f64::MIN_POSITIVE].map(f64::to_bits));
            all.extend([
                1,
                0x000f_ffff_ffff_ffff,
                0x47ef_ffff_f000_0000,
                0x36a0_0000_0000_0001,
            ]);
            let negative: Vec<u64> = all.iter().map(|x| x | 1 << 63).collect();
            all.extend(negative);
            all
        }
        Base::Float { .. } => {
            let bits = |x: f64| u64::from((x as f32).to_bits());
            let mut all: Vec<u64> = floats.iter().map(|&x| bits(x)).collect();
            let more = [f32::INFINITY, f32::NAN, f32::MAX, f32::MIN_POSITIVE];
            all.extend(more.map(|x| u64::from(x.to_bits())));
            all.extend([1, 0x007f_ffff, 0x4f00_0001, 0x5f00_0000]);
            let negative: Vec<u64> = all.iter().map(|x| x | 1 << 31).collect();
            all.extend(negative);
            all
        }
        _ => vec![
            0,
            1,
            2,
            7,
            31,
            32,
            63,
            64,
            127,
            255,
            256,
            32767,
            32768,
            65535,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            0x1_0000_0000,
            0x7fff_ffff_ffff_ffff,
            0x8000_0000_0000_0000,
            u64::MAX,
            0x0123_4567_89ab_cdef,
            0xaaaa_aaaa_5555_5555,
            0x00ff_00ff_ff00_ff00,
        ],
    }
}

/// Whether a builtin is a function of numbers that a kernel can be made for.
pub fn computes(builtin: &Builtin) -> bool {
    let scalar = |ty: Type| {
        !ty.is_pointer() && matches!(ty.base, Base::Int { bits: 8..=64, .. } | Base::Float { .. })
    };
    let category = matches!(
        builtin.category,
        Category::Bit
            | Category::Math
            | Category::RcpSqrt
            | Category::Convert
            | Category::Addrspace
            | Category::FpArith
            | Category::Fma
            | Category::VarargsShim
            | Category::Unlisted
    );
    // What needs an address that means something is not a function of numbers.
    let address = builtin.name.contains("_to_generic") || builtin.name.contains("bar");
    category
        && !address
        && builtin.signature.is_some_and(|signature| {
            !signature.params().is_empty()
                && scalar(signature.result)
                && signature.params().iter().all(|&param| scalar(param))
        })
}

/// Threads of a kernel: a block for each of these many.
pub const THREADS: usize = 2048;

/// The kernel of a builtin that [`computes`], as functions and data to be put into one module with others.
pub fn kernel(builtin: &Builtin) -> Option<String> {
    let signature = builtin.signature.filter(|_| computes(builtin))?;
    let name = builtin.name;
    let mut text = String::new();
    let types: Vec<String> = signature
        .params()
        .iter()
        .map(|&ty| ty.llvm().to_owned())
        .collect();
    let result = signature.result.llvm().to_owned();
    let _ = writeln!(text, "declare {result} @{name}({})", types.join(", "));
    for (index, &param) in signature.params().iter().enumerate() {
        let values = specials(param);
        let list: Vec<String> = values
            .iter()
            .map(|value| format!("i64 {}", *value as i64))
            .collect();
        let count = values.len();
        let _ = writeln!(
            text,
            "@{name}.in{index} = internal addrspace(1) constant [{count} x i64] [{}]",
            list.join(", ")
        );
    }
    let _ = writeln!(
        text,
        "define ptx_kernel void @k{name}(ptr addrspace(1) %out) {{\n  \
         %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n  \
         %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  \
         %first = mul i32 %b, 256\n  \
         %i = add i32 %first, %t\n  \
         %wide = zext i32 %i to i64\n  \
         %half = icmp ult i32 %i, {}",
        THREADS / 2
    );
    for (index, (&param, ty)) in signature.params().iter().zip(&types).enumerate() {
        let count = specials(param).len();
        // The place among the special values moves at another pace for each argument; the other half of the
        // threads takes numbers by chance, a multiplicative hash of the thread.
        let pace = [1, 7, 31][index.min(2)];
        let _ = writeln!(
            text,
            "  %s{index} = udiv i32 %i, {pace}\n  \
             %m{index} = urem i32 %s{index}, {count}\n  \
             %p{index} = getelementptr i64, ptr addrspace(1) @{name}.in{index}, i32 %m{index}\n  \
             %v{index} = load i64, ptr addrspace(1) %p{index}\n  \
             %a{index} = add i64 %wide, {seed}\n  \
             %h{index} = mul i64 %a{index}, -7046029254386353131\n  \
             %g{index} = lshr i64 %h{index}, 29\n  \
             %x{index} = xor i64 %h{index}, %g{index}\n  \
             %y{index} = mul i64 %x{index}, -4658895280553007687\n  \
             %z{index} = lshr i64 %y{index}, 32\n  \
             %r{index} = xor i64 %y{index}, %z{index}\n  \
             %c{index} = select i1 %half, i64 %v{index}, i64 %r{index}",
            seed = 1000 * (index + 1),
        );
        let _ = match ty.as_str() {
            "i64" => writeln!(text, "  %arg{index} = or i64 %c{index}, 0"),
            "double" => writeln!(text, "  %arg{index} = bitcast i64 %c{index} to double"),
            "float" => writeln!(
                text,
                "  %w{index} = trunc i64 %c{index} to i32\n  \
                 %arg{index} = bitcast i32 %w{index} to float"
            ),
            ty => writeln!(text, "  %arg{index} = trunc i64 %c{index} to {ty}"),
        };
    }
    let args: Vec<String> = types
        .iter()
        .enumerate()
        .map(|(index, ty)| format!("{ty} %arg{index}"))
        .collect();
    let _ = writeln!(
        text,
        "  %result = call {result} @{name}({})",
        args.join(", ")
    );
    let _ = match result.as_str() {
        "i64" => writeln!(text, "  %bits = or i64 %result, 0"),
        "double" => writeln!(text, "  %bits = bitcast double %result to i64"),
        "float" => writeln!(
            text,
            "  %narrow = bitcast float %result to i32\n  %bits = zext i32 %narrow to i64"
        ),
        ty => writeln!(text, "  %bits = zext {ty} %result to i64"),
    };
    let _ = writeln!(
        text,
        "  %to = getelementptr i64, ptr addrspace(1) %out, i32 %i\n  \
         store i64 %bits, ptr addrspace(1) %to\n  ret void\n}}\n"
    );
    Some(text)
}

/// The kernels of all builtins of a chip, as PTX modules with their launches, and the names of the modules.
pub fn kernel_modules(chip: &str) -> Result<Vec<(String, String)>, String> {
    /// Kernels of one module: enough that the driver's compiler is not started for each.
    const MODULE: usize = 32;
    let sm: Sm = chip.parse().map_err(|_| format!("{chip} is not a chip"))?;
    let blocks = THREADS / 256;
    let mut all: Vec<(String, String)> = Vec::new();
    for builtin in warpc_builtins::all().iter().filter(|row| row.is_on(sm)) {
        if matches!(fate(builtin, chip), Fate::Refused(_) | Fate::Reserved) {
            continue;
        }
        let name = builtin.name;
        let numbers = kernel(builtin).map(|text| {
            let launch = format!(
                "// run: --kernel k{name} --grid {blocks} --block 256 --arg u64[{THREADS}]=0"
            );
            (text, launch)
        });
        all.extend(numbers.or_else(|| matrix::kernel(builtin)));
    }
    let mut modules = Vec::new();
    for (index, some) in all.chunks(MODULE).enumerate() {
        let mut text = String::from(
            "target triple = \"nvptx64-nvidia-cuda\"\n\n\
             declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n\
             declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\n",
        );
        let mut launches = String::new();
        let mut declared = BTreeSet::new();
        for (kernel, launch) in some {
            for line in kernel.lines() {
                // Products share their loads and stores.
                if !line.starts_with("declare") || declared.insert(line) {
                    let _ = writeln!(text, "{line}");
                }
            }
            let _ = writeln!(launches, "{launch}");
        }
        let ptx = crate::ours::compile(chip, &text)?;
        modules.push((format!("builtins{index:02}"), launches + &ptx));
    }
    Ok(modules)
}
