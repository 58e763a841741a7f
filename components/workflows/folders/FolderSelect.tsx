import { Select, type SelectProps } from '@mantine/core';
import { useFolders } from './useFolders';

interface Props extends Omit<SelectProps, 'data' | 'onChange'> {
  /** The id of a folder. Null: the top level. */
  value: string | null;
  /** A folder that is not offered. */
  withoutId?: string;
  onChange(id: string | null): void;
}

/** A choice of a folder, or of the top level. */
export function FolderSelect({ withoutId, ...field }: Props) {
  const { folders } = useFolders();
  return (
    <Select
      placeholder="Top level, in no folder"
      searchable
      nothingFoundMessage="No such folder"
      clearable
      clearButtonProps={{ 'aria-label': 'Top level' }}
      data={folders.filter(({ id }) => id !== withoutId).map(({ id, path }) => ({ value: id, label: path }))}
      {...field}
    />
  );
}
