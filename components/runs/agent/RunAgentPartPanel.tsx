import { Anchor, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { readAgentToolNode } from '@/components/graph/agent';
import { AGENT_PART_FIELDS, agentPartTitle, type AgentPart } from '@/components/graph/agent-parts';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { ReadOnlyNodeForm } from '@/components/forms/ReadOnlyNodeForm';
import { SidePanel } from '@/components/ui/page/SidePanel';

interface Props {
  agent: WorkflowNode;
  part: AgentPart;
  catalogue: NodeTypesByName;
  /** What the canvas calls the nodes, by id. */
  titles: Readonly<Record<string, string>>;
  agentTitle: string;
  /** The calls of the part in a run. */
  calls?: ReactNode;
  onSelectAgent(): void;
  onClose(): void;
}

/** The model, the memory or a tool of an agent for those who only read: its calls and its settings. */
export function RunAgentPartPanel({
  agent,
  part,
  catalogue,
  titles,
  agentTitle,
  calls,
  onSelectAgent,
  onClose,
}: Props) {
  const node = part.kind === 'tool' ? readAgentToolNode(agent, part.index) : agent;
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
        {node && (
          <ReadOnlyNodeForm
            node={node}
            kind={catalogue.get(node.type)}
            titles={titles}
            {...(part.kind !== 'tool' && { only: AGENT_PART_FIELDS[part.kind] })}
          />
        )}
      </Stack>
    </SidePanel>
  );
}
