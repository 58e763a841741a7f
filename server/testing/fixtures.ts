import { expect } from 'vitest';
import type { RecordedDelivery } from '@/contract/triggers/webhook';
import { buildOpenApiDocument, type ServiceOpenApiDocument } from '@/server/api/http/openapi/openapi';
import type { OperationRecord } from '@/server/api/operation/operation';
import { operationTable } from '@/server/api/operations';
import { buildWorkflow, call, unique, type TestUser } from './factories';
import { deliver, register } from './hooks';

type Described = { requestBody?: { content: Record<string, { example?: unknown }> } };

/** Made once: it takes a tenth of a second. */
let description: ServiceOpenApiDocument | undefined;

/** A body that the operation takes, as its description shows it. */
export function exampleBody({ path, method }: OperationRecord): unknown {
  description ??= buildOpenApiDocument();
  return (description.paths[path.replace('...', '')]![method.toLowerCase()] as Described).requestBody?.content[
    'application/json'
  ]?.example;
}

/** Ids in the person's workspace, one of everything, by the word that an address begins with. */
export async function createFixtures(user: TestUser): Promise<Record<string, Record<string, string>>> {
  const { token, workspaceId, id: userId, sessionId } = user;
  const workflow = await buildWorkflow({ workspaceId });
  const hook = (await register(user, workflow, 'in')).body;
  const { executionId } = (await deliver(hook, '{}')).body;
  const at = `/api/workflows/${workflow}`;
  const [delivery] = (
    await call<{ data: RecordedDelivery[] }>('GET', `${at}/webhooks/${hook.id}/deliveries`, { token })
  ).body.data;
  const made = async (path: string, address = path) => {
    const operation = (operationTable as OperationRecord[]).find((one) => one.path === path && one.method === 'POST')!;
    const answer = await call<{ id: string }>('POST', address, { token, body: exampleBody(operation) });
    expect(answer.status, path + JSON.stringify(answer.body)).toBe(201);
    return answer.body.id;
  };
  const start = { id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} };
  const draft = { name: 'Draft', definition: { nodes: [start, start], connections: [] } };
  expect((await call('PUT', `${at}/draft/invalid`, { token, body: draft })).status).toBe(200);
  expect((await call('PUT', `${at}/pins/start`, { token, body: { output: 1 } })).status).toBe(200);
  const origin = { source: 'n8n', url: null, sourceId: null, wasActive: false, nodes: [], report: [] };
  expect((await call('PUT', `${at}/import`, { token, body: origin })).status).toBe(200);
  const schedule = await made('/api/workflows/{id}/schedules', `${at}/schedules`);
  const poll = await made('/api/workflows/{id}/polls', `${at}/polls`);
  const testId = await made('/api/workflows/{id}/tests', `${at}/tests`);
  const form = await made('/api/workflows/{id}/forms', `${at}/forms`);
  const chat = await made('/api/workflows/{id}/chats', `${at}/chats`);
  const provider = await made('/api/sso-providers');
  const domain = `${unique('company')}.example`;
  const listed = await call('PUT', `/api/sso-providers/${provider}`, { token, body: { domains: [domain] } });
  expect(listed.status).toBe(200);
  const file = await call<{ $file: string }>('POST', '/api/files', {
    token,
    raw: 'text',
    headers: { 'content-type': 'text/plain' },
  });
  expect(file.status).toBe(201);
  const variable = `V${unique('').replaceAll(/\W/g, '_').toUpperCase()}`;
  const set = await call('POST', '/api/variables', { token, body: { name: variable, value: 1 } });
  expect(set.status).toBe(201);
  const savedFilter = 'Mine';
  const saved = await call('PUT', `/api/saved-filters/workflows/${savedFilter}`, {
    token,
    body: { address: 'tag=eu' },
  });
  expect(saved.status).toBe(200);
  const table = await made('/api/tables');
  const inserted = await call<{ data: { id: string }[] }>('POST', `/api/tables/${table}/rows`, {
    token,
    body: { rows: [{ email: 'ada@example.com' }] },
  });
  expect(inserted.status).toBe(201);
  return {
    tables: { id: table, rowId: inserted.body.data[0]!.id },
    workflows: {
      id: workflow,
      webhookId: hook.id,
      deliveryId: delivery!.id,
      scheduleId: schedule,
      pollId: poll,
      formId: form,
      chatId: chat,
      version: '1',
      userId,
      testId,
      nodeId: 'start',
      executionId,
    },
    'chat-answers': { workflowId: workflow, path: 'assistant' },
    files: { id: file.body.$file },
    executions: { id: executionId, nodeId: 'start' },
    alerts: { id: await made('/api/alerts') },
    variables: { name: variable },
    'saved-filters': { list: 'workflows', name: savedFilter },
    folders: { id: await made('/api/folders') },
    credentials: { id: await made('/api/credentials') },
    connectors: { id: await made('/api/connectors') },
    roles: { id: await made('/api/roles') },
    'api-keys': { id: await made('/auth/api_keys') },
    'sso-providers': { id: provider, domain },
    workspaces: { id: workspaceId, userId, sessionId },
    sessions: { id: sessionId },
    'node-types': { type: 'table' },
  };
}

/** An operation's address with these ids in it. */
export const filled = ({ path }: OperationRecord, ids: Record<string, Record<string, string>>): string =>
  path.replace(
    /\{(\w+)(?:\.{3})?\}/g,
    (_, name: string) => ids[path.split('/')[2] ?? '']?.[name] ?? expect.unreachable(`${path} has no ${name} here`),
  );
