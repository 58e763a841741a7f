import { useQuery } from '@tanstack/react-query';
import { use, useState } from 'react';
import { useTRPC } from '@/components/client/trpc';
import type { FieldControlProps } from '../model/field-props';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { JsonField } from '../JsonField';
import { PreviewDataContext } from '../preview-context';
import { hasExpressionBraces as hasExpression, schemaLabel } from '../model/field-schema';
import { NotShowableNote } from './NotShowableNote';
import { RulesEditor } from './RulesEditor';
import { parseTableFilter, TABLE_ROW_OPERATORS, exampleRowScope, printTableFilter } from './model/table-filter';
import { TwoModesField } from './TwoModesField';

const EMPTY_ROW_SCOPE = {};
const EMPTY_TABLE_ERRORS: ReadonlyMap<string, string> = new Map();

/** A filter of rows of a table: rules on its columns, or JSON with expressions. */
export function TableFilterField(props: FieldControlProps) {
  const { name, schema, value, isRequired, path, errors, siblings, onChange } = props;
  const language = useExpressionLanguage();
  const [way, setWay] = useState<boolean>();
  const scope = useTableRowScope(siblings?.['tableId']);
  const valueScope = use(PreviewDataContext)?.scope ?? EMPTY_ROW_SCOPE;
  const rules = parseTableFilter(value, language);
  const isExpression = way ?? 'reason' in rules;
  return (
    <TwoModesField
      label={schemaLabel(name, schema)}
      description={isExpression ? schema.description : undefined}
      error={errors.get(path)}
      isRequired={isRequired}
      plain="Rules"
      isExpression={isExpression}
      onWay={setWay}
    >
      {isExpression ? (
        <JsonField {...props} errors={EMPTY_TABLE_ERRORS} isLabelHidden />
      ) : 'reason' in rules ? (
        <NotShowableNote what="rules" reason={rules.reason} onReset={() => onChange(undefined)} />
      ) : (
        <RulesEditor
          rules={rules}
          path={path}
          errors={errors}
          scope={scope}
          valueScope={valueScope}
          operators={TABLE_ROW_OPERATORS}
          onChange={(next) => onChange(printTableFilter(next, language))}
        />
      )}
    </TwoModesField>
  );
}

/** The scope from which columns are picked. It is empty until a table is chosen. */
function useTableRowScope(tableId: unknown): Readonly<Record<string, unknown>> {
  const trpc = useTRPC();
  const id = typeof tableId === 'string' && !hasExpression(tableId) ? tableId : '';
  const { data } = useQuery(trpc.tables.get.queryOptions({ params: { id } }, { enabled: id !== '', retry: false }));
  return data ? exampleRowScope(data.columns) : EMPTY_ROW_SCOPE;
}
