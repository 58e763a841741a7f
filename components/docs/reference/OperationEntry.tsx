import { Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import classes from './ApiReference.module.css';
import {
  resolveResponse,
  describeSchemaType,
  type DocumentedResponse,
  type ReferenceDocument,
  type ApiDocumentEntry,
} from './document';
import { PropertyTable, type ApiPropertyRow } from './PropertyTable';
import { SchemaTable } from './SchemaTable';
import { TryApiOperation } from './TryApiOperation';
import { WithCode } from './WithCode';

interface Props {
  document: ReferenceDocument;
  entry: ApiDocumentEntry;
  /** The address of the page names it. */
  isNamed: boolean;
}

/** An operation as a line. Opened, it also shows parameters, body and responses. */
export function OperationEntry({ document, entry, isNamed }: Props) {
  const [isOpen, setOpen] = useState(isNamed);
  useEffect(() => {
    if (isNamed) setOpen(true);
  }, [isNamed]);
  const { id, method, path, operation } = entry;
  return (
    <details
      id={id}
      className={classes.entry}
      open={isOpen}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
        if (event.currentTarget.open && !isNamed) history.replaceState(null, '', `#${id}`);
      }}
    >
      <summary className={classes.line}>
        <span className={classes.method} data-method={method}>
          {method.toUpperCase()}
        </span>
        <code className={classes.path}>{path}</code>
        <span className={classes.summary}>{operation.summary}</span>
      </summary>
      {isOpen && <ApiOperationDetails document={document} entry={entry} />}
    </details>
  );
}

function ApiOperationDetails({ document, entry }: Omit<Props, 'isNamed'>) {
  const { operation } = entry;
  const parameters = (operation.parameters ?? []).map(
    ({ name, in: place, required, description, schema }): ApiPropertyRow => ({
      key: `${place} ${name}`,
      name,
      depth: 0,
      type: `${schema ? describeSchemaType(document, schema) : 'text'}, in the ${place}`,
      isRequired: required ?? false,
      description,
    }),
  );
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  return (
    <div className={classes.details}>
      {operation.description && (
        <Text size="sm">
          <WithCode text={operation.description} />
        </Text>
      )}
      {parameters.length > 0 && <PropertyTable title="Parameters" properties={parameters} />}
      {bodies.map(([mediaType, { schema }]) => (
        <SchemaTable key={mediaType} title={`Body, ${mediaType}`} document={document} schema={schema ?? {}} />
      ))}
      <Title order={3} fz="sm" fw={600}>
        Answers
      </Title>
      {Object.entries(operation.responses).map(([status, answer]) => (
        <ApiResponseEntry key={status} document={document} status={status} answer={resolveResponse(document, answer)} />
      ))}
      <TryApiOperation document={document} entry={entry} />
    </div>
  );
}

function ApiResponseEntry({
  document,
  status,
  answer,
}: {
  document: ReferenceDocument;
  status: string;
  answer: DocumentedResponse;
}) {
  const [content] = Object.values(answer.content ?? {});
  const isSuccess = status.startsWith('2');
  return (
    <div>
      <Text size="sm">
        <code>{status}</code> <WithCode text={answer.description ?? ''} />
      </Text>
      {isSuccess && content?.schema && <SchemaTable document={document} schema={content.schema} />}
    </div>
  );
}
