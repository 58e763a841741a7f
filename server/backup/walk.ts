import { CheckedBytes } from './checked-bytes';
import { BackupFault } from './fault';
import { damaged, FrameReader, isSealedBy, type Frame } from './frames';
import type { BackupRecord, End, Header, Sequence, StoredFile, Table } from './records';

/** What is done with the parts of a backup, in their order. */
export interface Visitor {
  header(header: Header): Promise<void>;
  /** Returns the number of rows that it stored. */
  table(table: Table, rows: AsyncIterable<Buffer>): Promise<number>;
  /** Returns what keeps the bytes, which is called if they are whole. */
  file(file: StoredFile, bytes: AsyncIterable<Buffer>): Promise<() => Promise<void>>;
  sequences(sequences: Sequence[]): Promise<void>;
}

/** The frames of a file, with the next one known. */
class Parts {
  private readonly frames: AsyncGenerator<Frame>;
  constructor(readonly reader: FrameReader) {
    this.frames = reader.frames();
  }

  /** The data up to the next record, which is then `after`. */
  after: BackupRecord | undefined;
  async *data(): AsyncGenerator<Buffer> {
    for (;;) {
      const { value, done } = await this.frames.next();
      if (done) throw damaged();
      if ('record' in value) {
        this.after = value.record;
        return;
      }
      yield value.data;
    }
  }

  async record(): Promise<BackupRecord | undefined> {
    const { value, done } = await this.frames.next();
    if (done) return undefined;
    if (!('record' in value)) throw damaged();
    return value.record;
  }

  async close(): Promise<void> {
    await this.frames.return(undefined);
  }
}

/**
 * Reads a backup from its beginning to its end. Throws a BackupFault if it is damaged, if its numbers are wrong, or if none of `keys`
 * sealed it; by then the visitor has seen parts of it.
 */
export async function walk(path: string, keys: readonly string[], visitor: Visitor): Promise<End & { header: Header }> {
  const parts = new Parts(new FrameReader(path));
  try {
    const header = await parts.record();
    if (header?.kind !== 'header') throw damaged();
    await visitor.header(header);
    let [tables, rows, files] = [0, 0, 0];
    for (;;) {
      const record = await parts.record();
      switch (record?.kind) {
        case 'table': {
          const stored = await visitor.table(record, parts.data());
          if (parts.after?.kind !== 'tableEnd' || parts.after.rows !== stored) throw damaged();
          tables += 1;
          rows += stored;
          break;
        }
        case 'file': {
          const bytes = new CheckedBytes(record);
          const keep = await visitor.file(record, bytes.of(parts.data()));
          if (parts.after?.kind !== 'fileEnd' || parts.after.isWhole !== bytes.isWhole()) throw damaged();
          if (parts.after.isWhole) {
            await keep();
            files += 1;
          }
          break;
        }
        case 'sequences':
          await visitor.sequences(record.sequences);
          break;
        case 'end':
          if (record.digest !== parts.reader.digest()) throw damaged();
          if (record.tables !== tables || record.rows !== rows || record.files !== files) throw damaged();
          if ((await parts.record()) !== undefined) throw damaged();
          requireSeal(record, keys);
          return { ...record, header };
        default:
          throw damaged();
      }
    }
  } finally {
    await parts.close();
  }
}

function requireSeal({ digest, seal }: End, keys: readonly string[]): void {
  if (isSealedBy(digest, seal, keys)) return;
  throw new BackupFault(
    'No key of ENCRYPTION_KEY sealed this backup: it needs the keys of the installation that it is from, or it was altered. Nothing was restored.',
  );
}

const NEWLINE = '\n'.charCodeAt(0);

/** Rows in the text format of COPY: it writes a line break in a value as two characters. */
async function countRows(rows: AsyncIterable<Buffer>): Promise<number> {
  let count = 0;
  for await (const chunk of rows) for (let at = -1; (at = chunk.indexOf(NEWLINE, at + 1)) >= 0;) count += 1;
  return count;
}

/** Reads a backup without using it. */
export const verify = (path: string, keys: readonly string[]): Promise<End & { header: Header }> =>
  walk(path, keys, {
    header: async () => undefined,
    table: (_, rows) => countRows(rows),
    async file(_, bytes) {
      for await (const chunk of bytes) void chunk;
      return async () => undefined;
    },
    sequences: async () => undefined,
  });
