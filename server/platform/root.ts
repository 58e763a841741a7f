import path from 'node:path';

/** The repository, relative to this file as well as to the files of `dist`, which lie in one folder. */
export const repositoryRoot = path.resolve(import.meta.dirname, '../..');
