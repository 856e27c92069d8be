//! Shuffles of values of any type between the threads of a warp.
//!
//! A chip moves 32 bits at a time. A value of another type is taken apart into words of 32 bits, each is moved,
//! and the words are put together again:
//!
//! ```text
//!   i64, double, ptr      word 0 │ word 1              half, i1, i8     a part of one word
//!   <4 x half>            word 0 │ word 1              { T, U }, [N x T]  member by member
//! ```

use crate::edit::Editor;
use warpc_nvvm::inst::{BinaryOp, CastOp};
use warpc_nvvm::layout::Layout;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::Value;

/// Which thread a thread gets its value from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// The one with a number.
    Idx,
    /// So many before it.
    Up,
    /// So many after it.
    Down,
    /// The one whose number differs in these bits.
    Bfly,
}

impl Mode {
    /// As PTX and LLVM spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Idx => "idx",
            Mode::Up => "up",
            Mode::Down => "down",
            Mode::Bfly => "bfly",
        }
    }
}

/// The last operand of a shuffle that spans the whole warp in the modes [`Mode::Idx`], [`Mode::Down`] and
/// [`Mode::Bfly`]. [`Mode::Up`] has zero there.
pub const WHOLE_WARP: u64 = 31;

/// A shuffle.
#[derive(Clone, Copy, Debug)]
pub struct Shuffle {
    /// Which thread the value comes from.
    pub mode: Mode,
    /// The threads that take part.
    pub mask: Value,
    /// The number or distance of the other thread.
    pub lane: Value,
    /// The clamp and the segments, as PTX packs them.
    pub clamp: Value,
}

impl Shuffle {
    /// The value of the other thread. `None` for types that have no bits to move: functions, labels, metadata
    /// and vectors without a fixed length.
    pub fn value(&self, editor: &mut Editor, layout: &Layout, value: Value) -> Option<Value> {
        let ty = editor.type_of(value);
        let members = match editor.module.types.get(ty) {
            Type::Int(bits) => return Some(self.integer(editor, value, bits)),
            Type::Float => {
                let name = format!("llvm.nvvm.shfl.sync.{}.f32", self.mode.name());
                let args = [self.mask, value, self.lane, self.clamp];
                return Some(editor.intrinsic(&name, ty, &args));
            }
            Type::Struct { .. } | Type::Named(_) => editor.module.types.fields(ty)?.len() as u64,
            Type::Array { len, .. } => len,
            Type::Vector { element, .. }
                if matches!(editor.module.types.get(element), Type::Ptr(_)) =>
            {
                let moved = editor.elements(value).into_iter();
                let moved: Option<Vec<Value>> =
                    moved.map(|one| self.value(editor, layout, one)).collect();
                return Some(editor.vector(ty, &moved?));
            }
            Type::Vector { scalable: true, .. } => return None,
            Type::Ptr(_) => {
                let bits = layout.bits(&editor.module.types, ty) as u32;
                let number = editor.int_type(bits);
                let value = editor.cast(CastOp::Ptrtoint, value, number);
                let moved = self.integer(editor, value, bits);
                return Some(editor.cast(CastOp::Inttoptr, moved, ty));
            }
            other if other.float_bits().is_some() || matches!(other, Type::Vector { .. }) => {
                let bits = layout.bits(&editor.module.types, ty) as u32;
                let integer = editor.int_type(bits);
                let value = editor.cast(CastOp::Bitcast, value, integer);
                let moved = self.integer(editor, value, bits);
                return Some(editor.cast(CastOp::Bitcast, moved, ty));
            }
            _ => return None,
        };
        let mut whole = editor.poison(ty);
        for index in 0..u32::try_from(members).ok()? {
            let member = editor.member(value, index);
            let moved = self.value(editor, layout, member)?;
            whole = editor.with_member(whole, moved, index);
        }
        Some(whole)
    }

    /// The value of the other thread, and whether there is one in the segment. The value is an integer of 32 bits.
    pub fn word_and_validity(&self, editor: &mut Editor, word: Value) -> (Value, Value) {
        let i32 = editor.module.types.i32;
        let pair = pair_type(editor, i32);
        let name = format!("llvm.nvvm.shfl.sync.{}.i32p", self.mode.name());
        let args = [self.mask, word, self.lane, self.clamp];
        let pair = editor.intrinsic(&name, pair, &args);
        (editor.member(pair, 0), editor.member(pair, 1))
    }

    /// An integer of 32 bits of the other thread.
    pub fn word(&self, editor: &mut Editor, word: Value) -> Value {
        let i32 = editor.module.types.i32;
        let name = format!("llvm.nvvm.shfl.sync.{}.i32", self.mode.name());
        let args = [self.mask, word, self.lane, self.clamp];
        editor.intrinsic(&name, i32, &args)
    }

    fn integer(&self, editor: &mut Editor, value: Value, bits: u32) -> Value {
        let i32 = editor.module.types.i32;
        let ty = editor.type_of(value);
        if bits <= 32 {
            let word = editor.cast(CastOp::Zext, value, i32);
            let moved = self.word(editor, word);
            return editor.cast(CastOp::Trunc, moved, ty);
        }
        let mut whole = editor.zero(ty);
        for word in 0..bits.div_ceil(32) {
            let distance = editor.int(ty, u64::from(word) * 32);
            let mut part = value;
            if word != 0 {
                part = editor.binary(BinaryOp::Lshr, part, distance);
            }
            let part = editor.cast(CastOp::Trunc, part, i32);
            let moved = self.word(editor, part);
            let moved = editor.cast(CastOp::Zext, moved, ty);
            whole = match word {
                0 => moved,
                _ => {
                    let moved = editor.binary(BinaryOp::Shl, moved, distance);
                    editor.binary(BinaryOp::Or, whole, moved)
                }
            };
        }
        whole
    }
}

/// `{ T, i1 }`
pub(crate) fn pair_type(editor: &mut Editor, first: TypeId) -> TypeId {
    let types = &mut editor.module.types;
    let fields = types.intern_list(&[first, types.i1]);
    types.intern(Type::Struct {
        fields,
        packed: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{Action, edit_bodies};
    use warpc_diag::SourceFile;
    use warpc_nvvm::inst::Op;

    /// How many words are moved for a value of a type.
    fn words(ty: &str) -> usize {
        let text = format!(
            "%named = type {{ i64, [2 x i16] }}\ndefine {ty} @f({ty} %v) {{\n  ret {ty} %v\n}}\n"
        );
        let file = SourceFile::new("f.ll", text).unwrap();
        let mut module = warpc_nvvm::read_text(&file).unwrap();
        let layout = Layout::for_gpu(&module);
        edit_bodies(&mut module, |editor| {
            editor.rewrite(|editor, inst| {
                if editor.body.insts[inst].op != Op::Ret {
                    return Action::Keep;
                }
                let value = editor.body.operands(inst)[0];
                let i32 = editor.module.types.i32;
                let shuffle = Shuffle {
                    mode: Mode::Bfly,
                    mask: editor.all_ones(i32),
                    lane: editor.int(i32, 1),
                    clamp: editor.int(i32, WHOLE_WARP),
                };
                let moved = shuffle.value(editor, &layout, value);
                editor.ret(Some(moved.expect("a value with bits")));
                Action::Remove
            });
        });
        let found = warpc_nvvm::verify(&module);
        let printed = warpc_nvvm::print(&module);
        assert!(!found.has_errors(), "{:?}\n{printed}", found.as_slice());
        printed.matches("call ").count()
    }

    #[test]
    fn values_are_moved_in_words() {
        let types = [
            ("i1", 1),
            ("i32", 1),
            ("i33", 2),
            ("i64", 2),
            ("i128", 4),
            ("half", 1),
            ("float", 1),
            ("double", 2),
            ("ptr", 2),
            ("<4 x half>", 2),
            ("<3 x float>", 3),
            ("<2 x ptr>", 4),
            ("{ i64, float, [2 x i16] }", 5),
            ("%named", 4),
            ("[3 x { i8, double }]", 9),
        ];
        for (ty, count) in types {
            assert_eq!(words(ty), count, "{ty}");
        }
    }
}
