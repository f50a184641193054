/** A file as its owner would describe it, and its bytes. */
export interface AwkwardFile {
  what: string;
  bytes: Buffer | Promise<Buffer>;
}

export const lines = (...rows: string[]): string => `${rows.join("\n")}\n`;

export const HEADER = "id,name,lat,lng";
export const JOE = "1,Joe’s Pizza,41.8236,-71.4222";
export const ANN = "2,Café Ann,41.8246,-71.4122";
export const LIST = lines(HEADER, JOE, ANN);
