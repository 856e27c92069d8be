//! The functions as C calls them: answers, logs and results.

use nvvm::*;
use object::{Object, ObjectSymbol};
use std::ffi::{CStr, CString, c_char, c_int};

const SUCCESS: c_int = 0;
const VERSION_MISMATCH: c_int = 3;
const INVALID_INPUT: c_int = 4;
const INVALID_PROGRAM: c_int = 5;
const INVALID_IR: c_int = 6;
const INVALID_OPTION: c_int = 7;
const NO_MODULE: c_int = 8;
const COMPILATION: c_int = 9;

const HEAD: &str = "target triple = \"nvptx64-nvidia-cuda\"\n\
    target datalayout = \"e-p:64:64:64-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n";
const TAIL: &str = "!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n";

fn module(body: &str) -> String {
    format!("{HEAD}{body}{TAIL}")
}

/// A program, as a C program holds it.
struct Held(Handle);

impl Held {
    fn new() -> Held {
        let mut handle = Handle::NULL;
        // SAFETY: the pointer is that of a variable.
        assert_eq!(unsafe { nvvmCreateProgram(&mut handle) } as c_int, SUCCESS);
        assert_ne!(handle, Handle::NULL);
        Held(handle)
    }

    fn add(&self, name: &str, text: &str, lazy: bool) -> c_int {
        let name = CString::new(name).expect("no zero inside");
        let (bytes, len) = (text.as_ptr().cast(), text.len());
        let function = match lazy {
            true => nvvmLazyAddModuleToProgram,
            false => nvvmAddModuleToProgram,
        };
        // SAFETY: the bytes are as many as said, and the name ends with a zero.
        unsafe { function(self.0, bytes, len, name.as_ptr()) as c_int }
    }

    fn call(&self, options: &[&str], compile: bool) -> c_int {
        let texts: Vec<CString> = options
            .iter()
            .map(|text| CString::new(*text).expect("no zero inside"))
            .collect();
        let pointers: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
        let function = match compile {
            true => nvvmCompileProgram,
            false => nvvmVerifyProgram,
        };
        // SAFETY: the pointers are as many as said, to texts that end with a zero.
        unsafe { function(self.0, pointers.len() as c_int, pointers.as_ptr()) as c_int }
    }

    fn compile(&self, options: &[&str]) -> c_int {
        self.call(options, true)
    }

    fn verify(&self, options: &[&str]) -> c_int {
        self.call(options, false)
    }

    fn text(
        &self,
        size: unsafe extern "C" fn(Handle, *mut usize) -> NvvmResult,
        copy: unsafe extern "C" fn(Handle, *mut c_char) -> NvvmResult,
    ) -> String {
        let mut len = 0;
        // SAFETY: the pointer is that of a variable.
        assert_eq!(unsafe { size(self.0, &mut len) } as c_int, SUCCESS);
        let mut bytes = vec![0xffu8; len];
        // SAFETY: the buffer has as many bytes as were asked for.
        let copied = unsafe { copy(self.0, bytes.as_mut_ptr().cast()) };
        assert_eq!(copied as c_int, SUCCESS);
        let text = CStr::from_bytes_until_nul(&bytes).expect("a zero at the end");
        assert_eq!(text.to_bytes().len() + 1, len);
        text.to_str().expect("UTF-8").to_owned()
    }

    fn log(&self) -> String {
        self.text(nvvmGetProgramLogSize, nvvmGetProgramLog)
    }

    fn ptx(&self) -> String {
        self.text(nvvmGetCompiledResultSize, nvvmGetCompiledResult)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let copy = self.0;
        // SAFETY: the pointer is that of a variable.
        assert_eq!(unsafe { nvvmDestroyProgram(&mut self.0) } as c_int, SUCCESS);
        assert_eq!(self.0, Handle::NULL);
        let mut stale = copy;
        // SAFETY: as above; a stale handle is looked up, not followed.
        let again = unsafe { nvvmDestroyProgram(&mut stale) };
        assert_eq!(again as c_int, INVALID_PROGRAM);
    }
}

const KERNEL: &str = "define void @k(i32* %p) {\n  store i32 1, i32* %p\n  ret void\n}\n\
    !nvvm.annotations = !{!9}\n!9 = !{void (i32*)* @k, !\"kernel\", i32 1}\n";

#[test]
fn a_kernel_with_typed_pointers_compiles() {
    let program = Held::new();
    assert_eq!(program.ptx(), "");
    assert_eq!(program.add("k.ll", &module(KERNEL), false), SUCCESS);
    assert_eq!(program.verify(&["-arch=compute_90"]), SUCCESS);
    assert_eq!(program.compile(&["-arch=compute_90"]), SUCCESS);
    assert_eq!(program.log(), "");
    let ptx = program.ptx();
    assert!(ptx.contains(".target sm_90\n"), "{ptx}");
    assert!(ptx.contains(".entry k("), "{ptx}");
    // A failed compilation leaves no result of one before.
    assert_eq!(program.compile(&["-arch=compute_9"]), INVALID_OPTION);
    assert_eq!(program.ptx(), "");
}

#[test]
fn null_pointers_and_foreign_handles_are_answered() {
    let mut null = Handle::NULL;
    let mut size = 7;
    let program = Held::new();
    // SAFETY: pointers are null, those of variables, or those of texts.
    unsafe {
        assert_eq!(
            nvvmCreateProgram(std::ptr::null_mut()) as c_int,
            INVALID_PROGRAM
        );
        assert_eq!(
            nvvmDestroyProgram(std::ptr::null_mut()) as c_int,
            INVALID_PROGRAM
        );
        assert_eq!(nvvmDestroyProgram(&mut null) as c_int, INVALID_PROGRAM);
        assert_eq!(
            nvvmGetProgramLogSize(null, &mut size) as c_int,
            INVALID_PROGRAM
        );
        let added = nvvmAddModuleToProgram(program.0, std::ptr::null(), 1, std::ptr::null());
        assert_eq!(added as c_int, INVALID_INPUT);
        // No buffer is that large.
        let text = c"text".as_ptr();
        let added = nvvmAddModuleToProgram(program.0, text, usize::MAX, std::ptr::null());
        assert_eq!(added as c_int, INVALID_INPUT);
        let version = nvvmLLVMVersion(std::ptr::null(), std::ptr::null_mut());
        assert_eq!(version as c_int, INVALID_INPUT);
        let compiled = nvvmCompileProgram(program.0, 1, std::ptr::null());
        assert_eq!(compiled as c_int, INVALID_OPTION);
    }
    assert_eq!(size, 7);
}

#[test]
fn versions_are_those_of_the_library_in_whose_place_this_one_is() {
    let (mut a, mut b, mut c, mut d) = (-1, -1, -1, -1);
    // SAFETY: pointers are those of variables and texts.
    unsafe {
        nvvmVersion(&mut a, &mut b);
        assert_eq!((a, b), (2, 0));
        nvvmIRVersion(&mut a, &mut b, &mut c, &mut d);
        assert_eq!((a, b, c, d), (2, 0, 3, 2));
        assert_eq!(
            nvvmLLVMVersion(c"compute_90a".as_ptr(), &mut a) as c_int,
            SUCCESS
        );
        assert_eq!(a, 7);
        assert_eq!(
            nvvmLLVMVersion(c"compute_100f".as_ptr(), &mut a) as c_int,
            SUCCESS
        );
        assert_eq!(a, 22);
        assert_eq!(
            nvvmLLVMVersion(c"sm_90".as_ptr(), &mut a) as c_int,
            INVALID_INPUT
        );
        let name = |result| CStr::from_ptr(nvvmGetErrorString(result)).to_str();
        assert_eq!(name(6), Ok("NVVM_ERROR_INVALID_IR"));
        assert_eq!(name(-1), Ok("NVVM_ERROR not found"));
    }
}

#[test]
fn launch_bounds_and_warnings_are_those_that_clients_look_for() {
    let text = module(KERNEL).replace("%p) {", "%p) noinline {").replace(
        "i32 1}",
        "i32 1, !\"maxntidx\", i32 128, !\"minctasm\", i32 2}",
    );
    let program = Held::new();
    program.add("k.ll", &text, false);
    assert_eq!(
        program.compile(&["-arch=compute_90"]),
        SUCCESS,
        "{}",
        program.log()
    );
    assert!(
        program
            .log()
            .contains("Function k is a kernel, so overriding noinline attribute")
    );
    let ptx = program.ptx();
    assert!(ptx.contains(".maxntid 128, 1, 1\n"), "{ptx}");
    assert!(ptx.contains(".minnctapersm 2\n"), "{ptx}");
    assert_eq!(program.compile(&["-w"]), SUCCESS);
    assert_eq!(program.log(), "");
}

#[test]
fn options_are_read_as_documented() {
    let program = Held::new();
    program.add("k.ll", &module(KERNEL), false);
    let refused = [
        ("-bogus", "libnvvm : error: -bogus is an unsupported option"),
        ("-opt=4", "libnvvm : error: -opt=4 is an unsupported option"),
        ("-ftz", "libnvvm : error: -ftz is an unsupported option"),
        (
            "-arch=sm_90",
            "libnvvm : error: -arch=sm_90 is an unsupported option",
        ),
        (
            "-opt=03",
            "libnvvm : error: -opt=03 is an unsupported option",
        ),
        (
            "-prec-sqrt=+1",
            "libnvvm : error: -prec-sqrt=+1 is an unsupported option",
        ),
        (
            "-gen-lto=1",
            "libnvvm : error: -gen-lto=1 is an unsupported option",
        ),
        (
            "-nvvm-version=x",
            "libnvvm : error: x is an unsupported value for option: -nvvm-version",
        ),
        (
            "-ptx-version-target=-1",
            "libnvvm : error: -1 is an unsupported value for option: -ptx-version-target",
        ),
    ];
    for (option, log) in refused {
        assert_eq!(program.verify(&[option]), INVALID_OPTION, "{option}");
        assert_eq!(program.log(), log);
    }
    assert_eq!(program.compile(&["-g", "-g"]), INVALID_OPTION);
    assert_eq!(program.log(), "libnvvm : error: -g defined more than once");
    let split = ["-split-compile=2", "-split-compile=2"];
    assert_eq!(program.compile(&split), INVALID_OPTION);
    let log = "libnvvm : error: split compilation defined more than once";
    assert_eq!(program.log(), log);
    for twice in ["-numba-debug", "-jobserver", "-jump-table-density=7"] {
        assert_eq!(program.compile(&[twice, twice]), SUCCESS, "{twice}");
    }
    for any in ["-maxreg=x", "-split-compile=-1", "-discard-value-names=2"] {
        assert_eq!(program.compile(&[any]), SUCCESS, "{any}");
    }
    let version = ["-arch=compute_100", "-ptx-version-target=90"];
    assert_eq!(program.compile(&version), SUCCESS);
    assert!(program.ptx().contains(".version 9.0"));
    assert_eq!(
        program.compile(&["-arch=compute_103", "-ptx-version-target=86"]),
        COMPILATION
    );
    assert!(
        program
            .log()
            .contains("Minimum required PTX version is 8.8")
    );
}

/// The LTO-IR of modules, the lazy ones last.
fn lto_ir(modules: &[(&str, &str, bool)], options: &[&str]) -> Vec<u8> {
    let program = Held::new();
    for (name, text, lazy) in modules {
        assert_eq!(program.add(name, text, *lazy), SUCCESS);
    }
    assert_eq!(program.compile(options), SUCCESS, "{}", program.log());
    let mut len = 0;
    // SAFETY: the pointer is that of a variable.
    let asked = unsafe { nvvmGetCompiledResultSize(program.0, &mut len) };
    assert_eq!(asked as c_int, SUCCESS);
    // One byte more, to see that the library writes none after the result.
    let mut bytes = vec![0xa5u8; len + 1];
    // SAFETY: the buffer has more bytes than were asked for.
    let copied = unsafe { nvvmGetCompiledResult(program.0, bytes.as_mut_ptr().cast()) };
    assert_eq!(copied as c_int, SUCCESS);
    assert_eq!(bytes.pop(), Some(0xa5));
    bytes
}

#[test]
fn lto_ir_links_to_the_program_that_is_compiled_at_once() {
    let main = module(
        "declare i32 @f(i32)\ndefine void @k(i32* %p) {\n  %x = call i32 @f(i32 7)\n  store i32 %x, i32* %p\n  \
         ret void\n}\n!nvvm.annotations = !{!9}\n!9 = !{void (i32*)* @k, !\"kernel\", i32 1}\n",
    );
    let library = module(
        "declare i32 @g(i32)\ndefine i32 @f(i32 %x) {\n  %y = call i32 @g(i32 %x)\n  ret i32 %y\n}\n",
    );
    let lazy = format!(
        "{HEAD}define i32 @g(i32 %x) {{\n  %y = mul i32 %x, %x\n  ret i32 %y\n}}\ndefine i32 @h() {{\n  ret i32 1\n}}\n"
    );
    for options in [&["-gen-lto"][..], &["-gen-lto", "-nvvm-version=nvvm70"]] {
        let first = lto_ir(&[("main.ll", &main, false)], options);
        let second = [("library.ll", &*library, false), ("lazy.ll", &*lazy, true)];
        let second = lto_ir(&second, options);
        assert!(first.starts_with(b"BC\xc0\xde") && first.len().is_multiple_of(4));
        let source = |name: &str, bytes: &[u8]| warpc::Source::new(name, bytes).expect("short");
        let chip = warpc::Options::new("sm_90".parse().expect("a chip"));
        let whole = warpc::Mode::of(warpc::Product::LinkedLto);
        let linked = |sources: &[warpc::Source]| {
            let made = warpc::produce(sources, whole, &chip).into_result();
            made.expect("it links").ptx.expect("PTX").to_string()
        };
        let linked_lto = linked(&[source("a.ltoir", &first), source("b.ltoir", &second)]);
        let texts = [("a.ll", &main), ("b.ll", &library), ("c.ll", &lazy)];
        let texts = texts.map(|(name, text)| source(name, text.as_bytes()));
        assert_eq!(linked_lto, linked(&texts));
        assert!(linked_lto.contains(".entry k("), "{linked_lto}");
    }
}

#[test]
fn lto_ir_is_answered_as_the_other_library_does() {
    let program = Held::new();
    program.add("k.ll", &module(KERNEL), false);
    assert_eq!(program.verify(&["-gen-lto"]), SUCCESS);
    for more in [&["-gen-lto"][..], &["-g"], &["-opt=0", "-ftz=1"]] {
        let options = [&["-arch=compute_90", "-gen-lto"], more].concat();
        assert_eq!(program.compile(&options), SUCCESS, "{options:?}");
    }
    assert_eq!(
        program.compile(&["-gen-lto", "-emit-llvm-bc"]),
        INVALID_OPTION
    );
    assert_eq!(program.ptx(), "");
    let broken = Held::new();
    let text = module("define i32 @f() {\n  ret void\n}\n");
    broken.add("b.ll", &text, false);
    assert_eq!(broken.compile(&["-gen-lto"]), COMPILATION);
    assert!(broken.log().starts_with("b.ll (4, "), "{}", broken.log());
    let nameless = Held::new();
    nameless.add("n.ll", TAIL, false);
    assert_eq!(nameless.compile(&["-gen-lto"]), COMPILATION);
    assert!(nameless.log().contains("does not contain a triple"));
}

/// As in libNVVM, the module says how much debug information it has; `-generate-line-info` alone asks for lines.
#[test]
fn debug_information_is_that_of_the_module() {
    let body = |kind: &str| {
        format!(
            "define void @f(i32* %p) !dbg !5 {{\n  store i32 1, i32* %p, !dbg !8\n  ret void, !dbg !8\n}}\n\
             !llvm.dbg.cu = !{{!1}}\n!llvm.module.flags = !{{!3}}\n\
             !1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, producer: \"t\", emissionKind: {kind})\n\
             !2 = !DIFile(filename: \"a.c\", directory: \"/source\")\n\
             !3 = !{{i32 2, !\"Debug Info Version\", i32 3}}\n\
             !5 = distinct !DISubprogram(name: \"f\", scope: !2, file: !2, line: 1, type: !6, unit: !1, spFlags: DISPFlagDefinition)\n\
             !6 = !DISubroutineType(types: !7)\n!7 = !{{null}}\n!8 = !DILocation(line: 2, scope: !5)\n"
        )
    };
    let has_sections = |kind: &str, options: &[&str]| {
        let program = Held::new();
        program.add("f.ll", &module(&body(kind)), false);
        assert_eq!(program.compile(options), SUCCESS, "{}", program.log());
        let ptx = program.ptx();
        assert!(ptx.contains(".loc 1 2 0"), "{ptx}");
        let found = ptx.contains(".section .debug_info");
        assert_eq!(ptx.contains(", debug\n"), found, "{ptx}");
        found
    };
    assert!(has_sections("FullDebug", &["-g", "-opt=0"]));
    assert!(has_sections("FullDebug", &[]));
    assert!(has_sections("FullDebug", &["-g", "-generate-line-info"]));
    assert!(!has_sections("FullDebug", &["-generate-line-info"]));
    assert!(!has_sections("DebugDirectivesOnly", &["-g"]));
}

#[test]
fn arithmetic_is_as_exact_as_asked() {
    let body = "declare float @llvm.nvvm.sqrt.f(float)\n\
        define float @f(float %x, float %y) {\n  %m = fmul float %x, %y\n  %a = fadd float %m, %y\n\
        %d = fdiv float %a, %x\n  %r = fdiv float 1.0, %d\n  %s = call float @llvm.nvvm.sqrt.f(float %r)\n\
        ret float %s\n}\n";
    let program = Held::new();
    program.add("f.ll", &module(body), false);
    let made = |options: &[&str]| {
        assert_eq!(program.compile(options), SUCCESS, "{}", program.log());
        program.ptx()
    };
    let exact = made(&[]);
    for part in ["fma.rn.f32", "div.rn.f32", "rcp.rn.f32", "sqrt.rn.f32"] {
        assert!(exact.contains(part), "{part} in\n{exact}");
    }
    // Without optimisation nothing is fused, whatever `-fma` says.
    let plain = made(&["-opt=0", "-fma=1"]);
    assert!(!plain.contains("fma.rn.f32"), "{plain}");
    let fast = made(&["-ftz=1", "-prec-div=0", "-prec-sqrt=0", "-fma=0"]);
    let parts = [
        "mul.rn.ftz.f32",
        "div.full.ftz.f32",
        "rcp.approx.ftz.f32",
        "sqrt.approx.ftz.f32",
    ];
    for part in parts {
        assert!(fast.contains(part), "{part} in\n{fast}");
    }
}

#[test]
fn programs_without_a_whole_module_are_empty() {
    let program = Held::new();
    assert_eq!(program.compile(&[]), NO_MODULE);
    program.add("k.ll", &module(KERNEL), true);
    assert_eq!(program.verify(&[]), NO_MODULE);
    assert_eq!(program.log(), "");
}

#[test]
fn invalid_modules_are_named_in_the_log_with_line_and_column() {
    let program = Held::new();
    program.add("broken.ll", "garbage", false);
    assert_eq!(program.verify(&[]), INVALID_IR);
    assert!(
        program.log().starts_with("broken.ll (1, 0): parse "),
        "{}",
        program.log()
    );
    assert_eq!(program.compile(&[]), COMPILATION);
    let program = Held::new();
    program.add("", &module("define void @f() {\n  ret i32 0\n}\n"), false);
    assert_eq!(program.verify(&[]), INVALID_IR);
    assert!(
        program.log().starts_with("<unnamed> (4, 2): error: "),
        "{}",
        program.log()
    );
}

#[test]
fn modules_must_name_version_triple_and_layout() {
    let log_of = |text: &str, verified: c_int, compiled: c_int| {
        let program = Held::new();
        program.add("m", text, false);
        assert_eq!(program.verify(&[]), verified, "{text}");
        let log = program.log();
        assert_eq!(program.compile(&[]), compiled, "{text}");
        log
    };
    let body = "define void @f() {\n  ret void\n}\n";
    let text = module(body);
    let log = log_of(&format!("{HEAD}{body}"), VERSION_MISMATCH, VERSION_MISMATCH);
    assert!(log.starts_with("m: error: IR version 1.0 incompatible with current version 2.0\n\n"));
    let log = log_of(
        &text.replace("i32 2, i32 0", "i32 2"),
        VERSION_MISMATCH,
        VERSION_MISMATCH,
    );
    assert_eq!(
        log,
        "m: error: invalid nvvmir.version metadata: expected 2 or 4 operands, got 1"
    );
    let older = text.replace("i32 2, i32 0", "i32 2, i32 0, i32 2, i32 0");
    let log = log_of(&older, VERSION_MISMATCH, VERSION_MISMATCH);
    assert_eq!(
        log,
        "m: error: debug metadata version 2.0 incompatible with current version 3.2"
    );
    let (triple, rest) = text.split_once('\n').expect("two lines");
    let log = log_of(rest, INVALID_IR, COMPILATION);
    assert!(log.contains("does not contain a triple"), "{log}");
    let foreign = text.replace("nvptx64-nvidia-cuda", "x86_64-linux-gnu");
    assert!(log_of(&foreign, INVALID_IR, COMPILATION).contains("(x86_64-linux-gnu)"));
    let (_, rest) = rest.split_once('\n').expect("two lines");
    let log = log_of(&format!("{triple}\n{rest}"), INVALID_IR, COMPILATION);
    assert!(log.contains("Empty target data layout"), "{log}");
}

#[test]
fn lazy_modules_give_only_what_is_needed_in_their_order() {
    let user = module(
        "declare i32 @f(i32)\ndefine i32 @g(i32 %x) {\n  %y = call i32 @f(i32 %x)\n  ret i32 %y\n}\n",
    );
    let first = "declare i32 @h(i32)\ndefine i32 @f(i32 %x) {\n  %y = call i32 @h(i32 %x)\n  ret i32 %y\n}\n\
        define i32 @unused(i32 %x) {\n  ret i32 7\n}\n";
    let second = "define i32 @h(i32 %x) {\n  %y = add i32 %x, 5\n  ret i32 %y\n}\n";
    let ptx_of = |libraries: &[&str]| {
        let program = Held::new();
        // Libraries need no version of NVVM IR, and may come first.
        for library in libraries {
            program.add("library", library, true);
        }
        program.add("user", &user, false);
        assert_eq!(program.compile(&[]), SUCCESS, "{}", program.log());
        program.ptx()
    };
    let ptx = ptx_of(&[first, second]);
    assert!(!ptx.contains("unused"), "{ptx}");
    assert!(!ptx.contains(".extern"), "{ptx}");
    let visible = ptx.matches(".visible").count();
    assert_eq!(visible, 1, "{ptx}");
    // What a later library needs of an earlier one is not looked for again.
    assert!(ptx_of(&[second, first]).contains(".extern .func"), "{ptx}");
}

#[test]
fn a_symbol_that_is_defined_twice_is_named() {
    let program = Held::new();
    let text = module("define void @f() {\n  ret void\n}\n");
    program.add("a.ll", &text, false);
    program.add("b.ll", &text, false);
    assert_eq!(program.verify(&[]), INVALID_IR);
    assert!(
        program
            .log()
            .starts_with("b.ll (3, 12): link error: error: `@f`"),
        "{}",
        program.log()
    );
    assert_eq!(program.compile(&[]), COMPILATION);
}

#[test]
fn atomics_mean_what_cuda_means() {
    let body =
        "define i32 @f(i32* %p) {\n  %x = atomicrmw add i32* %p, i32 1 seq_cst\n  ret i32 %x\n}\n";
    let program = Held::new();
    program.add("f.ll", &module(body), false);
    assert_eq!(program.compile(&["-arch=compute_90"]), SUCCESS);
    let ptx = program.ptx();
    assert!(
        ptx.contains("atom.relaxed.gpu.add.u32") || ptx.contains("atom.add.u32"),
        "{ptx}"
    );
    assert!(!ptx.contains("fence"), "{ptx}");
    assert_eq!(program.log(), "");
}

#[test]
fn programs_are_compiled_on_many_threads_at_once() {
    let text = module(KERNEL);
    let expected = {
        let program = Held::new();
        program.add("k.ll", &text, false);
        assert_eq!(program.compile(&[]), SUCCESS);
        program.ptx()
    };
    let shared = Held::new();
    shared.add("k.ll", &text, false);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let own = Held::new();
                    own.add("k.ll", &text, false);
                    assert_eq!(own.compile(&[]), SUCCESS);
                    assert_eq!(own.ptx(), expected);
                    assert_eq!(shared.compile(&[]), SUCCESS);
                }
            });
        }
    });
    assert_eq!(shared.ptx(), expected);
}

#[test]
fn the_library_exports_the_functions_of_the_header_and_nothing_else() {
    let program = std::env::current_exe().expect("a test has a file");
    let folder = program.parent().expect("it is in a folder");
    let library = std::fs::read(folder.join("libnvvm.so")).expect("cargo built it for this test");
    let file = object::File::parse(&*library).expect("an ELF file");
    let mut names: Vec<&str> = file
        .dynamic_symbols()
        .filter(|symbol| symbol.is_definition())
        .filter_map(|symbol| symbol.name().ok())
        .collect();
    names.sort_unstable();
    let expected = [
        "nvvmAddModuleToProgram",
        "nvvmCompileProgram",
        "nvvmCreateProgram",
        "nvvmDestroyProgram",
        "nvvmGetCompiledResult",
        "nvvmGetCompiledResultSize",
        "nvvmGetErrorString",
        "nvvmGetProgramLog",
        "nvvmGetProgramLogSize",
        "nvvmIRVersion",
        "nvvmLLVMVersion",
        "nvvmLazyAddModuleToProgram",
        "nvvmVerifyProgram",
        "nvvmVersion",
    ];
    assert_eq!(names, expected);
    let soname = b"libnvvm.so.4\0";
    assert!(library.windows(soname.len()).any(|window| window == soname));
}
