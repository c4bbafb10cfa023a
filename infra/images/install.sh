#!/bin/sh
# Part of the images' builds: `install.sh <package>...` installs their production dependencies, `install.sh --dev
# <package>...` all dependencies. A company's CA and npm settings come as build secrets.
set -eu
production=--prod
if [ "$1" = --dev ]; then production= && shift; fi
filters=
for name in "$@"; do filters="$filters --filter=$name..."; done
if [ -s /run/secrets/ca ]; then
  export NODE_EXTRA_CA_CERTS=/run/secrets/ca SSL_CERT_FILE=/run/secrets/ca npm_config_cafile=/run/secrets/ca
fi
# shellcheck disable=SC2086
exec npx --yes "$(node -p 'require("./package.json").packageManager')" install --frozen-lockfile --no-optional \
  --store-dir=/pnpm/store $production $filters
