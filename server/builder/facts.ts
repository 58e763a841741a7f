import type { Definition } from '@/contract/workflows/workflow';
import { hide } from './hidden';

/** An object of the workspace that a node can name. */
interface Listed {
  id: string;
  name: string;
}

/** What a model is told of the workspace: only what the caller may see and use, and no secret. */
export interface Facts {
  credentials: (Listed & { type: string; connectorId: string | null })[];
  tables: (Listed & { columns: { name: string; type: string }[] })[];
  workflows: Listed[];
  /** Connectors that the workspace has made. */
  connectors: Listed[];
  /** Names. */
  variables: string[];
  /** The shapes of the data of the last run, by node: names of fields and types. */
  shapes: { input: string; outputs: Record<string, string> } | null;
}

const lines = <Item>(title: string, items: readonly Item[], line: (item: Item) => string): string[] =>
  items.length === 0 ? [`${title}: none`] : [`${title}:`, ...items.map((item) => `- ${line(item)}`)];

/** Names are data: quoted, so that none reads like an instruction. */
const quoted = (text: string) => JSON.stringify(text);

/** The facts as text. */
export function factsText({ credentials, tables, workflows, connectors, variables, shapes }: Facts): string {
  return [
    ...lines('Credentials', credentials, ({ id, name, type, connectorId }) =>
      [id, quoted(name), type, ...(connectorId ? [`of connector ${connectorId}`] : [])].join(' '),
    ),
    ...lines('Tables', tables, ({ id, name, columns }) => {
      const fields = columns.map((column) => `${quoted(column.name)} ${column.type}`).join(', ');
      return `${id} ${quoted(name)} with columns ${fields || 'none'}`;
    }),
    ...lines('Other workflows', workflows, ({ id, name }) => `${id} ${quoted(name)}`),
    ...lines(
      'Connectors of the workspace (search_nodes finds their operations)',
      connectors,
      ({ id, name }) => `${id} ${quoted(name)}`,
    ),
    `Variables: ${variables.join(', ') || 'none'}`,
    ...(shapes
      ? [
          'Shapes of data in the last run:',
          `- input of the run: ${shapes.input}`,
          ...Object.entries(shapes.outputs).map(([id, shape]) => `- output of ${quoted(id)}: ${shape}`),
        ]
      : []),
  ].join('\n');
}

/** A definition as a model reads it: without places and decoration, texts that look like secrets are hidden. */
export function definitionText({ nodes, connections }: Definition): string {
  return JSON.stringify({ nodes: nodes.map((node) => withoutPlaces(hide(node))), connections });
}

/** Without the positions of nodes, also of those in the bodies of loops. */
function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== 'object' || value === null) return value;
  const isNode = 'type' in value && 'config' in value && 'position' in value;
  const fields = Object.entries(value).filter(([name]) => !(isNode && name === 'position'));
  return Object.fromEntries(fields.map(([name, inner]) => [name, withoutPlaces(inner)]));
}
