import { z } from 'zod';
import { FILE_TYPES, type Format } from '@/contract/workflows/conversions';
import { isFileValue, type FileValue } from '@/contract/file-value';
import { typeOfName } from '@/contract/media-types';
import { MAX_CONVERTED_BYTES, MAX_ENTRIES, type Conversion } from '@/server/evaluation/convert-job';
import { NodeFailure } from '@/server/errors/node-failure';
import { charsetOf } from '@/server/text-encoding';
import { isLarge, jsonOf } from '@/server/expressions/large-json';
import type { FileAccess, StoredFile } from '@/server/outbound/files';
import type { RunContext } from '../node';

/** What is passed to an evaluator process, and the name of the file that it came from. */
interface Content {
  source: Conversion['source'];
  contents: (string | Buffer)[];
  name?: string;
  /** The charset of its content type. */
  charset?: string | undefined;
}

interface Place {
  from: Format;
  to: Format;
  files: FileAccess;
  reserve: RunContext<unknown>['reserve'];
}

const MIB = 1024 * 1024;
const tooLarge = () =>
  new NodeFailure('TOO_LARGE', `The content is larger than ${MAX_CONVERTED_BYTES / MIB} MiB.`, false);

/** The content of a value: a file is read, a list of files is prepared for an archive, anything else is JSON. */
export async function contentOf(value: unknown, place: Place): Promise<Content> {
  if (place.to === 'zip') {
    const entries = entriesOf(value);
    if (entries) return archiveContent(entries, place);
  }
  if (!isFileValue(value)) return { source: 'value', contents: [jsonOf(value) ?? 'null'] };
  const file = await place.files.find(value);
  return {
    source: 'file',
    contents: await readAll([file], place),
    name: file.name,
    charset: charsetOf(file.contentType),
  };
}

const Entry = z.union([
  z.strictObject({ name: z.string().min(1).max(500), text: z.string() }),
  z.strictObject({ name: z.string().min(1).max(500).optional(), file: z.custom<FileValue>(isFileValue) }),
]);
type Entry = z.infer<typeof Entry>;

/** Largest list of entries: each names a file, or contains a text. */
const MAX_LIST = MIB;

/** The entries of an archive, if the value lists some. */
function entriesOf(value: unknown): Entry[] | undefined {
  if (isLarge(value) && value.text.length > MAX_LIST) return undefined;
  const list = isLarge(value) ? (JSON.parse(value.text) as unknown) : value;
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const entries = list.map((item: unknown) => Entry.safeParse(isFileValue(item) ? { file: item } : item));
  if (!entries.every((entry) => entry.success)) return undefined;
  if (entries.length > MAX_ENTRIES)
    throw new NodeFailure('TOO_MANY_FILES', `An archive has at most ${MAX_ENTRIES} files.`, false);
  return entries.map(({ data }) => data);
}

async function archiveContent(entries: Entry[], place: Place): Promise<Content> {
  const files: StoredFile[] = [];
  const list: { name: string; text?: string }[] = [];
  for (const entry of entries) {
    if ('text' in entry) {
      list.push(entry);
    } else {
      const file = await place.files.find(entry.file);
      files.push(file);
      list.push({ name: entry.name ?? file.name });
    }
  }
  return { source: 'files', contents: [JSON.stringify(list), ...(await readAll(files, place))] };
}

/** The bytes of files, which together have a limit. Throws NodeFailure TOO_LARGE. */
async function readAll(files: readonly StoredFile[], { reserve }: Place): Promise<Buffer[]> {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > MAX_CONVERTED_BYTES) throw tooLarge();
  await reserve(total);
  const contents: Buffer[] = [];
  for (const file of files) contents.push(await readFile(file));
  return contents;
}

/** Copied part by part: to join all at the end would block for longer. */
async function readFile(file: StoredFile): Promise<Buffer> {
  const content = Buffer.allocUnsafe(file.size);
  let at = 0;
  for await (const part of (await file.open()) as AsyncIterable<Buffer>) {
    at += part.copy(content, at);
  }
  return content.subarray(0, at);
}

interface Naming {
  from: Format;
  to: Format;
  options: { name?: string; contentType?: string };
  /** The name of the source. */
  name?: string;
}

/** Stores the result: the value of one file, or a list of those of an archive. */
export async function storeResult(
  results: readonly { name?: string; content: Buffer }[],
  naming: Naming,
  files: FileAccess,
): Promise<FileValue | FileValue[]> {
  if (naming.from === 'zip') {
    const stored: FileValue[] = [];
    for (const { name = 'file', content } of results) {
      stored.push(await files.store(partsOf(content), { name, contentType: typeOfName(name) }));
    }
    return stored;
  }
  const [{ content } = { content: Buffer.alloc(0) }] = results;
  return files.store(partsOf(content), aboutOf(naming));
}

const PART = 64 * 1024;

export async function* partsOf(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += PART) yield content.subarray(at, at + PART);
}

/** Name and type of a result: those of the options, else the name of the source with the end of the format. */
function aboutOf({ from, to, options, name = 'converted' }: Naming): { name: string; contentType: string } {
  const stem = name.replace(/\.[A-Za-z0-9]{1,10}$/, '') || 'converted';
  const isUnpacked = to === 'file' && from === 'gzip';
  // Bytes that are stored as they are keep the type of their format, unless they were decoded.
  const { extension, contentType } = FILE_TYPES[to === 'file' && from !== 'base64' && !isUnpacked ? from : to];
  const full = isUnpacked ? stem : `${to === 'gzip' ? name : stem}.${extension}`;
  return {
    name: options.name ?? full,
    contentType: options.contentType ?? (isUnpacked ? typeOfName(full) : contentType),
  };
}
