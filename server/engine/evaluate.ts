import { UNSURE } from './direct';
import type { Expression } from './expression';
import type { Paced } from './pace';
import { evaluateInRealm, type EvaluationError } from './realm';

/** What an expression sees, and all that it sees. */
export interface Scope {
  input: unknown;
  /** Outputs of finished nodes by their ids. */
  nodes: Record<string, unknown>;
  execution: { id: string; workflowId: string; input: unknown };
}

/** An expression that failed. */
export class EvaluationFailure extends Error {
  readonly position: number | undefined;

  constructor({ message, position }: EvaluationError) {
    super(message);
    this.position = position;
  }
}

/** Deepest nesting of a result. */
const DEEPEST = 1000;
/** An evaluation that took longer gives way to everything else that waits for the processor. */
const LONG_MS = 10;

type Bag = Record<string, unknown>;
const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Sets a field whatever its name: assigned to plainly, `__proto__` would change the object's kind. */
export function put(target: Bag, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** JSONata marks its functions by fields that data may carry as well; only real ones hold JavaScript functions. */
const isFunction = (value: Bag) =>
  (value['_jsonata_function'] === true && typeof value['implementation'] === 'function') ||
  (value['_jsonata_lambda'] === true && typeof (value['environment'] as Bag | undefined)?.['lookup'] === 'function');

/** A copy made of plain JSON values: no sequences, no other realm's objects. Keys that `isKept` denies are left out. */
function plain(value: unknown, isKept: (key: string) => boolean = () => true, depth = 0): unknown {
  if (depth > DEEPEST) throw new EvaluationFailure({ message: 'The result is nested too deeply' });
  if (typeof value === 'function' || (isBag(value) && isFunction(value))) {
    throw new EvaluationFailure({ message: 'The result is a function, not a value' });
  }
  if (Array.isArray(value)) return value.map((item) => plain(item, isKept, depth + 1) ?? null);
  if (!isBag(value)) return value;
  const copy: Bag = {};
  for (const [key, inner] of Object.entries(value)) {
    if (inner !== undefined && isKept(key)) put(copy, key, plain(inner, isKept, depth + 1));
  }
  return copy;
}

/** A copy that an intrusive expression may write into, in which no data poses as a function. */
const detached = (scope: Scope) => plain(scope, (key) => !key.startsWith('_jsonata_'));

/**
 * The value of an expression: plain JSON, or undefined. Expressions that read a path share its value with the scope;
 * everything else is a fresh copy. Throws EvaluationFailure.
 */
export function* evaluate(expression: Expression, scope: Scope): Paced<unknown> {
  const value = expression.direct ? expression.direct(scope) : UNSURE;
  if (value !== UNSURE) return value;
  const startedAt = performance.now();
  const outcome = evaluateInRealm(
    expression.source,
    expression.isIntrusive ? detached(scope) : scope,
    !expression.isTame,
  );
  try {
    if (!outcome.ok) throw new EvaluationFailure(outcome.error);
    return plain(outcome.value);
  } finally {
    if (performance.now() - startedAt > LONG_MS) yield;
  }
}
