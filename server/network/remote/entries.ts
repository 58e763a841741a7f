import type { Readable } from 'node:stream';
import { folderTooLargeFailure } from './failures';

/** Something in a folder of a server. */
export interface RemoteEntry {
  name: string;
  /** The path of the folder, and the name. */
  path: string;
  type: 'file' | 'folder' | 'link' | 'other';
  /** In bytes; null: unknown. */
  size: number | null;
  /** ISO 8601; null: unknown. */
  modifiedAt: string | null;
}

/** The files of a server. Methods are called one after the other, and throw NodeFailure. */
export interface RemoteFiles {
  list(folder: string): Promise<RemoteEntry[]>;
  /** The content from the beginning; ends only when all of it has arrived. */
  read(path: string): AsyncIterable<Buffer>;
  /** Replaces a file that exists. */
  write(path: string, content: Readable): Promise<void>;
  /** Removes a file, or a folder that is empty. */
  remove(path: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  /** A folder that exists is left as it is. */
  makeFolder(path: string): Promise<void>;
}

/** The maximum number of entries of one folder, and of characters of their names and paths. */
export const MAX_FOLDER_ENTRIES = 10_000;
const MAX_FOLDER_NAME_CHARACTERS = 4 * 1024 * 1024;

export const joinRemotePath = (folder: string, name: string): string =>
  folder === '.' || folder === '' ? name : `${folder.replace(/\/+$/, '')}/${name}`;

/** The last part of a path. */
export const remoteBaseName = (path: string): string => path.split('/').findLast((part) => part !== '') ?? path;

/** The folders above a path, the outermost first. */
export function parentFolders(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.flatMap((part, index) => (part === '' || part === '.' ? [] : [parts.slice(0, index + 1).join('/')]));
}

/**
 * Collects entries within their limits. A name is what the server says: one that leads out of the folder is left out.
 */
export class FolderEntryCollector {
  private readonly found: RemoteEntry[] = [];
  private characters = 0;

  constructor(private readonly folder: string) {}

  /** Throws NodeFailure TOO_LARGE. */
  add(name: string, about: Omit<RemoteEntry, 'name' | 'path'>): void {
    if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) return;
    const path = joinRemotePath(this.folder, name);
    this.characters += name.length + path.length;
    if (this.found.length === MAX_FOLDER_ENTRIES) throw folderTooLargeFailure(`${MAX_FOLDER_ENTRIES} entries`);
    if (this.characters > MAX_FOLDER_NAME_CHARACTERS) throw folderTooLargeFailure('4 MiB of names');
    this.found.push({ name, path, ...about });
  }

  /** The entries by name, because the order of a server has no meaning. */
  get sorted(): RemoteEntry[] {
    return this.found.sort((one, other) => (one.name < other.name ? -1 : 1));
  }
}

const YEAR_10000_MS = Date.UTC(10_000, 0);

/** A time of a server; null: it is no time, or none that ISO 8601 writes with four digits of the year. */
export const toIsoTimeOrNull = (date: Date | undefined): string | null =>
  date === undefined || !(date.getTime() >= 0 && date.getTime() < YEAR_10000_MS) ? null : date.toISOString();
