import { Stack, Text } from '@mantine/core';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { ChoiceTargetContext } from '@/components/forms/choices/choice-target';
import type { FieldSchema } from '@/components/forms/model/field-schema';
import { SchemaForm } from '@/components/forms/SchemaForm';
import { readAgentTools } from '@/components/graph/agent';
import { AGENT_PART_FIELDS, agentPartId, type AgentPart } from '@/components/graph/agent-parts';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { CredentialField } from '../CredentialField';
import { nodeChoiceTarget } from '../node-choice-target';
import { AgentToolForm } from './AgentToolForm';
import { changeAgentTool } from './agent-edits';
import { readApprovalRules, setToolApproval } from './agent-tools';
import { ChatMemoryOffer } from './ChatMemoryOffer';

interface Props {
  agent: WorkflowNode;
  part: AgentPart;
  catalogue: NodeTypesByName;
  /** Messages by the path in the config of the agent, or by `credentialId`. */
  errors: ReadonlyMap<string, string>;
  onChange(part: Partial<WorkflowNode>, field: string): void;
}

/** The form of the model, the memory or a tool of an agent. */
export function AgentPartForm({ part, ...props }: Props) {
  return (
    <ChoiceTargetContext value={nodeChoiceTarget(props.agent, props.onChange)}>
      {part.kind === 'model' && <ModelForm {...props} />}
      {part.kind === 'memory' && <MemoryForm {...props} />}
      {part.kind === 'tool' && <ToolForm {...props} index={part.index} />}
    </ChoiceTargetContext>
  );
}

type PartFormProps = Omit<Props, 'part'>;

const agentSchema = ({ agent, catalogue }: PartFormProps): FieldSchema =>
  (catalogue.get(agent.type)?.configSchema ?? {}) as FieldSchema;

function ModelForm(props: PartFormProps) {
  const { agent, catalogue, errors, onChange } = props;
  const kind = catalogue.get(agent.type);
  const schema = agentSchema(props);
  const properties = Object.fromEntries(
    AGENT_PART_FIELDS.model.flatMap((name) => {
      const field = schema.properties?.[name];
      return field ? [[name, field] as const] : [];
    }),
  );
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        What the agent thinks with, and the account that pays for it.
      </Text>
      {kind && (
        <CredentialField
          node={agent}
          kind={kind}
          description="The account at the provider of the model."
          error={errors.get('credentialId')}
          onChange={onChange}
        />
      )}
      <SchemaForm
        schema={{ ...schema, properties }}
        value={agent.config}
        errors={errors}
        onChange={(config, field) => onChange({ config }, field)}
      />
    </Stack>
  );
}

function MemoryForm(props: PartFormProps) {
  const { agent, errors, onChange } = props;
  const memory = agentSchema(props).properties?.memory;
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {memory?.description}
      </Text>
      <ChatMemoryOffer node={agent} onChange={(config, field) => onChange({ config }, field)} />
      {memory && (
        <SchemaForm
          schema={memory}
          value={Object(agent.config.memory) as WorkflowNode['config']}
          errors={errors}
          path="memory"
          onChange={(next, field) => onChange({ config: { ...agent.config, memory: next } }, `memory.${field}`)}
        />
      )}
    </Stack>
  );
}

function ToolForm({ agent, catalogue, errors, onChange, index }: PartFormProps & { index: number }) {
  const tool = readAgentTools(agent.config)[index];
  if (!tool) return null;
  return (
    <AgentToolForm
      tool={tool}
      index={index}
      partId={agentPartId(agent.id, { kind: 'tool', index })}
      kind={catalogue.get(tool.type)}
      approval={readApprovalRules(agent.config)[tool.name]}
      errors={errors}
      onChange={(next, field) =>
        onChange({ config: changeAgentTool(agent.config, index, next) }, `tools[${index}].${field}`)
      }
      onApproval={(rule) =>
        onChange({ config: setToolApproval(agent.config, tool.name, rule) }, `approvals.${tool.name}`)
      }
    />
  );
}
