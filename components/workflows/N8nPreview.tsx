import { Button, Checkbox, Group, Modal, ScrollArea, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { use, useState } from 'react';
import { CurrentFolderContext } from '@/components/client/current-folder';
import { listPlans, worstLight } from '@/import/n8n/plan-parts';
import { describeTrigger } from '@/components/templates/trigger-words';
import { ImportFindings } from './n8n/ImportFindings';
import { TrafficLightBadge } from './n8n/TrafficLightBadge';
import { useCreateImported } from './n8n/useCreateImported';
import type { N8nImportPreview, useWorkflowImport } from './useWorkflowImport';

/** What becomes of a file of n8n, before it is a workflow. Everything in it is data. */
export function N8nPreview({
  preview,
  save,
}: {
  preview: N8nImportPreview;
  save: ReturnType<typeof useWorkflowImport>['save'];
}) {
  const { file, close } = preview;
  const { triggers, tests, further } = file.n8n;
  const findings = listPlans(file.n8n).flatMap(({ record }) => record.report);
  const folderId = use(CurrentFolderContext);
  const { addImportedParts, createFurther } = useCreateImported();
  const [withTriggers, setWithTriggers] = useState(true);
  const [isBusy, setIsBusy] = useState(false);
  const create = async () => {
    setIsBusy(true);
    await save(file, async (id) => {
      const problems: string[] = [];
      const proof = await addImportedParts(id, file.n8n, { withTriggers, problems });
      await createFurther(id, file.n8n, { folderId, withTriggers, problems });
      const runs = proof ? `${proof.equal} of ${proof.runs} runs gave the same.` : '';
      const missing = problems.length > 0 ? `Not stored: ${problems.join(', ')}.` : '';
      const message = [runs, missing].filter(Boolean).join(' ');
      if (message) notifications.show({ title: `${file.name} was imported`, message });
    });
    close();
  };
  return (
    <Modal opened onClose={close} title="Import from n8n" size="lg">
      <Stack>
        <Group gap="xs">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {file.name}
          </Text>
          <TrafficLightBadge light={worstLight(file.n8n)} />
        </Group>
        <ScrollArea.Autosize
          mah={320}
          type="auto"
          viewportProps={{ tabIndex: 0, 'aria-label': 'Report', role: 'region' }}
        >
          <ImportFindings findings={findings} />
        </ScrollArea.Autosize>
        {further.length > 0 && (
          <Text size="sm">It becomes {further.length + 1} workflows: each tool that it offers is one.</Text>
        )}
        {tests.length > 0 && <Text size="sm">Its pinned data becomes a test, which runs at once.</Text>}
        {triggers.length > 0 && (
          <Checkbox
            checked={withTriggers}
            onChange={(event) => setWithTriggers(event.currentTarget.checked)}
            label="Create its triggers"
            description={`It starts ${triggers.map(describeTrigger).join(', ')}. Webhooks take calls at once, other triggers only while the workflow is live.`}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} disabled={isBusy}>
            Cancel
          </Button>
          <Button data-autofocus loading={isBusy} onClick={() => void create()}>
            Create workflow
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
