import type SMTPConnection from 'nodemailer/lib/smtp-connection';

/**
 * Bytes and lines that a server may send before the client sends the next command. RFC 5321 permits 512 bytes for a
 * line.
 */
const MAX_SMTP_REPLY_BYTES = 8192;
const MAX_SMTP_REPLY_LINES = 100;

const LINE_FEED_BYTE = 10;
/** Blanks that are no line break, also those that only regular expressions take for such. */
const BLANK_RUNS = /[^\S\n]+/g;
const BLANK_AT_START = /^[^\S\n]+/;
const BLANK_AT_END = /[^\S\n]$/;

/**
 * What a mail server sends, on its way to the library. The server is foreign: for each line the library splits all
 * lines of the reply, and its patterns take cubic time for blanks. So bytes and lines are counted here, and a run of
 * blanks becomes one.
 */
export class SmtpReplyGuard {
  private bytes = 0;
  private lines = 0;
  private endsInBlank = false;

  /** The client has sent a command: another reply may arrive. */
  awaitReply(): void {
    this.bytes = 0;
    this.lines = 0;
  }

  /** What the library may read; undefined: the server sends more than any reply has. */
  accept(chunk: Buffer): Buffer | undefined {
    this.bytes += chunk.length;
    if (this.bytes > MAX_SMTP_REPLY_BYTES) return undefined;
    for (const byte of chunk) if (byte === LINE_FEED_BYTE) this.lines += 1;
    if (this.lines > MAX_SMTP_REPLY_LINES) return undefined;
    const received = chunk.toString('latin1');
    const text = (this.endsInBlank ? received.replace(BLANK_AT_START, '') : received).replace(BLANK_RUNS, singleBlank);
    this.endsInBlank = text === '' ? this.endsInBlank : BLANK_AT_END.test(text);
    return Buffer.from(text, 'latin1');
  }
}

/** A carriage return is one half of a line break. */
const singleBlank = (blanks: string) => (blanks.endsWith('\r') ? '\r' : ' ');

/** Methods of the library that its types leave out. */
interface SmtpConnectionInternals {
  _onData(this: SMTPConnection & SmtpConnectionInternals, chunk: Buffer): void;
  _sendCommand(this: SMTPConnection & SmtpConnectionInternals, command: string, shown?: string): void;
  _onError(error: Error, code: string, reply: false, command: string): void;
}

const isGuardedConnection = Symbol('guarded');

/**
 * The transports of the library make their connections themselves, so the class of these connections is changed, once.
 */
export function guardSmtpReplies({ prototype }: { prototype: object }): void {
  const connection = prototype as SmtpConnectionInternals & { [isGuardedConnection]?: true };
  if (connection[isGuardedConnection]) return;
  connection[isGuardedConnection] = true;
  const { _onData: read, _sendCommand: send } = connection;
  const guards = new WeakMap<object, SmtpReplyGuard>();
  const guardOf = (one: object) => {
    const guard = guards.get(one) ?? new SmtpReplyGuard();
    guards.set(one, guard);
    return guard;
  };
  connection._onData = function (chunk) {
    const accepted = guardOf(this).accept(chunk);
    if (accepted) read.call(this, accepted);
    else this._onError(new Error('The server sent more than a reply may have'), 'EPROTOCOL', false, 'CONN');
  };
  connection._sendCommand = function (...command) {
    guardOf(this).awaitReply();
    send.apply(this, command);
  };
}
