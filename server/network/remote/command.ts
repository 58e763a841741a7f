import type { ClientChannel } from 'ssh2';
import type { Readable } from 'node:stream';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { RemoteCredential, RemoteUseOptions } from './credential';
import { isChannelRefusal, withSshSession, type SshSession } from './ssh';

/** A command, and what it reads. */
export interface RemoteCommand {
  script: string;
  stdin: { open(): Promise<Readable> } | undefined;
}

export interface RemoteCommandResult {
  /** Null: a signal ended it. */
  exitCode: number | null;
  /** Such as SIGKILL; null: it ended by itself. */
  signal: string | null;
  stdout: string;
  stderr: string;
}

/** The maximum number of bytes that a command may write, to both outputs together. */
export const MAX_COMMAND_OUTPUT_BYTES = 10 * 1024 * 1024;
/** Up to this size an output needs no memory to be reserved. */
const UNRESERVED_OUTPUT_BYTES = 256 * 1024;

/** Runs a command. Throws NodeFailure. `reserve`: waits until there is memory. */
export function runRemoteCommand(
  credential: RemoteCredential,
  use: RemoteUseOptions,
  { script, stdin }: RemoteCommand,
  reserve: (bytes: number) => Promise<void>,
): Promise<RemoteCommandResult> {
  let hasBegun = false;
  const result = withSshSession(credential, use, async (session) => {
    const input = await stdin?.open();
    // Its errors are reported by those who read it.
    input?.on('error', () => undefined);
    try {
      hasBegun = true;
      return await executeScript(session, script, (channel) => collectCommandResult(channel, input, reserve));
    } finally {
      input?.destroy();
    }
  });
  return result.catch((error: unknown) => {
    // It may have taken effect: a repetition would be the second time.
    if (hasBegun && error instanceof NodeFailure && error.retriable)
      throw new NodeFailure(error.code, error.message, false);
    throw error;
  });
}

/** Parts of the library that its types leave out. */
interface SshClientInternals {
  _protocol: { signal(channel: number, name: string): void };
}

/** The library itself sends none to a command that has read all of its input. */
function sendCommandSignal({ client }: SshSession, channel: ClientChannel, name: string): void {
  const { outgoing } = channel as unknown as { outgoing: { id: number; state: string } };
  if (outgoing.state === 'open' || outgoing.state === 'eof')
    (client as unknown as SshClientInternals)._protocol.signal(outgoing.id, name);
}

/** `read` gets the channel at once: the end of a short command may be in the same packet. */
const executeScript = <Result>(
  session: SshSession,
  script: string,
  read: (channel: ClientChannel) => Promise<Result>,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    session.client.exec(script, (error, channel) => {
      if (error) {
        const refused = new NodeFailure('COMMAND_REFUSED', `The server runs no commands: ${error.message}`, false);
        return reject(isChannelRefusal(error) ? refused : error);
      }
      // The server goes on with a command whose client is gone.
      session.beforeStop = () => sendCommandSignal(session, channel, 'TERM');
      resolve(read(channel));
    });
  });

function collectCommandResult(
  channel: ClientChannel,
  stdin: Readable | undefined,
  reserve: (bytes: number) => Promise<void>,
): Promise<RemoteCommandResult> {
  return new Promise((resolve, reject) => {
    const outputs: [Buffer[], Buffer[]] = [[], []];
    let end: { code: number | null; signal: string | null } | undefined;
    let size = 0;
    const take = (chunks: Buffer[]) => (chunk: Buffer) => {
      const isFirstLarge = size <= UNRESERVED_OUTPUT_BYTES && size + chunk.length > UNRESERVED_OUTPUT_BYTES;
      size += chunk.length;
      if (size > MAX_COMMAND_OUTPUT_BYTES)
        return reject(
          new NodeFailure('TOO_LARGE', `The command wrote more than ${MAX_COMMAND_OUTPUT_BYTES} bytes.`, false),
        );
      chunks.push(chunk);
      if (!isFirstLarge) return;
      channel.pause();
      channel.stderr.pause();
      reserve(2 * MAX_COMMAND_OUTPUT_BYTES).then(() => {
        channel.resume();
        channel.stderr.resume();
      }, reject);
    };
    channel.on('data', take(outputs[0]));
    channel.stderr.on('data', take(outputs[1]));
    channel.on('exit', (code: number | null, signal?: string) => (end = { code, signal: signal ?? null }));
    channel.once('close', () => {
      if (!end) return reject(new Error('the command ended without a result'));
      const [stdout, stderr] = outputs.map((chunks) => Buffer.concat(chunks).toString('utf8')) as [string, string];
      resolve({ exitCode: end.code, signal: end.signal, stdout, stderr });
    });
    // It need not read all of it.
    channel.on('error', () => undefined);
    if (!stdin) return void channel.end();
    stdin.once('error', reject);
    stdin.pipe(channel);
  });
}
