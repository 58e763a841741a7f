import { Stack, Text, Title, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Connector } from '@/contract/connector';
import { ConnectorIcon } from './ConnectorIcon';
import classes from './CreateCredential.module.css';
import { KINDS, type Kind } from './kinds';

interface Props {
  connectors: Connector[];
  onKind(kind: Kind): void;
  onConnector(connector: Connector): void;
}

/** What a new credential can be for. */
export function KindChoice({ connectors, onKind, onConnector }: Props) {
  return (
    <Stack gap="lg">
      <section>
        <Title order={3} mb="xs">
          Connect an account
        </Title>
        <div className={classes.grid}>
          {connectors.map((connector) => (
            <Choice
              key={connector.id}
              icon={<ConnectorIcon src={connector.icon} />}
              label={connector.name}
              summary={connector.configured ? connector.description : 'Needs an app registration'}
              onClick={() => onConnector(connector)}
            />
          ))}
        </div>
      </section>
      <section>
        <Title order={3} mb="xs">
          Or fill it in
        </Title>
        <div className={classes.grid}>
          {KINDS.map((kind) => (
            <Choice
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
        </div>
      </section>
    </Stack>
  );
}

interface ChoiceProps {
  icon: ReactNode;
  label: string;
  summary: string;
  onClick(): void;
}

function Choice({ icon, label, summary, onClick }: ChoiceProps) {
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
