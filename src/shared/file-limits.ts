/** The most that a file of listings may have. */
export interface FileLimits {
  megabytes: number;
  rows: number;
  columns: number;
}

/** The defaults of MAX_FILE_MB, MAX_FILE_ROWS and MAX_FILE_COLUMNS. */
export const FILE_LIMITS: FileLimits = { megabytes: 200, rows: 1_000_000, columns: 500 };
