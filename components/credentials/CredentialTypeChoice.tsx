import { Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { CredentialType } from '@/contract/credentials/credential';
import { ConnectorIcon } from './ConnectorIcon';
import classes from './CreateCredential.module.css';
import { CREDENTIAL_TYPE_OPTIONS, type CredentialTypeOption } from './kinds';
import { SearchInput } from '@/components/ui/SearchInput';

/** Whether a credential of this type, with or without a connector, fits. */
export type CredentialFilter = (type: CredentialType, connectorId: string | null) => boolean;

interface Props {
  connectors: ConnectorResponse[];
  fits?: CredentialFilter;
  onKind(kind: CredentialTypeOption): void;
  onConnector(connector: ConnectorResponse): void;
}

/** Choice of the type of a new credential. */
export function CredentialTypeChoice({ connectors, fits = () => true, onKind, onConnector }: Props) {
  const [search, setSearch] = useState('');
  const isWanted = (...texts: string[]) =>
    texts.some((text) => text.toLowerCase().includes(search.trim().toLowerCase()));
  const accounts = connectors.filter(
    ({ id, name, description, synonyms }) =>
      (fits('oauth2', id) || fits('token', id)) && isWanted(name, description, ...synonyms),
  );
  const kinds = CREDENTIAL_TYPE_OPTIONS.filter(
    ({ type, connectorId, label, summary }) => fits(type, connectorId) && isWanted(label, summary),
  );
  return (
    <Stack gap="lg">
      <SearchInput
        label="Search services and types"
        placeholder="Search services and types"
        data-autofocus
        value={search}
        onChange={setSearch}
      />
      {accounts.length > 0 && (
        <TypeChoiceSection title="Connect an account">
          {accounts.map((connector) => (
            <TypeChoiceButton
              key={connector.id}
              icon={<ConnectorIcon src={connector.icon} />}
              label={connector.name}
              summary={connector.configured || connector.token ? connector.description : 'Needs an app registration'}
              onClick={() => onConnector(connector)}
            />
          ))}
        </TypeChoiceSection>
      )}
      {kinds.length > 0 && (
        <TypeChoiceSection title={accounts.length > 0 ? 'Other types' : 'Types'}>
          {kinds.map((kind) => (
            <TypeChoiceButton
              key={kind.id}
              icon={
                <span className={classes.icon}>
                  <kind.icon size={19} aria-hidden />
                </span>
              }
              label={kind.label}
              summary={kind.summary}
              onClick={() => onKind(kind)}
            />
          ))}
        </TypeChoiceSection>
      )}
      {accounts.length + kinds.length === 0 && (
        <Text c="dimmed" role="status">
          No service has this name. Many services work with the types API key or OAuth 2.0.
        </Text>
      )}
    </Stack>
  );
}

const TypeChoiceSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <Title order={3} mb="xs">
      {title}
    </Title>
    <div className={classes.grid}>{children}</div>
  </section>
);

interface TypeChoiceProps {
  icon: ReactNode;
  label: string;
  summary: string;
  onClick(): void;
}

function TypeChoiceButton({ icon, label, summary, onClick }: TypeChoiceProps) {
  return (
    <UnstyledButton className={classes.choice} onClick={onClick}>
      {icon}
      <span>
        <Text component="span" display="block" fw={570} size="sm">
          {label}
        </Text>
        <Text component="span" display="block" size="xs" c="dimmed" lineClamp={2}>
          {summary}
        </Text>
      </span>
    </UnstyledButton>
  );
}
