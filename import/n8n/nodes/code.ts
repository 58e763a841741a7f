import type { NodeConversion, ConvertedNodes } from '../conversion';
import type { NodeConverter } from './flow';
import { convertPythonCode } from './python';

/** Definitions for the names of n8n that imported code may use. Only those that the code mentions are added to it. */
const SCRIPT_HELPERS: readonly { name: string; needs: string[]; source: string }[] = [
  { name: '$json', needs: ['items'], source: 'const $json = items[0]?.json;' },
  {
    name: '$input',
    needs: ['items'],
    source: 'const $input = { all: () => items, first: () => items[0], last: () => items.at(-1), item: items[0] };',
  },
  { name: '$now', needs: [], source: 'const $now = new Date();' },
  { name: '$vars', needs: [], source: 'const $vars = vars;' },
  { name: '$execution', needs: [], source: 'const $execution = execution;' },
];

/** Names of n8n that Weft's code does not have. */
const MISSING_SCRIPT_NAMES = [
  '$env',
  '$binary',
  'DateTime',
  'require(',
  '$getWorkflowStaticData',
  '$http',
  'this.helpers',
  'Buffer',
  'fetch(',
];

const MAX_SCRIPT_SOURCE = 80_000;

/** An expression of JavaScript for what comes in, which is a part of the input. */
function scriptInput({ source: { path = '', isList } }: NodeConversion): string {
  if (path === '') return 'input';
  return isList ? `[input].flat().map((item) => item?${path})` : `input?${path}`;
}

/** A path of JSONata as JavaScript; undefined: it is more than a path. */
const scriptPath = (code: string): string | undefined =>
  /^(?:nodes|execution)(?:\.[A-Za-z_]\w*)+$/.test(code) ? code.replaceAll('.', '?.') : undefined;

/** Source that defines `$('Name')` for the nodes that the code mentions. */
function otherNodesSource(conversion: NodeConversion, source: string): string {
  const entries = [...conversion.context.nodes]
    .filter(([name]) => name.length > 0 && source.includes(name))
    .flatMap(([name, { code }]) => {
      const path = scriptPath(code);
      return path ? [`  [${JSON.stringify(name)}, ${path}],`] : [];
    });
  return [
    'const outputs = new Map([',
    ...entries,
    ']);',
    'const $ = (name) => {',
    '  const all = itemsOf(outputs.get(name));',
    '  return { all: () => all, first: () => all[0], last: () => all.at(-1), item: all[0], json: all[0]?.json };',
    '};',
    'const $node = Object.fromEntries([...outputs.keys()].map((name) => [name, $(name)]));',
    'const $items = (name) => $(name).all();',
  ].join('\n');
}

const convertCodeNode: NodeConverter = (conversion) => {
  const { parameters, type } = conversion.node;
  const isPython = parameters['language'] === 'python' || parameters['language'] === 'pythonNative';
  const source = isPython ? parameters['pythonCode'] : (parameters['jsCode'] ?? parameters['functionCode']);
  if (typeof source !== 'string' || source.length > MAX_SCRIPT_SOURCE) return conversion.placeholder('Enter its code.');
  const isEach = type.endsWith('.functionItem') || parameters['mode'] === 'runOnceForEachItem';
  if (isPython) return convertPythonCode(conversion, source, isEach);
  return convertScript(conversion, source, scriptInput(conversion), isEach);
};

function convertScript(conversion: NodeConversion, source: string, input: string, isEach: boolean): ConvertedNodes {
  const { isList } = conversion.source;
  const missing = MISSING_SCRIPT_NAMES.filter((name) => source.includes(name));
  if (missing.length > 0)
    conversion.addTodo(
      `Check its code: it names ${missing.map((name) => name.replace('(', '')).join(', ')}, which do not exist here.`,
    );
  else conversion.addRemark('Check its code: names of n8n are replaced at its beginning.');
  const helpers = SCRIPT_HELPERS.filter(({ name }) => source.includes(name)).map((one) => one.source);
  const isOther = /\$\(|\$node|\$items/.test(source);
  const body = isEach
    ? [
        'const results = [];',
        'for (const [$itemIndex, item] of items.entries()) {',
        '  const $json = item.json;',
        '  const $input = { all: () => items, first: () => items[0], last: () => items.at(-1), item };',
        '  const given = await (async (item) => {',
        source,
        '  })(conversionItem(item));',
        '  results.push(given);',
        '}',
      ]
        .join('\n')
        .replace('conversionItem(item)', conversion.node.type.endsWith('.functionItem') ? 'item.json' : 'item')
    : [...helpers, 'const given = await (async () => {', source, '})();', 'const results = [given].flat();'].join('\n');
  const text = [
    '// The names that n8n has for what comes in.',
    'const itemsOf = (value) => (value === undefined || value === null ? [] : [value].flat().map((json) => ({ json })));',
    `const items = itemsOf(${input});`,
    ...(isOther ? [otherNodesSource(conversion, source)] : []),
    ...(isEach ? helpers.filter((one) => !/\$json|\$input/.test(one)) : []),
    body,
    'const values = results.filter((one) => one !== undefined && one !== null).map((one) => one.json ?? one);',
    isList ? 'return values;' : 'return values.length === 1 ? values[0] : values;',
  ].join('\n');
  return conversion.asSingleNode({ type: 'code', config: { source: text } }, isList);
}

export const CODE_CONVERTERS: Readonly<Record<string, NodeConverter>> = {
  code: convertCodeNode,
  function: convertCodeNode,
  functionItem: convertCodeNode,
};
