import { Alert, Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { readApiError } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import classes from './SsoForm.module.css';

interface Props {
  email: string;
  returnTo: string;
  onBack(): void;
}

/**
 * Finds the single sign-on provider of an email's domain. Shows the provider's host before the browser is sent there.
 */
export function SsoForm({ email: initialEmail, returnTo, onBack }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState(initialEmail);
  const [searchedEmail, setSearchedEmail] = useState<string>();
  const [error, setError] = useState<string>();
  // Without an email the query returns the providers of the whole service.
  const { data, isFetching } = useQuery(trpc.sso.choices.queryOptions({ query: { email: searchedEmail } }));
  const isFound = searchedEmail !== undefined && data !== undefined && data.providers.length > 0;
  const go = (url: string) => location.assign(`${url}&returnTo=${encodeURIComponent(returnTo)}`);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setError(undefined);
    const query = { email: email.trim() };
    try {
      const { providers } = await queryClient.fetchQuery(trpc.sso.choices.queryOptions({ query }));
      setSearchedEmail(query.email);
      if (providers.length === 0) setError('Single sign-on is not set up for this address.');
    } catch (failure) {
      const { details, message } = readApiError(failure);
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
        <Button
          type="submit"
          size="md"
          variant={isFound ? 'default' : 'filled'}
          loading={isFetching && searchedEmail !== undefined}
        >
          Continue
        </Button>
        {data?.providers.map(({ id, name, url, host }) => (
          <Button
            key={id}
            variant={isFound ? 'filled' : 'default'}
            size="md"
            classNames={{ label: classes.label }}
            onClick={() => go(url)}
          >
            <span>Continue to {host}</span>
            <span className={classes.name}>{name}</span>
          </Button>
        ))}
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          Sign in with a password
        </Anchor>
      </Stack>
    </form>
  );
}
