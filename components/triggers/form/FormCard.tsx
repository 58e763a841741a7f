import { ActionIcon, Anchor, Group, Paper, Text, Tooltip } from '@mantine/core';
import { IconExternalLink, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Form } from '@/contract/triggers/form';
import { useTRPC } from '@/components/client/trpc';
import { Confirm } from '@/components/ui/Confirm';
import { CopyIcon } from '@/components/ui/values/CopyIcon';
import { responseText } from './form-draft';

interface Props {
  form: Form;
  onEdit(): void;
  onChange(): void;
}

/** One form: address, link to its page, settings, deletion. */
export function FormCard({ form, onEdit, onChange }: Props) {
  const trpc = useTRPC();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation(trpc.forms.delete.mutationOptions({ onSuccess: onChange }));
  const { id: formId, workflowId: id, path, url, title, fields, access, response } = form;
  const count = fields.length === 1 ? '1 field' : `${fields.length} fields`;
  return (
    <Paper withBorder p="sm" component="article" aria-label={`Form ${path}`}>
      <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
        <Group gap={4} wrap="nowrap">
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
          <CopyIcon label={`Copy the URL of form ${path}`} value={url} />
          <ActionIcon color="madder" aria-label={`Delete form ${path}`} onClick={() => setAsking(true)}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      <Text size="xs" ff="monospace" mt={4} style={{ overflowWrap: 'anywhere' }}>
        {url}
      </Text>
      <Group mt={6} gap="md" justify="space-between" style={{ rowGap: 4 }}>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {count} · {access === 'public' ? 'Anyone' : 'Members'} · {responseText(response)}
        </Text>
        <Anchor component="button" size="sm" aria-label={`Edit form ${path}`} onClick={onEdit}>
          Edit
        </Anchor>
      </Group>
      <Confirm
        isOpen={isAsking}
        title={`Delete the form “${title}”?`}
        action="Delete"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params: { id, formId } })}
        onClose={() => setAsking(false)}
      >
        Its page then shows that the form does not exist. Runs that it started are kept.
      </Confirm>
    </Paper>
  );
}
