import { toPythonPath } from '@/contract/workflows/python-path';
import type { NodeConversion, ConvertedNodes } from '../conversion';

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

/** An expression of Python for what comes in, which is a part of the input. */
function pythonInput({ source: { path = '', isList } }: NodeConversion): string {
  if (path === '') return 'input';
  if (!isList) return toPythonPath(`input${path}`);
  return `[${toPythonPath(`item${path}`)} for item in (input if isinstance(input, list) else [input])]`;
}

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

/** A code node in Python. Its source becomes the body of a function. */
export function convertPythonCode(conversion: NodeConversion, source: string, isEach: boolean): ConvertedNodes {
  const body = indentPython(source);
  if (body === undefined)
    return conversion.placeholder('Copy its Python code into a code node: a text of it has no end.');
  const missing = MISSING_PYTHON_NAMES.flatMap((name) => name.exec(source)?.[0].replace('(', '') ?? []);
  if (missing.length > 0)
    conversion.addTodo(`Check its code: it names ${missing.join(', ')}, which do not exist here.`);
  else conversion.addRemark('Check its code: names of n8n are replaced at its beginning.');
  const { isList } = conversion.source;
  const text = [
    '# The names that n8n has for what comes in. Fields of a record are read with brackets or after a dot.',
    'class Record(dict):',
    '    __getattr__ = dict.get',
    '    __setattr__ = dict.__setitem__',
    '    def to_py(self): return self',
    'def record(value):',
    '    if isinstance(value, dict): return Record({name: record(one) for name, one in value.items()})',
    '    return [record(one) for one in value] if isinstance(value, list) else value',
    `given = ${pythonInput(conversion)}`,
    'items = [Record(json=record(one)) for one in (given if isinstance(given, list) else [] if given is None else [given])]',
    ...PYTHON_HELPERS.filter(({ name }) => name.test(source)).flatMap((helper) => helper.source),
    `def run(${isEach ? '_item' : ''}):`,
    ...(/\b_json\b/.test(source) ? [`    _json = ${isEach ? '_item' : 'items[0]'}["json"]`] : []),
    body,
    isEach ? 'results = [run(item) for item in items]' : 'result = run()',
    ...(isEach ? [] : ['results = result if isinstance(result, list) else [result]']),
    'values = [one["json"] if isinstance(one, dict) and "json" in one else one for one in results if one is not None]',
    isList ? 'return values' : 'return values[0] if len(values) == 1 else values',
  ].join('\n');
  return conversion.asSingleNode({ type: 'code', config: { language: 'python', source: text } }, isList);
}
