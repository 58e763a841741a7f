import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconBolt, IconSitemap } from '@tabler/icons-react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { ChoiceTargetContext } from '@/components/forms/choices/choice-target';
import { ReferenceOptionsContext } from '@/components/forms/model/reference-options';
import type { FieldSchema } from '@/components/forms/model/field-schema';
import { SchemaForm } from '@/components/forms/SchemaForm';
import { JsonField } from '@/components/forms/JsonField';
import { dropStaleParameters, addParameterFields } from '@/components/forms/operations/connector-operation';
import { listOwnFormFields } from '@/components/forms/operations/own-form-fields';
import { useReferenceOptions } from '@/components/forms/operations/useReferenceOptions';
import { useEditorActions } from '../commands/editor-actions';
import { readNodeReference } from '@/components/graph/summary';
import { AgentPartList } from './agent/AgentPartList';
import { nodeChoiceTarget } from './node-choice-target';
import { openLoopAlone } from '../frames/open-loops';
import { NodeReferenceLink } from './NodeReferenceLink';
import { CredentialField } from './CredentialField';
import { CurlImportField } from './CurlImportField';
import { useDraftStore } from '../draft/draft';

interface Props {
  node: WorkflowNode;
  kind: NodeTypeDescription | undefined;
  /** Messages by the path in the config, or by `credentialId`. */
  errors: ReadonlyMap<string, string>;
  onChange(part: Partial<WorkflowNode>, field: string): void;
}

/** The config of a node: a form made from the schema of its type, or JSON if the type is unknown. */
export function NodeParameters({ node, kind, errors, onChange }: Props) {
  const store = useDraftStore();
  const actions = useEditorActions();
  const { references, connectors } = useReferenceOptions(node.config, kind);
  if (!kind) return <UnknownParameters node={node} onChange={onChange} errors={errors} />;
  const schema = addParameterFields(kind.configSchema as FieldSchema, node.config, connectors);
  const reference = readNodeReference(node);
  const isLoop = schema.properties?.body?.['x-editor'] === 'definition';
  const isAgent = kind.type === 'agent';
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {kind.description}
      </Text>
      {kind.ports.inputs.length === 0 && (
        <Button
          variant="default"
          leftSection={<IconBolt size={16} aria-hidden />}
          onClick={actions.showTriggers}
          w="fit-content"
        >
          Forms, chats, webhooks and schedules
        </Button>
      )}
      {kind.type === 'http_request' && <CurlImportField onPaste={(config) => onChange({ config }, 'curl')} />}
      {kind.credentialTypes.length > 0 && !isAgent && (
        <CredentialField node={node} kind={kind} error={errors.get('credentialId')} onChange={onChange} />
      )}
      {isAgent && <AgentPartList agent={node} kind={kind} errors={errors} onChange={onChange} />}
      {reference && <NodeReferenceLink reference={reference} />}
      <ReferenceOptionsContext value={references}>
        <ChoiceTargetContext value={nodeChoiceTarget(node, onChange)}>
          <SchemaForm
            schema={{ ...schema, properties: listOwnFormFields(kind.type, schema.properties ?? {}) }}
            value={node.config}
            errors={errors}
            onChange={(config, field) => onChange({ config: dropStaleParameters(config, field, connectors) }, field)}
          />
        </ChoiceTargetContext>
      </ReferenceOptionsContext>
      {isLoop && (
        <Button
          variant="default"
          leftSection={<IconSitemap size={16} aria-hidden />}
          onClick={() => store.set(openLoopAlone(store.get(), [...store.get().path, node.id]))}
        >
          Open loop body
        </Button>
      )}
      {errors.has('body') && (
        <Text size="xs" c="var(--weft-failed)">
          {errors.get('body')}
        </Text>
      )}
    </Stack>
  );
}

interface UnknownParametersProps {
  node: WorkflowNode;
  errors: ReadonlyMap<string, string>;
  onChange(part: Partial<WorkflowNode>, field: string): void;
}

function UnknownParameters({ node, errors, onChange }: UnknownParametersProps) {
  return (
    <Stack gap="md">
      <Alert color="madder" title={`Unknown node type “${node.type}”`}>
        This installation has no such node type, so the workflow can’t be saved. Delete the node, or replace it:
        right-click it and choose “Replace with another type”. Position, name and connections are kept.
      </Alert>
      <JsonField
        name="config"
        schema={{ title: 'Config', description: 'As imported' }}
        value={node.config}
        isRequired={false}
        path=""
        errors={errors}
        onChange={(config) => onChange({ config: (config ?? {}) as WorkflowNode['config'] }, 'config')}
      />
    </Stack>
  );
}
