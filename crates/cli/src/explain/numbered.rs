//! Diagnostics that the reference texts number: those of CUDA's front ends, and that of the assembler's atomics.

use std::fmt::Write;
use warpc_builtins::fault::Entry;
use warpc_diag::codes;
use warpc_model::ocg;

/// Numbers that the front ends have and no module can get, with the reason.
const ELSEWHERE: [(u16, &str, &str); 1] = [(
    3753,
    "A builtin is called outside of device code.",
    "The front ends say it about functions of the host. A module for a GPU has none, so warpc never does.",
)];

/// Explains `NV3764`, in any letter case, also as nvcc prints it (`NV20305`), or the number alone.
pub fn text(name: &str) -> Option<String> {
    let digits = match name.split_at_checked(2) {
        Some((prefix, digits)) if prefix.eq_ignore_ascii_case("nv") => digits,
        _ => name,
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let code = format!("NV{digits}");
    if let Some(entry) = Entry::parse(&code) {
        return Some(front_end(entry));
    }
    if code == ocg::CODE {
        return Some(assembler());
    }
    let elsewhere = ELSEWHERE.iter().find(|row| code == format!("NV{}", row.0));
    elsewhere.map(|(number, title, text)| format!("NV{number}: {title}\n\n{text}\n"))
}

/// A diagnostic of CUDA's front ends.
fn front_end(entry: &Entry) -> String {
    let also = match entry.printed() {
        Some(printed) => format!(" (nvcc prints {printed}-D)"),
        None => String::new(),
    };
    format!(
        "NV{}{also}: {}\n\n{}\n\nA call of an `__nv_atomic_*` builtin gets it; warpc's code is {}.\n",
        entry.number,
        entry.title,
        entry.text,
        entry.code().0
    )
}

/// The one number that all checks of atomics in the assembler have.
fn assembler() -> String {
    let mut text = format!(
        "{}: The qualifiers and operands of an atomic instruction do not go together.\n\n\
         The assembler makes tokens of the qualifiers of each `atom` and `red`, and checks them together with the operands\n\
         in ten steps; all messages have this one number, and warpc's code is {}. The verifier of PTX refuses\n\
         such an instruction first, so only a module that it did not see can get one of them.\n\n",
        ocg::CODE,
        codes::BAD_ATOMIC.0
    );
    for fault in ocg::Fault::ALL {
        let kind = if fault.is_warning() {
            " (a warning)"
        } else {
            ""
        };
        let _ = writeln!(text, "  step {:2}  {fault}{kind}", fault.step());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_builtins::fault::ENTRIES;

    /// Every number that the reference texts or a message of warpc name.
    #[test]
    fn every_number_has_a_text() {
        for entry in &ENTRIES {
            let explained = text(&format!("NV{}", entry.number)).unwrap();
            assert!(explained.contains(entry.title), "{explained}");
        }
        let assembler = text("nv7308").unwrap();
        for fault in ocg::Fault::ALL {
            assert!(assembler.contains(&fault.to_string()), "{assembler}");
        }
        assert_eq!(text("7308"), Some(assembler));
        assert!(text("NV3753").unwrap().contains("outside of device code"));
        assert!(text("NV20305").unwrap().starts_with("NV3762 "));
        for nothing in ["NV1", "NV", "nvx", "99999999"] {
            assert_eq!(text(nothing), None, "{nothing}");
        }
    }
}
