import { UnsupportedSyntaxError } from './syntax';

/** A piece of JavaScript. `text` of a string is its value; a template has its parts as sources. */
export type ScriptToken =
  | { kind: 'name' | 'sign' | 'string' | 'number'; text: string }
  | { kind: 'template'; text: ''; parts: { text: string; source?: string }[] }
  | { kind: 'pattern'; text: string; flags: string }
  | { kind: 'end'; text: '' };

const SCRIPT_PUNCTUATORS = [
  '...',
  '===',
  '!==',
  '=>',
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '??',
  '?.',
  ...'(){}[],.?:+-*/%<>!=;'.split(''),
];

const isDigitCharacter = (sign: string | undefined) => sign !== undefined && sign >= '0' && sign <= '9';
const isNameCharacter = (sign: string) => /[\p{L}\p{Nl}$_]/u.test(sign);
const isSpaceCharacter = (sign: string) => /\s/.test(sign);

const ESCAPE_SEQUENCES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
};

/** Words that are followed by a value, so that a slash after them begins a pattern. */
const WORDS_BEFORE_VALUES = new Set(['return', 'typeof']);

/** Splits an expression into its pieces, in linear time. Throws Unsupported. */
export function tokenizeScript(source: string): ScriptToken[] {
  const reader = new TokenReader(source);
  const tokens: ScriptToken[] = [];
  for (;;) {
    const token = reader.next();
    tokens.push(token);
    if (token.kind === 'end') return tokens;
  }
}

/** Texts with expressions may contain others, up to this depth. */
const MAX_TEMPLATE_DEPTH = 8;

class TokenReader {
  private at = 0;
  private templates = 0;
  /** Whether a slash would divide, because a value is before it. */
  private isBehindValue = false;

  constructor(private readonly source: string) {}

  next(): ScriptToken {
    const token = this.read();
    this.isBehindValue =
      token.kind === 'sign'
        ? [')', ']', '}'].includes(token.text)
        : !WORDS_BEFORE_VALUES.has(token.text) || token.kind !== 'name';
    return token;
  }

  private read(): ScriptToken {
    this.skip();
    const sign = this.source.charAt(this.at);
    if (sign === '') return { kind: 'end', text: '' };
    if (sign === '"' || sign === "'") return { kind: 'string', text: this.quoted(sign) };
    if (sign === '`') return { kind: 'template', text: '', parts: this.template() };
    if (isDigitCharacter(sign) || (sign === '.' && isDigitCharacter(this.source[this.at + 1]))) return this.number();
    if (isNameCharacter(sign)) return this.word();
    if (sign === '/' && !this.isBehindValue) return this.pattern();
    return this.sign();
  }

  /** A regular expression, as it is written. */
  private pattern(): ScriptToken {
    const from = this.at + 1;
    for (let isInClass = false; ;) {
      this.at += 1;
      const sign = this.source.charAt(this.at);
      if (sign === '' || sign === '\n') throw new UnsupportedSyntaxError('a pattern without its end');
      if (sign === '\\') this.at += 1;
      else if (sign === '[') isInClass = true;
      else if (sign === ']') isInClass = false;
      else if (sign === '/' && !isInClass) break;
    }
    const text = this.source.slice(from, this.at);
    this.at += 1;
    const flags = /^[a-z]*/.exec(this.source.slice(this.at, this.at + 10))?.[0] ?? '';
    this.at += flags.length;
    return { kind: 'pattern', text, flags };
  }

  /** Moves behind spaces and comments. */
  private skip(): void {
    for (;;) {
      while (this.at < this.source.length && isSpaceCharacter(this.source.charAt(this.at))) this.at += 1;
      if (this.source.startsWith('//', this.at)) {
        const line = this.source.indexOf('\n', this.at);
        this.at = line === -1 ? this.source.length : line;
        continue;
      }
      if (!this.source.startsWith('/*', this.at)) return;
      const end = this.source.indexOf('*/', this.at + 2);
      if (end === -1) throw new UnsupportedSyntaxError('a comment without its end');
      this.at = end + 2;
    }
  }

  private sign(): ScriptToken {
    const found = SCRIPT_PUNCTUATORS.find((sign) => this.source.startsWith(sign, this.at));
    if (!found) throw new UnsupportedSyntaxError(`the sign ${this.source.charAt(this.at)}`);
    // In `a ?.5 : b` the sign is a question mark.
    const text = found === '?.' && isDigitCharacter(this.source[this.at + 2]) ? '?' : found;
    this.at += text.length;
    return { kind: 'sign', text };
  }

  private word(): ScriptToken {
    const from = this.at;
    while (
      this.at < this.source.length &&
      (isNameCharacter(this.source.charAt(this.at)) || isDigitCharacter(this.source[this.at]))
    ) {
      this.at += 1;
    }
    return { kind: 'name', text: this.source.slice(from, this.at) };
  }

  private number(): ScriptToken {
    const from = this.at;
    while (isDigitCharacter(this.source[this.at]) || this.source[this.at] === '.' || this.source[this.at] === '_')
      this.at += 1;
    const text = this.source.slice(from, this.at).replaceAll('_', '');
    if (!Number.isFinite(Number(text)) || /[\p{L}$]/u.test(this.source.charAt(this.at))) {
      throw new UnsupportedSyntaxError('a number of this form');
    }
    return { kind: 'number', text };
  }

  /** Reads the escape sequence at the current position and returns its value. */
  private escape(): string {
    const sign = this.source.charAt(this.at + 1);
    this.at += 2;
    if (sign === 'u' || sign === 'x') {
      const length = sign === 'u' ? 4 : 2;
      const digits = this.source.slice(this.at, this.at + length);
      if (digits.length < length || /[^0-9a-f]/i.test(digits))
        throw new UnsupportedSyntaxError('an escape of this form');
      this.at += length;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    return sign === '\n' ? '' : (ESCAPE_SEQUENCES[sign] ?? sign);
  }

  private quoted(quote: string): string {
    const parts: string[] = [];
    this.at += 1;
    for (;;) {
      const sign = this.source.charAt(this.at);
      if (sign === '' || sign === '\n') throw new UnsupportedSyntaxError('a text without its end');
      if (sign === quote) break;
      if (sign === '\\') parts.push(this.escape());
      else {
        parts.push(sign);
        this.at += 1;
      }
    }
    this.at += 1;
    return parts.join('');
  }

  private template(): { text: string; source?: string }[] {
    this.templates += 1;
    if (this.templates > MAX_TEMPLATE_DEPTH) throw new UnsupportedSyntaxError('an expression of this depth');
    const parts: { text: string; source?: string }[] = [];
    let text = '';
    this.at += 1;
    for (;;) {
      const sign = this.source.charAt(this.at);
      if (sign === '') throw new UnsupportedSyntaxError('a text without its end');
      if (sign === '`') break;
      if (sign === '\\') text += this.escape();
      else if (this.source.startsWith('${', this.at)) {
        parts.push({ text, source: this.inserted() });
        text = '';
      } else {
        text += sign;
        this.at += 1;
      }
    }
    this.at += 1;
    this.templates -= 1;
    return [...parts, { text }];
  }

  /** The source between `${` and the brace that closes it. */
  private inserted(): string {
    this.at += 2;
    const from = this.at;
    for (let depth = 0; ;) {
      const token = this.next();
      if (token.kind === 'end') throw new UnsupportedSyntaxError('a text without its end');
      if (token.kind !== 'sign') continue;
      if (token.text === '{') depth += 1;
      if (token.text === '}' && depth === 0) return this.source.slice(from, this.at - 1);
      if (token.text === '}') depth -= 1;
    }
  }
}
