import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EXIT_CODES, CommandFailure } from './failure.js';
import { parseExactJson } from './generated/exact-json.js';

/** All of standard input, without the line break at its end. */
export const readStandardInput = async (): Promise<string> => (await text(process.stdin)).replace(/\r?\n$/, '');

/** Asks for a line; what is typed for a secret is not shown. */
export function promptForLine(question: string, { isSecret = false } = {}): Promise<string> {
  if (!process.stdin.isTTY) throw new CommandFailure(`There is no terminal to ask for: ${question}`, EXIT_CODES.usage);
  process.stderr.write(`${question}: `);
  const output = isSecret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr;
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  return new Promise((resolve, reject) => {
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => reject(new CommandFailure('Nothing was entered.', EXIT_CODES.usage)));
    lines.question('', (line) => {
      resolve(line);
      lines.close();
      if (isSecret) process.stderr.write('\n');
    });
  });
}

/** The value of JSON, in which integers beyond 2^53 keep their digits. `name`: of what is read, for the failure. */
export function parseJsonInput(source: string, name: string): unknown {
  try {
    return parseExactJson(source);
  } catch (error) {
    throw new CommandFailure(
      `${name} is not valid JSON: ${error instanceof Error ? error.message : ''}`,
      EXIT_CODES.usage,
    );
  }
}

/** The JSON object of an option: JSON, `@file`, or `-` for standard input. */
export async function readJsonObjectOption(option: string): Promise<Record<string, unknown>> {
  const source =
    option === '-'
      ? await readStandardInput()
      : option.startsWith('@')
        ? readFileSync(option.slice(1), 'utf8')
        : option;
  const value = parseJsonInput(source, 'The input');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CommandFailure('The input must be a JSON object.', EXIT_CODES.usage);
  return value as Record<string, unknown>;
}
