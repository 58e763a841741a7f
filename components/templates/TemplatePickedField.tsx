import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { useNodeTypes } from '@/components/client/queries/useNodeTypes';
import { useTRPC } from '@/components/client/trpc';
import { ChoiceTargetContext } from '@/components/forms/choices/choice-target';
import type { FieldSchema } from '@/components/forms/model/field-schema';
import { SchemaForm } from '@/components/forms/SchemaForm';
import { TemplateValueField } from './Needs';
import { fillSiblings, type TemplateValueUse } from './value-use';

type ValueFieldProps = ComponentProps<typeof TemplateValueField>;

interface Props extends ValueFieldProps {
  use: TemplateValueUse;
  credentialId: string | undefined;
  /** All values of the set-up: a list may depend on others. */
  values: Readonly<Record<string, string>>;
  /** What the picked value was called. */
  label: string | undefined;
  onLabel(label: string | undefined): void;
}

/** The schema of the field that a value fills in. Undefined: it is not loaded, or does not exist. */
function useFieldSchema({ nodeType, connectorId, operation, field }: TemplateValueUse): FieldSchema | undefined {
  const trpc = useTRPC();
  const types = useNodeTypes().data;
  const connector = useQuery(
    trpc.connectors.get.queryOptions({ params: { id: connectorId ?? '' } }, { enabled: connectorId !== undefined }),
  );
  const schema =
    connectorId === undefined
      ? types?.find(({ type }) => type === nodeType)?.configSchema
      : connector.data?.operations.find(({ id }) => id === operation)?.parameters;
  return (schema as FieldSchema | undefined)?.properties?.[field];
}

/** A value of a template that is picked from what the account has, where its field has a list. */
export function TemplatePickedField({ use, credentialId, values, label, onLabel, ...props }: Props) {
  const schema = useFieldSchema(use);
  const { need, value, error, onChange } = props;
  if (!schema?.['x-choices']) return <TemplateValueField {...props} />;
  const shown = { ...schema, title: need.label, description: need.help };
  return (
    <ChoiceTargetContext
      value={{
        nodeType: use.nodeType,
        connectorId: use.connectorId,
        credentialId,
        labels: label === undefined ? {} : { [use.field]: label },
        onLabel: (_path, picked) => onLabel(picked),
      }}
    >
      <SchemaForm
        schema={{ type: 'object', properties: { [use.field]: shown } }}
        value={{ ...fillSiblings(use.siblings, values), ...(value !== '' && { [use.field]: value }) }}
        errors={new Map(error === undefined ? [] : [[use.field, error]])}
        onChange={(next) => {
          const picked = next[use.field];
          onChange(picked === undefined || picked === null ? '' : String(picked));
        }}
      />
    </ChoiceTargetContext>
  );
}
