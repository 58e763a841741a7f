import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A program that uses the client, typed strictly. */
export const TYPED_CLIENT_PROGRAM = `
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
const hash: string = (await weft.files.upload(new Blob(['some bytes']), { name: 'some.txt' })).sha256;
const error = await weft.workflows.get('wf_none').catch((reason: unknown) => reason);
const refusal = error instanceof WeftError ? [error.code, error.status, error.requestId !== null] : [];
console.log(JSON.stringify({ status, hash: hash.length, output: run.output, types: events.map(({ type }) => type), names, refusal }));

export async function callWithWrongTypes(): Promise<void> {
  // @ts-expect-error a path that the API does not have
  await weft.get('/api/workflow');
  // @ts-expect-error the path needs an id
  await weft.get('/api/workflows/{id}', {});
  // @ts-expect-error an address that has no list
  weft.all('/api/auth/me');
  // @ts-expect-error a status that no workflow has
  await weft.workflows.list({ status: 'lost' });
  // @ts-expect-error the number is a text
  const text: number = (await weft.workflows.get(id)).name;
  void text;
}
`;
/**
 * A program that uploads so many mebibytes and downloads them again. It prints whether they are the same, and its peak
 * memory in kibibytes. It collects garbage itself, so that only memory in use counts.
 */
export const FILE_TRANSFER_PROGRAM = `
import { createHash } from 'node:crypto';
import { Weft } from '@weft/client';

const [url, apiKey, mebibytes] = process.argv.slice(2);
const weft = new Weft({ url, apiKey });
const [sent, received] = [createHash('sha256'), createHash('sha256')];
const part = new Uint8Array(65_536).fill(7);
async function* parts() {
  for (let n = 0; n < Number(mebibytes) * 16; n += 1) {
    sent.update(part);
    if (n % 64 === 0) gc();
    yield part;
  }
}
const file = await weft.files.upload(parts(), { name: "Größe (1)'.bin", contentType: 'application/x-parts' });
const { stream, name, size } = await weft.files.download(file.$file);
let count = 0;
for await (const one of stream) {
  received.update(one);
  if (++count % 64 === 0) gc();
}
const range = await weft.files.download(file.$file, { range: { start: 65_536, end: 65_537 } });
const some = [...new Uint8Array(await new Response(range.stream).arrayBuffer())];
await weft.files.delete(file.$file);
const gone = await weft.files.download(file.$file).catch(({ code }) => code);
const isSame = sent.digest('hex') === received.digest('hex');
console.log(JSON.stringify({ name, size, isSame, some, gone, memory: process.resourceUsage().maxRSS }));
`;

/** A program that reads lists: how many items, pages until a break, and how an abort ends the reading. */
export const LIST_READING_PROGRAM = `
import { Weft } from '@weft/client';

const [url, apiKey] = process.argv.slice(2);
const queries = [];
const fetching = (address, request) => {
  queries.push(new URL(address).search);
  return fetch(address, request);
};
const weft = new Weft({ url, apiKey, fetch: fetching });
const ids = new Set();
for await (const { id } of weft.all('/api/workflows')) ids.add(id);
const whole = queries.splice(0);
for await (const one of weft.all('/api/workflows')) break;
const broken = queries.splice(0).length;
const stop = new AbortController();
let count = 0;
const aborted = await (async () => {
  for await (const one of weft.all('/api/workflows', { signal: stop.signal })) if (++count === 30) stop.abort('enough');
})().catch((reason) => reason);
console.log(JSON.stringify({ ids: ids.size, whole, broken, aborted, count }));
`;

/** The globals of a program, without types of Node.js. */
export const PROCESS_DECLARATION = 'declare const process: { argv: string[]; env?: Record<string, string> };';

/** The strictest options for programs that use the client. */
export const STRICT_TSCONFIG = {
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
export function documentedProgram(page: string, language: string, filledIn: Record<string, string>): string {
  const text = readFileSync(path.resolve(import.meta.dirname, '../docs', page), 'utf8');
  const blocks = [...text.matchAll(new RegExp(`\`\`\`${language}\n([^\`]*)\`\`\``, 'g'))].map(
    ([, block = '']) => block,
  );
  const program = Object.entries(filledIn).reduce((code, [from, to]) => code.replaceAll(from, to), blocks.join('\n'));
  if (blocks.length === 0) throw new Error(`${page} has no block in ${language}`);
  return program;
}
