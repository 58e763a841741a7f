import { Readable } from 'node:stream';
import { z } from 'zod';
import { isFileValue, type FileValue } from '@/contract/file-value';
import type { FormFieldValues } from '@/contract/triggers/form-fields';
import { CustomResponse, defineOperation, publicAccess, type OperationCall } from '@/server/api/operation/operation';
import { contentReply, readEffect, submitEffect, uploadBody } from '@/server/api/operation/operation-parts';
import { findStoredFile } from '@/server/data/files/rows';
import { openFileStorage } from '@/server/data/files/storage';
import { readFormRunToken } from '@/server/engine/attempt/form-run-link';
import { readReceivedPage, storeReceivedCall } from '@/server/engine/queue/calls';
import { readFormRun, type FormRunPage } from '@/server/engine/queue/form-run';
import { appendAuditEntries } from '@/server/people/audit/record';
import { runCallInTransaction } from '@/server/platform/db/transaction';
import { formBucketName } from '@/server/platform/limits/buckets';
import { downloadHeaders } from '../files/download';
import { readPostedForm } from '../pages/posted-form';
import { readFormOfRun } from './addressed-form';
import { PAGE_FIELD } from './form-page';
import { buildSenderAuditEntry, identifyFormSender } from './form-sender';
import { noticePage } from './html-page';
import {
  formRefusalPage,
  HTML_MEDIA_TYPES,
  MAX_FORM_BODY_BYTES,
  PENDING_PAGE_RESPONSE,
  REDIRECT_RESPONSE,
} from './pages';
import { receivePostedPage } from './posted-values';
import { redirectToRun } from './run-redirect';
import { showFormRun, toShownPage, type OpenedRun } from './run-views';
import { hashVisitor, identifyVisitor } from './visitor';

const RUN_PAGE_PATH = '/forms/runs/{token}';

const RUN_PAGE_OPTIONS = {
  tag: 'Forms',
  access: publicAccess({
    callsAs: 'nobody',
    /** Counts per sender network and run, so that a page that waits uses up no other bucket. */
    bucketOf({ token = '' }: Record<string, string>, network: string) {
      const link = readFormRunToken(token);
      return Promise.resolve(link ? formBucketName(link.executionId, network) : undefined);
    },
    refusalPage: formRefusalPage,
  }),
  params: z.strictObject({ token: z.string().max(2000) }),
  query: 'any',
  otherReplies: ['FORBIDDEN', 'CONFLICT', 'GONE', PENDING_PAGE_RESPONSE, REDIRECT_RESPONSE],
} as const;

const PAGE_REPLY = contentReply({ status: 200, mediaTypes: HTML_MEDIA_TYPES, description: 'The page.' });

/** Opens what a run shows at a link. Returns a page if the link leads to nothing, or is that of another visitor. */
async function openFormRun(call: OperationCall, token: string): Promise<OpenedRun | CustomResponse> {
  const link = readFormRunToken(token);
  const run = link && (await readFormRun(link));
  if (!run) {
    const text = 'The address is wrong, or what it belongs to was deleted.';
    return noticePage({ title: 'There is no page here', text, status: 404 });
  }
  const { workspaceId, workflowId, formId } = run;
  const sender = await identifyFormSender(call, { access: link.isMember ? 'members' : 'public', workspaceId });
  if (sender instanceof CustomResponse) return sender;
  const { person } = sender;
  const visitor = identifyVisitor(call.headers, person?.userId ?? null);
  if (link.visitor !== undefined && (visitor.isNew || hashVisitor(visitor) !== link.visitor)) {
    const text = 'Only the visitor who sent the form sees what follows, in the browser in which they sent it.';
    return noticePage({ title: 'This page belongs to another visitor', text, status: 403 });
  }
  return { run, link, person, visitor, form: formId === null ? null : await readFormOfRun(workflowId, formId) };
}

const showRunPageOperation = defineOperation({
  ...RUN_PAGE_OPTIONS,
  id: 'executions.showPage',
  method: 'GET',
  path: RUN_PAGE_PATH,
  summary: 'Open what a run shows to the visitor of a form',
  description:
    'A page that is to be filled in, the ending, or a page that asks for itself until one of them is there (202). After a form ' +
    'was sent, its visitor is led here; `execution.resumeUrls.<node>` in expressions is the address of a `form_page` node for ' +
    'anyone who has it. 410: the page was filled in, or its time is over.',
  effect: readEffect(),
  reply: PAGE_REPLY,
  otherReplies: [
    ...RUN_PAGE_OPTIONS.otherReplies,
    {
      status: 'default',
      mediaTypes: HTML_MEDIA_TYPES,
      description: 'The HTML of a `form_ending` node, with `Content-Security-Policy: sandbox …`.',
    },
  ],
  async run(call, { params: { token } }) {
    const opened = await openFormRun(call, token);
    return opened instanceof CustomResponse ? opened : showFormRun(opened);
  },
});

const submitRunPageOperation = defineOperation({
  ...RUN_PAGE_OPTIONS,
  id: 'executions.submitPage',
  method: 'POST',
  path: RUN_PAGE_PATH,
  summary: 'Post a page of a run',
  description:
    'What the page of a `form_page` node sends, as with `forms.submit`. The run continues with the values, once: another post of ' +
    'the same page with other content gets 409.',
  effect: submitEffect('resource_access'),
  body: uploadBody({ maxBytes: MAX_FORM_BODY_BYTES }),
  reply: PAGE_REPLY,
  async run(call, { params: { token } }) {
    const opened = await openFormRun(call, token);
    if (opened instanceof CustomResponse) return opened;
    const { run, link, visitor } = opened;
    const posted = await readPostedForm(call);
    const [pageId] = posted.texts(PAGE_FIELD);
    const page = run.pages.find(({ nodeId }) => nodeId === pageId);
    if (!page) return showFormRun(opened);
    return receivePostedPage(call, posted, {
      workspaceId: run.workspaceId,
      form: toShownPage(opened, page),
      visitor,
      // A program must not become the visitor to whom what follows belongs.
      trapped: () => redirectToRun(link),
      accept: (values, _again, keepFiles) => continueFormRun(call, opened, page, values, keepFiles),
    });
  },
});

/** From here on the pages of the run belong to this visitor. */
const followRun = ({ link, visitor }: OpenedRun): CustomResponse =>
  redirectToRun({ ...link, visitor: hashVisitor(visitor) });

/** Continues the run with the values of a page, once. */
async function continueFormRun(
  call: OperationCall,
  opened: OpenedRun,
  { nodeId }: FormRunPage,
  values: FormFieldValues,
  keepFiles: () => void,
): Promise<CustomResponse> {
  const { run, form, person } = opened;
  const { executionId, workspaceId } = run;
  const visitor = hashVisitor(opened.visitor);
  call.note({ workspaceId, resourceId: executionId, metadata: { nodeId } });
  const isStored = await runCallInTransaction(true, async (db) => {
    if (!(await storeReceivedCall(db, { executionId, nodeId }, JSON.stringify(values), visitor))) return false;
    await appendAuditEntries(db, [buildSenderAuditEntry(call, person)]);
    return true;
  });
  if (isStored) keepFiles();
  const isSent = isStored || isSameContent(values, await readReceivedPage({ executionId, nodeId }, visitor));
  if (isSent) return followRun(opened);
  return noticePage({
    title: form?.title ?? 'Form',
    text: 'Nothing was sent: this page was filled in before, for example in another tab, or its time is over.',
    status: 409,
    link: { href: call.path, text: 'Continue' },
  });
}

/** Whether two posts of a page have the same values: files are stored anew, and are compared by their content. */
const isSameContent = (values: FormFieldValues, received: unknown): boolean =>
  JSON.stringify(values, omitFileId) === JSON.stringify(received, omitFileId);

const omitFileId = (_key: string, value: unknown): unknown =>
  isFileValue(value) ? { name: value.name, sha256: value.sha256 } : value;

const downloadEndingFileOperation = defineOperation({
  ...RUN_PAGE_OPTIONS,
  id: 'executions.downloadPageFile',
  method: 'GET',
  path: `${RUN_PAGE_PATH}/file`,
  summary: 'Download the file that ends a form',
  description: 'The file of a `form_ending` node, for the visitor to whom the ending is shown.',
  effect: readEffect(),
  reply: contentReply({ status: 200, mediaTypes: ['*/*'], description: 'The content of the file.' }),
  async run(call, { params: { token } }) {
    const opened = await openFormRun(call, token);
    if (opened instanceof CustomResponse) return opened;
    const { run, link } = opened;
    const file = link.visitor !== undefined && run.ending?.show === 'file' ? run.ending.file : undefined;
    return (file && (await sendFile(run.workspaceId, file, call.method))) ?? fileGonePage(opened);
  },
});

const fileGonePage = ({ form }: OpenedRun): CustomResponse =>
  noticePage({ title: form?.title ?? 'Form', text: 'The file does not exist any more.', status: 404 });

async function sendFile(workspaceId: string, { $file }: FileValue, method: string): Promise<Response | undefined> {
  const file = await findStoredFile(workspaceId, $file);
  if (!file) return undefined;
  const { 'Accept-Ranges': _, ...shown } = downloadHeaders(file);
  const headers = { ...shown, 'Content-Length': String(file.size), 'Referrer-Policy': 'no-referrer' };
  if (method === 'HEAD') return new Response(null, { headers });
  const content = await openFileStorage().read(file.id);
  return content ? new Response(Readable.toWeb(content) as ReadableStream, { headers }) : undefined;
}

export const runPageOperations = [showRunPageOperation, submitRunPageOperation, downloadEndingFileOperation];
