import { Alert, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import classes from './VerifyNotice.module.css';

/** The request to open the link that was sent to an address. */
export function VerifyNoticeBar({ email }: { email: string }) {
  const trpc = useTRPC();
  const resend = useMutation(
    trpc.auth.resendVerification.mutationOptions({
      onSuccess: () => notifications.show({ message: 'The link was sent.', color: 'verdigris' }),
      onError: (error) => notifications.show({ color: 'madder', title: 'Not sent', message: apiErrorSentence(error) }),
    }),
  );
  return (
    <Alert color="weld" className={classes.notice} role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          Confirm your email address: open the link sent to {email}. Until then your workflows can’t send email.
        </Text>
        <Button size="xs" variant="default" loading={resend.isPending} onClick={() => resend.mutate(undefined)}>
          Send again
        </Button>
      </Group>
    </Alert>
  );
}
