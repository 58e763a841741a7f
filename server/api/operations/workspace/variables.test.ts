import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import { MAX_VARIABLE_CHARACTERS, type VariableResponse, type VariableWithUses } from '@/contract/workflows/variable';
import { MAX_WORKSPACE_VARIABLES } from '@/contract/workflows/variable-names';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { listenToNotifications } from '@/server/platform/db/listen';
import { NOTIFY_CHANNELS } from '@/server/platform/db/notify-channels';
import { forgetReferenceData, readReferenceData } from '@/server/engine/attempt/reference-data';
import { useWorker } from '@/server/testing/worker';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { buildPermitted } from '@/server/testing/permitted';
import { until } from '@/server/testing/runs';

useDatabase();
useWorker({ concurrency: 10, graceMs: 200 });

let owner: TestUser;
let stranger: TestUser;
beforeEach(async () => {
  owner = await buildUser();
  stranger = await buildUser();
});
afterEach(async () => void (await prismaClient().workspace.deleteMany()));

const create = (name: unknown, value: unknown, { token } = owner) =>
  call<VariableResponse & Refused>('POST', '/api/variables', { token, body: { name, value } });
const change = (name: string, body: object, { token } = owner) =>
  call<VariableResponse & Refused>('PUT', `/api/variables/${name}`, { token, body });
const list = async ({ token } = owner) =>
  (await call<{ data: VariableResponse[] }>('GET', '/api/variables', { token })).body.data;

/** The output of a run of the workflow. */
async function run(workflow: string, { token } = owner): Promise<Pick<ExecutionResponse, 'output' | 'error'>> {
  const { body } = await call<{ executionId: string }>('POST', `/api/workflows/${workflow}/execute`, { token });
  return until(async () => {
    const { body: execution } = await call<ExecutionResponse>('GET', `/api/executions/${body.executionId}`, { token });
    return (execution.status === 'completed' || execution.status === 'failed') && execution;
  }, 'the run to end');
}

/** A workflow whose output is that of its last node. */
const workflowOf = (node: object, { workspaceId } = owner) =>
  buildWorkflow({ workspaceId, definition: flow({ s: { type: 'start' }, n: node as { type: string } }, ['s>n']) });
const shape = (expression: string) => ({ type: 'transform', config: { expression } });

describe('a variable', () => {
  test('is created, listed, changed and deleted; each change is audited', async () => {
    const made = await create('REGIONS', ['eu', { name: 'us' }]);
    expect([made.status, made.body]).toMatchObject([201, { name: 'REGIONS', value: ['eu', { name: 'us' }] }]);
    expect((await create('EMPTY', null)).body.value).toBeNull();
    expect((await list()).map(({ name }) => name).sort()).toEqual(['EMPTY', 'REGIONS']);
    expect((await change('REGIONS', { name: 'REGIONS', value: 0 })).body).toMatchObject({ value: 0 });
    const { token } = owner;
    expect((await call('DELETE', '/api/variables/REGIONS', { token })).status).toBe(204);
    expect((await call('GET', '/api/variables/REGIONS', { token })).status).toBe(404);
    const { body } = await call<{ data: { action: string; resource: { id: string } }[] }>('GET', '/auth/audit', {
      token,
    });
    const entries = body.data.filter(({ action }) => action.startsWith('variables.'));
    expect(entries.map(({ action, resource }) => `${action} ${resource.id}`).sort()).toEqual([
      'variables.create EMPTY',
      'variables.create REGIONS',
      'variables.delete REGIONS',
      'variables.update REGIONS',
    ]);
  });

  test('names the workflows that use it', async () => {
    await create('REGION', 'eu');
    const user = await workflowOf(shape('vars.REGION'));
    await workflowOf(shape('vars.REGION_2'));
    await workflowOf(shape('vars.REGION'), stranger);
    const { body } = await call<VariableWithUses>('GET', '/api/variables/REGION', { token: owner.token });
    expect(body.usedBy.map(({ id }) => id)).toEqual([user]);
  });

  test.each([
    ['region', 1, 'name'],
    ['1ST', 1, 'name'],
    ['', 1, 'name'],
    ['__proto__', 1, 'name'],
    ['A'.repeat(101), 1, 'name'],
    ['REGION', undefined, 'value'],
    ['REGION', 'x'.repeat(MAX_VARIABLE_CHARACTERS), 'value'],
  ])('named %j with %j is refused', async (name, value, field) => {
    const { status, body } = await create(name, value);
    expect([status, body.error.details?.map((detail) => detail.field)]).toEqual([400, [field]]);
  });

  test('a second of one name is a conflict, also when both come at once; names do not change', async () => {
    const answers = await Promise.all([create('REGION', 1), create('REGION', 2), create('REGION', 3)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await create('REGION', 1, stranger)).status).toBe(201);
    const renamed = await change('REGION', { name: 'OTHER', value: 1 });
    expect([renamed.status, renamed.body.error.details?.[0]?.field]).toEqual([400, 'name']);
  });

  test('there is a limit for each workspace', async () => {
    const rows = Array.from({ length: MAX_WORKSPACE_VARIABLES }, (_, index) => ({ name: `V${index}`, value: index }));
    await prismaClient().variable.createMany({ data: rows.map((row) => ({ ...row, workspaceId: owner.workspaceId })) });
    expect((await create('ONE_MORE', 1)).status).toBe(403);
    expect((await create('ONE_MORE', 1, stranger)).status).toBe(201);
  });

  test('needs the permission of its resource', async () => {
    await create('REGION', 'eu');
    const reader = await buildPermitted(owner.workspaceId, [{ resource: 'variable', action: 'read' }]);
    expect(await list(reader)).toHaveLength(1);
    expect((await create('OTHER', 1, reader)).status).toBe(403);
    expect((await change('REGION', { value: 1 }, reader)).status).toBe(403);
    const other = await buildPermitted(owner.workspaceId, [{ resource: 'workflow', action: 'read' }]);
    expect((await call('GET', '/api/variables', { token: other.token })).status).toBe(403);
  });
});

describe('a run', () => {
  test('reads variables of its workspace in expressions, templates and code', async () => {
    await create('REGION', 'eu');
    await create('LIMITS', { max: 3 });
    await create('REGION', 'us', stranger);
    const fields = { path: '{{ vars.REGION }}', text: 'to {{ vars.REGION }}', sum: '{{ $sum([vars.LIMITS.max, 1]) }}' };
    const mapped = await workflowOf({ type: 'transform', config: { fields: { ...fields, none: '{{ vars.NONE }}' } } });
    expect((await run(mapped)).output).toEqual({ path: 'eu', text: 'to eu', sum: 4, none: null });
    const source = 'return [vars.REGION, vars.LIMITS.max, vars.NONE === undefined]';
    expect((await run(await workflowOf({ type: 'code', config: { source } }))).output).toEqual(['eu', 3, true]);
    const foreign = await workflowOf(shape('vars.REGION'), stranger);
    expect((await run(foreign, stranger)).output).toBe('us');
  });

  test('reads the value that was set before it started', async () => {
    const workflow = await workflowOf(shape('vars.REGION'));
    const outputs = [(await run(workflow)).output];
    await create('REGION', 'eu');
    outputs.push((await run(workflow)).output);
    await change('REGION', { value: 'us' });
    outputs.push((await run(workflow)).output);
    await call('DELETE', '/api/variables/REGION', { token: owner.token });
    outputs.push((await run(workflow)).output);
    expect(outputs).toEqual([null, 'eu', 'us', null]);
  });

  test('writes times in the zone of its workflow', async () => {
    const workflow = await workflowOf(shape(`$formatDate("2026-01-31T23:30:00Z", "yyyy-MM-dd HH:mm")`));
    expect((await run(workflow)).output).toBe('2026-01-31 23:30');
    const body = { settings: { timeZone: 'Asia/Tokyo' } };
    expect((await call('PUT', `/api/workflows/${workflow}`, { token: owner.token, body })).status).toBe(200);
    expect((await run(workflow)).output).toBe('2026-02-01 08:30');
    const source = `return helpers.formatDate('2026-01-31T23:30:00Z', 'yyyy-MM-dd HH:mm')`;
    const code = await workflowOf({ type: 'code', config: { source } });
    expect((await run(code)).output).toBe('2026-01-31 23:30');
  });

  test('fails with the name of the function', async () => {
    const { error } = await run(await workflowOf(shape('$addTime($now(), 1, "moons")')));
    expect(error).toMatchObject({ code: 'EXPRESSION', message: expect.stringContaining('$addTime: "moons" is not') });
  });
});

describe('the cache of a process', () => {
  const read = () =>
    readReferenceData(
      { variables: true, timeZone: false },
      { workspaceId: owner.workspaceId, workflowId: 'wf_none' },
      new AbortController(),
    );

  test('answers without a statement until a change is announced to all processes', async () => {
    const announced: string[] = [];
    const listener = await listenToNotifications(
      [NOTIFY_CHANNELS.referenceData],
      (_, payload) => announced.push(payload),
      () => undefined,
    );
    forgetReferenceData([owner.workspaceId]);
    await create('REGION', 'eu');
    await until(async () => announced.includes(JSON.stringify([owner.workspaceId])), 'the notification');
    await listener.close();
    expect((await read()).vars).toEqual({ REGION: 'eu' });
    const cached = read();
    expect(cached).not.toBeInstanceOf(Promise);
    // As another process would do it: only the notification tells this one.
    await databasePool().query(`UPDATE variable SET value = '"us"' WHERE workspace_id = $1`, [owner.workspaceId]);
    await databasePool().query('SELECT pg_notify($1, $2)', [
      NOTIFY_CHANNELS.referenceData,
      JSON.stringify([owner.workspaceId]),
    ]);
    await until(async () => (await read()).vars['REGION'] === 'us', 'the new value');
  });

  test('does not keep a value that was read while it changed', async () => {
    forgetReferenceData([owner.workspaceId]);
    const reading = read();
    forgetReferenceData([owner.workspaceId]);
    await reading;
    expect(read()).toBeInstanceOf(Promise);
  });
});
