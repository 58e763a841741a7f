import type { Connection, Definition } from '@/contract/workflows/workflow';
import { RUN_LOOK } from '@/components/ui/states/status';
import type { Catalogue, FlowEdge } from '@/components/graph/flow';
import type { Change } from '@/components/graph/compare';
import { FOLD, folded } from '@/components/graph/groups';
import { curvesOf } from '@/components/graph/layout/curve';
import { geometryOf } from '@/components/graph/layout/geometry';
import { nodeTitle } from '@/components/graph/summary';
import type { Box } from '@/components/graph/viewport';
import { flowOf, type Flow, type Marks } from '../marks';
import { isLiveEdge } from './live';

/** A card of the overview. `category`: that of its node type, which colours its edge. */
export interface SceneCard {
  id: string;
  box: Box;
  name: string;
  category: string;
  tone: (typeof RUN_LOOK)[keyof typeof RUN_LOOK]['tone'] | undefined;
  isDisabled: boolean;
  hasIssues: boolean;
}

/** A connection of the overview. */
export interface SceneLine {
  connection: Connection;
  curves: ReturnType<typeof curvesOf>;
  look: Flow | 'error';
}

/** What the overview draws, in canvas coordinates. `bounds` contains all of it. */
export interface Scene {
  bounds: Box;
  cards: SceneCard[];
  lines: SceneLine[];
}

/** A comparison of versions has the colours of states. */
const CHANGE_TONES: Partial<Record<Change, SceneCard['tone']>> = {
  added: 'done',
  removed: 'failed',
  changed: 'waiting',
};

/** Room around the cards for connections that lead back. */
const MARGIN = 120;

/**
 * The cards and connections that the overview draws: all without the `live` nodes, their connections and selected
 * connections. Undefined: there are none.
 */
export function sceneOf(
  definition: Definition,
  catalogue: Catalogue,
  edges: readonly FlowEdge[],
  marks: Pick<Marks, 'results' | 'issues' | 'changes'>,
  live: ReadonlySet<string>,
): Scene | undefined {
  const drawn = folded(definition);
  const { boxes, endsOf } = geometryOf(drawn, catalogue);
  const cards = drawn.nodes.flatMap((node): SceneCard[] => {
    const box = boxes.get(node.id);
    // React Flow draws collapsed groups.
    if (!box || node.type === FOLD || live.has(node.id)) return [];
    const kind = catalogue.get(node.type);
    const result = marks.results.get(node.id);
    const change = marks.changes.get(node.id);
    return [
      {
        id: node.id,
        box,
        name: nodeTitle(node, kind),
        category: kind?.category ?? 'unknown',
        tone: result ? RUN_LOOK[result.status].tone : change && CHANGE_TONES[change],
        isDisabled: node.disabled === true,
        hasIssues: marks.issues.has(node.id),
      },
    ];
  });
  if (cards.length === 0) return undefined;
  const lines = edges.flatMap((edge): SceneLine[] => {
    const { connection, route } = edge.data ?? {};
    if (!connection || isLiveEdge(edge, live)) return [];
    const ends = endsOf({ ...connection, sourceNode: edge.source, targetNode: edge.target });
    if (!ends) return [];
    const flow = flowOf(marks.results, connection);
    const look = connection.sourcePort === 'error' && flow === 'idle' ? 'error' : flow;
    return [{ connection, curves: curvesOf(ends, route?.way), look }];
  });
  return { bounds: around(cards.map(({ box }) => box)), cards, lines };
}

function around(boxes: readonly Box[]): Box {
  const corner = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y, width, height } of boxes) {
    corner.left = Math.min(corner.left, x);
    corner.top = Math.min(corner.top, y);
    corner.right = Math.max(corner.right, x + width);
    corner.bottom = Math.max(corner.bottom, y + height);
  }
  const { left, top, right, bottom } = corner;
  return {
    x: left - MARGIN,
    y: top - MARGIN,
    width: right - left + 2 * MARGIN,
    height: bottom - top + 2 * MARGIN,
  };
}
