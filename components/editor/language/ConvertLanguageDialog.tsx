import { Alert, Button, Code, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { definitionLanguage, type ExpressionLanguage } from '@/contract/workflows/expression-language';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { apiErrorSentence } from '@/components/client/api-error';
import { EXPRESSION_LANGUAGE_LABELS } from '@/components/ui/values/expression-language';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { PanelSkeleton } from '@/components/ui/states/PanelSkeleton';
import type { NodeFieldPlace } from '@/import/languages/convert-definition';
import { nodeTitleAtPath } from '../checks/locate-issue';
import { changeDefinition, useDraft, useDraftStore } from '../draft/draft';
import { useLanguageConversion, type JudgedDefinition } from './useLanguageConversion';

const MAX_LISTED_FIELDS = 100;

/** Converts all expressions of the workflow to the other language, as one undo step. */
export function ConvertLanguageDialog({ catalogue, onClose }: { catalogue: NodeTypesByName; onClose(): void }) {
  const store = useDraftStore();
  const definition = useDraft((draft) => draft.definition);
  const convert = useLanguageConversion(catalogue);
  const [outcome, setOutcome] = useState<JudgedDefinition>();
  const [error, setError] = useState<unknown>();
  const from = definitionLanguage(definition);
  const to: ExpressionLanguage = from === 'jsonata' ? 'javascript' : 'jsonata';
  useEffect(() => {
    let isOver = false;
    setOutcome(undefined);
    convert(to).then(
      (next) => !isOver && setOutcome(next),
      (failure: unknown) => !isOver && setError(failure),
    );
    return () => {
      isOver = true;
    };
  }, [convert, to]);
  const open = outcome?.fields.filter(({ doubt }) => doubt !== undefined) ?? [];
  const titleOf = ({ path, nodeId }: NodeFieldPlace) => nodeTitleAtPath(definition, [...path], nodeId, catalogue);
  return (
    <Modal opened onClose={onClose} title={`Change to ${EXPRESSION_LANGUAGE_LABELS[to]}`} size="xl">
      <Stack>
        <FormErrorAlert>{error ? apiErrorSentence(error) : null}</FormErrorAlert>
        {!outcome && !error && <PanelSkeleton />}
        {outcome && outcome.refused.length > 0 && (
          <Alert color="madder" title="Some expressions can’t be converted">
            <Text size="sm">Rewrite these fields first. Nothing was changed.</Text>
          </Alert>
        )}
        {outcome && (
          <Text size="sm">
            {summarizeOutcome(outcome.fields.length, open.length)} The change is one step that can be undone.
          </Text>
        )}
        {outcome && outcome.refused.length > 0 && (
          <ConvertedFieldTable
            rows={outcome.refused.map((field) => ({ ...field, title: titleOf(field), text: undefined }))}
          />
        )}
        {outcome?.refused.length === 0 && open.length > 0 && (
          <>
            <Text size="sm" c="dimmed">
              Look at these before you publish: each is listed under Checks until you say that you have looked.
            </Text>
            <ConvertedFieldTable
              rows={open.map((field) => ({ ...field, title: titleOf(field), reason: field.doubt ?? '' }))}
            />
          </>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            data-autofocus
            disabled={!outcome || outcome.refused.length > 0}
            onClick={() => {
              if (outcome) store.set(changeDefinition(store.get(), outcome.definition));
              onClose();
            }}
          >
            Change to {EXPRESSION_LANGUAGE_LABELS[to]}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function summarizeOutcome(all: number, open: number): string {
  if (all === 0) return 'There are no expressions to convert.';
  const count = all === 1 ? '1 field with expressions' : `${all} fields with expressions`;
  return open === 0
    ? `${count}: the results are the same.`
    : `${count}: of ${all - open} the results are the same, ${open} must be looked at.`;
}

interface ConvertedFieldRow extends NodeFieldPlace {
  title: string;
  source: string;
  text: string | undefined;
  reason: string;
}

function ConvertedFieldTable({ rows }: { rows: readonly ConvertedFieldRow[] }) {
  return (
    <Table.ScrollContainer minWidth={460}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>Expression</Table.Th>
            <Table.Th>Why</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(0, MAX_LISTED_FIELDS).map(({ title, path, nodeId, field, source, text, reason }) => (
            <Table.Tr key={`${path.join('/')} ${nodeId} ${field}`}>
              <Table.Td>
                <Text size="sm">{title}</Text>
                <Text size="xs" c="dimmed">
                  {field.replace(/^config\./, '')}
                </Text>
              </Table.Td>
              <Table.Td>
                <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  {text === undefined ? source : `${source}\n→ ${text}`}
                </Code>
              </Table.Td>
              <Table.Td>
                <Text size="xs">{reason}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
