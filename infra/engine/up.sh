#!/usr/bin/env bash
# Finds an engine for the tests, or starts one: Debian's, unpacked into its own folder and listening on its own socket,
# without a bridge or firewall rules, because no sandbox has a network. It does not change the machine's network settings.
# Prints the engine's address and `found` or `started` to standard output. If no engine is available, says why and exits
# with 3. down.sh stops what this started. An engine that can run Compose: up-compose.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=infra/engine/places.sh
source "$here/places.sh"
# shellcheck source=infra/engine/programs.sh
source "$here/programs.sh"

# A zombie has no command line. An engine in a network namespace of its own is none of our business.
is_running() {
  local process
  for process in /proc/[0-9]*; do
    if [ "$(cat "$process/comm" 2>/dev/null)" = "$1" ] && [ -n "$(tr -d '\0' <"$process/cmdline" 2>/dev/null)" ] &&
      [ "$(readlink "$process/ns/net")" = "$(readlink /proc/self/ns/net)" ]; then return 0; fi
  done
  return 1
}

# gVisor, a runtime with its own kernel, for the tests that need it. They are skipped if it is not available.
fetch_runtime() {
  if [ -x "$programs/usr/bin/runsc" ]; then return; fi
  local work
  work=$(mktemp -d "$folder/fetching-XXXXXX")
  (cd "$work" && apt-get download runsc && dpkg-deb -x ./runsc_*.deb root && mv root/usr/bin/runsc "$programs/usr/bin/runsc") \
    >>"$folder/fetch.log" 2>&1 || say "continuing without runsc: $(tail -n 1 "$folder/fetch.log")"
  rm -rf "$work"
}

# The engine provides no network namespace that gVisor could take over, hence --network=none.
write_settings() {
  local runtimes=
  if [ -x "$programs/usr/bin/runsc" ]; then
    runtimes="\"runsc\": {\"path\": \"$programs/usr/bin/runsc\", \"runtimeArgs\": [\"--network=none\"]}"
  fi
  echo "{\"runtimes\": {$runtimes}}" >"$settings_file"
}

start_engine() {
  rm -f "$pid_file"
  say "starting $("$programs/usr/sbin/dockerd" --version)"
  # Without --ip-forward=false, the engine would make a router of the machine, and leave it one.
  setsid --fork env -i PATH="$engine_path" HOME="$folder" LD_LIBRARY_PATH="$libraries" \
    dockerd --config-file "$settings_file" --host "$address" --data-root "$folder/data" --exec-root "$folder/run" --pidfile "$pid_file" \
    --bridge none --iptables=false --ip6tables=false --ip-forward=false --log-level warn \
    </dev/null >"$folder/engine.log" 2>&1
  for _ in $(seq 120); do
    if answers "$address"; then return; fi
    sleep 0.25
    if [ -s "$pid_file" ] && ! kill -0 "$(cat "$pid_file")" 2>/dev/null; then break; fi
  done
  "$here/down.sh"
  give_up "it did not start: $(tail -n 3 "$folder/engine.log" | tr '\n' ' ')"
}

for known in "${DOCKER_HOST:-}" "unix:///var/run/docker.sock" "$address"; do
  case $known in unix://*|tcp://*|http://*) ;; *) continue ;; esac
  if answers "$known"; then
    echo "$known found"
    exit 0
  fi
done
# A second daemon would take over the bridge and the firewall rules of the first.
if is_running dockerd; then give_up "a dockerd is running but does not respond; a second one would disturb it"; fi
require_programs

mkdir -p "$folder"
exec 9>"$folder/lock"
flock 9
packages=(docker.io containerd runc tini debootstrap)
ldconfig -p | grep -q libdevmapper.so.1.02.1 || packages+=(libdevmapper1.02.1)
ldconfig -p | grep -q libseccomp.so.2 || packages+=(libseccomp2)
fetch_programs engine "${packages[@]}"
fetch_runtime
write_settings
# Processes that keep running must not inherit the lock.
start_engine 9>&-
DOCKER_HOST=$address "$here/base-image.sh" >&2 9>&- || {
  "$here/down.sh" 9>&-
  give_up "there is no base image, and it could not be built"
}
echo "$address started"
