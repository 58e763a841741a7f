import type { Node } from '@/contract/workflows/workflow';
import { isDrawable } from '../drawable';

/** All texts in a value, at any depth. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** The ids of nodes that a node's expressions refer to: `nodes.fetch`, or quoted in backticks. */
export const mentionsIn = ({ config }: Node): Set<string> =>
  new Set(
    textsIn(config).flatMap((text) =>
      [...text.matchAll(/\bnodes\.(?:`([^`]+)`|(\w+))/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
    ),
  );

/** Whether a node's expressions refer to `execution`. */
export const readsExecution = ({ config }: Node): boolean =>
  textsIn(config).some((text) => /\bexecution\.\w/.test(text));

/** The ids of nodes, including those inside loops. */
export function idsWithin(nodes: Node[]): Set<string> {
  const inner = nodes.flatMap(({ config }) => (isDrawable(config.body) ? [...idsWithin(config.body.nodes)] : []));
  return new Set([...nodes.map(({ id }) => id), ...inner]);
}
