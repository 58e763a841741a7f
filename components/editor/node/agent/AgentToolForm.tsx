import { Select, Stack, Textarea, TextInput } from '@mantine/core';
import { use } from 'react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import { ChoiceTargetContext, readChoiceTarget, type ChoiceTarget } from '@/components/forms/choices/choice-target';
import { ReferenceOptionsContext } from '@/components/forms/model/reference-options';
import type { FieldSchema } from '@/components/forms/model/field-schema';
import { dropStaleParameters, addParameterFields } from '@/components/forms/operations/connector-operation';
import { useReferenceOptions } from '@/components/forms/operations/useReferenceOptions';
import { PreviewDataContext } from '@/components/forms/preview-context';
import { ObjectSchemaField } from '@/components/forms/schema-fields/ObjectSchemaField';
import { SchemaForm } from '@/components/forms/SchemaForm';
import { CodeField } from '@/components/forms/CodeField';
import { agentToolNode, type AgentToolConfig } from '@/components/graph/agent';
import { CredentialField } from '../CredentialField';
import { McpToolSelect } from './McpToolSelect';
import { toolArgumentNames, sanitizeToolName } from './agent-tools';

interface Props {
  tool: AgentToolConfig;
  index: number;
  /** The id of its card. */
  partId: string;
  kind: NodeTypeDescription | undefined;
  /** The rule for the approval of its calls. Undefined: no call needs one. */
  approval: string | undefined;
  errors: ReadonlyMap<string, string>;
  /** `field`: what changed in the tool. */
  onChange(tool: AgentToolConfig, field: string): void;
  onApproval(rule: string | undefined): void;
}

/** The form of one tool of an agent. */
export function AgentToolForm({ tool, index, partId, kind, approval, errors, onChange, onApproval }: Props) {
  const prefix = `tools[${index}]`;
  const { references, connectors } = useReferenceOptions(tool.config, kind);
  const preview = use(PreviewDataContext);
  // What picked values were called is kept with the agent, by their paths in its config.
  const { labels, onLabel } = use(ChoiceTargetContext) ?? {};
  const target: ChoiceTarget = { ...readChoiceTarget(tool), labels, ...(onLabel ? { onLabel } : {}) };
  const set = (part: Partial<AgentToolConfig>, field = Object.keys(part).join()) => {
    const next = Object.entries({ ...tool, ...part }).filter(([, value]) => value !== undefined);
    onChange(Object.fromEntries(next) as unknown as AgentToolConfig, field);
  };
  // The model chooses the values, so only the names of the arguments are known.
  const chosen = Object.fromEntries(toolArgumentNames(tool).map((name) => [name, undefined]));
  const ownPreview = preview && {
    ...preview,
    scope: { ...preview.scope, input: chosen },
    inputFrom: ['the model'],
    expected: undefined,
  };
  return (
    <Stack gap="sm">
      <TextInput
        data-node-name
        label="Name"
        description="The model calls it by this name."
        value={tool.name}
        error={errors.get(`${prefix}.name`)}
        wrapperProps={{ 'data-field': `${prefix}.name` }}
        onChange={(event) => set({ name: sanitizeToolName(event.currentTarget.value) })}
      />
      <Textarea
        label="Description"
        wrapperProps={{ 'data-field': `${prefix}.description` }}
        description="What it does, and when to use it. The model reads this."
        autosize
        minRows={2}
        maxRows={8}
        value={tool.description ?? ''}
        error={errors.get(`${prefix}.description`)}
        onChange={(event) => set({ description: event.currentTarget.value || undefined })}
      />
      {kind && kind.credentialTypes.length > 0 && (
        <CredentialField
          node={{ ...agentToolNode(tool), id: partId }}
          kind={kind}
          error={errors.get(`${prefix}.credentialId`)}
          onChange={({ credentialId }) => set({ credentialId })}
        />
      )}
      {tool.type === 'mcp' && (
        <ChoiceTargetContext value={target}>
          <McpToolSelect
            tool={tool}
            path={`${prefix}.config.tool`}
            error={errors.get(`${prefix}.config.tool`)}
            onChange={(next) => onChange(next, 'config.tool')}
          />
        </ChoiceTargetContext>
      )}
      {kind && (
        <PreviewDataContext value={ownPreview}>
          <ReferenceOptionsContext value={references}>
            <ChoiceTargetContext value={target}>
              <SchemaForm
                schema={addParameterFields(toolFormSchema(kind), tool.config, connectors)}
                value={tool.config}
                errors={errors}
                path={`${prefix}.config`}
                onChange={(config, field) =>
                  set({ config: dropStaleParameters(config, field, connectors) }, `config.${field}`)
                }
              />
            </ChoiceTargetContext>
          </ReferenceOptionsContext>
        </PreviewDataContext>
      )}
      <ObjectSchemaField
        name="inputSchema"
        schema={{
          title: 'Arguments',
          description:
            'What the model chooses: input.… in the fields above. Empty: it follows from the workflow, the operation, the table, the server or the expressions.',
        }}
        value={tool.inputSchema}
        isRequired={false}
        path={`${prefix}.inputSchema`}
        errors={errors}
        onChange={(inputSchema) => set({ inputSchema: inputSchema as AgentToolConfig['inputSchema'] })}
      />
      <ToolApprovalField tool={tool} rule={approval} errors={errors} onChange={onApproval} />
    </Stack>
  );
}

/** The schema of the form of a tool. The tool of a server has a field of its own. */
function toolFormSchema({ type, configSchema }: NodeTypeDescription): FieldSchema {
  const schema = configSchema as FieldSchema;
  if (type !== 'mcp') return schema;
  const { tool: _, arguments: fixed, ...rest } = schema.properties ?? {};
  const source = fixed?.['x-columns'];
  const words = { title: 'Fixed arguments', description: 'Those that the model does not choose.' };
  const some = source ? { 'x-columns': { ...source, isPartial: true as const } } : {};
  return { ...schema, properties: { ...rest, arguments: { ...fixed, ...words, ...some } } };
}

const APPROVAL_RULE_OPTIONS = [
  { value: 'never', label: 'Never' },
  { value: 'always', label: 'Always' },
  { value: 'when', label: 'When …' },
];

interface ToolApprovalProps {
  tool: AgentToolConfig;
  rule: string | undefined;
  errors: ReadonlyMap<string, string>;
  onChange(rule: string | undefined): void;
}

/** When a person has to approve a call. */
function ToolApprovalField({ tool, rule = 'never', errors, onChange }: ToolApprovalProps) {
  const [first] = toolArgumentNames(tool);
  const isFixed = rule === 'never' || rule === 'always';
  const path = `approvals.${tool.name}`;
  return (
    <Stack gap={6} data-field={path}>
      <Select
        label="Approval by a person"
        data={APPROVAL_RULE_OPTIONS}
        value={isFixed ? rule : 'when'}
        allowDeselect={false}
        onChange={(way) =>
          onChange(way === 'always' ? way : way === 'when' ? `arguments.${first ?? 'amount'} > 100` : undefined)
        }
      />
      {!isFixed && (
        <CodeField
          name={path}
          schema={{ title: 'Condition', description: 'True when a person has to approve.', 'x-scope': ['arguments'] }}
          value={rule}
          isRequired
          path={path}
          errors={errors}
          onChange={(text) => onChange(typeof text === 'string' ? text : undefined)}
        />
      )}
    </Stack>
  );
}
