import type { AsyncBuffer, FileMetaData, SchemaTree } from "hyparquet";
import { parquetHeader, readPage } from "hyparquet/src/column.js";
import { convert, convertWithDictionary, DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { decompressPage, readDataPage, readDataPageV2 } from "hyparquet/src/datapage.js";
import { getMaxDefinitionLevel } from "hyparquet/src/schema.js";
import { compressors } from "hyparquet-compressors";

type DataReader = Parameters<typeof readPage>[0];
type ColumnDecoder = Parameters<typeof readPage>[2];
type ColumnMetaData = NonNullable<FileMetaData["row_groups"][number]["columns"][number]["meta_data"]>;

/** A column with values, in one group of rows. */
export interface Leaf {
  /** From the root of the schema. */
  path: SchemaTree[];
  metadata: ColumnMetaData;
}

/**
 * Returns a value for each row, or with `all` its values if it is in a list. hyparquet's own parquetRead() makes three arrays
 * for a row and a value in a list of structs, which takes ten times as long and as much memory.
 */
export async function readLeaf(file: AsyncBuffer, leaf: Leaf, { all }: { all: boolean }): Promise<unknown[]> {
  const { metadata, path } = leaf;
  const start = Number(metadata.dictionary_page_offset || metadata.data_page_offset);
  const bytes = await file.slice(start, start + Number(metadata.total_compressed_size));
  const reader: DataReader = { view: new DataView(bytes), offset: 0 };
  const decoder = decoderOf(leaf);
  const most = getMaxDefinitionLevel(path);
  const rows: unknown[] = [];
  let dictionary: ReturnType<typeof convert> | undefined;
  let left = Number(metadata.num_values);
  while (left > 0) {
    const header = parquetHeader(reader);
    if (header.type === "DICTIONARY_PAGE") {
      const { data } = readPage(reader, header, decoder, undefined, undefined, 0);
      dictionary = data && convert(data, decoder);
      continue;
    }
    const page = readValues(reader, header, decoder);
    const values = convertWithDictionary(page.dataPage, dictionary, page.encoding, decoder);
    addRows(rows, { ...page, values, most, all });
    left -= page.count;
  }
  return rows;
}

function decoderOf({ metadata, path }: Leaf): ColumnDecoder {
  const element = (path.at(-1) as SchemaTree).element;
  const raw = { geometryFromBytes: (bytes: Uint8Array) => bytes, geographyFromBytes: (bytes: Uint8Array) => bytes };
  return {
    pathInSchema: metadata.path_in_schema,
    type: metadata.type,
    element,
    schemaPath: path,
    codec: metadata.codec,
    parsers: { ...DEFAULT_PARSERS, ...raw },
    compressors,
    utf8: false,
  };
}

function readValues(reader: DataReader, header: ReturnType<typeof parquetHeader>, decoder: ColumnDecoder) {
  const { buffer, byteOffset } = reader.view;
  const bytes = new Uint8Array(buffer, byteOffset + reader.offset, header.compressed_page_size);
  reader.offset += header.compressed_page_size;
  const { data_page_header: first, data_page_header_v2: second } = header;
  if (first) {
    const page = decompressPage(bytes, header.uncompressed_page_size, decoder.codec, decoder.compressors);
    return { ...readDataPage(page, first, decoder), count: first.num_values, encoding: first.encoding };
  }
  if (second) return { ...readDataPageV2(bytes, header, decoder), count: second.num_values, encoding: second.encoding };
  throw new Error(`it has a page of the type ${header.type}`);
}

interface Page {
  definitionLevels: number[] | undefined;
  repetitionLevels: number[];
  values: ArrayLike<unknown>;
  count: number;
  /** Definition level of a value that is not null. */
  most: number;
  all: boolean;
}

/** The values of a row may continue on the next page. */
function addRows(rows: unknown[], { definitionLevels, repetitionLevels, values, count, most, all }: Page): void {
  let next = 0;
  for (let at = 0; at < count; at++) {
    const value = definitionLevels?.length && definitionLevels[at] !== most ? null : values[next++];
    if (!repetitionLevels.length || repetitionLevels[at] === 0) rows.push(all && value !== null ? [value] : value);
    else if (all && value !== null) {
      const row = rows.at(-1);
      if (Array.isArray(row)) row.push(value);
      else rows[rows.length - 1] = [value];
    }
  }
}
