import { Anchor, Input, NumberInput, Select, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { FieldSchema } from '@/components/forms/model/field-schema';
import { PreviewDataContext, type PreviewData } from '@/components/forms/preview-context';
import { SchemaForm } from '@/components/forms/SchemaForm';
import type { NodeEachFields } from './each-proposal';

interface Props {
  each: NodeEachFields;
  kind: NodeTypeDescription;
  arriving: PreviewData;
  errors: ReadonlyMap<string, string>;
  onChange(each: NodeEachFields): void;
}

const LIST_SCHEMA: FieldSchema = {
  properties: { items: { type: 'string', title: 'List', 'x-editor': 'expression' } },
};

const ERROR_CHOICES = [
  { value: 'fail', label: 'the node fails' },
  { value: 'continue', label: 'go on, with the error in its place' },
  { value: 'drop', label: 'go on, and leave the item out' },
];
const EMPTY_CHOICES = [
  { value: 'end', label: 'the branch ends here' },
  { value: 'pass', label: 'go on with an empty list' },
];
/** Everyone is asked at once. */
const DEFAULT_CONCURRENCY: Record<string, number> = { approval: 100 };

/** How a node runs for each item, in plain words. A default is not stored. */
export function ForEachOptions({ each, kind, arriving, errors, onChange }: Props) {
  const [isChanging, setChanging] = useState(each.items !== undefined);
  const change = (part: NodeEachFields) =>
    onChange(Object.fromEntries(Object.entries({ ...each, ...part }).filter(([, value]) => value !== undefined)));
  const error = (field: string) => errors.get(`each.${field}`);
  const initial = DEFAULT_CONCURRENCY[kind.type] ?? 1;
  return (
    <Stack gap="sm" mt="sm">
      {isChanging || each.items !== undefined ? (
        <PreviewDataContext value={arriving}>
          <SchemaForm
            schema={LIST_SCHEMA}
            value={{ items: each.items }}
            errors={new Map([...errors].map(([field, message]) => [field.replace(/^each\./, ''), message]))}
            onChange={({ items }) => change({ items: typeof items === 'string' ? items : undefined })}
          />
          <Anchor
            component="button"
            type="button"
            size="sm"
            w="fit-content"
            onClick={() => {
              setChanging(false);
              change({ items: undefined });
            }}
          >
            Use what arrives
          </Anchor>
        </PreviewDataContext>
      ) : (
        <Input.Wrapper label="List" labelElement="div">
          <Text size="sm" c="dimmed">
            What arrives.{' '}
            <Anchor component="button" type="button" size="sm" onClick={() => setChanging(true)}>
              Pick another list
            </Anchor>
          </Text>
        </Input.Wrapper>
      )}
      <NumberInput
        label="At a time"
        description="How many items at once, at most 100."
        placeholder={String(initial)}
        min={1}
        max={100}
        allowDecimal={false}
        error={error('concurrency')}
        value={each.concurrency ?? ''}
        onChange={(value) => change({ concurrency: typeof value === 'number' ? value : undefined })}
      />
      <Select
        label="When an item fails"
        data={ERROR_CHOICES}
        allowDeselect={false}
        error={error('onError')}
        value={each.onError ?? 'fail'}
        onChange={(value) => change({ onError: value === 'continue' || value === 'drop' ? value : undefined })}
      />
      <Select
        label="When there are no items"
        data={EMPTY_CHOICES}
        allowDeselect={false}
        error={error('onEmpty')}
        value={each.onEmpty ?? 'end'}
        onChange={(value) => change({ onEmpty: value === 'pass' ? value : undefined })}
      />
      <Switch
        label="Join the lists"
        description="An output that is a list counts as its elements."
        error={error('flatten')}
        checked={each.flatten === true}
        onChange={(event) => change({ flatten: event.currentTarget.checked || undefined })}
      />
    </Stack>
  );
}
