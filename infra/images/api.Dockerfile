# The api, with the command line: `docker compose exec api fettle …`. Node does not strip types under node_modules, so our
# packages there are links into the workspace. The first stage runs for every change, the next two only if its result for
# them has changed.
FROM node:24-bookworm-slim AS files
WORKDIR /context
COPY . .
RUN node infra/images/select-files.mjs @fettle/api @fettle/cli && cp infra/images/install.sh /manifests

FROM node:24-bookworm-slim AS client
WORKDIR /app
COPY --from=files /manifests .
ARG HTTP_PROXY HTTPS_PROXY NO_PROXY
RUN --mount=type=cache,id=fettle-pnpm,target=/pnpm --mount=type=cache,id=fettle-npm,target=/root/.npm \
    --mount=type=secret,id=ca --mount=type=secret,id=npmrc,target=/root/.npmrc \
    sh install.sh --dev @fettle/database
COPY --from=files /schema .
# Generating does not use the engine, which Prisma would download otherwise.
RUN cd packages/database && PRISMA_SCHEMA_ENGINE_BINARY=/bin/true node_modules/.bin/prisma generate

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY --from=files /manifests .
RUN --mount=type=cache,id=fettle-pnpm,target=/pnpm --mount=type=cache,id=fettle-npm,target=/root/.npm \
    --mount=type=secret,id=ca --mount=type=secret,id=npmrc,target=/root/.npmrc \
    sh install.sh @fettle/api @fettle/cli \
 # Prisma brings its query compiler for every database, in two formats.
 && find node_modules/.pnpm/@prisma+client*/ -path '*/runtime/*' \
      \( -name '*mysql*' -o -name '*sqlite*' -o -name '*sqlserver*' -o -name '*cockroachdb*' -o -name '*.map' -o -name '*edge*' \) -delete \
 && ln -s "$(command -v node)" node_modules/.bin/node

FROM node:24-bookworm-slim
RUN ln -s /app/packages/cli/bin/fettle.js /usr/local/bin/fettle && install --directory --owner=node --group=node /data
WORKDIR /app
COPY --from=dependencies /app .
COPY --from=client /app/packages/database/src/generated packages/database/src/generated
COPY --from=files /sources .
USER node
ENV NODE_ENV=production FETTLE_HOME=/data FETTLE_PORT=4747 FETTLE_URL=http://127.0.0.1:4747
EXPOSE 4747
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4747/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/api/src/main.ts"]
