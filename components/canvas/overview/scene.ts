import type { NodeConnection, WorkflowDefinition } from '@/contract/workflows/workflow';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import type { NodeTypesByName, CanvasEdge } from '@/components/graph/cards-and-edges';
import type { DefinitionChangeType } from '@/components/graph/compare';
import { COLLAPSED_GROUP_TYPE, toDrawnDefinition } from '@/components/graph/groups';
import { connectionCurves } from '@/components/graph/layout/curve';
import { computeGeometry } from '@/components/graph/layout/geometry';
import { nodeTitle } from '@/components/graph/summary';
import type { CanvasBox } from '@/components/graph/viewport';
import { connectionFlow, type ConnectionFlow, type CanvasBadges } from '../canvas-badges';
import { isEdgeMounted } from './mounted-elements';

/** A card of the overview. `category`: that of its node type, which colours its edge. */
export interface OverviewCard {
  id: string;
  box: CanvasBox;
  name: string;
  category: string;
  tone: (typeof RUN_STATUS_STYLE)[keyof typeof RUN_STATUS_STYLE]['tone'] | undefined;
  isDisabled: boolean;
  hasIssues: boolean;
}

/** A connection of the overview. */
export interface OverviewLine {
  connection: NodeConnection;
  curves: ReturnType<typeof connectionCurves>;
  look: ConnectionFlow | 'error';
}

/** What the overview draws, in canvas coordinates. `bounds` contains all of it. */
export interface OverviewScene {
  bounds: CanvasBox;
  cards: OverviewCard[];
  lines: OverviewLine[];
}

/** A comparison of versions uses the colours of run states. */
const NODE_CHANGE_TONES: Partial<Record<DefinitionChangeType, OverviewCard['tone']>> = {
  added: 'done',
  removed: 'failed',
  changed: 'waiting',
};

/** Room around the cards for connections that lead back. */
const OVERVIEW_MARGIN = 120;

/**
 * The cards and connections that the overview draws: all without the `live` nodes, their connections and selected
 * connections. Undefined: there are none.
 */
export function buildOverviewScene(
  definition: WorkflowDefinition,
  catalogue: NodeTypesByName,
  edges: readonly CanvasEdge[],
  marks: Pick<CanvasBadges, 'results' | 'issues' | 'changes'>,
  live: ReadonlySet<string>,
): OverviewScene | undefined {
  const drawn = toDrawnDefinition(definition);
  const { boxes, connectionEnds: endsOf } = computeGeometry(drawn, catalogue);
  const cards = drawn.nodes.flatMap((node): OverviewCard[] => {
    const box = boxes.get(node.id);
    // React Flow draws collapsed groups.
    if (!box || node.type === COLLAPSED_GROUP_TYPE || live.has(node.id)) return [];
    const kind = catalogue.get(node.type);
    const result = marks.results.get(node.id);
    const change = marks.changes.get(node.id);
    return [
      {
        id: node.id,
        box,
        name: nodeTitle(node, kind),
        category: kind?.category ?? 'unknown',
        tone: result ? RUN_STATUS_STYLE[result.status].tone : change && NODE_CHANGE_TONES[change],
        isDisabled: node.disabled === true,
        hasIssues: marks.issues.has(node.id),
      },
    ];
  });
  if (cards.length === 0) return undefined;
  const lines = edges.flatMap((edge): OverviewLine[] => {
    const { connection, route } = edge.data ?? {};
    if (!connection || isEdgeMounted(edge, live)) return [];
    const ends = endsOf({ ...connection, sourceNode: edge.source, targetNode: edge.target });
    if (!ends) return [];
    const flow = connectionFlow(marks.results, connection);
    const look = connection.sourcePort === 'error' && flow === 'idle' ? 'error' : flow;
    return [{ connection, curves: connectionCurves(ends, route?.way), look }];
  });
  return { bounds: boundsWithMargin(cards.map(({ box }) => box)), cards, lines };
}

function boundsWithMargin(boxes: readonly CanvasBox[]): CanvasBox {
  const corner = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y, width, height } of boxes) {
    corner.left = Math.min(corner.left, x);
    corner.top = Math.min(corner.top, y);
    corner.right = Math.max(corner.right, x + width);
    corner.bottom = Math.max(corner.bottom, y + height);
  }
  const { left, top, right, bottom } = corner;
  return {
    x: left - OVERVIEW_MARGIN,
    y: top - OVERVIEW_MARGIN,
    width: right - left + 2 * OVERVIEW_MARGIN,
    height: bottom - top + 2 * OVERVIEW_MARGIN,
  };
}
