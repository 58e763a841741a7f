import { Stack, Text } from '@mantine/core';
import type { Attempt } from '../timeline/attempts';
import { isDifferent } from './differences';
import { ValueChanges } from './ValueChanges';

/** What an attempt did otherwise than the one before it: parameters, response, error. */
export function AttemptChanges({ before, after }: { before: Attempt; after: Attempt }) {
  const parts = [
    { label: 'parameters', before: before.parameters, after: after.parameters },
    { label: 'response', before: responseOf(before), after: responseOf(after) },
    { label: 'error', before: errorOf(before), after: errorOf(after) },
  ].filter((part) => isDifferent(part.before, part.after));
  if (parts.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Attempt {before.number} had the same parameters, response and error.
      </Text>
    );
  return (
    <Stack gap="sm">
      {parts.map((part) => (
        <section key={part.label} aria-label={`Changed ${part.label}`}>
          <Text size="xs" fw={600} c="dimmed" mb={4}>
            {part.label}
          </Text>
          <ValueChanges {...part} names={[`Attempt ${before.number}`, `Attempt ${after.number}`]} />
        </section>
      ))}
    </Stack>
  );
}

const errorOf = ({ error }: Attempt) => (error ? { code: error.code, message: error.message } : undefined);

/** The body as the value that it is, if it is JSON. */
function responseOf({ answer }: Attempt): unknown {
  if (!answer?.body) return answer;
  try {
    return { ...answer, body: JSON.parse(answer.body) as unknown };
  } catch {
    return answer;
  }
}
