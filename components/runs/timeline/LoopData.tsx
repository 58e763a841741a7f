import { Stack, Title } from '@mantine/core';
import { useState } from 'react';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { findResultNode } from '@/components/graph/agent';
import { definitionAtPath } from '@/components/graph/body';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { nodeTitle } from '@/components/graph/summary';
import type { LiveRun } from '../live';
import { NodeResultView } from '../NodeResultView';
import { LoopRounds } from './LoopRounds';
import { defaultRoundResult, groupNestedRounds } from './rounds';
import { StepList } from './StepList';

interface Props {
  execution: LiveRun;
  /** The loop. */
  node: WorkflowNode;
  /** Id of its result: `each`, or `outer[2].each`. */
  place: string;
  catalogue: NodeTypesByName;
  /** The chosen round, if it is kept outside. */
  round?: number | undefined;
  onRound?(round: number): void;
}

/** The rounds of a loop: a picker with their states, the nodes of the chosen round, and the data of one of them. */
export function LoopData({ execution, node, place, catalogue, round: value, onRound }: Props) {
  const [wanted, setWanted] = useState<string>();
  const rounds = groupNestedRounds(execution.nodeResults, place);
  if (rounds.size === 0) return null;
  const body = definitionAtPath({ nodes: [node], connections: [] }, [node.id]);
  return (
    <LoopRounds rounds={rounds} label={nodeTitle(node, catalogue.get(node.type))} value={value} onChange={onRound}>
      {(results, round) => {
        const prefix = `${place}[${round}].`;
        // The same node stays open when another round is chosen.
        const shown = defaultRoundResult(results, wanted);
        const owner = shown && findResultNode(body, shown.nodeId);
        return (
          <Stack gap="md" mt="xs">
            <StepList
              results={results}
              definition={body}
              catalogue={catalogue}
              prefix={prefix}
              currentId={shown && prefix + shown.nodeId}
              onSelect={(id) => setWanted(id.slice(prefix.length))}
            />
            {shown && (
              <section>
                <Title order={3} fz={14} mb="xs">
                  {owner ? nodeTitle(owner, catalogue.get(owner.type)) : shown.nodeId}
                </Title>
                <NodeResultView
                  key={prefix + shown.nodeId}
                  executionId={execution.id}
                  result={{ ...shown, nodeId: prefix + shown.nodeId }}
                />
              </section>
            )}
          </Stack>
        );
      }}
    </LoopRounds>
  );
}
