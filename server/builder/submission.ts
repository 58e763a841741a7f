import { z } from 'zod';
import type { FieldError } from '@/contract/error';
import type { Connection, Definition, Node } from '@/contract/workflows/workflow';
import { explain, fieldErrors } from '@/server/errors/zod-issues';
import { kindOf } from '@/server/nodes';
import { reveal } from './hidden';
import { placed, type UnplacedGraph } from './places';

/** Characters of the arguments of a call, and levels of nesting in them. */
const MAX_ARGUMENTS = 512 * 1024;
const MAX_DEPTH = 60;
const MAX_NODES = 300;

/** A node as a model writes it. Its place is not the model's to choose. */
const SubmittedNode = z.object({
  id: z.string().min(1).max(100),
  type: z.string().min(1).max(100),
  config: z.record(z.string(), z.unknown()).default({}),
  name: z.string().max(200).optional(),
  notes: z.string().max(10_000).optional(),
  disabled: z.boolean().optional(),
  retry: z.unknown().optional(),
  timeoutMs: z.number().optional(),
  repeatable: z.boolean().optional(),
  credentialId: z.string().max(100).nullish(),
});
type SubmittedNode = z.output<typeof SubmittedNode>;

const Submission = z.object({
  nodes: z.array(SubmittedNode).max(MAX_NODES).default([]),
  removed: z.array(z.string().max(100)).max(2000).default([]),
  connections: z.array(z.record(z.string(), z.unknown())).max(4000),
  summary: z.string().max(10_000).default(''),
});
type Submission = z.output<typeof Submission>;

/** The arguments of a call as data, or why they are none: what a model writes is not trusted. */
export function argumentsOf(json: string): { value: unknown } | { problem: string } {
  if (json.length > MAX_ARGUMENTS) return { problem: `The arguments are longer than ${MAX_ARGUMENTS} characters.` };
  try {
    const value: unknown =
      json.trim() === '' ? {} : JSON.parse(json, (key, inner: unknown) => (key === '__proto__' ? undefined : inner));
    return isTooDeep(value) ? { problem: `The arguments are nested deeper than ${MAX_DEPTH} levels.` } : { value };
  } catch {
    return { problem: 'The arguments are not JSON. If they were cut off, submit fewer nodes.' };
  }
}

/** Iterative: hostile nesting would overflow the stack. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}

/** A submission as a definition, and what is left for a person to do. */
export interface Built {
  definition: Definition;
  summary: string;
  /** Paths inside the definition. */
  problems: FieldError[];
}

/** What a submission is read against. */
interface Ground {
  before: Definition;
  /** Ids of credentials that a node may name. */
  credentialIds: ReadonlySet<string>;
}

/**
 * A submission with what was there before: nodes that it does not name stay as they are. Credentials that a model invents are removed and
 * reported. The definition still has to be validated.
 */
export function build(value: unknown, { before, credentialIds }: Ground): Built | { issues: FieldError[] } {
  const parsed = Submission.safeParse(value, { error: explain });
  if (!parsed.success) return { issues: fieldErrors(parsed.error) };
  const { nodes, removed, connections, summary } = parsed.data;
  const given = new Map(nodes.map((node) => [node.id, node]));
  if (given.size < nodes.length) return { issues: [{ field: 'nodes', message: 'two nodes have the same id' }] };
  const kept = before.nodes.filter(({ id }) => !removed.includes(id) && !given.has(id));
  const order = new Map(before.nodes.map(({ id }, index) => [id, index]));
  const placeOf = ({ id }: { id: string }) => order.get(id) ?? Infinity;
  const all = [...kept, ...nodes].toSorted((one, other) => Math.sign(placeOf(one) - placeOf(other)) || 0);
  const graph = { nodes: all, connections: connections as Connection[] } as UnplacedGraph;
  const definition = withAnnotations(placed(graph, before), before);
  const problems: FieldError[] = [];
  const old = new Map(before.nodes.map((node) => [node.id, node]));
  definition.nodes = definition.nodes.map((node, index) => {
    if (!given.has(node.id)) return node;
    return cleaned(node, old.get(node.id), `nodes[${index}]`, { credentialIds, problems });
  });
  return { definition, summary, problems };
}

interface Cleaning {
  credentialIds: ReadonlySet<string>;
  problems: FieldError[];
}

/**
 * A node of a model with the settings and secrets that it had, without credentials that do not exist, and the same for the nodes inside it.
 */
function cleaned(node: Node, before: Node | undefined, at: string, cleaning: Cleaning): Node {
  const { credentialId, ...rest } = node as Node & Pick<SubmittedNode, 'credentialId'>;
  const { credentialIds, problems } = cleaning;
  const isKnown = credentialId != null && (credentialIds.has(credentialId) || before?.credentialId === credentialId);
  if (credentialId != null && !isKnown) problems.push({ field: `${at}.credentialId`, message: 'needs a credential' });
  const { inner } = kindOf(node.type) ?? {};
  const config = Object.fromEntries(
    Object.entries(node.config).map(([name, value]) => {
      const [path, old] = [`${at}.config.${name}`, before?.config[name]];
      if (name === inner) return [name, cleanedList(value, old, `${path}.nodes`, 'nodes', cleaning)];
      if (name === 'tools')
        return [name, cleanedList({ tools: value }, { tools: old }, path, 'tools', cleaning)['tools']];
      return [name, reveal(value, old, path, problems, name)];
    }),
  );
  const settings: Partial<Node> = before?.type === node.type ? { ...before } : {};
  // Null removes it.
  if (credentialId !== undefined) delete settings.credentialId;
  return { ...settings, ...rest, ...(isKnown ? { credentialId } : {}), config };
}

type Bag = Record<string, unknown>;
const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Nodes, or tools of an agent, in the config of a node. Anything else is left to the validation. */
function cleanedList(value: unknown, before: unknown, at: string, field: string, cleaning: Cleaning): Bag {
  if (!isBag(value)) return value as Bag;
  const list: unknown = value[field];
  if (!Array.isArray(list)) return value;
  const known = isBag(before) && Array.isArray(before[field]) ? before[field].filter(isBag) : [];
  const keyOf = ({ id, name }: Bag) => id ?? name;
  const items = list.map((item: unknown, index): unknown => {
    if (!isBag(item) || !isBag(item['config'])) return item;
    const old = known.find((one) => keyOf(one) === keyOf(item) && isBag(one['config']));
    return cleaned(item as unknown as Node, old as unknown as Node | undefined, `${at}[${index}]`, cleaning);
  });
  return { ...value, [field]: items };
}

/** Notes stay, and groups with the nodes that they still have. */
function withAnnotations(definition: Definition, { notes, groups }: Definition): Definition {
  const ids = new Set(definition.nodes.map(({ id }) => id));
  const left = (groups ?? []).flatMap((group) => {
    const nodeIds = group.nodeIds.filter((id) => ids.has(id));
    return nodeIds.length > 0 ? [{ ...group, nodeIds }] : [];
  });
  return { ...definition, ...(notes ? { notes } : {}), ...(left.length > 0 ? { groups: left } : {}) };
}
