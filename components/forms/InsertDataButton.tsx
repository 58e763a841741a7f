import { Button, Combobox, Tooltip, useCombobox } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { use, useState, type ReactNode } from 'react';
import { ReadOnlyContext } from '@/components/ui/values/read-only';
import classes from './InsertDataButton.module.css';
import { PreviewDataContext } from './preview-context';
import { DataFieldOptions } from './rules/DataFieldOptions';

interface Props {
  label: ReactNode;
  /** Above: in the line of the label. A field without a label has it inside, at its end or before another button. */
  place: 'above' | 'end' | 'before-button';
  onPick(path: string): void;
}

/** Opens the data that a field can use; what is picked is inserted into its text. */
export function InsertDataButton({ label, place, onPick }: Props) {
  const preview = use(PreviewDataContext);
  const isReadOnly = use(ReadOnlyContext);
  const [search, setSearch] = useState('');
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setSearch('');
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  });
  if (!preview || isReadOnly) return null;
  return (
    <Combobox
      store={combobox}
      width={340}
      position="bottom-end"
      onOptionSubmit={(path) => {
        combobox.closeDropdown();
        onPick(path);
      }}
    >
      <Combobox.Target targetType="button">
        <Tooltip label="Insert data of earlier nodes">
          <Button
            className={classes.button}
            data-place={place}
            variant="subtle"
            size="compact-xs"
            aria-label="Insert data"
            // Not in the name: a search for the name of the field finds the field alone.
            aria-description={String(label)}
            onClick={() => combobox.toggleDropdown()}
          >
            <IconPlus size={12} aria-hidden />
            {place === 'above' && <span className={classes.text}>data</span>}
          </Button>
        </Tooltip>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          aria-label="Search fields"
          placeholder="Search, or type a path"
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            combobox.selectFirstOption();
          }}
        />
        {combobox.dropdownOpened && <DataFieldOptions scope={{ ...preview.scope }} search={search.trim()} />}
      </Combobox.Dropdown>
    </Combobox>
  );
}
