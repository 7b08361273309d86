"""my-policy: wins if it can, declares riichi, never calls, and keeps the hand that the most tiles help."""
import json
import sys


def value(action):
    """Rates an action: the nearer the hand is afterwards, and the more tiles help it, the higher."""
    if action["type"] == "hora":
        return 1000
    if action["type"] not in ("dahai", "reach", "none"):
        return -1000
    return action["after"]["tiles"] - 100 * action["after"]["shanten"] + 50 * (action["type"] == "reach")


for line in sys.stdin:  # one decision a line: the whole view
    values = [value(action) for action in json.loads(line)["legal"]]
    print(json.dumps({"index": values.index(max(values)), "values": values}), flush=True)
