import type { NodeConnection, WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { agentPartsHeight } from '../agent-parts';
import { connectionsBySource, outputPorts, type NodeTypesByName } from '../cards-and-edges';
import { COLLAPSED_GROUP_TYPE } from '../groups';
import type { CanvasBox } from '../viewport';
import { CARD_SIZE, cardHeightForOutputs, outputHandleY } from './card';
import type { ConnectionEnds } from './route';

/** The boxes and ports of the cards of a definition as drawn: collapsed groups are cards (see `toDrawnDefinition`). */
export interface GraphGeometry {
  boxes: ReadonlyMap<string, CanvasBox>;
  /** The boxes with what is attached to the cards: the parts of agents. */
  roomyBoxes: ReadonlyMap<string, CanvasBox>;
  /** Undefined: a card is missing. */
  connectionEnds(connection: NodeConnection): ConnectionEnds | undefined;
}

const drawnOutputPorts = (node: WorkflowNode, catalogue: NodeTypesByName, used: NodeConnection[]): string[] =>
  node.type === COLLAPSED_GROUP_TYPE ? ['output'] : outputPorts(node, catalogue.get(node.type), used);

export function computeGeometry(drawn: WorkflowDefinition, catalogue: NodeTypesByName): GraphGeometry {
  const leaving = connectionsBySource(drawn);
  const ports = new Map(
    drawn.nodes.map((node) => [node.id, drawnOutputPorts(node, catalogue, leaving.get(node.id) ?? [])]),
  );
  const folds = new Set(drawn.nodes.flatMap(({ id, type }) => (type === COLLAPSED_GROUP_TYPE ? [id] : [])));
  const boxes = new Map(
    drawn.nodes.map(({ id, position: { x, y } }): [string, CanvasBox] => [
      id,
      { x, y, width: CARD_SIZE.width, height: cardHeightForOutputs(ports.get(id)?.length ?? 1) },
    ]),
  );
  const roomyBoxes = new Map(boxes);
  for (const node of drawn.nodes) {
    const box = boxes.get(node.id);
    const below = agentPartsHeight(node);
    if (box && below > 0) roomyBoxes.set(node.id, { ...box, height: box.height + below });
  }
  return {
    boxes,
    roomyBoxes,
    connectionEnds({ sourceNode, sourcePort, targetNode }) {
      const [source, target] = [boxes.get(sourceNode), boxes.get(targetNode)];
      if (!source || !target) return undefined;
      const to = { x: target.x, y: target.y + CARD_SIZE.height / 2 };
      if (sourcePort === 'error' && !folds.has(sourceNode))
        return { from: { x: source.x + CARD_SIZE.width / 2, y: source.y + source.height }, side: 'bottom', to };
      const outputs = ports.get(sourceNode) ?? [];
      const line = outputs.length > 1 ? outputs.indexOf(sourcePort) : -1;
      const y = source.y + (line < 0 ? CARD_SIZE.height / 2 : outputHandleY(line, outputs.length));
      return { from: { x: source.x + CARD_SIZE.width, y }, side: 'right', to };
    },
  };
}
