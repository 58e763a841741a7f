import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '@/server/testing/database';
import { startWorkerProcess } from '@/server/testing/processes/service';
import { until } from '@/server/testing/runs';

let database: Awaited<ReturnType<typeof freshDatabase>>;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

/** A program that is loaded before the service, and does something once that has begun. */
const loadBefore = (statement: string): string => {
  const program = `const timer = setInterval(() => {
    if (!globalThis[Symbol.for('weft.runtime')]) return;
    clearInterval(timer);
    ${statement}
  }, 20)`;
  return `--import=data:text/javascript,${encodeURIComponent(program)}`;
};

interface Line {
  level: number;
  msg: string;
}
/** Its lines; throws if one is not JSON. */
const linesOf = (output: string): Line[] =>
  output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

it('every line is JSON, from the start to the end, also those of libraries and of Node.js', async () => {
  const chatter = `process.emitWarning('of Node'); console.log('two\\nlines'); console.error('trouble %d', 7)`;
  const worker = await startWorkerProcess(`${database.url}?sslmode=disable&application_name=json`, {
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'debug',
    NODE_OPTIONS: loadBefore(chatter),
  });
  await until(async () => worker.output().includes('trouble'), 'the last message');
  await worker.end('SIGTERM');
  const lines = linesOf(worker.output());
  const found = (word: string) => lines.filter(({ msg }) => msg.includes(word)).map(({ level }) => level);
  expect(found('is ready')).toEqual([30]);
  expect(found('two\nlines')).toEqual([30]);
  expect(found('of Node')).toEqual([40]);
  expect(found('trouble 7')).toEqual([40]);
  expect(found('Stopped.')).toEqual([30]);
});

it('the reason for which a process ends is JSON, too', async () => {
  const worker = await startWorkerProcess(database.url, {
    LOG_FORMAT: 'json',
    NODE_OPTIONS: loadBefore(`setTimeout(() => { throw new Error('fatal') }, 500)`),
  });
  await worker.gone;
  expect(linesOf(worker.output()).at(-1)).toMatchObject({
    level: 50,
    msg: expect.stringMatching(/^Error: fatal\n +at /),
  });
});

it('a start that fails says so in JSON', async () => {
  const failed = await startWorkerProcess(database.url, { LOG_FORMAT: 'json', WORKER_CONCURRENCY: 'many' }).catch(
    (error: Error) => error.message,
  );
  const output = String(failed).replace('The process ended before it was ready: ', '');
  expect(linesOf(output).map(({ level, msg }) => [level, msg.includes('WORKER_CONCURRENCY')])).toEqual([[50, true]]);
});
