import { Unsupported, type Syntax } from './syntax';
import { tokensOf, type Token } from './tokens';

/** Operators with two sides by how strongly they bind. */
const STRENGTH: Readonly<Record<string, number>> = {
  '??': 1,
  '||': 1,
  '&&': 2,
  '==': 3,
  '!=': 3,
  '===': 3,
  '!==': 3,
  '<': 4,
  '>': 4,
  '<=': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
};

const MAX_LENGTH = 10_000;
const MAX_DEPTH = 40;

const WORDS: Readonly<Record<string, string | number | boolean | null | undefined>> = {
  true: true,
  false: false,
  null: null,
  undefined,
};
const KEYWORDS = new Set([
  'function',
  'await',
  'async',
  'return',
  'const',
  'let',
  'var',
  'delete',
  'void',
  'in',
  'instanceof',
]);

/** Parses an expression in JavaScript. Throws Unsupported for what has no counterpart, and for what is no expression. */
export function parse(source: string, depth = 0): Syntax {
  if (source.length > MAX_LENGTH) throw new Unsupported('an expression of this length');
  const parser = new Parser(tokensOf(source), depth);
  const syntax = parser.expression();
  parser.end();
  return syntax;
}

class Parser {
  private at = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private depth: number,
  ) {}

  expression(): Syntax {
    return this.deeper(() => this.arrow() ?? this.choice());
  }

  end(): void {
    if (this.token.kind !== 'end') throw new Unsupported('more than one expression');
  }

  private get token(): Token {
    return this.tokens[this.at] ?? { kind: 'end', text: '' };
  }

  private is(sign: string, ahead = 0): boolean {
    const token = this.tokens[this.at + ahead];
    return token?.kind === 'sign' && token.text === sign;
  }

  private take(sign: string): boolean {
    if (!this.is(sign)) return false;
    this.at += 1;
    return true;
  }

  private need(sign: string): void {
    if (!this.take(sign)) throw new Unsupported('this form of expression');
  }

  private deeper<Value>(read: () => Value): Value {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new Unsupported('an expression of this depth');
    const value = read();
    this.depth -= 1;
    return value;
  }

  /** `x => …` or `(x, y) => …`; undefined: it is none. */
  private arrow(): Syntax | undefined {
    const parameters: string[] = [];
    let ahead = 0;
    const name = () => {
      const token = this.tokens[this.at + ahead];
      if (token?.kind !== 'name') return false;
      parameters.push(token.text);
      ahead += 1;
      return true;
    };
    if (this.is('(')) {
      ahead += 1;
      while (name() && this.is(',', ahead)) ahead += 1;
      if (!this.is(')', ahead)) return undefined;
      ahead += 1;
    } else if (!name()) return undefined;
    if (!this.is('=>', ahead)) return undefined;
    this.at += ahead + 1;
    if (this.is('{')) throw new Unsupported('a function with statements');
    return { kind: 'arrow', parameters, body: this.expression() };
  }

  private choice(): Syntax {
    const test = this.binary(0);
    if (!this.take('?')) return test;
    const yes = this.expression();
    this.need(':');
    return { kind: 'choice', test, yes, no: this.expression() };
  }

  private binary(least: number): Syntax {
    let left = this.unary();
    for (;;) {
      const { kind, text: operator } = this.token;
      const strength = kind === 'sign' ? STRENGTH[operator] : undefined;
      if (strength === undefined || strength <= least) return left;
      this.at += 1;
      const before = left;
      left = { kind: 'binary', operator, left: before, right: this.deeper(() => this.binary(strength)) };
    }
  }

  private unary(): Syntax {
    const { kind, text } = this.token;
    const isOperator = (kind === 'sign' && ['!', '-', '+'].includes(text)) || (kind === 'name' && text === 'typeof');
    if (!isOperator) return this.postfix();
    this.at += 1;
    const operator = text as '!' | '-' | '+' | 'typeof';
    return { kind: 'unary', operator, operand: this.deeper(() => this.unary()) };
  }

  private postfix(): Syntax {
    let value = this.primary();
    for (let links = 0; ; links += 1) {
      if (links > MAX_DEPTH) throw new Unsupported('an expression of this depth');
      if (this.take('?.')) {
        if (!this.is('[') && !this.is('(')) value = this.named(value);
      } else if (this.take('.')) value = this.named(value);
      else if (this.take('[')) {
        value = { kind: 'member', object: value, key: this.expression() };
        this.need(']');
      } else if (this.take('(')) {
        value = { kind: 'call', callee: value, parameters: this.several(')'), isNew: false };
      } else return value;
    }
  }

  private named(object: Syntax): Syntax {
    const { kind, text } = this.token;
    if (kind !== 'name') throw new Unsupported('this form of expression');
    this.at += 1;
    return { kind: 'member', object, key: { kind: 'literal', value: text } };
  }

  /** Expressions with commas between them, up to a sign that ends them. */
  private several(end: string): Syntax[] {
    const found: Syntax[] = [];
    while (!this.take(end)) {
      if (this.is('...')) throw new Unsupported('a spread');
      found.push(this.expression());
      if (!this.is(end)) this.need(',');
    }
    return found;
  }

  private primary(): Syntax {
    const token = this.token;
    this.at += 1;
    if (token.kind === 'string') return { kind: 'literal', value: token.text };
    if (token.kind === 'number') return { kind: 'literal', value: Number(token.text) };
    if (token.kind === 'template') return this.text(token.parts);
    if (token.kind === 'name') return this.word(token.text);
    if (token.text === '[') return { kind: 'list', items: this.several(']') };
    if (token.text === '{') return this.object();
    if (token.text !== '(') throw new Unsupported('this form of expression');
    const value = this.expression();
    this.need(')');
    return value;
  }

  private word(name: string): Syntax {
    if (Object.hasOwn(WORDS, name)) return { kind: 'literal', value: WORDS[name] };
    if (KEYWORDS.has(name)) throw new Unsupported(`\`${name}\``);
    if (name !== 'new') return { kind: 'name', name };
    const { kind, text } = this.token;
    if (kind !== 'name') throw new Unsupported('this form of expression');
    this.at += 1;
    const parameters = this.take('(') ? this.several(')') : [];
    return { kind: 'call', callee: { kind: 'name', name: text }, parameters, isNew: true };
  }

  private text(parts: readonly { text: string; source?: string }[]): Syntax {
    const found = parts.flatMap(({ text, source }) => [
      ...(text === '' ? [] : [text]),
      ...(source === undefined ? [] : [parse(source, this.depth + 1)]),
    ]);
    return { kind: 'text', parts: found };
  }

  private object(): Syntax {
    const entries: (Syntax & { kind: 'object' })['entries'] = [];
    while (!this.take('}')) {
      if (this.take('...')) entries.push({ spread: this.expression() });
      else entries.push(this.entry());
      if (!this.is('}')) this.need(',');
    }
    return { kind: 'object', entries };
  }

  private entry(): { key: Syntax; value: Syntax } {
    const token = this.token;
    this.at += 1;
    if (token.kind === 'sign' && token.text === '[') {
      const key = this.expression();
      this.need(']');
      this.need(':');
      return { key, value: this.expression() };
    }
    if (token.kind !== 'name' && token.kind !== 'string' && token.kind !== 'number') {
      throw new Unsupported('this form of expression');
    }
    const key: Syntax = { kind: 'literal', value: token.text };
    if (token.kind === 'name' && !this.is(':')) return { key, value: { kind: 'name', name: token.text } };
    this.need(':');
    return { key, value: this.expression() };
  }
}
