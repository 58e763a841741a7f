import { ActionIcon, Group, Tabs, Title, Tooltip } from '@mantine/core';
import { IconArrowsMaximize } from '@tabler/icons-react';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { useAgentPartText } from '@/components/canvas/agents/useAgentPartText';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { PreviewDataContext } from '@/components/forms/preview-context';
import { agentPartId, agentPartTitle, type AgentPart } from '@/components/graph/agent-parts';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { AgentPartCallList } from '@/components/runs/agent/AgentPartCallList';
import { listAgentPartCalls } from '@/components/graph/agent-part-calls';
import { SidePanel } from '@/components/ui/page/SidePanel';
import { useDraftStore } from '../../draft/draft';
import { useNodePreview } from '../../preview/useNodePreview';
import { useEditorRun } from '../../run/editor-run';
import { useChangeNode } from '../useChangeNode';
import { useEscapeToCard } from '../useEscapeToCard';
import { useFieldFocus } from '../useFieldFocus';
import { useNodeFieldErrors } from '../useNodeFieldErrors';
import { AgentPartForm } from './AgentPartForm';
import { AgentPartHead } from './AgentPartHead';

interface Props {
  agent: WorkflowNode;
  part: AgentPart;
  catalogue: NodeTypesByName;
  onOpen(): void;
}

/** Side panel of the model, the memory or a tool of an agent: its form, and its calls in the run shown. */
export function AgentPartPanel({ agent, part, catalogue, onOpen }: Props) {
  const store = useDraftStore();
  const { kind } = useAgentPartText(agent, part, catalogue);
  const { preview } = useNodePreview(agent, catalogue);
  const { execution, rounds } = useEditorRun();
  const { tab, onTab, place, marked, unmark } = useFieldFocus(agent.id, 'parameters', false);
  const errors = useNodeFieldErrors(agent.id, marked);
  const change = useChangeNode(agent.id, unmark);
  const resultId = rounds.prefix + agent.id;
  const hasCalls =
    execution !== undefined && listAgentPartCalls(execution.nodeResults, resultId, agent, part).length > 0;
  useEscapeToCard(agentPartId(agent.id, part));
  const title = agentPartTitle(agent, part);
  return (
    <SidePanel
      label={title}
      icon={<NodeIcon kind={kind} />}
      title={
        <Group gap={4} wrap="nowrap" justify="space-between">
          <Title order={2} fz={15} lineClamp={1}>
            {title}
          </Title>
          <Tooltip label="Open in a dialog (Enter)">
            <ActionIcon aria-label={`Open ${title} in a dialog`} onClick={onOpen}>
              <IconArrowsMaximize size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Group>
      }
      onClose={() => store.set({ selectedIds: [] })}
    >
      <AgentPartHead agent={agent} part={part} catalogue={catalogue} />
      <Tabs ref={place} value={hasCalls ? tab : 'parameters'} onChange={onTab} keepMounted={false}>
        {hasCalls && (
          <Tabs.List mb="md">
            <Tabs.Tab value="parameters">Parameters</Tabs.Tab>
            <Tabs.Tab value="calls">Calls</Tabs.Tab>
          </Tabs.List>
        )}
        <Tabs.Panel value="parameters">
          <PreviewDataContext value={preview}>
            <AgentPartForm agent={agent} part={part} catalogue={catalogue} errors={errors} onChange={change} />
          </PreviewDataContext>
        </Tabs.Panel>
        <Tabs.Panel value="calls">
          {execution && <AgentPartCallList execution={execution} place={resultId} agent={agent} part={part} />}
        </Tabs.Panel>
      </Tabs>
    </SidePanel>
  );
}
