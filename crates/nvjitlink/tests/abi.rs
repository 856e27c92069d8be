//! The functions as C calls them: answers, logs and results.

use nvJitLink::*;
use std::ffi::{CString, c_char, c_int};

const SUCCESS: c_int = 0;
const UNRECOGNIZED_OPTION: c_int = 1;
const MISSING_ARCH: c_int = 2;
const INVALID_INPUT: c_int = 3;
const PTX_COMPILE: c_int = 4;
const NVVM_COMPILE: c_int = 5;
const UNRECOGNIZED_INPUT: c_int = 8;
const FINALIZE: c_int = 9;
const NULL_INPUT: c_int = 10;
const INCOMPATIBLE_OPTIONS: c_int = 11;
const INCORRECT_INPUT_TYPE: c_int = 12;
const LTO_NOT_ENABLED: c_int = 18;

const CUBIN_INPUT: c_int = 1;
const PTX_INPUT: c_int = 2;
const LTO_INPUT: c_int = 3;
const ANY_INPUT: c_int = 10;

const PTX: &str = ".version 8.0\n.target sm_90\n.address_size 64\n\
    .visible .entry k(.param .u64 p) {\n  .reg .b64 %rd<2>;\n  ld.param.u64 %rd1, [p];\n  st.global.u32 [%rd1], 1;\n  ret;\n}\n";

/// A link, as a C program holds it.
struct Held(Handle, c_int);

impl Held {
    fn new(options: &[&str]) -> Held {
        let texts: Vec<CString> = options
            .iter()
            .map(|text| CString::new(*text).expect("no zero inside"))
            .collect();
        let pointers: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
        let mut handle = Handle::NULL;
        // SAFETY: the pointers are as many as said, to texts that end with a zero.
        let result = unsafe {
            __nvJitLinkCreate_13_4(&mut handle, pointers.len() as u32, pointers.as_ptr())
        };
        assert_ne!(handle, Handle::NULL);
        Held(handle, result as c_int)
    }

    fn add(&self, kind: c_int, bytes: &[u8], name: &str) -> c_int {
        let name = CString::new(name).expect("no zero inside");
        let (data, size) = (bytes.as_ptr().cast(), bytes.len());
        // SAFETY: the bytes are as many as said, and the name ends with a zero.
        unsafe { __nvJitLinkAddData_13_0(self.0, kind, data, size, name.as_ptr()) as c_int }
    }

    fn complete(&self) -> c_int {
        // SAFETY: nothing is pointed to.
        unsafe { nvJitLinkComplete(self.0) as c_int }
    }

    fn cubin(&self) -> Result<Vec<u8>, c_int> {
        let mut size = 0;
        // SAFETY: the pointer is that of a variable.
        let result = unsafe { nvJitLinkGetLinkedCubinSize(self.0, &mut size) as c_int };
        let mut bytes = vec![0; size];
        if result == SUCCESS {
            // SAFETY: the buffer has as many bytes as were asked for.
            let copied = unsafe { nvJitLinkGetLinkedCubin(self.0, bytes.as_mut_ptr().cast()) };
            assert_eq!(copied as c_int, SUCCESS);
            return Ok(bytes);
        }
        Err(result)
    }

    fn text(&self, log: bool) -> Result<String, c_int> {
        let mut size = 0;
        // SAFETY: the pointer is that of a variable.
        let result = unsafe {
            match log {
                true => nvJitLinkGetErrorLogSize(self.0, &mut size),
                false => nvJitLinkGetLinkedPtxSize(self.0, &mut size),
            }
        };
        if result as c_int != SUCCESS {
            return Err(result as c_int);
        }
        let mut bytes = vec![0u8; size.max(1)];
        let to = bytes.as_mut_ptr().cast();
        // SAFETY: the buffer has as many bytes as were asked for.
        unsafe {
            match log {
                true => nvJitLinkGetErrorLog(self.0, to),
                false => nvJitLinkGetLinkedPtx(self.0, to),
            }
        };
        assert_eq!(bytes.pop(), Some(0));
        Ok(String::from_utf8(bytes).expect("UTF-8"))
    }

    fn log(&self) -> String {
        self.text(true).expect("there is a log, empty or not")
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut stale = self.0;
        // SAFETY: the pointers are those of variables; a stale handle is looked up, not followed.
        unsafe {
            assert_eq!(nvJitLinkDestroy(&mut self.0) as c_int, SUCCESS);
            assert_eq!(nvJitLinkDestroy(&mut stale) as c_int, INVALID_INPUT);
        }
    }
}

#[test]
fn ptx_becomes_a_cubin_and_that_stays_itself() {
    let link = Held::new(&["-arch=sm_90"]);
    assert_eq!(
        link.add(PTX_INPUT, PTX.as_bytes(), "k.ptx"),
        SUCCESS,
        "{}",
        link.log()
    );
    assert_eq!(link.cubin(), Err(6));
    assert_eq!(link.complete(), SUCCESS);
    let cubin = link.cubin().expect("it is complete");
    assert!(cubin.starts_with(b"\x7fELF"));
    assert_eq!(link.text(false), Err(INVALID_INPUT));
    let again = Held::new(&["-arch=sm_90", "-O3"]);
    assert_eq!(
        again.add(ANY_INPUT, &cubin, "k.cubin"),
        SUCCESS,
        "{}",
        again.log()
    );
    assert_eq!(again.complete(), SUCCESS);
    assert_eq!(again.cubin(), Ok(cubin));
}

#[test]
fn lto_ir_of_several_inputs_becomes_ptx_and_machine_code() {
    let user = "target triple = \"nvptx64-nvidia-cuda\"\ndeclare i32 @f(i32)\n\
        define ptx_kernel void @k(ptr addrspace(1) %p) {\n  %x = call i32 @f(i32 4)\n\
        store i32 %x, ptr addrspace(1) %p\n  ret void\n}\n";
    let library = "target triple = \"nvptx64-nvidia-cuda\"\ndefine i32 @f(i32 %x) {\n  %y = add i32 %x, 5\n  ret i32 %y\n}\n";
    for options in [
        &["-arch=sm_90", "-lto"][..],
        &["-arch=compute_90", "-lto", "-ptx"],
    ] {
        let link = Held::new(options);
        assert_eq!(link.1, SUCCESS);
        assert_eq!(link.add(LTO_INPUT, user.as_bytes(), "user"), SUCCESS);
        assert_eq!(link.add(LTO_INPUT, library.as_bytes(), "library"), SUCCESS);
        assert_eq!(link.complete(), SUCCESS, "{}", link.log());
        let ptx = link.text(false).expect("there is PTX");
        assert!(
            ptx.contains(".entry k(") && !ptx.contains(".extern"),
            "{ptx}"
        );
        assert_eq!(link.cubin().is_ok(), options.len() == 2);
    }
}

#[test]
fn options_are_answered_as_documented() {
    let cases: [(&[&str], c_int, &str); 7] = [
        (&[], MISSING_ARCH, ""),
        (
            &["-arch=sm_90", "-bogus"],
            UNRECOGNIZED_OPTION,
            "unrecognized option: -bogus\n",
        ),
        (
            &["-arch=sm_90", "-O2"],
            UNRECOGNIZED_OPTION,
            "unsupported value of -O: 2. Only 0 and 3 are supported.\n",
        ),
        (
            &["-arch=sm_90", "-ptx"],
            INCOMPATIBLE_OPTIONS,
            "ERROR: -ptx requires -lto\n",
        ),
        (
            &["-arch=compute_90"],
            INCOMPATIBLE_OPTIONS,
            "ERROR: virtual arch requires -ptx\n",
        ),
        (
            &["-arch=sm_90", "-r"],
            UNRECOGNIZED_OPTION,
            "ERROR: -r is not supported\n",
        ),
        (
            &[
                "-arch=sm_90a",
                "-g",
                "-lineinfo",
                "-maxrregcount=32",
                "-ftz=1",
                "-no-cache",
            ],
            SUCCESS,
            "",
        ),
    ];
    for (options, result, log) in cases {
        let link = Held::new(options);
        assert_eq!(link.1, result, "{options:?}");
        assert_eq!(link.log(), log, "{options:?}");
    }
}

#[test]
fn what_cannot_be_linked_is_named() {
    let link = Held::new(&["-arch=sm_90"]);
    assert_eq!(
        link.add(
            PTX_INPUT,
            PTX.replace("ret;", "bogus;").as_bytes(),
            "bad.ptx"
        ),
        PTX_COMPILE
    );
    assert!(
        link.log().contains("bad.ptx, line 8; error: "),
        "{}",
        link.log()
    );
    assert!(
        link.log()
            .contains("NVJITLINK_ERROR_PTX_COMPILE: JIT the PTX (bad.ptx)")
    );
    assert_eq!(link.add(CUBIN_INPUT, b"xx", "a"), INCORRECT_INPUT_TYPE);
    assert_eq!(
        link.add(LTO_INPUT, b"define void @f() {\n", "a"),
        LTO_NOT_ENABLED
    );
    assert_eq!(link.add(4, b"xx", "a"), UNRECOGNIZED_INPUT);
    assert_eq!(link.add(0, b"xx", "a"), INCORRECT_INPUT_TYPE);
    assert_eq!(link.add(PTX_INPUT, PTX.as_bytes(), "a"), SUCCESS);
    assert_eq!(link.add(PTX_INPUT, PTX.as_bytes(), "b"), SUCCESS);
    assert_eq!(link.complete(), FINALIZE);
    assert!(
        link.log().contains("several inputs is not linked"),
        "{}",
        link.log()
    );
    let empty = Held::new(&["-arch=sm_90", "-lto"]);
    assert_eq!(empty.complete(), NVVM_COMPILE);
    let other = Held::new(&["-arch=sm_80"]);
    assert_eq!(other.add(PTX_INPUT, PTX.as_bytes(), "a"), PTX_COMPILE);
    assert!(other.log().contains("sm_80"), "{}", other.log());
}

#[test]
fn sizes_that_no_memory_has_are_answered() {
    let link = Held::new(&["-arch=sm_90"]);
    let data = PTX.as_ptr().cast();
    // SAFETY: nothing is read of a size that cannot be.
    let added = unsafe { nvJitLinkAddData(link.0, PTX_INPUT, data, usize::MAX, c"n".as_ptr()) };
    assert_eq!(added as c_int, INVALID_INPUT);
}

#[test]
fn null_pointers_are_answered() {
    // SAFETY: pointers are null.
    unsafe {
        let none = std::ptr::null_mut();
        assert_eq!(
            nvJitLinkCreate(none, 0, std::ptr::null()) as c_int,
            NULL_INPUT
        );
        assert_eq!(nvJitLinkDestroy(none) as c_int, NULL_INPUT);
        assert_eq!(nvJitLinkComplete(Handle::NULL) as c_int, NULL_INPUT);
        assert_eq!(
            nvJitLinkVersion(std::ptr::null_mut(), std::ptr::null_mut()) as c_int,
            NULL_INPUT
        );
    }
}
