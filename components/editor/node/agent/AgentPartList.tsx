import { Input, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { useAgentPartText } from '@/components/canvas/agents/useAgentPartText';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { useNodeTypes } from '@/components/client/queries/useNodeTypes';
import { agentPartId, agentPartTitle, listAgentParts, type AgentPart } from '@/components/graph/agent-parts';
import { indexNodeTypes, type NodeTypesByName } from '@/components/graph/cards-and-edges';
import { useEditorActions } from '../../commands/editor-actions';
import { useCredentialOfNewNode } from '../useCredentialOfNewNode';
import classes from './AgentPartList.module.css';
import { ChatMemoryOffer } from './ChatMemoryOffer';

interface Props {
  agent: WorkflowNode;
  kind: NodeTypeDescription;
  /** Messages by the path in the config. */
  errors: ReadonlyMap<string, string>;
  onChange(part: Partial<WorkflowNode>, field: string): void;
}

/** The model, the memory and the tools of an agent. Each is opened in its own panel, as by its card on the canvas. */
export function AgentPartList({ agent, kind, errors, onChange }: Props) {
  const types = useNodeTypes().data ?? [];
  const catalogue = indexNodeTypes(types);
  useCredentialOfNewNode(agent, kind, onChange);
  return (
    <>
      <ChatMemoryOffer node={agent} onChange={(config, field) => onChange({ config }, field)} />
      <Input.Wrapper
        label="Model, memory and tools"
        description="The cards below the agent on the canvas. Its + adds further ones."
        error={errors.get('tools')}
        labelElement="div"
        data-field="tools"
      >
        <Stack gap={6} mt={8} component="ul" className={classes.list}>
          {listAgentParts(agent).map((part) => (
            <li key={agentPartId('', part)}>
              <AgentPartRow agent={agent} part={part} catalogue={catalogue} />
            </li>
          ))}
        </Stack>
      </Input.Wrapper>
    </>
  );
}

function AgentPartRow({
  agent,
  part,
  catalogue,
}: Pick<Props, 'agent'> & { part: AgentPart; catalogue: NodeTypesByName }) {
  const { showPart } = useEditorActions();
  const { name, summary, isMissing, kind } = useAgentPartText(agent, part, catalogue);
  return (
    <UnstyledButton
      className={classes.row}
      aria-label={`Open ${agentPartTitle(agent, part)}`}
      onClick={() => showPart(agentPartId(agent.id, part))}
    >
      <NodeIcon kind={kind} size={26} />
      <span className={classes.words}>
        <Text span size="sm" fw={600} truncate display="block">
          {name}
        </Text>
        <Text span size="xs" c={isMissing ? 'var(--weft-failed)' : 'dimmed'} truncate display="block">
          {summary}
        </Text>
      </span>
      <IconChevronRight size={15} aria-hidden />
    </UnstyledButton>
  );
}
