import type { WorkflowNode } from '@/contract/workflows/workflow';
import { asN8nObject } from '../file';
import { shortNodeType } from '../starts/convert-trigger';
import type { ItemConversion, ItemNodes } from './item-conversion';
import { connectNodes } from './connect-nodes';

/** Whether a node appends all of its items to a sheet by one call. */
function appendsRows({ node }: ItemConversion, { config }: WorkflowNode): boolean {
  const { operation, fieldsUi } = node.parameters;
  const { row, ...place } = asN8nObject(config['parameters']);
  return (
    shortNodeType(node.type) === 'googleSheets' &&
    row !== undefined &&
    operation === 'append' &&
    fieldsUi === undefined &&
    node.onError === 'stop' &&
    !node.executesOnce &&
    !JSON.stringify(place).includes('{{')
  );
}

/**
 * Appends all rows by one call, as n8n does: the API allows few calls a minute. `call`: the node that appends one row.
 * Undefined: another operation, or one with settings for each item.
 */
export function convertSheetRows(conversion: ItemConversion, call: WorkflowNode): ItemNodes | undefined {
  if (!appendsRows(conversion, call)) return undefined;
  const { id, node, createId } = conversion;
  const [rows = '', asked = ''] = ['rows', 'call'].map((word) => createId(`${id}_${word}`));
  const values = Object.entries(asN8nObject(asN8nObject(node.parameters['columns'])['value']));
  const fields = { rows: values.map(([name, value]) => ({ name, value })), nests: false };
  const expression = values.length > 0 ? `n8n.bodyFields(${node.version}, ${conversion.code(fields)})` : '$json';
  const { row: _, ...place } = asN8nObject(call.config['parameters']);
  const config = { ...call.config, operation: 'sheets.append_rows', parameters: { ...place, rows: '{{ input }}' } };
  const { each: __, ...calling } = conversion.createHelper(asked, 'call', { type: call.type, config }, -1);
  const { labels, retry } = call;
  conversion.addRemark('What comes behind it can name its rows, but not the items that they were made of.');
  const made = conversion.listNode(`nodes.${rows}`);
  return {
    ...made,
    nodes: [
      conversion.createHelper(rows, 'rows', { type: 'transform', config: { expression } }, -2),
      { ...calling, ...(labels ? { labels } : {}), ...(retry ? { retry } : {}) },
      ...made.nodes,
    ],
    connections: [...made.connections, connectNodes(rows, asked), connectNodes(asked, id)],
    entries: [rows],
  };
}
