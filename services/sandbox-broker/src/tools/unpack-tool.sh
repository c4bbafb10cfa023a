# Runs in a container without a network, with the volume of tools and an archive on standard input. Only a complete tool
# gets its name: everything else stays in a draft. Exits with 3 if the volume is full, and with 4 for another digest.
set -eu
folder=$1 digest=$2 programs=$3 max_mb=$4 draft_minutes=$5
umask 022
cd /opt/fettle/tools
find . -maxdepth 1 -name '.draft-*' -mmin "+$draft_minutes" -exec rm -rf {} +
if [ -d "$folder" ]; then cat >/dev/null; exit 0; fi
draft=$(mktemp -d ./.draft-XXXXXX)
trap 'rm -rf "$draft"' EXIT

cat >"$draft/archive"
found=$(sha512sum <"$draft/archive")
if [ "${found%% *}" != "$digest" ]; then echo 'the archive does not have the digest that the request names' >&2; exit 4; fi
used_mb=$(du -sm . | cut -f 1)
size_mb=$(($(gzip -dc "$draft/archive" | head -c "$((max_mb * 1048576 + 1))" | wc -c) / 1048576))
if [ "$((used_mb + size_mb))" -ge "$max_mb" ]; then echo 'the volume of tools is full' >&2; exit 3; fi

mkdir -p "$draft/finished/package" "$draft/finished/bin"
tar -xzf "$draft/archive" -C "$draft/finished/package" --strip-components=1 --no-same-owner --no-same-permissions
# The packages of npm contain files only.
links=$(find "$draft/finished/package" '(' ! -type f ! -type d ')' -o '(' -type f -links +1 ')' | head -n 1)
if [ -n "$links" ]; then echo 'the archive contains a link or a special file' >&2; exit 1; fi
/opt/fettle/bin/node -e '
  const { chmodSync, readFileSync, symlinkSync } = require("node:fs");
  const [folder, listed] = process.argv.slice(1);
  const named = listed || JSON.stringify(JSON.parse(readFileSync(`${folder}/package/package.json`, "utf8")).bin);
  for (const [name, given] of Object.entries(JSON.parse(named))) {
    const path = require("node:path").normalize(given);
    if (!/^[\w.-]+$/.test(name) || /^\.+$/.test(name) || path.startsWith("..") || path.startsWith("/")) continue;
    chmodSync(`${folder}/package/${path}`, 0o755);
    symlinkSync(`../package/${path}`, `${folder}/bin/${name}`);
  }' "$draft/finished" "$programs"
chmod -R a+rX,go-w "$draft/finished"
# A machine that loses power must not find an empty file under a finished name.
sync -f .
# If another process was faster, its folder stays.
mv -T "$draft/finished" "$folder" 2>/dev/null || [ -d "$folder" ]
