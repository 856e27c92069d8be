//! `warpc explain`: what a builtin, instruction, special register, directive, machine operation or diagnostic is.

mod assembler;
mod becomes;
mod builtin;
mod kernel;
mod machine;
mod numbered;
mod overload;
mod words;

use crate::{MessageFormat, code_options, report};
use std::path::PathBuf;
use std::process::ExitCode;
use warpc_builtins::construct::{Form, Spelling};
use warpc_diag::Code;
use warpc_target::Sm;

/// The target of which names are explained, if none is given.
const USUAL: &str = "sm_75";

/// What `warpc explain` is called with.
#[derive(clap::Args)]
pub struct Arguments {
    /// `atom`, `cp.async.bulk`, `%tid`, `.maxntid`, `__nv_atomic_load_4`, `429`, `ATOMG`, `W0401`, `NV3764` …; with `--kernel`
    /// the name of the kernel, if the file has several.
    #[arg(required_unless_present = "kernel")]
    name: Option<String>,
    /// The target for which to show what a builtin becomes and what a machine operation is: `sm_90` or `compute_90`. sm_75 by
    /// default; a kernel is assembled for its own target.
    #[arg(long, visible_aliases = ["gpu-name", "mcpu"], value_name = "SM", value_parser = code_options::target)]
    arch: Option<Sm>,
    /// Explain the machine code of a kernel, of PTX as it is assembled, or of a cubin: for each instruction the line of PTX
    /// that it comes from, the live registers, and what it waits for; for each loop the cycles that are expected.
    #[arg(long, value_name = "FILE")]
    kernel: Option<PathBuf>,
    /// Write a page of HTML instead.
    #[arg(long, value_name = "FILE", requires = "kernel")]
    html: Option<PathBuf>,
    /// Show another cubin, or PTX, with the same kernel beside it: ptxas's, for example.
    #[arg(long, value_name = "FILE", requires = "kernel")]
    beside: Option<PathBuf>,
}

pub fn run(arguments: &Arguments, format: MessageFormat) -> ExitCode {
    let name = arguments.name.as_deref().unwrap_or_default();
    if let Some(file) = &arguments.kernel {
        return kernel::run(file, arguments, format);
    }
    let usual = || USUAL.parse().expect("a chip");
    match text(name, arguments.arch.unwrap_or_else(usual)) {
        Some(text) => report::output(&text, None, format),
        None => {
            let builtins = warpc_builtins::all().iter().map(|row| row.name);
            let near = warpc_ptx::suggest::opcode(name)
                .or_else(|| warpc_ptx::suggest::nearest(name, builtins))
                .map(|near| format!("; did you mean `{near}`?"))
                .unwrap_or_default();
            report::failure(
                &format_args!("nothing is known about `{name}`{near}"),
                format,
            )
        }
    }
}

fn text(name: &str, sm: Sm) -> Option<String> {
    if let Some(code) = Code::find(name) {
        let entry = code.entry();
        return Some(format!("{}: {}\n\n{}\n", code.0, entry.title, entry.text));
    }
    // Numbers of builtins and of diagnostics do not meet but for those below 771 that are both: builtins win, and
    // `NV` before it names the diagnostic.
    let builtin = name.parse().ok().and_then(warpc_builtins::by_id);
    if let Some(row) = builtin {
        return Some(builtin::text(row, sm));
    }
    if let Some(text) = words::of_word(name) {
        return Some(text);
    }
    if let Some(text) = numbered::text(name) {
        return Some(text);
    }
    if let Some(text) = assembler::text(name, sm) {
        return Some(text);
    }
    match Spelling::parse(name) {
        Some(spelling) if !matches!(spelling.form, Form::Sized { .. }) => {
            return Some(overload::text(name, spelling, sm));
        }
        _ => {}
    }
    match warpc_builtins::by_name(name) {
        Some(row) => Some(builtin::text(row, sm)),
        None => {
            let machine = machine::text(name, sm).unwrap_or_default();
            let words = words::of_instruction(name).unwrap_or_default();
            let ptx = warpc_ptx::explain(name).map(|text| text + &machine + &words);
            ptx.or_else(|| warpc_sass::explain(name, sm))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(name: &str, sm: &str) -> String {
        text(name, sm.parse().unwrap()).unwrap_or_else(|| panic!("{name}"))
    }

    #[test]
    fn modifier_words_both_ways() {
        let text = explained("atom.relaxed.gpu.global.add.u32", "sm_90");
        for word in ["0x1  modifier", "0x6000009a  modifier of the instruction"] {
            assert!(text.contains(word), "{word}: {text}");
        }
        for word in ["0x6000009a", "0x6000009b"] {
            let text = explained(word, "sm_90");
            assert!(text.contains("atom.relaxed.gpu.global.add.u32"), "{text}");
        }
        let text = explained("atom.acq_rel.sys.global.cas.b64", "sm_90");
        assert!(text.contains("0x24  modifier: order and scope"), "{text}");
        assert!(text.contains("0xe0020  operand word"), "{text}");
        assert!(explained("0x24", "sm_90").contains("acq_rel, .sys"));
        assert!(explained("0xE0020", "sm_90").contains("cas of Bits, .sys"));
        let text = explained("fence.sc.cluster", "sm_90");
        assert!(text.contains("0x4  operand of `membar`"), "{text}");
        // Instructions that are neither have no words, and most numbers are none.
        assert!(!explained("add.u32", "sm_90").contains("Modifier words"));
        assert!(super::text("0xffffffff", "sm_90".parse().unwrap()).is_none());
    }

    #[test]
    fn numbers() {
        let text = explained("nv3764", "sm_75");
        assert!(text.starts_with("NV3764: Exchanges of 16 bytes need sm_90."));
        assert!(text.contains("W0843"));
        let text = explained("NV20305", "sm_75");
        assert!(text.starts_with("NV3762 (nvcc prints 20305-D): "), "{text}");
        assert!(super::text("NV1", "sm_75".parse().unwrap()).is_none());
        let text = explained("429", "sm_90");
        assert!(text.starts_with("__nv_atomic_fetch_add_4_u: "), "{text}");
        assert!(explained("NV167", "sm_75").starts_with("NV167: "));
        assert!(super::text("771", "sm_75".parse().unwrap()).is_none());
    }

    /// Every row is explained on old and new chips, and says of each what the table says. That the compiler does so,
    /// too, is a test of `warpc-irgen`.
    #[test]
    fn every_builtin_has_a_text() {
        for chip in ["sm_60", "sm_90a", "sm_120"] {
            let sm = chip.parse().unwrap();
            for row in warpc_builtins::all()
                .iter()
                .chain(warpc_builtins::unnumbered())
            {
                let text = explained(row.name, chip);
                assert!(text.starts_with(row.name), "{text}");
                let denied = text.contains(&format!("{chip} does not have it: "));
                assert_eq!(denied, !row.is_on(sm), "{text}");
                assert!(!text.contains(&format!("is not on {chip}")), "{text}");
            }
        }
    }

    #[test]
    fn orders_by_scopes() {
        let text = explained("__nv_atomic_fetch_add_4_u", "sm_90");
        for line in [
            "relaxed  thread, block   atom.relaxed.cta.add.u32",
            "           cluster         atom.relaxed.cluster.add.u32",
            "seq_cst  thread, block   fence.sc.cta; atom.acquire.cta.add.u32",
            "           device          fence.sc.gpu; atom.acquire.gpu.add.u32",
            "           system          fence.sc.sys; atom.acquire.sys.add.u32",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        let text = explained("__nv_atomic_store_8", "sm_60");
        assert!(text.contains("a store cannot acquire (NV3757)"), "{text}");
        assert!(text.contains("membar.gl; st.volatile.b64"), "{text}");
        assert!(text.contains("NV3762"), "{text}");
        let text = explained("__nv_atomic_fetch_sub_4_s", "sm_80");
        assert!(text.contains("the negated value is added"), "{text}");
        assert!(text.contains("NV3763"), "{text}");
    }

    #[test]
    fn loops_are_named() {
        let text = explained("__nv_atomic_fetch_min_4_f", "sm_80");
        let line =
            "  relaxed  thread, block   ld.relaxed.cta.b32; atom.relaxed.cta.cas.b32 (a loop)";
        assert!(text.contains(line), "{text}");
        assert!(text.contains("cluster, device ld.relaxed.gpu"), "{text}");
        let text = explained("__nv_atomic_compare_exchange_4", "sm_80");
        assert!(!text.contains("(a loop)"), "{text}");
    }

    #[test]
    fn machine_code() {
        let text = explained("atom.acq_rel.gpu.add.u32", "sm_90");
        let line = "MEMBAR.ALL.GPU ERRBAR CGAERRBAR ATOM.E.ADD.STRONG.GPU CCTL.IVALL\n";
        assert!(text.contains(line), "{text}");
        let text = explained("vote.sync.all.pred", "sm_90");
        assert!(
            text.contains("  WARPSYNC.ALL VOTE.ALL where only"),
            "{text}"
        );
        let text = explained("redux.sync.add.s32", "sm_75");
        assert!(text.contains("sm_75 does not have"), "{text}");
        let text = explained("vote.sync.all.pred", "sm_60");
        assert!(
            text.contains("The machine code of sm_60 is not described"),
            "{text}"
        );
        assert!(!text.contains("does not have"), "{text}");
        assert!(explained("ATOMG", "sm_90").starts_with("ATOMG on sm_90: "));
        let text = explained("atom.acq_rel.gpu.shared.add.f32", "sm_90");
        assert!(text.contains("emits less than is asked for"), "{text}");
        assert!(!explained("add.s32", "sm_90").contains("Machine code"));
    }

    #[test]
    fn other_builtins() {
        let text = explained("__nvvm_atom_cta_add_gen_i", "sm_80");
        assert!(text.contains("atom.relaxed.cta.add"), "{text}");
        let text = explained("__nvvm_atom_sys_add_gen_f2", "sm_90");
        assert!(
            text.contains("atom.relaxed.sys.global.add.v2.f32"),
            "{text}"
        );
        let text = explained("__nvvm_atom_cas_gen_128", "sm_90");
        assert!(text.contains("cas.b128"), "{text}");
        let text = explained("__nv_atomic_exchange_16", "sm_80");
        assert!(text.contains("sm_80 does not have it"), "{text}");
        let text = explained("reserved_359", "sm_80");
        assert!(text.contains("reserved"), "{text}");
        let text = explained("__nv_atomic_fetch_add", "sm_80");
        assert!(text.contains("__nv_atomic_fetch_add_4_f"), "{text}");
        assert!(text.contains("NV3751"), "{text}");
        let text = explained("__nvvm_fma_rn_ftz_f", "sm_80");
        assert!(text.contains("fma.rn.ftz.f32"), "{text}");
    }
}
