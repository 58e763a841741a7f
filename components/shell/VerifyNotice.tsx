import { Alert, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { useMe } from '@/components/client/useMe';
import classes from './VerifyNotice.module.css';

/** Asks a new person to confirm the email address. */
export function VerifyNotice() {
  const trpc = useTRPC();
  const { me } = useMe();
  const resend = useMutation(
    trpc.auth.resendVerification.mutationOptions({
      onSuccess: () => notifications.show({ message: 'The link was sent.', color: 'verdigris' }),
      onError: (error) => notifications.show({ color: 'madder', title: 'Not sent', message: sentence(error) }),
    }),
  );
  if (!me || me.user.isEmailVerified) return null;
  return (
    <Alert color="weld" className={classes.notice} role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          Confirm your email address: open the link sent to {me.user.email}. Until then your workflows can’t send email.
        </Text>
        <Button size="xs" variant="default" loading={resend.isPending} onClick={() => resend.mutate(undefined)}>
          Send again
        </Button>
      </Group>
    </Alert>
  );
}
