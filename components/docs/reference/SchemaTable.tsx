import { Text } from '@mantine/core';
import { listSchemaProperties, describeSchemaType, type ReferenceDocument, type ApiSchema } from './document';
import { PropertyTable } from './PropertyTable';

interface Props {
  title?: string;
  document: ReferenceDocument;
  schema: ApiSchema;
}

/** The properties of a value, or its type if it has none. */
export function SchemaTable({ title, document, schema }: Props) {
  const rows = listSchemaProperties(document, schema);
  if (rows.length > 0)
    return <PropertyTable title={title} properties={rows.map((row) => ({ ...row, key: row.path }))} />;
  return (
    <Text size="sm" c="dimmed">
      {title && `${title}: `}
      {describeSchemaType(document, schema)}
    </Text>
  );
}
