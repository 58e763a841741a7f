import jsonata from 'jsonata';
import {
  certainPiece,
  comparisonPiece,
  knownField,
  knownPiece,
  logicalOperandCode,
  operandCode,
  UnconvertibleExpression,
  unknownPiece,
  type CodePiece,
  type ConversionData,
  type ConversionDoubt,
  type ConversionRefusal,
  type ConvertedExpression,
} from './conversion';
import { convertJsonataCall } from './jsonata-functions';

/** A node of JSONata's syntax tree. */
export type JsonataNode = { type?: string; value?: unknown; position?: number; [part: string]: unknown };

/** Names that expressions see at their top. */
const SCOPE_NAMES = new Set(['input', 'nodes', 'execution', 'vars', 'item', 'index', 'items', 'cursor', 'paired']);
/** Values that always have fields. */
const SAFE_ROOTS = new Set(['nodes', 'vars', 'execution']);
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const ARITHMETIC_SIGNS = new Set(['+', '-', '*', '/', '%']);
const ORDER_SIGNS = new Set(['<', '<=', '>', '>=']);

const jsonataNodes = (value: unknown): JsonataNode[] => (Array.isArray(value) ? (value as JsonataNode[]) : []);
const asNode = (value: unknown): JsonataNode => value as JsonataNode;

/** Converts one expression of JSONata. */
export class JsonataConverter {
  readonly doubts: ConversionDoubt[] = [];
  private position = 0;
  private entries = 0;

  constructor(private readonly data: ConversionData) {}

  refuse(reason: string): never {
    throw new UnconvertibleExpression(reason, this.position);
  }

  doubt(reason: string): void {
    if (!this.doubts.some((one) => one.reason === reason)) this.doubts.push({ reason, position: this.position });
  }

  /** The value of a tree. `context`: what names are fields of; undefined: the top. */
  convert(tree: JsonataNode, context?: CodePiece): CodePiece {
    const { predicate, ...rest } = tree;
    if (tree.type === 'path' || !predicate) return this.convertNode(tree, context);
    return this.convertFilters(this.convertNode(rest, context), jsonataNodes(predicate), false);
  }

  private convertNode(tree: JsonataNode, context: CodePiece | undefined): CodePiece {
    for (const part of ['group', 'focus', 'index', 'ancestor', 'tuple', 'thunk'])
      if (tree[part] !== undefined && tree[part] !== false) this.refuse('This has no short form in JavaScript');
    this.position = Math.max(0, (tree.position ?? this.position + 1) - 1);
    switch (tree.type) {
      case 'string':
      case 'number':
      case 'value':
        return { ...knownPiece(JSON.stringify(tree.value), tree.value), isCertain: true };
      case 'path':
        return this.convertPath(tree, context);
      case 'variable':
        return this.convertVariable(tree, context);
      case 'binary':
        return this.convertBinary(tree, context);
      case 'unary':
        return this.convertUnary(tree, context);
      case 'condition':
        return this.convertCondition(tree, context);
      case 'block':
        return this.convertBlock(tree, context);
      case 'function':
        return convertJsonataCall(this, tree, context);
      case 'apply':
        return this.convertApply(tree, context);
      case 'regex':
        return unknownPiece(this.regexCode(tree));
      case 'lambda':
        return unknownPiece(this.lambdaCode(tree, context), false);
      default:
        return this.refuse(
          `JavaScript has no counterpart of ${tree.type === 'sort' ? '^( )' : String(tree.value ?? tree.type)}`,
        );
    }
  }

  regexCode({ value }: JsonataNode, isGlobal = false): string {
    const { source, flags } = value as RegExp;
    const kept = flags.replace('g', '') + (isGlobal ? 'g' : '');
    return `/${source}/${kept}`;
  }

  lambdaCode(tree: JsonataNode, context: CodePiece | undefined): string {
    const names = jsonataNodes(tree['arguments']).map(({ value }) => `$${String(value)}`);
    const { code } = this.convert(asNode(tree['body']), context);
    return `(${names.join(', ')}) => ${code.startsWith('{') ? `(${code})` : code}`;
  }

  private convertVariable(tree: JsonataNode, context: CodePiece | undefined): CodePiece {
    const name = String(tree.value);
    if (name === '$') return this.refuse('$$ alone is the whole data');
    if (name === '') return context ?? this.refuse('$ alone is the whole data');
    return unknownPiece(`$${name}`);
  }

  private convertApply(tree: JsonataNode, context: CodePiece | undefined): CodePiece {
    const [left, right] = [asNode(tree['lhs']), asNode(tree['rhs'])];
    if (right.type === 'function')
      return this.convert({ ...right, arguments: [left, ...jsonataNodes(right['arguments'])] }, context);
    if (right.type !== 'variable') return this.refuse('~> with something else than a function');
    return this.convert(
      { type: 'function', value: '(', position: tree.position, arguments: [left], procedure: right },
      context,
    );
  }

  private convertBlock(tree: JsonataNode, context: CodePiece | undefined): CodePiece {
    const parts = jsonataNodes(tree['expressions']);
    const [only] = parts;
    if (parts.length === 1 && only) return this.convert(only, context);
    const lines = parts.map((part, at) => {
      if (part.type === 'bind') {
        const { code } = this.convert(asNode(part['rhs']), context);
        return `const $${String(asNode(part['lhs']).value)} = ${code};${at === parts.length - 1 ? ' return undefined;' : ''}`;
      }
      return `${at === parts.length - 1 ? 'return ' : ''}${this.convert(part, context).code};`;
    });
    return unknownPiece(`(() => { ${lines.join(' ')} })()`);
  }

  private convertCondition(tree: JsonataNode, context: CodePiece | undefined): CodePiece {
    const test = this.convertTest(asNode(tree['condition']), context);
    const then = this.convert(asNode(tree['then']), context);
    const otherwise = tree['else'] ? this.convert(asNode(tree['else']), context) : knownPiece('undefined', undefined);
    const type = then.type === otherwise.type ? then.type : 'unknown';
    return unknownPiece(`${test.code} ? ${then.code} : ${otherwise.code}`, false, type);
  }

  /** A value of which only counts whether it is true. */
  convertTest(tree: JsonataNode, context: CodePiece | undefined): CodePiece {
    const isJoin = tree.type === 'binary' && (tree.value === 'and' || tree.value === 'or') && !tree['predicate'];
    const piece = isJoin ? this.convertBinary(tree, context, true) : this.convert(tree, context);
    if (piece.type === 'list' || piece.type === 'object')
      this.doubt('An empty list or object is true in JavaScript, and false in JSONata');
    if (piece.type === 'unknown' && !piece.known)
      this.doubt('If the value is a list or object, JSONata looks whether it is empty');
    return piece;
  }

  private convertUnary(tree: JsonataNode, context: CodePiece | undefined): CodePiece {
    if (tree.value === '-') {
      const inner = this.requireNumber(this.convert(asNode(tree['expression']), context));
      return certainPiece(`-${operandCode(inner)}`, 'number', false);
    }
    if (tree.value === '[') return this.convertListLiteral(jsonataNodes(tree['expressions']), context);
    if (tree.value === '{') return this.convertObject(tree['lhs'] as [JsonataNode, JsonataNode][], context);
    return this.refuse(`JavaScript has no counterpart of ${String(tree.value)}`);
  }

  private convertObject(entries: [JsonataNode, JsonataNode][], context: CodePiece | undefined): CodePiece {
    const fields = entries.map(([name, value]) => {
      const inner = this.convert(value, context);
      if (name.type !== 'string') return `[${this.requireText(this.convert(name, context)).code}]: ${inner.code}`;
      const text = String(name.value);
      return `${text === '__proto__' ? '["__proto__"]' : IDENTIFIER.test(text) ? text : JSON.stringify(text)}: ${inner.code}`;
    });
    return certainPiece(fields.length > 0 ? `{ ${fields.join(', ')} }` : '{}', 'object', false);
  }

  private convertListLiteral(items: JsonataNode[], context: CodePiece | undefined): CodePiece {
    const [only] = items;
    if (items.length === 1 && only && only.type !== 'unary' && only.type !== 'string' && only.type !== 'number')
      return this.convertList(only, context);
    const codes = items.map((item) => {
      if (item.type === 'binary' && item.value === '..') return this.refuse('Ranges have no short form in JavaScript');
      if (item.type === 'unary' && item.value === '[') return this.convert(item, context).code;
      const piece = this.convert(item, context);
      if (piece.type === 'list') return `...${operandCode(piece)}`;
      if (piece.type === 'unknown' || piece.type === 'missing')
        this.doubt('JSONata leaves out of a list what has no value, and takes lists apart');
      return piece.code;
    });
    return certainPiece(`[${codes.join(', ')}]`, 'list');
  }

  /** A value as a list: nothing is the empty list, and what is no list is a list of one. */
  convertList(tree: JsonataNode, context: CodePiece | undefined): CodePiece {
    if (tree.type === 'path') return this.convertPath(tree, context, true);
    return this.asList(this.convert(tree, context));
  }

  asList(piece: CodePiece): CodePiece {
    const code = piece.known?.value !== undefined && piece.type === 'list' ? operandCode(piece) : undefined;
    if (piece.type === 'list') return { ...piece, code: code ?? operandCode(piece), isAtom: true };
    if (piece.type === 'null' || piece.type === 'unknown')
      this.doubt('Null is a value of a list in JSONata; here it is left out');
    return certainPiece(`[${operandCode(piece)} ?? []].flat()`, 'list');
  }

  private convertBinary(tree: JsonataNode, context: CodePiece | undefined, isTest = false): CodePiece {
    const sign = String(tree.value);
    const [left, right] = [asNode(tree['lhs']), asNode(tree['rhs'])];
    if (sign === 'and' || sign === 'or') {
      const [one, other] = [this.convertTest(left, context), this.convertTest(right, context)];
      const code = `${logicalOperandCode(one)} ${sign === 'and' ? '&&' : '||'} ${logicalOperandCode(other)}`;
      const isBoolean = [one, other].every((piece) => piece.type === 'boolean' && piece.isCertain);
      return isBoolean || isTest ? certainPiece(code, 'boolean', false) : certainPiece(`Boolean(${code})`, 'boolean');
    }
    const typed = sign === '=' || sign === '!=' ? this.convertTypeTest(left, right, sign, context) : undefined;
    if (typed) return typed;
    if (sign === 'in') return this.convertMembership(left, right, context);
    const [one, other] = [this.convert(left, context), this.convert(right, context)];
    if (sign === '&') return this.joinTexts(one, other);
    if (sign === '=' || sign === '!=') return this.convertEquality(one, other, sign);
    if (ORDER_SIGNS.has(sign)) {
      if (one.type !== other.type || (one.type !== 'number' && one.type !== 'text'))
        this.doubt('JSONata compares numbers with numbers and texts with texts only');
      return comparisonPiece(`${operandCode(one)} ${sign} ${operandCode(other)}`);
    }
    if (!ARITHMETIC_SIGNS.has(sign)) return this.refuse(`JavaScript has no counterpart of ${sign}`);
    this.requireNumber(one);
    this.requireNumber(other);
    if (sign === '/' && (!other.known || other.known.value === 0)) this.doubt('A division by zero fails in JSONata');
    return certainPiece(`${operandCode(one)} ${sign} ${operandCode(other)}`, 'number', false);
  }

  requireNumber(piece: CodePiece): CodePiece {
    if (piece.type !== 'number') this.doubt('JSONata computes with numbers only');
    return piece;
  }

  requireText(piece: CodePiece): CodePiece {
    if (piece.type !== 'text') this.doubt('The value has to be a text');
    return piece;
  }

  /** A value as the operator `&` writes it. */
  private textPart(piece: CodePiece): string {
    if (piece.isCertain && (piece.type === 'text' || piece.type === 'boolean')) return operandCode(piece);
    if (piece.type === 'text') return `(${operandCode(piece)} ?? "")`;
    const { value } = piece.known ?? {};
    const isPlainNumber =
      typeof value === 'number' && Number(value.toPrecision(15)) === value && Math.abs(value) < 1e15;
    if (!isPlainNumber && piece.type !== 'missing')
      this.doubt('JSONata writes null as “null”, lists and objects as JSON, and numbers with 15 digits');
    if (piece.type === 'list' || piece.type === 'object') return `JSON.stringify(${piece.code})`;
    return `(${operandCode(piece)} ?? "")`;
  }

  private joinTexts(one: CodePiece, other: CodePiece): CodePiece {
    const isText = one.type === 'text' && one.isCertain;
    const first = isText ? one.code : `"" + ${this.textPart(one)}`;
    return certainPiece(
      `${isText && first.includes(' ? ') ? operandCode(one) : first} + ${this.textPart(other)}`,
      'text',
      false,
    );
  }

  private convertEquality(one: CodePiece, other: CodePiece, sign: '=' | '!='): CodePiece {
    const isScalar = (piece: CodePiece) => ['text', 'number', 'boolean', 'null'].includes(piece.type);
    if (!isScalar(one) && !isScalar(other)) this.doubt('JSONata compares what is in lists and objects');
    if (one.type === 'list' || other.type === 'list') this.doubt('A list of one is equal to its item in JSONata');
    const [left, right] = [operandCode(one), operandCode(other)];
    if (sign === '=') return comparisonPiece(`${left} === ${right}`);
    // Nothing is not unequal to anything in JSONata.
    if (other.code === 'null') return comparisonPiece(`${left} != null`);
    const guards = [one, other]
      .filter(({ isCertain }) => !isCertain)
      .map((piece) => `${operandCode(piece)} !== undefined`);
    return certainPiece([...guards, `${left} !== ${right}`].join(' && '), 'boolean', false);
  }

  /** `$type(x) = "number"`. */
  private convertTypeTest(
    left: JsonataNode,
    right: JsonataNode,
    sign: '=' | '!=',
    context: CodePiece | undefined,
  ): CodePiece | undefined {
    const isType = (tree: JsonataNode) => tree.type === 'function' && asNode(tree['procedure']).value === 'type';
    const [call, name] = isType(left) ? [left, right] : [right, left];
    if (!isType(call) || name.type !== 'string') return undefined;
    const [argument] = jsonataNodes(call['arguments']);
    if (!argument) return undefined;
    const value = this.convert(argument, context);
    const code = operandCode(value);
    const tests: Record<string, string> = {
      number: `typeof ${code} === "number"`,
      string: `typeof ${code} === "string"`,
      boolean: `typeof ${code} === "boolean"`,
      null: `${code} === null`,
      array: `Array.isArray(${value.code})`,
    };
    const test = tests[String(name.value)];
    if (test === undefined || sign === '!=') return this.refuse('This test of a type has no short form in JavaScript');
    return comparisonPiece(test);
  }

  private convertMembership(left: JsonataNode, right: JsonataNode, context: CodePiece | undefined): CodePiece {
    const isType = left.type === 'function' && asNode(left['procedure']).value === 'type';
    const [typed] = isType ? jsonataNodes(left['arguments']) : [];
    const one = typed
      ? unknownPiece(`typeof ${operandCode(this.convert(typed, context))}`, false, 'text')
      : this.convert(left, context);
    if (one.type === 'unknown' || one.type === 'missing') this.doubt('Nothing is in no list');
    const list = this.convertList(right, context);
    return certainPiece(`${list.code}.includes(${one.code})`, 'boolean');
  }

  /** A path. `isList`: its result is wanted as a list. */
  private convertPath(tree: JsonataNode, context: CodePiece | undefined, isList = false): CodePiece {
    if (tree['group']) return this.refuse('Groups { } have no short form in JavaScript');
    const steps = jsonataNodes(tree['steps']);
    let at = context;
    for (const [place, step] of steps.entries()) {
      this.position = Math.max(0, (step.position ?? this.position + 1) - 1);
      if (step['focus'] || step['index']) return this.refuse('@ and # have no counterpart in JavaScript');
      const isLast = place === steps.length - 1;
      const isMapped = step.type === 'block' || (step.type === 'unary' && step.value === '{');
      if (place === 0) at = this.convertFirstStep(step, context);
      else if (!at) return this.refuse('This path begins with nothing');
      else if (step.type === 'name') at = this.convertNameStep(at, String(step.value), isList && isLast);
      else if (isMapped) at = this.mapEntries(at, (entry) => this.convert(step, entry), isList);
      else return this.refuse(`${String(step.value ?? step.type)} in a path has no short form in JavaScript`);
      const stages = [...jsonataNodes(step['stages']), ...jsonataNodes(step['predicate'])];
      at = this.convertFilters(at, stages, isList);
    }
    if (!at) return this.refuse('The path is empty');
    return isList ? this.asList(at) : tree['keepSingletonArray'] ? this.asList(at) : at;
  }

  private convertFirstStep(step: JsonataNode, context: CodePiece | undefined): CodePiece {
    if (step.type === 'variable' && step.value === '$') return ROOT_PIECE;
    if (step.type !== 'name') {
      const { stages: _, predicate: __, ...first } = step;
      return this.convert(first, context);
    }
    const name = String(step.value);
    if (context) return this.convertNameStep(context, name, false);
    return this.convertNameStep(ROOT_PIECE, name, false);
  }

  private convertNameStep(at: CodePiece, name: string, isList: boolean): CodePiece {
    if (at === ROOT_PIECE) {
      const isKnown = this.data && Object.hasOwn(this.data, name);
      if ((!SCOPE_NAMES.has(name) && !isKnown) || !IDENTIFIER.test(name))
        return this.refuse(`There is no “${name}” at the top of an expression`);
      return isKnown ? knownPiece(name, this.data?.[name]) : unknownPiece(name);
    }
    const known = knownField(at, name);
    if (at.type === 'list' || (isList && !at.known && !SAFE_ROOTS.has(at.code))) return this.mapName(at, name, isList);
    if (!at.known && !SAFE_ROOTS.has(at.code)) this.doubt('If the path leads through a list, JSONata reads each item');
    const dot = SAFE_ROOTS.has(at.code) ? '.' : '?.';
    const code = IDENTIFIER.test(name)
      ? `${operandCode(at)}${dot}${name}`
      : `${operandCode(at)}${dot === '.' ? '' : '?.'}[${JSON.stringify(name)}]`;
    return known ? knownPiece(code, known.value) : unknownPiece(code);
  }

  private mapName(at: CodePiece, name: string, isList: boolean): CodePiece {
    return this.mapEntries(at, (entry) => this.convertNameStep(entry, name, false), isList);
  }

  /** What a function yields for each item of a list; of what is no list, for the value itself. */
  private mapEntries(at: CodePiece, body: (entry: CodePiece) => CodePiece, isList: boolean): CodePiece {
    const list = this.asList(at);
    const { name, entry } = this.openEntry(at);
    const inner = body(entry);
    this.entries -= 1;
    if (!isList) this.doubt('JSONata makes of a list with one item the item itself');
    const isPlain = inner.isCertain && inner.type !== 'list';
    const code = inner.code.startsWith('{') ? `(${inner.code})` : inner.code;
    return isPlain
      ? certainPiece(`${list.code}.map((${name}) => ${code})`, 'list')
      : certainPiece(`${list.code}.flatMap((${name}) => ${operandCode({ ...inner, code })} ?? [])`, 'list');
  }

  /** `[ ]` after a value: indexes and conditions. */
  private convertFilters(given: CodePiece, filters: JsonataNode[], isList: boolean): CodePiece {
    let at = given;
    for (let place = 0; place < filters.length; place += 1) {
      const filter = filters[place];
      if (filter?.type !== 'filter') return this.refuse('This part of a path has no short form in JavaScript');
      const expression = asNode(filter['expr']);
      const index = constantIndex(expression);
      if (index !== undefined) {
        at = this.convertIndex(at, index);
        continue;
      }
      const next = asNode(filters[place + 1]?.['expr'] ?? {});
      const isFirst = constantIndex(next) === 0;
      if (isFirst) place += 1;
      at = this.convertSearch(at, expression, isFirst || !isList ? 'find' : 'filter');
      if (!isFirst && !isList) this.doubt('If several items match, JSONata takes all of them');
    }
    return at;
  }

  private convertSearch(at: CodePiece, expression: JsonataNode, method: 'find' | 'filter'): CodePiece {
    const list = this.asList(at);
    const { name, entry } = this.openEntry(at);
    const test = this.convertTest(expression, entry);
    this.entries -= 1;
    if (test.type === 'number' || test.type === 'unknown') this.doubt('A number in [ ] is an index in JSONata');
    const code = `${list.code}.${method}((${name}) => ${test.code})`;
    return method === 'filter' ? certainPiece(code, 'list') : unknownPiece(code);
  }

  /** The parameter that stands for an item of a list. */
  private openEntry(at: CodePiece): { name: string; entry: CodePiece } {
    this.entries += 1;
    const name = this.entries === 1 ? 'entry' : `entry${this.entries}`;
    const items: unknown = at.known?.value;
    const [first] = Array.isArray(items) ? (items as unknown[]) : [];
    if (Array.isArray(items) && items.some((item) => valueKindDiffers(item, first)))
      this.doubt('The items of the list differ');
    return { name, entry: Array.isArray(items) && items.length > 0 ? knownPiece(name, first) : unknownPiece(name) };
  }

  private convertIndex(at: CodePiece, index: number): CodePiece {
    if (!Number.isInteger(index)) return this.refuse('An index has to be a whole number');
    if (at.type !== 'list') this.doubt('What is no list counts as a list of one in JSONata');
    const known = Array.isArray(at.known?.value) ? { value: at.known.value.at(index) as unknown } : undefined;
    const dot = at.type === 'list' && !at.known ? '' : '?.';
    const code = `${operandCode(at)}${index < 0 ? `${dot || '.'}at(${index})` : `${dot}[${index}]`}`;
    return known ? knownPiece(code, known.value) : unknownPiece(code);
  }
}

/** Stands for the data at the top of an expression. */
const ROOT_PIECE: CodePiece = { code: '', isAtom: true, type: 'object' };

const valueKindDiffers = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) !== Array.isArray(other) || typeof one !== typeof other || (one === null) !== (other === null);

/** The fixed index that a filter is; undefined: it is a condition. */
const constantIndex = (tree: JsonataNode): number | undefined => {
  if (tree.type === 'number') return Number(tree.value);
  const inner = tree.type === 'unary' && tree.value === '-' ? asNode(tree['expression']) : undefined;
  return inner?.type === 'number' ? -Number(inner.value) : undefined;
};

/** Converts an expression of JSONata to JavaScript, or says why it can’t be. */
export function convertJsonata(source: string, data?: ConversionData): ConvertedExpression | ConversionRefusal {
  let tree: JsonataNode;
  try {
    tree = jsonata(source).ast() as unknown as JsonataNode;
  } catch (error) {
    const { message, position } = error as { message?: string; position?: number };
    return { reason: message ?? 'It has an error', position: Math.max(0, (position ?? 1) - 1) };
  }
  const converter = new JsonataConverter(data);
  try {
    const { code } = converter.convert(tree);
    return { text: code, doubts: converter.doubts };
  } catch (error) {
    if (error instanceof UnconvertibleExpression) return { reason: error.message, position: error.position };
    throw error;
  }
}
