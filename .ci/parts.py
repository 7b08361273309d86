"""The gate: everything that must hold before a change lands.

    .ci/run             all parts
    .ci/run PART...     these, and those whose results they use
    .ci/run --list      the names of the parts
    .ci/run --install PART...
                        installs the packages of Debian that these need, and runs nothing

Needs Rust with clippy and rustfmt, a C compiler and Python; what else it needs it installs from Debian's packages, PyPI, npm
and crates.io, where it may. The part `networks` needs Rust 1.94. Parts that do not wait for each other run side by side; each
one's output is printed whole, in the order below, and kept in target/ci-PART.txt. The exit code is 0 when all parts passed.
The last line says how many tests passed and failed.
"""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import sysconfig

sys.dont_write_bytecode = True
from gate import FORMAT, LINTS, ROOT, STRUCTURE, Part, crates, finish, run_parts, with_used

# The README's own commands.
FIRST_COMMAND = "cargo build --release && target/release/bot-runner play"
TEST_COMMAND = "cargo test --workspace"

# One more than there are cores: some parts wait for a browser, a server or a download.
AT_ONCE = (os.cpu_count() or 2) + 1

# Tests mostly wait for a process or a clock.
TEST_THREADS = 2 * AT_ONCE - 1

# Independent arenas and recorded games beside this repository, which are not part of it. Without the folder these checks are
# left out.
SHARED = "../shared"

published = sorted(name for name, crate in crates().items() if crate.published)
packages = " ".join(f"--package {name}" for name in published)
# `cargo package` unpacks our crates into CARGO_HOME, and does not unpack the same version again. So earlier ones are deleted.
unpacked = " ".join(f'"${{CARGO_HOME:-$HOME/.cargo}}"/registry/src/-*/{name}-[0-9]*' for name in published)
POSTGRESQL = {"/usr/lib/postgresql": "postgresql"}
# Debian's python3 makes no virtual environment without it.
VENV = {sysconfig.get_path("stdlib") + "/ensurepip/__init__.py": "python3-venv"}
PYTHON_HEADERS = {"c++": "g++", sysconfig.get_path("include") + "/Python.h": "python3-dev"}

PARTS = [
    Part("format", FORMAT),
    Part("lints", f"{LINTS}\n{STRUCTURE}", after=("format",)),
    Part("first-command", f"""{FIRST_COMMAND} | tee target/ci-play.txt
for library in learned greedy_tenpai defensive_fold weighted_shape; do
    [ "$(grep -cw "$library" target/ci-play.txt)" -ge 2 ] || {{ echo "no bot decided through $library"; exit 1; }}
done""",
         after=("format",)),
    # Before the parts that run the program, because maturin moves it away and back.
    Part("dist", ".ci/dist", uses=("first-command",), packages=VENV),
    # Built first: the parts after it use the same examples and libraries.
    Part("tests-built", f"{TEST_COMMAND} --locked --no-run\ncargo build --workspace --lib --examples --locked",
         after=("lints",), packages={"c++": "g++"}),
    Part("tests", f"RUST_TEST_THREADS={TEST_THREADS} {TEST_COMMAND}", uses=("tests-built",)),
    # The workspace of `training`, without the networks. Built beside the tests, which leave a third of the CPU time.
    Part("training", "cd training && cargo test --locked", after=("tests-built",)),
    Part("licences", ".ci/deny", packages=VENV),
    Part("workflows", ".ci/workflows", packages=VENV),
    # Without bot-runner, whose documentation is its help.
    Part("documentation", """RUSTDOCFLAGS="-D warnings" cargo doc --locked --quiet --no-deps --workspace --lib \\
    --exclude bot-runner --exclude '*-plugin' --features policy-sdk/test-support
cd training && RUSTDOCFLAGS="-D warnings" cargo doc --locked --quiet --no-deps --lib""", after=("lints",)),
    # Each is unpacked and built as from a registry.
    Part("packages", f"""rm -rf target/packages {unpacked}
cargo package --locked --quiet --allow-dirty --target-dir target/packages {packages}""", after=("lints",)),
    Part("databases", f"{TEST_COMMAND} --test databases -- --ignored", uses=("tests-built",), packages=POSTGRESQL),
    Part("proxy", f"{TEST_COMMAND} --test program -- --ignored network::", uses=("tests-built",),
         packages={"tinyproxy": "tinyproxy"}),
    Part("shards", ".ci/cluster", uses=("first-command",), after=("dist",), packages=VENV | {"pkill": "procps"}),
    Part("python", ".ci/python", uses=("first-command",), after=("dist",), packages=VENV),
    Part("references", ".ci/references", uses=("first-command", "tests-built"), after=("dist",),
         packages=VENV | PYTHON_HEADERS),
    Part("archive", ".ci/archive", uses=("dist", "tests-built")),
    Part("wheel", ".ci/wheel", uses=("dist",), packages=VENV),
    # This and the pages may run beside `shared`, and give way to its decisions. A browser has many threads, so it runs
    # at the lowest priority.
    Part("networks", "nice -n 10 .ci/networks", uses=("first-command",), after=("dist", "training"), packages=VENV),
    # The pages of files, which wait for nothing but CPU time, beside the tests.
    Part("file-pages", "nice -n 19 .ci/pages files", uses=("first-command", "tests-built"), after=("dist",)),
    # Neither this nor `shared` runs beside the tests: a thousand processes of an attack take all CPU time from a browser, and
    # from decisions that are due in a second.
    Part("pages", "nice -n 19 .ci/pages processes", uses=("first-command", "tests-built"),
         after=("dist",), apart=("tests", "file-pages")),
]
if (ROOT / SHARED).is_dir():
    PARTS.append(Part("shared", f".ci/shared {SHARED}", uses=("first-command", "tests-built"),
                      after=("dist",), apart=("tests",), packages=VENV | PYTHON_HEADERS))
    # The tests play the shared records again.
    os.environ["RECORDS"] = str((ROOT / SHARED / "data").resolve())


def install(parts):
    """Installs the packages of Debian that the parts need and this machine lacks."""
    lacking = set()
    for part in parts:
        for needed, package in part.packages.items():
            there = pathlib.Path(needed).exists() if "/" in needed else shutil.which(needed)
            if not there:
                lacking.add(package)
    if lacking:
        command = ["apt-get", "install", "-qq", "--no-install-recommends", *sorted(lacking)]
        if os.geteuid() != 0:
            sys.exit(f"needed, and only root installs it: {shlex.join(command)}")
        os.environ["DEBIAN_FRONTEND"] = "noninteractive"
        subprocess.run(["apt-get", "update", "-qq"], check=True)
        subprocess.run(command, check=True)


def main():
    names = sys.argv[1:]
    if names == ["--list"]:
        print("\n".join(part.name for part in PARTS))
        return
    # The README's commands name the folder.
    os.environ.pop("CARGO_TARGET_DIR", None)
    # The gate builds everything once, and the files for incremental builds take 20 GB.
    os.environ["CARGO_INCREMENTAL"] = "0"
    # `tests-built` builds the libraries that tests load.
    os.environ["CI_LIBRARIES_BUILT"] = "1"
    # No part reads the lines of a backtrace, and to write them takes a seventh of the time to compile the rules.
    os.environ["CARGO_PROFILE_DEV_DEBUG"] = "0"
    readme = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    for command in (FIRST_COMMAND, TEST_COMMAND):
        if command not in readme:
            sys.exit(f"README.md no longer shows the command: {command}")
    only_install = names[:1] == ["--install"]
    names = names[only_install:]
    parts = with_used(names, PARTS) if names else PARTS
    install(parts)
    if only_install:
        return
    finish(*run_parts(parts, AT_ONCE))


main()
