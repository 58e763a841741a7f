import { certainPiece, knownPiece, printOperandCode, unknownPiece, valueType, type CodePiece } from './conversion';
import type { JavascriptConversion } from './javascript-conversion';
import type { JavascriptTree } from './javascript-syntax';

/** A call of a method: `owner` is set if the object is a name. */
export interface JavascriptMethodCall {
  object: JavascriptTree;
  owner: string | undefined;
  name: string;
  args: JavascriptTree[];
}

const MATH_FUNCTIONS: Readonly<Record<string, string>> = { floor: 'floor', ceil: 'ceil', abs: 'abs', sqrt: 'sqrt' };

/** Functions of objects of the language, such as `Math.floor`. */
function convertStaticCall(
  converter: JavascriptConversion,
  { owner, name, args }: JavascriptMethodCall,
): CodePiece | undefined {
  const [first] = args;
  if (owner === 'Math' && first && args.length === 1 && MATH_FUNCTIONS[name])
    return certainPiece(
      `$${MATH_FUNCTIONS[name]}(${converter.requireNumber(converter.convert(first)).code})`,
      'number',
    );
  if (owner === 'Math' && (name === 'max' || name === 'min') && args.length > 0) {
    const numbers = args.map((argument) => converter.requireNumber(converter.convert(argument)).code);
    return certainPiece(`$${name}([${numbers.join(', ')}])`, 'number');
  }
  if (owner === 'Object' && name === 'keys' && first) {
    const piece = converter.convert(first);
    if (piece.type !== 'object') converter.doubt('Of a list, JSONata collects the names of all items');
    return certainPiece(`[$keys(${piece.code})]`, 'list');
  }
  if (owner === 'JSON' && name === 'stringify' && first && args.length === 1) {
    const piece = converter.convert(first);
    if (piece.type !== 'object' && piece.type !== 'list') converter.doubt('JSONata writes a text without quotes');
    return certainPiece(`$string(${piece.code})`, 'text');
  }
  if (owner === 'Date' && name === 'now') return certainPiece('$millis()', 'number');
  if (owner === 'Array' && name === 'isArray' && first) {
    const piece = converter.convert(first);
    if (piece.known?.value === undefined) converter.doubt('Without a value, JSONata yields nothing');
    return certainPiece(`$type(${piece.code}) = "array"`, 'boolean', false);
  }
  return undefined;
}

const TEXT_DOUBT = 'The value has to be a text';

function requireText(converter: JavascriptConversion, piece: CodePiece): CodePiece {
  if (piece.type !== 'text') converter.doubt(TEXT_DOUBT);
  return piece;
}

/** A fixed text, as `replace` needs it. */
function fixedText(converter: JavascriptConversion, tree: JavascriptTree | undefined): string {
  const value: unknown = tree?.type === 'Literal' ? tree['value'] : undefined;
  return typeof value === 'string' && !value.includes('$')
    ? JSON.stringify(value)
    : converter.refuse('Only a fixed text without $ can be converted here');
}

function convertTextMethod(
  converter: JavascriptConversion,
  text: CodePiece,
  { name, args }: JavascriptMethodCall,
): CodePiece | undefined {
  const [first, second] = args;
  const code = requireText(converter, text).code;
  const argument = () =>
    first ? requireText(converter, converter.convert(first)).code : converter.refuse('An argument is missing');
  switch (name) {
    case 'toUpperCase':
      return unknownPiece(`$uppercase(${code})`, true, 'text');
    case 'toLowerCase':
      return unknownPiece(`$lowercase(${code})`, true, 'text');
    case 'includes':
      return unknownPiece(`$contains(${code}, ${argument()})`, true, 'boolean');
    case 'startsWith':
      return unknownPiece(`$substring(${code}, 0, $length(${argument()})) = ${argument()}`, false, 'boolean');
    case 'split':
      if (args.length > 1 || (first?.type === 'Literal' && first['value'] === ''))
        return converter.refuse('JSONata splits in another way here');
      return unknownPiece(`$split(${code}, ${(first && converter.regexLiteral(first)) ?? argument()})`, true, 'list');
    case 'replaceAll':
      return unknownPiece(
        `$replace(${code}, ${fixedText(converter, first)}, ${fixedText(converter, second)})`,
        true,
        'text',
      );
    case 'replace': {
      const { flags = '' } = (first?.['regex'] ?? {}) as { flags?: string };
      const pattern = first && converter.regexLiteral(first);
      if (!pattern || !flags.includes('g')) return converter.refuse('JSONata replaces every match, not the first one');
      return unknownPiece(`$replace(${code}, ${pattern}, ${fixedText(converter, second)})`, true, 'text');
    }
    case 'slice':
      return convertSlice(converter, text, args);
    default:
      return undefined;
  }
}

function convertSlice(converter: JavascriptConversion, text: CodePiece, [start, end]: JavascriptTree[]): CodePiece {
  const [from, to] = [start, end].map((tree): unknown => (tree?.type === 'Literal' ? tree['value'] : undefined));
  if (typeof from !== 'number' || (end && typeof to !== 'number'))
    return converter.refuse('Only fixed places can be converted here');
  const value = text.known?.value;
  if (typeof value !== 'string' || /[\ud800-\udfff]/.test(value))
    converter.doubt('JSONata counts an emoji as one letter');
  const length = typeof to === 'number' ? `, ${Math.max(0, to - from)}` : '';
  return unknownPiece(`$substring(${text.code}, ${from}${length})`, true, 'text');
}

/** An item of a list whose items are alike. */
function itemPiece(converter: JavascriptConversion, { known }: CodePiece): CodePiece {
  const items = Array.isArray(known?.value) ? (known.value as unknown[]) : [];
  const [first] = items;
  if (!items.every((item) => hasSameShape(item, first))) converter.doubt('The items of the list differ');
  return items.length === 0 ? unknownPiece('') : knownPiece('', first);
}

/** Whether two values have the same types in the same places: what the converter finds of one then holds for the other. */
function hasSameShape(one: unknown, other: unknown): boolean {
  const type = valueType(one);
  if (type !== valueType(other)) return false;
  if (type !== 'list' && type !== 'object') return true;
  const [fields, others] = [Object.entries(one as object), Object.entries(other as object)];
  const byName = new Map(others);
  return (
    fields.length === others.length &&
    fields.every(([name, value]) => byName.has(name) && hasSameShape(value, byName.get(name)))
  );
}

function convertListMethod(
  converter: JavascriptConversion,
  list: CodePiece,
  { name, args }: JavascriptMethodCall,
): CodePiece | undefined {
  const [first] = args;
  const { code } = list;
  switch (name) {
    case 'map': {
      const { code: action, body } = converter.lambda(first, [itemPiece(converter, list)]);
      if (body.type === 'list' || body.type === 'unknown' || body.type === 'missing')
        converter.doubt('JSONata leaves out of a list what has no value, and takes lists apart');
      return certainPiece(`[$map(${code}, ${action})]`, 'list');
    }
    case 'filter':
      return certainPiece(`[$filter(${code}, ${converter.lambda(first, [itemPiece(converter, list)]).code})]`, 'list');
    case 'find':
      return unknownPiece(`$filter(${code}, ${converter.lambda(first, [itemPiece(converter, list)]).code})[0]`);
    case 'includes':
      return certainPiece(
        `${first ? printOperandCode(converter.convert(first)) : converter.refuse('An argument is missing')} in ${printOperandCode(list)}`,
        'boolean',
        false,
      );
    case 'join': {
      const item = itemPiece(converter, list);
      if (item.type !== 'text') converter.doubt('JSONata joins texts only');
      const separator = first ? converter.convert(first) : undefined;
      if (separator && separator.type !== 'text') converter.doubt(TEXT_DOUBT);
      return certainPiece(`$join(${code}, ${separator?.code ?? '","'})`, 'text');
    }
    default:
      return undefined;
  }
}

/** Methods with the same result in JSONata. */
export function convertJavascriptMethod(converter: JavascriptConversion, call: JavascriptMethodCall): CodePiece {
  const whole = convertStaticCall(converter, call);
  if (whole) return whole;
  const { object, name, args } = call;
  const pattern = name === 'test' ? converter.regexLiteral(object) : undefined;
  if (pattern !== undefined && args[0]) {
    const text = requireText(converter, converter.convert(args[0]));
    return unknownPiece(`$contains(${text.code}, ${pattern})`, true, 'boolean');
  }
  const piece = converter.convert(object);
  if (piece.type === 'unknown' || piece.type === 'missing')
    converter.refuse('Whether this is a text or a list is not known without data');
  const converted =
    piece.type === 'list'
      ? convertListMethod(converter, piece, call)
      : piece.type === 'text'
        ? convertTextMethod(converter, piece, call)
        : undefined;
  return converted ?? converter.refuse(`JSONata has no counterpart of .${name}() with the same result`);
}
