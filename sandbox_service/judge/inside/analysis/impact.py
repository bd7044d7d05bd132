"""Finds what a change to Python files touches. Runs in a sandbox, reads {"base": {path: text}, "files": ...}.

Prints {"changed": [...], "dependents": [...], "to_adapt": [...]}, names as `path::qualified.name`. The texts are
parsed, never run: see `graph.py` for what is found of who uses whom.
"""

import ast
import json
import sys


def main():
    """Read, compare, print."""
    asked = json.load(sys.stdin)
    try:
        base, new = (
            Project({path: ast.parse(text) for path, text in asked[name].items() if path.endswith(".py")})
            for name in ("base", "files")
        )
    except (SyntaxError, ValueError) as error:
        print(json.dumps({"fault": "a file is no Python: %s" % str(error)[:200]}))
        return
    print(json.dumps({name: sorted(value) for name, value in impact(base, new).items()}))


def impact(base, new):
    """What changed, what depends on it before or after, and who has to be adapted."""
    old_texts, new_texts = base.texts(), new.texts()
    changed = {name for name in old_texts.keys() | new_texts.keys() if old_texts.get(name) != new_texts.get(name)}
    users = {}
    for project in (base, new):
        for user, used in project.uses():
            users.setdefault(used, set()).add(user)
    old_shapes, new_shapes = base.shapes(), new.shapes()
    broken = {name for name, shape in old_shapes.items() if new_shapes.get(name) != shape}
    direct = set().union(*(users.get(name, set()) for name in broken)) - broken
    return {
        "changed": changed,
        "dependents": closure(users, changed) - changed,
        # Who was removed with what it used need not be adapted.
        "to_adapt": {name for name in direct if name in new_texts},
    }


def closure(users, start):
    """Everybody that uses one of these, or uses who does."""
    found, left = set(start), list(start)
    while left:
        for user in users.get(left.pop(), ()):
            if user not in found:
                found.add(user)
                left.append(user)
    return found
