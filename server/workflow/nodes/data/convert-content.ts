import { z } from 'zod';
import { FORMAT_FILE_TYPES, type ConversionFormat } from '@/contract/workflows/conversions';
import { isFileValue, type FileValue } from '@/contract/file-value';
import { mediaTypeFromName } from '@/contract/media-types';
import { MAX_CONVERTED_BYTES, MAX_ARCHIVE_FILES, type ConversionJob } from '@/server/evaluation/evaluator/convert-job';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { contentTypeCharset } from '@/server/platform/messages/text-encoding';
import { isLargeJson, serializeJson } from '@/server/evaluation/expressions/large-json';
import type { WorkspaceFileAccess, OpenableFile } from '@/server/network/outbound/files';
import type { NodeRunContext } from '../node-type';
import { BYTES_PER_MIB } from '@/contract/units';

/** The content for an evaluator process, and the name of the file that it came from. */
interface ConversionContent {
  source: ConversionJob['source'];
  contents: (string | Buffer)[];
  name?: string;
  /** The charset of its content type. */
  charset?: string | undefined;
}

interface ConversionAccess {
  from: ConversionFormat;
  to: ConversionFormat;
  files: WorkspaceFileAccess;
  reserve: NodeRunContext<unknown>['reserve'];
}

const tooLargeContent = () =>
  new NodeFailure('TOO_LARGE', `The content is larger than ${MAX_CONVERTED_BYTES / BYTES_PER_MIB} MiB.`, false);

/** The content of a value: a file is read, a list of files is prepared for an archive, anything else is JSON. */
export async function loadConversionContent(value: unknown, place: ConversionAccess): Promise<ConversionContent> {
  if (place.to === 'zip') {
    const entries = parseArchiveEntries(value);
    if (entries) return loadArchiveContent(entries, place);
  }
  if (!isFileValue(value)) return { source: 'value', contents: [serializeJson(value) ?? 'null'] };
  const file = await place.files.find(value);
  return {
    source: 'file',
    contents: await readStoredFiles([file], place),
    name: file.name,
    charset: contentTypeCharset(file.contentType),
  };
}

const ArchiveEntry = z.union([
  z.strictObject({ name: z.string().min(1).max(500), text: z.string() }),
  z.strictObject({ name: z.string().min(1).max(500).optional(), file: z.custom<FileValue>(isFileValue) }),
]);
type ArchiveEntry = z.infer<typeof ArchiveEntry>;

/** The limit of the JSON of a list of entries, each of which names a file or contains a text. */
const MAX_ENTRY_LIST_JSON = BYTES_PER_MIB;

/** The entries of an archive, if the value lists some. */
function parseArchiveEntries(value: unknown): ArchiveEntry[] | undefined {
  if (isLargeJson(value) && value.text.length > MAX_ENTRY_LIST_JSON) return undefined;
  const list = isLargeJson(value) ? (JSON.parse(value.text) as unknown) : value;
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const entries = list.map((item: unknown) => ArchiveEntry.safeParse(isFileValue(item) ? { file: item } : item));
  if (!entries.every((entry) => entry.success)) return undefined;
  if (entries.length > MAX_ARCHIVE_FILES)
    throw new NodeFailure('TOO_MANY_FILES', `An archive has at most ${MAX_ARCHIVE_FILES} files.`, false);
  return entries.map(({ data }) => data);
}

async function loadArchiveContent(entries: ArchiveEntry[], place: ConversionAccess): Promise<ConversionContent> {
  const files: OpenableFile[] = [];
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
  return { source: 'files', contents: [JSON.stringify(list), ...(await readStoredFiles(files, place))] };
}

/** The bytes of files, which together have a limit. Throws NodeFailure TOO_LARGE. */
async function readStoredFiles(files: readonly OpenableFile[], { reserve }: ConversionAccess): Promise<Buffer[]> {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > MAX_CONVERTED_BYTES) throw tooLargeContent();
  await reserve(total);
  const contents: Buffer[] = [];
  for (const file of files) contents.push(await readStoredFile(file));
  return contents;
}

/** Copied part by part: to join all at the end would block for longer. */
async function readStoredFile(file: OpenableFile): Promise<Buffer> {
  const content = Buffer.allocUnsafe(file.size);
  let at = 0;
  for await (const part of (await file.open()) as AsyncIterable<Buffer>) {
    at += part.copy(content, at);
  }
  return content.subarray(0, at);
}

interface ResultNaming {
  from: ConversionFormat;
  to: ConversionFormat;
  options: { name?: string; contentType?: string };
  /** The name of the source. */
  name?: string;
}

/** Stores the result: the value of one file, or a list of those of an archive. */
export async function storeConvertedFiles(
  results: readonly { name?: string; content: Buffer }[],
  naming: ResultNaming,
  files: WorkspaceFileAccess,
): Promise<FileValue | FileValue[]> {
  if (naming.from === 'zip') {
    const stored: FileValue[] = [];
    for (const { name = 'file', content } of results) {
      stored.push(await files.store(chunkContent(content), { name, contentType: mediaTypeFromName(name) }));
    }
    return stored;
  }
  const [{ content } = { content: Buffer.alloc(0) }] = results;
  return files.store(chunkContent(content), nameConvertedFile(naming));
}

const CONTENT_CHUNK_BYTES = 64 * 1024;

export async function* chunkContent(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += CONTENT_CHUNK_BYTES) yield content.subarray(at, at + CONTENT_CHUNK_BYTES);
}

/** Name and type of a result: those of the options, else the name of the source with the end of the format. */
function nameConvertedFile({ from, to, options, name = 'converted' }: ResultNaming): {
  name: string;
  contentType: string;
} {
  const stem = name.replace(/\.[A-Za-z0-9]{1,10}$/, '') || 'converted';
  const isUnpacked = to === 'file' && from === 'gzip';
  // Bytes that are stored as they are keep the type of their format, unless they were decoded.
  const { extension, contentType } = FORMAT_FILE_TYPES[to === 'file' && from !== 'base64' && !isUnpacked ? from : to];
  const full = isUnpacked ? stem : `${to === 'gzip' ? name : stem}.${extension}`;
  return {
    name: options.name ?? full,
    contentType: options.contentType ?? (isUnpacked ? mediaTypeFromName(full) : contentType),
  };
}
