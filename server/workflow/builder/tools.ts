import { z } from 'zod';
import type { ModelTool } from '@/server/network/models/generate';
import { describeNodeType, describeConnectorEvent, describeConnectorOperation } from './catalogue';
import { searchNodes } from './search';
import { TRIGGER_PROPERTY_SCHEMA } from './triggers';
import type { WorkspaceConnectors } from './workspace-connectors';

/** The tool by which a model proposes a workflow. */
export const SUBMIT_TOOL = 'submit';

const textProperty = (description: string) => ({ type: 'string', description }) as const;

const NODE_PROPERTY_SCHEMA = {
  type: 'object',
  properties: {
    id: textProperty('Unique; expressions use it'),
    type: textProperty('A node type'),
    name: textProperty('A short title'),
    config: { type: 'object', description: 'By the fields of the node type' },
    credentialId: textProperty('Id of a listed credential; left out if there is none'),
    notes: textProperty('Documentation for readers, where it is needed'),
  },
  required: ['id', 'type', 'name', 'config'],
} as const;

const CONNECTION_PROPERTY_SCHEMA = {
  type: 'object',
  properties: {
    sourceNode: textProperty('Id'),
    sourcePort: textProperty('An output port of its type'),
    targetNode: textProperty('Id'),
    targetPort: textProperty('input'),
  },
  required: ['sourceNode', 'sourcePort', 'targetNode', 'targetPort'],
} as const;

const defineTool = (name: string, description: string, properties: object, required: string[]): ModelTool => ({
  type: 'function',
  name,
  description,
  inputSchema: { type: 'object', properties, required } as ModelTool['inputSchema'],
});

export const BUILDER_TOOLS: ModelTool[] = [
  defineTool(
    'search_nodes',
    'Finds node types and operations of services.',
    { query: textProperty('A few English words') },
    ['query'],
  ),
  defineTool('describe_node', 'All fields of a node type, with examples.', { type: textProperty('A node type') }, [
    'type',
  ]),
  defineTool(
    'describe_operation',
    'The parameters of an operation or event of a connector, and an example of its answer.',
    { connectorId: textProperty('Id of the connector'), operation: textProperty('Id of the operation or event') },
    ['connectorId', 'operation'],
  ),
  defineTool(
    SUBMIT_TOOL,
    'Proposes the workflow. It is checked; if it has errors, correct them and submit all of it again.',
    {
      nodes: {
        type: 'array',
        items: NODE_PROPERTY_SCHEMA,
        description:
          'Every node that is new or changed, complete. Nodes of the present workflow that are left out stay as they are',
      },
      removed: {
        type: 'array',
        items: { type: 'string' },
        description: 'Ids of nodes of the present workflow to remove',
      },
      connections: {
        type: 'array',
        items: CONNECTION_PROPERTY_SCHEMA,
        description: 'All connections of the whole workflow',
      },
      triggers: {
        type: 'array',
        items: TRIGGER_PROPERTY_SCHEMA,
        description: 'All triggers to add, beside those that the workflow has. Left out: as proposed before',
      },
      exampleInput: {
        type: 'object',
        description: 'An example of what the triggers give to a run, to try the workflow with',
      },
      summary: textProperty(
        'For the user, in two to five short sentences: what it does, what starts it, what is left to fill in',
      ),
    },
    ['nodes', 'connections', 'summary'],
  ),
];

const shortTextSchema = z.string().max(200);

interface ReadingCall {
  /** A sentence that tells the user what the call does. */
  progress: string;
  read(own: WorkspaceConnectors): Promise<string>;
}

const READING_TOOLS = {
  search_nodes: z.object({ query: shortTextSchema }).transform(({ query }): ReadingCall => ({
    progress: `Searching for “${query.slice(0, 60)}”`,
    read: async (own) =>
      searchNodes(query, await own.entries()).join('\n') || 'Nothing was found. Try other words, or use http_request.',
  })),
  describe_node: z.object({ type: shortTextSchema }).transform(({ type }): ReadingCall => ({
    progress: `Reading about ${type.slice(0, 60)}`,
    read: async () => (await describeNodeType(type)) ?? `There is no node type "${type}".`,
  })),
  describe_operation: z
    .object({ connectorId: shortTextSchema, operation: shortTextSchema })
    .transform(({ connectorId, operation }): ReadingCall => ({
      progress: `Reading about ${operation.slice(0, 60)} of ${connectorId.slice(0, 60)}`,
      read: async (own) =>
        describeConnectorOperation(connectorId, operation) ??
        describeConnectorEvent(connectorId, operation) ??
        (await own.describeOperation(connectorId, operation)) ??
        `There is no operation "${operation}" of "${connectorId}".`,
    })),
} as const;

/** Parses a call of a reading tool, or returns why it is refused. */
export function parseReadingCall(name: string, given: unknown): ReadingCall | { problem: string } {
  if (!Object.hasOwn(READING_TOOLS, name)) return { problem: `There is no tool "${name.slice(0, 100)}".` };
  const parsed = READING_TOOLS[name as keyof typeof READING_TOOLS].safeParse(given);
  return parsed.success ? parsed.data : { problem: 'The arguments do not match the schema of the tool.' };
}
