import type { CredentialHandle } from '@/server/connectors/credential-handle';
import { openForNode } from '@/server/connectors/use';
import { DatabaseWait, retryWhileUnavailable } from '@/server/db/failures/retry-while-unavailable';
import { isDatabaseAway } from '@/server/db/failures/verdict';
import { redactLarge, type Purpose } from '@/server/evaluation/evaluation';
import { isLarge } from '@/server/expressions/large-json';
import { chain, type MaybePromise } from '@/server/maybe-promise';
import { done, type NodeKind, type Outcome, type Waiting } from '@/server/nodes/node';
import { awaitStart, guardStarts } from '@/server/starts';
import { Context, type Rendered, type Attempt } from './context';
import { passingPort } from '@/server/workflow/graph';
import { failedOutcome, MAX_REDACTED, outputOutcome, withAnswer, type AttemptOutcome } from './outcome';
import { mockedOutcome, pinnedOutcome } from './mocks';
import { render } from './render';
import { requireUsable } from './authority';
import type { Named } from '@/server/access/references';
import type { ResumeData } from '../store/state';
import { isRepeatable, OUTCOME_UNKNOWN as UNKNOWN } from './interruption';
import type { Stoppable } from '../load/stop';
import { fitTrace, shortenParameters } from '../store/trace';
import { storedValue } from '../store/value';
import type { SecretRedactor } from './secret-redactor';
import { timeoutSignal, unlessAborted } from './timeout-signal';
import { fieldErrors } from '@/server/errors/zod-issues';
import { NodeFailure } from '@/server/errors/node-failure';

/** Pause before an attempt is repeated because the database was away, at first and at most: it may call others again. */
const [AWAY_MS, MAX_AWAY_MS] = [200, 30_000];

/** Default timeout of nodes that act outside the process, in milliseconds. */
const TIMEOUT_MS = 60_000;

/**
 * Executes one attempt of one node: renders its config and runs the node within its timeout. Never throws or rejects.
 * Pure nodes are computed synchronously if possible.
 */
export function executeAttempt(attempt: Attempt): MaybePromise<AttemptOutcome> {
  const fixed = (attempt.run.mocks && mockedOutcome(attempt)) ?? (attempt.run.pins && pinnedOutcome(attempt));
  if (fixed) return fixed;
  const { isOutside, kind, node } = attempt.node;
  const timeoutMs = kind?.timesItself
    ? undefined
    : (node.timeoutMs ?? (isOutside ? (kind?.defaultTimeoutMs ?? TIMEOUT_MS) : undefined));
  if (timeoutMs !== undefined || isOutside || kind?.timesItself) return executeInTime(attempt, timeoutMs);
  try {
    const outcome = runNode(attempt, attempt.until);
    if (outcome instanceof Promise) return awaitOutcome(attempt, outcome);
    const result = toAttemptOutcome(outcome, attempt);
    return result instanceof Promise ? awaitOutcome(attempt, result) : result;
  } catch (error) {
    return attachTrace(attempt, failedOutcome(error, attempt.run.redactor), error);
  }
}

/**
 * Executes an attempt until it has an outcome of its own. A database that is away is none: then the attempt is repeated, as one whose worker was
 * lost, or fails with OUTCOME_UNKNOWN if it must not be repeated and may have acted.
 */
async function executeInTime(attempt: Attempt, timeoutMs: number | undefined): Promise<AttemptOutcome> {
  const { until } = attempt;
  const { lease, redactor } = attempt.run;
  const wait = new DatabaseWait(until.signal);
  try {
    for (let pauseMs = AWAY_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_AWAY_MS)) {
      const { signal, release } = timeoutSignal(until.signal, timeoutMs, lease);
      guardStarts(signal, () => lease.confirm());
      try {
        // A node that ignores its signal is abandoned: its result is discarded.
        const outcome = await unlessAborted(signal, runNode(attempt, { signal }));
        // A change is not: whether it was committed has to be known.
        return await (outcome.kind === 'change'
          ? commitChange(outcome, attempt, signal)
          : toAttemptOutcome(outcome, attempt));
      } catch (error) {
        if (signal.aborted && !until.signal.aborted) {
          const timeout = new NodeFailure('TIMEOUT', `The node took longer than ${timeoutMs} ms.`);
          return attachTrace(attempt, failedOutcome(timeout, redactor));
        }
        if (!isDatabaseAway(error) || signal.aborted)
          return attachTrace(attempt, failedOutcome(error, redactor), error);
      } finally {
        release();
      }
      if (attempt.hasBegun && !isRepeatable(attempt.node)) return UNKNOWN;
      attempt.hasBegun = false;
      await wait.pause(pauseMs);
    }
  } finally {
    wait.end();
  }
}

async function awaitOutcome(attempt: Attempt, outcome: Promise<Outcome | AttemptOutcome>): Promise<AttemptOutcome> {
  try {
    const result = await unlessAborted(attempt.until.signal, outcome);
    return isAttemptOutcome(result) ? result : await toAttemptOutcome(result, attempt);
  } catch (error) {
    return attachTrace(attempt, failedOutcome(error, attempt.run.redactor), error);
  }
}

type Change = Extract<Outcome, { kind: 'change' }>;

/** Whether an outcome is already converted: it has stored JSON, or it is a failure. */
const isAttemptOutcome = (result: Outcome | AttemptOutcome): result is AttemptOutcome =>
  'json' in result || 'resumeJson' in result || result.kind === 'failed';

const commitChange = (change: Change, attempt: Attempt, signal: AbortSignal): Promise<AttemptOutcome> =>
  attempt.run.commitChange(attempt, signal, async (data) => toAttemptOutcome(done(await change.apply(data)), attempt));

function toAttemptOutcome(outcome: Outcome, attempt: Attempt): MaybePromise<AttemptOutcome> {
  const { redactor } = attempt.run;
  if (outcome.kind === 'change') throw new Error('The kind of a node with changes has to be `isTransactional`.');
  if (outcome.kind === 'wait') return waitOutcome(outcome, redactor);
  if (outcome.kind === 'rounds') return loopOutcome(outcome, attempt);
  if (outcome.kind === 'round') {
    const { progress } = outcome;
    return { kind: 'rounds', resumeData: { kind: 'progress', progress }, resumeJson: JSON.stringify(progress) };
  }
  const result = outputOutcome(outcome.output, redactor, () => evaluationPurpose(attempt), outcome.port);
  // A node that succeeds at the first attempt has no trace.
  const withTrace = (one: AttemptOutcome) =>
    attempt.attemptNumber === 1 && one.kind === 'done' ? one : attachTrace(attempt, one);
  const traced = chain(result, withTrace);
  const { answer } = outcome;
  return answer ? chain(traced, (one) => withAnswer(one, answer, redactor, evaluationPurpose(attempt))) : traced;
}

type Wait = Extract<Outcome, { kind: 'wait' }>;

/** A wait with what it waits for, without secrets. */
function waitOutcome({ until, forDecision, held }: Wait, redactor: SecretRedactor): AttemptOutcome {
  if (!held) return { kind: 'wait', until, forDecision, resumeJson: null };
  const masked = redactor.value(held);
  return { kind: 'wait', until, forDecision, resumeData: resumeDataFor(masked), resumeJson: JSON.stringify(masked) };
}

function resumeDataFor(held: Waiting): ResumeData {
  if ('childId' in held) return { kind: 'child', childId: held.childId };
  return 'message' in held ? { kind: 'decision', asked: held } : { kind: 'call' };
}

/** The items of a loop. A large list stays text: once it is stored, its items are loaded in pages. */
function loopOutcome(
  { items, concurrency }: Extract<Outcome, { kind: 'rounds' }>,
  attempt: Attempt,
): MaybePromise<AttemptOutcome> {
  const { redactor } = attempt.run;
  if (!isLarge(items)) {
    const { json, value } = storedValue({ items: redactor.value(items), concurrency });
    if (isLarge(value)) return offloadedItems(items.length, concurrency, json);
    const { items: stored } = value as { items: unknown[] };
    return { kind: 'rounds', resumeData: { kind: 'items', items: stored, concurrency }, resumeJson: json };
  }
  const count = items.facts?.length ?? 0;
  const store = (list: unknown) => offloadedItems(count, concurrency, storedValue({ items: list, concurrency }).json);
  return redactor.isEmpty
    ? store(items)
    : redactLarge(items.text, redactor.all, evaluationPurpose(attempt)).then(store);
}

const offloadedItems = (count: number, concurrency: number, json: string): AttemptOutcome => ({
  kind: 'rounds',
  resumeData: { kind: 'offloaded_items', count, concurrency, bytes: json.length },
  resumeJson: json,
});

const evaluationPurpose = ({ run, until }: Attempt): Purpose => ({
  workspaceId: run.workspaceId,
  signal: until.signal,
});

/** Adds the trace of the attempt to an outcome. */
function attachTrace(attempt: Attempt, result: AttemptOutcome, error?: unknown): AttemptOutcome {
  if (result.kind !== 'done' && result.kind !== 'failed') return result;
  const { node, rendered } = attempt;
  const { redactor, attemptLog } = attempt.run;
  const literals = new Set<string>(node.kind?.literals);
  const fields = Object.entries(rendered ?? {}).flatMap(([field, value]) =>
    literals.has(field) ? [] : [[field, isLarge(value) ? value.text.slice(0, MAX_REDACTED) : value] as const],
  );
  const answer = error instanceof NodeFailure ? error.by.answer : undefined;
  const trace = {
    parameters: fields.length > 0 ? shortenParameters(redactor.value(Object.fromEntries(fields))) : undefined,
    answer: answer && redactor.value(answer),
  };
  result.trace = fitTrace(trace, attemptLog.traceBudget);
  return result;
}

/** Runs the node itself, with its rendered config. Synchronous if nothing has to be awaited. */
function runNode(attempt: Attempt, until: Stoppable): MaybePromise<Outcome> {
  const { node, path, scope, timeZone } = attempt;
  const { kind } = node;
  if (node.node.disabled) return { kind: 'done', port: passingPort(node), output: scope.input };
  if (!kind) throw new NodeFailure('UNKNOWN_TYPE', `There is no node type "${node.node.type}".`, false);
  const { workspaceId } = attempt.run;
  const source = kind.deferred ? ownConfig(kind, node.node.config) : node.node.config;
  const rendered = render(source, scope, { workspaceId, nodeId: path, kind, timeZone, until });
  const run = (config: Rendered, credential?: CredentialHandle) => {
    attempt.hasBegun = true;
    return kind.run(new Context(attempt, until, config, credential));
  };
  // The credential of a loop of parts is that of its parts.
  const credentialId = kind.parts ? undefined : node.node.credentialId;
  if (credentialId !== undefined || kind.table || kind.connectorField || rendered instanceof Promise)
    return prepare(attempt, until, kind, rendered, credentialId).then((ready) => run(ready.config, ready.credential));
  const config = parseConfig(attempt, kind, rendered);
  const start = startGuard(attempt, until);
  return start ? start.then(() => run(config)) : run(config);
}

/** What acts outside begins only under a lease that is certain: preparing it may have taken any time. Undefined: it may begin. */
const startGuard = ({ node }: Attempt, { signal }: Stoppable) => (node.isOutside ? awaitStart(signal) : undefined);

interface Prepared {
  config: Rendered;
  credential: CredentialHandle | undefined;
}

/** Waits for all that a node needs before it may run. Throws NodeFailure FORBIDDEN. */
async function prepare(
  attempt: Attempt,
  until: Stoppable,
  kind: NodeKind,
  rendered: MaybePromise<Rendered>,
  credentialId: string | undefined,
): Promise<Prepared> {
  const { workspaceId, version, redactor } = attempt.run;
  const config = parseConfig(attempt, kind, await rendered);
  const named = namedObjects(kind, config, credentialId);
  // The database may be unavailable meanwhile: that does not fail a run.
  await retryWhileUnavailable(until.signal, () => requireUsable(version, named));
  const credential =
    credentialId === undefined
      ? undefined
      : await retryWhileUnavailable(until.signal, () =>
          openForNode(workspaceId, credentialId, (secrets) => redactor.add(secrets)),
        );
  await startGuard(attempt, until);
  return { config, credential };
}

/** Cache by config: what a node evaluates itself, and not its parts. */
const ownConfigs = new WeakMap<Rendered, Rendered>();

function ownConfig(kind: NodeKind, config: Rendered): Rendered {
  let own = ownConfigs.get(config);
  if (!own) {
    own = Object.fromEntries(Object.entries(config).filter(([field]) => !kind.deferred?.includes(field)));
    ownConfigs.set(config, own);
  }
  return own;
}

/** The objects that a node is about to use. */
function namedObjects(
  { table, connectorField }: NodeKind,
  config: Rendered,
  credentialId: string | undefined,
): Named[] {
  const named: Named[] = [];
  if (table) named.push({ resource: 'table', id: String(config[table.field]), action: table.action(config) });
  if (connectorField) named.push({ resource: 'connector', id: String(config[connectorField]) });
  if (credentialId !== undefined) named.push({ resource: 'credential', id: credentialId });
  return named;
}

/** Validates a rendered config. Throws NodeFailure CONFIG. */
function parseConfig(attempt: Attempt, kind: NodeKind, rendered: Rendered): Rendered {
  attempt.rendered = rendered;
  const large = largeFields(kind, rendered);
  const parsed = kind.config.safeParse(large ? omitFields(rendered, large) : rendered);
  if (!parsed.success) {
    const problems = fieldErrors(parsed.error, ['config']).map(({ field, message }) => `${field}: ${message}`);
    throw new NodeFailure('CONFIG', problems.join('; '), false);
  }
  const config = large ? { ...parsed.data, ...large } : parsed.data;
  const missing = kind.required.filter(
    (field) => !kind.deferred?.includes(field) && (config[field] === undefined || config[field] === null),
  );
  if (missing.length > 0) throw new NodeFailure('CONFIG', `Missing: config.${missing.join(', config.')}.`, false);
  return config;
}

/** Large values of fields that accept any value, which skip the schema. Large values of other fields are parsed. */
function largeFields(kind: NodeKind, rendered: Rendered): Rendered | undefined {
  let large: Rendered | undefined;
  for (const field of Object.keys(rendered)) {
    const value = rendered[field];
    if (!isLarge(value)) continue;
    if (kind.largeFields?.includes(field)) (large ??= {})[field] = value;
    else rendered[field] = JSON.parse(value.text);
  }
  return large;
}

const omitFields = (config: Rendered, fields: Rendered): Rendered =>
  Object.fromEntries(Object.entries(config).filter(([name]) => !(name in fields)));
