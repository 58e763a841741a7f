import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A program that uses the client, typed strictly. */
export const USE = `
import { Weft, WeftError, type RunEvent } from '@weft/client';

const [url = '', apiKey = '', id = ''] = process.argv.slice(2);
const weft = new Weft({ url, apiKey });
const { executionId } = await weft.workflows.execute(id, { input: { number: 21 } });
const events: RunEvent[] = [];
for await (const event of weft.runs.events(executionId)) events.push(event);
const run = await weft.runs.wait(executionId, { timeoutMs: 60_000 });
const status: 'pending' | 'running' | 'paused' | 'completed' | 'failed' = run.status;
const names: string[] = [];
for await (const workflow of weft.all('/api/workflows', { query: { status: 'active' } })) names.push(workflow.name);
const error = await weft.workflows.get('wf_none').catch((reason: unknown) => reason);
const refusal = error instanceof WeftError ? [error.code, error.status, error.requestId !== null] : [];
console.log(JSON.stringify({ status, output: run.output, types: events.map(({ type }) => type), names, refusal }));

export async function wrong(): Promise<void> {
  // @ts-expect-error a path that the API does not have
  await weft.get('/api/workflow');
  // @ts-expect-error the path needs an id
  await weft.get('/api/workflows/{id}', {});
  // @ts-expect-error a status that no workflow has
  await weft.workflows.list({ status: 'lost' });
  // @ts-expect-error the number is a text
  const text: number = (await weft.workflows.get(id)).name;
  void text;
}
`;
/** The globals of a program, without types of Node.js. */
export const PROCESS = 'declare const process: { argv: string[]; env?: Record<string, string> };';

/** The strictest options for programs that use the client. */
export const CONFIG = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: false,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: [],
  },
  files: ['use.ts', 'page.ts'],
};

/** The blocks of a page of the documentation in a language, as one program. What a reader fills in is replaced. */
export function documented(page: string, language: string, filledIn: Record<string, string>): string {
  const text = readFileSync(path.resolve(import.meta.dirname, '../docs', page), 'utf8');
  const blocks = [...text.matchAll(new RegExp(`\`\`\`${language}\n([^\`]*)\`\`\``, 'g'))].map(
    ([, block = '']) => block,
  );
  const program = Object.entries(filledIn).reduce((code, [from, to]) => code.replaceAll(from, to), blocks.join('\n'));
  if (blocks.length === 0) throw new Error(`${page} has no block in ${language}`);
  return program;
}
