import { SimpleGrid } from '@mantine/core';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import { ChoiceTargetContext, readChoiceTarget } from '@/components/forms/choices/choice-target';
import { CredentialField } from '../node/CredentialField';
import type { ChosenModel } from './chosen-model';
import { createModelNode, ModelIdField } from './ModelIdField';

interface Props {
  /** The node type of language models. */
  kind: NodeTypeDescription;
  value: ChosenModel;
  onChange(value: ChosenModel): void;
}

/** Chooses a credential and one of its models, as the form of a node does. */
export function ModelChoice({ kind, value, onChange }: Props) {
  const node = createModelNode(value.credentialId);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <CredentialField
        node={node}
        kind={kind}
        description="Of the language model that builds the workflow."
        error={undefined}
        onChange={({ credentialId }) => onChange({ credentialId, model: undefined })}
      />
      <ChoiceTargetContext value={readChoiceTarget(node)}>
        <ModelIdField kind={kind} value={value} onChange={onChange} />
      </ChoiceTargetContext>
    </SimpleGrid>
  );
}
