import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { ExecutionLogs } from '@/contract/execution-log';
import type { WorkflowResponse } from '@/contract/workflows/workflow';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { useWorker } from '@/server/testing/worker';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { register, send } from '@/server/testing/hooks';
import { until } from '@/server/testing/runs';

useDatabase();
useWorker();

const responding = (config: object) =>
  flow({ s: { type: 'start' }, r: { type: 'respond', config: config as Record<string, unknown> } }, ['s>r']);

/** A stored workflow, as an earlier release may have saved it, whose webhook answers what its node says. */
async function stored(config: object, verification: object = { kind: 'none' }) {
  const user = await buildUser();
  const { workspaceId } = user;
  const workflowId = await buildWorkflow({ workspaceId, definition: responding(config), status: 'active' });
  const { body: hook } = await register(user, workflowId, 'in', { response: { mode: 'respond_node' }, verification });
  return { user, workflowId, hook };
}

async function answerOf({ hook }: Awaited<ReturnType<typeof stored>>, headers: Record<string, string> = {}) {
  const answer = await send(hook, { raw: '{}', headers: { 'content-type': 'application/json', ...headers } });
  expect(answer.status).toBe(200);
  return answer.headers;
}

const warningsOf = ({ user, workflowId }: Awaited<ReturnType<typeof stored>>) =>
  until(async () => {
    const run = await prismaClient().execution.findFirst({ where: { workflowId }, orderBy: { createdAt: 'desc' } });
    const { body } = await call<z.output<typeof ExecutionLogs>>('GET', `/api/executions/${run?.id}/logs`, {
      token: user.token,
    });
    const warnings = body.logs.filter(({ level }) => level === 'warn').map(({ message }) => message);
    return warnings.length > 0 && warnings;
  }, 'a warning');

const WITHDRAWN = [
  'X-Accel-Redirect',
  'x-accel-limit-rate',
  'X-Sendfile',
  'X-SENDFILE2',
  'X-Lighttpd-Send-File',
  'X-LiteSpeed-Location',
  'X-Reproxy-URL',
  'Content-Security-Policy-Report-Only',
  'Proxy-Authenticate',
  'Public-Key-Pins',
  'Set-Login',
];

test.each(WITHDRAWN)('%s is refused where it is saved, and left out of the answers of what is stored', async (name) => {
  const config = { headers: { [name]: '/private', 'X-Mine': 'yes' }, body: 'x' };
  const of = await stored(config);
  const headers = await answerOf(of);
  expect([headers.get(name), headers.get('x-mine')]).toEqual([null, 'yes']);
  expect(await warningsOf(of)).toEqual([expect.stringContaining(name)]);
  const { token } = of.user;
  const refused = await call<WorkflowResponse & Refused>('PUT', `/api/workflows/${of.workflowId}`, {
    token,
    body: { definition: responding({ ...config, body: 'y' }) },
  });
  expect([refused.status, refused.body.error.details]).toEqual([
    400,
    [{ field: 'nodes[1].config.headers', message: `"${name}" can not be set by a workflow` }],
  ]);
});

test('a name that is computed is left out as well', async () => {
  const of = await stored({ headers: '{{ {"x-accel-redirect": "/private", "x-mine": "yes"} }}', body: 'x' });
  const headers = await answerOf(of);
  expect([headers.get('x-accel-redirect'), headers.get('x-mine')]).toEqual([null, 'yes']);
});

test('a stored answer of an earlier run has none of them', async () => {
  const of = await stored({ body: 'x' });
  const again = { 'x-service-delivery': 'one' };
  await answerOf(of, again);
  await databasePool().query(
    `UPDATE execution_answer SET answer = '{"status": 200, "headers": {"x-accel-redirect": "/private"}, "body": "x"}'
     WHERE execution_id IN (SELECT id FROM execution WHERE workflow_id = $1)`,
    [of.workflowId],
  );
  expect((await answerOf(of, again)).get('x-accel-redirect')).toBeNull();
});

test.each([
  ['none', { kind: 'none' }, {}, true],
  ['basic', { kind: 'basic', username: 'a', password: 'b' }, { authorization: `Basic ${btoa('a:b')}` }, true],
  ['header', { kind: 'header', name: 'x-token', value: 'open' }, { 'x-token': 'open' }, false],
] as const)('WWW-Authenticate of a webhook with the verification %s', async (_, verification, sent, isShown) => {
  const of = await stored({ headers: { 'WWW-Authenticate': 'Basic realm="x"' }, body: 'x' }, verification);
  expect((await answerOf(of, sent)).get('www-authenticate')).toBe(isShown ? 'Basic realm="x"' : null);
  if (!isShown) expect(await warningsOf(of)).toEqual([expect.stringContaining('www-authenticate')]);
});

test.each([
  [{ contentType: 'text/html' }, 'text/html; charset=utf-8'],
  [{ contentType: 'TEXT/CSV;' }, 'TEXT/CSV; charset=utf-8'],
  [{ contentType: 'text/html; level=1' }, 'text/html; level=1; charset=utf-8'],
  [{ headers: { 'Content-Type': 'text/html' } }, 'text/html; charset=utf-8'],
  [{ contentType: '{{ "text/" & "calendar" }}' }, 'text/calendar; charset=utf-8'],
  [{ contentType: 'text/html; Charset=iso-8859-1' }, 'text/html; Charset=iso-8859-1'],
  [{ contentType: 'application/xml' }, 'application/xml'],
  [{ contentType: 'application/json' }, 'application/json'],
  [{ contentType: 'image/svg+xml' }, 'image/svg+xml'],
])('the content type of an answer with %j is %s', async (config, expected) => {
  const headers = await answerOf(await stored({ ...config, body: '"Grüße – 5 €"' }));
  expect(headers.get('content-type')).toBe(expected);
});
