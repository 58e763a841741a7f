import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconBolt, IconSitemap } from '@tabler/icons-react';
import { Fragment } from 'react';
import type { NodeType } from '@/contract/workflows/node-type';
import type { Node } from '@/contract/workflows/workflow';
import { ReferencesContext } from '@/components/forms/model/references';
import type { Schema } from '@/components/forms/model/schema';
import { SchemaForm } from '@/components/forms/SchemaForm';
import { JsonField } from '@/components/forms/JsonField';
import { fittingConfig, withParameters } from '@/components/forms/operations/operation';
import { useReferences } from '@/components/forms/operations/useReferences';
import { useActions } from '../commands/actions';
import { referenceOf } from '@/components/graph/summary';
import { AgentTools } from './agent/AgentTools';
import { ChatMemory } from './agent/ChatMemory';
import { useModels } from './agent/useModels';
import { useServerTools } from './agent/useServerTools';
import { ReferenceNote } from './ReferenceNote';
import { CredentialField } from './CredentialField';
import { CurlPaste } from './CurlPaste';
import { useDraftStore } from '../draft/draft';

interface Props {
  node: Node;
  kind: NodeType | undefined;
  /** By path in the config; `credentialId`. */
  errors: ReadonlyMap<string, string>;
  onChange(part: Partial<Node>, field: string): void;
}

/** The config of a node: a form made from the schema of its type, or JSON if the type is unknown. */
export function NodeParameters({ node, kind, errors, onChange }: Props) {
  const store = useDraftStore();
  const actions = useActions();
  const { references, connectors } = useReferences(node.config, kind);
  const models = useModels(node, kind);
  const { tools } = useServerTools(node.type, node.credentialId);
  const serverTools = tools.map(({ name }) => ({ value: name, label: name }));
  if (!kind) return <UnknownParameters node={node} onChange={onChange} errors={errors} />;
  const schema = withParameters(kind.configSchema as Schema, node.config, connectors);
  const reference = referenceOf(node);
  const isLoop = schema.properties?.body?.['x-editor'] === 'definition';
  const parts = formParts(schema.properties ?? {});
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
      {kind.type === 'http_request' && <CurlPaste onPaste={(config) => onChange({ config }, 'curl')} />}
      {kind.credentialTypes.length > 0 && (
        <CredentialField node={node} kind={kind} error={errors.get('credentialId')} onChange={onChange} />
      )}
      {kind.type === 'agent' && <ChatMemory node={node} onChange={(config, field) => onChange({ config }, field)} />}
      {reference && <ReferenceNote reference={reference} />}
      <ReferencesContext value={{ ...references, model: models, 'mcp-tool': serverTools }}>
        {parts.map((properties, index) => (
          <Fragment key={index}>
            {index > 0 && (
              <AgentTools
                config={node.config}
                errors={errors}
                onChange={(config, field) => onChange({ config }, field)}
              />
            )}
            <SchemaForm
              schema={{ ...schema, properties }}
              value={node.config}
              errors={errors}
              onChange={(config, field) => onChange({ config: fittingConfig(config, field, connectors) }, field)}
            />
          </Fragment>
        ))}
      </ReferencesContext>
      {isLoop && (
        <Button
          variant="default"
          leftSection={<IconSitemap size={16} aria-hidden />}
          onClick={() => store.set({ path: [...store.get().path, node.id], selectedIds: [] })}
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

/** Fields with editors of their own: the body of a loop, and the tools of an agent, which are between its fields. */
const OWN_EDITORS = ['definition', 'tools', 'tool-approvals'];

/** The fields of the form; those of an agent before and after its tools. */
function formParts(properties: NonNullable<Schema['properties']>): NonNullable<Schema['properties']>[] {
  const entries = Object.entries(properties);
  const tools = entries.findIndex(([, field]) => field['x-editor'] === 'tools');
  const parts = tools === -1 ? [entries] : [entries.slice(0, tools), entries.slice(tools)];
  return parts.map((part) =>
    Object.fromEntries(part.filter(([, field]) => !OWN_EDITORS.includes(field['x-editor'] ?? ''))),
  );
}

interface UnknownProps {
  node: Node;
  errors: ReadonlyMap<string, string>;
  onChange(part: Partial<Node>, field: string): void;
}

function UnknownParameters({ node, errors, onChange }: UnknownProps) {
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
        onChange={(config) => onChange({ config: (config ?? {}) as Node['config'] }, 'config')}
      />
    </Stack>
  );
}
