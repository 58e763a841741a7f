import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { serializeJson } from '@/server/evaluation/expressions/large-json';
import type { WorkspaceFileAccess } from '@/server/network/outbound/files';
import { createRedactor } from '@/server/evaluation/redaction/redactor';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { CLIENT } from '@/server/testing/client';
import { listenOn } from '@/server/testing/listen';
import { describeOperations, REQUEST_OPERATION_ID, type DescribedOperation } from '../catalogue';
import type { ConnectorDefinition } from '../connector';
import { builtInConnectors } from '../index';
import type { OpenCredential } from '../open-credential';
import type { DataOperation } from '../operation';
import { SAMPLE_FILE, sampleParameters, sampleToken } from '../testing/samples';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { callConnector } from './call';

// Calls every operation of every connector with a value for each parameter. What arrives is compared with stored
// requests, which are read when they change: `npx vitest run server/connectors/calls/every-operation --update`.

useDatabase();

interface Arrived {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

interface Answer {
  status?: number;
  body: unknown;
  /** The address of the next page, for the Link header. */
  next?: string;
}

let arrived: Arrived[] = [];
let answer: (call: Arrived) => Answer;
let url: string;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ url, close } = await listenOn(async (request, response) => {
    const call = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: await text(request),
    };
    arrived.push(call);
    const { status = 200, body, next } = request.method === 'HEAD' ? { body: {}, next: undefined } : answer(call);
    const link = next === undefined ? {} : { Link: `<${next}>; rel="next"` };
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'X-CSRF-Token': 'csrf',
      Location: `${url}/session`,
      ...link,
    });
    response.end(JSON.stringify(body));
  }));
});
afterAll(() => close());
beforeEach(() => {
  arrived = [];
});

const files: WorkspaceFileAccess = {
  find: async () => ({ ...SAMPLE_FILE, open: async () => Readable.from([Buffer.from('bytes')]) }),
  async store(content, { name = 'file', contentType = '' }) {
    const stored = await text(content);
    return { ...SAMPLE_FILE, $file: 'file_2', name, contentType, size: stored.length };
  },
};

const TOKEN = { accessToken: 'canary-access-token' };
const isSecret = (value: string) => value.includes('canary');
const hasSecret = (...values: unknown[]) => values.some((value) => isSecret(serializeJson(value) ?? ''));

async function failureOf(call: Promise<unknown>): Promise<NodeFailure> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof NodeFailure) return failure;
  throw new Error(`It does not fail with a NodeFailure: ${String(failure)}`);
}

/** Our name of a parameter of the provider. */
const nameOf = ({ names = {} }: DataOperation, theirs: string) =>
  Object.keys(names).find((name) => names[name] === theirs) ?? theirs;

/** A credential of a connector, with a static token if it takes one. */
function credentialOf(connector: ConnectorDefinition): OpenCredential {
  const isToken = connector.token !== undefined;
  const slots = Object.fromEntries((connector.parameters ?? []).map(({ name }) => [name, `${name}.example`]));
  const config = { ...slots, accountId: 'account', ...(isToken ? sampleToken(connector) : TOKEN) };
  return {
    id: 'cred_1',
    workspaceId: 'ws_1',
    name: 'Ours',
    type: isToken ? 'token' : 'oauth2',
    connectorId: connector.id,
    connector,
    status: 'active',
    config,
    secrets: Object.values(config).filter(isSecret),
    expiresAt: null,
    tokenGeneration: 0,
    version: 1,
  };
}

/** What is logged. */
let logged: string[] = [];

function perform(connector: ConnectorDefinition, operation: string, parameters: Record<string, unknown>) {
  const credential = credentialOf(connector);
  // The path of the API's address stays: tokens may be a part of it.
  const apiPath = (connector.apiUrl ?? '').replace(/^(https:\/\/[^/]+|\{instance_url\})/, '');
  getRuntime().env.connectors = { [connector.id]: { ...CLIENT, apiUrl: `${url}${apiPath}`, tokenUrl: `${url}/token` } };
  arrived = [];
  logged = [];
  return callConnector({
    connector,
    workspaceId: 'ws_1',
    operation,
    parameters,
    credential: { credential, isRenewable: false, renew: async () => undefined },
    files,
    signal: AbortSignal.timeout(10_000),
    secrets: createRedactor(credential.secrets),
    idempotencyKey: 'exec_1:node',
    log: (_, message) => logged.push(message),
  });
}

const sheets = () => ({
  sheets: [{ properties: { sheetId: 7, title: 'sheet 1/ü', gridProperties: { rowCount: 9 } } }],
});

const mailWithSender = { threadId: 't1', payload: { headers: [{ name: 'From', value: 'Ada <ada@example.com>' }] } };
const worksheet = () => ({ rowIndex: 0, columnIndex: 0, values: [['field'], [1]] });
const table = () => ({ value: [{ name: 'field' }], values: [[1]] });

const apifyRun = () => ({ data: { id: 'run-1', status: 'SUCCEEDED', defaultDatasetId: 'dataset-1' } });

/** Answers that later requests of an operation depend on, in place of its example. */
const ANSWERS: Record<string, () => unknown> = {
  'apify actors.run': apifyRun,
  'apify actors.run_for_items': apifyRun,
  'apify tasks.run': apifyRun,
  'apify tasks.run_for_items': apifyRun,
  'slack files.upload': () => ({ ok: true, upload_url: `${url}/upload`, file_id: 'F1' }),
  'slack messages.list_mentions': () => ({ ok: true, user_id: 'U1', messages: [] }),
  'telegram files.get': () => ({ ok: true, result: { file_path: 'photos/1.jpg' } }),
  'github branches.create': () => ({ sha: '3d21ec53' }),
  'github files.edit': () => ({ sha: '3d21ec53' }),
  'github files.upload': () => ({ sha: '3d21ec53' }),
  'github files.delete': () => ({ sha: '3d21ec53' }),
  'notion databases.find': () => ({ properties: { 'property 1/ü': { type: 'rich_text' } } }),
  'notion pages.create': () => ({ properties: { field: { type: 'number' } } }),
  'notion pages.update': () => ({ properties: { field: { type: 'number' } } }),
  'whatsapp media.get': () => ({ url: `${url}/media` }),
  'jira issues.transition': () => ({ transitions: [{ id: '31', name: 'Go', to: { name: 'status 1/ü' } }] }),
  'google sheets.update_row': () => ({ values: [['field'], [1]] }),
  'google sheets.upsert_row': () => ({ values: [['field'], [1]] }),
  'google sheets.upsert_rows': () => ({ values: [['field'], [2]] }),
  'google sheets.clear': sheets,
  'google sheets.delete_rows': sheets,
  'google sheets.delete_sheet': sheets,
  'google sheets.delete_columns': () => ({ ...sheets(), values: [['Name', 'Email']] }),
  'google docs.create': () => ({ documentId: 'document-1' }),
  'google gmail.search': () => ({ labels: [{ id: 'Label_1', name: 'labels 1/ü' }] }),
  'google gmail.add_labels': () => ({ labels: [{ id: 'Label_1', name: 'labels 1/ü' }] }),
  'google gmail.remove_labels': () => ({ labels: [{ id: 'Label_1', name: 'labels 1/ü' }] }),
  'google gmail.add_thread_labels': () => ({ labels: [{ id: 'Label_1', name: 'labels 1/ü' }] }),
  'google gmail.remove_thread_labels': () => ({ labels: [{ id: 'Label_1', name: 'labels 1/ü' }] }),
  'google gmail.reply_to_thread': () => ({ messages: [mailWithSender] }),
  'google gmail.get_attachment': () => ({ data: 'Ynl0ZXM' }),
  'microsoft_graph worksheets.append_row': worksheet,
  'microsoft_graph worksheets.append_rows': worksheet,
  'microsoft_graph worksheets.update_row': worksheet,
  'microsoft_graph worksheets.upsert_row': worksheet,
  'microsoft_graph worksheets.upsert_rows': () => ({ values: [['field'], [2]] }),
  'microsoft_graph tables.find_row': table,
  'microsoft_graph tables.append_row': table,
  'microsoft_graph tables.append_rows': table,
  'microsoft_graph tables.upsert_row': table,
  'microsoft_graph chats.create': () => ({ id: 'user-1' }),
  'microsoft_graph files.copy': () => ({ id: 'drive-1' }),
  'microsoft_graph documents.copy': () => ({ id: 'drive-1' }),
};
const PARAMETERS: Record<string, () => Record<string, unknown>> = {
  'airtable records.update_many': () => ({ rows: [{ id: 'rec1', fields: { Name: 'Ada' } }] }),
  'slack files.download': () => ({ url: `${url}/files/1` }),
  'google sheets.delete_columns': () => ({ from: 'Email' }),
  'zendesk tickets.create': () => ({ fields: { 34: 'plan_free' } }),
  // The other fields count without it.
  'microsoft_graph messages.send': () => ({ message: null }),
};

function parametersFor(
  connector: ConnectorDefinition,
  { id, parameters }: DescribedOperation,
): Record<string, unknown> {
  const { allPages: _, ...values } = sampleParameters(connector.id, parameters);
  return { ...values, ...PARAMETERS[`${connector.id} ${id}`]?.() };
}

/** Headers that every request has. */
const USUAL = [
  'host',
  'connection',
  'user-agent',
  'accept-encoding',
  'content-length',
  'accept',
  'idempotency-key',
  'transfer-encoding',
];

const shown = ({ method, path: address, headers, body }: Arrived): string =>
  [
    `  ${method} ${address}`,
    ...Object.entries(headers)
      .filter(([name, value]) => !USUAL.includes(name) && !(name === 'content-type' && value === 'application/json'))
      .map(([name, value]) => `    ${name}: ${String(value)}`),
    ...(body === '' ? [] : body.trimEnd().split(/\r?\n/)).map((line) => `    ${line}`.trimEnd()),
  ]
    .join('\n')
    // What is random, or the time.
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'uuid')
    .replaceAll(/(?<= Date: ).+/g, 'now')
    .replaceAll(/-{2,}[\w-]{16,}|(?<=boundary=)"?[\w-]{16,}"?/g, '--boundary')
    .replaceAll(url, 'http://api');

/** A value with another one at a dotted path, as `at` reads it. */
function put(path: string, value: unknown): unknown {
  if (path === '') return value;
  if (path.startsWith('@')) return { [path]: value };
  const [first = '', ...rest] = path.split('.');
  return { [first]: put(rest.join('.'), value) };
}

/** Two pages of a paged operation; the first one is full. */
function pagesOf({ paging, items = '' }: DataOperation): Answer[] {
  const page = (ids: number[], next: unknown = {}): unknown => {
    const list = put(
      items,
      ids.map((id) => ({ id })),
    );
    return Array.isArray(list) ? list : merged(list, next);
  };
  switch (paging?.kind) {
    case 'link':
      return [{ body: page([1]), next: `${url}/next` }, { body: page([2]) }];
    case 'address':
      return [{ body: page([1], put(paging.at, `${url}/next`)) }, { body: page([2]) }];
    case 'token':
      return [{ body: page([1], put(paging.at, 'next-1')) }, { body: page([2]) }];
    case 'last':
      return [{ body: page([1], put(paging.more, true)) }, { body: page([2], put(paging.more, false)) }];
    case 'offset':
    case 'page': {
      const ids = Array.from({ length: paging.defaultSize }, (_, index) => index + 1);
      return [{ body: page(ids) }, { body: page([]) }];
    }
    default:
      return [];
  }
}

/** Objects with the fields of both, at every level. */
function merged(one: unknown, other: unknown): unknown {
  if (typeof one !== 'object' || one === null || Array.isArray(one)) return one ?? other;
  const second = (other ?? {}) as Record<string, unknown>;
  const entries = Object.entries(one).map(([name, value]) => [name, merged(value, second[name])]);
  return { ...second, ...(Object.fromEntries(entries) as object) };
}

describe.each(builtInConnectors.map((connector) => [connector.id, connector] as const))('%s', (id, connector) => {
  const described = describeOperations(connector).filter((operation) => operation.id !== REQUEST_OPERATION_ID);

  it('sends each parameter in its place, and returns and logs no secret', async () => {
    const texts: string[] = [];
    for (const operation of described) {
      const given = ANSWERS[`${id} ${operation.id}`]?.() ?? operation.example ?? {};
      answer = () => ({ body: given });
      const result = await perform(connector, operation.id, parametersFor(connector, operation));
      texts.push([operation.id, ...arrived.map(shown)].join('\n'));
      expect(arrived.length, operation.id).toBeGreaterThan(0);
      expect(result.status, operation.id).toBe(200);
      expect(hasSecret(result, logged), operation.id).toBe(false);
    }
    const stored = path.join(import.meta.dirname, '../testing/requests', `${id}.txt`);
    await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot(stored);
  });

  it('fails with the words of the API, without the secret that it repeats', async () => {
    for (const operation of described) {
      answer = (call) => ({ status: 422, body: { message: `Invalid. ${JSON.stringify(call)}` } });
      const failure = await failureOf(perform(connector, operation.id, parametersFor(connector, operation)));
      expect(failure, operation.id).toMatchObject({ code: 'HTTP_STATUS', retriable: false });
      expect(failure.message, operation.id).toContain(`${connector.name} answered 422: Invalid.`);
      expect(hasSecret({ ...failure, message: failure.message }, logged), operation.id).toBe(false);
    }
    const [first] = described;
    if (!first) return;
    answer = () => ({ status: 401, body: {} });
    const refused = await failureOf(perform(connector, first.id, parametersFor(connector, first)));
    expect(refused.code).toBe('CREDENTIAL_REFUSED');
  });

  it('fails with the reason of a refusal that has a status of success', async () => {
    const { refusal } = connector;
    if (!refusal) return;
    const refused =
      refusal.kind === 'flag'
        ? merged(put(refusal.at, false), put(refusal.reason, 'not_allowed'))
        : put(refusal.at, [{ message: 'not_allowed' }]);
    answer = () => ({ body: refused });
    for (const operation of described) {
      const call = perform(connector, operation.id, parametersFor(connector, operation));
      const failure = await call.then(
        () => undefined,
        (error: unknown) => error,
      );
      // The content of a file is not searched for a refusal.
      if (arrived[0]?.headers['accept'] === '*/*') continue;
      expect(failure, operation.id).toMatchObject({ code: 'API_REFUSED' });
      expect((failure as NodeFailure).message, operation.id).toContain(`${connector.name} refused: not_allowed`);
    }
  });

  it('fetches all pages of each paged operation', async () => {
    for (const operation of connector.operations) {
      if (operation.steps || !operation.paging || operation.items === undefined) continue;
      const [first, second] = pagesOf(operation);
      answer = () => (arrived.length === 1 ? first : second) ?? { body: {} };
      const facts = described.find((one) => one.id === operation.id);
      if (!facts) throw new Error('no operation');
      const size = 'size' in operation.paging ? nameOf(operation, operation.paging.size) : '';
      const parameters = { ...parametersFor(connector, facts), [size]: null, allPages: true };
      const { body } = await perform(connector, operation.id, parameters);
      expect(arrived.length, operation.id).toBe(2);
      expect(arrived[1]?.path === arrived[0]?.path && arrived[1]?.body === arrived[0]?.body, operation.id).toBe(false);
      const pages = [first, second].flatMap((page) => getAtPath(page?.body, operation.items ?? ''));
      expect(body, operation.id).toEqual(pages);
      expect(pages.length, operation.id).toBeGreaterThan(1);
    }
  });
});
