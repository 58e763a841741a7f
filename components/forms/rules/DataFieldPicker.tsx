import { Combobox, Input, InputBase, useCombobox, VisuallyHidden } from '@mantine/core';
import { use, useState } from 'react';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { PreviewDataContext } from '../preview-context';
import { usePathDropTarget } from '../usePathDrop';
import { DataFieldOptions, displayFieldPath } from './DataFieldOptions';
import { exampleValueAt, shortExampleText } from './model/pickable-fields';
import classes from './Rules.module.css';

interface Props {
  label: string;
  /** A path in the language of the expressions here. */
  value: string | undefined;
  /** The data to pick from, by name. */
  scope: Readonly<Record<string, unknown>>;
  /** Only lists can be picked. */
  isList?: boolean;
  /** The name of the scope that all paths begin with. People do not see it. */
  base?: string;
  placeholder?: string;
  isInvalid?: boolean;
  onPick(path: string): void;
}

/** Picks a field of the data that is known, by a searchable tree with example values, by drop, or by typing a path. */
export function DataFieldPicker(props: Props) {
  const { label, value, scope, isList = false, base, isInvalid, onPick } = props;
  const { placeholder = isList ? 'Pick a list' : 'Pick a field' } = props;
  const language = useExpressionLanguage();
  const [search, setSearch] = useState('');
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setSearch('');
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  });
  const drop = usePathDropTarget(onPick);
  const preview = use(PreviewDataContext);
  const example = value === undefined ? '' : shortExampleText(exampleValueAt(scope, value, language));
  return (
    <div {...drop} className={classes.picker}>
      <Combobox
        store={combobox}
        width={340}
        position="bottom-start"
        onOptionSubmit={(path) => {
          onPick(path);
          combobox.closeDropdown();
        }}
      >
        <Combobox.Target targetType="button">
          <InputBase
            component="button"
            type="button"
            data-picker
            pointer
            error={isInvalid}
            rightSection={<Combobox.Chevron />}
            rightSectionPointerEvents="none"
            onClick={() => combobox.toggleDropdown()}
          >
            <VisuallyHidden>{label}: </VisuallyHidden>
            {value === undefined ? (
              <Input.Placeholder>{placeholder}</Input.Placeholder>
            ) : (
              <span className={classes.picked}>
                <code title={value}>{displayFieldPath(value, base, preview, language)}</code>
                {example && <span className={classes.example}>{example}</span>}
              </span>
            )}
          </InputBase>
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
          {combobox.dropdownOpened && (
            <DataFieldOptions scope={scope} search={search.trim()} isList={isList} base={base} picked={value} />
          )}
        </Combobox.Dropdown>
      </Combobox>
    </div>
  );
}
