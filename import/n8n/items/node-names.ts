import type { WorkflowNode } from '@/contract/workflows/workflow';
import { cutWellFormed, type N8nNode } from '../file';

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

/** The nodes that the expressions of a node read by their names, of those with these names. */
export function findNamedNodes({ parameters }: N8nNode, names: Iterable<string>): string[] {
  const text = JSON.stringify(parameters);
  if (!/\$\(|\$node\b|\$items\b/.test(text)) return [];
  const isNamed = (name: string) =>
    ['"', "'", '`'].some((quote) => {
      const written = JSON.stringify(`${quote}${name}${quote}`).slice(1, -1);
      return text.includes(`$(${written}`) || text.includes(`$node[${written}`) || text.includes(`$items(${written}`);
    }) || text.includes(`$node.${name}`);
  return [...names].filter((name) => name !== '' && isNamed(name));
}
