# A sandbox: the toolbox, Node 24, npm, pnpm, Yarn, git, ps and ripgrep. Images with more programs are built on top of this
# one. The broker accepts only images without volumes of their own. The layers that change most often come last.
#
# The first stages lay the files of the image out. `npm run sandbox:image` does that on the host and replaces them, so that
# it needs no other base image than Debian. They are explained in api.Dockerfile.
# context begins
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

FROM dependencies AS context
COPY --from=files /image .
RUN --mount=type=cache,id=fettle-npm,target=/root/.npm \
    --mount=type=secret,id=ca --mount=type=secret,id=npmrc,target=/root/.npmrc \
    if [ -s /run/secrets/ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/ca; fi \
 && node services/sandbox-broker/src/image/lay-out-main.ts /context
# context ends
FROM debian:bookworm-slim

RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends ca-certificates e2fsprogs git procps ripgrep \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old /var/log/* /usr/share/doc/* /usr/share/man/* \
 # With no-new-privileges, setuid bits have no effect. Remove them anyway, so that there is nothing to try.
 && find / -xdev -type f -perm /6000 -exec chmod ug-s {} + \
 && groupadd --gid 1001 sandbox \
 && useradd --uid 1001 --gid 1001 --home-dir /sandbox --no-create-home --shell /bin/sh sandbox \
 # Every sandbox has its own user, and all users share the group (see sandbox-users.ts of the broker).
 && seq 60601 61000 | sed 's|.*|sandbox-&:x:&:1001::/sandbox:/bin/sh|' >> /etc/passwd \
 # A new volume copies owner and mode from this folder.
 && install --directory --owner=0 --group=1001 --mode=0770 /sandbox
LABEL fettle.sandbox.users=60601-61000

COPY --from=context /context/node /opt/fettle/bin/node
COPY --from=context /context/npm /opt/fettle/npm
COPY --from=context /context/pnpm /opt/fettle/pnpm
COPY --from=context /context/yarn /opt/fettle/yarn
RUN ln -s /opt/fettle/bin/node /usr/local/bin/node \
 && ln -s /opt/fettle/npm/bin/npm-cli.js /usr/local/bin/npm \
 && ln -s /opt/fettle/npm/bin/npx-cli.js /usr/local/bin/npx \
 && ln -s /opt/fettle/pnpm/pnpm /usr/local/bin/pnpm \
 && ln -s /opt/fettle/yarn/bin/yarn.js /usr/local/bin/yarn

COPY --from=context /context/toolbox /opt/fettle/toolbox
ENV NODE_COMPILE_CACHE=/opt/fettle/compile-cache
RUN install --directory --owner=1001 --group=1001 /opt/fettle/compile-cache
# Type stripping takes most of the toolbox's start, so the compile cache is filled here. The cache depends on the user:
# user 1001 fills it, and every other user gets a link to it. It also depends on Node's options, which must equal those in
# packages/sandbox/src/backends/node-options.ts.
USER 1001:1001
WORKDIR /sandbox
RUN sleep 2 | /opt/fettle/bin/node --disable-warning=ExperimentalWarning --max-semi-space-size=1 /opt/fettle/toolbox/src/toolbox/main.ts >/dev/null
USER 0:0
RUN chown -R 0:0 /opt/fettle/compile-cache && chmod -R a+rX,go-w /opt/fettle/compile-cache \
 && cd /opt/fettle/compile-cache && filled=$(ls) \
 && for user in $(seq 60601 61000); do ln -s "$filled" "${filled%-1001}-$user"; done
USER 1001:1001
ENTRYPOINT ["/opt/fettle/bin/node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=1", "/opt/fettle/toolbox/src/toolbox/main.ts"]
