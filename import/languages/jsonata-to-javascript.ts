import jsonata from 'jsonata';
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
import {
  JAVASCRIPT_NAME,
  jsonataNodes,
  printJsonataRegex,
  toJsonataNode,
  type JsonataConversion,
  type JsonataNode,
} from './jsonata-conversion';
import { convertJsonataCall } from './jsonata-functions';
import { convertJsonataBinary } from './jsonata-operators';
import { convertJsonataFilters, convertJsonataPath, toListPiece } from './jsonata-paths';

/** Converts one expression of JSONata. */
class JsonataConverter implements JsonataConversion {
  readonly doubts: ConversionDoubt[] = [];
  position = 0;
  openEntries = 0;

  constructor(
    readonly data: ConversionData,
    readonly names: ReadonlySet<string>,
  ) {}

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
    return convertJsonataFilters(this, this.convertNode(rest, context), jsonataNodes(predicate), false);
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
        return convertJsonataPath(this, tree, context);
      case 'variable':
        return this.convertVariable(tree, context);
      case 'binary':
        return convertJsonataBinary(this, tree, context);
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
        return unknownPiece(printJsonataRegex(tree));
      case 'lambda':
        return unknownPiece(this.lambdaCode(tree, context), false);
      default:
        return this.refuse(
          `JavaScript has no counterpart of ${tree.type === 'sort' ? '^( )' : String(tree.value ?? tree.type)}`,
        );
    }
  }

  lambdaCode(tree: JsonataNode, context: CodePiece | undefined): string {
    const names = jsonataNodes(tree['arguments']).map(({ value }) => `$${String(value)}`);
    const { code } = this.convert(toJsonataNode(tree['body']), context);
    return `(${names.join(', ')}) => ${code.startsWith('{') ? `(${code})` : code}`;
  }

  private convertVariable(tree: JsonataNode, context: CodePiece | undefined): CodePiece {
    const name = String(tree.value);
    if (name === '$') return this.refuse('$$ alone is the whole data');
    if (name === '') return context ?? this.refuse('$ alone is the whole data');
    return unknownPiece(`$${name}`);
  }

  private convertApply(tree: JsonataNode, context: CodePiece | undefined): CodePiece {
    const [left, right] = [toJsonataNode(tree['lhs']), toJsonataNode(tree['rhs'])];
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
        const { code } = this.convert(toJsonataNode(part['rhs']), context);
        return `const $${String(toJsonataNode(part['lhs']).value)} = ${code};${at === parts.length - 1 ? ' return undefined;' : ''}`;
      }
      return `${at === parts.length - 1 ? 'return ' : ''}${this.convert(part, context).code};`;
    });
    return unknownPiece(`(() => { ${lines.join(' ')} })()`);
  }

  private convertCondition(tree: JsonataNode, context: CodePiece | undefined): CodePiece {
    const test = this.convertTest(toJsonataNode(tree['condition']), context);
    const then = this.convert(toJsonataNode(tree['then']), context);
    const otherwise = tree['else']
      ? this.convert(toJsonataNode(tree['else']), context)
      : knownPiece('undefined', undefined);
    const type = then.type === otherwise.type ? then.type : 'unknown';
    return unknownPiece(`${test.code} ? ${then.code} : ${otherwise.code}`, false, type);
  }

  /** A value of which only counts whether it is true. */
  convertTest(tree: JsonataNode, context: CodePiece | undefined): CodePiece {
    const isJoin = tree.type === 'binary' && (tree.value === 'and' || tree.value === 'or') && !tree['predicate'];
    const piece = isJoin ? convertJsonataBinary(this, tree, context, true) : this.convert(tree, context);
    if (piece.type === 'list' || piece.type === 'object')
      this.doubt('An empty list or object is true in JavaScript, and false in JSONata');
    if (piece.type === 'unknown' && !piece.known)
      this.doubt('If the value is a list or object, JSONata looks whether it is empty');
    return piece;
  }

  private convertUnary(tree: JsonataNode, context: CodePiece | undefined): CodePiece {
    if (tree.value === '-') {
      const inner = this.requireNumber(this.convert(toJsonataNode(tree['expression']), context));
      return certainPiece(`-${printOperandCode(inner)}`, 'number', false);
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
      return `${text === '__proto__' ? '["__proto__"]' : JAVASCRIPT_NAME.test(text) ? text : JSON.stringify(text)}: ${inner.code}`;
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
      if (piece.type === 'list') return `...${printOperandCode(piece)}`;
      if (piece.type === 'unknown' || piece.type === 'missing')
        this.doubt('JSONata leaves out of a list what has no value, and takes lists apart');
      return piece.code;
    });
    return certainPiece(`[${codes.join(', ')}]`, 'list');
  }

  /** A value as a list: nothing is the empty list, and what is no list is a list of one. */
  convertList(tree: JsonataNode, context: CodePiece | undefined): CodePiece {
    if (tree.type === 'path') return convertJsonataPath(this, tree, context, true);
    return toListPiece(this, this.convert(tree, context));
  }

  requireNumber(piece: CodePiece): CodePiece {
    if (piece.type !== 'number') this.doubt('JSONata computes with numbers only');
    return piece;
  }

  requireText(piece: CodePiece): CodePiece {
    if (piece.type !== 'text') this.doubt('The value has to be a text');
    return piece;
  }
}

/** Converts an expression of JSONata to JavaScript, or says why it can’t be. */
export function convertJsonata(
  source: string,
  data?: ConversionData,
  names: readonly string[] = SCOPE_NAMES,
): ConvertedExpression | ConversionRefusal {
  let tree: JsonataNode;
  try {
    tree = jsonata(source).ast() as unknown as JsonataNode;
  } catch (error) {
    const { message, position } = error as { message?: string; position?: number };
    return { reason: message ?? 'It has an error', position: Math.max(0, (position ?? 1) - 1) };
  }
  const converter = new JsonataConverter(data, new Set(names));
  try {
    const { code } = converter.convert(tree);
    return { text: code, doubts: converter.doubts };
  } catch (error) {
    if (error instanceof UnconvertibleExpression) return { reason: error.message, position: error.position };
    throw error;
  }
}
