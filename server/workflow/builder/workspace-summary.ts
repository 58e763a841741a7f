import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { hideSecrets } from './hidden-secrets';

/** An object of the workspace that a node can name. */
interface NamedResource {
  id: string;
  name: string;
}

/** The description of the workspace for a model. It contains only what the caller may see and use, and no secret. */
export interface WorkspaceSummary {
  credentials: (NamedResource & { type: string; connectorId: string | null })[];
  tables: (NamedResource & { columns: { name: string; type: string }[] })[];
  workflows: NamedResource[];
  /** Connectors that the workspace has made. */
  connectors: NamedResource[];
  /** What starts the workflow already. */
  triggers: { kind: string; name: string }[];
  /** The names of the variables, without values. */
  variables: string[];
  /** The shapes of the data of the last run, by node: names of fields and types. */
  shapes: { input: string; outputs: Record<string, string> } | null;
}

const formatSection = <Item>(title: string, items: readonly Item[], line: (item: Item) => string): string[] =>
  items.length === 0 ? [`${title}: none`] : [`${title}:`, ...items.map((item) => `- ${line(item)}`)];

/** Quotes a name, so that it does not read like an instruction. */
const quoteName = (text: string) => JSON.stringify(text);

/** The summary as text for the model. */
export function formatWorkspaceSummary({
  credentials,
  tables,
  workflows,
  connectors,
  triggers,
  variables,
  shapes,
}: WorkspaceSummary): string {
  return [
    ...formatSection('Credentials', credentials, ({ id, name, type, connectorId }) =>
      [id, quoteName(name), type, ...(connectorId ? [`of connector ${connectorId}`] : [])].join(' '),
    ),
    ...formatSection('Tables', tables, ({ id, name, columns }) => {
      const fields = columns.map((column) => `${quoteName(column.name)} ${column.type}`).join(', ');
      return `${id} ${quoteName(name)} with columns ${fields || 'none'}`;
    }),
    ...formatSection('Other workflows', workflows, ({ id, name }) => `${id} ${quoteName(name)}`),
    ...formatSection(
      'Connectors of the workspace (search_nodes finds their operations)',
      connectors,
      ({ id, name }) => `${id} ${quoteName(name)}`,
    ),
    ...formatSection('Triggers that the workflow has', triggers, ({ kind, name }) => `${kind} ${quoteName(name)}`),
    `Variables: ${variables.join(', ') || 'none'}`,
    ...(shapes
      ? [
          'Shapes of data in the last run:',
          `- input of the run: ${shapes.input}`,
          ...Object.entries(shapes.outputs).map(([id, shape]) => `- output of ${quoteName(id)}: ${shape}`),
        ]
      : []),
  ].join('\n');
}

/** A definition as a model reads it: without positions and decoration, and with texts that look like secrets hidden. */
export function formatDefinition({ nodes, connections }: WorkflowDefinition): string {
  return JSON.stringify({ nodes: nodes.map((node) => withoutPositions(hideSecrets(node))), connections });
}

/** Removes the positions of nodes, also of those in the bodies of loops. */
function withoutPositions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPositions);
  if (typeof value !== 'object' || value === null) return value;
  const isNode = 'type' in value && 'config' in value && 'position' in value;
  const fields = Object.entries(value).filter(([name]) => !(isNode && name === 'position'));
  return Object.fromEntries(fields.map(([name, inner]) => [name, withoutPositions(inner)]));
}
