/** What is known about a value: its type, or the object of n8n that it stands for. */
export type CodeType =
  | 'string'
  | 'number'
  | 'boolean'
  | 'list'
  | 'time'
  | 'any'
  | 'null'
  | 'items'
  | 'item'
  | 'node'
  | 'input'
  | 'pattern'
  | 'function';

/** A piece of JSONata. `isAtom`: it needs no parentheses as a part of another. */
export interface JsonataCode {
  code: string;
  type: CodeType;
  isAtom: boolean;
  /** For a node that gives a list: the item of the list that belongs to the item of the expression. */
  item?: string | undefined;
  /** For a time: the time zone in which it is read, if one is named. */
  zone?: string | undefined;
}

export const atomicCode = (code: string, type: CodeType = 'any'): JsonataCode => ({ code, type, isAtom: true });
export const composedCode = (code: string, type: CodeType): JsonataCode => ({ code, type, isAtom: false });

/** The code as an operand of a larger expression, in parentheses where needed. */
export const operandCode = ({ code, isAtom }: JsonataCode): string => (isAtom ? code : `(${code})`);

/** A text as JSONata. Doubled braces would begin or end the expression around it. */
export const jsonataString = (text: string): string =>
  JSON.stringify(text)
    .replaceAll('{{', String.raw`{\u007b`)
    .replaceAll('}}', String.raw`}\u007d`);

const PLAIN_NAME_PATTERN = /^[A-Za-z_]\w*$/;
const RESERVED_FIELD_NAMES = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function']);

/** The name and value of an object with one field, which is a path or such an object again. */
function singleFieldEntry(code: string): [string, string] | undefined {
  const [, name, inner] = /^\{ "(\w+)": (.+) \}$/.exec(code) ?? [];
  if (name === undefined || inner === undefined) return undefined;
  return /^[\w.]+$/.test(inner) || singleFieldEntry(inner) ? [name, inner] : undefined;
}

/** A step of a path. A name with a backtick needs a function. */
export function fieldAccess(object: JsonataCode, name: string): JsonataCode {
  const [field, inner] = singleFieldEntry(object.code) ?? [];
  if (field === name && inner !== undefined) return atomicCode(inner);
  if (PLAIN_NAME_PATTERN.test(name) && !RESERVED_FIELD_NAMES.has(name))
    return atomicCode(`${operandCode(object)}.${name}`);
  if (name === '' || /[`\n\r{}]/.test(name)) return atomicCode(`$lookup(${object.code}, ${jsonataString(name)})`);
  return atomicCode(`${operandCode(object)}.\`${name}\``);
}

export const jsonataCall = (name: string, type: CodeType, ...parameters: (JsonataCode | string)[]): JsonataCode =>
  atomicCode(`$${name}(${parameters.map((one) => (typeof one === 'string' ? one : one.code)).join(', ')})`, type);

/** Converts a value to a text; a missing value becomes an empty text. */
export const asTextCode = (value: JsonataCode): JsonataCode =>
  value.type === 'string' ? value : composedCode(`${operandCode(value)} & ""`, 'string');

/** An element of a list. A list that is built needs parentheses: JSONata would take the position for a part of it. */
export const elementAtIndex = (value: JsonataCode, index: string, type: CodeType = 'any'): JsonataCode =>
  atomicCode(`${value.code.startsWith('[') ? `(${value.code})` : operandCode(value)}[${index}]`, type);

/** Converts a value to true or false. JSONata's own functions return nothing for a missing value. */
export const asConditionCode = (value: JsonataCode): JsonataCode =>
  value.type === 'boolean' ? value : composedCode(`${operandCode(value)} ? true : false`, 'boolean');

/** Negates a value; a missing value becomes true. */
export const negateCode = (value: JsonataCode): JsonataCode =>
  composedCode(`${operandCode(value)} ? false : true`, 'boolean');
