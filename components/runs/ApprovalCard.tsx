import { Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck, IconHandStop, IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApprovalPrompt, ApprovalDecision } from '@/contract/approval';
import { FormFieldInputs } from '@/components/forms/form-fields/FormFieldInputs';
import { useDecisionFields } from '@/components/forms/form-fields/useDecisionFields';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { PermittedButton } from '@/components/ui/PermittedButton';
import classes from './ApprovalCard.module.css';

interface Props {
  executionId: string;
  nodeId: string;
  title: string;
  asked: ApprovalPrompt | undefined;
}

const EMPTY_APPROVAL_FIELDS: never[] = [];

/** A pending approval with its message, the fields that it asks for, and the two decisions. */
export function ApprovalCard({ executionId, nodeId, title, asked }: Props) {
  const { message, fields = EMPTY_APPROVAL_FIELDS } = asked ?? {};
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [comment, setComment] = useState('');
  const { entered, errors, setEntered, take, refuse } = useDecisionFields(fields);
  const resume = useMutation(
    trpc.executions.resume.mutationOptions({
      onError(error) {
        if (!refuse(error))
          notifications.show({ color: 'madder', title: 'Decision not saved', message: apiErrorSentence(error) });
      },
      onSettled: () =>
        Promise.all([
          queryClient.invalidateQueries({ queryKey: trpc.executions.get.queryKey({ params: { id: executionId } }) }),
          // The counts of runs that wait.
          queryClient.invalidateQueries({ queryKey: trpc.executions.list.pathKey() }),
        ]),
    }),
  );
  const decide = (decision: ApprovalDecision) => {
    const body = { nodeId, decision, comment: comment || undefined };
    const values = take(decision);
    if (values) resume.mutate({ params: { id: executionId }, body: { ...body, ...values } });
  };
  return (
    <Paper className={classes.card} p="md" component="section" aria-label={`Approval: ${title}`}>
      <Stack gap="sm">
        <Group gap={8} wrap="nowrap" className={classes.head}>
          <IconHandStop size={18} aria-hidden />
          <Text fw={600} size="sm">
            Waiting for a decision: {title}
          </Text>
        </Group>
        {message && (
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {message}
          </Text>
        )}
        <FormFieldInputs fields={fields} values={entered} errors={errors} onChange={setEntered} />
        <Textarea
          aria-label="Comment"
          placeholder="Comment (optional)"
          autosize
          minRows={2}
          maxRows={6}
          maxLength={10_000}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
        <Group grow gap="xs">
          <PermittedButton to="execution:resume">
            <Button
              color="verdigris"
              leftSection={<IconCheck size={16} aria-hidden />}
              loading={resume.isPending}
              onClick={() => decide('approved')}
            >
              Approve
            </Button>
          </PermittedButton>
          <PermittedButton to="execution:resume">
            <Button
              variant="default"
              leftSection={<IconX size={16} aria-hidden />}
              disabled={resume.isPending}
              onClick={() => decide('rejected')}
            >
              Reject
            </Button>
          </PermittedButton>
        </Group>
      </Stack>
    </Paper>
  );
}
