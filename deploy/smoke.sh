#!/usr/bin/env bash
# Start the service with docker compose, send a batch through it while a worker and the queue are killed, take it down,
# and see that nothing is left. Needs a Docker daemon; the images of `make images` are made if they are missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export COMPOSE_PROJECT_NAME=sandbox-smoke SANDBOX_LISTEN=127.0.0.1:${PORT:-18080}
COMPOSE=${COMPOSE:-$(docker compose version >/dev/null 2>&1 && echo docker compose || echo /usr/bin/python3 deploy/compose1.py)}
export COMPOSE
read -ra compose <<<"$COMPOSE"
mine=label=com.docker.compose.project=$COMPOSE_PROJECT_NAME

images() { docker images --quiet --filter label=sandbox-service.image=service; }
before=$(images)
down() {
  "${compose[@]}" down --volumes --timeout 20 >/dev/null 2>&1 || true
  # Not those of somebody who has the service running here.
  [ -n "$before" ] || docker rmi --force sandbox-service/gateway sandbox-service/worker >/dev/null 2>&1 || true
}
trap down EXIT

deploy/prepare.sh
"${compose[@]}" up --detach --scale worker=2
containers() { docker ps --all --quiet --filter "$mine" --filter "label=com.docker.compose.service=$1"; }

# Killed as by a crash: the worker for good, the queue until somebody starts it again.
kills() {
  sleep 5
  docker kill "$(containers worker | head -n 1)"
  sleep 5
  docker kill "$(containers valkey)"
  sleep 3
  docker start "$(containers valkey)"
}
SANDBOX_KEY=$(cat deploy/secrets/key)
export SANDBOX_KEY
.venv/bin/python deploy/smoke.py "http://$SANDBOX_LISTEN" wait
.venv/bin/python deploy/smoke.py "http://$SANDBOX_LISTEN" batch &
kills >/dev/null
status=0
wait $! || status=$?
"${compose[@]}" ps

trap - EXIT
down
left=$(
  docker ps --all --quiet --filter "$mine"
  docker volume ls --quiet --filter "$mine"
  docker network ls --quiet --filter "$mine"
  [ -n "$before" ] || images
)
echo "left: ${left:-nothing}"
[ -z "$left" ] && exit "$status"
exit 1
