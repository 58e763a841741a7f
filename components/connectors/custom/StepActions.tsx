import { Button, Group } from '@mantine/core';

interface Props {
  /** What the step does. */
  action: string;
  isBusy: boolean;
  isDisabled: boolean;
  onBack(): void;
  onClose(): void;
}

/** The buttons below the last step of a dialog. */
export function StepActions({ action, isBusy, isDisabled, onBack, onClose }: Props) {
  return (
    <Group justify="space-between" gap="xs">
      <Button variant="subtle" onClick={onBack}>
        Back
      </Button>
      <Group gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={isBusy} disabled={isDisabled}>
          {action}
        </Button>
      </Group>
    </Group>
  );
}
