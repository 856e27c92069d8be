"""Runs those tests of Numba-CUDA that compile and need no GPU, with whatever libNVVM Numba finds.

usage: numba_tests.py MODULE...

One line per test: its result, how many programs libNVVM compiled for it, its name. MODULE is one of Numba-CUDA's test
modules, such as cudapy.test_compiler. A chip of compute capability 9.0 stands for the GPU that compilation asks for, and
kernels are compiled instead of loaded; whatever would launch them ends with an error, with any libNVVM. The last line names the file of libNVVM.
"""
import importlib
import sys
import unittest

from numba.cuda import dispatcher
from numba.cuda.cudadrv import devices, nvvm


class Chip:
    id = 0
    compute_capability = (9, 0)
    supports_float16 = True
    supports_bfloat16 = True


class Context:
    device = Chip


devices.get_context = lambda *_: Context
for owner in list(sys.modules.values()):
    if getattr(owner, "__name__", "").startswith("numba.cuda"):
        if hasattr(owner, "get_current_device"):
            owner.get_current_device = lambda: Chip
        if hasattr(owner, "get_context"):
            owner.get_context = lambda *_: Context

# Kernels are loaded where they are compiled for a signature; tests that only look at their code go on.
dispatcher._Kernel.bind = lambda self: self._codelibrary.get_asm_str()

compiled = 0
compile_program = nvvm.CompilationUnit.compile


def counted(self):
    global compiled
    compiled += 1
    return compile_program(self)


nvvm.CompilationUnit.compile = counted


class Lines(unittest.TestResult):
    """Prints a line for each test."""

    def startTest(self, test):
        global compiled
        super().startTest(test)
        compiled = 0
        self.said = False

    def say(self, result, test, why=""):
        if not self.said:
            why = " ".join(str(why).split())[-160:]
            print(result, compiled, test.id().removeprefix("numba.cuda.tests."), why, flush=True)
        self.said = True

    def addSuccess(self, test):
        self.say("pass", test)

    def addError(self, test, error):
        self.say("error", test, error[1])

    def addFailure(self, test, error):
        self.say("fail", test, error[1])

    def addSkip(self, test, reason):
        self.say("skip", test, reason)

    def addExpectedFailure(self, test, error):
        self.say("expected", test)

    def addUnexpectedSuccess(self, test):
        self.say("unexpected", test)

    def addSubTest(self, test, part, error):
        if error is not None:
            self.say("fail", test, error[1])


for name in sys.argv[1:]:
    try:
        module = importlib.import_module(f"numba.cuda.tests.{name}")
    except (ImportError, unittest.SkipTest) as why:
        print("import", 0, name, why)
        continue
    unittest.defaultTestLoader.loadTestsFromModule(module).run(Lines())
maps = open("/proc/self/maps").read().splitlines()
libraries = {line.split()[-1] for line in maps if "libnvvm.so" in line}
print(f"with {', '.join(sorted(libraries))}")
