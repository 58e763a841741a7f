import type { WorkflowNode } from '@/contract/workflows/workflow';
import type { ConvertedCall } from '../conversion';
import { asN8nObject, type N8nObject } from '../file';
import { convertCall } from '../nodes';
import { readRequestOptions } from '../nodes/http-options';
import { answersWithAnyStatus, reportReadError } from '../nodes/read-errors';
import { shortNodeType } from '../starts/convert-trigger';
import { asksPerson, convertApproval } from './approval';
import { closeInnerConversion, openInnerConversion } from './inner-conversion';
import { asksAboutAddress, readImagesBefore } from './image-question';
import type { ItemConversion, ItemNodes } from './item-conversion';
import { RawSource } from './parameter-source';
import { convertSheetRows } from './sheet-rows';
import { connectNodes } from './connect-nodes';

/** The name that a file gets that a node reads; undefined: the usual one. */
function readFileField(parameters: N8nObject): unknown {
  const { binaryPropertyName, options, additionalFields } = parameters;
  return (
    binaryPropertyName ??
    asN8nObject(options)['binaryPropertyName'] ??
    asN8nObject(additionalFields)['binaryPropertyName']
  );
}

/** The call that makes n8n's items of an answer. */
function writeAnswerCall(conversion: ItemConversion, piece: ConvertedCall, item: string): string {
  const { node } = conversion;
  const { parameters, version } = node;
  const around = { output: new RawSource('input'), source: new RawSource(`paired.${item}`) };
  if (piece.reader) return `n8n.${piece.reader}(${version}, ${conversion.code(around)})`;
  if (shortNodeType(node.type) !== 'httpRequest' || piece.path === '.items') {
    const { shape } = piece;
    const fileField = readFileField(node.parameters);
    const given = {
      ...around,
      path: piece.path.replace(/^\./, ''),
      isList: piece.isList,
      ...(fileField ? { fileField } : {}),
      ...(shape ? { shape: new RawSource(shape) } : {}),
    };
    return `n8n.answerItems(${version}, ${conversion.code(given)})`;
  }
  const options = readRequestOptions(node);
  const { fullResponse, responseFormat, outputPropertyName } = asN8nObject(
    asN8nObject(options['response'])['response'],
  );
  const isWhole = fullResponse === true || options['fullResponse'] === true;
  if (isWhole && conversion.parts.isNamedElsewhere(node, /statusMessage/))
    conversion.addTodo('Check what reads its “statusMessage”: it is left out.');
  const given = {
    ...around,
    isWhole,
    format: responseFormat ?? parameters['responseFormat'] ?? (version < 3 ? 'json' : 'autodetect'),
    fieldName: outputPropertyName ?? parameters['dataPropertyName'] ?? 'data',
    splits: options['splitIntoItems'] === true,
    ...(answersWithAnyStatus(node, conversion.parts) ? { failsByStatus: true } : {}),
    ...(parameters['sendBody'] === true && parameters['contentType'] === 'raw' ? { sendsRaw: true } : {}),
  };
  return `n8n.httpItems(${version}, ${conversion.code(given)})`;
}

/**
 * A node of Weft for each item, whose config the mapping of parameters makes, and behind it a node with n8n's name that
 * makes n8n's items of what it gives.
 */
export function convertOutsideNode(conversion: ItemConversion): ItemNodes {
  if (asksPerson(conversion)) return convertApproval(conversion);
  const inner = openInnerConversion(conversion);
  const piece = convertCall(inner);
  const call = piece.node;
  closeInnerConversion(conversion, inner);
  if (conversion.outcome === 'placeholder')
    return conversion.eachNode({ type: 'transform', config: { expression: 'input' } });
  const rows = convertSheetRows(conversion, call);
  if (rows) return rows;
  const { id, node, createId } = conversion;
  const [items = '', asked = ''] = ['items', 'call'].map((word) => createId(`${id}_${word}`));
  reportReadError(conversion, conversion.parts);
  const expression = writeAnswerCall(conversion, piece, items);
  const made = conversion.eachNode({ type: 'transform', config: { expression } }, ['output'], true, items);
  const before = conversion.createItemsNode(items);
  const { type, config, labels, retry, timeoutMs } = call;
  const calling: WorkflowNode = {
    ...conversion.createHelper(asked, 'call', { type, config }, -1),
    ...(labels ? { labels } : {}),
    ...(retry ? { retry } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    each: node.onError === 'stop' ? {} : { onError: 'continue' },
  };
  const whole = {
    ...made,
    nodes: [before, calling, ...made.nodes],
    connections: [...made.connections, connectNodes(items, asked), connectNodes(asked, id)],
    entries: [items],
  };
  return asksAboutAddress(conversion) ? readImagesBefore(conversion, whole, items, asked) : whole;
}
