import { crc32 } from 'node:zlib';
import { zipSync } from 'fflate';
import { fromBufferPromise, getFileNameLowLevel, type Entry, type ZipFile } from 'yauzl';
import { NodeFailure } from '@/server/errors/node-failure';
import { MAX_CONVERTED_BYTES, MAX_ENTRIES } from '../../convert-job';
import { expandsTooFar, expansionLimit, messageOf, unreadable } from './failure';
import { tooLarge } from './sink';

/** A file of an archive. */
export interface ZipEntry {
  name: string;
  content: Buffer;
}

/**
 * The files of an archive, with their paths. Sizes count while they are inflated, because an archive can state others. Throws NodeFailure
 * EXPANSION_LIMIT, TOO_MANY_FILES or CONVERT_FAILED.
 */
export async function readEntries(
  archive: Buffer,
  what: string,
  isWanted: (name: string) => boolean = () => true,
): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  let left = expansionLimit(archive.length);
  try {
    // Names stay bytes: the library would refuse paths such as ../a. They are data here, for nothing is written to a folder.
    const zip = await fromBufferPromise(archive, { decodeStrings: false });
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry);
      if (name.endsWith('/') || !isWanted(name)) continue;
      if (entries.length === MAX_ENTRIES) throw tooManyFiles(what);
      if (entry.uncompressedSize > left) throw expandsTooFar(what, archive.length);
      const content = await inflate(zip, entry, left, what);
      if (!content) throw expandsTooFar(what, archive.length);
      left -= content.length;
      entries.push({ name, content });
    }
  } catch (error) {
    throw error instanceof NodeFailure
      ? error
      : unreadable(`${what} is ${isZip(archive) ? 'cut off or not' : 'not'} a ZIP archive: ${messageOf(error)}`);
  }
  return entries;
}

/** The list of the files is at the end of an archive: one that is cut off still begins as it should. */
const isZip = (archive: Buffer): boolean => archive.toString('latin1', 0, 2) === 'PK';

const tooManyFiles = (what: string) =>
  new NodeFailure('TOO_MANY_FILES', `${what} has more than ${MAX_ENTRIES} files.`, false);

const nameOf = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry) =>
  getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);

/** Null: it is larger than `limit`. */
async function inflate(zip: ZipFile, entry: Entry, limit: number, what: string): Promise<Buffer | null> {
  if (entry.isEncrypted()) throw unreadable(`${what} has files with a password. They are not read.`);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > limit) return null;
    parts.push(part);
  }
  const content = Buffer.concat(parts);
  if (crc32(content) !== entry.crc32) throw unreadable(`${what} is damaged: a checksum is wrong.`);
  return content;
}

/** Names without folders, each once: `a.txt`, `a (2).txt`. */
export function plainNames(entries: readonly ZipEntry[]): ZipEntry[] {
  const used = new Set<string>();
  return entries.map(({ name, content }) => {
    const free = freeName(name.split(/[\\/]/).at(-1) || 'file', used);
    used.add(free);
    return { name: free, content };
  });
}

function freeName(name: string, used: ReadonlySet<string>): string {
  const dot = name.lastIndexOf('.');
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  let free = name;
  for (let number = 2; used.has(free); number += 1) free = `${stem} (${number})${end}`;
  return free;
}

/** An archive of files. */
export function writeArchive(entries: readonly ZipEntry[]): Buffer {
  // The library assigns names to an object.
  const files = plainNames(entries).map(
    ({ name, content }) => [name === '__proto__' ? 'proto' : name, content] as const,
  );
  const archive = Buffer.from(zipSync(Object.fromEntries(files), { level: 6 }));
  if (archive.length > MAX_CONVERTED_BYTES) throw tooLarge(true);
  return archive;
}
