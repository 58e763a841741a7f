import { decodeJwt, SignJWT, type JWTPayload } from 'jose';
import { beforeAll, expect, test, vi } from 'vitest';
import { ApiKeyScope } from '@/contract/access/api-key';
import { SystemRole } from '@/contract/access/security';
import { ErrorResponse } from '@/contract/error-response';
import { accessWord, workspaceParamIn, type OperationRecord } from '@/server/api/operation/operation';
import { hashApiKey, generateApiKey } from '@/server/people/auth/api-key';
import { endLoginSession } from '@/server/people/auth/session';
import { ACCESS_TOKEN_SECONDS } from '@/server/people/auth/tokens';
import { prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { buildUser, buildWorkspace, call, tokenFor, type CallOptions, type TestUser } from '@/server/testing/factories';
import { TEST_KEYS, useDatabase } from '@/server/testing/database';
import {
  addressWithoutObjects,
  closedOperations,
  expectRefusals,
  pickOneOfEachKind,
} from '@/server/testing/operation-calls';
import { readRights } from '@/server/testing/rights-page';

useDatabase({ rateLimitTier: 'unlimited' });

let workspaceId: string;
let owner: TestUser;
let stranger: TestUser;
/** How a caller identifies itself, by the column of docs/operate/rights.md that says what it may do. */
const callers = new Map<string, CallOptions>();
/** Tokens that are refused, by what is wrong with them. */
const refused = new Map<string, string>();

beforeAll(async () => {
  workspaceId = await buildWorkspace();
  for (const role of SystemRole.options) {
    const user = await buildUser({ workspaceId, role });
    callers.set(role, { token: user.token });
    if (role === 'owner') owner = user;
  }
  // Keys of an owner, who may do everything: only the scope restricts them.
  for (const scope of ApiKeyScope.options)
    callers.set(`key ${scope}`, { headers: { 'x-api-key': await storeKey(scope) } });
  stranger = await buildUser();
  for (const [what, token] of Object.entries(await badTokens(owner))) refused.set(what, token);
  const ended = await tokenFor(owner.id, workspaceId);
  await endLoginSession(prismaClient(), ended.sessionId);
  refused.set('after logout', ended.token);
});

async function storeKey(scope: ApiKeyScope): Promise<string> {
  const key = generateApiKey();
  const about = { id: generateId('key'), workspaceId, userId: owner.id, name: scope, hash: hashApiKey(key), hint: '' };
  await prismaClient().apiKey.create({ data: { ...about, scopes: [scope] } });
  return key;
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Each token is valid except for one thing. */
async function badTokens({ id, sessionId }: TestUser) {
  const now = Math.floor(Date.now() / 1000);
  const jti = `${sessionId}.x`;
  const claims = (iat: number, exp = iat + ACCESS_TOKEN_SECONDS) => ({
    sub: id,
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
    expired: await signed(claims(now - ACCESS_TOKEN_SECONDS - 1), TEST_KEYS.JWT_SECRET),
    'valid for too long': await signed(claims(now, now + 10 * ACCESS_TOKEN_SECONDS), TEST_KEYS.JWT_SECRET),
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

const send = (operation: OperationRecord, options: CallOptions = {}) =>
  call<unknown>(operation.method, addressWithoutObjects(operation, workspaceId), {
    workspace: workspaceParamIn(operation.access) ? undefined : workspaceId,
    ...options,
  });

/** What the steps that identify and allow look at, besides the permission. */
const kindOfAccess = ({ access }: OperationRecord) =>
  access.kind === 'member'
    ? [access.kind, access.workspaceParam !== undefined, access.isFiltered]
    : Object.entries(access).sort();
const isForMembers = ({ access }: OperationRecord) => access.kind === 'member';

test.each(pickOneOfEachKind(closedOperations, kindOfAccess))('%s without a valid token: 401', (_, operation) =>
  expectRefusals(
    Object.entries<CallOptions>({
      'no token': {},
      'a broken token': { token: 'a.b.c' },
      'another scheme': { headers: { authorization: 'Basic YTpi' } },
      ...Object.fromEntries([...refused].map(([what, token]) => [what, { token }])),
    }).map(([what, options]) => ({ what, status: 401, answer: send(operation, options) })),
  ),
);

test.each(pickOneOfEachKind(closedOperations.filter(isForMembers), kindOfAccess))(
  '%s as a non-member: 404, as if the workspace did not exist',
  (_, operation) => {
    const nowhere = addressWithoutObjects(operation, 'ws_nothing');
    const options = { token: stranger.token, workspace: 'ws_nothing' };
    return expectRefusals([
      { what: 'another workspace', status: 404, answer: send(operation, { token: stranger.token }) },
      { what: 'no workspace', status: 404, answer: call(operation.method, nowhere, options) },
    ]);
  },
);

/**
 * Who may call it, by docs/operate/rights.md; of the keys only those that `allowsLimited` names, where no permission is
 * needed.
 */
function readCallers({ access }: OperationRecord): Record<string, boolean> {
  if (access.kind === 'member') return readRights(accessWord(access));
  const allowsLimited = access.kind === 'signed-in' ? access.allowsLimited : undefined;
  return Object.fromEntries(
    [...callers.keys()].map((name) => [name, !name.startsWith('key') || allowsLimited === true]),
  );
}

/**
 * Callers are decided about alike where the same of them have the permission: rights.test.ts compares all permissions.
 */
const kindOfRights = (operation: OperationRecord) => [
  ...kindOfAccess(operation),
  Object.entries(readCallers(operation)).sort(),
];

/** It would end the session of each caller. */
const isEnding = ({ id }: OperationRecord) => id === 'auth.logout' || id === 'sessions.deleteOthers';

test.each(
  pickOneOfEachKind(
    closedOperations.filter((one) => !isEnding(one)),
    kindOfRights,
  ),
)('%s in each role, and with a key of each scope: 403 exactly without the permission', async (_, operation) => {
  // Not JSON, so that permitted calls end at the body.
  const raw = operation.method === 'GET' || operation.method === 'DELETE' ? undefined : '[]';
  const expected = readCallers(operation);
  expect(Object.keys(expected).toSorted()).toEqual([...callers.keys()].toSorted());
  for (const [name, options] of callers) {
    const { status, body } = await send(operation, { ...options, raw });
    expect([name, status === 403], `${name}: ${status} ${JSON.stringify(body)}`).toEqual([name, !expected[name]]);
    expect(status).toBeLessThan(500);
    if (status === 403) expect(ErrorResponse.parse(body).error.code).toBe('FORBIDDEN');
  }
});
