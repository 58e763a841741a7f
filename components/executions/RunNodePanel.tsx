import { Button, Group, Stack, Title } from '@mantine/core';
import { IconForms, IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import type { NodeResult } from '@/contract/execution';
import { isFinal } from '@/contract/states';
import type { Node } from '@/contract/workflow';
import type { Catalogue } from '../canvas/flow';
import { NodeIcon } from '../canvas/NodeIcon';
import { nodeTitle } from '../canvas/summary';
import { Permitted } from '../shell/Permitted';
import { SidePanel } from '../ui/SidePanel';
import { CopyAsCurl } from './CopyAsCurl';
import { LogList } from './LogList';
import type { Run } from './live';
import { NodeResultView } from './NodeResultView';
import { RerunDialog } from './RerunDialog';
import { outermost } from './rounds';
import { useRerun } from './useRerun';

interface Props {
  node: Node;
  result: NodeResult;
  execution: Run;
  catalogue: Catalogue;
  onRerun(executionId: string): void;
  onClose(): void;
}

/** A node in a run that was: how it went, why, with what; and the ways to go on. */
export function RunNodePanel({ node, result, execution, catalogue, onRerun, onClose }: Props) {
  const [isEditing, setEditing] = useState(false);
  const rerun = useRerun((id) => {
    setEditing(false);
    onRerun(id);
  });
  const kind = catalogue.get(node.type);
  const isOuter = outermost(result.nodeId) === result.nodeId;
  const again = (input?: unknown) =>
    rerun.mutate({ params: { id: execution.id }, body: { fromNodeId: outermost(result.nodeId), input } });
  const title = nodeTitle(node, kind);
  return (
    <SidePanel label={title} icon={<NodeIcon kind={kind} />} onClose={onClose}>
      <Stack gap="md">
        {isFinal(execution.status) && result.status !== 'skipped' && (
          <Group gap="xs">
            <Permitted to="execution:rerun">
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<IconRepeat size={14} aria-hidden />}
                loading={rerun.isPending}
                onClick={() => again()}
              >
                {isOuter ? 'Run again from here' : 'Run the loop again'}
              </Button>
            </Permitted>
            {isOuter && (
              <Permitted to="execution:rerun">
                <Button
                  variant="default"
                  size="compact-sm"
                  leftSection={<IconForms size={14} aria-hidden />}
                  onClick={() => setEditing(true)}
                >
                  With other input …
                </Button>
              </Permitted>
            )}
            {node.type === 'http_request' && <CopyAsCurl node={node} result={result} execution={execution} />}
          </Group>
        )}
        <NodeResultView executionId={execution.id} result={result} />
        <section>
          <Title order={3} fz={14} mb="xs">
            Logs
          </Title>
          <LogList execution={execution} nodeId={result.nodeId} />
        </section>
      </Stack>
      {isEditing && (
        <RerunDialog
          input={result.input}
          isStarting={rerun.isPending}
          onRun={again}
          onClose={() => setEditing(false)}
        />
      )}
    </SidePanel>
  );
}
