import { runRemoteCommand } from '@/server/network/remote/command';
import { withRemoteFiles } from '@/server/network/remote/transfer';
import { startSshParty, type Acts } from '../../servers/ssh';
import { GROWTH_WORKSPACE, neverAborted, repeated, startRawServer, type HostileServer } from '../hostile-server';

const use = () => ({ signal: neverAborted(), redact: (text: string) => text });
const credentialOf = (config: Record<string, unknown>) => ({
  workspaceId: GROWTH_WORKSPACE,
  name: 'Growth',
  type: 'ssh',
  config,
});
const list = (config: Record<string, unknown>): Promise<unknown> =>
  withRemoteFiles(credentialOf(config), use(), (files) => files.list('/'));
const run = (config: Record<string, unknown>): Promise<unknown> =>
  runRemoteCommand(credentialOf(config), use(), { script: 'x', stdin: undefined }, async () => undefined);

/** A server by the library itself. Its own work is in the same thread. */
const ssh = (largest: number, acts: (size: number) => Acts, call = run): HostileServer => ({
  largest,
  async start(size) {
    const party = await startSshParty(acts(size));
    return {
      credential: { type: 'ssh', config: party.config() },
      call: () => call(party.config()),
      close: () => party.close(),
    };
  },
});

/** A server that speaks no further than its first bytes. */
const raw = (largest: number, bytes: (size: number) => string): HostileServer => ({
  largest,
  async start(size) {
    const content = Buffer.from(bytes(size), 'latin1');
    const { port, close } = await startRawServer((socket) => void socket.end(content));
    const config = { host: '127.0.0.1', port, username: 'ada', password: 'secret' };
    return { credential: { type: 'ssh', config }, call: () => run(config), close };
  },
});

const attrs = { mode: 0o100644, uid: 0, gid: 0, size: 5, atime: 0, mtime: 1_700_000_000 };

/** A folder with so many files, a few in each answer. */
const listing = (count: number, inAnswer: number): Acts => ({
  sftp(sftp) {
    let answers = 0;
    const names = Array.from({ length: inAnswer }, (_, at) => ({ filename: `f${at}`, longname: 'x', attrs }));
    sftp.on('OPENDIR', (id) => sftp.handle(id, Buffer.from('folder')));
    sftp.on('READDIR', (id) => {
      answers += inAnswer;
      if (answers > count) sftp.status(id, 1);
      else sftp.name(id, names);
    });
    sftp.on('CLOSE', (id) => sftp.status(id, 0));
  },
});

export const sshServers: Record<string, HostileServer> = {
  'ssh: lines before the identification': raw(8 * 1024, (size) => repeated('x\r\n', size)),
  'ssh: a long identification': raw(8 * 1024, (size) => `SSH-2.0-${repeated('x', size)}\r\n`),
  'ssh: an output in small packets (packets)': ssh(10_000, (size) => ({
    run(_, channel) {
      // A few at a time, because the server shares the thread that is measured.
      const send = (left: number): void => {
        for (let sent = 0; sent < Math.min(left, 20); sent += 1) channel.write('x');
        if (left > 20) return void setImmediate(send, left - 20);
        channel.exit(0);
        channel.end();
      };
      send(size);
    },
  })),
  'sftp: a listing (files)': ssh(10_000, (size) => listing(size, 500), list),
  'sftp: a listing in many answers (files)': ssh(150, (size) => listing(size, 1), list),
};
