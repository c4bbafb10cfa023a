# The sandbox broker: the only container with the engine's socket, which is mounted into it. It runs as the socket's
# owner, without any capability. Workers reach it over an internal network. The stages are explained in api.Dockerfile.
FROM node:24-bookworm-slim AS files
WORKDIR /context
COPY . .
RUN node infra/images/select-files.mjs @fettle/sandbox-broker && cp infra/images/install.sh /manifests

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY --from=files /manifests .
ARG HTTP_PROXY HTTPS_PROXY NO_PROXY
RUN --mount=type=cache,id=fettle-pnpm,target=/pnpm --mount=type=cache,id=fettle-npm,target=/root/.npm \
    --mount=type=secret,id=ca --mount=type=secret,id=npmrc,target=/root/.npmrc \
    sh install.sh @fettle/sandbox-broker

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=dependencies /app .
COPY --from=files /sources .
USER 0:0
ENV NODE_ENV=production FETTLE_BROKER_HOST=0.0.0.0 FETTLE_BROKER_PORT=4748
EXPOSE 4748
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4748/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/sandbox-broker/src/main.ts"]
