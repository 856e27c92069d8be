"""Loads PTX files with the CUDA driver of this machine and says which it takes.

    for f in *.ptx; do warpc fmt --lowest-version $f -o printed/$f; done
    python3 load_on_gpu.py printed/*.ptx

Needs a GPU and its driver (`libcuda.so.1`), nothing else.
"""
import ctypes
import sys

ERROR_LOG, ERROR_LOG_SIZE = 5, 6
LOG_BYTES = 4096


def main(paths):
    driver = ctypes.CDLL("libcuda.so.1")

    def must(result, what):
        if result:
            sys.exit(f"{what} failed with {result}")

    must(driver.cuInit(0), "cuInit")
    device, context, version = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_int()
    must(driver.cuDeviceGet(ctypes.byref(device), 0), "cuDeviceGet")
    must(driver.cuCtxCreate_v2(ctypes.byref(context), 0, device), "cuCtxCreate")
    must(driver.cuDriverGetVersion(ctypes.byref(version)), "cuDriverGetVersion")
    refused = 0
    for path in paths:
        with open(path, "rb") as file:
            text = file.read() + b"\0"
        log = ctypes.create_string_buffer(LOG_BYTES)
        keys = (ctypes.c_int * 2)(ERROR_LOG, ERROR_LOG_SIZE)
        values = (ctypes.c_void_p * 2)(ctypes.cast(log, ctypes.c_void_p), ctypes.c_void_p(LOG_BYTES))
        module = ctypes.c_void_p()
        result = driver.cuModuleLoadDataEx(ctypes.byref(module), text, 2, keys, values)
        if result:
            refused += 1
            print(f"{path}: {result} {log.value.decode(errors='replace').strip()}")
        else:
            driver.cuModuleUnload(module)
    print(f"driver {version.value}: {len(paths) - refused} of {len(paths)} loaded")


if __name__ == "__main__":
    main(sys.argv[1:])
