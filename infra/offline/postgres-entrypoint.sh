#!/bin/sh
# Does what the upstream image's entrypoint does for the settings that docker-compose.yml uses: the first start creates the
# database cluster, the user and the user's database, with a server that listens on its socket only.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"
  pg_ctl --wait --options='-c listen_addresses=' start
  createdb --username="$POSTGRES_USER" "$POSTGRES_USER"
  pg_ctl --wait --mode=fast stop
fi
exec "$@"
