/** A generator of pseudo-random numbers (mulberry32): the same seed gives the same expressions. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const KEYS = ['a', 'b', 'c', 'n', 'text', 'list', 'length', '0', '1', 'constructor', 'toString', '__proto__', 'b c'];
const SCALARS: unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  2,
  3.5,
  1e21,
  1e-7,
  123456789012345,
  2 ** 53,
  -0.1,
  '',
  '0',
  '1',
  '01',
  ' 2 ',
  '1e3',
  'abc',
  'null',
  'NaN',
  '-0',
  'Zoë',
  '💡',
  '0x10',
  'true',
  '\n',
  '9007199254740993',
];
const LITERALS = [
  '0',
  '1',
  '-1',
  '2',
  '10',
  '0.5',
  '1e3',
  '0x1f',
  '1_000',
  '""',
  '"a"',
  "'b'",
  '"1"',
  '"length"',
  'true',
  'false',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '`t`',
  '[]',
  '{}',
  '[1, 2]',
  '/x/',
  '5n',
];
const BINARY = [
  '+',
  '-',
  '*',
  '/',
  '%',
  '<',
  '<=',
  '>',
  '>=',
  '===',
  '!==',
  '==',
  '!=',
  '&',
  '|',
  '^',
  '<<',
  '>>',
  '>>>',
  '&&',
  '||',
  '??',
  '**',
  'in',
];
const UNARY = ['!', '-', '+', '~', 'typeof ', 'void '];
const CALLS = ['.toString()', '.trim()', '.map((x) => x)', '?.at(0)', '.length.toFixed(1)'];

/** Random expressions of the kinds that the fast path computes, and some of others, with random data. */
export function createRandomExpressions(seed: number) {
  const below = createRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;

  function data(depth: number): unknown {
    const kind = depth <= 0 ? 0 : below(4);
    if (kind < 2) return pick(SCALARS);
    if (kind === 2) return Array.from({ length: below(3) }, () => data(depth - 1));
    return JSON.parse(
      `{${Array.from({ length: below(5) }, () => `${JSON.stringify(pick(KEYS))}:${JSON.stringify(data(depth - 1))}`).join()}}`,
    ) as unknown;
  }

  function member(owner: string, depth: number): string {
    const key = pick(KEYS);
    const isName = /^[a-z_]+$/i.test(key);
    switch (below(6)) {
      case 0:
        return `${owner}?.${isName ? key : `[${JSON.stringify(key)}]`}`;
      case 1:
        return `${owner}[${JSON.stringify(key)}]`;
      case 2:
        return `${owner}[${depth > 0 ? expression(depth - 1) : '0'}]`;
      default:
        return isName ? `${owner}.${key}` : `${owner}[${JSON.stringify(key)}]`;
    }
  }

  function pathExpression(depth: number): string {
    let path = pick(['input', 'input', 'nodes', 'nodes.a', 'vars']);
    for (let steps = below(4); steps > 0; steps -= 1) path = member(path, depth - 2);
    return path;
  }

  function object(depth: number): string {
    const fields = Array.from({ length: below(4) }, () => {
      const value = expression(depth - 1);
      switch (below(6)) {
        case 0:
          return `...(${value})`;
        case 1:
          return `[${expression(depth - 1)}]: ${value}`;
        default:
          return `${JSON.stringify(pick(KEYS.filter((key) => key !== '__proto__')))}: ${value}`;
      }
    });
    return `{${fields.join(', ')}}`;
  }

  function expression(depth: number): string {
    if (depth <= 0) return below(3) === 0 ? pick(LITERALS) : pathExpression(0);
    const inner = () => `(${expression(depth - 1)})`;
    switch (below(14)) {
      case 0:
        return pick(LITERALS);
      case 1:
      case 2:
      case 3:
        return pathExpression(depth);
      case 4:
        return `${pick(UNARY)}${inner()}`;
      case 5:
        return `\`x \${${expression(depth - 1)}} y\${${expression(depth - 1)}}\``;
      case 6:
        return `${inner()} ? ${inner()} : ${inner()}`;
      case 7:
        return object(depth);
      case 8:
        return `[${inner()}, ${inner()}]`;
      case 9:
        return `${inner()}${pick(CALLS)}`;
      case 10:
        return member(inner(), depth);
      default:
        return `${inner()} ${pick(BINARY)} ${inner()}`;
    }
  }

  return {
    expression: () => expression(1 + below(3)),
    scope: () => ({ input: data(3), nodes: { a: data(2), b: data(1) }, vars: { a: data(1) } }),
  };
}
