# One image for all functions; the argument is the function's name: reconcile, resync or mock.
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && rm dist/meta.json

FROM ${NODE_IMAGE}
WORKDIR /app
COPY --from=build /src/dist ./
# V8's code cache, filled by a short run of each function as it will run; read-only afterwards, which Node puts up with.
ENV NODE_ENV=production NODE_COMPILE_CACHE=/app/cache
RUN node warm.cjs && chmod -R a+rX /app
USER 65532:65532
EXPOSE 8080
ENTRYPOINT ["node", "start.cjs"]
CMD ["mock"]
