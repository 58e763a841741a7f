/** Random bytes in base64url, which RFC 7636 allows for a code verifier. */
function randomBase64Url(bytes: number): string {
  const data = crypto.getRandomValues(new Uint8Array(bytes));
  return btoa(String.fromCharCode(...data))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** A code verifier of 128 characters. */
export const createCodeVerifier = (): string => randomBase64Url(96);

/** A UUID. `crypto.randomUUID` needs a secure origin, but the service may run on plain HTTP in a private network. */
export function createOauthState(): string {
  const data = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...data].map((byte, index) => {
    const set = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return set.toString(16).padStart(2, '0');
  });
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
