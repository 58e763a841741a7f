import { Stack, Text } from '@mantine/core';
import type { DisplayedAttempt } from '../timeline/attempts';
import { isDifferentJson } from './differences';
import { ValueChanges } from './ValueChanges';

/** What an attempt did otherwise than the one before it: parameters, response, error. */
export function AttemptChanges({ before, after }: { before: DisplayedAttempt; after: DisplayedAttempt }) {
  const parts = [
    { label: 'parameters', before: before.parameters, after: after.parameters },
    { label: 'response', before: comparableResponse(before), after: comparableResponse(after) },
    { label: 'error', before: comparableError(before), after: comparableError(after) },
  ].filter((part) => isDifferentJson(part.before, part.after));
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

const comparableError = ({ error }: DisplayedAttempt) =>
  error ? { code: error.code, message: error.message } : undefined;

/** The body as the value that it is, if it is JSON. */
function comparableResponse({ answer }: DisplayedAttempt): unknown {
  if (!answer?.body) return answer;
  try {
    return { ...answer, body: JSON.parse(answer.body) as unknown };
  } catch {
    return answer;
  }
}
