import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parseAllowedHosts, parseUnproxiedHosts } from '@/server/platform/env/host-rules';
import { sendMailByServer } from '@/server/network/mail/smtp';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { buildCertificate } from '@/server/testing/certificates';
import { startConnectProxy } from '@/server/testing/servers/proxy';
import { listenRaw } from '@/server/testing/servers/raw';
import { closeOutboundConnections } from './connections';
import { isEgressAllowed } from './egress';
import type { NameService } from './name-service';
import { NameResolver } from './names';
import { sendOutboundRequest } from './outbound';
import { OutboundSocket } from './socket';

/** DNS as an attacker may serve it: each question gets the next answer. */
function playNames(known: Record<string, string[][]>): void {
  const rounds: Record<string, number> = {};
  const answers = (family: 4 | 6) => async (name: string) => {
    const round = known[name];
    if (!round) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
    const turn = (rounds[`${family} ${name}`] = (rounds[`${family} ${name}`] ?? 0) + 1);
    const found = (round[turn - 1] ?? round.at(-1) ?? []).filter((one) => one.includes(':') === (family === 6));
    if (found.length === 0) throw Object.assign(new Error('none'), { code: 'ENODATA' });
    return found.map((address) => ({ address, ttl: 0 }));
  };
  const service: NameService = {
    resolve4: answers(4),
    resolve6: answers(6),
    files: async () => ({ hosts: '', resolvConf: '' }),
  };
  getRuntime().names = new NameResolver(service);
}

/** Settings of this process, as an operator writes them. */
function configure(given: { allow?: string; proxy?: string; unproxied?: string; isTrusted?: boolean }): void {
  Object.assign(getRuntime().env, {
    egressAllow: parseAllowedHosts(given.allow ?? ''),
    httpsProxy: given.proxy,
    noProxy: parseUnproxiedHosts(given.unproxied ?? ''),
    isEgressProxyTrusted: given.isTrusted ?? false,
  });
}

beforeEach(() => {
  setRuntime({ env: { egressAllowPrivate: false, deploymentEnv: 'selfhosted' } } as unknown as Parameters<
    typeof setRuntime
  >[0]);
  configure({});
});
afterEach(async () => {
  await closeOutboundConnections();
  setRuntime(undefined);
});

/** A server at an address of this machine that answers with the address at which it was reached. */
async function serve(host: string, location?: string): Promise<number> {
  const server = createServer(({ socket }, response) =>
    location ? response.writeHead(302, { location }).end() : response.end(socket.localAddress),
  );
  await once(server.listen(0, host), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

const bodyAt = async (url: string) => String((await sendOutboundRequest({ workspaceId: 'ws_a', url })).body);
const codeAt = (url: string) =>
  bodyAt(url).then(
    () => 'answered',
    ({ code }: { code: string }) => code,
  );

describe('EGRESS_ALLOW', () => {
  test('permits networks, single addresses and names, and nothing else that is private', async () => {
    const port = await serve('127.0.0.5');
    playNames({ 'db.corp.example': [['127.0.0.5']], 'other.example': [['127.0.0.5']] });
    const urls = [`http://127.0.0.5:${port}/`, `http://db.corp.example:${port}/`, `http://other.example:${port}/`];
    const outcomes = async (allow: string) => {
      configure({ allow });
      return Promise.all(urls.map(codeAt));
    };
    expect(await outcomes('')).toEqual(['EGRESS_DENIED', 'EGRESS_DENIED', 'EGRESS_DENIED']);
    expect(await outcomes('127.0.0.4/31')).toEqual(['answered', 'answered', 'answered']);
    expect(await outcomes('127.0.0.5')).toEqual(['answered', 'answered', 'answered']);
    expect(await outcomes('127.0.0.6, 10.0.0.0/8')).toEqual(['EGRESS_DENIED', 'EGRESS_DENIED', 'EGRESS_DENIED']);
    expect(await outcomes('DB.corp.example.')).toEqual(['EGRESS_DENIED', 'answered', 'EGRESS_DENIED']);
    expect(await outcomes('*.corp.example')).toEqual(['EGRESS_DENIED', 'answered', 'EGRESS_DENIED']);
    expect(await outcomes('corp.example')).toEqual(['EGRESS_DENIED', 'EGRESS_DENIED', 'EGRESS_DENIED']);
  });

  test('holds after redirects, for other spellings, for IPv6 and for mapped addresses', async () => {
    const six = await serve('::1');
    const four = await serve('127.0.0.5');
    const leading = await serve('127.0.0.5', `http://127.0.0.6:${four}/`);
    configure({ allow: '127.0.0.5, ::1' });
    expect(await codeAt(`http://127.0.0.5:${leading}/`)).toBe('EGRESS_DENIED');
    expect(await bodyAt(`http://[::1]:${six}/`)).toBe('::1');
    expect(await codeAt(`http://[::ffff:127.0.0.5]:${four}/`)).toBe('answered');
    expect(await codeAt(`http://0x7f000005:${four}/`)).toBe('answered');
    for (const host of ['[::ffff:127.0.0.6]', '[::]', '0.0.0.0', '2130706438', '0177.0.0.6']) {
      expect([host, await codeAt(`http://${host}:${four}/`)]).toEqual([host, 'EGRESS_DENIED']);
    }
  });

  test('a name leads only to what its addresses are at the time of the call', async () => {
    const port = await serve('127.0.0.5');
    playNames({ 'turns.example': [['127.0.0.5'], ['127.0.0.6']], 'both.example': [['127.0.0.6', '127.0.0.5']] });
    configure({ allow: '127.0.0.5' });
    expect(await bodyAt(`http://turns.example:${port}/`)).toBe('127.0.0.5');
    await closeOutboundConnections();
    expect(await codeAt(`http://turns.example:${port}/`)).toBe('EGRESS_DENIED');
    // The address that is not permitted is not tried.
    expect(await bodyAt(`http://both.example:${port}/`)).toBe('127.0.0.5');
  });

  test.each([
    '169.254.169.254',
    '169.254.0.9',
    '100.100.100.200',
    '192.0.0.192',
    'fd00:ec2::254',
    'fe80::1',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
  ])('no network and no name permits %s; the single address does', async (address) => {
    const single = address.replace('::ffff:', '').replace('64:ff9b::a9fe:a9fe', '169.254.169.254');
    configure({
      allow: '0.0.0.0/0, ::/0, 169.254.0.0/16, 169.254.169.254/31, fe80::/10, fd00::/8, metadata.example, *.example',
    });
    expect(isEgressAllowed(address, 'metadata.example')).toBe(false);
    expect(isEgressAllowed('10.1.2.3', 'metadata.example')).toBe(true);
    configure({ allow: single });
    expect(isEgressAllowed(address, address)).toBe(true);
    expect(isEgressAllowed('10.1.2.3', '10.1.2.3')).toBe(false);
  });

  test('holds for connections of drivers and for mail servers', async () => {
    const port = await listenRaw((socket) => socket.end('421 later\r\n'), '127.0.0.5');
    playNames({ 'mail.example': [['127.0.0.5']] });
    const outcome = (host: string) =>
      new Promise<string>((resolve) => {
        const socket = new OutboundSocket({ workspaceId: 'ws_a', host, port });
        socket.once('error', (error) => resolve((error as unknown as { code: string }).code));
        socket.connect().once('connect', () => resolve('connected'));
        socket.once('close', () => socket.destroy());
      });
    const mailed = (host: string) =>
      sendMailByServer(
        { host, port, secure: false },
        { from: 'a@b.example', to: 'c@d.example', text: 'x' },
        'ws_a',
      ).then(
        () => 'sent',
        ({ code }: { code: string }) => code,
      );
    for (const host of ['127.0.0.5', 'mail.example']) {
      configure({ allow: '127.0.0.6' });
      expect([host, await outcome(host), await mailed(host)]).toEqual([host, 'EGRESS_DENIED', 'MAIL_INVALID']);
      configure({ allow: host });
      // The server is reached, and says that it is not ready.
      expect([host, await outcome(host), await mailed(host)]).toEqual([host, 'connected', 'MAIL_UNREACHABLE']);
    }
  });
});

describe('HTTPS_PROXY', () => {
  test('is asked for addresses that were resolved and checked here, with its credentials', async () => {
    const port = await serve('127.0.0.5');
    const proxy = await startConnectProxy();
    playNames({ 'inside.example': [['127.0.0.5'], ['127.0.0.6']], 'denied.example': [['127.0.0.6']] });
    configure({ allow: '127.0.0.5', proxy: proxy.url.replace('//', '//ada:p%40ss@') });
    expect(await bodyAt(`http://inside.example:${port}/`)).toBe('127.0.0.5');
    expect(await codeAt(`http://denied.example:${port}/`)).toBe('EGRESS_DENIED');
    expect(await codeAt(`http://127.0.0.6:${port}/`)).toBe('EGRESS_DENIED');
    await closeOutboundConnections();
    // The name leads elsewhere now.
    expect(await codeAt(`http://inside.example:${port}/`)).toBe('EGRESS_DENIED');
    expect(proxy.asked).toEqual([`127.0.0.5:${port}`]);
    expect(proxy.credentials).toEqual(['ada:p@ss']);
  });

  test('carries TLS to the server itself, whose certificate is verified for its name', async () => {
    const { cert, key } = await buildCertificate();
    const names: (string | false | null)[] = [];
    const server = createSecureServer({ cert, key }, (_, response) => response.end('secret'));
    server.on('secureConnection', (socket: TLSSocket) =>
      names.push((socket as { servername?: string }).servername ?? null),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const proxy = await startConnectProxy();
    const { port } = server.address() as AddressInfo;
    configure({ allow: '127.0.0.1, ::1', proxy: proxy.url });
    expect(await codeAt(`https://localhost:${port}/`)).toBe('TLS');
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await bodyAt(`https://localhost:${port}/`)).toBe('secret');
    expect(names.at(-1)).toBe('localhost');
    expect(proxy.asked).toEqual([`127.0.0.1:${port}`, `127.0.0.1:${port}`]);
  });

  test('holds after redirects, and is passed over for what NO_PROXY names', async () => {
    const port = await serve('127.0.0.5');
    const leading = await serve('127.0.0.5', `http://127.0.0.6:${port}/`);
    const proxy = await startConnectProxy();
    playNames({ 'a.corp.example': [['127.0.0.5']], 'other.example': [['127.0.0.5']] });
    configure({ allow: '127.0.0.5', proxy: proxy.url, unproxied: `.corp.example, 127.0.0.5:${port}` });
    expect(await codeAt(`http://127.0.0.5:${leading}/`)).toBe('EGRESS_DENIED');
    expect(await codeAt(`http://127.0.0.5:${port}/`)).toBe('answered');
    expect(await codeAt(`http://a.corp.example:${port}/`)).toBe('answered');
    expect(await codeAt(`http://other.example:${port}/`)).toBe('answered');
    expect(proxy.asked).toEqual([`127.0.0.5:${leading}`, `127.0.0.5:${port}`]);
  });

  test('resolves names by itself if the operator trusts it; addresses in calls are checked here all the same', async () => {
    const port = await serve('127.0.0.5');
    const proxy = await startConnectProxy({ knows: { 'only-there.example': '127.0.0.5' } });
    playNames({});
    configure({ proxy: proxy.url });
    expect(await codeAt(`http://only-there.example:${port}/`)).toBe('DNS');
    configure({ proxy: proxy.url, isTrusted: true });
    expect(await bodyAt(`http://only-there.example:${port}/`)).toBe('127.0.0.5');
    expect(await codeAt(`http://127.0.0.5:${port}/`)).toBe('EGRESS_DENIED');
    expect(proxy.asked).toEqual([`only-there.example:${port}`]);
  });

  test('its refusal is a failure that says so', async () => {
    const port = await serve('127.0.0.5');
    configure({ allow: '127.0.0.5', proxy: (await startConnectProxy({ refusal: 407 })).url });
    await expect(bodyAt(`http://127.0.0.5:${port}/`)).rejects.toMatchObject({
      code: 'CONNECT',
      retriable: false,
      message: expect.stringContaining('refused a connection to 127.0.0.5') as string,
    });
    configure({ allow: '127.0.0.5', proxy: 'http://127.0.0.1:1' });
    await expect(bodyAt(`http://127.0.0.5:${port}/`)).rejects.toMatchObject({ code: 'CONNECT', retriable: true });
  });
});

test('entries that are no names, addresses or networks are refused', () => {
  for (const text of [
    '10.0.0.0/33',
    '10.0.0',
    'http://a.example',
    'a b',
    '*',
    '1.2.3.4.5',
    'fe80::1%eth0',
    '-a.example',
  ]) {
    expect([text, parseAllowedHosts(text)]).toEqual([text, null]);
  }
  expect(parseAllowedHosts(' A.example , [fd00::]/8,')).toHaveLength(2);
});
