import type { FieldError } from '@/contract/error';
import { Connection, Node, type Definition } from '@/contract/workflows/workflow';
import { explain, fieldErrors } from '@/server/errors/zod-issues';
import { EvaluationFailed, type Purpose } from '@/server/evaluation/evaluation';
import { kindOf, outputsOf } from '@/server/nodes';
import { definitionInside, hasRounds } from '@/server/nodes/inside';
import { partIdOf } from '@/server/nodes/parts';
import type { NodeKind } from '@/server/nodes/node';
import { annotationIssues } from './annotations';
import { configIssues, type ContentChecks } from './config';
import { checkedElsewhere, Contents, MAX_PARSED_HERE, parsedHere } from './content-checks';
import { cycles } from './cycles';
import { listIssue } from './list-issue';
import { isNestedDeeper } from './nesting';
import { YieldTimer } from '@/server/cooperative';

export const MAX_WORKFLOW_NODES = 2000;
export const MAX_WORKFLOW_CONNECTIONS = 10_000;
export const MAX_WORKFLOW_BYTES = 1024 * 1024;
export const MAX_WORKFLOW_DEPTH = 200;
/** Limits of reported issues, of cycles among them, and of names per cycle. */
const MAX_ISSUES = 1000;
const MAX_CYCLES = 20;
const MAX_PATH = 20;
const FIELDS = new Set(['nodes', 'connections', 'notes', 'groups']);

type Bag = Record<string, unknown>;
const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists that are too long, found before anything looks at their items. */
function lengthIssues(value: unknown): FieldError[] {
  if (!isBag(value)) return [{ field: 'definition', message: 'must be an object' }];
  const { nodes, connections } = value;
  return [
    ...(Array.isArray(nodes) ? listIssue('nodes', nodes, MAX_WORKFLOW_NODES) : []),
    ...(Array.isArray(connections) ? listIssue('connections', connections, MAX_WORKFLOW_CONNECTIONS) : []),
  ];
}

/** A node, as far as it is valid. */
interface Known {
  id: string;
  index: number;
  kind: NodeKind | undefined;
  config: Bag;
  /** Its output ports, once a connection has asked for them. */
  ports?: ReadonlySet<string>;
}

const portsOf = (known: Known): ReadonlySet<string> =>
  (known.ports ??= new Set(known.kind ? outputsOf(known.kind, known.config) : []));

function nodeIssues(value: unknown, index: number, prefix: string, checks: ContentChecks): FieldError[] {
  const parsed = Node.safeParse(value, { error: explain });
  const issues = parsed.success ? [] : fieldErrors(parsed.error, [`${prefix}nodes`, index]);
  if (!isBag(value) || typeof value['type'] !== 'string') return issues;
  const at = `${prefix}nodes[${index}]`;
  const kind = kindOf(value['type']);
  if (!kind) {
    const isNamed = issues.some(({ field }) => field === `${at}.type`);
    return isNamed
      ? issues
      : [...issues, { field: `${at}.type`, message: `unknown node type "${value['type'].slice(0, 100)}"` }];
  }
  return [...issues, ...kindIssues(value, kind, at, checks)];
}

/** Issues of a node that follow from its kind; also of the nodes in its config that are no definition. */
function kindIssues(value: Bag, kind: NodeKind, at: string, checks: ContentChecks): FieldError[] {
  const issues: FieldError[] = [];
  if (typeof value['credentialId'] === 'string' && kind.credentialTypes.length === 0) {
    issues.push({ field: `${at}.credentialId`, message: `${kind.type} takes no credential` });
  }
  const { maxTimeoutMs = Infinity } = kind;
  if (typeof value['timeoutMs'] === 'number' && value['timeoutMs'] > maxTimeoutMs) {
    issues.push({ field: `${at}.timeoutMs`, message: `must be at most ${maxTimeoutMs} for ${kind.type}` });
  }
  if (value['repeatable'] === false && isBag(value['retry']) && value['retry']['maxAttempts'] !== 1) {
    issues.push({ field: `${at}.retry`, message: 'a node that is not repeatable cannot be retried' });
  }
  const { config } = value;
  if (!isBag(config)) return issues;
  issues.push(...configIssues(kind, config, `${at}.config`, checks));
  for (const { node, at: place } of kind.tools?.(config) ?? []) {
    const tool = kindOf(node.type);
    if (tool) issues.push(...kindIssues(node, tool, `${at}.${place}`, checks));
  }
  return issues;
}

function knownNodes(nodes: unknown[], prefix: string): { nodesById: Map<string, Known>; issues: FieldError[] } {
  const nodesById = new Map<string, Known>();
  const issues: FieldError[] = [];
  for (const [index, node] of nodes.entries()) {
    if (!isBag(node) || typeof node['id'] !== 'string') continue;
    const { id, type, config } = node;
    const kind = typeof type === 'string' ? kindOf(type) : undefined;
    const before = nodesById.get(id);
    if (before) {
      const message = `is the id of nodes[${before.index}] as well`;
      issues.push({ field: `${prefix}nodes[${index}].id`, message });
    } else {
      nodesById.set(id, { id, index, kind, config: isBag(config) ? config : {} });
    }
  }
  return { nodesById, issues };
}

/** Longer ids are refused as such. */
const MAX_ID = 100;

/** Results of rounds are stored as `loop[3].inner`; other nodes may not use such ids. */
function roundIssues(nodesById: Map<string, Known>, prefix: string): FieldError[] {
  return [...nodesById.values()].flatMap(({ id, index }) => {
    const loop = id.length > MAX_ID ? undefined : loopBefore(id, nodesById);
    return loop
      ? [{ field: `${prefix}nodes[${index}].id`, message: `looks like the id of a node inside nodes[${loop.index}]` }]
      : [];
  });
}

/** The loop whose rounds have ids that begin like this one. */
function loopBefore(id: string, nodesById: Map<string, Known>): Known | undefined {
  for (const { index } of id.matchAll(/\[\d+\]\./g)) {
    const known = nodesById.get(id.slice(0, index));
    if (known?.kind && hasRounds(known.kind.type)) return known;
  }
  return undefined;
}

function endIssues(connection: Connection, nodesById: Map<string, Known>, at: string): FieldError[] {
  const issues: FieldError[] = [];
  const source = nodesById.get(connection.sourceNode);
  const target = nodesById.get(connection.targetNode);
  if (!source) issues.push({ field: `${at}.sourceNode`, message: 'no node has this id' });
  if (!target) issues.push({ field: `${at}.targetNode`, message: 'no node has this id' });
  if (source?.kind && !portsOf(source).has(connection.sourcePort)) {
    issues.push({ field: `${at}.sourcePort`, message: `${source.kind.type} has no such output port` });
  }
  if (target?.kind && !(target.kind.hasInput && connection.targetPort === 'input')) {
    issues.push({ field: `${at}.targetPort`, message: `${target.kind.type} has no such input port` });
  }
  return issues;
}

/** The remaining budget of one check: nodes, and issues to report. */
class Budget {
  nodes = MAX_WORKFLOW_NODES;
  private readonly yieldTimer = new YieldTimer();
  private issues = 0;

  /** Whether the limit of issues is reached. */
  get isSpent(): boolean {
    return this.issues >= MAX_ISSUES;
  }

  /** Counts issues. Yields between parts, because a definition may be large. */
  async count(issues: FieldError[]): Promise<FieldError[]> {
    this.issues += issues.length;
    if (this.yieldTimer.isDue) await this.yieldTimer.take();
    return issues;
  }
}

async function connectionIssues(
  connections: unknown[],
  nodesById: Map<string, Known>,
  prefix: string,
  budget: Budget,
): Promise<FieldError[]> {
  const issues: FieldError[] = [];
  const firstIndex = new Map<string, number>();
  const edges: { index: number; source: string; target: string }[] = [];
  for (const [index, value] of connections.entries()) {
    if (budget.isSpent) return issues;
    const at = `${prefix}connections[${index}]`;
    const parsed = Connection.safeParse(value, { error: explain });
    if (!parsed.success) {
      issues.push(...(await budget.count(fieldErrors(parsed.error, [`${prefix}connections`, index]))));
      continue;
    }
    const { sourceNode, sourcePort, targetNode, targetPort } = parsed.data;
    issues.push(...(await budget.count(endIssues(parsed.data, nodesById, at))));
    const key = JSON.stringify([sourceNode, sourcePort, targetNode, targetPort]);
    const twin = firstIndex.get(key);
    if (twin !== undefined) issues.push({ field: at, message: `is the same as connections[${twin}]` });
    else firstIndex.set(key, index);
    if (nodesById.has(sourceNode) && nodesById.has(targetNode))
      edges.push({ index, source: sourceNode, target: targetNode });
  }
  for (const { index, path } of cycles(edges, MAX_CYCLES)) {
    issues.push({ field: `${prefix}connections[${index}]`, message: `makes a cycle: ${shortened(path)}` });
  }
  return issues;
}

/** A path for a message: the middle of a long one is left out. */
const shortened = (path: string[]): string =>
  (path.length > MAX_PATH ? [...path.slice(0, MAX_PATH - 2), '…', ...path.slice(-2)] : path).join(' → ');

/** `prefix` is empty, or the path of the config field with the inner definition, followed by a dot. */
async function issuesWithin(
  value: unknown,
  prefix: string,
  budget: Budget,
  checks: ContentChecks,
): Promise<FieldError[]> {
  if (!isBag(value)) return [{ field: prefix.slice(0, -1) || 'definition', message: 'must be an object' }];
  const { nodes, connections, notes, groups } = value;
  const unknown = Object.keys(value).filter((key) => !FIELDS.has(key));
  const found = [
    ...unknown.slice(0, MAX_ISSUES).map((key) => ({ field: `${prefix}${key}`, message: 'is not a known field' })),
    ...listIssue(`${prefix}nodes`, nodes, budget.nodes),
    ...listIssue(`${prefix}connections`, connections, MAX_WORKFLOW_CONNECTIONS),
  ];
  if (!Array.isArray(nodes) || nodes.length > budget.nodes) return found;
  budget.nodes -= nodes.length;
  const { nodesById, issues } = knownNodes(nodes, prefix);
  for (const [index, node] of nodes.entries()) {
    if (!budget.isSpent) found.push(...(await budget.count(nodeIssues(node, index, prefix, checks))));
  }
  found.push(...issues, ...roundIssues(nodesById, prefix));
  if (Array.isArray(connections) && connections.length <= MAX_WORKFLOW_CONNECTIONS) {
    found.push(...(await connectionIssues(connections, nodesById, prefix, budget)));
  }
  const places = new Map([...nodesById].map(([id, { index }]) => [id, index]));
  found.push(...(await budget.count(annotationIssues({ notes, groups }, places, prefix))));
  for (const { kind, config, index } of nodesById.values()) {
    if (budget.isSpent || !kind?.inner || config[kind.inner] === undefined) continue;
    const at = `${prefix}nodes[${index}].config.${kind.inner}.`;
    found.push(...(await issuesWithin(config[kind.inner], at, budget, checks)));
  }
  return found;
}

async function issuesOf(value: unknown, checks: ContentChecks): Promise<FieldError[]> {
  const tooLong = lengthIssues(value);
  if (tooLong.length > 0) return tooLong;
  if (await isNestedDeeper(value, MAX_WORKFLOW_DEPTH))
    return [{ field: 'definition', message: `is nested deeper than ${MAX_WORKFLOW_DEPTH} levels` }];
  if (Buffer.byteLength(JSON.stringify(value) ?? '') > MAX_WORKFLOW_BYTES) {
    return [{ field: 'definition', message: 'is larger than 1 MiB' }];
  }
  return (await issuesWithin(value, '', new Budget(), checks)).slice(0, MAX_ISSUES);
}

/**
 * Every issue for which a definition is refused, all at once (1,000 at most): wrong shapes and unknown fields, unknown types, duplicate
 * ids, edges to missing nodes or in a cycle, config of the wrong type, invalid expressions, invalid schemas. A draft may lack parts; see
 * readinessIssues. Accepts any value, never throws.
 */
export async function definitionIssues(value: unknown, purpose: Purpose): Promise<FieldError[]> {
  const contents = new Contents();
  const issues = await issuesOf(value, contents);
  if (contents.schemas.size + contents.texts.size === 0) return issues;
  if (contents.schemas.size === 0 && contents.size <= MAX_PARSED_HERE) return issuesOf(value, parsedHere);
  try {
    return await issuesOf(value, await checkedElsewhere(contents, purpose));
  } catch (error) {
    if (!(error instanceof EvaluationFailed)) throw error;
    return [...issues, { field: 'definition', message: `cannot be checked: ${error.message}` }];
  }
}

/** Whether a node with this id, or a path such as `loop[3].inner` to one, exists in an inner definition. */
export const isInside = (definition: Definition, idOrPath: string): boolean =>
  definition.nodes.some((node) => {
    const { definition: body } = definitionInside(node) ?? {};
    return body !== undefined && (body.nodes.some(({ id }) => id === idOrPath) || isInside(body, idOrPath));
  }) || namesNode(definition, idOrPath);

const ROUND = /^\[\d+\]\./;

/** The node to which a path such as `loop[3].inner` can lead, reachable or not. */
export function nodeAt({ nodes }: Definition, path: string): Node | undefined {
  for (const node of nodes) {
    if (node.id === path) return node;
    const round = path.startsWith(node.id) ? ROUND.exec(path.slice(node.id.length)) : null;
    const found = round && nodeInRound(node, path.slice(node.id.length + round[0].length));
    if (found) return found;
  }
  return undefined;
}

function nodeInRound(node: Node, path: string): Node | undefined {
  const inner = definitionInside(node);
  if (inner) return nodeAt(inner.definition, path);
  const parts = kindOf(node.type)?.parts?.(node).parts ?? [];
  return parts.find((part) => part.node.id === partIdOf(path))?.node;
}

/** Whether a path such as `loop[3].inner` can lead to a node of a definition, reachable or not. */
export const namesNode = (definition: Definition, path: string): boolean => nodeAt(definition, path) !== undefined;
