import { Anchor } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import type { NodeResult } from '@/contract/execution';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import type { LiveRun } from '@/components/runs/live';
import { RunPanel } from '@/components/runs/RunPanel';
import { TriggersPanel } from '@/components/triggers/TriggersPanel';
import { SidePanel } from '@/components/ui/page/SidePanel';
import { agentPartId } from '@/components/graph/agent-parts';
import { ChecksPanel } from './checks/ChecksPanel';
import { singleSelectedId, canvasDefinition, useDraft } from './draft/draft';
import { AgentPartPanel } from './node/agent/AgentPartPanel';
import { useAgentPart } from './node/agent/useAgentPart';
import { NodePanel } from './node/NodePanel';
import type { CanvasViewControls } from './useCanvasView';
import { RunsPanel } from './run/RunsPanel';
import { RunVersionNote } from './versions/RunVersionNote';
import { VersionsPanel } from './versions/VersionsPanel';

export type SidePanelView = 'run' | 'runs' | 'triggers' | 'versions' | 'checks';

export interface SidePanelProps {
  side: SidePanelView | undefined;
  catalogue: NodeTypesByName;
  execution: LiveRun | undefined;
  results: ReadonlyMap<string, NodeResult>;
  isInterrupted: boolean;
  onSelect(nodeId: string): void;
  /** Shows a node, also inside loops. */
  onShow: CanvasViewControls['showIn'];
  onOpen(nodeId: string): void;
  onRun(executionId: string): void;
  /** Opens the list of runs. */
  onRuns(): void;
  onClose(): void;
}

/** Content of the side panel: the selected node, otherwise the panel that was opened. */
export function SidePanelContent(props: SidePanelProps) {
  const { side, catalogue, execution, results, isInterrupted, onSelect, onShow, onOpen, onRun, onRuns, onClose } =
    props;
  const node = useDraft((draft) => canvasDefinition(draft).nodes.find(({ id }) => id === singleSelectedId(draft)));
  const part = useAgentPart(useDraft(singleSelectedId));
  const definition = useDraft((draft) => draft.definition);
  const saved = useDraft((draft) => draft.saved);
  if (node)
    return (
      <NodePanel
        key={node.id}
        node={node}
        catalogue={catalogue}
        hasFailed={results.get(node.id)?.status === 'failed'}
        onOpen={() => onOpen(node.id)}
      />
    );
  if (part) {
    const id = agentPartId(part.agent.id, part.part);
    return <AgentPartPanel key={id} {...part} catalogue={catalogue} onOpen={() => onOpen(id)} />;
  }
  switch (side) {
    case 'run':
      return (
        execution && (
          <SidePanel label="Run" onClose={onClose}>
            <Anchor
              component="button"
              size="sm"
              mb="sm"
              style={{ display: 'flex', alignItems: 'center', gap: 4 }}
              onClick={onRuns}
            >
              <IconChevronLeft size={14} aria-hidden /> Runs of this workflow
            </Anchor>
            <RunVersionNote execution={execution} />
            <RunPanel
              execution={execution}
              definition={definition}
              catalogue={catalogue}
              isInterrupted={isInterrupted}
              onSelect={onSelect}
              onRerun={onRun}
            />
          </SidePanel>
        )
      );
    case 'runs':
      return (
        <SidePanel label="Runs" onClose={onClose}>
          <RunsPanel shownId={execution?.id} onRun={onRun} />
        </SidePanel>
      );
    case 'triggers':
      return (
        <SidePanel label="Triggers" onClose={onClose}>
          <TriggersPanel workflow={saved} />
        </SidePanel>
      );
    case 'versions':
      return (
        <SidePanel label="Versions" onClose={onClose}>
          <VersionsPanel catalogue={catalogue} />
        </SidePanel>
      );
    case 'checks':
      return (
        <SidePanel label="Checks" onClose={onClose}>
          <ChecksPanel catalogue={catalogue} onShow={onShow} />
        </SidePanel>
      );
    case undefined:
      return null;
  }
}
