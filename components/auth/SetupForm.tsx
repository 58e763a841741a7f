'use client';

import { Alert, Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { Client } from '../client/Client';
import { problemOf } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { useMounted } from '../ui/useMounted';
import { signIn } from './signIn';

/** Makes the first owner, with the one-time link's token, and signs them in. */
export function SetupForm({ token }: { token: string | undefined }) {
  return (
    <Client>
      <Form token={token} />
    </Client>
  );
}

function Form({ token }: { token: string | undefined }) {
  const trpc = useTRPC();
  const isMounted = useMounted();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const create = useMutation(
    trpc.setup.create.mutationOptions({
      onSuccess: async () => {
        const { isSignedIn } = await signIn(email, password);
        location.assign(isSignedIn ? '/workflows' : '/login');
      },
    }),
  );
  const problem = create.error && problemOf(create.error);
  const errorOf = (field: string) => problem?.details.find((detail) => detail.field === field)?.message;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate({ body: { token, name, email, password } });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <div>
          <Title order={1}>Make it yours</Title>
          <Text c="dimmed" mt={4}>
            The first account owns this installation and its first workspace.
          </Text>
        </div>
        {problem && problem.details.length === 0 && (
          <Alert color="madder" role="alert">
            {problem.message}
          </Alert>
        )}
        <TextInput
          label="Your name"
          autoComplete="name"
          required
          withAsterisk={false}
          size="md"
          value={name}
          error={errorOf('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          size="md"
          value={email}
          error={errorOf('email')}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          description="At least 12 characters."
          autoComplete="new-password"
          required
          withAsterisk={false}
          size="md"
          value={password}
          error={errorOf('password')}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" size="md" mt="xs" loading={create.isPending || create.isSuccess} disabled={!isMounted}>
          Create the owner
        </Button>
      </Stack>
    </form>
  );
}
