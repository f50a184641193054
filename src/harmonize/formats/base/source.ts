/** The bytes of a stored file, from any place. */
export interface Source {
  size: number;
  /** From `start` to before `end`. */
  bytes(start?: number, end?: number): AsyncIterable<Buffer>;
}

export async function slice(source: Source, start: number, end: number): Promise<Buffer> {
  const found: Buffer[] = [];
  for await (const piece of source.bytes(start, end)) found.push(piece);
  return Buffer.concat(found);
}
