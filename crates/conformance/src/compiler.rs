//! The other side: a compiler, and the machine under it.

use crate::Unit;
use std::path::Path;
use std::process::Command;
use xcfa::DataModel;

/// The values of a unit's items.
pub type Values = Vec<i64>;

/// Writes all values to standard output. Without a library: neither the C library nor the
/// compiler's own need to be there for narrow programs. What the compiler itself calls is here.
const START: &str = r#"
__attribute__((noinline)) static void out(const char *from, unsigned long length)
{
#if defined(__x86_64__)
    long done;
    __asm__ volatile("syscall" : "=a"(done) : "a"(1L), "D"(1L), "S"(from), "d"(length) : "rcx", "r11", "memory");
#else
    long done;
    __asm__ volatile("int $0x80" : "=a"(done) : "a"(4), "b"(1), "c"(from), "d"(length) : "memory");
#endif
}
__attribute__((noinline)) static void end(void)
{
#if defined(__x86_64__)
    __asm__ volatile("syscall" : : "a"(60L), "D"(0L));
#else
    __asm__ volatile("int $0x80" : : "a"(1), "b"(0));
#endif
}
void *memcpy(void *to, const void *from, __SIZE_TYPE__ n)
{
    for (__SIZE_TYPE__ i = 0; i < n; i++) ((char *)to)[i] = ((const char *)from)[i];
    return to;
}
void *memset(void *to, int c, __SIZE_TYPE__ n)
{
    for (__SIZE_TYPE__ i = 0; i < n; i++) ((char *)to)[i] = (char)c;
    return to;
}
#if !defined(__x86_64__)
typedef unsigned long long wide;
static wide divide(wide n, wide d, wide *rest)
{
    wide q = 0, r = 0;
    for (int i = 63; i >= 0; i--) {
        r = r << 1 | (n >> i & 1);
        q = q << 1;
        if (r >= d) { r -= d; q |= 1; }
    }
    *rest = r;
    return q;
}
wide __udivdi3(wide n, wide d) { wide r; return divide(n, d, &r); }
wide __umoddi3(wide n, wide d) { wide r; divide(n, d, &r); return r; }
long long __divdi3(long long n, long long d)
{
    wide r, q = divide(n < 0 ? -(wide)n : n, d < 0 ? -(wide)d : d, &r);
    return (n < 0) != (d < 0) ? -q : q;
}
long long __moddi3(long long n, long long d)
{
    wide r;
    divide(n < 0 ? -(wide)n : n, d < 0 ? -(wide)d : d, &r);
    return n < 0 ? -r : r;
}
#endif
void work(void);
__attribute__((force_align_arg_pointer)) void _start(void)
{
    work();
    out((const char *)results, sizeof results);
    end();
}
"#;

/// A compiler for one data model.
#[derive(Clone, Copy, Debug)]
pub struct Compiler {
    model: DataModel,
}

impl Compiler {
    /// The system's compiler for a data model, if what it builds can be run here.
    pub fn find(model: DataModel) -> Option<Compiler> {
        let compiler = Compiler { model };
        let one = Unit {
            declarations: String::new(),
            items: vec![crate::Item {
                text: "sizeof(long)".to_owned(),
                is_call: false,
            }],
        };
        let size = i64::from(model.pointer_bits() / 8);
        (compiler.values(&one).ok()? == [size]).then_some(compiler)
    }

    /// The data model.
    pub fn model(self) -> DataModel {
        self.model
    }

    /// The values of the items; the error is what went wrong.
    pub fn values(self, unit: &Unit) -> Result<Values, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let binary = self.build(&native_text(unit), folder.path())?;
        let output = Command::new(binary).output();
        let output = output.map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(format!("it ends with {}", output.status));
        }
        let (values, rest) = output.stdout.as_chunks::<8>();
        match values.len() == unit.items.len() && rest.is_empty() {
            true => Ok(values
                .iter()
                .map(|bytes| i64::from_le_bytes(*bytes))
                .collect()),
            false => Err(format!("{} bytes came back", output.stdout.len())),
        }
    }

    fn build(self, text: &str, folder: &Path) -> Result<std::path::PathBuf, String> {
        let (source, binary) = (folder.join("unit.c"), folder.join("unit"));
        std::fs::write(&source, text).map_err(|error| error.to_string())?;
        let mut command = Command::new("gcc");
        command.args(["-std=gnu11", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing"]);
        command.args([
            "-nostdlib",
            "-ffreestanding",
            "-static",
            "-fno-pie",
            "-no-pie",
        ]);
        command.args(["-fno-stack-protector", "-fno-builtin"]);
        command.arg(match self.model {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        });
        let output = command.arg("-o").arg(&binary).arg(&source).output();
        let output = output.map_err(|error| format!("cannot run gcc: {error}"))?;
        match output.status.success() {
            true => Ok(binary),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }
}

fn native_text(unit: &Unit) -> String {
    let mut text = format!("static long long results[{}];\n", unit.items.len());
    text += START;
    text += &unit.declarations;
    text += "void work(void)\n{\n";
    for (at, item) in unit.items.iter().enumerate() {
        text += &format!("    results[{at}] = (long long)({});\n", item.text);
    }
    text + "}\n"
}
