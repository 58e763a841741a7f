import { Text, TextInput, UnstyledButton } from '@mantine/core';
import { use, useMemo, useState } from 'react';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { PreviewDataContext } from '../preview-context';
import { shortExampleText, matchesFieldSearch, groupPickableFields } from '../rules/model/pickable-fields';
import classes from './ExpressionDialog.module.css';

interface Props {
  scope: Readonly<Record<string, unknown>>;
  onPick(path: string): void;
}

const INDENT_PX = 12;

/** The data that an expression can use, with values of the last run. */
export function ExpressionDataList({ scope, onPick }: Props) {
  const [search, setSearch] = useState('');
  const preview = use(PreviewDataContext);
  const language = useExpressionLanguage();
  const groups = useMemo(() => groupPickableFields(scope, preview, language), [scope, preview, language]);
  const found = groups.flatMap(({ label, note, isExpected, fields }) =>
    fields
      .filter(({ path }) => search.trim() === '' || matchesFieldSearch(`${path} ${label}`, search.trim()))
      .map((field) => ({
        ...field,
        isExpected,
        name: field.depth > 0 ? field.name : note ? `${label} · ${note}` : label,
      })),
  );
  return (
    <>
      <TextInput
        size="xs"
        mb="xs"
        aria-label="Search the data"
        placeholder="Search the data"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {found.length === 0 && (
        <Text size="sm" c="dimmed">
          {groups.length === 0 ? 'There is no data yet. Run the workflow once.' : 'No field is called that.'}
        </Text>
      )}
      <ul className={classes.list} aria-label="Data">
        {found.map(({ path, name, depth, value, isExpected }) => (
          <li key={path}>
            <UnstyledButton
              className={classes.entry}
              style={{ paddingInlineStart: 8 + depth * INDENT_PX }}
              title={path}
              onClick={() => onPick(path)}
            >
              <span className={classes.code}>{name}</span>{' '}
              <span className={classes.aside}>{shortExampleText(value, isExpected)}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </>
  );
}
