/** Why a Parquet file is not read: it contradicts itself, needs more than its reader allows, or has what we do not read. */
type FaultKind = "damaged" | "large" | "rows" | "codec" | "encrypted";

/** `message` names the codec, or the number of rows, where `kind` says so; otherwise what is wrong. */
export class ParquetFault extends Error {
  readonly kind: FaultKind;

  constructor(kind: FaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export const damaged = (what: string) => new ParquetFault("damaged", what);
export const tooLarge = (what: string) => new ParquetFault("large", what);
