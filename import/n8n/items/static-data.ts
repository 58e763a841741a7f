import type { WorkflowNode } from '@/contract/workflows/workflow';
import { cutWellFormed } from '../file';
import type { ItemConversion, ItemNodes } from './item-conversion';
import { connectNodes } from './connect-nodes';

/** Its name in code, and those in the nodes before that one. */
const STATIC_DATA_CALL = /\$getWorkflowStaticData\(\s*(?:['"`](\w*)['"`]\s*)?\)/g;
const FORMER_STATIC_DATA_CALL = /(?<![\w$.])(?:this\.)?getWorkflowStaticData(?=\()/g;

/** The code of a function node with the name that code nodes have for the data that is kept. */
export const nameStaticData = (source: string): string =>
  source.replaceAll(FORMER_STATIC_DATA_CALL, () => '$getWorkflowStaticData');

/** Whose data code keeps between runs: that of the whole workflow, or of the node; undefined: of both, or it is computed. */
export function readStaticDataScope(source: string): 'global' | 'node' | undefined {
  const calls = [...source.matchAll(STATIC_DATA_CALL)];
  const scopes = new Set(calls.map(([, scope = '']) => scope));
  const isPlain = source.split('$getWorkflowStaticData').length - 1 === calls.length;
  const [only] = scopes;
  return isPlain && scopes.size === 1 && (only === 'global' || only === 'node') ? only : undefined;
}

/**
 * Code that keeps data between runs: the data is read before it, and stored behind it, before its items go on. `body`:
 * the statements of the code.
 */
export function convertCodeWithStaticData(
  conversion: ItemConversion,
  scope: 'global' | 'node',
  body: string,
): ItemNodes {
  const { id, node, createId } = conversion;
  const [items = '', kept = '', code = '', store = ''] = ['items', 'kept', 'code', 'store'].map((word) =>
    createId(`${id}_${word}`),
  );
  conversion.remarkFailureBefore();
  conversion.addRemark(
    'What it keeps has at most 64 KiB, and begins empty. Its items cannot be traced to those before it.',
  );
  const name = cutWellFormed(node.name.replaceAll(/[{}]/g, ''), 180);
  const key = scope === 'global' ? 'n8n static data' : `n8n static data ${name}`;
  const source = [
    `n8n.useItems(nodes.${items});`,
    ...(node.executesOnce ? ['n8n.useFirstItem();'] : []),
    `const $kept = n8n.keptData(nodes.${kept});`,
    'const $getWorkflowStaticData = () => $kept;',
    `return n8n.withKept($kept, await (async () => {\n${body}\n})());`,
  ].join('\n');
  const whole = (own: string, word: string, type: string, config: Record<string, unknown>, place: number) => {
    const { each: _, ...made } = conversion.createHelper(own, word, { type, config }, place);
    return made;
  };
  const given = `n8n.keptItems(nodes.${code})`;
  const made: WorkflowNode = conversion.createNode(id, {
    type: 'transform',
    config: { expression: node.alwaysOutputsData ? `n8n.orEmpty(${given})` : given },
  });
  return {
    nodes: [
      whole(items, 'items', 'transform', { expression: 'input' }, -3),
      whole(kept, 'kept', 'remember', { operation: 'get', key }, -3),
      whole(code, 'code', 'code', { source }, -2),
      whole(store, 'store', 'remember', { operation: 'set', key, value: `{{ nodes.${code}[0].kept }}` }, -1),
      made,
    ],
    connections: [
      connectNodes(items, kept),
      connectNodes(items, code),
      connectNodes(kept, code),
      connectNodes(code, store),
      connectNodes(store, id),
    ],
    entries: [items],
    outputs: [[{ node: id, port: 'output' }]],
  };
}
