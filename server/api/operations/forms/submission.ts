import { createHash } from 'node:crypto';
import type { AuthenticatedPerson } from '@/server/people/access/caller';
import type { OperationCall, CustomResponse } from '@/server/api/operation/operation';
import type { FormFieldValues } from '@/contract/triggers/form-fields';
import type { CallerWaitResult, WaitingCaller } from '@/server/engine/answers/waiting-caller';
import { waitingCallerRegistry } from '@/server/engine/queue/callers';
import { prismaClient, type DatabaseClient } from '@/server/platform/db/client';
import { runCallInTransaction } from '@/server/platform/db/transaction';
import { hasFormPages } from '@/server/engine/queue/form-run';
import { submitRun } from '@/server/engine/queue/submit';
import { htmlPageResponse, noticePage } from './html-page';
import { html } from './html';
import type { AddressedForm } from './addressed-form';
import { buildSenderAuditEntry } from './form-sender';
import { redirectToRun } from './run-redirect';
import { hashVisitor, PAGE_LIFETIME_MS, type FormVisitor } from './visitor';

/** A posted form whose values fit. */
interface FormSubmission {
  form: AddressedForm;
  person: AuthenticatedPerson | null;
  visitor: FormVisitor;
  input: FormFieldValues;
  /** Two posts of one page with the same content have the same hash. */
  hash: string;
}

/**
 * Starts the run of a posted form, or finds that of an earlier post of the same page, as after a double click. Resolves
 * with the page for the sender once the run is stored or, if the form asks for it, has ended; if the run shows pages,
 * it leads to them. `onStored` is called when
 * a run is stored.
 */
export async function startFormRun(
  call: OperationCall,
  { form, person, visitor, input, hash }: FormSubmission,
  onStored: () => void,
): Promise<CustomResponse> {
  const { workspaceId, workflowId, workflowVersion, startNodeId } = form;
  const createdBy = person?.userId ?? null;
  const triggeredBy = { id: form.id, name: form.path };
  const version = { workspaceId, workflowId, workflowVersion, startNodeId };
  const run = { ...version, trigger: 'form', triggeredBy, input, createdBy } as const;
  call.note({ workspaceId, resourceId: form.id, metadata: { workflowId, path: form.path } });
  const audit = buildSenderAuditEntry(call, person);
  const hasPages = await hasFormPages(form);
  const caller = hasPages ? undefined : admitFormCaller(call, form);
  let started: StartedFormRun;
  try {
    started = await submitFormOnce(form, hash, (db) => submitRun(run, { db, audit, caller }));
  } catch (error) {
    caller?.stopWaiting();
    throw error;
  }
  const { executionId, isNew } = started;
  if (isNew) onStored();
  else caller?.assignRun(executionId);
  call.afterwards(deleteExpiredPosts);
  if (hasPages) return redirectToRun({ executionId, visitor: hashVisitor(visitor), ...(person && { isMember: true }) });
  return caller ? runOutputPage(form, await caller.wait(isNew)) : acceptedFormPage(form);
}

interface StartedFormRun {
  executionId: string;
  isNew: boolean;
}

/**
 * Stores one run for each hash, in all processes: the second of two concurrent posts waits until the first one is
 * stored.
 */
const submitFormOnce = (
  { id: formId }: AddressedForm,
  hash: string,
  store: (db: DatabaseClient) => Promise<{ executionId: string }>,
): Promise<StartedFormRun> =>
  runCallInTransaction(true, async (db) => {
    const id = createHash('sha256').update(`${formId}\n${hash}`).digest('hex');
    const { count } = await db.formPost.createMany({
      data: [{ id, formId, executionId: '' }],
      skipDuplicates: true,
    });
    if (count === 0) return { ...(await db.formPost.findUniqueOrThrow({ where: { id } })), isNew: false };
    const { executionId } = await store(db);
    await db.formPost.update({ where: { id }, data: { executionId } });
    return { executionId, isNew: true };
  });

/** Removes posts whose page can no longer be sent. */
const deleteExpiredPosts = () =>
  prismaClient().formPost.deleteMany({ where: { createdAt: { lt: new Date(Date.now() - PAGE_LIFETIME_MS) } } });

/** Admits the caller of a form that shows the output of its run. Returns undefined if too many callers wait already. */
function admitFormCaller(
  { connection, spool }: OperationCall,
  { workspaceId, response }: AddressedForm,
): WaitingCaller | undefined {
  if (response.mode !== 'run_output') return undefined;
  const { timeoutMs } = response;
  return waitingCallerRegistry().admit({
    workspaceId,
    awaited: 'output',
    timeoutMs,
    bytes: spool?.size ?? 0,
    connection,
  });
}

/** The answer to a form that was accepted. */
export function acceptedFormPage({ title, response, workflowId, path }: AddressedForm): CustomResponse {
  if (response.mode === 'redirect') {
    // A header takes only ASCII, and `href` encodes everything else.
    const url = new URL(response.url).href;
    return noticePage({
      title,
      text: 'Sent.',
      status: 303,
      headers: { Location: url },
      link: { href: url, text: url },
    });
  }
  const text = response.mode === 'message' ? response.message : 'The answer was received. Its result is not ready yet.';
  const status = response.mode === 'message' ? 200 : 202;
  return noticePage({ title, text, status, link: backToFormLink({ workflowId, path }) });
}

const backToFormLink = ({ workflowId, path }: Pick<AddressedForm, 'workflowId' | 'path'>) => ({
  href: `/forms/${workflowId}/${path}`,
  text: 'Back to the form',
});

export function runOutputPage(form: AddressedForm, outcome: CallerWaitResult): CustomResponse {
  if (outcome.kind !== 'end') return acceptedFormPage(form);
  const { title } = form;
  const link = backToFormLink(form);
  if (!outcome.isCompleted) {
    const text = 'The answer was received, but it could not be processed. Tell the owner of the form.';
    return noticePage({ title, text, status: 500, link });
  }
  const content = html`<h1>${title}</h1>
    <pre tabindex="0" aria-label="Result">${formatRunOutput(outcome.output)}</pre>
    <p><a href="${link.href}">${link.text}</a></p>`;
  return htmlPageResponse({ title, content });
}

/** Longer outputs are cut, and not parsed. */
const MAX_PAGE_OUTPUT_LENGTH = 100_000;

function formatRunOutput(json: string | null): string {
  if (json === null || json === 'null') return 'There is no result.';
  if (json.length > MAX_PAGE_OUTPUT_LENGTH) return `${json.slice(0, MAX_PAGE_OUTPUT_LENGTH)}…`;
  const output: unknown = JSON.parse(json);
  return typeof output === 'string' ? output : JSON.stringify(output, null, 2);
}
