import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { EXPRESSION_FUNCTIONS, type FunctionHelp } from '@/contract/workflows/expression-functions';

/** Frequently used functions of JSONata: name, parameters, summary, example. */
const JSONATA_FUNCTION_ROWS: [string, string, string, string][] = [
  ['string', 'value', 'Turns a value into text', '$string(5)'],
  ['number', 'value', 'Turns text into a number', `$number("5")`],
  ['boolean', 'value', 'Whether a value is true: not empty, 0 or null', '$boolean(input.list)'],
  ['length', 'text', 'Number of characters', '$length(input.name)'],
  ['substring', 'text, start, length', 'Part of a text; start counts from 0', `$substring("hello", 1, 3)`],
  ['uppercase', 'text', 'Text in upper case', '$uppercase(input.code)'],
  ['lowercase', 'text', 'Text in lower case', '$lowercase(input.email)'],
  ['trim', 'text', 'Text without spaces around it', '$trim(input.name)'],
  [
    'contains',
    'text, pattern',
    'Whether a text contains another or matches a pattern',
    '$contains(input.subject, /invoice/i)',
  ],
  ['split', 'text, separator', 'Parts of a text between separators', `$split("a,b", ",")`],
  ['join', 'list, separator', 'Joins a list of texts into one', `$join(input.tags, ", ")`],
  ['replace', 'text, pattern, by', 'Text with each match replaced', `$replace(input.phone, " ", "")`],
  ['match', 'text, pattern', 'Matches of a pattern with their groups', `$match(input.text, /#(\\d+)/)`],
  ['sum', 'numbers', 'Sum of a list of numbers', '$sum(input.lines.price)'],
  ['max', 'numbers', 'Largest number of a list', '$max(input.scores)'],
  ['min', 'numbers', 'Smallest number of a list', '$min(input.scores)'],
  ['average', 'numbers', 'Average of a list of numbers', '$average(input.scores)'],
  ['round', 'number, digits', 'Number rounded to digits after the point', '$round(input.total, 2)'],
  ['floor', 'number', 'Number rounded down', '$floor(3.7)'],
  ['ceil', 'number', 'Number rounded up', '$ceil(3.2)'],
  ['abs', 'number', 'Absolute value of a number', '$abs(-3)'],
  [
    'formatNumber',
    'number, picture',
    'Number formatted by a pattern such as #,##0.00',
    `$formatNumber(input.total, "#,##0.00")`,
  ],
  ['count', 'list', 'Number of elements', '$count(input.lines)'],
  ['append', 'list, list', 'Joins two lists', '$append(input.a, input.b)'],
  ['sort', 'list, function', 'List in order', '$sort(input.lines, function($a, $b) { $a.price > $b.price })'],
  ['reverse', 'list', 'List in reverse order', '$reverse(input.lines)'],
  ['distinct', 'list', 'List without duplicates', '$distinct(input.lines.sku)'],
  ['map', 'list, function', 'A value for each element', '$map(input.lines, function($line) { $line.price * 2 })'],
  [
    'filter',
    'list, function',
    'Elements for which the function is true',
    '$filter(input.lines, function($line) { $line.price > 10 })',
  ],
  ['reduce', 'list, function', 'One value from all elements', '$reduce(input.numbers, function($a, $b) { $a + $b })'],
  ['keys', 'object', 'Names of the fields', '$keys(input)'],
  ['lookup', 'object, name', 'Field of an object by its name', `$lookup(vars, "REGION")`],
  ['merge', 'objects', 'Fields of several objects in one', `$merge([input, {"done": true}])`],
  ['exists', 'value', 'Whether a path has a value', '$exists(input.email)'],
  ['type', 'value', 'Type of a value: string, number, array, …', '$type(input.lines)'],
  ['not', 'value', 'Not: true becomes false, false becomes true', '$not(input.isPaid)'],
  ['now', '', 'The current time, ISO 8601 in UTC', '$now()'],
  ['millis', '', 'The current time in milliseconds since 1970', '$millis()'],
  ['toMillis', 'timestamp', 'Milliseconds since 1970 of an ISO 8601 time', '$toMillis(input.createdAt)'],
  ['fromMillis', 'number, picture', 'ISO 8601 time of milliseconds since 1970', '$fromMillis(0)'],
  ['base64encode', 'text', 'Text encoded as base64', `$base64encode(input.user & ":" & input.key)`],
  ['base64decode', 'text', 'Text decoded from base64', '$base64decode(input.content)'],
];

const JSONATA_FUNCTIONS = JSONATA_FUNCTION_ROWS.map(([name, parameters, summary, example]) => ({
  name,
  parameters,
  summary,
  example,
}));

/** Functions of expressions that completion offers. */
export const OFFERED_FUNCTIONS: readonly FunctionHelp[] = [...EXPRESSION_FUNCTIONS, ...JSONATA_FUNCTIONS];

/** The same as JavaScript, in examples of functions that both languages have. */
const toJavascriptExample = (example: string): string =>
  example.replace(/\$(\w+)/g, 'helpers.$1').replaceAll(' & ', ' + ');

/** What JavaScript has for the functions of JSONata: what to write, parameters, summary, example. */
const JAVASCRIPT_FUNCTION_ROWS: [string, string, string, string][] = [
  ['String', 'value', 'Turns a value into text', 'String(5)'],
  ['Number', 'value', 'Turns text into a number', 'Number("5")'],
  ['Boolean', 'value', 'Whether a value is true: not empty, 0, null or undefined', 'Boolean(input.name)'],
  ['Math.round', 'number', 'The nearest whole number', 'Math.round(input.total * 100) / 100'],
  ['Math.max', '...numbers', 'The largest of the numbers', 'Math.max(...input.scores)'],
  ['Math.min', '...numbers', 'The smallest of the numbers', 'Math.min(...input.scores)'],
  ['Object.keys', 'object', 'Names of the fields', 'Object.keys(input)'],
  ['Object.entries', 'object', 'Names and values of the fields in pairs', 'Object.entries(input)'],
  ['Object.fromEntries', 'pairs', 'An object of pairs of names and values', 'Object.fromEntries([["a", 1]])'],
  ['Array.isArray', 'value', 'Whether a value is a list', 'Array.isArray(input)'],
  ['JSON.stringify', 'value', 'A value as a text of JSON', 'JSON.stringify(input)'],
  ['JSON.parse', 'text', 'The value that a text of JSON describes', 'JSON.parse(input.payload).id'],
  [
    'DateTime.now',
    '',
    'The current time, with methods such as plus and toFormat',
    'DateTime.now().plus({ days: 7 }).toISODate()',
  ],
  [
    'DateTime.fromISO',
    'text, options',
    'A time written as ISO 8601',
    'DateTime.fromISO(input.createdAt).toFormat("dd.MM.yyyy")',
  ],
  [
    'DateTime.fromFormat',
    'text, pattern',
    'A time written by a pattern',
    'DateTime.fromFormat("31.01.2026", "dd.MM.yyyy")',
  ],
  [
    'new Intl.NumberFormat',
    'locale, options',
    'Writes numbers and amounts of money, by .format(…)',
    'new Intl.NumberFormat("de-DE", { style: "currency", currency: "EUR" }).format(input.total)',
  ],
  ['new URL', 'text', 'The parts of an address', 'new URL(input.link).hostname'],
];

const JAVASCRIPT_FUNCTIONS: readonly FunctionHelp[] = JAVASCRIPT_FUNCTION_ROWS.map(
  ([name, parameters, summary, example]) => ({ name, parameters, summary, example }),
);

/** The functions of a language, by the names that expressions write. */
export const offeredFunctions = (language: ExpressionLanguage): readonly FunctionHelp[] =>
  language === 'javascript'
    ? [
        ...CODE_NODE_HELPERS.map((one) => ({
          ...one,
          name: `helpers.${one.name}`,
          example: toJavascriptExample(one.example),
        })),
        ...JAVASCRIPT_FUNCTIONS,
      ]
    : OFFERED_FUNCTIONS.map((one) => ({ ...one, name: `$${one.name}` }));

/** Functions of the code node: `helpers.<name>`. */
export const CODE_NODE_HELPERS: readonly FunctionHelp[] = OFFERED_FUNCTIONS.filter(
  ({ name }) =>
    ['now', 'base64encode', 'base64decode'].includes(name) || EXPRESSION_FUNCTIONS.some((own) => own.name === name),
);
