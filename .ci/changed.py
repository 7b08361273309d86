"""The gate of the daily loop: format, lints, and the tests of the crates that have changed and of those that use them.

    .ci/quick [BASE]

What has changed is what differs from BASE in commits and in the working tree; by default from where this branch left its
upstream or, without one, from the last commit but one. Without root, a browser or the network. Left to `.ci/run`: the parts that
`.ci/run --list` names beside these, tests in documentation, and the tests of bot-runner that LONG names. After a change in
bot-runner that takes about 320 s of CPU on two cores.
"""
import collections
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

sys.dont_write_bytecode = True
from gate import CIRCLES, FORMAT, LINTS, ROOT, Part, crates, finish, run_parts, with_dependents

# Tests of bot-runner's test binaries that take long: faults in whole games, attacks, trials that hang, every command of
# the documents, the rules of riichi against the arenas' own over whole games.
LONG = {
    "library": ["explore::"],
    "program": ["admission::", "attacks::", "documents::every_sh_block_works_in_order", "faults::"],
}
# The files that affect the build of all crates.
FOR_ALL = {".cargo/config.toml", "Cargo.toml", "Cargo.lock"}
# Files and folders in no crate, and the crate whose tests read them.
READ_BY = {"fuzz": "bot-runner", "packaging": "bot-runner", "packaging/grafana.json": "view", "python/bot-policy": "program"}
# The file with the names of the libraries that the tests of bot-runner build.
LIBRARIES = ROOT / "bot-runner/tests/common/libraries.rs"


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


def test_programs():
    """The tests of all crates, built as `cargo test --workspace` builds them: pairs of the crate's folder and the file."""
    built = subprocess.run(
        ["cargo", "test", "--workspace", "--locked", "--no-run", "--message-format=json-render-diagnostics"],
        cwd=ROOT, stdout=subprocess.PIPE,
    )
    if built.returncode != 0:
        sys.exit("the tests cannot be built")
    for line in built.stdout.splitlines():
        artifact = json.loads(line)
        if artifact["reason"] == "compiler-artifact" and artifact["profile"]["test"] and artifact["executable"]:
            folder = pathlib.Path(artifact["manifest_path"]).parent.relative_to(ROOT)
            yield folder, artifact["target"]["name"], artifact["executable"]


def main():
    known = crates()
    libraries = re.search(r"PACKAGES: [^=]*=\s*\[(.*?)\];", LIBRARIES.read_text(encoding="utf-8"), re.DOTALL)
    known["bot-runner"].uses.update(re.findall(r'"(.*?)"', libraries[1]))
    files = changed_files(sys.argv[1] if len(sys.argv) > 1 else None)
    of_files = {file: crate_of(file, known) for file in files}
    changed = {crate.name for crate in of_files.values() if crate}
    if FOR_ALL & set(files):
        changed = set(known)
    tested = with_dependents(changed, known)
    print(f"changed: {', '.join(sorted(changed)) or 'no crate'}; tested: {len(tested)} of {len(known)} crates", flush=True)

    parts = [Part("format", FORMAT), Part("lints", f"{LINTS} && {CIRCLES}", after=("format",))]
    not_passed, texts = run_parts(parts, 1)
    if not_passed:
        finish(not_passed, texts)

    folders = {known[name].folder for name in tested}
    commands = collections.OrderedDict()
    for folder, name, program in test_programs():
        long = LONG.get(name, []) if str(folder) == "bot-runner" else []
        skipped = "".join(f" --skip {module}" for module in long)
        if folder in folders:
            commands[f"{folder} {name}"] = f"cd {shlex.quote(str(folder))} && {shlex.quote(program)} --quiet{skipped}"
        elif (str(folder), name) == ("bot-runner", "program") and not all(of_files.values()):
            # Documents and configs are in no crate.
            commands["documents"] = f"cd bot-runner && {shlex.quote(program)} --quiet documents::"
    tests = [Part(name.replace("/", "-").replace(" ", "-"), command) for name, command in commands.items()]
    not_passed, texts = run_parts(tests, os.cpu_count() or 2)
    finish(not_passed, {"tests": "\n".join(texts.values())})


main()
