"""The code that `.ci/run` and `.ci/quick` share: the crates of both workspaces, and parts that run side by side."""
import collections
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")

# The `python3` of pyenv puts folders in front of the PATH, in which the tests would find other programs.
os.environ["PATH"] = os.environ.pop("GATE_PATH", os.environ["PATH"])

# The folders of the workspaces: the program's, and that of `training`.
PROGRAM, TRAINING = pathlib.Path(), pathlib.Path("training")

FORMAT = "cargo fmt --all --check\n(cd training && cargo fmt --check)"
LINTS = """cargo clippy --workspace --all-targets --locked -- -D warnings
(cd training && cargo clippy --all-targets --locked -- -D warnings)"""
STRUCTURE = ".ci/circles\n.ci/names\n.ci/map\n.ci/workspaces"


# Maximum number of lines that repeat at the end why a part failed.
MAX_REASON_LINES = 60


@dataclasses.dataclass
class Crate:
    """A crate: its name, its workspace and its folder from the root, our crates that it uses, and of these those that more
    than its tests use."""

    name: str
    workspace: pathlib.Path
    folder: pathlib.Path
    uses: set
    builds_on: set
    # Whether it is made for a package registry.
    published: bool
    # The oldest Rust that builds it.
    rust: str


def crates():
    """All crates of both workspaces, by the name."""
    found = {}
    for workspace in (PROGRAM, TRAINING):
        metadata = json.loads(subprocess.run(
            ["cargo", "metadata", "--no-deps", "--locked", "--offline", "--format-version", "1"],
            cwd=ROOT / workspace, check=True, capture_output=True,
        ).stdout)
        for package in metadata["packages"]:
            folder = pathlib.Path(package["manifest_path"]).parent.relative_to(ROOT)
            used = [dependency for dependency in package["dependencies"] if dependency.get("path")]
            uses = {dependency["name"] for dependency in used}
            builds_on = {dependency["name"] for dependency in used if dependency["kind"] != "dev"}
            found[package["name"]] = Crate(
                package["name"], workspace, folder, uses, builds_on, package["publish"] != [], package["rust_version"]
            )
    return found


def with_dependents(names, known):
    """The crates of these names and all that use them, directly or through others."""
    names = set(names)
    while more := {crate.name for crate in known.values() if crate.uses & names} - names:
        names |= more
    return names


@dataclasses.dataclass
class Part:
    """A part of a gate: a command for bash."""

    name: str
    command: str
    # The parts whose results it uses.
    uses: tuple = ()
    # The parts that it waits for if they run too. It does not run if one failed.
    after: tuple = ()
    # Earlier parts that it does not run beside. It waits for them to end, and runs even if one failed.
    apart: tuple = ()
    # Programs and files that the command needs, and the packages of Debian that have them.
    packages: dict = dataclasses.field(default_factory=dict)


def counted(text):
    """The numbers of passed and failed tests in the output of `cargo test`."""
    results = re.findall(r"^test result: .*? (\d+) passed; (\d+) failed;", text, re.MULTILINE)
    return sum(int(passed) for passed, _ in results), sum(int(failed) for _, failed in results)


def with_used(names, parts):
    """The parts of these names and those whose results they use, in the order of `parts`."""
    by_name = {part.name: part for part in parts}
    wanted, ahead = set(), list(names)
    while ahead:
        name = ahead.pop()
        if name not in by_name:
            sys.exit(f"no part is called {name!r}; the parts are: {', '.join(by_name)}")
        if name not in wanted:
            wanted.add(name)
            ahead += by_name[name].uses
    return [part for part in parts if part.name in wanted]


def run_parts(parts, at_once):
    """Runs the parts, so many at once. Each one's output is kept whole in a file, `target/ci-NAME.txt`, and printed in the
    order of `parts`, with the time and the CPU time that the part took. Returns the names of those that did not pass, and the
    output of each."""
    TARGET.mkdir(parents=True, exist_ok=True)
    say = lambda text: print(text, flush=True)
    state = dict.fromkeys((part.name for part in parts), "waits")
    running, texts, begun, took = {}, {}, {}, {}
    to_print = collections.deque(parts)
    try:
        while to_print:
            for part in parts:
                if state[part.name] != "waits":
                    continue
                before = [state.get(name, "passed") for name in part.uses + part.after]
                if "failed" in before or "skipped" in before:
                    state[part.name], texts[part.name], took[part.name] = "skipped", "", "0 s"
                elif (len(running) < at_once and all(one == "passed" for one in before)
                      and not any(state.get(name) in ("waits", "runs") for name in part.apart)):
                    with open(log_of(part), "wb") as log:
                        running[part.name] = subprocess.Popen(
                            ["bash", "-euo", "pipefail", "-c", part.command],
                            cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                        )
                    state[part.name], begun[part.name] = "runs", time.monotonic()
                    say(f"-- {time.strftime('%H:%M:%S')} begun: {part.name}")
            for part in parts:
                process = running.get(part.name)
                ended, status, usage = os.wait4(process.pid, os.WNOHANG) if process else (0, 0, None)
                if ended:
                    del running[part.name]
                    process.returncode = os.waitstatus_to_exitcode(status)
                    state[part.name] = "passed" if process.returncode == 0 else "failed"
                    took[part.name] = (f"{time.monotonic() - begun[part.name]:.0f} s, "
                                       f"CPU {usage.ru_utime + usage.ru_stime:.0f} s")
                    texts[part.name] = log_of(part).read_text(errors="replace")
                    say(f"-- {time.strftime('%H:%M:%S')} {state[part.name]}: {part.name}, {took[part.name]}")
            while to_print and state[to_print[0].name] in ("passed", "failed", "skipped"):
                part = to_print.popleft()
                say(f"\n== {part.name}: {state[part.name]}, {took[part.name]}\n{texts[part.name].rstrip()}")
            time.sleep(0.1)
    finally:
        for process in running.values():
            process.terminate()
    return [part.name for part in parts if state[part.name] != "passed"], texts


def log_of(part):
    """The file with the output of a part."""
    return TARGET / f"ci-{part.name}.txt"


def reason(text):
    """The end of what a part printed about its failure. CI shows only the end of the gate's output."""
    text = text.rstrip()
    # `cargo test` prints what the failed tests said, and then their names.
    _, found, told = text.partition("\nfailures:\n")
    return "\n".join((told if found else text).splitlines()[-MAX_REASON_LINES:])


def finish(not_passed, texts):
    """Says what did not pass, with the reason, and in the last line how many tests of crates passed and failed; ends the
    program. Any other part that did not pass counts as one failure."""
    counts = {name: counted(texts.get(name, "")) for name in ("tests", "training")}
    passed = sum(passed for passed, _ in counts.values())
    failed = sum(failed for _, failed in counts.values())
    failed += len([name for name in not_passed if counts.get(name, (0, 0))[1] == 0])
    for name in not_passed:
        if why := reason(texts.get(name, "")):
            print(f"\n== why {name} did not pass:\n{why}")
    print()
    for name in not_passed:
        print(f"did not pass: {name}")
    print(f"{passed} passed, {failed} failed", flush=True)
    sys.exit(1 if not_passed else 0)
