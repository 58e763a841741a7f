import type { ValueFacts } from '@/server/expressions/large-json';
import type { ListOperation } from '@/server/lists/operations';
import type { FieldRules, TextKind, TextProblem } from '@/server/expressions/template';

/** Limits of one evaluation. */
export interface Limits {
  /** CPU time, in milliseconds. */
  cpuMs: number;
  /** Memory in addition to the job's data, in bytes. */
  memoryBytes: number;
}

/** How the body of a response is read. */
export type BodyReading = 'auto' | 'json' | 'text' | 'base64';

/**
 * The jobs of an evaluator process. The comment of each lists the texts that come with it and those of its answer; every text is JSON
 * unless stated otherwise. `secrets` are redacted from the answer. `timeZone`: the default of functions for dates.
 */
export type Job =
  /** [config fields, scope] → one text per field */
  | { kind: 'render'; rules: FieldRules; limits: Limits; timeZone?: string }
  /** [list of `TextToCheck`, list of schemas] → [list of `TextProblem | null`, list of `string | null`] */
  | { kind: 'check'; limits: Limits }
  /** [schema, value] → [list of `FieldError`] */
  | { kind: 'match-schema'; limits: Limits }
  /** [source (plain), input, nodes, execution, vars] → [value, log lines] */
  | { kind: 'code'; limits: Limits; secrets: string[]; timeZone: string }
  /** [value] → [value] */
  | { kind: 'redact'; limits: Limits; secrets: string[] }
  /** [list, …] → [list]. `where`: an expression on `item` and `index`, for the items that remain. */
  | { kind: 'list'; limits: Limits; operation: ListOperation | { kind: 'where'; source: string } }
  /** [list] → [hashes of keys (text of a PostgreSQL array), offsets, JSON of the items without commas] */
  | { kind: 'keys'; limits: Limits; source: string; maxItems: number }
  /** [bytes] → [value] */
  | { kind: 'read-body'; limits: Limits; contentType: string; as: BodyReading }
  /** [bytes] → [value]. Fails with UNREADABLE. */
  | { kind: 'read-request'; limits: Limits; form: 'json' | 'form' };

export interface TextToCheck {
  text: string;
  kind: TextKind;
}

/** A failure. `field`: the path of the config field. `problem`: the position in the expression. */
export interface Failure {
  code: string;
  message: string;
  field?: string;
  problem?: TextProblem;
}

/**
 * The header of an answer. `ready`: the process has started. `progress`: the job continues; the CPU time of its next part counts from here.
 */
export type Answer =
  | { kind: 'ready' }
  | { kind: 'progress' }
  | { kind: 'done'; facts?: ValueFacts[] }
  | { kind: 'failed'; failure: Failure; hasLogs?: boolean };

export type LogLine = { level: 'info' | 'warn' | 'error'; message: string };
