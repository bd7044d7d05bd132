#!/usr/bin/env bash
# Make what docker-compose.yml wants beside it, unless it is there: the images, the password of the queue, a key for
# clients, and the list of system calls that workers may make.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
read -ra compose <<<"${COMPOSE:-$(docker compose version >/dev/null 2>&1 && echo docker compose || echo /usr/bin/python3 deploy/compose1.py)}"

for image in base polyglot; do
  docker image inspect "sandbox-service/$image" >/dev/null 2>&1 || runner_images/build.sh base go polyglot
done
certificates=${PIP_CERT:-${SSL_CERT_FILE:-}}
trap 'rm -f deploy/certificates.pem' EXIT
[ -z "$certificates" ] || cp "$certificates" deploy/certificates.pem
# Compose reads it also where it only builds.
[ -s deploy/seccomp-worker.json ] || echo '{}' >deploy/seccomp-worker.json
"${compose[@]}" build valkey worker
docker run --rm --network none sandbox-service/gateway sandbox-service policy seccomp worker >deploy/seccomp-worker.json

umask 077
mkdir -p deploy/secrets
secret() { head -c 32 /dev/urandom | base64 | tr -d '/+=\n'; }
[ -s deploy/secrets/valkey_password ] || secret >deploy/secrets/valkey_password
if [ ! -s deploy/secrets/keys.yaml ]; then
  secret >deploy/secrets/key
  digest=$(sha256sum <deploy/secrets/key | cut -d' ' -f1)
  echo "- {tenant: default, key_sha256: $digest, scopes: [submit, read, admin]}" >deploy/secrets/keys.yaml
  echo "The key for clients (SANDBOX_KEY) is in deploy/secrets/key"
fi
# Containers read them as the user that they run as.
[ "$(id -u)" -ne 0 ] || chown 1000:1000 deploy/secrets/valkey_password deploy/secrets/keys.yaml
