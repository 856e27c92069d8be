/* libNVVM as a program, so that it can be timed like the others:
 *     nvvm_driver LIBRARY IN.ll OUT.ptx OPTION...
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef void *Program;

static void *find(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (!function) {
        fprintf(stderr, "libnvvm has no %s\n", name);
        exit(2);
    }
    return function;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: nvvm_driver LIBRARY IN.ll OUT.ptx OPTION...\n");
        return 2;
    }
    void *library = dlopen(argv[1], RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    int (*create)(Program *) = find(library, "nvvmCreateProgram");
    int (*add)(Program, const char *, size_t, const char *) = find(library, "nvvmAddModuleToProgram");
    int (*compile)(Program, int, const char **) = find(library, "nvvmCompileProgram");
    int (*result_size)(Program, size_t *) = find(library, "nvvmGetCompiledResultSize");
    int (*result)(Program, char *) = find(library, "nvvmGetCompiledResult");
    int (*log_size)(Program, size_t *) = find(library, "nvvmGetProgramLogSize");
    int (*log)(Program, char *) = find(library, "nvvmGetProgramLog");

    FILE *in = fopen(argv[2], "rb");
    if (!in) {
        perror(argv[2]);
        return 2;
    }
    fseek(in, 0, SEEK_END);
    size_t length = (size_t)ftell(in);
    rewind(in);
    char *text = malloc(length);
    if (!text || fread(text, 1, length, in) != length) {
        perror(argv[2]);
        return 2;
    }
    fclose(in);

    Program program;
    int status = create(&program);
    if (!status) status = add(program, text, length, argv[2]);
    if (!status) status = compile(program, argc - 4, (const char **)argv + 4);
    size_t size = 0;
    if (status) {
        log_size(program, &size);
        char *said = calloc(size + 1, 1);
        if (said) log(program, said);
        fprintf(stderr, "error: libnvvm says %d: %s\n", status, said ? said : "");
        return 1;
    }
    result_size(program, &size);
    char *ptx = malloc(size);
    FILE *out = fopen(argv[3], "wb");
    if (!ptx || !out || result(program, ptx)) {
        perror(argv[3]);
        return 2;
    }
    fwrite(ptx, 1, size - 1, out);
    fclose(out);
    return 0;
}
