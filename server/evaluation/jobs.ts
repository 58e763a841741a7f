import type { ModelRequest } from '@/server/model-libraries/ask';
import type { ValueFacts } from '@/server/expressions/large-json';
import type { Conversion } from './convert-job';
import type { ListOperation } from '@/server/lists/operations';
import type { FieldRules, TextKind, TextProblem } from '@/server/expressions/template';
import type { PagePlaces } from './list-page';
import type { McpRequest } from './mcp-answer';
import type { Reading } from '@/server/openapi/record';
import type { SamlReading } from '@/server/saml/messages';

/** How a body is read. `charset`: of a text whose content type names a known one. */
export interface RequestForm {
  kind: 'json' | 'form' | 'text';
  charset?: string | undefined;
}

/** How an answer of a model is read: as the answer to this request. `type`: its content type. */
export interface ModelReading extends Omit<ModelRequest, 'access' | 'options'> {
  access: Omit<ModelRequest['access'], 'apiKey'>;
  options: Omit<ModelRequest['options'], 'prompt' | 'abortSignal'>;
  type: string;
}

/** Limits of one evaluation. */
export interface Limits {
  /** CPU time, in milliseconds. */
  cpuMs: number;
  /** Memory in addition to the job's data, in bytes. */
  memoryBytes: number;
  /** All memory of the process, in bytes, for jobs that use much outside of the heap. */
  residentBytes?: number;
}

/** Languages of the code node. */
export type CodeLanguage = 'javascript' | 'python';

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
  /** [list of schemas, list of values] → [list of lists of `FieldError`, one for each value] */
  | { kind: 'match-each'; limits: Limits }
  /** [input, cursor] → [list of hashed keys, next cursor, list of byte lengths of items, items without separators] */
  | { kind: 'poll'; limits: Limits; rules: PollRules; timeZone: string }
  /** [source (plain), input, nodes, execution, vars] → [value, log lines] */
  | { kind: 'code'; language: CodeLanguage; limits: Limits; secrets: string[]; timeZone: string }
  /** [value] → [value] */
  | { kind: 'redact'; limits: Limits; secrets: string[] }
  /** [list, …] → [list]. `where`: an expression on `item` and `index`, for the items that remain. */
  | { kind: 'list'; limits: Limits; operation: ListOperation | { kind: 'where'; source: string } }
  /** [list] → [hashes of keys (text of a PostgreSQL array), offsets, JSON of the items without commas] */
  | { kind: 'keys'; limits: Limits; source: string; maxItems: number }
  /** [bytes] → [value] */
  | { kind: 'read-body'; limits: Limits; contentType: string; as: BodyReading }
  /** [content, …] → [value], [file (bytes)] or [file (bytes), …] with `names` */
  | { kind: 'convert'; limits: Limits; conversion: Conversion }
  /** [bytes] → [`ParsedMail`, content of each attachment (bytes), …]. `isWhole`: the bytes are all of the message. */
  | { kind: 'parse-mail'; limits: Limits; isWhole: boolean }
  /** [passphrase (plain), salt (bytes)] → [key (bytes)] */
  | { kind: 'derive-key'; limits: Limits; rounds: number; length: number }
  /** [document (plain)] → [`ReadDocument` or its `Fault`] */
  | { kind: 'read-openapi'; limits: Limits; reading: Reading }
  /** [`SamlSettings`, message (plain)] → [`AssertedIdentity` or `ProviderLogout`]. Fails with SAML_INVALID. */
  | { kind: 'read-saml'; limits: Limits; reading: SamlReading }
  /** [bytes] → [the message for the library, each part], with `names` of the parts */
  | { kind: 'read-mcp'; limits: Limits; request: McpRequest }
  /** [bytes] → [`ModelReply`] */
  | { kind: 'read-model'; limits: Limits; reading: ModelReading }
  /** [bytes] → [`ListPage` without its items, items (plain)] */
  | { kind: 'read-page'; limits: Limits; contentType: string; places: PagePlaces }
  /** [bytes] → [value]. Fails with UNREADABLE. */
  | { kind: 'read-request'; limits: Limits; form: RequestForm };

/** The expressions of a poll; `cursor` null: it has none. */
export interface PollRules {
  items: string;
  key: string;
  cursor: string | null;
}

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
 * The header of an answer. `names`: of the files or parts that follow. `ready`: the process has started. `progress`: the job continues; the CPU time of its next part counts from here.
 */
export type Answer =
  | { kind: 'ready' }
  | { kind: 'progress' }
  | { kind: 'done'; facts?: ValueFacts[]; names?: string[] }
  | { kind: 'failed'; failure: Failure; hasLogs?: boolean };

export type LogLine = { level: 'info' | 'warn' | 'error'; message: string };
