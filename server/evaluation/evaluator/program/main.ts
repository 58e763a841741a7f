/**
 * The program of an evaluator process: reads one job at a time from the socket that it inherits, and answers. Its memory contains nothing
 * of the service, its environment is empty, and the service can kill it at any moment.
 */
import { Socket } from 'node:net';
import { setImmediate as flushed } from 'node:timers/promises';
import { splitPageItems, serializePageRest } from '../list-page';
import { parseBodyByType } from '../read-body';
import { encodeFrame, FrameReader, type ReceivedMessage } from '../frames';
import type { EvaluatorMessage, JobFailure, EvaluatorJob, EvaluationLimits, ExpressionText } from '../jobs';
import type { CodeResult, CodeProgram } from './code';
import { evaluateExpression, copyPlainValue } from './jsonata';
import { lockDownProcess } from './lockdown';
import { LimitExceededError, EvaluationMeter, ProcessUnusableError } from './meter';
import { measureValueTraits, FieldRenderer, FieldRenderError } from './render';
import { parseFieldText } from '@/server/evaluation/expressions/template';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { UnreadableBodyError } from '@/server/platform/messages/request-body';
import { readRequestValue } from './read-request';
import type { SamlSettings } from '@/server/evaluation/saml/client';
import { SamlFault } from '@/server/evaluation/saml/fault';

const serviceSocket = new Socket({ fd: 3, readable: true, writable: true });
lockDownProcess();
const jobReader = new FrameReader<EvaluatorJob>();
/** Interval in milliseconds after which a running job reports progress. */
const PROGRESS_INTERVAL_MS = 50;

/** Loads what most jobs need before the first one is timed. */
async function loadCommonModules(): Promise<void> {
  await evaluateExpression('1', {}, new EvaluationMeter({ cpuMs: 10_000, memoryBytes: Infinity }));
  sendToService({ kind: 'ready' });
}

const sendToService = (header: EvaluatorMessage, texts: (string | Buffer)[] = []) => {
  for (const part of encodeFrame({ header, texts })) serviceSocket.write(part);
};
const parseJsonBuffer = (text: Buffer | undefined): unknown => JSON.parse(text?.toString() ?? 'null');

async function handleJobMessage({ header, texts }: ReceivedMessage<EvaluatorJob>): Promise<void> {
  try {
    await performJob(header, texts);
  } catch (error) {
    sendToService({ kind: 'failed', failure: toJobFailure(error) });
    if (error instanceof ProcessUnusableError) process.exit(1);
  }
}

function toJobFailure(error: unknown): JobFailure {
  if (error instanceof FieldRenderError || error instanceof ProcessUnusableError) return error.failure;
  if (error instanceof LimitExceededError || error instanceof NodeFailure)
    return { code: error.code, message: error.message };
  if (error instanceof SamlFault) return { code: 'SAML_INVALID', message: error.message };
  if (error instanceof UnreadableBodyError) return { code: 'UNREADABLE', message: error.message };
  if (error instanceof RangeError)
    return { code: 'EVALUATION_MEMORY', message: `The evaluation is too large: ${error.message}` };
  return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) };
}

function performJob(job: EvaluatorJob, texts: Buffer[]): Promise<void> | void {
  switch (job.kind) {
    case 'render':
      return handleRenderJob(job, texts);
    case 'check':
      return handleCheckJob(texts);
    case 'match-schema':
      return handleMatchSchema(texts);
    case 'match-each':
      return handleMatchEach(texts);
    case 'poll':
      return handlePollJob(job, texts);
    case 'code':
      return handleCodeJob(job, texts);
    case 'redact':
      return handleRedactJob(job.secrets, texts);
    case 'list':
      return handleListJob(job, texts);
    case 'convert':
      return handleConvertJob(job, texts);
    case 'keys':
      return handleKeysJob(job, texts);
    case 'parse-mail':
      return handleMailJob(job, texts);
    case 'derive-key':
      return handleDeriveKeyJob(job, texts);
    case 'read-openapi':
      return handleOpenApiJob(job, texts);
    case 'read-saml':
      return handleSamlJob(job, texts);
    case 'read-mcp':
      return handleMcpJob(job, texts);
    case 'read-model':
      return handleModelJob(job, texts);
    case 'read-page': {
      const body = parseBodyByType(texts[0] ?? Buffer.alloc(0), job.contentType, 'auto');
      const { items, ...about } = splitPageItems(body, job.places);
      return sendToService({ kind: 'done' }, [serializePageRest(about), items]);
    }
    case 'read-request': {
      const bytes = texts[0] ?? Buffer.alloc(0);
      return sendToService({ kind: 'done' }, [JSON.stringify(readRequestValue(bytes, job.form))]);
    }
    case 'read-body': {
      const value = parseBodyByType(texts[0] ?? Buffer.alloc(0), job.contentType, job.as);
      return sendToService({ kind: 'done', facts: [measureValueTraits(value)] }, [
        JSON.stringify(copyPlainValue(value, new EvaluationMeter(job.limits))),
      ]);
    }
  }
}

async function handleMatchSchema(texts: Buffer[]): Promise<void> {
  const { validateBySchema: schemaIssues } = await import('./json-schema');
  sendToService({ kind: 'done' }, [
    JSON.stringify(schemaIssues(texts[0]?.toString() ?? '', parseJsonBuffer(texts[1]))),
  ]);
}

async function handleMatchEach([schemas, values]: Buffer[]): Promise<void> {
  const { validateBySchema: schemaIssues } = await import('./json-schema');
  const all = (parseJsonBuffer(schemas) as unknown[]).map((schema) => JSON.stringify(schema));
  const progress = createProgressReport();
  const issues = [];
  for (const value of parseJsonBuffer(values) as unknown[]) {
    await progress();
    issues.push(all.flatMap((schema) => schemaIssues(schema, value)));
  }
  sendToService({ kind: 'done' }, [JSON.stringify(issues)]);
}

async function handlePollJob(
  { rules, limits, timeZone }: Extract<EvaluatorJob, { kind: 'poll' }>,
  texts: Buffer[],
): Promise<void> {
  const { computePolledItems: polledItems } = await import('./poll');
  const [input = 'null', cursor = 'null'] = texts.map((text) => text.toString());
  const found = await polledItems(rules, [input, cursor], { limits, timeZone, progress: createProgressReport() });
  const items = found.items.map((item) => JSON.stringify(item) ?? 'null');
  const lengths = items.map((item) => Buffer.byteLength(item));
  sendToService({ kind: 'done' }, [
    ...[found.keys, found.cursor, lengths].map((one) => JSON.stringify(one)),
    items.join(''),
  ]);
}

/** Reports from time to time that the next part of a job begins, and yields so that the message is sent. */
function createProgressReport(): () => Promise<void> {
  let reportedAt = performance.now();
  return async () => {
    if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) return;
    sendToService({ kind: 'progress' });
    await flushed();
    reportedAt = performance.now();
  };
}

async function handleRenderJob(
  { rules, limits, timeZone }: Extract<EvaluatorJob, { kind: 'render' }>,
  texts: Buffer[],
): Promise<void> {
  const fields = parseJsonBuffer(texts[0]) as Record<string, unknown>;
  const renderer = new FieldRenderer(texts[1]?.toString() ?? '{}', rules, limits, createProgressReport(), timeZone);
  const values: unknown[] = [];
  for (const [name, source] of Object.entries(fields)) values.push(await renderer.field(name, source));
  sendToService(
    { kind: 'done', facts: values.map(measureValueTraits) },
    values.map((one) => JSON.stringify(one) ?? 'null'),
  );
}

async function handleRedactJob(secrets: string[], texts: Buffer[]): Promise<void> {
  const { createRedactor: redactor } = await import('@/server/evaluation/redaction/redactor');
  sendToService({ kind: 'done' }, [JSON.stringify(redactor(secrets).value(parseJsonBuffer(texts[0])))]);
}

async function handleListJob(
  { operation, limits }: Extract<EvaluatorJob, { kind: 'list' }>,
  texts: Buffer[],
): Promise<void> {
  const [{ filterByExpression: itemsWhere, createPeriodicCheck: regularCheck }, { computeListOperation: computeList }] =
    await Promise.all([import('./lists'), import('@/server/evaluation/lists/operations')]);
  const lists = texts.map(parseJsonBuffer) as unknown[][];
  const meter = new EvaluationMeter(limits);
  const result =
    operation.kind === 'where'
      ? await itemsWhere(operation.source, lists[0] ?? [], meter)
      : computeList(operation, lists, regularCheck(meter));
  sendToService({ kind: 'done', facts: [measureValueTraits(result)] }, [JSON.stringify(copyPlainValue(result, meter))]);
}

async function handleConvertJob(
  { conversion }: Extract<EvaluatorJob, { kind: 'convert' }>,
  contents: Buffer[],
): Promise<void> {
  const { convertContent: convert } = await import('./convert');
  const result = await convert(conversion, contents);
  if (result.kind === 'value') return sendToService({ kind: 'done', facts: [result.facts] }, [result.json]);
  if (result.kind === 'file') return sendToService({ kind: 'done' }, [result.content]);
  const names = result.files.map(({ name }) => name);
  sendToService(
    { kind: 'done', names },
    result.files.map(({ content }) => content),
  );
}

async function handleMailJob(
  { isWhole }: Extract<EvaluatorJob, { kind: 'parse-mail' }>,
  [bytes]: Buffer[],
): Promise<void> {
  const { readMailMessage: parsedMail } = await import('./mail');
  const { mail, contents } = await parsedMail(bytes ?? Buffer.alloc(0), isWhole);
  sendToService({ kind: 'done' }, [JSON.stringify(mail), ...contents]);
}

async function handleDeriveKeyJob(
  { rounds, length }: Extract<EvaluatorJob, { kind: 'derive-key' }>,
  [passphrase = Buffer.alloc(0), salt = Buffer.alloc(0)]: Buffer[],
): Promise<void> {
  const { pbkdf } = await import('bcrypt-pbkdf');
  const key = Buffer.alloc(length);
  pbkdf(passphrase, passphrase.length, salt, salt.length, key, length, rounds);
  sendToService({ kind: 'done' }, [key]);
}

async function handleOpenApiJob(
  { reading }: Extract<EvaluatorJob, { kind: 'read-openapi' }>,
  [text]: Buffer[],
): Promise<void> {
  const { readOpenApiDocument: readDocument } = await import('@/server/evaluation/openapi/read');
  sendToService({ kind: 'done' }, [JSON.stringify(readDocument(text?.toString() ?? '', reading))]);
}

async function handleSamlJob(
  { reading }: Extract<EvaluatorJob, { kind: 'read-saml' }>,
  [settings, message]: Buffer[],
): Promise<void> {
  const { readSamlResponse: readAnswer, readProviderLogout: readLogout } =
    await import('@/server/evaluation/saml/messages');
  const provider = parseJsonBuffer(settings) as SamlSettings;
  const text = message?.toString() ?? '';
  const content =
    reading.kind === 'answer'
      ? await readAnswer(provider, reading.requestId, text)
      : await readLogout(provider, reading.redirect, text);
  sendToService({ kind: 'done' }, [JSON.stringify(content)]);
}

async function handleMcpJob(
  { request }: Extract<EvaluatorJob, { kind: 'read-mcp' }>,
  [bytes]: Buffer[],
): Promise<void> {
  const { readMcpResponse: mcpAnswer } = await import('../mcp-response');
  const { message, parts } = mcpAnswer(bytes ?? Buffer.alloc(0), request);
  const texts = [message, ...Object.values(parts)].map((part) => JSON.stringify(part));
  sendToService({ kind: 'done', names: Object.keys(parts) }, texts);
}

async function handleModelJob(
  { reading }: Extract<EvaluatorJob, { kind: 'read-model' }>,
  [bytes]: Buffer[],
): Promise<void> {
  const { readModelReply: readAnswer } = await import('./model-reply');
  sendToService({ kind: 'done' }, [await readAnswer(reading, bytes ?? Buffer.alloc(0))]);
}

async function handleKeysJob(
  { source, maxItems, limits }: Extract<EvaluatorJob, { kind: 'keys' }>,
  texts: Buffer[],
): Promise<void> {
  const { hashItemKeys: keyedItems } = await import('./lists');
  const {
    keys: hashes,
    offsets,
    json,
  } = await keyedItems(source, parseJsonBuffer(texts[0]) as unknown[], maxItems, new EvaluationMeter(limits));
  sendToService({ kind: 'done' }, [`{${hashes.join()}}`, JSON.stringify(offsets), json]);
}

async function handleCheckJob(texts: Buffer[]): Promise<void> {
  const progress = createProgressReport();
  const problems = [];
  for (const { text, kind } of parseJsonBuffer(texts[0]) as ExpressionText[]) {
    await progress();
    const parsed = parseFieldText(text, kind);
    problems.push('problem' in parsed ? parsed.problem : null);
  }
  const schemas = [];
  const { findSchemaProblem: schemaProblem } = await import('./json-schema');
  for (const schema of parseJsonBuffer(texts[1]) as unknown[]) {
    await progress();
    schemas.push(schemaProblem(JSON.stringify(schema)));
  }
  sendToService({ kind: 'done' }, [JSON.stringify(problems), JSON.stringify(schemas)]);
}

async function handleCodeJob(job: Extract<EvaluatorJob, { kind: 'code' }>, texts: Buffer[]): Promise<void> {
  const { language, limits, secrets, timeZone } = job;
  const [source = '', input = 'null', nodes = '{}', execution = '{}', vars = '{}'] = texts.map((text) =>
    text.toString(),
  );
  const { createRedactor: redactor } = await import('@/server/evaluation/redaction/redactor');
  const program = { source, input, nodes, execution, vars, timeZone };
  const outcome = language === 'python' ? await executePython(program) : await executeJavaScript(program, limits);
  const { text, value } = redactor(secrets);
  const logs = JSON.stringify(outcome.logs.map(({ level, message }) => ({ level, message: text(message) })));
  if (!outcome.ok) return sendToService({ kind: 'failed', failure: outcome.failure, hasLogs: true }, [logs]);
  const json = secrets.length > 0 ? JSON.stringify(value(JSON.parse(outcome.json))) : outcome.json;
  sendToService({ kind: 'done', facts: [measureValueTraits(JSON.parse(json))] }, [json, logs]);
}

async function executeJavaScript(program: CodeProgram, limits: EvaluationLimits): Promise<CodeResult> {
  const { runJavaScript: runCode } = await import('./code');
  return runCode(program, limits);
}

/** The time that loading the interpreter takes does not count as time of the program. */
async function executePython(program: CodeProgram): Promise<CodeResult> {
  const progress = createProgressReport();
  const { loadPythonInterpreter: loadPython, runPythonProgram: runPython } = await import('./python');
  await loadPython();
  await progress();
  return runPython(program);
}

let queue: Promise<void> = loadCommonModules();
serviceSocket.on('data', (chunk) => {
  for (const message of jobReader.read(chunk)) queue = queue.then(() => handleJobMessage(message));
});
// The service has closed the socket.
serviceSocket.on('close', () => process.exit(0));
serviceSocket.on('error', () => process.exit(0));
