import { parseExactJson } from '@/contract/exact-json';
/** An object of a file, with any fields. */
export type N8nObject = Readonly<Record<string, unknown>>;

/** A value as an object; anything else has no fields. */
export const asN8nObject = (value: unknown): N8nObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as N8nObject) : {};
/** The objects of a list; anything else has none. */
export const asN8nObjects = (value: unknown): N8nObject[] => (Array.isArray(value) ? value.map(asN8nObject) : []);

/** The beginning of a text, without half a sign at its end. */
export const cutWellFormed = (text: string, most: number): string => text.slice(0, most).toWellFormed();

/** A file of n8n that cannot be imported. The message is for people. */
export class N8nImportError extends Error {
  override readonly name = 'N8nImportError';
}

export interface N8nNode {
  name: string;
  type: string;
  version: number;
  parameters: N8nObject;
  position: { x: number; y: number };
  isDisabled: boolean;
  /** The node gives an empty item if it has none, so that the next nodes run. */
  alwaysOutputsData: boolean;
  /** The node runs for the first item alone. */
  executesOnce: boolean;
  notes: string;
  /** The node uses a credential; the credential itself is not in the file. */
  hasCredential: boolean;
  retry: { maxAttempts: number; backoffMs: number } | undefined;
  /** stop: a failure ends the run. continue: the next nodes follow. output: it has an output for failures. */
  onError: 'stop' | 'continue' | 'output';
}

/** A connection for data, by the names of its nodes; `output` and `input` count from 0. */
export interface N8nConnection {
  from: string;
  output: number;
  to: string;
  input: number;
}

/** A node as a part of another. `kind`: that of the connection, such as `ai_tool`. */
export interface AttachedPart {
  kind: string;
  node: N8nNode;
  /** Which input of this kind it is: the second model takes the place of a first one that fails. */
  input: number;
}

export interface N8nFile {
  id: string | undefined;
  name: string;
  nodes: N8nNode[];
  links: N8nConnection[];
  /** Nodes that are tools, models or memories of another node, by their names. */
  parts: ReadonlyMap<string, string>;
  /** The attached parts of each node, by its name. */
  attached: ReadonlyMap<string, readonly AttachedPart[]>;
  /** A connection names a node that is not in the file. */
  hasLostLinks: boolean;
  settings: N8nObject;
}

export const MAX_N8N_NODES = 500;
export const MAX_N8N_LINKS = 5000;
const MAX_FILE_DEPTH = 60;
/** Each expression is parsed. */
export const MAX_N8N_EXPRESSIONS = 5000;
/** Characters of nodes and connections, without pinned data. */
export const MAX_NODE_TEXT = 3 * 1024 * 1024;
export const MAX_N8N_TEXT = 10 * 1024 * 1024;

/** The type of a node of n8n, such as `n8n-nodes-base.set`. */
const N8N_TYPE_PATTERN = /^@?[\w./-]{0,200}n8n[\w./-]{0,200}$/i;

/** Whether a parsed file looks like an export of n8n: nodes with names and such types. */
export function isN8n(value: unknown): boolean {
  const { nodes, connections } = asN8nObject(value);
  return (
    Array.isArray(nodes) &&
    !Array.isArray(connections) &&
    asN8nObjects(nodes).some(
      ({ name, type }) => typeof name === 'string' && typeof type === 'string' && N8N_TYPE_PATTERN.test(type),
    )
  );
}

/** Reads an export of n8n. Throws N8nImportError, and nothing else. */
export function readN8nExport(value: unknown): N8nFile {
  if (!isN8n(value)) throw new N8nImportError('The file is no export of n8n: it has no nodes of n8n.');
  const whole = asN8nObject(value);
  const { name, nodes, connections, settings } = asN8nObject(
    cleanFileValue({
      name: whole['name'],
      nodes: whole['nodes'],
      connections: whole['connections'],
      settings: whole['settings'],
    }),
  );
  const text = JSON.stringify([nodes, connections]);
  if (text.length > MAX_NODE_TEXT) throw new N8nImportError('The nodes of the workflow are larger than 3 MB.');
  if (text.split('{{').length > MAX_N8N_EXPRESSIONS + 1)
    throw new N8nImportError(`The workflow has more than ${MAX_N8N_EXPRESSIONS} expressions.`);
  const given = asN8nObjects(nodes).filter((one) => typeof one['name'] === 'string' && typeof one['type'] === 'string');
  if (given.length > MAX_N8N_NODES) {
    throw new N8nImportError(`The workflow has ${given.length} nodes. At most ${MAX_N8N_NODES} can be imported.`);
  }
  const known = new Map<string, N8nNode>();
  for (const node of given.map(readN8nNode)) if (!known.has(node.name)) known.set(node.name, node);
  const links: N8nConnection[] = [];
  const parts = new Map<string, string>();
  const attached = new Map<string, AttachedPart[]>();
  let hasLostLinks = false;
  for (const [from, kinds] of Object.entries(asN8nObject(connections))) {
    const source = known.get(from);
    if (!source) hasLostLinks = true;
    if (!source) continue;
    for (const [kind, outputs] of Object.entries(asN8nObject(kinds))) {
      for (const [output, targets] of (Array.isArray(outputs) ? outputs : []).entries()) {
        for (const { node, index } of asN8nObjects(targets)) {
          if (typeof node !== 'string' || !known.has(node)) {
            hasLostLinks = true;
            continue;
          }
          if (kind === 'main') links.push({ from, output, to: node, input: readPortIndex(index) });
          else {
            parts.set(from, node);
            const others = attached.get(node) ?? [];
            others.push({ kind, node: source, input: readPortIndex(index) });
            attached.set(node, others);
          }
        }
      }
    }
  }
  if (links.length > MAX_N8N_LINKS) {
    throw new N8nImportError(`The workflow has ${links.length} connections. At most ${MAX_N8N_LINKS} can be imported.`);
  }
  for (const own of attached.values()) own.sort((one, other) => one.input - other.input);
  for (const { from } of links) parts.delete(from);
  const { id } = whole;
  return {
    id: typeof id === 'string' && id !== '' ? id : undefined,
    name: typeof name === 'string' ? name : '',
    nodes: [...known.values()],
    links,
    parts,
    attached,
    hasLostLinks,
    settings: asN8nObject(settings),
  };
}

/** A file as text. Throws N8nImportError. */
export function parseN8nFile(text: string): N8nFile {
  if (text.length > MAX_N8N_TEXT) throw new N8nImportError('The file is larger than 10 MB.');
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    throw new N8nImportError('The file is no JSON.');
  }
  return readN8nExport(value);
}

const readPortIndex = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 1000 ? value : 0;

const clampedNumber = (value: unknown, least: number, most: number, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(Math.max(Math.round(value), least), most) : otherwise;

const MAX_COORDINATE = 1_000_000;

/** Reads of documents of the first version act for the first item alone. */
const readsFirstItem = ({ type, typeVersion = 1, parameters }: N8nObject): boolean =>
  type === 'n8n-nodes-base.mongoDb' &&
  Number(typeVersion) < 1.1 &&
  ['find', 'aggregate', 'delete'].includes(String(asN8nObject(parameters)['operation'] ?? 'find'));

function readN8nNode(given: N8nObject): N8nNode {
  const { name, type, typeVersion, parameters, position, disabled, notes, credentials, onError } = given;
  const [x, y] = Array.isArray(position) ? (position as unknown[]) : [];
  return {
    name: String(name),
    type: String(type),
    version: typeof typeVersion === 'number' ? typeVersion : 1,
    parameters: leaveOutFormerValues(asN8nObject(parameters)),
    position: {
      x: clampedNumber(x, -MAX_COORDINATE, MAX_COORDINATE, 0),
      y: clampedNumber(y, -MAX_COORDINATE, MAX_COORDINATE, 0),
    },
    isDisabled: disabled === true,
    alwaysOutputsData: given['alwaysOutputData'] === true,
    executesOnce: given['executeOnce'] === true || readsFirstItem(given),
    notes: typeof notes === 'string' ? notes : '',
    hasCredential: Object.keys(asN8nObject(credentials)).length > 0,
    retry:
      given['retryOnFail'] === true
        ? {
            maxAttempts: clampedNumber(given['maxTries'], 1, 20, 3),
            backoffMs: clampedNumber(given['waitBetweenTries'], 0, 300_000, 1000),
          }
        : undefined,
    onError:
      onError === 'continueErrorOutput'
        ? 'output'
        : onError === 'continueRegularOutput' || given['continueOnFail'] === true
          ? 'continue'
          : 'stop',
  };
}

/** Columns that n8n fills from the item still have the values that were entered before: it does not read them. */
const leaveOutFormerValues = (parameters: N8nObject): N8nObject =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, given]) => {
      const { value: _, ...columns } = asN8nObject(given);
      return [name, columns['mappingMode'] === 'autoMapInputData' ? columns : given];
    }),
  );

/** A value whose texts can be stored, and whose depth is bounded. */
function cleanFileValue(value: unknown, depth = 0): unknown {
  if (depth > MAX_FILE_DEPTH) throw new N8nImportError(`The file is nested deeper than ${MAX_FILE_DEPTH} levels.`);
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '');
  if (Array.isArray(value)) return value.map((item) => cleanFileValue(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      // Setting this field would change the prototype of the object.
      .filter(([name]) => name !== '__proto__')
      .map(([name, item]) => [cleanFileValue(name), cleanFileValue(item, depth + 1)]),
  );
}
