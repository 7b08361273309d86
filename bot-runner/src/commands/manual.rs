//! `manual`: man pages and shell completions for packages, generated from the definition of the
//! command line.

use std::fs;
use std::path::Path;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;

/// The program's name on the command line.
const PROGRAM: &str = "bot-runner";

/// The shells with completions.
const SHELLS: [Shell; 3] = [Shell::Bash, Shell::Fish, Shell::Zsh];

/// The visible command line: completions would offer hidden commands too.
fn command_line() -> clap::Command {
    let whole = Cli::command();
    let visible = whole
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
        .cloned();
    clap::Command::new(PROGRAM)
        .version(env!("CARGO_PKG_VERSION"))
        .about(whole.get_about().cloned().unwrap_or_default())
        .long_about(whole.get_long_about().cloned().unwrap_or_default())
        .args(whole.get_arguments().cloned())
        .subcommands(visible)
        .subcommand_required(true)
}

/// Writes a page for each command into `man` and a script for each shell into `completions`, both
/// in `folder`.
///
/// # Errors
///
/// If a folder or a file in it cannot be written.
pub fn manual(folder: &Path) -> anyhow::Result<()> {
    let pages = folder.join("man");
    let scripts = folder.join("completions");
    for folder in [&pages, &scripts] {
        fs::create_dir_all(folder)
            .with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    }
    clap_mangen::generate_to(command_line(), &pages)
        .with_context(|| format!("the man pages cannot be written into {}", pages.display()))?;
    for shell in SHELLS {
        let cannot = || {
            format!(
                "the completions of {shell} cannot be written into {}",
                scripts.display()
            )
        };
        let script = clap_complete::generate_to(shell, &mut command_line(), PROGRAM, &scripts)
            .with_context(cannot)?;
        let text = fs::read_to_string(&script).with_context(cannot)?;
        fs::write(&script, with_bots(shell, &text)).with_context(cannot)?;
    }
    Ok(())
}

/// The script, completed with the names of running bots, for `reload` and `--bot`: they are known
/// only later.
fn with_bots(shell: Shell, script: &str) -> String {
    match shell {
        Shell::Bash => format!("{script}{BASH_BOTS}"),
        Shell::Fish => format!("{script}{FISH_BOTS}"),
        _ => {
            let names_bot = |line: &str| line.contains("'::bot -- ") || line.contains("'--bot=[");
            let lines = script.lines().map(|line| match names_bot(line) {
                true => line.replace(":_default'", ":_bot_runner_bots'"),
                false => line.to_owned(),
            });
            let mut lines: Vec<String> = lines.collect();
            lines.insert(1, ZSH_BOTS.to_owned());
            lines.join("\n") + "\n"
        }
    }
}

const BASH_BOTS: &str = r#"
_bot_runner_with_bots() {
    if [[ ${COMP_WORDS[1]} == reload && $COMP_CWORD == 2 || ${COMP_WORDS[COMP_CWORD-1]} == --bot ]]; then
        local IFS=$'\n'
        COMPREPLY=($(compgen -W "$(bot-runner status --names 2>/dev/null)" -- "${COMP_WORDS[COMP_CWORD]}"))
    else
        _bot-runner "$@"
    fi
}
complete -F _bot_runner_with_bots -o bashdefault -o default bot-runner
"#;

const FISH_BOTS: &str = r#"
complete -c bot-runner -n "__fish_seen_subcommand_from reload" -f -a "(bot-runner status --names 2>/dev/null)"
complete -c bot-runner -n "__fish_seen_subcommand_from stats" -l bot -x -a "(bot-runner status --names 2>/dev/null)"
"#;

const ZSH_BOTS: &str = r#"
_bot_runner_bots() {
    local -a bots
    bots=("${(@f)$(bot-runner status --names 2>/dev/null)}")
    compadd -a bots
}"#;
