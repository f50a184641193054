# Node 24 with production dependencies only, as an unprivileged user. PostgreSQL runs in another container (compose.yaml).
FROM node:24-bookworm-slim AS build
WORKDIR /samespot
COPY package.json package-lock.json .npmrc prisma.config.ts ./
COPY prisma ./prisma
RUN npm ci --omit=optional --ignore-scripts && npx prisma generate \
  && npm prune --omit=dev --omit=optional --ignore-scripts && rm -rf node_modules/.cache

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 APP_PORT=3000 AUTH_PORT=3001 API_PORT=3002 METRICS_PORT=3003 DATA_DIR=/data
WORKDIR /samespot
RUN ln -s /samespot/src/cli.ts /usr/local/bin/samespot && install -d -o node -g node /data
COPY --from=build /samespot/node_modules ./node_modules
COPY package.json package-lock.json .npmrc LICENSE node-version.mjs ./
COPY prisma ./prisma
COPY public ./public
COPY views ./views
COPY examples ./examples
COPY src ./src
COPY --from=build /samespot/src/db/generated ./src/db/generated
# What `git describe --tags` says, because .git is not in the build folder; without it the image has the version of package.json.
ARG VERSION=
RUN echo "$VERSION" > VERSION
USER node
VOLUME /data
EXPOSE 3000 3001 3002
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "src/start/healthcheck.ts"]
CMD ["node", "src/main.ts"]
