import type { Cursor } from './cursor';
import { Unsupported, type Syntax } from './syntax';

/** A parameter or a variable: a name, or names for the parts of a value. */
interface Target {
  name: string;
  parts: { name: string; key: string | number }[];
}

/** Declarations and choices of a function: JSONata is nested as deeply. */
const MAX_STATEMENTS = 30;

const NOTHING: Syntax = { kind: 'literal', value: undefined };
const DECLARES = ['const', 'let', 'var'];

/** Reads `name`, `{ a, b: c }` or `[a, b]`; undefined: there is none of them. `index`: makes the name of a value without one. */
function targetAt(cursor: Cursor, ahead: number, index: number): { target: Target; length: number } | undefined {
  const nameAt = (place: number) => {
    const { kind, text } = cursor.peek(place);
    return kind === 'name' ? text : undefined;
  };
  const own = nameAt(ahead);
  if (own !== undefined) return { target: { name: own, parts: [] }, length: 1 };
  const end = cursor.is('{', ahead) ? '}' : cursor.is('[', ahead) ? ']' : undefined;
  if (!end) return undefined;
  const parts: Target['parts'] = [];
  let place = ahead + 1;
  while (!cursor.is(end, place)) {
    const key = nameAt(place);
    if (key === undefined) return undefined;
    const isRenamed = end === '}' && cursor.is(':', place + 1);
    const name = isRenamed ? nameAt(place + 2) : key;
    if (name === undefined) return undefined;
    parts.push({ name, key: end === '}' ? key : parts.length });
    place += isRenamed ? 3 : 1;
    if (cursor.is(',', place)) place += 1;
    else if (!cursor.is(end, place)) return undefined;
  }
  return { target: { name: `part${index}`, parts }, length: place + 1 - ahead };
}

/** An expression in which the parts of a value have names. */
const withParts = ({ name, parts }: Target, rest: Syntax): Syntax =>
  parts.reduceRight<Syntax>((inner, one) => {
    const value: Syntax = {
      kind: 'member',
      object: { kind: 'name', name },
      key: { kind: 'literal', value: one.key },
    };
    return { kind: 'let', name: one.name, value, rest: inner };
  }, rest);

/** Reads `x => …`, `(x, { y }) => …` or `function (x) { … }`; undefined: there is no function. */
export function functionAt(cursor: Cursor, expression: () => Syntax): Syntax | undefined {
  const isNamed = cursor.isWord('function');
  const from = isNamed ? (cursor.peek(1).kind === 'name' ? 2 : 1) : 0;
  const targets: Target[] = [];
  let ahead = from;
  if (cursor.is('(', ahead)) {
    ahead += 1;
    while (!cursor.is(')', ahead)) {
      const found = targetAt(cursor, ahead, targets.length);
      if (!found) return undefined;
      targets.push(found.target);
      ahead += found.length;
      if (cursor.is(',', ahead)) ahead += 1;
      else if (!cursor.is(')', ahead)) return undefined;
    }
    ahead += 1;
  } else {
    const { kind, text } = cursor.peek(ahead);
    if (kind !== 'name') return undefined;
    targets.push({ name: text, parts: [] });
    ahead += 1;
  }
  if (!isNamed && !cursor.is('=>', ahead)) return undefined;
  cursor.next(isNamed ? ahead : ahead + 1);
  const body = isNamed || cursor.is('{') ? block(cursor, expression) : expression();
  return {
    kind: 'arrow',
    parameters: targets.map(({ name }) => name),
    body: targets.reduceRight((inner, target) => withParts(target, inner), body),
  };
}

/** The value that statements in braces return. */
function block(cursor: Cursor, expression: () => Syntax): Syntax {
  cursor.need('{');
  const { value } = statements(cursor, expression);
  cursor.need('}');
  return value;
}

/** What statements return. `isEnd`: nothing behind them runs. */
interface Returned {
  value: Syntax;
  isEnd: boolean;
}

/** Declarations, choices and returns: other statements change something, which expressions can not. */
function statements(cursor: Cursor, expression: () => Syntax, count = 0): Returned {
  if (count > MAX_STATEMENTS) throw new Unsupported('a function of this length');
  while (cursor.take(';'));
  if (cursor.is('}')) return { value: NOTHING, isEnd: false };
  if (cursor.takeWord('return')) {
    const value = cursor.is(';') || cursor.is('}') ? NOTHING : expression();
    while (cursor.take(';'));
    if (!cursor.is('}')) throw new Unsupported('a function with statements');
    return { value, isEnd: true };
  }
  if (cursor.takeWord('if')) return choice(cursor, expression, count);
  if (!DECLARES.some((word) => cursor.takeWord(word))) throw new Unsupported('a function with statements');
  const found = targetAt(cursor, 0, 0);
  if (!found) throw new Unsupported('a function with statements');
  cursor.next(found.length);
  cursor.need('=');
  const value = expression();
  const rest = statements(cursor, expression, count + 1);
  const { name } = found.target;
  return { value: { kind: 'let', name, value, rest: withParts(found.target, rest.value) }, isEnd: rest.isEnd };
}

/** `if (…) return …`, with what follows as the other case. */
function choice(cursor: Cursor, expression: () => Syntax, count: number): Returned {
  cursor.need('(');
  const test = expression();
  cursor.need(')');
  const yes = branch(cursor, expression, count);
  const no = cursor.takeWord('else') ? branch(cursor, expression, count) : undefined;
  if (!yes.isEnd || (no && !no.isEnd)) throw new Unsupported('a function with statements');
  const rest = statements(cursor, expression, count + 1);
  if (!no) return { value: { kind: 'choice', test, yes: yes.value, no: rest.value }, isEnd: rest.isEnd };
  return { value: { kind: 'choice', test, yes: yes.value, no: no.value }, isEnd: true };
}

function branch(cursor: Cursor, expression: () => Syntax, count: number): Returned {
  if (cursor.take('{')) {
    const found = statements(cursor, expression, count + 1);
    cursor.need('}');
    return found;
  }
  if (cursor.takeWord('if')) return choice(cursor, expression, count + 1);
  if (!cursor.takeWord('return')) throw new Unsupported('a function with statements');
  const value = expression();
  cursor.take(';');
  return { value, isEnd: true };
}
