import { isDeepStrictEqual } from 'node:util';
import type { ExecutionResponse, NodeResult } from '@/contract/execution';
import { isFinalStatus } from '@/contract/states';
import { COUNTERS, isCall } from './graphs';
import type { Happening, Of, Rest } from './history';

/** Faults that separate a process from its runs. */
const IS_DEATH = /^(kill|freeze) a (worker|web process)$/;
/** A run fails after this many deaths. */
const MAX_DEATHS = 3;
/** A frozen worker that resumes may finish its current step before it notices the lost lease. */
const WAKING_MS = 2000;

type Complaint = string;

const of = <Kind extends Happening['kind']>(history: readonly Happening[], kind: Kind) =>
  history.filter((one): one is Of<Kind> => one.kind === kind).sort((one, other) => one.at - other.at);

/** Violations of the guarantees I1 to I9, I12 and I14 in a history; empty: none. Pure. */
export function violations(history: readonly Happening[], rest: Rest): Complaint[] {
  const endings = new Map(rest.executions.map((execution) => [execution.id, execution]));
  return [
    ...accepted(of(history, 'accepted'), rest, endings),
    ...ended(rest),
    ...givenUp(of(history, 'fault'), rest),
    ...unchanged(of(history, 'read'), endings),
    ...called(history, endings),
    ...decided(history, endings),
    ...told(of(history, 'told'), endings),
    ...audited(rest),
    ...counted(rest),
    ...passedOn(rest),
    ...writtenRows(rest),
  ];
}

function groups<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const one of all) found.set(keyOf(one), [...(found.get(keyOf(one)) ?? []), one]);
  return found;
}

type Endings = ReadonlyMap<string, ExecutionResponse>;

/** The story that requested the execution; child runs have their parent's. */
const storyOf = ({ input }: ExecutionResponse) => (input as { story?: string } | null)?.story ?? '';

/** Each accepted run is stored with its posted input; repeated requests of one story make one run (idempotency). */
function accepted(answers: Of<'accepted'>[], rest: Rest, endings: Endings): Complaint[] {
  const lost = answers.flatMap(({ executionId, input }) => {
    const ending = endings.get(executionId);
    if (!ending) return [`${executionId} was accepted and is lost`];
    return isDeepStrictEqual(ending.input, input) ? [] : [`${executionId} has another input than was posted`];
  });
  const byStory = groups(
    rest.executions.filter(({ trigger }) => trigger !== 'sub_workflow'),
    storyOf,
  );
  const doubled = [...byStory].flatMap(([story, runs]) =>
    runs.length > 1 ? [`${story} was asked for once and ran as ${runs.map(({ id }) => id).join(' and ')}`] : [],
  );
  return [...lost, ...doubled];
}

/** Faults of the service do not fail a run. */
const ended = ({ executions }: Rest): Complaint[] =>
  executions.flatMap(({ id, status, error }) => {
    if (!isFinalStatus(status) && status !== 'paused')
      return [`${id} is still ${status} although nothing is in its way`];
    return error?.code === 'INTERNAL' ? [`${id} failed for a fault of ours: ${error.message}`] : [];
  });

/** A run fails with CRASHED only if three processes died while they ran it. */
function givenUp(faults: Of<'fault'>[], { executions }: Rest): Complaint[] {
  const deaths = faults.filter(({ what }) => IS_DEATH.test(what));
  return executions.flatMap(({ id, error, createdAt, completedAt = '' }) => {
    if (error?.code !== 'CRASHED') return [];
    const seen = deaths.filter(({ at }) => at >= Date.parse(createdAt) && at <= Date.parse(completedAt));
    return seen.length >= MAX_DEATHS ? [] : [`${id} was given up after ${seen.length} deaths`];
  });
}

/** A final status never changes for a reader. */
function unchanged(reads: Of<'read'>[], endings: Endings): Complaint[] {
  const seen = new Map<string, Of<'read'>>();
  const complaints: Complaint[] = [];
  for (const read of reads) {
    const { id, status } = read.execution;
    const first = seen.get(id);
    if (first && read.askedAt > first.at && !isDeepStrictEqual(first.execution, read.execution)) {
      complaints.push(`${id} changed after its end`);
    }
    if (!first && isFinalStatus(status)) seen.set(id, read);
  }
  for (const [id, { execution }] of seen) {
    if (!isDeepStrictEqual(execution, endings.get(id))) complaints.push(`${id} was ${execution.status} and is no more`);
  }
  return complaints;
}

const resultOf = (execution: ExecutionResponse | undefined, nodeId: string) =>
  execution?.nodeResults.find((result) => result.nodeId === nodeId);

/** Tolerance: an aborted call may already be on its way to its target. */
const isStored = ({ completedAt, error }: NodeResult) => completedAt !== undefined && error?.code !== 'CANCELLED';

/** No call without its run, none after its node's result was stored, and none missing for a stored result. */
function called(history: readonly Happening[], endings: Endings): Complaint[] {
  const calls = of(history, 'called');
  const wakings = of(history, 'fault').filter(({ what }) => what === 'wake a worker');
  const isExcused = (at: number) => wakings.some((waking) => at >= waking.at && at <= waking.at + WAKING_MS);
  const complaints: Complaint[] = [];
  for (const { at, key, body } of calls) {
    const [executionId = '', nodeId = ''] = key.split(/:(.*)/s);
    const ending = endings.get(executionId);
    const result = resultOf(ending, nodeId);
    if (!ending || !result) complaints.push(`${key} was called on behalf of no run`);
    else if (storyOf(ending) !== (body as { story?: string }).story)
      complaints.push(`${key} was called with another input`);
    else if (isStored(result) && at > Date.parse(result.completedAt ?? '') && !isExcused(at)) {
      complaints.push(`${key} was called again after its result was stored`);
    }
  }
  const keys = new Set(calls.map(({ key }) => key));
  for (const { id, nodeResults } of endings.values()) {
    for (const { nodeId, status } of nodeResults) {
      if (status === 'completed' && isCall(nodeId) && !keys.has(`${id}:${nodeId}`))
        complaints.push(`${id}:${nodeId} is completed and was never called`);
    }
  }
  return complaints;
}

/** Exactly one decision succeeds and takes effect; a cancelled run ends as CANCELLED. */
function decided(history: readonly Happening[], endings: Endings): Complaint[] {
  const complaints: Complaint[] = [];
  const decisions = groups(
    of(history, 'decided').filter(({ status }) => status === 200),
    ({ executionId }) => executionId,
  );
  for (const [id, won] of decisions) {
    if (won.length > 1) complaints.push(`${id} was decided ${won.length} times`);
    const made = resultOf(endings.get(id), 'ask')?.output as { decision?: string } | undefined;
    if (made?.decision && made.decision !== won[0]?.decision) complaints.push(`${id} went against its decision`);
  }
  for (const { executionId, at } of of(history, 'cancelled').filter(({ status }) => status === 200)) {
    if (endings.get(executionId)?.error?.code !== 'CANCELLED')
      complaints.push(`${executionId} survived its cancellation`);
    const late = decisions.get(executionId)?.some(({ askedAt }) => askedAt > at);
    if (late) complaints.push(`${executionId} was decided after its cancellation`);
  }
  return complaints;
}

/** Live messages are ordered, unique, and consistent with later reads. */
function told(messages: Of<'told'>[], endings: Endings): Complaint[] {
  const complaints: Complaint[] = [];
  for (const [watcher, heard] of groups(messages, (one) => one.watcher)) {
    const completed = new Set<string>();
    let isOver = false;
    for (const { message } of heard) {
      if (message.type === 'error') continue;
      const ending = endings.get(message.executionId);
      if (isOver) complaints.push(`${watcher} was told something after the end`);
      if (message.type === 'node_completed') {
        if (completed.has(message.nodeId)) complaints.push(`${watcher} was told twice of ${message.nodeId}`);
        completed.add(message.nodeId);
        const { output } = resultOf(ending, message.nodeId) ?? {};
        if (!isDeepStrictEqual(output ?? null, message.output)) {
          complaints.push(`${watcher} was told of an output of ${message.nodeId} that was not kept`);
        }
      }
      if (message.type === 'execution_update' && message.nodeId && completed.has(message.nodeId)) {
        if (message.status !== 'completed') complaints.push(`${watcher} saw ${message.nodeId} go back`);
      }
      if (message.type === 'execution_completed') {
        isOver = true;
        if (message.status !== ending?.status) complaints.push(`${watcher} was told of an end that did not last`);
      }
    }
  }
  return complaints;
}

/** A run and its audit entry are stored atomically. */
function audited({ executions, auditedRequests }: Rest): Complaint[] {
  const asked = executions.filter(({ trigger }) => trigger === 'manual' || trigger === 'webhook').length;
  return asked === auditedRequests ? [] : [`${asked} runs were asked for, and ${auditedRequests} are in the audit log`];
}

/** The last part of a node's path. */
const idOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);

/** The completed nodes with an id, in all runs and rounds. */
const completedNodes = ({ executions }: Rest, id: string) =>
  executions.flatMap(({ nodeResults }) =>
    nodeResults.filter(({ nodeId, status }) => status === 'completed' && idOf(nodeId) === id),
  );

/** A change of remembered numbers is stored exactly once per completed node, and each node got a number of its own. */
function counted(rest: Rest): Complaint[] {
  return COUNTERS.flatMap((id) => {
    const outputs = completedNodes(rest, id).map(({ output }) => output);
    const count = rest.remembered[id] ?? 0;
    const complaints: Complaint[] = [];
    if (count !== outputs.length) complaints.push(`${id} is ${String(count)} after ${outputs.length} completed nodes`);
    if (new Set(outputs).size < outputs.length) complaints.push(`two nodes got the same number of ${id}`);
    return complaints;
  });
}

/** Each story is new to exactly one node, whose result passes it on. */
function passedOn(rest: Rest): Complaint[] {
  return rest.executions.flatMap((execution) => {
    const { status, output } = resultOf(execution, 'new') ?? {};
    if (status !== 'completed' || isDeepStrictEqual(output, [storyOf(execution)])) return [];
    return [`${execution.id} did not pass on its story`];
  });
}

/**
 * Each completed node has inserted its row, and nothing else has; the number that nodes increment is that of completed
 * nodes.
 */
function writtenRows(rest: Rest): Complaint[] {
  const expected = new Map(
    rest.executions.map((execution) => [execution.id, resultOf(execution, 'row')?.status === 'completed' ? 1 : 0]),
  );
  const found = groups(rest.rows, ({ name }) => name);
  const wrong = [...expected].flatMap(([id, count]) => {
    const rows = found.get(id)?.length ?? 0;
    return rows === count ? [] : [`${id} has ${rows} rows instead of ${count}`];
  });
  const counters = found.get('visits') ?? [];
  const visits = counters[0]?.n ?? 0;
  const count = completedNodes(rest, 'visits').length;
  return [
    ...wrong,
    ...(counters.length > 1 ? [`the row visits was made ${counters.length} times`] : []),
    ...(visits === count ? [] : [`visits is ${visits} after ${count} completed nodes`]),
  ];
}
