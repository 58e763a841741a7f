import { textOf, valueOf, type Conversion, type Made, type Piece } from '../../conversion';
import { bag, list, type Bag } from '../../file';
import { quoted } from '../../javascript/code';
import { isExpression, jsonValue, plain, type Expressions } from '../../text';
import type { Convert } from '../flow';
import { chosen, needsCredential } from '../http';

/** A call of a connector in place of an operation of n8n. */
export interface Call {
  /** Of the connector. */
  operation: string;
  /** Those that are undefined are left out. */
  parameters: Bag;
  /** Where the output has what n8n's node gives; default: `.body`. */
  path?: string;
  /** It gives a list. */
  isList?: boolean;
}

/** How an operation of n8n becomes a call; undefined: its parameters have no counterpart. */
export type CallOf = (read: Reader) => Call | undefined;

/** The parameters of a node of n8n, as Weft writes them. */
export class Reader {
  constructor(
    readonly conversion: Conversion,
    readonly expressions: Expressions,
  ) {}

  private raw(path: string): unknown {
    return path.split('.').reduce<unknown>((inside, name) => bag(inside)[name], this.conversion.node.parameters);
  }

  /** The parameter at a dotted path; one that is chosen from a list is its value. */
  get(path: string): unknown {
    return picked(this.raw(path));
  }

  /** The first of these parameters as a text, with its expressions. */
  text(...paths: string[]): string | undefined {
    for (const path of paths) {
      const found = textOf(this.get(path), this.expressions);
      if (found !== undefined && found !== '') return found;
    }
    return undefined;
  }

  /** A parameter with the type that it has. */
  value(path: string): unknown {
    const given = this.get(path);
    return given === undefined || given === '' || given === '=' ? undefined : valueOf(given, this.expressions);
  }

  /** The name of what was chosen from a list, or what was entered. */
  nameOf(path: string): string | undefined {
    const given = bag(this.raw(path));
    const name = given['cachedResultName'];
    return given['mode'] === 'list' && typeof name === 'string' && name !== '' ? plain(name) : this.text(path);
  }

  /** Items of a list, or of a text with commas. */
  list(path: string): unknown {
    const given = this.get(path);
    if (typeof given === 'string' && !isExpression(given)) {
      const parts = given.split(',').map((part) => plain(part.trim()));
      return given.trim() === '' ? undefined : parts;
    }
    return Array.isArray(given) && given.length === 0 ? undefined : this.value(path);
  }

  isSet(path: string): boolean {
    return this.get(path) === true;
  }

  /** A text of JSON as a value; undefined: it is empty, or no JSON. */
  json(path: string): unknown {
    const given = this.get(path);
    return typeof given === 'string' ? jsonValue(given, this.expressions)?.value : this.value(path);
  }

  /** The objects of a list in a field, such as `propertiesUi.propertyValues`. */
  rows(path: string): Bag[] {
    return list(this.get(path));
  }

  /** An object of names and values in a list of objects. */
  pairs(path: string, name: string, value: string): Record<string, unknown> | undefined {
    const entries = this.rows(path).flatMap((row): [string, unknown][] => {
      const key = chosen(row[name]);
      return typeof key === 'string' && isName(key) ? [[plain(key), valueOf(row[value], this.expressions)]] : [];
    });
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }

  /** The fields of an object, without those that are empty. */
  fields(path: string): Record<string, unknown> {
    const entries = Object.entries(bag(this.get(path))).filter(([name, each]) => isName(name) && isFilled(each));
    return Object.fromEntries(entries.map(([name, each]) => [plain(name), valueOf(picked(each), this.expressions)]));
  }

  /** The item that comes in. */
  get item(): string {
    return `{{ ${this.expressions.scope.json} }}`;
  }

  /** The file that comes in: n8n keeps files apart from fields. */
  file(): string {
    this.conversion.todo('Check that the file comes in.');
    return this.item;
  }

  /** All pages, or so many items. */
  pages(items: string, limit = 'limit'): { parameters: Bag; path: string; isList: true } {
    const isAll = this.isSet('returnAll');
    const parameters = isAll ? { allPages: true } : { [limit]: this.value('limit') };
    return { parameters, path: isAll || items === '' ? '.body' : `.body.${items}`, isList: true };
  }

  todo(sentence: string): void {
    this.conversion.todo(sentence);
  }

  say(sentence: string): void {
    this.conversion.say(sentence);
  }
}

/** A parameter that is chosen from a list is its value. */
const picked = (given: unknown): unknown => (bag(given)['__rl'] === true ? chosen(given) : given);
const isName = (name: string): boolean => name !== '' && name !== '__proto__' && !isExpression(name);
const isFilled = (given: unknown): boolean => given !== undefined && given !== null && given !== '' && given !== '=';

export interface ServiceNode {
  connector: string;
  /** In messages. */
  name: string;
  /** What a node without the parameter `resource` has; absent: this type has none. */
  resource?: string;
  /** What a node without the parameter `operation` has: for all resources, or for each. */
  operation: string | Readonly<Record<string, string>>;
  /** Of a resource and an operation, such as `message.post`, or of an operation alone. */
  calls: Readonly<Record<string, CallOf>>;
  /** What people have to know in every case. */
  hint?: string;
}

/** The resource and operation of a node. */
function keyOf({ resource: usual, operation: standard }: ServiceNode, parameters: Bag): string {
  const resource = String(parameters['resource'] ?? usual ?? '');
  const byResource = typeof standard === 'string' ? standard : standard[resource];
  const operation = String(parameters['operation'] ?? byResource ?? '');
  return usual === undefined ? operation : `${resource}.${operation}`;
}

/** A node of a service as a connector node. */
export const service =
  (node: ServiceNode): Convert =>
  (conversion): Piece => {
    const key = keyOf(node, conversion.node.parameters);
    const callOf = Object.hasOwn(node.calls, key) ? node.calls[key] : undefined;
    const first = callOf?.(new Reader(conversion, conversion.ofEach));
    if (!callOf || !first)
      return conversion.placeholder(
        `The connector ${node.name} has no “${key}”: use its operation “request”, or an HTTP request.`,
      );
    needsCredential(conversion, `an account of ${node.name}`);
    if (node.hint) conversion.say(node.hint);
    return conversion.each(
      (expressions) => connectorNode(node.connector, callOf(new Reader(conversion, expressions)) ?? first),
      first.isList,
    );
  };

/** A call as the config of a connector node. */
export function connectorNode(connectorId: string, { operation, parameters, path = '.body' }: Call): Made {
  const entries = Object.entries(parameters).filter(([, each]) => each !== undefined);
  return { type: 'connector', path, config: { connectorId, operation, parameters: Object.fromEntries(entries) } };
}

/** What a piece gives, changed by JSONata on each of its items, which is `$`. */
export function reshaped(piece: Piece, code: string): Piece {
  const { code: given, isList, rows } = piece.result;
  return {
    ...piece,
    result: { path: undefined, code: isList ? `[${given}.${code}]` : `${given}.${code}`, isList, rows },
  };
}

/** An object of fields in JSONata. */
export const objectOf = (entries: readonly (readonly [string, string])[]): string =>
  `{ ${entries.map(([name, code]) => `${quoted(name)}: ${code}`).join(', ')} }`;

/** An operation whose parameters have the same meaning under other names: ours → the path of theirs. */
export const same =
  (operation: string, names: Readonly<Record<string, string>> = {}): CallOf =>
  (read) => ({
    operation,
    parameters: Object.fromEntries(Object.entries(names).map(([ours, theirs]) => [ours, read.value(theirs)])),
  });

/** The same for a list, with `limit` or all pages. `items`: where the answer has it. */
export const listed =
  (operation: string, items: string, names: Readonly<Record<string, string>> = {}): CallOf =>
  (read) => {
    const pages = read.pages(items);
    const own = Object.entries(names).map(([ours, theirs]) => [ours, read.value(theirs)]);
    return { ...pages, operation, parameters: { ...Object.fromEntries(own), ...pages.parameters } };
  };
