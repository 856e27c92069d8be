//! Modules of LLVM IR into one.

use crate::compile::{is_for_gpu, read_llvm};
use crate::door::{enter, wrong_kind};
use crate::{Kind, Llvm, Options, Source};
use std::sync::Arc;
use warpc_diag::{Diagnostic, Diagnostics, Output, Severity, SourceFile, Span, codes};
use warpc_nvvm::link::{Linked, Message, Place};

/// Links modules of LLVM IR into one, the first one being linked into.
///
/// ```
/// use warpc::{Options, Source};
///
/// let a = Source::new("a.ll", "declare i32 @f()\ndefine i32 @g() {\n  %x = call i32 @f()\n  ret i32 %x\n}\n")?;
/// let b = Source::new("b.ll", "define i32 @f() {\n  ret i32 7\n}\n")?;
/// let linked = warpc::link(&[a, b], &Options::default()).into_result()?;
/// assert!(linked.to_string().contains("define i32 @f()"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn link(sources: &[Source], options: &Options) -> Output<Llvm> {
    let mut modules = Vec::new();
    let mut diagnostics = Diagnostics::new();
    if sources.is_empty() {
        diagnostics.push(nothing());
    }
    for source in sources {
        let read = enter(source, || match source.kind() {
            Kind::Llvm => read_llvm(source, options, is_for_gpu),
            _ => wrong_kind(source, &[Kind::Llvm]),
        });
        modules.extend(read.value);
        diagnostics.append(read.diagnostics);
    }
    let Some(first) = sources.first().filter(|_| modules.len() == sources.len()) else {
        return Output::failed(diagnostics);
    };
    let linked = enter(first, || together(modules, sources, options));
    Output::new((), diagnostics).and_then(|()| linked)
}

/// Says that there is no module.
pub(crate) fn nothing() -> Diagnostic {
    let nothing = "there is no module to link";
    let nothing = Diagnostic::error(codes::WRONG_INPUT, Span::NOWHERE, nothing);
    nothing.help("give at least one module of LLVM IR")
}

fn together(
    modules: Vec<warpc_nvvm::Module>,
    sources: &[Source],
    options: &Options,
) -> Output<Llvm> {
    let link = &options.link;
    let how = warpc_nvvm::LinkOptions {
        only_needed: link.only_needed,
        internalize_added: link.internalize_added,
    };
    linked(warpc_nvvm::link(modules, how), sources, options)
}

/// What linking gave, without what is not to be kept, verified.
pub(crate) fn linked(mut linked: Linked, sources: &[Source], options: &Options) -> Output<Llvm> {
    let link = &options.link;
    if !link.keep.is_empty() && !linked.has_errors() {
        warpc_nvvm::link::internalize(&mut linked.module, |name| {
            link.keep.iter().any(|kept| kept.as_bytes() == name)
        });
        warpc_nvvm::link::drop_unused(&mut linked.module);
    }
    let broken = match linked.has_errors() {
        true => None,
        false => linked.verify().err(),
    };
    let Linked { module, messages } = linked;
    let mut diagnostics = Diagnostics::new();
    for message in &messages {
        diagnostics.push(diagnostic(message, sources));
    }
    if let Some((file, mut found)) = broken {
        found.in_file(&Arc::new(file));
        diagnostics.append(found);
    }
    Output::new(Llvm { module, file: None }, diagnostics)
}

/// A message at its first place; the others are named.
fn diagnostic(message: &Message, sources: &[Source]) -> Diagnostic {
    let (source, span) = match message.places.first() {
        Some(&Place { module, pos }) => (&sources[module], word_at(sources[module].file(), pos)),
        None => (&sources[message.module], Span::default()),
    };
    let mut diagnostic = match message.severity {
        Severity::Error => Diagnostic::error(message.code, span, &message.text),
        _ => Diagnostic::warning(message.code, span, &message.text),
    }
    .help(message.help)
    .in_file(&source.shown());
    if let Some(&Place { module, pos }) = message.places.get(1) {
        let other = sources[module].shown();
        let at = other.position(pos);
        let place = match other.bytes().is_empty() {
            true => other.name().to_owned(),
            false => format!("{}:{}:{}", other.name(), at.line, at.column),
        };
        diagnostic = diagnostic.label(format!("the other one is at {place}"));
    }
    diagnostic
}

/// From a place to the end of its first word.
fn word_at(file: &SourceFile, pos: u32) -> Span {
    let rest = file.bytes().get(pos as usize..).unwrap_or_default();
    let len = rest.iter().position(|byte| byte.is_ascii_whitespace());
    Span {
        start: pos,
        end: pos + len.unwrap_or(rest.len()) as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_cannot_be_linked() {
        let linked = link(&[], &Options::default());
        assert!(linked.value.is_none());
        let text = linked.diagnostics.to_string();
        assert!(text.contains("there is no module to link"), "{text}");
    }
}
