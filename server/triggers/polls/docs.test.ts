import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CreatePollRequest } from '@/contract/triggers/poll';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { listenOn } from '@/server/testing/listen';
import { polledWorkflow } from '@/server/testing/polls';
import { executeDuePolls } from './poller';

useDatabase();

test('the example of docs/triggers/polling.md does what the page says', async () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/triggers/polling.md'), 'utf8');
  const example = CreatePollRequest.parse(JSON.parse(/```json\n(.*?)```/s.exec(page)?.[1] ?? ''));
  const answer = /answers `(\{"orders".*?\})`, two runs/s.exec(page)?.[1] ?? '';
  const inputs = [...page.matchAll(/`(\{"id": \d.*?\})`/g)].map(([, input]) => JSON.parse(input ?? '') as unknown);
  const calls: string[] = [];
  const shop = await listenOn(({ url = '' }, response) => {
    calls.push(url);
    const body = calls.length === 1 ? answer : '{"orders": []}';
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  const { send, workflowId, makeDue } = await polledWorkflow();
  const url = `${shop.url}/orders`;
  const node = { ...example.node, config: { ...example.node.config, url } };
  expect((await send('POST', '', { ...example, node })).status).toBe(201);
  await executeDuePolls();
  await makeDue();
  await executeDuePolls();
  await shop.close();
  const runs = await prismaClient().execution.findMany({ where: { workflowId }, select: { input: true } });
  expect(inputs).toHaveLength(2);
  expect(runs.map(({ input }) => input)).toEqual(expect.arrayContaining(inputs));
  expect(runs).toHaveLength(2);
  expect(calls[0]).toBe('/orders');
  expect(page).toContain(`\`${calls[1]}\``);
});
