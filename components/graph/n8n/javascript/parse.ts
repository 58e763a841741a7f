import { Cursor } from './cursor';
import { functionAt } from './statements';
import { Unsupported, type Syntax } from './syntax';
import { tokensOf } from './tokens';

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
  const parser = new Parser(new Cursor(tokensOf(source)), depth);
  const syntax = parser.expression();
  parser.end();
  return syntax;
}

class Parser {
  constructor(
    private readonly cursor: Cursor,
    private depth: number,
  ) {}

  expression(): Syntax {
    return this.deeper(() => functionAt(this.cursor, () => this.expression()) ?? this.choice());
  }

  end(): void {
    while (this.cursor.take(';'));
    if (this.cursor.peek().kind !== 'end') throw new Unsupported('more than one expression');
  }

  private deeper<Value>(read: () => Value): Value {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new Unsupported('an expression of this depth');
    const value = read();
    this.depth -= 1;
    return value;
  }

  private choice(): Syntax {
    const test = this.binary(0);
    if (!this.cursor.take('?')) return test;
    const yes = this.expression();
    this.cursor.need(':');
    return { kind: 'choice', test, yes, no: this.expression() };
  }

  private binary(least: number): Syntax {
    let left = this.unary();
    for (;;) {
      const { kind, text: operator } = this.cursor.peek();
      const strength = kind === 'sign' ? STRENGTH[operator] : undefined;
      if (strength === undefined || strength <= least) return left;
      this.cursor.next();
      const before = left;
      left = { kind: 'binary', operator, left: before, right: this.deeper(() => this.binary(strength)) };
    }
  }

  private unary(): Syntax {
    const { kind, text } = this.cursor.peek();
    const isOperator = (kind === 'sign' && ['!', '-', '+'].includes(text)) || (kind === 'name' && text === 'typeof');
    if (!isOperator) return this.postfix();
    this.cursor.next();
    const operator = text as '!' | '-' | '+' | 'typeof';
    return { kind: 'unary', operator, operand: this.deeper(() => this.unary()) };
  }

  private postfix(): Syntax {
    let value = this.primary();
    for (let links = 0; ; links += 1) {
      if (links > MAX_DEPTH) throw new Unsupported('an expression of this depth');
      if (this.cursor.take('?.')) {
        if (!this.cursor.is('[') && !this.cursor.is('(')) value = this.named(value);
      } else if (this.cursor.take('.')) value = this.named(value);
      else if (this.cursor.take('[')) {
        value = { kind: 'member', object: value, key: this.expression() };
        this.cursor.need(']');
      } else if (this.cursor.take('(')) {
        value = { kind: 'call', callee: value, parameters: this.several(')'), isNew: false };
      } else return value;
    }
  }

  private named(object: Syntax): Syntax {
    return { kind: 'member', object, key: { kind: 'literal', value: this.cursor.name() } };
  }

  /** Expressions with commas between them, up to a sign that ends them. */
  private several(end: string): Syntax[] {
    const found: Syntax[] = [];
    while (!this.cursor.take(end)) {
      if (this.cursor.take('...')) found.push({ kind: 'spread', value: this.expression() });
      else found.push(this.expression());
      if (!this.cursor.is(end)) this.cursor.need(',');
    }
    return found;
  }

  private primary(): Syntax {
    const token = this.cursor.next();
    if (token.kind === 'string') return { kind: 'literal', value: token.text };
    if (token.kind === 'number') return { kind: 'literal', value: Number(token.text) };
    if (token.kind === 'template') return this.text(token.parts);
    if (token.kind === 'pattern') return { kind: 'pattern', source: token.text, flags: token.flags };
    if (token.kind === 'name') return this.word(token.text);
    if (token.text === '[') return { kind: 'list', items: this.several(']') };
    if (token.text === '{') return this.object();
    if (token.text !== '(') throw new Unsupported('this form of expression');
    const value = this.expression();
    this.cursor.need(')');
    return value;
  }

  private word(name: string): Syntax {
    if (Object.hasOwn(WORDS, name)) return { kind: 'literal', value: WORDS[name] };
    if (KEYWORDS.has(name)) throw new Unsupported(`\`${name}\``);
    if (name !== 'new') return { kind: 'name', name };
    const text = this.cursor.name();
    const parameters = this.cursor.take('(') ? this.several(')') : [];
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
    while (!this.cursor.take('}')) {
      if (this.cursor.take('...')) entries.push({ spread: this.expression() });
      else entries.push(this.entry());
      if (!this.cursor.is('}')) this.cursor.need(',');
    }
    return { kind: 'object', entries };
  }

  private entry(): { key: Syntax; value: Syntax } {
    const token = this.cursor.next();
    if (token.kind === 'sign' && token.text === '[') {
      const key = this.expression();
      this.cursor.need(']');
      this.cursor.need(':');
      return { key, value: this.expression() };
    }
    if (token.kind !== 'name' && token.kind !== 'string' && token.kind !== 'number') {
      throw new Unsupported('this form of expression');
    }
    const key: Syntax = { kind: 'literal', value: token.text };
    if (token.kind === 'name' && !this.cursor.is(':')) return { key, value: { kind: 'name', name: token.text } };
    this.cursor.need(':');
    return { key, value: this.expression() };
  }
}
