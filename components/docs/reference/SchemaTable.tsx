import { Text } from '@mantine/core';
import { rowsOf, typeText, type ApiDocument, type Schema } from './document';
import { PropertyTable } from './PropertyTable';

interface Props {
  title?: string;
  document: ApiDocument;
  schema: Schema;
}

/** The properties of a value, or its type if it has none. */
export function SchemaTable({ title, document, schema }: Props) {
  const rows = rowsOf(document, schema);
  if (rows.length > 0)
    return <PropertyTable title={title} properties={rows.map((row) => ({ ...row, key: row.path }))} />;
  return (
    <Text size="sm" c="dimmed">
      {title && `${title}: `}
      {typeText(document, schema)}
    </Text>
  );
}
