import type { TableResponse } from '@/contract/tables/table';
import { buildWorkflow, call, unique, type Refused } from '../factories';
import { flow, type Sketch } from '../flow';
import { deliver, register } from '../hooks';
import { startRun } from '../runs';
import { field, inputOf, refusal } from './callers';
import { Refusal } from './kinds';
import { buildWorldCredentials, type World } from './world';

/**
 * JSON that programs read in different ways: a name that stands twice, minus zero, what is no number, and numbers of
 * any size.
 */
export const ODD = '{"a":1,"a":2,"zero":-0,"nan":"NaN","huge":1e400,"tiny":1e-400,"long":9007199254740993}';

/** What each place that reads JSON from outside makes of it. */
export async function readOddJson(world: World): Promise<Record<string, unknown>> {
  const { user, echoUrl, redis } = world;
  const { workspaceId, token } = user;
  const ids = await buildWorldCredentials(world);
  const workflowId = await buildWorkflow({ workspaceId, status: 'active' });
  const { body: hook } = await register(user, workflowId, 'odd');
  const sent = await deliver(hook, ODD, { 'content-type': 'application/json' });
  const path = `/api/workflows/${workflowId}/execute`;
  const executed = await call<{ executionId: string } & Refused>('POST', path, { token, raw: `{"input":${ODD}}` });
  await redis.client.set('odd', ODD);
  const columns = [{ name: 'doc', type: 'json' }];
  const { body: table } = await call<TableResponse>('POST', '/api/tables', {
    token,
    body: { name: unique('odd'), columns },
  });
  await call('POST', `/api/tables/${table.id}/rows/import`, {
    token,
    raw: `doc\n"${ODD.replaceAll('"', '""')}"\n`,
    headers: { 'content-type': 'text/csv' },
  });
  const sql = (credentialId: string, statement: string): Sketch => ({
    type: 'sql',
    credentialId,
    config: { statement, parameters: { v: '{{ execution.input.odd }}' }, mode: 'one' },
  });
  const request = { method: 'POST', bodyType: 'text', headers: { 'content-type': 'application/json' } };
  const nodes: Record<string, Sketch> = {
    http_request: { type: 'http_request', config: { url: echoUrl, ...request, body: '{{ execution.input.odd }}' } },
    redis: { type: 'redis', credentialId: ids.redis, config: { operation: 'get', key: 'odd', readAs: 'json' } },
    'sql: json': sql(ids.postgres, 'SELECT :v::text::json AS v'),
    'sql: jsonb': sql(ids.postgres, 'SELECT :v::text::jsonb AS v'),
    'convert: text': { type: 'convert', config: { value: '{{ execution.input.odd }}', from: 'text', to: 'json' } },
    'convert: ndjson': { type: 'convert', config: { value: '{{ execution.input.odd }}', from: 'ndjson', to: 'json' } },
    $parseJson: { type: 'transform', config: { expression: '$parseJson(execution.input.odd)' } },
    'code: JavaScript': { type: 'code', config: { source: 'return JSON.parse(execution.input.odd)' } },
    'table: import': { type: 'table', config: { tableId: table.id, operation: 'find' } },
  };
  const names = Object.keys(nodes);
  const definition = flow(
    { in: { type: 'start' }, ...Object.fromEntries(names.map((name, at) => [`n${at}`, nodes[name]!])) },
    names.map((_, at) => `in>n${at}`),
  );
  const odd = await buildWorkflow({ workspaceId, definition });
  const execution = await (await startRun({ workspaceId, workflowId: odd }, { odd: ODD })).finish();
  const results = new Map(execution.nodeResults.map(({ nodeId, output, error }) => [nodeId, error ?? output]));
  const read = names.map((name, at) => {
    const output = results.get(`n${at}`);
    const value = field(output, 'body') ?? field(output, 'v') ?? field(output, 0, 'doc') ?? field(output, 0) ?? output;
    return [name, value];
  });
  return {
    webhook: sent.status === 202 ? await inputOf(user, sent.body.executionId) : refusal(sent.body),
    execute: executed.status === 202 ? await inputOf(user, executed.body.executionId) : refusal(executed.body),
    ...(Object.fromEntries(read) as Record<string, unknown>),
  };
}

/** What is expected of all of them. */
export const ODD_VALUE = { a: 2, zero: 0, nan: 'NaN', huge: '1e400', tiny: 0, long: '9007199254740993' };

const TOO_LARGE = new Refusal('VALIDATION_ERROR', 'The body contains a number that is too large.');

/** Places that differ. */
export const ODD_EXCEPTIONS: Record<string, unknown> = {
  webhook: TOO_LARGE,
  execute: TOO_LARGE,
  // PostgreSQL writes out all digits.
  'sql: jsonb': { ...ODD_VALUE, huge: `1${'0'.repeat(400)}` },
  // JavaScript reads Infinity, which is null in an output.
  'code: JavaScript': { ...ODD_VALUE, huge: null },
};
