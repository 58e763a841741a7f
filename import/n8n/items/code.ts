import { isEmptyParameter } from '../conversion';
import { findAbsentNames } from './absent-names';
import type { ItemConversion, ItemNodes } from './item-conversion';
import { convertPythonCode } from './python-code';
import { convertCodeWithStaticData, nameStaticData, readStaticDataScope } from './static-data';

const MAX_CODE_SOURCE = 80_000;
/** What code reads of the item of another node that belongs to the present one. */
const READS_PAIRED = /\.(?:item|itemMatching|pairedItem)\b/;

/** What the code nodes of former versions do that have no code. */
const EXAMPLE_CODE: Readonly<Record<string, string>> = {
  'n8n-nodes-base.function': 'for (const item of items) item.json.myNewField = 1;\nreturn items;',
  'n8n-nodes-base.functionItem': 'item.myNewField = 1;\nreturn item;',
};

/** Code of all three nodes that n8n has for it, with the names of n8n. */
export const convertCode = (conversion: ItemConversion): ItemNodes => {
  const { node } = conversion;
  const { parameters, type } = node;
  if (parameters['language'] === 'python' || parameters['language'] === 'pythonNative')
    return convertPythonCode(conversion);
  const isFormer = type.endsWith('.functionItem');
  const isFunction = isFormer || type.endsWith('.function');
  const written = isFunction ? (parameters['functionCode'] ?? EXAMPLE_CODE[type]) : parameters['jsCode'];
  const source = isFunction && typeof written === 'string' ? nameStaticData(written) : written;
  if (isFunction && parameters['functionCode'] === undefined)
    conversion.addRemark('It has no code: like n8n, it adds the field “myNewField” to each item.');
  if (isEmptyParameter(source) && type.endsWith('.code')) {
    conversion.addChoice('config.source', 'Write its code.');
    return conversion.wholeNode({ type: 'code', config: { source: '' } });
  }
  if (typeof source !== 'string' || source.length > MAX_CODE_SOURCE)
    return conversion.placeholder('Copy its code into a code node: it is longer than 80,000 characters.');
  const keptScope = readStaticDataScope(source);
  const plain = keptScope ? source.replaceAll('$getWorkflowStaticData', '') : source;
  const { names, isEqual, isShown } = findAbsentNames(plain, isFunction);
  const named = names.join(' and ');
  if (names.length > 0 && isEqual)
    conversion.addRemark(`Its code names ${named}, which code of n8n 2.41 has not either.`);
  else if (names.length > 0) conversion.addTodo(`Its code names ${named}, which does not exist here.`);
  const isEach = isFormer || parameters['mode'] === 'runOnceForEachItem';
  const opening = isFormer ? 'let item = $json; ' : '';
  const lacking = isEqual && isShown ? names.map((name) => `n8n.lackName("${name}"); `) : [];
  const body = lacking.join('') + (isEach ? `return n8n.forEachItem(async () => {${opening}${source}\n});` : source);
  if (keptScope) {
    if (isEach && node.onError !== 'stop')
      conversion.addTodo('Check its errors: one of an item is one of the whole list.');
    return convertCodeWithStaticData(conversion, keptScope, body);
  }
  // A program for each item takes longer than one for all: only where errors or paired items need it.
  if (isEach && (node.onError !== 'stop' || READS_PAIRED.test(source)))
    return conversion.eachNode({ type: 'code', config: { source: body } }, ['output'], true);
  const once = node.executesOnce ? `n8n.useFirstItem();\n` : '';
  const kept = node.alwaysOutputsData ? `return n8n.orEmptyItem(await (async () => {\n${body}\n})());` : body;
  return conversion.wholeNode({ type: 'code', config: { source: once + kept } });
};
