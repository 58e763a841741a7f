import { Paper, TextInput } from '@mantine/core';

/** What is typed before the code of the palette has loaded. The palette begins with it. */
export interface EarlySearch {
  text: string;
  onChange(text: string): void;
}

interface Props {
  early: EarlySearch;
  onClose(isLeft: boolean): void;
}

/** The search field of the palette until the palette has loaded: keys that follow N are text, and no shortcuts. */
export const EarlyPaletteSearch = ({ early, onClose }: Props) => (
  <Paper shadow="lg" withBorder p={8} w={400} maw="calc(100vw - 32px)" role="dialog" aria-label="Add a node">
    <TextInput
      autoFocus
      aria-label="Search nodes"
      placeholder="Search nodes and services"
      value={early.text}
      onChange={(event) => early.onChange(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && onClose(false)}
    />
  </Paper>
);
