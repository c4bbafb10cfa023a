# A stand-in for postgres:17-bookworm. Debian 12 does not have version 17, so it comes from Debian 13 with its libraries.
FROM debian:bookworm-slim
RUN sed 's/bookworm/trixie/g' /etc/apt/sources.list >/etc/apt/sources.list.d/trixie.list \
 && groupadd --system --gid 999 postgres \
 && useradd --system --uid 999 --gid postgres --home-dir /var/lib/postgresql --no-create-home postgres \
 && mkdir -p /etc/postgresql-common && echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf \
 && apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends --option Dpkg::Options::=--force-confold postgresql-17 \
 && rm -rf /var/lib/apt/lists/* \
 && install --directory --owner=postgres --group=postgres --mode=1777 /var/lib/postgresql/data /var/run/postgresql
COPY postgres-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
ENV PATH=/usr/lib/postgresql/17/bin:$PATH PGDATA=/var/lib/postgresql/data
# Ends connections instead of waiting for them.
STOPSIGNAL SIGINT
VOLUME /var/lib/postgresql/data
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
