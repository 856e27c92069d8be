//! Every kind of linkage against every other, for variables and for functions, and visibilities likewise.

use super::Set;

/// Linkages of a definition, and of a declaration at the end.
const LINKAGES: [&str; 11] = [
    "external",
    "weak",
    "weak_odr",
    "linkonce",
    "linkonce_odr",
    "internal",
    "private",
    "available_externally",
    "common",
    "extern_weak",
    "declaration",
];
const VISIBILITIES: [&str; 3] = ["default", "hidden", "protected"];

/// All sets.
pub fn sets() -> Vec<Set> {
    let mut sets = Vec::new();
    for first in LINKAGES {
        for second in LINKAGES {
            sets.push(set(
                format!("variable/{first}-{second}"),
                [variable(first, 1), variable(second, 2)],
            ));
            if first != "common" && second != "common" {
                sets.push(set(
                    format!("function/{first}-{second}"),
                    [function(first, 1), function(second, 2)],
                ));
            }
        }
    }
    for first in VISIBILITIES {
        for second in VISIBILITIES {
            let module = |visibility: &str, n: u32| {
                format!("@x = weak {visibility} global i32 {n}\n{}", user(n))
            };
            sets.push(set(
                format!("visibility/{first}-{second}"),
                [module(first, 1), module(second, 2)],
            ));
        }
    }
    sets
}

fn set(name: String, modules: [String; 2]) -> Set {
    Set {
        name,
        flags: Vec::new(),
        modules: modules.to_vec(),
    }
}

/// Something that keeps `@x` alive, under a name of its own.
fn user(n: u32) -> String {
    format!("define ptr @user{n}() {{\n  ret ptr @x\n}}\n")
}

fn variable(linkage: &str, n: u32) -> String {
    let definition = match linkage {
        "external" => format!("@x = global i32 {n}"),
        "common" => "@x = common global i32 0".into(),
        "extern_weak" => "@x = extern_weak global i32".into(),
        "declaration" => "@x = external global i32".into(),
        _ => format!("@x = {linkage} global i32 {n}"),
    };
    format!("{definition}\n{}", user(n))
}

fn function(linkage: &str, n: u32) -> String {
    let definition = match linkage {
        "extern_weak" => "declare extern_weak i32 @x()".into(),
        "declaration" => "declare i32 @x()".into(),
        _ => format!("define {linkage} i32 @x() {{\n  ret i32 {n}\n}}"),
    };
    format!("{definition}\n{}", user(n))
}
