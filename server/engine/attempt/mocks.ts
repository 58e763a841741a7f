import type { NodeMock, NodeMocks } from '@/contract/workflows/workflow-test';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { NodeTypeDefinition } from '@/server/workflow/nodes/node-type';
import { passThroughPort } from '@/server/workflow/definition/graph';
import type { AttemptDetails } from './context';
import { toFailedOutcome, toOutputOutcome, type AttemptOutcome } from './outcome';

/** The key of a node in every round of its loops: `loop[3].inner` becomes `loop[].inner`. */
const toEveryRoundPath = (path: string): string => path.replaceAll(/\[\d+\]\./g, '[].');

const findNodeMock = (mocks: NodeMocks, path: string): NodeMock | undefined =>
  [path, toEveryRoundPath(path)].flatMap((key) => (Object.hasOwn(mocks, key) ? [mocks[key]] : []))[0];

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
  const mock = findNodeMock(run.mocks, path);
  if (mock?.error) return toFailedOutcome(new NodeFailure(mock.error.code, mock.error.message, false), run.redactor);
  if (mock) return toOutputOutcome(mock.output ?? null, run.redactor, purpose, mock.port ?? passThroughPort(node));
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
export function buildPinnedOutcome({
  run,
  node,
  path,
  until,
}: AttemptDetails): AttemptOutcome | Promise<AttemptOutcome> | undefined {
  if (!run.pins || node.definition.disabled || !Object.hasOwn(run.pins, path)) return undefined;
  run.attemptLog.log(path, 'info', 'did not run: its output is pinned');
  const purpose = () => ({ workspaceId: run.workspaceId, signal: until.signal });
  return toOutputOutcome(run.pins[path] ?? null, run.redactor, purpose, passThroughPort(node));
}
