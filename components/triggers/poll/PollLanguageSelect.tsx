import { Select } from '@mantine/core';
import { useState } from 'react';
import { EXPRESSION_LANGUAGES, type ExpressionLanguage } from '@/contract/workflows/expression-language';
import { useNodeTypes } from '@/components/client/queries/useNodeTypes';
import { EXPRESSION_LANGUAGE_LABELS } from '@/components/ui/values/expression-language';
import type { PollDraft } from './poll-draft';
import type { PollFieldsProps } from './PollTimeFields';

/** The expressions of a poll in another language, or why they can’t be. */
async function convertPoll(
  { items, key, cursor, type, config }: PollDraft,
  language: ExpressionLanguage,
  schema: Record<string, unknown> | undefined,
): Promise<Partial<PollDraft> | string> {
  const [{ convertFieldText }, { convertDefinition }] = await Promise.all([
    import('@/import/languages/convert-text'),
    import('@/import/languages/convert-definition'),
  ]);
  const texts: Partial<Record<'items' | 'key' | 'cursor', string>> = {};
  for (const [name, text] of Object.entries({ items, key, cursor })) {
    const found = convertFieldText(text, true, language);
    if ('reason' in found) return `The expression “${text}” can’t be converted: ${found.reason}`;
    texts[name as keyof typeof texts] = found.text;
  }
  const node = { id: 'poll', type, config, position: { x: 0, y: 0 } };
  const from = language === 'javascript' ? 'jsonata' : 'javascript';
  const { definition, refused } = convertDefinition(
    { nodes: [node], connections: [], language: from },
    language,
    () => schema,
  );
  const [first] = refused;
  if (first) return `“${first.source}” can’t be converted: ${first.reason}`;
  return { ...texts, config: definition.nodes[0]?.config ?? config, language };
}

/** Chooses the language of the expressions of a poll, and converts them. */
export function PollLanguageSelect({ draft, set }: Pick<PollFieldsProps, 'draft' | 'set'>) {
  const kind = useNodeTypes().data?.find(({ type }) => type === draft.type);
  const [refusal, setRefusal] = useState<string>();
  return (
    <Select
      label="Language of expressions"
      description="A change converts the expressions of this poll. Look at them, and try the poll, before you save."
      data={EXPRESSION_LANGUAGES.map((language) => ({ value: language, label: EXPRESSION_LANGUAGE_LABELS[language] }))}
      value={draft.language}
      error={refusal}
      allowDeselect={false}
      onChange={(picked) => {
        const language = EXPRESSION_LANGUAGES.find((one) => one === picked);
        if (!language || language === draft.language) return;
        void convertPoll(draft, language, kind?.configSchema).then((next) => {
          setRefusal(typeof next === 'string' ? next : undefined);
          if (typeof next !== 'string') set(next);
        });
      }}
    />
  );
}
