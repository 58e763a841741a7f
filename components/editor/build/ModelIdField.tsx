import { Autocomplete, Loader } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import { ChoiceFailure } from '@/components/forms/choices/ChoicePicker';
import { useFieldChoices } from '@/components/forms/choices/useFieldChoices';
import type { ChoiceSource } from '@/components/forms/model/field-schema';
import { useModelOptions } from '../node/agent/useModelOptions';
import type { ChosenModel } from './chosen-model';

interface Props {
  /** The node type of language models. */
  kind: NodeTypeDescription;
  value: ChosenModel;
  onChange(value: ChosenModel): void;
}

const MODEL_SOURCE: ChoiceSource = { source: 'models', dependsOn: [], needsCredential: true };
const SEARCH_DELAY_MS = 250;

/** A model that the account of the credential offers; until it has answered, one that is known of the provider. */
export function ModelIdField({ kind, value, onChange }: Props) {
  const known = useModelOptions(createModelNode(value.credentialId), kind).map(({ value: id }) => id);
  const [sought] = useDebouncedValue(value.model ?? '', SEARCH_DELAY_MS);
  const listed = useFieldChoices(MODEL_SOURCE, {}, sought);
  const offered = listed.state === 'listed' ? listed.choices.map(({ value: id }) => String(id)) : known;
  return (
    <div>
      <Autocomplete
        label="Model"
        description="Larger models build better workflows."
        data={offered}
        limit={20}
        maxLength={200}
        rightSection={listed.state === 'loading' ? <Loader size={14} /> : undefined}
        value={value.model ?? known[0] ?? ''}
        onChange={(model) => onChange({ ...value, model })}
      />
      {listed.state === 'failed' && <ChoiceFailure failure={listed} />}
    </div>
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
