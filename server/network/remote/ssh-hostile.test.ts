import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ServerChannel } from 'ssh2';
import { getRuntime } from '@/server/platform/runtime';
import { useEvaluation } from '@/server/testing/evaluation';
import { listenRaw } from '@/server/testing/servers/raw';
import { startSshParty, type Acts, type SshParty } from '@/server/testing/servers/ssh';
import { remoteCredential, use } from '@/server/testing/remote';
import { until } from '@/server/testing/runs';
import { MAX_COMMAND_OUTPUT_BYTES, runRemoteCommand } from './command';
import { countRemoteConnections } from './credential';
import { checkRemoteServer } from './check';
import { withRemoteFiles } from './transfer';

useEvaluation();

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  getRuntime().env.egressAllowPrivate = true;
});

async function party(acts: Acts): Promise<SshParty> {
  const started = await startSshParty(acts);
  closing.push(() => started.close());
  return started;
}

const run = (
  config: Record<string, unknown>,
  { signal = new AbortController().signal, workspaceId = 'ws_test', reserve = async () => {} } = {},
) =>
  runRemoteCommand(
    remoteCredential('ssh', config, workspaceId),
    use(signal),
    { script: 'command', stdin: undefined },
    reserve,
  );
const list = (config: Record<string, unknown>) =>
  withRemoteFiles(remoteCredential('ssh', config), use(), (files) => files.list('/'));

const ending =
  (text: string, code = 0) =>
  (_: string, channel: ServerChannel) => {
    channel.write(text);
    channel.exit(code);
    channel.end();
  };

describe('the login', () => {
  it('by keyboard-interactive gets the password', async () => {
    const server = await party({
      authenticate: (context) => {
        if (context.method !== 'keyboard-interactive') return context.reject(['keyboard-interactive']);
        context.prompt({ prompt: 'Password: ', echo: false }, (answers) =>
          answers[0] === 'canary-ssh-password' ? context.accept() : context.reject(),
        );
      },
      run: ending('in'),
    });
    expect(await run(server.config())).toMatchObject({ exitCode: 0, stdout: 'in' });
  });

  it('with a wrong password fails for good', async () => {
    const server = await party({ run: ending('in') });
    await expect(run(server.config({ password: 'wrong' }))).rejects.toMatchObject({
      code: 'LOGIN_REFUSED',
      retriable: false,
    });
  });

  it('sends nothing to another server than the expected one, and tells its fingerprint', async () => {
    let tries = 0;
    const server = await party({ authenticate: (context) => (tries += 1) && context.reject() });
    const hostKey = `SHA256:${'A'.repeat(43)}`;
    const tested = checkRemoteServer(remoteCredential('ssh', server.config({ hostKey })), use());
    await expect(tested).rejects.toMatchObject({
      code: 'HOST_KEY',
      message: expect.stringContaining(server.fingerprint) as string,
    });
    expect(tries).toBe(0);
  });

  it('is tested, and the fingerprint is shown as long as none is set', async () => {
    const server = await party({});
    const message = (config: object) => checkRemoteServer(remoteCredential('ssh', server.config(config)), use());
    expect(await message({})).toContain(server.fingerprint);
    expect(await message({ hostKey: `${server.fingerprint}=` })).toContain('expected');
  });

  it('is not tried at an address that is not public', async () => {
    getRuntime().env.egressAllowPrivate = false;
    const server = await party({});
    await expect(run(server.config())).rejects.toMatchObject({ code: 'EGRESS_DENIED' });
    expect(server.open).toBe(0);
  });
});

describe('a server that', () => {
  it.each([
    ['sends something else', (socket: Socket) => socket.write('220 FTP\r\n'.repeat(2000)), 'BAD_RESPONSE'],
    ['sends a line without end', (socket: Socket) => socket.write('x'.repeat(100_000)), 'BAD_RESPONSE'],
    ['closes at once', (socket: Socket) => socket.end(), 'CONNECTION_FAILED'],
    [
      'sends a broken handshake',
      (socket: Socket) => socket.write(Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), Buffer.alloc(64, 255)])),
      'BAD_RESPONSE',
    ],
  ])('%s fails the node only', async (_, act, code) => {
    const port = await listenRaw(act);
    await expect(run({ host: '127.0.0.1', port, username: 'ada', password: 'secret' })).rejects.toMatchObject({ code });
    await until(async () => countRemoteConnections() === 0, 'the connection to be closed');
  });

  it('writes without end is cut off', async () => {
    let written = 0;
    const server = await party({
      run(_, channel) {
        const more = () => {
          while (channel.writable && channel.write(Buffer.alloc(65_536, 'x'))) written += 65_536;
        };
        channel.on('drain', more);
        more();
      },
    });
    await expect(run(server.config())).rejects.toMatchObject({ code: 'TOO_LARGE', retriable: false });
    expect(written).toBeLessThan(3 * MAX_COMMAND_OUTPUT_BYTES);
    await until(async () => server.open === 0, 'the connection to end');
  });

  it('ends the connection during a command does not get it a second time', async () => {
    const server = await party({ run: (_command, _channel, connection) => void connection.end() });
    await expect(run(server.config())).rejects.toMatchObject({ code: 'CONNECTION_LOST', retriable: false });
  });

  it('does not answer is given up when the node is stopped', async () => {
    const stop = new AbortController();
    const server = await party({ run: () => stop.abort() });
    await expect(run(server.config(), { signal: stop.signal })).rejects.toMatchObject({ code: 'ABORTED' });
    await until(async () => server.open === 0 && countRemoteConnections() === 0, 'the connection to end');
  });

  it('runs a command that is stopped gets a signal for it', async () => {
    const lines: string[] = [];
    const stop = new AbortController();
    const server = await party({
      run: (_, channel) => void channel.write('x'.repeat(500_000)),
      log: (line) => lines.push(line),
    });
    const reserve = async () => stop.abort();
    await expect(run(server.config(), { signal: stop.signal, reserve })).rejects.toMatchObject({ code: 'ABORTED' });
    await until(async () => server.open === 0, 'the connection to end');
    expect(lines.filter((line) => /CHANNEL_REQUEST.*TERM/.test(line))).toHaveLength(1);
  });

  it('refuses commands or files says so', async () => {
    const server = await party({});
    await expect(run(server.config())).rejects.toMatchObject({ code: 'COMMAND_REFUSED' });
    await expect(list(server.config())).rejects.toMatchObject({ code: 'TRANSFER_REFUSED' });
  });
});

describe('a listing', () => {
  const attrs = { mode: 0o100644, uid: 0, gid: 0, size: 5, atime: 0, mtime: 1_700_000_000 };
  const listing = (names: (answer: number) => string[]): Acts => ({
    sftp(sftp) {
      let answers = 0;
      sftp.on('OPENDIR', (id) => sftp.handle(id, Buffer.from('folder')));
      sftp.on('READDIR', (id) => {
        const some = names((answers += 1));
        if (some.length === 0 && answers > 1) return sftp.status(id, 1);
        return sftp.name(
          id,
          some.map((filename) => ({ filename, longname: filename, attrs })),
        );
      });
      sftp.on('CLOSE', (id) => sftp.status(id, 0));
    },
  });

  it('leaves out names that lead elsewhere', async () => {
    const names = ['.', '..', 'b', '../../etc/passwd', 'a/b', '', 'a\0b', 'a'];
    const server = await party(listing((answer) => (answer === 1 ? names : [])));
    const facts = { type: 'file', size: 5, modifiedAt: '2023-11-14T22:13:20.000Z' };
    expect(await list(server.config())).toEqual([
      { name: 'a', path: '/a', ...facts },
      { name: 'b', path: '/b', ...facts },
    ]);
  });

  it('without end is given up', async () => {
    const names = (answer: number) => Array.from({ length: 500 }, (_, index) => `${answer}-${index}`);
    const server = await party(listing(names));
    await expect(list(server.config())).rejects.toMatchObject({ code: 'TOO_LARGE', retriable: false });
  });

  it('that is no packet of the protocol fails the node only', async () => {
    const server = await party({
      sftp(sftp) {
        const { _protocol, outgoing } = sftp as unknown as {
          _protocol: { channelData(channel: number, data: Buffer): void };
          outgoing: { id: number };
        };
        // A packet of one byte, of a type that does not exist.
        sftp.on('OPENDIR', () => _protocol.channelData(outgoing.id, Buffer.from([0, 0, 0, 1, 250])));
      },
    });
    await expect(list(server.config())).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    await until(async () => server.open === 0 && countRemoteConnections() === 0, 'the connection to end');
  });
});

it('a workspace that floods a server does not stop another one', async () => {
  const ends: (() => void)[] = [];
  const server = await party({
    run: (_, channel) => void ends.push(() => ending('')('', channel)),
  });
  const flood = Array.from({ length: 25 }, () => run(server.config(), { workspaceId: 'ws_flood' }));
  await until(async () => ends.length === 10, 'ten commands');
  const other = run(server.config(), { workspaceId: 'ws_other' });
  await until(async () => ends.length === 11, 'the command of the other workspace');
  ends[10]?.();
  expect(await other).toMatchObject({ exitCode: 0 });
  expect(ends).toHaveLength(11);
  // What waits leaves when its node is stopped.
  const stop = new AbortController();
  const waiting = run(server.config(), { workspaceId: 'ws_flood', signal: stop.signal });
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
  for (let done = 0; done < 26; done += 1) {
    await until(async () => ends.length > done, 'the next command');
    ends[done]?.();
  }
  await Promise.all(flood);
  await until(async () => countRemoteConnections() === 0, 'all connections to end');
});
