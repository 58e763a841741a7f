import { z } from 'zod';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import { aggregateNodeType } from './list/aggregate';
import { approvalNodeType } from './flow/approval';
import { codeNodeType } from './code';
import { conditionNodeType } from './flow/condition';
import { connectorNodeType } from './connector';
import { dedupeNodeType } from './list/dedupe';
import { convertNodeType } from './data/convert';
import { mayRunForEach } from './each';
import { delayNodeType } from './flow/delay';
import { filterNodeType } from './list/filter';
import { forEachNodeType } from './flow/for-each';
import { formEndingNodeType } from './flow/form-ending';
import { formPageNodeType } from './flow/form-page';
import { agentNodeType } from './ai/agent/agent';
import { llmNodeType } from './ai/llm';
import { mcpToolNodeType } from './ai/mcp-tool';
import { httpRequestNodeType } from './http/http-request';
import { mergeNodeType } from './list/merge';
import type { NodeTypeDefinition } from './node-type';
import { readEmailNodeType } from './read-email';
import { mongodbNodeType } from './data/mongodb';
import { redisNodeType } from './data/redis';
import { repeatNodeType } from './flow/repeat';
import { rememberNodeType } from './data/remember';
import { respondNodeType } from './flow/respond';
import { sendEmailNodeType } from './send-email';
import { sortNodeType } from './list/sort';
import { splitNodeType } from './list/split';
import { sqlNodeType } from './data/sql';
import { fileTransferNodeType } from './data/file-transfer';
import { sshNodeType } from './ssh';
import { startNodeType } from './flow/start';
import { subWorkflowNodeType } from './flow/sub-workflow';
import { switchNodeType } from './flow/switch';
import { tableNodeType } from './data/table';
import { transformNodeType } from './transform';
import { waitForCallNodeType } from './flow/wait-for-call';

/** Every node type, in the order of the palette. */
export const nodeTypeDefinitions: NodeTypeDefinition[] = [
  startNodeType,
  httpRequestNodeType,
  sendEmailNodeType,
  readEmailNodeType,
  connectorNodeType,
  sqlNodeType,
  redisNodeType,
  mongodbNodeType,
  sshNodeType,
  fileTransferNodeType,
  llmNodeType,
  mcpToolNodeType,
  agentNodeType,
  approvalNodeType,
  formPageNodeType,
  formEndingNodeType,
  conditionNodeType,
  switchNodeType,
  forEachNodeType,
  repeatNodeType,
  subWorkflowNodeType,
  delayNodeType,
  waitForCallNodeType,
  transformNodeType,
  filterNodeType,
  sortNodeType,
  aggregateNodeType,
  dedupeNodeType,
  splitNodeType,
  mergeNodeType,
  convertNodeType,
  tableNodeType,
  rememberNodeType,
  codeNodeType,
  respondNodeType,
];

export const definitionsByNodeType: ReadonlyMap<string, NodeTypeDefinition> = new Map(
  nodeTypeDefinitions.map((kind) => [kind.type, kind]),
);

export const findNodeType = (type: string): NodeTypeDefinition | undefined => definitionsByNodeType.get(type);

/** All output ports of a node: those of its type, those in its config, and `error`. */
export function listOutputPorts(kind: NodeTypeDefinition, config: Record<string, unknown>): string[] {
  return [...kind.outputs, ...(kind.dynamicOutputs?.ports(config) ?? []), ...(kind.hasInput ? ['error'] : [])];
}

const expressionProperty = (property: unknown, editor: string) => ({
  type: 'string',
  'x-expression': true,
  'x-editor': (property as Record<string, unknown>)['x-editor'] ?? editor,
});

/**
 * The properties of an object field that is taken literally, except for the expressions that the node evaluates itself.
 */
function literalProperties(
  field: string,
  properties: object,
  own: NonNullable<NodeTypeDefinition['ownExpressions']>,
): object {
  const entries = Object.entries(properties).map(([name, property]) => {
    const names = own[`${field}.${name}`];
    const expression = names ? { ...expressionProperty(property, 'item-expression'), 'x-scope': names } : {};
    return [name, { ...(property as object), ...expression, 'x-literal': true }];
  });
  return Object.fromEntries(entries) as object;
}

/**
 * The config as JSON Schema. Besides the usual words: `x-order` (fields in the order of the form), `x-expression`
 * (holds bare JSONata), `x-literal` (takes no expressions; every other field does) and `x-editor`, which suggests a
 * widget: `expression`, `item-expression`, `conditionNodeType`, `list` (an expression that returns one), `typed` (a
 * value of a chosen type), `case` (such a value, or rules), `multiline`, `sql`, `shell`, `json`, `pairs`, `fields`,
 * `filter-rules`, `assignments`, `duration` (milliseconds), `email-list`, `suggested` (`x-labels` are suggestions),
 * `item-field`, `item-fields` (fields of the items of a list), `measures` or `rows`. `x-list`: the field with that
 * list.
 * `x-list-position`: of two lists that arrive, the one that the field takes. `x-takes-files`: of the fields that people fill in, some may be files.
 * `x-scope`: the names that an expression may use instead of the usual ones. `x-alternative`: the field that can be
 * filled in instead. `x-when`: the field matters only for these values of another field beside it. `x-labels`: how the
 * values of an enum are shown.
 * `x-choices`: a source lists what the field may hold. `x-columns`: a source lists the columns for which the object
 * has values.
 */
function buildConfigSchema({
  config,
  expressions,
  ownExpressions = {},
  literals = [],
  required,
}: NodeTypeDefinition): Record<string, unknown> {
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
      ...(expressions.includes(name) ? expressionProperty(property, 'expression') : {}),
      ...(ownExpressions[name] ? expressionProperty(property, 'item-expression') : {}),
      ...(literals.includes(name) ? { 'x-literal': true } : {}),
      ...(literals.includes(name) && property.properties
        ? { properties: literalProperties(name, property.properties, ownExpressions) }
        : {}),
      ...(ownExpressions[name] ? { 'x-scope': ownExpressions[name] } : {}),
    },
  ]);
  return { ...schema, properties: Object.fromEntries(fields), required, 'x-order': Object.keys(properties) };
}

const toPublicNodeType = (kind: NodeTypeDefinition): NodeTypeDescription => ({
  type: kind.type,
  title: kind.title,
  description: kind.summary,
  synonyms: kind.synonyms ?? [],
  category: kind.category,
  icon: `/nodes/${kind.type}.svg`,
  ports: {
    inputs: kind.hasInput ? ['input'] : [],
    outputs: listOutputPorts(kind, {}),
    dynamicOutputs: kind.dynamicOutputs?.field ?? null,
  },
  credentialTypes: kind.credentialTypes,
  ...(kind.asksSource ? { asksSource: true as const } : {}),
  ...(typeof kind.asksSource === 'object' ? { sourceSettings: kind.asksSource } : {}),
  ...((kind.inTests ?? (kind.isOutside ? 'mock' : 'run')) === 'mock' ? { needsMock: true as const } : {}),
  ...(kind.isOnce ? { isOnce: true as const } : {}),
  ...(mayRunForEach(kind) ? { takesEach: true as const } : {}),
  configSchema: buildConfigSchema(kind),
});

let types: NodeTypeDescription[] | undefined;

/** The answer of GET /api/node-types. A worker never needs it. */
export const listPublicNodeTypes = (): NodeTypeDescription[] => (types ??= nodeTypeDefinitions.map(toPublicNodeType));
