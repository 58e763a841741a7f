import { Button } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { Permitted } from '@/components/ui/Permitted';
import { BarAction } from './BarAction';
import { useCancel } from './useCancel';

interface Props {
  executionId: string;
  /** Shown in the toolbar over a canvas. */
  isInBar?: boolean;
}

export function CancelButton({ executionId, isInBar = false }: Props) {
  const { isPending, cancel } = useCancel(executionId);
  return (
    <Permitted to="execution:cancel">
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
    </Permitted>
  );
}
