/** Defaults of every view for tests that render views without a server's settings. */
export const FRAME = {
  nav: "none",
  home: "/",
  mapTiles: undefined,
  basemap: undefined,
  streets: false,
  isSample: false,
  signUp: false,
} as const;
