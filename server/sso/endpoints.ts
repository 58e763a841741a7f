import type { Provider } from './provider';
import { SsoRefusal } from './refusal';

/** The addresses of presets that are equal for every customer. */
const ISSUERS: Record<string, string> = { google: 'https://accounts.google.com', gitlab: 'https://gitlab.com' };

const GITHUB = {
  authorizationUrl: 'https://github.com/login/oauth/authorize',
  tokenUrl: 'https://github.com/login/oauth/access_token',
  userInfoUrl: 'https://api.github.com/user',
};

/** A provider with discovery (OpenID Connect), or one with configured addresses (plain OAuth 2.0). */
export type Place = { issuer: string } | { authorizationUrl: string; tokenUrl: string; userInfoUrl: string };

/** Null: the settings contain no address. */
function knownPlace(config: Provider['config']): Place | null {
  const { preset = '' } = config;
  const settings = preset === 'github' ? { ...GITHUB, ...defined(config) } : config;
  const { authorizationUrl, tokenUrl, userInfoUrl } = settings;
  if (authorizationUrl && tokenUrl && userInfoUrl) return { authorizationUrl, tokenUrl, userInfoUrl };
  const issuer = config.issuer ?? ISSUERS[preset];
  return issuer === undefined ? null : { issuer };
}

export function placeOf({ config }: Provider): Place {
  const endpoints = knownPlace(config);
  if (!endpoints) throw new SsoRefusal('unreachable', 'The provider has no address.');
  return endpoints;
}

/** The sign-in address; with discovery, the issuer. */
export function signInAddress(config: Provider['config']): string | undefined {
  const endpoints = knownPlace(config);
  return endpoints && 'issuer' in endpoints ? endpoints.issuer : endpoints?.authorizationUrl;
}

const defined = ({ authorizationUrl, tokenUrl, userInfoUrl }: Provider['config']) =>
  Object.fromEntries(
    Object.entries({ authorizationUrl, tokenUrl, userInfoUrl }).filter(([, value]) => value !== undefined),
  );
