import type { CredentialHandle } from '@/server/connectors/credential-handle';
import { NO_PORT_SHARES } from '../store/port-shares';
import { openCredentialForNode } from '@/server/connectors/credential-for-node';
import { DatabaseWait, retryWhileUnavailable } from '@/server/platform/db/failures/retry-while-unavailable';
import { isDatabaseUnavailable } from '@/server/platform/db/failures/verdict';
import { redactLargeValue, type EvaluationContext } from '@/server/evaluation/evaluator/evaluation';
import { isLargeJson, type LargeJsonText } from '@/server/evaluation/expressions/large-json';
import { chainValue, type MaybePromise } from '@/server/platform/timers/maybe-promise';
import { completeNode, type NodeTypeDefinition, type NodeRunResult } from '@/server/workflow/nodes/node-type';
import { awaitPermittedStart, guardStartsUnder } from '@/server/platform/timers/starts';
import { computeItems, findItemComputation, nameItemsField } from './compute-items';
import { takeFirstItem } from './item-slices';
import { AttemptRunContext, type RenderedConfig, type AttemptDetails } from './context';
import { passThroughPort } from '@/server/workflow/definition/graph';
import {
  toFailedOutcome,
  MAX_REDACTED_LOCALLY,
  toOutputOutcome,
  toWaitOutcome,
  attachCallerResponse,
  attachFormEnding,
  type AttemptOutcome,
} from './outcome';
import { buildMockedOutcome, buildPinnedOutcome } from './mocks';
import { renderConfig } from './render';
import { listUsedObjects, omitDeferredFields, parseRenderedConfig } from './node-config';
import { requireUsableObjects } from './authority';
import { isRepeatableNode, OUTCOME_UNKNOWN_FAILURE as UNKNOWN } from './interruption';
import type { StoppableWork } from '../load/stop';
import { fitTraceToBudget, truncateParameters } from '../store/trace';
import { normalizeValue } from '../store/value';
import { createTimeoutSignal, raceWithAbort } from './timeout-signal';
import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';

/**
 * First and longest pause before an attempt is repeated because the database was unavailable: it may call other
 * services again.
 */
const [DATABASE_PAUSE_MS, MAX_DATABASE_PAUSE_MS] = [200, 30_000];

/** Default timeout of nodes that act outside the process, in milliseconds. */
const DEFAULT_NODE_TIMEOUT_MS = 60_000;

/**
 * Executes one attempt of one node: renders its config and runs the node within its timeout. Never throws or rejects.
 * Pure nodes are computed synchronously if possible.
 */
export function executeAttempt(attempt: AttemptDetails): MaybePromise<AttemptOutcome> {
  const fixed = (attempt.run.mocks && buildMockedOutcome(attempt)) ?? (attempt.run.pins && buildPinnedOutcome(attempt));
  if (fixed) return fixed;
  const { isOutside, nodeType: kind, definition: node } = attempt.node;
  const timeoutMs = kind?.timesItself
    ? undefined
    : (node.timeoutMs ?? (isOutside ? (kind?.defaultTimeoutMs ?? DEFAULT_NODE_TIMEOUT_MS) : undefined));
  if (timeoutMs !== undefined || isOutside || kind?.timesItself) return executeWithTimeout(attempt, timeoutMs);
  try {
    const outcome = runNodeOnce(attempt, attempt.until);
    if (outcome instanceof Promise) return awaitAttemptOutcome(attempt, outcome);
    const result = toAttemptOutcome(outcome, attempt);
    return result instanceof Promise ? awaitAttemptOutcome(attempt, result) : result;
  } catch (error) {
    return attachAttemptTrace(attempt, toFailedOutcome(error, attempt.run.redactor), error);
  }
}

/**
 * Executes an attempt until the node itself has an outcome. If the database is unavailable, the attempt is repeated
 * like one whose worker was lost. It fails with OUTCOME_UNKNOWN if it must not be repeated and may have acted.
 */
async function executeWithTimeout(attempt: AttemptDetails, timeoutMs: number | undefined): Promise<AttemptOutcome> {
  const { until } = attempt;
  const { lease, redactor } = attempt.run;
  const wait = new DatabaseWait(until.signal);
  try {
    for (let pauseMs = DATABASE_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_DATABASE_PAUSE_MS)) {
      const { signal, release } = createTimeoutSignal(until.signal, timeoutMs, lease);
      guardStartsUnder(signal, () => lease.confirm());
      try {
        // A node that ignores its signal is abandoned: its result is discarded.
        const outcome = await raceWithAbort(signal, runNodeOnce(attempt, { signal }));
        // A change is awaited, because it has to be known whether it was committed.
        return await (outcome.kind === 'change'
          ? commitChangeOutcome(outcome, attempt, signal)
          : toAttemptOutcome(outcome, attempt));
      } catch (error) {
        if (signal.aborted && !until.signal.aborted && timeoutMs !== undefined) {
          const timeout = createNodeFailure('TIMEOUT', { subject: 'The node', timeoutMs }, { isRetriable: true });
          return attachAttemptTrace(attempt, toFailedOutcome(timeout, redactor));
        }
        if (!isDatabaseUnavailable(error) || signal.aborted)
          return attachAttemptTrace(attempt, toFailedOutcome(error, redactor), error);
      } finally {
        release();
      }
      if (attempt.hasBegun && !isRepeatableNode(attempt.node)) return UNKNOWN;
      attempt.hasBegun = false;
      await wait.pause(pauseMs);
    }
  } finally {
    wait.end();
  }
}

async function awaitAttemptOutcome(
  attempt: AttemptDetails,
  outcome: Promise<NodeRunResult | AttemptOutcome>,
): Promise<AttemptOutcome> {
  try {
    const result = await raceWithAbort(attempt.until.signal, outcome);
    return isAttemptOutcome(result) ? result : await toAttemptOutcome(result, attempt);
  } catch (error) {
    return attachAttemptTrace(attempt, toFailedOutcome(error, attempt.run.redactor), error);
  }
}

type ChangeOutcome = Extract<NodeRunResult, { kind: 'change' }>;

/** Whether an outcome is already converted: it has stored JSON, or it is a failure. */
const isAttemptOutcome = (result: NodeRunResult | AttemptOutcome): result is AttemptOutcome =>
  'json' in result || 'resumeJson' in result || result.kind === 'failed';

const commitChangeOutcome = (
  change: ChangeOutcome,
  attempt: AttemptDetails,
  signal: AbortSignal,
): Promise<AttemptOutcome> =>
  attempt.run.commitChange(attempt, signal, async (data) =>
    toAttemptOutcome(completeNode(await change.apply(data)), attempt),
  );

function toAttemptOutcome(outcome: NodeRunResult, attempt: AttemptDetails): MaybePromise<AttemptOutcome> {
  const { redactor } = attempt.run;
  if (outcome.kind === 'change') throw new Error('The kind of a node with changes has to be `isTransactional`.');
  if (outcome.kind === 'wait') return toWaitOutcome(outcome, redactor);
  if (outcome.kind === 'rounds') {
    const computation = findItemComputation(attempt.node);
    const traceFailure = (one: AttemptOutcome) => (one.kind === 'failed' ? attachAttemptTrace(attempt, one) : one);
    const begin = (items: unknown[] | LargeJsonText): MaybePromise<AttemptOutcome> =>
      computation
        ? computeItems(attempt, items, computation).then(traceFailure)
        : toLoopOutcome({ ...outcome, items }, attempt);
    return attempt.run.firstItemOf === attempt.path ? takeFirstItem(outcome.items).then(begin) : begin(outcome.items);
  }
  if (outcome.kind === 'round') {
    const { progress } = outcome;
    return { kind: 'rounds', resumeData: { kind: 'progress', progress }, resumeJson: JSON.stringify(progress) };
  }
  const written = toOutputOutcome(outcome.output, redactor, () => attemptEvaluationContext(attempt), outcome.port);
  // With a prelude, as in n8n, nothing goes on without items.
  const isEmpty = attempt.node.names !== undefined && Array.isArray(outcome.output) && outcome.output.length === 0;
  const result = isEmpty
    ? chainValue(written, (one) => (one.kind === 'done' ? { ...one, shares: NO_PORT_SHARES } : one))
    : written;
  // A node that succeeds at the first attempt has no trace.
  const withTrace = (one: AttemptOutcome) =>
    attempt.attemptNumber === 1 && one.kind === 'done' ? one : attachAttemptTrace(attempt, one);
  const traced = chainValue(result, withTrace);
  const { answer, ending, origins } = outcome;
  if (ending) return chainValue(traced, (one) => attachFormEnding(one, ending, redactor));
  if (origins) return chainValue(traced, (one) => (one.kind === 'done' ? { ...one, origins } : one));
  return answer
    ? chainValue(traced, (one) => attachCallerResponse(one, answer, redactor, attemptEvaluationContext(attempt)))
    : traced;
}

/** The items of a loop. A large list stays text: once it is stored, its items are loaded in pages. */
function toLoopOutcome(
  { items, concurrency }: Extract<NodeRunResult, { kind: 'rounds' }>,
  attempt: AttemptDetails,
): MaybePromise<AttemptOutcome> {
  const { redactor } = attempt.run;
  if (!isLargeJson(items)) {
    const { json, value } = normalizeValue({ items: redactor.value(items), concurrency });
    if (isLargeJson(value)) return offloadedLoopOutcome(items.length, concurrency, json);
    const { items: stored } = value as { items: unknown[] };
    return { kind: 'rounds', resumeData: { kind: 'items', items: stored, concurrency }, resumeJson: json };
  }
  const count = items.facts?.length ?? 0;
  const store = (list: unknown) =>
    offloadedLoopOutcome(count, concurrency, normalizeValue({ items: list, concurrency }).json);
  return redactor.isEmpty
    ? store(items)
    : redactLargeValue(items.text, redactor.all, attemptEvaluationContext(attempt)).then(store);
}

const offloadedLoopOutcome = (count: number, concurrency: number, json: string): AttemptOutcome => ({
  kind: 'rounds',
  resumeData: { kind: 'offloaded_items', count, concurrency, bytes: json.length },
  resumeJson: json,
});

const attemptEvaluationContext = ({ run, until }: AttemptDetails): EvaluationContext => ({
  workspaceId: run.workspaceId,
  signal: until.signal,
});

/** Adds the trace of the attempt to an outcome. */
function attachAttemptTrace(attempt: AttemptDetails, result: AttemptOutcome, error?: unknown): AttemptOutcome {
  if (result.kind !== 'done' && result.kind !== 'failed') return result;
  const { node, rendered } = attempt;
  if (node.each && result.kind === 'failed') nameItemsField(result);
  const { redactor, attemptLog } = attempt.run;
  const literals = new Set<string>(node.nodeType?.literals);
  const fields = Object.entries(rendered ?? {}).flatMap(([field, value]) =>
    literals.has(field)
      ? []
      : [[field, isLargeJson(value) ? value.text.slice(0, MAX_REDACTED_LOCALLY) : value] as const],
  );
  const answer = error instanceof NodeFailure ? error.by.answer : undefined;
  const trace = {
    parameters: fields.length > 0 ? truncateParameters(redactor.value(Object.fromEntries(fields))) : undefined,
    answer: answer && redactor.value(answer),
  };
  result.trace = fitTraceToBudget(trace, attemptLog.traceBudget);
  return result;
}

/** Runs the node itself, with its rendered config. Synchronous if nothing has to be awaited. */
function runNodeOnce(attempt: AttemptDetails, until: StoppableWork): MaybePromise<NodeRunResult> {
  const { node, path, scope, timeZone } = attempt;
  const { nodeType: kind } = node;
  if (node.definition.disabled) return { kind: 'done', port: passThroughPort(node), output: scope.input };
  if (!kind) throw createNodeFailure('UNKNOWN_TYPE', { type: node.definition.type });
  const { workspaceId } = attempt.run;
  const source = kind.deferred ? omitDeferredFields(kind, node.definition.config) : node.definition.config;
  const rendered = renderConfig(source, scope, {
    workspaceId,
    nodeId: path,
    language: node.language,
    kind,
    timeZone,
    until,
  });
  const run = (config: RenderedConfig, credential?: CredentialHandle) => {
    attempt.hasBegun = true;
    return kind.run(new AttemptRunContext(attempt, until, config, credential));
  };
  // The credential of a loop of parts is that of its parts.
  const credentialId = kind.parts ? undefined : node.definition.credentialId;
  if (credentialId !== undefined || kind.table || kind.connectorField || rendered instanceof Promise)
    return prepareAttempt(attempt, until, kind, rendered, credentialId).then((ready) =>
      run(ready.config, ready.credential),
    );
  const config = parseRenderedConfig(attempt, kind, rendered);
  const start = awaitCertainLease(attempt, until);
  return start ? start.then(() => run(config)) : run(config);
}

/**
 * Waits until the lease is certain before a node acts outside, because its preparation may have taken any time.
 * Undefined: it may begin.
 */
const awaitCertainLease = ({ node }: AttemptDetails, { signal }: StoppableWork) =>
  node.isOutside ? awaitPermittedStart(signal) : undefined;

interface PreparedConfig {
  config: RenderedConfig;
  credential: CredentialHandle | undefined;
}

/** Waits for everything that a node needs before it may run. Throws NodeFailure FORBIDDEN. */
async function prepareAttempt(
  attempt: AttemptDetails,
  until: StoppableWork,
  kind: NodeTypeDefinition,
  rendered: MaybePromise<RenderedConfig>,
  credentialId: string | undefined,
): Promise<PreparedConfig> {
  const { workspaceId, version, redactor } = attempt.run;
  const config = parseRenderedConfig(attempt, kind, await rendered);
  const named = listUsedObjects(kind, config, credentialId);
  // The database may be unavailable meanwhile: that does not fail a run.
  await retryWhileUnavailable(until.signal, () => requireUsableObjects(version, named));
  const credential =
    credentialId === undefined
      ? undefined
      : await retryWhileUnavailable(until.signal, () =>
          openCredentialForNode(workspaceId, credentialId, (secrets) => redactor.add(secrets)),
        );
  await awaitCertainLease(attempt, until);
  return { config, credential };
}
