//! What a call becomes: the compiler is asked.
//!
//! A module with one function that passes its parameters on to the builtin is compiled, and the
//! instructions that move parameters and results are taken out of the PTX.

use std::fmt::Write;
use warpc::{Options, Source};
use warpc_builtins::{Atomic, Builtin};
use warpc_model::AtomicOp;
use warpc_target::Sm;

/// The instructions, one each; or why there are none.
pub fn instructions(
    builtin: &Builtin,
    constants: &[i64],
    sm: Sm,
) -> Result<Vec<String>, Option<String>> {
    let text = module(builtin, constants).ok_or(None)?;
    let source = Source::new("explain.ll", text).map_err(|_| None)?;
    let made = warpc::compile(&source, &Options::new(sm));
    match made.value {
        Some(ptx) => Ok(body(&ptx.to_string())),
        None => {
            let error = made.diagnostics.first_error();
            Err(error.map(|error| error.message.clone()))
        }
    }
}

/// A function that calls the builtin. The last parameters get constants.
fn module(builtin: &Builtin, constants: &[i64]) -> Option<String> {
    let (result, params) = types(builtin)?;
    let first_constant = params.len().checked_sub(constants.len())?;
    let (mut head, mut call) = (vec![], vec![]);
    for (i, &ty) in params.iter().enumerate() {
        // Whether an exchange may fail without a reason is a constant, too.
        let constant = match i.checked_sub(first_constant) {
            Some(place) => Some(constants[place].to_string()),
            None if ty == "i1" => Some("false".to_owned()),
            None => None,
        };
        match constant {
            Some(constant) => call.push(format!("{ty} {constant}")),
            None => {
                head.push(format!("{ty} %a{i}"));
                call.push(format!("{ty} %a{i}"));
            }
        }
    }
    let name = builtin.name;
    let mut text = String::from("target triple = \"nvptx64-nvidia-cuda\"\n");
    let _ = writeln!(text, "declare {result} @{name}({})", params.join(", "));
    let _ = writeln!(text, "define {result} @call({}) {{", head.join(", "));
    let call = format!("call {result} @{name}({})", call.join(", "));
    let _ = match result {
        "void" => write!(text, "  {call}\n  ret void\n}}\n"),
        _ => write!(text, "  %r = {call}\n  ret {result} %r\n}}\n"),
    };
    Some(text)
}

/// Result and parameters in LLVM IR.
fn types(builtin: &Builtin) -> Option<(&'static str, Vec<&'static str>)> {
    if let Some(signature) = builtin.signature {
        let params = signature.params().iter().map(|param| param.llvm());
        return (!signature.variadic).then(|| (signature.result.llvm(), params.collect()));
    }
    // The names of atomics say it.
    let Some(Atomic::Legacy {
        op,
        bytes,
        elements,
        ..
    }) = builtin.atomic()
    else {
        return None;
    };
    let value = match (bytes, elements) {
        (16, 1) => "i128",
        (4, 2) => "<2 x float>",
        (4, 4) => "<4 x float>",
        _ => return None,
    };
    let values = 1 + usize::from(op == AtomicOp::Cas);
    let params = std::iter::once("ptr").chain(std::iter::repeat_n(value, values));
    Some((value, params.collect()))
}

/// The instructions of the function `call`, without those that move parameters and results.
fn body(ptx: &str) -> Vec<String> {
    let function = ptx.lines().skip_while(|line| !line.contains(" call("));
    let inside = function.skip_while(|line| *line != "{").skip(1);
    let lines = inside.take_while(|line| *line != "}").map(str::trim);
    let moves = |line: &&str| {
        let first = line.split([' ', ';']).next().unwrap_or_default();
        first == "ret"
            || first.starts_with("ld.param")
            || first.starts_with("st.param")
            || line.starts_with(".reg")
    };
    lines
        .filter(|line| !line.is_empty() && !moves(line))
        .map(str::to_owned)
        .collect()
}

/// The mnemonics of instructions that access shared memory or order accesses.
pub fn ordered(instructions: &[String]) -> String {
    let is_ordered = |mnemonic: &&str| {
        ["atom", "red", "fence", "membar"]
            .iter()
            .any(|word| mnemonic.split('.').next() == Some(word))
            || [".relaxed", ".acquire", ".release", ".volatile"]
                .iter()
                .any(|order| mnemonic.contains(order))
    };
    let mnemonics = instructions
        .iter()
        .map(|line| line.split([' ', ';']).next().unwrap_or_default());
    let list: Vec<&str> = mnemonics.filter(is_ordered).collect();
    let loops = instructions
        .iter()
        .any(|line| goes_back(line, instructions));
    match (list.is_empty(), loops) {
        (true, _) => "nothing".to_owned(),
        (false, true) => format!("{} (a loop)", list.join("; ")),
        (false, false) => list.join("; "),
    }
}

/// Whether a line jumps to a label that stands before it.
fn goes_back(line: &str, lines: &[String]) -> bool {
    let mut words = line.trim_end_matches(';').rsplit(' ');
    let (target, mnemonic) = (words.next(), words.next());
    let Some((target, "bra" | "bra.uni")) = target.zip(mnemonic) else {
        return false;
    };
    let label = format!("{target}:");
    let place = |wanted: &str| lines.iter().position(|line| line == wanted);
    matches!((place(&label), place(line)), (Some(label), Some(jump)) if label < jump)
}
