"""How the service is deployed; `deploy/smoke.sh` tries the whole of it."""
