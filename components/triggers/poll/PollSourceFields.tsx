import { Select, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import { ExpressionLanguageContext } from '@/components/ui/values/expression-language';
import { useTRPC } from '@/components/client/trpc';
import { useNodeTypes } from '@/components/client/queries/useNodeTypes';
import {
  ChoiceTargetContext,
  readChoiceTarget,
  replaceLabel,
  type ChoiceTarget,
} from '@/components/forms/choices/choice-target';
import { ReferenceOptionsContext } from '@/components/forms/model/reference-options';
import type { FieldSchema } from '@/components/forms/model/field-schema';
import {
  dropStaleParameters,
  findOperation,
  addParameterFields,
} from '@/components/forms/operations/connector-operation';
import { useReferenceOptions } from '@/components/forms/operations/useReferenceOptions';
import { SchemaForm } from '@/components/forms/SchemaForm';
import { CredentialPicker } from '@/components/credentials/CredentialPicker';
import { MAIL_NODE_TYPE } from './mail-node';
import { pollItemSettings } from '../kinds/presets';
import { pollSourcePreset } from './poll-draft';
import type { PollFieldsProps } from './PollTimeFields';

/** Fields of a node that are of no use to a poll. */
const UNUSED_NODE_FIELDS = new Set(['failOnError', 'responseType', 'bodyType']);

const MAILBOX_CREDENTIAL: ComponentProps<typeof CredentialPicker>['need'] = {
  label: 'Mail account',
  help: 'The server, user name and password of the mailbox (IMAP).',
  types: ['imap'],
  connectorId: null,
};

/** The node that asks the source. `isFixed`: its type is not chosen here. */
export function PollSourceFields({ isFixed = false, ...fields }: PollFieldsProps & { isFixed?: boolean }) {
  const { draft, errors, set } = fields;
  const types = useNodeTypes().data?.filter(({ asksSource }) => asksSource);
  const kind = types?.find(({ type }) => type === draft.type);
  if (!types) return <Skeleton h={160} />;
  return (
    <Stack gap="xs">
      {!isFixed && (
        <Select
          label="Source"
          description="The node that reads the source. In its fields {{ cursor }} is the stored cursor."
          data={types.map(({ type, title }) => ({ value: type, label: title }))}
          value={draft.type}
          allowDeselect={false}
          error={errors.get('node.type')}
          onChange={(type) => {
            const chosen = types.find((one) => one.type === type);
            if (!chosen) return;
            // Expressions are kept, unless they are those of a type.
            const hasOwn = chosen.sourceSettings ?? kind?.sourceSettings;
            set({
              ...(hasOwn ? pollSourcePreset(chosen) : { type: chosen.type, config: {} }),
              credentialId: undefined,
              labels: undefined,
            });
          }}
        />
      )}
      {kind &&
        (kind.type === MAIL_NODE_TYPE ? (
          <CredentialPicker
            need={MAILBOX_CREDENTIAL}
            isRequired
            value={draft.credentialId}
            error={errors.get('node.credentialId')}
            onChange={(credentialId) => set({ credentialId })}
          />
        ) : (
          <PollCredentialSelect kind={kind} {...fields} />
        ))}
      {kind && <PollConfigFields kind={kind} {...fields} />}
    </Stack>
  );
}

type SourceFieldsProps = PollFieldsProps & { kind: NodeTypeDescription };

function PollCredentialSelect({ kind, draft, errors, set }: SourceFieldsProps) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.credentials.list.queryOptions({ query: { limit: '100' } }));
  const { connectorId: service } = draft.config;
  const fitting = (data?.data ?? []).filter(
    ({ type, connectorId }) =>
      kind.credentialTypes.includes(type) && (service === undefined || connectorId === service),
  );
  const options = fitting.map(({ id, name }) => ({ value: id, label: name }));
  const { credentialId } = draft;
  const isListed = credentialId === undefined || options.some(({ value }) => value === credentialId);
  return (
    <Select
      label="Credential"
      placeholder="None"
      clearable
      searchable
      nothingFoundMessage="No credential found"
      data={isListed ? options : [...options, { value: credentialId, label: credentialId }]}
      value={credentialId ?? null}
      error={errors.get('node.credentialId')}
      onChange={(id) => set({ credentialId: id ?? undefined })}
    />
  );
}

/** A form from the schema of the type, for a connector with the fields of the chosen operation. */
function PollConfigFields({ kind, draft, errors, set }: SourceFieldsProps) {
  const prefix = 'node.config.';
  const inside = [...errors].filter(([field]) => field.startsWith(prefix));
  const { references, connectors } = useReferenceOptions(draft.config, kind);
  const schema = addParameterFields(kind.configSchema as FieldSchema, draft.config, connectors);
  const { config: fixed = {} } = kind.sourceSettings ?? {};
  const properties = Object.entries(schema.properties ?? {}).filter(
    ([name]) => !UNUSED_NODE_FIELDS.has(name) && !Object.hasOwn(fixed, name),
  );
  const change = (config: PollFieldsProps['draft']['config'], field: string) => {
    // An account of one service is of no use to another.
    const account = field === 'connectorId' ? { credentialId: undefined, labels: undefined } : {};
    const fitting = dropStaleParameters(config, field, connectors);
    const operation = field === 'operation' ? findOperation(connectors, fitting) : undefined;
    // The operation knows how it is polled.
    const { parameters = {} } = operation?.poll ?? {};
    const polled = operation?.poll
      ? { ...fitting, parameters: { ...parameters, ...Object(fitting.parameters) } }
      : fitting;
    set({ config: polled, ...account, ...(operation && pollItemSettings(operation)) });
  };
  const target: ChoiceTarget = {
    ...readChoiceTarget(draft),
    labels: draft.labels,
    onLabel: (path, label) => set({ labels: replaceLabel(draft.labels, path, label) }),
  };
  return (
    <ExpressionLanguageContext value={draft.language}>
      <ReferenceOptionsContext value={references}>
        <ChoiceTargetContext value={target}>
          <SchemaForm
            schema={{ ...schema, properties: Object.fromEntries(properties) }}
            value={draft.config}
            errors={new Map(inside.map(([field, message]) => [field.slice(prefix.length), message]))}
            onChange={change}
          />
        </ChoiceTargetContext>
      </ReferenceOptionsContext>
    </ExpressionLanguageContext>
  );
}
