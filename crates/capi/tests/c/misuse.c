/* What a program can get wrong and still must not crash: null pointers, handles of the wrong kind, handles freed twice,
 * numbers that are not constants, text that is not UTF-8, sizes that cannot be, inputs that are not what they claim. */

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

static const char KERNEL[] = "define ptx_kernel void @k() {\n  ret void\n}\n";

static warpc_input kernel(void) {
    warpc_input input = {"k.ll", KERNEL, sizeof KERNEL - 1, WARPC_KIND_AUTO};
    return input;
}

static void nulls(void) {
    warpc_input input = kernel();
    warpc_result *result = (warpc_result *)&input;
    CHECK(warpc_compile(NULL, WARPC_EMIT_PTX, NULL, &result) == WARPC_BAD_ARGUMENT);
    CHECK(result == NULL);
    CHECK(warpc_compile(NULL, WARPC_EMIT_PTX, NULL, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_compile(&input, WARPC_EMIT_PTX, NULL, NULL) == WARPC_OK);
    CHECK(warpc_check(NULL, NULL, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_fingerprint(NULL, WARPC_EMIT_PTX, NULL, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_fingerprint(&input, 77, NULL, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_format(NULL, NULL, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_assemble(NULL, NULL, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_disassemble(NULL, NULL, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_link(NULL, 2, WARPC_EMIT_LLVM, NULL, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_load(&input, NULL, NULL, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_run(NULL, NULL, NULL, 0, NULL, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_options_set(NULL, "arch", "sm_90", NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_options_row(NULL, 0, NULL, NULL, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_result_data(NULL) == NULL);
    CHECK(warpc_result_size(NULL) == 0);
    CHECK(warpc_result_diagnostic_count(NULL) == 0);
    CHECK(warpc_result_diagnostic(NULL, 0, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_result_related(NULL, 0, 0, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_result_counts(NULL, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_result_text(NULL) == NULL);
    CHECK(warpc_result_json(NULL) == NULL);
    CHECK(warpc_program_kernel_count(NULL) == 0);
    CHECK(warpc_program_kernel(NULL, 0, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_program_parameter(NULL, 0, 0, NULL) == WARPC_BAD_ARGUMENT);
    warpc_options_free(NULL);
    warpc_result_free(NULL);
    warpc_program_free(NULL);
    warpc_options *none = NULL;
    warpc_options_free(&none);
}

static void wrong_handles(void) {
    warpc_input input = kernel();
    warpc_options *options = warpc_options_new();
    warpc_result *result, *other;
    warpc_program *program;
    CHECK(warpc_check(&input, NULL, &result) == WARPC_OK);
    CHECK(warpc_load(&input, NULL, &program, NULL) == WARPC_OK);
    CHECK(warpc_compile(&input, WARPC_EMIT_PTX, (warpc_options *)result, &other) == WARPC_BAD_ARGUMENT);
    CHECK(other == NULL);
    CHECK(warpc_compile(&input, WARPC_EMIT_PTX, (warpc_options *)program, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_result_data((warpc_result *)options) == NULL);
    CHECK(warpc_result_diagnostic_count((warpc_result *)program) == 0);
    CHECK(warpc_program_kernel_count((warpc_program *)result) == 0);
    CHECK(warpc_options_set((warpc_options *)program, "arch", "sm_90", NULL) == WARPC_BAD_ARGUMENT);
    /* A pointer into a handle is not aligned, or not one. */
    CHECK(warpc_result_data((warpc_result *)((char *)result + 1)) == NULL);
    CHECK(warpc_result_data((warpc_result *)((char *)result + 8)) == NULL);
    /* Freeing with the wrong function leaves the handle as it is. */
    warpc_program *wrong = (warpc_program *)result;
    warpc_program_free(&wrong);
    CHECK(wrong == (warpc_program *)result && warpc_result_data(result) != NULL);
    /* Freed handles are null, so they can be freed and used again. */
    warpc_result_free(&result);
    CHECK(result == NULL);
    warpc_result_free(&result);
    CHECK(warpc_result_data(result) == NULL);
    warpc_program_free(&program);
    warpc_program_free(&program);
    warpc_options_free(&options);
    warpc_options_free(&options);
    CHECK(warpc_compile(&input, WARPC_EMIT_PTX, options, NULL) == WARPC_OK);
}

static void wrong_numbers(void) {
    warpc_input input = kernel();
    CHECK(warpc_compile(&input, 99, NULL, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_compile(&input, -1, NULL, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_link(&input, 1, WARPC_EMIT_CUBIN, NULL, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_link(&input, (size_t)-1, WARPC_EMIT_LLVM, NULL, NULL) == WARPC_BAD_ARGUMENT);
    input.kind = 1000;
    CHECK(warpc_check(&input, NULL, NULL) == WARPC_BAD_ARGUMENT);
    input = kernel();
    input.bytes = NULL;
    CHECK(warpc_check(&input, NULL, NULL) == WARPC_BAD_ARGUMENT);
    input = kernel();
    input.size = (size_t)-1;
    CHECK(warpc_check(&input, NULL, NULL) == WARPC_BAD_ARGUMENT);
    input = kernel();
    input.name = "\xff\xfe.ll";
    CHECK(warpc_check(&input, NULL, NULL) == WARPC_BAD_ARGUMENT);
    warpc_options *options = warpc_options_new();
    CHECK(warpc_options_set(options, "\xff", "1", NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_options_set(options, "arch", NULL, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_options_set(options, "arch", "sm_1", NULL) == WARPC_BAD_VALUE);
    CHECK(warpc_options_set(options, "", "", NULL) == WARPC_UNKNOWN_OPTION);
    warpc_options_free(&options);
}

static void wrong_inputs(void) {
    static const unsigned char noise[] = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0xff, 0, 0, 0xbe, 0, 1, 2, 3};
    static const int32_t kinds[] = {WARPC_KIND_AUTO, WARPC_KIND_PTX, WARPC_KIND_LLVM, WARPC_KIND_MLIR,
        WARPC_KIND_SASS, WARPC_KIND_CUBIN, WARPC_KIND_FATBIN};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        warpc_input input = {"noise", noise, sizeof noise, kinds[i]};
        warpc_result *result;
        CHECK(warpc_check(&input, NULL, &result) == WARPC_ERRORS);
        CHECK(warpc_result_diagnostic_count(result) > 0 && *warpc_result_text(result));
        warpc_result_free(&result);
        CHECK(warpc_compile(&input, WARPC_EMIT_DEFAULT, NULL, NULL) == WARPC_ERRORS);
        CHECK(warpc_disassemble(&input, NULL, NULL) == WARPC_ERRORS);
        warpc_program *program;
        CHECK(warpc_load(&input, NULL, &program, NULL) == WARPC_ERRORS);
        CHECK(program == NULL);
    }
    warpc_input named = {"k.txt", "hello", 5, WARPC_KIND_AUTO};
    warpc_result *result;
    CHECK(warpc_check(&named, NULL, &result) == WARPC_ERRORS);
    CHECK(strstr(warpc_result_text(result), "k.txt") != NULL);
    warpc_diagnostic one;
    one.struct_size = sizeof one;
    CHECK(warpc_result_diagnostic(result, 0, &one) == WARPC_OK);
    CHECK(one.file == NULL && one.line == 0);
    one.struct_size = 0;
    CHECK(warpc_result_diagnostic(result, 0, &one) == WARPC_BAD_ARGUMENT);
    warpc_result_free(&result);
    /* Nothing is an empty module. */
    warpc_input empty = {"empty.ll", NULL, 0, WARPC_KIND_LLVM};
    CHECK(warpc_compile(&empty, WARPC_EMIT_PTX, NULL, NULL) == WARPC_OK);
}

static void wrong_launches(void) {
    warpc_input input = {"k.ll",
        "define ptx_kernel void @k(ptr addrspace(1) %p) {\n  store i32 7, ptr addrspace(1) %p\n  ret void\n}\n",
        0, WARPC_KIND_LLVM};
    input.size = strlen(input.bytes);
    warpc_program *program;
    CHECK(warpc_load(&input, NULL, &program, NULL) == WARPC_OK);
    uint32_t number = 1;
    warpc_buffer buffer = {&number, sizeof number, NULL};
    warpc_argument argument;
    memset(&argument, 0, sizeof argument);
    argument.kind = WARPC_ARGUMENT_BUFFER;
    warpc_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.arguments = &argument;
    launch.argument_count = 1;
    CHECK(warpc_run(program, &launch, &buffer, 1, NULL, NULL) == WARPC_BAD_ARGUMENT);
    launch.struct_size = sizeof launch;
    /* An empty grid. */
    CHECK(warpc_run(program, &launch, &buffer, 1, NULL, NULL) == WARPC_ERRORS);
    for (int i = 0; i < 3; i++) {
        launch.grid[i] = launch.block[i] = 1;
    }
    CHECK(warpc_run(program, &launch, NULL, 1, NULL, NULL) == WARPC_BAD_ARGUMENT);
    CHECK(warpc_run(program, &launch, NULL, 0, NULL, NULL) == WARPC_ERRORS);
    argument.buffer = (size_t)-1;
    CHECK(warpc_run(program, &launch, &buffer, 1, NULL, NULL) == WARPC_ERRORS);
    argument.buffer = 0;
    argument.kind = 7;
    CHECK(warpc_run(program, &launch, &buffer, 1, NULL, NULL) == WARPC_BAD_ARGUMENT);
    argument.kind = WARPC_ARGUMENT_VALUE;
    argument.size = 8;
    CHECK(warpc_run(program, &launch, &buffer, 1, NULL, NULL) == WARPC_BAD_ARGUMENT);
    warpc_address address = {(size_t)-4, 0};
    uint64_t room = 0;
    argument.kind = WARPC_ARGUMENT_STRUCT;
    argument.bytes = &room;
    argument.addresses = &address;
    argument.address_count = 1;
    CHECK(warpc_run(program, &launch, &buffer, 1, NULL, NULL) == WARPC_ERRORS);
    address.offset = 0;
    CHECK(warpc_run(program, &launch, &buffer, 1, NULL, NULL) == WARPC_OK);
    CHECK(number == 7);
    launch.kernel = "nothing";
    CHECK(warpc_run(program, &launch, &buffer, 1, NULL, NULL) == WARPC_ERRORS);
    launch.kernel = "\xff";
    CHECK(warpc_run(program, &launch, &buffer, 1, NULL, NULL) == WARPC_BAD_ARGUMENT);
    launch.kernel = NULL;
    launch.argument_count = (size_t)-1;
    CHECK(warpc_run(program, &launch, &buffer, 1, NULL, NULL) == WARPC_BAD_ARGUMENT);
    /* The library has no driver: a GPU is refused by name. One that was built with the whole workspace has it, and
       needs a GPU. */
    launch.argument_count = 1;
    warpc_options *options = warpc_options_new();
    CHECK(warpc_options_set(options, "on", "gpu", NULL) == WARPC_OK);
    warpc_result *result;
    if (warpc_run(program, &launch, &buffer, 1, options, &result) != WARPC_OK) {
        const char *text = warpc_result_text(result);
        CHECK(strstr(text, "runs on a GPU are not supported") != NULL || strstr(text, "libcuda") != NULL);
    }
    warpc_result_free(&result);
    warpc_options_free(&options);
    warpc_program_free(&program);
}

int main(void) {
    nulls();
    wrong_handles();
    wrong_numbers();
    wrong_inputs();
    wrong_launches();
    printf("ok\n");
    return 0;
}
