//! A case: a kernel, a launch, what goes in, and what must come out.

/// Words that each thread reads.
pub const INPUT: usize = 8;
/// Words that each thread writes.
pub const OUTPUT: usize = 2;

/// A kernel with one launch.
pub struct Case {
    /// The body of the kernel, in LLVM IR, up to the end of its first block; see [`module`].
    pub body: String,
    /// Variables and functions beside the kernel.
    pub globals: String,
    /// Blocks, threads of a block, and blocks of a cluster.
    pub shape: (u32, u32, u32),
    /// [`INPUT`] words for each thread.
    pub input: Vec<u32>,
    /// [`OUTPUT`] words for each thread; what is not defined is not there.
    pub expected: Vec<Option<u32>>,
}

/// A case that is made when it is needed: the words of ten thousand warps take room.
pub struct Draft {
    /// Its name: `redux.sync.umin apart`.
    pub name: String,
    /// The first chip that it is for.
    pub first_chip: u16,
    /// Makes it.
    pub make: Box<dyn Fn() -> Case>,
}

impl Case {
    /// All threads of the launch.
    pub fn threads(&self) -> usize {
        (self.shape.0 * self.shape.1) as usize
    }

    /// How many words of the result are defined.
    pub fn defined(&self) -> usize {
        self.expected.iter().flatten().count()
    }
}

/// The name of a kernel in its module.
pub fn kernel_name(number: usize) -> String {
    format!("k{number}")
}

/// A module with the kernels of some cases. Each body finds `%in` and `%out`, pointers to the words of its
/// thread, `%tid`, `%lane`, and the words `%w0` to `%w7`; it ends with `ret void`.
pub fn module(cases: &[Case]) -> String {
    let mut text = String::new();
    let mut declared = std::collections::BTreeSet::new();
    for (number, case) in cases.iter().enumerate() {
        let name = kernel_name(number);
        text += &case.globals.replace("NAME", &name);
        text += &head(&name);
        text += &case.body.replace("NAME", &name);
        text += "}\n\n";
    }
    for call in text.match_indices("call ").map(|(at, _)| &text[at + 5..]) {
        declared.extend(declaration(call));
    }
    let declared: String = declared.into_iter().collect();
    format!("target triple = \"nvptx64-nvidia-cuda\"\n{declared}{text}")
}

/// The declaration of the intrinsic that a call in the text calls.
fn declaration(call: &str) -> Option<String> {
    let line = call.lines().next()?;
    let (result, rest) = line.split_once(" @llvm.")?;
    let (name, args) = rest.split_once('(')?;
    let args = args.strip_suffix(')')?;
    let types: Vec<&str> = args
        .split(", ")
        .filter_map(|arg| Some(arg.rsplit_once(' ')?.0))
        .collect();
    Some(format!(
        "declare {result} @llvm.{name}({})\n",
        types.join(", ")
    ))
}

fn head(name: &str) -> String {
    let mut text = format!(
        "define ptx_kernel void @{name}(ptr addrspace(1) %ins, ptr addrspace(1) %outs) {{\n\
         entry:\n\
         \x20 %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\
         \x20 %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n\
         \x20 %block.size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n\
         \x20 %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()\n\
         \x20 %before = mul i32 %block, %block.size\n\
         \x20 %number = add i32 %before, %tid\n\
         \x20 %in.word = mul i32 %number, {INPUT}\n\
         \x20 %in = getelementptr i32, ptr addrspace(1) %ins, i32 %in.word\n\
         \x20 %out.word = mul i32 %number, {OUTPUT}\n\
         \x20 %out = getelementptr i32, ptr addrspace(1) %outs, i32 %out.word\n"
    );
    for word in 0..INPUT {
        text += &format!(
            "  %at{word} = getelementptr i32, ptr addrspace(1) %in, i32 {word}\n  \
             %w{word} = load i32, ptr addrspace(1) %at{word}\n"
        );
    }
    text
}

/// Instructions that store two words to the place of the thread.
pub fn store(first: &str, second: &str) -> String {
    format!(
        "  store i32 {first}, ptr addrspace(1) %out\n  \
         %out.second = getelementptr i32, ptr addrspace(1) %out, i32 1\n  \
         store i32 {second}, ptr addrspace(1) %out.second\n"
    )
}
