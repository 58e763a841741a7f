import { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';
import { MAX_FILE_BYTES, type FileValue } from '@/contract/file-value';
import { readPostedValues, normalizeFieldValues } from '@/contract/triggers/form-fields';
import { CustomResponse, defineOperation, publicAccess, type OperationCall } from '@/server/api/operation/operation';
import { contentReply, readEffect, submitEffect, uploadBody } from '@/server/api/operation/operation-parts';
import { parseRawQuery } from '@/server/api/operation/form';
import { isSameOriginRequest } from '@/server/people/auth/browser-session';
import { ApiProblem } from '@/server/platform/errors/problem';
import { EvaluationFailedError } from '@/server/evaluation/evaluator/evaluation';
import { checkFormValues } from '@/server/workflow/forms/fields';
import { formBucketName } from '@/server/platform/limits/buckets';
import { findInputIssues } from '../workflows/workflow-rows';
import { renderFormPage, TOKEN_FIELD, HONEYPOT_FIELD } from './form-page';
import { formIdsByAddress, readAddressedForm, type AddressedForm } from './addressed-form';
import { identifyFormSender } from './form-sender';
import { noticePage } from './html-page';
import { discardPostedFiles, readPostedForm, storePostedFiles, type PostedForm } from '../pages/posted-form';
import { acceptedFormPage, startFormRun } from './submission';
import { isValidFormToken, identifyVisitor, type FormVisitor } from './visitor';
import type { AuthenticatedPerson } from '@/server/people/access/caller';

const FORM_PAGE_TAG = 'Forms';
/** A form may have one file of the largest size, and its fields. */
const MAX_FORM_BODY_BYTES = MAX_FILE_BYTES + 2 * 1024 * 1024;

const HTML_MEDIA_TYPES = ['text/html'];
const REDIRECT_RESPONSE = {
  status: 303,
  mediaTypes: HTML_MEDIA_TYPES,
  description: 'To the sign-in, or where the form leads.',
};
const PENDING_PAGE_RESPONSE = {
  status: 202,
  mediaTypes: HTML_MEDIA_TYPES,
  description: 'The page; the result is not ready yet.',
};

/** These options are the same for both methods of the address. */
const FORM_PAGE_OPTIONS = {
  path: '/forms/{workflowId}/{path...}',
  tag: FORM_PAGE_TAG,
  access: publicAccess({
    callsAs: 'nobody',
    /**
     * Counts per sender network and form, so that a flood of posts uses up neither the workspace’s bucket nor that of
     * its network.
     */
    async bucketOf({ workflowId = '', path = '' }: Record<string, string>, network: string) {
      const id = await formIdsByAddress.findId({ workflowId, path });
      return id && formBucketName(id, network);
    },
    refusalPage: ({ code, status, message }: ApiProblem) =>
      noticePage({ title: REFUSAL_TITLES[code] ?? 'Not sent', text: message, status }),
  }),
  params: z.strictObject({ workflowId: z.string(), path: z.string() }),
  query: 'any',
  reply: contentReply({ status: 200, mediaTypes: HTML_MEDIA_TYPES, description: 'The page.' }),
  otherReplies: ['FORBIDDEN', 'CONFLICT'],
} as const;

const REFUSAL_TITLES: Partial<Record<ApiProblem['code'], string>> = {
  RATE_LIMITED: 'Too many requests',
  NOT_FOUND: 'There is no form here',
  INTERNAL_ERROR: 'Something went wrong',
};

/** A form that can be posted now, and who would post it. */
interface OpenedForm {
  form: AddressedForm;
  person: AuthenticatedPerson | null;
  visitor: FormVisitor;
}

/**
 * Opens the form at an address. Returns a page if there is no form, it does not admit the caller, or its workflow is
 * not active.
 */
async function openForm(
  call: OperationCall,
  address: { workflowId: string; path: string },
): Promise<OpenedForm | CustomResponse> {
  const form = await readAddressedForm(address);
  if (!form) {
    const text = 'The address is wrong, or the form was deleted.';
    return noticePage({ title: 'There is no form here', text, status: 404 });
  }
  const sender = await identifyFormSender(call, form);
  if (sender instanceof CustomResponse) return sender;
  if (form.workflowStatus !== 'active') {
    const text = 'It does not take answers at the moment. Try again later.';
    return noticePage({ title: 'This form is closed', text, status: 409 });
  }
  const { person } = sender;
  return { form, person, visitor: identifyVisitor(call.headers, person?.userId ?? null) };
}

const showFormOperation = defineOperation({
  ...FORM_PAGE_OPTIONS,
  id: 'forms.show',
  method: 'GET',
  summary: 'Open the page of a form',
  description:
    'A page of plain HTML, for browsers. Query parameters with the names of fields fill these in. A form for members leads ' +
    'to the sign-in first.',
  effect: readEffect(),
  otherReplies: [...FORM_PAGE_OPTIONS.otherReplies, REDIRECT_RESPONSE],
  async run(call, { params }) {
    const opened = await openForm(call, params);
    if (opened instanceof CustomResponse) return opened;
    const query = parseRawQuery(call.rawQuery);
    const posted = (name: string) => query.flatMap(([field, value]) => (field === name ? [value] : []));
    return renderFormPage(opened.form, { visitor: opened.visitor, posted });
  },
});

const submitFormOperation = defineOperation({
  ...FORM_PAGE_OPTIONS,
  id: 'forms.submit',
  method: 'POST',
  summary: 'Post a form',
  description:
    'What the page sends. It needs the token of the page and the cookie of its visitor. Values that do not fit get the page ' +
    'again, with the errors beside the fields.',
  effect: submitEffect('resource_access'),
  otherReplies: [...FORM_PAGE_OPTIONS.otherReplies, PENDING_PAGE_RESPONSE, REDIRECT_RESPONSE],
  body: uploadBody({ maxBytes: MAX_FORM_BODY_BYTES }),
  async run(call, { params }) {
    const opened = await openForm(call, params);
    if (opened instanceof CustomResponse) return opened;
    const { form, person, visitor } = opened;
    const posted = await readPostedForm(call);
    const { texts } = posted;
    const again = (issues: readonly FieldIssue[], status: number, notice?: string) =>
      renderFormPage(form, { visitor, posted: texts, issues, status, notice });
    const [token = ''] = texts(TOKEN_FIELD);
    if (
      !isSameOriginRequest(call.headers, call.method) ||
      visitor.isNew ||
      !isValidFormToken(form.id, visitor, token)
    ) {
      return again([], 403, EXPIRED_FORM_NOTICE);
    }
    // Only a program fills in the hidden field. The response does not tell it that it was recognized.
    if ((texts(HONEYPOT_FIELD)[0] ?? '') !== '') return acceptedFormPage(form);
    try {
      const issues = await checkPostedFields(form, posted);
      return issues ? again(issues, 400) : await startRunWithFiles(call, { form, person, visitor }, posted, again);
    } catch (error) {
      if (error instanceof EvaluationFailedError) return again([], 429, BUSY_FORM_NOTICE);
      if (error instanceof ApiProblem && error.code !== 'INTERNAL_ERROR')
        return again([], error.status, problemNotice(error));
      throw error;
    }
  },
});

const EXPIRED_FORM_NOTICE =
  'Nothing was sent: the page was open for too long, or your browser does not keep cookies. Check your answers and send them again.';
/** This text hides quotas and limits of the workspace from the sender. */
const BUSY_FORM_NOTICE = 'Nothing was sent: the form cannot take answers at the moment. Try again later.';

/** Tells a sender only about errors that they can correct. */
const problemNotice = ({ code, message }: ApiProblem) =>
  code === 'VALIDATION_ERROR' ? `Nothing was sent: ${message}` : BUSY_FORM_NOTICE;

/** Stands for a file that is not stored yet. */
const PENDING_FILE: FileValue = { $file: 'file_pending', name: '', contentType: '', size: 0, sha256: '' };

const postedFileFields = ({ fields }: AddressedForm, { files }: PostedForm): Set<string> =>
  new Set(fields.filter(({ kind, name }) => kind === 'file' && files.has(name)).map(({ name }) => name));

/** Combines the posted texts with the values of the files. */
const toFormValues = (form: AddressedForm, posted: PostedForm, files: ReadonlyMap<string, FileValue>) => ({
  ...readPostedValues(
    form.fields.filter(({ kind }) => kind !== 'file'),
    posted.texts,
  ),
  ...Object.fromEntries(files),
});

/** Checks the posted values against the fields of the form, before its files are stored. */
async function checkPostedFields(form: AddressedForm, posted: PostedForm): Promise<FieldIssue[] | null> {
  const pending = new Map([...postedFileFields(form, posted)].map((name) => [name, PENDING_FILE]));
  const { workspaceId, fields } = form;
  return (await checkFormValues(fields, toFormValues(form, posted, pending), { workspaceId })).issues;
}

/**
 * Stores the files of a form whose fields fit, and starts its run if the input schema of the workflow accepts the
 * values.
 */
async function startRunWithFiles(
  call: OperationCall,
  { form, person }: OpenedForm,
  posted: PostedForm,
  again: (issues: readonly FieldIssue[], status: number) => CustomResponse,
): Promise<CustomResponse> {
  const { workspaceId, workflowId, workflowVersion, fields } = form;
  const most = new Map([...postedFileFields(form, posted)].map((name) => [name, 1]));
  const files = new Map(await storePostedFiles(call, most, { workspaceId }));
  let isStored = false;
  try {
    const values = normalizeFieldValues(fields, toFormValues(form, posted, files));
    const issues = await findInputIssues(call.db, workflowId, workflowVersion, values, workspaceId);
    if (issues.length > 0) return again(issues.map(withoutInputPrefix), 400);
    const submission = { form, person, input: values, hash: posted.hash };
    return await startFormRun(call, submission, () => (isStored = true));
  } finally {
    if (!isStored) await discardPostedFiles(files.values(), workspaceId);
  }
}

const withoutInputPrefix = ({ field, message }: FieldIssue): FieldIssue => ({
  field: field.replace(/^input\.?/, ''),
  message,
});

export const formPageOperations = [showFormOperation, submitFormOperation];
