import { Alert, List, Stack, Text } from '@mantine/core';
import type { ConnectorPreview } from '@/contract/connectors/custom-connector';

/** How accounts are connected, in one sentence. */
export function describeAuthentication({ authentication: { token, oauth, isRequired } }: ConnectorPreview): string {
  // An abbreviation such as `API key` keeps its capitals.
  const words = token?.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
  const ways = [words, oauth && 'OAuth 2.0'].filter(Boolean).join(' or ');
  if (ways === '') return 'The operations need no credential, as far as the document says.';
  return isRequired ? `Accounts are connected by ${ways}.` : `Accounts can be connected by ${ways}, but need not be.`;
}

/** What a document says besides its operations: security, and what of it cannot be used. */
export function PreviewFacts({ preview }: { preview: ConnectorPreview }) {
  const { description, notes, skipped } = preview;
  return (
    <Stack gap="xs">
      {description && (
        <Text size="sm" c="dimmed" lineClamp={3}>
          {description}
        </Text>
      )}
      <Text size="sm">{describeAuthentication(preview)}</Text>
      {preview.needsAppRegistration && (
        <Alert color="weld" title="Needs an app of your own">
          {preview.title} takes no key and no password. Register an app there and enter its client ID and secret under
          Connectors; accounts can be connected afterwards. Until then an access token can be entered by hand.
        </Alert>
      )}
      {notes.length > 0 && (
        <Alert color="weld" title="Security">
          <List size="sm">
            {notes.map((note) => (
              <List.Item key={note}>{note}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {skipped.length > 0 && (
        <details>
          <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
            {skipped.length} {skipped.length === 1 ? 'operation' : 'operations'} can’t be used
          </Text>
          <List size="xs" mt={6}>
            {skipped.slice(0, 50).map(({ method, path, reason }) => (
              <List.Item key={`${method} ${path}`} style={{ overflowWrap: 'anywhere' }}>
                {method} {path}: {reason}
              </List.Item>
            ))}
          </List>
        </details>
      )}
    </Stack>
  );
}
