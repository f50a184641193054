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

const PIECE = 256 * 1024;
/** Pieces that are kept, because zip files and columns are read in small steps from several places. */
const KEPT = 8;

/** Bytes that are read in pieces of PIECE, each from a multiple of it. Several may be asked for at once. */
export function sourceOfPieces(size: number, read: (start: number, end: number) => Promise<Uint8Array>): Source {
  const kept = new Map<number, Promise<Uint8Array>>();
  function pieceFrom(start: number): Promise<Uint8Array> {
    const piece = kept.get(start) ?? read(start, Math.min(start + PIECE, size));
    kept.delete(start);
    kept.set(start, piece);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return piece;
  }
  return {
    size,
    async *bytes(from = 0, to = size) {
      for (let at = from; at < to; ) {
        const start = at - (at % PIECE);
        const { buffer, byteOffset, length } = await pieceFrom(start);
        const end = Math.min(to - start, length);
        if (end <= at - start) return; // behind the end of the file
        yield Buffer.from(buffer, byteOffset + at - start, end - (at - start));
        at = start + end;
      }
    },
  };
}
