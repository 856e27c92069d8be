"""kernel.run: arrays in and out, arguments by type, findings, launches that do not fit."""

import threading

import numpy as np
import pytest

import warpc

HEAD = """\
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
"""

SAXPY = HEAD + """
define ptx_kernel void @saxpy(ptr addrspace(1) %x, ptr addrspace(1) %y, float %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %o = mul i32 %b, %d
  %i = add i32 %o, %t
  %in = icmp slt i32 %i, %n
  br i1 %in, label %work, label %done
work:
  %px = getelementptr float, ptr addrspace(1) %x, i32 %i
  %py = getelementptr float, ptr addrspace(1) %y, i32 %i
  %vx = load float, ptr addrspace(1) %px
  %vy = load float, ptr addrspace(1) %py
  %p = fmul float %a, %vx
  %s = fadd float %p, %vy
  store float %s, ptr addrspace(1) %py
  br label %done
done:
  ret void
}
"""


def store(kind: str) -> warpc.Kernel:
    """A kernel that stores its second parameter, of a type of PTX."""
    width = int(kind[1:])
    text = f"""
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .b64 p, .param .{kind} v) {{
  .reg .b64 a;
  .reg .b{max(width, 16)} x;
  ld.param.b64 a, [p];
  ld.param.b{width} x, [v];
  st.global.b{width} [a], x;
  ret;
}}
"""
    return warpc.load(text).kernel()


@pytest.mark.parametrize("emit", ["ptx", "ll", "bc", "cubin", "sass"])
def test_saxpy_in_every_representation(emit):
    kernel = warpc.compile(SAXPY, arch="sm_90", emit=emit).kernels["saxpy"]
    n = 1000
    x = np.arange(n, dtype=np.float32)
    y = np.ones(n, dtype=np.float32)
    run = kernel.run((n + 255) // 256, 256, x, y, np.float32(2), n)
    assert run.ok and run.printed == ""
    np.testing.assert_array_equal(y, 2 * np.arange(n, dtype=np.float32) + 1)
    np.testing.assert_array_equal(x, np.arange(n, dtype=np.float32))
    assert run.counts.thread_instructions > 4 * n
    assert run.counts.accesses >= 3 * n
    assert run.chip == "sm_90" and "emulator" in run.place and run.seconds > 0


def test_parameters():
    kernel = warpc.compile(SAXPY).kernel()
    assert kernel.name == "saxpy"
    assert [one.size for one in kernel.parameters] == [8, 8, 4, 4]
    assert [one.holds_address for one in kernel.parameters] == [True, True, False, False]
    assert "saxpy" in repr(kernel)


def test_arrays_of_any_layout():
    kernel = warpc.compile(SAXPY).kernel()
    whole = np.zeros((8, 4), dtype=np.float32)
    column = whole[:, 1]
    kernel.run(1, 8, np.ones(8, np.float32), column, 3.0, 8)
    expected = np.zeros((8, 4), dtype=np.float32)
    expected[:, 1] = 3
    np.testing.assert_array_equal(whole, expected)
    transposed = np.zeros((2, 4), dtype=np.float32, order="F")
    kernel.run(1, 8, np.arange(8, dtype=np.float32), transposed, 1.0, 8)
    np.testing.assert_array_equal(transposed, np.arange(8).reshape(2, 4))
    raw = bytearray(16)
    kernel.run(1, 4, np.ones(4, np.float32), raw, 5.0, 4)
    assert np.frombuffer(raw, np.float32).tolist() == [5.0] * 4


def test_the_same_array_twice_is_one_buffer():
    kernel = warpc.compile(SAXPY).kernel()
    x = np.arange(8, dtype=np.float32)
    kernel.run(1, 8, x, x, 1.0, 8)
    np.testing.assert_array_equal(x, 2 * np.arange(8))
    with pytest.raises(ValueError, match="overlaps"):
        kernel.run(1, 4, x[:4], x[2:6], 1.0, 4)
    kernel.run(1, 4, x[:4], x[4:], 0.0, 4)


@pytest.mark.parametrize(
    "kind, value, dtype, expected",
    [
        ("u8", 255, np.uint8, 255),
        ("s8", -1, np.int8, -1),
        ("u16", 65535, np.uint16, 65535),
        ("u32", -1, np.uint32, 2**32 - 1),
        ("s32", -7, np.int32, -7),
        ("u64", 2**64 - 1, np.uint64, 2**64 - 1),
        ("s64", -(2**63), np.int64, -(2**63)),
        ("u32", True, np.uint32, 1),
        ("u32", np.int64(5), np.uint32, 5),
        ("f32", 3, np.float32, 3.0),
        ("f32", np.float64(0.1), np.float32, np.float32(0.1)),
        ("f64", 0.1, np.float64, 0.1),
        ("f16", 0.1, np.float16, np.float16(0.1)),
        ("b32", 7, np.uint32, 7),
        ("b32", 0.5, np.float32, 0.5),
        ("b64", 0.5, np.float64, 0.5),
        ("b16", np.float16(2), np.float16, 2.0),
        ("b32", np.float32(2), np.float32, 2.0),
        ("u32", b"\x01\x02\x03\x04", np.uint32, 0x04030201),
    ],
)
def test_numbers_by_the_type_of_the_parameter(kind, value, dtype, expected):
    out = np.zeros(1, dtype=dtype)
    store(kind).run(1, 1, out, value)
    assert out[0] == expected


@pytest.mark.parametrize(
    "kind, value, error",
    [
        ("u8", 256, OverflowError),
        ("s32", -(2**31) - 1, OverflowError),
        ("u64", 2**64, OverflowError),
        ("u32", 1.5, TypeError),
        ("s32", 1.0, TypeError),
        ("f32", 1e300, OverflowError),
        ("u32", "7", TypeError),
        ("f32", 1j, TypeError),
        ("u32", None, TypeError),
        ("u32", np.zeros(1, np.uint32), TypeError),
        ("u32", b"123", ValueError),
        ("u8", 0.5, TypeError),
    ],
)
def test_numbers_that_do_not_fit(kind, value, error):
    out = np.full(1, 77, dtype=np.uint64)
    with pytest.raises(error, match="v"):
        store(kind).run(1, 1, out, value)
    assert out[0] == 77


@pytest.mark.parametrize("emit", ["ptx", "ll", "cubin"])
@pytest.mark.parametrize(
    "kind, value, dtype, expected",
    [
        ("float", 3, np.float32, 3.0),
        ("double", 3, np.float64, 3.0),
        ("half", 3, np.float16, 3.0),
        ("bfloat", 1.0, np.uint16, 0x3F80),
        ("bfloat", 1.01171875, np.uint16, 0x3F82),
        ("bfloat", float("nan"), np.uint16, 0x7FC0),
        ("i8", -1, np.uint8, 255),
        ("i32", 3, np.uint32, 3),
    ],
)
def test_numbers_by_the_type_of_llvm_ir(emit, kind, value, dtype, expected):
    text = f"define ptx_kernel void @k(ptr %p, {kind} %v) {{\n  store {kind} %v, ptr %p\n  ret void\n}}\n"
    kernel = warpc.compile(text, arch="sm_90", emit=emit).kernel()
    out = np.zeros(1, dtype)
    kernel.run(1, 1, out, value)
    assert out[0] == expected
    if kind == "i32":
        with pytest.raises(TypeError, match="not an integer"):
            kernel.run(1, 1, out, 1.0)


def test_arrays_that_cannot_be():
    kernel = store("u32")
    with pytest.raises(TypeError, match="objects"):
        kernel.run(1, 1, np.array([object()]), 1)
    with pytest.raises(TypeError, match="little endian"):
        kernel.run(1, 1, np.zeros(1, ">u4"), 1)
    with pytest.raises(TypeError, match="numpy array"):
        kernel.run(1, 1, [1, 2], 1)
    frozen = np.zeros(1, np.uint32)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        kernel.run(1, 1, frozen, 1)
    kernel.run(1, 1, frozen, 0)


def test_structures():
    text = HEAD + """
define ptx_kernel void @fill(ptr byval({ptr, i32, float}) %s) {
  %p = load ptr, ptr %s
  %vp = getelementptr i8, ptr %s, i64 8
  %v = load i32, ptr %vp
  store i32 %v, ptr %p
  %fp = getelementptr i8, ptr %s, i64 12
  %f = load i32, ptr %fp
  %q = getelementptr i32, ptr %p, i32 1
  store i32 %f, ptr %q
  ret void
}
"""
    kernel = warpc.load(text).kernel()
    out = np.zeros(2, np.int32)
    data = np.zeros(1, np.dtype([("p", "u8"), ("v", "i4"), ("f", "f4")]))
    data["v"], data["f"] = 42, 1.5
    kernel.run(1, 1, warpc.Struct(data.tobytes(), {0: out}))
    assert out[0] == 42 and out.view(np.float32)[1] == 1.5
    with pytest.raises(ValueError, match="16 bytes, not 12"):
        kernel.run(1, 1, warpc.Struct(bytes(12), {0: out}))
    with pytest.raises(ValueError, match="offset 9"):
        kernel.run(1, 1, warpc.Struct(bytes(16), {9: out}))


def test_findings_have_thread_and_line():
    kernel = warpc.load(SAXPY, name="saxpy.ll").kernel()
    x, y = np.ones(64, np.float32), np.ones(40, np.float32)
    with pytest.raises(warpc.KernelError) as caught:
        kernel.run(2, 32, x, y, 1.0, 64)
    error = caught.value
    assert (error.block, error.thread) == ((1, 0, 0), (8, 0, 0))
    assert error.line is not None and "load float" in SAXPY.splitlines()[error.line - 1]
    assert "out of bounds" in error.diagnostic.message
    assert "saxpy_param_1" in (error.diagnostic.help or "")
    assert y.tolist() == [1.0] * 40
    run = kernel.run(2, 32, x, y, 1.0, 64, check=False)
    assert not run.ok and run.findings[0].thread == (8, 0, 0)
    assert run.counts.thread_instructions == 0


def test_findings_of_machine_code():
    kernel = warpc.compile(SAXPY, arch="sm_90", emit="cubin").kernel()
    with pytest.raises(warpc.KernelError, match="out of bounds") as caught:
        kernel.run(1, 32, np.ones(32, np.float32), np.ones(4, np.float32), 1.0, 32)
    assert caught.value.thread == (4, 0, 0)


def test_null_addresses():
    kernel = warpc.compile(SAXPY).kernel()
    with pytest.raises(warpc.KernelError, match="out of bounds"):
        kernel.run(1, 1, None, np.zeros(1, np.float32), 1.0, 1)
    kernel.run(1, 1, None, None, 1.0, 0)


def test_launches_that_do_not_fit():
    kernel = warpc.compile(SAXPY).kernel()
    x = np.zeros(4, np.float32)
    with pytest.raises(warpc.Error, match="takes 4 arguments, 1 was given") as caught:
        kernel.run(1, 1, x)
    assert not isinstance(caught.value, warpc.KernelError)
    with pytest.raises(warpc.Error):
        kernel.run(1, 4096, x, x, 1.0, 4)
    with pytest.raises(warpc.Error):
        kernel.run(1, 4096, x, x, 1.0, 4, check=False)
    with pytest.raises(ValueError, match="grid"):
        kernel.run((1, 1, 1, 1), 1, x, x, 1.0, 4)
    with pytest.raises(ValueError, match="block"):
        kernel.run(1, -1, x, x, 1.0, 4)
    with pytest.raises(TypeError, match="integers"):
        kernel.run(1, 1.5, x, x, 1.0, 4)
    with pytest.raises(ValueError, match="'sim'"):
        kernel.run(1, 1, x, x, 1.0, 4, on="gpu")
    module = warpc.compile(SAXPY + "define ptx_kernel void @other() {\n  ret void\n}\n")
    assert list(module.kernels) == ["saxpy", "other"]
    with pytest.raises(LookupError, match="saxpy, other"):
        module.kernel()
    with pytest.raises(KeyError):
        module.kernels["nothing"]


SPIN = """
.version 8.0
.target sm_90
.address_size 64
.entry spin() {
LOOP:
  bra LOOP;
}
"""


def test_limits_and_seeds():
    with pytest.raises(warpc.KernelError) as caught:
        warpc.load(SPIN, name="spin.ptx").kernel().run(1, 1, limit=1000)
    assert caught.value.diagnostic.line == 7 or "1000" in caught.value.diagnostic.message
    kernel = warpc.compile(SAXPY).kernel()
    for seed in range(3):
        y = np.zeros(64, np.float32)
        kernel.run(2, 32, np.ones(64, np.float32), y, 1.0, 64, seed=seed, jobs=1)
        assert y.tolist() == [1.0] * 64


PRINT = """
.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[7] = {104, 101, 108, 108, 111, 10, 0};
.visible .entry hello(.param .u32 fail) {
  .reg .b64 a;
  .reg .b32 x;
  .reg .pred p;
  mov.u64 a, text;
  cvta.global.u64 a, a;
  { .param .b64 f; .param .b64 v; .param .b32 r;
    st.param.b64 [f], a; st.param.b64 [v], 0;
    call (r), vprintf, (f, v); }
  ld.param.u32 x, [fail];
  setp.ne.u32 p, x, 0;
  @p trap;
  ret;
}
"""


def test_what_a_kernel_prints():
    kernel = warpc.load(PRINT).kernel()
    assert kernel.run(2, 1, 0).printed == "hello\nhello\n"
    with pytest.raises(warpc.KernelError) as caught:
        kernel.run(1, 1, 1)
    assert caught.value.printed == "hello\n"
    assert kernel.run(1, 1, 1, check=False).printed == "hello\n"


def test_shared_memory_and_shapes():
    text = """
.version 8.0
.target sm_90
.address_size 64
.extern .shared .align 4 .b32 room[];
.visible .entry k(.param .b64 p) {
  .reg .b64 a;
  .reg .b32 x, y, z, n, s;
  ld.param.b64 a, [p];
  mov.u32 x, %tid.x; mov.u32 y, %tid.y; mov.u32 z, %tid.z;
  mov.u32 n, %ntid.x; mad.lo.u32 x, y, n, x;
  mov.u32 n, %ntid.y; mul.lo.u32 z, z, n; mov.u32 n, %ntid.x; mad.lo.u32 x, z, n, x;
  shl.b32 s, x, 2; mov.u32 y, room; add.u32 s, s, y;
  st.shared.u32 [s], x;
  bar.sync 0;
  ld.shared.u32 z, [s];
  mul.wide.u32 a, x, 4; .reg .b64 b; ld.param.b64 b, [p]; add.u64 a, a, b;
  st.global.u32 [a], z;
  ret;
}
"""
    kernel = warpc.load(text).kernel()
    out = np.zeros(24, np.uint32)
    kernel.run((1, 1), (2, 3, 4), out, shared=96)
    np.testing.assert_array_equal(out, np.arange(24))
    with pytest.raises(warpc.KernelError, match="out of bounds"):
        kernel.run(1, (2, 3, 4), out, shared=92)


def test_threads_run_at_the_same_time():
    kernel = warpc.compile(SAXPY).kernel()
    failures = []

    def work(number):
        for _ in range(5):
            y = np.zeros(256, np.float32)
            kernel.run(8, 32, np.ones(256, np.float32), y, float(number), 256)
            if y.tolist() != [float(number)] * 256:
                failures.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_the_interpreter_runs_while_a_kernel_does():
    """A kernel that takes a while must not stop other threads of Python."""
    kernel = warpc.load(SPIN).kernel()
    running = threading.Event()
    counted = 0

    def work():
        running.set()
        kernel.run(1, 32, limit=40_000_000, check=False)
        running.clear()

    thread = threading.Thread(target=work)
    thread.start()
    running.wait()
    while running.is_set():
        counted += 1
    thread.join()
    assert counted > 1000
