import { ActionIcon, Badge, Stack, Text, Title, Tooltip } from '@mantine/core';
import { IconArrowLeft, IconEye } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { ReactFlowProvider } from '@xyflow/react';
import { AppLink } from '@/components/ui/AppLink';
import { useCallback, useMemo, useState } from 'react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import { DEFAULT_EXPRESSION_LANGUAGE } from '@/contract/workflows/expression-language';
import type { WorkflowResponse } from '@/contract/workflows/workflow';
import { useTRPC } from '@/components/client/trpc';
import { indexNodeTypes } from '@/components/graph/cards-and-edges';
import { parseAgentPartId } from '@/components/graph/agent-parts';
import { nodeTitle, nodeTitlesById } from '@/components/graph/summary';
import { ReadOnlyNodeForm } from '@/components/forms/ReadOnlyNodeForm';
import { RunAgentPartPanel } from '@/components/runs/agent/RunAgentPartPanel';
import { WorkflowCanvas } from '@/components/canvas/WorkflowCanvas';
import { ExpressionLanguageContext } from '@/components/ui/values/expression-language';
import { SidePanel } from '@/components/ui/page/SidePanel';
import { WORKFLOW_STATUS_STYLE } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import classes from '@/components/ui/states/Workbench.module.css';
import { RunWorkflowButton } from '@/components/workflows/RunWorkflowButton';
import { PresenceAvatars } from './presence/PresenceAvatars';
import { useTriggerCards } from './triggers/useTriggerCards';

interface Props {
  workflow: WorkflowResponse;
  types: NodeTypeDescription[];
}

/** Read-only view of a workflow. */
export function ReadOnlyWorkflow({ workflow: { id, name, status, definition }, types }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const catalogue = useMemo(() => indexNodeTypes(types), [types]);
  const [selectedId, setSelectedId] = useState<string>();
  const selectedIds = useMemo(() => (selectedId === undefined ? [] : [selectedId]), [selectedId]);
  const select = useCallback((ids: readonly string[]) => setSelectedId(ids.length === 1 ? ids[0] : undefined), []);
  const titles = useMemo(() => nodeTitlesById(definition, catalogue), [definition, catalogue]);
  const triggers = useTriggerCards({ id, status });
  const readAgain = () => queryClient.invalidateQueries({ queryKey: trpc.workflows.get.queryKey({ params: { id } }) });
  const node = definition.nodes.find((candidate) => candidate.id === selectedId);
  const chosenPart = selectedId === undefined ? undefined : parseAgentPartId(selectedId);
  const agent = definition.nodes.find((candidate) => candidate.id === chosenPart?.agentId);
  return (
    <ExpressionLanguageContext value={definition.language ?? DEFAULT_EXPRESSION_LANGUAGE}>
      <ReactFlowProvider>
        <div className={classes.page}>
          <header className={classes.bar}>
            <Tooltip label="All workflows">
              <ActionIcon component={AppLink} href="/workflows" size="lg" aria-label="All workflows">
                <IconArrowLeft size={19} aria-hidden />
              </ActionIcon>
            </Tooltip>
            <div className={classes.title}>
              <Title order={1} fz={16} lineClamp={1}>
                {name}
              </Title>
            </div>
            <PresenceAvatars workflowId={id} onHint={readAgain} />
            <Tooltip label="Your role does not include the permission to edit this workflow.">
              <Badge variant="light" color="gray" tt="none" size="lg" leftSection={<IconEye size={14} aria-hidden />}>
                Read-only
              </Badge>
            </Tooltip>
            <StatusBadge look={WORKFLOW_STATUS_STYLE[status]} />
            <RunWorkflowButton id={id} name={name} />
          </header>
          <div className={classes.stage}>
            <div className={classes.canvas}>
              <WorkflowCanvas
                definition={definition}
                catalogue={catalogue}
                selectedIds={selectedIds}
                onSelect={select}
                triggers={triggers}
              />
            </div>
            {agent && chosenPart && (
              <RunAgentPartPanel
                agent={agent}
                part={chosenPart.part}
                catalogue={catalogue}
                titles={titles}
                agentTitle={nodeTitle(agent, catalogue.get(agent.type))}
                onSelectAgent={() => setSelectedId(agent.id)}
                onClose={() => setSelectedId(undefined)}
              />
            )}
            {node && (
              <SidePanel
                label="Node"
                title={nodeTitle(node, catalogue.get(node.type))}
                onClose={() => setSelectedId(undefined)}
              >
                <Stack gap="sm">
                  {node.notes && <Text size="sm">{node.notes}</Text>}
                  <ReadOnlyNodeForm key={node.id} node={node} kind={catalogue.get(node.type)} titles={titles} />
                </Stack>
              </SidePanel>
            )}
          </div>
        </div>
      </ReactFlowProvider>
    </ExpressionLanguageContext>
  );
}
