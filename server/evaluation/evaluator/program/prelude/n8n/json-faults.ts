/** A fault in a text that is to be JSON: where it is, and what the engine of n8n says of it there. */
interface JsonFault {
  at: number;
  /** Absent: the sign there is none that may stand there. */
  says?: string;
}

const NO_SPACE = /[^ \t\n\r]/g;
const LITERAL = /true|false|null/y;
const NUMBER_START = /[-\d]/;
const NO_PLAIN_SIGN = /["\\\u0000-\u001F]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
const INTEGER = /-?(?:0|[1-9]\d*)/y;
/** So many signs around a fault are shown. */
const CONTEXT = 10;
/** Texts of other values, which are shown as they are. */
const OTHER_VALUES = new Set(['NaN', 'Infinity', 'undefined', '[object Object]']);

const EXPECTED = {
  name: "Expected property name or '}'",
  quotedName: 'Expected double-quoted property name',
  colon: "Expected ':' after property name",
  fieldEnd: "Expected ',' or '}' after property value",
  elementEnd: "Expected ',' or ']' after array element",
};

class JsonFaultFinder {
  private at = 0;

  constructor(private readonly text: string) {}

  /** The first fault; undefined: there is none. */
  find(): JsonFault | undefined {
    const fault = this.readValues();
    if (fault) return fault;
    this.skipTo(NO_SPACE);
    return this.at < this.text.length
      ? { at: this.at, says: 'Unexpected non-whitespace character after JSON' }
      : undefined;
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  /** Goes on to the next sign of a kind. A pattern that takes a long run itself needs memory for each sign of it. */
  private skipTo(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    this.at = pattern.exec(this.text)?.index ?? this.text.length;
  }

  private skip(sign: string): boolean {
    this.skipTo(NO_SPACE);
    const isThere = this.text[this.at] === sign;
    if (isThere) this.at += 1;
    return isThere;
  }

  private fault(says?: string): JsonFault {
    return says === undefined ? { at: this.at } : { at: this.at, says };
  }

  /** Reads a value and those inside of it, without calls of its own: texts may be deep. */
  private readValues(): JsonFault | undefined {
    const open: ('{' | '[')[] = [];
    let fault = this.readOpening(open);
    while (!fault && open.length > 0) {
      const isObject = open.at(-1) === '{';
      if (this.skip(isObject ? '}' : ']')) open.pop();
      else if (!this.skip(',')) return this.fault(isObject ? EXPECTED.fieldEnd : EXPECTED.elementEnd);
      else fault = (isObject ? this.readName(EXPECTED.quotedName) : undefined) ?? this.readOpening(open);
    }
    return fault;
  }

  /** Reads a value that has no values inside, or what opens others up to the first that has none. */
  private readOpening(open: ('{' | '[')[]): JsonFault | undefined {
    for (;;) {
      if (this.skip('{')) {
        if (this.skip('}')) return undefined;
        const fault = this.readName(EXPECTED.name);
        if (fault) return fault;
        open.push('{');
      } else if (this.skip('[')) {
        if (this.skip(']')) return undefined;
        open.push('[');
      } else return this.readPlain();
    }
  }

  private readName(says: string): JsonFault | undefined {
    this.skipTo(NO_SPACE);
    if (this.text[this.at] !== '"') return this.fault(says);
    const fault = this.readText();
    if (fault) return fault;
    return this.skip(':') ? undefined : this.fault(EXPECTED.colon);
  }

  private readPlain(): JsonFault | undefined {
    const sign = this.text[this.at] ?? '';
    if (sign === '"') return this.readText();
    if (NUMBER_START.test(sign)) return this.readNumber();
    return this.take(LITERAL) === undefined ? this.faultInLiteral(sign) : undefined;
  }

  /** The first sign of a word that is not as in the word that it begins. */
  private faultInLiteral(sign: string): JsonFault {
    const word = ['true', 'false', 'null'].find((one) => one[0] === sign) ?? '';
    for (let index = 0; index < word.length && this.text[this.at] === word[index]; index += 1) this.at += 1;
    const found = this.text[this.at] ?? '';
    if (NUMBER_START.test(found)) return this.fault('Unexpected number');
    return found === '"' ? this.fault('Unexpected string') : this.fault();
  }

  private readText(): JsonFault | undefined {
    this.at += 1;
    for (;;) {
      this.skipTo(NO_PLAIN_SIGN);
      const sign = this.text[this.at];
      if (sign === '"') {
        this.at += 1;
        return undefined;
      }
      if (sign === undefined) return this.fault('Unterminated string');
      if (sign !== '\\') return this.fault('Bad control character in string literal');
      if (this.take(ESCAPE) === undefined) return this.faultInEscape();
    }
  }

  private faultInEscape(): JsonFault {
    this.at += 1;
    const sign = this.text[this.at];
    if (sign === undefined) return this.fault();
    if (sign !== 'u') return this.fault('Bad escaped character');
    this.at += 1;
    while (/[\dA-Fa-f]/.test(this.text[this.at] ?? '')) this.at += 1;
    return this.fault('Bad Unicode escape');
  }

  private readNumber(): JsonFault | undefined {
    if (this.take(INTEGER) === undefined) {
      this.at += 1;
      return this.fault('No number after minus sign');
    }
    // A number does not begin with a zero.
    if (/\d/.test(this.text[this.at] ?? '') && this.text[this.at - 1] === '0') return this.fault('Unexpected number');
    if (this.text[this.at] === '.') {
      this.at += 1;
      if (!this.take(/\d+/y)) return this.fault('Unterminated fractional number');
    }
    if (this.take(/[eE][-+]?/y) !== undefined && !this.take(/\d+/y))
      return this.fault('Exponent part is missing a number');
    return undefined;
  }
}

/** A sign that must not stand where it does, with those around it. */
function describeUnexpectedSign(text: string, at: number): string {
  if (OTHER_VALUES.has(text)) return `"${text}" is not valid JSON`;
  if (at >= text.length) return 'Unexpected end of JSON input';
  const isShort = text.length <= 2 * CONTEXT;
  const start = isShort || at < CONTEXT ? 0 : at - CONTEXT;
  const end = isShort || at >= text.length - CONTEXT ? text.length : at + CONTEXT;
  const shown = `${start > 0 ? '...' : ''}"${text.slice(start, end)}"${end < text.length ? '...' : ''}`;
  return `Unexpected token '${text[at] ?? ''}', ${shown} is not valid JSON`;
}

/** What the engine of n8n says of a text that is no JSON; undefined: it is JSON. */
export function describeJsonFault(text: string): string | undefined {
  const fault = new JsonFaultFinder(text).find();
  if (!fault) return undefined;
  const { at, says } = fault;
  if (says === undefined) return describeUnexpectedSign(text, at);
  const before = text.slice(0, at).split(/\r\n|\r|\n/);
  const column = (before.at(-1)?.length ?? 0) + 1;
  const place = says.endsWith(' JSON') ? 'at' : 'in JSON at';
  return `${says} ${place} position ${at} (line ${before.length} column ${column})`;
}
