import { asCondition, asText, atom, call, composed, element, part, stepped, type Code } from './code';
import { FUNCTIONS, LOOPS, METHODS, lengthOf, literal } from './methods';
import { parse } from './parse';
import type { Argument, Scope } from './scope';
import { Unsupported, type Syntax } from './syntax';
import { binary, unary } from './operators';
import { fieldOf, now, timeMethod, today } from './times';

/** JSONata for an expression of n8n, without its braces. Throws Unsupported. */
export const jsonata = (source: string, scope: Scope): Code => codeOf(parse(source), scope);

/** The same for a parsed expression. */
export function codeOf(syntax: Syntax, scope: Scope): Code {
  return new Printer(scope).value(syntax);
}

const MAX_LENGTH = 20_000;
const ARGUMENT_TYPES: Readonly<Record<string, string | undefined>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
};

/** What `$fromAI(key, description?, type?, default?)` asks a model for. */
function argumentOf(parameters: readonly Syntax[]): Argument {
  const [name = '', description = '', type = 'string'] = parameters.map(plainText);
  if (!/^[\w-]{1,64}$/.test(name) || name === '__proto__') throw new Unsupported('`$fromAI` without a name');
  const known = Object.hasOwn(ARGUMENT_TYPES, type) ? ARGUMENT_TYPES[type] : undefined;
  return { name, description: description.trim(), type: known, isRequired: parameters.length < 4 };
}

/** A text that is written out; undefined: it is something else. */
function plainText(syntax: Syntax): string | undefined {
  if (syntax.kind === 'literal') return typeof syntax.value === 'string' ? syntax.value : undefined;
  if (syntax.kind !== 'text') return undefined;
  return syntax.parts.every((each) => typeof each === 'string') ? syntax.parts.join('') : undefined;
}
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
        return atom(`[${syntax.items.map((item) => this.value(item).code).join(', ')}]`, 'list');
      case 'object':
        return this.object(syntax.entries);
      case 'text':
        return this.text(syntax.parts);
      case 'arrow':
        throw new Unsupported('a function here');
    }
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
    if (bound) return bound;
    const { scope } = this;
    switch (name) {
      case '$json':
        return atom(scope.json);
      case '$input':
        return atom('', 'input');
      case '$now':
        return now();
      case '$today':
        return today();
      case '$itemIndex':
        return atom(scope.index ?? '0', 'number');
      case '$runIndex':
        return atom('0', 'number');
      default:
        throw new Unsupported(`\`${name.slice(0, 40)}\``);
    }
  }

  private member({ object, key }: Syntax & { kind: 'member' }): Code {
    const name = key.kind === 'literal' && typeof key.value === 'string' ? key.value : undefined;
    const own = object.kind === 'name' && name !== undefined ? this.ofN8n(object.name, name) : undefined;
    if (own) return own;
    const value = this.code(object);
    if (name === undefined) return this.element(value, key);
    if (value.type === 'node' || value.type === 'input') return this.ofNode(value, name);
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

  private element(value: Code, key: Syntax): Code {
    if (value.type === 'node' || value.type === 'input') throw new Unsupported('this use of a node');
    const index = this.value(key);
    const type = value.type === 'items' ? 'item' : 'any';
    const list = value.code.startsWith('[') ? `(${value.code})` : part(value);
    // Anything else would be evaluated inside of the element, where names mean something else.
    const found = `$type($key) = "number" ? ${list}[$key] : $lookup(${value.code}, $key)`;
    return atom(`($key := ${index.code}; ${found})`, type);
  }

  /** Fields of n8n's own objects; undefined: it is none of them. */
  private ofN8n(object: string, name: string): Code | undefined {
    const { scope } = this;
    switch (object) {
      case '$node':
        return this.node(name);
      case '$execution':
        if (name === 'id') return atom('execution.id', 'string');
        if (name === 'resumeUrl' && scope.resumeUrl) return atom(scope.resumeUrl, 'string');
        throw new Unsupported(`\`$execution.${name.slice(0, 40)}\``);
      case '$workflow':
        if (name === 'id') return atom('execution.workflowId', 'string');
        if (name === 'name') return literal(scope.workflowName);
        throw new Unsupported(`\`$workflow.${name.slice(0, 40)}\``);
      case '$vars':
      case '$env': {
        const variable = name.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_');
        if (!/^[A-Z]/.test(variable)) throw new Unsupported(`\`${object}.${name.slice(0, 40)}\``);
        scope.need(`It reads the variable ${variable}: create it under Settings, Variables.`);
        return atom(`vars.${variable}`);
      }
      default:
        return undefined;
    }
  }

  private node(name: string): Code {
    const place = this.scope.nodes.get(name);
    if (!place) throw new Unsupported(`the node “${name.slice(0, 60)}”, which is not before it`);
    return { code: place.code, type: 'node', isAtom: !place.isList };
  }

  /** `json`, `item`, `first()` and others of a node, or of `$input`. */
  private ofNode({ code, type, isAtom }: Code, name: string): Code {
    const isInput = type === 'input';
    // Of a list, an expression means the item that belongs to its own, which is not known: only the first and the last are.
    const isList = !isInput && !isAtom;
    const list = isInput ? this.scope.all : isList ? code : `[${code}]`;
    if (name === 'all') return atom(list, 'items');
    const isOne = isInput ? list === `[${this.scope.json}]` : !isList;
    if ((name === 'first' || name === 'last') && isOne) return atom(isInput ? this.scope.json : code, 'item');
    if (name === 'first') return element(atom(list), '0', 'item');
    if (name === 'last') return element(atom(list), '-1', 'item');
    if (name === 'isExecuted') return call('exists', 'boolean', code);
    if (!['item', 'json', 'pairedItem', 'itemMatching'].includes(name)) {
      throw new Unsupported(`\`${name.slice(0, 40)}\` of a node`);
    }
    if (isList) throw new Unsupported('the item of a list that belongs to this one');
    return atom(isInput ? this.scope.json : code, name === 'json' ? 'any' : 'item');
  }

  private call({ callee, parameters, isNew }: Syntax & { kind: 'call' }): Code {
    if (isNew) return this.time(callee, parameters);
    if (callee.kind === 'name') return this.named(callee.name, parameters);
    if (callee.kind !== 'member' || callee.key.kind !== 'literal') throw new Unsupported('this call');
    const { object, key } = callee;
    const name = String(key.value);
    const full = object.kind === 'name' ? FUNCTIONS[`${object.name}.${name}`] : undefined;
    if (full && object.kind === 'name' && !this.bound.has(object.name)) {
      return full(parameters.map((one) => this.value(one)));
    }
    const value = this.code(object);
    if (value.type === 'node' || value.type === 'input') {
      if (parameters.length > 0) throw new Unsupported(`\`${name.slice(0, 40)}\` with a position`);
      return this.ofNode(value, name);
    }
    return this.method(value, name, parameters);
  }

  private method(value: Code, name: string, parameters: readonly Syntax[]): Code {
    if (Object.hasOwn(LOOPS, name)) {
      const isItems = value.type === 'items';
      const found = LOOPS[name]?.(value, this.each(parameters, isItems ? 'item' : 'any'));
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
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (!method) throw new Unsupported(`\`${name.slice(0, 40)}()\``);
    return method(
      value,
      parameters.map((one) => this.value(one)),
    );
  }

  /** A function of one or two parameters. */
  private each([each]: readonly Syntax[], type: 'item' | 'any'): Code {
    if (each?.kind !== 'arrow' || each.parameters.length === 0 || each.parameters.length > 2) {
      throw new Unsupported('this function');
    }
    const before = new Map(this.bound);
    const names = each.parameters.map((name, index) => {
      const own = `$${name.replaceAll(/[^A-Za-z0-9]/g, '')}_${this.bound.size}`;
      this.bound.set(name, atom(own, index === 0 ? type : 'number'));
      return own;
    });
    const body = this.value(each.body);
    this.bound.clear();
    for (const [name, code] of before) this.bound.set(name, code);
    return atom(`function(${names.join(', ')}) { ${body.code} }`, 'function');
  }

  private named(name: string, parameters: readonly Syntax[]): Code {
    const [first] = parameters;
    if (name === '$' || name === '$items') {
      if (first?.kind !== 'literal' || typeof first.value !== 'string')
        throw new Unsupported(`\`${name}\` without a name`);
      const node = this.node(first.value);
      return name === '$' ? node : this.ofNode(node, 'all');
    }
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
