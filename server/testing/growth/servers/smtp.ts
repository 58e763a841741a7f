import { checkMailServer, sendMailByServer } from '@/server/network/mail/smtp';
import { GROWTH_WORKSPACE, repeated, startRawServer, type HostileServer } from '../hostile-server';

interface Script {
  greeting?: (size: number) => string;
  /** What is answered to each command; absent: what a server answers. */
  reply?: (command: string, size: number) => string | undefined;
  isSending?: boolean;
}

const usual = (command: string) => (command === 'DATA' ? '354 Go on\r\n' : '250 OK\r\n');

const MAIL = { from: 'a@example.com', to: ['b@example.com'], subject: 'Growth', text: 'A line.' };

/** A mail server that a test of a credential calls, or a mail. */
const smtp = (largest: number, { greeting, reply, isSending = false }: Script): HostileServer => ({
  largest,
  async start(size) {
    const first = greeting?.(size) ?? '220 Ready\r\n';
    const replies = new Map<string, string>();
    const { port, close } = await startRawServer((socket) => {
      socket.write(first);
      socket.on('data', (chunk) => {
        for (const line of chunk.toString('latin1').split('\r\n').filter(Boolean)) {
          const command = line.split(/[ :]/)[0]?.toUpperCase() ?? '';
          const made = replies.get(command) ?? reply?.(command, size) ?? (line === '.' ? '250 OK\r\n' : usual(command));
          replies.set(command, made);
          socket.write(made);
        }
      });
    });
    const server = { host: '127.0.0.1', port, secure: false };
    return {
      credential: { type: 'smtp', config: server },
      call: () =>
        isSending ? sendMailByServer(server, MAIL, GROWTH_WORKSPACE) : checkMailServer(server, GROWTH_WORKSPACE),
      close,
    };
  },
});

const KIB = 1024;

export const smtpServers: Record<string, HostileServer> = {
  'smtp: a greeting of many lines': smtp(8 * KIB, {
    greeting: (size) => `${repeated('220-\r\n', size)}220 Ready\r\n`,
  }),
  'smtp: a greeting of one long line': smtp(8 * KIB, { greeting: (size) => `220 ${repeated('x', size)}\r\n` }),
  'smtp: many replies before a command': smtp(8 * KIB, { greeting: (size) => repeated('220 Ready\r\n', size) }),
  'smtp: many lines of capabilities': smtp(8 * KIB, {
    reply: (command, size) => (command === 'EHLO' ? `${repeated('250-\r\n', size)}250 OK\r\n` : undefined),
  }),
  'smtp: lines about ways to sign in': smtp(8 * KIB, {
    reply: (command, size) =>
      command === 'EHLO' ? `${repeated(`250-${' AUTH'.repeat(100)}\r\n`, size)}250 OK\r\n` : undefined,
  }),
  'smtp: many ways to sign in': smtp(8 * KIB, {
    reply: (command, size) => (command === 'EHLO' ? `250-x\r\n250 AUTH${repeated(' PLAIN', size)}\r\n` : undefined),
  }),
  'smtp: a reply of spaces': smtp(8 * KIB, {
    reply: (command, size) => (command === 'EHLO' ? `250-AUTH${repeated(' ', size)}x\r\n250 OK\r\n` : undefined),
  }),
  'smtp: a refusal of many lines': smtp(8 * KIB, {
    isSending: true,
    reply: (command, size) => (command === 'RCPT' ? `${repeated('550-No\r\n', size)}550 No\r\n` : undefined),
  }),
  'smtp: an answer of many lines to the content': smtp(8 * KIB, {
    isSending: true,
    reply: (command, size) => (command === '.' ? `${repeated('250-\r\n', size)}250 OK\r\n` : undefined),
  }),
};
