import { runtime } from '@/server/runtime';
import { TokenBuckets } from './token-bucket';
import { leaseTokens } from './bucket-lease';

declare module '@/server/runtime' {
  interface Runtime {
    /** Rate limits of this process. */
    buckets?: TokenBuckets;
  }
}

/** The rate limits as counted by this process, for all transports and workers. */
export const tokenBuckets = (): TokenBuckets => (runtime().buckets ??= new TokenBuckets(leaseTokens));

/** The bucket for a workspace's API calls and for runs started by its runs. */
export const workspaceBucket = (workspaceId: string): string => `workspace:${workspaceId}`;

/** The bucket for the calls of a form's page. */
export const formBucket = (formId: string, network: string): string => `form:${formId}:${network}`;

/** The bucket for the calls of a chat's page. */
export const chatBucket = (chatId: string, network: string): string => `chat:${chatId}:${network}`;

/** The bucket for deliveries without a valid signature. */
export const unverifiedBucket = (webhookId: string, network: string): string => `unverified:${webhookId}:${network}`;
