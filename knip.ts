import type { KnipConfig } from "knip";

export default {
  workspaces: {
    ".": {
      entry: [
        "src/start/healthcheck.ts",
        "public/app.js",
        "public/{checkins,hand-over,harmonize,review,upload}.js",
        "views/**/*.eta",
        "test/**/{*-,}child.ts",
        "test/openrefine/{vitest.config,openrefine.check}.ts",
        "test/cluster/{vitest.config,cluster.check}.ts",
        "bench/*.ts",
        "bench/support/{constant-server,duckdb-peer,make-example-listings,make-noisy-sample,peak-memory,plain-loop,tutorial-server}.ts",
      ],
      project: [
        "src/**/*.ts",
        "!src/db/generated/**",
        "test/**/*.ts",
        "bench/**/*.ts",
        "prisma/**/*.ts",
        "public/*.js",
        "views/**/*.eta",
      ],
    },
    "test/clients": {
      entry: ["*.test.ts", "*-child.ts"],
      project: ["*.ts"],
      // Imported by the program that the test of the generated client writes.
      ignoreDependencies: ["openapi-fetch"],
    },
  },
  ignoreDependencies: ["leaflet", "maplibre-gl", "@maplibre/maplibre-gl-leaflet", "@prisma/client"],
  ignoreBinaries: [
    "mkfifo",
    "chroot",
    "unshare",
    "apt-get",
    "prometheus",
    "promtool",
    "setpriv",
    "haproxy",
    "mount",
    "umount",
  ],
  ignoreExportsUsedInFile: true,
  // A view says which types it takes.
  compilers: { eta: (text: string) => [...text.matchAll(/import type [^;]+;/g)].join("\n") },
} satisfies KnipConfig;
