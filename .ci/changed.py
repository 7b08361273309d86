"""The gate of the daily loop: format, lints and tests of the crates that have changed, and a check of those that use them.

    .ci/quick [BASE]

What has changed is what differs from BASE in commits and in the working tree; by default from where this branch left its
upstream or, without one, from the last commit but one. Without root, a browser or the network. Left to `.ci/run`: the tests of
the crates that use what changed, the parts that `.ci/run --list` names beside these, tests in documentation, and the tests that
LONG names.
"""
import json
import os
import pathlib
import shlex
import subprocess
import sys

sys.dont_write_bytecode = True
from gate import FORMAT, PROGRAM, ROOT, STRUCTURE, TRAINING, Part, crates, finish, run_parts, with_dependents

# Tests that take long, by the crate's folder and the name of the test program: faults in whole games, attacks, trials that
# hang, every command of the documents, the rules of riichi against the arenas' own over whole games.
LONG = {
    "bot-runner program": ["admission::", "attacks::", "documents::every_sh_block_works_in_order", "faults::"],
    "bot-runner/client client": ["explore::"],
}
# The files that affect the build of all crates of a workspace.
FOR_ALL = {
    PROGRAM: {".cargo/config.toml", "Cargo.toml", "Cargo.lock"},
    TRAINING: {"training/.cargo/config.toml", "training/Cargo.toml", "training/Cargo.lock"},
}
# Files and folders in no crate, and the crate whose tests read them.
READ_BY = {"fuzz": "bot-runner", "packaging": "bot-runner", "packaging/grafana.json": "view", "python/bot-policy": "program"}


def git(*arguments):
    """The output of git, as lines; none if it fails."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else []


def changed_files(base):
    """The files that differ from the base, and new ones."""
    if base is None:
        found = git("merge-base", "@{upstream}", "HEAD") or git("rev-parse", "HEAD~1")
    else:
        found = git("merge-base", base, "HEAD")
    if not found:
        sys.exit(f"there is no commit {base or 'HEAD~1'} to compare with")
    return git("diff", "--name-only", found[0]) + git("ls-files", "--others", "--exclude-standard")


def crate_of(file, known):
    """The crate in whose folder a file lies or whose tests read it, or None."""
    file = pathlib.PurePath(file)
    folders = {crate.folder: crate for crate in known.values()}
    folders |= {pathlib.PurePath(read): known[name] for read, name in READ_BY.items()}
    return next((folders[at] for at in [file, *file.parents] if at in folders), None)


def test_programs(workspace, packages):
    """The tests of these crates of a workspace: the folder of the crate, the name and the file of each."""
    built = subprocess.run(
        ["cargo", "test", "--locked", "--no-run", "--message-format=json-render-diagnostics", *packages],
        cwd=ROOT / workspace, stdout=subprocess.PIPE,
    )
    if built.returncode != 0:
        sys.exit("the tests cannot be built")
    for line in built.stdout.splitlines():
        artifact = json.loads(line)
        if artifact["reason"] == "compiler-artifact" and artifact["profile"]["test"] and artifact["executable"]:
            folder = pathlib.Path(artifact["manifest_path"]).parent.relative_to(ROOT)
            yield folder, artifact["target"]["name"], artifact["executable"]


def buildable(known):
    """The crates that the Rust of this machine is new enough for."""
    number = lambda version: [int(part) for part in version.split(".")[:2]]
    rust = number(subprocess.run(["rustc", "--version"], check=True, capture_output=True, text=True).stdout.split()[1])
    return {name: crate for name, crate in known.items() if number(crate.rust) <= rust}


def by_workspace(names, known):
    """Each workspace that has some of these crates, with the options of cargo that select them."""
    for workspace in (PROGRAM, TRAINING):
        if inside := sorted(name for name in names if known[name].workspace == workspace):
            yield workspace, [f"--package={name}" for name in inside]


def main():
    known = buildable(crates())
    files = changed_files(sys.argv[1] if len(sys.argv) > 1 else None)
    of_files = {file: crate_of(file, known) for file in files}
    tested = {crate.name for crate in of_files.values() if crate}
    for workspace, of_all in FOR_ALL.items():
        if of_all & set(files):
            tested |= {crate.name for crate in known.values() if crate.workspace == workspace}
    checked = with_dependents(tested, known) - tested
    # Documents and configs are in no crate.
    documents = not all(of_files.values())
    print(f"tested: {', '.join(sorted(tested)) or 'no crate'}; checked: {', '.join(sorted(checked)) or 'no crate'}", flush=True)

    lints = STRUCTURE
    for workspace, packages in by_workspace(tested | checked, known):
        lints += f"\n(cd {workspace} && cargo clippy --all-targets --locked {' '.join(packages)} -- -D warnings)"
    parts = [Part("format", FORMAT), Part("lints", lints, after=("format",))]
    not_passed, texts = run_parts(parts, 1)
    if not_passed:
        finish(not_passed, texts)

    commands = {}
    for workspace, packages in by_workspace(tested, known):
        for folder, name, program in test_programs(workspace, packages):
            label = f"{folder} {name}"
            skipped = "".join(f" --skip {module}" for module in LONG.get(label, []))
            commands[label] = f"cd {shlex.quote(str(folder))} && {shlex.quote(program)} --quiet{skipped}"
    if documents and "bot-runner" not in tested:
        commands["documents"] = "cargo test --locked --package=bot-runner --test program -- --quiet documents::"
    tests = [Part(name.replace("/", "-").replace(" ", "-"), command) for name, command in commands.items()]
    not_passed, texts = run_parts(tests, os.cpu_count() or 2)
    finish(not_passed, {"tests": "\n".join(texts.values())})


main()
