export interface ByteReader {
  /** Returns exactly `length` bytes, or undefined if fewer are left. */
  take(length: number): Promise<Buffer | undefined>;
  /** Returns the text before the next line feed; undefined if there is none within `most` bytes. */
  line(most: number): Promise<string | undefined>;
  isOver(): Promise<boolean>;
}

/** Reads a stream piece by piece. Holds one chunk of it and the piece. */
export function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let ended = false;

  async function fill(length: number): Promise<boolean> {
    const parts = [rest];
    let have = rest.length;
    while (have < length && !ended) {
      const { done, value } = await chunks.next();
      if (done) ended = true;
      else {
        parts.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
        have += value.byteLength;
      }
    }
    if (parts.length > 1) rest = Buffer.concat(parts);
    return have >= length;
  }

  async function take(length: number): Promise<Buffer | undefined> {
    if (!(await fill(length))) return undefined;
    const piece = rest.subarray(0, length);
    rest = rest.subarray(length);
    return piece;
  }

  return {
    take,
    async line(most) {
      for (let have = 1; have <= most; have = rest.length + 1) {
        const isMore = await fill(have);
        const at = rest.indexOf(10);
        if (at >= 0) return (await take(at + 1))?.toString("utf8", 0, at);
        if (!isMore) return undefined;
      }
      return undefined;
    },
    isOver: async () => !(await fill(1)),
  };
}
