/* Uses every function of the header as a program would, and checks what they return. */

#include "warpc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);              \
            exit(1);                                                            \
        }                                                                       \
    } while (0)

/* p[i] = factor * i, for the threads of one block. */
static const char SCALE[] =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    "define ptx_kernel void @scale(ptr addrspace(1) %p, i32 %factor) {\n"
    "  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    "  %v = mul i32 %i, %factor\n"
    "  %a = getelementptr i32, ptr addrspace(1) %p, i32 %i\n"
    "  store i32 %v, ptr addrspace(1) %a\n"
    "  ret void\n"
    "}\n";

/* A structure with an address and a number, passed by value. */
static const char BY_VALUE[] =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "define ptx_kernel void @fill(ptr byval({ptr, i32}) %s) {\n"
    "  %p = load ptr, ptr %s\n"
    "  %at = getelementptr {ptr, i32}, ptr %s, i32 0, i32 1\n"
    "  %v = load i32, ptr %at\n"
    "  store i32 %v, ptr %p\n"
    "  ret void\n"
    "}\n"
    "define ptx_kernel void @other() {\n"
    "  ret void\n"
    "}\n";

static warpc_input text(const char *name, const char *bytes) {
    warpc_input input;
    input.name = name;
    input.bytes = bytes;
    input.size = strlen(bytes);
    input.kind = WARPC_KIND_AUTO;
    return input;
}

static warpc_options *options_for(const char *arch) {
    warpc_options *options = warpc_options_new();
    CHECK(options != NULL);
    CHECK(warpc_options_set(options, "arch", arch, NULL) == WARPC_OK);
    return options;
}

static void versions(void) {
    CHECK(strchr(warpc_version(), '.') != NULL);
    CHECK(warpc_api_version() == WARPC_API_VERSION);
    CHECK(strcmp(warpc_status_text(WARPC_OK), "ok") == 0);
    CHECK(strcmp(warpc_status_text(77), "unknown status") == 0);
}

static void options(void) {
    warpc_options *options = warpc_options_new();
    size_t count = warpc_options_count(), found = 0;
    CHECK(count > 20);
    for (size_t i = 0; i < count; i++) {
        const char *name, *values, *help;
        CHECK(warpc_options_row(options, i, &name, &values, &help) == WARPC_OK);
        CHECK(*name && *values && *help);
        found += strcmp(name, "arch") == 0 || strcmp(name, "seed") == 0;
    }
    CHECK(found == 2);
    CHECK(warpc_options_row(options, count, NULL, NULL, NULL) == WARPC_BAD_ARGUMENT);
    warpc_result *result;
    CHECK(warpc_options_set(options, "fmad", "off", &result) == WARPC_OK);
    CHECK(result == NULL);
    CHECK(warpc_options_set(options, "fmadd", "off", &result) == WARPC_UNKNOWN_OPTION);
    CHECK(strstr(warpc_result_text(result), "did you mean `fmad`") != NULL);
    warpc_result_free(&result);
    CHECK(warpc_options_set(options, "fmad", "perhaps", &result) == WARPC_BAD_VALUE);
    CHECK(warpc_result_diagnostic_count(result) == 1);
    warpc_result_free(&result);
    warpc_options_free(&options);
    CHECK(options == NULL);
}

static void compiling(void) {
    warpc_options *options = options_for("sm_90");
    warpc_input input = text("scale.ll", SCALE);
    warpc_result *ptx, *result;
    CHECK(warpc_compile(&input, WARPC_EMIT_PTX, options, &ptx) == WARPC_OK);
    const char *made = warpc_result_data(ptx);
    CHECK(strlen(made) == warpc_result_size(ptx));
    CHECK(strstr(made, ".target sm_90") && strstr(made, ".entry scale("));
    CHECK(*warpc_result_text(ptx) == 0);
    /* The same input and options give the same bytes. */
    CHECK(warpc_compile(&input, WARPC_EMIT_DEFAULT, options, &result) == WARPC_OK);
    CHECK(strcmp(made, warpc_result_data(result)) == 0);
    warpc_result_free(&result);
    CHECK(warpc_compile(&input, WARPC_EMIT_LLVM, options, &result) == WARPC_OK);
    CHECK(strstr(warpc_result_data(result), "define ptx_kernel void @scale(") != NULL);
    warpc_result_free(&result);

    warpc_result *key, *other;
    CHECK(warpc_fingerprint(&input, WARPC_EMIT_PTX, options, &key) == WARPC_OK);
    CHECK(warpc_fingerprint(&input, WARPC_EMIT_DEFAULT, options, &other) == WARPC_OK);
    CHECK(warpc_result_size(key) == 32 && strcmp(warpc_result_data(key), warpc_result_data(other)) == 0);
    warpc_result_free(&other);
    CHECK(warpc_fingerprint(&input, WARPC_EMIT_CUBIN, options, &other) == WARPC_OK);
    CHECK(strcmp(warpc_result_data(key), warpc_result_data(other)) != 0);
    warpc_result_free(&other);
    warpc_result_free(&key);

    warpc_input again = {"scale.ptx", made, warpc_result_size(ptx), WARPC_KIND_PTX};
    CHECK(warpc_check(&again, options, &result) == WARPC_OK);
    CHECK(warpc_result_size(result) == 0);
    warpc_result_free(&result);
    CHECK(warpc_format(&again, options, &result) == WARPC_OK);
    CHECK(strcmp(made, warpc_result_data(result)) == 0);
    warpc_result_free(&result);

    warpc_result *cubin;
    CHECK(warpc_assemble(&again, options, &cubin) == WARPC_OK);
    warpc_input machine = {NULL, warpc_result_data(cubin), warpc_result_size(cubin), WARPC_KIND_AUTO};
    CHECK(memcmp(machine.bytes, "\177ELF", 4) == 0);
    CHECK(warpc_disassemble(&machine, options, &result) == WARPC_OK);
    CHECK(strstr(warpc_result_data(result), ".text.scale:") && strstr(warpc_result_data(result), "EXIT"));
    warpc_result_free(&result);
    CHECK(warpc_compile(&again, WARPC_EMIT_SASS, options, &result) == WARPC_OK);
    warpc_input assembly = {"scale.sass", warpc_result_data(result), warpc_result_size(result), WARPC_KIND_AUTO};
    warpc_result *same;
    CHECK(warpc_compile(&assembly, WARPC_EMIT_CUBIN, NULL, &same) == WARPC_OK);
    CHECK(warpc_result_size(same) == machine.size);
    CHECK(memcmp(warpc_result_data(same), machine.bytes, machine.size) == 0);
    warpc_result_free(&same);
    warpc_result_free(&result);
    warpc_result_free(&cubin);
    warpc_result_free(&ptx);
    warpc_options_free(&options);
}

static void linking(void) {
    warpc_input inputs[2];
    inputs[0] = text("a.ll", "declare i32 @f()\ndefine i32 @g() {\n  %x = call i32 @f()\n  ret i32 %x\n}\n");
    inputs[1] = text("b.ll", "define i32 @f() {\n  ret i32 7\n}\n");
    warpc_result *result;
    CHECK(warpc_link(inputs, 2, WARPC_EMIT_DEFAULT, NULL, &result) == WARPC_OK);
    CHECK(strstr(warpc_result_data(result), "define i32 @f()") != NULL);
    warpc_result_free(&result);
    CHECK(warpc_link(inputs, 2, WARPC_EMIT_BITCODE, NULL, &result) == WARPC_OK);
    CHECK(memcmp(warpc_result_data(result), "BC\xc0\xde", 4) == 0);
    warpc_result_free(&result);
    CHECK(warpc_compile(&inputs[1], WARPC_EMIT_BITCODE, NULL, &result) == WARPC_OK);
    CHECK(memcmp(warpc_result_data(result), "BC\xc0\xde", 4) == 0);
    warpc_input bitcode = {NULL, warpc_result_data(result), warpc_result_size(result), WARPC_KIND_AUTO};
    warpc_result *again;
    CHECK(warpc_link(&bitcode, 1, WARPC_EMIT_LLVM, NULL, &again) == WARPC_OK);
    CHECK(strstr(warpc_result_data(again), "define i32 @f()") != NULL);
    warpc_result_free(&again);
    warpc_result_free(&result);
    inputs[0] = inputs[1];
    CHECK(warpc_link(inputs, 2, WARPC_EMIT_LLVM, NULL, &result) == WARPC_ERRORS);
    CHECK(warpc_result_diagnostic_count(result) > 0);
    warpc_result_free(&result);
    CHECK(warpc_link(NULL, 0, WARPC_EMIT_LLVM, NULL, &result) == WARPC_ERRORS);
    warpc_result_free(&result);
}

static void diagnostics(void) {
    warpc_input input = text("k.ptx",
        ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { bra NOWHERE; }\n");
    warpc_result *result;
    CHECK(warpc_check(&input, NULL, &result) == WARPC_ERRORS);
    CHECK(warpc_result_diagnostic_count(result) == 1);
    warpc_diagnostic one;
    one.struct_size = sizeof one;
    CHECK(warpc_result_diagnostic(result, 0, &one) == WARPC_OK);
    CHECK(one.severity == WARPC_SEVERITY_ERROR);
    CHECK(one.code[0] == 'W' && strstr(one.message, "NOWHERE"));
    CHECK(strcmp(one.file, "k.ptx") == 0);
    CHECK(one.line == 4 && one.column == 18 && one.end_line == 4 && one.end_column == 25);
    CHECK(memcmp((const char *)input.bytes + one.start, "NOWHERE", one.end - one.start) == 0);
    CHECK(one.end - one.start == 7 && !one.has_thread);
    /* A program that was built with an older header has less room. */
    warpc_diagnostic old;
    memset(&old, 0x55, sizeof old);
    old.struct_size = offsetof(warpc_diagnostic, code);
    CHECK(warpc_result_diagnostic(result, 0, &old) == WARPC_OK);
    CHECK(old.severity == WARPC_SEVERITY_ERROR && old.line == 0x55555555);
    CHECK(warpc_result_diagnostic(result, 1, &one) == WARPC_BAD_ARGUMENT);
    CHECK(strstr(warpc_result_text(result), "k.ptx:4:18") != NULL);
    CHECK(strstr(warpc_result_json(result), "\"line\":4") != NULL);
    warpc_result_free(&result);
}

static void running(void) {
    warpc_input input = text("scale.ll", SCALE);
    warpc_options *options = options_for("sm_90");
    CHECK(warpc_options_set(options, "seed", "3", NULL) == WARPC_OK);
    warpc_program *program;
    warpc_result *result;
    CHECK(warpc_load(&input, options, &program, &result) == WARPC_OK);
    warpc_result_free(&result);
    CHECK(warpc_program_kernel_count(program) == 1);
    warpc_kernel kernel;
    kernel.struct_size = sizeof kernel;
    CHECK(warpc_program_kernel(program, 0, &kernel) == WARPC_OK);
    CHECK(strcmp(kernel.name, "scale") == 0 && kernel.parameter_count == 2 && kernel.address_bytes == 8);
    warpc_parameter parameter;
    parameter.struct_size = sizeof parameter;
    CHECK(warpc_program_parameter(program, 0, 0, &parameter) == WARPC_OK);
    CHECK(parameter.size == 8 && parameter.holds_address);
    CHECK(warpc_program_parameter(program, 0, 1, &parameter) == WARPC_OK);
    CHECK(parameter.size == 4 && !parameter.holds_address && strstr(parameter.type_name, "32"));

    uint32_t numbers[64], factor = 3;
    memset(numbers, 0xff, sizeof numbers);
    warpc_buffer buffer = {numbers, sizeof numbers, "numbers"};
    warpc_argument arguments[2];
    memset(arguments, 0, sizeof arguments);
    arguments[0].kind = WARPC_ARGUMENT_BUFFER;
    arguments[0].buffer = 0;
    arguments[1].kind = WARPC_ARGUMENT_VALUE;
    arguments[1].bytes = &factor;
    arguments[1].size = sizeof factor;
    warpc_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.struct_size = sizeof launch;
    launch.grid[0] = launch.grid[1] = launch.grid[2] = 1;
    launch.block[0] = 64;
    launch.block[1] = launch.block[2] = 1;
    launch.arguments = arguments;
    launch.argument_count = 2;
    CHECK(warpc_run(program, &launch, &buffer, 1, options, &result) == WARPC_OK);
    for (uint32_t i = 0; i < 64; i++) {
        CHECK(numbers[i] == 3 * i);
    }
    warpc_counts counts;
    counts.struct_size = sizeof counts;
    CHECK(warpc_result_counts(result, &counts) == WARPC_OK);
    CHECK(counts.thread_instructions >= 64 * 3 && counts.accesses >= 64);
    CHECK(warpc_result_size(result) == 0);
    warpc_result_free(&result);

    /* Thread 63 of the next launch writes past the end; the buffer stays as it is. */
    numbers[0] = 77;
    buffer.size = 63 * sizeof *numbers;
    CHECK(warpc_run(program, &launch, &buffer, 1, options, &result) == WARPC_ERRORS);
    CHECK(numbers[0] == 77);
    warpc_diagnostic finding;
    finding.struct_size = sizeof finding;
    CHECK(warpc_result_diagnostic(result, 0, &finding) == WARPC_OK);
    CHECK(finding.has_thread && finding.thread[0] == 63 && finding.block[0] == 0);
    CHECK(finding.line == 7 && strcmp(finding.file, "scale.ll") == 0);
    CHECK(strstr(finding.help, "numbers") != NULL);
    CHECK(warpc_result_counts(result, &counts) == WARPC_BAD_ARGUMENT);
    warpc_result_free(&result);

    /* A launch that does not fit is an error of the launch. */
    launch.argument_count = 1;
    CHECK(warpc_run(program, &launch, &buffer, 1, options, &result) == WARPC_ERRORS);
    CHECK(strstr(warpc_result_text(result), "takes 2 arguments") != NULL);
    warpc_result_free(&result);
    warpc_program_free(&program);
    warpc_options_free(&options);
}

static void structures(void) {
    warpc_input input = text("fill.ll", BY_VALUE);
    warpc_program *program;
    CHECK(warpc_load(&input, NULL, &program, NULL) == WARPC_OK);
    CHECK(warpc_program_kernel_count(program) == 2);
    uint32_t number = 0;
    warpc_buffer buffer = {&number, sizeof number, NULL};
    unsigned char bytes[16] = {0};
    bytes[8] = 42;
    warpc_address address = {0, 0};
    warpc_argument argument;
    memset(&argument, 0, sizeof argument);
    argument.kind = WARPC_ARGUMENT_STRUCT;
    argument.bytes = bytes;
    argument.size = sizeof bytes;
    argument.addresses = &address;
    argument.address_count = 1;
    warpc_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.struct_size = sizeof launch;
    for (int i = 0; i < 3; i++) {
        launch.grid[i] = launch.block[i] = 1;
    }
    launch.arguments = &argument;
    launch.argument_count = 1;
    warpc_result *result;
    CHECK(warpc_run(program, &launch, &buffer, 1, NULL, &result) == WARPC_ERRORS);
    CHECK(strstr(warpc_result_text(result), "none was chosen") != NULL);
    warpc_result_free(&result);
    launch.kernel = "fill";
    CHECK(warpc_run(program, &launch, &buffer, 1, NULL, NULL) == WARPC_OK);
    CHECK(number == 42);
    warpc_program_free(&program);
}

/* Two blocks of threads wait for each other: the finding names where the others wait. */
static void related_positions(void) {
    warpc_input input = text("stuck.ptx",
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".entry k() {\n  .reg .pred p;\n  .reg .b32 r;\n  mov.u32 r, %tid.x;\n"
        "  setp.lt.u32 p, r, 32;\n  @p bra LOW;\n  barrier.sync 1, 64;\n  ret;\n"
        "LOW:\n  barrier.sync 2, 64;\n  ret;\n}\n");
    warpc_program *program;
    warpc_result *result;
    CHECK(warpc_load(&input, NULL, &program, NULL) == WARPC_OK);
    warpc_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.struct_size = sizeof launch;
    for (int i = 0; i < 3; i++) {
        launch.grid[i] = launch.block[i] = 1;
    }
    launch.block[0] = 64;
    CHECK(warpc_run(program, &launch, NULL, 0, NULL, &result) == WARPC_ERRORS);
    warpc_diagnostic finding;
    finding.struct_size = sizeof finding;
    CHECK(warpc_result_diagnostic(result, 0, &finding) == WARPC_OK);
    CHECK(strstr(finding.message, "deadlock") && finding.related_count >= 1);
    warpc_related related;
    related.struct_size = sizeof related;
    CHECK(warpc_result_related(result, 0, 0, &related) == WARPC_OK);
    CHECK((related.line == 10 || related.line == 13) && *related.message);
    CHECK(warpc_result_related(result, 0, finding.related_count, &related) == WARPC_BAD_ARGUMENT);
    warpc_result_free(&result);
    warpc_program_free(&program);
}

int main(void) {
    versions();
    options();
    compiling();
    linking();
    diagnostics();
    running();
    structures();
    related_positions();
    printf("ok\n");
    return 0;
}
