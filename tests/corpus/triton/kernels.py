# Triton kernels, compiled ahead of time for each target.
# make: triton 80
# make: triton 90
# make: triton 100
# make: triton 120
import triton
import triton.language as tl


@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


@triton.jit
def softmax(x, out, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + at, mask=at < n, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * stride + at, e / tl.sum(e, axis=0), mask=at < n)


@triton.jit
def layer_norm(x, w, b, out, mean, rstd, stride, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, n, BLOCK):
        at = off + tl.arange(0, BLOCK)
        total += tl.load(x + row * stride + at, mask=at < n, other=0.0).to(tl.float32)
    m = tl.sum(total, axis=0) / n
    square = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, n, BLOCK):
        at = off + tl.arange(0, BLOCK)
        v = tl.load(x + row * stride + at, mask=at < n, other=0.0).to(tl.float32)
        v = tl.where(at < n, v - m, 0.0)
        square += v * v
    r = 1 / tl.sqrt(tl.sum(square, axis=0) / n + eps)
    tl.store(mean + row, m)
    tl.store(rstd + row, r)
    for off in range(0, n, BLOCK):
        at = off + tl.arange(0, BLOCK)
        mask = at < n
        v = tl.load(x + row * stride + at, mask=mask, other=0.0).to(tl.float32)
        tl.store(out + row * stride + at, (v - m) * r * tl.load(w + at, mask=mask) + tl.load(b + at, mask=mask), mask=mask)


@triton.jit
def matmul(a, b, c, M, N, K, sam, sak, sbk, sbn, scm, scn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr, PRECISION: tl.constexpr):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    rm = (pm * BM + tl.arange(0, BM)) % M
    rn = (pn * BN + tl.arange(0, BN)) % N
    rk = tl.arange(0, BK)
    pa = a + rm[:, None] * sam + rk[None, :] * sak
    pb = b + rk[:, None] * sbk + rn[None, :] * sbn
    acc = tl.zeros((BM, BN), dtype=ACC)
    for k in range(0, tl.cdiv(K, BK)):
        va = tl.load(pa, mask=rk[None, :] < K - k * BK, other=0.0)
        vb = tl.load(pb, mask=rk[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(va, vb, acc, input_precision=PRECISION, out_dtype=ACC)
        pa += BK * sak
        pb += BK * sbk
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    pc = c + rm[:, None] * scm + rn[None, :] * scn
    tl.store(pc, acc.to(c.dtype.element_ty), mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def matmul_tma(da, db, dc, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        va = da.load([pm * BM, k * BK])
        vb = db.load([pn * BN, k * BK])
        acc = tl.dot(va, vb.T, acc)
    dc.store([pm * BM, pn * BN], acc.to(tl.float16))


@triton.jit
def attention(q, k, v, out, lse, scale, stride, n, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr):
    start = tl.program_id(0)
    base = tl.program_id(1) * stride
    rm = start * BM + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rd = tl.arange(0, D)
    vq = tl.load(q + base + rm[:, None] * D + rd[None, :])
    m = tl.full([BM], -float("inf"), dtype=tl.float32)
    s = tl.zeros([BM], dtype=tl.float32)
    acc = tl.zeros([BM, D], dtype=tl.float32)
    end = (start + 1) * BM if CAUSAL else n
    for at in range(0, end, BN):
        vk = tl.load(k + base + (at + rn)[None, :] * D + rd[:, None])
        p = tl.dot(vq, vk) * scale
        if CAUSAL:
            p = tl.where(rm[:, None] >= (at + rn)[None, :], p, -float("inf"))
        top = tl.maximum(m, tl.max(p, 1))
        e = tl.math.exp2(p - top[:, None])
        old = tl.math.exp2(m - top)
        s = s * old + tl.sum(e, 1)
        acc = acc * old[:, None]
        vv = tl.load(v + base + (at + rn)[:, None] * D + rd[None, :])
        acc = tl.dot(e.to(vv.dtype), vv, acc)
        m = top
    tl.store(out + base + rm[:, None] * D + rd[None, :], (acc / s[:, None]).to(out.dtype.element_ty))
    tl.store(lse + tl.program_id(1) * n + rm, m + tl.math.log2(s))


@triton.jit
def atomics(x, counter, lock, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0.0)
    tl.atomic_add(out + v % 64, 1, mask=at < n)
    tl.atomic_max(out + 64 + v % 64, v, mask=at < n, sem="relaxed")
    tl.atomic_xchg(out + 128 + v % 64, v, mask=at < n, scope="sys")
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(counter, tl.load(counter) + tl.sum(v, axis=0))
    tl.atomic_xchg(lock, 0, sem="release", scope="gpu")


@triton.jit
def histogram(x, out, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0.0)
    h = tl.histogram(v, BINS)
    tl.atomic_add(out + tl.arange(0, BINS), h)


@triton.jit
def add_op(a, b):
    return a + b


@triton.jit
def scan_sort(x, out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(out + at, tl.associative_scan(v, 0, add_op) + tl.sort(v) + tl.flip(v, 0), mask=at < n)
    tl.store(out + BLOCK, tl.argmax(v, axis=0))


@triton.jit
def dropout(x, out, n, p, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n)
    keep = tl.rand(seed, at) > p
    tl.store(out + at, tl.where(keep, tl.sigmoid(v) / (1 - p), 0.0), mask=at < n)


MATMUL = {"M": "i32", "N": "i32", "K": "i32", "sam": "i32", "sak": "i32", "sbk": "i32", "sbn": "i32", "scm": "i32", "scn": "i32"}


def product(a, c, acc, precision="ieee", bm=64, bn=64, bk=32):
    signature = {"a": "*" + a, "b": "*" + a, "c": "*" + c, **MATMUL}
    return matmul, signature, {"BM": bm, "BN": bn, "BK": bk, "ACC": acc, "PRECISION": precision}


def flash(kind, d, causal):
    signature = {"q": "*" + kind, "k": "*" + kind, "v": "*" + kind, "out": "*" + kind, "lse": "*fp32", "scale": "fp32", "stride": "i32", "n": "i32"}
    return attention, signature, {"BM": 64, "BN": 64, "D": d, "CAUSAL": causal}


# name: ((kernel, signature, constants), options)
KERNELS = {
    "add_f32": ((vector_add, {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 1024}), {}),
    "add_f16_w8": ((vector_add, {"x": "*fp16", "y": "*fp16", "out": "*fp16", "n": "i32"}, {"BLOCK": 2048}), {"num_warps": 8}),
    "add_i8": ((vector_add, {"x": "*i8", "y": "*i8", "out": "*i8", "n": "i64"}, {"BLOCK": 512}), {"num_warps": 1}),
    "softmax_f32": ((softmax, {"x": "*fp32", "out": "*fp32", "stride": "i32", "n": "i32"}, {"BLOCK": 1024}), {}),
    "softmax_bf16": ((softmax, {"x": "*bf16", "out": "*bf16", "stride": "i32", "n": "i32"}, {"BLOCK": 4096}), {"num_warps": 8}),
    "layer_norm": ((layer_norm, {"x": "*fp16", "w": "*fp16", "b": "*fp16", "out": "*fp16", "mean": "*fp32", "rstd": "*fp32", "stride": "i32", "n": "i32", "eps": "fp32"}, {"BLOCK": 1024}), {}),
    "matmul_f16": (product("fp16", "fp16", tl.float32), {"num_stages": 3}),
    "matmul_f16_w8_s4": (product("fp16", "fp16", tl.float32, bm=128, bn=128, bk=64), {"num_warps": 8, "num_stages": 4}),
    "matmul_bf16_s1": (product("bf16", "fp32", tl.float32), {"num_stages": 1}),
    "matmul_f16_acc16": (product("fp16", "fp16", tl.float16), {"num_stages": 2}),
    "matmul_tf32": (product("fp32", "fp32", tl.float32, "tf32"), {"num_stages": 3}),
    "matmul_f32": (product("fp32", "fp32", tl.float32, bm=32, bn=32), {"num_stages": 2}),
    "matmul_i8": (product("i8", "i32", tl.int32, bk=64), {"num_stages": 3}),
    "matmul_fp8": (product("fp8e5", "fp32", tl.float32, bk=64), {"num_stages": 3}),
    "matmul_tma": ((matmul_tma, {"da": "tensordesc<fp16[128,64]>", "db": "tensordesc<fp16[128,64]>", "dc": "tensordesc<fp16[128,128]>", "K": "i32"}, {"BM": 128, "BN": 128, "BK": 64}), {"num_stages": 3, "num_warps": 4, "min": 90}),
    "attention_f16": (flash("fp16", 64, False), {"num_stages": 3}),
    "attention_bf16_causal": (flash("bf16", 128, True), {"num_stages": 2, "num_warps": 8}),
    "atomics": ((atomics, {"x": "*i32", "counter": "*i32", "lock": "*i32", "out": "*i32", "n": "i32"}, {"BLOCK": 256}), {}),
    "histogram": ((histogram, {"x": "*i32", "out": "*i32", "n": "i32"}, {"BLOCK": 1024, "BINS": 64}), {}),
    "scan_sort": ((scan_sort, {"x": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 256}), {}),
    "dropout": ((dropout, {"x": "*fp32", "out": "*fp32", "n": "i32", "p": "fp32", "seed": "i32"}, {"BLOCK": 1024}), {}),
}
