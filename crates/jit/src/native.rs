//! Code that was compiled, and the one place that calls it.

use cranelift_codegen::ir::Function;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use std::fmt;

/// What compiled code is called with: words, doubles, predicates, the most rounds; it gives how many it did.
type Entry = unsafe extern "C" fn(*mut u32, *mut u64, *mut u32, u64) -> u64;

/// How many registers of each file code names: one more than the highest number.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Extent {
    pub(crate) words: usize,
    pub(crate) doubles: usize,
    pub(crate) predicates: usize,
}

/// Why there is no native code.
#[derive(Debug)]
pub struct NotCompiled(String);

impl fmt::Display for NotCompiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotCompiled {}

impl NotCompiled {
    pub(crate) fn new(why: &str) -> NotCompiled {
        NotCompiled(why.to_owned())
    }

    pub(crate) fn of(error: impl fmt::Display) -> NotCompiled {
        NotCompiled(error.to_string())
    }
}

/// Native code for a stretch of steps.
pub struct Native {
    entry: Entry,
    extent: Extent,
    /// Owns the memory that `entry` points into; taken when this is dropped.
    module: Option<JITModule>,
}

// SAFETY: the code is never changed after it was made, and calls touch only what they are given.
unsafe impl Sync for Native {}
// SAFETY: as above; the memory of the code belongs to no thread.
unsafe impl Send for Native {}

impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Native")
            .field("extent", &self.extent)
            .finish_non_exhaustive()
    }
}

impl Native {
    /// Compiles a function whose signature is that of [`Entry`], and which touches no register beyond `extent`.
    pub(crate) fn compile(
        isa: cranelift_codegen::isa::OwnedTargetIsa,
        function: Function,
        extent: Extent,
    ) -> Result<Native, NotCompiled> {
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let signature = function.signature.clone();
        let id = module
            .declare_function("stretch", Linkage::Export, &signature)
            .map_err(NotCompiled::of)?;
        let mut context = module.make_context();
        context.func = function;
        module
            .define_function(id, &mut context)
            .map_err(NotCompiled::of)?;
        module.finalize_definitions().map_err(NotCompiled::of)?;
        let code = module.get_finalized_function(id);
        // SAFETY: the function was declared with the signature of `Entry` and the host's calling convention.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(code) };
        Ok(Native {
            entry,
            extent,
            module: Some(module),
        })
    }

    /// Runs the code on the registers of a warp, as often as it repeats, but at most `most` times (at least once). Gives how
    /// often.
    ///
    /// # Panics
    ///
    /// If there are fewer registers than the code names.
    pub fn run(
        &self,
        words: &mut [[u32; 32]],
        doubles: &mut [[u64; 32]],
        predicates: &mut [u32],
        most: u64,
    ) -> u64 {
        let Extent {
            words: w,
            doubles: d,
            predicates: p,
        } = self.extent;
        assert!(
            words.len() >= w && doubles.len() >= d && predicates.len() >= p,
            "native code names registers that are not there"
        );
        let words = words.as_mut_ptr().cast::<u32>();
        let doubles = doubles.as_mut_ptr().cast::<u64>();
        // SAFETY: the builder makes code that reads and writes 32 lanes of registers below `extent` only, which was just
        // compared with the slices, and nothing else but the code's own stack. `module` keeps the code alive.
        unsafe { (self.entry)(words, doubles, predicates.as_mut_ptr(), most) }
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: `entry` is private and cannot be called any more.
            unsafe { module.free_memory() };
        }
    }
}
