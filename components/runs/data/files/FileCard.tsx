import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconDownload, IconEye, IconEyeOff, IconFile } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { FileValue } from '@/contract/file-value';
import { fetchFileContent, saveBlobAs } from '@/components/client/files';
import { formatByteSize } from '@/components/ui/values/byte-size';
import classes from './FileCard.module.css';
import { FilePreview } from './FilePreview';
import { choosePreview } from './preview';

/** A file in a value: its facts, a download, and a preview of images and text. */
export function FileCard({ file }: { file: FileValue }) {
  const [isShown, setShown] = useState(false);
  const download = useMutation({ mutationFn: async () => saveBlobAs(await fetchFileContent(file), file.name) });
  const preview = choosePreview(file);
  const name = String(file.name ?? file.$file);
  return (
    <section className={classes.card} aria-label={`File ${name}`}>
      <div className={classes.head}>
        <IconFile size={18} aria-hidden />
        <div className={classes.name}>
          <Text size="sm" fw={570} truncate title={name}>
            {name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {[Number.isFinite(file.size) ? formatByteSize(file.size) : null, file.contentType]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </div>
        {preview && (
          <Tooltip label={isShown ? 'Hide the preview' : 'Preview'}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={isShown ? `Hide the preview of ${name}` : `Preview ${name}`}
              aria-expanded={isShown}
              onClick={() => setShown(!isShown)}
            >
              {isShown ? <IconEyeOff size={16} aria-hidden /> : <IconEye size={16} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        )}
        <Tooltip label="Download">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Download ${name}`}
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            <IconDownload size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      {download.error && (
        <Text size="xs" c="red" px={8} pb={6} role="alert">
          {download.error.message}
        </Text>
      )}
      {isShown && preview && (
        <div className={classes.preview}>
          <FilePreview file={file} as={preview} />
        </div>
      )}
    </section>
  );
}
