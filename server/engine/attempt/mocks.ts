import type { Mock, Mocks } from '@/contract/workflows/workflow-test';
import { NodeFailure } from '@/server/errors/node-failure';
import type { NodeKind } from '@/server/nodes/node';
import { passingPort } from '@/server/workflow/graph';
import type { Attempt } from './context';
import { failedOutcome, outputOutcome, type AttemptOutcome } from './outcome';

/** The key of a node in every round of its loops: `loop[3].inner` becomes `loop[].inner`. */
const inEveryRound = (path: string): string => path.replaceAll(/\[\d+\]\./g, '[].');

const mockOf = (mocks: Mocks, path: string): Mock | undefined =>
  [path, inEveryRound(path)].flatMap((key) => (Object.hasOwn(mocks, key) ? [mocks[key]] : []))[0];

/** What a node does in a test without a mock: it runs, it passes its input on at once, or the test fails there. */
export function inTests(kind: NodeKind | undefined, isDisabled = false): 'run' | 'pass' | 'mock' {
  if (isDisabled || !kind) return 'run';
  return kind.inTests ?? (kind.isOutside ? 'mock' : 'run');
}

/** The outcome of a node in a test; undefined: it runs as always. Nothing outside is called. */
export function mockedOutcome(attempt: Attempt): AttemptOutcome | Promise<AttemptOutcome> | undefined {
  const { run, node, path, scope } = attempt;
  if (!run.mocks) return undefined;
  const purpose = () => ({ workspaceId: run.workspaceId, signal: attempt.until.signal });
  const mock = mockOf(run.mocks, path);
  if (mock?.error) return failedOutcome(new NodeFailure(mock.error.code, mock.error.message, false), run.redactor);
  if (mock) return outputOutcome(mock.output ?? null, run.redactor, purpose, mock.port ?? passingPort(node));
  // A loop runs if nodes inside it have mocks.
  const inside = `${inEveryRound(path)}[].`;
  if (node.body && Object.keys(run.mocks).some((key) => inEveryRound(key).startsWith(inside))) return undefined;
  const way = inTests(node.kind, node.node.disabled);
  if (way === 'pass') return outputOutcome(scope.input, run.redactor, purpose, passingPort(node));
  if (way === 'run') return undefined;
  const failure = new NodeFailure(
    'NOT_MOCKED',
    'A test calls nothing outside. Give this node an output for the test.',
    false,
  );
  return failedOutcome(failure, run.redactor);
}

/** The outcome of a node with a pinned output; undefined: it runs. Disabled nodes pass their input on as always. */
export function pinnedOutcome({
  run,
  node,
  path,
  until,
}: Attempt): AttemptOutcome | Promise<AttemptOutcome> | undefined {
  if (!run.pins || node.node.disabled || !Object.hasOwn(run.pins, path)) return undefined;
  run.attemptLog.log(path, 'info', 'did not run: its output is pinned');
  const purpose = () => ({ workspaceId: run.workspaceId, signal: until.signal });
  return outputOutcome(run.pins[path] ?? null, run.redactor, purpose, passingPort(node));
}
