//! `mov` of constants of every type, and of registers, also into registers of another kind.

use super::kernel::Kernel;

/// Constants of each type, as they are written.
const CONSTANTS: &[(&str, u32, &[&str])] = &[
    ("b16", 16, &["0", "0x8000", "65535", "-1"]),
    ("u16", 16, &["0", "0xffff", "077", "1 + 2 * 3"]),
    ("s16", 16, &["-32768", "0x7fff", "-1"]),
    ("b32", 32, &["0xdeadbeef", "-1", "0b101", "~5", "!0"]),
    (
        "u32",
        32,
        &["0U", "4294967295", "1 << 31", "7 > 3 ? 10 : 20"],
    ),
    (
        "s32",
        32,
        &["-2147483648", "0x7fffffff", "-7 / 2", "-7 % 3"],
    ),
    ("b64", 64, &["0x0123456789abcdef", "-1"]),
    (
        "u64",
        64,
        &["18446744073709551615", "1 << 63", "0xffffffffU"],
    ),
    ("s64", 64, &["-9223372036854775808", "-1", "-5 >> 1"]),
    (
        "f32",
        32,
        &[
            "1.0",
            "-0.0",
            "0f7f800001",
            "3.4028235e38",
            "1e-45",
            "0.1",
            "1e39",
        ],
    ),
    (
        "f64",
        64,
        &[
            "1.0",
            "-0.0",
            "0d7ff0000000000001",
            "0.1",
            "1.7976931348623157e308",
        ],
    ),
    ("b32", 32, &["0f3f800000"]),
    ("b64", 64, &["0d3ff8000000000000"]),
];

/// All kernels.
pub fn kernels() -> Vec<Kernel> {
    let mut list = Vec::new();
    for (i, (ty, bits, constants)) in CONSTANTS.iter().enumerate() {
        let mut kernel = Kernel::new(&format!("mov.{ty} constants {i}"), 0);
        kernel.register(*bits, "%d");
        for constant in *constants {
            kernel.line(format!("mov.{ty} %d, {constant};"));
            kernel.output(*bits, "%d");
        }
        kernel.launch([1, 1, 1], [2, 1, 1], "", "");
        list.push(kernel);
    }
    list.push(predicates());
    list
}

/// Predicates from registers and constants, with and without a guard.
fn predicates() -> Kernel {
    let mut kernel = Kernel::new("mov.pred", 4);
    for name in ["%p", "%q"] {
        kernel.register(1, name);
    }
    kernel.line("ld.global.u32 %x, [%in];");
    kernel.line("and.b32 %x, %x, 1;");
    kernel.line("setp.ne.u32 %p, %x, 0;");
    kernel.line("mov.pred %q, %p;");
    kernel.output(1, "%q");
    kernel.line("mov.pred %q, 1;");
    kernel.output(1, "%q");
    kernel.line("@%p mov.pred %q, 0;");
    kernel.output(1, "%q");
    kernel.line("@!%p mov.pred %q, %p;");
    kernel.output(1, "%q");
    kernel.line("not.pred %q, %q;");
    kernel.output(1, "%q");
    kernel.launch([1, 1, 1], [32, 1, 1], "", "");
    kernel
}
