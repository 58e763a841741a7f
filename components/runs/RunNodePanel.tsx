import { ActionIcon, Button, Group, Menu, Stack, Text, Title } from '@mantine/core';
import { IconChevronDown, IconForms, IconRepeat } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import type { NodeResult } from '@/contract/execution';
import { isFinalStatus } from '@/contract/states';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { isAgentModelCall } from '@/components/graph/agent';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { listPickedLabels, nodeTitle } from '@/components/graph/summary';
import { schemaLabel } from '@/components/forms/model/field-schema';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { SidePanel } from '@/components/ui/page/SidePanel';
import { AgentConversation } from './agent/AgentConversation';
import { CopyAsCurl } from './data/CopyAsCurl';
import { EachItemData } from './timeline/EachItemData';
import { LoopData } from './timeline/LoopData';
import { LogList } from './timeline/LogList';
import type { LiveRun } from './live';
import { NodeResultView } from './NodeResultView';
import { RerunDialog } from './RerunDialog';
import { outermostNodeId, nodeIdPath, parseItemId } from './timeline/rounds';
import { useRerun } from './useRerun';

interface Props {
  node: WorkflowNode;
  result: NodeResult;
  execution: LiveRun;
  catalogue: NodeTypesByName;
  /** The definition that ran. */
  definition: WorkflowDefinition;
  /** Opens another result. */
  onSelect(resultId: string): void;
  onRerun(executionId: string): void;
  onClose(): void;
}

/** A node of a run: result, logs and actions to run it again. */
export function RunNodePanel({ node, result, execution, catalogue, definition, onSelect, onRerun, onClose }: Props) {
  const router = useRouter();
  const [isEditing, setEditing] = useState(false);
  const rerun = useRerun((id) => {
    setEditing(false);
    onRerun(id);
  });
  const kind = catalogue.get(node.type);
  // A run can be repeated from a call of the model of an agent, too.
  const fromNodeId = isAgentModelCall(definition, result.nodeId) ? result.nodeId : outermostNodeId(result.nodeId);
  const isOuter = fromNodeId === result.nodeId;
  const again = (input?: unknown) => rerun.mutate({ params: { id: execution.id }, body: { fromNodeId, input } });
  const title = nodeTitle(node, kind);
  const picked = listPickedLabels(node).map(({ field, label }) => `${schemaLabel(field, {})}: ${label}`);
  return (
    <SidePanel label={title} icon={<NodeIcon kind={kind} />} onClose={onClose}>
      <Stack gap="md">
        {picked.length > 0 && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {picked.join(' · ')}
          </Text>
        )}
        {isFinalStatus(execution.status) && execution.trigger !== 'test' && result.status !== 'skipped' && (
          <Group gap="xs">
            <PermittedButton to="execution:rerun">
              <Button.Group>
                <Button
                  variant="light"
                  size="compact-sm"
                  leftSection={<IconRepeat size={14} aria-hidden />}
                  loading={rerun.isPending}
                  onClick={() => again()}
                >
                  {isOuter ? 'Run again from here' : 'Run the loop again'}
                </Button>
                {isOuter && (
                  <Menu position="bottom-end">
                    <Menu.Target>
                      <ActionIcon
                        variant="light"
                        color="woad"
                        size={26}
                        aria-label="More ways to run again"
                        style={{
                          borderStartStartRadius: 0,
                          borderEndStartRadius: 0,
                          borderLeft: '1px solid var(--weft-line)',
                        }}
                      >
                        <IconChevronDown size={14} aria-hidden />
                      </ActionIcon>
                    </Menu.Target>
                    <Menu.Dropdown>
                      <Menu.Item leftSection={<IconForms size={15} aria-hidden />} onClick={() => setEditing(true)}>
                        With other input …
                      </Menu.Item>
                    </Menu.Dropdown>
                  </Menu>
                )}
              </Button.Group>
            </PermittedButton>
            {node.type === 'http_request' && <CopyAsCurl node={node} result={result} execution={execution} />}
          </Group>
        )}
        {node.each && !parseItemId(result.nodeId) ? (
          <EachItemData execution={execution} node={node} place={result.nodeId} title={title} />
        ) : node.type === 'agent' ? (
          <AgentConversation execution={execution} place={result.nodeId} onSelect={onSelect} />
        ) : (
          <LoopData execution={execution} node={node} place={result.nodeId} catalogue={catalogue} />
        )}
        <NodeResultView
          executionId={execution.id}
          result={result}
          onShowField={(field) => {
            const query = new URLSearchParams({ run: execution.id, node: nodeIdPath(result.nodeId).join('/'), field });
            router.push(`/workflows/${execution.workflowId}?${query.toString()}`);
          }}
        />
        <section>
          <Title order={2} fz={14} mb="xs">
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
