import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { getRuntime } from '@/server/platform/runtime';

/**
 * The passphrase of an export: EXPORT_PASSPHRASE, or else what is typed, or the first line of standard input. Never an
 * argument, which other users of the machine can read. `isNew`: who types it repeats it. Throws if there is none.
 */
export async function readPassphrase({ isNew }: { isNew: boolean }): Promise<string> {
  const { exportPassphrase } = getRuntime().env;
  if (exportPassphrase) return exportPassphrase;
  const { isTTY } = process.stdin;
  // What is typed is not shown.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: isTTY });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  const ask = async (question: string) => {
    if (isTTY) process.stderr.write(question);
    const line = await Promise.race([lines.question(''), ended]);
    if (isTTY) process.stderr.write('\n');
    return line;
  };
  try {
    const passphrase = await ask('Passphrase of the export: ');
    if (passphrase === '')
      throw new Error('A passphrase is needed: set EXPORT_PASSPHRASE, or give it on standard input.');
    if (isNew && isTTY && (await ask('Again: ')) !== passphrase) throw new Error('The two passphrases differ.');
    return passphrase;
  } finally {
    lines.close();
  }
}
