#!/usr/bin/env python3
"""An engine that does what it is told: for tests.

  scripted_engine.py FOLDER [SEAT]

It adds every line that it reads to `heard` in the folder (with SEAT, `heard-SEAT`). A line that asks (one that does not
say `"can_act":false`) takes the next line off `script`, which is an object:

  answer    what to write; a text is written as it is
  complain  what to write to the standard error before
  wait_for  a file of the folder that has to be there first
  exit      a status to end with

Without a script for it, the drawn tile is thrown.

With a file `linger` in the folder it does not end with its input. It adds a line to `outlived` once the first process of
`pids` has been gone for a hundred looks, 5 ms apart.
"""

import json
import os
import sys
import time

folder, suffix = sys.argv[1], "".join("-" + seat for seat in sys.argv[2:])
script = os.path.join(folder, "script")
with open(os.path.join(folder, "pids"), "a", encoding="utf-8") as pids:
    pids.write(f"{os.getpid()}\n")


def next_step():
    try:
        with open(script, encoding="utf-8") as steps:
            first, *rest = steps.read().splitlines()
    except (FileNotFoundError, ValueError):
        return {}
    with open(script, "w", encoding="utf-8") as steps:
        steps.write("".join(line + "\n" for line in rest))
    return json.loads(first)


for text in sys.stdin:
    with open(os.path.join(folder, "heard" + suffix), "a", encoding="utf-8") as heard:
        heard.write(text)
    event = json.loads(text)
    batch = isinstance(event, list)
    if batch:
        event = event[-1]
    if event.get("can_act") is False or (batch and event["type"] in ("start_game", "end_kyoku")):
        if batch or os.environ.get("EVERY_LINE"):
            print(json.dumps({"type": "none"}), flush=True)
        continue
    step = next_step()
    if "complain" in step:
        print(step["complain"], file=sys.stderr, flush=True)
    while "wait_for" in step and not os.path.exists(os.path.join(folder, step["wait_for"])):
        time.sleep(0.005)
    if "exit" in step:
        sys.exit(step["exit"])
    answer = step.get("answer", {"type": "dahai", "pai": event.get("pai"), "tsumogiri": True})
    print(answer if isinstance(answer, str) else json.dumps(answer), flush=True)


def is_gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


if os.path.exists(os.path.join(folder, "linger")):
    with open(os.path.join(folder, "pids"), encoding="utf-8") as pids:
        first = int(pids.readline())
    looks = 0
    while True:
        time.sleep(0.005)
        looks += is_gone(first)
        if looks == 100:
            with open(os.path.join(folder, "outlived"), "a", encoding="utf-8") as outlived:
                outlived.write(f"{os.getpid()}\n")
