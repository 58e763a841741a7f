import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { FileValue } from '@/contract/file-value';
import { fetchFileContent } from '@/components/client/files';
import { decodeTextFile } from '@/components/client/text-file';
import classes from './FileCard.module.css';
import type { FilePreviewKind } from './preview';

const PdfPreview = lazy(() => import('./PdfPreview').then((module) => ({ default: module.PdfPreview })));
const CsvPreview = lazy(() => import('./CsvPreview').then((module) => ({ default: module.CsvPreview })));

const MAX_PREVIEW_CHARACTERS = 20_000;

interface Props {
  file: FileValue;
  as: FilePreviewKind;
}

/** The content of a file, fetched with the session. It never becomes part of this page. */
export function FilePreview({ file, as }: Props) {
  const content = useQuery({
    queryKey: ['file', file.$file],
    queryFn: () => fetchFileContent(file),
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
  });
  if (content.error) {
    return (
      <Text size="xs" c="red" p={8} role="alert">
        {content.error.message}
      </Text>
    );
  }
  if (!content.data) return <Skeleton height={120} m={8} />;
  return (
    <Suspense fallback={<Skeleton height={120} m={8} />}>
      <PreviewContent as={as} id={file.$file} content={content.data} name={file.name} />
    </Suspense>
  );
}

interface PreviewContentProps {
  as: FilePreviewKind;
  /** The id of the file. */
  id: string;
  content: Blob;
  name: string;
}

function PreviewContent({ as, id, content, name }: PreviewContentProps) {
  switch (as) {
    case 'image':
    case 'audio':
    case 'video':
      return <MediaPreview as={as} content={content} name={name} />;
    case 'text':
      return <TextPreview content={content} />;
    case 'csv':
      return <CsvPreview id={id} content={content} name={name} />;
    case 'pdf':
      return <PdfPreview id={id} content={content} name={name} />;
  }
}

function MediaPreview({ as, content, name }: Omit<PreviewContentProps, 'id'>) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const url = URL.createObjectURL(content);
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [content]);
  if (!address) return null;
  const common = { className: classes.media, src: address, 'aria-label': name, controls: true };
  // A file of a run has no captions: their track is empty.
  if (as === 'audio')
    return (
      <audio {...common}>
        <track kind="captions" />
      </audio>
    );
  if (as === 'video')
    return (
      <video {...common}>
        <track kind="captions" />
      </video>
    );
  // oxlint-disable-next-line nextjs/no-img-element -- the content is in this browser already
  return <img className={classes.image} src={address} alt={name} />;
}

function TextPreview({ content }: { content: Blob }) {
  const [text, setText] = useState('');
  useEffect(() => {
    let isCurrent = true;
    void decodeTextFile(content).then((all) => isCurrent && setText(all));
    return () => {
      isCurrent = false;
    };
  }, [content]);
  return (
    <pre className={classes.text} tabIndex={0}>
      {text.slice(0, MAX_PREVIEW_CHARACTERS)}
      {text.length > MAX_PREVIEW_CHARACTERS && '\n… truncated. Download the file to get all of it.'}
    </pre>
  );
}
