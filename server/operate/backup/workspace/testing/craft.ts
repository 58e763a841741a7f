import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { BackupFrameReader, FrameWriter, sealBackupDigest } from '@/server/operate/backup/frames';
import type { BackupRecord } from '@/server/operate/backup/records';
import {
  workspaceExportFormat,
  WORKSPACE_EXPORT_MAGIC,
  type WorkspaceExportHeader,
} from '@/server/operate/backup/workspace/format';

/** A record of an export, with the data that follows it. */
export interface Crafted {
  record: WorkspaceExportHeader | BackupRecord;
  data: string;
}

/** An export as somebody sees it who knows its passphrase. */
export class CraftedExport {
  private constructor(
    private readonly passphrase: string,
    readonly parts: Crafted[],
  ) {}

  static async open(file: string, passphrase: string): Promise<CraftedExport> {
    const parts: Crafted[] = [];
    for await (const frame of new BackupFrameReader(file, workspaceExportFormat(passphrase)).frames())
      if ('record' in frame) parts.push({ record: structuredClone(frame.record), data: '' });
      else parts.at(-1)!.data += frame.data.toString('latin1');
    return new CraftedExport(passphrase, parts);
  }

  get header(): WorkspaceExportHeader {
    return this.parts[0]!.record as WorkspaceExportHeader;
  }

  /** The rows of a table: values of COPY by column. `change` alters, adds or removes rows. */
  rows(table: string, change: (rows: Record<string, string>[]) => Record<string, string>[]): this {
    const at = this.parts.findIndex(({ record }) => record.kind === 'table' && record.name === table);
    const [part, end] = [this.parts[at]!, this.parts[at + 1]!];
    if (part.record.kind !== 'table' || end.record.kind !== 'tableEnd') throw new Error(`no rows of ${table}`);
    const { columns } = part.record;
    const lines = part.data.split('\n').slice(0, -1);
    const rows = change(
      lines.map((line) => Object.fromEntries(line.split('\t').map((value, index) => [columns[index], value]))),
    );
    part.data = rows.map((row) => `${columns.map((column) => row[column]).join('\t')}\n`).join('');
    end.record.rows = rows.length;
    return this;
  }

  /** Sets values in the first row of a table. */
  set(table: string, values: Record<string, string>): this {
    return this.rows(table, ([first, ...rest]) => {
      if (!first) throw new Error(`no row of ${table}`);
      return [{ ...first, ...values }, ...rest];
    });
  }

  /** Writes it with the seal that its changed content needs, or one with another key. */
  async write(file: string, key?: string): Promise<string> {
    const { whole } = await workspaceExportFormat(this.passphrase).fileKeys(this.header);
    const frames = new FrameWriter();
    const bytes = [frames.begin(WORKSPACE_EXPORT_MAGIC)];
    const totals = { tables: 0, rows: 0, files: 0 };
    for (const { record, data } of this.parts.slice(0, -1)) {
      if (record.kind === 'table') totals.tables += 1;
      if (record.kind === 'tableEnd') totals.rows += record.rows;
      if (record.kind === 'fileEnd' && record.isWhole) totals.files += 1;
      bytes.push(frames.record(record), ...frames.data(Buffer.from(data, 'latin1')));
    }
    const digest = frames.digest();
    bytes.push(
      frames.record({ kind: 'end', ...totals, lostFiles: [], digest, seal: sealBackupDigest(digest, key ?? whole) }),
    );
    writeFileSync(file, gzipSync(Buffer.concat(bytes)));
    return file;
  }
}

/** The bytes of a file without some of them. */
export function cut(file: string, share: number, to: string): string {
  const bytes = readFileSync(file);
  writeFileSync(to, bytes.subarray(0, Math.floor(bytes.length * share)));
  return to;
}
