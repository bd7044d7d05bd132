"""verifiers' own command `eval`."""

from verifiers.v1.cli.eval.main import main

main()
