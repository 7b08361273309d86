//! The system's compilers, as strict as an author may set them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles a text that includes the header; with a file to write, to a program.
///
/// # Panics
///
/// With the compiler's words when it has anything to say.
#[track_caller]
pub(crate) fn compile(language: Language, source: &str, program: Option<&Path>) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join(language.file);
    std::fs::write(&file, source).expect("it can be written");
    let mut command = Command::new(language.compiler());
    command.args([
        language.standard,
        "-Wall",
        "-Wextra",
        "-Wcast-align=strict",
        "-Wshadow",
        "-Werror",
        "-pedantic",
    ]);
    command
        .arg("-I")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"))
        .arg(&file);
    match program {
        Some(program) => command.arg("-o").arg(program),
        None => command.arg("-fsyntax-only"),
    };
    let compiled = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        compiled.status.success(),
        "{command:?}\n{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
}

/// A language that the header is for.
#[derive(Clone, Copy)]
pub(crate) struct Language {
    variable: &'static str,
    usual: &'static str,
    standard: &'static str,
    file: &'static str,
}

impl Language {
    pub(crate) const C: Self = Self {
        variable: "CC",
        usual: "cc",
        standard: "-std=c11",
        file: "test.c",
    };
    pub(crate) const CXX: Self = Self {
        variable: "CXX",
        usual: "c++",
        standard: "-std=c++17",
        file: "test.cpp",
    };

    fn compiler(self) -> PathBuf {
        std::env::var_os(self.variable)
            .unwrap_or_else(|| self.usual.into())
            .into()
    }
}

/// Uses every macro of the header.
const USES: &str = "#include \"bot_policy.h\"\n\
    static const bp_text text = BP_TEXT(\"text\");\n\
    const bp_entry *bot_policy_entry(void) { return NULL; }\n\
    int main(void) {\n\
        static const bp_legal_action legal = {BP_ACTION_NONE, BP_NONE, BP_NONE, 0, {0}};\n\
        const bp_legal_action_array array = {&legal, 1, sizeof legal};\n\
        return text.len == 4 && BP_AT(bp_legal_action, array, 0)->kind == BP_ACTION_NONE ? 0 : 1;\n\
    }\n";

#[test]
fn a_strict_c_compiler_takes_it() {
    compile(Language::C, USES, None);
}

#[test]
fn a_strict_cxx_compiler_accepts_it_if_there_is_one() {
    // The project asks for a C compiler only.
    if Command::new(Language::CXX.compiler())
        .arg("--version")
        .output()
        .is_ok()
    {
        compile(Language::CXX, USES, None);
    }
}
