import { z } from 'zod';
import type { NodeType } from '@/contract/workflows/node-type';
import { aggregate } from './list/aggregate';
import { approval } from './flow/approval';
import { code } from './code';
import { condition } from './flow/condition';
import { connector } from './connector';
import { dedupe } from './list/dedupe';
import { convert } from './data/convert';
import { delay } from './flow/delay';
import { filter } from './list/filter';
import { forEach } from './flow/for-each';
import { agent } from './ai/agent/agent';
import { llm } from './ai/llm';
import { mcp } from './ai/mcp-tool';
import { httpRequest } from './http/http-request';
import { merge } from './list/merge';
import type { NodeKind } from './node';
import { readEmail } from './read-email';
import { redis } from './data/redis';
import { repeat } from './flow/repeat';
import { remember } from './data/remember';
import { respond } from './flow/respond';
import { sendEmail } from './send-email';
import { sort } from './list/sort';
import { split } from './list/split';
import { sql } from './data/sql';
import { fileTransfer } from './data/file-transfer';
import { ssh } from './ssh';
import { start } from './flow/start';
import { subWorkflow } from './flow/sub-workflow';
import { switchKind } from './flow/switch';
import { table } from './data/table';
import { transform } from './transform';
import { waitForCall } from './flow/wait-for-call';

/** Every node type, in the order of the palette. */
export const nodeKinds: NodeKind[] = [
  start,
  httpRequest,
  sendEmail,
  readEmail,
  connector,
  sql,
  redis,
  ssh,
  fileTransfer,
  llm,
  mcp,
  agent,
  approval,
  condition,
  switchKind,
  forEach,
  repeat,
  subWorkflow,
  delay,
  waitForCall,
  transform,
  filter,
  sort,
  aggregate,
  dedupe,
  split,
  merge,
  convert,
  table,
  remember,
  code,
  respond,
];

export const kindsByType: ReadonlyMap<string, NodeKind> = new Map(nodeKinds.map((kind) => [kind.type, kind]));

export const kindOf = (type: string): NodeKind | undefined => kindsByType.get(type);

/** All output ports of a node: those of its type, those in its config, and `error`. */
export function outputsOf(kind: NodeKind, config: Record<string, unknown>): string[] {
  return [...kind.outputs, ...(kind.dynamicOutputs?.ports(config) ?? []), ...(kind.hasInput ? ['error'] : [])];
}

const expressionField = (property: unknown, editor: string) => ({
  type: 'string',
  'x-expression': true,
  'x-editor': (property as Record<string, unknown>)['x-editor'] ?? editor,
});

/** The properties of an object field that is taken literally, except for the expressions that the node evaluates itself. */
function literalProperties(field: string, properties: object, own: NonNullable<NodeKind['ownExpressions']>): object {
  const entries = Object.entries(properties).map(([name, property]) => {
    const names = own[`${field}.${name}`];
    const expression = names ? { ...expressionField(property, 'item-expression'), 'x-scope': names } : {};
    return [name, { ...(property as object), ...expression, 'x-literal': true }];
  });
  return Object.fromEntries(entries) as object;
}

/**
 * The config as JSON Schema. Besides the usual words: `x-order` (fields in the order of the form), `x-expression`
 * (holds bare JSONata), `x-literal` (takes no expressions; every other field does) and `x-editor`, which suggests a
 * widget: `expression`, `item-expression`, `condition`, `list` (an expression that returns one), `typed` (a value of a chosen
 * type), `case` (such a value, or rules), `multiline`, `sql`, `shell`, `json`, `pairs`, `fields`, `filter-rules`, `assignments`, `duration` (milliseconds), `email-list` or `suggested` (`x-labels` are suggestions). `x-scope`: the
 * names that an expression may use instead of the usual ones. `x-alternative`: the field that can be filled in instead.
 * `x-when`: the field matters only for these values of another field beside it. `x-labels`: how the values of an enum are shown.
 */
function schemaOf({
  config,
  expressions,
  itemExpressions = [],
  ownExpressions = {},
  literals = [],
  required,
}: NodeKind): Record<string, unknown> {
  const { properties = {}, ...schema } = z.toJSONSchema(config, {
    target: 'draft-7',
    io: 'input',
    override: ({ jsonSchema }) => {
      // Forms have titles; the API description alone says more.
      delete jsonSchema['apiDescription'];
    },
  });
  const fields = Object.entries(properties as Record<string, { properties?: object }>).map(([name, property]) => [
    name,
    {
      ...property,
      ...(expressions.includes(name) ? expressionField(property, 'expression') : {}),
      ...(itemExpressions.includes(name) || ownExpressions[name] ? expressionField(property, 'item-expression') : {}),
      ...(literals.includes(name) ? { 'x-literal': true } : {}),
      ...(literals.includes(name) && property.properties
        ? { properties: literalProperties(name, property.properties, ownExpressions) }
        : {}),
      ...(itemExpressions.includes(name) ? { 'x-scope': ['item', 'index'] } : {}),
      ...(ownExpressions[name] ? { 'x-scope': ownExpressions[name] } : {}),
    },
  ]);
  return { ...schema, properties: Object.fromEntries(fields), required, 'x-order': Object.keys(properties) };
}

const typeOf = (kind: NodeKind): NodeType => ({
  type: kind.type,
  title: kind.title,
  description: kind.summary,
  synonyms: kind.synonyms ?? [],
  category: kind.category,
  icon: `/nodes/${kind.type}.svg`,
  ports: {
    inputs: kind.hasInput ? ['input'] : [],
    outputs: outputsOf(kind, {}),
    dynamicOutputs: kind.dynamicOutputs?.field ?? null,
  },
  credentialTypes: kind.credentialTypes,
  ...(kind.asksSource ? { asksSource: true as const } : {}),
  ...(typeof kind.asksSource === 'object' ? { sourceSettings: kind.asksSource } : {}),
  ...((kind.inTests ?? (kind.isOutside ? 'mock' : 'run')) === 'mock' ? { needsMock: true as const } : {}),
  ...(kind.isOnce ? { isOnce: true as const } : {}),
  configSchema: schemaOf(kind),
});

let types: NodeType[] | undefined;

/** The answer of GET /api/node-types. A worker never needs it. */
export const catalogue = (): NodeType[] => (types ??= nodeKinds.map(typeOf));
