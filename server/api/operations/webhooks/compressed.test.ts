import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { databasePool } from '@/server/platform/db/client';
import { documentedSignature } from '@/server/triggers/webhooks/verification';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Refused } from '@/server/testing/factories';
import { buildHook, buildHookWith, deliver, send, type TestHook } from '@/server/testing/hooks';
import { BYTES_PER_MIB } from '@/contract/units';

useDatabase();

const GZIP = { 'content-encoding': 'gzip' };
const bytesOf = (buffer: Buffer) => new Uint8Array(buffer);

async function inputOf(executionId: string): Promise<unknown> {
  const { rows } = await databasePool().query('SELECT input FROM execution WHERE id = $1', [executionId]);
  expect(rows).toHaveLength(1);
  return rows[0].input;
}

const open = () => buildHookWith({ path: 'in', verification: { kind: 'none' } });

async function taken(of: TestHook, bytes: Buffer, headers: Record<string, string>): Promise<unknown> {
  const { status, body } = await send(of.hook, { raw: bytesOf(bytes), headers });
  expect([status, body]).toMatchObject([202, { status: 'accepted' }]);
  return inputOf(body.executionId);
}

describe('a delivery that is compressed', () => {
  test('is read by its content type', async () => {
    const of = await open();
    const typed = (type: string, encoding = 'gzip') => ({ 'content-type': type, 'content-encoding': encoding });
    expect(await taken(of, gzipSync('{"no":1}'), typed('application/json'))).toEqual({ no: 1 });
    expect(await taken(of, brotliCompressSync('a=1&b=é'), typed('application/x-www-form-urlencoded', 'br'))).toEqual({
      a: '1',
      b: 'é',
    });
    expect(await taken(of, deflateRawSync('Grüße'), typed('text/plain', 'deflate'))).toBe('Grüße');
    const large = JSON.stringify({ text: 'x'.repeat(300_000) });
    expect(await taken(of, gzipSync(large), typed('application/json'))).toEqual(JSON.parse(large));
    const part = '--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--X--\r\n';
    expect(await taken(of, gzipSync(part), typed('multipart/form-data; boundary=X'))).toEqual({ a: '1' });
    const file = Buffer.alloc(200_000, 7);
    expect(await taken(of, gzipSync(file), typed('application/octet-stream'))).toMatchObject({ size: file.length });
    expect(await taken(of, Buffer.alloc(0), typed('application/json'))).toBeNull();
  });

  test('is signed over the bytes that were sent', async () => {
    const documented = await buildHook();
    const accepted = await deliver(documented.hook, bytesOf(gzipSync('{"no":1}')), {
      ...GZIP,
      'content-type': 'application/json',
    });
    expect(accepted.status).toBe(202);
    expect(await inputOf(accepted.body.executionId)).toEqual({ no: 1 });
    const secret = 'a secret of theirs';
    const of = await buildHookWith({ path: 'in', verification: { kind: 'provider', provider: 'github', secret } });
    const raw = bytesOf(gzipSync('{"no":2}'));
    const headers = { ...GZIP, 'content-type': 'application/json' };
    const signed = (bytes: Uint8Array) => ({ 'x-hub-signature-256': documentedSignature(secret, bytes) });
    expect((await send(of.hook, { raw, headers: { ...headers, ...signed(raw) } })).status).toBe(202);
    expect((await send(of.hook, { raw, headers: { ...headers, ...signed(Buffer.from('{"no":2}')) } })).status).toBe(
      401,
    );
  });

  test('is refused in words where it cannot be read', async () => {
    const of = await open();
    const refused = async (bytes: Buffer, encoding: string) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      const { status, body } = await send(of.hook, { raw: bytesOf(bytes), headers });
      return [status, (body as Refused).error.message];
    };
    expect(await refused(Buffer.from('{}'), 'compress')).toEqual([
      415,
      expect.stringMatching(/^The content encoding compress is not known\. Use gzip, deflate, br/),
    ]);
    expect(await refused(Buffer.from('{}'), 'gzip')).toEqual([400, 'The body is not valid gzip.']);
    const bomb = gzipSync(Buffer.alloc(11 * BYTES_PER_MIB, 32), { level: 9 });
    expect(bomb.length).toBeLessThan(64 * 1024);
    expect(await refused(bomb, 'gzip')).toEqual([
      413,
      `The body is larger than ${10 * BYTES_PER_MIB} bytes when it is decompressed.`,
    ]);
    const documented = await buildHook();
    const small = gzipSync(Buffer.alloc(2 * BYTES_PER_MIB, 32));
    expect(
      (await deliver(documented.hook, bytesOf(small), { ...GZIP, 'content-type': 'application/json' })).status,
    ).toBe(413);
  });
});

describe('a call of the API that is compressed', () => {
  test('is read up to the limit of its operation', async () => {
    const { token } = await buildUser();
    const headers = { ...GZIP, 'content-type': 'application/json' };
    const create = (text: string) =>
      call<{ name: string } & Refused>('POST', '/api/workflows', { token, raw: bytesOf(gzipSync(text)), headers });
    const definition = { nodes: [], connections: [] };
    const made = await create(JSON.stringify({ name: 'compressed', definition }));
    expect([made.status, made.body.name]).toEqual([201, 'compressed']);
    const bomb = await create(JSON.stringify({ name: 'x', description: ' '.repeat(20 * BYTES_PER_MIB), definition }));
    expect([bomb.status, bomb.body.error.code]).toEqual([413, 'VALIDATION_ERROR']);
    const unknown = await call<Refused>('POST', '/api/workflows', {
      token,
      raw: '{}',
      headers: { ...headers, 'content-encoding': 'lzma' },
    });
    expect([unknown.status, unknown.headers.get('accept-encoding')]).toEqual([
      415,
      expect.stringMatching(/^gzip, deflate, br/),
    ]);
  });

  test('stores the file that was compressed for its way', async () => {
    const { token } = await buildUser();
    const content = Buffer.from('content '.repeat(10_000));
    const stored = await call<{ size: number }>('POST', '/api/files', {
      token,
      raw: bytesOf(gzipSync(content)),
      headers: { ...GZIP, 'content-type': 'text/plain' },
    });
    expect([stored.status, stored.body.size]).toEqual([201, content.length]);
  });
});
