"""The program that does the work."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Optional, Sequence, Union

StrPath = Union[str, "os.PathLike[str]"]

# Names another program than the package's, for tests and checkouts.
_VARIABLE = "BOT_RUNNER"


class BotRunnerError(Exception):
    """The program failed; the text is its output."""


def program() -> Path:
    """The program: the one in the variable BOT_RUNNER, else the one installed next to this module, else one on the PATH."""
    named = os.environ.get(_VARIABLE)
    if named:
        return Path(named)
    name = "bot-runner"
    # The scripts of this environment, of the user's, and of the place where pip put this module (`pip install --target`).
    places = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", scheme=_user_scheme())]
    places.append(str(Path(__file__).resolve().parent.parent / "bin"))
    for place in places:
        candidate = Path(place or "") / name
        if place and candidate.is_file():
            return candidate
    found = shutil.which(name)
    if found is None:
        raise BotRunnerError(f"there is no {name} next to this module or on the PATH; install the package bot-runner")
    return Path(found)


def _user_scheme() -> str:
    if sys.version_info >= (3, 10):
        return sysconfig.get_preferred_scheme("user")
    return "posix_user"


def run(arguments: Sequence[StrPath], folder: Optional[StrPath] = None) -> str:
    """Runs a command to its end and returns its standard output."""
    command = [str(program()), *(os.fspath(argument) for argument in arguments)]
    ended = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    if ended.returncode != 0:
        raise BotRunnerError((ended.stderr.strip() or ended.stdout.strip()).removeprefix("bot-runner: "))
    return ended.stdout


def version() -> str:
    """The version of the program, with its commit if it is known."""
    return run(["--version"]).strip().split(" ", 1)[1]
