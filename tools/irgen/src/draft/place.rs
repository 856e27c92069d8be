//! The places that functions start with: the thread's parts of buffers and variables, and memory of
//! their own. All of it is written before anything reads it.

use super::memory::{Place, Shape};
use super::{Draft, INPUT, OUTPUT, SCRATCH};
use crate::program::{Id, Operand};
use crate::ty::{self, Ty};

impl Draft {
    /// The kernel's memory: the thread's parts of the buffers and of shared and global variables.
    pub(super) fn threads_memory(&mut self, space: u32, input: Id, output: Id) {
        let register = |name: &str| format!("i32 @llvm.nvvm.read.ptx.sreg.{name}()");
        let calls = ["ctaid.x", "ntid.x", "tid.x"].map(register);
        let text = format!(
            "$r.b = call {}\n$r.n = call {}\n$r.t = call {}\n$r.m = mul i32 $r.b, $r.n\n$r = add i32 $r.m, $r.t",
            calls[0], calls[1], calls[2]
        );
        let number = self.unit_calling(&Ty::I32, text, Vec::new(), calls.to_vec());
        let mut all = vec![
            (Operand::Local(input), space, INPUT, INPUT, false, true),
            (Operand::Local(output), space, OUTPUT, SCRATCH, true, true),
        ];
        for (name, space, bytes) in self.per_thread_variables() {
            all.push((
                Operand::Constant(name),
                space,
                bytes,
                bytes,
                true,
                space != 3,
            ));
        }
        for (base, space, stride, bytes, writable, filled) in all {
            let ptr = Ty::Ptr(space);
            let wide = self.random.pick(&["zext", "sext"]);
            let mut text = format!(
                "$r.n = {wide} i32 $1 to i64\n$r.o = mul i64 $r.n, {stride}\n\
                 $r = getelementptr inbounds i8, {ptr} $0, i64 $r.o"
            );
            let mut declares = Vec::new();
            if !filled {
                let (call, declare) = zeroed(space, bytes);
                text += &call;
                declares.push(declare);
            }
            let operands = vec![(base, ptr.clone()), (number.clone(), Ty::I32)];
            let id = self.push(Some(ptr), text, operands, declares);
            let objects = self.object();
            self.places.push(Place {
                pointer: Operand::Local(id),
                space,
                shape: Shape::Raw { bytes, align: 16 },
                writable,
                objects,
                atomic: writable,
            });
        }
    }

    /// A function's own memory.
    pub(super) fn local_memory(&mut self) {
        for ty in self.handed_over() {
            if self.random.chance(70) {
                self.typed_local(&ty);
            }
        }
        let count = if self.style.memory {
            self.random.below(3)
        } else {
            0
        };
        for _ in 0..count {
            if self.random.chance(50) {
                let ty = self.fresh(|_| true, ty::any);
                self.typed_local(&ty);
                continue;
            }
            let bytes = self.random.pick(&[16, 32, 48, 64, 128]);
            let align = self.random.pick(&[1, 4, 8, 16]);
            let (call, declare) = zeroed(0, bytes);
            let text = format!("$r = alloca [{bytes} x i8], align {align}{call}");
            let text = text.replace("align 16 $r", &format!("align {align} $r"));
            let id = self.push(Some(Ty::Ptr(0)), text, Vec::new(), vec![declare]);
            let objects = self.object();
            self.places.push(Place {
                pointer: Operand::Local(id),
                space: 0,
                shape: Shape::Raw { bytes, align },
                writable: true,
                objects,
                atomic: false,
            });
        }
    }

    fn typed_local(&mut self, ty: &Ty) {
        let operands = vec![self.typed(ty)];
        let text = format!(
            "$r = alloca {ty}, align {}\nstore {ty} $0, ptr $r",
            ty.align()
        );
        let id = self.push(Some(Ty::Ptr(0)), text, operands, Vec::new());
        let objects = self.object();
        self.places.push(Place {
            pointer: Operand::Local(id),
            space: 0,
            shape: Shape::Typed(ty.clone()),
            writable: true,
            objects,
            atomic: false,
        });
    }
}

/// A line that clears the bytes at `$r`, and the intrinsic it calls.
fn zeroed(space: u32, bytes: u32) -> (String, String) {
    let ptr = Ty::Ptr(space);
    let name = format!("llvm.memset.p{space}.i64");
    (
        format!("\ncall void @{name}({ptr} align 16 $r, i8 0, i64 {bytes}, i1 false)"),
        format!("void @{name}({ptr}, i8, i64, i1)"),
    )
}
