import type { NodeConnection, WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import type { NodeConversion, ConvertedNodes, InputReference } from './conversion';
import { cutWellFormed, type N8nNode } from './file';
import { jsonataString } from './javascript/code';
import { itemAtIndexCode } from './javascript/n8n-objects';
import type { ValueReference, ListsByNodeName } from './javascript/scope';
import type { NodeLink } from './node-links';

/** The start node of the workflow or of a loop, and the data that it passes on. */
export interface LevelStart {
  id: string;
  position: WorkflowNode['position'];
  source: InputReference;
}

/** A list that gets one empty item if it has no items. */
export const withEmptyItem = ({ code }: InputReference): InputReference => ({
  path: undefined,
  code: `[$count([${code}]) > 0 ? ${code} : {}]`,
  isList: true,
});

/** Adds the list of a node itself to the lists that belong to its result row by row. */
export const addRowList = ({ rows, code }: InputReference, name: string): ListsByNodeName =>
  new Map([...(rows ?? []), [name, code]]);

/** The nodes whose lists have an item for each round of a loop, with the item of this round. */
export const loopRowReferences = (
  rows: ListsByNodeName | undefined,
  names: ReadonlyMap<string, ValueReference>,
  index: string,
): [string, ValueReference][] =>
  [...(rows ?? [])].flatMap(([name, list]): [string, ValueReference][] => {
    const place = names.get(name);
    return place?.isList ? [[name, { ...place, item: itemAtIndexCode(list, index) }]] : [];
  });

export function addNodeNote(piece: ConvertedNodes, text: string): ConvertedNodes {
  const [first, ...others] = piece.nodes;
  if (!first) return piece;
  const notes = cutWellFormed(first.notes ? `${text}\n\n${first.notes}` : text, 10_000);
  return { ...piece, nodes: [{ ...first, notes }, ...others] };
}

export const uniqueLinks = (links: readonly NodeLink[]): NodeLink[] => [
  ...new Map(links.map((link) => [`${link.from} ${link.output} ${link.to} ${link.input}`, link])).values(),
];

/** Links of triggers, of which some lead to `naming`: what both lead to follows it alone, so that it runs once. */
export function linkThroughNaming(links: readonly NodeLink[], start: string, naming: string): NodeLink[] {
  const targets = new Set(links.filter(({ from }) => from === naming).map(({ to }) => to));
  const others = links.filter(({ from, to }) => from !== start || !targets.has(to));
  return [{ from: start, output: 0, to: naming, input: 0 }, ...others];
}

/** The links of a workflow that nothing starts: the start leads to the nodes that nothing leads to. */
export function linkRootsToStart(links: readonly NodeLink[], ids: readonly string[], start: string): NodeLink[] {
  const targets = new Set(links.map(({ to }) => to));
  const first = ids.filter((id) => !targets.has(id));
  return [...first.map((to) => ({ from: start, output: 0, to, input: 0 })), ...links];
}

/** The input of the workflow with the names that n8n has for its fields. */
export function renameInputFields(conversion: NodeConversion, names: ReadonlyMap<string, string>): ConvertedNodes {
  const pairs = [...names].map(([theirs, ours]) => `${jsonataString(theirs)}: input.${ours}`);
  return conversion.asSingleNode({
    type: 'transform',
    config: { expression: `$merge([input, { ${pairs.join(', ')} }])` },
  });
}

export const convertedStart = ({ id, position, source }: LevelStart): ConvertedNodes => ({
  nodes: [{ id, type: 'start', position, config: {} }],
  connections: [],
  entries: [],
  outputs: [{ node: id, port: 'output' }],
  failingNodeId: undefined,
  result: source,
});

/** The data that arrives at each input of a node. */
export function nodeInputs(
  links: readonly NodeLink[],
  pieces: ReadonlyMap<string, ConvertedNodes>,
  isBranched: boolean,
): (InputReference | undefined)[] {
  const isOnly = new Set(links.map(({ from, output }) => `${from} ${output}`)).size === 1;
  const inputs: (InputReference | undefined)[] = [];
  for (const input of new Set(links.map((link) => link.input))) {
    const sources = links
      .filter((link) => link.input === input)
      .flatMap(({ from, output }): InputReference[] => {
        const piece = pieces.get(from);
        if (!piece) return [];
        const code = piece.outputs[output]?.code;
        return [code ? { ...piece.result, code, rows: piece.outputs[output]?.rows } : piece.result];
      });
    const source = combineSources(
      [...new Map(sources.map((one) => [`${one.code} ${one.path}`, one])).values()],
      isBranched,
    );
    inputs[input] =
      source &&
      (isOnly
        ? source
        : {
            ...source,
            path: isBranched && new Set(links.map((link) => link.input)).size === 1 ? source.path : undefined,
          });
  }
  return Array.from(inputs);
}

/** Combines several sources: after a branch only one of them has data, otherwise all their items are used. */
function combineSources(sources: readonly InputReference[], isBranched: boolean): InputReference | undefined {
  const [first] = sources;
  if (!first || sources.length === 1) return first;
  if (isBranched && sources.every(({ isList }) => !isList)) {
    const isSame = sources.every(({ path }) => path === first.path);
    return {
      path: isSame ? first.path : undefined,
      code: `(${sources.map(({ code }) => code).join(' ?? ')})`,
      isList: false,
    };
  }
  return { path: undefined, code: `[${sources.map(({ code }) => code).join(', ')}]`, isList: true };
}

/** Joins converted nodes to one definition, with connections for their links. */
export function joinConvertedNodes(
  pieces: ReadonlyMap<string, ConvertedNodes>,
  links: readonly NodeLink[],
  nodes: ReadonlyMap<string, N8nNode>,
): WorkflowDefinition {
  const connections: NodeConnection[] = [];
  const known = new Set<string>();
  const connect = (sourceNode: string, sourcePort: string, targetNode: string) => {
    const key = `${sourceNode} ${sourcePort} ${targetNode}`;
    if (known.has(key)) return;
    known.add(key);
    connections.push({ sourceNode, sourcePort, targetNode, targetPort: 'input' });
  };
  for (const { from, output, to } of links) {
    const [source, target] = [pieces.get(from), pieces.get(to)];
    if (!source || !target) continue;
    const found = source.outputs[output];
    const failing = source.failingNodeId;
    const onError = nodes.get(from)?.onError;
    for (const entry of target.entries) {
      if (found) {
        for (const port of [found.port, ...(found.also ?? [])]) connect(found.node, port, entry);
        if (onError === 'continue' && failing) connect(failing, 'error', entry);
      } else if (failing) connect(failing, 'error', entry);
    }
  }
  return {
    nodes: [...pieces.values()].flatMap((piece) => piece.nodes),
    connections: [...connections, ...[...pieces.values()].flatMap((piece) => piece.connections)],
  };
}

/** Places transforms before a node that collect those of its inputs which the input of one node does not contain. */
export function prependCollectors(piece: ConvertedNodes, collectors: readonly WorkflowNode[]): ConvertedNodes {
  if (collectors.length === 0) return piece;
  const connections = collectors.flatMap(({ id }) =>
    piece.entries.map((entry): NodeConnection => ({
      sourceNode: id,
      sourcePort: 'output',
      targetNode: entry,
      targetPort: 'input',
    })),
  );
  return {
    ...piece,
    nodes: [...collectors, ...piece.nodes],
    connections: [...piece.connections, ...connections],
    entries: collectors.map(({ id }) => id),
  };
}
