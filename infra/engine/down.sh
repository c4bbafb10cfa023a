#!/usr/bin/env bash
# Stops the engine that up.sh started, by its process id, with everything that runs in it. Its data stays for the next run
# unless --purge is given. With --compose, stops the one of up-compose.sh. An engine that was running before is not touched.
set -euo pipefail
for option in "$@"; do
  case $option in
    --compose) engine_mode=compose ;;
    --purge) purge=yes ;;
    *) echo "usage: down.sh [--compose] [--purge]" >&2; exit 2 ;;
  esac
done
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=infra/engine/places.sh
source "$here/places.sh"

# The process id may have been reused: the command line must name our folder.
is_ours() { names "$1" "$folder/"; }
names() { tr '\0' ' ' 2>/dev/null <"/proc/$1/cmdline" | grep -qF -- "$2"; } 2>/dev/null

wait_for_end() {
  for _ in $(seq "$2"); do
    if ! is_ours "$1"; then return 0; fi
    sleep 0.1
  done
  return 1
}

end_process() {
  if ! is_ours "$1"; then return; fi
  kill -TERM "$1" 2>/dev/null || true
  wait_for_end "$1" 200 || { kill -KILL "$1" 2>/dev/null || true; wait_for_end "$1" 50; }
}

# The engine of up-compose.sh is started again when it ends, until this file is there.
mkdir -p "$folder"
touch "$folder/stopping"

# Remove containers first: their processes would outlive the engine.
if [ -s "$pid_file" ] && is_ours "$(cat "$pid_file")"; then
  left=$(DOCKER_HOST=$address PATH=$engine_path docker ps --all --quiet 2>/dev/null || true)
  # shellcheck disable=SC2086
  if [ -n "$left" ]; then DOCKER_HOST=$address PATH=$engine_path docker rm --force --volumes $left >/dev/null 2>&1 || true; fi
  end_process "$(cat "$pid_file")"
fi
# Then its helper processes, in case the engine was killed before it could end them.
for process in /proc/[0-9]*; do
  name=$(cat "$process/comm" 2>/dev/null || true)
  case $name in dockerd|containerd|containerd-shim*|docker-proxy|slirp4netns) end_process "${process#/proc/}" ;; esac
done
# The loop that would start it again ends by itself, once it has seen the file.
if [ -s "$folder/network.pid" ]; then
  loop=$(cat "$folder/network.pid")
  for _ in $(seq 100); do
    names "$loop" "engine $folder" || break
    sleep 0.1
  done
fi
# Unmount what containers and namespaces left, innermost first.
if [ -d "$folder" ]; then
  awk -v folder="$(cd "$folder" && pwd -P)/" 'index($2, folder) == 1 { print $2 }' /proc/self/mounts | sort -r |
    while read -r place; do umount "$place" 2>/dev/null || umount --lazy "$place" || true; done
  rm -rf "$folder/run" "$folder/engine.sock" "$folder/stopping" "$folder/network.pid" "$pid_file"
fi
if [ "${purge:-}" = yes ]; then rm -rf --one-file-system "$folder"; fi
