import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { CredentialResponse } from '@/contract/credentials/credential';
import { AuthorizeForm } from './AuthorizeForm';
import { TokenForm } from './TokenForm';

interface Props {
  connector: ConnectorResponse;
  onConnected(credentialId: string): void;
  onCancel?(): void;
  /** The credential to connect again; absent: a new one. */
  credential?: CredentialResponse;
}

type ConnectMethod = 'oauth2' | 'token';

/** Connects an account of a service: by the page of its provider, or by a token. */
export function ConnectForm({ connector, credential, ...others }: Props) {
  const { flow, token, configured } = connector;
  // A token works at once; an app has to be registered first.
  const [way, setWay] = useState<ConnectMethod>(token && !configured ? 'token' : 'oauth2');
  const chosen = credential ? credential.type : flow === 'token' ? 'token' : way;
  if (!token) return <AuthorizeForm connector={connector} credential={credential} {...others} />;
  return (
    <Stack>
      {!credential && flow !== 'token' && (
        <SegmentedControl
          fullWidth
          aria-label="How to connect"
          data={[
            { value: 'oauth2', label: `Sign in at ${connector.name}` },
            { value: 'token', label: token.title },
          ]}
          value={way}
          onChange={(value) => setWay(value as ConnectMethod)}
        />
      )}
      {chosen === 'token' ? (
        <TokenForm connector={connector} token={token} credential={credential} {...others} />
      ) : (
        <AuthorizeForm connector={connector} credential={credential} {...others} />
      )}
    </Stack>
  );
}
