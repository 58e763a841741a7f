import type { FieldIssue } from '@/contract/error-response';

interface NamedNode {
  id?: unknown;
  name?: unknown;
  config?: Record<string, unknown> | null;
}
const asNodes = (value: unknown): NamedNode[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];

/** With a prelude, expressions find nodes by their names: no two nodes of a level may have the same. */
export function repeatedNameIssues(definition: Record<string, unknown>, prefix: string): FieldIssue[] {
  const places = new Map<string, number>();
  return asNodes(definition['nodes']).flatMap((node, index): FieldIssue[] => {
    const name = String(node.name ?? node.id);
    const before = places.get(name);
    if (before === undefined) places.set(name, index);
    const repeated =
      before === undefined
        ? []
        : [
            {
              field: `${prefix}nodes[${index}].name`,
              message: `is the name of nodes[${before}] as well: with a prelude, nodes are found by their names`,
            },
          ];
    const body = node.config?.['body'];
    const inner =
      typeof body === 'object' && body !== null
        ? repeatedNameIssues(body as Record<string, unknown>, `${prefix}nodes[${index}].config.body.`)
        : [];
    return [...repeated, ...inner];
  });
}
