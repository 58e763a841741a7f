import { decodeInTurns } from '@/server/cooperative';
import { availableParallelism } from 'node:os';
import type { FieldError } from '@/contract/error';
import type { Env } from '@/server/env/env';
import { fromJson, jsonOf, LargeJson, MAX_PARSED, type ValueFacts } from '@/server/expressions/large-json';
import type { FieldRules, TextProblem } from '@/server/expressions/template';
import { runtime } from '@/server/runtime';
import { CONVERT_FACTOR, OUTSIDE_HEAP_BYTES, type Conversion } from './convert-job';
import { processHeapBytes } from './evaluator-process';
import type {
  BodyReading,
  CodeLanguage,
  Failure,
  Job,
  Limits,
  LogLine,
  PollRules,
  RequestForm,
  TextToCheck,
} from './jobs';
import { EvaluationPool } from './pool';

declare module '@/server/runtime' {
  interface Runtime {
    /** Evaluator processes; started on first use. */
    evaluation?: EvaluationPool;
  }
}

const MIB = 1024 * 1024;

/** Number of evaluator processes: one per processor, at least two, so that one workspace cannot occupy all. */
const defaultSize = () => Math.min(8, Math.max(2, availableParallelism()));

export const newPool = ({ evaluationProcesses, evaluationMemoryMb }: Env): EvaluationPool =>
  new EvaluationPool({ size: evaluationProcesses ?? defaultSize(), memoryBytes: evaluationMemoryMb * MIB });

/** The pool of this process, created on first use. */
export const pool = (): EvaluationPool => (runtime().evaluation ??= newPool(runtime().env));

/** Stops the evaluator processes at shutdown. */
export function closeEvaluation(): void {
  runtime().evaluation?.close();
  runtime().evaluation = undefined;
}

const limits = (cpuMs = runtime().env.evaluationCpuMs): Limits => ({
  cpuMs,
  memoryBytes: runtime().env.evaluationMemoryMb * MIB,
});

const heapLimit = () => processHeapBytes(runtime().env.evaluationMemoryMb * MIB);
/** All memory of a process, for jobs that use much outside of the heap. */
const residentLimit = () => heapLimit() + OUTSIDE_HEAP_BYTES;

/** Limits of work other than expressions: parsing and redacting large values, checking a whole definition, deriving a key. */
export const bulk = () => limits(Math.max(2000, runtime().env.evaluationCpuMs * 8));

/** Limits of work on the content of a file, most of which is outside of the heap. */
export function contentLimits(cpuMs: number): Limits {
  return { cpuMs, memoryBytes: heapLimit(), residentBytes: residentLimit() };
}

/** The workspace that an evaluation runs for, and its abort signal. */
export interface Purpose {
  workspaceId: string;
  signal?: AbortSignal;
}

/** An evaluation that failed. */
export class EvaluationFailed extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

const valueOf = async (text: Buffer = Buffer.from('null'), facts?: ValueFacts): Promise<unknown> => {
  const json = await decodeInTurns(text);
  return json.length > MAX_PARSED ? new LargeJson(json, facts) : (JSON.parse(json) as unknown);
};
const parse = <Value>(text: Buffer | undefined): Value => JSON.parse(text?.toString() ?? 'null') as Value;

/** The fields of a config with their expressions replaced by values. Throws EvaluationFailed. */
export async function renderFields(
  fields: Record<string, unknown>,
  scope: object,
  { expressions, literals, markup, paths }: FieldRules,
  { workspaceId, signal, timeZone }: Purpose & { timeZone?: string },
): Promise<Record<string, unknown>> {
  const job = { kind: 'render', rules: { expressions, literals, markup, paths }, limits: limits(), timeZone } as const;
  const texts = [JSON.stringify(fields), jsonOf(scope) ?? '{}'];
  const result = await pool().run(workspaceId, job, texts, signal);
  if (!result.ok) throw new EvaluationFailed(result.failure);
  const { header, texts: values } = result.answer;
  const each = Object.keys(fields).map(
    async (name, index) => [name, await valueOf(values[index], header.facts?.[index])] as const,
  );
  return Object.fromEntries(await Promise.all(each));
}

/** Issues of texts with expressions, and of JSON Schemas; null for each valid one. */
export async function checkTexts(
  texts: TextToCheck[],
  schemas: unknown[],
  { workspaceId }: Purpose,
): Promise<{ texts: (TextProblem | null)[]; schemas: (string | null)[] }> {
  const result = await pool().run(workspaceId, { kind: 'check', limits: bulk() }, [
    JSON.stringify(texts),
    JSON.stringify(schemas),
  ]);
  if (!result.ok) throw new EvaluationFailed(result.failure);
  return { texts: parse(result.answer.texts[0]), schemas: parse(result.answer.texts[1]) };
}

const isLimit = ({ code }: Failure) => code === 'EVALUATION_TIMEOUT' || code === 'EVALUATION_MEMORY';

/**
 * Issues of a value that does not match a schema. A schema that exceeds a limit is an issue of the whole value. Throws EvaluationFailed if
 * the check could not be made now.
 */
export async function matchSchema(
  schema: unknown,
  value: unknown,
  { workspaceId, signal }: Purpose,
): Promise<FieldError[]> {
  const texts = [JSON.stringify(schema), jsonOf(value) ?? 'null'];
  const result = await pool().run(workspaceId, { kind: 'match-schema', limits: limits() }, texts, signal);
  if (result.ok) return parse(result.answer.texts[0]);
  if (!isLimit(result.failure)) throw new EvaluationFailed(result.failure);
  return [{ field: '', message: `cannot be checked against the schema: ${result.failure.message}` }];
}

/** The issues of each value that does not match one of the schemas. The values are JSON. Throws EvaluationFailed. */
export async function matchEach(
  schemas: unknown[],
  values: string[],
  { workspaceId, signal }: Purpose,
): Promise<FieldError[][]> {
  const job = { kind: 'match-each', limits: bulk() } as const;
  const result = await pool().run(workspaceId, job, [JSON.stringify(schemas), `[${values.join()}]`], signal);
  if (!result.ok) throw new EvaluationFailed(result.failure);
  return parse(result.answer.texts[0]);
}

/** What a poll finds in the answer of its source. */
export interface Polled {
  /** The hashed key of each item. */
  keys: string[];
  /** JSON of each item. */
  items: Buffer[];
  /** JSON of the next cursor; `null`: none. */
  cursor: string;
}

/** The items of an answer. `input` and `cursor`: JSON. Throws EvaluationFailed. */
export async function findPolledItems(
  rules: PollRules,
  { input, cursor }: { input: string; cursor: string },
  { workspaceId, signal, timeZone }: Purpose & { timeZone: string },
): Promise<Polled> {
  const job = { kind: 'poll', limits: bulk(), rules, timeZone } as const;
  const result = await pool().run(workspaceId, job, [input, cursor], signal);
  if (!result.ok) throw new EvaluationFailed(result.failure);
  const [keys, next, lengths, bytes = Buffer.alloc(0)] = result.answer.texts;
  let end = 0;
  const items = parse<number[]>(lengths).map((length) => bytes.subarray(end, (end += length)));
  return { keys: parse(keys), cursor: next?.toString() ?? 'null', items };
}

/** A program for the code node. */
export interface Program {
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
}

export type Finished = { logs: LogLine[] } & ({ ok: true; value: unknown } | { ok: false; failure: Failure });

/** Runs users’ code: no I/O, no access to this process, bounded in memory and time. Never throws. */
export async function runProgram(program: Program, { workspaceId, signal }: Purpose): Promise<Finished> {
  const { language, source, input, nodes, execution, vars, timeZone, cpuMs, memoryBytes, secrets } = program;
  const json = (value: unknown) => jsonOf(value) ?? 'null';
  const residentBytes = language === 'python' ? residentLimit() : undefined;
  const job: Job = { kind: 'code', language, limits: { cpuMs, memoryBytes, residentBytes }, secrets, timeZone };
  const sent = [source, json(input), json(nodes), json(execution), json(vars)];
  const result = await pool().run(workspaceId, job, sent, signal);
  if (!result.ok) return { ok: false, failure: result.failure, logs: parse<LogLine[] | null>(result.texts[0]) ?? [] };
  const { header, texts } = result.answer;
  return { ok: true, value: await valueOf(texts[0], header.facts?.[0]), logs: parse(texts[1]) };
}

/** A large value with its secrets redacted. Throws EvaluationFailed. */
export async function redactLarge(json: string, secrets: string[], purpose: Purpose): Promise<unknown> {
  const result = await pool().run(
    purpose.workspaceId,
    { kind: 'redact', limits: bulk(), secrets },
    [json],
    purpose.signal,
  );
  if (!result.ok) throw new EvaluationFailed(result.failure);
  return valueOf(result.answer.texts[0]);
}

/** Computes a list operation on lists of any size. Throws EvaluationFailed. */
export async function computeLargeList(
  operation: Extract<Job, { kind: 'list' }>['operation'],
  lists: unknown[],
  { workspaceId, signal }: Purpose,
): Promise<unknown> {
  const texts = lists.map((list) => jsonOf(list) ?? '[]');
  const result = await pool().run(workspaceId, { kind: 'list', limits: bulk(), operation }, texts, signal);
  if (!result.ok) throw new EvaluationFailed(result.failure);
  const { header, texts: values } = result.answer;
  return valueOf(values[0], header.facts?.[0]);
}

/** CPU time of a conversion: 20 seconds, unless expressions have another limit than usual. */
const convertCpuMs = () => runtime().env.evaluationCpuMs * CONVERT_FACTOR;

/** The result of a conversion: a value, or files with the names that an archive gives them. */
export type ConvertedContent = { value: unknown } | { files: { name?: string; content: Buffer }[] };

/**
 * Converts content. `contents`: as `Conversion` says. `isFile`: the result is one file. Throws EvaluationFailed.
 */
export async function convertContent(
  conversion: Conversion,
  contents: (string | Buffer)[],
  { isFile, workspaceId, signal }: Purpose & { isFile: boolean },
): Promise<ConvertedContent> {
  const job: Job = { kind: 'convert', limits: contentLimits(convertCpuMs()), conversion };
  const result = await pool().run(workspaceId, job, contents, signal);
  if (!result.ok) throw new EvaluationFailed(result.failure);
  const { header, texts } = result.answer;
  if (header.names) return { files: texts.map((content, index) => ({ name: header.names?.[index], content })) };
  const [content = Buffer.alloc(0)] = texts;
  return isFile ? { files: [{ content }] } : { value: await valueOf(content, header.facts?.[0]) };
}

/** The keys of the items of a list, and the items as JSON. */
export interface KeyedItems {
  /** Hashes of the keys, as text of a PostgreSQL array. */
  keys: string;
  count: number;
  /** The items at these positions, which are in ascending order. */
  pick(positions: number[]): unknown;
}

/** Computes the keys of items by an expression on `item` and `index`; empty: an item is its own key. Throws EvaluationFailed. */
export async function keyItems(
  source: string,
  items: unknown,
  maxItems: number,
  { workspaceId, signal }: Purpose,
): Promise<KeyedItems> {
  const job = { kind: 'keys', limits: bulk(), source, maxItems } as const;
  const result = await pool().run(workspaceId, job, [jsonOf(items) ?? '[]'], signal);
  if (!result.ok) throw new EvaluationFailed(result.failure);
  const [keys, offsetText, itemText] = result.answer.texts;
  const offsets = parse<number[]>(offsetText);
  const json = itemText ? await decodeInTurns(itemText) : '';
  return {
    keys: keys?.toString() ?? '{}',
    count: offsets.length - 1,
    // By offsets: a large item is not parsed.
    pick: (positions) => fromJson(`[${positions.map((at) => json.slice(offsets[at], offsets[at + 1])).join()}]`),
  };
}

/** Parses a large body. Throws EvaluationFailed. */
export async function readLargeBody(
  body: Buffer,
  contentType: string,
  as: BodyReading,
  purpose: Purpose,
): Promise<unknown> {
  const job: Job = { kind: 'read-body', limits: bulk(), contentType, as };
  const result = await pool().run(purpose.workspaceId, job, [body], purpose.signal);
  if (!result.ok) throw new EvaluationFailed(result.failure);
  return valueOf(result.answer.texts[0]);
}

/** Parses a large body of a request. Throws EvaluationFailed; with UNREADABLE if the body is malformed. */
export async function readRequestBody(body: Buffer, form: RequestForm, purpose: Purpose): Promise<unknown> {
  const job: Job = { kind: 'read-request', limits: bulk(), form };
  const result = await pool().run(purpose.workspaceId, job, [body], purpose.signal);
  if (!result.ok) throw new EvaluationFailed(result.failure);
  return valueOf(result.answer.texts[0]);
}
