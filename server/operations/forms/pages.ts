import { z } from 'zod';
import type { FieldError } from '@/contract/error';
import { MAX_FILE_BYTES, type FileValue } from '@/contract/file-value';
import { postedValues, storedValues } from '@/contract/triggers/form-fields';
import { CustomReply, operation, publicAccess, type Call } from '@/server/api/operation';
import { contentReply, readEffect, submitEffect, uploadBody } from '@/server/api/operation-parts';
import { readQuery } from '@/server/api/form';
import { isFromThisOrigin } from '@/server/auth/browser-session';
import { Problem } from '@/server/errors/problem';
import { EvaluationFailed } from '@/server/evaluation/evaluation';
import { checkedValues } from '@/server/forms/fields';
import { formBucket } from '@/server/limits/buckets';
import { inputIssuesOf } from '../workflows/content';
import { formPage, TOKEN_FIELD, TRAP_FIELD } from './form-page';
import { formIds, readForm, type AddressedForm } from './lookup';
import { senderOf } from './member';
import { noticePage } from './page';
import { discardPosted, readPosted, storePostedFiles, type Posted } from '../pages/posted';
import { acceptedReply, startRun } from './submission';
import { isValidToken, visitorOf, type Visitor } from './visitor';
import type { Person } from '@/server/access/caller';

const tag = 'Forms';
/** One file of the largest size, and fields. */
const MAX_BODY = MAX_FILE_BYTES + 2 * 1024 * 1024;

const HTML = ['text/html'];
const ELSEWHERE = { status: 303, mediaTypes: HTML, description: 'To the sign-in, or where the form leads.' };
const NOT_READY = { status: 202, mediaTypes: HTML, description: 'The page; the result is not ready yet.' };

/** The same for both methods of the address. */
const PAGE = {
  path: '/forms/{workflowId}/{path...}',
  tag,
  access: publicAccess({
    callsAs: 'nobody',
    /** The address of the sender and the form: a flood of posts neither uses up the workspace’s bucket nor that of its network. */
    async bucketOf({ workflowId = '', path = '' }: Record<string, string>, network: string) {
      const id = await formIds.at({ workflowId, path });
      return id && formBucket(id, network);
    },
    refusalPage: ({ code, status, message }: Problem) =>
      noticePage({ title: REFUSALS[code] ?? 'Not sent', text: message, status }),
  }),
  params: z.strictObject({ workflowId: z.string(), path: z.string() }),
  query: 'any',
  reply: contentReply({ status: 200, mediaTypes: HTML, description: 'The page.' }),
  otherReplies: ['FORBIDDEN', 'CONFLICT'],
} as const;

const REFUSALS: Partial<Record<Problem['code'], string>> = {
  RATE_LIMITED: 'Too many requests',
  NOT_FOUND: 'There is no form here',
  INTERNAL_ERROR: 'Something went wrong',
};

/** A form that can be posted now, and who would post it. */
interface Opened {
  form: AddressedForm;
  person: Person | null;
  visitor: Visitor;
}

/** Opens the form at an address. A reply instead if there is none, it is not for this caller, or its workflow is not active. */
async function open(call: Call, address: { workflowId: string; path: string }): Promise<Opened | CustomReply> {
  const form = await readForm(address);
  if (!form) {
    const text = 'The address is wrong, or the form was deleted.';
    return noticePage({ title: 'There is no form here', text, status: 404 });
  }
  const sender = await senderOf(call, form);
  if (sender instanceof CustomReply) return sender;
  if (form.workflowStatus !== 'active') {
    const text = 'It does not take answers at the moment. Try again later.';
    return noticePage({ title: 'This form is closed', text, status: 409 });
  }
  const { person } = sender;
  return { form, person, visitor: visitorOf(call.headers, person?.userId ?? null) };
}

const show = operation({
  ...PAGE,
  id: 'forms.show',
  method: 'GET',
  summary: 'Open the page of a form',
  description:
    'A page of plain HTML, for browsers. Query parameters with the names of fields fill these in. A form for members leads ' +
    'to the sign-in first.',
  effect: readEffect(),
  otherReplies: [...PAGE.otherReplies, ELSEWHERE],
  async run(call, { params }) {
    const opened = await open(call, params);
    if (opened instanceof CustomReply) return opened;
    const query = readQuery(call.rawQuery);
    const posted = (name: string) => query.flatMap(([field, value]) => (field === name ? [value] : []));
    return formPage(opened.form, { visitor: opened.visitor, posted });
  },
});

const send = operation({
  ...PAGE,
  id: 'forms.submit',
  method: 'POST',
  summary: 'Post a form',
  description:
    'What the page sends. It needs the token of the page and the cookie of its visitor. Values that do not fit get the page ' +
    'again, with the errors beside the fields.',
  effect: submitEffect('resource_access'),
  otherReplies: [...PAGE.otherReplies, NOT_READY, ELSEWHERE],
  body: uploadBody({ maxBytes: MAX_BODY }),
  async run(call, { params }) {
    const opened = await open(call, params);
    if (opened instanceof CustomReply) return opened;
    const { form, person, visitor } = opened;
    const posted = await readPosted(call);
    const { texts } = posted;
    const again = (issues: readonly FieldError[], status: number, notice?: string) =>
      formPage(form, { visitor, posted: texts, issues, status, notice });
    const [token = ''] = texts(TOKEN_FIELD);
    if (!isFromThisOrigin(call.headers, call.method) || visitor.isNew || !isValidToken(form.id, visitor, token)) {
      return again([], 403, EXPIRED);
    }
    // A program that fills in every field. It learns nothing from the answer.
    if ((texts(TRAP_FIELD)[0] ?? '') !== '') return acceptedReply(form);
    try {
      const issues = await fieldIssuesOf(form, posted);
      return issues ? again(issues, 400) : await startWithFiles(call, { form, person, visitor }, posted, again);
    } catch (error) {
      if (error instanceof EvaluationFailed) return again([], 429, BUSY);
      if (error instanceof Problem && error.code !== 'INTERNAL_ERROR') return again([], error.status, noticeOf(error));
      throw error;
    }
  },
});

const EXPIRED =
  'Nothing was sent: the page was open for too long, or your browser does not keep cookies. Check your answers and send them again.';
/** Quotas and limits of the workspace are not the sender’s business. */
const BUSY = 'Nothing was sent: the form cannot take answers at the moment. Try again later.';

/** Why a sender cannot use the service now: what they can change themselves, they are told. */
const noticeOf = ({ code, message }: Problem) => (code === 'VALIDATION_ERROR' ? `Nothing was sent: ${message}` : BUSY);

/** Stands for a file that is not stored yet. */
const PENDING: FileValue = { $file: 'file_pending', name: '', contentType: '', size: 0, sha256: '' };

const fileNamesOf = ({ fields }: AddressedForm, { files }: Posted): Set<string> =>
  new Set(fields.filter(({ kind, name }) => kind === 'file' && files.has(name)).map(({ name }) => name));

/** The posted values; the value of each file is that of `files`. */
const valuesOf = (form: AddressedForm, posted: Posted, files: ReadonlyMap<string, FileValue>) => ({
  ...postedValues(
    form.fields.filter(({ kind }) => kind !== 'file'),
    posted.texts,
  ),
  ...Object.fromEntries(files),
});

/** Why the posted values do not fit the fields of the form. Its files are not stored yet. */
async function fieldIssuesOf(form: AddressedForm, posted: Posted): Promise<FieldError[] | null> {
  const pending = new Map([...fileNamesOf(form, posted)].map((name) => [name, PENDING]));
  const { workspaceId, fields } = form;
  return (await checkedValues(fields, valuesOf(form, posted, pending), { workspaceId })).issues;
}

/** Stores the files of a form whose fields fit, and starts its run if the input schema of the workflow accepts the values. */
async function startWithFiles(
  call: Call,
  { form, person }: Opened,
  posted: Posted,
  again: (issues: readonly FieldError[], status: number) => CustomReply,
): Promise<CustomReply> {
  const { workspaceId, workflowId, workflowVersion, fields } = form;
  const most = new Map([...fileNamesOf(form, posted)].map((name) => [name, 1]));
  const files = new Map(await storePostedFiles(call, most, { workspaceId }));
  let isStored = false;
  try {
    const values = storedValues(fields, valuesOf(form, posted, files));
    const issues = await inputIssuesOf(call.db, workflowId, workflowVersion, values, workspaceId);
    if (issues.length > 0) return again(issues.map(withoutPrefix), 400);
    const submission = { form, person, input: values, hash: posted.hash };
    return await startRun(call, submission, () => (isStored = true));
  } finally {
    if (!isStored) await discardPosted(files.values(), workspaceId);
  }
}

const withoutPrefix = ({ field, message }: FieldError): FieldError => ({
  field: field.replace(/^input\.?/, ''),
  message,
});

export const formPages = [show, send];
