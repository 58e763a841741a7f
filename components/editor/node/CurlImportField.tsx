import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { parseCurlCommand } from './curl-command';

/** Fills an HTTP request node from a pasted cURL command. */
export function CurlImportField({ onPaste }: { onPaste(config: WorkflowNode['config']): void }) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  if (!isOpen)
    return (
      <Button variant="subtle" size="compact-sm" w="fit-content" onClick={() => setOpen(true)}>
        Import a cURL command
      </Button>
    );
  return (
    <Textarea
      label="cURL command"
      description="Paste a cURL command from a browser or from API documentation."
      autosize
      minRows={2}
      maxRows={6}
      data-autofocus
      spellCheck={false}
      value={text}
      error={text.trim() !== '' && !parseCurlCommand(text) ? 'This is not a cURL command with a URL.' : undefined}
      onChange={(event) => {
        setText(event.currentTarget.value);
        const request = parseCurlCommand(event.currentTarget.value);
        if (!request) return;
        onPaste({ ...request });
        setOpen(false);
        setText('');
      }}
    />
  );
}
