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

/** Functions of the code node: `helpers.<name>`. */
export const CODE_NODE_HELPERS: readonly FunctionHelp[] = OFFERED_FUNCTIONS.filter(
  ({ name }) =>
    ['now', 'base64encode', 'base64decode'].includes(name) || EXPRESSION_FUNCTIONS.some((own) => own.name === name),
);
