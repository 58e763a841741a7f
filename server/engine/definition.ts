import type { FieldError } from '@/contract/error';
import { Connection, Node, type Definition } from '@/contract/workflow';
import { explain, fieldErrors } from '../api/zod-issues';
import { kindOf, outputsOf } from '../nodes';
import type { NodeKind } from '../nodes/node';
import { annotationIssues } from './annotations';
import { configIssues } from './config';
import { cycles } from './cycles';
import { listIssue } from './list-issue';

const MAX_NODES = 2000;
const MAX_CONNECTIONS = 10_000;
const MAX_BYTES = 1024 * 1024;
const MAX_DEPTH = 200;
const FIELDS = new Set(['nodes', 'connections', 'notes', 'groups']);

type Bag = Record<string, unknown>;
const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);

/** True when a value is nested deeper than anybody draws. Not recursive: hostile nesting would overflow the stack. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}

/** A node as far as it can be understood. */
interface Known {
  id: string;
  index: number;
  kind: NodeKind | undefined;
  config: Bag;
}

function nodeIssues(value: unknown, index: number, prefix: string): FieldError[] {
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
  if (typeof value['credentialId'] === 'string' && kind.credentialTypes.length === 0) {
    issues.push({ field: `${at}.credentialId`, message: `${kind.type} takes no credential` });
  }
  if (value['repeatable'] === false && isBag(value['retry']) && value['retry']['maxAttempts'] !== 1) {
    issues.push({ field: `${at}.retry`, message: 'what is not repeatable can not be tried again' });
  }
  return isBag(value['config']) ? [...issues, ...configIssues(kind, value['config'], `${at}.config`)] : issues;
}

function knownNodes(nodes: unknown[], prefix: string): { known: Map<string, Known>; issues: FieldError[] } {
  const known = new Map<string, Known>();
  const issues: FieldError[] = [];
  for (const [index, node] of nodes.entries()) {
    if (!isBag(node) || typeof node['id'] !== 'string') continue;
    const { id, type, config } = node;
    const kind = typeof type === 'string' ? kindOf(type) : undefined;
    const before = known.get(id);
    if (before) {
      const message = `is the id of nodes[${before.index}] as well`;
      issues.push({ field: `${prefix}nodes[${index}].id`, message });
    } else {
      known.set(id, { id, index, kind, config: isBag(config) ? config : {} });
    }
  }
  return { known, issues };
}

/** Results of rounds are kept as `loop[3].inner`; no other node may be called so. */
function roundIssues(known: Map<string, Known>, prefix: string): FieldError[] {
  const loops = [...known.values()].filter(({ kind }) => kind?.inner);
  return [...known.values()].flatMap(({ id, index }) => {
    const loop = loops.find((one) => id.startsWith(`${one.id}[`) && /^\[\d+\]\./.test(id.slice(one.id.length)));
    return loop
      ? [{ field: `${prefix}nodes[${index}].id`, message: `reads like a node inside nodes[${loop.index}]` }]
      : [];
  });
}

function endIssues(connection: Connection, known: Map<string, Known>, at: string): FieldError[] {
  const issues: FieldError[] = [];
  const source = known.get(connection.sourceNode);
  const target = known.get(connection.targetNode);
  if (!source) issues.push({ field: `${at}.sourceNode`, message: 'no node has this id' });
  if (!target) issues.push({ field: `${at}.targetNode`, message: 'no node has this id' });
  if (source?.kind && !outputsOf(source.kind, source.config).includes(connection.sourcePort)) {
    issues.push({ field: `${at}.sourcePort`, message: `${source.kind.type} has no such output port` });
  }
  if (target?.kind && !(target.kind.hasInput && connection.targetPort === 'input')) {
    issues.push({ field: `${at}.targetPort`, message: `${target.kind.type} has no such input port` });
  }
  return issues;
}

function connectionIssues(connections: unknown[], known: Map<string, Known>, prefix: string): FieldError[] {
  const issues: FieldError[] = [];
  const seen = new Map<string, number>();
  const edges: { index: number; source: string; target: string }[] = [];
  for (const [index, value] of connections.entries()) {
    const at = `${prefix}connections[${index}]`;
    const parsed = Connection.safeParse(value, { error: explain });
    if (!parsed.success) {
      issues.push(...fieldErrors(parsed.error, [`${prefix}connections`, index]));
      continue;
    }
    const { sourceNode, sourcePort, targetNode, targetPort } = parsed.data;
    issues.push(...endIssues(parsed.data, known, at));
    const key = JSON.stringify([sourceNode, sourcePort, targetNode, targetPort]);
    const twin = seen.get(key);
    if (twin !== undefined) issues.push({ field: at, message: `is the same as connections[${twin}]` });
    else seen.set(key, index);
    if (known.has(sourceNode) && known.has(targetNode)) edges.push({ index, source: sourceNode, target: targetNode });
  }
  for (const { index, path } of cycles(edges)) {
    issues.push({ field: `${prefix}connections[${index}]`, message: `makes a cycle: ${path.join(' → ')}` });
  }
  return issues;
}

/** `prefix` is empty, or the path of the config field that holds an inner definition, with a dot at its end. */
function issuesWithin(value: unknown, prefix: string, budget: { nodes: number }): FieldError[] {
  if (!isBag(value)) return [{ field: prefix.slice(0, -1) || 'definition', message: 'must be an object' }];
  const { nodes, connections, notes, groups } = value;
  const shape = [
    ...Object.keys(value)
      .filter((key) => !FIELDS.has(key))
      .map((key) => ({ field: `${prefix}${key}`, message: 'is not a known field' })),
    ...listIssue(`${prefix}nodes`, nodes, budget.nodes),
    ...listIssue(`${prefix}connections`, connections, MAX_CONNECTIONS),
  ];
  if (!Array.isArray(nodes) || nodes.length > budget.nodes) return shape;
  budget.nodes -= nodes.length;
  const { known, issues } = knownNodes(nodes, prefix);
  const hasConnections = Array.isArray(connections) && connections.length <= MAX_CONNECTIONS;
  return [
    ...shape,
    ...nodes.flatMap((node, index) => nodeIssues(node, index, prefix)),
    ...issues,
    ...roundIssues(known, prefix),
    ...(hasConnections ? connectionIssues(connections, known, prefix) : []),
    ...annotationIssues({ notes, groups }, new Map([...known].map(([id, { index }]) => [id, index])), prefix),
    ...[...known.values()].flatMap(({ kind, config, index }) =>
      kind?.inner && config[kind.inner] !== undefined
        ? issuesWithin(config[kind.inner], `${prefix}nodes[${index}].config.${kind.inner}.`, budget)
        : [],
    ),
  ];
}

/**
 * Everything for which a definition is refused, all at once: wrong shapes and unknown fields, unknown types, duplicate
 * ids, connections that lead nowhere or in a circle, config of the wrong type, expressions that do not parse. What is
 * merely missing is a draft's good right; see readinessIssues. Takes any value, never throws.
 */
export function definitionIssues(value: unknown): FieldError[] {
  if (isTooDeep(value)) return [{ field: 'definition', message: `is nested deeper than ${MAX_DEPTH} levels` }];
  if (Buffer.byteLength(JSON.stringify(value) ?? '') > MAX_BYTES) {
    return [{ field: 'definition', message: 'is larger than 1 MiB' }];
  }
  return issuesWithin(value, '', { nodes: MAX_NODES });
}

function readinessWithin({ nodes }: Definition, prefix: string): FieldError[] {
  const hasStart = nodes.some(({ type, disabled }) => kindOf(type)?.hasInput === false && !disabled);
  const issues = hasStart ? [] : [{ field: `${prefix}nodes`, message: 'a start node is needed' }];
  for (const [index, { type, config, disabled }] of nodes.entries()) {
    const kind = kindOf(type);
    if (!kind || disabled) continue;
    const at = `${prefix}nodes[${index}].config.`;
    const missing = kind.required.filter(
      (field) => config[field] === undefined || config[field] === '' || config[field] === null,
    );
    issues.push(...missing.map((field) => ({ field: `${at}${field}`, message: 'is required' })));
    issues.push(...(kind.gaps?.(config) ?? []).map(({ field, message }) => ({ field: `${at}${field}`, message })));
    const inner = kind.inner && config[kind.inner];
    if (inner) issues.push(...readinessWithin(inner as Definition, `${at}${kind.inner}.`));
  }
  return issues;
}

/**
 * What a definition lacks to be activated or run: a start node (several are fine: a run begins at each), required
 * config. Disabled nodes pass their input on and need nothing. Expects a definition without definitionIssues.
 */
export const readinessIssues = (definition: Definition): FieldError[] => readinessWithin(definition, '');

/** Whether a node of this id, or a path such as `loop[3].inner` to one, is in a definition inside this one. */
export const isInside = (definition: Definition, idOrPath: string): boolean =>
  definition.nodes.some(({ type, config }) => {
    const inner = kindOf(type)?.inner;
    const body = inner ? (config[inner] as Definition | undefined) : undefined;
    return body !== undefined && (body.nodes.some(({ id }) => id === idOrPath) || isInside(body, idOrPath));
  }) || namesNode(definition, idOrPath);

const ROUND = /^\[\d+\]\./;

/** Whether a path such as `loop[3].inner` can lead to a node of a definition, reached or not. */
export const namesNode = ({ nodes }: Definition, path: string): boolean =>
  nodes.some(({ id, type, config }) => {
    if (id === path) return true;
    const inner = kindOf(type)?.inner;
    const round = inner && path.startsWith(id) ? ROUND.exec(path.slice(id.length)) : null;
    const body = inner ? (config[inner] as Definition | undefined) : undefined;
    return round !== null && body !== undefined && namesNode(body, path.slice(id.length + round[0].length));
  });
