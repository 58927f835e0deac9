# syntax=docker/dockerfile:1
# The image of Heyline: docs/package.md. RUN lines name no absolute paths, so that scripts/replay-image.mjs can run them without a container.

FROM node:24-trixie-slim AS build
WORKDIR /build
COPY . .
RUN npm ci && npm run package
RUN mkdir -p image/heyline image/data && tar -xzf out/heyline-*.tgz -C image/heyline --strip-components=1

# Node, the libraries that it needs, and nothing else: no shell and no package manager.
FROM gcr.io/distroless/nodejs24-debian13:nonroot
COPY --from=build /build/image/heyline /heyline
COPY --from=build --chown=65532:65532 /build/image/data /data
COPY --chmod=755 scripts/image/heyline /usr/local/bin/heyline
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /data
USER 65532:65532
# Everything else may be read-only.
VOLUME ["/data"]
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["/nodejs/bin/node", "/heyline/bin/healthcheck.js"]
ENTRYPOINT ["/usr/local/bin/heyline"]
CMD ["start"]
