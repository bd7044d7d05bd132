#!/usr/bin/env bash
# Unpack an image into a folder, for the executors that take a root file system: export.sh IMAGE FOLDER
set -euo pipefail

image=$1 folder=$2
id=$(docker image inspect --format '{{.Id}}' "$image")
[ "$(cat "$folder/etc/sandbox-image" 2>/dev/null)" != "$id" ] || exit 0

unfinished=$folder.unfinished
rm -rf "$unfinished"
mkdir -p "$unfinished"
container=$(docker create "$image" true)
trap 'docker rm "$container" >/dev/null; rm -rf "$unfinished"' EXIT
docker export "$container" | tar --extract --numeric-owner --directory "$unfinished" --exclude 'dev/*'
echo "$id" >"$unfinished/etc/sandbox-image"
chmod 755 "$unfinished"
rm -rf "$folder"
mv "$unfinished" "$folder"
