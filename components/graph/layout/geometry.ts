import type { Connection, Definition, Node } from '@/contract/workflows/workflow';
import { bySource, outputPorts, type Catalogue } from '../flow';
import { FOLD } from '../groups';
import type { Box } from '../viewport';
import { CARD, heightFor, outputHeight } from './card';
import type { Ends } from './route';

/** The boxes and ports of the cards of a definition as drawn: collapsed groups are cards (see `folded`). */
export interface Geometry {
  boxes: ReadonlyMap<string, Box>;
  /** Undefined: a card is missing. */
  endsOf(connection: Connection): Ends | undefined;
}

const portsOf = (node: Node, catalogue: Catalogue, used: Connection[]): string[] =>
  node.type === FOLD ? ['output'] : outputPorts(node, catalogue.get(node.type), used);

export function geometryOf(drawn: Definition, catalogue: Catalogue): Geometry {
  const leaving = bySource(drawn);
  const ports = new Map(drawn.nodes.map((node) => [node.id, portsOf(node, catalogue, leaving.get(node.id) ?? [])]));
  const folds = new Set(drawn.nodes.flatMap(({ id, type }) => (type === FOLD ? [id] : [])));
  const boxes = new Map(
    drawn.nodes.map(({ id, position: { x, y } }): [string, Box] => [
      id,
      { x, y, width: CARD.width, height: heightFor(ports.get(id)?.length ?? 1) },
    ]),
  );
  return {
    boxes,
    endsOf({ sourceNode, sourcePort, targetNode }) {
      const [source, target] = [boxes.get(sourceNode), boxes.get(targetNode)];
      if (!source || !target) return undefined;
      const to = { x: target.x, y: target.y + CARD.height / 2 };
      if (sourcePort === 'error' && !folds.has(sourceNode))
        return { from: { x: source.x + CARD.width / 2, y: source.y + source.height }, side: 'bottom', to };
      const outputs = ports.get(sourceNode) ?? [];
      const line = outputs.length > 1 ? outputs.indexOf(sourcePort) : -1;
      const y = source.y + (line < 0 ? CARD.height / 2 : outputHeight(line, outputs.length));
      return { from: { x: source.x + CARD.width, y }, side: 'right', to };
    },
  };
}
