export type Dialog =
  | { kind: 'keys' }
  | { kind: 'bar' }
  | { kind: 'input' }
  | { kind: 'extract' }
  | { kind: 'publish' }
  | { kind: 'settings' }
  | { kind: 'node'; nodeId: string };
