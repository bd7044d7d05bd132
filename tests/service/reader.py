"""A reader of a batch's results that keeps what it reads in a file, and goes on there after it was killed.

`python -m tests.service.reader URL BATCH FILE [BYTES]`: after so many bytes it reads no more, says so, and waits.
Standard library only, to show what a reader without the SDK has to do.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import sys
from pathlib import Path
from urllib.parse import urlsplit


def main(url: str, batch: str, file: str, most: float = float("inf")) -> None:
    kept = Path(file).read_bytes() if Path(file).exists() else b""
    lines = kept.splitlines()
    cursor = json.loads(lines[-1])["cursor"] if lines else "0"
    connection = http.client.HTTPConnection(urlsplit(url).netloc)
    connection.request("GET", f"/v1/batches/{batch}/results?after={cursor}")
    response = connection.getresponse()
    assert response.status == 200, response.read()
    output = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    unfinished, read = b"", 0
    while read < most and (part := response.read1(int(min(most - read, 1 << 16)))):
        read += len(part)
        *whole, unfinished = (unfinished + part).split(b"\n")
        for line in whole:
            if line:  # else it only says that the service is alive
                os.write(output, line + b"\n")
    if read >= most:
        print("enough", flush=True)
        signal.pause()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], *map(float, sys.argv[4:]))
