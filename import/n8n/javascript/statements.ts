import type { TokenCursor } from './cursor';
import { UnsupportedSyntaxError, type ExpressionSyntax } from './syntax';

/** A parameter or a variable: a name, or names for the parts of a value. */
interface BindingTarget {
  name: string;
  parts: { name: string; key: string | number }[];
}

/** Declarations and choices of a function: JSONata is nested as deeply. */
const MAX_FUNCTION_STATEMENTS = 30;

const UNDEFINED_RETURN: ExpressionSyntax = { kind: 'literal', value: undefined };
const DECLARATION_WORDS = ['const', 'let', 'var'];

/**
 * Reads `name`, `{ a, b: c }` or `[a, b]`; undefined: there is none of them. `index`: makes the name of a value without
 * one.
 */
function readBindingTarget(
  cursor: TokenCursor,
  ahead: number,
  index: number,
): { target: BindingTarget; length: number } | undefined {
  const nameAt = (place: number) => {
    const { kind, text } = cursor.peek(place);
    return kind === 'name' ? text : undefined;
  };
  const own = nameAt(ahead);
  if (own !== undefined) return { target: { name: own, parts: [] }, length: 1 };
  const end = cursor.isPunctuator('{', ahead) ? '}' : cursor.isPunctuator('[', ahead) ? ']' : undefined;
  if (!end) return undefined;
  const parts: BindingTarget['parts'] = [];
  let place = ahead + 1;
  while (!cursor.isPunctuator(end, place)) {
    const key = nameAt(place);
    if (key === undefined) return undefined;
    const isRenamed = end === '}' && cursor.isPunctuator(':', place + 1);
    const name = isRenamed ? nameAt(place + 2) : key;
    if (name === undefined) return undefined;
    parts.push({ name, key: end === '}' ? key : parts.length });
    place += isRenamed ? 3 : 1;
    if (cursor.isPunctuator(',', place)) place += 1;
    else if (!cursor.isPunctuator(end, place)) return undefined;
  }
  return { target: { name: `part${index}`, parts }, length: place + 1 - ahead };
}

/** An expression in which the parts of a value have names. */
const bindTargetParts = ({ name, parts }: BindingTarget, rest: ExpressionSyntax): ExpressionSyntax =>
  parts.reduceRight<ExpressionSyntax>((inner, one) => {
    const value: ExpressionSyntax = {
      kind: 'member',
      object: { kind: 'name', name },
      key: { kind: 'literal', value: one.key },
    };
    return { kind: 'let', name: one.name, value, rest: inner };
  }, rest);

/** Reads `x => …`, `(x, { y }) => …` or `function (x) { … }`; undefined: there is no function. */
export function readScriptFunction(
  cursor: TokenCursor,
  expression: () => ExpressionSyntax,
): ExpressionSyntax | undefined {
  const isNamed = cursor.isWord('function');
  const from = isNamed ? (cursor.peek(1).kind === 'name' ? 2 : 1) : 0;
  const targets: BindingTarget[] = [];
  let ahead = from;
  if (cursor.isPunctuator('(', ahead)) {
    ahead += 1;
    while (!cursor.isPunctuator(')', ahead)) {
      const found = readBindingTarget(cursor, ahead, targets.length);
      if (!found) return undefined;
      targets.push(found.target);
      ahead += found.length;
      if (cursor.isPunctuator(',', ahead)) ahead += 1;
      else if (!cursor.isPunctuator(')', ahead)) return undefined;
    }
    ahead += 1;
  } else {
    const { kind, text } = cursor.peek(ahead);
    if (kind !== 'name') return undefined;
    targets.push({ name: text, parts: [] });
    ahead += 1;
  }
  if (!isNamed && !cursor.isPunctuator('=>', ahead)) return undefined;
  cursor.next(isNamed ? ahead : ahead + 1);
  const body = isNamed || cursor.isPunctuator('{') ? readBlockStatement(cursor, expression) : expression();
  return {
    kind: 'arrow',
    parameters: targets.map(({ name }) => name),
    body: targets.reduceRight((inner, target) => bindTargetParts(target, inner), body),
  };
}

/** The value that statements in braces return. */
function readBlockStatement(cursor: TokenCursor, expression: () => ExpressionSyntax): ExpressionSyntax {
  cursor.expectPunctuator('{');
  const { value } = readStatements(cursor, expression);
  cursor.expectPunctuator('}');
  return value;
}

/** The value that statements return. `isEnd`: no statement after them runs. */
interface StatementsResult {
  value: ExpressionSyntax;
  isEnd: boolean;
}

/** Declarations, choices and returns: other statements change something, which expressions can not. */
function readStatements(cursor: TokenCursor, expression: () => ExpressionSyntax, count = 0): StatementsResult {
  if (count > MAX_FUNCTION_STATEMENTS) throw new UnsupportedSyntaxError('a function of this length');
  while (cursor.takePunctuator(';'));
  if (cursor.isPunctuator('}')) return { value: UNDEFINED_RETURN, isEnd: false };
  if (cursor.takeWord('return')) {
    const value = cursor.isPunctuator(';') || cursor.isPunctuator('}') ? UNDEFINED_RETURN : expression();
    while (cursor.takePunctuator(';'));
    if (!cursor.isPunctuator('}')) throw new UnsupportedSyntaxError('a function with statements');
    return { value, isEnd: true };
  }
  if (cursor.takeWord('if')) return readIfStatement(cursor, expression, count);
  if (!DECLARATION_WORDS.some((word) => cursor.takeWord(word)))
    throw new UnsupportedSyntaxError('a function with statements');
  const found = readBindingTarget(cursor, 0, 0);
  if (!found) throw new UnsupportedSyntaxError('a function with statements');
  cursor.next(found.length);
  cursor.expectPunctuator('=');
  const value = expression();
  const rest = readStatements(cursor, expression, count + 1);
  const { name } = found.target;
  return { value: { kind: 'let', name, value, rest: bindTargetParts(found.target, rest.value) }, isEnd: rest.isEnd };
}

/** `if (…) return …`, with what follows as the other case. */
function readIfStatement(cursor: TokenCursor, expression: () => ExpressionSyntax, count: number): StatementsResult {
  cursor.expectPunctuator('(');
  const test = expression();
  cursor.expectPunctuator(')');
  const yes = readIfBranch(cursor, expression, count);
  const no = cursor.takeWord('else') ? readIfBranch(cursor, expression, count) : undefined;
  if (!yes.isEnd || (no && !no.isEnd)) throw new UnsupportedSyntaxError('a function with statements');
  const rest = readStatements(cursor, expression, count + 1);
  if (!no) return { value: { kind: 'choice', test, yes: yes.value, no: rest.value }, isEnd: rest.isEnd };
  return { value: { kind: 'choice', test, yes: yes.value, no: no.value }, isEnd: true };
}

function readIfBranch(cursor: TokenCursor, expression: () => ExpressionSyntax, count: number): StatementsResult {
  if (cursor.takePunctuator('{')) {
    const found = readStatements(cursor, expression, count + 1);
    cursor.expectPunctuator('}');
    return found;
  }
  if (cursor.takeWord('if')) return readIfStatement(cursor, expression, count + 1);
  if (!cursor.takeWord('return')) throw new UnsupportedSyntaxError('a function with statements');
  const value = expression();
  cursor.takePunctuator(';');
  return { value, isEnd: true };
}
