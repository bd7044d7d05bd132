"""The `sandbox-fusion` client, unchanged, asking this service instead: only its endpoint is another.

pip install sandbox-fusion
sandbox-service up &
python sandboxfusion_client.py
"""

import os

from sandbox_fusion import RunCodeRequest, run_code, set_endpoint

set_endpoint(os.environ.get("SANDBOX_URL", "http://127.0.0.1:8000") + "/compat/sandboxfusion")

if __name__ == "__main__":
    result = run_code(RunCodeRequest(code="print(6 * 7)", language="python"))
    print(result.status, result.run_result.stdout.strip())
