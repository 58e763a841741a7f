import { Combobox, Input, InputBase, useCombobox, VisuallyHidden } from '@mantine/core';
import { use, useMemo, useState } from 'react';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { parseExpressionPath } from '@/components/ui/values/expression-path';
import { PreviewDataContext, type PreviewData } from '../preview-context';
import { usePathDropTarget } from '../usePathDrop';
import {
  exampleValueAt,
  shortExampleText,
  matchesFieldSearch,
  groupPickableFields,
  readablePath,
  type PickableField,
} from './model/pickable-fields';
import classes from './Rules.module.css';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';

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

const MAX_FIELDS_IN_GROUP = 120;

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
                <code title={value}>{displayedPath(value, base, preview, language)}</code>
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

function DataFieldOptions({
  scope,
  search,
  isList,
  base,
  picked,
}: Pick<Props, 'scope' | 'base'> & { search: string; isList: boolean; picked: string | undefined }) {
  const preview = use(PreviewDataContext);
  const language = useExpressionLanguage();
  const all = useMemo(() => groupPickableFields(scope, preview, language), [scope, preview, language]);
  const isOffered = ({ path, value }: PickableField) =>
    (!isList || Array.isArray(value)) && matchesFieldSearch(`${path} ${readablePath(path, preview, language)}`, search);
  const groups = all
    .filter(({ root }) => !isSameAsInput(scope, root))
    .map((group) => ({ ...group, fields: group.fields.filter(isOffered).slice(0, MAX_FIELDS_IN_GROUP) }))
    .filter(({ fields }) => fields.length > 0);
  const written = base === undefined || search === '' ? search : `${base}.${search}`;
  const isKnown = groups.some(({ fields }) => fields.some(({ path }) => path === written));
  const root = parseExpressionPath(written, language)?.[0];
  // Without data, the names are not known.
  const isPath = !isKnown && root !== undefined && (Object.hasOwn(scope, root) || all.length === 0);
  const isFlat = search !== '' || isList;
  return (
    <Combobox.Options mah={300} className={classes.options}>
      {groups.map(({ root, label, note, isExpected, fields }) => (
        <Combobox.Group key={root} label={base ? 'Fields of the first item' : note ? `${label} · ${note}` : label}>
          {fields.map(({ path, name, depth, value }) => (
            <Combobox.Option
              key={path}
              value={path}
              active={path === picked}
              aria-label={displayedPath(path, base, preview, language)}
              className={classes.option}
            >
              <span className={classes.name} style={isFlat ? undefined : { paddingLeft: depth * 14 }}>
                {isFlat ? displayedPath(path, base, preview, language) : depth === 0 ? (base ? THE_ITEM : label) : name}
              </span>
              <span className={classes.example}>{shortExampleText(value, isExpected)}</span>
            </Combobox.Option>
          ))}
        </Combobox.Group>
      ))}
      {isPath && (
        <Combobox.Option value={written} className={classes.option}>
          <span>
            Use <code>{search}</code>
          </span>
        </Combobox.Option>
      )}
      {groups.length === 0 && !isPath && (
        <Combobox.Empty>{emptyPickerText(all.length > 0, isList, base)}</Combobox.Empty>
      )}
    </Combobox.Options>
  );
}

const THE_ITEM = 'The item itself';

/** A path as it is shown: without the name that all paths begin with. */
function displayedPath(
  path: string,
  base: string | undefined,
  preview: PreviewData | undefined,
  language: ExpressionLanguage,
): string {
  if (base === undefined) return readablePath(path, preview, language);
  return path === base ? THE_ITEM : path.startsWith(`${base}.`) ? path.slice(base.length + 1) : path;
}

/** Whether a node has what the input is: one of them is enough to pick from. */
function isSameAsInput({ nodes, input }: Readonly<Record<string, unknown>>, root: string): boolean {
  const [first, id = ''] = root.split(/\.(.*)/s);
  return first === 'nodes' && input !== undefined && (nodes as Record<string, unknown>)[id] === input;
}

function emptyPickerText(hasData: boolean, isList: boolean, base: string | undefined): string {
  if (base)
    return hasData
      ? 'No field. Type a name.'
      : 'The items are not known yet. Run the nodes before this one, or type a name.';
  if (!hasData) return 'No data yet. Run the nodes before this one, or type a path such as input.name.';
  return isList ? 'No list. Type a path such as input.items.' : 'No field. Type a path such as input.name.';
}
