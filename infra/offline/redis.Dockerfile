# A stand-in for redis:7-bookworm.
FROM debian:bookworm-slim
RUN groupadd --system --gid 999 redis \
 && useradd --system --uid 999 --gid redis --home-dir /data --no-create-home redis \
 && apt-get update && apt-get install --yes --no-install-recommends redis-server && rm -rf /var/lib/apt/lists/* \
 && install --directory --owner=redis --group=redis /data
VOLUME /data
WORKDIR /data
CMD ["redis-server"]
