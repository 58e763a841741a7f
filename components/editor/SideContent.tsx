import { Anchor } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import type { NodeResult } from '@/contract/execution';
import type { Catalogue } from '@/components/graph/flow';
import type { Run } from '@/components/executions/live';
import { RunPanel } from '@/components/executions/RunPanel';
import { TriggersPanel } from '@/components/triggers/TriggersPanel';
import { SidePanel } from '@/components/ui/page/SidePanel';
import { ChecksPanel } from './checks/ChecksPanel';
import { selectedId, shown, useDraft } from './draft/draft';
import { NodePanel } from './node/NodePanel';
import type { View } from './useView';
import { RunsPanel } from './run/RunsPanel';
import { RunVersion } from './versions/RunVersion';
import { VersionsPanel } from './versions/VersionsPanel';

export type Side = 'run' | 'runs' | 'triggers' | 'versions' | 'checks';

export interface SideProps {
  side: Side | undefined;
  catalogue: Catalogue;
  execution: Run | undefined;
  results: ReadonlyMap<string, NodeResult>;
  isInterrupted: boolean;
  onSelect(nodeId: string): void;
  /** Shows a node, also inside loops. */
  onShow: View['showIn'];
  onOpen(nodeId: string): void;
  onRun(executionId: string): void;
  /** Opens the list of runs. */
  onRuns(): void;
  onClose(): void;
}

/** Content of the side panel: the selected node, otherwise the panel that was opened. */
export function SideContent(props: SideProps) {
  const { side, catalogue, execution, results, isInterrupted, onSelect, onShow, onOpen, onRun, onRuns, onClose } =
    props;
  const node = useDraft((draft) => shown(draft).nodes.find(({ id }) => id === selectedId(draft)));
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
            <RunVersion execution={execution} />
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
