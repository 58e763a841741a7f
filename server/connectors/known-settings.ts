import { ConfigurationError, type Env } from '@/server/env/env';
import { connectors } from './index';

/** Refuses variables `CONNECTOR_<TYPE>_…` of connectors that do not exist. Throws `ConfigurationError`. */
export function requireKnownConnectors(env: Env): void {
  const unknown = Object.keys(env.connectors).filter((id) => !connectors.some((connector) => connector.id === id));
  if (unknown.length > 0)
    throw new ConfigurationError(
      unknown.map((id) => `CONNECTOR_${id.toUpperCase()}_… is not a variable of a known connector`),
    );
}
