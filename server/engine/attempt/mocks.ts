import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { NodeTypeDefinition } from '@/server/workflow/nodes/node-type';
import { passThroughPort } from '@/server/workflow/definition/graph';
import { NO_PORT_SHARES } from '../store/port-shares';
import type { AttemptDetails } from './context';
import { toFailedOutcome, toOutputOutcome, type AttemptOutcome } from './outcome';

/**
 * The key of a node in every round of its loops: `loop[3].inner` becomes `loop[].inner`, and the item `node[3]`
 * `node[]`.
 */
const toEveryRoundPath = (path: string): string => path.replaceAll(/\[\d+\](?=[.[]|$)/g, '[]');

/** The value for a node at its path, or for every round. */
function findByPath<Value>(values: Readonly<Record<string, Value>>, path: string): { value: Value } | undefined {
  for (const key of [path, toEveryRoundPath(path)])
    if (Object.hasOwn(values, key)) return { value: values[key] as Value };
  return undefined;
}

/**
 * The outcome of a node whose whole output is given. A list without items ends the branch of a node that runs for each
 * item.
 */
async function toGivenOutcome(
  { run, node, until }: AttemptDetails,
  output: unknown,
  port = passThroughPort(node),
): Promise<AttemptOutcome> {
  const outcome = await toOutputOutcome(
    output,
    run.redactor,
    () => ({ workspaceId: run.workspaceId, signal: until.signal }),
    port,
  );
  const isEmpty = Array.isArray(output) && output.length === 0 && node.each?.onEmpty === 'end';
  return isEmpty && outcome.kind === 'done' ? { ...outcome, shares: NO_PORT_SHARES } : outcome;
}

/** What a node does in a test without a mock: it runs, it passes its input on at once, or the test fails there. */
export function resolveTestBehaviour(
  kind: NodeTypeDefinition | undefined,
  isDisabled = false,
): 'run' | 'pass' | 'mock' {
  if (isDisabled || !kind) return 'run';
  return kind.inTests ?? (kind.isOutside ? 'mock' : 'run');
}

/** The outcome of a node in a test, without calling anything outside; undefined: the node runs as always. */
export function buildMockedOutcome(attempt: AttemptDetails): AttemptOutcome | Promise<AttemptOutcome> | undefined {
  const { run, node, path, scope } = attempt;
  if (!run.mocks) return undefined;
  const purpose = () => ({ workspaceId: run.workspaceId, signal: attempt.until.signal });
  const mock = findByPath(run.mocks, path)?.value;
  if (mock?.error) return toFailedOutcome(new NodeFailure(mock.error.code, mock.error.message, false), run.redactor);
  if (mock) return toGivenOutcome(attempt, mock.output ?? null, mock.port);
  // A loop runs if nodes inside it have mocks.
  const inside = `${toEveryRoundPath(path)}[].`;
  if (node.body && Object.keys(run.mocks).some((key) => toEveryRoundPath(key).startsWith(inside))) return undefined;
  const way = resolveTestBehaviour(node.nodeType, node.definition.disabled);
  if (way === 'pass') return toOutputOutcome(scope.input, run.redactor, purpose, passThroughPort(node));
  if (way === 'run') return undefined;
  const failure = new NodeFailure(
    'NOT_MOCKED',
    'A test calls nothing outside. Give this node an output for the test.',
    false,
  );
  return toFailedOutcome(failure, run.redactor);
}

/** The outcome of a node with a pinned output; undefined: it runs. Disabled nodes pass their input on as always. */
export function buildPinnedOutcome(attempt: AttemptDetails): Promise<AttemptOutcome> | undefined {
  const { run, node, path } = attempt;
  const pin = run.pins && !node.definition.disabled ? findPin(run.pins, attempt) : undefined;
  if (!pin) return undefined;
  run.attemptLog.log(path, 'info', 'did not run: its output is pinned');
  return toGivenOutcome(attempt, pin.value ?? null);
}

/** A pin of a node, or of an item. Pins inside of loops serve previews only. */
const findPin = (pins: Readonly<Record<string, unknown>>, { node, path }: AttemptDetails) =>
  node.itemOf ? findByPath(pins, path) : Object.hasOwn(pins, path) ? { value: pins[path] } : undefined;
