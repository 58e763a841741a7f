import {
  asConditionCode,
  atomicCode,
  composedCode,
  operandCode,
  fieldAccess,
  type JsonataCode,
  type CodeType,
} from './code';
import { elementAtPosition, elementByKey, objectFromEntries, textFromParts } from './composites';
import { FUNCTION_CONVERTERS, lengthCode, literalCode } from './functions';
import { ITERATION_METHODS } from './loops';
import { METHOD_CONVERTERS } from './methods';
import { parseScriptExpression } from './parse';
import { readModelArgument, literalText } from './model-argument';
import { binaryCode, unaryCode } from './operators';
import {
  nodeAtPositionCode,
  literalIndex,
  n8nNameCode,
  n8nNodeCode,
  n8nFieldCode,
  nodeFieldCode,
  jmespathCode,
} from './n8n-objects';
import { patternGroupAtIndex, regexMethodCode, patternMethodCode } from './patterns';
import type { ExpressionScope } from './scope';
import { UnsupportedSyntaxError, type ExpressionSyntax } from './syntax';
import { timeDifferenceCode, timeFieldCode, currentTimeCode, timeMethodCode } from './times';

/** JSONata for an expression of n8n, without its braces. Throws Unsupported. */
export const expressionToJsonata = (source: string, scope: ExpressionScope): JsonataCode =>
  syntaxToJsonata(parseScriptExpression(source), scope);

/** JSONata for an expression that is already parsed. */
export function syntaxToJsonata(syntax: ExpressionSyntax, scope: ExpressionScope): JsonataCode {
  return new JsonataPrinter(scope).value(syntax);
}

const MAX_JSONATA_LENGTH = 20_000;
const UNDEFINED_ARGUMENT: ExpressionSyntax = { kind: 'literal', value: undefined };

/** Removes the parentheses of a block that ends another block. */
const unwrapBlock = ({ code, isAtom }: JsonataCode): string =>
  isAtom && /^\(\$\w+_\d+ := /.test(code) && code.endsWith(')') ? code.slice(1, -1) : code;

const DATE_CLASS_NAMES = new Set(['Date', 'DateTime']);

class JsonataPrinter {
  /** The code that the parameters of functions stand for, by name. */
  private readonly bound = new Map<string, JsonataCode>();

  constructor(private readonly scope: ExpressionScope) {}

  /** Prints a value. n8n's own objects, such as `$input`, are no values. */
  value(syntax: ExpressionSyntax): JsonataCode {
    const found = this.code(syntax);
    if (['node', 'input', 'function'].includes(found.type)) throw new UnsupportedSyntaxError('this use of a node');
    return found.type === 'item' ? { ...found, type: 'any' } : found;
  }

  /** Some operators repeat a part: without a limit, a short expression would become a huge one. */
  private code(syntax: ExpressionSyntax): JsonataCode {
    const found = this.print(syntax);
    if (found.code.length > MAX_JSONATA_LENGTH) throw new UnsupportedSyntaxError('an expression of this length');
    return found;
  }

  private print(syntax: ExpressionSyntax): JsonataCode {
    switch (syntax.kind) {
      case 'literal':
        return literalCode(syntax.value);
      case 'name':
        return this.name(syntax.name);
      case 'member':
        return this.member(syntax);
      case 'call':
        return this.call(syntax);
      case 'unary':
        return unaryCode(syntax.operator, this.value(syntax.operand));
      case 'binary':
        return binaryCode(syntax.operator, this.value(syntax.left), this.value(syntax.right));
      case 'choice': {
        const [yes, no] = [this.value(syntax.yes), this.value(syntax.no)];
        const test = asConditionCode(this.value(syntax.test));
        return composedCode(
          `${operandCode(test)} ? ${operandCode(yes)} : ${operandCode(no)}`,
          yes.type === no.type ? yes.type : 'any',
        );
      }
      case 'list':
        return atomicCode(`[${syntax.items.map((item) => this.item(item).code).join(', ')}]`, 'list');
      case 'object':
        return objectFromEntries(syntax.entries, (one) => this.value(one));
      case 'text':
        return textFromParts(syntax.parts, (one) => this.value(one));
      case 'let':
        return this.declared(syntax);
      case 'spread':
        throw new UnsupportedSyntaxError('a spread');
      case 'pattern':
        throw new UnsupportedSyntaxError('a pattern here');
      case 'arrow':
        throw new UnsupportedSyntaxError('a function here');
    }
  }

  /** An item of a list, or a parameter. JSONata joins lists inside of a list, unless they are written there. */
  private item(syntax: ExpressionSyntax): JsonataCode {
    if (syntax.kind !== 'spread') return this.value(syntax);
    const found = this.value(syntax.value);
    return found.code.startsWith('[') ? { ...found, code: `(${found.code})` } : found;
  }

  /** A name for a value in an expression. */
  private declared({ name, value, rest }: ExpressionSyntax & { kind: 'let' }): JsonataCode {
    const given = this.code(value);
    // Nodes of n8n are no values: the name stands for the node.
    if (given.type === 'node' || given.type === 'input')
      return this.printWithNames([[name, given]], () => this.value(rest));
    const own = this.ownName(name);
    const inner = this.printWithNames([[name, atomicCode(own, given.type)]], () => this.value(rest));
    return atomicCode(`(${own} := ${given.code}; ${unwrapBlock(inner)})`, inner.type);
  }

  private ownName(name: string): string {
    return `$${name.replaceAll(/[^A-Za-z0-9]/g, '')}_${this.bound.size}`;
  }

  /** Prints something in which names stand for values. */
  private printWithNames(names: readonly (readonly [string, JsonataCode])[], print: () => JsonataCode): JsonataCode {
    const before = new Map(this.bound);
    for (const [name, code] of names) this.bound.set(name, code);
    const found = print();
    this.bound.clear();
    for (const [name, code] of before) this.bound.set(name, code);
    return found;
  }

  private name(name: string): JsonataCode {
    const bound = this.bound.get(name);
    return bound ?? n8nNameCode(this.scope, name);
  }

  private member({ object, key }: ExpressionSyntax & { kind: 'member' }): JsonataCode {
    const name = key.kind === 'literal' && typeof key.value === 'string' ? key.value : undefined;
    const print = (one: ExpressionSyntax) => this.value(one);
    const own =
      name === undefined
        ? undefined
        : object.kind === 'name'
          ? n8nFieldCode(this.scope, object.name, name)
          : (nodeAtPositionCode(this.scope, object, name) ?? timeDifferenceCode(object, name, print));
    if (own) return own;
    const index = literalIndex(key);
    const group = index === undefined ? undefined : patternGroupAtIndex(object, index, print);
    if (group) return group;
    const value = this.code(object);
    if (index !== undefined && value.type !== 'node' && value.type !== 'input')
      return elementAtPosition(value, index, name);
    if (name === undefined) {
      if (value.type === 'node' || value.type === 'input') throw new UnsupportedSyntaxError('this use of a node');
      return elementByKey(value, print(key));
    }
    if (value.type === 'node' || value.type === 'input') return nodeFieldCode(this.scope, value, name);
    if (value.type === 'item') {
      if (name === 'json') return { ...value, type: 'any' };
      throw new UnsupportedSyntaxError(`\`${name.slice(0, 40)}\` of an item`);
    }
    if (name === 'length') return lengthCode(value);
    if (value.type === 'time') {
      const field = timeFieldCode(value, name);
      if (field) return field;
    }
    return fieldAccess(value, name);
  }

  private call({ callee, parameters, isNew }: ExpressionSyntax & { kind: 'call' }): JsonataCode {
    if (isNew) return this.time(callee, parameters);
    if (callee.kind === 'arrow') {
      const value = callee.parameters.reduceRight<ExpressionSyntax>(
        (rest, name, index) => ({ kind: 'let', name, value: parameters[index] ?? UNDEFINED_ARGUMENT, rest }),
        callee.body,
      );
      return this.value(value);
    }
    if (callee.kind === 'name') return this.named(callee.name, parameters);
    if (callee.kind !== 'member' || callee.key.kind !== 'literal') throw new UnsupportedSyntaxError('this call');
    const { object, key } = callee;
    const name = String(key.value);
    if (object.kind === 'pattern') return regexMethodCode(object, name, parameters[0] && this.value(parameters[0]));
    const full = object.kind === 'name' ? FUNCTION_CONVERTERS[`${object.name}.${name}`] : undefined;
    if (full && object.kind === 'name' && !this.bound.has(object.name)) {
      return full(parameters.map((one) => this.item(one)));
    }
    const value = this.code(object);
    if (value.type === 'node' || value.type === 'input') {
      if (parameters.length > 0) throw new UnsupportedSyntaxError(`\`${name.slice(0, 40)}\` with a position`);
      return nodeFieldCode(this.scope, value, name);
    }
    return this.method(value, name, parameters);
  }

  private method(value: JsonataCode, name: string, parameters: readonly ExpressionSyntax[]): JsonataCode {
    if (Object.hasOwn(ITERATION_METHODS, name) && parameters[0]?.kind === 'arrow') {
      const isItems = value.type === 'items';
      const one = isItems ? 'item' : 'any';
      const types: CodeType[] = name === 'reduce' ? ['any', one] : name === 'sort' ? [one, one] : [one, 'number'];
      const start = parameters[1] && name === 'reduce' ? this.value(parameters[1]) : undefined;
      const found = ITERATION_METHODS[name]?.(value, this.each(parameters, types), start);
      if (found)
        return isItems && name === 'filter'
          ? { ...found, type: 'items' }
          : isItems && name === 'find'
            ? { ...found, type: 'item' }
            : found;
    }
    if (value.type === 'item') throw new UnsupportedSyntaxError(`\`${name.slice(0, 40)}\` of an item`);
    if (value.type === 'time' || ['toFormat', 'plus', 'minus', 'toISO', 'toMillis', 'toISODate'].includes(name)) {
      const found = timeMethodCode(value, name, parameters, (one) => this.value(one));
      if (found) return found;
    }
    const pattern = patternMethodCode(value, name, parameters, (one) => this.value(one));
    if (pattern) return pattern;
    const method = Object.hasOwn(METHOD_CONVERTERS, name) ? METHOD_CONVERTERS[name] : undefined;
    if (!method) throw new UnsupportedSyntaxError(`\`${name.slice(0, 40)}()\``);
    return method(
      value,
      parameters.map((one) => this.value(one)),
    );
  }

  /** A function of one or two parameters. */
  private each([each]: readonly ExpressionSyntax[], types: readonly CodeType[]): JsonataCode {
    if (each?.kind !== 'arrow' || each.parameters.length === 0 || each.parameters.length > 2) {
      throw new UnsupportedSyntaxError('this function');
    }
    const names = each.parameters.map((name, index) => `${this.ownName(name)}${index === 0 ? '' : `_${index}`}`);
    const body = this.printWithNames(
      each.parameters.map((name, index) => [name, atomicCode(names[index] ?? '', types[index] ?? 'any')] as const),
      () => this.value(each.body),
    );
    return atomicCode(`function(${names.join(', ')}) { ${body.code} }`, 'function');
  }

  private named(name: string, parameters: readonly ExpressionSyntax[]): JsonataCode {
    const [first] = parameters;
    if (name === '$' || name === '$items') {
      const wanted = first && literalText(first);
      if (wanted === undefined) throw new UnsupportedSyntaxError(`\`${name}\` without a name`);
      const node = n8nNodeCode(this.scope, wanted);
      return name === '$' ? node : nodeFieldCode(this.scope, node, 'all');
    }
    if (name === '$jmespath') return jmespathCode(parameters, (one) => this.value(one));
    if (name === '$fromAI' && this.scope.fromAi) return atomicCode(this.scope.fromAi(readModelArgument(parameters)));
    const found = Object.hasOwn(FUNCTION_CONVERTERS, name) ? FUNCTION_CONVERTERS[name] : undefined;
    if (!found) throw new UnsupportedSyntaxError(`\`${name.slice(0, 40)}()\``);
    return found(parameters.map((one) => this.value(one)));
  }

  private time(callee: ExpressionSyntax, parameters: readonly ExpressionSyntax[]): JsonataCode {
    if (callee.kind !== 'name' || !DATE_CLASS_NAMES.has(callee.name) || parameters.length > 1)
      throw new UnsupportedSyntaxError('this `new`');
    const [value] = parameters.map((one) => this.value(one));
    return value ? { ...value, type: 'time' } : currentTimeCode();
  }
}
