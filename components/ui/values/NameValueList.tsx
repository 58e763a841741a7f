import { Text } from '@mantine/core';

/** Names with their values, one a line. Those with an empty value, or none, are left out. */
export function NameValueList({
  facts,
}: {
  facts: readonly (readonly [name: string, value: string | null | undefined])[];
}) {
  return (
    <dl style={{ display: 'grid', gridTemplateColumns: 'auto 1fr', gap: '4px 14px', margin: 0 }}>
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => [
          <Text key={name} component="dt" size="sm" c="dimmed">
            {name}
          </Text>,
          <Text key={`${name} value`} component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>,
        ])}
    </dl>
  );
}
