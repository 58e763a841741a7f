import { EXPRESSION_FUNCTIONS } from '@/contract/workflows/expression-functions';
import {
  SCOPE_NAMES,
  certainPiece,
  knownPiece,
  printOperandCode,
  UnconvertibleExpression,
  unknownPiece,
  type CodePiece,
  type ConversionData,
  type ConversionDoubt,
  type ConversionRefusal,
  type ConvertedExpression,
} from './conversion';
import { JSONATA_NAME, toJavascriptTree, type JavascriptConversion } from './javascript-conversion';
import { convertJavascriptMember } from './javascript-members';
import { convertJavascriptMethod } from './javascript-methods';
import {
  convertJavascriptBinary,
  convertJavascriptConditional,
  convertJavascriptLogical,
  convertJavascriptUnary,
} from './javascript-operators';
import { readJavascript, type JavascriptTree } from './javascript-syntax';

const HELPER_NAMES: ReadonlySet<string> = new Set([
  ...EXPRESSION_FUNCTIONS.map(({ name }) => name),
  'now',
  'base64encode',
  'base64decode',
]);
const treeList = (value: unknown): JavascriptTree[] => value as JavascriptTree[];

/** Converts one expression of JavaScript. */
class JavascriptConverter implements JavascriptConversion {
  readonly doubts: ConversionDoubt[] = [];
  position = 0;
  /** Parameters of functions, with what they stand for. */
  private readonly parameters = new Map<string, CodePiece>();

  constructor(
    private readonly data: ConversionData,
    private readonly names: ReadonlySet<string>,
  ) {}

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
        return this.convert(toJavascriptTree(tree['expression']));
      case 'MemberExpression':
        return convertJavascriptMember(this, tree);
      case 'CallExpression':
        return this.convertCall(tree);
      case 'UnaryExpression':
        return convertJavascriptUnary(this, tree);
      case 'BinaryExpression':
        return convertJavascriptBinary(this, tree);
      case 'LogicalExpression':
        return convertJavascriptLogical(this, tree);
      case 'ConditionalExpression':
        return convertJavascriptConditional(this, tree);
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
      type === 'Identifier' && JSONATA_NAME.test(String(name))
        ? String(name)
        : this.refuse('Only plain parameters can be converted'),
    );
    const hidden = new Map(names.map((name) => [name, this.parameters.get(name)]));
    names.forEach((name, place) => {
      const { known, type } = parameters[place] ?? unknownPiece('');
      this.parameters.set(name, { code: `$${name}`, isAtom: true, type, ...(known && { known }) });
    });
    const body = this.convert(toJavascriptTree(tree['body']));
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
    return printOperandCode(piece);
  }

  private convertName(name: string): CodePiece {
    const parameter = this.parameters.get(name);
    if (parameter) return parameter;
    if (name === 'undefined') return this.refuse('JSONata has no undefined');
    const isKnown = this.data && Object.hasOwn(this.data, name);
    if (!this.names.has(name) && !isKnown) return this.refuse(`JSONata has no “${name}”`);
    return isKnown ? knownPiece(name, this.data?.[name]) : unknownPiece(name);
  }

  requireNumber(piece: CodePiece): CodePiece {
    if (piece.type !== 'number') this.doubt('JSONata computes with numbers only');
    return piece;
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
      const key = toJavascriptTree(property['key']);
      const name = String(key.type === 'Identifier' ? key['name'] : key['value']);
      if (name === '__proto__') return this.refuse('JSONata can’t write this name');
      return `${JSON.stringify(name)}: ${this.convert(toJavascriptTree(property['value'])).code}`;
    });
    return certainPiece(`{${fields.join(', ')}}`, 'object');
  }

  private convertCall(tree: JavascriptTree): CodePiece {
    const callee = toJavascriptTree(tree['callee']);
    const args = treeList(tree['arguments']);
    if (args.some(({ type }) => type === 'SpreadElement')) return this.refuse('JSONata has no counterpart of …');
    if (callee.type === 'Identifier') return this.convertFunction(String(callee['name']), args);
    if (callee.type !== 'MemberExpression' || callee['computed'])
      return this.refuse('JSONata has no counterpart of this call');
    const object = toJavascriptTree(callee['object']);
    const name = String(toJavascriptTree(callee['property'])['name']);
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
export function convertJavascript(
  source: string,
  data?: ConversionData,
  names: readonly string[] = SCOPE_NAMES,
): ConvertedExpression | ConversionRefusal {
  const converter = new JavascriptConverter(data, new Set(names));
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
