import { decodeUtf8InTurns } from '@/server/platform/timers/cooperative';
import { availableParallelism } from 'node:os';
import type { ExpressionDialect } from '@/contract/workflows/expression-language';
import type { FieldIssue } from '@/contract/error-response';
import type { ServiceEnv } from '@/server/platform/env/env';
import {
  serializeJson,
  LargeJsonText,
  MAX_PARSED_JSON,
  type KnownValueTraits,
} from '@/server/evaluation/expressions/large-json';
import type { FieldReadingRules, ExpressionTextProblem } from '@/server/evaluation/expressions/template';
import { getRuntime } from '@/server/platform/runtime';
import { CONVERSION_CPU_FACTOR, MEMORY_OUTSIDE_HEAP_BYTES, type ConversionJob } from './convert-job';
import { processHeapBytes } from './evaluator-process';
import type {
  BodyReadingMode,
  CodeLanguage,
  JobFailure,
  EvaluatorJob,
  EvaluationLimits,
  CodeLogLine,
  ItemNames,
  ItemRendering,
  RequestBodyForm,
  ExpressionText,
} from './jobs';
import { EvaluationPool } from './pool';
import { BYTES_PER_MIB } from '@/contract/units';

declare module '@/server/platform/runtime' {
  interface Runtime {
    /** Evaluator processes; started on first use. */
    evaluation?: EvaluationPool;
  }
}

/** Number of evaluator processes: one per processor, at least two, so that one workspace cannot occupy all. */
const defaultPoolSize = () => Math.min(8, Math.max(2, availableParallelism()));

export const createEvaluationPool = ({ evaluationProcesses, evaluationMemoryMb }: ServiceEnv): EvaluationPool =>
  new EvaluationPool({
    size: evaluationProcesses ?? defaultPoolSize(),
    memoryBytes: evaluationMemoryMb * BYTES_PER_MIB,
  });

/** The pool of this process, created on first use. */
export const evaluatorPool = (): EvaluationPool => (getRuntime().evaluation ??= createEvaluationPool(getRuntime().env));

/** Stops the evaluator processes at shutdown. */
export function closeEvaluation(): void {
  getRuntime().evaluation?.close();
  getRuntime().evaluation = undefined;
}

const expressionLimits = (cpuMs = getRuntime().env.evaluationCpuMs): EvaluationLimits => ({
  cpuMs,
  memoryBytes: getRuntime().env.evaluationMemoryMb * BYTES_PER_MIB,
});

const processHeapLimit = () => processHeapBytes(getRuntime().env.evaluationMemoryMb * BYTES_PER_MIB);
/** All memory of a process, for jobs that use much outside of the heap. */
const processMemoryLimit = () => processHeapLimit() + MEMORY_OUTSIDE_HEAP_BYTES;

/**
 * Limits of work other than expressions: parsing and redacting large values, checking a whole definition, deriving a
 * key.
 */
export const bulkWorkLimits = () => expressionLimits(Math.max(2000, getRuntime().env.evaluationCpuMs * 8));

/** Limits of work on the content of a file, most of which is outside of the heap. */
export function fileWorkLimits(cpuMs: number): EvaluationLimits {
  return { cpuMs, memoryBytes: processHeapLimit(), residentBytes: processMemoryLimit() };
}

/** The workspace that an evaluation runs for, and its abort signal. */
export interface EvaluationContext {
  workspaceId: string;
  signal?: AbortSignal;
}

/** An evaluation that failed. */
export class EvaluationFailedError extends Error {
  constructor(readonly failure: JobFailure) {
    super(failure.message);
  }
}

export const decodeJsonValue = async (
  text: Buffer = Buffer.from('null'),
  facts?: KnownValueTraits,
): Promise<unknown> => {
  const json = await decodeUtf8InTurns(text);
  return json.length > MAX_PARSED_JSON ? new LargeJsonText(json, facts) : (JSON.parse(json) as unknown);
};
export const parseJsonText = <Value>(text: Buffer | undefined): Value =>
  JSON.parse(text?.toString() ?? 'null') as Value;

/** The fields of a config with their expressions replaced by values. Throws EvaluationFailed. */
export async function renderFields(
  fields: Record<string, unknown>,
  scope: object,
  { expressions, literals, markup, paths }: FieldReadingRules,
  { workspaceId, signal, timeZone, language }: EvaluationContext & { timeZone?: string; language: ExpressionDialect },
): Promise<Record<string, unknown>> {
  const job = {
    kind: 'render',
    rules: { expressions, literals, markup, paths },
    limits: expressionLimits(),
    timeZone,
    language,
  } as const;
  const texts = [JSON.stringify(fields), serializeJson(scope) ?? '{}'];
  const result = await evaluatorPool().run(workspaceId, job, texts, signal);
  if (!result.ok) throw new EvaluationFailedError(result.failure);
  const { header, texts: values } = result.message;
  const each = Object.keys(fields).map(
    async (name, index) => [name, await decodeJsonValue(values[index], header.facts?.[index])] as const,
  );
  return Object.fromEntries(await Promise.all(each));
}

/**
 * The fields of a config for each of these items of a list; for the first of them only if the results are large. A
 * failure of one item does not concern the others. Throws EvaluationFailed.
 */
export async function renderFieldsOfItems(
  fields: Record<string, unknown>,
  scope: object,
  items: ItemNames[],
  { expressions, literals, markup, paths }: FieldReadingRules,
  { workspaceId, signal, timeZone, language }: EvaluationContext & { timeZone?: string; language: ExpressionDialect },
): Promise<ItemRendering[]> {
  const job = {
    kind: 'render-items',
    rules: { expressions, literals, markup, paths },
    limits: expressionLimits(),
    timeZone,
    language,
  } as const;
  const texts = [JSON.stringify(fields), serializeJson(scope) ?? '{}', serializeJson(items) ?? '[]'];
  const result = await evaluatorPool().run(workspaceId, job, texts, signal);
  if (!result.ok) throw new EvaluationFailedError(result.failure);
  return parseJsonText(result.message.texts[0]);
}

/** Issues of texts with expressions, and of JSON Schemas; null for each valid one. */
export async function checkTextsAndSchemas(
  texts: ExpressionText[],
  schemas: unknown[],
  { workspaceId }: EvaluationContext,
): Promise<{ texts: (ExpressionTextProblem | null)[]; schemas: (string | null)[] }> {
  const result = await evaluatorPool().run(workspaceId, { kind: 'check', limits: bulkWorkLimits() }, [
    JSON.stringify(texts),
    JSON.stringify(schemas),
  ]);
  if (!result.ok) throw new EvaluationFailedError(result.failure);
  return { texts: parseJsonText(result.message.texts[0]), schemas: parseJsonText(result.message.texts[1]) };
}

const isExceededLimit = ({ code }: JobFailure) => code === 'EVALUATION_TIMEOUT' || code === 'EVALUATION_MEMORY';

/**
 * Issues of a value that does not match a schema. A schema that exceeds a limit is an issue of the whole value. Throws
 * EvaluationFailed if the check could not be made now.
 */
export async function findSchemaIssues(
  schema: unknown,
  value: unknown,
  { workspaceId, signal }: EvaluationContext,
): Promise<FieldIssue[]> {
  const texts = [JSON.stringify(schema), serializeJson(value) ?? 'null'];
  const result = await evaluatorPool().run(
    workspaceId,
    { kind: 'match-schema', limits: expressionLimits() },
    texts,
    signal,
  );
  if (result.ok) return parseJsonText(result.message.texts[0]);
  if (!isExceededLimit(result.failure)) throw new EvaluationFailedError(result.failure);
  return [{ field: '', message: `cannot be checked against the schema: ${result.failure.message}` }];
}

/** The issues of each value that does not match one of the schemas. The values are JSON. Throws EvaluationFailed. */
export async function findIssuesOfEach(
  schemas: unknown[],
  values: string[],
  { workspaceId, signal }: EvaluationContext,
): Promise<FieldIssue[][]> {
  const job = { kind: 'match-each', limits: bulkWorkLimits() } as const;
  const result = await evaluatorPool().run(workspaceId, job, [JSON.stringify(schemas), `[${values.join()}]`], signal);
  if (!result.ok) throw new EvaluationFailedError(result.failure);
  return parseJsonText(result.message.texts[0]);
}

/** A program for the code node. `prelude`: the data of the names of n8n. */
export interface UserProgram {
  language: CodeLanguage;
  /** The body of a function `(input, nodes, execution)`, in JavaScript an async one; its return value is the result. */
  source: string;
  input: unknown;
  nodes: unknown;
  execution: unknown;
  vars: unknown;
  timeZone: string;
  /** CPU time in milliseconds. */
  cpuMs: number;
  /** For JavaScript. An interpreter of Python has a memory of its own, which is limited as well. */
  memoryBytes: number;
  /** Redacted from the result and from the log. */
  secrets: string[];
  prelude?: object | undefined;
}

export type ProgramResult = { logs: CodeLogLine[] } & (
  | { ok: true; value: unknown }
  | { ok: false; failure: JobFailure }
);

/** Runs users’ code: no I/O, no access to this process, bounded in memory and time. Never throws. */
export async function runProgram(
  program: UserProgram,
  { workspaceId, signal }: EvaluationContext,
): Promise<ProgramResult> {
  const { language, source, input, nodes, execution, vars, timeZone, cpuMs, memoryBytes, secrets, prelude } = program;
  const json = (value: unknown) => serializeJson(value) ?? 'null';
  const residentBytes = language === 'python' ? processMemoryLimit() : undefined;
  const job: EvaluatorJob = {
    kind: 'code',
    language,
    limits: { cpuMs, memoryBytes, residentBytes },
    secrets,
    timeZone,
  };
  const sent = [source, json(input), json(nodes), json(execution), json(vars), ...(prelude ? [json(prelude)] : [])];
  const result = await evaluatorPool().run(workspaceId, job, sent, signal);
  if (!result.ok)
    return { ok: false, failure: result.failure, logs: parseJsonText<CodeLogLine[] | null>(result.texts[0]) ?? [] };
  const { header, texts } = result.message;
  return { ok: true, value: await decodeJsonValue(texts[0], header.facts?.[0]), logs: parseJsonText(texts[1]) };
}

/** A large value with its secrets redacted. Throws EvaluationFailed. */
export async function redactLargeValue(json: string, secrets: string[], purpose: EvaluationContext): Promise<unknown> {
  const result = await evaluatorPool().run(
    purpose.workspaceId,
    { kind: 'redact', limits: bulkWorkLimits(), secrets },
    [json],
    purpose.signal,
  );
  if (!result.ok) throw new EvaluationFailedError(result.failure);
  return decodeJsonValue(result.message.texts[0]);
}

/** CPU time of a conversion: 20 seconds, unless expressions have another limit than usual. */
const conversionCpuMs = () => getRuntime().env.evaluationCpuMs * CONVERSION_CPU_FACTOR;

/** The result of a conversion: a value, or files with the names that an archive gives them. */
export type ConvertedContent = { value: unknown } | { files: { name?: string; content: Buffer }[] };

/**
 * Converts content. `contents`: as `ConversionJob` says. `isFile`: the result is one file. Throws EvaluationFailed.
 */
export async function runConversion(
  conversion: ConversionJob,
  contents: (string | Buffer)[],
  { isFile, workspaceId, signal }: EvaluationContext & { isFile: boolean },
): Promise<ConvertedContent> {
  const job: EvaluatorJob = { kind: 'convert', limits: fileWorkLimits(conversionCpuMs()), conversion };
  const result = await evaluatorPool().run(workspaceId, job, contents, signal);
  if (!result.ok) throw new EvaluationFailedError(result.failure);
  const { header, texts } = result.message;
  if (header.names) return { files: texts.map((content, index) => ({ name: header.names?.[index], content })) };
  const [content = Buffer.alloc(0)] = texts;
  return isFile ? { files: [{ content }] } : { value: await decodeJsonValue(content, header.facts?.[0]) };
}

export async function parseLargeBody(
  body: Buffer,
  contentType: string,
  as: BodyReadingMode,
  purpose: EvaluationContext,
): Promise<unknown> {
  const job: EvaluatorJob = { kind: 'read-body', limits: bulkWorkLimits(), contentType, as };
  const result = await evaluatorPool().run(purpose.workspaceId, job, [body], purpose.signal);
  if (!result.ok) throw new EvaluationFailedError(result.failure);
  return decodeJsonValue(result.message.texts[0]);
}

/** Parses a large body of a request. Throws EvaluationFailed; with UNREADABLE if the body is malformed. */
export async function parseLargeRequest(
  body: Buffer,
  form: RequestBodyForm,
  purpose: EvaluationContext,
): Promise<unknown> {
  const job: EvaluatorJob = { kind: 'read-request', limits: bulkWorkLimits(), form };
  const result = await evaluatorPool().run(purpose.workspaceId, job, [body], purpose.signal);
  if (!result.ok) throw new EvaluationFailedError(result.failure);
  return decodeJsonValue(result.message.texts[0]);
}
