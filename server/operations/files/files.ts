import { Readable } from 'node:stream';
import { z } from 'zod';
import { UploadedFile } from '@/contract/file';
import { MAX_FILE_BYTES } from '@/contract/file-value';
import type { Caller } from '@/server/access/caller';
import { readableFiles, requireFileRemoval } from '@/server/access/files';
import { memberAccess, operation, type SignedInCall } from '@/server/api/operation';
import {
  contentReply,
  jsonReply,
  readEffect,
  submitEffect,
  uploadBody,
  writeEffect,
} from '@/server/api/operation-parts';
import { isUnchanged } from '@/server/api/unchanged';
import { record } from '@/server/audit/record';
import type { Db } from '@/server/db/client';
import { invalid, invalidField, notFound } from '@/server/errors/problem';
import { readMultipart } from '@/server/files/multipart';
import { nameInDisposition } from '@/server/content-disposition';
import { discardFiles, findFile, valueOf, type StoredFile } from '@/server/files/rows';
import type { Spool } from '@/server/files/spool';
import { storeSpool, storeUpload } from '@/server/files/store';
import { fileStorage } from '@/server/files/storage';
import { bodyKindOf } from '@/server/request-body';
import { downloadHeaders, rangeOf } from './download';

const tag = 'Files';
const Id = z.strictObject({ id: z.string() });
/** The parts of a multipart form around its file. */
const AROUND = 64 * 1024;

/** The file of a multipart form: its field `file`, and nothing else. */
async function storeForm({ caller, headers }: SignedInCall, spool: Spool): Promise<string> {
  const { workspaceId, userId: createdBy } = caller;
  const stored: string[] = [];
  try {
    const entries = await readMultipart(spool.stream(), headers.get('content-type') ?? '', {
      maxFiles: 1,
      async onFile(field, { name, contentType, content }) {
        if (field !== 'file') throw invalidField(field, 'is not known');
        const { $file } = await storeUpload(content, { workspaceId, createdBy, name, contentType });
        stored.push($file);
      },
    });
    const other = entries.find(([name]) => name !== 'file');
    if (other) throw invalidField(other[0], 'is not known');
    if (!stored[0]) throw invalidField('file', 'is missing');
    return stored[0];
  } catch (error) {
    await discardFiles(workspaceId, stored);
    throw error;
  }
}

async function storeBody({ caller, headers }: SignedInCall, spool: Spool): Promise<string> {
  if (spool.size === 0) throw invalid([], 'The body is empty.');
  if (spool.size > MAX_FILE_BYTES) throw invalid([], `The file is larger than ${MAX_FILE_BYTES} bytes.`);
  const { id } = await storeSpool(spool, {
    workspaceId: caller.workspaceId,
    createdBy: caller.userId,
    name: nameInDisposition(headers.get('content-disposition')),
    contentType: headers.get('content-type') ?? undefined,
  });
  return id;
}

const upload = operation({
  id: 'files.upload',
  method: 'POST',
  path: '/api/files',
  summary: 'Upload a file',
  description:
    'As the field `file` of a multipart form, or as the body; then the name comes from `Content-Disposition`, else it is ' +
    '`file`. At most 100 MiB. The answer, in the input of a run, names the file. A file that no execution and no row of a table ' +
    'names is removed after 24 hours; others with the last one that names them. With `Idempotency-Key`, a repetition must have the ' +
    'same bytes.',
  tag,
  access: memberAccess('workflow', 'execute', { isFiltered: true }),
  effect: submitEffect('resource_access'),
  body: uploadBody({ maxBytes: MAX_FILE_BYTES + AROUND }),
  reply: jsonReply(UploadedFile, { status: 201 }),
  async run(call) {
    const { caller, headers, spool, db, note } = call;
    if (!spool) throw invalid([], 'The body is missing.');
    const isForm = bodyKindOf(headers.get('content-type')) === 'multipart';
    const id = await (isForm ? storeForm(call, spool) : storeBody(call, spool));
    const file = await findFile(caller.workspaceId, id);
    if (!file) throw notFound('The file');
    note({ resourceId: id, metadata: { name: file.name, size: file.size } });
    await record(db, [call.auditEntry()]);
    return { ...valueOf(file), createdAt: file.createdAt.toISOString() };
  },
});

/** The file, if the caller may read it. Throws 404 for any other. */
async function visibleFile(db: Db, caller: Caller, id: string): Promise<StoredFile> {
  const file = await findFile(caller.workspaceId, id);
  if (!file || !(await readableFiles(db, caller, [id])).has(id)) throw notFound('The file');
  return file;
}

const get = operation({
  id: 'files.get',
  method: 'GET',
  path: '/api/files/{id}',
  summary: 'Download a file',
  description:
    'Everyone who may read an execution or a table that names the file may download it; one that nothing names, everyone who ' +
    'may run workflows. Takes `Range` with one range (206, or 416), `If-Range` and `If-None-Match`. Content that a browser could ' +
    'run or render as a page comes as `application/octet-stream`.',
  tag,
  access: memberAccess('execution', 'read', { isFiltered: true }),
  effect: readEffect(),
  params: Id,
  reply: contentReply({ status: 200, mediaTypes: ['*/*'], description: 'The content of the file.' }),
  otherReplies: [
    { status: 206, mediaTypes: ['*/*'], description: 'The range of the content that `Range` names.' },
    { status: 304, description: 'The caller has it already (`If-None-Match`).' },
    'RANGE_NOT_SATISFIABLE',
  ],
  async run({ db, caller, headers, method }, { params: { id } }) {
    const file = await visibleFile(db, caller, id);
    const shown = downloadHeaders(file);
    if (isUnchanged(headers, shown.ETag)) return new Response(null, { status: 304, headers: { ETag: shown.ETag } });
    const range = rangeOf(headers, file, shown.ETag);
    const length = range ? range.end - range.start + 1 : file.size;
    const answer = {
      status: range ? 206 : 200,
      headers: {
        ...shown,
        'Content-Length': String(length),
        ...(range ? { 'Content-Range': `bytes ${range.start}-${range.end}/${file.size}` } : {}),
      },
    };
    if (method === 'HEAD') return new Response(null, answer);
    const content = await fileStorage().read(file.id, range);
    if (!content) throw notFound('The content of the file');
    return new Response(Readable.toWeb(content) as ReadableStream, answer);
  },
});

const remove = operation({
  id: 'files.delete',
  method: 'DELETE',
  path: '/api/files/{id}',
  summary: 'Delete a file',
  description:
    'Its bytes are removed within a minute. Executions and rows keep the value that names it; nodes that need the file from then on ' +
    'fail with `FILE_NOT_FOUND`. Needs the right over what uses it: `workflow:update` on the workflow of runs that are not the ' +
    'caller’s own, `table:write` on the table. A file that nothing uses is deleted by the person who uploaded it, or with ' +
    '`workflow:update` on all workflows.',
  tag,
  access: memberAccess('workflow', 'execute', { isFiltered: true }),
  effect: writeEffect('resource_access'),
  params: Id,
  async run({ db, caller, note }, { params: { id } }) {
    const file = await visibleFile(db, caller, id);
    note({ resourceId: id, metadata: { name: file.name, size: file.size } });
    await requireFileRemoval(db, caller, id);
    await db.file.update({ where: { id }, data: { removedAt: new Date() } });
  },
});

export const files = [upload, get, remove];
