# The api. The whole workspace is copied, because Node does not strip types under node_modules, and our packages there
# are links into the workspace.
FROM node:24-bookworm-slim AS workspace
WORKDIR /app
COPY . .
ENV PRISMA_SCHEMA_ENGINE_BINARY=/bin/true
RUN npx --yes "$(node -p 'require("./package.json").packageManager')" install --frozen-lockfile --prod --no-optional \
 && cd packages/database && node_modules/.bin/prisma generate

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=workspace /app /app
RUN mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=production FETTLE_HOME=/data FETTLE_PORT=4747
EXPOSE 4747
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4747/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/api/src/main.ts"]
