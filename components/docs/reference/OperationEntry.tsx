import { Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import classes from './ApiReference.module.css';
import { answerOf, typeText, type Answer, type ApiDocument, type Entry } from './document';
import { PropertyTable, type Property } from './PropertyTable';
import { SchemaTable } from './SchemaTable';
import { TryOut } from './TryOut';
import { WithCode } from './WithCode';

interface Props {
  document: ApiDocument;
  entry: Entry;
  /** The address of the page names it. */
  isNamed: boolean;
}

/** An operation: a line, and what it takes and answers once it is open. */
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
      {isOpen && <Details document={document} entry={entry} />}
    </details>
  );
}

function Details({ document, entry }: Omit<Props, 'isNamed'>) {
  const { operation } = entry;
  const parameters = (operation.parameters ?? []).map(
    ({ name, in: place, required, description, schema }): Property => ({
      key: `${place} ${name}`,
      name,
      depth: 0,
      type: `${schema ? typeText(document, schema) : 'text'}, in the ${place}`,
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
        <AnswerOf key={status} document={document} status={status} answer={answerOf(document, answer)} />
      ))}
      <TryOut document={document} entry={entry} />
    </div>
  );
}

function AnswerOf({ document, status, answer }: { document: ApiDocument; status: string; answer: Answer }) {
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
