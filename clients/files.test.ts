import { createReadStream } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listenOn, textOf } from '@/server/testing/listen';
import { Weft } from './typescript/src/client.js';
import type { FileSource } from './typescript/src/files.js';

let service: Awaited<ReturnType<typeof listenOn>>;
let requests: string[];
/** Uploads have different names: a request of the one before may arrive late. */
let uploads = 0;

beforeAll(async () => {
  service = await listenOn((request, response) => {
    const [name] = /upload-\d+/.exec(request.headers['content-disposition'] ?? '') ?? [];
    if (name === undefined || name === `upload-${uploads}`) requests.push(request.url ?? '');
    // A source that fails ends the request in its middle.
    void textOf(request)
      .then((text) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ text })))
      .catch(() => undefined);
  });
});
afterAll(() => service.close());

/** What the upload of a source ends with, and the requests of it. */
async function upload(source: FileSource, options: object = { apiKey: 'wk_test' }) {
  requests = [];
  uploads += 1;
  const weft = new Weft({ url: service.url, retryDelaysMs: [0, 0], ...options });
  const [ended] = await Promise.allSettled([weft.files.upload(source, { name: `upload-${uploads}` })]);
  return ended.status === 'fulfilled' ? ended.value : ended.reason;
}

const NONE = '/no/such/file';
const broken = new Error('The source broke.');

async function* breaking() {
  yield new Uint8Array(100_000);
  throw broken;
}
const breakingStream = () =>
  new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(10)),
    pull: (controller) => controller.error(broken),
  });

it('a stream that fails before it is read rejects with its error', async () => {
  const missing = expect.objectContaining({ code: 'ENOENT', path: NONE });
  expect(await upload(createReadStream(NONE))).toEqual(missing);
  expect(await upload(() => createReadStream(NONE))).toEqual(missing);
  // The call of the person before it takes longer than the stream needs to fail.
  const tokens = { accessToken: 'access', refreshToken: 'refresh' };
  expect(await upload(createReadStream(NONE), { tokens })).toEqual(missing);
  expect(requests[0]).toBe('/api/auth/me');
});

it.each<[string, FileSource]>([
  ['a generator', breaking()],
  ['a function', breaking],
  ['a stream of the web', breakingStream()],
  ['a function that opens one', breakingStream],
  [
    'a function that throws',
    () => {
      throw broken;
    },
  ],
])('the error of %s is that of the upload, at once', async (_what, source) => {
  expect(await upload(source)).toBe(broken);
  expect(requests.length).toBeLessThan(2);
});

it('a lost connection is one, and what a function opens is sent again', async () => {
  await expect(
    new Weft({ url: 'http://127.0.0.1:1', apiKey: 'wk_test' }).files.upload(new Blob(['a']).stream()),
  ).rejects.toMatchObject({ name: 'WeftConnectionError' });
  expect(await upload(new Blob(['one']).stream())).toEqual({ text: 'one' });
  expect(await upload(() => new Blob(['two']).stream())).toEqual({ text: 'two' });
});
