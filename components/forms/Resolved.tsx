import { Text } from '@mantine/core';
import { use, useEffect, useState } from 'react';
import { PreviewContext } from './preview';
import { resolve, type Outcome } from './resolve';

const MOST = 400;
const REST_MS = 150;

/** What the field's expression comes to with the data at hand, or what is wrong with it and where. */
export function Resolved({ text, isBare }: { text: string; isBare: boolean }) {
  const scope = use(PreviewContext);
  const [outcome, setOutcome] = useState<Outcome>();
  useEffect(() => {
    if (!scope) return;
    let isStale = false;
    const timer = setTimeout(() => {
      void resolve(text, scope, isBare).then((next) => {
        if (!isStale) setOutcome(next);
      });
    }, REST_MS);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [text, isBare, scope]);
  if (!scope || !outcome) return null;
  if ('problem' in outcome)
    return (
      <Text size="xs" mt={4} c="var(--weft-failed)" aria-live="polite">
        {outcome.problem}
        {outcome.position !== undefined && ` (at character ${outcome.position})`}
      </Text>
    );
  const shown = outcome.value === undefined ? 'nothing' : JSON.stringify(outcome.value);
  return (
    <Text size="xs" mt={4} c="var(--weft-done)" ff="monospace" style={{ overflowWrap: 'anywhere' }} aria-live="polite">
      = {shown.slice(0, MOST)}
      {shown.length > MOST && ' …'}
    </Text>
  );
}
