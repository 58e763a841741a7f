import { z } from 'zod';
import type { ProposalEvent } from '@/contract/workflows/proposal-event';
import { ProposeWorkflowRequest } from '@/contract/workflows/proposal';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { requireReferenceUse } from '@/server/people/access/references';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { contentReply, jsonBody, submitEffect } from '@/server/api/operation/operation-parts';
import { appendAuditEntries } from '@/server/people/audit/record';
import { checkDefinition } from '@/server/workflow/builder/check-definition';
import { proposeWorkflow, type ProposalTask } from '@/server/workflow/builder/propose';
import { openModelCredential } from '@/server/workflow/builder/open-model';
import { admitProposal } from '@/server/workflow/builder/proposal-limit';
import { WorkspaceConnectors } from '@/server/workflow/builder/workspace-connectors';
import type { DatabaseClient } from '@/server/platform/db/client';
import { onClientDisconnect, type ClientConnection } from '@/server/platform/messages/disconnect';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { invalidFieldProblem, notFoundProblem, ApiProblem } from '@/server/platform/errors/problem';
import { EvaluationFailedError } from '@/server/evaluation/evaluator/evaluation';
import { serviceLog } from '@/server/platform/log';
import { eventStreamResponse } from '../../event-stream';
import { findWorkflow } from '../workflow-rows';
import { readLastSavedVersion } from '../drafts/version-rows';
import { MAX_WORKFLOW_BODY_BYTES, MAX_WORKFLOW_JSON_VALUES } from '../request-fields';
import { findTriggerIssues } from './trigger-issues';
import { createProposalChoiceReader } from './proposal-choices';
import { readProposalContext } from './proposal-context';

/** Characters of a definition that a model reads. */
const MAX_DEFINITION_LENGTH = 200_000;
/** A proposal may take at most this many milliseconds. */
const PROPOSAL_TIMEOUT_MS = 180_000;

const PROPOSAL_EVENTS_TEXT =
  'Server-sent events. `progress` `{text}`: what the model does. `working` `{}`: it is still busy; sent every ten seconds. `proposal` ' +
  '`{definition, triggers, exampleInput, summary, problems, usage}`: the result. `triggers` are `{kind, settings}`, the bodies of the ' +
  'operations that create them. `exampleInput` is an example of the input of a run, or null. `problems` are `{field, message}`: what is missing before it can run. `definition` ' +
  'is null if the model gave only an answer, in `summary`, or no valid workflow: `problems` say why. `error` `{code, message}`: there is no ' +
  'result. The last two end the stream.';

/** Throws a Problem unless the credential is one of a language model that the caller may use. */
async function requireModelCredential(db: DatabaseClient, caller: WorkspaceCaller, id: string): Promise<void> {
  await requireReferenceUse(db, caller, { resource: 'credential', id });
  const where = { id, workspaceId: caller.workspaceId };
  const row = await db.credential.findFirst({ where, select: { type: true } });
  if (!row) throw notFoundProblem('The credential');
  if (row.type !== 'llm') throw invalidFieldProblem('credentialId', 'must be a credential of type llm');
}

const createProposalOperation = defineOperation({
  id: 'proposals.create',
  method: 'POST',
  path: '/api/workflows/{id}/proposals',
  summary: 'Let a language model propose a workflow',
  description:
    'The model gets the instruction, the definition, the node types and the names of credentials, tables, workflows and variables that the ' +
    'caller may use, and the shapes of the data of the last run; no secret and no value. What it proposes is checked as a save is. Nothing ' +
    'is stored: save the definition and create the triggers to take it. Needs `credential:use` as well. A workspace may have two proposals under way at a time in ' +
    'one process (429). The call of the model ends when the client disconnects, or after three minutes.',
  tag: 'Workflows',
  access: memberAccess('workflow', 'update'),
  effect: submitEffect('resource_access'),
  params: z.strictObject({ id: z.string() }),
  body: jsonBody(ProposeWorkflowRequest, { maxBytes: MAX_WORKFLOW_BODY_BYTES, maxValues: MAX_WORKFLOW_JSON_VALUES }),
  reply: contentReply({ status: 200, mediaTypes: ['text/event-stream'], description: PROPOSAL_EVENTS_TEXT }),
  async run(call, { params: { id }, body }) {
    const { db, caller, connection } = call;
    const { instruction, credentialId, model, triggers, conversation } = body;
    const workflow = await findWorkflow(db, caller.workspaceId, id);
    call.note({ resourceId: id, metadata: { credentialId, model } });
    await requireModelCredential(db, caller, credentialId);
    const before = body.definition ?? (await readLastSavedVersion(db, workflow)).definition;
    if (JSON.stringify(before).length > MAX_DEFINITION_LENGTH)
      throw invalidFieldProblem(
        'definition',
        `is too large for a model: it has more than ${MAX_DEFINITION_LENGTH} characters`,
      );
    const release = admitProposal(caller.workspaceId);
    if (!release)
      throw new ApiProblem(
        'RATE_LIMITED',
        'Two proposals are being made for this workspace. Try again when one has ended.',
        [],
        {
          headers: { 'Retry-After': '15' },
        },
      );
    const ending = trackProposalLifetime(connection, release);
    try {
      const facts = await readProposalContext(db, caller, id);
      await appendAuditEntries(db, [call.auditEntry()]);
      const { signal } = ending;
      const checked = (definition: ProposalTask['before']) =>
        checkDefinition(db, caller, { before, definition, signal });
      const connectors = new WorkspaceConnectors(
        caller.workspaceId,
        facts.connectors.map((one) => one.id),
      );
      const checkTrigger: ProposalTask['checkTrigger'] = (trigger) => findTriggerIssues(db, caller, id, trigger);
      const task = {
        model,
        instruction,
        conversation,
        before,
        facts,
        triggers,
        connectors,
        check: checked,
        checkTrigger,
        listChoices: createProposalChoiceReader(db, caller, signal),
        signal,
      };
      return eventStreamResponse(streamProposalEvents(caller.workspaceId, credentialId, task, ending));
    } catch (error) {
      ending.end();
      throw error;
    }
  },
});

interface ProposalLifetime {
  /** Aborts when the client disconnects, or the time is over. */
  signal: AbortSignal;
  isTimeOver(): boolean;
  end(): void;
}

/** Releases the slot of a proposal when its stream ends, its client disconnects, or its time is over. */
function trackProposalLifetime(connection: ClientConnection | undefined, release: () => void): ProposalLifetime {
  const gone = new AbortController();
  const clock = AbortSignal.timeout(PROPOSAL_TIMEOUT_MS);
  const signal = AbortSignal.any([gone.signal, clock]);
  const stop = connection ? onClientDisconnect(connection, () => gone.abort()) : () => undefined;
  const end = () => {
    stop();
    release();
  };
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  return { signal, isTimeOver: () => clock.aborted, end };
}

async function* streamProposalEvents(
  workspaceId: string,
  credentialId: string,
  task: Omit<ProposalTask, 'credential' | 'secrets'>,
  ending: ProposalLifetime,
): AsyncGenerator<ProposalEvent> {
  try {
    const opened = await openModelCredential(workspaceId, credentialId);
    yield* proposeWorkflow({ ...task, ...opened });
  } catch (error) {
    const isGone = ending.signal.aborted && !ending.isTimeOver();
    if (!isGone) yield { event: 'error', data: toProposalError(error, ending) };
  } finally {
    ending.end();
  }
}

function toProposalError(error: unknown, { isTimeOver }: ProposalLifetime): { code: string; message: string } {
  if (isTimeOver())
    return {
      code: 'TIMEOUT',
      message: 'The model did not finish within three minutes. Ask for less at once, or choose a faster model.',
    };
  if (error instanceof NodeFailure) return { code: error.code, message: error.message };
  if (error instanceof EvaluationFailedError) return { code: 'RATE_LIMITED', message: error.message };
  serviceLog().error({ err: error }, 'a proposal failed');
  return { code: 'INTERNAL_ERROR', message: 'Something went wrong. Try again.' };
}

export const proposalOperations = [createProposalOperation];
