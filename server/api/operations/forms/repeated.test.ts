import { afterEach, beforeEach, expect, test } from 'vitest';
import { databasePool } from '@/server/platform/db/client';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { Browser } from '@/server/testing/browser';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { buildForm, post, tokenIn, type TestForm } from '@/server/testing/forms';

useDatabase();

let worker: EngineWorker;
beforeEach(async () => {
  worker = await startWorker({ concurrency: 5 });
});
afterEach(() => worker.stop());

const FIELDS = [{ name: 'person', label: 'Name', kind: 'text' as const }];

async function runsOf({ workflowId }: TestForm): Promise<unknown[]> {
  const { rows } = await databasePool().query('SELECT input FROM execution WHERE workflow_id = $1 ORDER BY id', [
    workflowId,
  ]);
  return rows.map(({ input }) => input);
}

async function opened(page: string): Promise<[Browser, string]> {
  const browser = new Browser();
  return [browser, tokenIn((await browser.go('GET', page)).text)];
}

test.each([
  ['a message', { mode: 'message', message: 'Thank you' }, 200],
  ['an address', { mode: 'redirect', url: 'https://shop.example/thanks' }, 303],
])('a double click starts one run, and both answers are the same: %s', async (_, response, status) => {
  const of = await buildForm({ fields: FIELDS, response });
  const [browser, token] = await opened(of.page);
  const send = () => post(browser, of.page, { _token: token, _website: '', person: 'Ada' });
  const [first, second] = await Promise.all([send(), send()]);
  expect([first.status, second.status, second.text]).toEqual([status, status, first.text]);
  const third = await send();
  expect([third.status, third.text]).toEqual([status, first.text]);
  expect(await runsOf(of)).toEqual([{ person: 'Ada' }]);
});

test('a repetition shows the output of the first run', async () => {
  const definition = flow(
    { start: { type: 'start' }, say: { type: 'transform', config: { expression: '"Hello " & input.person' } } },
    ['start>say'],
  );
  const of = await buildForm({ fields: FIELDS, response: { mode: 'run_output', timeoutMs: 30_000 } }, { definition });
  const [browser, token] = await opened(of.page);
  const send = () => post(browser, of.page, { _token: token, _website: '', person: 'Ada' });
  const [first, second] = await Promise.all([send(), send()]);
  expect(first.text).toContain('Hello Ada');
  expect(second.text).toBe(first.text);
  expect((await send()).text).toBe(first.text);
  expect(await runsOf(of)).toHaveLength(1);
});

test('other content of the same page is another run, and so is the same content of another page', async () => {
  const of = await buildForm({ fields: FIELDS });
  const [browser, token] = await opened(of.page);
  await post(browser, of.page, { _token: token, _website: '', person: 'Ada' });
  await post(browser, of.page, { _token: token, _website: '', person: 'Bob' });
  const again = tokenIn((await browser.go('GET', of.page)).text);
  await post(browser, of.page, { _token: again, _website: '', person: 'Ada' });
  expect(await runsOf(of)).toEqual([{ person: 'Ada' }, { person: 'Bob' }, { person: 'Ada' }]);
});

test('a page of one form is of no use for the form of another workspace', async () => {
  const [mine, theirs] = await Promise.all([buildForm({ fields: FIELDS }), buildForm({ fields: FIELDS })]);
  const [browser, token] = await opened(mine.page);
  const values = { _token: token, _website: '', person: 'Ada' };
  expect((await post(browser, theirs.page, values)).status).toBe(403);
  expect((await post(browser, mine.page, values)).status).toBe(200);
  expect([await runsOf(mine), await runsOf(theirs)]).toEqual([[{ person: 'Ada' }], []]);
});

test('what was refused may be sent again', async () => {
  const of = await buildForm({ fields: [{ ...FIELDS[0]!, required: true }] });
  const [browser, token] = await opened(of.page);
  expect((await post(browser, of.page, { _token: token, _website: '', person: '' })).status).toBe(400);
  expect((await post(browser, of.page, { _token: token, _website: '', person: 'Ada' })).status).toBe(200);
  expect(await runsOf(of)).toEqual([{ person: 'Ada' }]);
});
