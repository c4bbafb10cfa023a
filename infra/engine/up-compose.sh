#!/usr/bin/env bash
# Starts an engine that can run Compose, beside any other engine: with a bridge and firewall rules, in a network namespace
# of its own, and slirp4netns as its way out. So the network settings of the machine stay as they are. Prints the engine's
# address, the id of a process in its namespace, and `found` or `started`. If it cannot run here, says why and exits with 3.
# `down.sh --compose` stops it. The published ports of its containers are inside of its namespace:
#   nsenter --net --target <process> curl http://127.0.0.1:4747/readyz
set -euo pipefail
export engine_mode=compose
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=infra/engine/places.sh
source "$here/places.sh"
# shellcheck source=infra/engine/programs.sh
source "$here/programs.sh"

later_suite=sid
network_pid_file=$folder/network.pid

fetch_all() {
  local packages=(docker.io containerd runc tini debootstrap iptables slirp4netns libslirp0 libxtables12 libip4tc2 libip6tc2
    libmnl0 libnftnl11 libnfnetlink0 libnetfilter-conntrack3)
  ldconfig -p | grep -q libdevmapper.so.1.02.1 || packages+=(libdevmapper1.02.1)
  ldconfig -p | grep -q libseccomp.so.2 || packages+=(libseccomp2)
  ldconfig -p | grep -q libglib-2.0.so.0 || packages+=(libglib2.0-0)
  fetch_programs engine "${packages[@]}"
  fetch_later_programs "$later_suite" compose docker-compose docker-buildx
  mkdir -p "$folder/client/cli-plugins"
  local plugin
  for plugin in docker-compose docker-buildx; do
    ln -sf "$(find "$programs/usr" -name "$plugin" -type f -perm -u+x | head -n 1)" "$folder/client/cli-plugins/$plugin"
  done
}

# The kernel may have one of the two implementations only.
choose_iptables() {
  local kind name
  for kind in nft legacy; do
    for name in iptables ip6tables; do ln -sf "$name-$kind" "$programs/usr/sbin/$name"; done
    if unshare --net env "${tables[@]}" "$programs/usr/sbin/iptables" -t nat -N fettle 2>/dev/null; then return; fi
  done
  give_up "iptables does not work with this kernel"
}

start_engine() {
  rm -f "$pid_file" "$network_pid_file" "$folder/stopping"
  echo '{}' >"$settings_file"
  say "starting $("$programs/usr/sbin/dockerd" --version), in a network namespace"
  # Mounts are private to it too. It is started again when it ends, as a service manager does, unless down.sh ends it.
  # shellcheck disable=SC2016
  setsid --fork unshare --net --mount --propagation private env -i PATH="$engine_path" HOME="$folder" "${tables[@]}" \
    sh -c '
      echo $$ >"$1/network.pid"
      until grep -q tap0 /proc/self/net/dev; do sleep 0.05; done
      while [ ! -e "$1/stopping" ]; do
        dockerd --config-file "$1/engine.json" --host "unix://$1/engine.sock" --data-root "$1/data" --exec-root "$1/run" \
          --pidfile "$1/engine.pid" --dns 10.0.2.3 --log-level warn
        sleep 0.2
      done' engine "$folder" </dev/null >"$folder/engine.log" 2>&1
  until [ -s "$network_pid_file" ]; do sleep 0.05; done
  local inside
  inside=$(cat "$network_pid_file")
  setsid --fork env LD_LIBRARY_PATH="$libraries" "$programs/usr/bin/slirp4netns" --configure --mtu=65520 \
    --disable-host-loopback "$inside" tap0 </dev/null >"$folder/slirp.log" 2>&1
  for _ in $(seq 120); do
    if answers "$address"; then return; fi
    sleep 0.25
    kill -0 "$inside" 2>/dev/null || break
  done
  "$here/down.sh" --compose
  give_up "it did not start: $(tail -n 3 "$folder/engine.log" "$folder/slirp.log" | tr '\n' ' ')"
}

if answers "$address"; then
  echo "$address $(cat "$network_pid_file") found"
  exit 0
fi
require_programs unshare nsenter
[ -c /dev/net/tun ] || give_up "there is no /dev/net/tun, which the network of its namespace needs"

mkdir -p "$folder"
exec 9>"$folder/lock"
flock 9
fetch_all
libraries=$(echo "$programs"/usr/lib/*-linux-gnu "$programs"/lib/*-linux-gnu | tr ' ' ':')
tables=("LD_LIBRARY_PATH=$libraries" "XTABLES_LIBDIR=$(echo "$programs"/usr/lib/*-linux-gnu/xtables)")
choose_iptables
# Processes that keep running must not inherit the lock.
start_engine 9>&-
echo "$address $(cat "$network_pid_file") started"
