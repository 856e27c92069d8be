//! Kernels of one warp that multiply matrices with the builtins: load three fragments, multiply, store.

use std::fmt::Write;
use warpc_builtins::Builtin;

/// What the builtins of a family are called and take.
struct Family {
    /// How the product begins, up to the shape.
    prefix: &'static str,
    /// The ends of the names of the loads of a, b and c, with `T` for the type in the product's name.
    loads: [&'static str; 3],
    /// The end of the name of the store.
    store: &'static str,
    /// The launch arguments of a and b.
    data: &'static str,
}

const FAMILIES: [Family; 6] = [
    Family {
        prefix: "__hmma_",
        loads: ["ld_a", "ld_b", "ld_c_C"],
        store: "st_c_D",
        // Positive numbers up to 4, some of them denormal.
        data: "u16[1024]=random:SEED:0:17408",
    },
    Family {
        prefix: "__imma_",
        loads: ["ld_a_T", "ld_b_T", "ld_c"],
        store: "st_c_i32",
        data: "u32[256]=random:SEED",
    },
    Family {
        prefix: "__bmma_",
        loads: ["ld_a_T", "ld_b_T", "ld_c"],
        store: "st_c_i32",
        data: "u32[256]=random:SEED",
    },
    Family {
        prefix: "__dmma_",
        loads: ["ld_a", "ld_b", "ld_c"],
        store: "st_c_T",
        data: "f64[64]=random:SEED",
    },
    Family {
        prefix: "__mma_tf32_",
        loads: ["ld_a", "ld_b", "ld_c"],
        store: "st_c_T",
        data: "f32[256]=random:SEED",
    },
    Family {
        prefix: "__mma_bf16_",
        loads: ["ld_a", "ld_b", "ld_c_f32"],
        store: "st_c_f32",
        data: "u16[1024]=random:SEED:16000:16512",
    },
];

/// The kernel of a product, and its launch; nothing if the builtin is none.
pub(super) fn kernel(builtin: &Builtin) -> Option<(String, String)> {
    let name = builtin.name;
    let family = FAMILIES
        .iter()
        .find(|family| name.starts_with(family.prefix))?;
    let rest = name.strip_prefix(family.prefix)?;
    let (shape, operation) = rest.split_once("_mma_")?;
    let [m, n, k] = sizes(shape)?;
    let ty = operation.rsplit('_').next()?;
    // `f32f16`: of d and of c.
    let (d, c) = match (family.prefix, ty.len()) {
        ("__hmma_", 6) => ty.split_at(3),
        _ => (ty, ty),
    };
    let fill = |end: &str| {
        let end = end.replace('T', ty).replace('D', d).replace('C', c);
        // bf16 shares the accumulator of half precision, and the store of tf32 has no type in front.
        let prefix = match (family.prefix, end.as_str()) {
            ("__mma_bf16_", "ld_c_f32" | "st_c_f32") => "__hmma_",
            ("__mma_tf32_", "st_c_f32") => "__mma_",
            (prefix, _) => prefix,
        };
        format!("{prefix}{shape}_{end}")
    };
    // Elements smaller than a byte lie in columns of the second matrix.
    let small = matches!(ty, "s4" | "u4" | "b1");
    let strides = [k, if small { k } else { n }, n];
    let layouts = [0, u32::from(small), 0];
    let count = builtin.signature?.params().len();
    let mut text = String::new();
    let mut body = String::new();
    for (at, load) in family.loads.iter().enumerate() {
        let load = fill(load);
        let _ = writeln!(text, "declare void @{load}(ptr, ptr, i32, i32)");
        let _ = writeln!(
            body,
            "  %f{at} = alloca [16 x i32], align 8\n  \
             call void @{load}(ptr %f{at}, ptr %in{at}, i32 {}, i32 {})",
            strides[at], layouts[at]
        );
    }
    let store = fill(family.store);
    let _ = writeln!(text, "declare void @{store}(ptr, ptr, i32, i32)");
    let limit = if count == 6 { ", i32" } else { "" };
    let _ = writeln!(text, "declare void @{name}(ptr, ptr, ptr, ptr, i32{limit})");
    let limit = if count == 6 { ", i32 0" } else { "" };
    let layout = u32::from(small);
    let _ = writeln!(
        body,
        "  %f3 = alloca [16 x i32], align 8\n  \
         call void @{name}(ptr %f3, ptr %f0, ptr %f1, ptr %f2, i32 {layout}{limit})\n  \
         call void @{store}(ptr %out, ptr %f3, i32 {n}, i32 0)\n  ret void\n}}\n"
    );
    let _ = writeln!(
        text,
        "define ptx_kernel void @k{name}(ptr %in0, ptr %in1, ptr %in2, ptr %out) {{"
    );
    let accumulators = m * n;
    let c_data = match c {
        "f16" => format!("u16[{accumulators}]=random:3:0:17408"),
        "f32" => format!("f32[{accumulators}]=random:3"),
        "f64" => format!("f64[{accumulators}]=random:3"),
        _ => format!("u32[{accumulators}]=random:3:0:1000"),
    };
    let launch = format!(
        "// run: --kernel k{name} --grid 1 --block 32 --arg {} --arg {} --arg {c_data} --arg u64[{accumulators}]=0",
        family.data.replace("SEED", "1"),
        family.data.replace("SEED", "2"),
    );
    Some((text + &body, launch))
}

/// The numbers of `m16n16k8`.
fn sizes(shape: &str) -> Option<[u32; 3]> {
    let (m, rest) = shape.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
}
