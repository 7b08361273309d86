"""Whole games of each kind, in which every line that a program reads follows the schema and has no key that it does not name.
Run by .ci/python, with the Python package jsonschema-rs:

    schema.py PROGRAM FOLDER      the built program, and a folder for its bots

As the bots' program (`schema.py FOLDER`) it keeps the lines and answers them.
"""
import json
import os
import pathlib
import random
import shlex
import subprocess
import sys

# The policy, the number of seats, and the number of games.
GAMES = [("program", 4, 2), ("program", 3, 2), ("cs-program", 4, 5), ("doudizhu-program", 3, 15)]
# The types of the schema for the views of each game.
VIEWS = {"riichi": "RiichiView", "chinese-standard": "ChineseStandardView", "doudizhu": "DouDizhuView"}
# The lines of a game with each type of action.
RECORDED = pathlib.Path(__file__).resolve().parents[3] / "python/bot-policy/tests"


def choose(line):
    """The way to tenpai without calls, and in every fourth decision anything, so that all sorts of situations come up."""
    view = json.loads(line)
    chance = random.Random(json.dumps(view["legal"]))
    if view["game"] != "riichi" or chance.random() < 0.25:
        return chance.randrange(len(view["legal"]))
    shanten = {a["index"]: a["after"]["shanten"] if a["type"] == "dahai" else 0
               for a in view["legal"] if a["type"] in ("dahai", "none")}
    return min(shanten, key=shanten.get, default=0)


def play(folder):
    with open(folder / f"{os.getpid()}.jsonl", "w", encoding="utf-8") as kept:
        for line in sys.stdin:
            kept.write(line)
            kept.flush()
            print(json.dumps({"index": choose(line)}), flush=True)


def close(schema):
    """Allows no key that the schema does not name."""
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        close(part)
    if isinstance(schema, dict) and "properties" in schema:
        schema.setdefault("additionalProperties", False)


def recorded():
    """The views of the committed files."""
    views = [json.loads(line)["view"] for line in (RECORDED / "decisions.jsonl").open(encoding="utf-8")]
    for name in ("chinese-standard", "doudizhu"):
        views += map(json.loads, (RECORDED / f"{name}.jsonl").open(encoding="utf-8"))
    return views


def played(program, folder, policy, seats, games):
    """The views of games in which all seats play by this policy."""
    command = shlex.join([sys.executable, "-B", os.path.realpath(__file__), str(folder.resolve())])
    configs = [folder / f"bot-{seat}.toml" for seat in range(seats)]
    for config in configs:
        config.write_text(f'name = "{config.stem}"\n[policy]\nid = "{policy}"\nlibrary = "builtin"\n'
                          f"[policy.params]\ncommand = {json.dumps(command)}\n")
    options = [f"--games={games}", "--seed=1"] + [f"--players={seats}"] * (policy == "program")
    done = subprocess.run([program, "play", *options, *configs], capture_output=True, text=True)
    said = done.stdout + done.stderr
    if done.returncode != 0 or "safe answer" in said:
        sys.exit(f"{policy}, {seats} seats: {said}")
    views = []
    for file in folder.glob("*.jsonl"):
        views += map(json.loads, file.open(encoding="utf-8"))
        file.unlink()
    if len(views) < 200:
        sys.exit(f"{policy}, {seats} seats: only {len(views)} decisions")
    return views


def main(program, folder):
    import jsonschema_rs

    schema = json.loads(subprocess.run([program, "plugin", "schema"], check=True, capture_output=True).stdout)
    if not jsonschema_rs.meta.is_valid(schema):
        sys.exit("`plugin schema` does not print a JSON schema")
    close(schema)
    whole = jsonschema_rs.validator_for(schema)
    # The type of a view by itself tells where the view is wrong.
    del schema["anyOf"]
    own = {game: jsonschema_rs.validator_for({**schema, "$ref": f"#/$defs/{view}"}) for game, view in VIEWS.items()}

    views = recorded()
    for policy, seats, games in GAMES:
        views += played(program, folder, policy, seats, games)
    wrong = [view for view in views if not (whole.is_valid(view) and own[view["game"]].is_valid(view))]
    for view in wrong[:5]:
        for error in own[view["game"]].iter_errors(view):
            print(f"{'/'.join(map(str, error.instance_path))}: {error.message[:500]}")
        print(json.dumps(view)[:500])
    print(f"{len(views)} lines, {len(wrong)} do not follow the schema")
    sys.exit(1 if wrong else 0)


if len(sys.argv) == 2:
    play(pathlib.Path(sys.argv[1]))
else:
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
