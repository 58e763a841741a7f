import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
// oxlint-disable-next-line no-restricted-imports -- what people begin with is proven by what runs it
import { applyTemplate } from '@/components/templates/set-up';
// oxlint-disable-next-line no-restricted-imports -- the same for templates in another language
import { convertPreparedTemplate } from '@/components/templates/convert-template';
import { EXPRESSION_LANGUAGES, type ExpressionLanguage } from '@/contract/workflows/expression-language';
import type { ExecutionResponse } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { ListTemplatesResponse } from '@/contract/workflows/template';
import { useWorker } from '@/server/testing/worker';
import { closeSqlPools } from '@/server/network/sql/sql';
import { listPublicNodeTypes } from '@/server/workflow/nodes';
import { loadTemplateFiles } from '@/server/workflow/templates';
import type { TemplateExample, TemplateFile } from '@/server/workflow/templates/template-file';
import { buildUser, buildWorkflow, call, unique, type Refused, type TestUser } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { until } from '@/server/testing/runs';
import { storeCredential, outsideWorld, type OutsideWorld } from '@/server/testing/outside-world';
import type { z } from 'zod';
import { pickShard } from '@/server/testing/shards';

useDatabase();
useWorker({ concurrency: 5 });

const FILES = await loadTemplateFiles();

const findConfigSchema = (type: string) => listPublicNodeTypes().find((one) => one.type === type)?.configSchema;

let user: TestUser;
let world: OutsideWorld;
let database: pg.Client;

beforeAll(async () => {
  world = await outsideWorld();
  user = await buildUser();
  database = new pg.Client({ connectionString: inject('postgresUrl') });
  await database.connect();
});
afterAll(async () => {
  closeSqlPools();
  await database.end();
  await world.close();
});

/** Waits and pauses between attempts take 10 ms. */
const hurried = (definition: WorkflowDefinition): WorkflowDefinition =>
  JSON.parse(
    JSON.stringify(definition).replaceAll(/"(durationMs|delayMs|backoffMs)":\d+/g, '"$1":10'),
  ) as WorkflowDefinition;

/** Creates what the template needs, and the workflow with its triggers. */
async function create(
  template: TemplateFile,
  example: TemplateExample,
  language: ExpressionLanguage,
): Promise<{ id: string; tableId: string | undefined }> {
  const { token, workspaceId } = user;
  const tableId =
    template.table &&
    (await call<{ id: string }>('POST', '/api/tables', { token, body: { ...template.table, name: unique('table') } }))
      .body.id;
  if (example.rows.length > 0) {
    const { status } = await call('POST', `/api/tables/${tableId}/rows`, { token, body: { rows: example.rows } });
    expect(status).toBe(201);
  }
  const needs = template.credentials.map(async (need) => [need.id, await storeCredential(user, need, world)] as const);
  const child = example.workflow && (await buildWorkflow({ workspaceId, definition: example.workflow }));
  const values = template.values.map(({ id, kind, example: text }) => [id, kind === 'workflow' ? child : text]);
  const prepared = applyTemplate(template, {
    credentials: Object.fromEntries(await Promise.all(needs)),
    values: Object.fromEntries(values) as Record<string, string>,
    tableId: tableId ?? undefined,
    secret: 'a-secret-that-both-sides-know',
  });
  const { definition, triggers } =
    language === 'javascript' ? convertPreparedTemplate(prepared, language, findConfigSchema) : prepared;
  expect(definition.notes ?? []).toEqual(template.definition.notes ?? []);
  const body = { name: template.name, definition: world.redirect(hurried(definition)), status: 'active' };
  const made = await call<{ id: string } & Refused>('POST', '/api/workflows', { token, body });
  expect([made.status, made.body.error]).toEqual([201, undefined]);
  for (const { kind, settings } of triggers) {
    const created = await call<Refused>('POST', `/api/workflows/${made.body.id}/${kind}s`, { token, body: settings });
    expect([kind, created.status, created.body.error]).toEqual([kind, 201, undefined]);
  }
  return { id: made.body.id, tableId: tableId ?? undefined };
}

/** The input of the example, with its files uploaded. */
async function inputOf({ input, files }: TemplateExample): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = world.redirectInput(input);
  for (const [field, { name, contentType, text }] of Object.entries(files)) {
    const form = new FormData();
    form.set('file', new File([text], name, { type: contentType }));
    const posted = new Response(form);
    const uploaded = await call('POST', '/api/files', {
      token: user.token,
      raw: new Uint8Array(await posted.arrayBuffer()),
      headers: { 'content-type': posted.headers.get('content-type') ?? '' },
    });
    expect(uploaded.status).toBe(201);
    if (field.endsWith('[]')) values[field.slice(0, -2)] = [uploaded.body];
    else values[field] = uploaded.body;
  }
  return values;
}

/** Starts a run and brings it to its end: decides at approvals and calls waiting nodes. */
async function run(id: string, name: string, example: TemplateExample): Promise<ExecutionResponse> {
  const { token } = user;
  const input = await inputOf(example);
  const started = await call<{ executionId: string }>('POST', `/api/workflows/${id}/execute`, {
    token,
    body: { input },
  });
  expect([started.status, started.body]).toMatchObject([202, {}]);
  const path = `/api/executions/${started.body.executionId}`;
  return until(async () => {
    const { body: execution } = await call<ExecutionResponse>('GET', path, { token });
    const waiting = execution.nodeResults.find(({ status }) => status === 'paused');
    const decision = waiting && example.decisions[waiting.nodeId];
    if (waiting && decision) {
      await call('POST', `${path}/resume`, { token, body: { nodeId: waiting.nodeId, ...decision } });
    }
    const address = example.received && world.callback();
    if (address) await call('POST', address, { body: example.received });
    return (execution.status === 'completed' || execution.status === 'failed') && execution;
  }, `“${name}” to end`);
}

interface Mail {
  to: string[];
  subject: string;
  text: string | null;
  html: string | null;
}

/** Whether a text is the pattern, in which `*` stands for any text. */
const fits = (pattern: string) =>
  expect.stringMatching(
    new RegExp(
      `^${pattern
        .split('*')
        .map((part) => part.replaceAll(/[.?+^$()[\]{}|\\]/g, String.raw`\$&`))
        .join('.*')}$`,
    ),
  ) as string;

const CASES = FILES.flatMap((template) =>
  template.examples.flatMap((example, index) =>
    EXPRESSION_LANGUAGES.map(
      (language) => [`${template.id} ${index + 1} in ${language}`, template, example, language] as const,
    ),
  ),
);

it.each(pickShard(CASES))('“%s” runs as its example says', async (name, template, example, language) => {
  const { token } = user;
  const before = (await call<{ total: number }>('GET', '/api/outbox?limit=1', { token })).body.total;
  for (const statement of example.database) await database.query(statement);
  world.expect(example.calls);
  const { id, tableId } = await create(template, example, language);
  const { outcome, mails } = example;
  const ended = await run(id, name, example);
  const completed = ended.nodeResults.filter(({ status }) => status === 'completed').map(({ nodeId }) => nodeId);
  const failures = ended.nodeResults.filter(({ error }) => error).map(({ nodeId, error }) => [nodeId, error?.message]);
  expect([ended.status, ended.error, outcome.reached.filter((node) => !completed.includes(node)), failures]).toEqual([
    outcome.status,
    null,
    [],
    // A failure that the workflow handles is part of the example.
    example.calls.some(({ status }) => status >= 400) ? expect.anything() : [],
  ]);
  expect(completed.filter((node) => outcome.missed.includes(node))).toEqual([]);
  if (outcome.output !== undefined) expect(ended.output).toMatchObject(outcome.output as object);
  expect(world.unanswered()).toEqual([]);
  const sent = (await call<{ data: Mail[]; total: number }>('GET', '/api/outbox?limit=10', { token })).body;
  expect(sent.total - before).toBe(mails.length);
  const newest = sent.data
    .slice(0, mails.length)
    .map(({ to, subject, text, html }) => ({ to, subject, content: text ?? html }));
  const wanted = mails.map(({ to, subject, contains = '' }) => ({
    to: [to],
    subject: fits(subject),
    content: expect.stringContaining(contains) as string,
  }));
  expect(newest).toEqual(expect.arrayContaining(wanted));
  if (outcome.rows) {
    const rows = await call<{ data: object[] }>('GET', `/api/tables/${tableId}/rows`, { token });
    expect(rows.body.data).toHaveLength(outcome.rows.length);
    expect(rows.body.data).toEqual(
      expect.arrayContaining(outcome.rows.map((row) => expect.objectContaining(row) as object)),
    );
  }
  for (const statement of example.database) {
    const [, table] = /^CREATE TABLE (\w+)/.exec(statement) ?? [];
    if (table) await database.query(`DROP TABLE ${table}`);
  }
});

describe('the catalogue', () => {
  it('is listed with outlines, found by words and purpose, and read with its definition', async () => {
    const { token } = user;
    const list = async (query: string) =>
      (await call<z.output<typeof ListTemplatesResponse>>('GET', `/api/templates${query}`, { token })).body;
    const all = await list('?limit=100');
    expect(all.total).toBe(FILES.length);
    expect(all.total).toBeGreaterThanOrEqual(30);
    expect((await list('?search=slack%20feed')).data.map(({ id }) => id)).toEqual(['feed-slack']);
    expect((await list('?purpose=sales&search=salesforce')).data.map(({ id }) => id)).toEqual(['webhook-salesforce']);
    expect((await list('?search=feed')).data[0]?.outline.nodes[1]).toEqual({
      id: 'feed',
      type: 'http_request',
      name: 'Read the feed',
      position: { x: 320, y: 0 },
    });
    const one = await call('GET', '/api/templates/feed-slack', { token });
    expect(one.body).toMatchObject({
      id: 'feed-slack',
      definition: FILES.find(({ id }) => id === 'feed-slack')?.definition,
    });
    expect(one.body).not.toHaveProperty('examples');
  });

  it('has nothing under an unknown id, and nothing for strangers', async () => {
    const { token } = user;
    expect((await call('GET', '/api/templates/nothing', { token })).status).toBe(404);
    expect((await call('GET', '/api/templates?purpose=unknown', { token })).status).toBe(400);
    expect((await call('GET', '/api/templates')).status).toBe(401);
  });
});
