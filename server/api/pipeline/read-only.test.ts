import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabaseConnections, prismaClient } from '@/server/platform/db/client';
import { operationTable } from '@/server/api/operations';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { Browser } from '@/server/testing/browser';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, PASSWORD, type Refused, type TestUser } from '@/server/testing/factories';

useDatabase();

/** Sets whether new connections to the database may only read. */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const client = new pg.Client({ connectionString: getRuntime().env.databaseUrl });
  await client.connect();
  await client.query('SET default_transaction_read_only = off');
  const { rows } = await client.query<{ name: string }>('SELECT quote_ident(current_database()) AS name');
  await client.query(`ALTER DATABASE ${rows[0]?.name} SET default_transaction_read_only = ${value}`);
  await client.end();
}

/** The service has connections that may only read, as an operator or a standby has it. */
async function beReadOnly(): Promise<() => Promise<void>> {
  const before = getRuntime();
  await setReadOnly('on');
  const connections = openDatabaseConnections(before.env.databaseUrl ?? '');
  setRuntime({ ...before, ...connections });
  return async () => {
    setRuntime(before);
    await connections.prisma.$disconnect();
    await connections.pool.end();
    await setReadOnly('off');
  };
}

const beginMaintenance = async () => {
  const end = await beReadOnly();
  getRuntime().maintenance = { reason: 'The disk is replaced.', since: new Date() };
  return async () => {
    getRuntime().maintenance = undefined;
    await end();
  };
};

const MESSAGES = {
  maintenance: 'The service is in maintenance: The disk is replaced. Reading works; try changes again later.',
  'a read-only database': 'The database is read-only now. Reading works; try changes again later.',
};

describe.each([
  ['maintenance', beginMaintenance],
  ['a read-only database', beReadOnly],
] as const)('in %s', (name, begin) => {
  let user: TestUser;
  let key: string;
  let workflowId: string;
  let end: () => Promise<void> = async () => undefined;

  beforeEach(async () => {
    user = await buildUser();
    workflowId = await buildWorkflow(user);
    const made = await call<{ key: string }>('POST', '/auth/api_keys', {
      token: user.token,
      body: { name: 'Reader', scopes: ['*'] },
    });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    key = made.body.key;
    // Both are so old that a call would store the new use.
    await prismaClient().apiKey.updateMany({ data: { lastUsedAt: new Date(0) } });
    await prismaClient().session.update({
      where: { id: user.sessionId },
      data: { lastUsedAt: new Date(Date.now() - 3_600_000) },
    });
    end = await begin();
  });
  afterEach(() => end());

  it('each operation that reads answers callers with a key and with a session', async () => {
    const reads = operationTable.filter(
      ({ method, path, effect, access }) =>
        method === 'GET' && effect.kind === 'read' && access.kind === 'member' && !path.includes('{'),
    );
    expect(reads.length).toBeGreaterThan(20);
    for (const path of [...reads.map((one) => one.path), `/api/workflows/${workflowId}`]) {
      for (const token of [key, user.token]) {
        const { status } = await call('GET', path, { token });
        expect([path, status < 500]).toEqual([path, true]);
      }
    }
    expect((await call('GET', `/api/workflows/${workflowId}`, { token: key })).status).toBe(200);
  });

  it('changes and sign-ins are refused with the reason and a time to come back', async () => {
    const expectRefused = ({ status, headers, message }: { status: number; headers: Headers; message: string }) => {
      expect([status, headers.get('retry-after')]).toEqual([503, '30']);
      expect(message).toContain(MESSAGES[name]);
    };
    const credentials = { email: user.email, password: PASSWORD };
    for (const [method, path, body, token] of [
      ['PATCH', `/api/workflows/${workflowId}`, { name: 'Other' }, user.token],
      ['PATCH', `/api/workflows/${workflowId}`, { name: 'Other' }, key],
      ['POST', `/api/workflows/${workflowId}/execute`, {}, key],
      ['POST', '/api/auth/login', credentials, undefined],
    ] as const) {
      const answer = await call<Refused>(method, path, { token, body });
      expectRefused({ ...answer, message: answer.body.error.message });
    }
    const browser = new Browser();
    const { csrfToken = '' } = (await browser.go('GET', '/api/auth/csrf')).json as { csrfToken?: string };
    const answer = await browser.go('POST', '/api/auth/callback/credentials', {
      form: { csrfToken, ...credentials, json: 'true' },
    });
    const { error, url } = answer.json as Refused & { url: string };
    expectRefused({ ...answer, message: error.message });
    expect(new URL(url).searchParams.get('error')).toContain(`UNAVAILABLE:30:${MESSAGES[name]}`);
  });
});
