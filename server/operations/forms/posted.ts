import { buffer } from 'node:stream/consumers';
import type { FileValue } from '@/contract/file-value';
import type { Call } from '@/server/api/operation';
import { invalid } from '@/server/errors/problem';
import { readMultipart, type MultipartFile } from '@/server/files/multipart';
import { discardFiles } from '@/server/files/rows';
import type { Spool } from '@/server/files/spool';
import { storeUpload } from '@/server/files/store';
import { bodyKindOf, formIn, UnreadableBody } from '@/server/request-body';

/** What browsers send for a form. */
export interface Posted {
  /** The texts of a name. */
  texts(name: string): string[];
  /** The names of the file fields that were filled in. */
  files: ReadonlySet<string>;
}

const MAX_FIELDS_BYTES = 1024 * 1024;
const FILE = Symbol('file');

/** Reads a posted form without its files: they are stored once its fields are valid. */
export async function readPosted({ spool, headers }: Call): Promise<Posted> {
  const type = headers.get('content-type') ?? '';
  const kind = bodyKindOf(type);
  if (!spool || (kind !== 'form' && kind !== 'multipart')) throw invalid([], 'The request is not a form.');
  const entries = kind === 'form' ? await fieldsIn(spool) : await fieldsAndFilesIn(spool, type);
  const valuesOf = (name: string) => entries.filter(([field]) => field === name).map(([, value]) => value);
  return {
    texts: (name) => valuesOf(name).filter((value) => typeof value === 'string'),
    files: new Set(entries.filter(([, value]) => value === FILE).map(([name]) => name)),
  };
}

async function fieldsIn(spool: Spool): Promise<[string, unknown][]> {
  if (spool.size > MAX_FIELDS_BYTES) throw invalid([], `The form is larger than ${MAX_FIELDS_BYTES} bytes.`);
  try {
    const values = formIn(await buffer(spool.stream())) as Record<string, unknown>;
    return Object.entries(values).flatMap(([name, value]) =>
      [value].flat().map((one): [string, unknown] => [name, one]),
    );
  } catch (error) {
    throw error instanceof UnreadableBody ? invalid([], error.message) : error;
  }
}

const fieldsAndFilesIn = (spool: Spool, type: string) =>
  readMultipart(spool.stream(), type, {
    maxFieldBytes: MAX_FIELDS_BYTES,
    onFile: async (_, file) => {
      await skip(file);
      return FILE;
    },
  });

async function skip({ content }: MultipartFile): Promise<void> {
  for await (const chunk of content) void chunk;
}

/** Stores the first file of each of these fields. Throws a Problem, and then stores none. */
export async function storePostedFiles(
  { spool, headers }: Call,
  names: ReadonlySet<string>,
  workspaceId: string,
): Promise<Map<string, FileValue>> {
  const stored = new Map<string, FileValue>();
  if (!spool || names.size === 0) return stored;
  const begun = new Set<string>();
  try {
    await readMultipart(spool.stream(), headers.get('content-type') ?? '', {
      maxFieldBytes: MAX_FIELDS_BYTES,
      onFile: async (field, file) => {
        if (!names.has(field) || begun.has(field)) return skip(file);
        begun.add(field);
        const { content, name, contentType } = file;
        stored.set(field, await storeUpload(content, { workspaceId, name, contentType }));
      },
    });
    return stored;
  } catch (error) {
    await discardPosted(stored, workspaceId);
    throw error;
  }
}

/** Removes the files of a form that started no run. */
export async function discardPosted(files: ReadonlyMap<string, FileValue>, workspaceId: string): Promise<void> {
  const ids = [...files.values()].map(({ $file }) => $file);
  if (ids.length > 0) await discardFiles(workspaceId, ids);
}
