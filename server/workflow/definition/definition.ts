import type { FieldIssue } from '@/contract/error-response';
import { NodeConnection, WorkflowNode } from '@/contract/workflows/workflow';
import { explainMissingValue, toFieldErrors } from '@/server/platform/errors/zod-issues';
import { EvaluationFailedError, type EvaluationContext } from '@/server/evaluation/evaluator/evaluation';
import { findNodeType, listOutputPorts } from '@/server/workflow/nodes';
import { mayRunForEach } from '@/server/workflow/nodes/each';
import { runsInRounds } from '@/server/workflow/nodes/inner-nodes';
import type { NodeTypeDefinition } from '@/server/workflow/nodes/node-type';
import { annotationIssues } from './annotations';
import { configIssues, expressionTextIssues, type ContentChecks } from './config';
import { checkInEvaluators, ContentCollector, createInProcessChecks, MAX_PARSED_IN_PROCESS } from './content-checks';
import { findCycles } from './cycles';
import { wholeListIssues } from './list-issue';
import { languageIssues, readWrittenDialect } from './language-issues';
import { isNestedDeeper } from './nesting';
import { YieldTimer } from '@/server/platform/timers/cooperative';

export const MAX_WORKFLOW_NODES = 2000;
export const MAX_WORKFLOW_CONNECTIONS = 10_000;
export const MAX_WORKFLOW_BYTES = 1024 * 1024;
export const MAX_WORKFLOW_DEPTH = 200;
/** Limits of reported issues, of cycles among them, and of names per cycle. */
const MAX_REPORTED_ISSUES = 1000;
const MAX_REPORTED_CYCLES = 20;
const MAX_CYCLE_PATH = 20;
const DEFINITION_FIELDS = new Set(['nodes', 'connections', 'notes', 'groups', 'language', 'prelude']);

type UncheckedObject = Record<string, unknown>;
const isUncheckedObject = (value: unknown): value is UncheckedObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Issues of lists that are too long. They are found before any item is checked. */
function listLengthIssues(value: unknown): FieldIssue[] {
  if (!isUncheckedObject(value)) return [{ field: 'definition', message: 'must be an object' }];
  const { nodes, connections } = value;
  return [
    ...(Array.isArray(nodes) ? wholeListIssues('nodes', nodes, MAX_WORKFLOW_NODES) : []),
    ...(Array.isArray(connections) ? wholeListIssues('connections', connections, MAX_WORKFLOW_CONNECTIONS) : []),
  ];
}

/** The valid part of a node with a usable id. */
interface KnownNode {
  id: string;
  index: number;
  nodeType: NodeTypeDefinition | undefined;
  config: UncheckedObject;
  /** It runs once for each item of a list. */
  hasEach: boolean;
  /** Its output ports, once a connection has asked for them. */
  ports?: ReadonlySet<string>;
}

const knownOutputPorts = (known: KnownNode): ReadonlySet<string> =>
  (known.ports ??= new Set(known.nodeType ? listOutputPorts(known.nodeType, known.config) : []));

function definitionNodeIssues(value: unknown, index: number, prefix: string, checks: ContentChecks): FieldIssue[] {
  const parsed = WorkflowNode.safeParse(value, { error: explainMissingValue });
  const issues = parsed.success ? [] : toFieldErrors(parsed.error, [`${prefix}nodes`, index]);
  if (!isUncheckedObject(value) || typeof value['type'] !== 'string') return issues;
  const at = `${prefix}nodes[${index}]`;
  const kind = findNodeType(value['type']);
  if (!kind) {
    const isNamed = issues.some(({ field }) => field === `${at}.type`);
    return isNamed
      ? issues
      : [...issues, { field: `${at}.type`, message: `unknown node type "${value['type'].slice(0, 100)}"` }];
  }
  return [...issues, ...nodeTypeIssues(value, kind, at, checks)];
}

/** Issues of a node that follow from its kind; also of the nodes in its config that are no definition. */
function nodeTypeIssues(
  value: UncheckedObject,
  kind: NodeTypeDefinition,
  at: string,
  checks: ContentChecks,
): FieldIssue[] {
  const issues: FieldIssue[] = [];
  if (typeof value['credentialId'] === 'string' && kind.credentialTypes.length === 0) {
    issues.push({ field: `${at}.credentialId`, message: `${kind.type} takes no credential` });
  }
  const { maxTimeoutMs = Infinity } = kind;
  if (typeof value['timeoutMs'] === 'number' && value['timeoutMs'] > maxTimeoutMs) {
    issues.push({ field: `${at}.timeoutMs`, message: `must be at most ${maxTimeoutMs} for ${kind.type}` });
  }
  if (value['repeatable'] === false && isUncheckedObject(value['retry']) && value['retry']['maxAttempts'] !== 1) {
    issues.push({ field: `${at}.retry`, message: 'a node that is not repeatable cannot be retried' });
  }
  issues.push(...eachIssues(value, kind, at, checks));
  const { config } = value;
  if (!isUncheckedObject(config)) return issues;
  issues.push(...configIssues(kind, config, `${at}.config`, checks));
  for (const { node, at: place } of kind.tools?.(config) ?? []) {
    const tool = findNodeType(node.type);
    if (tool) issues.push(...nodeTypeIssues(node, tool, `${at}.${place}`, checks));
  }
  return issues;
}

function eachIssues(
  { each }: UncheckedObject,
  kind: NodeTypeDefinition,
  at: string,
  checks: ContentChecks,
): FieldIssue[] {
  if (each === undefined) return [];
  const message = `${kind.type} cannot run for each item of a list`;
  if (!mayRunForEach(kind)) return [{ field: `${at}.each`, message }];
  const items = isUncheckedObject(each) ? each['items'] : undefined;
  return typeof items === 'string' ? expressionTextIssues(`${at}.each.items`, items, checks) : [];
}

function collectKnownNodes(
  nodes: unknown[],
  prefix: string,
): { nodesById: Map<string, KnownNode>; issues: FieldIssue[] } {
  const nodesById = new Map<string, KnownNode>();
  const issues: FieldIssue[] = [];
  for (const [index, node] of nodes.entries()) {
    if (!isUncheckedObject(node) || typeof node['id'] !== 'string') continue;
    const { id, type, config } = node;
    const kind = typeof type === 'string' ? findNodeType(type) : undefined;
    const before = nodesById.get(id);
    if (before) {
      const message = `is the id of nodes[${before.index}] as well`;
      issues.push({ field: `${prefix}nodes[${index}].id`, message });
    } else {
      nodesById.set(id, {
        id,
        index,
        nodeType: kind,
        config: isUncheckedObject(config) ? config : {},
        hasEach: node['each'] !== undefined,
      });
    }
  }
  return { nodesById, issues };
}

/** Longer ids are refused already, so they are not searched. */
const MAX_CHECKED_ID = 100;

/** Results of rounds are stored as `loop[3].inner`, with `each` as `node[3]`; other nodes may not use such ids. */
function roundIdIssues(nodesById: Map<string, KnownNode>, prefix: string): FieldIssue[] {
  return [...nodesById.values()].flatMap(({ id, index }) => {
    const loop = id.length > MAX_CHECKED_ID ? undefined : findLoopOfId(id, nodesById);
    return loop
      ? [{ field: `${prefix}nodes[${index}].id`, message: `looks like the id of a round of nodes[${loop.index}]` }]
      : [];
  });
}

/** The loop whose rounds would use ids that begin like this one. */
function findLoopOfId(id: string, nodesById: Map<string, KnownNode>): KnownNode | undefined {
  for (const { index, 0: round } of id.matchAll(/\[\d+\](\.|(?=\[)|$)/g)) {
    const known = nodesById.get(id.slice(0, index));
    const isLoop = round.endsWith('.') && known?.nodeType && runsInRounds(known.nodeType.type);
    if (known?.hasEach || isLoop) return known;
  }
  return undefined;
}

function connectionEndIssues(connection: NodeConnection, nodesById: Map<string, KnownNode>, at: string): FieldIssue[] {
  const issues: FieldIssue[] = [];
  const source = nodesById.get(connection.sourceNode);
  const target = nodesById.get(connection.targetNode);
  if (!source) issues.push({ field: `${at}.sourceNode`, message: 'no node has this id' });
  if (!target) issues.push({ field: `${at}.targetNode`, message: 'no node has this id' });
  if (source?.nodeType && !knownOutputPorts(source).has(connection.sourcePort)) {
    issues.push({ field: `${at}.sourcePort`, message: `${source.nodeType.type} has no such output port` });
  }
  if (target?.nodeType && !(target.nodeType.hasInput && connection.targetPort === 'input')) {
    issues.push({ field: `${at}.targetPort`, message: `${target.nodeType.type} has no such input port` });
  }
  return issues;
}

/** The remaining budget of one check: nodes, and issues to report. */
class CheckBudget {
  nodes = MAX_WORKFLOW_NODES;
  private readonly yieldTimer = new YieldTimer();
  private issues = 0;

  /** Whether the limit of issues is reached. */
  get isSpent(): boolean {
    return this.issues >= MAX_REPORTED_ISSUES;
  }

  /** Counts issues. Yields between parts, because a definition may be large. */
  async count(issues: FieldIssue[]): Promise<FieldIssue[]> {
    this.issues += issues.length;
    if (this.yieldTimer.isDue) await this.yieldTimer.take();
    return issues;
  }
}

async function connectionIssues(
  connections: unknown[],
  nodesById: Map<string, KnownNode>,
  prefix: string,
  budget: CheckBudget,
): Promise<FieldIssue[]> {
  const issues: FieldIssue[] = [];
  const firstIndex = new Map<string, number>();
  const edges: { index: number; source: string; target: string }[] = [];
  for (const [index, value] of connections.entries()) {
    if (budget.isSpent) return issues;
    const at = `${prefix}connections[${index}]`;
    const parsed = NodeConnection.safeParse(value, { error: explainMissingValue });
    if (!parsed.success) {
      issues.push(...(await budget.count(toFieldErrors(parsed.error, [`${prefix}connections`, index]))));
      continue;
    }
    const { sourceNode, sourcePort, targetNode, targetPort } = parsed.data;
    issues.push(...(await budget.count(connectionEndIssues(parsed.data, nodesById, at))));
    const key = JSON.stringify([sourceNode, sourcePort, targetNode, targetPort]);
    const twin = firstIndex.get(key);
    if (twin !== undefined) issues.push({ field: at, message: `is the same as connections[${twin}]` });
    else firstIndex.set(key, index);
    if (nodesById.has(sourceNode) && nodesById.has(targetNode))
      edges.push({ index, source: sourceNode, target: targetNode });
  }
  for (const { index, path } of findCycles(edges, MAX_REPORTED_CYCLES)) {
    issues.push({ field: `${prefix}connections[${index}]`, message: `makes a cycle: ${shortenPath(path)}` });
  }
  return issues;
}

const shortenPath = (path: string[]): string =>
  (path.length > MAX_CYCLE_PATH ? [...path.slice(0, MAX_CYCLE_PATH - 2), '…', ...path.slice(-2)] : path).join(' → ');

/** `prefix` is empty, or the path of the config field with the inner definition, followed by a dot. */
async function issuesAtPrefix(
  value: unknown,
  prefix: string,
  budget: CheckBudget,
  checks: ContentChecks,
): Promise<FieldIssue[]> {
  if (!isUncheckedObject(value)) return [{ field: prefix.slice(0, -1) || 'definition', message: 'must be an object' }];
  const { nodes, connections, notes, groups } = value;
  const unknown = Object.keys(value).filter((key) => !DEFINITION_FIELDS.has(key));
  const found = [
    ...languageIssues(value, prefix),
    ...unknown
      .slice(0, MAX_REPORTED_ISSUES)
      .map((key) => ({ field: `${prefix}${key}`, message: 'is not a known field' })),
    ...wholeListIssues(`${prefix}nodes`, nodes, budget.nodes),
    ...wholeListIssues(`${prefix}connections`, connections, MAX_WORKFLOW_CONNECTIONS),
  ];
  if (!Array.isArray(nodes) || nodes.length > budget.nodes) return found;
  budget.nodes -= nodes.length;
  const { nodesById, issues } = collectKnownNodes(nodes, prefix);
  for (const [index, node] of nodes.entries()) {
    if (!budget.isSpent) found.push(...(await budget.count(definitionNodeIssues(node, index, prefix, checks))));
  }
  found.push(...issues, ...roundIdIssues(nodesById, prefix));
  if (Array.isArray(connections) && connections.length <= MAX_WORKFLOW_CONNECTIONS) {
    found.push(...(await connectionIssues(connections, nodesById, prefix, budget)));
  }
  const places = new Map([...nodesById].map(([id, { index }]) => [id, index]));
  found.push(...(await budget.count(annotationIssues({ notes, groups }, places, prefix))));
  for (const { nodeType: kind, config, index } of nodesById.values()) {
    if (budget.isSpent || !kind?.inner || config[kind.inner] === undefined) continue;
    const at = `${prefix}nodes[${index}].config.${kind.inner}.`;
    found.push(...(await issuesAtPrefix(config[kind.inner], at, budget, checks)));
  }
  return found;
}

async function collectIssues(value: unknown, checks: ContentChecks): Promise<FieldIssue[]> {
  const tooLong = listLengthIssues(value);
  if (tooLong.length > 0) return tooLong;
  if (await isNestedDeeper(value, MAX_WORKFLOW_DEPTH))
    return [{ field: 'definition', message: `is nested deeper than ${MAX_WORKFLOW_DEPTH} levels` }];
  if (Buffer.byteLength(JSON.stringify(value) ?? '') > MAX_WORKFLOW_BYTES) {
    return [{ field: 'definition', message: 'is larger than 1 MiB' }];
  }
  return (await issuesAtPrefix(value, '', new CheckBudget(), checks)).slice(0, MAX_REPORTED_ISSUES);
}

/**
 * Every issue for which a definition is refused, all at once (1,000 at most): wrong shapes and unknown fields, unknown
 * types, duplicate ids, edges to missing nodes or in a cycle, config of the wrong type, invalid expressions, invalid
 * schemas. A draft may lack parts; see readinessIssues. Accepts any value, never throws.
 */
export async function definitionIssues(value: unknown, purpose: EvaluationContext): Promise<FieldIssue[]> {
  const dialect = readWrittenDialect(value);
  const contents = new ContentCollector(dialect);
  const issues = await collectIssues(value, contents);
  if (contents.schemas.size + contents.texts.size === 0) return issues;
  if (contents.schemas.size === 0 && contents.size <= MAX_PARSED_IN_PROCESS)
    return collectIssues(value, createInProcessChecks(dialect));
  try {
    return await collectIssues(value, await checkInEvaluators(contents, purpose));
  } catch (error) {
    if (!(error instanceof EvaluationFailedError)) throw error;
    return [...issues, { field: 'definition', message: `cannot be checked: ${error.message}` }];
  }
}
