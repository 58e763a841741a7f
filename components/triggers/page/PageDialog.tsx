import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode, SubmitEvent } from 'react';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';

interface Props {
  kind: 'chat' | 'form';
  /** The path of the page that is changed; absent: a new page. */
  path: string | undefined;
  size: 'lg' | 'xl';
  isBusy: boolean;
  /** An error that belongs to no field. */
  problem: string | null;
  onSubmit(): void;
  onClose(): void;
  children: ReactNode;
}

/** The dialog that creates or changes a page of a workflow: a chat or a form. */
export function PageDialog({ kind, path, size, isBusy, problem, onSubmit, onClose, children }: Props) {
  const isNarrow = useMediaQuery('(max-width: 40em)') ?? false;
  const name = path === undefined ? `New ${kind}` : `${kind === 'chat' ? 'Chat' : 'Form'} ${path}`;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Modal opened onClose={onClose} size={size} fullScreen={isNarrow} title={name} closeOnClickOutside={false}>
      <form onSubmit={submit} noValidate aria-label={name}>
        <Stack gap="md">
          {children}
          {problem && <FormErrorAlert>{problem}</FormErrorAlert>}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy}>
              {path === undefined ? 'Add' : 'Save'} {kind}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface PageNameDraft {
  title: string;
  path: string;
}

interface PageNameProps {
  draft: PageNameDraft;
  errors: ReadonlyMap<string, string>;
  placeholders: Partial<PageNameDraft>;
  set(part: Partial<PageNameDraft>): void;
}

/** The fields that every page has: its title and its path. */
export const PageNameFields = ({ draft, errors, placeholders, set }: PageNameProps) => (
  <>
    <TextInput
      label="Title"
      withAsterisk
      data-autofocus
      maxLength={200}
      placeholder={placeholders.title}
      value={draft.title}
      error={errors.get('title')}
      onChange={(event) => set({ title: event.currentTarget.value })}
    />
    <TextInput
      label="Path"
      description="The last part of its URL: segments of a-z 0-9 - _ separated by /"
      withAsterisk
      maxLength={100}
      placeholder={placeholders.path}
      value={draft.path}
      error={errors.get('path')}
      onChange={(event) => set({ path: event.currentTarget.value })}
    />
  </>
);
