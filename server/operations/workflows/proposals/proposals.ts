import { z } from 'zod';
import type { ProposalEvent } from '@/contract/workflows/proposal-event';
import { ProposalRequest } from '@/contract/workflows/proposal';
import type { Caller } from '@/server/access/caller';
import { requireUse } from '@/server/access/references';
import { memberAccess, operation } from '@/server/api/operation';
import { contentReply, jsonBody, submitEffect } from '@/server/api/operation-parts';
import { record } from '@/server/audit/record';
import { check } from '@/server/builder/check';
import { propose, type Task } from '@/server/builder/propose';
import { openModel } from '@/server/builder/open-model';
import { admitProposal } from '@/server/builder/running';
import { WorkspaceConnectors } from '@/server/builder/workspace-connectors';
import type { Db } from '@/server/db/client';
import { onDisconnect, type Connection } from '@/server/disconnect';
import { NodeFailure } from '@/server/errors/node-failure';
import { invalidField, notFound, Problem } from '@/server/errors/problem';
import { EvaluationFailed } from '@/server/evaluation/evaluation';
import { log } from '@/server/log';
import { eventStream } from '../../event-stream';
import { findWorkflow } from '../content';
import { lastSaved } from '../drafts/version-rows';
import { MAX_BODY, MAX_VALUES } from '../input';
import { factsFor } from './facts';

/** Characters of a definition that a model reads. */
const MAX_DEFINITION = 200_000;
/** Milliseconds for one proposal. */
const TIMEOUT_MS = 180_000;

const EVENTS =
  'Server-sent events. `progress` `{text}`: what the model does. `working` `{}`: it is still busy; sent every ten seconds. `proposal` ' +
  '`{definition, summary, problems, usage}`: the result. `problems` are `{field, message}`: what is missing before it can run. `definition` ' +
  'is null if the model gave only an answer, in `summary`, or no valid workflow: `problems` say why. `error` `{code, message}`: there is no ' +
  'result. The last two end the stream.';

/** Throws a Problem unless the credential is one of a language model that the caller may use. */
async function requireModelCredential(db: Db, caller: Caller, id: string): Promise<void> {
  await requireUse(db, caller, { resource: 'credential', id });
  const where = { id, workspaceId: caller.workspaceId };
  const row = await db.credential.findFirst({ where, select: { type: true } });
  if (!row) throw notFound('The credential');
  if (row.type !== 'llm') throw invalidField('credentialId', 'must be a credential of type llm');
}

const create = operation({
  id: 'proposals.create',
  method: 'POST',
  path: '/api/workflows/{id}/proposals',
  summary: 'Let a language model propose a workflow',
  description:
    'The model gets the instruction, the definition, the node types and the names of credentials, tables, workflows and variables that the ' +
    'caller may use, and the shapes of the data of the last run; no secret and no value. What it proposes is checked as a save is. Nothing ' +
    'is stored: save the definition to take it. Needs `credential:use` as well. A workspace may have two proposals under way at a time in ' +
    'one process (429). The call of the model ends when the client disconnects, or after three minutes.',
  tag: 'Workflows',
  access: memberAccess('workflow', 'update'),
  effect: submitEffect('resource_access'),
  params: z.strictObject({ id: z.string() }),
  body: jsonBody(ProposalRequest, { maxBytes: MAX_BODY, maxValues: MAX_VALUES }),
  reply: contentReply({ status: 200, mediaTypes: ['text/event-stream'], description: EVENTS }),
  async run(call, { params: { id }, body }) {
    const { db, caller, connection } = call;
    const { instruction, credentialId, model, conversation } = body;
    const workflow = await findWorkflow(db, caller.workspaceId, id);
    call.note({ resourceId: id, metadata: { credentialId, model } });
    await requireModelCredential(db, caller, credentialId);
    const before = body.definition ?? (await lastSaved(db, workflow)).definition;
    if (JSON.stringify(before).length > MAX_DEFINITION)
      throw invalidField('definition', `is too large for a model: it has more than ${MAX_DEFINITION} characters`);
    const release = admitProposal(caller.workspaceId);
    if (!release)
      throw new Problem(
        'RATE_LIMITED',
        'Two proposals are being made for this workspace. Try again when one has ended.',
        [],
        {
          headers: { 'Retry-After': '15' },
        },
      );
    const ending = endingOf(connection, release);
    try {
      const facts = await factsFor(db, caller, id);
      await record(db, [call.auditEntry()]);
      const { signal } = ending;
      const checked = (definition: Task['before']) => check(db, caller, { before, definition, signal });
      const connectors = new WorkspaceConnectors(
        caller.workspaceId,
        facts.connectors.map((one) => one.id),
      );
      const task = { model, instruction, conversation, before, facts, connectors, check: checked, signal };
      return eventStream(events(caller.workspaceId, credentialId, task, ending));
    } catch (error) {
      ending.end();
      throw error;
    }
  },
});

interface Ending {
  /** Aborts when the client disconnects, or the time is over. */
  signal: AbortSignal;
  isTimeOver(): boolean;
  end(): void;
}

/** Ends a proposal exactly once: with its stream, when its client disconnects, or when its time is over. */
function endingOf(connection: Connection | undefined, release: () => void): Ending {
  const gone = new AbortController();
  const clock = AbortSignal.timeout(TIMEOUT_MS);
  const signal = AbortSignal.any([gone.signal, clock]);
  const stop = connection ? onDisconnect(connection, () => gone.abort()) : () => undefined;
  const end = () => {
    stop();
    release();
  };
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  return { signal, isTimeOver: () => clock.aborted, end };
}

async function* events(
  workspaceId: string,
  credentialId: string,
  task: Omit<Task, 'credential' | 'secrets'>,
  ending: Ending,
): AsyncGenerator<ProposalEvent> {
  try {
    const opened = await openModel(workspaceId, credentialId);
    yield* propose({ ...task, ...opened });
  } catch (error) {
    const isGone = ending.signal.aborted && !ending.isTimeOver();
    if (!isGone) yield { event: 'error', data: failureOf(error, ending) };
  } finally {
    ending.end();
  }
}

function failureOf(error: unknown, { isTimeOver }: Ending): { code: string; message: string } {
  if (isTimeOver())
    return {
      code: 'TIMEOUT',
      message: 'The model did not finish within three minutes. Ask for less at once, or choose a faster model.',
    };
  if (error instanceof NodeFailure) return { code: error.code, message: error.message };
  if (error instanceof EvaluationFailed) return { code: 'RATE_LIMITED', message: error.message };
  log().error({ err: error }, 'a proposal failed');
  return { code: 'INTERNAL_ERROR', message: 'Something went wrong. Try again.' };
}

export const proposals = [create];
