# Programs from Debian's packages, from the mirrors that apt is configured with. They are only unpacked, not installed:
# the machine is not changed. For up.sh and up-compose.sh, after places.sh.

say() { echo "engine: $*" >&2; }
give_up() { say "$*"; exit 3; }

answers() {
  node -e '
    const { hostname, port, pathname, protocol } = new URL(process.argv[1]);
    const place = protocol === "unix:" ? { socketPath: pathname } : { hostname, port: port || 2375 };
    const failed = () => process.exit(1);
    const asked = require("node:http").get({ ...place, path: "/_ping" }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1));
    asked.on("error", failed);
    setTimeout(failed, 5000);
  ' "$1" 2>/dev/null
}

require_programs() {
  if [ "$(uname -s)" != Linux ] || [ "$(id -u)" -ne 0 ]; then give_up "starting an engine needs Linux and root"; fi
  local needed
  for needed in apt-get dpkg-deb setsid "$@"; do
    command -v "$needed" >/dev/null || give_up "$needed is missing, which is needed to start an engine"
  done
}

# Usage: fetch_programs <name of the set> <package>...
fetch_programs() {
  local proof=$programs/.fetched-$1
  shift
  if [ -e "$proof" ]; then return; fi
  local work
  work=$(mktemp -d "$folder/fetching-XXXXXX")
  say "downloading $*"
  (
    cd "$work"
    apt-get download "$@" || { apt-get update && apt-get download "$@"; }
    mkdir root
    for package in ./*.deb; do dpkg-deb -x "$package" root; done
  ) >"$folder/fetch.log" 2>&1 || { rm -rf "$work"; give_up "the packages could not be downloaded: $(tail -n 1 "$folder/fetch.log")"; }
  mkdir -p "$programs"
  cp -a "$work/root/." "$programs"
  touch "$proof"
  rm -rf "$work"
}

# The same from another suite of the mirror that apt uses, with an apt of its own. Only for programs that run on any
# Debian (written in Go). Usage: fetch_later_programs <suite> <name of the set> <package>...
fetch_later_programs() {
  local suite=$1 proof=$programs/.fetched-$2
  shift 2
  if [ -e "$proof" ]; then return; fi
  local work mirror
  mirror=$(debian_mirror)
  work=$(mktemp -d "$folder/fetching-XXXXXX")
  say "downloading $* from Debian $suite"
  (
    cd "$work"
    mkdir -p lists/partial cache/archives/partial root
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >sources.list
    options=(-o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
      -o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache")
    apt-get "${options[@]}" update && apt-get "${options[@]}" download "$@"
    for package in ./*.deb; do dpkg-deb -x "$package" root; done
  ) >>"$folder/fetch.log" 2>&1 || { rm -rf "$work"; give_up "packages could not be downloaded: $(tail -n 1 "$folder/fetch.log")"; }
  cp -a "$work/root/." "$programs"
  touch "$proof"
  rm -rf "$work"
}

debian_mirror() {
  apt-get indextargets --format '$(SITE) $(REPO_URI)' "Created-By: Packages" "Codename: bookworm" "Component: main" |
    awk 'NR == 1 { print $2 }'
}
