import { Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormTrigger } from '@/contract/triggers/form';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { FormCard } from './FormCard';
import { FormDialog } from './FormDialog';

/** The forms of a workflow. */
export function FormList({ workflowId }: { workflowId: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [edited, setEdited] = useState<FormTrigger | 'new'>();
  const { data, error, refetch } = useQuery(
    trpc.forms.list.queryOptions({ params: { id: workflowId }, query: { limit: '100' } }),
  );
  const refresh = () => void queryClient.invalidateQueries({ queryKey: trpc.forms.list.queryKey() });
  const close = () => setEdited(undefined);
  return (
    <Stack gap="sm" component="section" aria-label="Forms">
      <Title order={3} size="h4">
        Forms
      </Title>
      <Text size="sm" c="dimmed">
        A form is a page with fields. Sending it starts a run with the values as input, while the workflow is live.
      </Text>
      {error && <RequestErrorAlert title="The forms can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={70} />}
      {data?.total === 0 && <Text size="sm">There are no forms yet.</Text>}
      {data?.data.map((form) => (
        <FormCard key={form.id} form={form} onEdit={() => setEdited(form)} onChange={refresh} />
      ))}
      <Button
        variant="default"
        w="fit-content"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => setEdited('new')}
      >
        Add form
      </Button>
      {edited && (
        <FormDialog
          workflowId={workflowId}
          form={edited === 'new' ? undefined : edited}
          onDone={() => {
            close();
            refresh();
          }}
          onClose={close}
        />
      )}
    </Stack>
  );
}
