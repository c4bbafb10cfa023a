#!/usr/bin/env bash
# Makes sure that the engine has the base image. Pulls it from an image registry if one can be reached. Otherwise builds
# it from Debian packages, from the mirror that apt uses here, under the name that the Dockerfiles expect.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=infra/engine/places.sh
source "$here/places.sh"
PATH=$engine_path:$PATH

suite=bookworm
image=debian:$suite-slim

if docker image inspect "$image" >/dev/null 2>&1; then exit 0; fi
if timeout 60 docker pull --quiet "$image" >/dev/null 2>&1; then exit 0; fi

mirror=$(apt-get indextargets --format '$(SITE) $(REPO_URI)' "Created-By: Packages" "Codename: $suite" "Component: main" |
  awk 'NR == 1 { print $2 }')
if [ -z "$mirror" ]; then
  echo "engine: no image registry responds, and apt has no mirror for Debian $suite"
  exit 1
fi
echo "engine: no image registry responds; building $image from packages"
command -v debootstrap >/dev/null || { echo "engine: install debootstrap for that"; exit 1; }
if [ -d "$programs/usr/share/debootstrap" ]; then export DEBOOTSTRAP_DIR=$programs/usr/share/debootstrap; fi
mkdir -p "$folder"
work=$(mktemp -d "$folder/base-XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
if ! debootstrap \
  --variant=minbase --merged-usr "$suite" "$work/root" "$mirror" >"$folder/base.log" 2>&1; then
  echo "engine: $(tail -n 1 "$folder/base.log")"
  exit 1
fi
rm -rf "$work"/root/var/cache/apt/archives/*.deb "$work"/root/var/lib/apt/lists/* "$work"/root/usr/share/{doc,man,locale}/*
# As apt is configured here: a mirror may be older than its releases are valid for.
apt-config dump | grep '^Acquire::Check-Valid-Until ' >"$work/root/etc/apt/apt.conf.d/90-as-on-this-machine" || true
if [[ $mirror == https://* && -s /etc/ssl/certs/ca-certificates.crt ]]; then
  install -D --mode=0644 /etc/ssl/certs/ca-certificates.crt "$work/root/etc/ssl/certs/ca-certificates.crt"
fi
tar -C "$work/root" --sort=name --numeric-owner -c . | docker import - "$image" >/dev/null
