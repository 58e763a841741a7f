import { NodeFailure } from '@/server/platform/errors/node-failure';

/** Columns of a result: PostgreSQL has at most 1664, MySQL 4096. */
export const MAX_RESULT_COLUMNS = 4096;
/** The maximum size of an error or a notice, in bytes. */
const MAX_SERVER_ERROR_BYTES = 64 * 1024;
/** The number of bytes of a message that are examined: its code, its length, and the number of columns. */
const DESCRIPTION_HEAD_BYTES = 7;
const MESSAGE_HEAD_BYTES = 5;

export const tooManyColumnsFailure = (): NodeFailure =>
  new NodeFailure('TOO_LARGE', `The result has more than ${MAX_RESULT_COLUMNS} columns.`, false);

/**
 * Looks at each message of a PostgreSQL server before the parser of the driver does: it makes an object for each
 * column, and reads each field of an error.
 */
export class PostgresMessageCheck {
  private head = Buffer.alloc(0);
  /** Bytes of a message that was looked at and is still arriving. */
  private rest = 0;

  /** Throws NodeFailure TOO_LARGE. */
  readonly check = (bytes: Buffer): void => {
    for (let at = 0; at < bytes.length;) {
      const passed = Math.min(this.rest, bytes.length - at);
      this.rest -= passed;
      at += passed;
      if (this.rest > 0) return;
      const missing = this.sizeOfHead - this.head.length;
      this.head = Buffer.concat([this.head, bytes.subarray(at, at + missing)]);
      at = Math.min(bytes.length, at + missing);
      if (this.head.length === this.sizeOfHead) this.readHead();
    }
  };

  private get isDescription(): boolean {
    return this.head[0] === 84;
  }

  private get sizeOfHead(): number {
    if (this.head.length === 0) return 1;
    return this.isDescription ? DESCRIPTION_HEAD_BYTES : MESSAGE_HEAD_BYTES;
  }

  private readHead(): void {
    if (this.head.length < MESSAGE_HEAD_BYTES) return;
    const code = String.fromCharCode(this.head[0] ?? 0);
    const length = this.head.readUInt32BE(1);
    if (this.isDescription && this.head.readUInt16BE(5) > MAX_RESULT_COLUMNS) throw tooManyColumnsFailure();
    if ('EN'.includes(code) && length > MAX_SERVER_ERROR_BYTES)
      throw new NodeFailure('TOO_LARGE', 'The server sent an error that is too long.', false);
    this.rest = Math.max(0, length + 1 - this.head.length);
    this.head = Buffer.alloc(0);
  }
}
