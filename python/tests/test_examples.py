"""The examples, run with the Pythons that have Numba and Triton: `./x python` names them in the environment."""

import doctest
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import warpc

HERE = pathlib.Path(__file__).parent.parent


def run(example: str, variable: str) -> str:
    """What an example prints."""
    python = os.environ.get(variable)
    if not python:
        pytest.skip(f"{variable} does not name a Python that can run it")
    # That Python has the compiler, this one has numpy and warpc.
    packages = [str(pathlib.Path(module.__file__).parent.parent) for module in (warpc, np)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(packages))}
    done = subprocess.run(
        [python, str(HERE / "examples" / example)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_numba():
    text = run("numba_kernel.py", "WARPC_NUMBA")
    assert len(re.findall("as numpy's|equal to numpy", text)) == 6, text
    assert "out of bounds read of 4 bytes" in text and "thread (63, 0, 0)" in text, text


def test_triton():
    text = run("triton_kernel.py", "WARPC_TRITON")
    assert len(re.findall("as numpy's|equal to numpy", text)) == 6, text
    assert "found: out of bounds write" in text, text


def test_the_documentation_of_the_package():
    failed, tried = doctest.testmod(warpc)
    assert (failed, tried > 0) == (0, True)


@pytest.mark.parametrize("page", ["README.md", "../docs/python.md"])
def test_pages(page):
    """Blocks of Python in a page are one program each."""
    text = (HERE / page).read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    for block in blocks:
        done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, block + done.stderr
