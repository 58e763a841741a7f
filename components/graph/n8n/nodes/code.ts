import type { Conversion, Piece } from '../conversion';
import type { Convert } from './flow';
import { pythonCode } from './python';

/** Names of n8n that the code of others uses, with what they are here. Only those that the code names are written. */
const HELPERS: readonly { name: string; needs: string[]; source: string }[] = [
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
const MISSING = [
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

const MAX_SOURCE = 80_000;

/** An expression of JavaScript for what comes in, which is a part of the input. */
function inputOf({ source: { path = '', isList } }: Conversion): string {
  if (path === '') return 'input';
  return isList ? `[input].flat().map((item) => item?${path})` : `input?${path}`;
}

/** A path of JSONata as JavaScript; undefined: it is more than a path. */
const pathOf = (code: string): string | undefined =>
  /^(?:nodes|execution)(?:\.[A-Za-z_]\w*)+$/.test(code) ? code.replaceAll('.', '?.') : undefined;

/** What `$('Name')` gives, for the nodes that the code names. */
function others(conversion: Conversion, source: string): string {
  const entries = [...conversion.around.nodes]
    .filter(([name]) => name.length > 0 && source.includes(name))
    .flatMap(([name, { code }]) => {
      const path = pathOf(code);
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

const code: Convert = (conversion) => {
  const { parameters, type } = conversion.node;
  const isPython = parameters['language'] === 'python' || parameters['language'] === 'pythonNative';
  const source = isPython ? parameters['pythonCode'] : (parameters['jsCode'] ?? parameters['functionCode']);
  if (typeof source !== 'string' || source.length > MAX_SOURCE) return conversion.placeholder('Enter its code.');
  const isEach = type.endsWith('.functionItem') || parameters['mode'] === 'runOnceForEachItem';
  if (isPython) return pythonCode(conversion, source, isEach);
  return written(conversion, source, inputOf(conversion), isEach);
};

function written(conversion: Conversion, source: string, input: string, isEach: boolean): Piece {
  const { isList } = conversion.source;
  const missing = MISSING.filter((name) => source.includes(name));
  if (missing.length > 0)
    conversion.todo(
      `Check its code: it names ${missing.map((name) => name.replace('(', '')).join(', ')}, which do not exist here.`,
    );
  else conversion.say('Check its code: names of n8n are replaced at its beginning.');
  const helpers = HELPERS.filter(({ name }) => source.includes(name)).map((one) => one.source);
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
    ...(isOther ? [others(conversion, source)] : []),
    ...(isEach ? helpers.filter((one) => !/\$json|\$input/.test(one)) : []),
    body,
    'const values = results.filter((one) => one !== undefined && one !== null).map((one) => one.json ?? one);',
    isList ? 'return values;' : 'return values.length === 1 ? values[0] : values;',
  ].join('\n');
  return conversion.whole({ type: 'code', config: { source: text } }, isList);
}

export const CODE: Readonly<Record<string, Convert>> = { code, function: code, functionItem: code };
