"""What nvcc makes of the CUDA C++ functions that stand for NVVM builtins.

usage: nvcc_builtins.py TOOLKIT OUT.tsv

A row for each builtin that has such a function: builtin, expression, and for each chip the instructions of a device
function that has nothing but this expression, without the moves of arguments and results. `ftz` in the second column
means that nvcc was told to flush denormals.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

CHIPS = ["sm_75", "sm_90", "sm_100"]
RND = ["rn", "rz", "rm", "rp"]
# CUDA's names of the roundings, toward minus and plus infinity.
CUDA_RND = {"rn": "rn", "rz": "rz", "rm": "rd", "rp": "ru"}

rows = []  # builtin, result type, parameters "type name, ...", expression, ftz


def row(name, result, params, expression, ftz=False):
    rows.append((name, result, params, expression, ftz))


def arithmetic():
    i, u, l, ul, f, d = "int", "unsigned", "long long", "unsigned long long", "float", "double"
    row("__nvvm_clz_i", i, "int a", "__clz(a)")
    row("__nvvm_clz_ll", i, "long long a", "__clzll(a)")
    row("__nvvm_popc_i", i, "unsigned a", "__popc(a)")
    row("__nvvm_popc_ll", i, "unsigned long long a", "__popcll(a)")
    row("__nvvm_brev32", u, "unsigned a", "__brev(a)")
    row("__nvvm_brev64", ul, "unsigned long long a", "__brevll(a)")
    row("__nvvm_abs_i", i, "int a", "abs(a)")
    row("__nvvm_abs_ll", l, "long long a", "llabs(a)")
    for name, single, double in [
        ("floor", "floorf", "floor"),
        ("ceil", "ceilf", "ceil"),
        ("fabs", "fabsf", "fabs"),
        ("round", "rintf", "rint"),
        ("trunc", "truncf", "trunc"),
    ]:
        row(f"__nvvm_{name}_f", f, "float a", f"{single}(a)")
        row(f"__nvvm_{name}_ftz_f", f, "float a", f"{single}(a)", True)
        row(f"__nvvm_{name}_d", d, "double a", f"{double}(a)")
    for ftz in (False, True):
        z = "ftz_" if ftz else ""
        row(f"__nvvm_saturate_{z}f", f, "float a", "__saturatef(a)", ftz)
        row(f"__nvvm_lg2_approx_{z}f", f, "float a", "__log2f(a)", ftz)
        row(f"__nvvm_sin_approx_{z}f", f, "float a", "__sinf(a)", ftz)
        row(f"__nvvm_cos_approx_{z}f", f, "float a", "__cosf(a)", ftz)
        row(f"__nvvm_rsqrt_approx_{z}f", f, "float a", "rsqrtf(a)", ftz)
        row(f"__nvvm_sqrt_rn_{z}f", f, "float a", "sqrtf(a)", ftz)
        row(f"__nvvm_fmin_{z}f", f, "float a, float b", "fminf(a, b)", ftz)
        row(f"__nvvm_fmax_{z}f", f, "float a, float b", "fmaxf(a, b)", ftz)
        row(f"__nvvm_div_approx_{z}f", f, "float a, float b", "__fdividef(a, b)", ftz)
        for r in RND:
            c = CUDA_RND[r]
            row(f"__nvvm_rcp_{r}_{z}f", f, "float a", f"__frcp_{c}(a)", ftz)
            if ftz is False:
                row(f"__nvvm_rcp_{r}_d", d, "double a", f"__drcp_{c}(a)")
                row(f"__nvvm_sqrt_{r}_d", d, "double a", f"__dsqrt_{c}(a)")
            if not (r == "rn" and ftz):
                row(f"__nvvm_sqrt_{r}_{z}f", f, "float a", f"__fsqrt_{c}(a)", ftz)
            for op, single, double in [("mul", "__fmul", "__dmul"), ("add", "__fadd", "__dadd"), ("div", "__fdiv", "__ddiv")]:
                row(f"__nvvm_{op}_{r}_{z}f", f, "float a, float b", f"{single}_{c}(a, b)", ftz)
                if not ftz:
                    row(f"__nvvm_{op}_{r}_d", d, "double a, double b", f"{double}_{c}(a, b)")
            row(f"__nvvm_fma_{r}_{z}f", f, "float a, float b, float c", f"__fmaf_{c}(a, b, c)", ftz)
            if not ftz:
                row(f"__nvvm_fma_{r}_d", d, "double a, double b, double c", f"__fma_{c}(a, b, c)")
            for op, name in [("mul", "__fmul2"), ("add", "__fadd2")]:
                row(f"__nvvm_{op}_{r}_{z}f2", "float2", "float2 a, float2 b", f"{name}_{c}(a, b)", ftz)
            row(f"__nvvm_fma_{r}_{z}f2", "float2", "float2 a, float2 b, float2 c", f"__ffma2_{c}(a, b, c)", ftz)
    row("__nvvm_rsqrt_approx_d", d, "double a", "rsqrt(a)")
    row("__nvvm_fmin_d", d, "double a, double b", "fmin(a, b)")
    row("__nvvm_fmax_d", d, "double a, double b", "fmax(a, b)")
    for op in ("min", "max"):
        row(f"__nvvm_{op}_i", i, "int a, int b", f"{op}(a, b)")
        row(f"__nvvm_{op}_ui", u, "unsigned a, unsigned b", f"{op}(a, b)")
        row(f"__nvvm_{op}_ll", l, "long long a, long long b", f"{op}(a, b)")
        row(f"__nvvm_{op}_ull", ul, "unsigned long long a, unsigned long long b", f"{op}(a, b)")
    row("__nvvm_mulhi_i", i, "int a, int b", "__mulhi(a, b)")
    row("__nvvm_mulhi_ui", u, "unsigned a, unsigned b", "__umulhi(a, b)")
    row("__nvvm_mulhi_ll", l, "long long a, long long b", "__mul64hi(a, b)")
    row("__nvvm_mulhi_ull", ul, "unsigned long long a, unsigned long long b", "__umul64hi(a, b)")
    row("__nvvm_mul24_i", i, "int a, int b", "__mul24(a, b)")
    row("__nvvm_mul24_ui", u, "unsigned a, unsigned b", "__umul24(a, b)")
    row("__nvvm_prmt", u, "unsigned a, unsigned b, unsigned c", "__byte_perm(a, b, c)")
    row("__nvvm_sad_i", u, "int a, int b, unsigned c", "__sad(a, b, c)")
    row("__nvvm_sad_ui", u, "unsigned a, unsigned b, unsigned c", "__usad(a, b, c)")
    row("__nvvm_fns", u, "unsigned a, unsigned b, int c", "__fns(a, b, c)")
    row("__nvvm_lohi_i2d", d, "int a, int b", "__hiloint2double(b, a)")


def conversions():
    types = {"i": "int", "ui": "unsigned", "ll": "long long", "ull": "unsigned long long"}
    words = {"i": "int", "ui": "uint", "ll": "ll", "ull": "ull"}
    for r in RND:
        c = CUDA_RND[r]
        row(f"__nvvm_d2f_{r}", "float", "double a", f"__double2float_{c}(a)")
        row(f"__nvvm_d2f_{r}_ftz", "float", "double a", f"__double2float_{c}(a)", True)
        for k, ty in types.items():
            row(f"__nvvm_d2{k}_{r}", ty, "double a", f"__double2{words[k]}_{c}(a)")
            row(f"__nvvm_f2{k}_{r}", ty, "float a", f"__float2{words[k]}_{c}(a)")
            row(f"__nvvm_f2{k}_{r}_ftz", ty, "float a", f"__float2{words[k]}_{c}(a)", True)
            row(f"__nvvm_{k}2f_{r}", "float", f"{ty} a", f"__{words[k]}2float_{c}(a)")
            if k in ("ll", "ull") or r == "rn":
                row(f"__nvvm_{k}2d_{r}", "double", f"{ty} a", f"__{words[k]}2double_{c}(a)")
    row("__nvvm_d2i_lo", "int", "double a", "__double2loint(a)")
    row("__nvvm_d2i_hi", "int", "double a", "__double2hiint(a)")
    row("__nvvm_f2h_rn", "unsigned short", "float a", "__half_as_ushort(__float2half_rn(a))")
    row("__nvvm_h2f", "float", "unsigned short a", "__half2float(__ushort_as_half(a))")
    row("__nvvm_bitcast_f2i", "int", "float a", "__float_as_int(a)")
    row("__nvvm_bitcast_i2f", "float", "int a", "__int_as_float(a)")
    row("__nvvm_bitcast_ll2d", "double", "long long a", "__longlong_as_double(a)")
    row("__nvvm_bitcast_d2ll", "long long", "double a", "__double_as_longlong(a)")


def warps_and_barriers():
    u = "unsigned"
    row("__syncthreads", "void", "", "__syncthreads()")
    row("__nvvm_bar0_popc", "int", "int a", "__syncthreads_count(a)")
    row("__nvvm_bar0_and", "int", "int a", "__syncthreads_and(a)")
    row("__nvvm_bar0_or", "int", "int a", "__syncthreads_or(a)")
    row("__nvvm_bar_warp_sync", "void", "unsigned a", "__syncwarp(a)")
    row("__nvvm_membar_cta", "void", "", "__threadfence_block()")
    row("__nvvm_membar_gl", "void", "", "__threadfence()")
    row("__nvvm_membar_sys", "void", "", "__threadfence_system()")
    for op in ("all", "any", "uni"):
        row(f"__nvvm_vote_{op}_sync", "int", "unsigned m, int p", f"__{op}_sync(m, p)")
    row("__nvvm_vote_ballot_sync", u, "unsigned m, int p", "__ballot_sync(m, p)")
    row("__match32_any_sync", u, "unsigned m, unsigned v", "__match_any_sync(m, v)")
    row("__match64_any_sync", u, "unsigned m, unsigned long long v", "__match_any_sync(m, v)")
    row("__match32_all_sync", u, "unsigned m, unsigned v, int* p", "__match_all_sync(m, v, p)")
    row("__match64_all_sync", u, "unsigned m, unsigned long long v, int* p", "__match_all_sync(m, v, p)")
    for op, name in [("idx", "__shfl_sync"), ("up", "__shfl_up_sync"), ("down", "__shfl_down_sync"), ("bfly", "__shfl_xor_sync")]:
        row(f"__nvvm_shfl_{op}_sync", u, "unsigned m, unsigned v, int b", f"{name}(m, v, b)")
    for name in ("Global", "Shared", "Constant", "Local", "GridConstant"):
        row(f"__nv_is{name}_impl", u, "const void* p", f"__is{name}(p)")
    for space in ("global", "shared", "constant", "local"):
        row(f"__nv_cvta_generic_to_{space}_impl", "size_t", "const void* p", f"__cvta_generic_to_{space}(p)")
        row(f"__nv_cvta_{space}_to_generic_impl", "void*", "size_t p", f"__cvta_{space}_to_generic(p)")
    for bytes in (4, 8, 16):
        row(f"__nv_memcpy_async_shared_global_{bytes}_impl", "void", "void* a, const void* b", f"__pipeline_memcpy_async(a, b, {bytes})")


def clusters():
    row("__nv_cluster_barrier_arrive_impl", "void", "", "__cluster_barrier_arrive()")
    row("__nv_cluster_barrier_arrive_relaxed_impl", "void", "", "__cluster_barrier_arrive_relaxed()")
    row("__nv_cluster_barrier_wait_impl", "void", "", "__cluster_barrier_wait()")
    row("__nv_threadfence_cluster_impl", "void", "", "__threadfence_cluster()")
    row("__nv_clusterDimIsSpecifed_impl", "unsigned", "", "__clusterDimIsSpecified()")
    row("__nv_clusterRelativeBlockRank_impl", "unsigned", "", "__clusterRelativeBlockRank()")
    row("__nv_clusterSizeInBlocks_impl", "unsigned", "", "__clusterSizeInBlocks()")
    row("__nv_clusterDim_impl", "dim3", "", "__clusterDim()")
    row("__nv_clusterRelativeBlockIdx_impl", "dim3", "", "__clusterRelativeBlockIdx()")
    row("__nv_clusterGridDimInClusters_impl", "dim3", "", "__clusterGridDimInClusters()")
    row("__nv_clusterIdx_impl", "dim3", "", "__clusterIdx()")
    row("__nv_isClusterShared_impl", "unsigned", "const void* p", "__isClusterShared(p)")
    row("__nv_cluster_query_shared_rank_impl", "unsigned", "const void* p", "__cluster_query_shared_rank(p)")
    row("__nv_cluster_map_shared_rank_impl", "void*", "const void* p, unsigned r", "__cluster_map_shared_rank(p, r)")


def atomics():
    for scope, suffix in [("", ""), ("cta_", "_block"), ("sys_", "_system")]:
        types = {"i": "int", "ll": "unsigned long long", "f": "float", "d": "double", "ui": "unsigned", "ull": "unsigned long long"}
        for k in ("i", "ll", "f", "d"):
            row(f"__nvvm_atom_{scope}add_gen_{k}", types[k], f"{types[k]}* p, {types[k]} v", f"atomicAdd{suffix}(p, v)")
        for k in ("i", "ll"):
            row(f"__nvvm_atom_{scope}xchg_gen_{k}", types[k], f"{types[k]}* p, {types[k]} v", f"atomicExch{suffix}(p, v)")
            for op, name in [("and", "And"), ("or", "Or"), ("xor", "Xor")]:
                row(f"__nvvm_atom_{scope}{op}_gen_{k}", types[k], f"{types[k]}* p, {types[k]} v", f"atomic{name}{suffix}(p, v)")
            row(f"__nvvm_atom_{scope}cas_gen_{k}", types[k], f"{types[k]}* p, {types[k]} e, {types[k]} v", f"atomicCAS{suffix}(p, e, v)")
        for op, name in [("min", "Min"), ("max", "Max")]:
            for k, ty in [("i", "int"), ("ui", "unsigned"), ("ll", "long long"), ("ull", "unsigned long long")]:
                row(f"__nvvm_atom_{scope}{op}_gen_{k}", ty, f"{ty}* p, {ty} v", f"atomic{name}{suffix}(p, v)")
        for op, name in [("inc", "Inc"), ("dec", "Dec")]:
            row(f"__nvvm_atom_{scope}{op}_gen_ui", "unsigned", "unsigned* p, unsigned v", f"atomic{name}{suffix}(p, v)")
    row("__nvvm_atom_cas_gen_us", "unsigned short", "unsigned short* p, unsigned short e, unsigned short v", "atomicCAS(p, e, v)")


def surfaces():
    dims = {
        "1d": ("surf1Dwrite", "int x", "x"),
        "1d_array": ("surf1DLayeredwrite", "int x, int l", "x, l"),
        "2d": ("surf2Dwrite", "int x, int y", "x, y"),
        "2d_array": ("surf2DLayeredwrite", "int x, int y, int l", "x, y, l"),
        "3d": ("surf3Dwrite", "int x, int y, int z", "x, y, z"),
    }
    types = {"i8": "uchar", "i16": "ushort", "i32": "uint", "i64": "ulonglong"}
    for dim, (function, params, args) in dims.items():
        for mode in ("clamp", "trap", "zero"):
            for lanes in ("", "v2", "v4"):
                for k, ty in types.items():
                    if lanes == "v4" and k == "i64":
                        continue
                    c = f"{ty}{lanes[1:] or '1'}"
                    bound = f"cudaBoundaryMode{mode.capitalize()}"
                    row(
                        f"__nvvm_sust_b_{dim}_{lanes}{k}_{mode}",
                        "void",
                        f"{c} v, cudaSurfaceObject_t s, {params}",
                        f"{function}(v, s, {args}, {bound})",
                    )


def matrices():
    fragment = "nvcuda::wmma::fragment"

    def kinds(shape, element, accumulators, prefix, suffixes, tf=""):
        m, n, k = re.match(r"m(\d+)n(\d+)k(\d+)", shape).groups()
        size = f"{m}, {n}, {k}"
        layouts = ("row_major", "col_major")
        small = "experimental" in element
        for matrix, layout in [("a", layouts[0]), ("b", layouts[1] if small else layouts[0])]:
            pointer = {"precision::tf32": "float", "precision::b1": "unsigned"}.get(element.split("wmma::")[-1].replace("experimental::", ""), element)
            if "experimental::precision::s4" in element:
                pointer = "int"
            if "experimental::precision::u4" in element:
                pointer = "unsigned"
            ty = f"{fragment}<nvcuda::wmma::matrix_{matrix}, {size}, {element}, nvcuda::wmma::{layout}>"
            row(
                f"{prefix}{shape}_ld_{matrix}{suffixes[0]}",
                "void",
                f"{ty}* f, const {pointer}* p, unsigned s",
                "nvcuda::wmma::load_matrix_sync(*f, p, s)",
            )
        for acc, ld, st, mma in accumulators:
            ty = f"{fragment}<nvcuda::wmma::accumulator, {size}, {acc}>"
            row(f"{prefix}{shape}_ld_c{ld}", "void", f"{ty}* f, const {acc}* p, unsigned s", "nvcuda::wmma::load_matrix_sync(*f, p, s, nvcuda::wmma::mem_row_major)")
            row(f"{st}{shape}_st_c{ld}" if st.startswith("__") else f"{prefix}{shape}_st_c{st}", "void", f"{acc}* p, const {ty}* f, unsigned s", "nvcuda::wmma::store_matrix_sync(p, *f, s, nvcuda::wmma::mem_row_major)")
            b_layout = layouts[1] if small else layouts[0]
            a = f"{fragment}<nvcuda::wmma::matrix_a, {size}, {element}, nvcuda::wmma::row_major>"
            b = f"{fragment}<nvcuda::wmma::matrix_b, {size}, {element}, nvcuda::wmma::{b_layout}>"
            name = {"__bmma_": "nvcuda::wmma::bmma_sync"}.get(prefix, "nvcuda::wmma::mma_sync")
            row(f"{prefix}{shape}_mma{mma}", "void", f"{ty}* d, const {a}* a, const {b}* b, const {ty}* c", f"{name}(*d, *a, *b, *c)")

    for shape in ("m16n16k16", "m32n8k16", "m8n32k16"):
        kinds(shape, "__half", [("__half", "_f16", "_f16", "_f16f16"), ("float", "_f32", "_f32", "_f32f32")], "__hmma_", [""])
        kinds(shape, "signed char", [("int", "", "_i32", "_s8")], "__imma_", ["_s8"])
        kinds(shape, "unsigned char", [("int", "", "_i32", "_u8")], "__imma_", ["_u8"])
        kinds(shape, "__nv_bfloat16", [], "__mma_bf16_", [""])
    kinds("m8n8k4", "double", [("double", "", "_f64", "_f64")], "__dmma_", [""])
    kinds("m8n8k32", "nvcuda::wmma::experimental::precision::s4", [("int", "", "_i32", "_s4")], "__imma_", ["_s4"])
    kinds("m8n8k32", "nvcuda::wmma::experimental::precision::u4", [("int", "", "_i32", "_u4")], "__imma_", ["_u4"])


NOISE = re.compile(r"^(ld\.param|st\.param|mov\.|cvta|ret|ld\.|st\.|add\.s64|selp|setp|\.|\{|\}|cvt\.[us]\d+\.[us]\d+|cvt\.[us]64)")


def functions(ptx):
    """The instructions of each function."""
    found = {}
    for match in re.finditer(r"\.visible \.func[^{;]*?\bf(\d+)\b[^{;]*?\{(.*?)\n\}", ptx, re.S):
        body = re.sub(r"//[^\n]*", "", match.group(2))
        lines = [line.strip() for line in body.split("\n")]
        found[int(match.group(1))] = [line for line in lines if line and not line.startswith((".", "$"))]
    return found


def mnemonics(lines):
    out = []
    for line in lines:
        for part in line.split(";"):
            part = re.sub(r"^@!?%p\d+\s+", "", part.strip().lstrip("{").strip())
            word = part.split()[0] if part.split() else ""
            if word and not NOISE.match(word) and word[0].isalpha():
                out.append(word)
    return out


def compile_rows(toolkit, chip, ftz, folder):
    source = ["#include <cuda_fp16.h>", "#include <cuda_bf16.h>", "#include <cuda_pipeline.h>", "#include <mma.h>"]
    for index, (name, result, params, expression, flag) in enumerate(rows):
        if flag != ftz:
            continue
        back = "" if result == "void" else "return "
        source.append(f'extern "C" __device__ {result} f{index}({params}) {{ {back}{expression}; }}')
    path = folder / "rows.cu"
    # What a chip does not have is an error of its own: take those functions out and try again.
    while True:
        path.write_text("\n".join(source))
        out = folder / "rows.ptx"
        command = [f"{toolkit}/bin/nvcc", "-ptx", "-rdc=true", f"-arch={chip}", "-w", f"-ftz={'true' if ftz else 'false'}", "-I", f"{toolkit}/include/cccl", str(path), "-o", str(out)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 0:
            return functions(out.read_text())
        bad = {int(line) for line in re.findall(r"rows\.cu\((\d+)\)", done.stderr)}
        bad |= {int(line) for line in re.findall(r"rows\.cu:(\d+)", done.stderr)}
        if not bad:
            raise SystemExit(done.stderr[:2000])
        for line in bad:
            source[line - 1] = ""


def main():
    toolkit, out = sys.argv[1:]
    for make in (arithmetic, conversions, warps_and_barriers, clusters, atomics, surfaces, matrices):
        make()
    table = [["-"] * len(CHIPS) for _ in rows]
    with tempfile.TemporaryDirectory() as name:
        for column, chip in enumerate(CHIPS):
            for ftz in (False, True):
                for index, lines in compile_rows(toolkit, chip, ftz, Path(name)).items():
                    table[index][column] = " ".join(mnemonics(lines)) or "(none)"
    with open(out, "w") as file:
        file.write("builtin\texpression\t" + "\t".join(CHIPS) + "\n")
        for (builtin, _, _, expression, ftz), cells in zip(rows, table):
            if cells == ["-"] * len(CHIPS):
                continue
            mark = " ftz" if ftz else ""
            file.write(f"{builtin}\t{expression}{mark}\t" + "\t".join(cells) + "\n")


main()
