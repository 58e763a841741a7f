import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { listenOn, textOf } from '@/server/testing/listen';
import { CLIENT } from '@/server/testing/client';
import { callConnector } from './call';
import { sendWithCredential } from '../credential-handle';
import { findBuiltInConnector } from '../index';
import type { OpenCredential } from '../open-credential';
import { createRedactor } from '@/server/evaluation/redaction/redactor';

useDatabase();

interface Seen {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  body: unknown;
}
type Reply = { status?: number; headers?: Record<string, string>; body?: unknown };

let seen: Seen[] = [];
let answer: (call: Seen) => Reply = () => ({});
let url = '';
let close: () => Promise<void>;

beforeEach(async () => {
  seen = [];
  answer = () => ({});
  const listening = await listenOn(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const text = await textOf(request);
    const call: Seen = {
      method: request.method ?? '',
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: request.headers,
      body: text ? (JSON.parse(text) as unknown) : undefined,
    };
    seen.push(call);
    const { status = 200, headers = {}, body = {} } = answer(call);
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  url = listening.url;
  close = listening.close;
});
afterEach(() => close());

const opened = (connectorId: string, config: object = {}): OpenCredential => ({
  id: 'cred_1',
  workspaceId: 'ws_1',
  name: 'Ours',
  type: 'oauth2',
  connectorId,
  connector: findBuiltInConnector(connectorId),
  status: 'active',
  config: { accessToken: 'a-token', ...config },
  secrets: ['a-token'],
  expiresAt: null,
  tokenGeneration: 0,
  version: 1,
});

function perform(
  connectorId: string,
  operation: string,
  parameters: Record<string, unknown> = {},
  config: object = {},
) {
  getRuntime().env.connectors = { [connectorId]: { ...CLIENT, apiUrl: `${url}/api`, tokenUrl: `${url}/token` } };
  const connector = findBuiltInConnector(connectorId);
  if (!connector) throw new Error(`no connector ${connectorId}`);
  return callConnector({
    connector,
    workspaceId: 'ws_1',
    operation,
    parameters,
    credential: { credential: opened(connectorId, config), isRenewable: false, renew: async () => undefined },
    signal: AbortSignal.timeout(10_000),
    secrets: createRedactor(['a-token']),
    idempotencyKey: 'exec_1:node',
    log: () => undefined,
  });
}

describe('an operation', () => {
  it('puts its parameters where the provider expects them', async () => {
    answer = () => ({ body: { product: { id: 1 } } });
    const result = await perform('shopify', 'products.update', { productId: '7', title: 'Tea', status: 'draft' });
    expect(result).toMatchObject({ status: 200, body: { product: { id: 1 } } });
    expect(seen).toMatchObject([
      { method: 'PUT', path: '/api/products/7.json', body: { product: { title: 'Tea', status: 'draft' } } },
    ]);
    expect(seen[0]?.headers).toMatchObject({
      authorization: 'Bearer a-token',
      'x-shopify-access-token': 'a-token',
      'idempotency-key': 'exec_1:node',
    });
  });

  it('translates names and lists in the query', async () => {
    await perform('hubspot', 'contacts.list', { properties: ['email', 'city'], limit: 5 });
    await perform('servicenow', 'incidents.list', { query: 'active=true^priority=1' });
    expect(seen.map(({ query }) => query)).toEqual([
      { properties: 'email,city', limit: '5' },
      { sysparm_query: 'active=true^priority=1' },
    ]);
  });

  it.each([
    ['../../admin', '/api/crm/v3/objects/contacts/..%2F..%2Fadmin'],
    ['a?b=c#d', '/api/crm/v3/objects/contacts/a%3Fb%3Dc%23d'],
  ])('keeps %j in its place in the path', async (contactId, path) => {
    await perform('hubspot', 'contacts.get', { contactId });
    expect(seen.map((call) => call.path)).toEqual([path]);
  });

  it.each(['.', '..'])('cannot leave its path with %j', async (contactId) => {
    await expect(perform('hubspot', 'contacts.get', { contactId })).rejects.toMatchObject({ code: 'CONFIG' });
    expect(seen).toEqual([]);
  });

  it('takes the path without an optional parameter that is left out', async () => {
    await perform('microsoft_graph', 'worksheets.list', { workbookId: 'w' });
    await perform('microsoft_graph', 'worksheets.list', { workbookId: 'w', driveId: 'd' });
    expect(seen.map(({ path }) => path)).toEqual([
      '/api/me/drive/items/w/workbook/worksheets',
      '/api/drives/d/items/w/workbook/worksheets',
    ]);
  });

  it('doubles quotes inside OData texts', async () => {
    await perform('microsoft_graph', 'files.search', { text: "it's') or ('" });
    expect(decodeURIComponent(seen[0]?.path ?? '')).toBe("/api/me/drive/root/search(q='it''s'') or (''')");
  });

  it.each([
    ['hubspot', 'contacts.get', {}, 'parameters.contactId'],
    ['hubspot', 'contacts.list', { limit: 'many' }, 'parameters.limit'],
    ['hubspot', 'contacts.list', { surprise: 1 }, 'surprise'],
    ['hubspot', 'contacts.destroy', {}, 'no operation'],
  ])('is refused with wrong parameters: %s %s %j', async (connectorId, operation, parameters, said) => {
    await expect(perform(connectorId, operation, parameters)).rejects.toMatchObject({
      code: 'CONFIG',
      retriable: false,
      message: expect.stringContaining(said),
    });
  });

  it('fetches a CSRF token where changing calls need one', async () => {
    answer = ({ method }) =>
      method === 'HEAD' ? { headers: { 'X-CSRF-Token': 'tok', 'Set-Cookie': 'sap=1; path=/' } } : {};
    await perform('sap', 'business_partners.create', { values: { Name: 'x' } });
    expect(seen.map(({ method }) => method)).toEqual(['HEAD', 'POST']);
    expect(seen[1]?.headers).toMatchObject({ 'x-csrf-token': 'tok', cookie: 'sap=1' });
  });
});

describe('all pages are fetched', () => {
  it('by a token', async () => {
    answer = ({ query }) =>
      query['after'] ? { body: { results: [3] } } : { body: { results: [1, 2], paging: { next: { after: 'x' } } } };
    expect((await perform('hubspot', 'contacts.list', { allPages: true })).body).toEqual([1, 2, 3]);
  });

  it('by a Link header', async () => {
    answer = ({ query }) =>
      query['page_info']
        ? { body: { orders: [2] } }
        : { body: { orders: [1] }, headers: { Link: `<${url}/api/orders.json?page_info=p2>; rel="next"` } };
    expect((await perform('shopify', 'orders.list', { allPages: true })).body).toEqual([1, 2]);
  });

  it('by an address in the answer, relative ones too', async () => {
    answer = ({ path }) =>
      path.endsWith('/next')
        ? { body: { records: [2] } }
        : { body: { records: [1], nextRecordsUrl: '/api/query/next' } };
    expect(
      (await perform('salesforce', 'records.query', { soql: 'SELECT Id FROM Account', allPages: true })).body,
    ).toEqual([1, 2]);
  });

  it('by an offset', async () => {
    answer = ({ query }) => ({ body: { envelopes: query['start_position'] ? ['c'] : ['a', 'b'] } });
    const parameters = { from: '2026-01-01', limit: 2, allPages: true };
    expect((await perform('docusign', 'envelopes.list', parameters)).body).toEqual(['a', 'b', 'c']);
  });

  it('never from another address', async () => {
    answer = () => ({ body: { records: [1], nextRecordsUrl: 'https://evil.example/steal' } });
    const call = perform('salesforce', 'records.query', { soql: 'SELECT Id FROM Account', allPages: true });
    await expect(call).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
  });
});

describe('any other call', () => {
  it('stays within the API', async () => {
    await perform('hubspot', 'request', { method: 'POST', path: '/x/y?z=1', query: { a: 'b' }, body: { c: 1 } });
    expect(seen).toMatchObject([{ method: 'POST', path: '/api/x/y', query: { z: '1', a: 'b' }, body: { c: 1 } }]);
  });

  it.each([
    'https://evil.example/',
    '/../token',
    '/%2e%2e/token',
    '/\\evil.example',
    '@evil.example',
    'x',
    '/a b',
    '/a#b',
  ])('is refused for the path %j', async (path) => {
    await expect(perform('hubspot', 'request', { path })).rejects.toMatchObject({ code: 'CONFIG' });
    expect(seen).toEqual([]);
  });

  it('cannot replace the credential’s token', async () => {
    await perform('hubspot', 'request', {
      path: '/x',
      headers: { authorization: 'Bearer mine', Authorization: 'Bearer mine' },
    });
    expect(seen[0]?.headers.authorization).toBe('Bearer a-token');
  });

  it('cannot name another host, to which a server could pass the token on', async () => {
    await perform('hubspot', 'request', { path: '/x', headers: { Host: 'evil.example', 'X-Own': '1' } });
    expect(seen[0]?.headers).toMatchObject({ host: new URL(url).host, 'x-own': '1' });
  });
});

it('sends a renewed token in every header that takes one', async () => {
  const credential = opened('shopify');
  const held = {
    credential,
    isRenewable: true,
    renew: async () => {
      credential.config['accessToken'] = 'another';
    },
  };
  getRuntime().env.connectors = { shopify: { ...CLIENT, apiUrl: `${url}/api`, tokenUrl: `${url}/token` } };
  answer = ({ headers }) => ({ status: headers['x-shopify-access-token'] === 'another' ? 200 : 401 });
  const answered = await sendWithCredential(held, { url: `${url}/api/shop.json` });
  expect(answered.status).toBe(200);
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer a-token', 'Bearer another']);
});

describe('an error of the provider', () => {
  it.each([
    [
      'hubspot',
      404,
      { message: 'resource not found' },
      'HubSpot answered 404: resource not found',
      'HTTP_STATUS',
      false,
    ],
    [
      'microsoft_graph',
      400,
      { error: { message: 'Bad filter' } },
      'Microsoft Graph answered 400: Bad filter',
      'HTTP_STATUS',
      false,
    ],
    [
      'salesforce',
      400,
      [{ message: 'MALFORMED_QUERY' }],
      'Salesforce answered 400: MALFORMED_QUERY',
      'HTTP_STATUS',
      false,
    ],
    [
      'sap',
      500,
      { error: { message: { value: 'Short dump' } } },
      'SAP S/4HANA answered 500: Short dump',
      'HTTP_STATUS',
      true,
    ],
    ['trello', 503, '<html>busy</html>', 'Trello answered 503', 'HTTP_STATUS', true],
  ])('is quoted: %s %i', async (connectorId, status, body, message, code, retriable) => {
    answer = () => ({ status, body });
    await expect(perform(connectorId, 'request', { path: '/x' })).rejects.toMatchObject({ code, message, retriable });
  });

  it('about the credential asks to connect it again', async () => {
    answer = () => ({ status: 401, body: { error: 'invalid_token' } });
    await expect(perform('hubspot', 'request', { path: '/x' })).rejects.toMatchObject({
      code: 'CREDENTIAL_REFUSED',
      retriable: false,
    });
  });

  it('that is temporary is retried after the requested wait', async () => {
    answer = () => (seen.length === 1 ? { status: 429, headers: { 'Retry-After': '1' } } : { body: { fine: true } });
    expect((await perform('hubspot', 'request', { path: '/x' })).body).toEqual({ fine: true });
  });

  it('with a long wait is left to the node’s retries', async () => {
    answer = () => ({ status: 429, headers: { 'Retry-After': '120' } });
    await expect(perform('hubspot', 'request', { path: '/x' })).rejects.toMatchObject({
      retriable: true,
      retryAfterMs: 120_000,
    });
  });
});

it('does not guess an account’s address', async () => {
  getRuntime().env.connectors = {};
  const connector = findBuiltInConnector('salesforce');
  if (!connector) throw new Error('no connector');
  const credential = { credential: opened('salesforce'), isRenewable: false, renew: async () => undefined };
  const call = callConnector({
    connector,
    workspaceId: 'ws_1',
    operation: 'request',
    parameters: { path: '/x' },
    credential,
    signal: AbortSignal.timeout(10_000),
    secrets: createRedactor([]),
    idempotencyKey: 'x',
    log: () => undefined,
  });
  await expect(call).rejects.toMatchObject({ code: 'CREDENTIAL_INCOMPLETE' });
});
