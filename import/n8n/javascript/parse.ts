import { TokenCursor } from './cursor';
import { readScriptFunction } from './statements';
import { UnsupportedSyntaxError, type ExpressionSyntax } from './syntax';
import { tokenizeScript } from './tokens';

/** Operators with two sides by how strongly they bind. */
const BINDING_STRENGTHS: Readonly<Record<string, number>> = {
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

const MAX_SCRIPT_LENGTH = 10_000;
const MAX_SCRIPT_DEPTH = 40;

const LITERAL_WORDS: Readonly<Record<string, string | number | boolean | null | undefined>> = {
  true: true,
  false: false,
  null: null,
  undefined,
};
const UNSUPPORTED_KEYWORDS = new Set([
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

/**
 * Parses an expression in JavaScript. Throws Unsupported for what has no counterpart, and for what is no expression.
 */
export function parseScriptExpression(source: string, depth = 0): ExpressionSyntax {
  if (source.length > MAX_SCRIPT_LENGTH) throw new UnsupportedSyntaxError('an expression of this length');
  const parser = new ScriptParser(new TokenCursor(tokenizeScript(source)), depth);
  const syntax = parser.expression();
  parser.end();
  return syntax;
}

class ScriptParser {
  constructor(
    private readonly cursor: TokenCursor,
    private depth: number,
  ) {}

  expression(): ExpressionSyntax {
    return this.deeper(() => readScriptFunction(this.cursor, () => this.expression()) ?? this.choice());
  }

  end(): void {
    while (this.cursor.takePunctuator(';'));
    if (this.cursor.peek().kind !== 'end') throw new UnsupportedSyntaxError('more than one expression');
  }

  private deeper<Value>(read: () => Value): Value {
    this.depth += 1;
    if (this.depth > MAX_SCRIPT_DEPTH) throw new UnsupportedSyntaxError('an expression of this depth');
    const value = read();
    this.depth -= 1;
    return value;
  }

  private choice(): ExpressionSyntax {
    const test = this.binary(0);
    if (!this.cursor.takePunctuator('?')) return test;
    const yes = this.expression();
    this.cursor.expectPunctuator(':');
    return { kind: 'choice', test, yes, no: this.expression() };
  }

  private binary(least: number): ExpressionSyntax {
    let left = this.unary();
    for (;;) {
      const { kind, text: operator } = this.cursor.peek();
      const strength = kind === 'sign' ? BINDING_STRENGTHS[operator] : undefined;
      if (strength === undefined || strength <= least) return left;
      this.cursor.next();
      const before = left;
      left = { kind: 'binary', operator, left: before, right: this.deeper(() => this.binary(strength)) };
    }
  }

  private unary(): ExpressionSyntax {
    const { kind, text } = this.cursor.peek();
    const isOperator = (kind === 'sign' && ['!', '-', '+'].includes(text)) || (kind === 'name' && text === 'typeof');
    if (!isOperator) return this.postfix();
    this.cursor.next();
    const operator = text as '!' | '-' | '+' | 'typeof';
    return { kind: 'unary', operator, operand: this.deeper(() => this.unary()) };
  }

  private postfix(): ExpressionSyntax {
    let value = this.primary();
    for (let links = 0; ; links += 1) {
      if (links > MAX_SCRIPT_DEPTH) throw new UnsupportedSyntaxError('an expression of this depth');
      if (this.cursor.takePunctuator('?.')) {
        if (!this.cursor.isPunctuator('[') && !this.cursor.isPunctuator('(')) value = this.named(value);
      } else if (this.cursor.takePunctuator('.')) value = this.named(value);
      else if (this.cursor.takePunctuator('[')) {
        value = { kind: 'member', object: value, key: this.expression() };
        this.cursor.expectPunctuator(']');
      } else if (this.cursor.takePunctuator('(')) {
        value = { kind: 'call', callee: value, parameters: this.several(')'), isNew: false };
      } else return value;
    }
  }

  private named(object: ExpressionSyntax): ExpressionSyntax {
    return { kind: 'member', object, key: { kind: 'literal', value: this.cursor.name() } };
  }

  /** Expressions with commas between them, up to a sign that ends them. */
  private several(end: string): ExpressionSyntax[] {
    const found: ExpressionSyntax[] = [];
    while (!this.cursor.takePunctuator(end)) {
      if (this.cursor.takePunctuator('...')) found.push({ kind: 'spread', value: this.expression() });
      else found.push(this.expression());
      if (!this.cursor.isPunctuator(end)) this.cursor.expectPunctuator(',');
    }
    return found;
  }

  private primary(): ExpressionSyntax {
    const token = this.cursor.next();
    if (token.kind === 'string') return { kind: 'literal', value: token.text };
    if (token.kind === 'number') return { kind: 'literal', value: Number(token.text) };
    if (token.kind === 'template') return this.text(token.parts);
    if (token.kind === 'pattern') return { kind: 'pattern', source: token.text, flags: token.flags };
    if (token.kind === 'name') return this.word(token.text);
    if (token.text === '[') return { kind: 'list', items: this.several(']') };
    if (token.text === '{') return this.object();
    if (token.text !== '(') throw new UnsupportedSyntaxError('this form of expression');
    const value = this.expression();
    this.cursor.expectPunctuator(')');
    return value;
  }

  private word(name: string): ExpressionSyntax {
    if (Object.hasOwn(LITERAL_WORDS, name)) return { kind: 'literal', value: LITERAL_WORDS[name] };
    if (UNSUPPORTED_KEYWORDS.has(name)) throw new UnsupportedSyntaxError(`\`${name}\``);
    if (name !== 'new') return { kind: 'name', name };
    const text = this.cursor.name();
    const parameters = this.cursor.takePunctuator('(') ? this.several(')') : [];
    return { kind: 'call', callee: { kind: 'name', name: text }, parameters, isNew: true };
  }

  private text(parts: readonly { text: string; source?: string }[]): ExpressionSyntax {
    const found = parts.flatMap(({ text, source }) => [
      ...(text === '' ? [] : [text]),
      ...(source === undefined ? [] : [parseScriptExpression(source, this.depth + 1)]),
    ]);
    return { kind: 'text', parts: found };
  }

  private object(): ExpressionSyntax {
    const entries: (ExpressionSyntax & { kind: 'object' })['entries'] = [];
    while (!this.cursor.takePunctuator('}')) {
      if (this.cursor.takePunctuator('...')) entries.push({ spread: this.expression() });
      else entries.push(this.entry());
      if (!this.cursor.isPunctuator('}')) this.cursor.expectPunctuator(',');
    }
    return { kind: 'object', entries };
  }

  private entry(): { key: ExpressionSyntax; value: ExpressionSyntax } {
    const token = this.cursor.next();
    if (token.kind === 'sign' && token.text === '[') {
      const key = this.expression();
      this.cursor.expectPunctuator(']');
      this.cursor.expectPunctuator(':');
      return { key, value: this.expression() };
    }
    if (token.kind !== 'name' && token.kind !== 'string' && token.kind !== 'number') {
      throw new UnsupportedSyntaxError('this form of expression');
    }
    const key: ExpressionSyntax = { kind: 'literal', value: token.text };
    if (token.kind === 'name' && !this.cursor.isPunctuator(':'))
      return { key, value: { kind: 'name', name: token.text } };
    this.cursor.expectPunctuator(':');
    return { key, value: this.expression() };
  }
}
