import path from 'node:path';
import type { Readable } from 'node:stream';
import type { FileStorage } from '@/server/data/files/file-storage';
import { ChecksumVerifier } from '../checksum-verifier';
import type { FileRecord } from '../records';
import { stageFileBytes } from '../restore';
import { refusedExportFault, stagedTableName, type ImportStage } from './stage';

/** The bytes that an import has stored, before its rows are. */
export class ImportedFileStore {
  /** Ids of files that are whole. */
  readonly ids: string[] = [];
  private readonly written: string[] = [];

  constructor(
    private readonly storage: FileStorage,
    private readonly temporary: string,
  ) {}

  /** Returns what keeps the bytes. A file whose bytes are there, from an import that was interrupted, keeps them. */
  async receive({ client }: ImportStage, file: FileRecord, bytes: AsyncIterable<Buffer>): Promise<() => Promise<void>> {
    const { id, size, sha256 } = file;
    const { rowCount } = await client.query(
      `SELECT FROM ${stagedTableName('file')} WHERE id = $1 AND size = $2 AND sha256 = $3 AND stored_at IS NOT NULL AND removed_at IS NULL`,
      [id, size, sha256],
    );
    if (rowCount !== 1 || this.ids.includes(id))
      throw refusedExportFault(`it has the bytes of ${id}, which is not one of its files`);
    const keep = await stageFileBytes(this.storage, path.join(this.temporary, id), file, bytes);
    return async () => {
      const present = await this.storage.read(id);
      if (present === null) {
        this.written.push(id);
        await keep();
      } else if (!(await hasSameBytes(present, file)))
        throw refusedExportFault(`the storage has other bytes under ${id}`);
      this.ids.push(id);
    };
  }

  /** Removes the files that this import has stored. */
  async remove(): Promise<void> {
    for (const id of this.written) await this.storage.remove(id);
  }
}

async function hasSameBytes(bytes: Readable, file: FileRecord): Promise<boolean> {
  const checked = new ChecksumVerifier(file);
  for await (const chunk of checked.passThrough(bytes)) void chunk;
  return checked.isWhole();
}
