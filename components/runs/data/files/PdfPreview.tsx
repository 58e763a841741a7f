import { ActionIcon, Group, Skeleton, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import classes from './FileCard.module.css';

const PDF_PAGE_WIDTH = 720;

/** The pages of a PDF, drawn by PDF.js, which runs no scripts of the file. */
export function PdfPreview({ id, content, name }: { id: string; content: Blob; name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [page, setPage] = useState(1);
  const { data: pdf, error } = useQuery({
    queryKey: ['pdf', id],
    queryFn: async () => {
      const { getDocumentProxy } = await import('unpdf');
      return getDocumentProxy(new Uint8Array(await content.arrayBuffer()), { isEvalSupported: false });
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    structuralSharing: false,
  });
  useEffect(() => {
    const place = canvas.current;
    if (!pdf || !place) return;
    let stop = () => undefined as void;
    let isOver = false;
    void pdf.getPage(page).then((drawn) => {
      if (isOver) return;
      const { width } = drawn.getViewport({ scale: 1 });
      const viewport = drawn.getViewport({ scale: PDF_PAGE_WIDTH / width });
      Object.assign(place, { width: viewport.width, height: viewport.height });
      const task = drawn.render({ canvas: place, viewport });
      stop = () => task.cancel();
      // Rendering is cancelled when another page replaces this one.
      return task.promise.catch(() => undefined);
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [pdf, page]);
  if (error)
    return (
      <Text size="xs" c="red" p={8} role="alert">
        The file can’t be read as PDF: {error.message}
      </Text>
    );
  if (!pdf) return <Skeleton height={240} m={8} />;
  return (
    <div className={classes.pdf}>
      <canvas ref={canvas} role="img" aria-label={`Page ${page} of ${name}`} />
      <Group gap={4} justify="center">
        <ActionIcon size="sm" aria-label="Previous page" disabled={page === 1} onClick={() => setPage(page - 1)}>
          <IconChevronLeft size={15} aria-hidden />
        </ActionIcon>
        <Text size="xs" role="status">
          Page {page} of {pdf.numPages}
        </Text>
        <ActionIcon size="sm" aria-label="Next page" disabled={page === pdf.numPages} onClick={() => setPage(page + 1)}>
          <IconChevronRight size={15} aria-hidden />
        </ActionIcon>
      </Group>
    </div>
  );
}
