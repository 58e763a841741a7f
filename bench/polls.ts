// `npm run bench:polls`: how long one process takes to poll a thousand sources, and to start runs for 10,000 new items.
import path from 'node:path';
import { openDatabaseConnections, prismaClient } from '../server/platform/db/client';
import { generateId } from '../server/platform/db/ids';
import { migrateDatabase } from '../server/platform/db/migrate';
import { executeDuePolls } from '../server/triggers/polls/poller';
import { closeEvaluation } from '../server/evaluation/evaluator/evaluation';
import { setRuntime } from '../server/platform/runtime';
import { startCluster } from '../server/testing/cluster';
import { testEnv } from '../server/testing/database';
import { buildWorkflow, buildWorkspace } from '../server/testing/factories';
import { itemsFrom, startSource } from '../server/testing/servers/source';

const SOURCES = 1000;
const WORKSPACES = 10;
const ITEMS = 20;
const MANY = 10_000;

const cluster = await startCluster({ synchronous_commit: 'on' });
const source = await startSource(itemsFrom(1, ITEMS));
const many = await startSource(itemsFrom(1, MANY));
try {
  await migrateDatabase(cluster.url, path.resolve('prisma/migrations'));
  const { pool, aside, prisma: client } = openDatabaseConnections(cluster.url);
  setRuntime({ env: testEnv({ databaseUrl: cluster.url, egressAllowPrivate: true }), pool, aside, prisma: client });
  const workflows: string[] = [];
  for (let count = 0; count < WORKSPACES; count += 1) workflows.push(await workflowOfOwn());
  for (let count = 0; count < SOURCES; count += 1) {
    await addPoll(workflows[count % WORKSPACES] ?? '', `${source.url}/${count}`, 'skip');
  }
  await measure(`${SOURCES} sources, first answers of ${ITEMS} items`, SOURCES);
  await makeDue();
  await measure(`${SOURCES} sources, nothing new`, SOURCES);
  source.items.push(...itemsFrom(ITEMS + 1, 1));
  await makeDue();
  await measure(`${SOURCES} sources, one new item each`, SOURCES);
  await prismaClient().poll.deleteMany();
  await addPoll(await workflowOfOwn(), many.url, 'deliver');
  await measure(`1 source, ${MANY} new items`, MANY);
  await makeDue();
  await measure(`1 source, ${MANY} known items`, MANY);
  await client.$disconnect();
  await pool.end();
} finally {
  closeEvaluation();
  await Promise.all([source.close(), many.close()]);
  await cluster.remove();
}

async function workflowOfOwn(): Promise<string> {
  return buildWorkflow({ workspaceId: await buildWorkspace(), status: 'active' });
}

async function addPoll(workflowId: string, url: string, first: 'skip' | 'deliver'): Promise<void> {
  await prismaClient().poll.create({
    data: {
      id: generateId('poll'),
      workflowId,
      name: 'Source',
      intervalMs: 60_000,
      node: { type: 'http_request', config: { url } },
      items: 'input.body.items',
      key: 'item.id',
      deliver: 'each',
      first,
      enabled: true,
      nextPollAt: new Date(0),
    },
  });
}

async function makeDue(): Promise<void> {
  await prismaClient().poll.updateMany({ data: { nextPollAt: new Date(0) } });
}

/** Polls what is due; `count`: what the rate is of. */
async function measure(what: string, count: number): Promise<void> {
  const before = await prismaClient().execution.count();
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  await executeDuePolls();
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const runs = (await prismaClient().execution.count()) - before;
  const failed = await prismaClient().poll.count({ where: { failures: { gt: 0 } } });
  process.stdout.write(
    `${what.padEnd(44)} ${seconds.toFixed(2).padStart(6)} s  ${Math.round(count / seconds)}/s  ` +
      `${((user + system) / 1e6).toFixed(2)} s of processor time  ${runs} runs  ${failed} failed\n`,
  );
}
