import type { ItemConversion, ItemNodes } from './item-conversion';

/** Definitions for the names of n8n that imported code may use. Only those that the code mentions are added to it. */
const PYTHON_HELPERS: readonly { name: RegExp; source: string[] }[] = [
  {
    name: /\b_input\b/,
    source: [
      'class Given:',
      '    item = items[0] if items else None',
      '    def all(self): return items',
      '    def first(self): return items[0]',
      '    def last(self): return items[-1]',
      '_input = Given()',
    ],
  },
  { name: /\b_items\b/, source: ['_items = items'] },
  { name: /\b_vars\b/, source: ['_vars = record(vars)'] },
  { name: /\b_execution\b/, source: ['_execution = record(execution)'] },
  { name: /\b_now\b/, source: ['import datetime', '_now = datetime.datetime.now(datetime.timezone.utc)'] },
];

/** Names of n8n and packages that Weft's Python does not have. */
const MISSING_PYTHON_NAMES = [
  /\b_node\b/,
  /\b_env\b/,
  /\b_getWorkflowStaticData\b/,
  /\b_\(/,
  /\bmicropip\b/,
  /\brequests\b/,
  /\bpandas\b/,
  /\bnumpy\b/,
];

/** The quotes that begin and end a string in Python, longest first. */
const PYTHON_QUOTES = ['"""', "'''", '"', "'"];

/** Source as the body of a function. Lines inside of a text stay as they are. Undefined: a text has no end. */
function indentPython(source: string): string | undefined {
  let result = '    ';
  let quote: string | undefined;
  for (let at = 0; at < source.length; at += 1) {
    const sign = source.charAt(at);
    if (quote !== undefined) {
      if (sign === '\\') {
        result += sign + source.charAt(at + 1);
        at += 1;
      } else if (source.startsWith(quote, at)) {
        result += quote;
        at += quote.length - 1;
        quote = undefined;
      } else if (sign === '\n' && quote.length === 1) return undefined;
      else result += sign;
      continue;
    }
    if (sign === '#') {
      const end = source.indexOf('\n', at);
      const next = end === -1 ? source.length : end;
      result += source.slice(at, next);
      at = next - 1;
      continue;
    }
    quote = PYTHON_QUOTES.find((one) => source.startsWith(one, at));
    result += quote ?? (sign === '\n' ? '\n    ' : sign);
    if (quote !== undefined) at += quote.length - 1;
  }
  return quote === undefined ? result : undefined;
}

/** The names that n8n has for items, and what comes in as a list of them. */
const PYTHON_ITEMS = [
  '# The names that n8n has for what comes in. Fields of a record are read with brackets or after a dot.',
  'class Record(dict):',
  '    __getattr__ = dict.get',
  '    __setattr__ = dict.__setitem__',
  '    def to_py(self): return self',
  'def record(value):',
  '    if isinstance(value, dict): return Record({name: record(one) for name, one in value.items()})',
  '    return [record(one) for one in value] if isinstance(value, list) else value',
  'def to_item(value):',
  '    fields = {name: one for name, one in value.items() if name != "$files"} if isinstance(value, dict) else value',
  '    files = value.get("$files") if isinstance(value, dict) else None',
  '    return Record(json=record(fields), **({"binary": record(files)} if files else {}))',
  'given = input if isinstance(input, list) else [] if input is None else [input]',
];

/** What the code returned as a list of values, each with the number of the item that it came from. */
const PYTHON_RESULTS = [
  'def to_value(one):',
  '    if not isinstance(one, dict): raise Exception("Code has to return items: an object, or a list of objects")',
  '    if not isinstance(one.get("json"), dict): return one',
  '    return {**one["json"], "$files": one["binary"]} if one.get("binary") else one["json"]',
  'def to_origin(one, index):',
  '    paired = one.get("pairedItem") if isinstance(one.get("json"), dict) else None',
  '    paired = paired.get("item") if isinstance(paired, dict) else paired',
  '    if isinstance(paired, int): return paired',
  '    return 0 if len(items) == 1 else index if len(results) == len(items) else None',
  'results = [one for one in results if one is not None]',
];

const MAX_PYTHON_SOURCE = 80_000;

/** A code node in Python. Its source becomes the body of a function. */
export function convertPythonCode(conversion: ItemConversion): ItemNodes {
  const { parameters, executesOnce, alwaysOutputsData, onError } = conversion.node;
  const source = parameters['pythonCode'];
  if (typeof source !== 'string' || source.length > MAX_PYTHON_SOURCE)
    return conversion.placeholder(
      'Copy its Python code into a code node: it has none, or is longer than 80,000 signs.',
    );
  const body = indentPython(source);
  if (body === undefined)
    return conversion.placeholder('Copy its Python code into a code node: a text of it has no end.');
  const isEach = parameters['mode'] === 'runOnceForEachItem';
  const missing = MISSING_PYTHON_NAMES.flatMap((name) => name.exec(source)?.[0].replace('(', '') ?? []);
  if (missing.length > 0)
    conversion.addTodo(`Check its code: it names ${missing.join(', ')}, which do not exist here.`);
  if (isEach && onError !== 'stop') conversion.addTodo('Check its errors: one of an item is one of the whole list.');
  const text = [
    ...PYTHON_ITEMS,
    `items = [to_item(one) for one in given${executesOnce ? '[:1]' : ''}]`,
    ...PYTHON_HELPERS.filter(({ name }) => name.test(source)).flatMap((helper) => helper.source),
    `def run(${isEach ? '_item' : ''}):`,
    ...(/\b_json\b/.test(source) ? [`    _json = ${isEach ? '_item' : 'items[0]'}["json"]`] : []),
    body,
    ...(isEach
      ? [
          'results = []',
          'for item in items:',
          // What `_input.item` is while the code runs for it.
          ...(/\b_input\b/.test(source) ? ['    _input.item = item'] : []),
          '    results.append(run(item))',
          'kept = [at for at, one in enumerate(results) if one is not None]',
        ]
      : ['result = run()', 'results = result if isinstance(result, list) else [result]']),
    ...PYTHON_RESULTS,
    ...(alwaysOutputsData ? ['if not results: return {"$items": [{}], "$origins": [0]}'] : []),
    'values = [to_value(one) for one in results]',
    `origins = ${isEach ? 'kept' : '[to_origin(one, at) for at, one in enumerate(results)]'}`,
    'return {"$items": values, "$origins": origins}',
  ].join('\n');
  return conversion.wholeNode({ type: 'code', config: { language: 'python', source: text } });
}
