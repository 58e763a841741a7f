import { beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { querySchema, type OperationRecord } from '@/server/api/operation/operation';
import { bodySchema } from '@/server/api/operation/operation-parts';
import { explainMissingValue, toFieldErrors } from '@/server/platform/errors/zod-issues';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Answer, type TestUser } from '@/server/testing/factories';
import {
  addressWithoutObjects,
  allOperations,
  expectRefusals,
  pickOneOfEachKind,
} from '@/server/testing/operation-calls';

useDatabase({ rateLimitTier: 'unlimited' });

let owner: TestUser;
beforeAll(async () => {
  owner = await buildUser();
});

const addressOf = (operation: OperationRecord) => addressWithoutObjects(operation, owner.workspaceId);
const tokenOf = ({ access }: OperationRecord) => (access.kind === 'public' ? {} : { token: owner.token });

/** Excludes logout and the like, which have their own tests. */
const isDestructive = ({ id }: OperationRecord) => id === 'auth.logout';
/**
 * Addresses that identity providers redirect browsers to, and forms, which links may fill in: they take other query
 * parameters.
 */
const isOpen = ({ id, path }: OperationRecord) =>
  id === 'sso.callback' || id === 'sso.logout' || path.startsWith('/forms/');
const withQuery = allOperations.filter((one) => !isDestructive(one) && !isOpen(one) && one.query !== 'any');

/** Its body's fields are columns of a table that it names: they are checked against that. */
const hasOwnFields = ({ id }: OperationRecord) => id === 'rows.update';
const withBody = allOperations.filter(
  (operation) =>
    bodySchema(operation) !== undefined &&
    operation.method !== 'GET' &&
    operation.access.kind !== 'webhook' &&
    !hasOwnFields(operation),
);

const bodySchemas = withBody.map((operation) => [operation.id, bodySchema(operation)!] as const);

/** The fields that a schema refuses, as callers read them. */
async function refusedFields(schema: z.ZodType, value: unknown): Promise<string[]> {
  const { error } = await schema.safeParseAsync(value, { error: explainMissingValue });
  return error ? toFieldErrors(error).map(({ field }) => field) : [];
}

test('no schema of a query or a body takes unknown fields', async () => {
  const takers: string[] = [];
  for (const operation of withQuery) {
    const query = querySchema(operation);
    if (query && !(await refusedFields(query, { nonsense: '1' })).includes('nonsense'))
      takers.push(`${operation.id}: query`);
  }
  for (const [id, body] of bodySchemas)
    if (!(await refusedFields(body, { nonsense: 1 })).includes('nonsense')) takers.push(`${id}: body`);
  expect(takers).toEqual([]);
});

test('every field of a wrong type is reported', async () => {
  for (const [id, body] of bodySchemas) {
    const wrong: [string, unknown][] = [];
    for (const [field, type] of Object.entries((body as z.ZodObject).shape)) {
      for (const value of [{ wrong: [] }, 7]) {
        if ((await (type as z.ZodType).safeParseAsync(value)).success) continue;
        wrong.push([field, value]);
        break;
      }
    }
    const fields = (await refusedFields(body, Object.fromEntries(wrong))).map((field) => field.split(/[.[]/)[0]);
    // Paths of definition errors begin at the definition.
    const expected = wrong.map(([field]) => (field === 'definition' ? 'nodes' : field));
    expect(fields, id).toEqual(expect.arrayContaining(expected));
  }
});

/** What the step that parses looks at, besides the schemas. */
const kindOfQuery = ({ query, params, body, method }: OperationRecord) => [
  query !== undefined,
  params !== undefined,
  body?.kind,
  method === 'GET',
];

test.each(pickOneOfEachKind(withQuery, kindOfQuery))(
  '%s refuses unknown query parameters, and repeated ones',
  (_, operation) =>
    expectRefusals(
      Object.entries({ nonsense: 'nonsense=1', limit: 'limit=1&limit=1' }).map(([field, query]) => ({
        what: query,
        status: 400,
        field,
        answer: call(operation.method, `${addressOf(operation)}?${query}`, tokenOf(operation)),
      })),
    ),
);

const kindOfBody = ({ access, method, body, effect }: OperationRecord) => [
  access.kind === 'public',
  method === 'DELETE',
  body?.maxBytes,
  body?.kind === 'json' && [String(body.maxValues), body.checksLater],
  effect.kind === 'read' && effect.hasOwnTransaction,
];

const post = (operation: OperationRecord, raw: string | Uint8Array<ArrayBuffer>, headers = {}) =>
  call<unknown>(operation.method, addressOf(operation), { ...tokenOf(operation), raw, headers });

/** Bodies that are no objects, and texts that are not JSON. */
const UNREADABLE = ['null', '7', '"text"', '[]', 'true', '{', '{"a":}', '\u0000', '{"a":1}x'];
const DEEP = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

test.each(pickOneOfEachKind(withBody, kindOfBody))(
  '%s refuses bodies that are malformed, too large, or have unknown fields',
  (_, operation) => {
    const large = JSON.stringify({ pad: 'x'.repeat(operation.body?.maxBytes ?? 1024 * 1024) });
    const refusal = (what: string, answer: Promise<Answer<unknown>>, field?: string) => ({
      what,
      status: 400,
      answer,
      field,
    });
    return expectRefusals([
      ...UNREADABLE.map((raw) => refusal(raw, post(operation, raw))),
      refusal('an unknown field', post(operation, '{"nonsense":1}'), 'nonsense'),
      refusal('a __proto__ key', post(operation, '{"__proto__":{"a":1}}'), '__proto__'),
      refusal('no JSON content type', post(operation, '{}', { 'content-type': 'text/plain' }), 'Content-Type'),
      refusal('bytes that are not UTF-8', post(operation, Uint8Array.from([0x7b, 0xff, 0x7d]))),
      { ...refusal('deep nesting', post(operation, DEEP)), message: 'The body is nested more than' },
      { ...refusal('a body over its limit', post(operation, large)), message: 'The body is larger than' },
    ]);
  },
);

test('each kind of fields, and a wrong type of each, reaches the caller', async () => {
  const operation = allOperations.find(({ id }) => id === 'workflows.create')!;
  const answer = await post(operation, '{"name":7,"description":{"wrong":[]}}');
  await expectRefusals([{ what: 'wrong types', status: 400, field: 'name', answer: Promise.resolve(answer) }]);
  expect(JSON.stringify(answer.body)).toContain('description');
});
