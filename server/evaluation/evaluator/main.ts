/**
 * The program of an evaluator process: reads one job at a time from the socket that it inherits, and answers. Its memory contains nothing
 * of the service, its environment is empty, and the service can kill it at any moment.
 */
import { Socket } from 'node:net';
import { setImmediate as flushed } from 'node:timers/promises';
import { splitPage, writeRest } from '../list-page';
import { readBody } from '../read-body';
import { encode, FrameReader, type Received } from '../frames';
import type { Answer, Failure, Job, Limits, TextToCheck } from '../jobs';
import type { Outcome, Program } from './code';
import { evaluate, plain } from './jsonata';
import { lockDown } from './lockdown';
import { LimitExceeded, Meter, Spent } from './meter';
import { factsOf, Renderer, RenderFailure } from './render';
import { parseText } from '@/server/expressions/template';
import { NodeFailure } from '@/server/errors/node-failure';
import { UnreadableBody } from '@/server/request-body';
import { readRequest } from './read-request';
import type { SamlSettings } from '@/server/saml/client';
import { SamlFault } from '@/server/saml/fault';

const socket = new Socket({ fd: 3, readable: true, writable: true });
lockDown();
const reader = new FrameReader<Job>();
/** Interval in milliseconds after which a running job reports progress. */
const PROGRESS_MS = 50;

/** Loads what most jobs need before the first one is timed. */
async function warmUp(): Promise<void> {
  await evaluate('1', {}, new Meter({ cpuMs: 10_000, memoryBytes: Infinity }));
  send({ kind: 'ready' });
}

const send = (header: Answer, texts: (string | Buffer)[] = []) => {
  for (const part of encode({ header, texts })) socket.write(part);
};
const parse = (text: Buffer | undefined): unknown => JSON.parse(text?.toString() ?? 'null');

async function answer({ header, texts }: Received<Job>): Promise<void> {
  try {
    await perform(header, texts);
  } catch (error) {
    send({ kind: 'failed', failure: failureOf(error) });
    if (error instanceof Spent) process.exit(1);
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof RenderFailure || error instanceof Spent) return error.failure;
  if (error instanceof LimitExceeded || error instanceof NodeFailure)
    return { code: error.code, message: error.message };
  if (error instanceof SamlFault) return { code: 'SAML_INVALID', message: error.message };
  if (error instanceof UnreadableBody) return { code: 'UNREADABLE', message: error.message };
  if (error instanceof RangeError)
    return { code: 'EVALUATION_MEMORY', message: `The evaluation is too large: ${error.message}` };
  return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) };
}

function perform(job: Job, texts: Buffer[]): Promise<void> | void {
  switch (job.kind) {
    case 'render':
      return render(job, texts);
    case 'check':
      return check(texts);
    case 'match-schema':
      return matchSchema(texts);
    case 'match-each':
      return matchEach(texts);
    case 'poll':
      return poll(job, texts);
    case 'code':
      return code(job, texts);
    case 'redact':
      return redact(job.secrets, texts);
    case 'list':
      return list(job, texts);
    case 'convert':
      return convertContent(job, texts);
    case 'keys':
      return keys(job, texts);
    case 'parse-mail':
      return parseMail(job, texts);
    case 'derive-key':
      return deriveKey(job, texts);
    case 'read-openapi':
      return readOpenApi(job, texts);
    case 'read-saml':
      return readSaml(job, texts);
    case 'read-mcp':
      return readMcp(job, texts);
    case 'read-model':
      return readModel(job, texts);
    case 'read-page': {
      const body = readBody(texts[0] ?? Buffer.alloc(0), job.contentType, 'auto');
      const { items, ...about } = splitPage(body, job.places);
      return send({ kind: 'done' }, [writeRest(about), items]);
    }
    case 'read-request': {
      const bytes = texts[0] ?? Buffer.alloc(0);
      return send({ kind: 'done' }, [JSON.stringify(readRequest(bytes, job.form))]);
    }
    case 'read-body': {
      const value = readBody(texts[0] ?? Buffer.alloc(0), job.contentType, job.as);
      return send({ kind: 'done', facts: [factsOf(value)] }, [JSON.stringify(plain(value, new Meter(job.limits)))]);
    }
  }
}

async function matchSchema(texts: Buffer[]): Promise<void> {
  const { schemaIssues } = await import('./schema');
  send({ kind: 'done' }, [JSON.stringify(schemaIssues(texts[0]?.toString() ?? '', parse(texts[1])))]);
}

async function matchEach([schemas, values]: Buffer[]): Promise<void> {
  const { schemaIssues } = await import('./schema');
  const all = (parse(schemas) as unknown[]).map((schema) => JSON.stringify(schema));
  const progress = progressReport();
  const issues = [];
  for (const value of parse(values) as unknown[]) {
    await progress();
    issues.push(all.flatMap((schema) => schemaIssues(schema, value)));
  }
  send({ kind: 'done' }, [JSON.stringify(issues)]);
}

async function poll({ rules, limits, timeZone }: Extract<Job, { kind: 'poll' }>, texts: Buffer[]): Promise<void> {
  const { polledItems } = await import('./poll');
  const [input = 'null', cursor = 'null'] = texts.map((text) => text.toString());
  const found = await polledItems(rules, [input, cursor], { limits, timeZone, progress: progressReport() });
  const items = found.items.map((item) => JSON.stringify(item) ?? 'null');
  const lengths = items.map((item) => Buffer.byteLength(item));
  send({ kind: 'done' }, [...[found.keys, found.cursor, lengths].map((one) => JSON.stringify(one)), items.join('')]);
}

/** Reports from time to time that the next part of a job begins, and yields so that the message is sent. */
function progressReport(): () => Promise<void> {
  let reportedAt = performance.now();
  return async () => {
    if (performance.now() - reportedAt < PROGRESS_MS) return;
    send({ kind: 'progress' });
    await flushed();
    reportedAt = performance.now();
  };
}

async function render({ rules, limits, timeZone }: Extract<Job, { kind: 'render' }>, texts: Buffer[]): Promise<void> {
  const fields = parse(texts[0]) as Record<string, unknown>;
  const renderer = new Renderer(texts[1]?.toString() ?? '{}', rules, limits, progressReport(), timeZone);
  const values: unknown[] = [];
  for (const [name, source] of Object.entries(fields)) values.push(await renderer.field(name, source));
  send(
    { kind: 'done', facts: values.map(factsOf) },
    values.map((one) => JSON.stringify(one) ?? 'null'),
  );
}

async function redact(secrets: string[], texts: Buffer[]): Promise<void> {
  const { redactor } = await import('@/server/redaction/redactor');
  send({ kind: 'done' }, [JSON.stringify(redactor(secrets).value(parse(texts[0])))]);
}

async function list({ operation, limits }: Extract<Job, { kind: 'list' }>, texts: Buffer[]): Promise<void> {
  const [{ itemsWhere, regularCheck }, { computeList }] = await Promise.all([
    import('./lists'),
    import('@/server/lists/operations'),
  ]);
  const lists = texts.map(parse) as unknown[][];
  const meter = new Meter(limits);
  const result =
    operation.kind === 'where'
      ? await itemsWhere(operation.source, lists[0] ?? [], meter)
      : computeList(operation, lists, regularCheck(meter));
  send({ kind: 'done', facts: [factsOf(result)] }, [JSON.stringify(plain(result, meter))]);
}

async function convertContent({ conversion }: Extract<Job, { kind: 'convert' }>, contents: Buffer[]): Promise<void> {
  const { convert } = await import('./convert');
  const result = await convert(conversion, contents);
  if (result.kind === 'value') return send({ kind: 'done', facts: [result.facts] }, [result.json]);
  if (result.kind === 'file') return send({ kind: 'done' }, [result.content]);
  const names = result.files.map(({ name }) => name);
  send(
    { kind: 'done', names },
    result.files.map(({ content }) => content),
  );
}

async function parseMail({ isWhole }: Extract<Job, { kind: 'parse-mail' }>, [bytes]: Buffer[]): Promise<void> {
  const { parsedMail } = await import('./mail');
  const { mail, contents } = await parsedMail(bytes ?? Buffer.alloc(0), isWhole);
  send({ kind: 'done' }, [JSON.stringify(mail), ...contents]);
}

async function deriveKey(
  { rounds, length }: Extract<Job, { kind: 'derive-key' }>,
  [passphrase = Buffer.alloc(0), salt = Buffer.alloc(0)]: Buffer[],
): Promise<void> {
  const { pbkdf } = await import('bcrypt-pbkdf');
  const key = Buffer.alloc(length);
  pbkdf(passphrase, passphrase.length, salt, salt.length, key, length, rounds);
  send({ kind: 'done' }, [key]);
}

async function readOpenApi({ reading }: Extract<Job, { kind: 'read-openapi' }>, [text]: Buffer[]): Promise<void> {
  const { readDocument } = await import('@/server/openapi/read');
  send({ kind: 'done' }, [JSON.stringify(readDocument(text?.toString() ?? '', reading))]);
}

async function readSaml(
  { reading }: Extract<Job, { kind: 'read-saml' }>,
  [settings, message]: Buffer[],
): Promise<void> {
  const { readAnswer, readLogout } = await import('@/server/saml/messages');
  const provider = parse(settings) as SamlSettings;
  const text = message?.toString() ?? '';
  const content =
    reading.kind === 'answer'
      ? await readAnswer(provider, reading.requestId, text)
      : await readLogout(provider, reading.redirect, text);
  send({ kind: 'done' }, [JSON.stringify(content)]);
}

async function readMcp({ request }: Extract<Job, { kind: 'read-mcp' }>, [bytes]: Buffer[]): Promise<void> {
  const { mcpAnswer } = await import('../mcp-answer');
  const { message, parts } = mcpAnswer(bytes ?? Buffer.alloc(0), request);
  const texts = [message, ...Object.values(parts)].map((part) => JSON.stringify(part));
  send({ kind: 'done', names: Object.keys(parts) }, texts);
}

async function readModel({ reading }: Extract<Job, { kind: 'read-model' }>, [bytes]: Buffer[]): Promise<void> {
  const { readAnswer } = await import('./model-answer');
  send({ kind: 'done' }, [await readAnswer(reading, bytes ?? Buffer.alloc(0))]);
}

async function keys({ source, maxItems, limits }: Extract<Job, { kind: 'keys' }>, texts: Buffer[]): Promise<void> {
  const { keyedItems } = await import('./lists');
  const {
    keys: hashes,
    offsets,
    json,
  } = await keyedItems(source, parse(texts[0]) as unknown[], maxItems, new Meter(limits));
  send({ kind: 'done' }, [`{${hashes.join()}}`, JSON.stringify(offsets), json]);
}

async function check(texts: Buffer[]): Promise<void> {
  const progress = progressReport();
  const problems = [];
  for (const { text, kind } of parse(texts[0]) as TextToCheck[]) {
    await progress();
    const parsed = parseText(text, kind);
    problems.push('problem' in parsed ? parsed.problem : null);
  }
  const schemas = [];
  const { schemaProblem } = await import('./schema');
  for (const schema of parse(texts[1]) as unknown[]) {
    await progress();
    schemas.push(schemaProblem(JSON.stringify(schema)));
  }
  send({ kind: 'done' }, [JSON.stringify(problems), JSON.stringify(schemas)]);
}

async function code(job: Extract<Job, { kind: 'code' }>, texts: Buffer[]): Promise<void> {
  const { language, limits, secrets, timeZone } = job;
  const [source = '', input = 'null', nodes = '{}', execution = '{}', vars = '{}'] = texts.map((text) =>
    text.toString(),
  );
  const { redactor } = await import('@/server/redaction/redactor');
  const program = { source, input, nodes, execution, vars, timeZone };
  const outcome = language === 'python' ? await python(program) : await javascript(program, limits);
  const { text, value } = redactor(secrets);
  const logs = JSON.stringify(outcome.logs.map(({ level, message }) => ({ level, message: text(message) })));
  if (!outcome.ok) return send({ kind: 'failed', failure: outcome.failure, hasLogs: true }, [logs]);
  const json = secrets.length > 0 ? JSON.stringify(value(JSON.parse(outcome.json))) : outcome.json;
  send({ kind: 'done', facts: [factsOf(JSON.parse(json))] }, [json, logs]);
}

async function javascript(program: Program, limits: Limits): Promise<Outcome> {
  const { runCode } = await import('./code');
  return runCode(program, limits);
}

/** The time to load the interpreter is not that of the program. */
async function python(program: Program): Promise<Outcome> {
  const progress = progressReport();
  const { loadPython, runPython } = await import('./python');
  await loadPython();
  await progress();
  return runPython(program);
}

let queue: Promise<void> = warmUp();
socket.on('data', (chunk) => {
  for (const message of reader.read(chunk)) queue = queue.then(() => answer(message));
});
// The service has closed the socket.
socket.on('close', () => process.exit(0));
socket.on('error', () => process.exit(0));
