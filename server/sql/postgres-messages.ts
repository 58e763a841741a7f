import { NodeFailure } from '@/server/errors/node-failure';

/** Columns of a result: PostgreSQL has at most 1664, MySQL 4096. */
export const MAX_COLUMNS = 4096;
/** Bytes of an error or a notice. */
const MAX_TEXT = 64 * 1024;
/** Bytes of a message that are looked at: its code, its length, and the number of columns. */
const HEAD = 7;
const CODE_AND_LENGTH = 5;

export const tooManyColumns = (): NodeFailure =>
  new NodeFailure('TOO_LARGE', `The result has more than ${MAX_COLUMNS} columns.`, false);

/** Looks at each message of a PostgreSQL server before the parser of the driver does: it makes an object for each column, and reads each field of an error. */
export class MessageCheck {
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
    return this.isDescription ? HEAD : CODE_AND_LENGTH;
  }

  private readHead(): void {
    if (this.head.length < CODE_AND_LENGTH) return;
    const code = String.fromCharCode(this.head[0] ?? 0);
    const length = this.head.readUInt32BE(1);
    if (this.isDescription && this.head.readUInt16BE(5) > MAX_COLUMNS) throw tooManyColumns();
    if ('EN'.includes(code) && length > MAX_TEXT)
      throw new NodeFailure('TOO_LARGE', 'The server sent an error that is too long.', false);
    this.rest = Math.max(0, length + 1 - this.head.length);
    this.head = Buffer.alloc(0);
  }
}
