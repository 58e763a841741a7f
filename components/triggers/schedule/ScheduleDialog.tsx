import { Modal, Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import type { TriggerDialogProps } from '../kinds/kind';
import { TRIGGER_LIST_QUERY } from '../kinds/state';
import { ScheduleCard } from './ScheduleCard';
import { ScheduleForm } from './ScheduleForm';

/** A schedule with its form open, or the form of a new one. */
export function ScheduleDialog({ workflow, id, onClose }: TriggerDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(
    trpc.schedules.list.queryOptions(
      { params: { id: workflow.id }, query: TRIGGER_LIST_QUERY },
      { enabled: id !== undefined },
    ),
  );
  const refresh = () => void queryClient.invalidateQueries({ queryKey: trpc.schedules.list.queryKey() });
  const close = () => {
    refresh();
    onClose();
  };
  const schedule = data?.data.find((one) => one.id === id);
  return (
    <Modal opened onClose={onClose} title={id === undefined ? 'New schedule' : 'Schedule'} size="lg">
      {id === undefined && <ScheduleForm workflowId={workflow.id} onDone={close} onCancel={onClose} />}
      {id !== undefined && error && (
        <RequestErrorAlert title="The schedule can’t be shown" error={error} onRetry={() => void refetch()} />
      )}
      {schedule && (
        <ScheduleCard
          schedule={schedule}
          status={workflow.status}
          isOpen
          onChange={refresh}
          onDone={close}
          onRemoved={close}
        />
      )}
      {id !== undefined && !schedule && !error && (data ? <DeletedScheduleText /> : <Skeleton h={120} />)}
    </Modal>
  );
}

const DeletedScheduleText = () => <Text size="sm">The schedule no longer exists.</Text>;
