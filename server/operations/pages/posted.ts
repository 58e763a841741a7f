import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { FileValue } from '@/contract/file-value';
import type { Call } from '@/server/api/operation';
import { invalid } from '@/server/errors/problem';
import { readMultipart, type MultipartFile } from '@/server/files/multipart';
import { discardFiles } from '@/server/files/rows';
import type { Spool } from '@/server/files/spool';
import { storeUpload } from '@/server/files/store';
import { bodyKindOf, readFormFields, UnreadableBody } from '@/server/request-body';

/** What browsers send for a form. */
export interface Posted {
  /** The texts of a name. */
  texts(name: string): string[];
  /** How many files the fields have, by their names. */
  files: ReadonlyMap<string, number>;
  /** Hash of all names, values and contents of files: the same for the same form sent again. */
  hash: string;
}

const MAX_FIELDS_BYTES = 1024 * 1024;

/** A file that was read and not kept. */
class SkippedFile {
  constructor(readonly sha256: string) {}
}

/** Reads a posted form without its files: they are stored once its fields are valid. */
export async function readPosted({ spool, headers }: Call): Promise<Posted> {
  const type = headers.get('content-type') ?? '';
  const kind = bodyKindOf(type);
  if (!spool || (kind !== 'form' && kind !== 'multipart')) throw invalid([], 'The request is not a form.');
  const entries = kind === 'form' ? await fieldsIn(spool) : await fieldsAndFilesIn(spool, type);
  const texts = new Map<string, string[]>();
  const files = new Map<string, number>();
  for (const [name, value] of entries) {
    if (value instanceof SkippedFile) files.set(name, (files.get(name) ?? 0) + 1);
    if (typeof value !== 'string') continue;
    const list = texts.get(name);
    if (list) list.push(value);
    else texts.set(name, [value]);
  }
  const hash = createHash('sha256').update(JSON.stringify(entries)).digest('hex');
  return { texts: (name) => texts.get(name) ?? [], files, hash };
}

async function fieldsIn(spool: Spool): Promise<[string, unknown][]> {
  if (spool.size > MAX_FIELDS_BYTES) throw invalid([], `The form is larger than ${MAX_FIELDS_BYTES} bytes.`);
  try {
    return readFormFields(await buffer(spool.stream()));
  } catch (error) {
    throw error instanceof UnreadableBody ? invalid([], error.message) : error;
  }
}

const fieldsAndFilesIn = (spool: Spool, type: string) =>
  readMultipart(spool.stream(), type, {
    maxFieldBytes: MAX_FIELDS_BYTES,
    onFile: (_, file) => skip(file),
  });

async function skip({ content }: MultipartFile): Promise<SkippedFile> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return new SkippedFile(hash.digest('hex'));
}

/** Stores the first files of each of these fields, at most as many as the map says. Throws a Problem, and then stores none. */
export async function storePostedFiles(
  { spool, headers }: Call,
  most: ReadonlyMap<string, number>,
  file: { workspaceId: string; createdBy?: string | null; limit?: number },
): Promise<[string, FileValue][]> {
  const stored: [string, FileValue][] = [];
  if (!spool || most.size === 0) return stored;
  const begun = new Map<string, number>();
  try {
    const entries = await readMultipart(spool.stream(), headers.get('content-type') ?? '', {
      maxFieldBytes: MAX_FIELDS_BYTES,
      onFile: async (field, part) => {
        const count = begun.get(field) ?? 0;
        if (count >= (most.get(field) ?? 0)) return skip(part);
        begun.set(field, count + 1);
        const { content, name, contentType } = part;
        const value = await storeUpload(content, { ...file, name, contentType });
        stored.push([field, value]);
        return value;
      },
    });
    // In the order of the form, which is not that in which they were stored.
    const values = new Set<unknown>(stored.map(([, value]) => value));
    return entries.filter((entry): entry is [string, FileValue] => values.has(entry[1]));
  } catch (error) {
    await discardPosted(
      stored.map(([, value]) => value),
      file.workspaceId,
    );
    throw error;
  }
}

/** Removes posted files that started no run. */
export async function discardPosted(files: Iterable<FileValue>, workspaceId: string): Promise<void> {
  const ids = [...files].map(({ $file }) => $file);
  if (ids.length > 0) await discardFiles(workspaceId, ids);
}
