"""What the generators for matrix instructions share: shapes, fragments, vectors of registers."""
import re

# Bits that an element takes in a register of a fragment; 6- and 4-bit floats lie in bytes.
BITS = dict(f16=16, bf16=16, tf32=32, f32=32, f64=64, s32=32, u8=8, s8=8, u4=4, s4=4, b1=1,
            e4m3=8, e5m2=8, e3m2=8, e2m3=8, e2m1=8)


def dims(shape):
    return tuple(int(n) for n in re.match(r"m(\d+)n(\d+)k(\d+)", shape).groups())


def register(ty):
    """The kind of register that the verdict tool declares and every fragment of this type takes."""
    return {"f64": "fd", "f32": "f"}.get(ty, "r")


def vector(kind, count, start=0):
    return "{" + ",".join("%%%s%d" % (kind, start + i) for i in range(count)) + "}"


def fragment(ty, rows, columns, copies=1, bits=None):
    """How many registers of one of the 32 lanes hold rows x columns elements."""
    bits = bits or BITS[ty]
    return max(1, rows * columns * bits * copies // 32 // (64 if ty == "f64" else 32))
