import { crc32 } from 'node:zlib';
import { zipSync } from 'fflate';
import { fromBufferPromise, getFileNameLowLevel, type Entry, type ZipFile } from 'yauzl';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { MAX_CONVERTED_BYTES, MAX_ARCHIVE_FILES } from '../../convert-job';
import { expansionFailure, maxExpandedBytes, errorMessage, unreadableContent } from './failure';
import { tooLargeResult } from './text-sink';

/** A file of an archive. */
export interface ZipEntry {
  name: string;
  content: Buffer;
}

/**
 * The files of an archive, with their paths. Sizes count while they are inflated, because an archive can state others.
 * Throws NodeFailure EXPANSION_LIMIT, TOO_MANY_FILES or CONVERT_FAILED.
 */
export async function readZipEntries(
  archive: Buffer,
  what: string,
  isWanted: (name: string) => boolean = () => true,
): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  let left = maxExpandedBytes(archive.length);
  try {
    // Names stay bytes: the library would refuse paths such as ../a. They are data here, for nothing is written to a
    // folder.
    const zip = await fromBufferPromise(archive, { decodeStrings: false });
    for await (const entry of zip.eachEntry()) {
      const name = zipEntryName(entry);
      if (name.endsWith('/') || !isWanted(name)) continue;
      if (entries.length === MAX_ARCHIVE_FILES) throw tooManyZipFiles(what);
      if (entry.uncompressedSize > left) throw expansionFailure(what, archive.length);
      const content = await inflateZipEntry(zip, entry, left, what);
      if (!content) throw expansionFailure(what, archive.length);
      left -= content.length;
      entries.push({ name, content });
    }
  } catch (error) {
    throw error instanceof NodeFailure
      ? error
      : unreadableContent(
          `${what} is ${hasZipSignature(archive) ? 'cut off or not' : 'not'} a ZIP archive: ${errorMessage(error)}`,
        );
  }
  return entries;
}

/** Recognizes ZIP archives that were cut off: their list of files, at the end, is missing, but they begin correctly. */
const hasZipSignature = (archive: Buffer): boolean => archive.toString('latin1', 0, 2) === 'PK';

const tooManyZipFiles = (what: string) =>
  new NodeFailure('TOO_MANY_FILES', `${what} has more than ${MAX_ARCHIVE_FILES} files.`, false);

const zipEntryName = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry) =>
  getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);

/** Returns null for a file that is larger than `limit`. */
async function inflateZipEntry(zip: ZipFile, entry: Entry, limit: number, what: string): Promise<Buffer | null> {
  if (entry.isEncrypted()) throw unreadableContent(`${what} has files with a password. They are not read.`);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > limit) return null;
    parts.push(part);
  }
  const content = Buffer.concat(parts);
  if (crc32(content) !== entry.crc32) throw unreadableContent(`${what} is damaged: a checksum is wrong.`);
  return content;
}

/** Gives the files names without folders, each of them once: `a.txt`, `a (2).txt`. */
export function flattenFileNames(entries: readonly ZipEntry[]): ZipEntry[] {
  const used = new Set<string>();
  return entries.map(({ name, content }) => {
    const free = uniqueFileName(name.split(/[\\/]/).at(-1) || 'file', used);
    used.add(free);
    return { name: free, content };
  });
}

function uniqueFileName(name: string, used: ReadonlySet<string>): string {
  const dot = name.lastIndexOf('.');
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  let free = name;
  for (let number = 2; used.has(free); number += 1) free = `${stem} (${number})${end}`;
  return free;
}

/** An archive of files. */
export function writeZipArchive(entries: readonly ZipEntry[]): Buffer {
  // The library assigns names to an object.
  const files = flattenFileNames(entries).map(
    ({ name, content }) => [name === '__proto__' ? 'proto' : name, content] as const,
  );
  const archive = Buffer.from(zipSync(Object.fromEntries(files), { level: 6 }));
  if (archive.length > MAX_CONVERTED_BYTES) throw tooLargeResult(true);
  return archive;
}
