import { z } from 'zod';
import type { OperationRecord } from './operation';
import { bodySchema, jsonReplyIn } from './operation-parts';

/**
 * Names of the fields that the service alone sets: those of the answer that the body has not. `isRequired`: always in
 * the answer.
 */
interface ReadOnlyFields {
  names: ReadonlySet<string>;
  required: readonly string[];
}

const EMPTY_READ_ONLY_FIELDS: ReadOnlyFields = { names: new Set(), required: [] };
const readOnlyByOperation = new WeakMap<OperationRecord, ReadOnlyFields>();

function findReadOnlyFields(operation: OperationRecord): ReadOnlyFields {
  const body = bodySchema(operation);
  const { schema: output, resource } = jsonReplyIn(operation) ?? {};
  const shown = [output, resource].filter((schema) => schema instanceof z.ZodObject);
  if (!(body instanceof z.ZodObject) || !shown.some(({ shape }) => resource || 'id' in shape))
    return EMPTY_READ_ONLY_FIELDS;
  const names = new Set(shown.flatMap(({ shape }) => Object.keys(shape)).filter((name) => !(name in body.shape)));
  const isRequired = (name: string) =>
    shown.every(({ shape }) => name in shape && !(shape[name] instanceof z.ZodOptional));
  return { names, required: [...names].filter(isRequired) };
}

const isObjectRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The body without its read-only fields, if it is a whole object as the service returns it: what was read can be sent
 * back. Undefined for any other body: a client that sends some of these fields wants to set them, which is refused.
 */
export function removeReadOnlyFields(operation: OperationRecord, body: unknown): Record<string, unknown> | undefined {
  let readOnly = readOnlyByOperation.get(operation);
  if (!readOnly) readOnlyByOperation.set(operation, (readOnly = findReadOnlyFields(operation)));
  const { names, required } = readOnly;
  if (names.size === 0 || !isObjectRecord(body) || !required.every((name) => Object.hasOwn(body, name)))
    return undefined;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)));
}
