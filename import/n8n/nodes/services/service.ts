import {
  isEmptyParameter,
  parameterText,
  parameterValue,
  type NodeConversion,
  type WeftNodeConfig,
  type ConvertedCall,
  type NodeConverter,
} from '../../conversion';
import { asN8nObject, cutWellFormed, asN8nObjects, type N8nObject } from '../../file';
import { isN8nExpression, convertJsonText, escapeBraces, type NodeExpressions } from '../../n8n-expressions';
import { writeTextSource } from '../../items/parameter-source';
import { chosenListValue, addCredentialTodo } from '../http';
import { incomingFile } from '../incoming-file';

/** A call of a connector in place of an operation of n8n. */
export interface ConnectorCall {
  /** The name of the operation of the connector. */
  operation: string;
  /** Parameters that are undefined are left out. */
  parameters: N8nObject;
  /** The path of the output that holds the data of n8n's node; default: `.body`. */
  path?: string;
  /** The call gives a list. */
  isList?: boolean;
}

/** Builds the call for an operation of n8n; undefined: its parameters have no counterpart. */
export type ConnectorCallBuilder = (read: ParameterReader) => ConnectorCall | undefined;

/** The parameters of a node of n8n, as Weft writes them. */
export class ParameterReader {
  /** What values that were chosen from a list were called. */
  readonly chosenLabels = new Map<string, string>();

  /** The parameters that were read and that are picked from a list in n8n, where nothing is picked. */
  private readonly openPicks = new Set<string>();

  constructor(
    readonly conversion: NodeConversion,
    readonly expressions: NodeExpressions,
  ) {}

  private raw(path: string): unknown {
    return path
      .split('.')
      .reduce<unknown>((inside, name) => asN8nObject(inside)[name], this.conversion.node.parameters);
  }

  /** The parameter at a dotted path; one that is chosen from a list is its value. */
  get(path: string): unknown {
    const given = this.raw(path);
    if (asN8nObject(given)['__rl'] === true && isEmptyParameter(given)) this.openPicks.add(path);
    const { __rl: isPicked, cachedResultName: name } = asN8nObject(given);
    const value = pickedValue(given);
    if (
      isPicked === true &&
      typeof name === 'string' &&
      name !== '' &&
      (typeof value === 'string' || typeof value === 'number')
    )
      this.chosenLabels.set(String(value), name);
    return value;
  }

  /** The first of these parameters as a text, with its expressions. */
  text(...paths: string[]): string | undefined {
    for (const path of paths) {
      const found = parameterText(this.get(path), this.expressions);
      if (found !== undefined && found !== '') return found;
    }
    return undefined;
  }

  /** An id as a text: n8n also takes a number, and refuses what is null. */
  idText(path: string): string | undefined {
    const given = this.get(path);
    return typeof given === 'string' && isN8nExpression(given) && given !== '='
      ? `{{ ${writeTextSource(given, this.expressions.reportLost)}?.toString() }}`
      : this.text(path);
  }

  /** A text that n8n leaves out where it is empty. */
  filledText(path: string): string | undefined {
    if (this.isEmpty(path)) return undefined;
    const given = this.get(path);
    return typeof given === 'string' && isN8nExpression(given)
      ? `{{ ${writeTextSource(given, this.expressions.reportLost)} || null }}`
      : this.text(path);
  }

  /** A text of JSON, whose expressions may stand anywhere in it. */
  jsonText(path: string): unknown {
    const given = this.get(path);
    if (typeof given !== 'string' || given.trim() === '') return undefined;
    const found = convertJsonText(given, this.expressions);
    if (!found) this.addTodo('Check its JSON: n8n cannot read it either.');
    return found?.value;
  }

  /** A parameter with the type that it has. */
  value(path: string): unknown {
    const given = this.get(path);
    return given === undefined || given === '' || given === '=' ? undefined : parameterValue(given, this.expressions);
  }

  /** The name of what was chosen from a list, or what was entered. */
  chosenName(path: string): string | undefined {
    const given = asN8nObject(this.raw(path));
    const name = given['cachedResultName'];
    return given['mode'] === 'list' && typeof name === 'string' && name !== '' ? escapeBraces(name) : this.text(path);
  }

  /** Items of a list, or of a text with commas. */
  list(path: string): unknown {
    const given = this.get(path);
    if (typeof given === 'string' && !isN8nExpression(given)) {
      const parts = given.split(',').map((part) => escapeBraces(part.trim()));
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
    return typeof given === 'string' ? convertJsonText(given, this.expressions, true)?.value : this.value(path);
  }

  /** The objects of a list in a field, such as `propertiesUi.propertyValues`. */
  rows(path: string): N8nObject[] {
    return asN8nObjects(this.get(path));
  }

  /** An object of names and values in a list of objects. */
  pairs(path: string, name: string, value: string): Record<string, unknown> | undefined {
    const entries = this.rows(path).flatMap((row): [string, unknown][] => {
      const key = chosenListValue(row[name]);
      return typeof key === 'string' && isLiteralName(key)
        ? [[escapeBraces(key), parameterValue(row[value], this.expressions)]]
        : [];
    });
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }

  /** The fields of an object, without those that are empty. */
  fields(path: string): Record<string, unknown> {
    const entries = Object.entries(asN8nObject(this.get(path))).filter(
      ([name, each]) => isLiteralName(name) && isFilledParameter(each),
    );
    return Object.fromEntries(
      entries.map(([name, each]) => [escapeBraces(name), parameterValue(pickedValue(each), this.expressions)]),
    );
  }

  /** The item that comes in. */
  get item(): string {
    return '{{ $json }}';
  }

  /** The file that comes in: n8n keeps files apart from fields, and names them by one of these parameters. */
  file(): string {
    return incomingFile(this.conversion, this.expressions);
  }

  /** The parameters and path of a list, for all pages or up to a limit. */
  pages(items: string, limit = 'limit'): { parameters: N8nObject; path: string; isList: true } {
    const isAll = this.isSet('returnAll');
    const parameters = isAll ? { allPages: true } : { [limit]: this.value('limit') };
    return { parameters, path: isAll || items === '' ? '.body' : `.body.${items}`, isList: true };
  }

  addTodo(sentence: string): void {
    this.conversion.addTodo(sentence);
  }

  /** Asks for a parameter of the operation that is empty in n8n, too. */
  addChoice(parameter: string, sentence: string): void {
    this.conversion.addChoice(`config.parameters.${parameter}`, sentence);
  }

  /** Whether the file has nothing for any of these parameters. */
  isEmpty(...paths: string[]): boolean {
    return paths.every((path) => isEmptyParameter(this.raw(path)));
  }

  /** Asks for what is picked from a list in n8n, and is not. */
  addOpenPicks(): void {
    for (const path of this.openPicks) {
      const [name = path] = path.split('.').slice(-1);
      const words = name
        .replace(/(?:Id|Name|ToMatchOn)$/, '')
        .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      this.conversion.addChoice('config.parameters', `Choose its ${words.trim()}.`);
    }
  }

  addRemark(sentence: string): void {
    this.conversion.addRemark(sentence);
  }
}

/** A parameter that is chosen from a list is its value. */
const pickedValue = (given: unknown): unknown => (asN8nObject(given)['__rl'] === true ? chosenListValue(given) : given);
const isLiteralName = (name: string): boolean => name !== '' && name !== '__proto__' && !isN8nExpression(name);
const isFilledParameter = (given: unknown): boolean =>
  given !== undefined && given !== null && given !== '' && given !== '=';

export interface ServiceNode {
  connector: string;
  /** The name of the service in messages. */
  name: string;
  /** The resource of a node without the parameter `resource`; absent: this type has no resources. */
  resource?: string;
  /** The operation of a node without the parameter `operation`: one for all resources, or one for each. */
  operation: string | Readonly<Record<string, string>>;
  /** Keyed by resource and operation, such as `message.post`, or by the operation alone. */
  calls: Readonly<Record<string, ConnectorCallBuilder>>;
  /** A remark that is added to every converted node. */
  hint?: string;
}

/** The resource and operation of a node. */
function serviceOperationKey({ resource: usual, operation: standard }: ServiceNode, parameters: N8nObject): string {
  const resource = String(parameters['resource'] ?? usual ?? '');
  const byResource = typeof standard === 'string' ? standard : standard[resource];
  const operation = String(parameters['operation'] ?? byResource ?? '');
  return usual === undefined ? operation : `${resource}.${operation}`;
}

/** A node of a service as a connector node. */
export const serviceConverter =
  (node: ServiceNode): NodeConverter =>
  (conversion): ConvertedCall => {
    const key = serviceOperationKey(node, conversion.node.parameters);
    const callOf = Object.hasOwn(node.calls, key) ? node.calls[key] : undefined;
    const read = new ParameterReader(conversion, conversion.expressions);
    const call = callOf?.(read);
    if (!call)
      return conversion.placeholder(
        `The connector ${node.name} has no “${key}”: use its operation “request”, or an HTTP request.`,
      );
    read.addOpenPicks();
    addCredentialTodo(conversion, `an account of ${node.name}`);
    if (node.hint) conversion.addRemark(node.hint);
    const made = connectorNodeConfig(node.connector, call);
    return conversion.createCall(
      { ...made, ...pickedLabels(made.config['parameters'], read.chosenLabels) },
      call.isList,
    );
  };

/** The labels of a node keep at most this many of the names that n8n kept, cut to this length. */
const MAX_IMPORTED_LABELS = 10;
const MAX_IMPORTED_LABEL = 100;

/** What the picked values among the parameters were called in n8n. */
function pickedLabels(parameters: unknown, names: ReadonlyMap<string, string>): { labels?: Record<string, string> } {
  const labels = Object.entries(asN8nObject(parameters)).flatMap(([field, value]): [string, string][] => {
    const name = typeof value === 'string' || typeof value === 'number' ? names.get(String(value)) : undefined;
    return name === undefined
      ? []
      : [[`parameters.${field}`, cutWellFormed(name.replaceAll(/[\p{Cc}\s]+/gu, ' '), MAX_IMPORTED_LABEL)]];
  });
  return labels.length === 0 ? {} : { labels: Object.fromEntries(labels.slice(0, MAX_IMPORTED_LABELS)) };
}

/** A call as the config of a connector node. */
export function connectorNodeConfig(
  connectorId: string,
  { operation, parameters, path = '.body' }: ConnectorCall,
): WeftNodeConfig {
  const entries = Object.entries(parameters).filter(([, each]) => each !== undefined);
  return { type: 'connector', path, config: { connectorId, operation, parameters: Object.fromEntries(entries) } };
}

/** An operation whose parameters have the same meaning under other names: ours → the path of theirs. */
export const sameParametersCall =
  (operation: string, names: Readonly<Record<string, string>> = {}): ConnectorCallBuilder =>
  (read) => ({
    operation,
    parameters: Object.fromEntries(Object.entries(names).map(([ours, theirs]) => [ours, read.value(theirs)])),
  });

/**
 * Like `sameParametersCall`, for an operation that gives a list, with `limit` or all pages. `items`: where the response
 * has the list.
 */
export const pagedListCall =
  (operation: string, items: string, names: Readonly<Record<string, string>> = {}): ConnectorCallBuilder =>
  (read) => {
    const pages = read.pages(items);
    const own = Object.entries(names).map(([ours, theirs]) => [ours, read.value(theirs)]);
    return { ...pages, operation, parameters: { ...Object.fromEntries(own), ...pages.parameters } };
  };
