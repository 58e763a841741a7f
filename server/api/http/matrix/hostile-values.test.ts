import { beforeAll, expect, test } from 'vitest';
import { ErrorResponse } from '@/contract/error-response';
import { operationTable } from '@/server/api/operations';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Answer, type TestUser } from '@/server/testing/factories';
import { exampleBody, filled, createFixtures } from '@/server/testing/fixtures';
import { querySchema, type OperationRecord } from '@/server/api/operation/operation';
import { bodySchema } from '@/server/api/operation/operation-parts';
import { isInShard, shard } from '@/server/testing/shards';

useDatabase();

let user: TestUser;
let ids: Record<string, Record<string, string>>;

beforeAll(async () => {
  user = await buildUser();
  ids = { ...(await createFixtures(user)), connectors: { id: 'hubspot' } };
});

/** Values that no schema expects, and that break code which trusts their apparent type. */
const NASTY: unknown[] = [
  null,
  -1.5,
  1e308,
  2 ** 63,
  '',
  'a\u0000b',
  '\ud800',
  '9999-12-31T23:59:59.999Z',
  '{{ $eval("1") }}',
  'http://[::1',
  [[]],
  JSON.parse('{"__proto__":{"a":1},"toString":1,"then":1,"length":-1}'),
];

const nastyAt = (place: number) => NASTY.filter((_, index) => isInShard(index + place));

type Path = (string | number)[];

const placesIn = (value: unknown, at: Path = []): Path[] =>
  typeof value === 'object' && value !== null
    ? [at, ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...at, name]))]
    : [at];

function withAt(value: unknown, [first, ...rest]: Path, nasty: unknown): unknown {
  if (first === undefined) return nasty;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  copy[first] = withAt(copy[first], rest, nasty);
  return copy;
}

function expectNoFault(answer: Answer<unknown>, input: string): void {
  const what = `TEST_SHARD=${shard}, ${input}`;
  expect(answer.status, `${what}: ${JSON.stringify(answer.body)}`).toBeLessThan(500);
  if (answer.status >= 400) expect(ErrorResponse.strict().safeParse(answer.body).error, what).toBeUndefined();
}

/** They would end the caller's session. */
const ENDING = ['auth.logout', 'auth.changePassword', 'members.delete', 'workspaces.leave', 'workflows.delete'];
const all = (operationTable as OperationRecord[]).filter(
  ({ id, access }) => !ENDING.includes(id) && access.kind !== 'webhook',
);
const withBody = all.filter((one) => one.method !== 'GET' && bodySchema(one) !== undefined);

test.each(withBody.map((operation) => [operation.id, operation] as const))(
  '%s handles hostile values in every field of its body',
  async (_, operation) => {
    const example = exampleBody(operation);
    const bodies = placesIn(example).flatMap((place, index) =>
      nastyAt(index).map((nasty) => withAt(example, place, nasty)),
    );
    for (const body of bodies) {
      const answer = await call(operation.method, filled(operation, ids), { token: user.token, body });
      expectNoFault(answer, JSON.stringify(body));
    }
  },
);

const TEXTS = ['', '%00', '%ff', '%ED%A0%80', "'", '-1', '1e9', '99999999999999999999', '+275760-09-13T00:00:00.001Z'];

test.each(all.filter((one) => querySchema(one)).map((operation) => [operation.id, operation] as const))(
  '%s handles hostile texts in its query',
  async (_, operation) => {
    const address = filled(operation, ids);
    const queries = Object.keys(querySchema(operation)?.shape ?? {}).flatMap((name) =>
      TEXTS.map((text) => `${name}=${text}`),
    );
    for (const query of queries) {
      expectNoFault(await call(operation.method, `${address}?${query}`, { token: user.token }), query);
    }
  },
);
