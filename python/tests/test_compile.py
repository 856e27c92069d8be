"""compile, check, link, format, assemble, disassemble, load: values, diagnostics, options, errors."""

import pathlib
import pickle
import threading

import pytest

import warpc

KERNEL = """\
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("device") acq_rel
  ret void
}
"""

WRONG = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { bra NOWHERE; }\n"


def test_ptx_of_llvm_ir():
    module = warpc.compile(KERNEL, arch="sm_90", name="k.ll")
    assert module.kind == "ptx"
    assert module.name == "k.ptx"
    assert "atom.acq_rel.gpu.global.add" in module.text or "red.acq_rel.gpu" in module.text
    assert ".target sm_90" in module.text
    assert module.data == bytes(module) == module.text.encode()
    assert module.diagnostics == []
    assert module.data == warpc.compile(KERNEL, arch="sm_90").data


@pytest.mark.parametrize("emit", ["ptx", "ll", "bc", "cubin", "sass"])
def test_every_output_is_an_input_of_its_kind(emit):
    module = warpc.compile(KERNEL, arch="sm_90", emit=emit)
    assert module.kind == emit
    assert list(module.kernels) == ["k"]
    assert warpc.check(module) == []


def test_bitcode():
    module = warpc.compile(KERNEL, emit="bc")
    assert module.kind == "bc" and module.data.startswith(b"BC\xc0\xde")
    assert warpc.link(KERNEL, emit="bc").data.startswith(b"BC\xc0\xde")
    with pytest.raises(ValueError, match="bitcode"):
        warpc.compile(KERNEL, emit="bc", bitcode="perhaps")
    for bitcode in (module, module.data):
        assert warpc.compile(bitcode, arch="sm_90").data == warpc.compile(KERNEL, arch="sm_90").data
    assert "atomicrmw" in warpc.compile(module, emit="ll").text
    with pytest.raises(ValueError, match="`ll` or `bc`"):
        warpc.link(KERNEL, emit="ptx")


def test_inputs_of_every_type(tmp_path: pathlib.Path):
    path = tmp_path / "file.ll"
    path.write_text(KERNEL)
    expected = warpc.compile(KERNEL).data
    for source in (KERNEL.encode(), bytearray(KERNEL.encode()), memoryview(KERNEL.encode()), path):
        assert warpc.compile(source).data == expected
    module = warpc.compile(path, emit="ll")
    assert warpc.compile(module).data == expected
    with pytest.raises(FileNotFoundError):
        warpc.compile(tmp_path / "nothing.ll")
    with pytest.raises(TypeError, match="not int"):
        warpc.compile(7)
    with pytest.raises(ValueError, match="k.txt"):
        warpc.compile("hello", name="k.txt")
    module.save(tmp_path / "copy.ll")
    assert (tmp_path / "copy.ll").read_bytes() == module.data


def test_errors_are_data():
    with pytest.raises(warpc.Error) as caught:
        warpc.compile("define void @f() {\n  %x = add i32 1, %y\n  ret void\n}\n", name="f.ll")
    one = caught.value.diagnostic
    assert one.severity == "error"
    assert one.code.startswith("W")
    assert (one.file, one.line) == ("f.ll", 2)
    assert "f.ll:2:" in str(caught.value)
    assert not isinstance(caught.value, warpc.KernelError)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.diagnostics == caught.value.diagnostics


def test_check_returns_what_it_finds():
    assert warpc.check(KERNEL) == []
    (one,) = warpc.check(WRONG, name="k.ptx")
    assert (one.line, one.column, one.end_line, one.end_column) == (4, 18, 4, 25)
    assert WRONG.encode()[one.start : one.end] == b"NOWHERE"
    assert "NOWHERE" in one.message
    assert one.thread is None
    assert "k.ptx:4:18" in str(one)
    assert warpc.check(b"\x7fELF garbage") != []


def test_options():
    names = [setting.name for setting in warpc.settings()]
    assert {"arch", "opt", "ptx_version", "fmad", "seed", "limit"} <= set(names)
    assert all(setting.values and setting.help for setting in warpc.settings())
    assert ".version 8.5" in warpc.compile(KERNEL, arch="sm_90", ptx_version="8.5").text
    assert ".target sm_80" in warpc.compile(KERNEL, arch="compute_80").text
    assert warpc.compile(KERNEL, arch=None, opt=0, lineinfo=True).kind == "ptx"
    with pytest.raises(TypeError, match="did you mean `arch`"):
        warpc.compile(KERNEL, arhc="sm_90")
    with pytest.raises(ValueError, match="arch"):
        warpc.compile(KERNEL, arch="sm_1")
    with pytest.raises(ValueError, match="on or off"):
        warpc.compile(KERNEL, fmad="perhaps")
    with pytest.raises(ValueError, match="`cubin`"):
        warpc.compile(KERNEL, emit="exe")
    with pytest.raises(ValueError, match="not a kind"):
        warpc.compile(KERNEL, kind="cu")


def test_fingerprints():
    key = warpc.fingerprint(KERNEL, arch="sm_90")
    assert len(key) == 32 and key == warpc.fingerprint(KERNEL, arch="sm_90", emit="ptx", seed=5)
    others = [
        warpc.fingerprint(KERNEL, arch="sm_80"),
        warpc.fingerprint(KERNEL + "\n", arch="sm_90"),
        warpc.fingerprint(KERNEL, arch="sm_90", emit="cubin"),
        warpc.fingerprint(KERNEL, arch="sm_90", name="other.ll"),
    ]
    assert len({key, *others}) == 5


def test_link():
    first = "declare i32 @f()\ndefine i32 @g() {\n  %x = call i32 @f()\n  ret i32 %x\n}\n"
    second = "define i32 @f() {\n  ret i32 7\n}\n"
    linked = warpc.link(first, second)
    assert linked.kind == "ll"
    assert "define i32 @f()" in linked.text and "define i32 @g()" in linked.text
    kept = warpc.link(first, second, keep=["g"])
    assert "define internal i32 @f()" in kept.text
    with pytest.raises(warpc.Error):
        warpc.link(second, second)
    with pytest.raises(warpc.Error, match="no module"):
        warpc.link()


def test_format():
    text = warpc.format(".version 8.0 .target sm_90 // a chip\n.address_size 64")
    assert text == ".version 8.0\n.target sm_90 // a chip\n.address_size 64\n"
    with pytest.raises(warpc.Error, match="LLVM IR"):
        warpc.format(KERNEL)


def test_machine_code_both_ways():
    cubin = warpc.assemble(warpc.compile(KERNEL, arch="sm_90"))
    assert cubin.data.startswith(b"\x7fELF")
    assert "EXIT" in cubin.text
    assert cubin.disassemble(function="k").count(".text.k:") == 1
    text = warpc.disassemble(cubin, reassemblable=True)
    assert warpc.assemble(text, kind="sass").data == cubin.data
    with pytest.raises(warpc.Error, match="no function `q`"):
        warpc.disassemble(cubin.data, function="q")


def test_threads_compile_at_the_same_time():
    expected = warpc.compile(KERNEL, arch="sm_80").data
    results = []

    def work():
        for _ in range(5):
            results.append(warpc.compile(KERNEL, arch="sm_80").data)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 20


def test_version_and_names():
    assert warpc.__version__.count(".") == 2
    for name in warpc.__all__:
        assert getattr(warpc, name).__doc__ or name == "__version__" or name == "Source"
