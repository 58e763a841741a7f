import { Select, type SelectProps } from '@mantine/core';
import { useFolders } from './useFolders';

interface Props extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** The id of a folder. Null: the top level. */
  value: string | null;
  /** A folder that is not offered. */
  withoutId?: string;
  onChange(id: string | null): void;
}

/** Stands for the top level: ids of folders begin with `fld_`. */
const TOP_LEVEL_OPTION = 'top';

/** A choice of a folder, or of the top level. */
export function FolderSelect({ value, withoutId, onChange, ...field }: Props) {
  const { folders } = useFolders();
  return (
    <Select
      searchable
      allowDeselect={false}
      nothingFoundMessage="No such folder"
      data={[
        { value: TOP_LEVEL_OPTION, label: 'Top level, in no folder' },
        ...folders.filter(({ id }) => id !== withoutId).map(({ id, path }) => ({ value: id, label: path })),
      ]}
      value={value ?? TOP_LEVEL_OPTION}
      onChange={(chosen) => onChange(chosen === TOP_LEVEL_OPTION ? null : chosen)}
      {...field}
    />
  );
}
