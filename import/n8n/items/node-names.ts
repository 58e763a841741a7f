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

const namedNodes = new WeakMap<N8nNode, ReadonlySet<string>>();

function readNamedNodes(node: N8nNode): ReadonlySet<string> {
  const known = namedNodes.get(node);
  if (known) return known;
  const found = [...readNodeSources(node).matchAll(NODE_READS)].map(([, ...names]) =>
    (names.find((name) => name !== undefined) ?? '').replaceAll(/\\(.)/g, '$1'),
  );
  const names = new Set(found);
  namedNodes.set(node, names);
  return names;
}

/** The nodes that the expressions of a node read by their names, of those with these names. */
export function findNamedNodes(node: N8nNode, names: readonly string[]): string[] {
  const read = readNamedNodes(node);
  return read.size === 0 ? [] : names.filter((name) => read.has(name));
}

/** Names that are computed. */
const COMPUTED_NAME = /\$(?:\(|node\s*\[|items\()\s*[^\s"'`)]/;

/** Whether the expressions of a node read another one by its name, or may do so. */
export const readsNode = (node: N8nNode, name: string): boolean =>
  readNamedNodes(node).has(name) || COMPUTED_NAME.test(readNodeSources(node));
