import { type ConvertedCall, isEmptyParameter, parameterValue, type NodeConverter } from '../conversion';
import { asN8nObject } from '../file';
import { isN8nExpression, type NodeExpressions } from '../n8n-expressions';
import { escapeBraces, splitText, writeConfigText, writeTextSource } from '../items/parameter-source';
import { addCredentialTodo } from './http';
import { buildSqlStatement, type BoundStatement } from './sql-statements';

type BoundValues = Omit<BoundStatement, 'givesRows'>;

/** What stands before an expression that is no value: a name, or a part of the statement. */
const BEFORE_NO_VALUE =
  /(?:\b(?:from|into|update|table|join|set|by|where|values|select|distinct|as|on|and|or)\s*|\bin\s*\(\s*|\[\s*|[\w."`])$/i;

const MAX_STATEMENT = 90_000;
/** What MySQL has around names. */
const MYSQL_QUOTE = '`';

/** Whether a quote stands behind the sign of a comment: then it is not known what is a text. */
const hasQuoteInComment = (query: string, quote: string): boolean =>
  query.split('\n').some((line) => {
    const at = line.search(quote === MYSQL_QUOTE ? /--|(?:^|\s)#/ : /--/);
    return at !== -1 && line.includes("'", at);
  }) ||
  (query.includes('/*') && query.includes("'", query.indexOf('/*')));

/** What makes texts that are not followed here: quotes behind backslashes, and texts between dollar signs. */
const OTHER_TEXTS = /\\['"`]|\$(?:[a-z_]\w*)?\$/i;

/** The parts of a statement that are no expressions. */
const leaveOutExpressions = (text: string): string =>
  text
    .split('{{')
    .map((part, index) => (index === 0 ? part : part.includes('}}') ? part.slice(part.indexOf('}}') + 2) : ''))
    .join('');

/** The quotes that are open at the end of a piece of a statement; empty: none. */
function findOpenQuote(piece: string): string {
  let open = '';
  for (const sign of piece.match(/['"`]/g) ?? []) if (open === '' || open === sign) open = open === '' ? sign : '';
  return open;
}

/** The characters before an expression that say whether it is a value. */
const READ_BEFORE = 200;

/** What stands before a text whose type it says, or that is written in another way. */
const BEFORE_TYPED_TEXT = /(?:[\w"`&\\]|->>?)\s*$/;
const TEXT_OPERATORS = /\b(?:i?like|between|and|or|then|else|when|not)\s*$/i;
/** Functions of PostgreSQL that take values of any type: it does not know that of a parameter there. */
const IN_UNTYPED_CALL = /\b(?:concat(?:_ws)?|format|jsonb?_build_(?:array|object))\s*\((?:[^()]|\([^()]*\))*$/i;
/** An expression that writes quotes, such as those between the texts of a list or around a value, or doubles them. */
const WRITES_QUOTES = /["`]\s*'|'\s*["`]|\\'|\/'+\//;
/** An expression outside of quotes that writes several values, or words that have a meaning in SQL. */
const WRITES_SQL = /\.(?:join|map)\(|["'`]\s*(?:null|default|now\(\)|current_\w+)\s*["'`]/i;

/** The text in quotes around an expression; undefined: it has quotes or backslashes of its own, or does not end. */
function findTextAround(query: string, from: number, open: number): { start: number; end: number } | undefined {
  const start = query.lastIndexOf("'", open);
  if (start < from || (start > from && query.charAt(start - 1) === "'")) return undefined;
  let end = open;
  while (query.startsWith('{{', end)) {
    const close = query.indexOf('}}', end);
    if (close === -1) return undefined;
    end = close + 2;
    while (end < query.length && query.charAt(end) !== "'" && !query.startsWith('{{', end)) end += 1;
  }
  const isWhole = query.charAt(end) === "'" && query.charAt(end + 1) !== "'";
  const text = query.slice(start + 1, end);
  const isPlain = !leaveOutExpressions(text).includes('\\') && !WRITES_QUOTES.test(text);
  return isWhole && isPlain ? { start, end: end + 1 } : undefined;
}

/**
 * The text around expressions, as n8n writes it: in a query that is an expression as a whole, what is missing is nothing;
 * in others each expression is replaced by what it gives.
 */
function writeBoundText(text: string, isWhole: boolean, { reportLost }: NodeExpressions): string {
  const pieces = splitText(`=${text}`);
  if (isWhole && pieces.length > 1) return writeConfigText(`=${text}`, reportLost);
  const written = pieces.map((piece) => {
    if ('text' in piece) return escapeBraces(piece.text);
    const value = writeTextSource(`={{ ${piece.source} }}`, reportLost);
    return `{{ ${isWhole ? `n8n.text(() => ${value})` : `String(${value})`} }}`;
  });
  return written.join('');
}

/**
 * Replaces the expressions of a statement by parameters, so that no value becomes SQL. n8n resolves them in any
 * statement. The quotes around them are not needed. Undefined: one is no value, or that is not known.
 */
function bindStatement(query: string, quote: string, expressions: NodeExpressions): BoundValues | undefined {
  const parameters: Record<string, unknown> = {};
  if (query.length > 2 * MAX_STATEMENT) return undefined;
  const isUnclear = hasQuoteInComment(query, quote) || OTHER_TEXTS.test(leaveOutExpressions(query));
  if (query.includes('{{') && isUnclear) return undefined;
  const isWhole = query.startsWith('=');
  let statement = '';
  let at = isWhole ? 1 : 0;
  let last = '';
  for (let open = query.indexOf('{{', at); open !== -1; open = query.indexOf('{{', at)) {
    const close = query.indexOf('}}', open);
    if (close === -1) break;
    const openQuote = findOpenQuote(query.slice(at, open));
    const text = openQuote === "'" ? findTextAround(query, at, open) : undefined;
    if (openQuote !== '' && !text) return undefined;
    const { start, end } = text ?? { start: open, end: close + 2 };
    const before = query.slice(at, start);
    last = (last + before.slice(-READ_BEFORE)).slice(-READ_BEFORE);
    const isTyped = text !== undefined && BEFORE_TYPED_TEXT.test(last) && !TEXT_OPERATORS.test(last);
    const isCondition = text !== undefined && TEXT_OPERATORS.test(last);
    if (isTyped || (!isCondition && BEFORE_NO_VALUE.test(last))) return undefined;
    if (quote !== MYSQL_QUOTE && IN_UNTYPED_CALL.test(last)) return undefined;
    const value = query.slice(start, end);
    if (!text && (WRITES_QUOTES.test(value) || WRITES_SQL.test(value))) return undefined;
    const name = `p${Object.keys(parameters).length + 1}`;
    parameters[name] = text
      ? writeBoundText(value.slice(1, -1), isWhole, expressions)
      : parameterValue(`=${value}`, expressions);
    last += `:${name}`;
    statement += `${before}:${name}`;
    at = end;
  }
  return { statement: statement + query.slice(at), parameters };
}

/** Binds the values of `$1`, `$2` (PostgreSQL) or `?` (MySQL), which n8n stores in a parameter of their own. */
function bindReplacements(
  { statement, parameters }: BoundValues,
  replacement: unknown,
  expressions: NodeExpressions,
): BoundValues {
  const values = Array.isArray(replacement)
    ? replacement
    : typeof replacement === 'string' && replacement.trim()
      ? splitReplacements(replacement)
      : [];
  if (values.length === 0) return { statement, parameters };
  const all = { ...parameters };
  let count = 0;
  const text = statement.replaceAll(/\$(\d{1,2})|\?/g, (whole, digits: string | undefined) => {
    const index = digits === undefined ? count : Number(digits) - 1;
    count += 1;
    if (!(index in values)) return whole;
    all[`v${index + 1}`] = parameterValue(values[index], expressions);
    return `:v${index + 1}`;
  });
  return { statement: text, parameters: all };
}

/** Values with commas between them; those inside of expressions do not count. */
function splitReplacements(text: string): string[] {
  const source = isN8nExpression(text) ? text.slice(1) : text;
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let index = 0; index < source.length; index += 1) {
    if (source.startsWith('{{', index)) depth += 1;
    else if (source.startsWith('}}', index)) depth -= 1;
    else if (source[index] === ',' && depth <= 0) {
      parts.push(source.slice(from, index).trim());
      from = index + 1;
    }
  }
  return [...parts, source.slice(from).trim()].map((part) => (isN8nExpression(text) ? `=${part}` : part));
}

const convertSqlNode =
  (database: string, quote: string): NodeConverter =>
  (conversion): ConvertedCall => {
    const { parameters } = conversion.node;
    const { operation = 'insert', query, options } = parameters;
    addCredentialTodo(conversion, `its credential for ${database}`);
    const { expressions } = conversion;
    const readStatement = (): BoundStatement | undefined => {
      if (operation !== 'executeQuery') return buildSqlStatement(conversion, quote);
      const bound = typeof query === 'string' ? bindStatement(query, quote, expressions) : undefined;
      if (!bound) return undefined;
      const given =
        asN8nObject(options)['queryReplacement'] ?? asN8nObject(parameters['additionalFields'])['queryParams'];
      const givesRows = /^=?\s*(?:select|with|show)\b|returning/i.test(String(query));
      return { ...bindReplacements(bound, given, expressions), givesRows };
    };
    const found = readStatement();
    const isPlain = found !== undefined && !found.statement.includes('{{') && found.statement.length <= MAX_STATEMENT;
    const isOpen = isEmptyParameter(operation === 'executeQuery' ? query : parameters['table']);
    if (isOpen) conversion.addChoice('config.statement', 'Write its statement.');
    else if (!isPlain) conversion.addTodo('Write its statement.');
    const givesRows = found?.givesRows === true;
    const config = isPlain
      ? {
          statement: found.statement,
          ...(Object.keys(found.parameters).length > 0 ? { parameters: found.parameters } : {}),
          mode: givesRows ? 'rows' : 'execute',
        }
      : {};
    const call = conversion.createCall({ type: 'sql', config }, givesRows);
    // What changes rows gives none of them.
    return givesRows ? call : { ...call, shape: '() => ({ success: true })' };
  };

export const SQL_CONVERTERS: Readonly<Record<string, NodeConverter>> = {
  postgres: convertSqlNode('PostgreSQL', '"'),
  mySql: convertSqlNode('MySQL', MYSQL_QUOTE),
};
