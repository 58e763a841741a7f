import type { WorkflowNode } from '@/contract/workflows/workflow';
import { generateId } from '@/server/platform/db/ids';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { findPolledItems, type PolledBatch } from '@/server/evaluation/evaluator/list-items';
import { findScopeReferences } from '@/server/evaluation/expressions/references';
import { findNodeType, definitionsByNodeType } from '@/server/workflow/nodes';
import { compileGraph } from '@/server/workflow/definition/graph';
import { executeAttempt } from '@/server/engine/attempt/attempt';
import type { NodeAuthority } from '@/server/engine/attempt/authority';
import type { AttemptScope } from '@/server/engine/attempt/context';
import { toFailedOutcome, type FailedOutcome } from '@/server/engine/attempt/outcome';
import { readReferenceData } from '@/server/engine/attempt/reference-data';
import { SecretRedactor } from '@/server/engine/attempt/secret-redactor';
import { createTraceBudget } from '@/server/engine/store/trace';
import type { LeaseCertainty } from '@/server/platform/timers/lease-clock';
import { nodeResponseMemory } from '@/server/engine/load/memory';
import type { StoppableWork } from '@/server/engine/load/stop';
import type { ClaimedPoll } from './claim';

/** The id of the poll's node in error messages. */
const POLL_NODE_ID = 'poll';

/** A failed poll. The message contains no secrets. */
export class PollFailure extends Error {
  constructor(
    message: string,
    /** The delay that the source asks for. */
    readonly retryAfterMs = 0,
  ) {
    super(message);
  }
}

const toPollFailure = ({ code, message, retryAfterMs }: Pick<FailedOutcome, 'code' | 'message' | 'retryAfterMs'>) =>
  new PollFailure(`${code}: ${message}`, retryAfterMs);

/** Returns why a type of node cannot be the source of a poll; null: it can. */
export function findSourceProblem(type: string): string | null {
  const kind = findNodeType(type);
  if (!kind) return `unknown node type "${type.slice(0, 100)}"`;
  return kind.asksSource ? null : `${type} cannot ask a source`;
}

/** Converts a poll's node to a node of a workflow definition. */
export const toSourceNode = ({ type, config, credentialId, timeoutMs }: ClaimedPoll['node']): WorkflowNode => ({
  id: POLL_NODE_ID,
  type,
  config,
  position: { x: 0, y: 0 },
  ...(credentialId === undefined ? {} : { credentialId }),
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
});

/** Reserves memory for the response. `release` is called when it is no longer needed. */
function reserveResponseMemory(workspaceId: string) {
  let taken: Promise<() => void> | undefined;
  return {
    reserve: async (_path: string, bytes: number) =>
      void (await (taken ??= nodeResponseMemory.acquire(workspaceId, bytes))),
    // A reservation that is still waiting is released as soon as it is granted.
    release: () => void taken?.then((end) => end()),
  };
}

/** What asks a source: a poll, or settings that are tested before they are saved. */
export type PollSettingsToAsk = Pick<
  ClaimedPoll,
  | 'id'
  | 'name'
  | 'workspaceId'
  | 'workflowId'
  | 'node'
  | 'items'
  | 'key'
  | 'cursorExpression'
  | 'language'
  | 'first'
  | 'cursor'
>;

/** The scope for the attempt of a node that belongs to no run. */
const pollAttemptScope = (
  poll: PollSettingsToAsk,
  {
    redactor,
    reserve,
    lease,
    version,
  }: Pick<AttemptScope, 'redactor' | 'lease' | 'version'> & Pick<AttemptScope['attemptLog'], 'reserve'>,
): AttemptScope => ({
  workspaceId: poll.workspaceId,
  version,
  first: poll.first,
  lease,
  redactor,
  attemptLog: { traceBudget: createTraceBudget(), reserve, log: () => undefined },
  roundResults: () => Promise.reject(new NodeFailure('CONFIG', 'The node of a poll is in no loop.', false)),
  startChild: () => Promise.reject(new NodeFailure('CONFIG', 'The node of a poll starts no runs.', false)),
  commitChange: () => Promise.reject(new NodeFailure('CONFIG', 'The node of a poll changes no data.', false)),
});

/**
 * Requests the source, and finds the items in its response. The node runs as in a workflow: with its time limit, egress
 * rules, credential and redaction. `version`: whose permissions it uses. Throws PollFailure.
 */
export async function readPollSource(
  poll: PollSettingsToAsk,
  until: StoppableWork,
  lease: LeaseCertainty,
  version: NodeAuthority = { pollId: poll.id },
): Promise<PolledBatch> {
  const { workspaceId, workflowId, items, key, cursorExpression, language } = poll;
  const problem = findSourceProblem(poll.node.type);
  if (problem) throw new PollFailure(problem);
  const { reserve, release } = reserveResponseMemory(workspaceId);
  const redactor = new SecretRedactor();
  try {
    const references = findScopeReferences([poll.node.config, items, key, cursorExpression], language);
    const { vars, timeZone } = await readReferenceData(references, { workspaceId, workflowId }, until);
    const input = await executeSourceNode(poll, {
      vars,
      timeZone,
      until,
      run: pollAttemptScope(poll, { redactor, reserve, lease, version }),
    });
    const rules = { items, key, cursor: cursorExpression, language };
    const purpose = { workspaceId, signal: until.signal, timeZone };
    return await findPolledItems(rules, { input, cursor: poll.cursor }, purpose);
  } catch (error) {
    throw error instanceof PollFailure ? error : toPollFailure(toFailedOutcome(error, redactor));
  } finally {
    release();
  }
}

interface SourceContext {
  vars: Readonly<Record<string, unknown>>;
  timeZone: string;
  until: StoppableWork;
  run: AttemptScope;
}

/** Executes the node and returns the JSON of its output. */
async function executeSourceNode(
  poll: PollSettingsToAsk,
  { vars, timeZone, until, run }: SourceContext,
): Promise<string> {
  const [node] = compileGraph(
    { nodes: [toSourceNode(poll.node)], connections: [], language: poll.language },
    definitionsByNodeType,
  ).nodes;
  if (!node) throw new Error('The graph has no node');
  const trigger = { kind: 'poll', id: poll.id, name: poll.name } as const;
  // Each call has an id of its own: what it sends as idempotency key must not repeat.
  const execution = { id: generateId('poll'), workflowId: poll.workflowId, input: null, trigger, resumeUrls: {} };
  const outcome = await executeAttempt({
    run,
    node,
    path: POLL_NODE_ID,
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
  if (outcome.kind === 'failed') throw toPollFailure(outcome);
  if (outcome.kind !== 'done') throw new PollFailure(`${poll.node.type} cannot ask a source`);
  return outcome.json;
}
