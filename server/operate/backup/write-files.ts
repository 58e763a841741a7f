import type pg from 'pg';
import type { FileStorage } from '@/server/data/files/file-storage';
import { ChecksumVerifier } from './checksum-verifier';
import type { FrameWriter } from './frames';
import type { FileRecord, BackupTotals } from './records';

/** The number of rows that one statement reads. */
const FILE_BATCH_SIZE = 500;

/**
 * The files that the snapshot has and that fulfil `condition`, which is SQL on `t`. One may be removed while the file
 * is written: the first byte decides.
 */
export async function* encodeBackupFiles(
  client: pg.Client,
  storage: FileStorage,
  frames: FrameWriter,
  totals: Pick<BackupTotals, 'files' | 'lostFiles'>,
  condition = 'true',
): AsyncGenerator<Buffer> {
  for (let after = ''; ;) {
    const { rows } = await client.query<Omit<FileRecord, 'kind'>>(
      `SELECT id, size::float8 AS size, sha256 FROM file t
       WHERE ${condition} AND stored_at IS NOT NULL AND removed_at IS NULL AND id COLLATE "C" > $1 ORDER BY id COLLATE "C" LIMIT ${FILE_BATCH_SIZE}`,
      [after],
    );
    for (const file of rows) {
      const bytes = await storage.read(file.id);
      if (!bytes) {
        totals.lostFiles.push(file.id);
        continue;
      }
      yield frames.record({ kind: 'file', ...file });
      const checked = new ChecksumVerifier(file);
      for await (const chunk of checked.passThrough(bytes)) yield* frames.data(chunk);
      const isWhole = checked.isWhole();
      yield frames.record({ kind: 'fileEnd', isWhole });
      if (isWhole) totals.files += 1;
      else totals.lostFiles.push(file.id);
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
