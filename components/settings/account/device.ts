const BROWSER_PATTERNS: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl'],
];
const SYSTEM_PATTERNS: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** The name of a device from the User-Agent header: "Firefox on Linux". An unknown header is returned as is. */
export function describeDevice(userAgent: string): string {
  const find = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(BROWSER_PATTERNS);
  const system = find(SYSTEM_PATTERNS);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? (userAgent.slice(0, 60) || 'Unknown device');
}

/** The kind of device, for its icon. */
export function deviceKind(userAgent: string): 'phone' | 'desktop' | 'script' {
  if (/iPhone|iPad|Android|Mobile/.test(userAgent)) return 'phone';
  return userAgent.startsWith('Mozilla/') ? 'desktop' : 'script';
}
