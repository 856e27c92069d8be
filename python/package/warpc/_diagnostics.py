"""Diagnostics as data, and the exceptions that carry them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NoReturn, Optional

Position = tuple[int, int, int]


@dataclass(frozen=True)
class Related:
    """Another position of the same file that belongs to a diagnostic."""

    message: str
    line: int
    column: int


@dataclass(frozen=True)
class Diagnostic:
    """An error or a warning about an input, or a finding of the emulator. `str()` shows it with the line of the source."""

    #: `"error"` or `"warning"`.
    severity: str
    #: The code, as `"W0123"`; `warpc explain` describes it.
    code: str
    #: What is wrong.
    message: str
    #: What to do.
    help: Optional[str] = None
    #: What is at the position.
    label: Optional[str] = None
    #: The name of the input; `None` if there is no position in one. So are the following.
    file: Optional[str] = None
    #: The line, from 1.
    line: Optional[int] = None
    #: The column in characters, from 1.
    column: Optional[int] = None
    #: The line of the end.
    end_line: Optional[int] = None
    #: The column after the last character.
    end_column: Optional[int] = None
    #: The offset of the first byte.
    start: Optional[int] = None
    #: The offset after the last byte.
    end: Optional[int] = None
    #: Other positions that belong to it.
    related: tuple[Related, ...] = ()
    #: The position of the block in the grid, if it is about a thread of a launch.
    block: Optional[Position] = None
    #: The position of that thread in its block.
    thread: Optional[Position] = None
    text: str = field(default="", repr=False, compare=False)

    def __str__(self) -> str:
        return self.text or f"{self.severity}[{self.code}]: {self.message}"


def from_native(members: list[dict[str, Any]]) -> list[Diagnostic]:
    """The diagnostics that the native part gives."""
    found = []
    for one in members:
        related = tuple(Related(*parts) for parts in one.pop("related"))
        found.append(Diagnostic(related=related, **one))
    return found


class Error(Exception):
    """An input was refused. `diagnostics` has the reasons."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__("\n\n".join(map(str, diagnostics)))
        #: Errors and warnings, in order.
        self.diagnostics = diagnostics

    @property
    def diagnostic(self) -> Diagnostic:
        """The first error."""
        errors = [one for one in self.diagnostics if one.severity == "error"]
        return (errors or self.diagnostics)[0]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.diagnostics,)


class KernelError(Error):
    """A kernel went wrong on the emulator: an access out of bounds, a deadlock, a trap …"""

    def __init__(self, diagnostics: list[Diagnostic], printed: str = "") -> None:
        super().__init__(diagnostics)
        #: What the kernel printed until then.
        self.printed = printed

    @property
    def block(self) -> Optional[Position]:
        """The position of the block of the first finding."""
        return self.diagnostic.block

    @property
    def thread(self) -> Optional[Position]:
        """The position of its thread in the block."""
        return self.diagnostic.thread

    @property
    def line(self) -> Optional[int]:
        """The line of the source, if the code has one."""
        return self.diagnostic.line

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.diagnostics, self.printed)


def refuse(diagnostics: list[Diagnostic], printed: Optional[bytes] = None) -> NoReturn:
    """Raises the exception for diagnostics with errors."""
    error = Error(diagnostics)
    if printed is not None and error.diagnostic.thread is not None:
        raise KernelError(diagnostics, printed.decode(errors="replace"))
    raise error
