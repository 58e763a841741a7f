import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databasePool } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildHookWith, type TestHook } from '@/server/testing/hooks';
import { createHttpServer } from './server';

useDatabase();

let server: Server;
let hook: TestHook;
beforeAll(async () => {
  server = createHttpServer((_, response) => response.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const methods = ['GET', 'POST', 'PUT', 'DELETE'];
  hook = await buildHookWith({ path: 'in/two', methods, verification: { kind: 'none' }, input: 'request' });
});
afterAll(() => void server.close());

/** Sends bytes as they are; resolves with all answers of the connection. */
async function sendBytes(...parts: (string | Buffer)[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  for (const part of parts) socket.write(part);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

const address = () => `/webhooks/${hook.workflowId}/in/two`;
const head = (method: string, target: string, more: string[] = []) =>
  [`${method} ${target} HTTP/1.1`, 'Host: x', ...more, 'Connection: close', '', ''].join('\r\n');

async function lastInput(answer: string): Promise<Record<string, unknown>> {
  const [, id] = /"executionId":"([\w-]+)"/.exec(answer) ?? [];
  const { rows } = await databasePool().query('SELECT input FROM execution WHERE id = $1', [id]);
  expect(rows, answer).toHaveLength(1);
  return rows[0].input as Record<string, unknown>;
}

test.each(['GET', 'POST', 'PUT', 'DELETE'])('%s: a slash at the end is the same path', async (method) => {
  expect(await lastInput(await sendBytes(head(method, `${address()}/?a=1`)))).toMatchObject({ query: { a: '1' } });
  expect(await sendBytes(head(method, `${address()}//`))).toContain('404');
});

test('a query of raw UTF-8 is read as UTF-8, also before a body that comes later', async () => {
  const got = await sendBytes(Buffer.from(head('GET', `${address()}?a=é&b=%C3%A9&名=日本`)));
  expect(await lastInput(got)).toMatchObject({ query: { a: 'é', b: 'é', 名: '日本' }, ip: '127.0.0.1' });
  const posted = head('POST', `${address()}?a=é`, ['Content-Type: text/plain', 'Content-Length: 5']);
  expect(await lastInput(await sendBytes(Buffer.from(posted), 'ha', 'llo'))).toMatchObject({
    query: { a: 'é' },
    body: 'hallo',
  });
});

test('a query in the bytes of another encoding is read as that of a form', async () => {
  const input = await lastInput(await sendBytes(Buffer.from(head('GET', `${address()}?a=é&b=x`), 'latin1')));
  expect(input).toMatchObject({ query: { a: 'é', b: 'x' } });
  expect(await lastInput(await sendBytes(head('GET', `${address()}?a=%E9`)))).toMatchObject({ query: { a: 'é' } });
});

test('such a connection ends with its answer; what else is wrong with an address is still refused', async () => {
  const open = head('GET', `${address()}?a=é`).replace('Connection: close', 'Connection: keep-alive');
  const answers = await sendBytes(Buffer.from(open + open));
  expect(answers.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
  expect(answers).toMatch(/connection: close/i);
  for (const target of ['/a b', '/a\u0001', `/\u0000é`]) {
    expect(await sendBytes(Buffer.from(head('GET', target), 'latin1'))).toMatch(/^HTTP\/1\.1 400 /);
  }
  expect(await sendBytes(Buffer.from(head('GET', '/webhooks/é/é'), 'utf8'))).toMatch(/^HTTP\/1\.1 404 /);
});

const typed = (...types: string[]) =>
  sendBytes(
    head('POST', address(), [...types.map((type) => `Content-Type: ${type}`), 'Content-Length: 8']),
    '{"no":1}',
  );

test('one content type that is sent twice is one; different ones are refused in words', async () => {
  expect(await lastInput(await typed('application/json', 'Application/JSON'))).toMatchObject({ body: { no: 1 } });
  const refused = await typed('application/json', 'text/plain');
  expect(refused).toMatch(/^HTTP\/1\.1 400 /);
  expect(refused).toContain('must be given once: this request says application/json and text/plain');
});

test('a part of a form without a name is refused in words', async () => {
  const body = '--XX\r\nContent-Disposition: form-data; filename="x.bin"\r\n\r\nhey\r\n--XX--\r\n';
  const lines = ['Content-Type: multipart/form-data; boundary="XX"', `Content-Length: ${body.length}`];
  const refused = await sendBytes(head('POST', address(), lines), body);
  expect(refused).toMatch(/^HTTP\/1\.1 400 /);
  expect(refused).toContain('The form has a part without a name.');
});
