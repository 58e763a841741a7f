import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { FileValue } from '@/contract/file-value';
import { fetchFile } from '@/components/client/files';
import classes from './FileCard.module.css';

const MOST_TEXT = 20_000;

/** The content of a file, fetched with the session: an image or the beginning of a text. It never becomes part of this page. */
export function FilePreview({ file, as }: { file: FileValue; as: 'image' | 'text' }) {
  const content = useQuery({
    queryKey: ['file', file.$file],
    queryFn: () => fetchFile(file),
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
  return as === 'image' ? <Image content={content.data} name={file.name} /> : <Words content={content.data} />;
}

function Image({ content, name }: { content: Blob; name: string }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const url = URL.createObjectURL(content);
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [content]);
  // oxlint-disable-next-line nextjs/no-img-element -- the content is in this browser already
  return address && <img className={classes.image} src={address} alt={name} />;
}

function Words({ content }: { content: Blob }) {
  const [text, setText] = useState('');
  useEffect(() => {
    let isCurrent = true;
    void content.text().then((all) => isCurrent && setText(all));
    return () => {
      isCurrent = false;
    };
  }, [content]);
  return (
    <pre className={classes.text} tabIndex={0}>
      {text.slice(0, MOST_TEXT)}
      {text.length > MOST_TEXT && '\n… truncated. Download the file to get all of it.'}
    </pre>
  );
}
