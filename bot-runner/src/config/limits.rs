//! The `[policy.limits]` section: what a policy's process may take and touch.

use std::path::{Path, PathBuf};

use policy_host::ProcessLimits;

use super::bot_config::complete_folder_of;
use super::problem::Problem;
use super::section::Section;

pub(super) fn read_limits(file: &Path, mut section: Section<'_>, problems: &mut Vec<Problem>) -> ProcessLimits {
    let folder = complete_folder_of(file);
    let mut paths = |key, problems: &mut Vec<Problem>| -> Vec<PathBuf> {
        section.texts(key, problems).into_iter().map(|path| folder.join(path)).collect()
    };
    let (read, write) = (paths("read", problems), paths("write", problems));
    let execute = paths("execute", problems);
    let limits = ProcessLimits {
        memory_mib: section.whole("memory_mib", "MiB", 1..=u32::MAX, problems),
        threads: section.whole("threads", "numbers", 0..=u32::MAX, problems),
        processes: section.whole("processes", "numbers", 0..=u32::MAX, problems),
        file_mib: section.whole("file_mib", "MiB", 0..=u32::MAX, problems),
        read,
        write,
        execute,
        network: section.boolean("network", problems).unwrap_or(false),
    };
    section.finish(problems);
    limits
}
