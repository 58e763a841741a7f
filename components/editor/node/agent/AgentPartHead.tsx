import { ActionIcon, Anchor, Group, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { agentPartId, agentPartTitle, type AgentPart } from '@/components/graph/agent-parts';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { nodeTitle } from '@/components/graph/summary';
import { LightTooltip } from '@/components/ui/LightTooltip';
import { useEditorActions } from '../../commands/editor-actions';

interface Props {
  agent: WorkflowNode;
  part: AgentPart;
  catalogue: NodeTypesByName;
}

/** The way back to the agent, and the button that removes the part. */
export function AgentPartHead({ agent, part, catalogue }: Props) {
  const { showPart, removePart } = useEditorActions();
  return (
    <Group justify="space-between" wrap="nowrap" mb="sm" gap="xs">
      <Text size="sm" c="dimmed" truncate>
        Of{' '}
        <Anchor component="button" type="button" size="sm" onClick={() => showPart(agent.id)}>
          {nodeTitle(agent, catalogue.get(agent.type))}
        </Anchor>
      </Text>
      {part.kind !== 'model' && (
        <LightTooltip label="Remove (Delete)">
          <ActionIcon
            color="madder"
            aria-label={`Remove ${agentPartTitle(agent, part)}`}
            onClick={() => removePart(agentPartId(agent.id, part))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </LightTooltip>
      )}
    </Group>
  );
}
