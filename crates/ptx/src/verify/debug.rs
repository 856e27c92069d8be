//! Debug directives.
//!
//! Rules (as ptxas has them): files are numbered once; the place an inlined function was called
//! from was named by a `.loc` above, and the function's name is a label of some `.section`;
//! `.target …, debug` goes with a debug section; labels of sections differ, and need PTX 7.0, as
//! differences of names and negative numbers need 7.5.

use super::Verifier;
use crate::module::{File, Item, Loc, Section, SectionLine, TargetOption};
use crate::symbol::Symbol;
use crate::table::gates::v;
use warpc_diag::{Span, codes};
use warpc_target::{Gate, at_least};

/// Labels in sections.
const LABELS: Gate = Gate(&[at_least(60, v(7, 0))]);
/// Differences and negative numbers in sections.
const SIGNED: Gate = Gate(&[at_least(60, v(7, 5))]);

impl Verifier<'_> {
    pub(super) fn check_file(&mut self, file: &File) {
        if !self.files.insert(file.index) {
            let message = format!("file number {} is taken", file.index);
            self.refuse(codes::DUPLICATE, file.at.0, message, "take another number");
        }
    }

    /// Notes the labels of a debug section, and asks whether the version has its kinds of data.
    pub(super) fn check_section(&mut self, section: &Section) {
        for line in &section.lines {
            let (gate, what, span) = match line {
                SectionLine::Label(label, at) => {
                    if !self.section_labels.insert(*label) {
                        let message = format!("`{}` is defined twice", self.module.name(*label));
                        let help = "labels of all sections have different names";
                        self.refuse(codes::DUPLICATE, at.0, message, help);
                    }
                    (LABELS, "name:", at.0)
                }
                SectionLine::Numbers(_, values, at) => {
                    if values.iter().all(|value| value.value() >= 0) {
                        continue;
                    }
                    (SIGNED, "-", at.0)
                }
                SectionLine::Difference(.., at) => (SIGNED, "name-name", at.0),
                SectionLine::Address(..) => continue,
            };
            if let Err(error) = self.require(gate) {
                self.report_gate(error, &format!("{what}` in `.section"), span);
            }
        }
    }

    /// The place an inlined function was called from must itself have been a `.loc`.
    pub(super) fn check_loc(&mut self, loc: &Loc) {
        if let Some(inlined) = &loc.inlined {
            self.inlined.entry(inlined.function).or_insert(loc.at.0);
        }
        if let Some(inlined) = &loc.inlined
            && !self.locations.contains(&inlined.call)
        {
            let (file, line, column) = inlined.call;
            let message =
                format!("`inlined_at {file} {line} {column}` is not a place of an earlier `.loc`");
            let help = "give the call a `.loc` of its own before";
            self.refuse(codes::BAD_DIRECTIVE, loc.at.0, message, help);
        }
        self.locations.insert((loc.file, loc.line, loc.column));
    }

    /// At the end: names of inlined functions stand in a debug section, wherever it is.
    pub(super) fn check_inlined(&mut self) {
        let mut missing: Vec<(Symbol, Span)> = std::mem::take(&mut self.inlined)
            .into_iter()
            .filter(|(symbol, _)| !self.section_labels.contains(symbol))
            .collect();
        missing.sort_by_key(|(_, span)| span.start);
        for (symbol, span) in missing {
            let message = format!(
                "`{}` is not a label of a `.section`",
                self.module.name(symbol)
            );
            self.refuse(
                codes::UNDEFINED,
                span,
                message,
                "`function_name` takes a label of a debug section",
            );
        }
    }

    /// `.target …, debug` promises debug sections.
    pub(super) fn check_debug(&mut self) {
        let promised = self.module.options.contains(&TargetOption::Debug);
        let kept = self.module.items.iter().any(
            |item| matches!(item, Item::Section(section) if section.name.starts_with(".debug_")),
        );
        if promised && !kept {
            let message = "`.target …, debug` promises debug sections, and there are none";
            let span = self.module.header.target.0;
            self.refuse(codes::BAD_DIRECTIVE, span, message, "leave out `debug`");
        }
    }
}
