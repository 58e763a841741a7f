import { Autocomplete, SimpleGrid } from '@mantine/core';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import { useModelOptions } from '../node/agent/useModelOptions';
import { CredentialField } from '../node/CredentialField';
import type { ChosenModel } from './chosen-model';

interface Props {
  /** The node type of language models. */
  kind: NodeTypeDescription;
  value: ChosenModel;
  onChange(value: ChosenModel): void;
}

/** Chooses a credential and one of its models, as the form of a node does. */
export function ModelChoice({ kind, value, onChange }: Props) {
  const node = createModelNode(value.credentialId);
  const models = useModelOptions(node, kind);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <CredentialField
        node={node}
        kind={kind}
        description="Of the language model that builds the workflow."
        error={undefined}
        onChange={({ credentialId }) => onChange({ credentialId, model: undefined })}
      />
      <Autocomplete
        label="Model"
        description="Larger models build better workflows."
        data={models.map(({ value: id }) => id)}
        limit={20}
        maxLength={200}
        value={value.model ?? models[0]?.value ?? ''}
        onChange={(model) => onChange({ ...value, model })}
      />
    </SimpleGrid>
  );
}

/** A node with the credential, for functions that read the credential of a node. */
export const createModelNode = (credentialId: string | undefined) => ({
  id: 'model',
  type: 'llm',
  position: { x: 0, y: 0 },
  config: {},
  credentialId,
});
