import type { Breakage } from "../breakage.ts";

const basemap = "test/http/basemap.test.ts";

/** The file of streets: W27. */
export const basemapBreakages: Breakage[] = [
  {
    id: "W27",
    breaks: "a range of the map's file is as long as it is asked for",
    file: "src/http/files/basemap.ts",
    find: "const end = Math.min(wanted, start + MOST_BYTES - 1);",
    replace: "const end = wanted;",
    test: basemap,
  },
  {
    id: "W27",
    breaks: "the map's file is sent if the asker has another version of it",
    file: "src/http/files/basemap.ts",
    find: " || (ifRange !== undefined && ifRange !== etag)",
    replace: "",
    test: basemap,
  },
  {
    id: "W27",
    breaks: "parts of a changed file of the map are sent",
    file: "src/http/files/basemap.ts",
    find: "if (size !== basemap.size || mtimeMs !== basemap.mtimeMs)",
    replace: "if (size !== basemap.size)",
    test: basemap,
  },
];
