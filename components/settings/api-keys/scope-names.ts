import type { ApiKeyScope } from '@/contract/access/api-key';

export const API_KEY_SCOPE_NAMES: Record<ApiKeyScope, string> = {
  read: 'Read',
  write: 'Write and run',
  admin: 'Administer',
  '*': 'Everything',
};
