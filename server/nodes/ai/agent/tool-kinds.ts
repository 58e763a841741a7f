import type { Node } from '@/contract/workflows/workflow';
import { isLarge, jsonOf } from '@/server/expressions/large-json';
import { textsIn } from '@/server/expressions/references';
import { code } from '../../code';
import { mcp } from '../mcp-tool';
import { connector } from '../../connector';
import { sql } from '../../data/sql';
import { fileTransfer } from '../../data/file-transfer';
import { ssh } from '../../ssh';
import { table } from '../../data/table';
import { subWorkflow } from '../../flow/sub-workflow';
import { httpRequest } from '@/server/nodes/http/http-request';
import { sendEmail } from '../../send-email';
import type { Facts, NodeKind, Outcome, RunContext } from '../../node';

/** The node types that can be tools. */
export const TOOL_KINDS: ReadonlyMap<string, NodeKind> = new Map(
  ([subWorkflow, connector, httpRequest, table, sendEmail, sql, ssh, fileTransfer, code, mcp] as NodeKind[]).map(
    (kind) => [kind.type, kind],
  ),
);

/** Characters of JSON of the result of one call that the model gets. */
const MAX_RESULT = 64 * 1024;

/** A result as the model reads it and as it is stored: what is longer is cut. */
function bounded(output: unknown): unknown {
  const json = jsonOf(output) ?? 'null';
  if (json.length <= MAX_RESULT) return isLarge(output) ? (JSON.parse(json) as unknown) : output;
  const text = typeof output === 'string' ? output : json;
  return `${text.slice(0, MAX_RESULT).toWellFormed()}… (cut: ${text.length - MAX_RESULT} more characters)`;
}

function boundedOutcome(outcome: Outcome): Outcome {
  if (outcome.kind === 'done') return { kind: 'done', port: outcome.port, output: bounded(outcome.output) };
  if (outcome.kind === 'change') return { kind: 'change', apply: async (data) => bounded(await outcome.apply(data)) };
  return outcome;
}

const isBag = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The kind of a tool: its input is the arguments that the model chose. */
export function toolKind(kind: NodeKind, written: Record<string, unknown>): NodeKind {
  const { tool } = kind;
  return {
    ...kind,
    seesInput: undefined,
    // What the model chose may be the only value of a field.
    required: tool?.arguments ? [] : kind.required,
    async run(context) {
      const chosen = isBag(context.input) ? context.input : {};
      const config = tool?.arguments
        ? await tool.arguments.merge(context.config, chosen, written, context)
        : context.config;
      const own = Object.create(context, { config: { value: config } }) as RunContext<Record<string, unknown>>;
      return boundedOutcome(await (tool?.run ?? kind.run)(own));
    },
  };
}

const EMPTY = { type: 'object', properties: {}, additionalProperties: false };

/** `input.city` in the expressions of a config: the arguments that they read. */
const NAMED = /\binput\.([A-Za-z_]\w*)/g;

function namedArguments(config: Record<string, unknown>): Record<string, unknown> {
  const names = [...new Set([...textsIn(config).matchAll(NAMED)].map(([, name = '']) => name))];
  if (names.length === 0) return EMPTY;
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { type: 'object', properties, required: names, additionalProperties: false };
}

/** The JSON Schema of the arguments of a tool: its author's, or one that follows from its config. */
export function argumentSchema(
  { type, config }: Pick<Node, 'type' | 'config'>,
  given: Record<string, unknown> | undefined,
  facts: Facts | undefined,
): Record<string, unknown> {
  const schema = given ?? TOOL_KINDS.get(type)?.tool?.arguments?.schema(config, facts) ?? namedArguments(config);
  const { $schema: _, ...rest } = schema;
  return { type: 'object', ...rest };
}
