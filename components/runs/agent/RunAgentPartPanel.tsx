import { Anchor, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { readAgentTools } from '@/components/graph/agent';
import { AGENT_PART_FIELDS, agentPartTitle, type AgentPart } from '@/components/graph/agent-parts';
import { SidePanel } from '@/components/ui/page/SidePanel';
import { JsonView } from '@/components/ui/values/JsonView';

interface Props {
  agent: WorkflowNode;
  part: AgentPart;
  agentTitle: string;
  /** The calls of the part in a run. */
  calls?: ReactNode;
  onSelectAgent(): void;
  onClose(): void;
}

/** The settings of a part, as they are stored. */
function partSettings({ config }: WorkflowNode, part: AgentPart): unknown {
  if (part.kind === 'tool') return readAgentTools(config)[part.index];
  const names: readonly string[] = AGENT_PART_FIELDS[part.kind];
  return Object.fromEntries(Object.entries(config).filter(([name]) => names.includes(name)));
}

/** The model, the memory or a tool of an agent for those who only read: its calls and its settings. */
export function RunAgentPartPanel({ agent, part, agentTitle, calls, onSelectAgent, onClose }: Props) {
  return (
    <SidePanel label={agentPartTitle(agent, part)} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          Of{' '}
          <Anchor component="button" type="button" size="sm" onClick={onSelectAgent}>
            {agentTitle}
          </Anchor>
        </Text>
        {calls && (
          <section>
            <Title order={3} fz={14} mb="xs">
              Calls
            </Title>
            {calls}
          </section>
        )}
        <JsonView label="Settings" value={partSettings(agent, part)} />
      </Stack>
    </SidePanel>
  );
}
