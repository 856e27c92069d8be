//! A name of the C++ atomics that stands for several rows: which type chooses which.

use std::fmt::Write;
use warpc_builtins::construct::{Form, Operation, Spelling};
use warpc_builtins::resolve::{Argument, Call, Kind, Object, resolve};
use warpc_target::Sm;

/// The types of C++ that are shown.
const TYPES: [(&str, Kind, u64); 13] = [
    ("unsigned char", Kind::Unsigned, 1),
    ("unsigned short", Kind::Unsigned, 2),
    ("int", Kind::Signed, 4),
    ("unsigned", Kind::Unsigned, 4),
    ("long long", Kind::Signed, 8),
    ("unsigned long long", Kind::Unsigned, 8),
    ("unsigned __int128", Kind::Unsigned, 16),
    ("float", Kind::Float, 4),
    ("double", Kind::Float, 8),
    ("pointer", Kind::Address, 8),
    ("struct of 8 bytes", Kind::Record, 8),
    ("struct of 12 bytes", Kind::Record, 12),
    ("struct of 16 bytes", Kind::Record, 16),
];

pub fn text(name: &str, spelling: Spelling, sm: Sm) -> String {
    if spelling.operation == Operation::Fence {
        let row = warpc_builtins::by_name(name).expect("the fence is a row");
        return super::builtin::text(row, sm);
    }
    let arguments = match (spelling.form, spelling.operation.word()) {
        (Form::Value, "load") => "address",
        (Form::Value, "compare_exchange") => "address, address of what is expected, value, weak",
        (Form::Value | Form::Overloaded { .. }, _) => "address, value",
        (_, "exchange") => "address, address of the value, address for the old value",
        (_, "compare_exchange") => {
            "address, address of what is expected, address of the value, weak"
        }
        (_, _) => "address, address of the value",
    };
    let orders = match spelling.operation.has_failure_order() {
        true => "order, order of failure",
        false => "order",
    };
    let mut text = format!(
        "{name}({arguments}, {orders}, scope)\n\nAn overload: the type of what the address points to \
         chooses the builtin. Orders and scope are\nconstants; the scope may be left out and is the \
         system then. On {sm}:\n"
    );
    for (word, kind, bytes) in TYPES {
        let verdict = resolve(&Call {
            spelling,
            object: Object::Of { kind, bytes },
            order: Argument::Constant(0),
            failure: Argument::Constant(0),
            scope: Argument::Missing,
            chip: sm.number(),
        });
        let answer = match verdict {
            Ok(resolved) => resolved.builtin.name.to_owned(),
            Err(faults) => {
                let errors = faults.iter().filter(|f| f.printed().is_none());
                let words = errors.map(|f| format!("no: {f} (NV{})", f.number()));
                words.collect::<Vec<_>>().join("; ")
            }
        };
        let _ = writeln!(text, "  {word:18}  {answer}");
    }
    text
}
