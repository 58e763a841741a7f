import { parseExactJson } from '@/contract/exact-json';
/** An object of a file, with any fields. */
export type Bag = Readonly<Record<string, unknown>>;

/** A value as an object; anything else has no fields. */
export const bag = (value: unknown): Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Bag) : {};
/** The objects of a list; anything else has none. */
export const list = (value: unknown): Bag[] => (Array.isArray(value) ? value.map(bag) : []);

/** The beginning of a text, without half a sign at its end. */
export const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed();

/** A file of n8n that cannot be imported. The message is for people. */
export class N8nImportError extends Error {
  override readonly name = 'N8nImportError';
}

export interface N8nNode {
  name: string;
  type: string;
  version: number;
  parameters: Bag;
  position: { x: number; y: number };
  isDisabled: boolean;
  /** Without items, it gives an empty one, so that the next nodes run. */
  alwaysGives: boolean;
  notes: string;
  /** Its calls are authenticated; the credential itself is not in the file. */
  hasCredential: boolean;
  retry: { maxAttempts: number; backoffMs: number } | undefined;
  /** stop: a failure ends the run. continue: the next nodes follow. output: it has an output for failures. */
  onError: 'stop' | 'continue' | 'output';
}

/** A connection for data, by the names of its nodes; `output` and `input` count from 0. */
export interface N8nLink {
  from: string;
  output: number;
  to: string;
  input: number;
}

/** A node as a part of another. `kind`: that of the connection, such as `ai_tool`. */
export interface Attached {
  kind: string;
  node: N8nNode;
}

export interface N8nFile {
  name: string;
  nodes: N8nNode[];
  links: N8nLink[];
  /** Nodes that are tools, models or memories of another node, by their names. */
  parts: ReadonlyMap<string, string>;
  /** What each node has of them, by its name. */
  attached: ReadonlyMap<string, readonly Attached[]>;
  settings: Bag;
}

export const MAX_N8N_NODES = 500;
export const MAX_N8N_LINKS = 5000;
const MAX_DEPTH = 60;
/** Characters of nodes and connections, without pinned data. */
const MAX_NODE_TEXT = 3 * 1024 * 1024;
export const MAX_N8N_TEXT = 10 * 1024 * 1024;

/** The type of a node of n8n, such as `n8n-nodes-base.set`. */
const TYPE = /^@?[\w./-]{0,200}n8n[\w./-]{0,200}$/i;

/** Whether a parsed file looks like an export of n8n: nodes with names and such types. */
export function isN8n(value: unknown): boolean {
  const { nodes, connections } = bag(value);
  return (
    Array.isArray(nodes) &&
    !Array.isArray(connections) &&
    list(nodes).some(({ name, type }) => typeof name === 'string' && typeof type === 'string' && TYPE.test(type))
  );
}

/** Reads an export of n8n. Throws N8nImportError, and nothing else. */
export function readN8n(value: unknown): N8nFile {
  if (!isN8n(value)) throw new N8nImportError('The file is no export of n8n: it has no nodes of n8n.');
  const whole = bag(value);
  const { name, nodes, connections, settings } = bag(
    cleaned({
      name: whole['name'],
      nodes: whole['nodes'],
      connections: whole['connections'],
      settings: whole['settings'],
    }),
  );
  if (JSON.stringify([nodes, connections]).length > MAX_NODE_TEXT) {
    throw new N8nImportError('The nodes of the workflow are larger than 3 MB.');
  }
  const given = list(nodes).filter((one) => typeof one['name'] === 'string' && typeof one['type'] === 'string');
  if (given.length > MAX_N8N_NODES) {
    throw new N8nImportError(`The workflow has ${given.length} nodes. At most ${MAX_N8N_NODES} can be imported.`);
  }
  const known = new Map<string, N8nNode>();
  for (const node of given.map(nodeOf)) if (!known.has(node.name)) known.set(node.name, node);
  const links: N8nLink[] = [];
  const parts = new Map<string, string>();
  const attached = new Map<string, Attached[]>();
  for (const [from, kinds] of Object.entries(bag(connections))) {
    const source = known.get(from);
    if (!source) continue;
    for (const [kind, outputs] of Object.entries(bag(kinds))) {
      for (const [output, targets] of (Array.isArray(outputs) ? outputs : []).entries()) {
        for (const { node, index } of list(targets)) {
          if (typeof node !== 'string' || !known.has(node)) continue;
          if (kind === 'main') links.push({ from, output, to: node, input: wholeOf(index) });
          else {
            parts.set(from, node);
            attached.set(node, [...(attached.get(node) ?? []), { kind, node: source }]);
          }
        }
      }
    }
  }
  if (links.length > MAX_N8N_LINKS) {
    throw new N8nImportError(`The workflow has ${links.length} connections. At most ${MAX_N8N_LINKS} can be imported.`);
  }
  for (const { from } of links) parts.delete(from);
  return {
    name: typeof name === 'string' ? name : '',
    nodes: [...known.values()],
    links,
    parts,
    attached,
    settings: bag(settings),
  };
}

/** A file as text. Throws N8nImportError. */
export function parseN8n(text: string): N8nFile {
  if (text.length > MAX_N8N_TEXT) throw new N8nImportError('The file is larger than 10 MB.');
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    throw new N8nImportError('The file is no JSON.');
  }
  return readN8n(value);
}

const wholeOf = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 1000 ? value : 0;

const numberOf = (value: unknown, least: number, most: number, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(Math.max(Math.round(value), least), most) : otherwise;

const MAX_PLACE = 1_000_000;

function nodeOf(given: Bag): N8nNode {
  const { name, type, typeVersion, parameters, position, disabled, notes, credentials, onError } = given;
  const [x, y] = Array.isArray(position) ? (position as unknown[]) : [];
  return {
    name: String(name),
    type: String(type),
    version: typeof typeVersion === 'number' ? typeVersion : 1,
    parameters: bag(parameters),
    position: { x: numberOf(x, -MAX_PLACE, MAX_PLACE, 0), y: numberOf(y, -MAX_PLACE, MAX_PLACE, 0) },
    isDisabled: disabled === true,
    alwaysGives: given['alwaysOutputData'] === true,
    notes: typeof notes === 'string' ? notes : '',
    hasCredential: Object.keys(bag(credentials)).length > 0,
    retry:
      given['retryOnFail'] === true
        ? {
            maxAttempts: numberOf(given['maxTries'], 1, 20, 3),
            backoffMs: numberOf(given['waitBetweenTries'], 0, 300_000, 1000),
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

/** A value whose texts can be stored, and whose depth is bounded. */
function cleaned(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new N8nImportError(`The file is nested deeper than ${MAX_DEPTH} levels.`);
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '');
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      // The name of no field: objects of JavaScript have it already.
      .filter(([name]) => name !== '__proto__')
      .map(([name, item]) => [cleaned(name), cleaned(item, depth + 1)]),
  );
}
