import { Button, Group, Stack, Textarea } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { MAX_INSTRUCTION_LENGTH } from '@/contract/workflows/proposal-event';
import { ExampleButtons } from '@/components/ui/ExampleButtons';

interface Props {
  label: string;
  placeholder: string;
  action: string;
  /** The text at first. */
  initial: string;
  /** Instructions to begin with. */
  examples?: readonly string[];
  isMain: boolean;
  /** The reason why nothing can be sent yet. Undefined if the instruction can be sent. */
  lacking: string | undefined;
  onSend(instruction: string): void;
  children?: ReactNode;
}

/** An instruction for a model. Ctrl+Enter sends it. */
export function InstructionForm(props: Props) {
  const { label, placeholder, action, initial, examples = [], isMain, lacking, onSend, children } = props;
  const [text, setText] = useState(initial);
  const isReady = text.trim() !== '' && lacking === undefined;
  const send = () => isReady && onSend(text.trim());
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Stack gap="sm">
        <Textarea
          label={label}
          placeholder={placeholder}
          autosize
          minRows={isMain ? 4 : 2}
          maxRows={12}
          maxLength={MAX_INSTRUCTION_LENGTH}
          // The form appears after its dialog, which would focus it otherwise.
          autoFocus={isMain}
          data-autofocus={isMain || undefined}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            send();
          }}
        />
        {text === '' && examples.length > 0 && <ExampleButtons examples={examples} onPick={setText} />}
        {children}
        <Group justify="flex-end">
          <Button
            type="submit"
            variant={isMain ? 'filled' : 'default'}
            disabled={!isReady}
            title={lacking}
            leftSection={<IconSparkles size={16} aria-hidden />}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
