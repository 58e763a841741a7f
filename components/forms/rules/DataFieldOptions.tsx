import { Combobox } from '@mantine/core';
import { use, useMemo } from 'react';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { parseExpressionPath } from '@/components/ui/values/expression-path';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { PreviewDataContext, type PreviewData } from '../preview-context';
import {
  groupPickableFields,
  matchesFieldSearch,
  readablePath,
  shortExampleText,
  type PickableField,
} from './model/pickable-fields';
import classes from './Rules.module.css';

interface Props {
  /** The data to pick from, by name. */
  scope: Readonly<Record<string, unknown>>;
  search: string;
  /** Only lists can be picked. */
  isList?: boolean;
  /** The name of the scope that all paths begin with. People do not see it. */
  base?: string;
  picked?: string;
}

const MAX_FIELDS_IN_GROUP = 120;

/** The fields of the data that is known, as the options of a combobox: a tree, or what a search finds. */
export function DataFieldOptions({ scope, search, isList = false, base, picked }: Props) {
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
              aria-label={displayFieldPath(path, base, preview, language)}
              className={classes.option}
            >
              <span className={classes.name} style={isFlat ? undefined : { paddingLeft: depth * 14 }}>
                {isFlat
                  ? displayFieldPath(path, base, preview, language)
                  : depth === 0
                    ? base
                      ? THE_ITEM
                      : label
                    : name}
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
export function displayFieldPath(
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
