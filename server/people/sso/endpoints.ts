import type { IdentityProvider } from './provider';
import { SsoRefusal } from './refusal';

/** The addresses of presets that are equal for every customer. */
const PRESET_ISSUERS: Record<string, string> = { google: 'https://accounts.google.com', gitlab: 'https://gitlab.com' };

const GITHUB_ENDPOINTS = {
  authorizationUrl: 'https://github.com/login/oauth/authorize',
  tokenUrl: 'https://github.com/login/oauth/access_token',
  userInfoUrl: 'https://api.github.com/user',
};

/** A provider with discovery (OpenID Connect), or one with configured addresses (plain OAuth 2.0). */
export type ProviderEndpoints =
  | { issuer: string }
  | { authorizationUrl: string; tokenUrl: string; userInfoUrl: string };

/** Null: the settings contain no address. */
function findEndpoints(config: IdentityProvider['config']): ProviderEndpoints | null {
  const { preset = '' } = config;
  const settings = preset === 'github' ? { ...GITHUB_ENDPOINTS, ...definedEndpoints(config) } : config;
  const { authorizationUrl, tokenUrl, userInfoUrl } = settings;
  if (authorizationUrl && tokenUrl && userInfoUrl) return { authorizationUrl, tokenUrl, userInfoUrl };
  const issuer = config.issuer ?? PRESET_ISSUERS[preset];
  return issuer === undefined ? null : { issuer };
}

export function requireEndpoints({ config }: IdentityProvider): ProviderEndpoints {
  const endpoints = findEndpoints(config);
  if (!endpoints) throw new SsoRefusal('unreachable', 'The provider has no address.');
  return endpoints;
}

/** The sign-in address; with discovery, the issuer. */
export function providerSignInUrl(config: IdentityProvider['config']): string | undefined {
  const endpoints = findEndpoints(config);
  return endpoints && 'issuer' in endpoints ? endpoints.issuer : endpoints?.authorizationUrl;
}

const definedEndpoints = ({ authorizationUrl, tokenUrl, userInfoUrl }: IdentityProvider['config']) =>
  Object.fromEntries(
    Object.entries({ authorizationUrl, tokenUrl, userInfoUrl }).filter(([, value]) => value !== undefined),
  );
