# The gateway: the way in from the published port (entrance), the way out of the workers (egress), and the script that
# hands the secrets out. The stages are explained in api.Dockerfile.
FROM node:24-bookworm-slim AS files
WORKDIR /context
COPY . .
RUN node infra/images/select-files.mjs @fettle/gateway && cp infra/images/install.sh /manifests

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY --from=files /manifests .
ARG HTTP_PROXY HTTPS_PROXY NO_PROXY
RUN --mount=type=cache,id=fettle-pnpm,target=/pnpm --mount=type=cache,id=fettle-npm,target=/root/.npm \
    --mount=type=secret,id=ca --mount=type=secret,id=npmrc,target=/root/.npmrc \
    sh install.sh @fettle/gateway

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=dependencies /app .
COPY --from=files /sources .
USER node
ENV NODE_ENV=production
