"""docker-compose 1, which Debian 12 has, and one option that it does not know: systempaths=unconfined.

`python3 deploy/compose1.py ARGUMENT...`, with the system's Python. Compose 2 knows it by itself.
"""

from typing import Any

import docker.types.containers
from compose.cli.main import main

OPTION = "systempaths=unconfined"
make = docker.types.containers.HostConfig.__init__


def make_unconfined(self: Any, *values: Any, **options: Any) -> None:
    """As Docker's own command line does it: no path is hidden, none read-only."""
    asked = options.get("security_opt") or []
    options["security_opt"] = [option for option in asked if option != OPTION]
    make(self, *values, **options)
    if OPTION in asked:
        self.update({"MaskedPaths": [], "ReadonlyPaths": []})


docker.types.containers.HostConfig.__init__ = make_unconfined
main()
