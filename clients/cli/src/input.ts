import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EXIT, Failure } from './failure.js';
import { parseExactJson } from './generated/exact-json.js';

/** All of standard input, without the line break at its end. */
export const readStdin = async (): Promise<string> => (await text(process.stdin)).replace(/\r?\n$/, '');

/** Asks for a line; what is typed for a secret is not shown. */
export function ask(question: string, { isSecret = false } = {}): Promise<string> {
  if (!process.stdin.isTTY) throw new Failure(`There is no terminal to ask for: ${question}`, EXIT.usage);
  process.stderr.write(`${question}: `);
  const output = isSecret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr;
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  return new Promise((resolve, reject) => {
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => reject(new Failure('Nothing was entered.', EXIT.usage)));
    lines.question('', (line) => {
      resolve(line);
      lines.close();
      if (isSecret) process.stderr.write('\n');
    });
  });
}

/** The value of JSON, in which integers beyond 2^53 keep their digits. `name`: of what is read, for the failure. */
export function parseJson(source: string, name: string): unknown {
  try {
    return parseExactJson(source);
  } catch (error) {
    throw new Failure(`${name} is not valid JSON: ${error instanceof Error ? error.message : ''}`, EXIT.usage);
  }
}

/** The JSON object of an option: JSON, `@file`, or `-` for standard input. */
export async function readObject(option: string): Promise<Record<string, unknown>> {
  const source =
    option === '-' ? await readStdin() : option.startsWith('@') ? readFileSync(option.slice(1), 'utf8') : option;
  const value = parseJson(source, 'The input');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Failure('The input must be a JSON object.', EXIT.usage);
  return value as Record<string, unknown>;
}
