import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Node } from '@/contract/workflow';
import { readCurl } from './curl';

/** Fills a node from a command that is pasted. */
export function CurlPaste({ onPaste }: { onPaste(config: Node['config']): void }) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  if (!isOpen)
    return (
      <Button variant="subtle" size="compact-sm" w="fit-content" onClick={() => setOpen(true)}>
        Fill from a cURL command
      </Button>
    );
  return (
    <Textarea
      label="cURL command"
      description="Paste what a browser or an API’s documentation gives you."
      autosize
      minRows={2}
      maxRows={6}
      data-autofocus
      spellCheck={false}
      value={text}
      error={text.trim() !== '' && !readCurl(text) ? 'This is no cURL command with an address.' : undefined}
      onChange={(event) => {
        setText(event.currentTarget.value);
        const request = readCurl(event.currentTarget.value);
        if (!request) return;
        onPaste({ ...request });
        setOpen(false);
        setText('');
      }}
    />
  );
}
