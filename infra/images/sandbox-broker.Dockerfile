# The sandbox broker: the only container with the engine's socket, which is mounted into it. It runs as the socket's
# owner, with no capabilities except the two that it needs to count hidden files. Workers reach it over an internal
# network.
FROM node:24-bookworm-slim AS workspace
WORKDIR /app
COPY . .
RUN npx --yes "$(node -p 'require("./package.json").packageManager')" install --frozen-lockfile --prod --no-optional

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=workspace /app /app
USER 0:0
ENV NODE_ENV=production FETTLE_BROKER_HOST=0.0.0.0 FETTLE_BROKER_PORT=4748
EXPOSE 4748
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4748/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/sandbox-broker/src/main.ts"]
