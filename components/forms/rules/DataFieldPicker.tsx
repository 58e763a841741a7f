import { Combobox, Input, InputBase, useCombobox, VisuallyHidden } from '@mantine/core';
import { use, useMemo, useState } from 'react';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { parseExpressionPath } from '@/components/ui/values/expression-path';
import { PreviewDataContext } from '../preview-context';
import { usePathDropTarget } from '../usePathDrop';
import {
  exampleValueAt,
  shortExampleText,
  matchesFieldSearch,
  groupPickableFields,
  type PickableField,
} from './model/pickable-fields';
import classes from './Rules.module.css';

interface Props {
  label: string;
  /** A path in the language of the expressions here. */
  value: string | undefined;
  /** The data to pick from, by name. */
  scope: Readonly<Record<string, unknown>>;
  /** Only lists can be picked. */
  isList?: boolean;
  isInvalid?: boolean;
  onPick(path: string): void;
}

const MAX_FIELDS_IN_GROUP = 120;

/** Picks a field of the data that is known, by a searchable tree with example values, by drop, or by typing a path. */
export function DataFieldPicker({ label, value, scope, isList = false, isInvalid, onPick }: Props) {
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
              <Input.Placeholder>{isList ? 'Pick a list' : 'Pick a field'}</Input.Placeholder>
            ) : (
              <span className={classes.picked}>
                <code title={value}>{value}</code>
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
            <DataFieldOptions scope={scope} search={search.trim()} isList={isList} picked={value} />
          )}
        </Combobox.Dropdown>
      </Combobox>
    </div>
  );
}

function DataFieldOptions({
  scope,
  search,
  isList,
  picked,
}: Pick<Props, 'scope'> & { search: string; isList: boolean; picked: string | undefined }) {
  const names = use(PreviewDataContext)?.names;
  const language = useExpressionLanguage();
  const all = useMemo(() => groupPickableFields(scope, names, language), [scope, names, language]);
  const isOffered = ({ path, value }: PickableField) =>
    (!isList || Array.isArray(value)) && matchesFieldSearch(path, search);
  const groups = all
    .map(({ label, fields }) => ({ label, fields: fields.filter(isOffered).slice(0, MAX_FIELDS_IN_GROUP) }))
    .filter(({ fields }) => fields.length > 0);
  const isKnown = groups.some(({ fields }) => fields.some(({ path }) => path === search));
  const root = parseExpressionPath(search, language)?.[0];
  // Without data, the names are not known.
  const isPath = !isKnown && root !== undefined && (Object.hasOwn(scope, root) || all.length === 0);
  const isFlat = search !== '' || isList;
  return (
    <Combobox.Options mah={300} className={classes.options}>
      {groups.map(({ label, fields }) => (
        <Combobox.Group key={label} label={label}>
          {fields.map(({ path, name, depth, value }) => (
            <Combobox.Option
              key={path}
              value={path}
              active={path === picked}
              aria-label={path}
              className={classes.option}
            >
              <span className={classes.name} style={isFlat ? undefined : { paddingLeft: depth * 14 }}>
                {isFlat ? path : name}
              </span>
              <span className={classes.example}>{shortExampleText(value)}</span>
            </Combobox.Option>
          ))}
        </Combobox.Group>
      ))}
      {isPath && (
        <Combobox.Option value={search} className={classes.option}>
          <span>
            Use <code>{search}</code>
          </span>
        </Combobox.Option>
      )}
      {groups.length === 0 && !isPath && <Combobox.Empty>{emptyPickerText(all.length > 0, isList)}</Combobox.Empty>}
    </Combobox.Options>
  );
}

function emptyPickerText(hasData: boolean, isList: boolean): string {
  if (!hasData) return 'No data yet. Run the nodes before this one, or type a path such as input.name.';
  return isList ? 'No list. Type a path such as input.items.' : 'No field. Type a path such as input.name.';
}
