import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { Form } from '@/contract/triggers/form';
import { fieldErrorsOf } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { FieldRows } from '@/components/forms/form-fields/FieldRows';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { AccessField } from '../AccessField';
import { bodyOf, draftOf, EMPTY_FORM, formField, isShown, type FormDraft } from './form-draft';
import { FormResponseFields } from './FormResponseFields';

interface Props {
  workflowId: string;
  /** Absent: a new form. */
  form?: Form;
  onDone(): void;
  onClose(): void;
}

/** Creates or changes a form. */
export function FormDialog({ workflowId: id, form, onDone, onClose }: Props) {
  const trpc = useTRPC();
  const isNarrow = useMediaQuery('(max-width: 40em)') ?? false;
  const [draft, setDraft] = useState(() => (form ? draftOf(form) : EMPTY_FORM));
  const create = useMutation(trpc.forms.create.mutationOptions({ onSuccess: onDone }));
  const update = useMutation(trpc.forms.update.mutationOptions({ onSuccess: onDone }));
  const { at, elsewhere } = fieldErrorsOf(create.error ?? update.error, isShown);
  const errors = new Map([...at].map(([field, message]) => [formField(field), message]));
  const set = (part: Partial<FormDraft>) => setDraft({ ...draft, ...part });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const body = bodyOf(draft);
    if (form) update.mutate({ params: { id, formId: form.id }, body });
    else create.mutate({ params: { id }, body });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      fullScreen={isNarrow}
      title={form ? `Form ${form.path}` : 'New form'}
      closeOnClickOutside={false}
    >
      <form onSubmit={submit} noValidate aria-label={form ? `Form ${form.path}` : 'New form'}>
        <Stack gap="md">
          <Heading draft={draft} errors={errors} set={set} />
          <AccessField label="Who can submit it" value={draft.access} onChange={(access) => set({ access })} />
          <FieldRows
            takesFiles
            label="Fields"
            description="The values become the input of the run."
            fields={draft.fields}
            errors={fieldErrors(errors)}
            onChange={(fields) => set({ fields })}
          />
          <FormResponseFields draft={draft} errors={errors} set={set} />
          {elsewhere && <ErrorNote>{elsewhere}</ErrorNote>}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending || update.isPending}>
              {form ? 'Save form' : 'Create form'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Errors of fields by their path in the list. */
const fieldErrors = (errors: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map(
    [...errors].flatMap(([field, message]) =>
      field.startsWith('fields') ? [[field.slice('fields'.length), message] as const] : [],
    ),
  );

interface DraftProps {
  draft: FormDraft;
  errors: ReadonlyMap<string, string>;
  set(part: Partial<FormDraft>): void;
}

function Heading({ draft, errors, set }: DraftProps) {
  return (
    <>
      <TextInput
        label="Title"
        withAsterisk
        data-autofocus
        maxLength={200}
        value={draft.title}
        error={errors.get('title')}
        onChange={(event) => set({ title: event.currentTarget.value })}
      />
      <TextInput
        label="Path"
        description="The last part of its URL: segments of a-z 0-9 - _ separated by /"
        withAsterisk
        placeholder="day-off"
        maxLength={100}
        value={draft.path}
        error={errors.get('path')}
        onChange={(event) => set({ path: event.currentTarget.value })}
      />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={5000}
        value={draft.description}
        error={errors.get('description')}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
    </>
  );
}
