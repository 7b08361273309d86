//! The `[policy]` section: which policy decides, and how it is started, swapped and confined.

use std::path::{Path, PathBuf};
use std::time::Duration;

use policy_host::{
    DEFAULT_MARGIN_MS, Isolation, LibraryChoice, PolicyConfig, ProcessLimits, ReloadMode, Sha256,
    is_policy_id,
};

use toml::{Table, Value};

use crate::command::split_command;
use crate::reader::{Section, complete_folder_of, folder_of};

/// Maximum margin in milliseconds: more would leave hardly any of the free time of 3,000 that
/// RiichiLab gives.
const MAX_MARGIN_MS: u32 = 2_000;

pub fn read_policy(top: &mut Section<'_>) -> Option<PolicyConfig> {
    let Some(mut section) = top.section("policy") else {
        let message = "the section is missing; say at least which policy decides: [policy] id = \"greedy-tenpai\"";
        top.refuse_missing("policy", message);
        return None;
    };
    let file = section.file;
    let library = section.text("library");
    let id = section.text("id");
    if let Some(id) = id.as_ref().filter(|id| !is_policy_id(id)) {
        let found: String = id.chars().take(40).collect();
        let like = found.to_lowercase().replace(['_', ' '], "-");
        let like = if is_policy_id(&like) {
            format!("; did you mean `{like}`?")
        } else {
            String::new()
        };
        section.refuse(
            "id",
            format!("found {found:?}, allowed are a-z, 0-9 and -{like}"),
        );
    }
    let unreadable = section.is_wrong("library") || section.is_wrong("id");
    let think = section.whole("think_ms", "milliseconds", 1..=600_000);
    let margin = section
        .whole("margin_ms", "milliseconds", 0..=MAX_MARGIN_MS)
        .unwrap_or(DEFAULT_MARGIN_MS);
    let reload = [
        ("decision", ReloadMode::Decision),
        ("game", ReloadMode::Game),
        ("off", ReloadMode::Off),
    ];
    let reload = section.one_of("reload", &reload).unwrap_or_default();
    let isolation = [
        ("thread", Isolation::Thread),
        ("process", Isolation::Process),
    ];
    let isolation = section.one_of("isolation", &isolation).unwrap_or_default();
    let sha256 = section.text("sha256").and_then(|text| {
        let hash = Sha256::parse(&text);
        if hash.is_none() {
            let message = "allowed are 64 hexadecimal digits, as `sha256sum` prints them for the library's file";
            section.refuse("sha256", message);
        }
        hash
    });
    let watch = section.texts("watch");
    let gate = section.text("gate").filter(|gate| {
        let split = split_command(gate, folder_of(file));
        if let Err(why) = &split {
            section.refuse("gate", *why);
        }
        split.is_ok()
    });
    let params = section.table("params");
    let limits = section.section("limits");
    if limits.is_some() && isolation == Isolation::Thread {
        let message = "limits hold for a process only; add isolation = \"process\" to [policy], or leave the section out";
        section.refuse("limits", message);
    }
    let limits = limits.map(read_limits).unwrap_or_default();
    let library = match (library, &id) {
        (Some(library), _) if library.is_empty() => {
            section.refuse(
                "library",
                "found an empty text; allowed are a name, a path and \"builtin\"",
            );
            None
        }
        (Some(library), _) => Some(library_choice(file, library)),
        (None, Some(id)) => Some(LibraryChoice::LikeId(id.clone())),
        (None, None) => {
            if !unreadable {
                section.refuse(
                    "id",
                    "the key is missing; say which policy decides, or which library",
                );
            }
            None
        }
    };
    section.finish_with("; parameters of the policy, such as `command`, belong to [policy.params]");
    if unreadable {
        return None;
    }
    Some(PolicyConfig {
        think: think.map(|ms| Duration::from_millis(ms.into())),
        margin: Duration::from_millis(margin.into()),
        reload,
        isolation,
        limits,
        sha256,
        watch: watch
            .into_iter()
            .map(|path| folder_of(file).join(path))
            .collect(),
        gate,
        params,
        ..PolicyConfig::of(library?, id)
    })
}

/// The section as a config has it, for a policy of this library, or of the runner without one. What
/// only concerns swaps is left out.
///
/// # Errors
///
/// If a path in it is no text.
pub fn written_policy(
    section: &PolicyConfig,
    library: Option<&Path>,
) -> Result<Table, toml::ser::Error> {
    let mut table = Table::new();
    let library = library.unwrap_or(Path::new("builtin"));
    table.insert("library".to_owned(), Value::try_from(library)?);
    if let Some(id) = &section.id {
        table.insert("id".to_owned(), id.clone().into());
    }
    let milliseconds = |time: Duration| Value::try_from(time.as_millis() as u64);
    if let Some(think) = section.think {
        table.insert("think_ms".to_owned(), milliseconds(think)?);
    }
    table.insert("margin_ms".to_owned(), milliseconds(section.margin)?);
    if section.isolation == Isolation::Process {
        table.insert("isolation".to_owned(), "process".into());
        table.insert("limits".to_owned(), Value::try_from(&section.limits)?);
    }
    table.insert("params".to_owned(), section.params.clone().into());
    Ok(table)
}

fn library_choice(file: &Path, library: String) -> LibraryChoice {
    if library == "builtin" {
        LibraryChoice::Builtin
    } else if library.contains('/') || library.ends_with(std::env::consts::DLL_SUFFIX) {
        LibraryChoice::Path(folder_of(file).join(library))
    } else {
        LibraryChoice::Name(library)
    }
}

/// Reads what the policy's process may take and touch.
fn read_limits(mut section: Section<'_>) -> ProcessLimits {
    let folder = complete_folder_of(section.file);
    let mut paths = |key| -> Vec<PathBuf> {
        section
            .texts(key)
            .into_iter()
            .map(|path| folder.join(path))
            .collect()
    };
    let (read, write, execute) = (paths("read"), paths("write"), paths("execute"));
    let limits = ProcessLimits {
        memory_mib: section.whole("memory_mib", "MiB", 1..=u32::MAX),
        threads: section.whole("threads", "numbers", 0..=u32::MAX),
        processes: section.whole("processes", "numbers", 0..=u32::MAX),
        file_mib: section.whole("file_mib", "MiB", 0..=u32::MAX),
        read,
        write,
        execute,
        network: section.boolean("network").unwrap_or(false),
    };
    section.finish();
    limits
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    fn read(text: &str) -> PolicyConfig {
        let problems = RefCell::default();
        let table = text.parse().expect("it is TOML");
        let mut top = Section::top(Path::new("/bots/kuma.toml"), table, &problems);
        let section = read_policy(&mut top).expect("a section");
        drop(top);
        assert!(problems.borrow().is_empty(), "{problems:?}");
        section
    }

    #[test]
    fn a_section_that_is_written_is_read_as_the_same_but_for_what_concerns_swaps() {
        let section = read(
            "[policy]\nlibrary = \"./mine.so\"\nid = \"mine\"\nthink_ms = 500\nmargin_ms = 20\n\
             isolation = \"process\"\nreload = \"game\"\nwatch = [\"*.py\"]\ngate = \"judge {new}\"\n\
             params = { level = 2, words = \"a\" }\n\
             [policy.limits]\nmemory_mib = 64\nread = [\"models\"]\nnetwork = true\n",
        );
        let copy = Path::new("/tmp/copy.so");
        let written = written_policy(&section, Some(copy)).expect("all of it is text");
        let text = Table::from_iter([("policy".to_owned(), written.into())]).to_string();
        let expected = PolicyConfig {
            library: LibraryChoice::Path(copy.to_owned()),
            reload: ReloadMode::default(),
            watch: Vec::new(),
            gate: None,
            ..section
        };
        assert_eq!(read(&text), expected);
    }

    #[test]
    fn a_policy_of_the_runner_is_written_as_builtin() {
        let section = read("[policy]\nid = \"greedy-tenpai\"\n");
        let written = written_policy(&section, None).expect("all of it is text");
        assert_eq!(written["library"].as_str(), Some("builtin"));
    }
}
