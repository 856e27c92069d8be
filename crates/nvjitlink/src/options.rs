//! The options of a link, with the messages of nvJitLink 13.4.

use crate::result::JitLinkResult;
use warpc::{Atomics, Options, Sm};

/// What was chosen.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// For compiler and assembler.
    pub options: Options,
    /// LTO-IR is linked and compiled.
    pub lto: bool,
    /// PTX is made instead of machine code.
    pub ptx: bool,
}

/// Options with `=` and any value that have no effect on the result, or whose values are not looked at.
const WITHOUT_EFFECT: &[&str] = &[
    "-variables-used",
    "-Xptxas",
    "-split-compile",
    "-split-compile-extended",
    "-jump-table-density",
];
/// The same without a value.
const FLAGS_WITHOUT_EFFECT: &[&str] = &[
    "-time",
    "-verbose",
    "-optimize-unused-variables",
    "-no-cache",
];

type Failure = (JitLinkResult, String);

/// Reads options.
pub fn read(texts: &[String]) -> Result<Chosen, Failure> {
    let mut options = Options::default();
    options.atomics = Atomics::Cuda;
    options.fuse_unmarked = true;
    let mut chosen = Chosen {
        options,
        lto: false,
        ptx: false,
    };
    let mut arch = None;
    for text in texts {
        let text = text.trim();
        let unknown = || {
            let message = format!("unrecognized option: {text}\n");
            (JitLinkResult::UnrecognizedOption, message)
        };
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let options = &mut chosen.options;
        match (name, value) {
            ("-arch", Some(value)) => arch = Some(value.to_owned()),
            ("-lto", None) => chosen.lto = true,
            ("-ptx", None) => chosen.ptx = true,
            ("-O0", None) => options.level = 0,
            ("-O3", None) => options.level = 3,
            ("-g", None) => options.level = 0,
            ("-lineinfo", None) => options.lineinfo = true,
            ("-ftz", Some(value)) => options.ftz = Some(is_on(value).ok_or_else(unknown)?),
            ("-prec-div", Some(value)) => {
                options.precise_division = is_on(value).ok_or_else(unknown)?
            }
            ("-prec-sqrt", Some(value)) => {
                options.precise_square_root = is_on(value).ok_or_else(unknown)?;
            }
            ("-fma", Some(value)) => options.fmad = is_on(value).ok_or_else(unknown)?,
            ("-maxrregcount", Some(value)) => {
                options.assembler.bounds.registers = value.parse().ok()
            }
            ("-kernels-used", Some(value)) => options.assembler.entries.push(value.to_owned()),
            ("-r", None) | ("-device-stack-protector", _) => {
                let message = format!("ERROR: {name} is not supported\n");
                return Err((JitLinkResult::UnrecognizedOption, message));
            }
            (name, Some(_)) if WITHOUT_EFFECT.contains(&name) => {}
            (name, None) if FLAGS_WITHOUT_EFFECT.contains(&name) => {}
            (name, None) if name.starts_with("-O") => {
                let message = format!(
                    "unsupported value of -O: {}. Only 0 and 3 are supported.\n",
                    &name[2..]
                );
                return Err((JitLinkResult::UnrecognizedOption, message));
            }
            _ => return Err(unknown()),
        }
    }
    let Some(arch) = arch else {
        return Err((JitLinkResult::MissingArch, String::new()));
    };
    let is_virtual = arch.starts_with("compute_");
    let number = arch.strip_prefix("sm_").or(arch.strip_prefix("compute_"));
    let Some(number) = number else {
        let message = format!(
            "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value (-arch={arch})\n"
        );
        return Err((JitLinkResult::UnrecognizedOption, message));
    };
    let Ok(sm) = format!("sm_{number}").parse::<Sm>() else {
        let message = format!("ERROR NVJITLINK_ERROR_UNRECOGNIZED_ARCH: there is no {arch}\n");
        return Err((JitLinkResult::UnrecognizedArch, message));
    };
    if chosen.ptx && !chosen.lto {
        return Err((
            JitLinkResult::IncompatibleOptions,
            "ERROR: -ptx requires -lto\n".to_owned(),
        ));
    }
    if is_virtual && !chosen.ptx {
        return Err((
            JitLinkResult::IncompatibleOptions,
            "ERROR: virtual arch requires -ptx\n".to_owned(),
        ));
    }
    chosen.options.target = Some(sm);
    Ok(chosen)
}

fn is_on(value: &str) -> Option<bool> {
    match value {
        "0" | "false" => Some(false),
        "1" | "true" => Some(true),
        _ => None,
    }
}
