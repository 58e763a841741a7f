import { ActionIcon, Tooltip } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { FormTrigger } from '@/contract/triggers/form';
import { useTRPC } from '@/components/client/trpc';
import { PageCard } from '../page/PageCard';
import { describeFormResponse } from './form-draft';

interface Props {
  form: FormTrigger;
  onEdit(): void;
  onChange(): void;
}

/** One form: address, link to its page, settings, deletion. */
export function FormCard({ form, onEdit, onChange }: Props) {
  const trpc = useTRPC();
  const remove = useMutation(trpc.forms.delete.mutationOptions({ onSuccess: onChange }));
  const { id: formId, workflowId: id, path, url, fields, access, response } = form;
  const count = fields.length === 1 ? '1 field' : `${fields.length} fields`;
  return (
    <PageCard
      kind="form"
      page={form}
      facts={`${count} · ${access === 'public' ? 'Anyone' : 'Members'} · ${describeFormResponse(response)}`}
      controls={
        <Tooltip label="Open the page">
          <ActionIcon
            component="a"
            href={url}
            target="_blank"
            rel="noreferrer"
            aria-label={`Open the page of form ${path}`}
          >
            <IconExternalLink size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      }
      removal={remove}
      onEdit={onEdit}
      onRemove={() => remove.mutate({ params: { id, formId } })}
    />
  );
}
