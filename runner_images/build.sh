#!/usr/bin/env bash
# Build the images that programs run in, or those that are named: build.sh [NAME...]
#
# BASE_IMAGE: what they are made of. Without it Debian's slim image, where a registry answers or it is there already;
# else a small Debian of the machine's own package sources.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

public=debian:bookworm-slim
own=sandbox-service/debian
arguments=(--network=host --build-arg http_proxy --build-arg https_proxy --build-arg no_proxy)

# The name of an image of Debian, into `base`.
debian() {
  if docker image inspect "$public" >/dev/null 2>&1 || timeout 60 docker pull --quiet "$public" >/dev/null 2>&1; then
    base=$public
  else
    base=$own
    docker image inspect "$own" >/dev/null 2>&1 || bootstrap
  fi
}

bootstrap() {
  echo "No registry answers: making $own of this machine's package sources"
  ../.ci/need mmdebstrap
  # shellcheck disable=SC2016
  apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' |
    grep ' bookworm' | sort -u >"$scratch/sources.list"
  mmdebstrap --quiet --variant=minbase --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/info/*' bookworm "$scratch/root.tar" "$scratch/sources.list"
  docker import "$scratch/root.tar" "$own" >/dev/null
}

build() {
  local name=$1
  shift
  echo "Building sandbox-service/$name"
  docker build --quiet "${arguments[@]}" "$@" --tag "sandbox-service/$name" "$name"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch" go/certificates.pem' EXIT
# A machine whose packages come by way of its own certificates has pip know them too.
certificates=${PIP_CERT:-${SSL_CERT_FILE:-}}
[ -z "$certificates" ] || cp "$certificates" go/certificates.pem

base=${BASE_IMAGE:-}
[ -n "$base" ] || debian
names=("$@")
[ $# -gt 0 ] || names=(base python cpp javascript java go rust polyglot)
for name in "${names[@]}"; do
  case $name in
    base) build base --build-arg BASE_IMAGE="$base" ;;
    go) build go --build-arg BASE_IMAGE=sandbox-service/base --build-arg PIP_INDEX_URL ;;
    *) build "$name" --build-arg BASE_IMAGE=sandbox-service/base ;;
  esac
done
