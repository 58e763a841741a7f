import type { WorkflowNode } from '@/contract/workflows/workflow';
import { cutWellFormed, type N8nNode } from '../file';
import { readNodeSources } from './node-sources';

/** Nodes with names of their own: what is added gives way to what n8n named, which expressions look for. */
export function nameApart(nodes: readonly WorkflowNode[]): WorkflowNode[] {
  const used = new Set<string>();
  return nodes.map((node) => {
    const wanted = node.name ?? node.id;
    let name = wanted;
    for (let count = 2; used.has(name); count += 1) name = `${cutWellFormed(wanted, 190)} ${count}`;
    used.add(name);
    return name === node.name ? node : { ...node, name };
  });
}

/** How a node is read by its name: in quotes, or after a dot. */
const NODE_READS =
  /\$(?:\(|node\s*\[|items\()\s*(?:"((?:[^"\\]|\\.){0,500})"|'((?:[^'\\]|\\.){0,500})'|`((?:[^`\\]|\\.){0,500})`)|\$node\.([A-Za-z_$][\w$]*)/g;

/** Names that are computed: what is read is no text in quotes alone. */
const COMPUTED_NAME =
  /\$(?:\(|node\s*\[|items\()(?!\s*(?:\)|"(?:[^"\\]|\\.){0,500}"\s*[)\],]|'(?:[^'\\]|\\.){0,500}'\s*[)\],]|`(?:[^`\\$]|\\.){0,500}`\s*[)\],]))/;

/** What the expressions of a node read by names. */
interface NamedReads {
  names: ReadonlySet<string>;
  /** A name is computed: it may be any. */
  isComputed: boolean;
}

const namedReads = new WeakMap<N8nNode, NamedReads>();

function findNamedReads(node: N8nNode): NamedReads {
  const known = namedReads.get(node);
  if (known) return known;
  const sources = readNodeSources(node);
  const found = [...sources.matchAll(NODE_READS)].map(([, ...names]) =>
    (names.find((name) => name !== undefined) ?? '').replaceAll(/\\(.)/g, '$1'),
  );
  const reads = { names: new Set(found), isComputed: COMPUTED_NAME.test(sources) };
  namedReads.set(node, reads);
  return reads;
}

/** The nodes that the expressions of a node read by their names, of those with these names. */
export function findNamedNodes(node: N8nNode, names: readonly string[]): string[] {
  const read = findNamedReads(node).names;
  return read.size === 0 ? [] : names.filter((name) => read.has(name));
}

/** Whether the expressions of a node read another one by a name that is computed. */
export const readsComputedName = (node: N8nNode): boolean => findNamedReads(node).isComputed;

/** Whether the expressions of a node read another one by its name, or may do so. */
export const readsNode = (node: N8nNode, name: string): boolean =>
  readsComputedName(node) || findNamedReads(node).names.has(name);
