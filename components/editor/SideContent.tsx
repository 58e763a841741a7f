import type { NodeResult } from '@/contract/execution';
import type { Catalogue } from '../canvas/flow';
import type { Run } from '../executions/live';
import { RunPanel } from '../executions/RunPanel';
import { TriggersPanel } from '../triggers/TriggersPanel';
import { SidePanel } from '../ui/SidePanel';
import { ChecksPanel } from './ChecksPanel';
import { selectedId, shown, useDraft } from './draft';
import { NodePanel } from './NodePanel';
import type { View } from './useView';
import { RunVersion } from './RunVersion';
import { VersionsPanel } from './VersionsPanel';

export type Side = 'run' | 'triggers' | 'versions' | 'checks';

export interface SideProps {
  side: Side | undefined;
  catalogue: Catalogue;
  execution: Run | undefined;
  results: ReadonlyMap<string, NodeResult>;
  isInterrupted: boolean;
  onSelect(nodeId: string): void;
  /** Shows a node that may be inside of loops. */
  onShow: View['showIn'];
  onOpen(nodeId: string): void;
  onRun(executionId: string): void;
  onClose(): void;
}

/** What stands beside the canvas: the selected node, else what was asked for. */
export function SideContent(props: SideProps) {
  const { side, catalogue, execution, results, isInterrupted, onSelect, onShow, onOpen, onRun, onClose } = props;
  const node = useDraft((draft) => shown(draft).nodes.find(({ id }) => id === selectedId(draft)));
  const definition = useDraft((draft) => draft.definition);
  const workflowId = useDraft((draft) => draft.saved.id);
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
    case 'triggers':
      return (
        <SidePanel label="Triggers" onClose={onClose}>
          <TriggersPanel workflowId={workflowId} />
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
