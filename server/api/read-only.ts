import { z } from 'zod';
import type { Operation } from './operation';
import { bodySchema, jsonReplyIn } from './operation-parts';

/** Names of the fields that the service alone sets: those of the answer that the body has not. `isRequired`: always in the answer. */
interface ReadOnly {
  names: ReadonlySet<string>;
  required: readonly string[];
}

const NONE: ReadOnly = { names: new Set(), required: [] };
const known = new WeakMap<Operation, ReadOnly>();

function readOnlyOf(operation: Operation): ReadOnly {
  const body = bodySchema(operation);
  const { schema: output, resource } = jsonReplyIn(operation) ?? {};
  const shown = [output, resource].filter((schema) => schema instanceof z.ZodObject);
  if (!(body instanceof z.ZodObject) || !shown.some(({ shape }) => resource || 'id' in shape)) return NONE;
  const names = new Set(shown.flatMap(({ shape }) => Object.keys(shape)).filter((name) => !(name in body.shape)));
  const isRequired = (name: string) =>
    shown.every(({ shape }) => name in shape && !(shape[name] instanceof z.ZodOptional));
  return { names, required: [...names].filter(isRequired) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The body without its read-only fields, if it is a whole object as the service returns it: what was read can be sent back. Undefined for
 * any other body: a client that sends some of these fields wants to set them, which is refused.
 */
export function withoutReadOnly(operation: Operation, body: unknown): Record<string, unknown> | undefined {
  let readOnly = known.get(operation);
  if (!readOnly) known.set(operation, (readOnly = readOnlyOf(operation)));
  const { names, required } = readOnly;
  if (names.size === 0 || !isRecord(body) || !required.every((name) => Object.hasOwn(body, name))) return undefined;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)));
}
