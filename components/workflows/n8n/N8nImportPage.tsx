'use client';

import { Anchor, Button, Checkbox, FileButton, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { apiErrorSentence } from '@/components/client/api-error';
import { AppLink } from '@/components/ui/AppLink';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { ScrollingPage } from '@/components/ui/page/ScrollingPage';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { N8nServerForm } from './N8nServerForm';
import { N8nWorkflowRow } from './N8nWorkflowRow';
import { useN8nImport } from './useN8nImport';

const SOURCES = [
  { value: 'server', label: 'A running n8n' },
  { value: 'files', label: 'Files' },
];

/** Imports many workflows of n8n: from a running one, from files and from backups. */
export function N8nImportPage() {
  const [source, setSource] = useState('server');
  const imports = useN8nImport();
  const { listing, workflows } = imports;
  return (
    <ScrollingPage>
      <PageHeader
        title="Import from n8n"
        summary="Workflows become drafts, with their triggers, pinned data and last runs. Nothing goes live."
      >
        <Anchor component={AppLink} href="/docs/build/import-n8n" size="sm">
          How it works
        </Anchor>
      </PageHeader>
      {workflows ? (
        <N8nWorkflowChoice imports={imports} />
      ) : (
        <Stack>
          <SegmentedControl
            aria-label="Where the workflows are"
            data={SOURCES}
            value={source}
            style={{ alignSelf: 'flex-start' }}
            onChange={(next) => {
              listing.reset();
              setSource(next);
            }}
          />
          {source === 'server' ? (
            <N8nServerForm
              error={listing.error}
              isBusy={listing.isPending}
              onList={(server) => listing.mutate(server)}
            />
          ) : (
            <N8nFilesForm imports={imports} />
          )}
        </Stack>
      )}
    </ScrollingPage>
  );
}

function N8nFilesForm({ imports: { listing } }: { imports: ReturnType<typeof useN8nImport> }) {
  const { error } = listing;
  return (
    <Stack maw={560}>
      <FormErrorAlert>
        {error ? (error instanceof Error ? error.message : apiErrorSentence(error)) : undefined}
      </FormErrorAlert>
      <Text size="sm">Exports of n8n as JSON: several files, or a backup that has several workflows.</Text>
      <FileButton
        multiple
        accept="application/json,.json"
        onChange={(files) => files.length > 0 && listing.mutate(files)}
      >
        {(props) => (
          <Button style={{ alignSelf: 'flex-start' }} loading={listing.isPending} {...props}>
            Choose files
          </Button>
        )}
      </FileButton>
    </Stack>
  );
}

/** The browser asks before closing a page that is importing. */
function useStayWhile(isImporting: boolean): void {
  useEffect(() => {
    if (!isImporting) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isImporting]);
}

function N8nWorkflowChoice({ imports }: { imports: ReturnType<typeof useN8nImport> }) {
  const { workflows = [], outcomes, importing, startOver } = imports;
  useStayWhile(importing.isPending);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(workflows.flatMap(({ key, plan, importedId }) => (plan && importedId === undefined ? [key] : []))),
  );
  const [withTriggers, setWithTriggers] = useState(true);
  const toggle = (key: string) => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    setChosen(next);
  };
  const possible = workflows.filter(({ plan }) => plan);
  const isAll = possible.length > 0 && possible.every(({ key }) => chosen.has(key));
  const earlier = workflows.filter(({ importedId }) => importedId !== undefined).length;
  const left = [...chosen].filter((key) => outcomes.get(key)?.state !== 'created');
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Checkbox
          label={possible.length === 1 ? '1 workflow' : `All ${possible.length} workflows`}
          checked={isAll}
          indeterminate={!isAll && chosen.size > 0}
          disabled={importing.isPending}
          onChange={() => setChosen(new Set(isAll ? [] : possible.map(({ key }) => key)))}
        />
        <Button variant="subtle" size="xs" disabled={importing.isPending} onClick={startOver}>
          Choose another source
        </Button>
      </Group>
      {earlier > 0 && (
        <Text size="sm">
          {earlier === 1 ? '1 of them was' : `${earlier} of them were`} imported before, and{' '}
          {earlier === 1 ? 'is' : 'are'} not chosen. Import goes on with the others.
        </Text>
      )}
      <ul aria-label="Workflows of n8n" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {workflows.map((workflow) => (
          <N8nWorkflowRow
            key={workflow.key}
            workflow={workflow}
            outcome={outcomes.get(workflow.key)}
            isChosen={chosen.has(workflow.key)}
            isBusy={importing.isPending}
            onToggle={() => toggle(workflow.key)}
          />
        ))}
      </ul>
      <Checkbox
        checked={withTriggers}
        onChange={(event) => setWithTriggers(event.currentTarget.checked)}
        label="Create their triggers"
        description="Webhooks take calls at once, other triggers only while the workflow is live."
      />
      <Group>
        <PermittedButton to="workflow:create">
          <Button
            loading={importing.isPending}
            disabled={left.length === 0}
            onClick={() => importing.mutate({ keys: chosen, withTriggers })}
          >
            Import {left.length === 1 ? '1 workflow' : `${left.length} workflows`}
          </Button>
        </PermittedButton>
        {importing.isPending && (
          <Text size="sm" role="status">
            Keep this page open. If you close it, what is imported stays, and the rest is not imported.
          </Text>
        )}
      </Group>
    </Stack>
  );
}
