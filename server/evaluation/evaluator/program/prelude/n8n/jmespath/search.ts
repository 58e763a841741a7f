import { JMESPATH_FUNCTIONS, type ValueExpression } from './functions';
import { readTokens, type PathToken } from './tokens';
import { PATH_COMPARISONS, isFields, isTrue, sliceList } from './values';

/** How strongly signs bind what is left of them. What binds less than a projection ends it. */
const POWERS: Readonly<Record<string, number>> = {
  '|': 1,
  '||': 2,
  '&&': 3,
  '==': 5,
  '!=': 5,
  '<': 5,
  '<=': 5,
  '>': 5,
  '>=': 5,
  '[]': 9,
  '*': 20,
  '[?': 21,
  '.': 40,
  '!': 45,
  '{': 50,
  '[': 55,
  '(': 60,
};
const PROJECTION_POWER = 10;
const MAX_DEPTH = 100;

const readField =
  (name: string): ValueExpression =>
  (value) =>
    isFields(value) && Object.hasOwn(value, name) ? value[name] : null;

/** Applies an expression to each value, without those that have none. */
const applyEach = (values: unknown[], apply: ValueExpression): unknown[] =>
  values.map(apply).filter((one) => one !== null && one !== undefined);

/** Reads an expression into a function, by the binding powers of its signs. */
class JmesPathParser {
  private at = 0;
  private depth = 0;
  private readonly tokens: PathToken[];

  constructor(text: string) {
    this.tokens = readTokens(text);
  }

  parse(): ValueExpression {
    const found = this.expression(0);
    if (this.token.kind !== 'end') this.refuse();
    return found;
  }

  private get token(): PathToken {
    return this.tokens[this.at] ?? { kind: 'end', text: '' };
  }

  private isSign = (text: string): boolean => this.token.kind === 'sign' && this.token.text === text;

  private take(text: string): void {
    if (!this.isSign(text)) this.refuse();
    this.at += 1;
  }

  private refuse(): never {
    throw new Error(`Unexpected “${this.token.text}” in a JMESPath expression`);
  }

  private expression(least: number): ValueExpression {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new Error('The JMESPath expression is nested too deeply');
    let left = this.prefix();
    while (this.token.kind === 'sign' && (POWERS[this.token.text] ?? 0) > least) left = this.infix(left);
    this.depth -= 1;
    return left;
  }

  private prefix(): ValueExpression {
    const { kind, text, value } = this.token;
    this.at += 1;
    if (kind === 'literal') return () => value;
    if (kind === 'name') return this.isSign('(') ? this.call(text) : readField(text);
    if (kind !== 'sign') this.refuse();
    switch (text) {
      case '@':
        return (given) => given;
      case '!': {
        const inner = this.expression(45);
        return (given) => !isTrue(inner(given));
      }
      case '(': {
        const inner = this.expression(0);
        this.take(')');
        return inner;
      }
      case '&': {
        const inner = this.expression(0);
        return () => inner;
      }
      case '*':
        return this.projectValues((given) => given);
      case '{':
        return this.fields();
      default:
        this.at -= 1;
        return this.bracket((given) => given);
    }
  }

  private infix(left: ValueExpression): ValueExpression {
    const { text } = this.token;
    if (['[', '[]', '[?'].includes(text)) return this.bracket(left);
    this.at += 1;
    if (text === '.') {
      if (this.isSign('*')) {
        this.at += 1;
        return this.projectValues(left);
      }
      const right = this.afterDot(POWERS['.'] ?? 0);
      return (given) => {
        const inside = left(given);
        return inside === null || inside === undefined ? null : right(inside);
      };
    }
    const right = this.expression(POWERS[text] ?? 0);
    if (text === '|') return (given) => right(left(given));
    if (text === '||' || text === '&&')
      return (given) => {
        const found = left(given);
        return isTrue(found) === (text === '||') ? found : right(given);
      };
    const test = PATH_COMPARISONS[text];
    if (!test) this.refuse();
    return (given) => test(left(given), right(given));
  }

  /** What may come after a dot: a name, a function, a list or an object. */
  private afterDot(power: number): ValueExpression {
    if (this.token.kind === 'name') return this.expression(power);
    if (this.isSign('{')) {
      this.at += 1;
      return this.fields();
    }
    if (!this.isSign('[')) this.refuse();
    this.at += 1;
    return this.values();
  }

  /** The rest of an expression, which a projection applies to each value. */
  private rest(power: number): ValueExpression {
    const { kind, text } = this.token;
    if (kind !== 'sign' || (POWERS[text] ?? 0) < PROJECTION_POWER) return (given) => given;
    if (text === '[' || text === '[?') return this.expressionFrom((given) => given, power);
    if (text !== '.') this.refuse();
    return this.expressionFrom((given) => given, power);
  }

  private expressionFrom(start: ValueExpression, least: number): ValueExpression {
    let left = start;
    while (this.token.kind === 'sign' && (POWERS[this.token.text] ?? 0) > least) left = this.infix(left);
    return left;
  }

  private projectValues(left: ValueExpression): ValueExpression {
    const right = this.rest(POWERS['*'] ?? 0);
    return (given) => {
      const inside = left(given);
      return isFields(inside) ? applyEach(Object.values(inside), right) : null;
    };
  }

  private projectList(left: ValueExpression, power: number): ValueExpression {
    const right = this.rest(power);
    return (given) => {
      const inside = left(given);
      return Array.isArray(inside) ? applyEach(inside as unknown[], right) : null;
    };
  }

  /** An index, a slice, a projection, a filter or a list of values. */
  private bracket(left: ValueExpression): ValueExpression {
    if (this.isSign('[]')) {
      this.at += 1;
      const flat: ValueExpression = (given) => {
        const inside = left(given);
        return Array.isArray(inside) ? (inside as unknown[]).flat() : null;
      };
      return this.projectList(flat, POWERS['[]'] ?? 0);
    }
    if (this.isSign('[?')) {
      this.at += 1;
      const test = this.expression(0);
      this.take(']');
      const chosen: ValueExpression = (given) => {
        const inside = left(given);
        return Array.isArray(inside) ? (inside as unknown[]).filter((one) => isTrue(test(one))) : null;
      };
      return this.projectList(chosen, POWERS['*'] ?? 0);
    }
    this.take('[');
    if (this.token.kind === 'number' || this.isSign(':')) return this.indexOrSlice(left);
    if (this.isSign('*') && this.tokens[this.at + 1]?.text === ']') {
      this.at += 2;
      return this.projectList(left, POWERS['*'] ?? 0);
    }
    const list = this.values();
    return (given) => {
      const inside = left(given);
      return inside === null || inside === undefined ? null : list(inside);
    };
  }

  private indexOrSlice(left: ValueExpression): ValueExpression {
    const parts: (number | undefined)[] = [undefined];
    while (!this.isSign(']')) {
      if (this.isSign(':')) parts.push(undefined);
      else if (this.token.kind === 'number') parts[parts.length - 1] = Number(this.token.text);
      else this.refuse();
      this.at += 1;
    }
    this.take(']');
    const [first = 0, end, step = 1] = parts;
    if (parts.length === 1)
      return (given) => {
        const inside = left(given);
        return Array.isArray(inside) ? ((inside as unknown[]).at(first) ?? null) : null;
      };
    if (step === 0 || parts.length > 3) throw new Error('A slice of a JMESPath expression has no such step');
    const cut: ValueExpression = (given) => {
      const inside = left(given);
      return Array.isArray(inside) ? sliceList(inside as unknown[], parts[0], end, step) : null;
    };
    return this.projectList(cut, POWERS['*'] ?? 0);
  }

  private values(): ValueExpression {
    const list: ValueExpression[] = [];
    while (!this.isSign(']')) {
      list.push(this.expression(0));
      if (!this.isSign(']')) this.take(',');
    }
    this.take(']');
    return (given) => list.map((one) => one(given) ?? null);
  }

  private fields(): ValueExpression {
    const entries: [string, ValueExpression][] = [];
    while (!this.isSign('}')) {
      const { kind, text } = this.token;
      if (kind !== 'name') this.refuse();
      this.at += 1;
      this.take(':');
      entries.push([text, this.expression(0)]);
      if (!this.isSign('}')) this.take(',');
    }
    this.take('}');
    return (given) => Object.fromEntries(entries.map(([name, one]) => [name, one(given) ?? null]));
  }

  private call(name: string): ValueExpression {
    const own = Object.hasOwn(JMESPATH_FUNCTIONS, name) ? JMESPATH_FUNCTIONS[name] : undefined;
    if (!own) throw new Error(`JMESPath has no function “${name}”`);
    const given: ValueExpression[] = [];
    this.take('(');
    while (!this.isSign(')')) {
      given.push(this.expression(0));
      if (!this.isSign(')')) this.take(',');
    }
    this.take(')');
    return (value) => (own as (...values: unknown[]) => unknown)(...given.map((one) => one(value)));
  }
}

/** The value of an expression of JMESPath. Throws Error. */
export const searchJmesPath = (data: unknown, expression: unknown): unknown =>
  new JmesPathParser(String(expression)).parse()(data) ?? null;
