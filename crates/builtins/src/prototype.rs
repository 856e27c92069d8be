//! Types that CUDA's front end has for a builtin where they are not those of the table.
//!
//! The front end knows a prototype for every builtin that has a name. Most are the table's, or differ
//! in what LLVM IR does not tell apart: signs, and what an address points to. These differ in more:
//! packed and wide values go by address there, and the generic atomics take the object's size first.
//! Results come last, through an address: value and result of an exchange are `(address, value, result)`.

use crate::{Builtin, Signature};

/// Numbers from, to, and the types.
#[rustfmt::skip]
static ROWS: [(u16, u16, Option<Signature>); 19] = [
    (225, 227, Signature::parse("void(void*,void*,void*)")),
    (302, 309, Signature::parse("void(f32*,f32*,f32*)")),
    (338, 345, Signature::parse("void(f32*,f32*,f32*)")),
    (377, 379, Signature::parse("void(void*,void*,void*,void*)")),
    (395, 402, Signature::parse("void(f32*,f32*,f32*,f32*)")),
    (411, 411, Signature::parse("void(u32,bool*,u32,u32*)")),
    (412, 412, Signature::parse("void(u32,bool*,u32,u32)")),
    (417, 417, Signature::parse("void(u64,void*,void*,i32,i32)")),
    (423, 423, Signature::parse("void(u64,void*,void*,i32,i32)")),
    (459, 461, Signature::parse("void(f32*,f32*,f32*)")),
    (462, 462, Signature::parse("void(u64,void*,void*,void*,i32,i32)")),
    (466, 468, Signature::parse("void(f32*,f32*,f32*)")),
    (469, 469, Signature::parse("bool(u64,void*,void*,void*,bool,i32,i32,i32)")),
    (647, 647, Signature::parse("void(...)")),
    (663, 663, Signature::parse("void*(void*,i32,u64)")),
    (765, 765, Signature::parse("void(u32,u32,u32,bool,bool,bool,bool,bool,bool,void*,...)")),
    (766, 766, Signature::parse("void(u32,u32,u32,bool,bool,bool,bool,bool,void*,...)")),
    (767, 767, Signature::parse("void(u32,u32,u32,bool,bool,bool,void*,...)")),
    (768, 768, Signature::parse("void(u32,u32,u32,bool,bool,bool,bool,bool,bool,void*,...)")),
];

impl Builtin {
    /// The types in CUDA's front end, if LLVM IR tells them apart from [`Builtin::signature`].
    ///
    /// ```
    /// let load = warpc_builtins::by_name("__nv_atomic_load").unwrap();
    /// assert_eq!(load.prototype().unwrap().to_string(), "void(u64,void*,void*,i32,i32)");
    /// ```
    pub fn prototype(&self) -> Option<Signature> {
        let row = ROWS.iter().find(|row| (row.0..=row.1).contains(&self.id))?;
        row.2
    }
}
