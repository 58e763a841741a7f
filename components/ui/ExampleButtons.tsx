import { Button, Group, type GroupProps } from '@mantine/core';
import classes from './ExampleButtons.module.css';

interface Props extends Pick<GroupProps, 'justify'> {
  /** Whole sentences. */
  examples: readonly string[];
  onPick(example: string): void;
}

/** Texts that fill an empty field when they are pressed. */
export function ExampleButtons({ examples, onPick, justify }: Props) {
  return (
    <Group gap="xs" justify={justify}>
      {examples.map((example) => (
        <Button
          key={example}
          variant="default"
          size="compact-sm"
          classNames={{ root: classes.example, label: classes.sentence }}
          onClick={() => onPick(example)}
        >
          {example}
        </Button>
      ))}
    </Group>
  );
}
