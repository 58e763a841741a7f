import { z } from 'zod';
import type { ModelTool } from '@/server/models/generate';
import { describeNode, describeOperation } from './catalogue';
import { searchNodes } from './search';
import type { WorkspaceConnectors } from './workspace-connectors';

/** The tool by which a model proposes a workflow. */
export const SUBMIT = 'submit';

const text = (description: string) => ({ type: 'string', description }) as const;

const NODE = {
  type: 'object',
  properties: {
    id: text('Unique; expressions use it'),
    type: text('A node type'),
    name: text('A short title'),
    config: { type: 'object', description: 'By the fields of the node type' },
    credentialId: text('Id of a listed credential; left out if there is none'),
    notes: text('Documentation for readers, where it is needed'),
  },
  required: ['id', 'type', 'name', 'config'],
} as const;

const CONNECTION = {
  type: 'object',
  properties: {
    sourceNode: text('Id'),
    sourcePort: text('An output port of its type'),
    targetNode: text('Id'),
    targetPort: text('input'),
  },
  required: ['sourceNode', 'sourcePort', 'targetNode', 'targetPort'],
} as const;

const tool = (name: string, description: string, properties: object, required: string[]): ModelTool => ({
  type: 'function',
  name,
  description,
  inputSchema: { type: 'object', properties, required } as ModelTool['inputSchema'],
});

export const TOOLS: ModelTool[] = [
  tool('search_nodes', 'Finds node types and operations of services.', { query: text('A few English words') }, [
    'query',
  ]),
  tool('describe_node', 'All fields of a node type, with examples.', { type: text('A node type') }, ['type']),
  tool(
    'describe_operation',
    'The parameters of an operation of a connector, and an example of its answer.',
    { connectorId: text('Id of the connector'), operation: text('Id of the operation') },
    ['connectorId', 'operation'],
  ),
  tool(
    SUBMIT,
    'Proposes the workflow. It is checked; if it has errors, correct them and submit all of it again.',
    {
      nodes: {
        type: 'array',
        items: NODE,
        description:
          'Every node that is new or changed, complete. Nodes of the present workflow that are left out stay as they are',
      },
      removed: {
        type: 'array',
        items: { type: 'string' },
        description: 'Ids of nodes of the present workflow to remove',
      },
      connections: { type: 'array', items: CONNECTION, description: 'All connections of the whole workflow' },
      summary: text(
        'For the user, in two to five short sentences: what it does, which trigger fits, what is left to fill in',
      ),
    },
    ['nodes', 'connections', 'summary'],
  ),
];

const short = z.string().max(200);

interface Reader {
  /** A sentence about it. */
  progress: string;
  read(own: WorkspaceConnectors): Promise<string>;
}

const READERS = {
  search_nodes: z.object({ query: short }).transform(({ query }): Reader => ({
    progress: `Searching for “${query.slice(0, 60)}”`,
    read: async (own) =>
      searchNodes(query, await own.entries()).join('\n') || 'Nothing was found. Try other words, or use http_request.',
  })),
  describe_node: z.object({ type: short }).transform(({ type }): Reader => ({
    progress: `Reading about ${type.slice(0, 60)}`,
    read: async () => (await describeNode(type)) ?? `There is no node type "${type}".`,
  })),
  describe_operation: z
    .object({ connectorId: short, operation: short })
    .transform(({ connectorId, operation }): Reader => ({
      progress: `Reading about ${operation.slice(0, 60)} of ${connectorId.slice(0, 60)}`,
      read: async (own) =>
        describeOperation(connectorId, operation) ??
        (await own.describe(connectorId, operation)) ??
        `There is no operation "${operation}" of "${connectorId}".`,
    })),
} as const;

/** What a call of a reading tool does; or why it is refused. */
export function readerOf(name: string, given: unknown): Reader | { problem: string } {
  if (!Object.hasOwn(READERS, name)) return { problem: `There is no tool "${name.slice(0, 100)}".` };
  const parsed = READERS[name as keyof typeof READERS].safeParse(given);
  return parsed.success ? parsed.data : { problem: 'The arguments do not match the schema of the tool.' };
}
