import type { NodeType } from '@/contract/workflows/node-type';
import type { Definition, Node } from '@/contract/workflows/workflow';
import { connectorOf, connectors } from '@/server/connectors';
import { operationsOf } from '@/server/connectors/catalogue';
import { catalogue } from '@/server/nodes';
import { nodesInside } from '@/server/nodes/inside';
import { templateFiles } from '@/server/templates';
import { briefFields, fullFields } from './field-types';

/** Examples of one node type that a model is shown, and characters of one. */
const MAX_EXAMPLES = 2;
const MAX_EXAMPLE = 1500;
/** In a template: a value that its set-up asks for. */
const SLOT = '[[';
/** Characters of the example of an answer. */
const MAX_ANSWER = 2000;

const portsOf = ({ ports: { inputs, outputs, dynamicOutputs } }: NodeType): string => {
  const named = dynamicOutputs ? [`<a port of each of ${dynamicOutputs}>`, ...outputs] : outputs;
  return `${inputs.length > 0 ? 'in: input; ' : ''}out: ${named.join(', ')}`;
};

const credentialsOf = ({ credentialTypes }: NodeType): string =>
  credentialTypes.length > 0 ? `; credential: ${credentialTypes.join(' | ')}` : '';

const headOf = (type: NodeType): string =>
  `${type.type} (${type.title}): ${type.description} [${portsOf(type)}${credentialsOf(type)}]`;

let brief: string | undefined;

/** Every node type with its fields and ports, one line each. Made from the schemas once for each process. */
export function briefCatalogue(): string {
  brief ??= catalogue()
    .map((type) => [headOf(type), ...briefFields(type.configSchema).map((line) => `  ${line}`)].join('\n'))
    .join('\n');
  return brief;
}

/** All fields of a node type, with examples from the templates; undefined: unknown. */
export async function describeNode(name: string): Promise<string | undefined> {
  const type = catalogue().find((one) => one.type === name);
  if (!type) return undefined;
  const examples = (await examplesOf(name)).map((example) => `Example: ${example}`);
  return [headOf(type), 'Fields of config (* is required):', ...fullFields(type.configSchema, '  '), ...examples].join(
    '\n',
  );
}

async function examplesOf(name: string): Promise<string[]> {
  const used = (await templateFiles()).flatMap(({ definition }) =>
    nodesIn(definition).filter(({ type }) => type === name),
  );
  const shown = used.map(({ id, config }) => JSON.stringify({ id, type: name, config }));
  return shown
    .filter((text) => text.length <= MAX_EXAMPLE && !text.includes(SLOT))
    .toSorted((one, other) => other.length - one.length)
    .slice(0, MAX_EXAMPLES);
}

const nodesIn = ({ nodes }: Definition): Node[] =>
  nodes.flatMap((node) => [node, ...nodesInside(node).map((inner) => inner.node)]);

/** The connectors by name: what their operations are, a model finds out by a search. */
export const connectorNames = (): string =>
  connectors
    .map(({ id, name, services }) =>
      services ? `${id} (${services.map((one) => one.name).join(', ')})` : nameOf(id, name),
    )
    .join('; ');

const nameOf = (id: string, name: string) => (name.toLowerCase().replaceAll(/\W/g, '') === id ? id : `${id} (${name})`);

/** The parameters of an operation of a connector; undefined: unknown. */
export function describeOperation(connectorId: string, id: string): string | undefined {
  const connector = connectorOf(connectorId);
  const operation = connector && operationsOf(connector).find((one) => one.id === id);
  if (!connector || !operation) return undefined;
  const { title, description, parameters, limits, example } = operation;
  const about = `${connector.name}: ${title}. ${description}`.trim();
  return operationText({ connectorId, id, title: about, parameters, limits, example });
}

interface OperationFacts {
  connectorId: string;
  id: string;
  title: string;
  /** JSON Schema. */
  parameters: Record<string, unknown>;
  limits?: string | null | undefined;
  example?: unknown;
}

/** An operation of a connector as a model reads it. */
export function operationText({ connectorId, id, title, parameters, limits, example }: OperationFacts): string {
  const answer = example === undefined ? undefined : JSON.stringify(example);
  return [
    title,
    `Node: {"type": "connector", "config": {"connectorId": "${connectorId}", "operation": ${JSON.stringify(id)}, "parameters": {…}}}`,
    'Parameters (* is required):',
    ...fullFields(parameters, '  '),
    'Output: {status, headers, body}.',
    ...(limits ? [`Limits: ${limits}`] : []),
    ...(answer && answer.length <= MAX_ANSWER ? [`Example of body: ${answer}`] : []),
  ].join('\n');
}
