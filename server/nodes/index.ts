import { z } from 'zod';
import type { NodeType } from '@/contract/node-type';
import { aggregate } from './aggregate';
import { approval } from './approval';
import { code } from './code';
import { condition } from './condition';
import { connector } from './connector';
import { dedupe } from './dedupe';
import { delay } from './delay';
import { filter } from './filter';
import { forEach } from './for-each';
import { httpRequest } from './http-request';
import { merge } from './merge';
import type { NodeKind } from './node';
import { remember } from './remember';
import { respond } from './respond';
import { sendEmail } from './send-email';
import { sort } from './sort';
import { split } from './split';
import { start } from './start';
import { subWorkflow } from './sub-workflow';
import { switchKind } from './switch';
import { table } from './table';
import { transform } from './transform';
import { waitForCall } from './wait-for-call';

/** Every node type, in the order of the palette. */
export const nodeKinds: NodeKind[] = [
  start,
  httpRequest,
  sendEmail,
  connector,
  approval,
  condition,
  switchKind,
  forEach,
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

/**
 * The config as JSON Schema. Besides the usual words: `x-order` (fields in the order of the form), `x-expression`
 * (holds bare JSONata), `x-literal` (takes no expressions; every other field does) and `x-editor`, which suggests a
 * widget: `expression`, `multiline`, `json`, `pairs`, `fields`, `duration` (milliseconds) or `email-list`. `x-scope`: the names that an expression
 * may use instead of the usual ones.
 */
function schemaOf({
  config,
  expressions,
  itemExpressions = [],
  literals = [],
  required,
}: NodeKind): Record<string, unknown> {
  const { properties = {}, ...schema } = z.toJSONSchema(config, { target: 'draft-7', io: 'input' });
  const fields = Object.entries(properties).map(([name, property]) => [
    name,
    {
      ...(property as object),
      ...([...expressions, ...itemExpressions].includes(name)
        ? { type: 'string', 'x-expression': true, 'x-editor': 'expression' }
        : {}),
      ...(literals.includes(name) ? { 'x-literal': true } : {}),
      ...(itemExpressions.includes(name) ? { 'x-scope': ['item', 'index'] } : {}),
    },
  ]);
  return { ...schema, properties: Object.fromEntries(fields), required, 'x-order': Object.keys(properties) };
}

const types: NodeType[] = nodeKinds.map((kind) => ({
  type: kind.type,
  title: kind.title,
  description: kind.summary,
  category: kind.category,
  icon: `/nodes/${kind.type}.svg`,
  ports: {
    inputs: kind.hasInput ? ['input'] : [],
    outputs: outputsOf(kind, {}),
    dynamicOutputs: kind.dynamicOutputs?.field ?? null,
  },
  credentialTypes: kind.credentialTypes,
  configSchema: schemaOf(kind),
}));

/** The answer of GET /api/node-types. */
export const catalogue = (): NodeType[] => types;
