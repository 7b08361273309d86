//! `plugin new`: creates a policy.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use say::output::say;

use crate::cli::Language;
use crate::commands::success;
use policy_host::{GameKind, Library};

macro_rules! template {
    ($folder:literal, $($file:literal),+) => {
        &[$(($file, include_str!(concat!("../../../templates/plugin/", $folder, "/", $file)))),+]
    };
}

/// A file of a policy, and its text.
type TemplateFile = (&'static str, &'static str);

/// The files of a policy in a language. For Rust they are the sources in the checkout.
fn template(language: Language, game: GameKind) -> Vec<TemplateFile> {
    let (common, of_game): (&[TemplateFile], &[TemplateFile]) = match (language, game) {
        (Language::Rust, GameKind::Riichi) => (
            RUST,
            template!(
                "rust",
                "README.md",
                "bot.toml",
                "src/lib.rs",
                "src/discard.rs",
                "src/tests.rs"
            ),
        ),
        (Language::Rust, GameKind::Mcr) => (
            RUST,
            template!(
                "rust-chinese-standard",
                "README.md",
                "bot.toml",
                "src/lib.rs"
            ),
        ),
        (Language::Rust, GameKind::DouDizhu) => (
            RUST,
            template!("rust-doudizhu", "README.md", "bot.toml", "src/lib.rs"),
        ),
        (Language::C, GameKind::Riichi) => (C, template!("c", "README.md", "bot.toml", "policy.c")),
        (Language::C, GameKind::Mcr) => (
            C,
            template!("c-chinese-standard", "README.md", "bot.toml", "policy.c"),
        ),
        (Language::C, GameKind::DouDizhu) => (
            C,
            template!("c-doudizhu", "README.md", "bot.toml", "policy.c"),
        ),
        (Language::Python, GameKind::Riichi) => (
            PYTHON,
            template!("python", "README.md", "bot.toml", "policy.py"),
        ),
        (Language::Python, GameKind::Mcr) => (
            PYTHON,
            template!(
                "python-chinese-standard",
                "README.md",
                "bot.toml",
                "policy.py"
            ),
        ),
        (Language::Python, GameKind::DouDizhu) => (
            PYTHON,
            template!("python-doudizhu", "README.md", "bot.toml", "policy.py"),
        ),
    };
    [common, of_game].concat()
}

/// The files shared by policies in Rust.
const RUST: &[TemplateFile] = template!("rust", "Cargo.toml", ".gitignore");

/// The files shared by policies in C.
const C: &[TemplateFile] = template!("c", "Makefile", ".gitignore");

/// The files shared by policies in Python.
const PYTHON: &[TemplateFile] = template!("python", ".gitignore");

/// The C header of the boundary.
const HEADER: TemplateFile = (
    "bot_policy.h",
    include_str!("../../../../policies/abi/include/bot_policy.h"),
);

/// The SDK's path in `RUST`.
const TEMPLATES_SDK: &str = "\"../../../../policies/sdk\"";

/// The SDK in the folder of the release archive, next to the program.
const ARCHIVE_SDK: &str = "policies/sdk";

/// The SDK of the checkout that this program was built from, which may no longer exist.
const OWN_SDK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../policies/sdk");

const MAX_NAME_LENGTH: usize = 40;

/// Creates the folder `name` with a policy in it.
///
/// # Errors
///
/// If the name is invalid, the folder exists, the SDK is missing, or a file cannot be written.
pub(super) fn new(
    name: &str,
    language: Language,
    game: GameKind,
    sdk: Option<&Path>,
) -> anyhow::Result<ExitCode> {
    check_name(name)?;
    let sdk = match language {
        Language::Rust => Some(Sdk::find(sdk)?),
        Language::C | Language::Python => None,
    };
    let folder = Path::new(name);
    match fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            bail!("{name} already exists; take another name, or remove it")
        }
        made => made.with_context(|| format!("the folder {name} cannot be made"))?,
    }
    let complete = folder
        .canonicalize()
        .with_context(|| format!("{name} cannot be read"))?;
    let sdk_path = sdk.as_ref().map(|sdk| sdk.path_from(&complete));
    let mut files = template(language, game);
    if language == Language::C {
        files.push(HEADER);
    }
    for (file, text) in files {
        write(
            &folder.join(file),
            &filled_in(text, name, sdk_path.as_deref()),
        )?;
    }
    if let Some(lock) = sdk.as_ref().and_then(Sdk::lock) {
        write(&folder.join("Cargo.lock"), &lock)?;
    }
    say(next_steps(name, language));
    Ok(success(true))
}

/// A name must be valid as a policy's id, a folder, and a crate that does not clash with names in
/// the template.
fn check_name(name: &str) -> anyhow::Result<()> {
    let words = name
        .split('-')
        .all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let plain = words && name.starts_with(|first: char| first.is_ascii_lowercase());
    if !plain || name.len() > MAX_NAME_LENGTH || name.bytes().any(|byte| byte.is_ascii_uppercase())
    {
        bail!(
            "found the name {name:?}; allowed are up to {MAX_NAME_LENGTH} of a-z, 0-9 and single - between them, a letter first"
        );
    }
    let is_its = |library: &Arc<Library>| {
        library
            .description
            .policies
            .iter()
            .any(|policy| policy.id == name)
    };
    if builtin::libraries().iter().any(is_its) {
        bail!(
            "{name} is the name of a built-in policy, which yours would replace; take another name"
        );
    }
    if RESERVED.contains(&name) {
        bail!("{name} is a name that Rust or the SDK uses itself; take another name");
    }
    Ok(())
}

/// Reserved words of Rust, and crates that the template uses.
const RESERVED: [&str; 58] = [
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "core",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "policy-sdk",
    "priv",
    "proc-macro",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "union",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

/// The SDK's sources.
struct Sdk {
    folder: PathBuf,
}

impl Sdk {
    fn find(given: Option<&Path>) -> anyhow::Result<Self> {
        let folder = match given {
            Some(folder) if is_sdk(folder) => folder.to_owned(),
            Some(folder) => bail!(
                "{} does not hold the SDK; name the folder policies/sdk of the release archive or of a checkout of bot-runner",
                folder.display()
            ),
            None => {
                let program =
                    std::env::current_exe().context("the runner's own file cannot be found")?;
                let archived = program.parent().map(|folder| folder.join(ARCHIVE_SDK));
                let known = archived.into_iter().chain([PathBuf::from(OWN_SDK)]);
                known.into_iter().find(|folder| is_sdk(folder)).context(
                    "the SDK lies neither beside this runner, as in the release archive, nor in the checkout that it was \
                     built from, which is gone; name the folder policies/sdk of an archive or a checkout with --sdk",
                )?
            }
        };
        let folder = folder
            .canonicalize()
            .with_context(|| format!("{} cannot be used", folder.display()))?;
        Ok(Self { folder })
    }

    /// The checkout or the archive.
    fn checkout(&self) -> &Path {
        self.folder.ancestors().nth(2).unwrap_or(&self.folder)
    }

    /// The versions of third-party crates with which the SDK is tested.
    fn lock(&self) -> Option<String> {
        fs::read_to_string(self.checkout().join("Cargo.lock")).ok()
    }

    /// The path of the SDK from this folder: relative within the checkout or the archive, so that
    /// both can move together.
    fn path_from(&self, folder: &Path) -> PathBuf {
        match (
            folder.strip_prefix(self.checkout()),
            self.folder.strip_prefix(self.checkout()),
        ) {
            (Ok(inside), Ok(sdk)) => inside
                .components()
                .map(|_| Path::new(".."))
                .chain([sdk])
                .collect(),
            _ => self.folder.clone(),
        }
    }
}

fn is_sdk(folder: &Path) -> bool {
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    let manifest: toml::Table = toml::from_str(&manifest).unwrap_or_default();
    let name = manifest
        .get("package")
        .and_then(|package| package.get("name"));
    name.and_then(toml::Value::as_str) == Some("policy-sdk")
}

/// The text of a template for a policy of this name.
fn filled_in(text: &str, name: &str, sdk: Option<&Path>) -> String {
    let crate_name = name.replace('-', "_");
    let library = format!(
        "{}{crate_name}{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    let text = text
        .replace("libmy_policy.so", &library)
        .replace("my-policy", name)
        .replace("MY_POLICY", &crate_name.to_uppercase());
    match sdk {
        Some(sdk) => {
            let path = toml::Value::from(sdk.to_string_lossy().into_owned());
            text.replace(TEMPLATES_SDK, &path.to_string())
        }
        None => text,
    }
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let context = || format!("{} cannot be written", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(context)?;
    }
    fs::write(path, text).with_context(context)
}

fn next_steps(name: &str, language: Language) -> String {
    let library = format!(
        "{}{}{}",
        std::env::consts::DLL_PREFIX,
        name.replace('-', "_"),
        std::env::consts::DLL_SUFFIX
    );
    let steps = match language {
        Language::Rust => {
            format!("cargo build --release\n  bot-runner plugin test target/release/{library}")
        }
        Language::C => format!("make\n  bot-runner plugin test ./{library}"),
        Language::Python => "bot-runner plugin test bot.toml".to_owned(),
    };
    format!(
        "Created {name}; {name}/README.md describes its files. Next:\n  cd {name}\n  {steps}\n  bot-runner play bot.toml"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sdk_is_named_relative_within_its_checkout_and_complete_outside_of_it() {
        let sdk = Sdk {
            folder: PathBuf::from("/home/kuma/runner/policies/sdk"),
        };
        for (folder, named) in [
            ("/home/kuma/runner/mine", "../policies/sdk"),
            (
                "/home/kuma/runner/policies/of/mine",
                "../../../policies/sdk",
            ),
            ("/home/kuma/mine", "/home/kuma/runner/policies/sdk"),
        ] {
            assert_eq!(
                sdk.path_from(Path::new(folder)),
                Path::new(named),
                "{folder}"
            );
        }
    }
}
