import type { Node } from '@/contract/workflow';
import { isDrawable } from './drawable';

/** The texts in a value, at whatever depth. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** The ids of nodes whose outputs a node speaks of: `nodes.fetch`, or in backticks what isn't a plain word. */
export const mentionsIn = ({ config }: Node): Set<string> =>
  new Set(
    textsIn(config).flatMap((text) =>
      [...text.matchAll(/\bnodes\.(?:`([^`]+)`|(\w+))/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
    ),
  );

/** Whether a node speaks of the run that it is in. */
export const speaksOfRun = ({ config }: Node): boolean => textsIn(config).some((text) => /\bexecution\.\w/.test(text));

/** The ids of these nodes, and of those inside their loops. */
export function idsWithin(nodes: Node[]): Set<string> {
  const inner = nodes.flatMap(({ config }) => (isDrawable(config.body) ? [...idsWithin(config.body.nodes)] : []));
  return new Set([...nodes.map(({ id }) => id), ...inner]);
}
