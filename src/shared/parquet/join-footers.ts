import { type Field, integerField, integerIn, joinStruct, listField, splitList, splitStruct } from "./thrift.ts";

/** Ids of the fields of Parquet's FileMetaData, SchemaElement and RowGroup (parquet.thrift). */
const SCHEMA = 2;
const ROW_GROUPS = 4;
const ORDERS = 7;
const CHILDREN = 5;
const COLUMNS = 1;
const UNPACKED = 2;
const PACKED = 6;

/**
 * Joins two footers whose columns lie in one file, in groups of the same rows: the columns of `own`, then those of `ours`. What else
 * `own` says, such as types that this program does not know, stays as it is.
 */
export function joinFooters(own: Buffer, ours: Buffer): Buffer {
  const file = splitStruct({ bytes: own, at: 0 });
  const added = splitStruct({ bytes: ours, at: 0 });
  file.set(SCHEMA, joinSchemas(splitList(file.get(SCHEMA)), splitList(added.get(SCHEMA))));
  const groups = splitList(added.get(ROW_GROUPS));
  const joined = splitList(file.get(ROW_GROUPS)).map((group, at) => joinGroups(group, groups[at] ?? Buffer.of(0)));
  file.set(ROW_GROUPS, listField(joined));
  const orders = file.get(ORDERS);
  if (orders) file.set(ORDERS, listField([...splitList(orders), ...splitList(added.get(ORDERS))]));
  return joinStruct(file);
}

/** The elements stand in the order of the tree, so that those of another root's children may follow. */
function joinSchemas([root, ...elements]: Buffer[], [added, ...more]: Buffer[]): Field {
  const [own, ours] = [root, added].map((bytes) => splitStruct({ bytes: bytes ?? Buffer.of(0), at: 0 }));
  if (own && ours) own.set(CHILDREN, sumOf(own.get(CHILDREN), ours.get(CHILDREN)));
  return listField([joinStruct(own ?? new Map()), ...elements, ...more]);
}

function joinGroups(group: Buffer, added: Buffer): Buffer {
  const own = splitStruct({ bytes: group, at: 0 });
  const ours = splitStruct({ bytes: added, at: 0 });
  own.set(COLUMNS, listField([...splitList(own.get(COLUMNS)), ...splitList(ours.get(COLUMNS))]));
  for (const id of [UNPACKED, PACKED]) if (own.has(id)) own.set(id, sumOf(own.get(id), ours.get(id)));
  return joinStruct(own);
}

function sumOf(own: Field | undefined, ours: Field | undefined): Field {
  const [a, b] = [own, ours].map((field) => (field ? integerIn(field) : 0));
  return integerField((own ?? ours)?.type ?? 0, (a ?? 0) + (b ?? 0));
}
