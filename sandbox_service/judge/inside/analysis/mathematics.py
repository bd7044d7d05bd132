"""Compares two formulas with math-verify, the folder of which it is told. Runs in a sandbox; stdin is JSON."""

import json
import logging
import sys


def main():
    """Read, compare, print."""
    asked = json.load(sys.stdin)
    sys.path.append(asked["folder"])
    logging.disable()
    from math_verify import parse, verify

    wanted = parse(latex(asked["expected"]), parsing_timeout=5)
    if not wanted:
        print(asked["nonce"], "unreadable")
        return
    given = parse(latex(asked["answer"]), parsing_timeout=5)
    same = bool(given) and verify(wanted, given, timeout_seconds=5)
    print(asked["nonce"], "same" if same else "different")


def latex(text):
    """A formula as math-verify looks for it: between dollar signs, unless it says itself where it stands."""
    text = text.strip()
    return text if "$" in text or "\\boxed" in text or "\\[" in text or "\\(" in text else "$" + text + "$"
