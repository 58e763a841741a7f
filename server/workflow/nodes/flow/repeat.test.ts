import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { closeOutboundConnections } from '@/server/network/outbound/connections';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Refused } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { listenOn } from '@/server/testing/listen';
import { startRunOf } from '@/server/testing/runs';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { readinessIssues } from '@/server/workflow/definition/readiness';

useDatabase();

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

const start = { type: 'start' };
const BODY = flow({ in: start });
const loop = (config: Record<string, unknown>) => flow({ s: start, r: { type: 'repeat', config } }, ['s>r']);
const issues = (definition: WorkflowDefinition) => definitionIssues(definition, { workspaceId: 'ws_test' });

describe('the config of a repeat node', () => {
  it.each([
    [{ maxRounds: 0 }, 'maxRounds'],
    [{ maxRounds: 10_001 }, 'maxRounds'],
    [{ maxRounds: 1.5 }, 'maxRounds'],
    [{ until: 'output.(' }, 'until'],
    [{ until: '{{ output. }}' }, 'until'],
    [{ until: true }, 'until'],
    [{ delayMs: -1 }, 'delayMs'],
    [{ onMax: 'stop' }, 'onMax'],
    [{ collect: 'all' }, 'collect'],
    [{ rounds: 3 }, 'rounds'],
    [{ body: { ...BODY, nodes: [{ ...BODY.nodes[0], type: 'unknown' }] } }, 'body.nodes[0].type'],
    [
      { body: flow({ in: start, h: { type: 'http_request', config: { url: 1 } } }, ['in>h']) },
      'body.nodes[1].config.url',
    ],
  ])('%j is refused', async (part, field) => {
    const found = await issues(loop({ until: 'true', maxRounds: 3, body: BODY, ...part }));
    expect([...new Set(found.map((issue) => issue.field))]).toEqual([`nodes[1].config.${field}`]);
  });

  it('may lack what a run needs, also inside its body', async () => {
    const body = flow({ in: start, h: { type: 'http_request' } }, ['in>h']);
    const definition = loop({ body });
    expect(await issues(definition)).toEqual([]);
    expect(readinessIssues(definition).map(({ field }) => field)).toEqual([
      'nodes[1].config.until',
      'nodes[1].config.maxRounds',
      'nodes[1].config.body.nodes[1].config.url',
    ]);
  });

  it('is in the catalogue, with the names that its expression reads and the words that people search for', async () => {
    const { token } = await buildUser();
    const { body } = await call<{ data: { type: string; synonyms: string[]; configSchema: { properties: object } }[] }>(
      'GET',
      '/api/node-types',
      { token },
    );
    const kind = body.data.find(({ type }) => type === 'repeat');
    expect(kind?.synonyms).toEqual(expect.arrayContaining(['loop until', 'while', 'do until']));
    expect(kind?.configSchema.properties).toMatchObject({
      until: { 'x-expression': true, 'x-scope': ['output', 'index', 'input'] },
      body: { 'x-editor': 'definition', 'x-literal': true },
    });
    const request = body.data.find(({ type }) => type === 'http_request');
    expect(request?.configSchema.properties).toMatchObject({
      pagination: { properties: { items: { 'x-expression': true, 'x-scope': ['input'] } } },
    });
  });

  it('names no credential of another workspace in its body', async () => {
    const [owner, attacker] = [await buildUser(), await buildUser()];
    const secret = { name: 'Key', type: 'api_key', config: { apiKey: 'key-1234567890' } };
    const made = await call<{ id: string }>('POST', '/api/credentials', { token: owner.token, body: secret });
    const ask = { type: 'http_request', config: { url: 'https://a.example' }, credentialId: made.body.id };
    const definition = loop({ until: 'true', maxRounds: 3, body: flow({ in: start, ask }, ['in>ask']) });
    const execute = async (token: string) => {
      const body = { name: 'x', definition };
      const { body: workflow } = await call<{ id: string }>('POST', '/api/workflows', { token, body });
      return call<Refused>('POST', `/api/workflows/${workflow.id}/execute`, { token });
    };
    const refused = await execute(attacker.token);
    expect(refused.status).toBe(400);
    expect(refused.body.error.details.map(({ field }) => field)).toEqual([
      'nodes[1].config.body.nodes[1].credentialId',
    ]);
    expect((await execute(owner.token)).status).toBe(202);
  });
});

/** The examples in the documentation. */
const examples = [...readFileSync('docs/build/loops.md', 'utf8').matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, json = '']) => json,
);

/** Answers with JSON, by method and path; the answers of one address follow each other. */
async function startApi(answers: Record<string, unknown[]>): Promise<string> {
  const { url, close } = await listenOn(({ method, url: path }, response: ServerResponse) => {
    const [answer] = answers[`${method} ${path}`]?.splice(0, 1) ?? [];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
  });
  ends.push(close, closeOutboundConnections);
  return url;
}

async function work(): Promise<void> {
  const worker: EngineWorker = await startWorker({ concurrency: 10, graceMs: 200 });
  ends.push(() => worker.stop());
}

describe('the examples in docs/build/loops.md', () => {
  it('ask for a job until it is ready', async () => {
    await work();
    const api = await startApi({
      'POST /exports': [{ id: 7 }],
      'GET /exports/7': [{ status: 'running' }, { status: 'running' }, { status: 'ready', url: '/files/7' }],
    });
    const text =
      examples[0]?.replaceAll('https://api.example.com', api).replace('"delayMs": 5000', '"delayMs": 1') ?? '';
    const definition = JSON.parse(text) as WorkflowDefinition;
    expect(await issues(definition)).toEqual([]);
    const { error, output } = await (await startRunOf(definition)).finish();
    expect(error).toBeNull();
    expect(output).toEqual({ rounds: 3, last: { status: 'ready', url: '/files/7' }, isDone: true });
  });

  it('read all pages of a list', async () => {
    await work();
    const api = await startApi({
      'GET /orders?limit=50': [{ orders: [1, 2], nextCursor: 'c2' }],
      'GET /orders?limit=50&after=c2': [{ orders: [3] }],
    });
    const config = JSON.parse(examples[1]?.replaceAll('https://api.example.com', api) ?? '') as Record<string, unknown>;
    const definition = flow({ s: start, list: { type: 'http_request', config } }, ['s>list']);
    const { error, output } = await (await startRunOf(definition)).finish();
    expect(error).toBeNull();
    expect(output).toMatchObject({ items: [1, 2, 3], pages: 2 });
  });
});
