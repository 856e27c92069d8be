//! Times a libNVVM: loading it, the first compilation of a tiny module, and the following ones.
//!
//! ```text
//! cargo run --release -p warpc-libnvvm --example timing -- target/release/libnvvm.so [OTHER]...
//! ```
//!
//! A compilation is all that a client does for it: a program is made, a module added, compiled, the PTX copied, the program
//! destroyed.

use std::ffi::{CString, c_char, c_int, c_void};
use std::time::{Duration, Instant};

/// How many compilations after the first are timed.
const TURNS: usize = 1000;
const RTLD_NOW: c_int = 2;

const MODULE: &str = "target triple = \"nvptx64-nvidia-cuda\"\n\
    target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-\
    f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n\
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\
    define void @k(i32* %p, i32 %a) {\n  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %x = mul i32 %i, %a\n  \
    %q = getelementptr i32, i32* %p, i32 %i\n  store i32 %x, i32* %q\n  ret void\n}\n\
    !nvvm.annotations = !{!9}\n!9 = !{void (i32*, i32)* @k, !\"kernel\", i32 1}\n\
    !nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n";

unsafe extern "C" {
    fn dlopen(file: *const c_char, mode: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

type Program = *mut c_void;
type OnHandle = unsafe extern "C" fn(*mut Program) -> c_int;
type Add = unsafe extern "C" fn(Program, *const c_char, usize, *const c_char) -> c_int;
type Compile = unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int;
type Size = unsafe extern "C" fn(Program, *mut usize) -> c_int;
type Copy = unsafe extern "C" fn(Program, *mut c_char) -> c_int;

/// The functions that a client needs.
struct Library {
    create: OnHandle,
    destroy: OnHandle,
    add: Add,
    compile: Compile,
    size: Size,
    result: Copy,
}

impl Library {
    fn load(path: &str) -> Option<Library> {
        let path = CString::new(path).ok()?;
        // SAFETY: the path ends with a zero; libraries that are loaded are trusted to initialise themselves.
        let library = unsafe { dlopen(path.as_ptr(), RTLD_NOW) };
        if library.is_null() {
            return None;
        }
        let find = |name: &str| {
            let name = CString::new(name).ok()?;
            // SAFETY: the library is loaded, and the name ends with a zero.
            let found = unsafe { dlsym(library, name.as_ptr()) };
            (!found.is_null()).then_some(found)
        };
        // SAFETY: the functions have these types in `nvvm.h`.
        unsafe {
            Some(Library {
                create: std::mem::transmute::<*mut c_void, OnHandle>(find("nvvmCreateProgram")?),
                destroy: std::mem::transmute::<*mut c_void, OnHandle>(find("nvvmDestroyProgram")?),
                add: std::mem::transmute::<*mut c_void, Add>(find("nvvmAddModuleToProgram")?),
                compile: std::mem::transmute::<*mut c_void, Compile>(find("nvvmCompileProgram")?),
                size: std::mem::transmute::<*mut c_void, Size>(find("nvvmGetCompiledResultSize")?),
                result: std::mem::transmute::<*mut c_void, Copy>(find("nvvmGetCompiledResult")?),
            })
        }
    }

    /// Compiles the module, and gives how many bytes of PTX there are.
    fn compile(&self) -> usize {
        let option = c"-arch=compute_90".as_ptr();
        let mut program = std::ptr::null_mut();
        let mut size = 0;
        // SAFETY: pointers are those of variables and of texts that are as long as given or end with a zero; the
        // buffer has as many bytes as the library asked for.
        unsafe {
            assert_eq!((self.create)(&mut program), 0);
            let (text, len) = (MODULE.as_ptr().cast(), MODULE.len());
            assert_eq!((self.add)(program, text, len, c"k.ll".as_ptr()), 0);
            assert_eq!((self.compile)(program, 1, &option), 0);
            assert_eq!((self.size)(program, &mut size), 0);
            let mut ptx = vec![0u8; size];
            assert_eq!((self.result)(program, ptx.as_mut_ptr().cast()), 0);
            assert_eq!((self.destroy)(&mut program), 0);
        }
        size
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let value = work();
    (value, start.elapsed())
}

fn main() {
    for path in std::env::args().skip(1) {
        let (library, loading) = timed(|| Library::load(&path));
        let Some(library) = library else {
            println!("{path}: cannot be loaded");
            continue;
        };
        let (bytes, first) = timed(|| library.compile());
        let mut turns: Vec<Duration> = (0..TURNS).map(|_| timed(|| library.compile()).1).collect();
        turns.sort();
        println!(
            "{path}: loading {loading:.1?}, first {first:.1?}, then median {:.1?}, 99 of 100 below {:.1?} ({bytes} bytes of PTX)",
            turns[TURNS / 2],
            turns[TURNS * 99 / 100]
        );
    }
}
