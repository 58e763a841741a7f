const KEY = 'weft.recentNodes';
const MOST = 4;

/** Types of the nodes added most recently in this browser, newest first. */
export const recentTypes = (): string[] => (localStorage.getItem(KEY) ?? '').split(' ').filter(Boolean);

export function rememberType(type: string): void {
  const types = [type, ...recentTypes().filter((other) => other !== type)];
  localStorage.setItem(KEY, types.slice(0, MOST).join(' '));
}
