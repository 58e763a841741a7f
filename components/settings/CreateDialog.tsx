import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode, SubmitEvent } from 'react';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';

interface Props {
  isOpen: boolean;
  title: string;
  /** Label of the submit button. */
  action: string;
  isBusy: boolean;
  isComplete: boolean;
  /** An error that belongs to no field. */
  problem: string | null;
  /** The result, shown only once in place of the fields. */
  outcome: ReactNode | undefined;
  onSubmit(): void;
  onClose(): void;
  children: ReactNode;
}

/** Creates an object and shows its secret once in the same dialog. */
export function CreateDialog(props: Props) {
  const { isOpen, title, action, isBusy, isComplete, problem, outcome, onSubmit, onClose, children } = props;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      {outcome === undefined ? (
        <form onSubmit={submit}>
          <Stack>
            <FormErrorAlert>{problem}</FormErrorAlert>
            {children}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={isBusy} disabled={!isComplete}>
                {action}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Stack>
          {outcome}
          <Button w="fit-content" onClick={onClose}>
            Done
          </Button>
        </Stack>
      )}
    </Modal>
  );
}
