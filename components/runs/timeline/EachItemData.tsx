import type { WorkflowNode } from '@/contract/workflows/workflow';
import { AgentConversation } from '../agent/AgentConversation';
import type { LiveRun } from '../live';
import { NodeResultView } from '../NodeResultView';
import { LoopRounds } from './LoopRounds';
import { groupByItem } from './rounds';

interface Props {
  execution: LiveRun;
  node: WorkflowNode;
  /** The id of the result of the node as a whole. */
  place: string;
  title: string;
  /** The chosen item, if it is kept outside. */
  index?: number | undefined;
  onIndex?(index: number): void;
}

/** The items of a node that runs for each, one at a time. Nodes that only compute have no results of single items. */
export function EachItemData({ execution, node, place, title, index, onIndex }: Props) {
  const items = groupByItem(execution.nodeResults, place);
  if (items.size === 0) return null;
  return (
    <LoopRounds rounds={items} label={title} noun="Item" value={index} onChange={onIndex}>
      {([result], chosen) => (
        <div style={{ marginTop: 10 }}>
          {node.type === 'agent' && <AgentConversation execution={execution} place={`${place}[${chosen}]`} />}
          {result && <NodeResultView key={result.nodeId} executionId={execution.id} result={result} />}
        </div>
      )}
    </LoopRounds>
  );
}
