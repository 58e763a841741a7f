import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { toDiskProblem } from './disk-problem';
import type { ByteRange, TemporaryFile, FileStorage } from './file-storage';

const isMissingFileError = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Writes what the operating system still holds back of a file, or the entries of a folder. */
async function syncToDisk(place: string): Promise<void> {
  const handle = await open(place, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Files in a folder, spread over folders by the end of their ids. */
export class LocalStorage implements FileStorage {
  constructor(private readonly folder: string) {}

  private folderOf(key: string): string {
    return path.join(this.folder, `of-${key.slice(-1).toLowerCase()}`);
  }

  private placeOf(key: string): string {
    return path.join(this.folderOf(key), key);
  }

  async put(key: string, content: TemporaryFile): Promise<void> {
    const folder = this.folderOf(key);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await syncToDisk(content.path);
      await rename(content.path, this.placeOf(key));
      await syncToDisk(folder);
    } catch (error) {
      throw toDiskProblem(error);
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable | null> {
    try {
      const handle = await open(this.placeOf(key), 'r');
      return handle.createReadStream(range);
    } catch (error) {
      if (isMissingFileError(error)) return null;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    await rm(this.placeOf(key), { force: true });
  }

  /** Ids of files that were written before `before`, in portions. */
  async *keys(before: Date): AsyncGenerator<string[]> {
    const folders = await readdir(this.folder).catch(() => []);
    for (const folder of folders.filter((name) => name.startsWith('of-'))) {
      const names = await readdir(path.join(this.folder, folder));
      const old: string[] = [];
      for (const name of names) {
        const found = await stat(path.join(this.folder, folder, name)).catch(() => null);
        if (found && found.mtime < before) old.push(name);
      }
      yield old;
    }
  }
}
