import path from 'node:path';
import type { Readable } from 'node:stream';
import type { FileStorage } from '@/server/files/file-storage';
import { CheckedBytes } from '../checked-bytes';
import type { StoredFile } from '../records';
import { storeFile } from '../restore';
import { refused, staged, type Stage } from './stage';

/** The bytes that an import has stored, before its rows are. */
export class ImportedFiles {
  /** Ids of files that are whole. */
  readonly ids: string[] = [];
  private readonly written: string[] = [];

  constructor(
    private readonly storage: FileStorage,
    private readonly temporary: string,
  ) {}

  /** Returns what keeps the bytes. A file whose bytes are there, from an import that was interrupted, keeps them. */
  async receive({ client }: Stage, file: StoredFile, bytes: AsyncIterable<Buffer>): Promise<() => Promise<void>> {
    const { id, size, sha256 } = file;
    const { rowCount } = await client.query(
      `SELECT FROM ${staged('file')} WHERE id = $1 AND size = $2 AND sha256 = $3 AND stored_at IS NOT NULL AND removed_at IS NULL`,
      [id, size, sha256],
    );
    if (rowCount !== 1 || this.ids.includes(id))
      throw refused(`it has the bytes of ${id}, which is not one of its files`);
    const keep = await storeFile(this.storage, path.join(this.temporary, id), file, bytes);
    return async () => {
      const present = await this.storage.read(id);
      if (present === null) {
        this.written.push(id);
        await keep();
      } else if (!(await isSame(present, file))) throw refused(`the storage has other bytes under ${id}`);
      this.ids.push(id);
    };
  }

  /** Removes what was stored. */
  async remove(): Promise<void> {
    for (const id of this.written) await this.storage.remove(id);
  }
}

async function isSame(bytes: Readable, file: StoredFile): Promise<boolean> {
  const checked = new CheckedBytes(file);
  for await (const chunk of checked.of(bytes)) void chunk;
  return checked.isWhole();
}
