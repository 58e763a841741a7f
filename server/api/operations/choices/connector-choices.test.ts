import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ListChoicesResponse } from '@/contract/choices';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { CLIENT } from '@/server/testing/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Refused, type TestUser } from '@/server/testing/factories';
import { listenOn } from '@/server/testing/listen';
import { buildPermitted } from '@/server/testing/permitted';

useDatabase({ rateLimitTier: 'unlimited' });

const TOKEN = 'xoxb-canary-token';

interface ServiceReply {
  status?: number;
  body: unknown;
}

let seen: { path: string; query: Record<string, string> }[] = [];
/** The service. Undefined: it never answers. */
let answer: (call: { path: string; query: Record<string, string> }, token: string) => ServiceReply | undefined;
let url: string;
let close: () => Promise<void>;
let owner: TestUser;
let stranger: TestUser;

const connect = async (user: TestUser, connectorId: string, accessToken = TOKEN) => {
  const body = { name: connectorId, type: 'oauth2', connectorId, config: { accessToken } };
  const made = await call<{ id: string }>('POST', '/api/credentials', { token: user.token, body });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return made.body.id;
};

const choose = (body: object, { as = owner, id = 'slack', headers = {} } = {}) =>
  call<ListChoicesResponse & Refused>('POST', `/api/connectors/${id}/choices`, { token: as.token, body, headers });
const faults = ({ status, body }: { status: number; body: Refused }) => [status, body.error.details[0]?.field];

const channel = (at: number, more: object = {}) => ({ id: `C${at}`, name: `channel-${at}`, ...more });
const channels = (from: number, count: number) => Array.from({ length: count }, (_, at) => channel(from + at));
const page = (list: unknown[], next = ''): ServiceReply => ({
  body: { ok: true, channels: list, response_metadata: { next_cursor: next } },
});

beforeAll(async () => {
  ({ url, close } = await listenOn((request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '', 'http://x');
    const arrived = { path, query: Object.fromEntries(searchParams) };
    seen.push(arrived);
    const reply = answer(arrived, (request.headers.authorization ?? '').replace('Bearer ', ''));
    if (!reply) return;
    const { status = 200, body } = reply;
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  }));
  owner = await buildUser();
  stranger = await buildUser();
});
afterAll(() => close());
beforeEach(() => {
  seen = [];
  answer = () => page([]);
  const address = { ...CLIENT, apiUrl: url, tokenUrl: `${url}/token` };
  getRuntime().env.connectors = { slack: address, airtable: address };
});

describe('choices of a service', () => {
  test('are an operation’s items, with label and hint as plain text without secrets', async () => {
    const credentialId = await connect(owner, 'slack');
    answer = () =>
      page([
        { id: 'C1', name: 'general', purpose: { value: `<b>for\u0007\nall</b> ${TOKEN}` } },
        { id: 'C2', name: 'x'.repeat(300) },
        { name: 'without an id' },
        { id: TOKEN, name: 'a secret as id' },
        { id: 'C3' },
      ]);
    const { status, body } = await choose({ source: 'channels', credentialId });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        { value: 'C1', label: 'general', hint: '<b>for all</b> ••••••' },
        { value: 'C2', label: `${'x'.repeat(199)}…` },
        { value: 'C3', label: 'C3' },
      ],
      nextCursor: null,
    });
    const types = 'public_channel,private_channel';
    expect(seen).toEqual([{ path: '/conversations.list', query: { limit: '100', exclude_archived: 'true', types } }]);
  });

  test('include what only some accounts may see, and the rest where the service refuses that', async () => {
    const credentialId = await connect(owner, 'slack');
    const lacks: ServiceReply = { body: { ok: false, error: 'missing_scope', needed: 'groups:read' } };
    answer = ({ query }) => ('types' in query ? lacks : page([channel(1)]));
    const { body } = await choose({ source: 'channels', credentialId });
    expect(body.data).toEqual([{ value: 'C1', label: 'channel-1' }]);
    expect(seen.map(({ query }) => query['types'])).toEqual(['public_channel,private_channel', undefined]);
    // Another refusal is said.
    answer = () => ({ body: { ok: false, error: 'account_inactive' } });
    const headers = { 'cache-control': 'no-cache' };
    expect(faults(await choose({ source: 'channels', credentialId }, { headers }))).toEqual([400, 'credentialId']);
  });

  test('come in pages of at most 100, also where the service’s pages are longer', async () => {
    const credentialId = await connect(owner, 'slack');
    answer = ({ query }) => (query['cursor'] === 'two' ? page(channels(150, 20)) : page(channels(0, 150), 'two'));
    const found: unknown[] = [];
    let cursor: string | null | undefined;
    const sizes: number[] = [];
    do {
      const { body }: { body: ListChoicesResponse } = await choose({ source: 'channels', credentialId, cursor });
      sizes.push(body.data.length);
      found.push(...body.data.map(({ value }) => value));
      cursor = body.nextCursor ?? undefined;
    } while (cursor);
    expect(sizes).toEqual([100, 50, 20]);
    expect(found).toEqual(channels(0, 170).map(({ id }) => id));
    for (const wrong of ['x', Buffer.from('[1,2]').toString('base64url'), Buffer.from('{}').toString('base64url')])
      expect(faults(await choose({ source: 'channels', credentialId, cursor: wrong }))).toEqual([400, 'cursor']);
  });

  test('10,000 come in pages of 100 without gaps, and a search finds the last one', async () => {
    const credentialId = await connect(owner, 'slack');
    answer = ({ query }) => {
      const at = Number(query['cursor'] ?? 0);
      return page(channels(at, 1000), at < 9000 ? String(at + 1000) : '');
    };
    const found: unknown[] = [];
    let cursor: string | null | undefined;
    do {
      const { body }: { body: ListChoicesResponse } = await choose({ source: 'channels', credentialId, cursor });
      expect(body.data.length).toBe(100);
      found.push(...body.data.map(({ value }) => value));
      cursor = body.nextCursor ?? undefined;
    } while (cursor);
    expect(found).toEqual(channels(0, 10_000).map(({ id }) => id));
    const searched = await choose({ source: 'channels', credentialId, search: 'channel-9999' });
    expect(searched.body).toEqual({ data: [{ value: 'C9999', label: 'channel-9999' }], nextCursor: null });
  });

  test('are searched over several pages where the service has no search', async () => {
    const credentialId = await connect(owner, 'slack');
    answer = ({ query }) => {
      const at = Number(query['cursor'] ?? 0);
      return page(channels(at, 100), String(at + 100));
    };
    const first = await choose({ source: 'channels', credentialId, search: 'CHANNEL-555' });
    expect(first.body.data.map(({ label }) => label)).toEqual(['channel-555']);
    seen = [];
    const none = await choose({ source: 'channels', credentialId, search: 'nothing like this' });
    expect([none.body.data, seen.length]).toEqual([[], 10]);
    expect(none.body.nextCursor).not.toBeNull();
  });

  test('depend on other parameters, which are encoded like those of an operation', async () => {
    const credentialId = await connect(owner, 'airtable');
    answer = () => ({ body: { tables: [{ id: 'tbl1', name: 'People' }] } });
    const ask = (values?: object) => choose({ source: 'tables', credentialId, values }, { id: 'airtable' });
    expect((await ask({ base: 'app 1/../x', other: 'ignored' })).body.data).toEqual([
      { value: 'tbl1', label: 'People' },
    ]);
    expect(seen.map(({ path }) => path)).toEqual(['/meta/bases/app%201%2F..%2Fx/tables']);
    expect(faults(await ask())).toEqual([400, 'values.base']);
    expect(faults(await ask({ base: ['a'] }))).toEqual([400, 'values.base']);
  });

  test('may be inside of an item, be columns with types and options, or come from several calls', async () => {
    const credentialId = await connect(owner, 'airtable');
    const status = {
      id: 'f2',
      name: 'Status',
      type: 'singleSelect',
      options: { choices: [{ id: 's1', name: 'New' }] },
    };
    const fields = [
      { id: 'f1', name: 'Name', type: 'singleLineText', description: 'In <b>full</b>' },
      status,
      { id: 'f3', name: 'Age', type: 'number' },
      { id: 'f4', name: 'Sum', type: 'formula' },
      { id: 'f5', name: 'Files', type: 'multipleAttachments' },
    ];
    const views = [{ id: 'viw1', name: 'All', type: 'grid' }];
    answer = () => ({
      body: {
        tables: [
          { id: 'tbl1', name: 'People', fields, views },
          { id: 'tbl2', name: 'Empty' },
        ],
      },
    });
    const ask = async (source: string, values: object) =>
      (await choose({ source, credentialId, values }, { id: 'airtable' })).body.data;
    for (const table of ['tbl1', 'People'])
      expect(await ask('columns', { base: 'app1', table })).toEqual([
        { value: 'Name', label: 'Name', hint: 'In <b>full</b>', type: 'text', isRequired: false },
        {
          value: 'Status',
          label: 'Status',
          type: 'options',
          isRequired: false,
          options: [{ value: 'New', label: 'New' }],
        },
        { value: 'Age', label: 'Age', type: 'number', isRequired: false },
        { value: 'Files', label: 'Files', type: 'json', isRequired: false },
      ]);
    expect(await ask('columns', { base: 'app1', table: 'tbl2' })).toEqual([]);
    expect(await ask('columns', { base: 'app1', table: 'gone' })).toEqual([]);
    expect(await ask('fields', { base: 'app1', table: 'tbl1' })).toHaveLength(5);
    expect(await ask('views', { base: 'app1', table: 'tbl1' })).toEqual([
      { value: 'viw1', label: 'All', hint: 'grid' },
    ]);
    expect(await ask('attachmentFields', { base: 'app/1' })).toEqual([{ value: 'f5', label: 'Files', hint: 'People' }]);
    expect(seen.at(-1)?.path).toBe('/meta/bases/app%2F1/tables');
  });

  test('that a page repeats are listed once', async () => {
    const credentialId = await connect(owner, 'slack');
    answer = () => page([channel(1), channel(2), channel(1)]);
    const { body } = await choose({ source: 'channels', credentialId });
    expect(body.data.map(({ value }) => value)).toEqual(['C1', 'C2']);
  });

  test('are kept for a minute, by everything that they depend on', async () => {
    const credentialId = await connect(owner, 'slack');
    const other = await connect(owner, 'slack');
    answer = () => page([channel(1)]);
    const ask = (body: object = {}, headers = {}) => choose({ source: 'channels', credentialId, ...body }, { headers });
    await ask();
    await ask();
    expect(seen).toHaveLength(1);
    await ask({ search: 'channel' });
    await ask({ credentialId: other });
    await ask({ source: 'users' });
    expect(seen).toHaveLength(4);
    answer = () => page([channel(2)]);
    expect((await ask()).body.data).toMatchObject([{ value: 'C1' }]);
    expect((await ask({}, { 'cache-control': 'no-cache' })).body.data).toMatchObject([{ value: 'C2' }]);
    expect((await ask()).body.data).toMatchObject([{ value: 'C2' }]);
    expect(seen).toHaveLength(5);
    const body = { config: { accessToken: `${TOKEN}-2` } };
    expect((await call('PUT', `/api/credentials/${credentialId}`, { token: owner.token, body })).status).toBe(200);
    await ask();
    expect(seen).toHaveLength(6);
    vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] });
    try {
      await ask();
    } finally {
      vi.useRealTimers();
    }
    expect(seen).toHaveLength(7);
  });

  test('a refusal of the service is one of the credential, with the service’s reason', async () => {
    const credentialId = await connect(owner, 'slack');
    answer = () => ({ body: { ok: false, error: `missing_scope ${TOKEN}` } });
    const refused = await choose({ source: 'channels', credentialId });
    expect(faults(refused)).toEqual([400, 'credentialId']);
    const { message } = refused.body.error.details[0] ?? {};
    expect(message).toContain('missing_scope');
    expect(message).not.toContain(TOKEN);
    answer = () => ({ status: 401, body: { error: 'no' } });
    expect(faults(await choose({ source: 'channels', credentialId }))).toEqual([400, 'credentialId']);
    // Refusals are not kept.
    answer = () => page([channel(1)]);
    expect((await choose({ source: 'channels', credentialId })).status).toBe(200);
  });

  test('a service without an answer is a fault of the source', async () => {
    const credentialId = await connect(owner, 'slack');
    getRuntime().env.connectors = { slack: { ...CLIENT, apiUrl: 'http://127.0.0.1:9', tokenUrl: `${url}/token` } };
    expect(faults(await choose({ source: 'channels', credentialId }))).toEqual([400, 'source']);
    getRuntime().env.connectors = { slack: { ...CLIENT, apiUrl: url, tokenUrl: `${url}/token` } };
    answer = () => undefined;
    const late = await choose({ source: 'channels', credentialId });
    expect(faults(late)).toEqual([400, 'source']);
    expect(late.body.error.details[0]?.message).toBe('gave no answer within 10 seconds');
  });
});

describe('permissions', () => {
  test('workspaces and credentials see what their own account lists, also within the minute', async () => {
    const accounts = [
      { as: owner, token: 'xoxb-first' },
      { as: owner, token: 'xoxb-second' },
      { as: stranger, token: 'xoxb-third' },
    ];
    answer = (_, token) => page([{ id: 'C1', name: token.replace('xoxb-', 'of-the-') }]);
    const credentials = await Promise.all(
      accounts.map(async ({ as, token }) => ({ as, credentialId: await connect(as, 'slack', token) })),
    );
    const listAll = async () => {
      const asked = { source: 'channels' };
      const pages = credentials.map(({ as, credentialId }) => choose({ ...asked, credentialId }, { as }));
      return (await Promise.all(pages)).map(({ body }) => body.data[0]?.label);
    };
    for (let times = 1; times <= 2; times += 1)
      expect(await listAll()).toEqual(['of-the-first', 'of-the-second', 'of-the-third']);
    expect(seen).toHaveLength(3);
  });

  test('the credential is one of the workspace and of the connector', async () => {
    const foreign = await connect(stranger, 'slack');
    const airtable = await connect(owner, 'airtable');
    for (const credentialId of [undefined, foreign, airtable, 'cred_none'])
      expect(faults(await choose({ source: 'channels', credentialId }))).toEqual([400, 'credentialId']);
    expect(seen).toEqual([]);
  });

  test('only sources of the record are asked', async () => {
    const credentialId = await connect(owner, 'slack');
    for (const source of ['emojis', 'channels.list', 'constructor', '__proto__'])
      expect(faults(await choose({ source, credentialId }))).toEqual([400, 'source']);
    expect((await choose({ source: 'channels', credentialId }, { id: 'nothing' })).status).toBe(404);
    expect(faults(await choose({ source: 'channels', credentialId }, { id: 'hubspot' }))).toEqual([400, 'source']);
    expect(seen).toEqual([]);
  });

  test('a kept answer needs the permissions, too: connector:use and credential:use', async () => {
    const credentialId = await connect(owner, 'slack');
    answer = () => page([channel(1)]);
    expect((await choose({ source: 'channels', credentialId })).status).toBe(200);
    const permit = (...resources: ('connector' | 'credential')[]) =>
      buildPermitted(
        owner.workspaceId,
        resources.map((resource) => ({ resource, action: 'use' })),
      );
    const status = async (as: TestUser) => (await choose({ source: 'channels', credentialId }, { as })).status;
    expect(await status(await permit('connector'))).toBe(403);
    expect(await status(await permit('credential'))).toBe(403);
    const allowed = await permit('connector', 'credential');
    expect(await status(allowed)).toBe(200);
    expect(seen).toHaveLength(1);
    // Their rights end within the minute.
    await prismaClient().roleAssignment.deleteMany({ where: { userId: allowed.id } });
    expect(await status(allowed)).toBe(403);
    expect(seen).toHaveLength(1);
  });
});
