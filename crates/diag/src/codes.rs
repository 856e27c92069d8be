//! The registry of diagnostic codes: one row a code, never reused.
//!
//! The numbers go by subject: W00xx the text itself, W01xx instructions, W02xx operands,
//! W03xx names, W04xx targets and versions, W05xx directives and declarations, W06xx calls, W070x what
//! `warpc run` was asked for, from W0711 on what it met while it ran, W08xx LLVM IR and MLIR,
//! W09xx its way to PTX, W10xx cubins and fatbins, from W1021 on assembly texts.

/// A diagnostic's code, `W0123`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Code(pub &'static str);

/// What `warpc explain W0123` prints.
#[derive(Debug)]
pub struct Entry {
    /// The code.
    pub code: Code,
    /// What it means, in one line.
    pub title: &'static str,
    /// Why it is an error and what to do.
    pub text: &'static str,
}

macro_rules! codes {
    ($($name:ident $number:literal $title:literal $text:literal)*) => {
        $(#[doc = $title] pub const $name: Code = Code($number);)*
        /// Every code, in order.
        pub static ENTRIES: &[Entry] =
            &[$(Entry { code: $name, title: $title, text: $text }),*];
    };
}

codes! {
    SYNTAX "W0001" "The text is not PTX."
        "The reader met something that no PTX statement has at this place. It goes on after the next `;` or `}`."
    BAD_TOKEN "W0002" "A character or literal that PTX does not have."
        "PTX sources are ASCII outside comments and strings. Literals: 12, 0x1F, 017, 0b101, 1.5, 0f3F800000, 0d3FF0000000000000, each integer with an optional U."
    TOO_DEEP "W0003" "Braces or parentheses are nested too deeply."
        "Blocks and constant expressions may nest up to a fixed depth. Generated code that needs more can be flattened: PTX scopes only name registers."
    TOO_LARGE "W0004" "The input is too large."
        "Source files up to 4 GB are read."
    WRONG_INPUT "W0005" "The command does not take this kind of input."
        "It is of another kind than what is asked for can take, it lacks what was named, or this build of the library leaves out what reads it."
    UNKNOWN_OPCODE "W0101" "Unknown instruction."
        "The word before the first dot names an instruction of PTX. `warpc explain NAME` prints what an instruction looks like."
    UNKNOWN_MODIFIER "W0102" "Unknown modifier of an instruction."
        "Modifiers may stand in any order, but each must be one that the instruction has. `warpc explain NAME` lists them."
    BAD_COMBINATION "W0103" "These modifiers cannot be combined."
        "Each modifier exists, but no form of the instruction has all of them at once."
    MISSING_MODIFIER "W0104" "A modifier is missing."
        "This form of the instruction does not exist without the modifier named in the message."
    WRONG_OPERANDS "W0201" "The operands do not fit the instruction."
        "Too many, too few, or of the wrong kind: the help line shows the form that is meant."
    WRONG_TYPE "W0202" "An operand has the wrong type."
        "A register fits an instruction type of the same size and kind; .b types fit every kind of their size. Loads, stores and conversions also take wider registers."
    BAD_IMMEDIATE "W0203" "A constant does not fit here."
        "The constant is out of range, or of the wrong kind, or the operand must be a register."
    BAD_VECTOR "W0204" "A vector operand has the wrong length."
        "The number of elements follows from the instruction's modifiers."
    BAD_ADDRESS "W0205" "An address does not fit the instruction."
        "The variable lies in another state space, is not aligned for the access, or the address register has the wrong size."
    UNDEFINED "W0301" "A name is not declared."
        "Registers, variables and functions must be declared before they are used; labels may come later but in the same function."
    DUPLICATE "W0302" "A name is declared twice."
        "In one scope a name has one meaning. Scopes are `{ }` blocks, functions and the module."
    WRONG_NAME_KIND "W0303" "The name refers to something else."
        "A register was wanted and a label, function or variable was given, or the other way round."
    NEEDS_TARGET "W0401" "The target does not have this."
        "The instruction, modifier or directive exists only on the chips named in the message. Change `.target` or use another way."
    NEEDS_VERSION "W0402" "The PTX version does not have this."
        "The module's `.version` is older than the feature. Raise it to the version in the message; drivers refuse versions newer than they know."
    BAD_TARGET "W0403" "The target or version is not known."
        "`.target` names an sm_NN that warpc knows, `.version` a version of PTX that exists."
    BAD_DIRECTIVE "W0501" "A directive is not allowed here."
        "It is unknown, misplaced, given twice, or has arguments it does not take."
    BAD_INITIALIZER "W0502" "An initialiser does not fit its variable."
        "Values must fit the element type and count, and only .global and .const variables have initialisers."
    BAD_DECLARATION "W0503" "Invalid declaration."
        "The type, alignment, size or state space does not go together."
    BAD_CALL "W0601" "A call does not fit the function."
        "Arguments and results must match the callee's parameters in number, size, type and alignment."
    NO_KERNEL "W0701" "Unknown kernel."
        "`--kernel` names a function declared with `.entry` that has a body. It may be left out when the module has one kernel only."
    BAD_ARGUMENTS "W0702" "The arguments do not fit the kernel's parameters."
        "There is one `--arg` for each parameter, in order, and each has the size of its parameter. A buffer such as `u32[256]=0` fits a parameter that holds an address."
    BAD_SHAPE "W0703" "Invalid launch dimensions."
        "Grid, block and cluster have limits: a block has at most 1024 threads, a grid is a whole number of clusters, and directives of the kernel such as `.reqntid` fix or bound them."
    TOO_MUCH_SHARED "W0704" "A block asks for more shared memory than the chip has."
        "The `.shared` variables that the kernel uses and the dynamic part given with `--shared` must fit into one block's share of the chip's memory together."
    BAD_SPEC "W0705" "Malformed argument."
        "Numbers: `u32=7`, `f32=1.5`. Buffers: `u32[256]=0`, `f32[8]=iota`, `u32[4]=random:1`, `u32[]=1,2,3`, `u8[]=text:hello`, `u64[16]@file.bin`. By value: `{u32=1,f32=2}`, `hex:0102`, `raw@file.bin`. Addresses: `null`, `&0` for the buffer of argument 0, `&data` for that of `--buffer data:SPEC`, `&u32[4]=0` for a new one; `ptr[]=&a,&b` is a buffer of addresses. Files that end in `.npy` are arrays of numpy."
    UNEXPECTED "W0706" "The result is not the one that was expected."
        "`--expect N:SPEC` compares the first elements of argument N, or of a buffer or variable by its name, after the run with what the specification makes."
    NO_GPU "W0707" "There is no GPU to run on."
        "`--on gpu` needs an NVIDIA GPU and its driver (`libcuda.so.1`). Without `--on gpu` the kernel runs on the emulator."
    GPU_FAILED "W0708" "The GPU's driver refused or gave up."
        "The message is the driver's own. A kernel that faults on the GPU usually tells more on the emulator: leave `--on gpu` out."
    NOT_EMULATED "W0711" "The emulator does not run this."
        "`warpc run` runs PTX on the CPU. A few instructions (wgmma, tcgen05, tensor maps, textures and surfaces …) it does not have; a kernel that may reach one is refused before it starts. `--on gpu` runs it on a GPU."
    OUT_OF_BOUNDS "W0712" "Access outside of any allocation."
        "The address lies in no buffer, variable or block of memory, or the access reaches past its end. A GPU reports an illegal address only if the page is not mapped; the emulator knows every buffer's size."
    MISALIGNED "W0713" "Misaligned address."
        "An access of 2, 4, 8 or 16 bytes needs an address that is a multiple of its size; a vector counts as a whole."
    TRAPPED "W0714" "The kernel executed a trap."
        "`trap` ends the kernel with an error; compilers put it where control must not come. `brkpt` waits for a debugger."
    ASSERTION "W0715" "An assertion failed on the device."
        "The kernel called `__assertfail`, as `assert` does when its condition is false."
    BAD_FREE "W0716" "The device frees what it did not allocate."
        "`free` takes what `malloc` on the device gave, once."
    BAD_JUMP "W0717" "Control transfer to a place without code."
        "A call through a pointer must hit the beginning of a function with the parameters of the prototype; the index of `brx.idx` must be less than the number of targets."
    STACK_OVERFLOW "W0718" "Stack overflow in a thread."
        "Local variables and calls of a thread have 512 KB together."
    OUTSIDE_MASK "W0719" "A thread is not in its own member mask."
        "The member mask of a warp operation must name every lane that executes it; the behaviour is undefined otherwise."
    DIVERGENT "W0720" "Threads of a warp are not together where they must be."
        "`bar.sync` and everything with `.aligned` must be executed by all threads of the warp, in the same place. In code that only some threads reach, use `barrier.sync` without `.aligned`."
    BAD_BARRIER "W0721" "Invalid use of a barrier."
        "A block has barriers 0 to 15; a number of threads is a multiple of 32, not more than the block has, and the same for all who use the barrier at a time."
    DEADLOCK "W0722" "Deadlock: no thread can make progress."
        "Every thread of the block (or cluster) has ended or waits for something that none of the others will do. The places where they wait are shown."
    LIVELOCK "W0723" "Threads wait in a loop for a value that never arrives."
        "Every thread that could go on repeats the same steps with the same values, and nobody changes memory any more."
    BAD_MBARRIER "W0724" "An mbarrier is misused."
        "An mbarrier lives in shared memory, is made by `mbarrier.init`, counts up to 1,048,575 arrivals a phase and is at an end with `mbarrier.inval`."
    FAULT "W0725" "Undefined behaviour in the kernel."
        "The message says what."
    LIMIT "W0726" "The run exceeded its limit."
        "`warpc run --limit N` stops a run that takes more than N thread instructions. The places where threads stood are shown."
    SCHEDULES_DIFFER "W0770" "The result depends on the order in which threads run."
        "`warpc run --seeds N` runs the launches in N orders of their threads, and two of them left other results or printed something else. Both orders are possible on a GPU: there is a race, or the order of atomic operations counts, as in a sum of floating-point numbers. `--seed` with either number runs that order again."
    IR_SYNTAX "W0801" "The text is not LLVM IR."
        "The reader met something that LLVM IR of no version from 7 to 22 has at this place. It goes on at the next line that starts an instruction or a global."
    IR_UNDEFINED "W0802" "A value, block, type, global or metadata node is used but not defined."
        "Names may be used before their definition, but the definition must come: values and blocks in the same function, everything else in the same module."
    IR_DUPLICATE "W0803" "A name is defined twice."
        "A value, block, type, global or metadata node has one definition. Values without names are numbered in the order of the text."
    IR_TYPE "W0804" "A value does not have the type that is written."
        "LLVM IR names the type of each operand; it must be that of the value's definition, and one that the instruction takes."
    IR_NUMBER "W0805" "A number does not fit."
        "Widths, alignments, indices and constants have limits; the message names the one that is exceeded."
    IR_TOO_DEEP "W0806" "Types, constants or metadata nest too deeply."
        "Nesting up to a fixed depth is read. Named types, globals and numbered metadata nodes do not count."
    IR_UNSUPPORTED "W0807" "A construct of LLVM IR that warpc does not read."
        "The message names it. It has no meaning on a GPU."
    IR_BLOCK "W0811" "Malformed basic block."
        "A block ends with its only terminator, starts with its phis, and a phi has one entry for each edge that leads to the block. No edge leads to the entry block."
    IR_DOMINANCE "W0812" "A use is not dominated by its definition."
        "Every path from the entry to a use must go through the definition; a phi uses its values at the ends of the blocks they come from. Only phis may use their own value."
    IR_OPERAND "W0813" "An operand or result has a type that the instruction does not take."
        "The LLVM Language Reference lists the types for each instruction. Nothing is converted silently."
    IR_MEMORY "W0814" "Invalid memory access or address."
        "What is loaded, stored or allocated has a size. Loads cannot release, stores cannot acquire, and atomics access a power of two of bytes. The indices of `getelementptr` must lead to members."
    IR_CALL "W0815" "A call does not fit what is called."
        "Arguments have the types of the function type that the call names. Operand bundles, `musttail` and inline assembly have rules of their own, named in the message."
    IR_ATTRIBUTE "W0816" "An attribute is not allowed here."
        "Each attribute belongs to functions, parameters or results, and many to certain types only. Some exclude each other."
    IR_GLOBAL "W0817" "Invalid global."
        "Linkage, visibility, initial value and comdat must go together; aliases and ifuncs must lead to definitions."
    IR_FUNCTION "W0818" "Invalid function declaration."
        "The message names the rule of the signature, calling convention or attribute."
    IR_EXCEPTION "W0819" "Malformed exception handling."
        "A pad is the first instruction of its block, is entered by unwinding only, and funclets nest."
    IR_INTRINSIC "W0820" "An intrinsic is misused."
        "Intrinsics can only be called, with the types that their names carry, and with constants where they want constants."
    IR_METADATA "W0821" "Malformed metadata."
        "The message names the attachment, module flag or node."
    IR_DEBUG "W0822" "Invalid debug information."
        "The code is not affected, but debuggers would be misled; LLVM drops the debug information of such a module."
    IR_CONSTANT "W0823" "Invalid constant."
        "The elements of an aggregate must fit its type, and constant expressions follow the rules of the instructions they are named after."
    BITCODE "W0824" "The file is not valid LLVM bitcode."
        "The message names the block, the record and the bit where the file breaks a rule of the format. Nothing can be read after it, because only what is before it says where the next record starts."
    BITCODE_UNSUPPORTED "W0825" "A record of LLVM bitcode that warpc does not read."
        "Bitcode of LLVM 3.8 to 22 is read. The message names the block and the record."
    NVVM_VERSION "W0831" "The version of NVVM IR is not known."
        "`nvvmir.version` holds 2.0 or 3.0 to 3.2, and may hold the version of debug information after it, 3.0 to 3.2. With `-disable-bitcode-version-upgrade` of `warpc cicc` only the newest versions are taken. The environment variable NVVM_IR_VER_CHK=0 skips the check, as for NVIDIA's tools."
    NVVM_CONSTRUCTORS "W0832" "A module for a GPU has constructors or destructors."
        "Nothing runs before the first kernel or after the last, so `llvm.global_ctors` and `llvm.global_dtors` must be empty."
    NVVM_SPACE "W0833" "An address space is used in a way that GPUs do not have."
        "0 generic, 1 global, 3 shared, 4 constant, 5 local, 6 tensor memory, 7 shared memory of the cluster, 101 parameters. Variables lie in 0, 1, 3 or 4, and shared memory has no initial values."
    NVVM_UNSUPPORTED "W0834" "GPUs do not have this."
        "The construct is right in LLVM IR, but PTX cannot express it."
    NVVM_TRIPLE "W0835" "The module does not target an NVIDIA GPU."
        "What is compiled is code for a GPU: the triple is that of nvptx64, as in `nvptx64-nvidia-cuda`, or is missing and taken for that. A module for another processor has another layout of data and other intrinsics, and 32-bit addresses are gone from GPUs: make the module for nvptx64. `warpc check` reads modules for every processor."
    NOT_COMPILED "W0841" "warpc does not compile this."
        "The construct is right in LLVM IR and a GPU could do it, but warpc has no code for it yet. The message names it; write it with simpler instructions."
    BUILTIN_CALL "W0842" "Invalid call of a builtin."
        "The message names the builtin and the argument. `warpc explain NAME` shows its types; memory orders and scopes are constants."
    BUILTIN_TARGET "W0843" "The target does not have what a builtin needs."
        "The builtin exists, but only on the chips that the help line names. Compile for one of them, or use what the help line offers."
    BUILTIN_CHANGED "W0844" "A builtin is replaced by something other than what was requested."
        "The target lacks the order or scope that the call names. What it becomes is at least as strong, but may be slower."
    MEMBER_MASK "W0845" "The member mask of a collective does not fit the lanes that execute it."
        "Every lane that the mask names must execute the collective with the same mask, and a lane that executes it must be named. Otherwise lanes wait for each other forever or read what was never sent. Compute the mask before the branch, or write what each side does without the other's lanes."
    LIBDEVICE "W0846" "A module calls functions of CUDA's libdevice, which nothing defines."
        "Mathematical functions such as `__nv_sinf` are in the file libdevice.10.bc of a CUDA toolkit. Give it with `--libdevice FILE`; what the module needs of it is linked as internal functions. Without it the PTX declares them as `.extern`."
    MLIR_SYNTAX "W0851" "The text is not MLIR."
        "The reader takes MLIR's generic form of every operation and the pretty form of those of the `llvm` and `nvvm` dialects, as mlir-opt 22 writes them."
    MLIR_UNKNOWN "W0852" "Unknown operation."
        "Only the `llvm` and `nvvm` dialects are read, inside `module` and `gpu.module`. `mlir-opt --gpu-lower-to-nvvm-pipeline` lowers other dialects to them."
    MLIR_OPERATION "W0853" "Invalid MLIR operation."
        "Its operands, attributes or types are not those that it takes, or a value or block does not exist."
    MLIR_UNSUPPORTED "W0854" "A construct of MLIR that warpc does not read."
        "MLIR has it, but it is nothing for a GPU or not read yet. The message names it."
    BITCODE_DIALECT "W0866" "The dialect of bitcode cannot express this."
        "Bitcode of LLVM 7 has typed pointers and only what LLVM 7 knew. What has no counterpart there is refused by name; bitcode of current LLVM (`--bitcode current`) has it."
    LINK_CONFLICT "W0891" "Modules cannot be linked."
        "Two modules define or demand what cannot both hold: two definitions of one global, comdats or appending variables that do not fit, module flags that contradict each other. The message names it and both places."
    LINK_DIFFERENCE "W0892" "Modules that are linked differ where they should not."
        "The result may be right all the same: the first module's value is kept, or the one the module flag's behaviour asks for."
    UNSUPPORTED "W0901" "Not supported by code generation."
        "PTX has nothing like it, or warpc does not support it yet. The message names it; the module itself is right."
    TARGET_LACKS "W0902" "The target does not have this."
        "The instruction that this becomes exists on other targets or in later versions of PTX: the help line says which. `--arch` and `--ptx-version` choose."
    UNKNOWN_INTRINSIC "W0903" "Unknown intrinsic."
        "A function whose name starts with `llvm.` must be one that the compiler knows. Those of LLVM 22 that PTX can express are compiled."
    BAD_PTX "W0904" "The PTX that this becomes is not valid."
        "A constant of the module is out of the range that the instruction takes, or the module asks for a combination that PTX does not have. The verifier of PTX found it; its message follows."
    INLINE_PTX "W0905" "Invalid inline PTX."
        "The text of inline assembly is read as PTX. The message names the line in the text, and what is wrong there."
    STRONG_ATOMIC "W0906" "An atomic may be stronger than it was meant to be."
        "clang up to version 22 writes CUDA's relaxed atomics at device scope as sequentially consistent ones at system scope. Other compilers drop the order; warpc keeps what the module says, which can be slower. `--atomics cuda` compiles them as CUDA means them."
    WIDER_SCOPE "W0907" "A scope becomes a wider one on this target."
        "Thread blocks form clusters from sm_90 on. Elsewhere an access or fence of cluster scope gets the scope of the device, which holds for more threads: right, but slower. (nvcc: 20302-D and 20306-D.)"
    INTERNAL "W0999" "Internal error in warpc."
        "This is a defect of warpc, not of the input. Please report it with the input."
    NOT_A_CUBIN "W1001" "The file is not a cubin."
        "Cubins are 64-bit little-endian ELF files for machine 190 (CUDA), as ptxas makes them."
    CUBIN_TRUNCATED "W1002" "A part of a cubin lies outside the file."
        "The header or a section gives a place and a size that end after the last byte. The file was cut or damaged."
    CUBIN_STRUCTURE "W1003" "Malformed cubin."
        "Headers, sections, segments, symbols or relocations contradict each other. The message names the part; a driver may refuse the file or misread it."
    CUBIN_ATTRIBUTE "W1004" "Invalid attribute of a kernel."
        "The records of .nv.info tell the driver what a kernel needs: registers, parameters, barriers, stack. One of them has the wrong form or names something that is not there."
    CUBIN_WORDS "W1005" "Words of the code are not instructions."
        "The tables of the chip have no instruction with these bits. The code may be damaged, for another chip, or use an instruction that warpc does not know; it is shown as .unknown and kept as it is."
    BAD_FATBIN "W1011" "Malformed fatbin."
        "A fatbin starts with the bytes 50 ed 55 ba and holds entries one after another, each PTX or a cubin, plain or compressed with LZ4 or zstd."
    SASS_SYNTAX "W1021" "Not a valid assembly line."
        "An assembly text has one directive, label, attribute or instruction a line; comments start with //. docs/sass.md lists them."
    SASS_INSTRUCTION "W1022" "Unknown instruction."
        "The operation does not exist on the target, or no form of it takes these operands. The help line shows the nearest form."
    SASS_CONTROL "W1023" "The control word of an instruction is missing or wrong."
        "Every instruction starts with what the scheduler must know: [B--2---:R-:W0:Y:S04] waits for scoreboard 2, signals scoreboard 0 when its result is there, may yield, and holds the warp back 4 cycles."
    SASS_NAME "W1024" "Unknown section, symbol or label."
        "Labels belong to the section that they stand in. Symbols are declared in .section .symtab."
    SASS_VALUE "W1025" "A value does not fit."
        "The number is too large for its place, the attribute or kind of relocation does not exist, or the file would become too large."
    SASS_SCHEDULE "W1026" "An instruction does not wait long enough."
        "The chip does not check distances: an instruction that reads a register before it is written gets what was there before. Results with a fixed time need so many cycles of stalls between the two; others need a scoreboard that the first one signals and the second one waits for. docs/latency.md has the numbers."
}

impl Code {
    /// The registry's row for the code.
    pub fn entry(self) -> &'static Entry {
        ENTRIES
            .iter()
            .find(|entry| entry.code == self)
            .expect("codes are made by the registry alone")
    }

    /// Finds a code by its text, in any letter case.
    pub fn find(text: &str) -> Option<Code> {
        ENTRIES
            .iter()
            .map(|entry| entry.code)
            .find(|code| code.0.eq_ignore_ascii_case(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_sorted() {
        assert!(ENTRIES.iter().map(|e| e.code.0).is_sorted_by(|a, b| a < b));
        assert_eq!(Code::find("w0401"), Some(NEEDS_TARGET));
    }
}
