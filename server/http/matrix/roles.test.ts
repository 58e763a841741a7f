import { decodeJwt, SignJWT, type JWTPayload } from 'jose';
import { beforeAll, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { SystemRole } from '@/contract/access/security';
import { ErrorBody, STATUS_OF } from '@/contract/error';
import { isAllowed, SYSTEM_ROLES } from '@/server/access/permissions';
import { endSession } from '@/server/auth/session';
import { ACCESS_SECONDS } from '@/server/auth/tokens';
import { prisma } from '@/server/db/client';
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
import { isOpenAccess, workspaceParamIn, type MemberAccess, type Operation } from '@/server/api/operation';
import { bodySchema } from '@/server/api/operation-parts';

useDatabase({ rateLimitTier: 'unlimited' });

let workspaceId: string;
let stranger: TestUser;
const users = new Map<SystemRole, TestUser>();
/** Tokens that are refused, by what is wrong with them. */
const refused = new Map<string, string>();

beforeAll(async () => {
  workspaceId = await buildWorkspace();
  for (const role of SystemRole.options) users.set(role, await buildUser({ workspaceId, role }));
  stranger = await buildUser();
  const { id, sessionId } = strongest();
  for (const [what, token] of Object.entries(await badTokens(id, sessionId))) refused.set(what, token);
  const ended = await tokenFor(id, workspaceId);
  await endSession(prisma(), ended.sessionId);
  refused.set('after logout', ended.token);
});

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Each token is valid except for one thing. */
async function badTokens(userId: string, sessionId: string) {
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
  return {
    expired: await signed(claims(now - ACCESS_SECONDS - 1), TEST_KEYS.JWT_SECRET),
    'valid for too long': await signed(claims(now, now + 10 * ACCESS_SECONDS), TEST_KEYS.JWT_SECRET),
    'of a foreign key': await signed(claims(now), 'the secret of another service, just as long'),
    unsigned: `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(claims(now))}.`,
  };
}

test('the refused tokens would otherwise be valid', async () => {
  const over = refused.get('expired')!;
  const { iat = 0 } = decodeJwt(over);
  vi.useFakeTimers({ now: (iat + 60) * 1000, toFake: ['Date'] });
  const { status } = await call('GET', '/api/workflows', { token: over });
  vi.useRealTimers();
  expect(status).toBe(200);
});

/** An address whose ids do not exist, except for the call's workspace. */
const addressOf = ({ path, access }: Operation) =>
  path.replace(/\{(\w+)(?:\.\.\.)?\}/g, (_, name: string) =>
    name === workspaceParamIn(access) ? workspaceId : name === 'version' ? '1' : 'nothing',
  );

const send = (operation: Operation, options: CallOptions = {}) =>
  call<unknown>(operation.method, addressOf(operation), {
    workspace: workspaceParamIn(operation.access) ? undefined : workspaceId,
    ...options,
  });

/** A call that is refused: what is wrong with it, its status, and a field that its error names. */
interface Refusal {
  what: string;
  status: number;
  field?: string;
  answer: Promise<Answer<unknown>>;
}

/** Each is the documented error with its status, and has the headers of every answer. The calls run side by side. */
async function expectRefusals(refusals: Refusal[]): Promise<void> {
  const answers = await Promise.all(refusals.map(({ answer }) => answer));
  for (const [index, { what, status, field }] of refusals.entries()) {
    const { status: given, headers, body } = answers[index]!;
    const { error } = ErrorBody.strict().parse(body);
    const found = {
      status: given,
      statusOfCode: STATUS_OF[error.code],
      requestId: headers.get('x-request-id'),
      caching: headers.get('cache-control'),
      limits: ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`)),
      fields: error.details.map((one) => one.field),
    };
    expect(found, `${what}: ${JSON.stringify(body)}`).toEqual({
      status,
      statusOfCode: status,
      requestId: expect.stringMatching(/^req_/),
      caching: 'no-store',
      limits: Array.from({ length: 3 }, () => expect.stringMatching(/^\d+$/)),
      fields: field === undefined ? found.fields : expect.arrayContaining([field]),
    });
  }
}

const closed = (operations as Operation[]).filter(({ access }) => !isOpenAccess(access));
const permitted = closed.filter(({ access }) => access.kind === 'member');
/** Its body's fields are columns of a table that it names: they are checked against that. */
const hasOwnFields = ({ id }: Operation) => id === 'rows.update';
const withBody = (operations as Operation[]).filter(
  (operation) => bodySchema(operation) !== undefined && operation.method !== 'GET' && !hasOwnFields(operation),
);
const strongest = () => users.get('owner')!;
const tokenOf = ({ access }: Operation) => (access.kind === 'public' ? {} : { token: strongest().token });
/** Excludes logout and the like, which have their own tests. */
const isDestructive = ({ id }: Operation) => id === 'auth.logout';
/** Addresses that identity providers redirect browsers to, and forms, which links may fill in: they take other query parameters. */
const isOpen = ({ id, path }: Operation) => id === 'sso.callback' || id === 'sso.logout' || path.startsWith('/forms/');

const named = (list: readonly Operation[]) => list.map((operation) => [operation.id, operation] as const);

test.each(named(closed))('%s without a valid token: 401', (_, operation) =>
  expectRefusals(
    Object.entries<CallOptions>({
      'no token': {},
      'a broken token': { token: 'a.b.c' },
      'another scheme': { headers: { authorization: 'Basic YTpi' } },
      ...Object.fromEntries([...refused].map(([what, token]) => [what, { token }])),
    }).map(([what, options]) => ({ what, status: 401, answer: send(operation, options) })),
  ),
);

test.each(named(permitted))('%s as a non-member: 404, as if the workspace did not exist', (_, operation) => {
  const nowhere = addressOf(operation).replace(workspaceId, 'ws_nothing');
  const options = { token: stranger.token, workspace: 'ws_nothing' };
  return expectRefusals([
    { what: 'another workspace', status: 404, answer: send(operation, { token: stranger.token }) },
    { what: 'no workspace', status: 404, answer: call(operation.method, nowhere, options) },
  ]);
});

const isBodied = ({ method }: Operation) => method !== 'GET' && method !== 'DELETE';

test.each(named(permitted))('%s in each role: 403 exactly if it lacks the permission', async (_, operation) => {
  const { resource, action } = operation.access as MemberAccess;
  const raw = isBodied(operation) ? '[]' : undefined;
  const statuses = await Promise.all(
    SystemRole.options.map(async (role) => (await send(operation, { token: users.get(role)!.token, raw })).status),
  );
  for (const [index, role] of SystemRole.options.entries()) {
    const { permissions } = SYSTEM_ROLES.find(({ name }) => name === role)!;
    expect(statuses[index] === 403, `${role}: ${statuses[index]}`).toBe(!isAllowed(permissions, resource, action));
    expect(statuses[index], role).toBeLessThan(500);
  }
});

const strict = (operations as Operation[]).filter((one) => !isDestructive(one) && !isOpen(one) && one.query !== 'any');

test.each(named(strict))('%s refuses unknown query parameters, and repeated ones', (_, operation) =>
  expectRefusals(
    Object.entries({ nonsense: 'nonsense=1', limit: 'limit=1&limit=1' }).map(([field, query]) => ({
      what: query,
      status: 400,
      field,
      answer: call(operation.method, `${addressOf(operation)}?${query}`, tokenOf(operation)),
    })),
  ),
);

const bodied = named(withBody.filter(({ access }) => access.kind !== 'webhook'));
const post = (operation: Operation, raw: string | Uint8Array<ArrayBuffer>, headers = {}) =>
  send(operation, { ...tokenOf(operation), raw, headers });

/** Bodies that are no objects, and texts that are not JSON. */
const UNREADABLE = ['null', '7', '"text"', '[]', 'true', '{', '{"a":}', '\u0000', '{"a":1}x'];
const DEEP = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

test.each(bodied)('%s refuses bodies that are malformed, too large, or have unknown fields', (_, operation) => {
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
    refusal('deep nesting', post(operation, DEEP)),
    refusal('a body over its limit', post(operation, large)),
  ]);
});

test.each(bodied)('%s reports every field of a wrong type', async (_, operation) => {
  const wrong: [string, unknown][] = [];
  for (const [field, type] of Object.entries((bodySchema(operation) as z.ZodObject).shape)) {
    for (const value of [{ wrong: [] }, 7]) {
      if ((await (type as z.ZodType).safeParseAsync(value)).success) continue;
      wrong.push([field, value]);
      break;
    }
  }
  if (wrong.length === 0) return;
  const answer = post(operation, JSON.stringify(Object.fromEntries(wrong)));
  await expectRefusals([{ what: 'wrong types', status: 400, answer }]);
  const { body } = await answer;
  const fields = ErrorBody.parse(body).error.details.map(({ field }) => field.split(/[.[]/)[0]);
  // Paths of definition errors begin at the definition.
  const expected = wrong.map(([field]) => (field === 'definition' ? 'nodes' : field));
  expect(fields, JSON.stringify(body)).toEqual(expect.arrayContaining(expected));
});
