import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@/server/testing/listen';
import type { N8nInstallation } from './install';
import type { NodeItems } from './weft';

const OWNER = { email: 'owner@example.com', firstName: 'Ada', lastName: 'Owner', password: 'Owner-Password-1234' };
const START_LIMIT_MS = 180_000;
const RUN_LIMIT_MS = 60_000;

/** A run of a workflow in n8n. */
export interface N8nRun {
  items: NodeItems;
  /** The items at each output of each node. */
  outputs: Record<string, unknown[][]>;
  failure: string | undefined;
}

export interface RealN8n {
  run(workflow: unknown): Promise<N8nRun>;
  stop(): Promise<void>;
}

interface N8nWorkflow {
  name?: string;
  nodes: { name: string; type: string }[];
}

interface TaskData {
  data?: { main?: (Record<string, unknown>[] | null)[] };
  error?: { message?: string };
}

interface ExecutionData {
  resultData: { runData: Record<string, TaskData[]>; error?: { message?: string; description?: string } };
}

/** An item as one of Weft: the facts of its files beside its fields. */
function readN8nItem({ json, binary }: Record<string, unknown>): unknown {
  if (typeof binary !== 'object' || binary === null || Object.keys(binary).length === 0) return json;
  const files = Object.entries(binary as Record<string, Record<string, unknown>>).map(([name, file]) => [
    name,
    { name: file['fileName'], contentType: file['mimeType'], size: file['bytes'] },
  ]);
  return { ...(json as object), $files: Object.fromEntries(files) as unknown };
}

/** The outputs of all rounds of a node, one after another. */
function readOutputs(rounds: TaskData[]): unknown[][] {
  const outputs: unknown[][] = [];
  for (const { data } of rounds)
    for (const [port, items] of (data?.main ?? []).entries())
      (outputs[port] ??= []).push(...(items ?? []).map(readN8nItem));
  return Array.from(outputs, (items) => items ?? []);
}

/** Starts n8n with an empty database, on this machine alone, without telemetry. */
export async function startRealN8n({ folder, nodePath, engine }: N8nInstallation): Promise<RealN8n> {
  const userFolder = mkdtempSync(path.join(tmpdir(), 'weft-n8n-'));
  const [port, brokerPort] = [await freePort(), await freePort()];
  const origin = `http://127.0.0.1:${port}`;
  const server = spawn(nodePath, ['node_modules/n8n/bin/n8n', 'start'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      NODE_ENV: 'production',
      HOME: userFolder,
      PATH: `${path.dirname(nodePath)}:${process.env['PATH'] ?? ''}`,
      TZ: 'UTC',
      GENERIC_TIMEZONE: 'UTC',
      N8N_USER_FOLDER: userFolder,
      N8N_PORT: String(port),
      N8N_LISTEN_ADDRESS: '127.0.0.1',
      N8N_RUNNERS_BROKER_PORT: String(brokerPort),
      N8N_EXPRESSION_ENGINE: engine,
      N8N_SECURE_COOKIE: 'false',
      N8N_DIAGNOSTICS_ENABLED: 'false',
      N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
      N8N_TEMPLATES_ENABLED: 'false',
      N8N_HIRING_BANNER_ENABLED: 'false',
      N8N_PERSONALIZATION_ENABLED: 'false',
      N8N_LOG_LEVEL: 'error',
      NODE_FUNCTION_ALLOW_BUILTIN: 'crypto',
    },
  });
  const errors: string[] = [];
  server.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const exit = once(server, 'exit');
  let cookie = '';
  const call = async (method: string, address: string, body?: unknown): Promise<Response> =>
    fetch(`${origin}/rest${address}`, {
      method,
      headers: { 'content-type': 'application/json', cookie, 'browser-id': 'compare' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(RUN_LIMIT_MS),
    });
  const read = async <Value>(response: Response): Promise<Value> => {
    const text = await response.text();
    if (!response.ok) throw new Error(`n8n answered ${response.status}: ${text.slice(0, 300)}`);
    return (JSON.parse(text) as { data: Value }).data;
  };
  const stop = async () => {
    server.kill('SIGTERM');
    await exit;
    rmSync(userFolder, { recursive: true, force: true });
  };
  const isReady = async () => {
    try {
      const response = await fetch(`${origin}/healthz/readiness`, { signal: AbortSignal.timeout(2000) });
      return response.ok;
    } catch {
      return false;
    }
  };
  const end = Date.now() + START_LIMIT_MS;
  while (!(await isReady())) {
    if (Date.now() > end || server.exitCode !== null) {
      await stop();
      throw new Error(`n8n did not start: ${errors.join('').slice(-2000)}`);
    }
    await pause(500);
  }
  const setup = await call('POST', '/owner/setup', OWNER);
  cookie = setup.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  await read(setup);
  const { parse } = createRequire(path.join(folder, 'package.json'))('flatted') as { parse(text: string): unknown };

  async function run(workflow: unknown): Promise<N8nRun> {
    const given = workflow as N8nWorkflow;
    const stored = await read<{ id: string }>(
      await call('POST', '/workflows', { settings: { executionOrder: 'v1' }, ...given, name: given.name ?? 'case' }),
    );
    const trigger = given.nodes.find(({ type }) => type.endsWith('manualTrigger'));
    const { executionId } = await read<{ executionId: string }>(
      await call('POST', `/workflows/${stored.id}/run`, { triggerToStartFrom: { name: trigger?.name } }),
    );
    const limit = Date.now() + RUN_LIMIT_MS;
    for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 1.5, 200)) {
      const execution = await read<{ status: string; data: string }>(await call('GET', `/executions/${executionId}`));
      const isDone = !['new', 'running', 'waiting'].includes(execution.status);
      if (isDone) return readExecution(parse(execution.data) as ExecutionData, given);
      if (Date.now() > limit) {
        // One without an end would slow all others.
        await read(await call('POST', `/executions/${executionId}/stop`));
        return { items: {}, outputs: {}, failure: `It is ${execution.status}` };
      }
      await pause(pauseMs);
    }
  }
  return { run, stop };
}

function readExecution({ resultData: { runData, error } }: ExecutionData, workflow: N8nWorkflow): N8nRun {
  const outputs = Object.fromEntries(Object.entries(runData).map(([name, rounds]) => [name, readOutputs(rounds)]));
  // A filter also gives what it discards, at an output that nothing can be connected to.
  const isFilter = (name: string) => workflow.nodes.some((one) => one.name === name && one.type.endsWith('.filter'));
  const items = Object.fromEntries(
    Object.entries(outputs).map(([name, lists]) => [name, isFilter(name) ? (lists[0] ?? []) : lists.flat()]),
  );
  return { items, outputs, failure: error ? (error.message ?? 'failed') : undefined };
}
