import type { Node } from '@/contract/workflows/workflow';
import { newId } from '@/server/db/ids';
import { NodeFailure } from '@/server/errors/node-failure';
import { findPolledItems, type Polled } from '@/server/evaluation/evaluation';
import { referencesIn, textsIn } from '@/server/expressions/references';
import { kindOf, kindsByType } from '@/server/nodes';
import { compile } from '@/server/workflow/graph';
import { executeAttempt } from '../attempt/attempt';
import type { AttemptScope } from '../attempt/context';
import { failedOutcome, type Failed } from '../attempt/outcome';
import { referenceData } from '../attempt/reference-data';
import { SecretRedactor } from '../attempt/secret-redactor';
import { traceBudget } from '../store/trace';
import type { LeaseCertainty } from '@/server/lease-clock';
import { answers } from '../load/memory';
import type { Stoppable } from '../load/stop';
import type { ClaimedPoll } from './claim';

/** The id of the node in messages. */
const NODE = 'poll';

/** A poll that failed: without secrets. */
export class PollFailure extends Error {
  constructor(
    message: string,
    /** How long the source asks to wait. */
    readonly retryAfterMs = 0,
  ) {
    super(message);
  }
}

const failureOf = ({ code, message, retryAfterMs }: Pick<Failed, 'code' | 'message' | 'retryAfterMs'>) =>
  new PollFailure(`${code}: ${message}`, retryAfterMs);

/** Why a node cannot ask the source of a poll; null: it can. */
export function sourceProblem(type: string): string | null {
  const kind = kindOf(type);
  if (!kind) return `unknown node type "${type.slice(0, 100)}"`;
  return kind.asksSource ? null : `${type} cannot ask a source`;
}

/** The node of a poll as a definition has it. */
export const nodeOf = ({ type, config, credentialId, timeoutMs }: ClaimedPoll['node']): Node => ({
  id: NODE,
  type,
  config,
  position: { x: 0, y: 0 },
  ...(credentialId === undefined ? {} : { credentialId }),
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
});

/** Memory that the answer takes; `release` when it is no longer needed. */
function reservation(workspaceId: string) {
  let taken: Promise<() => void> | undefined;
  return {
    reserve: async (_path: string, bytes: number) => void (await (taken ??= answers.take(workspaceId, bytes))),
    // Possibly still waiting: it is released as soon as it is granted.
    release: () => void taken?.then((end) => end()),
  };
}

/** What the attempt of a node needs of its run; a poll has none. */
const scopeOf = (
  poll: ClaimedPoll,
  redactor: SecretRedactor,
  reserve: AttemptScope['attemptLog']['reserve'],
  lease: LeaseCertainty,
): AttemptScope => ({
  workspaceId: poll.workspaceId,
  version: { pollId: poll.id },
  first: poll.first,
  lease,
  redactor,
  attemptLog: { traceBudget: traceBudget(), reserve, log: () => undefined },
  roundResults: () => Promise.reject(new NodeFailure('CONFIG', 'The node of a poll is in no loop.', false)),
  startChild: () => Promise.reject(new NodeFailure('CONFIG', 'The node of a poll starts no runs.', false)),
  commitChange: () => Promise.reject(new NodeFailure('CONFIG', 'The node of a poll changes no data.', false)),
});

/**
 * Asks the source, and finds the items in its answer. The node runs as in a workflow: with its time limit, egress rules,
 * credential and redaction. Throws PollFailure.
 */
export async function readSource(poll: ClaimedPoll, until: Stoppable, lease: LeaseCertainty): Promise<Polled> {
  const { workspaceId, workflowId, items, key, cursorExpression } = poll;
  const problem = sourceProblem(poll.node.type);
  if (problem) throw new PollFailure(problem);
  const { reserve, release } = reservation(workspaceId);
  const redactor = new SecretRedactor();
  try {
    const references = referencesIn(textsIn([poll.node.config, items, key, cursorExpression]));
    const { vars, timeZone } = await referenceData(references, { workspaceId, workflowId }, until);
    const input = await answerOf(poll, { vars, timeZone, until, run: scopeOf(poll, redactor, reserve, lease) });
    const rules = { items, key, cursor: cursorExpression };
    const purpose = { workspaceId, signal: until.signal, timeZone };
    return await findPolledItems(rules, { input, cursor: poll.cursor }, purpose);
  } catch (error) {
    throw error instanceof PollFailure ? error : failureOf(failedOutcome(error, redactor));
  } finally {
    release();
  }
}

interface Surroundings {
  vars: Readonly<Record<string, unknown>>;
  timeZone: string;
  until: Stoppable;
  run: AttemptScope;
}

/** JSON of the node's output. */
async function answerOf(poll: ClaimedPoll, { vars, timeZone, until, run }: Surroundings): Promise<string> {
  const [node] = compile({ nodes: [nodeOf(poll.node)], connections: [] }, kindsByType).nodes;
  if (!node) throw new Error('The graph has no node');
  const trigger = { kind: 'poll', id: poll.id, name: poll.name } as const;
  // Each call has an id of its own: what it sends as idempotency key must not repeat.
  const execution = { id: newId('poll'), workflowId: poll.workflowId, input: null, trigger, resumeUrls: {} };
  const outcome = await executeAttempt({
    run,
    node,
    path: NODE,
    attemptNumber: 1,
    scope: { input: null, nodes: {}, execution, vars, cursor: JSON.parse(poll.cursor) as unknown },
    timeZone,
    until,
    decision: undefined,
    call: undefined,
    waitingSince: undefined,
    child: undefined,
    round: undefined,
  });
  if (outcome.kind === 'failed') throw failureOf(outcome);
  if (outcome.kind !== 'done') throw new PollFailure(`${poll.node.type} cannot ask a source`);
  return outcome.json;
}
