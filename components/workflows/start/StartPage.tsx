'use client';

import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBook, IconFileImport, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useWorkspaceLanguage } from '@/components/client/queries/useWorkspaceLanguage';
import { useTRPC } from '@/components/client/trpc';
import { useIdleCallback } from '@/components/client/useIdleCallback';
import { AppLink } from '@/components/ui/AppLink';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { ScrollingPage } from '@/components/ui/page/ScrollingPage';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { CardSkeletons, TemplateCards } from '@/components/templates/TemplateCards';
import { chooseStartTemplates } from './start-templates';
import { ImportWorkflowButton } from '../ImportWorkflowButton';
import { emptyWorkflowBody, useCreateWorkflow } from '../useCreateWorkflow';
import { BuildPromptForm } from './BuildPromptForm';
import classes from './StartPage.module.css';

const TemplateChoice = lazyWithPreload(() =>
  import('@/components/templates/TemplateChoice').then((module) => module.TemplateChoice),
);

/** The first page of a new account, and the way to a further workflow: a description, a template, a file, or nothing. */
export function StartPage() {
  const trpc = useTRPC();
  const [chosenId, setChosenId] = useState<string>();
  const [isChoosing, choosing] = useDisclosure(false);
  useIdleCallback(() => void TemplateChoice.load());
  // Templates change only with the version of the service.
  const templates = useQuery(
    trpc.templates.list.queryOptions({ query: { limit: '100' } }, { staleTime: Number.POSITIVE_INFINITY }),
  );
  const language = useWorkspaceLanguage();
  const empty = useCreateWorkflow();
  const isOpen = chosenId !== undefined || isChoosing;
  return (
    <ScrollingPage>
      <Stack gap="xl" className={classes.page}>
        <section aria-labelledby="start-title">
          <Title order={1} id="start-title" ta="center" fz={30} mb={4}>
            What should happen?
          </Title>
          <Text ta="center" c="dimmed" mb="lg">
            Describe it in your own words, and look at it before it runs.
          </Text>
          <BuildPromptForm />
        </section>
        <section aria-labelledby="start-templates">
          <Group justify="space-between" align="baseline" mb="sm" gap={4}>
            <Title order={2} id="start-templates" fz="md">
              Or begin with one of these
            </Title>
            <Button variant="subtle" size="compact-sm" mr={-8} onClick={choosing.open}>
              All templates
            </Button>
          </Group>
          {templates.error && (
            <RequestErrorAlert
              title="The templates can’t be shown"
              error={templates.error}
              onRetry={() => void templates.refetch()}
            />
          )}
          {templates.isPending && <CardSkeletons />}
          {templates.data && (
            <TemplateCards templates={chooseStartTemplates(templates.data.data)} onPick={setChosenId} />
          )}
        </section>
        <Group justify="center" gap="xs">
          <PermittedButton to="workflow:create">
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              loading={empty.isPending}
              onClick={() => empty.mutate({ body: emptyWorkflowBody(language, 'New workflow') })}
            >
              Start empty
            </Button>
          </PermittedButton>
          <ImportWorkflowButton icon={<IconFileImport size={16} aria-hidden />} />
          <Button component={AppLink} href="/docs" variant="default" leftSection={<IconBook size={16} aria-hidden />}>
            Documentation
          </Button>
        </Group>
      </Stack>
      {isOpen && (
        <TemplateChoice
          startId={chosenId}
          onClose={() => {
            setChosenId(undefined);
            choosing.close();
          }}
        />
      )}
    </ScrollingPage>
  );
}
