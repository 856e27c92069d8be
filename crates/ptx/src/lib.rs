//! PTX, read, checked and printed.
//!
//! ```text
//!   text ──lex, parse──► Module ──verify──► Diagnostics
//!                          │
//!                          └──print──► text in canonical form ──format──► the same with the comments of the text
//!
//!   table/*: one row a form ──► form: resolve, select ──► parser, printer, verifier, explain
//! ```
//!
//! [`parse`] reads a module and reports what is not a PTX at all, [`verify`] what PTX does not allow,
//! [`check`] does both, [`print()`] writes it back, [`format()`] does so and keeps comments. The instructions are described once, as rows in [`table`]; the
//! language of those rows is explained in [`row`].

#[cfg(test)]
mod agreement;
mod build;
mod decimal;
pub mod directives;
mod explain;
pub mod form;
mod format;
mod initializer;
pub mod inst;
pub mod lex;
pub mod module;
mod parse;
mod print;
#[cfg(test)]
mod robustness;
pub mod row;
pub mod rule;
pub mod sreg;
pub mod sreg_code;
pub mod suggest;
pub mod symbol;
mod sync;
pub mod table;
mod transfer;
pub mod types;
mod unavailable;
mod verify;

pub use build::Mnemonics;
pub use decimal::push_decimal;
pub use explain::explain;
pub use format::{Comment, comments, format};
pub use module::Module;
pub use parse::parse;
pub use print::{mnemonic_text, print, print_function, print_statement};
pub use transfer::Transfer;
pub use verify::verify;

/// Reads and verifies a module, and reports as much as makes sense: where single instructions cannot
/// be read, the rest is verified nevertheless. In a module without errors every instruction then has the
/// form that the types of its operands select.
///
/// ```
/// let text = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() {\n foo;\n bra NOWHERE;\n}";
/// let file = warpc_diag::SourceFile::new("k.ptx", text).unwrap();
/// assert_eq!(warpc_ptx::check(&file).diagnostics.error_count(), 2);
/// ```
pub fn check(file: &warpc_diag::SourceFile) -> warpc_diag::Output<Module> {
    let mut parsed = parse::parse_partly(file);
    if parsed.structure_known {
        let (diagnostics, choices) = verify::verify_choices(&parsed.module, Some(file));
        parsed.diagnostics.append(diagnostics);
        parsed.diagnostics.sort_by_place();
        if !parsed.diagnostics.has_errors() {
            parsed.module.settle_choices(&choices);
        }
    }
    warpc_diag::Output::new(parsed.module, parsed.diagnostics)
}

/// Verifies a module that was made, not read. In one without errors every instruction then has the form that the types of
/// its operands select, as after [`check`].
pub fn settle(module: &mut Module) -> warpc_diag::Diagnostics {
    let (diagnostics, choices) = verify::verify_choices(module, None);
    if !diagnostics.has_errors() {
        module.settle_choices(&choices);
    }
    diagnostics
}

#[cfg(test)]
mod tests {
    use crate::module::Statement;

    /// The forms that the instructions of the first function have.
    fn choices(module: &crate::Module) -> Vec<u8> {
        let body = module
            .functions()
            .next()
            .and_then(|function| function.body.as_ref());
        let statements = &body.expect("a function with a body").statements;
        statements
            .iter()
            .filter_map(|statement| match statement {
                Statement::Inst(inst) => Some(inst.choice),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn types_choose_among_forms_that_look_alike() {
        let text = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { .reg .pred p; .reg .b32 r; .reg .b64 d; \
            isspacep.shared p, r; isspacep.shared p, d; }";
        let file = warpc_diag::SourceFile::new("k.ptx", text).expect("a short text");
        let parsed = choices(&crate::parse(&file).unwrap());
        assert_eq!(parsed[0], parsed[1], "they look alike");
        let checked = crate::check(&file);
        assert!(!checked.diagnostics.has_errors());
        let checked = choices(checked.value.as_ref().unwrap());
        assert_ne!(
            checked[0], checked[1],
            "one address has 32 bits, the other 64"
        );
    }
}
