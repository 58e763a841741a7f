import { useMutation } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { createOauthState, createCodeVerifier } from './attempt';
import { waitForOauthCode, openOauthPopup } from './popup';

export interface AccountConnection {
  /** Absent if the credential has its own URLs. */
  connectorId?: string;
  flow: 'authorization_code' | 'client_credentials';
  name?: string;
  /** Absent for the scopes of the connector or of the credential. */
  scopes?: string[];
  params?: Record<string, string>;
  /** The existing credential to connect. */
  credentialId?: string;
}

/** Connects an account: through the provider's page in a popup, or with client credentials. */
export function useConnect(onConnected: (credentialId: string) => void) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const authorize = useMutation(trpc.oauth.authorizeUrl.mutationOptions());
  const exchange = useMutation(trpc.oauth.exchange.mutationOptions());
  return useMutation({
    mutationFn: async ({ connectorId, flow, name, scopes, params, credentialId }: AccountConnection) => {
      const target = { connector_type: connectorId, credential_name: name, credential_id: credentialId };
      if (flow === 'client_credentials') return exchange.mutateAsync({ body: target });
      const popup = openOauthPopup();
      const attempt = { state: createOauthState(), code_verifier: createCodeVerifier() };
      try {
        const own = connectorId === undefined ? { credential_id: credentialId } : {};
        const body = { connector_type: connectorId, scopes, additional_params: params, ...own, ...attempt };
        const { authorization_url: address } = await authorize.mutateAsync({ body });
        popup.location.href = address;
        const code = await waitForOauthCode(popup, attempt.state);
        return await exchange.mutateAsync({ body: { ...target, ...attempt, code } });
      } finally {
        popup.close();
      }
    },
    onSuccess: ({ credential }) => {
      refresh();
      onConnected(credential.id);
    },
  });
}
