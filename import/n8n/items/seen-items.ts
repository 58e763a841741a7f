import type { WorkflowNode } from '@/contract/workflows/workflow';
import { asN8nObject, cutWellFormed } from '../file';
import type { ItemConversion, ItemNodes } from './item-conversion';
import { connectNodes } from './connect-nodes';

/** Whether a node compares its items with those of earlier runs, by a value of each. */
export const comparesWithEarlierRuns = ({ node: { parameters } }: ItemConversion): boolean =>
  parameters['operation'] === 'removeItemsSeenInPreviousExecutions' &&
  (parameters['logic'] ?? 'removeItemsWithAlreadySeenKeyValues') === 'removeItemsWithAlreadySeenKeyValues';

/** Items whose value was not seen in a run before, and behind the second output the others. */
export function convertSeenItems(conversion: ItemConversion): ItemNodes {
  const { id, node, createId } = conversion;
  const { dedupeValue = '', options } = node.parameters;
  const { scope = 'node', historySize } = asN8nObject(options);
  const [items = '', call = '', others = ''] = ['items', 'call', 'discarded'].map((word) => createId(`${id}_${word}`));
  conversion.addTodo('Check its items: of equal values in one run, too, it keeps the first.');
  conversion.remarkFailureBefore();
  conversion.addRemark('It begins without the values that n8n has seen.');
  if (historySize !== undefined) conversion.addRemark('It forgets no values: enter a time to live if there are many.');
  const name = cutWellFormed(node.name.replaceAll(/[{}]/g, ''), 180);
  const config = {
    operation: 'seen',
    key: scope === 'workflow' ? 'n8n' : `n8n ${name}`,
    items: `[String(${conversion.code(dedupeValue)})]`,
  };
  const isNew = 'input.length > 0';
  const made = conversion.eachNode(
    { type: 'transform', config: { expression: `${isNew} ? [paired.${items}] : []` } },
    ['output'],
    true,
  );
  const discarded: WorkflowNode = {
    ...conversion.createHelper(others, 'discarded', {
      type: 'transform',
      config: { expression: `${isNew} ? [] : [paired.${items}]` },
    }),
    each: { flatten: true },
  };
  const before = conversion.createItemsNode(items);
  return {
    nodes: [before, conversion.createHelper(call, 'call', { type: 'remember', config }, -1), ...made.nodes, discarded],
    connections: [connectNodes(items, call), connectNodes(call, id), connectNodes(call, others), ...made.connections],
    entries: [items],
    outputs: [made.outputs[0] ?? [], [{ node: others, port: 'output' }]],
  };
}
