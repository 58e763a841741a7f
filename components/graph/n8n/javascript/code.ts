/** What is known of a value: its type, or what of n8n it stands for. */
export type Type =
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
export interface Code {
  code: string;
  type: Type;
  isAtom: boolean;
  /** Of a node that gives a list: its item that belongs to the one that the expression is about. */
  item?: string | undefined;
  /** Of a time: the time zone in which it is read, if it is named. */
  zone?: string | undefined;
}

export const atom = (code: string, type: Type = 'any'): Code => ({ code, type, isAtom: true });
export const composed = (code: string, type: Type): Code => ({ code, type, isAtom: false });

/** As a part of a larger expression. */
export const part = ({ code, isAtom }: Code): string => (isAtom ? code : `(${code})`);

/** A text as JSONata. Doubled braces would begin or end the expression around it. */
export const quoted = (text: string): string =>
  JSON.stringify(text)
    .replaceAll('{{', String.raw`{\u007b`)
    .replaceAll('}}', String.raw`}\u007d`);

const WORD = /^[A-Za-z_]\w*$/;
const RESERVED = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function']);

/** The name and value of an object with one field, which is a path or such an object again. */
function onlyField(code: string): [string, string] | undefined {
  const [, name, inner] = /^\{ "(\w+)": (.+) \}$/.exec(code) ?? [];
  if (name === undefined || inner === undefined) return undefined;
  return /^[\w.]+$/.test(inner) || onlyField(inner) ? [name, inner] : undefined;
}

/** A step of a path. A name with a backtick needs a function. */
export function stepped(object: Code, name: string): Code {
  const [field, inner] = onlyField(object.code) ?? [];
  if (field === name && inner !== undefined) return atom(inner);
  if (WORD.test(name) && !RESERVED.has(name)) return atom(`${part(object)}.${name}`);
  if (name === '' || /[`\n\r{}]/.test(name)) return atom(`$lookup(${object.code}, ${quoted(name)})`);
  return atom(`${part(object)}.\`${name}\``);
}

export const call = (name: string, type: Type, ...parameters: (Code | string)[]): Code =>
  atom(`$${name}(${parameters.map((one) => (typeof one === 'string' ? one : one.code)).join(', ')})`, type);

/** As a text: nothing is an empty one. */
export const asText = (value: Code): Code =>
  value.type === 'string' ? value : composed(`${part(value)} & ""`, 'string');

/** An element of a list. A list that is built needs parentheses: JSONata would take the position for a part of it. */
export const element = (value: Code, index: string, type: Type = 'any'): Code =>
  atom(`${value.code.startsWith('[') ? `(${value.code})` : part(value)}[${index}]`, type);

/** As true or false. JSONata's own functions give nothing for nothing. */
export const asCondition = (value: Code): Code =>
  value.type === 'boolean' ? value : composed(`${part(value)} ? true : false`, 'boolean');

/** The opposite; that of nothing is true. */
export const not = (value: Code): Code => composed(`${part(value)} ? false : true`, 'boolean');
