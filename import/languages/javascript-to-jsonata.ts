import { EXPRESSION_FUNCTIONS } from '@/contract/workflows/expression-functions';
import {
  certainPiece,
  knownField,
  knownPiece,
  operandCode,
  UnconvertibleExpression,
  unknownPiece,
  type CodePiece,
  type ConversionData,
  type ConversionDoubt,
  type ConversionRefusal,
  type ConvertedExpression,
} from './conversion';
import { convertJavascriptMethod } from './javascript-methods';
import { readJavascript, type JavascriptTree } from './javascript-syntax';

const SCOPE_NAMES = new Set(['input', 'nodes', 'execution', 'vars', 'item', 'index', 'items', 'cursor', 'paired']);
const RESERVED_WORDS = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function']);
const IDENTIFIER = /^[A-Za-z_]\w*$/;
const HELPER_NAMES: ReadonlySet<string> = new Set([
  ...EXPRESSION_FUNCTIONS.map(({ name }) => name),
  'now',
  'base64encode',
  'base64decode',
]);
const SIGNS: Readonly<Record<string, string>> = {
  '-': '-',
  '*': '*',
  '/': '/',
  '%': '%',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

const asTree = (value: unknown): JavascriptTree => value as JavascriptTree;
export const treeList = (value: unknown): JavascriptTree[] => value as JavascriptTree[];

/** Converts one expression of JavaScript. */
export class JavascriptConverter {
  readonly doubts: ConversionDoubt[] = [];
  private position = 0;
  /** Parameters of functions, with what they stand for. */
  private readonly parameters = new Map<string, CodePiece>();

  constructor(private readonly data: ConversionData) {}

  refuse(reason: string): never {
    throw new UnconvertibleExpression(reason, this.position);
  }

  doubt(reason: string): void {
    if (!this.doubts.some((one) => one.reason === reason)) this.doubts.push({ reason, position: this.position });
  }

  convert(tree: JavascriptTree): CodePiece {
    this.position = tree.start;
    switch (tree.type) {
      case 'Literal':
        return this.convertLiteral(tree);
      case 'TemplateLiteral':
        return this.convertTemplate(tree);
      case 'Identifier':
        return this.convertName(String(tree['name']));
      case 'ChainExpression':
        return this.convert(asTree(tree['expression']));
      case 'MemberExpression':
        return this.convertMember(tree);
      case 'CallExpression':
        return this.convertCall(tree);
      case 'UnaryExpression':
        return this.convertUnary(tree);
      case 'BinaryExpression':
        return this.convertBinary(tree);
      case 'LogicalExpression':
        return this.convertLogical(tree);
      case 'ConditionalExpression':
        return this.convertConditional(tree);
      case 'ArrayExpression':
        return this.convertList(tree);
      case 'ObjectExpression':
        return this.convertObject(tree);
      default:
        return this.refuse('JSONata has no counterpart of this');
    }
  }

  regexLiteral(tree: JavascriptTree): string | undefined {
    const { pattern, flags = '' } = (tree['regex'] ?? {}) as { pattern?: string; flags?: string };
    if (pattern === undefined) return undefined;
    if (!/^[gim]*$/.test(flags)) return this.refuse('JSONata has no such flag of regular expressions');
    if (/\(\?[=!<]|\\[1-9]/.test(pattern)) return this.refuse('JSONata’s regular expressions have no look-around');
    return `/${pattern}/${flags.replace('g', '')}`;
  }

  /** A function with one expression, `(item) => item.price`, as a function of JSONata. */
  lambda(tree: JavascriptTree | undefined, parameters: readonly CodePiece[]): { code: string; body: CodePiece } {
    if (tree?.type !== 'ArrowFunctionExpression' || !tree['expression'] || tree['async'])
      return this.refuse('Only a short function that is written here can be converted');
    const names = treeList(tree['params']).map(({ type, name }) =>
      type === 'Identifier' && IDENTIFIER.test(String(name))
        ? String(name)
        : this.refuse('Only plain parameters can be converted'),
    );
    const hidden = new Map(names.map((name) => [name, this.parameters.get(name)]));
    names.forEach((name, place) => {
      const { known, type } = parameters[place] ?? unknownPiece('');
      this.parameters.set(name, { code: `$${name}`, isAtom: true, type, ...(known && { known }) });
    });
    const body = this.convert(asTree(tree['body']));
    for (const [name, piece] of hidden) {
      if (piece) this.parameters.set(name, piece);
      else this.parameters.delete(name);
    }
    return { code: `function(${names.map((name) => `$${name}`).join(', ')}) { ${body.code} }`, body };
  }

  private convertLiteral(tree: JavascriptTree): CodePiece {
    if (tree['regex']) return this.refuse('A regular expression alone has no counterpart in JSONata');
    if (tree['bigint']) return this.refuse('JSONata has no BigInt');
    const { value } = tree;
    return { ...knownPiece(JSON.stringify(value), value), isCertain: true };
  }

  private convertTemplate(tree: JavascriptTree): CodePiece {
    const texts = treeList(tree['quasis']).map(({ value }) => (value as { cooked: string }).cooked);
    const values = treeList(tree['expressions']).map((inner) => this.textPart(this.convert(inner)));
    const parts = texts.flatMap((text, at) => [
      ...(text === '' ? [] : [JSON.stringify(text)]),
      ...(values[at] === undefined ? [] : [values[at]]),
    ]);
    const [only = '""'] = parts;
    return parts.length > 1
      ? certainPiece(parts.join(' & '), 'text', false)
      : certainPiece(values.length > 0 ? `"" & ${only}` : only, 'text', values.length === 0);
  }

  /** A value as a text, as JavaScript writes it. */
  textPart(piece: CodePiece): string {
    const { value } = piece.known ?? {};
    const isPlainNumber =
      typeof value === 'number' && Number(value.toPrecision(15)) === value && Math.abs(value) < 1e15;
    const isCertainText = (piece.type === 'text' || piece.type === 'boolean') && (piece.isCertain || piece.known);
    if (!isCertainText && !isPlainNumber && piece.type !== 'null')
      this.doubt('JavaScript writes a missing value as “undefined”, and objects in another way');
    return operandCode(piece);
  }

  private convertName(name: string): CodePiece {
    const parameter = this.parameters.get(name);
    if (parameter) return parameter;
    if (name === 'undefined') return this.refuse('JSONata has no undefined');
    const isKnown = this.data && Object.hasOwn(this.data, name);
    if (!SCOPE_NAMES.has(name) && !isKnown) return this.refuse(`JSONata has no “${name}”`);
    return isKnown ? knownPiece(name, this.data?.[name]) : unknownPiece(name);
  }

  private convertMember(tree: JavascriptTree): CodePiece {
    const object = this.convert(asTree(tree['object']));
    this.position = tree.start;
    const property = asTree(tree['property']);
    const isComputed = tree['computed'] === true;
    const step: unknown = isComputed ? property['value'] : property['name'];
    if (isComputed && property.type !== 'Literal') return this.lookUp(object, this.convert(property));
    if (typeof step === 'number') return this.convertIndex(object, step);
    if (typeof step !== 'string') return this.refuse('JSONata can’t write this name');
    const isNamedHere = knownField(object, step)?.value !== undefined;
    if (step === 'length' && !isNamedHere) return this.convertLength(object);
    if (object.type === 'list') return this.refuse('JSONata would read the field in each item of the list');
    if (object.type === 'text' || object.type === 'number' || object.type === 'boolean')
      return this.refuse('JSONata reads fields of objects only');
    if (!object.known) this.doubt('If the path leads through a list, JSONata reads each item');
    if (
      object.known &&
      (object.known.value === null || object.known.value === undefined) &&
      !tree['optional'] &&
      !object.code.includes('.')
    )
      this.doubt('JavaScript fails where a value is missing');
    const name =
      IDENTIFIER.test(step) && !RESERVED_WORDS.has(step)
        ? step
        : step.includes('`') || step === ''
          ? this.refuse('JSONata can’t write this name')
          : `\`${step}\``;
    const known = knownField(object, step);
    const missing = object.known && (object.known.value === null || object.known.value === undefined);
    if (missing && !tree['optional']) this.doubt('JavaScript fails where a value is missing');
    const code = `${operandCode(object)}.${name}`;
    return known ? knownPiece(code, known.value) : unknownPiece(code);
  }

  private convertIndex(object: CodePiece, index: number): CodePiece {
    if (!Number.isInteger(index) || index < 0) return this.refuse('JSONata has no such index');
    if (object.type !== 'list') this.doubt('What is no list counts as a list of one in JSONata');
    const known = knownField(object, index);
    const code = `${operandCode(object)}[${index}]`;
    return known ? knownPiece(code, known.value) : unknownPiece(code);
  }

  private convertLength(object: CodePiece): CodePiece {
    if (object.type === 'list') return certainPiece(`$count(${object.code})`, 'number');
    if (object.type !== 'text') return this.refuse('Whether this is a text or a list is not known');
    const value = object.known?.value;
    if (typeof value !== 'string' || /[\ud800-\udfff]/.test(value)) this.doubt('JSONata counts an emoji as one letter');
    return unknownPiece(`$length(${object.code})`, true, 'number');
  }

  private lookUp(object: CodePiece, name: CodePiece): CodePiece {
    if (name.type !== 'text') return this.refuse('JSONata can’t compute this name');
    if (object.type !== 'object') this.doubt('Of a list, JSONata looks into each item');
    return unknownPiece(`$lookup(${object.code}, ${name.code})`);
  }

  private convertUnary(tree: JavascriptTree): CodePiece {
    const inner = this.convert(asTree(tree['argument']));
    this.position = tree.start;
    if (tree['operator'] === '-') return certainPiece(`-${operandCode(this.requireNumber(inner))}`, 'number', false);
    if (tree['operator'] !== '!') return this.refuse(`JSONata has no counterpart of ${String(tree['operator'])}`);
    if (!inner.isCertain && inner.known?.value === undefined) this.doubt('Without a value, JSONata yields nothing');
    return certainPiece(`$not(${this.requireTest(inner).code})`, 'boolean');
  }

  requireNumber(piece: CodePiece): CodePiece {
    if (piece.type !== 'number') this.doubt('JSONata computes with numbers only');
    return piece;
  }

  /** A value of which only counts whether it is true. */
  private requireTest(piece: CodePiece): CodePiece {
    if (piece.type === 'list' || piece.type === 'object' || piece.type === 'unknown')
      this.doubt('An empty list or object is true in JavaScript, and false in JSONata');
    return piece;
  }

  private convertBinary(tree: JavascriptTree): CodePiece {
    const sign = String(tree['operator']);
    const [left, right] = [asTree(tree['left']), asTree(tree['right'])];
    const typed = this.convertTypeTest(left, right, sign);
    if (typed) return typed;
    const isNullish = right.type === 'Literal' && right['raw'] === 'null' && (sign === '==' || sign === '!=');
    const one = this.convert(left);
    if (isNullish || (right.type === 'Identifier' && right['name'] === 'undefined'))
      return this.testPresence(one, sign, isNullish);
    const other = this.convert(right);
    this.position = tree.start;
    if (sign === '===' || sign === '!==') return this.convertEquality(one, other, sign);
    if (sign === '+') return this.convertSum(one, other);
    const written = SIGNS[sign];
    if (!written) return this.refuse(`JSONata has no counterpart of ${sign}`);
    if (/[<>]/.test(sign)) {
      if (one.type !== other.type || (one.type !== 'number' && one.type !== 'text'))
        this.doubt('JSONata compares numbers with numbers and texts with texts only');
      return certainPiece(`${operandCode(one)} ${written} ${operandCode(other)}`, 'boolean', false);
    }
    this.requireNumber(one);
    this.requireNumber(other);
    if ((sign === '/' || sign === '%') && (!other.known || other.known.value === 0))
      this.doubt('A division by zero fails in JSONata');
    return certainPiece(`${operandCode(one)} ${written} ${operandCode(other)}`, 'number', false);
  }

  private testPresence(piece: CodePiece, sign: string, isNullish: boolean): CodePiece {
    const value = operandCode(piece);
    const exists = isNullish ? `$exists(${piece.code}) and ${value} != null` : `$exists(${piece.code})`;
    if (sign === '!=' || sign === '!==') return certainPiece(exists, 'boolean', false);
    return sign === '==' || sign === '==='
      ? certainPiece(`$not(${exists})`, 'boolean')
      : this.refuse(`JSONata has no counterpart of ${sign}`);
  }

  private convertEquality(one: CodePiece, other: CodePiece, sign: string): CodePiece {
    const isScalar = ({ type }: CodePiece) => ['text', 'number', 'boolean', 'null'].includes(type);
    if (!isScalar(one) && !isScalar(other))
      this.doubt('JSONata compares what is in lists and objects, and nothing equals nothing in JavaScript');
    const equal = `${operandCode(one)} = ${operandCode(other)}`;
    return sign === '===' ? certainPiece(equal, 'boolean', false) : certainPiece(`$not(${equal})`, 'boolean');
  }

  private convertSum(one: CodePiece, other: CodePiece): CodePiece {
    if (one.type === 'number' && other.type === 'number')
      return certainPiece(`${operandCode(one)} + ${operandCode(other)}`, 'number', false);
    if (one.type !== 'text' && other.type !== 'text')
      return this.refuse('Whether + adds numbers or joins texts is not known');
    const first = one.type === 'text' && one.isCertain ? one.code : this.textPart(one);
    return certainPiece(`${first} & ${this.textPart(other)}`, 'text', false);
  }

  private convertTypeTest(left: JavascriptTree, right: JavascriptTree, sign: string): CodePiece | undefined {
    if (left.type !== 'UnaryExpression' || left['operator'] !== 'typeof' || right.type !== 'Literal') return undefined;
    const type = right['value'];
    if (sign !== '===' || (type !== 'string' && type !== 'number' && type !== 'boolean'))
      return this.refuse('This test of a type has no counterpart in JSONata');
    const value = this.convert(asTree(left['argument']));
    if (value.known?.value === undefined) this.doubt('Without a value, JSONata yields nothing');
    return certainPiece(`$type(${value.code}) = "${type}"`, 'boolean', false);
  }

  private convertLogical(tree: JavascriptTree): CodePiece {
    const [one, other] = [this.convert(asTree(tree['left'])), this.convert(asTree(tree['right']))];
    this.position = tree.start;
    const sign = tree['operator'];
    if (sign === '??') {
      if (one.known)
        return one.known.value === null || one.known.value === undefined
          ? this.choose(one, other)
          : this.choose(one, other);
      return this.choose(one, other);
    }
    if (one.type !== 'boolean' || other.type !== 'boolean')
      this.doubt('In JavaScript the result is one of the two values, in JSONata true or false');
    return certainPiece(`${operandCode(one)} ${sign === '&&' ? 'and' : 'or'} ${operandCode(other)}`, 'boolean', false);
  }

  /** `a ?? b`. */
  private choose(one: CodePiece, other: CodePiece): CodePiece {
    const code = `$exists(${one.code}) and ${operandCode(one)} != null ? ${one.code} : ${other.code}`;
    const value = one.known?.value ?? other.known?.value;
    return one.known && other.known ? { ...knownPiece(code, value, false) } : unknownPiece(code, false);
  }

  private convertConditional(tree: JavascriptTree): CodePiece {
    const test = this.requireTest(this.convert(asTree(tree['test'])));
    const [then, otherwise] = [this.convert(asTree(tree['consequent'])), this.convert(asTree(tree['alternate']))];
    const code = `${operandCode(test)} ? ${operandCode(then)} : ${operandCode(otherwise)}`;
    return unknownPiece(code, false, then.type === otherwise.type ? then.type : 'unknown');
  }

  private convertList(tree: JavascriptTree): CodePiece {
    const items = (tree['elements'] as (JavascriptTree | null)[]).map((item) => {
      if (!item || item.type === 'SpreadElement') return this.refuse('JSONata has no counterpart of this list');
      const piece = this.convert(item);
      const isOwnList = item.type === 'ArrayExpression';
      if (piece.type === 'list' && !isOwnList) return `[${piece.code}]`;
      if (!piece.isCertain && (piece.type === 'unknown' || piece.type === 'missing'))
        this.doubt('JSONata leaves out of a list what has no value, and takes lists apart');
      return piece.code;
    });
    return certainPiece(`[${items.join(', ')}]`, 'list');
  }

  private convertObject(tree: JavascriptTree): CodePiece {
    const fields = treeList(tree['properties']).map((property) => {
      if (property.type !== 'Property' || property['computed'] || property['kind'] !== 'init' || property['method'])
        return this.refuse('Only fields with fixed names can be converted');
      const key = asTree(property['key']);
      const name = String(key.type === 'Identifier' ? key['name'] : key['value']);
      if (name === '__proto__') return this.refuse('JSONata can’t write this name');
      return `${JSON.stringify(name)}: ${this.convert(asTree(property['value'])).code}`;
    });
    return certainPiece(`{${fields.join(', ')}}`, 'object');
  }

  private convertCall(tree: JavascriptTree): CodePiece {
    const callee = asTree(tree['callee']);
    const args = treeList(tree['arguments']);
    if (args.some(({ type }) => type === 'SpreadElement')) return this.refuse('JSONata has no counterpart of …');
    if (callee.type === 'Identifier') return this.convertFunction(String(callee['name']), args);
    if (callee.type !== 'MemberExpression' || callee['computed'])
      return this.refuse('JSONata has no counterpart of this call');
    const object = asTree(callee['object']);
    const name = String(asTree(callee['property'])['name']);
    const owner = object.type === 'Identifier' ? String(object['name']) : undefined;
    if (owner === 'helpers') {
      if (!HELPER_NAMES.has(name)) return this.refuse(`JSONata has no $${name}`);
      const pieces = args.map((argument) => this.convert(argument));
      if (pieces.some(({ type }) => type === 'unknown' || type === 'missing'))
        this.doubt('Without a value, JSONata yields nothing');
      return unknownPiece(
        `$${name}(${pieces.map(({ code }) => code).join(', ')})`,
        true,
        name === 'diffTime' ? 'number' : 'text',
      );
    }
    return convertJavascriptMethod(this, { object, owner, name, args });
  }

  private convertFunction(name: string, args: JavascriptTree[]): CodePiece {
    const [first, ...more] = args;
    if (!first || more.length > 0) return this.refuse(`JSONata has no counterpart of ${name}`);
    const piece = this.convert(first);
    if (name === 'String') {
      const { value } = piece.known ?? {};
      if (piece.type === 'text' && (piece.isCertain || piece.known)) return piece;
      if (piece.type !== 'boolean' && !(typeof value === 'number' && Number.isSafeInteger(value)))
        this.doubt('JSONata writes lists and objects as JSON, numbers with 15 digits, and nothing as nothing');
      return certainPiece(`$string(${piece.code})`, 'text');
    }
    if (name === 'Number') {
      if (piece.type !== 'number') this.doubt('JSONata fails for a text that is no number');
      return certainPiece(`$number(${piece.code})`, 'number');
    }
    return this.refuse(`JSONata has no counterpart of ${name}`);
  }
}

/** Converts an expression of JavaScript to JSONata, or says why it can’t be. */
export function convertJavascript(source: string, data?: ConversionData): ConvertedExpression | ConversionRefusal {
  const converter = new JavascriptConverter(data);
  try {
    const read = readJavascript(source);
    if (read.kind === 'statements') return { reason: 'JSONata has no statements', position: 0 };
    return { text: converter.convert(read.tree).code, doubts: converter.doubts };
  } catch (error) {
    const { message, position } = error as { message: string; position?: number };
    if (position === undefined) throw error;
    return { reason: message, position };
  }
}
