import type { ModelRequest } from '@/server/evaluation/model-libraries/call-model';
import type { ExpressionDialect } from '@/contract/workflows/expression-language';
import type { KnownValueTraits } from '@/server/evaluation/expressions/large-json';
import type { ConversionJob } from './convert-job';
import type { ListOperation } from '@/server/evaluation/lists/operations';
import type { FieldReadingRules, TextSyntax, ExpressionTextProblem } from '@/server/evaluation/expressions/template';
import type { PageItemPaths } from './list-page';
import type { McpRequestInfo } from './mcp-response';
import type { DocumentReadOptions } from '@/server/evaluation/openapi/record';
import type { SamlReading } from '@/server/evaluation/saml/messages';

/** Says how to read the body of a request. `charset` is set for a text whose content type names a known one. */
export interface RequestBodyForm {
  kind: 'json' | 'form' | 'text';
  charset?: string | undefined;
}

/** Says how to read the response of a model: as that to this request. `type` is its content type. */
export interface ModelReplyReading extends Omit<ModelRequest, 'access' | 'options'> {
  access: Omit<ModelRequest['access'], 'apiKey'>;
  options: Omit<ModelRequest['options'], 'prompt' | 'abortSignal'>;
  type: string;
}

/** Limits of one evaluation. */
export interface EvaluationLimits {
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
export type BodyReadingMode = 'auto' | 'json' | 'text' | 'base64';

/**
 * The jobs of an evaluator process. The comment of each lists the texts that come with it and those of its answer;
 * every text is JSON unless stated otherwise. `secrets` are redacted from the answer. `timeZone`: the default of
 * functions for dates.
 */
export type EvaluatorJob =
  /** [config fields, scope] → one text per field */
  | {
      kind: 'render';
      rules: FieldReadingRules;
      limits: EvaluationLimits;
      language: ExpressionDialect;
      timeZone?: string;
    }
  /**
   * [config fields, scope, list of `ItemNames`] → [list of `ItemRendering`, for the first items only if it is large]
   */
  | {
      kind: 'render-items';
      rules: FieldReadingRules;
      limits: EvaluationLimits;
      language: ExpressionDialect;
      timeZone?: string;
    }
  /** [list of `ExpressionText`, list of schemas] → [list of `TextProblem | null`, list of `string | null`] */
  | { kind: 'check'; limits: EvaluationLimits }
  /** [schema, value] → [list of `FieldError`] */
  | { kind: 'match-schema'; limits: EvaluationLimits }
  /** [list of schemas, list of values] → [list of lists of `FieldError`, one for each value] */
  | { kind: 'match-each'; limits: EvaluationLimits }
  /** [input, cursor] → [list of hashed keys, next cursor, list of byte lengths of items, items without separators] */
  | { kind: 'poll'; limits: EvaluationLimits; rules: PollExpressions; timeZone: string }
  /** [source (plain), input, nodes, execution, vars, data of the prelude if it has one] → [value, log lines] */
  | { kind: 'code'; language: CodeLanguage; limits: EvaluationLimits; secrets: string[]; timeZone: string }
  /** [value] → [value] */
  | { kind: 'redact'; limits: EvaluationLimits; secrets: string[] }
  /**
   * [list, …] → [list], and if it is traced [list, its origins]. `where`: an expression on `item` and `index`, for the
   * items that remain.
   */
  | {
      kind: 'list';
      limits: EvaluationLimits;
      operation: ListOperation | ({ kind: 'where' } & ItemExpression);
      isTraced: boolean;
    }
  /** [list] → [hashes of keys (text of a PostgreSQL array), offsets, JSON of the items without commas] */
  | { kind: 'keys'; limits: EvaluationLimits; expression: ItemExpression; maxItems: number }
  /** [bytes] → [value] */
  | { kind: 'read-body'; limits: EvaluationLimits; contentType: string; as: BodyReadingMode }
  /** [content, …] → [value], [file (bytes)] or [file (bytes), …] with `names` */
  | { kind: 'convert'; limits: EvaluationLimits; conversion: ConversionJob }
  /** [bytes] → [`ParsedMail`, content of each attachment (bytes), …]. `isWhole`: the bytes are all of the message. */
  | { kind: 'parse-mail'; limits: EvaluationLimits; isWhole: boolean }
  /** [passphrase (plain), salt (bytes)] → [key (bytes)] */
  | { kind: 'derive-key'; limits: EvaluationLimits; rounds: number; length: number }
  /** [document (plain)] → [`CompiledDocument` or its `DocumentRejection`] */
  | { kind: 'read-openapi'; limits: EvaluationLimits; reading: DocumentReadOptions }
  /** [`SamlSettings`, message (plain)] → [`AssertedIdentity` or `ProviderLogout`]. Fails with SAML_INVALID. */
  | { kind: 'read-saml'; limits: EvaluationLimits; reading: SamlReading }
  /** [bytes] → [the message for the library, each part], with `names` of the parts */
  | { kind: 'read-mcp'; limits: EvaluationLimits; request: McpRequestInfo }
  /** [bytes] → [`ModelReply`] */
  | { kind: 'read-model'; limits: EvaluationLimits; reading: ModelReplyReading }
  /** [bytes] → [`ListPage` without its items, items (plain)] */
  | { kind: 'read-page'; limits: EvaluationLimits; contentType: string; places: PageItemPaths }
  /** [bytes] → [value]. Fails with UNREADABLE. */
  | { kind: 'read-request'; limits: EvaluationLimits; form: RequestBodyForm };

/** An expression on `item` and `index`. */
export interface ItemExpression {
  source: string;
  language: ExpressionDialect;
  /** The default zone of functions for dates. */
  timeZone: string;
}

/** The expressions of a poll; `cursor` null: it has none. */
export interface PollExpressions {
  language: ExpressionDialect;
  items: string;
  key: string;
  cursor: string | null;
}

export interface ExpressionText {
  language: ExpressionDialect;
  text: string;
  kind: TextSyntax;
}

/** A failure. `field`: the path of the config field. `problem`: the position in the expression. */
export interface JobFailure {
  code: string;
  message: string;
  field?: string;
  problem?: ExpressionTextProblem;
}

/** What an expression sees of one item, besides `input`, which is the item. */
export interface ItemNames {
  item: unknown;
  index: number;
  paired?: object;
}

/** The fields of a node's config for one item, or why they cannot be rendered. */
export type ItemRendering = { fields: Record<string, unknown> } | { failure: JobFailure };

/**
 * The header of an answer. `names`: of the files or parts that follow. `ready`: the process has started. `progress`:
 * the job continues; the CPU time of its next part counts from here.
 */
export type EvaluatorMessage =
  | { kind: 'ready' }
  | { kind: 'progress' }
  | { kind: 'done'; facts?: KnownValueTraits[]; names?: string[] }
  | { kind: 'failed'; failure: JobFailure; hasLogs?: boolean };

export type CodeLogLine = { level: 'info' | 'warn' | 'error'; message: string };
