/**
 * Settings of a connector from the environment: the service's app registration, and addresses that replace the
 * provider's.
 */
export interface ConnectorSettings {
  clientId?: string;
  clientSecret?: string;
  authorizeUrl?: string;
  tokenUrl?: string;
  apiUrl?: string;
}

const CONNECTOR_FIELDS = {
  CLIENT_ID: 'clientId',
  CLIENT_SECRET: 'clientSecret',
  AUTHORIZE_URL: 'authorizeUrl',
  TOKEN_URL: 'tokenUrl',
  API_URL: 'apiUrl',
} as const satisfies Record<string, keyof ConnectorSettings>;

type ConnectorVariableSuffix = keyof typeof CONNECTOR_FIELDS;
const CONNECTOR_VARIABLE_PATTERN = new RegExp(`^CONNECTOR_(.+)_(${Object.keys(CONNECTOR_FIELDS).join('|')})$`);

const isConnectorUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** The variables `CONNECTOR_<TYPE>_…`, by connector; an empty one counts as unset. */
export function readConnectorSettings(source: Record<string, string | undefined>): {
  settings: Record<string, ConnectorSettings>;
  complaints: string[];
} {
  const settings: Record<string, ConnectorSettings> = {};
  const complaints: string[] = [];
  for (const [name, value] of Object.entries(source)) {
    const [, type = '', word] = CONNECTOR_VARIABLE_PATTERN.exec(name) ?? [];
    if (!word || !value) continue;
    const id = type.toLowerCase();
    if (word.endsWith('_URL') && !isConnectorUrl(value)) complaints.push(`${name} must be an http or https address`);
    else settings[id] = { ...settings[id], [CONNECTOR_FIELDS[word as ConnectorVariableSuffix]]: value };
  }
  for (const [id, { clientId, clientSecret }] of Object.entries(settings)) {
    if (Boolean(clientId) === Boolean(clientSecret)) continue;
    const lacking = clientId ? 'CLIENT_SECRET' : 'CLIENT_ID';
    complaints.push(
      `CONNECTOR_${id.toUpperCase()}_${lacking} must be set together with the other half of the registration`,
    );
  }
  return { settings, complaints };
}
