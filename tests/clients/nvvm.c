/* A client of libNVVM, written against NVIDIA's nvvm.h: verification, logs, lazy modules, errors.
 *
 * It is linked with -lnvvm and runs with any library of that SONAME. Each line of its output is one question and its
 * answer; answers that are texts of a compiler (PTX, sentences of a log) are reduced to what they must have. The output
 * must be the same with every library. Arguments: a file of bitcode that defines `library_function`, and libdevice.
 */
#include <nvvm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const head =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-"
    "f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n";
static const char *const version = "!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n";

static char text[65536];

static const char *module(const char *body) {
  snprintf(text, sizeof text, "%s%s%s", head, body, version);
  return text;
}

static void ask(const char *question, nvvmResult answer) {
  printf("%s: %s\n", question, nvvmGetErrorString(answer));
}

static char *read_file(const char *name, size_t *size) {
  FILE *file = fopen(name, "rb");
  if (!file) {
    fprintf(stderr, "cannot read %s\n", name);
    exit(2);
  }
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size);
  if (fread(bytes, 1, *size, file) != *size) exit(2);
  fclose(file);
  return bytes;
}

static char *result_of(nvvmProgram program) {
  size_t size = 0;
  nvvmGetCompiledResultSize(program, &size);
  char *bytes = malloc(size);
  nvvmGetCompiledResult(program, bytes);
  printf("  result ends with a zero: %d, has bytes: %d\n", bytes[size - 1] == 0, size > 1);
  return bytes;
}

static char *log_of(nvvmProgram program) {
  size_t size = 0;
  nvvmGetProgramLogSize(program, &size);
  char *bytes = malloc(size);
  nvvmGetProgramLog(program, bytes);
  printf("  log is a text: %d, empty: %d\n", strlen(bytes) + 1 == size, size == 1);
  return bytes;
}

static void has(const char *bytes, const char *part) {
  printf("  `%s`: %s\n", part, strstr(bytes, part) ? "yes" : "no");
}

static nvvmProgram program_of(const char *source, const char *name) {
  nvvmProgram program = NULL;
  ask("create", nvvmCreateProgram(&program));
  ask("add", nvvmAddModuleToProgram(program, source, strlen(source), name));
  return program;
}

static void destroy(nvvmProgram program) {
  ask("destroy", nvvmDestroyProgram(&program));
  printf("  handle is null: %d\n", program == NULL);
}

static const char *const kernel =
    "define void @k(i32* %p) {\n  store i32 1, i32* %p\n  ret void\n}\n"
    "!nvvm.annotations = !{!9}\n!9 = !{void (i32*)* @k, !\"kernel\", i32 1}\n";

static void versions(void) {
  int a = -1, b = -1, c = -1, d = -1;
  ask("nvvmVersion", nvvmVersion(&a, &b));
  printf("  %d.%d\n", a, b);
  ask("nvvmIRVersion", nvvmIRVersion(&a, &b, &c, &d));
  printf("  %d.%d %d.%d\n", a, b, c, d);
  const char *const chips[] = {"compute_75", "compute_90a", "compute_100", "compute_121f", "sm_90", "compute_9", ""};
  for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
    int major = -1;
    nvvmResult answer = nvvmLLVMVersion(chips[i], &major);
    printf("nvvmLLVMVersion %s: %s %d\n", chips[i], nvvmGetErrorString(answer), major);
  }
  for (int i = -1; i < 12; i++) printf("result %d: %s\n", i, nvvmGetErrorString((nvvmResult)i));
}

static void handles(void) {
  nvvmProgram none = NULL;
  size_t size = 77;
  char byte = 'x';
  ask("create null", nvvmCreateProgram(NULL));
  ask("destroy null", nvvmDestroyProgram(NULL));
  ask("destroy no program", nvvmDestroyProgram(&none));
  ask("add to no program", nvvmAddModuleToProgram(none, "", 0, "x"));
  ask("lazily add to no program", nvvmLazyAddModuleToProgram(none, "", 0, "x"));
  ask("compile no program", nvvmCompileProgram(none, 0, NULL));
  ask("verify no program", nvvmVerifyProgram(none, 0, NULL));
  ask("size of no result", nvvmGetCompiledResultSize(none, &size));
  ask("no result", nvvmGetCompiledResult(none, &byte));
  ask("size of no log", nvvmGetProgramLogSize(none, &size));
  ask("no log", nvvmGetProgramLog(none, &byte));
  printf("  untouched: %d %d\n", size == 77, byte == 'x');
  nvvmProgram empty = NULL;
  ask("create", nvvmCreateProgram(&empty));
  free(result_of(empty));
  free(log_of(empty));
  ask("compile empty", nvvmCompileProgram(empty, 0, NULL));
  ask("verify empty", nvvmVerifyProgram(empty, 0, NULL));
  ask("add null", nvvmAddModuleToProgram(empty, NULL, 3, "x"));
  destroy(empty);
}

static void options(void) {
  nvvmProgram program = program_of(module(kernel), "k.ll");
  const char *const one[] = {
      "-arch=compute_75", "-arch=compute_80", "-arch=compute_86", "-arch=compute_87", "-arch=compute_89", "-arch=compute_90",
      "-arch=compute_90a", "-arch=compute_100", "-arch=compute_100a", "-arch=compute_100f", "-arch=compute_103",
      "-arch=compute_110", "-arch=compute_120", "-arch=compute_121f", "-arch=sm_90", "-arch=compute_9", "-arch=", "-arch",
      "-opt=0", "-opt=3", "-opt=4", "-opt", "-ftz=0", "-ftz=1", "-ftz=2", "-prec-sqrt=0", "-prec-sqrt=1", "-prec-sqrt=x",
      "-prec-div=0", "-prec-div=1", "-prec-div=", "-fma=0", "-fma=1", "-fma", "-g", "-generate-line-info", "-w",
      "-jump-table-density=50", "-numba-debug", "-O3", "--arch=compute_90", "nonsense", "-", ""};
  for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
    const char *list[] = {one[i]};
    printf("option %s: %s", one[i], nvvmGetErrorString(nvvmVerifyProgram(program, 1, list)));
    nvvmResult answer = nvvmCompileProgram(program, 1, list);
    printf(" %s\n", nvvmGetErrorString(answer));
    if (answer != NVVM_SUCCESS) {
      char *log = log_of(program);
      printf("  %s\n", log);
      free(log);
    }
  }
  const char *twice[] = {"-arch=compute_90", "-arch=compute_90"};
  ask("twice", nvvmCompileProgram(program, 2, twice));
  char *log = log_of(program);
  has(log, "-arch defined more than once");
  free(log);
  const char *chosen[] = {"-arch=compute_90", "-opt=3"};
  ask("compile", nvvmCompileProgram(program, 2, chosen));
  char *ptx = result_of(program);
  has(ptx, ".target sm_90");
  has(ptx, ".entry k(");
  free(ptx);
  destroy(program);
}

static void broken(const char *label, const char *source, const char *name, const char *part) {
  printf("%s\n", label);
  nvvmProgram program = program_of(source, name);
  ask("verify", nvvmVerifyProgram(program, 0, NULL));
  char *log = log_of(program);
  has(log, part);
  free(log);
  ask("compile", nvvmCompileProgram(program, 0, NULL));
  log = log_of(program);
  has(log, part);
  free(log);
  free(result_of(program));
  destroy(program);
}

static void invalid(void) {
  broken("no IR", "garbage", "garbage.ll", "garbage.ll (1, 0): parse");
  broken("no name", "garbage", NULL, "<unnamed> (1, 0): parse");
  broken("broken body", module("define void @f() {\n  %x = bogus i32 1\n  ret void\n}\n"), "body.ll", "body.ll (4, 7): parse");
  snprintf(text, sizeof text, "%sdefine void @f() {\n  ret void\n}\n", head);
  broken("no version", text, "v.ll", "v.ll: error: IR version 1.0 incompatible with current version 2.0");
  snprintf(text, sizeof text, "%sdefine void @f() {\n  ret void\n}\n!nvvmir.version = !{!0}\n!0 = !{i32 2}\n", head);
  broken("short version", text, "v.ll", "expected 2 or 4 operands, got 1");
  snprintf(text, sizeof text, "%sdefine void @f() {\n  ret void\n}\n!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0, i32 9, i32 9}\n", head);
  broken("debug version", text, "v.ll", "debug metadata version 9.9 incompatible with current version 3.2");
  snprintf(text, sizeof text, "define void @f() {\n  ret void\n}\n%s", version);
  broken("no triple", text, "t.ll", "Module does not contain a triple");
}

static const char *const user =
    "declare i32 @library_function(i32)\ndefine i32 @g(i32 %x) {\n"
    "  %y = call i32 @library_function(i32 %x)\n  ret i32 %y\n}\n";

static void linking(const char *library, size_t library_size) {
  const char *list[] = {"-arch=compute_90"};
  printf("lazily\n");
  nvvmProgram program = program_of(module(user), "user.ll");
  ask("lazily add", nvvmLazyAddModuleToProgram(program, library, library_size, "library.bc"));
  ask("verify", nvvmVerifyProgram(program, 1, list));
  ask("compile", nvvmCompileProgram(program, 1, list));
  char *ptx = result_of(program);
  has(ptx, ".extern .func");
  has(ptx, "unused_function");
  has(ptx, ".visible .func");
  free(ptx);
  destroy(program);
  printf("whole\n");
  program = program_of(module(user), "user.ll");
  ask("add", nvvmAddModuleToProgram(program, library, library_size, "library.bc"));
  ask("compile", nvvmCompileProgram(program, 1, list));
  ptx = result_of(program);
  has(ptx, "unused_function");
  free(ptx);
  destroy(program);
  printf("only lazily\n");
  program = NULL;
  ask("create", nvvmCreateProgram(&program));
  ask("lazily add", nvvmLazyAddModuleToProgram(program, library, library_size, "library.bc"));
  ask("compile", nvvmCompileProgram(program, 1, list));
  ask("verify", nvvmVerifyProgram(program, 1, list));
  destroy(program);
  printf("twice\n");
  program = program_of(module("define void @f() {\n  ret void\n}\n"), "a.ll");
  ask("add", nvvmAddModuleToProgram(program, text, strlen(text), "b.ll"));
  ask("verify", nvvmVerifyProgram(program, 1, list));
  char *log = log_of(program);
  has(log, "b.ll");
  has(log, "link error");
  free(log);
  ask("compile", nvvmCompileProgram(program, 1, list));
  destroy(program);
}

static void mathematics(const char *libdevice, size_t size) {
  const char *list[] = {"-arch=compute_90"};
  nvvmProgram program = program_of(
      module("declare float @__nv_sinf(float)\ndeclare double @__nv_exp(double)\n"
             "define float @f(float %x, double* %p) {\n  %y = call float @__nv_sinf(float %x)\n"
             "  %z = load double, double* %p\n  %e = call double @__nv_exp(double %z)\n"
             "  store double %e, double* %p\n  ret float %y\n}\n"),
      "math.ll");
  ask("lazily add libdevice", nvvmLazyAddModuleToProgram(program, libdevice, size, "libdevice"));
  ask("verify", nvvmVerifyProgram(program, 1, list));
  ask("compile", nvvmCompileProgram(program, 1, list));
  char *ptx = result_of(program);
  has(ptx, ".extern .func");
  has(ptx, "fma.rn.f64");
  has(ptx, "__nv_cosf");
  free(ptx);
  destroy(program);
}

int main(int count, char **arguments) {
  versions();
  handles();
  options();
  invalid();
  if (count != 3) {
    fprintf(stderr, "usage: nvvm LIBRARY.bc LIBDEVICE.bc\n");
    return 2;
  }
  size_t size;
  char *library = read_file(arguments[1], &size);
  linking(library, size);
  free(library);
  char *libdevice = read_file(arguments[2], &size);
  mathematics(libdevice, size);
  free(libdevice);
  return 0;
}
