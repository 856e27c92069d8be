"""Arguments of a launch: Python's values to the bytes of a kernel's parameters."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._kernel import Parameter

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Struct:
    """A structure passed by value: its bytes, and the arrays whose addresses are in them, by offset."""

    data: bytes
    addresses: Mapping[int, Any] = field(default_factory=dict)


class Binding:
    """Collects the arguments of a launch and the buffers they name."""

    def __init__(self, address_bytes: int) -> None:
        self.address_bytes = address_bytes
        self.arguments: list[tuple[Optional[bytes], list[tuple[int, int]]]] = []
        self.buffers: list[tuple[str, bytes]] = []
        self._arrays: list[Array] = []

    def add(self, parameter: Parameter, argument: Any) -> None:
        """Adds the argument of a parameter."""
        if argument is None:
            if not parameter.holds_address:
                raise TypeError(f"`{parameter.name}` is not an address, so it cannot be None")
            self.arguments.append((bytes(parameter.size), []))
        elif isinstance(argument, Struct):
            self._check_size(parameter, len(argument.data))
            addresses = []
            for offset, value in argument.addresses.items():
                if not 0 <= offset <= parameter.size - self.address_bytes:
                    raise ValueError(f"offset {offset} is not inside the structure `{parameter.name}`")
                addresses.append((offset, self._buffer(parameter, value)))
            self.arguments.append((bytes(argument.data), addresses))
        elif isinstance(argument, bytes):
            self._check_size(parameter, len(argument))
            self.arguments.append((argument, []))
        elif isinstance(argument, (bool, int, float, np.generic)):
            self.arguments.append((scalar(parameter, argument), []))
        else:
            if not parameter.holds_address:
                raise TypeError(
                    f"`{parameter.name}` is a number of type {parameter.type} or {parameter.size} bytes, "
                    f"not an address: {type(argument).__name__} cannot be passed"
                )
            self.arguments.append((None, [(0, self._buffer(parameter, argument))]))

    def write_back(self, contents: list[bytes]) -> None:
        """Copies the buffers into the arrays they came from."""
        for array, (name, before), after in zip(self._arrays, self.buffers, contents):
            if array.flags.writeable:
                np.copyto(array, np.frombuffer(after, array.dtype).reshape(array.shape))
            elif before != after:
                raise ValueError(f"the kernel wrote to the array of {name}, which is read-only")

    def _check_size(self, parameter: Parameter, size: int) -> None:
        if size != parameter.size:
            raise ValueError(f"`{parameter.name}` has {parameter.size} bytes, not {size}")

    def _buffer(self, parameter: Parameter, value: Any) -> int:
        """The number of the buffer with the contents of an array."""
        array = _array(parameter, value)
        for number, other in enumerate(self._arrays):
            if _is_same(array, other):
                return number
            if array.size and other.size and np.shares_memory(array, other):
                raise ValueError(
                    f"the array of `{parameter.name}` overlaps that of {self.buffers[number][0]}: pass the same array, or copies"
                )
        self._arrays.append(array)
        self.buffers.append((f"`{parameter.name}`", array.tobytes()))
        return len(self._arrays) - 1


def _array(parameter: Parameter, value: Any) -> Array:
    """The memory of a value as an array that shares it."""
    if isinstance(value, np.ndarray):
        array: Array = value
    else:
        try:
            array = np.asarray(memoryview(value))
        except TypeError:
            raise TypeError(
                f"`{parameter.name}` cannot be a {type(value).__name__}: pass a numpy array"
            ) from None
    if array.dtype.hasobject:
        raise TypeError(f"the array of `{parameter.name}` holds Python objects ({array.dtype})")
    if not array.dtype.isnative:
        raise TypeError(f"the array of `{parameter.name}` is not little endian ({array.dtype})")
    return array


def _is_same(one: Array, other: Array) -> bool:
    """Whether two arrays are views of the same elements in the same order."""
    return (
        one.__array_interface__["data"] == other.__array_interface__["data"]
        and one.shape == other.shape
        and one.strides == other.strides
        and one.dtype == other.dtype
    )


#: The formats of `struct` for floating-point types.
_FLOATS = {"f16": "<e", "f32": "<f", "f64": "<d"}
#: What a floating-point number is in a parameter of which only the size is known.
_FLOAT_OF_SIZE = {2: "f16", 4: "f32", 8: "f64"}


def scalar(parameter: Parameter, value: Union[int, float, np.generic]) -> bytes:
    """The bytes of a number, by the type of the parameter."""
    kind = parameter.type
    if kind is None or kind[0] == "b" and kind != "bf16":
        # Only the size is known: numpy's numbers of that size have their own bytes.
        if isinstance(value, np.generic) and value.dtype.itemsize == parameter.size:
            return value.tobytes()
        if kind is None:
            raise TypeError(
                f"`{parameter.name}` has {parameter.size} bytes and is not a plain number: pass bytes, or a numpy number of that size"
            )
    if isinstance(value, (bool, np.bool_)):
        value = int(value)
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, (int, float)):
        raise TypeError(f"`{parameter.name}` cannot be a {type(value).__name__}")
    if kind == "bf16":
        return _bf16(float(value))
    if kind in _FLOATS:
        return _pack(parameter, kind, float(value))
    if isinstance(value, float):
        if kind[0] != "b" or parameter.size not in _FLOAT_OF_SIZE:
            raise TypeError(f"`{parameter.name}` is of type {kind}: {value!r} is not an integer")
        return _pack(parameter, _FLOAT_OF_SIZE[parameter.size], value)
    bits = 8 * parameter.size
    # LLVM's integers have no sign, so -1 is a value of u32, too.
    if not -(1 << (bits - 1)) <= value < 1 << bits:
        raise OverflowError(f"{value} does not fit `{parameter.name}` of {parameter.size} bytes")
    return (value % (1 << bits)).to_bytes(parameter.size, "little")


def _pack(parameter: Parameter, kind: str, value: float) -> bytes:
    try:
        return struct.pack(_FLOATS[kind], value)
    except OverflowError:
        raise OverflowError(f"{value!r} does not fit `{parameter.name}` of type {kind}") from None


def _bf16(value: float) -> bytes:
    """The nearest number with 8 bits of precision, ties to even."""
    bits: int = struct.unpack("<I", struct.pack("<f", value))[0]
    if math.isnan(value):
        return struct.pack("<H", bits >> 16 | 0x40)
    rounded = bits + 0x7FFF + (bits >> 16 & 1)
    return struct.pack("<H", rounded >> 16)
