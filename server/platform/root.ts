import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The folder of this file, or `dist` with the files that are built from this one, is somewhere below the repository.
 */
function findRepositoryRoot(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : findRepositoryRoot(path.dirname(folder));
}

export const repositoryRoot = findRepositoryRoot(import.meta.dirname);
