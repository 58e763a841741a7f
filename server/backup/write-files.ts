import type pg from 'pg';
import type { FileStorage } from '@/server/files/file-storage';
import { CheckedBytes } from './checked-bytes';
import type { FrameWriter } from './frames';
import type { StoredFile, Totals } from './records';

/** Rows of one statement. */
const BATCH = 500;

/**
 * The files that the snapshot has and that fulfil `condition`, which is SQL on `t`. One may be removed while the file is written: the first
 * byte decides.
 */
export async function* writeFiles(
  client: pg.Client,
  storage: FileStorage,
  frames: FrameWriter,
  totals: Pick<Totals, 'files' | 'lostFiles'>,
  condition = 'true',
): AsyncGenerator<Buffer> {
  for (let after = ''; ;) {
    const { rows } = await client.query<Omit<StoredFile, 'kind'>>(
      `SELECT id, size::float8 AS size, sha256 FROM file t
       WHERE ${condition} AND stored_at IS NOT NULL AND removed_at IS NULL AND id COLLATE "C" > $1 ORDER BY id COLLATE "C" LIMIT ${BATCH}`,
      [after],
    );
    for (const file of rows) {
      const bytes = await storage.read(file.id);
      if (!bytes) {
        totals.lostFiles.push(file.id);
        continue;
      }
      yield frames.record({ kind: 'file', ...file });
      const checked = new CheckedBytes(file);
      for await (const chunk of checked.of(bytes)) yield* frames.data(chunk);
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
