import { retryWhileUnavailable } from '@/server/platform/db/failures/retry-while-unavailable';
import { prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { buildWorkflow } from '../factories';
import { listenOn } from '../listen';
import { until } from '../runs';

/** Time between two new items, in milliseconds. */
const EVERY_MS = 100;
/** Items that an answer has at most: more are known only by the cursor. */
const PAGE = 200;
/** Time limit for the runs of all items after the last fault. */
const REST_MS = 90_000;
/** The shortest interval. */
const INTERVAL_MS = 5000;

/** Polls of a source that grows, with a cursor and without, while processes and the database die. */
export interface PolledSource {
  /** The source stops growing. Returns violations: items that started no run, or several. */
  finish(): Promise<string[]>;
  close(): Promise<void>;
}

export async function startPolledSource(workspaceId: string): Promise<PolledSource> {
  let count = 0;
  const growth = setInterval(() => (count += 1), EVERY_MS);
  const { url, close } = await listenOn(({ url: address = '' }, response) => {
    const { pathname, searchParams } = new URL(address, 'http://source.test');
    const since = searchParams.get('since');
    // Without a cursor everything is returned, again and again.
    const first = Number(since ?? 0) + 1;
    const last = since === null ? count : Math.min(count, first + PAGE - 1);
    const items = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
      const id = first + index;
      // The checks of all runs know them by this name.
      return { id, story: `item ${id} of ${pathname}` };
    });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items }));
  });
  const polls = {
    all: await addPoll(workspaceId, { url: `${url}/all` }),
    cursor: await addPoll(
      workspaceId,
      { url: `${url}/cursor`, query: { since: '{{ cursor ? cursor : 0 }}' } },
      '$max(input.body.items.id)',
    ),
  };
  return {
    async finish() {
      clearInterval(growth);
      const found = await Promise.all(Object.entries(polls).map(([name, id]) => check(name, id, count)));
      return found.flat();
    },
    async close() {
      clearInterval(growth);
      await close();
    },
  };
}

/** Stores a poll of a workflow that only starts. Returns the id of the workflow. */
async function addPoll(workspaceId: string, config: object, cursorExpression?: string): Promise<string> {
  const workflowId = await buildWorkflow({ workspaceId, status: 'active' });
  await prismaClient().poll.create({
    data: {
      id: generateId('poll'),
      workflowId,
      name: 'Growing source',
      intervalMs: INTERVAL_MS,
      node: { type: 'http_request', config: { ...config } },
      items: 'input.body.items',
      key: 'item.id',
      cursorExpression,
      deliver: 'each',
      first: 'deliver',
      enabled: true,
      nextPollAt: new Date(),
    },
  });
  return workflowId;
}

/** Every item has started exactly one run. */
async function check(name: string, workflowId: string, count: number): Promise<string[]> {
  // A connection that the last fault has broken is opened again.
  const started = () =>
    retryWhileUnavailable(AbortSignal.timeout(REST_MS), async () => {
      const runs = await prismaClient().execution.findMany({ where: { workflowId }, select: { input: true } });
      return runs.map(({ input }) => (input as { id: number }).id);
    });
  // What is missing then is reported.
  await until(async () => new Set(await started()).size >= count, 'all items', REST_MS).catch(() => undefined);
  const runs = new Map<number, number>();
  for (const id of await started()) runs.set(id, (runs.get(id) ?? 0) + 1);
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((id) => {
    const times = runs.get(id) ?? 0;
    return times === 1 ? [] : [`item ${id} of the polled source (${name}) started ${times} runs`];
  });
}
