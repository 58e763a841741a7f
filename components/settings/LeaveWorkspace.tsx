import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useTRPC } from '../client/trpc';
import { chooseWorkspace } from '../client/workspace';
import { Confirm } from '../ui/Confirm';
import { Section } from '../ui/Section';

export function LeaveWorkspace({ workspace: { id, name } }: { workspace: { id: string; name: string } }) {
  const trpc = useTRPC();
  const [isOpen, { open, close }] = useDisclosure(false);
  const leave = useMutation(
    trpc.members.leave.mutationOptions({
      onSuccess: () => {
        chooseWorkspace(null);
        location.assign('/workflows');
      },
    }),
  );
  return (
    <Section
      title="Leave"
      summary="You lose all access at once. The last owner can’t leave."
      aside={
        <Button variant="default" onClick={open}>
          Leave workspace
        </Button>
      }
    >
      <Confirm
        isOpen={isOpen}
        title={`Leave ${name}?`}
        action="Leave"
        isBusy={leave.isPending}
        error={leave.error}
        onConfirm={() => leave.mutate({ params: { id } })}
        onClose={close}
      >
        <Text>Your API keys for it stop working, and only an invitation brings you back.</Text>
      </Confirm>
    </Section>
  );
}
