import type { ByteReader } from "./byte-reader.ts";
import { DAMAGED, refusal } from "./header.ts";
import type { Seal } from "./seal.ts";

/** Bytes of a frame before it is sealed. */
const FRAME = 256 * 1024;
const LENGTH_BYTES = 4;

/** Cuts a stream into sealed frames, each after its length. The last one is marked, so that a cut file is noticed. */
export async function* toFrames(source: AsyncIterable<Uint8Array>, seal: Seal): AsyncGenerator<Buffer> {
  let [parts, have, index]: [Uint8Array[], number, number] = [[], 0, 0];
  for await (const chunk of source) {
    parts.push(chunk);
    have += chunk.length;
    if (have <= FRAME) continue;
    let rest: Buffer = Buffer.concat(parts);
    for (; rest.length > FRAME; rest = rest.subarray(FRAME))
      yield frameOf(seal.close(rest.subarray(0, FRAME), { index: index++, isLast: false }));
    [parts, have] = [[rest], rest.length];
  }
  yield frameOf(seal.close(Buffer.concat(parts), { index, isLast: true }));
}

function frameOf(sealed: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(sealed.length);
  return Buffer.concat([length, sealed]);
}

/** Throws a KnownError at the first frame that is not as it was made. */
export async function* fromFrames(reader: ByteReader, seal: Seal): AsyncGenerator<Buffer> {
  for (let [index, isLast] = [0, false]; !isLast; index++) {
    const length = (await reader.take(LENGTH_BYTES))?.readUInt32BE() ?? 0;
    if (length < seal.overhead || length > FRAME + seal.overhead) throw refusal(DAMAGED);
    const frame = await reader.take(length);
    isLast = await reader.isOver();
    const bytes = frame && seal.open(frame, { index, isLast });
    if (!bytes) throw refusal(DAMAGED);
    yield bytes;
  }
}
