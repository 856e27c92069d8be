/* Threads that share options and a program: they compile, run and read results at the same time. */

#define _POSIX_C_SOURCE 200809L

#include "warpc.h"

#include <pthread.h>
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

enum { THREADS = 8, ROUNDS = 12 };

static const char ADD[] =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "define ptx_kernel void @add(ptr addrspace(1) %p, i32 %n) {\n"
    "  %old = atomicrmw add ptr addrspace(1) %p, i32 %n monotonic\n"
    "  ret void\n"
    "}\n";

static warpc_options *options;
static warpc_program *program;
static warpc_result *expected, *wrong;

static void compile_again(void) {
    warpc_input input = {"add.ll", ADD, sizeof ADD - 1, WARPC_KIND_LLVM};
    warpc_result *result;
    CHECK(warpc_compile(&input, WARPC_EMIT_PTX, options, &result) == WARPC_OK);
    CHECK(warpc_result_size(result) == warpc_result_size(expected));
    CHECK(memcmp(warpc_result_data(result), warpc_result_data(expected), warpc_result_size(result)) == 0);
    warpc_result_free(&result);
}

static void run_again(uint32_t number) {
    uint32_t sum = 0;
    warpc_buffer buffer = {&sum, sizeof sum, NULL};
    warpc_argument arguments[2];
    memset(arguments, 0, sizeof arguments);
    arguments[0].kind = WARPC_ARGUMENT_BUFFER;
    arguments[1].kind = WARPC_ARGUMENT_VALUE;
    arguments[1].bytes = &number;
    arguments[1].size = sizeof number;
    warpc_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.struct_size = sizeof launch;
    launch.grid[0] = 4;
    launch.block[0] = 64;
    launch.grid[1] = launch.grid[2] = launch.block[1] = launch.block[2] = 1;
    launch.arguments = arguments;
    launch.argument_count = 2;
    CHECK(warpc_run(program, &launch, &buffer, 1, options, NULL) == WARPC_OK);
    CHECK(sum == 256 * number);
}

static void *work(void *argument) {
    uint32_t number = (uint32_t)(size_t)argument;
    for (int round = 0; round < ROUNDS; round++) {
        compile_again();
        run_again(number + (uint32_t)round);
        /* An option that changes no output is set while the others use the handle. */
        CHECK(warpc_options_set(options, "seed", round % 2 ? "1" : "2", NULL) == WARPC_OK);
        /* Texts of a result are made when they are asked for, by whoever is first. */
        CHECK(strstr(warpc_result_text(wrong), "wrong.ptx:4") != NULL);
        CHECK(strstr(warpc_result_json(wrong), "\"line\":4") != NULL);
    }
    return NULL;
}

int main(void) {
    options = warpc_options_new();
    CHECK(warpc_options_set(options, "arch", "sm_80", NULL) == WARPC_OK);
    warpc_input input = {"add.ll", ADD, sizeof ADD - 1, WARPC_KIND_LLVM};
    CHECK(warpc_compile(&input, WARPC_EMIT_PTX, options, &expected) == WARPC_OK);
    CHECK(warpc_load(&input, options, &program, NULL) == WARPC_OK);
    const char *text = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { bra NOWHERE; }\n";
    warpc_input bad = {"wrong.ptx", text, strlen(text), WARPC_KIND_PTX};
    CHECK(warpc_check(&bad, NULL, &wrong) == WARPC_ERRORS);
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, work, (void *)(i + 1)) == 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    warpc_result_free(&expected);
    warpc_result_free(&wrong);
    warpc_program_free(&program);
    warpc_options_free(&options);
    printf("ok\n");
    return 0;
}
