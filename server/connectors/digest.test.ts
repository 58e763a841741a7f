import { createHash, randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { closeOutboundConnections } from '@/server/network/outbound/connections';
import { useDatabase } from '@/server/testing/database';
import { buildCredential, buildUser, call, type TestUser } from '@/server/testing/factories';
import { listenOn, textOf } from '@/server/testing/listen';
import { runNode } from '@/server/testing/one-node';
import { digestAuthorization, findDigestChallenge, readNextNonce, type DigestChallenge } from './digest-response';
import { parseAuthChallenges } from './digest-challenge';

useDatabase();

const challengeIn = (header: string) => findDigestChallenge(header) as DigestChallenge;

describe('the examples of the standards', () => {
  const RFC7616 = {
    method: 'GET',
    target: '/dir/index.html',
    username: 'Mufasa',
    password: 'Circle of Life',
    count: 1,
    cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  };
  it.each([
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ])('RFC 7616, 3.9.1, %s', (algorithm, response) => {
    const header = `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`;
    expect(digestAuthorization(challengeIn(header), RFC7616)).toBe(
      `Digest username="Mufasa", realm="http-auth@example.org", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", uri="/dir/index.html", algorithm=${algorithm}, nc=00000001, qop=auth, cnonce="${RFC7616.cnonce}", response="${response}", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`,
    );
  });

  it('RFC 7616, 3.9.2: the hash of the user name', () => {
    const header =
      'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true';
    const user = {
      username: 'J\u00e4s\u00f8n Doe',
      password: 'Secret, or not?',
      cnonce: 'NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm',
    };
    const answer = digestAuthorization(challengeIn(header), { ...RFC7616, ...user, target: '/doe.json' });
    expect(answer).toContain(
      'username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b", userhash=true',
    );
  });

  it('RFC 2617, 3.5', () => {
    const header =
      'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"';
    const request = { ...RFC7616, password: 'Circle Of Life', cnonce: '0a4f113b' };
    expect(digestAuthorization(challengeIn(header), request)).toContain('response="6629fae49393a05397450978507c4ef1"');
  });
});

describe('a challenge', () => {
  it.each<[string, Partial<DigestChallenge> | { unsupported: string } | undefined]>([
    ['Basic realm="a, Digest nonce=\\"x\\"", Digest nonce=abc , realm=b', { nonce: 'abc', realm: 'b', hasQop: false }],
    ['digest REALM="q\\"q", NONCE="n", STALE=TRUE, qop=auth', { realm: 'q"q', isStale: true, hasQop: true }],
    ['NTLM, Negotiate abc==, Digest nonce="n", algorithm=md5-SESS', { algorithm: 'md5-SESS' }],
    ['Digest nonce=a, algorithm=SHA-3, Digest nonce=b, algorithm="SHA-256"', { nonce: 'b', algorithm: 'SHA-256' }],
    ['Digest nonce=a, qop="auth-int"', { unsupported: 'algorithm MD5, qop auth-int' }],
    ['Digest nonce=a, algorithm=constructor', { unsupported: 'algorithm constructor, qop none' }],
    ['Digest realm=a', undefined],
    ['Bearer', undefined],
    ['', undefined],
    ['"', undefined],
  ])('%s', (header, found) => {
    const challenge = findDigestChallenge(header);
    if (found === undefined) expect(challenge).toBeUndefined();
    else expect(challenge).toMatchObject(found);
  });

  it('is read in linear time', () => {
    for (const part of ['Digest ', 'a="', 'a=b,', '=,', '"\\', ' , ']) parseAuthChallenges(part.repeat(20_000));
  });

  it('the next nonce is in Authentication-Info', () => {
    expect(readNextNonce('qop=auth, nextnonce="n2", rspauth="x"')).toBe('n2');
    expect(readNextNonce('qop=auth')).toBeUndefined();
  });

  it('a name that is no ASCII is sent as the server reads it', () => {
    const request = { method: 'GET', target: '/', username: "Jäs'n", password: 'p', count: 1, cnonce: 'c' };
    expect(digestAuthorization(challengeIn('Digest nonce=n, charset=UTF-8'), request)).toContain(
      "username*=UTF-8''J%C3%A4s%27n,",
    );
    const bytes = digestAuthorization(challengeIn('Digest nonce=n'), request);
    expect(Buffer.from(bytes, 'latin1').toString()).toContain('username="Jäs\'n"');
  });
});

const PASSWORD = 'secret-digest-password';
interface Rules {
  algorithm?: string;
  qop?: string;
  /** Uses of a nonce before it is stale. */
  uses?: number;
  namesNext?: boolean;
}

/** A server that checks digests by its own reading of RFC 7616. */
function digestServer(rules: () => Rules) {
  const seen: { url: string; authorization: string | undefined; body: string; status: number }[] = [];
  const nonces = new Map<string, number>();
  const newNonce = () => {
    const nonce = randomUUID();
    nonces.set(nonce, 0);
    return nonce;
  };
  const listener: RequestListener = (request, response) =>
    void textOf(request).then((body) => {
      const { algorithm = 'MD5', qop, uses = 100, namesNext } = rules();
      const { authorization } = request.headers;
      const field = (name: string) => new RegExp(`[ ,]${name}="?([^",]*)"?`).exec(authorization ?? '')?.[1] ?? '';
      const hash = (text: string) =>
        createHash(algorithm.startsWith('SHA-256') ? 'sha256' : 'md5')
          .update(text)
          .digest('hex');
      const end = (status: number, headers: Record<string, string>) => {
        seen.push({ url: request.url ?? '', authorization, body, status });
        response.writeHead(status, headers).end(status === 200 ? 'welcome' : 'refused');
      };
      const used = nonces.get(field('nonce'));
      const isSession = algorithm.endsWith('-sess');
      let secret = hash(`ada:the realm:${PASSWORD}`);
      if (isSession) secret = hash(`${secret}:${field('nonce')}:${field('cnonce')}`);
      const asked = hash(`${request.method}:${request.url}`);
      const middle = qop ? `${field('nonce')}:${field('nc')}:${field('cnonce')}:auth` : field('nonce');
      const isRight =
        authorization?.startsWith('Digest ') && field('response') === hash(`${secret}:${middle}:${asked}`);
      const isStale = isRight && (used === undefined || used >= uses || (qop && parseInt(field('nc'), 16) <= used));
      if (isRight && !isStale && field('uri') === request.url) {
        nonces.set(field('nonce'), (used ?? 0) + 1);
        return end(200, namesNext ? { 'authentication-info': `nextnonce="${newNonce()}"` } : {});
      }
      const parts = [`realm="the realm"`, `nonce="${newNonce()}"`, `algorithm=${algorithm}`, 'opaque="o"'];
      if (qop) parts.push(`qop="${qop}"`);
      if (isStale) parts.push('stale=true');
      end(401, { 'www-authenticate': `Digest ${parts.join(', ')}` });
    });
  return { seen, listener };
}

describe('a server with digest authentication', () => {
  let rules: Rules;
  let worker: EngineWorker;
  let user: TestUser;
  let url: string;
  let close: () => Promise<void>;
  const server = digestServer(() => rules);

  beforeAll(async () => {
    ({ url, close } = await listenOn(server.listener));
    worker = await startWorker({ concurrency: 5, graceMs: 200 });
    user = await buildUser();
  });
  beforeEach(() => {
    rules = {};
    server.seen.length = 0;
  });
  afterAll(async () => {
    await worker.stop();
    await closeOutboundConnections();
    await close();
  });

  const credentialFor = (config: object = {}) =>
    buildCredential(user, 'basic_auth', { username: 'ada', password: PASSWORD, digest: true, ...config });
  const run = async (credentialId: string, config: object = {}) =>
    runNode(user, { type: 'http_request', credentialId, config: { url: `${url}/a?b=c%20d&e='`, ...config } });
  const statuses = () => server.seen.map(({ status }) => status);

  test.each<Rules>([
    { qop: 'auth' },
    { qop: 'auth-int,auth', algorithm: 'SHA-256' },
    { qop: 'auth', algorithm: 'MD5-sess' },
    { qop: 'auth', algorithm: 'SHA-256-sess' },
    {},
  ])('%j', async (given) => {
    rules = given;
    const { output, text } = await run(await credentialFor(), { method: 'POST', body: 'content' });
    expect(output).toMatchObject({ status: 200, body: 'welcome' });
    expect(statuses()).toEqual([401, 200]);
    expect(server.seen.map(({ body }) => body)).toEqual(['content', 'content']);
    expect(JSON.stringify(server.seen)).not.toMatch(/Basic|secret-digest/);
    expect(text).not.toContain(PASSWORD);
  });

  test('later requests use the nonce again, the next one that the server names, and a new one if it is stale', async () => {
    const credentialId = await credentialFor();
    rules = { qop: 'auth' };
    await run(credentialId);
    await run(credentialId);
    expect(statuses()).toEqual([401, 200, 200]);
    expect(server.seen[2]?.authorization).toContain('nc=00000002');
    rules = { qop: 'auth', uses: 2 };
    expect((await run(credentialId)).output).toMatchObject({ status: 200 });
    expect(statuses().slice(3)).toEqual([401, 200]);
    rules = { qop: 'auth', uses: 1, namesNext: true };
    await run(credentialId);
    server.seen.length = 0;
    await run(credentialId);
    await run(credentialId);
    expect(statuses()).toEqual([200, 200]);
  });

  test('a wrong password ends with the refusal, after two requests', async () => {
    rules = { qop: 'auth' };
    const wrong = await run(await credentialFor({ password: 'another-password' }));
    expect(wrong).toMatchObject({ code: 'HTTP_STATUS' });
    expect(statuses()).toEqual([401, 401]);
  });

  test('what is not supported is said; Basic is never sent instead', async () => {
    rules = { qop: 'auth-int' };
    expect(await run(await credentialFor())).toMatchObject({
      code: 'CREDENTIAL_REFUSED',
      message: expect.stringContaining('qop auth-int'),
    });
    const basic = await listenOn((_, response) =>
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end(),
    );
    const asked = await run(await credentialFor(), { url: basic.url }).finally(() => basic.close());
    expect(asked).toMatchObject({ code: 'HTTP_STATUS' });
    expect(asked.text).not.toContain(PASSWORD);
  });

  test('another origin that a redirect leads to gets no answer to its challenge', async () => {
    rules = { qop: 'auth' };
    const leading = await listenOn((_, response) => response.writeHead(307, { location: `${url}/a` }).end());
    const { code } = await run(await credentialFor(), { url: leading.url }).finally(() => leading.close());
    expect(code).toBe('HTTP_STATUS');
    expect(server.seen.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  test('pages of a list, files, and the test of a credential', async () => {
    rules = { qop: 'auth' };
    const credentialId = await credentialFor();
    const { output } = await run(credentialId, { responseType: 'file', failOnError: false });
    expect(output).toMatchObject({ status: 200, body: { size: 7 } });
    const pagination = { kind: 'page', items: '["x"]', until: 'page = 2' };
    expect((await run(credentialId, { pagination })).output).toMatchObject({ items: ['x', 'x'], pages: 2 });
    expect(statuses()).toEqual([401, 200, 200, 200]);
    const { token } = user;
    const tested = await call('POST', `/api/credentials/${credentialId}/test`, { token, body: { url } });
    expect(tested.body).toMatchObject({ ok: true });
  });

  test('to switch it off takes the password again: it would be sent', async () => {
    const { token } = user;
    const credentialId = await credentialFor();
    const update = (config: object) =>
      call('PATCH', `/api/credentials/${credentialId}`, { token, body: { config: { username: 'ada', ...config } } });
    expect((await update({ digest: false })).status).toBe(400);
    expect((await update({})).status).toBe(400);
    expect((await update({ digest: true })).status).toBe(200);
    expect((await update({ digest: false, password: PASSWORD })).status).toBe(200);
    expect((await update({ digest: true })).status).toBe(200);
  });
});
