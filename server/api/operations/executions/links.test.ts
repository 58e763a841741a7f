import { beforeAll, expect, test } from 'vitest';
import { SystemRole } from '@/contract/access/security';
import { prismaClient } from '@/server/platform/db/client';
import { buildCallUrl } from '@/server/engine/attempt/call-link';
import { useWorker } from '@/server/testing/worker';
import { HIDDEN_LINK_TOKEN } from '@/server/people/access/links';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, buildWorkspace, call, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { until } from '@/server/testing/runs';

useDatabase();
useWorker();

let workspaceId: string;
const people = new Map<string, TestUser>();
const keys = new Map<string, string>();
beforeAll(async () => {
  workspaceId = await buildWorkspace();
  for (const role of SystemRole.options) people.set(role, await buildUser({ workspaceId, role }));
  const { token } = person('owner');
  for (const scope of ['read', 'write', '*']) {
    const { body } = await call<{ key: string }>('POST', '/auth/api_keys', {
      token,
      body: { name: scope, scopes: [scope] },
    });
    keys.set(scope, body.key);
  }
});

const person = (role: string): TestUser => people.get(role) as TestUser;

/** Who reads what: by role, and by the scope of an owner's key. */
const READERS: [string, () => string, boolean][] = [
  ...SystemRole.options.map(
    (role) => [role, () => person(role).token, role === 'owner' || role === 'admin'] as [string, () => string, boolean],
  ),
  ['a key of the owner for read', () => keys.get('read') ?? '', false],
  ['a key of the owner for write', () => keys.get('write') ?? '', true],
];

/** A run whose nodes have named the address of a later node, in input, output, log and error. */
async function startRun(): Promise<{ executionId: string; token: string }> {
  const definition = flow(
    {
      s: { type: 'start' },
      made: { type: 'transform', config: { expression: '{"tell": execution.resumeUrls.w}' } },
      large: { type: 'transform', config: { expression: '{"all": [1..6000].($$.input.tell)}' } },
      logged: {
        type: 'code',
        config: {
          language: 'javascript',
          source: 'console.log(nodes.made.tell); return nodes.made.tell.split("/").pop()',
        },
      },
      failed: { type: 'transform', config: { expression: '$error(nodes.made.tell)' } },
      caught: { type: 'transform', config: { expression: 'input' } },
      w: { type: 'wait_for_call', config: { expiresInMs: 600_000 } },
    },
    ['s>made', 'made>large', 'large>logged', 'logged>failed', 'failed:error>caught', 'caught>w'],
  );
  const workflowId = await buildWorkflow({ workspaceId, definition, status: 'active' });
  const { body } = await call<{ executionId: string }>('POST', `/api/workflows/${workflowId}/execute`, {
    token: person('editor').token,
    body: {},
  });
  const { executionId } = body;
  const where = { executionId, nodeId: 'w' };
  await until(async () => (await prismaClient().nodeResult.count({ where })) > 0, 'the run to wait');
  return { executionId, token: buildCallUrl({ executionId, nodeId: 'w' }).split('/').at(-1) ?? '' };
}

test('the address at which a run waits is shown to admins only', async () => {
  const { executionId, token: secret } = await startRun();
  const path = `/api/executions/${executionId}`;
  const paths = [
    path,
    `${path}/node-results/made`,
    `${path}/node-results/large`,
    `${path}/node-results/caught`,
    `${path}/logs`,
  ];
  for (const [who, token, isShown] of READERS)
    for (const at of paths) {
      const { status, body } = await call('GET', at, { token: token() });
      expect(status, `${who} ${at}`).toBe(200);
      const text = JSON.stringify(body);
      expect(text.includes(secret), `${who} ${at}`).toBe(isShown);
      expect(text.includes(HIDDEN_LINK_TOKEN), `${who} ${at}`).toBe(!isShown);
    }
  // It still works for whoever it was given to.
  expect((await call('POST', `/calls/${secret}`, { body: { ok: true } })).status).toBe(202);
});

test('what a run answers to its caller, and its list, hide it as well', async () => {
  const definition = flow(
    { s: { type: 'start' }, t: { type: 'transform', config: { expression: '$error(input.tell)' } } },
    ['s>t'],
  );
  const workflowId = await buildWorkflow({ workspaceId, definition, status: 'active' });
  const tell = buildCallUrl({ executionId: 'exec_aaaaaaaaaaaaaaaaaaaaaaaa', nodeId: 'w' });
  const { body: ended } = await call('POST', `/api/workflows/${workflowId}/execute`, {
    token: person('operator').token,
    headers: { prefer: 'wait=30' },
    body: { input: { tell } },
  });
  const list = async (role: string) =>
    JSON.stringify((await call('GET', `/api/executions?workflowId=${workflowId}`, { token: person(role).token })).body);
  for (const text of [JSON.stringify(ended), await list('viewer')]) {
    expect(text).toContain(HIDDEN_LINK_TOKEN);
    expect(text).not.toContain(tell);
  }
  expect(await list('admin')).toContain(tell);
});

test('the link to decide in a mail is shown to its recipient and to admins', async () => {
  const { email } = person('viewer');
  const definition = flow({ s: { type: 'start' }, ask: { type: 'approval', config: { assignees: [email] } } }, [
    's>ask',
  ]);
  const workflowId = await buildWorkflow({ workspaceId, definition, status: 'active' });
  await call('POST', `/api/workflows/${workflowId}/execute`, { token: person('editor').token, body: {} });
  await until(
    async () => (await prismaClient().outboxMail.count({ where: { workspaceId, to: { has: email } } })) > 0,
    'the mail',
  );
  const textOf = async (token: string) => {
    const { status, body } = await call<{ data: { to: string[]; text: string }[] }>('GET', '/api/outbox', { token });
    expect(status).toBe(200);
    return body.data.find(({ to }) => to.includes(email))?.text ?? '';
  };
  for (const [who, token, isShown] of READERS) {
    const text = await textOf(token());
    expect(/\/decide#[\w-]+\.[\w-]{43}/.test(text), who).toBe(isShown || who === 'viewer');
    expect(text.includes(`/decide#${HIDDEN_LINK_TOKEN}`), who).toBe(!isShown && who !== 'viewer');
  }
  const [, token] = /\/decide#(\S+)/.exec(await textOf(person('viewer').token)) ?? [];
  expect((await call('POST', '/api/decisions', { body: { token, decision: 'approved' } })).status).toBe(200);
});
