/** A layer of a vector tile: its features have a kind, names and a shape in tile units, of which a tile has 4096 a side. */
export interface Layer {
  name: string;
  features: Feature[];
}
export interface Feature {
  type: "point" | "line" | "polygon";
  points: [number, number][];
  properties: Record<string, string | number>;
}

export const EXTENT = 4096;
const TYPES = { point: 1, line: 2, polygon: 3 };

/** Encodes layers as a Mapbox Vector Tile, version 2.1. */
export function encodeTile(layers: Layer[]): Buffer {
  return Buffer.concat(layers.map((layer) => bytes(3, encodeLayer(layer))));
}

function encodeLayer({ name, features }: Layer): Buffer {
  const keys = [...new Set(features.flatMap(({ properties }) => Object.keys(properties)))];
  const values = [...new Set(features.flatMap(({ properties }) => Object.values(properties)))];
  const encoded = features.map(({ type, points, properties }) => {
    const tags = Object.entries(properties).flatMap(([key, value]) => [keys.indexOf(key), values.indexOf(value)]);
    return Buffer.concat([bytes(2, packed(tags)), number(3, TYPES[type]), bytes(4, packed(commands(type, points)))]);
  });
  return Buffer.concat([
    number(15, 2),
    bytes(1, Buffer.from(name)),
    ...encoded.map((each) => bytes(2, each)),
    ...keys.map((key) => bytes(3, Buffer.from(key))),
    ...values.map((value) => bytes(4, typeof value === "string" ? bytes(1, Buffer.from(value)) : number(5, value))),
    number(5, EXTENT),
  ]);
}

function commands(type: Feature["type"], points: [number, number][]): number[] {
  let [x, y] = [0, 0];
  const moves = points.map(([toX, toY]) => {
    const move = [zigzag(toX - x), zigzag(toY - y)];
    [x, y] = [toX, toY];
    return move;
  });
  const command = (id: number, count: number) => id | (count << 3);
  const [first = [], ...others] = moves;
  const lines = others.length > 0 ? [command(2, others.length), ...others.flat()] : [];
  return [command(1, 1), ...first, ...lines, ...(type === "polygon" ? [command(7, 1)] : [])];
}

const zigzag = (value: number) => (value << 1) ^ (value >> 31);
const packed = (values: number[]) => Buffer.concat(values.map(varint));
const number = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field: number, content: Buffer) =>
  Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);

export function varint(value: number): Buffer {
  const result: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) result.push((rest % 128) + 128);
  return Buffer.from([...result, rest]);
}
