import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { LoopFrameContext, type LoopFrameActions } from '@/components/canvas/loops/loop-frame-context';
import { WorkflowCanvas } from '@/components/canvas/WorkflowCanvas';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { partOwnerId, replacePartOwner } from '@/components/graph/agent-parts';
import { findDrawnScope, ownIdInScope } from '@/components/graph/drawn';
import { drawOpenLoops } from '@/components/graph/frames';
import { summarizeDrawnAgentCalls } from './agent/drawn-agent-calls';
import type { LiveRun } from './live';
import { mergeDrawnResults } from './timeline/drawn-results';
import { RoundPicker } from './timeline/RoundPicker';
import { useCanvasRounds } from './timeline/useCanvasRounds';

interface Props {
  execution: LiveRun;
  definition: WorkflowDefinition;
  catalogue: NodeTypesByName;
  selectedId: string | undefined;
  /** The selected node, or the outermost loop around it. */
  onCanvas: string | undefined;
  /** A node in a frame, by the id of its result. */
  onSelectInside(resultId: string): void;
  onSelect(ids: readonly string[]): void;
  children: ReactNode;
}

/** The version that ran, with the results of the run. Open loops are frames, with a slider of their rounds. */
export function RunCanvas({
  execution,
  definition,
  catalogue,
  selectedId,
  onCanvas,
  onSelectInside,
  onSelect,
  children,
}: Props) {
  const [openLoops, setOpenLoops] = useState<readonly string[]>([]);
  const readRounds = useCanvasRounds(execution);
  const drawn = useMemo(
    () => drawOpenLoops(definition, [], (path) => openLoops.includes(path.join('/')), catalogue),
    [definition, openLoops, catalogue],
  );
  const results = useMemo(
    () => mergeDrawnResults(drawn.scopes?.map(({ path }) => path) ?? [[]], 0, readRounds),
    [drawn, readRounds],
  );
  const agentCalls = useMemo(
    () => summarizeDrawnAgentCalls(drawn, [], execution.nodeResults, readRounds),
    [drawn, execution, readRounds],
  );
  const loops = useMemo((): LoopFrameActions => {
    const findPath = (id: string) => {
      const scope = findDrawnScope(drawn, id);
      return scope ? [...scope.path, scope.nodes.get(id)?.own.id ?? id] : [id];
    };
    return {
      onToggle: (id) => {
        const key = findPath(id).join('/');
        setOpenLoops((before) =>
          before.includes(key) ? before.filter((one) => one !== key && !one.startsWith(`${key}/`)) : [...before, key],
        );
      },
      renderTools: (id) => {
        const { all, chosen, choose } = readRounds(findPath(id));
        return all.size > 0 && <RoundPicker rounds={all} value={chosen} onChange={choose} />;
      },
    };
  }, [drawn, readRounds]);
  const drawnId = useMemo(() => {
    const ownerId = partOwnerId(selectedId ?? '');
    const inside = drawn.scopes?.flatMap(({ path, nodes }) =>
      path.length === 0 ? [] : [...nodes].filter(([, { own }]) => readRounds(path).prefix + own.id === ownerId),
    );
    const drawnOwner = inside?.[0]?.[0];
    return drawnOwner === undefined ? onCanvas : replacePartOwner(selectedId ?? '', drawnOwner);
  }, [drawn, readRounds, selectedId, onCanvas]);
  // A list of its own for each answer of the service would take away what is being selected at that moment.
  const selectedIds = useMemo(() => (drawnId === undefined ? [] : [drawnId]), [drawnId]);
  const select = useCallback(
    (ids: readonly string[]) => {
      const [only = ''] = ids.length === 1 ? ids : [];
      const scope = findDrawnScope(drawn, only);
      const own = scope && ownIdInScope(scope, only);
      if (scope && own !== undefined && scope.path.length > 0) onSelectInside(readRounds(scope.path).prefix + own);
      else onSelect(ids);
    },
    [drawn, readRounds, onSelect, onSelectInside],
  );
  return (
    <LoopFrameContext value={loops}>
      <WorkflowCanvas
        definition={drawn}
        catalogue={catalogue}
        results={results}
        agentCalls={agentCalls}
        selectedIds={selectedIds}
        onSelect={select}
      >
        {children}
      </WorkflowCanvas>
    </LoopFrameContext>
  );
}
