import type { Socket } from 'node:net';
import { withRemoteFiles } from '@/server/network/remote/transfer';
import { GROWTH_WORKSPACE, neverAborted, repeated, startRawServer, type HostileServer } from '../hostile-server';

const USUAL: Record<string, string> = { USER: '331 Password?', PASS: '230 Welcome', CWD: '250 Done', TYPE: '200 Done' };

interface Script {
  replies?: Record<string, (size: number) => string>;
  listing?: (size: number) => string;
}

/** An FTP server whose folder is listed. */
const ftp = (largest: number, { replies = {}, listing }: Script): HostileServer => ({
  largest,
  async start(size) {
    const content = Buffer.from(listing?.(size) ?? 'type=file;size=1; a\r\n');
    const made = Object.fromEntries(Object.entries(replies).map(([command, reply]) => [command, reply(size)]));
    let control: Socket | undefined;
    const data = await startRawServer((socket) => {
      control?.write('150 Here it comes\r\n');
      socket.end(content, () => control?.write('226 Done\r\n'));
    });
    const passive = `227 Entering Passive Mode (127,0,0,1,${data.port >> 8},${data.port & 255})`;
    const { port, close } = await startRawServer((socket) => {
      control = socket;
      socket.write(`${made['greeting'] ?? '220 Ready'}\r\n`);
      socket.on('data', (chunk) => {
        for (const line of chunk.toString('latin1').split('\r\n').filter(Boolean)) {
          const [command = ''] = line.split(' ');
          if (/^(?:LIST|MLSD)$/.test(command)) continue;
          const reply = made[command] ?? (command === 'PASV' ? passive : (USUAL[command] ?? '502 No'));
          socket.write(`${reply}\r\n`);
        }
      });
    });
    const config = { host: '127.0.0.1', port, username: 'ada', password: 'secret', tls: 'none' };
    const credential = { workspaceId: GROWTH_WORKSPACE, name: 'Growth', type: 'ftp', config };
    const use = { signal: neverAborted(), redact: (text: string) => text };
    return {
      credential: { type: 'ftp', config },
      call: () => withRemoteFiles(credential, use, (files) => files.list('/')),
      close: async () => void (await Promise.all([close(), data.close()])),
    };
  },
});

const KIB = 1024;
const lines = (line: string) => (size: number) => repeated(`${line}\r\n`, size);
const features = (size: number) => `211-Features\r\n${repeated(' X\r\n', size)}211 End`;

export const ftpServers: Record<string, HostileServer> = {
  'ftp: a greeting of many lines': ftp(2000 * KIB, {
    replies: { greeting: (size) => `220-\r\n${repeated('x\r\n', size)}220 Ready` },
  }),
  'ftp: a greeting of one long line': ftp(2000 * KIB, {
    replies: { greeting: (size) => `220 ${repeated('x', size)}` },
  }),
  'ftp: many replies at once': ftp(2000 * KIB, {
    replies: { USER: (size) => repeated('331 Password?\r\n', size).trimEnd() },
  }),
  'ftp: many features': ftp(2000 * KIB, { replies: { FEAT: features } }),
  'ftp: an address of many numbers': ftp(60 * KIB, { replies: { PASV: (size) => `227 ${repeated('1,', size)}` } }),
  'ftp: a listing of machines': ftp(300 * KIB, { listing: lines('type=file;size=1;modify=20260101000000; a') }),
  'ftp: a listing of facts': ftp(2000 * KIB, { listing: lines(`${'x=1;'.repeat(400)} a`) }),
  'ftp: a listing of Unix': ftp(300 * KIB, { listing: lines('-rw-r--r-- 1 a a 1 Jan 01 00:00 a') }),
  'ftp: a listing of Unix with long names': ftp(2000 * KIB, { listing: lines(`-rw-r--r-- 1 ${'a '.repeat(900)}`) }),
  'ftp: a listing of Windows': ftp(300 * KIB, { listing: lines('01-01-26 00:00AM 1 a') }),
  'ftp: a listing of spaces': ftp(500 * KIB, { listing: lines(`-rw-r--r--${' '.repeat(1900)}`) }),
};
