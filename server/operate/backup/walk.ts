import { ChecksumVerifier } from './checksum-verifier';
import { BackupFault } from './fault';
import { damagedFileFault, BackupFrameReader, isDigestSealedBy, type BackupFrame } from './frames';
import type { EndRecord, BackupFileFormat, BackupRecord, SequenceValue, FileRecord, TableRecord } from './records';

interface WalkHeaderRecord {
  kind: 'header';
}

/** The actions on the parts of a file, in the order of the parts. */
export interface BackupVisitor {
  /** Returns the number of rows that it stored. */
  table(table: TableRecord, rows: AsyncIterable<Buffer>): Promise<number>;
  /** Returns what keeps the bytes, which is called if they are whole. */
  file(file: FileRecord, bytes: AsyncIterable<Buffer>): Promise<() => Promise<void>>;
  sequences(sequences: SequenceValue[]): Promise<void>;
}

/** The frames of a file, with the next one known. */
class BackupFrames<Header extends WalkHeaderRecord> {
  private readonly frames: AsyncGenerator<BackupFrame<Header>>;
  constructor(
    readonly reader: BackupFrameReader<Header>,
    private readonly damaged: () => BackupFault,
  ) {
    this.frames = reader.frames();
  }

  /** The data up to the next record, which is then `after`. */
  after: Header | BackupRecord | undefined;
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

  async record(): Promise<Header | BackupRecord | undefined> {
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
 * Reads a file from its beginning to its end. Throws a BackupFault if it is damaged, if its numbers are wrong, or if
 * none of its keys sealed it; by then the visitor has seen parts of it.
 */
export async function walkBackupFile<Header extends WalkHeaderRecord>(
  path: string,
  format: BackupFileFormat<Header>,
  visitor: BackupVisitor,
): Promise<EndRecord & { header: Header }> {
  const damaged = () => damagedFileFault(format);
  const parts = new BackupFrames(new BackupFrameReader(path, format), damaged);
  try {
    const header = await parts.record();
    if (!header || !isHeaderRecord(header)) throw damaged();
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
          const bytes = new ChecksumVerifier(record);
          const keep = await visitor.file(record, bytes.passThrough(parts.data()));
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
          if (!isDigestSealedBy(record.digest, record.seal, keys))
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

const isHeaderRecord = <Header extends WalkHeaderRecord>(record: Header | BackupRecord): record is Header =>
  record.kind === 'header';

const COPY_NEWLINE_BYTE = '\n'.charCodeAt(0);

/** Rows in the text format of COPY: it writes a line break in a value as two characters. */
export async function countCopyRows(rows: AsyncIterable<Buffer>): Promise<number> {
  let count = 0;
  for await (const chunk of rows) for (let at = -1; (at = chunk.indexOf(COPY_NEWLINE_BYTE, at + 1)) >= 0;) count += 1;
  return count;
}

/** Reads a file without using it. */
export const verifyBackupFile = <Header extends WalkHeaderRecord>(
  path: string,
  format: BackupFileFormat<Header>,
): Promise<EndRecord & { header: Header }> =>
  walkBackupFile(path, format, {
    table: (_, rows) => countCopyRows(rows),
    async file(_, bytes) {
      for await (const chunk of bytes) void chunk;
      return async () => undefined;
    },
    sequences: async () => undefined,
  });
