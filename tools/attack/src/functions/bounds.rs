//! Functions that notice when they touch memory that is not theirs.
//!
//! Before each access stands a call of a function of `objects.c`, which knows the buffers of the row and the stack variables:
//! what lies outside of them, is not aligned as the access says, or was never stored, ends the row. So do addresses that
//! leave their object though they promise not to.

use super::signature::{split, ty, words};
use crate::ty::Ty;
use std::fmt::Write;

/// The functions that checks call.
pub const DECLARATIONS: &str = "declare void @watch_variable(ptr, i64, i64)\n\
                                declare void @watch_read(ptr, i64, i64)\n\
                                declare void @watch_write(ptr, i64, i64)\n\
                                declare void @watch_copy(ptr, i64, ptr, i64, i64, i32)\n\
                                declare void @watch_step(ptr, ptr)\n\
                                declare void @watch_life(ptr, i32)\n";

/// Intrinsics with an address whose accesses are known here.
const KNOWN: [&str; 12] = [
    "memcpy.p",
    "memcpy.inline.p",
    "memmove.p",
    "memset.p",
    "memset.inline.p",
    "lifetime.",
    "masked.load.",
    "masked.store.",
    "masked.gather.",
    "masked.scatter.",
    "masked.expandload.",
    "masked.compressstore.",
];

/// Whether every access of a line would be seen.
pub fn is_known(line: &str) -> bool {
    let Some(call) = Call::of(line) else {
        return true;
    };
    let addresses = call.args.iter().any(|arg| argument(arg).0.contains("ptr"));
    !addresses || KNOWN.iter().any(|known| call.name.starts_with(known))
}

/// What stands before a line, and after it. Names of values have the number.
pub fn checks(line: &str, number: usize) -> (String, String) {
    let mut lines = Checks {
        out: String::new(),
        number,
        step: 0,
    };
    let text = line.trim();
    let (name, text) = match text.split_once(" = ") {
        Some((name, text)) => (name, text),
        None => ("", text),
    };
    let op = text.split(' ').next().unwrap_or_default();
    let rest = text[op.len()..].trim_start();
    let rest = rest.trim_start_matches("volatile ");
    match op {
        "load" => lines.access(rest, "read"),
        "store" => lines.access(rest, "write"),
        "call" | "tail" => lines.call(text),
        "alloca" => {
            lines.variable(name, rest);
            return (String::new(), lines.out);
        }
        "getelementptr" => {
            lines.address(name, rest);
            return (String::new(), lines.out);
        }
        _ => {}
    }
    (lines.out, String::new())
}

/// A call of an intrinsic.
struct Call<'l> {
    /// Its name without `llvm.`.
    name: &'l str,
    args: Vec<&'l str>,
}

impl Call<'_> {
    fn of(line: &str) -> Option<Call<'_>> {
        let line = line.trim();
        let name = &line[line.find("@llvm.")? + 6..];
        let open = name.find('(')?;
        let args = name[open + 1..].strip_suffix(')')?;
        Some(Call {
            name: &name[..open],
            args: split(args),
        })
    }
}

struct Checks {
    out: String,
    number: usize,
    step: usize,
}

/// The bytes that a type takes in memory, as a constant.
fn size(text: &str) -> String {
    match ty(text) {
        Some(ty) => ty.store_size().to_string(),
        None => format!("ptrtoint (ptr getelementptr ({text}, ptr null, i32 1) to i64)"),
    }
}

/// The type, attributes and value of an argument.
fn argument(text: &str) -> (&str, &str) {
    let all = words(text);
    let kind = all.first().copied().unwrap_or_default();
    // A value may have several words, as `splat (i1 true)`.
    let value = match all.iter().position(|word| word.starts_with("splat")) {
        Some(at) => &text[text.find(all[at]).unwrap_or_default()..],
        None => all.last().copied().unwrap_or_default(),
    };
    (kind, value)
}

fn align(words: &[&str]) -> Option<u64> {
    let at = words.iter().position(|word| *word == "align")?;
    words.get(at + 1)?.parse().ok()
}

impl Checks {
    fn value(&mut self, text: &str) -> String {
        self.step += 1;
        let name = format!("%bound.{}.{}", self.number, self.step);
        let _ = writeln!(self.out, "  {name} = {text}");
        name
    }

    fn access(&mut self, rest: &str, kind: &str) {
        let parts = split(rest);
        let [what, address, ..] = parts[..] else {
            return;
        };
        let of = words(what).first().copied().unwrap_or_default();
        // The value may follow without a space.
        let of = of.split(['%', '@']).next().unwrap_or_default();
        let said = parts.iter().find_map(|part| align(&words(part)));
        let align = said.or_else(|| ty(of).map(|ty| ty.align())).unwrap_or(1);
        let (_, address) = argument(address);
        let _ = writeln!(
            self.out,
            "  call void @watch_{kind}(ptr {address}, i64 {}, i64 {align})",
            size(of)
        );
    }

    fn variable(&mut self, name: &str, rest: &str) {
        let parts = split(rest);
        let of = parts[0];
        let counted = parts.get(1).filter(|part| part.starts_with('i'));
        let each = format!("ptrtoint (ptr getelementptr ({of}, ptr null, i32 1) to i64)");
        let mut bytes = format!("i64 {each}");
        if let Some((kind, count)) = counted.map(|part| argument(part)) {
            let wide = match kind {
                "i64" => count.to_string(),
                _ => self.value(&format!("zext {kind} {count} to i64")),
            };
            bytes = format!("i64 {}", self.value(&format!("mul i64 {wide}, {each}")));
        }
        let said = parts.iter().find_map(|part| align(&words(part)));
        let align = said.or_else(|| ty(of).map(|ty| ty.align())).unwrap_or(1);
        let _ = writeln!(
            self.out,
            "  call void @watch_variable(ptr {name}, {bytes}, i64 {align})"
        );
    }

    /// An address that promises to stay in its object.
    fn address(&mut self, name: &str, rest: &str) {
        let flags = ["inbounds ", "nusw ", "nuw "];
        if !flags.iter().any(|flag| rest.starts_with(flag)) {
            return;
        }
        let parts = split(rest);
        let vectors = parts.iter().skip(2).any(|part| part.starts_with('<'));
        match parts.get(1).map(|base| argument(base)) {
            Some(("ptr", base)) if !vectors => {
                let _ = writeln!(self.out, "  call void @watch_step(ptr {base}, ptr {name})");
            }
            _ => {}
        }
    }

    fn call(&mut self, text: &str) {
        let Some(Call { name, args }) = Call::of(text) else {
            return;
        };
        let values: Vec<(&str, &str)> = args.iter().map(|arg| argument(arg)).collect();
        let aligns: Vec<u64> = args
            .iter()
            .map(|arg| align(&words(arg)).unwrap_or(1))
            .collect();
        let result = words(text).into_iter().find(|word| word.starts_with('<'));
        match (name.split('.').collect::<Vec<_>>().as_slice(), &values[..]) {
            ([kind @ ("memcpy" | "memmove"), ..], [(_, to), (_, from), (int, count), ..]) => {
                let count = self.count(int, count);
                let apart = i32::from(*kind == "memcpy");
                let _ = writeln!(
                    self.out,
                    "  call void @watch_copy(ptr {to}, i64 {}, ptr {from}, i64 {}, i64 {count}, i32 {apart})",
                    aligns[0], aligns[1]
                );
            }
            (["memset", ..], [(_, to), _, (kind, count), ..]) => {
                let count = self.count(kind, count);
                let _ = writeln!(
                    self.out,
                    "  call void @watch_write(ptr {to}, i64 {count}, i64 {})",
                    aligns[0]
                );
            }
            (["lifetime", which, ..], [.., (_, at)]) => {
                let lives = i32::from(*which == "start");
                let _ = writeln!(self.out, "  call void @watch_life(ptr {at}, i32 {lives})");
            }
            (["masked", what, ..], _) => self.masked(what, &values, &aligns, result),
            _ => {}
        }
    }

    fn count(&mut self, kind: &str, count: &str) -> String {
        match kind {
            "i64" => count.to_string(),
            _ => self.value(&format!("zext {kind} {count} to i64")),
        }
    }

    /// Each lane whose bit of the mask is set.
    fn masked(
        &mut self,
        what: &str,
        values: &[(&str, &str)],
        aligns: &[u64],
        result: Option<&str>,
    ) {
        let stores = matches!(what, "store" | "scatter" | "compressstore");
        let packed = matches!(what, "expandload" | "compressstore");
        let at = usize::from(stores);
        let of = if stores {
            values.first().map(|(kind, _)| *kind)
        } else {
            result
        };
        // Alignment was an operand before it was an attribute.
        let operand = values.get(at + 1).filter(|(kind, _)| *kind == "i32");
        let mask = values.get(at + 1 + usize::from(operand.is_some()));
        let (Some(Ty::Vector(n, scalar)), Some((_, address)), Some((bools, mask))) =
            (of.and_then(ty), values.get(at), mask)
        else {
            // What is not understood is not judged.
            self.out.push_str("  call void @llvm.trap()\n");
            return;
        };
        let bytes = Ty::One(scalar).store_size();
        let said = operand.and_then(|(_, align)| align.parse().ok());
        let align = said.unwrap_or(aligns[at]).max(1);
        let kind = if stores { "write" } else { "read" };
        let spread = matches!(what, "gather" | "scatter");
        let mut next = "0".to_string();
        for lane in 0..n {
            let on = self.value(&format!("extractelement {bools} {mask}, i32 {lane}"));
            let place = match (spread, packed) {
                (true, _) => {
                    self.value(&format!("extractelement <{n} x ptr> {address}, i32 {lane}"))
                }
                (_, true) => {
                    let place = self.value(&format!(
                        "getelementptr {scalar}, ptr {address}, i64 {next}"
                    ));
                    let one = self.value(&format!("zext i1 {on} to i64"));
                    next = self.value(&format!("add i64 {next}, {one}"));
                    place
                }
                _ => self.value(&format!(
                    "getelementptr {scalar}, ptr {address}, i64 {lane}"
                )),
            };
            // A lane that is off touches nothing.
            let size = self.value(&format!("select i1 {on}, i64 {bytes}, i64 0"));
            // What is promised of the first lane holds for others as far as their distance allows.
            let distance = match (spread, packed) {
                (true, _) => align,
                (_, true) => bytes,
                _ => bytes * u64::from(lane),
            };
            let lane_align = 1 << (distance | align).trailing_zeros();
            let _ = writeln!(
                self.out,
                "  call void @watch_{kind}(ptr {place}, i64 {size}, i64 {lane_align})"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{checks, is_known};

    /// What stands before and after a line.
    fn around(line: &str) -> String {
        let (before, after) = checks(line, 7);
        format!("{before}|{after}")
    }

    #[test]
    fn accesses_are_checked_before_they_are_made() {
        let pairs = [
            (
                "  store volatile i24 %v, ptr %p, align 2",
                "  call void @watch_write(ptr %p, i64 3, i64 2)\n|",
            ),
            (
                "  store <2 x i32>%v, ptr %p, align 1",
                "  call void @watch_write(ptr %p, i64 8, i64 1)\n|",
            ),
            (
                "  %0 = load <3 x float>, ptr %p",
                "  call void @watch_read(ptr %p, i64 12, i64 16)\n|",
            ),
            (
                "  tail call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr nonnull %b, i64 %n, i1 false)",
                "  call void @watch_copy(ptr %a, i64 4, ptr %b, i64 1, i64 %n, i32 1)\n|",
            ),
            (
                "  call void @llvm.lifetime.end.p0(i64 4, ptr %a)",
                "  call void @watch_life(ptr %a, i32 0)\n|",
            ),
            (
                "  %q = getelementptr inbounds nuw i32, ptr %p, i64 %i",
                "|  call void @watch_step(ptr %p, ptr %q)\n",
            ),
            ("  %q = getelementptr i32, ptr %p, i64 %i", "|"),
            ("  %q = add i32 %p, %i", "|"),
        ];
        for (line, wanted) in pairs {
            assert_eq!(around(line), wanted, "{line}");
        }
        let variable = around("  %a = alloca [3 x i8], i32 %n, align 4");
        assert!(
            variable.starts_with("|  %bound.7.1 = zext i32 %n to i64\n"),
            "{variable}"
        );
        assert!(
            variable.ends_with("@watch_variable(ptr %a, i64 %bound.7.2, i64 4)\n"),
            "{variable}"
        );
    }

    #[test]
    fn lanes_of_masked_accesses_are_checked_one_by_one() {
        let text = around(
            "  %v = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr %p, i32 8, <2 x i1> %m, <2 x i32> %d)",
        );
        assert!(
            text.contains("select i1 %bound.7.1, i64 4, i64 0"),
            "{text}"
        );
        assert!(
            text.contains("(ptr %bound.7.2, i64 %bound.7.3, i64 8)"),
            "{text}"
        );
        assert!(
            text.contains("(ptr %bound.7.5, i64 %bound.7.6, i64 4)"),
            "{text}"
        );
        let text = around(
            "  call void @llvm.masked.scatter.v2i16.v2p0(<2 x i16> %v, <2 x ptr> align 2 %p, <2 x i1> splat (i1 true))",
        );
        assert!(
            text.contains("extractelement <2 x i1> splat (i1 true), i32 1"),
            "{text}"
        );
        assert!(
            text.contains("extractelement <2 x ptr> %p, i32 1"),
            "{text}"
        );
    }

    #[test]
    fn accesses_of_other_intrinsics_are_not_known() {
        assert!(!is_known(
            "  %v = call <2 x i32> @llvm.vp.load.v2i32.p0(ptr %p, <2 x i1> %m, i32 %n)"
        ));
        assert!(is_known(
            "  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false)"
        ));
        assert!(is_known("  %v = call i32 @llvm.ctpop.i32(i32 %ptr)"));
    }
}
