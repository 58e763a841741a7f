import { createHash } from 'node:crypto';
import type { Person } from '@/server/access/caller';
import type { Call, CustomReply } from '@/server/api/operation';
import type { FieldValues } from '@/contract/triggers/form-fields';
import type { CallerOutcome, WaitingCaller } from '@/server/engine/answers/waiting-caller';
import { waitingCallers } from '@/server/engine/queue/callers';
import { prisma, type Db } from '@/server/db/client';
import { callTransaction } from '@/server/db/transaction';
import { submit } from '@/server/engine/queue/submit';
import { pageReply, noticePage } from './page';
import { html } from './html';
import type { AddressedForm } from './lookup';
import { PAGE_LIFETIME_MS } from './visitor';

/** A posted form whose values fit. */
interface Submission {
  form: AddressedForm;
  person: Person | null;
  input: FieldValues;
  /** The same for the same page with the same content. */
  hash: string;
}

/**
 * Starts the run of a posted form, or finds that of the same page sent before, as by a double click. Resolves with the answer to its sender, once the
 * run is stored or, if asked for, has ended. `onStored` is called when a run is stored.
 */
export async function startRun(
  call: Call,
  { form, person, input, hash }: Submission,
  onStored: () => void,
): Promise<CustomReply> {
  const { workspaceId, workflowId, workflowVersion } = form;
  const createdBy = person?.userId ?? null;
  const triggeredBy = { id: form.id, name: form.path };
  const run = { workspaceId, workflowId, workflowVersion, trigger: 'form', triggeredBy, input, createdBy } as const;
  call.note({ workspaceId, resourceId: form.id, metadata: { workflowId, path: form.path } });
  const entry = call.auditEntry();
  const actor = person && { type: 'user', id: person.userId, email: person.email };
  const caller = waitingCallerOf(call, form);
  const audit = actor ? { ...entry, actor } : entry;
  let started: Started;
  try {
    started = await submitOnce(form, hash, (db) => submit(run, { db, audit, caller }));
  } catch (error) {
    caller?.leave();
    throw error;
  }
  const { executionId, isNew } = started;
  if (isNew) onStored();
  else caller?.follow(executionId);
  call.afterwards(forgetOldPosts);
  return caller ? outputPage(form, await caller.wait(isNew)) : acceptedReply(form);
}

interface Started {
  executionId: string;
  isNew: boolean;
}

/** Stores one run for each hash, in all processes: the second of two concurrent posts waits until the first one is stored. */
const submitOnce = (
  { id: formId }: AddressedForm,
  hash: string,
  store: (db: Db) => Promise<{ executionId: string }>,
): Promise<Started> =>
  callTransaction(true, async (db) => {
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
const forgetOldPosts = () =>
  prisma().formPost.deleteMany({ where: { createdAt: { lt: new Date(Date.now() - PAGE_LIFETIME_MS) } } });

/** The caller of a form that shows the output of its run, if not too many callers wait already. */
function waitingCallerOf(
  { connection, spool }: Call,
  { workspaceId, response }: AddressedForm,
): WaitingCaller | undefined {
  if (response.mode !== 'run_output') return undefined;
  const { timeoutMs } = response;
  return waitingCallers().admit({ workspaceId, awaited: 'output', timeoutMs, bytes: spool?.size ?? 0, connection });
}

/** The answer to a form that was accepted. */
export function acceptedReply({ title, response, workflowId, path }: AddressedForm): CustomReply {
  if (response.mode === 'redirect') {
    // ASCII only, as headers are.
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
  return noticePage({ title, text, status, link: againAt({ workflowId, path }) });
}

const againAt = ({ workflowId, path }: Pick<AddressedForm, 'workflowId' | 'path'>) => ({
  href: `/forms/${workflowId}/${path}`,
  text: 'Back to the form',
});

function outputPage(form: AddressedForm, outcome: CallerOutcome): CustomReply {
  if (outcome.kind !== 'end') return acceptedReply(form);
  const { title } = form;
  const link = againAt(form);
  if (!outcome.isCompleted) {
    const text = 'The answer was received, but it could not be processed. Tell the owner of the form.';
    return noticePage({ title, text, status: 500, link });
  }
  const content = html`<h1>${title}</h1>
    <pre tabindex="0" aria-label="Result">${outputText(outcome.output)}</pre>
    <p><a href="${link.href}">${link.text}</a></p>`;
  return pageReply({ title, content });
}

/** Longer outputs are cut, and not parsed. */
const MAX_OUTPUT = 100_000;

function outputText(json: string | null): string {
  if (json === null || json === 'null') return 'There is no result.';
  if (json.length > MAX_OUTPUT) return `${json.slice(0, MAX_OUTPUT)}…`;
  const output: unknown = JSON.parse(json);
  return typeof output === 'string' ? output : JSON.stringify(output, null, 2);
}
