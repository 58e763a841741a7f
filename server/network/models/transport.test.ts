import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { closeOutboundConnections } from '@/server/network/outbound/connections';
import { NO_SECRETS_REDACTOR } from '@/server/evaluation/redaction/redactor';
import { setRuntime } from '@/server/platform/runtime';
import { listenOn } from '@/server/testing/listen';
import { createStreamingFetch } from './transport';

let server: Awaited<ReturnType<typeof listenOn>>;
let answer: (response: ServerResponse) => void;
beforeEach(async () => {
  setRuntime({ env: { egressAllowPrivate: true, logLevel: 'silent' } } as unknown as Parameters<typeof setRuntime>[0]);
  server = await listenOn((_, response) => answer(response));
});
afterEach(async () => {
  await closeOutboundConnections();
  await server.close();
  setRuntime(undefined);
});

const ask = () =>
  createStreamingFetch('The server', {
    workspaceId: 'ws_1',
    signal: new AbortController().signal,
    secrets: NO_SECRETS_REDACTOR,
  })(server.url);

it('gives the events of an answer while they arrive', async () => {
  let response: ServerResponse | undefined;
  answer = (given) => void (response = given).writeHead(200).write('data: one\n\ndata:');
  const reader = (await ask()).body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe('data: one\n\n');
  response!.end(' two');
  expect((await reader.read()).value).toBe('data: two');
  expect((await reader.read()).done).toBe(true);
});

it('takes a reader that cancels after the last part', async () => {
  answer = (response) => response.writeHead(200).end('all of it');
  const reader = (await ask()).body!.getReader();
  await reader.read();
  await reader.cancel();
  // The end of the answer arrives now. An error in it would fail the test run.
  await closeOutboundConnections();
});

it('ends the call of a reader that cancels', async () => {
  const closed = new Promise<void>((resolve) => {
    answer = (response) => void response.once('close', resolve).writeHead(200).write('a part');
  });
  await (await ask()).body!.cancel();
  await closed;
});

it('fails with the reason of a refusal, and with a connection that breaks', async () => {
  answer = (response) =>
    response.writeHead(429, { 'content-type': 'application/json' }).end('{"error":{"message":"slower"}}');
  await expect(ask()).rejects.toMatchObject({ code: 'HTTP_STATUS', message: 'The server answered 429: slower' });
  answer = (response) => response.writeHead(200).write('one ', () => response.destroy());
  await expect((await ask()).text()).rejects.toMatchObject({ code: 'CONNECT' });
});
