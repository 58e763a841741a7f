/** Help for one function, as completion shows it. */
export interface FunctionHelp {
  /** Without `$`. */
  name: string;
  parameters: string;
  summary: string;
  example: string;
}

/** Functions of expressions in addition to those of JSONata. The code node has them as `helpers.<name>`. */
export const EXPRESSION_FUNCTIONS = [
  {
    name: 'formatDate',
    parameters: 'value, pattern, zone',
    summary: 'Writes a time by a Unicode pattern, in a time zone',
    example: `$formatDate($now(), "yyyy-MM-dd HH:mm", "Europe/Berlin")`,
  },
  {
    name: 'parseDate',
    parameters: 'text, pattern, zone',
    summary: 'Reads a time by a Unicode pattern; without one, ISO 8601. The result is ISO 8601 in UTC',
    example: `$parseDate("31.01.2026", "dd.MM.yyyy", "Europe/Berlin")`,
  },
  {
    name: 'addTime',
    parameters: 'value, amount, unit, zone',
    summary: 'Moves a time by an amount of a unit; days and longer units keep the time of day',
    example: `$addTime($now(), -7, "days")`,
  },
  {
    name: 'diffTime',
    parameters: 'start, end, unit, zone',
    summary: 'Time from start to end in a unit, with fractions',
    example: `$diffTime(input.createdAt, $now(), "hours")`,
  },
  {
    name: 'startOf',
    parameters: 'value, unit, zone',
    summary: 'First moment of the unit that a time is in; weeks begin on Monday',
    example: `$startOf($now(), "month")`,
  },
  {
    name: 'endOf',
    parameters: 'value, unit, zone',
    summary: 'Last millisecond of the unit that a time is in',
    example: `$endOf($now(), "day", "America/New_York")`,
  },
  {
    name: 'hash',
    parameters: 'text, algorithm, encoding',
    summary:
      'Digest of a text: sha256 (default), sha512, sha384, sha224, sha1, md5, sha3-256, sha3-384, sha3-512; hex (default), base64, base64url',
    example: `$hash(input.email)`,
  },
  {
    name: 'hmac',
    parameters: 'text, key, algorithm, encoding',
    summary: 'Keyed digest of a text, with the algorithms and encodings of $hash',
    example: `$hmac(input.body, "key", "sha256", "base64")`,
  },
  { name: 'uuid', parameters: '', summary: 'A new random id', example: '$uuid()' },
  {
    name: 'parseJson',
    parameters: 'text',
    summary: 'The value that a text of JSON describes',
    example: `$parseJson(input.payload).id`,
  },
  {
    name: 'parseCsv',
    parameters: 'text, options',
    summary:
      'Rows of CSV as objects by the names in the first row; options: delimiter (else it is found), header (false: rows as lists)',
    example: `$parseCsv(input.body, {"delimiter": ";"})`,
  },
  {
    name: 'urlEncode',
    parameters: 'value',
    summary: 'A text as part of a URL; an object as a query string',
    example: `"https://example.com/?" & $urlEncode({"q": input.term})`,
  },
] as const satisfies FunctionHelp[];

export type ExpressionFunctionName = (typeof EXPRESSION_FUNCTIONS)[number]['name'];
