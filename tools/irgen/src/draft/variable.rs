//! Variables of the module, with initialisers.

use super::memory::{Place, Shape};
use super::{Draft, THREADS};
use crate::program::{Global, Operand};
use crate::ty::{self, Ty};

impl Draft {
    /// Some constants and variables that all functions may read.
    pub(super) fn variables(&mut self) {
        for _ in 0..self.random.below(4) {
            match self.random.below(3) {
                0 => self.bytes_variable(),
                1 => self.typed_variable(),
                _ => self.table_of_addresses(),
            }
        }
    }

    /// A type for which LLVM writes the right bytes: not vectors with padding or odd integers, nor wide
    /// odd integers, nor a `half` alone.
    fn initialisable(&mut self) -> Ty {
        let right = |leaf: &Ty| match leaf {
            Ty::Vector(n, of) => n.is_power_of_two() && matches!(of.bits(), Some(8 | 16 | 32 | 64)),
            Ty::Int(bits) => *bits <= 64,
            _ => true,
        };
        let wanted = |ty: &Ty| {
            let alone = ty.float().is_some_and(|float| float.bits() == 16) && ty.lanes() == 1;
            !alone && ty.leaves().iter().all(|(_, leaf)| right(leaf))
        };
        self.fresh(wanted, ty::any)
    }

    fn variable(&mut self, space: u32, text: String, shape: Shape) -> String {
        let name = format!("@g{}", self.globals.len());
        let space_text = match space {
            0 => String::new(),
            space => format!("addrspace({space}) "),
        };
        self.globals.push(Global {
            name: name.clone(),
            text: format!("{name} = internal {space_text}{text}"),
        });
        let objects = self.object();
        self.places.push(Place {
            pointer: Operand::Constant(name.clone()),
            space,
            shape,
            writable: false,
            objects,
            atomic: false,
        });
        name
    }

    fn bytes_variable(&mut self) {
        let bytes = self.random.pick(&[32u32, 40, 64, 100]);
        let align = self.random.pick(&[1, 4, 16]);
        let space = self.random.pick(&[0, 0, 1, 4]);
        let content: String = (0..bytes)
            .map(|_| format!("\\{:02X}", self.random.bits() as u8))
            .collect();
        let kind = self
            .random
            .pick(&["constant", "global", "unnamed_addr constant"]);
        let kind = if space == 4 { "constant" } else { kind };
        let (prefix, kind) = match kind.strip_prefix("unnamed_addr ") {
            Some(kind) => ("unnamed_addr ", kind),
            None => ("", kind),
        };
        let text = format!("{kind} [{bytes} x i8] c\"{content}\", align {align}");
        let name = self.variable(space, text, Shape::Raw { bytes, align });
        if !prefix.is_empty()
            && let Some(global) = self.globals.last_mut()
        {
            global.text = global
                .text
                .replacen("internal ", "internal unnamed_addr ", 1);
            debug_assert!(global.name == name);
        }
    }

    fn typed_variable(&mut self) {
        let ty = match self.initialisable() {
            // LLVM writes variables of odd integers as `.u7`, which is not PTX.
            Ty::Int(bits) if ![8, 16, 32, 64].contains(&bits) => {
                Ty::Struct(false, vec![Ty::Int(bits)])
            }
            ty => ty,
        };
        let ty = match self.random.chance(40) {
            true => Ty::Array(self.random.pick(&[2, 4, 8]), Box::new(ty)),
            false => ty,
        };
        let space = self.random.pick(&[0, 0, 1, 4]);
        let kind = if space == 4 {
            "constant"
        } else {
            self.random.pick(&["constant", "global"])
        };
        let value = self.constant(&ty);
        let align = self.random.pick(&["", ", align 64"]);
        self.variable(
            space,
            format!("{kind} {ty} {value}{align}"),
            Shape::Typed(ty),
        );
    }

    /// Addresses of bytes, and an address loaded from among them.
    fn table_of_addresses(&mut self) {
        let raw = |place: &Place| match (&place.pointer, &place.shape) {
            (Operand::Constant(name), Shape::Raw { bytes, .. }) => {
                Some((name.clone(), *bytes, place.space))
            }
            _ => None,
        };
        let targets: Vec<(String, u32, u32)> = self.places.iter().filter_map(raw).collect();
        if targets.is_empty() {
            return self.bytes_variable();
        }
        let count = self.random.pick(&[1, 2, 4]);
        let mut entries = Vec::new();
        for _ in 0..count {
            let (name, bytes, space) = self.random.pick(&targets);
            let generic = match space {
                0 => name,
                space => format!("addrspacecast (ptr addrspace({space}) {name} to ptr)"),
            };
            let offset = self.random.below(bytes as usize - 31);
            entries.push(match offset {
                0 => format!("ptr {generic}"),
                offset => format!("ptr getelementptr inbounds (i8, ptr {generic}, i64 {offset})"),
            });
        }
        let name = format!("@g{}", self.globals.len());
        let number = self.random.below(1000);
        let text = format!(
            "{name} = internal constant {{ i32, [{count} x ptr] }} {{ i32 {number}, [{count} x ptr] [{}] }}",
            entries.join(", ")
        );
        self.globals.push(Global {
            name: name.clone(),
            text,
        });
        // The kernel and the functions each load their own address: see `Draft::loaded_addresses`.
        self.tables.push((name, count));
    }

    /// Places after addresses that are loaded from tables.
    pub(super) fn loaded_addresses(&mut self) {
        for (table, count) in self.tables.clone() {
            if self.random.chance(40) {
                continue;
            }
            let ty = format!("{{ i32, [{count} x ptr] }}");
            let operands = vec![self.typed(&Ty::I32)];
            let text = format!(
                "$r.i = urem i32 $0, {count}\n\
                 $r.a = getelementptr inbounds {ty}, ptr {table}, i64 0, i32 1, i32 $r.i\n\
                 $r = load ptr, ptr $r.a"
            );
            let id = self.push(Some(Ty::Ptr(0)), text, operands, Vec::new());
            let objects = self.object();
            self.places.push(Place {
                pointer: Operand::Local(id),
                space: 0,
                shape: Shape::Raw {
                    bytes: 31,
                    align: 1,
                },
                writable: false,
                objects,
                atomic: false,
            });
        }
    }

    /// Variables of which each thread has a part: name, space, bytes of a part.
    pub(super) fn per_thread_variables(&mut self) -> Vec<(String, u32, u32)> {
        let mut all = Vec::new();
        for space in [3, 1, 0] {
            if !self.random.chance(25) {
                continue;
            }
            let bytes = self.random.pick(&[32, 64]);
            let name = format!("@p{}", self.globals.len());
            let size = bytes * THREADS;
            let (space_text, content) = match space {
                3 => ("addrspace(3) ", "undef"),
                1 => ("addrspace(1) ", "zeroinitializer"),
                _ => ("", "zeroinitializer"),
            };
            let text =
                format!("{name} = internal {space_text}global [{size} x i8] {content}, align 16");
            self.globals.push(Global {
                name: name.clone(),
                text,
            });
            all.push((name, space, bytes));
        }
        all
    }
}
