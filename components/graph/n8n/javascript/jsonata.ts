import { asCondition, asText, atom, call, composed, element, part, stepped, type Code, type Type } from './code';
import { FUNCTIONS, lengthOf, literal } from './functions';
import { LOOPS } from './loops';
import { METHODS } from './methods';
import { parse } from './parse';
import { argumentOf, plainText } from './model-argument';
import { binary, unary } from './operators';
import { atPosition, indexOf, nameOf, nodeOf, ofN8n, ofNode, query } from './n8n-objects';
import { groupAt, ofPattern, patternMethod } from './patterns';
import type { Scope } from './scope';
import { Unsupported, type Syntax } from './syntax';
import { differenceOf, fieldOf, now, timeMethod } from './times';

/** JSONata for an expression of n8n, without its braces. Throws Unsupported. */
export const jsonata = (source: string, scope: Scope): Code => codeOf(parse(source), scope);

/** The same for a parsed expression. */
export function codeOf(syntax: Syntax, scope: Scope): Code {
  return new Printer(scope).value(syntax);
}

const MAX_LENGTH = 20_000;
const NOTHING: Syntax = { kind: 'literal', value: undefined };

/** A block as the end of another: without its own parentheses. */
const unwrapped = ({ code, isAtom }: Code): string =>
  isAtom && /^\(\$\w+_\d+ := /.test(code) && code.endsWith(')') ? code.slice(1, -1) : code;

const TIMES = new Set(['Date', 'DateTime']);

class Printer {
  /** What the parameters of functions stand for. */
  private readonly bound = new Map<string, Code>();

  constructor(private readonly scope: Scope) {}

  /** A value that n8n's own objects, such as `$input`, are not. */
  value(syntax: Syntax): Code {
    const found = this.code(syntax);
    if (['node', 'input', 'function'].includes(found.type)) throw new Unsupported('this use of a node');
    return found.type === 'item' ? { ...found, type: 'any' } : found;
  }

  /** Some operators repeat a part: without a limit, a short expression would become a huge one. */
  private code(syntax: Syntax): Code {
    const found = this.print(syntax);
    if (found.code.length > MAX_LENGTH) throw new Unsupported('an expression of this length');
    return found;
  }

  private print(syntax: Syntax): Code {
    switch (syntax.kind) {
      case 'literal':
        return literal(syntax.value);
      case 'name':
        return this.name(syntax.name);
      case 'member':
        return this.member(syntax);
      case 'call':
        return this.call(syntax);
      case 'unary':
        return unary(syntax.operator, this.value(syntax.operand));
      case 'binary':
        return binary(syntax.operator, this.value(syntax.left), this.value(syntax.right));
      case 'choice': {
        const [yes, no] = [this.value(syntax.yes), this.value(syntax.no)];
        const test = asCondition(this.value(syntax.test));
        return composed(`${part(test)} ? ${part(yes)} : ${part(no)}`, yes.type === no.type ? yes.type : 'any');
      }
      case 'list':
        return atom(`[${syntax.items.map((item) => this.item(item).code).join(', ')}]`, 'list');
      case 'object':
        return this.object(syntax.entries);
      case 'text':
        return this.text(syntax.parts);
      case 'let':
        return this.declared(syntax);
      case 'spread':
        throw new Unsupported('a spread');
      case 'pattern':
        throw new Unsupported('a pattern here');
      case 'arrow':
        throw new Unsupported('a function here');
    }
  }

  /** An item of a list, or a parameter. JSONata joins lists inside of a list, unless they are written there. */
  private item(syntax: Syntax): Code {
    if (syntax.kind !== 'spread') return this.value(syntax);
    const found = this.value(syntax.value);
    return found.code.startsWith('[') ? { ...found, code: `(${found.code})` } : found;
  }

  /** A name for a value in an expression. */
  private declared({ name, value, rest }: Syntax & { kind: 'let' }): Code {
    const given = this.code(value);
    // Nodes of n8n are no values: the name stands for the node.
    if (given.type === 'node' || given.type === 'input') return this.within([[name, given]], () => this.value(rest));
    const own = this.ownName(name);
    const inner = this.within([[name, atom(own, given.type)]], () => this.value(rest));
    return atom(`(${own} := ${given.code}; ${unwrapped(inner)})`, inner.type);
  }

  private ownName(name: string): string {
    return `$${name.replaceAll(/[^A-Za-z0-9]/g, '')}_${this.bound.size}`;
  }

  /** Prints something in which names stand for values. */
  private within(names: readonly (readonly [string, Code])[], print: () => Code): Code {
    const before = new Map(this.bound);
    for (const [name, code] of names) this.bound.set(name, code);
    const found = print();
    this.bound.clear();
    for (const [name, code] of before) this.bound.set(name, code);
    return found;
  }

  private text(parts: readonly (string | Syntax)[]): Code {
    if (parts.length === 0) return literal('');
    const codes = parts.map((each) => (typeof each === 'string' ? literal(each) : this.value(each)));
    const [only] = codes;
    if (codes.length === 1 && only) return asText(only);
    return composed(codes.map(part).join(' & '), 'string');
  }

  private object(entries: (Syntax & { kind: 'object' })['entries']): Code {
    const plain = (pairs: string[]) => (pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`);
    const parts: string[] = [];
    let pairs: string[] = [];
    for (const entry of entries) {
      if ('spread' in entry) {
        parts.push(plain(pairs), this.value(entry.spread).code);
        pairs = [];
      } else pairs.push(`${asText(this.value(entry.key)).code}: ${this.value(entry.value).code}`);
    }
    return parts.length === 0 ? atom(plain(pairs)) : call('merge', 'any', `[${[...parts, plain(pairs)].join(', ')}]`);
  }

  private name(name: string): Code {
    const bound = this.bound.get(name);
    return bound ?? nameOf(this.scope, name);
  }

  private member({ object, key }: Syntax & { kind: 'member' }): Code {
    const name = key.kind === 'literal' && typeof key.value === 'string' ? key.value : undefined;
    const print = (one: Syntax) => this.value(one);
    const own =
      name === undefined
        ? undefined
        : object.kind === 'name'
          ? ofN8n(this.scope, object.name, name)
          : (atPosition(this.scope, object, name) ?? differenceOf(object, name, print));
    if (own) return own;
    const index = indexOf(key);
    const group = index === undefined ? undefined : groupAt(object, index, print);
    if (group) return group;
    const value = this.code(object);
    if (index !== undefined && value.type !== 'node' && value.type !== 'input') return this.at(value, index, name);
    if (name === undefined) return this.element(value, key);
    if (value.type === 'node' || value.type === 'input') return ofNode(this.scope, value, name);
    if (value.type === 'item') {
      if (name === 'json') return { ...value, type: 'any' };
      throw new Unsupported(`\`${name.slice(0, 40)}\` of an item`);
    }
    if (name === 'length') return lengthOf(value);
    if (value.type === 'time') {
      const field = fieldOf(value, name);
      if (field) return field;
    }
    return stepped(value, name);
  }

  /** The element of a list, or the sign of a text. A name made of digits may be a field, too. */
  private at(value: Code, index: number, name: string | undefined): Code {
    if (value.type === 'string') return call('substring', 'string', value, String(index), '1');
    const found = element(value, String(index), value.type === 'items' ? 'item' : 'any');
    if (name === undefined || value.type === 'items' || value.type === 'list') return found;
    return atom(`($type(${value.code}) = "array" ? ${found.code} : ${stepped(value, name).code})`);
  }

  private element(value: Code, key: Syntax): Code {
    if (value.type === 'node' || value.type === 'input') throw new Unsupported('this use of a node');
    const index = this.value(key);
    const type = value.type === 'items' ? 'item' : 'any';
    const list = value.code.startsWith('[') ? `(${value.code})` : part(value);
    // Anything else would be evaluated inside of the element, where names mean something else.
    const found = `$type($key) = "number" ? ${list}[$key] : $lookup(${value.code}, $key)`;
    return atom(`($key := ${index.code}; ${found})`, type);
  }

  private call({ callee, parameters, isNew }: Syntax & { kind: 'call' }): Code {
    if (isNew) return this.time(callee, parameters);
    if (callee.kind === 'arrow') {
      const value = callee.parameters.reduceRight<Syntax>(
        (rest, name, index) => ({ kind: 'let', name, value: parameters[index] ?? NOTHING, rest }),
        callee.body,
      );
      return this.value(value);
    }
    if (callee.kind === 'name') return this.named(callee.name, parameters);
    if (callee.kind !== 'member' || callee.key.kind !== 'literal') throw new Unsupported('this call');
    const { object, key } = callee;
    const name = String(key.value);
    if (object.kind === 'pattern') return ofPattern(object, name, parameters[0] && this.value(parameters[0]));
    const full = object.kind === 'name' ? FUNCTIONS[`${object.name}.${name}`] : undefined;
    if (full && object.kind === 'name' && !this.bound.has(object.name)) {
      return full(parameters.map((one) => this.item(one)));
    }
    const value = this.code(object);
    if (value.type === 'node' || value.type === 'input') {
      if (parameters.length > 0) throw new Unsupported(`\`${name.slice(0, 40)}\` with a position`);
      return ofNode(this.scope, value, name);
    }
    return this.method(value, name, parameters);
  }

  private method(value: Code, name: string, parameters: readonly Syntax[]): Code {
    if (Object.hasOwn(LOOPS, name) && parameters[0]?.kind === 'arrow') {
      const isItems = value.type === 'items';
      const one = isItems ? 'item' : 'any';
      const types: Type[] = name === 'reduce' ? ['any', one] : name === 'sort' ? [one, one] : [one, 'number'];
      const start = parameters[1] && name === 'reduce' ? this.value(parameters[1]) : undefined;
      const found = LOOPS[name]?.(value, this.each(parameters, types), start);
      if (found)
        return isItems && name === 'filter'
          ? { ...found, type: 'items' }
          : isItems && name === 'find'
            ? { ...found, type: 'item' }
            : found;
    }
    if (value.type === 'item') throw new Unsupported(`\`${name.slice(0, 40)}\` of an item`);
    if (value.type === 'time' || ['toFormat', 'plus', 'minus', 'toISO', 'toMillis', 'toISODate'].includes(name)) {
      const found = timeMethod(value, name, parameters, (one) => this.value(one));
      if (found) return found;
    }
    const pattern = patternMethod(value, name, parameters, (one) => this.value(one));
    if (pattern) return pattern;
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (!method) throw new Unsupported(`\`${name.slice(0, 40)}()\``);
    return method(
      value,
      parameters.map((one) => this.value(one)),
    );
  }

  /** A function of one or two parameters. */
  private each([each]: readonly Syntax[], types: readonly Type[]): Code {
    if (each?.kind !== 'arrow' || each.parameters.length === 0 || each.parameters.length > 2) {
      throw new Unsupported('this function');
    }
    const names = each.parameters.map((name, index) => `${this.ownName(name)}${index === 0 ? '' : `_${index}`}`);
    const body = this.within(
      each.parameters.map((name, index) => [name, atom(names[index] ?? '', types[index] ?? 'any')] as const),
      () => this.value(each.body),
    );
    return atom(`function(${names.join(', ')}) { ${body.code} }`, 'function');
  }

  private named(name: string, parameters: readonly Syntax[]): Code {
    const [first] = parameters;
    if (name === '$' || name === '$items') {
      const wanted = first && plainText(first);
      if (wanted === undefined) throw new Unsupported(`\`${name}\` without a name`);
      const node = nodeOf(this.scope, wanted);
      return name === '$' ? node : ofNode(this.scope, node, 'all');
    }
    if (name === '$jmespath') return query(parameters, (one) => this.value(one));
    if (name === '$fromAI' && this.scope.fromAi) return atom(this.scope.fromAi(argumentOf(parameters)));
    const found = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (!found) throw new Unsupported(`\`${name.slice(0, 40)}()\``);
    return found(parameters.map((one) => this.value(one)));
  }

  private time(callee: Syntax, parameters: readonly Syntax[]): Code {
    if (callee.kind !== 'name' || !TIMES.has(callee.name) || parameters.length > 1) throw new Unsupported('this `new`');
    const [value] = parameters.map((one) => this.value(one));
    return value ? { ...value, type: 'time' } : now();
  }
}
