/* A client of libNVVM that does what clients should not: null pointers, wrong sizes, options in odd forms, damaged modules,
 * threads, huge inputs.
 *
 * It is linked with -lnvvm and -lpthread and runs with any library of that SONAME. Each line of its output is one question,
 * asked in a process of its own, and its answer; of a log only whether there is one. The output must be the same with
 * every library. Questions at which NVIDIA's library crashes (null pointers for results) are left out.
 */
#define _GNU_SOURCE
#include <nvvm.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const head =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-"
    "f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n";
static const char *const kernel =
    "define void @k(i32* %p) {\n  store i32 1, i32* %p\n  ret void\n}\n"
    "!nvvm.annotations = !{!9}\n!9 = !{void (i32*)* @k, !\"kernel\", i32 1}\n"
    "!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n";
static char module[4096];

/* Seconds that a question may take. */
enum { LIMIT = 120 };

#define ASK(question, answer)                          \
  do {                                                 \
    fflush(stdout);                                    \
    pid_t child = fork();                              \
    if (!child) {                                      \
      alarm(LIMIT);                                    \
      printf("%s: ", question);                        \
      int result = (int)(answer);                      \
      printf("%d\n", result);                          \
      fflush(stdout);                                  \
      _exit(0);                                        \
    }                                                  \
    int status;                                        \
    waitpid(child, &status, 0);                        \
    if (WIFSIGNALED(status)) printf("%s: signal %d\n", question, WTERMSIG(status)); \
  } while (0)

static nvvmProgram empty(void) {
  nvvmProgram program = NULL;
  nvvmCreateProgram(&program);
  return program;
}

static nvvmProgram full(void) {
  nvvmProgram program = empty();
  nvvmAddModuleToProgram(program, module, strlen(module), "k.ll");
  return program;
}

static nvvmResult compile(nvvmProgram program) {
  const char *options[] = {"-arch=compute_90"};
  return nvvmCompileProgram(program, 1, options);
}

/* Whether there is a log, and whether its size is right. */
static void log_of(nvvmProgram program) {
  size_t size = 0;
  nvvmGetProgramLogSize(program, &size);
  char *bytes = malloc(size + 1);
  nvvmGetProgramLog(program, bytes);
  printf("log %d, whole %d, ", size > 1, strlen(bytes) + 1 == size);
  free(bytes);
}

static size_t size_of(nvvmProgram program) {
  size_t size = 0;
  nvvmGetCompiledResultSize(program, &size);
  return size;
}

static nvvmResult added(const char *bytes, size_t size, const char *name) {
  nvvmProgram program = empty();
  printf("add %d, ", (int)nvvmAddModuleToProgram(program, bytes, size, name));
  nvvmResult result = compile(program);
  log_of(program);
  return result;
}

static nvvmResult with(int count, const char **options) {
  nvvmProgram program = full();
  nvvmResult result = nvvmCompileProgram(program, count, options);
  log_of(program);
  return result;
}

static nvvmResult one(const char *option) { return with(1, &option); }

static nvvmResult two(const char *option, const char *other) {
  const char *options[] = {option, other};
  return with(2, options);
}

static nvvmResult before_compilation(void) {
  nvvmProgram program = empty();
  char byte = 'a';
  printf("size %zu, ", size_of(program));
  printf("copy %d, ", (int)nvvmGetCompiledResult(program, &byte));
  printf("byte %d, ", byte);
  log_of(program);
  return 0;
}

static nvvmResult only_lazy(void) {
  nvvmProgram program = empty();
  nvvmLazyAddModuleToProgram(program, module, strlen(module), "l.ll");
  return compile(program);
}

static nvvmResult defined_twice(void) {
  nvvmProgram program = full();
  compile(program);
  nvvmAddModuleToProgram(program, module, strlen(module), "again.ll");
  nvvmResult result = compile(program);
  printf("size %zu, ", size_of(program));
  return result;
}

static nvvmResult compiled_again(void) {
  nvvmProgram program = full();
  nvvmResult first = compile(program), second = compile(program);
  nvvmResult verified = nvvmVerifyProgram(program, 0, NULL);
  printf("%d, %d, kept %d, ", (int)first, (int)second, size_of(program) > 1);
  return verified;
}

static nvvmResult result_after_failed_verification(void) {
  nvvmProgram program = full();
  const char *options[] = {"-foo"};
  compile(program);
  nvvmResult result = nvvmVerifyProgram(program, 1, options);
  printf("kept %d, ", size_of(program) > 1);
  return result;
}

static nvvmResult changed_by_the_caller(void) {
  char *bytes = strdup(module);
  nvvmProgram program = empty();
  nvvmAddModuleToProgram(program, bytes, strlen(bytes), "k.ll");
  memset(bytes, 'x', strlen(bytes));
  return compile(program);
}

static nvvmResult at_the_end_of_memory(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), size = strlen(module);
  char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(memory + page, page, PROT_NONE);
  char *bytes = memory + page - size;
  memcpy(bytes, module, size);
  return added(bytes, size, "end.ll");
}

static nvvmResult padded(size_t size, char with_byte) {
  char *bytes = malloc(size);
  memset(bytes, with_byte, size);
  memcpy(bytes, module, strlen(module));
  return added(bytes, size, "padded.ll");
}

static nvvmResult many_programs(void) {
  for (int turn = 0; turn < 20000; turn++) {
    nvvmProgram program = empty();
    nvvmResult result = nvvmDestroyProgram(&program);
    if (result) return result;
  }
  return 0;
}

static nvvmResult many_modules(void) {
  nvvmProgram program = empty();
  char text[4096];
  for (int number = 0; number < 300; number++) {
    snprintf(text, sizeof text, "%sdefine void @f%d() {\n  ret void\n}\n!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n", head, number);
    nvvmResult result = nvvmAddModuleToProgram(program, text, strlen(text), "m");
    if (result) return result;
  }
  return compile(program);
}

static nvvmResult long_option(void) {
  static char option[70000];
  memset(option, 'a', sizeof option - 1);
  option[0] = '-';
  return one(option);
}

static void *own_programs(void *unused) {
  (void)unused;
  long failed = 0;
  for (int turn = 0; turn < 50; turn++) {
    nvvmProgram program = full();
    failed += compile(program) != NVVM_SUCCESS;
    failed += size_of(program) < 100;
    failed += nvvmDestroyProgram(&program) != NVVM_SUCCESS;
  }
  return (void *)failed;
}

static nvvmProgram shared;

static void *one_program(void *unused) {
  (void)unused;
  long failed = 0;
  for (int turn = 0; turn < 30; turn++) {
    failed += compile(shared) != NVVM_SUCCESS;
    size_of(shared);
  }
  return (void *)failed;
}

static long on_threads(void *(*work)(void *)) {
  pthread_t threads[8];
  long failed = 0;
  shared = full();
  for (int index = 0; index < 8; index++) pthread_create(&threads[index], NULL, work, NULL);
  for (int index = 0; index < 8; index++) {
    void *result;
    pthread_join(threads[index], &result);
    failed += (long)result;
  }
  return failed;
}

int main(void) {
  snprintf(module, sizeof module, "%s%s", head, kernel);
  size_t len = strlen(module), size;
  int number;
  nvvmProgram none = NULL;

  ASK("create, null", nvvmCreateProgram(NULL));
  ASK("destroy, null", nvvmDestroyProgram(NULL));
  ASK("destroy, null program", nvvmDestroyProgram(&none));
  ASK("add, null program", nvvmAddModuleToProgram(NULL, module, 5, "x"));
  ASK("add lazily, null program", nvvmLazyAddModuleToProgram(NULL, module, 5, "x"));
  ASK("compile, null program", compile(NULL));
  ASK("verify, null program", nvvmVerifyProgram(NULL, 0, NULL));
  ASK("size, null program", nvvmGetCompiledResultSize(NULL, &size));
  ASK("size, null pointer", nvvmGetCompiledResultSize(full(), NULL));
  ASK("result, null program", nvvmGetCompiledResult(NULL, module));
  ASK("log, null program", nvvmGetProgramLog(NULL, module));
  ASK("version, null", nvvmVersion(NULL, NULL));
  ASK("version, one null", nvvmVersion(&number, NULL));
  ASK("IR version, null", nvvmIRVersion(NULL, NULL, NULL, NULL));
  ASK("LLVM version, null result", nvvmLLVMVersion("compute_90", NULL));
  ASK("LLVM version, sm_90", nvvmLLVMVersion("sm_90", &number));
  ASK("LLVM version, nothing", nvvmLLVMVersion("", &number));
  ASK("LLVM version, compute_90a", nvvmLLVMVersion("compute_90a", &number));
  ASK("LLVM version, compute_52", nvvmLLVMVersion("compute_52", &number));
  for (int code = -1; code < 12; code++) printf("%d is %s\n", code, nvvmGetErrorString((nvvmResult)code));

  ASK("before compilation", before_compilation());
  ASK("no module", compile(empty()));
  ASK("only lazy", only_lazy());
  ASK("null buffer", added(NULL, 10, "x"));
  ASK("null buffer of no bytes", added(NULL, 0, "x"));
  ASK("no bytes", added(module, 0, "x"));
  ASK("null name", added(module, len, NULL));
  ASK("empty name", added(module, len, ""));
  ASK("name with formats", added(module, len, "a\nb%s%n"));
  ASK("with the zero", added(module, len + 1, "z.ll"));
  ASK("three bytes less", added(module, len - 3, "s.ll"));
  ASK("half of it", added(module, len / 2, "h.ll"));
  ASK("one byte", added("B", 1, "b"));
  ASK("start of bitcode", added("BC\xc0\xde", 4, "b.bc"));
  ASK("bitcode of zeros", added("BC\xc0\xde\0\0\0\0\0\0\0\0", 12, "b.bc"));
  ASK("ELF", added("\177ELFxxxxxxxxxxxx", 16, "e.o"));
  ASK("zeros", added("\0\0\0\0\0\0\0\0", 8, "0"));
  ASK("words", added("hello world", 11, "w.ll"));
  ASK("not UTF-8", added("\xff\xfe\xfd", 3, "u.ll"));
  ASK("blanks", added("   \n  ", 6, "b.ll"));
  ASK("changed by the caller", changed_by_the_caller());
  ASK("at the end of memory", at_the_end_of_memory());
  ASK("defined twice", defined_twice());
  ASK("compiled again", compiled_again());
  ASK("result after failed verification", result_after_failed_verification());

  const char *nulls[] = {"-arch=compute_90", NULL};
  ASK("no options", with(0, NULL));
  ASK("options, null", with(1, NULL));
  ASK("options, one null", with(2, nulls));
  ASK("options, negative", with(-1, nulls));
  ASK("options, fewer than there are", with(1, nulls));
  ASK("long option", long_option());
  static const char *const forms[] = {
      "", "-", "--", "-opt=", "-opt=4", "-opt=03", "-opt=+3", " -opt=3", "-opt=3 ", "-opt= 3", "-OPT=3",
      "\n-g", "-g\t", "-g=1", "-w=1", "-opt=1 -ftz=1", "-arch", "-arch=", "-arch=sm_90", "-arch compute_90",
      "--arch=compute_90", "-arch=compute_90f", "-arch=compute_100f", "-arch=compute_087", "-ftz", "-ftz=2",
      "-ftz=true", "-fma=01", "-prec-div=0x1", "-prec-sqrt=+1", "-maxreg=-1", "-maxreg=x", "-split-compile=-1",
      "-jump-table-density=x", "-discard-value-names=2", "-nvvm-version=x", "-ptx-version-target=x",
      "-ptx-version-target=", "-gen-lto", "-gen-lto=1", "-gen-lto=", "--gen-lto", "-emit-llvm-bc"};
  for (size_t index = 0; index < sizeof forms / sizeof *forms; index++) {
    printf("`%s` ", forms[index]);
    ASK("alone", one(forms[index]));
    printf("`%s` ", forms[index]);
    ASK("twice", two(forms[index], forms[index]));
  }

  ASK("on threads", on_threads(own_programs));
  ASK("one program on threads", on_threads(one_program));
  ASK("20,000 programs", many_programs());
  ASK("300 modules", many_modules());
  ASK("64 MB of comment", padded((size_t)64 << 20, ';'));
  ASK("300 MB of blanks", padded((size_t)300 << 20, ' '));
  return 0;
}
