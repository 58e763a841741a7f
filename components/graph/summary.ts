import { operationIconPath } from '@/contract/connectors/connector-icons';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { agentToolNode, readAgentTools } from './agent';

/** The title of a node: its name, otherwise the title of its type. */
export const nodeTitle = (node: WorkflowNode, kind: NodeTypeDescription | undefined) =>
  node.name || kind?.title || node.type;

/** What the canvas calls the nodes, by id. Nodes with the same title have their ids, too. */
export function nodeTitlesById(
  { nodes }: WorkflowDefinition,
  catalogue: ReadonlyMap<string, NodeTypeDescription>,
): Record<string, string> {
  const titles = nodes.map((node) => [node.id, nodeTitle(node, catalogue.get(node.type))] as const);
  const times = new Map<string, number>();
  for (const [, title] of titles) times.set(title, (times.get(title) ?? 0) + 1);
  return Object.fromEntries(titles.map(([id, title]) => [id, times.get(title) === 1 ? title : `${title} (${id})`]));
}

/**
 * Options that describe how a node works, not what it does. The summary omits them, and the list that a node works on.
 */
const MANNER_OPTIONS = new Set(['responseType', 'bodyType', 'onExpire', 'language']);

/** What the summary reads of the schema of a field. */
interface SummarizedField {
  enum?: unknown[];
  'x-choices'?: object;
  'x-editor'?: string;
  'x-labels'?: Record<string, string>;
}

/** The config of a node in one line: its options (such as GET) and its first text (such as a URL). */
export function nodeSummary(node: WorkflowNode, kind: NodeTypeDescription | undefined): string {
  if (!kind) return `Unknown type ${node.type}`;
  if (node.type === 'connector') return readPickedSubject(node) ?? kind.description;
  const properties = (kind.configSchema.properties ?? {}) as Record<string, SummarizedField>;
  const texts = Object.entries(properties).flatMap(([field, schema]): { isChoice: boolean; text: string }[] => {
    const value = node.config[field];
    if (typeof value !== 'string' || value.trim() === '' || MANNER_OPTIONS.has(field)) return [];
    if (schema['x-editor'] === 'list') return [];
    const label = schema['x-choices'] ? node.labels?.[field] : schema['x-labels']?.[value];
    // The id of something that was picked says nothing to people.
    if (schema['x-choices'] && label === undefined && !value.includes('{{')) return [];
    return [{ isChoice: schema.enum !== undefined, text: label ?? firstLineSummary(value) }];
  });
  const choices = texts.filter(({ isChoice }) => isChoice).map(({ text }) => text);
  const first = texts.find(({ isChoice }) => !isChoice)?.text;
  const parts = [...choices, ...(first ? [first] : [])];
  if (parts.length) return parts.join(' ').slice(0, 200);
  return nodeTitle(node, kind) === kind.title ? kind.description : kind.title;
}

/** An object that a node names by its id: of the workspace, or a connector of the installation. */
export interface NodeReference {
  resource: 'workflow' | 'table' | 'connector';
  id: string;
}

/**
 * The workflow, table or connector that a node names. Undefined: it names none, none is chosen yet, or
 * an expression decides.
 */
export function readNodeReference({
  type,
  config: { workflowId, tableId, connectorId },
}: WorkflowNode): NodeReference | undefined {
  const isId = (value: unknown): value is string => typeof value === 'string' && /^[\w-]+$/.test(value);
  if (type === 'sub_workflow' && isId(workflowId)) return { resource: 'workflow', id: workflowId };
  if (type === 'connector' && isId(connectorId)) return { resource: 'connector', id: connectorId };
  return type === 'table' && isId(tableId) ? { resource: 'table', id: tableId } : undefined;
}

/** The objects that the nodes of a definition, and the tools of agents, refer to, each once. */
export const collectNodeReferences = ({ nodes }: WorkflowDefinition): NodeReference[] => {
  const all = nodes.flatMap((node) => (node.type === 'agent' ? readAgentTools(node.config).map(agentToolNode) : node));
  return [...new Map(all.flatMap((node) => readNodeReference(node) ?? []).map((one) => [one.id, one])).values()];
};

/** The first line, without the checks of types that rules are written with. */
const firstLineSummary = (text: string): string =>
  (text.trim().split('\n', 1)[0] ?? '').replace(
    /(?:\$type\([^()]*\) = "(?:number|string)" (?:and|\?)|typeof [^\s()]+ === "(?:number|string)" &&) /g,
    '',
  );

/** What the picked values of a node were called, by the names of their fields. */
export const listPickedLabels = ({ labels = {} }: WorkflowNode): { field: string; label: string }[] =>
  Object.entries(labels).map(([path, label]) => ({ field: labelledFieldName(path), label }));

/** The name of the field at a path: `channel` of `parameters.channel`. */
export const labelledFieldName = (path: string): string => path.split('.').at(-1) ?? path;

/** What the operation of a connector node is about: what its first picked parameter was called. */
export const readPickedSubject = ({ config: { parameters }, labels = {} }: WorkflowNode): string | undefined =>
  Object.keys(Object(parameters) as object).flatMap((name) => labels[`parameters.${name}`] ?? [])[0];

/**
 * The node type to draw: a connector node has the icon of its service. `icon`: that of a connector of the workspace,
 * once it is known.
 */
export function drawnNodeType(
  { type, config }: WorkflowNode,
  kind: NodeTypeDescription | undefined,
  icon?: string,
): NodeTypeDescription | undefined {
  const { connectorId, operation } = config;
  const isNamed =
    type === 'connector' && typeof connectorId === 'string' && /^([a-z0-9_]+|conn_[\w-]+)$/.test(connectorId);
  if (!kind || !isNamed) return kind;
  // A service of a provider has an icon of its own: that of Google Sheets is not Google's.
  const ownIcon = connectorId.startsWith('conn_') ? icon : undefined;
  return { ...kind, icon: ownIcon ?? operationIconPath(connectorId, operation) };
}
