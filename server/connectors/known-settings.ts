import { ConfigurationError, type ServiceEnv } from '@/server/platform/env/env';
import { builtInConnectors } from './index';

/** Refuses variables `CONNECTOR_<TYPE>_…` of connectors that do not exist. Throws `ConfigurationError`. */
export function requireKnownConnectors(env: ServiceEnv): void {
  const unknown = Object.keys(env.connectors).filter(
    (id) => !builtInConnectors.some((connector) => connector.id === id),
  );
  if (unknown.length > 0)
    throw new ConfigurationError(
      unknown.map((id) => `CONNECTOR_${id.toUpperCase()}_… is not a variable of a known connector`),
    );
}
