import { useMutation } from '@tanstack/react-query';
import { Text } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { FolderResponse } from '@/contract/workflows/folder';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';
import { MenuButton } from '@/components/ui/MenuButton';

const FolderActions = lazyWithPreload(() => import('./FolderActions').then((module) => module.FolderActions));
const FolderForm = lazyWithPreload(() => import('./FolderForm').then((module) => module.FolderForm));

interface Props {
  folder: FolderResponse;
  /** Called after the folder is gone. */
  onDeleted?(): void;
  /** The button that opens the menu. */
  children: ReactElement<Record<string, unknown>>;
}

/** The actions for a folder: change, delete. */
export function FolderMenu({ folder, onDeleted, children }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const [asked, setAsked] = useState<'form' | 'delete'>();
  const close = () => setAsked(undefined);
  const remove = useMutation(
    trpc.folders.delete.mutationOptions({
      onSuccess: () => {
        close();
        onDeleted?.();
        refresh();
      },
    }),
  );
  return (
    <>
      <MenuButton
        menu={FolderActions}
        menuProps={{ onChange: () => setAsked('form'), onDelete: () => setAsked('delete') }}
      >
        {children}
      </MenuButton>
      {asked === 'form' && <FolderForm folder={folder} onClose={close} />}
      <ConfirmDialog
        isOpen={asked === 'delete'}
        title={`Delete the folder ${folder.name}?`}
        action="Delete folder"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params: { id: folder.id } })}
        onClose={close}
      >
        <Text size="sm">Its workflows and folders stay. They move to the place that the folder is in.</Text>
      </ConfirmDialog>
    </>
  );
}
