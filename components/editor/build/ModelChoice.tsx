import { Autocomplete, SimpleGrid } from '@mantine/core';
import type { NodeType } from '@/contract/workflows/node-type';
import { useModels } from '../node/agent/useModels';
import { CredentialField } from '../node/CredentialField';
import type { ChosenModel } from './chosen-model';

interface Props {
  /** The node type of language models. */
  kind: NodeType;
  value: ChosenModel;
  onChange(value: ChosenModel): void;
}

/** A credential and one of its models, as of a node. */
export function ModelChoice({ kind, value, onChange }: Props) {
  const node = modelNode(value.credentialId);
  const models = useModels(node, kind);
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

/** A node that names the credential, for what follows from it. */
export const modelNode = (credentialId: string | undefined) => ({
  id: 'model',
  type: 'llm',
  position: { x: 0, y: 0 },
  config: {},
  credentialId,
});
