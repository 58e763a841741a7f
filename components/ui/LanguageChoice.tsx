import { Code, Radio, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { EXPRESSION_LANGUAGES, type ExpressionLanguage } from '@/contract/workflows/expression-language';
import { EXPRESSION_LANGUAGE_LABELS } from './values/expression-language';

const LANGUAGE_TEXTS: Record<ExpressionLanguage, ReactNode> = {
  javascript: (
    <>
      Known from web pages: <Code>{'input.items.map(item => item.price)'}</Code>. Missing fields need <Code>?.</Code>
    </>
  ),
  jsonata: (
    <>
      Short for lists and objects: <Code>$sum(input.items.price)</Code>. Missing fields are nothing.
    </>
  ),
};

interface Props {
  value: ExpressionLanguage;
  size?: 'md';
  onChange(language: ExpressionLanguage): void;
}

/** Chooses the language of expressions in new workflows. */
export function LanguageChoice({ value, size, onChange }: Props) {
  return (
    <Radio.Group
      label="Language of expressions"
      description="For new workflows. Each workflow can be changed later."
      size={size}
      value={value}
      onChange={(next) => {
        const language = EXPRESSION_LANGUAGES.find((one) => one === next);
        if (language) onChange(language);
      }}
    >
      <Stack gap="xs" mt="xs">
        {(['javascript', 'jsonata'] as const).map((language) => (
          <Radio
            key={language}
            value={language}
            label={EXPRESSION_LANGUAGE_LABELS[language]}
            description={LANGUAGE_TEXTS[language]}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
