import type { WorkflowNode } from '@/contract/workflows/workflow';
import { isDrawableDefinition } from '../drawable';

/** All texts in a value, at any depth. */
const collectTexts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectTexts) : [];
};

/** The ids of nodes that a node's expressions refer to: `nodes.fetch`, or quoted in backticks or brackets. */
export const mentionedNodeIds = ({ config, each }: WorkflowNode): Set<string> =>
  new Set(
    collectTexts([config, each]).flatMap((text) =>
      [...text.matchAll(/\bnodes(?:\?\.|\.)?(?:`([^`]+)`|([\w$]+)|\[\s*["']([^"']+)["'])/g)].map(
        ([, quoted, plain, inBrackets]) => quoted ?? plain ?? inBrackets ?? '',
      ),
    ),
  );

/** Whether a node's expressions refer to `execution`. */
export const mentionsExecution = ({ config, each }: WorkflowNode): boolean =>
  collectTexts([config, each]).some((text) => /\bexecution\.\w/.test(text));

/** The ids of nodes, including those inside loops. */
export function nestedNodeIds(nodes: WorkflowNode[]): Set<string> {
  const inner = nodes.flatMap(({ config }) =>
    isDrawableDefinition(config.body) ? [...nestedNodeIds(config.body.nodes)] : [],
  );
  return new Set([...nodes.map(({ id }) => id), ...inner]);
}
