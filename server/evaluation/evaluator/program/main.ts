/**
 * The program of an evaluator process: reads one job at a time from the socket that it inherits, and answers. Its
 * memory contains nothing of the service, its environment is empty, and the service can kill it at any moment.
 */
import { splitPageItems, serializePageRest } from '../list-page';
import { parseBodyByType } from '../read-body';
import { FrameReader, type ReceivedMessage } from '../frames';
import type { JobFailure, EvaluatorJob, EvaluationLimits, ExpressionText, ItemNames } from '../jobs';
import type { CodeResult, CodeProgram } from './code';
import {
  handleConvertJob,
  handleDeriveKeyJob,
  handleMailJob,
  handleMcpJob,
  handleModelJob,
  handleOpenApiJob,
  handleSamlJob,
} from './document-jobs';
import { evaluateExpression, copyPlainValue } from './jsonata';
import { lockDownProcess } from './lockdown';
import { LimitExceededError, EvaluationMeter, ProcessUnusableError } from './meter';
import { measureValueTraits, FieldRenderer, FieldRenderError } from './render';
import { parseFieldText } from '@/server/evaluation/expressions/template';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { UnreadableBodyError } from '@/server/platform/messages/request-body';
import { readRequestValue } from './read-request';
import { createProgressReport, parseJsonBuffer, sendToService, serviceSocket } from './service-channel';
import { SamlFault } from '@/server/evaluation/saml/fault';

lockDownProcess();
const jobReader = new FrameReader<EvaluatorJob>();

/** Loads what most jobs need before the first one is timed. */
async function loadCommonModules(): Promise<void> {
  await evaluateExpression('1', {}, new EvaluationMeter({ cpuMs: 10_000, memoryBytes: Infinity }));
  sendToService({ kind: 'ready' });
}

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
    case 'render-items':
      return handleRenderItemsJob(job, texts);
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
  const { validateBySchema } = await import('./json-schema');
  sendToService({ kind: 'done' }, [
    JSON.stringify(validateBySchema(texts[0]?.toString() ?? '', parseJsonBuffer(texts[1]))),
  ]);
}

async function handleMatchEach([schemas, values]: Buffer[]): Promise<void> {
  const { validateBySchema } = await import('./json-schema');
  const all = (parseJsonBuffer(schemas) as unknown[]).map((schema) => JSON.stringify(schema));
  const progress = createProgressReport();
  const issues = [];
  for (const value of parseJsonBuffer(values) as unknown[]) {
    await progress();
    issues.push(all.flatMap((schema) => validateBySchema(schema, value)));
  }
  sendToService({ kind: 'done' }, [JSON.stringify(issues)]);
}

async function handlePollJob(
  { rules, limits, timeZone }: Extract<EvaluatorJob, { kind: 'poll' }>,
  texts: Buffer[],
): Promise<void> {
  const { computePolledItems } = await import('./poll');
  const [input = 'null', cursor = 'null'] = texts.map((text) => text.toString());
  const found = await computePolledItems(rules, [input, cursor], {
    limits,
    timeZone,
    progress: createProgressReport(),
  });
  const items = found.items.map((item) => JSON.stringify(item) ?? 'null');
  const lengths = items.map((item) => Buffer.byteLength(item));
  sendToService({ kind: 'done' }, [
    ...[found.keys, found.cursor, lengths].map((one) => JSON.stringify(one)),
    items.join(''),
  ]);
}

async function handleRenderJob(
  { rules, limits, timeZone, language }: Extract<EvaluatorJob, { kind: 'render' }>,
  texts: Buffer[],
): Promise<void> {
  const fields = parseJsonBuffer(texts[0]) as Record<string, unknown>;
  const scope = texts[1]?.toString() ?? '{}';
  const renderer = new FieldRenderer(scope, rules, limits, createProgressReport(), language, timeZone);
  const values: unknown[] = [];
  for (const [name, source] of Object.entries(fields)) values.push(await renderer.field(name, source));
  sendToService(
    { kind: 'done', facts: values.map(measureValueTraits) },
    values.map((one) => JSON.stringify(one) ?? 'null'),
  );
}

async function handleRenderItemsJob(
  { rules, limits, language, timeZone }: Extract<EvaluatorJob, { kind: 'render-items' }>,
  texts: Buffer[],
): Promise<void> {
  const { renderItemFields } = await import('./render-items');
  const fields = parseJsonBuffer(texts[0]) as Record<string, unknown>;
  const items = parseJsonBuffer(texts[2]) as ItemNames[];
  const request = { fields, scopeJson: texts[1]?.toString() ?? '{}', items, language };
  sendToService({ kind: 'done' }, [await renderItemFields(request, rules, limits, createProgressReport(), timeZone)]);
}

async function handleRedactJob(secrets: string[], texts: Buffer[]): Promise<void> {
  const { createRedactor } = await import('@/server/evaluation/redaction/redactor');
  sendToService({ kind: 'done' }, [JSON.stringify(createRedactor(secrets).value(parseJsonBuffer(texts[0])))]);
}

async function handleListJob(
  { operation, limits, isTraced }: Extract<EvaluatorJob, { kind: 'list' }>,
  texts: Buffer[],
): Promise<void> {
  const [{ filterByExpression, createPeriodicCheck }, { computeListOperation }] = await Promise.all([
    import('./lists'),
    import('@/server/evaluation/lists/operations'),
  ]);
  const lists = texts.map(parseJsonBuffer) as unknown[][];
  const meter = new EvaluationMeter(limits);
  const { items, origins } =
    operation.kind === 'where'
      ? await filterByExpression(operation, lists[0] ?? [], meter, limits)
      : computeListOperation(operation, lists, createPeriodicCheck(meter));
  sendToService({ kind: 'done', facts: [measureValueTraits(items)] }, [
    JSON.stringify(copyPlainValue(items, meter)),
    ...(isTraced ? [JSON.stringify(origins ?? null)] : []),
  ]);
}

async function handleKeysJob(
  { expression, maxItems, limits }: Extract<EvaluatorJob, { kind: 'keys' }>,
  texts: Buffer[],
): Promise<void> {
  const { hashItemKeys } = await import('./lists');
  const {
    keys: hashes,
    offsets,
    json,
  } = await hashItemKeys(expression, parseJsonBuffer(texts[0]) as unknown[], maxItems, limits);
  sendToService({ kind: 'done' }, [`{${hashes.join()}}`, JSON.stringify(offsets), json]);
}

async function handleCheckJob(texts: Buffer[]): Promise<void> {
  const progress = createProgressReport();
  const problems = [];
  for (const { text, kind, language } of parseJsonBuffer(texts[0]) as ExpressionText[]) {
    await progress();
    const parsed = parseFieldText(text, kind, language);
    problems.push('problem' in parsed ? parsed.problem : null);
  }
  const schemas = [];
  const { findSchemaProblem } = await import('./json-schema');
  for (const schema of parseJsonBuffer(texts[1]) as unknown[]) {
    await progress();
    schemas.push(findSchemaProblem(JSON.stringify(schema)));
  }
  sendToService({ kind: 'done' }, [JSON.stringify(problems), JSON.stringify(schemas)]);
}

async function handleCodeJob(job: Extract<EvaluatorJob, { kind: 'code' }>, texts: Buffer[]): Promise<void> {
  const { language, limits, secrets, timeZone } = job;
  const [source = '', input = 'null', nodes = '{}', execution = '{}', vars = '{}', prelude] = texts.map((text) =>
    text.toString(),
  );
  const { createRedactor } = await import('@/server/evaluation/redaction/redactor');
  const program = { source, input, nodes, execution, vars, timeZone, prelude };
  const outcome = language === 'python' ? await executePython(program) : await executeJavaScript(program, limits);
  const { text, value } = createRedactor(secrets);
  const logs = JSON.stringify(outcome.logs.map(({ level, message }) => ({ level, message: text(message) })));
  if (!outcome.ok) return sendToService({ kind: 'failed', failure: outcome.failure, hasLogs: true }, [logs]);
  const json = secrets.length > 0 ? JSON.stringify(value(JSON.parse(outcome.json))) : outcome.json;
  sendToService({ kind: 'done', facts: [measureValueTraits(JSON.parse(json))] }, [json, logs]);
}

async function executeJavaScript(program: CodeProgram, limits: EvaluationLimits): Promise<CodeResult> {
  const { runJavaScript } = await import('./code');
  return runJavaScript(program, limits);
}

/** The time that loading the interpreter takes does not count as time of the program. */
async function executePython(program: CodeProgram): Promise<CodeResult> {
  const progress = createProgressReport();
  const { loadPythonInterpreter, runPythonProgram } = await import('./python');
  await loadPythonInterpreter();
  await progress();
  return runPythonProgram(program);
}

let queue: Promise<void> = loadCommonModules();
serviceSocket.on('data', (chunk) => {
  for (const message of jobReader.read(chunk)) queue = queue.then(() => handleJobMessage(message));
});
// The service has closed the socket.
serviceSocket.on('close', () => process.exit(0));
serviceSocket.on('error', () => process.exit(0));
