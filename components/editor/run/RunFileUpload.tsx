import { Button, FileButton, Group, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { MAX_FILE_BYTES, type FileValue } from '@/contract/file-value';
import { uploadFile } from '@/components/client/files';

async function uploadRunFile(file: File): Promise<FileValue> {
  if (file.size > MAX_FILE_BYTES) throw new Error('The file is larger than 100 MiB.');
  return uploadFile(file);
}

/** Uploads a file of this computer for the input of a run. */
export function RunFileUpload({ onUploaded }: { onUploaded(file: FileValue): void }) {
  const uploading = useMutation({ mutationFn: uploadRunFile, onSuccess: onUploaded });
  return (
    <div>
      <Group gap="sm">
        <FileButton onChange={(file) => file && uploading.mutate(file)} inputProps={{ 'aria-label': 'File to upload' }}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              size="xs"
              loading={uploading.isPending}
              leftSection={<IconUpload size={14} aria-hidden />}
            >
              Upload a file
            </Button>
          )}
        </FileButton>
        <Text size="xs" c="dimmed" role="status">
          {uploading.data ? `${uploading.data.name} is in the input.` : 'Its value is added to the input.'}
        </Text>
      </Group>
      {uploading.error && (
        <Text size="xs" c="red" mt={4} role="alert">
          {uploading.error.message}
        </Text>
      )}
    </div>
  );
}
