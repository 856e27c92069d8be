# Kernels of Triton on a GPU: each is compiled by Triton's own driver, run, held against PyTorch, and its results hashed.
#
#   python3 triton_kernels.py                                    with Triton's ptxas
#   TRITON_PTXAS_PATH=DIR/ptxas python3 triton_kernels.py        with another one
#
# A line for each kernel: its name, `right` or `wrong`, the hash of its results, and microseconds of a launch. Results of two
# assemblers are the same bytes, so the hashes of two runs are equal.
import hashlib
import importlib.util
import pathlib
import sys

import torch
import triton
import triton.language as tl

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "corpus/triton/kernels.py"
spec = importlib.util.spec_from_file_location("kernels", CORPUS)
kernels = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kernels)


@triton.jit
def gelu(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(out + at, v * 0.5 * (1.0 + tl.erf(v * 0.7071067811865476)), mask=at < n)


@triton.jit
def transpose(x, out, rows, columns, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    c = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(x + r[:, None] * columns + c[None, :], mask=(r[:, None] < rows) & (c[None, :] < columns))
    tl.store(out + c[:, None] * rows + r[None, :], tl.trans(v), mask=(c[:, None] < columns) & (r[None, :] < rows))


@triton.jit
def row_sums(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], dtype=tl.float64)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * columns + at, mask=at < columns, other=0.0)
    tl.store(out + row, tl.sum(total, axis=0))


@triton.jit
def collatz(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=1)
    steps = tl.zeros([BLOCK], dtype=tl.int32)
    while tl.max(v, axis=0) > 1:
        odd = v % 2 == 1
        v = tl.where(v > 1, tl.where(odd, 3 * v + 1, v // 2), v)
        steps += tl.where(v > 1, 1, 0)
    tl.store(out + at, steps, mask=at < n)


DEVICE = "cuda"


def numbers(*shape, dtype=torch.float32, seed=1):
    generator = torch.Generator(device="cpu").manual_seed(seed)
    if dtype.is_floating_point:
        return torch.randn(*shape, generator=generator).to(dtype).to(DEVICE)
    return torch.randint(0, 100, shape, generator=generator).to(dtype).to(DEVICE)


def elementwise(kernel, wanted, dtype, block, n=100_003, **options):
    x, y = numbers(n, dtype=dtype), numbers(n, dtype=dtype, seed=2)
    out = torch.zeros_like(x)
    launch = lambda: kernel[(triton.cdiv(n, block),)](x, y, out, n, BLOCK=block, **options)
    return launch, [out], [wanted(x, y)], 0.0


def unary(kernel, wanted, x, block, tolerance, **options):
    out = torch.zeros_like(x)
    launch = lambda: kernel[(triton.cdiv(x.numel(), block),)](x, out, x.numel(), BLOCK=block, **options)
    return launch, [out], [wanted(x)], tolerance


def softmax(dtype, block, tolerance, **options):
    x = numbers(128, block - 5, dtype=dtype)
    out = torch.zeros_like(x)
    launch = lambda: kernels.softmax[(128,)](x, out, x.stride(0), x.shape[1], BLOCK=block, **options)
    return launch, [out], [torch.softmax(x.float(), 1).to(dtype)], tolerance


def layer_norm():
    x, w, b = numbers(64, 3000, dtype=torch.float16), numbers(3000, dtype=torch.float16), numbers(3000, dtype=torch.float16)
    out, mean, rstd = torch.zeros_like(x), torch.zeros(64, device=DEVICE), torch.zeros(64, device=DEVICE)
    launch = lambda: kernels.layer_norm[(64,)](x, w, b, out, mean, rstd, x.stride(0), 3000, 1e-5, BLOCK=1024)
    return launch, [out, mean, rstd], [torch.nn.functional.layer_norm(x.float(), (3000,), w.float(), b.float()).half(), x.float().mean(1), None], 2e-2


def matmul(dtype, to, acc, tolerance, bm=64, bn=64, bk=32, precision="ieee", size=(512, 384, 448), **options):
    M, N, K = size
    if dtype.is_floating_point:
        a, b = (numbers(M, K) * 0.5).to(dtype), (numbers(K, N, seed=2) * 0.5).to(dtype)
    else:
        a, b = numbers(M, K, dtype=dtype), numbers(K, N, dtype=dtype, seed=2)
    c = torch.zeros(M, N, dtype=to, device=DEVICE)
    grid = (triton.cdiv(M, bm), triton.cdiv(N, bn))
    launch = lambda: kernels.matmul[grid](
        a, b, c, M, N, K, a.stride(0), a.stride(1), b.stride(0), b.stride(1), c.stride(0), c.stride(1),
        BM=bm, BN=bn, BK=bk, ACC=acc, PRECISION=precision, **options)
    wanted = (a.double() @ b.double()).to(to)
    return launch, [c], [wanted], tolerance


def matmul_tma():
    from triton.tools.tensor_descriptor import TensorDescriptor
    M, N, K = 1024, 1024, 512
    a, b = numbers(M, K, dtype=torch.float16), numbers(N, K, dtype=torch.float16, seed=2)
    c = torch.zeros(M, N, dtype=torch.float16, device=DEVICE)
    da, db = TensorDescriptor.from_tensor(a, [128, 64]), TensorDescriptor.from_tensor(b, [128, 64])
    dc = TensorDescriptor.from_tensor(c, [128, 128])
    launch = lambda: kernels.matmul_tma[(8, 8)](da, db, dc, K, BM=128, BN=128, BK=64, num_stages=3, num_warps=4)
    return launch, [c], [(a.double() @ b.double().T).half()], 0.2


def attention(dtype, d, causal, tolerance, **options):
    heads, n = 4, 512
    q, k, v = (numbers(heads, n, d, dtype=dtype, seed=seed) for seed in (1, 2, 3))
    out, lse = torch.zeros_like(q), torch.zeros(heads, n, device=DEVICE)
    scale = 1.4426950408889634 / d**0.5
    launch = lambda: kernels.attention[(n // 64, heads)](q, k, v, out, lse, scale, n * d, n, BM=64, BN=64, D=d, CAUSAL=causal, **options)
    wanted = torch.nn.functional.scaled_dot_product_attention(q.float(), k.float(), v.float(), is_causal=causal).to(dtype)
    return launch, [out, lse], [wanted, None], tolerance


def atomics():
    n = 50_000
    x = numbers(n, dtype=torch.int32)
    counter, lock, out = (torch.zeros(size, dtype=torch.int32, device=DEVICE) for size in (1, 1, 192))
    def launch():
        counter.zero_(), lock.zero_(), out.zero_()
        kernels.atomics[(triton.cdiv(n, 256),)](x, counter, lock, out, n, BLOCK=256)
    counts = torch.bincount(x % 64, minlength=64).int()
    return launch, [counter, out[:64]], [x.sum().int().reshape(1), counts], 0.0


def histogram():
    n = 50_000
    x = numbers(n, dtype=torch.int32) % 63 + 1
    out = torch.zeros(64, dtype=torch.int32, device=DEVICE)
    def launch():
        out.zero_()
        kernels.histogram[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024, BINS=64)
    wanted = torch.bincount(x, minlength=64).int()
    wanted[0] += triton.cdiv(n, 1024) * 1024 - n
    return launch, [out], [wanted], 0.0


def scan_sort():
    x = numbers(256)
    out = torch.zeros(257, device=DEVICE)
    launch = lambda: kernels.scan_sort[(1,)](x, out, 256, BLOCK=256)
    wanted = torch.cat([x.cumsum(0) + x.sort().values + x.flip(0), x.argmax().float().reshape(1)])
    return launch, [out], [wanted], 1e-4


def dropout():
    x = numbers(10_000)
    out = torch.zeros_like(x)
    launch = lambda: kernels.dropout[(10,)](x, out, 10_000, 0.25, 7, BLOCK=1024)
    return launch, [out], [None], 0.0


def flat(kernel, x, wanted, tolerance, grid, *scalars, **options):
    out = torch.zeros_like(wanted)
    launch = lambda: kernel[grid](x, out, *scalars, **options)
    return launch, [out], [wanted], tolerance


def steps_of(value):
    steps = 0
    while value > 1:
        value = 3 * value + 1 if value % 2 else value // 2
        steps += value > 1
    return steps


def collatz_case():
    x = numbers(5000, dtype=torch.int64) + 1
    wanted = torch.tensor([steps_of(int(v)) for v in x.cpu()], dtype=torch.int32, device=DEVICE)
    return flat(collatz, x, wanted, 0.0, (triton.cdiv(5000, 256),), 5000, BLOCK=256)


def cases():
    half, brain, single = torch.float16, torch.bfloat16, torch.float32
    add = lambda x, y: x + y
    square = numbers(300, 500)
    wide = numbers(64, 5000).double()
    yield "add_f32", elementwise(kernels.vector_add, add, single, 1024)
    yield "add_f16_w8", elementwise(kernels.vector_add, add, half, 2048, num_warps=8)
    yield "add_i8", elementwise(kernels.vector_add, add, torch.int8, 512, num_warps=1)
    yield "softmax_f32", softmax(single, 1024, 1e-6)
    yield "softmax_bf16", softmax(brain, 4096, 1e-2, num_warps=8)
    yield "layer_norm", layer_norm()
    yield "matmul_f16", matmul(half, half, tl.float32, 0.1, num_stages=3)
    yield "matmul_f16_w8_s4", matmul(half, half, tl.float32, 0.1, bm=128, bn=128, bk=64, num_warps=8, num_stages=4)
    yield "matmul_f16_large", matmul(half, half, tl.float32, 0.5, bm=128, bn=256, bk=64, size=(2048, 2048, 2048), num_warps=8, num_stages=3)
    yield "matmul_bf16_s1", matmul(brain, single, tl.float32, 0.05, num_stages=1)
    yield "matmul_f16_acc16", matmul(half, half, tl.float16, 0.5, num_stages=2)
    yield "matmul_tf32", matmul(single, single, tl.float32, 0.05, precision="tf32", num_stages=3)
    yield "matmul_f32", matmul(single, single, tl.float32, 1e-3, bm=32, bn=32, num_stages=2)
    yield "matmul_i8", matmul(torch.int8, torch.int32, tl.int32, 0.0, bk=64, num_stages=3)
    yield "matmul_fp8", matmul(torch.float8_e5m2, single, tl.float32, 0.05, bk=64, num_stages=3)
    yield "matmul_tma", matmul_tma()
    yield "attention_f16", attention(half, 64, False, 1e-2, num_stages=3)
    yield "attention_bf16_causal", attention(brain, 128, True, 5e-2, num_stages=2, num_warps=8)
    yield "attention_f16_causal_d128", attention(half, 128, True, 1e-2, num_stages=2, num_warps=4)
    yield "atomics", atomics()
    yield "histogram", histogram()
    yield "scan_sort", scan_sort()
    yield "dropout", dropout()
    yield "gelu", unary(gelu, torch.nn.functional.gelu, numbers(70_001), 1024, 1e-5)
    yield "transpose", flat(transpose, square, square.T.contiguous(), 0.0, (5, 8), 300, 500, B=64)
    yield "row_sums", flat(row_sums, wide, wide.sum(1), 1e-9, (64,), 5000, BLOCK=512)
    yield "collatz", collatz_case()


def main():
    bad = 0
    for name, (launch, results, wanted, tolerance) in cases():
        try:
            launch()
            torch.cuda.synchronize()
            digest = hashlib.sha256()
            right = True
            for result, want in zip(results, wanted):
                digest.update(result.contiguous().view(torch.uint8).cpu().numpy().tobytes())
                if want is not None:
                    far = (result.double() - want.double()).abs().max().item()
                    right &= far <= tolerance
            time = triton.testing.do_bench(launch, warmup=5, rep=20) * 1000
            print(f"{name} {'right' if right else 'wrong'} {digest.hexdigest()[:16]} {time:.1f}", flush=True)
            bad += not right
        except Exception as error:  # one that fails must not hide the others
            first = (str(error).strip().splitlines() or [type(error).__name__])[0]
            print(f"{name} failed {type(error).__name__}: {first}", flush=True)
            bad += 1
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
