import { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';
import { MAX_FILE_BYTES } from '@/contract/file-value';
import { CustomResponse, defineOperation, publicAccess, type OperationCall } from '@/server/api/operation/operation';
import { contentReply, readEffect, submitEffect, uploadBody } from '@/server/api/operation/operation-parts';
import { parseRawQuery } from '@/server/api/operation/form';
import type { ApiProblem } from '@/server/platform/errors/problem';
import { formBucketName } from '@/server/platform/limits/buckets';
import { findInputIssues } from '../workflows/workflow-rows';
import { renderFormPage } from './form-page';
import { formIdsByAddress, readAddressedForm, toShownForm, type AddressedForm } from './addressed-form';
import { identifyFormSender } from './form-sender';
import { noticePage } from './html-page';
import { readPostedForm } from '../pages/posted-form';
import { receivePostedPage } from './posted-values';
import { acceptedFormPage, startFormRun } from './submission';
import { identifyVisitor, type FormVisitor } from './visitor';
import type { AuthenticatedPerson } from '@/server/people/access/caller';

const FORM_PAGE_TAG = 'Forms';
/** A form may have one file of the largest size, and its fields. */
export const MAX_FORM_BODY_BYTES = MAX_FILE_BYTES + 2 * 1024 * 1024;

export const HTML_MEDIA_TYPES = ['text/html'];
export const REDIRECT_RESPONSE = {
  status: 303,
  mediaTypes: HTML_MEDIA_TYPES,
  description: 'To the sign-in, or where the form leads.',
};
export const PENDING_PAGE_RESPONSE = {
  status: 202,
  mediaTypes: HTML_MEDIA_TYPES,
  description: 'The page; the result is not ready yet.',
};

const REFUSAL_TITLES: Partial<Record<ApiProblem['code'], string>> = {
  RATE_LIMITED: 'Too many requests',
  NOT_FOUND: 'There is no form here',
  INTERNAL_ERROR: 'Something went wrong',
};

/** A refusal of the service, as a page. */
export const formRefusalPage = ({ code, status, message }: ApiProblem): CustomResponse =>
  noticePage({ title: REFUSAL_TITLES[code] ?? 'Not sent', text: message, status });

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
    refusalPage: formRefusalPage,
  }),
  params: z.strictObject({ workflowId: z.string(), path: z.string() }),
  query: 'any',
  reply: contentReply({ status: 200, mediaTypes: HTML_MEDIA_TYPES, description: 'The page.' }),
  otherReplies: ['FORBIDDEN', 'CONFLICT'],
} as const;

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
    return renderFormPage(toShownForm(opened.form), { visitor: opened.visitor, posted });
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
    return receivePostedPage(call, posted, {
      workspaceId: form.workspaceId,
      form: toShownForm(form),
      visitor,
      trapped: () => acceptedFormPage(form),
      async accept(input, again, keepFiles) {
        const issues = await findInputIssues(call.db, form, input);
        if (issues.length > 0) return again(issues.map(withoutInputPrefix), 400);
        return startFormRun(call, { form, person, visitor, input, hash: posted.hash }, keepFiles);
      },
    });
  },
});

const withoutInputPrefix = ({ field, message }: FieldIssue): FieldIssue => ({
  field: field.replace(/^input\.?/, ''),
  message,
});

export const formPageOperations = [showFormOperation, submitFormOperation];
