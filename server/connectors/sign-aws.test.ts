import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import S3rver from '@20minutes/s3rver';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OutboundRequest, SignableRequest } from '@/server/network/outbound/outbound';
import { useDatabase } from '@/server/testing/database';
import { listenOn } from '@/server/testing/listen';
import { sendWithCredential } from './credential-handle';
import type { OpenCredential } from './open-credential';
import { signatureScope, createAwsSigner, signAwsRequest } from './sign-aws';

useDatabase();

/** The keys that the server of the tests knows. */
const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

const credentialOf = (config: Record<string, unknown>): OpenCredential => ({
  id: 'cred_1',
  workspaceId: 'ws_1',
  name: 'Keys',
  type: 'aws',
  connectorId: null,
  status: 'active',
  config,
  secrets: [],
  expiresAt: null,
  tokenGeneration: 0,
  version: 1,
});
const send = (config: Record<string, unknown>, request: Omit<OutboundRequest, 'workspaceId'>) =>
  sendWithCredential({ credential: credentialOf(config), isRenewable: false, renew: async () => undefined }, request);

const { signal } = new AbortController();
const sign = (config: Record<string, unknown>, request: SignableRequest) =>
  createAwsSigner(credentialOf(config))(request, signal);

/** A body that is read as often as it is sent. */
function streamed(text: string) {
  const opened = vi.fn<() => void>();
  const open = () => {
    opened();
    return Readable.from([Buffer.from(text.slice(0, 5)), Buffer.from(text.slice(5))]);
  };
  return { opened, body: { length: Buffer.byteLength(text), open } };
}

describe('the published examples', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const at = (time: string) => vi.useFakeTimers({ now: new Date(time), toFake: ['Date'] });
  const signatureIn = (headers: Record<string, string>) =>
    /Signature=([0-9a-f]{64})$/.exec(headers['authorization'] ?? '')?.[1];

  // Of the test suite of Signature Version 4.
  it.each([
    ['GET', '/', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    ['POST', '/', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    ['GET', '/?Param2=value2&Param1=value1', 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500'],
  ])('%s %s', async (method, target, signature) => {
    at('2015-08-30T12:36:00Z');
    const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
    const url = new URL(`https://example.amazonaws.com${target}`);
    const scope = { service: 'service', region: 'us-east-1' };
    const headers = await signAwsRequest(keys, scope, { target, url, method, headers: {}, body: undefined }, signal);
    expect(headers['authorization']).toContain('Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request');
    expect(signatureIn(headers)).toBe(signature);
  });

  // Of the guide of S3.
  it.each([
    ['?lifecycle', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
    ['?max-keys=2&prefix=J', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  ])('S3: GET /%s', async (query, signature) => {
    at('2013-05-24T00:00:00Z');
    const keys = {
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    };
    const url = new URL(`https://examplebucket.s3.amazonaws.com/${query}`);
    // Headers that others may change on the way are not signed.
    const request = {
      target: '/',
      url,
      method: 'GET',
      headers: { accept: '*/*', authorization: 'own' },
      body: undefined,
    };
    const headers = await sign(keys, request);
    expect(signatureIn(headers)).toBe(signature);
    expect(headers).toMatchObject({ accept: '*/*', 'x-amz-date': '20130524T000000Z' });
  });
});

describe('the scope of a signature', () => {
  const own = { service: 'own', region: 'own-region-1' };

  it.each([
    ['https://s3.eu-central-1.amazonaws.com/bucket', 's3', 'eu-central-1'],
    ['https://bucket.s3.eu-west-3.amazonaws.com/', 's3', 'eu-west-3'],
    ['https://dynamodb.us-east-1.amazonaws.com/', 'dynamodb', 'us-east-1'],
    ['https://sqs.eu-west-1.amazonaws.com/1/queue', 'sqs', 'eu-west-1'],
    ['https://sns.us-east-2.amazonaws.com/', 'sns', 'us-east-2'],
    ['https://lambda.ap-south-1.amazonaws.com/', 'lambda', 'ap-south-1'],
    ['https://email.eu-west-1.amazonaws.com/v2/email', 'ses', 'eu-west-1'],
    ['https://abc123.execute-api.eu-west-1.amazonaws.com/live', 'execute-api', 'eu-west-1'],
    ['https://abc123.lambda-url.eu-west-1.on.aws/', 'lambda', 'eu-west-1'],
    ['https://bedrock-runtime.us-west-2.amazonaws.com/model', 'bedrock', 'us-west-2'],
    // The host names the service only.
    ['https://bucket.s3.amazonaws.com/', 's3', 'own-region-1'],
    ['https://iam.amazonaws.com/', 'iam', 'own-region-1'],
    // It names neither.
    ['https://storage.example.com/bucket', 'own', 'own-region-1'],
    ['http://127.0.0.1:9000/bucket', 'own', 'own-region-1'],
    ['https://bucket.vpce-1a.s3.us-east-1.vpce.amazonaws.com/', 'own', 'own-region-1'],
  ])('for %s is %s in %s', (url, service, region) => {
    expect(signatureScope(credentialOf(own), new URL(url))).toEqual({ service, region });
  });

  it('has the standard region, and needs a service', () => {
    const url = new URL('https://storage.example.com/');
    expect(signatureScope(credentialOf({ service: 's3' }), url)).toEqual({ service: 's3', region: 'us-east-1' });
    expect(signatureScope(credentialOf({}), new URL('https://iam.amazonaws.com/'))).toEqual({
      service: 'iam',
      region: 'us-east-1',
    });
    expect(() => signatureScope(credentialOf({ region: 'eu-west-1' }), url)).toThrow(
      'storage.example.com is no host of AWS: enter the service, such as s3, in the credential "Keys".',
    );
  });
});

describe('a storage that checks signatures', () => {
  let folder: string;
  let server: S3rver;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'weft-aws-'));
    server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: folder,
      configureBuckets: [{ name: 'bucket' }],
    });
    url = `http://127.0.0.1:${(await server.run()).port}/bucket`;
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const config = { ...KEYS, service: 's3', region: 'eu-west-1' };

  it('accepts texts, streams, unusual names and queries', async () => {
    const key = `${url}/a%20b/c(1)!'*%2B=&~%C3%BC.txt`;
    const headers = { 'content-type': 'text/plain', 'x-amz-meta-note': '  two   words ' };
    expect((await send(config, { url: key, method: 'PUT', headers, body: 'the text' })).status).toBe(200);
    expect(String((await send(config, { url: key })).body)).toBe('the text');
    const { body, opened } = streamed('streamed content');
    expect((await send(config, { url: `${url}/stream`, method: 'PUT', body })).status).toBe(200);
    // Once for its hash, once to be sent.
    expect(opened).toHaveBeenCalledTimes(2);
    expect(String((await send(config, { url: `${url}/stream` })).body)).toBe('streamed content');
    const listed = await send(config, { url: `${url}?list-type=2&prefix=str&delimiter=%2F` });
    expect(String(listed.body)).toContain('<Key>stream</Key>');
    expect((await send(config, { url: `${url}/stream`, method: 'DELETE' })).status).toBe(204);
  });

  it('refuses another key', async () => {
    const wrong = await send({ ...config, secretAccessKey: 'other' }, { url: `${url}/x`, method: 'PUT', body: 'x' });
    expect(wrong.status).toBe(403);
    expect(String(wrong.body)).toContain('SignatureDoesNotMatch');
  });
});

it('a stream to S3 over TLS is sent without its hash, one to another service with it', async () => {
  const { body, opened } = streamed('content');
  const request = { target: '/', method: 'PUT', headers: {}, body };
  const toS3 = await sign(KEYS, { ...request, url: new URL('https://b.s3.eu-west-1.amazonaws.com/k') });
  expect([toS3['x-amz-content-sha256'], opened.mock.calls.length]).toEqual(['UNSIGNED-PAYLOAD', 0]);
  const other = await sign(KEYS, { ...request, url: new URL('https://lambda.eu-west-1.amazonaws.com/') });
  expect(other['x-amz-content-sha256']).toBe('ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73');
});

it('a header that cannot be signed is refused', async () => {
  const headers = { 'x-amz-meta-a': 'line\nbreak' };
  const request = {
    target: '/b',
    url: new URL('https://s3.eu-west-1.amazonaws.com/b'),
    method: 'GET',
    headers,
    body: undefined,
  };
  await expect(sign(KEYS, request)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

describe('a redirect', () => {
  type Party = Awaited<ReturnType<typeof listenOn>> & { seen: IncomingMessage[] };
  let own: Party;
  let other: Party;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;

  const listen = async (): Promise<Party> => {
    const seen: IncomingMessage[] = [];
    const party = await listenOn((request, response) => {
      seen.push(request);
      request.resume();
      answer(request, response);
    });
    return { ...party, seen };
  };
  beforeAll(async () => {
    own = await listen();
    other = await listen();
  });
  afterEach(() => {
    own.seen.length = 0;
    other.seen.length = 0;
  });
  afterAll(() => Promise.all([own.close(), other.close()]));

  const config = { ...KEYS, sessionToken: 'session-canary', service: 's3' };
  const signatures = ({ seen }: Party) => seen.map(({ headers }) => headers.authorization);

  it('within the host is signed for its own address', async () => {
    answer = ({ url }, response) =>
      url === '/in' ? response.writeHead(307, { location: '/there' }).end() : response.end();
    await send(config, { url: `${own.url}/in`, method: 'PUT', body: 'x' });
    const [first, second] = signatures(own);
    expect(first).toContain('AWS4-HMAC-SHA256 Credential=S3RVER/');
    expect(second).toContain('AWS4-HMAC-SHA256 Credential=S3RVER/');
    expect(second).not.toBe(first);
  });

  it('to another host is followed without signature and token, also when it leads back', async () => {
    answer = ({ url }, response) => {
      if (url === '/in') response.writeHead(302, { location: `${other.url}/out` }).end();
      else if (url === '/out') response.writeHead(302, { location: `${own.url}/back` }).end();
      else response.end();
    };
    await send(config, { url: `${own.url}/in` });
    expect(own.seen.map(({ url }) => url)).toEqual(['/in', '/back']);
    expect(signatures(own)).toEqual([expect.stringContaining('AWS4-HMAC-SHA256'), undefined]);
    expect(signatures(other)).toEqual([undefined]);
    const [, back] = own.seen;
    const sent = JSON.stringify([other.seen[0]?.rawHeaders, back?.rawHeaders]);
    expect(sent).not.toMatch(/session-canary|S3RVER|x-amz/i);
  });

  it('does not lead around the allowed hosts', async () => {
    const limited = { ...config, allowedHosts: ['*.amazonaws.com'] };
    await expect(send(limited, { url: own.url })).rejects.toMatchObject({ code: 'CREDENTIAL_HOST' });
    expect(own.seen).toEqual([]);
  });
});
