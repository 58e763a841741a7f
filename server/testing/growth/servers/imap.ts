import { checkImapLogin } from '@/server/network/imap/session';
import { readMail, type MailAfterReading } from '@/server/network/imap/read';
import { GROWTH_WORKSPACE, neverAborted, repeated, startRawServer, type HostileServer } from '../hostile-server';

/** The untagged answers to a command, and what follows the tag. */
type Reply = (size: number) => { before?: string; end?: string };

const FETCHED = '* 1 FETCH (UID 7 RFC822.SIZE 5 INTERNALDATE "01-Jan-2026 00:00:00 +0000" BODY[]<0> {5}\r\nhello)\r\n';

const USUAL: Record<string, { before?: string; end?: string }> = {
  CAPABILITY: { before: '* CAPABILITY IMAP4rev1 UIDPLUS MOVE ESEARCH\r\n' },
  NAMESPACE: { before: '* NAMESPACE (("" "/")) NIL NIL\r\n' },
  LIST: { before: '* LIST () "/" INBOX\r\n' },
  SELECT: { before: '* 3 EXISTS\r\n* OK [UIDVALIDITY 1]\r\n* OK [UIDNEXT 10]\r\n', end: 'OK [READ-WRITE] Done' },
  EXAMINE: { before: '* 3 EXISTS\r\n* OK [UIDVALIDITY 1]\r\n* OK [UIDNEXT 10]\r\n', end: 'OK [READ-ONLY] Done' },
  STATUS: { before: '* STATUS Done (UIDNEXT 5)\r\n' },
  SEARCH: { before: '* SEARCH 7\r\n' },
  FETCH: { before: FETCHED },
};

interface Script {
  greeting?: (size: number) => string;
  replies?: Record<string, Reply>;
  /** Reads mail in place of a test of the login. */
  afterwards?: MailAfterReading;
}

const QUERY = { mailbox: 'INBOX', unseen: false, from: undefined, subject: undefined, limit: 3, maxBytes: 1000 };
const OPTIONS = { timeMs: 60_000, take: async () => true, reserve: async () => undefined, isShown: false };

/** A mail server that a test of a credential calls, or a node that reads mail. */
const imap = (largest: number, { greeting, replies = {}, afterwards }: Script): HostileServer => ({
  largest,
  async start(size) {
    const first = greeting?.(size) ?? '* OK [CAPABILITY IMAP4rev1 UIDPLUS MOVE ESEARCH] Ready\r\n';
    const made = new Map<string, { before?: string; end?: string }>();
    const { port, close } = await startRawServer((socket) => {
      socket.write(first);
      socket.on('data', (chunk) => {
        for (const line of chunk.toString('latin1').split('\r\n').filter(Boolean)) {
          const [tag = '', ...words] = line.split(' ');
          const command = (words[0] === 'UID' ? words[1] : words[0])?.toUpperCase() ?? '';
          const reply = made.get(command) ?? replies[command]?.(size) ?? USUAL[command] ?? {};
          made.set(command, reply);
          socket.write(`${reply.before ?? ''}${tag} ${reply.end ?? 'OK Done'}\r\n`);
        }
      });
    });
    const config = { host: '127.0.0.1', port, security: 'none', username: 'ada', password: 'secret' };
    const credential = { workspaceId: GROWTH_WORKSPACE, name: 'Growth', type: 'imap', config };
    return {
      credential: { type: 'imap', config },
      call: () =>
        afterwards
          ? readMail(credential, { ...QUERY, afterwards }, undefined, { ...OPTIONS, signal: neverAborted() })
          : checkImapLogin(credential, neverAborted()),
      close,
    };
  },
});

/** Untagged answers to EXAMINE, which opens the mailbox. */
const opening = (before: (size: number) => string, size = 32 * 1024): HostileServer =>
  imap(size, {
    replies: { EXAMINE: (n) => ({ before: before(n) + (USUAL['EXAMINE']?.before ?? ''), end: 'OK Done' }) },
  });

const MOVE: MailAfterReading = { kind: 'move', to: 'Done' };
const READ: MailAfterReading = { kind: 'read' };

const KIB = 1024;

export const imapServers: Record<string, HostileServer> = {
  'imap: a greeting of one long line': imap(32 * KIB, { greeting: (size) => `* OK ${repeated('x', size)}\r\n` }),
  'imap: many capabilities': imap(32 * KIB, {
    greeting: (size) => `* OK [CAPABILITY IMAP4rev1${repeated(' AUTH=A', size)}] Ready\r\n`,
  }),
  'imap: ranges of moved messages (numbers)': imap(20_000, {
    afterwards: MOVE,
    replies: { MOVE: (size) => ({ before: `* OK [COPYUID 1 1:${size} 1:${size}] Done\r\n` }) },
  }),
  'imap: many ranges of moved messages': imap(32 * KIB, {
    afterwards: MOVE,
    replies: {
      MOVE: (size) => ({
        before: `* OK [COPYUID 1 1${repeated(',1:9', size / 2)} 1${repeated(',1:9', size / 2)}] Done\r\n`,
      }),
    },
  }),
  'imap: many messages that exist': opening((size) => repeated('* 2 EXISTS\r\n', size)),
  'imap: many messages that have gone': opening((size) => repeated('* 1 EXPUNGE\r\n', size)),
  'imap: a range of messages that have vanished (numbers)': opening((size) => `* VANISHED 1:${size}\r\n`, 20_000),
  'imap: many flags': opening((size) => `* FLAGS (${repeated('\\Seen ', size)})\r\n`),
  'imap: deep lists': opening((size) => `* FLAGS ${repeated('(', size / 2)}${repeated(')', size / 2)}\r\n`),
  'imap: many small texts': opening((size) => `* X (${repeated('{1}\r\nx ', size)})\r\n`),
  'imap: many found messages': imap(240 * KIB, {
    afterwards: READ,
    replies: { SEARCH: (size) => ({ before: `* SEARCH${repeated(' 7', size)}\r\n` }) },
  }),
  'imap: a range of found messages (numbers)': imap(20_000, {
    afterwards: READ,
    replies: { SEARCH: (size) => ({ before: `* ESEARCH (TAG "1") UID ALL 1:${size}\r\n` }) },
  }),
  'imap: many addresses of a message': imap(32 * KIB, {
    afterwards: READ,
    replies: {
      FETCH: (size) => ({
        before: `* 1 FETCH (UID 7 RFC822.SIZE 5 ENVELOPE (NIL "s" (${repeated('("a" NIL "b" "c")', size)}) NIL NIL NIL NIL NIL NIL NIL))\r\n`,
      }),
    },
  }),
  'imap: many parts of a message': imap(32 * KIB, {
    afterwards: READ,
    replies: {
      FETCH: (size) => ({
        before: `* 1 FETCH (UID 7 RFC822.SIZE 5 BODYSTRUCTURE (${repeated('("text" "plain" NIL NIL NIL "7bit" 1 1)', size)} "mixed"))\r\n`,
      }),
    },
  }),
  'imap: parts of a message within parts': imap(32 * KIB, {
    afterwards: READ,
    replies: {
      FETCH: (size) => ({
        before: `* 1 FETCH (UID 7 RFC822.SIZE 5 BODYSTRUCTURE ${repeated('(', size / 2)}"text"${repeated(')', size / 2)})\r\n`,
      }),
    },
  }),
  'imap: many answers about messages': imap(32 * KIB, {
    afterwards: READ,
    replies: { FETCH: (size) => ({ before: repeated('* 1 FETCH (UID 7 RFC822.SIZE 5)\r\n', size) }) },
  }),
};
