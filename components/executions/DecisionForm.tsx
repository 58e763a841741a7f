'use client';

import { Alert, Button, Group, Loader, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DecisionWord, PendingDecision } from '@/contract/execution';
import { FormFields } from '@/components/forms/form-fields/FormFields';
import { useDecisionFields } from '@/components/forms/form-fields/useDecisionFields';
import { Client } from '@/components/client/Client';
import { problemOf } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { useMounted } from '@/components/ui/useMounted';

/** Target of the link in an approval mail: decide without signing in. */
export function DecisionForm() {
  const isMounted = useMounted();
  return <Client>{isMounted ? <Form token={location.hash.slice(1)} /> : <Loader aria-label="Loading" />}</Client>;
}

const NONE: never[] = [];

function Form({ token }: { token: string }) {
  const trpc = useTRPC();
  const [comment, setComment] = useState('');
  const look = useMutation(trpc.decisions.look.mutationOptions());
  const pending = useQuery({
    queryKey: ['decision', token],
    queryFn: () => look.mutateAsync({ body: { token } }),
    retry: false,
    staleTime: Infinity,
  });
  const fields = pending.data?.fields ?? NONE;
  const { entered, errors, setEntered, take, refuse } = useDecisionFields(fields);
  const make = useMutation(trpc.decisions.make.mutationOptions({ onError: refuse }));
  const error = errors.size > 0 ? null : (make.error ?? pending.error);
  const decision: PendingDecision | undefined = make.data ?? pending.data;
  if (!decision && !error) return <Loader aria-label="Loading" />;
  const decide = (word: DecisionWord) => {
    const values = take(word);
    if (values) make.mutate({ body: { token, decision: word, comment: comment || undefined, ...values } });
  };
  return (
    <Stack gap="md">
      <Title order={1}>{decision ? decision.workflow : 'This link does not work'}</Title>
      {error && (
        <Alert color="madder" role="alert">
          {decision ? problemOf(error).message : 'The link is incomplete or expired.'}
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
          <FormFields fields={fields} values={entered} errors={errors} onChange={setEntered} />
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
