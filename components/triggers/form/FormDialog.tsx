import { Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormTrigger } from '@/contract/triggers/form';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { FormFieldRows } from '@/components/forms/form-fields/FormFieldRows';
import { StartNodeField } from '@/components/ui/start-nodes/StartNodeField';
import { useInitialStart } from '@/components/ui/start-nodes/start-choices';
import { AccessField } from '../page/AccessField';
import { PageDialog, PageNameFields } from '../page/PageDialog';
import {
  formRequestBody,
  toFormDraft,
  EMPTY_FORM_DRAFT,
  formDialogField,
  isFormDialogField,
  type FormDraft,
} from './form-draft';
import { FormResponseFields } from './FormResponseFields';

interface Props {
  workflowId: string;
  /** Absent: a new form. */
  form?: FormTrigger;
  onDone(): void;
  onClose(): void;
}

/** Creates or changes a form. */
export function FormDialog({ workflowId: id, form, onDone, onClose }: Props) {
  const trpc = useTRPC();
  const startNodeId = useInitialStart();
  const [draft, setDraft] = useState(() => (form ? toFormDraft(form) : { ...EMPTY_FORM_DRAFT, startNodeId }));
  const create = useMutation(trpc.forms.create.mutationOptions({ onSuccess: onDone }));
  const update = useMutation(trpc.forms.update.mutationOptions({ onSuccess: onDone }));
  const { at, elsewhere } = splitFieldErrors(create.error ?? update.error, isFormDialogField);
  const errors = new Map([...at].map(([field, message]) => [formDialogField(field), message]));
  const set = (part: Partial<FormDraft>) => setDraft({ ...draft, ...part });
  const submit = () => {
    const body = formRequestBody(draft);
    if (form) update.mutate({ params: { id, formId: form.id }, body });
    else create.mutate({ params: { id }, body });
  };
  return (
    <PageDialog
      kind="form"
      path={form?.path}
      size="xl"
      isBusy={create.isPending || update.isPending}
      problem={elsewhere}
      onSubmit={submit}
      onClose={onClose}
    >
      <PageNameFields draft={draft} errors={errors} placeholders={{ path: 'day-off' }} set={set} />
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
      <StartNodeField
        value={draft.startNodeId}
        error={errors.get('startNodeId')}
        onChange={(picked) => set({ startNodeId: picked })}
      />
      <AccessField label="Who can submit it" value={draft.access} onChange={(access) => set({ access })} />
      <FormFieldRows
        takesFiles
        label="Fields"
        description="The values become the input of the run."
        fields={draft.fields}
        errors={errorsInFieldList(errors)}
        onChange={(fields) => set({ fields })}
      />
      <FormResponseFields draft={draft} errors={errors} set={set} />
    </PageDialog>
  );
}

/** Errors of fields by their path in the list. */
const errorsInFieldList = (errors: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map(
    [...errors].flatMap(([field, message]) =>
      field.startsWith('fields') ? [[field.slice('fields'.length), message] as const] : [],
    ),
  );
