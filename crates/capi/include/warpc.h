/* warpc.h: the C API of warpc. Generated from crates/capi/src; do not edit. */
/* SPDX-License-Identifier: MIT OR Apache-2.0 */

#ifndef WARPC_H
#define WARPC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status of a call ------------------------------------------------------ */

/* What a function returns. */
typedef int32_t warpc_status;

/* It is done. There may be warnings among the diagnostics. */
#define WARPC_OK 0

/* There are errors; the result has them as diagnostics. */
#define WARPC_ERRORS 1

/* An argument of the call is invalid: a null pointer, a handle of another kind, an index out of
 * range, text that is not UTF-8. */
#define WARPC_BAD_ARGUMENT 2

/* There is no option of this name. */
#define WARPC_UNKNOWN_OPTION 3

/* The option does not have this value. */
#define WARPC_BAD_VALUE 4

/* A failure of the library itself. */
#define WARPC_INTERNAL 5

/* A status in words. The text is static. */
const char *warpc_status_text(warpc_status status);

/* ---- Version --------------------------------------------------------------- */

/* The version of the header. It changes when something is added; programs can test for what they
 * need. */
#define WARPC_API_VERSION 1

/* The version of the library, as '0.1.0'. */
const char *warpc_version(void);

/* The version of the header that the library was built with: 'WARPC_API_VERSION' there. */
uint32_t warpc_api_version(void);

/* ---- Results --------------------------------------------------------------- */

/* What a call made, and its diagnostics. Threads may share a handle. */
typedef struct warpc_result warpc_result;

/* How severe a diagnostic is. */
typedef int32_t warpc_severity;

/* There is no result because of it. */
#define WARPC_SEVERITY_ERROR 0

/* There is a result, but probably not the intended one. */
#define WARPC_SEVERITY_WARNING 1

/* A diagnostic. The texts belong to the result. */
typedef struct warpc_diagnostic {
    /* 'sizeof(warpc_diagnostic)', set by the caller. */
    size_t struct_size;
    /* How severe it is. */
    warpc_severity severity;
    /* Whether it is about a thread of a launch: then 'block' and 'thread' are set. */
    int32_t has_thread;
    /* The code, as 'W0123'; 'warpc explain' describes it. */
    const char *code;
    /* What is wrong. */
    const char *message;
    /* What to do; may be null. */
    const char *help;
    /* What is at the position; may be null. */
    const char *label;
    /* The name of the input; null if it has no position in one. */
    const char *file;
    /* The line, from 1; 0 if there is no position. */
    uint32_t line;
    /* The column in characters, from 1; 0 if there is no position. */
    uint32_t column;
    /* The line of the end. */
    uint32_t end_line;
    /* The column after the last character. */
    uint32_t end_column;
    /* The offset of the first byte in the input. */
    uint32_t start;
    /* The offset after the last byte. */
    uint32_t end;
    /* How many other positions belong to it: see 'warpc_result_related'. */
    size_t related_count;
    /* The position of the block in the grid: x, y, z. */
    uint32_t block[3];
    /* The position of the thread in the block: x, y, z. */
    uint32_t thread[3];
} warpc_diagnostic;

/* Another position of a diagnostic. The text belongs to the result. */
typedef struct warpc_related {
    /* 'sizeof(warpc_related)', set by the caller. */
    size_t struct_size;
    /* What is there. */
    const char *message;
    /* The line, from 1. */
    uint32_t line;
    /* The column in characters, from 1. */
    uint32_t column;
    /* The offset of the first byte in the input. */
    uint32_t start;
    /* The offset after the last byte. */
    uint32_t end;
} warpc_related;

/* What a run on the emulator did. */
typedef struct warpc_counts {
    /* 'sizeof(warpc_counts)', set by the caller. */
    size_t struct_size;
    /* Instructions, once for every thread that executed it. */
    uint64_t thread_instructions;
    /* Instructions, once for every warp, or part of one, that executed it. */
    uint64_t warp_instructions;
    /* Barriers that were completed. */
    uint64_t barriers;
    /* Atomic operations, once for every thread. */
    uint64_t atomics;
    /* Loads and stores, once for every thread. */
    uint64_t accesses;
    /* Bytes that loads and stores moved. */
    uint64_t bytes;
    /* Warp operations such as shuffles and votes, once for every warp. */
    uint64_t collectives;
    /* How long it took, in nanoseconds. */
    uint64_t nanoseconds;
} warpc_counts;

/* The bytes of a result: PTX, LLVM IR, a cubin, a listing, or what a kernel printed. A null byte
 * follows them that 'warpc_result_size' does not count. They belong to the result; null if it is
 * not one. */
const void *warpc_result_data(const warpc_result *result);

/* How many bytes a result has. */
size_t warpc_result_size(const warpc_result *result);

/* How many diagnostics a result has. */
size_t warpc_result_diagnostic_count(const warpc_result *result);

/* A diagnostic by its number. Set 'diagnostic->struct_size' first. */
warpc_status warpc_result_diagnostic(const warpc_result *result, size_t index, warpc_diagnostic *diagnostic);

/* Another position of a diagnostic, by the numbers of both. Set 'related->struct_size' first. */
warpc_status warpc_result_related(const warpc_result *result, size_t diagnostic, size_t index, warpc_related *related);

/* What a run did, if the result is that of 'warpc_run'. Set 'counts->struct_size' first. */
warpc_status warpc_result_counts(const warpc_result *result, warpc_counts *counts);

/* The diagnostics as a person reads them, with lines of the source; empty if there are none. The
 * text belongs to the result. */
const char *warpc_result_text(const warpc_result *result);

/* The diagnostics as JSON, one object per line; 'docs/diagnostics.schema.json' describes them. The
 * text belongs to the result. */
const char *warpc_result_json(const warpc_result *result);

/* Frees a result and sets the variable to null. */
void warpc_result_free(warpc_result **result);

/* ---- Options --------------------------------------------------------------- */

/* Options for all functions. Threads may share a handle, and set options while others use it: a
 * call uses the options as they are when it starts. */
typedef struct warpc_options warpc_options;

/* Options with their default values. Free them with 'warpc_options_free'. */
warpc_options *warpc_options_new(void);

/* Frees options and sets the variable to null. */
void warpc_options_free(warpc_options **options);

/* Sets an option by its name: 'warpc_options_set(options, "arch", "sm_90", NULL)'.
 * 'warpc_options_row' lists the names. Returns 'WARPC_UNKNOWN_OPTION' or 'WARPC_BAD_VALUE' if it is
 * refused; then nothing has changed. 'result' may be null; else it gets a result with the reason as
 * a diagnostic, or null if the option was set. */
warpc_status warpc_options_set(warpc_options *options, const char *name, const char *value, warpc_result **result);

/* How many options there are. */
size_t warpc_options_count(void);

/* Name, values and meaning of an option, by its number below 'warpc_options_count()'. Each of the
 * variables may be null. The texts belong to the options handle. */
warpc_status warpc_options_row(const warpc_options *options, size_t index, const char **name, const char **values, const char **help);

/* ---- Inputs ---------------------------------------------------------------- */

/* What an input holds. */
typedef int32_t warpc_kind;

/* The ending of the name states it ('k.ll', 'k.ptx'), or the bytes if the name has no ending. */
#define WARPC_KIND_AUTO 0

/* PTX text. */
#define WARPC_KIND_PTX 1

/* LLVM IR, as text or as bitcode. */
#define WARPC_KIND_LLVM 2

/* MLIR of the 'llvm' and 'nvvm' dialects. */
#define WARPC_KIND_MLIR 3

/* Machine code as text. */
#define WARPC_KIND_SASS 4

/* A cubin. */
#define WARPC_KIND_CUBIN 5

/* A fatbin. */
#define WARPC_KIND_FATBIN 6

/* An input: a name for diagnostics, bytes, and what they are. Text does not need to end in a null
 * byte. Bytes are copied, so they may change after the call. */
typedef struct warpc_input {
    /* The name that diagnostics show; null is the same as 'input'. */
    const char *name;
    /* The bytes; may be null if there are none. */
    const void *bytes;
    /* How many bytes there are. */
    size_t size;
    /* What they are. */
    warpc_kind kind;
} warpc_input;

/* ---- Compile, check, link, format, assemble, disassemble ------------------- */

/* All of these take an input, options (null for the default ones) and a variable for the result.
 * The variable may be null; else it gets a result for 'WARPC_OK' and 'WARPC_ERRORS', to be freed
 * with 'warpc_result_free', and null for any other status. */

/* What 'warpc_compile' makes. */
typedef int32_t warpc_emit;

/* PTX of LLVM IR and MLIR, a cubin of everything else. */
#define WARPC_EMIT_DEFAULT 0

/* PTX. */
#define WARPC_EMIT_PTX 1

/* LLVM IR as text. */
#define WARPC_EMIT_LLVM 2

/* A cubin. */
#define WARPC_EMIT_CUBIN 3

/* An assembly text of that cubin. */
#define WARPC_EMIT_SASS 4

/* LLVM IR as bitcode. The option 'bitcode' selects the LLVM that it is for. */
#define WARPC_EMIT_BITCODE 5

/* Compiles or converts a module, or assembles it: what 'emit' selects is made. The data of the
 * result are what was made. */
warpc_status warpc_compile(const warpc_input *input, warpc_emit emit, const warpc_options *options, warpc_result **result);

/* Reads and verifies an input of any kind. The result has no data. */
warpc_status warpc_check(const warpc_input *input, const warpc_options *options, warpc_result **result);

/* Prints PTX in canonical form, with its comments. */
warpc_status warpc_format(const warpc_input *input, const warpc_options *options, warpc_result **result);

/* Makes a cubin of PTX, of an assembly text, or of LLVM IR and MLIR by way of PTX. */
warpc_status warpc_assemble(const warpc_input *input, const warpc_options *options, warpc_result **result);

/* Lists the machine code of a cubin, or of the cubins of a fatbin. */
warpc_status warpc_disassemble(const warpc_input *input, const warpc_options *options, warpc_result **result);

/* A key for caches: 32 hexadecimal digits that are the same if what 'warpc_compile' makes of the
 * input is. They depend on the bytes, the name and the kind of the input, on 'emit', on the options
 * (not on those of runs) and on the version of the library. */
warpc_status warpc_fingerprint(const warpc_input *input, warpc_emit emit, const warpc_options *options, warpc_result **result);

/* Links modules of LLVM IR into one, the first one being linked into. 'emit' is 'WARPC_EMIT_LLVM',
 * 'WARPC_EMIT_DEFAULT', which is the same, or 'WARPC_EMIT_BITCODE'. */
warpc_status warpc_link(const warpc_input *inputs, size_t count, warpc_emit emit, const warpc_options *options, warpc_result **result);

/* ---- Programs: modules that are ready to run, and their kernels ------------ */

/* A module that is ready to run. Threads may share a handle and run kernels of it at the same time. */
typedef struct warpc_program warpc_program;

/* A kernel. The text belongs to the program. */
typedef struct warpc_kernel {
    /* 'sizeof(warpc_kernel)', set by the caller. */
    size_t struct_size;
    /* Its name. */
    const char *name;
    /* How many parameters it has. */
    size_t parameter_count;
    /* How many bytes an address has. */
    size_t address_bytes;
} warpc_kernel;

/* A parameter of a kernel. The texts belong to the program. */
typedef struct warpc_parameter {
    /* 'sizeof(warpc_parameter)', set by the caller. */
    size_t struct_size;
    /* Its name. */
    const char *name;
    /* Its type in PTX without the dot ('u32', 'f64', 'b64'); empty if it is not a number. */
    const char *type_name;
    /* How many bytes it has. */
    size_t size;
    /* Whether it can be the address of a buffer. */
    int32_t holds_address;
} warpc_parameter;

/* Makes a module ready to run: PTX is checked, LLVM IR and MLIR are compiled, cubins are verified,
 * assembly texts assembled. 'program' gets a program for 'WARPC_OK', to be freed with
 * 'warpc_program_free', else null. 'result' may be null; it gets the diagnostics, as for
 * 'warpc_compile'. */
warpc_status warpc_load(const warpc_input *input, const warpc_options *options, warpc_program **program, warpc_result **result);

/* Frees a program and sets the variable to null. */
void warpc_program_free(warpc_program **program);

/* How many kernels a program has. */
size_t warpc_program_kernel_count(const warpc_program *program);

/* A kernel by its number. Set 'kernel->struct_size' first. */
warpc_status warpc_program_kernel(const warpc_program *program, size_t index, warpc_kernel *kernel);

/* A parameter of a kernel, by the numbers of both. Set 'parameter->struct_size' first. */
warpc_status warpc_program_parameter(const warpc_program *program, size_t kernel, size_t index, warpc_parameter *parameter);

/* ---- Launches on the emulator ---------------------------------------------- */

/* A buffer that a kernel gets the address of. */
typedef struct warpc_buffer {
    /* Its contents before the run; those after it if the status is 'WARPC_OK'. */
    void *bytes;
    /* How many bytes it has. */
    size_t size;
    /* What diagnostics call it; may be null. */
    const char *name;
} warpc_buffer;

/* What an argument is. */
typedef int32_t warpc_argument_kind;

/* The bytes of the parameter itself: 'bytes' and 'size'. */
#define WARPC_ARGUMENT_VALUE 0

/* The address of a buffer: 'buffer'. */
#define WARPC_ARGUMENT_BUFFER 1

/* Bytes with addresses of buffers in them: 'bytes', 'size', 'addresses', 'address_count'. */
#define WARPC_ARGUMENT_STRUCT 2

/* An address inside a structure that is passed by value. */
typedef struct warpc_address {
    /* The offset in the bytes of the argument. */
    size_t offset;
    /* The number of the buffer. */
    size_t buffer;
} warpc_address;

/* An argument of a launch. */
typedef struct warpc_argument {
    /* Which of the fields are used. */
    warpc_argument_kind kind;
    /* The number of the buffer. */
    size_t buffer;
    /* The bytes of the parameter, in the byte order of the GPU: little endian. */
    const void *bytes;
    /* How many there are. */
    size_t size;
    /* The addresses in them. */
    const warpc_address *addresses;
    /* How many there are. */
    size_t address_count;
} warpc_argument;

/* A launch. */
typedef struct warpc_launch {
    /* 'sizeof(warpc_launch)', set by the caller. */
    size_t struct_size;
    /* The name of the kernel; may be null if the program has only one. */
    const char *kernel;
    /* Blocks in x, y and z. */
    uint32_t grid[3];
    /* Threads of a block in x, y and z. */
    uint32_t block[3];
    /* Blocks of a cluster in x, y and z; all 0 if the launch does not specify them. */
    uint32_t cluster[3];
    /* Bytes of dynamic shared memory. */
    uint32_t dynamic_shared;
    /* The arguments, one per parameter. */
    const warpc_argument *arguments;
    /* How many there are. */
    size_t argument_count;
} warpc_launch;

/* Runs a kernel on the emulator: that of PTX, or for a cubin that of machine code. With 'WARPC_OK'
 * the buffers have been written, and the data of the result are what the kernel printed. With
 * 'WARPC_ERRORS' the buffers are as they were, and the diagnostics are the findings, each with its
 * thread and position; the data are what was printed until then. The options 'seed', 'jobs',
 * 'limit', 'races', 'memory' and 'init' apply. 'result' may be null. */
warpc_status warpc_run(const warpc_program *program, const warpc_launch *launch, const warpc_buffer *buffers, size_t buffer_count, const warpc_options *options, warpc_result **result);

#ifdef __cplusplus
}
#endif

#endif
