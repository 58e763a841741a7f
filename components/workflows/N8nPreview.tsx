import { Badge, Button, Checkbox, Group, List, Modal, ScrollArea, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ImportReportEntry } from '@/import/n8n/convert';
import { describeTrigger } from '@/components/templates/trigger-words';
import { useCreateTrigger } from '@/components/templates/useCreateTrigger';
import type { N8nImportPreview, useWorkflowImport } from './useWorkflowImport';

const CONVERSION_STATUS_STYLES = [
  { outcome: 'converted', words: 'converted', color: 'gray' },
  { outcome: 'partly', words: 'to review', color: 'weld' },
  { outcome: 'placeholder', words: 'to replace', color: 'madder' },
  { outcome: 'left out', words: 'left out', color: 'gray' },
] as const;

/** What becomes of a file of n8n, before it is a workflow. Everything in it is data. */
export function N8nPreview({
  preview,
  save,
}: {
  preview: N8nImportPreview;
  save: ReturnType<typeof useWorkflowImport>['save'];
}) {
  const { file, close } = preview;
  const { report, triggers } = file.n8n;
  const createTrigger = useCreateTrigger();
  const [withTriggers, setWithTriggers] = useState(true);
  const [isBusy, setIsBusy] = useState(false);
  const create = async () => {
    setIsBusy(true);
    await save(file, async (id) => {
      if (withTriggers) for (const trigger of triggers) await createTrigger(id, trigger);
    });
    close();
  };
  return (
    <Modal opened onClose={close} title="Import from n8n" size="lg">
      <Stack>
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {file.name}
        </Text>
        <Group gap="xs">
          {CONVERSION_STATUS_STYLES.map(({ outcome, words, color }) => {
            const count = report.filter((entry) => entry.outcome === outcome).length;
            return count > 0 ? (
              <Badge key={outcome} color={color} variant="light" tt="none">
                {count} {words}
              </Badge>
            ) : null;
          })}
        </Group>
        <ConversionReport report={report} />
        {triggers.length > 0 && (
          <Checkbox
            checked={withTriggers}
            onChange={(event) => setWithTriggers(event.currentTarget.checked)}
            label="Create its triggers"
            description={`It starts ${triggers.map(describeTrigger).join(', ')}. Webhooks take calls at once, other triggers only while the workflow is active.`}
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

const CONVERSION_STATUS_LABELS: Readonly<Record<ImportReportEntry['outcome'], string>> = {
  converted: 'Converted',
  partly: 'Review',
  placeholder: 'Replace',
  'left out': 'Left out',
};

/** The nodes about which there is something to say; the open ones first. */
function ConversionReport({ report }: { report: readonly ImportReportEntry[] }) {
  const rank = ({ outcome }: ImportReportEntry) => ['placeholder', 'partly', 'left out', 'converted'].indexOf(outcome);
  const shown = report.filter(({ message }) => message).toSorted((a, b) => rank(a) - rank(b));
  if (shown.length === 0) return <Text size="sm">Everything was converted.</Text>;
  return (
    <>
      <Text size="sm">Look at these nodes. A note on the canvas lists those that need work.</Text>
      <ScrollArea.Autosize mah={320} type="auto" tabIndex={0} aria-label="Report" role="region">
        <List listStyleType="none" spacing="xs" size="sm" pr="sm">
          {shown.map(({ node, outcome, message }) => (
            <List.Item key={node} style={{ overflowWrap: 'anywhere' }}>
              <Text span fw={600} size="sm">
                {node}
              </Text>{' '}
              <Text span size="xs" c="dimmed">
                {CONVERSION_STATUS_LABELS[outcome]}
              </Text>
              <br />
              {message}
            </List.Item>
          ))}
        </List>
      </ScrollArea.Autosize>
    </>
  );
}
