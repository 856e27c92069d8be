//! The target that a module names itself: the attribute `"target-cpu"` of its functions.

use std::borrow::Cow;
use std::collections::BTreeMap;
use warpc_diag::{Diagnostic, Diagnostics, Span, codes};
use warpc_nvvm::Module;
use warpc_nvvm::attribute::Attribute;
use warpc_nvvm::module::GlobalKind;
use warpc_target::Sm;

/// The target of a module for which none was asked, and what there is to say about it: the one that its functions name,
/// the newest where they name several, and [`Sm::DEFAULT`] where they name none that there is.
pub(crate) fn target_of(module: &Module) -> (Sm, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let mut warn = |at: u32, message: String, help: String| {
        let span = Span::new(at, at + 1);
        diagnostics.push(Diagnostic::warning(codes::BAD_TARGET, span, message).help(help));
    };
    // Each name with the first function that has it.
    let mut named: BTreeMap<Cow<'_, str>, u32> = BTreeMap::new();
    for (_, global) in module.globals.iter() {
        let GlobalKind::Function(function) = &global.kind else {
            continue;
        };
        if function.body.is_none() {
            continue;
        }
        let name = module.names.find(b"target-cpu");
        let found = name.and_then(|name| {
            module
                .attributes
                .find(module.attributes.of_function(function.attrs), name)
        });
        if let Some(Attribute::Text(_, Some(value))) = found {
            named.entry(module.names.text(value)).or_insert(global.pos);
        }
    }
    let mut known: Vec<(Sm, u32)> = Vec::new();
    for (name, &at) in &named {
        match name.parse::<Sm>() {
            Ok(sm) => known.push((sm, at)),
            Err(error) => {
                let message =
                    format!("the function names the target `{name}`, which warpc does not have");
                warn(
                    at,
                    message,
                    format!("{error}; `--arch` chooses another one"),
                );
            }
        }
    }
    known.sort_unstable();
    let Some(&(newest, at)) = known.last() else {
        return (Sm::DEFAULT, diagnostics);
    };
    if known.len() > 1 {
        let names: Vec<String> = known.iter().map(|(sm, _)| format!("`{sm}`")).collect();
        let message = format!(
            "the functions of the module name different targets: {}",
            names.join(", ")
        );
        warn(
            at,
            message,
            format!("it is compiled for {newest}; `--arch` chooses another one"),
        );
    }
    (newest, diagnostics)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(text: &str) -> (String, Vec<String>) {
        let file = warpc_diag::SourceFile::new("k.ll", text).expect("a short text");
        let read = warpc_nvvm::read_text(&file);
        assert!(!read.diagnostics.has_errors());
        let (sm, diagnostics) = target_of(read.value.as_ref().unwrap());
        let messages = diagnostics.as_slice().iter().map(|d| d.message.clone());
        (sm.to_string(), messages.collect())
    }

    #[test]
    fn what_the_functions_name() {
        assert_eq!(
            target("define void @f() {\n ret void\n}\n"),
            ("sm_75".to_owned(), Vec::new())
        );
        let two = "define void @f() #0 {\n ret void\n}\ndefine void @g() #1 {\n ret void\n}\n\
            attributes #0 = { \"target-cpu\"=\"sm_90\" }\nattributes #1 = { \"target-cpu\"=\"sm_80\" }\n";
        let (sm, said) = target(two);
        assert_eq!(sm, "sm_90");
        assert_eq!(
            said,
            ["the functions of the module name different targets: `sm_80`, `sm_90`"]
        );
        let old = "define void @f() \"target-cpu\"=\"sm_35\" {\n ret void\n}\n";
        let (sm, said) = target(old);
        assert_eq!(sm, "sm_75");
        assert!(said[0].contains("`sm_35`"), "{said:?}");
        // A declaration is compiled elsewhere.
        let declared = "declare void @f() \"target-cpu\"=\"sm_90\"\n";
        assert_eq!(target(declared).0, "sm_75");
    }
}
