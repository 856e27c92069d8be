//! Debug information does not change code, and its sections are what their heads say.

use crate::Options;
use warpc_diag::SourceFile;
use warpc_ptx::module::{Item, SectionLine, Statement};

const MODULES: [&str; 4] = [
    include_str!("../../../../tests/files/compile/debug/full.ll"),
    include_str!("../../../../tests/files/compile/debug/fences.ll"),
    include_str!("../../../../tests/files/compile/debug/types.ll"),
    include_str!("../../../../tests/files/compile/debug/inlined.ll"),
];

fn compile(text: &str, set: impl FnOnce(&mut Options)) -> warpc_ptx::Module {
    let file = SourceFile::new("m.ll", text).unwrap();
    let module = warpc_nvvm::read_text(&file).unwrap();
    let mut options = Options::new("sm_90".parse().unwrap());
    set(&mut options);
    crate::compile(&module, options).unwrap()
}

/// The statements of all functions, without lines and labels for debuggers.
fn code(module: &warpc_ptx::Module) -> Vec<String> {
    let functions = module.items.iter().filter_map(|item| match item {
        Item::Function(function) => function.body.as_ref(),
        _ => None,
    });
    let mut lines = Vec::new();
    for body in functions {
        for statement in &body.statements {
            match statement {
                Statement::Loc(_) => {}
                Statement::Label(name, _)
                    if module.name(*name).starts_with("$L__tmp")
                        || module.name(*name).starts_with("$L__func_") => {}
                statement => lines.push(warpc_ptx::print_statement(module, body, statement)),
            }
        }
    }
    lines
}

#[test]
fn code_is_the_same_with_and_without() {
    for text in MODULES {
        let plain = compile(text, |_| {});
        let debug = compile(text, |options| options.debug = true);
        assert!(!code(&plain).is_empty());
        assert_eq!(code(&plain), code(&debug));
        let parts = compile(text, |options| {
            options.debug = true;
            options.parts = 4;
        });
        assert_eq!(warpc_ptx::print(&debug), warpc_ptx::print(&parts));
    }
}

#[test]
fn what_is_written_is_valid_ptx() {
    for text in MODULES {
        let debug = compile(text, |options| options.debug = true);
        let file = SourceFile::new("m.ptx", warpc_ptx::print(&debug)).unwrap();
        let read = warpc_ptx::check(&file);
        assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics);
    }
}

/// The first number of `.debug_info` is the length of what follows, and every reference is to a place in it.
#[test]
fn lengths_are_right() {
    for text in MODULES {
        let debug = compile(text, |options| options.debug = true);
        let info = debug.items.iter().find_map(|item| match item {
            Item::Section(section) if section.name == ".debug_info" => Some(section),
            _ => None,
        });
        let lines = &info.unwrap().lines;
        let sizes = lines.iter().map(|line| match line {
            SectionLine::Label(..) => 0,
            SectionLine::Numbers(ty, numbers, _) => ty.bits() as usize / 8 * numbers.len(),
            SectionLine::Address(ty, ..) | SectionLine::Difference(ty, ..) => {
                ty.bits() as usize / 8
            }
        });
        let total: usize = sizes.sum();
        let SectionLine::Numbers(_, first, _) = &lines[0] else {
            panic!("{:?}", lines[0]);
        };
        assert_eq!(first[0].value(), total as i128 - 4);
    }
}
