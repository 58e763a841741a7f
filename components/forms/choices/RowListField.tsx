import { Text } from '@mantine/core';
import { use } from 'react';
import type { AlternativeField, FieldControlProps } from '../model/field-props';
import { JsonField } from '../JsonField';
import { PreviewDataContext } from '../preview-context';
import { DataFieldPicker } from '../rules/DataFieldPicker';
import { singlePathInBraces } from '../rules/model/assignments';
import { schemaLabel } from '../model/field-schema';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';

const EMPTY_ROW_LIST_SCOPE = {};
const EMPTY_ROW_LIST_ERRORS: ReadonlyMap<string, string> = new Map();

/**
 * A list of objects with a value for each column: it is picked from the data. Any other expression is edited as text.
 */
export function RowListField({ list, errors }: { list: AlternativeField } & Pick<FieldControlProps, 'errors'>) {
  const scope = use(PreviewDataContext)?.scope ?? EMPTY_ROW_LIST_SCOPE;
  const label = schemaLabel(list.name, list.schema);
  const path = singlePathInBraces(list.value, useExpressionLanguage());
  return (
    <div data-field={list.path}>
      {list.value === undefined || path !== undefined ? (
        <DataFieldPicker
          label={`${label}: list`}
          value={path}
          scope={scope}
          isList
          isInvalid={errors.has(list.path)}
          onPick={(picked) => list.onChange(`{{ ${picked} }}`)}
        />
      ) : (
        <JsonField {...list} isRequired={false} errors={EMPTY_ROW_LIST_ERRORS} isLabelHidden />
      )}
      <Text size="xs" c="dimmed" mt={4}>
        Each item becomes a row. Its fields must have the names of the columns.
      </Text>
    </div>
  );
}
