import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { FileValue } from '@/contract/file-value';
import type { OperationCall } from '@/server/api/operation/operation';
import { invalidRequestProblem } from '@/server/platform/errors/problem';
import { readMultipartForm, type MultipartFile } from '@/server/data/files/multipart';
import { discardFiles } from '@/server/data/files/rows';
import type { SpooledFile } from '@/server/data/files/spool';
import { storeUpload } from '@/server/data/files/store';
import { requestBodyType, parseUrlEncodedFields, UnreadableBodyError } from '@/server/platform/messages/request-body';

/** What browsers send for a form. */
export interface PostedForm {
  /** Returns the texts that were posted under a name. */
  texts(name: string): string[];
  /** The number of files of each field, by name. */
  files: ReadonlyMap<string, number>;
  /** Hash of all names, values and contents of files: the same for the same form sent again. */
  hash: string;
}

const MAX_FORM_FIELDS_BYTES = 1024 * 1024;

/** A file that was read and not kept. */
class SkippedFile {
  constructor(readonly sha256: string) {}
}

/** Reads a posted form without its files: they are stored once its fields are valid. */
export async function readPostedForm({ spool, headers }: OperationCall): Promise<PostedForm> {
  const type = headers.get('content-type') ?? '';
  const kind = requestBodyType(type);
  if (!spool || (kind !== 'form' && kind !== 'multipart'))
    throw invalidRequestProblem([], 'The request is not a form.');
  const entries = kind === 'form' ? await parseFormFields(spool) : await parseMultipartFields(spool, type);
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

async function parseFormFields(spool: SpooledFile): Promise<[string, unknown][]> {
  if (spool.size > MAX_FORM_FIELDS_BYTES)
    throw invalidRequestProblem([], `The form is larger than ${MAX_FORM_FIELDS_BYTES} bytes.`);
  try {
    return parseUrlEncodedFields(await buffer(spool.stream()));
  } catch (error) {
    throw error instanceof UnreadableBodyError ? invalidRequestProblem([], error.message) : error;
  }
}

const parseMultipartFields = (spool: SpooledFile, type: string) =>
  readMultipartForm(spool.stream(), type, {
    maxFieldBytes: MAX_FORM_FIELDS_BYTES,
    onFile: (_, file) => hashSkippedFile(file),
  });

async function hashSkippedFile({ content }: MultipartFile): Promise<SkippedFile> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return new SkippedFile(hash.digest('hex'));
}

/**
 * Stores the first files of each of these fields, at most as many as the map says. Throws a Problem, and then stores
 * none.
 */
export async function storePostedFiles(
  { spool, headers }: OperationCall,
  most: ReadonlyMap<string, number>,
  file: { workspaceId: string; createdBy?: string | null; limit?: number },
): Promise<[string, FileValue][]> {
  const stored: [string, FileValue][] = [];
  if (!spool || most.size === 0) return stored;
  const begun = new Map<string, number>();
  try {
    const entries = await readMultipartForm(spool.stream(), headers.get('content-type') ?? '', {
      maxFieldBytes: MAX_FORM_FIELDS_BYTES,
      onFile: async (field, part) => {
        const count = begun.get(field) ?? 0;
        if (count >= (most.get(field) ?? 0)) return hashSkippedFile(part);
        begun.set(field, count + 1);
        const { content, name, contentType } = part;
        const value = await storeUpload(content, { ...file, name, contentType });
        stored.push([field, value]);
        return value;
      },
    });
    // The result has the order of the form, which may differ from the order of storage.
    const values = new Set<unknown>(stored.map(([, value]) => value));
    return entries.filter((entry): entry is [string, FileValue] => values.has(entry[1]));
  } catch (error) {
    await discardPostedFiles(
      stored.map(([, value]) => value),
      file.workspaceId,
    );
    throw error;
  }
}

/** Removes posted files that started no run. */
export async function discardPostedFiles(files: Iterable<FileValue>, workspaceId: string): Promise<void> {
  const ids = [...files].map(({ $file }) => $file);
  if (ids.length > 0) await discardFiles(workspaceId, ids);
}
