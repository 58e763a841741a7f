import dns from 'node:dns';
import { expect, test, vi } from 'vitest';
import type { NameService } from './name-service';
import { NameResolver } from './names';
import { sendOutboundRequest } from './outbound';
import { getRuntime } from '@/server/platform/runtime';
import { sendMailByServer } from '@/server/network/mail/smtp';
import { useDatabase } from '@/server/testing/database';
import { listenOn } from '@/server/testing/listen';

useDatabase();

const missing = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));

/** DNS servers that know these names, and never answer for names that begin with `slow`. */
class TestService implements NameService {
  readonly asked: string[] = [];
  readonly hanging: (() => void)[] = [];
  constructor(
    readonly known: Record<string, { address: string; ttl: number }> = {},
    readonly texts: { hosts?: string; resolvConf?: string } = {},
  ) {}

  resolve4 = async (name: string) => {
    this.asked.push(name);
    if (name.startsWith('slow')) await new Promise<void>((resolve) => this.hanging.push(resolve));
    const found = this.known[name];
    return found ? [found] : missing();
  };
  resolve6 = missing;
  files = async () => ({ hosts: this.texts.hosts ?? '', resolvConf: this.texts.resolvConf ?? '' });
}

const A = { address: '192.0.2.7', ttl: 60 };
const addressesOf = async (names: NameResolver, host: string, workspace = 'ws_a') =>
  (await names.lookUp(workspace, host)).map(({ address }) => address);

test('thousands of slow look-ups of one workspace do not delay others, and only sixteen are sent', async () => {
  const service = new TestService({ 'b.example': A });
  const names = new NameResolver(service);
  const hostile = Array.from({ length: 3000 }, (_, index) =>
    names.lookUp('ws_hostile', `slow-${index}.example`).catch(({ code }: NodeJS.ErrnoException) => code),
  );
  expect(await addressesOf(names, 'b.example', 'ws_waits')).toEqual(['192.0.2.7']);
  expect(service.asked.filter((name) => name.startsWith('slow'))).toHaveLength(16);
  // Look-ups beyond the queue are refused at once.
  expect(await hostile.at(-1)).toBe('EAI_AGAIN');
  const ended = Promise.all(hostile);
  const timer = setInterval(() => service.hanging.splice(0).forEach((answer) => answer()), 1);
  expect((await ended).filter((code) => code === 'ENOTFOUND')).toHaveLength(1016);
  clearInterval(timer);
});

test('an answer is cached for its TTL, for the workspace that requested it', async () => {
  let now = 1_000_000;
  const service = new TestService({ 'a.example': A, 'brief.example': { ...A, ttl: 0 } });
  const names = new NameResolver(service, () => now);
  for (let i = 0; i < 5; i++) await addressesOf(names, 'A.example');
  await Promise.all([addressesOf(names, 'brief.example'), addressesOf(names, 'brief.example')]);
  await addressesOf(names, 'brief.example');
  expect(service.asked).toEqual(['a.example', 'brief.example', 'brief.example']);
  await addressesOf(names, 'a.example', 'ws_b');
  expect(service.asked).toHaveLength(4);
  now += 60_001;
  await addressesOf(names, 'a.example');
  expect(service.asked).toHaveLength(5);
});

test('a missing name is cached for five seconds, an unreachable server for one', async () => {
  let now = 1_000_000;
  const service = new TestService();
  const names = new NameResolver(service, () => now);
  const code = () => names.lookUp('ws_a', 'none.example').catch((error: NodeJS.ErrnoException) => error.code);
  expect([await code(), await code(), service.asked.length]).toEqual(['ENOTFOUND', 'ENOTFOUND', 1]);
  now += 5001;
  service.resolve6 = () => Promise.reject(Object.assign(new Error('late'), { code: 'ETIMEOUT' }));
  expect([await code(), await code(), service.asked.length]).toEqual(['EAI_AGAIN', 'EAI_AGAIN', 2]);
  now += 1001;
  expect([await code(), service.asked.length]).toEqual(['EAI_AGAIN', 3]);
});

test('a workspace with many names displaces only its own cached answers', async () => {
  const service = new TestService({ 'b.example': A });
  const names = new NameResolver(service);
  await addressesOf(names, 'b.example', 'ws_b');
  for (let i = 0; i < 600; i++) await names.lookUp('ws_a', `n${i}.example`).catch(() => undefined);
  const before = service.asked.length;
  await addressesOf(names, 'b.example', 'ws_b');
  expect(service.asked.length).toBe(before);
});

test('/etc/hosts and the search list are used', async () => {
  const service = new TestService(
    { 'db.svc.cluster.local': A, 'a.example': A, 'a.b.c.example': A, bare: A },
    {
      hosts: '# ours\n10.0.0.5 mail.internal mail # the mail server\nfe80::1 mail\nnonsense x\n',
      resolvConf: 'nameserver 10.0.0.1\nsearch svc.cluster.local example.\noptions timeout:1 ndots:2\n',
    },
  );
  const names = new NameResolver(service);
  expect(await addressesOf(names, 'MAIL')).toEqual(['10.0.0.5', 'fe80::1']);
  expect(await addressesOf(names, 'mail.internal')).toEqual(['10.0.0.5']);
  expect(await addressesOf(names, 'localhost')).toEqual(['127.0.0.1', '::1']);
  expect(await addressesOf(names, '192.0.2.1')).toEqual(['192.0.2.1']);
  expect(service.asked).toEqual([]);
  expect(await addressesOf(names, 'db')).toEqual(['192.0.2.7']);
  await addressesOf(names, 'a.b.c.example');
  await addressesOf(names, 'bare.');
  expect(service.asked).toEqual(['db.svc.cluster.local', 'a.b.c.example', 'bare']);
});

test('calls and mails resolve names in their workspace’s share, and never in the system’s threads', async () => {
  const server = await listenOn((_, response) => void response.end('here'));
  const { port } = new URL(server.url);
  const lookup = vi.spyOn(dns, 'lookup');
  const names = new NameResolver(new TestService({}, { hosts: '127.0.0.1 host.weft.test' }));
  const asked = vi.spyOn(names, 'lookUp');
  getRuntime().names = names;
  for (const isAllowed of [true, false]) {
    getRuntime().env.egressAllowPrivate = isAllowed;
    const answer = sendOutboundRequest({ workspaceId: 'ws_a', url: `http://host.weft.test:${port}/` });
    // The connection uses the address that was checked.
    if (isAllowed) expect(String((await answer).body)).toBe('here');
    else await expect(answer).rejects.toMatchObject({ code: 'EGRESS_DENIED' });
  }
  const mail = { from: 'a@b.example', to: 'c@d.example', text: 'x' };
  const smtp = { host: 'host.weft.test', port: 25, secure: false };
  await expect(sendMailByServer(smtp, mail, 'ws_b')).rejects.toMatchObject({ code: 'MAIL_INVALID' });
  expect(asked.mock.calls.map(([workspaceId]) => workspaceId)).toEqual(['ws_a', 'ws_a', 'ws_b']);
  expect(lookup).not.toHaveBeenCalled();
  await server.close();
});
