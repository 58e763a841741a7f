import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { findBuiltInConnector, builtInConnectors } from '@/server/connectors';
import { describeEvents, describeOperations } from '@/server/connectors/catalogue';
import { listPublicNodeTypes } from '@/server/workflow/nodes';
import { listInnerNodes } from '@/server/workflow/nodes/inner-nodes';
import { loadTemplateFiles } from '@/server/workflow/templates';
import { formatBriefFields, formatFullFields } from './field-types';

/** A model is shown at most this many examples of a node type, each of at most this many characters. */
const MAX_NODE_EXAMPLES = 2;
const MAX_NODE_EXAMPLE = 1500;
/** Marks a value of a template that its set-up asks for: such a node is no good example. */
const TEMPLATE_SLOT_START = '[[';
/** The maximum length of the example of a response. */
const MAX_RESPONSE_EXAMPLE = 2000;

const formatPorts = ({ ports: { inputs, outputs, dynamicOutputs } }: NodeTypeDescription): string => {
  const named = dynamicOutputs ? [`<a port of each of ${dynamicOutputs}>`, ...outputs] : outputs;
  return `${inputs.length > 0 ? 'in: input; ' : ''}out: ${named.join(', ')}`;
};

const formatCredentialTypes = ({ credentialTypes }: NodeTypeDescription): string =>
  credentialTypes.length > 0 ? `; credential: ${credentialTypes.join(' | ')}` : '';

const formatNodeHeading = (type: NodeTypeDescription): string =>
  `${type.type} (${type.title}): ${type.description} [${formatPorts(type)}${formatCredentialTypes(type)}]`;

let cachedBriefCatalogue: string | undefined;

/** Every node type with its fields and ports, one line each. Made from the schemas once for each process. */
export function briefNodeCatalogue(): string {
  cachedBriefCatalogue ??= listPublicNodeTypes()
    .map((type) =>
      [formatNodeHeading(type), ...formatBriefFields(type.configSchema).map((line) => `  ${line}`)].join('\n'),
    )
    .join('\n');
  return cachedBriefCatalogue;
}

/** All fields of a node type, with examples from the templates; undefined: unknown. */
export async function describeNodeType(name: string): Promise<string | undefined> {
  const type = listPublicNodeTypes().find((one) => one.type === name);
  if (!type) return undefined;
  const examples = (await findNodeExamples(name)).map((example) => `Example: ${example}`);
  return [
    formatNodeHeading(type),
    'Fields of config (* is required):',
    ...formatFullFields(type.configSchema, '  '),
    ...examples,
  ].join('\n');
}

async function findNodeExamples(name: string): Promise<string[]> {
  const used = (await loadTemplateFiles()).flatMap(({ definition }) =>
    listNodesDeep(definition).filter(({ type }) => type === name),
  );
  const shown = used.map(({ id, config }) => JSON.stringify({ id, type: name, config }));
  return shown
    .filter((text) => text.length <= MAX_NODE_EXAMPLE && !text.includes(TEMPLATE_SLOT_START))
    .toSorted((one, other) => other.length - one.length)
    .slice(0, MAX_NODE_EXAMPLES);
}

const listNodesDeep = ({ nodes }: WorkflowDefinition): WorkflowNode[] =>
  nodes.flatMap((node) => [node, ...listInnerNodes(node).map((inner) => inner.node)]);

/** The names of all connectors. A model finds their operations by a search. */
export const formatConnectorNames = (): string =>
  builtInConnectors
    .map(({ id, name, services }) =>
      services ? `${id} (${services.map((one) => one.name).join(', ')})` : formatConnectorName(id, name),
    )
    .join('; ');

const formatConnectorName = (id: string, name: string) =>
  name.toLowerCase().replaceAll(/\W/g, '') === id ? id : `${id} (${name})`;

/** The parameters of an operation of a connector; undefined: unknown. */
export function describeConnectorOperation(connectorId: string, id: string): string | undefined {
  const connector = findBuiltInConnector(connectorId);
  const operation = connector && describeOperations(connector).find((one) => one.id === id);
  if (!connector || !operation) return undefined;
  const { title, description, parameters, limits, example, poll } = operation;
  const about = `${connector.name}: ${title}. ${description}`.trim();
  const described = formatOperation({ connectorId, id, title: about, parameters, limits, example });
  return poll
    ? `${described}\nAs a poll (${poll.title}): ${JSON.stringify({ items: poll.items, key: poll.key })}`
    : described;
}

/** An event that a provider reports, as a trigger; undefined: unknown. */
export function describeConnectorEvent(connectorId: string, id: string): string | undefined {
  const connector = findBuiltInConnector(connectorId);
  const event = connector && describeEvents(connector).find((one) => one.mode === 'subscription' && one.id === id);
  if (!connector || !event) return undefined;
  const subscription = `{"connectorId": "${connectorId}", "event": "${id}", "parameters": {…}, "credentialId": "…"}`;
  const example = JSON.stringify(event.example);
  return [
    `${connector.name}: ${event.title}.`,
    `Trigger: {"kind": "webhook", "settings": {"subscription": ${subscription}}}`,
    'Parameters (* is required):',
    ...formatFullFields(event.parameters, '  '),
    ...(example && example.length <= MAX_RESPONSE_EXAMPLE ? [`Example of the input of a run: ${example}`] : []),
  ].join('\n');
}

interface OperationDescription {
  connectorId: string;
  id: string;
  title: string;
  /** JSON Schema. */
  parameters: Record<string, unknown>;
  limits?: string | null | undefined;
  example?: unknown;
}

/** An operation of a connector as a model reads it. */
export function formatOperation({ connectorId, id, title, parameters, limits, example }: OperationDescription): string {
  const answer = example === undefined ? undefined : JSON.stringify(example);
  return [
    title,
    `Node: {"type": "connector", "config": {"connectorId": "${connectorId}", "operation": ${JSON.stringify(id)}, "parameters": {…}}}`,
    'Parameters (* is required):',
    ...formatFullFields(parameters, '  '),
    'Output: {status, headers, body}.',
    ...(limits ? [`Limits: ${limits}`] : []),
    ...(answer && answer.length <= MAX_RESPONSE_EXAMPLE ? [`Example of body: ${answer}`] : []),
  ].join('\n');
}
