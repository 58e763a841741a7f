import type { RunError } from '@/contract/execution';
import { hold } from '../connectors/use';
import { NodeFailure, type NodeKind, type Outcome } from '../nodes/node';
import { Context, type Rendered, type Visit } from './context';
import { passingPort } from './graph';
import type { Masks } from './masks';
import type { Held as HeldByNode, Items } from './state';
import type { Stoppable } from './stop';
import { render } from './template';
import { fitting, shortened, type Trace } from './trace';
import { storedText, storedValue, type StoredValue } from './value';
import { bounded, unlessAborted } from './within';

/** Where a node does something outside and its author said nothing. */
const TIMEOUT_MS = 60_000;

export type Visited =
  | ({ kind: 'done'; port: string; trace?: Trace } & StoredValue)
  | Extract<Outcome, { kind: 'wait' }>
  /** `heldJson` null: it is stored already. */
  | { kind: 'rounds'; held: HeldByNode | null; heldJson: string | null }
  | Failed;

export interface Failed {
  kind: 'failed';
  code: string;
  message: string;
  isRetriable: boolean;
  retryAfterMs: number;
  /** Where it began, if that is inside this node. */
  nodeId?: string;
  expression?: RunError['expression'];
  trace?: Trace;
}

/**
 * One visit of one node: its config rendered, its work done within its time. Never throws nor rejects. What needs
 * nothing but the processor is done here and now.
 */
export function visit(given: Visit): Visited | Promise<Visited> {
  const { isOutside, kind, node } = given.node;
  const timeoutMs = kind?.timesItself ? undefined : (node.timeoutMs ?? (isOutside ? TIMEOUT_MS : undefined));
  if (timeoutMs !== undefined || isOutside || kind?.timesItself) return inTime(given, timeoutMs);
  try {
    const outcome = work(given, given.until);
    return outcome instanceof Promise ? patiently(given, outcome) : cameTo(outcome, given);
  } catch (error) {
    return traced(given, failed(error, given.run.masks), error);
  }
}

async function inTime(given: Visit, timeoutMs: number | undefined): Promise<Visited> {
  const { signal, release } = bounded(given.until.signal, timeoutMs);
  try {
    // A node that doesn't listen to its signal is left behind; what it comes to is of no interest any more.
    return cameTo(await unlessAborted(signal, work(given, { signal })), given);
  } catch (error) {
    if (signal.aborted && !given.until.signal.aborted) {
      const late = new NodeFailure('TIMEOUT', `The node took longer than ${timeoutMs} ms.`);
      return traced(given, failed(late, given.run.masks));
    }
    return traced(given, failed(error, given.run.masks), error);
  } finally {
    release();
  }
}

async function patiently(given: Visit, outcome: Promise<Outcome>): Promise<Visited> {
  try {
    return cameTo(await unlessAborted(given.until.signal, outcome), given);
  } catch (error) {
    return traced(given, failed(error, given.run.masks), error);
  }
}

function cameTo(outcome: Outcome, given: Visit): Visited {
  const { masks } = given.run;
  if (outcome.kind === 'wait') return { ...outcome, held: outcome.held && masks.value(outcome.held) };
  if (outcome.kind === 'done') {
    const visited = finished(outcome.output, masks, outcome.port);
    // Who succeeds at once leaves nothing.
    return given.attempt === 1 && visited.kind === 'done' ? visited : traced(given, visited);
  }
  const { items, concurrency } = outcome;
  const { json, value } = storedValue({ items: masks.value(items), concurrency });
  return { kind: 'rounds', held: value as Items, heldJson: json };
}

/** The same with what there is to look at of the try. */
function traced(given: Visit, visited: Visited, error?: unknown): Visited {
  if (visited.kind !== 'done' && visited.kind !== 'failed') return visited;
  const { node, rendered } = given;
  const { masks, ledger } = given.run;
  const literals = new Set<string>(node.kind?.literals);
  const fields = Object.entries(rendered ?? {}).filter(([field]) => !literals.has(field));
  const answer = error instanceof NodeFailure ? error.by.answer : undefined;
  const trace = {
    parameters: fields.length > 0 ? shortened(masks.value(Object.fromEntries(fields))) : undefined,
    answer: answer && masks.value(answer),
  };
  visited.trace = fitting(trace, ledger.room);
  return visited;
}

/** What a node comes to that gives `output`. Never throws. */
export function finished(output: unknown, masks: Masks, port = 'output'): Visited {
  try {
    return { kind: 'done', port, ...storedValue(masks.value(output)) };
  } catch (error) {
    return failed(error, masks);
  }
}

function work(given: Visit, until: Stoppable): Outcome | Promise<Outcome> {
  const { node, path, scope } = given;
  const { kind } = node;
  if (node.node.disabled) return { kind: 'done', port: passingPort(node), output: scope.input };
  if (!kind) throw new NodeFailure('UNKNOWN_TYPE', `There is no node type "${node.node.type}".`, false);
  const rendered = render(node.node.config, scope, { nodeId: path, kind });
  const { credentialId } = node.node;
  if (credentialId === undefined && !(rendered instanceof Promise))
    return kind.run(new Context(given, until, configOf(given, kind, rendered)));
  return prepared(given, until, kind, rendered, credentialId);
}

async function prepared(
  given: Visit,
  until: Stoppable,
  kind: NodeKind,
  rendered: Rendered | Promise<Rendered>,
  credentialId: string | undefined,
): Promise<Outcome> {
  const config = configOf(given, kind, await rendered);
  const credential =
    credentialId === undefined
      ? undefined
      : await hold(given.run.workspaceId, credentialId, (secrets) => given.run.masks.add(secrets));
  return kind.run(new Context(given, until, config, credential));
}

/** Throws NodeFailure CONFIG when what expressions came to doesn't fit. */
function configOf(given: Visit, kind: NodeKind, rendered: Rendered): Rendered {
  given.rendered = rendered;
  const parsed = kind.config.safeParse(rendered);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `config.${issue.path.join('.')}: ${issue.message}`);
    throw new NodeFailure('CONFIG', problems.join('; '), false);
  }
  const missing = kind.required.filter((field) => parsed.data[field] === undefined || parsed.data[field] === null);
  if (missing.length > 0) throw new NodeFailure('CONFIG', `Missing: config.${missing.join(', config.')}.`, false);
  return parsed.data;
}

export function failed(error: unknown, masks: Masks): Failed {
  const message = storedText(masks.text(error instanceof Error ? error.message : String(error)));
  if (error instanceof NodeFailure) {
    const { code, retriable, retryAfterMs } = error;
    const { expression: at } = error.by;
    const expression = at && { ...at, source: storedText(masks.text(at.source)) };
    return { kind: 'failed', code: masks.text(code), message, isRetriable: retriable, retryAfterMs, expression };
  }
  return { kind: 'failed', code: 'INTERNAL', message, isRetriable: true, retryAfterMs: 0 };
}
