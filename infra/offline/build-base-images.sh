#!/usr/bin/env bash
# Makes sure that the engine in DOCKER_HOST (with --compose: that of up-compose.sh) has the base images of
# docker-compose.yml. Pulls them from an image registry if
# one can be reached. Otherwise builds stand-ins under the same names: Debian from its packages, from the mirror that apt
# uses here, with Redis and Postgres; node from npm, from the registry that npm is configured with.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../..
if [ "${1:-}" = --compose ]; then
  export engine_mode=compose
  # shellcheck source=infra/engine/places.sh
  source "$root/infra/engine/places.sh"
  export PATH=$programs/usr/bin:$PATH DOCKER_HOST=$address DOCKER_CONFIG=$folder/client
fi
images=(node:24-bookworm-slim postgres:17-bookworm redis:7-bookworm)

is_there() { docker image inspect "$1" >/dev/null 2>&1; }
missing=()
for image in "${images[@]}"; do is_there "$image" || missing+=("$image"); done
if [ "${#missing[@]}" -eq 0 ]; then exit 0; fi
# If the first one cannot be pulled, no registry answers.
if timeout 60 docker pull --quiet "${missing[0]}" >/dev/null 2>&1; then
  for image in "${missing[@]:1}"; do docker pull --quiet "$image" >/dev/null; done
  exit 0
fi
echo "offline: no image registry responds; building ${missing[*]} from packages"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$root/infra/engine/base-image.sh" &
base_image=$!

# Usage: unpack <package of npm> <folder>
unpack() {
  mkdir -p "$work/packed" "$work/$2"
  local archive
  archive=$(cd "$work/packed" && npm pack --silent "$1")
  tar -xzf "$work/packed/$archive" -C "$work/$2" --strip-components=1
}
case $(uname -m) in x86_64) architecture=x64 ;; *) architecture=arm64 ;; esac
node_version=$(node -p "require('$root/package.json').optionalDependencies['node-linux-$architecture']")
unpack "node-linux-$architecture@$node_version" context/node
unpack npm@11 context/npm
cp "$here/postgres-entrypoint.sh" "$work/context"
wait "$base_image"

builds=()
for image in "${missing[@]}"; do
  docker build --quiet --tag "$image" --file "$here/${image%%:*}.Dockerfile" "$work/context" >/dev/null &
  builds+=($!)
done
for build in "${builds[@]}"; do wait "$build"; done
