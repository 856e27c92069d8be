"""Options: keyword arguments to the names and values of the library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Optional, Union

#: What an option can be.
Value = Union[str, int, float, bool, Iterable[str]]


def pairs(options: Mapping[str, Optional[Value]]) -> list[tuple[str, str]]:
    """`ptx_version="8.5"` to `("ptx-version", "8.5")`. `None` is the same as no option."""
    return [
        (name.replace("_", "-"), _text(value))
        for name, value in options.items()
        if value is not None
    ]


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (str, int, float)):
        return str(value)
    return ",".join(value)
