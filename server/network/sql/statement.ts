import { createConfigFailure, NodeFailure } from '@/server/platform/errors/node-failure';

export type SqlDialect = 'postgres' | 'mysql';

/** A statement with the placeholders of its server. */
export interface ParsedStatement {
  text: string;
  /** The parameter of each value to bind, in order. */
  names: string[];
}

const PARAMETER_NAME_PATTERN = /[A-Za-z_]\w*/y;
/** Names and numbers: `a[low:high]` is a slice of an array, and `E'…'` begins with a name. */
const SQL_WORD_PATTERN = /[\w\u0080-\uffff][\w$\u0080-\uffff]*/y;
const DOLLAR_TAG_PATTERN = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;
const DOLLAR_NUMBER_PATTERN = /\$\d+/y;

/** The text that `pattern` matches at a position. */
function matchTextAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

const endOfMark = (text: string, mark: string, from: number): number => {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
};

/** The end of a quoted text that begins at `at`. A doubled quote is part of it. */
function quotedTextEnd(text: string, at: number, hasBackslashes: boolean): number {
  const quote = text[at];
  for (let index = at + 1; index < text.length; index += 1) {
    if (hasBackslashes && text[index] === '\\') index += 1;
    else if (text[index] !== quote) continue;
    else if (text[index + 1] === quote) index += 1;
    else return index + 1;
  }
  return text.length;
}

/** PostgreSQL nests comments. */
function nestedCommentEnd(text: string, at: number): number {
  let depth = 0;
  for (let index = at; index < text.length; index += 1) {
    const pair = text.slice(index, index + 2);
    if (pair === '/*') depth += 1;
    else if (pair === '*/') depth -= 1;
    else continue;
    index += 1;
    if (depth === 0) return index + 1;
  }
  return text.length;
}

const unnamedParameterFailure = (mark: string) =>
  createConfigFailure('statement', `use a named parameter such as :name in place of ${mark}`);

/**
 * The end of what begins at `at` and cannot contain a parameter: a string, a comment, a quoted name. Undefined: nothing
 * of this kind.
 */
function postgresTokenEnd(text: string, at: number): number | undefined {
  switch (text[at]) {
    case "'": {
      const isEscaped = /(?:^|[^\w$\u0080-\uffff])[eE]$/.test(text.slice(Math.max(0, at - 2), at));
      return quotedTextEnd(text, at, isEscaped);
    }
    case '"':
      return quotedTextEnd(text, at, false);
    case '-':
      return text[at + 1] === '-' ? endOfMark(text, '\n', at) : undefined;
    case '/':
      return text[at + 1] === '*' ? nestedCommentEnd(text, at) : undefined;
    case '$': {
      const tag = matchTextAt(DOLLAR_TAG_PATTERN, text, at);
      if (tag !== undefined) return endOfMark(text, tag, at + tag.length);
      const number = matchTextAt(DOLLAR_NUMBER_PATTERN, text, at);
      if (number !== undefined) throw unnamedParameterFailure(number);
      return undefined;
    }
    default:
      return undefined;
  }
}

function mysqlTokenEnd(text: string, at: number): number | undefined {
  switch (text[at]) {
    case "'":
    case '"':
      return quotedTextEnd(text, at, true);
    case '`':
      return quotedTextEnd(text, at, false);
    case '#':
      return endOfMark(text, '\n', at);
    case '-':
      return /^--(?:\s|$)/.test(text.slice(at, at + 3)) ? endOfMark(text, '\n', at) : undefined;
    case '/':
      return text[at + 1] === '*' ? endOfMark(text, '*/', at + 2) : undefined;
    case '?':
      throw unnamedParameterFailure('?');
    default:
      return undefined;
  }
}

/**
 * Replaces the parameters `:name` of a statement by the placeholders of the server: `$1` or `?`. Strings, quoted names
 * and comments are left as they are, and so are `::type`, `:=` and slices of arrays. Linear in the length of the text.
 * Throws NodeFailure CONFIG for a placeholder without a name.
 */
export function parseSqlStatement(source: string, dialect: SqlDialect): ParsedStatement {
  const endOfToken = dialect === 'postgres' ? postgresTokenEnd : mysqlTokenEnd;
  const names: string[] = [];
  let text = '';
  let written = 0;
  const placeholder = (name: string): string => {
    const known = dialect === 'postgres' ? names.indexOf(name) : -1;
    if (known === -1) names.push(name);
    return dialect === 'postgres' ? `$${known === -1 ? names.length : known + 1}` : '?';
  };
  for (let at = 0; at < source.length;) {
    const end = endOfToken(source, at);
    const word = end === undefined ? matchTextAt(SQL_WORD_PATTERN, source, at) : undefined;
    if (end !== undefined) at = end;
    // After a word, a colon begins the end of a slice.
    else if (word !== undefined)
      at += word.length + (/^:[^:=]/.test(source.slice(at + word.length, at + word.length + 2)) ? 1 : 0);
    else if (source.startsWith('::', at) || source.startsWith(':=', at)) at += 2;
    else {
      const name = source[at] === ':' ? matchTextAt(PARAMETER_NAME_PATTERN, source, at + 1) : undefined;
      const next = at + 1 + (name?.length ?? 0);
      if (name !== undefined) {
        text += source.slice(written, at) + placeholder(name);
        written = next;
      }
      at = next;
    }
  }
  return { text: text + source.slice(written), names };
}

/** The parameters that a statement names for a server of either kind. A statement that neither can read names none. */
export function findParameterNames(source: string): string[] {
  try {
    const { names } = parseSqlStatement(source, 'mysql');
    return parseSqlStatement(source, 'postgres').names.filter((name) => names.includes(name));
  } catch (error) {
    if (error instanceof NodeFailure) return [];
    throw error;
  }
}
