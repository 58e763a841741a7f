import { useQuery } from '@tanstack/react-query';
import { use, useState } from 'react';
import { useTRPC } from '@/components/client/trpc';
import type { FieldProps } from '../model/field';
import { JsonField } from '../JsonField';
import { PreviewContext } from '../preview';
import { isExpression as hasExpression, labelOf } from '../model/schema';
import { NotPlain } from './NotPlain';
import { RulesEditor } from './RulesEditor';
import { readTableFilter, ROW_OPERATORS, rowScope, writeTableFilter } from './model/table-filter';
import { TwoWays } from './TwoWays';

const NO_DATA = {};
const NO_ERRORS: ReadonlyMap<string, string> = new Map();

/** A filter of rows of a table: rules on its columns, or JSON with expressions. */
export function TableFilterField(props: FieldProps) {
  const { name, schema, value, isRequired, path, errors, siblings, onChange } = props;
  const [way, setWay] = useState<boolean>();
  const scope = useRowScope(siblings?.['tableId']);
  const valueScope = use(PreviewContext)?.scope ?? NO_DATA;
  const rules = readTableFilter(value);
  const isExpression = way ?? 'reason' in rules;
  return (
    <TwoWays
      label={labelOf(name, schema)}
      description={isExpression ? schema.description : undefined}
      error={errors.get(path)}
      isRequired={isRequired}
      plain="Rules"
      isExpression={isExpression}
      onWay={setWay}
    >
      {isExpression ? (
        <JsonField {...props} errors={NO_ERRORS} isLabelHidden />
      ) : 'reason' in rules ? (
        <NotPlain what="rules" reason={rules.reason} onReset={() => onChange(undefined)} />
      ) : (
        <RulesEditor
          rules={rules}
          path={path}
          errors={errors}
          scope={scope}
          valueScope={valueScope}
          operators={ROW_OPERATORS}
          onChange={(next) => onChange(writeTableFilter(next))}
        />
      )}
    </TwoWays>
  );
}

/** What columns are picked from; empty until a table is chosen. */
function useRowScope(tableId: unknown): Readonly<Record<string, unknown>> {
  const trpc = useTRPC();
  const id = typeof tableId === 'string' && !hasExpression(tableId) ? tableId : '';
  const { data } = useQuery(trpc.tables.get.queryOptions({ params: { id } }, { enabled: id !== '', retry: false }));
  return data ? rowScope(data.columns) : NO_DATA;
}
