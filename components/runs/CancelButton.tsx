import { Button } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { BarAction } from './BarAction';
import { useCancelRun } from './useCancelRun';

interface Props {
  executionId: string;
  /** Shown in the toolbar over a canvas. */
  isInBar?: boolean;
}

export function CancelButton({ executionId, isInBar = false }: Props) {
  const { isPending, cancel } = useCancelRun(executionId);
  return (
    <PermittedButton to="execution:cancel">
      {isInBar ? (
        <BarAction label="Cancel run" icon={IconPlayerStop} to={cancel} />
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlayerStop size={14} aria-hidden />}
          loading={isPending}
          onClick={cancel}
        >
          Cancel
        </Button>
      )}
    </PermittedButton>
  );
}
