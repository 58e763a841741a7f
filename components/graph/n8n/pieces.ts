import type { Connection, Definition, Node } from '@/contract/workflows/workflow';
import type { Conversion, Piece, Source } from './conversion';
import { cut, type N8nNode } from './file';
import { quoted } from './javascript/code';
import { itemAt } from './javascript/n8n-objects';
import type { Place, Rows } from './javascript/scope';
import type { Link } from './order';

/** What comes out of the start of the workflow or of a loop. */
export interface Start {
  id: string;
  position: Node['position'];
  source: Source;
}

/** A list with an empty item if there is none. */
export const filled = ({ code }: Source): Source => ({
  path: undefined,
  code: `[$count([${code}]) > 0 ? ${code} : {}]`,
  isList: true,
});

/** The rows of what a node gives: each item belongs to one of its own list, too. */
export const withRow = ({ rows, code }: Source, name: string): Rows => new Map([...(rows ?? []), [name, code]]);

/** The nodes whose lists have an item for each round of a loop, with the item of this round. */
export const rowsOf = (rows: Rows | undefined, names: ReadonlyMap<string, Place>, index: string): [string, Place][] =>
  [...(rows ?? [])].flatMap(([name, list]): [string, Place][] => {
    const place = names.get(name);
    return place?.isList ? [[name, { ...place, item: itemAt(list, index) }]] : [];
  });

export function withNote(piece: Piece, text: string): Piece {
  const [first, ...others] = piece.nodes;
  if (!first) return piece;
  const notes = cut(first.notes ? `${text}\n\n${first.notes}` : text, 10_000);
  return { ...piece, nodes: [{ ...first, notes }, ...others] };
}

export const unique = (links: readonly Link[]): Link[] => [
  ...new Map(links.map((link) => [`${link.from} ${link.output} ${link.to} ${link.input}`, link])).values(),
];

/** Links of triggers, of which some lead to `naming`: what both lead to follows it alone, so that it runs once. */
export function behindNames(links: readonly Link[], start: string, naming: string): Link[] {
  const targets = new Set(links.filter(({ from }) => from === naming).map(({ to }) => to));
  const others = links.filter(({ from, to }) => from !== start || !targets.has(to));
  return [{ from: start, output: 0, to: naming, input: 0 }, ...others];
}

/** The links of a workflow that nothing starts: the start leads to the nodes that nothing leads to. */
export function rooted(links: readonly Link[], ids: readonly string[], start: string): Link[] {
  const targets = new Set(links.map(({ to }) => to));
  const first = ids.filter((id) => !targets.has(id));
  return [...first.map((to) => ({ from: start, output: 0, to, input: 0 })), ...links];
}

/** The input of the workflow with the names that n8n has for its fields. */
export function named(conversion: Conversion, names: ReadonlyMap<string, string>): Piece {
  const pairs = [...names].map(([theirs, ours]) => `${quoted(theirs)}: input.${ours}`);
  return conversion.whole({
    type: 'transform',
    config: { expression: `$merge([input, { ${pairs.join(', ')} }])` },
  });
}

export const startPiece = ({ id, position, source }: Start): Piece => ({
  nodes: [{ id, type: 'start', position, config: {} }],
  connections: [],
  entries: [],
  outputs: [{ node: id, port: 'output' }],
  failing: undefined,
  result: source,
});

/** What comes in at each input of a node. */
export function inputsOf(
  links: readonly Link[],
  pieces: ReadonlyMap<string, Piece>,
  isBranched: boolean,
): (Source | undefined)[] {
  const isOnly = new Set(links.map(({ from, output }) => `${from} ${output}`)).size === 1;
  const inputs: (Source | undefined)[] = [];
  for (const input of new Set(links.map((link) => link.input))) {
    const sources = links
      .filter((link) => link.input === input)
      .flatMap(({ from, output }): Source[] => {
        const piece = pieces.get(from);
        if (!piece) return [];
        const code = piece.outputs[output]?.code;
        return [code ? { ...piece.result, code, rows: piece.outputs[output]?.rows } : piece.result];
      });
    const source = together([...new Map(sources.map((one) => [`${one.code} ${one.path}`, one])).values()], isBranched);
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

/** What several sources give: one of them behind a branch, else all their items. */
function together(sources: readonly Source[], isBranched: boolean): Source | undefined {
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

/** The definition of pieces and the connections between them. */
export function joined(
  pieces: ReadonlyMap<string, Piece>,
  links: readonly Link[],
  nodes: ReadonlyMap<string, N8nNode>,
): Definition {
  const connections: Connection[] = [];
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
    const failing = source.failing;
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

/** A piece behind transforms that collect what comes in: the inputs that are no part of the input of one node. */
export function collected(piece: Piece, collectors: readonly Node[]): Piece {
  if (collectors.length === 0) return piece;
  const connections = collectors.flatMap(({ id }) =>
    piece.entries.map((entry): Connection => ({
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
