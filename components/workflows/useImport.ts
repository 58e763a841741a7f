import { notifications } from '@mantine/notifications';
import { useEffect, useEffectEvent } from 'react';
import { readExchanged } from './exchange';
import { useCreate } from './useCreate';

/** Takes workflows as files: by `open`, or dropped anywhere on the page. */
export function useImport() {
  const create = useCreate();
  const open = async (file: File | undefined) => {
    if (!file) return;
    const found = readExchanged(await file.text(), file.name);
    if (found) return create.mutate({ body: found });
    notifications.show({
      color: 'madder',
      title: `${file.name} was not imported`,
      message: 'It is no workflow: a JSON file with nodes and connections is needed.',
    });
  };
  const onDrop = useEffectEvent((event: DragEvent) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    if (event.type === 'drop') void open(event.dataTransfer.files[0]);
  });
  const onDragOver = useEffectEvent((event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  useEffect(() => {
    const [drop, over] = [(event: DragEvent) => onDrop(event), (event: DragEvent) => onDragOver(event)];
    addEventListener('drop', drop);
    addEventListener('dragover', over);
    return () => {
      removeEventListener('drop', drop);
      removeEventListener('dragover', over);
    };
  }, []);
  return { open, isBusy: create.isPending };
}
