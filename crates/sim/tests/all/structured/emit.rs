//! A program as PTX.

use super::program::{
    Binary, Cond, DEPTH, Expr, Function, KEPT, Meeting, Program, Relation, Stmt, VARIABLES,
};
use std::fmt::Write;

/// The body of the kernel or of a function while it is written.
#[derive(Default)]
struct Body {
    text: String,
    words: usize,
    predicates: usize,
    addresses: usize,
    labels: usize,
    /// The labels that `break` and `continue` go to.
    loops: Vec<(String, String)>,
    /// The function's number.
    function: Option<usize>,
}

/// The whole module.
pub fn text(program: &Program) -> String {
    let mut out = String::from(".version 8.0\n.target sm_90\n.address_size 64\n");
    for (number, function) in program.functions.iter().enumerate() {
        out.push_str(&function_text(number, function));
    }
    out.push_str(".global .align 8 .u64 functions[2] = {f0, f1};\n");
    out.push_str(&kernel_text(program));
    out
}

const PARAMETERS: &str =
    ".param .b32 a, .param .b32 b, .param .b32 depth, .param .b32 thread, .param .b64 tally";

const PASSED: &str = ".param .b32 _, .param .b32 _, .param .b32 _, .param .b32 _, .param .b64 _";

fn function_text(number: usize, function: &Function) -> String {
    let mut body = Body {
        function: Some(number),
        ..Body::default()
    };
    body.line("ld.param.b32 %v0, [a]");
    body.line("ld.param.b32 %v1, [b]");
    body.line("ld.param.b32 %depth, [depth]");
    body.line("ld.param.b32 %thread, [thread]");
    body.line("ld.param.b64 %tally, [tally]");
    body.begin();
    body.block(&function.body);
    body.label("leave");
    let result = body.expr(&function.result);
    body.line(&format!("st.param.b32 [result], {result}"));
    body.line("ret");
    let inside = body.finish();
    format!(".func (.param .b32 result) f{number}({PARAMETERS})\n{{\n{inside}}}\n")
}

fn kernel_text(program: &Program) -> String {
    let mut body = Body::default();
    body.text.push_str(
        "\tld.param.u64 %out, [out];
	ld.param.u64 %tally, [tally];
	cvta.to.global.u64 %out, %out;
	cvta.to.global.u64 %tally, %tally;
	.reg .b32 %place, %size, %n;
	mov.u32 %place, %tid.z;
	mov.u32 %n, %ntid.y;
	mov.u32 %v0, %tid.y;
	mad.lo.u32 %place, %place, %n, %v0;
	mov.u32 %size, %n;
	mov.u32 %n, %ntid.x;
	mov.u32 %v0, %tid.x;
	mad.lo.u32 %place, %place, %n, %v0;
	mul.lo.u32 %size, %size, %n;
	mov.u32 %n, %ntid.z;
	mul.lo.u32 %size, %size, %n;
	mov.u32 %n, %ctaid.x;
	mad.lo.u32 %thread, %n, %size, %place;
	mov.u32 %v0, %thread;
	mov.u32 %v1, 1;
",
    );
    body.begin();
    for (section, meeting) in &program.sections {
        body.block(section);
        body.meet(*meeting);
    }
    body.line(&format!("mul.wide.u32 %local, %thread, {}", 4 * VARIABLES));
    body.line("add.u64 %local, %local, %out");
    for v in 0..VARIABLES {
        body.line(&format!("st.global.u32 [%local+{}], %v{v}", 4 * v));
    }
    body.line("ret");
    // Threads that have not come to the end leave here.
    body.label("leave");
    body.line("exit");
    let inside = body.finish();
    format!(
        ".visible .entry k(.param .u64 out, .param .u64 tally)\n{{\n\
         \t.reg .b64 %out;\n\t.shared .align 4 .b32 words[1024];\n{inside}}}\n"
    )
}

impl Body {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "\t{text};");
    }

    fn label(&mut self, name: &str) {
        let _ = writeln!(self.text, "{name}:");
    }

    fn new_label(&mut self) -> String {
        self.labels += 1;
        format!("L{}", self.labels)
    }

    fn new_word(&mut self) -> String {
        self.words += 1;
        format!("%t{}", self.words)
    }

    /// The variables and the local memory at the start.
    fn begin(&mut self) {
        self.line("mov.u32 %v2, 2");
        self.line("mov.u32 %v3, 3");
        for i in 0..KEPT {
            self.line(&format!("st.local.u32 [kept+{}], 0", 4 * i));
        }
    }

    /// The text with the declarations of all that was used.
    fn finish(self) -> String {
        format!(
            "\t.local .align 4 .b8 kept[{}];\n\t.reg .b32 %v<{VARIABLES}>;\n\t.reg .b32 %depth, %thread;\n\
             \t.reg .b64 %tally, %local;\n\t.reg .b32 %t<{}>;\n\t.reg .pred %p<{}>;\n\
             \t.reg .b64 %a<{}>;\n{}",
            4 * KEPT,
            self.words + 1,
            self.predicates + 1,
            self.addresses + 1,
            self.text
        )
    }

    fn expr(&mut self, expr: &Expr) -> String {
        match expr {
            Expr::Const(value) => value.to_string(),
            Expr::Thread => "%thread".to_owned(),
            Expr::Variable(v) => format!("%v{v}"),
            Expr::Kept(index) => {
                let address = self.kept(index);
                let to = self.new_word();
                self.line(&format!("ld.local.u32 {to}, [{address}]"));
                to
            }
            Expr::Shift(a, count) => {
                let (a, to) = (self.expr(a), self.new_word());
                self.line(&format!("shr.u32 {to}, {a}, {count}"));
                to
            }
            Expr::Binary(operation, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                let to = self.new_word();
                let name = match operation {
                    Binary::Add => "add.u32",
                    Binary::Sub => "sub.u32",
                    Binary::Mul => "mul.lo.u32",
                    Binary::And => "and.b32",
                    Binary::Or => "or.b32",
                    Binary::Xor => "xor.b32",
                    Binary::Max => "max.u32",
                };
                self.line(&format!("{name} {to}, {a}, {b}"));
                to
            }
        }
    }

    /// The address of a word in local memory.
    fn kept(&mut self, index: &Expr) -> String {
        let index = self.expr(index);
        let offset = self.new_word();
        self.line(&format!("rem.u32 {offset}, {index}, {KEPT}"));
        self.addresses += 1;
        let address = format!("%a{}", self.addresses);
        self.line("mov.u64 %local, kept");
        self.line(&format!("mad.wide.u32 {address}, {offset}, 4, %local"));
        address
    }

    fn cond(&mut self, Cond(relation, a, b): &Cond) -> String {
        let (a, b) = (self.expr(a), self.expr(b));
        self.predicates += 1;
        let to = format!("%p{}", self.predicates);
        let name = match relation {
            Relation::Less => "lt",
            Relation::Equal => "eq",
            Relation::NotEqual => "ne",
            Relation::Above => "gt",
        };
        self.line(&format!("setp.{name}.u32 {to}, {a}, {b}"));
        to
    }

    fn block(&mut self, body: &[Stmt]) {
        body.iter().for_each(|statement| self.statement(statement));
    }

    fn jump_if(&mut self, cond: &Cond, target: &str) {
        let cond = self.cond(cond);
        self.line(&format!("@{cond} bra {target}"));
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Set(to, value) => {
                let value = self.expr(value);
                self.line(&format!("mov.u32 %v{to}, {value}"));
            }
            Stmt::Keep(index, value) => {
                let value = self.expr(value);
                let address = self.kept(index);
                self.line(&format!("st.local.u32 [{address}], {value}"));
            }
            Stmt::Tally(value) => {
                let value = self.expr(value);
                self.line(&format!("red.global.add.u32 [%tally], {value}"));
            }
            Stmt::Guarded(cond, to, value) => {
                let value = self.expr(value);
                let cond = self.cond(cond);
                self.line(&format!("@{cond} mov.u32 %v{to}, {value}"));
            }
            Stmt::If(cond, then, otherwise) => {
                let (other, end) = (self.new_label(), self.new_label());
                let cond = self.cond(cond);
                self.line(&format!("@!{cond} bra {other}"));
                self.block(then);
                self.line(&format!("bra {end}"));
                self.label(&other);
                self.block(otherwise);
                self.label(&end);
            }
            Stmt::Loop {
                rounds,
                tested_last,
                body,
            } => self.repeat(rounds, *tested_last, body),
            Stmt::BreakIf(cond) => {
                let target = self.loops.last().expect("in a loop").0.clone();
                self.jump_if(cond, &target);
            }
            Stmt::ContinueIf(cond) => {
                let target = self.loops.last().expect("in a loop").1.clone();
                self.jump_if(cond, &target);
            }
            Stmt::LeaveIf(cond) => self.jump_if(cond, "leave"),
            Stmt::Switch { on, cases, falls } => self.switch(on, cases, *falls),
            Stmt::Call {
                to,
                function,
                arguments,
            } => self.call(
                *to,
                &format!("f{function}"),
                "",
                &DEPTH.to_string(),
                arguments,
            ),
            Stmt::CallThrough {
                to,
                which,
                arguments,
            } => {
                let which = self.expr(which);
                let index = self.new_word();
                self.line(&format!("and.b32 {index}, {which}, 1"));
                self.addresses += 1;
                let pointer = format!("%a{}", self.addresses);
                self.line("mov.u64 %local, functions");
                self.line(&format!("mad.wide.u32 {pointer}, {index}, 8, %local"));
                self.line(&format!("ld.global.u64 {pointer}, [{pointer}]"));
                self.call(*to, &pointer, ", prototype", &DEPTH.to_string(), arguments);
            }
            Stmt::Recurse { to, arguments } => {
                let function = self.function.expect("in a function");
                let end = self.new_label();
                self.predicates += 1;
                let stop = format!("%p{}", self.predicates);
                self.line(&format!("setp.eq.u32 {stop}, %depth, 0"));
                self.line(&format!("@{stop} bra {end}"));
                let depth = self.new_word();
                self.line(&format!("sub.u32 {depth}, %depth, 1"));
                self.call(*to, &format!("f{function}"), "", &depth, arguments);
                self.label(&end);
            }
        }
    }

    fn repeat(&mut self, rounds: &Expr, tested_last: bool, body: &[Stmt]) {
        let (head, next, end) = (self.new_label(), self.new_label(), self.new_label());
        let rounds = self.expr(rounds);
        let counter = self.new_word();
        self.predicates += 1;
        let done = format!("%p{}", self.predicates);
        self.line(&format!("and.b32 {counter}, {rounds}, 3"));
        self.label(&head);
        if !tested_last {
            self.label(&next);
            self.line(&format!("setp.eq.u32 {done}, {counter}, 0"));
            self.line(&format!("@{done} bra {end}"));
            self.line(&format!("sub.u32 {counter}, {counter}, 1"));
        }
        self.loops.push((end.clone(), next.clone()));
        self.block(body);
        self.loops.pop();
        if tested_last {
            self.label(&next);
            self.line(&format!("setp.eq.u32 {done}, {counter}, 0"));
            self.line(&format!("sub.u32 {counter}, {counter}, 1"));
            self.line(&format!("@!{done} bra {head}"));
        } else {
            self.line(&format!("bra {head}"));
        }
        self.label(&end);
    }

    fn switch(&mut self, on: &Expr, cases: &[Vec<Stmt>], falls: bool) {
        let labels: Vec<String> = cases.iter().map(|_| self.new_label()).collect();
        let (list, end) = (self.new_label(), self.new_label());
        let on = self.expr(on);
        let index = self.new_word();
        self.line(&format!("rem.u32 {index}, {on}, {}", cases.len()));
        self.line(&format!("{list}: .branchtargets {}", labels.join(", ")));
        self.line(&format!("brx.idx {index}, {list}"));
        for (case, label) in cases.iter().zip(&labels) {
            self.label(label);
            self.block(case);
            if !falls {
                self.line(&format!("bra {end}"));
            }
        }
        self.label(&end);
    }

    fn call(
        &mut self,
        to: usize,
        callee: &str,
        prototype: &str,
        depth: &str,
        arguments: &[Expr; 2],
    ) {
        let [a, b] = [self.expr(&arguments[0]), self.expr(&arguments[1])];
        self.text.push_str("\t{\n");
        if !prototype.is_empty() {
            self.line(&format!(
                "prototype: .callprototype (.param .b32 _) _ ({PASSED})"
            ));
        }
        self.line(".param .b32 first, second, deep, who, back");
        self.line(".param .b64 place");
        for (name, value) in [
            ("first", &*a),
            ("second", &*b),
            ("deep", depth),
            ("who", "%thread"),
        ] {
            self.line(&format!("st.param.b32 [{name}], {value}"));
        }
        self.line("st.param.b64 [place], %tally");
        self.line(&format!(
            "call (back), {callee}, (first, second, deep, who, place){prototype}"
        ));
        self.line(&format!("ld.param.b32 %v{to}, [back]"));
        self.text.push_str("\t}\n");
    }

    fn meet(&mut self, meeting: Meeting) {
        match meeting {
            Meeting::Not => {}
            Meeting::First(v) => self.line(&format!("shfl.sync.idx.b32 %v{v}, %v{v}, 0, 31, -1")),
            Meeting::Sum(v) => self.line(&format!("redux.sync.add.u32 %v{v}, %v{v}, -1")),
            Meeting::Next(v) => {
                let (own, next) = (self.new_word(), self.new_word());
                self.line(&format!("mov.u32 {own}, words"));
                self.line(&format!("mad.lo.u32 {next}, %place, 4, {own}"));
                self.line(&format!("st.shared.u32 [{next}], %v{v}"));
                self.line("bar.sync 0");
                self.line(&format!("add.u32 {next}, %place, 1"));
                self.line(&format!("rem.u32 {next}, {next}, %size"));
                self.line(&format!("mad.lo.u32 {next}, {next}, 4, {own}"));
                self.line(&format!("ld.shared.u32 %v{v}, [{next}]"));
                self.line("bar.sync 0");
            }
        }
    }
}
