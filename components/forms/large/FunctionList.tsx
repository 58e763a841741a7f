import { Text, TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { offeredFunctions } from '@/components/code/expression-functions';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import classes from './ExpressionDialog.module.css';

/** The functions of expressions, each with signature, purpose and example. `onPick` gets a call without arguments. */
export function FunctionList({ onPick }: { onPick(call: string): void }) {
  const functions = offeredFunctions(useExpressionLanguage());
  const [search, setSearch] = useState('');
  const sought = search.trim().toLowerCase();
  const found = functions.filter(({ name, summary }) => `${name} ${summary}`.toLowerCase().includes(sought));
  return (
    <>
      <TextInput
        size="xs"
        mb="xs"
        aria-label="Search the functions"
        placeholder="Search the functions"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {found.length === 0 && (
        <Text size="sm" c="dimmed">
          No function is called that.
        </Text>
      )}
      <ul className={classes.list} aria-label="Functions">
        {found.map(({ name, parameters, summary, example }) => (
          <li key={name}>
            <UnstyledButton className={classes.entry} onClick={() => onPick(`${name}()`)}>
              <div className={classes.code}>
                {name}({parameters})
              </div>
              <Text size="xs">{summary}.</Text>
              <div className={`${classes.code} ${classes.aside}`}>{example}</div>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </>
  );
}
