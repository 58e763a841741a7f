import { Button, FileButton, Group, Modal, Text } from '@mantine/core';
import { ImportPreview } from '@/components/workflows/ImportPreview';
import { useWorkflowImport } from '@/components/workflows/useWorkflowImport';

/**
 * Asks for the file of a workflow and imports it. Drops are left to the page below. A browser opens its file dialog
 * only by a press.
 */
export function ImportFile({ onClose }: { onClose(): void }) {
  const imports = useWorkflowImport({ takesDrops: false });
  if (imports.preview) return <ImportPreview imports={imports} />;
  return (
    <Modal opened onClose={onClose} title="Import a workflow">
      <Text size="sm">An export of Weft or n8n, as JSON.</Text>
      <Group justify="flex-end" mt="md">
        <FileButton
          accept="application/json,.json"
          onChange={(file) => void imports.open(file ?? undefined).then(onClose)}
        >
          {(props) => (
            <Button data-autofocus loading={imports.isBusy} {...props}>
              Choose a file
            </Button>
          )}
        </FileButton>
      </Group>
    </Modal>
  );
}
