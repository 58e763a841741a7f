'use client';

import { Alert, Button, Group, Loader, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApprovalDecision, PendingDecision } from '@/contract/approval';
import { FormFieldInputs } from '@/components/forms/form-fields/FormFieldInputs';
import { useDecisionFields } from '@/components/forms/form-fields/useDecisionFields';
import { ApiClientProvider } from '@/components/client/ApiClientProvider';
import { readApiError } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useIsHydrated } from '@/components/ui/useIsHydrated';

/** The page that the link in an approval mail opens: a person decides there without signing in. */
export function DecisionForm() {
  const isMounted = useIsHydrated();
  return (
    <ApiClientProvider>
      {isMounted ? <MailedDecisionForm token={location.hash.slice(1)} /> : <Loader aria-label="Loading" />}
    </ApiClientProvider>
  );
}

const EMPTY_DECISION_FIELDS: never[] = [];

function MailedDecisionForm({ token }: { token: string }) {
  const trpc = useTRPC();
  const [comment, setComment] = useState('');
  const look = useMutation(trpc.decisions.look.mutationOptions());
  const pending = useQuery({
    queryKey: ['decision', token],
    queryFn: () => look.mutateAsync({ body: { token } }),
    retry: false,
    staleTime: Infinity,
  });
  const fields = pending.data?.fields ?? EMPTY_DECISION_FIELDS;
  const { entered, errors, setEntered, take, refuse } = useDecisionFields(fields);
  const make = useMutation(trpc.decisions.make.mutationOptions({ onError: refuse }));
  const error = errors.size > 0 ? null : (make.error ?? pending.error);
  const decision: PendingDecision | undefined = make.data ?? pending.data;
  if (!decision && !error) return <Loader aria-label="Loading" />;
  const decide = (word: ApprovalDecision) => {
    const values = take(word);
    if (values) make.mutate({ body: { token, decision: word, comment: comment || undefined, ...values } });
  };
  return (
    <Stack gap="md">
      <Title order={1}>{decision ? decision.workflow : 'This link does not work'}</Title>
      {error && (
        <Alert color="madder" role="alert">
          {decision ? readApiError(error).message : 'The link is incomplete or expired.'}
        </Alert>
      )}
      {decision?.message && (
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{decision.message}</Text>
      )}
      {decision && !decision.isOpen && (
        <Alert color={decision.decision === 'approved' ? 'verdigris' : 'weld'} role="status">
          {decision.decision ? `This request was ${decision.decision}.` : 'The run ended without a decision.'}
        </Alert>
      )}
      {decision?.isOpen && (
        <>
          <Text c="dimmed" size="sm">
            Your decision is recorded for {decision.email}.
          </Text>
          <FormFieldInputs fields={fields} values={entered} errors={errors} onChange={setEntered} />
          <Textarea
            label="Comment"
            autosize
            minRows={2}
            maxLength={10_000}
            value={comment}
            onChange={(event) => setComment(event.currentTarget.value)}
          />
          <Group grow>
            <Button color="verdigris" loading={make.isPending} onClick={() => decide('approved')}>
              Approve
            </Button>
            <Button variant="default" disabled={make.isPending} onClick={() => decide('rejected')}>
              Reject
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}
