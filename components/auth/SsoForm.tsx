import { Alert, Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { problemOf } from '../client/problem';
import { useTRPC } from '../client/trpc';

interface Props {
  email: string;
  returnTo: string;
  onBack(): void;
}

/** Finds the sign-in of somebody's company by their email, and leads there. */
export function SsoForm({ email: known, returnTo, onBack }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState(known);
  const [asked, setAsked] = useState<string>();
  const [error, setError] = useState<string>();
  // Without an address: those of the whole service.
  const { data, isFetching } = useQuery(trpc.sso.choices.queryOptions({ query: { email: asked } }));
  const go = (url: string) => location.assign(`${url}&returnTo=${encodeURIComponent(returnTo)}`);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setError(undefined);
    const query = { email: email.trim() };
    try {
      const { providers } = await queryClient.fetchQuery(trpc.sso.choices.queryOptions({ query }));
      setAsked(query.email);
      const [only, ...others] = providers;
      if (!only) setError('No company sign-in is set up for this address.');
      else if (others.length === 0) go(only.url);
    } catch (failure) {
      const { details, message } = problemOf(failure);
      setError(details[0] ? `This ${details[0].message}.` : message);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        {error && (
          <Alert color="madder" role="alert">
            {error}
          </Alert>
        )}
        <TextInput
          label="Work email"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
          size="md"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" size="md" loading={isFetching && asked !== undefined}>
          Continue
        </Button>
        {data?.providers.map(({ id, name, url }) => (
          <Button key={id} variant="default" size="md" onClick={() => go(url)}>
            Continue with {name}
          </Button>
        ))}
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          Use a password
        </Anchor>
      </Stack>
    </form>
  );
}
