import { Readable } from 'node:stream';
import { z } from 'zod';
import { UploadedFile } from '@/contract/uploaded-file';
import { MAX_FILE_BYTES } from '@/contract/file-value';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { findReadableFiles, requireFileRemoval } from '@/server/people/access/files';
import { memberAccess, defineOperation, type SignedInCall } from '@/server/api/operation/operation';
import {
  contentReply,
  jsonReply,
  readEffect,
  submitEffect,
  uploadBody,
  writeEffect,
} from '@/server/api/operation/operation-parts';
import { matchesEntityTag } from '@/server/api/operation/unchanged';
import { appendAuditEntries } from '@/server/people/audit/record';
import type { DatabaseClient } from '@/server/platform/db/client';
import { invalidRequestProblem, invalidFieldProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { readMultipartForm } from '@/server/data/files/multipart';
import { dispositionFileName } from '@/server/platform/messages/content-disposition';
import { discardFiles, findStoredFile, toFileValue, type StoredFileRow } from '@/server/data/files/rows';
import type { SpooledFile } from '@/server/data/files/spool';
import { storeSpooledFile, storeUpload } from '@/server/data/files/store';
import { openFileStorage } from '@/server/data/files/storage';
import { requestBodyType } from '@/server/platform/messages/request-body';
import { downloadHeaders, requestedByteRange } from './download';

const FILE_TAG = 'Files';
const FileParams = z.strictObject({ id: z.string() });
/** Maximum bytes that a multipart form adds around its file. */
const MAX_FORM_OVERHEAD_BYTES = 64 * 1024;

/** Stores the file of a multipart form, whose only field must be `file`. */
async function storeMultipartFile({ caller, headers }: SignedInCall, spool: SpooledFile): Promise<string> {
  const { workspaceId, userId: createdBy } = caller;
  const stored: string[] = [];
  try {
    const entries = await readMultipartForm(spool.stream(), headers.get('content-type') ?? '', {
      maxFiles: 1,
      async onFile(field, { name, contentType, content }) {
        if (field !== 'file') throw invalidFieldProblem(field, 'is not known');
        const { $file } = await storeUpload(content, { workspaceId, createdBy, name, contentType });
        stored.push($file);
      },
    });
    const other = entries.find(([name]) => name !== 'file');
    if (other) throw invalidFieldProblem(other[0], 'is not known');
    if (!stored[0]) throw invalidFieldProblem('file', 'is missing');
    return stored[0];
  } catch (error) {
    await discardFiles(workspaceId, stored);
    throw error;
  }
}

async function storeBodyFile({ caller, headers }: SignedInCall, spool: SpooledFile): Promise<string> {
  if (spool.size === 0) throw invalidRequestProblem([], 'The body is empty.');
  if (spool.size > MAX_FILE_BYTES) throw invalidRequestProblem([], `The file is larger than ${MAX_FILE_BYTES} bytes.`);
  const { id } = await storeSpooledFile(spool, {
    workspaceId: caller.workspaceId,
    createdBy: caller.userId,
    name: dispositionFileName(headers.get('content-disposition')),
    contentType: headers.get('content-type') ?? undefined,
  });
  return id;
}

const uploadFileOperation = defineOperation({
  id: 'files.upload',
  method: 'POST',
  path: '/api/files',
  summary: 'Upload a file',
  description:
    'As the field `file` of a multipart form, or as the body; then the name comes from `Content-Disposition`, else it is ' +
    '`file`. At most 100 MiB. The answer, in the input of a run, names the file. A file that no execution and no row of a table ' +
    'names is removed after 24 hours; others with the last one that names them. With `Idempotency-Key`, a repetition must have the ' +
    'same bytes.',
  tag: FILE_TAG,
  access: memberAccess('workflow', 'execute', { isFiltered: true }),
  effect: submitEffect('resource_access'),
  body: uploadBody({ maxBytes: MAX_FILE_BYTES + MAX_FORM_OVERHEAD_BYTES }),
  reply: jsonReply(UploadedFile, { status: 201 }),
  async run(call) {
    const { caller, headers, spool, db, note } = call;
    if (!spool) throw invalidRequestProblem([], 'The body is missing.');
    const isForm = requestBodyType(headers.get('content-type')) === 'multipart';
    const id = await (isForm ? storeMultipartFile(call, spool) : storeBodyFile(call, spool));
    const file = await findStoredFile(caller.workspaceId, id);
    if (!file) throw notFoundProblem('The file');
    note({ resourceId: id, metadata: { name: file.name, size: file.size } });
    await appendAuditEntries(db, [call.auditEntry()]);
    return { ...toFileValue(file), createdAt: file.createdAt.toISOString() };
  },
});

/** The file, if the caller may read it. Throws 404 for any other. */
async function requireVisibleFile(db: DatabaseClient, caller: WorkspaceCaller, id: string): Promise<StoredFileRow> {
  const file = await findStoredFile(caller.workspaceId, id);
  if (!file || !(await findReadableFiles(db, caller, [id])).has(id)) throw notFoundProblem('The file');
  return file;
}

const downloadFileOperation = defineOperation({
  id: 'files.get',
  method: 'GET',
  path: '/api/files/{id}',
  summary: 'Download a file',
  description:
    'Everyone who may read an execution or a table that names the file may download it; one that nothing names, everyone who ' +
    'may run workflows. Takes `Range` with one range (206, or 416), `If-Range` and `If-None-Match`. Content that a browser could ' +
    'run or render as a page comes as `application/octet-stream`.',
  tag: FILE_TAG,
  access: memberAccess('execution', 'read', { isFiltered: true }),
  effect: readEffect(),
  params: FileParams,
  reply: contentReply({ status: 200, mediaTypes: ['*/*'], description: 'The content of the file.' }),
  otherReplies: [
    { status: 206, mediaTypes: ['*/*'], description: 'The range of the content that `Range` names.' },
    { status: 304, description: 'The caller has it already (`If-None-Match`).' },
    'RANGE_NOT_SATISFIABLE',
  ],
  async run({ db, caller, headers, method }, { params: { id } }) {
    const file = await requireVisibleFile(db, caller, id);
    const shown = downloadHeaders(file);
    if (matchesEntityTag(headers, shown.ETag))
      return new Response(null, { status: 304, headers: { ETag: shown.ETag } });
    const range = requestedByteRange(headers, file, shown.ETag);
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
    const content = await openFileStorage().read(file.id, range);
    if (!content) throw notFoundProblem('The content of the file');
    return new Response(Readable.toWeb(content) as ReadableStream, answer);
  },
});

const deleteFileOperation = defineOperation({
  id: 'files.delete',
  method: 'DELETE',
  path: '/api/files/{id}',
  summary: 'Delete a file',
  description:
    'Its bytes are removed within a minute. Executions and rows keep the value that names it; nodes that need the file from then on ' +
    'fail with `FILE_NOT_FOUND`. Needs the right over what uses it: `workflow:update` on the workflow of runs that are not the ' +
    'caller’s own, `table:write` on the table. A file that nothing uses is deleted by the person who uploaded it, or with ' +
    '`workflow:update` on all workflows.',
  tag: FILE_TAG,
  access: memberAccess('workflow', 'execute', { isFiltered: true }),
  effect: writeEffect('resource_access'),
  params: FileParams,
  async run({ db, caller, note }, { params: { id } }) {
    const file = await requireVisibleFile(db, caller, id);
    note({ resourceId: id, metadata: { name: file.name, size: file.size } });
    await requireFileRemoval(db, caller, id);
    await db.file.update({ where: { id }, data: { removedAt: new Date() } });
  },
});

export const fileOperations = [uploadFileOperation, downloadFileOperation, deleteFileOperation];
