import type { FieldIssue } from '@/contract/error-response';
import type { FileValue } from '@/contract/file-value';
import { normalizeFieldValues, readPostedValues, type FormFieldValues } from '@/contract/triggers/form-fields';
import { EvaluationFailedError } from '@/server/evaluation/evaluator/evaluation';
import { ApiProblem } from '@/server/platform/errors/problem';
import { checkFormValues } from '@/server/workflow/forms/fields';
import type { CustomResponse, OperationCall } from '@/server/api/operation/operation';
import { isSameOriginRequest } from '@/server/people/auth/browser-session';
import { discardPostedFiles, storePostedFiles, type PostedForm } from '../pages/posted-form';
import { HONEYPOT_FIELD, renderFormPage, TOKEN_FIELD, type ShownForm } from './form-page';
import { isValidFormToken, type FormVisitor } from './visitor';

const EXPIRED_FORM_NOTICE =
  'Nothing was sent: the page was open for too long, or your browser does not keep cookies. Check your answers and send them again.';
/** This text hides quotas and limits of the workspace from the sender. */
const BUSY_FORM_NOTICE = 'Nothing was sent: the form cannot take answers at the moment. Try again later.';

/** Tells a sender only about errors that they can correct. */
const problemNotice = ({ code, message }: ApiProblem) =>
  code === 'VALIDATION_ERROR' ? `Nothing was sent: ${message}` : BUSY_FORM_NOTICE;

/** Stands for a file that is not stored yet. */
const PENDING_FILE: FileValue = { $file: 'file_pending', name: '', contentType: '', size: 0, sha256: '' };

const postedFileFields = ({ fields }: ShownForm, { files }: PostedForm): Set<string> =>
  new Set(fields.filter(({ kind, name }) => kind === 'file' && files.has(name)).map(({ name }) => name));

/** Combines the posted texts with the values of the files. */
const toFormValues = ({ fields }: ShownForm, posted: PostedForm, files: ReadonlyMap<string, FileValue>) => ({
  ...readPostedValues(
    fields.filter(({ kind }) => kind !== 'file'),
    posted.texts,
  ),
  ...Object.fromEntries(files),
});

/** Checks the posted values against the fields of a page, before its files are stored. */
async function checkPostedFields(
  workspaceId: string,
  form: ShownForm,
  posted: PostedForm,
): Promise<FieldIssue[] | null> {
  const pending = new Map([...postedFileFields(form, posted)].map((name) => [name, PENDING_FILE]));
  return (await checkFormValues(form.fields, toFormValues(form, posted, pending), { workspaceId })).issues;
}

/** Renders the page again with what was entered, and why it was not taken. */
export type RenderPageAgain = (issues: readonly FieldIssue[], status: number, notice?: string) => CustomResponse;

interface ReceivedPage {
  workspaceId: string;
  form: ShownForm;
  visitor: FormVisitor;
  /** What a program sees that fills in the hidden field. It does not tell that it was recognized. */
  trapped(): CustomResponse;
  /** Takes values that fit. The files that they name are removed again, unless `keepFiles` is called. */
  accept(values: FormFieldValues, again: RenderPageAgain, keepFiles: () => void): Promise<CustomResponse>;
}

/** Takes what the page of a form sends, with the token of the page and the cookie of its visitor. */
export async function receivePostedPage(
  call: OperationCall,
  posted: PostedForm,
  { workspaceId, form, visitor, trapped, accept }: ReceivedPage,
): Promise<CustomResponse> {
  const { texts } = posted;
  const again: RenderPageAgain = (issues, status, notice) =>
    renderFormPage(form, { visitor, posted: texts, issues, status, notice });
  const [token = ''] = texts(TOKEN_FIELD);
  const isFromPage = isSameOriginRequest(call.headers, call.method) && !visitor.isNew;
  if (!isFromPage || !isValidFormToken(form.tokenId, visitor, token)) return again([], 403, EXPIRED_FORM_NOTICE);
  if ((texts(HONEYPOT_FIELD)[0] ?? '') !== '') return trapped();
  try {
    const issues = await checkPostedFields(workspaceId, form, posted);
    if (issues) return again(issues, 400);
    const most = new Map([...postedFileFields(form, posted)].map((name) => [name, 1]));
    const files = new Map(await storePostedFiles(call, most, { workspaceId }));
    let isKept = false;
    try {
      const values = normalizeFieldValues(form.fields, toFormValues(form, posted, files));
      return await accept(values, again, () => (isKept = true));
    } finally {
      if (!isKept) await discardPostedFiles(files.values(), workspaceId);
    }
  } catch (error) {
    if (error instanceof EvaluationFailedError) return again([], 429, BUSY_FORM_NOTICE);
    if (error instanceof ApiProblem && error.code !== 'INTERNAL_ERROR')
      return again([], error.status, problemNotice(error));
    throw error;
  }
}
