import { decodeJwt, SignJWT, type JWTPayload } from 'jose';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { SystemRole } from '@/contract/access/security';
import { ErrorBody, STATUS_OF } from '@/contract/error';
import { isAllowed, SYSTEM_ROLES } from '@/server/access/permissions';
import { ACCESS_SECONDS } from '@/server/auth/tokens';
import { operations } from '@/server/operations';
import {
  buildUser,
  buildWorkspace,
  call,
  tokenFor,
  type Answer,
  type CallOptions,
  type TestUser,
} from '@/server/testing/factories';
import { TEST_KEYS, useDatabase } from '@/server/testing/database';
import type { Operation } from '@/server/api/operation';

useDatabase();

let workspaceId: string;
let stranger: TestUser;
const users = new Map<SystemRole, TestUser>();

beforeAll(async () => {
  workspaceId = await buildWorkspace();
  for (const role of SystemRole.options) users.set(role, await buildUser({ workspaceId, role }));
  stranger = await buildUser();
});

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Each token is valid except for one thing. */
async function badTokens(userId: string, sessionId: string): Promise<string[]> {
  const now = Math.floor(Date.now() / 1000);
  const jti = `${sessionId}.x`;
  const claims = (iat: number, exp = iat + ACCESS_SECONDS) => ({
    sub: userId,
    ws: workspaceId,
    jti,
    iat,
    exp,
    iss: 'weft',
    aud: 'weft-api',
  });
  const signed = (of: JWTPayload, secret: string) =>
    new SignJWT(of).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(Buffer.from(secret));
  return [
    await signed(claims(now - ACCESS_SECONDS - 1), TEST_KEYS.JWT_SECRET),
    await signed(claims(now, now + 10 * ACCESS_SECONDS), TEST_KEYS.JWT_SECRET),
    await signed(claims(now), 'a secret of somebody else, just as long'),
    `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(claims(now))}.`,
  ];
}

test('the refused tokens would otherwise be valid', async () => {
  const { id, sessionId } = strongest();
  const [over = ''] = await badTokens(id, sessionId);
  const { iat = 0 } = decodeJwt(over);
  vi.useFakeTimers({ now: (iat + 60) * 1000, toFake: ['Date'] });
  const { status } = await call('GET', '/api/workflows', { token: over });
  vi.useRealTimers();
  expect(status).toBe(200);
});

/** An address whose ids do not exist, except for the call's workspace. */
const addressOf = ({ path, workspaceParam }: Operation) =>
  path.replace(/\{(\w+)(?:\.\.\.)?\}/g, (_, name: string) =>
    name === workspaceParam ? workspaceId : name === 'version' ? '1' : 'nothing',
  );

const send = (operation: Operation, options: CallOptions = {}) =>
  call<unknown>(operation.method, addressOf(operation), {
    workspace: operation.workspaceParam ? undefined : workspaceId,
    ...options,
  });

/** The documented error with its status, and the headers of every answer. */
function expectRefusal(answer: Answer<unknown>, status: number, field?: string): void {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  expectHeaders(answer);
  const { error } = ErrorBody.strict().parse(answer.body);
  expect(STATUS_OF[error.code]).toBe(status);
  if (field !== undefined) expect(error.details.map((one) => one.field)).toContain(field);
}

function expectHeaders({ headers }: Answer<unknown>): void {
  expect(headers.get('x-request-id')).toMatch(/^req_/);
  expect(headers.get('cache-control')).toBe('no-store');
  for (const name of ['limit', 'remaining', 'reset']) expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
}

const closed = operations.filter(({ access }) => access !== 'public' && access !== 'signature') as Operation[];
const permitted = closed.filter(({ access }) => typeof access === 'object');
/** Its body's fields are columns of a table that it names: they are checked against that. */
const hasOwnFields = ({ id }: Operation) => id === 'rows.update';
const withBody = (operations as Operation[]).filter(
  (operation) => operation.body !== undefined && operation.method !== 'GET' && !hasOwnFields(operation),
);
const strongest = () => users.get('owner')!;
const tokenOf = ({ access }: Operation) => (access === 'public' ? {} : { token: strongest().token });
/** Excludes logout and the like, which have their own tests. */
const isDestructive = ({ id }: Operation) => id === 'auth.logout';
/** Addresses that identity providers redirect browsers to, and forms, which links may fill in: they take other query parameters. */
const isOpen = ({ id, path }: Operation) => id === 'sso.callback' || id === 'sso.logout' || path.startsWith('/forms/');

describe.each(closed.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  test('without a token: 401', async () => expectRefusal(await send(operation), 401));
  test('with a broken token: 401', async () => expectRefusal(await send(operation, { token: 'a.b.c' }), 401));
  test('with another scheme: 401', async () =>
    expectRefusal(await send(operation, { headers: { authorization: 'Basic YTpi' } }), 401));
  test('with an expired, unsigned or foreign token: 401', async () => {
    const { id, sessionId } = strongest();
    for (const token of await badTokens(id, sessionId)) expectRefusal(await send(operation, { token }), 401);
  });
  test('after logout: 401', async () => {
    const { sessionId, token } = await tokenFor(strongest().id, workspaceId);
    const { endSession } = await import('@/server/auth/session');
    const { prisma } = await import('@/server/db/client');
    await endSession(prisma(), sessionId);
    expectRefusal(await send(operation, { token }), 401);
  });
});

describe.each(permitted.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  test('as a non-member: 404, as if the workspace did not exist', async () => {
    expectRefusal(await send(operation, { token: stranger.token }), 404);
    const nowhere = addressOf(operation).replace(workspaceId, 'ws_nothing');
    expectRefusal(await call(operation.method, nowhere, { token: stranger.token, workspace: 'ws_nothing' }), 404);
  });

  test.each(SystemRole.options)('as %s: 403 exactly if the role lacks the permission', async (role) => {
    const { resource, action } = operation.access as Exclude<Operation['access'], string>;
    const { permissions } = SYSTEM_ROLES.find(({ name }) => name === role)!;
    const { status } = await send(operation, {
      token: users.get(role)!.token,
      body: undefined,
      raw: isBodied(operation) ? '[]' : undefined,
    });
    if (isAllowed(permissions, resource, action)) expect(status).not.toBe(403);
    else expect(status).toBe(403);
    expect(status).toBeLessThan(500);
  });
});

const isBodied = ({ method }: Operation) => method !== 'GET' && method !== 'DELETE';

describe.each(
  (operations as Operation[])
    .filter((one) => !isDestructive(one) && !isOpen(one) && !one.takesAnyQuery)
    .map((operation) => [operation.id, operation] as const),
)('%s', (_, operation) => {
  test('refuses unknown query parameters, and repeated ones', async () => {
    expectRefusal(
      await call(operation.method, `${addressOf(operation)}?nonsense=1`, tokenOf(operation)),
      400,
      'nonsense',
    );
    expectRefusal(
      await call(operation.method, `${addressOf(operation)}?limit=1&limit=1`, tokenOf(operation)),
      400,
      'limit',
    );
  });
});

describe.each(
  withBody.filter(({ access }) => access !== 'signature').map((operation) => [operation.id, operation] as const),
)('%s', (_, operation) => {
  const post = (raw: string | Uint8Array<ArrayBuffer>, headers = {}) =>
    send(operation, { ...tokenOf(operation), raw, headers });

  test('reports an unknown field', async () => expectRefusal(await post('{"nonsense":1}'), 400, 'nonsense'));
  test('reports a __proto__ key', async () => expectRefusal(await post('{"__proto__":{"a":1}}'), 400, '__proto__'));
  test('reports every field of a wrong type', async () => {
    const wrong: [string, unknown][] = [];
    for (const [field, type] of Object.entries((operation.body as z.ZodObject).shape)) {
      for (const value of [{ wrong: [] }, 7]) {
        if ((await (type as z.ZodType).safeParseAsync(value)).success) continue;
        wrong.push([field, value]);
        break;
      }
    }
    if (wrong.length === 0) return;
    const answer = await post(JSON.stringify(Object.fromEntries(wrong)));
    expectRefusal(answer, 400);
    const named = ErrorBody.parse(answer.body).error.details.map(({ field }) => field.split(/[.[]/)[0]);
    // Paths of definition errors begin at the definition.
    const expected = wrong.map(([field]) => (field === 'definition' ? 'nodes' : field));
    expect(named, JSON.stringify(answer.body)).toEqual(expect.arrayContaining(expected));
  });
  test.each(['null', '7', '"text"', '[]', 'true'])('refuses %s as a body', async (raw) =>
    expectRefusal(await post(raw), 400),
  );
  test.each(['{', '{"a":}', '\u0000', '{"a":1}x'])('refuses %j, which is not JSON', async (raw) =>
    expectRefusal(await post(raw), 400),
  );
  test('refuses a body without a JSON content type', async () =>
    expectRefusal(await post('{}', { 'content-type': 'text/plain' }), 400, 'Content-Type'));
  test('refuses bytes that are not UTF-8', async () =>
    expectRefusal(await post(Uint8Array.from([0x7b, 0xff, 0x7d])), 400));
  test('refuses deep nesting', async () =>
    expectRefusal(await post(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`), 400));
  test('refuses a body over its limit', async () =>
    expectRefusal(await post(JSON.stringify({ pad: 'x'.repeat(operation.maxBody ?? 1024 * 1024) })), 400));
});
