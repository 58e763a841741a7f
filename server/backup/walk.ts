import { CheckedBytes } from './checked-bytes';
import { BackupFault } from './fault';
import { damageOf, FrameReader, isSealedBy, type Frame } from './frames';
import type { End, Format, Part, Sequence, StoredFile, Table } from './records';

interface First {
  kind: 'header';
}

/** What is done with the parts of a file, in their order. */
export interface Visitor {
  /** Returns the number of rows that it stored. */
  table(table: Table, rows: AsyncIterable<Buffer>): Promise<number>;
  /** Returns what keeps the bytes, which is called if they are whole. */
  file(file: StoredFile, bytes: AsyncIterable<Buffer>): Promise<() => Promise<void>>;
  sequences(sequences: Sequence[]): Promise<void>;
}

/** The frames of a file, with the next one known. */
class Parts<Header extends First> {
  private readonly frames: AsyncGenerator<Frame<Header>>;
  constructor(
    readonly reader: FrameReader<Header>,
    private readonly damaged: () => BackupFault,
  ) {
    this.frames = reader.frames();
  }

  /** The data up to the next record, which is then `after`. */
  after: Header | Part | undefined;
  async *data(): AsyncGenerator<Buffer> {
    for (;;) {
      const { value, done } = await this.frames.next();
      if (done) throw this.damaged();
      if ('record' in value) {
        this.after = value.record;
        return;
      }
      yield value.data;
    }
  }

  async record(): Promise<Header | Part | undefined> {
    const { value, done } = await this.frames.next();
    if (done) return undefined;
    if (!('record' in value)) throw this.damaged();
    return value.record;
  }

  async close(): Promise<void> {
    await this.frames.return(undefined);
  }
}

/**
 * Reads a file from its beginning to its end. Throws a BackupFault if it is damaged, if its numbers are wrong, or if none of its keys
 * sealed it; by then the visitor has seen parts of it.
 */
export async function walk<Header extends First>(
  path: string,
  format: Format<Header>,
  visitor: Visitor,
): Promise<End & { header: Header }> {
  const damaged = () => damageOf(format);
  const parts = new Parts(new FrameReader(path, format), damaged);
  try {
    const header = await parts.record();
    if (!header || !isHeader(header)) throw damaged();
    const keys = await format.keysOf(header);
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
          if (!isSealedBy(record.digest, record.seal, keys))
            throw new BackupFault(`${format.unsealed} ${format.consequence}`);
          return { ...record, header };
        default:
          throw damaged();
      }
    }
  } finally {
    await parts.close();
  }
}

const isHeader = <Header extends First>(record: Header | Part): record is Header => record.kind === 'header';

const NEWLINE = '\n'.charCodeAt(0);

/** Rows in the text format of COPY: it writes a line break in a value as two characters. */
export async function countRows(rows: AsyncIterable<Buffer>): Promise<number> {
  let count = 0;
  for await (const chunk of rows) for (let at = -1; (at = chunk.indexOf(NEWLINE, at + 1)) >= 0;) count += 1;
  return count;
}

/** Reads a file without using it. */
export const verify = <Header extends First>(path: string, format: Format<Header>): Promise<End & { header: Header }> =>
  walk(path, format, {
    table: (_, rows) => countRows(rows),
    async file(_, bytes) {
      for await (const chunk of bytes) void chunk;
      return async () => undefined;
    },
    sequences: async () => undefined,
  });
